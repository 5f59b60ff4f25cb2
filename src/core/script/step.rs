//! Steps.

use super::cursor::Cursor;
use super::error::{Fault, Stop};
use super::lexer::Kind;
use super::modifier::is_modifier;
use super::names::Symbol;
use super::outcome::{
    Answers, OF_ACQUIRE, OF_CALL, OF_CHECK, OF_RELEASE, OF_RENEW, OF_WRITE, listed, outcome,
    policy, texts,
};
use super::parser::Parser;
use super::words::{CLIENT, COORDINATOR, HEADERS, MESSAGE, RESOURCE, Role, STARTERS, role_of};
use crate::sim::text::join;
use crate::sim::{
    Action, Body, ClientAction, ClientId, CoordinatorAction, ExternalId, LeaseId, MessageAction,
    NameId, Request, ResourceAction, ResourceId, Step, TokenChoice, Travel, Write,
};

impl<'t> Parser<'t> {
    /// `[at N] SUBJECT VERB … [=> EXPECTATION]`
    pub(super) fn step(&mut self, cursor: &mut Cursor<'t>) -> Result<Step, Stop> {
        let at_secs = match cursor.eat("at") {
            true => Some(cursor.number()?),
            false => None,
        };
        let action = self.action(cursor, at_secs.is_some())?;
        let mut expectation = None;
        if cursor.next_is(Kind::Arrow) {
            let Some(answers) = self.answers(&action) else {
                let advice = "`=>` is on requests, checks and deliveries only";
                return Err(cursor.wrong("the end of the line").advise(advice).into());
            };
            cursor.advance();
            expectation = Some(outcome(cursor, answers)?);
        }
        self.step_end(cursor, &action)?;
        Ok(Step {
            at_secs,
            action,
            expectation,
        })
    }

    /// Nothing may follow.
    fn step_end(&self, cursor: &Cursor, action: &Action) -> Result<(), Fault> {
        let Err(error) = cursor.end() else {
            return Ok(());
        };
        let word = cursor.word().unwrap_or_default();
        Err(match action {
            _ if is_modifier(word) => error.advise(&join(&["`", word, "` is on requests only"])),
            Action::Message(_, MessageAction::Arrives) => {
                cursor.wrong_near("the end of the line", &["again", "=>"])
            }
            Action::Checks(..) => cursor.wrong_near("the end of the line", &self.lease_names()),
            _ => error,
        })
    }

