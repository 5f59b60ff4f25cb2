//! What could be written where the caret stands: keywords and names, those that make sense at that
//! time of the run first, each of the others with the reason.

use crate::frame::{self, Frame, Status};
use crate::script::{self, WRITE_ANSWERS};
use crate::session::Run;
use crate::sim::*;

/// At most so many are offered.
const MOST: usize = 12;

/// A word that could stand at the caret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The whole word.
    pub text: String,
    /// What it does.
    pub note: String,
    /// Why not now, without a full stop.
    pub why_not: Option<String>,
}

/// What could be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// How many characters before the caret are written already.
    pub typed: usize,
    /// What could stand there, possible ones first.
    pub items: Vec<Completion>,
    /// The time of the run at that line.
    pub at_secs: Secs,
}

/// The words that could be written in line `number` (from 1) before which `column` characters stand.
/// `run` is that of `text`.
pub fn completions(text: &str, number: usize, column: usize, run: &Run) -> Completions {
    let line = number
        .checked_sub(1)
        .and_then(|index| text.split('\n').nth(index))
        .unwrap_or("");
    let head: String = line.chars().take(column).collect();
    let Some((before, typed)) = split(&head) else {
        return Completions::default();
    };
    let place = Place::new(run, number);
    let mut found = Found {
        typed,
        items: Vec::new(),
    };
    place.offer(&before, &mut found);
    let chars = found.typed.chars().count();
    found
        .items
        .retain(|item| item.text.starts_with(found.typed) && item.text != found.typed);
    found.items.sort_by_key(|item| item.why_not.is_some());
    found.items.truncate(MOST);
    Completions {
        typed: chars,
        items: found.items,
        at_secs: place.at_secs,
    }
}

/// The words and signs before the caret, and the word that it stands in. `None` inside of a string
/// or comment.
fn split(head: &str) -> Option<(Vec<&str>, &str)> {
    let tokens = script::tokens(head);
    let total = head.chars().count();
    let mut words = Vec::new();
    for token in &tokens {
        let start = head
            .char_indices()
            .nth(token.column - 1)
            .map_or(head.len(), |(at, _)| at);
        let end = head
            .char_indices()
            .nth(token.column - 1 + token.length)
            .map_or(head.len(), |(at, _)| at);
        words.push((
            &head[start..end],
            token.kind,
            token.column - 1 + token.length == total,
        ));
    }
    use script::LexemeKind::{Comment, Number, Text, Word};
    match words.last().copied() {
        Some((_, Comment, _)) => None,
        Some((text, Text, true)) if text.len() < 2 || !text.ends_with('"') => None,
        Some((word, Word | Number, true)) => {
            words.pop();
            Some((words.into_iter().map(|(word, ..)| word).collect(), word))
        }
        _ => Some((words.into_iter().map(|(word, ..)| word).collect(), "")),
    }
}

/// What was found so far.
struct Found<'t> {
    typed: &'t str,
    items: Vec<Completion>,
}

impl Found<'_> {
    fn add(&mut self, text: &str, note: &str) {
        self.add_if(text, note, None);
    }

    fn add_if(&mut self, text: &str, note: &str, why_not: Option<String>) {
        self.items.push(Completion {
            text: text.to_owned(),
            note: note.to_owned(),
            why_not,
        });
    }

    fn add_all<'n>(&mut self, names: impl IntoIterator<Item = &'n String>, note: &str) {
        for name in names {
            self.add(name, note);
        }
    }

    fn add_table(&mut self, table: &[(&str, &str)]) {
        for (text, note) in table {
            self.add(text, note);
        }
    }
}

