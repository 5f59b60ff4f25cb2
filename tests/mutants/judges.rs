//! The tests that judge the simulation and the language, in one program.

#[path = "../cases.rs"]
mod cases;
#[path = "../language.rs"]
mod language;
#[path = "../simulation.rs"]
mod simulation;
