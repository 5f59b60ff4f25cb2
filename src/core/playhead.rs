//! Where a learner stands in a run, and how time moves there.
//!
//! Invariants
//! - Wall time only moves the cursor: the run is the same at every speed.
//! - Nothing here knows a run but by the times of its moments.

use crate::sim::{Secs, Trace};
use serde::{Deserialize, Serialize};

/// At 1x a virtual second takes so many real milliseconds.
pub const REAL_MS_PER_SEC: u64 = 700;
/// With reduced motion, playing passes one moment in so many real milliseconds.
pub const REDUCED_MS_PER_MOMENT: u64 = 1_200;

/// While time runs the cursor moves at least every so many real milliseconds. What is seen to move
/// glides from one place to the next.
pub const TICK_MS: u64 = 350;

/// The times of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// When each moment is, not falling.
    pub moments: Vec<Secs>,
    /// When the run ends, not before the last moment.
    pub end_secs: Secs,
}

impl Clock {
    /// The times of a run.
    pub fn of(trace: &Trace) -> Self {
        Clock {
            moments: trace.moments.iter().map(|moment| moment.at_secs).collect(),
            end_secs: trace.end_secs,
        }
    }

    /// Number of moments.
    pub fn total(&self) -> usize {
        self.moments.len()
    }

    /// How many moments have passed at `now_ms`, all of an instant included.
    pub fn passed_at(&self, now_ms: u64) -> usize {
        self.moments
            .partition_point(|at_secs| at_secs.saturating_mul(1000) <= now_ms)
    }

    /// When the last of `passed` moments was, in milliseconds; 0 at the start.
    pub fn time_of(&self, passed: usize) -> u64 {
        let last = passed.min(self.total()).checked_sub(1);
        last.map_or(0, |last| self.moments[last].saturating_mul(1000))
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
        self.end_secs.saturating_mul(1000)
    }
}

/// A place in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

    /// The one after it; after the last the first.
    pub fn next(self) -> Speed {
        Speed::ALL[(self as usize + 1) % Speed::ALL.len()]
    }

    /// In halves of normal speed.
    fn halves(self) -> u64 {
        1 << (self as u64)
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

/// A step of the cursor, or a change of how it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
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
    /// Plays until a time in virtual milliseconds; the run may be another one since the last move.
    PlayToTime(u64),
    /// So many real milliseconds have gone by.
    Tick(u64),
    /// Sets the speed.
    SetSpeed(Speed),
    /// Jumps instead of motion.
    SetReducedMotion(bool),
}

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Playhead {
    /// Where it stands.
    pub cursor: Cursor,
    /// Whether time runs.
    pub motion: Motion,
    /// How fast.
    pub speed: Speed,
    /// Jumps instead of motion.
    pub reduced_motion: bool,
    /// Real milliseconds since the last jump of reduced motion.
    waited_ms: u64,
}

impl Playhead {
    /// At the start, with the preferences of this one.
    pub fn rewound(&self) -> Self {
        Playhead {
            speed: self.speed,
            reduced_motion: self.reduced_motion,
            ..Playhead::default()
        }
    }

    /// Whether time runs.
    pub fn is_playing(&self) -> bool {
        self.motion != Motion::Paused
    }

    /// Moves along the run of `clock`.
    pub fn go(&mut self, step: Move, clock: &Clock) {
        match step {
            Move::First => self.stand(0, clock),
            Move::Back => self.stand(self.back_target(clock), clock),
            Move::Forward => self.stand(self.cursor.passed + 1, clock),
            Move::Last => self.stand(usize::MAX, clock),
            Move::Seek(ms) => self.seek(ms, clock),
            Move::SeekMoment(passed) => self.stand(passed, clock),
            Move::PlayOrPause if !self.is_playing() => self.play(clock),
            Move::PlayOrPause | Move::Pause => self.pause(clock),
            Move::PlayTo(until) => self.play_to(until, clock),
            Move::PlayToTime(ms) => self.play_to_time(ms, clock),
            Move::Tick(ms) => self.tick(ms, clock),
            Move::SetSpeed(speed) => self.speed = speed,
            Move::SetReducedMotion(reduced) => self.reduced_motion = reduced,
        }
    }

    /// Half-way between two moments, "back" first returns to the one that has passed.
    fn back_target(&self, clock: &Clock) -> usize {
        let on_moment = self.cursor.now_ms == clock.time_of(self.cursor.passed);
        self.cursor.passed.saturating_sub(usize::from(on_moment))
    }

    fn stand(&mut self, passed: usize, clock: &Clock) {
        self.motion = Motion::Paused;
        self.place(passed, clock);
    }

    fn place(&mut self, passed: usize, clock: &Clock) {
        let passed = passed.min(clock.total());
        self.cursor = Cursor {
            passed,
            now_ms: clock.time_of(passed),
        };
    }

