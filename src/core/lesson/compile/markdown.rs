//! A lesson's text in pieces: front matter, scenarios, and beats with their prose as HTML.

use super::Problems;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::ops::Range;
use toml::Spanned;

/// How the note begins that is set apart from the prose.
const WILD: &str = "<p><strong>Seen in the wild.</strong>";
/// What prose may consist of.
const SUBSET: &str = "paragraphs, **strong**, *em*, `code`, lists, links and quotes";

/// All pieces, in text order.
#[derive(Default)]
pub(super) struct Document {
    pub front: Option<Block>,
    pub runs: Vec<Block>,
    pub beats: Vec<Piece>,
}

/// A fenced block, or the front matter.
pub(super) struct Block {
    /// The words after the fence: `predict`, `fence run=other`.
    pub info: String,
    pub text: String,
    /// Line of the opening fence.
    pub opens: usize,
}

impl Block {
    /// The first of its words.
    pub fn kind(&self) -> &str {
        self.info.split(' ').next().unwrap_or_default()
    }

    /// The line of the file at a byte of the block's text.
    pub fn line_at(&self, byte: usize) -> usize {
        let before = self.text.as_bytes().iter().take(byte);
        self.opens + 1 + before.filter(|b| **b == b'\n').count()
    }

    /// The line of the file on which a value begins.
    pub fn line_of<T>(&self, value: &Spanned<T>) -> usize {
        self.line_at(value.span().start)
    }
}

/// A beat, not yet understood.
#[derive(Default)]
pub(super) struct Piece {
    pub title: String,
    /// Line of the heading.
    pub line: usize,
    pub prose: Html,
    /// Notes "Seen in the wild", with their lines.
    pub wild: Vec<(String, usize)>,
    pub blocks: Vec<Block>,
}

/// Prose as HTML, and what it refers to.
#[derive(Default)]
pub(super) struct Html {
    pub text: String,
    pub references: Vec<Reference>,
    /// What closes the links that are open.
    open: Vec<&'static str>,
}

/// A link into the picture: `token:41`.
pub(super) struct Reference {
    pub scheme: String,
    pub target: String,
    pub line: usize,
}

/// Reads the whole file.
pub(super) fn read(text: &str, problems: &mut Problems) -> Document {
    let mut reader = Reader {
        text,
        starts: line_starts(text),
        document: Document::default(),
        inside: Inside::Prose,
        problems,
    };
    let options = Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.take(event, range);
    }
    reader.document
}

/// The HTML of a text of one paragraph, without the paragraph; `line` is where it stands.
pub(super) fn inline(text: &str, line: usize, problems: &mut Problems) -> Html {
    let mut html = Html::default();
    let mut paragraphs = 0;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Paragraph) => paragraphs += 1,
            Event::End(TagEnd::Paragraph) => {}
            Event::Start(Tag::List(_) | Tag::BlockQuote(_) | Tag::Heading { .. }) => paragraphs = 2,
            event => html.add(event, line, problems),
        }
    }
    if paragraphs != 1 {
        problems.add(
            line,
            "this text is one paragraph: no lists, quotes or empty lines",
        );
    }
    html
}

fn line_starts(text: &str) -> Vec<usize> {
    let after = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(after).collect()
}

/// What the events at hand belong to.
enum Inside {
    Prose,
    Title,
    Block(Block),
    /// A quote that began where the prose had so many bytes; and its line.
    Quote(usize, usize),
    /// Something that was complained about.
    Nothing,
}

struct Reader<'t, 'p> {
    text: &'t str,
    /// First byte of each line.
    starts: Vec<usize>,
    document: Document,
    inside: Inside,
    problems: &'p mut Problems,
}

