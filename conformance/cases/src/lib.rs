//! Cases: the corpus and its suites, and what is asked of both.
//!
//! [`corpus`] reads the embedded cases, [`folder`] those of a folder, and [`suite`] says which of them score. [`lint`] looks for what is wrong
//! with cases, and judges the outcome of each; [`coverage`] says which rules and decisions they show. [`frame`] and [`carry`] make cases of
//! cases, [`draft`] makes one of a message.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod carry;
pub mod citation;
pub mod conversion;
pub mod corpus;
pub mod coverage;
pub mod crash;
pub mod draft;
pub mod folder;
pub mod frame;
pub mod lint;
pub mod losses;
pub mod near;
pub mod not_expressible;
pub mod parallel;
pub mod reported;
pub mod suite;
