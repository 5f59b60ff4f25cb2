//! Light or dark: as the reader chose, else as the system says.

use super::browser;

/// Dresses the page as it was left, and whether that is dark.
pub fn restore() -> bool {
    let chosen = browser::load("theme").filter(|theme| theme == "dark" || theme == "light");
    browser::set_root_attribute("data-theme", chosen.as_deref());
    match chosen {
        Some(theme) => theme == "dark",
        None => browser::matches_media("(prefers-color-scheme: dark)"),
    }
}

/// Changes the page, and remembers it where the browser lets us.
pub fn choose(dark: bool) {
    let theme = if dark { "dark" } else { "light" };
    browser::set_root_attribute("data-theme", Some(theme));
    browser::store("theme", theme);
}
