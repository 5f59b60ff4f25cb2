//! The pure half of the lab: completion, edits, set-up, menus, rows, drafts, JSON.

use fencing_lab::complete::completions;
use fencing_lab::drafts::{Draft, Drafts, age};
use fencing_lab::menu::{self, Does, Menu, Owner};
use fencing_lab::playhead::{Cursor, Move};
use fencing_lab::rows::{Kind, RowResult, rows};
use fencing_lab::session::{Intent, Run, Session};
use fencing_lab::sim::{Answer, ClientId, PolicyOption};
use fencing_lab::{edit, json, script, setup};

const STORY: &str = "\
# a story
scenario \"Paused\"
ttl 10
token 41   # the next
resource doc: fenced

A acquires
A writes draft \"v1\"
A pauses
at 11 B acquires
B writes final \"v2\"
A resumes
A writes late \"v3\"

expect fenced: draft accepted, late rejected
";

fn run(text: &str) -> Run {
    Run::new(text, None)
}

/// All cases of the corpus.
fn cases() -> Vec<(String, String)> {
    let files =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).expect("the corpus");
    files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "fence"))
        .map(|path| {
            (
                path.display().to_string(),
                std::fs::read_to_string(path).expect("a text"),
            )
        })
        .collect()
}

/// The words offered at `|`, the impossible ones with `-` before them.
fn offered(text: &str) -> Vec<String> {
    let at = text.find('|').expect("a caret");
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count();
    let text = text.replacen('|', "", 1);
    let found = completions(&text, line, column, &run(&text));
    let sign = |why: &Option<String>| if why.is_some() { "-" } else { "" };
    found
        .items
        .iter()
        .map(|item| format!("{}{}", sign(&item.why_not), item.text))
        .collect()
}

#[test]
fn completion_offers_what_fits_first() {
    let table: &[(&str, &[&str])] = &[
        ("sc|", &["scenario"]),
        ("coo|", &["coordinator", "coordinator:"]),
        (
            "A re|",
            &["renews", "releases", "reads", "-resumes", "-restarts"],
        ),
        (
            "A acquires\nA pauses\nA re|",
            &["resumes", "-renews", "-releases", "-reads", "-restarts"],
        ),
        (
            "A crashes\nA r|",
            &["restarts", "-renews", "-releases", "-reads", "-resumes"],
        ),
        ("A acquires\nA paus|", &["pauses"]),
        ("A acquires\nttl|", &[]),
        ("at 5 B ac|", &["acquires"]),
        ("coordinator re|", &["revokes", "restores", "restarts"]),
        ("coordinator: r|", &["reentry"]),
        ("coordinator: reentry m|", &["mints"]),
        ("coordinator expires |", &["A", "B"]),
        ("doc f|", &["forgets"]),
        ("doc becomes fe|", &["fenced"]),
        ("resource x: fenced+ow|", &["fenced+owner"]),
        ("resource x: fenced+ca|", &["-fenced+cas"]),
        ("A acquires => gr|", &["granted"]),
        ("A writes w \"v\" => rejected because st|", &["stale"]),
        ("A writes w \"v\" repl|", &["reply"]),
        ("A writes w \"v\" reply l|", &["lost"]),
        ("A writes w \"a b|", &[]),
        ("# sc|", &[]),
        ("external mail\nA calls m|", &["mail"]),
        ("A writes w \"v\"\nw arr|", &["arrives"]),
        ("A writes w \"v\"\nexpect fe|", &["fenced"]),
        ("A writes w \"v\"\nexpect fenced: |", &["w"]),
        ("A writes w \"v\"\nexpect fenced: w rej|", &["rejected"]),
        ("lease X\nlease Y\nA acquires X|", &[]),
        ("lease X\nlease Y\nA acquires |", &["X", "Y"]),
    ];
    for (text, wanted) in table {
        let got = offered(text);
        let head: Vec<&str> = got
            .iter()
            .map(String::as_str)
            .take(wanted.len().max(1))
            .collect();
        assert_eq!(&head, wanted, "{text:?}");
    }
}

#[test]
fn completion_is_total() {
    for text in [
        "",
        "\u{feff}",
        "\"",
        "at",
        "at 99999999999999999999",
        "äöü 🙂",
        "a\u{0}b => (",
        ", : (",
    ] {
        for column in 0..=text.chars().count() + 1 {
            completions(text, 1, column, &run(text));
            completions(text, 7, column, &run(text));
        }
    }
}

