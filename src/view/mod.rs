//! What is seen: components named by what they show. Views read the session through memos and
//! change it only by intents; `browser` is the only file that names web_sys or gloo.

mod actions;
mod app;
mod browser;
mod builder;
mod docs;
mod embed;
mod home;
mod icons;
pub mod lab;
mod lesson;
mod panels;
mod play;
mod player;
mod scrubber;
mod shared;
mod stage;
mod timeline;
mod transcript;

pub use app::start;
