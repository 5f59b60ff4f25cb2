//! The lessons: each compiles, the curriculum is complete, and a wrong lesson is refused with the
//! line and the reason.

use fencing_core::diagram::Density;
use fencing_core::lesson::{
    CHAPTERS, CellKind, Complaint, Edition, Lesson, Plates, Source, Stand, WIDTHS, compile,
    compile_all, compile_folder, edition_of, files, is_stacked, pair_width, plates_file, width_for,
};
use fencing_core::playhead::Clock;
use fencing_core::sim::Policy;
use fencing_core::wire::from_bytes;
use fencing_core::{script, sim};
use std::path::Path;

/// Number, title and chapter of every lesson, as the curriculum has them.
const CURRICULUM: [(u32, &str, usize); 18] = [
    (1, "The paused holder", 0),
    (2, "The packet that outlives its sender", 0),
    (3, "“I check my lease first”", 0),
    (4, "The rule at the write", 1),
    (5, "Equal tokens", 1),
    (6, "Renew, or acquire again", 1),
    (7, "The reply that never came", 1),
    (8, "Whose numbers?", 1),
    (9, "The silent successor", 2),
    (10, "Twice is not stale", 2),
    (11, "Order inside one token", 2),
    (12, "Effects elsewhere", 2),
    (13, "Check, then write", 3),
    (14, "The counter goes back", 3),
    (15, "The mark is forgotten", 3),
    (16, "Every replica for itself", 3),
    (17, "Missing, malformed, forged", 3),
    (18, "Break it yourself", 3),
];

fn lessons() -> Vec<Lesson> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lesson/lessons");
    compile_folder(&folder).unwrap_or_else(|complaints| {
        for complaint in &complaints {
            println!("{complaint}");
        }
        panic!(
            "{} complaints about lessons, listed above",
            complaints.len()
        );
    })
}

#[test]
fn every_row_of_the_curriculum_is_there() {
    let lessons = lessons();
    let found: Vec<_> = lessons
        .iter()
        .map(|l| (l.number, l.title.as_str(), l.chapter))
        .collect();
    assert_eq!(found[..CURRICULUM.len().min(found.len())], CURRICULUM);
    assert_eq!(CHAPTERS.len(), 4);
}

#[test]
fn every_lesson_asks_something_to_be_done_and_predicted() {
    for lesson in lessons() {
        let beats = &lesson.beats;
        assert!(
            (4..=7).contains(&beats.len()),
            "{}: {} beats",
            lesson.slug,
            beats.len()
        );
        assert!(
            beats.iter().any(|beat| beat.act.is_some()),
            "{}",
            lesson.slug
        );
        assert!(
            beats.iter().any(|beat| beat.predict.is_some()),
            "{}",
            lesson.slug
        );
    }
}

#[test]
fn bytes_are_read_back() {
    let all = lessons();
    let files = files(&all);
    for lesson in &all {
        let name = format!("lessons/{}.bin", lesson.slug);
        let (_, bytes) = files.iter().find(|(known, _)| *known == name).unwrap();
        let mut edition: Edition = from_bytes(bytes).unwrap();
        for reel in &mut edition.reels {
            // What is known once the pictures are drawn.
            let heights = std::mem::take(&mut reel.film.heights);
            assert!(heights.iter().any(|one| one.density == Density::Full));
            assert!(heights.iter().all(|one| one.px.len() == WIDTHS.len()));
        }
        // The assertion would print both.
        assert!(edition == edition_of(lesson), "{name}");
        // A cut file is an error, not a panic and not another lesson.
        assert!(from_bytes::<Edition>(&bytes[..bytes.len() / 2]).is_err());
    }
}

