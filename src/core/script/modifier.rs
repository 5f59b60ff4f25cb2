//! What may follow a request, in any order.

use super::cursor::Cursor;
use super::error::{Fault, Stop};
use super::lexer::Kind;
use super::names::Symbol;
use super::outcome::{listed, texts};
use super::parser::Parser;
use crate::sim::text::join;
use crate::sim::{Body, NameId, ReplicaId, Request, ResourceId, TokenChoice, Travel, Write};

/// On which steps a modifier may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum On {
    Request,
    AllButWrite,
    WriteOrClaim,
    Write,
}

/// The word that begins a modifier. Of one group, a step has one.
struct Modifier {
    word: &'static str,
    group: &'static str,
    on: On,
}

const fn modifier(word: &'static str, group: &'static str, on: On) -> Modifier {
    Modifier { word, group, on }
}

const MODIFIERS: [Modifier; 15] = [
    modifier("as", "name", On::AllButWrite),
    modifier("taking", "travel", On::Request),
    modifier("arriving", "travel", On::Request),
    modifier("held", "travel", On::Request),
    modifier("lost", "travel", On::Request),
    modifier("reply", "reply", On::Request),
    modifier("applied", "applied", On::Write),
    modifier("token", "token", On::WriteOrClaim),
    modifier("no", "token", On::WriteOrClaim),
    modifier("forged", "token", On::WriteOrClaim),
    modifier("key", "key", On::Write),
    modifier("seq", "seq", On::Write),
    modifier("based", "based", On::Write),
    modifier("deadline", "deadline", On::Write),
    modifier("reaching", "reaching", On::Write),
];

/// Whether a word begins a modifier.
pub(super) fn is_modifier(word: &str) -> bool {
    MODIFIERS.iter().any(|modifier| modifier.word == word)
}

impl<'t> Parser<'t> {
    /// All modifiers of a request.
    pub(super) fn modifiers(
        &mut self,
        cursor: &mut Cursor<'t>,
        request: &mut Request,
    ) -> Result<(), Stop> {
        let mut seen: Vec<&Modifier> = Vec::new();
        while let Some(word) = cursor.word() {
            let Some(modifier) = MODIFIERS.iter().find(|known| known.word == word) else {
                return Err(self.no_modifier(cursor, request).into());
            };
            allowed(cursor, modifier, &request.body)?;
            if let Some(other) = seen.iter().find(|other| other.group == modifier.group) {
                return Err(second(cursor, other.word).into());
            }
            seen.push(modifier);
            cursor.advance();
            self.apply(cursor, modifier, request)?;
        }
        match cursor.peek() {
            Some(token) if token.kind != Kind::Arrow => {
                Err(self.no_modifier(cursor, request).into())
            }
            _ => Ok(()),
        }
    }

    /// Something follows a request that is no modifier.
    fn no_modifier(&self, cursor: &Cursor, request: &Request) -> Fault {
        let place = match &request.body {
            Body::Acquire(_) | Body::Renew(_) | Body::Release(_) => self.names.of(is_lease),
            _ => self.names.of(is_resource),
        };
        let mut known = Vec::new();
        for modifier in &MODIFIERS {
            if fits(modifier.on, &request.body) {
                known.push(modifier.word);
            }
        }
        known.push("=>");
        known.extend(place);
        let error = cursor.wrong_near("a modifier, `=>` or the end of the line", &known);
        match cursor.word() {
            Some("to") if matches!(request.body, Body::Write(_)) => {
                error.advise("`to` and a resource stand once, right after the value")
            }
            Some(word) if error.hint.is_none() => self.names.said(error, word),
            _ => error,
        }
    }

    /// What follows the word of a modifier.
    fn apply(
        &mut self,
        cursor: &mut Cursor<'t>,
        modifier: &Modifier,
        request: &mut Request,
    ) -> Result<(), Stop> {
        match (modifier.word, &mut request.body) {
            ("as", _) => request.name = Some(self.message_name(cursor)?),
            ("reply", _) => request.reply = reply(cursor)?,
            (
                "token" | "no" | "forged",
                Body::Write(Write { token, .. }) | Body::Claim(_, token),
            ) => {
                *token = token_choice(cursor, modifier.word)?;
            }
            ("taking" | "arriving" | "held" | "lost", _) => {
                request.travel = travel(cursor, modifier.word)?;
            }
            (word, Body::Write(write)) => self.apply_to_write(cursor, word, write)?,
            _ => {}
        }
        Ok(())
    }

    /// What only a write has.
    fn apply_to_write(
        &mut self,
        cursor: &mut Cursor<'t>,
        word: &str,
        write: &mut Write,
    ) -> Result<(), Stop> {
        match word {
            "applied" => {
                cursor.require("at")?;
                write.applied_at_secs = Some(cursor.number()?);
            }
            "key" => write.key = Some(cursor.string("a key")?),
            "seq" => write.seq = Some(cursor.number()?),
            "deadline" => write.deadline_secs = Some(cursor.number()?),
            "based" => {
                cursor.require("on")?;
                write.based_on = Some(self.read_name(cursor)?);
            }
            _ => write.reaching = self.reaching(cursor, write.resource)?,
        }
        Ok(())
    }

