//! What each party holds at the cursor: coordinator, clients with belief beside truth, resource
//! with the rule at the write.

use super::icons::glyph;
use super::player::{Player, RunRef};
use crate::frame::{self, ClientFrame, Frame, Held, LeaseFrame, ResourceFrame};
use crate::gate::{self, Evaluation, Piece, PieceKind};
use crate::narration;
use crate::session::Cursor;
use crate::sim::*;
use leptos::prelude::*;

/// `a` to `f`: the colour of a client.
pub fn who(client: ClientId) -> &'static str {
    ["a", "b", "c", "d", "e", "f"][client.0 % MAX_CLIENTS]
}

/// All panels of a run.
#[component]
pub fn Panels(player: Player) -> impl IntoView {
    // The panels stand still within a moment but for what is left of the leases.
    let whole = Memo::new(move |_| {
        let cursor = player.cursor.get();
        let tenths = cursor.now_ms - cursor.now_ms % 100;
        (player.run.get(), Cursor { now_ms: tenths.max(0), ..cursor })
    });
    let frame = Memo::new(move |_| {
        let (run, cursor) = whole.get();
        frame::at(run.scenario(), &run.trace, cursor.passed, cursor.now_ms)
    });
    let run = player.run;
    view! {
        <div class="panels">
            <CoordinatorPanel run frame />
            {move || clients(run.get(), frame)}
            {move || resources(run.get(), frame)}
        </div>
    }
}

#[component]
fn CoordinatorPanel(run: Memo<RunRef>, frame: Memo<Frame>) -> impl IntoView {
    let leases = move || {
        let run = run.get();
        let count = run.scenario().leases.len();
        (0..count)
            .map(|index| {
                let part = Memo::new(move |_| frame.with(|f| f.leases.get(index).cloned()));
                let run = run.clone();
                view! { <div>{move || part.get().map(|lease| lease_facts(&run, index, &lease))}</div> }
            })
            .collect_view()
    };
    view! {
        <section class="panel">
            <h2>"Coordinator"</h2>
            {leases}
        </section>
    }
}

fn lease_facts(run: &RunRef, index: usize, lease: &LeaseFrame) -> impl IntoView + use<> {
    let scenario = run.scenario();
    let name = scenario.leases[index].name.clone();
    let ttl_secs = scenario.leases[index].ttl_secs.unwrap_or(scenario.ttl_secs);
    let held = lease.held.map(|held| held_facts(scenario, &held, ttl_secs));
    let free = lease.held.is_none().then(|| {
        let text = match lease.lock_delay_until_secs {
            Some(until) => ["free, lock delay until ", &until.to_string(), " s"].concat(),
            None => "free".to_owned(),
        };
        view! { <p class="fact"><span>{text}</span></p> }
    });
    let next = ["Next token: ", &lease.next.to_string()].concat();
    view! {
        {name.map(|name| view! { <p class="note">{["lease ", &name].concat()}</p> })}
        {held}
        {free}
        <p class="note">{next}</p>
    }
}

fn held_facts(scenario: &Scenario, held: &Held, ttl_secs: Secs) -> impl IntoView + use<> {
    let by = ["held by ", &scenario.clients[held.client.0]].concat();
    let tenths = held.remaining_ms / 100;
    let left = [
        &(tenths / 10).to_string(), ".", &(tenths % 10).to_string(),
        " s left, until ", &held.until_secs.to_string(), " s",
    ].concat();
    let whole_ms = (held.until_secs.saturating_sub(held.since_secs)).max(1).saturating_mul(1000);
    let share = (held.remaining_ms.saturating_mul(100) / whole_ms).min(100);
    view! {
        <p class="fact"><b class="tok" data-who=who(held.client)>{held.token}</b><span>{by}</span></p>
        <svg class="meter" data-who=who(held.client) viewBox="0 0 100 4" preserveAspectRatio="none"
            role="meter" aria-label="Lease time left, in seconds" aria-valuemin="0"
            aria-valuemax=ttl_secs.to_string() aria-valuenow=(held.remaining_ms / 1000).min(ttl_secs).to_string()>
            <rect class="belief" width="100" height="4" />
            <rect class="head" width=share.to_string() height="4" />
        </svg>
        <p class="note">{left}</p>
    }
}

fn clients(run: RunRef, frame: Memo<Frame>) -> impl IntoView {
    let count = run.scenario().clients.len();
    (0..count)
        .map(|index| {
            let part = Memo::new(move |_| frame.with(|f| f.clients.get(index).cloned()));
            let run = run.clone();
            view! {
                <section class="panel" data-who=who(ClientId(index))>
                    {move || part.get().map(|client| client_facts(&run, index, &client))}
                </section>
            }
        })
        .collect_view()
}

fn client_facts(run: &RunRef, index: usize, client: &ClientFrame) -> impl IntoView + use<> {
    let scenario = run.scenario();
    let name = client_name(scenario, index);
    let leases: Vec<_> = (client.leases.iter().zip(&scenario.leases))
        .map(|(known, lease)| {
            let (believes, since) = narration::belief_words(known.belief);
            let (truth, about) = narration::truth_words(known.truth);
            let (sign, label) = if known.matches { ("=", "matches") } else { ("≠", "does not match") };
            view! {
                {lease.name.as_ref().map(|name| view! { <p class="note">{["lease ", name].concat()}</p> })}
                <dl class="compare" data-match=if known.matches { "yes" } else { "no" }>
                    <div><dt>"believes"</dt><dd>{believes}<small>{since}</small></dd></div>
                    <div class="sign"><dt class="sr">"belief and truth"</dt><dd class="rel"><span aria-hidden="true">{sign}</span><span class="sr">{label}</span></dd></div>
                    <div><dt>"truth"</dt><dd><span class="truth">{truth}</span><small>{about}</small></dd></div>
                </dl>
            }
        })
        .collect();
    view! {
        <h2>{name}" "<small>{narration::status_words(client.status)}</small></h2>
        {leases}
        <p class="note">{client.last_act.clone()}</p>
    }
}

