//! From a scenario to its canonical text: no defaults, outcomes in one column.

use super::cursor::quote;
use super::header::default_resource;
use super::modifier::is_modifier;
use crate::sim::{
    Action, Answer, Body, ClientAction, ClientId, CoordinatorAction, CoordinatorRules, Expect,
    ExpectedVerdict, LeaseId, MessageAction, NameId, Outcome, Reentry, Request, Resource,
    ResourceAction, ResourceId, Scenario, Step, TokenChoice, Travel, Write,
};
use std::cmp::Ordering;
use std::fmt::Display;

/// Outcomes stand in one column, but not farther right than this.
const MAX_ALIGN_CHARS: usize = 48;
/// More steps than that are not aligned: the blanks would fill a text that has a greatest size.
const MAX_ALIGNED_STEPS: usize = 1_000;

/// The canonical text of a scenario, with a newline after each line. Parsing it gives the scenario
/// back if it came from a text, and its own is within [`super::MAX_TEXT_BYTES`]. A name that an index does not lead to is printed as `?`.
pub fn print(scenario: &Scenario) -> String {
    let mut text = String::new();
    print_header(&mut text, scenario);
    if !scenario.steps.is_empty() && !text.is_empty() {
        text.push('\n');
    }
    print_steps(&mut text, scenario);
    if !scenario.expects.is_empty() && !text.is_empty() {
        text.push('\n');
    }
    for expect in &scenario.expects {
        print_expect(&mut text, scenario, expect);
        text.push('\n');
    }
    text
}

/// One step, without a newline.
pub fn print_step(scenario: &Scenario, step: &Step) -> String {
    let mut line = print_action(scenario, step);
    if let Some(outcome) = &step.expectation {
        add(&mut line, &[" => ", &print_outcome(outcome)]);
    }
    line
}

/// What a `=>` or an `expect` says: "rejected because stale (holder-refused)".
pub fn print_outcome(outcome: &Outcome) -> String {
    if let Answer::Granted(token) = outcome.answer {
        return word_number("granted ", token);
    }
    let mut text = outcome.answer.word().to_owned();
    if let Some(reason) = outcome.reason {
        add(&mut text, &[" because ", reason.name()]);
    }
    for (index, anomaly) in outcome.anomalies.iter().enumerate() {
        let before = if index == 0 { " (" } else { ", " };
        add(&mut text, &[before, anomaly.name()]);
    }
    if !outcome.anomalies.is_empty() {
        text.push(')');
    }
    text
}

fn add(text: &mut String, parts: &[&str]) {
    for part in parts {
        text.push_str(part);
    }
}

fn add_number(text: &mut String, before: &str, number: impl Display) {
    add(text, &[before, &number.to_string()]);
}

fn word_number(before: &str, number: u64) -> String {
    [before, &number.to_string()].concat()
}

/// `before` and a number, unless it is the default.
fn add_setting(text: &mut String, before: &str, number: u64, default: u64, after: &str) {
    if number != default {
        add_number(text, before, number);
        text.push_str(after);
    }
}

fn print_header(text: &mut String, scenario: &Scenario) {
    if !scenario.title.is_empty() {
        add(text, &["scenario ", &quote(&scenario.title), "\n"]);
    }
    add_setting(text, "ttl ", scenario.ttl_secs, 10, "\n");
    add_setting(text, "latency ", scenario.latency_secs, 1, "\n");
    add_setting(text, "token ", scenario.token, 1, "\n");
    if scenario.clients != ["A", "B"] {
        add(text, &["clients ", &scenario.clients.join(", "), "\n"]);
    }
    for lease in &scenario.leases {
        let Some(name) = &lease.name else { continue };
        add(text, &["lease ", name]);
        for (word, number) in [(", token ", lease.token), (", ttl ", lease.ttl_secs)] {
            if let Some(number) = number {
                add_number(text, word, number);
            }
        }
        text.push('\n');
    }
    if scenario.resources != [default_resource("doc")] {
        for resource in &scenario.resources {
            print_resource(text, scenario, resource);
        }
    }
    for external in &scenario.externals {
        add(text, &["external ", external, "\n"]);
    }
    print_rules(text, &scenario.coordinator);
}

