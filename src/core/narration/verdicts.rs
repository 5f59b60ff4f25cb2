//! What a resource decides, with the numbers that it compared.

use super::events::at_place;
use super::words::{self, Words};
use super::{Clause, View};
use crate::sim::text::{join, signed};
use crate::sim::*;

/// A stall, or a verdict.
pub(super) fn clause(view: &View, index: usize) -> Option<Clause> {
    match &view.trace.events.get(index)?.kind {
        EventKind::Stalled {
            message,
            place,
            until_secs,
            check,
        } => stalled(view, *message, *place, *until_secs, check.as_ref()),
        EventKind::Judged(verdict) => judged(view, *verdict, index),
        _ => None,
    }
}

fn stalled(
    view: &View,
    id: MessageId,
    place: Place,
    until_secs: Secs,
    check: Option<&Comparison>,
) -> Option<Clause> {
    let message = view.message(id)?;
    let name = words::effect_name(view.scenario, message);
    let Some(check) = check else {
        let words = Words::new("lets ")
            .say(&name)
            .say(" wait until ")
            .secs(until_secs);
        return Some(at_place(view, place, words).then("Nothing is compared yet"));
    };
    let words = match check.policy.base {
        Base::AskHolder => Words::new("asks who holds the lease, for ")
            .say(&name)
            .say(": "),
        _ => Words::new("compares ").say(&name).say(" on arrival: "),
    };
    let words = match check.reason {
        Some(reason) => reason_words(view, message, check, reason, words),
        None => passed_words(view, message, check, words),
    };
    let stall = Words::new("The write itself waits until ").secs(until_secs);
    Some(at_place(view, place, words).add(stall))
}

/// Why a check on arrival passed.
fn passed_words(view: &View, message: &Message, check: &Comparison, words: Words) -> Words {
    match (&check.token, check.policy.base) {
        (_, Base::AskHolder) => words.client(view.scenario, message.client).say(" does"),
        (CarriedToken::Number(token), _) => words
            .number(*token)
            .say(" is not below the mark, ")
            .number(check.mark),
        _ => words.say("it may go without a token"),
    }
}

fn judged(view: &View, verdict: usize, index: usize) -> Option<Clause> {
    let judged = view.trace.verdicts.get(verdict)?;
    let message = view.message(judged.message)?;
    Some(match judged.answer {
        Answer::Accepted => accepted(view, verdict, judged, message, index),
        Answer::Duplicate => duplicate(view, judged, message),
        _ => rejected(view, judged, message, index),
    })
}

/// `“a1”`, or `a copy of “a1”`.
fn delivery_name(view: &View, message: &Message) -> String {
    let name = words::effect_name(view.scenario, message);
    if message.copy_of.is_some() {
        join(&["a copy of ", &name])
    } else {
        name
    }
}

fn accepted(
    view: &View,
    verdict: usize,
    judged: &Verdict,
    message: &Message,
    index: usize,
) -> Clause {
    let words = accepting_verb(judged, message).say(&delivery_name(view, message));
    let stalled = message
        .arrived_secs
        .is_some_and(|arrived| arrived < judged.at_secs);
    let words = match judged.comparison.policy.base {
        Base::CheckThenWrite if stalled => words.say(" without comparing again"),
        Base::AskHolder if stalled => words.say(" without asking again"),
        _ => words,
    };
    let words = match after_words(view, verdict) {
        Some(after) => words.say(": ").say(&after),
        None => words,
    };
    let clause = at_place(view, judged.place, words);
    let clause = mark_words(view, judged, index, clause);
    let clause = anomaly_words(view, judged, message, clause);
    gone_words(view, judged, message, index, clause)
}

fn accepting_verb(judged: &Verdict, message: &Message) -> Words {
    let stalled = message
        .arrived_secs
        .is_some_and(|arrived| arrived < judged.at_secs);
    if stalled && judged.comparison.policy.base.compares_on_arrival() {
        Words::new("applies ")
    } else {
        Words::new("accepts ")
    }
}

