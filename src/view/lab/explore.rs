//! The search for the shortest failure: bounds as sentences, progress, and what was found.

use super::icons::{self, icon};
use super::illustrations;
use super::player::RunRef;
use super::room::measured;
use super::shared::Shared;
use super::timeline::{Picture, Timeline};
use super::{Lab, tabs};
use crate::diagram::{self, Density};
use crate::explore::*;
use crate::html::{Html, WHO};
use crate::link::LabView;
use crate::panels::glyph;
use crate::playhead::{Cursor, Move};
use crate::script as language;
use crate::session::{Intent, Run};
use crate::sim::{Answer, Base, EventKind, Policy, Resource, Scenario};
use crate::view::browser::{self, Ticks};
use leptos::ev::{Event, MouseEvent};
use leptos::html;
use leptos::prelude::*;
use std::sync::Arc;

/// A slice of the search, in real milliseconds: most of two frames, which is not felt as a delay.
const SLICE_MS: f64 = 30.0;
/// States between two looks at the clock.
const STATES_A_LOOK: usize = 500;
/// Progress is told again after so many milliseconds.
const TELL_EVERY_MS: f64 = 150.0;
/// Progress is shown after so many milliseconds: most searches are over before.
const SHOW_AFTER_MS: f64 = 300.0;
/// A page has less room than a command line.
const MAX_STATES_HERE: usize = 1_000_000;

/// Policies to search.
const OFFERED: [&str; 12] = [
    "unfenced",
    "check-then-write",
    "check-then-write+cas",
    "ask-holder",
    "strict",
    "equality",
    "fenced",
    "fenced+owner",
    "fenced+sequence",
    "fenced+claim",
    "fenced+durable",
    "fenced+dedupe-after",
];

/// A select in a sentence: which bound, its name, and the words for its values from the first on.
struct Choice {
    id: usize,
    name: &'static str,
    words: &'static [&'static str],
    first: u8,
}

const fn choice(
    id: usize,
    name: &'static str,
    first: u8,
    words: &'static [&'static str],
) -> Choice {
    Choice {
        id,
        name,
        words,
        first,
    }
}

const NEVER: &[&str] = &["never", "once", "twice"];
const COUNT: &[&str] = &["none", "one", "two", "three"];

/// The sentences: text, then a choice.
const SENTENCES: &[&[(&str, Option<Choice>)]] = &[
    &[
        (
            "",
            Some(choice(
                0,
                "Clients",
                1,
                &["One client", "Two clients", "Three clients"],
            )),
        ),
        (
            " may be granted a lease ",
            Some(choice(1, "Grants", 1, &["once", "twice"])),
        ),
        (
            " and send up to ",
            Some(choice(
                2,
                "Writes",
                1,
                &["one write", "two writes", "three writes"],
            )),
        ),
        (" each.", None),
    ],
    &[
        (
            "A client reads before a write ",
            Some(choice(3, "Reads", 0, NEVER)),
        ),
        (", pauses ", Some(choice(4, "Pauses", 0, NEVER))),
        (
            ", crashes ",
            Some(choice(5, "Client crashes", 0, &["never", "once"])),
        ),
        (
            " and sends its last write again ",
            Some(choice(9, "Retries", 0, &["never", "once"])),
        ),
        (".", None),
    ],
    &[
        (
            "A lease may end ",
            Some(choice(
                12,
                "Lease ends",
                0,
                &["at any moment", "only on time"],
            )),
        ),
        (
            ". Writes that are late, or lost: ",
            Some(choice(6, "Late writes", 0, COUNT)),
        ),
        (
            "; copies that arrive: ",
            Some(choice(8, "Copies", 0, COUNT)),
        ),
        (".", None),
    ],
    &[
        (
            "The coordinator fails ",
            Some(choice(10, "Coordinator failures", 0, &["never", "once"])),
        ),
        (
            ": then it ",
            Some(choice(
                13,
                "What a failure does",
                0,
                &[
                    "restarts",
                    "restarts without its counter",
                    "goes back to a snapshot",
                    "goes back and jumps ahead",
                ],
            )),
        ),
        (".", None),
    ],
    &[
        (
            "The resource loses its mark ",
            Some(choice(11, "Lost marks", 0, NEVER)),
        ),
        (
            ". Writes that stall inside of it: ",
            Some(choice(7, "Stalls", 0, COUNT)),
        ),
        (".", None),
    ],
];

