//! The tools that building and testing need: how to find each, and the ways to
//! install it, the ordinary one first. Nothing is downloaded but by the package
//! managers: cargo, rustup, npm and apt.

use crate::run::{output, run};
use crate::rust::{self, WasmRust};
use crate::{Result, paths};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The Trunk that is installed where none is found; any other 0.21 will do.
const TRUNK: Version = Version(0, 21, 14);
/// Node's test runner takes `--test-timeout` from here on.
const NODE: Version = Version(20, 11, 0);
/// Names under which Chromium and its kin are installed.
const CHROMIUMS: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
/// Where macOS keeps it.
const CHROME_APP: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/// What the tools are wanted for; each goal includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Goal {
    /// An unoptimized build.
    Debug,
    /// A build as it is published.
    Release,
    /// All checks.
    Test,
}

/// A program version: major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Version(u64, u64, u64);

impl Version {
    /// The first `1.2.3` in `text`.
    fn parse(text: &str) -> Option<Self> {
        text.split(|c: char| !c.is_ascii_digit() && c != '.')
            .find_map(|word| {
                let mut parts = word.splitn(3, '.').map(str::parse);
                match (parts.next(), parts.next(), parts.next()) {
                    (Some(Ok(major)), Some(Ok(minor)), Some(Ok(patch))) => {
                        Some(Version(major, minor, patch))
                    }
                    _ => None,
                }
            })
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// One thing that must be there.
struct Tool {
    name: String,
    /// The first goal that needs it.
    goal: Goal,
    /// What was found, in a word or two for the person, or why nothing fits.
    find: Box<dyn Fn() -> Result<String>>,
    /// Ways to install it, tried in this order until one leads to a tool that fits.
    ways: Vec<Way>,
    /// What a person can run or read if no way works.
    manual: String,
}

/// One way to install a tool.
struct Way {
    /// The command or step, for the person to read.
    what: String,
    /// How long it may take.
    takes: &'static str,
    install: Box<dyn Fn() -> Result<()>>,
}

impl Way {
    fn new(
        what: impl Into<String>,
        takes: &'static str,
        install: impl Fn() -> Result<()> + 'static,
    ) -> Self {
        Way {
            what: what.into(),
            takes,
            install: Box::new(install),
        }
    }
}

/// Finds every tool that `goal` needs, installing what is missing.
pub fn ensure(goal: Goal) -> Result<()> {
    let mut found = Vec::new();
    for tool in table()?.iter().filter(|tool| tool.goal <= goal) {
        found.push(format!("{} {}", tool.name, ensure_one(tool)?));
    }
    println!("tools: {}", found.join(", "));
    Ok(())
}

fn ensure_one(tool: &Tool) -> Result<String> {
    let mut reason = match (tool.find)() {
        Ok(found) => return Ok(found),
        Err(reason) => reason,
    };
    println!("missing: {} ({reason})", tool.name);
    for way in &tool.ways {
        println!("  {} ({})", way.what, way.takes);
        match (way.install)().and_then(|()| (tool.find)()) {
            Ok(found) => return Ok(found),
            Err(why) => reason = why,
        }
        println!("  that did not work: {reason}");
    }
    Err(format!(
        "{} could not be installed: {reason}\n  Install it by hand, then run this command again:\n  {}",
        tool.name, tool.manual
    ))
}

fn table() -> Result<Vec<Tool>> {
    let bindgen = locked_version("wasm-bindgen")?;
    Ok(vec![
        wasm_rust(),
        trunk(),
        wasm_bindgen(bindgen),
        node(),
        npm_packages(),
        rust_component("rustfmt", "fmt", "rustfmt"),
        rust_component("clippy", "clippy", "rust-clippy"),
        wasm_clippy(),
        chromium(),
    ])
}

/// The version of a package in `Cargo.lock`.
fn locked_version(package: &str) -> Result<Version> {
    let file = paths::root().join("Cargo.lock");
    let lock = fs::read_to_string(&file)
        .map_err(|error| format!("{}: {error}; run `cargo fetch`", file.display()))?;
    version_in_lock(&lock, package).ok_or(format!("Cargo.lock does not name {package}"))
}

fn version_in_lock(lock: &str, package: &str) -> Option<Version> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1).and_then(Version::parse)
}

