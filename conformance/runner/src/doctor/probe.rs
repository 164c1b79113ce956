//! A process asked by hand: not as a run asks it, but so that silence can be told from silence.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::testee::{Group, Launch, Mark};

/// More than a pipe holds: a process that never reads does not take it.
const MORE_THAN_A_PIPE: usize = 128 << 10;

/// How long it may take to do what costs nothing: to read, or to end.
const MOMENT: Duration = Duration::from_secs(3);

/// Bytes of a line that are looked at.
const LONG_LINE: u64 = 1 << 20;

/// What a process does when it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reaction {
    /// It answers
    Answers,
    /// It answers, but not in time
    Late(Duration),
    /// It answers, but only when its stdin is closed
    AnswersAtTheEnd,
    /// It ends, in words
    Ends(String),
    /// It reads, and says nothing
    Silent,
    /// It does not even read
    NeverReads,
}

/// A started process.
pub(super) struct Probe {
    child: Child,
    group: Option<Group>,
    /// Lines to write; closing it closes the process's stdin
    to: Option<mpsc::Sender<Vec<u8>>>,
    /// What was written of them
    written: Receiver<()>,
    lines: Receiver<Vec<u8>>,
}

impl Probe {
    /// Starts it.
    pub(super) fn start(launch: &Launch) -> std::io::Result<Self> {
        let mark = Mark::new();
        let mut child = launch.start(&mark).stderr(Stdio::null()).spawn()?;
        let group = Group::led_by(child.id()).marked(mark);
        let (to, todo) = mpsc::channel::<Vec<u8>>();
        let (done, written) = mpsc::channel();
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                for line in todo {
                    if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() || done.send(()).is_err() {
                        return;
                    }
                }
            });
        }
        let (say, lines) = mpsc::channel();
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || {
                let mut stdout = BufReader::new(stdout);
                loop {
                    let mut line = Vec::new();
                    let mut some = std::io::Read::take(&mut stdout, LONG_LINE);
                    match some.read_until(b'\n', &mut line) {
                        Ok(1..) if say.send(line).is_ok() => {}
                        _ => return,
                    }
                }
            });
        }
        Ok(Self { child, group: Some(group), to: Some(to), written, lines })
    }

    pub(super) fn send(&self, line: &[u8]) {
        if let Some(to) = &self.to {
            // A process that has ended shows in its output.
            let _ = to.send(line.to_vec());
        }
    }

    /// Waits for a line that is an answer.
    fn wait(&self, wait: Duration, is_answer: &dyn Fn(&[u8]) -> bool) -> Result<(), RecvTimeoutError> {
        let end = Instant::now() + wait;
        loop {
            let line = self.lines.recv_timeout(end.saturating_duration_since(Instant::now()))?;
            if is_answer(&line) {
                return Ok(());
            }
        }
    }

    /// Sends lines, and finds out what the process does about the last of them.
    pub(super) fn ask(&mut self, lines: &[&[u8]], wait: Duration, is_answer: &dyn Fn(&[u8]) -> bool) -> Reaction {
        for line in lines {
            self.send(line);
        }
        match self.wait(wait, is_answer) {
            Ok(()) => return Reaction::Answers,
            Err(RecvTimeoutError::Disconnected) => return self.ended().map_or(Reaction::Silent, Reaction::Ends),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let more = Instant::now();
        if self.wait(MOMENT, is_answer).is_ok() {
            return Reaction::Late(wait + more.elapsed());
        }
        // Blank lines are no requests; a process that reads takes them all.
        self.send(&vec![b'\n'; MORE_THAN_A_PIPE]);
        let end = Instant::now() + MOMENT;
        let reads =
            (0..=lines.len()).all(|_| self.written.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok());
        self.to = None;
        match self.wait(MOMENT, is_answer) {
            Ok(()) => Reaction::AnswersAtTheEnd,
            Err(_) if !reads && matches!(self.child.try_wait(), Ok(None)) => Reaction::NeverReads,
            Err(_) => Reaction::Silent,
        }
    }

    /// Closes its stdin.
    pub(super) fn close(&mut self) {
        self.to = None;
    }

    /// How it ended, if it does so in a moment.
    pub(super) fn ended(&mut self) -> Option<String> {
        let end = Instant::now() + MOMENT;
        while Instant::now() < end {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                Err(_) => return None,
            }
        }
        None
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        // Ends what is left of it and of what it started, then reaps it.
        self.group = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
