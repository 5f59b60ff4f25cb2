//! The shared corpus: real systems and bug reports with the right verdicts, and random scenarios
//! with what a reference interpreter answers.

use fencing_lab::script;
use fencing_lab::sim::{self, *};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|ext| ext == "fence"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_expectation_of_every_case_is_met() {
    let files = cases();
    assert!(files.len() >= 43, "only {} cases", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let parsed = script::parse(&text);
        assert_eq!(parsed.errors, [], "{}", file.display());
        let report = sim::check(&parsed.scenario);
        assert_eq!(report.trace.problems, [], "{}", file.display());
        assert_eq!(report.failures, [], "{}", file.display());
    }
}

#[test]
fn random_scenarios_agree_with_the_reference() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/random-cases.jsonl");
    let mut wrong = Vec::new();
    let lines = fs::read_to_string(file).unwrap();
    assert_eq!(lines.lines().count(), 500);
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap();
        let parsed = script::parse(text);
        assert_eq!(parsed.errors, [], "{}\n{text}", case["name"]);
        let trace = sim::run(&parsed.scenario);
        assert_eq!(trace.problems, [], "{}\n{text}", case["name"]);
        let got = result(&parsed.scenario, &trace);
        let expected = &case["result"];
        if got["own"] != expected["verdicts"]["own"] || got["resources"] != expected["resources"] {
            wrong.push(format!(
                "{}\n{text}\n{}",
                case["name"],
                difference(&got, expected)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ, first:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(3)].join("\n")
    );
}

fn difference(got: &Value, expected: &Value) -> String {
    let mut lines = vec![format!("{} | {}", got["resources"], expected["resources"])];
    let want = expected["verdicts"]["own"].as_object().unwrap();
    let have = got["own"].as_object().unwrap();
    for name in want.keys().chain(have.keys()) {
        if want.get(name) != have.get(name) {
            lines.push(format!(
                "{name}: got {:?}, want {:?}",
                have.get(name),
                want.get(name)
            ));
        }
    }
    lines.join("\n")
}

fn result(scenario: &Scenario, trace: &Trace) -> Value {
    let mut own = serde_json::Map::new();
    for verdict in &trace.verdicts {
        let Some(name) = verdict.name else { continue };
        let mut key = scenario.messages[name.0].clone();
        if verdict.delivery > 1 {
            key.push_str(&format!("#{}", verdict.delivery));
        }
        let anomaly: Vec<&str> = verdict.anomalies.iter().map(|a| a.name()).collect();
        let answer = script::print_outcome(&Outcome {
            reason: None,
            anomalies: Default::default(),
            ..verdict.outcome()
        });
        own.insert(key, json!({"verdict": answer, "reason": verdict.reason.map(Reason::name), "anomaly": anomaly}));
    }
    let resources: serde_json::Map<String, Value> = (scenario.resources.iter().enumerate())
        .map(|(index, resource)| {
            let (mark, value) = sim::final_state(scenario, trace, ResourceId(index));
            (resource.name.clone(), json!({"mark": mark, "value": value}))
        })
        .collect();
    json!({"own": own, "resources": resources})
}
