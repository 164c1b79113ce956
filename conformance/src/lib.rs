//! Runs a cited corpus of broken and valid agent messages against any normalizer, and judges what comes back.
//!
//! ```text
//! case + testee ─▶ run ─▶ verdict ─▶ event log ─▶ gate, comparison, report
//! ```
//!
//! A [`case`] says what is wrong with a message and what must come out. A [`testee`] is anything that converts messages: the
//! reference, a process that speaks the line protocol of `docs/testees.md`, or a plain filter. [`judge`] turns one answer
//! into one [`verdict`], [`run`] does it for all and [`runs`] for many testees, [`mod@log`] is what is written of it, and
//! [`report`] says it. [`expectation`] is what is known to fail, and [`change`] what differs between two runs.
//!
//! This is the command line, and one name for what the crates below it do: `wirecanon-judge`, `wirecanon-cases` and `wirecanon-runner` run the
//! corpus and judge, `wirecanon-session`, `wirecanon-report` and `wirecanon-web` are what the program needs beside them. Without the feature
//! `program` only the former are built: no command line, page or report.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod kit;

pub use wirecanon_cases::{
    carry, conversion, corpus, coverage, crash, draft, folder, frame, lint, losses, not_expressible,
    parallel::in_order, reported, suite,
};
pub use wirecanon_judge::{case, compare, exit, judge, loss, meaning, plain, problem, reason, utf8, verdict};
#[cfg(feature = "program")]
pub use wirecanon_report::{self as report, diff, export, opinion, redact};
#[cfg(feature = "generate")]
pub use wirecanon_runner::blackbox;
pub use wirecanon_runner::{
    adapter, canary, change, cheat, doctor, expand, expectation, interrupt, log, pipe, run, runs, serve, shown, testee,
};
#[cfg(feature = "program")]
pub use wirecanon_session::{self as session, inplace, lines};
#[cfg(feature = "web")]
pub use wirecanon_web as local;

/// Findings: what published packages do wrong, each with a small message that shows it.
#[cfg(feature = "program")]
pub mod finding {
    pub use wirecanon_report::finding::{index, page};
    pub use wirecanon_runner::finding::*;

    /// Path below the folder of findings, and text.
    pub static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/findings.rs"));
}

/// The examples of the page on the library.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
pub struct LibraryPage;