impl Reader<'_, '_> {
    fn take(&mut self, event: Event, range: Range<usize>) {
        let line = self.starts.partition_point(|start| *start <= range.start);
        match event {
            Event::Start(Tag::MetadataBlock(_)) => self.open_block(String::new(), line),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                if self.text[range].lines().count() < 2 || !self.closed(line) {
                    self.problems
                        .add(line, "this block is not closed by a line of ```");
                }
                self.open_block(info.trim().to_owned(), line);
            }
            Event::End(TagEnd::MetadataBlock(_) | TagEnd::CodeBlock) => self.close_block(),
            Event::Start(Tag::Heading { level, .. }) => self.open_heading(level, line),
            Event::End(TagEnd::Heading(_)) => self.inside = Inside::Prose,
            Event::Start(Tag::HtmlBlock) => {
                self.problems.add(line, "raw HTML is not part of a lesson");
                self.inside = Inside::Nothing;
            }
            Event::End(TagEnd::HtmlBlock) => self.inside = Inside::Prose,
            event => self.fill(event, line),
        }
    }

    /// Whether the fence that opens on `line` is closed by one as long.
    fn closed(&self, line: usize) -> bool {
        let mut lines = self.text.lines().skip(line - 1);
        let opening = lines.next().unwrap_or_default().trim_start();
        let fence_char = opening.chars().next().unwrap_or('`');
        let fence = &opening[..opening.len() - opening.trim_start_matches(fence_char).len()];
        lines.any(|line| {
            line.trim().starts_with(fence) && line.trim().trim_matches(fence_char).is_empty()
        })
    }

    fn fill(&mut self, event: Event, line: usize) {
        match &mut self.inside {
            Inside::Nothing => {}
            Inside::Block(block) => {
                if let Event::Text(text) = event {
                    block.text.push_str(&text);
                }
            }
            Inside::Title => self.fill_title(event, line),
            Inside::Prose | Inside::Quote(..) => self.fill_prose(event, line),
        }
    }

    fn fill_title(&mut self, event: Event, line: usize) {
        match (event, self.document.beats.last_mut()) {
            (Event::Text(text) | Event::Code(text), Some(beat)) => beat.title.push_str(&text),
            (Event::Start(_), _) => self.problems.add(line, "a title is plain text"),
            _ => {}
        }
    }

    fn fill_prose(&mut self, event: Event, line: usize) {
        let Some(beat) = self.document.beats.last_mut() else {
            // One complaint for a paragraph, not one for each piece of it.
            if matches!(
                event,
                Event::Start(Tag::Paragraph | Tag::List(_) | Tag::BlockQuote(_))
            ) {
                self.problems
                    .add(line, "prose stands in a beat: after a heading with `##`");
            }
            return;
        };
        match (&self.inside, event) {
            (Inside::Prose, Event::Start(Tag::BlockQuote(_))) => {
                self.inside = Inside::Quote(beat.prose.text.len(), line);
            }
            (Inside::Quote(start, line), Event::End(TagEnd::BlockQuote(_))) => {
                let quote = beat.prose.text.split_off(*start);
                if quote.starts_with(WILD) {
                    beat.wild.push((quote, *line));
                } else {
                    beat.prose.wrap("blockquote", &quote);
                }
                self.inside = Inside::Prose;
            }
            (_, event) => beat.prose.add(event, line, self.problems),
        }
    }

    fn open_heading(&mut self, level: HeadingLevel, line: usize) {
        if level != HeadingLevel::H2 {
            self.problems
                .add(line, "a beat has a heading with `##`; there are no others");
            self.inside = Inside::Nothing;
            return;
        }
        self.document.beats.push(Piece {
            line,
            ..Piece::default()
        });
        self.inside = Inside::Title;
    }

    fn open_block(&mut self, info: String, opens: usize) {
        self.inside = Inside::Block(Block {
            info,
            text: String::new(),
            opens,
        });
    }

    fn close_block(&mut self) {
        let Inside::Block(block) = std::mem::replace(&mut self.inside, Inside::Prose) else {
            return;
        };
        let kind = block.kind().to_owned();
        let is_front = block.info.is_empty() && block.opens == 1;
        match (kind.as_str(), self.document.beats.last_mut()) {
            ("", None) if is_front => self.document.front = Some(block),
            ("fence", None) => self.document.runs.push(block),
            ("fence", Some(_)) => self.problems.add(block.opens, "a scenario stands before the first heading"),
            ("beat" | "act" | "predict" | "table", Some(beat)) => {
                if block.info != kind {
                    self.problems.add(block.opens, format!("nothing follows `{kind}` on this line"));
                }
                beat.blocks.push(block);
            }
            ("beat" | "act" | "predict" | "table", None) => {
                self.problems.add(block.opens, format!("`{kind}` stands in a beat: after a heading with `##`"));
            }
            _ => self.problems.add(block.opens, format!(
                "unknown block `{kind}`: the blocks are `fence`, `beat`, `act`, `predict` and `table`"
            )),
        }
    }
}

