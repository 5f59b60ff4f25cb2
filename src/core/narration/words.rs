//! Building sentences: a string that is appended to, and the names of all parties.

use crate::sim::text::{integer, join};
use crate::sim::*;

/// A sentence in the making: a pointer, since long chains hand it on at each step.
#[expect(
    clippy::box_collection,
    reason = "one word to hand on instead of three"
)]
pub(super) struct Words(Box<String>);

impl Words {
    /// Starts with `text`.
    #[inline(never)]
    pub fn new(text: &str) -> Self {
        Words(Box::new(text.to_owned()))
    }

    /// The whole sentence.
    pub fn text(self) -> String {
        *self.0
    }

    /// Appends `text` as it is.
    #[inline(never)]
    pub fn say(mut self, text: &str) -> Self {
        self.0.push_str(text);
        self
    }

    /// Appends a number.
    #[inline(never)]
    pub fn number(mut self, number: u64) -> Self {
        integer(&mut self.0, number);
        self
    }

    /// Appends a time: `11 s`.
    #[inline(never)]
    pub fn secs(self, secs: Secs) -> Self {
        self.number(secs).say(" s")
    }

    /// Appends `text` in curly quotes.
    #[inline(never)]
    pub fn quote(self, text: &str) -> Self {
        self.say("“").say(text).say("”")
    }

    /// Appends the name of a client.
    #[inline(never)]
    pub fn client(self, scenario: &Scenario, id: ClientId) -> Self {
        self.say(client(scenario, id))
    }

    /// Appends `the lease`, or where there are several `lease X`.
    #[inline(never)]
    pub fn the_lease(self, scenario: &Scenario, id: LeaseId) -> Self {
        self.say(&the_lease(scenario, id))
    }

    /// Appends `A’s lease`, or where there are several `A’s lease X`.
    #[inline(never)]
    pub fn lease_of(self, scenario: &Scenario, grant: &Grant) -> Self {
        let words = self.client(scenario, grant.client).say("’s lease");
        words.lease_suffix(scenario, grant.lease)
    }

    /// Appends the name of a lease where there are several, with a blank before it.
    #[inline(never)]
    pub fn lease_suffix(self, scenario: &Scenario, id: LeaseId) -> Self {
        self.say(&lease_suffix(scenario, id))
    }

    /// Appends `the resource`, or where there are several `resource doc`.
    #[inline(never)]
    pub fn resource(self, scenario: &Scenario, id: ResourceId) -> Self {
        self.say(&resource(scenario, id))
    }

    /// Appends the name of an external system.
    #[inline(never)]
    pub fn external(self, scenario: &Scenario, id: ExternalId) -> Self {
        self.say(external(scenario, id))
    }

    /// Appends `“draft”` for a write, `A’s claim` for a claim.
    #[inline(never)]
    pub fn effect(self, scenario: &Scenario, message: &Message) -> Self {
        self.say(&effect_name(scenario, message))
    }

    /// Appends all `parts`, as in `R1, R2 and R3`.
    pub fn list(mut self, parts: &[&str]) -> Self {
        for (index, part) in parts.iter().enumerate() {
            self = self.listed(part, index, parts.len());
        }
        self
    }

    /// Appends the part at `index` of a list of `count`.
    pub fn listed(self, part: &str, index: usize, count: usize) -> Self {
        let before = match index {
            0 => "",
            _ if index + 1 == count => " and ",
            _ => ", ",
        };
        self.say(before).say(part)
    }
}

/// `text` with a capital first letter, unless it starts with a name of the scenario.
pub(super) fn capital(text: &str) -> String {
    let words = ["the ", "resource ", "replica", "nothing ", "an ", "at "];
    let mut text = text.to_owned();
    if words.iter().any(|word| text.starts_with(word))
        && let Some(first) = text.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    text
}

/// The name of a client.
pub(super) fn client(scenario: &Scenario, client: ClientId) -> &str {
    scenario.clients.get(client.0).map_or("?", String::as_str)
}

/// The name of a lease where there are several, with a blank before it: ` X`.
pub(super) fn lease_suffix(scenario: &Scenario, lease: LeaseId) -> String {
    let name = scenario.leases.get(lease.0).and_then(|l| l.name.as_deref());
    match name {
        Some(name) if scenario.leases.len() > 1 => join(&[" ", name]),
        _ => String::new(),
    }
}

/// ` on lease X` where there are several; `preposition` starts with a blank.
pub(super) fn at_lease(scenario: &Scenario, preposition: &str, lease: LeaseId) -> String {
    match lease_suffix(scenario, lease) {
        suffix if suffix.is_empty() => suffix,
        suffix => join(&[preposition, " lease", &suffix]),
    }
}

/// `the lease`, or where there are several `lease X`.
pub(super) fn the_lease(scenario: &Scenario, lease: LeaseId) -> String {
    match lease_suffix(scenario, lease) {
        suffix if suffix.is_empty() => "the lease".to_owned(),
        suffix => join(&["lease", &suffix]),
    }
}

/// `A’s lease`, or where there are several `A’s lease X`.
pub(super) fn lease_of(scenario: &Scenario, grant: &Grant) -> String {
    let name = client(scenario, grant.client);
    join(&[name, "’s lease", &lease_suffix(scenario, grant.lease)])
}

/// `the resource`, or where there are several `resource doc`.
pub(super) fn resource(scenario: &Scenario, resource: ResourceId) -> String {
    match scenario.resources.get(resource.0) {
        Some(named) if scenario.resources.len() > 1 => join(&["resource ", &named.name]),
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
        Some(named) if scenario.resources.len() > 1 => join(&[" of ", &named.name]),
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
    Some(join(&["“", name, "”"]))
}

/// `“draft”` for a write, `A’s claim` for a claim.
pub(super) fn effect_name(scenario: &Scenario, message: &Message) -> String {
    let own = || join(&[client(scenario, message.client), "’s "]);
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
