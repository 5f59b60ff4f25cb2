//! The scenario language: what is accepted, what is refused and how, and that printing a parsed
//! scenario and parsing it again is the identity.

use fencing_lab::script::{
    LexemeKind, MAX_ERRORS, MAX_EXPECTS, MAX_STEPS, MAX_TEXT_BYTES, SyntaxError, parse,
    parse_policy, print, print_outcome, print_step, tokens,
};
use fencing_lab::sim::*;
use proptest::prelude::*;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// "line:column+length message", and what the hint would write.
fn rendered(error: &SyntaxError) -> String {
    let place = format!("{}:{}+{}", error.line, error.column, error.length);
    match error
        .hint
        .as_ref()
        .and_then(|hint| hint.replacement.as_ref())
    {
        Some(replacement) => format!("{place} {error} [{replacement}]"),
        None => format!("{place} {error}"),
    }
}

/// The errors of a text, one a line, are exactly these.
fn check(text: &str, expected: &str) {
    let errors: Vec<String> = parse(text).errors.iter().map(rendered).collect();
    assert_eq!(errors.join("\n"), expected, "\nin the text:\n{text}\n");
}

/// A text without an error; its scenario survives printing.
fn accepted(text: &str) -> Scenario {
    let parsed = parse(text);
    let errors: Vec<String> = parsed.errors.iter().map(rendered).collect();
    assert!(errors.is_empty(), "{errors:#?}\nin the text:\n{text}");
    assert_round_trip(&parsed.scenario);
    parsed.scenario
}

fn assert_round_trip(scenario: &Scenario) {
    let text = print(scenario);
    let again = parse(&text);
    assert!(again.errors.is_empty(), "{:#?}\nin:\n{text}", again.errors);
    assert_eq!(&again.scenario, scenario, "\nprinted as:\n{text}");
    assert_eq!(print(&again.scenario), text, "printing is canonical");
}

/// Every error marks something inside the text (or the place where its line ends).
fn assert_inside(text: &str) {
    let lines: Vec<usize> = text.split('\n').map(|line| line.chars().count()).collect();
    let mut last = 0;
    for error in parse(text).errors {
        assert!(error.line > last && error.line <= lines.len(), "{error:?}");
        assert!(error.column >= 1 && error.length >= 1, "{error:?}");
        let end = error.column + error.length - 1;
        assert!(end <= lines[error.line - 1] + 1, "{error:?}");
        last = error.line;
    }
}

/// The one step of a text, printed.
fn step(line: &str) -> String {
    let scenario = accepted(line);
    print_step(&scenario, scenario.steps.last().expect("a step"))
}

const OPENING: &str = "\
scenario \"A paused holder\"
ttl 10
token 41             # the next token the coordinator will issue
resource doc: fenced

A acquires           => granted 41
A writes draft \"v1\"  => accepted
A pauses
wait 12              # longer than the ttl
B acquires           => granted 42
B writes final \"v2\"  => accepted
A resumes
A writes late \"v3\"   => rejected because stale

expect fenced:   draft accepted, final accepted, late rejected
expect unfenced: draft accepted, final accepted, late accepted (stale)
";

#[test]
fn the_opening_example() {
    let parsed = parse(OPENING);
    assert_eq!(parsed.errors, []);
    assert_eq!(parsed.lines.steps, [6, 7, 8, 9, 10, 11, 12, 13]);
    assert_eq!(parsed.lines.expects, [15, 16]);
    let scenario = parsed.scenario;
    assert_eq!(scenario.title, "A paused holder");
    assert_eq!(
        (scenario.ttl_secs, scenario.latency_secs, scenario.token),
        (10, 1, 41)
    );
    assert_eq!(scenario.clients, ["A", "B"]);
    assert_eq!(scenario.leases.len(), 1);
    assert_eq!(scenario.leases[0].name, None);
    assert_eq!(scenario.messages, ["draft", "final", "late"]);
    assert_eq!(scenario.steps[3].action, Action::Wait(12));
    let Expect::Verdicts(policy, verdicts) = &scenario.expects[1] else {
        panic!("verdicts expected");
    };
    assert_eq!(*policy, Policy::of(Base::Unfenced));
    assert_eq!(
        verdicts[2].outcome.anomalies,
        EnumSet::from([Anomaly::Stale])
    );
    assert_eq!(
        print(&scenario),
        "\
scenario \"A paused holder\"
token 41

A acquires           => granted 41
A writes draft \"v1\"  => accepted
A pauses
wait 12
B acquires           => granted 42
B writes final \"v2\"  => accepted
A resumes
A writes late \"v3\"   => rejected because stale

expect fenced: draft accepted, final accepted, late rejected
expect unfenced: draft accepted, final accepted, late accepted (stale)
"
    );
}

#[test]
fn an_empty_text_is_the_default_scenario() {
    let scenario = accepted("");
    assert_eq!(print(&scenario), "");
    assert_eq!(scenario.clients, ["A", "B"]);
    assert_eq!(scenario.resources.len(), 1);
    assert_eq!(scenario.resources[0].name, "doc");
    assert_eq!(scenario.resources[0].policy, Policy::of(Base::Fenced));
    assert_eq!(
        accepted("ttl 10\nlatency 1\ntoken 1\nclients A, B\nresource doc: fenced\n"),
        scenario
    );
}

#[test]
fn header_lines() {
    for line in [
        "scenario \"\\\"quoted\\\" and \\\\\"",
        "ttl 0",
        "latency 9007199254740991",
        "token 0",
        "clients A",
        "clients one, two-2, three_3, D, E, F",
        "lease main",
        "lease X, token 17\nlease Y, ttl 20, token 4",
        "resource doc: fenced+owner+sequence+optional+claim+durable+dedupe-after+verified",
        "resource doc: check-then-write+cas+dedupe-first",
        "resource log: deadline, clock -3",
        "resource log: deadline, clock 3",
        "resource doc: strict, quorum 3, clock +2, replicas R1 R2 R3, value \"a, b # c\", mark 40",
        "resource a under Y: fenced\nresource b: unfenced\nlease X\nlease Y",
        "external mailer\nexternal cards",
        "coordinator: lock delay 4",
        "coordinator: reentry mints, late renewal allowed, lock delay 15",
        "coordinator : reentry refused",
        "coordinator: reentry keeps",
        "  \t ttl   7 \t",
        "ttl 7 # seven",
        "#ttl 7",
        "resource held: fenced, replicas lost as A",
    ] {
        accepted(line);
    }
    let lines = "\u{feff}ttl 7\r\n\r\n# nothing\r\ntoken 3\r\n\tA acquires\t=> granted 3";
    let scenario = accepted(lines);
    assert_eq!((scenario.ttl_secs, scenario.token), (7, 3));
    assert_eq!(scenario.steps.len(), 1);
    let one = accepted("resource doc: fenced, replicas a b c, quorum 2");
    assert_eq!(one.resources[0].quorum, None, "the majority is the default");
    let own = accepted("token 5\nlease X, token 5, ttl 10\nlease Y, token 6");
    assert_eq!((own.leases[0].token, own.leases[0].ttl_secs), (None, None));
    assert_eq!(own.leases[1].token, Some(6));
    assert_eq!(
        accepted("resource d: deadline, clock -3").resources[0].clock_skew_secs,
        -3
    );
}

/// What a text of one line is printed as.
#[test]
fn lines_without_defaults() {
    for (line, canonical) in [
        (
            "resource log: deadline, clock 3",
            "resource log: deadline, clock +3\n",
        ),
        (
            "resource log: deadline, clock -3, mark 0",
            "resource log: deadline, clock -3\n",
        ),
        ("expect mark 1 at doc", "expect mark 1\n"),
        ("expect value \"v\" at doc # why", "expect value \"v\"\n"),
        ("lease X, ttl 10, token 2", "lease X, token 2\n"),
    ] {
        assert_eq!(print(&accepted(line)), canonical);
    }
}

