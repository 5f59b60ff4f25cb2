//! Where the app goes: from addresses to pages, and back.

use super::{App, Do, Engine, Job, Screen};
use crate::course::{Course, Turn};
use crate::diagram::Density;
use crate::engine::{Answer, Ask};
use crate::lesson::{Edition, Front, lesson_file, plates_file, width_for};
use crate::link::{self, Link, Page};
use crate::playhead::Move;
use crate::progress::Reached;

/// The file of the home page.
pub(super) const HOME: &str = "lessons/home.bin";

impl App {
    /// Opens the page of an address.
    pub(super) fn go_to(&mut self, fragment: &str) -> Vec<Job> {
        let (link, notices) = link::parse(fragment);
        (self.link, self.notices) = (link, notices);
        self.open()
    }

    /// The reader went back or on, followed a link, or wrote an address.
    pub(super) fn follow(&mut self, fragment: &str) -> Vec<Job> {
        let (link, notices) = link::parse(fragment);
        if link == self.link || matches!(self.screen, Screen::Embed(_)) {
            return Vec::new();
        }
        let slug = |page: &Page| match page {
            Page::Lesson { slug, .. } => Some(slug.clone()),
            _ => None,
        };
        let same_lesson = slug(&link.page).is_some() && slug(&link.page) == slug(&self.link.page);
        (self.link, self.notices) = (link, notices);
        match same_lesson && matches!(self.screen, Screen::Lesson(_)) {
            true => self.open_link(),
            false => self.open(),
        }
    }

    /// Opens the page of the link.
    fn open(&mut self) -> Vec<Job> {
        self.stage = self.stage.emptied();
        (self.offers, self.offered, self.trying) = (Vec::new(), None, false);
        self.lit = None;
        self.missing.clear();
        let mut jobs = Vec::new();
        match self.link.page.clone() {
            Page::Lesson { slug, .. } => match self.cards.iter().find(|card| card.slug == slug) {
                Some(card) => {
                    let title = [card.title, " · Fencing Lab"].concat();
                    jobs.push(Job::Title(title));
                    self.screen = Screen::Waiting("Loading the lesson");
                    self.fetch(lesson_file(&slug), &mut jobs);
                    let plates = plates_file(&slug, width_for(self.width), Density::Full);
                    self.fetch(plates, &mut jobs);
                }
                None => {
                    let text = ["There is no lesson “", &*slug, "”. These are all lessons."];
                    self.notices.push(text.concat());
                    self.home(&mut jobs);
                }
            },
            Page::Play => {
                jobs.push(Job::Title("A paused holder · Fencing Lab".to_owned()));
                self.screen = Screen::Waiting("Loading the simulation");
                self.wait_for_engine(Do::Retry, &mut jobs);
            }
            Page::Docs => {
                jobs.push(Job::Title("About Fencing Lab".to_owned()));
                self.screen = Screen::Docs;
            }
            Page::Lab(_) | Page::Embed => {
                let here = link::print(&self.link);
                jobs.push(Job::Leave(["lab.html#", &here].concat()));
            }
            Page::Home => self.home(&mut jobs),
        }
        jobs
    }

    fn home(&mut self, jobs: &mut Vec<Job>) {
        let title = "Fencing Lab: why a lease is not a lock";
        jobs.push(Job::Title(title.to_owned()));
        self.screen = Screen::Home(Box::default());
        self.fetch(HOME.to_owned(), jobs);
    }

    /// The story plays once, unless the reader prefers less motion.
    pub(super) fn open_home(&mut self, front: Option<Front>) {
        let (Screen::Home(_), Some(mut front)) = (&self.screen, front) else {
            return;
        };
        let film = std::mem::take(&mut front.film);
        self.stage.load(&front.text, None, 0, film.into());
        self.screen = Screen::Home(Box::new(front));
        let reduced = self.stage.head.reduced_motion;
        self.stage.go(if reduced {
            Move::Last
        } else {
            Move::PlayOrPause
        });
    }

    pub(super) fn open_lesson(&mut self, edition: Edition, jobs: &mut Vec<Job>) {
        let Page::Lesson { slug, .. } = &self.link.page else {
            return;
        };
        if *slug == edition.lesson.slug {
            self.screen = Screen::Lesson(Box::new(Course::new(edition)));
            jobs.append(&mut self.open_link());
        }
    }

