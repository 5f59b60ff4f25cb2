//! What is said about runs: transcripts word for word, the badge, the panels, the gate.

use fencing_core::frame::{self, Belief, Status, Truth};
use fencing_core::gate::{self, Role};
use fencing_core::narration::{self, WRONG_PHRASES};
use fencing_core::script;
use fencing_core::sim::*;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

fn parsed(text: &str) -> Scenario {
    let parsed = script::parse(text);
    assert!(parsed.errors.is_empty(), "{:?}\n{text}", parsed.errors);
    parsed.scenario
}

fn case(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    fs::read_to_string(folder.join(name).with_extension("fence")).unwrap()
}

/// The transcript as `11 A’s lease expires.`
fn lines(text: &str) -> Vec<String> {
    let scenario = parsed(text);
    let trace = run(&scenario);
    let transcript = narration::transcript(&scenario, &trace);
    transcript
        .iter()
        .map(|(at_secs, text)| format!("{at_secs} {text}"))
        .collect()
}

#[track_caller]
fn says(text: &str, expected: &str) {
    let expected: Vec<&str> = expected
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    let got = lines(text);
    assert_eq!(got, expected, "\n{}", got.join("\n"));
}

/// The story of the front page, told by hand. B learns and A resumes at one instant; what A sends
/// is a step of its own.
#[test]
fn the_front_page_is_told_in_these_words() {
    says(
        DESIGN,
        "
        0 A asks the coordinator for the lease.
        1 The coordinator grants A the lease until 11 s, with token 41.
        2 A learns that it holds the lease, and sends “draft” with token 41.
        3 The resource accepts “draft”. The mark is now 41.
        4 A learns that “draft” was accepted, and pauses.
        11 A’s lease expires. A believes on: it was paused when the time came. B asks for the lease.
        12 The coordinator grants B the lease until 22 s, with token 42.
        13 B learns that it holds the lease, and sends “final” with token 42.
        14 The resource accepts “final”. The mark is now 42.
        15 B learns that “final” was accepted. A resumes where it stopped.
        15 A sends “late” with token 41.
        16 The resource rejects “late”: 41 is below the mark, 42. “final” stays.
        17 A learns that “late” was rejected, and stops believing that it holds the lease: by its own clock the time is over.
        21 B stops believing that it holds the lease: by its own clock the time is over.
        22 B’s lease expires.
        ",
    );
}

#[test]
fn two_clients_41_42() {
    says(
        &case("two-clients-41-42"),
        "
        0 A asks the coordinator for the lease.
        1 The coordinator grants A the lease until 11 s, with token 41.
        2 A learns that it holds the lease, and sends “draft” with token 41.
        3 The resource accepts “draft”. The mark is now 41.
        4 A learns that “draft” was accepted, and pauses.
        11 A’s lease expires. A believes on: it was paused when the time came.
        16 B asks for the lease.
        17 The coordinator grants B the lease until 27 s, with token 42.
        18 B learns that it holds the lease, and sends “final” with token 42.
        19 The resource accepts “final”. The mark is now 42.
        20 B learns that “final” was accepted. A resumes where it stopped.
        20 A sends “late” with token 41.
        21 The resource rejects “late”: 41 is below the mark, 42. “final” stays.
        22 A learns that “late” was rejected, and stops believing that it holds the lease: by its own clock the time is over.
        26 B stops believing that it holds the lease: by its own clock the time is over.
        27 B’s lease expires.
        ",
    );
}

