//! All sentences about events: the transcript, the badge, accessible names, words of tables.
//!
//! Nothing here decides anything: each sentence restates what the trace says. Each is exact about
//! who knows what: the coordinator, a client, a resource, or only the observer.

mod events;
mod labels;
mod verdicts;
mod words;

pub use labels::*;
pub(crate) use verdicts::missing_part;

use crate::sim::text::join;
use crate::sim::*;
use words::{Words, capital};

/// What a fence must not be said to do, and what to say instead. Searched without regard to case.
#[cfg(not(target_arch = "wasm32"))]
pub const WRONG_PHRASES: &[(&str, &str)] = &[
    (
        ", good until",
        "the lease is good until a time, a token until a greater one is seen",
    ),
    (
        "expired token is rejected",
        "superseded, and the resource has seen it",
    ),
    (
        "expired tokens are rejected",
        "superseded, and the resource has seen it",
    ),
    (
        "rejects expired",
        "superseded, and the resource has seen it",
    ),
    ("reject expired", "superseded, and the resource has seen it"),
    (
        "rejects an expired",
        "superseded, and the resource has seen it",
    ),
    (
        "refuses expired",
        "superseded, and the resource has seen it",
    ),
    (
        "refuses an expired",
        "superseded, and the resource has seen it",
    ),
    (
        "because the lease expired",
        "superseded, and the resource has seen it",
    ),
    (
        "because its lease expired",
        "superseded, and the resource has seen it",
    ),
    (
        "because it expired",
        "superseded, and the resource has seen it",
    ),
    (
        "expired, so the write is rejected",
        "superseded, and the resource has seen it",
    ),
    (
        "the token expires",
        "the lease expires; a token only gets superseded",
    ),
    (
        "token expired",
        "the lease expired; a token only gets superseded",
    ),
    (
        "token has expired",
        "the lease has expired; a token only gets superseded",
    ),
    (
        "token is expired",
        "the lease is over; a token only gets superseded",
    ),
    ("expired token", "a superseded token"),
    ("token is invalidated", "a greater token has been accepted"),
    ("invalidates the token", "a greater token has been accepted"),
    ("revokes the token", "a greater token has been accepted"),
    ("fencing revokes", "fencing refuses stale effects"),
    ("fence revokes", "the fence refuses stale effects"),
    (
        "fencing stops",
        "fencing refuses stale effects; the client runs on",
    ),
    (
        "fence stops",
        "the fence refuses stale effects; the client runs on",
    ),
    (
        "fencing kills",
        "fencing refuses stale effects; the client runs on",
    ),
    (
        "fencing notifies",
        "fencing refuses stale effects; nobody is told",
    ),
    (
        "fence notifies",
        "the fence refuses stale effects; nobody is told",
    ),
    (
        "fencing undoes",
        "fencing refuses stale effects; it takes nothing back",
    ),
    (
        "fence undoes",
        "the fence refuses stale effects; it takes nothing back",
    ),
    (
        "fencing rolls back",
        "fencing refuses stale effects; it takes nothing back",
    ),
    (
        "guarantees mutual exclusion",
        "effects at one resource are ordered by grant",
    ),
    (
        "guarantee mutual exclusion",
        "effects at one resource are ordered by grant",
    ),
    (
        "guaranteed mutual exclusion",
        "effects at one resource are ordered by grant",
    ),
    (
        "ensures mutual exclusion",
        "effects at one resource are ordered by grant",
    ),
    (
        "provides mutual exclusion",
        "effects at one resource are ordered by grant",
    ),
    ("exactly once", "a fence lets a current duplicate through"),
    ("exactly-once", "a fence lets a current duplicate through"),
    (
        "client’s token number",
        "a token names a grant, never a client",
    ),
    ("fully safe", "say what is ordered, and where"),
    ("completely safe", "say what is ordered, and where"),
    ("100% safe", "say what is ordered, and where"),
    (
        "tokens are consecutive",
        "tokens strictly increase; gaps are fine",
    ),
    ("globally ordered tokens", "tokens are ordered per scope"),
    ("the token is a credential", "a token is not a credential"),
    ("token authenticates", "a token is not a credential"),
];

/// The sentences about one event; `None` where another event of the same instant says it better.
pub fn sentence(scenario: &Scenario, trace: &Trace, event: usize) -> Option<String> {
    let clause = events::clause(&View { scenario, trace }, event)?;
    Some(clause.finish(scenario))
}