    /// Puts the state of the link on stage.
    fn open_link(&mut self) -> Vec<Job> {
        let link = self.link.clone();
        let mut jobs = Vec::new();
        if let (Screen::Lesson(course), Page::Lesson { beat, .. }) = (&mut self.screen, link.page) {
            let last = course.lesson.beats.len() - 1;
            if beat > last {
                let text = "This lesson has fewer steps than the address says; this is its last.";
                self.notices.push(text.to_owned());
            }
            course.take(Turn::Go(beat.min(last)), &mut self.stage);
            self.form = course.rule_form();
            if let Some(policy) = link.policy
                && !course.rejudge(&policy, &mut self.stage)
            {
                self.wait_for_engine(Do::Policy(policy), &mut jobs);
            }
        }
        if let Some(step) = link.step {
            self.stage.go(Move::SeekMoment(step));
        }
        if let Some(packed) = link.packed {
            jobs.push(Job::Unpack(packed, link.step));
        }
        jobs
    }

    /// A text out of an address.
    pub(super) fn unpacked(
        &mut self,
        text: Option<String>,
        step: Option<usize>,
        engine: Engine,
        jobs: &mut Vec<Job>,
    ) {
        match text {
            Some(text) => self.put_on_stage(&text, step, engine, jobs),
            None if matches!(self.screen, Screen::Embed(_)) => {
                self.fall_back("The scenario in this address is damaged.", jobs);
            }
            None => {
                let text = match self.screen {
                    Screen::Play(_) => {
                        "The run in this address is damaged; the story is shown instead."
                    }
                    _ => "The edits in this address are damaged; the lesson’s own run is shown.",
                };
                self.say_once(text.to_owned());
            }
        }
    }

    /// Tries again what failed or waits.
    pub(super) fn retry(&mut self, engine: Engine) -> Vec<Job> {
        if let Screen::Embed(_) = self.screen {
            let mut jobs = Vec::new();
            self.load_framed(engine, &mut jobs);
            return jobs;
        }
        if self.link.page != Page::Play {
            return self.open();
        }
        let policy = self.link.policy.clone();
        match self.ask(Ask::Story, "", policy.as_deref(), engine) {
            Some(Answer::Shown(shown)) => {
                self.screen = Screen::Play(shown.text.clone());
                self.stage.shown(shown);
                self.open_link()
            }
            _ => self.open(),
        }
    }

    /// How far a lesson was read.
    pub(super) fn remember(&mut self, jobs: &mut Vec<Job>) {
        let Screen::Lesson(course) = &self.screen else {
            return;
        };
        let reached = if course.is_complete() {
            Reached::Done
        } else {
            Reached::Beat(course.beat)
        };
        let slug = &course.lesson.slug;
        if self.progress.reach(slug, reached) {
            jobs.push(Job::Store("progress", self.progress.print()));
        }
    }

    /// The address follows: a new entry for each beat, in place for each step.
    pub(super) fn write_address(&mut self, jobs: &mut Vec<Job>) {
        let (page, own_text, own_policy) = match &self.screen {
            Screen::Lesson(course) => {
                let page = Page::Lesson {
                    slug: course.lesson.slug.clone(),
                    beat: course.beat,
                };
                (
                    page,
                    course.first_text(),
                    course.first_pane().policy.clone(),
                )
            }
            Screen::Play(story) => (Page::Play, story.as_str(), None),
            _ => return,
        };
        let text = &self.stage.text;
        let mut packed = None;
        if text != own_text {
            if self.packed.0 != *text {
                jobs.push(Job::Pack(text.clone()));
                return;
            }
            packed = Some(self.packed.1.clone());
        }
        let policy = self.stage.policy.clone();
        let link = Link {
            page,
            step: Some(self.stage.head.cursor.passed),
            policy: policy.filter(|policy| own_policy.as_ref() != Some(policy)),
            packed,
        };
        if link != self.link {
            let new_entry = link.page != self.link.page;
            jobs.push(Job::Address(link::print(&link), new_entry));
            self.link = link;
        }
    }
}
