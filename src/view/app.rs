//! The page: bar at the top, and what the address says below.

use super::actions::Actions;
use super::icons::{icon, logo};
use super::player::Player;
use super::stage::{Stage, StageOptions};
use super::{browser, icons};
use crate::diagram::Density;
use crate::session::Session;
use crate::sim::{Base, Policy};
use leptos::prelude::*;

const STORY: &str = include_str!("../../tests/cases/two-clients-41-42.fence");

/// Puts the app into the page.
pub fn start() {
    leptos::mount::mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    let player = Player::new(Session::new(STORY.to_owned()));
    let policies = [Base::Unfenced, Base::CheckThenWrite, Base::Fenced].map(Policy::of);
    let options = StageOptions {
        hide: Signal::stored(false),
        lit: Signal::stored(None),
        policies: Signal::stored(policies.to_vec()),
        density: Density::Full,
    };
    view! {
        <svg width="0" height="0" aria-hidden="true" class="defs">
            <defs>
                <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <path d="M0 0V6" class="hatch" />
                </pattern>
            </defs>
        </svg>
        <header class="topbar">
            <a class="brand" href="#">{logo()}<span>"Fencing Lab"</span></a>
            <ThemeButton />
        </header>
        <main>
            <Stage player options>
                <Actions player />
            </Stage>
        </main>
    }
}

/// Light or dark, instead of what the system says.
#[component]
fn ThemeButton() -> impl IntoView {
    let system_dark = browser::matches_media("(prefers-color-scheme: dark)");
    let stored = browser::load("theme");
    let dark = RwSignal::new(stored.map_or(system_dark, |theme| theme == "dark"));
    let flip = move |_| {
        dark.update(|dark| *dark = !*dark);
        let theme = if dark.get() { "dark" } else { "light" };
        browser::set_root_attribute("data-theme", Some(theme));
        browser::store("theme", theme);
    };
    let name = move || if dark.get() { "Switch to the light theme" } else { "Switch to the dark theme" };
    view! {
        <button type="button" class="icon-btn" aria-label=name on:click=flip>
            {move || icon(if dark.get() { icons::SUN } else { icons::MOON })}
        </button>
    }
}
