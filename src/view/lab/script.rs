//! The text: a text area over its coloured copy, with what the run says beside each line.

use super::Lab;
use super::shared::Shared;
use crate::complete::{self, Completions};
use crate::edit;
use crate::html::Html;
use crate::panels::glyph;
use crate::rows::{self, Counts, Fix, Kind, Row, RowResult, Trouble};
use crate::script::{self, LexemeKind};
use crate::session::Intent;
use crate::sim::*;
use crate::view::browser;
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

/// A line that is being typed is judged after so many milliseconds of rest.
const JUDGE_MS: u32 = 600;
/// In longer lines the word of the result would not fit beside the text.
const SHORT_CHARS: usize = 24;

/// The rows of the text that the run was made from.
struct Script {
    lines: Vec<String>,
    rows: Vec<Row>,
    counts: Counts,
}

/// The handle to the text on screen.
#[derive(Clone, Copy)]
struct Editor {
    lab: Lab,
    area: NodeRef<html::Textarea>,
    list: NodeRef<html::Ol>,
    /// The caret is in the text.
    focused: RwSignal<bool>,
    /// Index of the line and the characters before the caret.
    caret: RwSignal<(usize, usize)>,
    /// What could be written there, while it is offered.
    offered: RwSignal<Option<Shared<Completions>>>,
    /// Which of it is chosen.
    chosen: RwSignal<usize>,
    script: Memo<Shared<Script>>,
}

/// The column with the script.
pub fn script(lab: Lab) -> impl IntoView {
    let script = Memo::new(move |_| {
        let run = lab.player.run.get();
        let source = lab.source();
        let (rows, counts) = rows::rows(&source, &run);
        Shared::new(Script {
            lines: source.split('\n').map(str::to_owned).collect(),
            rows,
            counts,
        })
    });
    let editor = Editor {
        lab,
        area: NodeRef::new(),
        list: NodeRef::new(),
        focused: RwSignal::new(false),
        caret: RwSignal::new((0, 0)),
        offered: RwSignal::new(None),
        chosen: RwSignal::new(0),
        script,
    };
    let time_line = editor.draw();
    view! {
        <article class="read script" id="script" aria-label="Script">
            <header class="script-head">
                <h2>"Script"</h2>
                {super::setup::setup(lab)}
                <button type="button" class="link" on:click=move |_| lab.edit(edit::format(&lab.source()))>"Format"</button>
            </header>
            <div class="code" on:click=move |_| editor.focus()>
                <div class="editor">
                    <ol role="list" aria-hidden="true" node_ref=editor.list></ol>
                    {editor.text_area()}
                    <div class="now" aria-hidden="true" hidden=move || time_line.get() < 0 style=("--y", move || [&time_line.get().to_string(), "px"].concat())><span>{move || editor.time()}</span></div>
                    {editor.popup()}
                    {editor.diagnosis()}
                </div>
            </div>
            {editor.troubles()}
            {editor.foot()}
        </article>
    }
}

impl Editor {
    fn focus(self) {
        if let Some(area) = self.area.get_untracked() {
            let _ = area.focus();
        }
    }

    fn text_area(self) -> impl IntoView {
        let value = move || {
            self.lab.player.run.track();
            self.lab.source()
        };
        view! {
            <textarea node_ref=self.area aria-label="Script" spellcheck="false" autocapitalize="off" autocomplete="off"
                aria-autocomplete="list" aria-haspopup="listbox" aria-describedby="script-state"
                aria-controls=move || self.offered.get().map(|_| "completions")
                aria-activedescendant=move || self.offered.get().map(|_| ["completion-", &self.chosen.get().to_string()].concat())
                placeholder="A acquires"
                prop:value=value
                on:focus=move |_| {
                    self.focused.set(true);
                    browser::close_menus(None);
                }
                on:input=move |_| self.typed()
                on:keydown=move |event| self.key(&event)
                on:keyup=move |_| self.moved()
                on:click=move |_| self.moved()
                on:blur=move |_| {
                    self.focused.set(false);
                    self.offered.set(None);
                    self.judge();
                }></textarea>
        }
    }

