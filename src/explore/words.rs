//! What was searched and what was not, in sentences made from the bounds.

use super::bounds::{Bounds, CoordinatorFault, LeaseEnds, Property};
use super::search::Outcome;

/// The bounds as sentences.
pub fn describe(bounds: &Bounds) -> Vec<String> {
    let each = if bounds.clients == 1 { "" } else { "each " };
    let mut sentences = vec![format!(
        "{} may {each}be granted the lease {} and send up to {}.",
        capital(&count(bounds.clients, "client")),
        times(bounds.grants),
        count(bounds.writes, "write"),
    )];
    let clients = [
        (bounds.reads, "read before a write"),
        (bounds.pauses, "pause"),
        (bounds.client_crashes, "crash and start again"),
        (bounds.retries, "send its last write again"),
    ];
    sentences.extend(clients.iter().map(|(n, what)| match n {
        0 => format!("A client does not {what}."),
        n => format!("A client may {what} {}.", times(*n)),
    }));
    sentences.push(format!("A lease may end {}.", ends(bounds.lease_ends)));
    sentences.push(match bounds.delays {
        0 => "No write is late.".into(),
        n => format!(
            "Up to {} may be late by any time, or for ever.",
            count(n, "write")
        ),
    });
    sentences.push(match bounds.stalls {
        0 => "No write stalls between arrival and effect.".into(),
        n => format!(
            "Up to {} may stall between arrival and effect.",
            count(n, "write")
        ),
    });
    sentences.push(match bounds.duplicates {
        0 => "Nothing arrives twice.".into(),
        n => format!(
            "Up to {} of judged writes may arrive.",
            count_as(n, "copy", "copies")
        ),
    });
    sentences.push(match bounds.coordinator_faults {
        0 => "The coordinator does not fail.".into(),
        n => format!(
            "The coordinator may {} {}.",
            fault(bounds.coordinator_fault),
            times(n)
        ),
    });
    sentences.push(match bounds.resource_crashes {
        0 => "The resource does not lose its mark.".into(),
        n => format!("The resource may lose its mark {}.", times(n)),
    });
    sentences
}

/// What a search within these bounds covers.
pub fn covered(bounds: &Bounds) -> Vec<String> {
    let each = if bounds.clients == 1 { "" } else { " each" };
    let mut list = vec![
        format!(
            "{}, up to {} and {}{each}",
            count(bounds.clients, "client"),
            count(bounds.grants, "grant"),
            count(bounds.writes, "write"),
        ),
        format!("a lease that ends {}", ends(bounds.lease_ends)),
    ];
    let some = [
        (
            bounds.reads,
            "read-modify-write: up to",
            "read",
            " a client",
        ),
        (bounds.pauses, "up to", "pause", " a client, of any length"),
        (
            bounds.client_crashes,
            "up to",
            "crash",
            " a client, its memory lost",
        ),
        (
            bounds.retries,
            "up to",
            "retry",
            " a client under the same key",
        ),
        (
            bounds.delays,
            "up to",
            "late write",
            " in all, by any time or for ever",
        ),
        (
            bounds.stalls,
            "up to",
            "stall",
            " between arrival and effect",
        ),
        (
            bounds.duplicates,
            "up to",
            "repeated delivery",
            " after the first",
        ),
    ];
    let line = |(n, before, what, after): &(u8, &str, &str, &str)| {
        (*n > 0).then(|| format!("{before} {}{after}", count_as(*n, what, &plural(what))))
    };
    list.extend(some.iter().filter_map(line));
    if bounds.coordinator_faults > 0 {
        list.push(format!(
            "a coordinator that may {} once",
            fault(bounds.coordinator_fault)
        ));
    }
    if bounds.resource_crashes > 0 {
        list.push(format!(
            "a mark that is lost up to {}",
            times(bounds.resource_crashes)
        ));
    }
    list
}

