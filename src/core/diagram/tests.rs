//! Over all cases of the corpus: measures, order, room, and well-formed SVG.

use super::*;
use crate::script::parse;
use std::path::PathBuf;

/// The widths at which the pages draw.
const WIDTHS: [(f64, Density); 7] = [
    (852.0, Density::Full),
    (686.0, Density::Embed),
    (358.0, Density::Full),
    (308.0, Density::Embed),
    (412.0, Density::Pair),
    (1120.0, Density::Hero),
    (165.0, Density::Mini),
];

const PAUSED_HOLDER: &str = r#"
ttl 10
token 41
A acquires
A writes draft "draft"
A pauses
at 11 B acquires
B writes final "final"
at 15 A resumes
A writes late "late"
"#;

fn cases_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

/// Name and text of every case.
fn cases() -> Vec<(String, String)> {
    let mut cases: Vec<(String, String)> = std::fs::read_dir(cases_dir())
        .expect("the corpus is part of the repository")
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|ext| ext == "fence"))
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).expect("cases are text");
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    cases.sort();
    assert!(cases.len() >= 40, "{} cases", cases.len());
    cases
}

/// The texts of the generated cases.
fn random_cases() -> Vec<String> {
    let lines = std::fs::read_to_string(cases_dir().join("random-cases.jsonl"))
        .expect("part of the repository");
    lines
        .lines()
        .filter_map(|line| line.split_once("\"text\":\""))
        .map(|(_, rest)| json_string(rest))
        .collect()
}

/// The start of `rest` up to its closing quote, unescaped.
fn json_string(rest: &str) -> String {
    let mut text = String::new();
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some(other) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    text
}

fn drawn(text: &str, frame: &Frame) -> Scene {
    let scenario = parse(text).scenario;
    scene(&scenario, &run(&scenario), frame)
}

fn framed(width: f64, density: Density) -> Frame {
    Frame {
        shows_axis: density != Density::Mini,
        ..Frame::of(width, density)
    }
}

fn shapes(scene: &Scene) -> impl Iterator<Item = &Shape> {
    let items = scene
        .bars
        .iter()
        .chain(&scene.marks)
        .flat_map(|item| &item.shapes);
    scene
        .ground
        .iter()
        .chain(scene.lanes.iter().flat_map(|lane| &lane.shapes))
        .chain(items)
}

fn finite(shape: &Shape) -> bool {
    match shape {
        Shape::Rect { x, y, w, h, .. } => {
            [x, y, w, h].iter().all(|value| value.is_finite()) && *w >= 0.0 && *h >= 0.0
        }
        Shape::Path { d, .. } => d.starts_with('M') && d.len() < 2_000_000,
        Shape::Circle { cx, cy, r, .. } => {
            [cx, cy, r].iter().all(|value| value.is_finite()) && *r > 0.0
        }
        Shape::Text { x, y, .. } => x.is_finite() && y.is_finite(),
    }
}

/// Boxes of texts, chips and call-outs: those that must not lie on each other.
fn labels(scene: &Scene) -> Vec<(String, [f64; 4])> {
    let mut boxes = Vec::new();
    for shape in shapes(scene) {
        match shape {
            // The number on a chip is judged by its chip.
            Shape::Text {
                class: "chip-n", ..
            } => {}
            Shape::Text { text, class, .. } if !class.starts_with("num no-t strong") => {
                boxes.extend(text_box(shape).map(|area| (text.clone(), area)));
            }
            Shape::Rect {
                x, y, w, h, class, ..
            } if matches!(*class, "chip" | "callout") => {
                boxes.push(((*class).to_owned(), [*x, *y, x + w, y + h]));
            }
            _ => {}
        }
    }
    boxes
}

fn collisions(scene: &Scene) -> Vec<(String, String)> {
    let boxes = labels(scene);
    let mut found = Vec::new();
    for (index, (name, area)) in boxes.iter().enumerate() {
        for (other, taken) in boxes.iter().skip(index + 1) {
            if super::space::overlap(area, taken) {
                found.push((name.clone(), other.clone()));
            }
        }
    }
    found
}

