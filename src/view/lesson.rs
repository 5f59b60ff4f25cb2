//! A lesson: the reading column with predictions and the learner's turn, beside the stage.

use super::actions::Actions;
use super::app::{TopBar, shell};
use super::browser;
use super::icons::{self, glyph, icon};
use super::player::{Player, RunRef};
use super::stage::{Follower, Stage, StageOptions, policy_label};
use crate::course::{Course, Turn, pane_policy};
use crate::diagram::{Density, Part};
use crate::lesson::{Beat, CARDS, CHAPTERS, CellKind, Lesson, Pane, Predict, Table, View};
use crate::link::{self, Link, Page};
use crate::panels::RuleForm;
use crate::progress::Reached;
use crate::script;
use crate::session::{Intent, Run, Session};
use crate::sim::*;
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use std::sync::Arc;

/// Fetches a lesson and shows it.
#[component]
pub fn LessonPage(slug: String) -> impl IntoView {
    let loaded: RwSignal<Option<Result<Arc<Lesson>, String>>> = RwSignal::new(None);
    let file = ["lessons/", &slug, ".bin"].concat();
    let load = move || {
        let file = file.clone();
        loaded.set(None);
        browser::spawn(async move {
            let bytes = browser::fetch(&file).await;
            let broken =
                |_| "The file is not a lesson of this version; reload the page.".to_owned();
            loaded.set(Some(bytes.and_then(|bytes| {
                Lesson::from_bytes(&bytes).map(Arc::new).map_err(broken)
            })));
        });
    };
    load();
    view! {
        {move || match loaded.get() {
            None => view! { <TopBar /><main class="loading"><p role="status">"Loading the lesson"</p></main> }.into_any(),
            Some(Ok(lesson)) => view! { <LessonView lesson /> }.into_any(),
            Some(Err(reason)) => {
                let load = load.clone();
                view! {
                    <TopBar />
                    <main class="loading">
                        <p role="alert">{["The lesson could not be loaded. ", &reason].concat()}</p>
                        <button type="button" class="btn" on:click=move |_| load()>"Retry"</button>
                    </main>
                }.into_any()
            }
        }}
    }
}

/// The handle to a lesson being read.
#[derive(Clone, Copy)]
struct Reader {
    course: RwSignal<Course>,
    player: Player,
}

impl Reader {
    fn take(self, turn: Turn) {
        let mut course = self.course.get_untracked();
        self.player.change(|session| course.take(turn, session));
        self.course.set(course);
    }

    fn beat(self) -> usize {
        self.course.with(|course| course.beat)
    }
}

#[component]
fn LessonView(lesson: Arc<Lesson>) -> impl IntoView {
    let shell = shell();
    browser::set_title(&[&lesson.title, " · Fencing Lab"].concat());
    let reader = Reader {
        course: RwSignal::new(Course::new(lesson.clone())),
        player: Player::new(Session::new(String::new())),
    };
    reader.player.keep_text();
    open_link(reader, shell.link.get_untracked());
    follow_links(reader);
    remember(reader);
    write_link(reader);
    let beat = Memo::new(move |_| reader.beat());
    let lit: RwSignal<Option<Part>> = RwSignal::new(None);
    let hide = Memo::new(move |_| {
        reader
            .player
            .with(|session| reader.course.with(|course| course.hides_future(session)))
    });
    let policies = Memo::new(move |_| {
        reader.course.with(|course| {
            let names = course.current().policies.iter();
            names
                .filter_map(|name| script::parse_policy(name).ok())
                .collect::<Vec<_>>()
        })
    });
    let followers = Memo::new(move |_| {
        beat.track();
        reader.course.with(followers)
    });
    let form = RwSignal::new(RuleForm::Gate);
    Effect::new(move |_| {
        beat.track();
        form.set(
            match reader.course.with_untracked(|course| course.current().view) {
                View::Gate => RuleForm::Gate,
                View::Sql => RuleForm::Sql,
            },
        );
    });
    let options = StageOptions {
        hide: hide.into(),
        lit: lit.into(),
        policies: policies.into(),
        followers: followers.into(),
        form,
        density: Density::Full,
    };
    let total = lesson.beats.len();
    let point = move |event: MouseEvent| lit.set(pointed(reader, &event.into()));
    let focus = move |event: leptos::ev::FocusEvent| lit.set(pointed(reader, &event.into()));
    view! {
        <div class="lesson-page">
        <TopBar><LessonMenu lesson=lesson.clone() /></TopBar>
        <main class="lesson">
            <article class="read">
                <div class="read-body" on:mouseover=point on:focusin=focus on:mouseleave=move |_| lit.set(None)>
                    {move || {
                        let course = reader.course.get_untracked();
                        beat.track();
                        view! { <Reading reader lesson=course.lesson.clone() index=course.beat /> }
                    }}
                </div>
                <Steps reader beat total />
            </article>
            <Stage player=reader.player options>
                <Free reader />
            </Stage>
        </main>
        </div>
    }
}