#[test]
fn pictures_are_there_for_every_film_and_width() {
    let all = lessons();
    let files = files(&all);
    let plates = |slug: &str, width, density| -> Plates {
        let name = plates_file(slug, width, density);
        let (_, bytes) = files.iter().find(|(known, _)| *known == name).unwrap();
        from_bytes(bytes).unwrap()
    };
    for lesson in &all {
        let edition = edition_of(lesson);
        for width in WIDTHS {
            let full = plates(&lesson.slug, width, Density::Full);
            let embedded = plates(&lesson.slug, width, Density::Embed);
            for (index, reel) in edition.reels.iter().enumerate() {
                let has = |plates: &Plates, density| {
                    (plates.iter()).any(|plate| plate.0 == index && plate.1.density == density)
                };
                let beside = (lesson.beats.iter().filter(|beat| beat.panes.len() > 1))
                    .flat_map(|beat| &beat.panes)
                    .any(|pane| pane.run == reel.run && pane.policy == reel.policy);
                assert!(has(&full, Density::Full), "{} {index}", lesson.slug);
                assert_eq!(has(&full, Density::Pair), beside, "{} {index}", lesson.slug);
                assert_eq!(has(&embedded, Density::Embed), reel.run == 0);
            }
        }
    }
}

#[test]
fn a_room_has_its_width_and_decides_how_pictures_stand_together() {
    // The recorded width, and of two that belong together the width of each.
    for (room, width, each) in [
        (1120.0, 1090, 546.0),
        (851.0, 850, 411.5),
        (812.0, 850, 392.0),
        // Here and below they stand below each other.
        (809.0, 740, 809.0),
        (712.0, 740, 712.0),
        (584.0, 570, 584.0),
        (358.0, 356, 358.0),
        (292.0, 306, 292.0),
        (100.0, 306, 100.0),
    ] {
        assert_eq!(width_for(room), width, "{room}");
        assert_eq!(pair_width(room), each, "{room}");
        assert_eq!(is_stacked(room), each == room, "{room}");
    }
}

/// Every place lies in the runs that are shown there, and acts lead forward.
#[test]
fn the_cursor_moves_forward_in_every_beat() {
    for lesson in lessons() {
        for beat in &lesson.beats {
            let pane = &beat.panes[0];
            let scenario = script::parse(&lesson.runs[pane.run].text).scenario;
            let policy = pane
                .policy
                .as_deref()
                .map(|policy| script::parse_policy(policy).expect("a policy"));
            let trace = match &policy {
                Some(policy) => sim::run_under(&scenario, policy),
                None => sim::run(&scenario),
            };
            let stand = beat.stand.moments_passed(&Clock::of(&trace));
            assert!(stand <= trace.moments.len());
            if let Some(act) = &beat.act {
                assert!(
                    act.until.moments_passed(&Clock::of(&trace)) > stand,
                    "{}: {}",
                    lesson.slug,
                    beat.title
                );
            }
        }
    }
}

/// The tables and stands of two lessons, worked out by hand.
#[test]
fn cells_and_places_are_what_the_runs_say() {
    let lessons = lessons();
    let twice = &lessons[9];
    let cells = |beat: usize| -> Vec<(&str, CellKind)> {
        let table = twice.beats[beat].table.as_ref().expect("a table");
        let cells = table.rows.iter().flat_map(|(_, cells)| cells);
        cells.map(|cell| (cell.text.as_str(), cell.kind)).collect()
    };
    assert_eq!(
        cells(1),
        [
            ("accepted (twice)", CellKind::Failure),
            ("rejected: stale", CellKind::Rejected),
            ("accepted", CellKind::Accepted),
            ("rejected: stale", CellKind::Rejected),
        ]
    );
    assert_eq!(
        cells(2),
        [
            ("duplicate", CellKind::Duplicate),
            ("duplicate", CellKind::Duplicate),
            ("accepted", CellKind::Accepted),
            ("accepted (stale)", CellKind::Failure),
        ]
    );
    let first = &lessons[0];
    let stand = |at_secs, nth| Stand { at_secs, nth };
    // Granted at 1 s and heard at 2 s, where the first write sets out too: one moment.
    assert_eq!(first.beats[0].stand, stand(0, 0));
    let until: Vec<_> = first
        .beats
        .iter()
        .filter_map(|beat| Some(beat.act.as_ref()?.until))
        .collect();
    assert_eq!(
        until,
        [
            stand(2, 1),
            stand(4, 1),
            stand(11, 1),
            stand(16, 1),
            stand(18, 1)
        ]
    );
    assert_eq!(first.beats[1].stand, stand(2, 1));
}

