//! The files that the built app fetches on demand.

use fencing_lab::lesson::FILES;
use std::fs;
use std::io;
use std::path::Path;

/// Writes `lessons/SLUG.bin` for every lesson.
///
/// # Errors
/// If the folder cannot be written.
pub fn write(folder: &Path) -> io::Result<()> {
    let lessons = folder.join("lessons");
    fs::create_dir_all(&lessons)?;
    for (slug, bytes) in FILES {
        fs::write(lessons.join(format!("{slug}.bin")), bytes)?;
    }
    Ok(())
}
