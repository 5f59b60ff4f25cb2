//! Embeds: options, messages and snippets, by tables.

use fencing_core::embed::*;
use fencing_core::film::Film;
use fencing_core::playhead::{Move, Speed};
use fencing_core::record;
use fencing_core::session::Run;
use fencing_core::stage::Stage;

const TEXT: &str = "scenario \"Late\"\ntoken 41\nresource doc: fenced\n\nA acquires => granted 41\nA writes draft \"draft\"\nA pauses\nat 12 B acquires\nB writes final \"final\"\nat 17 A resumes\nA writes late \"late\" => rejected because stale\n";

/// The film of a text under its own policies.
fn film(text: &str) -> Film {
    record::film(&Run::new(text, None))
}

fn options(query: &str) -> Options {
    let (options, notes) = parse(query, "");
    assert_eq!(notes, Vec::<String>::new(), "{query}");
    options
}

/// The note of an address with exactly one thing wrong, which changes nothing.
fn note(query: &str) -> String {
    let (options, mut notes) = parse(query, "");
    assert_eq!(options, Options::default(), "{query}");
    assert_eq!(notes.len(), 1, "{query}: {notes:?}");
    notes.remove(0)
}

#[test]
fn an_embed_is_asked_for_by_name() {
    for (query, asked) in [
        ("embed", true),
        ("embed=", true),
        ("lesson=x&embed", true),
        ("", false),
        ("embedded", false),
        ("x=embed", false),
    ] {
        assert_eq!(is_asked_for(query), asked, "{query}");
    }
}

#[test]
fn options_are_read() {
    let start = |query: &str| options(query).start;
    assert_eq!(start("at=16"), Some(Start::At(16_000)));
    assert_eq!(start("at=16.4"), Some(Start::At(16_400)));
    assert_eq!(start("at=0.005"), Some(Start::At(5)));
    assert_eq!(start("step=3"), Some(Start::Step(3)));
    assert_eq!(
        start("event=late+sent"),
        Some(Start::Event("late sent".into()))
    );
    assert_eq!(
        start("at=1&event=late"),
        Some(Start::Event("late".into())),
        "the last one wins"
    );
    assert_eq!(
        options("lesson=paused-holder").lesson.as_deref(),
        Some("paused-holder")
    );
    assert_eq!(options("scenario=S0_-x").scenario.as_deref(), Some("S0_-x"));
    assert_eq!(options("policy=strict").policy.as_deref(), Some("strict"));
    assert_eq!(options("controls=full").controls, Controls::Full);
    assert_eq!(options("controls=none").controls, Controls::None);
    assert_eq!(options("theme=dark").theme, Theme::Dark);
    for (text, speed) in [
        ("0.5", Speed::Half),
        ("1", Speed::Normal),
        ("2", Speed::Double),
        ("4", Speed::Quadruple),
    ] {
        assert_eq!(options(&format!("speed={text}")).speed, speed);
    }
    for (query, on) in [
        ("autoplay", true),
        ("autoplay=true", true),
        ("autoplay=1", true),
        ("autoplay=0", false),
        ("", false),
    ] {
        assert_eq!(options(query).autoplay, on, "{query}");
    }
    for (text, caption) in [
        ("none", Caption::None),
        ("line", Caption::Line),
        ("title", Caption::Title),
        ("Hi+you", Caption::Text("Hi you".into())),
    ] {
        assert_eq!(options(&format!("caption={text}")).caption, caption);
    }
    assert_eq!(
        options("accent-a=%23005ea2&accent-b=oklch(60%25+.1+50)").accents,
        [Some("#005ea2".into()), Some("oklch(60% .1 50)".into())]
    );
    assert_eq!(
        options("embed&v=1&height=420&load=click&title=x"),
        Options::default()
    );
}

