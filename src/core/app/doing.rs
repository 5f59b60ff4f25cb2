//! What can be done in the app, and what comes of it.

use super::{App, Engine, Outside, Screen, framed, put};
use crate::course::Turn;
use crate::diagram::Density;
use crate::embed::{self, Message};
use crate::engine::{Answer, Ask, Question};
use crate::lesson::{self, Plates, pair_width, plates_file, width_for};
use crate::link;
use crate::page::stage::SLIDER_END;
use crate::panels::RuleForm;
use crate::playhead::Move;
use crate::stage::Take;
use crate::wire;

/// What a reader does, and what the browser answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Do {
    /// Moves the cursor.
    Move(Move),
    /// Takes the next speed.
    Speed,
    /// To a place of the slider, 0 to [`SLIDER_END`].
    Slide(f64),
    /// Judges the same run by another policy.
    Policy(String),
    /// Puts a form of the rule in front.
    Form(RuleForm),
    /// A turn in a lesson.
    Turn(Turn),
    /// Adds a line of the language at the cursor.
    Line(String),
    /// Says why something cannot be done now.
    Why(String),
    /// Takes back (true) or does again.
    Travel(bool),
    /// Looks at what can be done, or no more.
    Try(bool),
    /// The other theme.
    Theme,
    /// Shows or hides the list of keys.
    Help,
    /// Notices have been read.
    Dismiss,
    /// What prose points at.
    Lit(Option<String>),
    /// The room for a picture, in px.
    Width(f64),
    /// The address has changed: its fragment.
    Address(String),
    /// Once more what failed.
    Retry,
    /// A file, or why it did not come.
    Fetched(String, Result<Vec<u8>, String>),
    /// Draws the pictures of the films: their file did not come, for a reason.
    Draw(String),
    /// The simulation is there, or why it did not come, as a sentence.
    Engine(Result<(), String>),
    /// The text of an address, and where the cursor stands in it; no text if it is damaged.
    Unpacked(Option<String>, Option<usize>),
    /// A text and its packed form.
    Packed(String, String),
    /// Something happened around an embed.
    Outside(Outside),
}

