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

/// A run starts with what the header says.
fn starts_as_the_header_says(scenario: &Scenario, trace: &Trace) {
    let start = |event: &Option<usize>| event.is_none();
    let mut stores = trace.stores.iter().filter(|change| start(&change.event));
    for (index, resource) in scenario.resources.iter().enumerate() {
        for replica in 0..resource.replicas.len().max(1) {
            let change = stores.next().expect("a place");
            let place = Place {
                resource: ResourceId(index),
                replica: ReplicaId(replica),
            };
            assert_eq!(
                (change.place, change.at_secs, change.mark),
                (place, 0, resource.mark)
            );
            assert_eq!((&change.value, change.value_token), (&resource.value, None));
            assert_eq!(
                (change.owner, change.pin, change.writer),
                (None, None, None)
            );
        }
    }
    assert_eq!(stores.next(), None);
    let counters = trace.counters.iter().filter(|change| start(&change.event));
    let counters: Vec<_> = counters.map(|change| (change.lease, change.next)).collect();
    let leases = scenario.leases.iter().enumerate();
    let next =
        |(index, lease): (usize, &Lease)| (LeaseId(index), lease.token.unwrap_or(scenario.token));
    assert_eq!(counters, leases.map(next).collect::<Vec<_>>());
}

/// What begins, changes or ends at a time does so with an event of that time.
fn spans_have_events(trace: &Trace) {
    let at = |event: Option<usize>| event.map(|event| trace.events[event].at_secs);
    for span in &trace.lease_spans {
        assert_eq!(at(Some(span.first_event)), Some(span.from_secs));
        assert_eq!(at(span.last_event), span.ended_secs);
        assert_eq!(span.end.is_some(), span.ended_secs.is_some());
    }
    for span in &trace.belief_spans {
        assert_eq!(at(Some(span.first_event)), Some(span.from_secs));
        assert_eq!(at(span.last_event), span.ended_secs);
    }
    for span in &trace.stop_spans {
        assert_eq!(at(Some(span.first_event)), Some(span.from_secs));
        assert_eq!(at(span.last_event), span.ended_secs);
    }
    for change in &trace.stores {
        assert_eq!(at(change.event).unwrap_or(0), change.at_secs);
    }
}

/// Each verdict is an event; a write that stalls does so for a time, and then has one.
fn verdicts_are_told(trace: &Trace) {
    let told = |event: &Event| match event.kind {
        EventKind::Judged(verdict) => Some((verdict, event.at_secs)),
        _ => None,
    };
    let verdicts = trace.verdicts.iter().enumerate();
    assert!(
        trace
            .events
            .iter()
            .filter_map(told)
            .eq(verdicts.map(|(index, verdict)| (index, verdict.at_secs)))
    );
    for event in &trace.events {
        if let EventKind::Stalled {
            message,
            place,
            until_secs,
            ..
        } = &event.kind
        {
            assert!(*until_secs > event.at_secs);
            let judged = |verdict: &Verdict| {
                (verdict.message, verdict.place, verdict.at_secs) == (*message, *place, *until_secs)
            };
            assert!(trace.verdicts.iter().any(judged), "{event:?}");
        }
    }
}

