//! What is left to do after Trunk has built the app, in `build` and in `serve`
//! alike: Trunk calls `xtask finish` after each build, before it publishes the
//! result.

use crate::run::run;
use crate::{Result, html, paths};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A built app on its way to `dist`.
struct Page {
    /// The directory of its files.
    dir: PathBuf,
    /// The text of `index.html`.
    html: String,
    /// Whether it shall be small rather than quickly made.
    release: bool,
}

/// The finishing steps, in order.
const STEPS: &[fn(&mut Page) -> Result<()>] = &[
    join_style_sheets,
    move_inline_scripts,
    bundle_scripts,
    tidy,
    check_for_inline_code,
];

/// Runs all steps on what Trunk built, told by its environment variables.
pub fn from_trunk() -> Result<()> {
    let dir = env::var_os("TRUNK_STAGING_DIR")
        .map(PathBuf::from)
        .ok_or("`xtask finish` is called by Trunk; run `cargo xtask build`")?;
    let release = env::var_os("TRUNK_PROFILE").is_some_and(|profile| profile == "release");
    finish(&dir, release)
}

fn finish(dir: &Path, release: bool) -> Result<()> {
    let index = dir.join("index.html");
    let mut page = Page {
        dir: dir.to_path_buf(),
        html: read(&index)?,
        release,
    };
    for step in STEPS {
        step(&mut page)?;
    }
    write(&index, &page.html)
}

