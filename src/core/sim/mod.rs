//! The protocol: `run` plays a scenario and returns all that happened.
//!
//! Invariants
//! - Same scenario, equal trace: no clock, no randomness, no floats, no hash order, no I/O.
//! - Total: a step that cannot happen is left out and reported, and the rest runs. Work is bounded
//!   by the number of steps; each message makes at most one answer.
//! - Tokens minted by a healthy coordinator strictly increase in grant order; a fenced mark never falls.
//! - Anomalies are judged by the order of grants, never by comparing tokens.
//! - The trace up to a moment does not depend on later steps.
//!
//! Reading order: [`scenario`](Scenario) (input), [`trace`](Trace) (output), `world` (time and
//! messages), `perform` (steps), `deliver` (arrivals), `coordinator`, `client`, `resource` (the rule
//! at the write), `anomaly` (the observer), `spans`, `outcome` (what the script expected).

mod anomaly;
mod client;
mod coordinator;
mod deliver;
mod outcome;
mod perform;
mod resource;
mod scenario;
mod set;
mod spans;
pub(crate) mod text;
mod trace;
mod world;

pub use outcome::*;
pub use scenario::*;
pub use set::{EnumSet, Listed};
pub use trace::*;
pub use world::TAIL_SECS;

/// Plays a scenario under its own policies.
pub fn run(scenario: &Scenario) -> Trace {
    world::World::new(scenario, None).run()
}

/// Plays a scenario with one policy at every resource; `becomes` does nothing (`expect POLICY`).
pub fn run_under(scenario: &Scenario, policy: &Policy) -> Trace {
    world::World::new(scenario, Some(policy)).run()
}
