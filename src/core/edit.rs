//! Changes to a text that a click makes: lines in, out or in place. Comments stay where they are.

use crate::playhead::{Cursor, Move};
use crate::script::{self, LexemeKind};
use crate::session::{Intent, Run, Session};
use crate::sim::*;

/// Outcomes stand in one column, but not farther right than this.
const MAX_ALIGN_CHARS: usize = 48;

/// A string of the language, with quotes.
pub fn quote(value: &str) -> String {
    let mut quoted = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' | '\r' => quoted.push(' '),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The bytes before which so many characters stand.
fn byte_at(line: &str, chars: usize) -> usize {
    line.char_indices()
        .nth(chars)
        .map_or(line.len(), |(at, _)| at)
}

/// A line without its comment, and the comment, empty if there is none.
pub fn split_comment(line: &str) -> (&str, &str) {
    let last = script::tokens(line).pop();
    match last {
        Some(last) if last.kind == LexemeKind::Comment => {
            line.split_at(byte_at(line, last.column - 1))
        }
        _ => (line, ""),
    }
}

/// Puts `new` in place of what line `number` (from 1) says; its comment stays in its column.
pub fn replace_line(source: &str, number: usize, new: &str) -> String {
    let mut lines: Vec<String> = source.split('\n').map(str::to_owned).collect();
    if let Some(line) = number.checked_sub(1).and_then(|index| lines.get_mut(index)) {
        let (body, comment) = split_comment(line);
        let column = body.chars().count();
        let mut text = new.to_owned();
        if !comment.is_empty() {
            let gap = column.saturating_sub(new.chars().count()).max(2);
            text.extend(std::iter::repeat_n(' ', gap));
            text.push_str(comment);
        }
        *line = text;
    }
    lines.join("\n")
}

/// Puts `new` in place of `length` characters of line `number` from `column` on (both from 1).
pub fn replace_span(
    source: &str,
    number: usize,
    column: usize,
    length: usize,
    new: &str,
) -> String {
    let mut lines: Vec<String> = source.split('\n').map(str::to_owned).collect();
    if let Some(line) = number.checked_sub(1).and_then(|index| lines.get_mut(index)) {
        let from = column.saturating_sub(1);
        let (start, end) = (byte_at(line, from), byte_at(line, from + length));
        *line = [&line[..start], new, &line[end..]].concat();
    }
    lines.join("\n")
}

/// Writes `line` at the cursor; what comes later stays, and stays when it was.
pub fn insert(source: &str, run: &Run, kept: usize, cursor: Cursor, line: &str) -> String {
    let now_secs = cursor.now_ms / 1000;
    let steps = &run.parsed.lines.steps;
    let mut text: Vec<String> = source.split('\n').map(str::to_owned).collect();
    let previous = kept.checked_sub(1).filter(|step| *step < steps.len());
    let mut free_secs = 0;
    if let Some(step) = previous {
        let played = &run.trace.steps[step];
        free_secs = played.finish_secs;
        if is_wait(run, step) && now_secs < played.finish_secs {
            let shorter = [
                "wait ",
                &now_secs.saturating_sub(played.start_secs).to_string(),
            ]
            .concat();
            let timed = run.scenario().steps[step]
                .at_secs
                .map(|at| ["at ", &at.to_string(), " "].concat());
            let whole = [timed.unwrap_or_default(), shorter].concat();
            text = lines_of(&replace_line(source, steps[step], &whole));
            free_secs = now_secs;
        }
    }
    let at = match previous {
        Some(step) => steps[step],
        None => first_place(run, &mut text),
    };
    let written = match free_secs == now_secs {
        true => line.to_owned(),
        false => ["at ", &now_secs.to_string(), " ", line].concat(),
    };
    text.insert(at.min(text.len()), written);
    if at + 1 >= text.len() {
        text.push(String::new());
    }
    keep_next(run, kept, text.join("\n"))
}

fn lines_of(source: &str) -> Vec<String> {
    source.split('\n').map(str::to_owned).collect()
}

fn is_wait(run: &Run, step: usize) -> bool {
    matches!(run.scenario().steps[step].action, Action::Wait(_))
}

/// Where the first step goes: before all other steps and `expect` lines, after the header.
fn first_place(run: &Run, text: &mut Vec<String>) -> usize {
    let lines = &run.parsed.lines;
    if let Some(first) = lines.steps.first().or(lines.expects.first()) {
        return first - 1;
    }
    while text.last().is_some_and(|line| line.trim().is_empty()) {
        text.pop();
    }
    if !text.is_empty() {
        text.push(String::new());
    }
    text.len()
}

/// Says of the step after a new one when it starts, if it would start at another time now.
fn keep_next(run: &Run, kept: usize, source: String) -> String {
    let Some(before) = run.trace.steps.get(kept) else {
        return source;
    };
    let now = Run::new(&source, None);
    let moved = now
        .trace
        .steps
        .get(kept + 1)
        .is_some_and(|step| step.start_secs != before.start_secs);
    match (
        now.scenario().steps.get(kept + 1),
        now.parsed.lines.steps.get(kept + 1),
    ) {
        (Some(step), Some(line)) if moved && step.at_secs.is_none() => {
            let step = Step {
                at_secs: Some(before.start_secs),
                ..step.clone()
            };
            replace_line(&source, *line, &script::print_step(now.scenario(), &step))
        }
        _ => source,
    }
}

/// Carries out an action at the session's cursor: writes its line, and plays until what it began
/// has finished.
pub fn act(session: &mut Session, line: &str) {
    let kept = session.steps_passed();
    let source = insert(
        &session.source,
        &session.run,
        kept,
        session.head.cursor,
        line,
    );
    session.update(Intent::Edit(source));
    let finish_ms = session.run.finish_ms(kept);
    let until = session.run.clock.passed_at(finish_ms);
    session.update(match until > session.head.cursor.passed {
        true => Intent::Move(Move::PlayTo(until)),
        false => Intent::Move(Move::Seek(finish_ms.max(session.head.cursor.now_ms))),
    });
}

/// Writes behind each step what came of it, where nothing is expected yet.
pub fn expect_all(source: &str, run: &Run) -> String {
    let scenario = run.scenario();
    let mut text = source.to_owned();
    for (index, (step, line)) in scenario
        .steps
        .iter()
        .zip(&run.parsed.lines.steps)
        .enumerate()
    {
        let got = step_outcome(scenario, &run.trace, index);
        if step.expectation.is_none() && got.is_some() {
            let step = Step {
                expectation: got,
                ..step.clone()
            };
            text = replace_line(&text, *line, &script::print_step(scenario, &step));
        }
    }
    format(&text)
}

/// The text with the same lines, evenly spaced: one blank between words, outcomes in one column,
/// comments kept.
pub fn format(source: &str) -> String {
    let lines: Vec<Pieces> = source.split('\n').map(pieces).collect();
    let widths = lines
        .iter()
        .filter(|line| !line.outcome.is_empty())
        .map(|line| line.body.chars().count());
    let column = widths
        .filter(|width| *width <= MAX_ALIGN_CHARS)
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    let mut blank = true;
    for line in lines {
        let is_blank = line.body.is_empty() && line.comment.is_empty();
        if !(is_blank && blank) {
            line.print(column, &mut text);
            text.push('\n');
        }
        blank = is_blank;
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
    if text == "\n" { String::new() } else { text }
}

/// A line in three parts.
struct Pieces {
    body: String,
    outcome: String,
    comment: String,
}

impl Pieces {
    fn print(&self, column: usize, out: &mut String) {
        let start = out.len();
        out.push_str(&self.body);
        if !self.outcome.is_empty() {
            let gap = (column + 2)
                .saturating_sub(self.body.chars().count())
                .max(1);
            out.extend(std::iter::repeat_n(' ', gap));
            out.push_str(&self.outcome);
        }
        if !self.comment.is_empty() && out.len() > start {
            out.push_str("  ");
        }
        out.push_str(&self.comment);
    }
}

fn pieces(line: &str) -> Pieces {
    let (mut body, mut outcome, mut comment) = (String::new(), String::new(), String::new());
    let mut after_open = false;
    for token in script::tokens(line) {
        let start = byte_at(line, token.column - 1);
        let text = &line[start..byte_at(line, token.column - 1 + token.length)];
        if token.kind == LexemeKind::Comment {
            comment = text.trim_end().to_owned();
            break;
        }
        let part = if text == "=>" || !outcome.is_empty() {
            &mut outcome
        } else {
            &mut body
        };
        let tight =
            after_open || (token.kind == LexemeKind::Sign && matches!(text, "," | ":" | ")"));
        if !part.is_empty() && !tight {
            part.push(' ');
        }
        part.push_str(text);
        after_open = text == "(" && token.kind == LexemeKind::Sign;
    }
    Pieces {
        body,
        outcome,
        comment,
    }
}

/// The text with every use of the name `old` replaced; strings and comments stay.
pub fn rename(source: &str, old: &str, new: &str) -> String {
    let uses: Vec<_> = (script::tokens(source).into_iter())
        .filter(|token| token.kind == LexemeKind::Word)
        .filter_map(|token| {
            let line = source.split('\n').nth(token.line - 1)?;
            let start = byte_at(line, token.column - 1);
            let word = line.get(start..)?;
            let stem: String = word
                .chars()
                .take(token.length)
                .take_while(|c| !matches!(c, '#' | '@'))
                .collect();
            (stem == old).then_some((token.line, token.column))
        })
        .collect();
    // From the end on, so that places before stay right.
    uses.into_iter()
        .rev()
        .fold(source.to_owned(), |text, (line, column)| {
            replace_span(&text, line, column, old.chars().count(), new)
        })
}