    /// What a step may expect, if anything.
    fn answers(&self, action: &Action) -> Option<&'static Answers> {
        let body = match action {
            Action::Checks(..) => return Some(&OF_CHECK),
            Action::Request(request) => &request.body,
            Action::Message(_, MessageAction::IsLost) => return None,
            Action::Message(id, _) => self.body_of(*id)?,
            _ => return None,
        };
        Some(match body {
            Body::Acquire(_) => &OF_ACQUIRE,
            Body::Renew(_) => &OF_RENEW,
            Body::Release(_) => &OF_RELEASE,
            Body::Write(_) | Body::Claim(..) => &OF_WRITE,
            Body::Read(_) | Body::Call(..) => &OF_CALL,
        })
    }

    fn action(&mut self, cursor: &mut Cursor<'t>, timed: bool) -> Result<Action, Stop> {
        let Some(word) = cursor.word() else {
            return Err(cursor.wrong("a step").into());
        };
        let symbol = self.names.get(word);
        let is_own = matches!(word, "wait" | "note" | "coordinator");
        if !is_own && matches!(symbol, None | Some(Symbol::Lease(_) | Symbol::External(_))) {
            return Err(self.no_subject(cursor, word, timed).into());
        }
        self.saw_step(cursor.number);
        cursor.advance();
        match (word, symbol) {
            ("wait", _) => Ok(Action::Wait(cursor.number()?)),
            ("note", _) => Ok(Action::Note(cursor.string("a caption")?)),
            ("coordinator", _) => Ok(Action::Coordinator(self.coordinator_step(cursor)?)),
            (_, Some(Symbol::Client(id))) => self.client_step(cursor, id),
            (_, Some(Symbol::Resource(id))) => self.resource_step(cursor, id),
            (_, Some(Symbol::Message(id))) => Ok(Action::Message(id, message_step(cursor)?)),
            _ => Err(Stop::Depends),
        }
    }

    /// The first word of a step is no subject. What follows tells what it should have been.
    fn no_subject(&self, cursor: &Cursor<'t>, word: &'t str, timed: bool) -> Fault {
        if let Some(role) = role_of(word).filter(|_| self.names.get(word).is_none()) {
            let advice = join(&["say who: `", word, "` is what ", role.noun, " does"]);
            return cursor.wrong("a subject").advise(&advice);
        }
        let is_client = |symbol| matches!(symbol, Symbol::Client(_));
        let is_resource = |symbol| matches!(symbol, Symbol::Resource(_));
        let is_message = |symbol| matches!(symbol, Symbol::Message(_));
        let error = match cursor.second_word().and_then(role_of).map(|role| role.noun) {
            Some("a client") => {
                let mut known = self.names.of(is_client);
                known.push("coordinator");
                cursor.wrong_near(&listed("a client: ", &self.client_names()), &known)
            }
            Some("a resource") => {
                let mut known = self.names.of(is_resource);
                known.push("coordinator");
                cursor.wrong_near(&listed("a resource: ", &self.resource_names()), &known)
            }
            Some("a message") => {
                let known = self.names.of(is_message);
                cursor.wrong_near("the name of an earlier message", &known)
            }
            Some(_) => cursor.wrong_near("`coordinator`", &["coordinator"]),
            None => {
                let mut known = STARTERS.to_vec();
                if !timed {
                    known.extend(HEADERS);
                }
                known.extend(self.names.of(is_client));
                known.extend(self.names.of(is_resource));
                known.extend(self.names.of(is_message));
                let expected = match timed {
                    true => "a step",
                    false => "a header line, a step or `expect`",
                };
                cursor.wrong_near(expected, &known)
            }
        };
        match error.hint {
            None => self.names.said(error, word),
            Some(_) => error,
        }
    }

    fn client_step(&mut self, cursor: &mut Cursor<'t>, client: ClientId) -> Result<Action, Stop> {
        let Some(verb) = cursor.word().filter(|word| CLIENT.verbs.contains(word)) else {
            return Err(no_verb(cursor, &CLIENT).into());
        };
        // `A restarts at mark 3` is meant for a resource, `A restarts at token 3` for the coordinator.
        if verb == "restarts" && cursor.second_word() == Some("at") {
            let advice = "only a resource restarts at a mark, and the coordinator at a token";
            return Err(cursor.wrong("`restarts` alone").advise(advice).into());
        }
        cursor.advance();
        let action = match verb {
            "pauses" => ClientAction::Pauses,
            "resumes" => ClientAction::Resumes,
            "crashes" => ClientAction::Crashes,
            "restarts" => ClientAction::Restarts,
            "checks" => return Ok(Action::Checks(client, self.lease_operand(cursor)?)),
            _ => {
                let request = self.request(cursor, client, verb)?;
                return Ok(Action::Request(request));
            }
        };
        Ok(Action::Client(client, action))
    }

    fn request(
        &mut self,
        cursor: &mut Cursor<'t>,
        client: ClientId,
        verb: &str,
    ) -> Result<Request, Stop> {
        let mut name = None;
        let body = match verb {
            "acquires" => Body::Acquire(self.lease_operand(cursor)?),
            "renews" => Body::Renew(self.lease_operand(cursor)?),
            "releases" => Body::Release(self.lease_operand(cursor)?),
            "reads" => Body::Read(self.resource_operand(cursor, "")?),
            "claims" => Body::Claim(self.resource_operand(cursor, "")?, TokenChoice::Known),
            "calls" => Body::Call(self.external_name(cursor)?, cursor.string("what is done")?),
            _ => {
                name = Some(self.message_name(cursor)?);
                Body::Write(self.write(cursor)?)
            }
        };
        let mut request = Request {
            client,
            body,
            name,
            travel: Travel::Latency,
            reply: Travel::Latency,
        };
        self.modifiers(cursor, &mut request)?;
        if request.name.is_none() && matches!(request.body, Body::Read(_)) {
            return Err(cursor.wrong("`as` and a name for the read").into());
        }
        Ok(request)
    }

    /// `"value" [to RESOURCE]`
    fn write(&mut self, cursor: &mut Cursor<'t>) -> Result<Write, Stop> {
        Ok(Write {
            value: cursor.string("a value")?,
            resource: self.resource_operand(cursor, "to")?,
            token: TokenChoice::Known,
            applied_at_secs: None,
            key: None,
            seq: None,
            based_on: None,
            deadline_secs: None,
            reaching: None,
        })
    }

    /// A name that this step gives to its message.
    pub(super) fn message_name(&mut self, cursor: &mut Cursor<'t>) -> Result<NameId, Stop> {
        let name = self.names.fresh(cursor, "a name for the message")?;
        self.new_message = Some(name);
        Ok(NameId(self.scenario.messages.len()))
    }

    fn coordinator_step(&mut self, cursor: &mut Cursor<'t>) -> Result<CoordinatorAction, Stop> {
        let Some(verb) = cursor
            .word()
            .filter(|word| COORDINATOR.verbs.contains(word))
        else {
            let error = no_verb(cursor, &COORDINATOR);
            return Err(match cursor.word() {
                Some("lock" | "late" | "reentry") => {
                    error.advise("settings stand after `coordinator:`")
                }
                _ => error,
            }
            .into());
        };
        cursor.advance();
        Ok(match verb {
            "saves" => CoordinatorAction::Saves,
            "restores" => CoordinatorAction::Restores {
                jump: after(cursor, &["jumping"])?.unwrap_or(0),
            },
            "restarts" => CoordinatorAction::Restarts {
                token: after(cursor, &["at", "token"])?,
            },
            "expires" => {
                CoordinatorAction::Expires(self.client_name(cursor)?, self.lease_operand(cursor)?)
            }
            "revokes" => {
                CoordinatorAction::Revokes(self.client_name(cursor)?, self.lease_operand(cursor)?)
            }
            _ => self.grants(cursor)?,
        })
    }

    /// `A [LEASE] token N [until T]`
    fn grants(&mut self, cursor: &mut Cursor<'t>) -> Result<CoordinatorAction, Stop> {
        let client = self.client_name(cursor)?;
        let lease = self.lease_operand(cursor)?;
        cursor.require("token")?;
        Ok(CoordinatorAction::Grants {
            client,
            lease,
            token: cursor.number()?,
            until_secs: after(cursor, &["until"])?,
        })
    }

    fn resource_step(
        &mut self,
        cursor: &mut Cursor<'t>,
        resource: ResourceId,
    ) -> Result<Action, Stop> {
        let Some(verb) = cursor.word().filter(|word| RESOURCE.verbs.contains(word)) else {
            return Err(no_verb(cursor, &RESOURCE).into());
        };
        cursor.advance();
        let action = match verb {
            "forgets" => {
                cursor.require("mark")?;
                ResourceAction::ForgetsMark
            }
            "restarts" => {
                cursor.require("at")?;
                cursor.require("mark")?;
                ResourceAction::RestartsAtMark(cursor.number()?)
            }
            "saves" => ResourceAction::Saves,
            "restores" => ResourceAction::Restores,
            _ => ResourceAction::Becomes(policy(cursor, &[])?),
        };
        Ok(Action::Resource(resource, action))
    }

    /// `[LEASE]`
    fn lease_operand(&self, cursor: &mut Cursor<'t>) -> Result<LeaseId, Stop> {
        match cursor.word().and_then(|word| self.names.get(word)) {
            Some(Symbol::Lease(_)) => self.lease_name(cursor),
            _ if self.scenario.leases.len() == 1 => Ok(LeaseId(0)),
            _ => self.lease_name(cursor),
        }
    }

    /// A lease must be named here.
    pub(super) fn lease_name(&self, cursor: &mut Cursor<'t>) -> Result<LeaseId, Stop> {
        if let Some(Symbol::Lease(id)) = self.symbol(cursor)? {
            cursor.advance();
            return Ok(id);
        }
        Err(self.no_name(cursor, "a lease", &self.lease_names()))
    }

    /// `[RESOURCE]`, or `[to RESOURCE]` with that word before it.
    pub(super) fn resource_operand(
        &self,
        cursor: &mut Cursor<'t>,
        before: &str,
    ) -> Result<ResourceId, Stop> {
        let symbol = cursor.word().and_then(|word| self.names.get(word));
        let is_named = match before {
            "" => matches!(symbol, Some(Symbol::Resource(_))),
            _ => cursor.eat(before),
        };
        let is_only = self.scenario.resources.len() == 1;
        if is_only && !is_named {
            return Ok(ResourceId(0));
        }
        if !is_named && !before.is_empty() {
            let list = listed("", &self.resource_names());
            let expected = join(&["`", before, "` and a resource: ", &list]);
            return Err(cursor.wrong_near(&expected, &[before]).into());
        }
        if let Some(Symbol::Resource(id)) = self.symbol(cursor)? {
            cursor.advance();
            return Ok(id);
        }
        Err(self.no_name(cursor, "a resource", &self.resource_names()))
    }

    fn client_name(&self, cursor: &mut Cursor<'t>) -> Result<ClientId, Stop> {
        if let Some(Symbol::Client(id)) = self.symbol(cursor)? {
            cursor.advance();
            return Ok(id);
        }
        Err(self.no_name(cursor, "a client", &self.client_names()))
    }

    fn external_name(&self, cursor: &mut Cursor<'t>) -> Result<ExternalId, Stop> {
        if let Some(Symbol::External(id)) = self.symbol(cursor)? {
            cursor.advance();
            return Ok(id);
        }
        if self.scenario.externals.is_empty() {
            let advice = "a header line `external NAME` declares one";
            return Err(cursor.wrong("an external system").advise(advice).into());
        }
        Err(self.no_name(
            cursor,
            "an external system",
            &texts(&self.scenario.externals),
        ))
    }

    /// What the next word stands for.
    fn symbol(&self, cursor: &Cursor<'t>) -> Result<Option<Symbol>, Stop> {
        match cursor.word().and_then(|word| self.names.get(word)) {
            Some(Symbol::Broken) => Err(Stop::Depends),
            symbol => Ok(symbol),
        }
    }

    /// One of `names` should stand here.
    fn no_name(&self, cursor: &Cursor<'t>, what: &str, names: &[&str]) -> Stop {
        let expected = match names.is_empty() {
            true => what.to_owned(),
            false => listed(&join(&[what, ": "]), names),
        };
        let error = cursor.wrong_near(&expected, names);
        match cursor.word() {
            Some(word) if error.hint.is_none() => self.names.said(error, word).into(),
            _ => error.into(),
        }
    }

    /// The names of all clients.
    fn client_names(&self) -> Vec<&str> {
        texts(&self.scenario.clients)
    }

    /// The names of all leases that have one.
    fn lease_names(&self) -> Vec<&str> {
        let leases = self.scenario.leases.iter();
        leases.filter_map(|lease| lease.name.as_deref()).collect()
    }

    /// The names of all resources.
    fn resource_names(&self) -> Vec<&str> {
        let resources = self.scenario.resources.iter();
        resources.map(|resource| resource.name.as_str()).collect()
    }
}

