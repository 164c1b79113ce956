//! Words of others on a line of ours: file names, keys of a transcript, names of testees, titles of cases.
//!
//! A terminal obeys some characters, and a log of GitHub Actions obeys a line that begins with `::`. So none of those stays: not what
//! controls, not what ends a line, not what turns its direction.

use std::borrow::Cow;

/// The text on one line, which nothing obeys: a space for each character that would be.
///
/// ```
/// use wirecanon::plain::plain;
///
/// assert_eq!(plain("a\n::error::b\u{1b}]0;c\u{7}\u{202e}d"), "a ::error::b ]0;c  d");
/// ```
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_obeyed) {
        Cow::Owned(text.chars().map(|c| if is_obeyed(c) { ' ' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The same, cut at `limit` characters.
///
/// ```
/// assert_eq!(wirecanon::plain::shorten("a\tlong text", 6), "a long…");
/// ```
pub fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", plain(&text[..end])),
        None => plain(text).into_owned(),
    }
}

/// Whether a terminal does something else with it than to show it, or a reader of lines sees two.
pub fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}
