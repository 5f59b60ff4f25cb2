//! What each party holds at the cursor, as markup: coordinator, clients with belief beside truth,
//! resources with the rule at the write.

use crate::film::{Gap, Ruling};
use crate::frame::{self, ClientFrame, Frame, Held, LeaseFrame, PlaceFrame, ResourceFrame};
use crate::gate::{self, Evaluation, Piece, PieceKind};
use crate::html::{Html, WHO};
use crate::narration;
use crate::playhead::Clock;
use crate::session::Run;
use crate::sim::*;

/// Which form the rule of a resource has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleForm {
    /// Pseudo-code.
    #[default]
    Gate,
    /// SQL, where SQL can say it.
    Sql,
}

/// The panels of coordinator and clients when so many moments have passed, for [`film::fill`].
pub fn parties(run: &Run, passed: usize) -> String {
    let scenario = run.scenario();
    let frame = frame_at(run, passed);
    let mut out = Html::default();
    out.raw("<section class=\"panel\"><h2>Coordinator</h2>");
    for (index, lease) in frame.leases.iter().enumerate() {
        lease_facts(&mut out, scenario, index, lease);
    }
    out.close("section");
    for (index, client) in frame.clients.iter().enumerate() {
        out.open_who("section", "panel", Some(index));
        client_facts(&mut out, scenario, index, client);
        out.close("section");
    }
    out.0
}

/// The panel of each resource.
pub fn resources(run: &Run, passed: usize, form: RuleForm) -> String {
    let frame = frame_at(run, passed);
    let mut out = Html::default();
    for (index, resource) in frame.resources.iter().enumerate() {
        out.open("div", "gate-part");
        resource_facts(&mut out, run, index, resource, form);
        out.close("div");
    }
    out.0
}

fn frame_at(run: &Run, passed: usize) -> Frame {
    let now_ms = run.clock.time_of(passed);
    frame::at(run.scenario(), &run.trace, passed, now_ms)
}

fn lease_facts(out: &mut Html, scenario: &Scenario, index: usize, lease: &LeaseFrame) {
    let declared = &scenario.leases[index];
    if let Some(name) = &declared.name {
        out.open("p", "note").raw("lease ").text(name).close("p");
    }
    match &lease.held {
        Some(held) => {
            let ttl_secs = declared.ttl_secs.unwrap_or(scenario.ttl_secs);
            held_facts(out, scenario, held, ttl_secs);
        }
        None => {
            out.raw("<p class=\"fact\"><span>free");
            if let Some(until_secs) = lease.lock_delay_until_secs {
                out.raw(", lock delay until ").number(until_secs).raw(" s");
            }
            out.raw("</span></p>");
        }
    }
    out.raw("<p class=\"note\">Next token: ")
        .number(lease.next)
        .close("p");
}

fn held_facts(out: &mut Html, scenario: &Scenario, held: &Held, ttl_secs: Secs) {
    let who = WHO[held.client.0 % WHO.len()];
    let whole_ms = held
        .until_secs
        .saturating_sub(held.since_secs)
        .max(1)
        .saturating_mul(1000);
    let until_ms = held.until_secs.saturating_mul(1000);
    out.open("p", "fact")
        .open_who("b", "tok", Some(held.client.0))
        .number(held.token);
    out.raw("</b><span>held by ")
        .text(&scenario.clients[held.client.0])
        .raw("</span></p>");
    out.raw("<svg class=\"meter\" data-who=\"").raw(who);
    out.raw("\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" role=\"meter\" aria-label=\"Lease time left, in seconds\" aria-valuemin=\"0\" aria-valuemax=\"");
    out.number(ttl_secs)
        .raw("\" aria-valuenow=\"")
        .raw(&Gap::WholeLeft.text(until_ms, ttl_secs));
    out.raw("\"><rect class=\"belief\" width=\"100\" height=\"4\"/><rect class=\"head\" height=\"4\" width=\"");
    out.raw(&Gap::Share.text(until_ms, whole_ms))
        .raw("\"/></svg><p class=\"note\">")
        .raw(&Gap::Left.text(until_ms, 0));
    out.raw(" s left, until ")
        .number(held.until_secs)
        .raw(" s</p>");
}

/// `Client A`, or a longer name as it is.
pub fn client_name(name: &str) -> String {
    if name.len() <= 2 {
        ["Client ", name].concat()
    } else {
        name.to_owned()
    }
}

