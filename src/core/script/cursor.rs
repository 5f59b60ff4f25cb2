//! One line, read from left to right. Every rule of the language reads through this.

use super::error::{Fault, SyntaxError, near_miss};
use super::lexer::{Kind, Lexer, Token};
use super::words::{is_keyword, is_name};
use crate::sim::MAX_NUMBER;
use crate::sim::text::{join, whole};

/// Longest piece of the text that an error repeats, in characters.
const MAX_FOUND_CHARS: usize = 40;

/// A line and how far it was read.
pub(super) struct Cursor<'t> {
    /// The line, without its end.
    pub(super) text: &'t str,
    /// Its number, from 1.
    pub(super) number: usize,
    tokens: Vec<Token>,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// Stands before the first token of line `number`.
    pub(super) fn new(text: &'t str, number: usize) -> Self {
        let tokens = Lexer::new(text)
            .filter(|token| token.kind != Kind::Comment)
            .collect();
        Cursor {
            text,
            number,
            tokens,
            at: 0,
        }
    }

    /// The next token.
    pub(super) fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    /// Passes the next token.
    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    /// The next token if it is a word.
    pub(super) fn word(&self) -> Option<&'t str> {
        self.word_at(self.at)
    }

    /// The token after the next one if it is a word.
    pub(super) fn second_word(&self) -> Option<&'t str> {
        self.word_at(self.at + 1)
    }

    fn word_at(&self, index: usize) -> Option<&'t str> {
        let token = self.tokens.get(index)?;
        (token.kind == Kind::Word).then(|| &self.text[token.start..token.end])
    }

    /// All words of the line, read or not.
    pub(super) fn words(&self) -> impl Iterator<Item = &'t str> + use<'t, '_> {
        (0..self.tokens.len()).filter_map(|index| self.word_at(index))
    }

    /// Passes `word` if it comes next.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let is_next = self.word() == Some(word);
        self.at += usize::from(is_next);
        is_next
    }

    /// Passes a sign if it comes next.
    pub(super) fn eat_sign(&mut self, kind: Kind) -> bool {
        let is_next = self.next_is(kind);
        self.at += usize::from(is_next);
        is_next
    }

    /// Whether such a token comes next.
    pub(super) fn next_is(&self, kind: Kind) -> bool {
        self.peek().is_some_and(|token| token.kind == kind)
    }

    /// `word` must come next.
    pub(super) fn require(&mut self, word: &str) -> Result<(), Fault> {
        if self.eat(word) {
            return Ok(());
        }
        Err(self.wrong_near(&join(&["`", word, "`"]), &[word]))
    }

    /// A sign must come next.
    pub(super) fn require_sign(&mut self, kind: Kind, shown: &str) -> Result<(), Fault> {
        if self.eat_sign(kind) {
            return Ok(());
        }
        Err(self.wrong(shown))
    }

    /// The line must end here.
    pub(super) fn end(&self) -> Result<(), Fault> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.wrong("the end of the line")),
        }
    }

    /// Unsigned decimal, up to [`MAX_NUMBER`].
    pub(super) fn number(&mut self) -> Result<u64, Fault> {
        let word = self.word().ok_or_else(|| self.wrong("a number"))?;
        let number = self.number_of(word)?;
        self.advance();
        Ok(number)
    }

    /// The number that the next token, or the part `digits` of it, says.
    fn number_of(&self, digits: &str) -> Result<u64, Fault> {
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.wrong("a number"));
        }
        decimal(digits, MAX_NUMBER)
            .ok_or_else(|| self.wrong(&join(&["a number up to ", &whole(MAX_NUMBER)])))
    }

    /// A number that may have a sign.
    pub(super) fn signed(&mut self) -> Result<i64, Fault> {
        let word = self.word().ok_or_else(|| self.wrong("a number"))?;
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        // No loss: MAX_NUMBER is far below the greatest i64.
        let size = self.number_of(digits)? as i64;
        self.advance();
        Ok(if word.starts_with('-') { -size } else { size })
    }

    /// A string, without quotes and escapes; `what` says what it is for.
    pub(super) fn string(&mut self, what: &str) -> Result<String, Fault> {
        let token = match self.peek() {
            Some(token) if token.kind == Kind::Text => token,
            _ => return Err(self.no_string(what)),
        };
        let inside = token.start + 1..token.end - 1;
        let mut value = String::with_capacity(inside.len());
        let mut chars = self.text[inside.clone()].char_indices();
        while let Some((at, c)) = chars.next() {
            if c != '\\' {
                value.push(c);
                continue;
            }
            match chars.next() {
                Some((_, c @ ('"' | '\\'))) => value.push(c),
                next => {
                    let start = inside.start + at;
                    let end = start + 1 + next.map_or(0, |(_, c)| c.len_utf8());
                    let doubled = join(&["\\", &self.text[start..end]]);
                    return Err(self
                        .wrong_span(start, end, "`\\\"` or `\\\\`")
                        .suggest(&doubled));
                }
            }
        }
        self.advance();
        Ok(value)
    }

    /// No string comes next: a word may have lost its quotes.
    fn no_string(&self, what: &str) -> Fault {
        let expected = join(&[what, " in double quotes"]);
        let Some(token) = self.peek().filter(|token| token.kind == Kind::Word) else {
            return self.wrong(&expected);
        };
        // `v1"` has lost only the first quote: the second belongs to what is replaced.
        let half_quoted = self.tokens.get(self.at + 1).is_some_and(|next| {
            next.kind == Kind::Unclosed && next.start == token.end && next.end == next.start + 1
        });
        let end = token.end + usize::from(half_quoted);
        let bare = self.text[token.start..token.end].trim_matches(['\'', '‘', '’', '“', '”', '„']);
        self.wrong_span(token.start, end, &expected)
            .suggest(&quote(bare))
    }

    /// A word that can be a name; whether it is new is for the caller to see.
    pub(super) fn name(&self, what: &str) -> Result<&'t str, Fault> {
        let word = self.word().ok_or_else(|| self.wrong(what))?;
        if !is_name(word) {
            return Err(self
                .wrong(what)
                .advise("a name is a letter, then letters, digits, `_` and `-`"));
        }
        if is_keyword(word) {
            let advice = join(&["`", word, "` begins a line, so it cannot be a name"]);
            return Err(self.wrong(what).advise(&advice));
        }
        Ok(word)
    }

    /// The next token is not what could stand there.
    pub(super) fn wrong(&self, expected: &str) -> Fault {
        match self.peek() {
            Some(token) if token.kind == Kind::Unclosed => self.unclosed(token),
            Some(token) => self.wrong_span(token.start, token.end, expected),
            None => {
                let end = self.tokens.last().map_or(0, |token| token.end);
                let mut error = self.wrong_span(end, end, expected);
                "the end of the line".clone_into(&mut error.found);
                error
            }
        }
    }

    /// The same, with a guess among `known`.
    pub(super) fn wrong_near(&self, expected: &str, known: &[&str]) -> Fault {
        let error = self.wrong(expected);
        match self.word().and_then(|word| near_miss(word, known)) {
            Some(known) => error.suggest(known),
            None => error,
        }
    }

    fn unclosed(&self, token: Token) -> Fault {
        let source = &self.text[token.start..token.end];
        let error = self.wrong_span(token.start, token.end, "a closing `\"`");
        // After an escape a quote would be a character of the string.
        let slashes = source.chars().rev().take_while(|c| *c == '\\').count();
        match slashes.is_multiple_of(2) {
            true => error.suggest(&join(&[source, "\""])),
            false => error,
        }
    }

    /// Marks these bytes of the line, at least one character.
    pub(super) fn wrong_span(&self, start: usize, end: usize, expected: &str) -> Fault {
        let marked = &self.text[start..end];
        Box::new(SyntaxError {
            line: self.number,
            column: self.text[..start].chars().count() + 1,
            length: marked.chars().count().max(1),
            found: ticked(marked),
            expected: expected.to_owned(),
            hint: None,
        })
    }
}

/// What the digits say, if it is at most `most`.
pub(super) fn decimal(digits: &str, most: u64) -> Option<u64> {
    let mut number = 0_u64;
    for digit in digits.bytes() {
        number = number * 10 + u64::from(digit.wrapping_sub(b'0'));
        if !digit.is_ascii_digit() || number > most {
            return None;
        }
    }
    Some(number)
}

/// A piece of text in backticks, shortened.
fn ticked(text: &str) -> String {
    match text.char_indices().nth(MAX_FOUND_CHARS) {
        Some((end, _)) => join(&["`", &text[..end], "…`"]),
        None => join(&["`", text, "`"]),
    }
}

/// A string of the language. It has no escape for a line's end, which becomes a blank.
pub(super) fn quote(value: &str) -> String {
    let mut quoted = String::with_capacity(value.len() + 2);
    quoted.push('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push(' '),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
