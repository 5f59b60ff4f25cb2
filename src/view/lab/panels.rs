//! What each party holds at the cursor. The panels have no controls but the tabs of the rule, so
//! they are written as markup (`core::panels`).

use super::player::Player;
use crate::film;
use crate::panels::{self, RuleForm};
use crate::view::browser;
use leptos::prelude::*;

/// All panels of a run.
#[component]
pub fn Panels(
    player: Player,
    /// Which form of the rule is in front.
    form: RwSignal<RuleForm>,
) -> impl IntoView {
    let parties = Memo::new(move |_| {
        player
            .passed
            .with(|(run, passed)| panels::parties(run, *passed))
    });
    // Within a moment the panels stand still, but for the tenths of what is left of a lease.
    let tenths = Memo::new(move |_| player.settled.with(|(_, at)| at.now_ms / 100 * 100));
    let filled = Memo::new(move |_| parties.with(|markup| film::fill(markup, tenths.get())));
    let resources = Memo::new(move |_| {
        player
            .passed
            .with(|(run, passed)| panels::resources(run, *passed, form.get()))
    });
    keep_up("parties", filled);
    keep_up("rules", resources);
    let tab = move |which: RuleForm, name: &'static str| {
        let selected = move || if form.get() == which { "true" } else { "false" };
        view! {
            <button type="button" class="tab" aria-pressed=selected on:click=move |_| form.set(which)>{name}</button>
        }
    };
    view! {
        <div class="panels">
            <div id="parties" class="parties"></div>
            <section class="panel gate-panel">
                <div id="rules" class="rules"></div>
                <div class="tabs" role="group" aria-label="Form of the rule">
                    {tab(RuleForm::Gate, "Rule")}
                    {tab(RuleForm::Sql, "SQL")}
                </div>
            </section>
        </div>
    }
}

/// Brings the element with this id, and class, up to date: of a step only what differs is laid out anew.
fn keep_up(id: &'static str, inside: Memo<String>) {
    Effect::new(move |_| {
        inside.with(|inside| {
            let markup = ["<div id=\"", id, "\" class=\"", id, "\">", inside, "</div>"];
            browser::morph(id, &markup.concat(), false);
        });
    });
}
