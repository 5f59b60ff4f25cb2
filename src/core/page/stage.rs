//! A film on stage: picture, time axis, buttons, panels, transcript.
//!
//! What a press does stands in `data-do`; custom properties stand in `data-vars`, since pages with a
//! strict policy have no `style` in markup.

use super::parts::{self, Button, button, icon};
use crate::actions::Group;
use crate::diagram::{Density, Orientation};
use crate::film::{Film, Picture, Piece, Ruling, tenths};
use crate::html::{Html, Sheet, WHO};
use crate::lesson::{is_stacked, pair_width, width_for};
use crate::panels::{self, RuleForm};
use crate::playhead::{Cursor, Playhead};
use crate::sim::Answer;
use crate::stage::Stage;

/// What a page shows of its stage.
#[derive(Clone, Copy)]
pub struct Show<'a> {
    /// What is on stage.
    pub stage: &'a Stage,
    /// Its picture; `None` until it is there.
    pub picture: Option<&'a Picture>,
    /// The room for it, in px.
    pub room: f64,
    /// No other picture is on its way.
    pub settled: bool,
    /// What it is for.
    pub density: Density,
    /// Runs side by side instead of one; empty: only the one.
    pub beside: &'a [Beside<'a>],
    /// The future is not shown.
    pub hide: bool,
    /// What prose points at, as in `data-ref`.
    pub lit: Option<&'a str>,
    /// The policies of the switch; fewer than two: no switch.
    pub policies: &'a [String],
    /// Which form of the resource's rule is in front.
    pub form: RuleForm,
}

/// A run beside others, on the same cursor.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    /// Its film.
    pub film: &'a Film,
    /// Its picture; `None` until it is there.
    pub picture: Option<&'a Picture>,
    /// Where it stands.
    pub cursor: Cursor,
}

/// Head, picture and controls.
pub fn upper(page: &mut Sheet, show: &Show) {
    page.raw("<div class=\"stage-head\">");
    legend(&mut page.html);
    page.region("badge", &mut |out| badge(out, show));
    page.raw("</div>");
    if show.beside.is_empty() {
        figure(page, show);
    } else {
        side_by_side(page, show);
    }
    page.raw("<div class=\"controls\">");
    scrubber(page, show);
    page.raw("<div class=\"control-row\">");
    page.region("transport", &mut |out| transport(out, show.stage, false));
    page.region("policy", &mut |out| {
        policy_switch(out, show.stage, show.policies)
    });
    page.raw("</div></div>");
}

/// Panels or outcomes, and the transcript.
pub fn lower(page: &mut Sheet, show: &Show) {
    if show.beside.is_empty() {
        panels_of(page, show.stage, show.form);
    } else {
        page.raw("<table class=\"verdicts facts\">");
        page.region("outcomes", &mut |out| {
            out.raw("<tbody id=\"outcomes\">");
            outcomes(out, show.beside);
            out.close("tbody");
        });
        page.raw("</table>");
    }
    transcript(page, show.stage, show.hide);
}

/// The picture of the one run.
pub fn figure(page: &mut Sheet, show: &Show) {
    let (film, cursor) = (&*show.stage.film, show.stage.head.cursor);
    page.raw("<figure class=\"figure\" id=\"figure\">");
    match show.picture {
        Some(picture) => drawing(page, "tl", show, film, picture, cursor),
        None => blank(page, "tl", film.height(show.density, show.room)),
    }
    page.raw("</figure>");
}

fn side_by_side(page: &mut Sheet, show: &Show) {
    page.html
        .raw("<div class=\"pair\" id=\"figure\"")
        .flag("data-stacked", is_stacked(show.room))
        .raw(">");
    for (index, (run, caption)) in show.beside.iter().zip(captions(show.beside)).enumerate() {
        page.raw("<figure class=\"figure run\"><figcaption><b>");
        page.html.text(&caption);
        page.raw("</b> <span class=\"note\">");
        page.html.text(&run.film.title);
        page.raw("</span></figcaption>");
        let id = ["tl", &index.to_string()].concat();
        match run.picture {
            Some(picture) => drawing(page, &id, show, run.film, picture, run.cursor),
            None => blank(page, &id, run.film.height(Density::Pair, show.room)),
        }
        page.raw("</figure>");
    }
    page.raw("</div>");
}

