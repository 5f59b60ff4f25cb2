//! A line to tokens. Total: every character belongs to a token or is a blank.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Anything without blanks and signs: names, numbers, `fenced+owner`, `w#2@R1`, rubbish.
    Word,
    /// A string with both quotes, escapes not looked at.
    Text,
    /// A string that the line ends before its second quote.
    Unclosed,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `=>`
    Arrow,
    /// From `#` to the end.
    Comment,
}

/// A piece of a line, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens of one line, comments included.
pub(super) struct Lexer<'t> {
    line: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    /// Starts at the head of `line`, which has no newline.
    pub(super) fn new(line: &'t str) -> Self {
        Lexer { line, at: 0 }
    }

    /// Passes blanks; whether there was one, or the line begins here.
    fn skip_blanks(&mut self) -> bool {
        let rest = &self.line[self.at..];
        let trimmed = rest.trim_start_matches(is_blank);
        self.at += rest.len() - trimmed.len();
        self.at == 0 || trimmed.len() < rest.len()
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let fresh = self.skip_blanks();
        let rest = &self.line[self.at..];
        let (kind, length) = match rest.chars().next()? {
            '#' if fresh => (Kind::Comment, rest.len()),
            '"' => string(rest),
            ',' => (Kind::Comma, 1),
            ':' => (Kind::Colon, 1),
            '(' => (Kind::Open, 1),
            ')' => (Kind::Close, 1),
            _ if rest.starts_with("=>") => (Kind::Arrow, 2),
            _ => (Kind::Word, word_bytes(rest)),
        };
        let start = self.at;
        self.at += length;
        Some(Token {
            kind,
            start,
            end: self.at,
        })
    }
}

/// A byte order mark is a blank too: editors leave one at the head of a file.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Kind and bytes of the string that `rest` begins with.
fn string(rest: &str) -> (Kind, usize) {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return (Kind::Text, at + 1),
            _ => {}
        }
    }
    (Kind::Unclosed, rest.trim_end_matches(is_blank).len())
}

/// Bytes of the word that `rest` begins with.
fn word_bytes(rest: &str) -> usize {
    rest.char_indices()
        .find(|&(at, c)| {
            is_blank(c)
                || matches!(c, '"' | ',' | ':' | '(' | ')')
                || (c == '=' && rest[at..].starts_with("=>"))
        })
        .map_or(rest.len(), |(at, _)| at)
}

/// The lines of a text, without their ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
}

/// What a piece of text is to an editor that colours it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexemeKind {
    /// A keyword, a name, a policy.
    Word,
    /// Begins with a digit.
    Number,
    /// A string, closed or not.
    Text,
    /// One of `, : ( ) =>`.
    Sign,
    /// From `#` to the end of the line.
    Comment,
}

/// A piece of text with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// What it is.
    pub kind: LexemeKind,
    /// Line, from 1.
    pub line: usize,
    /// First character, from 1.
    pub column: usize,
    /// Characters, at least 1.
    pub length: usize,
}

/// All that is not blank, in text order. Total, as [`super::parse`] is; the limit on the size of a
/// text is not looked at.
pub fn tokens(text: &str) -> Vec<Lexeme> {
    let mut all = Vec::new();
    for (index, line) in lines(text).enumerate() {
        let (mut bytes, mut chars) = (0, 0);
        for token in Lexer::new(line) {
            chars += line[bytes..token.start].chars().count();
            let length = line[token.start..token.end].chars().count();
            all.push(Lexeme {
                kind: lexeme_kind(token, line),
                line: index + 1,
                column: chars + 1,
                length,
            });
            (bytes, chars) = (token.end, chars + length);
        }
    }
    all
}

fn lexeme_kind(token: Token, line: &str) -> LexemeKind {
    match token.kind {
        Kind::Word if line.as_bytes()[token.start].is_ascii_digit() => LexemeKind::Number,
        Kind::Word => LexemeKind::Word,
        Kind::Text | Kind::Unclosed => LexemeKind::Text,
        Kind::Comment => LexemeKind::Comment,
        Kind::Comma | Kind::Colon | Kind::Open | Kind::Close | Kind::Arrow => LexemeKind::Sign,
    }
}
