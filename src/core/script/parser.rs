//! From a text to a scenario: which line is what, and what an error leaves of it.

use super::cursor::{Cursor, decimal};
use super::error::{Fault, Stop, SyntaxError, near_miss};
use super::header::default_resource;
use super::lexer::{Kind, Lexer, lines};
use super::names::{Names, Symbol};
use super::outcome::{OF_WRITE, at_most, outcome, policy, texts};
use super::words::{HEADERS, is_keyword, is_name};
use super::{LineMap, MAX_ERRORS, MAX_EXPECTS, MAX_STEPS, MAX_TEXT_BYTES, Parsed};
use crate::sim::text::{join, whole};
use crate::sim::{
    Action, Body, ClientId, CoordinatorRules, Expect, ExpectedVerdict, Lease, NameId, ReplicaId,
    ResourceId, Scenario, Step,
};

/// Parses any text. Takes time linear in the text; beyond [`MAX_TEXT_BYTES`] it only counts lines.
pub fn parse(text: &str) -> Parsed {
    let readable = readable(text);
    let statements: Vec<Statement> = lines(readable).enumerate().filter_map(statement).collect();
    let has = |word| statements.iter().any(|statement| statement.word == word);
    let mut parser = Parser::new();
    parser.declare_defaults(!has("clients"), !has("resource"));
    // A resource may name a lease of a later line, a step anything of a (misplaced) header line.
    for part in [Part::Header, Part::Resource, Part::Body] {
        parser.read(&statements, part);
        parser.complete(part);
    }
    parser.judge_header_places();
    parser.finish(text, readable)
}

/// The whole lines of the text within [`MAX_TEXT_BYTES`].
fn readable(text: &str) -> &str {
    if text.len() <= MAX_TEXT_BYTES {
        return text;
    }
    let head = &text[..text.floor_char_boundary(MAX_TEXT_BYTES)];
    &head[..head.rfind('\n').map_or(0, |end| end + 1)]
}

/// What is read at one go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Header lines but for resources.
    Header,
    /// `resource` lines.
    Resource,
    /// Steps and `expect` lines.
    Body,
}

/// A line that says something.
struct Statement<'t> {
    text: &'t str,
    /// From 1.
    number: usize,
    /// Its first token.
    word: &'t str,
    part: Part,
}

/// Tells where a line belongs; `None` for one that says nothing.
fn statement((index, text): (usize, &str)) -> Option<Statement<'_>> {
    let mut tokens = Lexer::new(text);
    let first = tokens.next()?;
    if first.kind == Kind::Comment {
        return None;
    }
    let word = &text[first.start..first.end];
    let part = match word {
        "resource" => Part::Resource,
        "coordinator" if tokens.next().is_some_and(|next| next.kind == Kind::Colon) => Part::Header,
        _ if HEADERS.contains(&word) => Part::Header,
        _ => Part::Body,
    };
    Some(Statement {
        text,
        number: index + 1,
        word,
        part,
    })
}

/// What is known so far.
pub(super) struct Parser<'t> {
    pub(super) scenario: Scenario,
    pub(super) names: Names<'t>,
    /// Words of header lines that may not be repeated, with their lines.
    pub(super) headers_seen: Vec<(&'t str, usize)>,
    /// The name that the line at hand gives to its message.
    pub(super) new_message: Option<&'t str>,
    lines: LineMap,
    /// In line order.
    errors: Vec<Fault>,
    /// For each message the index of its step.
    definitions: Vec<usize>,
    /// The first words of all header lines without an error.
    headers: Vec<Fault>,
    first_step: Option<usize>,
    first_expect: Option<usize>,
}

impl<'t> Parser<'t> {
    fn new() -> Self {
        Parser {
            scenario: Scenario {
                title: String::new(),
                ttl_secs: 10,
                latency_secs: 1,
                token: 1,
                clients: Vec::new(),
                leases: Vec::new(),
                resources: Vec::new(),
                externals: Vec::new(),
                coordinator: CoordinatorRules::default(),
                messages: Vec::new(),
                steps: Vec::new(),
                expects: Vec::new(),
            },
            names: Names::default(),
            headers_seen: Vec::new(),
            new_message: None,
            lines: LineMap::default(),
            errors: Vec::new(),
            definitions: Vec::new(),
            headers: Vec::new(),
            first_step: None,
            first_expect: None,
        }
    }