/// What the shapes mean.
fn legend(out: &mut Html) {
    out.raw("<ul class=\"legend\" aria-label=\"Key\" data-who=\"a\">");
    key_items(
        out,
        &[
            (Answer::Accepted, "accepted"),
            (Answer::Rejected, "rejected"),
        ],
    );
    out.close("ul");
}

/// The items of the key to a picture; `answers` are the verdicts that it names.
pub fn key_items(out: &mut Html, answers: &[(Answer, &str)]) {
    for (class, name) in [
        ("lease", "lease"),
        ("belief", "belief"),
        ("belief-wrong", "wrong belief"),
        ("pause", "paused"),
    ] {
        out.raw("<li><svg width=\"20\" height=\"12\" aria-hidden=\"true\"><rect x=\"1\" y=\"1\" width=\"18\" height=\"10\" rx=\"2\" class=\"");
        out.raw(class).raw("\"/></svg>").raw(name).close("li");
    }
    for (answer, name) in answers {
        out.raw("<li>");
        panels::glyph(out, *answer);
        out.raw(name).close("li");
    }
}

/// Whether the run has kept its promise so far.
fn badge(out: &mut Html, show: &Show) {
    let film = &show.stage.film;
    let still = film.still(show.stage.head.cursor.passed);
    let (state, answer) = if still.broken {
        ("broken", Answer::Rejected)
    } else {
        ("ok", Answer::Accepted)
    };
    out.raw("<p class=\"badge\" id=\"badge\" role=\"status\"")
        .attribute("data-state", state)
        .raw(">");
    panels::glyph(out, answer);
    out.text(film.text(still.badge)).close("p");
}

// ---- the picture

/// A picture with its playhead; `id` is used once on the page.
fn drawing(
    page: &mut Sheet,
    id: &str,
    show: &Show,
    film: &Film,
    picture: &Picture,
    cursor: Cursor,
) {
    let glides_to_secs = show.stage.glides_to() as f64 / 1000.0;
    let at = picture.playhead(glides_to_secs);
    let vertical = picture.orientation == Orientation::Vertical;
    let part = |name: &str| [id, "-", name].concat();
    page.shell(id, &mut |out| {
        out.raw("<svg class=\"tl\" role=\"img\"")
            .attribute("id", id)
            .attribute("aria-label", &film.label_at(cursor.now_ms))
            .raw(" viewBox=\"0 0 ")
            .px(picture.width)
            .raw(" ")
            .px(picture.height)
            .raw("\" height=\"")
            .px(size(show, picture).1)
            .raw("\"")
            .attribute(
                "preserveAspectRatio",
                if vertical { "xMidYMin" } else { "xMinYMin" },
            )
            .attribute("data-dir", if vertical { "v" } else { "h" })
            .flag("data-hide", show.hide)
            .attribute("data-ease", ease(&show.stage.head))
            .flag("data-lit", show.lit.is_some());
        out.raw(" data-vars=\"--at:").px(at).raw("px\">");
    });
    let clip = part("clip");
    page.region(&clip, &mut |out| {
        out.raw("<g").attribute("id", &clip).raw("><clipPath");
        // Of a run whose future is hidden what is before the playhead, from where that stands: the
        // layer moves along with it, and what is in the layer as far back.
        let (width, height) = match (show.hide, vertical) {
            (false, _) => (picture.width, picture.height),
            (true, false) => (0.0, picture.height),
            (true, true) => (picture.width, 0.0),
        };
        out.attribute("id", &part("past"))
            .raw("><rect x=\"-9999\" y=\"-9999\" width=\"")
            .px(9999.0 + width)
            .raw("\" height=\"")
            .px(9999.0 + height)
            .raw("\"/></clipPath></g>");
    });
    let ground = part("ground");
    page.region(&ground, &mut |out| {
        layer(out, &ground, "");
        out.raw(&picture.ground).raw("</g>");
    });
    let bars = part("bars");
    page.region(&bars, &mut |out| {
        layer(out, &bars, &part("past"));
        out.raw("<g>");
        picture
            .bars
            .iter()
            .for_each(|bar| piece(out, bar, usize::MAX, show.lit));
        out.raw("</g></g>");
    });
    let veil = part("veil");
    page.region(&veil, &mut |out| {
        veil_over(out, &veil, &part("plot"), picture)
    });
    let marks = part("marks");
    page.region(&marks, &mut |out| {
        layer(out, &marks, "");
        picture
            .marks
            .iter()
            .for_each(|mark| piece(out, mark, cursor.passed, show.lit));
        out.raw("</g>");
    });
    let now = part("now");
    page.region(&now, &mut |out| {
        layer(out, &now, "");
        dots(
            out,
            id,
            picture,
            cursor.now_ms as f64 / 1000.0,
            glides_to_secs,
        );
        out.raw("<g class=\"tag\" aria-hidden=\"true\">");
        time_tag(out, picture, cursor);
        out.raw("</g></g>");
    });
    page.raw("</svg>");
}

