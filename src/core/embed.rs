//! Embeds in host pages: the options of their addresses, and messages from and to hosts.
//!
//! Invariants
//! - All of it is total: whatever an address or a host says, the rest keeps its meaning. What is
//!   unknown or wrong is left out with a note for the developers of the host page.
//! - Nothing here trusts a host: sizes are capped, and a message changes something only if every
//!   field that it needs is what it has to be.

mod message;
mod snippet;

pub use message::{
    Command, Message, Received, Value, complete, error, hello, ready, receive, resize, state, step,
    verdicts,
};
pub use snippet::{
    Chosen, Host, OPTIONS, Piece, Shown, chosen, element, escape, frame, places, snippet,
};

use crate::film::Film;
use crate::playhead::{Move, Speed};

/// Longest packed scenario of an address, in characters.
const MAX_PACKED: usize = crate::link::MAX_PACKED;
/// Longest value of any other option, in bytes.
const MAX_VALUE: usize = 200;
/// So many options are read; an embed knows fewer than twenty.
const MAX_OPTIONS: usize = 64;

/// What an embed shows and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The lesson's name in addresses.
    pub lesson: Option<String>,
    /// The packed text of a scenario.
    pub scenario: Option<String>,
    /// Where the cursor stands at first.
    pub start: Option<Start>,
    /// Instead of the scenario's own.
    pub policy: Option<String>,
    /// Which parts.
    pub show: Parts,
    /// How many buttons.
    pub controls: Controls,
    /// Light or dark.
    pub theme: Theme,
    /// How fast playing is.
    pub speed: Speed,
    /// Plays once it is seen.
    pub autoplay: bool,
    /// The line above the picture.
    pub caption: Caption,
    /// Colours of the first two clients, as CSS has them.
    pub accents: [Option<String>; 2],
}

/// A place in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// So many moments have passed.
    Step(usize),
    /// Virtual milliseconds.
    At(u64),
    /// The name of a write, or of an event: `late`, `late sent`, `A resumes`.
    Event(String),
}

/// The parts of an embed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The picture.
    pub timeline: bool,
    /// What each party holds.
    pub panels: bool,
    /// The resource with its rule.
    pub gate: bool,
    /// What happens, in sentences.
    pub transcript: bool,
    /// The text of the scenario.
    pub script: bool,
    /// What the lesson is about.
    pub prose: bool,
}

impl Parts {
    const NONE: Parts = Parts {
        timeline: false,
        panels: false,
        gate: false,
        transcript: false,
        script: false,
        prose: false,
    };

    fn part(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "timeline" => &mut self.timeline,
            "panels" => &mut self.panels,
            "gate" => &mut self.gate,
            "transcript" => &mut self.transcript,
            "script" => &mut self.script,
            "prose" => &mut self.prose,
            _ => return None,
        })
    }
}

impl Default for Parts {
    fn default() -> Self {
        Parts {
            timeline: true,
            ..Parts::NONE
        }
    }
}

/// The buttons of an embed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Controls {
    /// All, with speed and the policy switch.
    Full,
    /// Back, play, forward.
    #[default]
    Minimal,
    /// None; the time axis too is left out.
    None,
}

/// The colours of an embed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// As in addresses; `None` for [`Theme::Auto`].
    pub fn name(self) -> Option<&'static str> {
        match self {
            Theme::Auto => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        }
    }
}

/// The line above the picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Caption {
    /// The title of the lesson or scenario.
    #[default]
    Title,
    /// The line of the scenario that was carried out last.
    Line,
    /// None.
    None,
    /// The host's own words.
    Text(String),
}

/// Whether an address asks for an embed. `query` is without its `?`.
pub fn is_asked_for(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "embed")
}

/// The options of an address, and a note for each that makes no sense. They stand in the query or
/// in the fragment, which is not sent to the server and may be longer; the fragment wins.
pub fn parse(query: &str, fragment: &str) -> (Options, Vec<String>) {
    let mut options = Options::default();
    let mut notes = Vec::new();
    for text in [query, fragment] {
        for (name, value) in form_urlencoded::parse(text.as_bytes()).take(MAX_OPTIONS) {
            notes.extend(options.set(&name, &value).err());
        }
    }
    (options, notes)
}

