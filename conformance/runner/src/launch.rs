//! How a process is started, and its command line as words.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::testee::Mark;

/// How a process is started.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Its program, and the words after it
    pub command: Vec<String>,
    /// The folder that it runs in, if not this program's
    pub folder: Option<PathBuf>,
    /// Variables beside those of this program
    pub environment: Vec<(String, String)>,
    /// What it may take until it answers `hello`
    pub startup: Option<Duration>,
}

impl Launch {
    /// Returns the command, with pipes for its stdin and stdout, in a group of processes of its own that this mark is on.
    pub(crate) fn start(&self, mark: &Mark) -> Command {
        let mut words = self.command.iter();
        let mut start = Command::new(words.next().map_or("", String::as_str));
        start.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
        start.envs(self.environment.iter().map(|(name, value)| (name, value))).envs([mark.variable()]);
        if let Some(folder) = &self.folder {
            start.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        start
    }
}

/// Splits a command line into words by the quotes, backslashes and comments of a POSIX shell, and nothing else of one.
///
/// # Errors
///
/// The command has no words, or ends within a quote or after a backslash.
pub fn split(command: &str) -> Result<Vec<String>, String> {
    let words = shlex::split(command).ok_or_else(|| format!("`{command}` ends within a quote or after a backslash"))?;
    if words.first().is_none_or(String::is_empty) {
        return Err("the command of a testee is empty".to_owned());
    }
    Ok(words)
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b-c.json"), "a/b-c.json");
        assert_eq!(quoted("python3 a.py"), "'python3 a.py'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn commands_split_as_people_expect() {
        assert_eq!(split("python3 a.py  -x").unwrap(), ["python3", "a.py", "-x"]);
        assert_eq!(
            split(r#"sh -c 'echo "a b"' "c \" d" e\ f ''"#).unwrap(),
            ["sh", "-c", r#"echo "a b""#, r#"c " d"#, "e f", ""]
        );
        assert_eq!(split("a \"C:\\new\" b # c").unwrap(), ["a", "C:\\new", "b"]);
        assert!(split("sh 'x").is_err());
        assert!(split("sh x\\").is_err());
        assert!(split("  ").is_err());
    }
}
