//! What can be done at the cursor: a handle on each lane with its menu, and one on each message.
//! The end of a message's arrow is a slider along time (`grip`).

use super::Lab;
use super::grip;
use super::shared::Shared;
use super::timeline::Picture;
use crate::diagram::{Orientation, Part, Scene, Shape};
use crate::edit::replace_line;
use crate::html::{Html, WHO};
use crate::menu::{Does, Field, Form, Input, Item, Menu, Owner, compose, defaults, menus};
use crate::playhead::Cursor;
use crate::sim::*;
use crate::view::browser;
use leptos::ev::{Event, SubmitEvent};
use leptos::html;
use leptos::prelude::*;

/// From the playhead to the handles, in px: across a picture, and down one.
const ASIDE: f64 = 17.0;
const BELOW: f64 = 24.0;

/// Milliseconds until the cursor counts as resting.
const REST_MS: u32 = 120;

/// Menus at a place of the cursor.
pub type Menus = Shared<Vec<Menu>>;

/// The menus while nothing moves: they are made when the cursor has come to rest.
pub fn at_rest(lab: Lab) -> RwSignal<Option<Menus>> {
    let made = RwSignal::new(None);
    let change = StoredValue::new(0_u32);
    Effect::new(move |_| {
        lab.player.settled.track();
        let playing = lab.player.playing.get();
        change.update_value(|change| *change += 1);
        let this = change.get_value();
        if made.with_untracked(Option::is_some) {
            made.set(None);
        }
        browser::after(REST_MS, move || {
            if !playing && change.try_get_value() == Some(this) && lab.player.is_settled() {
                let cursor = lab.player.cursor.get_untracked();
                let menus = lab.player.run.with_untracked(|run| menus(run, cursor));
                made.set(Some(Shared::new(menus)));
            }
        });
    });
    made
}

/// The handles of all lanes and messages, over the picture.
pub fn acts(
    lab: Lab,
    picture: Memo<Shared<Picture>>,
    menus: RwSignal<Option<Menus>>,
) -> impl IntoView {
    let markup = Memo::new(move |_| {
        let Some(menus) = menus.get() else {
            return String::new();
        };
        let cursor = lab.player.cursor.get_untracked();
        let picture = picture.get();
        let mut markup = handles(cursor, &picture, &menus);
        let run = lab.player.run.get_untracked();
        grip::grips(&mut markup, &run, &picture.scene, &menus);
        markup.0
    });
    let grips = grip::Grips::new(lab, picture, menus);
    let name = move || {
        [
            "Actions at ",
            &lab.player
                .settled
                .with(|(_, at)| at.now_ms / 1000)
                .to_string(),
            " s",
        ]
        .concat()
    };
    let root = NodeRef::<html::Div>::new();
    // Places are set by hand: the page allows no styles in markup.
    Effect::new(move |_| {
        if let (Some(root), markup) = (root.get(), markup.get()) {
            root.set_inner_html(&markup);
            browser::place_by_data(&root, "[data-x]");
            if !markup.is_empty() {
                grips.hold_on();
            }
        }
    });
    delegate(
        lab,
        menus,
        view! {
            <div class="acts" role="group" aria-label=name node_ref=root
                on:click=move |event| fill(menus, &event)
                on:pointerdown=move |event| grips.take(&event)
                on:pointermove=move |event| grips.drag(&event)
                on:pointerup=move |event| grips.drop(&event)
                on:pointercancel=move |_| grips.leave()
                on:keydown=move |event| grips.key(&event)></div>
            <p class="sr" role="status">{grips.said}</p>
        },
    )
}

/// Puts the menu into the handle that is pressed: most are never opened, and all go with each step.
fn fill(menus: RwSignal<Option<Menus>>, event: &Event) {
    let act = browser::closest(event, "details.act");
    let empty = act.and_then(|act| act.query_selector(".menu:empty").ok().flatten());
    let Some(place) = empty else { return };
    let index = place
        .get_attribute("data-menu")
        .and_then(|index| index.parse::<usize>().ok());
    menus.with_untracked(|menus| {
        if let (Some(index), Some(menus)) = (index, menus)
            && let Some(menu) = menus.get(index)
        {
            let mut out = Html::default();
            menu_markup(&mut out, index, menu);
            place.set_inner_html(&out.0);
        }
    });
}

/// Waiting and captions belong to no lane.
pub fn time(lab: Lab, menus: RwSignal<Option<Menus>>) -> impl IntoView {
    let markup = Memo::new(move |_| {
        let Some(menus) = menus.get() else {
            return String::new();
        };
        let mut out = Html::default();
        if let Some((index, menu)) = menus
            .iter()
            .enumerate()
            .find(|(_, menu)| menu.owner == Owner::Time)
        {
            menu_markup(&mut out, index, menu);
        }
        out.0
    });
    let menu = view! {
        <details class="pop time-menu" name="pop">
            <summary class="btn quiet">"Wait…"</summary>
            <div class="menu" inner_html=markup></div>
        </details>
    };
    delegate(lab, menus, menu)
}

