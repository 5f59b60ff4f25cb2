//! Which parts of the picture are taken, so that labels can give way.

use super::{Shape, text_box};

/// Left, top, right, bottom.
pub type Area = [f64; 4];

/// Fullest bucket that is still searched; a fuller one counts as taken.
const MOST_PER_BUCKET: usize = 64;
/// Extent of a bucket along time, in px.
const BUCKET: f64 = 32.0;

#[derive(Clone, Default)]
struct Bucket {
    areas: Vec<Area>,
    lines: Vec<Area>,
}

/// Labels taken so far and lines to keep clear of, in buckets along time.
pub struct Space {
    vertical: bool,
    within: Area,
    buckets: Vec<Bucket>,
}

impl Space {
    /// Nothing taken within the area.
    pub fn new(within: Area, vertical: bool) -> Self {
        let length = if vertical { within[3] } else { within[2] };
        let count = (length / BUCKET).clamp(0.0, 4096.0) as usize + 1;
        Space {
            vertical,
            within,
            buckets: vec![Bucket::default(); count],
        }
    }

    #[inline(never)]
    fn range(&self, area: &Area) -> std::ops::RangeInclusive<usize> {
        let (lo, hi) = if self.vertical {
            (area[1], area[3])
        } else {
            (area[0], area[2])
        };
        let last = self.buckets.len() - 1;
        let at = |px: f64| ((px / BUCKET).max(0.0) as usize).min(last);
        at(lo)..=at(hi)
    }

    /// Takes an area.
    #[inline(never)]
    pub fn take(&mut self, area: Area) {
        for bucket in self.range(&area) {
            if let Some(bucket) = self.buckets.get_mut(bucket)
                && bucket.areas.len() <= MOST_PER_BUCKET
            {
                bucket.areas.push(area);
            }
        }
    }

    /// Takes the areas of all texts among the shapes.
    pub fn take_texts(&mut self, shapes: &[Shape]) {
        for shape in shapes {
            if let Some(area) = text_box(shape) {
                self.take(area);
            }
        }
    }

    /// Notes a line from one point to another.
    pub fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64) {
        let line = [x1, y1, x2, y2];
        let around = [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)];
        for bucket in self.range(&around) {
            if let Some(bucket) = self.buckets.get_mut(bucket)
                && bucket.lines.len() <= MOST_PER_BUCKET
            {
                bucket.lines.push(line);
            }
        }
    }

    /// Whether an area is in the picture and not taken.
    pub fn free(&self, area: &Area) -> bool {
        let [left, top, right, bottom] = self.within;
        area[0] >= left
            && area[1] >= top
            && area[2] <= right
            && area[3] <= bottom
            && self.buckets.get(self.range(area)).is_some_and(|buckets| {
                buckets.iter().all(|bucket| {
                    bucket.areas.len() <= MOST_PER_BUCKET
                        && bucket.areas.iter().all(|taken| !overlap(area, taken))
                })
            })
    }

    /// Whether no line crosses an area, other than one through the point `own`.
    pub fn clear(&self, area: &Area, own: Option<(f64, f64)>) -> bool {
        self.buckets.get(self.range(area)).is_some_and(|buckets| {
            buckets.iter().all(|bucket| {
                bucket.lines.len() <= MOST_PER_BUCKET
                    && bucket.lines.iter().all(|line| {
                        own.is_some_and(|point| passes(line, point)) || !crosses(line, area)
                    })
            })
        })
    }
}

/// Whether two areas have more than an edge in common.
pub fn overlap(a: &Area, b: &Area) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// Whether a line goes through a point, to within half a px.
fn passes(line: &Area, (x, y): (f64, f64)) -> bool {
    let (dx, dy) = (line[2] - line[0], line[3] - line[1]);
    let length = dx.hypot(dy);
    length > 0.0 && ((x - line[0]) * dy - (y - line[1]) * dx).abs() / length < 0.5
}

/// Whether a line goes through an area (clipping by its four edges).
fn crosses(line: &Area, area: &Area) -> bool {
    let (dx, dy) = (line[2] - line[0], line[3] - line[1]);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (step, room) in [
        (-dx, line[0] - area[0]),
        (dx, area[2] - line[0]),
        (-dy, line[1] - area[1]),
        (dy, area[3] - line[1]),
    ] {
        if step == 0.0 {
            if room < 0.0 {
                return false;
            }
        } else if step < 0.0 {
            enter = enter.max(room / step);
        } else {
            leave = leave.min(room / step);
        }
    }
    enter <= leave
}
