//! The app in one page, which also opens from a file: `fencing-lab.html` is all of it, and
//! `single/SLUG.html` is one lesson, small enough for mail, wikis and courseware.
//!
//! What a page loads is in it, packed, for the script of `single.js`. Its content security policy
//! names that one script by its hash; what else it allows is the scripts that this one unpacks, as
//! `blob:`, and the wasm.

use crate::pack::{Pack, places};
use crate::{Result, html, offline, paths};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fencing_core::diagram::{Density, VERTICAL_BELOW};
use fencing_core::embed::escape;
use fencing_core::lesson::{self, Lesson, WIDTHS, is_stacked, plates_file};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

/// The name of the page with all of the app, in `dist`.
const WHOLE: &str = "fencing-lab.html";

/// The folder of the pages with one lesson, in `dist`.
const FOLDER: &str = "single/";

/// The code of the pages, as it is written.
pub const CODE: &str = include_str!("single.js");

/// A page with one lesson has at most so many bytes.
const MOST_BYTES: usize = 150_000;

/// A file of pictures: for which width, and for what.
type Plates = (u32, Density);

/// The pictures that a page with one lesson has, the most needed first, as far as they fit: for a
/// phone, a wide screen, a tablet, an embed.
const PICTURES: [Plates; 4] = [
    (356, Density::Full),
    (850, Density::Full),
    (650, Density::Full),
    (650, Density::Embed),
];

/// So many of them are in it in any case.
const FEWEST_PICTURES: usize = 2;

/// Whether a file of `dist` is one of these pages, by its path.
pub fn is_single(path: &str) -> bool {
    path == WHOLE || path.starts_with(FOLDER)
}

/// Makes the pages of `page`, the text of a finished page of a release, of the files in `dir` and of
/// [`CODE`], which may have become shorter. `site` is where the app will be, if that is known.
pub fn write(
    dir: &Path,
    page: &str,
    code: &str,
    lessons: &[Lesson],
    site: Option<&str>,
) -> Result<()> {
    let app = App::new(dir, page, code, site)?;
    let names = fetched(dir, &app.parts)?;
    let packs = in_parallel(&names, |name| {
        Pack::new(vec![(vec![name.clone()], bytes(&dir.join(name))?)])
    });
    let packs: BTreeMap<&str, Pack> = names
        .iter()
        .zip(packs)
        .map(|(name, pack)| Ok((name.as_str(), pack?)))
        .collect::<Result<_>>()?;
    put(&dir.join(WHOLE), &app.whole(packs.values())?)?;
    let folder = dir.join(FOLDER);
    fs::create_dir_all(&folder).map_err(|error| paths::told(&folder, error))?;
    let written = in_parallel(lessons, |lesson| {
        let name = format!("lessons/{}.bin", lesson.slug);
        let text = packs.get(&*name).ok_or(format!("{name} is not there"))?;
        let page = app.with_lesson(dir, lesson, text)?;
        put(&folder.join(format!("{}.html", lesson.slug)), &page)
    });
    written.into_iter().collect()
}

/// The results of some work on all items, in their order, by as many threads as there are cores.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(threads).max(1);
    let work = &work;
    thread::scope(|scope| {
        let start = |part: &'_ [T]| part.iter().map(work).collect::<Vec<R>>();
        let parts = items.chunks(share);
        let started: Vec<_> = parts.map(|part| scope.spawn(move || start(part))).collect();
        let joined = started.into_iter().map(|thread| thread.join());
        joined
            .flat_map(|result| result.unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    })
}

/// What all pages have.
struct App<'a> {
    page: &'a str,
    parts: Parts<'a>,
    code: &'a str,
    site: Option<&'a str>,
    /// The icon in base64.
    icon: String,
    /// Style sheet, scripts and wasm.
    shell: Pack,
}

/// What makes a page another one.
struct Contents<'a> {
    /// Its title; `None`: that of the app.
    title: Option<&'a str>,
    /// Its only lesson.
    lesson: Option<&'a str>,
    /// The address that it shows by itself.
    home: String,
    /// What addresses within it begin with, as a regular expression.
    present: String,
    /// Added to the style sheet: what it has no use for is not shown.
    style: &'static str,
    packs: Vec<&'a Pack>,
}

