//! The frozen suites as files.
//!
//! This folder is a package of its own, because `cargo package` packs only what is below a manifest. What the files mean is in the crate
//! `wirecanon-cases`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// Name of the file, and text of every suite.
pub static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/suites.rs"));
