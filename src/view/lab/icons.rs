//! Icons. All are decoration: their buttons carry the names.

use leptos::prelude::*;

/// The outline of an icon on a 20 px grid; `fill` paths are solid.
#[derive(Clone, Copy)]
pub struct Icon {
    path: &'static str,
    fill: bool,
}

const fn outline(path: &'static str) -> Icon {
    Icon { path, fill: false }
}

const fn solid(path: &'static str) -> Icon {
    Icon { path, fill: true }
}

pub const DOWN: Icon = outline("M6 8l4 4 4-4");
pub const RIGHT: Icon = outline("M8 6l4 4-4 4");
pub const MOON: Icon = outline("M16 11.8A6.5 6.5 0 0 1 8.2 4a6.5 6.5 0 1 0 7.8 7.8z");
pub const SUN: Icon = outline(
    "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2.5v1M10 16.5v1M2.5 10h1M16.5 10h1M4.7 4.7l.7.7M14.6 14.6l.7.7M4.7 15.3l.7-.7M14.6 5.4l.7-.7",
);
pub const FIRST: Icon = solid("M5 5v10M15 5v10l-7-5z");
pub const PREVIOUS: Icon = solid("M15 5v10M12 5v10l-7-5z");
pub const PLAY: Icon = solid("M7 4.5v11l9-5.5z");
pub const PAUSE: Icon = solid("M6 4.5h2.5v11H6zM11.5 4.5H14v11h-2.5z");
pub const NEXT: Icon = solid("M5 5v10M8 5v10l7-5z");
pub const LAST: Icon = solid("M15 5v10M5 5v10l7-5z");
pub const UNDO: Icon = outline("M7.5 4L4 7.5 7.5 11M4 7.5h7.5a4.3 4.3 0 0 1 0 8.5H8");
pub const REDO: Icon = outline("M12.5 4L16 7.5 12.5 11M16 7.5H8.5a4.3 4.3 0 0 0 0 8.5H12");
pub const LINK: Icon = outline(
    "M8.5 11.5l3-3M9 6.5l1.2-1.2a3.2 3.2 0 0 1 4.5 4.5l-1.2 1.2M11 13.5l-1.2 1.2a3.2 3.2 0 0 1-4.5-4.5L6.5 9",
);
pub const EXPORT: Icon = outline("M10 4v8M6.5 9l3.5 3.5L13.5 9M4.5 16h11");

/// Draws an icon.
pub fn icon(icon: Icon) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d=icon.path class:fill=icon.fill />
        </svg>
    }
}

/// The mark of the project.
pub fn logo() -> impl IntoView {
    view! {
        <svg viewBox="0 0 22 22" width="22" height="22" aria-hidden="true">
            <path d="M2 17h6v-6h6V5h6" class="mark" />
            <rect x="14" y="13" width="6" height="6" rx="1.5" class="v-no" />
        </svg>
    }
}
