//! What lets the app be kept: the worker `sw.js`, which keeps its files for times without a network, and
//! the manifest, by which it can be installed. Made last, from what is in the directory then.

use crate::finish::{self, hash, read, read_bytes, write};
use crate::{Result, card, html, paths, single};
use base64::prelude::{BASE64_STANDARD, Engine};
use fencing_core::lesson;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

const MANIFEST: &str = "manifest.webmanifest";
const WORKER: &str = "sw.js";

/// Writes manifest and worker into `dir`, and links the manifest in all pages there, but for those that
/// have everything in them: `src/boot.js` starts the worker for pages that have one.
pub fn write_all(dir: &Path) -> Result<()> {
    let manifest = manifest(dir)?;
    write(&dir.join(MANIFEST), manifest)?;
    let tab_icon = tab_icon(dir)?;
    let is_page = |path: &&String| path.ends_with(".html") && !single::is_single(path);
    for page in files(dir)?.iter().filter(is_page) {
        link(&dir.join(page), &tab_icon)?;
    }
    let worker = worker(dir)?;
    let file = dir.join(WORKER);
    write(&file, worker)?;
    finish::esbuild(&file, &["--minify"])
}

/// Links manifest and icon in a page.
fn link(file: &Path, tab_icon: &str) -> Result<()> {
    let page = read(file)?;
    let link = format!("<link rel=\"manifest\" href=\"./{MANIFEST}\">\n</head>");
    if !page.contains("</head>") {
        return Err(format!("{} has no `</head>`", file.display()));
    }
    let page = page.replacen("</head>", &link, 1);
    let icon = icon(&page)?;
    write(file, page.replacen(icon, tab_icon, 1))
}

/// The address of a page's icon.
fn icon(page: &str) -> Result<&str> {
    html::link(page, "icon").ok_or("a page has no icon".into())
}

/// The worker for what is in `dir`: the files to keep, a version that changes with any of them and with the
/// worker itself, and its code.
fn worker(dir: &Path) -> Result<String> {
    let code = read(&paths::root().join("src/offline.js"))?;
    let mut kept = Vec::new();
    for path in files(dir)?.into_iter().filter(|path| is_kept(path)) {
        let digest = Sha256::digest(read_bytes(&dir.join(&path))?);
        let integrity = format!("sha256-{}", BASE64_STANDARD.encode(digest));
        // Under the address that readers have; some hosts redirect from the other.
        let address = if path == "index.html" { "./" } else { &path };
        kept.push(json!([address, integrity]));
    }
    let files = json!(kept).to_string();
    let version = hash(files.bytes().chain(code.bytes()));
    Ok(format!(
        "const VERSION = '{version}';\nconst FILES = {files};\n{code}"
    ))
}

/// Whether the app needs the file without a network. What only other sites ask for is left out: the
/// loader of embeds, images of lessons, icons of home screens.
fn is_kept(path: &str) -> bool {
    let Some((stem, extension)) = path.rsplit_once('.') else {
        return false;
    };
    match extension {
        // Pictures in all widths would be most of it. The simulation draws them as well.
        "bin" => !lesson::is_plates_file(path),
        "txt" => path.starts_with("lessons/"),
        "html" => !single::is_single(path),
        "css" | "wasm" | "webmanifest" => true,
        "js" => path != WORKER && !stem.starts_with("fencing-lab"),
        "png" => stem.starts_with("icon-64-"),
        _ => false,
    }
}

/// The paths of all files in `dir`, in order, with `/` between their parts.
pub fn files(dir: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    collect(dir, "", &mut found).map_err(|error| format!("{}: {error}", dir.display()))?;
    found.sort();
    Ok(found)
}

