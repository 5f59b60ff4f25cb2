//! The explorer against `stateright`, against the simulation, and the claims of the lessons within
//! stated bounds.

use fencing_lab::explore::*;
use fencing_lab::script::{parse, parse_policy, print};
use fencing_lab::sim::{self, Anomaly, Policy};
use stateright::{Checker, HasDiscoveries, Model as _};
use std::collections::BTreeSet;

fn policy(text: &str) -> Policy {
    parse_policy(text).unwrap()
}

fn search(bounds: Bounds, name: &str, properties: &[Property]) -> Search {
    Search::new(bounds, policy(name), properties).unwrap()
}

/// Policies with every base and every option.
const POLICIES: [&str; 22] = [
    "unfenced",
    "unfenced+claim",
    "unfenced+sequence",
    "unfenced+dedupe-first",
    "fenced",
    "fenced+owner",
    "fenced+sequence",
    "fenced+claim",
    "fenced+claim+owner",
    "fenced+durable",
    "fenced+dedupe-after",
    "fenced+dedupe-first",
    "fenced+optional+verified",
    "strict",
    "strict+dedupe-first",
    "equality",
    "equality+claim",
    "equality+owner",
    "ask-holder",
    "deadline",
    "check-then-write",
    "check-then-write+cas+sequence",
];

/// Bounds in which nothing but two clients' grants, prompt writes and lease ends happen.
fn calm() -> Bounds {
    Bounds {
        clients: 2,
        grants: 1,
        writes: 2,
        reads: 0,
        pauses: 0,
        client_crashes: 0,
        lease_ends: LeaseEnds::AnyMoment,
        delays: 0,
        stalls: 0,
        duplicates: 0,
        retries: 0,
        coordinator_faults: 0,
        coordinator_fault: CoordinatorFault::LosesCounter,
        resource_crashes: 0,
    }
}

/// Bounds of different kinds, each with a few thousand states at most.
fn various_bounds() -> Vec<Bounds> {
    let calm = calm();
    let fault = |coordinator_fault| Bounds {
        coordinator_faults: 1,
        coordinator_fault,
        ..calm
    };
    vec![
        calm,
        Bounds { delays: 1, stalls: 1, reads: 1, ..calm },
        Bounds { clients: 1, grants: 2, delays: 1, stalls: 2, ..calm },
        Bounds { lease_ends: LeaseEnds::OnTime, pauses: 1, delays: 1, ..calm },
        Bounds { lease_ends: LeaseEnds::OnTime, client_crashes: 1, stalls: 1, grants: 2, writes: 1, ..calm },
        Bounds { duplicates: 1, delays: 1, resource_crashes: 1, ..calm },
        Bounds { retries: 1, delays: 1, reads: 1, writes: 1, grants: 2, ..calm },
        Bounds { client_crashes: 1, retries: 1, duplicates: 1, writes: 1, ..calm },
        Bounds { clients: 3, writes: 1, delays: 1, ..calm },
        fault(CoordinatorFault::Restart),
        fault(CoordinatorFault::LosesCounter),
        Bounds { delays: 1, ..fault(CoordinatorFault::RollsBack) },
        Bounds { grants: 2, writes: 1, ..fault(CoordinatorFault::RollsBackAndJumps) },
    ]
}

// ---- the same model, searched by `stateright`

/// A state, and the property that the last step into it violated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Seen {
    state: State,
    violated: Option<u8>,
}

struct Checked {
    model: Model,
    property: Option<Property>,
}

impl stateright::Model for Checked {
    type State = Seen;
    type Action = Action;

    fn init_states(&self) -> Vec<Seen> {
        vec![Seen { state: self.model.initial(), violated: None }]
    }

    fn actions(&self, seen: &Seen, actions: &mut Vec<Action>) {
        actions.extend(self.model.actions(&seen.state));
    }

    fn next_state(&self, seen: &Seen, action: Action) -> Option<Seen> {
        let step = self.model.step(&seen.state, action)?;
        let violated = step.violates(self.property.as_slice()).map(|p| p as u8);
        Some(Seen { state: step.state, violated })
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::<Self>::always("not violated", |_, seen| seen.violated.is_none())]
    }
}

