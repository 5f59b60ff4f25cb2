//! The picture while it is drawn: time and lanes, what is taken, and where each message is.

use super::axis::{Axis, Scale};
use super::lanes::{Lanes, Measures, Row};
use super::resources::{Ranks, Spot};
use super::space::Space;
use super::text::{bounds, join, line, path, rect, text, width};
use super::*;

/// How far labels may stand left of the axis, in px.
const LABEL_OUTSIDE: f64 = 40.0;
/// Px between messages of one instant.
const FAN_STEP: f64 = 12.0;
/// The part of the room until the next moment that a fan may take.
const FAN_PART: f64 = 0.75;
/// Px between messages that would lie on each other.
const TWIN_STEP: f64 = 6.0;
/// Among so many messages of an instant such are looked for.
const MOST_TWINS: usize = 64;

/// Which events belong to what.
#[derive(Default)]
pub struct Index {
    /// By message: the event of its sending.
    pub sent: Vec<Option<usize>>,
    /// By message: the event of its loss.
    pub lost: Vec<Option<usize>>,
    /// By message: the event at which its client heard it.
    pub heard: Vec<Option<usize>>,
    /// By message: its answer.
    pub answer: Vec<Option<usize>>,
    /// By verdict: the event.
    pub judged: Vec<Option<usize>>,
}

fn note(list: &mut [Option<usize>], index: usize, event: usize) {
    if let Some(slot) = list.get_mut(index) {
        slot.get_or_insert(event);
    }
}

impl Index {
    fn new(trace: &Trace) -> Self {
        let none = vec![None; trace.messages.len()];
        let mut index = Index {
            sent: none.clone(),
            lost: none.clone(),
            heard: none.clone(),
            answer: none,
            judged: vec![None; trace.verdicts.len()],
        };
        for (at, event) in trace.events.iter().enumerate() {
            match event.kind {
                EventKind::Sent(message) => note(&mut index.sent, message.0, at),
                EventKind::Lost(message) => note(&mut index.lost, message.0, at),
                EventKind::Heard(message) => note(&mut index.heard, message.0, at),
                EventKind::Judged(verdict) => note(&mut index.judged, verdict, at),
                _ => {}
            }
        }
        for (at, message) in trace.messages.iter().enumerate() {
            if let Some(request) = message.answers {
                note(&mut index.answer, request.0, at);
            }
        }
        index
    }
}

/// Where a message is along time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// Where it sets out.
    pub from: f64,
    /// Where it arrives, or would.
    pub to: f64,
    /// It is held on the way.
    pub held: bool,
    /// It arrives within the picture.
    pub arrives: bool,
}

/// A label that may be placed: words, and for a message its chip.
pub struct Label<'a> {
    /// The anchor of the words.
    at: (f64, f64),
    /// May be empty.
    words: &'a str,
    /// Which end of the words `at` is.
    anchor: Anchor,
    /// Class of the words; a [`CALLOUT`] has a box around them.
    class: &'static str,
    /// Middle of the chip and its number.
    chip: Option<(f64, f64, &'a str)>,
}

/// The class of the words in a call-out.
pub const CALLOUT: &str = "num no-t strong";

/// Places for a label, the best first.
pub struct Tries<'a> {
    /// What the next label says.
    pub words: &'a str,
    /// How.
    pub class: &'static str,
    /// The chip of the next label.
    pub chip: Option<(f64, f64, &'a str)>,
    labels: Vec<Label<'a>>,
}

impl<'a> Tries<'a> {
    /// No place yet.
    #[inline(never)]
    pub fn new(words: &'a str, class: &'static str) -> Self {
        Tries {
            words,
            class,
            chip: None,
            labels: Vec::new(),
        }
    }

    /// One more place.
    #[inline(never)]
    pub fn at(&mut self, x: f64, y: f64, anchor: Anchor) {
        self.labels.push(Label {
            at: (x, y),
            words: self.words,
            anchor,
            class: self.class,
            chip: self.chip,
        });
    }

    /// One more place if the words are at most `room` px wide.
    #[inline(never)]
    pub fn if_fits(&mut self, room: f64, x: f64, y: f64, anchor: Anchor) {
        if width(self.words, self.class) <= room {
            self.at(x, y, anchor);
        }
    }

