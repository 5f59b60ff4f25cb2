//! Predictions: what is asked, what the simulation says, and which choice agrees with it.

use super::super::{Choice, Predict, Stand};
use super::anchor::{self, listed};
use super::markdown::{self, Block, Reference};
use super::scenes::{Played, words};
use super::settings::{self, ChoiceSettings, PredictSettings};
use super::subject::{Subject, agrees, granted};
use super::{Problems, Stage};
use crate::playhead::Clock;
use crate::sim::{
    AnswerContent, CarriedToken, ClientId, Content, EventKind, Outcome, ResourceId, Scenario, Secs,
    Trace, final_state,
};

/// Longest label of a choice, in characters: two fit beside each other on a phone.
const MAX_CHOICE_CHARS: usize = 22;
/// How many choices a question has.
const CHOICES: std::ops::RangeInclusive<usize> = 2..=4;

/// What the simulation says to a question.
struct Fact {
    says: Says,
    /// Events after which nothing is left to predict.
    shown: Vec<usize>,
}

enum Says {
    Outcomes(Vec<(Subject, Outcome)>),
    Text(String),
}

/// A question, compared with the run of the first pane. References of its texts go to `references`.
pub(super) fn read(
    block: &Block,
    stage: &Stage,
    references: &mut Vec<Reference>,
    problems: &mut Problems,
) -> Option<Predict> {
    let settings: PredictSettings = settings::read(block, problems)?;
    let line = block.line_of(&settings.about);
    if !CHOICES.contains(&settings.choice.len()) {
        problems.add(
            block.opens,
            format!(
                "a question has 2 to 4 choices (`[[choice]]`), this one has {}",
                settings.choice.len()
            ),
        );
    }
    let mut html = |text: &settings::Text, problems: &mut Problems| {
        let html = markdown::inline(text.get_ref(), block.line_of(text), problems);
        references.extend(html.references);
        html.text
    };
    let question = html(&settings.question, problems);
    let fact = match (&stage.panes, stage.until) {
        (Some(panes), Some(until)) => {
            let fact = fact(settings.about.get_ref(), panes, until);
            problems
                .ok(line, fact)
                .map(|fact| (fact, panes[0].as_ref(), until))
        }
        _ => None,
    };
    if let Some((fact, played, until)) = &fact {
        let timing = timing(fact, &played.trace, stage.stand, *until);
        problems.ok(line, timing);
    }
    let mut right = Vec::new();
    let mut choices = Vec::new();
    for choice in &settings.choice {
        let says = fact
            .as_ref()
            .map(|(fact, played, _)| fact.agrees(choice.answer.get_ref(), &played.scenario));
        let is_right = says.and_then(|says| problems.ok(block.line_of(&choice.answer), says));
        right.extend(is_right);
        judge_texts(block, choice, problems);
        choices.push(Choice {
            label: choice.label.get_ref().clone(),
            explain: html(&choice.explain, problems),
            right: is_right == Some(true),
            said: choice.answer.get_ref().clone(),
        });
    }
    if let Some((fact, ..)) = &fact
        && right.len() == choices.len()
    {
        problems.ok(line, fact.one_agrees(&choices));
    }
    Some(Predict { question, choices })
}

fn judge_texts(block: &Block, choice: &ChoiceSettings, problems: &mut Problems) {
    let line = block.line_of(&choice.label);
    settings::short(
        choice.label.get_ref(),
        MAX_CHOICE_CHARS,
        "the label of a choice",
        line,
        problems,
    );
    if !choice.explain.get_ref().starts_with("**") {
        let line = block.line_of(&choice.explain);
        problems.add(
            line,
            "an explanation starts with a short verdict in bold: `**Yes, it rejects.** …`",
        );
    }
}

impl Fact {
    /// Whether an answer says the same; an error if it cannot be read.
    fn agrees(&self, answer: &str, scenario: &Scenario) -> Result<bool, String> {
        match &self.says {
            Says::Text(says) => Ok(answer == says),
            Says::Outcomes(all) => {
                let mut agree = true;
                for (subject, says) in all {
                    agree &= agrees(&subject.answer(answer, scenario)?, says);
                }
                Ok(agree)
            }
        }
    }

    fn one_agrees(&self, choices: &[Choice]) -> Result<(), String> {
        let right = choices.iter().filter(|choice| choice.right);
        let right: Vec<&str> = right.map(|choice| choice.label.as_str()).collect();
        match right.len() {
            1 => Ok(()),
            0 => Err(format!(
                "no choice is right: the simulation says {}",
                self.words()
            )),
            _ => Err(format!(
                "several choices are right ({}): the simulation says {}",
                listed(right.into_iter()),
                self.words()
            )),
        }
    }

    fn words(&self) -> String {
        match &self.says {
            Says::Text(says) => format!("`{says}`"),
            Says::Outcomes(all) => {
                let all: Vec<String> = all.iter().map(|(_, outcome)| words(outcome)).collect();
                listed(all.iter().map(String::as_str))
            }
        }
    }
}

/// A question is asked before its answer is in the picture, and the act shows the answer.
fn timing(fact: &Fact, trace: &Trace, stand: Option<Stand>, until: Stand) -> Result<(), String> {
    let passed = stand.map(|stand| stand.moments_passed(&Clock::of(trace)));
    for event in &fact.shown {
        let shown = anchor::after(trace, *event).moments_passed(&Clock::of(trace));
        if passed.is_some_and(|passed| shown <= passed) {
            return Err(
                "the answer is in the picture before the question is asked: `stand` earlier"
                    .to_owned(),
            );
        }
        if shown > until.moments_passed(&Clock::of(trace)) {
            return Err("the act does not show the answer: `until` comes before it".to_owned());
        }
    }
    Ok(())
}

