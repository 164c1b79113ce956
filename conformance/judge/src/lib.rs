//! Judges one answer of a program that converts agent messages.
//!
//! ```text
//! case + answer ─▶ check (rules of the target) + meaning (what a model is told) ─▶ judgement
//! ```
//!
//! A [`case`] says what is wrong with a message and what must come out. An [`answer`] is what a program made of it, and [`judge`] turns both
//! into one [`verdict`]; [`reason`] says why an answer is not as asked. The judge runs nothing and reads no file.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod answer;
pub mod case;
pub mod compare;
pub mod exit;
pub mod judge;
pub mod loss;
pub mod meaning;
mod named;
pub mod plain;
pub mod pointer;
pub mod problem;
pub mod reason;
pub mod utf8;
pub mod verdict;