/// The value of a bound, in the order of [`Bounds::RANGES`], then the two that are no numbers.
fn bound(bounds: &Bounds, id: usize) -> u8 {
    match id {
        12 => u8::from(bounds.lease_ends == LeaseEnds::OnTime),
        13 => CoordinatorFault::ALL
            .iter()
            .position(|fault| *fault == bounds.coordinator_fault)
            .unwrap_or(0) as u8,
        _ => bounds.numbers().get(id).copied().unwrap_or(0),
    }
}

fn set_bound(bounds: &mut Bounds, id: usize, value: u8) {
    let field = match id {
        0 => &mut bounds.clients,
        1 => &mut bounds.grants,
        2 => &mut bounds.writes,
        3 => &mut bounds.reads,
        4 => &mut bounds.pauses,
        5 => &mut bounds.client_crashes,
        6 => &mut bounds.delays,
        7 => &mut bounds.stalls,
        8 => &mut bounds.duplicates,
        9 => &mut bounds.retries,
        10 => &mut bounds.coordinator_faults,
        11 => &mut bounds.resource_crashes,
        12 => return bounds.lease_ends = LeaseEnds::ALL[usize::from(value.min(1))],
        _ => {
            return bounds.coordinator_fault = CoordinatorFault::ALL
                .get(usize::from(value))
                .copied()
                .unwrap_or_default();
        }
    };
    *field = value;
}

/// The mark that a text begins with, which must stay at the end of a line, and the rest.
fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(usize::from(text.starts_with(['.', ',', ';', ':'])))
}

/// What is searched.
#[derive(Clone, PartialEq)]
struct Question {
    bounds: Bounds,
    policy: Policy,
    properties: Vec<Property>,
}

/// A run that violates something.
#[derive(Clone, PartialEq)]
struct Found {
    scenario: Scenario,
    text: String,
    steps: String,
    /// The same run at a fenced resource, if that is another policy.
    fenced: Option<String>,
}

/// What the column at the right shows.
#[derive(Clone, PartialEq)]
enum Shown {
    Choose,
    Running(String),
    Result {
        title: String,
        note: String,
        body: String,
        found: Option<Box<Found>>,
        holds: bool,
    },
}

/// A policy that was searched in the same bounds: its name, the result in a few words, whether
/// nothing was found, and the number of states.
type Searched = (String, String, Option<bool>, usize);

/// The handle to the explorer.
#[derive(Clone, Copy)]
struct Explorer {
    lab: Lab,
    question: RwSignal<Question>,
    shown: RwSignal<Shown>,
    board: RwSignal<Vec<Searched>>,
    wrong: RwSignal<String>,
    search: StoredValue<Option<Search>, LocalStorage>,
    ticks: StoredValue<Option<Ticks>, LocalStorage>,
    running: RwSignal<bool>,
    started_ms: StoredValue<f64>,
    told_ms: StoredValue<f64>,
}

