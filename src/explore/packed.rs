//! A state in seven words, and the set of those that were seen.

use super::model::{Basis, Client, Live, Phase, Slot, State, Status};
use fencing_core::sim::Reason;
use std::hash::{Hash, Hasher};

/// A whole state: equal iff the states are equal.
pub(super) type Packed = [u64; 7];

const SLOTS_A_WORD: usize = 3;
const SLOT_BITS: u32 = 21;
const CLIENT_BITS: u32 = 26;

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for word in pack(self) {
            hasher.write_u64(word);
        }
    }
}

/// Writes fields of few bits one after the other.
struct Writer {
    word: u64,
    used: u32,
}

impl Writer {
    fn new() -> Self {
        Writer { word: 0, used: 0 }
    }

    #[inline(always)]
    fn put(&mut self, value: u64, bits: u32) {
        debug_assert!(value < 1 << bits, "{value} does not fit {bits} bits");
        self.word |= value << self.used;
        self.used += bits;
        debug_assert!(self.used <= 64);
    }
}

struct Reader(u64);

impl Reader {
    #[inline(always)]
    fn take(&mut self, bits: u32) -> u8 {
        let value = self.0 & ((1 << bits) - 1);
        self.0 >>= bits;
        value as u8
    }
}

pub(super) fn pack(s: &State) -> Packed {
    let mut words = [0; 7];
    for (word, slots) in words.iter_mut().zip(s.slots.chunks(SLOTS_A_WORD)) {
        for (index, slot) in (0u32..).zip(slots) {
            *word |= pack_slot(slot) << (index * SLOT_BITS);
        }
    }
    let [a, b, c] = s.clients.each_ref().map(pack_client);
    words[4] = a | b << CLIENT_BITS;
    words[5] = c | u64::from(s.resource.seqs) << CLIENT_BITS;
    words[6] = pack_rest(s);
    words
}

pub(super) fn unpack(words: &Packed) -> State {
    let mut s = State::default();
    for (word, slots) in words.iter().zip(s.slots.chunks_mut(SLOTS_A_WORD)) {
        for (index, slot) in (0u32..).zip(slots) {
            *slot = unpack_slot(word >> (index * SLOT_BITS));
        }
    }
    s.clients = [words[4], words[4] >> CLIENT_BITS, words[5]].map(unpack_client);
    unpack_rest(&mut s, words[6]);
    s.resource.seqs = (words[5] >> CLIENT_BITS) as u32;
    s
}

#[inline(always)]
fn pack_slot(slot: &Slot) -> u64 {
    if slot.phase == Phase::None {
        return 0;
    }
    let mut to = Writer::new();
    to.put(slot.phase as u64, 3);
    to.put(u64::from(slot.grant), 3);
    to.put(u64::from(slot.token), 4);
    to.put(slot.basis as u64, 2);
    to.put(u64::from(slot.number), 2);
    to.put(slot.check.map_or(0, |reason| reason as u64 + 1), 4);
    to.put(u64::from(slot.raced), 1);
    to.word
}

#[inline(always)]
fn unpack_slot(word: u64) -> Slot {
    let mut from = Reader(word);
    let phase = match from.take(3) {
        1 => Phase::Late,
        2 => Phase::Stalled,
        3 => Phase::Applied,
        4 => Phase::NotApplied,
        _ => return Slot::default(),
    };
    Slot {
        phase,
        grant: from.take(3),
        token: from.take(4),
        basis: basis(from.take(2)),
        number: from.take(2),
        check: reason(from.take(4)),
        raced: from.take(1) != 0,
    }
}

fn basis(number: u8) -> Basis {
    match number {
        1 => Basis::Fresh,
        2 => Basis::Changed,
        _ => Basis::Nothing,
    }
}

fn reason(number: u8) -> Option<Reason> {
    Reason::ALL
        .get(usize::from(number.checked_sub(1)?))
        .copied()
}

#[inline(always)]
fn pack_client(client: &Client) -> u64 {
    let mut to = Writer::new();
    to.put(client.status as u64, 2);
    to.put(u64::from(client.grant), 3);
    to.put(u64::from(client.token), 4);
    to.put(client.read as u64, 2);
    to.put(u64::from(client.acquired), 2);
    to.put(u64::from(client.sent), 2);
    to.put(u64::from(client.reads_left), 2);
    to.put(u64::from(client.pauses_left), 2);
    to.put(u64::from(client.crashes_left), 1);
    to.put(u64::from(client.retries_left), 1);
    to.put(u64::from(client.remembers), 1);
    to.put(u64::from(client.effects), 3);
    to.word
}

#[inline(always)]
fn unpack_client(word: u64) -> Client {
    let mut from = Reader(word);
    Client {
        status: match from.take(2) {
            1 => Status::Paused,
            2 => Status::Crashed,
            _ => Status::Running,
        },
        grant: from.take(3),
        token: from.take(4),
        read: basis(from.take(2)),
        acquired: from.take(2),
        sent: from.take(2),
        reads_left: from.take(2),
        pauses_left: from.take(2),
        crashes_left: from.take(1),
        retries_left: from.take(1),
        remembers: from.take(1) != 0,
        effects: from.take(3),
    }
}

