//! One run: time passes, messages travel, steps happen, and all of it is recorded.
//!
//! At one instant: lease expiries first, then ends of beliefs, then deliveries and effects in order
//! of (due time, message id), then the step. A message that takes no time is delivered at once.

use super::anomaly::Observer;
use super::client::Client;
use super::coordinator::Coordinator;
use super::resource::Store;
use super::scenario::*;
use super::text::{join, whole};
use super::trace::*;

/// After the last message the run goes on until all leases have ended, but for so long at most.
pub const TAIL_SECS: Secs = 5;

pub(super) struct World<'a> {
    pub scenario: &'a Scenario,
    /// The policy of every resource, whatever the scenario says (`expect POLICY`).
    pub forced_policy: Option<&'a Policy>,
    /// The policy in force at each resource.
    pub policies: Vec<Policy>,
    pub now: Secs,
    /// The step being carried out.
    pub step: Option<usize>,
    pub coordinator: Coordinator,
    pub clients: Vec<Client>,
    /// By resource and replica.
    stores: Vec<Vec<Store>>,
    pub observer: Observer,
    /// What is due; what comes next is the last.
    queue: Vec<Due>,
    /// Comparisons made on arrival, with the number of writes applied until then.
    checks: Vec<Option<(Comparison, u64)>>,
    /// By message, for requests: what it said about its answer, and the life of its client.
    exchanges: Vec<Option<Exchange>>,
    pub trace: Trace,
}

/// Something that will happen to a message, in the order of the fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    at_secs: Secs,
    message: MessageId,
    /// Where a write that stalled takes effect; 0 for an arrival.
    replica: ReplicaId,
    /// The comparison made on arrival: index into `checks`.
    stalled: Option<usize>,
}

/// What belongs to a request beyond its content.
#[derive(Clone, Copy)]
pub(super) struct Exchange {
    pub reply: Travel,
    pub life: u32,
    /// Places whose effect is still to come, and those that accepted so far.
    pub pending: usize,
    pub accepted: usize,
}

impl Exchange {
    pub fn new(reply: Travel, life: u32) -> Self {
        Exchange {
            reply,
            life,
            pending: 0,
            accepted: 0,
        }
    }
}

impl<'a> World<'a> {
    pub fn new(scenario: &'a Scenario, forced_policy: Option<&'a Policy>) -> Self {
        let policy = |resource: &Resource| forced_policy.unwrap_or(&resource.policy).clone();
        let mut world = World {
            scenario,
            forced_policy,
            policies: scenario.resources.iter().map(policy).collect(),
            now: 0,
            step: None,
            coordinator: Coordinator::new(scenario),
            clients: (scenario.clients.iter())
                .map(|_| Client::new(scenario.leases.len()))
                .collect(),
            stores: Vec::new(),
            observer: Observer::default(),
            queue: Vec::new(),
            checks: Vec::new(),
            exchanges: Vec::new(),
            trace: Trace::default(),
        };
        for (index, resource) in scenario.resources.iter().enumerate() {
            let stores = (0..resource.places()).map(|_| Store::new(resource));
            world.stores.push(stores.collect());
            for place in world.places(ResourceId(index)) {
                world.note_store(place, None);
            }
        }
        for lease in lease_ids(scenario) {
            world.note_counter(lease, None);
        }
        world
    }

    pub fn run(mut self) -> Trace {
        let mut previous = StepRun::default();
        // The end of a wait counts as its start for what may come after.
        let mut earliest_secs = 0;
        for (index, step) in self.scenario.steps.iter().enumerate() {
            let start_secs = step.at_secs.unwrap_or(previous.finish_secs);
            if start_secs < earliest_secs {
                let earliest = whole(earliest_secs);
                let text = join(&[
                    "`at ",
                    &whole(start_secs),
                    "` is before ",
                    &earliest,
                    " s, when the step above starts or its wait ends: give it a time from ",
                    &earliest,
                    " on",
                ]);
                self.problem(index, text);
                self.trace.steps.push(previous.skipped());
                continue;
            }
            self.advance(start_secs);
            self.step = Some(index);
            let (run, problem) = self.perform(step);
            self.step = None;
            if let Some(text) = problem {
                self.problem(index, text);
            }
            earliest_secs = match step.action {
                Action::Wait(_) => run.finish_secs,
                _ => run.start_secs,
            };
            self.trace.steps.push(run.clone());
            previous = run;
        }
        self.finish(previous.finish_secs);
        self.trace.moments = moments(&self.trace.events, &self.scenario.steps);
        self.trace
    }

