//! The pure half of Fencing Lab: no browser, no clock, no I/O.
//!
//! Dependencies point one way: `sim` sees nothing; `script` sees `sim`; `diagram`, `narration`, `frame`
//! and `gate` see `sim`; `session`, `actions`, `panels` see those; `record` makes films of runs, and
//! `engine` is a run's session behind one function. What a page shows needs only films: `stage` and
//! `course` see `film`; `app` sees those and `link`; `page` sees all of them, and so does `article` (cargo
//! feature `compile`), the lessons for readers without a script.

pub mod actions;
pub mod app;
#[cfg(feature = "compile")]
pub mod article;
pub mod complete;
pub mod course;
pub mod diagram;
pub mod drafts;
pub mod edit;
pub mod embed;
pub mod engine;
pub mod film;
pub mod frame;
pub mod gate;
pub mod html;
pub mod json;
pub mod lesson;
pub mod link;
pub mod menu;
pub mod narration;
pub mod page;
pub mod panels;
pub mod playhead;
pub mod progress;
pub mod record;
pub mod rows;
pub mod script;
pub mod session;
pub mod setup;
pub mod sim;
pub mod stage;
pub mod wire;
