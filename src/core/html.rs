//! Writing markup as text: for everything on a page that has no controls of its own.

/// Markup being written. What a user can name goes through [`Html::text`].
#[derive(Default)]
pub struct Html(pub String);

impl Html {
    /// Appends markup as it is.
    #[inline(never)]
    pub fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends text, escaped for content and quoted attributes.
    #[inline(never)]
    pub fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                _ => self.0.push(c),
            }
        }
        self
    }

    /// Appends a number.
    #[inline(never)]
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.text(&number.to_string())
    }

    /// Appends `<tag class="class">text</tag>`; without a class where it is empty.
    #[inline(never)]
    pub fn element(&mut self, tag: &str, class: &str, text: &str) -> &mut Self {
        self.open(tag, class).text(text).close(tag)
    }

    /// Appends `<tag class="class">`.
    #[inline(never)]
    pub fn open(&mut self, tag: &str, class: &str) -> &mut Self {
        self.raw("<").raw(tag);
        if !class.is_empty() {
            self.raw(" class=\"").raw(class).raw("\"");
        }
        self.raw(">")
    }

    /// Appends `</tag>`.
    pub fn close(&mut self, tag: &str) -> &mut Self {
        self.raw("</").raw(tag).raw(">")
    }

    /// Appends `<tag class="class" data-who="a">` in the colour of a client (index from 0), if any.
    #[inline(never)]
    pub fn open_who(&mut self, tag: &str, class: &str, client: Option<usize>) -> &mut Self {
        self.raw("<").raw(tag).raw(" class=\"").raw(class);
        if let Some(client) = client {
            self.raw("\" data-who=\"").raw(WHO[client % WHO.len()]);
        }
        self.raw("\">")
    }
}

/// Values of `data-who`: the colours of clients.
pub const WHO: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
