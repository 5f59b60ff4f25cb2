//! The app: mounts the view. Natively there is the command line `fencing-lab` instead.

/// Half the code of the standard library's allocator, and as fast for what a page needs.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

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
