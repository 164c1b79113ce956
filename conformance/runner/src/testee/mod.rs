//! Testees: how any normalizer plugs in.
//!
//! Three doors, one protocol: a Rust trait object (the reference and the canaries), a process that speaks JSON lines, and a
//! filter that is started for each case.

mod filter;
mod group;
mod named;
mod process;
pub mod protocol;
mod reference;

use std::time::Duration;

use wirecanon_core::{Dialect, Mode, Target};
use wirecanon_judge::case::Case;

pub use crate::launch::{Launch, quoted, split};
pub use wirecanon_judge::answer::{Answer, Carried, Form, Hello};

pub use filter::FilterTestee;
pub(crate) use group::{Group, Mark};
pub use named::{check_found, meant};
pub use named::{name, refuse_found};
pub use process::ProcessTestee;
pub use reference::Reference;

/// One conversion that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Dialect of the input
    pub from: Dialect,
    /// What to write
    pub target: &'a Target,
    /// What the output is for
    pub mode: Mode,
    /// The exact bytes
    pub input: &'a [u8],
    /// The call that a lone tool result answers
    pub call_id: Option<&'a str>,
}

impl<'a> Request<'a> {
    /// The input of a case, to be sent.
    pub fn of(case: &'a Case, target: &'a Target) -> Self {
        Self { from: case.from, target, mode: Mode::Request, input: &case.input, call_id: None }
    }
}

/// How the message of a [`Answer::Crashed`] begins whose request was never sent: the testee was given up before.
pub const NOT_TRIED: &str = "not tried: ";

/// The whole of an [`Answer::Environment`], or of a [`StartError`], where somebody stopped the run.
pub const INTERRUPTED: &str = "interrupted";

/// Why a testee never answered anything.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StartError {
    /// In words, with the command
    pub message: String,
}

/// What a testee may take from its start to the answer to `hello`, if nothing else is said: SDKs load for long.
pub const START_UP: Duration = Duration::from_mins(1);

/// What a testee may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// For one answer
    pub timeout: Duration,
    /// From the start to the answer to `hello`; `None` for what the testee itself allows, or else [`START_UP`]
    pub startup: Option<Duration>,
    /// Bytes of one answer
    pub max_output: usize,
    /// Requests in flight at once
    pub in_flight: usize,
    /// Starts after the first
    pub restarts: usize,
    /// Ends in a row without any answer between them, after which the rest is not tried
    pub failures_in_a_row: usize,
    /// A process goes on from one call of [`Testee::convert`] to the next, and ends with the testee
    pub lasts: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            startup: None,
            max_output: 64 << 20,
            in_flight: 32,
            restarts: 200,
            failures_in_a_row: 12,
            lasts: false,
        }
    }
}

/// Answers one request, of which it remembers nothing.
pub type Function = fn(&Request<'_>) -> Answer;

/// A program under test.
pub trait Testee {
    /// Starts it and asks what it is.
    ///
    /// # Errors
    ///
    /// It does not start, or its first answer is not one.
    fn hello(&mut self) -> Result<Hello, StartError>;

    /// Has these requests answered; `answered` gets each request's index and answer once, in any order.
    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer));

    /// What answers in this process, on any thread and in any order: then a run asks it where the answer is judged, while all
    /// that was looked at is near, and does not [convert](Self::convert).
    fn function(&self) -> Option<Function> {
        None
    }

    /// Lines that it printed beside its answers, and what was odd about it. They spoil nothing.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The testee that a `--testee` argument names: `reference`, `filter:FROM:TO:COMMAND`, the name of an adapter that
/// `wirecanon testee add` has installed, or the command of a process.
///
/// # Errors
///
/// The argument names nothing that could be started, in words.
pub fn from_argument(argument: &str, budget: Budget) -> Result<Box<dyn Testee>, String> {
    let argument = meant(argument);
    if argument == "reference" {
        return Ok(Box::new(Reference::new(budget.in_flight)));
    }
    if let Some(filter) = argument.strip_prefix("filter:") {
        let mut parts = filter.splitn(3, ':');
        let (Some(from), Some(to), Some(command)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(format!("`{argument}` is not of the form filter:FROM:TO:COMMAND"));
        };
        let dialect = |name: &str| {
            Dialect::by_name(name).ok_or_else(|| {
                let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
                format!("no dialect is called `{name}`; there are: {}", names.join(", "))
            })
        };
        return Ok(Box::new(FilterTestee::new(dialect(from)?, dialect(to)?, split(command)?, budget)));
    }
    Ok(Box::new(ProcessTestee::launched(launch(argument)?, budget)))
}

/// How the process is started that an argument names: an installed adapter, or a command.
///
/// # Errors
///
/// The argument names nothing that could be started, in words.
pub(crate) fn launch(argument: &str) -> Result<Launch, String> {
    let argument = meant(argument);
    match named::launch(argument)? {
        Some(launch) => Ok(launch),
        None => Ok(Launch { command: split(argument)?, ..Launch::default() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_that_names_nothing_is_refused() {
        assert!(from_argument("filter:openai.chat:cat", Budget::default()).is_err());
        assert!(from_argument("filter:openai:openai.chat:cat", Budget::default()).is_err());
        assert!(from_argument("filter:openai.chat:openai.chat:cat", Budget::default()).is_ok());
    }
}
