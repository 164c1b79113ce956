//! The line protocol of wirecanon's testees, for adapters in Rust. It needs `serde_json` and nothing else.
//!
//! ```no_run
//! #[path = "../wirecanon_testee.rs"]
//! mod wirecanon_testee;
//! use wirecanon_testee::{Answer, Testee};
//!
//! fn main() {
//!     let mut testee = Testee::new("mine", "1.0");
//!     testee.converts("openai.chat", "anthropic.messages", &["anthropic"], |text| Answer::output("{}"));
//!     testee.run();
//! }
//! ```
//!
//! A function gets the exact JSON text of the input, so that what a crate does to numbers and keys is its own. A panic is a
//! crash of its case alone.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

/// What became of one input.
pub enum Answer {
    /// The JSON text of the output
    Output(String),
    /// It cannot be done, and nothing is emitted: `invalid-arguments`, `unsupported-content`, `unpaired`, `limit` or `other`; or
    /// `unrepresentable-input`, where the types of the package cannot hold the input
    Refused(&'static str, String),
    /// Something broke
    Failed(String),
}

#[allow(dead_code)] // a conversion may have its own way
impl Answer {
    /// The output as JSON; what the crate's own types do not take is a refusal.
    pub fn of<T: serde::Serialize, E: std::fmt::Display>(result: Result<T, E>) -> Self {
        match result {
            Ok(value) => {
                serde_json::to_string(&value).map_or_else(|error| Self::Failed(error.to_string()), Self::Output)
            }
            Err(error) => Self::Refused("other", error.to_string()),
        }
    }
}

type Convert = Box<dyn Fn(&str) -> Answer>;

/// One program under test.
pub struct Testee {
    name: &'static str,
    version: &'static str,
    conversions: Vec<(&'static str, &'static str, &'static [&'static str], Convert)>,
}

impl Testee {
    /// A testee with a name and the version of what is under test.
    pub fn new(name: &'static str, version: &'static str) -> Self {
        Self { name, version, conversions: Vec::new() }
    }

    /// Registers a function for a pair of dialects; `targets` are the servers that the crate knows, none means every one.
    pub fn converts(
        &mut self,
        from: &'static str,
        to: &'static str,
        targets: &'static [&'static str],
        convert: impl Fn(&str) -> Answer + 'static,
    ) {
        self.conversions.push((from, to, targets, Box::new(convert)));
    }

    /// Answers until `bye`, or until stdin ends.
    pub fn run(&self) {
        let mut out = std::io::stdout().lock();
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let Ok(ask) = serde_json::from_str::<Value>(&line) else { continue };
            let answer = match ask["op"].as_str() {
                Some("hello") => self.hello(),
                Some("convert") => self.convert(&ask),
                Some("bye") => break,
                _ => continue,
            };
            if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() {
                break;
            }
        }
    }

    fn hello(&self) -> Value {
        let conversions: Vec<Value> = self
            .conversions
            .iter()
            .map(|(from, to, targets, _)| match targets.is_empty() {
                true => json!({"from": from, "to": to}),
                false => json!({"from": from, "to": to, "targets": targets}),
            })
            .collect();
        json!({"wirecanon": 1, "name": self.name, "version": self.version, "language": "rust", "conversions": conversions, "accepts": ["text"]})
    }

    fn convert(&self, ask: &Value) -> Value {
        let id = &ask["id"];
        let pair = (ask["from"].as_str().unwrap_or_default(), ask["to"].as_str().unwrap_or_default());
        let Some((.., convert)) = self.conversions.iter().find(|(from, to, ..)| (*from, *to) == pair) else {
            return json!({"id": id, "refused": {"code": "other", "message": "this conversion was not declared"}});
        };
        let text = ask["input_text"].as_str().unwrap_or_default();
        match catch_unwind(AssertUnwindSafe(|| convert(text))) {
            Ok(Answer::Output(output)) => json!({"id": id, "output_text": output}),
            Ok(Answer::Refused(code, message)) => json!({"id": id, "refused": {"code": code, "message": message}}),
            Ok(Answer::Failed(why)) => json!({"id": id, "failed": why}),
            Err(_) => json!({"id": id, "failed": "it panicked; its log says where"}),
        }
    }
}
