//! Recent texts that stay in the browser.

/// So many are kept.
const MOST: usize = 12;
/// A longer text, in bytes, is not kept.
const MOST_BYTES: usize = 100_000;
/// Between drafts, and between the fields of one; no text of the language needs these characters.
const RECORD: char = '\u{1e}';
const FIELD: char = '\u{1f}';

/// A text with the time of its last change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Which one: the time in milliseconds at which it was begun.
    pub id: u64,
    /// Last change, in milliseconds since 1970.
    pub changed_ms: u64,
    /// What it is called.
    pub title: String,
    /// The text.
    pub text: String,
}

/// All drafts, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drafts(pub Vec<Draft>);

impl Drafts {
    /// Reads what [`Drafts::print`] wrote; what is damaged is left out.
    pub fn parse(text: &str) -> Self {
        Drafts(text.split(RECORD).filter_map(draft).take(MOST).collect())
    }

    /// As one text.
    pub fn print(&self) -> String {
        let one = |draft: &Draft| {
            let clean = |text: &str| text.replace([RECORD, FIELD], " ");
            let fields = [
                draft.id.to_string(),
                draft.changed_ms.to_string(),
                clean(&draft.title),
                clean(&draft.text),
            ];
            fields.join(&String::from(FIELD))
        };
        self.0
            .iter()
            .map(one)
            .collect::<Vec<_>>()
            .join(&String::from(RECORD))
    }

    /// Keeps a draft in place of its older self. Empty and very long texts are not kept.
    pub fn keep(&mut self, draft: Draft) {
        if draft.text.trim().is_empty() || draft.text.len() > MOST_BYTES {
            return;
        }
        self.0.retain(|known| known.id != draft.id);
        self.0.insert(0, draft);
        self.0.truncate(MOST);
    }
}

fn draft(record: &str) -> Option<Draft> {
    let mut fields = record.splitn(4, FIELD);
    Some(Draft {
        id: fields.next()?.parse().ok()?,
        changed_ms: fields.next()?.parse().ok()?,
        title: fields.next()?.to_owned(),
        text: fields.next()?.to_owned(),
    })
}

/// How long ago: `now`, `5 min ago`, `3 h ago`, `2 d ago`.
pub fn age(now_ms: u64, then_ms: u64) -> String {
    let minutes = now_ms.saturating_sub(then_ms) / 60_000;
    match minutes {
        0 => "now".to_owned(),
        1..60 => [&minutes.to_string(), " min ago"].concat(),
        60..1440 => [&(minutes / 60).to_string(), " h ago"].concat(),
        _ => [&(minutes / 1440).to_string(), " d ago"].concat(),
    }
}
