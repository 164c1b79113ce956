//! The command line of the one build.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;

use wirecanon_one_build::build::{MUTATED, PROGRAMS, Tree};
use wirecanon_one_build::known::{Known, Survivors};
use wirecanon_one_build::mutant::Mutant;
use wirecanon_one_build::trial::{Outcome, baseline, trial};

/// Tries the mutants of core, all in one build
#[derive(Parser)]
struct Args {
    /// cargo-mutants, which lists the mutants
    #[arg(long)]
    cargo_mutants: PathBuf,
    /// The folder of this program, where the tree of the last commit stands in `tree`
    #[arg(long)]
    state: PathBuf,
    /// So many mutants, chosen by a hash of their names and the seed, instead of all
    #[arg(long)]
    sample: Option<usize>,
    /// Another sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin no further mutant after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// Forget what survived before, and try it again
    #[arg(long)]
    again: bool,
    /// Print the mutants of the sample, and what is known of each
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    match start(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("one-build: {error}");
            ExitCode::from(2)
        }
    }
}

/// The mutants of the commit, in the order of the seed, as many as asked for; and all of them.
fn chosen(args: &Args) -> Result<(Vec<Mutant>, Vec<Mutant>), Box<dyn Error>> {
    let listed = Command::new(&args.cargo_mutants)
        .args(["mutants", "--list", "--json", "--colors", "never"])
        .args(MUTATED.iter().flat_map(|(package, _)| ["--package", *package]))
        .arg("--dir")
        .arg(args.state.join("tree"))
        .stderr(Stdio::inherit())
        .output()?;
    let all = Mutant::read(&listed.stdout)?;
    let mut chosen = all.clone();
    chosen.sort_by_cached_key(|mutant| (mutant.rank(args.seed), mutant.key.clone()));
    chosen.truncate(args.sample.unwrap_or(usize::MAX));
    Ok((chosen, all))
}

fn start(args: &Args) -> Result<ExitCode, Box<dyn Error>> {
    let (chosen, all) = chosen(args)?;
    let mut known = Known::read(&args.state.join("done.tsv"), &args.state.join("tree"), args.again)?;
    if args.list {
        for mutant in &chosen {
            println!("{}\t{}", known.outcome(&mutant.key).unwrap_or("open"), mutant.key);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let open: Vec<&Mutant> = chosen.iter().filter(|mutant| known.outcome(&mutant.key).is_none()).collect();
    if !open.is_empty() {
        try_all(args, &open, &all, &mut known)?;
    }
    report(&chosen, &known)
}

/// Tries these mutants, those that have a switch first.
fn try_all(args: &Args, open: &[&Mutant], all: &[Mutant], known: &mut Known) -> Result<(), Box<dyn Error>> {
    let tree = |name: &str, again: bool| Tree {
        commit: args.state.join("tree"),
        root: args.state.join(name),
        // One for each: what cargo makes of two trees of one workspace has the same names.
        target: args.state.join(if again { "build-alone" } else { "build" }),
        again,
    };
    let (one, alone) = (tree("one", false), tree("alone", true));
    let file = args.state.join("left.json");
    let before: Option<(String, BTreeMap<usize, bool>)> =
        fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let before = before.filter(|(core, _)| *core == known.core).map(|(_, left)| left);
    let left = one.guard(all, before.unwrap_or_default())?;
    fs::write(&file, serde_json::to_vec(&(&known.core, &left))?)?;
    let own = left.values().filter(|own| **own).count();
    eprintln!(
        "one-build: {} mutants in one build; {own} are refused for their own text, {} have no switch",
        all.len() - left.len(),
        left.len() - own
    );
    let started = Instant::now();
    let late = || args.seconds.is_some_and(|seconds| started.elapsed() >= Duration::from_secs(seconds));
    let mut limits = BTreeMap::new();
    // What the tests of one package let through is asked of the next.
    let mut rest: Vec<&Mutant> = open.iter().copied().filter(|mutant| !left.contains_key(&mutant.number)).collect();
    for package in PROGRAMS {
        let programs = one.programs(package)?.ok_or("the one build fails")?;
        limits.extend(baseline(&programs)?);
        let mut by: BTreeMap<&str, usize> = BTreeMap::new();
        let mut through = Vec::new();
        for (count, mutant) in rest.iter().enumerate() {
            if late() {
                return Ok(());
            }
            let (outcome, program) = trial(&programs, &limits, mutant.number)?;
            *by.entry(program).or_default() += 1;
            if outcome == Outcome::Missed {
                through.push(*mutant);
            } else {
                known.keep(word(outcome), &mutant.file, &mutant.key)?;
            }
            if count % 20 == 19 || count + 1 == rest.len() {
                let seconds = started.elapsed().as_secs();
                eprintln!("one-build: {} of {} tried, {seconds} s, caught by {by:?}", count + 1, rest.len());
            }
        }
        rest = through;
    }
    for mutant in rest {
        known.keep("missed", &mutant.file, &mutant.key)?;
    }
    for mutant in open {
        match left.get(&mutant.number) {
            Some(true) => known.keep("unviable", &mutant.file, &mutant.key)?,
            Some(false) if !late() => {
                let outcome = by_itself(&alone, mutant, &limits)?;
                eprintln!("one-build: {outcome}, by itself: {}", mutant.key);
                known.keep(outcome, &mutant.file, &mutant.key)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Caught => "caught",
        Outcome::Missed => "missed",
        Outcome::Timeout => "timeout",
    }
}

/// Tries a mutant in a build of its own; what the tests of one package notice is not built for the next.
fn by_itself(tree: &Tree, mutant: &Mutant, limits: &BTreeMap<String, u64>) -> Result<&'static str, Box<dyn Error>> {
    let source = fs::read_to_string(tree.commit.join(&mutant.file))?;
    tree.write(&BTreeMap::from([(PathBuf::from(&mutant.file), mutant.applied(&source))]))?;
    for package in PROGRAMS {
        let Some(programs) = tree.programs(package)? else { return Ok("unviable") };
        let (outcome, _) = trial(&programs, limits, mutant.number)?;
        if outcome != Outcome::Missed {
            return Ok(word(outcome));
        }
    }
    Ok("missed")
}

/// Says what survived without an explanation, and counts. What does not end is noticed by whoever waits for it.
fn report(chosen: &[Mutant], known: &Known) -> Result<ExitCode, Box<dyn Error>> {
    let survivors: Survivors = toml::from_str(&fs::read_to_string("conformance/mutants/survivors.toml")?)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for mutant in chosen {
        let outcome = known.outcome(&mutant.key).unwrap_or("open");
        let explained = outcome == "missed" && survivors.reason(&mutant.key).is_some();
        if outcome == "missed" && !explained {
            println!("survives: {}", mutant.key);
        }
        *counts.entry(if explained { "explained" } else { outcome }).or_default() += 1;
    }
    let told: Vec<String> = counts.iter().map(|(outcome, count)| format!("{outcome} {count}")).collect();
    println!("{}, {} in all", told.join(", "), chosen.len());
    Ok(match (counts.contains_key("missed"), counts.contains_key("open")) {
        (true, _) => ExitCode::from(1),
        (false, true) => ExitCode::from(3),
        _ => ExitCode::SUCCESS,
    })
}