/// A picture that stands in for another is shown at most so much larger than it was drawn.
const STRETCH: f64 = 1.3;

/// How much larger a picture is shown than it was drawn, and how high that is, in px.
fn size(show: &Show, picture: &Picture) -> (f64, f64) {
    let own = |room: f64| match picture.density {
        Density::Pair => pair_width(room),
        _ => room,
    };
    let scale = own(show.room) / picture.width;
    // One of the width that is asked for keeps its height, whatever the room: that was kept free for it.
    // So does one until that comes.
    if !show.settled || picture.width == own(width_for(show.room).into()) {
        return (scale.min(1.0), picture.height);
    }
    // Where there are few, one of another width stays, and fills the room.
    let scale = scale.min(STRETCH);
    (scale, picture.height * scale)
}

/// The regions of a picture that is still to come, and its room: then nothing else of the page changes,
/// nor moves. `height` in px.
fn blank(page: &mut Sheet, id: &str, height: f64) {
    page.shell(id, &mut |out| {
        out.raw("<svg").attribute("id", id).raw(" height=\"");
        out.px(height).raw("\">");
    });
    for part in ["clip", "ground", "bars", "veil", "marks", "now"] {
        let part = [id, "-", part].concat();
        page.region(&part, &mut |out| {
            layer(out, &part, "");
            out.raw("</g>");
        });
    }
    page.raw("</svg>");
}

/// How what moves gets to its next place: evenly while time runs, else by a short glide.
fn ease(head: &Playhead) -> &'static str {
    if head.is_playing() { "play" } else { "" }
}

fn layer(out: &mut Html, id: &str, clip: &str) {
    out.raw("<g").attribute("id", id);
    if !clip.is_empty() {
        out.raw(" clip-path=\"url(#").raw(clip).raw(")\"");
    }
    out.raw(">");
}

fn piece(out: &mut Html, piece: &Piece, passed: usize, lit: Option<&str>) {
    let is_lit = lit.is_some_and(|lit| piece.names.iter().any(|name| name == lit));
    let classes = match (piece.moment >= passed, piece.moment + 1 == passed, is_lit) {
        (true, _, true) => "future lit",
        (true, _, false) => "future",
        (false, true, true) => "fresh lit",
        (false, true, false) => "fresh",
        (false, false, true) => "lit",
        (false, false, false) => "",
    };
    out.raw(&piece.group(classes));
}

