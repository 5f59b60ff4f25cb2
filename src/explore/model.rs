//! The protocol without time: what may happen next, and what comes of it.

use super::bounds::{BadBound, Bounds, CoordinatorFault, LeaseEnds};
use super::judge::{Judged, Rule};
use fencing_core::sim::{Policy, PolicyOption, Reason};

/// Clients of a model, `0..MAX_CLIENTS`.
pub(super) const MAX_CLIENTS: usize = 3;
/// Writes of one client.
pub(super) const MAX_WRITES: usize = 3;
/// One place for each write of each client, and one for each client's retry.
pub(super) const SLOTS: usize = MAX_CLIENTS * MAX_WRITES + MAX_CLIENTS;
pub(super) const FIRST_RETRY: usize = MAX_CLIENTS * MAX_WRITES;
/// A counter that jumps by this passes every token that can have been issued.
pub(super) const JUMP: u8 = 6;

/// Something that may happen. Clients count from 0; a write is named by its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A client is granted the lease.
    Acquire(u8),
    /// A client reads; its next write is based on that.
    Read(u8),
    /// A client sends a new write.
    Write(u8, How),
    /// A client that heard no answer sends its last write again, under the grant it knows now.
    Retry(u8, How),
    /// A late write arrives.
    Arrive(u8),
    /// A late write arrives and stalls inside the resource.
    ArriveAndStall(u8),
    /// A stalled write takes effect.
    TakeEffect(u8),
    /// A copy of a judged write arrives.
    ArriveAgain(u8),
    /// The live lease ends.
    LeaseEnds,
    /// A client pauses.
    Pause(u8),
    /// A paused client goes on.
    Resume(u8),
    /// A client crashes and forgets.
    Crash(u8),
    /// A crashed client starts again.
    Restart(u8),
    /// The coordinator takes a snapshot.
    CoordinatorSaves,
    /// The coordinator fails, as [`CoordinatorFault`] says.
    CoordinatorFails,
    /// The resource forgets its mark.
    ResourceForgets,
}

/// What becomes of a write that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// It arrives and is judged before anything else happens.
    AtOnce,
    /// It is late.
    Late,
    /// It arrives, and its effect stalls.
    Stalling,
}

impl How {
    const ALL: [How; 3] = [How::AtOnce, How::Late, How::Stalling];
}

/// A situation: everything that can still matter. See [`Model::initial`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub(super) slots: [Slot; SLOTS],
    pub(super) clients: [Client; MAX_CLIENTS],
    pub(super) resource: Held,
    /// Greatest grant of an accepted write, 0 for none: the observer's memory.
    pub(super) newest_accepted: u8,
    /// How many grants there were; the newest has this number.
    pub(super) grants: u8,
    pub(super) live: Live,
    /// The next token.
    pub(super) counter: u8,
    pub(super) saved: Option<(u8, Live)>,
    pub(super) delays_left: u8,
    pub(super) stalls_left: u8,
    pub(super) duplicates_left: u8,
    pub(super) coordinator_faults_left: u8,
    pub(super) resource_crashes_left: u8,
}

/// The live lease: grant 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Live {
    pub grant: u8,
    pub client: u8,
}

/// What the resource holds, as far as the policy looks at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub mark: u8,
    /// Client + 1; 0 for nobody.
    pub owner: u8,
    /// 0 for none.
    pub pin: u8,
    /// Two bits a token: its last `seq`.
    pub seqs: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Client {
    pub status: Status,
    /// The grant that it acts under, 0 for none.
    pub grant: u8,
    pub token: u8,
    pub read: Basis,
    pub acquired: u8,
    pub sent: u8,
    pub reads_left: u8,
    pub pauses_left: u8,
    pub crashes_left: u8,
    pub retries_left: u8,
    /// It remembers its last write and may send it again.
    pub remembers: bool,
    /// A bit for each of its keys: it took effect.
    pub effects: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Status {
    #[default]
    Running,
    Paused,
    Crashed,
}

/// What a write is computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Basis {
    #[default]
    Nothing,
    /// A read that is still what is stored.
    Fresh,
    /// A read that another write has changed since.
    Changed,
}

/// A write on its way, or one of which copies may come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slot {
    pub phase: Phase,
    pub grant: u8,
    pub token: u8,
    pub basis: Basis,
    /// Number of the write whose key it carries.
    pub number: u8,
    /// While stalled: what was compared on arrival.
    pub check: Option<Reason>,
    /// While stalled under `+cas`: a write was applied since.
    pub raced: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not sent, or over for good.
    #[default]
    None,
    Late,
    Stalled,
    Applied,
    NotApplied,
}

/// What came of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The situation afterwards.
    pub state: State,
    /// What the resource decided, if it decided something.
    pub judged: Option<Judged>,
    /// The mark is smaller than before.
    pub mark_fell: bool,
}

