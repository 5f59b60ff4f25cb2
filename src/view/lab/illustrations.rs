//! The pictures of the explorer that are not of its results: what must never happen, and what
//! "every order" means.

use crate::diagram::{Density, Frame};
use crate::explore::{Property, example};
use crate::html::Html;
use crate::record;
use crate::session::Run;

/// Width of a tile in px, before it is fitted to its place.
const TILE: f64 = 168.0;

/// A run in which it happens, as a tile: a run of the simulation like any other.
pub fn tile(property: Property) -> String {
    let run = Run::new(example(property), None);
    let frame = Frame::of(TILE, Density::Mini);
    let picture = record::picture(&run, &frame);
    let mut out = Html::default();
    out.raw("<svg class=\"mini\" aria-hidden=\"true\" viewBox=\"0 0 ")
        .px(picture.width)
        .raw(" ")
        .px(picture.height)
        .raw("\">")
        .raw(&picture.ground);
    for piece in picture.bars.iter().chain(&picture.marks) {
        out.raw(&piece.group(""));
    }
    out.raw("</svg>");
    out.0
}

/// What A does, from left to right.
const ACROSS: [&str; 4] = ["ask", "send", "pause", "send"];
/// What B does, downwards.
const DOWN: [&str; 3] = ["ask", "send", "send"];
/// One order of both, as whose turn it is: true for A.
const ORDER: [bool; 7] = [true, true, false, false, true, false, true];
/// Where the grid begins, and the size of its cells, in px.
const CORNER: (usize, usize) = (52, 34);
const CELL: (usize, usize) = (62, 38);

/// The grid whose ways are the orders of two clients' events, with one of them.
pub fn grid() -> String {
    let mut out = Html::default();
    out.raw("<figure><svg class=\"tl\" viewBox=\"0 0 312 164\" role=\"img\" aria-label=\"A grid: a way from the top left to the bottom right is one order.\">");
    for column in 0..=ACROSS.len() {
        segment(&mut out, "life", (column, 0), (column, DOWN.len()));
    }
    for row in 0..=DOWN.len() {
        segment(&mut out, "life", (0, row), (ACROSS.len(), row));
    }
    names(&mut out);
    let mut here = (0, 0);
    point(&mut out, here);
    for of_a in ORDER {
        let next = match of_a {
            true => (here.0 + 1, here.1),
            false => (here.0, here.1 + 1),
        };
        out.open_who("g", "", Some(usize::from(!of_a)));
        segment(&mut out, "edge", here, next);
        out.close("g");
        point(&mut out, next);
        here = next;
    }
    out.raw("</svg><figcaption class=\"note\">One way through the grid is one order: A’s events go right, B’s go down. The search walks all of them.</figcaption></figure>");
    out.0
}

/// Where a crossing of the grid is, in px.
fn at((column, row): (usize, usize)) -> (usize, usize) {
    (CORNER.0 + column * CELL.0, CORNER.1 + row * CELL.1)
}

fn segment(out: &mut Html, class: &str, from: (usize, usize), to: (usize, usize)) {
    let (from, to) = (at(from), at(to));
    out.raw("<path class=\"").raw(class).raw("\" d=\"M");
    for number in [from.0, from.1, to.0, to.1] {
        out.number(number as u64).raw(" ");
    }
    out.raw("\"/>");
}

fn point(out: &mut Html, place: (usize, usize)) {
    let (x, y) = at(place);
    out.raw("<circle class=\"pt\" r=\"4\" cx=\"")
        .number(x as u64)
        .raw("\" cy=\"")
        .number(y as u64)
        .raw("\"/>");
}

/// What the columns and rows are, and whose.
fn names(out: &mut Html) {
    let (left, top) = (CORNER.0 - 10, CORNER.1 - 14);
    out.open_who("g", "", Some(0));
    for (column, name) in ACROSS.iter().enumerate() {
        let middle = CORNER.0 + column * CELL.0 + CELL.0 / 2;
        label(out, "sub who", "middle", (middle, top), name);
    }
    label(out, "lane", "end", (left, top), "A");
    out.close("g").open_who("g", "", Some(1));
    for (row, name) in DOWN.iter().enumerate() {
        let middle = CORNER.1 + row * CELL.1 + CELL.1 / 2;
        label(out, "sub who", "end", (left, middle), name);
    }
    label(
        out,
        "lane",
        "end",
        (left, CORNER.1 + DOWN.len() * CELL.1),
        "B",
    );
    out.close("g");
}

fn label(out: &mut Html, class: &str, anchor: &str, (x, y): (usize, usize), text: &str) {
    out.raw("<text class=\"")
        .raw(class)
        .raw("\" text-anchor=\"")
        .raw(anchor)
        .raw("\" dy=\".35em\" x=\"")
        .number(x as u64)
        .raw("\" y=\"")
        .number(y as u64)
        .raw("\">")
        .text(text)
        .raw("</text>");
}
