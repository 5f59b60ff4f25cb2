//! The output of a run: everything that happened, in order, and what each party held meanwhile.
//!
//! All lists are ordered by time of happening; at one instant by the rules of LANGUAGE.md, "Time".
//! Indices ([`MessageId`], [`GrantId`], …) point into the lists of the same [`Trace`].

use super::scenario::*;
use super::set::EnumSet;
use std::ops::Range;
use std::sync::Arc;

/// Index into [`Trace::messages`]: the order of sending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(pub usize);

/// Index into [`Trace::grants`]: the order of granting, over all leases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GrantId(pub usize);

/// What `run` gives back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// All that happened.
    pub events: Vec<Event>,
    /// The instants at which something happened: what one press of "step" passes.
    pub moments: Vec<Moment>,
    /// Every request and answer, also lost and held ones, and copies.
    pub messages: Vec<Message>,
    /// Every successful acquisition.
    pub grants: Vec<Grant>,
    /// Every decision of a resource about a write or claim.
    pub verdicts: Vec<Verdict>,
    /// One for each step of the scenario.
    pub steps: Vec<StepRun>,
    /// Steps that could not happen (they are left out of the run) and limits that were reached.
    pub problems: Vec<Problem>,
    /// When a lease was held at the coordinator.
    pub lease_spans: Vec<LeaseSpan>,
    /// When a client believed that it held a lease.
    pub belief_spans: Vec<BeliefSpan>,
    /// When a client did not run.
    pub stop_spans: Vec<StopSpan>,
    /// What each place of each resource stored: a new entry with each change.
    pub stores: Vec<StoreChange>,
    /// The next token of each lease: a new entry with each change.
    pub counters: Vec<CounterChange>,
    /// When the run ended.
    pub end_secs: Secs,
}

impl Trace {
    /// How many events have happened when `passed` moments have passed.
    pub fn events_passed(&self, passed: usize) -> usize {
        let last = passed
            .checked_sub(1)
            .and_then(|last| self.moments.get(last));
        last.map_or(0, |moment| moment.events.end)
    }