    /// The text was typed in.
    fn typed(self) {
        let Some(area) = self.area.get_untracked() else {
            return;
        };
        let text = area.value();
        let place = caret(&text, browser::selection(&area).1);
        let rested = self.lab.typing.get_untracked() == Some(place.0);
        if !rested {
            self.lab.player.dispatch(Intent::EndTyping);
        }
        self.lab.typing.set(Some(place.0));
        self.caret.set(place);
        self.lab.player.dispatch(Intent::Type(text));
        self.offer(false);
        let source = self.lab.source();
        browser::after(JUDGE_MS, move || {
            // Typed on meanwhile: that edit has its own rest.
            if self.lab.player.peek(|session| session.source == source) {
                self.judge();
            }
        });
    }

    /// The line that was typed is judged from now on, and what follows is another edit.
    fn judge(self) {
        if self.lab.typing.get_untracked().is_some() {
            self.lab.typing.set(None);
            self.lab.player.dispatch(Intent::EndTyping);
        }
    }

    /// The caret may stand elsewhere.
    fn moved(self) {
        let Some(area) = self.area.get_untracked() else {
            return;
        };
        let place = caret(&area.value(), browser::selection(&area).1);
        if place == self.caret.get_untracked() {
            return;
        }
        if self
            .lab
            .typing
            .get_untracked()
            .is_some_and(|line| line != place.0)
        {
            self.judge();
        }
        self.caret.set(place);
        self.offered.set(None);
    }

    fn key(self, event: &KeyboardEvent) {
        let key = event.key();
        let command = event.ctrl_key() || event.meta_key();
        let count = self
            .offered
            .with_untracked(|offered| offered.as_ref().map_or(0, |o| o.items.len()));
        match key.as_str() {
            "z" | "Z" if command => {
                let intent = if event.shift_key() {
                    Intent::Redo
                } else {
                    Intent::Undo
                };
                self.lab.player.dispatch(intent);
            }
            "y" if command => self.lab.player.dispatch(Intent::Redo),
            " " if command => self.offer(true),
            "Escape" if count > 0 => self.offered.set(None),
            "Tab" if count > 0 && !event.shift_key() => self.take(self.chosen.get_untracked()),
            "ArrowDown" if count > 0 => {
                self.chosen.update(|chosen| *chosen = (*chosen + 1) % count)
            }
            "ArrowUp" if count > 0 => self
                .chosen
                .update(|chosen| *chosen = (*chosen + count - 1) % count),
            _ => {
                event.stop_propagation();
                return;
            }
        }
        event.stop_propagation();
        event.prevent_default();
    }

    /// Offers what could be written; unasked only where something of it is written already.
    fn offer(self, asked: bool) {
        let (line, column) = self.caret.get_untracked();
        let found = self
            .lab
            .player
            .peek(|session| complete::completions(&session.source, line + 1, column, &session.run));
        let is_useful = !found.items.is_empty() && (asked || found.typed > 0);
        self.chosen.set(0);
        self.offered.set(is_useful.then(|| Shared::new(found)));
    }

    /// Writes one of what is offered.
    fn take(self, index: usize) {
        let Some(offered) = self.offered.get_untracked() else {
            return;
        };
        let Some(area) = self.area.get_untracked() else {
            return;
        };
        let Some(item) = offered.items.get(index) else {
            return;
        };
        let (line, column) = self.caret.get_untracked();
        let rest = self
            .lab
            .source()
            .split('\n')
            .nth(line)
            .is_some_and(|line| line.chars().nth(column).is_some());
        let word = [item.text.as_str(), if rest { "" } else { " " }].concat();
        let from = column - offered.typed.min(column);
        let text = edit::replace_span(&self.lab.source(), line + 1, from + 1, offered.typed, &word);
        let place = (line, from + word.chars().count());
        let units = units_before(&text, place);
        area.set_value(&text);
        let _ = area.set_selection_range(units, units);
        self.typed();
        self.offered.set(None);
    }

