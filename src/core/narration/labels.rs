//! Short texts beside the transcript: the badge, table cells, accessible names, panel words.

use super::words::{self, Words};
use super::{View, verdicts};
use crate::frame::{Belief, Status, Truth};
use crate::sim::text::join;
use crate::sim::*;

/// Whether the run has kept its promise so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Badge {
    /// Something went wrong.
    pub broken: bool,
    /// The words of the badge, without a full stop.
    pub text: String,
}

/// The badge when `passed` moments have passed: the first stale write, else the first other failure.
pub fn badge(scenario: &Scenario, trace: &Trace, passed: usize) -> Badge {
    let view = View { scenario, trace };
    let judged = trace
        .verdicts
        .get(..verdicts_by(trace, passed))
        .unwrap_or_default();
    let first = |anomaly| judged.iter().position(|v| v.anomalies.contains(&anomaly));
    let stale = first(Anomaly::Stale).map(|at| stale_words(&view, at));
    let other = || {
        let kinds = [
            Anomaly::Twice,
            Anomaly::Reordered,
            Anomaly::LostUpdate,
            Anomaly::HolderRefused,
        ];
        let found = kinds.iter().filter_map(|kind| Some((first(*kind)?, *kind)));
        let (at, kind) = found.min()?;
        failure_words(&view, &judged[at], kind)
    };
    match stale.or_else(other) {
        Some(text) => Badge { broken: true, text },
        None => Badge {
            broken: false,
            text: "No stale write accepted".to_owned(),
        },
    }
}

/// How many verdicts there are when `passed` moments have passed.
pub(crate) fn verdicts_by(trace: &Trace, passed: usize) -> usize {
    let end = trace.events_passed(passed);
    let events = trace.events.get(..end).unwrap_or_default();
    let judged = events.iter().rev().find_map(|event| match event.kind {
        EventKind::Judged(verdict) => Some(verdict + 1),
        _ => None,
    });
    judged.unwrap_or(0)
}

fn stale_words(view: &View, verdict: usize) -> String {
    match verdicts::after_words(view, verdict) {
        Some(after) if after.starts_with("no token") => join(&["Stale write accepted: ", &after]),
        Some(after) => join(&["Stale write accepted: token ", &after]),
        None => "Stale write accepted".to_owned(),
    }
}

fn failure_words(view: &View, verdict: &Verdict, kind: Anomaly) -> Option<String> {
    let message = view.message(verdict.message)?;
    let name = words::effect_name(view.scenario, message);
    let words = match kind {
        Anomaly::Twice => Words::new("Took effect twice: "),
        Anomaly::Reordered => Words::new("Accepted out of order: "),
        Anomaly::LostUpdate => Words::new("Update lost under "),
        _ => Words::new("Holder refused: "),
    };
    Some(words.say(&name).text())
}

/// The accessible name of the picture: what stands before the time, and after it.
pub fn timeline_label(scenario: &Scenario, trace: &Trace) -> (String, String) {
    let mut lanes = vec!["coordinator".to_owned()];
    for client in &scenario.clients {
        lanes.push(join(&["client ", client]));
    }
    for (index, resource) in scenario.resources.iter().enumerate() {
        let name = words::resource(scenario, ResourceId(index));
        let name = name.strip_prefix("the ").unwrap_or(&name);
        if resource.replicas.is_empty() {
            lanes.push(name.to_owned());
        }
        for replica in &resource.replicas {
            lanes.push(join(&[name, " at ", replica]));
        }
    }
    lanes.extend_from_slice(&scenario.externals);
    let before = Words::new("Timeline, 0 to ")
        .number(trace.end_secs)
        .say(" virtual seconds, at ");
    let mut words = Words::new(" s. ")
        .number(lanes.len() as u64)
        .say(" lanes: ");
    for (index, lane) in lanes.iter().enumerate() {
        words = words.listed(lane, index, lanes.len());
    }
    (before.text(), words.say(".").text())
}

/// The words for an answer or verdict in a row or table: `accepted (stale)`, `rejected: stale`,
/// `granted 41`.
pub fn short_outcome(outcome: &Outcome) -> String {
    let answer = outcome.answer;
    let mut words = Words::new(answer.word());
    if let Answer::Granted(token) = answer {
        words = words.say(" ").number(token);
    }
    if let Some(reason) = outcome.reason {
        words = words.say(": ").say(reason.name());
    }
    let names: Vec<&str> = outcome
        .anomalies
        .iter()
        .map(|anomaly| anomaly.name())
        .collect();
    if names.is_empty() {
        return words.text();
    }
    words.say(" (").say(&names.join(", ")).say(")").text()
}

/// What a client is doing: `running`, `paused since 4 s`.
pub fn status_words(status: Status) -> String {
    match status {
        Status::Running => "running".to_owned(),
        Status::RunningAgain => "running again".to_owned(),
        Status::Paused { since_secs } => Words::new("paused since ").secs(since_secs).text(),
        Status::Crashed { since_secs } => Words::new("crashed at ").secs(since_secs).text(),
    }
}

