//! What resources decide and hold: verdicts, values, and the step line of the mark.

use super::axis::rising;
use super::canvas::{CALLOUT, Canvas, Tries};
use super::messages::{quoted, token_text};
use super::text::{circle, closed, join, rect, shorten, signed, whole};
use super::*;

/// Least px between two verdicts on one lane.
const APART: f64 = 12.0;
/// Smallest verdict.
const LEAST_GLYPH: f64 = 4.0;

/// Where a verdict stands.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    row: usize,
    along: f64,
    radius: f64,
    moment: usize,
}

/// A stretch of a track: since when, what level, and whether it fell to it.
struct Level {
    along: f64,
    number: Token,
    fell: bool,
    moment: usize,
    at_secs: Secs,
}

/// Where each number is on a track, as a part of its height.
#[derive(Default)]
pub struct Ranks(Vec<(Token, f64)>);

impl Ranks {
    fn get(&self, number: Token) -> Option<f64> {
        let index = self.0.partition_point(|rank| rank.0 < number);
        let rank = self.0.get(index).filter(|rank| rank.0 == number);
        rank.map(|rank| rank.1)
    }
}

/// The numbers from low to high, evenly spread; in a vertical picture beyond the room that the
/// numbers need between the band's edge and the line.
fn ranks(numbers: &[Token], vertical: bool) -> Ranks {
    let numbers = rising(
        numbers
            .iter()
            .copied()
            .filter(|number| *number > 0)
            .collect(),
    );
    let last = numbers.len().saturating_sub(1);
    let step = if last > 0 {
        (0.75 / last as f64).min(0.45)
    } else {
        0.45
    };
    let top = if last > 0 { 0.95 } else { 0.5 };
    let mut ranks = Vec::new();
    for (index, number) in numbers.into_iter().enumerate() {
        let rank = top - (last - index) as f64 * step;
        ranks.push((number, if vertical { 0.43 + 0.57 * rank } else { rank }));
    }
    Ranks(ranks)
}

