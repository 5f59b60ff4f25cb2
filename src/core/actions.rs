//! What the learner can do at the cursor: each action is one line of the language.
//!
//! An action that makes no sense now is offered all the same, with the reason.

use crate::frame::{self, Status};
use crate::playhead::Cursor;
use crate::session::Run;
use crate::sim::*;
use serde::{Deserialize, Serialize};

/// A set of actions of one party.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Whose; `None`: time itself.
    pub client: Option<ClientId>,
    /// What can be done.
    pub actions: Vec<Action>,
}

/// One action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// What the button says.
    pub label: String,
    /// The line that it writes.
    pub line: String,
    /// Why not now, as a sentence.
    pub why_not: Option<String>,
}

/// The actions at `cursor`, for the first lease and resource where there are several.
pub fn offers(run: &Run, cursor: Cursor) -> Vec<Group> {
    let scenario = run.scenario();
    let frame = frame::at(scenario, &run.trace, cursor.passed, cursor.now_ms);
    let mut groups: Vec<Group> = (0..scenario.clients.len())
        .map(|index| Group {
            client: Some(ClientId(index)),
            actions: of_client(run, cursor, ClientId(index), frame.clients[index].status),
        })
        .collect();
    let ends = frame.leases.iter().filter_map(|lease| lease.held);
    let end_secs = ends.map(|held| held.until_secs).min();
    groups.push(Group {
        client: None,
        actions: of_time(cursor, end_secs),
    });
    groups
}

fn of_client(run: &Run, cursor: Cursor, client: ClientId, status: Status) -> Vec<Action> {
    let scenario = run.scenario();
    let name = &scenario.clients[client.0];
    let idle = match status {
        Status::Paused { .. } => Some([name, " is paused: resume it first."].concat()),
        Status::Crashed { .. } => Some([name, " has crashed: restart it first."].concat()),
        Status::Running | Status::RunningAgain => None,
    };
    let lease = LeaseId(0);
    let unknown = (!knows_grant(run, cursor, client, lease))
        .then(|| [name, " knows no grant yet: let it acquire the lease first."].concat());
    let no_grant = idle.clone().or(unknown);
    let of_lease = [" ", scenario.leases[0].name.as_deref().unwrap_or("")].concat();
    let of_lease = of_lease.trim_end();
    let line = |verb: &str, object: &str| [name, " ", verb, object].concat();
    let go_on = match status {
        Status::Paused { .. } => action("Resume", line("resumes", ""), None),
        Status::Crashed { .. } => action("Restart", line("restarts", ""), None),
        Status::Running | Status::RunningAgain => action("Pause", line("pauses", ""), None),
    };
    vec![
        go_on,
        action("Acquire", line("acquires", of_lease), idle.clone()),
        action("Renew", line("renews", of_lease), no_grant.clone()),
        action("Release", line("releases", of_lease), no_grant),
        action("Write", line("writes ", &next_write(scenario)), idle),
    ]
}

fn action(label: &str, line: String, why_not: Option<String>) -> Action {
    Action {
        label: label.to_owned(),
        line,
        why_not,
    }
}

/// Whether it has heard of a grant, and not crashed since.
fn knows_grant(run: &Run, cursor: Cursor, client: ClientId, lease: LeaseId) -> bool {
    let trace = &run.trace;
    let events = &trace.events[..trace.events_passed(cursor.passed)];
    let told = |event: &Event| match &event.kind {
        EventKind::Client(who, ClientAction::Crashes) if *who == client => Some(false),
        EventKind::Heard(id) => match trace.messages[id.0].content {
            Content::Answer(AnswerContent::Granted(grant, _)) => {
                let grant = &trace.grants[grant.0];
                (grant.client == client && grant.lease == lease).then_some(true)
            }
            _ => None,
        },
        EventKind::Granted {
            grant,
            how: GrantKind::Forced,
            ..
        } => {
            let grant = &trace.grants[grant.0];
            (grant.client == client && grant.lease == lease).then_some(true)
        }
        _ => None,
    };
    events.iter().rev().find_map(told).unwrap_or(false)
}

/// A name that the text does not use yet, the same as value, and where to.
fn next_write(scenario: &Scenario) -> String {
    let taken = |name: &String| scenario.messages.contains(name);
    let name = (1..=scenario.messages.len() + 1)
        .map(|number| ["w", &number.to_string()].concat())
        .find(|name| !taken(name))
        .unwrap_or_default();
    let mut text = [name.as_str(), " \"", &name, "\""].concat();
    if scenario.resources.len() > 1 {
        text.push_str(" to ");
        text.push_str(&scenario.resources[0].name);
    }
    text
}

fn of_time(cursor: Cursor, end_secs: Option<Secs>) -> Vec<Action> {
    let now_secs = cursor.now_ms / 1000;
    let left_secs = end_secs
        .map(|end| end.saturating_sub(now_secs))
        .filter(|left| *left > 0);
    let wait = |secs: Secs| ["wait ", &secs.to_string()].concat();
    vec![
        action("Wait 1 s", wait(1), None),
        action("Wait 5 s", wait(5), None),
        action(
            "Let the lease end",
            wait(left_secs.unwrap_or(1)),
            left_secs
                .is_none()
                .then(|| "Nobody holds the lease now.".to_owned()),
        ),
    ]
}
