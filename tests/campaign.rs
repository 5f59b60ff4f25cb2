//! Hostile input to everything that reads what others write: scripts, addresses, options and messages
//! of embeds, questions to the simulation, lesson files. Whatever it is, there is an answer, soon.
//!
//! Some hundred inputs each are part of `cargo test`. For a million each:
//!
//!     CAMPAIGN=1000000 cargo test --profile campaign --test campaign -- --nocapture

mod common;

use common::{corpus, random_text};
use fencing_lab::app::{App, Do, Start};
use fencing_lab::diagram::Density;
use fencing_lab::embed::{self, Received};
use fencing_lab::engine::{self, Answer, Ask, Question};
use fencing_lab::lesson::{CARDS, Edition, Front, Plates, compile_folder, files};
use fencing_lab::link;
use fencing_lab::page;
use fencing_lab::playhead::{Cursor, Move};
use fencing_lab::script::{self, MAX_TEXT_BYTES};
use fencing_lab::session::Run;
use fencing_lab::wire::{from_bytes, to_bytes};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use std::path::Path;
use std::time::{Duration, Instant};

/// What no answer to one of the campaigns' inputs may take: they are small, machines may be busy.
const PATIENCE: Duration = Duration::from_secs(5);

/// Hands `judge` so many inputs, and prints how many there were and what the slowest took.
fn campaign<S: Strategy>(name: &str, inputs: S, judge: impl Fn(&S::Value)) {
    let cases = std::env::var("CAMPAIGN").map_or(400, |count| count.parse().unwrap());
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let slowest = std::cell::Cell::new(Duration::ZERO);
    let start = Instant::now();
    let result = TestRunner::new(config).run(&inputs, |input| {
        let start = Instant::now();
        judge(&input);
        slowest.set(slowest.get().max(start.elapsed()));
        Ok(())
    });
    let (all, slowest) = (start.elapsed(), slowest.get());
    println!(
        "{name}: {cases} inputs in {:.0} s, the slowest took {:.1} ms",
        all.as_secs_f64(),
        slowest.as_secs_f64() * 1000.0
    );
    if let Err(failure) = result {
        panic!("{name}: {failure}");
    }
    assert!(slowest < PATIENCE, "{name}: {slowest:?}");
}

// ---- inputs

