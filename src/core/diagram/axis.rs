//! Time to px and back.

use super::page::Page;
use super::text::{whole, width};
use crate::sim::Trace;
use serde::{Deserialize, Serialize};

/// Runs up to this long are drawn to scale throughout.
const LINEAR_UP_TO_SECS: f64 = 60.0;
/// A quiet gap is broken when it is this much longer than the usual one…
const BREAK_OVER_MEDIANS: f64 = 4.0;
/// …and longer than this.
const BREAK_OVER_SECS: f64 = 6.0;
/// Shortest gap in a broken axis, as a part of the longest drawn one.
const SHORTEST_GAP: f64 = 1.0 / 12.0;

/// A strictly rising, piecewise linear map from seconds to px along time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Where it begins: 0 s, or the start of a page.
    pub origin: f64,
    /// Px a second where the scale is not broken.
    pub per_sec: f64,
    /// The last second shown.
    pub end_secs: f64,
    /// Where it is.
    pub end: f64,
    /// Seconds and px where the scale may change; at least two, both strictly rising.
    pub knots: Vec<(f64, f64)>,
    /// Where a quiet gap is shortened, in px.
    pub breaks: Vec<f64>,
    /// Where times are written, in px, and what.
    pub ticks: Vec<(f64, String)>,
}

