//! The text: a text area over its coloured copy, with what the run says beside each line.

use super::Lab;
use super::coloured::Copied;
use super::copy::{Copy, Marks};
use super::shared::Shared;
use crate::complete::{self, Completions};
use crate::edit;
use crate::film;
use crate::html::Html;
use crate::rows::{self, Counts, Fix, Kind, Row, Trouble};
use crate::session::Intent;
use crate::view::browser::{self, Sight};
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

/// A line that is being typed is judged after so many milliseconds of rest.
const JUDGE_MS: u32 = 600;

/// Words of up to so many bytes have room in the narrowest column: none of them is ever broken.
const WORD_BYTES: usize = 16;

/// The rows of the text that the run was made from.
pub struct Script {
    /// The text, line by line.
    pub lines: Vec<String>,
    /// What the run says of each.
    pub rows: Vec<Row>,
    counts: Counts,
    /// Index of the line of each step.
    steps: Vec<usize>,
}

impl Script {
    /// Whether a word may be too long for its column.
    fn has_long_words(&self) -> bool {
        let mut words = self.lines.iter().flat_map(|line| line.split(' '));
        words.any(|word| word.len() > WORD_BYTES)
    }

    /// Index of the line that a step stands in.
    fn line_of(&self, step: usize) -> Option<usize> {
        self.steps.get(step).copied()
    }
}

