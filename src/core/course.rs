//! Where a learner stands in a lesson: which beat, what was predicted, what was done.
//!
//! Invariants
//! - The run on [`Stage`] is a film; a course only tells it where to stand and what to play, so that
//!   free experiments are ordinary edits and "back to the lesson" is entering the beat again.
//! - An answer is right because the compiler found it so by the run, never because a course says it.
//! - A wrong choice costs nothing, and no question has to be answered.

use crate::diagram::Density;
use crate::film::Film;
use crate::lesson::{Beat, Edition, Lesson, Pane, Reel, Stand, View};
use crate::panels::RuleForm;
use crate::playhead::Move;
use crate::stage::{Stage, Take};
use std::sync::Arc;

/// A lesson being read.
#[derive(Clone, Debug)]
pub struct Course {
    /// The lesson.
    pub lesson: Arc<Lesson>,
    /// Its recorded films: which run, under which policy of the lesson's, and the film.
    reels: Arc<Vec<Recorded>>,
    /// Index of the beat on screen.
    pub beat: usize,
    /// What happened at each beat.
    pub marks: Vec<Mark>,
}

/// A film of a lesson.
#[derive(Debug)]
struct Recorded {
    run: usize,
    policy: Option<String>,
    film: Arc<Film>,
}

impl Recorded {
    fn is_of(&self, pane: &Pane) -> bool {
        self.run == pane.run && self.policy == pane.policy
    }
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
    /// At the first beat. The stage still has to be told: see [`Course::enter`].
    pub fn new(edition: Edition) -> Self {
        let marks = vec![Mark::default(); edition.lesson.beats.len()];
        let record = |reel: Reel| Recorded {
            run: reel.run,
            policy: reel.policy,
            film: Arc::new(reel.film),
        };
        Course {
            lesson: Arc::new(edition.lesson),
            reels: Arc::new(edition.reels.into_iter().map(record).collect()),
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
    pub fn hides_future(&self, stage: &Stage) -> bool {
        let ahead = self.lesson.beats.iter().zip(&self.marks).skip(self.beat);
        let asked = |(beat, mark): (&Beat, &Mark)| beat.predict.is_some() && !mark.acted;
        let open = self.current().hide && self.waits() || ahead.into_iter().any(asked);
        open && !self.is_free(stage)
    }

    /// Whether the learner experiments: the text on stage is not the lesson's.
    pub fn is_free(&self, stage: &Stage) -> bool {
        stage.text != self.first_text()
    }

    /// What the beat shows, or shows first.
    pub fn first_pane(&self) -> &Pane {
        &self.current().panes[0]
    }

    /// The text of what the beat shows first.
    pub fn first_text(&self) -> &str {
        self.text(self.first_pane())
    }

    /// The form of the rule that the beat puts in front.
    pub fn rule_form(&self) -> RuleForm {
        match self.current().view {
            View::Gate => RuleForm::Gate,
            View::Sql => RuleForm::Sql,
        }
    }

    /// The text of a pane's run.
    fn text(&self, pane: &Pane) -> &str {
        self.lesson
            .runs
            .get(pane.run)
            .map_or("", |run| run.text.as_str())
    }

    /// Carries out a turn.
    pub fn take(&mut self, turn: Turn, stage: &mut Stage) {
        match turn {
            Turn::Pick(choice) if !self.mark().acted => {
                self.set_mark(|mark| mark.picked = Some(choice));
                if self.current().act.is_none() {
                    self.set_mark(|mark| mark.acted = true);
                }
            }
            Turn::Pick(_) => {}
            Turn::Act => self.act(stage),
            Turn::Again => {
                self.stand(stage);
                self.act(stage);
            }
            Turn::Next if self.waits() => self.act(stage),
            Turn::Next => self.go(self.beat + 1, stage),
            Turn::Back => self.go(self.beat.saturating_sub(1), stage),
            Turn::Go(beat) => self.go(beat, stage),
            Turn::Return => self.enter(stage),
        }
    }

    fn set_mark(&mut self, change: impl FnOnce(&mut Mark)) {
        if let Some(mark) = self.marks.get_mut(self.beat) {
            change(mark);
        }
    }

    fn go(&mut self, beat: usize, stage: &mut Stage) {
        let last = self.lesson.beats.len() - 1;
        // Beats that were passed over count as read: their answers are no secret any more.
        for mark in self.marks.iter_mut().take(beat.min(last)) {
            mark.acted = true;
        }
        self.beat = beat.min(last);
        self.enter(stage);
    }

    /// Puts the run of the beat on stage and the cursor where the beat opens, or where its act led.
    pub fn enter(&mut self, stage: &mut Stage) {
        let pane = self.first_pane();
        self.put(pane.run, pane.policy.clone(), stage);
        if self.current().act.is_none() && self.current().predict.is_none() {
            self.set_mark(|mark| mark.acted = true);
        }
        match &self.current().act {
            Some(act) if self.mark().acted => seek(stage, act.until),
            _ => self.stand(stage),
        }
    }

    /// Puts a recorded film on stage, unless it is there; false if there is none of that policy.
    fn put(&self, run: usize, policy: Option<String>, stage: &mut Stage) -> bool {
        let found = (self.reels.iter()).position(|r| r.run == run && r.policy == policy);
        let Some(index) = found else {
            return false;
        };
        let film = self.reels[index].film.clone();
        let text = self
            .lesson
            .runs
            .get(run)
            .map_or("", |run| run.text.as_str());
        if stage.text != text || stage.film.stills.is_empty() {
            stage.load(text, policy, index, film);
        } else if stage.reel != Some(index) {
            stage.rejudge(policy, index, film);
        }
        true
    }

    /// Judges the lesson's run by another policy; false if there is no film of that.
    pub fn rejudge(&self, policy: &str, stage: &mut Stage) -> bool {
        if self.is_free(stage) {
            return false;
        }
        let run = self.first_pane().run;
        let is_meant = |reel: &&Recorded| {
            reel.run == run
                && (reel.policy.as_deref() == Some(policy)
                    || reel.policy.is_none() && reel.film.policy == policy)
        };
        let found = self.reels.iter().find(is_meant);
        found.is_some_and(|reel| self.put(run, reel.policy.clone(), stage))
    }

    /// All films: alone, and those that a beat shows side by side once more for that.
    pub fn takes(&self, density: Density) -> Vec<Take> {
        let paired = |reel: &Recorded| {
            let beats = self.lesson.beats.iter();
            let beside = beats.filter(|beat| beat.panes.len() > 1);
            let mut panes = beside.flat_map(|beat| &beat.panes);
            panes.any(|pane| reel.is_of(pane))
        };
        let mut takes = Vec::new();
        for (index, reel) in self.reels.iter().enumerate() {
            let text = self.lesson.runs.get(reel.run);
            let alone = Take {
                reel: index,
                text: text.map_or(String::new(), |run| run.text.clone()),
                policy: reel.policy.clone(),
                density,
            };
            if paired(reel) {
                let density = Density::Pair;
                takes.push(Take {
                    density,
                    ..alone.clone()
                });
            }
            takes.push(alone);
        }
        takes
    }

    /// What a beat shows side by side, if it does: indices and films.
    pub fn beside(&self) -> Vec<(usize, &Film)> {
        let panes = &self.current().panes;
        if panes.len() < 2 {
            return Vec::new();
        }
        let reel = |pane: &Pane| {
            let index = self.reels.iter().position(|reel| reel.is_of(pane))?;
            Some((index, &*self.reels[index].film))
        };
        panes.iter().filter_map(reel).collect()
    }

    fn stand(&self, stage: &mut Stage) {
        seek(stage, self.current().stand);
    }

    fn act(&mut self, stage: &mut Stage) {
        if self.is_free(stage) {
            self.enter(stage);
        }
        if let Some(act) = &self.current().act {
            let until = act.until.moments_passed(&stage.film.clock);
            if stage.head.cursor.passed >= until {
                self.stand(stage);
            }
            stage.go(Move::PlayTo(until));
        }
        self.set_mark(|mark| mark.acted = true);
    }
}

fn seek(stage: &mut Stage, stand: Stand) {
    let passed = stand.moments_passed(&stage.film.clock);
    stage.go(Move::SeekMoment(passed));
}