/// All sentences of one instant, as one text. Empty for a moment that the trace does not have.
pub fn moment(scenario: &Scenario, trace: &Trace, moment: usize) -> String {
    let view = View { scenario, trace };
    let range = trace.moments.get(moment).map_or(0..0, |m| m.events.clone());
    let mut merged: Vec<Clause> = Vec::new();
    for clause in range.filter_map(|event| events::clause(&view, event)) {
        let rest = match merged.last_mut() {
            Some(last) => last.merge(clause),
            None => Some(clause),
        };
        merged.extend(rest);
    }
    let sentences: Vec<String> = merged.into_iter().map(|c| c.finish(scenario)).collect();
    sentences.join(" ")
}

/// The time and the text of every moment, in order.
pub fn transcript(scenario: &Scenario, trace: &Trace) -> Vec<(Secs, String)> {
    let line = |(index, at): (usize, &Moment)| (at.at_secs, moment(scenario, trace, index));
    trace.moments.iter().enumerate().map(line).collect()
}

/// A run and its text.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub scenario: &'a Scenario,
    pub trace: &'a Trace,
}

impl<'a> View<'a> {
    pub fn message(&self, id: MessageId) -> Option<&'a Message> {
        self.trace.messages.get(id.0)
    }

    pub fn grant(&self, id: GrantId) -> Option<&'a Grant> {
        self.trace.grants.get(id.0)
    }

    pub fn client(&self, id: ClientId) -> &'a str {
        words::client(self.scenario, id)
    }

    /// The events that one step of the cursor passes together with `event`.
    pub fn same_moment(&self, event: usize) -> &'a [Event] {
        let moments = &self.trace.moments;
        let index = moments.partition_point(|moment| moment.events.end <= event);
        let range = moments
            .get(index)
            .map_or(event..event, |m| m.events.clone());
        self.trace.events.get(range).unwrap_or_default()
    }

    /// The client's belief in `lease` just after `event`.
    pub fn belief(&self, client: ClientId, lease: LeaseId, event: usize) -> Option<&'a BeliefSpan> {
        let spans = &self.trace.belief_spans;
        let begun = spans.partition_point(|span| span.first_event <= event);
        let last = spans[..begun]
            .iter()
            .rev()
            .find(|span| span.client == client && span.lease == lease)?;
        last.last_event
            .is_none_or(|end| end > event)
            .then_some(last)
    }

    /// Until when the client believes, just after `event`: later answers may prolong it.
    pub fn believed_until(&self, span: &BeliefSpan, event: usize) -> Secs {
        let lease = self.scenario.leases.get(span.lease.0);
        let ttl_secs = lease
            .and_then(|l| l.ttl_secs)
            .unwrap_or(self.scenario.ttl_secs);
        let events = self
            .trace
            .events
            .get(span.first_event..=event)
            .unwrap_or_default();
        let answer = |event: &Event| match event.kind {
            EventKind::Heard(id) => self.prolongs(self.message(id)?, span),
            _ => None,
        };
        let last = events
            .iter()
            .filter_map(answer)
            .max()
            .unwrap_or(span.from_secs);
        last.saturating_add(ttl_secs).min(span.until_secs)
    }

    /// When the request was sent whose answer gives the client this grant, or more time of it.
    fn prolongs(&self, answer: &Message, span: &BeliefSpan) -> Option<Secs> {
        let grant = match answer.content {
            Content::Answer(AnswerContent::Granted(grant, _) | AnswerContent::Renewed(grant)) => {
                grant
            }
            _ => return None,
        };
        let request = self.message(answer.answers?)?;
        let original = request
            .copy_of
            .and_then(|id| self.message(id))
            .unwrap_or(request);
        (answer.client == span.client && grant == span.grant).then_some(original.sent_secs)
    }

    /// Whether the client has believed in `lease` at some time before `event`, and not crashed since.
    pub fn knew(&self, client: ClientId, lease: LeaseId, event: usize) -> bool {
        let spans = &self.trace.belief_spans;
        let begun = spans.partition_point(|span| span.first_event <= event);
        let mut theirs = spans[..begun].iter().rev();
        let last = theirs.find(|span| span.client == client && span.lease == lease);
        let crash = |stop: &StopSpan| stop.crashed.then_some(stop.first_event);
        let stop = self.last_stop(client, event).and_then(crash);
        last.is_some_and(|span| Some(span.first_event) > stop)
    }

    /// The lease as the coordinator has it just after `event`, if somebody holds it.
    pub fn held(&self, lease: LeaseId, event: usize) -> Option<&'a LeaseSpan> {
        let last = self.last_span(lease, event)?;
        last.last_event
            .is_none_or(|end| end > event)
            .then_some(last)
    }

    /// The last span of the lease that began by `event`.
    pub fn last_span(&self, lease: LeaseId, event: usize) -> Option<&'a LeaseSpan> {
        let spans = &self.trace.lease_spans;
        let begun = spans.partition_point(|span| span.first_event <= event);
        let under = |span: &&LeaseSpan| self.grant(span.grant).is_some_and(|g| g.lease == lease);
        spans[..begun].iter().rev().find(under)
    }

    /// The time in which the client does not run, just after `event`.
    pub fn stopped(&self, client: ClientId, event: usize) -> Option<&'a StopSpan> {
        let last = self.last_stop(client, event)?;
        last.last_event
            .is_none_or(|end| end > event)
            .then_some(last)
    }

    /// The last time in which the client did not run, begun by `event`.
    pub fn last_stop(&self, client: ClientId, event: usize) -> Option<&'a StopSpan> {
        let spans = &self.trace.stop_spans;
        let begun = spans.partition_point(|span| span.first_event <= event);
        spans[..begun]
            .iter()
            .rev()
            .find(|span| span.client == client)
    }

    /// What the place holds just after `event`; `None` for `event`: at the start.
    pub fn store(&self, place: Place, event: Option<usize>) -> Option<&'a StoreChange> {
        let stores = &self.trace.stores;
        let made = stores.partition_point(|change| change.event <= event);
        stores[..made]
            .iter()
            .rev()
            .find(|change| change.place == place)
    }

    /// The next token of the lease just after `event`.
    pub fn next_token(&self, lease: LeaseId, event: Option<usize>) -> Token {
        let counters = &self.trace.counters;
        let made = counters.partition_point(|change| change.event <= event);
        let last = counters[..made].iter().rev().find(|c| c.lease == lease);
        last.map_or(0, |change| change.next)
    }

    /// The newest token of the grant that was issued by `event`.
    pub fn token_at(&self, grant: &Grant, event: Option<usize>) -> Option<Token> {
        if grant.tokens.len() < 2 {
            return grant.tokens.first().copied();
        }
        // Only minting gives a grant several tokens; each one moved the counter past it.
        let next = self.next_token(grant.lease, event);
        let issued = grant.tokens.iter().rev().find(|token| **token < next);
        issued.or(grant.tokens.first()).copied()
    }

    /// The step that sent the message or what it answers, as a request.
    pub fn request(&self, message: &Message) -> Option<&'a Request> {
        match &self.scenario.steps.get(message.step)?.action {
            Action::Request(request) => Some(request),
            _ => None,
        }
    }

    /// The end of a lease as it stood at `at_secs`, before later renewals moved it.
    pub fn end_as_of(&self, span: &LeaseSpan, at_secs: Secs) -> Secs {
        let past = span.renewals.partition_point(|(when, _)| *when <= at_secs);
        let renewed = past.checked_sub(1).and_then(|last| span.renewals.get(last));
        match (renewed, self.trace.events.get(span.first_event)) {
            (Some((_, until)), _) => *until,
            (None, Some(event)) => match event.kind {
                EventKind::Granted { until_secs, .. } | EventKind::Renewed { until_secs, .. } => {
                    until_secs
                }
                _ => span.until_secs,
            },
            (None, None) => span.until_secs,
        }
    }
}

