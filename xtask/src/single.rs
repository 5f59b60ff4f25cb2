//! `fencing-lab.html`: all of the app in one page, which also opens from a file.
//!
//! What the page loads is in it: style sheet, icon and scripts as they are, the other files packed,
//! for the `fetch` of `single.js`. Its content security policy names the one script and the one
//! style sheet by their hashes; what else it allows is the app's script, as a `blob:`, and the wasm.

use crate::{Result, html, paths};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fencing_core::lesson;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The name of the page in `dist`.
pub const NAME: &str = "fencing-lab.html";

/// Makes the page of `page`, the text of a finished page of a release, and the files in `dir`.
pub fn write(dir: &Path, page: &str) -> Result<()> {
    let parts = Parts::of(page)?;
    let script = script(dir, &parts)?;
    let style = text(&dir.join(parts.style.address))?;
    for (code, end) in [(&script, "</script"), (&style, "</style")] {
        if code.contains(end) {
            return Err(format!("{NAME}: `{end}` within would end the element"));
        }
    }
    let file = dir.join(NAME);
    let icon = STANDARD.encode(bytes(&dir.join(parts.icon.address))?);
    fs::write(&file, joined(page, &parts, &script, &style, &icon))
        .map_err(|error| paths::told(&file, error))
}

/// A part of the page that names a file.
struct Part<'a> {
    /// Where its element is in the page, in bytes.
    range: Range<usize>,
    /// The file's address.
    address: &'a str,
}

/// What the page loads, and its policy.
struct Parts<'a> {
    policy: Range<usize>,
    style: Part<'a>,
    icon: Part<'a>,
    boot: Part<'a>,
    glue: Part<'a>,
    wasm: Part<'a>,
}

impl<'a> Parts<'a> {
    fn of(page: &'a str) -> Result<Self> {
        let link = |rel: &str| {
            let all = html::tags(page, "link").into_iter();
            let mut fitting = all.filter(|tag| tag.attribute("rel") == Some(rel));
            let tag = fitting.next().ok_or(missing(rel))?;
            let address = tag.attribute("href").ok_or(missing(rel))?;
            let range = tag.range;
            Ok::<_, String>(Part { range, address })
        };
        let policy = html::tags(page, "meta")
            .into_iter()
            .find(|tag| tag.attribute("http-equiv") == Some("Content-Security-Policy"))
            .ok_or(missing("policy"))?;
        Ok(Parts {
            policy: policy.range,
            style: link("stylesheet")?,
            icon: link("icon")?,
            boot: boot(page)?,
            glue: link("modulepreload")?,
            wasm: link("preload")?,
        })
    }
}

/// The page's script.
fn boot(page: &str) -> Result<Part<'_>> {
    let end = "</script>";
    html::tags(page, "script")
        .into_iter()
        .filter(|tag| page[tag.range.end..].starts_with(end))
        .find_map(|tag| {
            Some(Part {
                address: tag.attribute("src")?,
                range: tag.range.start..tag.range.end + end.len(),
            })
        })
        .ok_or(missing("script"))
}

fn missing(what: &str) -> String {
    format!("{NAME}: the app's page has no {what}")
}

/// The page's only script: the files, then what starts the app.
fn script(dir: &Path, parts: &Parts) -> Result<String> {
    let mut files = Map::new();
    for name in fetched(dir, parts)? {
        let content =
            pack(&bytes(&dir.join(&name))?).map_err(|error| format!("{name}: {error}"))?;
        files.insert(
            name.clone(),
            json!({ "type": kind(&name), "data": content }),
        );
    }
    let glue = text(&dir.join(parts.glue.address))?;
    // Its last statement calls it. What is put in there may hold any word, as packed files do.
    let (code, _) = include_str!("single.js")
        .rsplit_once("(FILES, GLUE);")
        .ok_or("single.js does not end with a call")?;
    let files = literal(&Value::Object(files));
    let glue = literal(&glue.into());
    let boot = text(&dir.join(parts.boot.address))?;
    Ok([code, "(", &files, ", ", &glue, ");\n", &boot].concat())
}

/// A value in a script of a page: `<` could end the script.
fn literal(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// The files that the app may fetch, by address: all but those that are in the page anyway, other
/// pages, and what is for hosts. Files of other pages are not there yet.
fn fetched(dir: &Path, parts: &Parts) -> Result<Vec<String>> {
    let inside = [&parts.style, &parts.icon, &parts.boot, &parts.glue];
    let inside = inside.map(|part| part.address.trim_start_matches("./"));
    let mut all = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let place = dir.join(&folder);
        let told = |error| paths::told(&place, error);
        for entry in fs::read_dir(&place).map_err(told)? {
            let entry = entry.map_err(told)?;
            let path = folder.join(entry.file_name());
            let name = path.to_string_lossy().replace('\\', "/");
            if entry.file_type().map_err(told)?.is_dir() {
                folders.push(path);
            } else if !inside.contains(&name.as_str()) && !is_for_hosts(&name) {
                all.push(name);
            }
        }
    }
    all.sort();
    Ok(all)
}