#[test]
fn parts_are_any_of_six() {
    let shown = |query: &str| {
        let p = options(query).show;
        [
            p.timeline,
            p.panels,
            p.gate,
            p.transcript,
            p.script,
            p.prose,
        ]
        .map(u8::from)
    };
    for (query, bits) in [
        ("", [1, 0, 0, 0, 0, 0]),
        ("show=timeline+panels", [1, 1, 0, 0, 0, 0]),
        ("show=gate,transcript", [0, 0, 1, 1, 0, 0]),
        ("show=script+prose", [0, 0, 0, 0, 1, 1]),
    ] {
        assert_eq!(shown(query), bits, "{query}");
    }
}

#[test]
fn wrong_options_change_nothing_and_say_so() {
    for query in [
        "lesson=../secret",
        "lesson=",
        "scenario=a%2Bb",
        "at=soon",
        "at=-1",
        "at=1.2345",
        "at=9999999999",
        "step=x",
        "step=-1",
        "show=everything",
        "show=",
        "controls=many",
        "theme=blue",
        "speed=3",
        "autoplay=maybe",
        "accent-a=url(x)",
        "accent-b=var(--x)",
        "accent-a=red;x",
        "accent-a=",
    ] {
        let name = query.split('=').next().unwrap();
        assert!(note(query).contains(name), "{}", note(query));
    }
    assert!(note("colour=red").contains("no option “colour”"));
    assert!(note(&format!("event={}", "x".repeat(300))).contains("shorter"));
}

#[test]
fn the_fragment_wins_over_the_query() {
    let (options, notes) = parse("embed&theme=dark&at=1", "at=2");
    assert_eq!(
        (options.theme, options.start, notes.len()),
        (Theme::Dark, Some(Start::At(2000)), 0)
    );
}

#[test]
fn places_are_found_by_name() {
    let film = film(TEXT);
    assert_eq!(film.fault, None);
    let at = |name: &str| match Start::Event(name.into()).way(&film) {
        Some(Move::SeekMoment(passed)) => Some(film.clock.time_of(passed) / 1000),
        _ => None,
    };
    assert_eq!(at("A pauses"), Some(4));
    assert_eq!(at("A resumes"), Some(17));
    assert_eq!(at("late sent"), Some(17));
    assert_eq!(at("late"), Some(18));
    assert_eq!(at("late judged"), Some(18));
    assert_eq!(at("late answered"), Some(19));
    for nothing in ["", "later", "late flies", "C pauses", " "] {
        assert_eq!(at(nothing), None, "{nothing}");
    }
    assert_eq!(Start::Step(4).way(&film), Some(Move::SeekMoment(4)));
}

#[test]
fn the_line_at_the_cursor() {
    let film = film(TEXT);
    let last = "A writes late \"late\"";
    assert_eq!(line_at(TEXT, &film, 0), "");
    assert_eq!(line_at(TEXT, &film, 1), "A acquires");
    assert_eq!(line_at(TEXT, &film, film.clock.total()), last);
    assert_eq!(line_at(TEXT, &film, usize::MAX), last);
}

#[test]
fn the_switch_offers_the_own_policy_and_its_absence() {
    let names = |text: &str| policies(&film(text).policy);
    assert_eq!(names(TEXT), ["unfenced", "fenced"]);
    assert_eq!(
        names("resource doc: strict\nA acquires"),
        ["unfenced", "strict"]
    );
    assert_eq!(
        names("resource doc: unfenced\nA acquires"),
        ["unfenced", "fenced"]
    );
}

/// A message with these fields, as a browser would read it.
fn received(texts: &[(&str, &str)], numbers: &[(&str, f64)]) -> Received {
    let text = |name: &str| {
        texts
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| (*value).to_owned())
    };
    let number = |name: &str| {
        numbers
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    };
    receive(&text, &number)
}

fn asked(kind: &str, texts: &[(&str, &str)], numbers: &[(&str, f64)]) -> Received {
    received(
        &[&[("target", "fencing-lab"), ("type", kind)], texts].concat(),
        &[&[("v", 1.0)], numbers].concat(),
    )
}

