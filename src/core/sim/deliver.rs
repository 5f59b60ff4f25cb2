//! What happens where a message arrives.

use super::anomaly::Sighting;
use super::client::{Belief, Known, Status};
use super::coordinator::{Acquired, Tenure};
use super::resource::{Circumstances, compare, compare_claim};
use super::scenario::*;
use super::set::EnumSet;
use super::trace::*;
use super::world::{World, lease_ids};

impl World<'_> {
    pub fn deliver(&mut self, id: MessageId) {
        self.pass_ends();
        let now = self.now;
        let message = &mut self.trace.messages[id.0];
        message.arrived_secs = Some(now);
        message.due_secs = Some(now);
        let client = message.client;
        let content = message.content.clone();
        self.record(EventKind::Arrived(id));
        match content {
            Content::Acquire(lease) => self.acquire(id, client, lease),
            Content::Renew(lease, grant) => self.renew(id, client, lease, grant),
            Content::Release(lease, grant) => self.release(id, client, lease, grant),
            Content::Write(write) => self.write_arrives(id, &write),
            Content::Claim(claim) => self.claim_arrives(id, &claim),
            Content::Read(resource) => {
                self.record(EventKind::ReadServed(id));
                let version = self.observer.version(resource);
                self.answer(id, AnswerContent::Version(version));
            }
            Content::Call(..) => {
                self.record(EventKind::Called(id));
                self.answer(id, AnswerContent::Called);
            }
            Content::Answer(_) => match self.clients[client.0].status {
                Status::Running => self.hear(id),
                _ => self.clients[client.0].inbox.push(id),
            },
        }
    }

    /// Sends the answer to a request; to a client that has crashed since, it is lost.
    fn answer(&mut self, request: MessageId, content: AnswerContent) {
        let Some(exchange) = self.exchange(request) else {
            return;
        };
        let asked = &self.trace.messages[request.0];
        let travel = if exchange.life == self.clients[asked.client.0].life {
            exchange.reply
        } else {
            Travel::Lost
        };
        let message = Message {
            from: asked.to,
            to: asked.from,
            places: Vec::new(),
            content: Content::Answer(content),
            sent_secs: self.now,
            arrived_secs: None,
            answers: Some(request),
            copy_of: None,
            ..asked.clone()
        };
        self.send(message, travel);
    }

    // ---- at the coordinator

    fn acquire(&mut self, id: MessageId, client: ClientId, lease: LeaseId) {
        let (tenure, how) = match self.coordinator.acquire(client, lease, self.now) {
            Acquired::Refused(why) => return self.refuse_acquire(id, client, lease, why),
            // No number is left; nobody can be granted the lease any more.
            Acquired::Exhausted => {
                return self.refuse_acquire(id, client, lease, Refusal::LockDelay(MAX_NUMBER));
            }
            Acquired::Kept(tenure) => (tenure, GrantKind::Reentry),
            Acquired::Minted(tenure) => (tenure, GrantKind::Minted),
            Acquired::Free => {
                let grant = GrantId(self.trace.grants.len());
                let tenure = self.coordinator.grant_next(grant, client, lease, self.now);
                (tenure, GrantKind::Fresh)
            }
        };
        self.grant(lease, tenure, how);
        self.answer(id, AnswerContent::Granted(tenure.grant, tenure.token));
    }

    fn refuse_acquire(&mut self, id: MessageId, client: ClientId, lease: LeaseId, why: Refusal) {
        self.record(EventKind::AcquireRefused { client, lease, why });
        self.answer(id, AnswerContent::Refused);
    }

    /// Records a grant and claims the resources that ask for it.
    fn grant(&mut self, lease: LeaseId, tenure: Tenure, how: GrantKind) {
        let event = self.record(EventKind::Granted {
            grant: tenure.grant,
            token: tenure.token,
            until_secs: tenure.end_secs,
            how,
        });
        match how {
            GrantKind::Reentry => self.extend_lease(tenure.grant, tenure.end_secs),
            GrantKind::Minted => {
                self.trace.grants[tenure.grant.0].tokens.push(tenure.token);
                self.extend_lease(tenure.grant, tenure.end_secs);
            }
            GrantKind::Fresh | GrantKind::Forced => {
                self.trace.grants.push(Grant {
                    client: tenure.client,
                    lease,
                    tokens: vec![tenure.token],
                    at_secs: self.now,
                });
                self.begin_lease(tenure.grant, tenure.end_secs, event);
            }
        }
        self.note_counter(lease, Some(event));
        if how != GrantKind::Reentry {
            self.claim_for(lease, tenure);
        }
    }

    /// `+claim`: with each new token the coordinator claims the resource for the client.
    fn claim_for(&mut self, lease: LeaseId, tenure: Tenure) {
        for index in 0..self.scenario.resources.len() {
            let claims = self.scenario.resources[index].lease == lease
                && self.policies[index].has(PolicyOption::Claim);
            for place in self.places(ResourceId(index)).filter(|_| claims) {
                let store = self.store_mut(place);
                let installed = store.held.claimable(tenure.token, tenure.client);
                if installed {
                    store.claim(tenure.token, tenure.client);
                }
                let event = self.record(EventKind::ClaimedAtGrant {
                    place,
                    grant: tenure.grant,
                    token: tenure.token,
                    installed,
                });
                self.note_store(place, Some(event));
            }
        }
    }

    fn renew(&mut self, id: MessageId, client: ClientId, lease: LeaseId, grant: Option<GrantId>) {
        let renewed = self.coordinator.renew(grant, lease, self.now);
        let (Some((until_secs, late)), Some(grant)) = (renewed, grant) else {
            self.record(EventKind::RenewalRefused { client, lease });
            return self.answer(id, AnswerContent::Refused);
        };
        let event = self.record(EventKind::Renewed {
            grant,
            until_secs,
            late,
        });
        if late {
            self.begin_lease(grant, until_secs, event);
        } else {
            self.extend_lease(grant, until_secs);
        }
        self.answer(id, AnswerContent::Renewed(grant));
    }

    fn release(&mut self, id: MessageId, client: ClientId, lease: LeaseId, grant: Option<GrantId>) {
        match grant.filter(|_| self.coordinator.release(grant, lease, self.now)) {
            Some(grant) => {
                self.end_lease(grant, LeaseEnd::Released);
                self.answer(id, AnswerContent::Released);
            }
            None => {
                self.record(EventKind::ReleaseRefused { client, lease });
                self.answer(id, AnswerContent::Refused);
            }
        }
    }

    /// The lines that begin with `coordinator`.
    pub fn coordinator_acts(&mut self, action: CoordinatorAction) -> Result<(), String> {
        match action {
            CoordinatorAction::Expires(client, lease) => {
                self.end_early(client, lease, LeaseEnd::ExpiredEarly);
            }
            CoordinatorAction::Revokes(client, lease) => {
                self.end_early(client, lease, LeaseEnd::Revoked);
            }
            CoordinatorAction::Saves => {
                self.coordinator.save();
                self.record(EventKind::CoordinatorSaved);
            }
            CoordinatorAction::Restores { jump } => self.restore_coordinator(jump)?,
            CoordinatorAction::Restarts { token } => {
                self.coordinator.restart(token);
                let event = self.record(EventKind::CoordinatorRestarted { token });
                self.end_open_leases(LeaseEnd::Forgotten);
                self.note_counters(event);
            }
            CoordinatorAction::Grants {
                client,
                lease,
                token,
                until_secs,
            } => self.grant_forced(client, lease, token, until_secs),
        }
        Ok(())
    }

    fn end_early(&mut self, client: ClientId, lease: LeaseId, how: LeaseEnd) {
        match self.coordinator.end_early(client, lease, self.now, how) {
            Some(grant) => self.end_lease(grant, how),
            None => {
                self.record(EventKind::NothingToEnd { client, lease });
            }
        }
    }

    fn restore_coordinator(&mut self, jump: u64) -> Result<(), String> {
        if !self.coordinator.restore(jump) {
            return Err(
                "the coordinator has saved nothing yet (it `saves` first), or the jump passes the last number".into(),
            );
        }
        let event = self.record(EventKind::CoordinatorRestored { jump });
        let live: Vec<Option<Tenure>> = lease_ids(self.scenario)
            .map(|lease| self.coordinator.live(lease, self.now))
            .collect();
        self.end_open_leases(LeaseEnd::RolledBack);
        for tenure in live.into_iter().flatten() {
            self.begin_lease(tenure.grant, tenure.end_secs, event);
        }
        self.note_counters(event);
        Ok(())
    }

    fn note_counters(&mut self, event: usize) {
        for lease in lease_ids(self.scenario) {
            self.note_counter(lease, Some(event));
        }
    }

    fn grant_forced(
        &mut self,
        client: ClientId,
        lease: LeaseId,
        token: Token,
        until_secs: Option<Secs>,
    ) {
        if let Some(live) = self.coordinator.live(lease, self.now) {
            self.end_lease(live.grant, LeaseEnd::Superseded);
        }
        let grant = GrantId(self.trace.grants.len());
        let ttl_secs = self.coordinator.ttl_secs(lease);
        let end_secs = until_secs.unwrap_or(self.now.saturating_add(ttl_secs));
        let tenure = (self.coordinator).grant_forced(grant, client, lease, token, end_secs);
        self.grant(lease, tenure, GrantKind::Forced);
        if self.clients[client.0].status != Status::Crashed {
            self.learn(client, lease, Known { grant, token }, self.now);
        }
    }

    // ---- at a client

    /// A client takes an answer in.
    pub fn hear(&mut self, id: MessageId) {
        self.record(EventKind::Heard(id));
        let message = &self.trace.messages[id.0];
        let client = message.client;
        let Content::Answer(answer) = message.content else {
            return;
        };
        let Some(request) = message.answers.map(|id| &self.trace.messages[id.0]) else {
            return;
        };
        let (name, sent_secs) = (request.name, self.first_sent_secs(request));
        let request_id = message.answers;
        let content = request.content.clone();
        match (answer, content) {
            (AnswerContent::Granted(grant, token), Content::Acquire(lease)) => {
                self.learn(client, lease, Known { grant, token }, sent_secs);
            }
            (AnswerContent::Renewed(grant), Content::Renew(lease, _)) => {
                self.believe(client, lease, grant, sent_secs);
            }
            (AnswerContent::Refused, Content::Renew(lease, _)) => self.end_belief(client, lease),
            (AnswerContent::Version(_), Content::Read(_)) => {
                if let (Some(name), Some(request)) = (name, request_id) {
                    self.clients[client.0].reads.push((name, request));
                }
            }
            _ => {}
        }
        for lease in lease_ids(self.scenario) {
            if self.clients[client.0].look_at_clock(lease, self.now) {
                self.end_belief(client, lease);
            }
        }
    }

    /// When the client itself sent it (a copy was sent by nobody).
    fn first_sent_secs(&self, request: &Message) -> Secs {
        request
            .copy_of
            .map_or(request.sent_secs, |id| self.trace.messages[id.0].sent_secs)
    }

    fn learn(&mut self, client: ClientId, lease: LeaseId, known: Known, sent_secs: Secs) {
        self.clients[client.0].known[lease.0] = Some(known);
        self.believe(client, lease, known.grant, sent_secs);
    }

    /// It believes that it holds the lease until request sent + ttl.
    fn believe(&mut self, client: ClientId, lease: LeaseId, grant: GrantId, sent_secs: Secs) {
        let until_secs = sent_secs.saturating_add(self.coordinator.ttl_secs(lease));
        let before = self.clients[client.0].belief[lease.0];
        let same = before.filter(|belief| belief.grant == grant);
        let until_secs = same.map_or(until_secs, |belief| belief.until_secs.max(until_secs));
        let event = self.trace.events.len() - 1;
        if until_secs <= self.now {
            return;
        }
        self.clients[client.0].belief[lease.0] = Some(Belief {
            grant,
            until_secs,
            missed: false,
        });
        self.note_belief(client, lease, grant, until_secs, event);
    }

    // ---- at a resource

    fn write_arrives(&mut self, id: MessageId, write: &WriteContent) {
        let places = self.trace.messages[id.0].places.clone();
        if let Some(exchange) = self.exchange_mut(id) {
            exchange.pending = places.len();
        }
        let until_secs = write.applied_at_secs.filter(|at| *at > self.now);
        for replica in places {
            let place = Place {
                resource: write.resource,
                replica,
            };
            match until_secs {
                None => self.apply(id, replica, None),
                Some(until_secs) => {
                    let on_arrival = self.policies[place.resource.0].base.compares_on_arrival();
                    let check = on_arrival.then(|| self.compare(id, place, write));
                    self.stall(id, place, until_secs, check);
                }
            }
        }
    }

    fn circumstances(&self, id: MessageId, write: &WriteContent) -> Circumstances {
        let client = self.trace.messages[id.0].client;
        let resource = &self.scenario.resources[write.resource.0];
        let issued = |grant: &Grant| {
            let token = write.token.positive();
            grant.client == client
                && grant.lease == resource.lease
                && token.is_some_and(|token| grant.tokens.contains(&token))
        };
        Circumstances {
            client,
            issued: !write.forged && self.trace.grants.iter().any(issued),
            holder: (self.coordinator)
                .live(resource.lease, self.now)
                .map(|tenure| tenure.client),
            clock_secs: i128::from(self.now) + i128::from(resource.clock_skew_secs),
        }
    }

    fn compare(&self, id: MessageId, place: Place, write: &WriteContent) -> Comparison {
        let policy = &self.policies[place.resource.0];
        let held = &self.store(place).held;
        compare(policy, held, write, &self.circumstances(id, write))
    }

    /// The effect of a write at one place: compare (unless that was done on arrival), decide, store.
    pub fn apply(&mut self, id: MessageId, replica: ReplicaId, checked: Option<(Comparison, u64)>) {
        self.pass_ends();
        let Content::Write(write) = self.trace.messages[id.0].content.clone() else {
            return;
        };
        let place = Place {
            resource: write.resource,
            replica,
        };
        let applied_at_check = checked.as_ref().map(|(_, applied)| *applied);
        let comparison = match checked {
            Some((comparison, _)) => comparison,
            None => self.compare(id, place, &write),
        };
        let (answer, reason) = self.decide(place, &write, &comparison, applied_at_check);
        let anomalies = self.observe(id, place, &write, answer, reason);
        let client = self.trace.messages[id.0].client;
        if answer == Answer::Accepted {
            let policy = self.policies[place.resource.0].clone();
            self.store_mut(place).apply(&policy, client, &write);
        }
        let comparison = Comparison {
            reason,
            ..comparison
        };
        self.judged(id, place, answer, anomalies, comparison, false);
        self.settle(id, answer);
    }

    /// What the place answers; the order of dedupes and comparison is the policy's.
    fn decide(
        &self,
        place: Place,
        write: &WriteContent,
        comparison: &Comparison,
        applied_at_check: Option<u64>,
    ) -> (Answer, Option<Reason>) {
        let policy = &comparison.policy;
        let store = self.store(place);
        let known = store.held.knows_key(write);
        let raced = policy.has(PolicyOption::Cas)
            && applied_at_check.is_some_and(|applied| applied != store.applied);
        let changed = raced.then_some(Reason::Changed);
        if known && policy.has(PolicyOption::DedupeFirst) {
            (Answer::Duplicate, None)
        } else if let Some(reason) = comparison.reason.or(changed) {
            (Answer::Rejected, Some(reason))
        } else if known && policy.has(PolicyOption::DedupeAfter) {
            (Answer::Duplicate, None)
        } else {
            (Answer::Accepted, None)
        }
    }

    fn observe(
        &mut self,
        id: MessageId,
        place: Place,
        write: &WriteContent,
        answer: Answer,
        reason: Option<Reason>,
    ) -> EnumSet<Anomaly> {
        let lease = self.scenario.resources[place.resource.0].lease;
        let newest_grant = (self.trace.grants.iter())
            .rposition(|grant| grant.lease == lease)
            .map(GrantId);
        let original = self.trace.messages[id.0].copy_of.unwrap_or(id);
        match answer {
            Answer::Accepted => {
                let read = write.based_on.and_then(|read| self.version_read(read));
                self.observer.accept(&Sighting {
                    place,
                    original,
                    write,
                    read,
                    newest_grant,
                })
            }
            Answer::Rejected => {
                let live = self.coordinator.live(lease, self.now).map(|t| t.grant);
                let refused = write.grant.is_some()
                    && write.grant == newest_grant
                    && write.grant == live
                    && reason != Some(Reason::OutOfOrder)
                    && !self.observer.took_effect(place, original);
                let mut anomalies = EnumSet::new();
                anomalies.insert_if(refused, Anomaly::HolderRefused);
                anomalies
            }
            _ => EnumSet::new(),
        }
    }

    /// Where a read was made and what it returned.
    fn version_read(&self, read: MessageId) -> Option<(ResourceId, usize)> {
        let Content::Read(resource) = self.trace.messages[read.0].content else {
            return None;
        };
        let answer = |m: &Message| match m.content {
            Content::Answer(AnswerContent::Version(v)) if m.answers == Some(read) => Some(v),
            _ => None,
        };
        let version = self.trace.messages.iter().find_map(answer)?;
        Some((resource, version))
    }

    fn claim_arrives(&mut self, id: MessageId, claim: &WriteContent) {
        let client = self.trace.messages[id.0].client;
        let places = self.trace.messages[id.0].places.clone();
        if let Some(exchange) = self.exchange_mut(id) {
            exchange.pending = places.len();
        }
        for replica in places {
            let place = Place {
                resource: claim.resource,
                replica,
            };
            let about = self.circumstances(id, claim);
            let policy = &self.policies[place.resource.0];
            let comparison = compare_claim(policy, &self.store(place).held, claim, &about);
            let answer = match comparison.reason {
                None => Answer::Accepted,
                Some(_) => Answer::Rejected,
            };
            if let (Answer::Accepted, Some(token)) = (answer, claim.token.positive()) {
                self.store_mut(place).claim(token, client);
            }
            self.judged(id, place, answer, EnumSet::new(), comparison, true);
            self.settle(id, answer);
        }
    }

    fn judged(
        &mut self,
        id: MessageId,
        place: Place,
        answer: Answer,
        anomalies: EnumSet<Anomaly>,
        comparison: Comparison,
        claim: bool,
    ) {
        let message = &self.trace.messages[id.0];
        self.trace.verdicts.push(Verdict {
            message: id,
            name: message.name,
            delivery: message.delivery,
            place,
            at_secs: self.now,
            answer,
            reason: comparison.reason,
            anomalies,
            claim,
            comparison,
            mark_after: self.store(place).held.mark,
        });
        let event = self.record(EventKind::Judged(self.trace.verdicts.len() - 1));
        if answer == Answer::Accepted {
            self.note_store(place, Some(event));
        }
    }

    /// Answers once all places have decided.
    fn settle(&mut self, id: MessageId, answer: Answer) {
        let Some(exchange) = self.exchange_mut(id) else {
            return;
        };
        exchange.pending -= 1;
        exchange.accepted += usize::from(answer == Answer::Accepted);
        if exchange.pending > 0 {
            return;
        }
        let accepted = exchange.accepted as u64;
        let Node::Place(place) = self.trace.messages[id.0].to else {
            return;
        };
        let resource = &self.scenario.resources[place.resource.0];
        let said = match resource.replicas.len() {
            0 => answer,
            _ if accepted >= resource.quorum_size() => Answer::Committed,
            _ => Answer::NotCommitted,
        };
        self.answer(id, AnswerContent::Verdict(said));
    }
}
