//! A resource: what one place stores, and how it judges a write.
//!
//! [`compare`] is the whole rule, in the order of reasons of LANGUAGE.md; comparing and applying are
//! one atomic step for every base but `check-then-write` and `ask-holder`, which compare on arrival.

use super::scenario::*;
use super::trace::*;

/// One place: a resource, or one replica of it.
pub(super) struct Store {
    pub held: Held,
    pub saved: Option<Held>,
    /// Writes ever applied here; no restore takes one back.
    pub applied: u64,
}

/// All that a place holds.
#[derive(Clone)]
pub(super) struct Held {
    pub value: String,
    pub writer: Option<ClientId>,
    pub value_token: Option<Token>,
    pub mark: Token,
    pub owner: Option<ClientId>,
    pub pin: Option<Token>,
    /// The last accepted `seq` of each token; writes without a token share one.
    pub seqs: Vec<(Option<Token>, u64)>,
    pub keys: Vec<String>,
}

/// What the judge needs to know beyond the store and the write.
pub(super) struct Circumstances {
    pub client: ClientId,
    /// The token was issued to this client for this lease.
    pub issued: bool,
    pub holder: Option<ClientId>,
    pub clock_secs: i128,
}

impl Store {
    pub fn new(resource: &Resource) -> Self {
        Store {
            held: Held {
                value: resource.value.clone(),
                writer: None,
                value_token: None,
                mark: resource.mark,
                owner: None,
                pin: None,
                seqs: Vec::new(),
                keys: Vec::new(),
            },
            saved: None,
            applied: 0,
        }
    }

    /// Sets the mark and forgets who raised it, the pin and the last `seq`s.
    pub fn reset_mark(&mut self, mark: Token) {
        self.held.mark = mark;
        self.held.owner = None;
        self.held.pin = None;
        self.held.seqs.clear();
    }

    /// The effect of an accepted write.
    pub fn apply(&mut self, policy: &Policy, client: ClientId, write: &WriteContent) {
        let held = &mut self.held;
        let number = write.token.positive();
        held.value.clone_from(&write.value);
        held.writer = Some(client);
        held.value_token = number;
        if let Some(key) = &write.key {
            held.keys.push(key.clone());
        }
        if let Some(seq) = write.seq {
            held.note_seq(number, seq);
        }
        if let (Some(token), true) = (number, policy.base.looks_at_token()) {
            held.raise(token, client);
            held.pin.get_or_insert(token);
        }
        self.applied += 1;
    }

    /// The effect of an accepted claim.
    pub fn claim(&mut self, token: Token, client: ClientId) {
        self.held.raise(token, client);
        self.held.pin = Some(token);
    }
}

impl Held {
    /// mark := max(mark, token), and who raises it owns it.
    fn raise(&mut self, token: Token, client: ClientId) {
        if token > self.mark {
            self.mark = token;
            self.owner = Some(client);
        }
    }

    /// The last accepted `seq` within a token.
    fn last_seq(&self, token: Option<Token>) -> Option<u64> {
        let mut noted = self.seqs.iter().rev();
        noted.find(|(of, _)| *of == token).map(|(_, seq)| *seq)
    }

    fn note_seq(&mut self, token: Option<Token>, seq: u64) {
        match self.seqs.iter_mut().rev().find(|(of, _)| *of == token) {
            Some((_, last)) => *last = seq,
            None => self.seqs.push((token, seq)),
        }
    }

    /// Whether a claim would be accepted: a greater token, or the mark's from its owner.
    pub fn claimable(&self, token: Token, client: ClientId) -> bool {
        token > self.mark || token == self.mark && self.owner == Some(client)
    }

    /// Whether the key of the write is known from an accepted one.
    pub fn knows_key(&self, write: &WriteContent) -> bool {
        write
            .key
            .as_ref()
            .is_some_and(|key| self.keys.contains(key))
    }
}

impl CarriedToken {
    /// The number, if it is one that a fence can accept.
    pub fn positive(&self) -> Option<Token> {
        match self {
            CarriedToken::Number(token) if *token > 0 => Some(*token),
            _ => None,
        }
    }
}

