//! Buttons, icons and other small pieces of markup that several pages have.

use crate::html::Html;

/// The outline of an icon on a 20 px grid. All are decoration: their buttons carry the names.
#[derive(Clone, Copy)]
pub struct Icon {
    /// The `d` attribute of its path.
    pub path: &'static str,
    /// It is filled instead of drawn along.
    pub solid: bool,
}

/// An icon that is drawn along its path.
pub const fn outline(path: &'static str) -> Icon {
    Icon { path, solid: false }
}

const fn solid(path: &'static str) -> Icon {
    Icon { path, solid: true }
}

/// Opens downwards.
pub const DOWN: Icon = outline("M6 8l4 4 4-4");
/// On.
pub const RIGHT: Icon = outline("M8 6l4 4-4 4");
/// Back.
pub const LEFT: Icon = outline("M12 6l-4 4 4 4");
/// Done.
pub const CHECK: Icon = outline("M5 10.5l3.2 3.2L15 6.8");
/// The dark theme.
pub const MOON: Icon = outline("M16 11.8A6.5 6.5 0 0 1 8.2 4a6.5 6.5 0 1 0 7.8 7.8z");
/// The light theme.
pub const SUN: Icon = outline(
    "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2.5v1M10 16.5v1M2.5 10h1M16.5 10h1M4.7 4.7l.7.7M14.6 14.6l.7.7M4.7 15.3l.7-.7M14.6 5.4l.7-.7",
);
/// To the start.
pub const FIRST: Icon = solid("M5 5v10M15 5v10l-7-5z");
/// One event back.
pub const PREVIOUS: Icon = solid("M15 5v10M12 5v10l-7-5z");
/// Plays.
pub const PLAY: Icon = solid("M7 4.5v11l9-5.5z");
/// Stops.
pub const PAUSE: Icon = solid("M6 4.5h2.5v11H6zM11.5 4.5H14v11h-2.5z");
/// One event on.
pub const NEXT: Icon = solid("M5 5v10M8 5v10l7-5z");
/// To the end.
pub const LAST: Icon = solid("M15 5v10M5 5v10l7-5z");
/// Takes back.
pub const UNDO: Icon = outline("M7.5 4L4 7.5 7.5 11M4 7.5h7.5a4.3 4.3 0 0 1 0 8.5H8");
/// Does again.
pub const REDO: Icon = outline("M12.5 4L16 7.5 12.5 11M16 7.5H8.5a4.3 4.3 0 0 0 0 8.5H12");
/// Opens elsewhere.
pub const OPEN: Icon = outline("M6 14l8-8M8 6h6v6");

/// Appends an icon.
#[inline(never)]
pub fn icon(out: &mut Html, icon: Icon) {
    out.raw("<svg class=\"icon\" viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"")
        .raw(icon.path)
        .raw(if icon.solid {
            "\" class=\"fill\"/></svg>"
        } else {
            "\"/></svg>"
        });
}

/// A button. What is not said is empty.
#[derive(Clone, Copy, Default)]
pub struct Button<'a> {
    /// What it does, see [`crate::app::Do::parse`].
    pub does: &'a str,
    /// Classes.
    pub class: &'a str,
    /// Its name, where what it shows is not its name.
    pub name: &'a str,
    /// What it shows.
    pub text: &'a str,
    /// Before the text.
    pub icon: Option<Icon>,
    /// There is nothing to do; it stays focusable.
    pub idle: bool,
    /// More attributes, with a space before each.
    pub more: &'a str,
}

/// Appends a button.
#[inline(never)]
pub fn button(out: &mut Html, button: Button) {
    out.raw("<button type=\"button\"")
        .attribute("class", button.class)
        .attribute("data-do", button.does);
    if !button.name.is_empty() {
        out.attribute("aria-label", button.name);
    }
    if button.idle {
        out.raw(" aria-disabled=\"true\"");
    }
    out.raw(button.more).raw(">");
    if let Some(symbol) = button.icon {
        icon(out, symbol);
    }
    out.text(button.text).close("button");
}

/// A notice with a button.
pub fn notice(out: &mut Html, text: &str, button_text: &str, does: &str) {
    out.raw("<p class=\"notice\" role=\"status\">")
        .element("span", "", text);
    button(
        out,
        Button {
            does,
            class: "btn",
            text: button_text,
            ..Button::default()
        },
    );
    out.close("p");
}
