//! The app as a value: what it knows, what can be done, and what that asks of the browser.
//!
//! Invariants
//! - [`App::update`] is the only way in which the state changes; it is pure but for the simulation,
//!   which is handed to it. What only a browser can do is returned as [`Job`]s, and their results
//!   come back as [`Do`]s.
//! - Whatever an address, a file or a store says, there is a page: the nearest sensible one, with a
//!   notice.

mod doing;
mod framed;
mod going;

pub use doing::{Do, Job};
pub use framed::{Frame, Host, Outside, heading};

use crate::actions::Group;
use crate::course::Course;
use crate::diagram::Density;
use crate::engine::{Answer, Ask, Question};
use crate::film::Picture;
use crate::lesson::{Card, Front, Plates};
use crate::link::Link;
use crate::page::stage::Beside;
use crate::panels::RuleForm;
use crate::playhead::{Cursor, Move};
use crate::progress::Progress;
use crate::stage::Stage;
use crate::wire;

/// The simulation: answers to questions, as bytes; `None` while it is not there.
pub type Engine<'a> = &'a dyn Fn(&[u8]) -> Option<Vec<u8>>;

/// See the module.
#[derive(Default)]
pub struct App {
    /// All lessons.
    pub cards: &'static [Card],
    /// The address, understood.
    pub link: Link,
    /// What the reader should know.
    pub notices: Vec<String>,
    /// How far lessons were read.
    pub progress: Progress,
    /// Dark instead of light.
    pub dark: bool,
    /// The room for a picture, in px.
    pub width: f64,
    /// What prose points at, as in `data-ref`.
    pub lit: Option<String>,
    /// Which form of the resource's rule is in front.
    pub form: RuleForm,
    /// What is shown.
    pub screen: Screen,
    /// The run that is shown.
    pub stage: Stage,
    /// What can be done at the cursor; empty until somebody wants to know.
    pub offers: Vec<Group>,
    /// Why something cannot be done now.
    pub why: String,
    /// The list of keys is shown.
    pub help: bool,
    /// The learner looks at what can be done.
    trying: bool,
    /// Where the offers were made.
    offered: Option<(String, Cursor)>,
    /// The name of a file of pictures, and what is in it.
    plates: (String, Plates),
    /// The files that were asked for and have not come.
    awaited: Vec<String>,
    /// Files of pictures that could not be loaded.
    missing: Vec<String>,
    /// What waits for the simulation.
    pending: Vec<Do>,
    /// The simulation is on its way.
    loading: bool,
    /// A text and its packed form.
    packed: (String, String),
    /// The text that the page keeps, should the app stop.
    kept: String,
}

/// What is shown.
#[derive(Default)]
pub enum Screen {
    /// Something is on its way.
    #[default]
    Blank,
    /// The same, and that it may take a while.
    Waiting(&'static str),
    /// Something did not come: a sentence.
    Failed(String),
    /// The start.
    Home(Box<Front>),
    /// A lesson.
    Lesson(Box<Course>),
    /// The story, to play with: its text.
    Play(String),
    /// About the project.
    Docs,
    /// In a page of somebody else's.
    Embed(Box<Frame>),
}

/// What the browser knows when the app starts.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The fragment of the address, without `#`.
    pub fragment: String,
    /// The stored progress.
    pub progress: Option<String>,
    /// Dark instead of light.
    pub dark: bool,
    /// Jumps instead of motion.
    pub reduced_motion: bool,
    /// The width of the window, in px.
    pub window_width: f64,
    /// The page of somebody else's that the app is in; `None`: it has its own.
    pub host: Option<Host>,
}

impl App {
    /// The app at an address, and what has to be done first.
    pub fn start(start: Start, cards: &'static [Card]) -> (App, Vec<Job>) {
        let mut app = App {
            cards,
            progress: Progress::parse(&start.progress.unwrap_or_default()),
            dark: start.dark,
            width: likely_room(start.window_width),
            ..App::default()
        };
        app.stage.go(Move::SetReducedMotion(start.reduced_motion));
        let jobs = match start.host {
            Some(host) => app.start_framed(host, &start.fragment),
            None => app.go_to(&start.fragment),
        };
        (app, jobs)
    }

    /// Whether time runs.
    pub fn is_playing(&self) -> bool {
        self.stage.head.is_playing()
    }

    /// The picture of the film on stage.
    pub fn picture(&self) -> Option<&Picture> {
        match &self.stage.picture {
            Some(picture) => Some(picture),
            None => self.plate(self.stage.reel?, self.density()),
        }
    }

    /// The runs that are shown side by side, if they are.
    pub fn beside(&self) -> Vec<Beside<'_>> {
        let Screen::Lesson(course) = &self.screen else {
            return Vec::new();
        };
        if course.is_free(&self.stage) {
            return Vec::new();
        }
        let leader = &self.stage.film.clock;
        let mut runs = Vec::new();
        for (index, film) in course.beside() {
            runs.push(Beside {
                film,
                picture: self.plate(index, Density::Pair),
                cursor: self.stage.head.beside(leader, &film.clock),
            });
        }
        runs
    }

    fn plate(&self, reel: usize, density: Density) -> Option<&Picture> {
        let of = |density: Density| {
            let is_meant =
                |plate: &&(usize, Picture)| plate.0 == reel && plate.1.density == density;
            let found = self.plates.1.iter().find(is_meant);
            found.map(|(_, picture)| picture)
        };
        // Where there are few pictures, those of the lesson stand in for those of an embed.
        let is_embed = density == Density::Embed;
        of(density).or_else(|| of(Density::Full).filter(|_| is_embed))
    }

    /// How much room the page gives to its picture.
    pub(crate) fn density(&self) -> Density {
        match self.screen {
            Screen::Home(_) => Density::Hero,
            Screen::Embed(_) => Density::Embed,
            _ => Density::Full,
        }
    }

    /// Asks the simulation about a text; `None` while it is not there.
    fn ask(&self, ask: Ask, text: &str, policy: Option<&str>, engine: Engine) -> Option<Answer> {
        let question = Question {
            text: text.to_owned(),
            policy: policy.map(str::to_owned),
            width: self.width,
            density: self.density(),
            ask,
        };
        put(&question, engine)
    }
}

/// Puts a question to the simulation; `None` while it is not there.
fn put(question: &Question, engine: Engine) -> Option<Answer> {
    let answer = engine(&wire::to_bytes(question))?;
    Some(wire::from_bytes(&answer).unwrap_or(Answer::Nothing))
}

/// The width that a picture will have in a window: good enough to fetch the right one while the
/// page is not laid out yet.
fn likely_room(window_width: f64) -> f64 {
    // Below this the reading column stands above the stage.
    const TWO_COLUMNS_FROM: f64 = 1100.0;
    const READING: f64 = 372.0;
    const MARGINS: f64 = 56.0;
    let beside = if window_width >= TWO_COLUMNS_FROM {
        READING
    } else {
        0.0
    };
    (window_width - beside - MARGINS).max(280.0)
}
