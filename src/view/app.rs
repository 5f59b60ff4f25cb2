//! The app in its page: hands what readers do to the state, and brings the page up to date with it.
//!
//! The state is one value ([`crate::app`]); a page is a function of it, as markup ([`crate::page`]).
//! Typed views would make the first load several times as large, and signals a tenth larger: they
//! serve many parts that change each by itself, and here is one.

use super::browser::{self, Listener, Ticks, WidthObserver};
use super::theme;
use crate::app::{App, Do, Host, Job, Outside, Screen, Start};
use crate::embed;
use crate::html::Sheet;
use crate::lesson::CARDS;
use crate::page;
use crate::playhead::Move;
use crate::script::MAX_TEXT_BYTES;
use leptos::prelude::*;
use leptos::web_sys::{Element, Event, KeyboardEvent};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsCast;

const REDUCED_MOTION: &str = "(prefers-reduced-motion: reduce)";

/// The longest that nothing is shown for the sake of a first page that is whole, in milliseconds.
const FIRST_WAIT_MS: u32 = 100;

/// How the app's element starts.
const APP: &str = "<div id=\"app\">";
/// The same while its first page is not all on screen.
const EARLY: &str = "<div id=\"app\" class=\"early\">";

/// Puts the app into the page.
pub fn start() {
    leptos::mount::mount_to_body(root);
}

/// The app's element is there from the start, perhaps with its first page in it (see `boot.js`).
fn root() -> impl IntoView {
    let start = Start {
        fragment: browser::fragment(),
        progress: browser::load("progress"),
        dark: theme::restore(),
        reduced_motion: browser::matches_media(REDUCED_MOTION),
        window_width: browser::window_width(),
        host: embed::is_asked_for(&browser::query()).then(|| Host {
            query: browser::query(),
            folder: browser::folder(),
            storage: browser::has_storage(),
        }),
    };
    let is_framed = start.host.is_some();
    let (app, jobs) = App::start(start, CARDS);
    let handle = Handle(Box::leak(Box::new(Live {
        app: RefCell::new(app),
        drawn: RefCell::default(),
        due: Cell::new(false),
    })));
    // What is asked for first is mostly there before a frame would show that it is not.
    match jobs.iter().any(|job| matches!(job, Job::Fetch(_))) {
        true => browser::after(FIRST_WAIT_MS, move || handle.draw_first()),
        false => handle.draw_soon(),
    }
    handle.listen();
    if is_framed {
        handle.listen_to_host();
    }
    jobs.into_iter().for_each(|job| handle.run(job));
}

/// What is on the page, and what goes with it.
#[derive(Default)]
struct Drawn {
    sheet: Sheet,
    /// Tells the room that pictures have.
    room: Option<WidthObserver>,
    /// Move the cursor while time runs.
    ticks: Option<Ticks>,
}

/// The app and what is on its page: they live as long as the page.
struct Live {
    app: RefCell<App>,
    drawn: RefCell<Drawn>,
    /// The page is about to follow the state.
    due: Cell<bool>,
}

