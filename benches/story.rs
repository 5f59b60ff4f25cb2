//! How long 100,000 runs of the story of the front page take: `cargo bench --bench story`.

use fencing_lab::{script, sim};
use std::hint::black_box;
use std::time::Instant;

const RUNS: u32 = 100_000;

fn main() {
    let scenario = script::parse(include_str!("../tests/cases/two-clients-41-42.fence")).scenario;
    let start = Instant::now();
    for _ in 0..RUNS {
        black_box(sim::run(black_box(&scenario)));
    }
    let taken = start.elapsed();
    println!("{RUNS} runs in {taken:?}, {:?} a run", taken / RUNS);
}