/// What has become of the mark or the pin.
fn mark_words(view: &View, judged: &Verdict, index: usize, clause: Clause) -> Clause {
    let comparison = &judged.comparison;
    let pinned = match (&comparison.token, comparison.pin) {
        (CarriedToken::Number(token), pin) if pin != Some(*token) => {
            comparison.policy.base == Base::Equality
        }
        _ => false,
    };
    // The mark of the comparison may be older: `check-then-write` compared on arrival.
    let before = view.store(judged.place, index.checked_sub(1));
    let clause = if before.is_some_and(|store| store.mark == judged.mark_after) {
        clause
    } else {
        clause.add(Words::new("The mark is now ").number(judged.mark_after))
    };
    match &comparison.token {
        CarriedToken::Number(token) if pinned => clause.add(
            Words::new("From now on only token ")
                .number(*token)
                .say(" passes"),
        ),
        _ => clause,
    }
}

/// What the observer sees in an accepted write, beside its being stale.
fn anomaly_words(view: &View, judged: &Verdict, message: &Message, mut clause: Clause) -> Clause {
    let has = |anomaly| judged.anomalies.contains(&anomaly);
    if has(Anomaly::Unseen) {
        clause = clause.then("A later grant exists, but no write of it was accepted yet");
    }
    if has(Anomaly::Twice) {
        clause = clause.then("It had taken effect before");
    }
    if has(Anomaly::Reordered) {
        clause = clause.then("A greater seq of the same grant was accepted before");
    }
    if has(Anomaly::LostUpdate) {
        let words = Words::new("").effect(view.scenario, message);
        let why = " was computed from a value that another write has changed since";
        clause = clause.add(words.say(why));
    }
    clause
}

/// Which write was lost by accepting a wrong one.
fn gone_words(
    view: &View,
    judged: &Verdict,
    message: &Message,
    index: usize,
    clause: Clause,
) -> Clause {
    let has = |anomaly| judged.anomalies.contains(&anomaly);
    if !has(Anomaly::Stale) && !has(Anomaly::LostUpdate) {
        return clause;
    }
    let own = words::quoted_name(view.scenario, message.name);
    let stored = stored_name(view, judged.place, index);
    match stored.filter(|name| Some(name) != own.as_ref()) {
        Some(name) => clause.then(&join(&[&name, " is gone"])),
        None => clause,
    }
}

fn duplicate(view: &View, judged: &Verdict, message: &Message) -> Clause {
    let words = Words::new("answers that ")
        .say(&delivery_name(view, message))
        .say(" is a duplicate: ");
    let key = words::write_content(message).and_then(|write| write.key.as_ref());
    let words = match key {
        Some(key) => words.say("it knows the key ").quote(key),
        None => words.say("it knows the key"),
    };
    at_place(view, judged.place, words).then("Nothing changes")
}

fn rejected(view: &View, judged: &Verdict, message: &Message, index: usize) -> Clause {
    let words = Words::new("rejects ").say(&delivery_name(view, message));
    let comparison = &judged.comparison;
    let words = match judged.reason {
        Some(reason) => reason_words(view, message, comparison, reason, words.say(": ")),
        None => words,
    };
    let mut clause = at_place(view, judged.place, words);
    if let Some(name) = stored_name(view, judged.place, index).filter(|_| !judged.claim) {
        clause = clause.then(&join(&[&name, " stays"]));
    }
    if judged.anomalies.contains(&Anomaly::HolderRefused) {
        let words = Words::new("")
            .client(view.scenario, message.client)
            .say(" holds the lease, and is refused");
        clause = clause.add(words);
    }
    clause
}

