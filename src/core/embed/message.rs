//! The messages of the protocol, version 1, without the objects that carry them.

use super::{Options, Start};
use crate::narration;
use crate::script::MAX_TEXT_BYTES;
use crate::session::{Run, Session, Speed};
use crate::sim::*;

/// The version that is spoken.
const VERSION: f64 = 1.0;
/// Longest name of an event, option or message, in bytes.
const MAX_NAME: usize = 200;
/// Longest packed text or other value of an option, in bytes.
const MAX_VALUE: usize = 100_000;
/// One jump tells of so many verdicts at most.
const MAX_VERDICTS: usize = 100;
/// Greatest number of a step or time that is taken.
const MAX_NUMBER: f64 = 1e9;

/// A field's content.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Several numbers.
    Numbers(Vec<f64>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Value::Number(number as f64)
    }
}

/// To the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its `type`.
    pub kind: &'static str,
    /// All that it says beside `source`, `v`, `id` and `type`.
    pub fields: Vec<(&'static str, Value)>,
}

/// What a host can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Says that it listens.
    Hello,
    /// Puts the cursor somewhere.
    Goto(Start),
    /// One moment on.
    Next,
    /// One moment back.
    Prev,
    /// Plays.
    Play(Option<Speed>),
    /// Stops.
    Pause,
    /// Back to the state that the address describes.
    Reset,
    /// Sets an option.
    Set(String, String),
    /// Another scenario.
    Load(String),
    /// Wants to know all.
    GetState,
}

/// What came of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Received {
    /// It is not for us, and nothing is said about it.
    Foreign,
    /// It is refused: code and message for the host.
    Refused(&'static str, String),
    /// It asks for this.
    Asked(Command),
}

/// Understands a message whose fields `text` and `number` read; both answer `None` for a field
/// that is missing, of another type or absurdly long.
pub fn receive(
    text: &dyn Fn(&str) -> Option<String>,
    number: &dyn Fn(&str) -> Option<f64>,
) -> Received {
    if text("target").as_deref() != Some("fencing-lab") {
        return Received::Foreign;
    }
    if number("v") != Some(VERSION) {
        return Received::Refused("bad-version", "This embed speaks version 1.".to_owned());
    }
    let kind = text("type")
        .filter(|kind| kind.len() <= MAX_NAME)
        .unwrap_or_default();
    match command(&kind, text, number) {
        Ok(Some(command)) => Received::Asked(command),
        Ok(None) => Received::Refused(
            "unknown-command",
            ["The message “", &kind, "” is unknown, or lacks a field."].concat(),
        ),
        Err(reason) => Received::Refused("bad-scenario", reason),
    }
}

fn command(
    kind: &str,
    text: &dyn Fn(&str) -> Option<String>,
    number: &dyn Fn(&str) -> Option<f64>,
) -> Result<Option<Command>, String> {
    let short = |name: &str, most: usize| text(name).filter(|value| value.len() <= most);
    Ok(match kind {
        "hello" => Some(Command::Hello),
        "goto" => place(text, number).map(Command::Goto),
        "next" => Some(Command::Next),
        "prev" => Some(Command::Prev),
        "play" => Some(Command::Play(number("speed").and_then(speed))),
        "pause" => Some(Command::Pause),
        "reset" => Some(Command::Reset),
        "set-theme" => {
            short("theme", MAX_NAME).map(|theme| Command::Set("theme".to_owned(), theme))
        }
        "set-option" => (short("name", MAX_NAME).zip(short("value", MAX_VALUE)))
            .map(|(name, value)| Command::Set(name, value)),
        "load-scenario" => match text("text") {
            Some(text) if text.len() > MAX_TEXT_BYTES => {
                return Err("The scenario is too long.".to_owned());
            }
            found => found.map(Command::Load),
        },
        "get-state" => Some(Command::GetState),
        _ => None,
    })
}

fn place(
    text: &dyn Fn(&str) -> Option<String>,
    number: &dyn Fn(&str) -> Option<f64>,
) -> Option<Start> {
    let count = |name: &str| number(name).filter(|n| (0.0..=MAX_NUMBER).contains(n));
    if let Some(step) = count("step") {
        return Some(Start::Step(step as usize));
    }
    if let Some(at) = count("at") {
        return Some(Start::At((at * 1000.0) as u64));
    }
    let name = text("event").filter(|name| name.len() <= MAX_NAME)?;
    Some(Start::Event(name))
}

fn speed(value: f64) -> Option<Speed> {
    Some(match value {
        0.5 => Speed::Half,
        1.0 => Speed::Normal,
        2.0 => Speed::Double,
        4.0 => Speed::Quadruple,
        _ => return None,
    })
}

