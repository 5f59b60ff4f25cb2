//! Icons as views. Those that pages of the app have too are the same.

pub use crate::page::parts::{
    DOWN, FIRST, Icon, LAST, MOON, NEXT, PAUSE, PLAY, PREVIOUS, REDO, RIGHT, SUN, UNDO,
};

use crate::page::parts::outline;
use leptos::prelude::*;

/// Sends a link.
pub const LINK: Icon = outline(
    "M8.5 11.5l3-3M9 6.5l1.2-1.2a3.2 3.2 0 0 1 4.5 4.5l-1.2 1.2M11 13.5l-1.2 1.2a3.2 3.2 0 0 1-4.5-4.5L6.5 9",
);
/// Saves a file.
pub const EXPORT: Icon = outline("M10 4v8M6.5 9l3.5 3.5L13.5 9M4.5 16h11");

/// Draws an icon.
pub fn icon(icon: Icon) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d=icon.path class:fill=icon.solid />
        </svg>
    }
}