/// Who does what a clause tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A client.
    Client(ClientId),
    /// Replicas of one resource that do the same.
    Replicas(Vec<Place>),
    /// Anybody else, named by the clause itself.
    Other,
}

/// Part of a sentence, as a pointer: it is handed on through many functions.
pub(crate) struct Clause(Box<Parts>);

/// `subject` + `predicate`, then whole sentences.
struct Parts {
    subject: Subject,
    /// Clauses of one client are joined: `learns …`, `sends …`.
    predicates: Vec<String>,
    /// Whole sentences that follow, with their full stops; may be empty.
    tail: String,
}

impl Clause {
    #[inline(never)]
    fn of_client(client: ClientId, predicate: Words) -> Self {
        Clause::new(Subject::Client(client), predicate)
    }

    /// A sentence that names its own subject.
    #[inline(never)]
    fn other(text: Words) -> Self {
        Clause::new(Subject::Other, text)
    }

    fn new(subject: Subject, predicate: Words) -> Self {
        Clause(Box::new(Parts {
            subject,
            predicates: vec![predicate.text()],
            tail: String::new(),
        }))
    }

    /// Adds a whole sentence, without its full stop.
    #[inline(never)]
    fn then(mut self, sentence: &str) -> Self {
        for piece in [" ", sentence, "."] {
            self.0.tail.push_str(piece);
        }
        self
    }