/// What only servers and other sites need, and pictures: the simulation draws them as well.
fn is_for_hosts(name: &str) -> bool {
    name == "_headers"
        || lesson::is_plates_file(name)
        || name.ends_with(".html")
        || name.starts_with("fencing-lab.")
        || name.starts_with("oembed/")
}

/// The media type of a file.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("wasm") => "application/wasm",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("txt" | "fence") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Raw deflate in base64.
fn pack(content: &[u8]) -> std::io::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

/// The page with everything in it.
fn joined(page: &str, parts: &Parts, script: &str, style: &str, icon: &str) -> String {
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}' blob: 'wasm-unsafe-eval'; style-src '{}'; img-src data:\">",
        hash(script),
        hash(style)
    );
    // boot.js reads the address; a medium that is none keeps the browser from fetching it.
    let wasm = format!(
        "<link rel=\"preload\" href=\"{}\" as=\"fetch\" media=\"not all\">",
        parts.wasm.address
    );
    let end = page.rfind("</body>").unwrap_or(page.len());
    let mut changes = [
        (parts.policy.clone(), policy),
        (parts.style.range.clone(), format!("<style>{style}</style>")),
        (
            parts.icon.range.clone(),
            format!("<link rel=\"icon\" href=\"data:image/svg+xml;base64,{icon}\">"),
        ),
        (parts.boot.range.clone(), String::new()),
        (parts.glue.range.clone(), String::new()),
        (parts.wasm.range.clone(), wasm),
        // The script looks for what is before it in the page.
        (end..end, format!("<script>{script}</script>\n")),
    ];
    changes.sort_by_key(|(range, _)| range.start);
    let mut whole = page.to_owned();
    for (range, text) in changes.into_iter().rev() {
        whole.replace_range(range, &text);
    }
    whole
}

/// The name of an element's text in a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

fn text(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| paths::told(file, error))
}

fn bytes(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| paths::told(file, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::env;

    const PAGE: &str = r#"<head><meta http-equiv="Content-Security-Policy" content="default-src 'self'">
<link rel="icon" href="./icon.svg"><link rel="stylesheet" href="./style.css">
<script src="./boot.js" defer></script>
<link rel="modulepreload" href="./app.js" crossorigin>
<link rel="preload" href="./app.wasm" as="fetch" crossorigin></head><body><p></p></body>"#;

    /// A folder with the files of the page and some more.
    fn folder(name: &str) -> PathBuf {
        let dir = env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        for sub in ["lessons", "oembed"] {
            fs::create_dir_all(dir.join(sub)).unwrap();
        }
        for (file, text) in [
            ("icon.svg", "<svg/>"),
            ("style.css", "a{}"),
            ("boot.js", "boot()"),
            ("app.js", "export default 'FILES, GLUE </script>'"),
            ("app.wasm", "wasm"),
            ("lessons/a.bin", "lesson"),
            ("oembed/a.json", "{}"),
            ("fencing-lab.js", "loader"),
            ("_headers", ""),
            ("index.html", PAGE),
        ] {
            fs::write(dir.join(file), text).unwrap();
        }
        dir
    }

    #[test]
    fn the_page_loads_nothing() {
        let dir = folder("single");
        write(&dir, PAGE).unwrap();
        let page = text(&dir.join(NAME)).unwrap();
        for name in [
            "\"./icon.svg",
            "./style.css",
            "./boot.js",
            "./app.js",
            "'self'",
        ] {
            assert!(!page.contains(name), "{name}");
        }
        assert!(page.contains("href=\"./app.wasm\" as=\"fetch\" media=\"not all\""));
        assert!(page.contains("<style>a{}</style>") && page.ends_with("</script>\n</body>"));
        assert_eq!(page.matches("</script>").count(), 1);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn the_policy_names_what_is_in_the_page() {
        let dir = folder("single-policy");
        write(&dir, PAGE).unwrap();
        let page = text(&dir.join(NAME)).unwrap();
        let code = &html::inline_script(&page).unwrap().code;
        for known in [hash(code), hash("a{}")] {
            assert!(page.contains(&format!("'{known}'")), "{known}");
        }
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn files_that_the_app_fetches_are_packed() {
        let dir = folder("single-files");
        let parts = Parts::of(PAGE).unwrap();
        let names = fetched(&dir, &parts).unwrap();
        assert_eq!(names, ["app.wasm", "lessons/a.bin"]);
        let script = script(&dir, &parts).unwrap();
        assert!(script.contains("\"export default 'FILES, GLUE \\u003c/script>'\");\n"));
        for name in names {
            let packed = pack(&bytes(&dir.join(&name)).unwrap()).unwrap();
            assert!(script.contains(&packed), "{name}");
        }
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_page_without_its_parts_is_told() {
        let page = PAGE.replace("modulepreload", "other");
        let error = write(&env::temp_dir(), &page).unwrap_err();
        assert!(error.contains("modulepreload"), "{error}");
    }
}
