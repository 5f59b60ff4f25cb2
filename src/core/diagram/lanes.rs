//! Where the lanes are across time.

use super::text::{fit, shorten, text, width};
use super::{Anchor, Density, Frame, Lane, Orientation};
use crate::sim::text::join;
use crate::sim::*;

/// Names longer than this are shortened.
const LONGEST_NAME: usize = 20;
/// Room for the time column of a vertical picture.
const TIME_COLUMN: f64 = 22.0;
/// More rows of leases or beliefs than this share the last one.
const MOST_ROWS: usize = 6;

/// A lane of verdicts: one place, or one resource under one policy.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which of the traces.
    pub source: usize,
    /// Which place.
    pub place: Place,
    /// Its name.
    pub name: String,
    /// What stands below the name.
    pub sub: String,
    /// Under which policy it judges at first.
    pub looks_at_token: bool,
}

/// Measures in px, along or across time.
#[derive(Clone, Copy, Debug)]
pub struct Measures {
    /// Width of the names.
    pub gutter: f64,
    /// Room after the axis.
    pub pad: f64,
    /// First lane.
    pub top: f64,
    /// A lease bar.
    pub lease: f64,
    /// A belief bar.
    pub belief: f64,
    /// Between belief and lane.
    pub sep: f64,
    /// A pause.
    pub pause: f64,
    /// Coordinator to first client, client to client, client to resource.
    pub gaps: [f64; 3],
    /// Radius of a verdict.
    pub glyph: f64,
    /// A value bar.
    pub value: f64,
    /// Height of the mark's step line; 0: none.
    pub mark: f64,
    /// A token chip.
    pub chip: (f64, f64),
    /// From one compact lane to the next.
    pub pitch: f64,
}

impl Measures {
    /// The measures for a frame with so many verdict lanes.
    pub fn of(frame: &Frame, rows: usize, compared: bool) -> Self {
        // gutter, pad, top, lease, belief, sep, pause, gaps (3), glyph, value, mark, chip (2)
        let row: [u8; 15] = match frame.density {
            _ if frame.orientation == Orientation::Vertical => {
                [104, 14, 40, 22, 11, 6, 14, 54, 50, 52, 8, 20, 32, 24, 16]
            }
            _ if compared => [132, 16, 26, 20, 14, 4, 12, 40, 36, 40, 8, 15, 32, 24, 16],
            Density::Full | Density::Mini => {
                [104, 16, 30, 22, 16, 6, 16, 54, 50, 52, 9, 20, 32, 26, 18]
            }
            Density::Hero => [116, 20, 32, 24, 16, 8, 18, 62, 56, 60, 9, 22, 36, 26, 18],
            Density::Embed => [94, 14, 24, 18, 14, 4, 13, 38, 36, 38, 8, 17, 24, 24, 16],
            Density::Pair => [76, 8, 26, 22, 15, 5, 13, 62, 58, 62, 8, 20, 0, 24, 16],
        };
        let row = row.map(f64::from);
        let measures = Measures {
            gutter: row[0],
            pad: row[1],
            top: row[2],
            lease: row[3],
            belief: row[4],
            sep: row[5],
            pause: row[6],
            gaps: [row[7], row[8], row[9]],
            glyph: row[10],
            value: row[11],
            mark: row[12],
            chip: (row[13], row[14]),
            pitch: 44.0,
        };
        if rows > 1 || compared {
            Measures {
                mark: 0.0,
                value: measures.value.min(16.0),
                ..measures
            }
        } else {
            measures
        }
    }
}

/// A client's lane.
#[derive(Clone, Copy, Debug)]
pub struct ClientLane {
    /// Start of the belief rows.
    pub belief: f64,
    /// The lifeline.
    pub lane: f64,
    /// End of the lane.
    pub end: f64,
}

/// A lane of verdicts.
#[derive(Clone, Copy, Debug)]
pub struct PlaceLane {
    /// Where verdicts stand.
    pub lane: f64,
    /// Value bar: start and end.
    pub value: (f64, f64),
    /// Mark line: where it is at 0 and where at most.
    pub mark: Option<(f64, f64)>,
    /// Band: start and end.
    pub band: (f64, f64),
}

