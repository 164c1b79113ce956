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
//! Without the feature `program` only the part that runs the corpus and judges is built: no command line, page or report.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(
    not(feature = "program"),
    expect(dead_code, unused_imports, reason = "what the program alone asks of the judging part")
)]

pub mod adapter;
#[cfg(feature = "program")]
pub mod blackbox;
#[cfg(feature = "program")]
pub mod canary;
pub mod carry;
pub mod case;
#[cfg(feature = "program")]
pub mod change;
pub mod cheat;
#[cfg(feature = "program")]
mod citation;
#[cfg(feature = "program")]
pub mod cli;
pub mod compare;
pub mod conversion;
pub mod corpus;
#[cfg(feature = "program")]
pub mod coverage;
#[cfg(feature = "program")]
pub mod crash;
#[cfg(feature = "program")]
pub mod diff;
#[cfg(feature = "program")]
pub mod doctor;
#[cfg(feature = "program")]
pub mod draft;
pub mod exit;
#[cfg(feature = "program")]
pub mod expand;
#[cfg(feature = "program")]
pub mod expectation;
#[cfg(feature = "program")]
pub mod export;
#[cfg(feature = "program")]
pub mod finding;
#[cfg(feature = "program")]
pub mod folder;
pub mod frame;
#[cfg(feature = "program")]
pub mod in_order;
#[cfg(feature = "program")]
pub mod inplace;
pub mod interrupt;
pub mod judge;
mod judges;
#[cfg(feature = "program")]
pub mod kit;
#[cfg(feature = "program")]
mod laid_out;
#[cfg(feature = "program")]
pub mod lines;
#[cfg(feature = "program")]
pub mod lint;
#[cfg(feature = "program")]
pub mod local;
#[cfg(feature = "program")]
pub mod log;
pub mod loss;
#[cfg(feature = "program")]
pub mod losses;
pub mod meaning;
#[cfg(feature = "program")]
mod near;
#[cfg(feature = "program")]
pub mod not_expressible;
pub mod opinion;
#[cfg(feature = "program")]
pub mod pipe;
pub mod plain;
pub mod reason;
#[cfg(feature = "program")]
pub mod redact;
#[cfg(feature = "program")]
pub mod report;
#[cfg(feature = "program")]
pub mod reported;
#[cfg(feature = "program")]
pub mod rulebook;
pub mod run;
#[cfg(feature = "program")]
pub mod runs;
pub mod serve;
#[cfg(feature = "program")]
pub mod session;
pub mod shown;
#[cfg(feature = "program")]
pub mod suite;
pub mod testee;
mod trust;
pub mod utf8;
pub mod verdict;

/// The examples of the page on the library.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
pub struct LibraryPage;