const HEADERS: [(&str, &str); 9] = [
    ("scenario", "a title"),
    ("ttl", "lease duration"),
    ("latency", "travel time of messages"),
    ("token", "the next token"),
    ("clients", "their names"),
    ("lease", "a scope with its own counter"),
    ("resource", "what judges writes"),
    ("external", "a system outside every fence"),
    ("coordinator:", "its settings"),
];
const STARTERS: [(&str, &str); 5] = [
    ("coordinator", "something happens there"),
    ("at", "at exactly that second"),
    ("wait", "let seconds pass"),
    ("note", "a caption"),
    ("expect", "what the run should say"),
];
const SETTINGS: [(&str, &str); 3] = [
    (
        "lock",
        "delay N: nobody is granted the lease for so long after an expiry",
    ),
    ("late", "renewal allowed: until the next grant"),
    ("reentry", "what the live holder gets that asks again"),
];
const COORDINATOR: [(&str, &str); 6] = [
    ("expires", "the holder’s lease ends now"),
    ("revokes", "ends it without a lock delay"),
    ("saves", "a snapshot"),
    ("restores", "back to the snapshot"),
    ("restarts", "leases are forgotten"),
    ("grants", "against the rules"),
];
const RESOURCE: [(&str, &str); 5] = [
    ("forgets", "mark: a clean-up"),
    ("restarts", "at mark N"),
    ("saves", "a snapshot"),
    ("restores", "back to the snapshot"),
    ("becomes", "another policy from here on"),
];
const MODIFIERS: [(&str, &str); 15] = [
    ("to", "which resource"),
    ("as", "a name for later lines"),
    ("taking", "so many seconds"),
    ("arriving", "at a second"),
    ("held", "until a line says it arrives"),
    ("lost", "it never arrives"),
    ("reply", "what becomes of the answer"),
    ("applied", "at a second: the resource stalls"),
    ("token", "another one than its own"),
    ("no", "token"),
    ("forged", "token"),
    ("key", "idempotency key"),
    ("seq", "number within its token"),
    ("based", "on a read"),
    ("deadline", "latest second"),
];

/// Words that follow a word, whatever the line.
const AFTER: [(&str, &[&str]); 12] = [
    ("reply", &["lost", "held", "taking"]),
    ("no", &["token"]),
    ("forged", &["token"]),
    ("arriving", &["at"]),
    ("applied", &["at"]),
    ("based", &["on"]),
    ("lock", &["delay"]),
    ("late", &["renewal"]),
    ("renewal", &["allowed"]),
    ("reentry", &["keeps", "mints", "refused"]),
    ("forgets", &["mark"]),
    ("not", &["committed"]),
];

/// Where the caret's line stands in the run.
struct Place<'r> {
    run: &'r Run,
    frame: Frame,
    at_secs: Secs,
    /// A step or `expect` line stands above.
    in_body: bool,
}

impl<'r> Place<'r> {
    fn new(run: &'r Run, number: usize) -> Self {
        let lines = &run.parsed.lines;
        let kept = lines.steps.partition_point(|line| *line < number);
        let last = kept
            .checked_sub(1)
            .and_then(|step| run.trace.steps.get(step));
        let at_secs = last.map_or(0, |step| step.finish_secs);
        let passed = moments_before(run, kept, at_secs);
        Place {
            run,
            frame: frame::at(
                run.scenario(),
                &run.trace,
                passed,
                at_secs.saturating_mul(1000),
            ),
            at_secs,
            in_body: kept > 0 || lines.expects.first().is_some_and(|line| *line < number),
        }
    }

    fn offer(&self, before: &[&str], found: &mut Found) {
        let words = match before {
            ["at", number, rest @ ..] if number.bytes().all(|b| b.is_ascii_digit()) => rest,
            _ => before,
        };
        let last = words.last().copied();
        if found.typed.contains('+') {
            return options(found);
        }
        match words {
            [] => self.subjects(before.is_empty(), found),
            ["expect"] => {
                found.add("mark", "at the end");
                found.add("value", "at the end");
                policies(found);
            }
            ["expect", ..] => self.expect(last, found),
            ["resource", .., ":"] | [_, "becomes"] => policies(found),
            ["coordinator", ":", ..] if matches!(last, Some(":" | ",")) => {
                found.add_table(&SETTINGS)
            }
            ["coordinator"] => found.add_table(&COORDINATOR),
            ["coordinator", "expires" | "revokes" | "grants"] => {
                found.add_all(&self.run.scenario().clients, "client");
            }
            _ if words.contains(&"=>") => self.outcome(words, last, found),
            _ => self.rest(words, last, found),
        }
    }

