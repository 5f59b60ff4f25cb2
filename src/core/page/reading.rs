//! The reading column of a lesson: prose, prediction, the learner's turn, the way on.

use super::parts::{self, Button, button, icon};
use crate::course::{Course, Mark};
use crate::html::{Html, Sheet};
use crate::lesson::{CHAPTERS, Card, Cell, CellKind, Lesson, Predict, Table};
use crate::panels;
use crate::sim::Answer;

/// The address of a lesson.
pub fn address(slug: &str) -> String {
    ["#/lesson/", slug, "/1"].concat()
}

/// The whole column.
pub fn column(page: &mut Sheet, course: &Course, cards: &[Card]) {
    page.raw("<article class=\"read\">");
    page.region("reading", &mut |out| beat(out, course));
    page.region("steps", &mut |out| steps(out, course, cards));
    page.raw("</article>");
}

/// Which lesson this is, and the way to the others.
pub fn menu(out: &mut Html, lesson: &Lesson, cards: &[Card]) {
    out.raw("<details class=\"pop lesson-pop\"><summary class=\"lesson-menu\"><span class=\"sr\">Lesson </span><span class=\"n\">");
    out.number(u64::from(lesson.number)).raw(" of ");
    out.number(cards.len() as u64)
        .raw("</span> ")
        .element("span", "clip", &lesson.title)
        .raw("<span class=\"sr\">. All lessons</span>");
    icon(out, parts::DOWN);
    out.raw("</summary><nav class=\"menu lessons\" aria-label=\"All lessons\">");
    for (chapter, name) in CHAPTERS.iter().enumerate() {
        out.element("h3", "", name).raw("<ul>");
        for card in cards.iter().filter(|card| card.chapter == chapter) {
            out.raw("<li><a")
                .attribute("href", &address(card.slug))
                .flag("aria-current=\"page\"", card.number == lesson.number)
                .raw("><span class=\"n\">")
                .number(u64::from(card.number))
                .raw("</span>")
                .text(card.title)
                .raw("</a></li>");
        }
        out.close("ul");
    }
    out.raw("</nav></details>");
}

/// One beat: title, prose, table, prediction, turn.
fn beat(out: &mut Html, course: &Course) {
    let lesson = &course.lesson;
    let beat = course.current();
    out.raw("<div class=\"read-body\" id=\"reading\"><p class=\"eyebrow\">Step ");
    out.number(course.beat as u64 + 1).raw(" of ");
    out.number(lesson.beats.len() as u64)
        .raw("</p><h1 id=\"beat\" tabindex=\"-1\">")
        .text(&beat.title)
        .raw("</h1><div class=\"prose\">")
        .raw(&beat.html)
        .close("div");
    // A table beside an open question would answer it.
    let is_open = beat.predict.is_some() && !course.mark().acted;
    if let Some(verdicts) = beat.table.as_ref().filter(|_| !is_open) {
        table(out, verdicts);
    }
    if let Some(predict) = &beat.predict {
        question(out, predict, course.mark());
    }
    if let Some(act) = &beat.act {
        turn(out, &act.label, course.mark().acted);
    }
    if course.beat + 1 == lesson.beats.len() && !lesson.notes.is_empty() {
        out.raw("<aside class=\"wild\">").raw(&lesson.notes);
        out.close("aside");
    }
    out.close("div");
}

/// Verdicts in rows and columns.
pub fn table(out: &mut Html, table: &Table) {
    out.raw("<table class=\"verdicts\">")
        .element("caption", "", &table.caption)
        .raw("<thead><tr><td></td>");
    for head in &table.columns {
        out.raw("<th scope=\"col\">").text(head).close("th");
    }
    out.raw("</tr></thead><tbody>");
    for (head, cells) in &table.rows {
        out.raw("<tr><th scope=\"row\">").text(head).close("th");
        cells.iter().for_each(|verdict| cell(out, verdict));
        out.close("tr");
    }
    out.raw("</tbody></table>");
}

fn cell(out: &mut Html, cell: &Cell) {
    out.raw("<td><span class=\"v\">");
    match cell.kind {
        CellKind::Accepted => panels::glyph(out, Answer::Accepted),
        CellKind::Rejected => panels::glyph(out, Answer::Rejected),
        CellKind::Duplicate | CellKind::Failure | CellKind::Other => {}
    }
    out.element("span", "", &cell.text).raw("</span></td>");
}

