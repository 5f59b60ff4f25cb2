//! What can be done at the cursor, party by party: every verb of the language, each as the line
//! that it writes, or as a form that makes one. What cannot be done now is named with the reason.

use crate::complete::base_note;
use crate::edit::quote;
use crate::frame::{self, Frame, Status};
use crate::narration;
use crate::playhead::Cursor;
use crate::script;
use crate::session::Run;
use crate::sim::*;

/// A request under way, whose arrival can be moved along time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// When it sets out, and the earliest that it can arrive.
    pub sent_secs: Secs,
    /// When it arrives.
    pub due_secs: Secs,
    /// Where to.
    pub to: Node,
    /// The step that sends it.
    step: usize,
}

/// When a named request arrives, if it does by itself. Copies and answers have their own lines.
pub fn arrival(run: &Run, name: NameId) -> Option<Arrival> {
    let is_first = |message: &&Message| {
        message.name == Some(name) && message.answers.is_none() && message.copy_of.is_none()
    };
    let message = run.trace.messages.iter().find(is_first)?;
    let Action::Request(request) = &run.scenario().steps.get(message.step)?.action else {
        return None;
    };
    (!matches!(request.travel, Travel::Held | Travel::Lost)).then_some(())?;
    Some(Arrival {
        sent_secs: message.sent_secs,
        due_secs: message.due_secs.or(message.arrived_secs)?,
        to: message.to,
        step: message.step,
    })
}

/// The line, with its number from 1, that lets a request arrive at another time.
pub fn arriving_at(run: &Run, arrival: &Arrival, at_secs: Secs) -> Option<(usize, String)> {
    let scenario = run.scenario();
    let step = scenario.steps.get(arrival.step)?;
    let number = run.parsed.lines.steps.get(arrival.step)?;
    let Action::Request(mut request) = step.action.clone() else {
        return None;
    };
    request.travel = match request.travel {
        Travel::ArrivingAt(_) => Travel::ArrivingAt(at_secs.max(arrival.sent_secs)),
        _ => Travel::Taking(at_secs.saturating_sub(arrival.sent_secs)),
    };
    let moved = Step {
        action: Action::Request(request),
        ..step.clone()
    };
    Some((*number, script::print_step(scenario, &moved)))
}

/// Only so many messages have a menu, the newest.
const MOST_MESSAGES: usize = 40;

/// Whose menu it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The coordinator.
    Coordinator,
    /// A client.
    Client(ClientId),
    /// A resource.
    Resource(ResourceId),
    /// A named message that was sent.
    Message(NameId),
    /// Time itself.
    Time,
}

/// The actions of one party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Menu {
    /// Whose.
    pub owner: Owner,
    /// Whose colour it has.
    pub who: Option<ClientId>,
    /// Its name.
    pub title: String,
    /// How it is now.
    pub state: String,
    /// What can be done.
    pub items: Vec<Item>,
    /// What cannot: the reason, and what it forbids.
    pub off: Vec<(String, Vec<&'static str>)>,
}

/// Something that can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What the row says.
    pub label: String,
    /// A few words more.
    pub note: String,
    /// What it does.
    pub does: Does,
    /// Seldom wanted: it stands behind "More…".
    pub rare: bool,
}

/// See [`Item::does`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    /// Adds this line at the cursor.
    Add(String),
    /// Asks for details, then adds a line.
    Ask(Form),
    /// Changes line `number` of the text to this.
    Change {
        /// From 1.
        number: usize,
        /// The new line.
        line: String,
    },
    /// Asks for details, then changes line `number`.
    AskChange {
        /// From 1.
        number: usize,
        /// Makes the new line.
        form: Form,
    },
}

/// A line with gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// What the line begins with.
    pub head: String,
    /// The gaps in order.
    pub fields: Vec<Field>,
    /// What the button says.
    pub press: &'static str,
}

/// A gap of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// What it is for.
    pub label: &'static str,
    /// What can be put in.
    pub input: Input,
    /// Shown only with the details.
    pub detail: bool,
}