/// All lanes, by px across time.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// Band of the coordinator: start and end.
    pub band: (f64, f64),
    /// Start of the first lease row, and from one row to the next.
    pub lease: (f64, f64),
    /// Thickness of a lease bar.
    pub lease_size: f64,
    /// How many lease rows there are.
    pub lease_rows: usize,
    /// Where messages touch the coordinator.
    pub port: f64,
    /// In order.
    pub clients: Vec<ClientLane>,
    /// From one belief row to the next; 0 with one row.
    pub belief_pitch: f64,
    /// Thickness of a belief bar.
    pub belief_size: f64,
    /// In order.
    pub places: Vec<PlaceLane>,
    /// In order.
    pub externals: Vec<f64>,
    /// Where the lanes start, and end.
    pub extent: (f64, f64),
    /// Names.
    pub names: Vec<Lane>,
    /// Where time starts (horizontal).
    pub gutter: f64,
}

/// What the resource under no other policy than its own is called.
fn resource_name(scenario: &Scenario, resource: &Resource) -> String {
    if scenario.resources.len() == 1 && resource.name == "doc" {
        String::from("Resource")
    } else {
        shorten(&resource.name, LONGEST_NAME)
    }
}

/// A lane for each place of each resource.
///
/// Whether a lane follows the mark or the stored token is up to the policy that the run began with.
pub fn places(scenario: &Scenario, trace: &Trace) -> Vec<Row> {
    let looks_at_token = |place: Place| {
        let first = trace.stores.iter().find(|store| store.place == place);
        first.is_none_or(|store| store.policy.base.looks_at_token())
    };
    let mut rows = Vec::new();
    for (index, resource) in scenario.resources.iter().enumerate() {
        for replica in 0..resource.places() {
            let own = resource.replicas.get(replica);
            let place = Place {
                resource: ResourceId(index),
                replica: ReplicaId(replica),
            };
            rows.push(Row {
                source: 0,
                place,
                name: match own {
                    Some(name) if replica > 0 || scenario.resources.len() == 1 => {
                        shorten(name, LONGEST_NAME)
                    }
                    Some(name) => shorten(&join(&[&resource.name, " ", name]), LONGEST_NAME),
                    None => resource_name(scenario, resource),
                },
                sub: String::new(),
                looks_at_token: looks_at_token(place),
            });
        }
    }
    rows
}

/// The rule of a base in a few words.
fn rule(base: Base) -> &'static str {
    match base {
        Base::Unfenced => "takes every write",
        Base::Fenced => "token ≥ mark",
        Base::Strict => "token > mark",
        Base::Equality => "one token only",
        Base::AskHolder => "asks who holds",
        Base::Deadline => "until the deadline",
        Base::CheckThenWrite => "≥ on arrival only",
    }
}

/// A lane for each policy and resource; replicas of a resource share it.
pub fn policies(scenario: &Scenario, runs: &[(Policy, Trace)]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (source, (policy, _)) in runs.iter().enumerate() {
        for (index, resource) in scenario.resources.iter().enumerate() {
            let name = if index == 0 {
                policy.name()
            } else {
                String::new()
            };
            let sub = if scenario.resources.len() == 1 {
                rule(policy.base)
            } else {
                &resource.name
            };
            rows.push(Row {
                source,
                place: Place {
                    resource: ResourceId(index),
                    replica: ReplicaId(0),
                },
                name: shorten(&name, LONGEST_NAME),
                sub: shorten(sub, LONGEST_NAME + 4),
                looks_at_token: policy.base.looks_at_token(),
            });
        }
    }
    rows
}

/// “Client A” for a short name, else the name.
pub fn client_name(name: &str) -> String {
    if name.len() <= 2 {
        join(&["Client ", name])
    } else {
        shorten(name, LONGEST_NAME)
    }
}

/// Which row of so many something of this lease has.
fn row_of(lease: LeaseId, rows: usize) -> f64 {
    lease.0.min(rows.saturating_sub(1)) as f64
}

impl Lanes {
    /// Lays the lanes out.
    pub fn new(scenario: &Scenario, rows: &[Row], frame: &Frame, measures: &Measures) -> Self {
        match frame.orientation {
            Orientation::Horizontal => horizontal(scenario, rows, frame, measures),
            Orientation::Vertical => vertical(scenario, rows, frame, measures),
        }
    }

