//! Speeds on transcripts of the sizes that users have, beside JSON parsers and beside another build of this program.
//!
//! ```text
//! cargo bench -p wirecanon-benches --bench ratios -- [table] [--rounds N]
//! cargo bench -p wirecanon-benches --bench ratios -- pair PROGRAM [--rounds N] [--bound RATIO]
//! cargo bench -p wirecanon-benches --bench ratios -- once|warm WORK SET BYTES
//! ```
//!
//! `table` measures each work on each data set and size. `pair` measures this build and PROGRAM, another build of this benchmark, in
//! turn, and prints how much faster this one is; it exits with 1 when a ratio is below the bound (default 0.9). Each measurement
//! is a process of its own (`warm`), because an allocator returns what an earlier work freed. Seconds are those of the processor
//! that the thread was given; of `table` the median of the rounds counts, of `pair` the least. `once` runs a work once, for a profiler.

#![allow(clippy::cast_precision_loss, reason = "sizes and seconds become figures for people")]

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use wirecanon_benches::data::{self, DataSet};
use wirecanon_benches::measure::{Arguments, timed};
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix};

/// Bytes of the transcripts: a short session, a long one, and the longest that users have.
const SIZES: [(&str, usize); 3] = [("10 kB", 10_000), ("200 kB", 200_000), ("2 MB", 2_000_000)];

/// Data sets of the tables.
const SETS: [&str; 5] = ["text", "escapes", "images", "text-one-defect", "text-broken"];

/// Something that is done with a transcript of `openai.chat`, after its untimed preparation.
struct Work {
    name: &'static str,
    prepare: fn(Vec<u8>) -> Vec<u8>,
    run: fn(&[u8]),
}

impl Work {
    const fn new(name: &'static str, run: fn(&[u8])) -> Self {
        Self { name, prepare: |bytes| bytes, run }
    }
}

fn options(from: Dialect, to: &str) -> Options<'static> {
    let target = Target::by_name(to).expect("the library has this target");
    Options { from: From::Dialect(from), to: Some(target), ..Options::default() }
}

fn convert(bytes: &[u8], from: Dialect, to: &str) {
    black_box(fix(black_box(bytes), &options(from, to)).expect("a transcript is written").output.len());
}

fn converted(bytes: &[u8], to: &str) -> Vec<u8> {
    fix(bytes, &options(Dialect::OpenAiChat, to)).expect("a transcript is written").output.into_owned()
}

const SERDE_WRITE: &str = "serde_json Value and write";

/// Works of this project: `pair` compares them.
const OURS: &[Work] = &[
    Work::new("fix to openai", |bytes| convert(bytes, Dialect::OpenAiChat, "openai")),
    Work::new("fix to anthropic", |bytes| convert(bytes, Dialect::OpenAiChat, "anthropic")),
    Work::new("fix to gemini", |bytes| convert(bytes, Dialect::OpenAiChat, "gemini")),
    Work::new("fix to bedrock-claude", |bytes| convert(bytes, Dialect::OpenAiChat, "bedrock-claude")),
    Work {
        name: "anthropic to itself",
        prepare: |bytes| converted(&bytes, "anthropic"),
        run: |bytes| convert(bytes, Dialect::AnthropicMessages, "anthropic"),
    },
    Work::new("check", |bytes| {
        let target = Target::by_name("openai").expect("the library has this target");
        let options = CheckOptions { target, mode: Mode::History, fragment: false, limits: Limits::default() };
        black_box(check(black_box(bytes), &options).expect("a transcript").violations.len());
    }),
    Work::new("index", |bytes| {
        black_box(Json::parse(text(black_box(bytes)), &Limits::default()).expect("JSON").len());
    }),
];

