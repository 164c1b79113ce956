//! Words of others on a line of ours: file names, keys of a transcript, names of testees, titles of cases.
//!
//! A terminal obeys some characters, and a log of GitHub Actions obeys a line that begins with `::`. So none of those stays: not what
//! controls, not what ends a line, not what turns its direction.

use std::borrow::Cow;
use std::fmt::Display;

/// The text on one line, which nothing obeys: a space for each character that would be.
///
/// ```
/// use wirecanon_judge::plain::plain;
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
/// assert_eq!(wirecanon_judge::plain::shorten("a\tlong text", 6), "a long…");
/// ```
pub fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", plain(&text[..end])),
        None => plain(text).into_owned(),
    }
}

/// A number of things, which have an `s` where they are many.
///
/// ```
/// use wirecanon_judge::plain::count;
///
/// assert_eq!([count(1, "call"), count(2, "call")], ["1 call", "2 calls"]);
/// ```
pub fn count(number: impl Copy + Display, thing: &str) -> String {
    let number = number.to_string();
    let ending = if number == "1" { "" } else { "s" };
    format!("{number} {thing}{ending}")
}

/// A message of some lines, with words of others in it, of which nothing is obeyed but our own colours.
///
/// ```
/// use wirecanon_judge::plain::in_lines;
///
/// assert_eq!(in_lines("\u{1b}[1ma\u{1b}[0m\u{7}\n::error::b\u{1b}]c"), "\u{1b}[1ma\u{1b}[0m \n| ::error::b ]c");
/// ```
pub fn in_lines(message: &str) -> String {
    let mut lines = Vec::new();
    for (number, line) in message.split('\n').enumerate() {
        let line = plain_but_for_colours(line);
        let is_command = number > 0 && line.trim_start().starts_with("::");
        lines.push(if is_command { format!("| {line}") } else { line });
    }
    lines.join("\n")
}

/// One line of it.
fn plain_but_for_colours(line: &str) -> String {
    let mut said = String::new();
    for (number, part) in line.split('\u{1b}').enumerate() {
        let colour = part.strip_prefix('[').and_then(|rest| rest.split_once('m'));
        match colour.filter(|(style, _)| style.bytes().all(|byte| byte.is_ascii_digit() || byte == b';')) {
            Some((style, rest)) if number > 0 => {
                said.extend(["\u{1b}[", style, "m"]);
                said.push_str(&plain(rest));
            }
            _ => {
                said.push_str(if number > 0 { " " } else { "" });
                said.push_str(&plain(part));
            }
        }
    }
    said
}

/// Whether a text can be what something of ours is called, as a rule, a class or a target: then it is shown as it stands, in Markdown and on
/// pages too.
///
/// ```
/// use wirecanon_judge::plain::is_name;
///
/// assert!(is_name("orphan-tool-result") && is_name("mcp.prompt@2025-11-25") && is_name("my server"));
/// assert!(!is_name("<img src=x>") && !is_name("a\n::error::b") && !is_name(""));
/// ```
pub fn is_name(text: &str) -> bool {
    let is_markup = |c: char| "<>&|`\"'".contains(c);
    !text.trim().is_empty() && text.len() <= 400 && !text.chars().any(|c| is_obeyed(c) || is_markup(c))
}

/// Both ends of a text that may be long, in so many bytes: how an error begins, and where it ends with what is wrong.
///
/// ```
/// use wirecanon_judge::plain::ends;
///
/// assert_eq!(ends("short".to_owned(), 20), "short");
/// assert_eq!(ends("a".repeat(50) + &"b".repeat(50), 20), "aaaaa … bbbbbbbbbb");
/// ```
pub fn ends(text: String, limit: usize) -> String {
    if text.len() <= limit {
        return text;
    }
    let (mut front, mut back) = (limit / 4, text.len() - limit / 2);
    while !text.is_char_boundary(front) {
        front -= 1;
    }
    while !text.is_char_boundary(back) {
        back += 1;
    }
    format!("{} … {}", &text[..front], &text[back..])
}

/// Whether a terminal does something else with it than to show it, or a reader of lines sees two.
pub fn is_obeyed(c: char) -> bool {
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}');
    // What no text may hold is no part of XML either.
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}
