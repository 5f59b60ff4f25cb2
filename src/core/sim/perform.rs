//! What a step does, and why it may not.

use super::client::{Known, Status};
use super::scenario::*;
use super::text::{join, whole};
use super::trace::*;
use super::world::{Exchange, World, lease_ids};
use std::sync::Arc;

/// Why a step cannot happen: a sentence without a full stop.
type Impossible = String;

impl World<'_> {
    /// Carries a step out; one that cannot happen changes nothing and is told with the reason.
    pub fn perform(&mut self, step: &Step) -> (StepRun, Option<Impossible>) {
        let mut run = StepRun {
            start_secs: self.now,
            finish_secs: self.now,
            ..StepRun::default()
        };
        self.pass_ends();
        let result = match &step.action {
            Action::Wait(secs) => self.wait(*secs, &mut run),
            Action::Note(text) => {
                self.record(EventKind::Note(text.clone()));
                Ok(())
            }
            Action::Request(request) => self.request(request, &mut run),
            Action::Client(client, action) => self.act(*client, *action),
            Action::Checks(client, lease) => self.check(*client, *lease, &mut run),
            Action::Message(name, action) => self.interfere(*name, *action, &mut run),
            Action::Coordinator(action) => self.coordinator_acts(*action),
            Action::Resource(resource, action) => self.resource_acts(*resource, action),
        };
        (run, result.err())
    }

    fn wait(&mut self, secs: Secs, run: &mut StepRun) -> Result<(), Impossible> {
        run.finish_secs = self
            .now
            .checked_add(secs)
            .filter(|end| *end <= MAX_NUMBER)
            .ok_or_else(|| {
                let end = whole(MAX_NUMBER);
                join(&[
                    "the run would pass ",
                    &end,
                    " s, the end of time here: wait less",
                ])
            })?;
        Ok(())
    }

    fn client_name(&self, client: ClientId) -> &str {
        &self.scenario.clients[client.0]
    }

    fn must_run(&self, client: ClientId) -> Result<(), Impossible> {
        let name = self.client_name(client);
        match self.clients[client.0].status {
            Status::Running => Ok(()),
            Status::Paused => Err(join(&[name, " is paused: it `resumes` first"])),
            Status::Crashed => Err(join(&[name, " has crashed: it `restarts` first"])),
        }
    }

    fn act(&mut self, client: ClientId, action: ClientAction) -> Result<(), Impossible> {
        if let Err(why) = self.clients[client.0].may(action) {
            return Err(join(&[self.client_name(client), " ", why]));
        }
        let event = self.record(EventKind::Client(client, action));
        match action {
            ClientAction::Pauses => self.stop(client, Status::Paused, event),
            ClientAction::Resumes => {
                self.start(client, event);
                for message in std::mem::take(&mut self.clients[client.0].inbox) {
                    self.hear(message);
                }
            }
            ClientAction::Crashes => self.crash(client, event),
            ClientAction::Restarts => self.start(client, event),
        }
        Ok(())
    }

    fn stop(&mut self, client: ClientId, status: Status, event: usize) {
        self.clients[client.0].status = status;
        self.trace.stop_spans.push(StopSpan {
            client,
            crashed: status == Status::Crashed,
            from_secs: self.now,
            ended_secs: None,
            first_event: event,
            last_event: None,
        });
    }

    fn start(&mut self, client: ClientId, event: usize) {
        self.clients[client.0].status = Status::Running;
        self.end_stop(client, event);
    }

    fn end_stop(&mut self, client: ClientId, event: usize) {
        let now = self.now;
        let open = |span: &&mut StopSpan| span.client == client && span.ended_secs.is_none();
        if let Some(span) = self.trace.stop_spans.iter_mut().rev().find(open) {
            span.ended_secs = Some(now);
            span.last_event = Some(event);
        }
    }

    /// Memory, inbox and all answers still to come are lost.
    fn crash(&mut self, client: ClientId, event: usize) {
        self.end_stop(client, event);
        for lease in lease_ids(self.scenario) {
            self.end_belief_silently(client, lease, event);
        }
        let mut lost = self.clients[client.0].crash();
        let to_client = |(index, message): (usize, &Message)| {
            let coming = message.to == Node::Client(client)
                && message.arrived_secs.is_none()
                && !message.lost;
            coming.then_some(MessageId(index))
        };
        lost.extend(self.trace.messages.iter().enumerate().filter_map(to_client));
        for message in lost {
            self.lose(message);
        }
        self.stop(client, Status::Crashed, event);
    }

    fn check(
        &mut self,
        client: ClientId,
        lease: LeaseId,
        run: &mut StepRun,
    ) -> Result<(), Impossible> {
        self.must_run(client)?;
        let past = self.clients[client.0].look_at_clock(lease, self.now);
        let valid = self.clients[client.0].belief[lease.0].is_some();
        run.check = Some(if valid { Answer::Valid } else { Answer::Lapsed });
        self.record(EventKind::Checked {
            client,
            lease,
            valid,
        });
        if past {
            self.end_belief(client, lease);
        }
        Ok(())
    }

    fn request(&mut self, request: &Request, run: &mut StepRun) -> Result<(), Impossible> {
        self.must_run(request.client)?;
        if let Travel::ArrivingAt(at) = request.travel
            && at < self.now
        {
            return Err(join(&[
                "it would arrive at ",
                &whole(at),
                " s, before it is sent at ",
                &whole(self.now),
                " s",
            ]));
        }
        let content = self.content(request)?;
        let (to, places) = self.destination(&request.body);
        let message = Message {
            step: self.step.unwrap_or_default(),
            name: request.name,
            delivery: 1,
            client: request.client,
            from: Node::Client(request.client),
            to,
            places,
            content,
            sent_secs: self.now,
            due_secs: None,
            arrived_secs: None,
            lost: false,
            answers: None,
            copy_of: None,
        };
        if let Body::Release(lease) = request.body {
            self.end_belief(request.client, lease);
        }
        let id = MessageId(self.trace.messages.len());
        let life = self.clients[request.client.0].life;
        self.open_exchange(id, Exchange::new(request.reply, life));
        self.send(message, request.travel);
        run.message = Some(id);
        run.finish_secs = self.exchange_end(request);
        Ok(())
    }

    /// When the next step may start: a message with a fate of its own is not waited for, nor what
    /// would follow it.
    fn exchange_end(&self, request: &Request) -> Secs {
        if request.travel != Travel::Latency {
            return self.now;
        }
        let latency_secs = self.scenario.latency_secs;
        let arrival_secs = self.after(latency_secs);
        let effect_secs = match &request.body {
            Body::Write(write) => arrival_secs.max(write.applied_at_secs.unwrap_or(0)),
            _ => arrival_secs,
        };
        match request.reply {
            Travel::Latency => effect_secs.saturating_add(latency_secs).min(MAX_NUMBER),
            _ => effect_secs,
        }
    }

    fn destination(&self, body: &Body) -> (Node, Vec<ReplicaId>) {
        let at = |resource: ResourceId, reaching: Option<&Vec<ReplicaId>>| {
            let all = || self.places(resource).map(|place| place.replica).collect();
            let mut places: Vec<ReplicaId> = reaching.cloned().unwrap_or_else(all);
            places.sort_unstable_by_key(|replica| replica.0);
            let replica = places.first().copied().unwrap_or(ReplicaId(0));
            (Node::Place(Place { resource, replica }), places)
        };
        match body {
            Body::Acquire(_) | Body::Renew(_) | Body::Release(_) => (Node::Coordinator, Vec::new()),
            Body::Write(write) => at(write.resource, write.reaching.as_ref()),
            Body::Claim(resource, _) => at(*resource, None),
            Body::Read(resource) => at(*resource, None),
            Body::Call(external, _) => (Node::External(*external), Vec::new()),
        }
    }

    fn content(&self, request: &Request) -> Result<Content, Impossible> {
        let known =
            |lease: &LeaseId| self.clients[request.client.0].known[lease.0].map(|k| k.grant);
        Ok(match &request.body {
            Body::Acquire(lease) => Content::Acquire(*lease),
            Body::Renew(lease) => Content::Renew(*lease, known(lease)),
            Body::Release(lease) => Content::Release(*lease, known(lease)),
            Body::Read(resource) => Content::Read(*resource),
            Body::Call(external, what) => Content::Call(*external, what.clone()),
            Body::Claim(resource, choice) => {
                let carried = self.carried(request.client, *resource, choice);
                Content::Claim(Arc::new(carried))
            }
            Body::Write(write) => {
                let based_on = match write.based_on {
                    None => None,
                    Some(name) => Some(self.answered_read(request.client, name)?),
                };
                let write = WriteContent {
                    value: write.value.clone(),
                    key: write.key.clone(),
                    seq: write.seq,
                    based_on,
                    deadline_secs: write.deadline_secs,
                    applied_at_secs: write.applied_at_secs,
                    ..self.carried(request.client, write.resource, &write.token)
                };
                Content::Write(Arc::new(write))
            }
        })
    }

    fn answered_read(&self, client: ClientId, name: NameId) -> Result<MessageId, Impossible> {
        let reads = &self.clients[client.0].reads;
        let newest = reads.iter().rev().find(|(read, _)| *read == name);
        newest.map(|(_, id)| *id).ok_or_else(|| {
            join(&[
                self.client_name(client),
                " has no answer to `",
                &self.scenario.messages[name.0],
                "` yet (or lost it in a crash): a write is based on a read that was answered",
            ])
        })
    }

    /// The token of a write or claim, and the grant that it belongs to: the one the client knows,
    /// or with `token N` its newest that carried N.
    fn carried(
        &self,
        client: ClientId,
        resource: ResourceId,
        choice: &TokenChoice,
    ) -> WriteContent {
        let lease = self.scenario.resources[resource.0].lease;
        let known: Option<Known> = self.clients[client.0].known[lease.0];
        let token = match choice {
            TokenChoice::Known => {
                known.map_or(CarriedToken::Missing, |k| CarriedToken::Number(k.token))
            }
            TokenChoice::Missing => CarriedToken::Missing,
            TokenChoice::Number(token) | TokenChoice::Forged(token) => CarriedToken::Number(*token),
            TokenChoice::Text(text) => CarriedToken::Text(text.clone()),
        };
        let named = match choice {
            TokenChoice::Number(token) => self.newest_grant_of(client, lease, *token),
            _ => None,
        };
        WriteContent {
            resource,
            value: String::new(),
            token,
            forged: matches!(choice, TokenChoice::Forged(_)),
            grant: named.or(known.map(|k| k.grant)),
            key: None,
            seq: None,
            based_on: None,
            deadline_secs: None,
            applied_at_secs: None,
        }
    }

    /// The client's newest grant of the lease that carried this token.
    fn newest_grant_of(&self, client: ClientId, lease: LeaseId, token: Token) -> Option<GrantId> {
        let fits = |grant: &Grant| {
            grant.client == client && grant.lease == lease && grant.tokens.contains(&token)
        };
        self.trace.grants.iter().rposition(fits).map(GrantId)
    }

    fn interfere(
        &mut self,
        name: NameId,
        action: MessageAction,
        run: &mut StepRun,
    ) -> Result<(), Impossible> {
        if action == MessageAction::ArrivesAgain {
            return self.copy(name, run);
        }
        let open = |message: &Message| {
            message.name == Some(name) && message.arrived_secs.is_none() && !message.lost
        };
        let Some(index) = self.trace.messages.iter().position(open) else {
            return Err(join(&[
                "nothing of `",
                &self.scenario.messages[name.0],
                "` is in flight or held at ",
                &whole(self.now),
                " s",
            ]));
        };
        let id = MessageId(index);
        if action == MessageAction::IsLost {
            self.lose(id);
        } else {
            self.unschedule(id);
            run.delivered = Some(id);
            self.deliver(id);
        }
        Ok(())
    }

    /// `arrives again`: the network delivers a request a second time.
    fn copy(&mut self, name: NameId, run: &mut StepRun) -> Result<(), Impossible> {
        let is_request = |m: &Message| m.name == Some(name) && m.answers.is_none();
        let original = self.trace.messages.iter().position(is_request);
        let arrived = original.filter(|index| self.trace.messages[*index].arrived_secs.is_some());
        let Some(index) = arrived else {
            return Err(join(&[
                "`",
                &self.scenario.messages[name.0],
                "` has not arrived yet, so no copy of it can arrive again",
            ]));
        };
        let copies = self.trace.messages.iter().filter(|m| is_request(m)).count();
        // It arrives as soon as it is sent, and then has a time of arrival of its own.
        let message = Message {
            delivery: u32::try_from(copies + 1).unwrap_or(u32::MAX),
            sent_secs: self.now,
            copy_of: Some(MessageId(index)),
            ..self.trace.messages[index].clone()
        };
        let id = MessageId(self.trace.messages.len());
        let life = self.exchange(MessageId(index)).map_or(0, |e| e.life);
        self.open_exchange(id, Exchange::new(Travel::Latency, life));
        self.send(message, Travel::Taking(0));
        run.delivered = Some(id);
        Ok(())
    }

    fn resource_acts(
        &mut self,
        resource: ResourceId,
        action: &ResourceAction,
    ) -> Result<(), Impossible> {
        let durable = self.policies[resource.0].has(PolicyOption::Durable);
        let places: Vec<Place> = self.places(resource).collect();
        if *action == ResourceAction::Restores
            && places.iter().any(|p| self.store(*p).saved.is_none())
        {
            let name = &self.scenario.resources[resource.0].name;
            return Err(join(&[name, " has saved nothing yet: it `saves` first"]));
        }
        let kind = match action {
            ResourceAction::ForgetsMark => EventKind::MarkForgotten {
                resource,
                kept: durable,
            },
            ResourceAction::RestartsAtMark(mark) => EventKind::RestartedAtMark {
                resource,
                mark: *mark,
                kept: durable,
            },
            ResourceAction::Saves => EventKind::ResourceSaved(resource),
            ResourceAction::Restores => EventKind::ResourceRestored(resource),
            ResourceAction::Becomes(policy) => {
                if self.forced_policy.is_none() {
                    self.policies[resource.0] = policy.clone();
                }
                EventKind::Became(resource, self.policies[resource.0].clone())
            }
        };
        let event = self.record(kind);
        for place in places {
            let store = self.store_mut(place);
            match action {
                ResourceAction::ForgetsMark if !durable => store.reset_mark(0),
                ResourceAction::RestartsAtMark(mark) if !durable => store.reset_mark(*mark),
                ResourceAction::Saves => store.saved = Some(store.held.clone()),
                ResourceAction::Restores => {
                    if let Some(saved) = &store.saved {
                        store.held = saved.clone();
                    }
                }
                _ => {}
            }
            self.note_store(place, Some(event));
        }
        Ok(())
    }
}
