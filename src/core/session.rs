//! The state of a player: what is run, under which policy, and where the cursor stands.
//!
//! Invariants
//! - Ground state is (source, policy, cursor, speed); the [`Run`] is derived from source and policy
//!   and replaced whenever one of them changes. Everything on screen is a function of the session.
//! - Wall time only moves the cursor: the run is the same at every speed, and stepping back shows
//!   what the prefix shows.
//! - An action in the past forks: later lines are dropped, and undo brings them back.

use crate::playhead::{Clock, Move, Playhead};
use crate::script::{self, Parsed};
use crate::sim::{self, *};
use std::sync::Arc;

/// So many edits can be undone.
pub const MAX_UNDO: usize = 200;

/// A parsed text and what came of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// The text, understood.
    pub parsed: Parsed,
    /// The policy at every resource; `None`: what the text says.
    pub policy: Option<Policy>,
    /// What happened under it.
    pub trace: Trace,
    /// When it happened.
    pub clock: Clock,
}

impl Run {
    /// Parses and plays `source`, with `policy` at every resource if there is one.
    pub fn new(source: &str, policy: Option<&Policy>) -> Self {
        let parsed = script::parse(source);
        let trace = match policy {
            Some(policy) => sim::run_under(&parsed.scenario, policy),
            None => sim::run(&parsed.scenario),
        };
        let clock = Clock::of(&trace);
        Run {
            parsed,
            policy: policy.cloned(),
            trace,
            clock,
        }
    }

    /// When the step with this index has finished, in virtual milliseconds; 0 without such a step.
    pub fn finish_ms(&self, step: usize) -> u64 {
        let step = self.trace.steps.get(step);
        step.map_or(0, |step| step.finish_secs.saturating_mul(1000))
    }

    /// The scenario that was played.
    pub fn scenario(&self) -> &Scenario {
        &self.parsed.scenario
    }
}

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The text of the scenario.
    pub source: String,
    /// The policy of the switch; `None`: what the text says.
    pub policy: Option<Policy>,
    /// Derived from the two above.
    pub run: Arc<Run>,
    /// Where the learner stands, and how time moves.
    pub head: Playhead,
    undo: Vec<Edit>,
    redo: Vec<Edit>,
}

/// What undo and redo go back to.
#[derive(Clone, Debug, PartialEq)]
struct Edit {
    source: String,
    passed: usize,
    /// Typed: further typing belongs to the same edit.
    typed: bool,
}

/// What a learner, a lesson or a host page can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Another text from the start; nothing of the old one is kept.
    Load(String),
    /// The text as typed; the cursor stays as near as it can.
    Type(String),
    /// What is typed from now on is another edit.
    EndTyping,
    /// The text as a button changed it: an edit of its own.
    Edit(String),
    /// One more line of the language at the cursor; later lines are dropped.
    Act(String),
    /// Takes the last edit back.
    Undo,
    /// Does it again.
    Redo,
    /// Judges the same run by another policy.
    SetPolicy(Option<Policy>),
    /// Moves the cursor.
    Move(Move),
}

impl Session {
    /// A session at the start of `source`.
    pub fn new(source: String) -> Self {
        let run = Arc::new(Run::new(&source, None));
        Session {
            source,
            policy: None,
            run,
            head: Playhead::default(),
            undo: Vec::new(),
            redo: Vec::new(),
        }
    }

    /// Whether there is an edit to take back.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Whether there is an edit to do again.
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Carries out what was asked.
    pub fn update(&mut self, intent: Intent) {
        match intent {
            Intent::Load(source) => self.load(source),
            Intent::Type(source) => self.replace(source, true),
            Intent::EndTyping => self.end_typing(),
            Intent::Edit(source) => self.replace(source, false),
            Intent::Act(line) => {
                self.act(&line);
            }
            Intent::Undo => self.travel(true),
            Intent::Redo => self.travel(false),
            Intent::SetPolicy(policy) => {
                self.policy = policy;
                self.rerun();
            }
            Intent::Move(step) => self.head.go(step, &self.run.clock),
        }
    }

    fn load(&mut self, source: String) {
        *self = Session {
            head: self.head.rewound(),
            ..Session::new(source)
        };
    }

    fn rerun(&mut self) {
        let before = self.run.clone();
        self.run = Arc::new(Run::new(&self.source, self.policy.as_ref()));
        self.head.change_run(&before.clock, &self.run.clock);
    }

    // ---- edits

