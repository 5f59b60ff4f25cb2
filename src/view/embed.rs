//! A run inside a page of somebody else's: small, quiet, and driven by the host if it likes.
//!
//! Invariants
//! - The host's page is the host's: no focus is taken, nothing scrolls it, keys count only while
//!   the focus is inside, and nothing moves while nobody sees it.
//! - What the address or a message gets wrong is left out with a note; the embed always shows a run.

use super::app::defs;
use super::browser::{self, Listener, WidthObserver};
use super::icons::{self, icon};
use super::panels::Panels;
use super::player::Player;
use super::scrubber::{Scrubber, Transport};
use super::shared::Shared;
use super::stage::{self, PolicySwitch};
use super::timeline::{Picture, Timeline};
use super::transcript::Transcript;
use crate::diagram::{self, Density};
use crate::embed::{self, Caption, Command, Controls, Options, Received};
use crate::lesson::{CARDS, Card};
use crate::link::{self, LabView, Link, Page};
use crate::narration;
use crate::panels::RuleForm;
use crate::script::MAX_TEXT_BYTES;
use crate::session::{Intent, Session};
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

/// An embed and what it knows of its host.
#[derive(Clone, Copy)]
struct Frame {
    options: RwSignal<Options>,
    player: Player,
    /// The packed text, where it is not a lesson's.
    packed: RwSignal<Option<String>>,
    /// There is a run to show.
    loaded: RwSignal<bool>,
    /// What is wrong with the scenario.
    fault: RwSignal<String>,
    /// The host's name for this frame.
    id: StoredValue<String>,
    /// The height of all that is shown, in px.
    height: StoredValue<f64>,
    /// The picture has its size: the height is the one to tell.
    settled: StoredValue<bool>,
}

/// The whole page.
#[component]
pub fn Embed() -> impl IntoView {
    let (options, notes) = embed::parse(&browser::query(), &browser::fragment());
    notes.iter().for_each(|note| warn(note));
    let frame = Frame {
        player: Player::new(Session::new(String::new())),
        options: RwSignal::new(options),
        packed: RwSignal::new(None),
        loaded: RwSignal::new(false),
        fault: RwSignal::new(String::new()),
        id: StoredValue::new(String::new()),
        height: StoredValue::new(0.0),
        settled: StoredValue::new(false),
    };
    dress(frame);
    frame.load();
    frame.listen();
    frame.report();
    frame.watch_view();
    view! {
        {defs()}
        <main>{move || frame.loaded.get().then(|| view! { <Compact frame /> })}</main>
    }
}

fn warn(note: &str) {
    browser::warn(&["Fencing Lab embed: ", note].concat());
}

/// Theme and accents follow the options.
fn dress(frame: Frame) {
    let look = Memo::new(move |_| frame.options.with(|o| (o.theme, o.accents.clone())));
    Effect::new(move |_| {
        let (theme, accents) = look.get();
        browser::set_root_attribute("data-theme", theme.name());
        for (name, colour) in ["--accent-a", "--accent-b"].iter().zip(accents) {
            browser::set_root_property(name, colour.as_deref());
        }
    });
}

impl Frame {
    fn say(self, message: &embed::Message) {
        self.id.with_value(|id| browser::post(id, message));
    }

