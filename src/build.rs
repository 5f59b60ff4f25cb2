//! Compiles the lessons. A lesson that its own runs do not bear out fails the build with file,
//! line and reason.

use fencing_core::lesson::{Lesson, compile_folder};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Where the lessons are, seen from the package's root, where build scripts run.
const FOLDER: &str = "src/lesson/lessons";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={FOLDER}");
    let lessons = match compile_folder(Path::new(FOLDER)) {
        Ok(lessons) => lessons,
        Err(complaints) => {
            for complaint in complaints {
                println!("cargo::error={complaint}");
            }
            return Ok(());
        }
    };
    let out = env::var_os("OUT_DIR").map(PathBuf::from);
    let out = out.ok_or_else(|| io::Error::other("OUT_DIR is not set: this is a build script"))?;
    fs::write(out.join("lessons.rs"), table(&lessons))
}

/// The Rust source of `CARDS`; see `src/lesson/mod.rs`.
fn table(lessons: &[Lesson]) -> String {
    let (mut cards, mut scenarios) = (String::new(), String::new());
    for lesson in lessons {
        let scenario = lesson.runs.first().map_or("", |run| run.text.as_str());
        // Writing to a string cannot fail.
        let _ = writeln!(
            cards,
            "    Card {{ number: {}, slug: {:?}, title: {:?}, chapter: {} }},",
            lesson.number, lesson.slug, lesson.title, lesson.chapter
        );
        let _ = writeln!(scenarios, "    {scenario:?},");
    }
    format!(
        "/// All lessons, in order.\npub static CARDS: &[Card] = &[\n{cards}];\n\n\
         /// The text of the run `main` of each, in the same order.\n\
         pub static SCENARIOS: &[&str] = &[\n{scenarios}];\n"
    )
}
