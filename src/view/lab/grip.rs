//! The ends of arrows: dragged along time, or moved by the arrow keys, they change the line that
//! sends the message.

use super::Lab;
use super::acts::Menus;
use super::shared::Shared;
use super::timeline::Picture;
use crate::diagram::{Orientation, Scene};
use crate::edit::replace_line;
use crate::html::{Html, WHO};
use crate::menu::{Menu, Owner, arrival, arriving_at};
use crate::session::Run;
use crate::sim::{NameId, Secs};
use crate::view::browser;
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;

/// A grip on the arrow's end of each message that has a menu, as sliders.
pub fn grips(out: &mut Html, run: &Run, scene: &Scene, menus: &[Menu]) {
    for menu in menus {
        let Owner::Message(name) = menu.owner else {
            continue;
        };
        let Some(arrival) = arrival(run, name) else {
            continue;
        };
        let Some(lane) = scene.lanes.iter().find(|lane| lane.node == arrival.to) else {
            continue;
        };
        let is_seen = |secs: Secs| scene.axis.share(secs as f64) < 1.0;
        if !is_seen(arrival.due_secs) {
            continue;
        }
        let along = scene.axis.position(arrival.due_secs as f64);
        let (x, y) = match scene.orientation {
            Orientation::Horizontal => (along, lane.at),
            Orientation::Vertical => (lane.at, along),
        };
        let due = arrival.due_secs.to_string();
        out.raw("<button type=\"button\" role=\"slider\" class=\"grip\" id=\"grip-")
            .number(name.0 as u64)
            .raw("\" data-grip=\"")
            .number(name.0 as u64);
        if let Some(who) = menu.who {
            out.raw("\" data-who=\"").raw(WHO[who.0 % WHO.len()]);
        }
        out.raw("\" data-x=\"")
            .number(x as u64)
            .raw("\" data-y=\"")
            .number(y as u64)
            .raw("\" aria-label=\"Arrival of ")
            .text(&menu.title)
            .raw("\" aria-valuemin=\"")
            .number(arrival.sent_secs);
        out.raw("\" aria-valuemax=\"")
            .number(scene.axis.end_secs as u64)
            .raw("\" aria-valuenow=\"")
            .raw(&due)
            .raw("\" aria-valuetext=\"at ")
            .raw(&due)
            .raw(" s\" data-time=\"")
            .raw(&due)
            .raw(" s\"></button>");
    }
}

/// A grip that is held: which message, where it was taken in px along time and on the screen, and
/// when the message would arrive now.
#[derive(Clone, Copy)]
struct Held {
    name: NameId,
    along: f64,
    taken_at: f64,
    at_secs: Secs,
}

/// The handle to all grips.
#[derive(Clone, Copy)]
pub struct Grips {
    lab: Lab,
    picture: Memo<Shared<Picture>>,
    menus: RwSignal<Option<Menus>>,
    held: StoredValue<Option<Held>>,
    /// The grip that was moved by keys: it gets the focus again when it is drawn anew.
    moved: StoredValue<Option<NameId>>,
    /// What is announced.
    pub said: RwSignal<String>,
}

impl Grips {
    pub fn new(lab: Lab, picture: Memo<Shared<Picture>>, menus: RwSignal<Option<Menus>>) -> Self {
        Grips {
            lab,
            picture,
            menus,
            held: StoredValue::new(None),
            moved: StoredValue::new(None),
            said: RwSignal::new(String::new()),
        }
    }

    /// Where a pointer is along time, in px of the screen.
    fn pointer(self, event: &PointerEvent) -> f64 {
        f64::from(match self.picture.get_untracked().scene.orientation {
            Orientation::Horizontal => event.client_x(),
            Orientation::Vertical => event.client_y(),
        })
    }

    /// A press on a grip takes hold of it.
    pub fn take(self, event: &PointerEvent) {
        let Some(name) = grip_of(event) else { return };
        let Some(arrival) = self.lab.player.run.with_untracked(|run| arrival(run, name)) else {
            return;
        };
        browser::capture_pointer(event);
        let axis_at = |secs: Secs| {
            self.picture
                .get_untracked()
                .scene
                .axis
                .position(secs as f64)
        };
        self.held.set_value(Some(Held {
            name,
            along: axis_at(arrival.due_secs),
            taken_at: self.pointer(event),
            at_secs: arrival.due_secs,
        }));
    }

    /// The grip follows the pointer, second by second.
    pub fn drag(self, event: &PointerEvent) {
        let Some(mut held) = self.held.get_value() else {
            return;
        };
        let sent = self
            .lab
            .player
            .run
            .with_untracked(|run| arrival(run, held.name));
        let picture = self.picture.get_untracked();
        let axis = &picture.scene.axis;
        let along = held.along + self.pointer(event) - held.taken_at;
        let at_secs = axis.time_at(along).round() as Secs;
        held.at_secs = at_secs.max(sent.map_or(0, |sent| sent.sent_secs));
        self.held.set_value(Some(held));
        let px = (axis.position(held.at_secs as f64) as u64).to_string();
        let data = match picture.scene.orientation {
            Orientation::Horizontal => "data-x",
            Orientation::Vertical => "data-y",
        };
        let time = [&held.at_secs.to_string(), " s"].concat();
        browser::move_by_data(event, &[(data, &px), ("data-time", &time)]);
    }

    /// Let go, the message arrives where its grip is.
    pub fn drop(self, event: &PointerEvent) {
        if let Some(held) = self.held.get_value() {
            self.drag(event);
            let at_secs = self
                .held
                .get_value()
                .map_or(held.at_secs, |held| held.at_secs);
            self.leave();
            self.arrive(held.name, at_secs);
        }
    }

    /// Nothing is held any more.
    pub fn leave(self) {
        self.held.set_value(None);
    }

    /// Arrow keys on a grip: a second earlier or later.
    pub fn key(self, event: &KeyboardEvent) {
        let Some(name) = grip_of(event) else { return };
        let Some(arrival) = self.lab.player.run.with_untracked(|run| arrival(run, name)) else {
            return;
        };
        let at_secs = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => arrival.due_secs.saturating_add(1),
            "ArrowLeft" | "ArrowDown" => arrival.due_secs.saturating_sub(1),
            "Home" => arrival.sent_secs,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        self.moved.set_value(Some(name));
        self.arrive(name, at_secs.max(arrival.sent_secs));
    }

    /// Writes the new time into the line, and says it.
    fn arrive(self, name: NameId, at_secs: Secs) {
        let player = self.lab.player;
        let change = player.run.with_untracked(|run| {
            let arrival = arrival(run, name).filter(|arrival| arrival.due_secs != at_secs)?;
            let title = run.scenario().messages.get(name.0)?.clone();
            Some((arriving_at(run, &arrival, at_secs)?, title))
        });
        if let Some(((number, line), title)) = change {
            self.said
                .set(["“", &title, "” arrives at ", &at_secs.to_string(), " s"].concat());
            // Grips of the old run must not be drawn over the new picture.
            self.menus.set(None);
            self.lab
                .edit(replace_line(&self.lab.source(), number, &line));
        }
    }

    /// The grips were drawn anew.
    pub fn hold_on(self) {
        let moved = self.moved.try_update_value(Option::take).flatten();
        if let Some(name) = moved {
            browser::focus(&["grip-", &name.0.to_string()].concat(), true);
        }
    }
}

/// The message whose grip an event is about.
fn grip_of(event: &leptos::ev::Event) -> Option<NameId> {
    browser::data_near(event, "data-grip")?
        .parse()
        .ok()
        .map(NameId)
}