#[test]
fn two_clients_have_the_measures_of_the_reference() {
    let scene = drawn(PAUSED_HOLDER, &Frame::of(852.0, Density::Full));
    assert_eq!((scene.width, scene.height), (852.0, 371.0));
    assert_eq!(scene.axis.origin, 104.0);
    assert_eq!(scene.axis.end, 836.0);
    let lanes: Vec<f64> = scene.lanes.iter().map(|lane| lane.at).collect();
    assert_eq!(lanes, [45.0, 143.0, 231.0, 291.0]);
    let hero = drawn(PAUSED_HOLDER, &Frame::of(1120.0, Density::Hero));
    assert_eq!(
        (hero.height, hero.axis.origin, hero.axis.end),
        (411.0, 116.0, 1100.0)
    );
    let embed = drawn(PAUSED_HOLDER, &Frame::of(686.0, Density::Embed));
    assert_eq!((embed.height, embed.axis.end), (291.0, 672.0));
    let phone = drawn(PAUSED_HOLDER, &Frame::of(358.0, Density::Full));
    assert_eq!(phone.orientation, Orientation::Vertical);
    assert_eq!(phone.axis.per_sec, 33.0);
    let columns: Vec<f64> = phone.lanes.iter().map(|lane| lane.at).collect();
    assert_eq!(columns, [41.0, 138.0, 216.0, 272.0]);
    let tile = drawn(PAUSED_HOLDER, &Frame::of(165.0, Density::Mini));
    assert_eq!(tile.height, 50.0);
}

