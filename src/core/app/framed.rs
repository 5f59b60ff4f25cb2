//! The app inside a page of somebody else's: small, quiet, and driven by the host if it likes.
//!
//! Invariants
//! - The host's page is the host's: no focus is taken, nothing scrolls it, keys count only while
//!   the focus is inside, and nothing moves while nobody sees it.
//! - What the address or a message gets wrong is left out with a note; the embed always shows a run.

use super::{App, Engine, Job, Screen};
use crate::diagram::Density;
use crate::embed::{self, Caption, Command, Message, Options, Received, Start};
use crate::film::Film;
use crate::lesson::{Edition, lesson_file, plates_file, width_for};
use crate::link::{self, LabView, Link, Page};
use crate::playhead::Move;
use crate::stage::Take;
use std::sync::Arc;

/// So many commands wait while something is on its way.
const MAX_WAITING: usize = 100;

/// An embed and what it knows of its host.
#[derive(Default)]
pub struct Frame {
    /// What it shows, and how.
    pub options: Options,
    /// The lesson that it shows; `None`: a scenario of the host's.
    pub lesson: Option<Shown>,
    /// There is a run to show.
    pub loaded: bool,
    /// The policy that the run has by itself.
    pub own_policy: String,
    /// What could not be loaded, as a sentence; empty: nothing.
    pub trouble: String,
    /// What the host asked for while something was on its way; `None`: nothing is.
    waiting: Option<Vec<(Option<String>, Command)>>,
    /// The packed text, where it is not a lesson's.
    packed: Option<String>,
    /// The host's name for this frame.
    id: String,
    /// The height of all that is shown, in px; 0: not known.
    height: f64,
    /// Plays once it is seen.
    resume: bool,
    /// Browsers may forbid to keep anything.
    storage: bool,
    /// The folder of the app, as an address.
    folder: String,
    /// What the host was told last: passed moments, and the time where it rests.
    told: (usize, u64),
    /// The host was told that the run was seen to its end.
    complete: bool,
}

/// A lesson in an embed.
pub struct Shown {
    /// Its name in addresses.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub summary: String,
    text: String,
    /// The films of its main run: policy as the lesson writes it, index, film.
    films: Vec<(Option<String>, usize, Arc<Film>)>,
}

/// What the browser knows when an embed starts.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// The query of the address, without `?`.
    pub query: String,
    /// The folder of the app, as an address with a slash at its end.
    pub folder: String,
    /// Whether anything can be stored.
    pub storage: bool,
}

/// What happens around an embed.
#[derive(Clone, Debug, PartialEq)]
pub enum Outside {
    /// The host says something, with its name for this frame.
    Said(Option<String>, Received),
    /// The frame comes into view, or leaves it.
    Seen(bool),
    /// The height of all that is shown, in px.
    Height(f64),
    /// The run has been drawn.
    Drawn,
}

impl Frame {
    /// The films of its lesson.
    pub fn takes(&self, density: Density) -> Vec<Take> {
        let Some(lesson) = &self.lesson else {
            return Vec::new();
        };
        let take = |(policy, reel, _): &(Option<String>, usize, Arc<Film>)| Take {
            reel: *reel,
            text: lesson.text.clone(),
            policy: policy.clone(),
            density,
        };
        lesson.films.iter().map(take).collect()
    }

    fn say(&self, message: Message, jobs: &mut Vec<Job>) {
        jobs.push(Job::Post(self.id.clone(), message));
    }

    /// What the page is called.
    pub fn title<'a>(&'a self, film: &'a Film) -> &'a str {
        match &self.lesson {
            Some(lesson) => &lesson.title,
            None if film.title.is_empty() => "Scenario",
            None => &film.title,
        }
    }

    /// The address of what is shown, in the app.
    pub fn link(&self, policy: Option<&str>, step: usize) -> String {
        let (file, page) = match &self.lesson {
            Some(lesson) => {
                let slug = lesson.slug.clone();
                ("", Page::Lesson { slug, beat: 0 })
            }
            None => ("lab.html", Page::Lab(LabView::Run)),
        };
        let fragment = link::print(&Link {
            page,
            step: Some(step),
            policy: policy.map(str::to_owned),
            packed: self.packed.clone(),
        });
        [file, "#", &fragment].concat()
    }
}

/// Says to the host and to its developers why something is left out.
pub(super) fn refuse(frame: &Frame, code: &'static str, why: &str, jobs: &mut Vec<Job>) {
    jobs.push(Job::Warn(why.to_owned()));
    frame.say(embed::error(code, why, None), jobs);
}