    /// The lesson of the options; none where they bring a scenario of their own.
    fn card(self) -> Option<&'static Card> {
        self.options.with(|options| {
            let of_name = |slug: &String| CARDS.iter().find(|card| card.slug == slug);
            options
                .lesson
                .as_ref()
                .filter(|_| self.packed.with(Option::is_none))
                .and_then(of_name)
        })
    }

    /// Puts on stage what the options say.
    fn load(self) {
        let options = self.options.get_untracked();
        self.packed.set(None);
        if let Some(packed) = options.scenario {
            browser::spawn(async move {
                match browser::unpack(&packed, MAX_TEXT_BYTES).await {
                    Some(text) => {
                        self.packed.set(Some(packed));
                        self.show(text);
                    }
                    None => self.fall_back("The scenario in this address is damaged."),
                }
            });
            return;
        }
        match untrack(|| self.card()) {
            Some(card) => self.show(card.scenario.to_owned()),
            None if options.lesson.is_some() => self.fall_back("There is no lesson of that name."),
            None => self.fall_back("Neither a lesson nor a scenario was asked for."),
        }
    }

    /// The first lesson is better than nothing.
    fn fall_back(self, why: &str) {
        warn(&[why, " The first lesson is shown."].concat());
        self.say(&embed::error("bad-scenario", why, None));
        if let Some(card) = CARDS.first() {
            self.options
                .update(|options| options.lesson = Some(card.slug.to_owned()));
            self.show(card.scenario.to_owned());
        }
    }

    fn show(self, text: String) {
        let options = self.options.get_untracked();
        self.player.dispatch(Intent::Load(text));
        self.player.dispatch(Intent::SetPolicy(options.policy));
        self.player.dispatch(Intent::SetSpeed(options.speed));
        self.loaded.set(true);
        let first = self
            .player
            .peek(|session| session.run.parsed.errors.first().cloned());
        self.fault
            .set(first.as_ref().map_or(String::new(), |error| {
                [
                    "Line ",
                    &error.line.to_string(),
                    ": ",
                    &error.to_string(),
                    ".",
                ]
                .concat()
            }));
        if let Some(error) = first {
            self.say(&embed::error(
                "bad-scenario",
                &error.to_string(),
                Some((error.line, error.column)),
            ));
        }
        if let Some(start) = options.start {
            self.go(&start);
        }
    }

    fn go(self, start: &embed::Start) {
        match self
            .player
            .peek(|session| embed::intent_to(&session.run, start))
        {
            Some(intent) => self.player.dispatch(intent),
            None => self.refuse(
                "unknown-command",
                "Nothing in this run has the name that was asked for.",
            ),
        }
    }

    fn refuse(self, code: &'static str, message: &str) {
        warn(message);
        self.say(&embed::error(code, message, None));
    }

    // ---- host

    fn listen(self) {
        let most = u32::try_from(MAX_TEXT_BYTES).unwrap_or(u32::MAX);
        let listener: StoredValue<Option<Listener>, LocalStorage> = StoredValue::new_local(None);
        listener.set_value(Some(browser::watch_host(
            most,
            move |id, received| match received {
                Received::Foreign => {}
                Received::Refused(code, message) => self.refuse(code, &message),
                Received::Asked(command) => self.obey(id, command),
            },
        )));
        on_cleanup(move || listener.set_value(None));
    }

    fn obey(self, id: Option<String>, command: Command) {
        let send = |intent| self.player.dispatch(intent);
        let playing = self.player.peek(Session::is_playing);
        match command {
            Command::Hello => {
                self.id.set_value(id.unwrap_or_default());
                self.say(&embed::hello());
                self.be_ready();
            }
            Command::Goto(start) => self.go(&start),
            Command::Next => send(Intent::Forward),
            Command::Prev => send(Intent::Back),
            Command::Play(speed) => {
                speed
                    .into_iter()
                    .for_each(|speed| send(Intent::SetSpeed(speed)));
                if !playing {
                    send(Intent::PlayOrPause);
                }
            }
            Command::Pause => send(Intent::Pause),
            Command::Reset => self.load(),
            Command::Set(name, value) => self.set(&name, &value),
            Command::Load(text) => self.load_text(text),
            Command::GetState => {
                let url = [browser::folder(), self.link_now()].concat();
                let state = self
                    .options
                    .with_untracked(|o| self.player.peek(|session| embed::state(o, session, &url)));
                let own = self.id.get_value();
                browser::post(id.as_deref().unwrap_or(&own), &state);
            }
        }
    }

    fn load_text(self, text: String) {
        self.options.update(|options| {
            (options.lesson, options.scenario, options.start) = (None, None, None);
        });
        self.show(text.clone());
        browser::spawn(async move {
            let packed = browser::pack(&text).await;
            self.options
                .update(|options| options.scenario.clone_from(&packed));
            self.packed.set(packed);
        });
    }

    fn set(self, name: &str, value: &str) {
        if let Err(note) = self
            .options
            .try_update(|options| options.set(name, value))
            .unwrap_or(Ok(()))
        {
            return self.refuse("unknown-command", &note);
        }
        let options = self.options.get_untracked();
        match name {
            "lesson" => {
                self.options.update(|options| options.scenario = None);
                self.load();
            }
            "scenario" => self.load(),
            "policy" => self.player.dispatch(Intent::SetPolicy(options.policy)),
            "speed" => self.player.dispatch(Intent::SetSpeed(options.speed)),
            "at" | "step" | "event" => options.start.iter().for_each(|start| self.go(start)),
            _ => {}
        }
    }

    fn be_ready(self) {
        if self.loaded.get_untracked() {
            let storage = browser::has_storage();
            self.say(&self.options.with_untracked(|o| {
                self.player
                    .peek(|session| embed::ready(o, session, storage))
            }));
            self.say_height();
        }
    }

    /// Nothing is said before the browser has measured: it may not while nobody sees the frame.
    fn say_height(self) {
        let height = self.height.get_value();
        if height > 0.0 && self.settled.get_value() {
            self.say(&embed::resize(height));
        }
    }

    /// Tells the host what it may want to know.
    fn report(self) {
        self.say(&embed::hello());
        let observer: StoredValue<Option<WidthObserver>, LocalStorage> =
            StoredValue::new_local(None);
        observer.set_value(WidthObserver::of_page_height(move |height| {
            self.height.set_value(height.ceil());
            if self.loaded.get_untracked() {
                self.say_height();
            }
        }));
        on_cleanup(move || observer.set_value(None));
        Effect::new(move |_| {
            if self.loaded.get() {
                browser::after(0, move || self.be_ready());
            }
        });
        self.report_steps();
    }

    fn report_steps(self) {
        // While playing, the time between two moments is nobody's news.
        let key = Memo::new(move |_| {
            let cursor = self.player.cursor.get();
            (
                cursor.passed,
                if self.player.playing.get() {
                    0
                } else {
                    cursor.now_ms
                },
            )
        });
        Effect::new(move |before: Option<(usize, bool)>| {
            let (passed, _) = key.get();
            let (last, mut done) = before.unwrap_or_default();
            if !self.loaded.get_untracked() {
                return (passed, done);
            }
            self.say(&self.player.peek(embed::step));
            let run = self.player.run.get_untracked();
            embed::verdicts(&run, last, passed)
                .iter()
                .for_each(|verdict| self.say(verdict));
            let card = untrack(|| self.card())
                .filter(|_| !done && passed > 0 && passed == run.trace.moments.len());
            if let Some(card) = card {
                self.say(&embed::complete(card.slug));
                done = true;
            }
            (passed, done)
        });
    }

    /// Plays by itself only while it is seen, and never for readers who prefer less motion.
    fn watch_view(self) {
        let resume = StoredValue::new(self.options.with_untracked(|options| options.autoplay));
        browser::watch_view(move |seen| {
            let (playing, reduced) = self
                .player
                .peek(|session| (session.is_playing(), session.reduced_motion));
            match seen {
                false if playing => {
                    self.player.dispatch(Intent::Pause);
                    resume.set_value(true);
                }
                true if resume.get_value() && !playing && !reduced => {
                    resume.set_value(false);
                    self.player.dispatch(Intent::PlayOrPause);
                }
                _ => {}
            }
        });
    }

    // ---- links

    /// The address of what is shown, in the app.
    fn link(self, policy: Option<crate::sim::Policy>, step: usize) -> String {
        let card = self.card();
        let page = match card {
            Some(card) => Page::Lesson {
                slug: card.slug.to_owned(),
                beat: 0,
            },
            None => Page::Lab(LabView::Run),
        };
        let file = if card.is_some() { "" } else { "lab.html" };
        let fragment = link::print(&Link {
            page,
            step: Some(step),
            policy,
            packed: self.packed.get(),
        });
        [file, "#", &fragment].concat()
    }

    fn link_now(self) -> String {
        untrack(|| {
            let (policy, step) = self
                .player
                .peek(|session| (session.policy.clone(), session.cursor.passed));
            self.link(policy, step)
        })
    }
}

