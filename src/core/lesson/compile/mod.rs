//! The lesson compiler: Markdown to [`Lesson`], or all that is wrong with it.
//!
//! Runs at build time. Whatever a lesson says of its runs is compared with the simulation; a claim
//! that does not hold, an unknown event or a formal slip is a [`Complaint`] with its line. One
//! complaint does not hide another, and what only depends on a broken part is not complained about.
//!
//! Reading order: `markdown` (the text in pieces), `settings` (the TOML in it), `scenes` (the runs),
//! `anchor` (labels to places), `beat` (one screen), `subject`, `question` and `table` (claims),
//! `wording`.

mod anchor;
mod beat;
mod early;
mod films;
mod markdown;
mod question;
mod scenes;
mod settings;
mod subject;
mod table;
mod wording;

use super::{CHAPTERS, Lesson, Stand};
pub use films::{edition, files, play};
use markdown::{Block, Document};
use scenes::{Played, Scenes};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::rc::Rc;
use toml::Spanned;

/// Longest summary, in characters: search engines cut there.
const MAX_SUMMARY_CHARS: usize = 160;

/// What is wrong with a lesson. Its `Display` is `file:line: reason`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    /// The file, as named by the caller.
    pub file: String,
    /// Line of the file, from 1.
    pub line: usize,
    /// What is wrong and, where possible, what would be right; one line without a full stop.
    pub reason: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.reason)
    }
}

impl std::error::Error for Complaint {}

/// A lesson file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path, for complaints; its last part is `NN-slug.md`.
    pub file: String,
    /// All of its text.
    pub text: String,
}

/// What is wrong in one file: line and reason.
#[derive(Default)]
struct Problems(Vec<(usize, String)>);

impl Problems {
    fn add(&mut self, line: usize, reason: impl Into<String>) {
        self.0.push((line, reason.into().replace('\n', "; ")));
    }

    /// The value, or `None` after a complaint.
    fn ok<T>(&mut self, line: usize, result: Result<T, String>) -> Option<T> {
        result.map_err(|reason| self.add(line, reason)).ok()
    }
}

/// What a beat shows: the runs and two places in them, each `None` after a complaint about it.
struct Stage {
    /// At least one.
    panes: Option<Vec<Rc<Played>>>,
    stand: Option<Stand>,
    /// Where its act leads.
    until: Option<Stand>,
}

/// Compiles one lesson, or says all that is wrong with it, in line order.
pub fn compile(source: &Source) -> Result<Lesson, Vec<Complaint>> {
    let text = source.text.replace("\r\n", "\n");
    let mut problems = Problems::default();
    let lesson = read(&source.file, &text, &mut problems);
    let complaint = |(line, reason)| Complaint {
        file: source.file.clone(),
        line,
        reason,
    };
    let mut complaints: Vec<Complaint> = problems.0.into_iter().map(complaint).collect();
    complaints.sort();
    complaints.dedup();
    if complaints.is_empty() {
        Ok(lesson)
    } else {
        Err(complaints)
    }
}

/// Compiles lessons that belong together: their numbers are 01, 02, … without a gap, and no slug
/// occurs twice. Returns them in the order of their numbers.
pub fn compile_all(sources: &[Source]) -> Result<Vec<Lesson>, Vec<Complaint>> {
    let (mut lessons, mut complaints) = (Vec::new(), Vec::new());
    for source in sources {
        match compile(source) {
            Ok(lesson) => lessons.push(lesson),
            Err(found) => complaints.extend(found),
        }
    }
    complaints.extend(numbering(sources));
    if !complaints.is_empty() {
        return Err(complaints);
    }
    lessons.sort_by_key(|lesson| lesson.number);
    Ok(lessons)
}

/// Compiles all `*.md` files of a folder; a file or folder that cannot be read is a complaint too.
pub fn compile_folder(folder: &Path) -> Result<Vec<Lesson>, Vec<Complaint>> {
    let unreadable = |path: &Path, error: std::io::Error| {
        vec![Complaint {
            file: path.display().to_string(),
            line: 1,
            reason: format!("cannot be read: {error}"),
        }]
    };
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|error| unreadable(folder, error))?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let mut sources = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
        let file = path.display().to_string();
        sources.push(Source { file, text });
    }
    compile_all(&sources)
}

/// Complaints about the names of all files together.
fn numbering(sources: &[Source]) -> Vec<Complaint> {
    let names = sources
        .iter()
        .filter_map(|s| Some((file_name(&s.file)?, s)));
    let mut names: Vec<((u32, &str), &Source)> = names.collect();
    names.sort_by_key(|((number, _), source)| (*number, &source.file));
    let mut complaints = Vec::new();
    let mut slugs: BTreeMap<&str, &str> = BTreeMap::new();
    let mut last = 0;
    for ((number, slug), source) in names {
        let mut complain = |reason: String| {
            complaints.push(Complaint {
                file: source.file.clone(),
                line: 1,
                reason,
            });
        };
        if number != last + 1 {
            complain(format!(
                "lesson {number:02} follows lesson {last:02}: numbers have no gaps and no repetitions"
            ));
        }
        last = number;
        if let Some(other) = slugs.insert(slug, &source.file) {
            complain(format!("the name `{slug}` is taken by {other}"));
        }
    }
    complaints
}

