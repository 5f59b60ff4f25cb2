//! Policies and outcomes: the parts that steps, header and `expect` lines share.

use super::cursor::Cursor;
use super::error::{Fault, SyntaxError, near_miss};
use super::lexer::Kind;
use crate::sim::text::{join, whole};
use crate::sim::{Anomaly, Answer, Base, EnumSet, Outcome, Policy, PolicyOption, Reason};

/// Which answers can follow, and how an error lists them.
pub(super) struct Answers {
    words: &'static [&'static str],
    shown: &'static str,
}

pub(super) const OF_ACQUIRE: Answers = Answers {
    words: &["granted", "refused", "unknown"],
    shown: "`granted N`, `refused` or `unknown`",
};
pub(super) const OF_RENEW: Answers = Answers {
    words: &["renewed", "refused", "unknown"],
    shown: "`renewed`, `refused` or `unknown`",
};
pub(super) const OF_RELEASE: Answers = Answers {
    words: &["released", "refused", "unknown"],
    shown: "`released`, `refused` or `unknown`",
};
pub(super) const OF_CHECK: Answers = Answers {
    words: &["valid", "lapsed"],
    shown: "`valid` or `lapsed`",
};
/// A read or a call has no verdict: it is answered or not.
pub(super) const OF_CALL: Answers = Answers {
    words: &["accepted", "unknown"],
    shown: "`accepted` or `unknown`",
};
/// How the answer to a write begins.
pub const WRITE_ANSWERS: [&str; 6] = [
    "accepted",
    "rejected",
    "duplicate",
    "committed",
    "not",
    "unknown",
];
pub(super) const OF_WRITE: Answers = Answers {
    words: &WRITE_ANSWERS,
    shown: "`accepted`, `rejected`, `duplicate`, `committed`, `not committed` or `unknown`",
};

/// `ANSWER [because REASON] [(ANOMALY, …)]`
pub(super) fn outcome(cursor: &mut Cursor, answers: &Answers) -> Result<Outcome, Fault> {
    let known = cursor.word().filter(|word| answers.words.contains(word));
    let Some(word) = known else {
        return Err(cursor.wrong_near(answers.shown, answers.words));
    };
    cursor.advance();
    let answer = answer(cursor, word)?;
    let mut outcome = Outcome {
        answer,
        reason: None,
        anomalies: EnumSet::new(),
    };
    if answer == Answer::Rejected && cursor.eat("because") {
        outcome.reason = Some(reason(cursor)?);
    }
    if has_anomalies(answer) && cursor.eat_sign(Kind::Open) {
        outcome.anomalies = anomalies(cursor)?;
    }
    match cursor.word() {
        Some(word) => Err(after_outcome(cursor, answer, word)),
        None => Ok(outcome),
    }
}

/// No word follows an outcome: a sign of the reason or of the anomalies may have been left out.
fn after_outcome(cursor: &Cursor, answer: Answer, word: &str) -> Fault {
    let error = cursor.wrong("the end of the outcome");
    let is_reason = Reason::ALL.iter().any(|reason| reason.name() == word);
    match answer {
        _ if word == "because" => error.advise("`because` stands right after `rejected`"),
        Answer::Rejected if is_reason => error.suggest(&join(&["because ", word])),
        _ if has_anomalies(answer) && Anomaly::from_name(word).is_some() => {
            error.suggest(&join(&["(", word, ")"]))
        }
        _ => error,
    }
}

fn answer(cursor: &mut Cursor, word: &str) -> Result<Answer, Fault> {
    Ok(match word {
        "granted" => Answer::Granted(cursor.number()?),
        "refused" => Answer::Refused,
        "renewed" => Answer::Renewed,
        "released" => Answer::Released,
        "valid" => Answer::Valid,
        "lapsed" => Answer::Lapsed,
        "accepted" => Answer::Accepted,
        "rejected" => Answer::Rejected,
        "duplicate" => Answer::Duplicate,
        "committed" => Answer::Committed,
        "not" => {
            cursor.require("committed")?;
            Answer::NotCommitted
        }
        _ => Answer::Unknown,
    })
}

/// Anomalies are said of verdicts only.
fn has_anomalies(answer: Answer) -> bool {
    matches!(
        answer,
        Answer::Accepted
            | Answer::Rejected
            | Answer::Duplicate
            | Answer::Committed
            | Answer::NotCommitted
    )
}