fn message_step(cursor: &mut Cursor) -> Result<MessageAction, Fault> {
    if cursor.eat("arrives") {
        return Ok(match cursor.eat("again") {
            true => MessageAction::ArrivesAgain,
            false => MessageAction::Arrives,
        });
    }
    if cursor.eat("is") {
        cursor.require("lost")?;
        return Ok(MessageAction::IsLost);
    }
    Err(no_verb(cursor, &MESSAGE))
}

/// `[WORDS N]`
fn after(cursor: &mut Cursor, words: &[&str]) -> Result<Option<u64>, Fault> {
    let Some((first, rest)) = words.split_first() else {
        return Ok(None);
    };
    if cursor.peek().is_none() {
        return Ok(None);
    }
    if !cursor.eat(first) {
        let expected = join(&["`", first, "` or the end of the line"]);
        return Err(cursor.wrong_near(&expected, &[*first]));
    }
    for word in rest {
        cursor.require(word)?;
    }
    cursor.number().map(Some)
}

/// A verb of this kind of subject should stand here.
fn no_verb(cursor: &Cursor, role: &Role) -> Fault {
    let error = cursor.wrong_near("a verb", role.verbs);
    if let Some(other) = cursor.word().and_then(role_of) {
        let verb = cursor.word().unwrap_or_default();
        return error.advise(&join(&["`", verb, "` is what ", other.noun, " does"]));
    }
    match error.hint {
        Some(_) => error,
        None => error.advise(&listed(&join(&[role.noun, " "]), role.verbs)),
    }
}