    /// The first word of a step, or of a line.
    fn subjects(&self, whole_line: bool, found: &mut Found) {
        let scenario = self.run.scenario();
        for (index, name) in scenario.clients.iter().enumerate() {
            let status = self.frame.clients.get(index).map(|client| client.status);
            found.add(
                name,
                &status
                    .map(crate::narration::status_words)
                    .unwrap_or_default(),
            );
        }
        for resource in &scenario.resources {
            found.add(&resource.name, &resource.policy.to_string());
        }
        if whole_line {
            found.add_table(&STARTERS);
            if !self.in_body {
                found.add_table(&HEADERS);
            }
        } else {
            found.add("coordinator", STARTERS[0].1);
        }
        found.add_all(&scenario.messages, "message");
    }

    fn rest(&self, words: &[&str], last: Option<&str>, found: &mut Found) {
        let scenario = self.run.scenario();
        let subject = words[0];
        if let Some((_, next)) = AFTER.iter().find(|(word, _)| Some(*word) == last) {
            return next.iter().for_each(|word| found.add(word, ""));
        }
        if let [_] = words {
            if let Some(client) = scenario.clients.iter().position(|name| name == subject) {
                return self.verbs(ClientId(client), found);
            }
            if scenario
                .resources
                .iter()
                .any(|resource| resource.name == subject)
            {
                return found.add_table(&RESOURCE);
            }
            if scenario.messages.iter().any(|name| name == subject) {
                found.add("arrives", "now");
                return found.add("is", "lost: it never arrives");
            }
        }
        match last {
            Some("to" | "claims" | "under") if scenario.resources.len() > 1 => {
                found.add_all(
                    scenario.resources.iter().map(|resource| &resource.name),
                    "resource",
                );
            }
            Some("calls") => return found.add_all(&scenario.externals, "external"),
            Some("on") => return found.add_all(&scenario.messages, "read"),
            Some("arrives") => found.add("again", "a copy of it"),
            Some("is") => return found.add("lost", "it never arrives"),
            Some("reaching") => {
                return found.add_all(
                    scenario
                        .resources
                        .iter()
                        .flat_map(|resource| &resource.replicas),
                    "replica",
                );
            }
            _ => {}
        }
        let verb = words.get(1).copied().unwrap_or_default();
        let is_request = matches!(
            verb,
            "acquires" | "renews" | "releases" | "writes" | "reads" | "claims" | "calls"
        );
        if matches!(
            verb,
            "acquires" | "renews" | "releases" | "checks" | "expires" | "revokes"
        ) && scenario.leases.len() > 1
        {
            found.add_all(
                scenario
                    .leases
                    .iter()
                    .filter_map(|lease| lease.name.as_ref()),
                "lease",
            );
        }
        if is_request && !matches!(last, Some("writes")) {
            found.add_table(&MODIFIERS);
            found.add("=>", "what is expected");
        }
    }

    /// What a client could do, and why not.
    fn verbs(&self, client: ClientId, found: &mut Found) {
        let scenario = self.run.scenario();
        let name = &scenario.clients[client.0];
        let status = self
            .frame
            .clients
            .get(client.0)
            .map_or(Status::Running, |client| client.status);
        let why = |text: &str| Some([name, " ", text].concat());
        let (idle, resumes, restarts) = match status {
            Status::Paused { .. } => (why("is paused"), None, why("has not crashed")),
            Status::Crashed { .. } => (why("has crashed"), why("is not paused"), None),
            _ => (None, why("is not paused"), why("has not crashed")),
        };
        let crashed = idle
            .clone()
            .filter(|_| matches!(status, Status::Crashed { .. }));
        for (verb, note) in [
            ("acquires", "asks for the lease"),
            ("renews", "more time, the same token"),
            ("releases", "gives the lease back"),
            ("writes", "a name and a value"),
            ("reads", "remembers the version"),
            ("claims", "installs its token as the mark"),
            ("checks", "its belief against its clock"),
            ("calls", "an effect outside every fence"),
            ("pauses", "in the middle of what it does"),
        ] {
            found.add_if(verb, note, idle.clone());
        }
        found.add_if("crashes", "loses its memory", crashed);
        found.add_if("resumes", "where it stopped", resumes);
        found.add_if("restarts", "with nothing remembered", restarts);
    }

