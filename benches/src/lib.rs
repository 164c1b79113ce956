//! Transcripts to measure with: the same bytes on every machine, in the shape of an agent's working day.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod attack;
pub mod data;
pub mod long;
pub mod measure;
