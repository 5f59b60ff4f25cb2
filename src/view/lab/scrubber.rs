//! The time axis as a slider, and the buttons that move the cursor.

use super::icons::{self, Icon, icon};
use super::player::Player;
use super::shared::Shared;
use super::timeline::Picture;
use crate::diagram::{Axis, Orientation, Scene};
use crate::film::tenths;
use crate::narration;
use crate::page::stage::fraction;
use crate::playhead::{Cursor, Move};
use crate::record;
use crate::session::Intent;
use crate::sim::Trace;
use leptos::ev::{Event, KeyboardEvent};
use leptos::prelude::*;

/// The slider counts in thousandths of the axis, which may be broken where nothing happens.
const SLIDER_END: f64 = 1000.0;

/// The slider with a tick for each moment.
#[component]
pub fn Scrubber(player: Player, picture: Memo<Shared<Picture>>) -> impl IntoView {
    let now = move || {
        let at_secs = player.drawn.get().now_ms as f64 / 1000.0;
        picture.get().axis().share(at_secs)
    };
    let glide = move || {
        picture
            .get()
            .axis()
            .share(player.glide.get() as f64 / 1000.0)
    };
    // While it glides it does so with the thumb; else it may come a frame later.
    let gone = move || match player.playing.get() {
        true => glide(),
        false => now(),
    };
    let ease = move || player.playing.get().then_some("play");
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
        player.settled.with(|(run, cursor)| {
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
                picture.get().axis().millis_at(value / SLIDER_END),
            )));
        }
    };
    // A page that turns changes neither the marks nor the numbers, an edit does a frame later.
    let axis =
        Memo::new(
            move |before: Option<&Axis>| match before.filter(|_| player.stale.get()) {
                Some(before) => before.clone(),
                None => picture.get().axis().clone(),
            },
        );
    let marks = Memo::new(move |_| {
        player
            .played
            .with(|run| axis.with(|axis| ticks(&run.trace, axis)))
    });
    let orientation = Memo::new(move |_| picture.get().scene.orientation);
    let path = move |loud: usize| move || marks.with(|marks| marks[loud].clone());
    // Which part of the run is drawn, where it is not all.
    let shown = move || {
        let picture = picture.get();
        let whole = picture.scene.overview.as_ref()?;
        let page = &picture.scene.axis;
        let from = whole.share(page.time_at(page.origin));
        let to = whole.share(page.end_secs);
        Some(
            view! { <b class="drawn" style=("--t", fraction((from + to) / 2.0)) style=("--length", fraction(to - from))></b> },
        )
    };
    view! {
        <div class="scrub" data-ease=ease style=("--pl", move || edge(false)) style=("--pr", move || edge(true))>
            <div class="rail">
                <b class="gone" style:transform=move || ["scaleX(", &fraction(gone()), ")"].concat()></b>
                <svg class="moments" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true">
                    <path class="later" d=path(0) /><path class="past" style=("--now", move || fraction(now())) d=path(0) /><path class="no" d=path(1) />
                </svg>
                <b class="thumb" style:transform=move || ["translate(calc(", &fraction(glide()), " * 100cqw))"].concat()></b>
                {shown}
                {move || numbers(&axis.get(), least_gap(orientation.get()))}
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

fn percent(share: f64) -> String {
    ["calc(100% * ", &fraction(share), ")"].concat()
}

/// Least distance of two marks on the slider's scale: nearer ones would be a bar.
const APART: u64 = 5;

/// Marks of the moments as paths on the slider's scale: the quiet ones, and the loud ones. What
/// would lie on another mark is left out.
fn ticks(trace: &Trace, axis: &Axis) -> [String; 2] {
    let mut paths = [String::new(), String::new()];
    let mut last = [None, None];
    for moment in &trace.moments {
        let mut events = moment.events.clone();
        let loud = usize::from(events.any(|event| record::is_loud(trace, event)));
        let at = (axis.share(moment.at_secs as f64) * SLIDER_END) as u64;
        if last[loud].is_none_or(|last| at >= last + APART) {
            last[loud] = Some(at);
            paths[loud].push_str(&["M", &at.to_string(), " 0v1"].concat());
        }
    }
    paths
}

/// The share of the slider that numbers with so many characters need. Along a picture its numbers
/// have room; under a vertical one the slider is as wide as a telephone.
fn least_gap(orientation: Orientation) -> fn(usize) -> f64 {
    match orientation {
        Orientation::Horizontal => |_| 0.0,
        Orientation::Vertical => |chars| (10.0 + 7.0 * chars as f64) / 320.0,
    }
}

/// Times along the slider, as far as they have room.
fn numbers(axis: &Axis, least_gap: fn(usize) -> f64) -> impl IntoView + use<> {
    let widest = axis.ticks.iter().map(|(_, text)| text.len()).max();
    let gap = least_gap(widest.unwrap_or(0));
    let mut next = 0.0;
    let number = |(position, text): &(f64, String)| {
        let at = axis.share(axis.time_at(*position));
        (at >= next).then(|| {
            next = at + gap;
            view! { <small style=("--t", fraction(at)) aria-hidden="true">{text.clone()}</small> }
        })
    };
    axis.ticks.iter().filter_map(number).collect_view()
}

/// First, back, play or pause, forward, last, speed.
#[component]
pub fn Transport(player: Player) -> impl IntoView {
    let at_start = move || player.settled.with(|(_, at)| *at == Cursor::default());
    let at_end = move || (player.passed).with(|(run, passed)| *passed >= run.clock.total());
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
    let speed = Memo::new(move |_| player.with(|session| session.head.speed));
    let next = move |_| {
        player.dispatch(Intent::Move(Move::SetSpeed(speed.get_untracked().next())));
    };
    view! {
        <button type="button" class="icon-btn speed" on:click=next
            aria-label=move || ["Speed ", speed.get().label(), ", press for the next"].concat()>
            {move || speed.get().label()}
        </button>
    }
}
