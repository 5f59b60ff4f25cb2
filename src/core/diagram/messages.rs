//! Arrows, what they carry, and the dots that fly along them.

use super::canvas::{Canvas, Tries, Way};
use super::text::{circle, closed, cross, join, line, path, shorten, whole};
use super::*;

/// Pictures with more messages show the arrows without words.
const MOST_LABELLED: usize = 800;
/// How far a lost message comes.
const LOST_AT: f64 = 0.45;
/// How far a held message comes before it waits.
const HELD_AT: f64 = 0.6;
/// Length and half-width of an arrow head.
const HEAD: (f64, f64) = (7.0, 3.2);
/// Parts of the gap at which a label is tried.
const PARTS: [f64; 8] = [0.5, 0.68, 0.32, 0.82, 0.2, 0.92, 0.6, 0.4];

/// A point.
type Point = (f64, f64);

/// How a kind of message is drawn and labelled.
struct Style {
    class: &'static str,
    open: bool,
    /// Requests have their words on the near side.
    request: bool,
    chip: Option<String>,
    words: String,
    strong: bool,
}

/// What a carried token looks like on a chip.
pub fn token_text(token: &CarriedToken) -> String {
    match token {
        CarriedToken::Missing => String::from("–"),
        CarriedToken::Number(number) => whole(*number),
        CarriedToken::Text(text) => join(&["“", &shorten(text, 6), "”"]),
    }
}

/// A value in curly quotes, shortened.
pub fn quoted(value: &str) -> String {
    join(&["“", &shorten(value, 16), "”"])
}