fn checked(bounds: Bounds, name: &str, property: Option<Property>) -> Checked {
    let model = Model::new(bounds, policy(name)).unwrap();
    Checked { model, property }
}

/// The number of distinct states.
fn count_elsewhere(bounds: Bounds, name: &str) -> usize {
    let checker = checked(bounds, name, None).checker().threads(1).spawn_bfs().join();
    checker.unique_state_count()
}

/// The length of a shortest violation.
fn shortest_elsewhere(bounds: Bounds, name: &str, property: Property) -> Option<usize> {
    let checker = checked(bounds, name, Some(property))
        .checker()
        .threads(1)
        .finish_when(HasDiscoveries::Any)
        .spawn_bfs()
        .join();
    let path = checker.discovery("not violated")?;
    Some(path.into_actions().len())
}

fn shortest_here(bounds: Bounds, name: &str, property: Property) -> Option<usize> {
    match search(bounds, name, &[property]).run() {
        Outcome::Violated { path, .. } => Some(path.len()),
        Outcome::Holds { .. } => None,
        Outcome::LimitReached { states, .. } => panic!("{name}: limit reached at {states}"),
    }
}

#[test]
fn distinct_states_are_as_many_as_stateright_finds() {
    for bounds in various_bounds() {
        for name in POLICIES {
            let states = match search(bounds, name, &[]).run() {
                Outcome::Holds { states, .. } => states,
                other => panic!("{name} {bounds:?}: {other:?}"),
            };
            assert_eq!(states, count_elsewhere(bounds, name), "{name} {bounds:?}");
        }
    }
}

#[test]
fn shortest_violations_are_as_long_as_stateright_finds() {
    for bounds in various_bounds() {
        for name in POLICIES {
            for property in Property::ALL {
                let here = shortest_here(bounds, name, property);
                let elsewhere = shortest_elsewhere(bounds, name, property);
                assert_eq!(here, elsewhere, "{name} {property:?} {bounds:?}");
            }
        }
    }
}

// ---- the same verdicts as the simulation

/// What the model says of a path: verdicts in order, and whether the mark ever fell.
fn modelled(model: &Model, path: &[Action]) -> (Vec<Judged>, bool) {
    let (mut state, mut judged, mut fell) = (model.initial(), Vec::new(), false);
    for action in path {
        let step = model.step(&state, *action).expect("a step of a path can happen");
        judged.extend(step.judged);
        fell |= step.mark_fell;
        state = step.state;
    }
    (judged, fell)
}

fn anomalies(judged: &Judged) -> BTreeSet<Anomaly> {
    let said = [
        (judged.stale, Anomaly::Stale),
        (judged.unseen, Anomaly::Unseen),
        (judged.twice, Anomaly::Twice),
        (judged.lost_update, Anomaly::LostUpdate),
        (judged.holder_refused, Anomaly::HolderRefused),
    ];
    said.into_iter().filter(|(holds, _)| *holds).map(|(_, anomaly)| anomaly).collect()
}

/// Plays the path and compares verdict by verdict. Writes that stall on after the path are judged
/// by the simulation alone; `reordered` belongs to no property.
fn agree(model: &Model, path: &[Action]) {
    let scenario = play(model, path);
    let about = || format!("{}\n{:?}\n{path:?}\n{}", model.policy(), model.bounds(), print(&scenario));
    let trace = sim::run(&scenario);
    assert_eq!(trace.problems, [], "{}", about());
    let (judged, fell) = modelled(model, path);
    assert!(trace.verdicts.len() >= judged.len(), "{}", about());
    for (verdict, judged) in trace.verdicts.iter().zip(&judged) {
        let mut said = verdict.anomalies.clone();
        said.remove(&Anomaly::Reordered);
        assert_eq!(
            (verdict.answer, verdict.reason, said),
            (judged.answer, judged.reason, anomalies(judged)),
            "{:?}\n{}",
            judged,
            about()
        );
        assert_eq!(verdict.delivery > 1, judged.delivery > 1, "{}", about());
    }
    let falls = trace.stores.windows(2).any(|pair| pair[1].mark < pair[0].mark);
    assert_eq!(falls, fell, "{}", about());
    let parsed = parse(&print(&scenario));
    assert_eq!(parsed.errors, [], "{}", about());
    assert_eq!(parsed.scenario, scenario, "{}", about());
}

