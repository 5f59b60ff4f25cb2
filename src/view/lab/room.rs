//! What the lab's stage asks of its page: the room for a picture, and the keys.

use super::player::Player;
use crate::playhead::Move;
use crate::session::Intent;
use crate::view::browser::WidthObserver;
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

/// The width of a figure in whole px, now and later; 0 until it is known.
pub fn measured(figure: NodeRef<html::Figure>) -> ReadSignal<f64> {
    let (width, set_width) = signal(0.0);
    let observer: StoredValue<Option<WidthObserver>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move |_| {
        if let Some(figure) = figure.get() {
            let observed = WidthObserver::new(&figure, move |width| set_width.set(width.floor()));
            observer.set_value(observed);
        }
    });
    on_cleanup(move || observer.set_value(None));
    width
}

/// Keys of the player, while the focus is inside it.
pub fn key(player: Player, event: &KeyboardEvent) {
    use crate::view::browser::{is_pressed_by_keys, types_text, uses_arrows};
    if event.ctrl_key() || event.meta_key() || event.alt_key() || types_text(event) {
        return;
    }
    let intent = match event.key().as_str() {
        "ArrowRight" if !uses_arrows(event) => Intent::Move(Move::Forward),
        "ArrowLeft" if !uses_arrows(event) => Intent::Move(Move::Back),
        "Home" => Intent::Move(Move::First),
        "End" => Intent::Move(Move::Last),
        " " if !is_pressed_by_keys(event) => Intent::Move(Move::PlayOrPause),
        "k" => Intent::Move(Move::PlayOrPause),
        "u" => Intent::Undo,
        "r" => Intent::Redo,
        _ => return,
    };
    event.prevent_default();
    player.dispatch(intent);
}
