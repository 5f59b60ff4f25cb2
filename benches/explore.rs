//! States a second of the explorer and of `stateright`, on the same model and machine, one thread
//! each. Prints both and the ratio; the bar is a ratio of at least 1.

use fencing_lab::explore::{Action, Bounds, Model, Outcome, Search, State};
use fencing_lab::sim::{Base, Policy};
use stateright::{Checker, Model as _, Property};
use std::time::Instant;

const ROUNDS: usize = 3;

struct Same(Model);

impl stateright::Model for Same {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![self.0.initial()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.extend(self.0.actions(state));
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        self.0.step(state, action).map(|step| step.state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::<Self>::always("nothing is asked", |_, _| true)]
    }
}

fn bounds() -> Bounds {
    Bounds {
        clients: 3,
        grants: 1,
        writes: 2,
        reads: 1,
        delays: 1,
        stalls: 1,
        ..Bounds::default()
    }
}

fn own() -> usize {
    let mut search = Search::new(bounds(), Policy::of(Base::CheckThenWrite), &[])
        .expect("the bounds are in range");
    match search.run() {
        Outcome::Holds { states, .. } => states,
        other => panic!("{other:?}"),
    }
}

fn theirs() -> usize {
    let model = Model::new(bounds(), Policy::of(Base::CheckThenWrite));
    let checker = Same(model.expect("the bounds are in range")).checker();
    checker.threads(1).spawn_bfs().join().unique_state_count()
}

/// The number of states and the best rate of some rounds.
fn measure(name: &str, search: fn() -> usize) -> (usize, f64) {
    let mut best = (0, 0.0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let states = search();
        let rate = states as f64 / start.elapsed().as_secs_f64();
        if rate > best.1 {
            best = (states, rate);
        }
    }
    println!("{name:<10} {} states, {:.0} states/s", best.0, best.1);
    best
}

fn main() {
    let (states, own_rate) = measure("explorer", own);
    let (same, other_rate) = measure("stateright", theirs);
    assert_eq!(states, same, "both search the same model");
    println!("ratio      {:.2}", own_rate / other_rate);
}
