//! Tables of verdicts.

use super::super::{Cell, CellKind, Table};
use super::Problems;
use super::markdown::Block;
use super::scenes::Scenes;
use super::settings::{self, TableSettings, Text};
use super::subject::Subject;
use crate::narration::short_outcome;
use crate::sim::{Anomaly, Answer, Outcome};

/// Longest caption, head of a column or head of a row, in characters.
const MAX_HEAD_CHARS: usize = 60;

/// A table with its cells filled by the simulation.
pub(super) fn read(block: &Block, scenes: &mut Scenes, problems: &mut Problems) -> Option<Table> {
    let settings: TableSettings = settings::read(block, problems)?;
    let caption = settings.caption.get_ref();
    let line = block.line_of(&settings.caption);
    settings::short(caption, MAX_HEAD_CHARS, "a caption", line, problems);
    for column in &settings.columns {
        settings::short(
            column,
            MAX_HEAD_CHARS,
            "the head of a column",
            line,
            problems,
        );
    }
    if settings.columns.is_empty() || settings.row.is_empty() {
        problems.add(block.opens, "a table has columns and rows (`[[row]]`)");
    }
    let mut rows = Vec::new();
    for row in &settings.row {
        let line = block.line_of(&row.label);
        settings::short(
            row.label.get_ref(),
            MAX_HEAD_CHARS,
            "the head of a row",
            line,
            problems,
        );
        let (cells, columns) = (row.cells.get_ref(), settings.columns.len());
        if cells.len() != columns {
            let line = block.line_of(&row.cells);
            problems.add(
                line,
                format!("this row has {} cells for {columns} columns", cells.len()),
            );
        }
        let mut filled = |text: &Text| cell(block, text, scenes, problems);
        let cells = cells.iter().filter_map(&mut filled).collect();
        rows.push((row.label.get_ref().clone(), cells));
    }
    Some(Table {
        caption: caption.clone(),
        columns: settings.columns,
        rows,
    })
}

/// `RUN[@POLICY]:NAME`
fn cell(block: &Block, text: &Text, scenes: &mut Scenes, problems: &mut Problems) -> Option<Cell> {
    let line = block.line_of(text);
    let parts = text.get_ref().split_once(':');
    let parts =
        parts.ok_or_else(|| format!("`{}` is no cell: write RUN@POLICY:NAME", text.get_ref()));
    let (pane, name) = problems.ok(line, parts)?;
    let pane = problems.ok(line, scenes.pane(pane))?;
    let played = scenes.play(&pane, problems)?;
    let subject = problems.ok(line, Subject::parse(name, &played.scenario))?;
    let outcome = problems.ok(line, subject.outcome(&played))?;
    Some(Cell {
        text: short_outcome(&outcome),
        kind: kind(&outcome),
    })
}

fn kind(outcome: &Outcome) -> CellKind {
    // A write that nobody of the next grant has been before is no failure of the fence.
    if outcome
        .anomalies
        .iter()
        .any(|anomaly| *anomaly != Anomaly::Unseen)
    {
        return CellKind::Failure;
    }
    match outcome.answer {
        Answer::Accepted | Answer::Committed => CellKind::Accepted,
        Answer::Rejected | Answer::NotCommitted => CellKind::Rejected,
        Answer::Duplicate => CellKind::Duplicate,
        _ => CellKind::Other,
    }
}