/// A prediction: chosen freely, revealed by the act.
fn question(out: &mut Html, predict: &Predict, mark: Mark) {
    out.raw("<section class=\"predict\" aria-labelledby=\"question\"><h2 class=\"eyebrow\">Predict</h2><p class=\"question\" id=\"question\">");
    out.raw(&predict.question)
        .raw("</p><div class=\"choices\" role=\"radiogroup\" aria-labelledby=\"question\">");
    for (index, choice) in predict.choices.iter().enumerate() {
        let picked = mark.picked == Some(index);
        let (state, note) = match (mark.acted, choice.right, picked) {
            (false, ..) => ("", ""),
            (true, true, _) => (" data-mark=\"right\"", "correct"),
            (true, false, true) => (" data-mark=\"wrong\"", "your pick"),
            (true, false, false) => (" data-mark=\"none\"", ""),
        };
        out.raw("<label class=\"choice\"").raw(state);
        out.raw("><input type=\"radio\" name=\"predict\" data-do=\"pick:")
            .number(index as u64)
            .raw("\"")
            .flag("checked", picked)
            .flag("disabled", mark.acted)
            .raw(">");
        if let Some(answer) = answer_of(&choice.said) {
            panels::glyph(out, answer);
        }
        out.element("span", "", &choice.label)
            .element("small", "", note)
            .close("label");
    }
    out.raw("</div><div class=\"answer\" role=\"status\">");
    if mark.acted {
        let picked = mark.picked.and_then(|index| predict.choices.get(index));
        let right = predict.choices.iter().find(|choice| choice.right);
        if let Some(choice) = picked.or(right) {
            out.raw("<p>").raw(&choice.explain).close("p");
        }
    }
    out.raw("</div></section>");
}

/// Accept and reject have a shape beside their word.
fn answer_of(said: &str) -> Option<Answer> {
    match said.split([' ', '(']).next() {
        Some("accepted" | "committed") => Some(Answer::Accepted),
        Some("rejected" | "not") => Some(Answer::Rejected),
        Some("duplicate") => Some(Answer::Duplicate),
        _ => None,
    }
}

fn turn(out: &mut Html, label: &str, done: bool) {
    out.raw("<section class=\"turn\"><h2 class=\"eyebrow\">Your turn</h2>");
    let (class, symbol) = if done {
        ("btn", parts::CHECK)
    } else {
        ("btn primary", parts::PLAY)
    };
    button(
        out,
        Button {
            does: "act",
            class,
            text: label,
            icon: Some(symbol),
            idle: done,
            ..Button::default()
        },
    );
    if done {
        out.raw("<span class=\"note\">Done. ");
        button(
            out,
            Button {
                does: "again",
                class: "link",
                text: "Run again",
                ..Button::default()
            },
        );
        out.close("span");
    }
    out.close("section");
}

/// Back, a dot a beat, Next.
fn steps(out: &mut Html, course: &Course, cards: &[Card]) {
    let here = course.beat;
    out.raw("<nav class=\"steps\" id=\"steps\" aria-label=\"Steps\">");
    button(
        out,
        Button {
            does: "previous",
            class: "btn",
            text: "Back",
            icon: Some(parts::LEFT),
            idle: here == 0,
            ..Button::default()
        },
    );
    out.raw("<ol class=\"dots\">");
    for index in 0..course.lesson.beats.len() {
        out.raw(if index < here {
            "<li class=\"done\">"
        } else if index == here {
            "<li aria-current=\"step\">"
        } else {
            "<li>"
        });
        button(
            out,
            Button {
                does: &["go:", &index.to_string()].concat(),
                class: "dot",
                name: &["Step ", &(index + 1).to_string()].concat(),
                ..Button::default()
            },
        );
        out.close("li");
    }
    out.close("ol");
    if course.is_complete() {
        way_out(out, course.lesson.number, cards);
    } else {
        out.raw("<button type=\"button\" class=\"btn next\" data-do=\"next\">Next");
        icon(out, parts::RIGHT);
        out.close("button");
    }
    out.close("nav");
}

/// From the end of a lesson to the next one, or to all of them.
fn way_out(out: &mut Html, number: u32, cards: &[Card]) {
    let next = cards.iter().find(|card| card.number == number + 1);
    let href = next.map_or("#/".to_owned(), |card: &Card| address(card.slug));
    out.raw("<a class=\"btn\" id=\"way-out\"")
        .attribute("href", &href);
    if let Some(card) = next {
        out.attribute("aria-label", &["Next lesson: ", card.title].concat());
    }
    out.raw(">").raw(match next {
        Some(_) => "Next lesson",
        None => "All lessons",
    });
    icon(out, parts::RIGHT);
    out.close("a");
}
