//! The coloured copy of the text, which lies under the text area line for line.
//!
//! Invariants
//! - Its lines break where those of the text area do, so both are equally high. A long text is cut
//!   into blocks: those in sight have a row for each line, the others are one plain text, which
//!   the browser breaks in the same way. So what an edit or a step costs does not grow with the text.
//! - What is on the page is known here and never read from it.

use super::coloured::{Copied, Line};
use crate::html::Html;
use crate::view::browser::{self, Sight};
use std::ops::Range;
use web_sys::Element;

/// A new block has so many lines.
const BLOCK_LINES: usize = 20;
/// So many new blocks get rows before the browser says which are in sight.
const FIRST_BLOCKS: usize = 3;

/// Which lines have run.
#[derive(Clone, Default, PartialEq)]
pub struct Marks {
    /// Index of the first line that has not.
    pub end: usize,
    /// Index of the line that was carried out last.
    pub current: Option<usize>,
    /// The time at the cursor.
    pub now: String,
}

impl Marks {
    /// The class of a line, with a space before it.
    fn class(&self, line: usize) -> &'static str {
        match (self.current == Some(line), line >= self.end) {
            (true, _) => " current",
            (false, true) => " later",
            (false, false) => "",
        }
    }
}

/// A line on the page.
struct Row {
    line: Line,
    class: &'static str,
}

/// Some lines on the page, one after the other.
struct Block {
    /// The `data-block` of its element.
    id: u32,
    lines: usize,
    /// `None`: it is plain text.
    rows: Option<Vec<Row>>,
}

/// See the module.
pub struct Copy {
    root: Element,
    sight: Sight,
    blocks: Vec<Block>,
    shown: Copied,
    marks: Marks,
    next_id: u32,
}

impl Copy {
    /// The copy of a text in an empty element. `sight` tells [`Copy::see`].
    pub fn new(root: Element, sight: Sight, shown: Copied) -> Self {
        let mut copy = Copy {
            root,
            sight,
            blocks: Vec::new(),
            shown,
            marks: Marks::default(),
            next_id: 0,
        };
        let lines = copy.shown.lines().len();
        copy.replace_blocks(0..0, lines, true);
        copy
    }

    /// Shows another text.
    pub fn show(&mut self, shown: Copied) {
        let (head, old, new) = changed(self.shown.lines(), shown.lines());
        self.shown = shown;
        if old + new > 0 {
            self.change_lines(head, old, new);
        }
        for (index, start) in self.starts().into_iter().enumerate() {
            self.draw_rows(index, start);
        }
    }

    /// Shows how far the run has gone.
    pub fn mark(&mut self, marks: Marks) {
        self.marks = marks;
        for (index, start) in self.starts().into_iter().enumerate() {
            self.mark_rows(index, start);
        }
    }

    /// An element of the copy has come into sight, or left it.
    pub fn see(&mut self, element: &Element, seen: bool) {
        let id = element
            .get_attribute("data-block")
            .and_then(|id| id.parse().ok());
        let Some(index) = self.blocks.iter().position(|block| Some(block.id) == id) else {
            return;
        };
        let Some(start) = self.starts().get(index).copied() else {
            return;
        };
        if self.blocks[index].rows.is_some() == seen {
            return;
        }
        let lines = start..start + self.blocks[index].lines;
        let (markup, rows) = self.inside(lines, seen);
        element.set_inner_html(&markup);
        self.blocks[index].rows = rows;
        self.mark_rows(index, start);
    }

    /// Top and height of a line that is in sight, in px within the editor.
    pub fn place_of(&self, line: usize) -> Option<(i32, i32)> {
        let starts = self.starts();
        let index = starts
            .partition_point(|start| *start <= line)
            .checked_sub(1)?;
        self.blocks.get(index)?.rows.as_ref()?;
        browser::place_of(&self.element(index)?, line - starts[index])
    }

    /// The first line of each block.
    fn starts(&self) -> Vec<usize> {
        let mut next = 0;
        let start = |block: &Block| {
            next += block.lines;
            next - block.lines
        };
        self.blocks.iter().map(start).collect()
    }

    fn element(&self, index: usize) -> Option<Element> {
        self.root.children().item(u32::try_from(index).ok()?)
    }

    /// The same of a block that has rows: most of a long text have none, and nothing of them is asked.
    fn element_with_rows(&self, index: usize) -> Option<Element> {
        self.blocks[index].rows.as_ref()?;
        self.element(index)
    }

    /// `old` lines from `head` on are `new` others now.
    fn change_lines(&mut self, head: usize, old: usize, new: usize) {
        let starts = self.starts();
        let last_of = |line: usize| {
            starts
                .partition_point(|start| *start <= line)
                .saturating_sub(1)
        };
        let (first, last) = (
            last_of(head),
            last_of((head + old).saturating_sub(1).max(head)),
        );
        let affected = first..(last + 1).min(self.blocks.len());
        let before: usize = self.blocks[affected.clone()]
            .iter()
            .map(|block| block.lines)
            .sum();
        let lines = before + new - old;
        if affected.len() == 1 && (1..=2 * BLOCK_LINES).contains(&lines) {
            self.blocks[first].lines = lines;
            self.draw_text(first, starts[first]);
        } else {
            let seen = self.blocks[affected.clone()]
                .iter()
                .any(|block| block.rows.is_some());
            self.replace_blocks(affected, lines, seen);
        }
    }

