//! A lesson as the app shows it: texts, runs, and where the cursor stands.
//!
//! Invariants
//! - A [`Lesson`] is resolved: whoever shows it needs no event labels, no Markdown and no checking.
//! - No code: all of a lesson comes from one Markdown file. The compiler (`compile`, cargo feature
//!   of the same name) runs at build time and refuses a lesson that its own runs do not bear out.
//! - A [`Stand`] is found by an event's label, never written down as a time or an index.

#[cfg(feature = "compile")]
mod compile;
mod edition;
mod labels;

#[cfg(feature = "compile")]
pub use compile::{
    Complaint, Source, compile, compile_all, compile_folder, edition as edition_of, files, play,
};
pub use edition::{
    Edition, Front, Plates, Reel, WIDTHS, is_plates_file, is_stacked, lesson_file, pair_width,
    plates_file, width_for,
};
pub use labels::{client_verb, labels};

use crate::playhead::Clock;
use crate::sim::Secs;
use serde::Deserialize;
#[cfg(feature = "compile")]
use serde::Serialize;

/// The chapters, in reading order. A lesson names one of them.
pub const CHAPTERS: [&str; 4] = [
    "Why a lease is not enough",
    "The fence",
    "What the fence does not do",
    "Where systems get it wrong",
];

/// What the menu and the home page show of a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// Number, from 1.
    pub number: u32,
    /// Name in addresses and files: lower case letters, digits and `-`.
    pub slug: &'static str,
    /// Title as plain text.
    pub title: &'static str,
    /// Index into [`CHAPTERS`].
    pub chapter: usize,
}

/// A lesson.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Lesson {
    /// Number, from 1.
    pub number: u32,
    /// Name in addresses and files: lower case letters, digits and `-`.
    pub slug: String,
    /// Title as plain text.
    pub title: String,
    /// Index into [`CHAPTERS`].
    pub chapter: usize,
    /// One sentence, as plain text.
    pub summary: String,
    /// The runs; the first is `main`.
    pub runs: Vec<Run>,
    /// What is shown one after the other; at least one.
    pub beats: Vec<Beat>,
    /// The note "Seen in the wild" and the sources, as HTML, for the end of the lesson; may be empty.
    pub notes: String,
}

/// A scenario of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Run {
    /// Name within the lesson.
    pub name: String,
    /// Text in the scenario language, without an error.
    pub text: String,
}

/// One screen of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Beat {
    /// Title as plain text.
    pub title: String,
    /// The prose as HTML of `p`, `strong`, `em`, `code`, `ul`, `ol`, `li`, `blockquote`, `a`, and
    /// `<button type="button" class="ref" data-ref="token:41">` for references into the picture.
    pub html: String,
    /// Where the cursor stands when the beat opens.
    pub stand: Stand,
    /// What is shown side by side: 1, 2 or 4.
    pub panes: Vec<Pane>,
    /// The policies of the switch: none, or at least two.
    pub policies: Vec<String>,
    /// What lies ahead of the cursor is not shown until the learner has acted.
    pub hide: bool,
    /// Which tab of the resource's panel is in front.
    pub view: View,
    /// What the learner is asked to do.
    pub act: Option<Act>,
    /// What the learner is asked first; the act reveals the answer.
    pub predict: Option<Predict>,
    /// Verdicts of several runs.
    pub table: Option<Table>,
}

/// A place in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Stand {
    /// Virtual time.
    pub at_secs: Secs,
    /// How many of the moments of that instant have passed; 0: it has come, and nothing has
    /// happened yet.
    pub nth: usize,
}

impl Stand {
    /// How many of all moments of a run have passed here. A run that has fewer moments at this
    /// instant (side by side with the run that was meant) has passed all of them.
    pub fn moments_passed(self, clock: &Clock) -> usize {
        let before = clock.moments.partition_point(|at| *at < self.at_secs);
        let until = clock.moments.partition_point(|at| *at <= self.at_secs);
        before.saturating_add(self.nth).min(until)
    }
}

/// A run, and the policy it is played under.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Pane {
    /// Index into [`Lesson::runs`].
    pub run: usize,
    /// At every resource; `None`: the scenario's own.
    pub policy: Option<String>,
}

/// See [`Beat::view`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The rule as pseudo-code.
    #[default]
    Gate,
    /// The rule as SQL.
    Sql,
}

/// A button that plays the run up to a place.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Act {
    /// What the learner does, as plain text.
    pub label: String,
    /// Where the cursor stands afterwards.
    pub until: Stand,
}

/// A question about what comes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Predict {
    /// The question as inline HTML.
    pub question: String,
    /// Two to four, exactly one of them right.
    pub choices: Vec<Choice>,
}

/// A possible answer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Choice {
    /// As plain text.
    pub label: String,
    /// What to say to somebody who chose it, as inline HTML.
    pub explain: String,
    /// The simulation says so.
    pub right: bool,
    /// What the choice says, in the words of expectations: `rejected because stale`.
    pub said: String,
}

/// Verdicts in rows and columns.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Table {
    /// As plain text.
    pub caption: String,
    /// Heads of the columns of cells, as plain text.
    pub columns: Vec<String>,
    /// Head (plain text) and cells of each row, as many as there are columns.
    pub rows: Vec<(String, Vec<Cell>)>,
}

/// A verdict of the simulation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Cell {
    /// As plain text.
    pub text: String,
    /// For its look.
    pub kind: CellKind,
}

/// See [`Cell::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub enum CellKind {
    /// Accepted or committed, and nothing is wrong with that.
    Accepted,
    /// Rejected or not committed, and nothing is wrong with that.
    Rejected,
    /// Known already.
    Duplicate,
    /// A verdict that an observer calls a failure.
    Failure,
    /// Another answer.
    Other,
}