/// The comparison that failed, with its numbers.
fn reason_words(
    view: &View,
    message: &Message,
    comparison: &Comparison,
    reason: Reason,
    words: Words,
) -> Words {
    let write = words::write_content(message);
    let words = match reason {
        Reason::Stale | Reason::Equal | Reason::OtherOwner => token(words, &comparison.token),
        _ => words,
    };
    match reason {
        Reason::Missing => words
            .say("it carries no ")
            .say(missing_part(comparison, write)),
        Reason::Malformed => malformed(words, &comparison.token),
        Reason::Forged => forged(view, message, words),
        Reason::Stale => words.say(" is below the mark, ").number(comparison.mark),
        Reason::Equal => words.say(" equals the mark, and only a greater token passes"),
        Reason::OtherOwner => other_owner(view, comparison, words),
        Reason::NotHolder => match comparison.holder {
            Some(holder) => words.client(view.scenario, holder).say(" holds the lease"),
            None => words.say("nobody holds the lease"),
        },
        Reason::TooLate => {
            let deadline = write.and_then(|w| w.deadline_secs).unwrap_or_default();
            let clock = signed(comparison.clock_secs);
            let words = words
                .say("its clock says ")
                .say(&clock)
                .say(" s, the deadline was ");
            words.secs(deadline)
        }
        Reason::OutOfOrder => {
            let seq = write.and_then(|w| w.seq).unwrap_or_default();
            words
                .say("seq ")
                .number(seq)
                .say(" is not above the last one")
        }
        Reason::Changed => words.say("another write was applied since the check"),
    }
}

fn token(words: Words, token: &CarriedToken) -> Words {
    match token {
        CarriedToken::Missing => words.say("no token"),
        CarriedToken::Number(token) => words.number(*token),
        CarriedToken::Text(text) => words.quote(text),
    }
}

/// What a write lacks: the first of token, deadline, `seq` that its policy needs.
pub(crate) fn missing_part(comparison: &Comparison, write: Option<&WriteContent>) -> &'static str {
    let policy = &comparison.policy;
    let needs_token = policy.base.looks_at_token() || policy.has(PolicyOption::Verified);
    let no_token = comparison.token == CarriedToken::Missing;
    if no_token && needs_token && !policy.has(PolicyOption::Optional) {
        "token"
    } else if policy.base == Base::Deadline && write.is_some_and(|w| w.deadline_secs.is_none()) {
        "deadline"
    } else if policy.has(PolicyOption::Sequence) && write.is_some_and(|w| w.seq.is_none()) {
        "seq"
    } else {
        "token"
    }
}

fn malformed(words: Words, token: &CarriedToken) -> Words {
    match token {
        CarriedToken::Text(text) => words.say("the text ").quote(text).say(" is no token"),
        _ => words.say("0 is no token"),
    }
}

fn forged(view: &View, message: &Message, words: Words) -> Words {
    let words = words.say("the coordinator does not vouch for this token from ");
    words.client(view.scenario, message.client)
}

/// After the token: an equal one of another client, or another one than the pinned.
fn other_owner(view: &View, comparison: &Comparison, words: Words) -> Words {
    let differs = |pin: Token| comparison.token != CarriedToken::Number(pin);
    let at_mark = comparison.token == CarriedToken::Number(comparison.mark);
    match (comparison.pin.filter(|pin| differs(*pin)), comparison.owner) {
        (Some(pin), _) if comparison.policy.base == Base::Equality && !at_mark => {
            words.say(" is not the pinned token, ").number(pin)
        }
        (Some(pin), None) if comparison.policy.base == Base::Equality => {
            words.say(" is not the pinned token, ").number(pin)
        }
        (_, Some(owner)) => words
            .say(" equals the mark, but it was ")
            .client(view.scenario, owner)
            .say(" that set it"),
        (_, None) => words.say(" equals the mark, and nobody is known to have set it"),
    }
}

/// The verdict of a quorum, when the answer sets out.
pub(super) fn quorum(view: &View, request: MessageId, committed: bool) -> Option<Words> {
    let message = view.message(request)?;
    let write = words::write_content(message)?;
    let resource = view.scenario.resources.get(write.resource.0)?;
    let ours = view.trace.verdicts.iter().filter(|v| v.message == request);
    let accepted = ours.filter(|v| v.answer == Answer::Accepted).count() as u64;
    let words = Words::new(&delivery_name(view, message));
    let words = words.say(if committed {
        " is committed: "
    } else {
        " is not committed: "
    });
    let words = words
        .number(accepted)
        .say(" of ")
        .number(resource.replicas.len() as u64);
    let words = words.say(" replicas accepted it");
    Some(if committed {
        words
    } else {
        words
            .say(", ")
            .number(resource.quorum_size())
            .say(" are needed")
    })
}