/// The player in a frame.
#[component]
fn Compact(frame: Frame) -> impl IntoView {
    let player = frame.player;
    let key = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            browser::leave();
        } else {
            stage::key(player, &event);
        }
    };
    let figure = NodeRef::<html::Figure>::new();
    let width = stage::measured(figure);
    let picture = Memo::new(move |_| {
        let run = player.run.get();
        let size = diagram::Frame::of(width.get().max(280.0), Density::Embed);
        Shared::new(Picture::new(diagram::scene(
            run.scenario(),
            &run.trace,
            &size,
        )))
    });
    let ease = Signal::derive(move || !player.playing.get());
    let show = Memo::new(move |_| frame.options.with(|options| options.show));
    let has_picture = Memo::new(move |_| show.get().timeline && width.get() > 0.0);
    let controls = Memo::new(move |_| frame.options.with(|options| options.controls));
    Effect::new(move |_| {
        frame
            .settled
            .set_value(width.get() > 0.0 || !show.get().timeline);
    });
    let form = RwSignal::new(RuleForm::Gate);
    let heading = Memo::new(move |_| heading(frame));
    view! {
        <section class="embed" aria-label=move || title(frame) on:keydown=key>
            <h1 class=move || if heading.get().1 { "caption" } else { "sr" }>{move || heading.get().0}</h1>
            {move || line(frame).map(|text| view! { <p class="caption">{text}</p> })}
            {move || frame.card().filter(|_| show.get().prose).map(|card| view! { <p class="prose">{card.summary}</p> })}
            <figure class="figure" node_ref=figure>
                {move || has_picture.get().then(|| view! {
                    <Timeline run=player.run picture cursor=player.cursor hide=false ease lit=None />
                })}
            </figure>
            {move || (controls.get() != Controls::None).then(|| view! { <Scrubber player picture hide=false /> })}
            <Bar frame controls />
            {move || fault(frame)}
            {move || (show.get().panels || show.get().gate).then(|| view! {
                <div data-only=(!show.get().panels).then_some("gate")><Panels player form /></div>
            })}
            {move || show.get().script.then(|| view! { <pre class="sql" tabindex="0" aria-label="Script">{move || player.with(|s| s.source.clone())}</pre> })}
            {move || match show.get().transcript {
                true => view! { <Transcript player hide=false /> }.into_any(),
                false => view! { <Said player /> }.into_any(),
            }}
        </section>
    }
}

