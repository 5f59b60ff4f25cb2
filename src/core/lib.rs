//! The pure half of Fencing Lab: no browser, no clock, no I/O.
//!
//! Dependencies point one way: `sim` sees nothing; `script` sees `sim`; `diagram`, `narration`, `frame`
//! and `gate` see `sim`; `session`, `actions`, `panels`, `course` see those; `link` sees what it names; `page` (cargo feature
//! `compile`) sees all of them.

pub mod actions;
pub mod complete;
pub mod course;
pub mod diagram;
pub mod drafts;
pub mod edit;
pub mod embed;
pub mod explore;
pub mod frame;
pub mod gate;
pub mod html;
pub mod json;
pub mod lesson;
pub mod link;
pub mod menu;
pub mod narration;
#[cfg(feature = "compile")]
pub mod page;
pub mod panels;
pub mod progress;
pub mod rows;
pub mod script;
pub mod session;
pub mod setup;
pub mod sim;
