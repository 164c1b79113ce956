//! The pipeline of wirecanon: a document is read into a transcript, repaired, and written for a target.
//!
//! Users depend on `wirecanon-core`, which exports what they need of this crate.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod adapt;
mod built;
mod dialects;
#[cfg(test)]
mod generated;
pub mod media;
mod options;
mod pipeline;
mod print;
pub mod read;
mod repair;
#[doc(hidden)]
pub mod step;
pub mod stream;

pub use built::WriteTranscript;
pub use pipeline::{
    Detected, Fixed, FixedInPieces, From, Mode, Options, Pieces, check_supported, detect_dialect, fix, fix_in_pieces,
};
