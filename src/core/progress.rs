//! What a browser remembers of a learner: which lessons were finished, and where others stand.
//!
//! Kept as one short text, `paused-holder=3,equal-tokens=done`; anything unreadable in it is
//! dropped, for it may be old, cut off or written by others.

/// A learner's progress.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress(Vec<(String, Reached)>);

/// How far a lesson was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Up to the beat with this index.
    Beat(usize),
    /// To the end.
    Done,
}

/// At most so many lessons are remembered.
const MOST: usize = 200;

impl Progress {
    /// Reads a stored text.
    pub fn parse(text: &str) -> Self {
        let entry = |part: &str| {
            let (slug, reached) = part.split_once('=')?;
            let is_slug = slug
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            let reached = match reached {
                "done" => Reached::Done,
                beat => Reached::Beat(beat.parse().ok()?),
            };
            (is_slug && !slug.is_empty()).then(|| (slug.to_owned(), reached))
        };
        Progress(text.split(',').filter_map(entry).take(MOST).collect())
    }

    /// The text to store.
    pub fn print(&self) -> String {
        let part = |(slug, reached): &(String, Reached)| {
            let reached = match reached {
                Reached::Done => "done".to_owned(),
                Reached::Beat(beat) => beat.to_string(),
            };
            [slug, "=", &reached].concat()
        };
        let parts: Vec<String> = self.0.iter().map(part).collect();
        parts.join(",")
    }

    /// How far a lesson was read; `None`: untouched.
    pub fn of(&self, slug: &str) -> Option<Reached> {
        self.0
            .iter()
            .find(|(known, _)| known == slug)
            .map(|(_, reached)| *reached)
    }

    /// Remembers where a lesson stands; one that was finished stays finished. Whether that is news.
    pub fn reach(&mut self, slug: &str, reached: Reached) -> bool {
        match self.0.iter_mut().find(|(known, _)| known == slug) {
            Some((_, Reached::Done)) => false,
            Some((_, before)) if *before == reached => false,
            Some((_, before)) => {
                *before = reached;
                true
            }
            None => {
                self.0.push((slug.to_owned(), reached));
                true
            }
        }
    }
}
