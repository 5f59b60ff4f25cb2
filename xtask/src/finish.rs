//! What is left to do after Trunk has built the app, in `build` and in `serve`
//! alike: Trunk calls `xtask finish` after each build, before it publishes the
//! result.

use crate::run::run;
use crate::rust::WASM;
use crate::{Result, bundle, html, oembed, offline, pages, paths, seam, single, site};
use fencing_core::lesson::{self, Lesson};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A built page of the app on its way to `dist`.
struct Page {
    /// The directory of its files.
    dir: PathBuf,
    /// The name of its HTML file.
    name: String,
    /// The text of that file.
    html: String,
    /// Whether it shall be small rather than quickly made.
    release: bool,
}

impl Page {
    /// Whether this is the app's first page, in a build that is published: what there is once is
    /// made with it.
    fn is_published_first(&self) -> bool {
        self.release && self.name == "index.html"
    }
}

/// The finishing steps, in order.
const STEPS: &[fn(&mut Page) -> Result<()>] = &[
    write_lessons,
    add_engine,
    write_loader,
    join_style_sheets,
    move_inline_scripts,
    shrink_app,
    minify_scripts,
    tidy,
    check_for_inline_code,
    name_first_files,
    write_oembed,
    write_single_pages,
];

/// The environment variable by which `xtask serve` tells that the app is for its own server. A worker there
/// would show this app again whenever anything is served on the same port.
pub const SERVING: &str = "XTASK_SERVING";

/// Runs all steps on what Trunk built, told by its environment variables.
pub fn from_trunk() -> Result<()> {
    let variable = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .ok_or("`xtask finish` is called by Trunk; run `cargo xtask build`")
    };
    let dir = variable("TRUNK_STAGING_DIR")?;
    let source = variable("TRUNK_HTML_FILE")?;
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let release = env::var_os("TRUNK_PROFILE").is_some_and(|profile| profile == "release");
    finish(&dir, &name, release)?;
    if bundle::is_first(&name) {
        pages::write_all(&dir)?;
        bundle::join_other_pages(&dir, release)?;
        if release && env::var_os(SERVING).is_none() {
            offline::write_all(&dir)?;
            compress(&dir)?;
        }
    }
    Ok(())
}

fn finish(dir: &Path, name: &str, release: bool) -> Result<()> {
    let file = dir.join(name);
    let mut page = Page {
        dir: dir.to_path_buf(),
        name: name.to_owned(),
        html: read(&file)?,
        release,
    };
    for step in STEPS {
        step(&mut page)?;
    }
    write(&file, &page.html)
}

/// Puts a compressed form, `NAME.br`, beside each file that a first page waits for, for servers that look
/// for one: most compress less well by themselves, if at all. Other files under names that stay may be
/// edited where they are served, which a second form would hide.
fn compress(dir: &Path) -> Result<()> {
    let files = offline::files(dir)?;
    run(Command::new("node")
        .arg(paths::root().join("xtask/compress.mjs"))
        .args(files.iter().filter(|path| is_compressed(path)))
        .current_dir(dir))
}

fn is_compressed(path: &str) -> bool {
    let Some((stem, extension)) = path.rsplit_once('.') else {
        return false;
    };
    if path.starts_with("lessons/") {
        return extension == "txt" || extension == "bin" && !lesson::is_plates_file(path);
    }
    let hash = stem.trim_end_matches("_bg").rsplit('-').next();
    ["css", "js", "svg", "wasm"].contains(&extension)
        && hash.is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|c| c.is_ascii_hexdigit()))
}

/// All lessons, compiled.
pub fn lessons() -> Result<Vec<Lesson>> {
    let folder = paths::root().join("src/lesson/lessons");
    lesson::compile_folder(&folder).map_err(|complaints| {
        let lines: Vec<String> = complaints.iter().map(ToString::to_string).collect();
        lines.join("\n")
    })
}