impl Options {
    /// Sets the option called `name`, or leaves all as it is.
    ///
    /// # Errors
    /// A note that says what is wrong and what holds instead.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let most = if name == "scenario" {
            MAX_PACKED
        } else {
            MAX_VALUE
        };
        if value.len() > most {
            return Err(wrong(name, value, "shorter"));
        }
        match name {
            "lesson" if is_slug(value) => self.lesson = Some(value.to_owned()),
            "lesson" => return Err(wrong(name, value, "the name of a lesson")),
            "scenario" if is_packed(value) => self.scenario = Some(value.to_owned()),
            "scenario" => return Err(wrong(name, value, "a packed text")),
            "step" => self.start = Some(Start::Step(number(name, value)?)),
            "at" => {
                self.start = Some(Start::At(
                    millis(value).ok_or_else(|| wrong(name, value, "seconds"))?,
                ))
            }
            "event" => self.start = Some(Start::Event(value.to_owned())),
            // Whether it is one, the simulation says.
            "policy" => self.policy = Some(value.to_owned()),
            "show" => self.show = parts(value)?,
            "controls" => {
                let all = [
                    ("full", Controls::Full),
                    ("minimal", Controls::Minimal),
                    ("none", Controls::None),
                ];
                self.controls = one_of(name, value, &all, "full, minimal or none")?;
            }
            "theme" => {
                let all = [
                    ("auto", Theme::Auto),
                    ("light", Theme::Light),
                    ("dark", Theme::Dark),
                ];
                self.theme = one_of(name, value, &all, "auto, light or dark")?;
            }
            "speed" => {
                self.speed = speed(value).ok_or_else(|| wrong(name, value, "0.5, 1, 2 or 4"))?
            }
            "autoplay" => {
                let all = [
                    ("", true),
                    ("1", true),
                    ("true", true),
                    ("autoplay", true),
                    ("0", false),
                    ("false", false),
                ];
                self.autoplay = one_of(name, value, &all, "true or false")?;
            }
            "caption" => self.caption = caption(value),
            "accent-a" | "accent-b" if is_colour(value) => {
                self.accents[usize::from(name == "accent-b")] = Some(value.to_owned());
            }
            "accent-a" | "accent-b" => return Err(wrong(name, value, "a colour, such as #005ea2")),
            // These are the element's own, or say that this is an embed.
            "embed" | "v" | "height" | "load" | "title" => {}
            _ => return Err(["there is no option “", &short(name), "”; it is ignored"].concat()),
        }
        Ok(())
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The note about an option with a value that makes no sense.
pub(crate) fn wrong(name: &str, found: &str, expected: &str) -> String {
    [
        "the option ",
        name,
        " cannot be “",
        &short(found),
        "”, it has to be ",
        expected,
        "; it is ignored",
    ]
    .concat()
}

fn one_of<T: Copy>(
    name: &str,
    value: &str,
    all: &[(&str, T)],
    expected: &str,
) -> Result<T, String> {
    let found = all.iter().find(|(known, _)| *known == value);
    found
        .map(|(_, meaning)| *meaning)
        .ok_or_else(|| wrong(name, value, expected))
}

fn number(name: &str, value: &str) -> Result<usize, String> {
    value.parse().map_err(|_| wrong(name, value, "a number"))
}

fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn is_packed(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Colours by name, as `#005ea2`, or as `oklch(…)`: letters, digits and what stands between them.
/// Nothing that fetches or refers to anything else.
fn is_colour(text: &str) -> bool {
    let is_fine = |b: u8| b.is_ascii_alphanumeric() || b"#(),.% /-".contains(&b);
    let lower = text.to_ascii_lowercase();
    let mut called = lower.split('(').rev().skip(1);
    let refers = called.any(|name| {
        ["url", "var", "image"]
            .iter()
            .any(|word| name.ends_with(word))
    });
    !text.is_empty() && text.len() <= 60 && text.bytes().all(is_fine) && !refers
}

/// Seconds with up to three decimals.
fn millis(text: &str) -> Option<u64> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
    };
    if !is_digits(whole, 9) || !is_digits(rest, 3) {
        return None;
    }
    let scale = [100, 10, 1][rest.len() - 1];
    Some(whole.parse::<u64>().ok()? * 1000 + rest.parse::<u64>().ok()? * scale)
}

fn speed(text: &str) -> Option<Speed> {
    Some(match text {
        "0.5" | ".5" => Speed::Half,
        "1" => Speed::Normal,
        "2" => Speed::Double,
        "4" => Speed::Quadruple,
        _ => return None,
    })
}

/// `caption` is a word of ours, or the host's own text.
fn caption(value: &str) -> Caption {
    match value {
        "" | "none" => Caption::None,
        "title" => Caption::Title,
        "line" => Caption::Line,
        text => Caption::Text(text.to_owned()),
    }
}

fn parts(value: &str) -> Result<Parts, String> {
    let mut parts = Parts::NONE;
    for name in value.split([' ', ',']).filter(|name| !name.is_empty()) {
        let part = parts.part(name);
        *part.ok_or_else(|| {
            wrong(
                "show",
                name,
                "some of timeline, panels, gate, transcript, script, prose",
            )
        })? = true;
    }
    if parts == Parts::NONE {
        return Err(wrong(
            "show",
            value,
            "some of timeline, panels, gate, transcript, script, prose",
        ));
    }
    Ok(parts)
}

impl Start {
    /// The move that goes there; `None` if nothing in the film has that name.
    pub fn way(&self, film: &Film) -> Option<Move> {
        Some(match self {
            Start::Step(step) => Move::SeekMoment(*step),
            Start::At(ms) => Move::Seek(*ms),
            Start::Event(name) => Move::SeekMoment(film.passed_after(name)?),
        })
    }
}

/// The line of the text that was carried out last when `passed` moments have passed, without what
/// it expects; empty at the start.
pub fn line_at<'t>(text: &'t str, film: &Film, passed: usize) -> &'t str {
    let line = film.still(passed).line.checked_sub(1);
    let found = line.and_then(|line| text.lines().nth(line)).unwrap_or("");
    let expects = found.as_bytes().windows(2).position(|two| two == b"=>");
    found[..expects.unwrap_or(found.len())].trim()
}

/// The policies to choose from: the run's own, and no fencing (or fencing, where there is none).
pub fn policies(own: &str) -> Vec<String> {
    let pair = if own == "unfenced" {
        ["unfenced", "fenced"]
    } else {
        ["unfenced", own]
    };
    pair.map(str::to_owned).to_vec()
}