/// A change to some bytes.
#[derive(Clone, Debug)]
enum Edit {
    Put(Index, u8),
    Insert(Index, Vec<u8>),
    Cut(Index, Index),
    /// A piece, once more and somewhere else.
    Copy(Index, Index, Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let index = any::<Index>;
    let words = prop::sample::select(&WORDS[..]).prop_map(|word| word.as_bytes().to_vec());
    let bytes = prop::collection::vec(any::<u8>(), 1..12);
    let edit = prop_oneof![
        3 => (index(), any::<u8>()).prop_map(|(at, byte)| Edit::Put(at, byte)),
        3 => (index(), words).prop_map(|(at, word)| Edit::Insert(at, word)),
        1 => (index(), bytes).prop_map(|(at, bytes)| Edit::Insert(at, bytes)),
        2 => (index(), index()).prop_map(|(from, to)| Edit::Cut(from, to)),
        2 => (index(), index(), index()).prop_map(|(from, to, at)| Edit::Copy(from, to, at)),
    ];
    prop::collection::vec(edit, 1..8)
}

/// Pieces that mean something to one reader or another.
const WORDS: [&str; 40] = [
    "\n",
    " ",
    "\"",
    "=>",
    ":",
    ",",
    "#",
    "&",
    "=",
    "%",
    "%00",
    "?",
    "+",
    "-1",
    "0",
    "1",
    "9007199254740991",
    "18446744073709551616",
    "1e309",
    "ttl ",
    "token ",
    "latency ",
    "resource doc: fenced\n",
    "clients A, B\n",
    "A acquires\n",
    "A writes late \"late\"\n",
    "wait ",
    "at ",
    "expect unfenced: ",
    "accepted",
    "policy=",
    "s=",
    "step=",
    "lesson=",
    "scenario=",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "é\u{301}",
    "🦀",
];

fn edited(original: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for edit in edits {
        let place = |index: &Index| index.index(bytes.len() + 1);
        let range = |one: &Index, other: &Index| {
            let (one, other) = (place(one), place(other));
            one.min(other)..one.max(other)
        };
        match edit {
            Edit::Put(at, byte) => {
                let at = place(at);
                bytes.splice(at..(at + 1).min(bytes.len()), [*byte]);
            }
            Edit::Insert(at, piece) => {
                let at = place(at);
                bytes.splice(at..at, piece.iter().copied());
            }
            Edit::Cut(from, to) => drop(bytes.drain(range(from, to))),
            Edit::Copy(from, to, at) => {
                let (piece, at) = (bytes[range(from, to)].to_vec(), place(at));
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

/// Bytes without a meaning, and some with one, many times over.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 1..40);
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..400),
        (words, 1_usize..60).prop_map(|(words, times)| words.concat().repeat(times).into_bytes()),
    ]
}

/// One of some originals, changed; or noise.
fn near(originals: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => (prop::sample::select(originals), edits()).prop_map(|(bytes, edits)| edited(&bytes, &edits)),
        1 => noise(),
    ]
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn near_texts(originals: &[&str]) -> impl Strategy<Value = String> {
    near(
        originals
            .iter()
            .map(|text| text.as_bytes().to_vec())
            .collect(),
    )
    .prop_map(text)
}

fn scripts() -> impl Strategy<Value = String> {
    let cases = corpus().into_iter().map(|(_, text)| text.into_bytes());
    prop_oneof![
        2 => near(cases.collect()).prop_map(text),
        1 => (random_text(), edits()).prop_map(|(script, edits)| text(edited(script.as_bytes(), &edits))),
    ]
}

// ---- campaigns

#[test]
fn scripts_give_a_run_or_located_errors() {
    campaign("scripts", scripts(), |text| {
        let lines = text.split('\n').count();
        for error in script::parse(text).errors {
            assert!((1..=lines).contains(&error.line), "{error:?}");
            assert!(error.column >= 1 && error.length >= 1, "{error:?}");
        }
        Run::new(text, None);
    });
}

const FRAGMENTS: [&str; 5] = [
    "/lesson/paused-holder/3?step=4&policy=check-then-write",
    "/play?s=K0ktLlFIy88qBgA&step=2",
    "/lab/explore?policy=fenced%2Bowner",
    "/docs",
    "/lesson/paused-holder/99?at=1e9",
];

#[test]
fn addresses_lead_to_a_page_that_has_an_address() {
    campaign("addresses", near_texts(&FRAGMENTS), |fragment| {
        let (link, _) = link::parse(fragment);
        let (again, notices) = link::parse(&link::print(&link));
        assert_eq!((again, notices), (link, Vec::new()));
    });
}

const QUERIES: [&str; 4] = [
    "embed&lesson=paused-holder&step=4&policy=unfenced&show=timeline+gate&controls=full",
    "embed&scenario=K0ktLlFIy88qBgA&at=12.5&theme=dark&speed=0.5&autoplay",
    "embed&event=late+sent&caption=line&accent-a=%23005ea2&accent-b=rebeccapurple",
    "v=1&height=400&load=eager&title=x&caption=Mine",
];

#[test]
fn options_of_embeds_are_read_or_noted() {
    let addresses = (near_texts(&QUERIES), near_texts(&QUERIES));
    campaign("options of embeds", addresses, |(query, fragment)| {
        let (options, notes) = embed::parse(query, fragment);
        assert!(notes.iter().all(|note| note.len() < 1000), "{notes:?}");
        assert!(
            options
                .accents
                .iter()
                .flatten()
                .all(|colour| !colour.contains([';', '}', '<']))
        );
    });
}

/// Fields of a message: its texts and its numbers.
type Fields = (Vec<(&'static str, String)>, Vec<(&'static str, f64)>);

fn messages() -> impl Strategy<Value = Fields> {
    let kinds = prop::sample::select(vec![
        "hello",
        "goto",
        "next",
        "prev",
        "play",
        "pause",
        "reset",
        "set-theme",
        "set-option",
        "load-scenario",
        "get-state",
        "",
    ]);
    let names = prop::sample::select(vec![
        "theme", "name", "value", "text", "event", "id", "type",
    ]);
    let values = prop_oneof![
        near_texts(&QUERIES),
        near_texts(&["dark", "policy", "late sent", "A acquires\n"])
    ];
    let numbers = prop::sample::select(vec!["step", "at", "speed", "v"]);
    let number = prop_oneof![
        any::<f64>(),
        Just(1.0),
        Just(f64::NAN),
        Just(-0.0),
        Just(1e9),
        Just(f64::MAX)
    ];
    let texts = prop::collection::vec((names, values), 0..5);
    let numbers = prop::collection::vec((numbers, number), 0..3);
    (kinds, texts, numbers).prop_map(|(kind, mut texts, mut numbers)| {
        texts.extend([
            ("target", "fencing-lab".to_owned()),
            ("type", kind.to_owned()),
        ]);
        numbers.push(("v", 1.0));
        (texts, numbers)
    })
}

#[test]
fn messages_of_hosts_ask_for_something_or_are_refused() {
    campaign("messages of hosts", messages(), |(texts, numbers)| {
        let text = |name: &str| {
            texts
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.clone())
        };
        let number = |name: &str| {
            numbers
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| *value)
        };
        match embed::receive(&text, &number) {
            Received::Refused(code, why) => assert!(!code.is_empty() && why.len() < 1000),
            Received::Asked(_) | Received::Foreign => {}
        }
    });
}

