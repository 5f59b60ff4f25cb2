//! What the state panels show at one place of the cursor: a lookup, never a computation of state.
//!
//! A frame is the state after all events of a moment; only what is left of a lease runs on with
//! the milliseconds until the next moment.

use crate::narration::{View, last_act, verdicts_by};
use crate::sim::*;

/// The state of all parties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Virtual time, in milliseconds.
    pub now_ms: u64,
    /// One for each lease, as the coordinator has it.
    pub leases: Vec<LeaseFrame>,
    /// One for each client.
    pub clients: Vec<ClientFrame>,
    /// One for each resource.
    pub resources: Vec<ResourceFrame>,
}

/// A lease at the coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseFrame {
    /// Who holds it; `None`: nobody.
    pub held: Option<Held>,
    /// Nobody is granted before then; `None`: no lock delay runs.
    pub lock_delay_until_secs: Option<Secs>,
    /// The next token.
    pub next: Token,
}

/// The live holder of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Who.
    pub client: ClientId,
    /// Its newest token.
    pub token: Token,
    /// When the coordinator granted it.
    pub granted_secs: Secs,
    /// When the time that is running now was given: the grant, or the last renewal.
    pub since_secs: Secs,
    /// When it ends unless something happens.
    pub until_secs: Secs,
    /// What is left, in milliseconds.
    pub remaining_ms: u64,
}

/// A client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientFrame {
    /// Whether it runs.
    pub status: Status,
    /// What it believes of each lease, and the truth.
    pub leases: Vec<Knowledge>,
    /// A sentence about what it did or heard last.
    pub last_act: String,
}

/// Whether a client runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It never stopped.
    Running,
    /// It was stopped before.
    RunningAgain,
    /// It is paused.
    Paused {
        /// Since when.
        since_secs: Secs,
    },
    /// It has crashed.
    Crashed {
        /// When.
        since_secs: Secs,
    },
}

/// What a client believes of one lease beside the truth at the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// What it believes.
    pub belief: Belief,
    /// What is so.
    pub truth: Truth,
    /// Both say the same.
    pub matches: bool,
    /// It believes that it holds the lease, and does not.
    pub wrong: bool,
}

/// A client's belief in a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Belief {
    /// It does not believe that it holds it.
    None,
    /// It believes that it holds it.
    Holds {
        /// Under this token.
        token: Token,
        /// Until then, by its own clock.
        until_secs: Secs,
    },
    /// It believes on after that time, because it did not run when it came.
    Still {
        /// Under this token.
        token: Token,
        /// When it last looked.
        as_of_secs: Secs,
    },
}

/// A client's lease at the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It was never granted it.
    Never,
    /// It is the live holder.
    Holds {
        /// Its newest token.
        token: Token,
        /// Until then.
        until_secs: Secs,
    },
    /// Its last grant is over.
    Ended {
        /// How.
        how: LeaseEnd,
        /// When.
        at_secs: Secs,
    },
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceFrame {
    /// One for each replica, or one.
    pub places: Vec<PlaceFrame>,
    /// Index of the last verdict at any place, if there is one.
    pub last_verdict: Option<usize>,
    /// Whether that verdict was given in the moment shown: the gate then lights its line.
    pub judging: bool,
}

/// One place that judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceFrame {
    /// The stored value.
    pub value: String,
    /// Who wrote it; `None`: the header.
    pub writer: Option<ClientId>,
    /// The token it came with, as the observer knows.
    pub value_token: Option<Token>,
    /// The greatest token accepted.
    pub mark: Token,
    /// Who raised the mark.
    pub owner: Option<ClientId>,
    /// The pinned token (`equality`).
    pub pin: Option<Token>,
    /// The rule in force.
    pub policy: Policy,
    /// Index of the last verdict here, if there is one.
    pub last_verdict: Option<usize>,
}