/// The veil over the future, and the line of the playhead.
fn veil_over(out: &mut Html, id: &str, clip: &str, picture: &Picture) {
    let plot = picture.plot;
    let vertical = picture.orientation == Orientation::Vertical;
    let rect = |out: &mut Html, class: &str, x: f64, y: f64| {
        out.raw("<rect").raw(class).raw(" x=\"").px(x);
        out.raw("\" y=\"").px(y).raw("\" width=\"").px(plot.w);
        out.raw("\" height=\"").px(plot.h).raw("\"/>");
    };
    out.raw("<g").attribute("id", id).raw("><clipPath");
    out.attribute("id", clip).raw(">");
    rect(out, "", plot.x, plot.y);
    out.raw("</clipPath><g clip-path=\"url(#")
        .raw(clip)
        .raw(")\">");
    let (x, y) = if vertical {
        (plot.x, 0.0)
    } else {
        (0.0, plot.y)
    };
    rect(out, " class=\"veil\"", x, y);
    out.raw("</g><path class=\"playhead\" d=\"M");
    if vertical {
        out.px(plot.x).raw(" 0H").px(plot.x + plot.w);
    } else {
        out.raw("0 ").px(plot.y).raw("V").px(plot.y + plot.h);
    }
    out.raw("\"/></g>");
}

/// Dots on the arrows that the playhead cuts where it glides to, in the picture with this id.
pub fn dots(out: &mut Html, id: &str, picture: &Picture, now_secs: f64, glides_to_secs: f64) {
    for (index, flight) in picture.flights.iter().enumerate() {
        if let Some(place) = picture.dot(flight, glides_to_secs) {
            // What sets out is at its start first: it can only glide from where it was.
            let sets_out = now_secs <= flight.from_secs;
            let (x, y) = if sets_out {
                (flight.x1, flight.y1)
            } else {
                place
            };
            // Each keeps its element: it glides along its own arrow only.
            let own_id = [id, "-dot", &index.to_string()].concat();
            out.raw("<circle class=\"flight\" r=\"4.5\" data-who=\"");
            out.raw(WHO[flight.who.0 % WHO.len()]).raw("\"");
            out.attribute("id", &own_id).raw(" transform=\"translate(");
            out.px(x).raw(" ").px(y).raw(")\"/>");
        }
    }
}

/// The time at the head of the playhead: its shapes, in a group of the class `tag`.
pub fn time_tag(out: &mut Html, picture: &Picture, cursor: Cursor) {
    let vertical = picture.orientation == Orientation::Vertical;
    let mut text = tenths(cursor.now_ms);
    if !vertical {
        text.push_str(" s");
    }
    let width = 12.0 + 6.6 * text.len() as f64;
    let (x, y, height) = if vertical {
        (0.0, -9.0, 18.0)
    } else {
        (-width / 2.0, 0.0, 20.0)
    };
    out.raw("<rect class=\"time\" rx=\"4\" x=\"");
    out.px(x).raw("\" y=\"").px(y).raw("\" width=\"").px(width);
    out.raw("\" height=\"").px(height);
    out.raw("\"/><text class=\"sub strong time-n\" text-anchor=\"middle\" dy=\".35em\" x=\"");
    out.px(x + width / 2.0).raw("\" y=\"").px(y + height / 2.0);
    out.raw("\">").raw(&text).raw("</text>");
}

// ---- time

/// The slider counts in thousandths of the axis, which may be broken where nothing happens.
pub const SLIDER_END: f64 = 1000.0;

/// The slider with a tick for each moment; without the picture only its rail.
pub fn scrubber(page: &mut Sheet, show: &Show) {
    let Stage { film, head, .. } = show.stage;
    let share = |ms: u64| {
        let share_in = |picture: &Picture| picture.share(ms as f64 / 1000.0);
        show.picture.map_or(0.0, share_in)
    };
    page.shell("scrub", &mut |out| {
        out.raw("<div class=\"scrub\" id=\"scrub\"")
            .flag("data-hide", show.hide)
            .attribute("data-ease", ease(head));
        out.raw(" data-vars=\"--now:")
            .raw(&fraction(share(show.stage.glides_to())));
        // Across a vertical picture the slider has the room of its container.
        let across = |picture: &&Picture| picture.orientation == Orientation::Horizontal;
        if let Some(picture) = show.picture.filter(across) {
            let axis = &picture.axis;
            let (scale, _) = size(show, picture);
            out.raw(";--pl:").px(axis.position(0.0) * scale);
            out.raw("px;--pr:calc(100% - ")
                .px(axis.position(axis.end_secs) * scale)
                .raw("px)");
        }
        out.raw("\">");
    });
    page.raw("<div class=\"rail\">");
    page.region("ticks", &mut |out| {
        out.raw("<span id=\"ticks\">");
        if let Some(picture) = show.picture {
            ticks(out, film, picture, head.cursor.passed);
        }
        out.close("span");
    });
    page.region("slider", &mut |out| {
        let value = (share(head.cursor.now_ms) * SLIDER_END).round() as u64;
        out.raw("<input type=\"range\" id=\"slider\" min=\"0\" max=\"1000\" step=\"1\" aria-label=\"Time\" data-do=\"slide\"");
        out.attribute("value", &value.to_string())
            .attribute("aria-valuetext", &spoken(film, head.cursor))
            .raw(">");
    });
    page.raw("</div></div>");
}