fn secs(ms: u64) -> Value {
    Value::Number(ms as f64 / 1000.0)
}

fn optional(text: Option<&str>) -> Value {
    text.map_or(Value::Null, Value::from)
}

/// First of all.
pub fn hello() -> Message {
    Message {
        kind: "hello",
        fields: vec![
            ("versions", Value::Numbers(vec![VERSION])),
            ("app", env!("CARGO_PKG_VERSION").into()),
        ],
    }
}

/// After the first paint. `storage`: whether the browser lets us keep anything.
pub fn ready(options: &Options, session: &Session, storage: bool) -> Message {
    Message {
        kind: "ready",
        fields: vec![
            ("lesson", optional(options.lesson.as_deref())),
            ("step", session.cursor.passed.into()),
            ("total", session.total().into()),
            ("steps", session.run.scenario().steps.len().into()),
            ("storage", Value::Flag(storage)),
        ],
    }
}

/// The height of all that is shown, in CSS px.
pub fn resize(height: f64) -> Message {
    Message {
        kind: "resize",
        fields: vec![("height", Value::Number(height))],
    }
}

/// Where the cursor stands now.
pub fn step(session: &Session) -> Message {
    let passed = session.cursor.passed;
    let text = match passed.checked_sub(1) {
        Some(last) => narration::moment(session.run.scenario(), &session.run.trace, last),
        None => String::new(),
    };
    Message {
        kind: "step",
        fields: vec![
            ("step", passed.into()),
            ("total", session.total().into()),
            ("at", secs(session.cursor.now_ms)),
            ("text", Value::Text(text)),
        ],
    }
}

/// What resources decided between `before` and `passed` moments; nothing on the way back.
pub fn verdicts(run: &Run, before: usize, passed: usize) -> Vec<Message> {
    let (from, to) = (
        run.trace.events_passed(before),
        run.trace.events_passed(passed),
    );
    let events = run.trace.events.get(from..to).unwrap_or(&[]);
    let judged = events.iter().filter_map(|event| match event.kind {
        EventKind::Judged(verdict) => run.trace.verdicts.get(verdict),
        _ => None,
    });
    judged
        .take(MAX_VERDICTS)
        .map(|verdict| told(run, verdict))
        .collect()
}

fn told(run: &Run, verdict: &Verdict) -> Message {
    let name = verdict
        .name
        .and_then(|name| run.scenario().messages.get(name.0));
    let answer = match verdict.answer {
        Answer::Accepted => "accepted",
        Answer::Duplicate => "duplicate",
        _ => "rejected",
    };
    let token = match &verdict.comparison.token {
        CarriedToken::Missing => Value::Null,
        CarriedToken::Number(token) => Value::Number(*token as f64),
        CarriedToken::Text(text) => Value::Text(text.clone()),
    };
    let anomalies: Vec<&str> = verdict
        .anomalies
        .iter()
        .map(|anomaly| anomaly.name())
        .collect();
    Message {
        kind: "verdict",
        fields: vec![
            ("write", optional(name.map(String::as_str))),
            ("verdict", answer.into()),
            ("reason", optional(verdict.reason.map(Reason::name))),
            ("token", token),
            ("mark", Value::Number(verdict.comparison.mark as f64)),
            (
                "anomaly",
                optional(Some(anomalies.join(", ").as_str()).filter(|all| !all.is_empty())),
            ),
            ("policy", Value::Text(verdict.comparison.policy.to_string())),
        ],
    }
}

/// The run of a lesson was seen to its end.
pub fn complete(lesson: &str) -> Message {
    Message {
        kind: "lesson-complete",
        fields: vec![("lesson", lesson.into())],
    }
}

/// All that a host may want to know. `url`: the address of this state in the app.
pub fn state(options: &Options, session: &Session, url: &str) -> Message {
    Message {
        kind: "state",
        fields: vec![
            ("lesson", optional(options.lesson.as_deref())),
            ("step", session.cursor.passed.into()),
            ("total", session.total().into()),
            ("at", secs(session.cursor.now_ms)),
            ("playing", Value::Flag(session.is_playing())),
            (
                "policy",
                session
                    .policy
                    .as_ref()
                    .map_or(Value::Null, |policy| Value::Text(policy.to_string())),
            ),
            ("text", session.source.as_str().into()),
            ("url", url.into()),
        ],
    }
}

/// Something is wrong; `place`: line and column in a scenario, from 1.
pub fn error(code: &'static str, message: &str, place: Option<(usize, usize)>) -> Message {
    let mut fields = vec![("code", code.into()), ("message", message.into())];
    if let Some((line, column)) = place {
        fields.push(("line", line.into()));
        fields.push(("column", column.into()));
    }
    Message {
        kind: "error",
        fields,
    }
}