    /// The same for a sentence in the making.
    #[inline(never)]
    fn add(self, sentence: Words) -> Self {
        self.then(&sentence.text())
    }

    /// Adds what follows with the same subject; gives it back where that would not read well.
    fn merge(&mut self, next: Clause) -> Option<Clause> {
        let (mine, other) = (&mut *self.0, &*next.0);
        match (&mut mine.subject, &other.subject) {
            (Subject::Client(one), Subject::Client(two)) if one == two => {
                // A predicate with a comma or colon of its own can only be the last of a list.
                let mark = |pair: &[u8]| matches!(pair, b", " | b": ");
                let closed = |text: &String| text.as_bytes().windows(2).any(mark);
                if !mine.tail.is_empty() || mine.predicates.iter().any(closed) {
                    return Some(next);
                }
                let next = *next.0;
                mine.predicates.extend(next.predicates);
                mine.tail = next.tail;
                None
            }
            (Subject::Replicas(places), Subject::Replicas(more))
                if mine.predicates == other.predicates
                    && mine.tail == other.tail
                    && places.first().map(|p| p.resource) == more.first().map(|p| p.resource) =>
            {
                places.extend(more);
                None
            }
            _ => Some(next),
        }
    }

    fn finish(self, scenario: &Scenario) -> String {
        let Parts {
            subject,
            predicates,
            tail,
        } = *self.0;
        let mut text = match &subject {
            Subject::Client(client) => Words::new("").client(scenario, *client).say(" "),
            Subject::Replicas(places) => replicas(scenario, places),
            Subject::Other => Words::new(""),
        };
        let count = predicates.len();
        let plural = matches!(&subject, Subject::Replicas(places) if places.len() > 1);
        let mut previous = "";
        for (index, predicate) in predicates.iter().enumerate() {
            let joint = match index {
                0 => "",
                _ if index + 1 < count => ", ",
                _ => ", and ",
            };
            // `learns that …, and that …`
            let both_learn = previous.starts_with("learns that ");
            let rest = predicate.strip_prefix("learns ").filter(|_| both_learn);
            let spoken = conjugated(rest.unwrap_or(predicate), plural);
            text = text.say(joint).say(&spoken);
            previous = predicate;
        }
        let mut text = text.text();
        if !text.ends_with(['.', '!', '?']) {
            text.push('.');
        }
        text.push_str(&tail);
        capital(&text)
    }
}

/// `Replica R1 ` or `Replicas R1 and R2 of doc `.
fn replicas(scenario: &Scenario, places: &[Place]) -> Words {
    let name = |place: &Place| words::replica(scenario, *place);
    let names: Vec<&str> = places.iter().filter_map(name).collect();
    let noun = if names.len() > 1 {
        "replicas "
    } else {
        "replica "
    };
    let of = places.first().map_or_else(String::new, |place| {
        words::of_resource(scenario, place.resource)
    });
    Words::new(noun).list(&names).say(&of).say(" ")
}

/// The predicate, which starts with a verb in the third person singular, for one or for many.
fn conjugated(predicate: &str, plural: bool) -> String {
    let Some((verb, rest)) = predicate.split_once(' ').filter(|_| plural) else {
        return predicate.to_owned();
    };
    match verb.strip_suffix("ies") {
        Some(stem) => join(&[stem, "y ", rest]),
        None => join(&[verb.trim_end_matches('s'), " ", rest]),
    }
}
