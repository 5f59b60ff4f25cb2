//! What a question or a table cell speaks of: `late`, `late#2`, `late@R3`.

use super::anchor::{listed, suggestion};
use super::scenes::Played;
use crate::script;
use crate::sim::{
    Action, Answer, Body, Content, EventKind, Message, MessageId, NameId, Outcome, ReplicaId,
    Request, Scenario, delivery_outcome, step_outcome, written_resource,
};

/// A delivery of a named request, at one place or as a whole.
pub(super) struct Subject {
    pub name: NameId,
    delivery: u32,
    replica: Option<ReplicaId>,
}

impl Subject {
    /// Reads `NAME[#2][@R1]`.
    pub fn parse(text: &str, scenario: &Scenario) -> Result<Self, String> {
        let (rest, replica) = match text.split_once('@') {
            Some((rest, replica)) => (rest, Some(replica)),
            None => (text, None),
        };
        let (name, delivery) = match rest.split_once('#') {
            Some((name, delivery)) => (name, delivery),
            None => (rest, "1"),
        };
        let known = || scenario.messages.iter().map(String::as_str);
        let index = known().position(|message| message == name).ok_or_else(|| {
            let hint = suggestion(name, known());
            format!(
                "no request is called `{name}` in this run{hint}; the names are {}",
                listed(known())
            )
        })?;
        let name = NameId(index);
        let delivery = delivery.parse().ok().filter(|delivery| *delivery >= 1);
        let delivery = delivery
            .ok_or_else(|| format!("`{rest}` does not say which delivery: `#2` is the second"))?;
        let replica = replica
            .map(|replica| replica_id(replica, name, scenario))
            .transpose()?;
        Ok(Subject {
            name,
            delivery,
            replica,
        })
    }

    /// What came of it: the verdict of a write or claim, else what the client heard.
    pub fn outcome(&self, played: &Played) -> Result<Outcome, String> {
        let Played { scenario, trace } = played;
        if written_resource(scenario, self.name).is_some() {
            return Ok(delivery_outcome(
                scenario,
                trace,
                self.name,
                self.delivery,
                self.replica,
            ));
        }
        if self.delivery > 1 {
            return Err("only writes and claims have a verdict for each delivery".to_owned());
        }
        let step =
            step_of(scenario, self.name).and_then(|step| step_outcome(scenario, trace, step));
        step.ok_or_else(|| {
            format!(
                "`{}` has no outcome that can be asked about",
                self.words(scenario)
            )
        })
    }

    /// The event by which the outcome is there: the decision, else the answer to the client.
    pub fn decided(&self, played: &Played) -> Option<usize> {
        let Played { scenario, trace } = played;
        let is_this = |id: MessageId| self.is_of(&trace.messages[id.0]);
        let replicated = written_resource(scenario, self.name)
            .is_some_and(|resource| !scenario.resources[resource.0].replicas.is_empty());
        // Of replicas together only the answer says what came of it.
        let as_a_whole = replicated && self.replica.is_none();
        let decides = |kind: &EventKind| match kind {
            EventKind::Judged(index) if !as_a_whole => {
                let verdict = &trace.verdicts[*index];
                is_this(verdict.message) && self.replica.is_none_or(|r| r == verdict.place.replica)
            }
            EventKind::Called(id) => is_this(*id),
            EventKind::Heard(id) => is_this(*id),
            _ => false,
        };
        trace.events.iter().position(|event| decides(&event.kind))
    }

    /// The event by which its token is known: it sets out, or the client hears of its grant.
    pub fn token_known(&self, played: &Played) -> Option<usize> {
        let trace = &played.trace;
        let is_this = |id: MessageId| self.is_of(&trace.messages[id.0]);
        let shows = |kind: &EventKind| match kind {
            EventKind::Sent(id) => is_this(*id) && carries(&trace.messages[id.0].content),
            EventKind::Heard(id) => is_this(*id),
            _ => false,
        };
        trace.events.iter().position(|event| shows(&event.kind))
    }

    /// Its message.
    pub fn message<'p>(&self, played: &'p Played) -> Option<&'p Message> {
        let is_request = |message: &&Message| message.answers.is_none() && self.is_of(message);
        played.trace.messages.iter().find(is_request)
    }

    fn is_of(&self, message: &Message) -> bool {
        message.name == Some(self.name) && message.delivery == self.delivery
    }

    /// Reads an answer as one would write it in an expectation of this request.
    pub fn answer(&self, text: &str, scenario: &Scenario) -> Result<Outcome, String> {
        let fits = |c: char| c.is_ascii_alphanumeric() || " -(),".contains(c);
        if let Some(odd) = text.chars().find(|c| !fits(*c)) {
            return Err(format!("an answer has no `{odd}`"));
        }
        // One grammar for answers: that of `=>`, on a request of the same kind.
        let request = match step_of(scenario, self.name).and_then(|step| request(scenario, step)) {
            Some(Body::Acquire(_)) => "A acquires",
            Some(Body::Renew(_)) => "A renews",
            Some(Body::Release(_)) => "A releases",
            Some(Body::Call(..)) => "external x\nA calls x \"\"",
            _ => "A writes w \"\"",
        };
        let parsed = script::parse(&format!("{request} => {text}"));
        if let Some(error) = parsed.errors.first() {
            return Err(format!("the answer `{text}`: {error}"));
        }
        let expectation = parsed
            .scenario
            .steps
            .into_iter()
            .find_map(|step| step.expectation);
        expectation.ok_or_else(|| "the answer is empty".to_owned())
    }

    fn words<'s>(&self, scenario: &'s Scenario) -> &'s str {
        &scenario.messages[self.name.0]
    }
}

/// Whether a picked answer is what the run says; a reason and an anomaly may be left out.
pub(super) fn agrees(picked: &Outcome, says: &Outcome) -> bool {
    picked.answer == says.answer
        && (picked.reason.is_none() || picked.reason == says.reason)
        && (picked.anomalies.is_empty() || picked.anomalies == says.anomalies)
}

/// The token of an outcome `granted N`.
pub(super) fn granted(outcome: &Outcome) -> Option<u64> {
    match outcome.answer {
        Answer::Granted(token) => Some(token),
        _ => None,
    }
}

fn carries(content: &Content) -> bool {
    matches!(content, Content::Write(_) | Content::Claim(_))
}

fn replica_id(replica: &str, name: NameId, scenario: &Scenario) -> Result<ReplicaId, String> {
    let resource = written_resource(scenario, name).map(|id| &scenario.resources[id.0]);
    let Some(resource) = resource.filter(|resource| !resource.replicas.is_empty()) else {
        return Err(format!(
            "`{}` goes to no replicas",
            scenario.messages[name.0]
        ));
    };
    let known = || resource.replicas.iter().map(String::as_str);
    let index = known().position(|known| known == replica);
    index
        .map(ReplicaId)
        .ok_or_else(|| format!("unknown replica `{replica}`: there are {}", listed(known())))
}

/// The step that sends a named request.
fn step_of(scenario: &Scenario, name: NameId) -> Option<usize> {
    let names = |step: usize| match &scenario.steps[step].action {
        Action::Request(Request { name: named, .. }) => *named == Some(name),
        _ => false,
    };
    (0..scenario.steps.len()).find(|step| names(*step))
}

fn request(scenario: &Scenario, step: usize) -> Option<&Body> {
    match &scenario.steps.get(step)?.action {
        Action::Request(request) => Some(&request.body),
        _ => None,
    }
}
