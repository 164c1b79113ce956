//! Writes the generated pages and tables of the documentation.
//!
//! ```text
//! cargo xtask pages            rules, losses and findings: from the sources alone, in seconds
//! cargo xtask pages --check    fails if one of them is out of date; the tests do the same
//! cargo xtask mutants          measures which planted mistakes are caught
//! cargo xtask oracles          asks the official models; ci/oracles.sh installs them first
//! cargo xtask insert           inserts a table that a script has measured
//! ```
#![forbid(unsafe_code)]

mod document;
mod findings;
mod losses;
mod mutants;
mod oracles;
mod rules;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use document::{Document, Error};

/// Writes the generated pages and tables of the documentation.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write the pages of rules, losses and findings
    Pages {
        /// Write nothing; fail if a page is out of date
        #[arg(long)]
        check: bool,
    },
    /// Insert a table into a page, between `<!-- NAME: begin -->` and `<!-- NAME: end -->`
    Insert {
        /// Page to change
        page: PathBuf,
        /// Name of the place in the page
        name: String,
        /// File with the table
        table: PathBuf,
    },
    /// Measure which planted mistakes the corpus and generated transcripts catch
    Mutants(mutants::Arguments),
    /// Compare official SDK models with the rules and schemas
    Oracles(oracles::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Pages { check } => pages(check),
        Task::Insert { page, name, table } => insert(&page, &name, &table),
        Task::Mutants(arguments) => mutants::run(&arguments),
        Task::Oracles(arguments) => oracles::run(&arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            anstream::eprintln!("xtask: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns all documents that are generated from the sources alone.
fn generated() -> Result<Vec<Document>, Error> {
    let mut all = rules::documents()?;
    all.push(losses::document()?);
    all.extend(findings::documents()?);
    Ok(all)
}

/// Writes the generated documents, or with `check` tells which are out of date.
fn pages(check: bool) -> Result<bool, Error> {
    let documents = generated()?;
    let mut is_current = true;
    for document in &documents {
        if check {
            if let Some(difference) = document.difference() {
                anstream::eprintln!("xtask: {difference}; run `cargo xtask pages`");
                is_current = false;
            }
        } else if document.write()? {
            anstream::println!("wrote {}", document.path.display());
        }
    }
    for path in document::strays(&["docs/rules", "docs/findings"], &documents)? {
        anstream::eprintln!("xtask: {} is not generated any more: delete it", path.display());
        is_current = false;
    }
    Ok(is_current)
}

fn insert(page: &Path, name: &str, table: &Path) -> Result<bool, Error> {
    Document::with_table(page, name, &document::read(table)?)?.write()?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_pages_are_current() {
        let documents = generated().expect("documents");
        let differences: Vec<_> = documents.iter().filter_map(Document::difference).collect();
        assert!(differences.is_empty(), "run `cargo xtask pages`: {differences:#?}");
        let strays = document::strays(&["docs/rules", "docs/findings"], &documents).expect("the folders");
        assert!(strays.is_empty(), "not generated any more: {strays:?}");
    }
}
