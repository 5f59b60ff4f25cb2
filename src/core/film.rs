//! A run, recorded under one policy: all that a player shows of it. Showing a film needs no
//! simulation, so that a page can be read before the program that runs scenarios is there.
//!
//! Invariants
//! - A film is computed (see `record`), never written: it says what the run says, word for word.
//! - A film does not depend on the cursor; what passes between two moments (what is left of a
//!   lease) is filled in by [`fill`].

use crate::diagram::{Axis, Density, Flight, Orientation, Plot};
use crate::lesson::{WIDTHS, width_for};
use crate::playhead::{Clock, Cursor};
use crate::sim::{Answer, Token};
use serde::{Deserialize, Serialize};

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Film {
    /// The scenario's title.
    pub title: String,
    /// The policy of the first resource, as the language writes it; empty without a resource.
    pub policy: String,
    /// When the moments are.
    pub clock: Clock,
    /// Number of steps of the scenario.
    pub steps: usize,
    /// The accessible name of the picture, before and after the time.
    pub label: (String, String),
    /// One for each number of passed moments, from 0 to all.
    pub stills: Vec<Still>,
    /// The texts that stills share.
    pub texts: Vec<String>,
    /// What resources decided, in order.
    pub rulings: Vec<Ruling>,
    /// Where each event with a name has just happened: the name and the number of passed moments.
    pub events: Vec<(String, usize)>,
    /// Names of clients and resources, to colour and to light up.
    pub clients: Vec<String>,
    /// The names of writes in the order of the text.
    pub writes: Vec<String>,
    /// What is wrong with the text, if anything.
    pub fault: Option<Fault>,
    /// How high its recorded pictures are.
    pub heights: Vec<Heights>,
}

/// How high the pictures of a film are that were recorded for one purpose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heights {
    /// What they are for.
    pub density: Density,
    /// In px, for each of [`crate::lesson::WIDTHS`].
    pub px: Vec<u64>,
}

/// What is to be seen when some moments have passed. Texts are indices into [`Film::texts`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Still {
    /// What happened at the last moment, as a sentence; empty at the start.
    pub said: usize,
    /// Something of the last moment is a rejection, or a write that should not have been accepted.
    pub loud: bool,
    /// Whether the run has kept its promise so far, in words.
    pub badge: usize,
    /// It has not.
    pub broken: bool,
    /// The panels of coordinator and clients, as markup for [`fill`].
    pub parties: usize,
    /// The panels of the resources with the rule as pseudo-code, as markup.
    pub gate: usize,
    /// The same with the rule as SQL.
    pub sql: usize,
    /// The line of the text that was carried out last, from 1; 0: none.
    pub line: usize,
}

/// A decision of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// Index of its moment.
    pub moment: usize,
    /// The name of the write; empty if it has none.
    pub write: String,
    /// What was decided.
    pub answer: Answer,
    /// The outcome in a few words: `accepted (stale)`.
    pub outcome: String,
    /// Why, in the word of the language; empty where nothing was refused.
    pub reason: String,
    /// The token that the write carried.
    pub token: Carried,
    /// The mark that it was compared with.
    pub mark: Token,
    /// What an observer sees wrong with it, in words of the language, joined by commas.
    pub anomalies: String,
    /// The policy that decided, as the language writes it.
    pub policy: String,
}

/// The token of a write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Carried {
    /// There was none.
    None,
    /// A number.
    Number(Token),
    /// Something else.
    Text(String),
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// As a sentence without a full stop.
    pub text: String,
}

/// A picture of a run: markup in layers, and what the cursor needs to move in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// What it was drawn for.
    pub density: Density,
    /// In px.
    pub width: f64,
    /// In px.
    pub height: f64,
    /// Which way time runs.
    pub orientation: Orientation,
    /// What does not depend on time, as markup.
    pub ground: String,
    /// Below the veil of the future, in the order of their moments.
    pub bars: Vec<Piece>,
    /// Above the veil, in the order of their moments.
    pub marks: Vec<Piece>,
    /// Dots in flight.
    pub flights: Vec<Flight>,
    /// Time to px.
    pub axis: Axis,
    /// Where time runs.
    pub plot: Plot,
    /// Instants whose messages are fanned out: when, and where the fan ends.
    pub fans: Vec<(f64, f64)>,
}

/// Markup that appears at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Index of the moment at which it appears; their number: never in the past.
    pub moment: usize,
    /// What prose calls it, as in `data-ref`: `client:A`, `token:41`.
    pub names: Vec<String>,
    /// The attributes of its group, with a space before each.
    pub attributes: String,
    /// What is in the group.
    pub markup: String,
}

impl Film {
    /// How high its recorded picture is in so many px of room, in px; 0 if that is not known.
    pub fn height(&self, density: Density, room: f64) -> f64 {
        let wanted = width_for(room);
        let found = self.heights.iter().find(|one| one.density == density);
        let px = found.and_then(|one| one.px.get(WIDTHS.iter().position(|w| *w == wanted)?));
        px.map_or(0.0, |px| *px as f64)
    }

    /// What is to be seen when so many moments have passed.
    pub fn still(&self, passed: usize) -> Still {
        let last = self.stills.len().saturating_sub(1);
        self.stills
            .get(passed.min(last))
            .copied()
            .unwrap_or_default()
    }

