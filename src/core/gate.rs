//! The rule at the write, in a few lines of pseudo-code and, where SQL can say it, as SQL.
//!
//! The lines are made from the policy, the evaluation from what the resource really compared, and
//! the SQL runs against SQLite in the tests: nothing here is an illustration.

use crate::narration::missing_part;
use crate::sim::text::{join, signed, whole};
use crate::sim::*;

/// A line of the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateLine {
    /// Pseudo-code, indented by blanks.
    pub text: String,
    /// What the line is for.
    pub role: Role,
}

/// What a line of the rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Explains or names what follows; never executed.
    Note,
    /// Recognizes a known key.
    Dedupe,
    /// The comparison of the base.
    Compare,
    /// The comparisons of the options.
    Also,
    /// For `check-then-write`: goes on after the check.
    GoOn,
    /// Raises the mark, or pins.
    Mark,
    /// Stores the value: an accepted write gets here.
    Store,
    /// A rejected write gets here.
    Reject,
}

#[inline(never)]
fn add(lines: &mut Vec<GateLine>, role: Role, text: &str) {
    let text = text.to_owned();
    lines.push(GateLine { text, role });
}

/// The rule of `policy`: four lines for a base, four to six with options.
pub fn rule(policy: &Policy) -> Vec<GateLine> {
    let also = also(policy);
    let mut lines = Vec::new();
    if policy.has(PolicyOption::DedupeFirst) {
        add(&mut lines, Role::Dedupe, "if key is known: duplicate");
    }
    let open = policy.base == Base::Unfenced && also.is_empty();
    if open {
        add(&mut lines, Role::Note, "on write(new, token):");
        add(&mut lines, Role::Note, "    # token is ignored");
    } else if policy.base == Base::Unfenced {
        add(&mut lines, Role::Note, "# token and mark: not compared");
        let condition = join(&["if ", &also.join(" and "), ":"]);
        add(&mut lines, Role::Compare, &condition);
    } else {
        comparison(&mut lines, policy, &also);
    }
    if policy.has(PolicyOption::DedupeAfter) {
        add(&mut lines, Role::Dedupe, "    if key is known: duplicate");
    }
    mark_line(&mut lines, policy);
    add(&mut lines, Role::Store, store_line(policy));
    match policy.base {
        _ if open => add(&mut lines, Role::Note, "    accept"),
        Base::CheckThenWrite => {}
        _ => add(&mut lines, Role::Reject, "else: reject"),
    }
    lines
}

/// The conditions that options add to that of the base.
fn also(policy: &Policy) -> Vec<&'static str> {
    let has = |option| policy.has(option);
    let fence = policy.base.looks_at_token();
    // Under a fence the first line lets a write without a token pass all of them.
    let if_any = has(PolicyOption::Optional) && !fence;
    let mut also = Vec::new();
    if has(PolicyOption::Owner) && fence && policy.base != Base::Strict {
        also.push("owner is sender if equal");
    }
    if has(PolicyOption::Sequence) {
        also.push(if if_any {
            "seq > last[token] if any"
        } else {
            "seq > last[token]"
        });
    }
    if has(PolicyOption::Verified) {
        also.push(if if_any {
            "issued to sender if any"
        } else {
            "issued to sender"
        });
    }
    also
}

/// The lines up to the effect.
fn comparison(lines: &mut Vec<GateLine>, policy: &Policy, also: &[&str]) {
    let base = policy.base;
    let checks = base == Base::CheckThenWrite;
    let condition = match base {
        Base::Unfenced | Base::Fenced | Base::CheckThenWrite => "token >= mark",
        Base::Strict => "token > mark",
        Base::Equality => "pin in (none, token)",
        Base::AskHolder => "holder is sender",
        Base::Deadline => "now <= deadline",
    };
    match base {
        Base::AskHolder => add(lines, Role::Note, "holder = ask(coordinator)"),
        Base::Deadline => add(lines, Role::Note, "now = own clock"),
        _ => {}
    }
    let optional = policy.has(PolicyOption::Optional) && base.looks_at_token();
    let (open, close) = match (optional, also.is_empty()) {
        (true, true) => ("no token or ", ""),
        (true, false) => ("no token or (", ")"),
        (false, _) => ("", ""),
    };
    let keyword = if checks {
        "on check(token): ok = "
    } else {
        "if "
    };
    add(lines, Role::Compare, &join(&[keyword, open, condition]));
    also_lines(lines, policy, also);
    if let Some(last) = lines.last_mut() {
        last.text.push_str(close);
        last.text.push_str(if checks { "" } else { ":" });
    }
    if checks {
        let unchanged = policy.has(PolicyOption::Cas);
        add(lines, Role::Note, "# time passes");
        let go_on = match unchanged {
            true => "on write(new): if ok and unchanged:",
            false => "on write(new): if ok:",
        };
        add(lines, Role::GoOn, go_on);
    }
}