/// Puts a link's state on stage.
fn open_link(reader: Reader, link: Link) {
    let Page::Lesson { beat, .. } = link.page else {
        return;
    };
    let last = reader
        .course
        .with_untracked(|course| course.lesson.beats.len() - 1);
    if beat > last {
        shell().notices.update(|notices| {
            notices.push(
                "This lesson has fewer steps than the address says; this is its last.".to_owned(),
            )
        });
    }
    reader.take(Turn::Go(beat.min(last)));
    if let Some(policy) = link.policy {
        reader.player.dispatch(Intent::SetPolicy(Some(policy)));
    }
    let stand = move || {
        if let Some(step) = link.step {
            reader.player.dispatch(Intent::SeekMoment(step));
        }
    };
    stand();
    if let Some(packed) = link.packed {
        let notices = shell().notices;
        browser::spawn(async move {
            match browser::unpack(&packed, script::MAX_TEXT_BYTES).await {
                Some(text) => {
                    reader.player.dispatch(Intent::Type(text));
                    stand();
                }
                None => notices.update(|n| {
                    n.push(
                        "The edits in this address are damaged; the lesson’s own run is shown."
                            .to_owned(),
                    )
                }),
            }
        });
    }
}

/// Back and forward of the browser move between the beats of the lesson.
fn follow_links(reader: Reader) {
    let shell = shell();
    Effect::new(move |before: Option<Link>| {
        let link = shell.link.get();
        if before.is_some_and(|before| before != link) {
            open_link(reader, link.clone());
        }
        link
    });
}

/// Keeps the progress.
fn remember(reader: Reader) {
    let shell = shell();
    Effect::new(move |_| {
        let (slug, reached) = reader.course.with(|course| {
            let reached = if course.is_complete() {
                Reached::Done
            } else {
                Reached::Beat(course.beat)
            };
            (course.lesson.slug.clone(), reached)
        });
        shell.remember(|progress| progress.reach(&slug, reached));
    });
}

/// The address follows: a new entry for each beat, in place for each step.
fn write_link(reader: Reader) {
    Effect::new(move |_| {
        let beat = reader.beat();
        if reader.player.playing.get() {
            return;
        }
        let course = reader.course.get();
        let (passed, policy, is_free, source) = reader.player.with(|session| {
            (
                session.cursor.passed,
                session.policy.clone(),
                course.is_free(session),
                session.source.clone(),
            )
        });
        let own = pane_policy(&course.current().panes[0]);
        let link = Link {
            page: Page::Lesson {
                slug: course.lesson.slug.clone(),
                beat,
            },
            step: Some(passed),
            policy: policy.filter(|policy| own.as_ref() != Some(policy)),
            packed: None,
        };
        if is_free {
            browser::spawn(async move {
                let packed = browser::pack(&source).await;
                browser::set_fragment(&link::print(&Link { packed, ..link }), false);
            });
            return;
        }
        // After back and forward the address is at this beat already.
        let here = browser::fragment();
        let new_entry = link::parse(&here).0.page != link.page;
        let text = link::print(&link);
        if here != text {
            browser::set_fragment(&text, new_entry);
        }
    });
}

