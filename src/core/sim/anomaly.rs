//! The observer: judges verdicts by the order of grants, never by comparing tokens.
//!
//! It remembers what was accepted, whatever a restore undoes. A write of no grant is older than
//! every grant.

use super::scenario::*;
use super::trace::*;
use std::collections::{BTreeMap, BTreeSet};

/// What was ever accepted.
#[derive(Default)]
pub(super) struct Observer {
    resources: BTreeMap<ResourceId, Accepted>,
    places: BTreeMap<Place, Effects>,
}

/// Accepted at a resource as a whole.
#[derive(Default)]
struct Accepted {
    newest_grant: Option<GrantId>,
    /// The message (its original, for a copy) of each effect.
    log: Vec<MessageId>,
}

/// What took effect at one place.
#[derive(Default)]
struct Effects {
    keys: BTreeSet<String>,
    messages: BTreeSet<MessageId>,
    /// Only of grants: writes of no grant have no order among themselves.
    last_seq: BTreeMap<GrantId, u64>,
}

/// A delivery of a write, as the observer sees it.
pub(super) struct Sighting<'a> {
    pub place: Place,
    /// The message, or for a copy what it is a copy of.
    pub original: MessageId,
    pub write: &'a WriteContent,
    /// Where the read was made that it was computed from, and the version read there.
    pub read: Option<(ResourceId, usize)>,
    /// The newest grant under the resource's lease.
    pub newest_grant: Option<GrantId>,
}

impl Observer {
    /// How many writes were accepted at `resource`: what a read remembers.
    pub fn version(&self, resource: ResourceId) -> usize {
        self.resources
            .get(&resource)
            .map_or(0, |accepted| accepted.log.len())
    }

    /// The anomalies of an accepted write, which is then remembered.
    pub fn accept(&mut self, seen: &Sighting) -> BTreeSet<Anomaly> {
        let anomalies = self.judge(seen);
        let accepted = self.resources.entry(seen.place.resource).or_default();
        accepted.newest_grant = accepted.newest_grant.max(seen.write.grant);
        accepted.log.push(seen.original);
        let effects = self.places.entry(seen.place).or_default();
        effects.messages.insert(seen.original);
        effects.keys.extend(seen.write.key.clone());
        if let (Some(seq), Some(grant)) = (seen.write.seq, seen.write.grant) {
            let last = effects.last_seq.entry(grant).or_insert(seq);
            *last = (*last).max(seq);
        }
        anomalies
    }

    fn judge(&self, seen: &Sighting) -> BTreeSet<Anomaly> {
        let grant = seen.write.grant;
        let accepted = self.resources.get(&seen.place.resource);
        let effects = self.places.get(&seen.place);
        // `None` is less than every grant: no grant is older than every grant.
        let stale = accepted.is_some_and(|a| a.newest_grant > grant);
        let unseen = !stale && seen.newest_grant > grant;
        let twice = effects.is_some_and(|e| {
            e.messages.contains(&seen.original)
                || seen
                    .write
                    .key
                    .as_ref()
                    .is_some_and(|key| e.keys.contains(key))
        });
        let last_seq = effects.zip(grant).and_then(|(e, grant)| e.last_seq.get(&grant));
        let reordered = (seen.write.seq.zip(last_seq)).is_some_and(|(seq, last)| seq < *last);
        let lost_update = seen
            .read
            .is_some_and(|(resource, version)| self.changed(resource, version, seen.original));
        [
            (stale, Anomaly::Stale),
            (unseen, Anomaly::Unseen),
            (twice, Anomaly::Twice),
            (reordered, Anomaly::Reordered),
            (lost_update, Anomaly::LostUpdate),
        ]
        .into_iter()
        .filter_map(|(holds, anomaly)| holds.then_some(anomaly))
        .collect()
    }

    /// Whether another message took effect at `resource` since `version`.
    fn changed(&self, resource: ResourceId, version: usize, own: MessageId) -> bool {
        self.resources
            .get(&resource)
            .and_then(|accepted| accepted.log.get(version..))
            .is_some_and(|since| since.iter().any(|message| *message != own))
    }

    /// Whether the message took effect at `place` before.
    pub fn took_effect(&self, place: Place, original: MessageId) -> bool {
        self.places
            .get(&place)
            .is_some_and(|effects| effects.messages.contains(&original))
    }
}
