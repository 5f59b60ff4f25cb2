//! What a search may try, and what must never happen.

use std::fmt;
use std::ops::RangeInclusive;

/// How much may happen in a run. Small numbers; see [`Bounds::RANGES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How many clients, 1 to 3.
    pub clients: u8,
    /// How often each client may be granted the lease, 1 to 2.
    pub grants: u8,
    /// How many writes each client may send, 1 to 3.
    pub writes: u8,
    /// How often each client may read before a write, 0 to 2; the next write is based on the read.
    pub reads: u8,
    /// How often each client may pause, 0 to 2.
    pub pauses: u8,
    /// How often each client may crash and start again, 0 to 1.
    pub client_crashes: u8,
    /// When a lease may end.
    pub lease_ends: LeaseEnds,
    /// How many writes may be late, by any time or for ever, 0 to 3 in all.
    pub delays: u8,
    /// How many writes may stall inside the resource between arrival and effect, 0 to 3 in all.
    pub stalls: u8,
    /// How many copies of judged writes may arrive, 0 to 3 in all.
    pub duplicates: u8,
    /// How often each client may send its last write again under the same key, 0 to 1.
    pub retries: u8,
    /// How often the coordinator may fail, 0 to 1.
    pub coordinator_faults: u8,
    /// What such a failure does.
    pub coordinator_fault: CoordinatorFault,
    /// How often the resource may forget its mark, 0 to 2.
    pub resource_crashes: u8,
}

/// When a lease may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LeaseEnds {
    /// At any moment, and its holder does not notice: a client's idea of time is worth nothing.
    #[default]
    AnyMoment,
    /// When its time is over, on clocks that agree: a client that is not paused then notices.
    OnTime,
}

/// What a failure of the coordinator does. All of them end the lease.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CoordinatorFault {
    /// It restarts; the counter is kept.
    Restart,
    /// It restarts; the counter begins anew.
    #[default]
    LosesCounter,
    /// It goes back to a snapshot that it took at any earlier moment.
    RollsBack,
    /// The same, and the counter then jumps past every token that can have been issued.
    RollsBackAndJumps,
}

/// What must never happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// No write is accepted after a write of a later grant.
    NoStaleAccepted,
    /// No write is rejected whose grant is the newest and whose lease is live.
    HolderNeverRefused,
    /// No key takes effect twice.
    NoDoubleEffectPerKey,
    /// No write is accepted that was computed from a read which another write has since changed.
    NoLostUpdate,
    /// The mark never falls.
    MarkNeverFalls,
}

/// A bound outside its range, or two that do not go together: a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBound(pub String);

impl fmt::Display for BadBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadBound {}

impl Default for Bounds {
    /// Two clients with a grant, two writes and a read each; one late write, one stalled write.
    fn default() -> Self {
        Bounds {
            clients: 2,
            grants: 1,
            writes: 2,
            reads: 1,
            pauses: 0,
            client_crashes: 0,
            lease_ends: LeaseEnds::AnyMoment,
            delays: 1,
            stalls: 1,
            duplicates: 0,
            retries: 0,
            coordinator_faults: 0,
            coordinator_fault: CoordinatorFault::LosesCounter,
            resource_crashes: 0,
        }
    }
}

impl Bounds {
    /// Name and range of every number, in the order of [`Bounds::numbers`].
    pub const RANGES: [(&str, RangeInclusive<u8>); 12] = [
        ("clients", 1..=3),
        ("grants", 1..=2),
        ("writes", 1..=3),
        ("reads", 0..=2),
        ("pauses", 0..=2),
        ("client crashes", 0..=1),
        ("delays", 0..=3),
        ("stalls", 0..=3),
        ("duplicates", 0..=3),
        ("retries", 0..=1),
        ("coordinator faults", 0..=1),
        ("resource crashes", 0..=2),
    ];

    /// All numbers, in the order of [`Bounds::RANGES`].
    pub fn numbers(&self) -> [u8; 12] {
        [
            self.clients,
            self.grants,
            self.writes,
            self.reads,
            self.pauses,
            self.client_crashes,
            self.delays,
            self.stalls,
            self.duplicates,
            self.retries,
            self.coordinator_faults,
            self.resource_crashes,
        ]
    }

    /// Whether these bounds can be searched.
    ///
    /// # Errors
    /// Names the first number outside its range, or what does not go together.
    pub fn check(&self) -> Result<(), BadBound> {
        for ((name, range), number) in Self::RANGES.iter().zip(self.numbers()) {
            if !range.contains(&number) {
                return Err(BadBound(format!(
                    "{name} must be {} to {}, not {number}",
                    range.start(),
                    range.end()
                )));
            }
        }
        if self.lease_ends == LeaseEnds::OnTime && self.coordinator_faults > 0 {
            return Err(BadBound(
                "a failing coordinator ends leases before their time: let leases end at any moment"
                    .into(),
            ));
        }
        Ok(())
    }

    /// Whether one key can reach the resource more than once.
    pub(super) fn keys_repeat(&self) -> bool {
        self.duplicates > 0 || self.retries > 0
    }
}

impl LeaseEnds {
    /// All values.
    pub const ALL: [LeaseEnds; 2] = [LeaseEnds::AnyMoment, LeaseEnds::OnTime];

    /// The word for it, as options spell it.
    pub fn name(self) -> &'static str {
        match self {
            LeaseEnds::AnyMoment => "any-moment",
            LeaseEnds::OnTime => "on-time",
        }
    }
}

impl CoordinatorFault {
    /// All values.
    pub const ALL: [CoordinatorFault; 4] = [
        CoordinatorFault::Restart,
        CoordinatorFault::LosesCounter,
        CoordinatorFault::RollsBack,
        CoordinatorFault::RollsBackAndJumps,
    ];

    /// The word for it, as options spell it.
    pub fn name(self) -> &'static str {
        match self {
            CoordinatorFault::Restart => "restart",
            CoordinatorFault::LosesCounter => "loses-counter",
            CoordinatorFault::RollsBack => "rolls-back",
            CoordinatorFault::RollsBackAndJumps => "rolls-back-and-jumps",
        }
    }

    /// Whether it needs a snapshot.
    pub(super) fn has_snapshot(self) -> bool {
        matches!(
            self,
            CoordinatorFault::RollsBack | CoordinatorFault::RollsBackAndJumps
        )
    }
}

impl Property {
    /// All values, in the order in which they are offered.
    pub const ALL: [Property; 5] = [
        Property::NoStaleAccepted,
        Property::HolderNeverRefused,
        Property::NoDoubleEffectPerKey,
        Property::NoLostUpdate,
        Property::MarkNeverFalls,
    ];

    /// The word for it, as options spell it.
    pub fn name(self) -> &'static str {
        match self {
            Property::NoStaleAccepted => "no-stale-accepted",
            Property::HolderNeverRefused => "holder-never-refused",
            Property::NoDoubleEffectPerKey => "no-double-effect",
            Property::NoLostUpdate => "no-lost-update",
            Property::MarkNeverFalls => "mark-never-falls",
        }
    }

    /// What happens where it is violated, without a full stop.
    pub fn violation(self) -> &'static str {
        match self {
            Property::NoStaleAccepted => "A stale write is accepted",
            Property::HolderNeverRefused => "The live, newest holder is refused",
            Property::NoDoubleEffectPerKey => "One key takes effect twice",
            Property::NoLostUpdate => "An update is lost",
            Property::MarkNeverFalls => "The mark falls",
        }
    }

    /// The property with that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|property| property.name() == name)
    }
}
