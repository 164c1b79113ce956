//! The check of each dialect: one module each, which knows the shapes of its messages.

use crate::input::Messages;
use crate::judge::Judge;
use wirecanon_json::Value;
use wirecanon_model::{Dialect, Error};

/// How the documents of a dialect are checked.
pub(crate) enum Check {
    /// The document is a list of messages
    Messages(fn(&mut Judge<'_>, &Messages<'_>)),
    /// The document is a value of its own
    Document(fn(&mut Judge<'_>, Value<'_>) -> Result<(), Error>),
}

macro_rules! checks {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal, $stem:ident;)+) => {
        $(pub(crate) mod $stem;)+

        /// The check of each dialect.
        static CHECKS: [&Check; Dialect::COUNT] = [$(&$stem::CHECK),+];
    };
}

wirecanon_model::for_each_dialect!(checks);

/// Returns the check of a dialect.
pub(crate) fn check_of(dialect: Dialect) -> &'static Check {
    CHECKS[dialect as usize]
}