impl Html {
    /// Adds a piece of prose; complains about what is not in the subset.
    fn add(&mut self, event: Event, line: usize, problems: &mut Problems) {
        match event {
            Event::Start(tag) => self.start(tag, line, problems),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.add_text(&text),
            Event::Code(code) => self.wrap_escaped("code", &code),
            Event::SoftBreak => self.text.push(' '),
            Event::Html(_) | Event::InlineHtml(_) => {
                problems.add(line, "raw HTML is not part of a lesson");
            }
            _ => problems.add(line, format!("prose consists of {SUBSET}")),
        }
    }

    /// Adds text; what follows a reference without a space stays on its line: a browser would break the
    /// line between a button and a comma.
    fn add_text(&mut self, text: &str) {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (tied, rest) = text.split_at(end);
        let reference = self.text.rfind("<button");
        match reference.filter(|_| !tied.is_empty() && self.text.ends_with("</button>")) {
            Some(start) => {
                self.text.insert_str(start, "<span class=\"tied\">");
                self.escaped(tied);
                self.text.push_str("</span>");
            }
            None => self.escaped(tied),
        }
        self.escaped(rest);
    }

    fn start(&mut self, tag: Tag, line: usize, problems: &mut Problems) {
        match tag {
            Tag::Paragraph => self.text.push_str("<p>"),
            Tag::Emphasis => self.text.push_str("<em>"),
            Tag::Strong => self.text.push_str("<strong>"),
            Tag::Item => self.text.push_str("<li>"),
            Tag::List(None) => self.text.push_str("<ul>"),
            Tag::List(Some(1)) => self.text.push_str("<ol>"),
            Tag::List(Some(first)) => {
                problems.add(
                    line,
                    format!("a numbered list starts with 1, not with {first}"),
                );
            }
            Tag::Link {
                dest_url, title, ..
            } => {
                if !title.is_empty() {
                    problems.add(line, "a link has no title");
                }
                self.open_link(dest_url, line, problems);
            }
            _ => problems.add(line, format!("prose consists of {SUBSET}")),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        let close = match tag {
            TagEnd::Paragraph => "</p>",
            TagEnd::Emphasis => "</em>",
            TagEnd::Strong => "</strong>",
            TagEnd::Item => "</li>",
            TagEnd::List(true) => "</ol>",
            TagEnd::List(false) => "</ul>",
            TagEnd::Link => self.open.pop().unwrap_or_default(),
            _ => "",
        };
        self.text.push_str(close);
    }

    fn open_link(&mut self, url: CowStr, line: usize, problems: &mut Problems) {
        let (scheme, target) = url.split_once(':').unwrap_or_default();
        match scheme {
            // Another page of the app.
            _ if url.starts_with("lab.html#/") => {
                self.text.push_str("<a href=\"");
                self.escaped(&url);
                self.open.push("</a>");
            }
            "https" => {
                self.text
                    .push_str("<a rel=\"noopener\" target=\"_blank\" href=\"");
                self.escaped(&url);
                self.open.push("</a>");
            }
            "client" | "token" | "mark" | "lease" | "write" | "coordinator" | "resource" => {
                self.references.push(Reference {
                    scheme: scheme.to_owned(),
                    target: target.to_owned(),
                    line,
                });
                self.text
                    .push_str("<button type=\"button\" class=\"ref\" data-ref=\"");
                self.escaped(&url);
                self.open.push("</button>");
            }
            _ => {
                problems.add(line, format!(
                    "a link leads to `https://…`, to `lab.html#/…` or into the picture (`client:`, `token:`, `mark:`, `lease:`, `write:`, `coordinator:`, `resource:`), not to `{url}`"
                ));
                return self.open.push("");
            }
        }
        self.text.push_str("\">");
    }

    fn wrap(&mut self, element: &str, html: &str) {
        for part in ["<", element, ">", html, "</", element, ">"] {
            self.text.push_str(part);
        }
    }

    fn wrap_escaped(&mut self, element: &str, text: &str) {
        let mut escaped = Html::default();
        escaped.escaped(text);
        self.wrap(element, &escaped.text);
    }

    fn escaped(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                _ => self.text.push(c),
            }
        }
    }
}
