//! A path of the model as a scenario of the language: what was untimed gets times.
//!
//! Each action takes the seconds that a reader needs to see it. Where leases end at any moment,
//! they are ended by the coordinator and the ttl is longer than the run; where they end on time,
//! the ttl is the longest stretch between an acquisition and what must still happen under it.

use super::bounds::{CoordinatorFault, LeaseEnds, Property};
use super::judge::Judged;
use super::model::{
    Action, FIRST_RETRY, How, JUMP, MAX_CLIENTS, MAX_WRITES, Model, SLOTS, State, client_of,
    is_retry,
};
use fencing_core::sim::{self, *};

const NAMES: [&str; MAX_CLIENTS] = ["A", "B", "C"];
/// Seconds between what a ttl must cover and its end.
const MARGIN_SECS: Secs = 2;
const DEFAULT_TTL_SECS: Secs = 10;

/// One action of a path, as a list of steps tells it.
pub struct StepLine {
    /// Who acts or is acted for; `None`: coordinator, resource.
    pub client: Option<usize>,
    /// When it is over.
    pub at_secs: Secs,
    /// What happens: a whole sentence.
    pub text: String,
}

/// The scenario of a violation: a script that shows it. Its `=>` and `expect` lines are what `sim`
/// answers.
pub fn counterexample(model: &Model, property: Property, path: &[Action]) -> Scenario {
    let mut scenario = play(model, path);
    scenario.title = format!("Found: {}", lower_first(property.violation()));
    expect_everything(&mut scenario, model.policy(), property);
    scenario
}

/// The scenario of any path, without expectations. Actions that cannot happen are left out.
pub fn play(model: &Model, path: &[Action]) -> Scenario {
    let plan = Plan::new(model, path);
    Writer::new(model, &plan).write()
}

/// The path in sentences, with the times of its scenario.
pub fn step_lines(model: &Model, path: &[Action]) -> Vec<StepLine> {
    let plan = Plan::new(model, path);
    plan.acts.iter().map(|act| line_of(model, act)).collect()
}

/// One action of the path with its time, and what the model says of it.
struct Act {
    action: Action,
    from_secs: Secs,
    until_secs: Secs,
    judged: Option<Judged>,
    /// The token that it is about, 0 for none.
    token: u8,
    mark: u8,
    /// Who holds the lease before.
    holder: usize,
}

/// Times of all actions.
struct Plan {
    acts: Vec<Act>,
    ttl_secs: Secs,
}

impl Plan {
    fn new(model: &Model, path: &[Action]) -> Self {
        let mut acts = acts_of(model, path);
        let on_time = model.bounds().lease_ends == LeaseEnds::OnTime;
        spread(&mut acts, None);
        let ttl_secs = if on_time {
            longest_tenure(&acts) + MARGIN_SECS
        } else {
            acts.last().map_or(0, |act| act.until_secs) + MARGIN_SECS
        };
        // A ttl of tens looks like a choice, and the picture ends soon enough all the same.
        let ttl_secs = match on_time {
            true => ttl_secs,
            false => ttl_secs.max(1).next_multiple_of(DEFAULT_TTL_SECS),
        };
        if on_time {
            spread(&mut acts, Some(ttl_secs));
        }
        Plan { acts, ttl_secs }
    }

    fn end_secs(&self) -> Secs {
        self.acts.last().map_or(0, |act| act.until_secs)
    }
}

fn acts_of(model: &Model, path: &[Action]) -> Vec<Act> {
    let mut state = model.initial();
    let mut acts = Vec::new();
    for &action in path {
        let Some(step) = model.step(&state, action) else {
            continue;
        };
        let token = token_of(action, &state, &step.state);
        acts.push(Act {
            action,
            from_secs: 0,
            until_secs: 0,
            judged: step.judged,
            token,
            mark: state.resource.mark,
            holder: usize::from(state.live.client),
        });
        state = step.state;
    }
    acts
}

fn acting_client(action: Action) -> Option<usize> {
    match action {
        Action::Acquire(c)
        | Action::Read(c)
        | Action::Write(c, _)
        | Action::Retry(c, _)
        | Action::Pause(c)
        | Action::Resume(c)
        | Action::Crash(c)
        | Action::Restart(c) => Some(usize::from(c)),
        Action::Arrive(slot)
        | Action::ArriveAndStall(slot)
        | Action::TakeEffect(slot)
        | Action::ArriveAgain(slot) => Some(client_of(usize::from(slot))),
        _ => None,
    }
}