    /// Lets the run end by itself.
    fn finish(&mut self, last_secs: Secs) {
        while let Some(due) = self.queue.last() {
            self.advance(due.at_secs);
        }
        self.advance(last_secs.max(self.now));
        let limit_secs = self.now.saturating_add(TAIL_SECS).min(MAX_NUMBER);
        if let Some(end_secs) = self.coordinator.ends().max() {
            self.advance(end_secs.clamp(self.now, limit_secs));
        }
        self.trace.end_secs = self.now;
    }

    /// Lets everything happen that is due until `to`, in order.
    pub fn advance(&mut self, to: Secs) {
        loop {
            let due = self.queue.last().map(|due| due.at_secs);
            let belief = self
                .clients
                .iter()
                .filter_map(Client::next_belief_end)
                .min();
            let next = [due, belief, self.coordinator.ends().min()]
                .into_iter()
                .flatten()
                .min();
            match next {
                Some(at) if at <= to => {
                    self.now = self.now.max(at);
                    self.pass_ends();
                    if due.is_some_and(|due| due <= self.now) {
                        self.take_due();
                    }
                }
                _ => break,
            }
        }
        self.now = self.now.max(to);
    }

    /// Expiries, then ends of beliefs.
    pub fn pass_ends(&mut self) {
        for grant in self.coordinator.expire(self.now) {
            self.end_lease(grant, LeaseEnd::Expired);
        }
        for index in 0..self.clients.len() {
            for lease in self.clients[index].pass_belief_ends(self.now) {
                self.end_belief(ClientId(index), lease);
            }
        }
    }

    fn take_due(&mut self) {
        let Some(due) = self.queue.pop() else {
            return;
        };
        match due.stalled {
            None => self.deliver(due.message),
            Some(check) => {
                let checked = self.checks[check].take();
                self.apply(due.message, due.replica, checked);
            }
        }
    }

    /// Where a due thing stands in the queue, or would.
    fn due_index(&self, due: &Due) -> usize {
        self.queue.partition_point(|later| later > due)
    }

    /// Puts a message on its way; one that takes no time arrives at once.
    pub fn send(&mut self, mut message: Message, travel: Travel) -> MessageId {
        let id = MessageId(self.trace.messages.len());
        message.due_secs = match travel {
            Travel::Latency => Some(self.after(self.scenario.latency_secs)),
            Travel::Taking(secs) => Some(self.after(secs)),
            Travel::ArrivingAt(at) => Some(at),
            Travel::Held | Travel::Lost => None,
        };
        let due_secs = message.due_secs;
        self.trace.messages.push(message);
        self.record(EventKind::Sent(id));
        match due_secs {
            Some(at) if at <= self.now => self.deliver(id),
            Some(at) => self.schedule(at, id, ReplicaId(0), None),
            None if travel == Travel::Lost => self.lose(id),
            None => {}
        }
        id
    }

    /// The effect of a write waits until `until_secs`.
    pub fn stall(
        &mut self,
        message: MessageId,
        place: Place,
        until_secs: Secs,
        check: Option<Comparison>,
    ) {
        self.record(EventKind::Stalled {
            message,
            place,
            until_secs,
            check: check.clone(),
        });
        let applied = self.store(place).applied;
        let stalled = Some(self.checks.len());
        self.checks.push(check.map(|check| (check, applied)));
        self.schedule(until_secs, message, place.replica, stalled);
    }

    fn schedule(
        &mut self,
        at_secs: Secs,
        message: MessageId,
        replica: ReplicaId,
        stalled: Option<usize>,
    ) {
        let due = Due {
            at_secs,
            message,
            replica,
            stalled,
        };
        self.queue.insert(self.due_index(&due), due);
    }

