//! The picture: geometry from the trace, drawn once; the cursor only moves the playhead and
//! changes classes.

use super::browser;
use super::player::RunRef;
use super::shared::Shared;
use crate::diagram::{self, Item, Orientation, Part, Scene};
use crate::narration;
use crate::session::Cursor;
use leptos::prelude::*;
use leptos::svg::G;

/// A scene with its marks in the order of moments.
#[derive(PartialEq)]
pub struct Picture {
    /// What is drawn.
    pub scene: Scene,
}

impl Picture {
    pub fn new(mut scene: Scene) -> Self {
        scene.bars.sort_by_key(|item| item.moment);
        scene.marks.sort_by_key(|item| item.moment);
        Picture { scene }
    }
}

/// How many items lie in the past of `passed` moments.
fn past(items: &[Item], passed: usize) -> usize {
    items.partition_point(|item| item.moment < passed)
}

/// The picture of one run.
#[component]
pub fn Timeline(
    run: Memo<RunRef>,
    picture: Memo<Shared<Picture>>,
    cursor: Memo<Cursor>,
    /// The future is not shown.
    #[prop(into)]
    hide: Signal<bool>,
    /// A step moves the playhead smoothly; playing and scrubbing do not.
    #[prop(into)]
    ease: Signal<bool>,
    /// The part that prose points at.
    #[prop(into)]
    lit: Signal<Option<Part>>,
) -> impl IntoView {
    let (ground, bars, marks) = (
        NodeRef::<G>::new(),
        NodeRef::<G>::new(),
        NodeRef::<G>::new(),
    );
    draw(picture, cursor, [ground, bars, marks]);
    light(picture, lit, [bars, marks]);
    let size = move || {
        let Scene { width, height, .. } = picture.get().scene;
        (width, height)
    };
    let at = move || {
        let picture = picture.get();
        picture.scene.playhead(cursor.get().now_ms as f64 / 1000.0)
    };
    let clip = format!("clip-{}", unique());
    let clip_url = format!("url(#{clip})");
    let shift = move || shift(&picture.get().scene, at());
    view! {
        <svg
            class="tl"
            role="img"
            aria-label=move || run.with(|run| narration::timeline_label(run.scenario(), &run.trace, cursor.get().now_ms))
            viewBox=move || { let (w, h) = size(); ["0 0 ", &px(w), " ", &px(h)].concat() }
            width=move || px(size().0)
            height=move || px(size().1)
            data-hide=move || hide.get().then_some("")
            data-ease=move || ease.get().then_some("")
            data-lit=move || lit.get().map(|_| "")
            data-dir=move || match picture.get().scene.orientation {
                Orientation::Horizontal => "h",
                Orientation::Vertical => "v",
            }
        >
            <defs>
                <clipPath id=clip>
                    <rect x="-9999" y="-9999"
                        width=move || px(9999.0 + clip_end(&picture.get().scene, at(), hide.get()).0)
                        height=move || px(9999.0 + clip_end(&picture.get().scene, at(), hide.get()).1) />
                </clipPath>
            </defs>
            <g node_ref=ground></g>
            <g node_ref=bars clip-path=clip_url></g>
            <Veil picture shift=Signal::derive(shift) hide />
            <g node_ref=marks></g>
            <g class="dots" inner_html=move || dots(&picture.get().scene, cursor.get())></g>
            <TimeTag picture cursor shift=Signal::derive(shift) />
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

/// The transform that moves something drawn at the start of the plot to the playhead.
fn shift(scene: &Scene, at: f64) -> String {
    match scene.orientation {
        Orientation::Horizontal => ["translate(", &px(at), "px,0)"].concat(),
        Orientation::Vertical => ["translate(0,", &px(at), "px)"].concat(),
    }
}

/// Right and lower end of what may be seen of the bars.
fn clip_end(scene: &Scene, at: f64, hide: bool) -> (f64, f64) {
    match (hide, scene.orientation) {
        (false, _) => (scene.width, scene.height),
        (true, Orientation::Horizontal) => (at, scene.height),
        (true, Orientation::Vertical) => (scene.width, at),
    }
}

/// The veil over the future, and the line of the playhead.
#[component]
fn Veil(
    picture: Memo<Shared<Picture>>,
    #[prop(into)] shift: Signal<String>,
    #[prop(into)] hide: Signal<bool>,
) -> impl IntoView {
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
            <rect class="veil" hidden=move || hide.get() style:transform=shift
                x=move || px(x()) y=move || px(y()) width=move || px(plot().w) height=move || px(plot().h) />
        </g>
        <path class="playhead" d=line style:transform=shift />
    }
}

/// The time at the head of the playhead.
#[component]
fn TimeTag(
    picture: Memo<Shared<Picture>>,
    cursor: Memo<Cursor>,
    #[prop(into)] shift: Signal<String>,
) -> impl IntoView {
    let vertical = move || picture.get().scene.orientation == Orientation::Vertical;
    let text = move || {
        let tenths = cursor.get().now_ms / 100;
        let unit = if vertical() { "" } else { " s" };
        [
            &(tenths / 10).to_string(),
            ".",
            &(tenths % 10).to_string(),
            unit,
        ]
        .concat()
    };
    let width = move || 12.0 + 6.6 * text().len() as f64;
    let x = move || if vertical() { 0.0 } else { -width() / 2.0 };
    let y = move || if vertical() { -9.0 } else { 0.0 };
    let height = move || if vertical() { 18.0 } else { 20.0 };
    view! {
        <g style:transform=shift aria-hidden="true">
            <rect class="time" rx="4" x=move || px(x()) y=move || px(y()) width=move || px(width()) height=move || px(height()) />
            <text class="sub strong time-n" text-anchor="middle" dy=".35em"
                x=move || px(x() + width() / 2.0) y=move || px(y() + height() / 2.0)>{text}</text>
        </g>
    }
}

/// Dots on the arrows that the playhead cuts.
fn dots(scene: &Scene, cursor: Cursor) -> String {
    let at_secs = cursor.now_ms as f64 / 1000.0;
    let mut out = String::new();
    for flight in &scene.flights {
        if let Some((x, y)) = scene.dot(flight, at_secs) {
            out.push_str("<circle class=\"flight\" r=\"4.5\" data-who=\"");
            out.push((b'a' + flight.who.0 as u8 % 6) as char);
            out.push_str(&["\" cx=\"", &px(x), "\" cy=\"", &px(y), "\"/>"].concat());
        }
    }
    out
}

/// Draws a new picture, and marks what is past and what is to come.
fn draw(picture: Memo<Shared<Picture>>, cursor: Memo<Cursor>, layers: [NodeRef<G>; 3]) {
    let passed = Memo::new(move |_| cursor.get().passed);
    Effect::new(move |before: Option<(Shared<Picture>, usize)>| {
        let (now, passed) = (picture.get(), passed.get());
        let [Some(ground), Some(bars), Some(marks)] = layers.map(|layer| layer.get()) else {
            return (now, passed);
        };
        let (marks_before, fresh) = match &before {
            Some((drawn, passed)) if *drawn == now => (*passed, true),
            _ => {
                ground.set_inner_html(&diagram::ground_markup(&now.scene));
                bars.set_inner_html(&diagram::items_markup(&now.scene.bars));
                marks.set_inner_html(&diagram::items_markup(&now.scene.marks));
                let all = 0..now.scene.marks.len();
                browser::toggle_children(&marks, all, "future", true);
                (0, false)
            }
        };
        let (from, to) = (
            past(&now.scene.marks, marks_before),
            past(&now.scene.marks, passed),
        );
        if from <= to {
            browser::toggle_children(&marks, from..to, "future", false);
            browser::toggle_children(&marks, 0..from, "fresh", false);
            browser::toggle_children(
                &marks,
                from..to,
                "fresh",
                fresh && passed == marks_before + 1,
            );
        } else {
            browser::toggle_children(&marks, to..from, "future", true);
            browser::toggle_children(&marks, 0..from, "fresh", false);
        }
        (now, passed)
    });
}

/// Lights the items that prose points at.
fn light(picture: Memo<Shared<Picture>>, lit: Signal<Option<Part>>, layers: [NodeRef<G>; 2]) {
    Effect::new(move |before: Option<bool>| {
        let (picture, part) = (picture.get(), lit.get());
        if part.is_none() && before != Some(true) {
            return false;
        }
        for (layer, items) in layers
            .into_iter()
            .zip([&picture.scene.bars, &picture.scene.marks])
        {
            let Some(group) = layer.get() else { continue };
            for (index, item) in items.iter().enumerate() {
                let on = part.is_some_and(|part| item.concerns(part));
                browser::toggle_children(&group, index..index + 1, "lit", on);
            }
        }
        part.is_some()
    });
}
