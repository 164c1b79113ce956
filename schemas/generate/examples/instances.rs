//! Makes instances of a schema and times that, or judges instances that others made.
//!
//! ```text
//! instances make  SCHEMA COUNT FILE     COUNT instances, one a line; prints their number, and the seconds that they took
//! instances judge SCHEMA FILE           prints how many lines there are, how many are no instances, how many differ, mean bytes
//! ```
//!
//! Seconds are those of the processor where the system counts them, so that other programs on the machine do not matter.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use arbitrary::Unstructured;
use wirecanon_generate::instance::Plan;
use wirecanon_generate::noise;

/// Bytes that one instance may be made of.
const BYTES: usize = 512;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["make", schema, count, file] => make(schema, count, file),
        ["judge", schema, file] => judge(schema, file),
        _ => Err("usage: instances make SCHEMA COUNT FILE | judge SCHEMA FILE".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("instances: {error}");
            ExitCode::from(2)
        }
    }
}

fn make(schema: &str, count: &str, file: &str) -> Result<(), Box<dyn std::error::Error>> {
    let plan = Plan::compile(&std::fs::read_to_string(schema)?)?;
    let count: u64 = count.parse()?;
    let seeds: Vec<Vec<u8>> = (0..count).map(|seed| noise(seed, BYTES)).collect();
    let mut out = String::new();
    let clock = Clock::start();
    for seed in &seeds {
        out.clear();
        plan.write(&mut Unstructured::new(seed), &mut out);
        std::hint::black_box(&out);
    }
    println!("{count}\t{}", clock.seconds());
    let mut file = BufWriter::new(File::create(file)?);
    for seed in &seeds {
        writeln!(file, "{}", plan.instance(&mut Unstructured::new(seed)))?;
    }
    Ok(file.flush()?)
}

/// Seconds that this thread has worked, by Linux; elsewhere seconds.
struct Clock {
    start: Instant,
    worked: Option<f64>,
}

impl Clock {
    fn start() -> Self {
        Self { start: Instant::now(), worked: Self::worked() }
    }

    fn seconds(&self) -> f64 {
        match (Self::worked(), self.worked) {
            (Some(now), Some(then)) => now - then,
            _ => self.start.elapsed().as_secs_f64(),
        }
    }

    fn worked() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
        Some(nanoseconds / 1e9)
    }
}

fn judge(schema: &str, file: &str) -> Result<(), Box<dyn std::error::Error>> {
    let schema = serde_json::from_str(&std::fs::read_to_string(schema)?)?;
    let validator = jsonschema::validator_for(&schema).map_err(|error| error.to_string())?;
    let (mut lines, mut invalid, mut bytes) = (0_u64, 0_u64, 0_usize);
    let mut different = HashSet::new();
    for line in BufReader::new(File::open(file)?).lines() {
        let line = line?;
        lines += 1;
        bytes += line.len();
        let holds = serde_json::from_str(&line).is_ok_and(|value| validator.is_valid(&value));
        invalid += u64::from(!holds);
        different.insert(line);
    }
    println!("{lines}\t{invalid}\t{}\t{}", different.len(), bytes as u64 / lines.max(1));
    Ok(())
}
