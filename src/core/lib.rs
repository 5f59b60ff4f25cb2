//! The pure half of Fencing Lab.
pub mod diagram;
pub mod script;
pub mod session;
pub mod sim;
pub mod explore;
pub mod frame;
pub mod narration;
pub mod gate;
pub mod lesson;
pub mod actions;
pub mod course;
pub mod link;
pub mod progress;
