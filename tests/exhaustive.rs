//! The explorer against `stateright`, against the simulation, and the claims of the lessons within
//! stated bounds.

use Property::*;
use fencing_lab::explore::*;
use fencing_lab::script::{parse, parse_policy, print};
use fencing_lab::sim::{self, Anomaly, EnumSet, Policy};
use stateright::{Checker, Model as _};

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
        Bounds {
            delays: 1,
            stalls: 1,
            reads: 1,
            ..calm
        },
        Bounds {
            clients: 1,
            grants: 2,
            reads: 1,
            delays: 1,
            stalls: 2,
            ..calm
        },
        Bounds {
            lease_ends: LeaseEnds::OnTime,
            pauses: 1,
            delays: 1,
            ..calm
        },
        Bounds {
            lease_ends: LeaseEnds::OnTime,
            client_crashes: 1,
            stalls: 1,
            grants: 2,
            writes: 1,
            ..calm
        },
        Bounds {
            duplicates: 1,
            delays: 1,
            resource_crashes: 1,
            ..calm
        },
        Bounds {
            retries: 1,
            delays: 1,
            writes: 1,
            grants: 2,
            ..calm
        },
        Bounds {
            client_crashes: 1,
            retries: 1,
            duplicates: 1,
            writes: 1,
            ..calm
        },
        Bounds {
            clients: 3,
            writes: 1,
            delays: 1,
            ..calm
        },
        fault(CoordinatorFault::Restart),
        fault(CoordinatorFault::LosesCounter),
        Bounds {
            delays: 1,
            ..fault(CoordinatorFault::RollsBack)
        },
        Bounds {
            grants: 2,
            writes: 1,
            ..fault(CoordinatorFault::RollsBackAndJumps)
        },
    ]
}

// ---- the same model, searched by `stateright`

/// A state, and whether the last step into it violated the property.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Seen {
    state: State,
    violated: bool,
}

struct Checked {
    model: Model,
    property: Option<Property>,
}

const NAME: &str = "not violated";

impl stateright::Model for Checked {
    type State = Seen;
    type Action = Action;

    fn init_states(&self) -> Vec<Seen> {
        let state = self.model.initial();
        let violated = false;
        vec![Seen { state, violated }]
    }

    fn actions(&self, seen: &Seen, actions: &mut Vec<Action>) {
        actions.extend(self.model.actions(&seen.state));
    }

    fn next_state(&self, seen: &Seen, action: Action) -> Option<Seen> {
        let step = self.model.step(&seen.state, action)?;
        let violated = step.violates(self.property.as_slice()).is_some();
        let state = step.state;
        Some(Seen { state, violated })
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::<Self>::always(NAME, |_, seen| {
            !seen.violated
        })]
    }
}

/// One property at a time: of several, `stateright` keeps the last discovery, not the first.
fn searched_elsewhere(
    bounds: Bounds,
    name: &str,
    property: Option<Property>,
) -> impl Checker<Checked> {
    let model = Model::new(bounds, policy(name)).unwrap();
    let checked = Checked { model, property };
    checked.checker().threads(1).spawn_bfs().join()
}

/// The length of a shortest violation.
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
            let elsewhere = searched_elsewhere(bounds, name, None).unique_state_count();
            assert_eq!(states, elsewhere, "{name} {bounds:?}");
        }
    }
}

/// In two tests, which run at the same time.
fn shortest_violations_are_as_long(policies: &[&str]) {
    for bounds in various_bounds() {
        for name in policies {
            for property in Property::ALL {
                let here = shortest_here(bounds, name, property);
                let elsewhere = searched_elsewhere(bounds, name, Some(property));
                let elsewhere = elsewhere
                    .discovery(NAME)
                    .map(|path| path.into_actions().len());
                assert_eq!(here, elsewhere, "{name} {property:?} {bounds:?}");
            }
        }
    }
}

#[test]
fn shortest_violations_are_as_long_as_stateright_finds() {
    shortest_violations_are_as_long(&POLICIES[..POLICIES.len() / 2]);
}

#[test]
fn shortest_violations_are_as_long_as_stateright_finds_under_the_other_policies() {
    shortest_violations_are_as_long(&POLICIES[POLICIES.len() / 2..]);
}

// ---- the same verdicts as the simulation

