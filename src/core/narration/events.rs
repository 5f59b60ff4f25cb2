//! One clause for each event that deserves one.

use super::words::{self, Words};
use super::{Clause, Subject, View, verdicts};
use crate::sim::*;

/// What `event` adds to the text of its instant.
pub(super) fn clause(view: &View, index: usize) -> Option<Clause> {
    let event = view.trace.events.get(index)?;
    match &event.kind {
        EventKind::Note(text) => Some(Clause::other(Words::new(text))),
        EventKind::Sent(id) => sent(view, view.message(*id)?, *id),
        EventKind::Arrived(id) => arrived(view, view.message(*id)?, *id, index),
        EventKind::Lost(id) => Some(lost(view, view.message(*id)?)),
        EventKind::Heard(id) => heard(view, view.message(*id)?, index),
        EventKind::Client(client, action) => Some(client_does(view, *client, *action, index)),
        EventKind::Checked {
            client,
            lease,
            valid,
        } => Some(checked(view, *client, *lease, *valid, index)),
        EventKind::BeliefEnded { client, lease } => belief_ended(view, *client, *lease, index),
        EventKind::Stalled { .. } | EventKind::Judged(_) => verdicts::clause(view, index),
        EventKind::ClaimedAtGrant {
            place,
            grant,
            token,
            installed,
        } => claimed_at_grant(view, *place, *grant, *token, *installed, index),
        EventKind::ReadServed(id) => read_served(view, view.message(*id)?),
        EventKind::Called(id) => called(view, view.message(*id)?),
        EventKind::MarkForgotten { .. }
        | EventKind::RestartedAtMark { .. }
        | EventKind::ResourceSaved(_)
        | EventKind::ResourceRestored(_)
        | EventKind::Became(..) => Some(Clause::other(resource_does(view, &event.kind, index))),
        kind => coordinator_does(view, kind, index),
    }
}

fn sent(view: &View, message: &Message, id: MessageId) -> Option<Clause> {
    if message.copy_of.is_some() || message.from == Node::Coordinator && message.answers.is_none() {
        return None;
    }
    if let Content::Answer(answer) = message.content {
        return answer_sent(view, message, answer);
    }
    let clause = Clause::of_client(message.client, request_words(view, message, id));
    let held = view
        .request(message)
        .is_some_and(|r| r.travel == Travel::Held);
    Some(if held {
        clause.then("The network holds it for now")
    } else {
        clause
    })
}

/// An answer sets out: only the verdict of a quorum, and being held, deserve words.
fn answer_sent(view: &View, message: &Message, answer: AnswerContent) -> Option<Clause> {
    let held = view
        .request(message)
        .is_some_and(|r| r.reply == Travel::Held);
    let quorum = match answer {
        AnswerContent::Verdict(verdict @ (Answer::Committed | Answer::NotCommitted)) => {
            verdicts::quorum(view, message.answers?, verdict == Answer::Committed)
        }
        _ => None,
    };
    let waits =
        || Words::new("the network holds the answer to ").client(view.scenario, message.client);
    match (quorum, held) {
        (Some(words), true) => Some(Clause::other(words).then("The network holds the answer")),
        (Some(words), false) => Some(Clause::other(words)),
        (None, true) => Some(Clause::other(waits())),
        (None, false) => None,
    }
}

/// What a client does when it sends a request.
fn request_words(view: &View, message: &Message, id: MessageId) -> Words {
    let scenario = view.scenario;
    match &message.content {
        Content::Acquire(lease) => {
            let whom = if first_acquire(view, id) {
                "asks the coordinator for "
            } else {
                "asks for "
            };
            Words::new(whom).the_lease(scenario, *lease)
        }
        Content::Renew(lease, grant) => {
            let words = Words::new("asks for more time on ").the_lease(scenario, *lease);
            match grant {
                Some(_) => words,
                None => words.say(", but knows of no grant of its own"),
            }
        }
        Content::Release(lease, _) => Words::new("gives ")
            .the_lease(scenario, *lease)
            .say(" back"),
        Content::Read(resource) => Words::new("asks ")
            .resource(scenario, *resource)
            .say(" for its value"),
        Content::Call(external, what) => Words::new("calls ")
            .external(scenario, *external)
            .say(": ")
            .quote(what),
        Content::Write(write) => {
            let name = words::effect_name(scenario, message);
            write_words(view, message, write, Words::new("sends ").say(&name))
        }
        Content::Claim(claim) => {
            let what = words::resource(scenario, claim.resource);
            token_words(Words::new("claims ").say(&what), claim)
        }
        Content::Answer(_) => Words::new(""),
    }
}

