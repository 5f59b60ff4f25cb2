//! From a run to its [`Film`] and its [`Picture`]s.

use crate::diagram::{self, Frame, Item, Part, Scene};
use crate::film::{Carried, Fault, Film, Picture, Piece, Ruling, Still};
use crate::html::WHO;
use crate::lesson::labels;
use crate::narration;
use crate::panels::{self, RuleForm};
use crate::session::Run;
use crate::sim::*;

/// The film of a run.
pub fn film(run: &Run) -> Film {
    let (scenario, trace) = (run.scenario(), &run.trace);
    let mut texts = Texts::default();
    let stills = (0..=trace.moments.len())
        .map(|passed| still(run, passed, &mut texts))
        .collect();
    Film {
        title: scenario.title.clone(),
        policy: scenario
            .resources
            .first()
            .map_or(String::new(), |_| policy_in_force(run)),
        clock: run.clock.clone(),
        steps: scenario.steps.len(),
        label: narration::timeline_label(scenario, trace),
        stills,
        texts: texts.0,
        rulings: rulings(run),
        events: events(scenario, trace),
        clients: scenario.clients.clone(),
        writes: scenario.messages.clone(),
        fault: run.parsed.errors.first().map(|error| Fault {
            line: error.line,
            column: error.column,
            text: error.to_string(),
        }),
        heights: Vec::new(),
    }
}

/// The policy that the first resource has at the start.
fn policy_in_force(run: &Run) -> String {
    let declared = run.scenario().resources.first();
    let policy = run.policy.as_ref().or(declared.map(|r| &r.policy));
    policy.map_or(String::new(), ToString::to_string)
}

/// Texts, each once.
#[derive(Default)]
struct Texts(Vec<String>);

impl Texts {
    /// Looks back only as far as equal texts lie in practice: what changes seldom is near its like.
    fn index(&mut self, text: String) -> usize {
        const BACK: usize = 64;
        let from = self.0.len().saturating_sub(BACK);
        let known = self.0[from..].iter().rposition(|known| *known == text);
        known.map_or_else(
            || {
                self.0.push(text);
                self.0.len() - 1
            },
            |at| from + at,
        )
    }
}

fn still(run: &Run, passed: usize, texts: &mut Texts) -> Still {
    let (scenario, trace) = (run.scenario(), &run.trace);
    let last = passed.checked_sub(1);
    let said = last.map_or(String::new(), |last| {
        narration::moment(scenario, trace, last)
    });
    let badge = narration::badge(scenario, trace, passed);
    Still {
        said: texts.index(said),
        loud: last.is_some_and(|last| {
            trace.moments[last]
                .events
                .clone()
                .any(|event| is_loud(trace, event))
        }),
        badge: texts.index(badge.text),
        broken: badge.broken,
        parties: texts.index(panels::parties(run, passed)),
        gate: texts.index(panels::resources(run, passed, RuleForm::Gate)),
        sql: texts.index(panels::resources(run, passed, RuleForm::Sql)),
        line: line(run, passed),
    }
}

/// A rejection, or an accepted write that should not have been.
pub fn is_loud(trace: &Trace, event: usize) -> bool {
    let Some(EventKind::Judged(verdict)) = trace.events.get(event).map(|event| &event.kind) else {
        return false;
    };
    let verdict = trace.verdicts.get(*verdict);
    verdict.is_some_and(|v| v.answer == Answer::Rejected || v.anomalies.contains(&Anomaly::Stale))
}

/// The line of the text that was carried out last, from 1; 0: none.
fn line(run: &Run, passed: usize) -> usize {
    let events = &run.trace.events[..run.trace.events_passed(passed)];
    let last = events.iter().filter_map(|event| event.step).max();
    last.and_then(|step| run.parsed.lines.steps.get(step).copied())
        .unwrap_or(0)
}

fn rulings(run: &Run) -> Vec<Ruling> {
    let mut found = Vec::new();
    for (moment, instant) in run.trace.moments.iter().enumerate() {
        for event in run.trace.events.get(instant.events.clone()).unwrap_or(&[]) {
            if let EventKind::Judged(index) = event.kind
                && let Some(verdict) = run.trace.verdicts.get(index)
            {
                found.push(ruling(run, moment, verdict));
            }
        }
    }
    found
}

