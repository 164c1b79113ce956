//! Compares, by meaning, what the reference writes for generated transcripts with what it was given.
//!
//! ```text
//! cargo run --release -p wirecanon-fuzz --example generated -- COUNT [--seed N] [--from DIALECT] [--to TARGET] [--show N]
//! cargo run --release -p wirecanon-fuzz --example generated -- --print NUMBER [--seed N] [--from DIALECT] [--canonical]
//! ```
//!
//! Half of the transcripts are valid and half are broken. Each is written for one target, as a request or as a history. Differences
//! are grouped by invariant, reason and target. `--print` writes a transcript to stdout, or its known canonical outcome.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use arbitrary::Unstructured;
use clap::Parser;
use wirecanon_cases::parallel;
use wirecanon_core::invariant::{ALL, Verdict};
use wirecanon_core::normalizer::Reference;
use wirecanon_driver::{case, conversions, known};
use wirecanon_generate::{self as generate, Dialect, Generated, noise};

/// Judges many generated transcripts by the invariants of observers, and groups what differs.
#[derive(Parser)]
struct Options {
    /// How many
    #[arg(default_value_t = 100_000)]
    count: u64,
    /// Others than those of another seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Of this dialect alone
    #[arg(long)]
    from: Option<String>,
    /// For this target alone
    #[arg(long)]
    to: Option<String>,
    /// So many examples of each difference
    #[arg(long, default_value_t = 1)]
    show: usize,
    /// Print the transcript of this number, and judge nothing
    #[arg(long)]
    print: Option<u64>,
    /// Print what must come out of it instead
    #[arg(long = "canonical")]
    is_canonical: bool,
}

#[derive(Default)]
struct Group {
    count: usize,
    examples: Vec<String>,
}

#[derive(Default)]
struct Counts {
    valid: AtomicU64,
    broken: AtomicU64,
    compared: AtomicU64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if let Some(number) = options.print {
        let made = made(number, &options).1;
        let text = if options.is_canonical { made.canonical.unwrap_or_default().into_bytes() } else { made.bytes };
        std::io::stdout().write_all(&text)?;
        return Ok(());
    }
    let counts = Counts::default();
    let groups = Mutex::new(BTreeMap::<String, Group>::new());
    let numbers: Vec<u64> = (0..options.count).collect();
    parallel::map(&numbers, |number| one(*number, &options, &counts, &groups));
    let groups = groups.into_inner()?;
    let mut sorted: Vec<_> = groups.iter().collect();
    sorted.sort_by_key(|(_, group)| std::cmp::Reverse(group.count));
    for (name, group) in sorted {
        println!("{:6} {name}", group.count);
        for example in &group.examples {
            println!("       {example}");
        }
    }
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    println!(
        "{} valid and {} broken transcripts, {} comparisons, {} kinds of differences",
        count(&counts.valid),
        count(&counts.broken),
        count(&counts.compared),
        groups.len()
    );
    Ok(())
}

/// Generates a transcript.
fn made(number: u64, options: &Options) -> (usize, Generated) {
    let raw = noise(options.seed.wrapping_mul(1 << 32).wrapping_add(number), 200 + (number as usize % 5) * 400);
    let dialects: Vec<_> = Dialect::ALL
        .into_iter()
        .filter(|dialect| options.from.as_ref().is_none_or(|from| dialect.name() == from))
        .collect();
    let dialect = dialects[(number / 2) as usize % dialects.len()];
    let u = &mut Unstructured::new(&raw);
    (dialects.len(), if number.is_multiple_of(2) { generate::valid(u, dialect) } else { generate::broken(u, dialect) })
}

fn one(number: u64, options: &Options, counts: &Counts, groups: &Mutex<BTreeMap<String, Group>>) {
    let (dialects, made) = made(number, options);
    let dialect = made.dialect;
    let counter = if made.valid { &counts.valid } else { &counts.broken };
    counter.fetch_add(1, Ordering::Relaxed);
    let targets: Vec<_> =
        conversions(dialect).filter(|(target, _)| options.to.as_ref().is_none_or(|to| target.name == *to)).collect();
    let Some((target, mode)) = targets.get((number / 2 / dialects as u64) as usize % targets.len().max(1)) else {
        return;
    };
    let known = known(&made);
    let case = case(&made, &known, target, *mode, None);
    for invariant in ALL.iter().filter(|invariant| invariant.id.starts_with("M1")) {
        match (invariant.check)(&Reference, &case) {
            Verdict::NotApplicable(_) => {}
            Verdict::Held => {
                counts.compared.fetch_add(1, Ordering::Relaxed);
            }
            Verdict::Violated(violation) => {
                counts.compared.fetch_add(1, Ordering::Relaxed);
                let text = violation.to_string();
                let reason = wirecanon_core::observe::Reason::ALL
                    .iter()
                    .map(|reason| reason.id())
                    .filter_map(|id| Some((text.find(id)?, id)))
                    .min()
                    .map_or("other", |(_, id)| id);
                let name = format!("{} {reason} {} → {}", invariant.id, dialect.name(), target.dialect.name());
                let Ok(mut groups) = groups.lock() else { return };
                let group = groups.entry(name).or_default();
                group.count += 1;
                if group.examples.len() < options.show {
                    group.examples.push(format!("number {number}, {:?} for {}: {text}", made.faults, target.name));
                }
            }
        }
    }
}
