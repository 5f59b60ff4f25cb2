//! A run as a tile: bars, arrows and dots without a word.

use super::axis::Scale;
use super::text::{circle, cross, line, rect};
use super::*;

/// Px from lane to lane.
const PITCH: f64 = 12.0;
/// First lane.
const TOP: f64 = 7.0;
/// Half of a bar's thickness.
const HALF: f64 = 3.0;
/// Room left and right.
const PAD: f64 = 3.0;

struct Tile<'a> {
    scenario: &'a Scenario,
    trace: &'a Trace,
    axis: Axis,
    right: f64,
    bars: Vec<Item>,
    marks: Vec<Item>,
}

/// The tile of a run. Time always runs to the right.
pub fn mini(scenario: &Scenario, trace: &Trace, frame: &Frame) -> Scene {
    let width = frame.width.clamp(40.0, 10_000.0);
    let axis = Scale::new(&[trace], frame.tail_secs, None).axis(
        PAD,
        width - 2.0 * PAD,
        f64::INFINITY,
        false,
    );
    let axis = Axis {
        ticks: Vec::new(),
        ..axis
    };
    let mut tile = Tile {
        scenario,
        trace,
        axis,
        right: width,
        bars: Vec::new(),
        marks: Vec::new(),
    };
    tile.leases();
    tile.stops();
    tile.messages();
    tile.verdicts();
    let lanes = tile.lanes();
    let height = lanes.last().map_or(TOP, |lane| lane.at) + TOP;
    Scene {
        width,
        height,
        orientation: Orientation::Horizontal,
        mini: true,
        ground: lanes
            .iter()
            .map(|lane| line(0.0, lane.at, width, lane.at, "life"))
            .collect(),
        bars: tile.bars,
        marks: tile.marks,
        flights: Vec::new(),
        axis: tile.axis,
        lanes,
        plot: Plot {
            x: 0.0,
            y: 0.0,
            w: width,
            h: height,
        },
        fans: Vec::new(),
        overview: None,
    }
}

impl Tile<'_> {
    fn lanes(&self) -> Vec<Lane> {
        let clients = self.scenario.clients.len();
        let rest = self.scenario.resources.len();
        let node = |index: usize| match index.checked_sub(1) {
            None => Node::Coordinator,
            Some(client) if client < clients => Node::Client(ClientId(client)),
            Some(place) => Node::Place(Place {
                resource: ResourceId(place - clients),
                replica: ReplicaId(0),
            }),
        };
        let lane = |index: usize| {
            let node = node(index);
            Lane {
                node,
                at: self.y(node),
                who: None,
                shapes: Vec::new(),
            }
        };
        (0..=clients + rest).map(lane).collect()
    }

    fn y(&self, node: Node) -> f64 {
        let clients = self.scenario.clients.len();
        let lane = match node {
            Node::Coordinator => 0,
            Node::Client(client) => 1 + client.0,
            Node::Place(place) => 1 + clients + place.resource.0,
            Node::External(_) => 1 + clients,
        };
        TOP + PITCH * lane as f64
    }

    fn x(&self, secs: Secs) -> f64 {
        self.axis.position(secs as f64)
    }

    fn item(&self, at_secs: Secs, part: Part, who: Option<ClientId>, shapes: Vec<Shape>) -> Item {
        let moment = self
            .trace
            .moments
            .partition_point(|moment| moment.at_secs <= at_secs)
            .saturating_sub(1);
        Item {
            moment,
            at_secs: at_secs as f64,
            part,
            who,
            token: None,
            shapes,
        }
    }

    fn bar(&self, from: Secs, to: Option<Secs>, y: f64, class: &'static str) -> Shape {
        let end = to.map_or(self.right, |to| self.x(to));
        rect(
            [self.x(from), y - HALF, end.min(self.right), y + HALF],
            1.5,
            class,
        )
    }

    fn leases(&mut self) {
        for span in &self.trace.lease_spans {
            let Some(client) = self
                .trace
                .grants
                .get(span.grant.0)
                .map(|grant| grant.client)
            else {
                continue;
            };
            let bar = self.bar(span.from_secs, span.ended_secs, TOP, "lease");
            self.bars
                .push(self.item(span.from_secs, Part::Lease(client), Some(client), vec![bar]));
        }
    }

    fn stops(&mut self) {
        for stop in self.trace.stop_spans.iter().filter(|stop| !stop.crashed) {
            let y = self.y(Node::Client(stop.client));
            let bar = |class| self.bar(stop.from_secs, stop.ended_secs, y, class);
            let bars = vec![bar("pause-bg"), bar("pause")];
            self.bars
                .push(self.item(stop.from_secs, Part::Client(stop.client), None, bars));
        }
    }

    /// Writes, claims, renewals and calls; of the others only what is lost.
    fn messages(&mut self) {
        for message in &self.trace.messages {
            let shown = matches!(
                message.content,
                Content::Write(_) | Content::Claim(_) | Content::Call(..) | Content::Renew(..)
            );
            if !shown && !message.lost {
                continue;
            }
            let due = message.due_secs.or(message.arrived_secs);
            let Some(due) = due.or(message
                .lost
                .then(|| message.sent_secs.saturating_add(self.scenario.latency_secs)))
            else {
                continue;
            };
            let (x1, y1) = (self.x(message.sent_secs), self.y(message.from));
            let (x2, y2) = (self.x(due), self.y(message.to));
            let mut shapes = Vec::new();
            if message.lost {
                let (x, y) = ((x1 + x2) / 2.0, (y1 + y2) / 2.0);
                shapes.push(line(x1, y1, x, y, "msg"));
                shapes.push(cross(x, y, 2.2, "bad"));
            } else {
                shapes.push(line(x1, y1, x2, y2, "msg"));
            }
            let item = self.item(
                message.sent_secs,
                Part::Client(message.client),
                Some(message.client),
                shapes,
            );
            self.bars.push(item);
        }
    }

    fn verdicts(&mut self) {
        for verdict in &self.trace.verdicts {
            let (x, y) = (self.x(verdict.at_secs), self.y(Node::Place(verdict.place)));
            let wrong = verdict
                .anomalies
                .iter()
                .any(|anomaly| *anomaly != Anomaly::Unseen);
            let shape = match verdict.answer {
                Answer::Rejected => rect([x - 2.8, y - 2.8, x + 2.8, y + 2.8], 1.0, "v-no"),
                Answer::Accepted if wrong => circle(x, y, 2.8, "bad"),
                Answer::Duplicate => circle(x, y, 2.8, "v-dup"),
                _ => circle(x, y, 2.8, "pt"),
            };
            let part = verdict
                .name
                .map_or(Part::Resource(verdict.place.resource), Part::Write);
            self.marks
                .push(self.item(verdict.at_secs, part, None, vec![shape]));
        }
    }
}
