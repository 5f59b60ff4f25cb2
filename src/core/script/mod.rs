//! The scenario language (`.fence`): text to [`Scenario`] and back.
//!
//! Invariants:
//! - [`parse`] is total: any text gives a scenario and located errors, never a panic.
//! - parse ∘ print is the identity on every scenario that [`parse`] yields.
//! - A line is the unit of recovery: at most one error a line, and no line hides another. A line
//!   that only depends on a broken one is left out without an error of its own.
//! - The work is bounded by the named limits below; exceeding one is an error at its place.
//!
//! Reading order: `lexer` (a line to tokens), `cursor` (what each rule reads from), `names` (what
//! is declared), `parser` (which line is what), `header`, `step`, `modifier`, `outcome` (the rules),
//! `printer` (the way back), `error` and `words` beside them.

mod cursor;
mod error;
mod header;
mod lexer;
mod modifier;
mod names;
mod outcome;
mod parser;
mod printer;
mod step;
mod words;

pub use error::{Hint, SyntaxError};
pub use lexer::{Lexeme, LexemeKind, tokens};
pub use outcome::{WRITE_ANSWERS, parse_policy};
pub use parser::parse;
pub use printer::{print, print_outcome, print_step};

use crate::sim::Scenario;

/// Greatest size of a text, in bytes of UTF-8; what comes after is not read.
pub const MAX_TEXT_BYTES: usize = 262_144;
/// At most this many steps; lines after the step too many are not read.
pub const MAX_STEPS: usize = 10_000;
/// At most this many `expect` lines; lines after the one too many are not read.
pub const MAX_EXPECTS: usize = 1_000;
/// At most this many leases in a scenario.
pub const MAX_LEASES: usize = 32;
/// At most this many external systems in a scenario.
pub const MAX_EXTERNALS: usize = 32;
/// At most this many replicas of one resource.
pub const MAX_REPLICAS: usize = 9;
/// After this many errors one more says how many lines were not judged.
pub const MAX_ERRORS: usize = 100;

/// Result of parsing: always a scenario (lines with an error are left out) and all errors.
///
/// A `lease`, `resource`, `clients` or `external` line with an error still declares what could be
/// read of it before the error, so that the lines that use its names are judged all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// What the text says, defaults filled in. It is all of the text iff there is no error.
    pub scenario: Scenario,
    /// Where steps and `expect` lines stand.
    pub lines: LineMap,
    /// At most one a line, in line order.
    pub errors: Vec<SyntaxError>,
}

/// Where the parts of a scenario stand in the text. Lines count from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineMap {
    /// The line of each of [`Scenario::steps`].
    pub steps: Vec<usize>,
    /// The line of each of [`Scenario::expects`].
    pub expects: Vec<usize>,
}