#[test]
fn the_paused_holder_says_what_it_should() {
    let scene = drawn(PAUSED_HOLDER, &Frame::of(852.0, Density::Full));
    let texts: Vec<&str> = shapes(&scene)
        .filter_map(|shape| match shape {
            Shape::Text { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let wanted = [
        "Coordinator",
        "Client A",
        "Client B",
        "Resource",
        "value",
        "mark",
        "A · 41",
        "B · 42",
        "believes 41",
        "still believes 41",
        "believes 42",
        "paused",
        "ask",
        "grant",
        "“draft”",
        "“final”",
        "“late”",
        "ok",
        "rejected",
        "41 < 42",
        "lease expires, 11 s",
    ];
    for words in wanted {
        assert!(texts.contains(&words), "{words} is missing in {texts:?}");
    }
    let late = scene.marks.iter().find(|item| {
        item.shapes.iter().any(|shape| {
            matches!(
                shape,
                Shape::Rect {
                    class: "callout",
                    ..
                }
            )
        })
    });
    assert_eq!(
        late.map(|item| (item.at_secs, item.token)),
        Some((16.0, Some(41)))
    );
    assert!(
        late.is_some_and(|item| item.concerns(Part::Token(41)) && !item.concerns(Part::Token(42)))
    );
}

#[test]
fn every_case_is_drawn_with_finite_numbers_and_its_labels_apart() {
    let mut found = Vec::new();
    for (name, text) in cases() {
        for (width, density) in WIDTHS {
            let scene = drawn(&text, &framed(width, density));
            assert!(shapes(&scene).all(finite), "{name} at {width}");
            let pairs = collisions(&scene).into_iter();
            found.extend(pairs.map(|(a, b)| format!("{name} at {width}: {a} and {b}")));
        }
    }
    assert!(
        found.is_empty(),
        "{} labels lie on each other:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn generated_cases_are_drawn_with_finite_numbers() {
    let texts = random_cases();
    assert!(texts.len() >= 100, "{}", texts.len());
    for text in texts {
        for (width, density) in [WIDTHS[0], WIDTHS[3]] {
            let scene = drawn(&text, &framed(width, density));
            assert!(shapes(&scene).all(finite), "{text}");
            assert!(scene.height < 20_000.0, "{text}");
        }
    }
}

#[test]
fn time_is_strictly_rising_and_inverted() {
    for (name, text) in cases() {
        for (width, density) in WIDTHS {
            let axis = drawn(&text, &framed(width, density)).axis;
            for pair in axis.knots.windows(2) {
                assert!(
                    pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1,
                    "{name}: {pair:?}"
                );
            }
            for step in 0..=200 {
                let secs = axis.end_secs * f64::from(step) / 200.0;
                let back = axis.time_at(axis.position(secs));
                assert!(
                    (back - secs).abs() <= 1e-6 * axis.end_secs,
                    "{name}: {secs} comes back as {back}"
                );
            }
        }
    }
}

#[test]
fn times_are_written_apart() {
    for (name, text) in cases() {
        let scene = drawn(&text, &framed(852.0, Density::Full));
        for pair in scene.axis.ticks.windows(2) {
            assert!(pair[1].0 - pair[0].0 >= 12.0, "{name}: {pair:?}");
        }
    }
}

#[test]
fn quiet_stretches_are_broken() {
    let text = "ttl 60\nA acquires\nA writes a \"1\"\nat 5000 B acquires\nB writes b \"2\"\n";
    let scene = drawn(text, &framed(852.0, Density::Full));
    assert!(!scene.axis.breaks.is_empty());
    for pair in scene.axis.knots.windows(2) {
        assert!(pair[1].1 - pair[0].1 > 8.0, "{pair:?}");
    }
    let far = "A acquires\nat 9007199254740000 A writes a \"1\"\n";
    let axis = drawn(far, &framed(852.0, Density::Full)).axis;
    assert!(axis.position(9_007_199_254_740_000.0) > axis.position(1.0) + 50.0);
}

/// The picture in which a playhead moves.
fn moving(text: &str, width: f64) -> crate::film::Picture {
    let run = crate::session::Run::new(text, None);
    crate::record::picture(&run, &framed(width, Density::Full))
}

#[test]
fn the_playhead_never_goes_back_and_passes_the_fans() {
    for (name, text) in cases() {
        let scene = drawn(&text, &framed(852.0, Density::Full));
        let picture = moving(&text, 852.0);
        let mut before = f64::NEG_INFINITY;
        for step in 0..=400 {
            let at = picture.playhead(scene.axis.end_secs * f64::from(step) / 400.0);
            assert!(at >= before, "{name}");
            before = at;
        }
        for (secs, end) in &scene.fans {
            assert!(picture.playhead(*secs) >= *end, "{name}");
        }
    }
}

#[test]
fn svg_is_xml_with_a_title() {
    for (name, text) in cases() {
        for (width, density) in WIDTHS {
            let scene = drawn(&text, &framed(width, density));
            let document = svg(&scene, Theme::Auto, "<a> & \"b\"\u{1}");
            let parsed = roxmltree::Document::parse(&document).expect(&name);
            let title = parsed.descendants().find(|node| node.has_tag_name("title"));
            assert_eq!(title.and_then(|node| node.text()), Some("<a> & \"b\""));
            assert!(!document.contains("<script") && !document.contains("NaN"));
        }
    }
    let scene = drawn(PAUSED_HOLDER, &framed(852.0, Density::Full));
    let [light, dark] = [Theme::Light, Theme::Dark].map(|theme| svg(&scene, theme, "x"));
    assert!(light.contains("--bg:#fff") && !light.contains("@media"));
    assert!(dark.contains("--bg:#111316") && !dark.contains("@media"));
}

#[test]
fn policies_are_compared_in_lanes_of_44_px() {
    let scenario = parse(PAUSED_HOLDER).scenario;
    let runs: Vec<(Policy, Trace)> = [
        Base::Unfenced,
        Base::Strict,
        Base::Fenced,
        Base::CheckThenWrite,
    ]
    .map(Policy::of)
    .map(|policy| (policy.clone(), run_under(&scenario, &policy)))
    .into();
    for (width, density) in WIDTHS {
        let scene = compare(&scenario, &runs, &framed(width, density));
        assert!(shapes(&scene).all(finite));
        assert_eq!(collisions(&scene), [], "at {width}");
    }
    let scene = compare(&scenario, &runs, &framed(852.0, Density::Full));
    let lanes: Vec<f64> = scene
        .lanes
        .iter()
        .filter(|lane| matches!(lane.node, Node::Place(_)))
        .map(|lane| lane.at)
        .collect();
    assert!(
        lanes.windows(2).all(|pair| pair[1] - pair[0] == 44.0) && lanes.len() == 4,
        "{lanes:?}"
    );
    assert_eq!(
        compare(&scenario, &[], &framed(852.0, Density::Full))
            .marks
            .len(),
        0
    );
}

#[test]
fn an_empty_trace_of_any_scenario_is_drawn() {
    for (_, text) in cases() {
        for (width, density) in WIDTHS {
            let scene = scene(
                &parse(&text).scenario,
                &Trace::default(),
                &framed(width, density),
            );
            assert!(shapes(&scene).all(finite));
        }
    }
}

#[test]
fn a_dot_flies_with_the_playhead() {
    let picture = moving(PAUSED_HOLDER, 852.0);
    let flight = picture
        .flights
        .iter()
        .find(|flight| flight.from_secs == 15.0)
        .expect("“late” flies");
    let (x, _) = picture.dot(flight, 15.5).expect("half way");
    assert!((x - picture.playhead(15.5)).abs() < 0.1);
    assert_eq!(picture.dot(flight, 16.5), None);
}

/// A run of so many writes, a second apart.
fn long_run(writes: usize) -> (Scenario, Trace) {
    let lines = (0..writes).map(|index| format!("wait 1\nA writes w{index} \"v{index}\"\n"));
    let text = ["A acquires\n".to_owned()].into_iter().chain(lines);
    let scenario = parse(&text.collect::<String>()).scenario;
    let trace = run(&scenario);
    (scenario, trace)
}

#[test]
fn short_runs_are_drawn_whole_and_long_ones_by_pages_that_meet() {
    let (_, trace) = long_run(10);
    assert_eq!(Page::of(&trace, 0), None);
    let (_, trace) = long_run(300);
    let mut end = None;
    for passed in 0..=trace.moments.len() {
        let page = Page::of(&trace, passed).expect("a long run has pages");
        assert!(page.to_secs.is_none_or(|to| to > page.from_secs));
        // Wherever the cursor can stand after so many moments is on the page.
        let at = |moment: usize| trace.moments.get(moment).map(|moment| moment.at_secs);
        let since = passed.checked_sub(1).and_then(at).unwrap_or(0);
        assert!(page.shows(since, Some(since)), "{passed} of {page:?}");
        if let Some(next) = at(passed) {
            assert!(page.shows(next, Some(next)), "{passed} of {page:?}");
        }
        end = page.to_secs;
    }
    assert_eq!(end, None, "the last page ends with the run");
}

#[test]
fn a_page_costs_the_same_in_a_long_run_and_every_verdict_is_on_one() {
    for width in [852.0, 358.0] {
        let drawn = |writes: usize| {
            let (scenario, trace) = long_run(writes);
            let mut most = 0;
            let mut judged = 0;
            for passed in (0..trace.moments.len()).step_by(40) {
                let frame = Frame {
                    page: Page::of(&trace, passed),
                    ..framed(width, Density::Full)
                };
                let scene = scene(&scenario, &trace, &frame);
                assert!(shapes(&scene).all(finite));
                assert_eq!(collisions(&scene), []);
                most = most.max(shapes(&scene).count());
                let passes = |item: &&Item| (passed..passed + 40).contains(&item.moment);
                let glyphs = |item: &Item| {
                    let class = |shape: &Shape| matches!(shape, Shape::Circle { class, .. } if class.starts_with("v-"));
                    item.shapes.iter().filter(|shape| class(shape)).count()
                };
                judged += scene.marks.iter().filter(passes).map(glyphs).sum::<usize>();
                let time = passed
                    .checked_sub(1)
                    .map_or(0, |last| trace.moments[last].at_secs);
                let overview = scene.overview.as_ref().expect("a page has one");
                let back = overview.millis_at(overview.share(time as f64));
                assert!(back.abs_diff(time * 1000) <= 1);
                assert!(
                    scene.axis.time_at(scene.axis.position(time as f64)) - time as f64 <= 0.001
                );
            }
            (most, judged)
        };
        let (few, verdicts) = drawn(100);
        let (many, more) = drawn(400);
        assert_eq!((verdicts, more), (100, 400));
        assert!(many <= few * 5 / 4, "{few} shapes, then {many}");
    }
}