    /// When the last of `passed` moments was; 0 at the start.
    pub fn secs_passed(&self, passed: usize) -> Secs {
        let last = passed
            .checked_sub(1)
            .and_then(|last| self.moments.get(last));
        last.map_or(0, |moment| moment.at_secs)
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at_secs: Secs,
    /// The step being carried out, if it was one (not for deliveries and expiries).
    pub step: Option<usize>,
    /// What.
    pub kind: EventKind,
}

/// See [`Event::kind`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A caption.
    Note(String),
    /// A request or answer set out (also one that is held or will be lost).
    Sent(MessageId),
    /// A message reached its destination (a paused client's inbox too).
    Arrived(MessageId),
    /// A message will never arrive.
    Lost(MessageId),
    /// A client took an answer out of its inbox and knows it from now on.
    Heard(MessageId),
    /// A lease was granted.
    Granted {
        /// The grant (an older one if the holder re-entered).
        grant: GrantId,
        /// The number that the client gets.
        token: Token,
        /// End at the coordinator.
        until_secs: Secs,
        /// Which rule.
        how: GrantKind,
    },
    /// An acquisition was refused.
    AcquireRefused {
        /// Who asked.
        client: ClientId,
        /// For which lease.
        lease: LeaseId,
        /// Why.
        why: Refusal,
    },
    /// A lease runs anew.
    Renewed {
        /// Which.
        grant: GrantId,
        /// New end at the coordinator.
        until_secs: Secs,
        /// It had ended already (`late renewal allowed`).
        late: bool,
    },
    /// A renewal was refused.
    RenewalRefused {
        /// Who asked.
        client: ClientId,
        /// For which lease.
        lease: LeaseId,
    },
    /// A release was refused.
    ReleaseRefused {
        /// Who asked.
        client: ClientId,
        /// For which lease.
        lease: LeaseId,
    },
    /// A lease is over at the coordinator.
    LeaseEnded {
        /// Which.
        grant: GrantId,
        /// How.
        how: LeaseEnd,
    },
    /// `expires` or `revokes` found that this client is not the live holder.
    NothingToEnd {
        /// Who was named.
        client: ClientId,
        /// Under which lease.
        lease: LeaseId,
    },
    /// The coordinator took a snapshot.
    CoordinatorSaved,
    /// The coordinator went back to its snapshot.
    CoordinatorRestored {
        /// Added to each counter.
        jump: u64,
    },
    /// The coordinator forgot its leases.
    CoordinatorRestarted {
        /// Where each counter was set.
        token: Option<Token>,
    },
    /// A client stopped, went on, lost its memory, started again.
    Client(ClientId, ClientAction),
    /// A client compared its belief with its clock.
    Checked {
        /// Who.
        client: ClientId,
        /// Which lease.
        lease: LeaseId,
        /// What it found.
        valid: bool,
    },
    /// A client stopped believing that it holds a lease.
    BeliefEnded {
        /// Who.
        client: ClientId,
        /// Which lease.
        lease: LeaseId,
    },
    /// A write waits inside the resource until its effect.
    Stalled {
        /// The write.
        message: MessageId,
        /// Where.
        place: Place,
        /// When the effect is due.
        until_secs: Secs,
        /// What a comparison on arrival said; `None`: the rule compares at the effect.
        check: Option<Comparison>,
    },
    /// A resource decided: index into [`Trace::verdicts`].
    Judged(usize),
    /// The coordinator claimed a resource for the client of a new token (`+claim`).
    ClaimedAtGrant {
        /// Where.
        place: Place,
        /// For which grant.
        grant: GrantId,
        /// Its new token.
        token: Token,
        /// The mark was not above the token.
        installed: bool,
    },
    /// A read was answered.
    ReadServed(MessageId),
    /// An effect outside every fence.
    Called(MessageId),
    /// `forgets mark`; with `kept` the mark is durable and stays.
    MarkForgotten {
        /// Where.
        resource: ResourceId,
        /// `+durable`.
        kept: bool,
    },
    /// `restarts at mark N`; with `kept` the mark is durable and stays.
    RestartedAtMark {
        /// Where.
        resource: ResourceId,
        /// The mark of the text.
        mark: Token,
        /// `+durable`.
        kept: bool,
    },
    /// A resource saved all that it holds.
    ResourceSaved(ResourceId),
    /// A resource went back to what it saved.
    ResourceRestored(ResourceId),
    /// A resource judges by another policy from now on.
    Became(ResourceId, Policy),
}

/// How a grant came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantKind {
    /// A free lease was asked for.
    Fresh,
    /// The live holder asked again and kept its token.
    Reentry,
    /// The live holder asked again and got a new token.
    Minted,
    /// `coordinator grants`: against the rules.
    Forced,
}

/// Why an acquisition was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Somebody holds the lease.
    Held(GrantId),
    /// The holder itself asked, and re-entry is refused.
    Reentry(GrantId),
    /// A lock delay runs until then.
    LockDelay(Secs),
}

/// How a lease ended at the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseEnd {
    /// Its time was over.
    Expired,
    /// `coordinator expires`.
    ExpiredEarly,
    /// `coordinator revokes`.
    Revoked,
    /// The holder released it.
    Released,
    /// `coordinator grants` took it.
    Superseded,
    /// `coordinator restores` went back to a state without it.
    RolledBack,
    /// `coordinator restarts`.
    Forgotten,
}

/// One resource, or one replica of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The resource.
    pub resource: ResourceId,
    /// 0 where there are no replicas.
    pub replica: ReplicaId,
}

/// The numbers that a resource compared, for the picture and the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What it was judged by.
    pub policy: Policy,
    /// The token of the write.
    pub token: CarriedToken,
    /// The mark before.
    pub mark: Token,
    /// The pinned token before (`equality`).
    pub pin: Option<Token>,
    /// Who owned the mark before.
    pub owner: Option<ClientId>,
    /// The coordinator's live holder then (`ask-holder`).
    pub holder: Option<ClientId>,
    /// The resource's own clock then, in seconds (may be before 0).
    pub clock_secs: i128,
    /// `None`: it passed.
    pub reason: Option<Reason>,
}

