//! Widths of texts, numbers as text, and paths.

use super::{Anchor, Shape};
pub use crate::sim::text::{integer, join, signed, whole};

/// Appends a coordinate, rounded to a tenth.
#[inline(never)]
pub fn number(out: &mut String, value: f64) {
    let tenths = (value * 10.0).round() as i64;
    if tenths < 0 {
        out.push('-');
    }
    integer(out, tenths.unsigned_abs() / 10);
    let rest = tenths.unsigned_abs() % 10;
    if rest > 0 {
        out.push('.');
        out.push((b'0' + rest as u8) as char);
    }
}

/// Font size in px of a class list.
fn size(class: &str) -> f64 {
    match class.split(' ').next() {
        Some("lane") => 13.0,
        Some("sub" | "num" | "chip-n") => 11.0,
        _ => 12.0,
    }
}

/// An estimate of a text's width in px, on the wide side.
pub fn width(text: &str, class: &str) -> f64 {
    let em = match class.split(' ').next() {
        Some("num" | "chip-n") => 0.61,
        Some("lane") => 0.585,
        _ if class.split(' ').any(|word| word == "strong") => 0.6,
        _ => 0.56,
    };
    let ems: f64 = text
        .chars()
        .map(|c| if c as u32 > 0x2e7f { 1.0 } else { em })
        .sum();
    ems * size(class)
}

/// Left, top, right and bottom of a text; `None` for other shapes.
pub fn text_box(shape: &Shape) -> Option<[f64; 4]> {
    match shape {
        Shape::Text {
            x,
            y,
            text,
            class,
            anchor,
        } => Some(bounds(*x, *y, text, class, *anchor)),
        _ => None,
    }
}

/// Left, top, right and bottom that a text would have.
pub fn bounds(x: f64, y: f64, text: &str, class: &str, anchor: Anchor) -> [f64; 4] {
    let (w, half) = (width(text, class), size(class) * 0.58);
    let left = match anchor {
        Anchor::Start => x,
        Anchor::Middle => x - w / 2.0,
        Anchor::End => x - w,
    };
    [left, y - half, left + w, y + half]
}

/// At most `most` characters of `text`, the last one `…` if some are missing.
pub fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(most.saturating_sub(1)).collect();
    out.push('…');
    out
}

/// As much of `text` as is at most `px` wide.
pub fn fit(text: &str, class: &str, px: f64) -> String {
    let each = width("x", class).max(1.0);
    if width(text, class) <= px {
        return text.to_owned();
    }
    shorten(text, ((px / each) as usize).max(1))
}

/// Appends a line through points to the `d` of a path.
#[inline(never)]
fn trace(d: &mut String, points: &[(f64, f64)]) {
    for (index, (x, y)) in points.iter().enumerate() {
        d.push(if index == 0 { 'M' } else { 'L' });
        number(d, *x);
        d.push(' ');
        number(d, *y);
    }
}

/// A path through points.
#[inline(never)]
pub fn path(points: &[(f64, f64)], class: &'static str) -> Shape {
    let mut d = String::new();
    trace(&mut d, points);
    Shape::Path { d, class }
}

/// A path through points and back to the first.
#[inline(never)]
pub fn closed(points: &[(f64, f64)], class: &'static str) -> Shape {
    let mut d = String::new();
    trace(&mut d, points);
    d.push('z');
    Shape::Path { d, class }
}

/// A path of two lines.
#[inline(never)]
pub fn strokes(one: [(f64, f64); 2], other: [(f64, f64); 2], class: &'static str) -> Shape {
    let mut d = String::new();
    trace(&mut d, &one);
    trace(&mut d, &other);
    Shape::Path { d, class }
}

/// A line.
#[inline(never)]
pub fn line(x1: f64, y1: f64, x2: f64, y2: f64, class: &'static str) -> Shape {
    path(&[(x1, y1), (x2, y2)], class)
}

/// A text.
#[inline(never)]
pub fn text(x: f64, y: f64, text: &str, class: &'static str, anchor: Anchor) -> Shape {
    Shape::Text {
        x,
        y,
        text: text.to_owned(),
        class,
        anchor,
    }
}

/// A circle.
#[inline(never)]
pub fn circle(cx: f64, cy: f64, r: f64, class: &'static str) -> Shape {
    Shape::Circle { cx, cy, r, class }
}

/// A rectangle between two corners.
#[inline(never)]
pub fn rect(area: [f64; 4], rx: f64, class: &'static str) -> Shape {
    let [x, y, right, bottom] = area;
    Shape::Rect {
        x,
        y,
        w: (right - x).max(0.0),
        h: (bottom - y).max(0.0),
        rx,
        class,
    }
}

/// A cross of half-width `s`.
#[inline(never)]
pub fn cross(x: f64, y: f64, s: f64, class: &'static str) -> Shape {
    strokes(
        [(x - s, y - s), (x + s, y + s)],
        [(x + s, y - s), (x - s, y + s)],
        class,
    )
}
