//! What the lines of an input are.

use clap::ValueEnum;
use wirecanon_core::json::{Json, Limits, Value};

/// Bytes that are looked at to tell JSON from JSON Lines.
pub const LOOKED_AT: usize = 64 << 10;

/// What the lines of an input are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Lines {
    /// The whole input is one JSON value
    Json,
    /// Each line is one message of one session
    Messages,
    /// Each line is a whole transcript
    Sessions,
}

impl Lines {
    /// One JSON value, unless the first whole line is a value of its own and something follows it. A line that is a message has a
    /// role and no list of messages. The first 64 kB are enough.
    pub fn detect(start: &[u8]) -> Self {
        let mut values = start.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let Some(first) = values.next().filter(|line| line.ends_with(b"\n")) else { return Self::Json };
        if values.next().is_none() {
            return Self::Json;
        }
        let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
        let first = String::from_utf8_lossy(first);
        let Ok(json) = Json::parse(&first, &Limits::default()) else { return Self::Json };
        let root = json.root();
        let lists = ["messages", "input", "contents"];
        if root.is_object()
            && root.get("role").is_some_and(Value::is_string)
            && lists.iter().all(|key| root.get(key).is_none())
        {
            Self::Messages
        } else {
            Self::Sessions
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_from_one_value() {
        let detect = Lines::detect;
        assert_eq!(detect(b""), Lines::Json);
        assert_eq!(detect(b"{\n  \"messages\": []\n}\n"), Lines::Json);
        assert_eq!(detect(b"{\"messages\":[]}\n"), Lines::Json);
        assert_eq!(detect(b"{\"messages\":[]}\n\n{\"messages\":[]}\n"), Lines::Sessions);
        assert_eq!(detect(b"[]\n[]"), Lines::Sessions);
        assert_eq!(detect(b"{\"role\":\"user\"}\r\n{\"role\""), Lines::Messages);
        assert_eq!(detect(b"{\"role\":\"user\"}"), Lines::Json);
        assert_eq!(detect(b"[[[["), Lines::Json);
    }
}
