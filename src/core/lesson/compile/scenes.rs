//! The runs of a lesson: read, checked, and played under the policies that the beats ask for.

use super::super::{Pane, Run};
use super::Problems;
use super::anchor::{listed, suggestion};
use super::markdown::Block;
use crate::script::{self, LineMap, Parsed};
use crate::sim::{
    self, Difference, ExpectingLine, Failure, Outcome, Policy, Problem, Scenario, Trace,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The name of the first run.
const MAIN: &str = "main";

/// A scenario and what happened.
pub(super) struct Played {
    pub scenario: Scenario,
    pub trace: Trace,
}

/// A run and the policy at every resource; `None`: the scenario's own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PaneKey {
    pub run: usize,
    pub policy: Option<Policy>,
}

impl PaneKey {
    pub fn pane(&self) -> Pane {
        Pane {
            run: self.run,
            policy: self.policy.as_ref().map(Policy::to_string),
        }
    }
}

struct Scene {
    run: Run,
    /// Line of the opening fence.
    opens: usize,
    lines: LineMap,
    /// `None`: the text has errors, and nothing more can be said of it.
    scenario: Option<Scenario>,
    /// Steps that are impossible under its own policy; complained about already.
    problems: Vec<Problem>,
}

/// All runs.
pub(super) struct Scenes {
    all: Vec<Scene>,
    played: BTreeMap<PaneKey, Rc<Played>>,
}

impl Scenes {
    /// Reads and checks the scenarios.
    pub fn read(blocks: &[Block], problems: &mut Problems) -> Self {
        let mut scenes = Scenes {
            all: Vec::new(),
            played: BTreeMap::new(),
        };
        if blocks.is_empty() {
            problems.add(
                1,
                "a lesson has a scenario: a `fence` block before the first heading",
            );
        }
        for block in blocks {
            let name = problems.ok(block.opens, scenes.name(&block.info));
            let name = match scenes.all.is_empty() {
                true => MAIN.to_owned(),
                false => name.unwrap_or_default(),
            };
            let parsed = script::parse(&block.text);
            let impossible = check(block.opens, &parsed, problems);
            scenes.all.push(Scene {
                run: Run {
                    name,
                    text: block.text.clone(),
                },
                opens: block.opens,
                scenario: impossible.is_some().then_some(parsed.scenario),
                problems: impossible.unwrap_or_default(),
                lines: parsed.lines,
            });
        }
        scenes
    }

    /// As the lesson keeps them.
    pub fn runs(&self) -> Vec<Run> {
        self.all.iter().map(|scene| scene.run.clone()).collect()
    }

    /// The name in `fence run=NAME`; the first run has none.
    fn name(&self, info: &str) -> Result<String, String> {
        let named = info
            .strip_prefix("fence")
            .map(str::trim)
            .unwrap_or_default();
        let is_name = |name: &str| {
            let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
            !name.is_empty() && name.bytes().all(fits)
        };
        match (self.all.is_empty(), named.strip_prefix("run=")) {
            (true, None) if named.is_empty() => Ok(MAIN.to_owned()),
            (true, Some(MAIN)) => Ok(MAIN.to_owned()),
            (true, _) => Err(format!(
                "the first run is `{MAIN}` and needs no name, not `{named}`"
            )),
            (false, Some(name)) if !is_name(name) => Err(format!(
                "`{name}` is no name of a run: lower case letters, digits and `-`"
            )),
            (false, Some(name)) if self.all.iter().any(|scene| scene.run.name == name) => {
                Err(format!("there is a run `{name}` already"))
            }
            (false, Some(name)) => Ok(name.to_owned()),
            (false, None) => Err("a further run is named: ```fence run=some-name".to_owned()),
        }
    }

