//! A testee's processes: its group, and whatever has left the group.
//!
//! A process that calls `setsid` leads a group of its own, so that ending the testee's does not end it. Where the system lets us
//! look (`/proc` of Linux), it is found by a variable that all that a testee starts inherits.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::process::Child;

/// The variable.
const VARIABLE: &str = "WIRECANON_MARK";

/// How often processes are looked for: one may start another while it is looked for.
#[cfg(target_os = "linux")]
const ROUNDS: usize = 20;

/// What all processes of one testee have in their environment, and nobody else has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark(String);

impl Mark {
    /// One that was never given before.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Self(format!("{}-{count}-{:x}", std::process::id(), now.as_nanos()))
    }

    /// The variable and its value, for the environment of a process.
    pub(crate) fn variable(&self) -> (&'static str, &str) {
        (VARIABLE, &self.0)
    }

    /// Ends every process that has it.
    pub(crate) fn end_all(&self) {
        #[cfg(target_os = "linux")]
        for _ in 0..ROUNDS {
            let found = self.processes();
            if found.is_empty() {
                return;
            }
            for id in found {
                // Nothing is left to end when this fails.
                let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
            }
        }
    }

    /// Processes that have it, but for those that have ended and wait to be reaped.
    #[cfg(target_os = "linux")]
    fn processes(&self) -> Vec<rustix::process::Pid> {
        let variable = format!("{VARIABLE}={}", self.0).into_bytes();
        let Ok(list) = std::fs::read_dir("/proc") else { return Vec::new() };
        let ids = list.flatten().filter_map(|entry| {
            let id: i32 = entry.file_name().to_str()?.parse().ok()?;
            // What has ended has no environment; that of others cannot be read.
            let environment = std::fs::read(entry.path().join("environ")).ok()?;
            let has = environment.split(|byte| *byte == 0).any(|one| one == variable);
            rustix::process::Pid::from_raw(id).filter(|_| has)
        });
        ids.collect()
    }
}

/// A process and all that it started. They end with this value.
#[derive(Debug)]
pub(crate) struct Group {
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no groups to end"))]
    leader: Option<u32>,
    mark: Option<Mark>,
}

impl Group {
    /// The group that a process leads.
    pub(crate) fn of(child: &Child) -> Self {
        Self { leader: child.id(), mark: None }
    }

    /// The group that the process with this id leads.
    pub(crate) fn led_by(id: u32) -> Self {
        Self { leader: Some(id), mark: None }
    }

    /// The group, and all processes that have this mark.
    pub(crate) fn marked(mut self, mark: Mark) -> Self {
        self.mark = Some(mark);
        self
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(pid) = self.leader.and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw) {
            // Nothing is left to end when this fails.
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
        if let Some(mark) = &self.mark {
            mark.end_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mark_is_given_twice() {
        let (one, other) = (Mark::new(), Mark::new());
        assert_ne!(one, other);
        assert_eq!(one.variable().0, VARIABLE);
        // Nobody has it, so nobody ends.
        one.end_all();
    }
}
