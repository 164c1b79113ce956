//! How time grows with the size of hostile transcripts: an exponent for each of `wirecanon_benches::attack` and `long`.
//!
//! ```text
//! cargo bench -p wirecanon-benches --bench growth -- [--least BYTES] [--most BYTES] [--by N] [--every] [--through PROGRAM] [NAME…]
//! ```
//!
//! `--every` converts to all targets instead of five, `--through` runs the command line PROGRAM instead of the library. Exits with 1
//! when an exponent exceeds 1.05.

#![allow(clippy::cast_precision_loss, reason = "sizes and seconds become figures for people")]

use std::hint::black_box;
use std::io::Write;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use wirecanon_benches::attack::{self, Attack};
use wirecanon_benches::long;
use wirecanon_benches::measure::{Arguments, timed};
use wirecanon_core::json::Limits;
use wirecanon_core::{CheckOptions, Dialect, From, Mode, Options, Target, check, fix};

fn main() -> ExitCode {
    let mut arguments = Arguments::of_process();
    let least = arguments.number("--least", 100_000);
    let most = arguments.number("--most", 12_800_000);
    let by = arguments.number("--by", 4).max(2);
    let through = arguments.value("--through");
    let every = arguments.flag("--every");
    growth(least, most, by, every, through.as_deref(), &arguments.rest)
}

/// Something that is done with the text of an attack, and its name.
type Measure = (String, Box<dyn Fn(&[u8])>);

/// What is done with an attack.
fn measures(attack: &Attack, every: bool) -> Vec<Measure> {
    let from = Dialect::by_name(attack.dialect).expect("an attack is in a dialect");
    let (target, limits) = (Target::of_dialect(from), Limits::default());
    let options = CheckOptions { target, mode: Mode::Request, fragment: false, limits };
    let mut all: Vec<Measure> = vec![
        ("check".to_owned(), Box::new(move |bytes| drop(check(bytes, &options)))),
        ("fix from auto".to_owned(), Box::new(|bytes| drop(fix(bytes, &Options::default())))),
    ];
    let is_meant = |name: &str| {
        every || name == from.name() || matches!(name, "canonical" | "anthropic" | "openai.chat" | "gemini")
    };
    for target in Target::all().iter().filter(|target| is_meant(&target.name)) {
        let (from, call_id) = (From::Dialect(from), Some("call_1".to_owned()));
        let options = Options { from, to: Some(target), call_id, ..Options::default() };
        all.push((format!("fix to {}", target.name), Box::new(move |bytes| drop(fix(bytes, &options)))));
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
