//! Ratios: this program beside the limit and beside other parsers, on the same bytes, in turn, in one run.
//!
//! ```text
//! cargo bench -p wirecanon-benches --bench ratios -- table [--megabytes N] [--rounds N] [--json]
//! cargo bench -p wirecanon-benches --bench ratios -- growth [--least BYTES] [--most BYTES] [--by N] [--every] [--through PROGRAM] [NAME…]
//! cargo bench -p wirecanon-benches --bench ratios -- once|warm WORK SET MEGABYTES
//! ```
//!
//! Times are those of the processor that this thread was given, so what else runs on the machine weighs less, and each ratio is
//! the median of those of the rounds. What of a table is timed has a process of its own, does its work there once before, and is
//! timed then, some times: in one process for all, an allocator gives back what another one freed, and each would be as fast as the
//! one before it leaves memory. `once` is that process without the work before, for a profiler.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes and seconds become figures for people"
)]

use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use wirecanon_benches::attack::{self, Attack};
use wirecanon_benches::data::{self, DataSet};
use wirecanon_benches::long;
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix, fix_in_pieces};

/// Seconds of the processor that some work took.
fn timed(work: impl FnOnce()) -> f64 {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("the clock of a thread counts up");
    let before = now();
    work();
    now().checked_sub(before).unwrap().as_secs_f64()
}

/// Something that is done with the bytes of a data set.
struct Work {
    name: &'static str,
    run: fn(&[u8]),
}

fn fix_to(bytes: &[u8], from: Dialect, to: &str) {
    let target = Target::by_name(to).expect("the library has this target");
    let options = Options { from: From::Dialect(from), to: Some(target), ..Options::default() };
    black_box(fix(black_box(bytes), &options).expect("a transcript is written").output.len());
}