impl App {
    /// Starts as an embed.
    pub(super) fn start_framed(&mut self, host: Host, fragment: &str) -> Vec<Job> {
        let (options, notes) = embed::parse(&host.query, fragment);
        let mut jobs: Vec<Job> = notes.into_iter().map(Job::Warn).collect();
        let frame = Frame {
            resume: options.autoplay,
            options,
            storage: host.storage,
            folder: host.folder,
            ..Frame::default()
        };
        frame.say(embed::hello(), &mut jobs);
        dress(&frame, &mut jobs);
        self.screen = Screen::Embed(Box::new(frame));
        self.load_framed(&|_| None, &mut jobs);
        jobs
    }

    fn frame(&mut self) -> Option<&mut Frame> {
        match &mut self.screen {
            Screen::Embed(frame) => Some(frame),
            _ => None,
        }
    }

    /// Puts on stage what the options say.
    pub(super) fn load_framed(&mut self, engine: Engine, jobs: &mut Vec<Job>) {
        let Screen::Embed(frame) = &mut self.screen else {
            return;
        };
        frame.packed = None;
        frame.trouble.clear();
        frame.waiting.get_or_insert_default();
        if let Some(packed) = frame.options.scenario.clone() {
            frame.packed = Some(packed.clone());
            frame.lesson = None;
            jobs.push(Job::Unpack(packed, None));
            return;
        }
        let wanted = frame.options.lesson.clone();
        let shown = frame.lesson.as_ref().map(|lesson| &lesson.slug);
        if wanted.is_some() && wanted.as_ref() == shown {
            return self.enter_framed(engine, jobs);
        }
        match wanted {
            Some(slug) if self.cards.iter().any(|card| card.slug == slug) => {
                self.fetch_framed(&slug, jobs);
            }
            Some(_) => self.fall_back("There is no lesson of that name.", jobs),
            None => self.fall_back("Neither a lesson nor a scenario was asked for.", jobs),
        }
    }

    fn fetch_framed(&mut self, slug: &str, jobs: &mut Vec<Job>) {
        self.fetch(lesson_file(slug), jobs);
        let plates = plates_file(slug, width_for(self.width), Density::Embed);
        self.fetch(plates, jobs);
    }

    /// The first lesson is better than nothing.
    pub(super) fn fall_back(&mut self, why: &str, jobs: &mut Vec<Job>) {
        let first = self.cards.first().map(|card| card.slug.to_owned());
        let Some(frame) = self.frame() else {
            return;
        };
        jobs.push(Job::Warn([why, " The first lesson is shown."].concat()));
        frame.say(embed::error("bad-scenario", why, None), jobs);
        frame.packed = None;
        frame.options.scenario = None;
        frame.options.lesson.clone_from(&first);
        if let Some(slug) = first {
            self.fetch_framed(&slug, jobs);
        }
    }

    /// What the frame asked for did not come. The first reason is told: others follow from it.
    pub(super) fn fail_framed(&mut self, reason: &str, jobs: &mut Vec<Job>) -> bool {
        let Some(frame) = self.frame() else {
            return false;
        };
        frame.waiting = None;
        if frame.trouble.is_empty() {
            frame.trouble = ["This run could not be loaded. ", reason].concat();
            frame.say(embed::error("boot", &frame.trouble, None), jobs);
        }
        true
    }

    /// The lesson of the options has come.
    pub(super) fn open_framed(&mut self, edition: Edition, engine: Engine, jobs: &mut Vec<Job>) {
        let Screen::Embed(frame) = &mut self.screen else {
            return;
        };
        if frame.options.lesson.as_ref() != Some(&edition.lesson.slug) {
            return;
        }
        let lesson = edition.lesson;
        let text = lesson.runs.into_iter().next().map(|run| run.text);
        let films = (edition.reels.into_iter().enumerate())
            .filter(|(_, reel)| reel.run == 0)
            .map(|(index, reel)| (reel.policy, index, Arc::new(reel.film)))
            .collect();
        frame.lesson = Some(Shown {
            slug: lesson.slug,
            title: lesson.title,
            summary: lesson.summary,
            text: text.unwrap_or_default(),
            films,
        });
        self.enter_framed(engine, jobs);
    }

    /// The lesson's run from its start, as the options say.
    fn enter_framed(&mut self, engine: Engine, jobs: &mut Vec<Job>) {
        let Screen::Embed(frame) = &mut self.screen else {
            return;
        };
        let Some(lesson) = &frame.lesson else {
            return;
        };
        let own = lesson.films.iter().find(|(policy, ..)| policy.is_none());
        if let Some((_, index, film)) = own {
            frame.own_policy.clone_from(&film.policy);
            self.stage.load(&lesson.text, None, *index, film.clone());
        }
        self.show_framed(engine, jobs);
    }

