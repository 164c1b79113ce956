//! The types that all parts of wirecanon share: [transcripts](transcript), [reports](report), [rules](rule), [targets](target),
//! the names of [dialects](Dialect), and [errors](Error).
//!
//! The canonicalizer, the checker and the observers stand on this crate, and not on each other.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod dialect;
mod error;
pub mod report;
pub mod rule;
pub mod target;
pub mod text;
pub mod transcript;

pub use dialect::{Dialect, Mode};
pub use error::{Error, ErrorKind};
pub use report::{Entry, Report, Severity, Stage};
pub use target::Target;
pub use transcript::{Block, Transcript};
pub use wirecanon_json as json;
pub use wirecanon_json::Position;