#[test]
fn formatting_keeps_the_meaning_and_the_comments_of_every_case() {
    for (path, text) in cases() {
        let formatted = edit::format(&text);
        assert_eq!(
            script::parse(&formatted).scenario,
            script::parse(&text).scenario,
            "{path}"
        );
        let comments = |text: &str| {
            text.lines()
                .filter_map(|line| line.split_once("# ").map(|c| c.1.trim().to_owned()))
                .collect::<Vec<_>>()
        };
        assert_eq!(comments(&formatted), comments(&text), "{path}");
        assert_eq!(edit::format(&formatted), formatted, "{path}");
    }
}

#[test]
fn formatting_spaces_evenly() {
    let table = [
        ("A   acquires=>granted 1", "A acquires  => granted 1\n"),
        ("clients A ,B", "clients A, B\n"),
        (
            "expect fenced :w accepted(stale ,twice)",
            "expect fenced: w accepted (stale, twice)\n",
        ),
        (
            "\n\nA pauses   # why\n\n\nA resumes\n\n",
            "A pauses  # why\n\nA resumes\n",
        ),
        (
            "A checks => valid\nA writes w \"a  b\" => accepted",
            "A checks           => valid\nA writes w \"a  b\"  => accepted\n",
        ),
        ("", ""),
        ("  # only  this ", "# only  this\n"),
    ];
    for (text, wanted) in table {
        assert_eq!(edit::format(text), wanted, "{text:?}");
    }
}

#[test]
fn an_action_is_written_at_the_cursor_and_what_follows_stays_when_it_was() {
    let starts = |session: &Session| {
        session
            .run
            .trace
            .steps
            .iter()
            .map(|step| step.start_secs)
            .collect::<Vec<_>>()
    };
    let mut session = Session::new(STORY.to_owned());
    let before = starts(&session);
    session.update(Intent::Move(Move::Seek(5_500)));
    edit::act(&mut session, "coordinator saves");
    assert!(
        session
            .source
            .contains("A pauses\nat 5 coordinator saves\nat 11 B acquires"),
        "{}",
        session.source
    );
    assert!(session.run.parsed.errors.is_empty());
    let mut after = starts(&session);
    assert_eq!(after.remove(3), 5);
    assert_eq!(after, before);
    session.update(Intent::Undo);
    assert_eq!(session.source, STORY);
}

#[test]
fn an_action_in_a_wait_parts_it() {
    let mut session = Session::new("A acquires\nwait 10  # long\nB acquires\n".to_owned());
    session.update(Intent::Move(Move::Seek(5_000)));
    edit::act(&mut session, "A pauses");
    assert_eq!(
        session.source,
        "A acquires\nwait 3   # long\nA pauses\nat 12 B acquires\n"
    );
}

#[test]
fn the_first_action_of_an_empty_text_and_of_one_with_a_header() {
    for (text, wanted) in [("", "A acquires\n"), ("ttl 5\n", "ttl 5\n\nA acquires\n")] {
        let mut session = Session::new(text.to_owned());
        edit::act(&mut session, "A acquires");
        assert_eq!(session.source, wanted);
        assert!(session.head.is_playing());
    }
}

#[test]
fn every_action_of_every_menu_is_understood() {
    for (path, text) in cases() {
        let run = run(&text);
        for passed in 0..=run.trace.moments.len() {
            let cursor = Cursor {
                passed,
                now_ms: run.clock.time_of(passed),
            };
            for menu in menu::menus(&run, cursor) {
                for item in &menu.items {
                    let mut session = Session::new(text.clone());
                    session.update(Intent::Move(Move::SeekMoment(passed)));
                    let line = match &item.does {
                        Does::Add(line) => line.clone(),
                        Does::Ask(form) => menu::compose(form, &menu::defaults(form)),
                        Does::Change { number, line } => {
                            let changed = edit::replace_line(&text, *number, line);
                            assert!(script::parse(&changed).errors.is_empty(), "{path}: {line}");
                            continue;
                        }
                        Does::AskChange { number, form } => {
                            let line = menu::compose(form, &menu::defaults(form));
                            let changed = edit::replace_line(&text, *number, &line);
                            assert!(script::parse(&changed).errors.is_empty(), "{path}: {line}");
                            continue;
                        }
                    };
                    let before = session.run.parsed.errors.len();
                    edit::act(&mut session, &line);
                    let errors = &session.run.parsed.errors;
                    assert_eq!(
                        errors.len(),
                        before,
                        "{path} at moment {passed}: {line}: {errors:?}\n{}",
                        session.source
                    );
                }
            }
        }
    }
}