#[test]
fn html_is_small_and_clean() {
    let html = |prose: &str| {
        let text = LESSON.replace("Now “late”.", prose);
        compile(&source(&text))
            .map(|lesson| lesson.beats[1].html.clone())
            .map_err(shown)
    };
    let good = [
        (
            "a **b** *c* `d<e>`",
            "<p>a <strong>b</strong> <em>c</em> <code>d&lt;e&gt;</code></p>",
        ),
        (
            "a < b & \"c\" – ‘d’",
            "<p>a &lt; b &amp; &quot;c&quot; – ‘d’</p>",
        ),
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"),
        ("> a\n> b", "<blockquote><p>a b</p></blockquote>"),
        (
            "[token 42](token:42)",
            "<p><button type=\"button\" class=\"ref\" data-ref=\"token:42\">token 42</button></p>",
        ),
        (
            "[token 42](token:42), [token 42](token:42) a",
            "<p><span class=\"tied\"><button type=\"button\" class=\"ref\" data-ref=\"token:42\">token 42</button>,</span> <button type=\"button\" class=\"ref\" data-ref=\"token:42\">token 42</button> a</p>",
        ),
        (
            "[x](https://example.org/?a=1&b=2)",
            "<p><a rel=\"noopener\" target=\"_blank\" href=\"https://example.org/?a=1&amp;b=2\">x</a></p>",
        ),
    ];
    for (prose, expected) in good {
        assert_eq!(html(prose).as_deref(), Ok(expected), "{prose}");
    }
}

#[test]
fn the_wild_note_is_set_apart() {
    let note = "> **Seen in the wild.** A *note*.";
    let lesson = compile(&source(
        &LESSON.replace("Now “late”.", &format!("Now.\n\n{note}")),
    ))
    .expect("compiles");
    assert_eq!(lesson.beats[1].html, "<p>Now.</p>");
    let expected = "<p><strong>Seen in the wild.</strong> A <em>note</em>.</p>";
    assert_eq!(lesson.notes, expected);
    // The sources of the head come after it.
    let sources = "summary = \"S.\"\nsources = [\"[A](https://a.example/)\", \"*B*, page 1\"]";
    let lesson = compile(&source(&LESSON.replace("summary = \"S.\"", sources))).expect("compiles");
    assert_eq!(
        lesson.notes,
        "<p class=\"note\">Sources: <a rel=\"noopener\" target=\"_blank\" href=\"https://a.example/\">A</a>; <em>B</em>, page 1.</p>"
    );
}

/// What a contributor adds: one file, no Rust.
#[test]
fn a_contributors_lesson_takes_one_file() {
    let text = include_str!("lessons/lock-delay.md").to_owned();
    let file = "src/lesson/lessons/19-lock-delay.md".to_owned();
    let lesson = compile(&Source { file, text })
        .map_err(shown)
        .expect("compiles");
    assert_eq!(
        (lesson.number, lesson.slug.as_str(), lesson.chapter),
        (19, "lock-delay", 3)
    );
    let names: Vec<_> = lesson.runs.iter().map(|run| run.name.as_str()).collect();
    assert_eq!(names, ["main", "slower"]);
    assert_eq!(lesson.beats.len(), 4);
    let choices = &lesson.beats[1]
        .predict
        .as_ref()
        .expect("a question")
        .choices;
    assert_eq!(
        choices
            .iter()
            .map(|choice| choice.right)
            .collect::<Vec<_>>(),
        [true, false]
    );
    let (_, cells) = &lesson.beats[2].table.as_ref().expect("a table").rows[0];
    assert_eq!(cells[0].kind, CellKind::Failure);
    assert_eq!(cells[1].text, "rejected: stale");
    assert!(!lesson.notes.is_empty());
}

