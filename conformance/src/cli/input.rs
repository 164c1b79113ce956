//! Reading what the user named: a file or stdin, whole or line by line, each byte once.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use clap::ValueEnum;
use wirecanon_core::json::{Json, Limits, Value};

use crate::exit::{Exit, Stop};

/// Bytes that are looked at to tell JSON from JSON Lines.
const LOOKED_AT: usize = 64 << 10;

/// What the lines of an input are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Lines {
    /// The whole input is one JSON value
    Json,
    /// Each line is one message of one session
    Messages,
    /// Each line is a whole transcript
    Sessions,
}

/// An opened input.
pub(super) struct Input {
    /// For messages
    pub(super) name: String,
    reader: BufReader<Box<dyn Read>>,
    size: usize,
}

impl Input {
    /// Opens a file, or stdin for `-`.
    pub(super) fn open(path: &str) -> Result<Self, Stop> {
        if path == "-" {
            let reader: Box<dyn Read> = Box::new(io::stdin().lock());
            return Ok(Self { name: "stdin".to_owned(), reader: BufReader::with_capacity(LOOKED_AT, reader), size: 0 });
        }
        let cannot = |error: &io::Error| match error.kind() {
            io::ErrorKind::NotFound => Stop::usage(format!("{path}: there is no such file")),
            io::ErrorKind::PermissionDenied => Stop::usage(format!("{path}: this file may not be read by you")),
            io::ErrorKind::IsADirectory => directory(path),
            _ => Stop::new(Exit::Incomplete, format!("{path}: cannot be read: {error}")),
        };
        let file = File::open(path).map_err(|error| cannot(&error))?;
        let about = file.metadata().map_err(|error| cannot(&error))?;
        if about.is_dir() {
            return Err(directory(path));
        }
        let size = usize::try_from(about.len()).unwrap_or(0);
        let reader: Box<dyn Read> = Box::new(file);
        Ok(Self { name: path.to_owned(), reader: BufReader::with_capacity(LOOKED_AT, reader), size })
    }

    /// What its lines are, from the first of them.
    pub(super) fn lines(&mut self) -> Result<Lines, Stop> {
        let start = self.reader.fill_buf().map_err(|error| unreadable(&self.name, &error))?;
        Ok(detect(start))
    }

    /// All its bytes.
    pub(super) fn whole(mut self) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        // One more than the size, so that reading to the end never makes the buffer grow to the double.
        bytes.reserve_exact(self.size.saturating_add(1));
        self.reader.read_to_end(&mut bytes).map_err(|error| unreadable(&self.name, &error))?;
        Ok(bytes)
    }

    /// The next line with its newline, into `line`; `false` at the end.
    pub(super) fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Stop> {
        line.clear();
        let length = self.reader.read_until(b'\n', line).map_err(|error| unreadable(&self.name, &error))?;
        Ok(length > 0)
    }
}

fn directory(path: &str) -> Stop {
    Stop::usage(format!("{path}: this is a directory; name the files in it"))
}

fn unreadable(name: &str, error: &io::Error) -> Stop {
    if error.kind() == io::ErrorKind::IsADirectory {
        return directory(name);
    }
    Stop::new(Exit::Incomplete, format!("{name}: cannot be read: {error}"))
}

/// One JSON value, unless the first whole line is a value of its own and something follows it. A line that is a message has a
/// role and no list of messages.
fn detect(start: &[u8]) -> Lines {
    let mut values = start.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let Some(first) = values.next().filter(|line| line.ends_with(b"\n")) else { return Lines::Json };
    if values.next().is_none() {
        return Lines::Json;
    }
    let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
    let first = String::from_utf8_lossy(first);
    let Ok(json) = Json::parse(&first, &Limits::default()) else { return Lines::Json };
    let root = json.root();
    let lists = ["messages", "input", "contents"];
    if root.is_object()
        && root.get("role").is_some_and(Value::is_string)
        && lists.iter().all(|key| root.get(key).is_none())
    {
        Lines::Messages
    } else {
        Lines::Sessions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_from_one_value() {
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
