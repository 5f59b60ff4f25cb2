//! The start: what this is, the story once, and all lessons by chapter.

use super::app::{TopBar, shell};
use super::browser;
use super::icons::{self, icon};
use super::player::Player;
use super::shared::Shared;
use super::timeline::{Picture, Timeline};
use crate::diagram::{self, Density};
use crate::lesson::{CARDS, CHAPTERS, Card};
use crate::progress::Reached;
use crate::session::{Intent, Run, Session};
use leptos::html;
use leptos::prelude::*;

/// What each chapter is about, in one sentence.
const ABOUT: [&str; 4] = [
    "A lease is a promise about time. Processes and networks do not keep time.",
    "One number and one comparison, at the place where the data lives.",
    "It orders effects at one resource. It does not undo, deduplicate or reach other systems.",
    "Ways to have tokens and still lose the write.",
];

/// The home page.
#[component]
pub fn Home() -> impl IntoView {
    browser::set_title("Fencing Lab: why a lease is not a lock");
    let shell = shell();
    let next = move || {
        shell.progress.with(|progress| {
            let open = |card: &&Card| progress.of(card.slug) != Some(Reached::Done);
            let started = CARDS.iter().any(|card| progress.of(card.slug).is_some());
            let card = CARDS.iter().find(open).or(CARDS.first())?;
            Some((card, started))
        })
    };
    view! {
        <TopBar />
        <main class="home">
            <section class="hero">
                <h1>"See why a lease alone cannot protect your data, and how one number can."</h1>
                <p>"Eighteen short lessons about leases and fencing tokens. You predict, pause a client, delay a message, and watch what the resource accepts."</p>
                <p class="cta">
                    {move || next().map(|(card, started)| view! {
                        <a class="btn primary" href=address(card)>
                            {if started { ["Continue lesson ", &card.number.to_string()].concat() } else { "Start lesson 1".to_owned() }}
                            {icon(icons::RIGHT)}
                        </a>
                    })}
                    <a class="btn" href="#/play">"Play with the story"</a>
                </p>
                <Story />
            </section>
            {(0..CHAPTERS.len()).map(chapter).collect_view()}
        </main>
    }
}

/// The address of a lesson.
pub fn address(card: &Card) -> String {
    ["#/lesson/", card.slug, "/1"].concat()
}

/// The run of the front page: plays once, unless the reader prefers less motion.
#[component]
fn Story() -> impl IntoView {
    let text = CARDS
        .get(3)
        .or(CARDS.first())
        .map_or("", |card| card.scenario);
    let player = Player::new(Session::new(text.to_owned()));
    if !player.peek(|session| session.reduced_motion) {
        player.dispatch(Intent::PlayOrPause);
    } else {
        player.dispatch(Intent::Last);
    }
    let figure = NodeRef::<html::Figure>::new();
    let width = super::stage::measured(figure);
    let picture = Memo::new(move |_| {
        let run = player.run.get();
        let frame = diagram::Frame::of(width.get().max(280.0), Density::Hero);
        Shared::new(Picture::new(diagram::scene(
            run.scenario(),
            &run.trace,
            &frame,
        )))
    });
    let name = move || {
        if player.playing.get() {
            "Pause"
        } else {
            "Play"
        }
    };
    view! {
        <figure class="figure" node_ref=figure>
            {move || (width.get() > 0.0).then(|| view! {
                <Timeline run=player.run picture cursor=player.cursor hide=false ease=false lit=None />
            })}
        </figure>
        <p class="row">
            <button type="button" class="icon-btn play" aria-label=name on:click=move |_| player.dispatch(Intent::PlayOrPause)>
                {move || icon(if player.playing.get() { icons::PAUSE } else { icons::PLAY })}
            </button>
            <span class="note">"Client A is paused past the end of its lease. Its late write carries token 41; the resource has seen 42, and says no."</span>
        </p>
    }
}

fn chapter(index: usize) -> impl IntoView {
    let shell = shell();
    let of_chapter = move || CARDS.iter().filter(move |card| card.chapter == index);
    let done = move || {
        shell.progress.with(|progress| {
            let done = of_chapter()
                .filter(|card| progress.of(card.slug) == Some(Reached::Done))
                .count();
            [
                &done.to_string(),
                " of ",
                &of_chapter().count().to_string(),
                " done",
            ]
            .concat()
        })
    };
    view! {
        <section class="chapter">
            <header class="cols">
                <h2>{CHAPTERS[index]}</h2>
                <p>{ABOUT.get(index).copied()}</p>
                <span class="note">{done}</span>
            </header>
            <div class="cols">{of_chapter().map(tile).collect_view()}</div>
        </section>
    }
}

/// A lesson with its number, state, title, and a miniature of its run.
fn tile(card: &'static Card) -> impl IntoView {
    let shell = shell();
    let state = move || match shell.progress.with(|progress| progress.of(card.slug)) {
        Some(Reached::Done) => {
            view! { {icon(icons::CHECK)}<span class="sr">"done"</span> }.into_any()
        }
        Some(Reached::Beat(_)) => view! { <em>"in progress"</em> }.into_any(),
        None => ().into_any(),
    };
    view! {
        <a class="tile" href=address(card)>
            <svg class="mini" viewBox="0 0 165 50" aria-hidden="true" inner_html=miniature(card)></svg>
            <span class="tile-n">{card.number}{state}</span>
            {card.title}
        </a>
    }
}

/// Drawn from the trace of the lesson's own run.
fn miniature(card: &Card) -> String {
    let run = Run::new(card.scenario, None);
    let frame = diagram::Frame::of(165.0, Density::Mini);
    let scene = diagram::scene(run.scenario(), &run.trace, &frame);
    [
        diagram::ground_markup(&scene),
        diagram::items_markup(&scene.bars),
        diagram::items_markup(&scene.marks),
    ]
    .concat()
}