fn client_facts(out: &mut Html, scenario: &Scenario, index: usize, client: &ClientFrame) {
    out.open("h2", "")
        .text(&client_name(&scenario.clients[index]))
        .raw(" ");
    out.element("small", "", &narration::status_words(client.status))
        .close("h2");
    for (known, lease) in client.leases.iter().zip(&scenario.leases) {
        if let Some(name) = &lease.name {
            out.open("p", "note").raw("lease ").text(name).close("p");
        }
        let (believes, since) = narration::belief_words(known.belief);
        let (truth, about) = narration::truth_words(known.truth);
        let (attribute, sign, spoken) = match (known.wrong, known.matches) {
            (true, _) => ("no", "≠", "does not match"),
            (false, true) => ("yes", "=", "matches"),
            // It holds the lease and does not know it yet: no harm comes of that.
            (false, false) => ("yes", "≠", "does not match yet"),
        };
        out.raw("<dl class=\"compare\" data-match=\"")
            .raw(attribute)
            .raw("\"><div><dt>believes</dt><dd>");
        out.text(&believes).element("small", "", &since);
        out.raw("</dd></div><div class=\"sign\"><dt class=\"sr\">belief and truth</dt><dd class=\"rel\"><span aria-hidden=\"true\">");
        out.raw(sign).raw("</span>").element("span", "sr", spoken);
        out.raw("</dd></div><div><dt>truth</dt><dd>")
            .element("span", "truth", &truth);
        out.element("small", "", &about).raw("</dd></div></dl>");
    }
    out.element("p", "note", &client.last_act);
}

fn resource_facts(
    out: &mut Html,
    run: &Run,
    index: usize,
    resource: &ResourceFrame,
    form: RuleForm,
) {
    let scenario = run.scenario();
    let last = resource
        .last_verdict
        .and_then(|verdict| run.trace.verdicts.get(verdict));
    out.raw("<h2>Resource ");
    if scenario.resources.len() > 1 {
        out.text(&scenario.resources[index].name).raw(" ");
    }
    if let Some(verdict) = last {
        out.raw(if verdict.claim {
            "<small>last claim, "
        } else {
            "<small>last write, "
        });
        out.number(verdict.at_secs).raw(" s</small>");
    }
    let judged = last.filter(|_| resource.judging);
    let evaluation = judged.map(|verdict| gate::evaluation(scenario, &run.trace, verdict));
    let policy = match judged {
        Some(verdict) => Some(&verdict.comparison.policy),
        None => resource.places.first().map(|place| &place.policy),
    };
    out.raw("</h2><div class=\"gate-row\"><div>");
    if let Some(policy) = policy {
        match form {
            RuleForm::Gate => rule_lines(out, policy, evaluation.as_ref()),
            RuleForm::Sql => sql(out, policy, evaluation.as_ref()),
        }
    }
    match &evaluation {
        Some(evaluation) => evaluated(out, evaluation),
        None => {
            out.element("p", "eval note", "waiting for a write");
        }
    }
    out.raw("</div><div class=\"places\">");
    for (at, place) in resource.places.iter().enumerate() {
        stored(out, scenario.resources[index].replicas.get(at), place);
    }
    out.raw("</div></div>");
}

fn rule_lines(out: &mut Html, policy: &Policy, evaluation: Option<&Evaluation>) {
    out.raw("<ol class=\"gate\" aria-label=\"Acceptance rule\">");
    for (index, line) in gate::rule(policy).into_iter().enumerate() {
        match evaluation.filter(|evaluation| evaluation.line == index) {
            Some(evaluation) if evaluation.answer == Answer::Accepted => {
                out.raw("<li aria-current=\"step\" data-v=\"ok\">")
            }
            Some(_) => out.raw("<li aria-current=\"step\" data-v=\"no\">"),
            None => out.raw("<li>"),
        };
        out.text(&line.text).close("li");
    }
    out.close("ol");
}

fn sql(out: &mut Html, policy: &Policy, evaluation: Option<&Evaluation>) {
    let rule = match gate::sql(policy) {
        Ok(rule) => rule,
        Err(why) => {
            out.element("p", "note", why);
            return;
        }
    };
    for statement in &rule.statements {
        out.element("pre", "sql", &statement.text);
    }
    if rule.statements.len() > 1 && !rule.transaction {
        out.element("p", "note", "Time may pass between the two statements.");
    }
    if evaluation.is_some_and(|evaluation| evaluation.reason == Some(Reason::Malformed)) {
        out.element("p", "note", gate::BINDING);
        return;
    }
    let read = match evaluation.map(|evaluation| evaluation.answer) {
        Some(Answer::Accepted) => "1 row affected: accepted.",
        Some(_) => {
            "Not accepted: no row was changed. A second look tells “no such row” from “refused”:"
        }
        None => {
            "Read the affected-row count: 1 is accepted; after 0, tell “no such row” from “refused”:"
        }
    };
    out.element("p", "note", read);
    if evaluation.is_none_or(|evaluation| evaluation.answer != Answer::Accepted) {
        out.element("pre", "sql", gate::TELL_APART);
    }
}

fn evaluated(out: &mut Html, evaluation: &Evaluation) {
    const ARROW: &str = "<i aria-hidden=\"true\"> → </i>";
    out.open("p", "eval");
    piece(out, &evaluation.left);
    out.raw(" ").text(evaluation.operator).raw(" ");
    if let Some(right) = &evaluation.right {
        piece(out, right);
    }
    if let Some(holds) = evaluation.holds {
        out.raw(ARROW).raw(if holds { "yes" } else { "no" });
    }
    let (tone, word) = match evaluation.answer {
        Answer::Accepted => ("verdict ok-t", "accept"),
        Answer::Duplicate => ("verdict", "duplicate"),
        _ => ("verdict no-t", "reject"),
    };
    out.raw(ARROW).open("strong", tone);
    glyph(out, evaluation.answer);
    out.raw(word).raw("</strong></p>");
}

