//! The picture of the run, and of several policies under it.

use super::panels::Panels;
use super::room::{key, measured};
use super::scrubber::{Scrubber, Transport};
use super::shared::Shared;
use super::timeline::{Picture, Timeline};
use super::transcript::Transcript;
use super::{Lab, acts, compare, policy, tabs};
use crate::diagram::{self, Density};
use crate::html::Html;
use crate::link::LabView;
use crate::narration;
use crate::page::stage::key_items;
use crate::panels::{RuleForm, glyph};
use crate::sim::{Answer, Base, Policy};
use leptos::html;
use leptos::prelude::*;

/// The axis shows at least so many seconds after the last event: menus open there.
const TAIL_SECS: f64 = 5.0;

/// The column with the picture.
pub fn stage(lab: Lab) -> impl IntoView {
    let player = lab.player;
    let figure = NodeRef::<html::Figure>::new();
    let width = measured(figure);
    let comparing = Memo::new(move |_| lab.view.get() == LabView::Compare);
    let runs = compare::runs(lab);
    let menus = acts::at_rest(lab);
    // A page turns a frame after the cursor, so that the slider need not wait for a picture; of an
    // edit picture and text come together.
    let page = Memo::new(move |_| {
        let passed = player.drawn.get().passed;
        player.run.with(|run| diagram::Page::of(&run.trace, passed))
    });
    let picture = Memo::new(move |_| {
        let run = player.run.get();
        let page = page.get();
        let frame = diagram::Frame {
            tail_secs: TAIL_SECS,
            // The scrubber is the axis of a run that is drawn whole.
            shows_axis: page.is_some(),
            page,
            ..diagram::Frame::of(width.get().max(280.0), Density::Full)
        };
        let scene = match comparing.get() {
            true => runs.with(|runs| diagram::compare(run.scenario(), runs, &frame)),
            false => diagram::scene(run.scenario(), &run.trace, &frame),
        };
        Shared::new(Picture::new(run.scenario(), scene, &frame))
    });
    // A long run is stepped through in haste: there the playhead jumps.
    let ease = Signal::derive(move || match (player.playing.get(), page.get()) {
        (_, Some(_)) => None,
        (true, None) => Some("play"),
        (false, None) => Some(""),
    });
    let form = RwSignal::new(RuleForm::Gate);
    let name = move || if comparing.get() { "Compare" } else { "Run" };
    view! {
        <section id="stage" class="stage" aria-label=name on:keydown=move |event| key(player, &event)>
            <div class="stage-head">
                {tabs(lab)}
                {move || comparing.get().then(|| compare::lead(lab, runs))}
                <div class="end">
                    {legend()}
                    {move || (!comparing.get()).then(|| (badge(lab), fenced(lab)))}
                </div>
            </div>
            <div class="hero-box">
                <figure class="figure" node_ref=figure>
                    {move || (width.get() > 0.0).then(|| view! {
                        <Timeline run=player.run picture cursor=player.cursor drawn=player.drawn glide=player.glide ease />
                    })}
                </figure>
                {move || (!comparing.get() && width.get() > 0.0).then(|| acts::acts(lab, picture, menus))}
            </div>
            <div class="controls">
                <Scrubber player picture />
                <div class="control-row">
                    <Transport player />
                    {move || match comparing.get() {
                        true => compare::note(lab).into_any(),
                        false => view! { <div class="end">{acts::time(lab, menus)}{policy::policy(lab)}</div> }.into_any(),
                    }}
                </div>
            </div>
            {move || match comparing.get() {
                true => compare::table(lab, runs).into_any(),
                false => view! { <Panels player form /> }.into_any(),
            }}
            <Transcript player />
        </section>
    }
}

/// What the shapes mean, on demand.
pub fn legend() -> impl IntoView {
    let mut out = Html::default();
    out.raw("<ul class=\"legend\" data-who=\"a\">");
    key_items(
        &mut out,
        &[
            (Answer::Accepted, "accepted"),
            (Answer::Rejected, "rejected"),
            (Answer::Duplicate, "duplicate"),
        ],
    );
    out.raw("</ul>");
    view! {
        <details class="pop key" name="pop">
            <summary class="link" aria-label="Key to the picture">"Key"</summary>
            <div class="menu" inner_html=out.0></div>
        </details>
    }
}

/// From a run that has gone wrong to the same run at a fenced resource, in one click.
fn fenced(lab: Lab) -> impl IntoView {
    let player = lab.player;
    // The first resource that is not fenced, once a stale write was accepted.
    let unfenced = Memo::new(move |_| {
        player.passed.with(|(run, passed)| {
            let scenario = run.scenario();
            let broken = narration::badge(scenario, &run.trace, *passed).broken;
            let mut resources = scenario.resources.iter();
            broken
                .then(|| resources.position(|resource| resource.policy.base != Base::Fenced))
                .flatten()
        })
    });
    let press = move |_| {
        if let Some(resource) = unfenced.get_untracked() {
            lab.set_policy(resource, &Policy::of(Base::Fenced));
        }
    };
    move || {
        unfenced.get().map(|_| {
            view! { <button type="button" class="link" on:click=press>"Try it with fenced"</button> }
        })
    }
}

/// Whether the run has kept its promise so far.
fn badge(lab: Lab) -> impl IntoView {
    let badge = Memo::new(move |_| {
        lab.player
            .passed
            .with(|(run, passed)| narration::badge(run.scenario(), &run.trace, *passed))
    });
    let markup = move || {
        let badge = badge.get();
        let mut out = Html::default();
        glyph(
            &mut out,
            if badge.broken {
                Answer::Rejected
            } else {
                Answer::Accepted
            },
        );
        out.element("span", "", &badge.text);
        out.0
    };
    view! {
        <p class="badge" role="status" data-state=move || if badge.get().broken { "broken" } else { "ok" } inner_html=markup></p>
    }
}
