//! Films say what their runs say; the app over them, and over the simulation.

mod common;

use common::{corpus, random_text};
use fencing_lab::app::{App, Do, Host, Job, Outside, Start};
use fencing_lab::course::Turn;
use fencing_lab::embed;
use fencing_lab::engine;
use fencing_lab::film::{Gap, fill};
use fencing_lab::html::Sheet;
use fencing_lab::lesson::{CARDS, files, is_plates_file};
use fencing_lab::narration;
use fencing_lab::page;
use fencing_lab::playhead::{Cursor, Move};
use fencing_lab::record;
use fencing_lab::session::{Intent, Run, Session};
use fencing_lab::wire;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

#[test]
fn a_film_says_what_its_run_says() {
    for (name, text) in corpus() {
        let run = Run::new(&text, None);
        let film = record::film(&run);
        assert_eq!(film.stills.len(), run.trace.moments.len() + 1, "{name}");
        for passed in 0..film.stills.len() {
            let badge = narration::badge(run.scenario(), &run.trace, passed);
            let still = film.still(passed);
            assert_eq!(film.text(still.badge), badge.text, "{name}");
            assert_eq!(still.broken, badge.broken, "{name}");
            if let Some(last) = passed.checked_sub(1) {
                let said = narration::moment(run.scenario(), &run.trace, last);
                assert_eq!(film.said(passed), said, "{name}");
            }
        }
        let named = run.trace.verdicts.iter().filter(|v| v.name.is_some());
        let recorded = film.rulings.iter().filter(|r| !r.write.is_empty());
        assert_eq!(named.count(), recorded.count(), "{name}");
    }
}

#[test]
fn what_runs_on_between_moments_is_filled_in() {
    // A lease from 1 s to 11 s, of a ttl of 10 s: what is left at a time in milliseconds.
    let texts = [
        Gap::Left.text(11_000, 0),
        Gap::WholeLeft.text(11_000, 10),
        Gap::Share.text(11_000, 10_000),
    ];
    for (now_ms, expected) in [
        (1_000, ["10.0", "10", "100"]),
        (2_000, ["9.0", "9", "90"]),
        (10_950, ["0.0", "0", "0"]),
        (11_000, ["0.0", "0", "0"]),
        (99_000, ["0.0", "0", "0"]),
        (0, ["11.0", "10", "100"]),
    ] {
        for (text, expected) in texts.iter().zip(expected) {
            let markup = ["<b>", text, "</b>"].concat();
            assert_eq!(fill(&markup, now_ms), format!("<b>{expected}</b>"));
        }
    }
    for damaged in [
        "\u{1}",
        "\u{1}9",
        "\u{1}::\u{2}x",
        "\u{2}",
        "a\u{1}1:x:y\u{2}b",
    ] {
        fill(damaged, 5);
    }
}

/// What the build puts beside the page.
static FILES: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lesson/lessons");
    let lessons = fencing_lab::lesson::compile_folder(&folder).unwrap();
    files(&lessons).into_iter().collect()
});

/// A browser as far as the app needs one: files, the simulation, and no clock.
struct Browser {
    app: App,
    files: BTreeMap<String, Vec<u8>>,
    engine: bool,
    /// Why the simulation does not come.
    refusal: Option<&'static str>,
    address: String,
    left_to: Option<String>,
}

impl Browser {
    fn open(fragment: &str) -> Self {
        let start = Start {
            fragment: fragment.to_owned(),
            reduced_motion: true,
            window_width: 1280.0,
            ..Start::default()
        };
        let (app, jobs) = App::start(start, CARDS);
        let mut browser = Browser {
            app,
            files: FILES.clone(),
            engine: false,
            refusal: None,
            address: fragment.to_owned(),
            left_to: None,
        };
        browser.work(jobs);
        browser
    }

    fn act(&mut self, does: Do) {
        let engine = self.engine;
        let jobs = self
            .app
            .update(does, &|question| engine.then(|| engine::answer(question)));
        self.work(jobs);
    }

