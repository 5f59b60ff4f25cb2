//! Located errors, and the guess at what was meant.

use crate::sim::text::join;
use std::fmt;

/// What is wrong with a line. Its `Display` is one sentence without a place:
/// "found `resmes`, expected a verb; did you mean `resumes`?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line, from 1.
    pub line: usize,
    /// First marked character of the line, from 1. At the end of a line: one after the last.
    pub column: usize,
    /// How many characters are marked, at least 1.
    pub length: usize,
    /// What stands there: a quoted piece of the text in backticks, or a description.
    pub found: String,
    /// What could stand there.
    pub expected: String,
    /// Advice, where there is some.
    pub hint: Option<Hint>,
}

/// Advice on an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// A sentence or half of one: "did you mean `resumes`?".
    pub text: String,
    /// What to write in place of exactly the marked characters.
    pub replacement: Option<String>,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in ["found ", &self.found, ", expected ", &self.expected] {
            f.write_str(part)?;
        }
        if let Some(hint) = &self.hint {
            f.write_str("; ")?;
            f.write_str(&hint.text)?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}

impl SyntaxError {
    /// Adds advice that replaces nothing.
    #[inline(never)]
    pub(super) fn advise(mut self: Box<Self>, text: &str) -> Fault {
        self.hint = Some(Hint {
            text: text.to_owned(),
            replacement: None,
        });
        self
    }

    /// Adds "did you mean …?".
    #[inline(never)]
    pub(super) fn suggest(mut self: Box<Self>, replacement: &str) -> Fault {
        self.hint = Some(Hint {
            text: join(&["did you mean `", replacement, "`?"]),
            replacement: Some(replacement.to_owned()),
        });
        self
    }
}

/// An error on its way up: a pointer, since every rule hands on what the rules below it return.
pub(super) type Fault = Box<SyntaxError>;

/// Why a line was not read to its end.
pub(super) enum Stop {
    /// It is wrong by itself.
    Wrong(Fault),
    /// It uses a name of a line that is wrong; one error for both is enough.
    Depends,
}

impl From<Fault> for Stop {
    fn from(error: Fault) -> Self {
        Stop::Wrong(error)
    }
}

/// Longest word that is compared with others, in characters.
const MAX_GUESS_CHARS: usize = 40;
/// At most this many words are compared, so that many errors over many names stay cheap.
const MAX_GUESSES: usize = 256;

/// The known word that `word` was probably meant to be: the same in another case, else the
/// nearest within two edits (fewer for short words, where two edits would fit anything).
#[inline(never)]
pub(super) fn near_miss<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let length = word.chars().count();
    if length > MAX_GUESS_CHARS {
        return None;
    }
    let reach = match length {
        0 | 1 => 0,
        2 | 3 => 1,
        _ => 2,
    };
    let mut best = None;
    for candidate in known.iter().copied().take(MAX_GUESSES) {
        if candidate.eq_ignore_ascii_case(word) {
            return Some(candidate);
        }
        // What is known is ASCII; each character too many or too few is an edit.
        if candidate.len().abs_diff(length) > reach {
            continue;
        }
        let distance = strsim::osa_distance(word, candidate);
        if distance <= reach && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}