    /// There is a run: policy, speed and start follow the options.
    pub(super) fn show_framed(&mut self, engine: Engine, jobs: &mut Vec<Job>) {
        let Screen::Embed(frame) = &mut self.screen else {
            return;
        };
        frame.loaded = true;
        frame.told = (0, 0);
        let options = frame.options.clone();
        if let Some(fault) = &self.stage.film.fault {
            let place = Some((fault.line, fault.column));
            frame.say(embed::error("bad-scenario", &fault.text, place), jobs);
        }
        self.stage.go(Move::SetSpeed(options.speed));
        if let Some(policy) = options.policy {
            self.judge(policy, engine, jobs);
        }
        if let Some(start) = options.start {
            self.go_framed(&start, jobs);
        }
        let waiting = self.frame().and_then(|frame| frame.waiting.take());
        for (id, command) in waiting.unwrap_or_default() {
            self.obey(id, command, engine, jobs);
        }
        jobs.push(Job::Later(Outside::Drawn));
    }

    /// Judges a lesson's run by a policy that was recorded; false if it was not.
    pub(super) fn rejudge_framed(&mut self, policy: &str) -> bool {
        let Screen::Embed(frame) = &self.screen else {
            return false;
        };
        let films = frame.lesson.iter().flat_map(|lesson| &lesson.films);
        let found = films
            .filter(|(_, _, film)| film.policy == policy)
            .min_by_key(|(named, ..)| named.is_some());
        if let Some((named, index, film)) = found {
            self.stage.rejudge(named.clone(), *index, film.clone());
        }
        found.is_some()
    }

    fn go_framed(&mut self, start: &Start, jobs: &mut Vec<Job>) {
        match start.way(&self.stage.film) {
            Some(way) => self.stage.go(way),
            None => {
                if let Screen::Embed(frame) = &self.screen {
                    let why = "Nothing in this run has the name that was asked for.";
                    refuse(frame, "unknown-command", why, jobs);
                }
            }
        }
    }

    /// Something happened around the embed.
    pub(super) fn hear(&mut self, outside: Outside, engine: Engine, jobs: &mut Vec<Job>) {
        let Screen::Embed(frame) = &mut self.screen else {
            return;
        };
        match outside {
            Outside::Said(_, Received::Foreign) => {}
            Outside::Said(_, Received::Refused(code, why)) => refuse(frame, code, &why, jobs),
            Outside::Said(id, Received::Asked(command)) => self.obey(id, command, engine, jobs),
            Outside::Height(height) => self.measured(height, jobs),
            Outside::Drawn => self.be_ready(jobs),
            Outside::Seen(seen) => self.seen(seen),
        }
    }

    /// Until the page has the picture, or its room, its height is not the one to tell.
    fn measured(&mut self, height: f64, jobs: &mut Vec<Job>) {
        let recorded = self.stage.film.height(self.density(), self.width);
        let has_room = recorded > 0.0 || self.picture().is_some();
        let Some(frame) = self.frame() else {
            return;
        };
        if has_room || !frame.options.show.timeline {
            frame.height = height.ceil();
            self.say_height(jobs);
        }
    }

    /// Plays by itself only while it is seen, and never for readers who prefer less motion.
    fn seen(&mut self, seen: bool) {
        let head = self.stage.head;
        let Some(frame) = self.frame() else {
            return;
        };
        if !seen && head.is_playing() {
            frame.resume = true;
            self.stage.go(Move::Pause);
        } else if seen && frame.resume && !head.is_playing() && !head.reduced_motion {
            frame.resume = false;
            self.stage.go(Move::PlayOrPause);
        }
    }

    fn obey(&mut self, id: Option<String>, command: Command, engine: Engine, jobs: &mut Vec<Job>) {
        // What is on its way comes first; greetings need nothing.
        let waiting = self.frame().and_then(|frame| frame.waiting.as_mut());
        if let Some(waiting) = waiting.filter(|_| command != Command::Hello) {
            if waiting.len() < MAX_WAITING {
                waiting.push((id, command));
            }
            return;
        }
        match command {
            Command::Hello => {
                if let Some(frame) = self.frame() {
                    frame.id = id.unwrap_or_default();
                    frame.say(embed::hello(), jobs);
                }
                self.be_ready(jobs);
            }
            Command::Goto(start) => self.go_framed(&start, jobs),
            Command::Next => self.stage.go(Move::Forward),
            Command::Prev => self.stage.go(Move::Back),
            Command::Play(speed) => {
                if let Some(speed) = speed {
                    self.stage.go(Move::SetSpeed(speed));
                }
                if !self.stage.head.is_playing() {
                    self.stage.go(Move::PlayOrPause);
                }
            }
            Command::Pause => self.stage.go(Move::Pause),
            Command::Reset => self.load_framed(engine, jobs),
            Command::Set(name, value) => self.set_option(&name, &value, engine, jobs),
            Command::Load(text) => self.load_text(text, engine, jobs),
            Command::GetState => self.say_state(id, jobs),
        }
    }

