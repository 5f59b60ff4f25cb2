//! A lesson as a page that needs no script, for readers without one, for printers and for search engines.
//!
//! Invariants
//! - All of it comes from the compiled lesson and its runs: nothing here knows a lesson.
//! - Addresses are relative to the folder of the app; the page says so by its `<base>`.
//! - An answer stands in a `<details>`, and no picture or table outside of it shows what is asked.

mod figure;
mod site;
#[cfg(test)]
mod tests;

pub use site::{IMAGE_SIZE, card, head, image, list, sitemap};

use crate::html::Html;
use crate::lesson::{Beat, CHAPTERS, Lesson, Predict};
use crate::narration;
use crate::page::reading::table;
use crate::page::{DEFS, LOGO};
use figure::{Pictures, Scene, Stage};

/// The content of the page of one of `lessons`, which are in order; empty if there is none at `index`.
pub fn body(lessons: &[Lesson], index: usize) -> String {
    let mut out = Html::default();
    let Some(lesson) = lessons.get(index) else {
        return out.0;
    };
    bar(&mut out);
    out.raw("<main class=\"docs\"><article><p class=\"eyebrow\">Lesson ");
    out.number(u64::from(lesson.number)).raw(" of ");
    out.number(lessons.len() as u64);
    if let Some(chapter) = CHAPTERS.get(lesson.chapter) {
        out.raw(" · ").text(chapter);
    }
    out.close("p").element("h1", "", &lesson.title);
    out.element("p", "", &lesson.summary);
    out.raw("<p class=\"cta open-app\"><a class=\"btn\" href=\"./#/lesson/");
    out.text(&lesson.slug)
        .raw("/1\">Open the interactive lesson</a></p>");
    let stage = Stage::new(lesson);
    let mut pictures = Pictures::default();
    for beat in &lesson.beats {
        section(&mut out, beat, &stage, &mut pictures);
    }
    if !lesson.notes.is_empty() {
        out.raw("<aside class=\"wild\">");
        out.raw(&without_buttons(&lesson.notes)).close("aside");
    }
    transcripts(&mut out, &stage);
    out.close("article");
    neighbours(&mut out, lessons, index);
    out.close("main").raw("\n");
    out.0
}

fn bar(out: &mut Html) {
    out.raw(DEFS).raw("<header class=\"topbar\"><a class=\"brand\" href=\"./\" aria-label=\"Fencing Lab, all lessons\">");
    out.raw(LOGO).raw("<span aria-hidden=\"true\">Fencing Lab</span></a><nav class=\"nav\" aria-label=\"Main\"><a href=\"./\">Lessons</a><a href=\"lab.html\">Lab</a></nav></header>\n");
}

/// One beat. What its act leads to is in the answer if there is a question about it.
fn section(out: &mut Html, beat: &Beat, stage: &Stage, pictures: &mut Pictures) {
    out.raw("<section>").element("h2", "", &beat.title);
    out.open("div", "prose")
        .raw(&without_buttons(&beat.html))
        .close("div");
    let opens = Scene::opening(beat);
    let acted = beat.act.as_ref().map(|act| Scene::after(beat, act));
    let Some(asked) = &beat.predict else {
        beat.table.iter().for_each(|cells| table(out, cells));
        pictures.draw(out, stage, acted.as_ref().unwrap_or(&opens));
        out.close("section").raw("\n");
        return;
    };
    pictures.draw(out, stage, &opens);
    question(out, asked, |out| {
        if let Some(scene) = &acted {
            pictures.draw(out, stage, scene);
        }
        beat.table.iter().for_each(|cells| table(out, cells));
    });
    out.close("section").raw("\n");
}

/// The choices, and below them what is right and why; `outcome` shows what then happens.
fn question(out: &mut Html, asked: &Predict, outcome: impl FnOnce(&mut Html)) {
    out.raw("<div class=\"predict\"><p class=\"question\">");
    out.raw(&without_buttons(&asked.question)).raw("</p><ul>");
    for choice in &asked.choices {
        out.element("li", "", &choice.label);
    }
    out.raw("</ul><details><summary>Answer</summary><ul>");
    let (right, wrong): (Vec<_>, Vec<_>) = asked.choices.iter().partition(|choice| choice.right);
    for choice in right.into_iter().chain(wrong) {
        out.raw("<li><b>").text(&choice.label).raw("</b>: ");
        out.raw(&without_buttons(&choice.explain)).close("li");
    }
    out.close("ul");
    outcome(out);
    out.raw("</details></div>");
}

/// All that happens, a list for each run under each policy that the lesson shows.
fn transcripts(out: &mut Html, stage: &Stage) {
    out.raw("<section><h2>What happens, in sentences</h2>\n");
    for (index, shown) in stage.played.iter().enumerate() {
        let open = if index == 0 { " open" } else { "" };
        out.raw("<details class=\"transcript\"").raw(open);
        out.raw("><summary>")
            .text(&shown.title())
            .raw("</summary><ol>");
        for (at_secs, sentence) in narration::transcript(shown.run.scenario(), &shown.run.trace) {
            out.raw("<li><time>").number(at_secs).raw(" s</time>");
            out.element("span", "", &sentence).close("li");
        }
        out.raw("</ol></details>\n");
    }
    out.close("section");
}

fn neighbours(out: &mut Html, lessons: &[Lesson], index: usize) {
    let before = index.checked_sub(1).and_then(|before| lessons.get(before));
    out.raw("<nav class=\"neighbours\" aria-label=\"Lessons\">");
    for (lesson, rel, word) in [
        (before, "prev", "Previous"),
        (lessons.get(index + 1), "next", "Next"),
    ] {
        if let Some(lesson) = lesson {
            out.raw("<p>").raw(word).raw(": <a rel=\"").raw(rel);
            out.raw("\" href=\"")
                .text(&address(lesson))
                .raw("\">")
                .text(&lesson.title)
                .raw("</a></p>");
        }
    }
    out.raw("<p><a href=\"./\">All lessons</a></p></nav>");
}

/// The page's address within the app's folder.
pub fn address(lesson: &Lesson) -> String {
    ["lessons/", &lesson.slug, ".html"].concat()
}

/// The lesson's own markup with references into the picture as plain words: they light up nothing here.
fn without_buttons(markup: &str) -> String {
    let mut out = String::new();
    let mut pieces = markup.split("<button");
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        out.push_str(piece.split_once('>').map_or("", |(_, rest)| rest));
    }
    out.replace("</button>", "")
}