fn spoken(film: &Film, cursor: Cursor) -> String {
    let said = match cursor.passed {
        0 => NOTHING_YET,
        passed => film.said(passed),
    };
    [&*tenths(cursor.now_ms), " seconds. ", said].concat()
}

/// Marks of the moments and numbers of the axis.
fn ticks(out: &mut Html, film: &Film, picture: &Picture, passed: usize) {
    let mut last_at = None;
    for (index, at_secs) in film.clock.moments.iter().enumerate() {
        let is_loud = film.still(index + 1).loud;
        if last_at == Some(at_secs) && !is_loud {
            continue;
        }
        last_at = Some(at_secs);
        let class = match (is_loud, passed <= index) {
            (true, true) => "no later",
            (true, false) => "no",
            (false, true) => "later",
            (false, false) => "",
        };
        out.raw("<i").attribute("class", class);
        position(out, picture.share(*at_secs as f64));
        out.raw("></i>");
    }
    for (at, text) in &picture.axis.ticks {
        out.raw("<small aria-hidden=\"true\"");
        position(out, picture.share(picture.axis.time_at(*at)));
        out.raw(">").text(text).close("small");
    }
}

fn position(out: &mut Html, share: f64) {
    out.raw(" data-vars=\"--t:").raw(&fraction(share)).raw("\"");
}

/// `0.1234`, without the float printing of the standard library and its bytes.
pub fn fraction(share: f64) -> String {
    let parts = (share.clamp(0.0, 1.0) * 10_000.0) as u64 + 10_000;
    let text = parts.to_string();
    let (whole, rest) = text.split_at(1);
    [if whole == "2" { "1." } else { "0." }, rest].concat()
}

/// First, back, play or pause, forward, last, speed; of these back, play and forward if `minimal`.
pub fn transport(out: &mut Html, stage: &Stage, minimal: bool) {
    let head = &stage.head;
    let at_start = head.cursor == Cursor::default();
    let at_end = head.cursor.passed >= stage.film.clock.total();
    let (play_name, play_icon) = match (head.is_playing(), at_end) {
        (true, _) => ("Pause", parts::PAUSE),
        (false, true) => ("Play again", parts::PLAY),
        (false, false) => ("Play", parts::PLAY),
    };
    out.raw("<div class=\"transport\" id=\"transport\" role=\"group\" aria-label=\"Playback\">");
    let edge = "icon-btn edge-btn";
    let buttons = [
        ("first", "First event", parts::FIRST, edge, at_start),
        (
            "back",
            "Previous event",
            parts::PREVIOUS,
            "icon-btn",
            at_start,
        ),
        ("play", play_name, play_icon, "icon-btn play", false),
        ("forward", "Next event", parts::NEXT, "icon-btn", at_end),
        ("last", "Last event", parts::LAST, edge, at_end),
    ];
    for (does, name, symbol, class, idle) in buttons {
        if !(minimal && class == edge) {
            button(
                out,
                Button {
                    does,
                    name,
                    class,
                    icon: Some(symbol),
                    idle,
                    ..Button::default()
                },
            );
        }
    }
    if !minimal {
        let speed = head.speed.label();
        button(
            out,
            Button {
                does: "speed",
                class: "icon-btn speed",
                name: &["Speed ", speed, ", press for the next"].concat(),
                text: speed,
                ..Button::default()
            },
        );
    }
    out.close("div");
}

