//! The address of every state: which page, which lesson and beat, where the cursor stands, under
//! which policy, with which edits.
//!
//! [`parse`] is total: whatever is damaged is left out with a notice that says what and what was
//! done instead, and old addresses keep working. The text of edits is packed (raw deflate in
//! URL-safe base64) by whoever has a compressor; here it is an opaque word.

/// Longest packed text that is accepted, in characters.
pub const MAX_PACKED: usize = 100_000;

/// Longest policy that is accepted, in bytes.
const MAX_POLICY: usize = 200;

/// A page of the app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// The start: all lessons.
    #[default]
    Home,
    /// A lesson.
    Lesson {
        /// Its name.
        slug: String,
        /// Index of the beat.
        beat: usize,
    },
    /// The story of the front page, to play with.
    Play,
    /// The lab: a page of its own.
    Lab(LabView),
    /// The embed builder.
    Embed,
    /// About the project, its accessibility, the keys.
    Docs,
}

/// A view of the lab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabView {
    /// The picture.
    #[default]
    Run,
    /// Several policies under one run.
    Compare,
    /// The search for a failure.
    Explore,
}

impl LabView {
    /// All, in the order of the tabs.
    pub const ALL: [LabView; 3] = [LabView::Run, LabView::Compare, LabView::Explore];

    /// As in addresses.
    pub fn name(self) -> &'static str {
        match self {
            LabView::Run => "run",
            LabView::Compare => "compare",
            LabView::Explore => "explore",
        }
    }
}

/// What an address says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// Which page.
    pub page: Page,
    /// How many moments have passed.
    pub step: Option<usize>,
    /// The policy of the switch, in words of the language; whether it is one is for others to say.
    pub policy: Option<String>,
    /// The packed text, where it is not the lesson's own.
    pub packed: Option<String>,
}

/// The link of a fragment (without `#`), and a notice for each thing in it that makes no sense.
pub fn parse(fragment: &str) -> (Link, Vec<String>) {
    let (path, query) = fragment.split_once('?').unwrap_or((fragment, ""));
    let mut notices = Vec::new();
    let mut link = Link {
        page: page(path, &mut notices),
        ..Link::default()
    };
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "step" => match value.parse() {
                Ok(step) => link.step = Some(step),
                Err(_) => notices.push(wrong(
                    "step",
                    &value,
                    "a number",
                    "it starts at the beginning",
                )),
            },
            "policy" if value.len() <= MAX_POLICY => link.policy = Some(value.into_owned()),
            "policy" => notices.push(wrong(
                "policy",
                &value,
                "a policy of the language",
                "the run keeps its own",
            )),
            "s" if value.len() <= MAX_PACKED && value.bytes().all(is_base64) => {
                link.packed = Some(value.into_owned());
            }
            "s" => notices.push(
                "The scenario in this address is damaged or too long; it is left out.".to_owned(),
            ),
            // Other words may come from newer versions or from hosts.
            _ => {}
        }
    }
    (link, notices)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// The notice about a part of an address that makes no sense.
pub(crate) fn wrong(name: &str, found: &str, expected: &str, instead: &str) -> String {
    let found: String = found.chars().take(30).collect();
    [
        "The ",
        name,
        " “",
        &found,
        "” of this address is not ",
        expected,
        "; ",
        instead,
        ".",
    ]
    .concat()
}

fn page(path: &str, notices: &mut Vec<String>) -> Page {
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    match (parts.next(), parts.next(), parts.next()) {
        (None, ..) => Page::Home,
        (Some("lesson"), Some(slug), beat) => Page::Lesson {
            slug: slug.to_owned(),
            // Beats count from 1 for people.
            beat: beat
                .and_then(|b| b.parse::<usize>().ok())
                .unwrap_or(1)
                .saturating_sub(1),
        },
        (Some("lab"), view, _) => {
            let known = LabView::ALL
                .into_iter()
                .find(|known| view == Some(known.name()));
            Page::Lab(known.unwrap_or_default())
        }
        (Some("play"), ..) => Page::Play,
        (Some("embed"), ..) => Page::Embed,
        (Some("docs"), ..) => Page::Docs,
        (Some(other), ..) => {
            let other: String = other.chars().take(30).collect();
            notices.push(
                [
                    "There is no page “",
                    &other,
                    "” here. These are all lessons.",
                ]
                .concat(),
            );
            Page::Home
        }
    }
}

/// The fragment of a link; [`parse`] reads it back.
pub fn print(link: &Link) -> String {
    let mut out = match &link.page {
        Page::Home => "/".to_owned(),
        Page::Lesson { slug, beat } => ["/lesson/", slug, "/", &(beat + 1).to_string()].concat(),
        Page::Lab(LabView::Run) => "/lab".to_owned(),
        Page::Lab(view) => ["/lab/", view.name()].concat(),
        Page::Play => "/play".to_owned(),
        Page::Embed => "/embed".to_owned(),
        Page::Docs => "/docs".to_owned(),
    };
    let mut query = form_urlencoded::Serializer::new(String::new());
    if let Some(step) = link.step {
        query.append_pair("step", &step.to_string());
    }
    if let Some(policy) = &link.policy {
        query.append_pair("policy", policy);
    }
    if let Some(packed) = &link.packed {
        query.append_pair("s", packed);
    }
    let query = query.finish();
    if !query.is_empty() {
        out.push('?');
        out.push_str(&query);
    }
    out
}