fn first_acquire(view: &View, id: MessageId) -> bool {
    let acquires = |message: &Message| matches!(message.content, Content::Acquire(_));
    view.trace.messages.iter().position(acquires) == Some(id.0)
}

/// Where a write goes and what it carries.
fn write_words(view: &View, message: &Message, write: &WriteContent, words: Words) -> Words {
    let scenario = view.scenario;
    let words = if scenario.resources.len() > 1 {
        let to = words::resource(scenario, write.resource);
        words.say(" to ").say(&to)
    } else {
        words
    };
    let mut words = token_words(words, write);
    if let Some(seq) = write.seq {
        words = words.say(", seq ").number(seq);
    }
    if let Some(key) = &write.key {
        words = words.say(", key ").quote(key);
    }
    if let Some(deadline) = write.deadline_secs {
        words = words.say(", deadline ").secs(deadline);
    }
    if write.based_on.is_some() {
        words = words.say(", computed from what it read");
    }
    let all = scenario
        .resources
        .get(write.resource.0)
        .map_or(0, |r| r.replicas.len());
    if !message.places.is_empty() && message.places.len() < all {
        let place = |replica: &ReplicaId| Place {
            resource: write.resource,
            replica: *replica,
        };
        let name = |replica| words::replica(scenario, place(replica));
        let names: Vec<&str> = message.places.iter().filter_map(name).collect();
        words = words.say(", which reaches only ").list(&names);
    }
    words
}

fn token_words(words: Words, write: &WriteContent) -> Words {
    match &write.token {
        CarriedToken::Missing => words.say(" without a token"),
        CarriedToken::Number(token) if write.forged => {
            words.say(" with a forged token ").number(*token)
        }
        CarriedToken::Number(token) => words.say(" with token ").number(*token),
        CarriedToken::Text(text) => words
            .say(" with the text ")
            .quote(text)
            .say(" as its token"),
    }
}

/// Only an answer that nobody takes out of the inbox now needs a sentence.
fn arrived(view: &View, message: &Message, id: MessageId, index: usize) -> Option<Clause> {
    let Node::Client(client) = message.to else {
        return None;
    };
    let heard = |event: &Event| matches!(event.kind, EventKind::Heard(heard) if heard == id);
    if view.same_moment(index).iter().any(heard) {
        return None;
    }
    let stop = view.stopped(client, index)?;
    let name = view.client(client);
    let words = Words::new("an answer reaches ").say(name);
    Some(Clause::other(if stop.crashed {
        words.say(", which has crashed: nobody reads it")
    } else {
        words.say(", which is paused: it waits unread")
    }))
}

fn lost(view: &View, message: &Message) -> Clause {
    let words = match message.content {
        Content::Answer(_) => Words::new("the answer to ").client(view.scenario, message.client),
        Content::Write(_) | Content::Claim(_) => Words::new("").effect(view.scenario, message),
        _ => Words::new("")
            .client(view.scenario, message.client)
            .say("’s request"),
    };
    Clause::other(words.say(" is lost"))
}

