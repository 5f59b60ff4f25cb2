//! Breadth-first search in slices.

use super::bounds::{BadBound, Bounds, Property};
use super::model::{Action, Model};
use super::packed::{Seen, pack, unpack};
use fencing_core::sim::Policy;

/// A search stops after this many distinct states unless another limit is set.
pub const DEFAULT_MAX_STATES: usize = 2_000_000;
/// No search visits more states than this, whatever limit is set.
pub const MAX_STATES: usize = 50_000_000;

/// How far a search has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Distinct states so far, the initial one included.
    pub distinct: usize,
    /// Steps of the longest runs that were reached.
    pub depth: usize,
    /// States that were found and not yet left.
    pub frontier: usize,
    /// The result, once there is one.
    pub done: Option<Outcome>,
}

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every order within the bounds was visited, and nothing was violated.
    Holds {
        /// Distinct states.
        states: usize,
        /// Steps of the longest shortest run to a state.
        depth: usize,
    },
    /// A shortest run that violates a property with its last step.
    Violated {
        /// Which.
        property: Property,
        /// All its steps.
        path: Vec<Action>,
        /// How many distinct states fewer steps lead to: none of these steps violates anything.
        states_before: usize,
    },
    /// The limit on states was reached; nothing was violated until then.
    LimitReached {
        /// Distinct states.
        states: usize,
        /// No run of up to so many steps violates anything.
        depth: usize,
    },
}

/// A search that can be run in slices.
pub struct Search {
    model: Model,
    properties: Vec<Property>,
    max_states: usize,
    seen: Seen,
    /// For each state how it was first reached: from which state, by which action.
    reached: Vec<(u32, Action)>,
    /// Position of the first state of each number of steps.
    levels: Vec<usize>,
    /// The next state to leave.
    next: usize,
    outcome: Option<Outcome>,
}

impl Search {
    /// A search that has seen the initial state only.
    ///
    /// # Errors
    /// See [`Bounds::check`].
    pub fn new(bounds: Bounds, policy: Policy, properties: &[Property]) -> Result<Self, BadBound> {
        let model = Model::new(bounds, policy)?;
        let mut seen = Seen::new();
        seen.insert(pack(&model.initial()));
        Ok(Search {
            model,
            properties: properties.to_vec(),
            max_states: DEFAULT_MAX_STATES,
            seen,
            reached: vec![(0, Action::LeaseEnds)],
            levels: vec![0, 1],
            next: 0,
            outcome: None,
        })
    }

    /// Sets the limit on distinct states, 1 to [`MAX_STATES`].
    pub fn with_max_states(mut self, max_states: usize) -> Self {
        self.max_states = max_states.clamp(1, MAX_STATES);
        self
    }

    /// The configuration.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Leaves at most `max_states` more states and tells how far that led.
    pub fn run_for(&mut self, max_states: usize) -> Progress {
        for _ in 0..max_states {
            if self.outcome.is_some() {
                break;
            }
            self.leave_next();
        }
        self.progress()
    }

    /// Runs to the end.
    pub fn run(&mut self) -> Outcome {
        loop {
            if let Some(outcome) = self.run_for(usize::MAX).done {
                return outcome;
            }
        }
    }

    /// How far the search has come.
    pub fn progress(&self) -> Progress {
        Progress {
            distinct: self.seen.len(),
            depth: self.levels().len() - 1,
            frontier: self.seen.len() - self.next,
            done: self.outcome.clone(),
        }
    }

    /// How many distinct states each number of steps leads to, from 0 steps on. The last number
    /// still grows while the search runs.
    pub fn levels(&self) -> Vec<usize> {
        let ends = self.levels[1..].iter().copied().chain([self.seen.len()]);
        let starts = self.levels.iter().copied();
        let mut sizes: Vec<usize> = ends.zip(starts).map(|(end, start)| end - start).collect();
        if sizes.len() > 1 && sizes.last() == Some(&0) {
            sizes.pop();
        }
        sizes
    }

    /// Looks at all that may happen in the next state, and ends the search where it must end.
    fn leave_next(&mut self) {
        let from = self.next;
        let depth = self.levels.len() - 2;
        if from == self.seen.len() {
            self.outcome = Some(Outcome::Holds {
                states: self.seen.len(),
                depth: self.levels().len() - 1,
            });
        } else if let Some((property, action)) = self.look_beyond(from) {
            let mut path = self.path_to(from);
            path.push(action);
            self.outcome = Some(Outcome::Violated {
                property,
                path,
                states_before: self.levels[depth + 1],
            });
        } else {
            self.next += 1;
            self.begin_level();
        }
    }

    /// After the last state of a number of steps; and stops at the limit.
    fn begin_level(&mut self) {
        if self.next == self.seen.len() {
            return;
        }
        if self.levels.last() == Some(&self.next) {
            self.levels.push(self.seen.len());
        }
        if self.seen.len() >= self.max_states {
            self.outcome = Some(Outcome::LimitReached {
                states: self.seen.len(),
                depth: self.levels.len() - 2,
            });
        }
    }

    /// Adds the states that one step leads to; the first step that violates something is returned.
    fn look_beyond(&mut self, from: usize) -> Option<(Property, Action)> {
        let state = unpack(self.seen.get(from));
        let (model, properties) = (&self.model, &self.properties);
        let (seen, reached) = (&mut self.seen, &mut self.reached);
        let mut violated = None;
        model.for_each_action(&state, |action| {
            let Some(step) = model.step(&state, action) else {
                return;
            };
            if violated.is_none() {
                let property = step.violates(properties);
                violated = property.map(|property| (property, action));
            }
            if seen.insert(pack(&step.state)) {
                reached.push((from as u32, action));
            }
        });
        violated
    }

    /// The steps by which a state was first reached.
    fn path_to(&self, state: usize) -> Vec<Action> {
        let mut path = Vec::new();
        let mut at = state;
        while at > 0 {
            let (from, action) = self.reached[at];
            path.push(action);
            at = from as usize;
        }
        path.reverse();
        path
    }
}