/// What a client learns of its write or claim.
pub(super) fn heard(view: &View, request: &Message, answer: Answer) -> Words {
    let name = match &request.content {
        Content::Claim(_) => "its claim".to_owned(),
        // It sent one message: of a copy it knows nothing.
        _ => words::effect_name(view.scenario, request),
    };
    Words::new("learns that ").say(&name).say(match answer {
        Answer::Rejected => " was rejected",
        Answer::Duplicate => " was taken for a duplicate",
        Answer::Committed => " was committed",
        Answer::NotCommitted => " was not committed",
        _ => " was accepted",
    })
}

/// The name of the stored write just before `index`, else its value; `None`: nothing is stored.
pub(crate) fn stored_name(view: &View, place: Place, index: usize) -> Option<String> {
    let before = index.checked_sub(1);
    let now = view.store(place, before)?;
    let stores = &view.trace.stores;
    let made = stores.partition_point(|change| change.event <= before);
    let wrote = |change: &StoreChange| -> Option<String> {
        if change.place != place || change.value != now.value || change.writer != now.writer {
            return None;
        }
        match view.trace.events.get(change.event?)?.kind {
            EventKind::Judged(verdict) => {
                let judged = view.trace.verdicts.get(verdict).filter(|v| !v.claim)?;
                words::quoted_name(view.scenario, judged.name)
            }
            _ => None,
        }
    };
    let named = stores[..made].iter().rev().find_map(wrote);
    let value = || Words::new("the value ").quote(&now.value).text();
    named.or_else(|| (!now.value.is_empty()).then(value))
}

/// For a stale verdict the tokens in the order of acceptance: `41 after 42`.
pub(crate) fn after_words(view: &View, verdict: usize) -> Option<String> {
    let judged = view.trace.verdicts.get(verdict)?;
    if !judged.anomalies.contains(&Anomaly::Stale) {
        return None;
    }
    let own = view.message(judged.message)?;
    let later = rival(view, verdict, judged, own)?;
    let (mine, theirs) = (words::write_content(own)?, words::write_content(later)?);
    let words = token(Words::new(""), &mine.token);
    // Where the numbers do not show the order of the grants, the clients must.
    let misleading = match (&mine.token, &theirs.token) {
        (CarriedToken::Number(mine), CarriedToken::Number(theirs)) => mine >= theirs,
        _ => false,
    };
    if !misleading {
        return Some(token(words.say(" after "), &theirs.token).text());
    }
    let whose = match mine.grant {
        Some(_) => view.client(own.client),
        None => "no grant",
    };
    let words = words.say(" of ").say(whose).say(" after ");
    Some(
        token(words, &theirs.token)
            .say(" of ")
            .client(view.scenario, later.client)
            .text(),
    )
}

/// The write of the latest grant that was accepted at the resource before.
fn rival<'a>(
    view: &View<'a>,
    verdict: usize,
    judged: &Verdict,
    own: &Message,
) -> Option<&'a Message> {
    let own_grant = words::write_content(own)?.grant;
    let earlier = view.trace.verdicts.get(..verdict)?;
    let same = |v: &&Verdict| {
        v.answer == Answer::Accepted && !v.claim && v.place.resource == judged.place.resource
    };
    let messages = earlier
        .iter()
        .filter(same)
        .filter_map(|v| view.message(v.message));
    let graded = messages.filter_map(|m| Some((words::write_content(m)?.grant, m)));
    let later = graded.filter(|(grant, _)| *grant > own_grant);
    later
        .max_by_key(|(grant, _)| *grant)
        .map(|(_, message)| message)
}
