//! The header as fields.

use super::Lab;
use crate::html::Html;
use crate::setup::{change, settings};
use crate::sim::Scenario;
use crate::view::browser;
use leptos::ev::Event;
use leptos::prelude::*;

/// The panel behind the button "Set-up".
pub fn setup(lab: Lab) -> impl IntoView {
    let markup = RwSignal::new(String::new());
    let wrong = RwSignal::new(String::new());
    let show = move || markup.set(lab.player.run.with_untracked(|run| form(run.scenario())));
    // Which fields there are depends on the names; their values may have changed in the text.
    let open = move |_| {
        wrong.set(String::new());
        show();
    };
    let changed = move |event: Event| {
        let Some(id) = browser::data_near(&event, "data-set") else {
            return;
        };
        let value = browser::value_of(&event);
        let result = lab
            .player
            .peek(|session| change(&session.source, session.run.scenario(), &id, &value));
        match result {
            Ok(source) => {
                wrong.set(String::new());
                lab.edit(source);
                if matches!(id.as_str(), "leases" | "resources") {
                    show();
                    let field = ["setup ", &id].concat();
                    browser::after(0, move || browser::focus(&field, true));
                }
            }
            Err(text) => wrong.set(text),
        }
    };
    view! {
        <details class="pop setup" name="pop">
            <summary class="link" on:click=open>"Set-up"</summary>
            <div class="menu">
                <p class="note">"Each field sets a line of the header. Names are parted by commas."</p>
                <div on:change=changed inner_html=markup></div>
                <p class="note no-t" role="status">{wrong}</p>
            </div>
        </details>
    }
}

fn form(scenario: &Scenario) -> String {
    let mut out = Html::default();
    for (title, fields) in settings(scenario) {
        out.raw("<fieldset><legend>").text(&title).raw("</legend>");
        for field in fields {
            out.raw("<label class=\"field wide\"><span>")
                .text(&field.label)
                .raw("</span>");
            let start = if field.choices.is_empty() {
                "<input type=\"text\" autocomplete=\"off\" spellcheck=\"false\""
            } else {
                "<select"
            };
            out.raw(start)
                .raw(" id=\"setup ")
                .text(&field.id)
                .raw("\" data-set=\"")
                .text(&field.id)
                .raw("\"");
            if field.choices.is_empty() {
                out.raw(" value=\"").text(&field.value).raw("\">");
            } else {
                out.raw(">");
                for choice in &field.choices {
                    out.raw("<option")
                        .raw(if *choice == field.value {
                            " selected>"
                        } else {
                            ">"
                        })
                        .text(choice)
                        .raw("</option>");
                }
                out.raw("</select>");
            }
            out.raw("</label>");
        }
        out.raw("</fieldset>");
    }
    out.0
}
