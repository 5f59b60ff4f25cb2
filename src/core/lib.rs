//! The pure half of Fencing Lab.
pub mod script;
pub mod session;
pub mod sim;
pub mod frame;
pub mod narration;
