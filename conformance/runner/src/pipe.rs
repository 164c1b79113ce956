//! How fast the runner is beside what the pipe to a testee allows at all.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Write};
use std::process::Child;
use std::time::{Duration, Instant};

use wirecanon_core::Target;
use wirecanon_judge::case::Case;
use wirecanon_judge::judge::{Demands, judge, judge_with};
use wirecanon_judge::meaning::{Conversations, Document};

use crate::latency::rate;
use crate::run::targets_of;
use crate::testee::{Budget, Form, Group, Launch, Mark, ProcessTestee, Reference, Request, Testee, protocol};

/// Requests of a round at most.
const MOST: usize = 4096;

/// Bytes of a request line, at least and at most: those of a common message. What is in flight at once must fit into a pipe.
const LINE: std::ops::Range<usize> = 256..2048;

/// Requests in flight of the second limit: few enough that each end wakes for a few lines, as with a testee that works.
pub const FEW: usize = 8;

/// Rounds in which all are measured, one after the other, so that a noisy moment hits all of them.
const ROUNDS: u32 = 5;

/// Requests a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Speed {
    /// To a testee that gives its input back, by a driver that does nothing else
    pub pipe: f64,
    /// The same with only [`FEW`] of them in flight: how the limit is stated where runners are compared
    pub pipe_of_few: f64,
    /// To the reference as a process, by the same driver
    pub reference: f64,
    /// To the reference as a process, by the runner, each answer judged
    pub runner: f64,
    /// To the reference in this process, each answer judged, on one thread
    pub direct: f64,
    /// What the runner needs for a case if nobody else wants a processor, in microseconds; not known everywhere
    pub runner_cpu: Option<f64>,
    /// Different requests
    pub requests: usize,
    /// Bytes of a request line, in the mean
    pub line: usize,
}

/// Measures for about so long. `program` is this program.
///
/// # Errors
///
/// A process does not start, or ends early.
pub fn measure(program: &str, cases: &[Case], in_flight: usize, time: Duration) -> Result<Speed, String> {
    let asked = requests(cases);
    if asked.is_empty() {
        return Err("no case is small enough".to_owned());
    }
    let lines: Vec<Vec<u8>> = asked
        .iter()
        .enumerate()
        .map(|(id, (case, target))| protocol::request_line(id as u64, &Request::of(case, target), Form::Text))
        .collect();
    let line = lines.iter().map(Vec::len).sum::<usize>() / lines.len();
    let slice = time / (ROUNDS * 5);
    let command = |words: &[&str]| [&[program], words].concat().into_iter().map(str::to_owned).collect::<Vec<_>>();
    let budget = Budget { in_flight, lasts: true, ..Budget::default() };
    let mut testee = ProcessTestee::new(command(&["testee", "serve"]), budget);
    testee.hello().map_err(|error| error.message)?;
    let mut best = Speed { requests: asked.len(), line, ..Speed::default() };
    for _ in 0..ROUNDS {
        let bare = |words: &[&str], in_flight: usize| {
            driven(command(words), &lines, in_flight, slice).map_err(|error| format!("the pipe: {error}"))
        };
        best.pipe = best.pipe.max(bare(&["testee", "serve", "--echo"], in_flight)?);
        best.pipe_of_few = best.pipe_of_few.max(bare(&["testee", "serve", "--echo"], FEW)?);
        best.reference = best.reference.max(bare(&["testee", "serve"], in_flight)?);
        let (runner, cpu) = judged(&mut testee, &asked, slice);
        best.runner = best.runner.max(runner);
        best.runner_cpu = best.runner_cpu.map_or(cpu, |best| cpu.map(|cpu| cpu.min(best)));
        best.direct = best.direct.max(direct(&asked, slice));
    }
    Ok(best)
}