// ---- policies

/// The words of the switch for a policy: the plain ones of the lessons, else its name.
pub fn policy_label(policy: &str) -> &str {
    match policy {
        "unfenced" => "No fencing",
        "check-then-write" => "Check then write",
        "fenced" => "Fenced",
        "strict" => "Strict",
        "equality" => "Equality",
        "ask-holder" => "Ask the holder",
        "deadline" => "Deadline",
        other => other,
    }
}

/// Judges the same run by another policy.
pub fn policy_switch(out: &mut Html, stage: &Stage, policies: &[String]) {
    out.raw("<div class=\"policy\" id=\"policy\"");
    if policies.len() < 2 {
        out.raw(" hidden></div>");
        return;
    }
    out.raw("><span id=\"policy-name\">Policy</span><div class=\"segmented\" role=\"radiogroup\" aria-labelledby=\"policy-name\">");
    for policy in policies {
        out.raw("<label")
            .attribute("title", policy)
            .raw("><input type=\"radio\" name=\"policy\"");
        out.attribute("data-do", &["policy:", policy].concat())
            .flag("checked", *policy == stage.film.policy)
            .raw(">");
        out.element("span", "", policy_label(policy)).close("label");
    }
    out.raw("</div></div>");
}

// ---- panels and words

/// What each party holds at the cursor, and the resource's rule.
pub fn panels_of(page: &mut Sheet, stage: &Stage, form: RuleForm) {
    let (film, cursor) = (&*stage.film, stage.head.cursor);
    page.raw("<div class=\"panels\">");
    page.region("parties", &mut |out| {
        out.raw("<div class=\"parties\" id=\"parties\">")
            .raw(&film.parties(cursor))
            .close("div");
    });
    page.raw("<section class=\"panel gate-panel\">");
    let still = film.still(cursor.passed);
    page.region("resources", &mut |out| {
        let rule = match form {
            RuleForm::Gate => still.gate,
            RuleForm::Sql => still.sql,
        };
        out.raw("<div id=\"resources\">")
            .raw(film.text(rule))
            .close("div");
    });
    page.region("forms", &mut |out| {
        out.raw("<div class=\"tabs\" id=\"forms\" role=\"group\" aria-label=\"Form of the rule\">");
        for (which, does, text) in [
            (RuleForm::Gate, "gate", "Rule"),
            (RuleForm::Sql, "sql", "SQL"),
        ] {
            let more = if which == form {
                " aria-pressed=\"true\""
            } else {
                " aria-pressed=\"false\""
            };
            button(
                out,
                Button {
                    does,
                    class: "tab",
                    text,
                    more,
                    ..Button::default()
                },
            );
        }
        out.close("div");
    });
    page.raw("</section></div>");
}

/// A row a write: its verdict in each run, as far as the cursor has come.
fn outcomes(out: &mut Html, runs: &[Beside]) {
    let names = runs.first().map_or(&[][..], |run| &run.film.writes);
    panels::outcome_heads(out, &captions(runs));
    for name in names {
        let found: Vec<_> = runs.iter().map(|run| last_ruling(run, name)).collect();
        if found.iter().any(Option::is_some) {
            panels::outcome_row(out, name, &found);
        }
    }
}

/// What became of a write at last, as far as the cursor has come.
fn last_ruling<'a>(run: &Beside<'a>, name: &str) -> Option<&'a Ruling> {
    let happened = |ruling: &&Ruling| ruling.moment < run.cursor.passed;
    (run.film.rulings.iter().filter(happened)).rfind(|ruling| ruling.write == name)
}

/// Runs of one text are told apart by their policies.
fn captions(runs: &[Beside]) -> Vec<String> {
    let same_title = (runs.windows(2)).all(|two| two[0].film.title == two[1].film.title);
    let caption = |(index, run): (usize, &Beside)| match same_title {
        true => policy_label(&run.film.policy).to_owned(),
        false => ["Run ", &(index + 1).to_string()].concat(),
    };
    runs.iter().enumerate().map(caption).collect()
}