    /// Takes a message off its way: it is delivered or lost by other means.
    pub fn unschedule(&mut self, id: MessageId) {
        if let Some(due_secs) = self.trace.messages[id.0].due_secs {
            let due = Due {
                at_secs: due_secs,
                message: id,
                replica: ReplicaId(0),
                stalled: None,
            };
            let index = self.due_index(&due);
            if self.queue.get(index) == Some(&due) {
                self.queue.remove(index);
            }
        }
    }

    pub fn lose(&mut self, id: MessageId) {
        self.unschedule(id);
        let message = &mut self.trace.messages[id.0];
        message.lost = true;
        message.due_secs = None;
        self.record(EventKind::Lost(id));
    }

    /// `secs` from now; times end at [`MAX_NUMBER`].
    pub fn after(&self, secs: Secs) -> Secs {
        self.now.saturating_add(secs).min(MAX_NUMBER)
    }

    pub fn record(&mut self, kind: EventKind) -> usize {
        self.trace.events.push(Event {
            at_secs: self.now,
            step: self.step,
            kind,
        });
        self.trace.events.len() - 1
    }

    fn problem(&mut self, step: usize, text: String) {
        self.trace.problems.push(Problem { step, text });
    }

    pub fn note_store(&mut self, place: Place, event: Option<usize>) {
        let held = &self.store(place).held;
        self.trace.stores.push(StoreChange {
            event,
            at_secs: self.now,
            place,
            mark: held.mark,
            owner: held.owner,
            pin: held.pin,
            value: held.value.clone(),
            writer: held.writer,
            value_token: held.value_token,
            policy: self.policies[place.resource.0].clone(),
        });
    }

    pub fn note_counter(&mut self, lease: LeaseId, event: Option<usize>) {
        self.trace.counters.push(CounterChange {
            event,
            lease,
            next: self.coordinator.counter(lease),
        });
    }

    pub fn places(&self, resource: ResourceId) -> impl Iterator<Item = Place> + use<> {
        let count = self.stores[resource.0].len();
        (0..count)
            .map(ReplicaId)
            .map(move |replica| Place { resource, replica })
    }

    pub fn store(&self, place: Place) -> &Store {
        &self.stores[place.resource.0][place.replica.0]
    }

    pub fn store_mut(&mut self, place: Place) -> &mut Store {
        &mut self.stores[place.resource.0][place.replica.0]
    }

    pub fn exchange(&self, id: MessageId) -> Option<Exchange> {
        self.exchanges.get(id.0).copied().flatten()
    }

    pub fn exchange_mut(&mut self, id: MessageId) -> Option<&mut Exchange> {
        self.exchanges.get_mut(id.0)?.as_mut()
    }

    pub fn open_exchange(&mut self, id: MessageId, exchange: Exchange) {
        self.exchanges.resize(id.0, None);
        self.exchanges.push(Some(exchange));
    }
}

impl StepRun {
    /// A step that is left out: the next one follows as if it had not been there.
    fn skipped(&self) -> StepRun {
        StepRun {
            start_secs: self.finish_secs,
            finish_secs: self.finish_secs,
            ..StepRun::default()
        }
    }
}

pub(super) fn lease_ids(scenario: &Scenario) -> impl Iterator<Item = LeaseId> + use<> {
    (0..scenario.leases.len()).map(LeaseId)
}

/// Groups events by instant; a second step at the same instant starts a group of its own.
fn moments(events: &[Event], steps: &[Step]) -> Vec<Moment> {
    let is_note = |step: usize| matches!(steps[step].action, Action::Note(_));
    let mut moments: Vec<Moment> = Vec::new();
    let mut acting: Option<usize> = None;
    for (index, event) in events.iter().enumerate() {
        let other_step = matches!((acting, event.step), (Some(a), Some(b)) if a != b);
        match moments.last_mut() {
            Some(moment) if moment.at_secs == event.at_secs && !other_step => {
                moment.events.end = index + 1;
            }
            _ => {
                acting = None;
                moments.push(Moment {
                    at_secs: event.at_secs,
                    events: index..index + 1,
                });
            }
        }
        acting = event.step.filter(|step| !is_note(*step)).or(acting);
    }
    moments
}
