//! What a valid message is, how to make one, and how to break it.
//!
//! [`catalogue`] holds the JSON Schemas of messages, dialect by dialect, and of this project's own formats; `validate` (a feature, on by default)
//! applies them. [`generate`] turns raw bytes into transcripts, valid or broken, and says what of them must survive any conversion.
//!
//! This crate knows nothing of the canonicalizer, so that the two cannot share a mistake.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod catalogue;
pub mod defect;
pub mod generate;
#[cfg(feature = "proptest")]
pub mod strategy;
#[cfg(feature = "validate")]
pub mod validate;
