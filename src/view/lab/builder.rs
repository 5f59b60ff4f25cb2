//! The embed builder: choices, a live preview, and what to copy into a page.

use super::{Lab, bar};
use crate::embed::{self, Chosen, Host, Piece, Shown, escape};
use crate::lesson::{CARDS, SCENARIOS};
use crate::session::Run;
use crate::view::browser;
use leptos::ev::{Event, MouseEvent};
use leptos::prelude::*;

/// What an author's own scenario starts from.
const OWN: &str =
    "scenario \"Two writes\"\nresource doc: fenced\nA acquires\nA writes draft \"draft\"\n";

const LOOK: &str = "\
<fieldset><legend>Parts</legend><div class=\"ticks\">\
<label class=\"opt\"><input type=\"checkbox\" name=\"show\" value=\"timeline\" checked><span>Timeline</span></label>\
<label class=\"opt\"><input type=\"checkbox\" name=\"show\" value=\"panels\"><span>Panels</span></label>\
<label class=\"opt\"><input type=\"checkbox\" name=\"show\" value=\"gate\"><span>Gate</span></label>\
<label class=\"opt\"><input type=\"checkbox\" name=\"show\" value=\"transcript\"><span>Transcript</span></label>\
<label class=\"opt\"><input type=\"checkbox\" name=\"show\" value=\"script\"><span>Script</span></label>\
<label class=\"opt\"><input type=\"checkbox\" name=\"show\" value=\"prose\"><span>Prose</span></label></div></fieldset>";

const END: &str = "<label class=\"opt\"><input type=\"checkbox\" name=\"autoplay\" value=\"true\"><span>Play when it comes into view</span></label>\
<p class=\"note\">Never where reduced motion is asked for. The height follows the content.</p>";

/// A row of the form: label, name, and values with what they are called.
type Row = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// The rows with a choice each.
const ROWS: [Row; 5] = [
    (
        "Policy",
        "policy",
        &[
            ("", "the scenario’s own"),
            ("unfenced", "unfenced"),
            ("fenced", "fenced"),
            ("strict", "strict"),
        ],
    ),
    (
        "Controls",
        "controls",
        &[("minimal", "minimal"), ("full", "full"), ("none", "none")],
    ),
    (
        "Caption",
        "caption",
        &[
            ("title", "title"),
            ("line", "current line"),
            ("none", "none"),
        ],
    ),
    (
        "Theme",
        "theme",
        &[("auto", "auto"), ("light", "light"), ("dark", "dark")],
    ),
    (
        "Speed",
        "speed",
        &[("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×")],
    ),
];

/// The page.
#[component]
pub fn Builder(lab: Lab) -> impl IntoView {
    browser::load_module("./fencing-lab.js");
    let form = RwSignal::new(String::new());
    let tool = RwSignal::new(0_usize);
    let chosen = Memo::new(move |_| form.with(|form| embed::chosen(form)));
    let shown = Memo::new(move |_| chosen.with(shown));
    let pieces = Memo::new(move |_| {
        shown.with(|shown| embed::snippet(Host::ALL[tool.get() % Host::ALL.len()], shown))
    });
    view! {
        {bar::plain(lab)}
        <main class="lesson builder">
            <article class="read" aria-label="Options">
                <div class="read-body">
                    <h1>"Put a run into your page"</h1>
                    <Form form chosen />
                </div>
            </article>
            <section class="stage" aria-label="Preview">
                <div class="stage-head"><h2 class="big">"Preview"</h2></div>
                <div class="host" data-theme=move || if chosen.get().dark { "dark" } else { "light" } inner_html=move || preview(&chosen.get(), &shown.get())></div>
                <Snippet tool pieces />
                <div inner_html=move || chosen.with(table)></div>
            </section>
        </main>
    }
}

