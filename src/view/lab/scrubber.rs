//! The time axis as a slider, and the buttons that move the cursor.

use super::icons::{self, Icon, icon};
use super::player::Player;
use super::shared::Shared;
use super::timeline::Picture;
use crate::diagram::{Orientation, Scene};
use crate::film::tenths;
use crate::narration;
use crate::playhead::Move;
use crate::record;
use crate::session::Intent;
use leptos::ev::{Event, KeyboardEvent};
use leptos::prelude::*;

/// The slider counts in thousandths of the axis, which may be broken where nothing happens.
const SLIDER_END: f64 = 1000.0;

/// The slider with a tick for each moment.
#[component]
pub fn Scrubber(player: Player, picture: Memo<Shared<Picture>>) -> impl IntoView {
    let now = move || {
        let at_secs = player.cursor.get().now_ms as f64 / 1000.0;
        picture.get().drawn.share(at_secs)
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
            let time = [&*tenths(cursor.now_ms), " seconds"].concat();
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
            player.dispatch(Intent::Move(Move::Seek(
                picture.get().drawn.time_at(value / SLIDER_END),
            )));
        }
    };
    view! {
        <div class="scrub" style=("--now", move || fraction(now())) style=("--pl", move || edge(false)) style=("--pr", move || edge(true))>
            <div class="rail">
                {move || ticks(player, &picture.get())}
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
        "ArrowRight" | "ArrowUp" => Intent::Move(Move::Forward),
        "ArrowLeft" | "ArrowDown" => Intent::Move(Move::Back),
        "Home" => Intent::Move(Move::First),
        "End" => Intent::Move(Move::Last),
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    player.dispatch(intent);
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
fn ticks(player: Player, picture: &Picture) -> impl IntoView + use<> {
    let run = player.run.get();
    let passed = Memo::new(move |_| player.cursor.get().passed);
    let mut last_at = None;
    let mut marks = Vec::new();
    for (index, moment) in run.trace.moments.iter().enumerate() {
        let loud = moment
            .events
            .clone()
            .any(|event| record::is_loud(&run.trace, event));
        if last_at == Some(moment.at_secs) && !loud {
            continue;
        }
        last_at = Some(moment.at_secs);
        let at = fraction(picture.drawn.share(moment.at_secs as f64));
        let is_later = move || passed.get() <= index;
        marks.push(view! { <i class:no=loud class:later=is_later style=("--t", at)></i> });
    }
    let numbers: Vec<_> = (picture.drawn.axis.ticks.iter())
        .map(|(position, text)| {
            let at = fraction(picture.drawn.share(picture.drawn.axis.time_at(*position)));
            view! { <small style=("--t", at) aria-hidden="true">{text.clone()}</small> }
        })
        .collect();
    (marks, numbers)
}

/// First, back, play or pause, forward, last, speed.
#[component]
pub fn Transport(player: Player) -> impl IntoView {
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
            {button("First event", icons::FIRST, "icon-btn edge-btn", at_start, press(Intent::Move(Move::First)))}
            {button("Previous event", icons::PREVIOUS, "icon-btn", at_start, press(Intent::Move(Move::Back)))}
            <button type="button" class="icon-btn play" aria-label=play_name on:click=press(Intent::Move(Move::PlayOrPause))>
                {move || icon(if player.playing.get() { icons::PAUSE } else { icons::PLAY })}
            </button>
            {button("Next event", icons::NEXT, "icon-btn", at_end, press(Intent::Move(Move::Forward)))}
            {button("Last event", icons::LAST, "icon-btn edge-btn", at_end, press(Intent::Move(Move::Last)))}
            <SpeedButton player />
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
    let speed = move || player.with(|session| session.head.speed);
    let next = move |_| {
        player.dispatch(Intent::Move(Move::SetSpeed(speed().next())));
    };
    view! {
        <button type="button" class="icon-btn speed" on:click=next
            aria-label=move || ["Speed ", speed().label(), ", press for the next"].concat()>
            {move || speed().label()}
        </button>
    }
}