    fn remember(&mut self, typed: bool) {
        let continues = typed && self.redo.is_empty() && self.undo.last().is_some_and(|e| e.typed);
        self.redo.clear();
        if continues {
            return;
        }
        if self.undo.len() >= MAX_UNDO {
            self.undo.remove(0);
        }
        self.undo.push(self.edit(typed));
    }

    fn end_typing(&mut self) {
        if let Some(edit) = self.undo.last_mut() {
            edit.typed = false;
        }
    }

    fn edit(&self, typed: bool) -> Edit {
        Edit {
            source: self.source.clone(),
            passed: self.head.cursor.passed,
            typed,
        }
    }

    fn replace(&mut self, source: String, typed: bool) {
        if source == self.source {
            return;
        }
        self.remember(typed);
        self.source = source;
        self.rerun();
    }

    fn travel(&mut self, back: bool) {
        let Some(edit) = (if back {
            self.undo.pop()
        } else {
            self.redo.pop()
        }) else {
            return;
        };
        let here = self.edit(false);
        if back { &mut self.redo } else { &mut self.undo }.push(here);
        self.source = edit.source;
        self.run = Arc::new(Run::new(&self.source, self.policy.as_ref()));
        self.head.go(Move::SeekMoment(edit.passed), &self.run.clock);
    }

    /// Writes a line at the cursor, and plays until what it began has finished: returns when that
    /// is, in virtual milliseconds.
    pub fn act(&mut self, line: &str) -> u64 {
        let kept = self.steps_passed();
        let now_secs = self.head.cursor.now_ms / 1000;
        let (source, step) = with_line(&self.source, &self.run, kept, now_secs, line);
        self.remember(false);
        self.source = source;
        self.run = Arc::new(Run::new(&self.source, self.policy.as_ref()));
        let finish_ms = self.run.finish_ms(step);
        self.head.go(Move::PlayToTime(finish_ms), &self.run.clock);
        finish_ms
    }

    /// The steps that have begun at the cursor, from the first on.
    pub fn steps_passed(&self) -> usize {
        let events = self.run.trace.events_passed(self.head.cursor.passed);
        let steps = &self.run.trace.steps;
        let seen = (self.run.trace.events[..events].iter())
            .filter_map(|event| event.step)
            .max()
            .map_or(0, |last| last + 1);
        // Waits leave no event: one that has begun counts as passed.
        let silent = |(index, run): (usize, &StepRun)| {
            let is_wait = matches!(self.run.scenario().steps[index].action, Action::Wait(_));
            is_wait && run.start_secs.saturating_mul(1000) < self.head.cursor.now_ms
        };
        seen + (steps.iter().enumerate().skip(seen))
            .take_while(|s| silent(*s))
            .count()
    }
}

/// `source` with the steps after the first `kept` dropped and `line` written at `now_secs`.
/// Returns the new text and the index of the new step.
fn with_line(source: &str, run: &Run, kept: usize, now_secs: Secs, line: &str) -> (String, usize) {
    let lines = &run.parsed.lines;
    let previous = kept.checked_sub(1);
    let last_kept = previous.and_then(|step| lines.steps.get(step).copied());
    let first_dropped = lines.steps.get(kept).or(lines.expects.first()).copied();
    let keep = first_dropped.map_or(usize::MAX, |line| line - 1);
    let mut text: Vec<String> = source.lines().take(keep).map(String::from).collect();
    // Comments that lead on to what is dropped go with it.
    while text.len() > last_kept.unwrap_or(0) && text.last().is_some_and(|line| is_silent(line)) {
        text.pop();
    }
    if last_kept.is_none() && !text.is_empty() {
        text.push(String::new());
    }
    let mut free_secs = previous.map_or(0, |step| run.trace.steps[step].finish_secs);
    if let (Some(step), Some(at)) = (previous, last_kept)
        && let Some(shorter) = shortened_wait(run, step, now_secs)
    {
        text[at - 1] = shorter;
        free_secs = now_secs;
    }
    text.push(match free_secs == now_secs {
        true => line.to_owned(),
        false => format!("at {now_secs} {line}"),
    });
    text.push(String::new());
    (text.join("\n"), kept)
}

fn is_silent(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// A wait that the cursor stands in ends here.
fn shortened_wait(run: &Run, step: usize, now_secs: Secs) -> Option<String> {
    let StepRun {
        start_secs,
        finish_secs,
        ..
    } = run.trace.steps[step];
    let is_wait = matches!(run.scenario().steps[step].action, Action::Wait(_));
    (is_wait && now_secs < finish_secs)
        .then(|| format!("wait {}", now_secs.saturating_sub(start_secs)))
}