impl<'a> App<'a> {
    fn new(dir: &Path, page: &'a str, code: &'a str, site: Option<&'a str>) -> Result<Self> {
        let parts = Parts::of(page)?;
        let file = |part: &Part| bytes(&dir.join(part.address));
        let wasm = parts.wasm.address.trim_start_matches("./");
        let shell = Pack::new(vec![
            (vec![wasm.to_owned()], file(&parts.wasm)?),
            (vec!["glue".to_owned()], file(&parts.glue)?),
            (vec!["boot".to_owned()], file(&parts.boot)?),
            (vec!["style".to_owned()], file(&parts.style)?),
        ])?;
        let icon = STANDARD.encode(file(&parts.icon)?);
        Ok(App {
            page,
            parts,
            code,
            site,
            icon,
            shell,
        })
    }

    /// The page with all of the app but for the lab, which is a page of its own.
    fn whole<'b>(&'b self, packs: impl Iterator<Item = &'b Pack>) -> Result<String> {
        self.joined(&Contents {
            title: None,
            lesson: None,
            home: "#/".to_owned(),
            present: r"^(?!lab\.html|#/(lab|embed)\b)".to_owned(),
            style: "",
            packs: [&self.shell].into_iter().chain(packs).collect(),
        })
    }

    /// The page with one lesson; `text` has its file, and all of its pictures that fit are added.
    fn with_lesson(&self, dir: &Path, lesson: &Lesson, text: &Pack) -> Result<String> {
        let slug = &lesson.slug;
        let title = format!("{} · Fencing Lab", lesson.title);
        for count in (FEWEST_PICTURES..=PICTURES.len()).rev() {
            let pictures = pictures(dir, slug, &PICTURES[..count])?;
            let page = self.joined(&Contents {
                title: Some(&title),
                lesson: Some(slug),
                home: format!("#/lesson/{slug}/1"),
                present: format!("^(#/lesson/{slug}(?![\\w-])|https?:)"),
                // Links to other pages of the project, and free experiments.
                style: ".nav a, .try { display: none }",
                packs: vec![&self.shell, text, &pictures],
            })?;
            if page.len() <= MOST_BYTES {
                return Ok(page);
            }
            println!("{FOLDER}{slug}.html has no room for {count} files of pictures");
        }
        Err(format!(
            "{FOLDER}{slug}.html would have more than {MOST_BYTES} bytes"
        ))
    }

    /// The page with everything in it.
    fn joined(&self, contents: &Contents) -> Result<String> {
        let script = self.script(contents);
        if script.contains("</script") {
            return Err("single.js: `</script` within would end the element".to_owned());
        }
        // None is of use to searches: they have the app.
        let head = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}' blob: 'wasm-unsafe-eval'; img-src data:\">\n<meta name=\"robots\" content=\"noindex\">",
            hash(&script)
        );
        // boot.js reads the address; a medium that is none keeps the browser from fetching it.
        let wasm = format!(
            "<link rel=\"preload\" href=\"{}\" as=\"fetch\" media=\"not all\">",
            self.parts.wasm.address
        );
        let icon = format!(
            "<link rel=\"icon\" href=\"data:image/svg+xml;base64,{}\">",
            self.icon
        );
        let end = self.page.rfind("</body>").unwrap_or(self.page.len());
        let parts = &self.parts;
        let mut changes = vec![
            (parts.policy.clone(), head),
            (parts.style.range.clone(), String::new()),
            (parts.icon.range.clone(), icon),
            (parts.boot.range.clone(), String::new()),
            (parts.glue.range.clone(), String::new()),
            (parts.wasm.range.clone(), wasm),
            // The script looks for what is before it in the page.
            (end..end, format!("<script>{script}</script>\n")),
        ];
        if let Some(title) = contents.title {
            changes.push((parts.title.clone(), escape(title)));
        }
        changes.sort_by_key(|(range, _)| range.start);
        let mut whole = self.page.to_owned();
        for (range, text) in changes.into_iter().rev() {
            whole.replace_range(range, &text);
        }
        Ok(whole)
    }

    /// The page's only script: what it has, then the code for that.
    fn script(&self, contents: &Contents) -> String {
        let packs: Vec<&str> = contents.packs.iter().map(|pack| &*pack.text).collect();
        let file = json!({
            "lesson": contents.lesson,
            "home": contents.home,
            "present": contents.present,
            "site": self.site,
            "style": contents.style,
            "files": places(&contents.packs),
            "packs": packs,
        });
        // `<` could end the script.
        let file = file.to_string().replace('<', "\\u003c");
        ["const FILE = ", &file, ";\n", self.code].concat()
    }
}

