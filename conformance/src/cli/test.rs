//! `wirecanon test`: the main job.

use std::io::Write;
use std::path::PathBuf;

use wirecanon_cases::suite;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::by_name;
use wirecanon_report::human::BAD;
use wirecanon_runner::run::TesteeRun;
use wirecanon_runner::testee::meant;

use super::launch::{Choice, Launch, launch};
use super::listener;
use super::report::{can_compare, earlier, form_names, put_form, told};
use super::watch::watch;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/test.txt").trim_ascii_end())]
pub(super) struct Args {
    #[command(flatten)]
    launch: Launch,
    /// Only cases whose id, class or tag matches; `*` stands for any text; may be given again
    #[arg(long, value_name = "GLOB")]
    case: Vec<String>,
    /// Only the cases of a frozen suite, as they were frozen; see `wirecanon list suites`
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,
    /// In which form the result is written
    #[arg(long, value_name = "FORM", default_value = "human", value_parser = form_names())]
    format: String,
    /// Write the result to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
    /// The log of an earlier run: the page and the terminal are told what changed since, and what is new first
    #[arg(long, value_name = "LOG")]
    baseline: Option<PathBuf>,
    /// Run again whenever a file that `--testee` names, or one of `--corpus`, changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    if !args.watch {
        return once(args);
    }
    let words = args.launch.testee.iter().flat_map(|testee| meant(testee).split_whitespace().map(PathBuf::from));
    let paths: Vec<PathBuf> = words.chain(args.launch.corpus.clone()).filter(|path| path.exists()).collect();
    if paths.is_empty() {
        return Err(Stop::usage("`--watch`: neither `--testee` nor `--corpus` names a file that could change"));
    }
    watch(&paths, || once(args))
}

fn once(args: &Args) -> Result<Exit, Stop> {
    let form = by_name(&args.format).ok_or_else(|| Stop::usage(format!("no form is called `{}`", args.format)))?;
    can_compare(form, args.baseline.as_deref(), "--format")?;
    let earlier = args.baseline.as_deref().map(earlier).transpose()?;
    let suite = args.suite.as_deref().map(suite::by_name).transpose().map_err(Stop::usage)?;
    let log = launch(
        &args.launch,
        &Choice { patterns: &args.case, suite: suite.as_ref(), is_default_suite: false, others: false },
    )?;
    let text = told(form, &log, earlier.as_ref(), args.launch.corpus.as_deref(), false)?;
    put_form(args.output.as_deref(), form, text)?;
    // Who looks at the terminal alone would not know that what was written is of a part.
    if form.name != "human" && (!log.complete || log.runs.iter().any(TesteeRun::is_interrupted)) {
        writeln!(
            listener::stderr(),
            "{BAD}incomplete{BAD:#}: the run was cut short, and the report is of what was run"
        )?;
    }
    Ok(log.exit())
}
