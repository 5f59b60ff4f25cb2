//! A learner's session: moving, playing, acting, undoing; lessons; addresses.

mod common;

use common::{corpus, random_text};
use fencing_lab::actions::offers;
use fencing_lab::course::{Course, Turn};
use fencing_lab::frame;
use fencing_lab::lesson::{Edition, edition_of};
use fencing_lab::link::{self, Link, Page};
use fencing_lab::playhead::{Clock, Cursor, Move, Playhead, Speed};
use fencing_lab::progress::{Progress, Reached};
use fencing_lab::session::{Intent, Session};
use fencing_lab::stage::Stage;
use proptest::prelude::*;
use std::path::Path;

const STORY: &str = include_str!("cases/two-clients-41-42.fence");

fn session(text: &str) -> Session {
    Session::new(text.to_owned())
}

/// Carries out intents and returns (moments passed, virtual ms).
fn after(session: &mut Session, intents: &[Intent]) -> (usize, u64) {
    for intent in intents {
        session.update(intent.clone());
    }
    (session.head.cursor.passed, session.head.cursor.now_ms)
}

#[test]
fn the_cursor_moves_by_moments_and_by_time() {
    // Moments of the story: 0 1 2 3 4 11 16 17 18 19 20 20 21 22 … (A asks, is granted, …).
    let rows: &[(&[Intent], (usize, u64))] = &[
        (&[], (0, 0)),
        (&[Intent::Move(Move::Forward)], (1, 0)),
        (
            &[Intent::Move(Move::Forward), Intent::Move(Move::Forward)],
            (2, 1_000),
        ),
        (
            &[Intent::Move(Move::Forward), Intent::Move(Move::Back)],
            (0, 0),
        ),
        (&[Intent::Move(Move::Back)], (0, 0)),
        (&[Intent::Move(Move::Seek(3_500))], (4, 3_500)),
        (
            &[Intent::Move(Move::Seek(3_500)), Intent::Move(Move::Back)],
            (4, 3_000),
        ),
        (
            &[
                Intent::Move(Move::Seek(3_500)),
                Intent::Move(Move::Back),
                Intent::Move(Move::Back),
            ],
            (3, 2_000),
        ),
        (
            &[Intent::Move(Move::Seek(3_500)), Intent::Move(Move::Forward)],
            (5, 4_000),
        ),
        (
            &[Intent::Move(Move::Last), Intent::Move(Move::First)],
            (0, 0),
        ),
        (&[Intent::Move(Move::SeekMoment(6))], (6, 11_000)),
    ];
    for (intents, expected) in rows {
        assert_eq!(
            after(&mut session(STORY), intents),
            *expected,
            "{intents:?}"
        );
    }
}