/// The conditions of the options, over as many lines as six leave room for.
fn also_lines(lines: &mut Vec<GateLine>, policy: &Policy, also: &[&str]) {
    let dedupes = policy.has(PolicyOption::DedupeFirst) || policy.has(PolicyOption::DedupeAfter);
    let room = if dedupes { 1 } else { 2 };
    let together = also.len().div_ceil(room).max(1);
    for conditions in also.chunks(together) {
        let text = join(&["    and ", &conditions.join(" and ")]);
        add(lines, Role::Also, &text);
    }
}

fn mark_line(lines: &mut Vec<GateLine>, policy: &Policy) {
    let has = |option| policy.has(option);
    let text = match policy.base {
        Base::Fenced | Base::Strict if has(PolicyOption::Optional) => "    mark  = token, if any",
        Base::Fenced | Base::Strict => "    mark  = token",
        Base::Equality => "    pin = token; raise mark",
        _ => return,
    };
    let remark = match (has(PolicyOption::Claim), has(PolicyOption::Durable)) {
        (true, true) => "  # durable; at grants too",
        (true, false) => "  # at grants too",
        (false, true) => "  # durable",
        (false, false) => "",
    };
    add(lines, Role::Mark, &join(&[text, remark]));
}

fn store_line(policy: &Policy) -> &'static str {
    match policy.base {
        Base::CheckThenWrite => "    value = new; raise mark",
        _ => "    value = new",
    }
}

/// How a verdict came about, in pieces: `41`, `>=`, `42`, no, reject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Index into [`rule`] of the line that was executed.
    pub line: usize,
    /// What was compared.
    pub left: Piece,
    /// `>=`; words where there is nothing on the right: `not compared`.
    pub operator: &'static str,
    /// With what it was compared.
    pub right: Option<Piece>,
    /// Whether the comparison holds; `None`: nothing was compared.
    pub holds: Option<bool>,
    /// The decision.
    pub answer: Answer,
    /// Why it was not accepted.
    pub reason: Option<Reason>,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What is shown.
    pub text: String,
    /// How it is shown.
    pub kind: PieceKind,
}

/// See [`Piece::kind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// The token of the write, in the colour of its client.
    Token(ClientId),
    /// The mark or the pinned token.
    Mark,
    /// A client.
    Client(ClientId),
    /// A time, a key, a word.
    Plain,
}

fn piece(kind: PieceKind, text: impl Into<String>) -> Piece {
    Piece {
        text: text.into(),
        kind,
    }
}

fn plain(text: impl Into<String>) -> Piece {
    piece(PieceKind::Plain, text)
}

/// The line of the rule that decided `verdict`, and the numbers it decided by.
pub fn evaluation(scenario: &Scenario, trace: &Trace, verdict: &Verdict) -> Evaluation {
    let judge = Judge {
        scenario,
        verdict,
        message: trace.messages.get(verdict.message.0),
    };
    let lines = rule(&verdict.comparison.policy);
    let at = |role| lines.iter().position(|line| line.role == role);
    // A claim has no lines of its own: it raises the mark, or changes nothing.
    let line = deciding_roles(verdict)
        .into_iter()
        .find_map(at)
        .unwrap_or_default();
    let (left, operator, right, holds) = judge.pieces();
    Evaluation {
        line,
        left,
        operator,
        right,
        holds,
        answer: verdict.answer,
        reason: verdict.reason,
    }
}

/// Which line decided, the most telling first.
fn deciding_roles(verdict: &Verdict) -> [Role; 3] {
    match (verdict.answer, verdict.reason) {
        (Answer::Accepted, _) if verdict.claim => [Role::Mark, Role::Store, Role::Compare],
        (Answer::Accepted, _) => [Role::Store, Role::Store, Role::Store],
        (Answer::Duplicate, _) => [Role::Dedupe, Role::Store, Role::Compare],
        (_, Some(Reason::Changed)) => [Role::Reject, Role::GoOn, Role::Compare],
        (_, Some(Reason::Forged | Reason::OutOfOrder | Reason::OtherOwner)) => {
            [Role::Reject, Role::Also, Role::Compare]
        }
        _ => [Role::Reject, Role::Compare, Role::Store],
    }
}