/// Sorted, each number once.
pub fn rising(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Seconds with their weight: how long they are drawn.
pub struct Scale {
    knots: Vec<(f64, f64)>,
    breaks: Vec<usize>,
    linear: bool,
}

impl Scale {
    /// Weights of the gaps between the moments of the traces, and `tail_secs` after the last; of a
    /// page only what is on it.
    pub fn new(traces: &[&Trace], tail_secs: f64, page: Option<Page>) -> Self {
        let start_secs = page.map_or(0, |page| page.from_secs);
        let end_secs = page.and_then(|page| page.to_secs);
        let mut times: Vec<u64> = vec![start_secs];
        for trace in traces {
            times.extend(trace.moments.iter().map(|moment| moment.at_secs));
            times.push(trace.end_secs);
        }
        times.extend(end_secs);
        times.retain(|time| *time >= start_secs && end_secs.is_none_or(|end| *time <= end));
        let mut secs: Vec<f64> = rising(times).into_iter().map(|time| time as f64).collect();
        let start = start_secs as f64;
        let last = secs.last().copied().unwrap_or(start);
        if end_secs.is_none() {
            // Beyond 2^53 a second more would be lost in rounding.
            let end = (last + tail_secs.max(0.5)).max(last * (1.0 + 1e-12));
            secs.push(end.max(start + 1.0));
        }
        let end = secs.last().copied().unwrap_or(start + 1.0);
        if end - start <= LINEAR_UP_TO_SECS {
            return Scale {
                knots: vec![(start, 0.0), (end, end - start)],
                breaks: Vec::new(),
                linear: true,
            };
        }
        Self::broken(&secs)
    }

    fn broken(secs: &[f64]) -> Self {
        let gaps: Vec<f64> = secs.windows(2).map(|pair| pair[1] - pair[0]).collect();
        // The bits of positive numbers are in the order of the numbers.
        let mut sorted: Vec<u64> = gaps.iter().map(|gap| gap.to_bits()).collect();
        sorted.sort_unstable();
        let gap = |bits: Option<&u64>| bits.map_or(1.0, |bits| f64::from_bits(*bits));
        let median = gap(sorted.get(sorted.len() / 2));
        let longest = (median * BREAK_OVER_MEDIANS).max(BREAK_OVER_SECS);
        let shortest = longest.min(gap(sorted.last())) * SHORTEST_GAP;
        let mut scale = Scale {
            knots: vec![(secs.first().copied().unwrap_or(0.0), 0.0)],
            breaks: Vec::new(),
            linear: true,
        };
        let mut sum = 0.0;
        for (index, (gap, at)) in gaps.iter().zip(secs.iter().skip(1)).enumerate() {
            let weight = gap.clamp(shortest, longest);
            scale.linear &= weight == *gap;
            if *gap > longest {
                scale.breaks.push(index + 1);
            }
            sum += weight;
            scale.knots.push((*at, sum));
        }
        scale
    }

    /// Sum of the weights.
    fn total(&self) -> f64 {
        self.knots.last().map_or(1.0, |knot| knot.1)
    }

    /// A fitting length in px for time running down.
    pub fn length(&self, per_sec: f64) -> f64 {
        if self.linear {
            (self.total() * per_sec).clamp(200.0, 2000.0)
        } else {
            (self.knots.len() as f64 * 44.0).clamp(320.0, 2400.0)
        }
    }

    /// The axis from `origin` on, `length` px long, with times at least `apart` px from each other.
    pub fn axis(&self, origin: f64, length: f64, apart: f64, vertical: bool) -> Axis {
        let per_sec = length / self.total();
        let knots: Vec<(f64, f64)> = self
            .knots
            .iter()
            .map(|knot| (knot.0, origin + knot.1 * per_sec))
            .collect();
        let end_secs = knots.last().map_or(1.0, |knot| knot.0);
        let middle = |index: &usize| {
            let at = |index: usize| knots.get(index).map_or(origin, |knot| knot.1);
            (at(index.saturating_sub(1)) + at(*index)) / 2.0
        };
        let breaks = self.breaks.iter().map(middle).collect();
        let mut axis = Axis {
            origin,
            per_sec,
            end_secs,
            end: origin + length,
            knots,
            breaks,
            ticks: Vec::new(),
        };
        axis.ticks = if self.linear {
            axis.even_ticks(apart)
        } else {
            axis.knot_ticks(vertical)
        };
        axis
    }
}

impl Axis {
    /// Where `at_secs` is, in px; times outside of the axis are at its ends.
    pub fn position(&self, at_secs: f64) -> f64 {
        interpolate(&self.knots, at_secs, |knot| knot.0, |knot| knot.1)
    }

    /// When `position` is, in seconds: the inverse of [`Axis::position`].
    pub fn time_at(&self, position: f64) -> f64 {
        interpolate(&self.knots, position, |knot| knot.1, |knot| knot.0)
    }

    /// Share of the axis, 0 to 1, at a time.
    pub fn share(&self, at_secs: f64) -> f64 {
        let (start, length) = self.extent();
        if length > 0.0 {
            ((self.position(at_secs) - start) / length).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// The time in virtual milliseconds at a share of the axis: the inverse of [`Axis::share`].
    pub fn millis_at(&self, share: f64) -> u64 {
        let (start, length) = self.extent();
        (self.time_at(start + length * share) * 1000.0).max(0.0) as u64
    }

    /// Start and length, in px.
    fn extent(&self) -> (f64, f64) {
        let start = self.position(0.0);
        (start, self.position(self.end_secs) - start)
    }

    fn even_ticks(&self, apart: f64) -> Vec<(f64, String)> {
        let mut step = 1.0;
        let steps = [2.0, 2.5, 2.0];
        for factor in steps.iter().cycle().take(64) {
            if step * self.per_sec >= apart {
                break;
            }
            step = (step * factor).round();
        }
        let start = self.knots.first().map_or(0.0, |knot| knot.0);
        ((start / step).ceil() as u64..=(self.end_secs / step) as u64)
            .map(|index| index as f64 * step)
            .map(|secs| (self.position(secs), whole(secs as u64)))
            .collect()
    }

    fn knot_ticks(&self, vertical: bool) -> Vec<(f64, String)> {
        let mut ticks = Vec::new();
        let mut free = f64::NEG_INFINITY;
        let inner = self.knots.len().saturating_sub(1);
        for (secs, at) in self.knots.iter().take(inner) {
            let text = whole(*secs as u64);
            let half = if vertical {
                8.0
            } else {
                width(&text, "sub") / 2.0 + 4.0
            };
            if at - half >= free {
                free = at + half;
                ticks.push((*at, text));
            }
        }
        ticks
    }
}

fn interpolate(
    knots: &[(f64, f64)],
    value: f64,
    from: impl Fn(&(f64, f64)) -> f64,
    to: impl Fn(&(f64, f64)) -> f64,
) -> f64 {
    let index = knots.partition_point(|knot| from(knot) <= value);
    match (
        index.checked_sub(1).and_then(|before| knots.get(before)),
        knots.get(index),
    ) {
        (Some(a), Some(b)) => to(a) + (to(b) - to(a)) * ((value - from(a)) / (from(b) - from(a))),
        (Some(end), None) | (None, Some(end)) => to(end),
        (None, None) => 0.0,
    }
}