/// These pictures of a lesson, under the names of all for which they stand in.
fn pictures(dir: &Path, slug: &str, kept: &[Plates]) -> Result<Pack> {
    let all = WIDTHS.map(|width| [(width, Density::Full), (width, Density::Embed)]);
    let name = |(width, density): &Plates| plates_file(slug, *width, *density);
    let file = |plates: &Plates| {
        let asked = all.iter().flatten();
        let names = asked.filter(|asked| stand_in(kept, asked) == Some(plates));
        let content = bytes(&dir.join(name(plates)))?;
        Ok((names.map(name).collect(), content))
    };
    Pack::new(kept.iter().map(file).collect::<Result<_>>()?)
}

/// What is shown for pictures that are not there. That time runs the same way counts most.
fn stand_in<'a>(kept: &'a [Plates], asked: &Plates) -> Option<&'a Plates> {
    let runs_down = |plates: &Plates| f64::from(plates.0) < VERTICAL_BELOW;
    let is_stacked = |plates: &Plates| is_stacked(f64::from(plates.0));
    kept.iter().min_by_key(|one| {
        (
            runs_down(one) != runs_down(asked),
            one.1 != asked.1,
            is_stacked(one) != is_stacked(asked),
            one.0.abs_diff(asked.0),
        )
    })
}

/// A part of the page that names a file.
struct Part<'a> {
    /// Where its element is in the page, in bytes.
    range: Range<usize>,
    /// The file's address.
    address: &'a str,
}

/// What the page loads, and its policy.
struct Parts<'a> {
    policy: Range<usize>,
    /// The text of the title.
    title: Range<usize>,
    style: Part<'a>,
    icon: Part<'a>,
    boot: Part<'a>,
    glue: Part<'a>,
    wasm: Part<'a>,
}

impl<'a> Parts<'a> {
    fn of(page: &'a str) -> Result<Self> {
        let link = |rel: &str| {
            let all = html::tags(page, "link").into_iter();
            let mut fitting = all.filter(|tag| tag.attribute("rel") == Some(rel));
            let tag = fitting.next().ok_or(missing(rel))?;
            let address = tag.attribute("href").ok_or(missing(rel))?;
            let range = tag.range;
            Ok::<_, String>(Part { range, address })
        };
        let policy = html::tags(page, "meta")
            .into_iter()
            .find(|tag| tag.attribute("http-equiv") == Some("Content-Security-Policy"))
            .ok_or(missing("policy"))?;
        let titles = html::tags(page, "title");
        let title = titles.first().ok_or(missing("title"))?.range.end;
        let title_end = page[title..].find('<').ok_or(missing("title"))?;
        Ok(Parts {
            policy: policy.range,
            title: title..title + title_end,
            style: link("stylesheet")?,
            icon: link("icon")?,
            boot: boot(page)?,
            glue: link("modulepreload")?,
            wasm: link("preload")?,
        })
    }
}

/// The page's script.
fn boot(page: &str) -> Result<Part<'_>> {
    let end = "</script>";
    html::tags(page, "script")
        .into_iter()
        .filter(|tag| page[tag.range.end..].starts_with(end))
        .find_map(|tag| {
            Some(Part {
                address: tag.attribute("src")?,
                range: tag.range.start..tag.range.end + end.len(),
            })
        })
        .ok_or(missing("script"))
}

fn missing(what: &str) -> String {
    format!("{WHOLE}: the app's page has no {what}")
}

