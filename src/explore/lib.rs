//! Bounded exhaustive search: every order of a small configuration, shortest runs first.
//!
//! The model is the protocol of `sim` without time: the end of a lease, the arrival of a late
//! message and the effect of a stalled write are steps like any other, and a client may always be
//! slow. A lease is granted, a value is read and a prompt write is judged in one step; what may be
//! late is a write.
//!
//! Invariants
//! - Equal situations are one state: what can no longer matter within the bounds is cleared.
//! - Properties are judged on steps, by the order of grants, never by comparing tokens.
//! - Every verdict of a path is the verdict of `sim` for its [`counterexample`].
//! - Breadth first, so the first violation is a shortest one. Counts are exact: states are compared
//!   whole, not by their hash. No clock, no randomness, no hash order.
//! - The limit on states is reported when it is reached, never silent.
//!
//! Reading order: `bounds` (what is asked), `model` (states and steps), `judge` (the rule at the
//! write), `packed` (a state in seven words), `search`, `playback` (a path as a scenario), `words`.

mod bounds;
mod judge;
mod model;
mod packed;
mod playback;
mod search;
mod words;

pub use bounds::{BadBound, Bounds, CoordinatorFault, LeaseEnds, Property};
pub use judge::Judged;
pub use model::{Action, How, Model, State, Step};
pub use playback::{StepLine, counterexample, play, rejudged, step_lines};
pub use search::{DEFAULT_MAX_STATES, MAX_STATES, Outcome, Progress, Search};
pub use words::{covered, describe, example, not_covered, title, with_commas};
