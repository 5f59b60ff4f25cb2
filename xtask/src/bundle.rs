//! Building and serving the app with Trunk.

use crate::args::Serve;
use crate::run::run;
use crate::rust::{self, WASM};
use crate::tools::{self, Goal};
use crate::{Result, paths};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes `dist/`, after seeing to the tools.
pub fn build(release: bool) -> Result<()> {
    tools::ensure(goal(release))?;
    build_only(release)
}

/// Makes `dist/` with the tools that are there.
pub fn build_only(release: bool) -> Result<()> {
    if release {
        println!("building the app (2 to 4 minutes when all is new)");
    } else {
        println!("building the app without optimization (1 to 2 minutes when all is new)");
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
        .arg(subcommand)
        .args(["--offline", "--public-url", "./"]);
    if release {
        trunk.arg("--release");
    }
    Ok(trunk)
}

fn parent(file: &Path) -> PathBuf {
    file.parent().unwrap_or(file).to_path_buf()
}