    fn work(&mut self, jobs: Vec<Job>) {
        for job in jobs {
            match job {
                Job::Fetch(file) => {
                    let bytes = self.files.get(&file).cloned();
                    self.act(Do::Fetched(file, bytes.ok_or("There is none.".to_owned())));
                }
                Job::LoadEngine => {
                    self.engine = self.refusal.is_none();
                    let came = self.refusal.map_or(Ok(()), |why| Err(why.to_owned()));
                    self.act(Do::Engine(came));
                }
                // What is packed is the text itself, as bytes in hexadecimal.
                Job::Pack(text) => {
                    let packed = text.bytes().map(|byte| format!("{byte:02x}")).collect();
                    self.act(Do::Packed(text, packed));
                }
                Job::Unpack(packed, step) => {
                    let digits: Vec<char> = packed.chars().collect();
                    let byte = |pair: &[char]| {
                        u8::from_str_radix(&pair.iter().collect::<String>(), 16).ok()
                    };
                    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
                    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
                    self.act(Do::Unpacked(text, step));
                }
                Job::Address(address, _) => self.address = address,
                Job::Leave(address) => self.left_to = Some(address),
                _ => {}
            }
        }
    }

    fn page(&self) -> Sheet {
        page::page(&self.app)
    }
}

/// The page has all of these texts.
fn check(browser: &Browser, texts: &[&str]) {
    let page = browser.page().html.0;
    for text in texts {
        assert!(page.contains(text), "{text:?} is not in\n{page}");
    }
}

#[test]
fn every_page_is_there() {
    let rows: &[(&str, &[&str])] = &[
        (
            "",
            &["Start lesson 1", "The paused holder", "class=\"mini\""],
        ),
        (
            "/lesson/paused-holder/1",
            &["Step 1 of", "1 of 18", "class=\"tl\""],
        ),
        (
            "/lesson/paused-holder/99",
            &["fewer steps than the address says"],
        ),
        (
            "/lesson/nothing/1",
            &["There is no lesson “nothing”", "Start lesson 1"],
        ),
        (
            "/nowhere",
            &["There is no page “nowhere” here", "Start lesson 1"],
        ),
        ("/play", &["Your own run", "“v1”", "Client A: Acquire"]),
        ("/docs", &["About Fencing Lab", "Home, End"]),
    ];
    for (fragment, texts) in rows {
        check(&Browser::open(fragment), texts);
    }
    assert_eq!(
        Browser::open("/embed").left_to.as_deref(),
        Some("lab.html#/embed")
    );
    assert_eq!(
        Browser::open("/lab").left_to.as_deref(),
        Some("lab.html#/lab")
    );
}

/// The button `Next` is gone when the last act is done, and with it the focus would be.
#[test]
fn the_focus_goes_from_the_last_act_to_the_way_out() {
    let mut browser = Browser::open("/lesson/whose-numbers/1");
    let mut focused = Vec::new();
    for _ in 0..40 {
        for job in browser.app.update(Do::Turn(Turn::Next), &|_| None) {
            if let Job::Focus(id) = job {
                focused.push(id);
            }
        }
    }
    assert_eq!(focused.iter().filter(|id| **id == "way-out").count(), 1);
    assert_eq!(focused.last(), Some(&"way-out"));
    check(&browser, &["id=\"way-out\""]);
}

#[test]
fn an_experiment_is_one_turn_away_from_the_lesson() {
    let mut browser = Browser::open("/lesson/paused-holder/1");
    let own = browser.app.stage.text.clone();
    assert!(!browser.engine, "a lesson needs no simulation");
    browser.act(Do::Try(true));
    browser.act(Do::Line("B acquires".to_owned()));
    assert!(browser.app.stage.text.contains("\nB acquires"));
    check(&browser, &["This is your own run now"]);
    while browser.app.is_playing() {
        browser.act(Do::Move(Move::Tick(100)));
    }
    let address = browser.address.clone();
    browser.act(Do::Travel(true));
    assert_eq!(browser.app.stage.text, own);
    browser.act(Do::Travel(false));
    browser.act(Do::Turn(Turn::Return));
    assert_eq!(browser.app.stage.text, own);
    assert!(!browser.page().html.0.contains("This is your own run now"));
    // The address of the experiment brings it back.
    let again = Browser::open(&address);
    assert!(again.app.stage.text.contains("\nB acquires"), "{address}");
}

