//! What the commands print about a scenario.

use super::{FAILED, OK, UNREADABLE, syntax_errors};
use fencing_lab::diagram::{self, Density, Theme};
use fencing_lab::narration;
use fencing_lab::script::{self, Parsed};
use fencing_lab::sim::{self, *};
use serde_json::{Map, Value, json};

/// The result of checking one file.
pub struct Checked {
    /// One of the exit statuses.
    pub status: u8,
    /// What to print.
    pub lines: Vec<String>,
}

impl Checked {
    /// A file that could not be read at all.
    pub fn unreadable(message: String) -> Self {
        Checked {
            status: UNREADABLE,
            lines: vec![message],
        }
    }
}

/// Checks all expectations of a text.
pub fn check(file: &str, text: &str) -> Checked {
    let parsed = script::parse(text);
    if !parsed.errors.is_empty() {
        return Checked {
            status: UNREADABLE,
            lines: syntax_errors(file, &parsed),
        };
    }
    let report = sim::check(&parsed.scenario);
    let mut lines = trace_problems(file, &parsed, &report.trace);
    let status = match (lines.is_empty(), report.failures.is_empty()) {
        (false, _) => UNREADABLE,
        (true, false) => FAILED,
        (true, true) => OK,
    };
    lines.extend(
        report
            .failures
            .iter()
            .map(|failure| describe(file, &parsed, failure)),
    );
    if status == OK {
        lines.push(format!("{file}: ok"));
    }
    Checked { status, lines }
}

fn describe(file: &str, parsed: &Parsed, failure: &Failure) -> String {
    let (line, under) = match failure.line {
        ExpectingLine::Step(step) => (parsed.lines.steps[step], String::new()),
        ExpectingLine::Expect(expect) => {
            let under = match &parsed.scenario.expects[expect] {
                Expect::Verdicts(policy, _) => format!("{policy}: "),
                _ => String::new(),
            };
            (parsed.lines.expects[expect], under)
        }
    };
    let text = match &failure.difference {
        Difference::Outcome {
            subject,
            expected,
            got,
        } => {
            let gap = if subject.is_empty() { "" } else { " " };
            let got = got.as_ref().map_or(
                "an answer without a word for it".into(),
                script::print_outcome,
            );
            let expected = script::print_outcome(expected);
            format!("{subject}{gap}expected {expected}, got {got}")
        }
        Difference::Mark { expected, got } => format!("expected mark {expected}, got mark {got}"),
        Difference::Value { expected, got } => {
            format!("expected value {expected:?}, got value {got:?}")
        }
    };
    format!("{file}:{line}: {under}{text}")
}

/// Steps that cannot happen, as `FILE:LINE: error: …`.
pub fn problems(file: &str, parsed: &Parsed, policy: Option<&Policy>) -> Vec<String> {
    trace_problems(file, parsed, &run(&parsed.scenario, policy))
}

fn trace_problems(file: &str, parsed: &Parsed, trace: &Trace) -> Vec<String> {
    let line = |p: &Problem| format!("{file}:{}: error: {}", parsed.lines.steps[p.step], p.text);
    trace.problems.iter().map(line).collect()
}

fn run(scenario: &Scenario, policy: Option<&Policy>) -> Trace {
    match policy {
        Some(policy) => sim::run_under(scenario, policy),
        None => sim::run(scenario),
    }
}

/// The transcript, a line a moment.
pub fn transcript(scenario: &Scenario, policy: Option<&Policy>) -> Vec<String> {
    let trace = run(scenario, policy);
    narration::transcript(scenario, &trace)
        .into_iter()
        .map(|(at, text)| format!("{at:>4} s  {text}"))
        .collect()
}

/// The picture of the whole run.
pub fn picture(scenario: &Scenario, policy: Option<&Policy>, width: u32, theme: &str) -> String {
    let trace = run(scenario, policy);
    let frame = diagram::Frame {
        shows_axis: true,
        ..diagram::Frame::of(f64::from(width), Density::Full)
    };
    let theme = match theme {
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        _ => Theme::Auto,
    };
    let title = match scenario.title.as_str() {
        "" => "A run of leases and fencing tokens",
        title => title,
    };
    diagram::svg(&diagram::scene(scenario, &trace, &frame), theme, title)
}

/// Verdicts by policy and name, and the state of the resources at the end.
pub fn json(text: &str, parsed: &Parsed, policy: Option<&Policy>) -> Value {
    let scenario = &parsed.scenario;
    let own = run(scenario, policy);
    let mut verdicts = Map::new();
    verdicts.insert("own".into(), verdicts_of(scenario, &own));
    for (expect, line) in scenario.expects.iter().zip(&parsed.lines.expects) {
        if let Expect::Verdicts(policy, _) = expect {
            let name = written_policy(text, *line).unwrap_or_else(|| policy.to_string());
            if !verdicts.contains_key(&name) {
                let trace = sim::run_under(scenario, policy);
                verdicts.insert(name, verdicts_of(scenario, &trace));
            }
        }
    }
    let state = |index: usize| {
        let (mark, value) = sim::final_state(scenario, &own, ResourceId(index));
        json!({"mark": mark, "value": value})
    };
    let resources: Map<String, Value> = (scenario.resources.iter().enumerate())
        .map(|(index, resource)| (resource.name.clone(), state(index)))
        .collect();
    let first = state(0);
    json!({
        "verdicts": verdicts,
        "mark": first["mark"],
        "value": first["value"],
        "resources": resources,
    })
}

/// The policy of an `expect` line, its options in the order of the text.
fn written_policy(text: &str, line: usize) -> Option<String> {
    let line = text.lines().nth(line.checked_sub(1)?)?;
    let (policy, _) = line.trim_start().strip_prefix("expect")?.split_once(':')?;
    Some(policy.trim().to_owned())
}

/// `{"w": …, "w#2": …, "w@R1": …}` for all named writes and claims that were judged.
fn verdicts_of(scenario: &Scenario, trace: &Trace) -> Value {
    let mut found = Map::new();
    for verdict in &trace.verdicts {
        let Some(name) = verdict.name else { continue };
        let mut key = scenario.messages[name.0].clone();
        if verdict.delivery > 1 {
            key.push_str(&format!("#{}", verdict.delivery));
        }
        let replicas = &scenario.resources[verdict.place.resource.0].replicas;
        if let Some(replica) = replicas.get(verdict.place.replica.0) {
            let whole = sim::delivery_outcome(scenario, trace, name, verdict.delivery, None);
            found.insert(key.clone(), outcome(&whole));
            key = format!("{key}@{replica}");
        }
        found.insert(key, outcome(&verdict.outcome()));
    }
    Value::Object(found)
}

fn outcome(outcome: &Outcome) -> Value {
    let verdict = script::print_outcome(&Outcome {
        reason: None,
        anomalies: Default::default(),
        ..outcome.clone()
    });
    let anomaly: Vec<&str> = outcome.anomalies.iter().map(|a| a.name()).collect();
    json!({
        "verdict": verdict,
        "reason": outcome.reason.map(Reason::name),
        "anomaly": anomaly,
    })
}