/// What the first pane says to `about`.
fn fact(about: &str, panes: &[std::rc::Rc<Played>], until: Stand) -> Result<Fact, String> {
    let played = panes[0].as_ref();
    let scenario = &played.scenario;
    let text = |text: String| Fact {
        says: Says::Text(text),
        shown: Vec::new(),
    };
    let (what, of) = about.split_once(' ').unwrap_or((about, ""));
    match (what, of.split_once(' ')) {
        ("value" | "mark", at) => {
            let resource = resource_at(at, of, scenario)?;
            let (mark, value) = final_state(scenario, &played.trace, resource);
            Ok(text(if what == "mark" {
                mark.to_string()
            } else {
                value
            }))
        }
        ("token", Some(("of", name))) => token_of(&Subject::parse(name, scenario)?, name, played),
        ("view", Some(("of", client))) => same_view(client, panes, until).map(text),
        _ => outcomes(about, played),
    }
}

/// The verdicts of `NAME, NAME`.
fn outcomes(about: &str, played: &Played) -> Result<Fact, String> {
    let (mut all, mut shown) = (Vec::new(), Vec::new());
    for name in about.split(',') {
        let subject = Subject::parse(name.trim(), &played.scenario)?;
        let outcome = subject.outcome(played)?;
        shown.extend(subject.decided(played));
        all.push((subject, outcome));
    }
    Ok(Fact {
        says: Says::Outcomes(all),
        shown,
    })
}

/// The resource of `value at R`; `value` alone means the first.
fn resource_at(
    at: Option<(&str, &str)>,
    rest: &str,
    scenario: &Scenario,
) -> Result<ResourceId, String> {
    let name = match at {
        None if rest.is_empty() => return Ok(ResourceId(0)),
        Some(("at", name)) => name,
        _ => {
            return Err(format!(
                "`{rest}` is not understood here: write `at RESOURCE`"
            ));
        }
    };
    let known = || {
        scenario
            .resources
            .iter()
            .map(|resource| resource.name.as_str())
    };
    let index = known().position(|known| known == name);
    index
        .map(ResourceId)
        .ok_or_else(|| format!("unknown resource `{name}`: there are {}", listed(known())))
}

/// The token that a write carried or an acquisition was granted.
fn token_of(subject: &Subject, name: &str, played: &Played) -> Result<Fact, String> {
    let carried = match subject.message(played).map(|message| &message.content) {
        Some(Content::Write(write) | Content::Claim(write)) => match &write.token {
            CarriedToken::Number(token) => Some(*token),
            CarriedToken::Missing | CarriedToken::Text(_) => None,
        },
        Some(Content::Acquire(_)) => granted(&subject.outcome(played)?),
        _ => None,
    };
    let token = carried.ok_or_else(|| format!("`{name}` carried no token and was granted none"))?;
    Ok(Fact {
        says: Says::Text(token.to_string()),
        shown: subject.token_known(played).into_iter().collect(),
    })
}

/// `same` or `different`: what a client has done and heard until then in both runs.
fn same_view(client: &str, panes: &[std::rc::Rc<Played>], until: Stand) -> Result<String, String> {
    let [one, two] = panes else {
        return Err(format!("`view of` compares two panes, not {}", panes.len()));
    };
    let seen = |played: &Played| {
        let known = || played.scenario.clients.iter().map(String::as_str);
        let index = known().position(|known| known == client);
        let id = index
            .ok_or_else(|| format!("unknown client `{client}`: there are {}", listed(known())))?;
        Ok::<_, String>(view(ClientId(id), &played.trace, until))
    };
    let same = seen(one)? == seen(two)?;
    Ok(if same { "same" } else { "different" }.to_owned())
}

/// Everything that a client has done or heard until then, as it knows it: tokens and answers, no
/// grants and no fate of its messages.
fn view(client: ClientId, trace: &Trace, until: Stand) -> Vec<(Secs, String)> {
    let passed = until.moments_passed(&Clock::of(trace));
    let moments = &trace.moments[..passed];
    let last = moments.last().map_or(0, |moment| moment.events.end);
    let seen = |kind: &EventKind| match kind {
        EventKind::Sent(id) | EventKind::Heard(id) => {
            let message = &trace.messages[id.0];
            let is_heard = matches!(kind, EventKind::Heard(_));
            let own = message.client == client
                && message.copy_of.is_none()
                && message.answers.is_some() == is_heard;
            own.then(|| known_content(&message.content))
        }
        EventKind::Client(who, action) => (*who == client).then(|| format!("{action:?}")),
        EventKind::Checked {
            client: who,
            lease,
            valid,
        } => (*who == client).then(|| format!("checks {lease:?} {valid}")),
        _ => None,
    };
    let events = &trace.events[..last];
    events
        .iter()
        .filter_map(|event| Some((event.at_secs, seen(&event.kind)?)))
        .collect()
}

/// What the client itself knows of a message.
fn known_content(content: &Content) -> String {
    match content {
        Content::Renew(lease, _) => format!("renews {lease:?}"),
        Content::Release(lease, _) => format!("releases {lease:?}"),
        Content::Answer(AnswerContent::Granted(_, token)) => format!("granted {token}"),
        Content::Answer(AnswerContent::Renewed(_)) => "renewed".to_owned(),
        Content::Write(write) | Content::Claim(write) => {
            format!(
                "{:?} {} {:?} {:?}",
                write.resource, write.value, write.token, write.key
            )
        }
        other => format!("{other:?}"),
    }
}