    fn expect(&self, last: Option<&str>, found: &mut Found) {
        let scenario = self.run.scenario();
        match last {
            Some(":" | ",") => found.add_all(&scenario.messages, ""),
            Some("at") => found.add_all(
                scenario.resources.iter().map(|resource| &resource.name),
                "resource",
            ),
            Some("because") => found.items.extend(reasons()),
            Some("(") => found.items.extend(anomalies()),
            _ => {
                for word in WRITE_ANSWERS.into_iter().chain(["because"]) {
                    found.add(word, "");
                }
            }
        }
    }

    fn outcome(&self, words: &[&str], last: Option<&str>, found: &mut Found) {
        match last {
            Some("because") => found.items.extend(reasons()),
            Some("(") => found.items.extend(anomalies()),
            Some("rejected") => found.add("because", "a reason"),
            Some("=>") => {
                let answers: &[&str] = match words
                    .iter()
                    .find(|word| word.ends_with('s') && word.len() > 4)
                {
                    Some(&"acquires") => &["granted", "refused", "unknown"],
                    Some(&"renews") => &["renewed", "refused", "unknown"],
                    Some(&"releases") => &["released", "refused", "unknown"],
                    Some(&"checks") => &["valid", "lapsed"],
                    Some(&"reads" | &"calls") => &["accepted", "unknown"],
                    _ => &WRITE_ANSWERS,
                };
                answers.iter().for_each(|word| found.add(word, ""));
            }
            _ => {}
        }
    }
}

/// The moments that have passed before a step which starts then.
pub fn moments_before(run: &Run, step: usize, at_secs: Secs) -> usize {
    let later = |event: &Event| event.at_secs > at_secs || event.step.is_some_and(|by| by >= step);
    let first = run
        .trace
        .events
        .iter()
        .position(later)
        .unwrap_or(run.trace.events.len());
    run.trace
        .moments
        .partition_point(|moment| moment.events.end <= first)
}

fn policies(found: &mut Found) {
    for base in Base::ALL {
        found.add(base.name(), base_note(*base));
    }
}

/// `fenced+ow`: the options after the `+`.
fn options(found: &mut Found) {
    let stem = found.typed.rsplit_once('+').map_or("", |(stem, _)| stem);
    for option in PolicyOption::ALL {
        let text = [stem, "+", option.name()].concat();
        let why = script::parse_policy(&text)
            .err()
            .map(|_| "does not go with the others".to_owned());
        found.add_if(&text, option_note(*option), why);
    }
}

fn reasons() -> impl Iterator<Item = Completion> {
    Reason::ALL.iter().map(|reason| plain(reason.name()))
}

fn anomalies() -> impl Iterator<Item = Completion> {
    Anomaly::ALL.iter().map(|anomaly| plain(anomaly.name()))
}

fn plain(text: &str) -> Completion {
    Completion {
        text: text.to_owned(),
        note: String::new(),
        why_not: None,
    }
}

/// When a write is taken, in one clause.
pub fn base_note(base: Base) -> &'static str {
    match base {
        Base::Unfenced => "takes every write",
        Base::Fenced => "takes a token that is at least the mark",
        Base::Strict => "takes a token that is above the mark",
        Base::Equality => "takes one token only: the first, or the last one claimed",
        Base::AskHolder => "asks the coordinator who holds the lease",
        Base::Deadline => "takes it until the deadline that it carries",
        Base::CheckThenWrite => "compares on arrival, writes later",
    }
}

/// What an option adds, in one clause.
pub fn option_note(option: PolicyOption) -> &'static str {
    match option {
        PolicyOption::Owner => "an equal token only from who set the mark",
        PolicyOption::Sequence => "numbers must rise within one token",
        PolicyOption::Optional => "a write without a token may pass",
        PolicyOption::Claim => "each grant moves the mark at once",
        PolicyOption::Durable => "the mark survives clean-ups and restarts, but no restore",
        PolicyOption::Cas => "only if nothing was written since the check",
        PolicyOption::DedupeAfter => "a known key: duplicate, after all else passed",
        PolicyOption::DedupeFirst => "a known key: duplicate, before the fence",
        PolicyOption::Verified => "only tokens that were issued to the sender, under this lease",
    }
}
