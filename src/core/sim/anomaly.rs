//! The observer: judges verdicts by the order of grants, never by comparing tokens.
//!
//! It remembers what was accepted, whatever a restore undoes. A write of no grant is older than
//! every grant.

use super::scenario::*;
use super::set::EnumSet;
use super::trace::*;

/// What was ever accepted.
#[derive(Default)]
pub(super) struct Observer {
    /// By resource, as far as something was accepted.
    resources: Vec<Accepted>,
    places: Vec<(Place, Effects)>,
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
    keys: Vec<String>,
    messages: Vec<MessageId>,
    /// The greatest of each grant: writes of no grant have no order among themselves.
    seqs: Vec<(GrantId, u64)>,
}

impl Effects {
    fn greatest_seq(&self, grant: GrantId) -> Option<u64> {
        let mut noted = self.seqs.iter().rev();
        noted.find(|(of, _)| *of == grant).map(|(_, seq)| *seq)
    }

    fn note_seq(&mut self, grant: GrantId, seq: u64) {
        match self.seqs.iter_mut().rev().find(|(of, _)| *of == grant) {
            Some((_, greatest)) => *greatest = seq.max(*greatest),
            None => self.seqs.push((grant, seq)),
        }
    }
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
            .get(resource.0)
            .map_or(0, |accepted| accepted.log.len())
    }

    /// The anomalies of an accepted write, which is then remembered.
    pub fn accept(&mut self, seen: &Sighting) -> EnumSet<Anomaly> {
        let anomalies = self.judge(seen);
        let index = seen.place.resource.0;
        while self.resources.len() <= index {
            self.resources.push(Accepted::default());
        }
        let accepted = &mut self.resources[index];
        accepted.newest_grant = accepted.newest_grant.max(seen.write.grant);
        accepted.log.push(seen.original);
        let effects = self.effects_mut(seen.place);
        effects.messages.push(seen.original);
        effects.keys.extend(seen.write.key.clone());
        if let (Some(seq), Some(grant)) = (seen.write.seq, seen.write.grant) {
            effects.note_seq(grant, seq);
        }
        anomalies
    }

    fn judge(&self, seen: &Sighting) -> EnumSet<Anomaly> {
        let grant = seen.write.grant;
        let accepted = self.resources.get(seen.place.resource.0);
        let effects = self.effects(seen.place);
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
        let last_seq = effects
            .zip(grant)
            .and_then(|(e, grant)| e.greatest_seq(grant));
        let reordered = (seen.write.seq.zip(last_seq)).is_some_and(|(seq, last)| seq < last);
        let lost_update = seen
            .read
            .is_some_and(|(resource, version)| self.changed(resource, version, seen.original));
        let mut anomalies = EnumSet::new();
        anomalies.insert_if(stale, Anomaly::Stale);
        anomalies.insert_if(unseen, Anomaly::Unseen);
        anomalies.insert_if(twice, Anomaly::Twice);
        anomalies.insert_if(reordered, Anomaly::Reordered);
        anomalies.insert_if(lost_update, Anomaly::LostUpdate);
        anomalies
    }

    /// Whether another message took effect at `resource` since `version`.
    fn changed(&self, resource: ResourceId, version: usize, own: MessageId) -> bool {
        self.resources
            .get(resource.0)
            .and_then(|accepted| accepted.log.get(version..))
            .is_some_and(|since| since.iter().any(|message| *message != own))
    }

    /// Whether the message took effect at `place` before.
    pub fn took_effect(&self, place: Place, original: MessageId) -> bool {
        self.effects(place)
            .is_some_and(|effects| effects.messages.contains(&original))
    }

    fn effects(&self, place: Place) -> Option<&Effects> {
        let here = self.places.iter().find(|(at, _)| *at == place);
        here.map(|(_, effects)| effects)
    }

    fn effects_mut(&mut self, place: Place) -> &mut Effects {
        let known = self.places.iter().position(|(at, _)| *at == place);
        let index = known.unwrap_or_else(|| {
            self.places.push((place, Effects::default()));
            self.places.len() - 1
        });
        &mut self.places[index].1
    }
}
