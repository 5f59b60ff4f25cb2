//! The policy of a resource: a base, and what it adds. Sets the line of the header.

use super::Lab;
use super::icons::{self, icon};
use crate::complete::{base_note, option_note};
use crate::setup;
use crate::sim::*;
use leptos::prelude::*;

/// Why an option makes no sense with the rest of a policy.
fn why_not(policy: &Policy, option: PolicyOption) -> Option<&'static str> {
    match option {
        PolicyOption::Cas if policy.base != Base::CheckThenWrite => {
            Some("only with check-then-write")
        }
        PolicyOption::Owner | PolicyOption::Optional if !policy.base.looks_at_token() => {
            Some("this base looks at no token")
        }
        PolicyOption::DedupeAfter if policy.has(PolicyOption::DedupeFirst) => {
            Some("not together with dedupe-first")
        }
        PolicyOption::DedupeFirst if policy.has(PolicyOption::DedupeAfter) => {
            Some("not together with dedupe-after")
        }
        _ => None,
    }
}

/// The same options on another base; those that are impossible there are left out.
fn with_base(policy: &Policy, base: Base) -> Policy {
    let mut next = Policy::of(base);
    for option in policy.options.iter() {
        if why_not(&next, option_value(option)).is_none() {
            next.options.insert(option_value(option));
        }
    }
    next
}

/// Options may be kept by value or by reference.
fn option_value(option: impl std::borrow::Borrow<PolicyOption>) -> PolicyOption {
    *option.borrow()
}

/// The policy with an option added or taken away.
fn toggled(policy: &Policy, option: PolicyOption) -> Policy {
    let mut next = Policy::of(policy.base);
    for known in PolicyOption::ALL {
        if policy.has(*known) != (*known == option) {
            next.options.insert(*known);
        }
    }
    next
}

/// The panel behind a button that shows the policy.
pub fn policy(lab: Lab) -> impl IntoView {
    let resource = RwSignal::new(0_usize);
    let names = Memo::new(move |_| {
        lab.player.played.with(|run| {
            run.scenario()
                .resources
                .iter()
                .map(|resource| resource.name.clone())
                .collect::<Vec<_>>()
        })
    });
    let chosen = Memo::new(move |_| resource.get().min(names.with(Vec::len).saturating_sub(1)));
    let policy = Memo::new(move |_| {
        lab.player.played.with(|run| {
            let found = run.scenario().resources.get(chosen.get());
            found.map_or(Policy::of(Base::Fenced), |resource| resource.policy.clone())
        })
    });
    let set = move |next: Policy| lab.set_policy(chosen.get_untracked(), &next);
    let name = move || ["Policy of the resource: ", &policy.get().to_string()].concat();
    let base = move |base: Base| {
        view! {
            <label class="opt">
                <input type="radio" name="base" prop:checked=move || policy.get().base == base
                    on:change=move |_| set(with_base(&policy.get_untracked(), base)) />
                <span><b>{base.name()}</b><small>{base_note(base)}</small></span>
            </label>
        }
    };
    let option = move |option: PolicyOption| {
        let is_on = move || policy.get().has(option);
        let why = move || {
            policy
                .with(|policy| why_not(policy, option))
                .filter(|_| !is_on())
        };
        view! {
            <label class="opt" data-off=move || why().map(|_| "")>
                <input type="checkbox" prop:checked=is_on prop:disabled=move || why().is_some()
                    on:change=move |_| set(toggled(&policy.get_untracked(), option)) />
                <span><b>{option.name()}</b><small>{move || why().unwrap_or(option_note(option))}</small></span>
            </label>
        }
    };
    let several = move || {
        (names.with(Vec::len) > 1).then(|| {
        let options = names.get().into_iter().enumerate().map(|(index, name)| view! { <option value=index.to_string()>{name}</option> }).collect_view();
        view! {
            <label class="field"><span>"Resource"</span>
                <select on:change=move |event| resource.set(event_target_value(&event).parse().unwrap_or(0))>{options}</select>
            </label>
        }
    })
    };
    let line = move || {
        lab.player
            .played
            .with(|run| setup::resource_line(run.scenario(), chosen.get()))
    };
    view! {
        <div class="policy">
            <span aria-hidden="true">"Policy"</span>
            <details class="pop pol" name="pop">
                <summary class="btn" aria-label=name><b>{move || policy.get().to_string()}</b>{icon(icons::DOWN)}</summary>
                <div class="menu">
                    {several}
                    <div class="two">
                        <fieldset><legend>"A write is taken if"</legend>{Base::ALL.iter().map(|b| base(*b)).collect_view()}</fieldset>
                        <fieldset><legend>"And also"</legend>{PolicyOption::ALL.iter().map(|o| option(*o)).collect_view()}</fieldset>
                    </div>
                    <p class="writes"><span class="note">"sets"</span><code>{line}</code></p>
                </div>
            </details>
        </div>
    }
}
