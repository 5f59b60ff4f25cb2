//! A line of the text with its words coloured, and what the run says beside it.

use super::script::{Script, trouble};
use super::shared::Shared;
use crate::html::Html;
use crate::panels::glyph;
use crate::rows::{Kind, RowResult, Trouble};
use crate::script::{self, LexemeKind};
use crate::sim::*;

/// In longer lines the word of the result would not fit beside the text.
const SHORT_CHARS: usize = 24;

/// What the coloured copy shows.
pub struct Copied {
    /// The lines, and what the run says of them.
    pub script: Shared<Script>,
    /// Index of the line that is being typed.
    pub typing: Option<usize>,
    /// The names that have a colour.
    pub clients: Vec<String>,
}

/// A line as it is drawn.
#[derive(PartialEq)]
pub struct Line {
    /// Its class, with a space before it; empty where nothing is wrong.
    pub class: &'static str,
    /// What is in its list item.
    pub markup: String,
}

impl Copied {
    /// The lines of the text.
    pub fn lines(&self) -> &[String] {
        &self.script.lines
    }

    /// The line with this index.
    pub fn line(&self, index: usize) -> Line {
        let (Some(row), Some(text)) = (self.script.rows.get(index), self.lines().get(index)) else {
            return Line {
                class: "",
                markup: String::new(),
            };
        };
        let trouble = trouble(row, index, self.typing);
        let mut out = Html::default();
        out.raw("<time>");
        match (trouble, row.at_secs) {
            (Some(_), _) => out.raw("!"),
            (None, Some(at)) => out.number(at),
            (None, None) => &mut out,
        };
        out.raw("</time><code>");
        coloured(&mut out, text, &self.clients, trouble);
        out.raw("</code>");
        let roomy = text.chars().count() <= SHORT_CHARS;
        beside(&mut out, &row.result, row.trouble.is_none(), roomy);
        let class = match trouble.map(|trouble| trouble.kind) {
            Some(Kind::Error) => " err",
            Some(Kind::Failure) => " fail",
            None => "",
        };
        Line {
            class,
            markup: out.0,
        }
    }
}

/// What came of a line.
fn beside(out: &mut Html, result: &RowResult, fine: bool, roomy: bool) {
    match result {
        RowResult::Nothing => {}
        RowResult::Granted(client, token) => {
            out.raw("<span class=\"res\">")
                .open_who("b", "tok", Some(client.0))
                .number(*token)
                .raw("</b></span>");
        }
        RowResult::Outcome(outcome) => {
            out.raw("<span class=\"res\">");
            let is_verdict = matches!(
                outcome.answer,
                Answer::Accepted | Answer::Rejected | Answer::Duplicate
            );
            if is_verdict {
                glyph(out, outcome.answer);
            }
            if roomy || !is_verdict {
                let plain = Outcome {
                    reason: None,
                    anomalies: Default::default(),
                    ..outcome.clone()
                };
                out.text(&script::print_outcome(&plain));
            }
            out.raw("</span>");
        }
        RowResult::Holds if fine => {
            out.raw("<span class=\"res\">");
            glyph(out, Answer::Accepted);
            out.raw("</span>");
        }
        RowResult::Holds => {}
    }
}

/// A line with its words coloured and its mistake underlined.
fn coloured(out: &mut Html, text: &str, clients: &[String], trouble: Option<&Trouble>) {
    let mut at = 0;
    let mut header = false;
    let whole = trouble.is_some_and(|trouble| trouble.column == 0);
    out.raw(if whole { "<u>" } else { "" });
    let marked = trouble.filter(|trouble| trouble.column > 0);
    let mut underlined = false;
    for (index, token) in script::tokens(text).into_iter().enumerate() {
        let byte = |chars: usize| {
            text.char_indices()
                .nth(chars)
                .map_or(text.len(), |(at, _)| at)
        };
        let (start, end) = (
            byte(token.column - 1),
            byte(token.column - 1 + token.length),
        );
        out.text(&text[at..start]);
        at = end;
        let word = &text[start..end];
        let wrong = marked.is_some_and(|m| {
            token.column < m.column + m.length && m.column < token.column + token.length
        });
        underlined |= wrong;
        out.raw(if wrong { "<u>" } else { "" });
        let client = clients.iter().position(|name| name == word);
        let is_keyword = index == 0 && client.is_none();
        header |= is_keyword && word != "at";
        match (token.kind, client) {
            (LexemeKind::Comment, _) => out.element("span", "cm", word),
            (LexemeKind::Text, _) => out.element("span", "str", word),
            (LexemeKind::Word, Some(client)) if !header || word.len() < 3 => {
                out.open_who("b", "", Some(client)).text(word).raw("</b>")
            }
            (LexemeKind::Word, _) if is_keyword => out.element("span", "kw", word),
            _ => out.text(word),
        };
        out.raw(if wrong { "</u>" } else { "" });
    }
    out.text(&text[at..]);
    out.raw(if whole { "</u>" } else { "" });
    // Something is missing at the end.
    out.raw(if marked.is_some() && !underlined {
        "<u> </u>"
    } else {
        ""
    });
    out.raw(if text.is_empty() { "\u{200b}" } else { "" });
}