/// The token that is granted, sent or compared.
fn token_of(action: Action, before: &State, after: &State) -> u8 {
    match action {
        Action::Acquire(client) => after.clients[usize::from(client)].token,
        Action::Arrive(slot)
        | Action::ArriveAndStall(slot)
        | Action::TakeEffect(slot)
        | Action::ArriveAgain(slot) => before.slots[usize::from(slot)].token,
        _ => acting_client(action).map_or(0, |client| before.clients[client].token),
    }
}

fn duration_secs(action: Action) -> Secs {
    match action {
        Action::Acquire(_) | Action::Read(_) => 2,
        Action::Write(_, How::Late) | Action::Retry(_, How::Late) => 1,
        Action::Write(..) | Action::Retry(..) => 2,
        _ => 1,
    }
}

/// One action after the other; with a ttl, each lease ends that long after its grant.
fn spread(acts: &mut [Act], ttl_secs: Option<Secs>) {
    let mut now = 0;
    let mut granted_secs = 0;
    for act in acts {
        act.from_secs = now;
        match (act.action, ttl_secs) {
            (Action::Acquire(_), _) => granted_secs = now + 1,
            (Action::LeaseEnds, Some(ttl_secs)) => {
                act.from_secs = now.max(granted_secs + ttl_secs);
            }
            // Nothing else happens at the moment of a stalled effect.
            (Action::TakeEffect(_), _) => act.from_secs = now + 1,
            _ => {}
        }
        act.until_secs = act.from_secs + duration_secs(act.action);
        now = act.until_secs;
    }
}

/// The longest time from the request of a lease to the last thing before its end.
fn longest_tenure(acts: &[Act]) -> Secs {
    let mut longest = 0;
    let mut asked_secs = None;
    for act in acts {
        match act.action {
            Action::Acquire(_) => asked_secs = Some(act.from_secs),
            Action::LeaseEnds => asked_secs = None,
            _ => {}
        }
        longest = longest.max(asked_secs.map_or(0, |asked| act.until_secs - asked));
    }
    longest
}

/// Writes the steps of a plan.
struct Writer<'a> {
    model: &'a Model,
    plan: &'a Plan,
    scenario: Scenario,
    /// The message of each slot.
    named: Vec<Option<NameId>>,
    /// The last read of each client that no write was based on.
    reads: [Option<NameId>; MAX_CLIENTS],
    reads_made: [usize; MAX_CLIENTS],
    writes_made: [usize; MAX_CLIENTS],
    /// The end that a client believes in.
    believed_secs: [Secs; MAX_CLIENTS],
    /// When the next step would start without `at`.
    free_secs: Secs,
}

impl<'a> Writer<'a> {
    fn new(model: &'a Model, plan: &'a Plan) -> Self {
        Writer {
            model,
            plan,
            scenario: header(model, plan),
            named: vec![None; SLOTS],
            reads: [None; MAX_CLIENTS],
            reads_made: [0; MAX_CLIENTS],
            writes_made: [0; MAX_CLIENTS],
            believed_secs: [0; MAX_CLIENTS],
            free_secs: 0,
        }
    }

    fn write(mut self) -> Scenario {
        let plan = self.plan;
        for (index, act) in plan.acts.iter().enumerate() {
            match act.action {
                Action::Acquire(client) => self.acquire(act, usize::from(client)),
                Action::Read(client) => self.read(act, usize::from(client)),
                Action::Write(client, how) => self.send(index, usize::from(client), how, false),
                Action::Retry(client, how) => self.send(index, usize::from(client), how, true),
                Action::Arrive(slot) | Action::ArriveAndStall(slot) => {
                    self.message(act, slot, MessageAction::Arrives);
                }
                Action::ArriveAgain(slot) => self.message(act, slot, MessageAction::ArrivesAgain),
                // `applied at` says when.
                Action::TakeEffect(_) => {}
                Action::LeaseEnds => self.end_lease(act),
                Action::Pause(client) => self.client(act, client, ClientAction::Pauses),
                Action::Resume(client) => self.client(act, client, ClientAction::Resumes),
                Action::Crash(client) => self.client(act, client, ClientAction::Crashes),
                Action::Restart(client) => self.client(act, client, ClientAction::Restarts),
                Action::CoordinatorSaves => self.coordinator(act, CoordinatorAction::Saves),
                Action::CoordinatorFails => self.coordinator_fails(act),
                Action::ResourceForgets => {
                    let forgets = sim::Action::Resource(ResourceId(0), ResourceAction::ForgetsMark);
                    self.push(act.from_secs, act.from_secs, forgets);
                }
            }
        }
        self.scenario
    }