type Pieces = (Piece, &'static str, Option<Piece>, Option<bool>);

/// A verdict with what its pieces need.
struct Judge<'a> {
    scenario: &'a Scenario,
    verdict: &'a Verdict,
    message: Option<&'a Message>,
}

impl Judge<'_> {
    fn sender(&self) -> ClientId {
        self.message.map_or(ClientId(0), |message| message.client)
    }

    fn write(&self) -> Option<&WriteContent> {
        match &self.message?.content {
            Content::Write(write) | Content::Claim(write) => Some(write),
            _ => None,
        }
    }

    fn token(&self) -> Piece {
        let kind = PieceKind::Token(self.sender());
        match &self.verdict.comparison.token {
            CarriedToken::Missing => plain("no token"),
            CarriedToken::Number(token) => piece(kind, whole(*token)),
            CarriedToken::Text(text) => piece(kind, join(&["“", text, "”"])),
        }
    }

    fn client(&self, client: ClientId) -> Piece {
        let name = self
            .scenario
            .clients
            .get(client.0)
            .map_or("?", String::as_str);
        piece(PieceKind::Client(client), name)
    }

    fn client_or_nobody(&self, client: Option<ClientId>) -> Piece {
        client.map_or_else(|| plain("nobody"), |client| self.client(client))
    }

    fn mark(&self) -> Piece {
        piece(PieceKind::Mark, whole(self.verdict.comparison.mark))
    }

    fn pieces(&self) -> Pieces {
        if self.verdict.answer == Answer::Duplicate {
            let key = self.write().and_then(|write| write.key.clone());
            let left = plain(join(&["key “", &key.unwrap_or_default(), "”"]));
            return (left, "is known", None, Some(true));
        }
        match self.verdict.reason {
            Some(reason) => self.failed(reason),
            None if self.verdict.claim => self.claimed(),
            None => self.passed(),
        }
    }

    fn by_mark(&self, operator: &'static str, holds: bool) -> Pieces {
        (self.token(), operator, Some(self.mark()), Some(holds))
    }

    /// A claim's comparison: above the mark, or equal to it and from who set it.
    fn claimed(&self) -> Pieces {
        let comparison = &self.verdict.comparison;
        if comparison.token == CarriedToken::Number(comparison.mark) {
            self.by_owner(true)
        } else {
            self.by_mark(">", true)
        }
    }

    /// The base's comparison, of a write that was accepted.
    fn passed(&self) -> Pieces {
        let comparison = &self.verdict.comparison;
        let base = comparison.policy.base;
        if base.looks_at_token() && comparison.token == CarriedToken::Missing {
            return (self.token(), "passes", None, None);
        }
        match base {
            Base::Unfenced => (self.token(), "not compared", None, None),
            Base::Fenced | Base::CheckThenWrite => self.by_mark(">=", true),
            Base::Strict => self.by_mark(">", true),
            Base::Equality => self.by_pin(true),
            Base::AskHolder => self.by_holder(true),
            Base::Deadline => self.by_clock(true),
        }
    }

    fn by_pin(&self, holds: bool) -> Pieces {
        match self.verdict.comparison.pin {
            None => (self.token(), "is the first", None, Some(holds)),
            Some(pin) => {
                let pin = piece(PieceKind::Mark, whole(pin));
                (self.token(), "==", Some(pin), Some(holds))
            }
        }
    }

    fn by_holder(&self, holds: bool) -> Pieces {
        let holder = self.client_or_nobody(self.verdict.comparison.holder);
        (holder, "is", Some(self.client(self.sender())), Some(holds))
    }

    fn by_clock(&self, holds: bool) -> Pieces {
        let deadline = self.write().and_then(|write| write.deadline_secs);
        let clock = join(&[&signed(self.verdict.comparison.clock_secs), " s"]);
        let deadline = deadline.map(|secs| plain(join(&[&whole(secs), " s"])));
        (plain(clock), "<=", deadline, Some(holds))
    }

    fn failed(&self, reason: Reason) -> Pieces {
        let comparison = &self.verdict.comparison;
        match reason {
            Reason::Missing => {
                let part = missing_part(comparison, self.write());
                (plain(join(&["no ", part])), "to compare", None, None)
            }
            Reason::Malformed => (self.token(), "is no token", None, None),
            Reason::Forged => {
                let sender = self.client(self.sender());
                (self.token(), "issued to", Some(sender), Some(false))
            }
            Reason::Stale if comparison.policy.base == Base::Strict && !self.verdict.claim => {
                self.by_mark(">", false)
            }
            Reason::Stale => self.by_mark(">=", false),
            Reason::Equal => self.by_mark(">", false),
            Reason::OtherOwner => self.refused_by_owner(),
            Reason::NotHolder => self.by_holder(false),
            Reason::TooLate => self.by_clock(false),
            Reason::OutOfOrder => {
                let seq = self.write().and_then(|write| write.seq).unwrap_or_default();
                let left = plain(join(&["seq ", &whole(seq)]));
                (left, ">", Some(plain("last seq")), Some(false))
            }
            Reason::Changed => (plain("row"), "unchanged since the check", None, Some(false)),
        }
    }

    fn by_owner(&self, holds: bool) -> Pieces {
        let owner = self.client_or_nobody(self.verdict.comparison.owner);
        (owner, "is", Some(self.client(self.sender())), Some(holds))
    }

    /// Another token is pinned, or the equal mark is another client's.
    fn refused_by_owner(&self) -> Pieces {
        let comparison = &self.verdict.comparison;
        let pinned = comparison.pin.map(CarriedToken::Number);
        let other_pin = pinned.is_some_and(|pin| pin != comparison.token);
        if comparison.policy.base == Base::Equality && other_pin && !self.verdict.claim {
            return self.by_pin(false);
        }
        self.by_owner(false)
    }
}

