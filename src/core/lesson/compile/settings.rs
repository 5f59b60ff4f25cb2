//! The TOML in a lesson. Unknown keys are errors; every value that is judged later has its place.

use super::super::View;
use super::Problems;
use super::markdown::Block;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

/// A text and where it stands.
pub(super) type Text = Spanned<String>;

/// Between the lines of `+++`. Each but the sources is required, and each is missed by itself.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Front {
    pub title: Option<Text>,
    pub chapter: Option<Text>,
    pub summary: Option<Text>,
    #[serde(default)]
    pub sources: Vec<Text>,
}

/// A `beat` block.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BeatSettings {
    pub stand: Option<Text>,
    pub panes: Option<Spanned<Vec<Text>>>,
    pub policies: Option<Vec<Text>>,
    pub hide: Option<bool>,
    #[serde(default)]
    pub view: View,
}

/// An `act` block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActSettings {
    pub label: Text,
    pub until: Text,
}

/// A `predict` block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PredictSettings {
    pub question: Text,
    pub about: Text,
    #[serde(default)]
    pub choice: Vec<ChoiceSettings>,
}

/// `[[choice]]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChoiceSettings {
    pub label: Text,
    pub answer: Text,
    pub explain: Text,
}

/// A `table` block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableSettings {
    pub caption: Text,
    pub columns: Vec<String>,
    #[serde(default)]
    pub row: Vec<RowSettings>,
}

/// `[[row]]`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowSettings {
    pub label: Text,
    pub cells: Spanned<Vec<Text>>,
}

/// The content of a block, or `None` after a complaint.
pub(super) fn read<T: DeserializeOwned>(block: &Block, problems: &mut Problems) -> Option<T> {
    let complain = |error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        problems.add(block.line_at(start), error.message());
    };
    toml::from_str(&block.text).map_err(complain).ok()
}

/// Complains about an empty text and one of more than `most` characters.
pub(super) fn short(text: &str, most: usize, what: &str, line: usize, problems: &mut Problems) {
    let length = text.chars().count();
    if text.trim().is_empty() {
        problems.add(line, format!("{what} is empty"));
    } else if length > most {
        problems.add(
            line,
            format!("{what} has at most {most} characters, this one has {length}"),
        );
    }
}