/// A configuration: bounds and a policy.
#[derive(Clone, Debug)]
pub struct Model {
    pub(super) bounds: Bounds,
    pub(super) policy: Policy,
    pub(super) rule: Rule,
}

impl Model {
    /// A model for these bounds.
    ///
    /// # Errors
    /// See [`Bounds::check`].
    pub fn new(bounds: Bounds, policy: Policy) -> Result<Self, BadBound> {
        bounds.check()?;
        let rule = Rule::new(&policy, &bounds);
        Ok(Model {
            bounds,
            policy,
            rule,
        })
    }

    /// The bounds.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The policy of the resource.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Nothing has happened yet.
    pub fn initial(&self) -> State {
        let bounds = &self.bounds;
        let mut state = State {
            counter: 1,
            delays_left: bounds.delays,
            stalls_left: bounds.stalls,
            duplicates_left: bounds.duplicates,
            coordinator_faults_left: bounds.coordinator_faults,
            resource_crashes_left: bounds.resource_crashes,
            ..State::default()
        };
        for client in &mut state.clients[..usize::from(bounds.clients)] {
            client.reads_left = bounds.reads;
            client.pauses_left = bounds.pauses;
            client.crashes_left = bounds.client_crashes;
            client.retries_left = bounds.retries;
        }
        state
    }

    /// Everything that may happen in `state`, in a fixed order.
    pub fn actions(&self, state: &State) -> Vec<Action> {
        let mut found = Vec::new();
        self.for_each_action(state, |action| found.push(action));
        found
    }

    /// Calls `visit` with all that may happen in `state`.
    pub(super) fn for_each_action(&self, state: &State, mut visit: impl FnMut(Action)) {
        for client in 0..self.bounds.clients {
            self.for_each_request(state, client, &mut visit);
        }
        for (slot, write) in (0u8..).zip(&state.slots) {
            match write.phase {
                Phase::None => {}
                Phase::Late => {
                    visit(Action::Arrive(slot));
                    if state.stalls_left > 0 {
                        visit(Action::ArriveAndStall(slot));
                    }
                }
                Phase::Stalled => visit(Action::TakeEffect(slot)),
                // It is kept only while a copy may come.
                Phase::Applied | Phase::NotApplied => visit(Action::ArriveAgain(slot)),
            }
        }
        if state.live.grant != 0 {
            visit(Action::LeaseEnds);
        }
        for client in 0..self.bounds.clients {
            state.clients[usize::from(client)].for_each_change(client, &mut visit);
        }
        self.for_each_fault(state, visit);
    }

    /// What a running client may ask for.
    fn for_each_request(&self, state: &State, client: u8, visit: &mut impl FnMut(Action)) {
        let me = &state.clients[usize::from(client)];
        if self.may_acquire(state, client) {
            visit(Action::Acquire(client));
        }
        if !me.can_act() {
            return;
        }
        for how in How::ALL {
            let may = match how {
                How::AtOnce => true,
                How::Late => state.delays_left > 0,
                How::Stalling => state.stalls_left > 0,
            };
            if may && me.sent < self.bounds.writes {
                visit(Action::Write(client, how));
            }
            if may && me.remembers {
                visit(Action::Retry(client, how));
            }
        }
        if me.reads_left > 0 && me.read != Basis::Fresh {
            visit(Action::Read(client));
        }
    }

    fn for_each_fault(&self, state: &State, mut visit: impl FnMut(Action)) {
        if state.coordinator_faults_left > 0 {
            let snapshot = self.bounds.coordinator_fault.has_snapshot();
            if snapshot && state.saved.is_none() {
                visit(Action::CoordinatorSaves);
            } else {
                visit(Action::CoordinatorFails);
            }
        }
        if state.resource_crashes_left > 0 {
            visit(Action::ResourceForgets);
        }
    }

    /// What comes of `action`; `None` if it cannot happen in `state`.
    pub fn step(&self, state: &State, action: Action) -> Option<Step> {
        let mut next = *state;
        let s = &mut next;
        let mut judged = None;
        match action {
            Action::Acquire(client) => self.acquire(s, client)?,
            Action::Read(client) => read(s, client)?,
            Action::Write(client, how) => judged = self.write(s, client, how)?,
            Action::Retry(client, how) => judged = self.retry(s, client, how)?,
            Action::Arrive(slot) => judged = Some(self.arrive(s, slot)?),
            Action::ArriveAndStall(slot) => {
                phase_is(s, slot, Phase::Late)?;
                self.stall(s, slot)?;
            }
            Action::TakeEffect(slot) => {
                phase_is(s, slot, Phase::Stalled)?;
                judged = Some(self.rule.judge(s, slot, 1));
                self.tidy(s);
            }
            Action::ArriveAgain(slot) => judged = Some(self.arrive_again(s, slot)?),
            Action::LeaseEnds => self.end_lease(s)?,
            Action::Pause(client) => pause(s, client)?,
            Action::Resume(client) => go_on(s, client, Status::Paused)?,
            Action::Crash(client) => crash(s, client)?,
            Action::Restart(client) => go_on(s, client, Status::Crashed)?,
            Action::CoordinatorSaves => self.save(s)?,
            Action::CoordinatorFails => self.fail(s)?,
            Action::ResourceForgets => self.forget(s)?,
        }
        Some(Step {
            state: next,
            judged,
            mark_fell: next.resource.mark < state.resource.mark,
        })
    }

