//! One screen after the other: what each shows, where the cursor stands, and what it refers to.

use super::super::{Act, Beat, Stand};
use super::markdown::{Block, Piece, Reference};
use super::scenes::{PaneKey, Played, Scenes};
use super::settings::{self, ActSettings, BeatSettings, Text};
use super::{Problems, Stage, anchor, question, scenes, table};
use crate::playhead::Clock;
use crate::sim::{CarriedToken, Content, Message, Policy, Scenario};
use anchor::{listed, suggestion};
use std::rc::Rc;

/// Longest label of an act, in characters: it is one line on a phone.
const MAX_ACT_CHARS: usize = 28;
/// How many runs fit side by side.
const PANES: [usize; 3] = [1, 2, 4];

/// What a beat takes over from the one before.
struct Carried {
    /// `None` after a complaint.
    panes: Option<Vec<PaneKey>>,
    policies: Vec<Policy>,
    stand: Option<Stand>,
}

/// Understands all beats, in order.
pub(super) fn read_all(
    pieces: &[Piece],
    scenes: &mut Scenes,
    problems: &mut Problems,
) -> Vec<Beat> {
    let mut carried = Carried {
        panes: Some(vec![PaneKey {
            run: 0,
            policy: None,
        }]),
        policies: Vec::new(),
        stand: Some(Stand::default()),
    };
    let mut beats = Vec::new();
    for piece in pieces {
        beats.push(read(piece, &mut carried, scenes, problems));
    }
    beats
}

fn read(
    piece: &Piece,
    carried: &mut Carried,
    scenes: &mut Scenes,
    problems: &mut Problems,
) -> Beat {
    judge_text(piece, problems);
    let block = |kind: &str| piece.blocks.iter().find(|block| block.kind() == kind);
    let settings = block("beat").and_then(|block| Some((block, settings::read(block, problems)?)));
    if let Some((block, settings)) = &settings {
        choose_panes(block, settings, carried, scenes, problems);
    }
    let panes = carried.panes.as_ref().and_then(|panes| {
        let played: Vec<_> = panes
            .iter()
            .filter_map(|pane| scenes.play(pane, problems))
            .collect();
        (played.len() == panes.len() && !played.is_empty()).then_some(played)
    });
    let mut stage = Stage {
        panes,
        stand: carried.stand,
        until: None,
    };
    if let Some((
        block,
        BeatSettings {
            stand: Some(stand), ..
        },
    )) = &settings
    {
        stage.stand = find(block, stand, &stage, problems);
    }
    let act = block("act").and_then(|block| read_act(block, &mut stage, problems));
    let mut references = Vec::new();
    let predict = block("predict");
    if let (Some(predict), None) = (predict, block("act")) {
        problems.add(
            predict.opens,
            "a question needs an `act` whose `until` shows the answer",
        );
    }
    let predict = predict.and_then(|b| question::read(b, &stage, &mut references, problems));
    let table = block("table").and_then(|block| table::read(block, scenes, problems));
    for reference in piece.prose.references.iter().chain(&references) {
        refer(reference, &stage, problems);
    }
    if act.is_some() || block("act").is_none() {
        carried.stand = stage.until.or(stage.stand);
    } else {
        carried.stand = None;
    }
    let settings = settings.map(|(_, settings)| settings).unwrap_or_default();
    Beat {
        title: piece.title.clone(),
        html: piece.prose.text.clone(),
        stand: stage.stand.unwrap_or_default(),
        panes: carried.panes.iter().flatten().map(PaneKey::pane).collect(),
        policies: offered(carried, scenes, piece, problems),
        hide: settings.hide.unwrap_or(act.is_some() || predict.is_some()),
        view: settings.view,
        act,
        predict,
        table,
    }
}

/// Complains about a beat without words, and about blocks that it has twice.
fn judge_text(piece: &Piece, problems: &mut Problems) {
    if piece.title.trim().is_empty() {
        problems.add(piece.line, "a beat has a title");
    }
    if piece.prose.text.trim().is_empty() {
        problems.add(
            piece.line,
            format!("the beat `{}` has no prose", piece.title),
        );
    }
    for (index, block) in piece.blocks.iter().enumerate() {
        if piece.blocks[..index]
            .iter()
            .any(|other| other.kind() == block.kind())
        {
            problems.add(
                block.opens,
                format!("a second `{}` block in this beat", block.kind()),
            );
        }
    }
}

fn choose_panes(
    block: &Block,
    settings: &BeatSettings,
    carried: &mut Carried,
    scenes: &Scenes,
    problems: &mut Problems,
) {
    if let Some(panes) = &settings.panes {
        let texts = panes.get_ref();
        let mut pane = |text: &Text| problems.ok(block.line_of(text), scenes.pane(text.get_ref()));
        let keys: Vec<PaneKey> = texts.iter().filter_map(&mut pane).collect();
        if !PANES.contains(&texts.len()) {
            let reason = format!("a beat shows 1, 2 or 4 runs, not {}", texts.len());
            problems.add(block.line_of(panes), reason);
        }
        carried.panes = (keys.len() == texts.len() && !keys.is_empty()).then_some(keys);
    }
    if let Some(policies) = &settings.policies {
        carried.policies.clear();
        for text in policies {
            let line = block.line_of(text);
            let Some(policy) = problems.ok(line, scenes::policy(text.get_ref())) else {
                continue;
            };
            if carried.policies.contains(&policy) {
                problems.add(line, format!("`{policy}` is offered twice"));
            }
            carried.policies.push(policy);
        }
    }
}

