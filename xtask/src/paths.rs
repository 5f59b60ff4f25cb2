//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// Cargo's target directory for native builds.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// The target directory of wasm builds: another one, since they may use
/// another compiler, and neither shall discard what the other made.
pub fn wasm_target() -> PathBuf {
    target().join("wasm")
}

/// The finished app.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// The browser tests and their npm packages.
pub fn browser_tests() -> PathBuf {
    root().join("tests/browser")
}

/// The executables of the npm packages.
pub fn npm_bin() -> PathBuf {
    browser_tests().join("node_modules/.bin")
}

/// Where this project's own copies of cargo tools are kept. Outside the
/// repository, so that a second clone need not compile them again, and
/// outside of cargo's directory, so that nobody's own version is replaced.
pub fn cache() -> PathBuf {
    let base = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cache")))
        .unwrap_or_else(target);
    base.join("fencing-lab")
}

/// Where programs are looked for: the PATH, then where `cargo install` puts them.
pub fn program_dirs() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    env::split_paths(&path)
        .chain(cargo_home.map(|home| home.join("bin")))
        .collect()
}

/// The first executable file called `name` in these directories.
pub fn which(name: &str) -> Option<PathBuf> {
    program_dirs()
        .into_iter()
        .map(|dir| dir.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
        .find(|file| is_executable(file))
}

/// Whether `file` is there and may be run.
pub fn is_executable(file: &Path) -> bool {
    let Ok(data) = file.metadata() else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        data.is_file() && data.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    data.is_file()
}

/// What went wrong with a file or directory, as a sentence.
pub fn told(file: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", file.display())
}
