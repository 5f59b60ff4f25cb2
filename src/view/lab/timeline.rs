//! The picture: geometry from the trace, drawn once; the cursor only moves the playhead and
//! changes classes.

use super::player::RunRef;
use super::shared::Shared;
use crate::diagram::{self, Axis, Frame, Orientation, Scene};
use crate::film::{self, Piece, tenths};
use crate::html::Html;
use crate::narration;
use crate::page::stage;
use crate::playhead::Cursor;
use crate::record;
use crate::sim::Scenario;
use crate::view::browser;
use leptos::prelude::*;
use leptos::svg::G;
use web_sys::Element;

/// A scene, and what is drawn of it.
#[derive(PartialEq)]
pub struct Picture {
    /// Where things are.
    pub scene: Scene,
    /// As markup.
    pub drawn: film::Picture,
}

impl Picture {
    pub fn new(scenario: &Scenario, scene: Scene, frame: &Frame) -> Self {
        let drawn = record::picture_of(scenario, &scene, frame);
        Picture { scene, drawn }
    }

    /// The axis of the whole run, also where only a page of it is drawn.
    pub fn axis(&self) -> &Axis {
        self.scene.overview.as_ref().unwrap_or(&self.scene.axis)
    }
}

/// How many pieces lie in the past of `passed` moments.
fn past(pieces: &[Piece], passed: usize) -> usize {
    pieces.partition_point(|piece| piece.moment < passed)
}

/// The picture of one run.
#[component]
pub fn Timeline(
    run: Memo<RunRef>,
    picture: Memo<Shared<Picture>>,
    cursor: Memo<Cursor>,
    /// The same, or a frame later: for all but what moves.
    drawn: Memo<Cursor>,
    /// Where what moves glides to, in virtual milliseconds.
    glide: Memo<u64>,
    /// How it gets there, in words of `data-ease`; `None`: at once.
    #[prop(into)]
    ease: Signal<Option<&'static str>>,
) -> impl IntoView {
    let layers = Layers::default();
    draw(picture, drawn, layers);
    let dots = format!("dots-{}", unique());
    keep_dots(dots.clone(), picture, cursor, drawn, glide, ease);
    let size = Memo::new(move |_| {
        let Scene { width, height, .. } = picture.get().scene;
        (width, height)
    });
    let along_time = move |at_ms: u64| {
        let picture = picture.get();
        picture.drawn.playhead(at_ms as f64 / 1000.0)
    };
    let at = move || along_time(glide.get());
    // The place of the time comes with what it says, unless it glides ahead of the cursor.
    let tag_ms = Memo::new(move |_| {
        let (now, to) = (cursor.get().now_ms, glide.get());
        if now == to { drawn.get().now_ms } else { to }
    });
    let label =
        Memo::new(move |_| run.with(|run| narration::timeline_label(run.scenario(), &run.trace)));
    let name = move || {
        label.with(|(before, after)| [before, &*tenths(drawn.get().now_ms), after].concat())
    };
    let orientation = Memo::new(move |_| picture.get().scene.orientation);
    let moved = Signal::derive(move || along(orientation.get(), along_time(tag_ms.get())));
    view! {
        <div
            class="drawing"
            role="img"
            aria-label=name
            data-ease=move || ease.get()
            data-dir=move || match orientation.get() {
                Orientation::Horizontal => "h",
                Orientation::Vertical => "v",
            }
        >
            <Sheet size over=false>
                <g node_ref=layers.ground></g>
                <g node_ref=layers.bars></g>
            </Sheet>
            <Veil picture at />
            <Sheet size over=true>
                <g node_ref=layers.past></g>
                <g class="future" node_ref=layers.future></g>
                <g id=dots.clone()></g>
            </Sheet>
            <svg class="tl tag" width="1" height="1" style:transform=moved inner_html=tag(picture, drawn)></svg>
        </div>
    }
}

/// A part of the picture that lies over the others, or below them all.
#[component]
fn Sheet(size: Memo<(f64, f64)>, over: bool, children: Children) -> impl IntoView {
    view! {
        <svg
            class="tl"
            class:over=over
            viewBox=move || { let (w, h) = size.get(); ["0 0 ", &px(w), " ", &px(h)].concat() }
            width=move || px(size.get().0)
            height=move || px(size.get().1)
        >
            {children()}
        </svg>
    }
}

/// So many px along time, as a transform.
fn along(orientation: Orientation, at: f64) -> String {
    let at = px(at);
    match orientation {
        Orientation::Horizontal => ["translate(", &at, "px)"].concat(),
        Orientation::Vertical => ["translate(0, ", &at, "px)"].concat(),
    }
}

/// A number in px with one decimal.
fn px(value: f64) -> String {
    let mut out = String::new();
    diagram::number(&mut out, value);
    out
}

