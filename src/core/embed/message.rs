//! The messages of the protocol, version 1, without the objects that carry them.

use super::{Options, Start};
use crate::film::{Carried, Film, Ruling};
use crate::playhead::Speed;
use crate::script::MAX_TEXT_BYTES;
use crate::sim::Answer;
use crate::stage::Stage;

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
pub fn ready(options: &Options, stage: &Stage, storage: bool) -> Message {
    Message {
        kind: "ready",
        fields: vec![
            ("lesson", optional(options.lesson.as_deref())),
            ("step", stage.head.cursor.passed.into()),
            ("total", stage.film.clock.total().into()),
            ("steps", stage.film.steps.into()),
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
pub fn step(stage: &Stage) -> Message {
    let cursor = stage.head.cursor;
    Message {
        kind: "step",
        fields: vec![
            ("step", cursor.passed.into()),
            ("total", stage.film.clock.total().into()),
            ("at", secs(cursor.now_ms)),
            ("text", stage.film.said(cursor.passed).into()),
        ],
    }
}

/// What resources decided between `before` and `passed` moments; nothing on the way back.
pub fn verdicts(film: &Film, before: usize, passed: usize) -> Vec<Message> {
    let between = |ruling: &&Ruling| (before..passed).contains(&ruling.moment);
    let rulings = film.rulings.iter().filter(between);
    rulings.take(MAX_VERDICTS).map(told).collect()
}

fn told(ruling: &Ruling) -> Message {
    let answer = match ruling.answer {
        Answer::Accepted => "accepted",
        Answer::Duplicate => "duplicate",
        _ => "rejected",
    };
    let token = match &ruling.token {
        Carried::None => Value::Null,
        Carried::Number(token) => Value::Number(*token as f64),
        Carried::Text(text) => Value::Text(text.clone()),
    };
    let unless_empty = |text: &str| optional(Some(text).filter(|text| !text.is_empty()));
    Message {
        kind: "verdict",
        fields: vec![
            ("write", unless_empty(&ruling.write)),
            ("verdict", answer.into()),
            ("reason", unless_empty(&ruling.reason)),
            ("token", token),
            ("mark", Value::Number(ruling.mark as f64)),
            ("anomaly", unless_empty(&ruling.anomalies)),
            ("policy", ruling.policy.as_str().into()),
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
pub fn state(options: &Options, stage: &Stage, url: &str) -> Message {
    let cursor = stage.head.cursor;
    Message {
        kind: "state",
        fields: vec![
            ("lesson", optional(options.lesson.as_deref())),
            ("step", cursor.passed.into()),
            ("total", stage.film.clock.total().into()),
            ("at", secs(cursor.now_ms)),
            ("playing", Value::Flag(stage.head.is_playing())),
            ("policy", optional(stage.policy.as_deref())),
            ("text", stage.text.as_str().into()),
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
