//! What the app fetches: lessons with their films, and pictures for the room that there is.

use super::Lesson;
use crate::diagram::Density;
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
    /// The story at the top.
    pub film: Film,
}

/// The widths, in px, that pictures are drawn for, from wide to narrow. Between them they scale.
/// Time runs down in those narrower than [`crate::diagram::VERTICAL_BELOW`].
pub const WIDTHS: [u32; 4] = [1120, 850, 640, 340];

/// A gap between two pictures side by side, in px.
pub const PAIR_GAP: u32 = 28;

/// Of [`WIDTHS`] the one for a container of so many px.
pub fn width_for(room: f64) -> u32 {
    let narrowest = WIDTHS[WIDTHS.len() - 1];
    if room < crate::diagram::VERTICAL_BELOW {
        return narrowest;
    }
    // Time runs to the right: of two widths the one that has to be scaled less.
    let fits = WIDTHS
        .windows(2)
        .find(|two| room >= f64::from(two[0] + two[1]) / 2.0);
    fits.map_or(WIDTHS[WIDTHS.len() - 2], |two| two[0])
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

impl Edition {
    /// Index of the film of a run under a policy as the lesson writes it.
    pub fn film_of(&self, run: usize, policy: Option<&str>) -> Option<usize> {
        self.reels
            .iter()
            .position(|reel| reel.run == run && reel.policy.as_deref() == policy)
    }

    /// Index of the film of a run under the policy that a reader chose.
    pub fn film_under(&self, run: usize, policy: &str) -> Option<usize> {
        self.film_of(run, Some(policy)).or_else(|| {
            self.reels
                .iter()
                .position(|reel| reel.run == run && reel.film.policy == policy)
        })
    }
}

/// Reads what the compiler wrote; an error if the bytes are anything else.
///
/// # Errors
/// The bytes are of another version, or damaged.
pub fn from_bytes<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<T, postcard::Error> {
    postcard::from_bytes(bytes)
}