fn wasm_rust() -> Tool {
    let packages = [
        "rustc-web",
        "cargo-web",
        "rust-web-src",
        "rust-web-llvm",
        "lld-22",
    ];
    Tool {
        name: "Rust for wasm".into(),
        goal: Goal::Debug,
        find: Box::new(|| {
            Ok(match rust::find()? {
                WasmRust::Default => "(default)".into(),
                WasmRust::Distribution => "(the distribution's)".into(),
            })
        }),
        ways: vec![
            // The sources of the standard library, which is compiled with the app.
            Way::new("rustup component add rust-src", "a few seconds", || {
                rustup(&["component", "add", "rust-src"])
            }),
            Way::new(
                "Debian's rustc-web with the sources of its standard library",
                "about 2 minutes",
                move || apt(&packages),
            ),
        ],
        manual: "rustup component add rust-src   (or your distribution's package of it, such as rust-src)"
            .into(),
    }
}

fn trunk() -> Tool {
    Tool {
        name: "trunk".into(),
        goal: Goal::Debug,
        find: Box::new(|| Ok(find_trunk()?.1.to_string())),
        ways: vec![
            // Trunk's default features are for downloading tools, which it never does here.
            cargo_install(
                "trunk",
                TRUNK,
                &["--locked", "--no-default-features"],
                "6 to 12 minutes",
            ),
        ],
        manual: format!("cargo install trunk --version {TRUNK} --locked"),
    }
}

/// The `trunk` to run and its version.
pub fn find_trunk() -> Result<(PathBuf, Version)> {
    find_cargo_tool("trunk", TRUNK, |v| (v.0, v.1) == (TRUNK.0, TRUNK.1))
}

fn wasm_bindgen(version: Version) -> Tool {
    let package = "wasm-bindgen-cli";
    let takes = "2 to 5 minutes";
    Tool {
        name: "wasm-bindgen".into(),
        goal: Goal::Debug,
        find: Box::new(move || Ok(find_bindgen(version)?.1.to_string())),
        ways: vec![
            cargo_install(package, version, &["--locked"], takes),
            // For when the tool's own lock file names a package that was withdrawn.
            cargo_install(package, version, &[], takes),
        ],
        manual: format!("cargo install {package} --version {version}"),
    }
}

/// The wasm-bindgen of the version in `Cargo.lock`: the two must be equal.
pub fn find_wasm_bindgen() -> Result<PathBuf> {
    Ok(find_bindgen(locked_version("wasm-bindgen")?)?.0)
}

fn find_bindgen(version: Version) -> Result<(PathBuf, Version)> {
    find_cargo_tool("wasm-bindgen", version, |found| found == version)
}

/// A program of a suitable version: the first on the PATH, else this project's own copy.
fn find_cargo_tool(
    name: &str,
    wanted: Version,
    fits: impl Fn(Version) -> bool,
) -> Result<(PathBuf, Version)> {
    let package = if name == "wasm-bindgen" {
        "wasm-bindgen-cli"
    } else {
        name
    };
    let own = own_copy(package, wanted)
        .join("bin")
        .join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let mut seen = format!("{name} {wanted} is not installed");
    for file in paths::which(name).into_iter().chain([own]) {
        if !paths::is_executable(&file) {
            continue;
        }
        match version_of(&file) {
            Ok(version) if fits(version) => return Ok((file, version)),
            Ok(version) => seen = format!("{wanted} is wanted, {version} was found"),
            Err(error) => seen = error,
        }
    }
    Err(seen)
}

fn own_copy(package: &str, version: Version) -> PathBuf {
    paths::cache().join(format!("{package}-{version}"))
}

fn cargo_install(
    package: &'static str,
    version: Version,
    options: &'static [&'static str],
    takes: &'static str,
) -> Way {
    let words = ["cargo install", package, "--version", &version.to_string()]
        .iter()
        .chain(options)
        .copied()
        .collect::<Vec<_>>()
        .join(" ");
    Way::new(words, takes, move || {
        run(Command::new("cargo")
            .args(["install", "--quiet", package, "--version"])
            .arg(version.to_string())
            .args(options)
            .arg("--root")
            .arg(own_copy(package, version))
            // Neither the build nor its optimization is this project's.
            .env_remove("CARGO_TARGET_DIR")
            .current_dir(env::temp_dir()))
    })
}

fn version_of(program: &Path) -> Result<Version> {
    let text = output(Command::new(program).arg("--version"))?;
    Version::parse(&text).ok_or(format!("{}: no version in `{text}`", program.display()))
}

