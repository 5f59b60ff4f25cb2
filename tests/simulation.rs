//! What holds of every run, whatever the scenario: the invariants at the head of `sim`.

mod common;

use common::{corpus, random_text};
use fencing_lab::script;
use fencing_lab::sim::{self, *};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Until `until_secs`, or until the shorter run ends by itself, both runs are the same.
fn same_before(short: &Trace, long: &Trace, until_secs: Secs) {
    let until_secs = until_secs.min(short.end_secs);
    let before = |trace: &Trace| -> Vec<Event> {
        let early = |event: &&Event| event.at_secs < until_secs;
        trace.events.iter().filter(early).cloned().collect()
    };
    assert_eq!(before(short), before(long));
}

/// The marks of each place under a policy that fences, step by step: only a reset may lower one.
fn fenced_marks_never_fall(scenario: &Scenario, trace: &Trace) {
    let mut last: BTreeMap<Place, Token> = BTreeMap::new();
    for change in &trace.stores {
        let before = last.insert(change.place, change.mark).unwrap_or(0);
        let reset = change.event.is_some_and(|event| {
            matches!(
                trace.events[event].kind,
                EventKind::MarkForgotten { kept: false, .. }
                    | EventKind::RestartedAtMark { kept: false, .. }
                    | EventKind::ResourceRestored(_)
            )
        });
        assert!(
            reset || change.mark >= before,
            "{}: {change:?} after {before}",
            scenario.title
        );
    }
}

/// Tokens rise in the order of grants, unless somebody set the counter or granted by hand.
fn healthy_tokens_increase(scenario: &Scenario, trace: &Trace) {
    let broken = |event: &Event| {
        matches!(
            event.kind,
            EventKind::CoordinatorRestored { .. }
                | EventKind::CoordinatorRestarted { token: Some(_) }
                | EventKind::Granted {
                    how: GrantKind::Forced,
                    ..
                }
        )
    };
    if trace.events.iter().any(broken) {
        return;
    }
    for lease in 0..scenario.leases.len() {
        let of_lease = trace
            .grants
            .iter()
            .filter(|grant| grant.lease == LeaseId(lease));
        let firsts: Vec<Token> = of_lease.map(|grant| grant.tokens[0]).collect();
        assert!(
            firsts.windows(2).all(|pair| pair[0] < pair[1]),
            "{firsts:?}"
        );
    }
}

/// Moments divide the events, in order of time.
fn moments_cover_all_events(trace: &Trace) {
    let mut next = 0;
    let mut at_secs = 0;
    for moment in &trace.moments {
        assert_eq!(moment.events.start, next);
        assert!(moment.events.end > next && moment.at_secs >= at_secs);
        (next, at_secs) = (moment.events.end, moment.at_secs);
        assert!(
            trace.events[moment.events.clone()]
                .iter()
                .all(|e| e.at_secs == at_secs)
        );
    }
    assert_eq!(next, trace.events.len());
}

fn check_invariants(text: &str) {
    let scenario = script::parse(text).scenario;
    let trace = sim::run(&scenario);
    assert_eq!(
        trace,
        sim::run(&scenario),
        "the same scenario gives an equal trace"
    );
    fenced_marks_never_fall(&scenario, &trace);
    healthy_tokens_increase(&scenario, &trace);
    moments_cover_all_events(&trace);
    for cut in 1..scenario.steps.len() {
        let mut prefix = scenario.clone();
        prefix.steps.truncate(cut);
        prefix.expects.clear();
        same_before(&sim::run(&prefix), &trace, trace.steps[cut].start_secs);
    }
}

#[test]
fn invariants_hold_for_the_corpus() {
    for (_, text) in corpus() {
        check_invariants(&text);
    }
}

#[test]
fn an_impossible_step_is_left_out_and_told() {
    /// (text, problems as `step: words in the text`)
    const ROWS: &[(&str, &[(usize, &str)])] = &[
        (
            "A pauses\nA writes w \"v\"\n",
            &[(1, "A is paused: it `resumes` first")],
        ),
        (
            "A crashes\nA acquires\n",
            &[(1, "A has crashed: it `restarts` first")],
        ),
        ("A resumes\n", &[(0, "A is not paused")]),
        (
            "wait 10\nat 5 A acquires\n",
            &[(1, "`at 5` is before 10 s")],
        ),
        (
            "at 9 A acquires\nat 3 B acquires\n",
            &[(1, "`at 3` is before 9 s")],
        ),
        (
            "A reads as r lost\nA writes w \"v\" based on r\n",
            &[(1, "no answer to `r`")],
        ),
        (
            "A writes w \"v\"\nw arrives\n",
            &[(1, "nothing of `w` is in flight or held")],
        ),
        (
            "A writes w \"v\" held\nw arrives again\n",
            &[(1, "has not arrived yet")],
        ),
        ("coordinator restores\n", &[(0, "saved nothing yet")]),
        ("doc restores\n", &[(0, "doc has saved nothing yet")]),
        (
            "at 9 A writes w \"v\" arriving at 5\n",
            &[(0, "before it is sent at 9 s")],
        ),
        ("wait 9007199254740991\nwait 1\n", &[(1, "the end of time")]),
    ];
    for (text, expected) in ROWS {
        let parsed = script::parse(text);
        assert_eq!(parsed.errors, [], "{text}");
        let problems = sim::run(&parsed.scenario).problems;
        assert_eq!(problems.len(), expected.len(), "{text}: {problems:?}");
        for (problem, (step, words)) in problems.iter().zip(*expected) {
            assert_eq!(problem.step, *step, "{text}");
            assert!(problem.text.contains(words), "{text}: {}", problem.text);
        }
    }
}

#[test]
fn the_counter_ends_with_the_numbers() {
    let text = "latency 0\ncoordinator grants A token 9007199254740991\ncoordinator expires A\nB acquires => refused\n";
    let report = sim::check(&script::parse(text).scenario);
    assert_eq!(report.failures, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn invariants_hold_for_random_scripts(text in random_text()) {
        check_invariants(&text);
    }
}