/// A client takes an answer out of its inbox.
fn heard(view: &View, message: &Message, index: usize) -> Option<Clause> {
    let Content::Answer(answer) = message.content else {
        return None;
    };
    let request = view.message(message.answers?)?;
    let words = match answer {
        AnswerContent::Granted(grant, token) => return heard_grant(view, grant, token, index),
        AnswerContent::Refused => refusal_heard(view, request),
        AnswerContent::Renewed(grant) => return heard_renewal(view, grant, index),
        AnswerContent::Released => Words::new("learns that ")
            .the_lease(view.scenario, lease_of_request(request)?)
            .say(" is released"),
        AnswerContent::Verdict(verdict) => verdicts::heard(view, request, verdict),
        AnswerContent::Version(_) => Words::new("learns what ")
            .resource(view.scenario, resource_of_request(request)?)
            .say(" holds"),
        AnswerContent::Called => called_heard(view, request),
    };
    Some(Clause::of_client(message.client, words))
}

fn lease_of_request(request: &Message) -> Option<LeaseId> {
    match request.content {
        Content::Acquire(lease) | Content::Renew(lease, _) | Content::Release(lease, _) => {
            Some(lease)
        }
        _ => None,
    }
}

fn resource_of_request(request: &Message) -> Option<ResourceId> {
    match request.content {
        Content::Read(resource) => Some(resource),
        _ => None,
    }
}

fn refusal_heard(view: &View, request: &Message) -> Words {
    let lease = |lease| words::the_lease(view.scenario, lease);
    match request.content {
        Content::Acquire(id) => Words::new("learns that it does not get ").say(&lease(id)),
        Content::Renew(id, _) => Words::new("learns that ")
            .say(&lease(id))
            .say(" is not renewed"),
        _ => Words::new("learns that it had nothing to release"),
    }
}

fn called_heard(view: &View, request: &Message) -> Words {
    match request.content {
        Content::Call(external, _) => Words::new("learns that ")
            .external(view.scenario, external)
            .say(" took its call"),
        _ => Words::new("learns that it is done"),
    }
}

/// Whether the coordinator agrees, just after `index`, that the grant is live.
fn live(view: &View, grant: GrantId, index: usize) -> bool {
    let Some(lease) = view.grant(grant).map(|g| g.lease) else {
        return false;
    };
    view.held(lease, index)
        .is_some_and(|span| span.grant == grant)
}

fn heard_grant(view: &View, grant: GrantId, token: Token, index: usize) -> Option<Clause> {
    let granted = view.grant(grant)?;
    let client = granted.client;
    let what = words::the_lease(view.scenario, granted.lease);
    let believes = view
        .belief(client, granted.lease, index)
        .is_some_and(|belief| belief.grant == grant);
    if !believes {
        let words = Words::new("learns that it was granted ")
            .say(&what)
            .say(" under token ");
        let clause = Clause::of_client(client, words.number(token));
        return Some(clause.then("By its own clock that time is over already"));
    }
    let clause = Clause::of_client(client, Words::new("learns that it holds ").say(&what));
    Some(if live(view, grant, index) {
        clause
    } else {
        clause.then("At the coordinator that is over already")
    })
}

fn heard_renewal(view: &View, grant: GrantId, index: usize) -> Option<Clause> {
    let granted = view.grant(grant)?;
    let words = Words::new("learns that ")
        .the_lease(view.scenario, granted.lease)
        .say(" is renewed");
    let clause = Clause::of_client(granted.client, words);
    let believes = view
        .belief(granted.client, granted.lease, index)
        .is_some_and(|belief| belief.grant == grant);
    Some(match (believes, live(view, grant, index)) {
        (false, _) => clause.then("By its own clock the new time is over already"),
        (true, false) => clause.then("At the coordinator that is over already"),
        (true, true) => clause,
    })
}

fn client_does(view: &View, client: ClientId, action: ClientAction, index: usize) -> Clause {
    match action {
        ClientAction::Pauses => Clause::of_client(client, Words::new("pauses")),
        ClientAction::Resumes => Clause::of_client(client, Words::new("resumes where it stopped")),
        ClientAction::Restarts => {
            Clause::of_client(client, Words::new("starts again without its memory"))
        }
        ClientAction::Crashes => {
            let clause = Clause::of_client(client, Words::new("crashes"));
            let clause = clause.then("Its memory is gone");
            if in_flight(view, client, index) {
                clause.then("What it has sent is still on its way")
            } else {
                clause
            }
        }
    }
}

