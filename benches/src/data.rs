//! The data sets that the tables of `docs/performance.md` are made from: transcripts of a size, in `openai.chat`.
//!
//! All of them are made of the same exchanges: a question, a turn with two calls, their results, an answer. What differs is
//! what stands in the strings, and what is wrong.

use std::fmt::Write;

/// What the strings of a data set hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Prose, source code, listings: a few escapes in each line
    Text,
    /// Every third character is an escape
    Escapes,
    /// Text, and one message of twenty holds a picture of 50 kB
    Images,
    /// Pictures of 500 kB, and hardly anything else
    OnlyImages,
}

/// What is wrong with a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing
    None,
    /// One message of a hundred
    OneInAHundred,
    /// Every message
    Every,
}

/// A data set and its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataSet {
    /// Its file, without `.json`
    pub name: &'static str,
    /// What its strings hold
    pub content: Content,
    /// What is wrong with it
    pub fault: Fault,
}

/// Every data set.
pub const ALL: &[DataSet] = &[
    DataSet { name: "text", content: Content::Text, fault: Fault::None },
    DataSet { name: "escapes", content: Content::Escapes, fault: Fault::None },
    DataSet { name: "images", content: Content::Images, fault: Fault::None },
    DataSet { name: "only-images", content: Content::OnlyImages, fault: Fault::None },
    DataSet { name: "text-one-defect", content: Content::Text, fault: Fault::OneInAHundred },
    DataSet { name: "text-broken", content: Content::Text, fault: Fault::Every },
];

/// Messages in one exchange: the user, a turn of two calls, their results, an answer.
const EXCHANGE: usize = 5;

/// A transcript of about this many bytes, and how many messages it has. The same on every machine.
pub fn make(set: DataSet, bytes: usize) -> (Vec<u8>, usize) {
    let mut words = Words::new();
    let mut out = String::with_capacity(bytes + (1 << 20));
    out.push_str("{\"messages\":[");
    let mut messages = 0;
    while out.len() < bytes || messages == 0 {
        if messages > 0 {
            out.push(',');
        }
        let broken = match set.fault {
            Fault::None => false,
            // An exchange has five messages, and one of them is broken. The second exchange is, so that short transcripts have one.
            Fault::OneInAHundred => messages / EXCHANGE % 20 == 1,
            Fault::Every => true,
        };
        exchange(&mut out, &mut words, set, messages / EXCHANGE, broken);
        messages += EXCHANGE;
    }
    out.push_str("]}\n");
    (out.into_bytes(), messages)
}

