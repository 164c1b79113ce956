//! Runs test programs with one mutant on, until one of them fails.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::build::Program;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A test failed
    Caught,
    /// No test did
    Missed,
    /// Tests took four times the processor's time that they take without it
    Timeout,
}

/// Tests of size and those of thousands of transcripts, which take minutes where little is optimized; and one that looks at
/// the text of the source, which has switches in it.
const SKIPPED: [&str; 5] = [
    "scale",
    "one_byte_is_another",
    "the_reference_is_right",
    "every_defect",
    "the_judge_imports_nothing_that_it_judges",
];
const KILOBYTES: u32 = 6_000_000;
/// What a program that takes more of the processor's time is ended by.
const SIGXCPU: i32 = 24;

/// Runs one program, and ends it with all that it began when a test fails.
fn run(program: &Program, mutant: usize, seconds: u64) -> io::Result<Outcome> {
    let script = format!("ulimit -t {seconds}; ulimit -v {KILOBYTES}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(&program.file);
    for name in SKIPPED {
        command.args(["--skip", name]);
    }
    command.args(program.tests);
    command
        .current_dir(&program.folder)
        .env("WIRECANON_MUTANT", mutant.to_string())
        .envs([("PROPTEST_CASES", "16"), ("PROPTEST_MAX_SHRINK_TIME", "1"), ("RUST_BACKTRACE", "0")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0);
    let mut child = command.spawn()?;
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let (lines, said) = channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if line.ends_with(b"... FAILED") && lines.send(()).is_err() {
                    break;
                }
            }
        });
    }
    // A test that waits for ever needs no time of the processor.
    let ended = match said.recv_timeout(Duration::from_secs(seconds * 10)) {
        Ok(()) => Some(Outcome::Caught),
        Err(RecvTimeoutError::Timeout) => Some(Outcome::Timeout),
        Err(RecvTimeoutError::Disconnected) => None,
    };
    if ended.is_some()
        && let Some(group) = group
    {
        // What ended by itself needs no signal.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait()?;
    let by_itself = || match std::os::unix::process::ExitStatusExt::signal(&status) {
        Some(SIGXCPU) => Outcome::Timeout,
        _ if status.success() => Outcome::Missed,
        _ => Outcome::Caught,
    };
    Ok(ended.unwrap_or_else(by_itself))
}

/// The seconds of the processor that each program may take: four times what it takes with no mutant on, and some.
///
/// # Errors
///
/// A program fails with no mutant on.
pub fn baseline(programs: &[Program]) -> io::Result<BTreeMap<String, u64>> {
    let mut limits = BTreeMap::new();
    for program in programs {
        let began = Instant::now();
        if run(program, 0, 3600)? != Outcome::Missed {
            return Err(io::Error::other(format!("{} fails where nothing is changed", program.file.display())));
        }
        let took = began.elapsed();
        eprintln!("one-build: {} takes {:.1} s where nothing is changed", program.name, took.as_secs_f32());
        // Several threads of it take more than its time.
        limits.insert(program.name.clone(), took.as_secs() * 4 + 5);
    }
    Ok(limits)
}

/// Asks each program until one notices the mutant, and says which did.
///
/// # Errors
///
/// A program cannot be started.
pub fn trial<'p>(
    programs: &'p [Program],
    limits: &BTreeMap<String, u64>,
    mutant: usize,
) -> io::Result<(Outcome, &'p str)> {
    for program in programs {
        let outcome = run(program, mutant, limits.get(&program.name).copied().unwrap_or(600))?;
        if outcome != Outcome::Missed {
            return Ok((outcome, &program.name));
        }
    }
    Ok((Outcome::Missed, ""))
}
