//! Header lines.

use super::cursor::Cursor;
use super::error::{Fault, Stop};
use super::lexer::Kind;
use super::names::Symbol;
use super::outcome::{at_most, listed, policy};
use super::parser::Parser;
use super::{MAX_EXTERNALS, MAX_LEASES, MAX_REPLICAS};
use crate::sim::text::{join, whole};
use crate::sim::{
    Base, ClientId, CoordinatorRules, ExternalId, Lease, LeaseId, MAX_CLIENTS, MAX_RESOURCES,
    Policy, Reentry, Resource, ResourceId,
};

impl<'t> Parser<'t> {
    /// One header line, all but its place among the lines.
    pub(super) fn header(&mut self, cursor: &mut Cursor<'t>) -> Result<(), Stop> {
        let word = cursor.word().unwrap_or_default();
        if !matches!(word, "lease" | "resource" | "external") {
            self.once(cursor, word)?;
        }
        cursor.advance();
        match word {
            "scenario" => self.scenario.title = cursor.string("a title")?,
            "ttl" => self.scenario.ttl_secs = cursor.number()?,
            "latency" => self.scenario.latency_secs = cursor.number()?,
            "token" => self.scenario.token = cursor.number()?,
            "clients" => self.clients(cursor)?,
            "lease" => self.lease(cursor)?,
            "resource" => self.resource(cursor)?,
            "external" => self.external(cursor)?,
            _ => self.scenario.coordinator = coordinator(cursor)?,
        }
        Ok(cursor.end()?)
    }

    /// Notes that a header line is there that may not be repeated.
    fn once(&mut self, cursor: &Cursor<'t>, word: &'t str) -> Result<(), Fault> {
        if let Some((_, line)) = self.headers_seen.iter().find(|(seen, _)| *seen == word) {
            let advice = join(&[
                "`",
                word,
                "` stands in line ",
                &whole(*line as u64),
                " already",
            ]);
            return Err(cursor.wrong("another header line").advise(&advice));
        }
        self.headers_seen.push((word, cursor.number));
        Ok(())
    }

    /// `A, B, C`
    fn clients(&mut self, cursor: &mut Cursor<'t>) -> Result<(), Stop> {
        loop {
            let count = self.scenario.clients.len();
            room(cursor, count, MAX_CLIENTS, "clients")?;
            let name = self.names.fresh(cursor, "the name of a client")?;
            self.scenario.clients.push(name.to_owned());
            self.names
                .declare(name, Symbol::Client(ClientId(count)), cursor.number);
            if !cursor.eat_sign(Kind::Comma) {
                return match cursor.peek() {
                    None => Ok(()),
                    Some(_) => Err(cursor.wrong("`,` or the end of the line").into()),
                };
            }
        }
    }

    /// `NAME [, token N] [, ttl N]`
    fn lease(&mut self, cursor: &mut Cursor<'t>) -> Result<(), Stop> {
        let index = self.scenario.leases.len();
        room(cursor, index, MAX_LEASES, "leases")?;
        let name = self.names.fresh(cursor, "the name of a lease")?;
        self.names
            .declare(name, Symbol::Lease(LeaseId(index)), cursor.number);
        self.scenario.leases.push(Lease {
            name: Some(name.to_owned()),
            token: None,
            ttl_secs: None,
        });
        let mut settings = Settings::new(&["token", "ttl"]);
        while let Some(setting) = settings.after_comma(cursor)? {
            let number = cursor.number()?;
            let lease = &mut self.scenario.leases[index];
            match setting {
                "token" => lease.token = Some(number),
                _ => lease.ttl_secs = Some(number),
            }
        }
        Ok(())
    }

    /// `NAME`
    fn external(&mut self, cursor: &mut Cursor<'t>) -> Result<(), Stop> {
        let index = self.scenario.externals.len();
        room(cursor, index, MAX_EXTERNALS, "external systems")?;
        let name = self.names.fresh(cursor, "the name of an external system")?;
        self.scenario.externals.push(name.to_owned());
        self.names
            .declare(name, Symbol::External(ExternalId(index)), cursor.number);
        Ok(())
    }

    /// `NAME [under LEASE]: POLICY [, SETTING]*`
    fn resource(&mut self, cursor: &mut Cursor<'t>) -> Result<(), Stop> {
        let index = self.scenario.resources.len();
        room(cursor, index, MAX_RESOURCES, "resources")?;
        let name = self.names.fresh(cursor, "the name of a resource")?;
        self.names
            .declare(name, Symbol::Resource(ResourceId(index)), cursor.number);
        self.scenario.resources.push(default_resource(name));
        let lease = match cursor.eat("under") {
            true => self.lease_name(cursor)?,
            false => LeaseId(0),
        };
        self.scenario.resources[index].lease = lease;
        if !cursor.eat_sign(Kind::Colon) {
            return Err(cursor.wrong_near("`:` and a policy", &["under"]).into());
        }
        self.scenario.resources[index].policy = policy(cursor, &[])?;
        Ok(resource_settings(
            cursor,
            &mut self.scenario.resources[index],
        )?)
    }
}