    /// Adds a step; `at` is written only where it would start at another time without.
    fn push(&mut self, from_secs: Secs, free_secs: Secs, action: sim::Action) {
        self.scenario.steps.push(sim::Step {
            at_secs: (from_secs != self.free_secs).then_some(from_secs),
            action,
            expectation: None,
        });
        self.free_secs = free_secs;
    }

    fn name(&mut self, name: String) -> NameId {
        self.scenario.messages.push(name);
        NameId(self.scenario.messages.len() - 1)
    }

    fn acquire(&mut self, act: &Act, client: usize) {
        self.believed_secs[client] = act.from_secs + self.plan.ttl_secs;
        self.reads[client] = None;
        let request = request(client, Body::Acquire(LeaseId(0)), None);
        self.push(act.from_secs, act.from_secs + 2, request);
    }

    fn read(&mut self, act: &Act, client: usize) {
        self.reads_made[client] += 1;
        let name = self.name(format!("{}-saw-{}", NAMES[client], self.reads_made[client]));
        self.reads[client] = Some(name);
        let request = request(client, Body::Read(ResourceId(0)), Some(name));
        self.push(act.from_secs, act.from_secs + 2, request);
    }

    fn send(&mut self, index: usize, client: usize, how: How, again: bool) {
        let act = &self.plan.acts[index];
        let letter = NAMES[client].to_lowercase();
        if !again {
            self.writes_made[client] += 1;
        }
        let number = self.writes_made[client];
        let value = format!("{letter}{number}");
        let text = if again {
            format!("{value}-again")
        } else {
            value.clone()
        };
        let name = self.name(text);
        let slot = slot_of(client, number, again);
        self.named[slot] = Some(name);
        let effect_secs = self.effect_secs(index, slot, how);
        let write = Write {
            resource: ResourceId(0),
            token: TokenChoice::Known,
            applied_at_secs: effect_secs,
            key: (self.model.bounds().keys_repeat()).then(|| value.clone()),
            seq: (self.model.policy().has(PolicyOption::Sequence)).then_some(number as u64),
            based_on: if again {
                None
            } else {
                self.reads[client].take()
            },
            deadline_secs: (self.model.policy().base == Base::Deadline)
                .then_some(self.believed_secs[client]),
            reaching: None,
            value,
        };
        let late = how == How::Late;
        let silent = !again && self.is_retried(index, client);
        let request = sim::Action::Request(Request {
            client: ClientId(client),
            body: Body::Write(write),
            name: Some(name),
            travel: if late { Travel::Held } else { Travel::Latency },
            reply: if silent {
                Travel::Lost
            } else {
                Travel::Latency
            },
        });
        let answered_secs = (act.from_secs + 1).max(effect_secs.unwrap_or(0));
        let free_secs = match (late, silent) {
            (true, _) => act.from_secs,
            (false, true) => answered_secs,
            (false, false) => answered_secs + 1,
        };
        self.push(act.from_secs, free_secs, request);
    }

    /// When a write that stalls takes effect: as the path says, else after its end.
    fn effect_secs(&self, sent: usize, slot: usize, how: How) -> Option<Secs> {
        let later = &self.plan.acts[sent + 1..];
        let about = |act: &&Act| match act.action {
            Action::ArriveAndStall(s) | Action::TakeEffect(s) => usize::from(s) == slot,
            _ => false,
        };
        let stalls = how == How::Stalling
            || later
                .iter()
                .any(|act| act.action == Action::ArriveAndStall(slot as u8));
        let effect = later
            .iter()
            .filter(about)
            .find(|act| act.action == Action::TakeEffect(slot as u8));
        stalls.then(|| effect.map_or(self.plan.end_secs() + 1, |act| act.from_secs))
    }