#[test]
fn the_policy_of_an_address_is_applied_or_refused() {
    let address = "/lesson/rule-at-the-write/1?policy=";
    for (policy, shown) in [("strict", "strict"), ("fenced%2Bowner", "fenced+owner")] {
        let browser = Browser::open(&[address, policy].concat());
        assert_eq!(browser.app.stage.film.policy, shown);
    }
    let browser = Browser::open(&[address, "magic"].concat());
    check(
        &browser,
        &["The policy “magic” of this address is not a policy of the language"],
    );
}

#[test]
fn what_does_not_come_is_said_and_can_be_asked_for_again() {
    let mut browser = Browser::open("");
    let files = std::mem::take(&mut browser.files);
    browser.act(Do::Address("/lesson/paused-holder/2".to_owned()));
    check(
        &browser,
        &["The lesson could not be loaded. There is none.", "Retry"],
    );
    browser.files = files;
    browser.act(Do::Retry);
    check(&browser, &["Step 2 of"]);
    // Damaged files are no lessons.
    let damaged = Ok(vec![7; 100]);
    browser.act(Do::Address("/lesson/equal-tokens/1".to_owned()));
    browser.act(Do::Fetched("lessons/equal-tokens.bin".to_owned(), damaged));
    check(&browser, &["Step 1 of"]);
}

#[test]
fn the_simulation_is_loaded_once_and_used_again() {
    let mut browser = Browser::open("/play");
    check(&browser, &["Your own run", "“v1”"]);
    browser.act(Do::Address("/docs".to_owned()));
    browser.act(Do::Address("/play".to_owned()));
    check(&browser, &["Your own run", "“v1”"]);
}

#[test]
fn why_the_simulation_did_not_come_is_said() {
    let mut browser = Browser::open("/lesson/paused-holder/1");
    browser.refusal = Some("The server answered 404.");
    let text = "The simulation could not be loaded, so there are no runs of your own. The server answered 404.";
    for again in [false, true] {
        browser.act(Do::Line("B acquires".to_owned()));
        let page = browser.page().html.0;
        assert_eq!(page.matches(text).count(), 1, "{again}");
    }
    browser.act(Do::Address("/play".to_owned()));
    check(&browser, &[text, "Retry"]);
    browser.refusal = None;
    browser.act(Do::Retry);
    check(&browser, &["Your own run"]);
}

#[test]
fn pictures_that_do_not_come_are_drawn_by_the_simulation() {
    let without_pictures = |browser: &mut Browser| {
        browser.files.retain(|name, _| !is_plates_file(name));
    };
    // The last beat of this lesson shows two runs side by side.
    for before in ["/docs", "/play"] {
        let mut browser = Browser::open(before);
        without_pictures(&mut browser);
        browser.act(Do::Address("/lesson/rule-at-the-write/1".to_owned()));
        assert_eq!(
            browser.page().html.0.matches("class=\"tl\"").count(),
            1,
            "{before}"
        );
        browser.act(Do::Address("/lesson/rule-at-the-write/6".to_owned()));
        assert_eq!(
            browser.page().html.0.matches("class=\"tl\"").count(),
            2,
            "{before}"
        );
    }
}

/// A page brought up to date by its regions is the page written anew.
#[test]
fn regions_are_all_that_changes_with_a_step() {
    let mut browser = Browser::open("/lesson/rule-at-the-write/1");
    browser.act(Do::Width(851.0));
    let mut before = browser.page();
    for step in [
        Move::Forward,
        Move::Last,
        Move::Back,
        Move::Seek(3_400),
        Move::First,
    ] {
        browser.act(Do::Move(step));
        let now = browser.page();
        let changes = now.changes(&before).expect("the frame of the page stays");
        assert!(!changes.is_empty());
        before = now;
    }
}