/// The files that the app may fetch, by address: all but those that are in the page anyway, other
/// pages, and what is for hosts. Files of other pages are not there yet.
fn fetched(dir: &Path, parts: &Parts) -> Result<Vec<String>> {
    let inside = [
        &parts.style,
        &parts.icon,
        &parts.boot,
        &parts.glue,
        &parts.wasm,
    ];
    let inside = inside.map(|part| part.address.trim_start_matches("./"));
    let is_fetched = |name: &String| !inside.contains(&name.as_str()) && !is_for_hosts(name);
    Ok(offline::files(dir)?
        .into_iter()
        .filter(is_fetched)
        .collect())
}

/// What only servers and other sites need; texts that are there before the app, which is here at once;
/// and pictures: the simulation draws them as well.
fn is_for_hosts(name: &str) -> bool {
    name == "_headers"
        || name.ends_with(".txt")
        || lesson::is_plates_file(name)
        || name.ends_with(".html")
        || name.starts_with("fencing-lab.")
        || name.starts_with("oembed/")
}

/// The name of an element's text in a content security policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

fn bytes(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| paths::told(file, error))
}

fn put(file: &Path, text: &str) -> Result<()> {
    fs::write(file, text).map_err(|error| paths::told(file, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finish;
    use crate::pack::tests::unpack;
    use serde_json::Value;
    use std::env;
    use std::path::PathBuf;

    const PAGE: &str = r#"<head><meta http-equiv="Content-Security-Policy" content="default-src 'self'">
<title>App</title><link rel="icon" href="./icon.svg"><link rel="stylesheet" href="./style.css">
<script src="./boot.js" defer></script>
<link rel="modulepreload" href="./app.js" crossorigin>
<link rel="preload" href="./app.wasm" as="fetch" crossorigin></head><body><p></p></body>"#;

    /// A folder with the files of the page and some more, and the lessons that it has.
    fn folder(name: &str) -> (PathBuf, Vec<Lesson>) {
        let dir = env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        for sub in ["lessons", "oembed"] {
            fs::create_dir_all(dir.join(sub)).unwrap();
        }
        for (file, text) in [
            ("icon.svg", "<svg/>"),
            ("style.css", "a{}"),
            ("boot.js", "boot()"),
            ("app.js", "export default '</script>'"),
            ("app.wasm", "wasm"),
            ("engine.wasm", "engine"),
            ("lessons/home.bin", "home"),
            ("lessons/home.early.txt", "early"),
            ("oembed/a.json", "{}"),
            ("fencing-lab.js", "loader"),
            ("_headers", ""),
            ("index.html", PAGE),
        ] {
            fs::write(dir.join(file), text).unwrap();
        }
        let mut lessons = finish::lessons().unwrap();
        lessons.truncate(2);
        for lesson in &lessons {
            let slug = &lesson.slug;
            fs::write(dir.join(format!("lessons/{slug}.bin")), slug).unwrap();
            for (width, density) in PICTURES {
                let name = plates_file(slug, width, density);
                fs::write(dir.join(&name), &name).unwrap();
            }
        }
        (dir, lessons)
    }

    fn page(dir: &Path, name: &str) -> String {
        fs::read_to_string(dir.join(name)).unwrap()
    }

    /// What the script of a page knows.
    fn file(page: &str) -> Value {
        let code = html::inline_script(page).unwrap().code;
        let (_, file) = code.split_once("const FILE = ").unwrap();
        serde_json::from_str(file.split_once(";\n").unwrap().0).unwrap()
    }

    /// What a file in a page is; `None`: it is not in it.
    fn content(file: &Value, name: &str) -> Option<String> {
        let place = file["files"].get(name)?;
        let number = |index: usize| place[index].as_u64().unwrap() as usize;
        let pack = file["packs"][number(0)].as_str().unwrap();
        let content = &unpack(pack)[number(1)..number(2)];
        Some(String::from_utf8(content.to_vec()).unwrap())
    }

    #[test]
    fn the_pages_load_nothing_and_their_policy_names_their_script() {
        let (dir, lessons) = folder("single");
        write(&dir, PAGE, "code()", &lessons, None).unwrap();
        for name in [WHOLE, "single/paused-holder.html"] {
            let page = page(&dir, name);
            for gone in [
                "\"./icon.svg",
                "./style.css",
                "./boot.js",
                "./app.js",
                "'self'",
            ] {
                assert!(!page.contains(gone), "{name}: {gone}");
            }
            assert!(page.contains("href=\"./app.wasm\" as=\"fetch\" media=\"not all\""));
            assert!(page.contains("<meta name=\"robots\" content=\"noindex\">"));
            assert!(page.ends_with("code()</script>\n</body>"));
            assert_eq!(page.matches("</script").count(), 1);
            let code = html::inline_script(&page).unwrap().code;
            assert!(page.contains(&format!("script-src '{}'", hash(code))));
        }
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn the_whole_page_has_all_that_the_app_fetches_but_pictures() {
        let (dir, lessons) = folder("single-whole");
        write(&dir, PAGE, "", &lessons, Some("https://a.example/")).unwrap();
        let page = page(&dir, WHOLE);
        let file = file(&page);
        let names: Vec<&String> = file["files"].as_object().unwrap().keys().collect();
        let expected = [
            "app.wasm",
            "glue",
            "boot",
            "style",
            "engine.wasm",
            "lessons/home.bin",
            "lessons/packet-outlives-sender.bin",
            "lessons/paused-holder.bin",
        ];
        assert_eq!(names, expected);
        for (name, text) in [
            ("app.wasm", "wasm"),
            ("glue", "export default '</script>'"),
            ("style", "a{}"),
            ("lessons/home.bin", "home"),
        ] {
            assert_eq!(content(&file, name).as_deref(), Some(text), "{name}");
        }
        assert_eq!(file["site"], "https://a.example/");
        assert!(page.contains("<title>App</title>"));
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn the_page_of_a_lesson_has_its_files_and_no_others() {
        let (dir, lessons) = folder("single-lesson");
        write(&dir, PAGE, "", &lessons, None).unwrap();
        let page = page(&dir, "single/paused-holder.html");
        assert!(page.contains("<title>The paused holder · Fencing Lab</title>"));
        let file = file(&page);
        assert_eq!(file["home"], "#/lesson/paused-holder/1");
        let has = |name: &str| content(&file, &format!("lessons/{name}"));
        assert_eq!(has("paused-holder.bin").as_deref(), Some("paused-holder"));
        for (asked, shown) in [
            ("306", "356"),
            ("480", "356"),
            ("embed-306", "356"),
            ("570", "650"),
            ("740", "650"),
            ("1090", "850"),
            ("embed-1090", "embed-650"),
        ] {
            let shown = format!("lessons/paused-holder.{shown}.bin");
            assert_eq!(has(&format!("paused-holder.{asked}.bin")), Some(shown));
        }
        for name in ["home.bin", "packet-outlives-sender.bin"] {
            assert_eq!(has(name), None, "{name}");
        }
        assert_eq!(content(&file, "engine.wasm"), None);
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn with_fewer_pictures_time_still_runs_the_same_way() {
        let phone_and_wide = &PICTURES[..FEWEST_PICTURES];
        for density in [Density::Full, Density::Embed] {
            for (asked, shown) in [(306, 356), (480, 356), (570, 850), (1090, 850)] {
                let found = stand_in(phone_and_wide, &(asked, density));
                assert_eq!(found, Some(&(shown, Density::Full)), "{asked}");
            }
        }
    }

    #[test]
    fn a_lesson_that_has_no_room_is_told() {
        let (dir, lessons) = folder("single-large");
        let code = "x".repeat(MOST_BYTES);
        let error = write(&dir, PAGE, &code, &lessons, None).unwrap_err();
        assert_eq!(
            error,
            "single/paused-holder.html would have more than 150000 bytes"
        );
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_page_without_its_parts_is_told() {
        let page = PAGE.replace("modulepreload", "other");
        let error = write(&env::temp_dir(), &page, "", &[], None).unwrap_err();
        assert!(error.contains("modulepreload"), "{error}");
    }

    #[test]
    fn work_in_parallel_keeps_its_order() {
        let items: Vec<u32> = (0..99).collect();
        assert_eq!(in_parallel(&items, |item| *item), items);
    }
}