fn menu_of(text: &str, owner: Owner) -> Menu {
    let run = run(text);
    let passed = run.trace.moments.len();
    let cursor = Cursor {
        passed,
        now_ms: run.clock.time_of(passed),
    };
    let found = menu::menus(&run, cursor)
        .into_iter()
        .find(|menu| menu.owner == owner);
    found.expect("a menu")
}

#[test]
fn what_cannot_be_done_is_listed_with_the_reason() {
    let menu = menu_of("A acquires\nA pauses\n", Owner::Client(ClientId(0)));
    let labels: Vec<&str> = menu.items.iter().map(|item| item.label.as_str()).collect();
    assert_eq!(labels, ["Resume", "Crash"]);
    assert_eq!(menu.off[0].0, "Not while A is paused");
    assert!(menu.off[0].1.contains(&"Write…"));
    let menu = menu_of("A pauses\n", Owner::Coordinator);
    let reasons: Vec<&str> = menu.off.iter().map(|(why, _)| why.as_str()).collect();
    assert_eq!(reasons, ["Nobody holds the lease", "Nothing was saved yet"]);
}

#[test]
fn forms_make_lines() {
    let menu = menu_of("A acquires\n", Owner::Client(ClientId(0)));
    let form = menu.items.iter().find_map(|item| match &item.does {
        Does::Ask(form) if item.label == "Write…" => Some(form.clone()),
        _ => None,
    });
    let form = form.expect("a form");
    let plain = menu::defaults(&form);
    assert_eq!(menu::compose(&form, &plain), "A writes w1 \"w1\"");
    let with = |changes: &[(usize, &str)]| {
        let mut values = plain.clone();
        for (index, value) in changes {
            values[*index] = (*value).to_owned();
        }
        menu::compose(&form, &values)
    };
    // Name, value, token and its operand, travel and operand, reply and operand, applied, key, sequence, deadline, read.
    assert_eq!(
        with(&[(0, "x"), (1, "say \"hi\"")]),
        "A writes x \"say \\\"hi\\\"\""
    );
    assert_eq!(with(&[(1, "")]), "A writes w1 \"\"");
    assert_eq!(with(&[(2, "1")]), "A writes w1 \"w1\" no token");
    assert_eq!(with(&[(2, "2"), (3, "7")]), "A writes w1 \"w1\" token 7");
    assert_eq!(
        with(&[(2, "3"), (3, "7")]),
        "A writes w1 \"w1\" token \"7\""
    );
    assert_eq!(
        with(&[(2, "4"), (3, "7")]),
        "A writes w1 \"w1\" forged token 7"
    );
    assert_eq!(with(&[(4, "3")]), "A writes w1 \"w1\" held");
    assert_eq!(
        with(&[(4, "1"), (5, "9"), (6, "3")]),
        "A writes w1 \"w1\" taking 9 reply lost"
    );
    assert_eq!(
        with(&[(8, "20"), (9, "k"), (10, "3"), (11, "30")]),
        "A writes w1 \"w1\" applied at 20 key \"k\" seq 3 deadline 30"
    );
}

