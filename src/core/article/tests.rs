//! The pages of the app's own lessons.

use super::*;
use crate::lesson::compile_folder;
use std::collections::BTreeSet;
use std::path::Path;

const SITE: &str = "https://lab.example/fencing/";

fn lessons() -> Vec<Lesson> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lesson/lessons");
    compile_folder(&folder).unwrap()
}

/// The markup in one element, and as strict as XML.
fn xml(markup: &str) -> String {
    let markup = markup.replace("<details class=\"transcript\" open>", "<details>");
    ["<div>", &markup, "</div>"].concat()
}

/// The text of an element, and of all in it but details where `closed`.
fn words(node: roxmltree::Node, closed: bool) -> String {
    if closed && node.has_tag_name("details") {
        return String::new();
    }
    match node.text().filter(|_| node.is_text()) {
        Some(text) => text.to_owned(),
        None => node.children().map(|child| words(child, closed)).collect(),
    }
}

/// Markup of a lesson without its tags.
fn plain(markup: &str) -> String {
    let wrapped = ["<p>", markup, "</p>"].concat();
    let parsed = roxmltree::Document::parse(&wrapped).unwrap();
    words(parsed.root_element(), false)
}

#[test]
fn everything_of_a_lesson_is_on_its_page() {
    let lessons = lessons();
    for (index, lesson) in lessons.iter().enumerate() {
        let markup = xml(&body(&lessons, index));
        let parsed = roxmltree::Document::parse(&markup).unwrap();
        let page = words(parsed.root_element(), false);
        let has = |text: &str| assert!(page.contains(text), "{}: {text}", lesson.slug);
        has(&lesson.title);
        for beat in &lesson.beats {
            has(&beat.title);
            has(&plain(&beat.html));
            for choice in beat.predict.iter().flat_map(|asked| &asked.choices) {
                has(&choice.label);
                has(&plain(&choice.explain));
            }
            for (row, cells) in beat.table.iter().flat_map(|table| &table.rows) {
                has(row);
                cells.iter().for_each(|cell| has(&cell.text));
            }
        }
        has(&plain(&lesson.notes));
        for (_, sentence) in Stage::new(lesson)
            .played
            .iter()
            .flat_map(|shown| narration::transcript(shown.run.scenario(), &shown.run.trace))
        {
            has(&sentence);
        }
    }
}

#[test]
fn pages_hold_to_the_content_security_policy_and_name_nothing_twice() {
    let lessons = lessons();
    for index in 0..lessons.len() {
        let markup = xml(&body(&lessons, index));
        let parsed = roxmltree::Document::parse(&markup).unwrap();
        let mut ids = BTreeSet::new();
        for node in parsed.descendants().filter(|node| node.is_element()) {
            assert!(!matches!(
                node.tag_name().name(),
                "script" | "style" | "button"
            ));
            for attribute in node.attributes() {
                let name = attribute.name();
                assert!(name != "style" && !name.starts_with("on"), "{name}");
                assert!(
                    name != "id" || ids.insert(attribute.value()),
                    "{attribute:?}"
                );
                if let Some(id) = attribute.value().strip_prefix("url(#") {
                    assert!(ids.contains(id.trim_end_matches(')')), "{id}");
                }
            }
        }
        assert!(ids.len() > 4, "{ids:?}");
    }
}

/// What a caption says of a place in a run.
fn sentence(stage: &Stage, pane: &crate::lesson::Pane, at: crate::lesson::Stand) -> String {
    let shown = stage.played.iter().find(|shown| shown.is_of(pane)).unwrap();
    let last = at.moments_passed(&shown.run.clock) - 1;
    narration::moment(shown.run.scenario(), &shown.run.trace, last)
}

#[test]
fn answers_are_out_of_sight_until_asked_for() {
    let lessons = lessons();
    let mut asked = 0;
    for (index, lesson) in lessons.iter().enumerate() {
        let markup = xml(&body(&lessons, index));
        let parsed = roxmltree::Document::parse(&markup).unwrap();
        let sections = parsed.descendants().filter(|n| n.has_tag_name("section"));
        let stage = Stage::new(lesson);
        for (section, beat) in sections.zip(&lesson.beats) {
            let (Some(question), Some(act)) = (&beat.predict, &beat.act) else {
                continue;
            };
            asked += 1;
            let (open, all) = (words(section, true), words(section, false));
            let told = sentence(&stage, &beat.panes[0], act.until);
            assert!(all.contains(&told), "{}: {told}", lesson.slug);
            assert!(!open.contains(&told), "{}: {told}", lesson.slug);
            let tables = |closed| {
                let shown = section.descendants().filter(|n| n.has_tag_name("table"));
                shown
                    .filter(|n| n.ancestors().any(|a| a.has_tag_name("details")) == closed)
                    .count()
            };
            assert_eq!(tables(true), beat.table.iter().count());
            assert_eq!(tables(false), 0);
            for choice in &question.choices {
                assert!(open.contains(&choice.label));
                assert!(!open.contains(&plain(&choice.explain)));
            }
        }
    }
    assert!(asked >= lessons.len());
}