    /// The lower edge of the caret's line, in px.
    fn under_caret(self) -> String {
        let (line, _) = self.caret.get();
        let list = self.list.get_untracked();
        let place = list.and_then(|list| browser::place_of(&list, line));
        let (top, height) = place.unwrap_or((0, 22));
        [&(top + height + 4).to_string(), "px"].concat()
    }

    /// What is wrong with the caret's line, under it. The list below the text says the same of all
    /// lines, to screen readers too.
    fn diagnosis(self) -> impl IntoView {
        let shown = Memo::new(move |_| {
            if !self.focused.get() || self.offered.get().is_some() {
                return None;
            }
            let (line, typing) = (self.caret.get().0, self.lab.typing.get());
            self.script.with(|script| {
                let trouble = trouble(script.rows.get(line)?, line, typing)?;
                let mut out = Html::default();
                out.raw("<p>");
                quoted(&mut out, &trouble.text);
                out.raw("</p>");
                if let Some(fix) = &trouble.fix {
                    fix_button(&mut out, line, fix, " tabindex=\"-1\"");
                }
                Some(out.0)
            })
        });
        let top = move || shown.with(Option::is_some).then(|| self.under_caret());
        let markup = move || shown.get().unwrap_or_default();
        // The press must not take the focus, which shows it, from the text.
        view! {
            <div class="menu diag" aria-hidden="true" style=("--y", top) hidden=move || shown.with(Option::is_none)
                on:mousedown=|event| event.prevent_default() on:click=move |event| { self.mend(&event); } inner_html=markup></div>
        }
    }

    /// Carries out the fix of the button that was pressed. Whether there was one.
    fn mend(self, event: &leptos::ev::MouseEvent) -> bool {
        let line =
            browser::data_near(event, "data-fix").and_then(|line| line.parse::<usize>().ok());
        let Some(line) = line else { return false };
        let fixed = self.script.with_untracked(|script| {
            let fix = script.rows.get(line)?.trouble.as_ref()?.fix.as_ref()?;
            Some(fix.source.clone())
        });
        if let Some(source) = fixed {
            self.lab.edit(source);
            self.focus();
        }
        true
    }

    /// The list of what could be written, under the caret's line.
    fn popup(self) -> impl IntoView {
        // Where the line stands is asked only while the list is shown: it costs a layout.
        let top = move || self.offered.get().map(|_| self.under_caret());
        let markup = move || {
            self.offered
                .get()
                .map(|offered| popup_markup(&offered, self.chosen.get()))
                .unwrap_or_default()
        };
        let press = move |event: leptos::ev::MouseEvent| {
            event.prevent_default();
            if let Some(index) =
                browser::data_near(&event, "data-item").and_then(|index| index.parse().ok())
            {
                self.take(index);
            }
        };
        view! {
            <div class="menu complete" style=("--y", top) hidden=move || self.offered.get().is_none() on:mousedown=press>
                <div id="completions" role="listbox" aria-label="Completions" inner_html=markup></div>
                <p class="writes"><span class="note"><kbd>"Tab"</kbd>" takes it"</span><span class="note"><kbd>"Esc"</kbd>" closes"</span></p>
            </div>
        }
    }