/// What a step is printed as; most are canonical already.
#[test]
fn steps() {
    for line in [
        "wait 0",
        "at 5 wait 3",
        "note \"a \\\"caption\\\" # no comment\"",
        "at 7 note \"\"",
        "A acquires",
        "A acquires => unknown",
        "at 3 A acquires as first arriving at 10 reply held => granted 41",
        "B renews lost => refused",
        "B renews reply lost => renewed",
        "B releases taking 0 reply taking 5 => released",
        "A pauses",
        "A resumes",
        "A crashes",
        "at 9 A restarts",
        "A checks => valid",
        "A checks => lapsed",
        "A writes w \"v\"",
        "A writes held \"v\" held => accepted (unseen)",
        "A writes w \"v\" lost reply lost applied at 9 no token key \"k\" seq 2 deadline 20",
        "A writes w \"v\" token 0 => rejected because malformed (holder-refused)",
        "A writes w \"v\" token \"2\" => rejected",
        "A writes w \"v\" forged token 9007199254740991 => accepted (stale, unseen, twice, reordered, lost-update)",
        "A writes w \"v\" => rejected because other owner",
        "A writes w \"v\" => rejected because not holder",
        "A writes w \"v\" => rejected because too late",
        "A writes w \"v\" => rejected because out of order",
        "A writes w \"v\" => duplicate",
        "A writes w \"v\" => not committed",
        "A writes w \"v\" => committed",
        "A reads as r",
        "A reads as r taking 2 => unknown",
        "A claims",
        "A claims as c held token 7 => rejected because equal",
        "A claims no token",
        "coordinator expires A",
        "coordinator revokes B",
        "coordinator saves",
        "coordinator restores",
        "coordinator restores jumping 1000",
        "coordinator restarts",
        "coordinator restarts at token 1",
        "coordinator grants A token 20",
        "at 1 coordinator grants A token 20 until 6",
        "doc forgets mark",
        "doc restarts at mark 40",
        "doc saves",
        "doc restores",
        "doc becomes strict+owner",
    ] {
        assert_eq!(step(line), line);
    }
    for (line, canonical) in [
        ("A writes w \"v\" to doc", "A writes w \"v\""),
        ("A claims doc", "A claims"),
        ("A reads doc held as r", "A reads as r held"),
        ("coordinator restores jumping 0", "coordinator restores"),
        (
            "at 007 A acquires=>granted 041",
            "at 7 A acquires => granted 41",
        ),
        (
            "A writes w\"v\"seq 1=>rejected(stale)",
            "A writes w \"v\" seq 1 => rejected (stale)",
        ),
        (
            "A writes w \"v\" => accepted ( twice,stale )",
            "A writes w \"v\" => accepted (stale, twice)",
        ),
        (
            "A writes w \"v\" deadline 9 seq 1 held key \"k\" token 4 reply held applied at 8",
            "A writes w \"v\" held reply held applied at 8 token 4 key \"k\" seq 1 deadline 9",
        ),
        (
            "doc becomes fenced+verified+owner # why",
            "doc becomes fenced+owner+verified",
        ),
    ] {
        assert_eq!(step(line), canonical);
    }
}

#[test]
fn steps_with_several_of_a_kind() {
    let header = "lease X\nlease Y\nresource a: fenced, replicas R1 R2 R3\nresource b under Y: strict\nexternal mail\n";
    let messages = "A reads a as r\nA writes w \"v\" to a\nA claims b as c held\n";
    for line in [
        "A acquires Y as acq => granted 1",
        "A checks X => lapsed",
        "coordinator expires A Y",
        "coordinator grants B X token 9 until 30",
        "A writes v \"x\" to b based on r",
        "A writes v \"x\" to a held based on r reaching R1 R3 => not committed",
        "A reads b as r2",
        "A claims a forged token 3 => committed",
        "A calls mail \"send\" as m => accepted",
        "A calls mail \"send\" lost => unknown",
        "c arrives => rejected because stale",
        "w arrives again => accepted (twice)",
        "w is lost",
        "b becomes unfenced",
    ] {
        assert_eq!(step(&format!("{header}{messages}{line}")), line);
    }
    for (line, canonical) in [
        (
            "A writes v \"x\" to a reaching R3 R1",
            "A writes v \"x\" to a reaching R1 R3",
        ),
        (
            "A writes v \"x\" to a reaching R3 R1 R2",
            "A writes v \"x\" to a",
        ),
        (
            "A writes v \"x\" to a reaching R2 held",
            "A writes v \"x\" to a held reaching R2",
        ),
    ] {
        assert_eq!(step(&format!("{header}{messages}{line}")), canonical);
    }
    let texts = [
        "expect fenced: w@R1 accepted, w#2@R3 rejected because stale, w committed, c#2 accepted",
        "expect unfenced: w not committed, c unknown",
        "expect unfenced: w accepted (stale)",
        "expect check-then-write+cas: c duplicate, w rejected because changed (holder-refused)",
        "expect mark 18 at a\nexpect value \"B\" at b",
    ];
    for text in texts {
        let scenario = accepted(&format!("{header}{messages}{text}"));
        assert!(print(&scenario).ends_with(&format!("\n{text}\n")));
    }
    accepted(&format!("{header}{messages}{}", texts.join("\n")));
    accepted(
        "A writes w \"v\"\nexpect fenced:w#1 accepted(unseen),w#2 unknown\nexpect mark 1 at doc",
    );
}

/// A lease or resource may have the name of a modifier.
#[test]
fn names_that_are_also_modifiers() {
    assert_eq!(
        step("lease held\nA acquires held held"),
        "A acquires held held"
    );
    assert_eq!(step("lease held\nA acquires held"), "A acquires held");
    assert_eq!(
        step("resource as: fenced\nA reads as as r"),
        "A reads as as r"
    );
    let line = "A writes lost \"v\" lost reaching lost";
    assert_eq!(
        step(&format!("resource d: fenced, replicas lost held\n{line}")),
        line
    );
}

#[test]
fn outcomes_are_printed_as_written() {
    let outcome = Outcome {
        answer: Answer::Rejected,
        reason: Some(Reason::Stale),
        anomalies: EnumSet::from([Anomaly::HolderRefused]),
    };
    assert_eq!(
        print_outcome(&outcome),
        "rejected because stale (holder-refused)"
    );
}

#[test]
fn errors_in_header_lines() {
    check("ttl", "1:4+1 found the end of the line, expected a number");
    check("ttl ten", "1:5+3 found `ten`, expected a number");
    check("ttl -1", "1:5+2 found `-1`, expected a number");
    check("ttl 1.5", "1:5+3 found `1.5`, expected a number");
    check(
        "ttl 10 20",
        "1:8+2 found `20`, expected the end of the line",
    );
    check(
        "token 9007199254740992",
        "1:7+16 found `9007199254740992`, expected a number up to 9007199254740991",
    );
    check(
        "token 99999999999999999999999",
        "1:7+23 found `99999999999999999999999`, expected a number up to 9007199254740991",
    );
    check(
        "ttl 5\n\nttl 6",
        "3:1+3 found `ttl`, expected another header line; `ttl` stands in line 1 already",
    );
    check(
        "coordinator: reentry mints\ncoordinator: lock delay 1",
        "2:1+11 found `coordinator`, expected another header line; `coordinator` stands in line 1 already",
    );
    check(
        "tll 5",
        "1:1+3 found `tll`, expected a header line, a step or `expect`; did you mean `ttl`? [ttl]",
    );
    check(
        "Resource doc: fenced",
        "1:1+8 found `Resource`, expected a header line, a step or `expect`; did you mean `resource`? [resource]",
    );
    check(
        "scenario Paused",
        "1:10+6 found `Paused`, expected a title in double quotes; did you mean `\"Paused\"`? [\"Paused\"]",
    );
    check(
        "scenario \"Paused",
        "1:10+7 found `\"Paused`, expected a closing `\"`; did you mean `\"Paused\"`? [\"Paused\"]",
    );
    check(
        r#"scenario "a\"#,
        r#"1:10+3 found `"a\`, expected a closing `"`"#,
    );
    check(
        r#"scenario "a\\"#,
        r#"1:10+4 found `"a\\`, expected a closing `"`; did you mean `"a\\"`? ["a\\"]"#,
    );
    check(
        "scenario “Paused”",
        "1:10+8 found `“Paused”`, expected a title in double quotes; did you mean `\"Paused\"`? [\"Paused\"]",
    );
    check(
        r#"scenario "a\n""#,
        r#"1:12+2 found `\n`, expected `\"` or `\\`; did you mean `\\n`? [\\n]"#,
    );
    check(
        "clients",
        "1:8+1 found the end of the line, expected the name of a client",
    );
    check(
        "clients A B",
        "1:11+1 found `B`, expected `,` or the end of the line",
    );
    check(
        "clients A,",
        "1:11+1 found the end of the line, expected the name of a client",
    );
    check(
        "clients A, A",
        "1:12+1 found `A`, expected a name that is not taken; `A` is a client (line 1)",
    );
    check(
        "clients A, 2B",
        "1:12+2 found `2B`, expected the name of a client; a name is a letter, then letters, digits, `_` and `-`",
    );
    check(
        "clients A, wait",
        "1:12+4 found `wait`, expected the name of a client; `wait` begins a line, so it cannot be a name",
    );
    check(
        "clients A, B, C, D, E, F, G\nG acquires",
        "1:27+1 found `G`, expected at most 6 clients",
    );
    check(
        "lease A",
        "1:7+1 found `A`, expected a name that is not taken; `A` is a client by default",
    );
    check(
        "external doc",
        "1:10+3 found `doc`, expected a name that is not taken; `doc` is a resource by default",
    );
    check(
        "lease X, ttl 5, ttl 6",
        "1:17+3 found `ttl`, expected each setting once",
    );
    check(
        "lease X, tokn 5",
        "1:10+4 found `tokn`, expected a setting: token, ttl; did you mean `token`? [token]",
    );
}

