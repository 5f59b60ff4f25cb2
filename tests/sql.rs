//! The SQL that the gate shows, run against SQLite on the same writes as the simulation.

use fencing_core::gate::{SCHEMA, SqlReads, SqlRule, TELL_APART, sql};
use fencing_core::sim::*;
use proptest::prelude::*;
use rusqlite::{Connection, OptionalExtension, ToSql, types::Value};

/// A write of the generated sequence.
#[derive(Clone, Debug)]
struct Shot {
    client: usize,
    token: TokenChoice,
    key: Option<u8>,
    seq: Option<u64>,
    deadline_secs: Option<Secs>,
    /// For `check-then-write`: seconds between check and effect.
    stall_secs: Secs,
    /// How many seconds after the write before.
    gap_secs: Secs,
}

fn shot() -> impl Strategy<Value = Shot> {
    let token = prop_oneof![
        8 => (0u64..6).prop_map(TokenChoice::Number),
        1 => Just(TokenChoice::Missing),
        1 => Just(TokenChoice::Text("2".to_owned())),
    ];
    let key = prop::option::of(0u8..3);
    let seq = prop::option::weighted(0.8, 0u64..4);
    let deadline_secs = prop::option::weighted(0.8, 0u64..30);
    let number = 0usize..2;
    (number, token, key, seq, deadline_secs, 0u64..4, 0u64..3).prop_map(
        |(client, token, key, seq, deadline_secs, stall_secs, gap_secs)| Shot {
            client,
            token,
            key,
            seq,
            deadline_secs,
            stall_secs,
            gap_secs,
        },
    )
}

/// Every policy that SQL can say. `+claim` and `+durable` change no statement of a write.
fn policies() -> Vec<(Policy, SqlRule)> {
    let mut all = Vec::new();
    let other =
        |option: &&PolicyOption| !matches!(option, PolicyOption::Claim | PolicyOption::Durable);
    let options: Vec<&PolicyOption> = PolicyOption::ALL.iter().filter(other).collect();
    for base in Base::ALL {
        for bits in 0..1u32 << options.len() {
            let chosen = options
                .iter()
                .enumerate()
                .filter(|(i, _)| bits >> i & 1 == 1);
            let options: EnumSet<PolicyOption> = chosen.map(|(_, option)| **option).collect();
            let both = options.contains(&PolicyOption::DedupeFirst)
                && options.contains(&PolicyOption::DedupeAfter);
            let cas = options.contains(&PolicyOption::Cas) && *base != Base::CheckThenWrite;
            let policy = Policy {
                base: *base,
                options,
            };
            if let (false, Ok(rule)) = (both || cas, sql(&policy)) {
                all.push((policy, rule));
            }
        }
    }
    all
}

const HEADER_MARK: Token = 1;

fn scenario(policy: &Policy, shots: &[Shot]) -> Scenario {
    let mut at_secs = 0;
    let mut steps = Vec::new();
    for (index, shot) in shots.iter().enumerate() {
        at_secs += shot.gap_secs;
        let stalls = policy.base == Base::CheckThenWrite;
        let write = Write {
            resource: ResourceId(0),
            value: value(index),
            token: shot.token.clone(),
            applied_at_secs: stalls.then_some(at_secs + shot.stall_secs),
            key: shot.key.map(|key| key.to_string()),
            seq: shot.seq,
            based_on: None,
            deadline_secs: shot.deadline_secs,
            reaching: None,
        };
        let request = Request {
            client: ClientId(shot.client),
            body: Body::Write(write),
            name: Some(NameId(index)),
            travel: Travel::Taking(0),
            reply: Travel::Taking(0),
        };
        steps.push(Step {
            at_secs: Some(at_secs),
            action: Action::Request(request),
            expectation: None,
        });
    }
    Scenario {
        title: String::new(),
        ttl_secs: 10,
        latency_secs: 0,
        token: 1,
        clients: vec!["A".to_owned(), "B".to_owned()],
        leases: vec![Lease {
            name: None,
            token: None,
            ttl_secs: None,
        }],
        resources: vec![Resource {
            name: "doc".to_owned(),
            lease: LeaseId(0),
            policy: policy.clone(),
            mark: HEADER_MARK,
            value: "start".to_owned(),
            replicas: Vec::new(),
            quorum: None,
            clock_skew_secs: 0,
        }],
        externals: Vec::new(),
        coordinator: CoordinatorRules::default(),
        messages: (0..shots.len()).map(|index| format!("w{index}")).collect(),
        steps,
        expects: Vec::new(),
    }
}

