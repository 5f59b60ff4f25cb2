//! The rule at the write, and what an observer says of it. It answers as `sim` does.

use super::bounds::{Bounds, LeaseEnds, Property};
use super::model::{Basis, Held, Phase, State, Step, client_of};
use fencing_core::sim::{Answer, Base, Policy, PolicyOption, Reason};

/// What the resource decided about one delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Which write.
    pub slot: u8,
    /// 1 for the first delivery, 2 for any copy.
    pub delivery: u8,
    /// [`Answer::Accepted`], [`Answer::Rejected`] or [`Answer::Duplicate`].
    pub answer: Answer,
    /// Why it was rejected.
    pub reason: Option<Reason>,
    /// Accepted after a write of a later grant.
    pub stale: bool,
    /// Accepted while a later grant exists whose writes were not accepted yet.
    pub unseen: bool,
    /// Accepted although its key or message had taken effect before.
    pub twice: bool,
    /// Accepted, computed from a read that another write has changed since.
    pub lost_update: bool,
    /// Rejected although its grant is the newest and live.
    pub holder_refused: bool,
}

impl Step {
    /// The first of `properties` that this step violates.
    pub fn violates(&self, properties: &[Property]) -> Option<Property> {
        let judged = self.judged.as_ref();
        let broken = |property: &&Property| match property {
            Property::NoStaleAccepted => judged.is_some_and(|j| j.stale),
            Property::HolderNeverRefused => judged.is_some_and(|j| j.holder_refused),
            Property::NoDoubleEffectPerKey => judged.is_some_and(|j| j.twice),
            Property::NoLostUpdate => judged.is_some_and(|j| j.lost_update),
            Property::MarkNeverFalls => self.mark_fell,
        };
        properties.iter().find(broken).copied()
    }
}

/// A policy, taken apart once; and what need not be remembered under it.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    base: Base,
    owner: bool,
    sequence: bool,
    cas: bool,
    dedupe_after: bool,
    dedupe_first: bool,
    tracks_keys: bool,
    on_time: bool,
}

impl Rule {
    pub fn new(policy: &Policy, bounds: &Bounds) -> Self {
        let has = |option| policy.has(option);
        let base = policy.base;
        Rule {
            base,
            owner: has(PolicyOption::Owner) && base.looks_at_token(),
            sequence: has(PolicyOption::Sequence),
            cas: has(PolicyOption::Cas),
            dedupe_after: has(PolicyOption::DedupeAfter),
            dedupe_first: has(PolicyOption::DedupeFirst),
            tracks_keys: bounds.keys_repeat(),
            on_time: bounds.lease_ends == LeaseEnds::OnTime,
        }
    }

    /// `+claim`, at the grant. (A token equal to the mark may be claimed again by its owner, but
    /// then it is pinned already, and nothing changes.)
    pub fn claim(&self, held: &mut Held, token: u8, client: u8) {
        if token > held.mark {
            self.raise(held, token, client);
            if self.base == Base::Equality {
                held.pin = token;
            }
        }
    }

    /// What a comparison on arrival says, for the rules that compare then.
    pub fn check_on_arrival(&self, s: &State, slot: u8) -> Option<Reason> {
        if self.base.compares_on_arrival() {
            self.compare(s, usize::from(slot))
        } else {
            None
        }
    }

    /// Decides about the write in `slot` and carries its effect out.
    pub fn judge(&self, s: &mut State, slot: u8, delivery: u8) -> Judged {
        let index = usize::from(slot);
        let write = s.slots[index];
        let checked = write.phase == Phase::Stalled && self.base.compares_on_arrival();
        let reason = if checked {
            write.check
        } else {
            self.compare(s, index)
        };
        let key_took_effect = self.key_took_effect(s, index);
        let (answer, reason) = self.decide(reason, write.raced, key_took_effect);
        let before = write.phase == Phase::Applied;
        let accepted = answer == Answer::Accepted;
        let judged = Judged {
            slot,
            delivery,
            answer,
            reason,
            stale: accepted && s.newest_accepted > write.grant,
            unseen: accepted && s.newest_accepted <= write.grant && s.grants > write.grant,
            twice: accepted && (before || key_took_effect),
            lost_update: accepted && write.basis == Basis::Changed,
            holder_refused: answer == Answer::Rejected
                && write.grant == s.grants
                && write.grant == s.live.grant
                && reason != Some(Reason::OutOfOrder)
                && !before,
        };
        let write = &mut s.slots[index];
        write.check = None;
        write.raced = false;
        write.phase = if accepted {
            Phase::Applied
        } else {
            Phase::NotApplied
        };
        if accepted {
            self.apply(s, index);
        }
        judged
    }

