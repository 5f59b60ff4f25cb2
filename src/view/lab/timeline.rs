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
    /// Where what moves glides to, in virtual milliseconds.
    glide: Memo<u64>,
    /// How it gets there, in words of `data-ease`; `None`: at once.
    #[prop(into)]
    ease: Signal<Option<&'static str>>,
) -> impl IntoView {
    let layers = Layers::default();
    draw(picture, cursor, layers);
    let dots = format!("dots-{}", unique());
    keep_dots(dots.clone(), picture, cursor, glide);
    let size = move || {
        let Scene { width, height, .. } = picture.get().scene;
        (width, height)
    };
    let at = move || {
        let picture = picture.get();
        picture.drawn.playhead(glide.get() as f64 / 1000.0)
    };
    let label =
        Memo::new(move |_| run.with(|run| narration::timeline_label(run.scenario(), &run.trace)));
    let name = move || {
        label.with(|(before, after)| [before, &*tenths(cursor.get().now_ms), after].concat())
    };
    // Set on what moves, not on the whole: the picture need not be styled anew for a step.
    let vars = Signal::derive(move || [&*px(at()), "px"].concat());
    view! {
        <svg
            class="tl"
            role="img"
            aria-label=name
            viewBox=move || { let (w, h) = size(); ["0 0 ", &px(w), " ", &px(h)].concat() }
            width=move || px(size().0)
            height=move || px(size().1)
            data-ease=move || ease.get()
            data-dir=move || match picture.get().scene.orientation {
                Orientation::Horizontal => "h",
                Orientation::Vertical => "v",
            }
        >
            <g node_ref=layers.ground></g>
            <g node_ref=layers.bars></g>
            <Veil picture at=vars />
            <g node_ref=layers.past></g>
            <g class="future" node_ref=layers.future></g>
            <g id=dots.clone()></g>
            <TimeTag picture cursor at=vars />
        </svg>
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

/// The veil over the future, and the line of the playhead.
#[component]
fn Veil(picture: Memo<Shared<Picture>>, at: Signal<String>) -> impl IntoView {
    let plot = move || picture.get().scene.plot;
    let horizontal = move || picture.get().scene.orientation == Orientation::Horizontal;
    let line = move || {
        let plot = plot();
        if horizontal() {
            ["M0 ", &px(plot.y), "V", &px(plot.y + plot.h)].concat()
        } else {
            ["M", &px(plot.x), " 0H", &px(plot.x + plot.w)].concat()
        }
    };
    let (x, y) = (
        move || if horizontal() { 0.0 } else { plot().x },
        move || if horizontal() { plot().y } else { 0.0 },
    );
    let clip = format!("plot-{}", unique());
    let clip_url = format!("url(#{clip})");
    view! {
        <defs>
            <clipPath id=clip>
                <rect x=move || px(plot().x) y=move || px(plot().y) width=move || px(plot().w) height=move || px(plot().h) />
            </clipPath>
        </defs>
        <g clip-path=clip_url>
            <rect class="veil" style=("--at", at)
                x=move || px(x()) y=move || px(y()) width=move || px(plot().w) height=move || px(plot().h) />
        </g>
        <path class="playhead" style=("--at", at) d=line />
    }
}

/// The time at the head of the playhead.
#[component]
fn TimeTag(
    picture: Memo<Shared<Picture>>,
    cursor: Memo<Cursor>,
    at: Signal<String>,
) -> impl IntoView {
    let shapes = move || {
        let mut out = Html::default();
        stage::time_tag(&mut out, &picture.get().drawn, cursor.get());
        out.0
    };
    view! { <g class="tag" style=("--at", at) aria-hidden="true" inner_html=shapes></g> }
}

/// Keeps dots on the arrows that the playhead cuts, in the group with this id.
fn keep_dots(id: String, picture: Memo<Shared<Picture>>, cursor: Memo<Cursor>, glide: Memo<u64>) {
    Effect::new(move |_| {
        let mut group = Html::default();
        group.raw("<g").attribute("id", &id).raw(">");
        let [now, to] = [cursor.get().now_ms, glide.get()].map(|ms| ms as f64 / 1000.0);
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
