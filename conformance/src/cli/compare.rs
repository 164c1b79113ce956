//! `wirecanon compare`: what changed between two runs.

use std::io::Write;
use std::path::PathBuf;

use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::{changed, compare_json};
use wirecanon_runner::change::compare;

use super::Format;
use super::listener;
use super::report::load;

const EXAMPLES: &str = include_str!("help/compare.txt").trim_ascii_end();

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The log of the older run
    base: PathBuf,
    /// The log of the newer run
    head: PathBuf,
    /// How to write the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let (base, head) = (load(&args.base)?, load(&args.head)?);
    let names = [&args.base, &args.head].map(|path| path.display().to_string());
    let comparison = compare((&names[0], &base), (&names[1], &head))?;
    let mut out = listener::stdout();
    match args.format {
        Format::Human => changed::write(&mut out, &comparison)?,
        Format::Json => compare_json::write(&mut out, &names[0], &names[1], &comparison)?,
    }
    out.flush()?;
    Ok(comparison.exit)
}
