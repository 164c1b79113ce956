//! Prints which planted mutants are caught, by what, and how soon.

use std::convert::Infallible;
use std::process::ExitCode;

use clap::Parser;
use wirecanon_cases::parallel;
use wirecanon_mutants::corpus::Corpus;
use wirecanon_mutants::page::{self, Row};
use wirecanon_mutants::{Mutant, all, generated};

/// Prints which planted mutants are caught, by what, and how soon.
///
/// Exit codes: 0 all are caught, 1 some survive, 2 usage
#[derive(Parser)]
#[command(name = "wirecanon-mutants")]
struct Asked {
    /// Generated runs for each mutant
    #[arg(long, default_value_t = generated::RUNS)]
    runs: u32,
    /// The seed of the generated runs
    #[arg(long, default_value_t = generated::SEED)]
    seed: u64,
    /// Only mutants with this part in their id
    #[arg(long, value_name = "PART-OF-ID")]
    only: Vec<String>,
    /// Do not ask the corpus, or the generated runs
    #[arg(long, value_parser = ["corpus", "generated"])]
    without: Vec<String>,
    /// Print the page of the documentation instead of the table
    #[arg(long)]
    page: bool,
    /// Look for a run that breaks any invariant, not the one that the mutant must break
    #[arg(long)]
    any: bool,
}

fn main() -> ExitCode {
    let asked = Asked::parse();
    let wanted = |mutant: &&Mutant| asked.only.is_empty() || asked.only.iter().any(|part| mutant.id.contains(part));
    let mutants: Vec<&'static Mutant> = all().filter(wanted).collect();
    if mutants.is_empty() {
        eprintln!("wirecanon-mutants: no mutant has such an id");
        return ExitCode::from(2);
    }
    // Some mistakes make later steps panic, which is an answer like any other.
    std::panic::set_hook(Box::new(|_| {}));
    let rows = measure(&mutants, &asked);
    if asked.page {
        print!("{}", page::text(&rows));
    } else {
        print_sums(&rows);
    }
    let with = |fault: &&String| !asked.without.iter().any(|column| fault.ends_with(&format!(": {column}")));
    let faults: Vec<String> = rows.iter().flat_map(Row::faults).collect();
    let faults: Vec<&String> = faults.iter().filter(with).collect();
    for fault in &faults {
        eprintln!("wirecanon-mutants: {fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Each mutant by the corpus and by generated runs, on all cores.
fn measure(mutants: &[&'static Mutant], asked: &Asked) -> Vec<Row> {
    let left = |column: &str| asked.without.iter().any(|own| own == column);
    let corpus = if left("corpus") { None } else { Some(Corpus::new()) };
    let wide = mutants.iter().map(|mutant| mutant.id.len()).max().unwrap_or(0);
    let by_runs = |mutant: &Mutant| {
        let invariant = Some(mutant.breaks).filter(|_| !asked.any);
        generated::search(mutant, invariant, asked.seed, asked.runs)
    };
    let work = |mutant: &&'static Mutant| Row {
        mutant,
        corpus: corpus.as_ref().and_then(|corpus| corpus.catches(*mutant)),
        generated: if left("generated") { None } else { by_runs(mutant) },
    };
    let mut rows = Vec::new();
    let Ok(()) = parallel::each_in_order(mutants, parallel::threads(), work, |row| {
        if !asked.page {
            println!("{}", line(&row, wide));
        }
        rows.push(row);
        Ok::<_, Infallible>(())
    });
    rows
}

fn line(row: &Row, wide: usize) -> String {
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
    format!("{:wide$} | {corpus} | {generated}", row.mutant.id)
}

fn print_sums(rows: &[Row]) {
    let of = |caught: fn(&Row) -> bool| rows.iter().filter(|row| caught(row)).count();
    println!(
        "{} mutants: {} caught by the corpus, {} of them as in any program; {} by generated runs",
        rows.len(),
        of(|row| row.corpus.is_some()),
        of(|row| row.corpus.as_ref().is_some_and(|caught| !caught.strict)),
        of(|row| row.generated.is_some()),
    );
}
