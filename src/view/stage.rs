//! A run on screen: key and badge, picture, controls, panels, transcript.

use super::browser::WidthObserver;
use super::icons::glyph;
use super::panels::Panels;
use super::player::{Player, RunRef};
use super::scrubber::{Scrubber, Transport};
use super::shared::Shared;
use super::timeline::{Picture, Timeline};
use super::transcript::Transcript;
use crate::diagram::{self, Density, Part};
use crate::lesson::Stand;
use crate::narration;
use crate::panels::{self, RuleForm};
use crate::session::{Cursor, Intent, Run};
use crate::sim::*;
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

/// What a page decides about its stage.
#[derive(Clone, Copy)]
pub struct StageOptions {
    /// The future is not shown until the learner acts.
    pub hide: Signal<bool>,
    /// The part of the picture that prose points at.
    pub lit: Signal<Option<Part>>,
    /// The policies of the switch; fewer than two: no switch.
    pub policies: Signal<Vec<Policy>>,
    /// Runs side by side, the player's own first; empty: only the player's.
    pub followers: Signal<Vec<Follower>>,
    /// Which form of the resource's rule is in front.
    pub form: RwSignal<RuleForm>,
    /// How much room there is.
    pub density: Density,
}

/// A run that follows the cursor of the player.
#[derive(Clone, PartialEq)]
pub struct Follower {
    /// What it is called above its picture.
    pub caption: String,
    /// A few words more.
    pub note: String,
    /// The run.
    pub run: RunRef,
}

/// The stage of one run; `children` stand between the controls and the panels.
#[component]
pub fn Stage(player: Player, options: StageOptions, children: Children) -> impl IntoView {
    let figure = NodeRef::<html::Figure>::new();
    let width = measured(figure);
    let picture = Memo::new(move |_| {
        let run = player.run.get();
        let frame = diagram::Frame::of(width.get().max(280.0), options.density);
        Shared::new(Picture::new(diagram::scene(
            run.scenario(),
            &run.trace,
            &frame,
        )))
    });
    let ease = Signal::derive(move || !player.playing.get());
    let alone = Memo::new(move |_| options.followers.with(Vec::is_empty));
    view! {
        <section id="stage" class="stage" aria-label="Simulation" on:keydown=move |event| key(player, &event)>
            <div class="stage-head">
                <Legend />
                <Badge player />
            </div>
            <figure class="figure" node_ref=figure>
                {move || (width.get() > 0.0 && alone.get()).then(|| view! {
                    <Timeline run=player.run picture cursor=player.cursor hide=options.hide ease lit=options.lit />
                })}
            </figure>
            {move || (!alone.get()).then(|| view! {
                <div class="pair">
                    {move || options.followers.get().into_iter().map(|follower| view! { <FollowerView player options follower /> }).collect_view()}
                </div>
            })}
            <div class="controls">
                <Scrubber player picture hide=options.hide />
                <div class="control-row">
                    <Transport player />
                    <PolicySwitch player policies=options.policies />
                </div>
            </div>
            {children()}
            {move || (!alone.get()).then(|| view! { <Outcomes player followers=options.followers /> })}
            {move || alone.get().then(|| view! { <Panels player form=options.form /> })}
            <Transcript player hide=options.hide />
        </section>
    }
}

/// The width of a figure in whole px, now and later; 0 until it is known.
pub fn measured(figure: NodeRef<html::Figure>) -> ReadSignal<f64> {
    let (width, set_width) = signal(0.0);
    let observer: StoredValue<Option<WidthObserver>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move |_| {
        if let Some(figure) = figure.get() {
            let observed = WidthObserver::new(&figure, move |width| set_width.set(width.floor()));
            observer.set_value(observed);
        }
    });
    on_cleanup(move || observer.set_value(None));
    width
}

/// Where a follower stands when the player's cursor is at `cursor` of `run`.
fn follow(leader: &Run, cursor: Cursor, run: &Run) -> Cursor {
    let at_secs = cursor.now_ms / 1000;
    let nth = leader.nth_of_instant(cursor.passed);
    let on_moment = leader.time_of(cursor.passed) == cursor.now_ms && cursor.passed > 0;
    let passed = if on_moment {
        Stand { at_secs, nth }.moments_passed(&run.trace)
    } else {
        run.passed_at(cursor.now_ms)
    };
    Cursor {
        passed,
        now_ms: cursor.now_ms,
    }
}

#[component]
fn FollowerView(player: Player, options: StageOptions, follower: Follower) -> impl IntoView {
    let figure = NodeRef::<html::Figure>::new();
    let width = measured(figure);
    let run = Memo::new({
        let run = follower.run.clone();
        move |_| run.clone()
    });
    let cursor = Memo::new(move |_| follow(&player.run.get(), player.cursor.get(), &run.get()));
    let picture = Memo::new(move |_| {
        let run = run.get();
        let frame = diagram::Frame::of(width.get().max(280.0), Density::Pair);
        Shared::new(Picture::new(diagram::scene(
            run.scenario(),
            &run.trace,
            &frame,
        )))
    });
    let ease = Signal::derive(move || !player.playing.get());
    view! {
        <figure class="figure run" node_ref=figure>
            <figcaption><b>{follower.caption}</b>" "<span class="note">{follower.note}</span></figcaption>
            {move || (width.get() > 0.0).then(|| view! {
                <Timeline run picture cursor hide=options.hide ease lit=options.lit />
            })}
        </figure>
    }
}

