//! The time axis as a slider, and the buttons that move the cursor.

use super::icons::{self, Icon, icon};
use super::player::Player;
use super::shared::Shared;
use super::timeline::Picture;
use crate::diagram::{Orientation, Scene};
use crate::narration;
use crate::session::{Intent, Speed};
use crate::sim::*;
use leptos::ev::{Event, KeyboardEvent};
use leptos::prelude::*;

/// The slider counts in thousandths of the axis, which may be broken where nothing happens.
const SLIDER_END: f64 = 1000.0;

/// Share of the axis, 0 to 1, at a time.
fn share(scene: &Scene, at_secs: f64) -> f64 {
    let start = scene.axis.position(0.0);
    let length = scene.axis.position(scene.axis.end_secs) - start;
    if length > 0.0 {
        ((scene.axis.position(at_secs) - start) / length).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

fn time_at(scene: &Scene, share: f64) -> u64 {
    let start = scene.axis.position(0.0);
    let length = scene.axis.position(scene.axis.end_secs) - start;
    (scene.axis.time_at(start + length * share) * 1000.0).max(0.0) as u64
}

/// The slider with a tick for each moment.
#[component]
pub fn Scrubber(
    player: Player,
    picture: Memo<Shared<Picture>>,
    /// Ticks of what is to come are not shown.
    #[prop(into)]
    hide: Signal<bool>,
) -> impl IntoView {
    let now = move || {
        share(
            &picture.get().scene,
            player.cursor.get().now_ms as f64 / 1000.0,
        )
    };
    let edge = move |right: bool| {
        let picture = picture.get();
        let Scene {
            width,
            orientation,
            ref axis,
            ..
        } = picture.scene;
        match orientation {
            // Across a vertical picture the slider has the room of its container.
            Orientation::Vertical => String::new(),
            Orientation::Horizontal => {
                let start = axis.position(0.0);
                let px = if right {
                    width - axis.position(axis.end_secs)
                } else {
                    start
                };
                percent(px / width)
            }
        }
    };
    let spoken = move || {
        let cursor = player.cursor.get();
        player.run.with(|run| {
            let time = seconds(cursor.now_ms);
            match cursor.passed.checked_sub(1) {
                Some(last) => [
                    &time,
                    ". ",
                    &narration::moment(run.scenario(), &run.trace, last),
                ]
                .concat(),
                None => [&time, ". Nothing has happened yet."].concat(),
            }
        })
    };
    let slide = move |event: Event| {
        if let Ok(value) = event_target_value(&event).parse::<f64>() {
            player.dispatch(Intent::Seek(time_at(
                &picture.get().scene,
                value / SLIDER_END,
            )));
        }
    };
    view! {
        <div class="scrub" data-hide=move || hide.get().then_some("") style=("--now", move || fraction(now())) style=("--pl", move || edge(false)) style=("--pr", move || edge(true))>
            <div class="rail">
                {move || ticks(player, &picture.get().scene)}
                <input type="range" min="0" max="1000" step="1" aria-label="Time"
                    prop:value=move || (now() * SLIDER_END).round().to_string()
                    aria-valuetext=spoken
                    on:input=slide
                    on:keydown=move |event| step_by_key(player, &event) />
            </div>
        </div>
    }
}

/// Arrow keys on the slider go from moment to moment.
fn step_by_key(player: Player, event: &KeyboardEvent) {
    let intent = match event.key().as_str() {
        "ArrowRight" | "ArrowUp" => Intent::Forward,
        "ArrowLeft" | "ArrowDown" => Intent::Back,
        "Home" => Intent::First,
        "End" => Intent::Last,
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    player.dispatch(intent);
}

/// `12.3 seconds`.
pub fn seconds(ms: u64) -> String {
    let tenths = ms / 100;
    [
        &(tenths / 10).to_string(),
        ".",
        &(tenths % 10).to_string(),
        " seconds",
    ]
    .concat()
}

/// `0.1234`, without the float printing of the standard library and its bytes.
fn fraction(share: f64) -> String {
    let parts = (share * 10_000.0) as u64 + 10_000;
    let text = parts.to_string();
    let (whole, rest) = text.split_at(1);
    [if whole == "2" { "1." } else { "0." }, rest].concat()
}

fn percent(share: f64) -> String {
    ["calc(100% * ", &fraction(share), ")"].concat()
}

/// Marks of the moments and numbers of the axis. Redrawn with the picture, not with the cursor.
fn ticks(player: Player, scene: &Scene) -> impl IntoView + use<> {
    let run = player.run.get();
    let passed = Memo::new(move |_| player.cursor.get().passed);
    let mut last_at = None;
    let mut marks = Vec::new();
    for (index, moment) in run.trace.moments.iter().enumerate() {
        let loud = moment
            .events
            .clone()
            .any(|event| is_loud(&run.trace, event));
        if last_at == Some(moment.at_secs) && !loud {
            continue;
        }
        last_at = Some(moment.at_secs);
        let at = fraction(share(scene, moment.at_secs as f64));
        let is_later = move || passed.get() <= index;
        marks.push(view! { <i class:no=loud class:later=is_later style=("--t", at)></i> });
    }
    let numbers: Vec<_> = (scene.axis.ticks.iter())
        .map(|(position, text)| {
            let at = fraction(share(scene, scene.axis.time_at(*position)));
            view! { <small style=("--t", at) aria-hidden="true">{text.clone()}</small> }
        })
        .collect();
    (marks, numbers)
}

/// A rejection, or an accepted write that should not have been.
fn is_loud(trace: &Trace, event: usize) -> bool {
    let Some(EventKind::Judged(verdict)) = trace.events.get(event).map(|event| &event.kind) else {
        return false;
    };
    let verdict = trace.verdicts.get(*verdict);
    verdict.is_some_and(|v| v.answer == Answer::Rejected || v.anomalies.contains(&Anomaly::Stale))
}

/// First, back, play or pause, forward, last, speed.
#[component]
pub fn Transport(
    player: Player,
    /// Only back, play or pause, forward.
    #[prop(optional)]
    minimal: bool,
) -> impl IntoView {
    let at_start = move || player.cursor.get().now_ms == 0 && player.cursor.get().passed == 0;
    let at_end = move || player.cursor.get().passed >= player.run.get().trace.moments.len();
    let play_name = move || match (player.playing.get(), at_end()) {
        (true, _) => "Pause",
        (false, true) => "Play again",
        (false, false) => "Play",
    };
    let press = move |intent: Intent| move |_| player.dispatch(intent.clone());
    view! {
        <div class="transport" role="group" aria-label="Playback">
            {(!minimal).then(|| button("First event", icons::FIRST, "icon-btn edge-btn", at_start, press(Intent::First)))}
            {button("Previous event", icons::PREVIOUS, "icon-btn", at_start, press(Intent::Back))}
            <button type="button" class="icon-btn play" aria-label=play_name on:click=press(Intent::PlayOrPause)>
                {move || icon(if player.playing.get() { icons::PAUSE } else { icons::PLAY })}
            </button>
            {button("Next event", icons::NEXT, "icon-btn", at_end, press(Intent::Forward))}
            {(!minimal).then(|| (
                button("Last event", icons::LAST, "icon-btn edge-btn", at_end, press(Intent::Last)),
                view! { <SpeedButton player /> },
            ))}
        </div>
    }
}

/// A button that stays focusable when there is nothing to do.
fn button(
    name: &'static str,
    symbol: Icon,
    class: &'static str,
    idle: impl Fn() -> bool + Copy + Send + Sync + 'static,
    press: impl Fn(leptos::ev::MouseEvent) + 'static,
) -> impl IntoView {
    view! {
        <button type="button" class=class aria-label=name
            aria-disabled=move || idle().then_some("true") on:click=press>
            {icon(symbol)}
        </button>
    }
}

/// Each press takes the next speed.
#[component]
fn SpeedButton(player: Player) -> impl IntoView {
    let speed = move || player.with(|session| session.speed);
    let next = move |_| {
        let at = Speed::ALL.iter().position(|s| *s == speed()).unwrap_or(0);
        player.dispatch(Intent::SetSpeed(Speed::ALL[(at + 1) % Speed::ALL.len()]));
    };
    view! {
        <button type="button" class="icon-btn speed" on:click=next
            aria-label=move || ["Speed ", speed().label(), ", press for the next"].concat()>
            {move || speed().label()}
        </button>
    }
}
