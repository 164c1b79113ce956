//! Official SDK models as a third opinion beside our rules and our schemas. `ci/oracles.sh` installs them and runs this.
//!
//! ```text
//! corpus, generator ─▶ reference ─▶ messages ─▶ mutations, examples ─▶ feed ─▶ oracles ─▶ verdicts ─▶ comparison ─▶ table
//! ```

mod compare;
mod disagreement;
mod draws;
mod feed;
mod mutate;
mod opinion;
mod oracle;
mod random;
mod shape;
mod source;
mod table;
mod vocabulary;
mod written;

use std::collections::HashMap;
use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{BufWriter, Write};

use wirecanon_cases::parallel;
use wirecanon_core::Dialect;

use crate::document::{self, Document, Error, root};
use compare::Comparison;
use feed::{Made, Size};
use oracle::{Judges, Oracle, Places, Verdict};
use written::{Conversion, Targets};

/// Options of `cargo xtask oracles`.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is one flag")]
pub(crate) struct Arguments {
    /// Only these dialects
    #[arg(long)]
    dialect: Vec<String>,
    /// Mutated messages a dialect
    #[arg(long, default_value_t = 10_000)]
    count: usize,
    /// Another seed makes other messages of the generator, and other mutations
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A development run: 600 mutated messages a dialect
    #[arg(long)]
    quick: bool,
    /// Leave this oracle out
    #[arg(long)]
    without: Vec<String>,
    /// Only this oracle, for development
    #[arg(long)]
    only: Vec<String>,
    /// Examples of each kind of unexplained disagreement
    #[arg(long, default_value_t = 2)]
    examples: usize,
    /// Write the table into docs/oracles.md
    #[arg(long)]
    write: bool,
    /// Lay the feeds and verdicts of the last run beside each other once more, after a change of disagreements.toml
    #[arg(long, conflicts_with = "write")]
    again: bool,
    /// Instead of all this, so many instances of each schema, of MCP if no dialect is named: an official model must take them
    #[arg(long, conflicts_with_all = ["write", "again", "feed", "count", "quick"])]
    instances: Option<usize>,
    /// Write the feed to stdout and ask nobody
    #[arg(long)]
    feed: bool,
    /// List what the oracles run in, and ask nobody
    #[arg(long)]
    environments: bool,
}

/// Asks the oracles and prints the table; true if every disagreement is explained.
///
/// # Errors
///
/// An oracle is missing or cannot be run, or a file cannot be read or written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, Error> {
    let places = Places { sources: root().join("conformance/oracles"), target: root().join("target/oracles") };
    let read = |name: &str| document::read(&places.sources.join(name));
    let oracles = oracle::parse(&read("oracles.toml")?).map_err(|error| format!("oracles.toml: {error}"))?;
    let entries =
        disagreement::parse(&read("disagreements.toml")?).map_err(|error| format!("disagreements.toml: {error}"))?;
    if let Some(unknown) =
        arguments.without.iter().chain(&arguments.only).find(|name| !oracles.iter().any(|o| o.name == **name))
    {
        return Err(format!("no oracle is called `{unknown}`").into());
    }
    let mut dialects = dialects(&arguments.dialect, &oracles)?;
    // The schemas of other vendors leave open what they do not publish: a look at them is for people.
    if arguments.instances.is_some() && arguments.dialect.is_empty() {
        dialects.retain(|dialect| dialect.name().starts_with("mcp."));
    }
    let size = Size { seed: arguments.seed, count: if arguments.quick { 600 } else { arguments.count } };
    let asked: Vec<_> = oracles
        .iter()
        .filter(|oracle| !arguments.without.contains(&oracle.name))
        .filter(|oracle| arguments.only.is_empty() || arguments.only.contains(&oracle.name))
        .filter(|oracle| dialects.iter().any(|dialect| oracle.knows(*dialect)))
        // An instance of a schema is no conversation.
        .filter(|oracle| arguments.instances.is_none() || oracle.judges != Judges::Conversations)
        .collect();
    if arguments.environments {
        for oracle in &asked {
            anstream::println!("{}\t{}", oracle.runtime.name(), oracle.name);
        }
        return Ok(true);
    }
    if arguments.feed {
        for dialect in &dialects {
            feed::write(
                *dialect,
                size,
                has_conversations(*dialect, &oracles),
                &entries,
                &mut std::io::stdout().lock(),
            )?;
        }
        return Ok(true);
    }
    if let Some(count) = arguments.instances {
        let size = Size { count, ..size };
        make_feeds(&places, &dialects, |dialect, out| feed::instances(dialect, size, out))?;
        let verdicts = ask(&places, &asked, &dialects)?;
        let mut found = Comparison::default();
        for dialect in &dialects {
            found.add(*dialect, &places, &verdicts, &entries)?;
        }
        anstream::println!("{}", table::made(&found));
        anstream::print!("{}", said_of(&found, arguments.examples));
        return Ok(found.unexplained.is_empty());
    }
    let (conversions, verdicts) = if arguments.again {
        let heard = asked.iter().map(|oracle| Ok((*oracle, oracle.said(&places)?)));
        (Vec::new(), heard.collect::<Result<_, String>>()?)
    } else {
        let write = |dialect, out: &mut dyn Write| {
            feed::write(dialect, size, has_conversations(dialect, &oracles), &entries, out)
        };
        (make_feeds(&places, &dialects, write)?, ask(&places, &asked, &dialects)?)
    };
    let mut found = Comparison::default();
    for dialect in &dialects {
        found.add(*dialect, &places, &verdicts, &entries)?;
    }
    let mut written = Targets::default();
    written.add(&conversions, &found.heard, &asked);
    let page = table::markdown(&found, &written, &oracles, &arguments.without, &entries);
    anstream::println!("{page}");
    let mut holds = true;
    if !written.failures.is_empty() {
        holds = false;
        anstream::println!(
            "{} faults in what `fix` wrote of the corpus:\n\n{}\n",
            written.failures.len(),
            written.failures.join("\n")
        );
    }
    holds &= found.unexplained.is_empty();
    anstream::print!("{}", said_of(&found, arguments.examples));
    // Without all oracles, an example may have nobody who differs.
    if arguments.without.is_empty() && arguments.only.is_empty() {
        for fault in entries.iter().flat_map(|entry| entry.unshown(&dialects)) {
            holds = false;
            anstream::println!("disagreements.toml: {fault}");
        }
    }
    if arguments.write {
        Document::with_table("docs/oracles.md", "oracles", &page)?.write()?;
    }
    Ok(holds)
}

