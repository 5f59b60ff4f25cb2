//! What is shown while the app is still on its way: its first page of a lesson, or of the home page,
//! without what needs the app. The app finds it on the page and goes on from there.

use crate::app::{App, Do, Start};
use crate::lesson::{Card, Lesson};
use crate::page;

/// What is left out, from a beginning up to an end: what depends on the reader, on the room for
/// pictures, or is closed at first.
const LATER: [(&str, &str); 4] = [
    ("<nav class=\"menu lessons\"", "</details>"),
    ("<section id=\"stage\"", "</main>"),
    ("<div id=\"lessons\"", "</main>"),
    ("<p class=\"cta\"", "</section>"),
];

/// The cards of all lessons, for as long as the compiler runs.
pub fn cards(lessons: &[Lesson]) -> &'static [Card] {
    let card = |lesson: &Lesson| Card {
        number: lesson.number,
        slug: lesson.slug.clone().leak(),
        title: lesson.title.clone().leak(),
        chapter: lesson.chapter,
    };
    lessons.iter().map(card).collect::<Vec<_>>().leak()
}

/// The markup for an address (`#/…`), whose page needs one file.
pub fn page(address: &str, file: &str, bytes: &[u8], cards: &'static [Card]) -> String {
    let start = Start {
        fragment: address.trim_start_matches('#').to_owned(),
        ..Start::default()
    };
    let (mut app, _) = App::start(start, cards);
    app.update(Do::Fetched(file.to_owned(), Ok(bytes.to_vec())), &|_| None);
    let mut markup = page::page(&app).html.0;
    for (from, to) in LATER {
        let start = markup.find(from);
        let range = start.and_then(|start| Some(start..start + markup[start..].find(to)?));
        if let Some(range) = range {
            markup.replace_range(range, "");
        }
    }
    markup
}
