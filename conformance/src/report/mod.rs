//! Reports: what a run says to people and to programs.

pub mod fixed;
pub mod fuzzed;
pub mod human;
pub mod json;
pub mod outfile;

use std::time::Duration;

use crate::run::TesteeRun;

/// All that a report is made of.
#[derive(Debug)]
pub struct Summary<'r> {
    /// Each testee's results
    pub runs: &'r [TesteeRun],
    /// Cases that were selected
    pub cases: usize,
    /// Whether a filter was at work
    pub partial: bool,
    /// Wall time
    pub elapsed: Duration,
    /// Why nothing of it counts, if so
    pub void: Option<&'r str>,
}