    fn seek(&mut self, ms: u64, clock: &Clock) {
        self.motion = Motion::Paused;
        let now_ms = ms.min(clock.end_ms());
        self.cursor = Cursor {
            passed: clock.passed_at(now_ms),
            now_ms,
        };
    }

    fn play(&mut self, clock: &Clock) {
        if self.cursor.passed >= clock.total() {
            self.place(0, clock);
        }
        self.play_to(usize::MAX, clock);
    }

    /// Stands where what is seen to move is about to be: it does not go back. To pause passes no moment.
    fn pause(&mut self, clock: &Clock) {
        if self.is_playing() {
            let next_ms = clock.time_of(self.cursor.passed + 1);
            self.cursor.now_ms = self.glides_to(clock).min(next_ms.saturating_sub(1));
        }
        self.motion = Motion::Paused;
    }

    fn play_to(&mut self, until: usize, clock: &Clock) {
        let until = until.min(clock.total());
        self.waited_ms = 0;
        if self.cursor.passed < until {
            self.motion = Motion::Playing { until };
        } else {
            self.stand(until, clock);
        }
    }

    fn play_to_time(&mut self, ms: u64, clock: &Clock) {
        let Cursor { passed, now_ms } = self.cursor;
        self.cursor = Cursor {
            passed: passed.min(clock.total()),
            now_ms: now_ms.min(clock.end_ms()),
        };
        let until = clock.passed_at(ms);
        if until > self.cursor.passed {
            self.motion = Motion::Playing { until };
        } else {
            self.seek(ms, clock);
        }
    }

    fn tick(&mut self, real_ms: u64, clock: &Clock) {
        let Motion::Playing { until } = self.motion else {
            return;
        };
        if self.reduced_motion {
            self.waited_ms = self.waited_ms.saturating_add(real_ms);
            if self.waited_ms >= REDUCED_MS_PER_MOMENT {
                self.waited_ms = 0;
                self.place(self.cursor.passed + 1, clock);
            }
        } else {
            let virtual_ms =
                real_ms.saturating_mul(1000 * self.speed.halves()) / (2 * REAL_MS_PER_SEC);
            let now_ms = self.cursor.now_ms.saturating_add(virtual_ms);
            self.cursor = Cursor {
                passed: clock.passed_at(now_ms),
                now_ms,
            };
        }
        if self.cursor.passed >= until {
            self.stand(until, clock);
        }
    }

    /// Real milliseconds until the cursor should move again while time runs: no moment is passed over.
    pub fn tick_ms(&self, clock: &Clock) -> u64 {
        let next = clock.moments.get(self.cursor.passed);
        match next.filter(|_| self.is_playing() && !self.reduced_motion) {
            Some(at_secs) => {
                let left_ms = at_secs
                    .saturating_mul(1000)
                    .saturating_sub(self.cursor.now_ms);
                let real_ms = left_ms.saturating_mul(2 * REAL_MS_PER_SEC);
                real_ms.div_ceil(1000 * self.speed.halves()).min(TICK_MS)
            }
            None => TICK_MS,
        }
    }

    /// Where the cursor will be, in virtual milliseconds, when it moves again: there glides what is
    /// seen to move.
    pub fn glides_to(&self, clock: &Clock) -> u64 {
        let mut then = *self;
        if self.reduced_motion {
            return self.cursor.now_ms;
        }
        then.go(Move::Tick(self.tick_ms(clock)), clock);
        then.cursor.now_ms
    }

    /// Goes over from the run of `old` to another one: stands as near as possible to where it
    /// stood, at the same moment of the same instant.
    pub fn change_run(&mut self, old: &Clock, new: &Clock) {
        let instant_ms = old.time_of(self.cursor.passed);
        let nth = old.nth_of_instant(self.cursor.passed);
        let before = instant_ms
            .checked_sub(1)
            .map_or(0, |just_before| new.passed_at(just_before));
        let at_instant = new.passed_at(instant_ms) - before;
        let passed = before + nth.min(at_instant);
        let end_ms = if passed < new.total() {
            new.time_of(passed + 1)
        } else {
            new.end_ms()
        };
        let least_ms = new.time_of(passed);
        self.cursor = Cursor {
            passed,
            now_ms: self.cursor.now_ms.clamp(least_ms, end_ms.max(least_ms)),
        };
        if let Motion::Playing { until } = &mut self.motion {
            *until = (*until).min(new.total());
        }
    }

    /// Where a run that is shown beside the one of `leader` stands with it.
    pub fn beside(&self, leader: &Clock, clock: &Clock) -> Cursor {
        let Cursor { passed, now_ms } = self.cursor;
        let on_moment = passed > 0 && leader.time_of(passed) == now_ms;
        let passed = if on_moment {
            let before = now_ms.checked_sub(1).map_or(0, |ms| clock.passed_at(ms));
            (before + leader.nth_of_instant(passed)).min(clock.passed_at(now_ms))
        } else {
            clock.passed_at(now_ms)
        };
        Cursor { passed, now_ms }
    }
}
