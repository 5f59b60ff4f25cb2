//! The lab: a script and the picture of its run side by side. Each click writes a line of the
//! language, each edit of the text runs at once.
//!
//! `bar` is the top of the page with documents, links and exports, `script` the text, `run` the
//! picture with `acts` (what can be done at the cursor), `policy` and `setup` (the header), `compare`
//! several policies, `explore` the search. What has no controls is written as markup; clicks in it are
//! told apart by `data-` attributes.

mod acts;
mod bar;
mod builder;
mod coloured;
mod compare;
mod copy;
mod explore;
mod gallery;
mod grip;
mod icons;
mod illustrations;
mod panels;
mod player;
mod policy;
mod room;
mod run;
mod script;
mod scrubber;
mod setup;
mod shared;
mod timeline;
mod transcript;

use super::browser::{self, Listener};
use super::theme;
use crate::drafts::{Draft, Drafts};
use crate::edit;
use crate::link::{self, LabView, Link, Page};
use crate::page::DEFS;
use crate::playhead::Move;
use crate::script as language;
use crate::session::{Intent, Session};
use crate::sim::Policy;
use leptos::prelude::*;
use player::Player;

/// After so many milliseconds without an edit, address and drafts follow.
const REST_MS: u32 = 400;

/// Puts the lab into its page.
pub fn start() {
    leptos::mount::mount_to_body(LabPage);
}

/// What all parts of the lab share.
#[derive(Clone, Copy)]
struct Lab {
    /// The text and its run.
    player: Player,
    /// Which view of it is shown.
    view: RwSignal<LabView>,
    /// The embed builder is shown instead.
    embedding: RwSignal<bool>,
    /// What the reader should know.
    notices: RwSignal<Vec<String>>,
    /// Index of the line that is being typed: it is not judged yet.
    typing: RwSignal<Option<usize>>,
    /// The policies that are compared with the script's own.
    compared: RwSignal<Vec<Policy>>,
    /// Which draft the text is kept as.
    draft: RwSignal<u64>,
    /// The address as this page wrote it last.
    written: RwSignal<String>,
    /// Light or dark, instead of what the system says.
    dark: RwSignal<bool>,
}

impl Lab {
    fn new() -> Self {
        let player = Player::new(Session::new(String::new()));
        player.keep_text();
        Lab {
            player,
            view: RwSignal::new(LabView::Run),
            embedding: RwSignal::new(false),
            notices: RwSignal::new(Vec::new()),
            typing: RwSignal::new(None),
            compared: RwSignal::new(Vec::new()),
            draft: RwSignal::new(browser::epoch_ms()),
            written: RwSignal::new(String::new()),
            dark: RwSignal::new(theme::restore()),
        }
    }

    fn source(self) -> String {
        self.player.peek(|session| session.source.clone())
    }

    /// Changes the text as one edit.
    fn edit(self, source: String) {
        self.player.dispatch(Intent::Edit(source));
    }

    /// Carries out an action at the cursor.
    fn act(self, line: &str) {
        self.player.change(|session| edit::act(session, line));
    }

    /// Takes up another text; undo goes back to the one before.
    fn open(self, source: String) {
        self.draft.set(browser::epoch_ms());
        self.edit(source);
        self.player.dispatch(Intent::Move(Move::First));
        if self.view.get_untracked() == LabView::Explore {
            self.view.set(LabView::Run);
        }
    }

    fn tell(self, notice: &str) {
        self.notices.update(|notices| {
            if !notices.iter().any(|known| known == notice) {
                notices.push(notice.to_owned());
            }
        });
    }

    fn title(self) -> String {
        let title = self.player.played.with(|run| run.scenario().title.clone());
        if title.is_empty() {
            "Untitled run".to_owned()
        } else {
            title
        }
    }

    fn flip_theme(self) {
        self.dark.update(|dark| *dark = !*dark);
        theme::choose(self.dark.get_untracked());
    }

    /// The address of what is shown now, its text packed.
    async fn link(self) -> String {
        let (source, step) = self
            .player
            .peek(|session| (session.source.clone(), session.head.cursor.passed));
        let packed = if source.is_empty() {
            None
        } else {
            browser::pack(&source).await
        };
        let page = Page::Lab(self.view.get_untracked());
        link::print(&Link {
            page,
            step: (step > 0).then_some(step),
            policy: None,
            packed,
        })
    }

    /// Shows what the address says.
    fn follow_address(self) {
        let fragment = browser::fragment();
        if fragment == self.written.get_untracked() {
            return;
        }
        self.written.set(fragment.clone());
        let (link, notices) = link::parse(&fragment);
        notices.iter().for_each(|notice| self.tell(notice));
        self.embedding.set(link.page == Page::Embed);
        self.view.set(match link.page {
            Page::Lab(view) => view,
            _ => LabView::Run,
        });
        if link.packed.is_none() && link.policy.is_none() {
            return;
        }
        browser::spawn(async move {
            if let Some(packed) = &link.packed {
                match browser::unpack(packed, language::MAX_TEXT_BYTES).await {
                    Some(text) => self.edit(text),
                    None => self.tell("The scenario in this address is damaged; it is left out."),
                }
            }
            if let Some(policy) = &link.policy {
                match language::parse_policy(policy) {
                    Ok(policy) => self.set_policy(0, &policy),
                    Err(_) => self.tell("The policy in this address is none of the language; the run keeps its own."),
                }
            }
            self.player
                .dispatch(Intent::Move(Move::SeekMoment(link.step.unwrap_or(0))));
        });
    }