impl Canvas<'_> {
    /// The lane of a place in one of the traces.
    pub fn row(&self, source: usize, place: Place) -> Option<(usize, &super::lanes::PlaceLane)> {
        let mine = |same: fn(&Place, &Place) -> bool| {
            self.rows
                .iter()
                .position(|row| row.source == source && same(&row.place, &place))
        };
        let index = mine(|a, b| a == b).or_else(|| mine(|a, b| a.resource == b.resource))?;
        self.lanes.places.get(index).map(|lane| (index, lane))
    }

    /// Finds a spot for each verdict, and keeps labels off them.
    pub fn reserve_verdicts(&mut self) {
        let mut last = vec![f64::NEG_INFINITY; self.rows.len()];
        let mut all = Vec::new();
        for (source, trace) in self.traces.clone().into_iter().enumerate() {
            let mut spots = Vec::with_capacity(trace.verdicts.len());
            for (index, verdict) in trace.verdicts.iter().enumerate() {
                let spot = self.spot(source, index, verdict, &mut last);
                if let Some(spot) = &spot {
                    let lane = self
                        .lanes
                        .places
                        .get(spot.row)
                        .map_or(0.0, |lane| lane.lane);
                    let r = spot.radius;
                    self.space
                        .take(self.area((spot.along - r, spot.along + r), (lane - r, lane + r)));
                }
                spots.push(spot);
            }
            all.push(spots);
        }
        self.shrink(&mut all);
        self.spots = all;
    }

    fn spot(
        &self,
        source: usize,
        index: usize,
        verdict: &Verdict,
        last: &mut [f64],
    ) -> Option<Spot> {
        if !self.shows(verdict.at_secs, Some(verdict.at_secs)) {
            return None;
        }
        let (row, _) = self.row(source, verdict.place)?;
        let mut along = self.at(verdict.at_secs);
        let mut moment = self.moment_at(verdict.at_secs);
        if source == 0 {
            moment = self
                .index
                .judged
                .get(index)
                .copied()
                .flatten()
                .map_or(moment, |event| self.moment_of(Some(event)));
            let on_arrival = |message: &Message| message.arrived_secs == Some(verdict.at_secs);
            if self
                .trace
                .messages
                .get(verdict.message.0)
                .is_some_and(on_arrival)
            {
                along = self.ways.get(verdict.message.0).map_or(along, |way| way.to);
            }
        }
        let before = last.get_mut(row)?;
        if along < *before + APART && along > *before - 60.0 {
            along = (*before + APART).min(self.edge);
        }
        *before = along;
        Some(Spot {
            row,
            along,
            radius: self.measures.glyph,
            moment,
        })
    }

    /// Verdicts closer than their width become smaller.
    fn shrink(&self, all: &mut [Vec<Option<Spot>>]) {
        let mut neighbours: Vec<Option<(usize, usize)>> = vec![None; self.rows.len()];
        for source in 0..all.len() {
            for index in 0..all.get(source).map_or(0, Vec::len) {
                let Some(spot) = get(all, source, index) else {
                    continue;
                };
                let Some(slot) = neighbours.get_mut(spot.row) else {
                    continue;
                };
                if let Some((source_before, before)) = *slot
                    && let Some(other) = get(all, source_before, before)
                {
                    let room = ((spot.along - other.along).abs() / 2.0 - 0.5).max(LEAST_GLYPH);
                    limit(all, source_before, before, room);
                    limit(all, source, index, room);
                }
                *slot = Some((source, index));
            }
        }
    }

    /// Verdicts with their call-outs, and writes that wait inside a resource.
    pub fn verdicts(&mut self) {
        self.stalls();
        for (source, trace) in self.traces.clone().into_iter().enumerate() {
            // By resource: the newest grant of which a write was accepted, and its token.
            let mut newest: Vec<Option<(GrantId, &CarriedToken)>> = Vec::new();
            newest.resize(self.scenario.resources.len(), None);
            for (index, verdict) in trace.verdicts.iter().enumerate() {
                let write = written(trace, verdict);
                let Some(newest) = newest.get_mut(verdict.place.resource.0) else {
                    continue;
                };
                let later = newest.map(|newest| newest.1);
                if let Some(spot) = get(&self.spots, source, index) {
                    let words = callout(self.scenario, verdict, write, later);
                    self.verdict(trace, verdict, spot, &words);
                }
                if let (Answer::Accepted, Some(grant)) =
                    (verdict.answer, write.and_then(|write| write.grant))
                    && newest.is_none_or(|newest| newest.0 <= grant)
                {
                    *newest = Some((grant, &verdict.comparison.token));
                }
            }
        }
    }

    fn verdict(&mut self, trace: &Trace, verdict: &Verdict, spot: Spot, words: &str) {
        let Some(lane) = self.lanes.places.get(spot.row).copied() else {
            return;
        };
        let (x, y) = self.point(spot.along, lane.lane);
        let part = match verdict.name {
            Some(name) => Part::Write(name),
            None => Part::Resource(verdict.place.resource),
        };
        let mut item = self.item(spot.moment, verdict.at_secs, part, None);
        item.token = match verdict.comparison.token {
            CarriedToken::Number(token) => Some(token),
            _ => None,
        };
        self.track_point(&mut item.shapes, verdict, spot, &lane);
        let mut anomalies = verdict
            .anomalies
            .iter()
            .filter(|anomaly| **anomaly != Anomaly::HolderRefused);
        if verdict.answer == Answer::Accepted
            && let Some(first) = anomalies.next()
        {
            let quiet = *first == Anomaly::Unseen && anomalies.next().is_none();
            let class = if quiet { "ring-thin" } else { "bad ring" };
            item.draw(circle(x, y, spot.radius + 3.5, class));
        }
        glyph(&mut item.shapes, verdict.answer, (x, y), spot.radius);
        if !words.is_empty() {
            self.place_callout(&mut item, words, spot, &lane);
        }
        let message = trace.messages.get(verdict.message.0);
        item.who = message.map(|message| message.client);
        self.marks.push(item);
    }

    fn place_callout(
        &mut self,
        item: &mut Item,
        words: &str,
        spot: Spot,
        lane: &super::lanes::PlaceLane,
    ) {
        if self.vertical() && lane.mark.is_none() {
            return;
        }
        let away = spot.radius + 10.0;
        let (x, y) = self.point(spot.along, lane.lane);
        let mut tries = Tries::new(words, CALLOUT);
        if self.vertical() {
            let (left, right) = (lane.value.0 + 5.0, self.frame.width - 7.0);
            tries.at(left, y, Anchor::Start);
            tries.at(right, y, Anchor::End);
            tries.at(left, y + 20.0, Anchor::Start);
            tries.at(left, y - 20.0, Anchor::Start);
            tries.at(x - away - 2.0, y, Anchor::End);
            tries.at(right, y + 20.0, Anchor::End);
        } else {
            tries.at(x + away, y, Anchor::Start);
            tries.at(x - away, y, Anchor::End);
            tries.at(x - away + 4.0, y - 21.0, Anchor::Start);
            tries.at(x + away - 4.0, y - 21.0, Anchor::End);
        }
        self.place(item, &tries, Some((x, y)));
    }

    /// The drop from a verdict to the step line, and its point there.
    fn track_point(
        &self,
        shapes: &mut Vec<Shape>,
        verdict: &Verdict,
        spot: Spot,
        lane: &super::lanes::PlaceLane,
    ) {
        let (Some(mark), CarriedToken::Number(token)) = (lane.mark, &verdict.comparison.token)
        else {
            return;
        };
        if !self
            .rows
            .get(spot.row)
            .is_some_and(|row| row.looks_at_token)
            || self.vertical()
        {
            return;
        }
        let accepted = verdict.answer == Answer::Accepted;
        let number = if accepted { verdict.mark_after } else { *token };
        let Some(rank) = self.ranks.get(number) else {
            return;
        };
        let across = mark.0 + (mark.1 - mark.0) * rank;
        shapes.push(self.line(
            (spot.along, lane.lane + spot.radius),
            (spot.along, across),
            "drop",
        ));
        let (x, y) = self.point(spot.along, across);
        match verdict.answer {
            Answer::Accepted => shapes.push(circle(x, y, 3.5, "pt")),
            Answer::Rejected => {
                shapes.push(rect([x - 3.5, y - 3.5, x + 3.5, y + 3.5], 0.0, "v-no"))
            }
            _ => {}
        }
    }

    fn stalls(&mut self) {
        for (source, trace) in self.traces.clone().into_iter().enumerate() {
            for (index, event) in trace.events.iter().enumerate() {
                if let EventKind::Stalled {
                    message,
                    place,
                    until_secs,
                    check,
                } = &event.kind
                {
                    if !self.shows(event.at_secs, Some(*until_secs)) {
                        continue;
                    }
                    let ends = |v: &Verdict| v.message == *message && v.place == *place;
                    let verdict = trace.verdicts.iter().rposition(ends);
                    let spot = verdict.and_then(|verdict| get(&self.spots, source, verdict));
                    let end = spot.map_or_else(
                        || self.at(*until_secs),
                        |spot| spot.along - spot.radius - 4.0,
                    );
                    let moment = if source == 0 {
                        self.moment_of(Some(index))
                    } else {
                        self.moment_at(event.at_secs)
                    };
                    let who = trace.messages.get(message.0).map(|message| message.client);
                    let item =
                        self.item(moment, event.at_secs, Part::Resource(place.resource), who);
                    let start = match (source, self.ways.get(message.0)) {
                        (0, Some(way)) => way.to,
                        _ => self.at(event.at_secs),
                    };
                    self.stall(item, (source, *place), (start, end), check.as_ref());
                }
            }
        }
    }

    fn stall(
        &mut self,
        mut item: Item,
        place: (usize, Place),
        along: (f64, f64),
        check: Option<&Comparison>,
    ) {
        let Some(lane) = self.row(place.0, place.1).map(|(_, lane)| lane.lane) else {
            return;
        };
        let label = Item {
            who: None,
            shapes: Vec::new(),
            ..item
        };
        item.draw(self.line(
            (along.0 + 5.0, lane),
            (along.1.max(along.0 + 5.0), lane),
            "stall",
        ));
        let (x, y) = self.point(along.0, lane);
        item.draw(circle(x, y, 4.0, "stall-pt"));
        self.space.take([x - 4.0, y - 4.0, x + 4.0, y + 4.0]);
        self.bars.push(item);
        let Some(check) = check.filter(|check| check.reason.is_none()) else {
            return;
        };
        let words = match (&check.token, check.policy.base.looks_at_token()) {
            (CarriedToken::Number(token), true) => {
                join(&[&whole(*token), " ≥ ", &whole(check.mark), ", passes"])
            }
            _ => String::from("passes"),
        };
        if self.vertical() {
            return;
        }
        let mut tries = Tries::new(&words, "sub knock");
        tries.around(
            (x, y),
            &[
                (-9, -9, Anchor::End),
                (9, -9, Anchor::Start),
                (-9, 0, Anchor::End),
            ],
        );
        let mut label = label;
        self.place(&mut label, &tries, None);
        self.marks.push(label);
    }

    /// Where along time a change of a store is.
    fn changed(&self, source: usize, trace: &Trace, change: &StoreChange) -> (f64, usize) {
        let event = change.event.and_then(|event| trace.events.get(event));
        let spot = match event.map(|event| &event.kind) {
            Some(EventKind::Judged(verdict)) => get(&self.spots, source, *verdict),
            _ => None,
        };
        match spot {
            Some(spot) => (spot.along, spot.moment),
            None if source == 0 => (self.at(change.at_secs), self.moment_of(change.event)),
            None => (self.at(change.at_secs), self.moment_at(change.at_secs)),
        }
    }

    /// The changes of each lane's store in order; of a page those on it, and the last one before.
    fn stores(&self) -> Vec<Vec<&StoreChange>> {
        let mut by_row = vec![Vec::new(); self.rows.len()];
        for (source, trace) in self.traces.iter().enumerate() {
            for change in &trace.stores {
                let row = self
                    .rows
                    .iter()
                    .position(|row| row.source == source && row.place == change.place);
                let Some(changes) = row.and_then(|row| by_row.get_mut(row)) else {
                    continue;
                };
                if !self.starts(change.at_secs) {
                    changes.clear();
                }
                if self.shows(change.at_secs, None) {
                    changes.push(change);
                }
            }
        }
        by_row
    }

    /// Bars of what is stored, in the colour of who wrote it.
    pub fn values(&mut self) {
        let mut bars = Vec::new();
        for (row, changes) in self.stores().into_iter().enumerate() {
            let source = self.rows.get(row).map_or(0, |row| row.source);
            let Some(trace) = self.traces.get(source) else {
                continue;
            };
            let mut runs: Vec<(&StoreChange, f64, usize)> = Vec::new();
            for change in changes {
                let same = |run: &(&StoreChange, f64, usize)| {
                    run.0.value == change.value
                        && run.0.writer == change.writer
                        && run.0.value_token == change.value_token
                };
                if !runs.last().is_some_and(same) {
                    let (along, moment) = self.changed(source, trace, change);
                    runs.push((change, along, moment));
                }
            }
            for (index, (change, along, moment)) in runs.iter().enumerate() {
                let to = runs.get(index + 1).map_or(self.edge, |next| next.1 - 1.5);
                if change.writer.is_some() || !change.value.is_empty() {
                    let mut item = self.item(
                        *moment,
                        change.at_secs,
                        Part::Value(change.place.resource),
                        change.writer,
                    );
                    item.token = change.value_token;
                    bars.push((item, row, *along, to, change.value.clone()));
                }
            }
        }
        for (item, row, along, to, value) in bars {
            self.value(item, row, (along, to), &value);
        }
    }

    fn value(&mut self, mut item: Item, row: usize, along: (f64, f64), value: &str) {
        let Some(across) = self.lanes.places.get(row).map(|lane| lane.value) else {
            return;
        };
        let label = Item {
            shapes: Vec::new(),
            ..item
        };
        let class = if item.who.is_some() {
            "value"
        } else {
            "value plain"
        };
        item.draw(rect(self.area(along, across), 2.0, class));
        self.bars.push(item);
        let middle = (across.0 + across.1) / 2.0;
        let vertical = self.vertical();
        let room = if vertical {
            across.1 - across.0 + 4.0
        } else {
            along.1 - along.0 - 11.0
        };
        let class = if vertical {
            "sub who strong"
        } else {
            "who strong"
        };
        let full = quoted(value);
        let bare = shorten(value, 10);
        let fitted = if self.measures.mark > 0.0 {
            text::fit(&bare, class, room)
        } else {
            String::new()
        };
        let mut tries = Tries::new("", class);
        let variants = if vertical {
            [bare.as_str(), &fitted]
        } else {
            [full.as_str(), &bare]
        };
        for words in variants
            .into_iter()
            .filter(|words| !matches!(*words, "" | "…"))
        {
            tries.words = words;
            if !vertical {
                tries.if_fits(room, along.0 + 9.0, middle, Anchor::Start);
                continue;
            }
            for top in [13.0, 24.0, 36.0] {
                if along.0 + top + 7.0 <= along.1 {
                    tries.if_fits(room, middle, along.0 + top, Anchor::Middle);
                }
            }
        }
        self.mark(label, &tries);
    }

    /// The step line of the mark, or of the stored value's token where the rule looks at none.
    pub fn mark_lines(&mut self) {
        let lane = self.lanes.places.first().copied();
        let (Some(row), Some(lane)) = (self.rows.first().cloned(), lane) else {
            return;
        };
        let Some(mark) = lane.mark else { return };
        let levels = self.levels(row.looks_at_token);
        let mut numbers: Vec<Token> = levels.iter().map(|level| level.number).collect();
        if row.looks_at_token {
            let token = |verdict: &Verdict| match verdict.comparison.token {
                CarriedToken::Number(token) => Some(token),
                _ => None,
            };
            let seen = |verdict: &&Verdict| self.shows(verdict.at_secs, Some(verdict.at_secs));
            numbers.extend((self.trace.verdicts.iter().filter(seen)).filter_map(token));
        }
        let ranks = ranks(&numbers, self.vertical());
        let across =
            |level: &Level| mark.0 + (mark.1 - mark.0) * ranks.get(level.number).unwrap_or(0.0);
        let heights: Vec<f64> = levels.iter().map(across).collect();
        self.ranks = ranks;
        self.step_line(&levels, &heights, mark.0, row.place.resource);
        for (level, across) in levels.iter().zip(heights) {
            self.level_label(level, mark, across, row.place.resource);
        }
    }

    fn levels(&self, looks_at_token: bool) -> Vec<Level> {
        let mut levels: Vec<Level> = Vec::new();
        for change in self.stores().into_iter().next().unwrap_or_default() {
            let number = if looks_at_token {
                change.mark
            } else {
                change.value_token.unwrap_or(0)
            };
            let before = levels.last().map_or(0, |level| level.number);
            if number != before {
                let (along, moment) = self.changed(0, self.trace, change);
                levels.push(Level {
                    along,
                    number,
                    fell: number < before,
                    moment,
                    at_secs: change.at_secs,
                });
            }
        }
        levels
    }

    fn step_line(&mut self, levels: &[Level], heights: &[f64], zero: f64, resource: ResourceId) {
        let Some(first) = levels.first() else { return };
        let mut corners = vec![(first.along, zero)];
        let mut falls = Vec::new();
        for (index, (level, at)) in levels.iter().zip(heights).enumerate() {
            let to = levels.get(index + 1).map_or(self.edge, |next| next.along);
            let at = *at;
            if level.fell {
                let from = corners.last().map_or(zero, |corner| corner.1);
                falls.push([(level.along, from), (level.along, at), (to, at)]);
            }
            corners.push((level.along, at));
            corners.push((to, at));
        }
        let top = self.path(&corners, "mark");
        corners.push((self.edge, zero));
        let fill = closed(&self.points(&corners), "mark-fill");
        let mut item = self.item(first.moment, first.at_secs, Part::Mark(resource), None);
        item.shapes = vec![fill, top];
        for fall in &falls {
            item.draw(self.path(fall, "bad"));
        }
        self.bars.push(item);
    }

    fn level_label(&mut self, level: &Level, mark: (f64, f64), across: f64, resource: ResourceId) {
        let number = whole(level.number);
        let class = if level.fell { "num no-t" } else { "num" };
        let mut tries = Tries::new(&number, class);
        if level.number == 0 {
            return;
        }
        if self.vertical() {
            let corner = (mark.0, level.along);
            let below = [14, 26, 40].map(|down| (3, down, Anchor::Start));
            tries.around(corner, &below);
        } else {
            let (height, x) = (mark.1 - mark.0, level.along + 9.0);
            let part = (across - mark.0) / height;
            let raise = if part > 0.7 { height * 0.18 } else { 0.0 };
            if part >= 0.4 {
                tries.at(x, mark.0 + (across - mark.0) / 2.0 + raise, Anchor::Start);
            }
            tries.at(x, across - 9.0, Anchor::Start);
        }
        let mut item = self.item(level.moment, level.at_secs, Part::Mark(resource), None);
        item.token = Some(level.number);
        self.mark(item, &tries);
    }

    /// “42 ≥ 41” beside an accepted write that raised the mark, where there is room; the mark
    /// itself where no step line shows it.
    pub fn accepted_notes(&mut self) {
        if self.frame.density == Density::Embed || self.vertical() || self.traces.len() > 1 {
            return;
        }
        let compact = self.measures.mark == 0.0 && self.frame.density != Density::Pair;
        for (index, verdict) in self.trace.verdicts.iter().enumerate() {
            let compared = &verdict.comparison;
            let CarriedToken::Number(token) = compared.token else {
                continue;
            };
            let raised = verdict.answer == Answer::Accepted
                && verdict.mark_after > compared.mark
                && (compared.mark > 0 || compact);
            let Some(spot) = get(&self.spots, 0, index).filter(|_| raised) else {
                continue;
            };
            let Some(lane) = self.lanes.places.get(spot.row).map(|lane| lane.lane) else {
                continue;
            };
            let operator = if compared.policy.base == Base::Strict {
                " > "
            } else {
                " ≥ "
            };
            let words = if compact {
                join(&["mark ", &whole(verdict.mark_after)])
            } else {
                join(&[&whole(token), operator, &whole(compared.mark)])
            };
            let mut tries = Tries::new(&words, "sub");
            tries.at(spot.along + spot.radius + 6.0, lane, Anchor::Start);
            let part = Part::Mark(verdict.place.resource);
            let mut item = self.item(spot.moment, verdict.at_secs, part, None);
            item.token = Some(token);
            self.mark(item, &tries);
        }
    }
}

