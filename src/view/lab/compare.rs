//! Up to four policies under one run: the script's own is the reference, what differs is marked.

use super::Lab;
use super::shared::Shared;
use crate::html::{Html, WHO};
use crate::panels::glyph;
use crate::script;
use crate::session::Run;
use crate::sim::{self, *};
use crate::view::browser;
use leptos::ev::Event;
use leptos::prelude::*;

/// More would not be legible.
const MOST: usize = 4;

/// Policies to choose from, beside those of the script.
const OFFERED: [&str; 13] = [
    "unfenced",
    "fenced",
    "strict",
    "equality",
    "ask-holder",
    "deadline",
    "check-then-write",
    "check-then-write+cas",
    "fenced+owner",
    "fenced+sequence",
    "fenced+optional",
    "fenced+verified",
    "fenced+dedupe-after",
];

/// A policy and what it does.
pub type PolicyRun = (Policy, Trace);

/// The runs that are compared, the script's own first.
pub type Runs = Shared<Vec<PolicyRun>>;

/// The runs, as long as they are shown.
pub fn runs(lab: Lab) -> Memo<Runs> {
    Memo::new(move |_| {
        if lab.view.get() != crate::link::LabView::Compare {
            return Shared::new(Vec::new());
        }
        let run = lab.player.run.get();
        let scenario = run.scenario();
        let own = own_policy(&run);
        let mut runs = vec![(own.clone(), run.trace.clone())];
        for policy in others(lab, &run) {
            let trace = sim::run_under(scenario, &policy);
            runs.push((policy, trace));
        }
        Shared::new(runs)
    })
}

/// The policy of the first resource.
fn own_policy(run: &Run) -> Policy {
    run.scenario()
        .resources
        .first()
        .map_or(Policy::of(Base::Fenced), |resource| resource.policy.clone())
}

/// What is compared with the script's own: as chosen, else what the script expects of, else a few.
fn others(lab: Lab, run: &Run) -> Vec<Policy> {
    let own = own_policy(run);
    let chosen = lab.compared.get();
    if !chosen.is_empty() {
        return chosen
            .into_iter()
            .filter(|policy| *policy != own)
            .take(MOST - 1)
            .collect();
    }
    let expected = run
        .scenario()
        .expects
        .iter()
        .filter_map(|expect| match expect {
            Expect::Verdicts(policy, _) => Some(policy.clone()),
            _ => None,
        });
    let usual = ["unfenced", "fenced", "strict", "check-then-write"]
        .into_iter()
        .filter_map(|name| script::parse_policy(name).ok());
    let mut found: Vec<Policy> = Vec::new();
    for policy in expected.chain(usual) {
        if policy != own && !found.contains(&policy) && found.len() < MOST - 1 {
            found.push(policy);
        }
    }
    found
}

/// One write or claim in all runs.
struct Line {
    name: String,
    client: Option<ClientId>,
    token: Option<Token>,
    at_secs: Secs,
    /// Its verdict in each run.
    found: Vec<Option<Outcome>>,
}

fn lines(run: &Run, runs: &[PolicyRun]) -> Vec<Line> {
    let scenario = run.scenario();
    let mut keys: Vec<(NameId, u32)> = Vec::new();
    for (_, trace) in runs {
        for verdict in &trace.verdicts {
            if let Some(name) = verdict.name
                && !keys.contains(&(name, verdict.delivery))
            {
                keys.push((name, verdict.delivery));
            }
        }
    }
    let line = |(name, delivery): (NameId, u32)| {
        let of = |trace: &Trace| {
            trace
                .verdicts
                .iter()
                .position(|v| v.name == Some(name) && v.delivery == delivery)
        };
        let first = runs
            .iter()
            .find_map(|(_, trace)| Some(&trace.verdicts[of(trace)?]).map(|v| (v, trace)));
        let mut shown = scenario.messages.get(name.0).cloned().unwrap_or_default();
        if delivery > 1 {
            shown.push_str(&["#", &delivery.to_string()].concat());
        }
        let outcome = |(_, trace): &PolicyRun| {
            of(trace)?;
            let mut outcome = delivery_outcome(scenario, trace, name, delivery, None);
            if outcome.reason.is_none() && outcome.answer == Answer::Rejected {
                outcome.reason = of(trace).and_then(|at| trace.verdicts[at].reason);
            }
            Some(outcome)
        };
        Line {
            name: shown,
            client: first.map(|(verdict, trace)| trace.messages[verdict.message.0].client),
            token: first.and_then(|(verdict, _)| match verdict.comparison.token {
                CarriedToken::Number(token) => Some(token),
                _ => None,
            }),
            at_secs: first.map_or(0, |(verdict, _)| verdict.at_secs),
            found: runs.iter().map(outcome).collect(),
        }
    };
    keys.into_iter().map(line).collect()
}

