//! The state of a player: what is run, under which policy, and where the cursor stands.
//!
//! Invariants
//! - Ground state is (source, policy, cursor, speed); the [`Run`] is derived from source and policy
//!   and replaced whenever one of them changes. Everything on screen is a function of the session.
//! - Wall time only moves the cursor: the run is the same at every speed, and stepping back shows
//!   what the prefix shows.
//! - An action in the past forks: later lines are dropped, and undo brings them back.

use crate::script::{self, Parsed};
use crate::sim::{self, *};
use std::sync::Arc;

/// At 1x a virtual second takes so many real milliseconds.
pub const REAL_MS_PER_SEC: u64 = 700;
/// With reduced motion, playing passes one moment in so many real milliseconds.
pub const REDUCED_MS_PER_MOMENT: u64 = 1_200;
/// So many edits can be undone.
pub const MAX_UNDO: usize = 200;

/// A parsed text and what came of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// The text, understood.
    pub parsed: Parsed,
    /// What happened under the session's policy.
    pub trace: Trace,
}

impl Run {
    /// Parses and plays `source`, with `policy` at every resource if there is one.
    pub fn new(source: &str, policy: Option<&Policy>) -> Self {
        let parsed = script::parse(source);
        let trace = match policy {
            Some(policy) => sim::run_under(&parsed.scenario, policy),
            None => sim::run(&parsed.scenario),
        };
        Run { parsed, trace }
    }

    /// The scenario that was played.
    pub fn scenario(&self) -> &Scenario {
        &self.parsed.scenario
    }

    /// How many moments have passed at `now_ms`, all of an instant included.
    pub fn passed_at(&self, now_ms: u64) -> usize {
        let passed = |moment: &Moment| moment.at_secs.saturating_mul(1000) <= now_ms;
        self.trace.moments.partition_point(passed)
    }

    /// When the last of `passed` moments was; 0 at the start.
    pub fn time_of(&self, passed: usize) -> u64 {
        self.trace.secs_passed(passed).saturating_mul(1000)
    }

    /// How many moments of the last passed instant have passed.
    pub fn nth_of_instant(&self, passed: usize) -> usize {
        let at_ms = self.time_of(passed);
        (1..=passed)
            .rev()
            .take_while(|passed| self.time_of(*passed) == at_ms)
            .count()
    }

    /// The end of the run in virtual milliseconds.
    pub fn end_ms(&self) -> u64 {
        self.trace.end_secs.saturating_mul(1000)
    }
}

/// Where the learner stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// How many of the trace's moments have happened.
    pub passed: usize,
    /// Virtual milliseconds, from the last passed moment until the next.
    pub now_ms: u64,
}

/// How fast playing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// Half.
    Half,
    /// A virtual second in [`REAL_MS_PER_SEC`].
    #[default]
    Normal,
    /// Twice.
    Double,
    /// Four times.
    Quadruple,
}

impl Speed {
    /// All, from slow to fast.
    pub const ALL: [Speed; 4] = [Speed::Half, Speed::Normal, Speed::Double, Speed::Quadruple];

    /// As shown on the button.
    pub fn label(self) -> &'static str {
        match self {
            Speed::Half => "½×",
            Speed::Normal => "1×",
            Speed::Double => "2×",
            Speed::Quadruple => "4×",
        }
    }

    /// In halves of normal speed.
    fn halves(self) -> u64 {
        match self {
            Speed::Half => 1,
            Speed::Normal => 2,
            Speed::Double => 4,
            Speed::Quadruple => 8,
        }
    }
}

/// Whether time runs, and until when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// Nothing moves.
    #[default]
    Paused,
    /// Playing until so many moments have passed.
    Playing {
        /// Number of moments.
        until: usize,
    },
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
    /// Where the learner stands.
    pub cursor: Cursor,
    /// Whether time runs.
    pub motion: Motion,
    /// How fast.
    pub speed: Speed,
    /// Jumps instead of motion.
    pub reduced_motion: bool,
    /// Real milliseconds since the last jump of reduced motion.
    waited_ms: u64,
    undo: Vec<Edit>,
    redo: Vec<Edit>,
}

