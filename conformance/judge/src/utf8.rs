//! Bytes that are no text: which, and where they stand.

use std::fmt::{self, Write};
use std::str::Utf8Error;

/// Bytes of a sequence that are spelled out.
const SPELLED: usize = 4;

/// What to do with a text that [`is_wide`].
pub const WIDE: &str = "this looks like UTF-16, which has to be saved as UTF-8";

/// Whether a text begins as one in UTF-16 does: with its mark, or with a character of which every other byte is none.
pub fn is_wide(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [some, 0, more, 0, ..] | [0, some, 0, more, ..] => *some != 0 && *more != 0,
        _ => false,
    }
}

/// The first bytes of a text that are not UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUtf8 {
    /// How many bytes stand before them
    pub offset: usize,
    /// Line, from 1
    pub line: usize,
    /// Column in characters, from 1
    pub column: usize,
    /// The bytes
    pub bytes: Vec<u8>,
    /// Whether the text begins as one in UTF-16 does
    pub wide: bool,
}

/// These bytes as a text.
///
/// # Errors
///
/// The first bytes that are none.
pub fn text(bytes: &[u8]) -> Result<&str, NotUtf8> {
    std::str::from_utf8(bytes).map_err(|error| NotUtf8::at(bytes, error))
}

/// These bytes as a text, and what is left of a character in which they break off, as a program that was killed while it wrote leaves it.
///
/// # Errors
///
/// As [`text`], where more than the end is none.
pub fn text_and_rest(bytes: &[u8]) -> Result<(&str, &[u8]), NotUtf8> {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => {
            let (whole, rest) = bytes.split_at(error.valid_up_to());
            Ok((text(whole)?, rest))
        }
        _ => text(bytes).map(|text| (text, &[][..])),
    }
}

impl NotUtf8 {
    fn at(bytes: &[u8], error: Utf8Error) -> Self {
        let offset = error.valid_up_to();
        let lines = bytes[..offset].split(|byte| *byte == b'\n');
        let (line, before) = lines.enumerate().last().unwrap_or_default();
        let before = String::from_utf8_lossy(before);
        let (line, column) = (line + 1, 1 + before.trim_start_matches('\u{feff}').chars().count());
        // What breaks off has no length.
        let length = error.error_len().unwrap_or(bytes.len() - offset);
        let wide = is_wide(bytes);
        Self { offset, line, column, bytes: bytes[offset..offset + length].to_vec(), wide }
    }
}

impl fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, line, column, bytes, wide } = self;
        let (spelled, is) = (escaped(&bytes[..bytes.len().min(SPELLED)]), if bytes.len() == 1 { "is" } else { "are" });
        write!(f, "line {line}, column {column} (byte {offset}): {spelled} {is} not UTF-8")?;
        if *wide { write!(f, "; {WIDE}") } else { Ok(()) }
    }
}

/// A text with each byte that is not UTF-8 spelled out.
pub fn escaped(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // A string takes all that is written to it.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_bytes_is_told() {
        let said = |bytes: &[u8]| text(bytes).err().map(|found| found.to_string());
        assert_eq!(said("nö".as_bytes()), None);
        assert_eq!(said(b"\xff").as_deref(), Some("line 1, column 1 (byte 0): \\xff is not UTF-8"));
        assert_eq!(
            said(b"a\nn\xc3\xb6 \xe2\x82 b\n").as_deref(),
            Some("line 2, column 4 (byte 6): \\xe2\\x82 are not UTF-8")
        );
        assert_eq!(said(b"ab\xf0\x9f").as_deref(), Some("line 1, column 3 (byte 2): \\xf0\\x9f are not UTF-8"));
        assert!(said(b"\xff\xfe{\0").is_some_and(|said| said.contains("UTF-16")));
        assert!(is_wide(b"[\0]\0") && is_wide(b"\0[\0]") && !is_wide(b"[]\0\0") && !is_wide(b"\0\0\0\0"));
        assert_eq!(text_and_rest(b"ab\xf0\x9f").ok(), Some(("ab", &b"\xf0\x9f"[..])));
        assert_eq!(text_and_rest(b"ab").ok(), Some(("ab", &b""[..])));
        assert!(text_and_rest(b"a\xffb\xf0").is_err() && text_and_rest(b"\xf0").is_err());
        assert_eq!(escaped(b"a\xffb\xe2\x82c\xc3\xb6"), "a\\xffb\\xe2\\x82cö");
    }
}