/// Handles what happens in markup with menus.
fn delegate(
    lab: Lab,
    menus: RwSignal<Option<Menus>>,
    inside: impl IntoView + 'static,
) -> impl IntoView {
    let press = move |event: leptos::ev::MouseEvent| {
        if browser::data_near(&event, "aria-disabled").is_some() {
            return;
        }
        match found(lab, menus, &event) {
            Some((item, None)) if matches!(item.does, Does::Add(_) | Does::Change { .. }) => {
                perform(lab, &item, None)
            }
            _ => {}
        }
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some((item, Some(values))) = found(lab, menus, &event) {
            perform(lab, &item, Some(&values));
        }
    };
    let show = move |event: &Event| {
        let Some((item, values)) = found(lab, menus, event) else {
            return;
        };
        if let Some(menu) = browser::closest(event, ".menu") {
            browser::set_text(&menu, ".writes code", &line_of(&item, values.as_deref()));
        }
    };
    view! {
        <div class="delegate" on:click=press on:submit=submit
            on:input=move |event| show(&event)
            on:change=move |event| show(&event)
            on:mouseover=move |event| show(&event)
            on:focusin=move |event| show(&event)>{inside}</div>
    }
}

/// The item that an event is about, and the values of its form if it is in one. Menus are of the
/// cursor that they were made at.
fn found(
    lab: Lab,
    menus: RwSignal<Option<Menus>>,
    event: &Event,
) -> Option<(Item, Option<Vec<String>>)> {
    if !lab.player.is_settled() {
        return None;
    }
    let place = browser::data_near(event, "data-item")?;
    let (menu, item) = place.split_once(' ')?;
    let menus = menus.get_untracked()?;
    let item = menus
        .get(menu.parse::<usize>().ok()?)?
        .items
        .get(item.parse::<usize>().ok()?)?;
    let values = browser::closest(event, "form").map(|form| browser::values_in(&form));
    Some((item.clone(), values))
}

/// The line that an item writes; a form without values as it is at first.
fn line_of(item: &Item, values: Option<&[String]>) -> String {
    match (&item.does, values) {
        (Does::Add(line) | Does::Change { line, .. }, _) => line.clone(),
        (Does::Ask(form) | Does::AskChange { form, .. }, Some(values)) => compose(form, values),
        (Does::Ask(form) | Does::AskChange { form, .. }, None) => compose(form, &defaults(form)),
    }
}

fn perform(lab: Lab, item: &Item, values: Option<&[String]>) {
    let line = line_of(item, values);
    match item.does {
        Does::Add(_) | Does::Ask(_) => lab.act(&line),
        Does::Change { number, .. } | Does::AskChange { number, .. } => {
            lab.edit(replace_line(&lab.source(), number, &line));
        }
    }
    browser::close_menus(None);
}

/// Where the handle of a party stands.
fn place(scene: &Scene, owner: Owner, now: f64) -> Option<(f64, f64)> {
    let is_lane = |node: Node| match (owner, node) {
        (Owner::Coordinator, Node::Coordinator) => true,
        (Owner::Client(client), Node::Client(other)) => client == other,
        (Owner::Resource(resource), Node::Place(place)) => resource == place.resource,
        _ => false,
    };
    if let Owner::Message(name) = owner {
        return chip(scene, name);
    }
    let across = scene.lanes.iter().find(|lane| is_lane(lane.node))?.at;
    Some(match scene.orientation {
        Orientation::Horizontal => ((now + ASIDE).min(scene.width - 12.0), across),
        Orientation::Vertical => (across, now + BELOW),
    })
}

/// The middle of the first chip of a message, else of its first label.
fn chip(scene: &Scene, name: NameId) -> Option<(f64, f64)> {
    let items = scene
        .marks
        .iter()
        .filter(|item| item.part == Part::Write(name));
    let shapes: Vec<&Shape> = items.flat_map(|item| &item.shapes).collect();
    let chip = shapes.iter().find_map(|shape| match shape {
        Shape::Rect {
            x, y, w, h, class, ..
        } if class.contains("chip") => Some((x + w / 2.0, y + h / 2.0)),
        _ => None,
    });
    let label = || {
        shapes.iter().find_map(|shape| match shape {
            Shape::Text { x, y, .. } => Some((*x, *y)),
            _ => None,
        })
    };
    chip.or_else(label)
}