    // ---- the coordinator

    fn may_acquire(&self, s: &State, client: u8) -> bool {
        let me = s.clients.get(usize::from(client));
        let may = |me: &Client| me.status == Status::Running && me.acquired < self.bounds.grants;
        s.live.grant == 0 && client < self.bounds.clients && me.is_some_and(may)
    }

    /// Grants a free lease. (The live holder that asks again is not modelled.)
    fn acquire(&self, s: &mut State, client: u8) -> Option<()> {
        if !self.may_acquire(s, client) {
            return None;
        }
        let me = s.clients.get_mut(usize::from(client))?;
        s.grants += 1;
        s.live = Live {
            grant: s.grants,
            client,
        };
        me.acquired += 1;
        me.grant = s.grants;
        me.token = s.counter;
        me.read = Basis::Nothing;
        s.counter += 1;
        if self.policy.has(PolicyOption::Claim) {
            self.rule.claim(&mut s.resource, me.token, client);
        }
        Some(())
    }

    /// A client that is not paused notices an end that comes on time.
    fn end_lease(&self, s: &mut State) -> Option<()> {
        if s.live.grant == 0 {
            return None;
        }
        let holder = &mut s.clients[usize::from(s.live.client)];
        let notices = self.bounds.lease_ends == LeaseEnds::OnTime
            && holder.status == Status::Running
            && holder.grant == s.live.grant;
        if notices {
            holder.know_nothing();
        }
        s.live = Live::default();
        Some(())
    }

    /// One snapshot, at any moment before the failure.
    fn save(&self, s: &mut State) -> Option<()> {
        let may = s.coordinator_faults_left > 0
            && self.bounds.coordinator_fault.has_snapshot()
            && s.saved.is_none();
        s.saved = may.then_some((s.counter, s.live));
        may.then_some(())
    }

    fn fail(&self, s: &mut State) -> Option<()> {
        s.coordinator_faults_left = s.coordinator_faults_left.checked_sub(1)?;
        match self.bounds.coordinator_fault {
            CoordinatorFault::Restart => s.live = Live::default(),
            CoordinatorFault::LosesCounter => {
                s.live = Live::default();
                s.counter = 1;
            }
            CoordinatorFault::RollsBack => (s.counter, s.live) = s.saved.take()?,
            CoordinatorFault::RollsBackAndJumps => {
                (s.counter, s.live) = s.saved.take()?;
                s.counter += JUMP;
            }
        }
        Some(())
    }

    // ---- a client

    fn write(&self, s: &mut State, client: u8, how: How) -> Option<Option<Judged>> {
        let me = s.clients.get_mut(usize::from(client))?;
        if !me.can_act() || me.sent >= self.bounds.writes {
            return None;
        }
        let slot = client * MAX_WRITES as u8 + me.sent;
        s.slots[usize::from(slot)] = Slot {
            grant: me.grant,
            token: me.token,
            basis: me.read,
            number: me.sent,
            ..Slot::default()
        };
        me.read = Basis::Nothing;
        me.sent += 1;
        me.remembers = me.retries_left > 0;
        self.send(s, client, slot, how)
    }

    /// The same key again; based on no read.
    fn retry(&self, s: &mut State, client: u8, how: How) -> Option<Option<Judged>> {
        let me = s.clients.get_mut(usize::from(client))?;
        if !me.can_act() || !me.remembers {
            return None;
        }
        let slot = FIRST_RETRY as u8 + client;
        s.slots[usize::from(slot)] = Slot {
            grant: me.grant,
            token: me.token,
            number: me.sent - 1,
            ..Slot::default()
        };
        me.retries_left -= 1;
        me.remembers = me.retries_left > 0;
        self.send(s, client, slot, how)
    }