fn node() -> Tool {
    Tool {
        name: "Node".into(),
        goal: Goal::Release,
        find: Box::new(find_node),
        ways: vec![Way::new(
            "apt-get install nodejs npm",
            "about 2 minutes",
            || apt(&["nodejs", "npm"]),
        )],
        manual: format!("Node {NODE} or later with npm: https://nodejs.org/en/download"),
    }
}

fn find_node() -> Result<String> {
    let node = paths::which("node").ok_or("node is not installed")?;
    paths::which("npm").ok_or("npm is not installed")?;
    let version = version_of(&node)?;
    if version < NODE {
        return Err(format!("{NODE} is wanted, {version} was found"));
    }
    Ok(version.to_string())
}

fn npm_packages() -> Tool {
    Tool {
        name: "npm packages".into(),
        goal: Goal::Release,
        find: Box::new(|| npm_state(&paths::browser_tests())),
        ways: vec![Way::new(
            "npm ci in tests/browser",
            "about a minute",
            install_npm_packages,
        )],
        manual: "npm ci --prefix tests/browser".into(),
    }
}

fn install_npm_packages() -> Result<()> {
    let dir = paths::browser_tests();
    let npm = paths::which("npm").ok_or("npm is not installed")?;
    // No package here needs an install script to work.
    let options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    run(Command::new(npm).args(options).current_dir(&dir))?;
    let lock = dir.join("package-lock.json");
    let stamp = dir.join("node_modules/.installed-lock.json");
    fs::copy(lock, stamp)
        .map(drop)
        .map_err(|error| format!("node_modules: {error}"))
}

/// Whether the packages of this lock file are the installed ones.
fn npm_state(dir: &Path) -> Result<String> {
    let wanted = fs::read(dir.join("package-lock.json"))
        .map_err(|error| format!("tests/browser/package-lock.json: {error}"))?;
    match fs::read(dir.join("node_modules/.installed-lock.json")) {
        Ok(installed) if installed == wanted => Ok("as locked".into()),
        Ok(_) => Err("the lock file has changed".into()),
        Err(_) => Err("they are not installed".into()),
    }
}

/// A part of the native Rust that is called as `cargo SUBCOMMAND`.
fn rust_component(name: &'static str, subcommand: &'static str, package: &'static str) -> Tool {
    Tool {
        name: name.into(),
        goal: Goal::Test,
        find: Box::new(move || {
            let text = output(Command::new("cargo").args([subcommand, "--version"]))?;
            let version = Version::parse(&text);
            Ok(version.map_or(text, |version| version.to_string()))
        }),
        ways: vec![
            Way::new(
                format!("rustup component add {name}"),
                "about a minute",
                move || rustup(&["component", "add", name]),
            ),
            Way::new(
                format!("apt-get install {package}"),
                "about a minute",
                move || apt(&[package]),
            ),
        ],
        manual: format!("rustup component add {name}   (or your distribution's package of it)"),
    }
}

fn wasm_clippy() -> Tool {
    Tool {
        name: "clippy for wasm".into(),
        goal: Goal::Test,
        find: Box::new(|| {
            let mut cargo = rust::find()?.cargo()?;
            let text = output(cargo.args(["clippy", "--version"]))?;
            let version = Version::parse(&text);
            Ok(version.map_or(text, |version| version.to_string()))
        }),
        ways: vec![Way::new(
            "apt-get install rust-web-clippy",
            "about a minute",
            || apt(&["rust-web-clippy"]),
        )],
        manual: "rustup component add clippy   (or rust-web-clippy with Debian's rustc-web)".into(),
    }
}

fn chromium() -> Tool {
    Tool {
        name: "browser".into(),
        goal: Goal::Test,
        find: Box::new(|| Ok(find_chromium()?.display().to_string())),
        ways: vec![Way::new(
            "apt-get install chromium, with two fonts",
            "about 3 minutes",
            || apt(&["chromium", "fonts-inter", "fonts-jetbrains-mono"]),
        )],
        manual: "install Chromium or Chrome, or set CHROME to the path of one".into(),
    }
}