    /// Names that stand without a header line.
    fn declare_defaults(&mut self, clients: bool, resource: bool) {
        if clients {
            self.default_clients();
        }
        if resource {
            self.default_resource();
        }
    }

    fn default_clients(&mut self) {
        for index in 0..2 {
            let name = self.free_name(&["A", "B", "C", "D"]);
            self.scenario.clients.push(name.to_owned());
            self.names.declare(name, Symbol::Client(ClientId(index)), 0);
        }
    }

    fn default_resource(&mut self) {
        let name = self.free_name(&["doc", "doc-1", "doc-2", "doc-3", "doc-4", "doc-5", "doc-6"]);
        self.scenario.resources.push(default_resource(name));
        self.names.declare(name, Symbol::Resource(ResourceId(0)), 0);
    }

    /// The first of these names that nothing has yet. It is the very first unless the line that
    /// should have declared some is broken.
    fn free_name(&self, names: &[&'static str]) -> &'static str {
        let is_free = |name: &&str| self.names.get(name).is_none();
        let free = names.iter().copied().find(is_free);
        free.unwrap_or(names[0])
    }

    /// Reads all lines of one part. Stops after too many errors or steps.
    fn read(&mut self, statements: &[Statement<'t>], part: Part) {
        let before = self.errors.len();
        for statement in statements.iter().filter(|statement| statement.part == part) {
            if self.errors.len() - before >= MAX_ERRORS {
                return;
            }
            let mut cursor = Cursor::new(statement.text, statement.number);
            if let Some(error) = self.too_many(&cursor, part) {
                self.report(error);
                return;
            }
            let result = match part {
                Part::Body => self.body_line(&mut cursor),
                _ => self.header(&mut cursor),
            };
            self.note(result, &cursor, part);
        }
    }

    /// Keeps an error, and the names of the line that it spoils.
    fn note(&mut self, result: Result<(), Stop>, cursor: &Cursor<'t>, part: Part) {
        match result {
            Ok(()) if part != Part::Body => {
                let start = Cursor::new(cursor.text, cursor.number);
                self.headers.push(start.wrong("a step"));
            }
            Ok(()) => {}
            Err(stop) => {
                self.salvage(cursor);
                if let Stop::Wrong(error) = stop {
                    self.report(error);
                }
            }
        }
    }

    /// Declares what a line with an error would have, so that the lines that use it do not seem
    /// wrong too.
    fn salvage(&mut self, cursor: &Cursor<'t>) {
        let mut words = cursor.words();
        let first = words.next().unwrap_or_default();
        let header = match self.names.get(first) {
            None => near_miss(first, &HEADERS),
            Some(_) => None,
        };
        let mut declares = header.is_some();
        for word in words {
            if declares && is_name(word) && !is_keyword(word) {
                self.names.declare_broken(word, cursor.number);
            }
            declares = header == Some("clients") || matches!(word, "writes" | "as");
        }
    }

    /// An error if the text has one step or `expect` line more than it may.
    fn too_many(&self, cursor: &Cursor, part: Part) -> Option<Fault> {
        if part != Part::Body {
            return None;
        }
        let (count, limit, what) = match cursor.word() {
            Some("expect") => (self.scenario.expects.len(), MAX_EXPECTS, "`expect` lines"),
            _ => (self.scenario.steps.len(), MAX_STEPS, "steps"),
        };
        (count >= limit).then(|| {
            let error = cursor.wrong(&at_most(limit, what));
            error.advise("this line and those after it were not read")
        })
    }

    /// Fills in what no line of the part has declared.
    fn complete(&mut self, part: Part) {
        match part {
            Part::Header => {
                if self.scenario.clients.is_empty() {
                    self.default_clients();
                }
                self.complete_leases();
            }
            Part::Resource if self.scenario.resources.is_empty() => self.default_resource(),
            Part::Resource | Part::Body => {}
        }
    }

    /// The one lease of a text without any; and no lease says what all say.
    fn complete_leases(&mut self) {
        let scenario = &mut self.scenario;
        if scenario.leases.is_empty() {
            scenario.leases.push(Lease {
                name: None,
                token: None,
                ttl_secs: None,
            });
        }
        for lease in &mut scenario.leases {
            lease.token = lease.token.filter(|token| *token != scenario.token);
            lease.ttl_secs = lease.ttl_secs.filter(|ttl| *ttl != scenario.ttl_secs);
        }
    }

    /// A step or an `expect` line.
    fn body_line(&mut self, cursor: &mut Cursor<'t>) -> Result<(), Stop> {
        self.new_message = None;
        if cursor.eat("expect") {
            self.first_expect.get_or_insert(cursor.number);
            let expect = self.expect(cursor)?;
            cursor.end()?;
            self.scenario.expects.push(expect);
            self.lines.expects.push(cursor.number);
            return Ok(());
        }
        let step = self.step(cursor)?;
        if let Some(line) = self.first_expect {
            let start = Cursor::new(cursor.text, cursor.number);
            let advice = join(&[
                "steps come before the first `expect` (line ",
                &whole(line as u64),
                ")",
            ]);
            return Err(start.wrong("an `expect` line").advise(&advice).into());
        }
        self.add_step(step, cursor.number);
        Ok(())
    }

    fn add_step(&mut self, step: Step, line: usize) {
        if let Some(name) = self.new_message {
            let id = NameId(self.scenario.messages.len());
            self.names.declare(name, Symbol::Message(id), line);
            self.scenario.messages.push(name.to_owned());
            self.definitions.push(self.scenario.steps.len());
        }
        self.scenario.steps.push(step);
        self.lines.steps.push(line);
    }

    /// Notes that a line is a step, right or wrong.
    pub(super) fn saw_step(&mut self, line: usize) {
        self.first_step.get_or_insert(line);
    }

    /// What a message asks.
    pub(super) fn body_of(&self, id: NameId) -> Option<&Body> {
        let index = *self.definitions.get(id.0)?;
        match &self.scenario.steps.get(index)?.action {
            Action::Request(request) => Some(&request.body),
            _ => None,
        }
    }

    /// The names of the messages for which `keep` holds.
    pub(super) fn messages(&self, keep: fn(&Body) -> bool) -> Vec<&str> {
        let mut names = Vec::new();
        for (index, name) in self.scenario.messages.iter().enumerate() {
            if self.body_of(NameId(index)).is_some_and(keep) {
                names.push(name.as_str());
            }
        }
        names
    }

    /// An `expect` line after the word.
    fn expect(&self, cursor: &mut Cursor<'t>) -> Result<Expect, Stop> {
        if cursor.eat("mark") {
            let mark = cursor.number()?;
            return Ok(Expect::Mark(mark, self.resource_operand(cursor, "at")?));
        }
        if cursor.eat("value") {
            let value = cursor.string("a value")?;
            return Ok(Expect::Value(value, self.resource_operand(cursor, "at")?));
        }
        let policy = policy(cursor, &["mark", "value"])?;
        cursor.require_sign(Kind::Colon, "`:`")?;
        let mut verdicts = Vec::new();
        loop {
            verdicts.push(self.expected_verdict(cursor)?);
            if !cursor.eat_sign(Kind::Comma) {
                break;
            }
        }
        match cursor.peek() {
            None => Ok(Expect::Verdicts(policy, verdicts)),
            Some(_) => Err(cursor.wrong("`,` or the end of the line").into()),
        }
    }

    /// `NAME[#2][@R1] VERDICT`
    fn expected_verdict(&self, cursor: &mut Cursor<'t>) -> Result<ExpectedVerdict, Stop> {
        const WHAT: &str = "the name of a write or claim";
        let word = cursor.word().ok_or_else(|| cursor.wrong(WHAT))?;
        let (head, place) = match word.split_once('@') {
            Some((head, place)) => (head, Some(place)),
            None => (word, None),
        };
        let (name, count) = match head.split_once('#') {
            Some((name, count)) => (name, Some(count)),
            None => (head, None),
        };
        let (name, resource) = self.judged(cursor, name)?;
        let delivery = match count {
            Some(count) => delivery(count)
                .ok_or_else(|| cursor.wrong("the number of a delivery after `#`, from 1"))?,
            None => 1,
        };
        let replica = match place {
            Some(place) => Some(self.replica(cursor, resource, place)?),
            None => None,
        };
        cursor.advance();
        Ok(ExpectedVerdict {
            name,
            delivery,
            replica,
            outcome: outcome(cursor, &OF_WRITE)?,
        })
    }

    /// A write or claim and its resource; `name` is the head of the next word.
    fn judged(&self, cursor: &Cursor<'t>, name: &str) -> Result<(NameId, ResourceId), Stop> {
        let symbol = self.names.get(name);
        if let Some(Symbol::Message(id)) = symbol {
            match self.body_of(id) {
                Some(Body::Write(write)) => return Ok((id, write.resource)),
                Some(Body::Claim(resource, _)) => return Ok((id, *resource)),
                _ => {}
            }
        }
        if symbol == Some(Symbol::Broken) {
            return Err(Stop::Depends);
        }
        let start = cursor.peek().map_or(0, |token| token.start);
        let length = if name.is_empty() { 1 } else { name.len() };
        let error = cursor.wrong_span(start, start + length, "the name of a write or claim");
        let known = self.messages(|body| matches!(body, Body::Write(_) | Body::Claim(..)));
        Err(match (symbol, near_miss(name, &known)) {
            (None, Some(known)) => error.suggest(known),
            (None, None) => error,
            _ => error.advise(&join(&["`", name, "` is neither"])),
        }
        .into())
    }

    /// The replica after the `@` of the next word.
    fn replica(
        &self,
        cursor: &Cursor<'t>,
        resource: ResourceId,
        place: &str,
    ) -> Result<ReplicaId, Fault> {
        let names = &self.scenario.resources[resource.0].replicas;
        if let Some(index) = names.iter().position(|name| name == place) {
            return Ok(ReplicaId(index));
        }
        let whole = self.no_replica(cursor, resource);
        let end = cursor.peek().map_or(0, |token| token.end);
        // Without a name the `@` itself is marked.
        let start = end - place.len().max(1);
        let error = cursor.wrong_span(start, end, &whole.expected);
        Err(match (near_miss(place, &texts(names)), whole.hint) {
            (Some(known), _) => error.suggest(known),
            (None, Some(hint)) if hint.replacement.is_none() => error.advise(&hint.text),
            (None, _) => error,
        })
    }

    /// Header lines after the first step, or after an `expect` line.
    fn judge_header_places(&mut self) {
        let body = self.first_step.into_iter().chain(self.first_expect).min();
        let Some(first) = body else {
            return;
        };
        for error in std::mem::take(&mut self.headers) {
            if error.line <= first {
                continue;
            }
            let advice = join(&[
                "header lines come before the first step (line ",
                &whole(first as u64),
                ")",
            ]);
            self.report(error.advise(&advice));
        }
    }

    /// Keeps an error, after those of earlier lines.
    fn report(&mut self, error: Fault) {
        let index = self
            .errors
            .partition_point(|other| other.line <= error.line);
        self.errors.insert(index, error);
    }

    /// Says what was not judged.
    fn finish(mut self, text: &str, readable: &str) -> Parsed {
        let ends = text.bytes().filter(|byte| *byte == b'\n').count();
        let total = ends + usize::from(!text.is_empty() && !text.ends_with('\n'));
        if readable.len() < text.len() {
            let line = lines(readable).count();
            let found = join(&[&whole(text.len() as u64), " bytes"]);
            let expected = join(&["at most ", &whole(MAX_TEXT_BYTES as u64)]);
            let left = whole((total + 1 - line) as u64);
            let hint = join(&[&left, " lines from here on were not read"]);
            self.report(whole_line(line, found, expected).advise(&hint));
        }
        let mut errors = self.errors;
        let is_cut = errors.len() >= MAX_ERRORS;
        errors.truncate(MAX_ERRORS);
        let last = errors.last().map_or(total, |error| error.line);
        if is_cut && last < total {
            let found = join(&[&whole((total - last) as u64), " more lines"]);
            let expected = at_most(MAX_ERRORS, "errors before them");
            let hint = "they were not judged";
            errors.push(whole_line(last + 1, found, expected).advise(hint));
        }
        Parsed {
            scenario: self.scenario,
            lines: self.lines,
            errors: errors.into_iter().map(|error| *error).collect(),
        }
    }
}

/// The number of a delivery.
fn delivery(digits: &str) -> Option<u32> {
    let number = decimal(digits, u64::from(u32::MAX))? as u32;
    (number > 0).then_some(number)
}

/// An error that speaks of all from this line on.
fn whole_line(line: usize, found: String, expected: String) -> Fault {
    Box::new(SyntaxError {
        line,
        column: 1,
        length: 1,
        found,
        expected,
        hint: None,
    })
}
