//! Keeping the spans of the trace: from when to when a lease ran and a client believed.

use super::scenario::*;
use super::trace::*;
use super::world::World;

impl World<'_> {
    pub fn begin_lease(&mut self, grant: GrantId, until_secs: Secs, event: usize) {
        self.trace.lease_spans.push(LeaseSpan {
            grant,
            from_secs: self.now,
            until_secs,
            ended_secs: None,
            end: None,
            renewals: Vec::new(),
            first_event: event,
            last_event: None,
        });
    }

    fn open_lease(&mut self, grant: GrantId) -> Option<&mut LeaseSpan> {
        let open = |span: &&mut LeaseSpan| span.grant == grant && span.ended_secs.is_none();
        self.trace.lease_spans.iter_mut().rev().find(open)
    }

    pub fn extend_lease(&mut self, grant: GrantId, until_secs: Secs) {
        let now = self.now;
        if let Some(span) = self.open_lease(grant) {
            span.until_secs = until_secs;
            span.renewals.push((now, until_secs));
        }
    }

    pub fn end_lease(&mut self, grant: GrantId, how: LeaseEnd) {
        let event = self.record(EventKind::LeaseEnded { grant, how });
        let now = self.now;
        if let Some(span) = self.open_lease(grant) {
            span.ended_secs = Some(now);
            span.end = Some(how);
            span.last_event = Some(event);
        }
    }

    /// All leases that the coordinator no longer knows of.
    pub fn end_open_leases(&mut self, how: LeaseEnd) {
        let open: Vec<GrantId> = (self.trace.lease_spans.iter())
            .filter(|span| span.ended_secs.is_none())
            .map(|span| span.grant)
            .collect();
        for grant in open {
            self.end_lease(grant, how);
        }
    }

    pub fn note_belief(
        &mut self,
        client: ClientId,
        lease: LeaseId,
        grant: GrantId,
        until_secs: Secs,
        event: usize,
    ) {
        let token = self.clients[client.0].known[lease.0]
            .filter(|known| known.grant == grant)
            .map(|known| known.token)
            .or_else(|| self.trace.grants[grant.0].tokens.last().copied())
            .unwrap_or_default();
        if let Some(span) = self.open_belief(client, lease) {
            if span.grant == grant && span.token == token {
                span.until_secs = until_secs;
                return;
            }
            self.end_belief_silently(client, lease, event);
        }
        self.trace.belief_spans.push(BeliefSpan {
            client,
            lease,
            grant,
            token,
            from_secs: self.now,
            until_secs,
            ended_secs: None,
            first_event: event,
            last_event: None,
        });
    }

    fn open_belief(&mut self, client: ClientId, lease: LeaseId) -> Option<&mut BeliefSpan> {
        let open = |span: &&mut BeliefSpan| {
            span.client == client && span.lease == lease && span.ended_secs.is_none()
        };
        self.trace.belief_spans.iter_mut().rev().find(open)
    }

    /// The client stops believing, and the trace says so if it did believe.
    pub fn end_belief(&mut self, client: ClientId, lease: LeaseId) {
        self.clients[client.0].belief[lease.0] = None;
        if self.open_belief(client, lease).is_none() {
            return;
        }
        let event = self.record(EventKind::BeliefEnded { client, lease });
        self.end_belief_silently(client, lease, event);
    }

    /// The same as part of another event.
    pub fn end_belief_silently(&mut self, client: ClientId, lease: LeaseId, event: usize) {
        let now = self.now;
        if let Some(span) = self.open_belief(client, lease) {
            span.ended_secs = Some(now);
            span.last_event = Some(event);
        }
    }
}
