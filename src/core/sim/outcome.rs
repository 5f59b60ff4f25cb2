//! What came of a step or a write, and whether that is what the script expects.

use super::scenario::*;
use super::set::EnumSet;
use super::trace::*;
use super::{run, run_under};
use std::collections::BTreeMap;

/// An expectation that the run does not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which line expects it.
    pub line: ExpectingLine,
    /// Expected and got.
    pub difference: Difference,
}

/// Where an expectation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectingLine {
    /// `=>` of [`Scenario::steps`].
    Step(usize),
    /// One of [`Scenario::expects`].
    Expect(usize),
}

/// Expected and got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Of a step, or of a write under a policy.
    Outcome {
        /// `w#2@R1` or the step's own; empty for a step.
        subject: String,
        /// What the line says.
        expected: Outcome,
        /// What the run says; `None`: something the language has no word for.
        got: Option<Outcome>,
    },
    /// Of the mark at the end.
    Mark {
        /// What the line says.
        expected: Token,
        /// What the run says.
        got: Token,
    },
    /// Of the value at the end.
    Value {
        /// What the line says.
        expected: String,
        /// What the run says.
        got: String,
    },
}

/// The result of a whole check: of the own run, its problems, and all failed expectations.
pub struct Report {
    /// The run under the scenario's own policies.
    pub trace: Trace,
    /// Expectations that the runs do not meet, in text order.
    pub failures: Vec<Failure>,
}

/// Runs the scenario under its own and each expected policy, and compares all expectations.
pub fn check(scenario: &Scenario) -> Report {
    let trace = run(scenario);
    let failures = failures(scenario, &trace);
    Report { trace, failures }
}

/// The expectations of a scenario that are not met, in text order; `trace` is the run under its own
/// policies.
pub fn failures(scenario: &Scenario, trace: &Trace) -> Vec<Failure> {
    let mut failures: Vec<Failure> = (0..scenario.steps.len())
        .filter_map(|index| step_failure(scenario, trace, index))
        .collect();
    let mut runs: BTreeMap<&Policy, Trace> = BTreeMap::new();
    for (index, expect) in scenario.expects.iter().enumerate() {
        let line = ExpectingLine::Expect(index);
        let found = match expect {
            Expect::Verdicts(policy, expected) => {
                let trace = (runs.entry(policy)).or_insert_with(|| run_under(scenario, policy));
                verdict_differences(scenario, trace, expected)
            }
            Expect::Mark(expected, resource) => {
                let (got, _) = final_state(scenario, trace, *resource);
                let expected = *expected;
                let differs = got != expected;
                differs
                    .then_some(Difference::Mark { expected, got })
                    .into_iter()
                    .collect()
            }
            Expect::Value(expected, resource) => {
                let (_, got) = final_state(scenario, trace, *resource);
                let expected = expected.clone();
                let differs = got != expected;
                differs
                    .then_some(Difference::Value { expected, got })
                    .into_iter()
                    .collect()
            }
        };
        failures.extend(
            found
                .into_iter()
                .map(|difference| Failure { line, difference }),
        );
    }
    failures
}

fn step_failure(scenario: &Scenario, trace: &Trace, index: usize) -> Option<Failure> {
    let expected = scenario.steps[index].expectation.as_ref()?;
    let got = step_outcome(scenario, trace, index);
    if got.as_ref().is_some_and(|got| meets(expected, got)) {
        return None;
    }
    Some(Failure {
        line: ExpectingLine::Step(index),
        difference: Difference::Outcome {
            subject: String::new(),
            expected: expected.clone(),
            got,
        },
    })
}

fn verdict_differences(
    scenario: &Scenario,
    trace: &Trace,
    expected: &[ExpectedVerdict],
) -> Vec<Difference> {
    let differs = |item: &ExpectedVerdict| {
        let got = delivery_outcome(scenario, trace, item.name, item.delivery, item.replica);
        (!meets(&item.outcome, &got)).then(|| Difference::Outcome {
            subject: subject(scenario, item),
            expected: item.outcome.clone(),
            got: Some(got),
        })
    };
    expected.iter().filter_map(differs).collect()
}

/// `w`, `w#2`, `w@R1`, `w#2@R1`.
fn subject(scenario: &Scenario, item: &ExpectedVerdict) -> String {
    let mut subject = scenario.messages[item.name.0].clone();
    if item.delivery > 1 {
        subject.push_str(&format!("#{}", item.delivery));
    }
    if let Some(replica) = item.replica {
        let resource = written_resource(scenario, item.name);
        let name = resource.and_then(|r| scenario.resources[r.0].replicas.get(replica.0));
        subject.push('@');
        subject.push_str(name.map_or("?", String::as_str));
    }
    subject
}

/// The resource that a named write or claim goes to.
pub fn written_resource(scenario: &Scenario, name: NameId) -> Option<ResourceId> {
    scenario.steps.iter().find_map(|step| match &step.action {
        Action::Request(request) if request.name == Some(name) => match &request.body {
            Body::Write(write) => Some(write.resource),
            Body::Claim(resource, _) => Some(*resource),
            _ => None,
        },
        _ => None,
    })
}

/// Whether `got` is what `expected` says: a reason may be left out, an anomaly may not.
pub fn meets(expected: &Outcome, got: &Outcome) -> bool {
    expected.answer == got.answer
        && (expected.reason.is_none() || expected.reason == got.reason)
        && expected.anomalies == got.anomalies
}