    /// Whether the client sends this same write again later: then it heard no answer.
    fn is_retried(&self, sent: usize, client: usize) -> bool {
        let own = |act: &&Act| match act.action {
            Action::Write(c, _) | Action::Retry(c, _) => usize::from(c) == client,
            _ => false,
        };
        let next = self.plan.acts[sent + 1..].iter().find(own);
        next.is_some_and(|act| matches!(act.action, Action::Retry(..)))
    }

    fn message(&mut self, act: &Act, slot: u8, action: MessageAction) {
        let Some(name) = self.named[usize::from(slot)] else {
            return;
        };
        self.push(
            act.from_secs,
            act.from_secs,
            sim::Action::Message(name, action),
        );
    }

    fn client(&mut self, act: &Act, client: u8, action: ClientAction) {
        let client = ClientId(usize::from(client));
        self.push(
            act.from_secs,
            act.from_secs,
            sim::Action::Client(client, action),
        );
    }

    fn coordinator(&mut self, act: &Act, action: CoordinatorAction) {
        self.push(
            act.from_secs,
            act.from_secs,
            sim::Action::Coordinator(action),
        );
    }

    /// On time it ends by itself.
    fn end_lease(&mut self, act: &Act) {
        if self.model.bounds().lease_ends == LeaseEnds::AnyMoment {
            let expires = CoordinatorAction::Expires(ClientId(act.holder), LeaseId(0));
            self.coordinator(act, expires);
        }
    }

    fn coordinator_fails(&mut self, act: &Act) {
        let action = match self.model.bounds().coordinator_fault {
            CoordinatorFault::Restart => CoordinatorAction::Restarts { token: None },
            CoordinatorFault::LosesCounter => CoordinatorAction::Restarts { token: Some(1) },
            CoordinatorFault::RollsBack => CoordinatorAction::Restores { jump: 0 },
            CoordinatorFault::RollsBackAndJumps => CoordinatorAction::Restores {
                jump: u64::from(JUMP),
            },
        };
        self.coordinator(act, action);
    }
}

fn slot_of(client: usize, number: usize, again: bool) -> usize {
    if again {
        FIRST_RETRY + client
    } else {
        client * MAX_WRITES + number.saturating_sub(1)
    }
}

fn request(client: usize, body: Body, name: Option<NameId>) -> sim::Action {
    sim::Action::Request(Request {
        client: ClientId(client),
        body,
        name,
        travel: Travel::Latency,
        reply: Travel::Latency,
    })
}

fn header(model: &Model, plan: &Plan) -> Scenario {
    let acting = plan.acts.iter().filter_map(|act| acting_client(act.action));
    let clients = acting.max().map_or(1, |last| last + 1);
    Scenario {
        title: String::new(),
        ttl_secs: plan.ttl_secs,
        latency_secs: 1,
        token: 1,
        clients: NAMES[..clients].iter().map(|name| (*name).into()).collect(),
        leases: vec![Lease {
            name: None,
            token: None,
            ttl_secs: None,
        }],
        resources: vec![Resource {
            name: "doc".into(),
            lease: LeaseId(0),
            policy: model.policy().clone(),
            mark: 0,
            value: String::new(),
            replicas: Vec::new(),
            quorum: None,
            clock_skew_secs: 0,
        }],
        externals: Vec::new(),
        coordinator: CoordinatorRules::default(),
        messages: Vec::new(),
        steps: Vec::new(),
        expects: Vec::new(),
    }
}