    /// Keeps the coloured copy; returns where the time line stands, in px.
    fn draw(self) -> Memo<i32> {
        let drawn = RwSignal::new(Redrawn::default());
        Effect::new(move |before: Option<Option<Copied>>| {
            let before = before.flatten();
            let Some(list) = self.list.get() else {
                return before;
            };
            let run = self.script.with(|_| self.lab.player.run.get_untracked());
            let copy = Copied {
                script: self.script.get(),
                typing: self.lab.typing.get(),
                clients: run.scenario().clients.clone(),
            };
            let (head, old, new) = changed(before.as_ref(), &copy);
            if old + new > 0 {
                let markup: String = (head..head + new)
                    .map(|line| copy.row_markup(line))
                    .collect();
                browser::replace_children(&list, head..head + old, &markup);
                drawn.update(|drawn| {
                    *drawn = Redrawn {
                        count: drawn.count + 1,
                        head,
                        old,
                        new,
                    };
                });
            }
            Some(copy)
        });
        let passed = Memo::new(move |_| {
            self.lab.player.cursor.track();
            self.script.track();
            self.lab.player.with(|session| session.steps_passed())
        });
        let current = Memo::new(move |_| {
            passed.get().checked_sub(1).and_then(|step| {
                self.script
                    .with(|script| script.rows.iter().position(|row| row.step == Some(step)))
            })
        });
        // A step of the cursor touches only the lines that it passes.
        Effect::new(move |before: Option<(u32, usize, Option<usize>)>| {
            let (redrawn, current) = (drawn.get(), current.get());
            let end = self.script.with(|script| {
                let first = || script.rows.iter().position(|row| row.step == Some(0));
                current.map_or_else(|| first().unwrap_or(script.rows.len()), |line| line + 1)
            });
            let Some(list) = self.list.get() else {
                return (redrawn.count, end, current);
            };
            let (from, was) = match before {
                Some((count, from, was)) if count == redrawn.count => (from, was),
                Some((_, from, was)) => {
                    let fresh = redrawn.head..(redrawn.head + redrawn.new).min(end);
                    browser::toggle_children(&list, fresh, "later", false);
                    (
                        redrawn.place(from).unwrap_or(redrawn.head),
                        was.and_then(|line| redrawn.place(line)),
                    )
                }
                None => (0, None),
            };
            browser::toggle_children(&list, from..end, "later", false);
            browser::toggle_children(&list, end..from, "later", true);
            let was = was.map(|line| (line, false));
            for (line, on) in was.into_iter().chain(current.map(|line| (line, true))) {
                browser::toggle_children(&list, line..line + 1, "current", on);
            }
            (redrawn.count, end, current)
        });
        Memo::new(move |_| {
            drawn.track();
            let place = current
                .get()
                .and_then(|line| browser::place_of(&*self.list.get_untracked()?, line));
            place.map_or(-100, |(top, height)| top + height)
        })
    }

    /// The time on the line between what has run and what has not.
    fn time(self) -> String {
        let tenths = self.lab.player.cursor.get().now_ms / 100;
        [&(tenths / 10).to_string(), ".", &(tenths % 10).to_string()].concat()
    }

    /// All that is wrong, each with a sentence and what mends it.
    fn troubles(self) -> impl IntoView {
        let markup = move || {
            let typing = self.lab.typing.get();
            self.script.with(|script| troubles_markup(script, typing))
        };
        let press = move |event: leptos::ev::MouseEvent| {
            if self.mend(&event) {
                return;
            }
            let line = browser::data_near(&event, "data-line");
            if let Some(line) = line.and_then(|line| line.parse().ok()) {
                self.go_to(line);
            }
        };
        view! { <ul class="troubles" aria-label="What is wrong" on:click=press inner_html=markup></ul> }
    }

    /// Puts the caret into a line.
    fn go_to(self, line: usize) {
        let Some(area) = self.area.get_untracked() else {
            return;
        };
        let length = self.script.with_untracked(|script| {
            script
                .lines
                .get(line)
                .map_or(0, |line| line.chars().count())
        });
        let units = units_before(&area.value(), (line, length));
        let _ = area.set_selection_range(units, units);
        let _ = area.focus();
        self.moved();
    }

    fn foot(self) -> impl IntoView {
        let lab = self.lab;
        let state = Memo::new(move |_| {
            let typing = lab.typing.get();
            self.script.with(|script| state(script, typing))
        });
        let next = move |_| {
            let (here, _) = self.caret.get_untracked();
            let line = self.script.with_untracked(|script| {
                let wrong: Vec<usize> = (0..script.rows.len())
                    .filter(|line| script.rows[*line].trouble.is_some())
                    .collect();
                wrong
                    .iter()
                    .find(|line| **line > here)
                    .or(wrong.first())
                    .copied()
            });
            if let Some(line) = line {
                self.go_to(line);
            }
        };
        let expect = move |_| {
            let source = lab
                .player
                .peek(|session| edit::expect_all(&session.source, &session.run));
            lab.edit(source);
        };
        view! {
            <footer class="foot">
                <span id="script-state" role="status" inner_html=move || state.get().1></span>
                {move || match state.get().0 {
                    true => view! { <button type="button" class="link" on:click=next>"Next error"</button> }.into_any(),
                    false => view! { <button type="button" class="link" on:click=expect>"Write as expected"</button> }.into_any(),
                }}
            </footer>
        }
    }
}