fn shown(chosen: &Chosen) -> Shown {
    let slug = chosen.options.iter().find(|(name, _)| name == "lesson");
    let card = slug.and_then(|(_, slug)| CARDS.iter().find(|card| card.slug == slug));
    Shown {
        base: browser::folder(),
        title: card.map_or("A scenario", |card| card.title).to_owned(),
        link: card.map_or("lab.html".to_owned(), |card| {
            ["#/lesson/", card.slug, "/1"].concat()
        }),
        options: chosen.options.clone(),
        scenario: chosen.scenario.clone(),
    }
}

#[component]
fn Form(form: RwSignal<String>, chosen: Memo<Chosen>) -> impl IntoView {
    let changed = move |event: Event| form.set(browser::form_query(&event).unwrap_or_default());
    let own = Memo::new(move |_| chosen.with(|chosen| chosen.scenario.is_some()));
    let lesson = Memo::new(move |_| {
        chosen.with(|chosen| {
            chosen
                .options
                .iter()
                .find(|(name, _)| name == "lesson")
                .map(|(_, slug)| slug.clone())
        })
    });
    let moments = move || {
        let at = |slug: String| CARDS.iter().position(|card| card.slug == slug);
        moments(lesson.get().and_then(at))
    };
    // As if the author had chosen what the form shows at first.
    if let Some(card) = CARDS.first() {
        form.set(["lesson=", card.slug].concat());
    }
    view! {
        <form class="bounds" on:change=changed on:submit=|event| event.prevent_default()>
            <div inner_html=row("Show", "what", &[("lesson", "A lesson"), ("own", "My scenario")], "")></div>
            <div hidden=move || own.get() inner_html=lessons()></div>
            <div class="row" hidden=move || own.get()>
                <label for="event">"Start at"</label><select id="event" name="event" inner_html=moments></select>
            </div>
            <div hidden=move || !own.get()>
                <label for="text">"Scenario"</label>
                <textarea id="text" name="text" class="code" rows="9">{OWN}</textarea>
            </div>
            <div inner_html=rest()></div>
        </form>
    }
}

fn row(label: &str, name: &str, values: &[(&str, &str)], chosen: &str) -> String {
    let option = |(value, label): &(&str, &str)| {
        let mark = if *value == chosen {
            "\" selected>"
        } else {
            "\">"
        };
        ["<option value=\"", value, mark, label, "</option>"].concat()
    };
    let options: Vec<String> = values.iter().map(option).collect();
    let start = [
        "<div class=\"row\"><label for=\"o-",
        name,
        "\">",
        label,
        "</label><select id=\"o-",
        name,
        "\" name=\"",
        name,
        "\">",
    ]
    .concat();
    [&start, options.concat().as_str(), "</select></div>"].concat()
}

fn lessons() -> String {
    let names: Vec<String> = CARDS
        .iter()
        .map(|card| [&card.number.to_string(), " · ", card.title].concat())
        .collect();
    let values: Vec<(&str, &str)> = CARDS
        .iter()
        .zip(&names)
        .map(|(card, name)| (card.slug, name.as_str()))
        .collect();
    row("Lesson", "lesson", &values, "")
}

/// The places of a lesson's run; `lesson` is its index.
fn moments(lesson: Option<usize>) -> String {
    let text = lesson.and_then(|index| SCENARIOS.get(index));
    let run = Run::new(text.unwrap_or(&""), None);
    let option = |(name, label): &(String, String)| {
        [
            "<option value=\"",
            &escape(name),
            "\">",
            &escape(label),
            "</option>",
        ]
        .concat()
    };
    let options: Vec<String> = embed::places(&run).iter().map(option).collect();
    [
        "<option value=\"\">the beginning</option>",
        &options.concat(),
    ]
    .concat()
}

fn rest() -> String {
    let default = |name: &str| {
        embed::OPTIONS
            .iter()
            .find(|(known, ..)| *known == name)
            .map_or("", |(_, default, _)| *default)
    };
    let mut out = LOOK.to_owned();
    for (label, name, values) in ROWS {
        out.push_str(&row(label, name, values, default(name)));
    }
    out.push_str(&row(
        "Width",
        "width",
        &[("", "fluid"), ("720", "720 px"), ("340", "340 px")],
        "",
    ));
    out.push_str(&row(
        "Page around it",
        "host",
        &[("light", "light"), ("dark", "dark")],
        "",
    ));
    out.push_str(END);
    out
}

