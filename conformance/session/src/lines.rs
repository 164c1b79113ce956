//! What a text is that somebody gives: one value, a session of a message a line, or a session a line; and in which dialect.

use wirecanon_core::json::{self, Json, Limits, Value, parse_lines};
use wirecanon_core::{Dialect, Error, detect_dialect, dialect, stream};

/// Bytes that are looked at to tell JSON from JSON Lines.
pub const LOOKED_AT: usize = 64 << 10;

/// What the lines of an input are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Lines {
    /// The whole input is one JSON value
    Json,
    /// Each line is one message of one session
    Messages,
    /// Each line is a whole transcript
    Sessions,
}

impl Lines {
    /// As the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Messages => "messages",
            Self::Sessions => "sessions",
        }
    }

    /// One JSON value, as a stream makes one too, unless the first whole line is a value of its own and something follows it. A line that is a message has a
    /// role and no list of messages.
    pub fn of(start: &[u8]) -> Self {
        let start = start.get(..LOOKED_AT).unwrap_or(start);
        if stream::is_stream(start) {
            return Self::Json;
        }
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

/// What speaks for which dialect in a text, the most first: one JSON value, or one a line, a byte order mark in front or not.
///
/// # Errors
///
/// The text is no JSON.
pub fn evidence(bytes: &[u8], limits: Limits) -> Result<Vec<dialect::Evidence>, Error> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let json = match Json::parse(text, &limits) {
        Err(error) if error.kind() == json::ErrorKind::NotJson => parse_lines(text, &limits).map_err(|_| error),
        whole => whole,
    }?;
    Ok(dialect::detect(&json))
}

/// The dialect of a text that does not say it, as [`wirecanon_core::fix`] chooses it.
///
/// # Errors
///
/// As [`detect_dialect`].
pub fn dialect_of(bytes: &[u8], limits: Limits) -> Result<Dialect, Error> {
    detect_dialect(bytes, None, limits).map(|detected| detected.dialect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_from_one_value() {
        assert_eq!(Lines::of(b""), Lines::Json);
        assert_eq!(Lines::of(b"{\n  \"messages\": []\n}\n"), Lines::Json);
        assert_eq!(Lines::of(b"{\"messages\":[]}\n"), Lines::Json);
        assert_eq!(Lines::of(b"{\"messages\":[]}\n\n{\"messages\":[]}\n"), Lines::Sessions);
        assert_eq!(Lines::of(b"[]\n[]"), Lines::Sessions);
        assert_eq!(Lines::of(b"{\"role\":\"user\"}\r\n{\"role\""), Lines::Messages);
        assert_eq!(Lines::of(b"{\"role\":\"user\"}"), Lines::Json);
        assert_eq!(Lines::of(b"[[[["), Lines::Json);
    }
}