/// What is shown before the app is there is what the app shows then, without what is still to come.
#[test]
fn an_early_page_is_the_start_of_the_page() {
    let places = CARDS
        .iter()
        .map(|card| (card.slug, page::reading::address(card.slug)));
    for (name, address) in places.chain([("home", String::new())]) {
        let early = FILES.get(&format!("lessons/{name}.early.txt")).unwrap();
        let early = std::str::from_utf8(early).unwrap();
        let browser = Browser::open(address.trim_start_matches('#'));
        let whole = browser.page().html.0;
        // In pieces of it, each after the one before, and nothing else.
        let mut rest = &*whole;
        for piece in early.split_inclusive('>') {
            let at = rest.find(piece);
            rest = &rest[at.unwrap_or_else(|| panic!("{name}: {piece}")) + piece.len()..];
        }
        assert!(
            early.contains("<h1") && early.ends_with("</main></div>") | early.ends_with("</main>")
        );
        for later in ["id=\"stage\"", "id=\"lessons\"", "data-vars", "progress"] {
            assert!(!early.contains(later), "{name}: {later}");
        }
    }
}

/// Until a question is answered, neither the table of its beat nor anything else of the page answers it.
#[test]
fn a_table_does_not_answer_an_open_question() {
    let mut browser = Browser::open("/lesson/break-it-yourself/5");
    check(&browser, &["Which rules survive?", "class=\"choice"]);
    let answer = "(holder-refused)";
    assert!(!browser.page().html.0.contains(answer));
    browser.act(Do::Turn(Turn::Act));
    check(&browser, &["<table class=\"verdicts\">", answer]);
}

/// Where its picture is still to come, a page already has all the rest, and the picture's room.
#[test]
fn a_picture_that_comes_later_changes_only_its_own_regions() {
    let embed = Host {
        query: "embed&lesson=rule-at-the-write".to_owned(),
        ..Host::default()
    };
    check_coming("/lesson/rule-at-the-write/2", None, &["tl"]);
    check_coming("/lesson/equal-tokens/3", None, &["tl0", "tl1"]);
    check_coming("", Some(embed), &["tl"]);
}

fn check_coming(fragment: &str, host: Option<Host>, pictures: &[&str]) {
    let start = Start {
        fragment: fragment.to_owned(),
        window_width: 1280.0,
        host,
        ..Start::default()
    };
    let (mut app, mut jobs) = App::start(start, CARDS);
    let mut pages = Vec::new();
    while !jobs.is_empty() {
        if let Job::Fetch(file) = jobs.remove(0) {
            pages.push(page::page(&app));
            let bytes = FILES.get(&file).cloned().ok_or(String::new());
            jobs.extend(app.update(Do::Fetched(file, bytes), &|_| None));
        }
    }
    let (before, after) = (pages.pop().unwrap(), page::page(&app));
    assert!(!before.html.0.contains("class=\"tl\""), "{fragment}");
    for id in pictures {
        let height = |html: &str| {
            let svg = html.split(&format!("id=\"{id}\"")).nth(1).unwrap();
            let value = svg.split(" height=\"").nth(1).unwrap().split('"').next();
            value.unwrap().parse::<f64>().unwrap().ceil()
        };
        assert!(height(&after.html.0) > 100.0, "{fragment}");
        assert_eq!(height(&before.html.0), height(&after.html.0), "{fragment}");
    }
    let changes = after.changes(&before).expect("the frame of the page stays");
    for region in &changes {
        let is_of = |id: &str| *region.id == *id || region.id.starts_with(&format!("{id}-"));
        let is_time = ["scrub", "ticks", "slider"].contains(&&*region.id);
        assert!(
            is_time || pictures.iter().any(|id| is_of(id)),
            "{fragment}: {}",
            region.id
        );
    }
}