    /// The reason to reject, the first that applies; every write carries an issued token.
    fn compare(&self, s: &State, index: usize) -> Option<Reason> {
        let write = &s.slots[index];
        let client = client_of(index) as u8;
        let held = &s.resource;
        let token = write.token;
        let by_base = match self.base {
            Base::Unfenced => None,
            Base::Equality => (held.pin != 0 && held.pin != token).then_some(Reason::OtherOwner),
            Base::AskHolder => {
                let holds = s.live.grant != 0 && s.live.client == client;
                (!holds).then_some(Reason::NotHolder)
            }
            // A deadline is the end that the client believes in. It is past iff the lease has
            // ended on time; a lease that ends before its time leaves it in the future.
            Base::Deadline => {
                (self.on_time && write.grant != s.live.grant).then_some(Reason::TooLate)
            }
            _ if token < held.mark => Some(Reason::Stale),
            Base::Strict if token == held.mark => Some(Reason::Equal),
            _ => None,
        };
        let others = self.owner && token == held.mark && held.owner != client + 1;
        let unordered = self.sequence && write.number < last_seq(held, token);
        by_base
            .or(others.then_some(Reason::OtherOwner))
            .or(unordered.then_some(Reason::OutOfOrder))
    }

    fn decide(&self, reason: Option<Reason>, raced: bool, known: bool) -> (Answer, Option<Reason>) {
        if known && self.dedupe_first {
            return (Answer::Duplicate, None);
        }
        match reason.or(raced.then_some(Reason::Changed)) {
            Some(reason) => (Answer::Rejected, Some(reason)),
            None if known && self.dedupe_after => (Answer::Duplicate, None),
            None => (Answer::Accepted, None),
        }
    }

    /// The effect of an accepted write, on the resource and on what is known of it.
    fn apply(&self, s: &mut State, index: usize) {
        let write = s.slots[index];
        let client = client_of(index);
        s.newest_accepted = s.newest_accepted.max(write.grant);
        if self.tracks_keys {
            s.clients[client].effects |= 1 << write.number;
        }
        if self.base.looks_at_token() {
            self.raise(&mut s.resource, write.token, client as u8);
            if self.base == Base::Equality && s.resource.pin == 0 {
                s.resource.pin = write.token;
            }
        }
        if self.sequence {
            note_seq(&mut s.resource, write.token, write.number + 1);
        }
        for (other, slot) in s.slots.iter_mut().enumerate() {
            if other != index {
                slot.basis.change();
            }
            slot.raced |= self.cas && slot.phase == Phase::Stalled;
        }
        for client in &mut s.clients {
            client.read.change();
        }
    }

    fn raise(&self, held: &mut Held, token: u8, client: u8) {
        if token > held.mark {
            held.mark = token;
            if self.owner {
                held.owner = client + 1;
            }
        }
    }

    fn key_took_effect(&self, s: &State, index: usize) -> bool {
        let effects = s.clients[client_of(index)].effects;
        effects & (1 << s.slots[index].number) != 0
    }
}

impl Basis {
    fn change(&mut self) {
        if *self == Basis::Fresh {
            *self = Basis::Changed;
        }
    }
}

/// The last accepted `seq` within a token, 0 for none. (A write's `seq` is its number + 1.)
fn last_seq(held: &Held, token: u8) -> u8 {
    ((held.seqs >> (2 * token)) & 3) as u8
}

fn note_seq(held: &mut Held, token: u8, seq: u8) {
    let seq = seq.max(last_seq(held, token));
    held.seqs &= !(3 << (2 * token));
    held.seqs |= u32::from(seq) << (2 * token);
}
