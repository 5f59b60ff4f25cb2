//! Fencing Lab: why a lease is not a lock, and what a fencing token does.
//!
//! Reading order: [`sim`] (the protocol), [`script`] (the language), [`session`] (a learner's
//! state), [`diagram`], [`narration`], [`frame`] and [`gate`] (what is shown of a run), then the view
//! (wasm only). All but the view lives in the package `fencing-core` and runs natively.

pub mod lesson;

pub use fencing_core::*;
pub use fencing_explore as explore;

#[cfg(target_arch = "wasm32")]
pub mod view;
