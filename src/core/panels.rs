//! What each party holds at the cursor, as markup: coordinator, clients with belief beside truth,
//! resources with the rule at the write.

use crate::frame::{self, ClientFrame, Held, LeaseFrame, PlaceFrame, ResourceFrame};
use crate::gate::{self, Evaluation, Piece, PieceKind};
use crate::html::{Html, WHO};
use crate::narration;
use crate::session::{Cursor, Run};
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

/// The panels of coordinator and clients.
pub fn parties(run: &Run, cursor: Cursor) -> String {
    let scenario = run.scenario();
    let frame = frame::at(scenario, &run.trace, cursor.passed, cursor.now_ms);
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
pub fn resources(run: &Run, cursor: Cursor, form: RuleForm) -> String {
    let frame = frame::at(run.scenario(), &run.trace, cursor.passed, cursor.now_ms);
    let mut out = Html::default();
    for (index, resource) in frame.resources.iter().enumerate() {
        out.open("div", "gate-part");
        resource_facts(&mut out, run, index, resource, form);
        out.close("div");
    }
    out.0
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
    let share = (held.remaining_ms.saturating_mul(100) / whole_ms).min(100);
    let left_secs = (held.remaining_ms / 1000).min(ttl_secs);
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
        .number(left_secs);
    out.raw("\"><rect class=\"belief\" width=\"100\" height=\"4\"/><rect class=\"head\" height=\"4\" width=\"");
    out.number(share).raw("\"/></svg><p class=\"note\">");
    out.number(held.remaining_ms / 1000)
        .raw(".")
        .number(held.remaining_ms % 1000 / 100);
    out.raw(" s left, until ")
        .number(held.until_secs)
        .raw(" s</p>");
}

/// `Client A`, or a longer name as it is.
pub fn client_name(scenario: &Scenario, index: usize) -> String {
    let name = &scenario.clients[index];
    if name.len() <= 2 {
        ["Client ", name].concat()
    } else {
        name.clone()
    }
}

fn client_facts(out: &mut Html, scenario: &Scenario, index: usize, client: &ClientFrame) {
    out.open("h2", "")
        .text(&client_name(scenario, index))
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
    let read = match evaluation.map(|evaluation| evaluation.answer) {
        Some(Answer::Accepted) => "1 row affected: accepted.",
        Some(_) => "0 rows affected: not accepted. A second look tells “no such row” from “stale”:",
        None => {
            "Read the affected-row count: 1 is accepted; after 0, tell “no such row” from “stale”:"
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

/// The inside of a table: for each named write its verdict in each run (caption, run, number of
/// moments passed), as far as the cursor has come. What differs is marked.
pub fn outcomes(runs: &[(&str, &Run, usize)]) -> String {
    let mut out = Html::default();
    out.raw("<caption class=\"sr\">What became of each write</caption><thead><tr><th scope=\"col\">write</th>");
    for (caption, ..) in runs {
        out.raw("<th scope=\"col\">").text(caption).close("th");
    }
    out.raw("</tr></thead><tbody>");
    let names = runs
        .first()
        .map_or(&[][..], |(_, run, _)| &run.scenario().messages);
    for name in names {
        let found: Vec<Option<Outcome>> = (runs.iter())
            .map(|(_, run, passed)| verdict_so_far(run, *passed, name))
            .collect();
        if found.iter().any(Option::is_some) {
            outcome_row(&mut out, name, &found);
        }
    }
    out.close("tbody");
    out.0
}

fn verdict_so_far(run: &Run, passed: usize, name: &str) -> Option<Outcome> {
    let id = run
        .scenario()
        .messages
        .iter()
        .position(|known| known == name)
        .map(NameId)?;
    let events = &run.trace.events[..run.trace.events_passed(passed)];
    let verdict = events.iter().rev().find_map(|event| match event.kind {
        EventKind::Judged(index) => run.trace.verdicts.get(index).filter(|v| v.name == Some(id)),
        _ => None,
    })?;
    let replicas = &run.scenario().resources[verdict.place.resource.0].replicas;
    Some(if replicas.is_empty() {
        verdict.outcome()
    } else {
        delivery_outcome(run.scenario(), &run.trace, id, verdict.delivery, None)
    })
}

fn outcome_row(out: &mut Html, name: &str, found: &[Option<Outcome>]) {
    let differs = found.windows(2).any(|pair| pair[0] != pair[1]);
    out.raw(if differs { "<tr data-diff>" } else { "<tr>" });
    out.raw("<th scope=\"row\">“").text(name).raw("”</th>");
    for outcome in found {
        match outcome {
            Some(outcome) => {
                out.raw("<td><span class=\"v\">");
                glyph(out, outcome.answer);
                out.element("span", "", &narration::short_outcome(outcome))
                    .raw("</span></td>");
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

/// The lines of the transcript, the current one marked; without the future if `hide`.
pub fn transcript(run: &Run, passed: usize, hide: bool) -> String {
    let total = run.trace.moments.len();
    let end = if hide { passed.min(total) } else { total };
    let first = if total > MOST_LINES {
        passed.saturating_sub(MOST_LINES / 2)
    } else {
        0
    };
    let mut out = Html::default();
    for index in first..end.min(first + MOST_LINES) {
        out.raw(match index + 1 {
            next if next == passed => "<li aria-current=\"step\"><time>",
            next if next > passed => "<li class=\"later\"><time>",
            _ => "<li><time>",
        });
        out.number(run.trace.moments[index].at_secs)
            .raw(" s</time>");
        out.element(
            "span",
            "",
            &narration::moment(run.scenario(), &run.trace, index),
        )
        .close("li");
    }
    out.0
}
