//! SVG to PNG, for places that take no SVG.

use crate::Result;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};
use std::sync::Arc;

/// Families that have all letters of the pictures, the first of which that is there is taken.
const SANS: &[&str] = &[
    "Inter",
    "DejaVu Sans",
    "Noto Sans",
    "Liberation Sans",
    "Arial",
    "Helvetica",
];
const MONO: &[&str] = &[
    "JetBrains Mono",
    "DejaVu Sans Mono",
    "Noto Sans Mono",
    "Liberation Mono",
    "Consolas",
    "Menlo",
];

/// The fonts that texts are drawn in.
pub struct Fonts(Arc<Database>);

impl Fonts {
    /// Those of the machine.
    ///
    /// # Errors
    /// If there is none that would do: texts would be missing.
    pub fn of_system() -> Result<Self> {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let sans = first(&fonts, SANS)?;
        let mono = first(&fonts, MONO)?;
        fonts.set_sans_serif_family(sans);
        fonts.set_monospace_family(mono);
        Ok(Fonts(Arc::new(fonts)))
    }

    /// No fonts, for pictures without texts.
    pub fn none() -> Self {
        Fonts(Arc::new(Database::new()))
    }
}

fn first(fonts: &Database, families: &[&'static str]) -> Result<&'static str> {
    let is_there = |name: &&&str| {
        let families = &[Family::Name(name)];
        fonts
            .query(&Query {
                families,
                ..Query::default()
            })
            .is_some()
    };
    families.iter().find(is_there).copied().ok_or_else(|| {
        format!(
            "social cards need one of these fonts: {}",
            families.join(", ")
        )
    })
}

/// The picture as PNG, `scale` times as large as it says.
pub fn png(svg: &str, fonts: &Fonts, scale: f32) -> Result<Vec<u8>> {
    let options = Options {
        fontdb: fonts.0.clone(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| format!("picture: {error}"))?;
    let size = tree.size().to_int_size().scale_by(scale);
    let size = size.ok_or("picture: it has no size")?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("picture: it is too large")?;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    pixels
        .encode_png()
        .map_err(|error| format!("picture: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_their_size() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 4\" width=\"8\" height=\"4\"><rect width=\"8\" height=\"4\" fill=\"#f00\"/></svg>";
        let png = png(svg, &Fonts::none(), 2.0).unwrap();
        let pixels = Pixmap::decode_png(&png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (16, 8));
        let colour = pixels.pixel(15, 7).unwrap().demultiply();
        assert_eq!(
            (colour.red(), colour.green(), colour.alpha()),
            (255, 0, 255)
        );
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        assert!(
            png("<p>", &Fonts::none(), 1.0)
                .unwrap_err()
                .starts_with("picture: ")
        );
    }
}