/// A lesson without a fault; each row below breaks it at one place.
const LESSON: &str = r#"+++
title = "T"
chapter = "The fence"
summary = "S."
+++

```fence
token 41
A acquires             => granted 41
A writes draft "draft" => accepted
A pauses
at 12 B acquires       => granted 42
B writes final "final" => accepted
at 17 A resumes
A writes late "late"   => rejected because stale
expect unfenced: late accepted (stale)
expect value "final"
```

## First
[Client A](client:A) holds [token 41](token:41).

```beat
stand = "A hears 41"
panes = ["main@fenced"]
policies = ["unfenced", "fenced"]
```
```act
label = "Send"
until = "final answered"
```

## Second
Now “late”.

```predict
question = "What?"
about = "late"
[[choice]]
label = "Yes"
answer = "accepted"
explain = "**No.** x"
[[choice]]
label = "No"
answer = "rejected because stale"
explain = "**Yes.** x"
```
```act
label = "Resume"
until = "late judged"
```
```table
caption = "C"
columns = ["one"]
[[row]]
label = "r"
cells = ["main@unfenced:late"]
```
"#;

fn source(text: &str) -> Source {
    Source {
        file: "07-some-lesson.md".to_owned(),
        text: text.to_owned(),
    }
}

fn shown(complaints: Vec<Complaint>) -> Vec<String> {
    complaints
        .iter()
        .map(|c| format!("{}: {}", c.line, c.reason))
        .collect()
}

/// Replaces one piece of the lesson and compares all complaints.
fn check(old: &str, new: &str, expected: &[&str]) {
    assert_eq!(LESSON.matches(old).count(), 1, "`{old}` is one place");
    let found = compile(&source(&LESSON.replace(old, new)))
        .map(|_| ())
        .map_err(shown);
    let expected: Vec<String> = expected.iter().map(|line| (*line).to_owned()).collect();
    assert_eq!(found, Err(expected), "`{old}` → `{new}`");
}

#[test]
fn a_lesson_without_a_fault_compiles() {
    assert_eq!(compile(&source(LESSON)).map(|_| ()).map_err(shown), Ok(()));
    let windows = LESSON.replace('\n', "\r\n");
    assert_eq!(
        compile(&source(&windows)).ok(),
        compile(&source(LESSON)).ok()
    );
}

#[test]
fn front_matter() {
    check("title = \"T\"\n", "", &["1: `title` is missing"]);
    check(
        "title = \"T\"\nchapter = \"The fence\"\n",
        "",
        &["1: `chapter` is missing", "1: `title` is missing"],
    );
    check(
        "summary = \"S.\"",
        "summary = \" \"",
        &["4: `summary` is missing"],
    );
    check(
        "summary = \"S.\"",
        "sumary = \"S.\"",
        &["4: unknown field `sumary`, expected one of `title`, `chapter`, `summary`, `sources`"],
    );
    check(
        "\"The fence\"",
        "\"The fences\"",
        &[
            "3: unknown chapter `The fences`: the chapters are `Why a lease is not enough`, `The fence`, `What the fence does not do`, `Where systems get it wrong`",
        ],
    );
    check(
        "summary = \"S.\"",
        "summary = \"S.\"\nsources = [\"[A](client:A)\", \"a\\n\\nb\"]",
        &[
            "5: a source is outside the lesson: it cannot point into the picture",
            "5: this text is one paragraph: no lists, quotes or empty lines",
        ],
    );
    let long = format!("summary = \"{}\"", "s".repeat(161));
    check(
        "summary = \"S.\"",
        &long,
        &["4: a summary has at most 160 characters, this one has 161"],
    );
    check(
        "title = \"T\"",
        "title = \"T",
        &["2: invalid basic string, expected `\"`"],
    );
}

