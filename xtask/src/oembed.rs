//! `oembed/SLUG.json`: how to embed each lesson, for sites that turn an address into a frame.

use crate::{Result, paths};
use fencing_core::embed;
use fencing_core::lesson::Lesson;
use serde_json::json;
use std::path::Path;
use std::{env, fs};

/// The variable that names the address of the published app.
const SITE: &str = "SITE_URL";
/// Of the frame, in CSS px: what a lesson's picture needs where nothing follows its height.
const WIDTH: u32 = 720;
const HEIGHT: u32 = 460;

/// Writes a file for each lesson into `dir`. Its addresses begin with `SITE_URL`; without one they
/// are relative to the app, which a note says.
pub fn write(dir: &Path, lessons: &[Lesson]) -> Result<()> {
    let site = site(env::var(SITE).ok().as_deref())?;
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

/// The address of the site with a slash at its end; an error if it is none.
fn site(setting: Option<&str>) -> Result<Option<String>> {
    let Some(address) = setting.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let is_plain = !address.contains(['?', '#', ' ', '"']);
    if is_plain && (address.starts_with("https://") || address.starts_with("http://")) {
        return Ok(Some(format!("{}/", address.trim_end_matches('/'))));
    }
    Err(format!(
        "{SITE} is `{address}`; it must be the address of the app, such as https://example.com/fencing-lab/"
    ))
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
    fn the_site_is_an_address_or_nothing() {
        assert_eq!(site(None), Ok(None));
        assert_eq!(site(Some(" ")), Ok(None));
        for address in ["https://a.example/lab", "https://a.example/lab/"] {
            let expected = Some("https://a.example/lab/".to_owned());
            assert_eq!(site(Some(address)), Ok(expected));
        }
        for address in ["a.example", "ftp://a.example/", "https://a.example/?q"] {
            let error = site(Some(address)).unwrap_err();
            assert!(error.contains(SITE), "{error}");
        }
    }

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
