//! The seam between the app's wasm and its glue, the script of wasm-bindgen
//! that loads it: the names by which each calls the other.
//!
//! wasm-bindgen's names are long and end in hashes, which do not compress, and
//! they are in both files. Also, it exports to scripts what some library has for
//! them, which keeps that code alive though no script here calls it. So the wasm
//! loses such exports, and both files get short names.

use crate::Result;
use std::collections::{HashMap, HashSet};

/// The sections of a wasm file that hold names for the glue.
const IMPORTS: u8 = 2;
const EXPORTS: u8 = 7;

/// The wasm without the exports that its glue does not name.
pub fn without_unused_exports(wasm: &[u8], glue: &str) -> Result<Vec<u8>> {
    let used: HashSet<&str> = glue.split(|c| !in_word(c)).collect();
    edit(wasm, |id, entries| {
        if id == EXPORTS {
            entries.retain(|entry| used.contains(entry.name.as_str()));
        }
    })
}

/// Both with short names instead of wasm-bindgen's.
pub fn with_short_names(wasm: &[u8], glue: &str) -> Result<(Vec<u8>, String)> {
    let mut names = Vec::new();
    edit(wasm, |_, entries| {
        names.extend(entries.iter().map(|entry| entry.name.clone()));
    })?;
    let short = shorten(&names);
    let wasm = edit(wasm, |_, entries| {
        for entry in entries {
            if let Some(name) = short.get(&entry.name) {
                entry.name.clone_from(name);
            }
        }
    })?;
    Ok((wasm, rename(glue, &short)))
}

/// A short name for each that is wasm-bindgen's own, which two underscores tell.
fn shorten(names: &[String]) -> HashMap<String, String> {
    let mut free = (0..).map(letters).filter(|name| !names.contains(name));
    let mut short = HashMap::new();
    for name in names.iter().filter(|name| name.contains("__")) {
        if !short.contains_key(name) {
            short.extend(free.next().map(|new| (name.clone(), new)));
        }
    }
    short
}

/// `a` to `z`, then `aa`, `ba` and so on.
fn letters(mut number: u32) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return text;
        }
        number -= 1;
    }
}

/// The script with each whole word that has a short name replaced.
fn rename(glue: &str, short: &HashMap<String, String>) -> String {
    let mut text = String::with_capacity(glue.len());
    for piece in glue.split_inclusive(|c| !in_word(c)) {
        let word = piece.trim_end_matches(|c| !in_word(c));
        text.push_str(short.get(word).map_or(word, String::as_str));
        text.push_str(&piece[word.len()..]);
    }
    text
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// An import or export.
struct Entry<'a> {
    /// What comes before the name: an import's module, encoded.
    module: &'a [u8],
    name: String,
    /// What comes after it: kind and number, encoded.
    item: &'a [u8],
}

/// Copies a wasm file, with its imports and exports as `change` leaves them.
fn edit(wasm: &[u8], mut change: impl FnMut(u8, &mut Vec<Entry>)) -> Result<Vec<u8>> {
    let mut reader = Reader(wasm);
    let mut out = reader.take(8)?.to_vec(); // magic number and version
    while !reader.0.is_empty() {
        let id = reader.byte()?;
        let size = reader.number()?;
        let body = reader.take(size)?;
        if id == IMPORTS || id == EXPORTS {
            let mut entries = entries(id, body)?;
            change(id, &mut entries);
            push_section(&mut out, id, &encode(&entries));
        } else {
            push_section(&mut out, id, body);
        }
    }
    Ok(out)
}

fn entries(id: u8, body: &[u8]) -> Result<Vec<Entry<'_>>> {
    let mut reader = Reader(body);
    let count = reader.number()?;
    (0..count).map(|_| entry(id, &mut reader)).collect()
}

fn entry<'a>(id: u8, reader: &mut Reader<'a>) -> Result<Entry<'a>> {
    let module = match id {
        IMPORTS => reader.passed(|reader| reader.text().map(drop))?,
        _ => &[],
    };
    let name = reader.text()?.to_owned();
    let item = reader.passed(|reader| {
        let kind = reader.byte()?;
        if id == IMPORTS && kind != 0 {
            return Err(format!("the wasm imports {name}, which is no function"));
        }
        reader.number().map(drop)
    })?;
    Ok(Entry { module, name, item })
}