/// The token that a write or claim really carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CarriedToken {
    /// None.
    Missing,
    /// A number, 0 included.
    Number(Token),
    /// A text.
    Text(String),
}

/// A group of events that one step of the cursor passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When.
    pub at_secs: Secs,
    /// Which of [`Trace::events`]; never empty.
    pub events: Range<usize>,
}

/// A party of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// Issues leases.
    Coordinator,
    /// Asks for leases, sends writes.
    Client(ClientId),
    /// Judges writes (one replica of it).
    Place(Place),
    /// Takes part in no check.
    External(ExternalId),
}

/// A request or answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The step that sent it, or that sent what it answers.
    pub step: usize,
    /// Name of the request (also on its answers and copies).
    pub name: Option<NameId>,
    /// 1 for the first delivery, 2 for the first copy…
    pub delivery: u32,
    /// Whose exchange this is.
    pub client: ClientId,
    /// Where from.
    pub from: Node,
    /// Where to. A request to replicas names the first place here; see `places`.
    pub to: Node,
    /// All places that it reaches (one without replicas; none for other requests).
    pub places: Vec<ReplicaId>,
    /// What it says.
    pub content: Content,
    /// When it set out.
    pub sent_secs: Secs,
    /// When it will arrive or has arrived; `None`: held or lost.
    pub due_secs: Option<Secs>,
    /// When it arrived at the destination's door.
    pub arrived_secs: Option<Secs>,
    /// Never arrives.
    pub lost: bool,
    /// The request it answers.
    pub answers: Option<MessageId>,
    /// The message it is a copy of.
    pub copy_of: Option<MessageId>,
}

/// See [`Message::content`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// For a lease.
    Acquire(LeaseId),
    /// For more time, for the grant that the client knows.
    Renew(LeaseId, Option<GrantId>),
    /// The end of the grant that the client knows.
    Release(LeaseId, Option<GrantId>),
    /// A new value.
    Write(Arc<WriteContent>),
    /// For the version.
    Read(ResourceId),
    /// To install its token.
    Claim(Arc<WriteContent>),
    /// An effect outside every fence.
    Call(ExternalId, String),
    /// An answer.
    Answer(AnswerContent),
}

/// What a write or claim carries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteContent {
    /// Where to.
    pub resource: ResourceId,
    /// The new value; empty for a claim.
    pub value: String,
    /// The token in the message.
    pub token: CarriedToken,
    /// Sent as `forged`.
    pub forged: bool,
    /// The grant it belongs to, as the observer knows.
    pub grant: Option<GrantId>,
    /// The idempotency key.
    pub key: Option<String>,
    /// The number within its token.
    pub seq: Option<u64>,
    /// The read it was computed from.
    pub based_on: Option<MessageId>,
    /// Latest time on the resource's clock.
    pub deadline_secs: Option<Secs>,
    /// When the effect is due at the earliest.
    pub applied_at_secs: Option<Secs>,
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerContent {
    /// The lease is granted under a token.
    Granted(GrantId, Token),
    /// No.
    Refused,
    /// The lease runs anew.
    Renewed(GrantId),
    /// The lease is over.
    Released,
    /// What the resource decided: an [`Answer`] without its reason.
    Verdict(Answer),
    /// The version that was read: how many writes had been accepted at the resource.
    Version(usize),
    /// The effect happened.
    Called,
}

/// One successful acquisition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Who.
    pub client: ClientId,
    /// Of which lease.
    pub lease: LeaseId,
    /// Its tokens, in order; more than one only with `reentry mints`.
    pub tokens: Vec<Token>,
    /// When.
    pub at_secs: Secs,
}

