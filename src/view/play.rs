//! The story of the front page as a run of the learner's own: everything can be tried at once.

use super::actions::Actions;
use super::app::{TopBar, shell};
use super::browser;
use super::player::Player;
use super::stage::{Stage, StageOptions};
use crate::diagram::Density;
use crate::link::{self, Link, Page};
use crate::panels::RuleForm;
use crate::script;
use crate::session::{Intent, Session};
use crate::sim::{Base, Policy};
use leptos::prelude::*;

const STORY: &str = include_str!("../../tests/cases/two-clients-41-42.fence");

/// The page.
#[component]
pub fn Play() -> impl IntoView {
    browser::set_title("A paused holder · Fencing Lab");
    let shell = shell();
    let player = Player::new(Session::new(STORY.to_owned()));
    player.keep_text();
    open_link(player, shell.link.get_untracked());
    write_link(player);
    let policies = [Base::Unfenced, Base::CheckThenWrite, Base::Fenced].map(Policy::of);
    let options = StageOptions {
        hide: Signal::stored(false),
        lit: Signal::stored(None),
        policies: Signal::stored(policies.to_vec()),
        followers: Signal::stored(Vec::new()),
        form: RwSignal::new(RuleForm::Gate),
        density: Density::Full,
    };
    view! {
        <TopBar />
        <main class="play-page">
            <h1 class="sr">"A paused holder: play with the run"</h1>
            <Stage player options>
                <Actions player />
            </Stage>
        </main>
    }
}

fn open_link(player: Player, link: Link) {
    if link.policy.is_some() {
        player.dispatch(Intent::SetPolicy(link.policy));
    }
    let stand = move || {
        if let Some(step) = link.step {
            player.dispatch(Intent::SeekMoment(step));
        }
    };
    stand();
    if let Some(packed) = link.packed {
        let notices = shell().notices;
        browser::spawn(async move {
            match browser::unpack(&packed, script::MAX_TEXT_BYTES).await {
                Some(text) => {
                    player.dispatch(Intent::Load(text));
                    stand();
                }
                None => notices.update(|n| {
                    n.push(
                        "The run in this address is damaged; the story is shown instead."
                            .to_owned(),
                    )
                }),
            }
        });
    }
}

/// The address holds the whole run and moment.
fn write_link(player: Player) {
    Effect::new(move |_| {
        if player.playing.get() {
            return;
        }
        let (step, policy, source) = player.with(|session| {
            (
                session.cursor.passed,
                session.policy.clone(),
                session.source.clone(),
            )
        });
        let link = Link {
            page: Page::Play,
            step: Some(step),
            policy,
            packed: None,
        };
        if source == STORY {
            browser::set_fragment(&link::print(&link), false);
        } else {
            browser::spawn(async move {
                let packed = browser::pack(&source).await;
                browser::set_fragment(&link::print(&Link { packed, ..link }), false);
            });
        }
    });
}
