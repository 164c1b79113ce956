//! Exit codes, and the one way in which a command stops early.

use std::io;
use std::path::Path;
use std::process::ExitCode;

/// What a command's exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// It holds
    Holds = 0,
    /// Findings or regressions
    Findings = 1,
    /// Wrong usage, wrong configuration, or an input that is no transcript
    Usage = 2,
    /// A testee could not start, or broke the protocol
    Testee = 3,
    /// Nothing, or too little, was run
    TooLittle = 4,
    /// Incomplete: the environment, I/O, or the harness itself
    Incomplete = 5,
    /// Only expectations that are stale
    Stale = 6,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command stops before its end: a code, and the one line to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The exit code
    pub exit: Exit,
    /// What to print after `error: `; nothing for a pipe that the reader closed
    pub message: Option<String>,
}

impl Stop {
    /// Stops with a message.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: Some(message.into()) }
    }

    /// Stops because the user asked for something that cannot be.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Stops because of the environment, I/O, or the harness itself.
    #[expect(clippy::needless_pass_by_value, reason = "`map_err` gives the error itself")]
    pub fn incomplete(message: impl ToString) -> Self {
        Self::new(Exit::Incomplete, message.to_string())
    }

    /// Stops because a file cannot be read.
    pub fn unread(path: &Path, error: &io::Error) -> Self {
        Self::usage(format!("{}: cannot be read: {error}", path.display()))
    }

    /// Stops because a file or folder cannot be made: a path that leads nowhere is the user's to mend, and all else (no leave, a
    /// read-only or full disk) is the environment's.
    pub fn unmade(path: &Path, error: &io::Error) -> Self {
        let exit = match error.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::AlreadyExists
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput => Exit::Usage,
            _ => Exit::Incomplete,
        };
        Self::new(exit, format!("{}: cannot be written: {error}", path.display()))
    }
}

impl From<io::Error> for Stop {
    /// An error of writing the output. A closed pipe ends quietly: whoever reads has seen enough. What findings are told to
    /// is no output in this sense: it goes on without a reader, so that the exit code says what was found.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self { exit: Exit::Holds, message: None }
        } else {
            Self::new(Exit::Incomplete, format!("cannot write the output: {error}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_no_error() {
        let closed = Stop::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(closed, Stop { exit: Exit::Holds, message: None });
        assert_eq!(Stop::from(io::Error::from(io::ErrorKind::StorageFull)).exit, Exit::Incomplete);
    }

    #[test]
    fn a_path_that_leads_nowhere_is_the_users_and_a_disk_is_the_environments() {
        let exit = |kind: io::ErrorKind| Stop::unmade(Path::new("a/b"), &kind.into()).exit;
        for kind in [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory, io::ErrorKind::InvalidFilename] {
            assert_eq!(exit(kind), Exit::Usage, "{kind}");
        }
        for kind in [io::ErrorKind::PermissionDenied, io::ErrorKind::ReadOnlyFilesystem, io::ErrorKind::StorageFull] {
            assert_eq!(exit(kind), Exit::Incomplete, "{kind}");
        }
    }
}