/// What undo and redo go back to.
#[derive(Clone, Debug, PartialEq)]
struct Edit {
    source: String,
    cursor: Cursor,
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
    /// To the start.
    First,
    /// One moment back.
    Back,
    /// One moment on.
    Forward,
    /// To the end.
    Last,
    /// To a time in virtual milliseconds.
    Seek(u64),
    /// To where so many moments have passed.
    SeekMoment(usize),
    /// Starts or stops playing; at the end it starts anew.
    PlayOrPause,
    /// Stops playing.
    Pause,
    /// Plays until so many moments have passed.
    PlayTo(usize),
    /// So many real milliseconds have gone by.
    Tick(u64),
    /// Sets the speed.
    SetSpeed(Speed),
    /// Jumps instead of motion.
    SetReducedMotion(bool),
}

impl Session {
    /// A session at the start of `source`.
    pub fn new(source: String) -> Self {
        let run = Arc::new(Run::new(&source, None));
        Session {
            source,
            policy: None,
            run,
            cursor: Cursor::default(),
            motion: Motion::Paused,
            speed: Speed::Normal,
            reduced_motion: false,
            waited_ms: 0,
            undo: Vec::new(),
            redo: Vec::new(),
        }
    }

    /// Whether time runs.
    pub fn is_playing(&self) -> bool {
        self.motion != Motion::Paused
    }

    /// Whether there is an edit to take back.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Whether there is an edit to do again.
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Number of moments of the run.
    pub fn total(&self) -> usize {
        self.run.trace.moments.len()
    }

    /// Carries out what was asked.
    pub fn update(&mut self, intent: Intent) {
        match intent {
            Intent::Load(source) => self.load(source),
            Intent::Type(source) => self.replace(source, true),
            Intent::EndTyping => self.end_typing(),
            Intent::Edit(source) => self.replace(source, false),
            Intent::Act(line) => self.act(&line),
            Intent::Undo => self.travel(true),
            Intent::Redo => self.travel(false),
            Intent::SetPolicy(policy) => {
                self.policy = policy;
                self.rerun();
            }
            Intent::First => self.stand(0),
            Intent::Back => self.stand(self.back_target()),
            Intent::Forward => self.stand(self.cursor.passed + 1),
            Intent::Last => self.stand(usize::MAX),
            Intent::Seek(ms) => self.seek(ms),
            Intent::SeekMoment(passed) => self.stand(passed),
            Intent::PlayOrPause if self.is_playing() => self.motion = Motion::Paused,
            Intent::PlayOrPause => self.play(),
            Intent::Pause => self.motion = Motion::Paused,
            Intent::PlayTo(until) => self.play_to(until),
            Intent::Tick(ms) => self.tick(ms),
            Intent::SetSpeed(speed) => self.speed = speed,
            Intent::SetReducedMotion(reduced) => self.reduced_motion = reduced,
        }
    }

    fn load(&mut self, source: String) {
        *self = Session {
            speed: self.speed,
            reduced_motion: self.reduced_motion,
            ..Session::new(source)
        };
    }

    /// Half-way between two moments, "back" first returns to the one that has passed.
    fn back_target(&self) -> usize {
        let on_moment = self.cursor.now_ms == self.run.time_of(self.cursor.passed);
        self.cursor.passed.saturating_sub(usize::from(on_moment))
    }

    fn stand(&mut self, passed: usize) {
        self.motion = Motion::Paused;
        self.place(passed);
    }

    fn place(&mut self, passed: usize) {
        let passed = passed.min(self.total());
        self.cursor = Cursor {
            passed,
            now_ms: self.run.time_of(passed),
        };
    }

    fn seek(&mut self, ms: u64) {
        self.motion = Motion::Paused;
        let now_ms = ms.min(self.run.end_ms());
        let passed = self.run.passed_at(now_ms);
        self.cursor = Cursor { passed, now_ms };
    }

    fn play(&mut self) {
        if self.cursor.passed >= self.total() {
            self.place(0);
        }
        self.play_to(usize::MAX);
    }