    /// Writes another policy into the header.
    fn set_policy(self, resource: usize, policy: &Policy) {
        let source = self.player.peek(|session| {
            crate::setup::set_policy(&session.source, session.run.scenario(), resource, policy)
        });
        self.edit(source);
    }

    /// Keeps the text in the browser.
    fn keep(self) {
        let mut drafts = Drafts::parse(&browser::load("drafts").unwrap_or_default());
        let before = drafts.clone();
        drafts.keep(Draft {
            id: self.draft.get_untracked(),
            changed_ms: browser::epoch_ms(),
            title: untrack(|| self.title()),
            text: self.source(),
        });
        if drafts != before && !browser::store("drafts", &drafts.print()) {
            self.tell("This browser keeps nothing for this page, so drafts are lost when it is closed. The address holds your text; so does Export.");
        }
    }

    /// Address and drafts follow the session when it comes to rest.
    fn follow_session(self) {
        let change = StoredValue::new(0_u32);
        Effect::new(move |before: Option<LabView>| {
            let view = self.view.get();
            self.player.settled.track();
            let Some(before) = before else { return view };
            if self.player.playing.get() || self.embedding.get() {
                return view;
            }
            change.update_value(|change| *change += 1);
            let this = change.get_value();
            // Back and forward have changed the address already.
            let (here, _) = link::parse(&browser::fragment());
            let new_entry = before != view && here.page != Page::Lab(view);
            browser::after(if new_entry { 0 } else { REST_MS }, move || {
                if change.get_value() != this && !new_entry {
                    return;
                }
                self.keep();
                browser::spawn(async move {
                    let fragment = self.link().await;
                    self.written.set(fragment.clone());
                    browser::set_fragment(&fragment, new_entry);
                });
            });
            view
        });
    }
}

#[component]
fn LabPage() -> impl IntoView {
    let lab = Lab::new();
    lab.follow_address();
    lab.follow_session();
    let listeners: StoredValue<[Listener; 2], LocalStorage> =
        StoredValue::new_local(browser::watch_address(move || lab.follow_address()));
    on_cleanup(move || listeners.dispose());
    Effect::new(move |_| {
        browser::set_title(&match lab.embedding.get() {
            true => "Embed · Fencing Lab".to_owned(),
            false => [&lab.title(), " · Lab · Fencing Lab"].concat(),
        });
    });
    let click = move |event: leptos::ev::MouseEvent| {
        browser::close_menus(Some(&event));
    };
    let keydown = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" && browser::leave_menus() {
            event.prevent_default();
        }
    };
    let drop_file = move |event: leptos::ev::DragEvent| {
        event.prevent_default();
        bar::read(lab, browser::file_of(&event));
    };
    let exploring = Memo::new(move |_| lab.view.get() == LabView::Explore);
    view! {
        <div class="defs-box" inner_html=DEFS></div>
        {move || lab.embedding.get().then(|| view! { <builder::Builder lab /> })}
        <div class="lesson-page lab-page" hidden=move || lab.embedding.get() on:click=click on:keydown=keydown on:drop=drop_file on:dragover=|event| event.prevent_default()>
            {bar::bar(lab)}
            {notices(lab)}
            {move || match exploring.get() {
                true => explore::explore(lab).into_any(),
                false => view! {
                    <main class="lesson">
                        <h1 class="sr">{move || [&lab.title(), ", in the lab"].concat()}</h1>
                        {script::script(lab)}
                        {run::stage(lab)}
                    </main>
                }.into_any(),
            }}
        </div>
    }
}

fn notices(lab: Lab) -> impl IntoView {
    move || {
        let notice = |text: String| view! { <p>{text}</p> };
        let notices = lab.notices.get();
        (!notices.is_empty()).then(|| view! {
            <div class="notice" role="status">
                <div>{notices.into_iter().map(notice).collect_view()}</div>
                <button type="button" class="btn" on:click=move |_| lab.notices.set(Vec::new())>"Dismiss"</button>
            </div>
        })
    }
}

/// The tabs of the views.
fn tabs(lab: Lab) -> impl IntoView {
    let tab = move |view: LabView, name: &'static str| {
        let current = move || (lab.view.get() == view).then_some("page");
        view! { <button type="button" aria-current=current on:click=move |_| lab.view.set(view)><span>{name}</span></button> }
    };
    view! {
        <nav class="segmented views" aria-label="View">
            <button type="button" class="phone" on:click=move |_| browser::scroll_to("script")><span>"Script"</span></button>
            {tab(LabView::Run, "Run")}
            {tab(LabView::Compare, "Compare")}
            {tab(LabView::Explore, "Explore")}
        </nav>
    }
}
