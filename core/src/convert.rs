//! The way through: read, repair, write.

use std::borrow::Cow;

use crate::dialect::Dialect;
use crate::error::Error;
use crate::json::Limits;
use crate::report::Report;
use crate::target::Target;

/// The dialect of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum From {
    /// Found from the text; the report's notes say what was taken and why
    #[default]
    Auto,
    /// Known
    Dialect(Dialect),
}

/// What the output is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// To be sent now: open calls are closed, opening and closing turns are as the target demands
    #[default]
    Request,
    /// To be stored: valid as a prefix; the last turn's open calls stay open
    History,
}

/// How [`fix`] works.
#[derive(Clone, Debug, Default)]
pub struct Options<'t> {
    /// The dialect of the input
    pub from: From,
    /// What to write; `None` writes the dialect that was read
    pub to: Option<&'t Target>,
    /// What the output is for
    pub mode: Mode,
    /// What the input may ask of the machine
    pub limits: Limits,
    /// The call that a lone tool result answers, where the target needs one
    pub call_id: Option<String>,
}

/// What [`fix`] made.
#[derive(Clone, Debug)]
pub struct Fixed<'a> {
    /// The mended text; the input's own bytes where nothing had to change
    pub output: Cow<'a, [u8]>,
    /// Every change
    pub report: Report,
}

/// Reads `input`, mends it, and writes it for the target.
///
/// # Errors
///
/// The bytes are no transcript, or the conversion cannot be expressed. Whatever is a transcript is written, however broken.
pub fn fix<'a>(_input: &'a [u8], _options: &Options<'_>) -> Result<Fixed<'a>, Error> {
    Err(Error::new(crate::ErrorKind::UnsupportedConversion, "not built"))
}