    /// Places around a point, in px from it.
    #[inline(never)]
    pub fn around(&mut self, (x, y): (f64, f64), places: &[(i8, i8, Anchor)]) {
        for (right, down, anchor) in places {
            self.at(x + f64::from(*right), y + f64::from(*down), *anchor);
        }
    }
}

/// See the module.
pub struct Canvas<'a> {
    /// What was run.
    pub scenario: &'a Scenario,
    /// The run that coordinator, clients and messages are of.
    pub trace: &'a Trace,
    /// All runs; the first is `trace`.
    pub traces: Vec<&'a Trace>,
    /// The lanes of verdicts.
    pub rows: Vec<Row>,
    /// What for.
    pub frame: Frame,
    /// Sizes.
    pub measures: Measures,
    /// Across time.
    pub lanes: Lanes,
    /// Along time.
    pub axis: Axis,
    /// Where bars end that go on past the picture.
    pub edge: f64,
    /// By message.
    pub ways: Vec<Way>,
    /// Of `trace`.
    pub index: Index,
    /// By event of `trace`: its moment.
    pub moments: Vec<usize>,
    /// By trace and verdict.
    pub spots: Vec<Vec<Option<Spot>>>,
    /// Levels of the step line.
    pub ranks: Ranks,
    /// What is taken.
    pub space: Space,
    /// See [`Scene::bars`]: below the arrows.
    pub bars: Vec<Item>,
    /// The arrows.
    pub arrows: Vec<Item>,
    /// See [`Scene::marks`].
    pub marks: Vec<Item>,
    /// See [`Scene::flights`].
    pub flights: Vec<Flight>,
    /// See [`Scene::fans`].
    pub fans: Vec<(f64, f64)>,
    overview: Option<Axis>,
    height: f64,
}

impl<'a> Canvas<'a> {
    /// Lays out time and lanes.
    pub fn new(
        scenario: &'a Scenario,
        trace: &'a Trace,
        others: Vec<&'a Trace>,
        rows: Vec<Row>,
        frame: &Frame,
    ) -> Self {
        let mut traces = vec![trace];
        traces.extend(others);
        let frame = Frame {
            width: frame.width.clamp(120.0, 10_000.0),
            ..*frame
        };
        let compared = rows.iter().any(|row| !row.sub.is_empty());
        let measures = Measures::of(&frame, rows.len(), compared);
        let lanes = Lanes::new(scenario, &rows, &frame, &measures);
        let scale = Scale::new(&traces, frame.tail_secs, frame.page);
        let whole = (frame.page).map(|_| Scale::new(&traces, frame.tail_secs, None));
        let vertical = frame.orientation == Orientation::Vertical;
        let (axis, edge, height) = if vertical {
            let length = scale.length(if frame.width < 340.0 { 24.0 } else { 33.0 });
            let axis = scale.axis(measures.top, length, 44.0, true);
            let bottom = (measures.top + length + measures.pad).ceil();
            (axis, bottom, bottom)
        } else {
            let length = (frame.width - lanes.gutter - measures.pad).max(40.0);
            let apart = match frame.density {
                Density::Pair => 36.0,
                Density::Hero => 60.0,
                _ => 44.0,
            };
            let axis = scale.axis(lanes.gutter, length, apart, false);
            let below = if frame.shows_axis { 24.0 } else { 2.0 };
            (axis, frame.width, (lanes.extent.1 + below).ceil())
        };
        let length = axis.end - axis.origin;
        let overview = whole.map(|scale| scale.axis(axis.origin, length, 44.0, vertical));
        let mut canvas = Canvas {
            overview,
            scenario,
            trace,
            traces,
            rows,
            frame,
            measures,
            space: Space::new(
                [
                    if vertical {
                        0.0
                    } else {
                        lanes.gutter - LABEL_OUTSIDE
                    },
                    0.0,
                    frame.width,
                    height,
                ],
                vertical,
            ),
            lanes,
            axis,
            edge,
            ways: Vec::new(),
            index: Index::new(trace),
            moments: moments(trace),
            spots: Vec::new(),
            ranks: Ranks::default(),
            bars: Vec::new(),
            arrows: Vec::new(),
            marks: Vec::new(),
            flights: Vec::new(),
            fans: Vec::new(),
            height,
        };
        canvas.ways();
        canvas
    }

