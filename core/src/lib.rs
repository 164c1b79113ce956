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

pub use wirecanon_check as check;
pub use wirecanon_check::{CheckOptions, Checked, Violation, check, check_json};
#[doc(hidden)]
pub use wirecanon_convert::step;
pub use wirecanon_convert::{
    Detected, Fixed, FixedInPieces, From, Mode, Options, Pieces, WriteTranscript, check_supported, detect_dialect, fix,
    fix_in_pieces,
};
pub use wirecanon_convert::{media, read as dialect, stream};
pub use wirecanon_invariants as invariant;
pub use wirecanon_invariants::normalizer;
pub use wirecanon_json::Position;
pub use wirecanon_model::{
    Block, Dialect, Entry, Error, ErrorKind, Report, Severity, Stage, Target, Transcript, json, report, rule, target,
    text, transcript,
};
pub use wirecanon_observe as observe;