/// The browser that tests run in: `$CHROME`, else the first known name.
pub fn find_chromium() -> Result<PathBuf> {
    if let Some(chosen) = env::var_os("CHROME").map(PathBuf::from) {
        return match paths::is_executable(&chosen) {
            true => Ok(chosen),
            false => Err(format!("CHROME names no program: {}", chosen.display())),
        };
    }
    CHROMIUMS
        .iter()
        .find_map(|name| paths::which(name))
        .or_else(|| Some(PathBuf::from(CHROME_APP)).filter(|app| paths::is_executable(app)))
        .ok_or("neither Chromium nor Chrome is installed".into())
}

/// Runs rustup, quietly: when it cannot, its first line says enough.
fn rustup(arguments: &[&str]) -> Result<()> {
    output(Command::new("rustup").args(arguments)).map(drop)
}

/// Installs Debian packages; without root, says which command would.
fn apt(packages: &[&str]) -> Result<()> {
    let apt = paths::which("apt-get").ok_or("there is no apt-get on this machine")?;
    let list = packages.join(" ");
    if output(Command::new("id").arg("-u"))? != "0" {
        return Err(format!(
            "it needs root; run: sudo apt-get update && sudo apt-get install -y --no-install-recommends {list}"
        ));
    }
    static UPDATED: OnceLock<Result<()>> = OnceLock::new();
    UPDATED
        .get_or_init(|| run(quiet(&apt).args(["-qq", "update"])))
        .clone()?;
    run(quiet(&apt)
        .args(["-qq", "install", "-y", "--no-install-recommends"])
        .args(packages))
}

fn quiet(apt: &Path) -> Command {
    let mut command = Command::new(apt);
    command
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        assert_eq!(Version::parse("trunk 0.21.14"), Some(TRUNK));
        assert_eq!(Version::parse("v20.20.2"), Some(Version(20, 20, 2)));
        assert_eq!(
            Version::parse("clippy 0.1.95 (5980761 2026-04-14)"),
            Some(Version(0, 1, 95))
        );
        assert_eq!(
            Version::parse("version = \"0.2.130\""),
            Some(Version(0, 2, 130))
        );
        assert_eq!(Version::parse("no number, 1.2 only"), None);
    }

    #[test]
    fn versions_are_ordered_by_number() {
        assert!(Version(20, 9, 9) < NODE);
        assert!(Version(22, 0, 0) > NODE);
    }

    #[test]
    fn the_lock_file_names_a_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"0.2.1\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(
            version_in_lock(lock, "wasm-bindgen"),
            Some(Version(0, 2, 130))
        );
        assert_eq!(version_in_lock(lock, "leptos"), None);
    }

    /// A tool that is there once `works` of its two ways was taken.
    fn tool(works: Option<usize>) -> (Tool, Rc<Cell<usize>>) {
        let taken = Rc::new(Cell::new(0));
        let there = Rc::new(Cell::new(false));
        let way = |number: usize| {
            let (taken, there) = (taken.clone(), there.clone());
            Way::new(format!("way {number}"), "a moment", move || {
                taken.set(taken.get() + 1);
                there.set(works == Some(number));
                Ok(())
            })
        };
        let tool = Tool {
            name: "thing".into(),
            goal: Goal::Debug,
            ways: vec![way(1), way(2)],
            find: Box::new(move || match there.get() {
                true => Ok("1.0.0".into()),
                false => Err("it is not there".into()),
            }),
            manual: "get thing".into(),
        };
        (tool, taken)
    }

    #[test]
    fn ways_are_tried_in_order_until_one_works() {
        for (works, tries) in [(1, 1), (2, 2)] {
            let (tool, taken) = tool(Some(works));
            assert_eq!(ensure_one(&tool), Ok("1.0.0".into()));
            assert_eq!(
                ensure_one(&tool),
                Ok("1.0.0".into()),
                "found, not installed again"
            );
            assert_eq!(taken.get(), tries);
        }
    }

    #[test]
    fn when_no_way_works_the_error_names_the_manual_command() {
        let (tool, _) = tool(None);
        let error = ensure_one(&tool).unwrap_err();
        assert!(
            error.contains("it is not there") && error.contains("get thing"),
            "{error}"
        );
    }

    #[test]
    fn serving_needs_no_node() {
        let needed = [wasm_rust(), trunk(), wasm_bindgen(TRUNK)];
        assert!(needed.iter().all(|tool| tool.goal == Goal::Debug));
        assert!(node().goal > Goal::Debug && npm_packages().goal > Goal::Debug);
    }
}