#[test]
fn commands_are_understood() {
    let to = |start| Received::Asked(Command::Goto(start));
    assert_eq!(asked("hello", &[], &[]), Received::Asked(Command::Hello));
    assert_eq!(asked("goto", &[], &[("step", 3.0)]), to(Start::Step(3)));
    assert_eq!(asked("goto", &[], &[("at", 1.5)]), to(Start::At(1500)));
    assert_eq!(
        asked("goto", &[("event", "late")], &[]),
        to(Start::Event("late".into()))
    );
    assert_eq!(asked("next", &[], &[]), Received::Asked(Command::Next));
    assert_eq!(
        asked("prev", &[("more", "ignored")], &[]),
        Received::Asked(Command::Prev)
    );
    assert_eq!(
        asked("play", &[], &[("speed", 2.0)]),
        Received::Asked(Command::Play(Some(Speed::Double)))
    );
    assert_eq!(
        asked("play", &[], &[("speed", 7.0)]),
        Received::Asked(Command::Play(None))
    );
    assert_eq!(asked("pause", &[], &[]), Received::Asked(Command::Pause));
    assert_eq!(asked("reset", &[], &[]), Received::Asked(Command::Reset));
    assert_eq!(
        asked("set-theme", &[("theme", "dark")], &[]),
        Received::Asked(Command::Set("theme".into(), "dark".into()))
    );
    assert_eq!(
        asked("set-option", &[("name", "show"), ("value", "gate")], &[]),
        Received::Asked(Command::Set("show".into(), "gate".into()))
    );
    assert_eq!(
        asked("load-scenario", &[("text", "A acquires")], &[]),
        Received::Asked(Command::Load("A acquires".into()))
    );
    assert_eq!(
        asked("get-state", &[], &[]),
        Received::Asked(Command::GetState)
    );
}

#[test]
fn other_messages_change_nothing() {
    assert_eq!(received(&[], &[]), Received::Foreign);
    assert_eq!(
        received(&[("target", "other"), ("type", "next")], &[("v", 1.0)]),
        Received::Foreign
    );
    assert_eq!(
        received(&[("type", "next")], &[("v", 1.0)]),
        Received::Foreign
    );
    let code = |received: Received| match received {
        Received::Refused(code, _) => code,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        code(received(
            &[("target", "fencing-lab"), ("type", "next")],
            &[("v", 2.0)]
        )),
        "bad-version"
    );
    assert_eq!(
        code(received(
            &[("target", "fencing-lab"), ("type", "next")],
            &[]
        )),
        "bad-version"
    );
    for (kind, texts, numbers) in [
        ("", &[][..], &[][..]),
        ("explode", &[], &[]),
        ("goto", &[], &[]),
        ("goto", &[], &[("step", -1.0)]),
        ("goto", &[], &[("step", f64::NAN)]),
        ("goto", &[], &[("at", f64::INFINITY)]),
        ("set-option", &[("name", "show")], &[]),
        ("set-theme", &[], &[]),
        ("load-scenario", &[], &[]),
    ] {
        assert_eq!(
            code(asked(kind, texts, numbers)),
            "unknown-command",
            "{kind}"
        );
    }
    let long = "#".repeat(fencing_core::script::MAX_TEXT_BYTES + 1);
    assert_eq!(
        code(asked("load-scenario", &[("text", &long)], &[])),
        "bad-scenario"
    );
    let name = "x".repeat(1000);
    assert_eq!(
        code(asked("goto", &[("event", &name)], &[])),
        "unknown-command"
    );
    assert_eq!(code(asked(&name, &[], &[])), "unknown-command");
}

fn field(message: &Message, name: &str) -> Value {
    let found = message.fields.iter().find(|(known, _)| *known == name);
    found
        .unwrap_or_else(|| panic!("{name} in {message:?}"))
        .1
        .clone()
}

