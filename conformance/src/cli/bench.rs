//! `wirecanon bench`: how fast it is here.

use std::io::Write;
use std::time::Duration;

use serde_json::json;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_runner::pipe;

use super::Format;
use super::launch::built_in;
use super::listener;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// How many cases a second the runner judges, and how many requests the pipe takes
    #[command(after_long_help = include_str!("help/bench.txt").trim_ascii_end())]
    Pipe {
        /// Seconds that it takes, about
        #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = super::duration::seconds)]
        time: Duration,
        /// Requests that are in flight at once
        #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=32))]
        jobs: u16,
        /// How to write the result
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let Command::Pipe { time, jobs, format } = &args.command;
    let cases = built_in()?;
    let program = std::env::current_exe()
        .map_err(|error| Stop::incomplete(format!("this program does not know where it lies: {error}")))?;
    let program = program.display().to_string();
    let speed = pipe::measure(&program, &cases, usize::from(*jobs), *time).map_err(Stop::incomplete)?;
    let share = speed.runner / speed.pipe.max(1.0);
    let share_of_few = speed.runner / speed.pipe_of_few.max(1.0);
    let mut out = listener::stdout();
    match format {
        Format::Human => {
            writeln!(out, "{} different requests, {} bytes in the mean, {jobs} in flight", speed.requests, speed.line)?;
            writeln!(out, "pipe       {:>9.0} a second: a testee that gives its input back", speed.pipe)?;
            let few = pipe::FEW;
            writeln!(out, "pipe at {few}  {:>9.0} a second: the same with {few} in flight", speed.pipe_of_few)?;
            writeln!(out, "reference  {:>9.0} a second: as a process, not judged", speed.reference)?;
            writeln!(out, "direct     {:>9.0} a second: no process, judged, one thread", speed.direct)?;
            writeln!(
                out,
                "runner     {:>9.0} a second: as a process, judged; {:.0} % of the pipe, {:.0} % of that at {few}",
                speed.runner,
                100.0 * share,
                100.0 * share_of_few
            )?;
            if let Some(micros) = speed.runner_cpu {
                writeln!(out, "{micros:.1} µs of a processor for each case in the runner; the testee needs its own")?;
            }
        }
        Format::Json => {
            let value = json!({
                "wirecanon": 1, "requests": speed.requests, "line_bytes": speed.line, "in_flight": jobs,
                "pipe": speed.pipe, "pipe_at_8": speed.pipe_of_few, "reference": speed.reference,
                "direct": speed.direct, "runner": speed.runner,
                "runner_cpu_us": speed.runner_cpu,
                "share": share, "share_of_pipe_at_8": share_of_few,
            });
            writeln!(out, "{value:#}")?;
        }
    }
    Ok(Exit::Holds)
}
