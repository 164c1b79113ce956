//! Transcripts to measure with: the same bytes on every machine, in the shape of an agent's working day.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod attack;
pub mod data;
pub mod long;
pub mod measure;

use std::fmt::Write;

/// A spelling that the maker writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// OpenAI Chat Completions
    OpenAiChat,
    /// Agent messages of the OpenClaw and pi-ai lineage
    OpenClaw,
}

/// What to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// How it is spelled
    pub spelling: Spelling,
    /// How many messages: a multiple of [`EXCHANGE`]
    pub messages: usize,
    /// Every exchange has a picture of about 30 kB
    pub images: bool,
    /// One exchange of five has a fault that poisons the session
    pub broken: bool,
}

/// Messages in one exchange: the user, a turn of two calls, their results, an answer.
pub const EXCHANGE: usize = 5;

/// Bytes of base64 in one picture.
const PICTURE: usize = 30_000;

/// Makes a transcript of this shape.
///
/// # Panics
///
/// When the number of messages is no multiple of [`EXCHANGE`].
pub fn transcript(shape: Shape) -> Vec<u8> {
    assert!(shape.messages.is_multiple_of(EXCHANGE), "{} is no multiple of {EXCHANGE}", shape.messages);
    let mut words = Words::new();
    let mut out = String::from("{\"messages\":[");
    for number in 0..shape.messages / EXCHANGE {
        if number > 0 {
            out.push(',');
        }
        let fault =
            if shape.broken && number % 5 == 0 { Fault::ALL[number / 5 % Fault::ALL.len()] } else { Fault::None };
        let exchange = Exchange {
            question: words.text(300),
            plan: words.text(120),
            paths: [format!("src/{}.rs", words.text(6)), format!("tests/{}.rs", words.text(6))],
            results: [words.code(1200), words.code(600)],
            answer: words.text(900),
            picture: shape.images.then(|| words.picture()),
        };
        match shape.spelling {
            Spelling::OpenAiChat => exchange.openai(number, fault, &mut out),
            Spelling::OpenClaw => exchange.openclaw(number, fault, &mut out),
        }
    }
    out.push_str("]}");
    out.into_bytes()
}

/// What is wrong with an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    SwappedResults,
    MissingResult,
    Arguments,
    DuplicateResult,
}

impl Fault {
    const ALL: [Self; 4] = [Self::SwappedResults, Self::MissingResult, Self::Arguments, Self::DuplicateResult];
}

struct Exchange {
    question: String,
    plan: String,
    paths: [String; 2],
    results: [String; 2],
    answer: String,
    picture: Option<String>,
}