#[test]
fn pictures_show_nothing_of_what_comes() {
    let lessons = lessons();
    let stage = Stage::new(&lessons[0]);
    let run = &stage.played[0].run;
    let total = run.trace.moments.len();
    let drawn = |passed: usize| {
        let mut out = Html::default();
        let beat = &lessons[0].beats[0];
        let at = crate::lesson::Stand {
            at_secs: run.trace.secs_passed(passed),
            nth: run.clock.nth_of_instant(passed),
        };
        let act = crate::lesson::Act {
            label: "Go".to_owned(),
            until: at,
        };
        Pictures::default().draw(&mut out, &stage, &Scene::after(beat, &act));
        (
            out.0.matches("class=\"it\"").count(),
            out.0.contains("<clipPath"),
        )
    };
    for passed in 1..total {
        let (now, next) = (drawn(passed), drawn(passed + 1));
        assert!(now.0 <= next.0 && now.1, "{passed}: {now:?} {next:?}");
    }
    assert!(drawn(1).0 < drawn(total).0 / 2);
    assert!(!drawn(total).1);
}

#[test]
fn pages_lead_to_their_neighbours_and_to_the_app() {
    let lessons = lessons();
    let last = lessons.len() - 1;
    for (index, before, after) in [
        (0, None, Some(1)),
        (1, Some(0), Some(2)),
        (last, Some(last - 1), None),
    ] {
        let markup = body(&lessons, index);
        let link = |rel: &str, to: Option<usize>| match to {
            Some(to) => {
                let href = ["rel=\"", rel, "\" href=\"", &address(&lessons[to]), "\""].concat();
                assert!(markup.contains(&href), "{href}");
            }
            None => assert!(!markup.contains(&["rel=\"", rel, "\""].concat())),
        };
        link("prev", before);
        link("next", after);
        assert!(markup.contains(&["href=\"./#/lesson/", &lessons[index].slug, "/1\""].concat()));
    }
    assert_eq!(body(&lessons, last + 1), "");
}

#[test]
fn absolute_addresses_are_written_where_the_site_is_known() {
    let lessons = lessons();
    let page = [SITE, "lessons/paused-holder.html"].concat();
    let with = head(&lessons[0], Some(SITE));
    assert!(with.contains(&["rel=\"canonical\" href=\"", &page, "\""].concat()));
    assert!(with.contains(&["og:url\" content=\"", &page, "\""].concat()));
    assert!(
        with.contains(
            "og:image\" content=\"https://lab.example/fencing/lessons/paused-holder.png\""
        )
    );
    let without = head(&lessons[0], None);
    assert!(!without.contains("http") && !without.contains("og:image"));
    assert!(without.contains("rel=\"canonical\" href=\"lessons/paused-holder.html\""));
    let map = sitemap(&lessons, SITE);
    let map = roxmltree::Document::parse(&map).unwrap();
    let places = map.descendants().filter(|node| node.has_tag_name("loc"));
    let places: Vec<&str> = places.filter_map(|node| node.text()).collect();
    assert_eq!(places.len(), lessons.len() + 2);
    assert!(places.contains(&SITE) && places.contains(&page.as_str()));
}

#[test]
fn all_lessons_are_in_the_list_by_chapter() {
    let lessons = lessons();
    let markup = list(&lessons);
    let mut rest = markup.as_str();
    for lesson in &lessons {
        let link = ["href=\"", &address(lesson), "\">", &lesson.title].concat();
        rest = &rest[rest.find(&link).unwrap()..];
    }
    for chapter in CHAPTERS {
        assert!(markup.contains(chapter));
    }
}

#[test]
fn cards_and_images_are_svg_and_cards_have_their_colours_written_out() {
    for lesson in lessons() {
        let (card, image) = (card(&lesson), image(&lesson));
        roxmltree::Document::parse(&card).unwrap();
        roxmltree::Document::parse(&image).unwrap();
        assert!(image.contains("var(--ink)") && !card.contains("var("));
        assert!(card.contains("[data-who=a] .lease"));
    }
}
