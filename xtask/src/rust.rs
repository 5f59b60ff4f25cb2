//! Which Rust compiles to wasm, and how.
//!
//! The standard library is compiled with the app: for size, and so that a panic
//! is a bare trap without the code that words and prints its message. That
//! makes the app a tenth smaller than the library that Rust ships. So a Rust
//! must have the sources of its library, but needs none made for
//! `wasm32-unknown-unknown`.
//!
//! The Rust that runs this program is used when it has these sources or rustup
//! can add them. Where they cannot be had, Debian's second Rust (`rustc-web`)
//! is used. Then wasm builds see Debian's cargo and rustc first on the PATH.

use crate::run::output;
use crate::{Result, paths};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target that browsers run.
pub const WASM: &str = "wasm32-unknown-unknown";

/// Compiler options of all code for wasm.
const OPTIONS: [&str; 2] = ["-Zunstable-options", "-Cpanic=immediate-abort"];

/// Where a Rust keeps its library's sources, seen from its sysroot.
const SOURCES: &str = "lib/rustlib/src/rust/library/Cargo.lock";

/// Where a distribution's Rust is, even when another one stands before it on the PATH.
const DISTRIBUTION: &str = "/usr/bin";

/// The programs of a distribution's Rust that a wasm build may call.
const PROGRAMS: [&str; 5] = ["cargo", "rustc", "rustdoc", "cargo-clippy", "clippy-driver"];

/// A Rust that can compile to wasm.
#[derive(Clone, Debug, PartialEq)]
pub enum WasmRust {
    /// The first on the PATH.
    Default,
    /// The distribution's, though another one is first on the PATH.
    Distribution,
}

/// The Rust that can compile to wasm now, or why none can.
pub fn find() -> Result<WasmRust> {
    let reason = match compiles_to_wasm(Path::new("rustc")) {
        Ok(()) => return Ok(WasmRust::Default),
        Err(reason) => reason,
    };
    let distribution = distribution_rustc();
    if distribution.is_file() && compiles_to_wasm(&distribution).is_ok() {
        return Ok(WasmRust::Distribution);
    }
    Err(reason)
}

/// Whether this rustc knows the options and has the sources.
fn compiles_to_wasm(rustc: &Path) -> Result<()> {
    let sysroot = output(
        isolated(rustc)
            .env("RUSTC_BOOTSTRAP", "1")
            .args(OPTIONS)
            .args(["--target", WASM, "--print", "sysroot"]),
    )?;
    if Path::new(&sysroot).join(SOURCES).is_file() {
        Ok(())
    } else {
        Err("the sources of the standard library are not installed".into())
    }
}

fn distribution_rustc() -> PathBuf {
    Path::new(DISTRIBUTION).join("rustc")
}

/// A command without what cargo and rustup hand down to the programs they run;
/// a compiler other than theirs must not see their libraries.
fn isolated(program: &Path) -> Command {
    let mut command = Command::new(program);
    if program.is_absolute() {
        for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"] {
            command.env_remove(name);
        }
    }
    command
}

impl WasmRust {
    /// A command that sees this Rust, and `dirs`, before all else on the PATH,
    /// and builds in the target directory of wasm builds.
    pub fn command(&self, program: &Path, dirs: &[PathBuf]) -> Result<Command> {
        let mut command = Command::new(program);
        command.env_remove("CARGO").env_remove("RUSTC");
        let mut path = Vec::new();
        if *self == WasmRust::Distribution {
            path.push(link_distribution_rust()?);
            command
                .env_remove("RUSTUP_TOOLCHAIN")
                .env_remove("LD_LIBRARY_PATH");
        }
        path.extend_from_slice(dirs);
        path.extend(paths::program_dirs());
        let path = env::join_paths(path).map_err(|error| format!("PATH: {error}"))?;
        command.env("PATH", path);
        build_std(&mut command);
        Ok(command)
    }

    /// `cargo` of this Rust.
    pub fn cargo(&self) -> Result<Command> {
        match self {
            // By name alone, the search would use this process's PATH, not the command's.
            WasmRust::Distribution => self.command(&Path::new(DISTRIBUTION).join("cargo"), &[]),
            WasmRust::Default => self.command(Path::new("cargo"), &[]),
        }
    }
}

/// Makes every cargo that `command` runs compile the standard library too, with
/// the same options for checks and builds, so that one target directory serves all.
fn build_std(command: &mut Command) {
    command
        .env("CARGO_TARGET_DIR", paths::wasm_target())
        // Lets a stable Rust do what is said here.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort")
        .env("CARGO_UNSTABLE_BUILD_STD_FEATURES", "optimize_for_size")
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
            OPTIONS.join(" "),
        )
        // Cargo would use these instead. They are meant for native builds.
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS");
}

/// A directory with links to the distribution's Rust and nothing else: putting
/// all of /usr/bin first would also change which Node or linker is found.
fn link_distribution_rust() -> Result<PathBuf> {
    let dir = paths::target().join("tools/rust");
    let failed = |error| format!("{}: {error}", dir.display());
    fs::create_dir_all(&dir).map_err(failed)?;
    for name in PROGRAMS {
        let program = Path::new(DISTRIBUTION).join(name);
        let link = dir.join(name);
        if program.exists() && !link.exists() {
            symlink(&program, &link).map_err(failed)?;
        }
    }
    Ok(dir)
}

#[cfg(unix)]
fn symlink(program: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(program, link)
}

#[cfg(not(unix))]
fn symlink(program: &Path, link: &Path) -> std::io::Result<()> {
    fs::copy(program, link).map(drop)
}