/// Cases of the common size for their targets, spread over the corpus.
fn requests(cases: &[Case]) -> Vec<(&Case, &'static Target)> {
    let all = cases.iter().flat_map(|case| targets_of(case).map(move |target| (case, target)));
    let common = all.filter(|(case, target)| {
        std::str::from_utf8(&case.input).is_ok()
            && LINE.contains(&protocol::request_line(1, &Request::of(case, target), Form::Text).len())
    });
    let common: Vec<_> = common.collect();
    let step = common.len().div_ceil(MOST).max(1);
    common.into_iter().step_by(step).collect()
}

/// Requests a second of a driver that writes lines and counts lines.
fn driven(command: Vec<String>, lines: &[Vec<u8>], in_flight: usize, time: Duration) -> io::Result<f64> {
    let mut child = Launch { command, ..Launch::default() }.start(&Mark::new()).spawn()?;
    let _group = Group::led_by(child.id());
    let counted = count(&mut child, lines, in_flight, time);
    drop(child.stdin.take());
    child.wait()?;
    counted
}

fn count(child: &mut Child, lines: &[Vec<u8>], in_flight: usize, time: Duration) -> io::Result<f64> {
    let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else { return Err(gone()) };
    let mut stdout = BufReader::with_capacity(64 << 10, stdout);
    let mut next = lines.iter().cycle();
    let mut out = Vec::new();
    let mut free = in_flight;
    let (mut answers, mut open) = (0_u64, 0_usize);
    // Starting is none of its speed.
    let mut started = None;
    loop {
        let over = started.is_some_and(|started: Instant| started.elapsed() >= time);
        if over && open == 0 {
            break;
        }
        if !over {
            out.clear();
            for line in next.by_ref().take(free) {
                out.extend_from_slice(line);
            }
            open += free;
            stdin.write_all(&out)?;
        }
        let chunk = stdout.fill_buf()?;
        if chunk.is_empty() {
            return Err(gone());
        }
        free = chunk.split(|byte| *byte == b'\n').count() - 1;
        let taken = chunk.len();
        stdout.consume(taken);
        open -= free;
        if started.is_some() {
            answers += free as u64;
        } else {
            started = Some(Instant::now());
        }
    }
    Ok(rate(answers, started.map_or(time, |started| started.elapsed())))
}

/// Time that this process was given by the processors so far.
fn processor() -> Option<Duration> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).ok()
    }
    #[cfg(not(unix))]
    None
}

/// Cases a second of the runner, and microseconds of a processor for each.
fn judged(testee: &mut dyn Testee, asked: &[(&Case, &'static Target)], time: Duration) -> (f64, Option<f64>) {
    let before = processor();
    let requests: Vec<Request<'_>> = asked.iter().map(|(case, target)| Request::of(case, target)).collect();
    let documents: BTreeMap<&str, Document<'_>> =
        asked.iter().map(|(case, _)| (case.id.as_str(), Document::new(case))).collect();
    let read: BTreeMap<&str, Conversations<'_, '_>> =
        documents.iter().map(|(id, document)| (*id, Conversations::new(document))).collect();
    let read: Vec<_> = asked.iter().map(|(case, _)| read.get(case.id.as_str())).collect();
    let (mut answers, started) = (0_u64, Instant::now());
    loop {
        testee.convert(&requests, &mut |index, answer| {
            let (case, target) = asked[index];
            std::hint::black_box(judge_with(case, target, &answer, Demands::default(), read[index]));
            answers += 1;
        });
        if started.elapsed() >= time {
            let speed = rate(answers, started.elapsed());
            let used = processor().zip(before).map(|(now, before)| now.saturating_sub(before));
            return (speed, used.map(|used| 1e6 / rate(answers, used)));
        }
    }
}

/// Cases a second without any pipe.
fn direct(asked: &[(&Case, &'static Target)], time: Duration) -> f64 {
    let (mut answers, started) = (0_u64, Instant::now());
    for (case, target) in asked.iter().cycle() {
        std::hint::black_box(judge(case, target, &Reference::answer(&Request::of(case, target)), false));
        answers += 1;
        if answers % 64 == 0 && started.elapsed() >= time {
            break;
        }
    }
    rate(answers, started.elapsed())
}