/// The view.
pub fn explore(lab: Lab) -> impl IntoView {
    let policy = lab.player.run.with_untracked(|run| {
        run.scenario()
            .resources
            .first()
            .map(|resource| resource.policy.clone())
    });
    let explorer = Explorer {
        lab,
        question: RwSignal::new(Question {
            bounds: Bounds::default(),
            policy: policy.unwrap_or(Policy::of(crate::sim::Base::Fenced)),
            properties: vec![Property::NoStaleAccepted],
        }),
        shown: RwSignal::new(Shown::Choose),
        board: RwSignal::new(Vec::new()),
        wrong: RwSignal::new(String::new()),
        search: StoredValue::new_local(None),
        ticks: StoredValue::new_local(None),
        running: RwSignal::new(false),
        started_ms: StoredValue::new(0.0),
        told_ms: StoredValue::new(0.0),
    };
    on_cleanup(move || explorer.ticks.set_value(None));
    view! {
        <main class="lesson explore">
            {explorer.bounds()}
            <section class="stage states" id="stage" aria-label="Explore">
                <div class="stage-head">{tabs(lab)}</div>
                {move || explorer.properties()}
                {move || explorer.result()}
                <div class="plan">
                    <div on:click=move |event: MouseEvent| explorer.pick(&event) inner_html=move || explorer.board_markup()></div>
                    {move || (explorer.shown.get() == Shown::Choose).then(|| view! { <div inner_html=illustrations::grid()></div> })}
                </div>
            </section>
        </main>
    }
}

impl Explorer {
    /// The sentences with their selects.
    fn bounds(self) -> impl IntoView {
        let markup = self.question.with_untracked(|question| {
            let mut out = Html::default();
            for sentence in SENTENCES {
                out.raw("<p>");
                let mut after_select = false;
                for (text, choice) in *sentence {
                    if after_select {
                        let (mark, rest) = split_mark(text);
                        out.raw(mark).raw("</span>").raw(rest);
                    } else {
                        out.raw(text);
                    }
                    after_select = choice.is_some();
                    if let Some(choice) = choice {
                        out.raw("<span>");
                        select(&mut out, choice, bound(&question.bounds, choice.id));
                    }
                }
                out.raw("</p>");
            }
            out.raw("<p>The resource is ");
            let own = question.policy.to_string();
            out.raw("<select id=\"bound-policy\" data-bound=\"policy\" aria-label=\"Policy\">");
            let known = OFFERED.contains(&own.as_str());
            for name in OFFERED.into_iter().chain((!known).then_some(own.as_str())) {
                out.raw("<option")
                    .raw(if name == own { " selected>" } else { ">" })
                    .text(name)
                    .raw("</option>");
            }
            out.raw("</select>.</p>");
            out.0
        });
        let changed = move |event: Event| {
            let Some(id) = browser::data_near(&event, "data-bound") else {
                return;
            };
            let value = browser::value_of(&event);
            self.change(|question| {
                match (
                    id.parse::<usize>(),
                    value.parse::<u8>(),
                    language::parse_policy(&value),
                ) {
                    (Ok(id), Ok(value), _) => set_bound(&mut question.bounds, id, value),
                    (_, _, Ok(policy)) => question.policy = policy,
                    _ => {}
                }
            });
        };
        view! {
            <article class="read" aria-label="What to search">
                <div class="read-body">
                    <h1>"Find the shortest failure"</h1>
                    <p>"Every order of these events, shortest first, until something goes wrong or nothing is left."</p>
                    <div class="bounds" on:change=changed inner_html=markup></div>
                    <p class="note no-t" role="alert">{self.wrong}</p>
                </div>
                <footer class="foot">
                    {move || match self.running.get() {
                        true => view! { <button type="button" class="btn" on:click=move |_| self.cancel()>"Cancel"</button> }.into_any(),
                        false => view! { <button type="button" class="btn primary" on:click=move |_| self.start()>{icon(icons::PLAY)}"Search"</button> }.into_any(),
                    }}
                    <span><small>"shortest runs first"</small></span>
                </footer>
            </article>
        }
    }

    /// Another question: what was found for the old one is of no use, but for other policies.
    fn change(self, change: impl FnOnce(&mut Question)) {
        let before = self.question.get_untracked();
        self.stop();
        self.question.update(change);
        let after = self.question.get_untracked();
        if before.bounds != after.bounds || before.properties != after.properties {
            self.board.set(Vec::new());
        }
        self.wrong.set(
            after
                .bounds
                .check()
                .err()
                .map(|error| sentence(&error.to_string()))
                .unwrap_or_default(),
        );
        self.shown.set(Shown::Choose);
    }