    /// A text of a still.
    pub fn text(&self, index: usize) -> &str {
        self.texts.get(index).map_or("", String::as_str)
    }

    /// The sentence about the last of `passed` moments.
    pub fn said(&self, passed: usize) -> &str {
        self.text(self.still(passed).said)
    }

    /// The accessible name of the picture at a time.
    pub fn label_at(&self, now_ms: u64) -> String {
        [&self.label.0, &*tenths(now_ms), &self.label.1].concat()
    }

    /// The panels of coordinator and clients.
    pub fn parties(&self, cursor: Cursor) -> String {
        let markup = self.text(self.still(cursor.passed).parties);
        fill(markup, cursor.now_ms)
    }

    /// How many moments have passed when the event of this name has just happened. The bare name
    /// of a write means its verdict, or the last thing that became of it.
    pub fn passed_after(&self, event: &str) -> Option<usize> {
        let named = |name: &str| {
            let found = self.events.iter().find(|(known, _)| known == name);
            found.map(|(_, passed)| *passed)
        };
        named(event).or_else(|| {
            ["judged", "arrives", "lost", "sent"]
                .iter()
                .find_map(|verb| named(&[event, " ", verb].concat()))
        })
    }
}

impl Piece {
    /// The piece as a `<g>` with these classes beside its own.
    pub fn group(&self, classes: &str) -> String {
        let space = if classes.is_empty() { "" } else { " " };
        let (attributes, markup) = (&*self.attributes, &*self.markup);
        [
            "<g class=\"it",
            space,
            classes,
            "\"",
            attributes,
            ">",
            markup,
            "</g>",
        ]
        .concat()
    }
}

impl Picture {
    /// Where the playhead stands along time, past the fan of an instant that it has reached.
    pub fn playhead(&self, at_secs: f64) -> f64 {
        let here = self.axis.position(at_secs);
        let reached = self.fans.partition_point(|fan| fan.0 <= at_secs);
        match reached.checked_sub(1).and_then(|last| self.fans.get(last)) {
            Some(fan) => here.max(fan.1),
            None => here,
        }
    }

    /// Where the dot of `flight` is, if it flies then.
    pub fn dot(&self, flight: &Flight, at_secs: f64) -> Option<(f64, f64)> {
        if at_secs <= flight.from_secs || at_secs >= flight.to_secs {
            return None;
        }
        let (from, to) = match self.orientation {
            Orientation::Horizontal => (flight.x1, flight.x2),
            Orientation::Vertical => (flight.y1, flight.y2),
        };
        let part = if to > from {
            ((self.axis.position(at_secs) - from) / (to - from)).clamp(0.0, 1.0)
        } else {
            0.5
        };
        Some((
            flight.x1 + (flight.x2 - flight.x1) * part,
            flight.y1 + (flight.y2 - flight.y1) * part,
        ))
    }

    /// Share of the axis, 0 to 1, at a time.
    pub fn share(&self, at_secs: f64) -> f64 {
        self.axis.share(at_secs)
    }

    /// The time in virtual milliseconds at a share of the axis: the inverse of [`Picture::share`].
    pub fn time_at(&self, share: f64) -> u64 {
        self.axis.millis_at(share)
    }
}

/// `12.3`.
pub fn tenths(ms: u64) -> String {
    [
        &*(ms / 1000).to_string(),
        ".",
        &*(ms % 1000 / 100).to_string(),
    ]
    .concat()
}

/// Begins what [`fill`] replaces. What a user can write has no such character: texts and names
/// of the language have none below a space.
const GAP: char = '\u{1}';
/// Ends it.
const GAP_END: char = '\u{2}';

/// Text in a panel that runs on between two moments.
#[derive(Clone, Copy, Debug)]
pub enum Gap {
    /// Seconds left with one decimal.
    Left,
    /// Whole seconds left, at most the second number.
    WholeLeft,
    /// What is left of so many milliseconds, in percent.
    Share,
}

impl Gap {
    /// The text for [`fill`]: `until_ms` is when nothing is left.
    pub fn text(self, until_ms: u64, other: u64) -> String {
        let kind = ["0", "1", "2"][self as usize];
        let mut out = String::from(GAP);
        for part in [kind, ":", &until_ms.to_string(), ":", &other.to_string()] {
            out.push_str(part);
        }
        out.push(GAP_END);
        out
    }
}

/// The markup with its gaps filled as of `now_ms`.
pub fn fill(markup: &str, now_ms: u64) -> String {
    let mut parts = markup.split(GAP);
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (gap, rest) = part.split_once(GAP_END).unwrap_or((part, ""));
        let mut numbers = gap.split(':').map(|n| n.parse::<u64>().unwrap_or(0));
        let mut number = || numbers.next().unwrap_or(0);
        let (kind, until_ms, other) = (number(), number(), number());
        let left_ms = until_ms.saturating_sub(now_ms);
        out.push_str(&match kind {
            0 => tenths(left_ms),
            1 => (left_ms / 1000).min(other).to_string(),
            _ => (left_ms.saturating_mul(100) / other.max(1))
                .min(100)
                .to_string(),
        });
        out.push_str(rest);
    }
    out
}