#[test]
fn set_up_changes_only_the_lines_concerned() {
    let table = [
        ("ttl", "20", "ttl 10\n", "ttl 20\n"),
        ("ttl", "10", "ttl 10\n", "ttl 10\n"),
        (
            "token",
            "7",
            "token 41   # the next\n",
            "token 7    # the next\n",
        ),
        ("latency", "2", "ttl 10\n", "ttl 10\nlatency 2\n"),
        (
            "clients",
            "A, B, C",
            "token 41   # the next\n",
            "token 41   # the next\nclients A, B, C\n",
        ),
        (
            "external",
            "mail",
            "resource doc: fenced\n",
            "resource doc: fenced\nexternal mail\n",
        ),
        (
            "lock",
            "3",
            "resource doc: fenced\n",
            "resource doc: fenced\ncoordinator: lock delay 3\n",
        ),
        (
            "reentry",
            "is refused",
            "resource doc: fenced\n",
            "resource doc: fenced\ncoordinator: reentry refused\n",
        ),
        (
            "resource 0 policy",
            "strict+owner",
            "resource doc: fenced\n",
            "resource doc: strict+owner\n",
        ),
        (
            "resource 0 mark",
            "5",
            "resource doc: fenced\n",
            "resource doc: fenced, mark 5\n",
        ),
        (
            "resource 0 replicas",
            "R1 R2 R3",
            "resource doc: fenced\n",
            "resource doc: fenced, replicas R1 R2 R3\n",
        ),
        (
            "resource 0 clock",
            "-2",
            "resource doc: fenced\n",
            "resource doc: fenced, clock -2\n",
        ),
        (
            "resources",
            "doc, log",
            "resource doc: fenced\n",
            "resource doc: fenced\nresource log: fenced\n",
        ),
        ("scenario", "", "scenario \"Paused\"\n", ""),
    ];
    let scenario = script::parse(STORY).scenario;
    for (id, value, from, to) in table {
        let changed = setup::change(STORY, &scenario, id, value).expect("a change");
        assert_eq!(changed, STORY.replacen(from, to, 1), "{id} = {value}");
    }
}

#[test]
fn set_up_renames_everywhere_but_in_texts() {
    let text = "clients A, B\nA acquires\nA writes w \"A\"  # A\n";
    let scenario = script::parse(text).scenario;
    let changed = setup::change(text, &scenario, "clients", "Anna, B").expect("a change");
    assert_eq!(
        changed,
        "clients Anna, B\nAnna acquires\nAnna writes w \"A\"  # A\n"
    );
    let changed = setup::change(
        "A reads as r\n",
        &script::parse("A reads as r\n").scenario,
        "resources",
        "paper",
    )
    .expect("a change");
    assert!(script::parse(&changed).errors.is_empty(), "{changed}");
}

#[test]
fn set_up_says_what_a_value_should_be() {
    let scenario = script::parse(STORY).scenario;
    for (id, value) in [
        ("ttl", "x"),
        ("ttl", "-1"),
        ("token", "99999999999999999"),
        ("clients", ""),
        ("clients", "A B C D E F G"),
        ("resource 0 policy", "fences"),
    ] {
        assert!(
            setup::change(STORY, &scenario, id, value).is_err(),
            "{id} = {value}"
        );
    }
}

#[test]
fn rows_tell_times_results_and_troubles() {
    let text = STORY
        .replace("A resumes", "A resmes")
        .replace("draft accepted", "draft rejected");
    let (rows, counts) = rows(&text, &run(&text));
    assert_eq!(
        (counts.errors, counts.failures, counts.expectations),
        (2, 1, 1)
    );
    assert_eq!(rows[6].at_secs, Some(0));
    assert_eq!(rows[6].result, RowResult::Granted(ClientId(0), 41));
    assert!(
        matches!(&rows[7].result, RowResult::Outcome(outcome) if outcome.answer == Answer::Accepted)
    );
    let trouble = rows[11].trouble.as_ref().expect("an error");
    assert_eq!(
        trouble.text,
        "Found `resmes`, expected a verb. Did you mean `resumes`?"
    );
    assert_eq!(
        (trouble.column, trouble.length, trouble.kind),
        (3, 6, Kind::Error)
    );
    let fixed = &trouble.fix.as_ref().expect("a fix").source;
    assert_eq!(*fixed, text.replace("resmes", "resumes"));
    assert_eq!(
        rows[12].trouble.as_ref().map(|t| t.kind),
        Some(Kind::Error),
        "a paused client writes"
    );
    let failed = rows[14].trouble.as_ref().expect("a failure");
    assert_eq!(failed.kind, Kind::Failure);
    assert!(
        failed.text.starts_with("The run says draft accepted."),
        "{}",
        failed.text
    );
}