/// What stands when a text says nothing else of a resource.
pub(super) fn default_resource(name: &str) -> Resource {
    Resource {
        name: name.to_owned(),
        lease: LeaseId(0),
        policy: Policy::of(Base::Fenced),
        mark: 0,
        value: String::new(),
        replicas: Vec::new(),
        quorum: None,
        clock_skew_secs: 0,
    }
}

/// Whether one more is allowed.
fn room(cursor: &Cursor, count: usize, limit: usize, what: &str) -> Result<(), Fault> {
    match count < limit {
        true => Ok(()),
        false => Err(cursor.wrong(&at_most(limit, what))),
    }
}

/// Everything after the policy of a resource.
fn resource_settings<'t>(cursor: &mut Cursor<'t>, resource: &mut Resource) -> Result<(), Fault> {
    let mut settings = Settings::new(&["mark", "value", "replicas", "quorum", "clock"]);
    // Replicas may follow the quorum, so it is compared with them at the end.
    let mut quorum = None;
    while let Some(setting) = settings.after_comma(cursor)? {
        match setting {
            "mark" => resource.mark = cursor.number()?,
            "value" => resource.value = cursor.string("a value")?,
            "replicas" => replicas(cursor, &mut resource.replicas)?,
            "quorum" => {
                let token = cursor.peek();
                quorum = token.zip(Some(cursor.number()?));
            }
            _ => resource.clock_skew_secs = cursor.signed()?,
        }
    }
    let Some((token, size)) = quorum else {
        return Ok(());
    };
    let count = resource.replicas.len();
    if size == 0 || size > count as u64 {
        let expected = match count {
            0 => "`replicas R1 R2 …` with a quorum".to_owned(),
            _ => join(&["a quorum from 1 to ", &whole(count as u64)]),
        };
        return Err(cursor.wrong_span(token.start, token.end, &expected));
    }
    // The majority spelled out is the same scenario as none.
    resource.quorum = Some(size).filter(|size| *size != resource.quorum_size());
    Ok(())
}

/// `R1 R2 R3`
fn replicas(cursor: &mut Cursor, names: &mut Vec<String>) -> Result<(), Fault> {
    loop {
        room(cursor, names.len(), MAX_REPLICAS, "replicas")?;
        let name = cursor.name("the name of a replica")?;
        if names.iter().any(|known| known == name) {
            return Err(cursor.wrong("each replica once"));
        }
        names.push(name.to_owned());
        cursor.advance();
        if cursor.word().is_none() {
            return Ok(());
        }
    }
}

/// `coordinator: SETTING, …` after the word.
fn coordinator(cursor: &mut Cursor) -> Result<CoordinatorRules, Fault> {
    cursor.require_sign(Kind::Colon, "`:`")?;
    let mut rules = CoordinatorRules::default();
    let mut settings = Settings::new(&["lock", "late", "reentry"]);
    loop {
        match settings.next(cursor)? {
            "lock" => {
                cursor.require("delay")?;
                rules.lock_delay_secs = cursor.number()?;
            }
            "late" => {
                cursor.require("renewal")?;
                cursor.require("allowed")?;
                rules.late_renewal = true;
            }
            _ => rules.reentry = reentry(cursor)?,
        }
        if !cursor.eat_sign(Kind::Comma) {
            return match cursor.peek() {
                None => Ok(rules),
                Some(_) => Err(cursor.wrong("`,` or the end of the line")),
            };
        }
    }
}

fn reentry(cursor: &mut Cursor) -> Result<Reentry, Fault> {
    let rule = match cursor.word() {
        Some("keeps") => Reentry::Keeps,
        Some("mints") => Reentry::Mints,
        Some("refused") => Reentry::Refused,
        _ => {
            return Err(cursor.wrong_near(
                "`keeps`, `mints` or `refused`",
                &["keeps", "mints", "refused"],
            ));
        }
    };
    cursor.advance();
    Ok(rule)
}

/// A list of settings in any order, each at most once.
struct Settings {
    known: &'static [&'static str],
    seen: Vec<&'static str>,
}

impl Settings {
    fn new(known: &'static [&'static str]) -> Self {
        Settings {
            known,
            seen: Vec::new(),
        }
    }

    /// Reads the word of a setting, after a comma; `None` at the end of the line.
    fn after_comma(&mut self, cursor: &mut Cursor) -> Result<Option<&'static str>, Fault> {
        if cursor.peek().is_none() {
            return Ok(None);
        }
        cursor.require_sign(Kind::Comma, "`,` or the end of the line")?;
        self.next(cursor).map(Some)
    }

    /// Reads the word of a setting.
    fn next(&mut self, cursor: &mut Cursor) -> Result<&'static str, Fault> {
        let word = cursor.word();
        let Some(setting) = self
            .known
            .iter()
            .copied()
            .find(|known| Some(*known) == word)
        else {
            let expected = listed("a setting: ", self.known);
            return Err(cursor.wrong_near(&expected, self.known));
        };
        if self.seen.contains(&setting) {
            return Err(cursor.wrong("each setting once"));
        }
        self.seen.push(setting);
        cursor.advance();
        Ok(setting)
    }
}
