//! `cargo xtask test`: every check, one stage after the other.

use crate::counts::Counts;
use crate::run::{run, watch};
use crate::rust::{self, WASM};
use crate::tools::{self, Goal};
use crate::{Result, bundle, paths, report};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// What came of a stage.
enum Outcome {
    /// Its checks, counted; a stage that is one check counts as one.
    Ran(Counts),
    /// It could not run, since the one named here failed.
    Skipped(&'static str),
}

/// A finished stage, for the summary.
struct Stage {
    name: &'static str,
    took: Duration,
    outcome: Outcome,
}

/// Runs all stages, going on after a failure where that makes sense, and sums up.
pub fn all() -> Result<ExitCode> {
    let mut stages = Vec::new();
    stage(&mut stages, "setup", one(|| tools::ensure(Goal::Test)));
    if failed(&stages) {
        return Ok(finish(&stages));
    }
    stage(&mut stages, "format", one(format));
    stage(&mut stages, "clippy, native", one(clippy_native));
    stage(&mut stages, "clippy, wasm", one(clippy_wasm));
    stage(&mut stages, "native tests", native_tests);
    stage(
        &mut stages,
        "release build",
        one(|| bundle::build_only(true)),
    );
    let built = stages.last().is_some_and(|stage| !stage.failed());
    let after_build = |run: fn() -> Outcome| match built {
        true => run(),
        false => Outcome::Skipped("release build"),
    };
    stage(&mut stages, "bytes", || {
        after_build(|| one(report::print)())
    });
    stage(&mut stages, "browser tests", || after_build(browser_tests));
    Ok(finish(&stages))
}

/// Builds the app and prints how fast it is and how many bytes it takes.
pub fn performance() -> Result<()> {
    bundle::build(true)?;
    tools::ensure(Goal::Test)?;
    report::show()?;
    let script = paths::browser_tests().join("bench.mjs");
    run(node()
        .args(["--test-reporter=spec", "--test-reporter-destination=stderr"])
        .arg(script))
}

/// Runs the native benchmarks.
pub fn bench(rest: &[OsString]) -> Result<()> {
    run(cargo().args(["bench", "--workspace"]).args(rest))
}

fn stage(stages: &mut Vec<Stage>, name: &'static str, body: impl FnOnce() -> Outcome) {
    println!("\n== {name}");
    let start = Instant::now();
    let outcome = body();
    let stage = Stage {
        name,
        took: start.elapsed(),
        outcome,
    };
    println!("{}", stage.line());
    stages.push(stage);
}

/// A stage that is one check.
fn one(body: impl FnOnce() -> Result<()>) -> impl FnOnce() -> Outcome {
    || {
        let ok = body()
            .map_err(|message| println!("error: {message}"))
            .is_ok();
        Outcome::Ran(Counts {
            passed: usize::from(ok),
            failed: usize::from(!ok),
        })
    }
}

impl Stage {
    fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Ran(counts) if counts.failed > 0)
    }

    /// One line of the summary.
    fn line(&self) -> String {
        let result = match self.outcome {
            Outcome::Ran(Counts {
                passed: 1,
                failed: 0,
            }) => "ok".into(),
            Outcome::Ran(counts) if counts.failed == 0 => format!("ok, {} passed", counts.passed),
            Outcome::Ran(counts) => {
                format!("FAILED, {} passed, {} failed", counts.passed, counts.failed)
            }
            Outcome::Skipped(cause) => format!("skipped, since the {cause} failed"),
        };
        format!(
            "{:<16} {:>6.1} s  {result}",
            self.name,
            self.took.as_secs_f64()
        )
    }
}

fn failed(stages: &[Stage]) -> bool {
    stages.iter().any(Stage::failed)
}

/// Prints the summary, whose last line is `N passed, N failed`.
fn finish(stages: &[Stage]) -> ExitCode {
    println!("\n== summary");
    for stage in stages {
        println!("{}", stage.line());
    }
    println!("{}", last_line(stages));
    if failed(stages) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

fn last_line(stages: &[Stage]) -> String {
    let ran = stages.iter().filter_map(|stage| match stage.outcome {
        Outcome::Ran(counts) => Some(counts),
        Outcome::Skipped(_) => None,
    });
    let sum: Counts = ran.sum();
    format!("{} passed, {} failed", sum.passed, sum.failed)
}

fn cargo() -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(paths::root());
    cargo
}