fn questions() -> impl Strategy<Value = Question> {
    let cursor = prop_oneof![(0_usize..60, 0_u64..60_000), (any::<usize>(), any::<u64>())]
        .prop_map(|(passed, now_ms)| Cursor { passed, now_ms });
    let line = near_texts(&[
        "A acquires",
        "B writes w \"v\" token 2",
        "wait 5",
        "A pauses",
    ]);
    let ask = prop_oneof![
        2 => Just(Ask::Show),
        1 => Just(Ask::Story),
        4 => (cursor.clone(), line).prop_map(|(cursor, line)| Ask::Act(cursor, line)),
        4 => cursor.prop_map(Ask::Offers),
    ];
    let width = prop_oneof![4 => 0.0..3000.0, 1 => any::<f64>()];
    let density = prop::sample::select(vec![
        Density::Full,
        Density::Hero,
        Density::Embed,
        Density::Pair,
        Density::Mini,
    ]);
    let policy = prop::option::of(near_texts(&[
        "fenced",
        "check-then-write",
        "unfenced+dedupe-after",
    ]));
    (scripts(), policy, width, density, ask).prop_map(|(text, policy, width, density, ask)| {
        Question {
            text,
            policy,
            width,
            density,
            ask,
        }
    })
}

#[test]
fn questions_are_answered() {
    campaign("questions", questions(), |question| {
        let answer = from_bytes(&engine::answer(&to_bytes(question)));
        assert_ne!(answer, Ok(Answer::Nothing));
    });
}

#[test]
fn bytes_that_may_be_questions_are_answered() {
    let bytes = prop_oneof![
        3 => (questions(), edits()).prop_map(|(question, edits)| edited(&to_bytes(&question), &edits)),
        1 => noise(),
    ];
    campaign("bytes as questions", bytes, |bytes| {
        assert!(!engine::answer(bytes).is_empty());
    });
}

/// The files of the lessons, without those of pictures but one of each kind.
fn lesson_files() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lesson/lessons");
    let all = files(&compile_folder(&folder).unwrap());
    let wanted = [
        "home.bin",
        "home.1090.bin",
        "paused-holder.bin",
        "paused-holder.embed-306.bin",
        "twice-is-not-stale.bin",
    ];
    let is_wanted = |name: &str| wanted.iter().any(|end| name.ends_with(&format!("/{end}")));
    let found: Vec<_> = all
        .into_iter()
        .filter(|(name, _)| is_wanted(name))
        .map(|(_, bytes)| bytes)
        .collect();
    assert_eq!(found.len(), wanted.len());
    found
}

#[test]
fn damaged_lesson_files_are_read_or_refused() {
    campaign("lesson files", near(lesson_files()), |bytes| {
        // All readers see all bytes: a host may send the wrong file.
        let lesson = from_bytes::<Edition>(bytes).is_ok();
        let pictures = from_bytes::<Plates>(bytes).is_ok();
        let front = from_bytes::<Front>(bytes).is_ok();
        assert!(bytes.len() > 1 || !(lesson && pictures && front));
    });
}