    fn say_state(&mut self, id: Option<String>, jobs: &mut Vec<Job>) {
        if let Screen::Embed(frame) = &self.screen {
            let step = self.stage.head.cursor.passed;
            let link = frame.link(self.stage.policy.as_deref(), step);
            let url = [&*frame.folder, &link].concat();
            let state = embed::state(&frame.options, &self.stage, &url);
            jobs.push(Job::Post(id.unwrap_or(frame.id.clone()), state));
        }
    }

    fn load_text(&mut self, text: String, engine: Engine, jobs: &mut Vec<Job>) {
        let Some(frame) = self.frame() else {
            return;
        };
        let options = &mut frame.options;
        (options.lesson, options.scenario, options.start) = (None, None, None);
        (frame.lesson, frame.packed) = (None, None);
        frame.waiting.get_or_insert_default();
        jobs.push(Job::Pack(text.clone()));
        self.stage = self.stage.emptied();
        self.put_on_stage(&text, None, engine, jobs);
    }

    /// The text of the host has been packed: links can hold it.
    pub(super) fn packed_framed(&mut self) {
        let Screen::Embed(frame) = &mut self.screen else {
            return;
        };
        if frame.lesson.is_none() && self.packed.0 == self.stage.text {
            frame.packed = Some(self.packed.1.clone());
            frame.options.scenario.clone_from(&frame.packed);
        }
    }

    fn set_option(&mut self, name: &str, value: &str, engine: Engine, jobs: &mut Vec<Job>) {
        let Some(frame) = self.frame() else {
            return;
        };
        if let Err(note) = frame.options.set(name, value) {
            refuse(frame, "unknown-command", &note, jobs);
            return;
        }
        let options = frame.options.clone();
        match name {
            "lesson" => {
                frame.options.scenario = None;
                self.load_framed(engine, jobs);
            }
            "scenario" => self.load_framed(engine, jobs),
            "policy" => options
                .policy
                .into_iter()
                .for_each(|policy| self.judge(policy, engine, jobs)),
            "speed" => self.stage.go(Move::SetSpeed(options.speed)),
            "at" | "step" | "event" => options
                .start
                .iter()
                .for_each(|start| self.go_framed(start, jobs)),
            _ => dress(frame, jobs),
        }
    }

    fn be_ready(&mut self, jobs: &mut Vec<Job>) {
        if let Screen::Embed(frame) = &self.screen
            && frame.loaded
        {
            let ready = embed::ready(&frame.options, &self.stage, frame.storage);
            frame.say(ready, jobs);
            self.say_height(jobs);
        }
    }

    /// Nothing is said before the browser has measured: it may not while nobody sees the frame.
    fn say_height(&self, jobs: &mut Vec<Job>) {
        if let Screen::Embed(frame) = &self.screen
            && frame.loaded
            && frame.height > 0.0
        {
            frame.say(embed::resize(frame.height), jobs);
        }
    }

    /// Tells the host what it may want to know.
    pub(super) fn report(&mut self, jobs: &mut Vec<Job>) {
        if !matches!(&self.screen, Screen::Embed(frame) if frame.loaded) {
            return;
        }
        let (head, film) = (self.stage.head, self.stage.film.clone());
        let (passed, total) = (head.cursor.passed, film.clock.total());
        // While playing, the time between two moments is nobody's news.
        let rest_ms = if head.is_playing() {
            0
        } else {
            head.cursor.now_ms
        };
        let step = embed::step(&self.stage);
        let Some(frame) = self.frame() else {
            return;
        };
        if frame.told == (passed, rest_ms) {
            return;
        }
        let before = std::mem::replace(&mut frame.told, (passed, rest_ms)).0;
        frame.say(step, jobs);
        for verdict in embed::verdicts(&film, before, passed) {
            frame.say(verdict, jobs);
        }
        let slug = frame.lesson.as_ref().map(|lesson| lesson.slug.clone());
        if let Some(slug) = slug.filter(|_| !frame.complete && passed > 0 && passed == total) {
            frame.complete = true;
            frame.say(embed::complete(&slug), jobs);
        }
    }
}

/// Theme and accents follow the options.
fn dress(frame: &Frame, jobs: &mut Vec<Job>) {
    let options = &frame.options;
    jobs.push(Job::Dress(
        options.theme.name(),
        Box::new(options.accents.clone()),
    ));
}

/// The line above the picture, and whether it is seen.
pub fn heading<'a>(frame: &'a Frame, film: &'a Film) -> (&'a str, bool) {
    match &frame.options.caption {
        Caption::Title => (frame.title(film), true),
        Caption::Text(text) => (text, true),
        Caption::Line | Caption::None => (frame.title(film), false),
    }
}
