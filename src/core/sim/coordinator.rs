//! The coordinator: leases, counters, and the rules of granting.
//!
//! Handlers see only the coordinator's own state and answer with what happened; the world records
//! it and carries the answer. A lease is live iff now < its end.

use super::scenario::*;
use super::trace::*;

/// What the coordinator knows; `saved` is the snapshot of `coordinator saves`.
pub(super) struct Coordinator {
    rules: CoordinatorRules,
    leases: Vec<LeaseState>,
    saved: Option<Vec<LeaseState>>,
}

#[derive(Clone)]
struct LeaseState {
    ttl_secs: Secs,
    /// The next token to issue.
    counter: Token,
    /// The last grant, live or not; late renewal speaks of it.
    last: Option<Tenure>,
    /// A lock delay runs until then.
    blocked_until_secs: Secs,
}

/// The last grant of a lease.
#[derive(Clone, Copy)]
pub(super) struct Tenure {
    pub grant: GrantId,
    pub client: ClientId,
    pub token: Token,
    pub end_secs: Secs,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Not known to be over (it may have reached its end at this very instant).
    Open,
    /// Over by expiry: may be renewed late where that is allowed.
    Lapsed,
    /// Released, revoked or replaced.
    Closed,
}

/// How a request for a lease was answered.
pub(super) enum Acquired {
    /// The holder that asked again gets the token it had.
    Kept(Tenure),
    /// The holder that asked again gets a further token of the same grant.
    Minted(Tenure),
    /// The world must note a new grant and then call [`Coordinator::install`].
    Free,
    Refused(Refusal),
    /// The counter is at the end of the numbers.
    Exhausted,
}

impl Coordinator {
    pub fn new(scenario: &Scenario) -> Self {
        let state = |lease: &Lease| LeaseState {
            ttl_secs: lease.ttl_secs.unwrap_or(scenario.ttl_secs),
            counter: lease.token.unwrap_or(scenario.token),
            last: None,
            blocked_until_secs: 0,
        };
        Coordinator {
            rules: scenario.coordinator,
            leases: scenario.leases.iter().map(state).collect(),
            saved: None,
        }
    }

    pub fn counter(&self, lease: LeaseId) -> Token {
        self.leases[lease.0].counter
    }

    pub fn ttl_secs(&self, lease: LeaseId) -> Secs {
        self.leases[lease.0].ttl_secs
    }

    pub fn live(&self, lease: LeaseId, now: Secs) -> Option<Tenure> {
        self.leases[lease.0]
            .last
            .filter(|tenure| tenure.phase == Phase::Open && now < tenure.end_secs)
    }

    /// The ends of leases that were not noticed yet.
    pub fn ends(&self) -> impl Iterator<Item = Secs> {
        let open = |state: &LeaseState| state.last.filter(|tenure| tenure.phase == Phase::Open);
        let open = self.leases.iter().filter_map(open);
        open.map(|tenure| tenure.end_secs)
    }

    /// Marks the leases whose end has come, and starts their lock delays.
    pub fn expire(&mut self, now: Secs) -> Vec<GrantId> {
        let delay_secs = self.rules.lock_delay_secs;
        let lapse = |state: &mut LeaseState| {
            let tenure = state
                .last
                .as_mut()
                .filter(|tenure| tenure.phase == Phase::Open && tenure.end_secs <= now)?;
            tenure.phase = Phase::Lapsed;
            let until_secs = tenure.end_secs.saturating_add(delay_secs);
            state.blocked_until_secs = state.blocked_until_secs.max(until_secs);
            Some(tenure.grant)
        };
        self.leases.iter_mut().filter_map(lapse).collect()
    }

    pub fn acquire(&mut self, client: ClientId, lease: LeaseId, now: Secs) -> Acquired {
        let live = self.live(lease, now);
        let reentry = self.rules.reentry;
        let state = &mut self.leases[lease.0];
        match live {
            Some(tenure) if tenure.client != client => {
                return Acquired::Refused(Refusal::Held(tenure.grant));
            }
            Some(tenure) if reentry == Reentry::Refused => {
                return Acquired::Refused(Refusal::Reentry(tenure.grant));
            }
            Some(mut tenure) => {
                tenure.end_secs = now.saturating_add(state.ttl_secs);
                if reentry == Reentry::Mints {
                    let Some(token) = state.mint() else {
                        return Acquired::Exhausted;
                    };
                    tenure.token = token;
                }
                state.last = Some(tenure);
                return match reentry {
                    Reentry::Mints => Acquired::Minted(tenure),
                    _ => Acquired::Kept(tenure),
                };
            }
            None => {}
        }
        if now < state.blocked_until_secs {
            Acquired::Refused(Refusal::LockDelay(state.blocked_until_secs))
        } else if state.counter >= MAX_NUMBER {
            Acquired::Exhausted
        } else {
            Acquired::Free
        }
    }

