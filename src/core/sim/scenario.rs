//! The input of a run: what a `.fence` text says, with every name resolved to an index.
//!
//! Two scenarios are equal iff they mean the same text up to comments, blank lines and spelled-out
//! defaults; where a line stood is kept outside (`script::Parsed`), so that printing and parsing is
//! the identity.

use super::set::{EnumSet, Listed};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Virtual seconds since the start of the run, `0..=MAX_NUMBER`.
pub type Secs = u64;
/// A fencing token as the coordinator issues it, `0..=MAX_NUMBER` (only positive ones pass a fence).
pub type Token = u64;

/// Greatest number of the language: 2^53 - 1, so that every time and token survives JavaScript.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;
/// At most this many clients in a scenario.
pub const MAX_CLIENTS: usize = 6;
/// At most this many resources in a scenario.
pub const MAX_RESOURCES: usize = 4;

/// Index into a list of the scenario.
macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub usize);
    };
}
index!(
    /// Index into [`Scenario::clients`].
    ClientId
);
index!(
    /// Index into [`Scenario::leases`].
    LeaseId
);
index!(
    /// Index into [`Scenario::resources`].
    ResourceId
);
index!(
    /// Index into [`Scenario::externals`].
    ExternalId
);
index!(
    /// Index into [`Resource::replicas`] (0 for a resource without replicas).
    ReplicaId
);
index!(
    /// Index into [`Scenario::messages`]: a request that later lines may name.
    NameId
);

/// A whole scenario. Lists are in text order; defaults of LANGUAGE.md are filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// `scenario "title"`; empty when the text has none.
    pub title: String,
    /// Lease duration, counted at the coordinator, for leases that name none.
    pub ttl_secs: Secs,
    /// Travel time of a message that names none of its own.
    pub latency_secs: Secs,
    /// Next token of every lease that names none.
    pub token: Token,
    /// Names of the clients, one to [`MAX_CLIENTS`].
    pub clients: Vec<String>,
    /// At least one; a text without `lease` lines has one unnamed lease.
    pub leases: Vec<Lease>,
    /// One to [`MAX_RESOURCES`]; a text without `resource` lines has `doc: fenced`.
    pub resources: Vec<Resource>,
    /// Names of systems that take part in no check.
    pub externals: Vec<String>,
    /// The rules of the coordinator.
    pub coordinator: CoordinatorRules,
    /// Names of requests, in the order of their definition (`writes NAME`, `as NAME`).
    pub messages: Vec<String>,
    /// The script.
    pub steps: Vec<Step>,
    /// The `expect` lines.
    pub expects: Vec<Expect>,
}

/// A scope with a token counter of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// `None` for the lease of a text that declares none.
    pub name: Option<String>,
    /// Own first token; `None`: the scenario's.
    pub token: Option<Token>,
    /// Own duration; `None`: the scenario's.
    pub ttl_secs: Option<Secs>,
}

/// A system of record that judges writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// The lease whose tokens it compares.
    pub lease: LeaseId,
    /// How it judges.
    pub policy: Policy,
    /// Mark at the start.
    pub mark: Token,
    /// Value at the start.
    pub value: String,
    /// Names of replicas; empty: the resource is one.
    pub replicas: Vec<String>,
    /// How many replicas must accept; `None`: the majority.
    pub quorum: Option<u64>,
    /// How far its own clock is ahead of virtual time, in seconds.
    pub clock_skew_secs: i64,
}

impl Resource {
    /// Number of places that judge: the replicas, or one.
    pub fn places(&self) -> usize {
        self.replicas.len().max(1)
    }

    /// How many replicas commit a write.
    pub fn quorum_size(&self) -> u64 {
        self.quorum.unwrap_or(self.replicas.len() as u64 / 2 + 1)
    }
}