/// Line and characters before a place that is given in UTF-16 units.
fn caret(text: &str, units: u32) -> (usize, usize) {
    let (mut line, mut column, mut seen) = (0, 0, 0);
    for c in text.chars() {
        if seen >= units {
            break;
        }
        seen += c.len_utf16() as u32;
        (line, column) = if c == '\n' {
            (line + 1, 0)
        } else {
            (line, column + 1)
        };
    }
    (line, column)
}

/// The UTF-16 units before a place.
fn units_before(text: &str, (line, column): (usize, usize)) -> u32 {
    let mut units = 0;
    let (mut at_line, mut at_column) = (0, 0);
    for c in text.chars() {
        if at_line > line || (at_line == line && (at_column >= column || c == '\n')) {
            break;
        }
        units += c.len_utf16() as u32;
        (at_line, at_column) = if c == '\n' {
            (at_line + 1, 0)
        } else {
            (at_line, at_column + 1)
        };
    }
    units
}

fn trouble(row: &Row, line: usize, typing: Option<usize>) -> Option<&Trouble> {
    row.trouble.as_ref().filter(|_| typing != Some(line))
}

/// What the foot says; whether something is wrong.
fn state(script: &Script, typing: Option<usize>) -> (bool, String) {
    let shown = (script.rows.iter().enumerate())
        .filter_map(|(line, row)| Some((line, trouble(row, line, typing)?)));
    let wrong: Vec<(usize, Kind)> = shown.map(|(line, trouble)| (line, trouble.kind)).collect();
    let count = |kind: Kind| wrong.iter().filter(|(_, other)| *other == kind).count();
    let (errors, failures) = (count(Kind::Error), count(Kind::Failure));
    let mut out = Html::default();
    let several = |count: usize| if count == 1 { "" } else { "s" };
    if errors > 0 {
        out.number(errors as u64).raw(" error").raw(several(errors));
    }
    if failures > 0 {
        out.raw(if errors > 0 { ", " } else { "" })
            .number(failures as u64)
            .raw(" expectation")
            .raw(several(failures));
        out.raw(if failures == 1 { " fails" } else { " fail" });
    }
    if errors > 0 {
        out.raw("<small>The picture leaves ")
            .raw(if errors == 1 {
                "that line"
            } else {
                "those lines"
            })
            .raw(" out.</small>");
    }
    let Counts { expectations, .. } = script.counts;
    if wrong.is_empty() {
        match expectations {
            0 => out.raw("No errors. Nothing is expected yet."),
            1 => out.raw("The expectation holds"),
            all => out.raw("All ").number(all as u64).raw(" expectations hold"),
        };
    }
    if typing.is_some_and(|line| {
        script
            .rows
            .get(line)
            .is_some_and(|row| row.trouble.is_some())
    }) {
        out.raw("<small>The line you are typing is not judged yet.</small>");
    }
    (!wrong.is_empty(), out.0)
}

fn troubles_markup(script: &Script, typing: Option<usize>) -> String {
    let mut out = Html::default();
    for (line, row) in script.rows.iter().enumerate() {
        let Some(trouble) = trouble(row, line, typing) else {
            continue;
        };
        let index = line.to_string();
        out.raw("<li><button type=\"button\" class=\"link\" data-line=\"")
            .raw(&index)
            .raw("\">Line ");
        out.number(line as u64 + 1).raw("</button><p>");
        quoted(&mut out, &trouble.text);
        out.raw("</p>");
        if let Some(fix) = &trouble.fix {
            fix_button(&mut out, line, fix, "");
        }
        out.raw("</li>");
    }
    out.0
}

