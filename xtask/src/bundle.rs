//! Building and serving the app with Trunk.

use crate::args::Serve;
use crate::run::run;
use crate::rust::{self, WASM};
use crate::tools::{self, Goal};
use crate::{Result, finish, paths};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The app's pages. Trunk builds each from the HTML file of this name, and the
/// first one first; the others then join it, see `join_other_pages`.
const PAGES: [&str; 2] = ["index.html", "lab.html"];

/// Makes `dist/`, after seeing to the tools.
pub fn build(release: bool) -> Result<()> {
    tools::ensure(goal(release))?;
    build_only(release)
}

/// Makes `dist/` with the tools that are there.
pub fn build_only(release: bool) -> Result<()> {
    if release {
        println!("building the app (4 to 8 minutes when all is new)");
    } else {
        println!("building the app without optimization (2 to 3 minutes when all is new)");
    }
    let mut trunk = trunk("build", release)?;
    run(trunk.arg("--dist").arg(paths::dist()))?;
    println!("the app is in {}", paths::dist().display());
    Ok(())
}

/// Serves the app and rebuilds it on every change, until stopped.
pub fn serve(options: &Serve) -> Result<()> {
    tools::ensure(goal(options.release))?;
    println!(
        "building; then the app is at http://127.0.0.1:{}/ (the first build takes some minutes)",
        options.port
    );
    let mut trunk = trunk("serve", options.release)?;
    trunk
        .env(finish::SERVING, "1")
        .args(["--address", "127.0.0.1", "--port"])
        .arg(options.port.to_string())
        // A directory of its own, so that `dist/` stays what `build` made.
        .arg("--dist")
        .arg(paths::target().join("serve"));
    if options.open {
        trunk.arg("--open");
    }
    run(&mut trunk)
}

fn goal(release: bool) -> Goal {
    if release { Goal::Release } else { Goal::Debug }
}

/// `trunk SUBCOMMAND` with the wasm compiler and all tools on its PATH.
fn trunk(subcommand: &str, release: bool) -> Result<Command> {
    let rust = rust::find()?;
    // Trunk builds offline, and native builds do not fetch what only wasm needs.
    run(rust
        .cargo()?
        .args(["fetch", "--quiet", "--target", WASM])
        .current_dir(paths::root()))?;
    let this = env::current_exe().map_err(|error| format!("xtask: {error}"))?;
    let mut dirs = vec![parent(&this), paths::npm_bin()];
    let bindgen = tools::find_wasm_bindgen()?;
    // One that is found anyway need not come first, with whatever lies beside it.
    if bindgen.starts_with(paths::cache()) {
        dirs.push(parent(&bindgen));
    }
    let mut trunk = rust.command(&tools::find_trunk()?.0, &dirs)?;
    trunk
        .current_dir(paths::root())
        // Trunk understands only `true` and `false` where others set `NO_COLOR=1`.
        .env_remove("NO_COLOR")
        .arg(subcommand);
    options(&mut trunk, PAGES[0], release);
    Ok(trunk)
}

fn options(trunk: &mut Command, page: &str, release: bool) {
    trunk
        .args([page, "--html-output", page])
        .args(["--offline", "--public-url", "./"]);
    if release {
        trunk.arg("--release");
    }
}

/// Whether the page of this name is the one that the others join.
pub fn is_first(page: &str) -> bool {
    page == PAGES[0]
}

/// Builds the pages but the first and puts their files into `dir` beside its own. Files that pages share
/// have the same name and content there.
///
/// Only to be called by Trunk's hook, whose environment is the one that the other pages need.
pub fn join_other_pages(dir: &Path, release: bool) -> Result<()> {
    for other in &PAGES[1..] {
        let built = paths::target().join("pages").join(other);
        let mut trunk = Command::new(tools::find_trunk()?.0);
        trunk.current_dir(paths::root()).arg("build");
        options(&mut trunk, other, release);
        run(trunk.arg("--dist").arg(&built))?;
        copy_all(&built, dir).map_err(|error| format!("{}: {error}", built.display()))?;
    }
    Ok(())
}

/// Copies what is in `from`, with its directories, over what is in `to`.
fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &copy)?;
        } else {
            fs::copy(entry.path(), copy)?;
        }
    }
    Ok(())
}

fn parent(file: &Path) -> PathBuf {
    file.parent().unwrap_or(file).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_join_with_what_they_share() {
        let base = env::temp_dir().join(format!("xtask-pages-{}", std::process::id()));
        let (from, to) = (base.join("from"), base.join("to"));
        for file in [
            from.join("snippets/a.js"),
            from.join("shared.css"),
            to.join("shared.css"),
            to.join("snippets/b.js"),
        ] {
            fs::create_dir_all(parent(&file)).unwrap();
            fs::write(&file, "").unwrap();
        }
        copy_all(&from, &to).unwrap();
        for file in ["shared.css", "snippets/a.js", "snippets/b.js"] {
            assert!(to.join(file).is_file(), "{file}");
        }
        fs::remove_dir_all(&base).unwrap();
    }
}