fn exchange(out: &mut String, words: &mut Words, set: DataSet, number: usize, broken: bool) {
    let every = set.fault == Fault::Every;
    let picture = match set.content {
        // Four exchanges are twenty messages.
        Content::Images if number.is_multiple_of(4) => 50_000,
        Content::OnlyImages => 500_000,
        _ => 0,
    };
    out.push_str(r#"{"role":"user","content":"#);
    if picture > 0 {
        out.push_str(r#"[{"type":"text","text":""#);
        prose(out, words, set.content, 300);
        out.push_str(r#""},{"type":"image_url","image_url":{"url":"data:image/png;base64,"#);
        out.push_str(&words.picture(picture));
        out.push_str("\"}}]}");
    } else if every {
        // The block of another provider.
        out.push_str(r#"[{"type":"input_text","text":""#);
        prose(out, words, set.content, 300);
        out.push_str("\"}]}");
    } else {
        out.push('"');
        prose(out, words, set.content, 300);
        out.push_str("\"}");
    }
    out.push_str(r#",{"role":"assistant","content":""#);
    prose(out, words, set.content, 120);
    out.push_str(r#"","tool_calls":["#);
    for letter in ['a', 'b'] {
        let path = words.text(12).replace(' ', "/");
        let comma = if letter == 'a' { "," } else { "" };
        // Arguments are a string of JSON; an object in their place is the commonest fault.
        let arguments = if broken && letter == 'a' {
            format!(r#"{{"path":"{path}.rs","lines":200}}"#)
        } else {
            format!(r#""{{\"path\":\"{path}.rs\",\"lines\":200}}""#)
        };
        put(
            out,
            format_args!(
                r#"{{"id":"call_{number}{letter}","type":"function","function":{{"name":"read","arguments":{arguments}}}}}{comma}"#
            ),
        );
    }
    out.push_str("]}");
    for (letter, length) in [('a', 1200), ('b', 600)] {
        // The id under the name that another provider has for it.
        let key = if every { "tool_use_id" } else { "tool_call_id" };
        put(out, format_args!(r#",{{"role":"tool","{key}":"call_{number}{letter}","content":""#));
        code(out, words, set.content, length);
        out.push_str("\"}");
    }
    // An old name of the role.
    let role = if every { "model" } else { "assistant" };
    put(out, format_args!(r#",{{"role":"{role}","content":""#));
    prose(out, words, set.content, 900);
    out.push_str("\"}");
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = out.write_fmt(text);
}

/// Sentences and paragraphs of about this length, now and then with a word that is not ASCII.
fn prose(out: &mut String, words: &mut Words, content: Content, length: usize) {
    if content == Content::Escapes {
        return dense(out, words, length);
    }
    let end = out.len() + length;
    while out.len() < end {
        for _ in 0..9 {
            out.push_str(words.common());
            out.push(' ');
        }
        out.push_str(match words.next() % 8 {
            0 => "naïve.\\n\\n",
            1 => "— \\\"so it says\\\".\\n",
            _ => "again. ",
        });
    }
}

/// Lines of source code and of listings of about this length.
fn code(out: &mut String, words: &mut Words, content: Content, length: usize) {
    if content == Content::Escapes {
        return dense(out, words, length);
    }
    let end = out.len() + length;
    while out.len() < end {
        let (name, other) = (words.common(), words.common());
        let number = words.next() % 1000;
        match number % 4 {
            0 => put(out, format_args!("    let {name} = self.{other}(\\\"{number}\\\")?;\\n")),
            1 => put(out, format_args!("-rw-r--r-- 1 root root {number}42 Nov 22 16:05 {name}_{other}.rs\\n")),
            2 => put(
                out,
                format_args!("        // {name}: the {other} of {number} lines is looked at once, see below\\n"),
            ),
            _ => put(out, format_args!("    if {name} > {number} {{ return {other}.len() + {name}; }}\\n")),
        }
    }
}

/// About this many bytes in which every third character is an escape, of every kind.
fn dense(out: &mut String, words: &mut Words, length: usize) {
    const ESCAPES: [&str; 8] = ["\\n", "\\\"", "\\\\", "\\t", "\\u00e9", "\\ud83d\\ude00", "\\/", "\\u4f60"];
    let end = out.len() + length;
    while out.len() < end {
        let bits = words.next();
        for place in 0..4 {
            out.push(char::from(b'a' + (bits >> (5 * place)) as u8 % 26));
            out.push(char::from(b'a' + (bits >> (5 * place + 2)) as u8 % 26));
            out.push_str(ESCAPES[(bits >> (3 * place + 24)) as usize % ESCAPES.len()]);
        }
    }
}

/// A source of text; xorshift, for it only has to be the same everywhere.
struct Words {
    state: u64,
    common: Vec<&'static str>,
}

/// Words as they stand in the talk of people and agents.
const COMMON: &str = "the of and to file in is that test for it with result on this call by message from not or error which are \
    function was path value line would there change what about read when write more server if no out request so answer up because \
    directory";

impl Words {
    fn new() -> Self {
        Self { state: 0x5eed, common: COMMON.split(' ').collect() }
    }

    /// One word.
    fn common(&mut self) -> &'static str {
        let at = self.next() as usize % self.common.len();
        self.common[at]
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// About `length` letters of prose, already escaped for JSON.
    fn text(&mut self, length: usize) -> String {
        let mut out = String::with_capacity(length + 8);
        while out.len() < length {
            let letters = self.next();
            out.extend((0..3 + letters % 6).map(|place| char::from(b'a' + (letters >> (5 * place + 3)) as u8 % 26)));
            if out.len() < length {
                out.push(' ');
            }
        }
        out
    }

    /// Base64 that looks like a picture, of so many symbols: a multiple of eight.
    fn picture(&mut self, symbols: usize) -> String {
        const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = String::with_capacity(symbols);
        out.push_str("iVBORw0KGgoAAAAN");
        while out.len() < symbols {
            let letters = self.next();
            out.extend((0..8).map(|place| char::from(ALPHABET[(letters >> (6 * place) & 63) as usize])));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use wirecanon_core::json::Limits;
    use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix};

    use super::*;

    #[test]
    fn clean_is_clean_and_broken_is_real_work() {
        for set in ALL {
            let (bytes, _) = make(*set, 200_000);
            assert_eq!(bytes, make(*set, 200_000).0, "not the same twice");
            let (target, clean) = (Target::of_dialect(Dialect::OpenAiChat), set.fault == Fault::None);
            let options = CheckOptions { target, mode: Mode::Request, fragment: false, limits: Limits::default() };
            let found = check(&bytes, &options).unwrap().violations;
            assert_eq!(found.is_empty(), clean, "{set:?}: {:?}", found.first());
            let options = Options { from: From::Dialect(Dialect::OpenAiChat), to: Some(target), ..Options::default() };
            let fixed = fix(&bytes, &options).unwrap();
            assert_eq!(fixed.report.repairs.is_empty(), clean, "{set:?}");
            assert_eq!(*fixed.output == *bytes, clean, "{set:?}");
        }
    }
}