impl Canvas<'_> {
    /// The path of a message as points: a line, or for a held one three.
    fn route(&self, message: &Message, way: Way) -> Vec<Point> {
        let start = self.point(way.from, self.across(message.from));
        let end = self.point(way.to, self.across(message.to));
        let (lo, hi) = (self.across(message.from), self.across(message.to));
        if message.lost {
            let part = |a: f64, b: f64| a + (b - a) * LOST_AT;
            return vec![start, (part(start.0, end.0), part(start.1, end.1))];
        }
        if !way.held {
            return vec![start, end];
        }
        let wait = lo + (hi - lo) * HELD_AT;
        let to = if way.arrives { way.to } else { self.edge };
        let lead = ((to - way.from) * 0.3).min(20.0);
        let (first, last) = (way.from + lead, to - lead * 0.7);
        let mut route = vec![start, self.point(first, wait)];
        if way.arrives {
            route.push(self.point(last.max(first), wait));
            route.push(end);
        } else {
            route.push(self.point(first + ((self.edge - first) * 0.5).min(60.0), wait));
        }
        route
    }

    /// Where a party is across time.
    pub fn across(&self, node: Node) -> f64 {
        match node {
            Node::Coordinator => self.lanes.port,
            Node::Client(client) => self
                .lanes
                .clients
                .get(client.0)
                .map_or(self.lanes.port, |lane| lane.lane),
            Node::Place(place) => self
                .row(0, place)
                .map_or(self.lanes.extent.1, |(_, row)| row.lane),
            Node::External(external) => self
                .lanes
                .externals
                .get(external.0)
                .copied()
                .unwrap_or(self.lanes.extent.1),
        }
    }

    /// Whether a message is under way in the picture.
    fn is_seen(&self, message: &Message) -> bool {
        let due = message.due_secs.or(message.arrived_secs);
        let ended = if message.lost {
            Some(message.sent_secs)
        } else {
            due
        };
        self.shows(message.sent_secs, ended)
    }

    /// Whether the arrows have words.
    fn is_labelled(&self) -> bool {
        self.frame.page.is_some() || self.trace.messages.len() <= MOST_LABELLED
    }

    /// Keeps labels off the arrows.
    pub fn reserve_messages(&mut self) {
        if !self.is_labelled() {
            return;
        }
        for (message, way) in self.trace.messages.iter().zip(self.ways.clone()) {
            if !self.is_seen(message) {
                continue;
            }
            let route = self.route(message, way);
            for pair in route.windows(2) {
                if let [a, b] = pair {
                    self.space.line(a.0, a.1, b.0, b.1);
                }
            }
        }
    }

    /// All messages.
    pub fn messages(&mut self) {
        let labelled = self.is_labelled();
        let trace = self.trace;
        for (index, message) in trace.messages.iter().enumerate() {
            if !self.is_seen(message) {
                continue;
            }
            let way = self.ways.get(index).copied().unwrap_or_default();
            let route = self.route(message, way);
            let style = self.style(message);
            let sent = self.index.sent.get(index).copied().flatten();
            let moment = sent.map_or_else(
                || self.moment_at(message.sent_secs),
                |event| self.moment_of(Some(event)),
            );
            let mut item = self.item(
                moment,
                message.sent_secs,
                self.part(message),
                Some(message.client),
            );
            item.token = self.token(message);
            let label = Item {
                shapes: Vec::new(),
                ..item
            };
            item.shapes = self.arrow(message, way, &route, &style);
            self.arrows.push(item);
            if message.lost {
                self.lost(index, message, &route);
            }
            if labelled {
                self.label(label, message, way, &route, &style);
            }
            self.fly(message, way, &route);
        }
    }

    fn part(&self, message: &Message) -> Part {
        match (message.name, &message.content, message.from) {
            (Some(name), ..) => Part::Write(name),
            (None, Content::Call(external, _), _) => Part::External(*external),
            _ => Part::Client(message.client),
        }
    }

    fn token(&self, message: &Message) -> Option<Token> {
        match &message.content {
            Content::Write(write) | Content::Claim(write) => match write.token {
                CarriedToken::Number(token) => Some(token),
                _ => None,
            },
            Content::Answer(AnswerContent::Granted(_, token)) => Some(*token),
            _ => None,
        }
    }

    fn style(&self, message: &Message) -> Style {
        let short =
            self.vertical() || self.frame.density == Density::Pair && self.frame.width < 400.0;
        let plain = |words: &str| Style {
            class: "msg",
            open: false,
            request: true,
            chip: None,
            words: words.to_owned(),
            strong: false,
        };
        match &message.content {
            Content::Acquire(_) => plain("ask"),
            Content::Renew(..) => plain("renew"),
            Content::Release(..) => plain("release"),
            Content::Read(_) => plain("read"),
            Content::Call(_, what) => Style {
                strong: true,
                ..plain(&quoted(what))
            },
            Content::Claim(claim) => Style {
                chip: Some(token_text(&claim.token)),
                ..plain("claim")
            },
            Content::Write(write) => {
                let value = if short {
                    shorten(&write.value, 10)
                } else {
                    quoted(&write.value)
                };
                let words = if write.forged {
                    join(&[&value, " forged"])
                } else {
                    value
                };
                Style {
                    chip: Some(token_text(&write.token)),
                    strong: true,
                    ..plain(&words)
                }
            }
            Content::Answer(answer) => self.answer_style(*answer, short),
        }
    }

    fn answer_style(&self, answer: AnswerContent, short: bool) -> Style {
        let words = match answer {
            AnswerContent::Granted(..) if short => "",
            AnswerContent::Granted(..) => "grant",
            AnswerContent::Refused | AnswerContent::Verdict(Answer::Rejected) if short => "no",
            AnswerContent::Refused => "refused",
            AnswerContent::Renewed(_) => "renewed",
            AnswerContent::Released => "released",
            AnswerContent::Verdict(Answer::Rejected) => "rejected",
            AnswerContent::Verdict(Answer::Duplicate) => "duplicate",
            AnswerContent::Verdict(Answer::Committed) => "committed",
            AnswerContent::Verdict(Answer::NotCommitted) => "not committed",
            AnswerContent::Version(_) => "version",
            AnswerContent::Verdict(_) | AnswerContent::Called => "ok",
        };
        let granted = match answer {
            AnswerContent::Granted(_, token) => Some(whole(token)),
            _ => None,
        };
        Style {
            class: if granted.is_some() {
                "msg"
            } else {
                "msg reply"
            },
            open: granted.is_none(),
            request: false,
            chip: granted,
            words: words.to_owned(),
            strong: false,
        }
    }

    /// How much of the arrow's end its target covers.
    fn trim(&self, message: &Message) -> f64 {
        match message.to {
            Node::Coordinator => 0.0,
            Node::Client(_) => 4.0,
            Node::External(_) => 5.0,
            Node::Place(_) => match &message.content {
                Content::Write(write) if write.applied_at_secs.is_some() => 5.0,
                _ => self.measures.glyph + 1.0,
            },
        }
    }

    fn arrow(&self, message: &Message, way: Way, route: &[Point], style: &Style) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let [start, .., before, end] = route_ends(route);
        let arrives = way.arrives;
        let (tip, neck) = if arrives {
            ends(before, end, self.trim(message), style.open)
        } else {
            (end, end)
        };
        if route.len() == 2 {
            shapes.push(line(start.0, start.1, neck.0, neck.1, "halo"));
            shapes.push(line(start.0, start.1, neck.0, neck.1, style.class));
        } else {
            self.held_path(&mut shapes, route, neck, style.class);
        }
        if arrives {
            shapes.push(head(before, tip, style.open));
        }
        if !matches!(message.from, Node::Place(_)) {
            shapes.push(circle(start.0, start.1, 2.6, "port"));
        }
        if matches!(message.to, Node::External(_)) && arrives {
            shapes.push(circle(end.0, end.1, 4.0, "port"));
        }
        if let (true, Some(drop)) = (arrives, self.drop(message, way)) {
            shapes.push(drop);
        }
        shapes
    }

    /// The stretch on which a held message waits is dotted.
    fn held_path(
        &self,
        shapes: &mut Vec<Shape>,
        route: &[Point],
        neck: Point,
        class: &'static str,
    ) {
        let mut points = route.to_vec();
        if let (4, Some(last)) = (points.len(), points.last_mut()) {
            *last = neck;
        }
        for (index, pair) in points.windows(2).enumerate() {
            if let [a, b] = pair {
                let waits = index == 1;
                if !waits {
                    shapes.push(line(a.0, a.1, b.0, b.1, "halo"));
                }
                shapes.push(line(
                    a.0,
                    a.1,
                    b.0,
                    b.1,
                    if waits { "msg held" } else { class },
                ));
            }
        }
    }

    /// From the first to the last lane that a message reaches.
    fn drop(&self, message: &Message, way: Way) -> Option<Shape> {
        let Node::Place(first) = message.to else {
            return None;
        };
        let places = message.places.iter().map(|replica| Place {
            resource: first.resource,
            replica: *replica,
        });
        let lanes: Vec<f64> = if self.traces.len() > 1 {
            self.lanes.places.iter().map(|lane| lane.lane).collect()
        } else {
            places
                .filter_map(|place| self.row(0, place))
                .map(|(_, lane)| lane.lane)
                .collect()
        };
        let lo = lanes.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = lanes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (lo < hi).then(|| self.line((way.to, lo), (way.to, hi), "drop"))
    }

    fn lost(&mut self, index: usize, message: &Message, route: &[Point]) {
        let event = self.index.lost.get(index).copied().flatten().or(self
            .index
            .sent
            .get(index)
            .copied()
            .flatten());
        let at_secs = event
            .and_then(|event| self.trace.events.get(event))
            .map_or(message.sent_secs, |event| event.at_secs);
        let mut item = self.item(self.moment_of(event), at_secs, self.part(message), None);
        let Some((x, y)) = route.last().copied() else {
            return;
        };
        item.draw(cross(x, y, 4.0, "bad"));
        let mut tries = Tries::new("lost", "lbl strong no-t");
        tries.around(
            (x, y),
            &[
                (9, 0, Anchor::Start),
                (-9, 0, Anchor::End),
                (9, 12, Anchor::Start),
                (9, -12, Anchor::Start),
                (-9, 12, Anchor::End),
            ],
        );
        self.place(&mut item, &tries, None);
        self.marks.push(item);
    }

    /// Edges of a party's lane across time: the near and the far one.
    fn edges(&self, node: Node) -> (f64, f64) {
        match node {
            Node::Coordinator => (self.lanes.band.0, self.lanes.port),
            Node::Client(client) => self
                .lanes
                .clients
                .get(client.0)
                .map_or((0.0, 0.0), |lane| (lane.belief, lane.end)),
            Node::Place(_) => {
                let first = self
                    .lanes
                    .places
                    .first()
                    .map_or(self.lanes.extent.1, |lane| lane.lane);
                (
                    first - self.measures.glyph,
                    self.lanes.places.last().map_or(first, |lane| lane.band.1),
                )
            }
            Node::External(external) => {
                let at = self
                    .lanes
                    .externals
                    .get(external.0)
                    .copied()
                    .unwrap_or(self.lanes.extent.1);
                (at - 6.0, at + 6.0)
            }
        }
    }

    /// Place of a party in the order of lanes.
    fn rank(&self, node: Node) -> usize {
        let clients = self.lanes.clients.len();
        match node {
            Node::Coordinator => 0,
            Node::Client(client) => 1 + client.0,
            Node::Place(_) => 1 + clients,
            Node::External(external) => 2 + clients + external.0,
        }
    }

    /// The party with a place in the order of lanes.
    fn ranked(&self, rank: usize) -> Node {
        let clients = self.lanes.clients.len();
        match rank.checked_sub(1) {
            None => Node::Coordinator,
            Some(client) if client < clients => Node::Client(ClientId(client)),
            Some(place) if place == clients => Node::Place(Place {
                resource: ResourceId(0),
                replica: ReplicaId(0),
            }),
            Some(external) => Node::External(ExternalId(external - clients - 1)),
        }
    }

    /// The gaps that a message crosses, the one at its source first: start and end across time.
    fn gaps(&self, message: &Message) -> Vec<(f64, f64)> {
        let (from, to) = (self.rank(message.from), self.rank(message.to));
        let step = |low: usize| {
            (
                self.edges(self.ranked(low)).1,
                self.edges(self.ranked(low + 1)).0,
            )
        };
        if from < to {
            (from..to).map(step).collect()
        } else {
            (to..from)
                .rev()
                .map(step)
                .map(|(lo, hi)| (hi, lo))
                .collect()
        }
    }

    fn label(
        &mut self,
        mut item: Item,
        message: &Message,
        way: Way,
        route: &[Point],
        style: &Style,
    ) {
        let (a, b) = (self.across(message.from), self.across(message.to));
        let reach = if message.lost {
            LOST_AT
        } else if way.held {
            HELD_AT
        } else {
            1.0
        };
        let lead = match route {
            [_, first, ..] if way.held => {
                if self.vertical() {
                    first.1
                } else {
                    first.0
                }
            }
            _ => way.from + (way.to - way.from) * reach,
        };
        let words = if way.held && !way.arrives && !message.lost {
            join(&[&style.words, ", held"])
        } else {
            style.words.clone()
        };
        let class = match (self.vertical(), style.strong) {
            (true, true) => "sub who strong knock",
            (true, false) => "sub who knock",
            (false, true) => "lbl who strong",
            (false, false) => "lbl who",
        };
        let mut labels = Tries::new(&words, class);
        let mut alone = Tries::new(&words, class);
        for gap in self.gaps(message) {
            for part in PARTS {
                let across = gap.0 + (gap.1 - gap.0) * part;
                let share = if b == a { 0.5 } else { (across - a) / (b - a) };
                if !(0.0..=reach).contains(&share) {
                    continue;
                }
                let along = way.from + (lead - way.from) * share / reach;
                let (x, y) = self.point(along, across);
                self.label_places(&mut labels, &mut alone, (x, y), style);
            }
        }
        if let ([start, end, ..], true) = (route, reach < 1.0) {
            for part in [0.5, 0.3, 0.7] {
                let point = (
                    start.0 + (end.0 - start.0) * part,
                    start.1 + (end.1 - start.1) * part,
                );
                self.label_places(&mut labels, &mut alone, point, style);
            }
        }
        let own = match route {
            [start, next, ..] => Some(((start.0 + next.0) / 2.0, (start.1 + next.1) / 2.0)),
            _ => None,
        };
        if self.place(&mut item, &labels, own) || self.place(&mut item, &alone, own) {
            self.marks.push(item);
        }
    }

    /// Chip and words at a point of the line, and the chip or the words alone for want of room.
    fn label_places<'b>(
        &self,
        labels: &mut Tries<'b>,
        alone: &mut Tries<'b>,
        (x, y): Point,
        style: &'b Style,
    ) {
        let chip = style.chip.as_deref();
        labels.chip = chip.map(|number| (x, y, number));
        alone.chip = labels.chip;
        if !labels.words.is_empty() {
            let (off, up) = match chip {
                Some(number) => (self.chip_size(number).0 / 2.0 + 6.0, 16.0),
                None => (9.0, 12.0),
            };
            // Requests have their words on the near side, answers on the far one.
            let near = if style.request { 1.0 } else { -1.0 };
            let sides = [near, -near];
            if self.vertical() {
                for side in sides {
                    labels.at(x, y - up * side, Anchor::Middle);
                }
                alone.at(x + off, y, Anchor::Start);
                alone.at(x - off, y, Anchor::End);
            } else {
                for side in sides {
                    let anchor = if side > 0.0 {
                        Anchor::End
                    } else {
                        Anchor::Start
                    };
                    labels.at(x - off * side, y, anchor);
                }
            }
        }
        if chip.is_some() {
            let words = std::mem::take(&mut alone.words);
            alone.at(x, y, Anchor::Middle);
            alone.words = words;
        }
    }

    fn fly(&mut self, message: &Message, way: Way, route: &[Point]) {
        for pair in route.windows(2) {
            let [a, b] = pair else { continue };
            let (from, to) = if self.vertical() {
                (a.1, b.1)
            } else {
                (a.0, b.0)
            };
            if to - from < 0.5 || way.to <= way.from && !way.held {
                continue;
            }
            self.flights.push(Flight {
                from_secs: self.axis.time_at(from).max(message.sent_secs as f64),
                to_secs: self.axis.time_at(to),
                x1: a.0,
                y1: a.1,
                x2: b.0,
                y2: b.1,
                who: message.client,
            });
        }
    }
}