/// What a search within these bounds does not cover.
pub fn not_covered(bounds: &Bounds) -> Vec<String> {
    let mut list = vec![format!(
        "a {} client, or a {} grant or a {} write of one client",
        ordinal(bounds.clients + 1),
        ordinal(bounds.grants + 1),
        ordinal(bounds.writes + 1),
    )];
    let none = [
        (bounds.reads, "updates computed from a read"),
        (bounds.client_crashes, "clients that crash"),
        (bounds.retries, "clients that send a write again"),
        (bounds.delays, "late or lost writes"),
        (bounds.stalls, "a stall between arrival and effect"),
        (bounds.duplicates, "messages that arrive twice"),
        (bounds.coordinator_faults, "a coordinator that fails"),
        (bounds.resource_crashes, "a mark that is lost"),
    ];
    let missing = none.iter().filter(|(n, _)| *n == 0);
    list.extend(missing.map(|(_, what)| (*what).to_owned()));
    if bounds.pauses == 0 && bounds.lease_ends == LeaseEnds::OnTime {
        list.push("clients that pause".into());
    }
    if bounds.lease_ends == LeaseEnds::OnTime {
        list.push("a lease that ends before its time, or clocks that differ".into());
    }
    if bounds.stalls > 0 && bounds.duplicates > 0 {
        list.push("a copy that arrives while the first stalls".into());
    }
    list.extend(
        [
            "late, lost or repeated requests to the coordinator and answers",
            "renewal, release and re-entry",
            "a resource restored from a backup, and replicas",
            "forged or missing tokens",
            "effects outside the resource",
        ]
        .map(String::from),
    );
    list
}

/// The result in one line, without a full stop.
pub fn title(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Holds { states, .. } => {
            format!("No violation in {} distinct states", with_commas(*states))
        }
        Outcome::Violated { property, path, .. } => format!(
            "{}, in {} step{}",
            property.violation(),
            path.len(),
            if path.len() == 1 { "" } else { "s" }
        ),
        Outcome::LimitReached { states, depth } => format!(
            "Stopped after {} distinct states, the limit; no violation in up to {depth} steps",
            with_commas(*states)
        ),
    }
}

/// 12345 as "12,345".
pub fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn ends(ends: LeaseEnds) -> &'static str {
    match ends {
        LeaseEnds::AnyMoment => "at any moment, unnoticed by its holder",
        LeaseEnds::OnTime => "only on time, on clocks that agree",
    }
}

fn fault(fault: CoordinatorFault) -> &'static str {
    match fault {
        CoordinatorFault::Restart => "restart, its counter kept,",
        CoordinatorFault::LosesCounter => "restart, its counter lost,",
        CoordinatorFault::RollsBack => "go back to a snapshot",
        CoordinatorFault::RollsBackAndJumps => "go back to a snapshot, its counter jumping ahead,",
    }
}

fn times(n: u8) -> String {
    match n {
        1 => "once".into(),
        2 => "twice".into(),
        n => format!("{} times", word(n)),
    }
}

fn word(n: u8) -> &'static str {
    ["no", "one", "two", "three", "four"]
        .get(usize::from(n))
        .copied()
        .unwrap_or("many")
}

fn ordinal(n: u8) -> &'static str {
    ["", "first", "second", "third", "fourth"]
        .get(usize::from(n))
        .copied()
        .unwrap_or("further")
}

fn count(n: u8, what: &str) -> String {
    count_as(n, what, &plural(what))
}

fn count_as(n: u8, one: &str, many: &str) -> String {
    format!("{} {}", word(n), if n == 1 { one } else { many })
}

fn plural(what: &str) -> String {
    match what.strip_suffix('y') {
        Some(stem) if !what.ends_with("ay") => format!("{stem}ies"),
        _ if what.ends_with("sh") => format!("{what}es"),
        _ => format!("{what}s"),
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// A small run in which it happens, to draw as a tile.
pub fn example(property: Property) -> &'static str {
    match property {
        Property::NoStaleAccepted => {
            "resource doc: unfenced\nA acquires\nA pauses\nat 11 B acquires\nB writes b \"b\"\nA resumes\nA writes a \"a\"\n"
        }
        Property::HolderNeverRefused => {
            "token 5\nA acquires\nA writes a \"a\"\ncoordinator restarts at token 1\nB acquires\nB writes b \"b\"\n"
        }
        Property::NoDoubleEffectPerKey => {
            "A acquires\nA writes one \"paid\" key \"k\" reply lost\nwait 2\nA writes two \"paid\" key \"k\"\n"
        }
        Property::NoLostUpdate => {
            "resource doc: unfenced\nA acquires\nA reads as r\nat 11 B acquires\nB writes b \"b\"\nA writes a \"a\" based on r\n"
        }
        Property::MarkNeverFalls => {
            "A acquires\nat 11 B acquires\nB writes b \"b\"\ndoc forgets mark\nA writes a \"a\"\n"
        }
    }
}
