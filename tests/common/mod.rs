//! What several tests share.

use proptest::prelude::*;
use std::fs;
use std::path::Path;

/// Name and text of every case and of every random scenario.
#[allow(dead_code)]
pub fn corpus() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ext| ext == "fence") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            all.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    for line in fs::read_to_string(folder.join("random-cases.jsonl"))
        .unwrap()
        .lines()
    {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |field: &str| case[field].as_str().unwrap().to_owned();
        all.push((text("name"), text("text")));
    }
    all.sort();
    all
}

/// A script of likely and unlikely lines; some of its steps cannot happen.
pub fn random_text() -> impl Strategy<Value = String> {
    let policy = prop::sample::select(vec![
        "fenced",
        "unfenced",
        "strict",
        "equality",
        "ask-holder",
        "check-then-write",
        "check-then-write+cas",
        "fenced+owner",
        "fenced+claim",
        "fenced+sequence",
        "fenced+durable",
        "fenced+dedupe-first",
        "unfenced+dedupe-after",
        "fenced+verified",
        "fenced+optional",
    ]);
    let client = prop::sample::select(vec!["A", "B", "C"]);
    let verb = prop::sample::select(vec![
        "acquires",
        "acquires",
        "acquires",
        "renews",
        "releases",
        "pauses",
        "resumes",
        "crashes",
        "restarts",
        "checks",
        "claims",
        "acquires reply lost",
        "renews held as ",
        "WRITE",
        "WRITE",
        "WRITE",
        "WRITE held",
        "WRITE taking 3",
        "WRITE applied at LATER",
        "WRITE key \"k\"",
        "WRITE seq 1",
        "WRITE no token",
        "WRITE token 2",
    ]);
    let other = prop::sample::select(vec![
        "coordinator saves",
        "coordinator restores",
        "coordinator restarts",
        "doc saves",
        "doc restores",
        "doc forgets mark",
        "doc restarts at mark 1",
        "doc becomes fenced",
        "coordinator grants B token 3",
        "w1 arrives",
        "w2 arrives again",
        "w3 is lost",
    ]);
    let line = prop_oneof![
        5 => (client, verb).prop_map(|(client, verb)| format!("{client} {verb}")),
        1 => other.prop_map(str::to_owned),
        1 => (0u64..12).prop_map(|secs| format!("wait {secs}")),
    ];
    let lines = prop::collection::vec((line, 0u64..4), 1..40);
    (policy, 0u64..3, 1u64..12, lines).prop_map(|(policy, latency, ttl, lines)| {
        let mut text =
            format!("clients A, B, C\nttl {ttl}\nlatency {latency}\nresource doc: {policy}\n");
        let mut now = 0;
        for (index, (line, gap)) in lines.into_iter().enumerate() {
            now += gap;
            let line = line
                .replace("WRITE", &format!("writes w{index} \"v{index}\""))
                .replace("LATER", &(now + 5).to_string());
            let name = if line.ends_with("as ") {
                format!("n{index}")
            } else {
                String::new()
            };
            text.push_str(&format!("at {now} {line}{name}\n"));
        }
        text
    })
}
