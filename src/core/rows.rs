//! What stands beside each line of a script: when it happens, what came of it, what is wrong.

use crate::edit;
use crate::script::{self, SyntaxError};
use crate::session::Run;
use crate::sim::*;

/// A line of the text and what the run says of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// When the step starts.
    pub at_secs: Option<Secs>,
    /// Which step it is.
    pub step: Option<usize>,
    /// What came of it.
    pub result: RowResult,
    /// What is wrong with it.
    pub trouble: Option<Trouble>,
}

/// See [`Row::result`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RowResult {
    /// Nothing to say.
    #[default]
    Nothing,
    /// A client was granted this token.
    Granted(ClientId, Token),
    /// An answer or verdict.
    Outcome(Outcome),
    /// An `expect` line that the run meets.
    Holds,
}

/// Why a line is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is left out: it does not parse, or cannot happen.
    Error,
    /// It expects something else than the run says.
    Failure,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Error or failed expectation.
    pub kind: Kind,
    /// First marked character, from 1; 0: the whole line.
    pub column: usize,
    /// How many are marked.
    pub length: usize,
    /// A sentence.
    pub text: String,
    /// What one click does about it.
    pub fix: Option<Fix>,
}

/// A change that mends a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the button says.
    pub label: String,
    /// The whole text afterwards.
    pub source: String,
}

/// How many lines are wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines that are left out.
    pub errors: usize,
    /// Lines that expect something else.
    pub failures: usize,
    /// All `=>` and `expect` lines.
    pub expectations: usize,
}

/// One row for each line of `source`, which `run` was made from.
pub fn rows(source: &str, run: &Run) -> (Vec<Row>, Counts) {
    let scenario = run.scenario();
    let lines = &run.parsed.lines;
    let mut rows = vec![Row::default(); source.split('\n').count()];
    for (index, line) in lines.steps.iter().enumerate() {
        if let Some(row) = rows.get_mut(line - 1) {
            row.step = Some(index);
            row.at_secs = run.trace.steps.get(index).map(|step| step.start_secs);
            row.result = result(scenario, &run.trace, index);
        }
    }
    for line in &lines.expects {
        if let Some(row) = rows.get_mut(line - 1) {
            row.result = RowResult::Holds;
        }
    }
    let failures = match &run.policy {
        None => failures(scenario, &run.trace),
        Some(_) => check(scenario).failures,
    };
    for failure in failures {
        note_failure(source, run, &failure, &mut rows);
    }
    for problem in &run.trace.problems {
        if let Some(row) = lines
            .steps
            .get(problem.step)
            .and_then(|line| rows.get_mut(line - 1))
        {
            row.result = RowResult::Nothing;
            row.trouble = Some(Trouble {
                kind: Kind::Error,
                column: 0,
                length: 0,
                text: sentence(&problem.text),
                fix: None,
            });
        }
    }
    for error in &run.parsed.errors {
        if let Some(row) = rows.get_mut(error.line - 1) {
            row.trouble = Some(syntax(source, error));
        }
    }
    let of_kind = |kind| {
        rows.iter()
            .filter(|row| row.trouble.as_ref().is_some_and(|t| t.kind == kind))
            .count()
    };
    let counts = Counts {
        errors: of_kind(Kind::Error),
        failures: of_kind(Kind::Failure),
        expectations: scenario
            .steps
            .iter()
            .filter(|step| step.expectation.is_some())
            .count()
            + scenario.expects.len(),
    };
    (rows, counts)
}

fn result(scenario: &Scenario, trace: &Trace, index: usize) -> RowResult {
    match step_outcome(scenario, trace, index) {
        Some(Outcome {
            answer: Answer::Granted(token),
            ..
        }) => match &scenario.steps[index].action {
            Action::Request(request) => RowResult::Granted(request.client, token),
            _ => RowResult::Nothing,
        },
        Some(outcome) => RowResult::Outcome(outcome),
        None => RowResult::Nothing,
    }
}

