//! Whether `check` and `fix` agree over so many bodies, on every core.
//!
//! ```text
//! cargo run --release -p wirecanon-fuzz --example agreement -- [BODIES] [--pairs] [--first N]
//! ```
//!
//! It prints the disagreements, the planted ones and where each was found, and with `--pairs` how often each rule was broken
//! for each target. It exits with 1 where there is a disagreement, or a planted one was not found.

use std::process::ExitCode;

use wirecanon_cases::parallel;
use wirecanon_fuzz::agreement::{Found, PLANTED, Source, first_planted, judge, own_check, own_fix};

/// Bodies that one thread takes at a time.
const PART: usize = 500;

/// Disagreements that are printed.
const SHOWN: usize = 20;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let bodies = args.iter().find_map(|arg| arg.parse().ok()).unwrap_or(100_000);
    let first: u64 =
        args.iter().position(|arg| arg == "--first").and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or_default();
    let source = Source::of_corpus();
    let parts: Vec<u64> = (first..first + bodies).step_by(PART).collect();
    let work = |begin: &u64| {
        let mut found = Found::default();
        for number in *begin..(begin + PART as u64).min(first + bodies) {
            judge(&source, number, (&own_check, &own_fix), &mut found);
        }
        found
    };
    let mut found = Found::default();
    for part in parallel::map(&parts, work) {
        found.add(part);
    }
    for words in found.disagreements.iter().take(SHOWN) {
        println!("{words}");
    }
    let mut missed = 0;
    for rule in PLANTED {
        for is_of_fix in [false, true] {
            let what = if is_of_fix { "fix leaves" } else { "check passes over" };
            match first_planted(&source, rule, is_of_fix, bodies.min(200_000)) {
                Some(number) => println!("planted: {what} {rule}: found at body {number}"),
                None => {
                    missed += 1;
                    println!("planted: {what} {rule}: not found");
                }
            }
        }
    }
    if args.iter().any(|arg| arg == "--pairs") {
        for ((rule, target), count) in &found.reached {
            println!("{count:>8}  {rule} @ {target}");
        }
    }
    let (pairs, disagreements) = (found.reached.len(), found.disagreements.len());
    println!(
        "{bodies} bodies: {disagreements} disagreements, {pairs} pairs of a rule and a target, {missed} of 20 planted not found"
    );
    if disagreements == 0 && missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