/// The same transcripts through JSON parsers, which know nothing of messages.
const PEERS: &[Work] = &[
    Work::new("sonic-rs skip", |bytes| {
        black_box(sonic_rs::from_slice::<sonic_rs::LazyValue<'_>>(black_box(bytes)).expect("JSON").as_raw_str().len());
    }),
    Work::new("sonic-rs Value", |bytes| {
        black_box(sonic_rs::from_slice::<sonic_rs::Value>(black_box(bytes)).expect("JSON"));
    }),
    Work::new("simd-json tape", |bytes| {
        // It decodes in place, so it needs a copy of its own.
        let mut own = black_box(bytes).to_vec();
        black_box(simd_json::to_tape(&mut own).expect("JSON").0.len());
    }),
    Work::new("jiter Value", |bytes| {
        black_box(jiter::JsonValue::parse(black_box(bytes), false).expect("JSON"));
    }),
    Work::new("serde_json Value", |bytes| {
        black_box(serde_json::from_slice::<serde_json::Value>(black_box(bytes)).expect("JSON"));
    }),
    Work::new(SERDE_WRITE, |bytes| {
        let value = serde_json::from_slice::<serde_json::Value>(black_box(bytes)).expect("JSON");
        black_box(serde_json::to_vec(&value).expect("a value is written").len());
    }),
    Work::new("memcpy", |bytes| drop(black_box(black_box(bytes).to_vec()))),
];

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

fn main() -> ExitCode {
    let mut arguments = Arguments::of_process();
    let rounds = arguments.number("--rounds", 5);
    let bound = arguments.number("--bound", 0.9);
    let words: Vec<&str> = arguments.rest.iter().map(String::as_str).collect();
    let done = match words[..] {
        [] | ["table"] => table(rounds),
        ["pair", other] => pair(Path::new(other), rounds, bound),
        [when @ ("once" | "warm"), work, set, bytes] => once(work, set, bytes, when == "warm"),
        _ => {
            eprintln!("usage: ratios [table] | pair PROGRAM | once|warm WORK SET BYTES");
            return ExitCode::from(2);
        }
    };
    done.unwrap_or_else(|error| {
        eprintln!("ratios: {error}");
        ExitCode::FAILURE
    })
}

/// Seconds for which a process repeats its work.
const AGAIN: f64 = 0.2;

/// Runs the work once; if `is_warm`, then repeats it and prints the median of its seconds and the number of bytes.
fn once(work: &str, set: &str, bytes: &str, is_warm: bool) -> Result<ExitCode, Box<dyn Error>> {
    let work = OURS.iter().chain(PEERS).find(|known| known.name == work).ok_or(format!("no work {work}"))?;
    let bytes = (work.prepare)(data::make(set_of(set)?, bytes.parse()?).0);
    (work.run)(&bytes);
    if is_warm {
        let mut seconds = Vec::new();
        while seconds.len() < 3 || seconds.iter().sum::<f64>() < AGAIN {
            seconds.push(timed(|| (work.run)(&bytes)));
        }
        println!("{} {}", median(seconds), bytes.len());
    }
    Ok(ExitCode::SUCCESS)
}

/// A median of seconds and a number of bytes, from a process of `program`.
fn measure(program: &Path, work: &Work, set: &str, bytes: usize) -> Result<(f64, f64), Box<dyn Error>> {
    let child = Command::new(program)
        .args(["warm", work.name, set, &bytes.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let line = String::from_utf8(child.stdout)?;
    let (seconds, bytes) = line.trim().split_once(' ').ok_or(format!("{} did not measure", program.display()))?;
    Ok((seconds.parse()?, bytes.parse()?))
}

fn set_of(name: &str) -> Result<DataSet, String> {
    data::ALL.iter().copied().find(|set| set.name == name).ok_or(format!("no data set {name}"))
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Prints megabytes a second of every work, and how it compares with `serde_json` parsing and writing the same text.
fn table(rounds: usize) -> Result<ExitCode, Box<dyn Error>> {
    let own = std::env::current_exe()?;
    for set in SETS {
        println!("| `{set}` | 10 kB | | 200 kB | | 2 MB | |\n|---|---:|---:|---:|---:|---:|---:|");
        let works: Vec<_> = OURS.iter().chain(PEERS).collect();
        let mut speeds = vec![vec![Vec::new(); SIZES.len()]; works.len()];
        for _ in 0..rounds {
            for (at, (_, size)) in SIZES.iter().enumerate() {
                for (work, speeds) in works.iter().zip(&mut speeds) {
                    let (seconds, bytes) = measure(&own, work, set, *size)?;
                    speeds[at].push(bytes / seconds / 1e6);
                }
            }
        }
        let beside = works.iter().position(|work| work.name == SERDE_WRITE).ok_or("no such work")?;
        for (work, own) in works.iter().zip(&speeds) {
            print!("| {} |", work.name);
            for (own, beside) in own.iter().zip(&speeds[beside]) {
                let ratio = median(own.iter().zip(beside).map(|(own, beside)| own / beside).collect());
                print!(" {:.0} | {ratio:.2} |", median(own.clone()));
            }
            println!();
        }
        println!();
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints how many times as fast as `other` this build is, for each work, data set and size.
fn pair(other: &Path, rounds: usize, bound: f64) -> Result<ExitCode, Box<dyn Error>> {
    let own = std::env::current_exe()?;
    let mut is_slower = false;
    println!("| work | data | {} |", SIZES.map(|(name, _)| name).join(" | "));
    println!("|---|---|{}", "---:|".repeat(SIZES.len()));
    for work in OURS {
        for set in SETS {
            print!("| {} | {set} |", work.name);
            for (_, size) in SIZES {
                // The least of the rounds: what else the machine does only adds.
                let (mut theirs, mut ours) = (f64::MAX, f64::MAX);
                for _ in 0..rounds {
                    theirs = theirs.min(measure(other, work, set, size)?.0);
                    ours = ours.min(measure(&own, work, set, size)?.0);
                }
                let ratio = theirs / ours;
                is_slower |= ratio < bound;
                print!(" {ratio:.2} |");
            }
            println!();
        }
    }
    Ok(if is_slower { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