#[test]
fn each_replica_checks_for_itself() {
    says(
        &case("each-replica-checks-for-itself"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 33. A learns that it holds the lease.
        9 A sends “a1” with token 33.
        10 A’s lease expires. A stops believing that it holds the lease: by its own clock the time is over.
        11 B asks for the lease. The coordinator grants B the lease until 21 s, with token 34. B learns that it holds the lease.
        11 B sends “b1” with token 34, which reaches only R1 and R2.
        12 Replicas R1 and R2 accept “b1”. The mark is now 34. “b1” is committed: 2 of 3 replicas accepted it. B learns that “b1” was committed.
        15 Replicas R1 and R2 reject “a1”: 33 is below the mark, 34. “b1” stays. Replica R3 accepts “a1”: 33 after 34. The mark is now 33. “a1” is not committed: 1 of 3 replicas accepted it, 2 are needed. A learns that “a1” was not committed.
        ",
    );
}

#[test]
fn crash_loses_memory() {
    says(
        &case("crash-loses-memory"),
        "
        0 A asks the coordinator for the lease.
        1 The coordinator grants A the lease until 21 s, with token 7.
        2 A learns that it holds the lease, and sends “a1” with token 7.
        3 The resource accepts “a1”. The mark is now 7.
        4 A learns that “a1” was accepted, and asks for more time on the lease.
        5 The coordinator renews A’s lease, now good until 25 s. Token 7 stays. A pauses.
        6 An answer reaches A, which is paused: it waits unread.
        7 A crashes. Its memory is gone. The answer to A is lost.
        8 A starts again without its memory.
        8 A checks, and does not know of holding the lease.
        8 B asks for the lease.
        9 The coordinator refuses B: A holds the lease until 25 s.
        10 B learns that it does not get the lease. A sends “a2” without a token.
        11 The resource rejects “a2”: it carries no token. “a1” stays.
        12 A learns that “a2” was rejected, and asks for more time on the lease, but knows of no grant of its own.
        13 The coordinator gives A no more time: the request names no live grant.
        14 A learns that the lease is not renewed, and asks for the lease.
        15 The coordinator extends the lease of A, its holder, until 35 s. Token 7 stays.
        16 A learns that it holds the lease, and checks its clock: its lease is valid, as far as it knows.
        16 A sends “a3” with token 7.
        17 The resource accepts “a3”.
        18 A learns that “a3” was accepted.
        ",
    );
}

#[test]
fn held_messages_and_copies() {
    says(
        &case("held-messages-and-copies"),
        "
        0 A asks the coordinator for the lease.
        1 The coordinator grants A the lease until 11 s, with token 33.
        2 A learns that it holds the lease, and sends “a1” with token 33. The network holds it for now.
        2 A sends “a2” with token 33.
        3 The resource accepts “a2”. The mark is now 33.
        4 A learns that “a2” was accepted, and sends “a3” with token 33. The network holds it for now.
        4 A asks for more time on the lease.
        5 The coordinator renews A’s lease, now good until 15 s. Token 33 stays. The network holds the answer to A. “a3” is lost.
        5 A checks its clock: its lease is valid, as far as it knows.
        9 A learns that the lease is renewed.
        10 A checks its clock: its lease is valid, as far as it knows.
        14 A checks its clock: its lease has lapsed.
        14 B asks for the lease.
        15 A’s lease expires. The coordinator grants B the lease until 25 s, with token 34.
        16 B learns that it holds the lease, and sends “b1” with token 34.
        17 The resource accepts “b1”. The mark is now 34.
        18 B learns that “b1” was accepted. The resource rejects “a1”: 33 is below the mark, 34. “b1” stays.
        18 The resource rejects a copy of “a2”: 33 is below the mark, 34. “b1” stays.
        19 A learns that “a1” was rejected, and that “a2” was rejected.
        24 B stops believing that it holds the lease: by its own clock the time is over.
        ",
    );
}

#[test]
fn coordinator_restored_jumping() {
    says(
        &case("coordinator-restored-jumping"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 41. A learns that it holds the lease.
        2 The coordinator saves its leases and counters.
        3 A gives the lease back. The coordinator takes the lease back from A. A learns that the lease is released.
        3 B asks for the lease. The coordinator grants B the lease until 13 s, with token 42. B learns that it holds the lease.
        4 B sends “b1” with token 42. The resource accepts “b1”. The mark is now 42. B learns that “b1” was accepted.
        5 The coordinator goes back to its snapshot, and each counter jumps by 1000. The next token is 1042. A’s lease is back, until 10 s. B’s lease is gone at the coordinator. B is not told.
        5 B asks for more time on the lease. The coordinator gives B no more time: the request names no live grant. B learns that the lease is not renewed.
        5 B asks for the lease. The coordinator refuses B: A holds the lease until 10 s. B learns that it does not get the lease.
        6 B sends “b2” with token 42. The resource accepts “b2”. B learns that “b2” was accepted.
        7 A sends “a1” with token 41. The resource rejects “a1”: 41 is below the mark, 42. “b2” stays. A learns that “a1” was rejected.
        10 A’s lease expires. B asks for the lease. The coordinator grants B the lease until 20 s, with token 1042. B learns that it holds the lease.
        10 B sends “b3” with token 1042. The resource accepts “b3”. The mark is now 1042. B learns that “b3” was accepted.
        11 A sends “a2” with token 41. The resource rejects “a2”: 41 is below the mark, 1042. “b3” stays. A learns that “a2” was rejected.
        ",
    );
}

#[test]
fn coordinator_restored_without_a_jump() {
    says(
        &case("coordinator-restored-without-a-jump"),
        "
        0 The coordinator saves its leases and counters.
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 41. A learns that it holds the lease.
        0 A sends “a1” with token 41. The resource accepts “a1”. The mark is now 41. A learns that “a1” was accepted.
        0 The coordinator goes back to its snapshot. The next token is 41. A’s lease is gone at the coordinator. A is not told.
        0 A asks for more time on the lease. The coordinator gives A no more time: the request names no live grant. A learns that the lease is not renewed.
        0 B asks for the lease. The coordinator grants B the lease until 10 s, with token 41. It issued 41 before, to A. B learns that it holds the lease.
        0 B sends “b1” with token 41. The resource accepts “b1”. B learns that “b1” was accepted.
        0 A sends “a2” with token 41. The resource accepts “a2”: 41 of A after 41 of B. “b1” is gone. A learns that “a2” was accepted.
        ",
    );
}

#[test]
fn late_renewal_allowed() {
    says(
        &case("late-renewal-allowed"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 5. A learns that it holds the lease.
        0 A sends “a1” with token 5. The resource accepts “a1”. The mark is now 5. A learns that “a1” was accepted.
        10 A’s lease expires. A stops believing that it holds the lease: by its own clock the time is over.
        12 A checks its clock: its lease has lapsed.
        12 A asks for more time on the lease. The coordinator renews A’s lease, now good until 22 s, although it had lapsed: nobody came between. Token 5 stays. A learns that the lease is renewed.
        12 A checks its clock: its lease is valid, as far as it knows.
        12 A sends “a2” with token 5. The resource accepts “a2”. A learns that “a2” was accepted.
        12 B asks for the lease. The coordinator refuses B: A holds the lease until 22 s. B learns that it does not get the lease.
        22 A’s lease expires. A stops believing that it holds the lease: by its own clock the time is over. B asks for the lease. The coordinator grants B the lease until 32 s, with token 6. B learns that it holds the lease.
        22 A asks for more time on the lease. The coordinator gives A no more time: the request names no live grant. A learns that the lease is not renewed.
        22 A sends “a3” with token 5. The resource accepts “a3”. A later grant exists, but no write of it was accepted yet. A learns that “a3” was accepted.
        22 B sends “b1” with token 6. The resource accepts “b1”. The mark is now 6. B learns that “b1” was accepted.
        22 A sends “a4” with token 5. The resource rejects “a4”: 5 is below the mark, 6. “b1” stays. A learns that “a4” was rejected.
        22 B gives the lease back. The coordinator takes the lease back from B. B learns that the lease is released.
        22 A asks for more time on the lease. The coordinator gives A no more time: the request names no live grant. A learns that the lease is not renewed.
        ",
    );
}

#[test]
fn lock_delay_reentry_and_grants() {
    says(
        &case("lock-delay-reentry-and-grants"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 5. A learns that it holds the lease.
        0 A asks for the lease. The coordinator refuses A: it holds the lease already. A learns that it does not get the lease.
        0 A gives the lease back. The coordinator takes the lease back from A. A learns that the lease is released.
        0 B asks for the lease. The coordinator grants B the lease until 10 s, with token 6. B learns that it holds the lease.
        0 The coordinator lets B’s lease expire before its time. B is not told.
        0 B asks for more time on the lease. The coordinator gives B no more time: the request names no live grant. B learns that the lease is not renewed.
        0 A asks for the lease. The coordinator refuses A: after the expiry of the lease, nobody gets it before 4 s. A learns that it does not get the lease.
        3 B asks for the lease. The coordinator refuses B: after the expiry of the lease, nobody gets it before 4 s. B learns that it does not get the lease.
        4 A asks for the lease. The coordinator grants A the lease until 14 s, with token 7. A learns that it holds the lease.
        4 The coordinator revokes A’s lease. A is not told.
        4 B asks for the lease. The coordinator grants B the lease until 14 s, with token 8. B learns that it holds the lease.
        4 B’s lease ends: the coordinator grants it anew. B is not told. The coordinator grants C the lease until 6 s, with token 20. That is against its own rules. C believes that it holds the lease until 14 s.
        4 B asks for more time on the lease. The coordinator gives B no more time: the request names no live grant. B learns that the lease is not renewed.
        4 C sends “c1” with token 20. The resource accepts “c1”. The mark is now 20. C learns that “c1” was accepted.
        4 B sends “b1” with token 8. The resource rejects “b1”: 8 is below the mark, 20. “c1” stays. B learns that “b1” was rejected.
        6 C’s lease expires. C is not told. A asks for the lease. The coordinator refuses A: after the expiry of the lease, nobody gets it before 10 s. A learns that it does not get the lease.
        6 C checks its clock: its lease is valid, as far as it knows. At the coordinator that lease is over.
        10 A asks for the lease. The coordinator grants A the lease until 20 s, with token 21. A learns that it holds the lease.
        10 The coordinator restarts without its leases. Its counters are kept. The coordinator forgets A’s lease. A is not told.
        10 B asks for the lease. The coordinator grants B the lease until 20 s, with token 22. B learns that it holds the lease.
        14 C stops believing that it holds the lease: by its own clock the time is over.
        ",
    );
}

#[test]
fn seed_sequence() {
    says(
        &case("seed-sequence"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 1. A learns that it holds the lease.
        10 A’s lease expires. A stops believing that it holds the lease: by its own clock the time is over. B asks for the lease. The coordinator grants B the lease until 20 s, with token 2. B learns that it holds the lease.
        10 A sends “w1” with token 1. The resource accepts “w1”. The mark is now 1. A later grant exists, but no write of it was accepted yet. A learns that “w1” was accepted.
        10 B sends “w2” with token 2. The resource accepts “w2”. The mark is now 2. B learns that “w2” was accepted.
        10 A sends “w3” with token 1. The resource rejects “w3”: 1 is below the mark, 2. “w2” stays. A learns that “w3” was rejected.
        10 B sends “w4” with token 2. The resource accepts “w4”. B learns that “w4” was accepted.
        10 B sends “w5” without a token. The resource rejects “w5”: it carries no token. “w4” stays. B holds the lease, and is refused. B learns that “w5” was rejected.
        10 B sends “w6” with the text “2” as its token. The resource rejects “w6”: the text “2” is no token. “w4” stays. B holds the lease, and is refused. B learns that “w6” was rejected.
        10 B sends “w7” with the text “True” as its token. The resource rejects “w7”: the text “True” is no token. “w4” stays. B holds the lease, and is refused. B learns that “w7” was rejected.
        20 B’s lease expires. B stops believing that it holds the lease: by its own clock the time is over. B asks for the lease. The coordinator grants B the lease until 30 s, with token 3. B learns that it holds the lease.
        20 B sends “w8” with token 3. The resource accepts “w8”. The mark is now 3. B learns that “w8” was accepted.
        20 B sends “w9” with token 2. The resource rejects “w9”: 2 is below the mark, 3. “w8” stays. B learns that “w9” was rejected.
        ",
    );
}

#[test]
fn two_scopes() {
    says(
        &case("two-scopes"),
        "
        0 A asks the coordinator for lease X. The coordinator grants A lease X until 10 s, with token 17. A learns that it holds lease X.
        0 B asks for lease Y. The coordinator grants B lease Y until 20 s, with token 4. B learns that it holds lease Y.
        0 A sends “x1” to resource xdoc with token 17. Resource xdoc accepts “x1”. The mark is now 17. A learns that “x1” was accepted.
        0 B sends “y1” to resource ydoc with token 4. Resource ydoc accepts “y1”. The mark is now 4. B learns that “y1” was accepted.
        0 A asks for lease Y. The coordinator refuses A: B holds lease Y until 20 s. A learns that it does not get lease Y.
        0 B asks for lease X. The coordinator refuses B: A holds lease X until 10 s. B learns that it does not get lease X.
        10 A’s lease X expires. A checks its clock: its lease X has lapsed.
        10 B checks its clock: its lease Y is valid, as far as it knows.
        10 B asks for lease X. The coordinator grants B lease X until 20 s, with token 18. B learns that it holds lease X.
        10 A asks for more time on lease X. The coordinator gives A no more time on lease X: the request names no live grant. A learns that lease X is not renewed.
        10 A asks for lease Y. The coordinator refuses A: B holds lease Y until 20 s. A learns that it does not get lease Y.
        10 B sends “x2” to resource xdoc with token 18. Resource xdoc accepts “x2”. The mark is now 18. B learns that “x2” was accepted.
        10 A sends “x3” to resource xdoc with token 17. Resource xdoc rejects “x3”: 17 is below the mark, 18. “x2” stays. A learns that “x3” was rejected.
        10 B sends “y2” to resource ydoc with token 4. Resource ydoc accepts “y2”. B learns that “y2” was accepted.
        10 B gives lease Y back. The coordinator takes lease Y back from B. B learns that lease Y is released.
        10 A asks for lease Y. The coordinator grants A lease Y until 30 s, with token 5. A learns that it holds lease Y.
        10 A sends “y3” to resource ydoc with token 5. Resource ydoc accepts “y3”. The mark is now 5. A learns that “y3” was accepted.
        10 B sends “y4” to resource ydoc with token 4. Resource ydoc rejects “y4”: 4 is below the mark, 5. “y3” stays. B learns that “y4” was rejected.
        10 A sends “y5” to resource ydoc with token 17. Resource ydoc accepts “y5”. The mark is now 17. A learns that “y5” was accepted.
        ",
    );
}

#[test]
fn external_call_after_a_rejection() {
    says(
        &case("external-call-after-a-rejection"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 41. A learns that it holds the lease.
        0 A pauses.
        10 A’s lease expires. A believes on: it was paused when the time came. B asks for the lease. The coordinator grants B the lease until 20 s, with token 42. B learns that it holds the lease.
        10 B sends “b1” with token 42. The resource accepts “b1”. The mark is now 42. B learns that “b1” was accepted.
        10 B calls mail: “report by B”. At mail, “report by B” takes effect for B. No token is compared there. B learns that mail took its call.
        10 A resumes where it stopped.
        10 A sends “a1” with token 41. The resource rejects “a1”: 41 is below the mark, 42. “b1” stays. A learns that “a1” was rejected, and stops believing that it holds the lease: by its own clock the time is over.
        10 A calls mail: “report by A”. At mail, “report by A” takes effect for A. No token is compared there. A learns that mail took its call.
        10 At mail, “report by A” takes effect again for A. No token is compared there. A learns that mail took its call.
        10 A calls mail: “never sent”. A’s request is lost.
        ",
    );
}

#[test]
fn the_client_is_dead_its_packet_is_not() {
    says(
        &case("the-client-is-dead-its-packet-is-not"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 33. A learns that it holds the lease.
        8 A sends “a1” with token 33.
        9 A crashes. Its memory is gone. What it has sent is still on its way.
        10 A’s lease expires.
        11 B asks for the lease. The coordinator grants B the lease until 21 s, with token 34. B learns that it holds the lease.
        11 B sends “b1” with token 34.
        12 The resource accepts “b1”. The mark is now 34. B learns that “b1” was accepted.
        21 B’s lease expires. B stops believing that it holds the lease: by its own clock the time is over.
        25 The resource rejects “a1”: 33 is below the mark, 34. “b1” stays. The answer to A is lost.
        ",
    );
}

#[test]
fn the_successor_holds_34_but_has_not_written_yet() {
    says(
        &case("the-successor-holds-34-but-has-not-written-yet"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 33. A learns that it holds the lease.
        3 A pauses.
        10 A’s lease expires. A believes on: it was paused when the time came.
        11 B asks for the lease. The coordinator grants B the lease until 21 s, with token 34. B learns that it holds the lease.
        12 B asks the resource for its value. The resource tells B its value. B learns what the resource holds.
        13 A resumes where it stopped.
        13 A sends “a1” with token 33.
        14 The resource accepts “a1”. The mark is now 33. A later grant exists, but no write of it was accepted yet. A learns that “a1” was accepted, and stops believing that it holds the lease: by its own clock the time is over.
        15 B sends “b1” with token 34, computed from what it read.
        16 The resource accepts “b1”. The mark is now 34. “b1” was computed from a value that another write has changed since. “a1” is gone. B learns that “b1” was accepted.
        21 B’s lease expires. B stops believing that it holds the lease: by its own clock the time is over.
        ",
    );
}

#[test]
fn equality_as_a_fence_the_first_writer_pins_the_to() {
    says(
        &case("equality-as-a-fence-the-first-writer-pins-the-to"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 1. A learns that it holds the lease.
        1 A sends “a1” with token 1.
        2 The resource accepts “a1”. The mark is now 1. From now on only token 1 passes. A learns that “a1” was accepted.
        10 A’s lease expires. A stops believing that it holds the lease: by its own clock the time is over.
        11 B asks for the lease. The coordinator grants B the lease until 21 s, with token 2. B learns that it holds the lease.
        11 B sends “b1” with token 2.
        12 The resource rejects “b1”: 2 is not the pinned token, 1. “a1” stays. B holds the lease, and is refused. B learns that “b1” was rejected.
        13 A sends “a2” with token 1.
        14 The resource accepts “a2”. A later grant exists, but no write of it was accepted yet. A learns that “a2” was accepted.
        ",
    );
}

#[test]
fn garbage_collection_removes_the_fence_marker() {
    says(
        &case("garbage-collection-removes-the-fence-marker"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 1. A learns that it holds the lease.
        1 A sends “a1” with token 1.
        2 The resource accepts “a1”. The mark is now 1. A learns that “a1” was accepted.
        3 A pauses.
        10 A’s lease expires. A believes on: it was paused when the time came.
        11 B asks for the lease. The coordinator grants B the lease until 21 s, with token 2. B learns that it holds the lease.
        11 B sends “b1” with token 2.
        12 The resource accepts “b1”. The mark is now 2. B learns that “b1” was accepted.
        20 The resource forgets its mark.
        21 B’s lease expires. B stops believing that it holds the lease: by its own clock the time is over.
        30 A resumes where it stopped.
        30 A sends “a2” with token 1.
        31 The resource accepts “a2”: 1 after 2. The mark is now 1. “b1” is gone. A learns that “a2” was accepted, and stops believing that it holds the lease: by its own clock the time is over.
        ",
    );
}

#[test]
fn all_at_one_instant() {
    says(
        &case("all-at-one-instant"),
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 1. A learns that it holds the lease.
        1 A sends “e” with token 1. The resource lets “e” wait until 10 s. Nothing is compared yet.
        2 B asks for the lease.
        3 A sends “late” with token 1.
        4 A gives the lease back.
        10 A’s lease expires. The resource accepts “e”. The mark is now 1. A learns that “e” was accepted. The coordinator grants B the lease until 20 s, with token 2. B learns that it holds the lease. The resource accepts “late”. A later grant exists, but no write of it was accepted yet. A learns that “late” was accepted. The coordinator takes nothing back from A: the request names no live grant. A learns that it had nothing to release. B sends “b1” with token 2. The resource accepts “b1”. The mark is now 2. B learns that “b1” was accepted.
        10 A sends “a2” with token 1. The resource rejects “a2”: 1 is below the mark, 2. “b1” stays. A learns that “a2” was rejected.
        12 B stops believing that it holds the lease: by its own clock the time is over.
        ",
    );
}

#[test]
fn an_unfenced_resource_takes_the_late_write() {
    says(
        r#"token 41
resource doc: unfenced
A acquires
A writes draft "draft"
A pauses
at 11 B acquires
B writes final "final"
at 15 A resumes
A writes late "late"
"#,
        "
        0 A asks the coordinator for the lease.
        1 The coordinator grants A the lease until 11 s, with token 41.
        2 A learns that it holds the lease, and sends “draft” with token 41.
        3 The resource accepts “draft”.
        4 A learns that “draft” was accepted, and pauses.
        11 A’s lease expires. A believes on: it was paused when the time came. B asks for the lease.
        12 The coordinator grants B the lease until 22 s, with token 42.
        13 B learns that it holds the lease, and sends “final” with token 42.
        14 The resource accepts “final”.
        15 B learns that “final” was accepted. A resumes where it stopped.
        15 A sends “late” with token 41.
        16 The resource accepts “late”: 41 after 42. “final” is gone.
        17 A learns that “late” was accepted, and stops believing that it holds the lease: by its own clock the time is over.
        21 B stops believing that it holds the lease: by its own clock the time is over.
        22 B’s lease expires.
        ",
    );
}

#[test]
fn a_check_on_arrival_is_not_repeated() {
    says(
        r#"latency 0
token 41
resource doc: check-then-write
A acquires
at 2 A writes edit "edit" applied at 13
at 11 B acquires
B writes final "final"
"#,
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 41. A learns that it holds the lease.
        2 A sends “edit” with token 41. The resource compares “edit” on arrival: 41 is not below the mark, 0. The write itself waits until 13 s.
        10 A’s lease expires. A stops believing that it holds the lease: by its own clock the time is over.
        11 B asks for the lease. The coordinator grants B the lease until 21 s, with token 42. B learns that it holds the lease.
        11 B sends “final” with token 42. The resource accepts “final”. The mark is now 42. B learns that “final” was accepted.
        13 The resource applies “edit” without comparing again: 41 after 42. “final” is gone. A learns that “edit” was accepted.
        ",
    );
}

#[test]
fn the_holder_is_asked_on_arrival_only() {
    says(
        r#"latency 0
token 41
resource doc: ask-holder
A acquires
at 2 A writes edit "edit" applied at 13
at 11 B acquires
B writes final "final"
"#,
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 41. A learns that it holds the lease.
        2 A sends “edit” with token 41. The resource asks who holds the lease, for “edit”: A does. The write itself waits until 13 s.
        10 A’s lease expires. A stops believing that it holds the lease: by its own clock the time is over.
        11 B asks for the lease. The coordinator grants B the lease until 21 s, with token 42. B learns that it holds the lease.
        11 B sends “final” with token 42. The resource accepts “final”. B learns that “final” was accepted.
        13 The resource applies “edit” without asking again: 41 after 42. “final” is gone. A learns that “edit” was accepted.
        ",
    );
}

#[test]
fn compare_and_set_sees_the_change() {
    says(
        r#"latency 0
token 41
resource doc: check-then-write+cas
A acquires
at 2 A writes edit "edit" applied at 13
at 11 B acquires
B writes final "final"
"#,
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 41. A learns that it holds the lease.
        2 A sends “edit” with token 41. The resource compares “edit” on arrival: 41 is not below the mark, 0. The write itself waits until 13 s.
        10 A’s lease expires. A stops believing that it holds the lease: by its own clock the time is over.
        11 B asks for the lease. The coordinator grants B the lease until 21 s, with token 42. B learns that it holds the lease.
        11 B sends “final” with token 42. The resource accepts “final”. The mark is now 42. B learns that “final” was accepted.
        13 The resource rejects “edit”: another write was applied since the check. “final” stays. A learns that “edit” was rejected.
        ",
    );
}

#[test]
fn keys_and_numbers_answer_other_questions() {
    says(
        r#"latency 0
token 7
clients A
resource doc: fenced+dedupe-first+sequence
A acquires
A writes a1 "v1" key "k" seq 1 reply lost
A writes a2 "v1" key "k" seq 2
A writes a3 "v2" seq 1
A writes a4 "v3"
"#,
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 7. A learns that it holds the lease.
        0 A sends “a1” with token 7, seq 1, key “k”. The resource accepts “a1”. The mark is now 7. The answer to A is lost.
        0 A sends “a2” with token 7, seq 2, key “k”. The resource answers that “a2” is a duplicate: it knows the key “k”. Nothing changes. A learns that “a2” was taken for a duplicate.
        0 A sends “a3” with token 7, seq 1. The resource rejects “a3”: seq 1 is not above the last one. “a1” stays. A learns that “a3” was rejected.
        0 A sends “a4” with token 7. The resource rejects “a4”: it carries no seq. “a1” stays. A holds the lease, and is refused. A learns that “a4” was rejected.
        ",
    );
}

#[test]
fn replicas_are_told_together() {
    says(
        r#"latency 0
token 7
clients A, B
coordinator: reentry mints
resource doc: fenced+claim, replicas R1 R2 R3, mark 3
A acquires
A acquires
A writes a1 "v1" token 7
A writes a2 "v2"
coordinator expires B
coordinator grants B token 5 until 30
doc saves
doc forgets mark
A claims
doc restores
"#,
        "
        0 A asks the coordinator for the lease. The coordinator grants A the lease until 10 s, with token 7. Replicas R1, R2 and R3 take the coordinator’s claim for A: the mark is now 7. A learns that it holds the lease.
        0 A asks for the lease. The coordinator extends the lease of A, its holder, until 10 s, and gives it a further token, 8. Replicas R1, R2 and R3 take the coordinator’s claim for A: the mark is now 8. A learns that it holds the lease.
        0 A sends “a1” with token 7. Replicas R1, R2 and R3 reject “a1”: 7 is below the mark, 8. A holds the lease, and is refused. “a1” is not committed: 0 of 3 replicas accepted it, 2 are needed. A learns that “a1” was not committed.
        0 A sends “a2” with token 8. Replicas R1, R2 and R3 accept “a2”. “a2” is committed: 3 of 3 replicas accepted it. A learns that “a2” was committed.
        0 Nothing ends: B does not hold the lease.
        0 A’s lease ends: the coordinator grants it anew. A is not told. The coordinator grants B the lease until 30 s, with token 5. That is against its own rules. B believes that it holds the lease until 10 s. Replicas R1, R2 and R3 refuse the coordinator’s claim for B: 5 is not above the mark, 8.
        0 The resource saves all that it holds.
        0 The resource forgets its mark.
        0 A claims the resource with token 8. Replicas R1, R2 and R3 accept A’s claim. The mark is now 8. A’s claim is committed: 3 of 3 replicas accepted it. A learns that its claim was committed.
        0 The resource goes back to what it saved.
        ",
    );
}

#[test]
fn several_leases_and_resources_are_named() {
    says(
        r#"latency 0
lease X, token 17
lease Y, token 4
external mail
resource xdoc under X: equality+durable+verified
resource ydoc under Y: deadline, clock +5
A acquires X
A writes x1 "v" to xdoc
A claims xdoc
xdoc forgets mark
xdoc restarts at mark 3
B writes x2 "w" to xdoc token 17
B writes y1 "w" to ydoc
B writes y2 "w" to ydoc deadline 4
A reads xdoc as r lost
A calls mail "hello" held as m
m is lost
ydoc becomes fenced+owner
coordinator saves
A releases X
B acquires X
coordinator restores jumping 10
B writes x3 "z" to xdoc
coordinator restarts
"#,
        "
        0 A asks the coordinator for lease X. The coordinator grants A lease X until 10 s, with token 17. A learns that it holds lease X.
        0 A sends “x1” to resource xdoc with token 17. Resource xdoc accepts “x1”. The mark is now 17. From now on only token 17 passes. A learns that “x1” was accepted.
        0 A claims resource xdoc with token 17. Resource xdoc accepts A’s claim. A learns that its claim was accepted.
        0 Resource xdoc forgets nothing: its mark is durable.
        0 Resource xdoc restarts, and its durable mark stays.
        0 B sends “x2” to resource xdoc with token 17. Resource xdoc rejects “x2”: the coordinator does not vouch for this token from B. “x1” stays. B learns that “x2” was rejected.
        0 B sends “y1” to resource ydoc without a token. Resource ydoc rejects “y1”: it carries no deadline. B learns that “y1” was rejected.
        0 B sends “y2” to resource ydoc without a token, deadline 4 s. Resource ydoc rejects “y2”: its clock says 5 s, the deadline was 4 s. B learns that “y2” was rejected.
        0 A asks resource xdoc for its value. A’s request is lost.
        0 A calls mail: “hello”. The network holds it for now.
        0 A’s request is lost.
        0 Resource ydoc judges by fenced+owner from now on.
        0 The coordinator saves its leases and counters.
        0 A gives lease X back. The coordinator takes lease X back from A. A learns that lease X is released.
        0 B asks for lease X. The coordinator grants B lease X until 10 s, with token 18. B learns that it holds lease X.
        0 The coordinator goes back to its snapshot, and each counter jumps by 10. The next token of lease X is 28. The next token of lease Y is 14. A’s lease X is back, until 10 s. B’s lease X is gone at the coordinator. B is not told.
        0 B sends “x3” to resource xdoc with token 18. Resource xdoc rejects “x3”: 18 is not the pinned token, 17. “x1” stays. B learns that “x3” was rejected.
        0 The coordinator restarts without its leases. Its counters are kept. The coordinator forgets A’s lease X.
        ",
    );
}

#[test]
fn a_lost_answer_leaves_the_client_unsure() {
    says(
        r#"token 9
ttl 8
A acquires
at 6 A renews reply lost
at 9 B acquires
at 13 A writes a1 "a1"
"#,
        "
        0 A asks the coordinator for the lease.
        1 The coordinator grants A the lease until 9 s, with token 9.
        2 A learns that it holds the lease.
        6 A asks for more time on the lease.
        7 The coordinator renews A’s lease, now good until 15 s. Token 9 stays. The answer to A is lost.
        8 A stops believing that it holds the lease: by its own clock the time is over.
        9 B asks for the lease.
        10 The coordinator refuses B: A holds the lease until 15 s.
        11 B learns that it does not get the lease.
        13 A sends “a1” with token 9.
        14 The resource accepts “a1”. The mark is now 9.
        15 A’s lease expires. A learns that “a1” was accepted.
        ",
    );
}

#[test]
fn an_answer_may_come_too_late() {
    says(
        r#"token 9
ttl 4
A acquires reply taking 6
at 8 A acquires reply held as q
at 9 coordinator expires A
at 10 q arrives
at 11 A crashes
at 12 A restarts
at 12 A checks
"#,
        "
        0 A asks the coordinator for the lease.
        1 The coordinator grants A the lease until 5 s, with token 9.
        5 A’s lease expires.
        7 A learns that it was granted the lease under token 9. By its own clock that time is over already.
        8 A asks for the lease.
        9 The coordinator grants A the lease until 13 s, with token 10. The network holds the answer to A. The coordinator lets A’s lease expire before its time.
        10 A learns that it holds the lease. At the coordinator that is over already.
        11 A crashes. Its memory is gone.
        12 A starts again without its memory.
        12 A checks, and does not know of holding the lease.
        ",
    );
}

/// The name, scenario and trace of all cases: under their own policy and under one of a few others.
fn all_runs() -> &'static [(String, Scenario, Trace)] {
    static RUNS: LazyLock<Vec<(String, Scenario, Trace)>> = LazyLock::new(|| {
        let others = [Base::Unfenced, Base::CheckThenWrite, Base::Equality].map(Policy::of);
        let mut runs = Vec::new();
        for (index, (name, text)) in texts().into_iter().enumerate() {
            let scenario = parsed(&text);
            let other = run_under(&scenario, &others[index % others.len()]);
            let own = run(&scenario);
            runs.push((name.clone(), scenario.clone(), other));
            runs.push((name, scenario, own));
        }
        runs
    });
    &RUNS
}

fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut texts = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "fence") {
            texts.push((
                path.display().to_string(),
                fs::read_to_string(&path).unwrap(),
            ));
        }
    }
    texts.sort();
    let random = fs::read_to_string(folder.join("random-cases.jsonl")).unwrap();
    for line in random.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| case[name].as_str().unwrap().to_owned();
        texts.push((field("name"), field("text")));
    }
    assert!(texts.len() > 100);
    texts
}

fn wrong_phrase(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase();
    WRONG_PHRASES
        .iter()
        .map(|(wrong, _)| *wrong)
        .find(|wrong| lower.contains(&wrong.to_lowercase()))
}

#[test]
fn every_moment_has_a_well_formed_text() {
    for (name, scenario, trace) in all_runs() {
        for (at_secs, text) in narration::transcript(scenario, trace) {
            let wrong = wrong_phrase(&text);
            assert_eq!(wrong, None, "{name} at {at_secs}: {text}");
            assert!(
                text.ends_with(['.', '!', '?']),
                "{name} at {at_secs}: {text:?}"
            );
            let odd = ["  ", " .", " ,", "..", "? "];
            let found = odd.iter().find(|odd| text.contains(**odd));
            assert_eq!(found, None, "{name} at {at_secs}: {text}");
        }
    }
}

#[test]
fn every_event_of_a_moment_is_told_once() {
    let scenario = parsed(&case("two-clients-41-42"));
    let trace = run(&scenario);
    for (index, moment) in trace.moments.iter().enumerate() {
        let whole = narration::moment(&scenario, &trace, index);
        for event in moment.events.clone() {
            if let Some(sentence) = narration::sentence(&scenario, &trace, event) {
                let names = scenario.clients.iter().map(|name| format!("{name} "));
                let stripped = names.filter_map(|name| sentence.strip_prefix(&name)).next();
                let predicate = stripped.unwrap_or(&sentence).trim_end_matches('.');
                assert!(whole.contains(predicate), "{sentence} in {whole}");
            }
        }
    }
}

#[test]
fn wrong_phrases_are_found_in_any_case() {
    assert!(wrong_phrase("An Expired Token is rejected by the resource.").is_some());
    assert!(wrong_phrase("Fencing revokes A’s lease.").is_some());
    assert!(wrong_phrase("This guarantees mutual exclusion.").is_some());
    assert_eq!(
        wrong_phrase("It was superseded, and the resource has seen it."),
        None
    );
}

/// The badge at the end of the run.
#[track_caller]
fn badge(text: &str, expected: &str, broken: bool) {
    let scenario = parsed(text);
    let trace = run(&scenario);
    let got = narration::badge(&scenario, &trace, trace.moments.len());
    assert_eq!((got.text.as_str(), got.broken), (expected, broken));
}

#[test]
fn the_badge_names_the_first_failure() {
    badge(&case("two-clients-41-42"), "No stale write accepted", false);
    let unfenced = case("two-clients-41-42").replace("doc: fenced", "doc: unfenced");
    badge(&unfenced, "Stale write accepted: token 41 after 42", true);
    badge(
        &case("one-code-path-forgot-the-token"),
        "Stale write accepted: no token after 4",
        true,
    );
    badge(
        &case("coordinator-restored-without-a-jump"),
        "Stale write accepted: token 41 of A after 41 of B",
        true,
    );
    badge(
        &case("strict-greater-than-refuses-the-holder-s-second"),
        "Holder refused: “a2”",
        true,
    );
    badge(
        &case("the-successor-holds-34-but-has-not-written-yet"),
        "Update lost under “b1”",
        true,
    );
    let plain = case("one-token-packets-reordered-and-duplicated").replace("+sequence", "");
    badge(&plain, "Accepted out of order: “a1”", true);
}

#[test]
fn the_badge_knows_nothing_of_the_future() {
    let text = case("two-clients-41-42").replace("doc: fenced", "doc: unfenced");
    let scenario = parsed(&text);
    let trace = run(&scenario);
    let broken = |moment| narration::badge(&scenario, &trace, moment + 1).broken;
    let at = trace
        .moments
        .iter()
        .position(|moment| moment.at_secs == 21)
        .unwrap();
    assert!((0..at).all(|moment| !broken(moment)));
    assert!((at..trace.moments.len()).all(broken));
}

#[test]
fn outcomes_are_short() {
    let outcome = |answer, reason, anomalies: &[Anomaly]| {
        narration::short_outcome(&Outcome {
            answer,
            reason,
            anomalies: anomalies.iter().copied().collect(),
        })
    };
    assert_eq!(outcome(Answer::Granted(41), None, &[]), "granted 41");
    assert_eq!(
        outcome(Answer::Rejected, Some(Reason::Stale), &[]),
        "rejected: stale"
    );
    assert_eq!(
        outcome(Answer::Accepted, None, &[Anomaly::Stale]),
        "accepted (stale)"
    );
    assert_eq!(outcome(Answer::NotCommitted, None, &[]), "not committed");
    assert_eq!(
        outcome(
            Answer::Rejected,
            Some(Reason::Equal),
            &[Anomaly::HolderRefused]
        ),
        "rejected: equal (holder-refused)"
    );
}

#[test]
fn the_picture_has_a_name() {
    let scenario = parsed(&case("replicas-copies-and-a-majority"));
    let trace = run(&scenario);
    assert_eq!(
        narration::timeline_label(&scenario, &trace),
        (
            format!("Timeline, 0 to {} virtual seconds, at ", trace.end_secs),
            " s. 6 lanes: coordinator, client A, client B, resource at R1, resource at R2 and \
             resource at R3."
                .to_owned()
        )
    );
}

/// The frame at the last moment of `at_secs`, `extra_ms` later.
fn frame_at(text: &str, at_secs: Secs, extra_ms: u64) -> frame::Frame {
    let scenario = parsed(text);
    let trace = run(&scenario);
    let moment = trace
        .moments
        .iter()
        .rposition(|moment| moment.at_secs <= at_secs)
        .unwrap();
    frame::at(&scenario, &trace, moment + 1, at_secs * 1000 + extra_ms)
}

const DESIGN: &str = "token 41
A acquires
A writes draft \"draft\"
A pauses
at 11 B acquires
B writes final \"final\"
at 15 A resumes
A writes late \"late\"
";

#[test]
fn the_panels_show_belief_beside_truth() {
    let frame = frame_at(DESIGN, 16, 400);
    let held = frame.leases[0].held.unwrap();
    assert_eq!(
        (held.client, held.token, held.until_secs),
        (ClientId(1), 42, 22)
    );
    assert_eq!(
        (held.granted_secs, held.remaining_ms, frame.leases[0].next),
        (12, 5_600, 43)
    );

    let a = &frame.clients[0];
    assert_eq!(a.status, Status::RunningAgain);
    let still = Belief::Still {
        token: 41,
        as_of_secs: 4,
    };
    let ended = Truth::Ended {
        how: LeaseEnd::Expired,
        at_secs: 11,
    };
    assert_eq!((a.leases[0].belief, a.leases[0].truth), (still, ended));
    assert_eq!((a.leases[0].matches, a.leases[0].wrong), (false, true));
    assert_eq!(a.last_act, "“late” sent at 15 s.");

    let b = &frame.clients[1];
    assert_eq!(b.status, Status::Running);
    let holds = Belief::Holds {
        token: 42,
        until_secs: 21,
    };
    assert_eq!(b.leases[0].belief, holds);
    assert!(b.leases[0].matches && !b.leases[0].wrong);
    assert_eq!(b.last_act, "“final” acknowledged at 15 s.");

    let doc = &frame.resources[0];
    assert!(doc.judging);
    assert_eq!(
        (doc.places[0].value.as_str(), doc.places[0].mark),
        ("final", 42)
    );
    assert_eq!(
        (doc.places[0].writer, doc.places[0].owner),
        (Some(ClientId(1)), Some(ClientId(1)))
    );
    assert_eq!(
        narration::belief_words(still),
        ("holds 41".into(), "as of 4 s".into())
    );
    assert_eq!(
        narration::truth_words(ended),
        ("no lease".into(), "expired, 11 s".into())
    );
}

#[test]
fn a_paused_client_will_resume_where_it_stopped() {
    let frame = frame_at(DESIGN, 14, 0);
    let a = &frame.clients[0];
    assert_eq!(a.status, Status::Paused { since_secs: 4 });
    assert_eq!(narration::status_words(a.status), "paused since 4 s");
    assert_eq!(a.last_act, "Will resume where it stopped.");
    assert!(frame_at(DESIGN, 14, 0).resources[0].judging);
    assert!(!frame_at(DESIGN, 13, 0).resources[0].judging);
    let start = frame_at(DESIGN, 0, 0);
    assert_eq!(start.clients[1].leases[0].truth, Truth::Never);
    assert_eq!(
        (start.clients[1].last_act.as_str(), start.leases[0].next),
        ("Has done nothing yet.", 41)
    );
}

/// A frame shows the ends that were known then, not those of later renewals.
#[test]
fn a_frame_does_not_look_ahead() {
    let text = "latency 0\nA acquires\nat 5 A renews\n";
    let before = frame_at(text, 0, 0);
    let (held, belief) = (
        before.leases[0].held.unwrap(),
        before.clients[0].leases[0].belief,
    );
    assert_eq!(held.until_secs, 10);
    assert_eq!(
        belief,
        Belief::Holds {
            token: 1,
            until_secs: 10
        }
    );
    let after = frame_at(text, 5, 0);
    let (held, belief) = (
        after.leases[0].held.unwrap(),
        after.clients[0].leases[0].belief,
    );
    assert_eq!(
        (held.until_secs, held.since_secs, held.granted_secs),
        (15, 5, 0)
    );
    assert_eq!(
        belief,
        Belief::Holds {
            token: 1,
            until_secs: 15
        }
    );
}

#[test]
fn a_lock_delay_is_shown_until_it_ends() {
    let text = "latency 0\nttl 3\ncoordinator: lock delay 4\nA acquires\nwait 3\nB acquires\nat 8 B acquires\n";
    assert_eq!(frame_at(text, 0, 0).leases[0].lock_delay_until_secs, None);
    assert_eq!(
        frame_at(text, 3, 0).leases[0].lock_delay_until_secs,
        Some(7)
    );
    assert_eq!(frame_at(text, 8, 0).leases[0].lock_delay_until_secs, None);
}

/// The frame at the end agrees with what the simulation says of the end.
#[test]
fn frames_are_total_and_agree_with_the_run() {
    for (name, scenario, trace) in all_runs() {
        for (moment, at) in trace.moments.iter().enumerate() {
            let frame = frame::at(scenario, trace, moment + 1, at.at_secs * 1000);
            assert_eq!(frame.clients.len(), scenario.clients.len());
        }
        let last = frame::at(scenario, trace, usize::MAX, trace.end_secs * 1000);
        for (index, resource) in last.resources.iter().enumerate() {
            let (mark, value) = final_state(scenario, trace, ResourceId(index));
            let agrees = |place: &frame::PlaceFrame| place.mark == mark && place.value == value;
            assert!(resource.places.iter().any(agrees), "{name}");
        }
        for (event, kind) in trace.events.iter().enumerate() {
            let EventKind::Judged(verdict) = kind.kind else {
                continue;
            };
            let moment = trace
                .moments
                .iter()
                .position(|m| m.events.contains(&event))
                .unwrap();
            let frame = frame::at(scenario, trace, moment + 1, kind.at_secs * 1000);
            let resource = trace.verdicts[verdict].place.resource;
            assert!(frame.resources[resource.0].judging, "{name}");
        }
    }
}

/// All policies that the language can write.
fn policies() -> Vec<Policy> {
    let mut all = Vec::new();
    for base in Base::ALL {
        for bits in 0..1u32 << PolicyOption::ALL.len() {
            let chosen = PolicyOption::ALL
                .iter()
                .enumerate()
                .filter(|(i, _)| bits >> i & 1 == 1);
            let options: EnumSet<PolicyOption> = chosen.map(|(_, option)| *option).collect();
            let both = options.contains(&PolicyOption::DedupeFirst)
                && options.contains(&PolicyOption::DedupeAfter);
            let cas = options.contains(&PolicyOption::Cas) && *base != Base::CheckThenWrite;
            if !both && !cas {
                all.push(Policy {
                    base: *base,
                    options,
                });
            }
        }
    }
    all
}

fn rule_text(policy: &str) -> Vec<String> {
    let scenario = parsed(&format!("resource doc: {policy}\n"));
    gate::rule(&scenario.resources[0].policy)
        .into_iter()
        .map(|line| line.text)
        .collect()
}

#[test]
fn every_rule_has_four_to_six_lines() {
    for policy in policies() {
        let lines = gate::rule(&policy);
        let wanted = if policy.options.is_empty() {
            4..=4
        } else {
            4..=6
        };
        assert!(wanted.contains(&lines.len()), "{policy}: {lines:?}");
        assert!(
            lines.iter().any(|line| line.role == Role::Store),
            "{policy}"
        );
        let open: usize = lines
            .iter()
            .map(|line| line.text.matches('(').count())
            .sum();
        let close: usize = lines
            .iter()
            .map(|line| line.text.matches(')').count())
            .sum();
        assert_eq!(open, close, "{policy}: {lines:?}");
    }
}

#[test]
fn rules_are_those_of_the_language() {
    assert_eq!(
        rule_text("fenced"),
        [
            "if token >= mark:",
            "    mark  = token",
            "    value = new",
            "else: reject"
        ]
    );
    assert_eq!(
        rule_text("unfenced"),
        [
            "on write(new, token):",
            "    # token is ignored",
            "    value = new",
            "    accept"
        ]
    );
    assert_eq!(
        rule_text("check-then-write+cas"),
        [
            "on check(token): ok = token >= mark",
            "# time passes",
            "on write(new): if ok and unchanged:",
            "    value = new; raise mark",
        ]
    );
    assert_eq!(
        rule_text("fenced+owner+optional+dedupe-after"),
        [
            "if no token or (token >= mark",
            "    and owner is sender if equal):",
            "    if key is known: duplicate",
            "    mark  = token, if any",
            "    value = new",
            "else: reject",
        ]
    );
}

/// Each verdict as `line|left operator right|holds`.
fn evaluations(text: &str) -> Vec<String> {
    let scenario = parsed(text);
    let trace = run(&scenario);
    let shown = |verdict: &Verdict| {
        let got = gate::evaluation(&scenario, &trace, verdict);
        let lines = gate::rule(&verdict.comparison.policy);
        let right = got
            .right
            .map_or_else(String::new, |right| format!(" {}", right.text));
        let line = lines[got.line].text.trim();
        format!(
            "{line} | {} {}{right} | {:?}",
            got.left.text, got.operator, got.holds
        )
    };
    trace.verdicts.iter().map(shown).collect()
}

#[test]
fn evaluations_show_the_real_numbers() {
    let text = case("two-clients-41-42");
    assert_eq!(
        evaluations(&text),
        [
            "value = new | 41 >= 0 | Some(true)",
            "value = new | 42 >= 41 | Some(true)",
            "else: reject | 41 >= 42 | Some(false)",
        ]
    );
    assert_eq!(
        evaluations(&text.replace("doc: fenced", "doc: unfenced"))[2],
        "value = new | 41 not compared | None"
    );
    assert_eq!(
        evaluations(&text.replace("doc: fenced", "doc: equality"))[1],
        "else: reject | 42 == 41 | Some(false)"
    );
    assert_eq!(
        evaluations(&text.replace("doc: fenced", "doc: ask-holder"))[2],
        "else: reject | B is A | Some(false)"
    );
    assert_eq!(
        evaluations(&text.replace("doc: fenced", "doc: check-then-write"))[2],
        "on check(token): ok = token >= mark | 41 >= 42 | Some(false)"
    );
    let late = case("time-bounded-write-instead-of-a-token-nobody-els");
    assert_eq!(
        evaluations(&late),
        ["else: reject | 105 s <= 100 s | Some(false)"]
    );
    let text = case("an-idempotency-record-with-an-in-progress-timeou");
    assert_eq!(
        evaluations(&text.replace("doc: unfenced", "doc: fenced+dedupe-first"))[1],
        "if key is known: duplicate | key “k” is known | Some(true)"
    );
}

/// What decided agrees with the verdict, over all runs and under many policies.
#[test]
fn evaluations_agree_with_verdicts() {
    let all = policies();
    for (at, (name, scenario, _)) in all_runs().iter().enumerate() {
        let policy = &all[at * 7 % all.len()];
        let trace = run_under(scenario, policy);
        for verdict in &trace.verdicts {
            let got = gate::evaluation(scenario, &trace, verdict);
            let lines = gate::rule(policy);
            let role = lines[got.line].role;
            assert_eq!(got.answer, verdict.answer);
            if verdict.answer == Answer::Rejected {
                assert_ne!(got.holds, Some(true), "{name} {policy}");
            } else {
                assert_ne!(got.holds, Some(false), "{name} {policy}");
            }
            if !verdict.claim {
                let stores = verdict.answer == Answer::Accepted;
                assert_eq!(role == Role::Store, stores, "{name} {policy}: {verdict:?}");
            }
        }
    }
}