/// See [`Field::input`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A word or number, written after `before`; nothing is written for an empty one.
    Word {
        /// With its blanks.
        before: &'static str,
        /// What stands there at first.
        value: String,
    },
    /// A string: the same in quotes. One without `before` is written even if it is empty.
    Text {
        /// With its blanks.
        before: &'static str,
        /// What stands there at first.
        value: String,
    },
    /// One of several, by what is written for it; `{}` in it is the operand beside it.
    Choice {
        /// Shown, and written.
        options: Vec<(String, String)>,
        /// What the operand is at first, if there may be one.
        operand: Option<String>,
    },
    /// On or off: written or not.
    Check {
        /// With its blanks.
        written: String,
    },
}

/// The values of a form before anything is filled in.
pub fn defaults(form: &Form) -> Vec<String> {
    let mut values = Vec::new();
    for field in &form.fields {
        match &field.input {
            Input::Word { value, .. } | Input::Text { value, .. } => values.push(value.clone()),
            Input::Choice { operand, .. } => {
                values.push("0".to_owned());
                values.extend(operand.clone());
            }
            Input::Check { .. } => values.push(String::new()),
        }
    }
    values
}

/// The line that a filled form makes. Of a choice the value is the number of the option; of a check
/// it is empty for off.
pub fn compose(form: &Form, values: &[String]) -> String {
    let mut line = form.head.clone();
    let mut values = values.iter().map(|value| value.trim());
    for field in &form.fields {
        let value = values.next().unwrap_or_default();
        match &field.input {
            Input::Word { before, .. } if !value.is_empty() => {
                line.push_str(&[before, value].concat())
            }
            Input::Text { before, .. } if !value.is_empty() || before.len() < 2 => {
                line.push_str(&[before, quote(value).as_str()].concat());
            }
            Input::Choice { options, operand } => {
                let chosen = value
                    .parse::<usize>()
                    .ok()
                    .and_then(|index| options.get(index));
                let written = chosen.map_or("", |(_, written)| written);
                let operand = if operand.is_some() {
                    values.next().unwrap_or_default()
                } else {
                    ""
                };
                match written.contains("\"{}\"") {
                    true => line.push_str(&written.replace("\"{}\"", &quote(operand))),
                    false => line.push_str(&written.replace("{}", operand)),
                }
            }
            Input::Check { written } if !value.is_empty() => line.push_str(written),
            _ => {}
        }
    }
    line
}

/// The menus of all parties at `cursor`: coordinator, clients, resources, time, then the messages
/// sent so far, the newest first.
pub fn menus(run: &Run, cursor: Cursor) -> Vec<Menu> {
    let scenario = run.scenario();
    let at = At {
        run,
        scenario,
        cursor,
        frame: frame::at(scenario, &run.trace, cursor.passed, cursor.now_ms),
    };
    let mut menus = vec![at.coordinator()];
    menus.extend((0..scenario.clients.len()).map(|index| at.client(ClientId(index))));
    menus.extend((0..scenario.resources.len()).map(|index| at.resource(ResourceId(index))));
    menus.push(at.time());
    let newest = (0..scenario.messages.len())
        .rev()
        .filter_map(|index| at.message(NameId(index)));
    menus.extend(newest.take(MOST_MESSAGES));
    menus
}

fn add(label: &str, note: &str, line: String) -> Item {
    Item {
        label: label.to_owned(),
        note: note.to_owned(),
        does: Does::Add(line),
        rare: false,
    }
}

fn ask(label: &str, note: &str, form: Form) -> Item {
    Item {
        label: label.to_owned(),
        note: note.to_owned(),
        does: Does::Ask(form),
        rare: false,
    }
}

fn word(label: &'static str, before: &'static str, value: impl ToString) -> Field {
    Field {
        label,
        input: Input::Word {
            before,
            value: value.to_string(),
        },
        detail: false,
    }
}

fn text(label: &'static str, before: &'static str, value: &str) -> Field {
    Field {
        label,
        input: Input::Text {
            before,
            value: value.to_owned(),
        },
        detail: false,
    }
}