/// The other runs that a beat shows beside the first.
fn followers(course: &Course) -> Vec<Follower> {
    let panes = &course.current().panes;
    if panes.len() < 2 {
        return Vec::new();
    }
    let caption = |index: usize, pane: &Pane| {
        let same_run = panes.iter().all(|other| other.run == pane.run);
        match pane_policy(pane) {
            Some(policy) if same_run => policy_label(&policy),
            _ => ["Run ", &(index + 1).to_string()].concat(),
        }
    };
    let note = |run: &Run| run.scenario().title.clone();
    (panes.iter().enumerate())
        .map(|(index, pane)| {
            let run = Arc::new(Run::new(course.text(pane), pane_policy(pane).as_ref()));
            Follower {
                caption: caption(index, pane),
                note: note(&run),
                run: RunRef::from(run),
            }
        })
        .collect()
}

/// The part of the picture that the reference under the pointer or focus names.
fn pointed(reader: Reader, event: &leptos::ev::Event) -> Option<Part> {
    let named = browser::data_of_target(event, "data-ref")?;
    let (kind, name) = named.split_once(':')?;
    reader.player.peek(|session| {
        let scenario = session.run.scenario();
        let client = || {
            scenario
                .clients
                .iter()
                .position(|known| known == name)
                .map(ClientId)
        };
        let resource = || {
            let known = scenario
                .resources
                .iter()
                .position(|known| known.name == name);
            ResourceId(known.unwrap_or(0))
        };
        Some(match kind {
            "token" => Part::Token(name.parse().ok()?),
            "client" => Part::Client(client()?),
            "lease" => Part::Lease(client()?),
            "write" => Part::Write(
                scenario
                    .messages
                    .iter()
                    .position(|known| known == name)
                    .map(NameId)?,
            ),
            "mark" => Part::Mark(resource()),
            "resource" => Part::Resource(resource()),
            "coordinator" => Part::Coordinator,
            _ => return None,
        })
    })
}

/// Which lesson this is, and the way to the others.
#[component]
fn LessonMenu(lesson: Arc<Lesson>) -> impl IntoView {
    let number = [&lesson.number.to_string(), " of ", &CARDS.len().to_string()].concat();
    let here = lesson.number;
    let chapters = (0..CHAPTERS.len())
        .map(|chapter| {
            let items = (CARDS.iter().filter(|card| card.chapter == chapter))
                .map(|card| {
                    let current = (card.number == here).then_some("page");
                    view! {
                        <li><a href=super::home::address(card) aria-current=current><span class="n">{card.number}</span>{card.title}</a></li>
                    }
                })
                .collect_view();
            view! { <h3>{CHAPTERS[chapter]}</h3><ul>{items}</ul> }
        })
        .collect_view();
    view! {
        <details class="pop lesson-pop">
            <summary class="lesson-menu">
                <span class="sr">"Lesson "</span><span class="n">{number}</span>" "<span class="clip">{lesson.title.clone()}</span>
                <span class="sr">". All lessons"</span>{icon(icons::DOWN)}
            </summary>
            <nav class="menu lessons" aria-label="All lessons">{chapters}</nav>
        </details>
    }
}