#[test]
fn messages_tell_what_happened() {
    let mut stage = Stage::default();
    stage.load(TEXT, None, 0, film(TEXT).into());
    let told = ready(&options("lesson=late"), &stage, false);
    assert_eq!(
        (
            field(&told, "lesson"),
            field(&told, "steps"),
            field(&told, "storage")
        ),
        ("late".into(), 7.into(), Value::Flag(false))
    );
    assert_eq!(field(&step(&stage), "text"), "".into());
    stage.go(Move::Last);
    let now = step(&stage);
    assert_eq!(field(&now, "step"), field(&now, "total"));
    assert_eq!(
        field(&now, "at"),
        Value::Number(stage.head.cursor.now_ms as f64 / 1000.0)
    );
    let all = verdicts(&stage.film, 0, stage.film.clock.total());
    assert_eq!(all.len(), 3);
    let last = &all[2];
    for (name, value) in [
        ("write", "late".into()),
        ("verdict", "rejected".into()),
        ("reason", "stale".into()),
        ("token", Value::Number(41.0)),
        ("mark", Value::Number(42.0)),
        ("anomaly", Value::Null),
        ("policy", "fenced".into()),
    ] {
        assert_eq!(field(last, name), value, "{name}");
    }
    assert_eq!(verdicts(&stage.film, stage.film.clock.total(), 0), []);
    let unfenced = fencing_core::script::parse_policy("unfenced").ok();
    let run = Run::new(TEXT, unfenced.as_ref());
    stage.rejudge(Some("unfenced".to_owned()), 0, record::film(&run).into());
    let told = verdicts(&stage.film, 0, stage.film.clock.total());
    assert_eq!(field(&told[2], "anomaly"), "stale".into());
    let whole = state(&options(""), &stage, "https://lab/#/");
    assert_eq!(
        (
            field(&whole, "text"),
            field(&whole, "policy"),
            field(&whole, "lesson")
        ),
        (TEXT.into(), "unfenced".into(), Value::Null)
    );
    assert_eq!(error("bad-scenario", "no", Some((3, 4))).fields.len(), 4);
}

fn lesson() -> Shown {
    Shown {
        base: "https://lab.example/x/".into(),
        title: "The paused holder".into(),
        link: "#/lesson/paused-holder/1".into(),
        options: vec![
            ("lesson".into(), "paused-holder".into()),
            ("at".into(), "16".into()),
        ],
        scenario: None,
    }
}

fn own() -> Shown {
    Shown {
        title: "My run".into(),
        link: "lab.html".into(),
        options: vec![("caption".into(), "a \"b\" & c".into())],
        scenario: Some(
            "resource doc: fenced\n\nA acquires\nA writes w \"<b> {{x}} `y` ${z}\" => accepted\n"
                .into(),
        ),
        ..lesson()
    }
}

const ELEMENT: &str = "<fencing-lab lesson=\"paused-holder\" at=\"16\"><a href=\"https://lab.example/x/#/lesson/paused-holder/1\">The paused holder</a></fencing-lab>";
const SCRIPT: &str =
    "<script type=\"module\" src=\"https://lab.example/x/fencing-lab.js\"></script>";

#[test]
fn snippets_for_a_lesson() {
    let texts = |host: Host| {
        snippet(host, &lesson())
            .into_iter()
            .map(|piece| piece.text)
            .collect::<Vec<_>>()
    };
    assert_eq!(texts(Host::Html), [format!("{SCRIPT}\n{ELEMENT}")]);
    assert_eq!(texts(Host::MdBook), [SCRIPT, ELEMENT]);
    assert_eq!(
        texts(Host::Docusaurus),
        [
            "scripts: [{ src: 'https://lab.example/x/fencing-lab.js', type: 'module' }],",
            ELEMENT
        ]
    );
    assert_eq!(
        texts(Host::Material),
        [
            "extra_javascript:\n  - path: https://lab.example/x/fencing-lab.js\n    type: module",
            ELEMENT
        ]
    );
    assert_eq!(texts(Host::VitePress)[1], ELEMENT);
    assert_eq!(
        texts(Host::Reveal)[1],
        format!("<section>\n{ELEMENT}\n</section>")
    );
    assert_eq!(
        texts(Host::Sphinx)[1],
        format!(
            ".. raw:: html\n\n   {ELEMENT}\n\n.. only:: not html\n\n   The paused holder: https://lab.example/x/#/lesson/paused-holder/1"
        )
    );
    assert!(
        texts(Host::Hugo)[1]
            .starts_with("{{< fencing-lab lesson=\"paused-holder\" at=\"16\" >}}<a href")
    );
}