/// A small generator of numbers: the same walks in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

fn walk(model: &Model, dice: &mut Dice) -> Vec<Action> {
    let (mut state, mut path) = (model.initial(), Vec::new());
    for _ in 0..40 {
        let actions = model.actions(&state);
        if actions.is_empty() {
            break;
        }
        let action = actions[dice.below(actions.len())];
        path.push(action);
        state = model.step(&state, action).unwrap().state;
    }
    path
}

fn any_bounds(dice: &mut Dice) -> Bounds {
    let mut upto = |limit: u8| dice.below(usize::from(limit) + 1) as u8;
    let mut bounds = Bounds {
        clients: 1 + upto(2),
        grants: 1 + upto(1),
        writes: 1 + upto(2),
        reads: upto(2),
        pauses: upto(2),
        client_crashes: upto(1),
        lease_ends: LeaseEnds::ALL[usize::from(upto(1))],
        delays: upto(3),
        stalls: upto(3),
        duplicates: upto(3),
        retries: upto(1),
        coordinator_faults: upto(1),
        coordinator_fault: CoordinatorFault::ALL[usize::from(upto(3))],
        resource_crashes: upto(2),
    };
    if bounds.lease_ends == LeaseEnds::OnTime {
        bounds.coordinator_faults = 0;
    }
    bounds
}

#[test]
fn random_walks_agree_with_the_simulation() {
    let mut dice = Dice(1);
    for name in POLICIES {
        for _ in 0..400 {
            let model = Model::new(any_bounds(&mut dice), policy(name)).unwrap();
            agree(&model, &walk(&model, &mut dice));
        }
    }
}

#[test]
fn packing_a_state_loses_nothing() {
    let mut dice = Dice(2);
    for name in POLICIES {
        for _ in 0..50 {
            let model = Model::new(any_bounds(&mut dice), policy(name)).unwrap();
            let mut state = model.initial();
            for action in walk(&model, &mut dice) {
                state = model.step(&state, action).unwrap().state;
                assert_eq!(state.packed_and_unpacked(), state);
            }
        }
    }
}

// ---- counterexamples

fn shows(property: Property, trace: &sim::Trace) -> bool {
    let said = |anomaly| trace.verdicts.iter().any(|v| v.anomalies.contains(&anomaly));
    match property {
        Property::NoStaleAccepted => said(Anomaly::Stale),
        Property::HolderNeverRefused => said(Anomaly::HolderRefused),
        Property::NoDoubleEffectPerKey => said(Anomaly::Twice),
        Property::NoLostUpdate => said(Anomaly::LostUpdate),
        Property::MarkNeverFalls => trace.stores.windows(2).any(|pair| pair[1].mark < pair[0].mark),
    }
}

#[test]
fn every_counterexample_is_a_script_that_checks_and_shows_the_violation() {
    let mut found = 0;
    for bounds in various_bounds() {
        for name in POLICIES {
            for property in Property::ALL {
                let mut search = search(bounds, name, &[property]);
                let Outcome::Violated { path, property: broken, .. } = search.run() else {
                    continue;
                };
                assert_eq!(broken, property);
                agree(search.model(), &path);
                let text = print(&counterexample(search.model(), property, &path));
                let parsed = parse(&text);
                assert_eq!(parsed.errors, [], "{text}");
                let report = sim::check(&parsed.scenario);
                assert_eq!(report.trace.problems, [], "{text}");
                assert_eq!(report.failures, [], "{text}");
                assert!(shows(property, &report.trace), "{property:?}\n{text}");
                assert_eq!(step_lines(search.model(), &path).len(), path.len());
                found += 1;
            }
        }
    }
    assert!(found > 200, "only {found}");
}
