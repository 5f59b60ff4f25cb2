//! The player inside a page of somebody else's.

use super::parts::{self, icon};
use super::stage;
use crate::app::{App, Frame, heading};
use crate::embed::{Caption, Controls, line_at, policies};
use crate::film::tenths;
use crate::html::{Html, Sheet};

/// The page.
pub fn embed(page: &mut Sheet, app: &App, frame: &Frame) {
    page.raw("<main>");
    if !frame.trouble.is_empty() {
        parts::notice(&mut page.html, &frame.trouble, "Retry", "retry");
    }
    if frame.loaded {
        compact(page, app, frame);
    }
    page.raw("</main>");
}

fn compact(page: &mut Sheet, app: &App, frame: &Frame) {
    let (options, film) = (&frame.options, &*app.stage.film);
    let offered = match options.controls {
        Controls::Full => policies(&frame.own_policy),
        Controls::Minimal | Controls::None => Vec::new(),
    };
    let show = app.show(&[], &offered);
    page.shell("stage", &mut |out| {
        out.raw("<section class=\"embed\" id=\"stage\"")
            .attribute("aria-label", frame.title(film))
            .raw(">");
    });
    page.region("heading", &mut |out| captions(out, app, frame));
    if options.show.timeline {
        stage::figure(page, &show);
    }
    if options.controls != Controls::None && options.show.timeline {
        stage::scrubber(page, &show);
    }
    bar(page, app, frame, &offered);
    page.region("fault-of-text", &mut |out| fault(out, app));
    if options.show.panels || options.show.gate {
        page.raw(if options.show.panels {
            "<div>"
        } else {
            "<div data-only=\"gate\">"
        });
        stage::panels_of(page, &app.stage, app.form);
        page.raw("</div>");
    }
    if options.show.script {
        page.region("script", &mut |out| {
            out.raw("<pre class=\"sql\" id=\"script\" tabindex=\"0\" aria-label=\"Script\">")
                .text(&app.stage.text)
                .close("pre");
        });
    }
    if options.show.transcript {
        stage::transcript(page, &app.stage, false);
    } else {
        stage::announcer(page, &app.stage);
    }
    page.raw("</section>");
}

/// What stands above the picture.
fn captions(out: &mut Html, app: &App, frame: &Frame) {
    let (text, is_seen) = heading(frame, &app.stage.film);
    out.raw("<div id=\"heading\"><h1")
        .attribute("class", if is_seen { "caption" } else { "sr" })
        .raw(">")
        .text(text)
        .close("h1");
    if frame.options.caption == Caption::Line {
        let passed = app.stage.head.cursor.passed;
        let line = line_at(&app.stage.text, &app.stage.film, passed);
        // The line keeps its place before there is one.
        let line = if line.is_empty() { "\u{a0}" } else { line };
        out.element("p", "caption", line);
    }
    if let Some(lesson) = frame.lesson.as_ref().filter(|_| frame.options.show.prose) {
        out.element("p", "prose", &lesson.summary);
    }
    out.close("div");
}

/// Buttons, time, policy switch, and the way to the app.
fn bar(page: &mut Sheet, app: &App, frame: &Frame, offered: &[String]) {
    let stage = &app.stage;
    page.raw("<div class=\"embed-bar\">");
    if frame.options.controls != Controls::None {
        let minimal = frame.options.controls == Controls::Minimal;
        page.region("transport", &mut |out| {
            stage::transport(out, stage, minimal)
        });
    }
    page.region("time", &mut |out| {
        out.raw("<output id=\"time\" aria-live=\"off\">")
            .raw(&tenths(stage.head.cursor.now_ms))
            .raw(" s</output>");
    });
    page.region("policy", &mut |out| {
        stage::policy_switch(out, stage, offered)
    });
    page.region("open", &mut |out| {
        let link = frame.link(stage.policy.as_deref(), stage.head.cursor.passed);
        out.raw("<a id=\"open\"")
            .attribute("href", &["./", &link].concat())
            .raw(" target=\"_blank\" rel=\"noopener\">Open in Fencing Lab");
        icon(out, parts::OPEN);
        out.close("a");
    });
    page.raw("</div>");
}

/// What is wrong with the scenario.
fn fault(out: &mut Html, app: &App) {
    out.raw("<div id=\"fault-of-text\">");
    if let Some(fault) = &app.stage.film.fault {
        out.raw("<p class=\"notice\" role=\"status\">Line ")
            .number(fault.line as u64)
            .raw(": ")
            .text(&fault.text)
            .raw(".</p>");
    }
    out.close("div");
}