/// The button that mends a line.
fn fix_button(out: &mut Html, line: usize, fix: &Fix, attributes: &str) {
    out.raw("<button type=\"button\" class=\"btn\" data-fix=\"")
        .number(line as u64)
        .raw("\"")
        .raw(attributes)
        .raw(">")
        .text(&fix.label)
        .raw("</button>");
}

/// A sentence in which pieces of the language stand in backticks.
fn quoted(out: &mut Html, text: &str) {
    for (index, part) in text.split('`').enumerate() {
        match index % 2 {
            0 => out.text(part),
            _ => out.element("code", "", part),
        };
    }
}

fn popup_markup(offered: &Completions, chosen: usize) -> String {
    let mut out = Html::default();
    let mut parted = false;
    for (index, item) in offered.items.iter().enumerate() {
        if item.why_not.is_some() && !parted {
            parted = true;
            let time = offered.at_secs.to_string();
            out.raw("<div role=\"group\" aria-label=\"Not at ")
                .raw(&time)
                .raw(" s\"><h3 aria-hidden=\"true\">Not at ")
                .raw(&time)
                .raw(" s</h3>");
        }
        let index_text = index.to_string();
        out.raw("<div role=\"option\" class=\"item\" id=\"completion-")
            .raw(&index_text)
            .raw("\" data-item=\"")
            .raw(&index_text);
        out.raw(if index == chosen {
            "\" aria-selected=\"true\""
        } else {
            "\""
        });
        out.raw(if item.why_not.is_some() {
            " aria-disabled=\"true\""
        } else {
            ""
        });
        let typed: String = item.text.chars().take(offered.typed).collect();
        out.raw("><code><b>")
            .text(&typed)
            .raw("</b>")
            .text(&item.text[typed.len()..])
            .raw("</code><small>");
        out.text(item.why_not.as_deref().unwrap_or(&item.note))
            .raw("</small></div>");
    }
    out.raw(if parted { "</div>" } else { "" });
    out.0
}

/// What the coloured copy shows.
struct Copied {
    script: Shared<Script>,
    typing: Option<usize>,
    clients: Vec<String>,
}

/// Which lines of the copy were put in place of which, at its last change.
#[derive(Clone, Copy, Default)]
struct Redrawn {
    /// How often the copy has changed.
    count: u32,
    /// Index of the first line that changed.
    head: usize,
    /// How many there were.
    old: usize,
    /// How many are there now.
    new: usize,
}

impl Redrawn {
    /// Where a line of before stands now, if it was not replaced.
    fn place(&self, line: usize) -> Option<usize> {
        match line {
            line if line < self.head => Some(line),
            line if line < self.head + self.old => None,
            line => Some(line + self.new - self.old),
        }
    }
}

impl Copied {
    /// What a line of the copy is made from.
    fn content(&self, line: usize) -> (&str, Option<Secs>, &RowResult, Option<&Trouble>) {
        let row = &self.script.rows[line];
        let trouble = trouble(row, line, self.typing);
        (&self.script.lines[line], row.at_secs, &row.result, trouble)
    }

    /// A line as a list item of the future.
    fn row_markup(&self, line: usize) -> String {
        let (text, at_secs, result, trouble) = self.content(line);
        let mut out = Html::default();
        out.open(
            "li",
            match trouble.map(|trouble| trouble.kind) {
                Some(Kind::Error) => "later err",
                Some(Kind::Failure) => "later fail",
                None => "later",
            },
        );
        out.raw("<time>");
        match (trouble, at_secs) {
            (Some(_), _) => out.raw("!"),
            (None, Some(at)) => out.number(at),
            (None, None) => &mut out,
        };
        out.raw("</time><code>");
        coloured(&mut out, text, &self.clients, trouble);
        out.raw("</code>");
        let roomy = text.chars().count() <= SHORT_CHARS;
        beside(
            &mut out,
            result,
            self.script.rows[line].trouble.is_none(),
            roomy,
        );
        out.raw("</li>");
        out.0
    }
}

