//! The simulation and the language alone, for `cargo mutants`: a change to them is compiled and judged
//! in seconds. The folders are links to those of the core.

pub mod script;
pub mod sim;