fn print_resource(text: &mut String, scenario: &Scenario, resource: &Resource) {
    add(text, &["resource ", &resource.name]);
    if resource.lease != LeaseId(0) {
        add(text, &[" under ", lease_name(scenario, resource.lease)]);
    }
    add(text, &[": ", &resource.policy.name()]);
    add_setting(text, ", mark ", resource.mark, 0, "");
    if !resource.value.is_empty() {
        add(text, &[", value ", &quote(&resource.value)]);
    }
    if !resource.replicas.is_empty() {
        add(text, &[", replicas ", &resource.replicas.join(" ")]);
    }
    if let Some(quorum) = resource.quorum {
        add_number(text, ", quorum ", quorum);
    }
    let skew = resource.clock_skew_secs;
    match skew.cmp(&0) {
        Ordering::Equal => {}
        Ordering::Greater => add_number(text, ", clock +", skew),
        Ordering::Less => add_number(text, ", clock ", skew),
    }
    text.push('\n');
}

fn print_rules(text: &mut String, rules: &CoordinatorRules) {
    let mut settings = Vec::new();
    if rules.lock_delay_secs != 0 {
        settings.push(word_number("lock delay ", rules.lock_delay_secs));
    }
    if rules.late_renewal {
        settings.push("late renewal allowed".to_owned());
    }
    match rules.reentry {
        Reentry::Keeps => {}
        Reentry::Mints => settings.push("reentry mints".to_owned()),
        Reentry::Refused => settings.push("reentry refused".to_owned()),
    }
    if !settings.is_empty() {
        add(text, &["coordinator: ", &settings.join(", "), "\n"]);
    }
}

/// All steps, their outcomes in one column.
fn print_steps(text: &mut String, scenario: &Scenario) {
    let actions: Vec<(String, &Step)> = scenario
        .steps
        .iter()
        .map(|step| (print_action(scenario, step), step))
        .collect();
    let width = actions
        .iter()
        .filter(|_| actions.len() <= MAX_ALIGNED_STEPS)
        .filter(|(_, step)| step.expectation.is_some())
        .map(|(action, _)| action.chars().count())
        .filter(|width| *width <= MAX_ALIGN_CHARS)
        .max()
        .unwrap_or(0);
    for (action, step) in &actions {
        text.push_str(action);
        if let Some(outcome) = &step.expectation {
            let gap = width.saturating_sub(action.chars().count());
            text.extend(std::iter::repeat_n(' ', gap));
            add(text, &["  => ", &print_outcome(outcome)]);
        }
        text.push('\n');
    }
}

/// A step without its outcome.
fn print_action(scenario: &Scenario, step: &Step) -> String {
    let mut line = String::new();
    if let Some(at) = step.at_secs {
        add_number(&mut line, "at ", at);
        line.push(' ');
    }
    match &step.action {
        Action::Wait(secs) => add_number(&mut line, "wait ", secs),
        Action::Note(caption) => add(&mut line, &["note ", &quote(caption)]),
        Action::Request(request) => print_request(&mut line, scenario, request),
        Action::Client(client, action) => {
            let verb = match action {
                ClientAction::Pauses => " pauses",
                ClientAction::Resumes => " resumes",
                ClientAction::Crashes => " crashes",
                ClientAction::Restarts => " restarts",
            };
            add(&mut line, &[client_name(scenario, *client), verb]);
        }
        Action::Checks(client, lease) => {
            add(&mut line, &[client_name(scenario, *client), " checks"]);
            add_lease(&mut line, scenario, *lease);
        }
        Action::Message(name, action) => {
            let verb = match action {
                MessageAction::Arrives => " arrives",
                MessageAction::ArrivesAgain => " arrives again",
                MessageAction::IsLost => " is lost",
            };
            add(&mut line, &[message_name(scenario, *name), verb]);
        }
        Action::Coordinator(action) => print_coordinator(&mut line, scenario, action),
        Action::Resource(resource, action) => {
            line.push_str(resource_name(scenario, *resource));
            print_resource_action(&mut line, action);
        }
    }
    line
}