/// A row a write: its verdict in each run, as far as the cursor has come.
#[component]
fn Outcomes(player: Player, #[prop(into)] followers: Signal<Vec<Follower>>) -> impl IntoView {
    let table = Memo::new(move |_| {
        let (leader, cursor, followers) = (player.run.get(), player.cursor.get(), followers.get());
        let runs: Vec<_> = (followers.iter())
            .map(|f| {
                (
                    f.caption.as_str(),
                    &*f.run,
                    follow(&leader, cursor, &f.run).passed,
                )
            })
            .collect();
        panels::outcomes(&runs)
    });
    view! { <table class="verdicts facts" inner_html=table></table> }
}

/// Keys of the player, while the focus is inside it.
pub fn key(player: Player, event: &KeyboardEvent) {
    use super::browser::{is_pressed_by_keys, types_text, uses_arrows};
    if event.ctrl_key() || event.meta_key() || event.alt_key() || types_text(event) {
        return;
    }
    let intent = match event.key().as_str() {
        "ArrowRight" if !uses_arrows(event) => Intent::Forward,
        "ArrowLeft" if !uses_arrows(event) => Intent::Back,
        "Home" => Intent::First,
        "End" => Intent::Last,
        " " if !is_pressed_by_keys(event) => Intent::PlayOrPause,
        "k" => Intent::PlayOrPause,
        "u" => Intent::Undo,
        "r" => Intent::Redo,
        _ => return,
    };
    event.prevent_default();
    player.dispatch(intent);
}

/// What the shapes mean.
#[component]
fn Legend() -> impl IntoView {
    let bar = |class: &'static str, name: &'static str| {
        view! {
            <li>
                <svg width="20" height="12" aria-hidden="true"><rect x="1" y="1" width="18" height="10" rx="2" class=class /></svg>
                {name}
            </li>
        }
    };
    view! {
        <ul class="legend" aria-label="Key" data-who="a">
            {bar("lease", "lease")}
            {bar("belief", "belief")}
            {bar("belief-wrong", "wrong belief")}
            {bar("pause", "paused")}
            <li>{glyph(Answer::Accepted)}"accepted"</li>
            <li>{glyph(Answer::Rejected)}"rejected"</li>
        </ul>
    }
}

/// Whether the run has kept its promise so far.
#[component]
fn Badge(player: Player) -> impl IntoView {
    let badge = Memo::new(move |_| {
        let passed = player.cursor.get().passed;
        player
            .run
            .with(|run| narration::badge(run.scenario(), &run.trace, passed))
    });
    let answer = move || {
        if badge.get().broken {
            Answer::Rejected
        } else {
            Answer::Accepted
        }
    };
    view! {
        <p class="badge" role="status" data-state=move || if badge.get().broken { "broken" } else { "ok" }>
            {move || glyph(answer())}
            {move || badge.get().text}
        </p>
    }
}

/// The words of the switch for a policy: the plain ones of the lessons, else its name.
pub fn policy_label(policy: &Policy) -> String {
    match policy.base {
        _ if !policy.options.is_empty() => policy.to_string(),
        Base::Unfenced => "No fencing".to_owned(),
        Base::CheckThenWrite => "Check then write".to_owned(),
        Base::Fenced => "Fenced".to_owned(),
        Base::Strict => "Strict".to_owned(),
        Base::Equality => "Equality".to_owned(),
        Base::AskHolder => "Ask the holder".to_owned(),
        Base::Deadline => "Deadline".to_owned(),
    }
}

/// Judges the same run by another policy.
#[component]
pub fn PolicySwitch(player: Player, #[prop(into)] policies: Signal<Vec<Policy>>) -> impl IntoView {
    let chosen = Memo::new(move |_| {
        let set = player.with(|session| session.policy.clone());
        set.or_else(|| {
            player
                .run
                .with(|run| run.scenario().resources.first().map(|r| r.policy.clone()))
        })
    });
    let choice = move |policy: Policy| {
        let label = policy_label(&policy);
        let title = policy.to_string();
        let is_chosen = {
            let policy = policy.clone();
            move || chosen.with(|chosen| chosen.as_ref() == Some(&policy))
        };
        view! {
            <label title=title>
                <input type="radio" name="policy" prop:checked=is_chosen
                    on:change=move |_| player.dispatch(Intent::SetPolicy(Some(policy.clone()))) />
                <span>{label}</span>
            </label>
        }
    };
    view! {
        {move || (policies.with(Vec::len) > 1).then(|| view! {
            <div class="policy">
                <span id="policy-name">"Policy"</span>
                <div class="segmented" role="radiogroup" aria-labelledby="policy-name">
                    {policies.get().into_iter().map(choice).collect_view()}
                </div>
            </div>
        })}
    }
}