fn pack_rest(s: &State) -> u64 {
    let mut to = Writer::new();
    to.put(u64::from(s.resource.mark), 4);
    to.put(u64::from(s.resource.owner), 2);
    to.put(u64::from(s.resource.pin), 4);
    to.put(u64::from(s.newest_accepted), 3);
    to.put(u64::from(s.grants), 3);
    to.put(u64::from(s.live.grant), 3);
    to.put(u64::from(s.live.client), 2);
    to.put(u64::from(s.counter), 4);
    let (counter, live) = s.saved.unwrap_or_default();
    to.put(u64::from(s.saved.is_some()), 1);
    to.put(u64::from(counter), 4);
    to.put(u64::from(live.grant), 3);
    to.put(u64::from(live.client), 2);
    to.put(u64::from(s.delays_left), 2);
    to.put(u64::from(s.stalls_left), 2);
    to.put(u64::from(s.duplicates_left), 2);
    to.put(u64::from(s.coordinator_faults_left), 1);
    to.put(u64::from(s.resource_crashes_left), 2);
    to.word
}

fn unpack_rest(s: &mut State, word: u64) {
    let mut from = Reader(word);
    s.resource.mark = from.take(4);
    s.resource.owner = from.take(2);
    s.resource.pin = from.take(4);
    s.newest_accepted = from.take(3);
    s.grants = from.take(3);
    s.live.grant = from.take(3);
    s.live.client = from.take(2);
    s.counter = from.take(4);
    let saved = from.take(1) != 0;
    let counter = from.take(4);
    let live = Live {
        grant: from.take(3),
        client: from.take(2),
    };
    s.saved = saved.then_some((counter, live));
    s.delays_left = from.take(2);
    s.stalls_left = from.take(2);
    s.duplicates_left = from.take(2);
    s.coordinator_faults_left = from.take(1);
    s.resource_crashes_left = from.take(2);
}

/// The distinct states in the order in which they were found, with an open-addressed index.
///
/// An entry of the index is 0, or the upper half of the hash and the position + 1: most misses are
/// told without looking at a state. At most half of the entries are in use.
pub(super) struct Seen {
    states: Vec<Packed>,
    index: Vec<u64>,
}

const FIRST_CAPACITY: usize = 1 << 12;

impl Seen {
    pub fn new() -> Self {
        Seen {
            states: Vec::new(),
            index: vec![0; FIRST_CAPACITY],
        }
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn get(&self, position: usize) -> &Packed {
        &self.states[position]
    }

    /// Adds a state; `false` if it was there.
    pub fn insert(&mut self, state: Packed) -> bool {
        if 2 * self.states.len() >= self.index.len() {
            self.grow();
        }
        let hash = hash_of(&state);
        let mask = self.index.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let entry = self.index[at];
            if entry == 0 {
                self.states.push(state);
                self.index[at] = entry_of(hash, self.states.len());
                return true;
            }
            let same_hash = entry >> 32 == hash >> 32;
            if same_hash && self.states[(entry as u32 - 1) as usize] == state {
                return false;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mask = 2 * self.index.len() - 1;
        let mut index = vec![0; mask + 1];
        for (position, state) in self.states.iter().enumerate() {
            let hash = hash_of(state);
            let mut at = hash as usize & mask;
            while index[at] != 0 {
                at = (at + 1) & mask;
            }
            index[at] = entry_of(hash, position + 1);
        }
        self.index = index;
    }
}

fn entry_of(hash: u64, number: usize) -> u64 {
    (hash >> 32 << 32) | number as u64
}

/// Multiply and fold, word by word.
fn hash_of(state: &Packed) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = 0u64;
    for word in state {
        hash = (hash.rotate_left(29) ^ word).wrapping_mul(ODD);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(ODD);
    hash ^ hash >> 29
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, CoordinatorFault, LeaseEnds, Model};
    use fencing_core::script::parse_policy;

    /// Every state that a few steps lead to comes back from its words as it was.
    #[test]
    fn packing_loses_nothing() {
        let bounds = Bounds {
            clients: 3,
            grants: 2,
            writes: 3,
            reads: 2,
            pauses: 2,
            client_crashes: 1,
            lease_ends: LeaseEnds::AnyMoment,
            delays: 3,
            stalls: 3,
            duplicates: 3,
            retries: 1,
            coordinator_faults: 1,
            coordinator_fault: CoordinatorFault::RollsBackAndJumps,
            resource_crashes: 2,
        };
        for policy in [
            "check-then-write+cas+sequence+owner",
            "equality+claim",
            "strict",
        ] {
            let model = Model::new(bounds, parse_policy(policy).unwrap()).unwrap();
            let mut dice = 1usize;
            for _ in 0..500 {
                let mut state = model.initial();
                for _ in 0..60 {
                    assert_eq!(unpack(&pack(&state)), state);
                    let actions = model.actions(&state);
                    if actions.is_empty() {
                        break;
                    }
                    dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % (1 << 31);
                    let action = actions[(dice >> 8) % actions.len()];
                    state = model.step(&state, action).unwrap().state;
                }
            }
        }
    }
}