/// A belief in two parts: `holds 41`, `until 10 s`. The second may be empty.
pub fn belief_words(belief: Belief) -> (String, String) {
    let holds = |token| Words::new("holds ").number(token).text();
    match belief {
        Belief::None => ("no lease".to_owned(), String::new()),
        Belief::Holds { token, until_secs } => {
            (holds(token), Words::new("until ").secs(until_secs).text())
        }
        Belief::Still { token, as_of_secs } => {
            (holds(token), Words::new("as of ").secs(as_of_secs).text())
        }
    }
}

/// The truth at the coordinator in two parts: `no lease`, `expired, 11 s`. The second may be empty.
pub fn truth_words(truth: Truth) -> (String, String) {
    let none = || "no lease".to_owned();
    match truth {
        Truth::Never => (none(), "never held".to_owned()),
        Truth::Holds { token, until_secs } => (
            Words::new("holds ").number(token).text(),
            Words::new("until ").secs(until_secs).text(),
        ),
        Truth::Ended { how, at_secs } => {
            let how = match how {
                LeaseEnd::Expired | LeaseEnd::ExpiredEarly => "expired, ",
                LeaseEnd::Revoked => "revoked, ",
                LeaseEnd::Released => "released, ",
                LeaseEnd::Superseded => "given away, ",
                LeaseEnd::RolledBack => "rolled back, ",
                LeaseEnd::Forgotten => "forgotten, ",
            };
            (none(), Words::new(how).secs(at_secs).text())
        }
    }
}

/// The last thing that a client did or heard by the event before `end`, as a sentence.
pub(crate) fn last_act(view: &View, client: ClientId, status: Status, end: usize) -> String {
    match status {
        Status::Paused { .. } => return "Will resume where it stopped.".to_owned(),
        Status::Crashed { .. } => return "Has lost its memory.".to_owned(),
        Status::Running | Status::RunningAgain => {}
    }
    let events = view.trace.events.get(..end).unwrap_or_default();
    let act = |event: &Event| {
        let words = match event.kind {
            EventKind::Sent(id) => sent_act(view, view.message(id)?, client),
            EventKind::Heard(id) => heard_act(view, view.message(id)?, client),
            EventKind::Client(who, ClientAction::Restarts) if who == client => {
                Some(Words::new("Started again"))
            }
            _ => None,
        }?;
        Some(words.say(" at ").secs(event.at_secs).say(".").text())
    };
    let found = events.iter().rev().find_map(act);
    found.unwrap_or_else(|| "Has done nothing yet.".to_owned())
}

fn sent_act(view: &View, message: &Message, client: ClientId) -> Option<Words> {
    if message.from != Node::Client(client) || message.copy_of.is_some() {
        return None;
    }
    Some(match &message.content {
        Content::Acquire(lease) => Words::new("Asked for ").the_lease(view.scenario, *lease),
        Content::Renew(..) => Words::new("Asked for more time"),
        Content::Release(lease, _) => {
            let what = words::the_lease(view.scenario, *lease);
            Words::new("Gave ").say(&what).say(" back")
        }
        Content::Read(_) => Words::new("Asked for the value"),
        Content::Call(external, _) => Words::new("Called ").external(view.scenario, *external),
        Content::Claim(_) => Words::new("Claim sent"),
        Content::Write(_) => Words::new("").effect(view.scenario, message).say(" sent"),
        Content::Answer(_) => return None,
    })
}

fn heard_act(view: &View, message: &Message, client: ClientId) -> Option<Words> {
    let Content::Answer(answer) = message.content else {
        return None;
    };
    if message.to != Node::Client(client) {
        return None;
    }
    let request = view.message(message.answers?)?;
    let name = match request.content {
        Content::Claim(_) => "Claim".to_owned(),
        _ => words::effect_name(view.scenario, request),
    };
    Some(match answer {
        AnswerContent::Granted(_, token) => Words::new("Heard of token ").number(token),
        AnswerContent::Refused => Words::new("Heard a refusal"),
        AnswerContent::Renewed(_) => Words::new("Heard of its renewal"),
        AnswerContent::Released => Words::new("Heard of its release"),
        AnswerContent::Verdict(Answer::Rejected) => Words::new(&name).say(" rejected"),
        AnswerContent::Verdict(Answer::Duplicate) => Words::new(&name).say(" called a duplicate"),
        AnswerContent::Verdict(Answer::NotCommitted) => Words::new(&name).say(" not committed"),
        AnswerContent::Verdict(_) => Words::new(&name).say(" acknowledged"),
        AnswerContent::Version(_) => Words::new("Heard the value"),
        AnswerContent::Called => Words::new("Call acknowledged"),
    })
}
