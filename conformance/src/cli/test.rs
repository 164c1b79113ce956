//! `wirecanon test`: the main job.

use std::io::Write;

use super::Format;
use super::launch::{Choice, Launch, launch};
use crate::exit::{Exit, Stop};
use crate::report::{human, json};
use crate::suite;

const EXAMPLES: &str = "\
Examples:
  wirecanon test                                       the reference against the whole corpus
  wirecanon test --testee 'python3 adapter.py'         a process that speaks the line protocol
  wirecanon test --testee litellm                      a published package that `testee add` installed
  wirecanon test --testee reference --testee ./mine    both, side by side
  wirecanon test --testee 'filter:openai.chat:openai.chat:jq .'
                                                       a command that is started for each case
  wirecanon test --case 'orphan*' --format json        some cases, for a program
  wirecanon test --suite 2026.1                        the cases of a frozen suite
  wirecanon test --corpus conformance/corpus           the corpus of a folder, if it is fit
  wirecanon test --log run.ndjson                      and every event, for `report` and `compare`
  wirecanon test --shard 2/4 --log 2.ndjson            a quarter of the cases, for `merge`

A testee is green when every answer is exact, identical or faithful, or a refusal that the case
allows. Fake testees are judged first: if one of them passes, the run is void. What failed is asked
for again; what then comes out otherwise is flaky.";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// Only cases whose id, class or tag matches; `*` stands for any text; may be given again
    #[arg(long, value_name = "GLOB")]
    case: Vec<String>,
    /// Only the cases of a frozen suite, as they were frozen; see `wirecanon list suites`
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// How to write the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let suite = args.suite.as_deref().map(suite::by_name).transpose().map_err(Stop::usage)?;
    let log = launch(&args.launch, &Choice { patterns: &args.case, suite: suite.as_ref(), others: false })?;
    let mut out = anstream::stdout();
    let mut text = Vec::new();
    match args.format {
        Format::Human => human::write(&mut text, &log)?,
        Format::Json => json::write(&mut text, &log)?,
    }
    out.write_all(&text)?;
    out.flush()?;
    Ok(log.exit())
}