#[test]
fn scenarios() {
    check(
        "A pauses",
        "A pausses",
        &["11: found `pausses`, expected a verb; did you mean `pauses`?"],
    );
    check(
        "late\"   => rejected because stale",
        "late\"   => accepted",
        &["15: expected `accepted`, the simulation says `rejected because stale`"],
    );
    check(
        "unfenced: late accepted (stale)",
        "unfenced: late accepted",
        &["16: expected `late accepted`, the simulation says `accepted (stale)`"],
    );
    check(
        "expect value \"final\"",
        "expect value \"late\"",
        &["17: expected `value \"late\"`, the simulation says `\"final\"`"],
    );
    check(
        "expect value \"final\"",
        "expect mark 41",
        &["17: expected `mark 41`, the simulation says `42`"],
    );
    check(
        "at 17 A resumes",
        "at 17 B resumes",
        &[
            "14: B is not paused",
            "15: A is paused: it `resumes` first",
            "15: expected `rejected because stale`, the simulation says `unknown`",
            "16: expected `late accepted (stale)`, the simulation says `unknown`",
            "50: no event is called `late judged` here",
        ],
    );
    check(
        "```fence\n",
        "```fence run=other\n",
        &["7: the first run is `main` and needs no name, not `run=other`"],
    );
    check(
        "## First",
        "```fence\nA acquires\n```\n\n## First",
        &["20: a further run is named: ```fence run=some-name"],
    );
    check(
        "## First",
        "```fence run=a\nA aquires\n```\n\n## First",
        &["21: found `aquires`, expected a verb; did you mean `acquires`?"],
    );
}

#[test]
fn places() {
    check(
        "stand = \"A hears 41\"",
        "stand = \"A hears 43\"",
        &["24: no event is called `A hears 43` here; did you mean `A hears 41`?"],
    );
    check(
        "until = \"late judged\"",
        "until = \"late juged\"",
        &["50: no event is called `late juged` here; did you mean `late judged`?"],
    );
    check(
        "until = \"late judged\"",
        "until = \"late judged (2)\"",
        &["50: there is no `late judged (2)`: it happens once"],
    );
    check(
        "until = \"late judged\"",
        "until = \"late judged (b)\"",
        &["50: `(b)` does not say which one: write `late judged (2)` for the second"],
    );
    check(
        "until = \"final answered\"",
        "until = \"granted 41\"",
        &["30: the cursor stands at 2 s already: `granted 41` (at 1 s) is not after that"],
    );
    check(
        "until = \"final answered\"",
        "until = \"late answered\"",
        &[
            "38: the answer is in the picture before the question is asked: `stand` earlier",
            "50: the cursor stands at 19 s already: `late judged` (at 18 s) is not after that",
        ],
    );
    check(
        "until = \"late judged\"",
        "until = \"late sent\"",
        &["38: the act does not show the answer: `until` comes before it"],
    );
}

#[test]
fn panes_and_policies() {
    check(
        "\"main@fenced\"",
        "\"man@fenced\"",
        &["25: unknown run `man`; did you mean `main`?; the runs are `main`"],
    );
    check(
        "\"main@fenced\"",
        "\"main@fencd\"",
        &["25: found `fencd`, expected a policy; did you mean `fenced`?"],
    );
    check(
        "[\"main@fenced\"]",
        "[\"main\", \"main\", \"main\"]",
        &["25: a beat shows 1, 2 or 4 runs, not 3"],
    );
    check(
        "[\"main@fenced\"]",
        "[]",
        &["25: a beat shows 1, 2 or 4 runs, not 0"],
    );
    check(
        "[\"unfenced\", \"fenced\"]",
        "[\"unfenced\", \"fenced\", \"fenced\"]",
        &["26: `fenced` is offered twice"],
    );
    check(
        "[\"unfenced\", \"fenced\"]",
        "[\"unfenced\", \"strict\"]",
        &[
            "20: this beat shows `fenced`, which its `policies` do not offer: `unfenced`, `strict`",
            "33: this beat shows `fenced`, which its `policies` do not offer: `unfenced`, `strict`",
        ],
    );
    check(
        "policies =",
        "polices =",
        &[
            "26: unknown field `polices`, expected one of `stand`, `panes`, `policies`, `hide`, `view`",
        ],
    );
    check(
        "stand = \"A hears 41\"",
        "view = \"sequel\"",
        &["24: unknown variant `sequel`, expected `gate` or `sql`"],
    );
}