fn encode(entries: &[Entry]) -> Vec<u8> {
    let mut body = Vec::new();
    push_number(&mut body, entries.len());
    for entry in entries {
        body.extend(entry.module);
        push_number(&mut body, entry.name.len());
        body.extend(entry.name.as_bytes());
        body.extend(entry.item);
    }
    body
}

fn push_section(out: &mut Vec<u8>, id: u8, body: &[u8]) {
    out.push(id);
    push_number(out, body.len());
    out.extend(body);
}

/// Appends a number as wasm has them: seven bits a byte, the lowest first, and a
/// bit that says whether more follow.
fn push_number(out: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// What is left to read of a wasm file or section.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or("the wasm ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn number(&mut self) -> Result<usize> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("the wasm has a number that is too long".into())
    }

    fn text(&mut self) -> Result<&'a str> {
        let length = self.number()?;
        str::from_utf8(self.take(length)?).map_err(|error| format!("a name in the wasm: {error}"))
    }

    /// The bytes that `read` passes over.
    fn passed(&mut self, read: impl FnOnce(&mut Self) -> Result<()>) -> Result<&'a [u8]> {
        let before = self.0;
        read(self)?;
        Ok(&before[..before.len() - self.0.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module that imports one function, has another section, and exports two.
    fn module(import: &str, exports: [&str; 2]) -> Vec<u8> {
        let entry = |module: &'static [u8], name: &str, item: &'static [u8]| Entry {
            module,
            name: name.into(),
            item,
        };
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        push_section(
            &mut wasm,
            IMPORTS,
            &encode(&[entry(b"\x01m", import, &[0, 0])]),
        );
        push_section(&mut wasm, 3, &[1, 0]);
        let exports = exports.map(|name| entry(&[], name, &[0, 0x81, 1]));
        push_section(&mut wasm, EXPORTS, &encode(&exports));
        wasm
    }

    fn exports(wasm: &[u8]) -> Vec<String> {
        let mut names = Vec::new();
        edit(wasm, |id, entries| {
            if id == EXPORTS {
                names.extend(entries.iter().map(|entry| entry.name.clone()));
            }
        })
        .unwrap();
        names
    }

    #[test]
    fn exports_stay_if_the_glue_names_them_as_a_whole_word() {
        let wasm = module("__wbg_x_1", ["__wbindgen_free", "memory"]);
        let glue = "w.memory.buffer;w.__wbindgen_free_all()";
        let wasm = without_unused_exports(&wasm, glue).unwrap();
        assert_eq!(exports(&wasm), ["memory"]);
    }

    #[test]
    fn both_sides_get_the_same_short_names() {
        let wasm = module("__wbg_x_1", ["__wbg_x_12", "memory"]);
        let glue = "({__wbg_x_1:1}),w.__wbg_x_12(w.memory)";
        let (wasm, glue) = with_short_names(&wasm, glue).unwrap();
        assert_eq!(wasm, module("a", ["b", "memory"]));
        assert_eq!(glue, "({a:1}),w.b(w.memory)");
    }

    #[test]
    fn short_names_are_new_ones() {
        let wasm = module("__wbg_x_1", ["a", "memory"]);
        let (wasm, _) = with_short_names(&wasm, "").unwrap();
        assert_eq!(wasm, module("b", ["a", "memory"]));
        let letters: Vec<_> = [0, 25, 26, 27, 52].map(letters).into();
        assert_eq!(letters, ["a", "z", "aa", "ba", "ab"]);
    }

    #[test]
    fn long_names_and_broken_files_are_read_with_care() {
        let long = "__".repeat(100);
        let wasm = module(&long, ["x", "y"]);
        assert_eq!(edit(&wasm, |_, _| ()).unwrap(), wasm);
        assert!(edit(&wasm[..wasm.len() - 1], |_, _| ()).is_err());
        assert!(edit(b"\0asm\x01\0\0\0\x02\xff\xff\xff\xff\xff\xff", |_, _| ()).is_err());
    }
}