/// A picture of another width than the room asks for fills it where no other will come, as in a page with few of
/// them; until the right one comes it keeps its height, so that nothing moves.
#[test]
fn a_picture_that_stays_fills_the_room() {
    let mut browser = Browser::open("/lesson/rule-at-the-write/1");
    let of_width = |width: u32| format!("lessons/rule-at-the-write.{width}.bin");
    check(&browser, &["viewBox=\"0 0 850 371\" height=\"371\""]);
    browser
        .files
        .insert(of_width(1090), FILES[&of_width(850)].clone());
    let jobs = browser.app.update(Do::Width(1062.5), &|_| None);
    assert_eq!(jobs[0], Job::Fetch(of_width(1090)));
    check(&browser, &["viewBox=\"0 0 850 371\" height=\"371\""]);
    browser.work(jobs);
    check(&browser, &["viewBox=\"0 0 850 371\" height=\"463.8\""]);
    browser.act(Do::Width(2000.0));
    check(&browser, &["viewBox=\"0 0 850 371\" height=\"482.3\""]);
}

fn embed_of_a_lesson() -> (App, Vec<Job>) {
    let start = Start {
        window_width: 720.0,
        host: Some(Host {
            query: "embed&lesson=rule-at-the-write".to_owned(),
            ..Host::default()
        }),
        ..Start::default()
    };
    App::start(start, CARDS)
}

/// An embed shows the pictures of its lesson where its own are not.
#[test]
fn an_embed_may_show_the_pictures_of_its_lesson() {
    let (mut app, jobs) = embed_of_a_lesson();
    for job in jobs {
        if let Job::Fetch(file) = job {
            let bytes = FILES[&file.replace(".embed-", ".")].clone();
            app.update(Do::Fetched(file, Ok(bytes)), &|_| None);
        }
    }
    let page = page::page(&app).html.0;
    assert!(page.contains("viewBox=\"0 0 650 371\""), "{page}");
}

/// The frame of an embed may be as high as its content once that has the picture, or its room: where the
/// picture then fits, the browser measures nothing new.
#[test]
fn an_embed_tells_its_height_when_it_has_room_for_its_picture() {
    let (mut app, _) = embed_of_a_lesson();
    let told = |app: &mut App, height| {
        let jobs = app.update(Do::Outside(Outside::Height(height)), &|_| None);
        (jobs.into_iter())
            .any(|job| matches!(job, Job::Post(_, said) if said == embed::resize(height)))
    };
    assert!(!told(&mut app, 36.0), "without a lesson");
    let file = "lessons/rule-at-the-write.bin".to_owned();
    let bytes = FILES.get(&file).cloned().ok_or(String::new());
    app.update(Do::Fetched(file, bytes), &|_| None);
    assert!(told(&mut app, 412.0), "with the room");
}

#[test]
fn the_engine_answers_anything() {
    for bytes in [&[][..], &[0], &[255; 40], b"A acquires"] {
        assert_eq!(
            wire::from_bytes(&engine::answer(bytes)),
            Ok(engine::Answer::Nothing)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The page's way of adding a line is the session's.
    #[test]
    fn acting_over_films_is_acting_in_a_session(text in random_text(), now_ms in 0_u64..40_000) {
        let mut session = Session::new(text.clone());
        session.update(Intent::Move(Move::Seek(now_ms)));
        let cursor: Cursor = session.head.cursor;
        let question = engine::Question {
            text,
            policy: None,
            width: 852.0,
            density: fencing_lab::diagram::Density::Full,
            ask: engine::Ask::Act(cursor, "A acquires".to_owned()),
        };
        let answer = wire::from_bytes(&engine::answer(&wire::to_bytes(&question)));
        session.update(Intent::Act("A acquires".to_owned()));
        let Ok(engine::Answer::Acted(shown, _)) = answer else {
            return Err(TestCaseError::fail("no answer"));
        };
        prop_assert_eq!(shown.text, session.source);
        prop_assert_eq!(shown.film, record::film(&session.run));
    }
}
