//! From labels to places in a run.

use super::super::{Stand, labels};
use super::scenes::Played;
use crate::sim::Trace;

/// A run has at most so many labels for an error to list them all.
const MAX_LISTED: usize = 12;
/// A name is suggested for one that differs in one character, or in so many out of ten.
const MAX_EDITS_IN_TEN: usize = 3;
/// For a shorter word anything would be near.
const MIN_GUESSED_CHARS: usize = 3;

/// Where all events up to the instant of `event` have happened.
pub(super) fn after(trace: &Trace, event: usize) -> Stand {
    around(trace, event, 1)
}

/// Where everything before the instant of `event` has happened.
fn before(trace: &Trace, event: usize) -> Stand {
    around(trace, event, 0)
}

fn around(trace: &Trace, event: usize, of_this: usize) -> Stand {
    let index = trace
        .moments
        .partition_point(|moment| moment.events.end <= event);
    let Some(moment) = trace.moments.get(index) else {
        return end(trace);
    };
    let at_secs = moment.at_secs;
    let first = trace
        .moments
        .partition_point(|moment| moment.at_secs < at_secs);
    Stand {
        at_secs,
        nth: index - first + of_this,
    }
}

/// The end of the run.
pub(super) fn end(trace: &Trace) -> Stand {
    let at_secs = trace.end_secs;
    let earlier = trace
        .moments
        .partition_point(|moment| moment.at_secs < at_secs);
    Stand {
        at_secs,
        nth: trace.moments.len() - earlier,
    }
}

/// The place that an anchor names: `start`, `end`, `[before ]LABEL[ (n)]`. It is looked up in the
/// first run; the end is that of the longest.
pub(super) fn find(anchor: &str, panes: &[&Played]) -> Result<Stand, String> {
    let Some(played) = panes.first() else {
        return Err("there is no run to find it in".to_owned());
    };
    match anchor {
        "start" => return Ok(Stand::default()),
        "end" => {
            let longest = panes.iter().max_by_key(|played| played.trace.end_secs);
            return Ok(end(&longest.unwrap_or(played).trace));
        }
        _ => {}
    }
    let (label, place): (&str, fn(&Trace, usize) -> Stand) = match anchor.strip_prefix("before ") {
        Some(label) => (label, before),
        None => (anchor, after),
    };
    let (label, nth) = counted(label)?;
    let trace = &played.trace;
    let has = |event: &usize| {
        labels(&played.scenario, trace, *event)
            .iter()
            .any(|l| l == label)
    };
    let events: Vec<usize> = (0..trace.events.len()).filter(has).collect();
    match events.get(nth - 1) {
        Some(event) => Ok(place(trace, *event)),
        None if events.is_empty() => Err(unknown(label, played)),
        None => Err(format!(
            "there is no `{label} ({nth})`: it happens {}",
            times(events.len())
        )),
    }
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        _ => format!("{count} times"),
    }
}

/// `late judged (2)`: the label and which of its events.
fn counted(label: &str) -> Result<(&str, usize), String> {
    let Some((label, rest)) = label.split_once(" (") else {
        return Ok((label, 1));
    };
    let number = rest
        .strip_suffix(')')
        .and_then(|number| number.parse().ok());
    match number {
        Some(nth) if nth >= 1 => Ok((label, nth)),
        _ => Err(format!(
            "`({rest}` does not say which one: write `{label} (2)` for the second"
        )),
    }
}

fn unknown(label: &str, played: &Played) -> String {
    let mut known: Vec<String> = Vec::new();
    for event in 0..played.trace.events.len() {
        for label in labels(&played.scenario, &played.trace, event) {
            if !known.contains(&label) {
                known.push(label);
            }
        }
    }
    let names = known.iter().map(String::as_str);
    let mut reason = format!(
        "no event is called `{label}` here{}",
        suggestion(label, names)
    );
    if known.len() <= MAX_LISTED {
        reason.push_str(&format!(
            "; the events are {}",
            listed(known.iter().map(String::as_str))
        ));
    }
    reason
}

/// `; did you mean …?`, or nothing.
pub(super) fn suggestion<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> String {
    let length = word.chars().count();
    let reach = (length * MAX_EDITS_IN_TEN / 10).max(1);
    let distance = |known: &'k str| (strsim::osa_distance(word, known), known);
    match known.map(distance).min_by_key(|(distance, _)| *distance) {
        Some((distance, nearest)) if distance <= reach && length >= MIN_GUESSED_CHARS => {
            format!("; did you mean `{nearest}`?")
        }
        _ => String::new(),
    }
}

/// `` `a`, `b`, `c` ``
pub(super) fn listed<'k>(names: impl Iterator<Item = &'k str>) -> String {
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