/// A capital at the start and a full stop at the end.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    let end = if text.ends_with(['?', '.']) { "" } else { "." };
    [&first, chars.as_str(), end].concat()
}

fn syntax(source: &str, error: &SyntaxError) -> Trouble {
    let hint = error.hint.as_ref().map(|hint| sentence(&hint.text));
    let first = sentence(&["found ", &error.found, ", expected ", &error.expected].concat());
    let text = match hint {
        Some(hint) => [&first, " ", &hint].concat(),
        None => first,
    };
    let replacement = error
        .hint
        .as_ref()
        .and_then(|hint| hint.replacement.as_ref());
    Trouble {
        kind: Kind::Error,
        column: error.column,
        length: error.length,
        text,
        fix: replacement.map(|new| Fix {
            label: ["Change to ", new].concat(),
            source: edit::replace_span(source, error.line, error.column, error.length, new),
        }),
    }
}

fn note_failure(source: &str, run: &Run, failure: &Failure, rows: &mut [Row]) {
    let lines = &run.parsed.lines;
    let (number, mended) = match failure.line {
        ExpectingLine::Step(step) => (
            lines.steps[step],
            mended_step(run, step, &failure.difference),
        ),
        ExpectingLine::Expect(expect) => (lines.expects[expect], mended_expect(run, expect)),
    };
    let Some(row) = rows.get_mut(number - 1) else {
        return;
    };
    let said = says(&failure.difference);
    if let Some(trouble) = &mut row.trouble {
        trouble.text = [&trouble.text, " ", &said].concat();
        return;
    }
    row.trouble = Some(Trouble {
        kind: Kind::Failure,
        column: 0,
        length: 0,
        text: said,
        fix: mended.map(|line| Fix {
            label: "Expect that".to_owned(),
            source: edit::replace_line(source, number, &line),
        }),
    });
}

fn says(difference: &Difference) -> String {
    match difference {
        Difference::Outcome { subject, got, .. } => {
            let got = got.as_ref().map_or(
                "no answer that a line could expect".to_owned(),
                script::print_outcome,
            );
            let subject = if subject.is_empty() {
                String::new()
            } else {
                [subject, " "].concat()
            };
            ["The run says ", &subject, &got, "."].concat()
        }
        Difference::Mark { got, .. } => ["The mark is ", &got.to_string(), " at the end."].concat(),
        Difference::Value { got, .. } => ["The value is “", got, "” at the end."].concat(),
    }
}

fn mended_step(run: &Run, step: usize, difference: &Difference) -> Option<String> {
    let Difference::Outcome { got: Some(got), .. } = difference else {
        return None;
    };
    let step = Step {
        expectation: Some(got.clone()),
        ..run.scenario().steps.get(step)?.clone()
    };
    Some(script::print_step(run.scenario(), &step))
}

/// The `expect` line as the run would have it.
fn mended_expect(run: &Run, expect: usize) -> Option<String> {
    let scenario = run.scenario();
    let mended = match scenario.expects.get(expect)? {
        Expect::Verdicts(policy, verdicts) => {
            let trace = run_under(scenario, policy);
            let mend = |item: &ExpectedVerdict| ExpectedVerdict {
                outcome: delivery_outcome(scenario, &trace, item.name, item.delivery, item.replica),
                ..item.clone()
            };
            Expect::Verdicts(policy.clone(), verdicts.iter().map(mend).collect())
        }
        Expect::Mark(_, resource) => {
            Expect::Mark(final_state(scenario, &run.trace, *resource).0, *resource)
        }
        Expect::Value(_, resource) => {
            Expect::Value(final_state(scenario, &run.trace, *resource).1, *resource)
        }
    };
    let alone = Scenario {
        expects: vec![mended],
        ..scenario.clone()
    };
    script::print(&alone).lines().last().map(str::to_owned)
}