fn handles(cursor: Cursor, picture: &Picture, menus: &[Menu]) -> Html {
    let scene = &picture.scene;
    let now = picture.drawn.playhead(cursor.now_ms as f64 / 1000.0);
    let mut out = Html::default();
    let middle = scene.height / 2.0;
    for (index, menu) in menus.iter().enumerate() {
        let of_message = matches!(menu.owner, Owner::Message(_));
        let Some((x, y)) = place(scene, menu.owner, now) else {
            continue;
        };
        out.raw("<details name=\"pop\" class=\"pop act");
        out.raw(if of_message { " of-message" } else { "" });
        out.raw(
            if y > middle && scene.orientation == Orientation::Horizontal {
                " up"
            } else {
                ""
            },
        );
        out.raw("\" data-x=\"")
            .number(x as u64)
            .raw("\" data-y=\"")
            .number(y as u64);
        if let Some(who) = menu.who {
            out.raw("\" data-who=\"").raw(WHO[who.0 % WHO.len()]);
        }
        out.raw("\"><summary aria-label=\"")
            .text(&menu.title)
            .raw(": actions at ")
            .number(cursor.now_ms / 1000);
        out.raw(" s\"><svg class=\"icon\" viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"M10 5v10M5 10h10\"/></svg></summary>");
        out.raw("<div class=\"menu\" data-menu=\"")
            .number(index as u64)
            .raw("\"></div></details>");
    }
    out
}

/// Name and state, what can be done, what cannot and why, and the line of the row in focus.
fn menu_markup(out: &mut Html, index: usize, menu: &Menu) {
    out.raw("<h3><b>")
        .text(&menu.title)
        .raw("</b>")
        .element("small", "", &menu.state)
        .raw("</h3><ul>");
    let mut in_more = false;
    for (number, item) in menu.items.iter().enumerate() {
        let place = [&index.to_string(), " ", &number.to_string()].concat();
        if item.rare && !in_more {
            in_more = true;
            out.raw("<li><details class=\"fold\"><summary><span>More…</span><small>check, read, claim</small></summary><ul>");
        }
        match &item.does {
            Does::Add(_) | Does::Change { .. } => {
                out.raw("<li><button type=\"button\" data-item=\"")
                    .raw(&place)
                    .raw("\">");
                words(out, item);
                out.raw("</button></li>");
            }
            Does::Ask(form) | Does::AskChange { form, .. } => {
                out.raw("<li><details class=\"fold\"><summary data-item=\"")
                    .raw(&place)
                    .raw("\">");
                words(out, item);
                out.raw("</summary>");
                form_markup(out, &place, form);
                out.raw("</details></li>");
            }
        }
    }
    out.raw(if in_more {
        "</ul></details></li></ul>"
    } else {
        "</ul>"
    });
    for (why, labels) in &menu.off {
        out.element("h3", "", why).raw("<ul class=\"off\">");
        for label in labels {
            out.raw("<li><button type=\"button\" aria-disabled=\"true\" title=\"")
                .text(why)
                .raw("\">")
                .text(label)
                .raw("</button></li>");
        }
        out.raw("</ul>");
    }
    let first = menu
        .items
        .first()
        .map(|item| line_of(item, None))
        .unwrap_or_default();
    let changes = menu
        .items
        .first()
        .is_some_and(|item| matches!(item.does, Does::Change { .. }));
    out.raw("<p class=\"writes\"><span class=\"note\">")
        .raw(if changes { "writes" } else { "adds" });
    out.raw("</span><code>").text(&first).raw("</code></p>");
}

fn words(out: &mut Html, item: &Item) {
    out.element("span", "", &item.label)
        .element("small", "", &item.note);
}

fn form_markup(out: &mut Html, place: &str, form: &Form) {
    out.raw("<form class=\"form\" data-item=\"")
        .raw(place)
        .raw("\">");
    let mut in_details = false;
    for field in &form.fields {
        if field.detail && !in_details {
            in_details = true;
            out.raw("<details class=\"fold\"><summary>Details…</summary>");
        }
        field_markup(out, field);
    }
    out.raw(if in_details { "</details>" } else { "" });
    out.raw("<button class=\"btn primary\">")
        .text(form.press)
        .raw("</button></form>");
}

fn field_markup(out: &mut Html, field: &Field) {
    if let Input::Check { .. } = field.input {
        out.raw("<label class=\"opt\"><input type=\"checkbox\"><span>")
            .text(field.label)
            .raw("</span></label>");
        return;
    }
    out.raw("<label class=\"field\"><span>")
        .text(field.label)
        .raw("</span>");
    match &field.input {
        Input::Word { value, .. } | Input::Text { value, .. } => {
            out.raw("<input type=\"text\" autocomplete=\"off\" spellcheck=\"false\" value=\"")
                .text(value)
                .raw("\"></label>");
        }
        Input::Choice { options, operand } => {
            out.raw("<select>");
            for (index, (shown, _)) in options.iter().enumerate() {
                out.raw("<option value=\"")
                    .number(index as u64)
                    .raw("\">")
                    .text(shown)
                    .raw("</option>");
            }
            out.raw("</select></label>");
            if let Some(operand) = operand {
                out.raw("<label class=\"field operand\"><span>…</span><input type=\"text\" autocomplete=\"off\" aria-label=\"");
                out.text(field.label)
                    .raw(": the value for …\" value=\"")
                    .text(operand)
                    .raw("\"></label>");
            }
        }
        Input::Check { .. } => {}
    }
}
