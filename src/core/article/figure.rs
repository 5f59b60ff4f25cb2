//! The runs of a lesson, and pictures of them at its key moments.

use crate::diagram::{self, Density, Orientation};
use crate::film::{Picture, Piece, tenths};
use crate::html::Html;
use crate::lesson::{self, Act, Beat, Lesson, Pane, Stand};
use crate::narration;
use crate::record;
use crate::session::Run;

/// Widths in px that pictures are laid out for; the style sheet shows the one that fits and scales it.
const WIDE: f64 = 688.0;
const NARROW: f64 = 288.0;

/// A run under a policy.
pub struct Played<'a> {
    pane: &'a Pane,
    /// What came of it.
    pub run: Run,
}

impl Played<'_> {
    /// What it is, and the policy it is under if there is one for all.
    pub fn title(&self) -> String {
        let scenario = self.run.scenario();
        let name = match scenario.title.as_str() {
            "" => "The run",
            title => title,
        };
        match self.policy() {
            Some(policy) => [name, ", policy ", &policy].concat(),
            None => name.to_owned(),
        }
    }

    /// Whether it is what `pane` shows.
    pub fn is_of(&self, pane: &Pane) -> bool {
        self.pane == pane
    }

    /// The policy of the pane, or the one that all resources have by themselves.
    fn policy(&self) -> Option<String> {
        if let Some(policy) = &self.pane.policy {
            return Some(policy.clone());
        }
        let mut policies = self.run.scenario().resources.iter().map(|r| &r.policy);
        let first = policies.next()?;
        policies
            .all(|other| other == first)
            .then(|| first.to_string())
    }
}

/// All that a lesson shows, in the order in which it is shown.
pub struct Stage<'a> {
    /// Each once.
    pub played: Vec<Played<'a>>,
}

impl<'a> Stage<'a> {
    /// Plays each pane of `lesson` once.
    pub fn new(lesson: &'a Lesson) -> Self {
        let mut played: Vec<Played> = Vec::new();
        for pane in lesson.beats.iter().flat_map(|beat| &beat.panes) {
            if played.iter().any(|known| known.is_of(pane)) {
                continue;
            }
            let run = lesson::play(lesson, pane.run, pane.policy.as_deref());
            played.push(Played { pane, run });
        }
        Stage { played }
    }

    fn find(&self, pane: &Pane) -> Option<usize> {
        self.played.iter().position(|known| known.is_of(pane))
    }
}

/// What is on stage at a place of a beat.
pub struct Scene<'a> {
    panes: &'a [Pane],
    at: Stand,
    /// What the learner did to get there.
    act: Option<&'a str>,
}

impl<'a> Scene<'a> {
    /// Where the beat opens.
    pub fn opening(beat: &'a Beat) -> Self {
        Scene {
            panes: &beat.panes,
            at: beat.stand,
            act: None,
        }
    }

    /// Where its act leads.
    pub fn after(beat: &'a Beat, act: &'a Act) -> Self {
        Scene {
            panes: &beat.panes,
            at: act.until,
            act: Some(&act.label),
        }
    }
}

/// The pictures of a page.
#[derive(Default)]
pub struct Pictures {
    /// What the last ones showed: index of the run on stage, and how many moments had passed.
    last: Vec<(usize, usize)>,
    /// How many ids have been given out.
    ids: u64,
}

impl Pictures {
    /// Draws each pane, unless the last pictures were the same.
    pub fn draw(&mut self, out: &mut Html, stage: &Stage, scene: &Scene) {
        let place = |pane| {
            let index = stage.find(pane)?;
            let played = stage.played.get(index)?;
            Some((index, scene.at.moments_passed(&played.run.clock)))
        };
        let now: Vec<_> = scene.panes.iter().filter_map(place).collect();
        if now == self.last {
            return;
        }
        for (index, passed) in &now {
            if let Some(played) = stage.played.get(*index) {
                self.figure(out, played, *passed, scene.act);
            }
        }
        self.last = now;
    }