/// First, second to last and last point (the first twice for a line).
fn route_ends(route: &[Point]) -> [Point; 4] {
    let first = route.first().copied().unwrap_or_default();
    let last = route.last().copied().unwrap_or(first);
    let before = route
        .len()
        .checked_sub(2)
        .and_then(|index| route.get(index))
        .copied()
        .unwrap_or(first);
    [first, first, before, last]
}

/// The tip of an arrow, and where its line ends.
fn ends(from: Point, to: Point, trim: f64, open: bool) -> (Point, Point) {
    let (ux, uy) = unit(from, to);
    let tip = (to.0 - ux * trim, to.1 - uy * trim);
    let neck = if open {
        tip
    } else {
        (tip.0 - ux * (HEAD.0 - 1.0), tip.1 - uy * (HEAD.0 - 1.0))
    };
    (tip, neck)
}

fn unit(from: Point, to: Point) -> Point {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length > 0.0 {
        (dx / length, dy / length)
    } else {
        (0.0, 0.0)
    }
}

fn head(from: Point, tip: Point, open: bool) -> Shape {
    let (ux, uy) = unit(from, tip);
    let (x, y) = (tip.0 - ux * HEAD.0, tip.1 - uy * HEAD.0);
    let (left, right) = (
        (x - uy * HEAD.1, y + ux * HEAD.1),
        (x + uy * HEAD.1, y - ux * HEAD.1),
    );
    if open {
        path(&[left, tip, right], "open")
    } else {
        closed(&[tip, left, right], "head")
    }
}
