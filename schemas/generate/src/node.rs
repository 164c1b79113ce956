//! JSON that can also be odd: duplicate keys, lone surrogates, numbers of any length.

use super::Draw;

/// One JSON value, in the order it will be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    /// Exact JSON text of anything, written as it is
    Raw(String),
    String(String),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl From<&String> for Node {
    fn from(text: &String) -> Self {
        Self::String(text.clone())
    }
}

impl From<bool> for Node {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<Vec<Node>> for Node {
    fn from(items: Vec<Node>) -> Self {
        Self::Array(items)
    }
}

impl From<Vec<(String, Node)>> for Node {
    fn from(members: Vec<(String, Node)>) -> Self {
        Self::Object(members)
    }
}

/// An object with these members.
pub(crate) fn object<const N: usize>(members: [(&str, impl Into<Node>); N]) -> Node {
    Node::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect())
}

/// This JSON text, written as it is.
pub(crate) fn raw(text: impl Into<String>) -> Node {
    Node::Raw(text.into())
}

/// White space and escapes of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Between values
    space: Space,
    /// Characters beyond ASCII as `\u` escapes
    ascii: bool,
    /// `/` as `\/`
    solidus: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    None,
    /// As Python writes it
    Python,
    /// Two spaces a level
    Pretty,
}

/// The style of texts inside texts.
pub(crate) const COMPACT: Style = Style { space: Space::None, ascii: false, solidus: false };

impl Style {
    pub(crate) fn draw(draw: &mut Draw<'_, '_>) -> Self {
        Self {
            space: draw.pick(&[Space::None, Space::Pretty, Space::Python]),
            ascii: draw.chance(1, 4),
            solidus: draw.chance(1, 8),
        }
    }
}

/// The JSON text of `node`.
pub(crate) fn print(node: &Node, style: Style) -> String {
    let mut out = String::new();
    write(node, style, 0, &mut out);
    out
}

// Recursion is bounded: only this crate builds nodes, a dozen levels deep.
fn write(node: &Node, style: Style, level: usize, out: &mut String) {
    match node {
        Node::Null => out.push_str("null"),
        Node::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Node::Raw(text) => out.push_str(text),
        Node::String(text) => quote(text, style, out),
        Node::Array(items) => list('[', ']', items.len(), style, level, out, |index, out| {
            write(&items[index], style, level + 1, out);
        }),
        Node::Object(members) => list('{', '}', members.len(), style, level, out, |index, out| {
            let (key, value) = &members[index];
            quote(key, style, out);
            out.push_str(if style.space == Space::None { ":" } else { ": " });
            write(value, style, level + 1, out);
        }),
    }
}

fn list(
    open: char,
    close: char,
    length: usize,
    style: Style,
    level: usize,
    out: &mut String,
    mut item: impl FnMut(usize, &mut String),
) {
    out.push(open);
    for index in 0..length {
        if index > 0 {
            out.push_str(if style.space == Space::Python { ", " } else { "," });
        }
        if style.space == Space::Pretty {
            out.push('\n');
            out.extend(core::iter::repeat_n("  ", level + 1));
        }
        item(index, out);
    }
    if length > 0 && style.space == Space::Pretty {
        out.push('\n');
        out.extend(core::iter::repeat_n("  ", level));
    }
    out.push(close);
}

/// U+E000 stands for a lone high surrogate here: no Rust string can hold a real one.
pub(crate) const LONE_SURROGATE: char = '\u{e000}';

fn quote(text: &str, style: Style, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '/' if style.solidus => out.push_str("\\/"),
            LONE_SURROGATE => out.push_str("\\ud83d"),
            c if c < ' ' => escape(u32::from(c), out),
            c if style.ascii && !c.is_ascii() => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    escape(u32::from(*unit), out);
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn escape(unit: u32, out: &mut String) {
    out.push_str("\\u");
    out.extend([12, 8, 4, 0].map(|shift| char::from_digit(unit >> shift & 15, 16).unwrap_or('0')));
}
