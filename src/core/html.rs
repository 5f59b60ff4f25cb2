//! Writing markup as text: for everything on a page that has no controls of its own.

use std::ops::Range;

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

    /// Appends text, escaped for content and quoted attributes; control characters are left out.
    #[inline(never)]
    pub fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\0'..='\u{8}' => {}
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

    /// Appends ` name="value"`, the value escaped.
    #[inline(never)]
    pub fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// Appends ` name` if it is so.
    pub fn flag(&mut self, name: &str, is_so: bool) -> &mut Self {
        if is_so {
            self.raw(" ").raw(name);
        }
        self
    }

    /// Appends a number in px, with at most one decimal.
    pub fn px(&mut self, number: f64) -> &mut Self {
        crate::diagram::number(&mut self.0, number);
        self
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

/// A page being written, with the parts of it that change while its frame stays.
#[derive(Default)]
pub struct Sheet {
    /// All of its markup.
    pub html: Html,
    /// In the order of the markup, none inside another.
    pub regions: Vec<Region>,
}

/// An element of a page that can be brought up to date by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The element's id.
    pub id: String,
    /// Where its markup is in that of the page.
    pub range: Range<usize>,
    /// Only the start tag: what is inside are regions of their own, or stays.
    pub shell: bool,
}

impl Sheet {
    /// Appends the element with this id, which `write` writes.
    pub fn region(&mut self, id: &str, write: &mut dyn FnMut(&mut Html)) {
        self.part(id, false, write);
    }

    /// Appends the start tag of the element with this id.
    pub fn shell(&mut self, id: &str, write: &mut dyn FnMut(&mut Html)) {
        self.part(id, true, write);
    }

    fn part(&mut self, id: &str, shell: bool, write: &mut dyn FnMut(&mut Html)) {
        let start = self.html.0.len();
        write(&mut self.html);
        self.regions.push(Region {
            id: id.to_owned(),
            range: start..self.html.0.len(),
            shell,
        });
    }

    /// Appends markup as it is.
    pub fn raw(&mut self, markup: &str) -> &mut Self {
        self.html.raw(markup);
        self
    }

    /// The regions that differ from those of `before`; `None` if the pages differ elsewhere, so
    /// that the new one has to take the old one's place.
    pub fn changes<'s>(&'s self, before: &Sheet) -> Option<Vec<&'s Region>> {
        if self.regions.len() != before.regions.len() {
            return None;
        }
        let (mut here, mut there) = (0, 0);
        let mut changed = Vec::new();
        for (new, old) in self.regions.iter().zip(&before.regions) {
            let same_frame = new.id == old.id
                && self.html.0[here..new.range.start] == before.html.0[there..old.range.start];
            if !same_frame {
                return None;
            }
            if self.html.0[new.range.clone()] != before.html.0[old.range.clone()] {
                changed.push(new);
            }
            (here, there) = (new.range.end, old.range.end);
        }
        (self.html.0[here..] == before.html.0[there..]).then_some(changed)
    }
}

/// Values of `data-who`: the colours of clients.
pub const WHO: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