/// One beat: title, prose, table, prediction, turn.
#[component]
fn Reading(reader: Reader, lesson: Arc<Lesson>, index: usize) -> impl IntoView {
    let Some(beat) = lesson.beats.get(index).cloned() else {
        return ().into_any();
    };
    let count = [
        "Step ",
        &(index + 1).to_string(),
        " of ",
        &lesson.beats.len().to_string(),
    ]
    .concat();
    let wild = lesson
        .wild
        .clone()
        .filter(|_| index + 1 == lesson.beats.len());
    let Beat {
        title,
        html,
        predict,
        act,
        table: cells,
        ..
    } = beat;
    view! {
        <p class="eyebrow">{count}</p>
        <h1 id="beat" tabindex="-1">{title}</h1>
        <div class="prose" inner_html=html></div>
        {cells.map(table)}
        {predict.map(|predict| question(reader, predict))}
        {act.map(|act| view! { <YourTurn reader label=act.label /> })}
        {wild.map(|html| view! { <aside class="wild" inner_html=html></aside> })}
    }
    .into_any()
}

fn table(table: Table) -> impl IntoView {
    let heads = table
        .columns
        .into_iter()
        .map(|head| view! { <th scope="col">{head}</th> })
        .collect_view();
    let rows = (table.rows.into_iter())
        .map(|(head, cells)| {
            let cells = (cells.into_iter())
                .map(|cell| {
                    let answer = match cell.kind {
                        CellKind::Accepted => Answer::Accepted,
                        CellKind::Rejected => Answer::Rejected,
                        _ => Answer::Duplicate,
                    };
                    let shown = matches!(cell.kind, CellKind::Accepted | CellKind::Rejected)
                        .then(|| glyph(answer));
                    view! { <td><span class="v">{shown}<span>{cell.text}</span></span></td> }
                })
                .collect_view();
            view! { <tr><th scope="row">{head}</th>{cells}</tr> }
        })
        .collect_view();
    view! {
        <table class="verdicts">
            <caption>{table.caption}</caption>
            <thead><tr><td></td>{heads}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

/// A prediction: chosen freely, revealed by the act.
fn question(reader: Reader, predict: Predict) -> impl IntoView {
    let mark = Memo::new(move |_| reader.course.with(Course::mark));
    let shown = StoredValue::new(predict.clone());
    let choices = (predict.choices.into_iter().enumerate())
        .map(|(index, choice)| {
            let right = choice.right;
            let state = move || {
                let mark = mark.get();
                match (mark.acted, right, mark.picked == Some(index)) {
                    (false, ..) => None,
                    (true, true, _) => Some("right"),
                    (true, false, true) => Some("wrong"),
                    (true, false, false) => Some("none"),
                }
            };
            let note = move || match state() {
                Some("right") => Some("correct"),
                Some("wrong") => Some("your pick"),
                _ => None,
            };
            let answer = answer_glyph(&choice.said);
            view! {
                <label class="choice" data-mark=state>
                    <input type="radio" name="predict" prop:checked=move || mark.get().picked == Some(index)
                        disabled=move || mark.get().acted on:change=move |_| reader.take(Turn::Pick(index)) />
                    {answer.map(glyph)}
                    <span>{choice.label}</span>
                    <small>{note}</small>
                </label>
            }
        })
        .collect_view();
    let explained = move || {
        let mark = mark.get();
        mark.acted.then(|| {
            shown.with_value(|predict| {
                let picked = mark.picked.and_then(|index| predict.choices.get(index));
                let right = predict.choices.iter().find(|choice| choice.right);
                picked
                    .or(right)
                    .map(|choice| choice.explain.clone())
                    .unwrap_or_default()
            })
        })
    };
    view! {
        <section class="predict" aria-labelledby="question">
            <h2 class="eyebrow">"Predict"</h2>
            <p class="question" id="question" inner_html=predict.question></p>
            <div class="choices" role="radiogroup" aria-labelledby="question">{choices}</div>
            <div class="answer" role="status">{move || explained().map(|html| view! { <p inner_html=html></p> })}</div>
        </section>
    }
}

/// Accept and reject have a shape beside their word.
fn answer_glyph(said: &str) -> Option<Answer> {
    match said.split([' ', '(']).next() {
        Some("accepted" | "committed") => Some(Answer::Accepted),
        Some("rejected" | "not") => Some(Answer::Rejected),
        Some("duplicate") => Some(Answer::Duplicate),
        _ => None,
    }
}

#[component]
fn YourTurn(reader: Reader, label: String) -> impl IntoView {
    let done = Memo::new(move |_| reader.course.with(|course| course.mark().acted));
    let class = move || if done.get() { "btn" } else { "btn primary" };
    let turn = move |turn: Turn| {
        move |_| {
            reader.take(turn);
            if browser::matches_media("(max-width: 639px)") {
                browser::scroll_to("stage");
            }
        }
    };
    view! {
        <section class="turn">
            <h2 class="eyebrow">"Your turn"</h2>
            <button type="button" class=class aria-disabled=move || done.get().then_some("true") on:click=move |event| {
                if !done.get_untracked() {
                    turn(Turn::Act)(event);
                }
            }>
                {move || icon(if done.get() { icons::CHECK } else { icons::PLAY })}
                {label}
            </button>
            {move || done.get().then(|| view! {
                <span class="note">"Done. "<button type="button" class="link" on:click=turn(Turn::Again)>"Run again"</button></span>
            })}
        </section>
    }
}

/// Back, a dot a beat, Next.
#[component]
fn Steps(reader: Reader, beat: Memo<usize>, total: usize) -> impl IntoView {
    let dots = (0..total)
        .map(|index| {
            let name = ["Step ", &(index + 1).to_string()].concat();
            view! {
                <li class:done=move || index < beat.get() aria-current=move || (beat.get() == index).then_some("step")>
                    <button type="button" class="dot" aria-label=name on:click=move |_| go(reader, Turn::Go(index))></button>
                </li>
            }
        })
        .collect_view();
    let at_end = Memo::new(move |_| reader.course.with(Course::is_complete));
    let following = move || {
        let here = reader.course.with_untracked(|course| course.lesson.number);
        CARDS.iter().find(|card| card.number == here + 1)
    };
    view! {
        <nav class="steps" aria-label="Steps">
            <button type="button" class="btn" aria-disabled=move || (beat.get() == 0).then_some("true") on:click=move |_| go(reader, Turn::Back)>
                {icon(icons::LEFT)}"Back"
            </button>
            <ol class="dots">{dots}</ol>
            {move || match (at_end.get(), following()) {
                (true, Some(card)) => view! {
                    <a class="btn" href=super::home::address(card) aria-label=["Next lesson: ", card.title].concat()>"Next lesson"{icon(icons::RIGHT)}</a>
                }.into_any(),
                (true, None) => view! { <a class="btn" href="#/">"All lessons"{icon(icons::RIGHT)}</a> }.into_any(),
                (false, _) => view! {
                    <button type="button" class="btn next" on:click=move |_| go(reader, Turn::Next)>"Next"{icon(icons::RIGHT)}</button>
                }.into_any(),
            }}
        </nav>
    }
}

/// Takes a turn; where it leads to another beat, reading goes on at its title.
fn go(reader: Reader, turn: Turn) {
    let before = reader.course.with_untracked(|course| course.beat);
    reader.take(turn);
    if reader.course.with_untracked(|course| course.beat) != before {
        browser::after(0, || browser::focus("beat", false));
    }
}

/// Free experiments, and the way back.
#[component]
fn Free(reader: Reader) -> impl IntoView {
    let is_free = Memo::new(move |_| {
        reader
            .player
            .with(|session| reader.course.with(|course| course.is_free(session)))
    });
    view! {
        {move || is_free.get().then(|| view! {
            <p class="notice" role="status">
                <span>"This is your own run now; later lines of the lesson’s run were dropped."</span>
                <button type="button" class="btn" on:click=move |_| reader.take(Turn::Return)>"Back to the lesson"</button>
            </p>
        })}
        <details class="try">
            <summary>{icon(icons::RIGHT)}<b>"Try something else"</b><span class="note">"every action adds one line to the run"</span></summary>
            <Actions player=reader.player />
        </details>
    }
}
