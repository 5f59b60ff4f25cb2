//! The app: mounts the view. Natively there is the command line `fencing-lab` instead.

#[cfg(target_arch = "wasm32")]
fn main() {
    fencing_lab::view::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!(
        "This program runs in a browser: `cargo xtask serve`. On the command line use `fencing-lab`."
    );
}