#[test]
fn playing_ends_at_the_end_whatever_the_speed() {
    let mut reached = Vec::new();
    for speed in Speed::ALL {
        let mut session = session(STORY);
        session.update(Intent::Move(Move::SetSpeed(speed)));
        session.update(Intent::Move(Move::PlayOrPause));
        for _ in 0..20_000 {
            session.update(Intent::Move(Move::Tick(16)));
        }
        assert!(!session.head.is_playing());
        reached.push((session.head.cursor, session.run.trace.verdicts.clone()));
    }
    assert!(reached.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn reduced_motion_jumps_from_moment_to_moment() {
    let mut session = session(STORY);
    session.update(Intent::Move(Move::SetReducedMotion(true)));
    session.update(Intent::Move(Move::PlayOrPause));
    assert_eq!(
        after(&mut session, &[Intent::Move(Move::Tick(1_100))]),
        (0, 0)
    );
    assert_eq!(
        after(&mut session, &[Intent::Move(Move::Tick(100))]),
        (1, 0)
    );
    assert_eq!(
        after(&mut session, &[Intent::Move(Move::Tick(1_200))]),
        (2, 1_000)
    );
}

/// Moments at 0, 1 and 5 s; at the usual speed a second takes 700 ms, and the cursor moves after 350 at
/// the latest.
#[test]
fn while_time_runs_no_moment_is_passed_over_and_what_glides_never_goes_back() {
    let clock = Clock {
        moments: vec![0, 1, 5],
        end_secs: 6,
    };
    // (before playing, the time, ms until the cursor moves, where it glides to, where a pause leaves it)
    let rows: &[(Move, u64, u64, u64, u64)] = &[
        (Move::SetSpeed(Speed::Normal), 100, 350, 600, 600),
        (Move::SetSpeed(Speed::Normal), 900, 70, 1_000, 999),
        (Move::SetSpeed(Speed::Half), 900, 140, 1_000, 999),
        (Move::SetSpeed(Speed::Double), 900, 35, 1_000, 999),
        (Move::SetSpeed(Speed::Quadruple), 1_000, 350, 3_000, 3_000),
        (Move::SetReducedMotion(true), 100, 350, 100, 100),
    ];
    for (before, at_ms, tick_ms, glides_to, paused_at) in rows {
        let mut head = Playhead::default();
        for step in [*before, Move::Seek(*at_ms)] {
            head.go(step, &clock);
        }
        assert_eq!(head.glides_to(&clock), *at_ms, "at rest: {before:?}");
        let passed = head.cursor.passed;
        head.go(Move::PlayOrPause, &clock);
        let found = (head.tick_ms(&clock), head.glides_to(&clock));
        assert_eq!(found, (*tick_ms, *glides_to), "{before:?} at {at_ms}");
        head.go(Move::PlayOrPause, &clock);
        let now_ms = *paused_at;
        assert_eq!(
            head.cursor,
            Cursor { passed, now_ms },
            "{before:?} at {at_ms}"
        );
    }
}

#[test]
fn an_action_writes_a_line_at_the_cursor() {
    // (where the cursor stands, action, last lines of the text)
    let rows: &[(u64, &str, &[&str])] = &[
        (4_000, "B acquires", &["A pauses", "B acquires"]),
        (9_000, "B acquires", &["wait 5", "B acquires"]),
        (
            16_000,
            "wait 5",
            &[
                "B acquires                     => granted 42    # sent 16",
                "at 16 wait 5",
            ],
        ),
        (
            22_000,
            "A checks",
            &[
                "A writes late \"v3\"             => rejected because stale",
                "A checks",
            ],
        ),
        (
            25_000,
            "A checks",
            &[
                "A writes late \"v3\"             => rejected because stale",
                "at 25 A checks",
            ],
        ),
    ];
    for (at_ms, line, expected) in rows {
        let mut session = session(STORY);
        session.update(Intent::Move(Move::Seek(*at_ms)));
        session.update(Intent::Act((*line).to_owned()));
        let lines: Vec<&str> = session.source.lines().collect();
        assert_eq!(
            &lines[lines.len() - expected.len()..],
            *expected,
            "{line} at {at_ms}"
        );
        assert_eq!(session.run.parsed.errors, []);
        assert_eq!(session.run.trace.problems, []);
    }
}

#[test]
fn an_action_in_the_past_forks_and_undo_brings_the_rest_back() {
    let mut session = session(STORY);
    session.update(Intent::Move(Move::Seek(4_000)));
    session.update(Intent::Act("B acquires".to_owned()));
    assert!(!session.source.contains("final") && !session.source.contains("expect"));
    assert!(session.head.is_playing(), "it plays what the action began");
    session.update(Intent::Undo);
    assert_eq!(session.source, STORY);
    session.update(Intent::Redo);
    assert!(session.source.ends_with("A pauses\nB acquires\n"));
    session.update(Intent::Undo);
    session.update(Intent::Undo);
    assert_eq!(session.source, STORY, "nothing more to undo");
}

#[test]
fn typing_is_one_edit() {
    let mut session = session("A acquires\n");
    for text in [
        "A acquires\nB",
        "A acquires\nB ac",
        "A acquires\nB acquires\n",
    ] {
        session.update(Intent::Type(text.to_owned()));
    }
    session.update(Intent::Undo);
    assert_eq!(session.source, "A acquires\n");
}

#[test]
fn the_policy_judges_the_same_run_anew() {
    let mut session = session(STORY);
    session.update(Intent::Move(Move::Last));
    let stale = |session: &Session| session.run.trace.verdicts[2].anomalies.len();
    assert_eq!(stale(&session), 0);
    let policy = fencing_lab::script::parse_policy("unfenced").unwrap();
    let before = session.head.cursor;
    session.update(Intent::SetPolicy(Some(policy)));
    assert_eq!((stale(&session), session.head.cursor), (1, before));
}

#[test]
fn offers_say_why_not() {
    /// (ms, client, label, why not)
    const ROWS: &[(u64, usize, &str, Option<&str>)] = &[
        (2_000, 0, "Renew", None),
        (
            2_000,
            1,
            "Renew",
            Some("B knows no grant yet: let it acquire the lease first."),
        ),
        (2_000, 0, "Pause", None),
        (9_000, 0, "Resume", None),
        (9_000, 0, "Write", Some("A is paused: resume it first.")),
        (9_000, 1, "Write", None),
        (9_000, 2, "Let the lease end", None),
        (
            12_000,
            2,
            "Let the lease end",
            Some("Nobody holds the lease now."),
        ),
    ];
    let mut session = session(STORY);
    for (at_ms, group, label, why_not) in ROWS {
        session.update(Intent::Move(Move::Seek(*at_ms)));
        let groups = offers(&session.run, session.head.cursor);
        let found = groups[*group]
            .actions
            .iter()
            .find(|action| action.label == *label);
        let found = found.unwrap_or_else(|| panic!("{label} at {at_ms}"));
        assert_eq!(found.why_not.as_deref(), *why_not, "{label} at {at_ms}");
    }
}

#[test]
fn what_is_offered_can_happen() {
    for (name, text) in corpus().into_iter().step_by(9) {
        let mut session = session(&text);
        for passed in 0..=session.run.clock.total() {
            session.update(Intent::Move(Move::SeekMoment(passed)));
            for action in offers(&session.run, session.head.cursor)
                .into_iter()
                .flat_map(|g| g.actions)
            {
                if action.why_not.is_none() {
                    let mut fork = session.clone();
                    fork.update(Intent::Act(action.line.clone()));
                    assert_eq!(
                        fork.run.parsed.errors,
                        [],
                        "{name}: {}\n{}",
                        action.line,
                        fork.source
                    );
                    assert_eq!(
                        fork.run.trace.problems,
                        [],
                        "{name}: {}\n{}",
                        action.line,
                        fork.source
                    );
                }
            }
        }
    }
}

fn editions() -> Vec<Edition> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lesson/lessons");
    let lessons = fencing_lab::lesson::compile_folder(&folder).unwrap();
    lessons.iter().map(edition_of).collect()
}

fn edition(slug: &str) -> Edition {
    editions()
        .into_iter()
        .find(|edition| edition.lesson.slug == slug)
        .unwrap()
}

fn finish(stage: &mut Stage) {
    for _ in 0..10_000 {
        stage.go(Move::Tick(100));
    }
}

#[test]
fn next_alone_walks_every_lesson() {
    for edition in editions() {
        let slug = edition.lesson.slug.clone();
        let mut course = Course::new(edition);
        let mut stage = Stage::default();
        course.enter(&mut stage);
        let mut presses = 0;
        while !course.is_complete() {
            course.take(Turn::Next, &mut stage);
            finish(&mut stage);
            presses += 1;
            assert!(presses < 50, "{slug} does not end");
        }
        assert_eq!(course.beat + 1, course.lesson.beats.len());
        assert!(
            !course.hides_future(&stage),
            "{slug}: all is told at the end"
        );
    }
}

#[test]
fn a_prediction_is_revealed_by_the_act() {
    let mut course = Course::new(edition("paused-holder"));
    let mut stage = Stage::default();
    let asked = course
        .lesson
        .beats
        .iter()
        .position(|beat| beat.predict.is_some())
        .unwrap();
    course.take(Turn::Go(asked), &mut stage);
    assert!(course.hides_future(&stage));
    course.take(Turn::Pick(0), &mut stage);
    assert_eq!(
        (course.mark().picked, course.mark().acted),
        (Some(0), false)
    );
    course.take(Turn::Act, &mut stage);
    assert!(course.mark().acted && stage.head.is_playing());
    course.take(Turn::Pick(1), &mut stage);
    assert_eq!(
        course.mark().picked,
        Some(0),
        "a pick stands once it is revealed"
    );
}

#[test]
fn links_say_everything_and_survive_damage() {
    let policy = |text: &str| Some(text.to_owned());
    let page = |slug: &str, beat| Page::Lesson {
        slug: slug.to_owned(),
        beat,
    };
    let rows: Vec<(&str, Link, usize)> = vec![
        ("", Link::default(), 0),
        ("/", Link::default(), 0),
        (
            "/lesson/paused-holder/3?step=7&policy=unfenced",
            Link {
                page: page("paused-holder", 2),
                step: Some(7),
                policy: policy("unfenced"),
                packed: None,
            },
            0,
        ),
        (
            "/lesson/equal-tokens",
            Link {
                page: page("equal-tokens", 0),
                ..Link::default()
            },
            0,
        ),
        (
            "/lesson/x/0",
            Link {
                page: page("x", 0),
                ..Link::default()
            },
            0,
        ),
        (
            "/docs?s=abc-_9",
            Link {
                page: Page::Docs,
                packed: Some("abc-_9".into()),
                ..Link::default()
            },
            0,
        ),
        ("/nowhere", Link::default(), 1),
        (
            "/docs?step=x",
            Link {
                page: Page::Docs,
                ..Link::default()
            },
            1,
        ),
        (
            "/docs?policy=fence",
            Link {
                page: Page::Docs,
                policy: policy("fence"),
                ..Link::default()
            },
            0,
        ),
        (
            "/docs?s=%25%25",
            Link {
                page: Page::Docs,
                ..Link::default()
            },
            1,
        ),
        (
            "/docs?utm=1",
            Link {
                page: Page::Docs,
                ..Link::default()
            },
            0,
        ),
        (
            "/docs?policy=fenced%2Bowner",
            Link {
                page: Page::Docs,
                policy: policy("fenced+owner"),
                ..Link::default()
            },
            0,
        ),
    ];
    for (fragment, expected, notices) in rows {
        let (link, found) = link::parse(fragment);
        assert_eq!(link, expected, "{fragment}");
        assert_eq!(found.len(), notices, "{fragment}: {found:?}");
        assert_eq!(link::parse(&link::print(&link)).0, link, "{fragment}");
    }
}

#[test]
fn progress_survives_damage() {
    let rows = [
        ("", ""),
        (
            "paused-holder=3,equal-tokens=done",
            "paused-holder=3,equal-tokens=done",
        ),
        (
            "paused-holder=x,=3,a b=1,equal-tokens=done",
            "equal-tokens=done",
        ),
        ("\u{0}\u{fffd},,,", ""),
    ];
    for (stored, kept) in rows {
        assert_eq!(Progress::parse(stored).print(), kept, "{stored}");
    }
    let mut progress = Progress::default();
    progress.reach("a", Reached::Beat(2));
    progress.reach("a", Reached::Done);
    progress.reach("a", Reached::Beat(0));
    assert_eq!(progress.of("a"), Some(Reached::Done));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn stepping_back_equals_replaying_the_prefix(text in random_text(), to in 0usize..60) {
        let mut there_and_back = session(&text);
        there_and_back.update(Intent::Move(Move::Last));
        let to = to.min(there_and_back.run.clock.total());
        while there_and_back.head.cursor.passed > to {
            there_and_back.update(Intent::Move(Move::Back));
        }
        let mut replayed = session(&text);
        for _ in 0..to {
            replayed.update(Intent::Move(Move::Forward));
        }
        let Cursor { passed, .. } = replayed.head.cursor;
        prop_assert_eq!(there_and_back.head.cursor.passed, passed);
        let shown = |s: &Session| frame::at(s.run.scenario(), &s.run.trace, s.head.cursor.passed, s.head.cursor.now_ms);
        prop_assert_eq!(shown(&there_and_back), shown(&replayed));
    }

    #[test]
    fn no_sequence_of_intents_panics(text in random_text(), picks in prop::collection::vec((0u8..12, 0u64..60_000), 0..40)) {
        let mut session = session(&text);
        for (pick, number) in picks {
            session.update(match pick {
                0 => Intent::Move(Move::Forward),
                1 => Intent::Move(Move::Back),
                2 => Intent::Move(Move::Seek(number)),
                3 => Intent::Move(Move::SeekMoment(number as usize)),
                4 => Intent::Move(Move::PlayOrPause),
                5 => Intent::Move(Move::Tick(number)),
                6 => Intent::Undo,
                7 => Intent::Redo,
                8 => Intent::Act("A acquires".to_owned()),
                9 => Intent::Act(format!("wait {number}")),
                10 => Intent::Type(format!("{}\nB acquires", session.source)),
                _ => Intent::SetPolicy(fencing_lab::script::parse_policy("unfenced").ok()),
            });
            prop_assert!(session.head.cursor.passed <= session.run.clock.total());
        }
    }

    #[test]
    fn any_fragment_is_a_link(fragment in ".{0,80}") {
        let (link, _) = link::parse(&fragment);
        prop_assert_eq!(link::parse(&link::print(&link)).0, link);
    }
}