/// A rule as SQL: one row a resource, in the table [`SCHEMA`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlRule {
    /// The statements of a write, in order, with named parameters. More than one without
    /// `transaction` shows a race: time may pass between them.
    pub statements: Vec<SqlStatement>,
    /// All statements of a write run in one transaction, which is rolled back unless accepted.
    pub transaction: bool,
    /// What the coordinator runs at each grant (`+claim`).
    pub at_grant: Option<&'static str>,
}

/// One statement, and how its effect is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlStatement {
    /// The text shown and run.
    pub text: String,
    /// What to read.
    pub reads: SqlReads,
}

/// How the effect of a statement is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqlReads {
    /// One row: accepted. No row: [`TELL_APART`] tells "no such row" from "rejected".
    Accepts,
    /// One row: a new key, go on. No row: a duplicate. Left out for a write without a key.
    NewKey,
    /// A query on arrival: go on with the next statement if it gives 1 as `ok`.
    Checks,
}

/// The tables that all statements speak of.
pub const SCHEMA: &str = "\
CREATE TABLE doc (
  id TEXT PRIMARY KEY, value TEXT NOT NULL, mark INTEGER NOT NULL DEFAULT 0,
  owner TEXT, pin INTEGER, last_seq INTEGER, version INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE applied (id TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (id, key));";

/// After an affected-row count of 0: no row means that there is none with this id; a row means
/// that the write was rejected, and says by which mark.
pub const TELL_APART: &str = "SELECT mark FROM doc WHERE id = :id";

/// What a program does before it runs the statement: SQL sees only numbers and NULL.
pub const BINDING: &str = "No statement is run: a token that is no positive integer is refused before it is bound. A missing one is bound as NULL.";

const CLAIM: &str = "UPDATE doc SET mark = :token, pin = :token, owner = :sender, last_seq = NULL \
WHERE id = :id AND mark < :token";

/// The same rule as SQL, or a sentence that says why SQL cannot say it.
pub fn sql(policy: &Policy) -> Result<SqlRule, &'static str> {
    let has = |option| policy.has(option);
    if policy.base == Base::AskHolder {
        return Err("No statement on this row can ask the coordinator who holds the lease.");
    }
    if has(PolicyOption::Verified) {
        return Err("The row does not know which tokens the coordinator has issued, and to whom.");
    }
    if has(PolicyOption::Sequence) && !matches!(policy.base, Base::Fenced | Base::Strict) {
        return Err(
            "The last number of every token needs a table of its own: one row is not enough.",
        );
    }
    if policy.base == Base::CheckThenWrite {
        return check_then_write(policy);
    }
    let update = SqlStatement {
        text: update(policy),
        reads: SqlReads::Accepts,
    };
    let key = SqlStatement {
        text: "INSERT OR IGNORE INTO applied (id, key) VALUES (:id, :key)".to_owned(),
        reads: SqlReads::NewKey,
    };
    let dedupe_first = has(PolicyOption::DedupeFirst);
    let transaction = dedupe_first || has(PolicyOption::DedupeAfter);
    Ok(SqlRule {
        statements: match (transaction, dedupe_first) {
            (false, _) => vec![update],
            (true, true) => vec![key, update],
            (true, false) => vec![update, key],
        },
        transaction,
        at_grant: has(PolicyOption::Claim).then_some(CLAIM),
    })
}

