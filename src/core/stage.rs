//! A film on stage: which text it is of, where the cursor stands, and what was edited before.
//!
//! Invariants
//! - Stepping, playing and judging by a recorded policy need nothing but films.
//! - A text of the learner's own has no recorded film: whoever holds the simulation makes one, and
//!   hands it over with [`Stage::shown`].

use crate::diagram::Density;
use crate::engine::Shown;
use crate::film::{Film, Picture};
use crate::playhead::{Move, Playhead};
use std::sync::Arc;

/// So many edits can be undone.
const MAX_UNDO: usize = 200;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    /// The text of the run.
    pub text: String,
    /// The policy of the switch; `None`: what the text says.
    pub policy: Option<String>,
    /// The film of both.
    pub film: Arc<Film>,
    /// Index of that film among the recorded ones; `None`: it is of the learner's own run.
    pub reel: Option<usize>,
    /// The picture of a film that was not recorded.
    pub picture: Option<Arc<Picture>>,
    /// Where the learner stands, and how time moves.
    pub head: Playhead,
    undo: Vec<Edit>,
    redo: Vec<Edit>,
}

/// A recorded film of which a picture is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// Its index among the recorded ones.
    pub reel: usize,
    /// The text of its run.
    pub text: String,
    /// At every resource; `None`: the text's own.
    pub policy: Option<String>,
    /// How much room the picture has.
    pub density: Density,
}

/// What undo and redo go back to.
#[derive(Clone, Debug)]
struct Edit {
    text: String,
    passed: usize,
}

impl Stage {
    /// Moves the cursor.
    pub fn go(&mut self, step: Move) {
        self.head.go(step, &self.film.clock);
    }

    /// Real milliseconds until the cursor should move again while time runs.
    pub fn tick_ms(&self) -> u64 {
        self.head.tick_ms(&self.film.clock)
    }

    /// Where what is seen to move glides to, in virtual milliseconds.
    pub fn glides_to(&self) -> u64 {
        self.head.glides_to(&self.film.clock)
    }

    /// Nothing on stage; speed and preferences stay.
    pub fn emptied(&self) -> Self {
        Stage {
            head: self.head.rewound(),
            ..Stage::default()
        }
    }

    /// Puts a recorded film on stage, at its start; nothing of what was there is kept.
    pub fn load(&mut self, text: &str, policy: Option<String>, reel: usize, film: Arc<Film>) {
        *self = Stage {
            text: text.to_owned(),
            policy,
            film,
            reel: Some(reel),
            ..self.emptied()
        };
    }

    /// The same run, judged by another policy.
    pub fn rejudge(&mut self, policy: Option<String>, reel: usize, film: Arc<Film>) {
        self.head.change_run(&self.film.clock, &film.clock);
        self.policy = policy;
        self.film = film;
        self.reel = Some(reel);
        self.picture = None;
    }

    /// Takes over what the simulation made of a text.
    pub fn shown(&mut self, shown: Shown) {
        let film = Arc::new(shown.film);
        self.head.change_run(&self.film.clock, &film.clock);
        self.text = shown.text;
        self.policy = shown.policy;
        self.film = film;
        self.reel = None;
        self.picture = Some(Arc::new(shown.picture));
    }

    /// Takes over the run with one more line, and plays until what it began has finished.
    pub fn acted(&mut self, shown: Shown, finish_ms: u64) {
        self.remember();
        let cursor = self.head.cursor;
        self.shown(shown);
        self.head.cursor = cursor;
        self.go(Move::PlayToTime(finish_ms));
    }

    /// Before the text changes.
    fn remember(&mut self) {
        self.redo.clear();
        if self.undo.len() >= MAX_UNDO {
            self.undo.remove(0);
        }
        self.undo.push(self.edit());
    }

    fn edit(&self) -> Edit {
        Edit {
            text: self.text.clone(),
            passed: self.head.cursor.passed,
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

    /// Takes the last edit back, or does it again. Returns the text that is to be shown, and how
    /// many moments of it have passed.
    pub fn travel(&mut self, back: bool) -> Option<(String, usize)> {
        let from = if back { &mut self.undo } else { &mut self.redo };
        let edit = from.pop()?;
        let here = self.edit();
        if back { &mut self.redo } else { &mut self.undo }.push(here);
        Some((edit.text, edit.passed))
    }
}