    fn stop(self) {
        self.ticks.set_value(None);
        self.search.set_value(None);
        self.running.set(false);
    }

    /// What was found so far is kept.
    fn cancel(self) {
        let progress = self
            .search
            .try_update_value(|search| search.as_mut().map(|search| search.run_for(0)))
            .flatten();
        self.stop();
        if let Some(progress) = progress {
            let depth = progress.depth.saturating_sub(1);
            self.note_on_board("cancelled", None, progress.distinct);
            self.shown.set(Shown::Result {
                title: "Cancelled".to_owned(),
                note: [
                    "No violation in up to ",
                    &depth.to_string(),
                    " steps, ",
                    &with_commas(progress.distinct),
                    " distinct states.",
                ]
                .concat(),
                body: String::new(),
                found: None,
                holds: false,
            });
        }
    }

    fn start(self) {
        let Question {
            bounds,
            policy,
            properties,
        } = self.question.get_untracked();
        if properties.is_empty() {
            self.wrong.set("Choose what must never happen.".to_owned());
            return;
        }
        match Search::new(bounds, policy, &properties) {
            Err(error) => self.wrong.set(sentence(&error.to_string())),
            Ok(search) => {
                self.wrong.set(String::new());
                self.search
                    .set_value(Some(search.with_max_states(MAX_STATES_HERE)));
                self.started_ms.set_value(browser::now_ms());
                self.told_ms.set_value(0.0);
                self.running.set(true);
                let slice = move |_| {
                    self.slice();
                    0
                };
                self.ticks.set_value(Some(Ticks::start(slice)));
            }
        }
    }

    /// Searches for a part of a frame.
    fn slice(self) {
        let start = browser::now_ms();
        let progress = self.search.try_update_value(|search| {
            let search = search.as_mut()?;
            loop {
                let progress = search.run_for(STATES_A_LOOK);
                if progress.done.is_some() || browser::now_ms() - start > SLICE_MS {
                    return Some((progress, search.levels()));
                }
            }
        });
        let Some(Some((progress, levels))) = progress else {
            return;
        };
        let took_ms = browser::now_ms() - self.started_ms.get_value();
        match progress.done {
            Some(outcome) => self.finish(&outcome, &levels, progress.distinct, took_ms),
            None if took_ms > SHOW_AFTER_MS && start - self.told_ms.get_value() > TELL_EVERY_MS => {
                self.told_ms.set_value(start);
                let title = [
                    &with_commas(progress.distinct),
                    " distinct states, nothing wrong yet",
                ]
                .concat();
                let mut out = Html::default();
                out.raw("<h2 class=\"big\">")
                    .text(&title)
                    .raw("</h2><p class=\"note\">Runs of ")
                    .number(progress.depth as u64);
                out.raw(" steps. ")
                    .text(&rate(progress.distinct, took_ms))
                    .raw(" The page stays usable.</p>");
                histogram(&mut out, &levels, true);
                out.raw("<p class=\"note\">Cancelling keeps what was found so far: no violation in up to ");
                out.number(progress.depth.saturating_sub(1) as u64)
                    .raw(" steps.</p>");
                self.shown.set(Shown::Running(out.0));
            }
            None => {}
        }
    }