    /// Draws everything.
    pub fn draw(mut self) -> Scene {
        let mut ground = Vec::new();
        self.bands(&mut ground);
        self.grid(&mut ground);
        self.space.take_texts(&ground);
        for lane in &self.lanes.names {
            self.space.take_texts(&lane.shapes);
        }
        self.reserve_verdicts();
        self.reserve_messages();
        self.leases();
        self.belief_bars();
        self.stops();
        self.values();
        self.mark_lines();
        self.verdicts();
        self.messages();
        self.belief_labels();
        self.stop_labels();
        self.incidents();
        self.accepted_notes();
        self.bars.append(&mut self.arrows);
        let (lo, hi) = self.lanes.extent;
        let start = if self.vertical() {
            self.axis.origin - 8.0
        } else {
            self.lanes.gutter - 10.0
        };
        let plot = if self.vertical() {
            Plot {
                x: lo - 2.0,
                y: start,
                w: self.frame.width - lo + 2.0,
                h: self.height - start,
            }
        } else {
            Plot {
                x: start,
                y: lo - 4.0,
                w: self.frame.width - start,
                h: hi - lo + 6.0,
            }
        };
        Scene {
            width: self.frame.width,
            height: self.height,
            orientation: self.frame.orientation,
            mini: false,
            ground,
            bars: self.bars,
            marks: self.marks,
            flights: self.flights,
            axis: self.axis,
            lanes: self.lanes.names,
            plot,
            fans: self.fans,
            overview: self.overview,
        }
    }

    /// Whether time runs down.
    pub fn vertical(&self) -> bool {
        self.frame.orientation == Orientation::Vertical
    }

    /// The point at `along` time and `across` it.
    pub fn point(&self, along: f64, across: f64) -> (f64, f64) {
        if self.vertical() {
            (across, along)
        } else {
            (along, across)
        }
    }

