//! The names by which a lesson speaks of events.

use crate::sim::*;

/// The labels of one event: `late judged`, `late rejected`; `A hears 42`; `41 ends`. Events that
/// a lesson cannot speak of have none.
pub fn labels(scenario: &Scenario, trace: &Trace, event: usize) -> Vec<String> {
    let names = Names { scenario, trace };
    let Some(event) = trace.events.get(event) else {
        return Vec::new();
    };
    match &event.kind {
        EventKind::Sent(id) => names.sent(*id),
        EventKind::Arrived(id) => names.of_request(*id, "arrives"),
        EventKind::Lost(id) => names.lost(*id),
        EventKind::Heard(id) => names.heard(*id),
        EventKind::Granted {
            grant, token, how, ..
        } => names.granted(*grant, *token, *how),
        EventKind::AcquireRefused { client, .. }
        | EventKind::RenewalRefused { client, .. }
        | EventKind::ReleaseRefused { client, .. } => vec![names.client(*client, "refused")],
        EventKind::Renewed { grant, .. } => vec![names.holder(*grant, "renewed")],
        EventKind::LeaseEnded { grant, how } => names.ended(*grant, *how),
        EventKind::CoordinatorSaved => vec!["coordinator saves".to_owned()],
        EventKind::CoordinatorRestored { .. } => vec!["coordinator restores".to_owned()],
        EventKind::CoordinatorRestarted { .. } => vec!["coordinator restarts".to_owned()],
        EventKind::Client(client, action) => vec![names.client(*client, client_verb(*action))],
        EventKind::Checked { client, .. } => vec![names.client(*client, "checks")],
        EventKind::Judged(verdict) => names.judged(*verdict),
        EventKind::Called(id) => names.called(*id),
        EventKind::MarkForgotten { resource, .. } => {
            vec![names.resource(*resource, "forgets mark")]
        }
        EventKind::RestartedAtMark { resource, .. } => vec![names.resource(*resource, "restarts")],
        EventKind::ResourceSaved(resource) => vec![names.resource(*resource, "saves")],
        EventKind::ResourceRestored(resource) => vec![names.resource(*resource, "restores")],
        EventKind::Became(resource, _) => vec![names.resource(*resource, "becomes")],
        EventKind::Note(_)
        | EventKind::NothingToEnd { .. }
        | EventKind::BeliefEnded { .. }
        | EventKind::Stalled { .. }
        | EventKind::ClaimedAtGrant { .. }
        | EventKind::ReadServed(_) => Vec::new(),
    }
}

/// What a client does, as the language writes it.
pub fn client_verb(action: ClientAction) -> &'static str {
    match action {
        ClientAction::Pauses => "pauses",
        ClientAction::Resumes => "resumes",
        ClientAction::Crashes => "crashes",
        ClientAction::Restarts => "restarts",
    }
}

/// Words for what the trace has only numbers for.
struct Names<'a> {
    scenario: &'a Scenario,
    trace: &'a Trace,
}

impl<'a> Names<'a> {
    fn client(&self, client: ClientId, what: &str) -> String {
        format!("{} {what}", self.scenario.clients[client.0])
    }

    fn holder(&self, grant: GrantId, what: &str) -> String {
        self.client(self.trace.grants[grant.0].client, what)
    }

    fn resource(&self, resource: ResourceId, what: &str) -> String {
        format!("{} {what}", self.scenario.resources[resource.0].name)
    }

    fn message(&self, id: MessageId) -> &'a Message {
        &self.trace.messages[id.0]
    }

    /// `late`, `late#2`; `None` for a request without a name. An answer has that of its request.
    fn name(&self, id: MessageId) -> Option<String> {
        let message = self.message(id);
        let name = &self.scenario.messages[message.name?.0];
        Some(match message.delivery {
            0 | 1 => name.clone(),
            delivery => format!("{name}#{delivery}"),
        })
    }

    fn of_request(&self, id: MessageId, what: &str) -> Vec<String> {
        let is_request = self.message(id).answers.is_none();
        let name = self.name(id).filter(|_| is_request);
        name.map(|name| format!("{name} {what}"))
            .into_iter()
            .collect()
    }

    fn sent(&self, id: MessageId) -> Vec<String> {
        let message = self.message(id);
        let mut all = self.of_request(id, "sent");
        let calls;
        let what = match &message.content {
            // A copy was sent by nobody.
            _ if message.copy_of.is_some() => return all,
            Content::Acquire(_) => "asks",
            Content::Renew(..) => "renews",
            Content::Release(..) => "releases",
            Content::Read(_) => "reads",
            Content::Claim(_) => "claims",
            Content::Call(external, _) => {
                calls = format!("calls {}", self.scenario.externals[external.0]);
                &calls
            }
            Content::Write(_) | Content::Answer(_) => return all,
        };
        all.push(self.client(message.client, what));
        all
    }

    fn lost(&self, id: MessageId) -> Vec<String> {
        let Some(name) = self.name(id) else {
            return Vec::new();
        };
        match self.message(id).answers {
            None => vec![format!("{name} lost")],
            Some(_) => vec![format!("answer to {name} lost")],
        }
    }

    fn heard(&self, id: MessageId) -> Vec<String> {
        let message = self.message(id);
        let name = self.name(id);
        let mut all: Vec<String> = name
            .map(|name| format!("{name} answered"))
            .into_iter()
            .collect();
        if let Content::Answer(answer) = message.content {
            let what = match answer {
                AnswerContent::Granted(_, token) => format!("hears {token}"),
                AnswerContent::Refused => "hears refused".to_owned(),
                AnswerContent::Renewed(_) => "hears renewed".to_owned(),
                AnswerContent::Released => "hears released".to_owned(),
                AnswerContent::Verdict(_) | AnswerContent::Called | AnswerContent::Version(_) => {
                    return all;
                }
            };
            all.push(self.client(message.client, &what));
        }
        all
    }

    fn granted(&self, grant: GrantId, token: Token, how: GrantKind) -> Vec<String> {
        let mut all = vec![format!("granted {token}")];
        if how == GrantKind::Forced {
            let client = self.trace.grants[grant.0].client;
            all.push(format!(
                "coordinator grants {}",
                self.scenario.clients[client.0]
            ));
        }
        all
    }

    fn ended(&self, grant: GrantId, how: LeaseEnd) -> Vec<String> {
        let tokens = &self.trace.grants[grant.0].tokens;
        let mut all: Vec<String> = tokens.iter().map(|token| format!("{token} ends")).collect();
        if how == LeaseEnd::Released {
            all.push(self.holder(grant, "released"));
        }
        all
    }

    fn judged(&self, verdict: usize) -> Vec<String> {
        let verdict = &self.trace.verdicts[verdict];
        let Some(name) = self.name(verdict.message) else {
            return Vec::new();
        };
        let replicas = &self.scenario.resources[verdict.place.resource.0].replicas;
        let replica = replicas.get(verdict.place.replica.0);
        let subjects = [
            Some(name.clone()),
            replica.map(|replica| format!("{name}@{replica}")),
        ];
        let answer = match verdict.answer {
            Answer::Accepted => "accepted",
            Answer::Duplicate => "duplicate",
            _ => "rejected",
        };
        let words = |subject: String| [format!("{subject} judged"), format!("{subject} {answer}")];
        subjects.into_iter().flatten().flat_map(words).collect()
    }

    fn called(&self, id: MessageId) -> Vec<String> {
        match &self.message(id).content {
            Content::Call(external, _) => {
                vec![format!("{} called", self.scenario.externals[external.0])]
            }
            _ => Vec::new(),
        }
    }
}