    fn send(&self, s: &mut State, client: u8, slot: u8, how: How) -> Option<Option<Judged>> {
        // A client that was paused at the end of its lease sends what it had in hand, and then
        // looks at the clock.
        let me = &mut s.clients[usize::from(client)];
        if self.bounds.lease_ends == LeaseEnds::OnTime && me.grant != s.live.grant {
            me.know_nothing();
        }
        match how {
            How::AtOnce => {
                let judged = self.rule.judge(s, slot, 1);
                self.tidy(s);
                return Some(Some(judged));
            }
            How::Late => {
                s.delays_left = s.delays_left.checked_sub(1)?;
                s.slots[usize::from(slot)].phase = Phase::Late;
            }
            How::Stalling => self.stall(s, slot)?,
        }
        Some(None)
    }

    // ---- the resource

    fn arrive(&self, s: &mut State, slot: u8) -> Option<Judged> {
        phase_is(s, slot, Phase::Late)?;
        let judged = self.rule.judge(s, slot, 1);
        self.tidy(s);
        Some(judged)
    }

    fn stall(&self, s: &mut State, slot: u8) -> Option<()> {
        s.stalls_left = s.stalls_left.checked_sub(1)?;
        let check = self.rule.check_on_arrival(s, slot);
        let write = &mut s.slots[usize::from(slot)];
        write.phase = Phase::Stalled;
        write.check = check;
        Some(())
    }

    fn arrive_again(&self, s: &mut State, slot: u8) -> Option<Judged> {
        let phase = s.slots.get(usize::from(slot))?.phase;
        if !matches!(phase, Phase::Applied | Phase::NotApplied) {
            return None;
        }
        s.duplicates_left = s.duplicates_left.checked_sub(1)?;
        let judged = self.rule.judge(s, slot, 2);
        if phase == Phase::Applied {
            s.slots[usize::from(slot)].phase = Phase::Applied;
        }
        self.tidy(s);
        Some(judged)
    }

    /// A judged write can no longer matter once no copy can come.
    fn tidy(&self, s: &mut State) {
        if s.duplicates_left > 0 {
            return;
        }
        for write in &mut s.slots {
            if matches!(write.phase, Phase::Applied | Phase::NotApplied) {
                *write = Slot::default();
            }
        }
    }

    fn forget(&self, s: &mut State) -> Option<()> {
        s.resource_crashes_left = s.resource_crashes_left.checked_sub(1)?;
        if !self.policy.has(PolicyOption::Durable) {
            s.resource = Held::default();
        }
        Some(())
    }
}

impl Client {
    fn can_act(&self) -> bool {
        self.status == Status::Running && self.grant != 0
    }

    /// How it may stop and go on.
    fn for_each_change(&self, client: u8, visit: &mut impl FnMut(Action)) {
        match self.status {
            Status::Running if self.pauses_left > 0 => visit(Action::Pause(client)),
            Status::Running => {}
            Status::Paused => visit(Action::Resume(client)),
            Status::Crashed => visit(Action::Restart(client)),
        }
        if self.crashes_left > 0 && self.status != Status::Crashed {
            visit(Action::Crash(client));
        }
    }

    fn know_nothing(&mut self) {
        self.grant = 0;
        self.token = 0;
        self.read = Basis::Nothing;
    }
}

/// Client and key of the write in `slot`.
pub(super) fn client_of(slot: usize) -> usize {
    match slot.checked_sub(FIRST_RETRY) {
        Some(client) => client,
        None => slot / MAX_WRITES,
    }
}

/// Whether the write in `slot` repeats an earlier one.
pub(super) fn is_retry(slot: usize) -> bool {
    slot >= FIRST_RETRY
}

fn phase_is(s: &State, slot: u8, phase: Phase) -> Option<()> {
    (s.slots.get(usize::from(slot))?.phase == phase).then_some(())
}

fn read(s: &mut State, client: u8) -> Option<()> {
    let me = s.clients.get_mut(usize::from(client))?;
    if !me.can_act() || me.read == Basis::Fresh {
        return None;
    }
    me.reads_left = me.reads_left.checked_sub(1)?;
    me.read = Basis::Fresh;
    Some(())
}

fn pause(s: &mut State, client: u8) -> Option<()> {
    let me = s.clients.get_mut(usize::from(client))?;
    if me.status != Status::Running {
        return None;
    }
    me.pauses_left = me.pauses_left.checked_sub(1)?;
    me.status = Status::Paused;
    Some(())
}

fn crash(s: &mut State, client: u8) -> Option<()> {
    let me = s.clients.get_mut(usize::from(client))?;
    if me.status == Status::Crashed {
        return None;
    }
    me.crashes_left = me.crashes_left.checked_sub(1)?;
    me.status = Status::Crashed;
    me.remembers = false;
    me.know_nothing();
    Some(())
}

/// A paused client resumes, a crashed one restarts.
fn go_on(s: &mut State, client: u8, from: Status) -> Option<()> {
    let me = s.clients.get_mut(usize::from(client))?;
    if me.status != from {
        return None;
    }
    me.status = Status::Running;
    Some(())
}