fn value(index: usize) -> String {
    format!("v{index}")
}

/// What a program that uses the statements decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Accepted,
    Duplicate,
    Rejected,
    NoSuchRow,
}

/// The table, and the checks whose write is still to come.
struct Database {
    connection: Connection,
}

impl Database {
    fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(SCHEMA).unwrap();
        let row = "INSERT INTO doc (id, value, mark) VALUES ('doc', 'start', ?1)";
        connection.execute(row, [HEADER_MARK as i64]).unwrap();
        Database { connection }
    }

    /// Binds the parameters that the statement names, and no others.
    fn bind<'a>(
        text: &str,
        all: &'a [(&'static str, Value)],
    ) -> Vec<(&'static str, &'a dyn ToSql)> {
        let named = all.iter().filter(|(name, _)| {
            text.match_indices(name).any(|(at, _)| {
                let next = text[at + name.len()..].chars().next();
                next.is_none_or(|next| !next.is_ascii_alphanumeric())
            })
        });
        named
            .map(|(name, value)| (*name, value as &dyn ToSql))
            .collect()
    }

    fn run(&self, text: &str, parameters: &[(&'static str, Value)]) -> usize {
        let bound = Database::bind(text, parameters);
        self.connection.execute(text, bound.as_slice()).unwrap()
    }

    /// After an affected-row count of 0.
    fn tell_apart(&self, parameters: &[(&'static str, Value)]) -> Decision {
        let bound = Database::bind(TELL_APART, parameters);
        let mark = |row: &rusqlite::Row| row.get::<_, i64>(0);
        match self
            .connection
            .query_row(TELL_APART, bound.as_slice(), mark)
            .optional()
            .unwrap()
        {
            None => Decision::NoSuchRow,
            Some(_) => Decision::Rejected,
        }
    }

    fn write(&self, rule: &SqlRule, parameters: &[(&'static str, Value)], keyed: bool) -> Decision {
        if rule.transaction {
            self.connection.execute_batch("BEGIN").unwrap();
        }
        let decision = self.decide(rule, parameters, keyed);
        if rule.transaction {
            let end = if decision == Decision::Accepted {
                "COMMIT"
            } else {
                "ROLLBACK"
            };
            self.connection.execute_batch(end).unwrap();
        }
        decision
    }

    fn decide(
        &self,
        rule: &SqlRule,
        parameters: &[(&'static str, Value)],
        keyed: bool,
    ) -> Decision {
        for statement in &rule.statements {
            if statement.reads == SqlReads::NewKey && !keyed {
                continue;
            }
            let rows = self.run(&statement.text, parameters);
            assert!(rows <= 1, "{} rows", rows);
            match (statement.reads, rows) {
                (_, 1) => {}
                (SqlReads::NewKey, _) => return Decision::Duplicate,
                _ => return self.tell_apart(parameters),
            }
        }
        Decision::Accepted
    }

    /// The check on arrival: whether to go on, and the version seen.
    fn check(&self, text: &str, parameters: &[(&'static str, Value)]) -> (bool, Value) {
        let bound = Database::bind(text, parameters);
        let read = |row: &rusqlite::Row| {
            let version = row.get::<_, Value>(1).unwrap_or(Value::Null);
            Ok((row.get::<_, Option<bool>>(0)?.unwrap_or(false), version))
        };
        self.connection
            .query_row(text, bound.as_slice(), read)
            .unwrap()
    }

    fn state(&self) -> (String, Token) {
        let read = |row: &rusqlite::Row| Ok((row.get(0)?, row.get::<_, i64>(1)? as Token));
        let text = "SELECT value, mark FROM doc WHERE id = 'doc'";
        self.connection.query_row(text, [], read).unwrap()
    }
}

fn number(number: Option<u64>) -> Value {
    number.map_or(Value::Null, |number| Value::Integer(number as i64))
}

fn parameters(id: &str, index: usize, shot: &Shot, now: Secs) -> Vec<(&'static str, Value)> {
    let token = match shot.token {
        TokenChoice::Number(token) => Some(token),
        _ => None,
    };
    vec![
        (":id", Value::Text(id.to_owned())),
        (":value", Value::Text(value(index))),
        (":token", number(token)),
        (":sender", Value::Text(shot.client.to_string())),
        (":seq", number(shot.seq)),
        (":now", number(Some(now))),
        (":deadline", number(shot.deadline_secs)),
        (
            ":key",
            shot.key
                .map_or(Value::Null, |key| Value::Text(key.to_string())),
        ),
    ]
}

/// What the program does before any statement: see `gate::BINDING`.
fn malformed(policy: &Policy, shot: &Shot) -> bool {
    let bad = matches!(shot.token, TokenChoice::Number(0) | TokenChoice::Text(_));
    policy.base.looks_at_token() && bad
}

/// The decision of the simulation about write `index`.
fn simulated(trace: &Trace, index: usize) -> (Decision, Token) {
    let verdict = trace
        .verdicts
        .iter()
        .find(|v| v.name == Some(NameId(index)))
        .unwrap();
    let decision = match verdict.answer {
        Answer::Accepted => Decision::Accepted,
        Answer::Duplicate => Decision::Duplicate,
        _ => Decision::Rejected,
    };
    (decision, verdict.mark_after)
}

/// A key is recognized before a malformed token where the policy says so.
fn program(
    database: &Database,
    policy: &Policy,
    rule: &SqlRule,
    index: usize,
    shot: &Shot,
    now: Secs,
) -> Decision {
    let parameters = parameters("doc", index, shot, now);
    if !malformed(policy, shot) {
        return database.write(rule, &parameters, shot.key.is_some());
    }
    let known = policy.has(PolicyOption::DedupeFirst) && shot.key.is_some() && {
        let text = "SELECT count(*) FROM applied WHERE key = ?1";
        let key = shot.key.unwrap_or_default().to_string();
        database
            .connection
            .query_row(text, [key], |row| row.get::<_, i64>(0))
            .unwrap()
            == 1
    };
    if known {
        Decision::Duplicate
    } else {
        Decision::Rejected
    }
}

fn compare_atomic(policy: &Policy, rule: &SqlRule, shots: &[Shot]) {
    let trace = run(&scenario(policy, shots));
    let database = Database::new();
    let mut now = 0;
    for (index, shot) in shots.iter().enumerate() {
        now += shot.gap_secs;
        let got = program(&database, policy, rule, index, shot, now);
        let (expected, mark) = simulated(&trace, index);
        assert_eq!(got, expected, "{policy}: write {index} of {shots:?}");
        let (stored, sql_mark) = database.state();
        assert_eq!(
            sql_mark, mark,
            "{policy}: mark after write {index} of {shots:?}"
        );
        let accepted = |i: &usize| simulated(&trace, *i).0 == Decision::Accepted;
        let last = (0..=index).rev().find(accepted);
        assert_eq!(
            stored,
            last.map_or("start".to_owned(), value),
            "{policy}: {shots:?}"
        );
    }
}

/// Checks and effects in the order of the simulation: by time, effects that are due before checks.
fn compare_two_steps(policy: &Policy, rule: &SqlRule, shots: &[Shot]) {
    let trace = run(&scenario(policy, shots));
    let database = Database::new();
    let mut passed: Vec<Option<(bool, Value)>> = vec![None; shots.len()];
    for event in &trace.events {
        let index = |message: MessageId| trace.messages[message.0].name.unwrap().0;
        let (write, effect) = match event.kind {
            EventKind::Stalled { message, .. } => (index(message), false),
            EventKind::Judged(verdict) => (trace.verdicts[verdict].name.unwrap().0, true),
            _ => continue,
        };
        let shot = &shots[write];
        let mut bound = parameters("doc", write, shot, event.at_secs);
        if passed[write].is_none() {
            let (ok, version) = database.check(&rule.statements[0].text, &bound);
            passed[write] = Some((ok && !malformed(policy, shot), version));
        }
        let (ok, version) = passed[write].clone().unwrap();
        if !effect {
            continue;
        }
        bound.push((":version", version));
        let got = if ok {
            match database.run(&rule.statements[1].text, &bound) {
                1 => Decision::Accepted,
                _ => database.tell_apart(&bound),
            }
        } else {
            Decision::Rejected
        };
        let (expected, mark) = simulated(&trace, write);
        assert_eq!(got, expected, "{policy}: write {write} of {shots:?}");
        assert_eq!(
            database.state().1,
            mark,
            "{policy}: mark after {write} of {shots:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sqlite_decides_as_the_simulation(shots in prop::collection::vec(shot(), 1..14)) {
        for (policy, rule) in policies() {
            if policy.base == Base::CheckThenWrite {
                compare_two_steps(&policy, &rule, &shots);
            } else {
                compare_atomic(&policy, &rule, &shots);
            }
        }
    }
}

fn shot_of(token: TokenChoice) -> Shot {
    Shot {
        client: 0,
        token,
        key: Some(1),
        seq: Some(1),
        deadline_secs: Some(9),
        stall_secs: 0,
        gap_secs: 0,
    }
}

#[test]
fn no_such_row_is_told_apart_from_stale() {
    let policy = Policy::of(Base::Fenced);
    let rule = sql(&policy).unwrap();
    let database = Database::new();
    let decide = |id: &str, token| {
        let parameters = parameters(id, 0, &shot_of(TokenChoice::Number(token)), 0);
        database.write(&rule, &parameters, false)
    };
    assert_eq!(decide("doc", 42), Decision::Accepted);
    assert_eq!(decide("doc", 41), Decision::Rejected);
    assert_eq!(decide("elsewhere", 43), Decision::NoSuchRow);
    assert_eq!(database.state(), ("v0".to_owned(), 42));
}

#[test]
fn no_such_row_is_found_by_every_atomic_rule() {
    for (policy, rule) in policies() {
        if policy.base != Base::CheckThenWrite {
            let database = Database::new();
            let parameters = parameters("elsewhere", 0, &shot_of(TokenChoice::Number(9)), 0);
            let got = database.write(&rule, &parameters, true);
            assert_eq!(got, Decision::NoSuchRow, "{policy}");
        }
    }
}

/// The claim at the grant raises the mark as the simulation does.
#[test]
fn a_claim_at_the_grant_raises_the_mark() {
    let text = "latency 0\ntoken 41\nresource doc: fenced+claim, mark 1\nA acquires\nA writes w \"v\" token 40\n";
    let parsed = fencing_core::script::parse(text);
    assert!(parsed.errors.is_empty());
    let trace = run(&parsed.scenario);
    let policy = parsed.scenario.resources[0].policy.clone();
    let rule = sql(&policy).unwrap();
    let database = Database::new();
    let grant = parameters("doc", 0, &shot_of(TokenChoice::Number(41)), 0);
    assert_eq!(database.run(rule.at_grant.unwrap(), &grant), 1);
    let write = parameters("doc", 0, &shot_of(TokenChoice::Number(40)), 0);
    assert_eq!(database.write(&rule, &write, false), simulated(&trace, 0).0);
    assert_eq!(database.state().1, simulated(&trace, 0).1);
    assert_eq!(database.run(rule.at_grant.unwrap(), &grant), 0);
}

#[test]
fn the_fence_is_one_statement() {
    let texts = |name| -> Vec<String> {
        let policy = Policy::of(name);
        sql(&policy)
            .unwrap()
            .statements
            .into_iter()
            .map(|s| s.text)
            .collect()
    };
    assert_eq!(
        texts(Base::Fenced),
        ["UPDATE doc SET value = :value, mark = :token WHERE id = :id AND mark <= :token"]
    );
    assert_eq!(
        texts(Base::Strict),
        ["UPDATE doc SET value = :value, mark = :token WHERE id = :id AND mark < :token"]
    );
    assert_eq!(
        texts(Base::Unfenced),
        ["UPDATE doc SET value = :value WHERE id = :id"]
    );
    assert_eq!(texts(Base::CheckThenWrite).len(), 2);
    assert!(sql(&Policy::of(Base::AskHolder)).is_err());
}