#[test]
fn errors_in_resource_lines() {
    check(
        "resource doc",
        "1:13+1 found the end of the line, expected `:` and a policy",
    );
    check(
        "resource doc: Fenced",
        "1:15+6 found `Fenced`, expected a policy; did you mean `fenced`? [fenced]",
    );
    check(
        "resource doc: quick",
        "1:15+5 found `quick`, expected a policy; the policies are unfenced, fenced, strict, equality, ask-holder, deadline, check-then-write",
    );
    check(
        "resource doc: fenced+onwer",
        "1:22+5 found `onwer`, expected an option (`owner`, `sequence`, `optional`, `claim`, `durable`, `cas`, `dedupe-after`, `dedupe-first`, `verified`); did you mean `owner`? [owner]",
    );
    check(
        "resource doc: fenced+owner+owner",
        "1:28+5 found `owner`, expected each option once",
    );
    check(
        "resource doc: fenced+",
        "1:21+1 found `+`, expected an option (`owner`, `sequence`, `optional`, `claim`, `durable`, `cas`, `dedupe-after`, `dedupe-first`, `verified`)",
    );
    check(
        "resource doc: fenced++owner",
        "1:21+1 found `+`, expected an option (`owner`, `sequence`, `optional`, `claim`, `durable`, `cas`, `dedupe-after`, `dedupe-first`, `verified`)",
    );
    check(
        "resource doc: +owner",
        "1:15+6 found `+owner`, expected a policy; the policies are unfenced, fenced, strict, equality, ask-holder, deadline, check-then-write",
    );
    check(
        "resource doc: fencde+owner",
        "1:15+6 found `fencde`, expected a policy; did you mean `fenced`? [fenced]",
    );
    check(
        "resource doc: fenced, replicas R1, quorum 0",
        "1:43+1 found `0`, expected a quorum from 1 to 1",
    );
    check(
        "resource doc under main: fenced",
        "1:20+4 found `main`, expected a lease",
    );
    check(
        "resource doc under A: fenced",
        "1:20+1 found `A`, expected a lease; `A` is a client by default",
    );
    check(
        "resource doc udner main: fenced",
        "1:14+5 found `udner`, expected `:` and a policy; did you mean `under`? [under]",
    );
    check(
        "coordinator: late renewal",
        "1:26+1 found the end of the line, expected `allowed`",
    );
    check(
        "coordinator: reentry mints late",
        "1:28+4 found `late`, expected `,` or the end of the line",
    );
    check(
        "coordinator late renewal",
        "1:13+4 found `late`, expected a verb; settings stand after `coordinator:`",
    );
    check(
        "coordinator reentry mints",
        "1:13+7 found `reentry`, expected a verb; settings stand after `coordinator:`",
    );
    check(
        "resource doc: fenced+cas",
        "1:22+3 found `cas`, expected another option: `cas` goes only with `check-then-write`",
    );
    check(
        "resource doc: fenced+dedupe-after+dedupe-first",
        "1:35+12 found `dedupe-first`, expected one dedupe at most",
    );
    check(
        "resource doc: fenced +owner",
        "1:22+6 found `+owner`, expected the end of the policy; a policy has no blanks around `+`",
    );
    check(
        "resource doc: fenced, quorum 2",
        "1:30+1 found `2`, expected `replicas R1 R2 …` with a quorum",
    );
    check(
        "resource doc: fenced, replicas R1 R2, quorum 3",
        "1:46+1 found `3`, expected a quorum from 1 to 2",
    );
    check(
        "resource doc: fenced, replicas R1 R1",
        "1:35+2 found `R1`, expected each replica once",
    );
    check(
        "resource doc: fenced mark 4",
        "1:22+4 found `mark`, expected `,` or the end of the line",
    );
    check(
        "lease main\nresource doc under mian: fenced",
        "2:20+4 found `mian`, expected a lease: main; did you mean `main`? [main]",
    );
    check(
        "resource a: fenced\nresource b: fenced\nresource c: fenced\nresource d: fenced\nresource e: fenced",
        "5:10+1 found `e`, expected at most 4 resources",
    );
    check(
        "coordinator: lock dely 5",
        "1:19+4 found `dely`, expected `delay`; did you mean `delay`? [delay]",
    );
    check(
        "coordinator: reentry keep",
        "1:22+4 found `keep`, expected `keeps`, `mints` or `refused`; did you mean `keeps`? [keeps]",
    );
    check(
        "coordinator lock delay 5",
        "1:13+4 found `lock`, expected a verb; settings stand after `coordinator:`",
    );
}