/// The handle to the text on screen.
#[derive(Clone, Copy)]
struct Editor {
    lab: Lab,
    area: NodeRef<html::Textarea>,
    root: NodeRef<html::Div>,
    /// The coloured copy, once it is on the page.
    copy: StoredValue<Option<Copy>, LocalStorage>,
    /// Index of the line and the characters before the caret.
    caret: RwSignal<(usize, usize)>,
    /// What could be written there, while it is offered.
    offered: RwSignal<Option<Shared<Completions>>>,
    /// Which of it is chosen.
    chosen: RwSignal<usize>,
    /// What stands in the text area.
    typed: StoredValue<String>,
    /// What could be written after the last edit is not offered yet: it comes a frame later.
    due: StoredValue<bool>,
    script: Memo<Shared<Script>>,
    /// The same, and the line that is being typed, as of the last frame.
    judged: Memo<(Shared<Script>, Option<usize>)>,
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
            steps: run.parsed.lines.steps.iter().map(|line| line - 1).collect(),
        })
    });
    let judged = Memo::new(move |before: Option<&(Shared<Script>, Option<usize>)>| {
        match before.filter(|_| lab.player.stale.get()) {
            Some(before) => before.clone(),
            None => (script.get(), lab.typing.get()),
        }
    });
    let editor = Editor {
        lab,
        judged,
        area: NodeRef::new(),
        root: NodeRef::new(),
        copy: StoredValue::new_local(None),
        caret: RwSignal::new((0, 0)),
        offered: RwSignal::new(None),
        chosen: RwSignal::new(0),
        typed: StoredValue::new(String::new()),
        due: StoredValue::new(false),
        script,
    };
    editor.draw();
    let has_long_words = Memo::new(move |_| script.with(|script| script.has_long_words()));
    view! {
        <article class="read script" id="script" aria-label="Script">
            <header class="script-head">
                <h2>"Script"</h2>
                {super::setup::setup(lab)}
                <button type="button" class="link" on:click=move |_| lab.edit(edit::format(&lab.source()))>"Format"</button>
            </header>
            <div class="code" on:click=move |_| editor.focus()>
                <div class="editor" class:long-words=has_long_words>
                    <div class="copy" aria-hidden="true" node_ref=editor.root></div>
                    {editor.text_area()}
                    {editor.popup()}
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
        Effect::new(move |_| {
            self.lab.player.run.track();
            let Some(area) = self.area.get() else { return };
            // What was typed is there already.
            self.lab.player.peek(|session| {
                if self.typed.with_value(|typed| *typed != session.source) {
                    area.set_value(&session.source);
                    self.typed.set_value(session.source.clone());
                }
            });
        });
        view! {
            <textarea node_ref=self.area aria-label="Script" spellcheck="false" autocapitalize="off" autocomplete="off"
                aria-autocomplete="list" aria-haspopup="listbox" aria-describedby="script-state"
                aria-controls=move || self.offered.get().map(|_| "completions")
                aria-activedescendant=move || self.offered.get().map(|_| ["completion-", &self.chosen.get().to_string()].concat())
                placeholder="A acquires"
                on:focus=move |_| {
                    browser::close_menus(None);
                }
                on:input=move |_| self.typed()
                on:keydown=move |event| self.key(&event)
                on:keyup=move |_| self.moved()
                on:click=move |_| self.moved()
                on:blur=move |_| {
                    self.due.set_value(false);
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
        self.typed.set_value(text.clone());
        self.lab.player.dispatch(Intent::Type(text));
        let source = self.lab.source();
        self.due.set_value(true);
        browser::after_frame(move || self.offer_if_due());
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
        self.due.set_value(false);
        self.offered.set(None);
    }

    fn key(self, event: &KeyboardEvent) {
        self.offer_if_due();
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

    fn offer_if_due(self) {
        if self.due.get_value() {
            self.offer(false);
        }
    }

    /// Offers what could be written; unasked only where something of it is written already.
    fn offer(self, asked: bool) {
        self.due.set_value(false);
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
        self.due.set_value(false);
        self.offered.set(None);
    }

    /// The lower edge of the caret's line, in px.
    fn under_caret(self) -> String {
        let (line, _) = self.caret.get();
        let place = self.copy.with_value(|copy| copy.as_ref()?.place_of(line));
        let (top, height) = place.unwrap_or((0, 22));
        [&(top + height + 4).to_string(), "px"].concat()
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
            if self.due.get_value() {
                return;
            }
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

    /// Keeps the coloured copy.
    fn draw(self) {
        Effect::new(move |_| {
            let Some(root) = self.root.get() else { return };
            let run = self.script.with(|_| self.lab.player.run.get_untracked());
            let shown = Copied {
                script: self.script.get(),
                typing: self.lab.typing.get(),
                clients: run.scenario().clients.clone(),
            };
            self.copy.update_value(|copy| match copy {
                Some(copy) => copy.show(shown),
                None => {
                    let see = move |element: &_, seen| {
                        self.copy.try_update_value(|copy| {
                            if let Some(copy) = copy {
                                copy.see(element, seen);
                            }
                        });
                    };
                    *copy = Some(Copy::new(root.into(), Sight::new(see), shown));
                }
            });
        });
        let passed = Memo::new(move |_| {
            self.lab.player.drawn.track();
            self.script.track();
            self.lab.player.peek(|session| session.steps_passed())
        });
        let current = Memo::new(move |_| {
            let step = passed.get().checked_sub(1)?;
            self.script.with(|script| script.line_of(step))
        });
        Effect::new(move |_| {
            let current = current.get();
            let end = self.script.with(|script| {
                let first = || script.line_of(0).unwrap_or(script.rows.len());
                current.map_or_else(first, |line| line + 1)
            });
            let now = film::tenths(self.lab.player.drawn.get().now_ms);
            self.copy.update_value(|copy| {
                if let Some(copy) = copy {
                    copy.mark(Marks { end, current, now });
                }
            });
        });
    }

    /// All that is wrong, each with a sentence and what mends it; what concerns the caret's line is
    /// marked and in view. It lies below the text, never over it.
    fn troubles(self) -> impl IntoView {
        let markup = Memo::new(move |_| {
            self.judged
                .with(|(script, typing)| troubles_markup(script, *typing))
        });
        // Which of them it is.
        let current = Memo::new(move |_| {
            let line = self.caret.get().0;
            self.judged.with(|(script, typing)| {
                let wrong = |line: usize| trouble(script.rows.get(line)?, line, *typing);
                wrong(line).map(|_| (0..line).filter(|line| wrong(*line).is_some()).count())
            })
        });
        let list = NodeRef::<html::Ul>::new();
        Effect::new(move |_| {
            markup.track();
            if let Some(list) = list.get() {
                mark_current(&list, current.get());
            }
        });
        let press = move |event: leptos::ev::MouseEvent| {
            if self.mend(&event) {
                return;
            }
            let line = browser::data_near(&event, "data-line");
            if let Some(line) = line.and_then(|line| line.parse().ok()) {
                self.go_to(line);
            }
        };
        view! { <ul class="troubles" aria-label="What is wrong" node_ref=list on:click=press inner_html=markup></ul> }
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
        let state = Memo::new(move |_| self.judged.with(|(script, typing)| state(script, *typing)));
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

/// What is wrong with a line, unless it is being typed.
pub fn trouble(row: &Row, line: usize, typing: Option<usize>) -> Option<&Trouble> {
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
            fix_button(&mut out, line, fix);
        }
        out.raw("</li>");
    }
    out.0
}

/// Marks one of the items of the list, and brings it into view.
fn mark_current(list: &web_sys::Element, current: Option<usize>) {
    let items = list.children();
    for index in 0..items.length() {
        let Some(item) = items.item(index) else {
            continue;
        };
        if current != Some(index as usize) {
            let _ = item.remove_attribute("aria-current");
            continue;
        }
        let _ = item.set_attribute("aria-current", "true");
        let place = browser::place_of(list, index as usize);
        list.set_scroll_top(place.map_or(0, |(top, _)| top));
    }
}

/// The button that mends a line.
fn fix_button(out: &mut Html, line: usize, fix: &Fix) {
    out.raw("<button type=\"button\" class=\"btn\" data-fix=\"")
        .number(line as u64)
        .raw("\">")
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