    /// The name of a read.
    fn read_name(&self, cursor: &mut Cursor<'t>) -> Result<NameId, Stop> {
        let symbol = cursor.word().and_then(|word| self.names.get(word));
        match symbol {
            Some(Symbol::Broken) => return Err(Stop::Depends),
            Some(Symbol::Message(id)) if matches!(self.body_of(id), Some(Body::Read(_))) => {
                cursor.advance();
                return Ok(id);
            }
            _ => {}
        }
        let reads = self.messages(|body| matches!(body, Body::Read(_)));
        let error = cursor.wrong_near("the name of an earlier read", &reads);
        Err(match symbol {
            Some(_) => error.advise("it is no read (`A reads … as NAME`)"),
            None => error,
        }
        .into())
    }

    /// `R1 R2`: in the order of the header, `None` if that is all of them.
    fn reaching(
        &self,
        cursor: &mut Cursor<'t>,
        resource: ResourceId,
    ) -> Result<Option<Vec<ReplicaId>>, Fault> {
        let names = &self.scenario.resources[resource.0].replicas;
        let mut reached = Vec::new();
        loop {
            let word = cursor.word();
            let Some(index) = names.iter().position(|name| Some(name.as_str()) == word) else {
                let ends = word.is_none_or(is_modifier);
                if ends && !reached.is_empty() {
                    break;
                }
                return Err(self.no_replica(cursor, resource));
            };
            if reached.contains(&ReplicaId(index)) {
                return Err(cursor.wrong("each replica once"));
            }
            reached.push(ReplicaId(index));
            cursor.advance();
        }
        reached.sort_unstable_by_key(|replica: &ReplicaId| replica.0);
        Ok(Some(reached).filter(|reached| reached.len() < names.len()))
    }

    /// A replica of `resource` should stand here.
    pub(super) fn no_replica(&self, cursor: &Cursor, resource: ResourceId) -> Fault {
        let resource = &self.scenario.resources[resource.0];
        if resource.replicas.is_empty() {
            let advice = join(&["`", &resource.name, "` has no replicas"]);
            return cursor.wrong("a resource with replicas").advise(&advice);
        }
        let names = texts(&resource.replicas);
        cursor.wrong_near(&listed("a replica: ", &names), &names)
    }
}

fn is_lease(symbol: Symbol) -> bool {
    matches!(symbol, Symbol::Lease(_))
}

fn is_resource(symbol: Symbol) -> bool {
    matches!(symbol, Symbol::Resource(_))
}

fn fits(on: On, body: &Body) -> bool {
    match on {
        On::Request => true,
        On::AllButWrite => !matches!(body, Body::Write(_)),
        On::WriteOrClaim => matches!(body, Body::Write(_) | Body::Claim(..)),
        On::Write => matches!(body, Body::Write(_)),
    }
}

/// Whether the modifier may stand on such a step.
fn allowed(cursor: &Cursor, modifier: &Modifier, body: &Body) -> Result<(), Fault> {
    if fits(modifier.on, body) {
        return Ok(());
    }
    let (expected, on) = match body {
        Body::Write(_) => ("a modifier of a write", ""),
        Body::Claim(..) => ("a modifier of a claim", " is on writes only"),
        _ => (
            "a modifier of such a request",
            match modifier.on {
                On::WriteOrClaim => " is on writes and claims only",
                _ => " is on writes only",
            },
        ),
    };
    let advice = match on {
        "" => "a write has its name right after `writes`".to_owned(),
        _ => join(&["`", modifier.word, "`", on]),
    };
    Err(cursor.wrong(expected).advise(&advice))
}

/// A second modifier of a group.
fn second(cursor: &Cursor, first: &str) -> Fault {
    let error = cursor.wrong("another modifier");
    match cursor.word() == Some(first) {
        true => error.advise(&join(&["`", first, "` stands here already"])),
        false => error.advise(&join(&["`", first, "` has said it otherwise"])),
    }
}

fn travel(cursor: &mut Cursor, word: &str) -> Result<Travel, Fault> {
    Ok(match word {
        "taking" => Travel::Taking(cursor.number()?),
        "arriving" => {
            cursor.require("at")?;
            Travel::ArrivingAt(cursor.number()?)
        }
        "held" => Travel::Held,
        _ => Travel::Lost,
    })
}

/// What follows `reply`.
fn reply(cursor: &mut Cursor) -> Result<Travel, Fault> {
    const WORDS: [&str; 3] = ["lost", "taking", "held"];
    match cursor.word() {
        Some(word) if WORDS.contains(&word) => {
            cursor.advance();
            travel(cursor, word)
        }
        _ => Err(cursor.wrong_near("`lost`, `taking N` or `held`", &WORDS)),
    }
}

fn token_choice(cursor: &mut Cursor, word: &str) -> Result<TokenChoice, Fault> {
    if word == "token" {
        return match cursor.peek() {
            Some(token) if matches!(token.kind, Kind::Text | Kind::Unclosed) => {
                Ok(TokenChoice::Text(cursor.string("a token")?))
            }
            _ => Ok(TokenChoice::Number(cursor.number()?)),
        };
    }
    cursor.require("token")?;
    match word {
        "no" => Ok(TokenChoice::Missing),
        _ => Ok(TokenChoice::Forged(cursor.number()?)),
    }
}