fn get(spots: &[Vec<Option<Spot>>], source: usize, index: usize) -> Option<Spot> {
    spots
        .get(source)
        .and_then(|spots| spots.get(index))
        .copied()
        .flatten()
}

fn limit(spots: &mut [Vec<Option<Spot>>], source: usize, index: usize, radius: f64) {
    if let Some(Some(spot)) = spots.get_mut(source).and_then(|spots| spots.get_mut(index)) {
        spot.radius = spot.radius.min(radius);
    }
}

/// What the judged message carried.
fn written<'t>(trace: &'t Trace, verdict: &Verdict) -> Option<&'t WriteContent> {
    match trace
        .messages
        .get(verdict.message.0)
        .map(|message| &message.content)
    {
        Some(Content::Write(write) | Content::Claim(write)) => Some(write),
        _ => None,
    }
}

/// The sign of a verdict.
fn glyph(shapes: &mut Vec<Shape>, answer: Answer, (x, y): (f64, f64), s: f64) {
    match answer {
        Answer::Rejected => {
            shapes.push(rect([x - s, y - s, x + s, y + s], 2.5, "v-no"));
            shapes.push(text::cross(x, y, s * 0.38, "tick"));
        }
        Answer::Duplicate => {
            shapes.push(circle(x, y, s, "v-dup"));
            let bar = |dy: f64| [(x - s * 0.42, y + dy), (x + s * 0.42, y + dy)];
            shapes.push(text::strokes(bar(-s * 0.22), bar(s * 0.22), "tick"));
        }
        _ => {
            shapes.push(circle(x, y, s, "v-ok"));
            let check = [
                (x - s * 0.44, y + s * 0.04),
                (x - s * 0.12, y + s * 0.38),
                (x + s * 0.44, y - s * 0.3),
            ];
            shapes.push(text::path(&check, "tick"));
        }
    }
}

