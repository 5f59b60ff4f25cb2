//! Where a learner stands in a lesson: which beat, what was predicted, what was done.
//!
//! Invariants
//! - The run on stage is a [`Session`]; a course only tells it where to stand and what to play, so
//!   that free experiments are ordinary edits and "back to the lesson" is entering the beat again.
//! - An answer is right because the compiler found it so by the run, never because a course says it.
//! - A wrong choice costs nothing, and no question has to be answered.

use crate::lesson::{Beat, Lesson, Pane};
use crate::script;
use crate::session::{Intent, Session};
use crate::sim::Policy;
use std::sync::Arc;

/// A lesson being read.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// The lesson.
    pub lesson: Arc<Lesson>,
    /// Index of the beat on screen.
    pub beat: usize,
    /// What happened at each beat.
    pub marks: Vec<Mark>,
}

/// What a learner did at a beat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Index of the choice that was picked.
    pub picked: Option<usize>,
    /// The act was carried out (or there is none): answers may show.
    pub acted: bool,
}

/// What a learner can do in a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Picks a choice of the question.
    Pick(usize),
    /// Does what the beat asks for.
    Act,
    /// Does it once more from where the beat opens.
    Again,
    /// On: carries out the act of a beat that still waits for it, else the next beat.
    Next,
    /// To the beat before.
    Back,
    /// To any beat.
    Go(usize),
    /// Leaves a free experiment.
    Return,
}

impl Course {
    /// At the first beat. The session still has to be told: see [`Course::enter`].
    pub fn new(lesson: Arc<Lesson>) -> Self {
        let marks = vec![Mark::default(); lesson.beats.len()];
        Course {
            lesson,
            beat: 0,
            marks,
        }
    }

    /// The beat on screen. A lesson has at least one; the compiler sees to that.
    pub fn current(&self) -> &Beat {
        &self.lesson.beats[self.beat.min(self.lesson.beats.len() - 1)]
    }

    /// What was done at the beat on screen.
    pub fn mark(&self) -> Mark {
        self.marks.get(self.beat).copied().unwrap_or_default()
    }

    /// Whether the beat still waits for its act.
    pub fn waits(&self) -> bool {
        self.current().act.is_some() && !self.mark().acted
    }

    /// Whether the last beat has been read and done.
    pub fn is_complete(&self) -> bool {
        self.beat + 1 == self.lesson.beats.len() && !self.waits()
    }

    /// The future stays out of sight while a question about it is still open.
    pub fn hides_future(&self, session: &Session) -> bool {
        let ahead = self.lesson.beats.iter().zip(&self.marks).skip(self.beat);
        let asked = |(beat, mark): (&Beat, &Mark)| beat.predict.is_some() && !mark.acted;
        let open = self.current().hide && self.waits() || ahead.into_iter().any(asked);
        open && !self.is_free(session)
    }

    /// Whether the learner experiments: the text on stage is not the lesson's.
    pub fn is_free(&self, session: &Session) -> bool {
        session.source != self.text(self.first_pane())
    }

    fn first_pane(&self) -> &Pane {
        &self.current().panes[0]
    }

    /// The text of a pane's run.
    pub fn text(&self, pane: &Pane) -> &str {
        self.lesson
            .runs
            .get(pane.run)
            .map_or("", |run| run.text.as_str())
    }

    /// Carries out a turn.
    pub fn take(&mut self, turn: Turn, session: &mut Session) {
        match turn {
            Turn::Pick(choice) if !self.mark().acted => {
                self.set_mark(|mark| mark.picked = Some(choice));
                if self.current().act.is_none() {
                    self.set_mark(|mark| mark.acted = true);
                }
            }
            Turn::Pick(_) => {}
            Turn::Act => self.act(session),
            Turn::Again => {
                self.stand(session);
                self.act(session);
            }
            Turn::Next if self.waits() => self.act(session),
            Turn::Next => self.go(self.beat + 1, session),
            Turn::Back => self.go(self.beat.saturating_sub(1), session),
            Turn::Go(beat) => self.go(beat, session),
            Turn::Return => self.enter(session),
        }
    }

    fn set_mark(&mut self, change: impl FnOnce(&mut Mark)) {
        if let Some(mark) = self.marks.get_mut(self.beat) {
            change(mark);
        }
    }

    fn go(&mut self, beat: usize, session: &mut Session) {
        let last = self.lesson.beats.len() - 1;
        // Beats that were passed over count as read: their answers are no secret any more.
        for mark in self.marks.iter_mut().take(beat.min(last)) {
            mark.acted = true;
        }
        self.beat = beat.min(last);
        self.enter(session);
    }

    /// Puts the run of the beat on stage and the cursor where the beat opens, or where its act led.
    pub fn enter(&mut self, session: &mut Session) {
        let pane = self.first_pane().clone();
        let text = self.text(&pane).to_owned();
        if session.source != text {
            session.update(Intent::Load(text));
        }
        let policy = pane_policy(&pane);
        if session.policy != policy {
            session.update(Intent::SetPolicy(policy));
        }
        if self.current().act.is_none() && self.current().predict.is_none() {
            self.set_mark(|mark| mark.acted = true);
        }
        match &self.current().act {
            Some(act) if self.mark().acted => {
                let passed = act.until.moments_passed(&session.run.trace);
                session.update(Intent::SeekMoment(passed));
            }
            _ => self.stand(session),
        }
    }

    fn stand(&self, session: &mut Session) {
        let passed = self.current().stand.moments_passed(&session.run.trace);
        session.update(Intent::SeekMoment(passed));
    }

    fn act(&mut self, session: &mut Session) {
        if self.is_free(session) {
            self.enter(session);
        }
        if let Some(act) = &self.current().act {
            let until = act.until.moments_passed(&session.run.trace);
            if session.cursor.passed >= until {
                self.stand(session);
            }
            session.update(Intent::PlayTo(until));
        }
        self.set_mark(|mark| mark.acted = true);
    }
}

/// The policy that a pane is played under; `None`: the scenario's own.
pub fn pane_policy(pane: &Pane) -> Option<Policy> {
    let text = pane.policy.as_deref()?;
    script::parse_policy(text).ok()
}