/// What becomes of a message is an event; an answer goes back to who asked, from where it was asked.
fn messages_are_told(trace: &Trace) {
    for (index, message) in trace.messages.iter().enumerate() {
        let at = |kind: fn(MessageId) -> EventKind| -> Vec<Secs> {
            let kind = kind(MessageId(index));
            let told = trace.events.iter().filter(|event| event.kind == kind);
            told.map(|event| event.at_secs).collect()
        };
        assert_eq!(at(EventKind::Sent), [message.sent_secs]);
        assert_eq!(at(EventKind::Arrived), Vec::from_iter(message.arrived_secs));
        assert_eq!(at(EventKind::Lost).len(), usize::from(message.lost));
        let due_secs = message.due_secs.filter(|_| message.arrived_secs.is_some());
        assert!(message.lost || due_secs == message.arrived_secs);
        let Some(request) = message.answers.map(|id| &trace.messages[id.0]) else {
            assert_eq!(message.from, Node::Client(message.client));
            let answers = trace
                .messages
                .iter()
                .filter(|other| other.answers == Some(MessageId(index)));
            assert_eq!(answers.count(), usize::from(message.arrived_secs.is_some()));
            continue;
        };
        assert_eq!((message.from, message.to), (request.to, request.from));
        assert_eq!((message.step, message.name), (request.step, request.name));
        assert_eq!(
            (message.client, message.delivery),
            (request.client, request.delivery)
        );
        assert!(message.places.is_empty() && message.copy_of.is_none());
        assert!(
            request
                .arrived_secs
                .is_some_and(|at| at <= message.sent_secs)
        );
    }
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
    starts_as_the_header_says(&scenario, &trace);
    messages_are_told(&trace);
    spans_have_events(&trace);
    verdicts_are_told(&trace);
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
        ("A pauses\nA pauses\n", &[(1, "A is paused already")]),
        (
            "A crashes\nA pauses\n",
            &[(1, "A has crashed and cannot pause")],
        ),
        (
            "A crashes\nA resumes\n",
            &[(1, "A has crashed: it `restarts`")],
        ),
        ("A crashes\nA crashes\n", &[(1, "A has crashed already")]),
        ("A restarts\n", &[(0, "A is running")]),
        (
            "A pauses\nA restarts\n",
            &[(1, "A is only paused: it `resumes`")],
        ),
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
            "A writes w \"v\" lost\nw arrives\n",
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
        (
            "coordinator saves\ncoordinator restores jumping 9007199254740991\n",
            &[(1, "passes the last number")],
        ),
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
fn a_set_has_each_value_once() {
    let mut set = EnumSet::from([Anomaly::Twice, Anomaly::Stale]);
    assert!(!set.insert(Anomaly::Twice) && set.insert(Anomaly::HolderRefused));
    set.insert_if(false, Anomaly::Unseen);
    set.insert_if(true, Anomaly::Stale);
    assert_eq!(format!("{set:?}"), "{Stale, Twice, HolderRefused}");
    assert_eq!((set.len(), set.is_empty()), (3, false));
    assert!(set.remove(&Anomaly::Twice) && !set.remove(&Anomaly::Twice));
    assert!(set.contains(&Anomaly::Stale) && !set.contains(&Anomaly::Twice));
    assert!(set.remove(&Anomaly::Stale) && set.remove(&Anomaly::HolderRefused));
    assert_eq!((set.len(), set.is_empty(), set), (0, true, EnumSet::new()));
}

/// A message that takes no time arrives before all else that is due, and as a part of its step.
#[test]
fn what_takes_no_time_happens_at_once() {
    let text = "latency 0\nA acquires arriving at 5\nB acquires arriving at 5\nat 6 A renews\n";
    let trace = sim::run(&script::parse(text).scenario);
    let kinds: Vec<_> = trace.events.iter().map(|event| &event.kind).collect();
    let at = |kind: EventKind| kinds.iter().position(|other| **other == kind);
    // The request of A, that of B, the answer to A.
    assert!(at(EventKind::Heard(MessageId(2))).is_some());
    assert!(at(EventKind::Heard(MessageId(2))) < at(EventKind::Arrived(MessageId(1))));
    let of_renewal = trace.events.iter().filter(|event| event.at_secs == 6);
    assert_eq!(
        of_renewal.map(|event| event.step).collect::<Vec<_>>(),
        [Some(2); 6]
    );
}

/// The step after one that is left out starts when that would have.
#[test]
fn a_step_that_is_left_out_takes_no_time() {
    let text =
        "at 9 A acquires\nat 3 B acquires\nB acquires\nA resumes\nA writes w \"v\" applied at 20\n";
    let steps = sim::run(&script::parse(text).scenario).steps;
    let times: Vec<_> = steps
        .iter()
        .map(|step| (step.start_secs, step.finish_secs))
        .collect();
    assert_eq!(times, [(9, 11), (11, 11), (11, 13), (13, 13), (13, 21)]);
}

#[test]
fn the_counter_ends_with_the_numbers() {
    let text = "latency 0\ncoordinator grants A token 9007199254740991\ncoordinator expires A\nB acquires => refused\n";
    let report = sim::check(&script::parse(text).scenario);
    assert_eq!(report.failures, []);
}

/// An expectation that is not met, in one line: where it stands, what it expects, what the run says.
fn told(failure: &Failure) -> String {
    let place = match failure.line {
        ExpectingLine::Step(index) => format!("step {index}"),
        ExpectingLine::Expect(index) => format!("expect {index}"),
    };
    let said = |outcome: &Outcome| script::print_outcome(outcome);
    match &failure.difference {
        Difference::Outcome {
            subject,
            expected,
            got,
        } => {
            let got = got.as_ref().map_or("no word".to_owned(), said);
            format!("{place} {subject}: {} != {got}", said(expected))
        }
        Difference::Mark { expected, got } => format!("{place} mark: {expected} != {got}"),
        Difference::Value { expected, got } => format!("{place} value: {expected} != {got}"),
    }
}

#[test]
fn what_a_run_does_not_meet_is_told() {
    /// (text, failures as [`told`] tells them)
    const ROWS: &[(&str, &[&str])] = &[
        (
            "A acquires => granted 2\nB acquires => granted 1\nB acquires => refused\n",
            &[
                "step 0 : granted 2 != granted 1",
                "step 1 : granted 1 != refused",
            ],
        ),
        // A reason may be left out, an anomaly may not.
        (
            "resource doc: fenced, mark 5\nA acquires\nA writes a \"v\" => rejected (holder-refused)\n\
             A writes b \"v\" => rejected because stale\nA writes c \"v\" => rejected because equal (holder-refused)\n\
             A writes d \"v\" => accepted (holder-refused)\n",
            &[
                "step 2 : rejected because stale != rejected because stale (holder-refused)",
                "step 3 : rejected because equal (holder-refused) != rejected because stale (holder-refused)",
                "step 4 : accepted (holder-refused) != rejected because stale (holder-refused)",
            ],
        ),
        // Each line speaks of its own policy, the mark and the value of the scenario's.
        (
            "token 7\nresource doc: unfenced\nA acquires\nA writes w \"v\"\n\
             expect fenced: w rejected\nexpect strict: w accepted\nexpect fenced: w accepted\n\
             expect mark 7\nexpect mark 0\nexpect value \"w\"\nexpect value \"v\"\n",
            &[
                "expect 0 w: rejected != accepted",
                "expect 3 mark: 7 != 0",
                "expect 5 value: w != v",
            ],
        ),
        // Deliveries and replicas; of replicas the end is that of the highest mark.
        (
            "resource doc: fenced, replicas R1 R2 R3\nA acquires\nA writes w \"v\" reaching R2 R3 => not committed\n\
             w arrives again => not committed\n\
             expect fenced: w rejected, w#2 unknown, w#3 accepted, w@R1 accepted, w@R2 rejected, w#2@R3 accepted\n\
             expect mark 0\nexpect value \"\"\n",
            &[
                "step 1 : not committed != committed",
                "step 2 : not committed != committed",
                "expect 0 w: rejected != committed",
                "expect 0 w#2: unknown != committed",
                "expect 0 w#3: accepted != unknown",
                "expect 0 w@R1: accepted != unknown",
                "expect 0 w@R2: rejected != accepted",
                "expect 0 w#2@R3: accepted != accepted (twice)",
                "expect 1 mark: 0 != 1",
                "expect 2 value:  != v",
            ],
        ),
        (
            "resource a: fenced, replicas R S\nresource b: fenced, replicas T U\nA acquires\n\
             A writes w \"v\" to b\nA claims a as c\nA writes x \"v\" to a\n\
             expect fenced: c@S rejected, w@U rejected, x@R rejected\n",
            &[
                "expect 0 c@S: rejected != accepted",
                "expect 0 w@U: rejected != accepted",
                "expect 0 x@R: rejected != accepted",
            ],
        ),
        (
            "external mail\nA acquires\nA checks => lapsed\nA renews => refused\nA reads as r => unknown\n\
             A calls mail \"m\" => unknown\nA calls mail \"m\" lost => accepted\nA releases => refused\n\
             A checks => valid\nA claims => unknown\nA pauses\nA acquires => refused\n",
            &[
                "step 1 : lapsed != valid",
                "step 2 : refused != renewed",
                "step 3 : unknown != no word",
                "step 4 : unknown != accepted",
                "step 5 : accepted != unknown",
                "step 6 : refused != released",
                "step 7 : valid != lapsed",
                "step 8 : unknown != accepted",
                "step 10 : refused != unknown",
            ],
        ),
    ];
    for (text, expected) in ROWS {
        let parsed = script::parse(text);
        assert_eq!(parsed.errors, [], "{text}");
        let failures = sim::check(&parsed.scenario).failures;
        let got: Vec<String> = failures.iter().map(told).collect();
        assert_eq!(got, *expected, "{text}");
    }
}

/// Rules at their limits: every expectation of these texts is met.
#[test]
fn rules_hold_at_their_limits() {
    const TEXTS: &[&str] = &[
        // `reordered` looks at the greatest `seq` of the same grant.
        "latency 0\nresource doc: unfenced\nA acquires\nA writes a \"v\" seq 5 => accepted\n\
         coordinator expires A\nB acquires\nB writes b \"v\" seq 3 => accepted\n\
         A writes c \"v\" seq 4 => accepted (stale, reordered)\nA writes d \"v\" seq 5 => accepted (stale)\n\
         B writes e \"v\" seq 2 => accepted (reordered)\nB writes f \"v\" seq 4 => accepted\n\
         B writes g \"v\" seq 3 => accepted (reordered)\n",
        // What is to arrive or to take effect at once does.
        "at 3 A acquires arriving at 3 reply taking 0 => granted 1\n\
         at 3 A writes w \"v\" arriving at 3 applied at 3 => accepted\nat 3 doc becomes strict\n\
         A writes x \"v\" => rejected because equal (holder-refused)\n",
        // An old answer does not shorten what the client believes of the same grant.
        "A acquires as a reply held => granted 1\nat 5 A acquires => granted 1\nat 8 a arrives => granted 1\n\
         at 14 A checks => valid\nat 15 A checks => lapsed\n",
        // No number is granted twice, and none beyond the last.
        "latency 0\ntoken 9007199254740989\ncoordinator: reentry mints\nA acquires => granted 9007199254740989\n\
         A acquires => granted 9007199254740990\nA acquires => refused\nA checks => valid\n\
         coordinator saves\ncoordinator restores\nA renews => renewed\n",
        // With `token N` a write belongs to the client's newest grant of that lease that carried N, if any.
        "latency 0\nlease X\nlease Y\nresource doc under X: fenced, mark 5\nA acquires X\nA acquires Y\n\
         A writes a \"v\" token 1 => rejected because stale (holder-refused)\n\
         A writes b \"v\" token 4 => rejected because stale (holder-refused)\n",
        "latency 0\nA acquires\ncoordinator restarts at token 1\nB acquires => granted 1\n\
         A writes w \"v\" token 1 => accepted (unseen)\nB writes x \"v\" token 1 => accepted\n\
         coordinator expires B\nB acquires => granted 2\nB writes y \"v\" token 1 => accepted (unseen)\n",
        // A claim carries a token that is greater than the mark, or the mark's own from its owner.
        "latency 0\nresource doc: unfenced, mark 2\ntoken 2\nA claims => rejected because missing\n\
         A claims no token => rejected because missing\nA claims token \"3\" => rejected because malformed\n\
         A claims token 0 => rejected because malformed\nA acquires => granted 2\n\
         A claims => rejected because other owner\nA claims token 1 => rejected because stale\n\
         A claims token 3 => accepted\nA claims token 3 => accepted\nB claims token 3 => rejected because other owner\n\
         doc becomes fenced+verified\nA claims token 4 => rejected because forged\nA claims => rejected because stale\n\
         expect mark 3\n",
        // The majority of replicas, unless the header says otherwise; each replica has a mark of its own.
        "latency 0\nresource a: fenced, replicas R S\nresource b: fenced, replicas R S T\n\
         resource c: fenced, replicas R S T U\nresource d: fenced, replicas R S T U, quorum 2\nA acquires\n\
         A writes a1 \"v\" to a reaching R => not committed\nA writes a2 \"v\" to a => committed\n\
         A writes b1 \"v\" to b reaching R => not committed\nA writes b2 \"v\" to b reaching S T => committed\n\
         A writes c1 \"v\" to c reaching R S => not committed\nA writes c2 \"v\" to c reaching S T U => committed\n\
         A writes d1 \"v\" to d reaching R => not committed\nA writes d2 \"v\" to d reaching S T => committed\n\
         coordinator expires A\nB acquires\nB writes b3 \"w\" to b reaching R => not committed\n\
         A writes b4 \"x\" to b => committed\nexpect fenced: b4@R rejected because stale, b4@S accepted (stale)\n\
         expect mark 2 at b\nexpect value \"w\" at b\n",
        // Of replicas with equal marks the first tells the value; without a verdict nothing is known.
        "latency 0\nresource doc: unfenced, replicas R S\nA writes w \"v\" reaching S => not committed\n\
         A writes x \"v\" lost => unknown\nA writes y \"v\" held => unknown\nexpect unfenced: x unknown, y@R unknown\n\
         expect value \"\"\nexpect mark 0\n",
        // A durable mark survives all but a restore; an accepted equal token does not change the owner.
        "latency 0\ntoken 4\nresource doc: fenced+durable\ndoc saves\nA acquires\nA writes a \"v\" => accepted\n\
         doc forgets mark\nB writes b \"v\" token 3 => rejected because stale\ndoc restarts at mark 9\n\
         A writes c \"v\" => accepted\nB writes d \"v\" token 4 => accepted (stale)\ndoc becomes fenced+owner\n\
         B writes e \"v\" token 4 => rejected because other owner\nA writes f \"v\" => accepted\n\
         doc restores\nB writes g \"v\" token 3 => accepted (stale)\nexpect mark 3\n",
        // What is lost does not arrive, what arrives early does not arrive again.
        "A acquires\nA writes w \"v\" taking 3 => unknown\nw is lost\nA writes x \"v\" lost => unknown\n\
         A writes y \"y\" taking 9 => accepted\nat 4 y arrives => accepted\nA writes z \"z\" => accepted\n\
         at 20 note \"n\"\nexpect value \"z\"\n",
        // A call is accepted whether the client hears of it or not.
        "external mail\nA calls mail \"m\" reply lost => accepted\nA calls mail \"n\" lost => unknown\n\
         A calls mail \"o\" as c held => accepted\nc arrives => accepted\n",
        // What the client hears of a write: of replicas whether the quorum accepted it.
        "latency 0\nresource a: fenced, replicas R S T\nresource b: fenced, mark 5\nA acquires\n\
         A writes a1 \"v\" to a reply held => committed\na1 arrives => committed\n\
         A writes a2 \"v\" to a reaching R reply held => not committed\na2 arrives => not committed\n\
         A writes b1 \"v\" to b reply held => rejected (holder-refused)\nb1 arrives => rejected\n\
         A claims b as b2 token 9 reply held => accepted\nb2 arrives => accepted\n\
         coordinator expires A\nB acquires\nB writes a3 \"v\" to a reaching R => not committed\n\
         A writes a4 \"v\" to a reply held => committed\na4 arrives => committed\n\
         B writes a5 \"v\" to a reaching S => not committed\n\
         A writes a6 \"v\" to a applied at 3 reply held => not committed\nat 4 a6 arrives => not committed\n",
        // A grant of the token 0 claims nothing.
        "latency 0\nresource doc: fenced+claim\ncoordinator grants A token 0\n\
         A writes w \"v\" => rejected because malformed (holder-refused)\nexpect mark 0\n",
        // `+sequence` compares with the last accepted one within a token.
        "latency 0\nresource doc: unfenced+sequence\nA acquires\nA writes a \"v\" seq 5 => accepted\n\
         coordinator expires A\nB acquires\nB writes b \"v\" seq 3 => accepted\n\
         A writes c \"v\" seq 5 => rejected because out of order\nA writes d \"v\" seq 6 => accepted (stale)\n\
         B writes e \"v\" seq 3 => rejected because out of order\nB writes f \"v\" seq 4 => accepted\n\
         doc becomes fenced\nB writes g \"v\" seq 1 => accepted (reordered)\ndoc becomes fenced+sequence\n\
         B writes h \"v\" seq 2 => accepted (reordered)\n",
    ];
    for text in TEXTS {
        let parsed = script::parse(text);
        assert_eq!(parsed.errors, [], "{text}");
        let report = sim::check(&parsed.scenario);
        assert_eq!(report.trace.problems, [], "{text}");
        let failures: Vec<String> = report.failures.iter().map(told).collect();
        assert!(failures.is_empty(), "{text}{failures:#?}");
    }
}

/// Its run, of which no step is impossible.
fn played(text: &str) -> (Scenario, Trace) {
    let parsed = script::parse(text);
    assert_eq!(parsed.errors, [], "{text}");
    let trace = sim::run(&parsed.scenario);
    assert_eq!(trace.problems, [], "{text}");
    (parsed.scenario, trace)
}

/// A time, or `…` for not by the end of the run.
fn end(secs: Option<Secs>) -> String {
    secs.map_or("…".to_owned(), |secs| secs.to_string())
}

/// Leases, beliefs and stops, one a line.
fn spans(scenario: &Scenario, trace: &Trace) -> Vec<String> {
    let name = |client: ClientId| scenario.clients[client.0].as_str();
    let leases = trace.lease_spans.iter().map(|span| {
        let (grant, from, to) = (span.grant.0, span.from_secs, end(span.ended_secs));
        let how = span.end.map_or("…".to_owned(), |how| format!("{how:?}"));
        let (until, renewals) = (span.until_secs, &span.renewals);
        format!("lease {grant} {from}-{to} until {until} {how} {renewals:?}")
    });
    let beliefs = trace.belief_spans.iter().map(|span| {
        let (who, grant, lease) = (name(span.client), span.grant.0, span.lease.0);
        let (token, from, to) = (span.token, span.from_secs, end(span.ended_secs));
        let until = span.until_secs;
        format!("{who} believes {grant} of {lease}, token {token} {from}-{to} until {until}")
    });
    let stops = trace.stop_spans.iter().map(|span| {
        let how = if span.crashed { "crashed" } else { "paused" };
        format!(
            "{} {how} {}-{}",
            name(span.client),
            span.from_secs,
            end(span.ended_secs)
        )
    });
    leases.chain(beliefs).chain(stops).collect()
}

/// What a place holds after a change; `-` stands for none.
fn stored(scenario: &Scenario, change: &StoreChange) -> String {
    let who = |of: Option<ClientId>| of.map_or("-", |client| &scenario.clients[client.0]);
    let number = |token: Option<Token>| token.map_or("-".to_owned(), |token| token.to_string());
    let (resource, replica) = (change.place.resource.0, change.place.replica.0);
    format!(
        "{} {}@{replica} {}: mark {} of {}, pin {}, {:?} by {} with {}",
        change.at_secs,
        scenario.resources[resource].name,
        change.policy,
        change.mark,
        who(change.owner),
        number(change.pin),
        change.value,
        who(change.writer),
        number(change.value_token)
    )
}

/// Who held what and when, but for what the header says; one fact a line.
fn held(text: &str) -> Vec<String> {
    let (scenario, trace) = played(text);
    let mut facts = spans(&scenario, &trace);
    let changes = trace.stores.iter().filter(|change| change.event.is_some());
    facts.extend(changes.map(|change| stored(&scenario, change)));
    facts.extend(trace.counters.iter().filter_map(|change| {
        let at_secs = trace.events[change.event?].at_secs;
        Some(format!(
            "{at_secs} next of {} is {}",
            change.lease.0, change.next
        ))
    }));
    facts.push(format!("end {}", trace.end_secs));
    facts
}

#[test]
fn who_holds_what_and_when() {
    /// (text, facts as [`held`] lists them)
    const ROWS: &[(&str, &[&str])] = &[
        // A paused client does not notice the end of its belief; a check tells it.
        (
            "A acquires\nA renews\nA pauses\nat 14 A resumes\nA checks\nB acquires\nB releases\n",
            &[
                "lease 0 1-13 until 13 Expired [(3, 13)]",
                "lease 1 15-17 until 25 Released []",
                "A believes 0 of 0, token 1 2-14 until 12",
                "B believes 1 of 0, token 2 16-16 until 24",
                "A paused 4-14",
                "1 next of 0 is 2",
                "15 next of 0 is 3",
                "end 18",
            ],
        ),
        // Every way in which the coordinator begins, extends and ends a lease.
        (
            "latency 0\ncoordinator: reentry mints, late renewal allowed\nA acquires\nat 2 A acquires\n\
             at 3 coordinator saves\nat 4 coordinator expires A\nat 5 A renews\nat 6 coordinator revokes A\n\
             at 7 A renews\nat 8 coordinator restores jumping 5\nat 9 coordinator grants B token 3 until 20\n\
             at 10 coordinator restarts at token 2\nat 11 coordinator expires A\n",
            &[
                "lease 0 0-4 until 12 ExpiredEarly [(2, 12)]",
                "lease 0 5-6 until 15 Revoked []",
                "lease 0 8-9 until 12 Superseded []",
                "lease 1 9-10 until 20 Forgotten []",
                "A believes 0 of 0, token 1 0-2 until 10",
                "A believes 0 of 0, token 2 2-7 until 15",
                "B believes 1 of 0, token 3 9-… until 19",
                "0 next of 0 is 2",
                "2 next of 0 is 3",
                "8 next of 0 is 8",
                "9 next of 0 is 8",
                "10 next of 0 is 2",
                "end 11",
            ],
        ),
        // A lease of the snapshot whose time is over is not there after it; the run ends 5 s after the last step.
        (
            "latency 0\nttl 4\nlease X\nlease Y, ttl 30, token 8\nA acquires X\nB acquires Y\ncoordinator saves\n\
             at 6 B acquires X\nat 7 coordinator restores\n",
            &[
                "lease 0 0-4 until 4 Expired []",
                "lease 1 0-7 until 30 RolledBack []",
                "lease 2 6-7 until 10 RolledBack []",
                "lease 1 7-… until 30 … []",
                "A believes 0 of 0, token 1 0-4 until 4",
                "B believes 1 of 1, token 8 0-… until 30",
                "B believes 2 of 0, token 2 6-10 until 10",
                "0 next of 0 is 2",
                "0 next of 1 is 9",
                "6 next of 0 is 3",
                "7 next of 0 is 2",
                "7 next of 1 is 9",
                "end 12",
            ],
        ),
        // Who has not heard of a further token believes in the one it knows.
        (
            "latency 0\ncoordinator: reentry mints\nA acquires\nat 2 A acquires reply lost\nat 3 A renews\n",
            &[
                "lease 0 0-… until 13 … [(2, 12), (3, 13)]",
                "A believes 0 of 0, token 1 0-… until 13",
                "0 next of 0 is 2",
                "2 next of 0 is 3",
                "end 8",
            ],
        ),
        // A lease is live iff now is before its end: one that ends at the restore is not back.
        (
            "latency 0\nttl 4\nA acquires\ncoordinator saves\nat 2 A releases\nat 4 coordinator restores\nB acquires\n",
            &[
                "lease 0 0-2 until 4 Released []",
                "lease 1 4-8 until 8 Expired []",
                "A believes 0 of 0, token 1 0-2 until 4",
                "B believes 1 of 0, token 2 4-8 until 8",
                "0 next of 0 is 2",
                "4 next of 0 is 2",
                "4 next of 0 is 3",
                "end 8",
            ],
        ),
        // Only a restore brings back an owner and a pin.
        (
            "token 4\nresource doc: fenced+owner, mark 3, value \"old\"\nlatency 0\nA acquires\n\
             at 1 A writes a \"new\"\nat 2 doc saves\nat 3 doc restarts at mark 9\nat 4 doc restores\n\
             at 5 doc forgets mark\nat 6 doc becomes unfenced\nat 7 B writes b \"w\" token 7\nat 8 A claims\n",
            &[
                "lease 0 0-10 until 10 Expired []",
                "A believes 0 of 0, token 4 0-10 until 10",
                "1 doc@0 fenced+owner: mark 4 of A, pin 4, \"new\" by A with 4",
                "2 doc@0 fenced+owner: mark 4 of A, pin 4, \"new\" by A with 4",
                "3 doc@0 fenced+owner: mark 9 of -, pin -, \"new\" by A with 4",
                "4 doc@0 fenced+owner: mark 4 of A, pin 4, \"new\" by A with 4",
                "5 doc@0 fenced+owner: mark 0 of -, pin -, \"new\" by A with 4",
                "6 doc@0 unfenced: mark 0 of -, pin -, \"new\" by A with 4",
                "7 doc@0 unfenced: mark 0 of -, pin -, \"w\" by B with 7",
                "8 doc@0 unfenced: mark 4 of A, pin 4, \"w\" by B with 7",
                "0 next of 0 is 5",
                "end 10",
            ],
        ),
        // A crash takes belief, memory and answers; who is paused may crash.
        (
            "A acquires\nA pauses\nat 3 A crashes\nat 5 A restarts\nA writes w \"v\"\nat 7 A acquires\nat 7 A crashes\n",
            &[
                "lease 0 1-… until 18 … [(8, 18)]",
                "A believes 0 of 0, token 1 2-3 until 10",
                "A paused 2-3",
                "A crashed 3-5",
                "A crashed 7-…",
                "1 next of 0 is 2",
                "8 next of 0 is 2",
                "end 13",
            ],
        ),
        (
            "A pauses\nB pauses\nat 2 A resumes\nat 3 B crashes\nat 4 A pauses\nat 5 B restarts\n",
            &[
                "A paused 0-2",
                "B paused 0-3",
                "B crashed 3-5",
                "A paused 4-…",
                "end 5",
            ],
        ),
        // With each new token the coordinator claims the resource for the client.
        (
            "latency 0\nlease X\nlease Y\nresource a: fenced+claim, replicas R S\nresource b under Y: fenced+claim\n\
             A acquires X\nat 1 coordinator grants B X token 1\nat 2 B acquires Y\n",
            &[
                "lease 0 0-1 until 10 Superseded []",
                "lease 1 1-… until 11 … []",
                "lease 2 2-… until 12 … []",
                "A believes 0 of 0, token 1 0-… until 10",
                "B believes 1 of 0, token 1 1-… until 11",
                "B believes 2 of 1, token 1 2-… until 12",
                "0 a@0 fenced+claim: mark 1 of A, pin 1, \"\" by - with -",
                "0 a@1 fenced+claim: mark 1 of A, pin 1, \"\" by - with -",
                "1 a@0 fenced+claim: mark 1 of A, pin 1, \"\" by - with -",
                "1 a@1 fenced+claim: mark 1 of A, pin 1, \"\" by - with -",
                "2 b@0 fenced+claim: mark 1 of B, pin 1, \"\" by - with -",
                "0 next of 0 is 2",
                "1 next of 0 is 2",
                "2 next of 1 is 2",
                "end 7",
            ],
        ),
    ];
    for (text, expected) in ROWS {
        assert_eq!(held(text), *expected, "{text}");
    }
}

/// At one instant each step begins a moment; a note is part of that of the step after it.
#[test]
fn steps_at_one_instant_are_moments() {
    let text = "latency 0\nA pauses\nA resumes\nat 2 note \"n\"\nB pauses\nnote \"m\"\nB resumes\n\
                at 3 A acquires\nat 13 A pauses\n";
    let trace = sim::run(&script::parse(text).scenario);
    let moments: Vec<_> = (trace.moments.iter())
        .map(|moment| (moment.at_secs, moment.events.len()))
        .collect();
    // The lease ends, the belief with it, and then A pauses: one moment.
    assert_eq!(moments, [(0, 1), (0, 1), (2, 2), (2, 2), (3, 6), (13, 3)]);
    let passed: Vec<_> = (0..=7)
        .map(|passed| (trace.secs_passed(passed), trace.events_passed(passed)))
        .collect();
    assert_eq!(
        passed,
        [
            (0, 0),
            (0, 1),
            (0, 2),
            (2, 4),
            (2, 6),
            (3, 12),
            (13, 15),
            (0, 0)
        ]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn invariants_hold_for_random_scripts(text in random_text()) {
        check_invariants(&text);
    }
}