/// Where the policies part, as a sentence.
pub fn lead(lab: Lab, runs: Memo<Runs>) -> impl IntoView {
    let markup = move || {
        let runs = runs.get();
        lab.player.run.with(|run| {
            let lines = lines(run, &runs);
            let parted: Vec<&Line> = lines
                .iter()
                .filter(|line| line.found.iter().any(|other| *other != line.found[0]))
                .collect();
            let mut out = Html::default();
            out.raw(
                [
                    "No policy",
                    "One policy",
                    "Two policies",
                    "Three policies",
                    "Four policies",
                ]
                .get(runs.len())
                .copied()
                .unwrap_or("Policies"),
            );
            out.raw(", one run. ");
            match parted.len() {
                0 => out.raw("They do not part."),
                _ => out.raw("They part at "),
            };
            for (index, line) in parted.iter().enumerate() {
                let before = match index {
                    0 => "",
                    _ if index + 1 == parted.len() => " and ",
                    _ => ", ",
                };
                out.raw(before).element("b", "", &line.name);
            }
            out.raw(if parted.is_empty() { "" } else { "." });
            out.0
        })
    };
    view! { <p class="lead" inner_html=markup></p> }
}

/// Which is the reference.
pub fn note(lab: Lab) -> impl IntoView {
    let own = move || lab.player.run.with(|run| own_policy(run).to_string());
    view! { <p class="note">"Compared with "<b>{own}</b>", the script’s own. ≠ marks what differs."</p> }
}

/// A row a write, a column a policy.
pub fn table(lab: Lab, runs: Memo<Runs>) -> impl IntoView {
    let markup = move || {
        let runs = runs.get();
        lab.player.run.with(|run| table_markup(run, &runs))
    };
    let choose = move |event: Event| {
        let Some(column) =
            browser::data_near(&event, "data-column").and_then(|c| c.parse::<usize>().ok())
        else {
            return;
        };
        let value = browser::value_of(&event);
        let mut policies: Vec<Policy> = runs.with_untracked(|runs| {
            runs.iter()
                .skip(1)
                .map(|(policy, _)| policy.clone())
                .collect()
        });
        match (script::parse_policy(&value), column.checked_sub(1)) {
            (Ok(policy), Some(index)) if index < policies.len() => policies[index] = policy,
            (Ok(policy), Some(_)) => policies.push(policy),
            (Ok(policy), None) => return lab.set_policy(0, &policy),
            (Err(_), Some(index)) if index < policies.len() => drop(policies.remove(index)),
            _ => {}
        }
        let mut single: Vec<Policy> = Vec::new();
        for policy in policies {
            if !single.contains(&policy) {
                single.push(policy);
            }
        }
        lab.compared.set(single);
        let field = ["column-", &column.to_string()].concat();
        browser::after(0, move || browser::focus(&field, true));
    };
    view! {
        <div on:change=choose inner_html=markup></div>
    }
}

/// The chooser of a column; the first is the script's own.
fn chooser(out: &mut Html, column: usize, policy: Option<&Policy>) {
    let name = policy.map(Policy::to_string).unwrap_or_default();
    let label = match (column, policy) {
        (_, None) => "Add a policy".to_owned(),
        (0, _) => ["The script’s own policy, ", &name].concat(),
        _ => ["Change ", &name].concat(),
    };
    let index = column.to_string();
    out.raw("<select id=\"column-")
        .raw(&index)
        .raw("\" data-column=\"")
        .raw(&index)
        .raw("\" aria-label=\"")
        .text(&label)
        .raw("\">");
    if policy.is_none() {
        out.raw("<option value=\"\" selected>add a policy</option>");
    }
    if !name.is_empty() && !OFFERED.contains(&name.as_str()) {
        out.raw("<option selected>").text(&name).raw("</option>");
    }
    for offered in OFFERED {
        out.raw("<option")
            .raw(if offered == name { " selected>" } else { ">" })
            .raw(offered)
            .raw("</option>");
    }
    if column > 1 && policy.is_some() {
        out.raw("<option value=\"\">leave out</option>");
    }
    out.raw("</select>");
}

