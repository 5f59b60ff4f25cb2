//! Long runs are drawn a page at a time, so that they stay legible and quick.

use crate::sim::{Secs, Trace};

/// Runs of up to so many moments are drawn whole.
const WHOLE_UP_TO: usize = 120;
/// A page turns after so many moments.
const PAGE: usize = 40;
/// So many moments of its neighbours are on a page too.
const LEAD: usize = 5;

/// A part of a run: what happens between two times is drawn, what goes on beyond is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its start, in seconds.
    pub from_secs: Secs,
    /// Its end, later than the start; `None`: the end of the run.
    pub to_secs: Option<Secs>,
}

impl Page {
    /// The page on which the cursor stands when `passed` moments have passed; `None` for a run
    /// that is drawn whole.
    pub fn of(trace: &Trace, passed: usize) -> Option<Self> {
        let total = trace.moments.len();
        if total <= WHOLE_UP_TO {
            return None;
        }
        let first = passed.min(total - 1) / PAGE * PAGE;
        let at = |moment: usize| trace.moments.get(moment).map(|moment| moment.at_secs);
        let from_secs = match first.saturating_sub(LEAD) {
            0 => 0,
            start => at(start).unwrap_or(0),
        };
        // A page of one instant still has a length.
        let to_secs = at(first + PAGE + LEAD).map(|to| to.max(from_secs.saturating_add(1)));
        Some(Page { from_secs, to_secs })
    }

    /// Whether something that lasts from one time to another, or on, is seen on the page.
    pub fn shows(&self, from_secs: Secs, ended_secs: Option<Secs>) -> bool {
        self.to_secs.is_none_or(|to| from_secs <= to)
            && ended_secs.is_none_or(|end| end >= self.from_secs)
    }

    /// Whether the page comes after a time.
    pub fn is_after(&self, at_secs: Secs) -> bool {
        at_secs < self.from_secs
    }

    /// Whether the page comes before a time.
    pub fn is_before(&self, at_secs: Secs) -> bool {
        self.to_secs.is_some_and(|to| at_secs > to)
    }
}
