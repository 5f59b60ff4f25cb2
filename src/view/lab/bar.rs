//! The bar at the top: the document, undo and redo, links, exports, the way out.

use super::icons::{self, Icon, icon};
use super::player::Player;
use super::{Lab, gallery};
use crate::diagram::{self, Density, Theme};
use crate::drafts::{self, Drafts};
use crate::html::Html;
use crate::json;
use crate::lesson::{CARDS, SCENARIOS};
use crate::narration;
use crate::page::LOGO;
use crate::script;
use crate::session::{Intent, Session};
use crate::view::browser;
use leptos::ev::{Event, MouseEvent};
use leptos::prelude::*;

/// Pictures are exported so wide, in px.
const PICTURE_PX: f64 = 960.0;

/// The bar.
pub fn bar(lab: Lab) -> impl IntoView {
    view! {
        <header class="topbar">
            {brand()}
            {documents(lab)}
            <div class="tools" role="group" aria-label="Edit and share">
                <History player=lab.player />
                {share(lab)}
                {export(lab)}
            </div>
            {pages(lab)}
        </header>
    }
}

/// The bar without a document.
pub fn plain(lab: Lab) -> impl IntoView {
    view! {
        <header class="topbar">
            {brand()}
            {pages(lab)}
        </header>
    }
}

fn brand() -> impl IntoView {
    let inside = [LOGO, "<span aria-hidden=\"true\">Fencing Lab</span>"].concat();
    view! { <a class="brand" href="./#/" aria-label="Fencing Lab, all lessons" inner_html=inside></a> }
}

/// The other pages, and the theme.
fn pages(lab: Lab) -> impl IntoView {
    let theme = move || {
        if lab.dark.get() {
            "Switch to the light theme"
        } else {
            "Switch to the dark theme"
        }
    };
    let here = move |embedding: bool| (lab.embedding.get() == embedding).then_some("page");
    view! {
        <nav class="nav" aria-label="Main">
            <a href="./#/">"Lessons"</a>
            <a href="lab.html#/lab" aria-current=move || here(false)>"Lab"</a>
            <a href="lab.html#/embed" aria-current=move || here(true)>"Embed"</a>
            <a href="./#/docs">"About"</a>
        </nav>
        <button type="button" class="icon-btn" aria-label=theme on:click=move |_| lab.flip_theme()>
            {move || icon(if lab.dark.get() { icons::SUN } else { icons::MOON })}
        </button>
    }
}

/// A row of a menu.
fn row(out: &mut Html, does: &str, label: &str, note: &str) {
    out.raw("<li><button type=\"button\" data-do=\"")
        .text(does)
        .raw("\"><span>")
        .text(label)
        .raw("</span>");
    out.element("small", "", note).raw("</button></li>");
}

/// A group of rows that unfolds.
fn fold(out: &mut Html, label: &str, note: &str, rows: impl FnOnce(&mut Html)) {
    out.raw("<li><details class=\"fold\"><summary><span>")
        .text(label)
        .raw("</span>")
        .element("small", "", note);
    out.raw("</summary><ul>");
    rows(out);
    out.raw("</ul></details></li>");
}

/// New, open, lessons, gallery, drafts.
fn documents(lab: Lab) -> impl IntoView {
    let markup = RwSignal::new(String::new());
    // Drafts change with each edit; they are read when the menu opens.
    let open = move |_| markup.set(documents_markup());
    let press = move |event: MouseEvent| {
        let Some(does) = browser::data_near(&event, "data-do") else {
            return;
        };
        if let Some(text) = document(lab, &does) {
            lab.open(text);
            browser::close_menus(None);
        }
    };
    let chosen = move |event: Event| {
        read(lab, browser::file_of(&event));
        browser::forget_file(&event);
    };
    let name = move || ["Run: ", &lab.title()].concat();
    view! {
        <details class="pop doc" name="pop">
            <summary class="lesson-menu" aria-label=name on:click=open><span class="clip">{move || lab.title()}</span>{icon(icons::DOWN)}</summary>
            <div class="menu">
                <label class="file">"Open a .fence file…"<input type="file" accept=".fence,.txt,text/plain" on:change=chosen /></label>
                <div on:click=press inner_html=markup></div>
                <p class="note">"Drafts stay in this browser. A file can also be dropped on the page."</p>
            </div>
        </details>
    }
}

