//! A trace as JSON, for other programs.

use crate::narration;
use crate::script;
use crate::sim::*;

/// Writes JSON: objects and lists are opened and closed by hand, commas come by themselves.
#[derive(Default)]
pub struct Writer {
    text: String,
    /// Something stands before in the same object or list.
    comma: bool,
}

impl Writer {
    /// What was written.
    pub fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }

    fn separate(&mut self) {
        if self.comma {
            self.text.push(',');
        }
        self.comma = true;
    }

    /// The name of a member; its value follows.
    pub fn name(&mut self, name: &str) -> &mut Self {
        self.string(name);
        self.text.push(':');
        self.comma = false;
        self
    }

    /// `{` or `[`.
    pub fn open(&mut self, sign: char) -> &mut Self {
        self.separate();
        self.text.push(sign);
        self.comma = false;
        self
    }

    /// `}` or `]`.
    pub fn close(&mut self, sign: char) -> &mut Self {
        self.text.push(sign);
        self.comma = true;
        self
    }

    /// A string, escaped.
    pub fn string(&mut self, value: &str) -> &mut Self {
        self.separate();
        self.text.push('"');
        for c in value.chars() {
            match c {
                '"' | '\\' => self.text.extend(['\\', c]),
                '\n' => self.text.push_str("\\n"),
                '\u{0}'..='\u{1f}' => {
                    let digits = b"0123456789abcdef";
                    let low = digits[c as usize % 16] as char;
                    self.text
                        .push_str(if c as u32 >= 16 { "\\u001" } else { "\\u000" });
                    self.text.push(low);
                }
                other => self.text.push(other),
            }
        }
        self.text.push('"');
        self
    }

    /// A number.
    pub fn number(&mut self, value: u64) -> &mut Self {
        self.separate();
        self.text.push_str(&value.to_string());
        self
    }

    /// A word of JSON: `true`, `false`, `null`.
    fn word(&mut self, word: &str) -> &mut Self {
        self.separate();
        self.text.push_str(word);
        self
    }

    /// A number, or `null`.
    pub fn optional(&mut self, value: Option<u64>) -> &mut Self {
        match value {
            Some(value) => self.number(value),
            None => self.word("null"),
        }
    }
}

/// The run as one JSON object: moments with their sentences, messages, grants, verdicts, spans
/// and what the resources hold at the end. Times are virtual seconds.
pub fn trace(scenario: &Scenario, trace: &Trace) -> String {
    let mut out = Writer::default();
    out.open('{')
        .name("version")
        .number(1)
        .name("title")
        .string(&scenario.title);
    out.name("end").number(trace.end_secs);
    list(&mut out, "moments", trace.moments.len(), |out, index| {
        out.name("at").number(trace.moments[index].at_secs);
        out.name("text")
            .string(&narration::moment(scenario, trace, index));
    });
    list(&mut out, "messages", trace.messages.len(), |out, index| {
        message(out, scenario, &trace.messages[index])
    });
    list(&mut out, "grants", trace.grants.len(), |out, index| {
        let grant = &trace.grants[index];
        out.name("client").string(&scenario.clients[grant.client.0]);
        lease(out, scenario, grant.lease);
        out.name("at")
            .number(grant.at_secs)
            .name("tokens")
            .open('[');
        grant.tokens.iter().for_each(|token| {
            out.number(*token);
        });
        out.close(']');
    });
    list(&mut out, "leases", trace.lease_spans.len(), |out, index| {
        let span = &trace.lease_spans[index];
        out.name("grant")
            .number(span.grant.0 as u64)
            .name("from")
            .number(span.from_secs);
        out.name("until")
            .number(span.until_secs)
            .name("ended")
            .optional(span.ended_secs);
    });
    list(
        &mut out,
        "beliefs",
        trace.belief_spans.len(),
        |out, index| {
            let span = &trace.belief_spans[index];
            out.name("client")
                .string(&scenario.clients[span.client.0])
                .name("token")
                .number(span.token);
            out.name("from")
                .number(span.from_secs)
                .name("until")
                .number(span.until_secs);
            out.name("ended").optional(span.ended_secs);
        },
    );
    list(&mut out, "verdicts", trace.verdicts.len(), |out, index| {
        verdict(out, scenario, &trace.verdicts[index])
    });
    list(
        &mut out,
        "resources",
        scenario.resources.len(),
        |out, index| {
            let (mark, value) = final_state(scenario, trace, ResourceId(index));
            out.name("name").string(&scenario.resources[index].name);
            out.name("mark").number(mark).name("value").string(&value);
        },
    );
    out.close('}');
    out.finish()
}

/// A list of objects.
fn list(out: &mut Writer, name: &str, count: usize, mut item: impl FnMut(&mut Writer, usize)) {
    out.name(name).open('[');
    for index in 0..count {
        out.open('{');
        item(out, index);
        out.close('}');
    }
    out.close(']');
}

fn lease(out: &mut Writer, scenario: &Scenario, lease: LeaseId) {
    if let Some(name) = scenario
        .leases
        .get(lease.0)
        .and_then(|lease| lease.name.as_ref())
    {
        out.name("lease").string(name);
    }
}

fn message(out: &mut Writer, scenario: &Scenario, message: &Message) {
    let kind = match &message.content {
        Content::Acquire(_) => "acquire",
        Content::Renew(..) => "renew",
        Content::Release(..) => "release",
        Content::Write(_) => "write",
        Content::Read(_) => "read",
        Content::Claim(_) => "claim",
        Content::Call(..) => "call",
        Content::Answer(_) => "answer",
    };
    out.name("kind")
        .string(kind)
        .name("client")
        .string(&scenario.clients[message.client.0]);
    if let Some(name) = message.name.and_then(|name| scenario.messages.get(name.0)) {
        out.name("name")
            .string(name)
            .name("delivery")
            .number(u64::from(message.delivery));
    }
    out.name("sent")
        .number(message.sent_secs)
        .name("arrived")
        .optional(message.arrived_secs);
    out.name("lost")
        .word(if message.lost { "true" } else { "false" });
    out.name("answers")
        .optional(message.answers.map(|id| id.0 as u64));
}

fn verdict(out: &mut Writer, scenario: &Scenario, verdict: &Verdict) {
    let resource = &scenario.resources[verdict.place.resource.0];
    if let Some(name) = verdict.name.and_then(|name| scenario.messages.get(name.0)) {
        out.name("name").string(name);
    }
    out.name("delivery")
        .number(u64::from(verdict.delivery))
        .name("resource")
        .string(&resource.name);
    if let Some(replica) = resource.replicas.get(verdict.place.replica.0) {
        out.name("replica").string(replica);
    }
    out.name("at").number(verdict.at_secs);
    let plain = Outcome {
        answer: verdict.answer,
        reason: None,
        anomalies: Default::default(),
    };
    out.name("verdict").string(&script::print_outcome(&plain));
    if let Some(reason) = verdict.reason {
        out.name("reason").string(reason.name());
    }
    out.name("anomalies").open('[');
    for anomaly in verdict.anomalies.iter() {
        out.string(anomaly.name());
    }
    out.close(']').name("mark").number(verdict.mark_after);
}