/// Whether a request of the client is under way just after `index`.
fn in_flight(view: &View, client: ClientId, index: usize) -> bool {
    let now = view
        .trace
        .events
        .get(index)
        .map_or(0, |event| event.at_secs);
    view.trace.messages.iter().any(|message| {
        message.from == Node::Client(client)
            && message.sent_secs <= now
            && !message.lost
            && message.arrived_secs.is_none_or(|arrived| arrived > now)
    })
}

fn checked(view: &View, client: ClientId, lease: LeaseId, valid: bool, index: usize) -> Clause {
    let suffix = words::lease_suffix(view.scenario, lease);
    let words = Words::new("checks its clock: its lease").say(&suffix);
    if !valid && view.knew(client, lease, index) {
        return Clause::of_client(client, words.say(" has lapsed"));
    }
    if !valid {
        let what = words::the_lease(view.scenario, lease);
        let words = Words::new("checks, and does not know of holding ").say(&what);
        return Clause::of_client(client, words);
    }
    let clause = Clause::of_client(client, words.say(" is valid, as far as it knows"));
    let holds = view
        .belief(client, lease, index)
        .is_some_and(|belief| live(view, belief.grant, index));
    if holds {
        clause
    } else {
        clause.then("At the coordinator that lease is over")
    }
}

/// A belief that ends with what the client does or hears at that instant needs no words.
fn belief_ended(view: &View, client: ClientId, lease: LeaseId, index: usize) -> Option<Clause> {
    let explains = |event: &Event| match &event.kind {
        EventKind::Checked { client: who, .. } => *who == client,
        EventKind::Client(who, ClientAction::Crashes) => *who == client,
        EventKind::Sent(id) | EventKind::Heard(id) => view
            .message(*id)
            .is_some_and(|message| ends_belief(message, client)),
        _ => false,
    };
    if view.same_moment(index).iter().any(explains) {
        return None;
    }
    let words = Words::new("stops believing that it holds ")
        .the_lease(view.scenario, lease)
        .say(": by its own clock the time is over");
    Some(Clause::of_client(client, words))
}

fn ends_belief(message: &Message, client: ClientId) -> bool {
    message.client == client
        && matches!(
            message.content,
            Content::Release(..) | Content::Answer(AnswerContent::Refused)
        )
}

fn read_served(view: &View, message: &Message) -> Option<Clause> {
    let Content::Read(resource) = message.content else {
        return None;
    };
    let words = Words::new("")
        .resource(view.scenario, resource)
        .say(" tells ")
        .client(view.scenario, message.client)
        .say(" its value");
    Some(Clause::other(words))
}

fn called(view: &View, message: &Message) -> Option<Clause> {
    let Content::Call(external, what) = &message.content else {
        return None;
    };
    let again = if message.copy_of.is_some() {
        " again"
    } else {
        ""
    };
    let words = Words::new("at ")
        .external(view.scenario, *external)
        .say(", ")
        .quote(what)
        .say(" takes effect")
        .say(again)
        .say(" for ")
        .client(view.scenario, message.client);
    Some(Clause::other(words).then("No token is compared there"))
}