fn documents_markup() -> String {
    let mut out = Html::default();
    out.raw("<ul>");
    row(&mut out, "new", "New, empty run", "");
    fold(
        &mut out,
        "From a lesson…",
        &CARDS.len().to_string(),
        |out| {
            for (index, card) in CARDS.iter().enumerate() {
                row(
                    out,
                    &["lesson ", &index.to_string()].concat(),
                    card.title,
                    &card.number.to_string(),
                );
            }
        },
    );
    let count: usize = gallery::THEMES.iter().map(|theme| theme.cases.len()).sum();
    fold(
        &mut out,
        "From the gallery…",
        &[&count.to_string(), " cases"].concat(),
        |out| {
            for (index, theme) in gallery::THEMES.iter().enumerate() {
                out.raw("<li>").element("h3", "", theme.title).raw("</li>");
                for (case, text) in theme.cases.iter().enumerate() {
                    row(
                        out,
                        &["case ", &index.to_string(), " ", &case.to_string()].concat(),
                        gallery::title(text),
                        "",
                    );
                }
            }
        },
    );
    out.raw("</ul>");
    let recent = Drafts::parse(&browser::load("drafts").unwrap_or_default());
    if !recent.0.is_empty() {
        out.raw("<h3>Recent on this device</h3><ul>");
        for draft in &recent.0 {
            let age = drafts::age(browser::epoch_ms(), draft.changed_ms);
            row(
                &mut out,
                &["draft ", &draft.id.to_string()].concat(),
                &draft.title,
                &age,
            );
        }
        out.raw("</ul>");
    }
    out.0
}

/// The text that a row of the menu stands for.
fn document(lab: Lab, does: &str) -> Option<String> {
    let mut parts = does.split(' ');
    let kind = parts.next()?;
    let mut number = || parts.next()?.parse::<u64>().ok();
    match kind {
        "new" => Some(String::new()),
        "lesson" => Some((*SCENARIOS.get(number()? as usize)?).to_owned()),
        "case" => {
            let theme = gallery::THEMES.get(number()? as usize)?;
            theme
                .cases
                .get(number()? as usize)
                .map(|text| (*text).to_owned())
        }
        "draft" => {
            let id = number()?;
            let known = Drafts::parse(&browser::load("drafts").unwrap_or_default());
            let draft = known.0.into_iter().find(|draft| draft.id == id)?;
            lab.open(draft.text);
            lab.draft.set(id);
            browser::close_menus(None);
            None
        }
        _ => None,
    }
}

/// Takes up a file.
pub fn read(lab: Lab, file: Option<leptos::web_sys::File>) {
    let Some(file) = file else { return };
    browser::close_menus(None);
    browser::spawn(async move {
        match browser::text_of(file, script::MAX_TEXT_BYTES).await {
            Some(text) => lab.open(text),
            None => {
                lab.tell("That file could not be read: it is not a text, or larger than 256 KB.")
            }
        }
    });
}

fn pop(
    class: &'static str,
    name: &'static str,
    symbol: Icon,
    open: impl Fn() + 'static,
    menu: impl IntoView,
) -> impl IntoView {
    view! {
        <details class=class name="pop">
            <summary class="btn quiet" aria-label=name on:click=move |_| open()>{icon(symbol)}<span>{name}</span></summary>
            <div class="menu">{menu}</div>
        </details>
    }
}

/// The link to this moment.
fn share(lab: Lab) -> impl IntoView {
    let link = RwSignal::new(String::new());
    let said = RwSignal::new("");
    let open = move || {
        said.set("");
        browser::spawn(async move {
            let fragment = lab.link().await;
            let address = browser::address();
            let page = address.split('#').next().unwrap_or_default();
            link.set([page, "#", &fragment].concat());
        });
    };
    let copy = move |_| {
        browser::spawn(async move {
            if browser::copy(link.get_untracked()).await {
                said.set("Copied.");
            } else {
                browser::select_all("link");
                said.set(
                    "The browser did not let it be copied: the link is selected, copy it by hand.",
                );
            }
        })
    };
    let length = move || {
        let count = link.with(|link| link.chars().count()).to_string();
        [
            "It holds the whole script and the moment: ",
            &count,
            " characters. Nothing is sent to a server.",
        ]
        .concat()
    };
    let menu = view! {
        <h3>"Link to this moment"</h3>
        <p class="url">
            <input id="link" type="text" readonly aria-label="Link" prop:value=move || link.get() />
            <button type="button" class="btn" on:click=copy>"Copy"</button>
        </p>
        <p class="note">{length}</p>
        <p class="note" role="status">{said}</p>
    };
    pop("pop share", "Share", icons::LINK, open, menu)
}

