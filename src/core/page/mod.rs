//! The pages as markup: functions of the app's state, and nothing else. A page is written anew with
//! each change; what differs from the one before is brought up to date in the browser by regions
//! (see [`crate::html::Sheet`]).

pub mod embed;
pub mod home;
pub mod parts;
pub mod reading;
pub mod stage;

use crate::app::{App, Screen};
use crate::html::{Html, Sheet};
use crate::link::Page;
use parts::{Button, button, icon};
use stage::Show;

/// The page of the app's state.
pub fn page(app: &App) -> Sheet {
    let mut page = Sheet::default();
    page.raw(DEFS);
    match &app.screen {
        Screen::Blank => {}
        Screen::Embed(frame) => embed::embed(&mut page, app, frame),
        Screen::Waiting(what) => waiting(&mut page, app, what),
        Screen::Failed(reason) => failed(&mut page, app, reason),
        Screen::Home(front) => {
            top(&mut page, app);
            home::home(
                &mut page,
                &app.show(&[], &[]),
                app.cards,
                &front.minis,
                &app.progress,
            );
        }
        Screen::Lesson(course) => {
            page.raw("<div class=\"lesson-page\">");
            top(&mut page, app);
            page.raw("<main class=\"lesson\">");
            reading::column(&mut page, course, app.cards);
            on_stage(
                &mut page,
                app,
                &course.current().policies,
                course.is_free(&app.stage),
            );
            page.raw("</main></div>");
        }
        Screen::Play(_) => {
            top(&mut page, app);
            page.raw("<main class=\"play-page\"><h1 class=\"sr\">A paused holder: play with the run</h1>");
            let policies = ["unfenced", "check-then-write", "fenced"].map(str::to_owned);
            on_stage(&mut page, app, &policies, false);
            page.raw("</main>");
        }
        Screen::Docs => {
            top(&mut page, app);
            docs(&mut page.html);
        }
    }
    page
}

/// What pictures refer to: there is one of each on a page.
pub const DEFS: &str = "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" class=\"defs\"><defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" class=\"hatch\"/></pattern></defs></svg>";

/// The mark of the project.
pub const LOGO: &str = "<svg viewBox=\"0 0 22 22\" width=\"22\" height=\"22\" aria-hidden=\"true\"><path d=\"M2 17h6v-6h6V5h6\" class=\"mark\"/><rect x=\"14\" y=\"13\" width=\"6\" height=\"6\" rx=\"1.5\" class=\"v-no\"/></svg>";

/// The bar at the top, and below it what the reader should know.
fn top(page: &mut Sheet, app: &App) {
    page.raw("<header class=\"topbar\"><a class=\"brand\" href=\"#/\" aria-label=\"Fencing Lab, all lessons\">");
    page.raw(LOGO)
        .raw("<span aria-hidden=\"true\">Fencing Lab</span></a>");
    if let Screen::Lesson(course) = &app.screen {
        reading::menu(&mut page.html, &course.lesson, app.cards);
    }
    page.raw("<nav class=\"nav\" aria-label=\"Main\">");
    for (name, href, page_of) in [
        ("Lessons", "#/", Some(Page::Home)),
        ("Lab", "lab.html", None),
        ("Embed", "lab.html#/embed", None),
        ("About", "#/docs", Some(Page::Docs)),
    ] {
        let out = &mut page.html;
        out.raw("<a")
            .attribute("href", href)
            .flag(
                "aria-current=\"page\"",
                page_of == Some(app.link.page.clone()),
            )
            .raw(">")
            .raw(name)
            .close("a");
    }
    page.raw("</nav>");
    page.region("theme", &mut |out| theme(out, app.dark));
    page.raw("</header>");
    page.region("notices", &mut |out| {
        out.raw("<div id=\"notices\">");
        for text in &app.notices {
            parts::notice(out, text, "Dismiss", "dismiss");
        }
        out.close("div");
    });
}

fn theme(out: &mut Html, dark: bool) {
    let (name, symbol) = if dark {
        ("Switch to the light theme", parts::SUN)
    } else {
        ("Switch to the dark theme", parts::MOON)
    };
    button(
        out,
        Button {
            does: "theme",
            class: "icon-btn",
            name,
            icon: Some(symbol),
            more: " id=\"theme\"",
            ..Button::default()
        },
    );
}

fn waiting(page: &mut Sheet, app: &App, what: &str) {
    top(page, app);
    page.raw("<main class=\"loading\"><p role=\"status\">");
    page.html.text(what).close("p");
    page.raw("</main>");
}