/// What a resource decided about one delivery at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The write or claim.
    pub message: MessageId,
    /// Its name.
    pub name: Option<NameId>,
    /// Which delivery of it, from 1.
    pub delivery: u32,
    /// Where.
    pub place: Place,
    /// When.
    pub at_secs: Secs,
    /// [`Answer::Accepted`], [`Answer::Rejected`] or [`Answer::Duplicate`].
    pub answer: Answer,
    /// Why it was rejected.
    pub reason: Option<Reason>,
    /// What an observer says.
    pub anomalies: EnumSet<Anomaly>,
    /// It is a claim.
    pub claim: bool,
    /// What was compared.
    pub comparison: Comparison,
    /// The mark afterwards.
    pub mark_after: Token,
}

/// How a step went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepRun {
    /// When it started.
    pub start_secs: Secs,
    /// The end of the step's own exchange: when the next step without `at` starts.
    pub finish_secs: Secs,
    /// What it sent.
    pub message: Option<MessageId>,
    /// The delivery that `arrives` or `arrives again` made.
    pub delivered: Option<MessageId>,
    /// What `checks` found.
    pub check: Option<Answer>,
}

/// A step that could not happen, or a limit that was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which step.
    pub step: usize,
    /// What is wrong and how to mend it: a sentence without a full stop.
    pub text: String,
}

/// A lease at the coordinator, from grant or renewal to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseSpan {
    /// Which grant.
    pub grant: GrantId,
    /// Start.
    pub from_secs: Secs,
    /// The end that it would have if nothing came between; moves with renewals.
    pub until_secs: Secs,
    /// When it really ended; `None`: not by the end of the run.
    pub ended_secs: Option<Secs>,
    /// How it ended.
    pub end: Option<LeaseEnd>,
    /// Renewals and re-entries: when, and the end that each set.
    pub renewals: Vec<(Secs, Secs)>,
    /// Index of the event that started it, and of that which ended it.
    pub first_event: usize,
    /// See `first_event`.
    pub last_event: Option<usize>,
}

/// A client's belief that it holds a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeliefSpan {
    /// Who.
    pub client: ClientId,
    /// Which lease.
    pub lease: LeaseId,
    /// Under which grant.
    pub grant: GrantId,
    /// The token it knows.
    pub token: Token,
    /// Since when.
    pub from_secs: Secs,
    /// The end that it believes in: request sent + ttl.
    pub until_secs: Secs,
    /// When it stopped believing (later than `until_secs` if it was paused then); `None`: not by the end.
    pub ended_secs: Option<Secs>,
    /// Index of the event that started it.
    pub first_event: usize,
    /// Index of the event that ended it.
    pub last_event: Option<usize>,
}

/// A time in which a client did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopSpan {
    /// Who.
    pub client: ClientId,
    /// Crashed rather than paused.
    pub crashed: bool,
    /// Since when.
    pub from_secs: Secs,
    /// Until when; `None`: not by the end of the run.
    pub ended_secs: Option<Secs>,
    /// Index of the event that started it.
    pub first_event: usize,
    /// Index of the event that ended it.
    pub last_event: Option<usize>,
}

/// What a place holds from an event on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreChange {
    /// Index of the event that changed it; `None`: the start of the run.
    pub event: Option<usize>,
    /// When.
    pub at_secs: Secs,
    /// Where.
    pub place: Place,
    /// The high-water mark.
    pub mark: Token,
    /// Who raised it.
    pub owner: Option<ClientId>,
    /// The pinned token.
    pub pin: Option<Token>,
    /// The stored value.
    pub value: String,
    /// Who wrote it; `None`: the header.
    pub writer: Option<ClientId>,
    /// The token that the stored value came with, as the observer knows.
    pub value_token: Option<Token>,
    /// The policy in force.
    pub policy: Policy,
}

/// The next token from an event on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterChange {
    /// Index of the event that changed it; `None`: the start of the run.
    pub event: Option<usize>,
    /// Which lease's counter.
    pub lease: LeaseId,
    /// The next token.
    pub next: Token,
}