/// `coordinator:` settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoordinatorRules {
    /// After each expiry nobody is granted for so long.
    pub lock_delay_secs: Secs,
    /// Whether an expired lease may be renewed until the next grant.
    pub late_renewal: bool,
    /// What the live holder gets that acquires again.
    pub reentry: Reentry,
}

/// See [`CoordinatorRules::reentry`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reentry {
    /// The same token and a new ttl.
    #[default]
    Keeps,
    /// A new token for the same grant and a new ttl.
    Mints,
    /// A refusal.
    Refused,
}

/// A base rule with options.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Policy {
    /// The rule.
    pub base: Base,
    /// What is added, at most one of the two dedupes.
    pub options: EnumSet<PolicyOption>,
}

impl Policy {
    /// The base alone.
    pub fn of(base: Base) -> Self {
        Policy {
            base,
            options: EnumSet::new(),
        }
    }

    /// Whether `option` is on.
    pub fn has(&self, option: PolicyOption) -> bool {
        self.options.contains(&option)
    }
}

impl Policy {
    /// As the language writes it: `fenced+owner`.
    pub fn name(&self) -> String {
        let mut name = self.base.name().to_owned();
        for option in self.options.iter() {
            name.push('+');
            name.push_str(option.name());
        }
        name
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// Enums whose values have a name in the language.
macro_rules! named {
    ($(#[$doc:meta])* $enum:ident { $($(#[$vdoc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $enum { $($(#[$vdoc])* $variant,)* }

        impl $enum {
            /// All values, in the order of LANGUAGE.md.
            pub const ALL: &'static [$enum] = &[$($enum::$variant,)*];

            /// Their words in the language.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            /// The word of the language.
            pub fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }

            /// The value with that name.
            pub fn from_name(name: &str) -> Option<Self> {
                let index = Self::NAMES.iter().position(|known| *known == name)?;
                Self::ALL.get(index).copied()
            }
        }

        impl Listed for $enum {
            const VALUES: &'static [Self] = Self::ALL;

            fn place(self) -> u32 {
                self as u32
            }
        }

        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

named!(
    /// When a write is accepted.
    Base {
        /// Always.
        Unfenced = "unfenced",
        /// Token >= mark.
        Fenced = "fenced",
        /// Token > mark.
        Strict = "strict",
        /// Token = the pinned one.
        Equality = "equality",
        /// The coordinator's live holder is the sender.
        AskHolder = "ask-holder",
        /// The resource's clock <= the write's deadline.
        Deadline = "deadline",
        /// Token >= mark on arrival; the effect follows later.
        CheckThenWrite = "check-then-write",
    }
);

impl Base {
    /// Whether the rule looks at tokens (and then moves the mark).
    pub fn looks_at_token(self) -> bool {
        !matches!(self, Base::Unfenced | Base::AskHolder | Base::Deadline)
    }

    /// Whether the rule compares on arrival rather than at the effect.
    pub fn compares_on_arrival(self) -> bool {
        matches!(self, Base::CheckThenWrite | Base::AskHolder)
    }
}

named!(
    /// What a policy adds to its base.
    PolicyOption {
        /// Equal tokens only from the client that set the mark.
        Owner = "owner",
        /// Within one token, `seq` rises.
        Sequence = "sequence",
        /// A write without a token passes.
        Optional = "optional",
        /// The coordinator claims at each new token.
        Claim = "claim",
        /// The mark survives `forgets mark` and `restarts at mark`.
        Durable = "durable",
        /// Apply only if nothing was applied since the check.
        Cas = "cas",
        /// A known key is a duplicate, after all else passed.
        DedupeAfter = "dedupe-after",
        /// A known key is a duplicate, before the fence is looked at.
        DedupeFirst = "dedupe-first",
        /// The token must have been issued to this client.
        Verified = "verified",
    }
);

/// One statement of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// `at N`; `None`: when the previous step's exchange has finished.
    pub at_secs: Option<Secs>,
    /// What happens.
    pub action: Action,
    /// `=> …`, only on requests, checks and deliveries.
    pub expectation: Option<Outcome>,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Let so many seconds pass.
    Wait(Secs),
    /// A caption.
    Note(String),
    /// A request by a client.
    Request(Request),
    /// A client is stopped, goes on, loses its memory, starts again.
    Client(ClientId, ClientAction),
    /// A client compares its belief with its own clock.
    Checks(ClientId, LeaseId),
    /// Something happens to a named message.
    Message(NameId, MessageAction),
    /// Something happens at the coordinator.
    Coordinator(CoordinatorAction),
    /// Something happens at a resource.
    Resource(ResourceId, ResourceAction),
}

/// See [`Action::Client`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientAction {
    /// `pauses`
    Pauses,
    /// `resumes`
    Resumes,
    /// `crashes`
    Crashes,
    /// `restarts`
    Restarts,
}

/// See [`Action::Message`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageAction {
    /// `arrives`: the message, else its answer, is delivered now.
    Arrives,
    /// `arrives again`: a copy of one that has arrived is delivered now.
    ArrivesAgain,
    /// `is lost`
    IsLost,
}

/// See [`Action::Coordinator`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinatorAction {
    /// `expires A [LEASE]`
    Expires(ClientId, LeaseId),
    /// `revokes A [LEASE]`
    Revokes(ClientId, LeaseId),
    /// `saves`
    Saves,
    /// `restores [jumping N]`; 0 without a jump.
    Restores {
        /// Added to each counter.
        jump: u64,
    },
    /// `restarts [at token N]`
    Restarts {
        /// Where each counter is set; `None`: kept.
        token: Option<Token>,
    },
    /// `grants A [LEASE] token N [until T]`
    Grants {
        /// Who gets it.
        client: ClientId,
        /// Under which lease.
        lease: LeaseId,
        /// The number on it.
        token: Token,
        /// End at the coordinator; `None`: now + ttl.
        until_secs: Option<Secs>,
    },
}

