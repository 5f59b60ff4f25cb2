//! What happens at one instant and leaves no bar: checks, saves, restores, forgotten marks.

use super::canvas::{Canvas, Label};
use super::text::{circle, join, whole};
use super::*;

/// Where an incident is drawn and what it is called.
struct Incident {
    part: Part,
    across: (f64, f64),
    words: String,
    who: Option<ClientId>,
}

impl Canvas<'_> {
    /// Lines across a band, and marks on a client's lane.
    pub fn incidents(&mut self) {
        for (index, event) in self.trace.events.iter().enumerate() {
            let moment = self.moment_of(Some(index));
            if let EventKind::Checked { client, valid, .. } = event.kind {
                self.check(client, valid, moment, event.at_secs);
            } else if let Some(incident) = self.incident(&event.kind) {
                self.stroke(incident, moment, event.at_secs);
            }
        }
    }

    fn incident(&self, kind: &EventKind) -> Option<Incident> {
        let coordinator = |words: String| {
            let across = (self.lanes.band.0, self.lanes.band.1);
            Some(Incident {
                part: Part::Coordinator,
                across,
                words,
                who: None,
            })
        };
        let resource = |resource: ResourceId, words: String| {
            let lanes = self
                .rows
                .iter()
                .zip(&self.lanes.places)
                .filter(|(row, _)| row.place.resource == resource);
            let bands: Vec<(f64, f64)> = lanes.map(|(_, lane)| lane.band).collect();
            let across = (bands.first()?.0, bands.last()?.1);
            Some(Incident {
                part: Part::Resource(resource),
                across,
                words,
                who: None,
            })
        };
        match kind {
            EventKind::CoordinatorSaved => coordinator(String::from("saved")),
            EventKind::CoordinatorRestored { .. } => coordinator(String::from("restored")),
            EventKind::CoordinatorRestarted { token: None } => {
                coordinator(String::from("restarted"))
            }
            EventKind::CoordinatorRestarted { token: Some(token) } => {
                coordinator(join(&["restarted at ", &whole(*token)]))
            }
            EventKind::MarkForgotten {
                resource: id,
                kept: false,
            } => resource(*id, String::from("mark forgotten")),
            EventKind::RestartedAtMark {
                resource: id,
                mark,
                kept: false,
            } => resource(*id, join(&["restarted at ", &whole(*mark)])),
            EventKind::MarkForgotten {
                resource: id,
                kept: true,
            }
            | EventKind::RestartedAtMark {
                resource: id,
                kept: true,
                ..
            } => resource(*id, String::from("mark kept")),
            EventKind::ResourceSaved(id) => resource(*id, String::from("saved")),
            EventKind::ResourceRestored(id) => resource(*id, String::from("restored")),
            EventKind::Became(id, policy) => resource(*id, join(&["now ", &policy.to_string()])),
            _ => None,
        }
    }

    fn stroke(&mut self, incident: Incident, moment: usize, at_secs: Secs) {
        let at = self.at(at_secs);
        let mut item = self.item(moment, at_secs, incident.part, incident.who);
        let mut label = item.clone();
        item.shapes
            .push(self.line((at, incident.across.0), (at, incident.across.1), "event"));
        self.bars.push(item);
        let words = incident.words.as_str();
        let class = "sub knock";
        let place = |x, y, anchor| Label {
            chip: None,
            text: Some((x, y, words, anchor)),
            class,
            boxed: false,
        };
        let (lo, hi) = incident.across;
        let labels = if self.vertical() {
            vec![
                place(lo + 4.0, at - 9.0, Anchor::Start),
                place(lo + 4.0, at + 9.0, Anchor::Start),
                place(hi - 2.0, at - 9.0, Anchor::End),
                place(hi - 2.0, at + 9.0, Anchor::End),
            ]
        } else {
            let mut labels = Vec::new();
            for y in [lo - 9.0, hi - 8.0, hi + 9.0, (lo + hi) / 2.0] {
                labels.push(place(at + 5.0, y, Anchor::Start));
                labels.push(place(at - 5.0, y, Anchor::End));
            }
            labels
        };
        label.shapes = self.place(&labels, None).unwrap_or_default();
        if !label.shapes.is_empty() {
            self.marks.push(label);
        }
    }

    fn check(&mut self, client: ClientId, valid: bool, moment: usize, at_secs: Secs) {
        let Some(lane) = self.lanes.clients.get(client.0).copied() else {
            return;
        };
        let mut item = self.item(moment, at_secs, Part::Client(client), Some(client));
        let (x, y) = self.point(self.at(at_secs), lane.lane);
        item.shapes.push(circle(x, y, 4.0, "stall-pt"));
        let words = if valid { "valid" } else { "lapsed" };
        let class = if valid {
            "sub who knock"
        } else {
            "sub no-t knock"
        };
        let place = |x, y, anchor| Label {
            chip: None,
            text: Some((x, y, words, anchor)),
            class,
            boxed: false,
        };
        let labels = [
            place(x + 7.0, y + 10.0, Anchor::Start),
            place(x - 7.0, y + 10.0, Anchor::End),
            place(x + 8.0, y, Anchor::Start),
            place(x - 8.0, y, Anchor::End),
            place(x + 7.0, y - 10.0, Anchor::Start),
        ];
        item.shapes
            .extend(self.place(&labels, None).unwrap_or_default());
        self.marks.push(item);
    }
}