fn checked(bytes: &[u8], target: &str) {
    let target = Target::by_name(target).expect("the library has this target");
    let options = CheckOptions { target, mode: Mode::History, fragment: false, limits: Limits::default() };
    black_box(check(black_box(bytes), &options).expect("a transcript").violations.len());
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

const FIX: &str = "fix";
const IN_PIECES: &str = "fix in pieces";
const CONVERT: &str = "convert";
const SKIP: &str = "sonic-rs skip";
const SONIC: &str = "sonic-rs Value";
const SERDE: &str = "serde_json Value";
const SERDE_WRITE: &str = "serde_json Value and write";
const MEMCPY: &str = "memcpy";

const WORKS: &[Work] = &[
    Work { name: FIX, run: |bytes| fix_to(bytes, Dialect::OpenAiChat, "openai.chat") },
    Work {
        name: IN_PIECES,
        run: |bytes| {
            let options = Options::new().from(Dialect::OpenAiChat);
            black_box(
                fix_in_pieces(black_box(bytes), &options).expect("a transcript is written").output.iter().count(),
            );
        },
    },
    Work { name: CONVERT, run: |bytes| fix_to(bytes, Dialect::OpenAiChat, "anthropic.messages") },
    Work { name: "check", run: |bytes| checked(bytes, "openai.chat") },
    Work {
        name: "index",
        run: |bytes| {
            let text = text(black_box(bytes));
            black_box(Json::parse(text, &Limits::default()).expect("JSON").len());
        },
    },
    Work {
        name: SKIP,
        run: |bytes| {
            black_box(
                sonic_rs::from_slice::<sonic_rs::LazyValue<'_>>(black_box(bytes)).expect("JSON").as_raw_str().len(),
            );
        },
    },
    Work {
        name: SONIC,
        run: |bytes| {
            black_box(sonic_rs::from_slice::<sonic_rs::Value>(black_box(bytes)).expect("JSON"));
        },
    },
    Work {
        name: "simd-json tape",
        run: |bytes| {
            // It decodes in place, so it needs a copy of its own.
            let mut own = black_box(bytes).to_vec();
            black_box(simd_json::to_tape(&mut own).expect("JSON").0.len());
        },
    },
    Work {
        name: "jiter Value",
        run: |bytes| {
            black_box(jiter::JsonValue::parse(black_box(bytes), false).expect("JSON"));
        },
    },
    Work {
        name: SERDE,
        run: |bytes| {
            black_box(serde_json::from_slice::<serde_json::Value>(black_box(bytes)).expect("JSON"));
        },
    },
    Work {
        name: SERDE_WRITE,
        run: |bytes| {
            let value = serde_json::from_slice::<serde_json::Value>(black_box(bytes)).expect("JSON");
            black_box(serde_json::to_vec(&value).expect("a value is written").len());
        },
    },
    Work { name: MEMCPY, run: |bytes| drop(black_box(black_box(bytes).to_vec())) },
];

/// A row of the table: one thing beside another, and what must be reached.
struct Row {
    what: &'static str,
    work: (&'static str, &'static str),
    beside: (&'static str, &'static str),
    goal: f64,
}

const ROWS: &[Row] = &[
    Row {
        what: "clean text to the same dialect, beside sonic-rs making its `Value`",
        work: (FIX, "text"),
        beside: (SONIC, "text"),
        goal: 1.0,
    },
    Row {
        what: "the same with every third character escaped",
        work: (FIX, "escapes"),
        beside: (SONIC, "escapes"),
        goal: 1.0,
    },
    Row { what: "clean text, beside sonic-rs skipping it", work: (FIX, "text"), beside: (SKIP, "text"), goal: 1.0 },
    Row {
        what: "one defect in a hundred messages, beside clean",
        work: (FIX, "text-one-defect"),
        beside: (FIX, "text"),
        goal: 0.8,
    },
    Row {
        what: "the same, in pieces that need not be copied",
        work: (IN_PIECES, "text-one-defect"),
        beside: (FIX, "text"),
        goal: 0.8,
    },
    Row {
        what: "every message broken, beside serde_json parsing and writing",
        work: (FIX, "text-broken"),
        beside: (SERDE_WRITE, "text-broken"),
        goal: 1.0,
    },
    Row {
        what: "`openai.chat` to `anthropic.messages`, beside serde_json parsing and writing",
        work: (CONVERT, "text"),
        beside: (SERDE_WRITE, "text"),
        goal: 1.5,
    },
    Row {
        what: "a picture of 50 kB in one message of twenty, beside sonic-rs skipping it",
        work: (FIX, "images"),
        beside: (SKIP, "images"),
        goal: 0.8,
    },
    Row {
        what: "pictures and hardly anything else, beside `memcpy`",
        work: (FIX, "only-images"),
        beside: (MEMCPY, "only-images"),
        goal: 0.5,
    },
];

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let mut number = |name: &str, common: usize| {
        let Some(at) = words.iter().position(|word| word == name) else { return common };
        let value = words.get(at + 1).and_then(|word| word.parse().ok()).unwrap_or(common);
        words.drain(at..(at + 2).min(words.len()));
        value
    };
    let (megabytes, rounds) = (number("--megabytes", 64), number("--rounds", 5));
    let (least, most, by) = (number("--least", 100_000), number("--most", 12_800_000), number("--by", 4).max(2));
    let through = words.iter().position(|word| word == "--through").map(|at| {
        let program = words.get(at + 1).cloned().unwrap_or_default();
        words.drain(at..(at + 2).min(words.len()));
        program
    });
    let mut flag = |name: &str| {
        let before = words.len();
        words.retain(|word| word != name);
        words.len() < before
    };
    let (json, every) = (flag("--json"), flag("--every"));
    match words.first().map(String::as_str) {
        Some("table") => match table(megabytes, rounds, json) {
            Ok(()) => {}
            Err(error) => {
                eprintln!("ratios: {error}");
                return ExitCode::FAILURE;
            }
        },
        Some("growth") => return growth(least, most, by, every, through.as_deref(), &words[1..]),
        Some(when @ ("once" | "warm")) if words.len() == 4 => {
            return once(&words[1], &words[2], &words[3], when == "warm");
        }
        _ => {
            eprintln!("usage: ratios table | growth [NAME…] | once|warm WORK SET MEGABYTES");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Seconds for which a process times the same work again.
const AGAIN: f64 = 0.3;

/// At most so many times.
const TIMES: usize = 9;

/// Does it; then again and again, if asked, and says the median of the seconds that it took, and of how many bytes. (valgrind ends
/// a program that asks for the time of a thread in this way.)
fn once(work: &str, set: &str, megabytes: &str, is_warm: bool) -> ExitCode {
    let work = WORKS.iter().find(|known| known.name == work);
    let (Some(work), Some(set), Ok(megabytes)) = (work, set_of(set), megabytes.parse::<f64>()) else {
        eprintln!("ratios: once takes the name of a work, the name of a data set, and megabytes");
        return ExitCode::from(2);
    };
    let (bytes, _) = data::make(set, (megabytes * 1_048_576.0) as usize);
    (work.run)(&bytes);
    if is_warm {
        let mut seconds = Vec::with_capacity(TIMES);
        while seconds.len() < TIMES && seconds.iter().sum::<f64>() < AGAIN {
            seconds.push(timed(|| (work.run)(&bytes)));
        }
        println!("{} {}", median(seconds), bytes.len());
    }
    ExitCode::SUCCESS
}

/// The same in a process of its own.
fn apart(work: &Work, set: DataSet, megabytes: usize) -> Result<(f64, f64), Box<dyn Error>> {
    let child = Command::new(std::env::current_exe()?)
        .args(["warm", work.name, set.name, &megabytes.to_string()])
        .stderr(Stdio::inherit())
        .output()?;
    let said = String::from_utf8(child.stdout)?;
    let (seconds, bytes) = said.trim().split_once(' ').ok_or("a process said nothing")?;
    Ok((seconds.parse()?, bytes.parse()?))
}

fn set_of(name: &str) -> Option<DataSet> {
    data::ALL.iter().copied().find(|set| set.name == name)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Every work on every data set, in turn, so many times; then the rows.
fn table(megabytes: usize, rounds: usize, json: bool) -> Result<(), Box<dyn Error>> {
    let sets = data::ALL;
    let mut lengths = vec![0.0; sets.len()];
    let mut seconds = vec![vec![Vec::with_capacity(rounds); sets.len()]; WORKS.len()];
    for _ in 0..rounds {
        for (at, set) in sets.iter().enumerate() {
            for (work, seconds) in WORKS.iter().zip(&mut seconds) {
                let (took, bytes) = apart(work, *set, megabytes)?;
                seconds[at].push(took);
                lengths[at] = bytes;
            }
        }
    }
    let of = |(work, set): (&str, &str)| {
        let work = WORKS.iter().position(|known| known.name == work).expect("a row names a work");
        let set = sets.iter().position(|known| known.name == set).expect("a row names a set");
        (&seconds[work][set], lengths[set])
    };
    let ratio = |row: &Row| {
        let ((ours, our_bytes), (theirs, their_bytes)) = (of(row.work), of(row.beside));
        median(ours.iter().zip(theirs).map(|(ours, theirs)| (theirs / their_bytes) / (ours / our_bytes)).collect())
    };
    if json {
        let rows: Vec<_> = ROWS
            .iter()
            .map(|row| serde_json::json!({"what": row.what, "goal": row.goal, "ratio": ratio(row)}))
            .collect();
        let speeds: Vec<_> = WORKS
            .iter()
            .flat_map(|work| sets.iter().map(move |set| (work.name, set.name)))
            .map(|(work, set)| {
                let (seconds, bytes) = of((work, set));
                serde_json::json!({"work": work, "set": set, "megabytes_a_second": bytes / median(seconds.clone()) / 1e6})
            })
            .collect();
        println!("{}", serde_json::json!({"megabytes": megabytes, "rounds": rounds, "rows": rows, "speeds": speeds}));
        return Ok(());
    }
    println!("| what | goal | ratio |\n|---|---:|---:|");
    for row in ROWS {
        println!("| {} | {:.1} | {:.2} |", row.what, row.goal, ratio(row));
    }
    print!("\n| MB a second |");
    for set in sets {
        print!(" {} |", set.name);
    }
    print!("\n|---|");
    println!("{}", "---:|".repeat(sets.len()));
    for work in WORKS {
        print!("| {} |", work.name);
        for set in sets {
            let (seconds, bytes) = of((work.name, set.name));
            print!(" {:.0} |", bytes / median(seconds.clone()) / 1e6);
        }
        println!();
    }
    Ok(())
}

/// Something that is done with the text of an attack, and its name.
type Measure = (String, Box<dyn Fn(&[u8])>);

/// What is done with an attack.
fn measures(attack: &Attack, every: bool) -> Vec<Measure> {
    let from = Dialect::by_name(attack.dialect).expect("an attack is in a dialect");
    let mut all: Vec<Measure> = Vec::new();
    let own = Target::of_dialect(from);
    all.push((
        "check".to_owned(),
        Box::new(move |bytes| {
            drop(check(
                bytes,
                &CheckOptions { target: own, mode: Mode::Request, fragment: false, limits: Limits::default() },
            ));
        }),
    ));
    all.push((
        "fix from auto".to_owned(),
        Box::new(move |bytes| {
            let options = Options::default();
            drop(fix(bytes, &options));
        }),
    ));
    let targets = Target::all();
    for target in targets {
        if !every
            && target.name != from.name()
            && !matches!(&*target.name, "canonical" | "anthropic" | "openai.chat" | "gemini")
        {
            continue;
        }
        all.push((
            format!("fix to {}", target.name),
            Box::new(move |bytes| {
                let options = Options {
                    from: From::Dialect(from),
                    to: Some(target),
                    call_id: Some("call_1".to_owned()),
                    ..Options::default()
                };
                drop(fix(bytes, &options));
            }),
        ));
    }
    all
}

/// What a command line does with an attack: `check` in every output form, and `fix` with its report, each in a process.
fn of_program(program: &str, attack: &Attack, every: bool) -> Vec<Measure> {
    let from = attack.dialect;
    let checks = ["human", "json", "github", "sarif"].into_iter().map(|form| {
        (format!("check --format {form}"), vec!["check", "--target", from, "--for", "request", "--format", form, "-"])
    });
    let fixes = Target::all()
        .iter()
        .filter(|target| every || target.name == from || matches!(&*target.name, "openai" | "anthropic" | "gemini"))
        .map(|target| {
            let args =
                ["fix", "--from", from, "--to", &*target.name, "--call-id", "call_1", "--report", "/dev/null", "-"];
            (format!("fix --to {}", target.name), args.to_vec())
        });
    let all = checks.chain(fixes).map(|(name, args)| {
        let program = program.to_owned();
        let run = move |bytes: &[u8]| {
            let mut child = Command::new(&program)
                .args(&args)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            // A program that refuses the text ends before it has read it.
            let _ = child.stdin.take().map(|mut input| input.write_all(bytes));
            child.wait().expect("the program ends");
        };
        (name, Box::new(run) as Box<dyn Fn(&[u8])>)
    });
    all.collect()
}

/// How time grows with each attack: the exponent that fits best, and nanoseconds a byte at both ends.
fn growth(least: usize, most: usize, by: usize, every: bool, through: Option<&str>, names: &[String]) -> ExitCode {
    const LIMIT: f64 = 1.05;
    let mut worst = 0.0_f64;
    println!("| attack | work | exponent | ns a byte, {least} | ns a byte, {most} |\n|---|---|---:|---:|---:|");
    let is_meant = |attack: &&Attack| names.is_empty() || names.iter().any(|name| attack.name.contains(&**name));
    for attack in attack::ALL.iter().chain(long::ALL).filter(is_meant) {
        let mut sizes = vec![least];
        while sizes[sizes.len() - 1] * by <= most {
            sizes.push(sizes[sizes.len() - 1] * by);
        }
        let texts: Vec<_> = sizes.iter().map(|size| attack.make(*size)).collect();
        let works = match through {
            Some(program) => of_program(program, attack, every),
            None => measures(attack, every),
        };
        for (name, run) in works {
            let mut points = Vec::new();
            for text in &texts {
                // The least of some: what else the machine does only adds.
                let times = (most / text.len()).clamp(3, 7);
                let once = || run(black_box(text));
                let seconds = |_| if through.is_some() { elapsed(once) } else { timed(once) };
                let least = (0..times).map(seconds).fold(f64::MAX, f64::min);
                points.push((text.len() as f64, least.max(1e-9)));
                if least > 60.0 {
                    break;
                }
            }
            let slope = exponent(&points);
            worst = worst.max(slope);
            let a_byte = |point: &(f64, f64)| point.1 / point.0 * 1e9;
            let mark = if slope > LIMIT { " (!)" } else { "" };
            println!(
                "| {} | {name} | {slope:.2}{mark} | {:.1} | {:.1} |",
                attack.name,
                a_byte(&points[0]),
                points.last().map_or(0.0, a_byte)
            );
        }
    }
    if worst > LIMIT { ExitCode::from(1) } else { ExitCode::SUCCESS }
}

/// Seconds on the clock: the work is done in another process.
fn elapsed(work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    begin.elapsed().as_secs_f64()
}

/// The slope of the straight line through the logarithms.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = points.iter().map(|(bytes, seconds)| (bytes.ln(), seconds.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = (logs.iter().map(|log| log.0).sum::<f64>() / count, logs.iter().map(|log| log.1).sum::<f64>() / count);
    let above: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    let below: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    if below > 0.0 { above / below } else { 0.0 }
}
