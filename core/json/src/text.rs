//! JSON strings: decoding, quoting, and the surrogates that JavaScript lets through.

#![expect(clippy::inline_always, reason = "what is not inlined is not built for the processor that was found")]

use std::borrow::Cow;
use std::fmt::Write as _;

use super::scan::{Seen, Simd, by_processor, is_short_and_plain};

/// Decodes the inside of a proved JSON string (no quotes). Borrows when nothing is escaped. A lone surrogate becomes
/// U+FFFD, since no Rust string, and no provider's parser, can hold it.
///
/// ```
/// use wirecanon_json::decode;
///
/// assert_eq!(decode(r"a\n\u00e9"), "a\n\u{e9}");
/// assert_eq!(decode(r"\ud800"), "\u{fffd}");
/// ```
pub fn decode(inner: &str) -> Cow<'_, str> {
    let Some(next) = memchr::memchr(b'\\', inner.as_bytes()) else { return Cow::Borrowed(inner) };
    let mut out = String::with_capacity(inner.len());
    decode_from(inner, next, &mut out);
    Cow::Owned(out)
}

/// Decodes into a string, whose first escape is at `next`.
fn decode_from(inner: &str, next: usize, out: &mut String) {
    by_processor!(simd => decode_from_by(simd, inner, next, out));
}

#[inline(always)]
fn decode_from_by<S: Simd>(simd: S, inner: &str, mut next: usize, out: &mut String) {
    let (mut from, mut seen) = (0, Seen::default());
    while next < inner.len() {
        out.push_str(&inner[from..next]);
        let (character, length) = escape(&inner[next + 1..]);
        out.push(character);
        from = next + 1 + length;
        // In a proved string nothing but an escape is not plain.
        next = seen.plain_until(simd, inner.as_bytes(), from);
    }
    out.push_str(&inner[from..]);
}

/// Whether the inside of a proved JSON string decodes to this text. Copies nothing.
pub(super) fn decodes_to(inner: &str, text: &str) -> bool {
    by_processor!(simd => decodes_to_by(simd, inner, text))
}

#[inline(always)]
fn decodes_to_by<S: Simd>(simd: S, inner: &str, mut text: &str) -> bool {
    let (mut from, mut seen) = (0, Seen::default());
    loop {
        let next = seen.plain_until(simd, inner.as_bytes(), from);
        let Some(behind) = text.strip_prefix(&inner[from..next]) else { return false };
        if next == inner.len() {
            return behind.is_empty();
        }
        let (character, length) = escape(&inner[next + 1..]);
        let Some(behind) = behind.strip_prefix(character) else { return false };
        text = behind;
        from = next + 1 + length;
    }
}

/// The characters that the inside of a proved JSON string stands for.
pub(super) fn characters(inner: &str) -> impl Iterator<Item = char> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &inner[at..];
        let (character, length) = match rest.strip_prefix('\\') {
            Some(behind) => {
                let (character, length) = escape(behind);
                (character, length + 1)
            }
            None => rest.chars().next().map(|character| (character, character.len_utf8()))?,
        };
        at += length;
        Some(character)
    })
}

/// What an escape stands for, and its length, without the backslash in front.
fn escape(text: &str) -> (char, usize) {
    match text.as_bytes()[0] {
        b'b' => ('\u{8}', 1),
        b'f' => ('\u{c}', 1),
        b'n' => ('\n', 1),
        b'r' => ('\r', 1),
        b't' => ('\t', 1),
        b'u' => {
            let (character, length) = unicode(text);
            (character.unwrap_or('\u{FFFD}'), length)
        }
        plain => (char::from(plain), 1),
    }
}

/// The character that `uXXXX`, or `uXXXX\uXXXX`, stands for, and the length of its spelling; `None` for a lone surrogate.
fn unicode(text: &str) -> (Option<char>, usize) {
    let unit = |at: usize| text.get(at..at + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let high = unit(1).unwrap_or(0xFFFD);
    if (0xD800..0xDC00).contains(&high)
        && text.get(5..7) == Some("\\u")
        && let Some(low) = unit(7).filter(|low| (0xDC00..0xE000).contains(low))
    {
        return (char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), 11);
    }
    (char::from_u32(high), 5)
}