    /// Left, top, right and bottom of what is between two points.
    #[inline(never)]
    pub fn area(&self, along: (f64, f64), across: (f64, f64)) -> [f64; 4] {
        let (x1, y1) = self.point(along.0, across.0);
        let (x2, y2) = self.point(along.1, across.1);
        [x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)]
    }

    /// A line between two points.
    #[inline(never)]
    pub fn line(&self, from: (f64, f64), to: (f64, f64), class: &'static str) -> Shape {
        let (x1, y1) = self.point(from.0, from.1);
        let (x2, y2) = self.point(to.0, to.1);
        line(x1, y1, x2, y2, class)
    }

    /// A bar; without a closing edge if it goes on past the picture.
    #[inline(never)]
    pub fn bar(
        &self,
        along: (f64, Option<f64>),
        across: (f64, f64),
        rx: f64,
        class: &'static str,
    ) -> Shape {
        match along.1 {
            Some(end) => rect(self.area((along.0, end), across), rx, class),
            None => self.path(
                &[
                    (self.edge, across.0),
                    (along.0, across.0),
                    (along.0, across.1),
                    (self.edge, across.1),
                ],
                class,
            ),
        }
    }

    /// A path through points along and across time.
    pub fn path(&self, corners: &[(f64, f64)], class: &'static str) -> Shape {
        path(&self.points(corners), class)
    }

    /// Points along and across time in px.
    #[inline(never)]
    pub fn points(&self, corners: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let mut points = Vec::new();
        for (along, across) in corners {
            points.push(self.point(*along, *across));
        }
        points
    }

    /// Where a time is.
    #[inline(never)]
    pub fn at(&self, secs: Secs) -> f64 {
        self.axis.position(secs as f64)
    }

    /// Where a time is, or `None` if there is none in the picture.
    pub fn end(&self, secs: Option<Secs>) -> Option<f64> {
        let secs = secs.filter(|secs| self.frame.page.is_none_or(|page| !page.is_before(*secs)));
        secs.map(|secs| self.at(secs))
    }

    /// Whether something that lasts from one time to another, or on, is in the picture.
    pub fn shows(&self, from_secs: Secs, ended_secs: Option<Secs>) -> bool {
        (self.frame.page).is_none_or(|page| page.shows(from_secs, ended_secs))
    }

    /// Whether something that starts then starts in the picture.
    pub fn starts(&self, at_secs: Secs) -> bool {
        (self.frame.page).is_none_or(|page| !page.is_after(at_secs))
    }

    /// The moment of an event of the first run.
    #[inline(never)]
    pub fn moment_of(&self, event: Option<usize>) -> usize {
        event
            .and_then(|event| self.moments.get(event))
            .copied()
            .unwrap_or(0)
    }

    /// The last moment at or before a time.
    #[inline(never)]
    pub fn moment_at(&self, secs: Secs) -> usize {
        self.trace
            .moments
            .partition_point(|moment| moment.at_secs <= secs)
            .saturating_sub(1)
    }

    /// An item without shapes.
    #[inline(never)]
    pub fn item(&self, moment: usize, at_secs: Secs, part: Part, who: Option<ClientId>) -> Item {
        Item {
            moment,
            at_secs: at_secs as f64,
            part,
            who,
            token: None,
            shapes: Vec::new(),
        }
    }

    /// Places the first of the labels that is free, at first only where no line crosses it (but the
    /// one through `own`), and adds its shapes to the item.
    #[inline(never)]
    pub fn place(&mut self, item: &mut Item, tries: &Tries, own: Option<(f64, f64)>) -> bool {
        for strict in [true, false] {
            for label in &tries.labels {
                let areas = self.label_areas(label);
                let mut areas = areas.iter().flatten();
                let fits = |area: &[f64; 4]| {
                    self.space.free(area) && (!strict || self.space.clear(area, own))
                };
                if areas.all(fits) {
                    self.draw_label(&mut item.shapes, label);
                    return true;
                }
            }
        }
        false
    }

    /// The same for an item that is nothing without its label.
    #[inline(never)]
    pub fn mark(&mut self, mut item: Item, tries: &Tries) {
        if self.place(&mut item, tries, None) {
            self.marks.push(item);
        }
    }

    /// Width and height of a chip with this number.
    pub fn chip_size(&self, number: &str) -> (f64, f64) {
        let (w, h) = self.measures.chip;
        (w.max(width(number, "chip-n") + 11.0), h)
    }

    fn label_areas(&self, label: &Label) -> [Option<[f64; 4]>; 2] {
        let chip = label.chip.map(|chip| self.chip_area(chip));
        let words = (!label.words.is_empty()).then(|| words_area(label));
        [chip, words]
    }

    fn chip_area(&self, (x, y, number): (f64, f64, &str)) -> [f64; 4] {
        let (w, h) = self.chip_size(number);
        [x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0]
    }

    fn draw_label(&mut self, shapes: &mut Vec<Shape>, label: &Label) {
        for area in self.label_areas(label).into_iter().flatten() {
            self.space.take(grown(area));
        }
        if let Some((x, y, number)) = label.chip {
            let area = self.chip_area((x, y, number));
            shapes.push(rect(area, self.measures.chip.1 / 2.0, "chip"));
            shapes.push(text(x, y, number, "chip-n", Anchor::Middle));
        }
        if label.words.is_empty() {
            return;
        }
        if label.class == CALLOUT {
            shapes.push(rect(words_area(label), 3.0, "callout"));
        }
        let (x, y) = label.at;
        shapes.push(text(x, y, label.words, label.class, label.anchor));
    }

    fn bands(&self, ground: &mut Vec<Shape>) {
        let along = if self.vertical() {
            (self.axis.origin - 8.0, self.edge)
        } else {
            (self.lanes.gutter - 10.0, self.edge)
        };
        let mut band = |across| ground.push(rect(self.area(along, across), 4.0, "band"));
        band(self.lanes.band);
        self.lanes.places.iter().for_each(|place| band(place.band));
    }

    fn grid(&mut self, ground: &mut Vec<Shape>) {
        let (lo, hi) = self.lanes.extent;
        let across = if self.vertical() {
            (lo, self.frame.width)
        } else {
            (lo, hi)
        };
        for (index, (at, time)) in self.axis.ticks.iter().enumerate() {
            ground.push(self.line((*at, across.0), (*at, across.1), "grid"));
            if self.vertical() {
                ground.push(text(lo - 6.0, *at, time, "sub axis", Anchor::End));
            } else if self.frame.shows_axis {
                let last = index + 1 == self.axis.ticks.len();
                let time = if last {
                    join(&[time, " s"])
                } else {
                    time.clone()
                };
                let half = width(&time, "sub") / 2.0;
                ground.push(text(
                    at.min(self.frame.width - half - 1.0),
                    hi + 13.0,
                    &time,
                    "sub axis",
                    Anchor::Middle,
                ));
            }
        }
        for at in &self.axis.breaks {
            for side in [-2.5, 2.5] {
                ground.push(self.line((at + side, across.0), (at + side, across.1), "brk"));
            }
        }
        let start = if self.vertical() {
            self.axis.origin - 8.0
        } else {
            self.lanes.gutter - 10.0
        };
        let mut life = |at: f64| ground.push(self.line((start, at), (self.edge, at), "life"));
        self.lanes
            .clients
            .iter()
            .for_each(|client| life(client.lane));
        self.lanes.externals.iter().for_each(|at| life(*at));
    }

    /// Where each message is along time: those of one instant side by side.
    fn ways(&mut self) {
        let messages = &self.trace.messages;
        let mut rest = messages.as_slice();
        // Messages are in the order of sending.
        while let Some(first) = rest.first() {
            let sent_secs = first.sent_secs;
            let count = rest.partition_point(|message| message.sent_secs == sent_secs);
            let (now, later) = rest.split_at(count);
            self.instant(sent_secs, now);
            rest = later;
        }
    }

    /// When a message arrives, or would.
    fn expected_secs(&self, message: &Message) -> Secs {
        let due = message.due_secs.or(message.arrived_secs);
        due.unwrap_or(message.sent_secs.saturating_add(self.scenario.latency_secs))
    }

    /// The ways of all that was sent at an instant: what takes no time is fanned out, and what
    /// would lie on another is moved aside.
    fn instant(&mut self, sent_secs: Secs, messages: &[Message]) {
        let at_once = |message: &&Message| self.expected_secs(message) == sent_secs;
        let count = messages.iter().filter(at_once).count();
        let start = self.at(sent_secs);
        let next = self.trace.moments.get(self.moment_at(sent_secs) + 1);
        let until = next.map_or(self.edge, |moment| self.at(moment.at_secs));
        let step = ((until - start) * FAN_PART / count.max(1) as f64).min(FAN_STEP);
        let mut before = 0;
        for (index, message) in messages.iter().enumerate() {
            let due = message.due_secs.or(message.arrived_secs);
            let expected_secs = self.expected_secs(message);
            let mut from = start + step * before as f64;
            let mut to = from;
            if expected_secs == sent_secs {
                before += 1;
            } else {
                let twin = |other: &&Message| {
                    let other_due = other.due_secs.or(other.arrived_secs);
                    (other.from, other.to, other_due) == (message.from, message.to, due)
                };
                let twins = messages[..index].iter().rev().take(MOST_TWINS).filter(twin);
                let aside = TWIN_STEP * twins.count().min(5) as f64;
                from += aside;
                to = (self.at(expected_secs) + aside).max(from);
            }
            self.ways.push(Way {
                from,
                to,
                held: self.held(message),
                arrives: !message.lost && self.end(due).is_some(),
            });
        }
        if count > 1 {
            let end = start + step * (count as f64 - 0.5);
            self.fans.push((sent_secs as f64, end));
        }
    }

    /// Whether the text holds this message back.
    fn held(&self, message: &Message) -> bool {
        let action = self
            .scenario
            .steps
            .get(message.step)
            .map(|step| &step.action);
        match action {
            Some(Action::Request(request)) if message.copy_of.is_none() => {
                let travel = if message.answers.is_some() {
                    request.reply
                } else {
                    request.travel
                };
                travel == Travel::Held
            }
            _ => false,
        }
    }
}

/// An area with the air that its neighbours keep from it.
fn grown(area: [f64; 4]) -> [f64; 4] {
    [area[0] - 2.0, area[1] - 1.0, area[2] + 2.0, area[3] + 1.0]
}

/// The room of a label's words, with the box of a call-out.
fn words_area(label: &Label) -> [f64; 4] {
    let (x, y) = label.at;
    let area = bounds(x, y, label.words, label.class, label.anchor);
    if label.class == CALLOUT {
        [area[0] - 6.0, y - 9.0, area[2] + 6.0, y + 9.0]
    } else {
        area
    }
}

/// By event: its moment.
fn moments(trace: &Trace) -> Vec<usize> {
    let mut moments = vec![0; trace.events.len()];
    for (index, moment) in trace.moments.iter().enumerate() {
        if let Some(events) = moments.get_mut(moment.events.clone()) {
            events.fill(index);
        }
    }
    moments
}