fn title(frame: Frame) -> String {
    let own = frame.player.run.with(|run| run.scenario().title.clone());
    let name = frame.card().map_or(own, |card| card.title.to_owned());
    if name.is_empty() {
        "Scenario".to_owned()
    } else {
        name
    }
}

/// What the page is called, and whether that is seen.
fn heading(frame: Frame) -> (String, bool) {
    match frame.options.with(|options| options.caption.clone()) {
        Caption::Title => (title(frame), true),
        Caption::Text(text) => (text, true),
        Caption::Line | Caption::None => (title(frame), false),
    }
}

/// The line of the scenario that was carried out last, where it is wanted.
fn line(frame: Frame) -> Option<String> {
    let is_wanted = frame
        .options
        .with(|options| options.caption == Caption::Line);
    is_wanted.then(|| {
        let passed = frame.player.cursor.get().passed;
        let line = frame
            .player
            .with(|session| embed::line_at(&session.source, &session.run, passed).to_owned());
        // The line keeps its place before there is one.
        if line.is_empty() {
            "\u{a0}".to_owned()
        } else {
            line
        }
    })
}

fn fault(frame: Frame) -> Option<impl IntoView> {
    let text = frame.fault.get();
    (!text.is_empty()).then(|| view! { <p class="notice" role="status">{text}</p> })
}

/// Buttons, time, policy switch, and the way to the app.
#[component]
fn Bar(frame: Frame, controls: Memo<Controls>) -> impl IntoView {
    let player = frame.player;
    let href = move || {
        let policy = player.with(|session| session.policy.clone());
        ["./", &frame.link(policy, player.cursor.get().passed)].concat()
    };
    let time = move || {
        let tenths = player.cursor.get().now_ms / 100;
        [
            &(tenths / 10).to_string(),
            ".",
            &(tenths % 10).to_string(),
            " s",
        ]
        .concat()
    };
    let policies = Signal::derive(move || match controls.get() {
        Controls::Full => player.run.with(|run| embed::policies(run)),
        _ => Vec::new(),
    });
    view! {
        <div class="embed-bar">
            {move || match controls.get() {
                Controls::Full => view! { <Transport player /> }.into_any(),
                Controls::Minimal => view! { <Transport player minimal=true /> }.into_any(),
                Controls::None => ().into_any(),
            }}
            <output aria-live="off">{time}</output>
            <PolicySwitch player policies />
            <a href=href target="_blank" rel="noopener">"Open in Fencing Lab"{icon(icons::OPEN)}</a>
        </div>
    }
}

/// Says what a step did to those who do not see it.
#[component]
fn Said(player: Player) -> impl IntoView {
    let said = Memo::new(move |before: Option<&String>| {
        if player.playing.get() {
            return before.cloned().unwrap_or_default();
        }
        let last = player.cursor.get().passed.checked_sub(1);
        player.run.with(|run| {
            last.map_or(String::new(), |last| {
                narration::moment(run.scenario(), &run.trace, last)
            })
        })
    });
    view! { <p class="sr" aria-live="polite">{said}</p> }
}