/// Whether the inside of a proved JSON string is its own decoded form.
///
/// ```
/// use wirecanon_json::escape_free;
///
/// assert!(escape_free("plain") && !escape_free(r"a\n"));
/// ```
pub fn escape_free(inner: &str) -> bool {
    memchr::memchr(b'\\', inner.as_bytes()).is_none()
}

/// Whether a proved JSON text (a string or any other value) holds a lone surrogate escape.
///
/// ```
/// use wirecanon_json::has_lone_surrogate;
///
/// assert!(has_lone_surrogate(r#""\ud83d""#));
/// assert!(!has_lone_surrogate(r#""\ud83d\ude00""#), "both halves of a face");
/// ```
pub fn has_lone_surrogate(json: &str) -> bool {
    lone_surrogates(json).next().is_some()
}

/// The JSON text on one line: line breaks between its tokens are left out, and within strings there are none. Borrows when there
/// is none at all. Linear.
///
/// ```
/// use wirecanon_json::on_one_line;
///
/// assert_eq!(on_one_line("{\n  \"a\": \"b\\nc\"\r\n}"), r#"{  "a": "b\nc"}"#);
/// ```
pub fn on_one_line(json: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', json.as_bytes()).is_none() {
        return Cow::Borrowed(json);
    }
    Cow::Owned(json.chars().filter(|c| !matches!(c, '\n' | '\r')).collect())
}

/// The JSON text with each lone surrogate escape replaced by `\ufffd`. Borrows when there is none.
///
/// ```
/// use wirecanon_json::mend_surrogates;
///
/// assert_eq!(mend_surrogates(r#"{"a":"\ud83d!"}"#), r#"{"a":"\ufffd!"}"#);
/// ```
pub fn mend_surrogates(json: &str) -> Cow<'_, str> {
    let mut places = lone_surrogates(json).peekable();
    if places.peek().is_none() {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    let mut from = 0;
    for at in places {
        out.push_str(&json[from..at]);
        out.push_str("\\ufffd");
        from = at + 6;
    }
    out.push_str(&json[from..]);
    Cow::Owned(out)
}

/// Offsets of the `\uXXXX` escapes in a proved JSON text that are surrogates without their other half.
fn lone_surrogates(json: &str) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(found) = memchr::memchr(b'\\', &json.as_bytes()[at..]) {
            let place = at + found;
            if json.as_bytes().get(place + 1) == Some(&b'u') {
                let (character, length) = unicode(&json[place + 1..]);
                at = place + 1 + length;
                if character.is_none() {
                    return Some(place);
                }
            } else {
                // A backslash is ASCII, and in a proved text so is the character it escapes.
                at = place + 2;
            }
        }
        None
    })
}

/// `text` as a JSON string with its quotes, escaping only what JSON must have escaped.
///
/// ```
/// use wirecanon_json::quote;
///
/// assert_eq!(quote("say \"hi\"\n"), r#""say \"hi\"\n""#);
/// ```
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote_into(&mut out, text);
    out
}

/// Appends `text` as a JSON string with its quotes.
///
/// ```
/// use wirecanon_json::quote_into;
///
/// let mut out = "{\"a\":".to_owned();
/// quote_into(&mut out, "b");
/// assert_eq!(out, r#"{"a":"b""#);
/// ```
pub fn quote_into(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    if is_short_and_plain(text.as_bytes()) {
        out.push_str(text);
        out.push('"');
        return;
    }
    by_processor!(simd => quote_into_by(simd, out, text));
    out.push('"');
}

/// Appends what stands between the quotes.
#[inline(always)]
fn quote_into_by<S: Simd>(simd: S, out: &mut String, text: &str) {
    let (mut from, mut seen) = (0, Seen::default());
    loop {
        let at = seen.plain_until(simd, text.as_bytes(), from);
        out.push_str(&text[from..at]);
        let Some(byte) = text.as_bytes().get(at) else { break };
        from = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            control => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{control:04x}");
            }
        }
    }
}
