//! What is around the pages: their heads, the list of them, the sitemap, and pictures for other sites.

use super::{address, figure};
use crate::diagram::{self, Density, Theme};
use crate::html::Html;
use crate::lesson::{self, CHAPTERS, Lesson};
use crate::session::Run;

/// Width and height of a social card in px: what the networks ask for.
pub const IMAGE_SIZE: (u32, u32) = (1200, 630);

/// Where the picture of [`card`] has room: left, top, width and height in px.
const CARD_ROOM: (f64, f64, f64, f64) = (64.0, 190.0, 1072.0, 390.0);

/// Of the words of [`card`]; classes, since the picture has rules for all texts.
const CARD_STYLE: &str =
    ".over{font:26px sans-serif;fill:#4d545e}.name{font:700 52px sans-serif;fill:#15181c}";

/// The tags that tell of the page: title, description, where it is, how it looks when it is shared.
///
/// `site` is the address of the app's folder, with a slash at its end. Without it the canonical address
/// is relative, and what has to be absolute is left out: the card's address and picture.
pub fn head(lesson: &Lesson, site: Option<&str>) -> String {
    let mut out = Html::default();
    out.raw("<title>").text(&lesson.title);
    out.raw(" · Fencing Lab</title>\n");
    meta(&mut out, "name", "description", &lesson.summary);
    let page = [site.unwrap_or_default(), &address(lesson)].concat();
    out.raw("<link rel=\"canonical\" href=\"")
        .text(&page)
        .raw("\">\n");
    meta(&mut out, "property", "og:site_name", "Fencing Lab");
    meta(&mut out, "property", "og:type", "article");
    meta(&mut out, "property", "og:title", &lesson.title);
    meta(&mut out, "property", "og:description", &lesson.summary);
    let Some(site) = site else {
        meta(&mut out, "name", "twitter:card", "summary");
        return out.0;
    };
    let image = [site, "lessons/", &lesson.slug, ".png"].concat();
    let alt = ["Timeline of the lesson “", &lesson.title, "”"].concat();
    meta(&mut out, "property", "og:url", &page);
    meta(&mut out, "property", "og:image", &image);
    let (width, height) = IMAGE_SIZE;
    meta(&mut out, "property", "og:image:width", &width.to_string());
    meta(&mut out, "property", "og:image:height", &height.to_string());
    meta(&mut out, "property", "og:image:alt", &alt);
    meta(&mut out, "name", "twitter:card", "summary_large_image");
    out.0
}

fn meta(out: &mut Html, kind: &str, name: &str, content: &str) {
    out.raw("<meta ").raw(kind).raw("=\"").raw(name);
    out.raw("\" content=\"").text(content).raw("\">\n");
}

/// All lessons by chapter, as links to their pages.
pub fn list(lessons: &[Lesson]) -> String {
    let mut out = Html::default();
    for (index, chapter) in CHAPTERS.iter().enumerate() {
        let mut of_chapter = lessons.iter().filter(|l| l.chapter == index).peekable();
        if of_chapter.peek().is_none() {
            continue;
        }
        out.element("h2", "", chapter).raw("<ul>");
        for lesson in of_chapter {
            out.raw("<li><a href=\"")
                .text(&address(lesson))
                .raw("\">")
                .text(&lesson.title)
                .raw("</a></li>");
        }
        out.close("ul").raw("\n");
    }
    out.0
}

/// The sitemap of the app and the lessons' pages; `site` as in [`head`].
pub fn sitemap(lessons: &[Lesson], site: &str) -> String {
    let mut out = Html::default();
    out.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    let pages = [String::new(), "lab.html".to_owned()];
    for page in pages.into_iter().chain(lessons.iter().map(address)) {
        out.raw("<url><loc>")
            .text(site)
            .text(&page)
            .raw("</loc></url>\n");
    }
    out.raw("</urlset>\n");
    out.0
}

/// The run that the lesson opens with, for places that take only images.
pub fn image(lesson: &Lesson) -> String {
    let run = first_run(lesson);
    let scene = scene(&run, 760.0);
    diagram::svg(&scene, Theme::Auto, &lesson.title)
}

/// The social card as SVG: title, chapter and picture, in fixed colours and without custom properties, which
/// programs that are no browsers do not know.
pub fn card(lesson: &Lesson) -> String {
    let (left, top, width, height) = CARD_ROOM;
    let run = first_run(lesson);
    let scene = scene(&run, 1000.0);
    let scale = (width / scene.width).min(height / scene.height);
    let x = left + (width - scene.width * scale) / 2.0;
    let mut out = Html::default();
    out.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"630\"><style>");
    out.raw(CARD_STYLE)
        .raw("</style><rect width=\"1200\" height=\"630\" fill=\"#fff\"/>");
    out.raw("<text class=\"over\" x=\"64\" y=\"84\">Fencing Lab · ");
    out.text(CHAPTERS.get(lesson.chapter).copied().unwrap_or_default());
    out.raw("</text><text class=\"name\" x=\"64\" y=\"150\">");
    out.text(&lesson.title)
        .raw("</text><g transform=\"translate(");
    out.raw(&figure::px(x)).raw(" ").raw(&figure::px(top));
    out.raw(&format!(") scale({scale:.4})\">"));
    out.raw(&diagram::plain_svg(&scene, &lesson.title))
        .raw("</g></svg>\n");
    out.0
}

fn first_run(lesson: &Lesson) -> Run {
    let pane = lesson.beats.first().and_then(|beat| beat.panes.first());
    let policy = pane.and_then(|pane| pane.policy.as_deref());
    lesson::play(lesson, pane.map_or(0, |pane| pane.run), policy)
}

fn scene(run: &Run, width: f64) -> diagram::Scene {
    let mut frame = diagram::Frame::of(width, Density::Full);
    frame.shows_axis = true;
    diagram::scene(run.scenario(), &run.trace, &frame)
}