#[test]
fn predictions() {
    check(
        "answer = \"accepted\"",
        "answer = \"rejected\"",
        &[
            "38: several choices are right (`Yes`, `No`): the simulation says `rejected because stale`",
        ],
    );
    check(
        "answer = \"rejected because stale\"",
        "answer = \"rejected because equal\"",
        &["38: no choice is right: the simulation says `rejected because stale`"],
    );
    check(
        "about = \"late\"",
        "about = \"lates\"",
        &[
            "38: no request is called `lates` in this run; did you mean `late`?; the names are `draft`, `final`, `late`",
        ],
    );
    check(
        "about = \"late\"",
        "about = \"late@R1\"",
        &["38: `late` goes to no replicas"],
    );
    check(
        "about = \"late\"",
        "about = \"late#x\"",
        &["38: `late#x` does not say which delivery: `#2` is the second"],
    );
    check(
        "about = \"late\"",
        "about = \"mark\"",
        &["38: no choice is right: the simulation says `42`"],
    );
    check(
        "about = \"late\"",
        "about = \"value at doc\"",
        &["38: no choice is right: the simulation says `final`"],
    );
    check(
        "about = \"late\"",
        "about = \"value at dock\"",
        &["38: unknown resource `dock`: there are `doc`"],
    );
    check(
        "about = \"late\"",
        "about = \"token of late\"",
        &["38: no choice is right: the simulation says `41`"],
    );
    check(
        "about = \"late\"",
        "about = \"view of A\"",
        &["38: `view of` compares two panes, not 1"],
    );
    check(
        "answer = \"accepted\"",
        "answer = \"acepted\"",
        &[
            "41: the answer `acepted`: found `acepted`, expected `accepted`, `rejected`, `duplicate`, `committed`, `not committed` or `unknown`; did you mean `accepted`?",
        ],
    );
    check(
        "label = \"Yes\"",
        "label = \"Yes, yes, yes, yes, yes!\"",
        &["40: the label of a choice has at most 22 characters, this one has 24"],
    );
    check(
        "explain = \"**No.** x\"",
        "explain = \"No.\"",
        &["42: an explanation starts with a short verdict in bold: `**Yes, it rejects.** …`"],
    );
    check(
        "explain = \"**No.** x\"",
        "explain = \"**No.** <b>x</b>\"",
        &["42: raw HTML is not part of a lesson"],
    );
    check(
        "explain = \"**No.** x\"\n",
        "",
        &["39: missing field `explain`"],
    );
    check(
        "[[choice]]\nlabel = \"Yes\"\nanswer = \"accepted\"\nexplain = \"**No.** x\"\n",
        "",
        &["36: a question has 2 to 4 choices (`[[choice]]`), this one has 1"],
    );
    check(
        "```act\nlabel = \"Resume\"\nuntil = \"late judged\"\n```\n",
        "",
        &["36: a question needs an `act` whose `until` shows the answer"],
    );
}

#[test]
fn acts_and_tables() {
    check(
        "label = \"Resume\"",
        "label = \"Resume the client that was paused\"",
        &["49: the label of an act has at most 28 characters, this one has 33"],
    );
    check(
        "label = \"Send\"\n",
        "label = \"Send\"\nlabel = \"Send\"\n",
        &["30: duplicate key"],
    );
    check(
        "unfenced:late\"",
        "unfenced:later\"",
        &[
            "57: no request is called `later` in this run; did you mean `late`?; the names are `draft`, `final`, `late`",
        ],
    );
    check(
        "\"main@unfenced:late\"",
        "\"main@unfenced\"",
        &["57: `main@unfenced` is no cell: write RUN@POLICY:NAME"],
    );
    check(
        "[\"main@unfenced:late\"]",
        "[\"main@unfenced:late\", \"main:late\"]",
        &["57: this row has 2 cells for 1 columns"],
    );
}