#[test]
fn what_a_failed_expectation_offers_makes_it_hold() {
    for text in [
        "A acquires => granted 9  # no\n",
        "A acquires\nA writes w \"v\"\nexpect fenced: w rejected\n",
        "A acquires\nexpect mark 9\n",
        "A acquires\nexpect value \"x\"\n",
    ] {
        let (found, _) = rows(text, &run(text));
        let fix = found
            .iter()
            .find_map(|row| row.trouble.as_ref()?.fix.clone())
            .expect("a fix");
        let (after, counts) = rows(&fix.source, &run(&fix.source));
        assert!(
            after.iter().all(|row| row.trouble.is_none()),
            "{}",
            fix.source
        );
        assert_eq!(counts.expectations, 1);
    }
}

#[test]
fn writing_as_expected_holds_for_every_case() {
    for (path, text) in cases() {
        let expected = edit::expect_all(&text, &run(&text));
        let (rows, counts) = rows(&expected, &run(&expected));
        let wrong: Vec<_> = rows.iter().filter_map(|row| row.trouble.as_ref()).collect();
        assert!(wrong.is_empty(), "{path}: {wrong:?}");
        assert!(counts.expectations > 0, "{path}");
    }
}

#[test]
fn drafts_survive_and_the_newest_comes_first() {
    let draft = |id: u64, text: &str| Draft {
        id,
        changed_ms: id * 10,
        title: format!("T{id}"),
        text: text.to_owned(),
    };
    let mut drafts = Drafts::default();
    for id in 1..=20 {
        drafts.keep(draft(id, "A acquires\n\"x\"\n"));
    }
    drafts.keep(draft(15, "changed"));
    drafts.keep(draft(99, "  \n"));
    assert_eq!(drafts.0.len(), 12);
    assert_eq!(
        (drafts.0[0].id, drafts.0[0].text.as_str(), drafts.0[1].id),
        (15, "changed", 20)
    );
    assert_eq!(Drafts::parse(&drafts.print()), drafts);
    for damaged in [
        "",
        "x",
        "1\u{1f}2",
        "\u{1e}\u{1e}",
        "a\u{1f}b\u{1f}c\u{1f}d",
    ] {
        assert_eq!(Drafts::parse(damaged), Drafts::default(), "{damaged:?}");
    }
    let ages = [
        (0, "now"),
        (59_999, "now"),
        (60_000, "1 min ago"),
        (3_600_000, "1 h ago"),
        (172_800_000, "2 d ago"),
    ];
    for (ms, wanted) in ages {
        assert_eq!(age(1_000_000_000 + ms, 1_000_000_000), wanted);
    }
}

#[test]
fn a_trace_is_json() {
    for (path, text) in cases() {
        let run = run(&text);
        let printed = json::trace(run.scenario(), &run.trace);
        let value: serde_json::Value =
            serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(
            value["moments"].as_array().map(Vec::len),
            Some(run.trace.moments.len()),
            "{path}"
        );
        assert_eq!(
            value["verdicts"].as_array().map(Vec::len),
            Some(run.trace.verdicts.len()),
            "{path}"
        );
        assert_eq!(
            value["title"].as_str(),
            Some(run.scenario().title.as_str()),
            "{path}"
        );
    }
    let mut out = json::Writer::default();
    out.open('[')
        .string("a\"\\\n\u{1}\u{1f}é")
        .number(3)
        .optional(None)
        .close(']');
    assert_eq!(out.finish(), "[\"a\\\"\\\\\\n\\u0001\\u001fé\",3,null]\n");
}

#[test]
fn typing_is_one_edit_until_it_ends() {
    let mut session = Session::new(String::new());
    for text in ["A", "A p", "A pauses"] {
        session.update(Intent::Type(text.to_owned()));
    }
    session.update(Intent::EndTyping);
    session.update(Intent::Type("A pauses\n".to_owned()));
    session.update(Intent::Edit("B pauses\n".to_owned()));
    let mut undone = Vec::new();
    while session.can_undo() {
        session.update(Intent::Undo);
        undone.push(session.source.clone());
    }
    assert_eq!(undone, ["A pauses\n", "A pauses", ""]);
}

#[test]
fn policies_of_a_form_are_policies() {
    for option in PolicyOption::ALL {
        let base = if *option == PolicyOption::Cas {
            "check-then-write"
        } else {
            "fenced"
        };
        assert!(script::parse_policy(&format!("{base}+{option}")).is_ok());
    }
}