    /// Grants a free lease under the next token.
    pub fn grant_next(
        &mut self,
        grant: GrantId,
        client: ClientId,
        lease: LeaseId,
        now: Secs,
    ) -> Tenure {
        let state = &mut self.leases[lease.0];
        let token = state.counter;
        state.counter += 1;
        self.install(
            grant,
            client,
            lease,
            token,
            now.saturating_add(self.ttl_secs(lease)),
        )
    }

    /// `coordinator grants`: whatever the rules say. The counter rises to token + 1 at least.
    pub fn grant_forced(
        &mut self,
        grant: GrantId,
        client: ClientId,
        lease: LeaseId,
        token: Token,
        end_secs: Secs,
    ) -> Tenure {
        let state = &mut self.leases[lease.0];
        state.counter = state.counter.max(token.saturating_add(1).min(MAX_NUMBER));
        self.install(grant, client, lease, token, end_secs)
    }

    fn install(
        &mut self,
        grant: GrantId,
        client: ClientId,
        lease: LeaseId,
        token: Token,
        end_secs: Secs,
    ) -> Tenure {
        let tenure = Tenure {
            grant,
            client,
            token,
            end_secs,
            phase: Phase::Open,
        };
        self.leases[lease.0].last = Some(tenure);
        tenure
    }

    /// Renews the grant that the client named. `Some(late)` with the new end if it is the current one.
    pub fn renew(
        &mut self,
        grant: Option<GrantId>,
        lease: LeaseId,
        now: Secs,
    ) -> Option<(Secs, bool)> {
        let late_allowed = self.rules.late_renewal;
        let live = self.live(lease, now).is_some();
        let state = &mut self.leases[lease.0];
        let tenure = state.last.as_mut().filter(|t| Some(t.grant) == grant)?;
        let late = late_allowed && tenure.phase != Phase::Closed;
        if !(live || late) {
            return None;
        }
        tenure.phase = Phase::Open;
        tenure.end_secs = now.saturating_add(state.ttl_secs);
        Some((tenure.end_secs, !live))
    }

    /// Ends the grant that the client named, if it is the current one and live.
    pub fn release(&mut self, grant: Option<GrantId>, lease: LeaseId, now: Secs) -> bool {
        let live = self.live(lease, now);
        if live.is_none() || live.map(|tenure| tenure.grant) != grant {
            return false;
        }
        self.close(lease, now, Phase::Closed);
        true
    }

    /// `expires` and `revokes`: ends the lease if `client` is its live holder.
    pub fn end_early(
        &mut self,
        client: ClientId,
        lease: LeaseId,
        now: Secs,
        how: LeaseEnd,
    ) -> Option<GrantId> {
        let tenure = self
            .live(lease, now)
            .filter(|tenure| tenure.client == client)?;
        if how == LeaseEnd::ExpiredEarly {
            let until_secs = now.saturating_add(self.rules.lock_delay_secs);
            let state = &mut self.leases[lease.0];
            state.blocked_until_secs = state.blocked_until_secs.max(until_secs);
            self.close(lease, now, Phase::Lapsed);
        } else {
            self.close(lease, now, Phase::Closed);
        }
        Some(tenure.grant)
    }

    fn close(&mut self, lease: LeaseId, now: Secs, phase: Phase) {
        if let Some(tenure) = &mut self.leases[lease.0].last {
            tenure.end_secs = now;
            tenure.phase = phase;
        }
    }

    pub fn save(&mut self) {
        self.saved = Some(self.leases.clone());
    }

    /// Goes back to the snapshot; `false` if there is none, or a counter would pass the numbers.
    pub fn restore(&mut self, jump: u64) -> bool {
        let Some(mut leases) = self.saved.clone() else {
            return false;
        };
        for state in &mut leases {
            match state.counter.checked_add(jump) {
                Some(counter) if counter <= MAX_NUMBER => state.counter = counter,
                _ => return false,
            }
        }
        self.leases = leases;
        true
    }

    /// Forgets all leases; counters are kept or set.
    pub fn restart(&mut self, token: Option<Token>) {
        for state in &mut self.leases {
            state.last = None;
            state.blocked_until_secs = 0;
            state.counter = token.unwrap_or(state.counter);
        }
    }
}

impl LeaseState {
    fn mint(&mut self) -> Option<Token> {
        let token = self.counter;
        self.counter = token.checked_add(1).filter(|next| *next <= MAX_NUMBER)?;
        Some(token)
    }
}
