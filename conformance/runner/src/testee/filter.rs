//! A testee that is started for each case: the input on its stdin, the output on its stdout.

use std::collections::{BTreeSet, VecDeque};
use std::process::Stdio;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::task::JoinSet;
use wirecanon_core::Dialect;
use wirecanon_judge::plain::shorten;

use super::group::{Group, Mark};
use super::process::runtime;
use super::{Answer, Budget, Form, Hello, INTERRUPTED, Launch, Request, StartError, Testee};
use crate::interrupt;

/// Bytes of a log that are kept.
const KEPT_LOG: usize = 8192;

/// Bytes of output that a filter may write while others run beside it. One that writes more is ended and asked once more by
/// itself, so that the memory of a run does not grow with the number of requests in flight.
const BESIDE_OTHERS: usize = 4 << 20;

/// A command that reads one text on stdin and writes one on stdout. An exit code other than 0 is a crash.
#[derive(Clone, Debug)]
pub struct FilterTestee {
    from: Dialect,
    to: Dialect,
    launch: Launch,
    budget: Budget,
}

impl FilterTestee {
    /// A filter from one dialect to another.
    pub fn new(from: Dialect, to: Dialect, command: Vec<String>, budget: Budget) -> Self {
        Self { from, to, launch: Launch { command, ..Launch::default() }, budget }
    }
}

impl Testee for FilterTestee {
    fn hello(&mut self) -> Result<Hello, StartError> {
        Ok(Hello {
            name: self.launch.command.join(" "),
            conversions: vec![(self.from, self.to)],
            accepts: vec![Form::Base64, Form::Text, Form::Json],
            ..Hello::default()
        })
    }

    fn convert(&mut self, requests: &[Request<'_>], answered: &mut dyn FnMut(usize, Answer)) {
        let runtime = match runtime() {
            Ok(runtime) => runtime,
            Err(message) => {
                (0..requests.len()).for_each(|index| answered(index, Answer::Environment(message.clone())));
                return;
            }
        };
        // To look for processes takes longer than to start one, so it is done once for all.
        let mark = Mark::new();
        runtime.block_on(async {
            let mut running = JoinSet::new();
            let mut open: BTreeSet<usize> = (0..requests.len()).collect();
            let mut waiting: VecDeque<usize> = open.iter().copied().collect();
            let mut alone = VecDeque::new();
            while !open.is_empty() {
                let limit = if waiting.is_empty() && running.is_empty() {
                    waiting.extend(alone.pop_front());
                    self.budget.max_output
                } else {
                    self.budget.max_output.min(BESIDE_OTHERS)
                };
                if running.len() < self.budget.in_flight.max(1)
                    && let Some(index) = waiting.pop_front()
                {
                    let budget = Budget { max_output: limit, ..self.budget };
                    let (launch, input, mark) = (self.launch.clone(), requests[index].input.to_vec(), mark.clone());
                    running.spawn(async move { (index, limit, once(&launch, input, budget, &mark).await) });
                    continue;
                }
                tokio::select! {
                    done = running.join_next() => match done {
                        Some(Ok((index, limit, None))) if limit < self.budget.max_output => alone.push_back(index),
                        Some(Ok((index, limit, answer))) => {
                            open.remove(&index);
                            let much = || Answer::Garbage(format!("more than {limit} bytes of output"));
                            answered(index, answer.unwrap_or_else(much));
                        }
                        Some(Err(_)) => {}
                        None => break,
                    },
                    () = interrupt::asked() => break,
                }
            }
            for index in open {
                answered(index, Answer::Environment(INTERRUPTED.to_owned()));
            }
        });
        drop(runtime);
        mark.end_all();
    }
}

/// What one process answered, or nothing when it wrote more than the budget allows.
async fn once(launch: &Launch, input: Vec<u8>, budget: Budget, mark: &Mark) -> Option<Answer> {
    let program = &launch.command[0];
    let mut child = match Command::from(launch.start(mark)).stderr(Stdio::piped()).kill_on_drop(true).spawn() {
        Ok(child) => child,
        Err(error) => return Some(Answer::Environment(format!("`{program}` does not start: {error}"))),
    };
    let group = Group::of(&child);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let limit = budget.max_output as u64 + 1;
    let (mut output, mut log) = (Vec::new(), Vec::new());
    let work = async {
        let write = async {
            if let Some(mut stdin) = stdin {
                // A filter may end without reading everything.
                let _ = stdin.write_all(&input).await;
            }
        };
        let read = async {
            if let Some(stdout) = stdout {
                // What was read before an error counts.
                let _ = stdout.take(limit).read_to_end(&mut output).await;
            }
        };
        let listen = async {
            if let Some(mut stderr) = stderr {
                // All of it is read, so that nobody ends for talking much; the start of it is kept.
                let mut chunk = [0; 4096];
                while let Ok(length @ 1..) = stderr.read(&mut chunk).await {
                    let room = KEPT_LOG.saturating_sub(log.len());
                    log.extend_from_slice(&chunk[..length.min(room)]);
                }
            }
        };
        tokio::join!(write, read, listen);
    };
    // Both ends are waited for; a filter that writes more than it may is ended below.
    let finished = tokio::time::timeout(budget.timeout, async {
        work.await;
        child.wait().await
    })
    .await;
    drop(group);
    if output.len() > budget.max_output {
        return None;
    }
    Some(match finished {
        Err(_) => Answer::Hung(format!("no end within {} s", budget.timeout.as_secs_f32())),
        Ok(Err(error)) => Answer::Environment(format!("waiting for `{program}` failed: {error}")),
        Ok(Ok(status)) if status.success() => Answer::Output { bytes: output, exact: true, report: None },
        Ok(Ok(status)) => {
            let log = String::from_utf8_lossy(&log);
            Answer::Crashed(format!("{status}: {}", shorten(log.trim(), 400)))
        }
    })
}