    /// Start and end of a lease's row.
    pub fn lease_row(&self, lease: LeaseId) -> (f64, f64) {
        let start = self.lease.0 + row_of(lease, self.lease_rows) * self.lease.1;
        (start, start + self.lease_size)
    }

    /// Start and end of a client's belief row.
    pub fn belief_row(&self, client: ClientId, lease: LeaseId) -> (f64, f64) {
        let first = self
            .clients
            .get(client.0)
            .map_or(self.port, |lane| lane.belief);
        let start = first + row_of(lease, self.lease_rows) * self.belief_pitch;
        (start, start + self.belief_size)
    }
}

/// Rows of leases, and how thick their bars are.
fn lease_rows(scenario: &Scenario, size: f64) -> (usize, f64, f64) {
    let rows = scenario.leases.len().clamp(1, MOST_ROWS);
    let thick = if rows == 1 {
        size
    } else {
        (size * 0.8).max(14.0).min(size)
    };
    (rows, thick, if rows == 1 { size } else { thick + 3.0 })
}

fn horizontal(scenario: &Scenario, rows: &[Row], frame: &Frame, m: &Measures) -> Lanes {
    let (lease_rows, lease_size, lease_pitch) = lease_rows(scenario, m.lease);
    let lease = m.top + 4.0;
    let lease_end = lease + lease_pitch * (lease_rows - 1) as f64 + lease_size;
    let port = lease_end + 3.0;
    let crowd = if scenario.clients.len() > 3 {
        0.75
    } else {
        1.0
    };
    let belief_size = if lease_rows > 1 {
        (m.belief * 0.75).max(12.0)
    } else {
        m.belief
    };
    let belief_pitch = if lease_rows > 1 {
        belief_size + 1.0
    } else {
        0.0
    };
    let mut at = port + m.gaps[0];
    let mut clients = Vec::new();
    for _ in &scenario.clients {
        let lane =
            at + belief_pitch * (lease_rows - 1) as f64 + belief_size + m.sep + m.pause / 2.0;
        let end = lane + m.pause / 2.0;
        clients.push(ClientLane {
            belief: at,
            lane,
            end,
        });
        at = end + m.gaps[1] * crowd;
    }
    at = clients.last().map_or(port, |client| client.end) + m.gaps[2];
    let mut places = Vec::new();
    let mut floor = at;
    for _ in rows {
        let value = at + m.glyph + if m.mark > 0.0 { 5.0 } else { 4.0 };
        let base = value + m.value + 6.0 + m.mark;
        let mark = (m.mark > 0.0).then_some((base, base - m.mark));
        floor = if mark.is_some() {
            base + 6.0
        } else {
            value + m.value + 4.0
        };
        places.push(PlaceLane {
            lane: at,
            value: (value, value + m.value),
            mark,
            band: (at, floor),
        });
        at += m.pitch.max(m.glyph * 2.0 + m.value + 12.0);
    }
    let externals: Vec<f64> = (0..scenario.externals.len())
        .map(|index| floor + 34.0 + 36.0 * index as f64)
        .collect();
    let end = externals.last().map_or(floor, |last| last + 14.0);
    let mut lanes = Lanes {
        band: (m.top - 2.0, lease_end + 6.0),
        lease: (lease, lease_pitch),
        lease_size,
        lease_rows,
        port,
        clients,
        belief_pitch,
        belief_size,
        places,
        externals,
        extent: (m.top - 2.0, end),
        names: Vec::new(),
        gutter: m.gutter,
    };
    lanes.name_rows(scenario, rows, frame, m);
    lanes
}

/// A name in the gutter of a horizontal picture.
fn name(node: Node, at: f64, y: f64, label: &str, who: Option<ClientId>) -> Lane {
    Lane {
        node,
        at,
        who,
        shapes: vec![text(0.0, y, label, "lane", Anchor::Start)],
    }
}

