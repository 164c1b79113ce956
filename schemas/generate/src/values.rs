//! Words, names, ids and arguments.

use super::node::{COMPACT, Node, object, print, raw};
use super::{Config, Draw};

const WORDS: &[&str] = &["the", "file", "reads", "as", "expected", "now", "run", "tests", "again", "and", "report"];
const UNICODE: &[&str] =
    &["naïve", "日本語", "🦀", "e\u{301}", "\u{200b}", "مرحبا", "\u{7f}", "\u{fffd}", "𝒳", "\u{feff}"];
const ODD: &[&str] = &[
    "\"quoted\"",
    "C:\\bin",
    "{\"a\": 1}",
    "<tool_call>",
    "a/b",
    "line\nline",
    "tab\there",
    "%20",
    "Error: not found",
];

/// A text that holds `token`. It neither opens nor closes with white space.
pub(crate) fn text(draw: &mut Draw<'_, '_>, config: &Config, token: &str) -> String {
    let mut out = String::new();
    for _ in 0..draw.up_to(4) {
        let word = match draw.up_to(5) {
            4 if config.unicode => draw.pick(UNICODE),
            5 => draw.pick(ODD),
            _ => draw.pick(WORDS),
        };
        out.push_str(word);
        out.push(' ');
    }
    if config.long_texts && draw.chance(1, 4) {
        let times = draw.up_to(30);
        out.extend(core::iter::repeat_n("lorem ipsum dolor ", times));
    }
    out.push_str(token);
    out
}

/// A call id that has not been used: the number makes it so.
pub(crate) fn id(draw: &mut Draw<'_, '_>, config: &Config, letter: char, number: usize) -> String {
    if config.strict {
        return match draw.up_to(3) {
            0 => format!("call_{letter}{number}"),
            1 => format!("toolu_01{letter}Zz{number}"),
            2 => format!("{letter}-{number}"),
            _ => format!("chatcmpl-tool-{letter}0000000000{number}"),
        };
    }
    match draw.up_to(6) {
        0 => format!("call_{letter}{number}"),
        1 => format!("functions.read:{letter}{number}"),
        2 => format!("{letter}{number}:{}", "x".repeat(60)),
        3 => format!("{letter}.{}", number / 2 * 2 + usize::from(number % 2 == 1)),
        4 => format!("{letter}_{}", number.saturating_sub(1)),
        5 => format!("ключ-{letter}{number}"),
        _ => format!("{letter}:{number}"),
    }
}

/// A name of the characters that every server takes.
pub(crate) fn usual_name(draw: &mut Draw<'_, '_>, _: &Config) -> String {
    draw.pick(&["read", "bash", "web_search", "mcp__fs__read-file", "x", "Edit"]).to_owned()
}

/// A tool name; the same one may come again.
pub(crate) fn name(draw: &mut Draw<'_, '_>, config: &Config) -> String {
    if config.strict {
        return usual_name(draw, config);
    }
    let loose =
        ["read", "fs.read", "fs_read", "fs:read", "functions.read", "web search", "чтение", "mcp.fs/read-file", "x"];
    if draw.chance(1, 8) { "long_".repeat(20) + draw.pick(&loose) } else { draw.pick(&loose).to_owned() }
}

/// Exact JSON text of an object that holds `token`.
pub(crate) fn arguments(draw: &mut Draw<'_, '_>, config: &Config, token: &str) -> String {
    let mut members = vec![("q".to_owned(), Node::from(token))];
    for number in 0..draw.up_to(4) {
        let value = match draw.up_to(7) {
            0 => Node::from(draw.pick(WORDS)),
            1 if config.numbers => {
                let odd = ["9007199254740993", "1.0", "1e2", "-0", "1E-7", "123456789012345678901234567890", "0.10"];
                Node::Raw(draw.pick(&odd).to_owned())
            }
            1 => Node::Raw(draw.up_to(999).to_string()),
            2 => Node::Array(vec![Node::Null, Node::Bool(true), Node::Array(vec![]), Node::Object(vec![])]),
            3 => object([("z", Node::from("last first")), ("a", Node::from("")), ("10", raw("1"))]),
            4 if config.unicode => Node::from(draw.pick(UNICODE)),
            5 => Node::from(draw.pick(ODD)),
            // JSON inside JSON, to be left alone.
            6 => Node::from(r#"{"type":"image","data":""}"#),
            _ => Node::Bool(false),
        };
        // Numbers run down, so that sorting the keys would show.
        members.insert(draw.up_to(1), (format!("k{}", 9 - number), value));
    }
    let text = print(&Node::Object(members), COMPACT);
    if draw.chance(1, 4) { text.replace("\",\"", "\", \"").replacen(':', ": ", 1) } else { text }
}