#[test]
fn errors_in_steps() {
    check(
        "A resmes",
        "1:3+6 found `resmes`, expected a verb; did you mean `resumes`? [resumes]",
    );
    check(
        "A Pauses",
        "1:3+6 found `Pauses`, expected a verb; did you mean `pauses`? [pauses]",
    );
    check(
        "A",
        "1:2+1 found the end of the line, expected a verb; a client acquires, renews, releases, pauses, resumes, crashes, restarts, checks, writes, reads, claims, calls",
    );
    check(
        "a writes w \"v\"",
        "1:1+1 found `a`, expected a client: A, B; did you mean `A`? [A]",
    );
    check(
        "coordnator acquires",
        "1:1+10 found `coordnator`, expected a client: A, B; did you mean `coordinator`? [coordinator]",
    );
    check(
        "coordnator saves",
        "1:1+10 found `coordnator`, expected a resource: doc; did you mean `coordinator`? [coordinator]",
    );
    check(
        "coordnator expires A",
        "1:1+10 found `coordnator`, expected `coordinator`; did you mean `coordinator`? [coordinator]",
    );
    check(
        "dco",
        "1:1+3 found `dco`, expected a header line, a step or `expect`; did you mean `doc`? [doc]",
    );
    check(
        "clients Ann\nAnm",
        "2:1+3 found `Anm`, expected a header line, a step or `expect`; did you mean `Ann`? [Ann]",
    );
    check(
        "A writes draft \"v\"\ndarft",
        "2:1+5 found `darft`, expected a header line, a step or `expect`; did you mean `draft`? [draft]",
    );
    check(
        "wiat 5",
        "1:1+4 found `wiat`, expected a header line, a step or `expect`; did you mean `wait`? [wait]",
    );
    check(
        "at 5 wiat 5",
        "1:6+4 found `wiat`, expected a step; did you mean `wait`? [wait]",
    );
    check("at 5 tll 9", "1:6+3 found `tll`, expected a step");
    check(
        "at 5 expect mark 0",
        "1:6+6 found `expect`, expected a step; did you mean `expect`? [expect]",
    );
    check(
        "external mail\nmail acquires",
        "2:1+4 found `mail`, expected a client: A, B; `mail` is an external system (line 1)",
    );
    check(
        "A restarts at mark 3",
        "1:3+8 found `restarts`, expected `restarts` alone; only a resource restarts at a mark, and the coordinator at a token",
    );
    check(
        "A pauses at 3",
        "1:10+2 found `at`, expected the end of the line",
    );
    check(
        "A arrives",
        "1:3+7 found `arrives`, expected a verb; `arrives` is what a message does",
    );
    check(
        "coordinator restarts at mark 5",
        "1:25+4 found `mark`, expected `token`",
    );
    check(
        "coordinator expires A X",
        "1:23+1 found `X`, expected the end of the line",
    );
    check(
        "lease main\nA checks mian",
        "2:10+4 found `mian`, expected the end of the line; did you mean `main`? [main]",
    );
    check(
        "note hello",
        "1:6+5 found `hello`, expected a caption in double quotes; did you mean `\"hello\"`? [\"hello\"]",
    );
    check("C acquires", "1:1+1 found `C`, expected a client: A, B");
    check(
        "doc acquires",
        "1:5+8 found `acquires`, expected a verb; `acquires` is what a client does",
    );
    check(
        "A becomes fenced",
        "1:3+7 found `becomes`, expected a verb; `becomes` is what a resource does",
    );
    check(
        "acquires",
        "1:1+8 found `acquires`, expected a subject; say who: `acquires` is what a client does",
    );
    check(
        "lease X\nX acquires",
        "2:1+1 found `X`, expected a client: A, B; `X` is a lease (line 1)",
    );
    check("at 5", "1:5+1 found the end of the line, expected a step");
    check("at 5 ttl 9", "1:6+3 found `ttl`, expected a step");
    check("at A acquires", "1:4+1 found `A`, expected a number");
    check(
        "A writes \"v\"",
        "1:10+3 found `\"v\"`, expected a name for the message",
    );
    check(
        "A writes w",
        "1:11+1 found the end of the line, expected a value in double quotes",
    );
    check(
        "A writes w v1",
        "1:12+2 found `v1`, expected a value in double quotes; did you mean `\"v1\"`? [\"v1\"]",
    );
    check(
        "A writes w v1 \"",
        "1:12+2 found `v1`, expected a value in double quotes; did you mean `\"v1\"`? [\"v1\"]",
    );
    check(
        "A writes w v1\"",
        "1:12+3 found `v1\"`, expected a value in double quotes; did you mean `\"v1\"`? [\"v1\"]",
    );
    check(
        "A writes w \"v1  ",
        "1:12+3 found `\"v1`, expected a closing `\"`; did you mean `\"v1\"`? [\"v1\"]",
    );
    check(
        "A writes w \"v\"\nB writes w \"v\"",
        "2:10+1 found `w`, expected a name that is not taken; `w` is a message (line 1)",
    );
    check(
        "A reads",
        "1:8+1 found the end of the line, expected `as` and a name for the read",
    );
    check(
        "A calls mail \"x\"",
        "1:9+4 found `mail`, expected an external system; a header line `external NAME` declares one",
    );
    check(
        "clients dod\ncoordinator expires doc",
        "2:21+3 found `doc`, expected a client: dod; did you mean `dod`? [dod]",
    );
    check(
        "lease Aa\nAa acquires",
        "2:1+2 found `Aa`, expected a client: A, B; did you mean `A`? [A]",
    );
    check(
        "external mail\nA calls mial \"x\"",
        "2:9+4 found `mial`, expected an external system: mail; did you mean `mail`? [mail]",
    );
    check(
        "lease X\nlease Y\nA acquires",
        "3:11+1 found the end of the line, expected a lease: X, Y",
    );
    check(
        "resource a: fenced\nresource b: fenced\nA writes w \"v\" held",
        "3:16+4 found `held`, expected `to` and a resource: a, b",
    );
    check(
        "resource docs: fenced\nA writes w \"v\" to doc",
        "2:19+3 found `doc`, expected a resource: docs; did you mean `docs`? [docs]",
    );
    check(
        "dcument forgets mark",
        "1:1+7 found `dcument`, expected a resource: doc",
    );
    check(
        "doc forgets",
        "1:12+1 found the end of the line, expected `mark`",
    );
    check("doc restarts at 4", "1:17+1 found `4`, expected `mark`");
    check(
        "coordinator restores jump 5",
        "1:22+4 found `jump`, expected `jumping` or the end of the line",
    );
    check(
        "coordinator expires doc",
        "1:21+3 found `doc`, expected a client: A, B; `doc` is a resource by default",
    );
    check(
        "coordinator grants A",
        "1:21+1 found the end of the line, expected `token`",
    );
    check(
        "pauses A",
        "1:1+6 found `pauses`, expected a subject; say who: `pauses` is what a client does",
    );
    check("wait", "1:5+1 found the end of the line, expected a number");
    check(
        "A acquires#now",
        "1:3+12 found `acquires#now`, expected a verb; a client acquires, renews, releases, pauses, resumes, crashes, restarts, checks, writes, reads, claims, calls",
    );
}

#[test]
fn errors_in_messages_and_modifiers() {
    check(
        "A writes draft \"v\" held\ndarft arrives",
        "2:1+5 found `darft`, expected the name of an earlier message; did you mean `draft`? [draft]",
    );
    check(
        "later arrives\nA writes later \"v\"",
        "1:1+5 found `later`, expected the name of an earlier message",
    );
    check(
        "A writes w \"v\"\nw is lots",
        "2:6+4 found `lots`, expected `lost`; did you mean `lost`? [lost]",
    );
    check(
        "A writes w \"v\"\nw arrives agin",
        "2:11+4 found `agin`, expected the end of the line; did you mean `again`? [again]",
    );
    check(
        "A reads as read\nA writes w \"v\" based on raed",
        "2:25+4 found `raed`, expected the name of an earlier read; did you mean `read`? [read]",
    );
    check(
        "A writes w \"v\"\nA writes x \"v\" based on w",
        "2:25+1 found `w`, expected the name of an earlier read; it is no read (`A reads … as NAME`)",
    );
    check(
        "A acquires hold",
        "1:12+4 found `hold`, expected a modifier, `=>` or the end of the line; did you mean `held`? [held]",
    );
    check(
        "A reads dco as r",
        "1:9+3 found `dco`, expected a modifier, `=>` or the end of the line; did you mean `doc`? [doc]",
    );
    check(
        "lease main\nA acquires mian",
        "2:12+4 found `mian`, expected a modifier, `=>` or the end of the line; did you mean `main`? [main]",
    );
    check(
        "lease main\nA reads mian as r",
        "2:9+4 found `mian`, expected a modifier, `=>` or the end of the line",
    );
    check(
        "A acquires dco",
        "1:12+3 found `dco`, expected a modifier, `=>` or the end of the line",
    );
    check(
        "A acquires sep 1",
        "1:12+3 found `sep`, expected a modifier, `=>` or the end of the line",
    );
    check(
        "A writes w \"v\" sep 1",
        "1:16+3 found `sep`, expected a modifier, `=>` or the end of the line; did you mean `seq`? [seq]",
    );
    check(
        "A acquires to doc",
        "1:12+2 found `to`, expected a modifier, `=>` or the end of the line",
    );
    check(
        "A acquires ,",
        "1:12+1 found `,`, expected a modifier, `=>` or the end of the line",
    );
    check(
        "A writes w \"v\" token \"2",
        "1:22+2 found `\"2`, expected a closing `\"`; did you mean `\"2\"`? [\"2\"]",
    );
    check(
        "clients A, hold\nA acquires hold",
        "2:12+4 found `hold`, expected a modifier, `=>` or the end of the line; did you mean `held`? [held]",
    );
    check(
        "A writes w v\nA acquires w",
        "1:12+1 found `v`, expected a value in double quotes; did you mean `\"v\"`? [\"v\"]\n\
         2:12+1 found `w`, expected a modifier, `=>` or the end of the line",
    );
    check(
        "A acquires -> granted 1",
        "1:12+2 found `->`, expected a modifier, `=>` or the end of the line; did you mean `=>`? [=>]",
    );
    check(
        "A writes w \"v\"#late",
        "1:15+5 found `#late`, expected a modifier, `=>` or the end of the line",
    );
    check(
        "A acquires doc",
        "1:12+3 found `doc`, expected a modifier, `=>` or the end of the line; `doc` is a resource by default",
    );
    check(
        "A acquires seq 1",
        "1:12+3 found `seq`, expected a modifier of such a request; `seq` is on writes only",
    );
    check(
        "A claims key \"k\"",
        "1:10+3 found `key`, expected a modifier of a claim; `key` is on writes only",
    );
    check(
        "A renews token 4",
        "1:10+5 found `token`, expected a modifier of such a request; `token` is on writes and claims only",
    );
    check(
        "A writes w \"v\" as x",
        "1:16+2 found `as`, expected a modifier of a write; a write has its name right after `writes`",
    );
    check(
        "A pauses held",
        "1:10+4 found `held`, expected the end of the line; `held` is on requests only",
    );
    check(
        "A checks taking 2",
        "1:10+6 found `taking`, expected the end of the line; `taking` is on requests only",
    );
    check(
        "A acquires held held",
        "1:17+4 found `held`, expected another modifier; `held` stands here already",
    );
    check(
        "A acquires held lost",
        "1:17+4 found `lost`, expected another modifier; `held` has said it otherwise",
    );
    check(
        "A writes w \"v\" no token token 4",
        "1:25+5 found `token`, expected another modifier; `no` has said it otherwise",
    );
    check(
        "A acquires reply arriving at 5",
        "1:18+8 found `arriving`, expected `lost`, `taking N` or `held`",
    );
    check(
        "A writes w \"v\" held to doc",
        "1:21+2 found `to`, expected a modifier, `=>` or the end of the line; `to` and a resource stand once, right after the value",
    );
    check(
        "A writes w \"v\" reaching R1",
        "1:25+2 found `R1`, expected a resource with replicas; `doc` has no replicas",
    );
    check(
        "resource doc: fenced, replicas east west\nA writes w \"v\" reaching eats",
        "2:25+4 found `eats`, expected a replica: east, west; did you mean `east`? [east]",
    );
    check(
        "resource doc: fenced, replicas east west\nA writes w \"v\" reaching",
        "2:24+1 found the end of the line, expected a replica: east, west",
    );
    check(
        "resource doc: fenced, replicas east west\nA writes w \"v\" reaching held",
        "2:25+4 found `held`, expected a replica: east, west",
    );
    check(
        "resource doc: fenced, replicas east west\nA writes w \"v\" reaching east east",
        "2:30+4 found `east`, expected each replica once",
    );
    check(
        "A writes w \"v\" token -4",
        "1:22+2 found `-4`, expected a number",
    );
}