fn choice(label: &'static str, options: Vec<(String, String)>, operand: Option<&str>) -> Field {
    Field {
        label,
        input: Input::Choice {
            options,
            operand: operand.map(str::to_owned),
        },
        detail: false,
    }
}

fn detail(field: Field) -> Field {
    Field {
        detail: true,
        ..field
    }
}

fn pair(shown: &str, written: &str) -> (String, String) {
    (shown.to_owned(), written.to_owned())
}

/// How a request travels.
fn travel(operand: &str) -> Field {
    let options = vec![
        pair("as usual", ""),
        pair("taking … s", " taking {}"),
        pair("arriving at … s", " arriving at {}"),
        pair("held, until you say", " held"),
        pair("lost", " lost"),
    ];
    choice("Travel", options, Some(operand))
}

fn reply() -> Field {
    let options = vec![
        pair("as usual", ""),
        pair("taking … s", " reply taking {}"),
        pair("held, until you say", " reply held"),
        pair("lost", " reply lost"),
    ];
    choice("Reply", options, Some("5"))
}

/// The policies as a base and options.
pub fn policy_fields(before: &str) -> Vec<Field> {
    let bases = Base::ALL.iter().map(|base| {
        (
            [base.name(), ": ", base_note(*base)].concat(),
            [before, base.name()].concat(),
        )
    });
    let mut fields = vec![choice("Policy", bases.collect(), None)];
    fields.extend(PolicyOption::ALL.iter().map(|option| {
        let written = ["+", option.name()].concat();
        detail(Field {
            label: option.name(),
            input: Input::Check { written },
            detail: true,
        })
    }));
    fields
}

/// The place of the cursor.
struct At<'r> {
    run: &'r Run,
    scenario: &'r Scenario,
    cursor: Cursor,
    frame: Frame,
}

