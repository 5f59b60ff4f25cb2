//! The learner's own actions, as buttons: each writes one line of the language at the cursor.

use super::icons::{self, icon};
use super::player::Player;
use crate::actions::{Action, Group, offers};
use crate::html::WHO;
use crate::panels::client_name;
use crate::session::{Intent, Session};
use crate::sim::Scenario;
use leptos::prelude::*;

/// All actions at the cursor, with undo and redo.
#[component]
pub fn Actions(player: Player) -> impl IntoView {
    // While time runs the buttons stand still: what they offer is settled when it comes to rest.
    let groups = Memo::new(move |before: Option<&Vec<Group>>| match before {
        Some(before) if player.playing.get() => before.clone(),
        _ => player.run.with(|run| offers(run, player.cursor.get())),
    });
    let why = RwSignal::new(String::new());
    Effect::new(move |_| {
        groups.track();
        why.set(String::new());
    });
    view! {
        <section class="actions" aria-label="Your own run">
            <h2 class="eyebrow">"Your own run"</h2>
            <div class="action-groups">
                {move || {
                    let run = player.run.get();
                    groups.get().into_iter().map(|g| group(player, run.scenario(), g, why)).collect_view()
                }}
                <div class="action-group">
                    <History player />
                </div>
            </div>
            <p class="why note" role="status">{why}</p>
        </section>
    }
}

fn group(
    player: Player,
    scenario: &Scenario,
    group: Group,
    why: RwSignal<String>,
) -> impl IntoView + use<> {
    let name = group
        .client
        .map_or("Time".to_owned(), |client| client_name(scenario, client.0));
    let shown = name.clone();
    let buttons: Vec<_> = (group.actions.into_iter())
        .map(|action| button(player, &name, action, why))
        .collect();
    view! {
        <div class="action-group" role="group" aria-label=name data-who=group.client.map(|client| WHO[client.0 % WHO.len()])>
            <h3 aria-hidden="true">{shown}</h3>
            {buttons}
        </div>
    }
}

/// A button that cannot be used now stays in reach and says why.
fn button(
    player: Player,
    group: &str,
    action: Action,
    why: RwSignal<String>,
) -> impl IntoView + use<> {
    let Action {
        label,
        line,
        why_not,
    } = action;
    let is_off = why_not.is_some();
    let title = why_not
        .clone()
        .unwrap_or_else(|| ["Adds: ", &line].concat());
    let name = [group, ": ", label].concat();
    let press = move |_| match &why_not {
        Some(reason) => why.set(reason.clone()),
        None => player.dispatch(Intent::Act(line.clone())),
    };
    view! {
        <button type="button" class="btn small" title=title aria-label=name
            aria-disabled=is_off.then_some("true") on:click=press>{label}</button>
    }
}

/// Undo and redo.
#[component]
pub fn History(player: Player) -> impl IntoView {
    let undo = move |_| player.dispatch(Intent::Undo);
    let redo = move |_| player.dispatch(Intent::Redo);
    let no_undo = move || !player.with(Session::can_undo);
    let no_redo = move || !player.with(Session::can_redo);
    view! {
        <button type="button" class="icon-btn" aria-label="Undo" aria-disabled=move || no_undo().then_some("true") on:click=undo>
            {icon(icons::UNDO)}
        </button>
        <button type="button" class="icon-btn" aria-label="Redo" aria-disabled=move || no_redo().then_some("true") on:click=redo>
            {icon(icons::REDO)}
        </button>
    }
}