    /// Puts new blocks with so many lines in place of others.
    fn replace_blocks(&mut self, old: Range<usize>, lines: usize, seen: bool) {
        let first_line = self.blocks[..old.start]
            .iter()
            .map(|block| block.lines)
            .sum::<usize>();
        let count = lines.div_ceil(BLOCK_LINES);
        let mut out = Html::default();
        let mut blocks = Vec::new();
        for nth in 0..count {
            let start = first_line + nth * BLOCK_LINES;
            let end = (start + BLOCK_LINES).min(first_line + lines);
            let (markup, rows) = self.inside(start..end, seen && nth < FIRST_BLOCKS);
            self.next_id += 1;
            out.raw("<ol role=\"list\" data-block=\"")
                .number(u64::from(self.next_id));
            out.raw("\">").raw(&markup).raw("</ol>");
            blocks.push(Block {
                id: self.next_id,
                lines: end - start,
                rows,
            });
        }
        browser::replace_children(&self.root, old.clone(), &out.0);
        let first = old.start;
        self.blocks.splice(old, blocks);
        for index in first..first + count {
            if let Some(element) = self.element(index) {
                self.sight.watch(&element);
            }
        }
    }

    /// What is in the element of a block: rows, or plain text.
    fn inside(&self, lines: Range<usize>, seen: bool) -> (String, Option<Vec<Row>>) {
        if !seen {
            return (self.plain(lines), None);
        }
        let row = |line| Row {
            line: self.shown.line(line),
            class: self.marks.class(line),
        };
        let rows: Vec<Row> = lines.map(row).collect();
        (rows.iter().map(Row::markup).collect(), Some(rows))
    }

    fn plain(&self, lines: Range<usize>) -> String {
        let mut out = Html::default();
        out.raw("<li><code>");
        let text = self.shown.lines().get(lines).unwrap_or(&[]).join("\n");
        // A line break at the very end would not make a line.
        out.text(&text).raw("\u{200b}</code></li>");
        out.0
    }

    /// Brings a block of plain text up to date.
    fn draw_text(&self, index: usize, start: usize) {
        let block = &self.blocks[index];
        if let (None, Some(element)) = (&block.rows, self.element(index)) {
            element.set_inner_html(&self.plain(start..start + block.lines));
        }
    }

    /// Brings the rows of a block up to date, if it has any: those between what stayed the same
    /// before and after.
    fn draw_rows(&mut self, index: usize, start: usize) {
        let Some(element) = self.element_with_rows(index) else {
            return;
        };
        let Block { lines, rows, .. } = &mut self.blocks[index];
        let Some(rows) = rows else { return };
        let lines = start..start + *lines;
        let mut fresh: Vec<Line> = lines.map(|line| self.shown.line(line)).collect();
        let same = |(row, line): &(&Row, &Line)| row.line == **line;
        let head = rows.iter().zip(&fresh).take_while(same).count();
        let rest = rows[head..].iter().rev().zip(fresh[head..].iter().rev());
        let tail = rest.take_while(same).count();
        let old = head..rows.len() - tail;
        if old.is_empty() && fresh.len() == rows.len() {
            return;
        }
        let (marks, new) = (&self.marks, head..fresh.len() - tail);
        let new: Vec<Row> = (fresh.drain(new).enumerate())
            .map(|(nth, line)| Row {
                line,
                class: marks.class(start + head + nth),
            })
            .collect();
        let markup: String = new.iter().map(Row::markup).collect();
        browser::replace_children(&element, old.clone(), &markup);
        rows.splice(old, new);
    }

    /// Brings the classes of a block's rows up to date, and the time on the current one.
    fn mark_rows(&mut self, index: usize, start: usize) {
        let Some(element) = self.element_with_rows(index) else {
            return;
        };
        let Some(rows) = &mut self.blocks[index].rows else {
            return;
        };
        for (nth, row) in rows.iter_mut().enumerate() {
            let class = self.marks.class(start + nth);
            let is_current = self.marks.current == Some(start + nth);
            if class == row.class && !is_current {
                continue;
            }
            row.class = class;
            let item = u32::try_from(nth)
                .ok()
                .and_then(|nth| element.children().item(nth));
            let Some(item) = item else { continue };
            item.set_class_name(&row.classes());
            if is_current {
                let _ = item.set_attribute("data-now", &self.marks.now);
            }
        }
    }
}

impl Row {
    fn classes(&self) -> String {
        [self.class, self.line.class].concat()
    }

    fn markup(&self) -> String {
        [
            "<li class=\"",
            &self.classes(),
            "\">",
            &self.line.markup,
            "</li>",
        ]
        .concat()
    }
}

/// The lines that differ: the first, how many there were, and how many there are now.
fn changed(before: &[String], now: &[String]) -> (usize, usize, usize) {
    let same = |(a, b): &(&String, &String)| a == b;
    let head = before.iter().zip(now).take_while(same).count();
    let (old, new) = (&before[head..], &now[head..]);
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(same)
        .count();
    (head, old.len() - tail, new.len() - tail)
}
