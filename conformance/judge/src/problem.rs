//! What is wrong with a file that is read: a case, a finding, an answer that was recorded.

use std::fmt;

use serde::Serialize;
use wirecanon_core::Position;
use wirecanon_core::json::{Value, position};

/// Something that is wrong at a place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file; empty while only the caller knows it
    pub file: String,
    /// Line, from 1; 0 for the file as a whole
    pub line: usize,
    /// Column in characters, from 1; 0 for the line as a whole
    pub column: usize,
    /// JSON Pointer into the file; empty for the whole, and in files that are not JSON
    pub pointer: String,
    /// What is wrong
    pub message: String,
    /// What to do; empty where the message says it
    pub cure: String,
}

impl Problem {
    /// A problem of a file as a whole.
    pub fn of_file(file: impl Into<String>, message: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { file: file.into(), message: message.into(), cure: cure.into(), ..Self::default() }
    }

    /// A problem of a line.
    pub fn of_line(file: impl Into<String>, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.into(), line, message: message.into(), ..Self::default() }
    }

    /// A problem of a JSON value.
    pub fn at(value: Value<'_>, message: impl Into<String>, cure: impl Into<String>) -> Self {
        let problem = Self::in_text(value.json().text(), value.span().start, message, cure);
        Self { pointer: value.pointer(), ..problem }
    }

    /// A problem at a byte offset in a text.
    pub fn in_text(text: &str, offset: usize, message: impl Into<String>, cure: impl Into<String>) -> Self {
        let Position { line, column, .. } = position(text, offset);
        Self { line, column, message: message.into(), cure: cure.into(), ..Self::default() }
    }

    /// The same problem, in this file.
    #[must_use]
    pub fn in_file(self, file: impl Into<String>) -> Self {
        Self { file: file.into(), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, pointer, message, cure } = self;
        f.write_str(file)?;
        for number in [line, column].into_iter().take_while(|number| **number > 0) {
            write!(f, ":{number}")?;
        }
        write!(f, ": {message}")?;
        if !pointer.is_empty() {
            write!(f, " (at {pointer})")?;
        }
        if cure.is_empty() { Ok(()) } else { write!(f, "; {cure}") }
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use wirecanon_core::json::{Json, Limits};

    use super::*;

    #[test]
    fn a_problem_says_where_it_is_as_far_as_that_is_known() {
        let json = Json::parse("{\n \"a\": 1}", &Limits::default()).expect("JSON");
        let value = json.root().get("a").expect("a member");
        let said = |problem: Problem| problem.to_string();
        assert_eq!(said(Problem::of_file("x.json", "it is empty", "")), "x.json: it is empty");
        assert_eq!(said(Problem::of_line("x.toml", 3, "no such key")), "x.toml:3: no such key");
        let at = Problem::at(value, "1 is no text", "write \"1\"").in_file("x.json");
        assert_eq!(said(at), "x.json:2:7: 1 is no text (at /a); write \"1\"");
    }
}