/// What `=>` speaks of: the verdict of a write, claim or call, else what the client hears.
/// `None` for a step without outcome, or an answer that the language has no word for (a read's).
pub fn step_outcome(scenario: &Scenario, trace: &Trace, index: usize) -> Option<Outcome> {
    let run = trace.steps.get(index)?;
    if let Some(answer) = run.check {
        return Some(plain(answer));
    }
    match run.message.or(run.delivered) {
        Some(message) => message_outcome(scenario, trace, message),
        // The request could not be sent.
        None => matches!(scenario.steps[index].action, Action::Request(_))
            .then_some(plain(Answer::Unknown)),
    }
}

fn message_outcome(scenario: &Scenario, trace: &Trace, id: MessageId) -> Option<Outcome> {
    let message = &trace.messages[id.0];
    match &message.content {
        Content::Write(_) | Content::Claim(_) => Some(verdict_of(scenario, trace, id, None)),
        Content::Call(..) => Some(plain(match message.arrived_secs {
            Some(_) => Answer::Accepted,
            None => Answer::Unknown,
        })),
        Content::Answer(_) => heard(trace, id),
        _ => {
            let answers = (0..trace.messages.len()).map(MessageId);
            let mut of_request = answers.filter(|a| trace.messages[a.0].answers == Some(id));
            of_request
                .find(|answer| was_heard(trace, *answer))
                .map_or(Some(plain(Answer::Unknown)), |answer| heard(trace, answer))
        }
    }
}

fn was_heard(trace: &Trace, answer: MessageId) -> bool {
    trace
        .events
        .iter()
        .any(|event| matches!(event.kind, EventKind::Heard(id) if id == answer))
}

/// What an answer tells the client that heard it.
fn heard(trace: &Trace, answer: MessageId) -> Option<Outcome> {
    if !was_heard(trace, answer) {
        return Some(plain(Answer::Unknown));
    }
    let Content::Answer(content) = trace.messages[answer.0].content else {
        return None;
    };
    let answer = match content {
        AnswerContent::Granted(_, token) => Answer::Granted(token),
        AnswerContent::Refused => Answer::Refused,
        AnswerContent::Renewed(_) => Answer::Renewed,
        AnswerContent::Released => Answer::Released,
        AnswerContent::Verdict(answer) => answer,
        AnswerContent::Called => Answer::Accepted,
        AnswerContent::Version(_) => return None,
    };
    Some(plain(answer))
}

/// The verdict of one delivery of a write or claim; [`Answer::Unknown`] if there is none.
pub fn delivery_outcome(
    scenario: &Scenario,
    trace: &Trace,
    name: NameId,
    delivery: u32,
    replica: Option<ReplicaId>,
) -> Outcome {
    let fits = |m: &Message| m.name == Some(name) && m.delivery == delivery && m.answers.is_none();
    match trace.messages.iter().position(fits) {
        Some(index) => verdict_of(scenario, trace, MessageId(index), replica),
        None => plain(Answer::Unknown),
    }
}

/// The verdict at a replica; without one, at the resource or as its quorum says.
fn verdict_of(
    scenario: &Scenario,
    trace: &Trace,
    id: MessageId,
    replica: Option<ReplicaId>,
) -> Outcome {
    let message = &trace.messages[id.0];
    let Node::Place(place) = message.to else {
        return plain(Answer::Unknown);
    };
    let resource = &scenario.resources[place.resource.0];
    let mut verdicts = trace
        .verdicts
        .iter()
        .filter(|verdict| verdict.message == id);
    if replica.is_some() || resource.replicas.is_empty() {
        let wanted = replica.unwrap_or(ReplicaId(0));
        return verdicts
            .find(|verdict| verdict.place.replica == wanted)
            .map_or(plain(Answer::Unknown), Verdict::outcome);
    }
    let (mut decided, mut accepted) = (0, 0);
    for verdict in verdicts {
        decided += 1;
        accepted += u64::from(verdict.answer == Answer::Accepted);
    }
    plain(if decided < message.places.len() {
        Answer::Unknown
    } else if accepted >= resource.quorum_size() {
        Answer::Committed
    } else {
        Answer::NotCommitted
    })
}

/// Mark and value of a resource at the end; of replicas: the highest mark, and its value.
pub fn final_state(scenario: &Scenario, trace: &Trace, resource: ResourceId) -> (Token, String) {
    let mut best: Option<&StoreChange> = None;
    for replica in (0..scenario.resources[resource.0].places()).map(ReplicaId) {
        let place = Place { resource, replica };
        let last = trace
            .stores
            .iter()
            .rev()
            .find(|change| change.place == place);
        if let Some(last) = last
            && best.is_none_or(|best| last.mark > best.mark)
        {
            best = Some(last);
        }
    }
    best.map_or((0, String::new()), |best| (best.mark, best.value.clone()))
}

fn plain(answer: Answer) -> Outcome {
    Outcome {
        answer,
        reason: None,
        anomalies: EnumSet::new(),
    }
}

impl Verdict {
    /// The verdict in the words of expectations.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            answer: self.answer,
            reason: self.reason,
            anomalies: self.anomalies,
        }
    }
}