#[test]
fn prose() {
    check("Now “late”.\n", "", &["33: the beat `Second` has no prose"]);
    check(
        "Now “late”.",
        "Now <b>late</b>.",
        &["34: raw HTML is not part of a lesson"; 1],
    );
    check(
        "Now “late”.",
        "<div>x</div>",
        &[
            "33: the beat `Second` has no prose",
            "34: raw HTML is not part of a lesson",
        ],
    );
    check(
        "Now “late”.",
        "![x](https://example.org/x.png)",
        &["34: prose consists of paragraphs, **strong**, *em*, `code`, lists, links and quotes"],
    );
    check(
        "Now “late”.",
        "[C](client:C)",
        &["34: unknown `client:C`; the runs of this beat have `A`, `B`"],
    );
    check(
        "Now “late”.",
        "[43](token:43)",
        &["34: unknown `token:43`; the runs of this beat have `41`, `42`"],
    );
    check(
        "Now “late”.",
        "[x](write:lat)",
        &[
            "34: unknown `write:lat`; did you mean `late`?; the runs of this beat have `draft`, `final`, `late`",
        ],
    );
    check(
        "Now “late”.",
        "[x](resource:dok)",
        &["34: unknown `resource:dok`; did you mean `doc`?; the runs of this beat have `doc`"],
    );
    check(
        "Now “late”.",
        "[x](coordinator:x)",
        &["34: the coordinator has no name: write `coordinator:`"],
    );
    check(
        "Now “late”.",
        "[x](javascript:alert)",
        &[
            "34: a link leads to `https://…`, to `lab.html#/…` or into the picture (`client:`, `token:`, `mark:`, `lease:`, `write:`, `coordinator:`, `resource:`), not to `javascript:alert`",
        ],
    );
    check(
        "Now “late”.",
        "Now.\n\n### Third\nx",
        &["36: a beat has a heading with `##`; there are no others"],
    );
    check(
        "Now “late”.",
        "Now.\n\n```sql\nx\n```",
        &["36: unknown block `sql`: the blocks are `fence`, `beat`, `act`, `predict` and `table`"],
    );
    check(
        "Now “late”.",
        "Now.\n\n```act\nlabel = \"x\"\nuntil = \"end\"\n```",
        &["53: a second `act` block in this beat"],
    );
    check(
        "## First",
        "Before all.\n\n## First",
        &["20: prose stands in a beat: after a heading with `##`"],
    );
    check("## Second", "## *Second*", &["33: a title is plain text"]);
    check(
        "Now “late”.",
        "An *expired* token\nis rejected.",
        &[
            "34: “expired token is rejected” is wrong; say: superseded, and the resource has seen it",
            "34: “expired token” is wrong; say: a superseded token",
        ],
    );
    check(
        "cells = [\"main@unfenced:late\"]\n```\n",
        "cells = [\"main@unfenced:late\"]\n",
        &["52: this block is not closed by a line of ```"],
    );
}

#[test]
fn wild_notes() {
    let wild = "> **Seen in the wild.** x";
    check(
        "Now “late”.",
        &format!("Now.\n\n{wild}\n\n{wild}\n"),
        &["38: a second “Seen in the wild” note: a lesson has one"],
    );
    let early = format!("## Zeroth\nx\n\n{wild}\n\n## First");
    check(
        "## First",
        &early,
        &["23: a “Seen in the wild” note stands in the last or second-last beat"],
    );
}

#[test]
fn one_complaint_does_not_hide_another() {
    let text = LESSON
        .replace("title = \"T\"\n", "title = \"\"\n")
        .replace("client:A", "client:C")
        .replace("main@unfenced:late", "main@unfenced:lat")
        .replace("label = \"Send\"", "label = \"\"");
    let found = compile(&source(&text))
        .map(|_| ())
        .map_err(shown)
        .expect_err("four faults");
    assert_eq!(found.len(), 4, "{found:#?}");
}

