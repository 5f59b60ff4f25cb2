//! The lab: a page of its own with a program of its own, so that the lessons stay small.

#[cfg(target_arch = "wasm32")]
fn main() {
    fencing_lab::view::lab::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!(
        "This program runs in a browser: `cargo xtask serve`. On the command line use `fencing-lab`."
    );
}