/// The element of the snippet, in a page of the chosen theme.
fn preview(chosen: &Chosen, shown: &Shown) -> String {
    let mut shown = shown.clone();
    if chosen.options.iter().all(|(name, _)| name != "theme") {
        shown.options.push((
            "theme".to_owned(),
            if chosen.dark { "dark" } else { "light" }.to_owned(),
        ));
    }
    shown.options.push(("load".to_owned(), "eager".to_owned()));
    let width = chosen.width.map_or("fluid".to_owned(), |px| px.to_string());
    [
        "<p class=\"host-bar\"><b>Harbor</b> Documentation</p><div class=\"host-page\" data-width=\"",
        &width,
        "\"><p>A lease is a promise for a time. Its end does not stop the holder, which may still be running, and may still write.</p>",
        &embed::element(&shown),
        "</div>",
    ]
    .concat()
}

#[component]
fn Snippet(tool: RwSignal<usize>, pieces: Memo<Vec<Piece>>) -> impl IntoView {
    let said = RwSignal::new("");
    let tabs = move || {
        let tab = |(index, host): (usize, &Host)| {
            let pressed = if index == tool.get() { "true" } else { "false" };
            [
                "<button type=\"button\" class=\"tab\" data-tool=\"",
                &index.to_string(),
                "\" aria-pressed=\"",
                pressed,
                "\">",
                host.label(),
                "</button>",
            ]
            .concat()
        };
        Host::ALL.iter().enumerate().map(tab).collect::<String>()
    };
    let texts = move || {
        let piece = |(index, piece): (usize, &Piece)| {
            [
                "<p class=\"note\">",
                piece.place,
                "</p><div class=\"snip\"><pre tabindex=\"0\"><code>",
                &escape(&piece.text),
                "</code></pre><button type=\"button\" class=\"btn\" data-copy=\"",
                &index.to_string(),
                "\">Copy</button></div>",
            ]
            .concat()
        };
        pieces.with(|all| all.iter().enumerate().map(piece).collect::<String>())
    };
    let press = move |event: MouseEvent| {
        let number = |name: &str| browser::data_of_target(&event, name)?.parse::<usize>().ok();
        if let Some(index) = number("data-tool") {
            tool.set(index);
            said.set("");
        }
        if let Some(piece) =
            number("data-copy").and_then(|index| pieces.get_untracked().get(index).cloned())
        {
            browser::spawn(async move {
                said.set(if browser::copy(piece.text).await {
                    "Copied."
                } else {
                    "The browser refuses to copy: select the text."
                });
            });
        }
    };
    view! {
        <div class="snips" role="group" aria-label="Snippet" on:click=press>
            <div class="tabs" role="group" aria-label="Tool" inner_html=tabs></div>
            <div inner_html=texts></div>
            <p class="note" role="status">{said}</p>
        </div>
    }
}

fn table(chosen: &Chosen) -> String {
    let mut out = "<table class=\"verdicts opts\"><caption class=\"note\">Bold: written in the snippet. The rest is the default, and is left out.</caption>\
        <thead><tr><th scope=\"col\">option</th><th scope=\"col\">here</th><th scope=\"col\">meaning</th></tr></thead><tbody>"
        .to_owned();
    for (name, default, meaning) in embed::OPTIONS {
        let set = chosen
            .options
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str());
        let start = if set.is_some() {
            "<tr data-set><th scope=\"row\"><code>"
        } else {
            "<tr><th scope=\"row\"><code>"
        };
        let value = escape(set.unwrap_or(default));
        out.push_str(
            &[
                start,
                name,
                "</code></th><td><code>",
                &value,
                "</code></td><td>",
                meaning,
                "</td></tr>",
            ]
            .concat(),
        );
    }
    out.push_str("</tbody></table>");
    out
}