/// The policies of the switch: at least two beside a single run, or none.
fn offered(
    carried: &Carried,
    scenes: &Scenes,
    piece: &Piece,
    problems: &mut Problems,
) -> Vec<String> {
    let [pane] = carried.panes.as_deref().unwrap_or_default() else {
        return Vec::new();
    };
    if carried.policies.len() < 2 {
        return Vec::new();
    }
    let own = scenes.policy_of(pane);
    if let Some(own) = own.filter(|own| !carried.policies.contains(own)) {
        problems.add(
            piece.line,
            format!(
                "this beat shows `{own}`, which its `policies` do not offer: {}",
                listed(
                    carried
                        .policies
                        .iter()
                        .map(Policy::to_string)
                        .collect::<Vec<_>>()
                        .iter()
                        .map(String::as_str)
                )
            ),
        );
    }
    carried.policies.iter().map(Policy::to_string).collect()
}

/// An anchor's place in the runs that the beat shows.
fn find(block: &Block, anchor: &Text, stage: &Stage, problems: &mut Problems) -> Option<Stand> {
    let panes: Vec<&Played> = stage.panes.as_ref()?.iter().map(Rc::as_ref).collect();
    problems.ok(
        block.line_of(anchor),
        anchor::find(anchor.get_ref(), &panes),
    )
}

fn read_act(block: &Block, stage: &mut Stage, problems: &mut Problems) -> Option<Act> {
    let settings: ActSettings = settings::read(block, problems)?;
    let label = settings.label.get_ref();
    let line = block.line_of(&settings.label);
    settings::short(label, MAX_ACT_CHARS, "the label of an act", line, problems);
    stage.until = find(block, &settings.until, stage, problems);
    if let (Some(panes), Some(stand), Some(until)) = (&stage.panes, stage.stand, stage.until) {
        let trace = &panes[0].trace;
        if until.moments_passed(&Clock::of(trace)) <= stand.moments_passed(&Clock::of(trace)) {
            problems.add(
                block.line_of(&settings.until),
                format!(
                    "the cursor stands at {} s already: `{}` (at {} s) is not after that",
                    stand.at_secs,
                    settings.until.get_ref(),
                    until.at_secs
                ),
            );
        }
    }
    Some(Act {
        label: label.clone(),
        until: stage.until?,
    })
}

/// Complains about a reference to something that no run of the beat has.
fn refer(reference: &Reference, stage: &Stage, problems: &mut Problems) {
    let Some(panes) = &stage.panes else {
        return;
    };
    let Reference {
        scheme,
        target,
        line,
    } = reference;
    let everything: Vec<String> = panes
        .iter()
        .flat_map(|played| targets(scheme, played))
        .collect();
    if everything.contains(target) {
        return;
    }
    let names = || {
        everything
            .iter()
            .map(String::as_str)
            .filter(|name| !name.is_empty())
    };
    let hint = suggestion(target, names());
    let reason = match names().next() {
        None if scheme == "coordinator" => {
            "the coordinator has no name: write `coordinator:`".to_owned()
        }
        None => format!("`{scheme}:{target}`: the runs of this beat have nothing of that kind"),
        Some(_) => {
            let mut unique: Vec<&str> = names().collect();
            unique.sort_unstable();
            unique.dedup();
            format!(
                "unknown `{scheme}:{target}`{hint}; the runs of this beat have {}",
                listed(unique.into_iter())
            )
        }
    };
    problems.add(*line, reason);
}

/// What a reference with this scheme may name.
fn targets(scheme: &str, played: &Played) -> Vec<String> {
    let Played { scenario, trace } = played;
    match scheme {
        "client" | "lease" => scenario.clients.clone(),
        "write" => scenario.messages.clone(),
        "mark" | "resource" => resources(scenario),
        "token" => {
            let granted = trace.grants.iter().flat_map(|grant| grant.tokens.clone());
            let carried = trace.messages.iter().filter_map(carried_token);
            granted
                .chain(carried)
                .map(|token| token.to_string())
                .collect()
        }
        _ => vec![String::new()],
    }
}

/// By name; without one where there is only one.
fn resources(scenario: &Scenario) -> Vec<String> {
    let mut names: Vec<String> = scenario.resources.iter().map(|r| r.name.clone()).collect();
    if names.len() == 1 {
        names.push(String::new());
    }
    names
}

fn carried_token(message: &Message) -> Option<u64> {
    match &message.content {
        Content::Write(write) | Content::Claim(write) => match write.token {
            CarriedToken::Number(token) => Some(token),
            _ => None,
        },
        _ => None,
    }
}
