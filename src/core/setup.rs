//! The header of a text as fields, and back: only the lines change of which a field has changed.

use crate::edit::{rename, replace_line, split_comment};
use crate::script;
use crate::sim::*;

/// A setting of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Which one, as `ttl` or `resource 0 mark`.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// Its value as text.
    pub value: String,
    /// The values that it can have; empty: any.
    pub choices: Vec<&'static str>,
}

const REENTRY: [(Reentry, &str); 3] = [
    (Reentry::Keeps, "keeps its token"),
    (Reentry::Mints, "gets a new token"),
    (Reentry::Refused, "is refused"),
];
const LATE: [&str; 2] = ["refused", "allowed"];

fn setting(id: &str, label: &str, value: impl ToString) -> Setting {
    Setting {
        id: id.to_owned(),
        label: label.to_owned(),
        value: value.to_string(),
        choices: Vec::new(),
    }
}

fn shown(value: Option<u64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// All settings of a scenario in groups: a title, and what stands below it.
pub fn settings(scenario: &Scenario) -> Vec<(String, Vec<Setting>)> {
    let rules = &scenario.coordinator;
    let reentry = REENTRY
        .iter()
        .find(|(known, _)| *known == rules.reentry)
        .map_or("", |(_, name)| name);
    let mut groups = vec![
        (
            "Run".to_owned(),
            vec![
                setting("scenario", "Title", &scenario.title),
                setting("clients", "Clients", scenario.clients.join(", ")),
                setting(
                    "external",
                    "Systems outside the fence",
                    scenario.externals.join(", "),
                ),
                setting("latency", "Latency, s", scenario.latency_secs),
            ],
        ),
        (
            "Coordinator".to_owned(),
            vec![
                setting("ttl", "Lease duration, s", scenario.ttl_secs),
                setting("token", "Next token", scenario.token),
                setting("lock", "Lock delay, s", rules.lock_delay_secs),
                Setting {
                    choices: LATE.to_vec(),
                    ..setting(
                        "late",
                        "Late renewal",
                        LATE[usize::from(rules.late_renewal)],
                    )
                },
                Setting {
                    choices: REENTRY.iter().map(|(_, name)| *name).collect(),
                    ..setting("reentry", "A holder that asks again", reentry)
                },
                setting("leases", "Leases", lease_names(scenario)),
            ],
        ),
    ];
    if scenario.leases.len() > 1 || scenario.leases.iter().any(|lease| lease.name.is_some()) {
        for (index, lease) in scenario.leases.iter().enumerate() {
            let id = |what: &str| ["lease ", &index.to_string(), " ", what].concat();
            groups.push((
                ["Lease ", lease.name.as_deref().unwrap_or("")].concat(),
                vec![
                    setting(&id("token"), "Next token", shown(lease.token)),
                    setting(&id("ttl"), "Duration, s", shown(lease.ttl_secs)),
                ],
            ));
        }
    }
    groups.push((
        "Resources".to_owned(),
        vec![setting("resources", "Resources", resource_names(scenario))],
    ));
    for (index, resource) in scenario.resources.iter().enumerate() {
        let id = |what: &str| ["resource ", &index.to_string(), " ", what].concat();
        let mut fields = vec![
            setting(&id("policy"), "Policy", &resource.policy),
            setting(&id("mark"), "Mark at the start", resource.mark),
            setting(&id("value"), "Value at the start", &resource.value),
            setting(&id("replicas"), "Replicas", resource.replicas.join(" ")),
            setting(&id("quorum"), "Quorum", shown(resource.quorum)),
            setting(&id("clock"), "Clock ahead, s", resource.clock_skew_secs),
        ];
        if scenario.leases.len() > 1 {
            let under = scenario
                .leases
                .get(resource.lease.0)
                .and_then(|lease| lease.name.clone());
            fields.push(setting(
                &id("under"),
                "Under lease",
                under.unwrap_or_default(),
            ));
        }
        groups.push((["Resource ", &resource.name].concat(), fields));
    }
    groups
}

fn lease_names(scenario: &Scenario) -> String {
    scenario
        .leases
        .iter()
        .filter_map(|lease| lease.name.as_deref())
        .collect::<Vec<_>>()
        .join(", ")
}

fn resource_names(scenario: &Scenario) -> String {
    scenario
        .resources
        .iter()
        .map(|resource| resource.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

/// The text with one setting changed.
///
/// # Errors
/// A sentence that says what the value should be.
pub fn change(source: &str, scenario: &Scenario, id: &str, value: &str) -> Result<String, String> {
    let mut next = scenario.clone();
    let value = value.trim();
    let names = list(value);
    let mut text = source.to_owned();
    let mut parts = id.split(' ');
    match (
        parts.next(),
        parts.next().and_then(|index| index.parse().ok()),
        parts.next(),
    ) {
        (Some("scenario"), ..) => next.title = value.to_owned(),
        (Some("latency"), ..) => next.latency_secs = number(value)?,
        (Some("ttl"), ..) => next.ttl_secs = number(value)?,
        (Some("token"), ..) => next.token = number(value)?,
        (Some("lock"), ..) => next.coordinator.lock_delay_secs = number(value)?,
        (Some("late"), ..) => next.coordinator.late_renewal = value == LATE[1],
        (Some("reentry"), ..) => {
            let known = REENTRY.iter().find(|(_, name)| *name == value);
            next.coordinator.reentry = known.map_or(Reentry::Keeps, |(reentry, _)| *reentry);
        }
        (Some("clients"), ..) => {
            let names = some_names(names, "clients", MAX_CLIENTS)?;
            text = renamed(text, &scenario.clients, &names);
            next.clients = names;
        }
        (Some("external"), ..) => {
            text = renamed(text, &scenario.externals, &names);
            next.externals = names;
        }
        (Some("leases"), ..) => {
            let before: Vec<String> = scenario
                .leases
                .iter()
                .filter_map(|lease| lease.name.clone())
                .collect();
            text = renamed(text, &before, &names);
            next.leases = kept(&scenario.leases, &before, &names, |name| Lease {
                name: Some(name),
                token: None,
                ttl_secs: None,
            });
            if next.leases.is_empty() {
                next.leases.push(Lease {
                    name: None,
                    token: None,
                    ttl_secs: None,
                });
            }
            for resource in &mut next.resources {
                resource.lease = LeaseId(resource.lease.0.min(next.leases.len() - 1));
            }
            for (lease, name) in next.leases.iter_mut().zip(&names) {
                lease.name = Some(name.clone());
            }
        }
        (Some("resources"), ..) => {
            let names = some_names(names, "resources", MAX_RESOURCES)?;
            let before: Vec<String> = scenario
                .resources
                .iter()
                .map(|resource| resource.name.clone())
                .collect();
            text = renamed(text, &before, &names);
            next.resources = kept(&scenario.resources, &before, &names, plain_resource);
            for (resource, name) in next.resources.iter_mut().zip(names) {
                resource.name = name;
            }
        }
        (Some("lease"), Some(index), Some(what)) => change_lease(&mut next, index, what, value)?,
        (Some("resource"), Some(index), Some(what)) => {
            change_resource(&mut next, index, what, value)?
        }
        _ => {}
    }
    Ok(with_header(&text, scenario, &next))
}

/// `A, B C` as names.
fn list(value: &str) -> Vec<String> {
    let parts = value
        .split([',', ' '])
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

fn number(value: &str) -> Result<u64, String> {
    let number = value.parse().ok().filter(|number| *number <= MAX_NUMBER);
    number.ok_or_else(|| ["This should be a whole number, not “", value, "”."].concat())
}

fn optional(value: &str) -> Result<Option<u64>, String> {
    if value.is_empty() {
        Ok(None)
    } else {
        number(value).map(Some)
    }
}

fn some_names(names: Vec<String>, what: &str, most: usize) -> Result<Vec<String>, String> {
    match names.len() {
        0 => Err(["There must be one of the ", what, " at least."].concat()),
        count if count > most => {
            Err(["There can be ", &most.to_string(), " ", what, " at most."].concat())
        }
        _ => Ok(names),
    }
}

/// As many names as before: those that differ were renamed, and so are their uses.
fn renamed(text: String, before: &[String], after: &[String]) -> String {
    if before.len() != after.len() || before.iter().all(|name| after.contains(name)) {
        return text;
    }
    let pairs = before.iter().zip(after).filter(|(old, new)| old != new);
    pairs.fold(text, |text, (old, new)| rename(&text, old, new))
}

/// The parts whose names stay (or were renamed in place), and new ones.
fn kept<T: Clone>(
    parts: &[T],
    before: &[String],
    after: &[String],
    new: impl Fn(String) -> T,
) -> Vec<T> {
    let same_count = before.len() == after.len();
    let part = |(index, name): (usize, &String)| {
        let known = before.iter().position(|old| old == name);
        let known = known.or(same_count.then_some(index));
        known
            .and_then(|index| parts.get(index).cloned())
            .unwrap_or_else(|| new(name.clone()))
    };
    after.iter().enumerate().map(part).collect()
}

fn plain_resource(name: String) -> Resource {
    Resource {
        name,
        lease: LeaseId(0),
        policy: Policy::of(Base::Fenced),
        mark: 0,
        value: String::new(),
        replicas: Vec::new(),
        quorum: None,
        clock_skew_secs: 0,
    }
}

fn change_lease(next: &mut Scenario, index: usize, what: &str, value: &str) -> Result<(), String> {
    let Some(lease) = next.leases.get_mut(index) else {
        return Ok(());
    };
    let number = optional(value)?;
    match what {
        "token" => lease.token = number,
        _ => lease.ttl_secs = number,
    }
    Ok(())
}

fn change_resource(
    next: &mut Scenario,
    index: usize,
    what: &str,
    value: &str,
) -> Result<(), String> {
    let lease = next
        .leases
        .iter()
        .position(|lease| lease.name.as_deref() == Some(value));
    let Some(resource) = next.resources.get_mut(index) else {
        return Ok(());
    };
    match what {
        "policy" => {
            resource.policy = script::parse_policy(value)
                .map_err(|error| ["This is not a policy: ", &error.to_string(), "."].concat())?
        }
        "mark" => resource.mark = number(value)?,
        "value" => resource.value = value.to_owned(),
        "replicas" => resource.replicas = list(value),
        "quorum" => resource.quorum = optional(value)?,
        "clock" => {
            let digits = value.strip_prefix('+').unwrap_or(value);
            let skew = digits.parse().map_err(|_| {
                "This should be a whole number, with a minus sign if the clock is behind."
                    .to_owned()
            });
            resource.clock_skew_secs = skew?;
        }
        _ => {
            let name = ["There is no lease “", value, "”."].concat();
            resource.lease = LeaseId(lease.ok_or(name)?);
        }
    }
    Ok(())
}

/// The text with another policy at a resource.
pub fn set_policy(source: &str, scenario: &Scenario, resource: usize, policy: &Policy) -> String {
    let mut next = scenario.clone();
    if let Some(resource) = next.resources.get_mut(resource) {
        resource.policy = policy.clone();
    }
    with_header(source, scenario, &next)
}

/// The line of the header that declares a resource.
pub fn resource_line(scenario: &Scenario, resource: usize) -> String {
    let name = scenario
        .resources
        .get(resource)
        .map_or("", |resource| resource.name.as_str());
    let found = header(scenario)
        .into_iter()
        .find(|line| line.key == ["resource ", name].concat());
    found.map_or(["resource ", name, ": fenced"].concat(), |line| line.text)
}

/// A header line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    /// Its word, with the name where lines may be repeated.
    key: String,
    text: String,
}

/// The order of header lines.
const ORDER: [&str; 9] = [
    "scenario",
    "ttl",
    "latency",
    "token",
    "clients",
    "lease",
    "resource",
    "external",
    "coordinator",
];

/// The key of a line that begins a header line.
fn key_of(line: &str) -> Option<String> {
    let (body, _) = split_comment(line);
    let mut words = body
        .split([' ', ':', ',', '\t'])
        .filter(|word| !word.is_empty());
    let first = words.next()?;
    match first {
        "lease" | "resource" | "external" => {
            Some([first, " ", words.next().unwrap_or("")].concat())
        }
        "coordinator"
            if body.trim_start()[first.len()..]
                .trim_start()
                .starts_with(':') =>
        {
            Some(first.to_owned())
        }
        "coordinator" => None,
        _ => ORDER.contains(&first).then(|| first.to_owned()),
    }
}

/// The header lines of a scenario, as they are printed.
fn header(scenario: &Scenario) -> Vec<Line> {
    let alone = Scenario {
        steps: Vec::new(),
        expects: Vec::new(),
        messages: Vec::new(),
        ..scenario.clone()
    };
    let text = script::print(&alone);
    text.lines()
        .filter_map(|line| {
            Some(Line {
                key: key_of(line)?,
                text: line.to_owned(),
            })
        })
        .collect()
}

fn rank(key: &str) -> usize {
    let word = key.split(' ').next().unwrap_or_default();
    ORDER
        .iter()
        .position(|known| *known == word)
        .unwrap_or(ORDER.len())
}

/// Replaces, removes and adds the header lines in which the scenarios differ. `source` is that of
/// `before`, names perhaps changed already.
fn with_header(source: &str, before: &Scenario, after: &Scenario) -> String {
    let (old, new) = (header(before), header(after));
    let find = |lines: &[Line], key: &str| {
        lines
            .iter()
            .find(|line| line.key == key)
            .map(|line| line.text.clone())
    };
    let mut text = source.to_owned();
    let mut number = 1;
    let mut written: Vec<String> = Vec::new();
    while let Some(line) = text.split('\n').nth(number - 1) {
        let Some(key) = key_of(line).filter(|key| !written.contains(key)) else {
            number += 1;
            continue;
        };
        match (find(&old, &key), find(&new, &key)) {
            // The same, said or left to the default.
            (was, is) if was == is => number += 1,
            (_, Some(is)) => {
                text = replace_line(&text, number, &is);
                number += 1;
            }
            (_, None) => text = without_line(&text, number),
        }
        written.push(key);
    }
    for line in &new {
        if !written.contains(&line.key) && find(&old, &line.key).as_ref() != Some(&line.text) {
            text = with_line(&text, line);
        }
    }
    text
}

fn without_line(text: &str, number: usize) -> String {
    let lines = text
        .split('\n')
        .enumerate()
        .filter(|(index, _)| index + 1 != number);
    lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// Adds a header line after those that come before it.
fn with_line(text: &str, new: &Line) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let ranks = lines.iter().map(|line| key_of(line).map(|key| rank(&key)));
    let before = |other: &Option<_>| other.is_some_and(|other| other <= rank(&new.key));
    let mut ranks = ranks.enumerate();
    let last = ranks.rfind(|(_, other)| before(other));
    let any = lines.iter().any(|line| key_of(line).is_some());
    let is_comment = |line: &&str| line.starts_with('#');
    let place = last.map_or_else(
        || lines.iter().take_while(|line| is_comment(line)).count(),
        |(index, _)| index + 1,
    );
    lines.insert(place, &new.text);
    // The first header line is parted from the steps.
    if !any
        && lines
            .get(place + 1)
            .is_some_and(|line| !line.trim().is_empty())
    {
        lines.insert(place + 1, "");
    }
    lines.join("\n")
}
