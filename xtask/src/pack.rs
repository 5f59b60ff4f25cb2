//! Files as text in a script: raw deflate, in signs that need no escape there. `single.js` unpacks it.

use crate::Result;
use serde_json::{Map, Value, json};
use std::io;
use std::num::NonZeroU64;
use zopfli::{Format, Options};

/// Of two signs each is one of so many: together they are 13 bits, where two of base64 are 12.
const SIGNS: u32 = 91;

/// Files that are unpacked together.
pub struct Pack {
    /// The names of each, and its length.
    files: Vec<(Vec<String>, usize)>,
    /// All of them, packed.
    pub text: String,
}

impl Pack {
    /// Packs them, each under all of its names.
    pub fn new(files: Vec<(Vec<String>, Vec<u8>)>) -> Result<Self> {
        let all: Vec<u8> = files
            .iter()
            .flat_map(|(_, content)| content)
            .copied()
            .collect();
        let text = pack(&all).map_err(|error| format!("packing: {error}"))?;
        let files = files
            .into_iter()
            .map(|(names, content)| (names, content.len()))
            .collect();
        Ok(Pack { files, text })
    }
}

/// Where each file is: its pack, its start and its end there.
pub fn places(packs: &[&Pack]) -> Map<String, Value> {
    let mut places = Map::new();
    for (index, pack) in packs.iter().enumerate() {
        let mut start = 0;
        for (names, length) in &pack.files {
            let end = start + length;
            for name in names {
                places.insert(name.clone(), json!([index, start, end]));
            }
            start = end;
        }
    }
    places
}

/// The text for some bytes.
fn pack(content: &[u8]) -> io::Result<String> {
    Ok(text(&deflate(content)?))
}

/// One pass: fifteen, as is usual, would take four times as long and a quarter of a percent off.
fn deflate(content: &[u8]) -> io::Result<Vec<u8>> {
    let options = Options {
        iteration_count: NonZeroU64::MIN,
        ..Options::default()
    };
    let mut out = Vec::new();
    zopfli::compress(options, Format::Deflate, content, &mut out)?;
    Ok(out)
}

fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 16 / 13 + 2);
    let (mut held, mut bits) = (0_u32, 0);
    for byte in bytes {
        held |= u32::from(*byte) << bits;
        bits += 8;
        if bits >= 13 {
            let both = held & 0x1fff;
            text.extend([sign(both % SIGNS), sign(both / SIGNS)]);
            held >>= 13;
            bits -= 13;
        }
    }
    // Nothing is added that would be read as one more byte.
    match bits {
        0 => {}
        1..=6 => text.push(sign(held)),
        _ => text.extend([sign(held % SIGNS), sign(held / SIGNS)]),
    }
    text
}

/// The signs are those of ASCII from `#` on, with others for `<`, which could end a script, and for
/// the backslash.
fn sign(value: u32) -> char {
    match char::from_u32(u32::from('#') + value) {
        Some('<') => '!',
        Some('\\') | None => '~',
        Some(sign) => sign,
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use flate2::read::DeflateDecoder;
    use std::io::Read;

    /// What `single.js` does.
    fn bytes(text: &str) -> Vec<u8> {
        let value = |sign: u8| match sign {
            b'!' => u32::from(b'<' - b'#'),
            b'~' => u32::from(b'\\' - b'#'),
            _ => u32::from(sign - b'#'),
        };
        let mut out = Vec::new();
        let (mut held, mut bits) = (0, 0);
        for pair in text.as_bytes().chunks(2) {
            held |= (value(pair[0]) + SIGNS * pair.get(1).map_or(0, |s| value(*s))) << bits;
            bits += 13;
            while bits > 7 {
                out.push((held & 0xff) as u8);
                held >>= 8;
                bits -= 8;
            }
        }
        out.truncate(text.len() * 13 / 16);
        out
    }

    /// The bytes of a packed text.
    pub fn unpack(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        DeflateDecoder::new(&*bytes(text))
            .read_to_end(&mut out)
            .unwrap();
        out
    }

    #[test]
    fn any_bytes_are_a_text_of_their_own() {
        let all: Vec<u8> = (0..=255).rev().cycle().take(1000).collect();
        for length in 0..all.len() {
            let given = &all[..length];
            assert_eq!(bytes(&text(given)), given, "{length}");
        }
    }

    #[test]
    fn the_text_needs_no_escape() {
        let all: Vec<u8> = (0..60_000_u32).map(|n| (n * n / 7) as u8).collect();
        let text = text(&all);
        assert!(text.bytes().all(|sign| (b'!'..=b'~').contains(&sign)));
        assert!(!text.contains(['<', '\\', '"']));
        assert!(text.len() <= all.len() * 16 / 13 + 2);
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        let text = "client A pauses. ".repeat(99);
        let packed = pack(text.as_bytes()).unwrap();
        assert!(packed.len() < 80, "{packed}");
        assert_eq!(unpack(&packed), text.as_bytes());
    }
}