/// The state when `passed` moments have passed, at `now_ms`. More than there are show the end.
pub fn at(scenario: &Scenario, trace: &Trace, passed: usize, now_ms: u64) -> Frame {
    let passed = passed.min(trace.moments.len());
    let end = trace.events_passed(passed);
    let cut = Cut {
        view: View { scenario, trace },
        passed,
        end,
        last: end.checked_sub(1),
        now_ms,
    };
    Frame {
        now_ms,
        leases: (0..scenario.leases.len())
            .map(|i| cut.lease(LeaseId(i)))
            .collect(),
        clients: (0..scenario.clients.len())
            .map(|i| cut.client(ClientId(i)))
            .collect(),
        resources: (0..scenario.resources.len())
            .map(|i| cut.resource(ResourceId(i)))
            .collect(),
    }
}

/// The trace up to a moment.
struct Cut<'a> {
    view: View<'a>,
    /// Number of moments that have passed.
    passed: usize,
    /// Number of events that have happened.
    end: usize,
    /// The last of them.
    last: Option<usize>,
    now_ms: u64,
}

impl Cut<'_> {
    fn now_secs(&self) -> Secs {
        self.now_ms / 1000
    }

    /// The last span of the lease, if one began.
    fn span(&self, lease: LeaseId) -> Option<&LeaseSpan> {
        self.view.last_span(lease, self.last?)
    }

    fn over(&self, last_event: Option<usize>) -> bool {
        last_event.is_some_and(|event| event < self.end)
    }

    fn lease(&self, lease: LeaseId) -> LeaseFrame {
        let span = self.span(lease);
        let held = span.filter(|span| !self.over(span.last_event));
        LeaseFrame {
            held: held.and_then(|span| self.held(span)),
            lock_delay_until_secs: self.lock_delay(lease),
            next: self.view.next_token(lease, self.last),
        }
    }

    fn held(&self, span: &LeaseSpan) -> Option<Held> {
        let grant = self.view.grant(span.grant)?;
        let at_secs = self.moment_secs();
        let until_secs = self.view.end_as_of(span, at_secs);
        let renewed = span.renewals.partition_point(|(when, _)| *when <= at_secs);
        let last = renewed
            .checked_sub(1)
            .and_then(|last| span.renewals.get(last));
        Some(Held {
            client: grant.client,
            token: self.view.token_at(grant, self.last)?,
            granted_secs: grant.at_secs,
            since_secs: last.map_or(span.from_secs, |(when, _)| *when),
            until_secs,
            remaining_ms: until_secs.saturating_mul(1000).saturating_sub(self.now_ms),
        })
    }

    fn moment_secs(&self) -> Secs {
        self.view.trace.secs_passed(self.passed)
    }

    /// The end of the lock delay that runs, if one does.
    fn lock_delay(&self, lease: LeaseId) -> Option<Secs> {
        let delay_secs = self.view.scenario.coordinator.lock_delay_secs;
        let mut events = self.view.trace.events.get(..self.end).unwrap_or_default();
        while let Some((event, earlier)) = events.split_last() {
            events = earlier;
            match &event.kind {
                // A restart forgets the delays too.
                EventKind::CoordinatorRestarted { .. } => return None,
                // A restore brings back those of the snapshot.
                EventKind::CoordinatorRestored { .. } => {
                    let saved = |event: &Event| matches!(event.kind, EventKind::CoordinatorSaved);
                    let snapshot = events.iter().rposition(saved)?;
                    events = events.get(..snapshot)?;
                }
                EventKind::LeaseEnded {
                    grant,
                    how: LeaseEnd::Expired | LeaseEnd::ExpiredEarly,
                } if self.view.grant(*grant).is_some_and(|g| g.lease == lease) => {
                    let until_secs = event.at_secs.saturating_add(delay_secs);
                    return (self.now_secs() < until_secs).then_some(until_secs);
                }
                _ => {}
            }
        }
        None
    }

    fn client(&self, client: ClientId) -> ClientFrame {
        let status = self.status(client);
        let leases = 0..self.view.scenario.leases.len();
        ClientFrame {
            status,
            leases: leases
                .map(|lease| self.knowledge(client, LeaseId(lease)))
                .collect(),
            last_act: last_act(&self.view, client, status, self.end),
        }
    }

    fn status(&self, client: ClientId) -> Status {
        let last = self.last.and_then(|last| self.view.last_stop(client, last));
        match last {
            None => Status::Running,
            Some(stop) if self.over(stop.last_event) => Status::RunningAgain,
            Some(stop) if stop.crashed => Status::Crashed {
                since_secs: stop.from_secs,
            },
            Some(stop) => Status::Paused {
                since_secs: stop.from_secs,
            },
        }
    }

    fn knowledge(&self, client: ClientId, lease: LeaseId) -> Knowledge {
        let span = self
            .last
            .and_then(|last| self.view.belief(client, lease, last));
        let belief = span.map_or(Belief::None, |span| self.belief(span));
        let truth = self.truth(client, lease);
        let live = self.span(lease).filter(|live| !self.over(live.last_event));
        let same = span.is_some_and(|span| live.is_some_and(|live| live.grant == span.grant));
        let holds = matches!(truth, Truth::Holds { .. });
        Knowledge {
            belief,
            truth,
            matches: if span.is_some() { same } else { !holds },
            wrong: span.is_some() && !same,
        }
    }

    fn belief(&self, span: &BeliefSpan) -> Belief {
        let last = self.last.unwrap_or(span.first_event);
        let until_secs = self.view.believed_until(span, last);
        if self.now_secs() < until_secs {
            let token = span.token;
            return Belief::Holds { token, until_secs };
        }
        // It stopped before the time came and has not looked at its clock since.
        let stops = &self.view.trace.stop_spans;
        let begun = stops.partition_point(|stop| stop.from_secs <= until_secs);
        let asleep = stops[..begun]
            .iter()
            .rev()
            .find(|stop| stop.client == span.client);
        Belief::Still {
            token: span.token,
            as_of_secs: asleep.map_or(span.from_secs, |stop| stop.from_secs),
        }
    }

    fn truth(&self, client: ClientId, lease: LeaseId) -> Truth {
        let Some(last) = self.last else {
            return Truth::Never;
        };
        let spans = &self.view.trace.lease_spans;
        let begun = spans.partition_point(|span| span.first_event <= last);
        let theirs = |span: &&LeaseSpan| {
            let grant = self.view.grant(span.grant);
            grant.is_some_and(|g| g.client == client && g.lease == lease)
        };
        let Some(span) = spans[..begun].iter().rev().find(theirs) else {
            return Truth::Never;
        };
        match (span.end, span.ended_secs) {
            (Some(how), Some(at_secs)) if self.over(span.last_event) => {
                Truth::Ended { how, at_secs }
            }
            _ => self.held(span).map_or(Truth::Never, |held| Truth::Holds {
                token: held.token,
                until_secs: held.until_secs,
            }),
        }
    }

    fn resource(&self, resource: ResourceId) -> ResourceFrame {
        let judged = verdicts_by(self.view.trace, self.passed);
        let verdicts = self.view.trace.verdicts.get(..judged).unwrap_or_default();
        let last_verdict = verdicts.iter().rposition(|v| v.place.resource == resource);
        let before = verdicts_by(self.view.trace, self.passed.saturating_sub(1));
        let count = self.view.scenario.resources[resource.0].places();
        let place = |replica| Place {
            resource,
            replica: ReplicaId(replica),
        };
        ResourceFrame {
            places: (0..count)
                .filter_map(|replica| self.place(place(replica), verdicts))
                .collect(),
            last_verdict,
            judging: last_verdict.is_some_and(|verdict| verdict >= before),
        }
    }

    fn place(&self, place: Place, verdicts: &[Verdict]) -> Option<PlaceFrame> {
        let store = self.view.store(place, self.last)?;
        Some(PlaceFrame {
            value: store.value.clone(),
            writer: store.writer,
            value_token: store.value_token,
            mark: store.mark,
            owner: store.owner,
            pin: store.pin,
            policy: store.policy.clone(),
            last_verdict: verdicts.iter().rposition(|verdict| verdict.place == place),
        })
    }
}