/// One to three words.
fn reason(cursor: &mut Cursor) -> Result<Reason, Fault> {
    let first = cursor.word();
    let known = Reason::ALL
        .iter()
        .copied()
        .find(|reason| first.is_some() && reason.name().split(' ').next() == first);
    let Some(reason) = known else {
        return Err(cursor.wrong_near("a reason", Reason::NAMES));
    };
    for word in reason.name().split(' ') {
        cursor.require(word)?;
    }
    Ok(reason)
}

/// The list after `(`, with the `)`.
fn anomalies(cursor: &mut Cursor) -> Result<EnumSet<Anomaly>, Fault> {
    let mut all = EnumSet::new();
    loop {
        let Some(anomaly) = cursor.word().and_then(Anomaly::from_name) else {
            return Err(cursor.wrong_near("an anomaly", Anomaly::NAMES));
        };
        if !all.insert(anomaly) {
            return Err(cursor.wrong("each anomaly once"));
        }
        cursor.advance();
        if !cursor.eat_sign(Kind::Comma) {
            cursor.require_sign(Kind::Close, "`,` or `)`")?;
            return Ok(all);
        }
    }
}

/// `BASE(+OPTION)*`, one word. `others` could stand in its place.
pub(super) fn policy(cursor: &mut Cursor, others: &[&str]) -> Result<Policy, Fault> {
    let (Some(word), Some(token)) = (cursor.word(), cursor.peek()) else {
        return Err(cursor.wrong("a policy"));
    };
    let mut parts = word.split('+');
    let name = parts.next().unwrap_or(word);
    let mut at = token.start + name.len();
    let Some(base) = Base::from_name(name) else {
        let end = if name.is_empty() { token.end } else { at };
        let known = near_miss(name, &[Base::NAMES, others].concat());
        let error = cursor.wrong_span(token.start, end, "a policy");
        return Err(match known {
            Some(known) => error.suggest(known),
            None => error.advise(&listed("the policies are ", Base::NAMES)),
        });
    };
    let mut policy = Policy::of(base);
    for part in parts {
        // An empty option is marked by its `+`.
        let start = if part.is_empty() { at } else { at + 1 };
        let end = at + 1 + part.len();
        add_option(&mut policy, part).map_err(|refusal| refusal.at(cursor, start, end))?;
        at = end;
    }
    cursor.advance();
    match cursor.word() {
        Some(next) if next.starts_with('+') => Err(cursor
            .wrong("the end of the policy")
            .advise("a policy has no blanks around `+`")),
        _ => Ok(policy),
    }
}

/// Why an option cannot be added.
struct Refusal {
    expected: &'static str,
    suggestion: Option<&'static str>,
}

impl Refusal {
    fn at(self, cursor: &Cursor, start: usize, end: usize) -> Fault {
        let error = cursor.wrong_span(start, end, self.expected);
        match self.suggestion {
            Some(known) => error.suggest(known),
            None => error,
        }
    }
}

fn add_option(policy: &mut Policy, name: &str) -> Result<(), Refusal> {
    let refuse = |expected| {
        Err(Refusal {
            expected,
            suggestion: None,
        })
    };
    let Some(option) = PolicyOption::from_name(name) else {
        return Err(Refusal {
            expected: "an option (`owner`, `sequence`, `optional`, `claim`, `durable`, `cas`, \
                       `dedupe-after`, `dedupe-first`, `verified`)",
            suggestion: near_miss(name, PolicyOption::NAMES),
        });
    };
    if policy.has(option) {
        return refuse("each option once");
    }
    if option == PolicyOption::Cas && policy.base != Base::CheckThenWrite {
        return refuse("another option: `cas` goes only with `check-then-write`");
    }
    policy.options.insert(option);
    if policy.has(PolicyOption::DedupeAfter) && policy.has(PolicyOption::DedupeFirst) {
        return refuse("one dedupe at most");
    }
    Ok(())
}

/// "the policies are a, b, c"
pub(super) fn listed(head: &str, words: &[&str]) -> String {
    join(&[head, &words.join(", ")])
}

/// Names as words.
pub(super) fn texts(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// "at most 6 clients"
pub(super) fn at_most(limit: usize, what: &str) -> String {
    join(&["at most ", &whole(limit as u64), " ", what])
}

/// A policy on its own, as a command line or a link gives it.
///
/// # Errors
/// Tells what is wrong with it, with columns that count from the start of `text`.
pub fn parse_policy(text: &str) -> Result<Policy, SyntaxError> {
    let mut cursor = Cursor::new(text, 1);
    let whole = policy(&mut cursor, &[]).and_then(|policy| cursor.end().map(|()| policy));
    whole.map_err(|error| *error)
}