fn piece(out: &mut Html, piece: &Piece) {
    let (tag, class, client) = match piece.kind {
        PieceKind::Token(client) => ("b", "tok", Some(client.0)),
        PieceKind::Mark => ("b", "tok", None),
        PieceKind::Client(client) => ("b", "client", Some(client.0)),
        PieceKind::Plain => ("span", "plain", None),
    };
    out.open_who(tag, class, client)
        .text(&piece.text)
        .close(tag);
}

/// The shape of a verdict: circle with a check, square with a cross, circle with an equals sign.
pub fn glyph(out: &mut Html, answer: Answer) {
    const CIRCLE: &str = "M-7 0a7 7 0 1 0 14 0 7 7 0 1 0-14 0z";
    const SQUARE: &str = "M-4.5-7h9A2.5 2.5 0 0 1 7-4.5v9A2.5 2.5 0 0 1 4.5 7h-9A2.5 2.5 0 0 1-7 4.5v-9A2.5 2.5 0 0 1-4.5-7z";
    let (class, shape, tick) = match answer {
        Answer::Rejected | Answer::NotCommitted | Answer::Refused => {
            ("v-no", SQUARE, "M-2.7-2.7l5.4 5.4m0-5.4l-5.4 5.4")
        }
        Answer::Duplicate => ("v-dup", CIRCLE, "M-3-1.6h6m-6 3.2h6"),
        Answer::Unknown => ("v-dup", CIRCLE, "M-3 0h6"),
        _ => ("v-ok", CIRCLE, "M-3.1.3l2.2 2.4L3-2.1"),
    };
    out.raw("<svg class=\"glyph\" width=\"16\" height=\"16\" viewBox=\"-8 -8 16 16\" aria-hidden=\"true\"><g class=\"");
    out.raw(class)
        .raw("\"><path d=\"")
        .raw(shape)
        .raw("\"/><path class=\"tick\" d=\"")
        .raw(tick)
        .raw("\"/></g></svg>");
}

fn stored(out: &mut Html, replica: Option<&String>, place: &PlaceFrame) {
    if let Some(replica) = replica {
        out.element("p", "note", replica);
    }
    out.raw("<dl class=\"kv\">")
        .open_who("div", "", place.writer.map(|client| client.0));
    out.raw("<dt>value</dt><dd>");
    if place.value.is_empty() {
        out.raw("empty");
    } else {
        out.raw("“").text(&place.value).raw("”");
    }
    out.raw("</dd></div><div><dt>");
    let fenced = place.policy.base.looks_at_token();
    let number = if fenced {
        Some(place.mark)
    } else {
        place.value_token
    };
    out.raw(if fenced { "mark" } else { "token" })
        .raw("</dt><dd>");
    match number {
        Some(number) => out.number(number),
        None => out.raw("none"),
    };
    out.raw("</dd></div></dl>");
}

/// The first row of a table of outcomes.
pub fn outcome_heads(out: &mut Html, captions: &[String]) {
    out.raw("<tr><th scope=\"col\">write</th>");
    for caption in captions {
        out.raw("<th scope=\"col\">").text(caption).close("th");
    }
    out.close("tr");
}

/// What became of a write in each run, as far as it is known. What differs is marked.
pub fn outcome_row(out: &mut Html, name: &str, found: &[Option<&Ruling>]) {
    let what = |ruling: &Option<&Ruling>| ruling.map(|r| (r.answer, r.outcome.clone()));
    let differs = found
        .windows(2)
        .any(|pair| what(&pair[0]) != what(&pair[1]));
    out.raw(if differs { "<tr data-diff>" } else { "<tr>" });
    out.raw("<th scope=\"row\">“").text(name).raw("”</th>");
    for ruling in found {
        match ruling {
            Some(ruling) => {
                out.raw("<td><span class=\"v\">");
                glyph(out, ruling.answer);
                out.element("span", "", &ruling.outcome).raw("</span></td>");
            }
            None => {
                out.raw("<td class=\"note\">not yet</td>");
            }
        }
    }
    out.close("tr");
}

/// Longer runs list only so many moments around the cursor.
pub const MOST_LINES: usize = 400;

/// The lines of the transcript, the current one marked; without the future if `hide`. `said` is
/// the sentence about a moment.
pub fn transcript(
    out: &mut Html,
    clock: &Clock,
    said: &dyn Fn(usize) -> String,
    passed: usize,
    hide: bool,
) {
    let total = clock.total();
    let end = if hide { passed.min(total) } else { total };
    let first = if total > MOST_LINES {
        passed.saturating_sub(MOST_LINES / 2)
    } else {
        0
    };
    for index in first..end.min(first + MOST_LINES) {
        out.raw(match index + 1 {
            next if next == passed => "<li aria-current=\"step\"><time>",
            next if next > passed => "<li class=\"later\"><time>",
            _ => "<li><time>",
        });
        out.number(clock.moments[index]).raw(" s</time>");
        out.element("span", "", &said(index)).close("li");
    }
}
