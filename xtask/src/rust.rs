//! Which Rust compiles to wasm, and its standard library.
//!
//! The Rust that runs this program is used when it has the standard library for
//! `wasm32-unknown-unknown` or rustup can add it. Where that cannot be had,
//! Debian's second Rust (`rustc-web`) is used: its sources can be built
//! offline. Then wasm builds see Debian's cargo and rustc first on the PATH.

use crate::run::{output, run};
use crate::{Result, paths};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target that browsers run.
pub const WASM: &str = "wasm32-unknown-unknown";

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

/// Tries a whole compilation, since a standard library of another compiler's version is as good as none.
fn compiles_to_wasm(rustc: &Path) -> Result<()> {
    let dir = paths::target().join("tools");
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let probe = ["--crate-name=probe", "--crate-type=lib", "--emit=metadata"];
    output(
        isolated(rustc)
            .args(probe)
            .args(["--target", WASM, "-o"])
            .arg(dir.join("probe.rmeta"))
            .arg("-"),
    )
    .map(drop)
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
        command
            .env("PATH", path)
            .env("CARGO_TARGET_DIR", paths::wasm_target());
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

/// Builds the standard library for wasm from the sources that the
/// distribution's Rust brings, and puts it where that rustc looks for it.
pub fn build_std() -> Result<()> {
    let dir = paths::target().join("tools/wasm-std");
    write_empty_crate(&dir)?;
    let mut cargo = WasmRust::Distribution.cargo()?;
    run(cargo
        .current_dir(&dir)
        .env("CARGO_TARGET_DIR", dir.join("target"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Cembed-bitcode=yes") // else link-time optimization fails later
        .args(["build", "--quiet", "--release", "--target", WASM])
        .arg("-Zbuild-std=std,panic_abort,test"))?;
    let libraries = output(isolated(&distribution_rustc()).args([
        "--print",
        "target-libdir",
        "--target",
        WASM,
    ]))?;
    let deps = dir.join("target").join(WASM).join("release/deps");
    install_libraries(&deps, Path::new(&libraries))
        .map_err(|error| format!("{libraries}: {error}"))?;
    // Cargo does not notice that the standard library changed.
    fs::remove_dir_all(paths::wasm_target()).ok();
    Ok(())
}

fn write_empty_crate(dir: &Path) -> Result<()> {
    let manifest = "[package]\nname = \"nothing\"\nedition = \"2021\"\n\n[lib]\npath = \"lib.rs\"\n\n[workspace]\n";
    fs::create_dir_all(dir)
        .and_then(|()| fs::write(dir.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(dir.join("lib.rs"), ""))
        .map_err(|error| format!("{}: {error}", dir.display()))
}

/// Replaces the `lib*.rlib` in `to` by those in `from`, the empty crate's own aside.
fn install_libraries(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for old in libraries(to)? {
        fs::remove_file(old)?;
    }
    for new in libraries(from)? {
        if let Some(name) = new.file_name() {
            fs::copy(&new, to.join(name))?;
        }
    }
    Ok(())
}

fn libraries(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("lib") && name.ends_with(".rlib") && !name.starts_with("libnothing") {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn installing_replaces_the_old_library_and_leaves_the_empty_crate_out() {
        let base = env::temp_dir().join(format!("xtask-std-{}", std::process::id()));
        let (from, to) = (base.join("from"), base.join("to"));
        for (dir, file) in [
            (&from, "libstd-2.rlib"),
            (&from, "libnothing-1.rlib"),
            (&from, "std-2.d"),
            (&to, "libstd-1.rlib"),
        ] {
            fs::create_dir_all(dir).unwrap();
            fs::write(dir.join(file), "").unwrap();
        }
        install_libraries(&from, &to).unwrap();
        assert_eq!(libraries(&to).unwrap(), [to.join("libstd-2.rlib")]);
        assert!(!to.join("std-2.d").exists());
        fs::remove_dir_all(&base).unwrap();
    }
}