    /// `run` or `run@policy`.
    pub fn pane(&self, text: &str) -> Result<PaneKey, String> {
        let (name, policy_text) = match text.split_once('@') {
            Some((name, policy)) => (name, Some(policy)),
            None => (text, None),
        };
        let names = || self.all.iter().map(|scene| scene.run.name.as_str());
        let run = names().position(|known| known == name).ok_or_else(|| {
            let hint = suggestion(name, names());
            format!(
                "unknown run `{name}`{hint}; the runs are {}",
                listed(names())
            )
        })?;
        let policy = policy_text.map(policy).transpose()?;
        Ok(PaneKey { run, policy })
    }

    /// What happens in a pane; `None` if its scenario has errors. Steps that are impossible only
    /// under this policy are complained about.
    pub fn play(&mut self, key: &PaneKey, problems: &mut Problems) -> Option<Rc<Played>> {
        if let Some(played) = self.played.get(key) {
            return Some(played.clone());
        }
        let scene = self.all.get(key.run)?;
        let scenario = scene.scenario.clone()?;
        let trace = match &key.policy {
            Some(policy) => sim::run_under(&scenario, policy),
            None => sim::run(&scenario),
        };
        if let Some(policy) = &key.policy {
            let new = |problem: &&Problem| !scene.problems.contains(*problem);
            for problem in trace.problems.iter().filter(new) {
                let line = line_of(scene.opens, &scene.lines.steps, problem.step);
                problems.add(line, format!("under `{policy}`: {}", problem.text));
            }
        }
        let played = Rc::new(Played { scenario, trace });
        self.played.insert(key.clone(), played.clone());
        Some(played)
    }

    /// The policy of a pane: its own, or that of the scenario's only resource.
    pub fn policy_of(&self, key: &PaneKey) -> Option<Policy> {
        let scenario = self
            .all
            .get(key.run)
            .and_then(|scene| scene.scenario.as_ref());
        let of_scenario = || match scenario?.resources.as_slice() {
            [resource] => Some(resource.policy.clone()),
            _ => None,
        };
        key.policy.clone().or_else(of_scenario)
    }
}

/// Line of the file on which the `index`-th of something stands in a block.
fn line_of(opens: usize, lines: &[usize], index: usize) -> usize {
    opens + lines.get(index).copied().unwrap_or(0)
}

/// Compares a scenario with its run; gives its impossible steps back, `None` for errors of syntax.
fn check(opens: usize, parsed: &Parsed, problems: &mut Problems) -> Option<Vec<Problem>> {
    for error in &parsed.errors {
        problems.add(opens + error.line, error.to_string());
    }
    if !parsed.errors.is_empty() {
        return None;
    }
    let report = sim::check(&parsed.scenario);
    for problem in &report.trace.problems {
        problems.add(
            line_of(opens, &parsed.lines.steps, problem.step),
            &problem.text,
        );
    }
    for failure in &report.failures {
        let line = match failure.line {
            ExpectingLine::Step(index) => line_of(opens, &parsed.lines.steps, index),
            ExpectingLine::Expect(index) => line_of(opens, &parsed.lines.expects, index),
        };
        problems.add(line, difference(failure));
    }
    Some(report.trace.problems)
}

/// "expected `late accepted`, the simulation says `rejected because stale`"
fn difference(failure: &Failure) -> String {
    let (expected, got) = match &failure.difference {
        Difference::Outcome {
            subject,
            expected,
            got,
        } => {
            let gap = if subject.is_empty() { "" } else { " " };
            let got = got
                .as_ref()
                .map_or("something without a name".to_owned(), words);
            (format!("{subject}{gap}{}", words(expected)), got)
        }
        Difference::Mark { expected, got } => (format!("mark {expected}"), got.to_string()),
        Difference::Value { expected, got } => {
            (format!("value \"{expected}\""), format!("\"{got}\""))
        }
    };
    format!("expected `{expected}`, the simulation says `{got}`")
}

/// An outcome as one writes it.
pub(super) fn words(outcome: &Outcome) -> String {
    script::print_outcome(outcome)
}

/// A policy by itself, read by the rules of the language.
pub(super) fn policy(text: &str) -> Result<Policy, String> {
    script::parse_policy(text).map_err(|error| error.to_string())
}