#[test]
fn errors_in_outcomes() {
    check(
        "A pauses => accepted",
        "1:10+2 found `=>`, expected the end of the line; `=>` is on requests, checks and deliveries only",
    );
    check(
        "A acquires => grnted 1",
        "1:15+6 found `grnted`, expected `granted N`, `refused` or `unknown`; did you mean `granted`? [granted]",
    );
    check(
        "A acquires => granted",
        "1:22+1 found the end of the line, expected a number",
    );
    check(
        "A renews => valid",
        "1:13+5 found `valid`, expected `renewed`, `refused` or `unknown`",
    );
    check(
        "A checks => accepted",
        "1:13+8 found `accepted`, expected `valid` or `lapsed`",
    );
    check(
        "A writes w \"v\" => rejected because slate",
        "1:36+5 found `slate`, expected a reason; did you mean `stale`? [stale]",
    );
    check(
        "A writes w \"v\" => rejected stale",
        "1:28+5 found `stale`, expected the end of the outcome; did you mean `because stale`? [because stale]",
    );
    check(
        "A writes w \"v\" => accepted stale",
        "1:28+5 found `stale`, expected the end of the outcome; did you mean `(stale)`? [(stale)]",
    );
    check(
        "A writes w \"v\" => unknown stale",
        "1:27+5 found `stale`, expected the end of the outcome",
    );
    check(
        "A writes w \"v\" => accepted equal",
        "1:28+5 found `equal`, expected the end of the outcome",
    );
    check(
        "A writes w \"v\" => rejected twice",
        "1:28+5 found `twice`, expected the end of the outcome; did you mean `(twice)`? [(twice)]",
    );
    check(
        "A acquires => refused stale",
        "1:23+5 found `stale`, expected the end of the outcome",
    );
    check(
        "A writes w \"v\" => unknown (stale)",
        "1:27+1 found `(`, expected the end of the line",
    );
    check(
        "A calls => accepted",
        "1:9+2 found `=>`, expected an external system; a header line `external NAME` declares one",
    );
    check(
        "A writes w \"v\" held\nw is lost => unknown",
        "2:11+2 found `=>`, expected the end of the line; `=>` is on requests, checks and deliveries only",
    );
    check(
        "A writes w \"v\" => rejected because othr owner",
        "1:36+4 found `othr`, expected a reason",
    );
    check(
        "A writes w \"v\" => accepted because stale",
        "1:28+7 found `because`, expected the end of the outcome; `because` stands right after `rejected`",
    );
    check(
        "A writes w \"v\" => accepted ()",
        "1:29+1 found `)`, expected an anomaly",
    );
    check(
        "A writes w \"v\" => accepted (stale",
        "1:34+1 found the end of the line, expected `,` or `)`",
    );
    check(
        "A writes w \"v\" => accepted (stale, stale)",
        "1:36+5 found `stale`, expected each anomaly once",
    );
    check(
        "A writes w \"v\" => rejected because other",
        "1:41+1 found the end of the line, expected `owner`",
    );
}

#[test]
fn errors_in_expect_lines() {
    let head = "A writes draft \"v\"\nA acquires as acq\n";
    let check = |line: &str, expected: &str| check(&format!("{head}{line}"), expected);
    check(
        "expect",
        "3:7+1 found the end of the line, expected a policy",
    );
    check(
        "expect fenced:",
        "3:15+1 found the end of the line, expected the name of a write or claim",
    );
    check(
        "expect fenced draft accepted",
        "3:15+5 found `draft`, expected `:`",
    );
    check(
        "expect mrak 4",
        "3:8+4 found `mrak`, expected a policy; did you mean `mark`? [mark]",
    );
    check(
        "expect fenced: drafts accepted",
        "3:16+6 found `drafts`, expected the name of a write or claim; did you mean `draft`? [draft]",
    );
    check(
        "expect fenced: acq accepted",
        "3:16+3 found `acq`, expected the name of a write or claim; `acq` is neither",
    );
    check(
        "expect fenced: draft",
        "3:21+1 found the end of the line, expected `accepted`, `rejected`, `duplicate`, `committed`, `not committed` or `unknown`",
    );
    check(
        "expect fenced: draft#0 accepted",
        "3:16+7 found `draft#0`, expected the number of a delivery after `#`, from 1",
    );
    check(
        "expect fenced: draft#4294967296 accepted",
        "3:16+16 found `draft#4294967296`, expected the number of a delivery after `#`, from 1",
    );
    check(
        "expect fenced: @R1 accepted",
        "3:16+1 found `@`, expected the name of a write or claim",
    );
    check(
        "expect fenced: draft@ accepted",
        "3:21+1 found `@`, expected a resource with replicas; `doc` has no replicas",
    );
    check(
        "expect fenced: draft accepted draft",
        "3:31+5 found `draft`, expected the end of the outcome",
    );
    check(
        "expect fenced: draft accepted (stale) draft",
        "3:39+5 found `draft`, expected the end of the outcome",
    );
    check(
        "expect fenced: draft@R1 accepted",
        "3:22+2 found `R1`, expected a resource with replicas; `doc` has no replicas",
    );
    check(
        "expect fenced: draft accepted,",
        "3:31+1 found the end of the line, expected the name of a write or claim",
    );
    check(
        "expect value v",
        "3:14+1 found `v`, expected a value in double quotes; did you mean `\"v\"`? [\"v\"]",
    );
    check(
        "expect mark 4 at dco",
        "3:18+3 found `dco`, expected a resource: doc; did you mean `doc`? [doc]",
    );
    check(
        "expect mark 4 doc",
        "3:15+3 found `doc`, expected the end of the line",
    );
}

/// The place of a verdict, after `@`.
#[test]
fn errors_in_places_of_verdicts() {
    let check = |place: &str, expected: &str| {
        let head = "resource doc: fenced, replicas wabc R1\nA writes w \"v\"";
        check(
            &format!("{head}\nexpect fenced: w@{place} accepted"),
            expected,
        );
    };
    check(
        "R9",
        "3:18+2 found `R9`, expected a replica: wabc, R1; did you mean `R1`? [R1]",
    );
    check("east", "3:18+4 found `east`, expected a replica: wabc, R1");
    check("bc", "3:18+2 found `bc`, expected a replica: wabc, R1");
    check("", "3:17+1 found `@`, expected a replica: wabc, R1");
}

#[test]
fn a_policy_on_its_own() {
    let policy = parse_policy("fenced+owner").expect("a policy");
    assert!(policy.base == Base::Fenced && policy.has(PolicyOption::Owner));
    for (text, expected) in [
        ("", "1:1+1 found the end of the line, expected a policy"),
        (
            "fenced now",
            "1:8+3 found `now`, expected the end of the line",
        ),
        (
            "fenced+",
            "1:7+1 found `+`, expected an option (`owner`, `sequence`, `optional`, `claim`, `durable`, `cas`, \
             `dedupe-after`, `dedupe-first`, `verified`)",
        ),
    ] {
        assert_eq!(rendered(&parse_policy(text).expect_err(text)), expected);
    }
}

