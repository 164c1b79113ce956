//! Prints which planted mutants are caught, by what, and how soon.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use wirecanon_mutants::corpus::Corpus;
use wirecanon_mutants::page::{self, Row};
use wirecanon_mutants::{Mutant, all, generated};

const USAGE: &str = "usage: wirecanon-mutants [--runs N] [--seed N] [--only PART-OF-ID]... [--without corpus|generated] [--any] [--page]
  --any    look for a run that breaks any invariant, not the one that the mutant must break
  --page   print the page of the documentation instead of the table

Exit codes: 0 all are caught, 1 some survive, 2 usage";

struct Asked {
    runs: u32,
    seed: u64,
    only: Vec<String>,
    without: Vec<String>,
    page: bool,
    any: bool,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        runs: generated::RUNS,
        seed: generated::SEED,
        only: Vec::new(),
        without: Vec::new(),
        page: false,
        any: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |text: String| text.parse::<u32>().map_err(|_| format!("`{text}` is no number"));
        match argument.as_str() {
            "--runs" => asked.runs = number(value()?)?,
            "--seed" => asked.seed = u64::from(number(value()?)?),
            "--only" => asked.only.push(value()?),
            "--without" => {
                let column = value()?;
                if !["corpus", "generated"].contains(&column.as_str()) {
                    return Err(format!("there is no column `{column}`"));
                }
                asked.without.push(column);
            }
            "--any" => asked.any = true,
            "--page" => asked.page = true,
            "-h" | "--help" => return Err(String::new()),
            other => return Err(format!("unknown argument `{other}`")),
        }
    }
    Ok(asked)
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(why) if why.is_empty() => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            eprintln!("wirecanon-mutants: {why}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
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
    let next = AtomicUsize::new(0);
    let rows: Mutex<BTreeMap<usize, Row>> = Mutex::new(BTreeMap::new());
    let wide = mutants.iter().map(|mutant| mutant.id.len()).max().unwrap_or(0);
    let printed = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((at, mutant)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    mutants.get(at).map(|mutant| (at, *mutant))
                } {
                    let row = Row {
                        mutant,
                        corpus: corpus.as_ref().and_then(|corpus| corpus.catches(mutant)),
                        generated: if left("generated") {
                            None
                        } else {
                            let invariant = Some(mutant.breaks).filter(|_| !asked.any);
                            generated::search(mutant, invariant, asked.seed, asked.runs)
                        },
                    };
                    let mut rows = rows.lock().expect("no panic while it is held");
                    rows.insert(at, row);
                    // Each line as soon as those before it are known.
                    while let Some(row) = rows.get(&printed.load(Ordering::Relaxed)).filter(|_| !asked.page) {
                        println!("{}", line(row, wide));
                        printed.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    rows.into_inner().expect("no panic while it was held").into_values().collect()
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
