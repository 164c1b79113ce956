//! Black-box fuzzing: generated transcripts go to a testee, its answers to the judge of the corpus. Nothing is known of the
//! testee but what it answers, so what is new about an answer decides which inputs are changed further.
//!
//! ```text
//! recipe ─▶ transcript and what must survive ─▶ testee ─▶ judge ─▶ symptoms, and what is new
//!   ▲                                                                    │
//!   └──────────────── changed: defects, dialect, target, bytes ──────────┘
//! ```
//!
//! A run is its seed: which input comes next depends on the answers and on nothing else, no clock among them. What was found
//! is grouped by [`Symptom`], and the smallest input of each group is cut down further over the protocol.

mod case_file;
mod known;
mod progress;
mod recipe;
mod round;
mod session;
mod shrink;
mod symptom;

pub use case_file::{CaseFile, case_file};
pub use progress::{Group, Progress, Seal, Small, State, StateError};
pub use recipe::{Way, ways};
pub use session::{End, Fuzzed, Settings, Slow, Watcher, fuzz};
pub use symptom::Symptom;
