//! Phrases that say something wrong about leases and fences.

use super::Problems;
use crate::narration::WRONG_PHRASES;

/// Complains about each wrong phrase, whatever its case, emphasis and line breaks.
pub(super) fn check(text: &str, problems: &mut Problems) {
    let (plain, lines) = plain(text);
    for (wrong, instead) in WRONG_PHRASES {
        let (wrong, _) = self::plain(wrong);
        for (at, _) in plain.match_indices(wrong.trim()) {
            let line = lines.get(at).copied().unwrap_or(1);
            problems.add(line, format!("“{}” is wrong; say: {instead}", wrong.trim()));
        }
    }
}

/// The text in lower case without marks of emphasis, each stretch of blanks as one, and the line of
/// each of its bytes.
fn plain(text: &str) -> (String, Vec<usize>) {
    let (mut plain, mut lines) = (String::new(), Vec::new());
    let mut line = 1;
    for c in text.chars() {
        match c {
            '*' | '_' | '`' | '>' => {}
            '’' => plain.push('\''),
            _ if c.is_whitespace() => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            _ => plain.extend(c.to_lowercase()),
        }
        lines.resize(plain.len(), line);
        line += usize::from(c == '\n');
    }
    (plain, lines)
}
