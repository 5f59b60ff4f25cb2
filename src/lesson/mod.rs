//! The lessons of this app, compiled from `lessons/*.md` by the build script.
//!
//! The menu and the home page need only [`CARDS`], which are part of the app. A lesson itself is
//! fetched when it is opened, from `lessons/SLUG.bin`; `xtask` writes these files into `dist/`.

pub use fencing_core::lesson::*;

include!(concat!(env!("OUT_DIR"), "/lessons.rs"));
