//! `wirecanon compare`: what changed between two runs.

use std::io::Write;
use std::path::PathBuf;

use super::report::load;
use crate::change::compare;
use crate::exit::{Exit, Stop};
use crate::report::changed;

const EXAMPLES: &str = "\
Examples:
  wirecanon compare base.ndjson head.ndjson      the logs that `test --log` wrote before and after

What is newly failing, fails in another way, or passed and vanished blocks: 1. What is newly passing, and
new cases, are shown. Cases that do not score never block.";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The log of the older run
    base: PathBuf,
    /// The log of the newer run
    head: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let (base, head) = (load(&args.base)?, load(&args.head)?);
    let names = [&args.base, &args.head].map(|path| path.display().to_string());
    let comparison = compare((&names[0], &base), (&names[1], &head))?;
    let mut out = anstream::stdout();
    changed::write(&mut out, &comparison)?;
    out.flush()?;
    Ok(comparison.exit)
}