/// What is said at the start.
const NOTHING_YET: &str = "Nothing has happened yet.";

/// The current sentence, and on demand all of them; the newest is announced.
pub fn transcript(page: &mut Sheet, stage: &Stage, hide: bool) {
    let (film, passed) = (&*stage.film, stage.head.cursor.passed);
    page.raw("<details class=\"transcript\"><summary>");
    icon(&mut page.html, parts::RIGHT);
    page.raw("<b>Transcript</b>");
    page.region("said", &mut |out| {
        out.raw("<span class=\"clip\" id=\"said\" aria-hidden=\"true\">");
        match passed {
            0 => out.raw(NOTHING_YET),
            _ => out
                .raw("<time>")
                .number(film.clock.time_of(passed) / 1000)
                .raw(" s</time> ")
                .text(film.said(passed)),
        };
        out.close("span");
    });
    page.raw("</summary>");
    page.region("lines", &mut |out| {
        out.raw("<ol id=\"lines\">");
        let said = |moment: usize| film.said(moment + 1).to_owned();
        panels::transcript(out, &film.clock, &said, passed, hide);
        out.close("ol");
    });
    page.raw("</details>");
    announcer(page, stage);
}

/// One polite announcement a step; while playing, only when it comes to rest.
pub fn announcer(page: &mut Sheet, stage: &Stage) {
    let (film, passed) = (&*stage.film, stage.head.cursor.passed);
    page.region("announcer", &mut |out| {
        out.raw("<p class=\"sr\" id=\"announcer\" aria-live=\"polite\">");
        if passed > 0 && !stage.head.is_playing() {
            out.raw("At ").number(film.clock.time_of(passed) / 1000);
            out.raw(" s: ").text(film.said(passed));
        }
        out.close("p");
    });
}

// ---- the learner's own run

/// All actions at the cursor, with undo and redo; `why` says why one cannot be done now.
pub fn actions(out: &mut Html, stage: &Stage, groups: &[Group], why: &str) {
    out.raw("<section class=\"actions\" id=\"actions\" aria-label=\"Your own run\"><h2 class=\"eyebrow\">Your own run</h2><div class=\"action-groups\">");
    for group in groups {
        let client = group.client.map(|client| client.0);
        let name = match client.and_then(|index| stage.film.clients.get(index)) {
            Some(name) => panels::client_name(name),
            None => "Time".to_owned(),
        };
        out.raw("<div class=\"action-group\" role=\"group\"");
        out.attribute("aria-label", &name);
        if let Some(index) = client {
            out.attribute("data-who", WHO[index % WHO.len()]);
        }
        out.raw("><h3 aria-hidden=\"true\">")
            .text(&name)
            .close("h3");
        for action in &group.actions {
            let title = match &action.why_not {
                Some(reason) => reason.clone(),
                None => ["Adds: ", &action.line].concat(),
            };
            let does = match &action.why_not {
                Some(reason) => ["why:", reason].concat(),
                None => ["line:", &action.line].concat(),
            };
            let mut more = Html::default();
            more.attribute("title", &title);
            button(
                out,
                Button {
                    does: &does,
                    class: "btn small",
                    name: &[&*name, ": ", &action.label].concat(),
                    text: &action.label,
                    idle: action.why_not.is_some(),
                    more: &more.0,
                    ..Button::default()
                },
            );
        }
        out.close("div");
    }
    out.raw("<div class=\"action-group\">");
    for (does, name, symbol, can) in [
        ("undo", "Undo", parts::UNDO, stage.can_undo()),
        ("redo", "Redo", parts::REDO, stage.can_redo()),
    ] {
        button(
            out,
            Button {
                does,
                class: "icon-btn",
                name,
                icon: Some(symbol),
                idle: !can,
                ..Button::default()
            },
        );
    }
    out.raw("</div></div><p class=\"why note\" role=\"status\">")
        .text(why)
        .raw("</p></section>");
}