/// A number for ids that is used once on the page.
fn unique() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The veil over the future, with the line of the playhead at its edge. It is no part of an SVG: what
/// moves there is laid out anew, this is moved by the compositor alone.
#[component]
fn Veil(
    picture: Memo<Shared<Picture>>,
    /// Where the playhead is, in px.
    at: impl Fn() -> f64 + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let plot = Memo::new(move |_| picture.get().scene.plot);
    let moved = move || {
        let (orientation, plot) = (picture.get().scene.orientation, plot.get());
        let start = match orientation {
            Orientation::Horizontal => plot.x,
            Orientation::Vertical => plot.y,
        };
        along(orientation, at() - start)
    };
    let length = |value: f64| [&*px(value), "px"].concat();
    view! {
        <div class="plot"
            style:left=move || length(plot.get().x) style:top=move || length(plot.get().y)
            style:width=move || length(plot.get().w) style:height=move || length(plot.get().h)>
            <div class="now" style:transform=moved></div>
        </div>
    }
}

/// The time at the head of the playhead.
fn tag(picture: Memo<Shared<Picture>>, cursor: Memo<Cursor>) -> impl Fn() -> String {
    move || {
        let mut out = Html::default();
        stage::time_tag(&mut out, &picture.get().drawn, cursor.get());
        out.0
    }
}

/// Keeps dots on the arrows that the playhead cuts, in the group with this id.
fn keep_dots(
    id: String,
    picture: Memo<Shared<Picture>>,
    cursor: Memo<Cursor>,
    drawn: Memo<Cursor>,
    glide: Memo<u64>,
    ease: Signal<Option<&'static str>>,
) {
    Effect::new(move |_| {
        let mut group = Html::default();
        group.raw("<g").attribute("id", &id).raw(">");
        // What glides sets out with the playhead.
        let (now, to) = match ease.get() {
            Some(_) => (cursor.get(), glide.get()),
            None => (drawn.get(), glide.get_untracked()),
        };
        let [now, to] = [now.now_ms, to].map(|ms| ms as f64 / 1000.0);
        stage::dots(&mut group, &id, &picture.get().drawn, now, to);
        browser::morph(&id, &group.close("g").0, false);
    });
}

/// The groups of a picture that are drawn from its pieces.
#[derive(Clone, Copy, Default)]
struct Layers {
    ground: NodeRef<G>,
    bars: NodeRef<G>,
    past: NodeRef<G>,
    future: NodeRef<G>,
}

/// Draws a new picture, and keeps what is past apart from what is to come: one group for each, so
/// that a step styles only what it passes.
fn draw(picture: Memo<Shared<Picture>>, cursor: Memo<Cursor>, layers: Layers) {
    let passed = Memo::new(move |_| cursor.get().passed);
    // The picture that is drawn, and how many of its marks are in the past.
    Effect::new(move |before: Option<Option<(Shared<Picture>, usize)>>| {
        let (now, passed) = (picture.get(), passed.get());
        let before = before.flatten();
        let (ground, bars) = (layers.ground.get()?, layers.bars.get()?);
        let (gone, coming) = (layers.past.get()?, layers.future.get()?);
        let to = past(&now.drawn.marks, passed);
        // An edit elsewhere in a long run leaves the page as it is.
        let was = before.as_ref().map(|(drawn, _)| &drawn.drawn);
        if was.is_none_or(|was| was.ground != now.drawn.ground) {
            ground.set_inner_html(&now.drawn.ground);
        }
        if was.is_none_or(|was| was.bars != now.drawn.bars) {
            bars.set_inner_html(&markup(&now.drawn.bars));
        }
        match &before {
            Some((was, from)) if was.drawn.marks == now.drawn.marks => {
                move_marks(&gone, &coming, *from, to);
            }
            _ => {
                let (before, after) = now.drawn.marks.split_at(to);
                gone.set_inner_html(&markup(before));
                coming.set_inner_html(&markup(after));
            }
        }
        Some((now, to))
    });
}

fn markup(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.group("")).collect()
}

/// Moves marks between the group of the past and that of what is to come, so that the past has `to`
/// of them instead of `from`. What comes into the past is fresh until the next move.
fn move_marks(past: &Element, future: &Element, from: usize, to: usize) {
    for fresh in fresh_in(past) {
        let _ = fresh.class_list().remove_1("fresh");
    }
    for _ in from..to {
        if let Some(mark) = future.first_element_child() {
            let _ = mark.class_list().add_1("fresh");
            let _ = past.append_child(&mark);
        }
    }
    for _ in to..from {
        if let Some(mark) = past.last_element_child() {
            let _ = future.insert_before(&mark, future.first_child().as_ref());
        }
    }
}

/// The marks that came into the past with the last move: they stand at its end.
fn fresh_in(past: &Element) -> Vec<Element> {
    let is_fresh = |mark: &Element| mark.class_list().contains("fresh");
    let previous = |mark: &Element| mark.previous_element_sibling();
    std::iter::successors(past.last_element_child(), previous)
        .take_while(is_fresh)
        .collect()
}