/// Files and snippets.
fn export(lab: Lab) -> impl IntoView {
    let said = RwSignal::new("");
    let press = move |event: MouseEvent| {
        if let Some(does) = browser::data_near(&event, "data-do") {
            said.set("");
            browser::spawn(async move { said.set(save(lab, &does).await) });
        }
    };
    let mut out = Html::default();
    out.raw("<ul>");
    for (does, label, note) in [
        ("fence", "Script", ".fence"),
        ("svg", "Picture", ".svg"),
        ("png", "Picture", ".png"),
        ("txt", "Transcript", ".txt"),
        ("json", "Trace", ".json"),
    ] {
        row(&mut out, does, label, note);
    }
    out.raw("</ul><h3>For a page</h3><ul>");
    row(&mut out, "markdown", "Copy as Markdown", "```fence");
    out.raw("</ul>");
    let menu = view! {
        <div on:click=press inner_html=out.0></div>
        <p class="note" role="status">{said}</p>
    };
    pop("pop export", "Export", icons::EXPORT, || (), menu)
}

/// Saves or copies one form of the run; says how it went.
async fn save(lab: Lab, does: &str) -> &'static str {
    let (source, run) = lab
        .player
        .peek(|session| (session.source.clone(), session.run.clone()));
    let scenario = run.scenario();
    let stem = file_stem(&scenario.title);
    let name = [&stem, ".", does].concat();
    let frame = diagram::Frame {
        shows_axis: true,
        ..diagram::Frame::of(PICTURE_PX, Density::Full)
    };
    let scene = || diagram::scene(scenario, &run.trace, &frame);
    let title = untrack(|| lab.title());
    let done = match does {
        "fence" => browser::save_text(&name, &source),
        "svg" => browser::save_text(&name, &diagram::svg(&scene(), Theme::Auto, &title)),
        "txt" => {
            let lines = narration::transcript(scenario, &run.trace).into_iter();
            let text: Vec<String> = lines
                .map(|(at, text)| [&at.to_string(), " s  ", &text, "\n"].concat())
                .collect();
            browser::save_text(&name, &text.concat())
        }
        "json" => browser::save_text(&name, &json::trace(scenario, &run.trace)),
        "png" => {
            let theme = if lab.dark.get_untracked() {
                Theme::Dark
            } else {
                Theme::Light
            };
            let scene = scene();
            let svg = diagram::svg(&scene, theme, &title);
            browser::save_png(&name, &svg, scene.width, scene.height).await
        }
        _ => {
            let text = ["```fence\n", source.trim_end(), "\n```\n"].concat();
            return match browser::copy(text).await {
                true => "Copied.",
                false => "The browser did not let it be copied: save the script instead.",
            };
        }
    };
    match done {
        Some(()) => "Saved.",
        None => "The browser did not let it be saved.",
    }
}

/// A name for files, from the title.
fn file_stem(title: &str) -> String {
    let mut stem = String::new();
    for c in title.chars().take(60) {
        if c.is_ascii_alphanumeric() {
            stem.push(c.to_ascii_lowercase());
        } else if !stem.is_empty() && !stem.ends_with('-') {
            stem.push('-');
        }
    }
    let stem = stem.trim_end_matches('-');
    if stem.is_empty() {
        "run".to_owned()
    } else {
        stem.to_owned()
    }
}

/// Undo and redo.
#[component]
pub fn History(player: Player) -> impl IntoView {
    let undo = move |_| player.dispatch(Intent::Undo);
    let redo = move |_| player.dispatch(Intent::Redo);
    let no_undo = Memo::new(move |_| !player.with(Session::can_undo));
    let no_redo = Memo::new(move |_| !player.with(Session::can_redo));
    view! {
        <button type="button" class="icon-btn" aria-label="Undo" aria-disabled=move || no_undo.get().then_some("true") on:click=undo>
            {icon(icons::UNDO)}
        </button>
        <button type="button" class="icon-btn" aria-label="Redo" aria-disabled=move || no_redo.get().then_some("true") on:click=redo>
            {icon(icons::REDO)}
        </button>
    }
}
