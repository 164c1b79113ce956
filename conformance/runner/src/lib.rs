//! Runs cases against any program that converts agent messages.
//!
//! ```text
//! case + testee ─▶ run ─▶ verdict ─▶ event log ─▶ gate, comparison
//! ```
//!
//! A [`testee`] is anything that converts messages: the reference, a process that speaks the line protocol of `docs/testees.md`, or a plain
//! filter; an [`adapter`] makes one of a published package. [`run`] asks it all cases and has the answers judged, [`runs`] does so for many
//! testees, and [`mod@log`] is what is written of it. [`expectation`] is what is known to fail, and [`change`] what differs between two runs.
//! [`blackbox`] asks what nobody wrote, and [`finding`] holds published packages to what was found of them.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod adapter;
#[cfg(feature = "generate")]
pub mod blackbox;
pub mod canary;
pub mod change;
pub mod cheat;
#[cfg_attr(not(feature = "generate"), expect(dead_code, reason = "the order of a run needs few kinds of draws"))]
mod dice;
pub mod doctor;
pub mod expand;
pub mod expectation;
pub mod finding;
pub mod interrupt;
pub mod latency;
pub mod launch;
pub mod log;
pub mod pipe;
pub mod run;
pub mod runs;
pub mod serve;
pub mod shown;
pub mod testee;
pub mod trust;
