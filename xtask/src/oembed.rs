//! `oembed/SLUG.json`: how to embed each lesson, for sites that turn an address into a frame.

use crate::site::{self, SITE};
use crate::{Result, paths};
use fencing_core::embed;
use fencing_core::lesson::Lesson;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Of the frame, in CSS px: what a lesson's picture needs where nothing follows its height.
const WIDTH: u32 = 720;
const HEIGHT: u32 = 460;

/// Writes a file for each lesson into `dir`. Its addresses begin with `SITE_URL`; without one they
/// are relative to the app, which a note says.
pub fn write(dir: &Path, lessons: &[Lesson]) -> Result<()> {
    let site = site::url()?;
    if site.is_none() {
        println!("{SITE} is not set: the addresses in oembed/*.json are relative to the app");
    }
    let folder = dir.join("oembed");
    fs::create_dir_all(&folder).map_err(|error| paths::told(&folder, error))?;
    for lesson in lessons {
        let file = folder.join(format!("{}.json", lesson.slug));
        let text = describe(&lesson.slug, &lesson.title, site.as_deref());
        fs::write(&file, text).map_err(|error| paths::told(&file, error))?;
    }
    Ok(())
}

/// The answer of version 1.0 of the format.
fn describe(slug: &str, title: &str, site: Option<&str>) -> String {
    let query = format!("lesson={slug}");
    let mut answer = json!({
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Fencing Lab",
        "width": WIDTH,
        "height": HEIGHT,
        "html": embed::frame(site.unwrap_or(""), &query, title, HEIGHT),
    });
    if let Some(site) = site {
        answer["provider_url"] = site.into();
    }
    format!("{answer:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn a_lesson_is_a_bare_frame() {
        let text = describe("a-b", "“A” & B", Some("https://a.example/"));
        let answer: Value = serde_json::from_str(&text).unwrap();
        for (name, value) in [
            ("version", json!("1.0")),
            ("type", json!("rich")),
            ("width", json!(720)),
            ("height", json!(460)),
            ("provider_url", json!("https://a.example/")),
        ] {
            assert_eq!(answer[name], value, "{name}");
        }
        let frame = answer["html"].as_str().unwrap();
        assert!(frame.starts_with(
            "<iframe src=\"https://a.example/?embed&amp;lesson=a-b\" title=\"Fencing Lab: “A” &amp; B\""
        ));
        assert!(frame.ends_with("></iframe>") && frame.contains(" height=\"460\""));
    }

    #[test]
    fn without_a_site_addresses_are_relative() {
        let answer: Value = serde_json::from_str(&describe("a", "A", None)).unwrap();
        assert_eq!(answer.get("provider_url"), None);
        let frame = answer["html"].as_str().unwrap();
        assert!(frame.contains(" src=\"?embed&amp;lesson=a\""));
    }
}