/// Fills in what the run answers: at each step that has an answer, and for each write below.
fn expect_everything(scenario: &mut Scenario, policy: &Policy, property: Property) {
    let trace = sim::run(scenario);
    for index in 0..scenario.steps.len() {
        let outcome = sim::step_outcome(scenario, &trace, index);
        let waits = |o: &sim::Outcome| o.answer == Answer::Unknown;
        scenario.steps[index].expectation = outcome.filter(|outcome| !waits(outcome));
    }
    let expected: Vec<ExpectedVerdict> = (trace.verdicts.iter())
        .filter_map(|verdict| {
            Some(ExpectedVerdict {
                name: verdict.name?,
                delivery: verdict.delivery,
                replica: None,
                outcome: verdict.outcome(),
            })
        })
        .collect();
    if !expected.is_empty() {
        scenario
            .expects
            .push(Expect::Verdicts(policy.clone(), expected));
    }
    if property == Property::MarkNeverFalls {
        let (mark, _) = sim::final_state(scenario, &trace, ResourceId(0));
        scenario.expects.push(Expect::Mark(mark, ResourceId(0)));
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

// ---- sentences

fn line_of(model: &Model, act: &Act) -> StepLine {
    let client = match act.action {
        Action::LeaseEnds => Some(act.holder),
        action => acting_client(action),
    };
    let who = client.map_or("", |client| NAMES[client]);
    let text = match act.action {
        Action::Acquire(_) => format!("{who} is granted token {}.", act.token),
        Action::Read(_) => format!("{who} reads the stored value."),
        Action::Pause(_) => format!("{who} pauses."),
        Action::Resume(_) => format!("{who} resumes."),
        Action::Crash(_) => format!("{who} crashes and forgets its grant."),
        Action::Restart(_) => format!("{who} starts again."),
        Action::LeaseEnds => match model.bounds().lease_ends {
            LeaseEnds::AnyMoment => format!("{who}’s lease is made to end."),
            LeaseEnds::OnTime => format!("{who}’s lease ends."),
        },
        Action::CoordinatorSaves => "The coordinator takes a snapshot.".into(),
        Action::CoordinatorFails => fault_sentence(model.bounds().coordinator_fault).into(),
        Action::ResourceForgets => match model.policy().has(PolicyOption::Durable) {
            true => format!("The resource restarts; its mark {} is durable.", act.mark),
            false => format!("The resource forgets its mark {}.", act.mark),
        },
        action => write_sentence(model, who, act, action),
    };
    StepLine {
        client,
        at_secs: act.until_secs,
        text,
    }
}

fn fault_sentence(fault: CoordinatorFault) -> &'static str {
    match fault {
        CoordinatorFault::Restart => "The coordinator restarts and keeps its counter.",
        CoordinatorFault::LosesCounter => "The coordinator restarts and counts from 1 again.",
        CoordinatorFault::RollsBack => "The coordinator goes back to its snapshot.",
        CoordinatorFault::RollsBackAndJumps => {
            "The coordinator goes back to its snapshot, and its counter jumps ahead."
        }
    }
}

fn write_sentence(model: &Model, who: &str, act: &Act, action: Action) -> String {
    let token = act.token;
    let (how, again) = match action {
        Action::Write(_, how) => (Some(how), false),
        Action::Retry(_, how) => (Some(how), true),
        Action::ArriveAndStall(_) => (Some(How::Stalling), false),
        Action::Arrive(slot) | Action::TakeEffect(slot) => (None, is_retry(usize::from(slot))),
        _ => (None, false),
    };
    let what = match (action, again) {
        (Action::ArriveAgain(_), _) => format!("A copy of {who}’s write with token {token}"),
        (_, true) => format!("{who}’s repeated write with token {token}"),
        _ => format!("{who}’s write with token {token}"),
    };
    let Some(judged) = act.judged else {
        return match how {
            Some(How::Late) => format!("{what} sets out and is late."),
            _ if model.policy().base.compares_on_arrival() => {
                format!("{what} arrives and is compared. The resource stalls.")
            }
            _ => format!("{what} arrives, and the resource stalls."),
        };
    };
    format!("{what} {}.", verdict_words(&judged))
}

fn verdict_words(judged: &Judged) -> String {
    let mut text = match (judged.answer, judged.reason) {
        (Answer::Rejected, Some(reason)) => format!("is rejected ({reason})"),
        (Answer::Rejected, None) => "is rejected".into(),
        (Answer::Duplicate, _) => "is answered as a duplicate".into(),
        _ => "is accepted".into(),
    };
    let after = [
        (judged.stale, ", after a write of a later grant"),
        (judged.twice, ", although it had taken effect before"),
        (
            judged.lost_update,
            ", computed from a value that has changed since",
        ),
        (
            judged.holder_refused,
            ", although its grant is the newest and live",
        ),
    ];
    for (_, words) in after.iter().filter(|(holds, _)| *holds) {
        text.push_str(words);
    }
    text
}

/// The same run with another policy at every resource. It expects nothing: what the old policy
/// answered need not hold.
pub fn rejudged(scenario: &Scenario, policy: &Policy) -> Scenario {
    let mut other = scenario.clone();
    for resource in &mut other.resources {
        resource.policy = policy.clone();
    }
    for step in &mut other.steps {
        step.expectation = None;
    }
    other.expects.clear();
    other
}