fn failed(page: &mut Sheet, app: &App, reason: &str) {
    top(page, app);
    page.raw("<main class=\"loading\"><p role=\"alert\">");
    page.html.text(reason).close("p");
    button(
        &mut page.html,
        Button {
            does: "retry",
            class: "btn",
            text: "Retry",
            ..Button::default()
        },
    );
    page.raw("</main>");
}

/// The stage with what a learner can do there.
fn on_stage(page: &mut Sheet, app: &App, policies: &[String], free: bool) {
    page.raw("<section id=\"stage\" class=\"stage\" aria-label=\"Simulation\">");
    let beside = app.beside();
    let show = app.show(&beside, policies);
    stage::upper(page, &show);
    page.region("keys", &mut |out| {
        out.raw("<div id=\"keys\" role=\"status\">");
        if app.help {
            keys(out);
        }
        out.close("div");
    });
    match &app.screen {
        Screen::Lesson(_) => own_run_beside_a_lesson(page, app, free),
        _ => page.region("actions", &mut |out| {
            stage::actions(out, &app.stage, &app.offers, &app.why)
        }),
    }
    stage::lower(page, &show);
    page.raw("</section>");
}

/// Free experiments, and the way back.
fn own_run_beside_a_lesson(page: &mut Sheet, app: &App, free: bool) {
    page.region("free", &mut |out| {
        out.raw("<div id=\"free\">");
        if free {
            let text = "This is your own run now; later lines of the lesson’s run were dropped.";
            parts::notice(out, text, "Back to the lesson", "return");
        }
        out.close("div");
    });
    page.raw("<details class=\"try\" data-do=\"try\"><summary>");
    icon(&mut page.html, parts::RIGHT);
    page.raw("<b>Try something else</b><span class=\"note\">every action adds one line to the run</span></summary>");
    page.region("actions", &mut |out| match app.offers.is_empty() {
        true => {
            out.raw("<p class=\"note\" id=\"actions\" role=\"status\">Loading the simulation</p>");
        }
        false => stage::actions(out, &app.stage, &app.offers, &app.why),
    });
    page.raw("</details>");
}

/// Keys of the player, and what they do while the focus is inside it.
pub const KEYS: &[(&str, &str)] = &[
    ("← →", "previous, next event"),
    ("Home, End", "first, last event"),
    ("Space, K", "play or pause"),
    ("U, R", "undo, redo an edit of your own run"),
    ("?", "this list"),
];

fn keys(out: &mut Html) {
    out.raw("<ul class=\"kbd-help\">");
    for (keys, what) in KEYS {
        out.raw("<li>")
            .element("kbd", "", keys)
            .element("span", "", what)
            .close("li");
    }
    out.close("ul");
}

/// About the project: what it teaches, the keys, accessibility.
fn docs(out: &mut Html) {
    out.raw("<main class=\"docs\"><h1>About Fencing Lab</h1><p>A lease is a promise for a time. A client that is paused, or a packet that is slow, can outlive that promise. A fencing token is the number of one grant; a resource that remembers the greatest number it has accepted can refuse effects of a grant that has been superseded, once it has seen the newer one.</p><p>Every picture here is drawn from an exact, deterministic simulation. Verdicts that a lesson states are computed by its own run, and checked when the app is built.</p><h2>Keys</h2><p>They work while the focus is inside the player.</p>");
    keys(out);
    out.raw("<h2>Accessibility</h2><p>The transcript below each picture says in sentences all that the picture shows; the newest sentence is announced when the run comes to rest. Every control works by keyboard, the time axis is a slider, and nothing is told by colour alone: accepted is a circle with a check, rejected a square with a cross, a wrong belief is dashed. With reduced motion the cursor jumps from event to event. The aim is WCAG 2.2, level AA.</p></main>");
}

impl App {
    /// What the page shows of the stage.
    pub fn show<'a>(&'a self, beside: &'a [stage::Beside<'a>], policies: &'a [String]) -> Show<'a> {
        let first = beside.first().and_then(|run| run.picture);
        Show {
            stage: &self.stage,
            picture: self.picture().or(first),
            room: self.width,
            settled: self.wanted_plates().is_none(),
            density: self.density(),
            beside,
            hide: match &self.screen {
                Screen::Lesson(course) => course.hides_future(&self.stage),
                _ => false,
            },
            lit: self.lit.as_deref(),
            policies,
            form: self.form,
        }
    }
}
