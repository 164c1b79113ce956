//! `docs/mutants.md`: which planted mistakes the corpus and generated transcripts catch, and how soon.

use std::convert::Infallible;

use wirecanon_cases::parallel;
use wirecanon_mutants::corpus::Corpus;
use wirecanon_mutants::page::{self, Row};
use wirecanon_mutants::{Mutant, all, generated};

use crate::document::{Document, Error};

/// Options of `cargo xtask mutants`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Generated transcripts for each mutant
    #[arg(long, default_value_t = generated::RUNS)]
    runs: u32,
    /// Seed of the generated transcripts
    #[arg(long, default_value_t = generated::SEED)]
    seed: u64,
    /// Only mutants whose id contains this text; can be repeated
    #[arg(long, value_name = "PART-OF-ID")]
    only: Vec<String>,
    /// Leave out one of the two measurements
    #[arg(long, value_parser = ["corpus", "generated"])]
    without: Vec<String>,
    /// Accept a run that breaks any invariant, not only the one that the mutant names
    #[arg(long)]
    any: bool,
    /// Write docs/mutants.md
    #[arg(long, conflicts_with_all = ["runs", "seed", "only", "without", "any"])]
    write: bool,
}

/// Measures the mutants; true if all are caught.
///
/// # Errors
///
/// No mutant has such an id, or the page cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, Error> {
    let is_wanted =
        |mutant: &&Mutant| arguments.only.is_empty() || arguments.only.iter().any(|part| mutant.id.contains(part));
    let mutants: Vec<&'static Mutant> = all().filter(is_wanted).collect();
    if mutants.is_empty() {
        return Err("no mutant has such an id".into());
    }
    // Some mistakes make later steps panic, which is an answer like any other.
    std::panic::set_hook(Box::new(|_| {}));
    let rows = measure(&mutants, arguments);
    print_sums(&rows);
    let is_measured = |fault: &String| !arguments.without.iter().any(|column| fault.ends_with(&format!(": {column}")));
    let faults: Vec<String> = rows.iter().flat_map(Row::faults).filter(is_measured).collect();
    for fault in &faults {
        anstream::eprintln!("xtask: {fault}");
    }
    if arguments.write {
        Document::new("docs/mutants.md", page::text(&rows)).write()?;
    }
    Ok(faults.is_empty())
}

/// Runs each mutant against the corpus and generated transcripts, on all cores, and prints a line for each.
fn measure(mutants: &[&'static Mutant], arguments: &Arguments) -> Vec<Row> {
    let measures = |column: &str| !arguments.without.iter().any(|own| own == column);
    let corpus = measures("corpus").then(Corpus::new);
    let width = mutants.iter().map(|mutant| mutant.id.len()).max().unwrap_or(0);
    let mut rows = Vec::with_capacity(mutants.len());
    let try_mutant = |mutant: &&'static Mutant| {
        let mutant = *mutant;
        let invariant = Some(mutant.breaks).filter(|_| !arguments.any);
        let search = || generated::search(mutant, invariant, arguments.seed, arguments.runs);
        let corpus = corpus.as_ref().and_then(|corpus| corpus.catches(mutant));
        Row { mutant, corpus, generated: measures("generated").then(search).flatten() }
    };
    let Ok(()) = parallel::each_in_order(mutants.iter(), parallel::threads(), try_mutant, |row| {
        anstream::println!("{}", line(&row, width));
        rows.push(row);
        Ok::<_, Infallible>(true)
    });
    rows
}

fn line(row: &Row, width: usize) -> String {
    let corpus = row.corpus.as_ref().map_or_else(
        || "survives".to_owned(),
        |caught| {
            let strict = if caught.strict { " (as the reference)" } else { "" };
            format!("{} to {}{strict}: {}", caught.case, caught.target, caught.why)
        },
    );
    let generated = row.generated.as_ref().map_or_else(
        || format!("survives {}", row.mutant.breaks),
        |caught| format!("run {} by {}: {}", caught.run, caught.invariants.join(" "), caught.message),
    );
    format!("{:width$} | {corpus} | {generated}", row.mutant.id)
}

fn print_sums(rows: &[Row]) {
    let count = |is_caught: fn(&Row) -> bool| rows.iter().filter(|row| is_caught(row)).count();
    anstream::println!(
        "{} mutants: {} caught by the corpus, {} of them as in any program; {} by generated runs",
        rows.len(),
        count(|row| row.corpus.is_some()),
        count(|row| row.corpus.as_ref().is_some_and(|caught| !caught.strict)),
        count(|row| row.generated.is_some()),
    );
}