impl Lanes {
    fn name_rows(&mut self, scenario: &Scenario, rows: &[Row], frame: &Frame, m: &Measures) {
        let coordinator = if frame.density == Density::Pair {
            "Coord."
        } else {
            "Coordinator"
        };
        let middle = (self.lease.0 + self.port - 3.0) / 2.0;
        let mut names = vec![name(Node::Coordinator, middle, middle, coordinator, None)];
        for (index, (client, lane)) in scenario.clients.iter().zip(&self.clients).enumerate() {
            let y = (lane.belief + lane.end) / 2.0;
            let id = ClientId(index);
            names.push(name(
                Node::Client(id),
                lane.lane,
                y,
                &client_name(client),
                Some(id),
            ));
        }
        for (row, lane) in rows.iter().zip(&self.places) {
            let with_sub = if row.sub.is_empty() { 0.0 } else { 2.0 };
            let mut item = name(
                Node::Place(row.place),
                lane.lane,
                lane.lane + with_sub,
                &row.name,
                None,
            );
            let mut sub =
                |y: f64, label: &str| item.shapes.push(text(0.0, y, label, "sub", Anchor::Start));
            if let Some((zero, full)) = lane.mark {
                sub((lane.value.0 + lane.value.1) / 2.0, "value");
                sub(
                    full + (zero - full) * 0.62,
                    if row.looks_at_token { "mark" } else { "token" },
                );
            } else if !row.sub.is_empty() {
                sub(
                    lane.lane + if row.name.is_empty() { 2.0 } else { 18.0 },
                    &row.sub,
                );
            }
            names.push(item);
        }
        for (index, (external, lane)) in scenario.externals.iter().zip(&self.externals).enumerate()
        {
            let label = shorten(external, LONGEST_NAME);
            names.push(name(
                Node::External(ExternalId(index)),
                *lane,
                *lane,
                &label,
                None,
            ));
        }
        let widest = names
            .iter()
            .flat_map(|lane| &lane.shapes)
            .map(|shape| match shape {
                super::Shape::Text { text, class, .. } => width(text, class),
                _ => 0.0,
            });
        self.gutter = widest
            .fold(m.gutter, |gutter, name| gutter.max(name + 16.0))
            .min(frame.width / 2.0);
        self.names = names;
    }
}

fn vertical(scenario: &Scenario, rows: &[Row], frame: &Frame, m: &Measures) -> Lanes {
    let compact = m.mark == 0.0;
    let between = scenario.clients.len().saturating_sub(1) as f64;
    let each = if compact { 44.0 } else { 86.0 };
    let [head, pitch, tail] = column_units(rows.len());
    let units = head
        + pitch * between
        + tail
        + each * rows.len() as f64
        + 40.0 * scenario.externals.len() as f64;
    let u = (frame.width - TIME_COLUMN) / units;
    let (lease_rows, ..) = lease_rows(scenario, m.lease);
    let lease = TIME_COLUMN + 4.0;
    let cw = (30.0 * u).max(20.0);
    let lease_pitch = cw / lease_rows as f64;
    let lease_size = if lease_rows == 1 {
        cw
    } else {
        (lease_pitch - 2.0).max(2.0)
    };
    let port = lease + cw + 2.0;
    let tight = (pitch * u / 50.0).clamp(0.5, 1.0);
    let belief_all = m.belief * tight;
    let mut clients = Vec::new();
    for index in 0..scenario.clients.len() {
        let belief = TIME_COLUMN + (head + pitch * index as f64) * u;
        let lane = belief + belief_all + m.sep * tight + m.pause / 2.0 * tight;
        clients.push(ClientLane {
            belief,
            lane,
            end: lane + m.pause / 2.0 * tight,
        });
    }
    let first = TIME_COLUMN + (head + pitch * between + tail) * u;
    let after = first + each * rows.len() as f64 * u;
    let right = if scenario.externals.is_empty() {
        frame.width
    } else {
        after - 4.0
    };
    let places = (0..rows.len())
        .map(|index| column(first, index, u, compact, right, m))
        .collect::<Vec<_>>();
    let externals: Vec<f64> = (0..scenario.externals.len())
        .map(|index| after + (14.0 + 40.0 * index as f64) * u)
        .collect();
    let mut lanes = Lanes {
        band: (lease - 4.0, lease + cw + 4.0),
        lease: (lease, lease_pitch),
        lease_size,
        lease_rows,
        port,
        clients,
        belief_pitch: if lease_rows > 1 {
            belief_all / lease_rows as f64
        } else {
            0.0
        },
        belief_size: if lease_rows > 1 {
            (belief_all / lease_rows as f64 - 1.0).max(1.5)
        } else {
            belief_all
        },
        places,
        externals,
        extent: (TIME_COLUMN, frame.width),
        names: Vec::new(),
        gutter: TIME_COLUMN,
    };
    lanes.name_columns(scenario, rows, u);
    lanes
}

