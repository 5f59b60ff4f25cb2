//! About the project: what it teaches, the keys, accessibility.

use super::app::TopBar;
use super::browser;
use leptos::prelude::*;

/// Keys of the player, and what they do while the focus is inside it.
pub const KEYS: &[(&str, &str)] = &[
    ("← →", "previous, next event"),
    ("Home, End", "first, last event"),
    ("Space, K", "play or pause"),
    ("U, R", "undo, redo an edit of your own run"),
    ("?", "this list"),
];

/// The page.
#[component]
pub fn Docs() -> impl IntoView {
    browser::set_title("About Fencing Lab");
    let rows = KEYS
        .iter()
        .map(|(keys, what)| view! { <li><kbd>{*keys}</kbd><span>{*what}</span></li> })
        .collect_view();
    view! {
        <TopBar />
        <main class="docs">
            <h1>"About Fencing Lab"</h1>
            <p>"A lease is a promise for a time. A client that is paused, or a packet that is slow, can outlive that promise. A fencing token is the number of one grant; a resource that remembers the greatest number it has accepted can refuse effects of a grant that has been superseded, once it has seen the newer one."</p>
            <p>"Every picture here is drawn from an exact, deterministic simulation. Verdicts that a lesson states are computed by its own run, and checked when the app is built."</p>
            <h2>"Keys"</h2>
            <p>"They work while the focus is inside the player."</p>
            <ul class="kbd-help">{rows}</ul>
            <h2>"Accessibility"</h2>
            <p>"The transcript below each picture says in sentences all that the picture shows; the newest sentence is announced when the run comes to rest. Every control works by keyboard, the time axis is a slider, and nothing is told by colour alone: accepted is a circle with a check, rejected a square with a cross, a wrong belief is dashed. With reduced motion the cursor jumps from event to event. The aim is WCAG 2.2, level AA."</p>
        </main>
    }
}