fn ruling(run: &Run, moment: usize, verdict: &Verdict) -> Ruling {
    let scenario = run.scenario();
    let named = verdict
        .name
        .and_then(|name| Some((name, scenario.messages.get(name.0)?)));
    // A write to replicas has become what its quorum says.
    let replicas = scenario.resources.get(verdict.place.resource.0);
    let outcome = match named.filter(|_| replicas.is_some_and(|r| !r.replicas.is_empty())) {
        Some((name, _)) => delivery_outcome(scenario, &run.trace, name, verdict.delivery, None),
        None => verdict.outcome(),
    };
    let anomalies: Vec<&str> = verdict.anomalies.iter().map(|a| a.name()).collect();
    Ruling {
        moment,
        write: named.map_or(String::new(), |(_, text)| text.clone()),
        answer: verdict.answer,
        outcome: narration::short_outcome(&outcome),
        reason: verdict.reason.map_or("", Reason::name).to_owned(),
        token: match &verdict.comparison.token {
            CarriedToken::Missing => Carried::None,
            CarriedToken::Number(token) => Carried::Number(*token),
            CarriedToken::Text(text) => Carried::Text(text.clone()),
        },
        mark: verdict.comparison.mark,
        anomalies: anomalies.join(", "),
        policy: verdict.comparison.policy.to_string(),
    }
}

fn events(scenario: &Scenario, trace: &Trace) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (moment, instant) in trace.moments.iter().enumerate() {
        for event in instant.events.clone() {
            for name in labels(scenario, trace, event) {
                found.push((name, moment + 1));
            }
        }
    }
    found
}

/// The picture of a run for a frame.
pub fn picture(run: &Run, frame: &Frame) -> Picture {
    let scene = diagram::scene(run.scenario(), &run.trace, frame);
    picture_of(run.scenario(), &scene, frame)
}

/// What is drawn of a scene.
pub fn picture_of(scenario: &Scenario, scene: &Scene, frame: &Frame) -> Picture {
    let pieces = |items: &[Item]| {
        let mut pieces: Vec<Piece> = items.iter().map(|item| piece(scenario, item)).collect();
        pieces.sort_by_key(|piece| piece.moment);
        pieces
    };
    Picture {
        density: frame.density,
        width: scene.width,
        height: scene.height,
        orientation: scene.orientation,
        ground: diagram::ground_markup(scene),
        bars: pieces(&scene.bars),
        marks: pieces(&scene.marks),
        flights: scene.flights.clone(),
        axis: scene.axis.clone(),
        plot: scene.plot,
        fans: scene.fans.clone(),
    }
}

fn piece(scenario: &Scenario, item: &Item) -> Piece {
    Piece {
        moment: item.moment,
        names: names(scenario, item),
        attributes: item.who.map_or(String::new(), |who| {
            [" data-who=\"", WHO[who.0 % WHO.len()], "\""].concat()
        }),
        markup: diagram::shapes_markup(&item.shapes),
    }
}

/// What prose may call an item.
fn names(scenario: &Scenario, item: &Item) -> Vec<String> {
    let client = |id: ClientId| scenario.clients.get(id.0).map_or("", String::as_str);
    let resource = |id: ResourceId| {
        let found = scenario.resources.get(id.0);
        found.map_or("", |resource| &*resource.name)
    };
    let mut names = Vec::new();
    let mut add = |kind: &str, name: &str| names.push([kind, ":", name].concat());
    if let Some(token) = item.token {
        add("token", &token.to_string());
    }
    if let Some(who) = item.who {
        add("client", client(who));
    }
    match item.part {
        Part::Coordinator => add("coordinator", ""),
        Part::Lease(who) => add("lease", client(who)),
        Part::Belief(who) => add("belief", client(who)),
        Part::Write(name) => add(
            "write",
            scenario.messages.get(name.0).map_or("", String::as_str),
        ),
        Part::Mark(id) | Part::Resource(id) => {
            let kind = if matches!(item.part, Part::Mark(_)) {
                "mark"
            } else {
                "resource"
            };
            add(kind, resource(id));
            // Prose about a single resource does not name it.
            if id.0 == 0 {
                add(kind, "");
            }
        }
        Part::Client(_) | Part::Token(_) | Part::Value(_) | Part::External(_) => {}
    }
    names
}