    fn play_to(&mut self, until: usize) {
        let until = until.min(self.total());
        self.waited_ms = 0;
        if self.cursor.passed < until {
            self.motion = Motion::Playing { until };
        } else {
            self.stand(until);
        }
    }

    fn tick(&mut self, real_ms: u64) {
        let Motion::Playing { until } = self.motion else {
            return;
        };
        if self.reduced_motion {
            self.waited_ms = self.waited_ms.saturating_add(real_ms);
            if self.waited_ms >= REDUCED_MS_PER_MOMENT {
                self.waited_ms = 0;
                self.place(self.cursor.passed + 1);
            }
        } else {
            let virtual_ms =
                real_ms.saturating_mul(1000 * self.speed.halves()) / (2 * REAL_MS_PER_SEC);
            let now_ms = self.cursor.now_ms.saturating_add(virtual_ms);
            let passed = self.run.passed_at(now_ms);
            self.cursor = Cursor { passed, now_ms };
        }
        if self.cursor.passed >= until {
            self.stand(until);
        }
    }

    fn rerun(&mut self) {
        let before = (self.cursor, self.run.time_of(self.cursor.passed));
        let nth = self.run.nth_of_instant(self.cursor.passed);
        self.run = Arc::new(Run::new(&self.source, self.policy.as_ref()));
        self.return_to(before.0, before.1, nth);
    }

    /// Stands as near as possible to where it stood: the same moment of the same instant.
    fn return_to(&mut self, cursor: Cursor, instant_ms: u64, nth: usize) {
        let before = instant_ms
            .checked_sub(1)
            .map_or(0, |just_before| self.run.passed_at(just_before));
        let at_instant = self.run.passed_at(instant_ms) - before;
        let passed = before + nth.min(at_instant);
        let next_ms = self.run.time_of(passed + 1);
        let end_ms = if passed < self.total() {
            next_ms
        } else {
            self.run.end_ms()
        };
        let least_ms = self.run.time_of(passed);
        self.cursor = Cursor {
            passed,
            now_ms: cursor.now_ms.clamp(least_ms, end_ms.max(least_ms)),
        };
        if let Motion::Playing { until } = &mut self.motion {
            *until = (*until).min(self.run.trace.moments.len());
        }
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
            cursor: self.cursor,
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
        self.motion = Motion::Paused;
        self.source = edit.source;
        self.run = Arc::new(Run::new(&self.source, self.policy.as_ref()));
        self.place(edit.cursor.passed);
    }

    /// Writes a line at the cursor, and plays until what it began has finished.
    fn act(&mut self, line: &str) {
        let kept = self.steps_passed();
        let now_secs = self.cursor.now_ms / 1000;
        let (source, step) = with_line(&self.source, &self.run, kept, now_secs, line);
        self.remember(false);
        self.source = source;
        let from = self.cursor;
        self.run = Arc::new(Run::new(&self.source, self.policy.as_ref()));
        let from_passed = from.passed.min(self.total());
        self.cursor = Cursor {
            passed: from_passed,
            now_ms: from.now_ms.min(self.run.end_ms()),
        };
        let finish_secs = self
            .run
            .trace
            .steps
            .get(step)
            .map_or(0, |run| run.finish_secs);
        let until = self
            .run
            .passed_at(finish_secs.saturating_mul(1000))
            .max(from_passed);
        if until > from_passed {
            self.motion = Motion::Playing { until };
        } else {
            self.seek(finish_secs.saturating_mul(1000));
        }
    }

    /// The steps that have begun at the cursor, from the first on.
    pub fn steps_passed(&self) -> usize {
        let events = self.run.trace.events_passed(self.cursor.passed);
        let steps = &self.run.trace.steps;
        let seen = (self.run.trace.events[..events].iter())
            .filter_map(|event| event.step)
            .max()
            .map_or(0, |last| last + 1);
        // Waits leave no event: one that has begun counts as passed.
        let silent = |(index, run): (usize, &StepRun)| {
            let is_wait = matches!(self.run.scenario().steps[index].action, Action::Wait(_));
            is_wait && run.start_secs.saturating_mul(1000) < self.cursor.now_ms
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
