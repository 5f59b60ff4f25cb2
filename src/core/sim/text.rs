//! Numbers as text and texts joined, without the machinery of `format!`.

/// The pieces in one string.
#[inline(never)]
pub fn join(pieces: &[&str]) -> String {
    let mut out = String::new();
    for piece in pieces {
        out.push_str(piece);
    }
    out
}

/// Appends a whole number.
pub fn integer(out: &mut String, value: u64) {
    if value >= 10 {
        integer(out, value / 10);
    }
    out.push((b'0' + (value % 10) as u8) as char);
}

/// A whole number as text.
#[inline(never)]
pub fn whole(value: u64) -> String {
    let mut out = String::new();
    integer(&mut out, value);
    out
}

/// A clock's seconds as text; those of the simulation are far within 64 bits.
#[inline(never)]
pub fn signed(secs: i128) -> String {
    let size = whole(secs.unsigned_abs() as u64);
    if secs < 0 { join(&["-", &size]) } else { size }
}