/// The handle to both.
#[derive(Clone, Copy)]
struct Handle(&'static Live);

impl Handle {
    /// The only way in which anything changes.
    fn dispatch(self, does: Do) {
        let jobs = (self.0.app.borrow_mut()).update(does, &browser::ask_engine);
        self.draw_soon();
        jobs.into_iter().for_each(|job| self.run(job));
    }

    /// The page follows the state, once for all that is done at a time.
    fn draw_soon(self) {
        if !self.0.due.replace(true) {
            browser::spawn(async move {
                self.0.due.set(false);
                match browser::asleep("app") {
                    Some(early) => self.take_over(&early),
                    None => self.draw(),
                }
            });
        }
    }

    /// Goes on from the text that is on screen already (see `boot.js`).
    fn take_over(self, early: &Element) {
        let is_lesson = match self.0.app.borrow().screen {
            // It says more than that more will come.
            Screen::Waiting(_) => return,
            Screen::Lesson(_) => true,
            _ => false,
        };
        if is_lesson {
            // Its way on is there: who takes it at once need not wait for the first page.
            let _ = early.remove_attribute("inert");
            browser::after_frame(move || self.draw_first());
        } else {
            self.draw();
        }
    }

    /// Unless the page is there already.
    fn draw_first(self) {
        if self.0.drawn.borrow().sheet.html.0.is_empty() {
            self.draw_soon();
        }
    }

    fn draw(self) {
        // Changes of the page may be heard at once, and change the state.
        let (sheet, playing) = {
            let app = self.0.app.borrow();
            (page::page(&app), app.is_playing())
        };
        let mut drawn = self.0.drawn.borrow_mut();
        match sheet.changes(&drawn.sheet) {
            Some(regions) => {
                for region in regions {
                    let markup = &sheet.html.0[region.range.clone()];
                    browser::morph(&region.id, markup, region.shell);
                }
            }
            None => {
                // The first page is shown in two frames, so that neither is long: what is read first comes
                // first (see `.early` in the style sheet).
                let first = drawn.sheet.html.0.is_empty();
                let open = if first { EARLY } else { APP };
                browser::morph("app", &[open, &sheet.html.0, "</div>"].concat(), false);
                if first {
                    browser::after_frame(|| browser::morph("app", APP, true));
                }
                let changed = move |width| self.dispatch(Do::Width(f64::floor(width)));
                drawn.room = WidthObserver::of("figure", changed);
            }
        }
        drawn.sheet = sheet;
        // Nothing runs while nothing moves: the ticks exist only while playing.
        if playing != drawn.ticks.is_some() {
            let tick = move |ms| {
                self.dispatch(Do::Move(Move::Tick(ms)));
                self.0.app.borrow().stage.tick_ms()
            };
            drawn.ticks = playing.then(|| Ticks::start(tick));
        }
    }

    /// The app lives as long as its page, and so do its listeners.
    fn listen(self) {
        let root = browser::root();
        let on = |name, heard: fn(Handle, Event)| {
            std::mem::forget(Listener::on(&root, name, move |event| heard(self, event)));
        };
        on("click", Handle::click);
        on("change", Handle::change);
        on("input", Handle::input);
        on("keydown", Handle::key);
        on("mouseover", Handle::point);
        on("focusin", Handle::point);
        std::mem::forget(browser::watch_address(move || {
            self.dispatch(Do::Address(browser::fragment()));
        }));
        std::mem::forget(browser::watch_media(REDUCED_MOTION, move |reduced| {
            self.dispatch(Do::Move(Move::SetReducedMotion(reduced)));
        }));
    }

    /// What happens around an embed.
    fn listen_to_host(self) {
        let most = u32::try_from(MAX_TEXT_BYTES).unwrap_or(u32::MAX);
        let outside = move |what| self.dispatch(Do::Outside(what));
        std::mem::forget(browser::watch_host(most, move |id, received| {
            outside(Outside::Said(id, received));
        }));
        std::mem::forget(WidthObserver::of_page_height(move |height| {
            outside(Outside::Height(height));
        }));
        browser::watch_view(move |seen| outside(Outside::Seen(seen)));
    }

    fn does(self, word: &str, value: &str) {
        if let Some(does) = Do::parse(word, value) {
            self.dispatch(does);
        }
    }

    fn click(self, event: Event) {
        if let Some(button) = browser::closest(&event, "button[data-do]") {
            let word = button.get_attribute("data-do").unwrap_or_default();
            // What is idle may say why, and does nothing else.
            if word.starts_with("why:") || !button.has_attribute("aria-disabled") {
                self.does(&word, "");
            }
        } else if let Some(summary) = browser::closest(&event, "[data-do=try] > summary") {
            let was_open = summary.closest("[open]").is_ok_and(|open| open.is_some());
            self.dispatch(Do::Try(!was_open));
        }
        browser::close_menus(Some(&event));
    }

    fn change(self, event: Event) {
        if let Some(word) = browser::data_of_target(&event, "data-do")
            && word != "slide"
        {
            self.does(&word, "");
        }
    }

    fn input(self, event: Event) {
        if browser::data_of_target(&event, "data-do").as_deref() == Some("slide") {
            self.does("slide", &browser::value_of(&event));
        }
    }

    /// What prose points at: the reference under the pointer or focus.
    fn point(self, event: Event) {
        let part = browser::data_of_target(&event, "data-ref");
        if self.0.app.borrow().lit != part {
            self.dispatch(Do::Lit(part));
        }
    }

    /// Keys of the player, while the focus is inside it.
    fn key(self, event: Event) {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if event.key() == "Escape" {
            let framed = matches!(self.0.app.borrow().screen, Screen::Embed(_));
            if !browser::leave_menus() && framed {
                browser::leave();
            }
            return;
        }
        let elsewhere = browser::closest(event, "#stage").is_none();
        if elsewhere || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        if let Some(word) = word_of_key(event) {
            event.prevent_default();
            self.does(word, "");
        }
    }

    /// Does what only a browser can.
    fn run(self, job: Job) {
        match job {
            Job::Fetch(file) => browser::spawn(async move {
                let bytes = browser::fetch(&file).await;
                self.dispatch(Do::Fetched(file, bytes));
            }),
            Job::LoadEngine => browser::spawn(async move {
                let came = browser::load_engine().await;
                self.dispatch(Do::Engine(came));
            }),
            Job::Unpack(packed, step) => browser::spawn(async move {
                let text = browser::unpack(&packed, MAX_TEXT_BYTES).await;
                self.dispatch(Do::Unpacked(text, step));
            }),
            Job::Pack(text) => browser::spawn(async move {
                if let Some(packed) = browser::pack(&text).await {
                    self.dispatch(Do::Packed(text, packed));
                }
            }),
            Job::Address(fragment, new_entry) => browser::set_fragment(&fragment, new_entry),
            Job::Leave(address) => browser::go_to(&address),
            Job::Title(title) => browser::set_title(&title),
            Job::Store(name, text) => drop(browser::store(name, &text)),
            Job::Theme(dark) => theme::choose(dark),
            Job::Keep(text) => browser::keep_text(&text),
            Job::Post(id, message) => browser::post(&id, &message),
            Job::Warn(note) => browser::warn(&["Fencing Lab embed: ", &note].concat()),
            Job::Dress(theme, accents) => {
                browser::set_root_attribute("data-theme", theme);
                for (name, colour) in ["--accent-a", "--accent-b"].iter().zip(*accents) {
                    browser::set_root_property(name, colour.as_deref());
                }
            }
            Job::Later(outside) => {
                browser::after(0, move || self.dispatch(Do::Outside(outside)));
            }
            // The page has to be drawn first.
            Job::Focus(id) => browser::after(0, move || browser::focus(id, false)),
            Job::Scroll(id) => {
                if browser::matches_media("(max-width: 639px)") {
                    browser::scroll_to(id);
                }
            }
        }
    }
}

/// What a key does, in words of `data-do`.
fn word_of_key(event: &KeyboardEvent) -> Option<&'static str> {
    if browser::types_text(event) {
        return None;
    }
    let free = !browser::uses_arrows(event);
    let on_slider = browser::is_slider(event);
    Some(match event.key().as_str() {
        "ArrowRight" if free => "forward",
        "ArrowLeft" if free => "back",
        "ArrowUp" if on_slider => "forward",
        "ArrowDown" if on_slider => "back",
        "Home" => "first",
        "End" => "last",
        " " if !browser::is_pressed_by_keys(event) => "play",
        "k" => "play",
        "u" => "undo",
        "r" => "redo",
        "?" => "help",
        _ => return None,
    })
}
