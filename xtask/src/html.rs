//! Finding tags in an HTML page that Trunk wrote from this project's own
//! `index.html`. It is no parser for the web: comments, `>` in attribute
//! values and tags in scripts do not occur there.

use std::ops::Range;

/// A tag of a page.
#[derive(Debug, PartialEq)]
pub struct Tag<'a> {
    /// All of it from `<` to `>`.
    pub text: &'a str,
    /// Where it is in the page, in bytes.
    pub range: Range<usize>,
}

impl<'a> Tag<'a> {
    /// The value of an attribute in double quotes.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        let start = self.text.find(&format!(" {name}=\""))? + name.len() + 3;
        let rest = &self.text[start..];
        Some(&rest[..rest.find('"')?])
    }
}

/// All opening tags called `name`, in order.
pub fn tags<'a>(page: &'a str, name: &str) -> Vec<Tag<'a>> {
    let open = format!("<{name}");
    let ends_name = |c: char| c == '>' || c == '/' || c.is_whitespace();
    page.match_indices(&open)
        .filter(|(at, _)| page[at + open.len()..].starts_with(ends_name))
        .filter_map(|(at, _)| {
            let end = at + page[at..].find('>')? + 1;
            Some(Tag {
                text: &page[at..end],
                range: at..end,
            })
        })
        .collect()
}

/// The style sheets of a page: tag and address, in order.
pub fn style_sheets(page: &str) -> Vec<(Tag<'_>, &str)> {
    tags(page, "link")
        .into_iter()
        .filter(|tag| tag.attribute("rel") == Some("stylesheet"))
        .filter_map(|tag| tag.attribute("href").map(|href| (tag, href)))
        .collect()
}

/// Where the first link with this `rel` leads.
pub fn link<'a>(page: &'a str, rel: &str) -> Option<&'a str> {
    tags(page, "link")
        .into_iter()
        .find(|tag| tag.attribute("rel") == Some(rel))
        .and_then(|tag| tag.attribute("href"))
}

/// A script whose code is in the page.
#[derive(Debug, PartialEq)]
pub struct InlineScript<'a> {
    /// Where its element is in the page, in bytes.
    pub range: Range<usize>,
    /// What follows the name in its opening tag, such as ` type="module">`.
    pub attributes: &'a str,
    pub code: &'a str,
}

/// The first inline script; blocks of data are none.
pub fn inline_script(page: &str) -> Option<InlineScript<'_>> {
    let (open, close) = ("<script", "</script>");
    let is_code = |tag: &Tag| match tag.attribute("type") {
        None | Some("module") => true,
        Some(other) => other.ends_with("javascript"),
    };
    tags(page, "script")
        .into_iter()
        .filter(|tag| tag.attribute("src").is_none() && is_code(tag))
        .find_map(|tag| {
            let code = &page[tag.range.end..];
            let code = &code[..code.find(close)?];
            Some(InlineScript {
                range: tag.range.start..tag.range.end + code.len() + close.len(),
                attributes: &tag.text[open.len()..],
                code,
            })
        })
}

/// The files that a browser loads before it shows the app: the page's scripts,
/// style sheets and what it preloads.
pub fn first_load(page: &str) -> Vec<&str> {
    let sources = tags(page, "script")
        .into_iter()
        .filter_map(|tag| tag.attribute("src"));
    let links = tags(page, "link")
        .into_iter()
        .filter(|tag| {
            let rel = tag.attribute("rel");
            matches!(rel, Some("stylesheet" | "preload" | "modulepreload"))
        })
        .filter_map(|tag| tag.attribute("href"));
    let mut files: Vec<_> = sources.chain(links).collect();
    files.sort_unstable();
    files.dedup();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<head><link rel="icon" href="./i.svg"/><link rel="stylesheet" href="./a.css"/>
<link rel="stylesheet" href="./b.css"><link rel="preload" href="./app.wasm" as="fetch">
<script src="./boot.js" defer></script></head><body><script type="module">let a = 1;</script></body>"#;

    #[test]
    fn attributes_are_read_by_whole_name() {
        let tag = &tags(r#"<link data-href="no" href="yes">"#, "link")[0];
        assert_eq!(tag.attribute("href"), Some("yes"));
        assert_eq!(tag.attribute("rel"), None);
    }

    #[test]
    fn a_longer_name_is_another_tag() {
        assert!(tags("<section><s-x>", "s").is_empty());
        assert_eq!(tags("<b><br/><b class>", "b").len(), 2);
    }

    #[test]
    fn style_sheets_keep_their_order() {
        let hrefs: Vec<_> = style_sheets(PAGE)
            .into_iter()
            .map(|(_, href)| href)
            .collect();
        assert_eq!(hrefs, ["./a.css", "./b.css"]);
    }

    #[test]
    fn links_are_found_by_their_relation() {
        assert_eq!(link(PAGE, "preload"), Some("./app.wasm"));
        assert_eq!(link(PAGE, "modulepreload"), None);
    }

    #[test]
    fn only_scripts_without_a_source_are_inline() {
        let script = inline_script(PAGE).unwrap();
        assert_eq!(script.code, "let a = 1;");
        assert_eq!(script.attributes, " type=\"module\">");
        let element = &PAGE[script.range];
        assert!(element.starts_with("<script type") && element.ends_with("</script>"));
        assert_eq!(inline_script(r#"<script src="a.js"></script>"#), None);
        let data = r#"<script type="application/ld+json">{}</script>"#;
        assert_eq!(inline_script(data), None);
    }

    #[test]
    fn the_first_load_is_scripts_styles_and_preloads() {
        let expected = ["./a.css", "./app.wasm", "./b.css", "./boot.js"];
        assert_eq!(first_load(PAGE), expected);
    }
}
