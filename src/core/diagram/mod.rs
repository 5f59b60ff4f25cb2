//! From a run to its picture: lanes, bars, arrows and labels as plain numbers, and those as a
//! standalone SVG.
//!
//! Invariants:
//! - The geometry follows from the scenario, the trace and the frame alone, never from the cursor.
//! - Labels give way, shapes do not: a label that fits nowhere is left out.
//! - Work and memory grow with the number of events; nothing here panics for any trace.
//! - Floats live only here; the simulation has none.

mod axis;
mod bars;
mod canvas;
mod incidents;
mod lanes;
mod messages;
mod mini;
mod page;
mod resources;
mod space;
mod svg;
#[cfg(test)]
mod tests;
mod text;

use crate::sim::*;
pub use axis::Axis;
pub use page::Page;
use serde::{Deserialize, Serialize};
pub use svg::{Theme, ground_markup, plain_svg, shapes_markup, svg};
pub use text::{number, text_box};

/// Containers narrower than this many px get time running down.
pub const VERTICAL_BELOW: f64 = 560.0;

/// Which way time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Orientation {
    /// From left to right.
    Horizontal,
    /// Downwards.
    Vertical,
}

/// How much room a picture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Density {
    /// Beside a lesson or script.
    Full,
    /// At the top of the home page.
    Hero,
    /// In a documentation page.
    Embed,
    /// One of two runs side by side: no step line of the mark, an axis of its own.
    Pair,
    /// A tile without any text.
    Mini,
}

/// What a picture is laid out for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Width in px; at least 120 is assumed.
    pub width: f64,
    /// Which way time runs.
    pub orientation: Orientation,
    /// Measures and what is left out.
    pub density: Density,
    /// Room after the last moment, in seconds.
    pub tail_secs: f64,
    /// Whether the picture shows the times itself (when vertical it always does).
    pub shows_axis: bool,
    /// The part of a long run that is drawn; `None`: all of it. A tile always has all.
    pub page: Option<Page>,
}

impl Frame {
    /// The frame for a container: orientation by its width, one second of room at the end.
    pub fn of(width: f64, density: Density) -> Self {
        let orientation =
            if width < VERTICAL_BELOW && !matches!(density, Density::Pair | Density::Mini) {
                Orientation::Vertical
            } else {
                Orientation::Horizontal
            };
        Frame {
            width,
            orientation,
            density,
            tail_secs: 1.0,
            shows_axis: density == Density::Pair,
            page: None,
        }
    }
}

/// Which end of a text its point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

impl Anchor {
    /// The value of `text-anchor`.
    pub fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A primitive in px. A `Rect` of class `pause` is filled with the hatch pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle.
    Rect {
        /// Left.
        x: f64,
        /// Top.
        y: f64,
        /// Width, not negative.
        w: f64,
        /// Height, not negative.
        h: f64,
        /// Corner radius.
        rx: f64,
        /// Classes.
        class: &'static str,
    },
    /// A path.
    Path {
        /// The `d` attribute.
        d: String,
        /// Classes.
        class: &'static str,
    },
    /// A circle.
    Circle {
        /// Centre.
        cx: f64,
        /// Centre.
        cy: f64,
        /// Radius.
        r: f64,
        /// Classes.
        class: &'static str,
    },
    /// A text whose middle line is at `y` (`dy` is .35em).
    Text {
        /// Where its anchor is.
        x: f64,
        /// The middle of its height.
        y: f64,
        /// Not escaped.
        text: String,
        /// Classes.
        class: &'static str,
        /// Which end `x` is.
        anchor: Anchor,
    },
}

/// What a piece of the picture is, for lighting it up from prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The coordinator, its band and what happens to it.
    Coordinator,
    /// A client, its lane and what it does.
    Client(ClientId),
    /// Everything that carries this number.
    Token(Token),
    /// The leases of a client at the coordinator.
    Lease(ClientId),
    /// What a client believes.
    Belief(ClientId),
    /// A named request with its answer and verdicts.
    Write(NameId),
    /// The stored value of a resource.
    Value(ResourceId),
    /// The mark of a resource.
    Mark(ResourceId),
    /// A resource, its band and what happens to it.
    Resource(ResourceId),
    /// A system outside the fence.
    External(ExternalId),
}

/// Shapes that belong together and appear together.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Index into [`Trace::moments`] at which it appears; their number: never in the past.
    pub moment: usize,
    /// When that is, in seconds.
    pub at_secs: f64,
    /// What it is.
    pub part: Part,
    /// Whose colour it has.
    pub who: Option<ClientId>,
    /// The number on it.
    pub token: Option<Token>,
    /// In drawing order.
    pub shapes: Vec<Shape>,
}

impl Item {
    /// Adds a shape, above the others.
    #[inline(never)]
    fn draw(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    /// Whether lighting up `part` lights this.
    pub fn concerns(&self, part: Part) -> bool {
        match part {
            Part::Token(token) => self.token == Some(token),
            Part::Client(client) => self.who == Some(client) || self.part == part,
            other => self.part == other,
        }
    }
}

/// A stretch of a message's way: a dot runs along it while the playhead crosses it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    /// Start in seconds.
    pub from_secs: f64,
    /// End in seconds.
    pub to_secs: f64,
    /// Start.
    pub x1: f64,
    /// Start.
    pub y1: f64,
    /// End.
    pub x2: f64,
    /// End.
    pub y2: f64,
    /// Whose message.
    pub who: ClientId,
}

/// A lane and where its name and its action handle stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Whose.
    pub node: Node,
    /// Its centre across time.
    pub at: f64,
    /// Whose colour its name has.
    pub who: Option<ClientId>,
    /// Its name and sub-labels.
    pub shapes: Vec<Shape>,
}

/// Where the veil, the clip and the playhead apply.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// In px.
    pub width: f64,
    /// In px.
    pub height: f64,
    /// Which way time runs.
    pub orientation: Orientation,
    /// Without text.
    pub mini: bool,
    /// What does not depend on time: bands, grid, lifelines, times.
    pub ground: Vec<Shape>,
    /// Below the veil of the future; clipped at the playhead when the future is hidden.
    pub bars: Vec<Item>,
    /// Labels, chips, verdicts and call-outs: above the veil.
    pub marks: Vec<Item>,
    /// Dots in flight.
    pub flights: Vec<Flight>,
    /// Time to px.
    pub axis: Axis,
    /// Names and handles.
    pub lanes: Vec<Lane>,
    /// Where time runs.
    pub plot: Plot,
    /// Instants whose messages are fanned out: when, and where the fan ends.
    pub fans: Vec<(f64, f64)>,
    /// The axis of the whole run in the same place, if only a page of it is drawn.
    pub overview: Option<Axis>,
}

/// The picture of a run.
pub fn scene(scenario: &Scenario, trace: &Trace, frame: &Frame) -> Scene {
    if frame.density == Density::Mini {
        return mini::mini(scenario, trace, frame);
    }
    let rows = lanes::places(scenario, trace);
    canvas::Canvas::new(scenario, trace, Vec::new(), rows, frame).draw()
}

/// One run under several policies (four are legible): coordinator and clients of the first, then a
/// lane for each policy and resource. Nothing to compare gives an empty picture.
pub fn compare(scenario: &Scenario, runs: &[(Policy, Trace)], frame: &Frame) -> Scene {
    let empty = Trace::default();
    let first = runs.first().map_or(&empty, |run| &run.1);
    let others = runs.iter().skip(1).map(|run| &run.1).collect();
    let rows = lanes::policies(scenario, runs);
    canvas::Canvas::new(scenario, first, others, rows, frame).draw()
}
