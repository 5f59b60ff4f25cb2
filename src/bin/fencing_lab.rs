//! `fencing-lab`: checks and prints scenarios. Documentation authors run it in their own CI.

#[cfg(not(target_arch = "wasm32"))]
mod cli;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    cli::main()
}

/// The command line exists natively only; the crate must still build for the browser.
#[cfg(target_arch = "wasm32")]
fn main() {}