/// The nearest is meant, of several equally near ones the first; long words are not guessed at.
#[test]
fn near_misses() {
    for (known, word, meant) in [
        ("Ab1, Ab2", "Ab3", Some("Ab1")),
        ("alphaaa, alphab", "alphabb", Some("alphab")),
        ("resumes", "resum", Some("resumes")),
        ("resumes", "resu", None),
        ("resum", "résum", Some("resum")),
        ("abc", "xyz", None),
        ("ab", "ax", Some("ab")),
        ("ab", "xy", None),
        ("a", "x", None),
        ("a", "A", Some("a")),
        (&"w".repeat(40), &"w".repeat(39), Some(&"w".repeat(40))),
        (&"w".repeat(39), &"w".repeat(40), Some(&"w".repeat(39))),
        (&"w".repeat(40), &"w".repeat(41), None),
    ] {
        let errors = parse(&format!("clients {known}\n{word} acquires")).errors;
        let hint = errors[0].hint.as_ref();
        let guess = hint.and_then(|hint| hint.replacement.as_deref());
        assert_eq!(guess, meant, "{word} among {known}");
    }
}

/// The language has no word for a line's end within a text.
#[test]
fn a_line_end_is_printed_as_a_blank() {
    let mut scenario = parse("").scenario;
    scenario.title = "one\ntwo".to_owned();
    assert_eq!(print(&scenario), "scenario \"one two\"\n");
}

/// Header, steps, `expect` lines; and no line hides another.
#[test]
fn order_and_recovery() {
    check(
        "A acquires\nttl 5\nclients A, B, C\nC acquires",
        "2:1+3 found `ttl`, expected a step; header lines come before the first step (line 1)\n\
         3:1+7 found `clients`, expected a step; header lines come before the first step (line 1)",
    );
    check(
        "A acquires\nexpect mark 0\nB acquires\n",
        "3:1+1 found `B`, expected an `expect` line; steps come before the first `expect` (line 2)",
    );
    check(
        "expect mark 0\nttl 4",
        "2:1+3 found `ttl`, expected a step; header lines come before the first step (line 1)",
    );
    check(
        "ttl x\nA resmes\nB pauses now\nA acquires",
        "1:5+1 found `x`, expected a number\n\
         2:3+6 found `resmes`, expected a verb; did you mean `resumes`? [resumes]\n\
         3:10+3 found `now`, expected the end of the line",
    );
    // Only what a line with an error would have declared is not missed.
    check(
        "A resmes zeta\nzeta arrives",
        "1:3+6 found `resmes`, expected a verb; did you mean `resumes`? [resumes]\n\
         2:1+4 found `zeta`, expected the name of an earlier message",
    );
    let many = ["ttl -1\n".repeat(30), "x\n".repeat(60)].concat();
    assert_eq!(parse(&many).errors.len(), 90);
    // A name on a line with an error is declared all the same, so that the error stands alone.
    for text in [
        "resource log: fence\nA writes w \"v\" to log\nlog forgets mark\nexpect mark 0 at log",
        "resource log: fenced, mrk 4\nA writes w \"v\" to log\nexpect mark 0 at log",
        "lease X, tokn 3\nlease Y\nresource r under X: fenced\nA acquires X\nB acquires Y",
        "external mail 5\nA calls mail \"x\"",
        "clients A; B\nB acquires\nB writes w \"v\"\nw arrives\nexpect fenced: w accepted",
        "clinets A, B, C\nC acquires\nA pauses",
        "resuorce log: strict\nA writes w \"v\" to log\nlog saves",
        "A writes w v\nw arrives\nA acquires\nexpect fenced: w accepted",
        "A reads doc as r hld\nA writes w \"v\" based on r\nw arrives",
    ] {
        let errors = parse(text).errors;
        assert_eq!(errors.len(), 1, "{text}\n{errors:#?}");
        assert_eq!(errors[0].line, 1, "{text}\n{errors:#?}");
    }
    // What is left out does not spoil the rest.
    let parsed = parse("A writes w v\nw arrives\nA acquires => granted 1\nexpect mark 0");
    assert_eq!(parsed.errors.len(), 1);
    assert_eq!(parsed.lines.steps, [3]);
    assert_eq!(parsed.lines.expects, [4]);
    assert_eq!(parsed.scenario.messages, Vec::<String>::new());
}

#[test]
fn limits_are_reported_at_their_place() {
    let line = "wait 1\n";
    let parsed = parse(&line.repeat(MAX_STEPS + 5));
    assert_eq!(parsed.scenario.steps.len(), MAX_STEPS);
    assert_eq!(
        parsed.errors.iter().map(rendered).collect::<Vec<_>>(),
        [
            "10001:1+4 found `wait`, expected at most 10000 steps; this line and those after it were not read"
        ]
    );
    let comments = format!("{line}{}", "# x\n".repeat(MAX_TEXT_BYTES / 4));
    check(
        &comments,
        "65536:1+1 found 262151 bytes, expected at most 262144; 2 lines from here on were not read",
    );
    let parsed = parse(&"x\n".repeat(500));
    assert_eq!(parsed.errors.len(), MAX_ERRORS + 1);
    assert_eq!(
        rendered(&parsed.errors[MAX_ERRORS]),
        "101:1+1 found 400 more lines, expected at most 100 errors before them; they were not judged"
    );
    check("", "");
    // What is just within a limit is read.
    let full = format!("# {}\n", "x".repeat(MAX_TEXT_BYTES - 3));
    check(&full, "");
    check(
        &format!("#{full}"),
        "1:1+1 found 262145 bytes, expected at most 262144; 1 lines from here on were not read",
    );
    assert_eq!(parse(&line.repeat(MAX_STEPS)).errors, []);
    assert_eq!(parse(&"x\n".repeat(MAX_ERRORS)).errors.len(), MAX_ERRORS);
    let last = parse(&"x\n".repeat(MAX_ERRORS + 1)).errors.pop();
    assert_eq!(
        last.as_ref().map(rendered).as_deref(),
        Some(
            "101:1+1 found 1 more lines, expected at most 100 errors before them; they were not judged"
        )
    );
    let last = parse(&["x\n".repeat(MAX_ERRORS), "x".to_owned()].concat())
        .errors
        .pop();
    assert_eq!(last.map(|error| error.line), Some(101));
    let expects = "expect mark 0\n".repeat(MAX_EXPECTS);
    check(&expects, "");
    check(
        &format!("{expects}{expects}"),
        "1001:1+6 found `expect`, expected at most 1000 `expect` lines; this line and those after it were not read",
    );
    let numbered = |head: &str, count: usize| -> String {
        (0..count).map(|index| format!("{head}{index}\n")).collect()
    };
    check(&numbered("lease X", 32), "");
    check(
        &numbered("lease X", 33),
        "33:7+3 found `X32`, expected at most 32 leases",
    );
    check(&numbered("external m", 32), "");
    check(
        &numbered("external m", 33),
        "33:10+3 found `m32`, expected at most 32 external systems",
    );
    let replicas = |count: usize| {
        format!(
            "resource doc: fenced, replicas {}",
            numbered("R", count).replace('\n', " ")
        )
    };
    check(&replicas(9), "");
    check(
        &replicas(10),
        "1:59+2 found `R9`, expected at most 9 replicas",
    );
}

/// Outcomes stand in one column, unless a step is too long or there are too many.
#[test]
fn outcomes_stand_in_a_column() {
    let long = |chars: usize| {
        let value = "v".repeat(chars - "A writes w \"\"".len());
        let text = format!("A writes w \"{value}\" => accepted\nA acquires => refused\n");
        let lines: Vec<usize> = print(&accepted(&text))
            .lines()
            .map(|line| line.find("=>").expect("an outcome"))
            .collect();
        (lines[0], lines[1])
    };
    assert_eq!(long(48), (50, 50));
    assert_eq!(long(49), (51, 12));
    let many = |steps: usize| {
        let text = format!(
            "A acquires => refused\n{}",
            "A checks => lapsed\n".repeat(steps - 1)
        );
        print(&accepted(&text))
            .lines()
            .last()
            .and_then(|line| line.find("=>"))
    };
    assert_eq!(many(1000), Some(12));
    assert_eq!(many(1001), Some(10));
}