fn table_markup(run: &Run, runs: &[PolicyRun]) -> String {
    let scenario = run.scenario();
    let mut out = Html::default();
    out.raw("<table class=\"verdicts\"><caption class=\"sr\">What became of each write</caption><thead><tr><th scope=\"col\">write</th>");
    for (column, (policy, _)) in runs.iter().enumerate() {
        out.raw("<th scope=\"col\">");
        chooser(&mut out, column, Some(policy));
        out.raw("</th>");
    }
    out.raw("</tr></thead><tbody>");
    for line in lines(run, runs) {
        out.raw("<tr><th scope=\"row\"><span class=\"v\">");
        let client = line.client.map(|client| client.0);
        if let Some(token) = line.token {
            out.open_who("b", "tok", client).number(token).raw("</b>");
        }
        out.raw("<span>")
            .open_who("b", "", client)
            .raw("“")
            .text(&line.name)
            .raw("”</b> <small>")
            .number(line.at_secs)
            .raw(" s</small></span></span></th>");
        for found in &line.found {
            cell(&mut out, found.as_ref(), *found != line.found[0]);
        }
        out.raw("</tr>");
    }
    out.raw("</tbody><tfoot>");
    for (index, resource) in scenario.resources.iter().enumerate() {
        stored(&mut out, scenario, runs, ResourceId(index), &resource.name);
    }
    out.raw("</tfoot></table>");
    match runs.len() < MOST {
        true => {
            out.raw("<p class=\"cta\">");
            chooser(&mut out, runs.len(), None);
            out.raw("</p>");
        }
        false => {
            out.element("p", "note", "Four policies are the most that can be compared; choose another at the head of a column.");
        }
    }
    out.0
}

fn differs(out: &mut Html, differs: bool) {
    out.raw(if differs { "<span class=\"rel\" data-no><span aria-hidden=\"true\">≠</span><span class=\"sr\">differs</span></span>" } else { "" });
}

fn cell(out: &mut Html, outcome: Option<&Outcome>, other: bool) {
    out.raw(if other { "<td data-diff>" } else { "<td>" })
        .raw("<span class=\"v\">");
    match outcome {
        None => {
            out.raw("<span>did not arrive</span>");
        }
        Some(outcome) => {
            if matches!(
                outcome.answer,
                Answer::Accepted
                    | Answer::Rejected
                    | Answer::Duplicate
                    | Answer::Committed
                    | Answer::NotCommitted
            ) {
                glyph(out, outcome.answer);
            }
            let plain = Outcome {
                reason: None,
                anomalies: Default::default(),
                ..outcome.clone()
            };
            out.raw("<span><b>")
                .text(&script::print_outcome(&plain))
                .raw("</b>");
            let mut more: Vec<&str> = outcome.reason.iter().map(|reason| reason.name()).collect();
            more.extend(
                Anomaly::ALL
                    .iter()
                    .filter(|anomaly| outcome.anomalies.contains(anomaly))
                    .map(|anomaly| anomaly.name()),
            );
            if !more.is_empty() {
                out.raw("<small> ").text(&more.join(", ")).raw("</small>");
            }
            out.raw("</span>");
        }
    }
    differs(out, other);
    out.raw("</span></td>");
}

/// What a resource holds at the end.
fn stored(
    out: &mut Html,
    scenario: &Scenario,
    runs: &[PolicyRun],
    resource: ResourceId,
    name: &str,
) {
    let ends: Vec<(Token, String)> = runs
        .iter()
        .map(|(_, trace)| final_state(scenario, trace, resource))
        .collect();
    out.raw("<tr><th scope=\"row\">");
    out.text(if scenario.resources.len() > 1 {
        name
    } else {
        "stored"
    })
    .raw(" <small>at the end</small></th>");
    for ((_, trace), (_, value)) in runs.iter().zip(&ends) {
        let writer = trace
            .stores
            .iter()
            .rev()
            .find(|store| store.place.resource == resource)
            .and_then(|store| store.writer);
        let other = ends.first().is_some_and(|(_, own)| own != value);
        out.raw(if other { "<td data-diff" } else { "<td" });
        if let Some(writer) = writer {
            out.raw(" data-who=\"")
                .raw(WHO[writer.0 % WHO.len()])
                .raw("\"");
        }
        out.raw("><span class=\"v\"><span><b>");
        match value.as_str() {
            "" => out.raw("nothing"),
            value => out.raw("“").text(value).raw("”"),
        };
        out.raw("</b></span>");
        differs(out, other);
        out.raw("</span></td>");
    }
    out.raw("</tr>");
}
