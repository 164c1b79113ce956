//! Arguments and clocks of the benchmarks that are programs of their own.

use std::str::FromStr;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the processor time in seconds that this thread spends in `work`.
///
/// # Panics
///
/// When the clock of the thread goes backwards.
pub fn timed(work: impl FnOnce()) -> f64 {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("the clock of a thread counts up");
    let before = now();
    work();
    now().checked_sub(before).expect("the clock of a thread counts up").as_secs_f64()
}

/// The command line, without what cargo adds to it.
pub struct Arguments {
    /// Arguments that have not been taken yet.
    pub rest: Vec<String>,
}

impl Arguments {
    /// Takes the arguments of this process.
    pub fn of_process() -> Self {
        Self { rest: std::env::args().skip(1).filter(|argument| argument != "--bench").collect() }
    }

    /// Takes `name` and the argument after it.
    pub fn value(&mut self, name: &str) -> Option<String> {
        let at = self.rest.iter().position(|argument| argument == name)?;
        self.rest.drain(at..(at + 2).min(self.rest.len())).nth(1)
    }

    /// Takes `name` and the number after it; `default` if it is absent.
    pub fn number<N: FromStr>(&mut self, name: &str, default: N) -> N {
        self.value(name).and_then(|value| value.parse().ok()).unwrap_or(default)
    }

    /// Takes `name`; returns whether it was there.
    pub fn flag(&mut self, name: &str) -> bool {
        let before = self.rest.len();
        self.rest.retain(|argument| argument != name);
        self.rest.len() < before
    }
}