    fn finish(self, outcome: &Outcome, levels: &[usize], distinct: usize, took_ms: f64) {
        let mut body = Html::default();
        let bounds = self.question.with_untracked(|question| question.bounds);
        let (note, found, few, holds) = match outcome {
            Outcome::Holds { depth, .. } => {
                let note = ["Every order within the bounds was visited; the longest of the shortest ways to a state has ", &depth.to_string(), " steps. ", &rate(distinct, took_ms)].concat();
                histogram(&mut body, levels, false);
                body.raw("<div class=\"honest\">");
                for (title, list) in [
                    ("Covered", covered(&bounds)),
                    ("Not covered", not_covered(&bounds)),
                ] {
                    body.raw("<div>").element("h3", "", title).raw("<ul>");
                    for line in &list {
                        body.element("li", "", line);
                    }
                    body.raw("</ul></div>");
                }
                body.raw("</div>");
                (note, None, "no violation".to_owned(), Some(true))
            }
            Outcome::Violated {
                property,
                path,
                states_before,
            } => {
                let note = [
                    "No shorter run does it: fewer steps lead to ",
                    &with_commas(*states_before),
                    " distinct states, and all were visited first.",
                ]
                .concat();
                let found = self.search.try_update_value(|search| {
                    let model = search.as_ref()?.model();
                    let scenario = counterexample(model, *property, path);
                    let text = language::print(&scenario);
                    let fenced = Policy::of(Base::Fenced);
                    let is_fenced = |r: &Resource| r.policy.base == Base::Fenced;
                    let other = (!scenario.resources.iter().all(is_fenced))
                        .then(|| language::print(&rejudged(&scenario, &fenced)));
                    Some(Found {
                        steps: steps_markup(&step_lines(model, path)),
                        fenced: other,
                        scenario,
                        text,
                    })
                });
                let few = ["fails in ", &path.len().to_string(), " steps"].concat();
                (note, found.flatten(), few, Some(false))
            }
            Outcome::LimitReached { depth, .. } => {
                let few = ["nothing in ", &depth.to_string(), " steps"].concat();
                (
                    "Narrow the bounds to see the end of it.".to_owned(),
                    None,
                    few,
                    None,
                )
            }
        };
        self.note_on_board(&few, holds, distinct);
        self.stop();
        self.shown.set(Shown::Result {
            title: title(outcome),
            note,
            body: body.0,
            found: found.map(Box::new),
            holds: holds == Some(true),
        });
    }

    fn note_on_board(self, result: &str, holds: Option<bool>, states: usize) {
        let policy = self
            .question
            .with_untracked(|question| question.policy.to_string());
        self.board.update(|board| {
            board.retain(|known| known.0 != policy);
            board.push((policy, result.to_owned(), holds, states));
        });
    }

    /// What must never happen, while nothing is found.
    fn properties(self) -> Option<impl IntoView> {
        if self.shown.get() != Shown::Choose {
            return None;
        }
        let tile = move |property: Property| {
            let changed = move |event: Event| {
                let on = event_target_checked(&event);
                self.change(|question| {
                    question.properties.retain(|known| *known != property);
                    if on {
                        question.properties.push(property);
                        question.properties.sort();
                    }
                });
                let field = ["property-", property.name()].concat();
                browser::after(0, move || browser::focus(&field, true));
            };
            let on = self
                .question
                .with_untracked(|question| question.properties.contains(&property));
            view! {
                <label class="prop">
                    <i class="tile-picture" inner_html=illustrations::tile(property)></i>
                    <input type="checkbox" id=["property-", property.name()].concat() prop:checked=on on:change=changed />
                    <span>{property.violation()}</span>
                </label>
            }
        };
        Some(view! {
            <section>
                <h2 class="big">"What must never happen?"</h2>
                <p class="note">"Choose one or more. The search stops at the first run in which one of them does."</p>
                <div class="props" role="group" aria-label="What must never happen">{Property::ALL.into_iter().map(tile).collect_view()}</div>
            </section>
        })
    }

    /// Progress or result.
    fn result(self) -> impl IntoView {
        match self.shown.get() {
            Shown::Choose => ().into_any(),
            Shown::Running(markup) => {
                view! { <section aria-busy="true" inner_html=markup></section> }.into_any()
            }
            Shown::Result {
                title,
                note,
                body,
                found,
                holds,
            } => {
                let again = move |_| self.shown.set(Shown::Choose);
                let mut head = Html::default();
                if found.is_some() || holds {
                    glyph(
                        &mut head,
                        if holds {
                            Answer::Accepted
                        } else {
                            Answer::Rejected
                        },
                    );
                }
                head.text(&title);
                view! {
                    <section>
                        <div role="status"><h2 class="big" inner_html=head.0></h2></div>
                        <p class="note">{note}</p>
                        <div inner_html=body></div>
                        {found.map(|found| self.found(*found))}
                        <p class="cta"><button type="button" class="link" on:click=again>"Choose what must never happen"</button></p>
                    </section>
                }.into_any()
            }
        }
    }