/// The lines that differ: the first, how many there were, and how many there are now.
fn changed(before: Option<&Copied>, now: &Copied) -> (usize, usize, usize) {
    let count = now.script.rows.len();
    let Some(before) = before else {
        return (0, 0, count);
    };
    let old = before.script.rows.len();
    if before.clients != now.clients {
        return (0, old, count);
    }
    let most = count.min(old);
    let same = |back: bool| {
        move |step: &usize| match back {
            false => before.content(*step) == now.content(*step),
            true => before.content(old - 1 - step) == now.content(count - 1 - step),
        }
    };
    let head = (0..most).take_while(same(false)).count();
    let tail = (0..most - head).take_while(same(true)).count();
    (head, old - head - tail, count - head - tail)
}

/// What came of a line.
fn beside(out: &mut Html, result: &RowResult, fine: bool, roomy: bool) {
    match result {
        RowResult::Nothing => {}
        RowResult::Granted(client, token) => {
            out.raw("<span class=\"res\">")
                .open_who("b", "tok", Some(client.0))
                .number(*token)
                .raw("</b></span>");
        }
        RowResult::Outcome(outcome) => {
            out.raw("<span class=\"res\">");
            let is_verdict = matches!(
                outcome.answer,
                Answer::Accepted | Answer::Rejected | Answer::Duplicate
            );
            if is_verdict {
                glyph(out, outcome.answer);
            }
            if roomy || !is_verdict {
                let plain = Outcome {
                    reason: None,
                    anomalies: Default::default(),
                    ..outcome.clone()
                };
                out.text(&script::print_outcome(&plain));
            }
            out.raw("</span>");
        }
        RowResult::Holds if fine => {
            out.raw("<span class=\"res\">");
            glyph(out, Answer::Accepted);
            out.raw("</span>");
        }
        RowResult::Holds => {}
    }
}

/// A line with its words coloured and its mistake underlined.
fn coloured(out: &mut Html, text: &str, clients: &[String], trouble: Option<&Trouble>) {
    let mut at = 0;
    let mut header = false;
    let whole = trouble.is_some_and(|trouble| trouble.column == 0);
    out.raw(if whole { "<u>" } else { "" });
    let marked = trouble.filter(|trouble| trouble.column > 0);
    let mut underlined = false;
    for (index, token) in script::tokens(text).into_iter().enumerate() {
        let byte = |chars: usize| {
            text.char_indices()
                .nth(chars)
                .map_or(text.len(), |(at, _)| at)
        };
        let (start, end) = (
            byte(token.column - 1),
            byte(token.column - 1 + token.length),
        );
        out.text(&text[at..start]);
        at = end;
        let word = &text[start..end];
        let wrong = marked.is_some_and(|m| {
            token.column < m.column + m.length && m.column < token.column + token.length
        });
        underlined |= wrong;
        out.raw(if wrong { "<u>" } else { "" });
        let client = clients.iter().position(|name| name == word);
        let is_keyword = index == 0 && client.is_none();
        header |= is_keyword && word != "at";
        match (token.kind, client) {
            (LexemeKind::Comment, _) => out.element("span", "cm", word),
            (LexemeKind::Text, _) => out.element("span", "str", word),
            (LexemeKind::Word, Some(client)) if !header || word.len() < 3 => {
                out.open_who("b", "", Some(client)).text(word).raw("</b>")
            }
            (LexemeKind::Word, _) if is_keyword => out.element("span", "kw", word),
            _ => out.text(word),
        };
        out.raw(if wrong { "</u>" } else { "" });
    }
    out.text(&text[at..]);
    out.raw(if whole { "</u>" } else { "" });
    // Something is missing at the end.
    out.raw(if marked.is_some() && !underlined {
        "<u> </u>"
    } else {
        ""
    });
    out.raw(if text.is_empty() { "\u{200b}" } else { "" });
}