/// Numbers have no gaps, slugs are unique, and names of files have their form.
#[test]
fn files_belong_together() {
    let file = |name: &str| Source {
        file: name.to_owned(),
        text: LESSON.to_owned(),
    };
    let complaints = |names: &[&str]| {
        let sources: Vec<Source> = names.iter().map(|name| file(name)).collect();
        match compile_all(&sources) {
            Ok(lessons) => lessons
                .iter()
                .map(|l| format!("{} {}", l.number, l.slug))
                .collect(),
            Err(complaints) => complaints
                .iter()
                .map(Complaint::to_string)
                .collect::<Vec<_>>(),
        }
    };
    assert_eq!(complaints(&["d/02-b.md", "d/01-a.md"]), ["1 a", "2 b"]);
    assert_eq!(
        complaints(&["01-a.md", "03-c.md"]),
        ["03-c.md:1: lesson 03 follows lesson 01: numbers have no gaps and no repetitions",]
    );
    assert_eq!(
        complaints(&["01-a.md", "01-b.md"]),
        ["01-b.md:1: lesson 01 follows lesson 01: numbers have no gaps and no repetitions",]
    );
    assert_eq!(
        complaints(&["01-a.md", "02-a.md"]),
        ["02-a.md:1: the name `a` is taken by 01-a.md"]
    );
    assert_eq!(
        complaints(&["01-A b.md"]),
        [
            "01-A b.md:1: the file is not named like `07-some-words.md` (two digits, then lower case words)",
        ]
    );
}

/// Questions about replicas, copies and two views.
#[test]
fn other_questions() {
    let lessons = lessons();
    let right = |lesson: usize, beat: usize| {
        let predict = lessons[lesson - 1].beats[beat]
            .predict
            .as_ref()
            .expect("a question");
        let right = predict.choices.iter().find(|choice| choice.right);
        right.map(|choice| choice.said.as_str())
    };
    assert_eq!(right(6, 0), Some("41"));
    assert_eq!(right(6, 1), Some("42"));
    assert_eq!(right(7, 2), Some("same"));
    assert_eq!(right(11, 2), Some("accepted"));
    assert_eq!(right(16, 2), Some("accepted"));
    assert_eq!(right(16, 3), Some("not committed"));
    assert_eq!(right(17, 1), Some("rejected because malformed"));
}

/// Policies are written as the app reads them.
#[test]
fn policies_are_read_back() {
    for lesson in lessons() {
        for beat in &lesson.beats {
            let panes = beat.panes.iter().filter_map(|pane| pane.policy.as_ref());
            for policy in panes.chain(&beat.policies) {
                let read: Policy = script::parse_policy(policy).expect("a policy");
                assert_eq!(read.to_string(), *policy);
            }
        }
    }
}

/// Whatever is missing or cut off, the compiler answers with complaints inside the file.
#[test]
fn damaged_lessons_never_panic() {
    let lines: Vec<&str> = LESSON.lines().collect();
    let without = |gone: usize| {
        let kept = lines.iter().enumerate().filter(|(index, _)| *index != gone);
        kept.map(|(_, line)| *line).collect::<Vec<_>>().join("\n")
    };
    let mut damaged: Vec<String> = (0..lines.len()).map(without).collect();
    let cuts = (0..LESSON.len()).filter(|at| LESSON.is_char_boundary(*at));
    damaged.extend(cuts.map(|at| LESSON[..at].to_owned()));
    damaged.push(include_str!("lessons.rs").to_owned());
    for text in &damaged {
        for complaint in compile(&source(text)).err().unwrap_or_default() {
            assert!(
                (1..=text.lines().count() + 1).contains(&complaint.line),
                "{complaint}\n{text}"
            );
            assert!(!complaint.reason.contains('\n'), "{complaint}");
        }
    }
}
