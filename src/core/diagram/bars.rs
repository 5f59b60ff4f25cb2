//! Leases, beliefs and stops.

use super::canvas::{Canvas, Tries};
use super::text::{cross, join, rect, whole};
use super::*;

/// How far expiry ticks stand out of a lease bar.
const TICK: f64 = 5.0;
/// Px between places that are tried for a label along a bar.
const STRIDE: f64 = 22.0;
/// How many places are tried along a bar.
const TRIES: usize = 14;

/// A piece of a belief in px, and whether it is wrong.
struct Piece {
    from: f64,
    to: Option<f64>,
    wrong: bool,
    moment: usize,
    at_secs: Secs,
}

impl Canvas<'_> {
    /// The bars at the coordinator, with their labels and ends.
    pub fn leases(&mut self) {
        for span in &self.trace.lease_spans {
            if !self.shows(span.from_secs, span.ended_secs) {
                continue;
            }
            let Some(grant) = self.trace.grants.get(span.grant.0) else {
                continue;
            };
            let (lo, hi) = self.lanes.lease_row(grant.lease);
            let (from, to) = (self.at(span.from_secs), self.end(span.ended_secs));
            let moment = self.moment_of(Some(span.first_event));
            let mut item = self.item(
                moment,
                span.from_secs,
                Part::Lease(grant.client),
                Some(grant.client),
            );
            item.token = grant.tokens.last().copied();
            item.draw(self.bar((from, to), (lo, hi), 2.0, "lease"));
            if self.starts(span.from_secs) {
                item.draw(self.line((from, lo), (from, hi), "edge"));
            }
            for (at, _) in &span.renewals {
                if !self.shows(*at, Some(*at)) {
                    continue;
                }
                item.draw(self.line((self.at(*at), lo), (self.at(*at), hi), "edge"));
            }
            if let Some(end) = to {
                item.draw(self.line((end, lo - TICK), (end, hi + TICK), "edge"));
            }
            self.bars.push(item);
            self.lease_label(
                span,
                grant,
                (from, to.unwrap_or(self.edge)),
                (lo + hi) / 2.0,
            );
            self.renewal_labels(span, grant, (lo + hi) / 2.0);
            match to {
                Some(end) => self.lease_end(span, grant, end, hi),
                None => self.lease_goes_on(span, grant, (lo + hi) / 2.0),
            }
        }
    }

    fn lease_label(&mut self, span: &LeaseSpan, grant: &Grant, along: (f64, f64), middle: f64) {
        let name = self
            .scenario
            .clients
            .get(grant.client.0)
            .map_or("?", String::as_str);
        let token = grant
            .tokens
            .first()
            .map_or_else(String::new, |token| whole(*token));
        let until = span
            .renewals
            .first()
            .map_or(along.1, |renewal| self.at(renewal.0));
        let mut item = self.item(
            self.moment_of(Some(span.first_event)),
            span.from_secs,
            Part::Lease(grant.client),
            Some(grant.client),
        );
        item.token = grant.tokens.first().copied();
        if self.vertical() {
            self.vertical_lease_label(item, name, &token, along, middle);
            return;
        }
        let long = join(&[name, " · ", &token]);
        let lease = self
            .scenario
            .leases
            .get(grant.lease.0)
            .and_then(|lease| lease.name.as_deref());
        let longest = match lease {
            Some(lease) if self.scenario.leases.len() > 1 => join(&[lease, ": ", &long]),
            _ => long.clone(),
        };
        let mut tries = Tries::new("", "who strong");
        for words in [longest.as_str(), &long, &token, name] {
            tries.words = words;
            tries.if_fits(until - along.0 - 12.0, along.0 + 9.0, middle, Anchor::Start);
        }
        self.mark(item, &tries);
    }

    fn vertical_lease_label(
        &mut self,
        mut item: Item,
        name: &str,
        token: &str,
        along: (f64, f64),
        middle: f64,
    ) {
        let room = self.lanes.lease_size;
        for (index, words) in [name, token].iter().enumerate() {
            let y = along.0 + 12.0 + 15.0 * index as f64;
            let class = if text::width(words, "who strong") <= room {
                "who strong"
            } else {
                "sub who"
            };
            if y + 7.0 <= along.1 {
                let mut tries = Tries::new(words, class);
                tries.if_fits(room, middle, y, Anchor::Middle);
                self.place(&mut item, &tries, None);
            }
        }
        if !item.shapes.is_empty() {
            self.marks.push(item);
        }
    }

    fn renewal_labels(&mut self, span: &LeaseSpan, grant: &Grant, middle: f64) {
        if self.vertical() {
            return;
        }
        for (index, (at, until)) in span.renewals.iter().enumerate() {
            if !self.shows(*at, Some(*at)) {
                continue;
            }
            let from = self.at(*at);
            let next = span
                .renewals
                .get(index + 1)
                .map(|renewal| renewal.0)
                .or(span.ended_secs);
            let room = next.map_or(self.edge, |next| self.at(next)) - from - 11.0;
            let time = whole(*until);
            let long = join(&["renewed, to ", &time, " s"]);
            let short = join(&["to ", &time, " s"]);
            let mut tries = Tries::new("", "sub who");
            for words in [long.as_str(), &short, "renewed"] {
                tries.words = words;
                tries.if_fits(room, from + 8.0, middle, Anchor::Start);
            }
            let holder = grant.client;
            let item = self.item(self.moment_at(*at), *at, Part::Lease(holder), Some(holder));
            self.mark(item, &tries);
        }
    }

    /// The dotted guide from a lease's end to its holder, and what ended it.
    fn lease_end(&mut self, span: &LeaseSpan, grant: &Grant, end: f64, hi: f64) {
        let at_secs = span.ended_secs.unwrap_or(span.until_secs);
        let (belief, belief_end) = self.lanes.belief_row(grant.client, grant.lease);
        let moment = self.moment_of(span.last_event);
        let mut item = self.item(
            moment,
            at_secs,
            Part::Lease(grant.client),
            Some(grant.client),
        );
        let reaches = if self.believed(span.grant, at_secs) {
            belief_end + 3.0
        } else {
            self.lanes.port + (belief - self.lanes.port).min(self.measures.gaps[0]) * 0.6
        };
        item.draw(self.line((end, hi + TICK), (end, reaches), "guide"));
        let how = match span.end {
            Some(LeaseEnd::ExpiredEarly) => ["expired early", "early"],
            Some(LeaseEnd::Revoked) => ["revoked", "revoked"],
            Some(LeaseEnd::Released) => ["released", "released"],
            Some(LeaseEnd::Superseded) => ["superseded", "superseded"],
            Some(LeaseEnd::RolledBack) => ["rolled back", "undone"],
            Some(LeaseEnd::Forgotten) => ["forgotten", "forgotten"],
            Some(LeaseEnd::Expired) | None => ["lease expires", "expires"],
        };
        if self.vertical() {
            let mut tries = Tries::new(how[1], "sub knock");
            let first = self.lanes.clients.first();
            let first = first.map_or(hi, |client| client.belief);
            tries.around((first, end), &[(-6, -9, Anchor::End), (-6, 9, Anchor::End)]);
            tries.around((hi, end), &[(8, -9, Anchor::Start), (8, 9, Anchor::Start)]);
            self.place(&mut item, &tries, None);
        } else {
            let time = whole(at_secs);
            let variants = how.map(|word| join(&[word, ", ", &time, " s"]));
            self.place_end(&mut item, &variants, end);
        }
        self.marks.push(item);
    }

    fn place_end(&mut self, item: &mut Item, variants: &[String; 2], end: f64) {
        let port = self.lanes.port;
        let mut tries = Tries::new("", "lbl");
        for words in variants {
            tries.words = words;
            for part in [0.36, 0.62, 0.2, 0.8] {
                let y = port + self.measures.gaps[0] * part;
                tries.around((end, y), &[(-7, 0, Anchor::End), (7, 0, Anchor::Start)]);
            }
        }
        self.place(item, &tries, Some((end, port)));
    }

    /// “until 22 s” at the edge, for a lease that outlives the picture.
    fn lease_goes_on(&mut self, span: &LeaseSpan, grant: &Grant, middle: f64) {
        if self.vertical() {
            return;
        }
        let words = join(&["until ", &whole(span.until_secs), " s"]);
        let mut tries = Tries::new(&words, "sub ghost");
        let x = self.edge - self.measures.pad - 2.0;
        tries.at(x, middle, Anchor::End);
        let never = self.trace.moments.len();
        let item = self.item(
            never,
            span.until_secs,
            Part::Lease(grant.client),
            Some(grant.client),
        );
        self.mark(item, &tries);
    }

    /// Whether the holder still believes in a grant when it ends.
    fn believed(&self, grant: GrantId, at_secs: Secs) -> bool {
        let spans = self
            .trace
            .belief_spans
            .iter()
            .filter(|belief| belief.grant == grant);
        spans.take(64).any(|belief| {
            belief.from_secs <= at_secs && belief.ended_secs.is_none_or(|end| end > at_secs)
        })
    }

    /// Beliefs by whether they are true: the grant is live at the coordinator, or no longer.
    fn pieces(&self, belief: &BeliefSpan, live: &[usize]) -> Vec<Piece> {
        let end_secs = belief.ended_secs.unwrap_or(Secs::MAX);
        let mut pieces = Vec::new();
        let mut at = belief.from_secs;
        let mut moment = self.moment_of(Some(belief.first_event));
        let mut push = |from: Secs, to: Secs, wrong: bool, moment: usize| {
            if from < to && self.shows(from, Some(to)) {
                let px = self.end((to != Secs::MAX).then_some(to));
                pieces.push(Piece {
                    from: self.at(from),
                    to: px,
                    wrong,
                    moment,
                    at_secs: from,
                });
            }
        };
        for span in live
            .iter()
            .filter_map(|index| self.trace.lease_spans.get(*index))
        {
            let (from, to) = (
                span.from_secs.max(at),
                span.ended_secs.unwrap_or(Secs::MAX).min(end_secs),
            );
            if from < to {
                push(at, from, true, moment);
                push(
                    from,
                    to,
                    false,
                    moment.max(self.moment_of(Some(span.first_event))),
                );
                at = to;
                moment = moment.max(self.moment_of(span.last_event));
            }
        }
        push(at, end_secs, true, moment);
        pieces
    }

    /// By grant: its spans at the coordinator.
    fn spans_by_grant(&self) -> Vec<Vec<usize>> {
        let mut by_grant = vec![Vec::new(); self.trace.grants.len()];
        for (index, span) in self.trace.lease_spans.iter().enumerate() {
            if let Some(spans) = by_grant.get_mut(span.grant.0) {
                spans.push(index);
            }
        }
        by_grant
    }

    /// The bars of what clients believe.
    pub fn belief_bars(&mut self) {
        let by_grant = self.spans_by_grant();
        for belief in &self.trace.belief_spans {
            if !self.shows(belief.from_secs, belief.ended_secs) {
                continue;
            }
            let live = by_grant.get(belief.grant.0).map_or(&[][..], Vec::as_slice);
            let across = self.lanes.belief_row(belief.client, belief.lease);
            for piece in self.pieces(belief, live) {
                let class = if piece.wrong {
                    "belief-wrong"
                } else {
                    "belief"
                };
                let mut item = self.item(
                    piece.moment,
                    piece.at_secs,
                    Part::Belief(belief.client),
                    Some(belief.client),
                );
                item.token = Some(belief.token);
                item.draw(self.bar((piece.from, piece.to), across, 1.0, class));
                self.bars.push(item);
            }
        }
        self.unknowns();
    }

    /// Dotted outlines: a renewal is under way, and the last confirmed end has passed.
    fn unknowns(&mut self) {
        let mut open: Vec<(ClientId, LeaseId, Secs, Secs, usize)> = Vec::new();
        for (index, message) in self.trace.messages.iter().enumerate() {
            let Content::Renew(lease, Some(grant)) = message.content else {
                continue;
            };
            if message.copy_of.is_some() {
                continue;
            }
            let own = self
                .scenario
                .leases
                .get(lease.0)
                .and_then(|lease| lease.ttl_secs);
            let hoped = message
                .sent_secs
                .saturating_add(own.unwrap_or(self.scenario.ttl_secs));
            let known = self.last_belief(message.client, grant, message.sent_secs);
            let Some((ended, moment)) = known else {
                continue;
            };
            let heard = self.index.answer.get(index).copied().flatten();
            let heard = heard.and_then(|answer| self.index.heard.get(answer).copied().flatten());
            let heard = heard
                .and_then(|event| self.trace.events.get(event))
                .map(|event| event.at_secs);
            let until = heard.unwrap_or(hoped).min(hoped);
            let from = ended.max(message.sent_secs);
            if from < until && self.shows(from, Some(until)) {
                let sent = self.index.sent.get(index).copied().flatten();
                open.push((
                    message.client,
                    lease,
                    from,
                    until,
                    moment.max(self.moment_of(sent)),
                ));
            }
        }
        for (client, lease, from, until, moment) in open {
            let across = self.lanes.belief_row(client, lease);
            let mut item = self.item(moment, from, Part::Belief(client), Some(client));
            item.draw(rect(
                self.area((self.at(from), self.at(until)), across),
                1.0,
                "unknown",
            ));
            self.bars.push(item);
            self.unknown_label(
                client,
                (self.at(from), self.at(until)),
                across,
                (moment, from),
            );
        }
    }

    /// The end of the belief in a grant that was held when a renewal was sent, if it ended by itself.
    fn last_belief(&self, client: ClientId, grant: GrantId, sent: Secs) -> Option<(Secs, usize)> {
        let mut spans = self.trace.belief_spans.iter().rev();
        let belief = spans.find(|belief| {
            belief.client == client && belief.grant == grant && belief.from_secs <= sent
        })?;
        let ended = belief.ended_secs?;
        let by_itself = belief
            .last_event
            .and_then(|event| self.trace.events.get(event));
        let by_itself =
            by_itself.is_none_or(|event| matches!(event.kind, EventKind::BeliefEnded { .. }));
        (by_itself && ended >= belief.until_secs)
            .then(|| (ended, self.moment_of(belief.last_event)))
    }

    fn unknown_label(
        &mut self,
        client: ClientId,
        along: (f64, f64),
        across: (f64, f64),
        when: (usize, Secs),
    ) {
        let tries = self.bar_labels(&["unknown"], along, across, "sub who knock");
        let item = self.item(when.0, when.1, Part::Belief(client), Some(client));
        self.mark(item, &tries);
    }

    /// Places for a label inside a bar, or beside a vertical one; longest variant first.
    fn bar_labels<'b>(
        &self,
        variants: &[&'b str],
        along: (f64, f64),
        across: (f64, f64),
        class: &'static str,
    ) -> Tries<'b> {
        let mut tries = Tries::new("", class);
        for words in variants {
            tries.words = words;
            for step in 0..TRIES {
                let at = along.0 + 8.0 + STRIDE * step as f64;
                if self.vertical() {
                    if at + 12.0 > along.1 {
                        break;
                    }
                    tries.at(across.0 - 6.0, at + 6.0, Anchor::End);
                } else {
                    if at + text::width(words, class) > along.1 - 3.0 {
                        break;
                    }
                    tries.at(at, (across.0 + across.1) / 2.0, Anchor::Start);
                }
            }
        }
        tries
    }

    /// The words in and beside the belief bars.
    pub fn belief_labels(&mut self) {
        let by_grant = self.spans_by_grant();
        for belief in &self.trace.belief_spans {
            if !self.shows(belief.from_secs, belief.ended_secs) {
                continue;
            }
            let live = by_grant.get(belief.grant.0).map_or(&[][..], Vec::as_slice);
            let across = self.lanes.belief_row(belief.client, belief.lease);
            for piece in self.pieces(belief, live) {
                self.belief_label(belief, &piece, across);
            }
        }
    }

    fn belief_label(&mut self, belief: &BeliefSpan, piece: &Piece, across: (f64, f64)) {
        let token = whole(belief.token);
        let along = (piece.from, piece.to.unwrap_or(self.edge));
        let mut item = self.item(
            piece.moment,
            piece.at_secs,
            Part::Belief(belief.client),
            None,
        );
        item.token = Some(belief.token);
        let long = join(&["wrong: still believes ", &token]);
        let still = join(&["still believes ", &token]);
        let believes = join(&["believes ", &token]);
        let (variants, class): (&[&str], _) = match (piece.wrong, self.vertical()) {
            (true, true) => (&["wrong"], "sub no-t knock"),
            (true, false) => (&[&long, &still, "wrong"], "sub no-t"),
            (false, true) => (&[&token], "sub who knock"),
            (false, false) => (&[&believes, &token], "sub who"),
        };
        if !piece.wrong {
            item.who = Some(belief.client);
        }
        if self.vertical() && !piece.wrong {
            let stacked = self.stacked_belief(&token, along, across);
            if let Some(shapes) = stacked {
                item.shapes.extend(shapes);
                self.marks.push(item);
                return;
            }
        }
        let tries = self.bar_labels(variants, along, across, class);
        self.mark(item, &tries);
    }

    /// “believes” over the number, left of a vertical belief bar.
    fn stacked_belief(
        &mut self,
        token: &str,
        along: (f64, f64),
        across: (f64, f64),
    ) -> Option<Vec<Shape>> {
        let class = "sub who knock";
        let x = across.0 - 6.0;
        let lanes = self.lanes.clients.iter().map(|client| client.end);
        let before = lanes
            .filter(|end| *end < x)
            .fold(self.lanes.port - 2.0, f64::max);
        let fits = |verb: &&&str| text::width(verb, class) <= x - before - 1.0;
        let verb = ["believes", "holds"].iter().find(fits)?;
        for strict in [true, false] {
            for step in 0..TRIES {
                let y = along.0 + 20.0 + STRIDE * step as f64;
                if y + 20.0 > along.1 {
                    break;
                }
                let areas = [
                    text::bounds(x, y, verb, class, Anchor::End),
                    text::bounds(x, y + 14.0, token, class, Anchor::End),
                ];
                let free = areas.iter().all(|area| self.space.free(area));
                if free && (!strict || areas.iter().all(|area| self.space.clear(area, None))) {
                    areas.into_iter().for_each(|area| self.space.take(area));
                    let line = |y, words| text::text(x, y, words, class, Anchor::End);
                    return Some(vec![line(y, verb), line(y + 14.0, token)]);
                }
            }
        }
        None
    }

    /// Hatched pauses; a crash cuts the lifeline.
    pub fn stops(&mut self) {
        for stop in &self.trace.stop_spans {
            if !self.shows(stop.from_secs, stop.ended_secs) {
                continue;
            }
            let Some(lane) = self.lanes.clients.get(stop.client.0).copied() else {
                continue;
            };
            let (from, to) = (self.at(stop.from_secs), self.end(stop.ended_secs));
            let moment = self.moment_of(Some(stop.first_event));
            let mut item = self.item(moment, stop.from_secs, Part::Client(stop.client), None);
            let half = if stop.crashed {
                3.0
            } else {
                lane.end - lane.lane
            };
            let area = self.area(
                (from, to.unwrap_or(self.edge)),
                (lane.lane - half, lane.lane + half),
            );
            item.draw(rect(area, if stop.crashed { 0.0 } else { 2.0 }, "pause-bg"));
            if stop.crashed {
                let (x, y) = self.point(from, lane.lane);
                item.draw(cross(x, y, 5.0, "bad"));
            } else {
                item.draw(rect(area, 2.0, "pause"));
            }
            self.bars.push(item);
        }
    }

    /// “paused” and “crashed”.
    pub fn stop_labels(&mut self) {
        for stop in &self.trace.stop_spans {
            if !self.shows(stop.from_secs, stop.ended_secs) {
                continue;
            }
            let Some(lane) = self.lanes.clients.get(stop.client.0).copied() else {
                continue;
            };
            let (from, to) = (
                self.at(stop.from_secs),
                self.end(stop.ended_secs).unwrap_or(self.edge),
            );
            let words = if stop.crashed { "crashed" } else { "paused" };
            let class = if stop.crashed {
                "sub no-t knock"
            } else {
                "sub knock"
            };
            let mut tries = Tries::new(words, class);
            for step in 0..TRIES {
                let at = from + 12.0 + STRIDE * step as f64;
                if self.vertical() {
                    if at + 8.0 > to.max(from + 24.0) {
                        break;
                    }
                    tries.at(lane.end + 6.0, at + 4.0, Anchor::Start);
                } else {
                    if at + text::width(words, class) > to.max(from + 60.0) - 3.0 {
                        break;
                    }
                    tries.at(at, lane.lane, Anchor::Start);
                }
            }
            let item = self.item(
                self.moment_of(Some(stop.first_event)),
                stop.from_secs,
                Part::Client(stop.client),
                None,
            );
            self.mark(item, &tries);
        }
    }
}
