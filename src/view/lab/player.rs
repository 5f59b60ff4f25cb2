//! The handle to a session: one signal down, one callback up.

use super::shared::Shared;
use crate::playhead::{Cursor, Move};
use crate::session::{Intent, Run, Session};
use crate::view::browser::{self, Ticks};
use leptos::prelude::*;

/// The run of a session as views read it.
pub type RunRef = Shared<Run>;

/// A session and what most views read of it.
#[derive(Clone, Copy)]
pub struct Player {
    session: RwSignal<Session>,
    /// The text, understood and played.
    pub run: Memo<RunRef>,
    /// Where the learner stands.
    pub cursor: Memo<Cursor>,
    /// Where what is seen to move glides to, in virtual milliseconds.
    pub glide: Memo<u64>,
    /// Whether time runs.
    pub playing: Memo<bool>,
    /// The run and the cursor as of the last frame: for what may come a frame later than the
    /// playhead, so that the playhead need not wait for it.
    pub settled: RwSignal<(RunRef, Cursor)>,
    /// The settled run.
    pub played: Memo<RunRef>,
    /// Whether there is another run than the settled one: what may come later waits.
    pub stale: Memo<bool>,
    /// The settled run, and how many of its moments have passed.
    pub passed: Memo<(RunRef, usize)>,
    /// The cursor for what is drawn of the run: a step comes with the next frame, an edit at once.
    pub drawn: Memo<Cursor>,
}

impl Player {
    /// A player of `session`; while time runs, ticks move its cursor.
    pub fn new(session: Session) -> Self {
        let session = RwSignal::new(session);
        let settled =
            RwSignal::new(session.with_untracked(|s| (s.run.clone().into(), s.head.cursor)));
        let run: Memo<RunRef> = Memo::new(move |_| session.with(|s| s.run.clone().into()));
        let cursor = Memo::new(move |_| session.with(|s| s.head.cursor));
        let player = Player {
            settled,
            played: Memo::new(move |_| settled.with(|(run, _)| run.clone())),
            stale: Memo::new(move |_| run.with(|run| settled.with(|(settled, _)| settled != run))),
            passed: Memo::new(move |_| settled.with(|(run, at)| (run.clone(), at.passed))),
            drawn: Memo::new(move |_| {
                let run = run.get();
                let (settled, at) = settled.get();
                if settled == run {
                    at
                } else {
                    cursor.get_untracked()
                }
            }),
            session,
            run,
            cursor,
            glide: Memo::new(move |_| session.with(|s| s.head.glides_to(&s.run.clock))),
            playing: Memo::new(move |_| session.with(|session| session.head.is_playing())),
        };
        player.follow_reduced_motion();
        player.move_while_playing();
        player.settle_after_frames();
        player
    }

    fn settle_after_frames(self) {
        let waiting = StoredValue::new(false);
        Effect::new(move |_| {
            self.run.track();
            self.cursor.track();
            if waiting.get_value() {
                return;
            }
            waiting.set_value(true);
            browser::after_frame(move || {
                waiting.set_value(false);
                let now = (self.run.get_untracked(), self.cursor.get_untracked());
                if self.settled.with_untracked(|before| *before != now) {
                    self.settled.set(now);
                }
            });
        });
    }

    /// Whether all that is on the page is of the present run and cursor.
    pub fn is_settled(self) -> bool {
        let now = (self.run.get_untracked(), self.cursor.get_untracked());
        self.settled.with_untracked(|settled| *settled == now)
    }

    /// Carries out what was asked: the only way in which a view changes a session.
    pub fn dispatch(self, intent: Intent) {
        self.session.update(|session| session.update(intent));
    }

    /// Keeps the text for the page to show, should the app stop by a fault of its own.
    pub fn keep_text(self) {
        Effect::new(move |_| {
            self.settled.track();
            self.peek(|session| browser::keep_text(&session.source));
        });
    }

    /// Lets a lesson tell the session where to stand.
    pub fn change(self, change: impl FnOnce(&mut Session)) {
        self.session.update(change);
    }

    /// Reads the session.
    pub fn with<T>(self, read: impl FnOnce(&Session) -> T) -> T {
        self.session.with(read)
    }

    /// Reads the session without following it.
    pub fn peek<T>(self, read: impl FnOnce(&Session) -> T) -> T {
        self.session.with_untracked(read)
    }

    fn follow_reduced_motion(self) {
        const QUERY: &str = "(prefers-reduced-motion: reduce)";
        self.dispatch(Intent::Move(Move::SetReducedMotion(
            browser::matches_media(QUERY),
        )));
        let listener = browser::watch_media(QUERY, move |reduced| {
            self.dispatch(Intent::Move(Move::SetReducedMotion(reduced)));
        });
        let listener = StoredValue::new_local(listener);
        on_cleanup(move || listener.set_value(None));
    }

    /// Nothing runs while nothing moves: the ticks exist only while playing.
    fn move_while_playing(self) {
        let ticks: StoredValue<Option<Ticks>, LocalStorage> = StoredValue::new_local(None);
        Effect::new(move |_| {
            let tick = move |ms| {
                self.dispatch(Intent::Move(Move::Tick(ms)));
                self.peek(|session| session.head.tick_ms(&session.run.clock))
            };
            ticks.set_value(self.playing.get().then(|| Ticks::start(tick)));
        });
        on_cleanup(move || ticks.set_value(None));
    }
}