/// Compares a write with what the place holds; the reason is the first that applies.
pub(super) fn compare(
    policy: &Policy,
    held: &Held,
    write: &WriteContent,
    about: &Circumstances,
) -> Comparison {
    let reason = token_reason(policy, held, write, about)
        .into_iter()
        .chain(other_reason(policy, held, write, about))
        .min();
    comparison(policy, held, write, about, reason)
}

/// The same for a claim: any base, a greater token or the mark's own from its owner.
pub(super) fn compare_claim(
    policy: &Policy,
    held: &Held,
    claim: &WriteContent,
    about: &Circumstances,
) -> Comparison {
    let reason = match claim.token.positive() {
        None if claim.token == CarriedToken::Missing => Some(Reason::Missing),
        None => Some(Reason::Malformed),
        Some(_) if policy.has(PolicyOption::Verified) && !about.issued => Some(Reason::Forged),
        Some(token) if token < held.mark => Some(Reason::Stale),
        Some(token) if !held.claimable(token, about.client) => Some(Reason::OtherOwner),
        Some(_) => None,
    };
    comparison(policy, held, claim, about, reason)
}

fn comparison(
    policy: &Policy,
    held: &Held,
    write: &WriteContent,
    about: &Circumstances,
    reason: Option<Reason>,
) -> Comparison {
    Comparison {
        policy: policy.clone(),
        token: write.token.clone(),
        mark: held.mark,
        pin: held.pin,
        owner: held.owner,
        holder: about.holder,
        clock_secs: about.clock_secs,
        reason,
    }
}

/// What is wrong with the token, if the policy looks at it.
fn token_reason(
    policy: &Policy,
    held: &Held,
    write: &WriteContent,
    about: &Circumstances,
) -> Option<Reason> {
    let fence = policy.base.looks_at_token();
    if !fence && !policy.has(PolicyOption::Verified) {
        return None;
    }
    let Some(token) = write.token.positive() else {
        return match write.token {
            CarriedToken::Missing if policy.has(PolicyOption::Optional) => None,
            CarriedToken::Missing => Some(Reason::Missing),
            _ => Some(Reason::Malformed),
        };
    };
    if policy.has(PolicyOption::Verified) && !about.issued {
        return Some(Reason::Forged);
    }
    if !fence {
        return None;
    }
    base_reason(policy.base, held, token).or_else(|| {
        let others = policy.has(PolicyOption::Owner)
            && token == held.mark
            && held.owner != Some(about.client);
        others.then_some(Reason::OtherOwner)
    })
}

fn base_reason(base: Base, held: &Held, token: Token) -> Option<Reason> {
    match base {
        Base::Equality => held
            .pin
            .is_some_and(|pin| pin != token)
            .then_some(Reason::OtherOwner),
        _ if token < held.mark => Some(Reason::Stale),
        Base::Strict if token == held.mark => Some(Reason::Equal),
        _ => None,
    }
}

/// What is wrong apart from the token.
fn other_reason(
    policy: &Policy,
    held: &Held,
    write: &WriteContent,
    about: &Circumstances,
) -> Option<Reason> {
    let by_base = match policy.base {
        Base::AskHolder => (about.holder != Some(about.client)).then_some(Reason::NotHolder),
        Base::Deadline => match write.deadline_secs {
            None => Some(Reason::Missing),
            Some(deadline) => (about.clock_secs > i128::from(deadline)).then_some(Reason::TooLate),
        },
        _ => None,
    };
    let by_seq = if policy.has(PolicyOption::Sequence) {
        seq_reason(policy, held, write)
    } else {
        None
    };
    by_base.into_iter().chain(by_seq).min()
}

fn seq_reason(policy: &Policy, held: &Held, write: &WriteContent) -> Option<Reason> {
    if policy.has(PolicyOption::Optional) && write.token == CarriedToken::Missing {
        return None;
    }
    let Some(seq) = write.seq else {
        return Some(Reason::Missing);
    };
    let last = held.last_seq(write.token.positive());
    last.is_some_and(|last| seq <= last)
        .then_some(Reason::OutOfOrder)
}