/// What a verdict says loudly: the comparison that failed, or what an observer finds; else nothing.
fn callout(
    scenario: &Scenario,
    verdict: &Verdict,
    write: Option<&WriteContent>,
    later: Option<&CarriedToken>,
) -> String {
    let compared = &verdict.comparison;
    let token = match &compared.token {
        CarriedToken::Missing => String::from("no token"),
        token => token_text(token),
    };
    let client = |id: ClientId| scenario.clients.get(id.0).map_or("?", String::as_str);
    if verdict.answer == Answer::Accepted {
        let has = |anomaly| verdict.anomalies.contains(&anomaly);
        return match later {
            Some(later) if has(Anomaly::Stale) => join(&[&token, " after ", &token_text(later)]),
            None if has(Anomaly::Stale) => String::from("stale"),
            _ if has(Anomaly::Twice) => String::from("twice"),
            _ if has(Anomaly::Reordered) => String::from("reordered"),
            _ if has(Anomaly::LostUpdate) => String::from("lost update"),
            _ => String::new(),
        };
    }
    let mark = whole(compared.mark);
    match verdict.reason {
        Some(Reason::Stale) => join(&[&token, " < ", &mark]),
        Some(Reason::Equal) => join(&[&token, " = ", &mark]),
        Some(Reason::OtherOwner) => match (compared.pin, compared.owner) {
            (Some(pin), _) if compared.policy.base == Base::Equality => {
                join(&[&token, " ≠ ", &whole(pin)])
            }
            (_, Some(owner)) => join(&[&token, " is ", client(owner), "’s"]),
            _ => join(&[&token, " = ", &mark]),
        },
        Some(Reason::NotHolder) => match compared.holder {
            Some(holder) => join(&[client(holder), " holds"]),
            None => String::from("nobody holds"),
        },
        Some(Reason::TooLate) => match write.and_then(|write| write.deadline_secs) {
            Some(deadline) => join(&[&signed(compared.clock_secs), " > ", &whole(deadline)]),
            None => String::from("too late"),
        },
        Some(Reason::Missing)
            if matches!(compared.token, CarriedToken::Missing)
                && compared.policy.base.looks_at_token() =>
        {
            String::from("no token")
        }
        Some(Reason::Missing) if compared.policy.base == Base::Deadline => {
            String::from("no deadline")
        }
        Some(Reason::Missing) => String::from("missing"),
        Some(Reason::Malformed) if matches!(compared.token, CarriedToken::Number(_)) => {
            String::from("not positive")
        }
        Some(Reason::Malformed) => String::from("not a number"),
        Some(reason) => reason.name().to_owned(),
        None => String::new(),
    }
}