/// See [`Action::Resource`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceAction {
    /// `forgets mark`
    ForgetsMark,
    /// `restarts at mark N`
    RestartsAtMark(Token),
    /// `saves`
    Saves,
    /// `restores`
    Restores,
    /// `becomes POLICY`
    Becomes(Policy),
}

/// A message of a client that asks for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Who sends it.
    pub client: ClientId,
    /// What it asks.
    pub body: Body,
    /// The name for later lines: of each write, else `as NAME`.
    pub name: Option<NameId>,
    /// How the request travels.
    pub travel: Travel,
    /// How the answer travels (never [`Travel::ArrivingAt`]).
    pub reply: Travel,
}

/// What a client asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// For a lease.
    Acquire(LeaseId),
    /// For more time.
    Renew(LeaseId),
    /// To end the lease early.
    Release(LeaseId),
    /// To store a value.
    Write(Write),
    /// For the version of the value.
    Read(ResourceId),
    /// To install its token as the mark.
    Claim(ResourceId, TokenChoice),
    /// For an effect outside every fence.
    Call(ExternalId, String),
}

/// A write with all that may be said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// Where to.
    pub resource: ResourceId,
    /// The new value.
    pub value: String,
    /// Which token it carries.
    pub token: TokenChoice,
    /// `applied at N`: the resource stalls until then.
    pub applied_at_secs: Option<Secs>,
    /// `key "k"`: the idempotency key.
    pub key: Option<String>,
    /// `seq N`
    pub seq: Option<u64>,
    /// `based on NAME`: the read that it was computed from.
    pub based_on: Option<NameId>,
    /// `deadline N`
    pub deadline_secs: Option<Secs>,
    /// `reaching R1 R2`; `None`: all replicas.
    pub reaching: Option<Vec<ReplicaId>>,
}

/// Which token a write or claim carries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TokenChoice {
    /// That of the grant the client knows.
    #[default]
    Known,
    /// `no token`
    Missing,
    /// `token N`
    Number(Token),
    /// `token "text"`
    Text(String),
    /// `forged token N`
    Forged(Token),
}