    /// The steps beside their picture.
    fn found(self, found: Found) -> impl IntoView {
        let figure = NodeRef::<html::Figure>::new();
        let width = measured(figure);
        let run: RunRef = Arc::new(Run::new(&found.text, None)).into();
        let run = Memo::new(move |_| run.clone());
        let scenario = found.scenario;
        let cursor = Memo::new(move |_| run.with(just_past));
        let picture = Memo::new(move |_| {
            let frame = diagram::Frame {
                shows_axis: true,
                ..diagram::Frame::of(width.get().max(280.0), Density::Embed)
            };
            run.with(|run| {
                Shared::new(Picture::new(
                    &scenario,
                    diagram::scene(&scenario, &run.trace, &frame),
                    &frame,
                ))
            })
        });
        let text = StoredValue::new(found.text);
        let open = move |text: String, then: Move| {
            self.lab.open(text);
            self.lab.view.set(LabView::Run);
            self.lab.player.dispatch(Intent::Move(then));
        };
        let fenced = found.fenced.map(|text| {
            let press = move |_| open(text.clone(), Move::Last);
            view! { <button type="button" class="btn quiet" on:click=press>"Try it with fenced"</button> }
        });
        let said = RwSignal::new("");
        let play = move |_| open(text.get_value(), Move::PlayOrPause);
        let copy = move |_| {
            browser::spawn(async move {
                said.set(if browser::copy(text.get_value()).await {
                    "Copied."
                } else {
                    "The browser did not let it be copied."
                });
            })
        };
        let glide = Memo::new(move |_| cursor.get().now_ms);
        view! {
            <div class="counter">
                <div inner_html=found.steps></div>
                <figure class="figure" node_ref=figure>
                    {move || (width.get() > 0.0).then(|| view! { <Timeline run picture cursor drawn=cursor glide ease=None /> })}
                </figure>
            </div>
            <p class="cta">
                <button type="button" class="btn primary" on:click=play>{icon(icons::PLAY)}"Play this run"</button>
                <button type="button" class="btn" on:click=copy>"Copy as script"</button>
                {fenced}
                <span class="note" role="status">{said}</span>
            </p>
        }
    }

    /// Every policy in these bounds.
    fn board_markup(self) -> String {
        let question = self.question.get();
        let board = self.board.get();
        let own = question.policy.to_string();
        let mut out = Html::default();
        out.raw("<table class=\"board\"><caption class=\"note\">Every policy in these bounds</caption><thead><tr><th scope=\"col\">policy</th><th scope=\"col\">");
        let names: Vec<&str> = question
            .properties
            .iter()
            .map(|property| property.violation())
            .collect();
        out.text(&names.join(", or ").to_lowercase())
            .raw("</th><th scope=\"col\">distinct states</th></tr></thead><tbody>");
        let known = OFFERED.contains(&own.as_str());
        for name in OFFERED.into_iter().chain((!known).then_some(own.as_str())) {
            let found = board.iter().find(|searched| searched.0 == name);
            out.raw(if name == own {
                "<tr aria-current=\"true\">"
            } else {
                "<tr>"
            });
            out.raw("<th scope=\"row\"><button type=\"button\" class=\"link\" data-search=\"")
                .text(name)
                .raw("\" aria-label=\"Search with ")
                .text(name)
                .raw("\">")
                .text(name)
                .raw("</button></th><td><span class=\"v\">");
            match found {
                Some((_, result, holds, states)) => {
                    if let Some(holds) = holds {
                        glyph(
                            &mut out,
                            if *holds {
                                Answer::Accepted
                            } else {
                                Answer::Rejected
                            },
                        );
                    }
                    out.element("span", "", result)
                        .raw("</span></td><td>")
                        .text(&with_commas(*states))
                        .raw("</td></tr>");
                }
                None => {
                    let searching = name == own && self.running.get();
                    out.element(
                        "span",
                        "",
                        if searching {
                            "searching"
                        } else {
                            "not searched"
                        },
                    )
                    .raw("</span></td><td>–</td></tr>");
                }
            }
        }
        out.raw("</tbody></table>");
        out.0
    }

