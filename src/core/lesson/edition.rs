//! What the app fetches: lessons with their films, and pictures for the room that there is.

use super::Lesson;
use crate::diagram::{Density, VERTICAL_BELOW};
use crate::film::{Film, Picture};
use serde::Deserialize;
#[cfg(feature = "compile")]
use serde::Serialize;

/// A lesson and all films that it can show, in `lessons/SLUG.bin`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Edition {
    /// The lesson.
    pub lesson: Lesson,
    /// Its films.
    pub reels: Vec<Reel>,
}

/// A film and what it is of.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Reel {
    /// Index into [`Lesson::runs`].
    pub run: usize,
    /// At every resource, as the lesson writes it; `None`: the scenario's own.
    pub policy: Option<String>,
    /// The film.
    pub film: Film,
}

/// The pictures of the films of a lesson for one width, in `lessons/SLUG.WIDTH.bin` and
/// `lessons/SLUG.embed-WIDTH.bin`: each with the index of its film.
pub type Plates = Vec<(usize, Picture)>;

/// What the home page shows, in `lessons/home.bin`; its pictures are [`Plates`] too.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "compile", derive(Serialize))]
pub struct Front {
    /// The run of each lesson as the inside of a small picture.
    pub minis: Vec<String>,
    /// The text of the story at the top.
    pub text: String,
    /// Its film.
    pub film: Film,
}

/// The widths, in px, that pictures are recorded for, from wide to narrow. Time runs down in those
/// narrower than [`VERTICAL_BELOW`].
pub const WIDTHS: [u32; 10] = [1090, 970, 850, 740, 650, 570, 480, 410, 356, 306];

/// A picture may be so much wider than its room: it is then shown smaller.
const SQUEEZE: f64 = 1.05;

/// A gap between two pictures side by side, in px, as in the style sheet.
const PAIR_GAP: f64 = 28.0;

/// Of pictures that were recorded for less than this, in px, two do not fit side by side.
const STACKED_BELOW: u32 = 800;

/// Whether pictures that belong together stand below each other in a room of so many px.
pub fn is_stacked(room: f64) -> bool {
    width_for(room) < STACKED_BELOW
}

/// The width of each of them, in px.
pub fn pair_width(room: f64) -> f64 {
    if is_stacked(room) {
        room
    } else {
        (room - PAIR_GAP) / 2.0
    }
}

/// Of [`WIDTHS`] the one for a container of so many px: one that is hardly wider, with time in the
/// direction that the container asks for.
pub fn width_for(room: f64) -> u32 {
    let down = room < VERTICAL_BELOW;
    let fits = |width: &&u32| {
        let width = f64::from(**width);
        (width < VERTICAL_BELOW) == down && width <= room * SQUEEZE
    };
    let narrowest = WIDTHS[WIDTHS.len() - 1];
    WIDTHS.iter().find(fits).copied().unwrap_or(narrowest)
}

/// The name of the file of a lesson (or of `home`).
pub fn lesson_file(slug: &str) -> String {
    ["lessons/", slug, ".bin"].concat()
}

/// The name of the file with the pictures of a lesson (or of `home`).
pub fn plates_file(slug: &str, width: u32, density: Density) -> String {
    let kind = if density == Density::Embed {
        ".embed-"
    } else {
        "."
    };
    ["lessons/", slug, kind, &width.to_string(), ".bin"].concat()
}

/// Whether a file is one of pictures, by its name.
pub fn is_plates_file(name: &str) -> bool {
    let stem = name.strip_suffix(".bin");
    stem.is_some_and(|stem| stem.contains('.'))
}