fn collect(dir: &Path, before: &str, found: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{path}/"), found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// The manifest. The icons that it names are written into `dir`.
fn manifest(dir: &Path) -> Result<String> {
    let page = read(&dir.join("index.html"))?;
    let description = html::tags(&page, "meta")
        .into_iter()
        .find(|tag| tag.attribute("name") == Some("description"))
        .and_then(|tag| tag.attribute("content"));
    let icon = icon(&page)?;
    let small = home_icon(dir, icon, 192)?;
    let large = home_icon(dir, icon, 512)?;
    let manifest = json!({
        "name": "Fencing Lab",
        "short_name": "Fencing Lab",
        "description": description,
        "start_url": "./",
        "scope": "./",
        "display": "minimal-ui",
        "background_color": "#ffffff",
        "theme_color": "#ffffff",
        "icons": [
            { "src": icon, "sizes": "any", "type": "image/svg+xml" },
            { "src": small, "sizes": "192x192", "type": "image/png" },
            { "src": large, "sizes": "512x512", "type": "image/png" },
            { "src": large, "sizes": "512x512", "type": "image/png", "purpose": "maskable" },
        ],
    });
    Ok(manifest.to_string())
}

/// Writes the icon of tabs as a PNG, and returns its address: a browser makes a page of its own to draw an
/// SVG, just when the app starts.
fn tab_icon(dir: &Path) -> Result<String> {
    let page = read(&dir.join("index.html"))?;
    let icon = read(&dir.join(icon(&page)?))?;
    Ok(format!("./{}", icon_png(dir, &icon, 64)?))
}

/// Writes the icon on white and with room around it, as home screens cut icons to shapes of their own.
/// Returns its name.
fn home_icon(dir: &Path, icon: &str, size: u32) -> Result<String> {
    let icon = read(&dir.join(icon))?;
    let framed = format!(
        "<rect width=\"32\" height=\"32\" fill=\"#fff\"/><svg x=\"6\" y=\"6\" width=\"20\" height=\"20\">{icon}</svg>"
    );
    icon_png(dir, &framed, size)
}

/// Writes what is drawn on a square of 32 as a PNG of `size` px, and returns its name.
fn icon_png(dir: &Path, drawn: &str, size: u32) -> Result<String> {
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"32\" height=\"32\" viewBox=\"0 0 32 32\">{drawn}</svg>"
    );
    let png = card::png(&svg, &card::Fonts::none(), size as f32 / 32.0)?;
    let name = format!("icon-{size}-{}.png", hash(png.iter().copied()));
    write(&dir.join(&name), png)?;
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// A fresh directory with these files.
    fn built(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        for folder in ["lessons", "single"] {
            fs::create_dir_all(dir.join(folder)).unwrap();
        }
        for (file, text) in files {
            write(&dir.join(file), text).unwrap();
        }
        dir
    }

    #[test]
    fn the_worker_keeps_what_the_app_needs_and_no_more() {
        let kept = [
            "index.html",
            "lab.html",
            "app-1.js",
            "app-1_bg.wasm",
            "icon-64-1.png",
            "lessons/a.bin",
            "lessons/a.early.txt",
            "lessons/a.html",
        ];
        let others = [
            "_headers",
            "fencing-lab.js",
            "fencing-lab.d.ts",
            "fencing-lab.html",
            "single/a.html",
            "icon-1.svg",
            "icon-192-1.png",
            "lessons/a.356.bin",
            "lessons/a.svg",
            "lessons/a.png",
            "robots.txt",
            "sitemap.xml",
            "sw.js",
        ];
        let all: Vec<_> = kept
            .iter()
            .chain(&others)
            .map(|file| (*file, "x"))
            .collect();
        let dir = built("worker", &all);
        let worker = worker(&dir).unwrap();
        for path in kept {
            let address = if path == "index.html" { "./" } else { path };
            // The hash of "x".
            let entry =
                format!("[\"{address}\",\"sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=\"]");
            assert!(worker.contains(&entry), "{entry}");
        }
        assert_eq!(worker.matches("sha256-").count(), kept.len());
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_change_of_any_file_is_another_version() {
        let version = |dir: &Path| worker(dir).unwrap().lines().next().unwrap().to_owned();
        let dir = built("version", &[("index.html", "x"), ("lessons/a.bin", "x")]);
        let before = version(&dir);
        assert_eq!(version(&dir), before);
        write(&dir.join("lessons/a.bin"), "y").unwrap();
        assert_ne!(version(&dir), before);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn the_manifest_names_icons_that_are_there() {
        let page = "<head>\n<meta name=\"description\" content=\"About\">\n<link rel=\"icon\" href=\"./icon-1.svg\">\n</head>";
        let icon = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 22 22\"><rect width=\"22\" height=\"22\" fill=\"#d81b60\"/></svg>";
        let dir = built("manifest", &[("index.html", page), ("icon-1.svg", icon)]);
        let manifest: serde_json::Value = serde_json::from_str(&manifest(&dir).unwrap()).unwrap();
        assert_eq!(manifest["description"], "About");
        let icons = manifest["icons"].as_array().unwrap();
        assert_eq!(icons.len(), 4);
        for icon in icons {
            assert!(dir.join(icon["src"].as_str().unwrap()).is_file(), "{icon}");
        }
        let tab_icon = tab_icon(&dir).unwrap();
        assert!(
            dir.join(&tab_icon).is_file() && is_kept(&tab_icon[2..]),
            "{tab_icon}"
        );
        link(&dir.join("index.html"), &tab_icon).unwrap();
        let page = read(&dir.join("index.html")).unwrap();
        assert_eq!(
            html::link(&page, "manifest"),
            Some("./manifest.webmanifest")
        );
        assert_eq!(html::link(&page, "icon"), Some(tab_icon.as_str()));
        fs::remove_dir_all(dir).unwrap();
    }
}