#[test]
fn lexemes_have_places() {
    let all: Vec<_> = tokens("ttl 10 # ten\r\n é \"ü\", =>x")
        .iter()
        .map(|l| (l.kind, l.line, l.column, l.length))
        .collect();
    assert_eq!(
        all,
        [
            (LexemeKind::Word, 1, 1, 3),
            (LexemeKind::Number, 1, 5, 2),
            (LexemeKind::Comment, 1, 8, 5),
            (LexemeKind::Word, 2, 2, 1),
            (LexemeKind::Text, 2, 4, 3),
            (LexemeKind::Sign, 2, 7, 1),
            (LexemeKind::Sign, 2, 9, 2),
            (LexemeKind::Word, 2, 11, 1),
        ]
    );
}

fn cases() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).expect("tests/cases") {
        let path = entry.expect("an entry").path();
        let text = || std::fs::read_to_string(&path).expect("a text");
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("fence") => cases.push((path.display().to_string(), text())),
            Some("jsonl") => cases.extend(text().lines().map(|line| {
                let case: serde_json::Value = serde_json::from_str(line).expect("JSON");
                let text = case["text"].as_str().expect("a text").to_owned();
                (case["name"].to_string(), text)
            })),
            _ => {}
        }
    }
    cases
}

/// The same, read once.
static CASES: LazyLock<Vec<(String, String)>> = LazyLock::new(cases);

#[test]
fn every_case_parses_and_survives_printing() {
    let cases = cases();
    assert!(cases.len() > 500, "{}", cases.len());
    for (name, text) in cases {
        println!("{name}");
        accepted(&text);
    }
}

/// A text of a megabyte that is as nasty as one line allows is refused at once.
#[test]
fn hostile_texts_are_refused_quickly() {
    const SIZE: usize = 1_000_000;
    let fill = |piece: &str| piece.repeat(SIZE / piece.len());
    let names: String = (0..9_000)
        .map(|i| format!("A writes w{i} \"\"\n"))
        .collect();
    for text in [
        fill("x"),
        fill("\n"),
        fill("\""),
        fill("\\\"("),
        fill("=>"),
        fill("A writes "),
        fill("resmes x\n"),
        fill("é:\u{feff},"),
        fill("lease X\n"),
        fill("clients A, "),
        fill("resource doc: fenced+owner\n"),
        format!("resource doc: {}", fill("fenced+")),
        format!(
            "A writes w \"v\"\nexpect fenced: {}",
            "w accepted, ".repeat(20_000)
        ),
        format!("{names}{}", fill("wxyz9 arrives\n")),
        fill("A acquires => granted 1\n"),
    ] {
        let start = Instant::now();
        let parsed = parse(&text);
        let spent = start.elapsed();
        assert!(!parsed.errors.is_empty());
        assert!(spent < Duration::from_secs(2), "{spent:?} for {:.40}", text);
        println!("{spent:?} for {:.20}", text);
        assert_inside(&text);
    }
}

/// Draws choices from a list; an empty list draws zeros, so that a failing scenario shrinks.
struct Draw<'c> {
    choices: &'c [u16],
}