#[test]
fn the_tiles_show_what_they_are_called() {
    use fencing_lab::explore::{Property, example};
    use fencing_lab::sim::{Anomaly, Verdict};
    for property in Property::ALL {
        let run = run(example(property));
        assert_eq!(run.parsed.errors, [], "{property:?}");
        assert_eq!(run.trace.problems, [], "{property:?}");
        let some = |test: &dyn Fn(&Verdict) -> bool| run.trace.verdicts.iter().any(test);
        let has = |anomaly: Anomaly| some(&|verdict| verdict.anomalies.contains(&anomaly));
        let happens = match property {
            Property::NoStaleAccepted => has(Anomaly::Stale),
            Property::HolderNeverRefused => has(Anomaly::HolderRefused),
            Property::NoDoubleEffectPerKey => has(Anomaly::Twice),
            Property::NoLostUpdate => has(Anomaly::LostUpdate),
            Property::MarkNeverFalls => {
                let marks: Vec<_> = run.trace.stores.iter().map(|store| store.mark).collect();
                marks.windows(2).any(|pair| pair[1] < pair[0])
            }
        };
        assert!(happens, "{property:?}: {:?}", run.trace.verdicts);
    }
}

#[test]
fn the_end_of_an_arrow_moves_along_time() {
    let moved = |text: &str, name: &str, at_secs: u64| {
        let run = run(text);
        let index = run
            .scenario()
            .messages
            .iter()
            .position(|known| known == name);
        let arrival = menu::arrival(&run, fencing_lab::sim::NameId(index.expect("a name")))?;
        let (number, line) = menu::arriving_at(&run, &arrival, at_secs)?;
        let text = edit::replace_line(text, number, &line);
        let after = Run::new(&text, None);
        let again =
            menu::arrival(&after, fencing_lab::sim::NameId(index?)).expect("it still travels");
        assert_eq!(again.due_secs, at_secs.max(arrival.sent_secs));
        Some(text.lines().nth(number - 1).unwrap_or_default().to_owned())
    };
    let text = "A acquires\nA writes w \"v\"  # sent\n";
    assert_eq!(
        moved(text, "w", 9).as_deref(),
        Some("A writes w \"v\" taking 7  # sent")
    );
    assert_eq!(
        moved(text, "w", 0).as_deref(),
        Some("A writes w \"v\" taking 0  # sent")
    );
    let text = "A acquires\nat 4 A writes w \"v\" arriving at 20 => accepted\n";
    let line = moved(text, "w", 12).expect("a line");
    assert!(
        line.starts_with("at 4 A writes w \"v\" arriving at 12"),
        "{line}"
    );
    assert!(line.ends_with("=> accepted"), "{line}");
    // Held and lost ones have no arrival to move.
    for way in ["held", "lost"] {
        let text = ["A acquires\nA writes w \"v\" ", way, "\n"].concat();
        assert_eq!(moved(&text, "w", 9), None);
    }
}

#[test]
fn a_counterexample_is_judged_again_by_another_policy() {
    use fencing_lab::explore::{Bounds, Outcome, Property, Search, counterexample, rejudged};
    use fencing_lab::sim::{Anomaly, Base, Policy};
    let policy = Policy::of(Base::CheckThenWrite);
    let mut search = Search::new(Bounds::default(), policy, &[Property::NoStaleAccepted])
        .expect("bounds that go together");
    let outcome = loop {
        if let Some(outcome) = search.run_for(1000).done {
            break outcome;
        }
    };
    let Outcome::Violated { property, path, .. } = outcome else {
        panic!("check-then-write accepts a stale write");
    };
    let found = counterexample(search.model(), property, &path);
    let stale = |text: &str| {
        let run = run(text);
        assert_eq!(run.parsed.errors, []);
        assert_eq!(run.trace.problems, []);
        assert_eq!(rows(text, &run).1.failures, 0);
        let is_stale = |v: &fencing_lab::sim::Verdict| v.anomalies.contains(&Anomaly::Stale);
        run.trace.verdicts.iter().any(is_stale)
    };
    assert!(stale(&script::print(&found)));
    assert!(!stale(&script::print(&rejudged(
        &found,
        &Policy::of(Base::Fenced)
    ))));
}