/// What only a browser can do.
#[derive(Clone, Debug, PartialEq)]
pub enum Job {
    /// Fetches a file beside the page; answered by [`Do::Fetched`].
    Fetch(String),
    /// Loads the simulation; answered by [`Do::Engine`].
    LoadEngine,
    /// Unpacks the text of an address; answered by [`Do::Unpacked`].
    Unpack(String, Option<usize>),
    /// Packs a text; answered by [`Do::Packed`], or not at all.
    Pack(String),
    /// Writes the fragment of the address, as a new entry of the history if so.
    Address(String, bool),
    /// Goes to another page of the project.
    Leave(String),
    /// The title of the page.
    Title(String),
    /// Keeps a text under a name.
    Store(&'static str, String),
    /// Dark or light.
    Theme(bool),
    /// Keeps the learner's text for the page to show, should the app stop.
    Keep(String),
    /// Moves the focus to the element with this id.
    Focus(&'static str),
    /// Says something to the host page, under its name for this frame or for its question.
    Post(String, Message),
    /// A note for the developers of the host page.
    Warn(String),
    /// The theme that the host wants, and its colours of the first two clients.
    Dress(Option<&'static str>, Box<[Option<String>; 2]>),
    /// Comes back when the page has been drawn.
    Later(Outside),
    /// On a small screen, scrolls to the element with this id.
    Scroll(&'static str),
}

impl Do {
    /// Understands `data-do` of an element, with its value where that matters.
    pub fn parse(word: &str, value: &str) -> Option<Do> {
        let (name, argument) = word.split_once(':').unwrap_or((word, ""));
        Some(match name {
            "first" => Do::Move(Move::First),
            "back" => Do::Move(Move::Back),
            "play" => Do::Move(Move::PlayOrPause),
            "forward" => Do::Move(Move::Forward),
            "last" => Do::Move(Move::Last),
            "speed" => Do::Speed,
            "slide" => Do::Slide(number(value)?),
            "policy" => Do::Policy(argument.to_owned()),
            "gate" => Do::Form(RuleForm::Gate),
            "sql" => Do::Form(RuleForm::Sql),
            "pick" => Do::Turn(Turn::Pick(argument.parse().ok()?)),
            "act" => Do::Turn(Turn::Act),
            "again" => Do::Turn(Turn::Again),
            "next" => Do::Turn(Turn::Next),
            "previous" => Do::Turn(Turn::Back),
            "go" => Do::Turn(Turn::Go(argument.parse().ok()?)),
            "return" => Do::Turn(Turn::Return),
            "line" => Do::Line(argument.to_owned()),
            "why" => Do::Why(argument.to_owned()),
            "undo" => Do::Travel(true),
            "redo" => Do::Travel(false),
            "theme" => Do::Theme,
            "help" => Do::Help,
            "dismiss" => Do::Dismiss,
            "retry" => Do::Retry,
            _ => return None,
        })
    }
}

/// The whole number of a slider.
fn number(value: &str) -> Option<f64> {
    value.parse::<u32>().ok().map(f64::from)
}

impl App {
    /// Carries out what was asked.
    pub fn update(&mut self, does: Do, engine: Engine) -> Vec<Job> {
        let mut jobs = Vec::new();
        self.carry_out(does, engine, &mut jobs);
        self.settle(engine, &mut jobs);
        jobs
    }

    fn carry_out(&mut self, does: Do, engine: Engine, jobs: &mut Vec<Job>) {
        match does {
            Do::Move(step) => self.stage.go(step),
            Do::Speed => self.stage.go(Move::SetSpeed(self.stage.head.speed.next())),
            Do::Slide(value) => {
                let picture = self
                    .picture()
                    .or(self.beside().first().and_then(|b| b.picture));
                if let Some(ms) = picture.map(|picture| picture.time_at(value / SLIDER_END)) {
                    self.stage.go(Move::Seek(ms));
                }
            }
            Do::Policy(policy) => self.judge(policy, engine, jobs),
            Do::Form(form) => self.form = form,
            Do::Turn(turn) => self.take(turn, jobs),
            Do::Line(line) => self.add(line, engine, jobs),
            Do::Why(reason) => self.why = reason,
            Do::Travel(back) => self.travel(back, engine, jobs),
            Do::Try(open) => {
                self.trying = open;
                if open {
                    self.want_engine(jobs);
                }
            }
            Do::Theme => {
                self.dark = !self.dark;
                jobs.push(Job::Theme(self.dark));
                let name = if self.dark { "dark" } else { "light" };
                jobs.push(Job::Store("theme", name.to_owned()));
            }
            Do::Help => self.help = !self.help,
            Do::Dismiss => self.notices.clear(),
            Do::Lit(part) => self.lit = part,
            Do::Width(width) => self.fit(width, engine),
            Do::Address(fragment) => jobs.append(&mut self.follow(&fragment)),
            Do::Retry => jobs.append(&mut self.retry(engine)),
            Do::Fetched(file, bytes) => self.fetched(&file, bytes, engine, jobs),
            Do::Draw(reason) => self.draw_films(reason, engine),
            Do::Engine(came) => self.engine_came(came, engine, jobs),
            Do::Unpacked(text, step) => self.unpacked(text, step, engine, jobs),
            Do::Packed(text, packed) => {
                self.packed = (text, packed);
                self.packed_framed();
            }
            Do::Outside(outside) => self.hear(outside, engine, jobs),
        }
    }

    /// Sees to what follows from any change.
    fn settle(&mut self, engine: Engine, jobs: &mut Vec<Job>) {
        if let Some(file) = self.wanted_plates() {
            self.fetch(file, jobs);
        }
        self.report(jobs);
        if self.is_playing() {
            return;
        }
        self.make_offers(engine);
        self.remember(jobs);
        self.write_address(jobs);
        if self.kept != self.stage.text {
            self.kept.clone_from(&self.stage.text);
            jobs.push(Job::Keep(self.kept.clone()));
        }
    }

    // ---- files

    /// Asks for a file, once.
    pub(super) fn fetch(&mut self, file: String, jobs: &mut Vec<Job>) {
        if !self.awaited.contains(&file) {
            self.awaited.push(file.clone());
            jobs.push(Job::Fetch(file));
        }
    }

    /// The file with the pictures that the page lacks; `None` if it has them, or needs none.
    pub(crate) fn wanted_plates(&self) -> Option<String> {
        let slug = match &self.screen {
            Screen::Home(_) => "home",
            Screen::Lesson(course) => &course.lesson.slug,
            Screen::Embed(frame) => &frame.lesson.as_ref()?.slug,
            _ => return None,
        };
        let file = plates_file(slug, width_for(self.width), self.density());
        (self.plates.0 != file && !self.missing.contains(&file)).then_some(file)
    }

    // ---- the run

    pub(super) fn judge(&mut self, policy: String, engine: Engine, jobs: &mut Vec<Job>) {
        if self.rejudge_framed(&policy) {
            return;
        }
        if let Screen::Lesson(course) = &self.screen
            && course.rejudge(&policy, &mut self.stage)
        {
            return;
        }
        match self.ask(Ask::Show, &self.stage.text, Some(&policy), engine) {
            Some(Answer::Shown(shown)) if shown.policy.is_some() => self.stage.shown(shown),
            Some(_) => self.refuse_policy(&policy, jobs),
            None => self.wait_for_engine(Do::Policy(policy), jobs),
        }
    }

    /// The word of an address or host is no policy.
    fn refuse_policy(&mut self, policy: &str, jobs: &mut Vec<Job>) {
        let wanted = "a policy of the language";
        match &self.screen {
            Screen::Embed(frame) => {
                let note = embed::wrong("policy", policy, wanted);
                framed::refuse(frame, "unknown-command", &note, jobs);
            }
            _ => {
                let notice = link::wrong("policy", policy, wanted, "the run keeps its own");
                self.say_once(notice);
            }
        }
    }

    fn take(&mut self, turn: Turn, jobs: &mut Vec<Job>) {
        let Screen::Lesson(course) = &mut self.screen else {
            return;
        };
        let before = course.beat;
        let was_complete = course.is_complete();
        course.take(turn, &mut self.stage);
        if course.beat != before {
            self.form = course.rule_form();
            self.lit = None;
            jobs.push(Job::Focus("beat"));
        } else if turn == Turn::Next && course.is_complete() && !was_complete {
            // The button that was pressed is no more; the link takes its place.
            jobs.push(Job::Focus("way-out"));
        }
        if matches!(turn, Turn::Act | Turn::Again) {
            jobs.push(Job::Scroll("stage"));
        }
    }

    fn add(&mut self, line: String, engine: Engine, jobs: &mut Vec<Job>) {
        let ask = Ask::Act(self.stage.head.cursor, line.clone());
        match self.ask(ask, &self.stage.text, self.stage.policy.as_deref(), engine) {
            Some(Answer::Acted(shown, finish_ms)) => {
                self.why.clear();
                self.stage.acted(shown, finish_ms);
            }
            Some(_) => {}
            None => self.wait_for_engine(Do::Line(line), jobs),
        }
    }

    fn travel(&mut self, back: bool, engine: Engine, jobs: &mut Vec<Job>) {
        let can = if back {
            self.stage.can_undo()
        } else {
            self.stage.can_redo()
        };
        // Only the simulation makes edits, so that it is there where there is one.
        if can && let Some((text, passed)) = self.stage.travel(back) {
            self.put_on_stage(&text, Some(passed), engine, jobs);
        }
    }

    /// Shows a text that has no recorded film.
    pub(super) fn put_on_stage(
        &mut self,
        text: &str,
        step: Option<usize>,
        engine: Engine,
        jobs: &mut Vec<Job>,
    ) {
        match self.ask(Ask::Show, text, self.stage.policy.as_deref(), engine) {
            Some(Answer::Shown(shown)) => {
                let own_policy = shown.film.policy.clone();
                self.stage.shown(shown);
                if let Some(step) = step {
                    self.stage.go(Move::SeekMoment(step));
                }
                if let Screen::Embed(frame) = &mut self.screen {
                    frame.own_policy = own_policy;
                    self.stage.go(Move::First);
                    self.show_framed(engine, jobs);
                }
            }
            Some(_) => {}
            None => self.wait_for_engine(Do::Unpacked(Some(text.to_owned()), step), jobs),
        }
    }

    /// The room has changed: pictures that were not recorded are drawn anew.
    fn fit(&mut self, width: f64, engine: Engine) {
        if width <= 0.0 || width == self.width {
            return;
        }
        self.width = width;
        if self.stage.picture.is_some()
            && let Some(Answer::Shown(shown)) = self.ask(
                Ask::Show,
                &self.stage.text,
                self.stage.policy.as_deref(),
                engine,
            )
        {
            self.stage.shown(shown);
        }
    }

    // ---- the simulation

    fn want_engine(&mut self, jobs: &mut Vec<Job>) {
        if !self.loading {
            self.loading = true;
            jobs.push(Job::LoadEngine);
        }
    }

    pub(super) fn wait_for_engine(&mut self, does: Do, jobs: &mut Vec<Job>) {
        self.pending.push(does);
        self.want_engine(jobs);
    }

    fn engine_came(&mut self, came: Result<(), String>, engine: Engine, jobs: &mut Vec<Job>) {
        self.loading = false;
        let pending = std::mem::take(&mut self.pending);
        let Err(why) = came else {
            for does in pending {
                self.carry_out(does, engine, jobs);
            }
            return;
        };
        for does in pending {
            if let Do::Draw(reason) = does {
                self.say_once(reason);
            }
        }
        if self.fail_framed("The simulation did not come.", jobs) {
            return;
        }
        let what = "The simulation could not be loaded, so there are no runs of your own. ";
        match self.screen {
            Screen::Waiting(_) => self.screen = Screen::Failed([what, &why].concat()),
            _ => self.say_once([what, &why].concat()),
        }
    }

    /// Draws what has not been recorded, or did not come.
    fn draw_films(&mut self, reason: String, engine: Engine) {
        let mut plates = Plates::new();
        for take in self.takes() {
            let question = Question {
                width: match take.density {
                    Density::Pair => pair_width(self.width),
                    _ => self.width,
                },
                text: take.text,
                policy: take.policy,
                density: take.density,
                ask: Ask::Show,
            };
            if let Some(Answer::Shown(shown)) = put(&question, engine) {
                plates.push((take.reel, shown.picture));
            }
        }
        match plates.is_empty() {
            true => self.say_once(reason),
            false => self.plates = (String::new(), plates),
        }
    }

    /// The films of the page.
    fn takes(&self) -> Vec<Take> {
        let density = self.density();
        match &self.screen {
            Screen::Home(front) => vec![Take {
                reel: 0,
                text: front.text.clone(),
                policy: None,
                density,
            }],
            Screen::Lesson(course) => course.takes(density),
            Screen::Embed(frame) => frame.takes(density),
            _ => Vec::new(),
        }
    }

    fn make_offers(&mut self, engine: Engine) {
        if !self.trying && !matches!(self.screen, Screen::Play(_)) {
            return;
        }
        let here = (self.stage.text.clone(), self.stage.head.cursor);
        if self.offered.as_ref() == Some(&here) {
            return;
        }
        let ask = Ask::Offers(here.1);
        if let Some(Answer::Offers(groups)) =
            self.ask(ask, &here.0, self.stage.policy.as_deref(), engine)
        {
            self.offers = groups;
            self.why.clear();
            self.offered = Some(here);
        }
    }

    fn fetched(
        &mut self,
        file: &str,
        bytes: Result<Vec<u8>, String>,
        engine: Engine,
        jobs: &mut Vec<Job>,
    ) {
        self.awaited.retain(|awaited| awaited != file);
        let is_pictures = lesson::is_plates_file(file);
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(reason) if is_pictures => {
                // Without a network there may still be the simulation to draw it.
                self.missing.push(file.to_owned());
                let text = ["The picture could not be loaded. ", &*reason].concat();
                return self.wait_for_engine(Do::Draw(text), jobs);
            }
            Err(reason) => return self.fail(&reason, jobs),
        };
        if is_pictures {
            if let Ok(plates) = wire::from_bytes(&bytes) {
                self.plates = (file.to_owned(), plates);
            }
        } else if file == super::going::HOME {
            self.open_home(wire::from_bytes(&bytes).ok());
        } else {
            match wire::from_bytes(&bytes) {
                Ok(edition) if matches!(self.screen, Screen::Embed(_)) => {
                    self.open_framed(edition, engine, jobs);
                }
                Ok(edition) => self.open_lesson(edition, jobs),
                Err(_) => self.fail(
                    "The file is not one of this version; reload the page.",
                    jobs,
                ),
            }
        }
    }

    fn fail(&mut self, reason: &str, jobs: &mut Vec<Job>) {
        if self.fail_framed(reason, jobs) {
            return;
        }
        if let Screen::Waiting(_) = self.screen {
            self.screen = Screen::Failed(["The lesson could not be loaded. ", reason].concat());
        }
    }

    pub(super) fn say_once(&mut self, text: String) {
        if !self.notices.contains(&text) {
            self.notices.push(text);
        }
    }
}
