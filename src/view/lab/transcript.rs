//! All that the picture shows, in sentences; the newest is announced.

use super::icons::{self, icon};
use super::player::Player;
use crate::html::Html;
use crate::narration;
use crate::panels;
use crate::sim::Secs;
use crate::view::browser;
use leptos::prelude::*;

/// The current sentence, and on demand all of them.
#[component]
pub fn Transcript(player: Player) -> impl IntoView {
    let current = Memo::new(move |_| {
        player.passed.with(|(run, passed)| {
            let last = passed.checked_sub(1)?;
            let at = run.trace.moments.get(last)?.at_secs;
            Some((at, narration::moment(run.scenario(), &run.trace, last)))
        })
    });
    let (open, set_open) = signal(false);
    view! {
        <details class="transcript" on:toggle=move |event| set_open.set(browser::is_open(&event))>
            <summary>
                {icon(icons::RIGHT)}
                <b>"Transcript"</b>
                <span class="clip" aria-hidden="true">
                    {move || match current.get() {
                        Some((at, text)) => view! { <time>{time(at)}</time>" "{text} }.into_any(),
                        None => "Nothing has happened yet.".into_any(),
                    }}
                </span>
            </summary>
            {move || open.get().then(|| view! { <Lines player /> })}
        </details>
        <Announcer player current />
    }
}

fn time(at: Secs) -> String {
    [&at.to_string(), " s"].concat()
}

#[component]
fn Lines(player: Player) -> impl IntoView {
    let lines = Memo::new(move |_| {
        player.passed.with(|(run, passed)| {
            let mut out = Html::default();
            let said = |moment| narration::moment(run.scenario(), &run.trace, moment);
            panels::transcript(&mut out, &run.clock, &said, *passed, false);
            out.0
        })
    });
    view! { <ol inner_html=lines></ol> }
}

/// One polite announcement a step; while playing, only when it comes to rest.
#[component]
fn Announcer(player: Player, current: Memo<Option<(Secs, String)>>) -> impl IntoView {
    let said = Memo::new(move |before: Option<&String>| {
        if player.playing.get() {
            return before.cloned().unwrap_or_default();
        }
        let (at, text) = current.get().unwrap_or_default();
        if text.is_empty() {
            text
        } else {
            ["At ", &time(at), ": ", &text].concat()
        }
    });
    view! { <p class="sr" aria-live="polite">{said}</p> }
}
