//! A client: what it knows, what it believes, and what waits for it while it is paused.

use super::scenario::*;
use super::trace::*;

/// The state of one client.
pub(super) struct Client {
    pub status: Status,
    /// Counts crashes: an answer to a request of an earlier life is lost.
    pub life: u32,
    /// The grant it knows under each lease, from the last answer it got.
    pub known: Vec<Option<Known>>,
    /// What it believes of each lease.
    pub belief: Vec<Option<Belief>>,
    /// Answers that arrived while it was paused.
    pub inbox: Vec<MessageId>,
    /// Reads whose answer it has: their names, and the newest last.
    pub reads: Vec<(NameId, MessageId)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Running,
    Paused,
    Crashed,
}

#[derive(Clone, Copy)]
pub(super) struct Known {
    pub grant: GrantId,
    pub token: Token,
}

#[derive(Clone, Copy)]
pub(super) struct Belief {
    pub grant: GrantId,
    pub until_secs: Secs,
    /// It was paused when the end came: it believes on until it checks or hears an answer.
    pub missed: bool,
}

impl Client {
    pub fn new(leases: usize) -> Self {
        Client {
            status: Status::Running,
            life: 0,
            known: vec![None; leases],
            belief: vec![None; leases],
            inbox: Vec::new(),
            reads: Vec::new(),
        }
    }

    /// Whether it may do `action` now; the error completes "A ".
    pub fn may(&self, action: ClientAction) -> Result<(), &'static str> {
        use ClientAction::*;
        match (action, self.status) {
            (Pauses, Status::Paused) => Err("is paused already"),
            (Pauses, Status::Crashed) => Err("has crashed and cannot pause"),
            (Resumes, Status::Running) => Err("is not paused"),
            (Resumes, Status::Crashed) => Err("has crashed: it `restarts`"),
            (Crashes, Status::Crashed) => Err("has crashed already"),
            (Restarts, Status::Running) => Err("is running"),
            (Restarts, Status::Paused) => Err("is only paused: it `resumes`"),
            _ => Ok(()),
        }
    }

    /// Loses its memory; returns the answers that nobody will read. That it stands still is for the
    /// caller to note.
    pub fn crash(&mut self) -> Vec<MessageId> {
        let inbox = std::mem::take(&mut self.inbox);
        *self = Client {
            life: self.life + 1,
            ..Client::new(self.known.len())
        };
        inbox
    }

    /// The moment at which a belief of a client ends that is not yet marked as missed.
    pub fn next_belief_end(&self) -> Option<Secs> {
        self.belief
            .iter()
            .flatten()
            .filter(|belief| !belief.missed)
            .map(|belief| belief.until_secs)
            .min()
    }

    /// Ends the beliefs whose time has come: a running client drops them, a paused one does not
    /// notice. Returns the leases that it no longer believes to hold.
    pub fn pass_belief_ends(&mut self, now: Secs) -> Vec<LeaseId> {
        let running = self.status == Status::Running;
        let mut ended = Vec::new();
        for (lease, belief) in self.belief.iter_mut().enumerate() {
            let Some(due) = belief.as_mut().filter(|b| b.until_secs <= now && !b.missed) else {
                continue;
            };
            if running {
                *belief = None;
                ended.push(LeaseId(lease));
            } else {
                due.missed = true;
            }
        }
        ended
    }

    /// It looks at its clock (a check, or an answer heard): drops what is past.
    pub fn look_at_clock(&mut self, lease: LeaseId, now: Secs) -> bool {
        let past = self.belief[lease.0].is_some_and(|belief| belief.until_secs <= now);
        if past {
            self.belief[lease.0] = None;
        }
        past
    }
}
