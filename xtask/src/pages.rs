//! The pages that need no script: one for each lesson, made from the app's own page, and the list of
//! them in it. With the environment variable `SITE_URL`, the address of the app's folder, also what only
//! absolute addresses are good for: social cards, the sitemap and `robots.txt`.

use crate::finish::{self, read, write};
use crate::{Result, card, site};
use fencing_core::article;
use fencing_core::lesson::Lesson;
use std::path::Path;

/// Writes the pages of all lessons into `dir`, beside the app's page `index.html`.
pub fn write_all(dir: &Path) -> Result<()> {
    let lessons = finish::lessons()?;
    let site = site::url()?;
    let file = dir.join("index.html");
    let index = read(&file)?;
    for at in 0..lessons.len() {
        let html = lesson_page(&index, &lessons, at, site.as_deref())?;
        let name = article::address(&lessons[at]);
        finish::refuse_inline_code(&name, &html)?;
        write(&dir.join(name), html)?;
        let image = format!("lessons/{}.svg", lessons[at].slug);
        write(&dir.join(image), article::image(&lessons[at]))?;
    }
    write(&file, with_list(&index, &lessons)?)?;
    match site {
        Some(site) => write_for_site(dir, &lessons, &site),
        None => Ok(()),
    }
}

fn write_for_site(dir: &Path, lessons: &[Lesson], site: &str) -> Result<()> {
    let fonts = card::Fonts::of_system()?;
    for lesson in lessons {
        let png = card::png(&article::card(lesson), &fonts, 1.0)?;
        write(&dir.join(format!("lessons/{}.png", lesson.slug)), png)?;
    }
    write(&dir.join("sitemap.xml"), article::sitemap(lessons, site))?;
    let robots = format!("User-agent: *\nAllow: /\nSitemap: {site}sitemap.xml\n");
    write(&dir.join("robots.txt"), robots)
}

/// The page of a lesson: the app's own page with another head, and with the lesson in place of the
/// loading state. The app takes both away when it has started.
fn lesson_page(index: &str, lessons: &[Lesson], at: usize, site: Option<&str>) -> Result<String> {
    let lesson = &lessons[at];
    let mut html = index.to_owned();
    let root = format!("<html lang=\"en\" data-lesson=\"{}\">", lesson.slug);
    replace(&mut html, "<html lang=\"en\">", "", &root)?;
    let charset = "<meta charset=\"utf-8\">";
    let base = format!("{charset}\n<base href=\"../\">");
    replace(&mut html, charset, "", &base)?;
    replace(&mut html, "<meta name=\"description\"", ">\n", "")?;
    replace(
        &mut html,
        "<title>",
        "</title>\n",
        &article::head(lesson, site),
    )?;
    let boot = "<div id=\"boot\" class=\"static\">";
    replace(&mut html, "<div id=\"boot\">", "", boot)?;
    replace(
        &mut html,
        "<noscript>",
        "</noscript>\n",
        &article::body(lessons, at),
    )?;
    Ok(html)
}

/// The app's page with the lessons listed for readers without scripts.
fn with_list(index: &str, lessons: &[Lesson]) -> Result<String> {
    let mut html = index.to_owned();
    let list = format!(
        "<noscript>\n<h1>Fencing Lab</h1>\n<p>The app needs JavaScript and WebAssembly. These pages of its lessons do not:</p>\n{}</noscript>\n",
        article::list(lessons)
    );
    replace(&mut html, "<noscript>", "</noscript>\n", &list)?;
    Ok(html)
}

/// Puts `new` in place of what begins with `open` and ends with the next `close`.
fn replace(html: &mut String, open: &str, close: &str, new: &str) -> Result<()> {
    let found = html.find(open).and_then(|start| {
        let rest = start + open.len();
        let end = rest + html[rest..].find(close)? + close.len();
        Some(start..end)
    });
    let range = found.ok_or_else(|| format!("index.html has no `{open}`"))?;
    html.replace_range(range, new);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>App</title>\n<meta name=\"description\" content=\"x\">\n<script src=\"./boot.js\" defer></script>\n</head>\n<body>\n<div id=\"boot\">\n<p id=\"boot-loading\" hidden>Loading</p>\n<noscript><p>No script</p></noscript>\n</div>\n</body>\n</html>\n";

    #[test]
    fn a_lesson_page_is_the_apps_page_with_the_lesson_in_it() {
        let lessons = finish::lessons().unwrap();
        let html = lesson_page(INDEX, &lessons, 0, None).unwrap();
        for part in [
            "data-lesson=\"paused-holder\"",
            "<meta charset=\"utf-8\">\n<base href=\"../\">",
            "<title>The paused holder · Fencing Lab</title>",
            "<script src=\"./boot.js\" defer></script>",
            "<p id=\"boot-loading\" hidden>Loading</p>\n<svg",
            "</main>\n</div>\n</body>",
        ] {
            assert!(html.contains(part), "{part}");
        }
        assert!(!html.contains("noscript") && !html.contains("content=\"x\""));
        finish::refuse_inline_code("page", &html).unwrap();
    }

    #[test]
    fn the_apps_page_lists_the_lessons_for_readers_without_scripts() {
        let lessons = finish::lessons().unwrap();
        let html = with_list(INDEX, &lessons).unwrap();
        let start = html.find("<noscript>").unwrap();
        let list = &html[start..html.find("</noscript>").unwrap()];
        assert_eq!(list.matches("href=\"lessons/").count(), lessons.len());
    }

    #[test]
    fn a_page_without_a_place_for_them_is_an_error() {
        let error = with_list("<html></html>", &[]).unwrap_err();
        assert_eq!(error, "index.html has no `<noscript>`");
    }
}