fn resource_does(view: &View, kind: &EventKind, index: usize) -> Words {
    let name = |resource: &ResourceId| Words::new("").resource(view.scenario, *resource);
    match kind {
        EventKind::MarkForgotten { resource, kept } => {
            if *kept {
                name(resource).say(" forgets nothing: its mark is durable")
            } else {
                name(resource).say(" forgets its mark")
            }
        }
        EventKind::RestartedAtMark {
            resource,
            mark,
            kept,
        } => {
            if *kept {
                name(resource).say(" restarts, and its durable mark stays")
            } else {
                name(resource)
                    .say(" restarts with the mark at ")
                    .number(*mark)
            }
        }
        EventKind::ResourceSaved(resource) => name(resource).say(" saves all that it holds"),
        EventKind::ResourceRestored(resource) => {
            let words = name(resource).say(" goes back to what it saved");
            let place = Place {
                resource: *resource,
                replica: ReplicaId(0),
            };
            let one = view
                .scenario
                .resources
                .get(resource.0)
                .is_some_and(|r| r.places() == 1);
            match view.store(place, Some(index)) {
                Some(store) if one => words.say(": the mark is ").number(store.mark).say(" again"),
                _ => words,
            }
        }
        EventKind::Became(resource, policy) => {
            let words = name(resource).say(" judges by ");
            words.say(&policy.name()).say(" from now on")
        }
        _ => Words::new(""),
    }
}

fn coordinator_does(view: &View, kind: &EventKind, index: usize) -> Option<Clause> {
    match kind {
        EventKind::Granted {
            grant,
            token,
            until_secs,
            how,
        } => granted(view, *grant, *token, *until_secs, *how, index),
        EventKind::AcquireRefused { client, lease, why } => {
            Some(acquire_refused(view, *client, *lease, *why, index))
        }
        EventKind::Renewed {
            grant,
            until_secs,
            late,
        } => renewed(view, *grant, *until_secs, *late, index),
        EventKind::RenewalRefused { client, lease } => {
            let words = Words::new("the coordinator gives ").client(view.scenario, *client);
            let words = words.say(" no more time");
            Some(no_live_grant(words.say(&words::at_lease(
                view.scenario,
                " on",
                *lease,
            ))))
        }
        EventKind::ReleaseRefused { client, lease } => {
            let words = Words::new("the coordinator takes nothing back from ");
            let words = words.client(view.scenario, *client);
            Some(no_live_grant(words.say(&words::at_lease(
                view.scenario,
                " for",
                *lease,
            ))))
        }
        EventKind::LeaseEnded { grant, how } => ended(view, *grant, *how, index),
        EventKind::NothingToEnd { client, lease } => {
            let words = Words::new("nothing ends: ").client(view.scenario, *client);
            let what = words::the_lease(view.scenario, *lease);
            Some(Clause::other(words.say(" does not hold ").say(&what)))
        }
        EventKind::CoordinatorSaved => Some(Clause::other(Words::new(
            "the coordinator saves its leases and counters",
        ))),
        EventKind::CoordinatorRestored { jump } => Some(restored(view, *jump, index)),
        EventKind::CoordinatorRestarted { token } => Some(restarted(*token)),
        _ => None,
    }
}

/// Why a renewal or release was refused.
fn no_live_grant(words: Words) -> Clause {
    Clause::other(words.say(": the request names no live grant"))
}

fn granted(
    view: &View,
    grant: GrantId,
    token: Token,
    until_secs: Secs,
    how: GrantKind,
    index: usize,
) -> Option<Clause> {
    let granted = view.grant(grant)?;
    let name = view.client(granted.client);
    let coordinator = Words::new("the coordinator ");
    let words = match how {
        GrantKind::Fresh | GrantKind::Forced => coordinator
            .say("grants ")
            .say(name)
            .say(" ")
            .the_lease(view.scenario, granted.lease),
        GrantKind::Reentry | GrantKind::Minted => coordinator
            .say("extends ")
            .the_lease(view.scenario, granted.lease)
            .say(" of ")
            .say(name)
            .say(", its holder,"),
    };
    let words = words.say(" until ").secs(until_secs);
    let words = match how {
        GrantKind::Fresh | GrantKind::Forced => words.say(", with token ").number(token),
        GrantKind::Reentry => words,
        GrantKind::Minted => words.say(", and gives it a further token, ").number(token),
    };
    let clause = Clause::other(words);
    let clause = match how {
        GrantKind::Forced => clause.then("That is against its own rules"),
        GrantKind::Reentry => clause.add(Words::new("Token ").number(token).say(" stays")),
        _ => clause,
    };
    let clause = match issued_before(view, grant, token) {
        Some(other) if how != GrantKind::Reentry => {
            let words = Words::new("It issued ").number(token).say(" before, to ");
            clause.add(words.client(view.scenario, other))
        }
        _ => clause,
    };
    Some(match how {
        GrantKind::Forced => believes_forced(view, granted, index, clause),
        _ => clause,
    })
}

