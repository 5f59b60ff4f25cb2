//! What happens at one instant and leaves no bar: checks, saves, restores, forgotten marks.

use super::canvas::{Canvas, Tries};
use super::lanes::Row;
use super::text::{circle, join, whole};
use super::*;

/// Where an incident is drawn and what it is called.
struct Incident {
    part: Part,
    across: (f64, f64),
    words: String,
}

fn restarted(at: Option<Token>) -> String {
    match at {
        Some(number) => join(&["restarted at ", &whole(number)]),
        None => "restarted".to_owned(),
    }
}

impl Canvas<'_> {
    /// Lines across a band, and marks on a client's lane.
    pub fn incidents(&mut self) {
        for (index, event) in self.trace.events.iter().enumerate() {
            if !self.shows(event.at_secs, Some(event.at_secs)) {
                continue;
            }
            let moment = self.moment_of(Some(index));
            if let EventKind::Checked { client, valid, .. } = event.kind {
                self.check(client, valid, moment, event.at_secs);
            } else if let Some(incident) = self.incident(&event.kind) {
                self.stroke(incident, moment, event.at_secs);
            }
        }
    }

    fn incident(&self, kind: &EventKind) -> Option<Incident> {
        let (resource, words) = match kind {
            EventKind::CoordinatorSaved => (None, "saved".to_owned()),
            EventKind::CoordinatorRestored { .. } => (None, "restored".to_owned()),
            EventKind::CoordinatorRestarted { token } => (None, restarted(*token)),
            EventKind::MarkForgotten { resource, kept } if !kept => {
                (Some(*resource), "mark forgotten".to_owned())
            }
            EventKind::RestartedAtMark {
                resource,
                mark,
                kept: false,
            } => (Some(*resource), restarted(Some(*mark))),
            EventKind::MarkForgotten { resource, .. }
            | EventKind::RestartedAtMark { resource, .. } => {
                (Some(*resource), "mark kept".to_owned())
            }
            EventKind::ResourceSaved(resource) => (Some(*resource), "saved".to_owned()),
            EventKind::ResourceRestored(resource) => (Some(*resource), "restored".to_owned()),
            EventKind::Became(resource, policy) => {
                (Some(*resource), join(&["now ", &policy.name()]))
            }
            _ => return None,
        };
        let Some(resource) = resource else {
            return Some(Incident {
                part: Part::Coordinator,
                across: self.lanes.band,
                words,
            });
        };
        let is_here = |row: &Row| row.place.resource == resource;
        let first = self.rows.iter().position(is_here)?;
        let last = self.rows.iter().rposition(is_here)?;
        let (first, last) = (self.lanes.places.get(first)?, self.lanes.places.get(last)?);
        Some(Incident {
            part: Part::Resource(resource),
            across: (first.band.0, last.band.1),
            words,
        })
    }

    fn stroke(&mut self, incident: Incident, moment: usize, at_secs: Secs) {
        let at = self.at(at_secs);
        let mut item = self.item(moment, at_secs, incident.part, None);
        let label = Item {
            shapes: Vec::new(),
            ..item
        };
        item.draw(self.line((at, incident.across.0), (at, incident.across.1), "event"));
        self.bars.push(item);
        let mut tries = Tries::new(&incident.words, "sub knock");
        let (lo, hi) = incident.across;
        if self.vertical() {
            tries.around((lo, at), &[(4, -9, Anchor::Start), (4, 9, Anchor::Start)]);
            tries.around((hi, at), &[(-2, -9, Anchor::End), (-2, 9, Anchor::End)]);
        } else {
            for y in [lo - 9.0, hi - 8.0, hi + 9.0, (lo + hi) / 2.0] {
                tries.around((at, y), &[(5, 0, Anchor::Start), (-5, 0, Anchor::End)]);
            }
        }
        self.mark(label, &tries);
    }

    fn check(&mut self, client: ClientId, valid: bool, moment: usize, at_secs: Secs) {
        let Some(lane) = self.lanes.clients.get(client.0).copied() else {
            return;
        };
        let mut item = self.item(moment, at_secs, Part::Client(client), Some(client));
        let (x, y) = self.point(self.at(at_secs), lane.lane);
        item.draw(circle(x, y, 4.0, "stall-pt"));
        let words = if valid { "valid" } else { "lapsed" };
        let class = if valid {
            "sub who knock"
        } else {
            "sub no-t knock"
        };
        let mut tries = Tries::new(words, class);
        tries.around(
            (x, y),
            &[
                (7, 10, Anchor::Start),
                (-7, 10, Anchor::End),
                (8, 0, Anchor::Start),
                (-8, 0, Anchor::End),
                (7, -10, Anchor::Start),
            ],
        );
        self.place(&mut item, &tries, None);
        self.marks.push(item);
    }
}
