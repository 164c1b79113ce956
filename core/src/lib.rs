//! The reference canonicalizer of wirecanon, and its judge.
//!
//! An agent replays its whole history on every turn. One malformed message in it makes the provider refuse this turn and
//! all later ones. This crate reads such a history in any [dialect], mends it, and writes it for any [target]; it
//! reports every change, and loses no tool result that has an owner.
//!
//! Data goes one way:
//!
//! ```text
//! bytes ─▶ read (dialect) ─▶ Transcript ─▶ repair ─▶ Transcript ─▶ write (target) ─▶ bytes
//!              └──────────────── Report: every change ───────────────────┘
//! bytes ─▶ check (target) ─▶ violations
//! ```
//!
//! ```
//! use wirecanon_core::{Options, Target, fix};
//!
//! let history = br#"{"messages": [
//!     {"role": "user", "content": "look"},
//!     {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]},
//!     {"role": "user", "content": "well?"}]}"#;
//! let fixed = fix(history, &Options::new().to(Target::by_name("anthropic")?))?;
//! let rules: Vec<_> = fixed.report.repairs.iter().map(|change| change.rule).collect();
//! assert_eq!(rules, ["tool-call-without-result"]);
//! assert_eq!(fixed.report.losses().count(), 0);
//! # Ok::<(), wirecanon_core::Error>(())
//! ```
//!
//! [`fix`] is the upper line, [`check`](fn@check) the lower one; they share the JSON layer and the rule catalogue, and nothing else.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod built;
mod convert;
pub mod dialect;
#[cfg(test)]
mod generated;
pub mod invariant;
pub mod media;
pub mod normalizer;
mod options;
mod repair;
#[doc(hidden)]
pub mod step;
pub mod stream;
mod write;

pub use built::WriteTranscript;
pub use convert::{
    Detected, Fixed, FixedInPieces, From, Mode, Options, Pieces, check_supported, detect_dialect, fix, fix_in_pieces,
};
pub use dialect::Dialect;
pub use wirecanon_check as check;
pub use wirecanon_check::{CheckOptions, Checked, Violation, check, check_json};
pub use wirecanon_json::Position;
pub use wirecanon_model::{
    Block, Entry, Error, ErrorKind, Report, Severity, Stage, Target, Transcript, json, report, rule, target, text,
    transcript,
};
pub use wirecanon_observe as observe;
