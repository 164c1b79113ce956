//! The corpus as files: every case, and what is known about all of them.
//!
//! This folder is a package of its own, because `cargo package` packs only what is below a manifest. What the files mean is in the crate
//! `wirecanon-cases`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// Path below the corpus, and text of every case.
pub static CASES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/corpus.rs"));

/// The decisions of SPEC.md, each with its cases.
pub const DECISIONS: &str = include_str!("decisions.toml");

/// Public reports that no message can show.
pub const NOT_EXPRESSIBLE: &str = include_str!("not-expressible.toml");

/// What happened in each public report that a case cites.
pub const REPORTED: &str = include_str!("reported.toml");
