//! What is seen. The app is markup written by the core and a handle (`app`); the lab is typed
//! components, named by what they show. `browser` is the only file that names web_sys or gloo.

mod app;
mod browser;
pub mod lab;
mod theme;

pub use app::start;