/// From the time column to the first client, from client to client, and to the first resource.
fn column_units(rows: usize) -> [f64; 3] {
    if rows > 2 {
        [58.0, 54.0, 66.0]
    } else {
        [92.0, 78.0, 80.0]
    }
}

/// The column of a verdict lane.
fn column(first: f64, index: usize, u: f64, compact: bool, right: f64, m: &Measures) -> PlaceLane {
    if compact {
        let lane = first + 44.0 * index as f64 * u;
        let end = lane + 44.0 * u - 4.0;
        let value = (lane + m.glyph + 4.0).min(end - 3.0);
        return PlaceLane {
            lane,
            value: (value, (end - 2.0).max(value + 1.0)),
            mark: None,
            band: (lane, end),
        };
    }
    let value = (first + 14.0, first + 14.0 + 37.0 * u);
    let mark = (value.1 + 4.0, right);
    PlaceLane {
        lane: first,
        value,
        mark: Some(mark),
        band: (first, right),
    }
}

impl Lanes {
    fn name_columns(&mut self, scenario: &Scenario, rows: &[Row], u: f64) {
        let pitch = column_units(rows.len())[1] * u;
        let lane = |node, at, who, shapes| Lane {
            node,
            at,
            who,
            shapes,
        };
        let coordinator = if pitch < 56.0 { "Co." } else { "Coord." };
        let middle = (self.band.0 + self.band.1) / 2.0;
        let mut names = vec![lane(
            Node::Coordinator,
            middle,
            None,
            vec![text(self.band.0, 12.0, coordinator, "lane", Anchor::Start)],
        )];
        for (index, (client, at)) in scenario.clients.iter().zip(&self.clients).enumerate() {
            let id = ClientId(index);
            let long = client_name(client);
            let label = if width(&long, "lane") <= pitch - 4.0 {
                long
            } else {
                fit(client, "lane", pitch - 6.0)
            };
            let x = (at.belief + at.lane) / 2.0 + 4.0;
            names.push(lane(
                Node::Client(id),
                at.lane,
                Some(id),
                vec![text(x, 12.0, &label, "lane", Anchor::Middle)],
            ));
        }
        for (row, at) in rows.iter().zip(&self.places) {
            let room = at.band.1 - at.band.0 + 2.0;
            let mut shapes = Vec::new();
            if let Some((zero, _)) = at.mark {
                shapes.push(text(
                    at.lane,
                    12.0,
                    &fit(&row.name, "lane", room),
                    "lane",
                    Anchor::Start,
                ));
                let track = if row.looks_at_token { "mark" } else { "token" };
                let x = zero.min(at.band.1 - width(track, "sub"));
                // The values themselves say what they are where there is no room for the word.
                if at.value.0 + width("value", "sub") <= x {
                    shapes.push(text(at.value.0, 28.0, "value", "sub", Anchor::Start));
                }
                shapes.push(text(x, 28.0, track, "sub", Anchor::Start));
            } else {
                two_lines(&mut shapes, at.lane, &row.name, room);
            }
            names.push(lane(Node::Place(row.place), at.lane, None, shapes));
        }
        for (index, (external, at)) in scenario.externals.iter().zip(&self.externals).enumerate() {
            let mut shapes = Vec::new();
            two_lines(&mut shapes, *at, external, 40.0 * u);
            names.push(lane(Node::External(ExternalId(index)), *at, None, shapes));
        }
        self.names = names;
    }
}

/// A name over at most two short lines, broken after a hyphen if it has one; `x` is its middle.
fn two_lines(shapes: &mut Vec<super::Shape>, x: f64, name: &str, room: f64) {
    let class = "sub strong";
    let (first, rest) = match (
        width(name, class) > room,
        name.find('-'),
        name.strip_prefix("un"),
    ) {
        (true, Some(hyphen), _) => name.split_at(hyphen + 1),
        (true, None, Some(rest)) => ("un-", rest),
        _ => (name, ""),
    };
    shapes.push(text(
        x,
        12.0,
        &fit(first, class, room),
        class,
        Anchor::Middle,
    ));
    if !rest.is_empty() {
        shapes.push(text(
            x,
            26.0,
            &fit(rest, class, room),
            class,
            Anchor::Middle,
        ));
    }
}