    fn figure(&mut self, out: &mut Html, played: &Played, passed: usize, act: Option<&str>) {
        out.raw("<figure class=\"figure\">");
        self.picture(out, &played.run, passed, WIDE);
        self.picture(out, &played.run, passed, NARROW);
        out.raw("<figcaption>");
        if let Some(act) = act {
            out.element("b", "", act).raw(". ");
        }
        let last = passed.checked_sub(1);
        let moment = last.and_then(|last| Some((last, played.run.trace.moments.get(last)?)));
        match moment {
            Some((last, moment)) => {
                let sentence = narration::moment(played.run.scenario(), &played.run.trace, last);
                out.raw("At ").number(moment.at_secs).raw(" s: ");
                out.text(&sentence);
            }
            None => {
                out.raw("Nothing has happened yet.");
            }
        }
        if let Some(policy) = played.policy() {
            out.raw(" Policy: ").element("code", "", &policy).raw(".");
        }
        out.raw("</figcaption></figure>");
    }

    /// What has happened when `passed` moments have passed, and nothing of what comes.
    fn picture(&mut self, out: &mut Html, run: &Run, passed: usize, width: f64) {
        let mut frame = diagram::Frame::of(width, Density::Full);
        frame.shows_axis = true;
        let picture = record::picture(run, &frame);
        let now_ms = run.clock.time_of(passed);
        let class = match picture.orientation {
            Orientation::Horizontal => "tl tl-h",
            Orientation::Vertical => "tl tl-v",
        };
        let (before, after) = narration::timeline_label(run.scenario(), &run.trace);
        out.raw("<svg class=\"").raw(class);
        out.raw("\" role=\"img\" aria-label=\"").text(&before);
        out.raw(&tenths(now_ms)).text(&after);
        out.raw("\" viewBox=\"0 0 ").px(picture.width).raw(" ");
        out.px(picture.height).raw("\">");
        out.raw("<g>").raw(&picture.ground).raw("</g>");
        let (bars, marks) = (past(&picture.bars, passed), past(&picture.marks, passed));
        if passed >= run.trace.moments.len() {
            out.raw(&bars).raw(&marks);
        } else {
            self.ids += 1;
            let id = ["cut-", &self.ids.to_string()].concat();
            let at = picture.playhead(now_ms as f64 / 1000.0);
            cut(out, &picture, at, &id, &bars);
            out.raw(&marks);
        }
        out.close("svg");
    }
}

/// The bars up to the playhead, and its line.
fn cut(out: &mut Html, picture: &Picture, at: f64, id: &str, bars: &str) {
    let plot = picture.plot;
    let (width, height, line) = match picture.orientation {
        Orientation::Horizontal => (
            at,
            picture.height,
            ["M", &px(at), " ", &px(plot.y), "v", &px(plot.h)].concat(),
        ),
        Orientation::Vertical => (
            picture.width,
            at,
            ["M", &px(plot.x), " ", &px(at), "h", &px(plot.w)].concat(),
        ),
    };
    out.raw("<clipPath id=\"").raw(id);
    out.raw("\"><rect width=\"").raw(&px(width));
    out.raw("\" height=\"").raw(&px(height));
    out.raw("\"/></clipPath><g clip-path=\"url(#").raw(id);
    out.raw(")\">")
        .raw(bars)
        .raw("</g><path class=\"playhead\" d=\"");
    out.raw(&line).raw("\"/>");
}

/// The pieces of the first `passed` moments.
fn past(pieces: &[Piece], passed: usize) -> String {
    let seen = pieces.iter().filter(|piece| piece.moment < passed);
    seen.map(|piece| piece.group("")).collect()
}

/// A number in px.
pub fn px(value: f64) -> String {
    let mut out = String::new();
    diagram::number(&mut out, value);
    out
}