impl At<'_> {
    /// A name that no message has yet.
    fn fresh(&self, stem: &str) -> String {
        let name = |number: usize| [stem, &number.to_string()].concat();
        (1..)
            .map(name)
            .find(|name| !self.scenario.messages.contains(name))
            .unwrap_or_default()
    }

    /// What names a lease: nothing where there is only one.
    fn leases(&self) -> Vec<(String, String)> {
        let several = self.scenario.leases.len() > 1;
        let of = |lease: &Lease| {
            let name = lease.name.clone().unwrap_or_default();
            let written = if several {
                [" ", &name].concat()
            } else {
                String::new()
            };
            (
                if several {
                    name
                } else {
                    "the lease".to_owned()
                },
                written,
            )
        };
        self.scenario.leases.iter().map(of).collect()
    }

    /// The same for resources.
    fn resources(&self, before: &str) -> Vec<(String, String)> {
        let several = self.scenario.resources.len() > 1;
        let of = |resource: &Resource| {
            let written = if several {
                [before, &resource.name].concat()
            } else {
                String::new()
            };
            (resource.name.clone(), written)
        };
        self.scenario.resources.iter().map(of).collect()
    }

    fn clients(&self) -> Vec<(String, String)> {
        self.scenario
            .clients
            .iter()
            .map(|name| pair(name, name))
            .collect()
    }

    fn has(&self, wanted: impl Fn(&EventKind) -> bool) -> bool {
        let end = self.run.trace.events_passed(self.cursor.passed);
        self.run
            .trace
            .events
            .iter()
            .take(end)
            .any(|event| wanted(&event.kind))
    }

    fn coordinator(&self) -> Menu {
        let (mut items, mut off) = (Vec::new(), Vec::new());
        let mut states = Vec::new();
        for ((index, lease), (_, of)) in self.frame.leases.iter().enumerate().zip(self.leases()) {
            let Some(held) = lease.held else { continue };
            let name = &self.scenario.clients[held.client.0];
            let scope = self.scenario.leases[index]
                .name
                .as_ref()
                .map_or(String::new(), |name| [" of ", name].concat());
            states.push([name, " holds ", &held.token.to_string(), &scope].concat());
            let line = |verb: &str| ["coordinator ", verb, " ", name, &of].concat();
            items.push(add(
                &["Let ", name, "’s lease", &scope, " expire"].concat(),
                "now",
                line("expires"),
            ));
            items.push(add(
                &["Revoke ", name, "’s lease", &scope].concat(),
                "no delay",
                line("revokes"),
            ));
        }
        if states.is_empty() {
            states.push("nobody holds the lease".to_owned());
            off.push((
                "Nobody holds the lease".to_owned(),
                vec!["Let a lease expire", "Revoke"],
            ));
        }
        items.push(add("Save a snapshot", "", "coordinator saves".to_owned()));
        if self.has(|kind| *kind == EventKind::CoordinatorSaved) {
            items.push(add(
                "Restore",
                "the snapshot",
                "coordinator restores".to_owned(),
            ));
            let fields = vec![word("Jump", " jumping ", 1000)];
            items.push(ask(
                "Restore, jumping…",
                "",
                form("coordinator restores", fields, "Restore"),
            ));
        } else {
            off.push((
                "Nothing was saved yet".to_owned(),
                vec!["Restore", "Restore, jumping…"],
            ));
        }
        items.push(add(
            "Restart",
            "leases forgotten",
            "coordinator restarts".to_owned(),
        ));
        let fields = vec![word("Token", " at token ", 1)];
        items.push(ask(
            "Restart at a token…",
            "",
            form("coordinator restarts", fields, "Restart"),
        ));
        let next = self.frame.leases.first().map_or(1, |lease| lease.next);
        let fields = vec![
            choice("Client", self.clients(), None),
            choice("Lease", self.leases(), None),
            word("Token", " token ", next),
            detail(word("Until", " until ", "")),
        ];
        items.push(ask(
            "Grant against the rules…",
            "",
            form("coordinator grants ", fields, "Grant"),
        ));
        Menu {
            owner: Owner::Coordinator,
            who: None,
            title: "Coordinator".to_owned(),
            state: states.join(", "),
            items,
            off,
        }
    }

    fn client(&self, client: ClientId) -> Menu {
        let name = &self.scenario.clients[client.0];
        let status = self.frame.clients[client.0].status;
        let verb = |verb: &str| [name, " ", verb].concat();
        let (mut items, mut off) = (Vec::new(), Vec::new());
        let every = vec![
            "Acquire",
            "Write…",
            "Renew",
            "Release",
            "Check",
            "Read",
            "Claim",
            "Call…",
            "Other request…",
        ];
        match status {
            Status::Paused { .. } => {
                items.push(add("Resume", "where it stopped", verb("resumes")));
                items.push(add("Crash", "loses its memory", verb("crashes")));
                off.push((["Not while ", name, " is paused"].concat(), every));
            }
            Status::Crashed { .. } => {
                items.push(add("Restart", "with nothing remembered", verb("restarts")));
                off.push((
                    ["Not while ", name, " is down"].concat(),
                    [vec!["Pause"], every].concat(),
                ));
            }
            Status::Running | Status::RunningAgain => self.requests(client, &mut items, &mut off),
        }
        let held = self
            .frame
            .leases
            .iter()
            .filter_map(|lease| lease.held)
            .find(|held| held.client == client);
        let mut state = narration::status_words(status);
        if let Some(held) = held {
            state.push_str(&[", holds ", &held.token.to_string()].concat());
        }
        let title = if name.len() > 2 {
            name.clone()
        } else {
            ["Client ", name].concat()
        };
        Menu {
            owner: Owner::Client(client),
            who: Some(client),
            title,
            state,
            items,
            off,
        }
    }

    /// What a client that runs can do. What is likely comes first.
    fn requests(
        &self,
        client: ClientId,
        items: &mut Vec<Item>,
        off: &mut Vec<(String, Vec<&'static str>)>,
    ) {
        let name = &self.scenario.clients[client.0];
        let verb = |verb: &str| [name, " ", verb].concat();
        let per_lease = |items: &mut Vec<Item>, label: &str, note: &str, what: &str| {
            let leases = self.leases();
            let several = leases.len() > 1;
            for (lease, written) in leases {
                let label = if several {
                    [label, " ", &lease].concat()
                } else {
                    label.to_owned()
                };
                items.push(add(&label, note, [&verb(what), written.as_str()].concat()));
            }
        };
        let write = ask("Write…", "a value", self.write(client));
        let holds = self
            .frame
            .leases
            .iter()
            .any(|lease| lease.held.is_some_and(|held| held.client == client));
        if holds {
            items.push(write);
            per_lease(items, "Renew", "the same token", "renews");
            per_lease(items, "Release", "", "releases");
            per_lease(items, "Acquire", "once more", "acquires");
        } else {
            per_lease(items, "Acquire", "asks for the lease", "acquires");
            items.push(write);
            per_lease(items, "Renew", "", "renews");
            per_lease(items, "Release", "", "releases");
        }
        items.push(add("Pause", "in the middle", verb("pauses")));
        items.push(add("Crash", "loses its memory", verb("crashes")));
        let usual = items.len();
        per_lease(items, "Check", "belief and clock", "checks");
        for (resource, written) in self.resources(" ") {
            let of = if written.is_empty() {
                String::new()
            } else {
                [" ", &resource].concat()
            };
            items.push(add(
                &["Read", &of].concat(),
                "its version",
                [&verb("reads"), &written, " as ", &self.fresh("r")].concat(),
            ));
            items.push(add(
                &["Claim", &of].concat(),
                "its token as mark",
                [&verb("claims"), written.as_str()].concat(),
            ));
        }
        if self.scenario.externals.is_empty() {
            off.push((
                "No system outside the fence: add one in Set-up".to_owned(),
                vec!["Call…"],
            ));
        } else {
            let names = self
                .scenario
                .externals
                .iter()
                .map(|name| pair(name, name))
                .collect();
            let fields = vec![
                choice("System", names, None),
                text("What", " ", "send"),
                travel("5"),
                detail(word("Name", " as ", "")),
                detail(reply()),
            ];
            items.push(ask(
                "Call…",
                "outside every fence",
                form(&verb("calls "), fields, "Call"),
            ));
        }
        items.push(ask(
            "Other request…",
            "held, lost, named",
            self.other(client),
        ));
        for item in items.iter_mut().skip(usual) {
            item.rare = true;
        }
    }

    fn token(&self, client: ClientId) -> Field {
        let known = |lease: &frame::LeaseFrame| {
            lease
                .held
                .filter(|held| held.client == client)
                .map(|held| held.token)
        };
        let own = self.frame.leases.iter().find_map(known);
        let own = own.map_or("its own".to_owned(), |token| {
            [&token.to_string(), ", its own"].concat()
        });
        let options = vec![
            (own, String::new()),
            pair("none", " no token"),
            pair("the number …", " token {}"),
            pair("the text …", " token \"{}\""),
            pair("forged: the number …", " forged token {}"),
        ];
        choice("Token", options, Some("1"))
    }

    fn write(&self, client: ClientId) -> Form {
        let name = self.fresh("w");
        let head = [&self.scenario.clients[client.0], " writes "].concat();
        let mut fields = vec![word("Name", "", &name), text("Value", " ", &name)];
        if self.scenario.resources.len() > 1 {
            fields.push(choice("To", self.resources(" to "), None));
        }
        fields.push(self.token(client));
        fields.push(detail(travel("5")));
        fields.push(detail(reply()));
        fields.push(detail(word("Applied at", " applied at ", "")));
        fields.push(detail(text("Key", " key ", "")));
        fields.push(detail(word("Sequence", " seq ", "")));
        fields.push(detail(word("Deadline", " deadline ", "")));
        fields.push(detail(self.based_on(client)));
        let replicas: Vec<&String> = self
            .scenario
            .resources
            .iter()
            .flat_map(|resource| &resource.replicas)
            .collect();
        if !replicas.is_empty() {
            fields.push(detail(word("Reaching", " reaching ", "")));
        }
        form(&head, fields, "Write")
    }

    /// The answered reads of a client.
    fn based_on(&self, client: ClientId) -> Field {
        let mut options = vec![pair("no read", "")];
        for step in &self.scenario.steps {
            if let Action::Request(Request {
                client: by,
                body: Body::Read(_),
                name: Some(name),
                ..
            }) = &step.action
                && *by == client
            {
                let name = &self.scenario.messages[name.0];
                options.push((name.clone(), [" based on ", name].concat()));
            }
        }
        choice("Based on", options, None)
    }

    /// Any request but a write, with a name and a fate of its own.
    fn other(&self, client: ClientId) -> Form {
        let mut verbs = Vec::new();
        for verb in ["acquires", "renews", "releases"] {
            verbs.extend(
                self.leases()
                    .into_iter()
                    .map(|(_, of)| [verb, &of].concat()),
            );
        }
        for verb in ["reads", "claims"] {
            verbs.extend(
                self.resources(" ")
                    .into_iter()
                    .map(|(_, of)| [verb, &of].concat()),
            );
        }
        let verbs = verbs.into_iter().map(|verb| (verb.clone(), verb)).collect();
        let head = [&self.scenario.clients[client.0], " "].concat();
        let fields = vec![
            choice("Verb", verbs, None),
            word("Name", " as ", self.fresh("m")),
            travel("5"),
            reply(),
            detail(Field {
                label: "Token",
                ..self.token(client)
            }),
        ];
        form(&head, fields, "Send")
    }

    fn resource(&self, resource: ResourceId) -> Menu {
        let Resource { name, policy, .. } = &self.scenario.resources[resource.0];
        let line = |rest: &str| [name, " ", rest].concat();
        let (mut items, mut off) = (Vec::new(), Vec::new());
        items.push(add("Forget the mark", "a clean-up", line("forgets mark")));
        items.push(ask(
            "Restart at a mark…",
            "",
            form(
                &line("restarts at mark"),
                vec![word("Mark", " ", 0)],
                "Restart",
            ),
        ));
        items.push(add("Save a snapshot", "", line("saves")));
        if self.has(|kind| *kind == EventKind::ResourceSaved(resource)) {
            items.push(add("Restore", "the snapshot", line("restores")));
        } else {
            off.push(("Nothing was saved yet".to_owned(), vec!["Restore"]));
        }
        items.push(ask(
            "Change the policy…",
            "from here on",
            form(&line("becomes"), policy_fields(" "), "Change"),
        ));
        let place = self
            .frame
            .resources
            .get(resource.0)
            .and_then(|frame| frame.places.first());
        let state = place.map_or(policy.to_string(), |place| {
            ["mark ", &place.mark.to_string(), ", “", &place.value, "”"].concat()
        });
        let several = self.scenario.resources.len() > 1;
        Menu {
            owner: Owner::Resource(resource),
            who: None,
            title: if several {
                name.clone()
            } else {
                "Resource".to_owned()
            },
            state,
            items,
            off,
        }
    }

    fn time(&self) -> Menu {
        let now_secs = self.cursor.now_ms / 1000;
        let wait = |secs: Secs| ["wait ", &secs.to_string()].concat();
        let mut items = vec![add("Wait 1 s", "", wait(1)), add("Wait 5 s", "", wait(5))];
        let mut off = Vec::new();
        let ends = self
            .frame
            .leases
            .iter()
            .filter_map(|lease| lease.held)
            .map(|held| held.until_secs);
        match ends.min().filter(|end| *end > now_secs) {
            Some(end) => items.push(add("Wait until the lease ends", "", wait(end - now_secs))),
            None => off.push((
                "Nobody holds the lease".to_owned(),
                vec!["Wait until the lease ends"],
            )),
        }
        items.push(ask(
            "Wait…",
            "",
            form("wait", vec![word("Seconds", " ", 12)], "Wait"),
        ));
        items.push(ask(
            "Caption…",
            "at this moment",
            form("note", vec![text("Text", " ", "")], "Add"),
        ));
        Menu {
            owner: Owner::Time,
            who: None,
            title: "Time".to_owned(),
            state: [&now_secs.to_string(), " s"].concat(),
            items,
            off,
        }
    }

    /// A named message that has been sent by now.
    fn message(&self, id: NameId) -> Option<Menu> {
        let name = &self.scenario.messages[id.0];
        let trace = &self.run.trace;
        let now_secs = self.cursor.now_ms / 1000;
        let end = trace.events_passed(self.cursor.passed);
        let sent = |kind: &EventKind| match kind {
            EventKind::Sent(message) => {
                trace.messages.get(message.0).filter(|m| m.name == Some(id))
            }
            _ => None,
        };
        let parts: Vec<&Message> = trace
            .events
            .iter()
            .take(end)
            .filter_map(|event| sent(&event.kind))
            .collect();
        let first = parts.first()?;
        let happened = |message: &Message| message.arrived_secs.is_some_and(|at| at <= now_secs);
        let open = parts
            .iter()
            .any(|message| !happened(message) && !message.lost);
        let (mut items, mut off) = (Vec::new(), Vec::new());
        let line = |rest: &str| [name, " ", rest].concat();
        if open {
            items.push(add("Deliver", "now", line("arrives")));
            items.push(add("Drop it", "it never arrives", line("is lost")));
        }
        if happened(first) {
            items.push(add("Deliver a copy now", "", line("arrives again")));
        } else {
            off.push((
                "It has not arrived yet".to_owned(),
                vec!["Deliver a copy now"],
            ));
        }
        if !open {
            off.push((
                "Nothing of it is on its way".to_owned(),
                vec!["Deliver", "Drop it"],
            ));
        }
        self.change_travel(first.step, &mut items);
        Some(Menu {
            owner: Owner::Message(id),
            who: Some(first.client),
            title: ["“", name, "”"].concat(),
            state: ["sent at ", &first.sent_secs.to_string(), " s"].concat(),
            items,
            off,
        })
    }

    /// The line that sent a message, with another fate.
    fn change_travel(&self, step: usize, items: &mut Vec<Item>) {
        let (Some(sent), Some(number)) = (
            self.scenario.steps.get(step),
            self.run.parsed.lines.steps.get(step),
        ) else {
            return;
        };
        let Action::Request(request) = &sent.action else {
            return;
        };
        let number = *number;
        let with = |change: &dyn Fn(&mut Request)| {
            let mut request = request.clone();
            change(&mut request);
            script::print_step(
                self.scenario,
                &Step {
                    action: Action::Request(request),
                    ..sent.clone()
                },
            )
        };
        let mut change = |label: &str, note: &str, line: String| {
            items.push(Item {
                label: label.to_owned(),
                note: note.to_owned(),
                does: Does::Change { number, line },
                rare: false,
            });
        };
        if request.travel != Travel::Held {
            change(
                "Send it held",
                "until you say",
                with(&|r| r.travel = Travel::Held),
            );
        }
        if request.travel != Travel::Lost {
            change("Send it lost", "", with(&|r| r.travel = Travel::Lost));
        }
        if request.travel != Travel::Latency {
            change(
                "Send it as usual",
                "",
                with(&|r| r.travel = Travel::Latency),
            );
        }
        let plain = with(&|r| {
            r.travel = Travel::Latency;
            r.reply = Travel::Latency;
        });
        let (head, tail) = plain
            .split_once(" =>")
            .map_or((plain.as_str(), ""), |(head, tail)| (head, tail));
        let mut fields = vec![travel("5"), reply()];
        if !tail.is_empty() {
            let written = [" =>", tail].concat();
            fields.push(Field {
                label: "Expected",
                input: Input::Choice {
                    options: vec![(tail.to_owned(), written)],
                    operand: None,
                },
                detail: true,
            });
        }
        items.push(Item {
            label: "Its way and reply…".to_owned(),
            note: String::new(),
            does: Does::AskChange {
                number,
                form: form(head, fields, "Change"),
            },
            rare: false,
        });
    }
}

fn form(head: &str, fields: Vec<Field>, press: &'static str) -> Form {
    Form {
        head: head.to_owned(),
        fields,
        press,
    }
}