/// How a message travels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Travel {
    /// In `latency` seconds; waited for.
    #[default]
    Latency,
    /// `taking N`
    Taking(Secs),
    /// `arriving at N`
    ArrivingAt(Secs),
    /// `held` until a line says `arrives`.
    Held,
    /// `lost`
    Lost,
}

/// What a `=>` or an `expect` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The answer or verdict.
    pub answer: Answer,
    /// `because …`; `None`: any reason will do.
    pub reason: Option<Reason>,
    /// `(…)`; none written means none expected.
    pub anomalies: EnumSet<Anomaly>,
}

impl Answer {
    /// Its word in the language, for [`Answer::Granted`] without the token.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Granted(_) => "granted",
            Answer::Refused => "refused",
            Answer::Renewed => "renewed",
            Answer::Released => "released",
            Answer::Unknown => "unknown",
            Answer::Valid => "valid",
            Answer::Lapsed => "lapsed",
            Answer::Accepted => "accepted",
            Answer::Rejected => "rejected",
            Answer::Duplicate => "duplicate",
            Answer::Committed => "committed",
            Answer::NotCommitted => "not committed",
        }
    }
}

/// What a client hears, or what a resource decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// `granted N`
    Granted(Token),
    /// `refused`
    Refused,
    /// `renewed`
    Renewed,
    /// `released`
    Released,
    /// `unknown`: no answer.
    Unknown,
    /// `valid`
    Valid,
    /// `lapsed`
    Lapsed,
    /// `accepted`
    Accepted,
    /// `rejected`
    Rejected,
    /// `duplicate`
    Duplicate,
    /// `committed`
    Committed,
    /// `not committed`
    NotCommitted,
}

named!(
    /// Why a write was rejected: the first that applies, in this order.
    Reason {
        /// No token, `seq` or `deadline` where one is needed.
        Missing = "missing",
        /// Not a positive number.
        Malformed = "malformed",
        /// Never issued to this client.
        Forged = "forged",
        /// Token < mark.
        Stale = "stale",
        /// Token = mark where a greater one is needed.
        Equal = "equal",
        /// The mark is another client's, or another token is pinned.
        OtherOwner = "other owner",
        /// The coordinator's live holder is somebody else, or nobody.
        NotHolder = "not holder",
        /// The resource's clock is past the deadline.
        TooLate = "too late",
        /// `seq` is not greater than the last.
        OutOfOrder = "out of order",
        /// Another write was applied since the check.
        Changed = "changed",
    }
);

named!(
    /// What an observer says of a verdict, by the order of grants.
    Anomaly {
        /// Accepted although a write of a later grant was accepted before.
        Stale = "stale",
        /// Accepted while a later grant exists whose writes were not accepted yet.
        Unseen = "unseen",
        /// Accepted although its key or message had taken effect before.
        Twice = "twice",
        /// Accepted although a later `seq` of the same grant was accepted before.
        Reordered = "reordered",
        /// Accepted, computed from a read that another write has changed.
        LostUpdate = "lost-update",
        /// Rejected although its grant is the newest and live.
        HolderRefused = "holder-refused",
    }
);

/// An `expect` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// `expect POLICY: …`
    Verdicts(Policy, Vec<ExpectedVerdict>),
    /// `expect mark N [at RESOURCE]`
    Mark(Token, ResourceId),
    /// `expect value "v" [at RESOURCE]`
    Value(String, ResourceId),
}

/// One `NAME[#2][@R1] VERDICT` of an `expect` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedVerdict {
    /// Which write or claim.
    pub name: NameId,
    /// Which delivery, from 1.
    pub delivery: u32,
    /// At which replica; `None`: the resource, or what the quorum says.
    pub replica: Option<ReplicaId>,
    /// What it should be.
    pub outcome: Outcome,
}