/// The one statement that compares and writes.
fn update(policy: &Policy) -> String {
    let mut sets = vec!["value = :value".to_owned()];
    let mut wheres = Vec::new();
    match policy.base {
        Base::Fenced | Base::Strict => fence(policy, &mut sets, &mut wheres),
        Base::Equality => equality(policy, &mut sets, &mut wheres),
        Base::Deadline => wheres.push(":now <= :deadline".to_owned()),
        Base::Unfenced | Base::AskHolder | Base::CheckThenWrite => {}
    }
    let mut text = join(&["UPDATE doc SET ", &sets.join(", "), " WHERE id = :id"]);
    let fence = wheres.join(" AND ");
    if policy.base.looks_at_token() && policy.has(PolicyOption::Optional) {
        text = join(&[&text, " AND (:token IS NULL OR ", &fence, ")"]);
    } else if !fence.is_empty() {
        text = join(&[&text, " AND ", &fence]);
    }
    text
}

/// `new` unless the write has no token and may have none.
fn if_token(policy: &Policy, column: &str, new: &str) -> String {
    if policy.has(PolicyOption::Optional) {
        let or_else = join(&[" ELSE ", column, " END"]);
        join(&[
            column,
            " = CASE WHEN :token IS NOT NULL THEN ",
            new,
            &or_else,
        ])
    } else {
        join(&[column, " = ", new])
    }
}

fn fence(policy: &Policy, sets: &mut Vec<String>, wheres: &mut Vec<String>) {
    let has = |option| policy.has(option);
    sets.push(if_token(policy, "mark", ":token"));
    if has(PolicyOption::Owner) {
        sets.push(if_token(policy, "owner", ":sender"));
    }
    let strict = policy.base == Base::Strict;
    wheres.push(if strict {
        "mark < :token".to_owned()
    } else if has(PolicyOption::Owner) {
        "(mark < :token OR mark = :token AND owner = :sender)".to_owned()
    } else {
        "mark <= :token".to_owned()
    });
    if has(PolicyOption::Sequence) {
        sets.push(if_token(policy, "last_seq", ":seq"));
        let newer = "(mark < :token OR last_seq IS NULL OR last_seq < :seq)";
        wheres.push(join(&[":seq IS NOT NULL AND ", newer]));
    }
}

fn equality(policy: &Policy, sets: &mut Vec<String>, wheres: &mut Vec<String>) {
    sets.push("pin = coalesce(pin, :token)".to_owned());
    sets.push(if_token(policy, "mark", "max(mark, :token)"));
    wheres.push("coalesce(pin, :token) = :token".to_owned());
    if policy.has(PolicyOption::Owner) {
        sets.push("owner = CASE WHEN mark < :token THEN :sender ELSE owner END".to_owned());
        wheres.push("(mark <> :token OR owner = :sender)".to_owned());
    }
}

/// Two statements, and the race between them.
fn check_then_write(policy: &Policy) -> Result<SqlRule, &'static str> {
    let has = |option| policy.has(option);
    if has(PolicyOption::DedupeFirst) || has(PolicyOption::DedupeAfter) {
        return Err(
            "Check and write are two transactions here: a key cannot be recorded with both.",
        );
    }
    if has(PolicyOption::Owner) || has(PolicyOption::Optional) {
        return Err("Shown for the plain check only: two statements with time between them.");
    }
    let read = if has(PolicyOption::Cas) {
        "SELECT mark <= :token AS ok, version FROM doc WHERE id = :id"
    } else {
        "SELECT mark <= :token AS ok FROM doc WHERE id = :id"
    };
    let write = if has(PolicyOption::Cas) {
        "UPDATE doc SET value = :value, mark = max(mark, :token), version = version + 1 \
         WHERE id = :id AND version = :version"
    } else {
        "UPDATE doc SET value = :value, mark = max(mark, :token) WHERE id = :id"
    };
    let statement = |text: &str, reads| SqlStatement {
        text: text.to_owned(),
        reads,
    };
    Ok(SqlRule {
        statements: vec![
            statement(read, SqlReads::Checks),
            statement(write, SqlReads::Accepts),
        ],
        transaction: false,
        at_grant: has(PolicyOption::Claim).then_some(CLAIM),
    })
}