#[test]
fn the_app_has_a_page_whatever_files_say() {
    let places = prop::sample::select(vec![
        "",
        "/lesson/paused-holder/1",
        "/lesson/twice-is-not-stale/4",
    ]);
    let asked = prop::collection::vec(near(lesson_files()), 1..4);
    campaign("files in the app", (places, asked), |(place, bodies)| {
        let start = Start {
            fragment: (*place).to_owned(),
            window_width: 1280.0,
            ..Start::default()
        };
        let (mut app, mut jobs) = App::start(start, CARDS);
        for body in bodies {
            let fetched = jobs.iter().find_map(|job| match job {
                fencing_lab::app::Job::Fetch(file) => Some(file.clone()),
                _ => None,
            });
            let Some(file) = fetched else { break };
            jobs = app.update(Do::Fetched(file, Ok(body.clone())), &|_| None);
            for step in [Move::Forward, Move::Last, Move::Back] {
                app.update(Do::Move(step), &|_| None);
                page::page(&app);
            }
        }
    });
}

// ---- one large text

/// Bytes of a hostile script.
const LARGE: usize = 1_000_000;
/// What an error in it may take where code is optimized as it is published.
const SOON: Duration = Duration::from_millis(100);

/// Scripts of a megabyte, each made to be slow in another part of the parser.
fn hostile() -> Vec<(&'static str, String)> {
    let repeated = |piece: &str| piece.repeat(LARGE / piece.len() + 1);
    let numbered = |line: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        for index in 0.. {
            if text.len() >= LARGE {
                break;
            }
            text.push_str(&line(index));
        }
        text
    };
    vec![
        ("one word", repeated("a")),
        ("one number", repeated("9")),
        ("one open quote", ["A writes w \"", &repeated("v")].concat()),
        ("quotes", repeated("\"")),
        (
            "backslashes in quotes",
            ["A writes w \"", &repeated("\\")].concat(),
        ),
        ("empty lines", repeated("\n")),
        ("commas", ["clients A", &repeated(",")].concat()),
        ("names", numbered(&|index| format!("clients c{index}\n"))),
        (
            "one line of names",
            ["clients ", &numbered(&|index| format!("c{index}, "))].concat(),
        ),
        ("steps", repeated("A acquires\n")),
        (
            "steps with verdicts",
            numbered(&|index| format!("A writes w{index} \"v\" => accepted\n")),
        ),
        (
            "writes of unknown words",
            numbered(&|index| format!("A wrties w{index} \"v\"\n")),
        ),
        (
            "near misses of names",
            numbered(&|index| format!("w{index}w arrives\n")),
        ),
        (
            "expectations",
            numbered(&|index| format!("expect unfenced: w{index} accepted\n")),
        ),
        (
            "one long expectation",
            ["expect unfenced: ", &repeated("late accepted, ")].concat(),
        ),
        (
            "resources",
            numbered(&|index| format!("resource r{index}: fenced\n")),
        ),
        (
            "parts of a policy",
            ["resource doc: fenced", &repeated("+owner")].concat(),
        ),
        (
            "modifiers",
            ["A writes w \"v\" ", &repeated("taking 3 ")].concat(),
        ),
        ("arrows", repeated("=> ")),
        (
            "far times",
            numbered(&|index| {
                format!(
                    "at {} A acquires\n",
                    9_007_199_254_740_000_u64 + index as u64
                )
            }),
        ),
        ("long waits", repeated("wait 9007199254740991\n")),
        ("zeros", repeated("\0")),
        ("marks on a letter", repeated("a\u{301}\u{301}\u{301}")),
        ("wide characters", repeated("🦀")),
        ("carriage returns", repeated("\r")),
        ("comments", repeated("# c\n")),
    ]
}

#[test]
fn a_megabyte_of_anything_is_an_error_soon() {
    println!(
        "{:28} {:>12} {:>12}",
        "a megabyte of", "parse, ms", "run, ms"
    );
    let mut late = Vec::new();
    for (name, text) in hostile() {
        assert!(text.len() >= LARGE && LARGE > MAX_TEXT_BYTES);
        let start = Instant::now();
        let parsed = script::parse(&text);
        let parse = start.elapsed();
        assert!(!parsed.errors.is_empty(), "{name}");
        let start = Instant::now();
        Run::new(&text, None);
        let run = start.elapsed();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        println!("{name:28} {:>12.1} {:>12.1}", ms(parse), ms(run));
        if parse > SOON {
            late.push(name);
        }
    }
    assert!(cfg!(debug_assertions) || late.is_empty(), "{late:?}");
}