fn print_coordinator(line: &mut String, scenario: &Scenario, action: &CoordinatorAction) {
    line.push_str("coordinator ");
    match action {
        CoordinatorAction::Expires(client, lease) => {
            add(line, &["expires ", client_name(scenario, *client)]);
            add_lease(line, scenario, *lease);
        }
        CoordinatorAction::Revokes(client, lease) => {
            add(line, &["revokes ", client_name(scenario, *client)]);
            add_lease(line, scenario, *lease);
        }
        CoordinatorAction::Saves => line.push_str("saves"),
        CoordinatorAction::Restores { jump } => {
            line.push_str("restores");
            add_setting(line, " jumping ", *jump, 0, "");
        }
        CoordinatorAction::Restarts { token } => {
            line.push_str("restarts");
            if let Some(token) = token {
                add_number(line, " at token ", token);
            }
        }
        CoordinatorAction::Grants {
            client,
            lease,
            token,
            until_secs,
        } => {
            add(line, &["grants ", client_name(scenario, *client)]);
            add_lease(line, scenario, *lease);
            add_number(line, " token ", token);
            if let Some(until) = until_secs {
                add_number(line, " until ", until);
            }
        }
    }
}

fn print_resource_action(line: &mut String, action: &ResourceAction) {
    match action {
        ResourceAction::ForgetsMark => line.push_str(" forgets mark"),
        ResourceAction::RestartsAtMark(mark) => add_number(line, " restarts at mark ", mark),
        ResourceAction::Saves => line.push_str(" saves"),
        ResourceAction::Restores => line.push_str(" restores"),
        ResourceAction::Becomes(policy) => add(line, &[" becomes ", &policy.name()]),
    }
}

fn print_request(line: &mut String, scenario: &Scenario, request: &Request) {
    line.push_str(client_name(scenario, request.client));
    let name = request.name.map(|name| message_name(scenario, name));
    match &request.body {
        Body::Acquire(lease) | Body::Renew(lease) | Body::Release(lease) => {
            line.push_str(match request.body {
                Body::Acquire(_) => " acquires",
                Body::Renew(_) => " renews",
                _ => " releases",
            });
            add_lease(line, scenario, *lease);
        }
        Body::Write(write) => {
            add(
                line,
                &[" writes ", name.unwrap_or("?"), " ", &quote(&write.value)],
            );
            if scenario.resources.len() > 1 {
                add(line, &[" to ", resource_name(scenario, write.resource)]);
            }
        }
        Body::Read(resource) => {
            line.push_str(" reads");
            add_resource(line, scenario, *resource);
        }
        Body::Claim(resource, _) => {
            line.push_str(" claims");
            add_resource(line, scenario, *resource);
        }
        Body::Call(external, what) => {
            let external = scenario.externals.get(external.0);
            let external = external.map_or("?", String::as_str);
            add(line, &[" calls ", external, " ", &quote(what)]);
        }
    }
    if let (Some(name), false) = (name, matches!(request.body, Body::Write(_))) {
        add(line, &[" as ", name]);
    }
    add_travel(line, "", request.travel);
    add_travel(line, " reply", request.reply);
    match &request.body {
        Body::Write(write) => print_write(line, scenario, write),
        Body::Claim(_, token) => add_token(line, token),
        _ => {}
    }
}

/// Nothing follows the list of replicas, so their names may be words of modifiers.
fn print_write(line: &mut String, scenario: &Scenario, write: &Write) {
    if let Some(at) = write.applied_at_secs {
        add_number(line, " applied at ", at);
    }
    add_token(line, &write.token);
    if let Some(key) = &write.key {
        add(line, &[" key ", &quote(key)]);
    }
    if let Some(seq) = write.seq {
        add_number(line, " seq ", seq);
    }
    if let Some(read) = write.based_on {
        add(line, &[" based on ", message_name(scenario, read)]);
    }
    if let Some(deadline) = write.deadline_secs {
        add_number(line, " deadline ", deadline);
    }
    if let Some(reached) = &write.reaching {
        line.push_str(" reaching");
        for replica in reached {
            add(
                line,
                &[" ", replica_name(scenario, write.resource, replica.0)],
            );
        }
    }
}

