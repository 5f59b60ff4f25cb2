//! The command line, as documentation authors run it in their own CI.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let root = env!("CARGO_MANIFEST_DIR");
    let program = env!("CARGO_BIN_EXE_fencing-lab");
    Command::new(program)
        .args(arguments)
        .current_dir(root)
        .output()
        .unwrap()
}

fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    file
}

#[test]
fn check_tells_every_failure_and_sets_the_status() {
    let good = "tests/cases/two-clients-41-42.fence";
    let failing = file(
        "failing.fence",
        "A acquires => granted 2\nA writes w \"v\"\nexpect fenced: w rejected\nexpect mark 9\n",
    );
    let broken = file("broken.fence", "A resmes\n");
    let impossible = file("impossible.fence", "A pauses\nA acquires\n");
    let missing = "tests/cases/no-such-file.fence";
    let path = |file: &PathBuf| file.display().to_string();
    let (failing, broken, impossible) = (path(&failing), path(&broken), path(&impossible));
    let rows: &[(&[&str], i32, &[&str], &str)] = &[
        (
            &[good],
            0,
            &["two-clients-41-42.fence: ok"],
            "1 passed, 0 failed",
        ),
        (
            &[&failing],
            1,
            &[
                "failing.fence:1: expected granted 2, got granted 1",
                "failing.fence:3: fenced: w expected rejected, got accepted",
                "failing.fence:4: expected mark 9, got mark 1",
            ],
            "0 passed, 1 failed",
        ),
        (
            &[&broken],
            2,
            &["broken.fence:1:3: error: found `resmes`", "resumes"],
            "0 passed, 1 failed",
        ),
        (
            &[&impossible],
            2,
            &["impossible.fence:2: error: A is paused"],
            "0 passed, 1 failed",
        ),
        (
            &[missing],
            2,
            &["no-such-file.fence: cannot be read"],
            "0 passed, 1 failed",
        ),
        (&[good, &failing, missing], 2, &[], "1 passed, 2 failed"),
    ];
    for (files, status, parts, last) in rows {
        let output = run(&[&["check"], *files].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(*status), "{files:?}\n{text}");
        for part in *parts {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert_eq!(text.lines().last(), Some(*last), "{files:?}");
    }
}

#[test]
fn trace_prints_sentences_json_and_pictures() {
    let story = "tests/cases/two-clients-41-42.fence";
    let printed = |arguments: &[&str]| String::from_utf8(run(arguments).stdout).unwrap();
    assert!(printed(&["trace", story]).contains("rejects “late”: 41 is below the mark, 42"));
    assert!(printed(&["trace", story, "--policy", "unfenced"]).contains("accepts “late”"));
    let json: serde_json::Value =
        serde_json::from_str(&printed(&["trace", "--json", story])).unwrap();
    assert_eq!(
        json["verdicts"]["own"]["late"],
        serde_json::json!({"verdict": "rejected", "reason": "stale", "anomaly": []})
    );
    assert_eq!(
        json["verdicts"]["unfenced"]["late"]["anomaly"],
        serde_json::json!(["stale"])
    );
    assert_eq!(
        (&json["mark"], &json["value"]),
        (&serde_json::json!(42), &serde_json::json!("v2"))
    );
    let options = file(
        "options.fence",
        "A acquires\nA writes w \"v\"\nexpect fenced+claim+owner: w accepted\n",
    );
    let json = printed(&["trace", "--json", &options.display().to_string()]);
    assert!(json.contains("\"fenced+claim+owner\""), "{json}");
    assert!(printed(&["svg", story]).starts_with("<svg"));
    assert_eq!(
        run(&["trace", story, "--policy", "fence"]).status.code(),
        Some(2)
    );
}

#[test]
fn standard_input_is_a_file_too() {
    use std::io::Write;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_fencing-lab"))
        .args(["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"A acquires => granted 1\n")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "-: ok\n1 passed, 0 failed\n"
    );
}