    /// A policy of the board: searched at once.
    fn pick(self, event: &Event) {
        let policy = browser::data_near(event, "data-search")
            .and_then(|name| language::parse_policy(&name).ok());
        if let Some(policy) = policy {
            let name = policy.to_string();
            self.change(|question| question.policy = policy);
            browser::set_value("bound-policy", &name);
            self.start();
        }
    }
}

/// Just past the last verdict, which is the failure.
fn just_past(run: &RunRef) -> Cursor {
    let judged = run
        .trace
        .events
        .iter()
        .rposition(|event| matches!(event.kind, EventKind::Judged(_)));
    let passed = judged.map_or(run.trace.moments.len(), |event| {
        run.trace
            .moments
            .partition_point(|moment| moment.events.start <= event)
    });
    Cursor {
        passed,
        now_ms: run.clock.time_of(passed) + 400,
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    [&first, chars.as_str(), "."].concat()
}

/// `0.8 s, 52,000 states a second.`
fn rate(states: usize, took_ms: f64) -> String {
    let tenths = (took_ms / 100.0) as usize;
    let a_second = (states as f64 * 1000.0 / took_ms.max(1.0)) as usize;
    [
        &(tenths / 10).to_string(),
        ".",
        &(tenths % 10).to_string(),
        " s, ",
        &with_commas(a_second),
        " states a second.",
    ]
    .concat()
}

fn select(out: &mut Html, choice: &Choice, value: u8) {
    let id = choice.id.to_string();
    out.raw("<select data-bound=\"")
        .raw(&id)
        .raw("\" aria-label=\"")
        .raw(choice.name)
        .raw("\">");
    for (index, word) in choice.words.iter().enumerate() {
        let number = choice.first + index as u8;
        out.raw("<option value=\"")
            .number(u64::from(number))
            .raw("\"")
            .raw(if number == value { " selected>" } else { ">" });
        out.raw(word).raw("</option>");
    }
    out.raw("</select>");
}

fn steps_markup(lines: &[StepLine]) -> String {
    let mut out = Html::default();
    out.raw("<ol class=\"found\">");
    for (index, line) in lines.iter().enumerate() {
        out.raw("<li");
        if let Some(client) = line.client {
            out.raw(" data-who=\"")
                .raw(WHO[client % WHO.len()])
                .raw("\"");
        }
        out.raw(if index + 1 == lines.len() {
            " aria-current=\"step\">"
        } else {
            ">"
        });
        out.element("span", "", &line.text)
            .raw("<time>")
            .number(line.at_secs)
            .raw(" s</time></li>");
    }
    out.raw("</ol>");
    out.0
}

/// Distinct states by number of steps, as text and as bars made of block characters.
fn histogram(out: &mut Html, levels: &[usize], grows: bool) {
    let most = levels.iter().copied().max().unwrap_or(1).max(1);
    out.raw("<p class=\"note\">Distinct states, by number of steps</p><ol class=\"histo\" aria-label=\"Distinct states, by number of steps\">");
    for (steps, count) in levels.iter().enumerate() {
        let front = grows && steps + 1 == levels.len();
        out.raw(if front {
            "<li class=\"front\"><span>"
        } else {
            "<li><span>"
        })
        .text(&with_commas(*count))
        .raw("</span>");
        out.raw("<svg width=\"100%\" height=\"106\" aria-hidden=\"true\"><rect width=\"100%\" height=\"");
        let height = (count * 104 / most).max(1) as u64;
        out.number(height)
            .raw("\" y=\"")
            .number(106 - height)
            .raw("\"/></svg><small>")
            .number(steps as u64)
            .raw("</small></li>");
    }
    out.raw("</ol>");
}