/// `Client A`, or a longer name as it is.
pub fn client_name(scenario: &Scenario, index: usize) -> String {
    let name = &scenario.clients[index];
    if name.len() <= 2 { ["Client ", name].concat() } else { name.clone() }
}

fn resources(run: RunRef, frame: Memo<Frame>) -> impl IntoView {
    let count = run.scenario().resources.len();
    (0..count)
        .map(|index| {
            let part = Memo::new(move |_| frame.with(|f| f.resources.get(index).cloned()));
            let run = run.clone();
            view! {
                <section class="panel gate-panel">
                    {move || part.get().map(|resource| resource_facts(&run, index, &resource))}
                </section>
            }
        })
        .collect_view()
}

fn resource_facts(run: &RunRef, index: usize, resource: &ResourceFrame) -> impl IntoView + use<> {
    let scenario = run.scenario();
    let last = resource.last_verdict.and_then(|index| run.trace.verdicts.get(index));
    let name = if scenario.resources.len() > 1 {
        ["Resource ", &scenario.resources[index].name].concat()
    } else {
        "Resource".to_owned()
    };
    let when = last.map(|verdict| {
        let what = if verdict.claim { "last claim, " } else { "last write, " };
        [what, &verdict.at_secs.to_string(), " s"].concat()
    });
    let judged = last.filter(|_| resource.judging);
    let evaluation = judged.map(|verdict| gate::evaluation(scenario, &run.trace, verdict));
    let policy = match judged {
        Some(verdict) => Some(verdict.comparison.policy.clone()),
        None => resource.places.first().map(|place| place.policy.clone()),
    };
    view! {
        <h2>{name}" "<small>{when}</small></h2>
        <div class="gate-row">
            <div>
                {policy.map(|policy| rule_lines(&policy, evaluation.as_ref()))}
                {match evaluation {
                    Some(evaluation) => evaluated(&evaluation).into_any(),
                    None => view! { <p class="eval note">"waiting for a write"</p> }.into_any(),
                }}
            </div>
            {stored(scenario, index, resource)}
        </div>
    }
}

fn rule_lines(policy: &Policy, evaluation: Option<&Evaluation>) -> impl IntoView + use<> {
    let executed = evaluation.map(|evaluation| evaluation.line);
    let good = evaluation.is_some_and(|e| e.answer == Answer::Accepted);
    let lines: Vec<_> = (gate::rule(policy).into_iter().enumerate())
        .map(|(index, line)| {
            let current = executed == Some(index);
            view! {
                <li aria-current=current.then_some("step") data-v=current.then_some(if good { "ok" } else { "no" })>{line.text}</li>
            }
        })
        .collect();
    view! { <ol class="gate" aria-label="Acceptance rule">{lines}</ol> }
}

fn evaluated(evaluation: &Evaluation) -> impl IntoView + use<> {
    let holds = evaluation.holds.map(|holds| if holds { "yes" } else { "no" });
    let (tone, word) = match evaluation.answer {
        Answer::Accepted => ("verdict ok-t", "accept"),
        Answer::Duplicate => ("verdict", "duplicate"),
        _ => ("verdict no-t", "reject"),
    };
    view! {
        <p class="eval">
            {piece(&evaluation.left)}
            " "{evaluation.operator}" "
            {evaluation.right.as_ref().map(piece)}
            {holds.map(|holds| view! { <i aria-hidden="true">" → "</i>{holds} })}
            <i aria-hidden="true">" → "</i>
            <strong class=tone>{glyph(evaluation.answer)}{word}</strong>
        </p>
    }
}

fn piece(piece: &Piece) -> impl IntoView + use<> {
    let text = piece.text.clone();
    match piece.kind {
        PieceKind::Token(client) => view! { <b class="tok" data-who=who(client)>{text}</b> }.into_any(),
        PieceKind::Mark => view! { <b class="tok">{text}</b> }.into_any(),
        PieceKind::Client(client) => view! { <b class="client" data-who=who(client)>{text}</b> }.into_any(),
        PieceKind::Plain => view! { <span>{text}</span> }.into_any(),
    }
}

fn stored(scenario: &Scenario, index: usize, resource: &ResourceFrame) -> impl IntoView + use<> {
    let replicas = scenario.resources[index].replicas.clone();
    let places: Vec<_> = (resource.places.iter().enumerate())
        .map(|(at, place)| {
            let value = if place.value.is_empty() { "empty".to_owned() } else { ["“", &place.value, "”"].concat() };
            let fenced = place.policy.base.looks_at_token();
            let number = if fenced { Some(place.mark) } else { place.value_token };
            let label = if fenced { "mark" } else { "token" };
            view! {
                {replicas.get(at).map(|name| view! { <p class="note">{name.clone()}</p> })}
                <dl class="kv">
                    <div data-who=place.writer.map(who)><dt>"value"</dt><dd>{value}</dd></div>
                    <div><dt>{label}</dt><dd>{number.map_or("none".to_owned(), |n| n.to_string())}</dd></div>
                </dl>
            }
        })
        .collect();
    view! { <div class="places">{places}</div> }
}
