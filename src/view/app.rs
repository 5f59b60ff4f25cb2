//! The page: bar at the top, and below it what the address says.

use super::browser::{self, Listener};
use super::builder::Builder;
use super::docs::Docs;
use super::embed::Embed;
use super::home::Home;
use super::icons::{self, icon, logo};
use super::lesson::LessonPage;
use super::play::Play;
use crate::embed;
use crate::lesson::CARDS;
use crate::link::{self, Link, Page};
use crate::progress::Progress;
use leptos::prelude::*;

/// What every page can reach.
#[derive(Clone, Copy)]
pub struct Shell {
    /// The address, understood. Changes only when the reader goes somewhere, not with each step.
    pub link: RwSignal<Link>,
    /// What the reader should know: damaged addresses, blocked storage.
    pub notices: RwSignal<Vec<String>>,
    /// How far lessons were read.
    pub progress: RwSignal<Progress>,
    /// Light or dark, instead of what the system says.
    dark: RwSignal<bool>,
}

/// Puts the app, or an embed, into the page.
pub fn start() {
    if embed::is_asked_for(&browser::query()) {
        leptos::mount::mount_to_body(Embed);
    } else {
        leptos::mount::mount_to_body(App);
    }
}

/// The shell of the page.
pub fn shell() -> Shell {
    expect_context::<Shell>()
}

impl Shell {
    fn new() -> Self {
        let (link, notices) = link::parse(&browser::fragment());
        let system_dark = browser::matches_media("(prefers-color-scheme: dark)");
        let theme = browser::load("theme").filter(|theme| theme == "dark" || theme == "light");
        browser::set_root_attribute("data-theme", theme.as_deref());
        Shell {
            link: RwSignal::new(link),
            notices: RwSignal::new(notices),
            progress: RwSignal::new(Progress::parse(
                &browser::load("progress").unwrap_or_default(),
            )),
            dark: RwSignal::new(theme.map_or(system_dark, |theme| theme == "dark")),
        }
    }

    /// Reads the address again.
    fn follow_address(self) {
        let (link, notices) = link::parse(&browser::fragment());
        self.notices.set(notices);
        self.link.set(link);
    }

    /// Remembers progress, here and where the browser lets us.
    pub fn remember(self, change: impl FnOnce(&mut Progress)) {
        self.progress.update(change);
        browser::store("progress", &self.progress.with_untracked(Progress::print));
    }

    fn flip_theme(self) {
        self.dark.update(|dark| *dark = !*dark);
        let theme = if self.dark.get_untracked() {
            "dark"
        } else {
            "light"
        };
        browser::set_root_attribute("data-theme", Some(theme));
        browser::store("theme", theme);
    }
}

#[component]
fn App() -> impl IntoView {
    let shell = Shell::new();
    provide_context(shell);
    let listeners: StoredValue<[Listener; 2], LocalStorage> =
        StoredValue::new_local(browser::watch_address(move || shell.follow_address()));
    on_cleanup(move || listeners.dispose());
    // A lesson's beats are its own business: the page is built anew only for another lesson.
    let page = Memo::new(move |_| match shell.link.get().page {
        Page::Lesson { slug, .. } => Page::Lesson { slug, beat: 0 },
        other => other,
    });
    view! {
        {defs()}
        {move || match page.get() {
            Page::Lesson { slug, .. } if CARDS.iter().any(|card| card.slug == slug) => {
                view! { <LessonPage slug /> }.into_any()
            }
            Page::Lesson { slug, .. } => {
                shell.notices.set(vec![["There is no lesson “", &slug, "”. These are all lessons."].concat()]);
                view! { <Home /> }.into_any()
            }
            Page::Play => view! { <Play /> }.into_any(),
            Page::Embed => view! { <Builder /> }.into_any(),
            Page::Docs => view! { <Docs /> }.into_any(),
            _ => view! { <Home /> }.into_any(),
        }}
    }
}

/// What pictures refer to: there is one of each on a page.
pub fn defs() -> impl IntoView {
    view! {
        <svg width="0" height="0" aria-hidden="true" class="defs">
            <defs>
                <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <path d="M0 0V6" class="hatch" />
                </pattern>
            </defs>
        </svg>
    }
}

/// The bar at the top; `children` stand beside the brand.
#[component]
pub fn TopBar(#[prop(optional)] children: Option<Children>) -> impl IntoView {
    let shell = shell();
    let name = move || {
        if shell.dark.get() {
            "Switch to the light theme"
        } else {
            "Switch to the dark theme"
        }
    };
    let is_home = move || matches!(shell.link.get().page, Page::Home).then_some("page");
    let is_embed = move || matches!(shell.link.get().page, Page::Embed).then_some("page");
    let is_docs = move || matches!(shell.link.get().page, Page::Docs).then_some("page");
    view! {
        <header class="topbar">
            <a class="brand" href="#/" aria-label="Fencing Lab, all lessons">{logo()}<span aria-hidden="true">"Fencing Lab"</span></a>
            {children.map(|children| children())}
            <nav class="nav" aria-label="Main">
                <a href="#/" aria-current=is_home>"Lessons"</a>
                <a href="lab.html">"Lab"</a>
                <a href="#/embed" aria-current=is_embed>"Embed"</a>
                <a href="#/docs" aria-current=is_docs>"About"</a>
            </nav>
            <button type="button" class="icon-btn" aria-label=name on:click=move |_| shell.flip_theme()>
                {move || icon(if shell.dark.get() { icons::SUN } else { icons::MOON })}
            </button>
        </header>
        {move || shell.notices.get().into_iter().map(|text| view! {
            <p class="notice" role="status">
                <span>{text}</span>
                <button type="button" class="btn" on:click=move |_| shell.notices.set(Vec::new())>"Dismiss"</button>
            </p>
        }).collect_view()}
    }
}