/// Who got the same number under the same lease by an earlier grant.
fn issued_before(view: &View, grant: GrantId, token: Token) -> Option<ClientId> {
    let lease = view.grant(grant)?.lease;
    let earlier = view.trace.grants.get(..grant.0)?;
    let same = |other: &&Grant| other.lease == lease && other.tokens.contains(&token);
    earlier.iter().rev().find(same).map(|other| other.client)
}

fn believes_forced(view: &View, granted: &Grant, index: usize, clause: Clause) -> Clause {
    // The client knows at once, after the claims that may go with the grant.
    let claims = view.trace.events.iter().skip(index + 1);
    let claims = claims.take_while(|e| matches!(e.kind, EventKind::ClaimedAtGrant { .. }));
    let last = index + claims.count();
    match view.belief(granted.client, granted.lease, last) {
        Some(belief) if belief.from_secs == granted.at_secs => {
            let words = Words::new("")
                .client(view.scenario, granted.client)
                .say(" believes that it holds ");
            let words = words.the_lease(view.scenario, granted.lease);
            clause.add(words.say(" until ").secs(view.believed_until(belief, last)))
        }
        _ => clause,
    }
}

/// The coordinator claims a resource in the name of the new holder.
fn claimed_at_grant(
    view: &View,
    place: Place,
    grant: GrantId,
    token: Token,
    installed: bool,
    index: usize,
) -> Option<Clause> {
    let name = view.client(view.grant(grant)?.client);
    let mark = view.store(place, Some(index))?.mark;
    let verb = if installed { "takes " } else { "refuses " };
    let words = Words::new(verb)
        .say("the coordinator’s claim for ")
        .say(name)
        .say(": ");
    let words = if installed {
        words.say("the mark is now ").number(mark)
    } else {
        words
            .number(token)
            .say(" is not above the mark, ")
            .number(mark)
    };
    Some(at_place(view, place, words))
}

fn acquire_refused(
    view: &View,
    client: ClientId,
    lease: LeaseId,
    why: Refusal,
    index: usize,
) -> Clause {
    let words = Words::new("the coordinator refuses ")
        .client(view.scenario, client)
        .say(": ");
    let what = words::the_lease(view.scenario, lease);
    let now = view
        .trace
        .events
        .get(index)
        .map_or(0, |event| event.at_secs);
    Clause::other(match why {
        Refusal::Held(grant) => {
            let holder = view.grant(grant).map_or("?", |g| view.client(g.client));
            let words = words.say(holder).say(" holds ").say(&what);
            match view.held(lease, index) {
                Some(span) => words.say(" until ").secs(view.end_as_of(span, now)),
                None => words,
            }
        }
        Refusal::Reentry(_) => words.say("it holds ").say(&what).say(" already"),
        Refusal::LockDelay(MAX_NUMBER) => words.say("no number is left to issue"),
        Refusal::LockDelay(until) => words
            .say("after the expiry of ")
            .say(&what)
            .say(", nobody gets it before ")
            .secs(until),
    })
}

fn renewed(
    view: &View,
    grant: GrantId,
    until_secs: Secs,
    late: bool,
    index: usize,
) -> Option<Clause> {
    let granted = view.grant(grant)?;
    let words = Words::new("the coordinator renews ").lease_of(view.scenario, granted);
    let words = words.say(", now good until ").secs(until_secs);
    let words = if late {
        words.say(", although it had lapsed: nobody came between")
    } else {
        words
    };
    let clause = Clause::other(words);
    let token = view.token_at(granted, Some(index))?;
    Some(clause.add(Words::new("Token ").number(token).say(" stays")))
}

