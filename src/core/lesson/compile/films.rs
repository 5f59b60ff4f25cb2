//! The films of lessons and the files that hold them.

use super::early;
use crate::diagram::{Density, Frame};
use crate::film::{Film, Heights};
use crate::lesson::{
    Edition, Front, Lesson, Plates, Reel, WIDTHS, lesson_file, pair_width, plates_file,
};
use crate::page;
use crate::record;
use crate::script;
use crate::session::Run;
use crate::sim::{Base, Policy};
use crate::wire::to_bytes;

/// The lesson whose run is the story at the top of the home page.
const STORY: usize = 3;

/// All files that the app fetches, by their path beside the page.
pub fn files(lessons: &[Lesson]) -> Vec<(String, Vec<u8>)> {
    let cards = early::cards(lessons);
    let mut files = Vec::new();
    let mut add = |name: String, bytes: Vec<u8>| files.push((name, bytes));
    for lesson in lessons {
        let mut edition = edition(lesson);
        for width in WIDTHS {
            let shot = [
                (Density::Full, plates(&edition, width)),
                (Density::Embed, embedded(&edition, width)),
            ];
            for (density, plates) in shot {
                note_heights(&mut edition, &plates);
                add(plates_file(&lesson.slug, width, density), to_bytes(&plates));
            }
        }
        let (name, bytes) = (lesson_file(&lesson.slug), to_bytes(&edition));
        let page = early::page(&page::reading::address(&lesson.slug), &name, &bytes, cards);
        add(early_file(&lesson.slug), page.into_bytes());
        add(name, bytes);
    }
    let (name, bytes) = (lesson_file("home"), to_bytes(&front(lessons)));
    let page = early::page("#/", &name, &bytes, cards);
    add(early_file("home"), page.into_bytes());
    add(name, bytes);
    for width in WIDTHS {
        let name = plates_file("home", width, Density::Hero);
        add(name, to_bytes(&hero(lessons, width)));
    }
    files
}

/// See `src/boot.js`.
fn early_file(slug: &str) -> String {
    ["lessons/", slug, ".early.txt"].concat()
}

/// Notes in the films how high their pictures of the next width are.
fn note_heights(edition: &mut Edition, plates: &Plates) {
    for (reel, picture) in plates {
        let heights = &mut edition.reels[*reel].film.heights;
        let (density, px) = (picture.density, picture.height.ceil() as u64);
        match heights.iter_mut().find(|one| one.density == density) {
            Some(one) => one.px.push(px),
            None => heights.push(Heights {
                density,
                px: vec![px],
            }),
        }
    }
}

/// The lesson with all films that its beats and its embeds can show.
pub fn edition(lesson: &Lesson) -> Edition {
    let mut wanted: Vec<(usize, Option<String>)> = Vec::new();
    let mut want = |run: usize, policy: Option<String>| {
        if !wanted.contains(&(run, policy.clone())) {
            wanted.push((run, policy));
        }
    };
    for beat in &lesson.beats {
        for pane in &beat.panes {
            want(pane.run, pane.policy.clone());
        }
        if let Some(first) = beat.panes.first() {
            beat.policies
                .iter()
                .for_each(|policy| want(first.run, Some(policy.clone())));
        }
    }
    // An embed shows the main run as it is, and offers one other policy.
    want(0, None);
    let own = play(lesson, 0, None);
    want(0, Some(embed_policy(&own)));
    let reels = wanted
        .into_iter()
        .map(|(run, policy)| {
            let played = play(lesson, run, policy.as_deref());
            Reel {
                film: record::film(&played),
                run,
                policy,
            }
        })
        .collect();
    Edition {
        lesson: lesson.clone(),
        reels,
    }
}

/// The policy that an embed offers beside the run's own: none, or fencing where there is none.
fn embed_policy(run: &Run) -> String {
    let own = run.scenario().resources.first().map(|r| &r.policy);
    let unfenced = Policy::of(Base::Unfenced);
    if own == Some(&unfenced) {
        Policy::of(Base::Fenced).to_string()
    } else {
        unfenced.to_string()
    }
}

/// A run of a lesson under a policy as the lesson writes it.
pub fn play(lesson: &Lesson, run: usize, policy: Option<&str>) -> Run {
    let text = lesson.runs.get(run).map_or("", |run| run.text.as_str());
    // The compiler has refused policies that are none.
    let policy = policy.and_then(|policy| script::parse_policy(policy).ok());
    Run::new(text, policy.as_ref())
}

fn plates(edition: &Edition, width: u32) -> Plates {
    let beats = &edition.lesson.beats;
    let beside = |reel: &Reel| {
        let shows = |beat: &crate::lesson::Beat| {
            beat.panes.len() > 1
                && (beat.panes.iter()).any(|p| p.run == reel.run && p.policy == reel.policy)
        };
        beats.iter().any(shows)
    };
    let room = f64::from(width);
    let mut plates = shoot(edition, |_| Some((room, Density::Full)));
    plates.extend(shoot(edition, |reel| {
        beside(reel).then_some((pair_width(room), Density::Pair))
    }));
    plates
}

fn embedded(edition: &Edition, width: u32) -> Plates {
    shoot(edition, |reel| {
        (reel.run == 0).then_some((f64::from(width), Density::Embed))
    })
}

fn shoot(edition: &Edition, frame: impl Fn(&Reel) -> Option<(f64, Density)>) -> Plates {
    let mut plates = Plates::new();
    for (index, reel) in edition.reels.iter().enumerate() {
        if let Some((width, density)) = frame(reel) {
            let run = play(&edition.lesson, reel.run, reel.policy.as_deref());
            let frame = Frame::of(width, density);
            plates.push((index, record::picture(&run, &frame)));
        }
    }
    plates
}

fn front(lessons: &[Lesson]) -> Front {
    let text = story(lessons).and_then(|lesson| lesson.runs.first());
    Front {
        minis: lessons.iter().map(miniature).collect(),
        text: text.map_or(String::new(), |run| run.text.clone()),
        film: story(lessons).map_or(Film::default(), |lesson| {
            record::film(&play(lesson, 0, None))
        }),
    }
}

fn story(lessons: &[Lesson]) -> Option<&Lesson> {
    lessons.get(STORY).or(lessons.first())
}

fn hero(lessons: &[Lesson], width: u32) -> Plates {
    let picture = |lesson| {
        let frame = Frame::of(f64::from(width), Density::Hero);
        (0, record::picture(&play(lesson, 0, None), &frame))
    };
    story(lessons).map(picture).into_iter().collect()
}

fn miniature(lesson: &Lesson) -> String {
    let frame = Frame::of(165.0, Density::Mini);
    let picture = record::picture(&play(lesson, 0, None), &frame);
    let mut markup = picture.ground;
    for piece in picture.bars.iter().chain(&picture.marks) {
        markup.push_str(&piece.group(""));
    }
    markup
}