#[test]
fn every_snippet_keeps_the_rules_of_hosts() {
    for shown in [lesson(), own()] {
        for host in Host::ALL {
            for Piece { place, text } in snippet(host, &shown) {
                let html = text
                    .trim_start_matches(".. raw:: html\n\n")
                    .split("\n\n.. only")
                    .next()
                    .unwrap();
                assert!(!html.contains("style="), "{place}: {text}");
                assert!(!html.contains("/>"), "{place}: {text}");
                assert!(
                    !html.lines().any(|line| line.trim().is_empty()),
                    "{place}: {text}"
                );
                assert!(
                    !html
                        .lines()
                        .any(|line| line.starts_with("    ") && place != "mkdocs.yml"),
                    "{place}: {text}"
                );
                assert!(!text.ends_with('\n'), "{place}: {text}");
            }
        }
    }
}

#[test]
fn a_scenario_stands_in_the_page_as_text() {
    let page = |host: Host| snippet(host, &own()).pop().unwrap().text;
    let html = "<fencing-lab caption=\"a &quot;b&quot; &amp; c\"><pre>\nresource doc: fenced\n#\nA acquires\nA writes w &quot;&lt;b&gt; {{x}} `y` ${z}&quot; =&gt; accepted\n</pre></fencing-lab>";
    let block = format!("<div>\n{html}\n</div>");
    assert_eq!(
        page(Host::Html)
            .lines()
            .skip(1)
            .collect::<Vec<_>>()
            .join("\n"),
        html
    );
    assert_eq!(page(Host::MdBook), block);
    assert_eq!(page(Host::Material), block);
    assert_eq!(page(Host::VitePress), block.replace("<pre>", "<pre v-pre>"));
    assert!(page(Host::Docusaurus).contains("<pre>{`\nresource doc: fenced\n#\nA acquires\nA writes w \"<b> {{x}} \\`y\\` \\${z}\" => accepted\n`}</pre>"));
    assert!(page(Host::Hugo).ends_with("</pre>{{< /fencing-lab >}}"));
}

#[test]
fn a_bare_frame() {
    assert_eq!(
        frame(
            "https://lab.example/x/",
            "lesson=paused-holder&at=16",
            "The paused holder",
            420
        ),
        "<iframe src=\"https://lab.example/x/?embed&amp;lesson=paused-holder&amp;at=16\" title=\"Fencing Lab: The paused holder\" width=\"100%\" height=\"420\" loading=\"lazy\" allow=\"clipboard-write; fullscreen\"></iframe>"
    );
}

#[test]
fn a_form_becomes_options() {
    let options = |form: &str| {
        let all = chosen(form).options;
        all.iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join("&")
    };
    for (form, expected) in [
        ("", ""),
        (
            "what=lesson&lesson=paused-holder&event=&show=timeline&controls=minimal&theme=auto&speed=1&caption=title",
            "lesson=paused-holder",
        ),
        (
            "lesson=x&event=late+sent&show=timeline&show=gate&controls=full",
            "lesson=x&event=late sent&show=timeline gate&controls=full",
        ),
        (
            "autoplay=true&theme=dark&unknown=1",
            "theme=dark&autoplay=true",
        ),
        ("what=own&lesson=x&event=late&text=A+acquires", ""),
    ] {
        assert_eq!(options(form), expected, "{form}");
    }
    let own = chosen("what=own&text=A+acquires%0A&host=dark&width=340");
    assert_eq!(
        (own.scenario.as_deref(), own.width, own.dark),
        (Some("A acquires"), Some(340), true)
    );
    assert_eq!(chosen("width=fluid").width, None);
}

#[test]
fn places_to_start_at_can_be_found_again() {
    let run = Run::new(TEXT, None);
    let all = places(&run);
    let labels: Vec<&str> = all.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(
        labels,
        [
            "draft is accepted, 3 s",
            "A pauses, 4 s",
            "final is accepted, 15 s",
            "A resumes, 17 s",
            "late is rejected, 18 s"
        ]
    );
    for (name, _) in all {
        assert!(Start::Event(name).way(&film(TEXT)).is_some());
    }
}
