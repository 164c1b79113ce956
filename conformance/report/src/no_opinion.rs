//! What stands for a second opinion where this is built without JSON Schemas: the same types, of which none can be made.

use std::fmt;

use wirecanon_core::json::Limits;
use wirecanon_core::{Dialect, Error};

/// Why there is no second opinion: this is built without the feature `validate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoOpinion(());

impl fmt::Display for NoOpinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this program is built without JSON Schemas (the feature `validate`)")
    }
}

impl std::error::Error for NoOpinion {}

/// A place where a message is not what a schema says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// JSON Pointer to the place
    pub pointer: String,
    /// What is wrong
    pub message: String,
}

/// What one schema says of one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opinion {
    /// The schema
    pub schema: &'static str,
    /// Every place where a message is not what it says
    pub mismatches: Vec<Mismatch>,
}

/// The schemas of one dialect: there are none.
#[derive(Debug)]
pub enum SecondOpinion {}

impl SecondOpinion {
    /// Has no schemas of any dialect.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn new(_: Dialect, _: Option<&str>) -> Result<Self, NoOpinion> {
        Err(NoOpinion(()))
    }

    /// Says nothing of any text.
    ///
    /// # Errors
    ///
    /// Never, since there is nothing to ask.
    pub fn judge(&self, _: &[u8], _: Limits) -> Result<Opinion, Error> {
        match *self {}
    }
}