/// What the model says of a path: verdicts in order, and whether the mark ever fell.
fn modelled(model: &Model, path: &[Action]) -> (Vec<Judged>, bool) {
    let (mut state, mut judged, mut fell) = (model.initial(), Vec::new(), false);
    for action in path {
        let step = model
            .step(&state, *action)
            .expect("a step of a path can happen");
        judged.extend(step.judged);
        fell |= step.mark_fell;
        state = step.state;
    }
    (judged, fell)
}

fn anomalies(judged: &Judged) -> EnumSet<Anomaly> {
    let said = [
        (judged.stale, Anomaly::Stale),
        (judged.unseen, Anomaly::Unseen),
        (judged.twice, Anomaly::Twice),
        (judged.lost_update, Anomaly::LostUpdate),
        (judged.holder_refused, Anomaly::HolderRefused),
    ];
    said.into_iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, anomaly)| anomaly)
        .collect()
}

/// Plays the path and compares verdict by verdict. Writes that stall on after the path are judged
/// by the simulation alone; `reordered` belongs to no property.
fn agree(model: &Model, path: &[Action]) {
    let scenario = play(model, path);
    let about = || {
        format!(
            "{}\n{:?}\n{path:?}\n{}",
            model.policy(),
            model.bounds(),
            print(&scenario)
        )
    };
    let trace = sim::run(&scenario);
    assert_eq!(trace.problems, [], "{}", about());
    let (judged, fell) = modelled(model, path);
    assert!(trace.verdicts.len() >= judged.len(), "{}", about());
    for (verdict, judged) in trace.verdicts.iter().zip(&judged) {
        let mut said = verdict.anomalies;
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
    let falls = trace
        .stores
        .windows(2)
        .any(|pair| pair[1].mark < pair[0].mark);
    assert_eq!(falls, fell, "{}", about());
    let parsed = parse(&print(&scenario));
    assert_eq!(parsed.errors, [], "{}", about());
    assert_eq!(parsed.scenario, scenario, "{}", about());
}

/// A small generator of numbers: the same walks in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
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

/// Every action there is, for clients and slots in and out of range.
fn all_actions() -> Vec<Action> {
    let mut all = vec![
        Action::LeaseEnds,
        Action::CoordinatorSaves,
        Action::CoordinatorFails,
    ];
    all.push(Action::ResourceForgets);
    for client in 0..4 {
        for how in [How::AtOnce, How::Late, How::Stalling] {
            all.extend([Action::Write(client, how), Action::Retry(client, how)]);
        }
        all.extend([Action::Acquire, Action::Read, Action::Pause].map(|make| make(client)));
        all.extend([Action::Resume, Action::Crash, Action::Restart].map(|make| make(client)));
    }
    for slot in 0..14 {
        all.extend([Action::Arrive, Action::ArriveAndStall].map(|make| make(slot)));
        all.extend([Action::TakeEffect, Action::ArriveAgain].map(|make| make(slot)));
    }
    all
}

#[test]
fn exactly_the_actions_that_are_offered_can_happen() {
    let mut dice = Dice(3);
    let all = all_actions();
    for name in POLICIES {
        for _ in 0..20 {
            let model = Model::new(any_bounds(&mut dice), policy(name)).unwrap();
            let mut state = model.initial();
            for action in walk(&model, &mut dice) {
                let offered = model.actions(&state);
                for action in &all {
                    let can = model.step(&state, *action).is_some();
                    assert_eq!(can, offered.contains(action), "{action:?} {state:?}");
                }
                state = model.step(&state, action).unwrap().state;
            }
        }
    }
}

// ---- counterexamples

fn shows(property: Property, trace: &sim::Trace) -> bool {
    let said = |anomaly| {
        trace
            .verdicts
            .iter()
            .any(|v| v.anomalies.contains(&anomaly))
    };
    match property {
        Property::NoStaleAccepted => said(Anomaly::Stale),
        Property::HolderNeverRefused => said(Anomaly::HolderRefused),
        Property::NoDoubleEffectPerKey => said(Anomaly::Twice),
        Property::NoLostUpdate => said(Anomaly::LostUpdate),
        Property::MarkNeverFalls => trace
            .stores
            .windows(2)
            .any(|pair| pair[1].mark < pair[0].mark),
    }
}

#[test]
fn every_counterexample_is_a_script_that_checks_and_shows_the_violation() {
    let mut found = 0;
    for bounds in various_bounds() {
        for name in POLICIES {
            for property in Property::ALL {
                let mut search = search(bounds, name, &[property]);
                let Outcome::Violated {
                    path,
                    property: broken,
                    ..
                } = search.run()
                else {
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

// ---- slices, limits and the command

#[test]
fn slices_lead_to_the_same_end() {
    let whole = search(usual(), "check-then-write", &[NoStaleAccepted]).run();
    let mut sliced = search(usual(), "check-then-write", &[NoStaleAccepted]);
    let mut slices = 0;
    let outcome = loop {
        slices += 1;
        let progress = sliced.run_for(7);
        let levels = sliced.levels();
        assert_eq!(levels.iter().sum::<usize>(), progress.distinct);
        assert_eq!(levels.len(), progress.depth + 1);
        if let Some(outcome) = progress.done {
            break outcome;
        }
    };
    assert!(slices > 10);
    assert_eq!(outcome, whole);
}

#[test]
fn shorter_runs_are_counted() {
    let mut failing = search(usual(), "check-then-write", &[NoStaleAccepted]);
    let mut all = search(usual(), "check-then-write", &[]);
    all.run();
    let Outcome::Violated {
        path,
        states_before,
        ..
    } = failing.run()
    else {
        panic!("it holds");
    };
    assert_eq!(
        states_before,
        all.levels()[..path.len()].iter().sum::<usize>()
    );
}

#[test]
fn a_limit_is_reported() {
    let mut limited = search(usual(), "fenced", &[NoStaleAccepted]).with_max_states(100);
    let outcome = limited.run();
    assert!(
        matches!(outcome, Outcome::LimitReached { states: 100.., .. }),
        "{outcome:?}"
    );
    assert!(
        title(&outcome).starts_with("Stopped after 1"),
        "{}",
        title(&outcome)
    );
}

#[test]
fn bounds_outside_their_range_are_refused() {
    let refused = |bounds: Bounds| bounds.check().unwrap_err().to_string();
    let none = Bounds {
        clients: 0,
        ..calm()
    };
    assert_eq!(refused(none), "clients must be 1 to 3, not 0");
    let both = Bounds {
        lease_ends: LeaseEnds::OnTime,
        coordinator_faults: 1,
        ..calm()
    };
    assert!(refused(both).starts_with("a failing coordinator"));
}

#[test]
fn no_sentence_promises_more_than_the_bounds() {
    let mut dice = Dice(4);
    for _ in 0..200 {
        let bounds = any_bounds(&mut dice);
        let lists = [describe(&bounds), covered(&bounds), not_covered(&bounds)].concat();
        for sentence in lists {
            let lower = sentence.to_lowercase();
            let words = ["safe", "proven", "proof", "guarantee", "many "];
            assert!(words.iter().all(|word| !lower.contains(word)), "{sentence}");
        }
    }
    let outcome = Outcome::Holds {
        states: 12_345,
        depth: 9,
    };
    assert_eq!(title(&outcome), "No violation in 12,345 distinct states");
}

fn command(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fencing-lab"));
    let output = command.arg("explore").args(arguments).output().unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
    )
}

#[test]
fn the_command_tells_by_its_status() {
    let (status, text) = command(&["--policy", "fenced", "--reads", "0"]);
    assert_eq!(status, Some(0));
    assert!(
        text.starts_with("no violation in 621 distinct states (bounds: Two clients"),
        "{text}"
    );
    let (status, text) = command(&["--policy", "unfenced"]);
    assert_eq!(status, Some(1));
    let parsed = parse(&text);
    assert_eq!(parsed.errors, [], "{text}");
    assert_eq!(sim::check(&parsed.scenario).failures, [], "{text}");
    assert!(text.contains("(stale)"), "{text}");
    for wrong in [
        &["--policy", "fence"][..],
        &["--policy", "fenced", "--clients", "4"],
        &["--policy", "fenced", "--property", "all-is-well"],
        &["--policy", "fenced", "--max-states", "10"],
        &[
            "--policy",
            "fenced",
            "--lease-ends",
            "on-time",
            "--coordinator-faults",
            "1",
        ],
    ] {
        assert_eq!(command(wrong), (Some(2), String::new()), "{wrong:?}");
    }
}

// ---- what the lessons claim, within stated bounds

/// No violation in so many distinct states, or a shortest one of so many steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Holds(usize),
    Fails(usize),
}
use Found::{Fails, Holds};

fn found(bounds: Bounds, name: &str, property: Property) -> Found {
    match search(bounds, name, &[property]).run() {
        Outcome::Holds { states, .. } => Holds(states),
        Outcome::Violated { path, .. } => Fails(path.len()),
        Outcome::LimitReached { states, .. } => panic!("{name}: limit reached at {states}"),
    }
}

/// Compares a whole table, so that one run shows all that differs.
fn claims(bounds: Bounds, table: &[(&str, Property, Found)]) {
    let mut differs = Vec::new();
    for (name, property, expected) in table {
        let got = found(bounds, name, *property);
        if got != *expected {
            differs.push(format!(
                "{name} {property:?}: expected {expected:?}, got {got:?}"
            ));
        }
    }
    assert!(differs.is_empty(), "{bounds:?}\n{}", differs.join("\n"));
}

/// Late and stalled writes, leases that end at any moment.
fn usual() -> Bounds {
    Bounds {
        delays: 1,
        stalls: 1,
        ..calm()
    }
}

#[test]
fn only_a_comparison_at_the_effect_accepts_no_stale_write() {
    claims(
        usual(),
        &[
            ("unfenced", NoStaleAccepted, Fails(5)),
            ("deadline", NoStaleAccepted, Fails(5)),
            ("ask-holder", NoStaleAccepted, Fails(6)),
            ("check-then-write", NoStaleAccepted, Fails(6)),
            ("check-then-write+cas", NoStaleAccepted, Holds(861)),
            ("fenced", NoStaleAccepted, Holds(621)),
            ("fenced+claim", NoStaleAccepted, Holds(749)),
            ("strict", NoStaleAccepted, Holds(621)),
            // It accepts no stale write because it accepts no second grant at all.
            ("equality", NoStaleAccepted, Holds(845)),
            ("equality", HolderNeverRefused, Fails(5)),
            ("equality+claim", NoStaleAccepted, Holds(749)),
            ("equality+claim", HolderNeverRefused, Holds(749)),
            ("strict", HolderNeverRefused, Fails(3)),
            ("check-then-write+cas", HolderNeverRefused, Fails(4)),
            ("fenced", HolderNeverRefused, Holds(621)),
            ("fenced", MarkNeverFalls, Holds(621)),
        ],
    );
}

#[test]
fn asking_for_the_holder_confuses_two_grants_of_one_client() {
    let bounds = Bounds {
        clients: 1,
        grants: 2,
        stalls: 0,
        ..usual()
    };
    claims(
        bounds,
        &[
            ("ask-holder", NoStaleAccepted, Fails(6)),
            ("fenced", NoStaleAccepted, Holds(51)),
        ],
    );
}

#[test]
fn on_time_a_pause_or_a_late_write_is_enough() {
    let calm = Bounds {
        lease_ends: LeaseEnds::OnTime,
        ..calm()
    };
    claims(calm, &[("unfenced", NoStaleAccepted, Holds(44))]);
    claims(
        Bounds { pauses: 1, ..calm },
        &[("unfenced", NoStaleAccepted, Fails(7))],
    );
    claims(
        Bounds { delays: 1, ..calm },
        &[("unfenced", NoStaleAccepted, Fails(6))],
    );
    // With a deadline the clocks decide, and here they agree.
    claims(
        Bounds {
            pauses: 1,
            delays: 1,
            stalls: 1,
            ..calm
        },
        &[
            ("deadline", NoStaleAccepted, Holds(14752)),
            ("deadline", HolderNeverRefused, Holds(14752)),
            ("fenced", NoStaleAccepted, Holds(11552)),
        ],
    );
}

#[test]
fn one_write_a_token_is_right_for_strict() {
    let bounds = Bounds {
        writes: 1,
        ..usual()
    };
    claims(
        bounds,
        &[
            ("strict", HolderNeverRefused, Holds(149)),
            // The claim itself uses the token up.
            ("strict+claim", HolderNeverRefused, Fails(2)),
        ],
    );
}

#[test]
fn a_silent_successor_loses_updates_unless_it_claims() {
    let bounds = Bounds {
        reads: 1,
        writes: 1,
        ..usual()
    };
    claims(
        bounds,
        &[
            ("fenced", NoStaleAccepted, Holds(1497)),
            ("fenced", NoLostUpdate, Fails(6)),
            ("fenced+claim", NoStaleAccepted, Holds(1565)),
            ("fenced+claim", NoLostUpdate, Holds(1565)),
            ("fenced+claim", HolderNeverRefused, Holds(1565)),
        ],
    );
    // A client can also overtake itself: that is not what a claim is for.
    claims(
        Bounds {
            writes: 2,
            ..bounds
        },
        &[
            ("fenced+claim", NoLostUpdate, Fails(5)),
            ("fenced+claim+sequence", NoLostUpdate, Fails(5)),
        ],
    );
    claims(
        Bounds {
            writes: 2,
            delays: 0,
            stalls: 0,
            ..bounds
        },
        &[("fenced+claim", NoLostUpdate, Holds(409))],
    );
}

#[test]
fn the_mark_must_last() {
    let bounds = Bounds {
        resource_crashes: 1,
        ..usual()
    };
    claims(
        bounds,
        &[
            ("fenced", NoStaleAccepted, Fails(6)),
            ("fenced", MarkNeverFalls, Fails(3)),
            ("fenced+durable", NoStaleAccepted, Holds(1242)),
            ("fenced+durable", MarkNeverFalls, Holds(1242)),
            ("equality", NoStaleAccepted, Fails(6)),
        ],
    );
}

#[test]
fn the_counter_must_never_go_back() {
    let with = |coordinator_fault, grants| Bounds {
        coordinator_faults: 1,
        coordinator_fault,
        grants,
        writes: 1,
        delays: 1,
        ..calm()
    };
    claims(
        with(CoordinatorFault::Restart, 1),
        &[
            ("fenced", NoStaleAccepted, Holds(122)),
            ("fenced", HolderNeverRefused, Holds(122)),
        ],
    );
    claims(
        with(CoordinatorFault::LosesCounter, 1),
        &[
            ("fenced", NoStaleAccepted, Fails(5)),
            ("fenced+owner", NoStaleAccepted, Holds(204)),
            ("fenced+owner", HolderNeverRefused, Fails(5)),
        ],
    );
    claims(
        with(CoordinatorFault::RollsBack, 1),
        &[
            ("fenced", NoStaleAccepted, Fails(6)),
            ("fenced+owner", NoStaleAccepted, Holds(487)),
            ("fenced+owner", HolderNeverRefused, Fails(6)),
        ],
    );
    // The owner helps with equal tokens of two clients only. A rolled-back counter also gives a
    // later grant a smaller token than an earlier one…
    let rolled_back = with(CoordinatorFault::RollsBack, 2);
    claims(rolled_back, &[("fenced+owner", NoStaleAccepted, Fails(8))]);
    // … and two grants of one client the same token.
    let alone = Bounds {
        clients: 1,
        writes: 2,
        ..rolled_back
    };
    claims(alone, &[("fenced+owner", NoStaleAccepted, Fails(7))]);
    claims(
        with(CoordinatorFault::RollsBackAndJumps, 2),
        &[
            ("fenced", NoStaleAccepted, Holds(10003)),
            ("fenced", HolderNeverRefused, Holds(10003)),
        ],
    );
}

#[test]
fn twice_is_not_stale() {
    let copies = Bounds {
        duplicates: 1,
        ..usual()
    };
    claims(
        copies,
        &[
            ("fenced", NoDoubleEffectPerKey, Fails(3)),
            ("fenced+dedupe-after", NoDoubleEffectPerKey, Holds(1821)),
            ("fenced+dedupe-first", NoDoubleEffectPerKey, Holds(1821)),
            ("fenced+sequence", NoDoubleEffectPerKey, Holds(2117)),
            ("strict", NoDoubleEffectPerKey, Holds(1965)),
        ],
    );
    // Under a new token the sequence begins anew.
    let retries = Bounds {
        retries: 1,
        grants: 2,
        writes: 1,
        delays: 1,
        ..calm()
    };
    claims(
        retries,
        &[
            ("fenced", NoDoubleEffectPerKey, Fails(3)),
            ("fenced+sequence", NoDoubleEffectPerKey, Fails(5)),
            ("strict", NoDoubleEffectPerKey, Fails(5)),
            ("fenced+dedupe-after", NoDoubleEffectPerKey, Holds(2953)),
            ("fenced+dedupe-first", NoDoubleEffectPerKey, Holds(2953)),
            ("unfenced+dedupe-first", NoDoubleEffectPerKey, Holds(2009)),
        ],
    );
}