/// The disagreements that no entry explains; nothing where there are none.
fn said_of(found: &Comparison, examples: usize) -> String {
    if found.unexplained.is_empty() {
        return String::new();
    }
    format!(
        "{} disagreements that conformance/oracles/disagreements.toml does not explain:\n\n{}\n",
        found.unexplained.len(),
        table::unexplained(&found.unexplained, examples)
    )
}

/// Those that are asked for; without a word, all that an oracle judges.
fn dialects(names: &[String], oracles: &[Oracle]) -> Result<Vec<Dialect>, String> {
    if names.is_empty() {
        return Ok(Dialect::ALL
            .into_iter()
            .filter(|dialect| oracles.iter().any(|oracle| oracle.knows(*dialect)))
            .collect());
    }
    names.iter().map(|name| Dialect::by_name(name).ok_or_else(|| format!("no dialect is called `{name}`"))).collect()
}

/// Whether some oracle of the dialect judges whole conversations.
fn has_conversations(dialect: Dialect, oracles: &[Oracle]) -> bool {
    oracles.iter().any(|oracle| oracle.judges == Judges::Conversations && oracle.knows(dialect))
}

/// Gives what was written of the corpus.
fn make_feeds(
    places: &Places,
    dialects: &[Dialect],
    write: impl Fn(Dialect, &mut dyn Write) -> Result<Made, String>,
) -> Result<Vec<Conversion>, String> {
    let mut conversions = Vec::new();
    for folder in ["feed", "work"] {
        fs::create_dir_all(places.target.join(folder)).map_err(|error| error.to_string())?;
    }
    for dialect in dialects {
        let path = places.feed(*dialect);
        let file = File::create(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut out = BufWriter::new(file);
        let made = write(*dialect, &mut out)?;
        out.flush().map_err(|error| format!("{}: {error}", path.display()))?;
        let (records, too_long) = (made.records, made.too_long);
        anstream::eprintln!("{records} records of {}; {too_long} generated texts were too long", dialect.name());
        conversions.extend(made.conversions);
    }
    Ok(conversions)
}

/// An oracle, and what it said of each record.
type Said<'o> = (&'o Oracle, HashMap<String, Verdict>);

/// Asks two oracles at a time.
fn ask<'o>(places: &Places, oracles: &[&'o Oracle], dialects: &[Dialect]) -> Result<Vec<Said<'o>>, String> {
    let (mut verdicts, mut failures) = (Vec::new(), Vec::new());
    let ask = |oracle: &&'o Oracle| {
        let begun = std::time::Instant::now();
        let verdicts = oracle.ask(places, dialects);
        anstream::eprintln!("{} has judged, in {} s", oracle.name, begun.elapsed().as_secs());
        (*oracle, verdicts)
    };
    let Ok(()) = parallel::each_in_order(oracles.iter(), 2, ask, |(oracle, answer)| {
        match answer {
            Ok(found) => verdicts.push((oracle, found)),
            Err(error) => failures.push(error),
        }
        Ok::<_, Infallible>(true)
    });
    if failures.is_empty() { Ok(verdicts) } else { Err(failures.join("\n")) }
}
