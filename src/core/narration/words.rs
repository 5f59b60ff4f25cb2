//! Building sentences: a string that is appended to, and the names of all parties.

use crate::sim::*;

/// A sentence in the making.
#[derive(Default)]
pub(super) struct Words(pub String);

impl Words {
    /// Starts with `text`.
    pub fn new(text: &str) -> Self {
        Words(text.to_owned())
    }

    /// Appends `text` as it is.
    pub fn say(mut self, text: &str) -> Self {
        self.0.push_str(text);
        self
    }

    /// Appends a number.
    pub fn number(self, number: u64) -> Self {
        self.say(&number.to_string())
    }

    /// Appends a time: `11 s`.
    pub fn secs(self, secs: Secs) -> Self {
        self.number(secs).say(" s")
    }

    /// Appends `text` in curly quotes.
    pub fn quote(self, text: &str) -> Self {
        self.say("“").say(text).say("”")
    }

    /// Appends all `parts`, as in `R1, R2 and R3`.
    pub fn list(mut self, parts: &[&str]) -> Self {
        for (index, part) in parts.iter().enumerate() {
            let before = match index {
                0 => "",
                _ if index + 1 == parts.len() => " and ",
                _ => ", ",
            };
            self = self.say(before).say(part);
        }
        self
    }
}

/// `text` with a capital first letter, unless it starts with a name of the scenario.
pub(super) fn capital(text: &str) -> String {
    let words = ["the ", "resource ", "replica", "nothing ", "an ", "at "];
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if words.iter().any(|word| text.starts_with(word)) => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

/// The name of a client.
pub(super) fn client(scenario: &Scenario, client: ClientId) -> &str {
    scenario.clients.get(client.0).map_or("?", String::as_str)
}

/// The name of a lease where there are several, with a blank before it: ` X`.
pub(super) fn lease_suffix(scenario: &Scenario, lease: LeaseId) -> String {
    let name = scenario.leases.get(lease.0).and_then(|l| l.name.as_deref());
    match name {
        Some(name) if scenario.leases.len() > 1 => [" ", name].concat(),
        _ => String::new(),
    }
}

/// ` on lease X` where there are several; `preposition` starts with a blank.
pub(super) fn at_lease(scenario: &Scenario, preposition: &str, lease: LeaseId) -> String {
    match lease_suffix(scenario, lease) {
        suffix if suffix.is_empty() => suffix,
        suffix => [preposition, " lease", &suffix].concat(),
    }
}

/// `the lease`, or where there are several `lease X`.
pub(super) fn the_lease(scenario: &Scenario, lease: LeaseId) -> String {
    match lease_suffix(scenario, lease) {
        suffix if suffix.is_empty() => "the lease".to_owned(),
        suffix => ["lease", &suffix].concat(),
    }
}

/// `A’s lease`, or where there are several `A’s lease X`.
pub(super) fn lease_of(scenario: &Scenario, grant: &Grant) -> String {
    let name = client(scenario, grant.client);
    [name, "’s lease", &lease_suffix(scenario, grant.lease)].concat()
}

/// `the resource`, or where there are several `resource doc`.
pub(super) fn resource(scenario: &Scenario, resource: ResourceId) -> String {
    match scenario.resources.get(resource.0) {
        Some(named) if scenario.resources.len() > 1 => ["resource ", &named.name].concat(),
        _ => "the resource".to_owned(),
    }
}

/// The name of a replica; `None` where the resource is one.
pub(super) fn replica(scenario: &Scenario, place: Place) -> Option<&str> {
    let names = &scenario.resources.get(place.resource.0)?.replicas;
    names.get(place.replica.0).map(String::as_str)
}

/// ` of doc` where there are several resources.
pub(super) fn of_resource(scenario: &Scenario, resource: ResourceId) -> String {
    match scenario.resources.get(resource.0) {
        Some(named) if scenario.resources.len() > 1 => [" of ", &named.name].concat(),
        _ => String::new(),
    }
}

/// The name of an external system.
pub(super) fn external(scenario: &Scenario, external: ExternalId) -> &str {
    scenario
        .externals
        .get(external.0)
        .map_or("?", String::as_str)
}

/// The name of a request in curly quotes.
pub(super) fn quoted_name(scenario: &Scenario, name: Option<NameId>) -> Option<String> {
    let name = scenario.messages.get(name?.0)?;
    Some(Words::default().quote(name).0)
}

/// `“draft”` for a write, `A’s claim` for a claim.
pub(super) fn effect_name(scenario: &Scenario, message: &Message) -> String {
    let own = || [client(scenario, message.client), "’s "].concat();
    match (&message.content, quoted_name(scenario, message.name)) {
        (Content::Claim(_), _) => own() + "claim",
        (_, Some(name)) => name,
        (_, None) => own() + "write",
    }
}

/// What a write or claim asks, if the message is one.
pub(super) fn write_content(message: &Message) -> Option<&WriteContent> {
    match &message.content {
        Content::Write(write) | Content::Claim(write) => Some(write),
        _ => None,
    }
}