fn ended(view: &View, grant: GrantId, how: LeaseEnd, index: usize) -> Option<Clause> {
    let granted = view.grant(grant)?;
    let restored = view
        .held(granted.lease, index)
        .is_some_and(|span| span.grant == grant);
    if restored {
        // The snapshot has it too: the restore has said that it is back.
        return None;
    }
    let lease = words::lease_of(view.scenario, granted);
    let coordinator = Words::new("the coordinator ");
    let words = match how {
        LeaseEnd::Expired => Words::new(&lease).say(" expires"),
        LeaseEnd::ExpiredEarly => coordinator
            .say("lets ")
            .say(&lease)
            .say(" expire before its time"),
        LeaseEnd::Revoked => coordinator.say("revokes ").say(&lease),
        LeaseEnd::Released => {
            let what = words::the_lease(view.scenario, granted.lease);
            let words = coordinator.say("takes ").say(&what).say(" back from ");
            words.client(view.scenario, granted.client)
        }
        LeaseEnd::Superseded => Words::new(&lease).say(" ends: the coordinator grants it anew"),
        LeaseEnd::RolledBack => Words::new(&lease).say(" is gone at the coordinator"),
        LeaseEnd::Forgotten => coordinator.say("forgets ").say(&lease),
    };
    Some(not_told(view, grant, how, index, Clause::other(words)))
}

/// What the client knows of the end of its lease: nothing.
fn not_told(view: &View, grant: GrantId, how: LeaseEnd, index: usize, clause: Clause) -> Clause {
    let Some(granted) = view.grant(grant).filter(|_| how != LeaseEnd::Released) else {
        return clause;
    };
    let (client, lease) = (granted.client, granted.lease);
    let name = Words::new("").client(view.scenario, client);
    match view.belief(client, lease, index) {
        Some(belief) if belief.grant == grant => {}
        _ => return clause,
    }
    let ends_too = |event: &Event| match event.kind {
        EventKind::BeliefEnded {
            client: who,
            lease: of,
        } => who == client && of == lease,
        _ => false,
    };
    if view.same_moment(index).iter().any(ends_too) {
        return clause;
    }
    let paused = view.stopped(client, index).is_some() && how == LeaseEnd::Expired;
    clause.then(&if paused {
        name.say(" believes on: it was paused when the time came")
            .text()
    } else {
        name.say(" is not told").text()
    })
}

fn restored(view: &View, jump: u64, index: usize) -> Clause {
    let words = Words::new("the coordinator goes back to its snapshot");
    let words = if jump > 0 {
        words.say(", and each counter jumps by ").number(jump)
    } else {
        words
    };
    let mut clause = Clause::other(words);
    for (lease, _) in view.scenario.leases.iter().enumerate() {
        let lease = LeaseId(lease);
        let next = view.next_token(lease, Some(index));
        let of = words::at_lease(view.scenario, " of", lease);
        let words = Words::new("The next token").say(&of).say(" is ");
        clause = clause.add(words.number(next));
    }
    let spans = view.trace.lease_spans.iter();
    for span in spans.filter(|span| span.first_event == index) {
        if let Some(granted) = view.grant(span.grant) {
            let words = Words::new("").lease_of(view.scenario, granted);
            clause = clause.add(words.say(" is back, until ").secs(span.until_secs));
        }
    }
    clause
}

fn restarted(token: Option<Token>) -> Clause {
    let clause = Clause::other(Words::new("the coordinator restarts without its leases"));
    match token {
        Some(token) => clause.add(Words::new("The next token is ").number(token)),
        None => clause.then("Its counters are kept"),
    }
}

/// A clause about one place: the resource, or one replica of it.
pub(super) fn at_place(view: &View, place: Place, predicate: Words) -> Clause {
    match words::replica(view.scenario, place) {
        Some(_) => Clause::new(Subject::Replicas(vec![place]), predicate),
        None => {
            let name = words::resource(view.scenario, place.resource);
            Clause::other(Words::new(&name).say(" ").say(&predicate.text()))
        }
    }
}
