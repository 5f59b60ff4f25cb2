//! The start: what this is, the story once, and all lessons by chapter.

use super::parts::{self, Button, button, icon};
use super::reading::address;
use super::stage::{Show, figure};
use crate::html::{Html, Sheet};
use crate::lesson::{CHAPTERS, Card};
use crate::progress::{Progress, Reached};

/// What each chapter is about, in one sentence.
const ABOUT: [&str; 4] = [
    "A lease is a promise about time. Processes and networks do not keep time.",
    "One number and one comparison, at the place where the data lives.",
    "It orders effects at one resource. It does not undo, deduplicate or reach other systems.",
    "Ways to have tokens and still lose the write.",
];

/// The home page; `minis` are the small pictures of the lessons, as far as they are there.
pub fn home(page: &mut Sheet, show: &Show, cards: &[Card], minis: &[String], progress: &Progress) {
    page.raw("<main class=\"home\"><section class=\"hero\"><h1>See why a lease alone cannot protect your data, and what one number can do.</h1><p>Eighteen short lessons about leases and fencing tokens. You predict, pause a client, delay a message, and watch what the resource accepts.</p>");
    page.region("start", &mut |out| start(out, cards, progress));
    figure(page, show);
    page.region("story", &mut |out| {
        let playing = show.stage.head.is_playing();
        out.raw("<p class=\"row\" id=\"story\">");
        button(
            out,
            Button {
                does: "play",
                class: "icon-btn play",
                name: if playing { "Pause" } else { "Play" },
                icon: Some(if playing { parts::PAUSE } else { parts::PLAY }),
                ..Button::default()
            },
        );
        out.raw("<span class=\"note\">Client A is paused past the end of its lease. Its late write carries token 41; the resource has seen 42, and says no.</span></p>");
    });
    page.raw("</section>");
    page.region("lessons", &mut |out| {
        out.raw("<div id=\"lessons\">");
        for index in 0..CHAPTERS.len() {
            chapter(out, index, cards, minis, progress);
        }
        out.close("div");
    });
    page.raw("</main>");
}

fn start(out: &mut Html, cards: &[Card], progress: &Progress) {
    let open = |card: &&Card| progress.of(card.slug) != Some(Reached::Done);
    let started = cards.iter().any(|card| progress.of(card.slug).is_some());
    out.raw("<p class=\"cta\" id=\"start\">");
    if let Some(card) = cards.iter().find(open).or(cards.first()) {
        out.raw("<a class=\"btn primary\"")
            .attribute("href", &address(card.slug))
            .raw(">");
        if started {
            out.raw("Continue lesson ").number(u64::from(card.number));
        } else {
            out.raw("Start lesson 1");
        }
        icon(out, parts::RIGHT);
        out.close("a");
    }
    out.raw("<a class=\"btn\" href=\"#/play\">Play with the story</a></p>");
}

fn chapter(out: &mut Html, index: usize, cards: &[Card], minis: &[String], progress: &Progress) {
    let of_chapter = || cards.iter().filter(|card| card.chapter == index);
    let done = of_chapter().filter(|card| progress.of(card.slug) == Some(Reached::Done));
    out.raw("<section class=\"chapter\"><header class=\"cols\">")
        .element("h2", "", CHAPTERS[index])
        .element("p", "", ABOUT.get(index).copied().unwrap_or(""))
        .raw("<span class=\"note\">")
        .number(done.count() as u64)
        .raw(" of ")
        .number(of_chapter().count() as u64)
        .raw(" done</span></header><div class=\"cols\">");
    for card in of_chapter() {
        let mini = minis.get(card.number as usize - 1);
        tile(
            out,
            card,
            mini.map_or("", String::as_str),
            progress.of(card.slug),
        );
    }
    out.raw("</div></section>");
}

/// A lesson with its number, state, title, and a miniature of its run.
fn tile(out: &mut Html, card: &Card, mini: &str, reached: Option<Reached>) {
    out.raw("<a class=\"tile\"")
        .attribute("href", &address(card.slug))
        .raw("><svg class=\"mini\" viewBox=\"0 0 165 50\" aria-hidden=\"true\">")
        .raw(mini)
        .raw("</svg><span class=\"tile-n\">")
        .number(u64::from(card.number));
    match reached {
        Some(Reached::Done) => {
            icon(out, parts::CHECK);
            out.raw("<span class=\"sr\">done</span>");
        }
        Some(Reached::Beat(_)) => {
            out.raw("<em>in progress</em>");
        }
        None => {}
    }
    out.close("span").text(card.title).close("a");
}