impl Exchange {
    /// The places of the results, as the fault has them.
    fn order(fault: Fault) -> &'static [usize] {
        match fault {
            Fault::SwappedResults => &[1, 0],
            Fault::MissingResult => &[0],
            Fault::DuplicateResult => &[0, 1, 1],
            Fault::None | Fault::Arguments => &[0, 1],
        }
    }

    fn openai(&self, number: usize, fault: Fault, out: &mut String) {
        let Self { question, plan, paths, results, answer, picture } = self;
        match picture {
            None => add(out, format_args!(r#"{{"role":"user","content":"{question}"}},"#)),
            Some(data) => add(
                out,
                format_args!(
                    r#"{{"role":"user","content":[{{"type":"text","text":"{question}"}},{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{data}"}}}}]}},"#
                ),
            ),
        }
        let arguments = |path: &str| match fault {
            Fault::Arguments => format!(r#"{{"path":"{path}","lines":200}}"#),
            _ => format!(r#""{{\"path\":\"{path}\",\"lines\":200}}""#),
        };
        add(
            out,
            format_args!(
                r#"{{"role":"assistant","content":"{plan}","tool_calls":[{{"id":"call_{number}a","type":"function","function":{{"name":"read","arguments":{}}}}},{{"id":"call_{number}b","type":"function","function":{{"name":"read","arguments":{}}}}}]}},"#,
                arguments(&paths[0]),
                arguments(&paths[1]),
            ),
        );
        for place in Self::order(fault) {
            let letter = ['a', 'b'][*place];
            let text = &results[*place];
            add(out, format_args!(r#"{{"role":"tool","tool_call_id":"call_{number}{letter}","content":"{text}"}},"#));
        }
        add(out, format_args!(r#"{{"role":"assistant","content":"{answer}"}}"#));
    }

    fn openclaw(&self, number: usize, fault: Fault, out: &mut String) {
        let Self { question, plan, paths, results, answer, picture } = self;
        let time = 1_760_000_000_000 + number as u64 * 60_000;
        add(out, format_args!(r#"{{"role":"user","content":"{question}","timestamp":{time}}},"#));
        let arguments = |path: &str| match fault {
            Fault::Arguments => format!(r#""{{\"path\":\"{path}\",\"lines\":200}}""#),
            _ => format!(r#"{{"path":"{path}","lines":200}}"#),
        };
        add(
            out,
            format_args!(
                r#"{{"role":"assistant","content":[{{"type":"text","text":"{plan}"}},{{"type":"toolCall","id":"call_{number}a","name":"read","arguments":{}}},{{"type":"toolCall","id":"call_{number}b","name":"read","arguments":{}}}],"stopReason":"toolUse","timestamp":{time}}},"#,
                arguments(&paths[0]),
                arguments(&paths[1]),
            ),
        );
        for place in Self::order(fault) {
            let letter = ['a', 'b'][*place];
            let text = &results[*place];
            let image = match picture {
                Some(data) if *place == 0 => format!(r#",{{"type":"image","data":"{data}","mimeType":"image/png"}}"#),
                _ => String::new(),
            };
            add(
                out,
                format_args!(
                    r#"{{"role":"toolResult","toolCallId":"call_{number}{letter}","toolName":"read","content":[{{"type":"text","text":"{text}"}}{image}],"isError":false,"timestamp":{time}}},"#
                ),
            );
        }
        add(
            out,
            format_args!(
                r#"{{"role":"assistant","content":[{{"type":"text","text":"{answer}"}}],"stopReason":"stop","timestamp":{time}}}"#
            ),
        );
    }
}

fn add(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = out.write_fmt(text);
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

    /// About `length` bytes of code, already escaped for JSON: one byte of twenty is an escape.
    fn code(&mut self, length: usize) -> String {
        let mut out = String::with_capacity(length + 40);
        while out.len() < length {
            let word = self.text(14);
            out.push_str("    let x = \\\"");
            out.push_str(word.trim_end());
            out.push_str("\\\";\\n");
        }
        out
    }

    /// Base64 of bytes that open like a PNG file and go on as noise.
    fn picture(&mut self) -> String {
        self.picture_of(PICTURE)
    }

    /// The same, of so many symbols: a multiple of eight.
    fn picture_of(&mut self, symbols: usize) -> String {
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

    fn shapes() -> impl Iterator<Item = Shape> {
        [Spelling::OpenAiChat, Spelling::OpenClaw].into_iter().flat_map(|spelling| {
            [(false, false), (false, true), (true, false), (true, true)].map(|(images, broken)| Shape {
                spelling,
                messages: 200,
                images,
                broken,
            })
        })
    }

    fn dialect(shape: Shape) -> Dialect {
        match shape.spelling {
            Spelling::OpenAiChat => Dialect::OpenAiChat,
            Spelling::OpenClaw => Dialect::OpenClaw,
        }
    }

    #[test]
    fn clean_is_clean_and_broken_is_broken() {
        for shape in shapes() {
            let bytes = transcript(shape);
            assert_eq!(bytes, transcript(shape), "not the same twice");
            let target = Target::of_dialect(dialect(shape));
            let options = CheckOptions { target, mode: Mode::Request, fragment: false, limits: Limits::default() };
            let found = check(&bytes, &options).unwrap().violations;
            assert_eq!(found.is_empty(), !shape.broken, "{shape:?}: {:?}", found.first());
        }
    }

    #[test]
    fn what_is_measured_is_real_work() {
        for shape in shapes() {
            let bytes = transcript(shape);
            let options = Options { from: From::Dialect(dialect(shape)), ..Options::default() };
            let fixed = fix(&bytes, &options).unwrap();
            assert_eq!(fixed.report.repairs.is_empty(), !shape.broken, "{shape:?}");
            assert_eq!(*fixed.output == *bytes, !shape.broken, "{shape:?}");
        }
    }
}