impl Draw<'_> {
    fn below(&mut self, limit: usize) -> usize {
        let Some((first, rest)) = self.choices.split_first() else {
            return 0;
        };
        self.choices = rest;
        usize::from(*first) % limit
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }

    fn number(&mut self) -> u64 {
        match self.below(8) {
            7 => MAX_NUMBER,
            _ => self.below(60) as u64,
        }
    }

    fn maybe(&mut self) -> Option<u64> {
        self.one_in(3).then(|| self.number())
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn text(&mut self) -> String {
        let parts = [
            "", "v1", "\"", "\\", "#", " # ", "ü", "\t", "=>", ",", "a b",
        ];
        (0..self.below(4)).map(|_| self.of(&parts)).collect()
    }

    fn policy(&mut self) -> Policy {
        let mut policy = Policy::of(self.of(Base::ALL));
        for option in PolicyOption::ALL {
            let conflicts = match option {
                PolicyOption::Cas => policy.base != Base::CheckThenWrite,
                PolicyOption::DedupeFirst => policy.has(PolicyOption::DedupeAfter),
                _ => false,
            };
            if self.one_in(4) && !conflicts {
                policy.options.insert(*option);
            }
        }
        policy
    }

    fn resource(&mut self, name: &str, leases: usize) -> Resource {
        let mut resource = Resource {
            name: name.to_owned(),
            lease: LeaseId(self.below(leases)),
            policy: self.policy(),
            mark: self.maybe().unwrap_or(0),
            value: self.text(),
            replicas: ["R1", "lost", "A", "held"][..self.below(5)]
                .iter()
                .map(|name| name.to_string())
                .collect(),
            quorum: None,
            clock_skew_secs: self.maybe().unwrap_or(0) as i64 * self.of(&[1, -1]),
        };
        if !resource.replicas.is_empty() && self.one_in(2) {
            let size = 1 + self.below(resource.replicas.len()) as u64;
            resource.quorum = Some(size).filter(|size| *size != resource.quorum_size());
        }
        resource
    }

    fn header(&mut self) -> Scenario {
        let mut scenario = parse("").scenario;
        scenario.title = self.text();
        scenario.ttl_secs = self.maybe().unwrap_or(10);
        scenario.latency_secs = self.maybe().unwrap_or(1);
        scenario.token = self.maybe().unwrap_or(1);
        if self.one_in(2) {
            let names = ["A", "B", "C", "writes", "to", "arrives"];
            scenario.clients = names[..1 + self.below(6)]
                .iter()
                .map(|n| n.to_string())
                .collect();
        }
        let leases = self.below(4);
        if leases > 0 {
            scenario.leases = ["as", "X", "held-lease"][..leases]
                .iter()
                .map(|name| Lease {
                    name: Some(name.to_string()),
                    token: self.maybe().filter(|token| *token != scenario.token),
                    ttl_secs: self.maybe().filter(|ttl| *ttl != scenario.ttl_secs),
                })
                .collect();
        }
        let resources = self.below(5);
        if resources > 0 {
            scenario.resources = ["no", "doc", "because", "log_2"][..resources]
                .iter()
                .map(|name| self.resource(name, scenario.leases.len()))
                .collect();
        }
        scenario.externals = ["mail", "cards"][..self.below(3)]
            .iter()
            .map(|n| n.to_string())
            .collect();
        scenario.coordinator = CoordinatorRules {
            lock_delay_secs: self.maybe().unwrap_or(0),
            late_renewal: self.one_in(2),
            reentry: self.of(&[Reentry::Keeps, Reentry::Mints, Reentry::Refused]),
        };
        scenario
    }

    fn travel(&mut self, reply: bool) -> Travel {
        match self.below(8) {
            4 => Travel::Taking(self.number()),
            5 if !reply => Travel::ArrivingAt(self.number()),
            6 => Travel::Held,
            7 => Travel::Lost,
            _ => Travel::Latency,
        }
    }

    fn token(&mut self) -> TokenChoice {
        match self.below(8) {
            4 => TokenChoice::Missing,
            5 => TokenChoice::Number(self.number()),
            6 => TokenChoice::Text(self.text()),
            7 => TokenChoice::Forged(self.number()),
            _ => TokenChoice::Known,
        }
    }

    fn verdict(&mut self) -> Outcome {
        let answer = self.of(&[
            Answer::Accepted,
            Answer::Rejected,
            Answer::Duplicate,
            Answer::Committed,
            Answer::NotCommitted,
            Answer::Unknown,
        ]);
        let mut outcome = plain(answer);
        if answer == Answer::Rejected && self.one_in(2) {
            outcome.reason = Some(self.of(Reason::ALL));
        }
        for anomaly in Anomaly::ALL {
            if answer != Answer::Unknown && self.one_in(4) {
                outcome.anomalies.insert(*anomaly);
            }
        }
        outcome
    }

    fn outcome(&mut self, body: &Body) -> Outcome {
        let number = self.number();
        let answers = match body {
            Body::Acquire(_) => [Answer::Granted(number), Answer::Refused, Answer::Unknown],
            Body::Renew(_) => [Answer::Renewed, Answer::Refused, Answer::Unknown],
            Body::Release(_) => [Answer::Released, Answer::Refused, Answer::Unknown],
            Body::Read(_) | Body::Call(..) => [Answer::Accepted, Answer::Unknown, Answer::Unknown],
            Body::Write(_) | Body::Claim(..) => return self.verdict(),
        };
        plain(self.of(&answers))
    }

    fn write(&mut self, scenario: &Scenario, bodies: &[Body]) -> Write {
        let resource = self.below(scenario.resources.len());
        let replicas = scenario.resources[resource].replicas.len();
        let reads: Vec<usize> = (0..bodies.len())
            .filter(|index| matches!(bodies[*index], Body::Read(_)))
            .collect();
        let reached: Vec<ReplicaId> = (0..replicas)
            .filter(|_| self.one_in(2))
            .map(ReplicaId)
            .collect();
        let some = !reached.is_empty() && reached.len() < replicas;
        Write {
            resource: ResourceId(resource),
            value: self.text(),
            token: self.token(),
            applied_at_secs: self.maybe(),
            key: self.one_in(3).then(|| self.text()),
            seq: self.maybe(),
            based_on: (!reads.is_empty() && self.one_in(2)).then(|| NameId(self.of(&reads))),
            deadline_secs: self.maybe(),
            reaching: some.then_some(reached),
        }
    }

    fn request(&mut self, scenario: &mut Scenario, bodies: &mut Vec<Body>) -> Request {
        let lease = LeaseId(self.below(scenario.leases.len()));
        let resource = ResourceId(self.below(scenario.resources.len()));
        let body = match self.below(7) {
            0 => Body::Acquire(lease),
            1 => Body::Renew(lease),
            2 => Body::Release(lease),
            3 => Body::Read(resource),
            4 => Body::Claim(resource, self.token()),
            5 if !scenario.externals.is_empty() => Body::Call(
                ExternalId(self.below(scenario.externals.len())),
                self.text(),
            ),
            _ => Body::Write(self.write(scenario, bodies)),
        };
        let must = matches!(body, Body::Write(_) | Body::Read(_));
        let name = (must || self.one_in(2)).then(|| {
            let prefix = self.of(&["w", "granted-", "Seq_"]);
            scenario.messages.push(format!("{prefix}{}", bodies.len()));
            bodies.push(body.clone());
            NameId(bodies.len() - 1)
        });
        Request {
            client: ClientId(self.below(scenario.clients.len())),
            body,
            name,
            travel: self.travel(false),
            reply: self.travel(true),
        }
    }

    fn coordinator(&mut self, scenario: &Scenario) -> CoordinatorAction {
        let client = ClientId(self.below(scenario.clients.len()));
        let lease = LeaseId(self.below(scenario.leases.len()));
        match self.below(6) {
            0 => CoordinatorAction::Expires(client, lease),
            1 => CoordinatorAction::Revokes(client, lease),
            2 => CoordinatorAction::Saves,
            3 => CoordinatorAction::Restores {
                jump: self.number(),
            },
            4 => CoordinatorAction::Restarts {
                token: self.maybe(),
            },
            _ => CoordinatorAction::Grants {
                client,
                lease,
                token: self.number(),
                until_secs: self.maybe(),
            },
        }
    }

    fn resource_action(&mut self) -> ResourceAction {
        match self.below(5) {
            0 => ResourceAction::ForgetsMark,
            1 => ResourceAction::RestartsAtMark(self.number()),
            2 => ResourceAction::Saves,
            3 => ResourceAction::Restores,
            _ => ResourceAction::Becomes(self.policy()),
        }
    }

    fn step(&mut self, scenario: &mut Scenario, bodies: &mut Vec<Body>) -> Step {
        let client = ClientId(self.below(scenario.clients.len()));
        let mut expectation = None;
        let expects = self.one_in(2);
        let action = match self.below(12) {
            0 => Action::Wait(self.number()),
            1 => Action::Note(self.text()),
            2 => Action::Client(
                client,
                self.of(&[
                    ClientAction::Pauses,
                    ClientAction::Resumes,
                    ClientAction::Crashes,
                    ClientAction::Restarts,
                ]),
            ),
            3 => {
                expectation = expects.then(|| plain(self.of(&[Answer::Valid, Answer::Lapsed])));
                Action::Checks(client, LeaseId(self.below(scenario.leases.len())))
            }
            4 if !bodies.is_empty() => {
                let id = self.below(bodies.len());
                let action = self.of(&[
                    MessageAction::Arrives,
                    MessageAction::ArrivesAgain,
                    MessageAction::IsLost,
                ]);
                if action != MessageAction::IsLost && expects {
                    expectation = Some(self.outcome(&bodies[id]));
                }
                Action::Message(NameId(id), action)
            }
            5 => Action::Coordinator(self.coordinator(scenario)),
            6 => Action::Resource(
                ResourceId(self.below(scenario.resources.len())),
                self.resource_action(),
            ),
            _ => {
                let request = self.request(scenario, bodies);
                expectation = expects.then(|| self.outcome(&request.body));
                Action::Request(request)
            }
        };
        Step {
            at_secs: self.maybe(),
            action,
            expectation,
        }
    }

    fn expect(&mut self, scenario: &Scenario, bodies: &[Body]) -> Expect {
        let resource = ResourceId(self.below(scenario.resources.len()));
        let places: Vec<(usize, ResourceId)> = bodies
            .iter()
            .enumerate()
            .filter_map(|(index, body)| match body {
                Body::Write(write) => Some((index, write.resource)),
                Body::Claim(resource, _) => Some((index, *resource)),
                _ => None,
            })
            .collect();
        match self.below(4) {
            0 => Expect::Mark(self.number(), resource),
            1 => Expect::Value(self.text(), resource),
            _ if places.is_empty() => Expect::Mark(0, resource),
            _ => {
                let policy = self.policy();
                let verdicts = (0..1 + self.below(3)).map(|_| {
                    let (index, resource) = self.of(&places);
                    let replicas = scenario.resources[resource.0].replicas.len();
                    ExpectedVerdict {
                        name: NameId(index),
                        delivery: 1 + self.below(3) as u32,
                        replica: (replicas > 0 && self.one_in(2))
                            .then(|| ReplicaId(self.below(replicas))),
                        outcome: self.verdict(),
                    }
                });
                Expect::Verdicts(policy, verdicts.collect())
            }
        }
    }

    fn scenario(&mut self) -> Scenario {
        let mut scenario = self.header();
        let mut bodies = Vec::new();
        for _ in 0..self.below(20) {
            let step = self.step(&mut scenario, &mut bodies);
            scenario.steps.push(step);
        }
        for _ in 0..self.below(4) {
            let expect = self.expect(&scenario, &bodies);
            scenario.expects.push(expect);
        }
        scenario
    }
}

fn plain(answer: Answer) -> Outcome {
    Outcome {
        answer,
        reason: None,
        anomalies: EnumSet::new(),
    }
}

/// Pieces that make a text look valid for a while.
const PIECES: [&str; 40] = [
    "A",
    "B",
    "doc",
    "w",
    "R1",
    "\"",
    "\"v\"",
    "\\",
    "#",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    ",",
    ":",
    "(",
    ")",
    "=>",
    "@",
    "+",
    "at ",
    "5",
    "9007199254740992",
    "writes",
    "reads",
    "as",
    "reaching",
    "expect ",
    "resource ",
    "lease ",
    "clients ",
    "coordinator",
    "token ",
    "quorum 2",
    "replicas R1",
    "held",
    "é",
    "\u{feff}",
    "-",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_scenario_survives_printing(choices in prop::collection::vec(any::<u16>(), 0..900)) {
        assert_round_trip(&Draw { choices: &choices }.scenario());
    }

    #[test]
    fn any_text_is_judged(text in any::<String>()) {
        assert_inside(&text);
        tokens(&text);
    }

    #[test]
    fn any_pieces_are_judged(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..120)) {
        let text = pieces.concat();
        assert_inside(&text);
        assert_round_trip(&parse(&text).scenario);
    }

    /// Characters of a valid text are replaced, and what is left of it still survives printing.
    #[test]
    fn mutated_texts_are_judged(
        case in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..4, 0..PIECES.len()), 1..6),
    ) {
        let mut text = case.get(&CASES).1.clone();
        for (place, length, piece) in edits {
            let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let first = place.index(starts.len());
            let last = (first + length).min(starts.len() - 1);
            text.replace_range(starts[first]..starts[last], PIECES[piece]);
        }
        assert_inside(&text);
        assert_round_trip(&parse(&text).scenario);
    }
}