fn add_token(line: &mut String, token: &TokenChoice) {
    match token {
        TokenChoice::Known => {}
        TokenChoice::Missing => line.push_str(" no token"),
        TokenChoice::Number(token) => add_number(line, " token ", token),
        TokenChoice::Text(text) => add(line, &[" token ", &quote(text)]),
        TokenChoice::Forged(token) => add_number(line, " forged token ", token),
    }
}

fn add_travel(line: &mut String, whose: &str, travel: Travel) {
    if travel == Travel::Latency {
        return;
    }
    line.push_str(whose);
    match travel {
        Travel::Latency => {}
        Travel::Taking(secs) => add_number(line, " taking ", secs),
        Travel::ArrivingAt(at) => add_number(line, " arriving at ", at),
        Travel::Held => line.push_str(" held"),
        Travel::Lost => line.push_str(" lost"),
    }
}

fn print_expect(text: &mut String, scenario: &Scenario, expect: &Expect) {
    text.push_str("expect ");
    let resource = match expect {
        Expect::Verdicts(policy, verdicts) => {
            text.push_str(&policy.name());
            for (index, verdict) in verdicts.iter().enumerate() {
                text.push_str(if index == 0 { ": " } else { ", " });
                print_verdict(text, scenario, verdict);
            }
            return;
        }
        Expect::Mark(mark, resource) => {
            add_number(text, "mark ", mark);
            *resource
        }
        Expect::Value(value, resource) => {
            add(text, &["value ", &quote(value)]);
            *resource
        }
    };
    if scenario.resources.len() > 1 {
        add(text, &[" at ", resource_name(scenario, resource)]);
    }
}

fn print_verdict(text: &mut String, scenario: &Scenario, verdict: &ExpectedVerdict) {
    text.push_str(message_name(scenario, verdict.name));
    add_setting(text, "#", u64::from(verdict.delivery), 1, "");
    if let Some(replica) = verdict.replica {
        let resource = resource_of(scenario, verdict.name);
        let name = resource.map_or("?", |resource| replica_name(scenario, resource, replica.0));
        add(text, &["@", name]);
    }
    add(text, &[" ", &print_outcome(&verdict.outcome)]);
}

/// Where the write or claim of that name goes.
fn resource_of(scenario: &Scenario, name: NameId) -> Option<ResourceId> {
    scenario.steps.iter().find_map(|step| match &step.action {
        Action::Request(request) if request.name == Some(name) => match &request.body {
            Body::Write(write) => Some(write.resource),
            Body::Claim(resource, _) => Some(*resource),
            _ => None,
        },
        _ => None,
    })
}

/// The lease, where the text must name it; so too where it could be taken for a modifier.
fn add_lease(line: &mut String, scenario: &Scenario, lease: LeaseId) {
    let name = lease_name(scenario, lease);
    if scenario.leases.len() > 1 || is_modifier(name) {
        add(line, &[" ", name]);
    }
}

/// The resource, on the same terms.
fn add_resource(line: &mut String, scenario: &Scenario, resource: ResourceId) {
    let name = resource_name(scenario, resource);
    if scenario.resources.len() > 1 || is_modifier(name) {
        add(line, &[" ", name]);
    }
}

fn client_name(scenario: &Scenario, client: ClientId) -> &str {
    scenario.clients.get(client.0).map_or("?", String::as_str)
}

fn message_name(scenario: &Scenario, name: NameId) -> &str {
    scenario.messages.get(name.0).map_or("?", String::as_str)
}

fn lease_name(scenario: &Scenario, lease: LeaseId) -> &str {
    let lease = scenario.leases.get(lease.0);
    lease.and_then(|lease| lease.name.as_deref()).unwrap_or("?")
}

fn resource_name(scenario: &Scenario, resource: ResourceId) -> &str {
    let resource = scenario.resources.get(resource.0);
    resource.map_or("?", |resource| resource.name.as_str())
}

fn replica_name(scenario: &Scenario, resource: ResourceId, replica: usize) -> &str {
    let resource = scenario.resources.get(resource.0);
    let name = resource.and_then(|resource| resource.replicas.get(replica));
    name.map_or("?", String::as_str)
}