/// Makes one style sheet of all, named by its content: one request instead of many.
fn join_style_sheets(page: &mut Page) -> Result<()> {
    let sheets = html::style_sheets(&page.html);
    let Some((first, _)) = sheets.first() else {
        return Ok(());
    };
    let mut css = String::new();
    for (_, href) in &sheets {
        let file = page.dir.join(href);
        css.push_str(&read(&file)?);
        css.push('\n');
        fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let draft = page.dir.join("style.css");
    write(&draft, &css)?;
    if page.release {
        esbuild(&draft, &["--minify"])?;
        css = read(&draft)?;
    }
    let name = hashed_name("style", "css", &css);
    let at = first.range.start;
    let mut html = page.html.clone();
    for (tag, _) in sheets.iter().rev() {
        html.replace_range(tag.range.clone(), "");
    }
    html.insert_str(at, &format!("<link rel=\"stylesheet\" href=\"./{name}\">"));
    page.html = html;
    fs::rename(&draft, page.dir.join(&name)).map_err(|error| format!("{name}: {error}"))
}

/// Moves scripts in the page to files: the content security policy refuses them inline.
fn move_inline_scripts(page: &mut Page) -> Result<()> {
    while let Some(script) = html::inline_script(&page.html) {
        let code = for_any_server(script.code);
        let name = hashed_name("inline", "js", &code);
        write(&page.dir.join(&name), &code)?;
        let attributes = script.attributes;
        let element = format!("<script src=\"./{name}\" defer{attributes}</script>");
        let range = script.range;
        page.html.replace_range(range, &element);
    }
    Ok(())
}

/// Trunk's reload script has gaps that its server fills, but only in the page itself.
fn for_any_server(code: &str) -> String {
    code.replace("'{{__TRUNK_ADDRESS__}}'", "location.host")
        .replace("{{__TRUNK_WS_BASE__}}", "/")
}

/// Makes each script of a release one small file: wasm-bindgen's glue comes
/// unminified, with its snippets beside it.
fn bundle_scripts(page: &mut Page) -> Result<()> {
    if !page.release {
        return Ok(());
    }
    for href in html::first_load(&page.html) {
        if href.ends_with(".js") {
            let file = page.dir.join(href);
            esbuild(&file, &["--bundle", "--minify", "--format=esm"])?;
        }
    }
    fs::remove_dir_all(page.dir.join("snippets")).ok();
    Ok(())
}

/// Drops indentation, empty lines, and the slashes that HTML does without in `<link … />`.
fn tidy(page: &mut Page) -> Result<()> {
    let links = html::tags(&page.html, "link");
    let slashes: Vec<_> = links
        .iter()
        .filter(|tag| tag.text.ends_with("/>"))
        .map(|tag| tag.range.end - 2)
        .collect();
    for slash in slashes.into_iter().rev() {
        page.html.remove(slash);
    }
    let lines = page.html.lines().map(str::trim);
    page.html = lines
        .filter(|line| !line.is_empty())
        .map(|line| format!("{line}\n"))
        .collect();
    Ok(())
}

/// Catches what the content security policy would refuse before a browser does.
fn check_for_inline_code(page: &mut Page) -> Result<()> {
    for (what, found) in [
        ("a script", html::inline_script(&page.html).is_some()),
        (
            "a style element",
            !html::tags(&page.html, "style").is_empty(),
        ),
        ("a style attribute", page.html.contains(" style=\"")),
    ] {
        if found {
            return Err(format!(
                "index.html has {what} inline, which its content security policy refuses"
            ));
        }
    }
    Ok(())
}

/// Rewrites `file` in place.
fn esbuild(file: &Path, options: &[&str]) -> Result<()> {
    let mut outfile = std::ffi::OsString::from("--outfile=");
    outfile.push(file);
    run(Command::new(paths::npm_bin().join("esbuild"))
        .arg(file)
        .args(options)
        .args(["--allow-overwrite", "--log-level=warning"])
        .arg(outfile))
}

/// A file name that changes with the content, so that it may be cached for ever.
fn hashed_name(stem: &str, extension: &str, content: &str) -> String {
    // FNV-1a: the same on every machine and with every compiler.
    let hash = content
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    format!("{stem}-{hash:016x}.{extension}")
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn write(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fresh directory with an `index.html` and other files.
    fn built(name: &str, html: &str, files: &[(&str, &str)]) -> PathBuf {
        let dir = env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        for (file, text) in files.iter().chain([&("index.html", html)]) {
            fs::write(dir.join(file), text).unwrap();
        }
        dir
    }

    #[test]
    fn style_sheets_become_one_in_their_order() {
        let html = r#"<link rel="stylesheet" href="./b.css"/><title>x</title><link rel="stylesheet" href="./a.css"/>"#;
        let dir = built("css", html, &[("a.css", "a{}"), ("b.css", "b{}")]);
        finish(&dir, false).unwrap();
        let name = hashed_name("style", "css", "b{}\na{}\n");
        assert_eq!(read(&dir.join(&name)).unwrap(), "b{}\na{}\n");
        assert_eq!(
            read(&dir.join("index.html")).unwrap(),
            format!("<link rel=\"stylesheet\" href=\"./{name}\"><title>x</title>\n")
        );
        assert!(!dir.join("a.css").exists() && !dir.join("style.css").exists());
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn inline_scripts_become_files_that_work_on_any_server() {
        let dir = built("js", "<script>go('{{__TRUNK_ADDRESS__}}')</script>", &[]);
        finish(&dir, false).unwrap();
        let name = hashed_name("inline", "js", "go(location.host)");
        assert_eq!(read(&dir.join(&name)).unwrap(), "go(location.host)");
        assert_eq!(
            read(&dir.join("index.html")).unwrap(),
            format!("<script src=\"./{name}\" defer></script>\n")
        );
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn inline_styles_are_refused() {
        for (name, html) in [("style", "<style>a{}</style>"), ("attr", "<p style=\"x\">")] {
            let dir = built(name, html, &[]);
            assert!(finish(&dir, false).unwrap_err().contains("a style"));
            fs::remove_dir_all(dir).unwrap();
        }
    }

    #[test]
    fn the_page_is_tidied() {
        let dir = built("tidy", "  <link rel=\"icon\"/>\n\n <svg><path/></svg>", &[]);
        finish(&dir, false).unwrap();
        let html = read(&dir.join("index.html")).unwrap();
        assert_eq!(html, "<link rel=\"icon\">\n<svg><path/></svg>\n");
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn names_follow_the_content() {
        assert_eq!(hashed_name("a", "js", ""), "a-cbf29ce484222325.js");
        assert_ne!(hashed_name("a", "js", "1"), hashed_name("a", "js", "2"));
    }
}