/// Number and slug of `…/NN-slug.md`.
fn file_name(file: &str) -> Option<(u32, &str)> {
    let name = file.rsplit(['/', '\\']).next()?.strip_suffix(".md")?;
    let (number, slug) = name.split_once('-')?;
    let is_number = number.len() == 2 && number.bytes().all(|b| b.is_ascii_digit());
    let is_slug = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let is_good = is_number && !slug.is_empty() && slug.bytes().all(is_slug);
    Some((number.parse().ok().filter(|_| is_good)?, slug))
}

/// Reads all of a lesson; what is wrong is left out or replaced, and complained about.
fn read(file: &str, text: &str, problems: &mut Problems) -> Lesson {
    let name = file_name(file);
    if name.is_none() {
        problems.add(
            1,
            "the file is not named like `07-some-words.md` (two digits, then lower case words)",
        );
    }
    let (number, slug) = name.unwrap_or_default();
    wording::check(text, problems);
    let document = markdown::read(text, problems);
    let mut lesson = Lesson {
        number,
        slug: slug.to_owned(),
        title: String::new(),
        chapter: 0,
        summary: String::new(),
        runs: Vec::new(),
        beats: Vec::new(),
        notes: wild(&document, problems).unwrap_or_default(),
    };
    match &document.front {
        Some(block) => front(block, &mut lesson, problems),
        None => problems.add(
            1,
            "the file does not start with `title`, `chapter` and `summary` between lines of `+++`",
        ),
    }
    let mut scenes = Scenes::read(&document.runs, problems);
    if document.beats.is_empty() {
        problems.add(1, "a lesson has at least one beat: a heading with `##`");
    }
    lesson.beats = beat::read_all(&document.beats, &mut scenes, problems);
    lesson.runs = scenes.runs();
    lesson
}

fn front(block: &Block, lesson: &mut Lesson, problems: &mut Problems) {
    let Some(front) = settings::read::<settings::Front>(block, problems) else {
        return;
    };
    lesson.notes += &sources(&front.sources, block, problems);
    let mut required = |value: &Option<Spanned<String>>, key: &str| match value {
        Some(text) if !text.get_ref().trim().is_empty() => {
            Some((text.get_ref().clone(), block.line_of(text)))
        }
        _ => {
            let line = value
                .as_ref()
                .map_or(block.opens, |text| block.line_of(text));
            problems.add(line, format!("`{key}` is missing"));
            None
        }
    };
    let title = required(&front.title, "title");
    let chapter = required(&front.chapter, "chapter");
    let summary = required(&front.summary, "summary");
    if let Some((summary, line)) = summary {
        settings::short(&summary, MAX_SUMMARY_CHARS, "a summary", line, problems);
        lesson.summary = summary;
    }
    lesson.title = title.map(|(title, _)| title).unwrap_or_default();
    if let Some((chapter, line)) = chapter {
        let index = CHAPTERS.iter().position(|name| *name == chapter);
        let known = index.ok_or_else(|| {
            let list: Vec<String> = CHAPTERS.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "unknown chapter `{chapter}`: the chapters are {}",
                list.join(", ")
            )
        });
        lesson.chapter = problems.ok(line, known).unwrap_or(0);
    }
}

/// Where more can be read, as HTML.
fn sources(all: &[Spanned<String>], block: &Block, problems: &mut Problems) -> String {
    let mut listed = Vec::new();
    for source in all {
        let line = block.line_of(source);
        let html = markdown::inline(source.get_ref(), line, problems);
        for reference in html.references {
            let text = "a source is outside the lesson: it cannot point into the picture";
            problems.add(reference.line, text);
        }
        listed.push(html.text);
    }
    match listed.is_empty() {
        true => String::new(),
        false => format!("<p class=\"note\">Sources: {}.</p>", listed.join("; ")),
    }
}

/// The one note "Seen in the wild", in one of the last two beats.
fn wild(document: &Document, problems: &mut Problems) -> Option<String> {
    let mut note = None;
    let early = document.beats.len().saturating_sub(2);
    for (index, beat) in document.beats.iter().enumerate() {
        for (html, line) in &beat.wild {
            if note.is_some() {
                problems.add(*line, "a second “Seen in the wild” note: a lesson has one");
            } else if index < early {
                problems.add(
                    *line,
                    "a “Seen in the wild” note stands in the last or second-last beat",
                );
            }
            note = Some(html.clone());
        }
    }
    note
}
