//! The judge: whether a text keeps every rule of a target. It shares nothing with reading, repairing or writing.

use serde::Serialize;

use crate::convert::Mode;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::json::Limits;
use crate::target::Target;

/// How [`check`] works.
#[derive(Clone, Debug)]
pub struct CheckOptions<'t> {
    /// Whose rules hold
    pub target: &'t Target,
    /// `History` (the default of the command line) leaves the transcript's last open calls and last turn alone
    pub mode: Mode,
    /// A lone fragment: pairing is left out
    pub fragment: bool,
    /// What the input may ask of the machine
    pub limits: Limits,
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Id of the rule
    pub rule: &'static str,
    /// JSON Pointer of the value at fault
    pub pointer: String,
    /// What is wrong, in words
    pub message: String,
}

/// What [`check`] found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The dialect whose rules were applied
    pub dialect: Dialect,
    /// In the order of the text
    pub violations: Vec<Violation>,
}

/// Judges `input` by the rules of a target.
///
/// # Errors
///
/// The bytes are not JSON, or hold no list of messages.
pub fn check(_input: &[u8], _options: &CheckOptions<'_>) -> Result<Checked, Error> {
    Err(Error::new(crate::ErrorKind::UnsupportedConversion, "not built"))
}
