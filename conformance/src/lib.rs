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
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod adapter;
pub mod alter;
pub mod blackbox;
pub mod canary;
pub mod carry;
pub mod case;
pub mod change;
mod citation;
pub mod cli;
pub mod compare;
pub mod conversion;
pub mod corpus;
pub mod coverage;
pub mod crash;
pub mod diff;
pub mod doctor;
pub mod draft;
pub mod exit;
pub mod expand;
pub mod expectation;
pub mod export;
pub mod finding;
pub mod folder;
pub mod inplace;
pub mod judge;
pub mod kit;
mod laid_out;
pub mod lines;
pub mod lint;
pub mod local;
pub mod log;
pub mod loss;
pub mod losses;
mod near;
pub mod not_expressible;
pub mod opinion;
pub mod pipe;
pub mod reason;
pub mod redact;
pub mod report;
pub mod rulebook;
pub mod run;
pub mod runs;
pub mod serve;
pub mod session;
pub mod shown;
pub mod suite;
pub mod testee;
pub mod verdict;

/// The examples of the page on the library.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
pub struct LibraryPage;