/// Writes the lessons into the files that the app fetches: texts, films, pictures.
fn write_lessons(page: &mut Page) -> Result<()> {
    let lessons = lessons()?;
    let target = page.dir.join("lessons");
    fs::create_dir_all(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    for (name, bytes) in lesson::files(&lessons) {
        write(&page.dir.join(name), bytes)?;
    }
    Ok(())
}

/// The place in a page that says where the simulation is.
const ENGINE: &str = "<meta name=\"engine\" content=\"";

/// Builds the simulation as a program of its own, which a page loads when somebody makes a run of
/// their own, and writes its name into the page.
fn add_engine(page: &mut Page) -> Result<()> {
    let Some(at) = page.html.find(ENGINE).map(|at| at + ENGINE.len()) else {
        return Ok(());
    };
    // Trunk's environment is the one that its own builds have.
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--offline", "--bin", "engine", "--target", WASM])
        .current_dir(paths::root());
    if page.release {
        cargo.arg("--release");
    }
    run(&mut cargo)?;
    let profile = if page.release { "release" } else { "debug" };
    // Within that environment the target directory is the one of wasm builds.
    let built = paths::target().join(WASM).join(profile).join("engine.wasm");
    let draft = page.dir.join("engine.wasm");
    write(&draft, read_bytes(&built)?)?;
    if page.release {
        optimize(&draft)?;
    }
    let name = format!("engine-{}.wasm", hash(read_bytes(&draft)?.into_iter()));
    fs::rename(&draft, page.dir.join(&name)).map_err(|error| format!("{name}: {error}"))?;
    page.html.insert_str(at, &name);
    Ok(())
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
        remove(&file)?;
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

/// Makes the app's wasm and its glue smaller together, and names both by what is
/// in both: neither works with another's partner, and browsers may keep either.
fn shrink_app(page: &mut Page) -> Result<()> {
    let links = ["modulepreload", "preload"].map(|rel| html::link(&page.html, rel));
    let [Some(glue), Some(wasm)] = links.map(|link| link.map(str::to_owned)) else {
        return Ok(());
    };
    if !page.release {
        return Ok(());
    }
    let files = [&glue, &wasm].map(|name| page.dir.join(name));
    let (script, code) = shrink(&files[0], &files[1])?;
    let hash = hash(script.bytes().chain(code.iter().copied()));
    let stem = glue.rsplit_once('-').map_or("./app", |(stem, _)| stem);
    let names = [
        format!("{stem}-{hash}.js"),
        format!("{stem}-{hash}_bg.wasm"),
    ];
    for (old, new, content) in [
        (&glue, &names[0], script.as_bytes()),
        (&wasm, &names[1], &code),
    ] {
        remove(&page.dir.join(old))?;
        write(&page.dir.join(new), content)?;
        page.html = page.html.replace(old.as_str(), new);
    }
    fs::remove_dir_all(page.dir.join("snippets")).ok();
    Ok(())
}

/// Has V8 compile all functions of the glue with its script, while the wasm is on its way, instead of each
/// when it is first called.
const CALLED_AT_ONCE: &str = "//# allFunctionsCalledOnLoad\n";

/// First the wasm loses what the glue does not call, then the glue what the wasm does not call any more.
fn shrink(glue: &Path, wasm: &Path) -> Result<(String, Vec<u8>)> {
    let code = seam::without_unused_exports(&read_bytes(wasm)?, &bundle_glue(glue)?)?;
    write(wasm, code)?;
    optimize(wasm)?;
    let called = seam::without_unused_imports(&read(glue)?, &read_bytes(wasm)?)?;
    write(glue, called)?;
    let (code, script) = seam::with_short_names(&read_bytes(wasm)?, &bundle_glue(glue)?)?;
    write(wasm, code)?;
    optimize(wasm)?;
    Ok(([CALLED_AT_ONCE, &script].concat(), read_bytes(wasm)?))
}

/// The glue as one small script, its snippets included, with nothing but what
/// `boot.js` calls: its default export.
fn bundle_glue(file: &Path) -> Result<String> {
    // Else classes that no one uses stay, since esbuild cannot know what these calls do.
    let glue = read(file)?.replace(
        "new FinalizationRegistry",
        "/* @__PURE__ */ new FinalizationRegistry",
    );
    write(file, &glue)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let entry = file.with_file_name("entry.js");
    write(&entry, format!("export {{ default }} from './{name}';"))?;
    esbuild(
        &entry,
        &[
            "--bundle",
            "--minify",
            "--format=esm",
            "--define:Symbol.dispose=undefined",
        ],
    )?;
    let script = read(&entry)?;
    remove(&entry)?;
    Ok(script)
}

/// Names what the app's page needs first in its header `Link`, too: browsers ask for it before they have
/// read the page, and hosts may send that header before the page itself.
fn name_first_files(page: &mut Page) -> Result<()> {
    if !page.is_published_first() {
        return Ok(());
    }
    let scripts = html::tags(&page.html, "script");
    let files = [
        // The largest: the sooner it is asked for, the sooner all is there.
        (
            "preload; as=fetch; crossorigin",
            html::link(&page.html, "preload"),
        ),
        ("preload; as=style", html::link(&page.html, "stylesheet")),
        (
            "preload; as=script",
            scripts.iter().find_map(|tag| tag.attribute("src")),
        ),
        ("modulepreload", html::link(&page.html, "modulepreload")),
    ];
    let links = files.map(|(rel, address)| format!("<{}>; rel={rel}", address.unwrap_or_default()));
    let line = format!("  Link: {}\n", links.join(", "));
    let file = page.dir.join("_headers");
    let mut headers = read(&file)?;
    for path in ["\n/\n", "\n/index.html\n"] {
        headers = headers.replace(path, &[path, &line].concat());
    }
    write(&file, headers)
}

/// Puts the loader for host pages beside the app, as a module and as a classic script, under
/// names that stay.
fn write_loader(page: &mut Page) -> Result<()> {
    let source = paths::root().join("src/embed");
    let module = read(&source.join("fencing-lab.js"))?;
    // What a module knows of itself, a classic script knows while it runs.
    let classic = module.replace("import.meta.url", "document.currentScript.src");
    let classic = format!("(() => {{\n{classic}}})();\n");
    for (name, script) in [
        ("fencing-lab.js", &module),
        ("fencing-lab.classic.js", &classic),
    ] {
        let file = page.dir.join(name);
        write(&file, script)?;
        if page.release {
            // So that a module's own names become short, too; a classic script stays one.
            esbuild(&file, &["--minify", "--format=esm"])?;
        }
    }
    write(
        &page.dir.join("fencing-lab.d.ts"),
        read(&source.join("fencing-lab.d.ts"))?,
    )
}

/// What wasm-opt may count on: what Rust itself counts on in every browser.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Makes the wasm small. Trunk does not do so: it would drop the names that [`seam`] reads.
fn optimize(wasm: &Path) -> Result<()> {
    run(Command::new(paths::npm_bin().join("wasm-opt"))
        // True of Rust: no address is made by counting past the end of memory to its start.
        .args(FEATURES)
        .args(["-Oz", "--low-memory-unused"])
        .args(["--strip-producers", "--strip-target-features"])
        .arg(wasm)
        .arg("-o")
        .arg(wasm))
}

/// Minifies the other scripts of a release.
fn minify_scripts(page: &mut Page) -> Result<()> {
    let glue = html::link(&page.html, "modulepreload");
    let scripts = html::first_load(&page.html)
        .into_iter()
        .filter(|href| href.ends_with(".js"));
    for href in scripts.filter(|href| page.release && Some(*href) != glue) {
        esbuild(&page.dir.join(href), &["--minify"])?;
    }
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
    refuse_inline_code(&page.name, &page.html)
}

/// An error if the page called `name` has code or style in its markup.
pub fn refuse_inline_code(name: &str, page: &str) -> Result<()> {
    for (what, found) in [
        ("a script", html::inline_script(page).is_some()),
        ("a style element", !html::tags(page, "style").is_empty()),
        ("a style attribute", page.contains(" style=\"")),
    ] {
        if found {
            return Err(format!(
                "{name} has {what} inline, which its content security policy refuses"
            ));
        }
    }
    Ok(())
}

/// Describes the lessons for sites that embed by address.
fn write_oembed(page: &mut Page) -> Result<()> {
    match page.is_published_first() {
        true => oembed::write(&page.dir, &lessons()?),
        false => Ok(()),
    }
}

/// Puts the pages beside it that have all of their files in them.
fn write_single_pages(page: &mut Page) -> Result<()> {
    if !page.is_published_first() {
        return Ok(());
    }
    let draft = page.dir.join("single.js");
    write(&draft, single::CODE)?;
    esbuild(&draft, &["--minify"])?;
    let code = read(&draft)?;
    remove(&draft)?;
    let site = site::url()?;
    single::write(&page.dir, &page.html, &code, &lessons()?, site.as_deref())
}

/// Rewrites `file` in place.
pub fn esbuild(file: &Path, options: &[&str]) -> Result<()> {
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
    format!("{stem}-{}.{extension}", hash(content.bytes()))
}

/// FNV-1a: the same on every machine and with every compiler.
pub fn hash(content: impl Iterator<Item = u8>) -> String {
    let hash = content.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// The text of a file.
pub fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// The bytes of a file.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Makes or replaces a file.
pub fn write(file: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(file, content).map_err(|error| format!("{}: {error}", file.display()))
}

fn remove(file: &Path) -> Result<()> {
    fs::remove_file(file).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_first_page_waits_for_is_compressed() {
        for (name, expected) in [
            ("app-0123456789abcdef.js", true),
            ("app-0123456789abcdef_bg.wasm", true),
            ("engine-0123456789abcdef.wasm", true),
            ("lessons/paused-holder.bin", true),
            ("lessons/paused-holder.early.txt", true),
            ("lessons/paused-holder.356.bin", false),
            ("lessons/paused-holder.html", false),
            ("fencing-lab.js", false),
            ("index.html", false),
            ("icon-192-0123456789abcdef.png", false),
            ("sw.js", false),
            ("_headers", false),
        ] {
            assert_eq!(is_compressed(name), expected, "{name}");
        }
    }

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
        finish(&dir, "index.html", false).unwrap();
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
        finish(&dir, "index.html", false).unwrap();
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
            assert!(
                finish(&dir, "index.html", false)
                    .unwrap_err()
                    .contains("a style")
            );
            fs::remove_dir_all(dir).unwrap();
        }
    }

    #[test]
    fn the_page_is_tidied() {
        let dir = built("tidy", "  <link rel=\"icon\"/>\n\n <svg><path/></svg>", &[]);
        finish(&dir, "index.html", false).unwrap();
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
