//! Where the app will be published, as far as the build is told.

use crate::Result;
use std::env;

/// The environment variable that names the address of the app's folder.
pub const SITE: &str = "SITE_URL";

/// The address of the app's folder with a slash at its end; `None` where it is not told.
pub fn url() -> Result<Option<String>> {
    folder(env::var(SITE).ok().as_deref())
}

fn folder(told: Option<&str>) -> Result<Option<String>> {
    let Some(url) = told.map(str::trim).filter(|url| !url.is_empty()) else {
        return Ok(None);
    };
    let host = url.strip_prefix("https://").or(url.strip_prefix("http://"));
    let is_good = |host: &str| !host.is_empty() && !host.contains(['?', '#', ' ', '"', '<']);
    if !host.is_some_and(is_good) {
        return Err(format!(
            "{SITE} is `{url}`, not the address of a folder such as https://example.org/lab/"
        ));
    }
    Ok(Some(format!("{}/", url.trim_end_matches('/'))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_is_the_address_of_a_folder() {
        let good = Ok(Some("https://a.example/lab/".to_owned()));
        assert_eq!(folder(Some("https://a.example/lab")), good);
        assert_eq!(folder(Some("https://a.example/lab/")), good);
        assert_eq!(folder(Some(" ")), Ok(None));
        assert_eq!(folder(None), Ok(None));
        for bad in ["a.example", "https://", "https://a.example/?x"] {
            assert!(folder(Some(bad)).unwrap_err().contains("SITE_URL"));
        }
    }
}