fn format() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))
}

fn clippy_native() -> Result<()> {
    run(cargo()
        .args(["clippy", "--quiet", "--workspace", "--all-targets"])
        .args(["--", "-D", "warnings"]))
}

/// The app, and the packages of this workspace that it is made of.
fn clippy_wasm() -> Result<()> {
    // The profile of the build, so that macros and build scripts are compiled once for both.
    run(rust::find()?
        .cargo()?
        .current_dir(paths::root())
        .args(["clippy", "--quiet", "--release", "--target", WASM])
        .args(["--package", "fencing-lab"])
        .args(["--bin", "app", "--bin", "lab", "--bin", "engine"])
        .args(["--", "-D", "warnings"]))
}

fn native_tests() -> Outcome {
    let mut command = cargo();
    command.args(["test", "--workspace", "--no-fail-fast"]);
    Outcome::Ran(count(&mut command, Counts::add_cargo_line))
}

fn browser_tests() -> Outcome {
    let files = match browser_test_files() {
        Ok(files) => files,
        Err(message) => return one(|| Err(message))(),
    };
    // One after the other: several of them measure time.
    let (passed, failed): (Vec<_>, Vec<_>) = files
        .iter()
        .map(|file| (file, browser_file(file)))
        .partition(|(_, counts)| counts.failed == 0);
    // What a busy machine was late for may pass now; what fails twice has failed.
    let again = failed.iter().map(|(file, counts)| {
        println!(
            "\n== once more: {} ({} failed)",
            file.display(),
            counts.failed
        );
        browser_file(file)
    });
    let all: Counts = passed.iter().map(|(_, counts)| *counts).chain(again).sum();
    Outcome::Ran(all.judged(true))
}

fn browser_file(file: &Path) -> Counts {
    let mut node = node();
    node.args(["--test", "--test-reporter=spec", "--test-timeout=900000"])
        .arg(file);
    count(&mut node, Counts::add_node_line)
}

/// Node, with the browser that was found.
fn node() -> Command {
    let mut node = Command::new("node");
    node.current_dir(paths::root());
    if let Ok(chromium) = tools::find_chromium() {
        node.env("CHROME", chromium);
    }
    node
}

/// Every `tests/browser/*.test.mjs`, by name.
fn browser_test_files() -> Result<Vec<PathBuf>> {
    let dir = paths::browser_tests();
    let failed = |error| format!("{}: {error}", dir.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Runs a test runner and counts by the lines it prints.
fn count(command: &mut Command, add: fn(&mut Counts, &str)) -> Counts {
    let mut counts = Counts::default();
    let ok = match watch(command, |line| add(&mut counts, line)) {
        Ok(ok) => ok,
        Err(message) => {
            println!("error: {message}");
            false
        }
    };
    counts.judged(ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(passed: usize, failed: usize) -> Stage {
        Stage {
            name: "stage",
            took: Duration::from_millis(1500),
            outcome: Outcome::Ran(Counts { passed, failed }),
        }
    }

    #[test]
    fn the_last_line_sums_all_stages() {
        let mut skipped = ran(0, 0);
        skipped.outcome = Outcome::Skipped("release build");
        let stages = [ran(1, 0), ran(20, 2), skipped];
        assert_eq!(last_line(&stages), "21 passed, 2 failed");
        assert!(failed(&stages));
        assert!(!failed(&[ran(1, 0)]));
    }

    #[test]
    fn each_stage_tells_time_and_result() {
        assert_eq!(ran(1, 0).line(), "stage               1.5 s  ok");
        assert_eq!(
            ran(20, 0).line(),
            "stage               1.5 s  ok, 20 passed"
        );
        let line = ran(20, 2).line();
        assert!(line.ends_with("FAILED, 20 passed, 2 failed"), "{line}");
    }

    #[test]
    fn an_error_fails_a_stage_of_one_check() {
        let outcome = one(|| Err("no".into()))();
        assert!(matches!(
            outcome,
            Outcome::Ran(Counts {
                passed: 0,
                failed: 1
            })
        ));
    }
}
