//! The command line.

mod bench;
mod case;
mod check;
mod config;
mod diff;
mod duration;
mod explain;
mod findings;
mod fix;
#[cfg(feature = "generate")]
mod fuzz;
mod gate;
#[cfg(feature = "generate")]
mod generate;
mod input;
mod launch;
mod list;
mod listener;
mod made;
mod mend;
mod progress;
mod replay;
mod report;
mod revision;
mod schema;
#[cfg(feature = "web")]
mod serve;
mod shell;
mod target;
mod test;
mod testee;
mod watch;

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use wirecanon_core::{Error, Mode};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_judge::plain::{in_lines, plain};
use wirecanon_judge::utf8;
use wirecanon_report::snippet::{self, Snippet};
use wirecanon_runner::testee::quoted;

use config::Config;

/// Conformance and repair for the messages between tools, agents and model providers.
#[derive(Debug, Parser)]
#[command(name = "wirecanon", version, after_long_help = include_str!("help/wirecanon.txt").trim_ascii_end(), max_term_width = 100)]
struct Cli {
    /// Take this file in place of the nearest wirecanon.toml
    #[arg(long, global = true, hide = true, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Leave wirecanon.toml out, and start nothing from .wirecanon
    #[arg(long, global = true, hide = true)]
    no_config: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the corpus against testees and judge their answers
    Test(test::Args),
    /// Hold a testee to what is expected of it
    Gate(gate::Args),
    /// Say what changed between two runs
    Compare(report::CompareArgs),
    /// Write the log of a run as a report
    Report(report::ReportArgs),
    /// Join the logs of the shards of one run
    Merge(report::MergeArgs),
    /// Judge transcripts by the rules of a target
    Check(check::Args),
    /// Mend a transcript and write it for a target
    Fix(fix::Args),
    /// Compare two conversations by what they tell a model
    Diff(diff::Args),
    /// Make messages: of a schema or in a dialect, valid or broken in a known way
    #[cfg(feature = "generate")]
    Gen(generate::Args),
    /// Look for what a testee does wrong, with messages that nobody wrote
    #[cfg(feature = "generate")]
    Fuzz(fuzz::Args),
    /// Give cases of files to a testee and judge its answers
    Replay(replay::Args),
    /// Show again what published packages do wrong
    Findings(findings::Args),
    /// Say what a rule means, where it comes from, and what mending it looks like
    Explain(explain::Args),
    /// List what there is
    List(list::Args),
    /// Print a JSON Schema of messages, or their names
    Schema(schema::Args),
    /// Make, lint, shrink and freeze cases of the corpus
    Case(case::Args),
    /// Make, install, serve or examine a testee
    Testee(testee::Args),
    /// Say what wirecanon.toml says, and where
    Config(config::Args),
    /// Open a local page: paste a session, see what is wrong with it and what mends it; runs and the corpus too
    #[cfg(feature = "web")]
    Serve(serve::Args),
    /// Measure how fast it is here
    Bench(bench::Args),
    /// Print what makes a shell complete this command line
    Completions(shell::CompletionsArgs),
    /// Print a page of the manual
    Man(shell::ManArgs),
}

/// How a result is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Human,
    /// For programs
    Json,
}

/// What a transcript is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum For {
    /// To be sent now: every call is answered, and opening and closing turns are as the target demands
    Request,
    /// To be stored: calls at the end may stay open
    History,
}

impl For {
    fn mode(self) -> Mode {
        match self {
            Self::Request => Mode::Request,
            Self::History => Mode::History,
        }
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    let (cli, config) = match read_line() {
        Ok(read) => read,
        Err(NoLine::Clap(error)) => {
            let said = error.print();
            // Nobody is left to tell when stderr is closed.
            return if error.use_stderr() {
                Exit::Usage.into()
            } else {
                ended(said.map(|()| Exit::Holds).map_err(Stop::from))
            };
        }
        Err(NoLine::Config(stop)) => return ended(Err(stop)),
    };
    let outcome = match cli.command {
        Command::Test(args) => test::run(&args),
        Command::Gate(args) => gate::run(&args),
        Command::Compare(args) => report::compare_logs(&args),
        Command::Report(args) => report::report(&args),
        Command::Merge(args) => report::merge_logs(&args),
        Command::Check(args) => check::run(&args),
        Command::Fix(args) => fix::run(&args),
        Command::Diff(args) => diff::run(&args),
        #[cfg(feature = "generate")]
        Command::Gen(args) => generate::run(&args),
        #[cfg(feature = "generate")]
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Findings(args) => findings::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::List(args) => list::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Case(args) => case::run(&args),
        Command::Testee(args) => testee::run(&args),
        Command::Config(config::Args {}) => config::run(config.as_ref()),
        #[cfg(feature = "web")]
        Command::Serve(args) => serve::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
    };
    ended(outcome)
}

/// The exit code, after what there is to say.
fn ended(outcome: Result<Exit, Stop>) -> ExitCode {
    match outcome.and_then(|exit| Ok(listener::stdout().flush().map(|()| exit)?)) {
        Ok(exit) => exit.into(),
        Err(stop) => {
            if let Some(message) = &stop.message {
                let bad = wirecanon_report::human::BAD;
                // Nobody is left to tell when this fails.
                let _ = writeln!(anstream::stderr(), "{bad}error{bad:#}: {}", in_lines(message));
            }
            stop.exit.into()
        }
    }
}

/// Why nothing is run.
enum NoLine {
    /// The command line is wrong, or asks for help
    Clap(clap::Error),
    /// `wirecanon.toml` is wrong
    Config(Stop),
}

/// Commands that ask for nothing that a project could say.
const WITHOUT_CONFIG: &[&str] =
    &["explain", "list", "schema", "completions", "man", "case", "gen", "report", "merge", "compare"];

/// The command line, with what `wirecanon.toml` adds to it.
fn read_line() -> Result<(Cli, Option<Config>), NoLine> {
    let mut line: Vec<OsString> = std::env::args_os().collect();
    let given = Cli::command()
        .try_get_matches_from(&line)
        .map_err(|error| NoLine::Clap(with_option_of_testee(error, &line)))?;
    let cli = Cli::from_arg_matches(&given).map_err(NoLine::Clap)?;
    if cli.no_config {
        wirecanon_runner::testee::refuse_found();
    }
    let command = given.subcommand().filter(|(command, _)| !WITHOUT_CONFIG.contains(command));
    let (Some((command, given)), false) = (command, cli.no_config) else { return Ok((cli, None)) };
    let Some(config) = config::load(cli.config.as_deref()).map_err(NoLine::Config)? else { return Ok((cli, None)) };
    let more = config.arguments(command, given);
    wirecanon_runner::testee::name(config.testees.clone());
    target::name(config.targets.clone());
    if more.is_empty() {
        return Ok((cli, Some(config)));
    }
    let at = 1 + line.iter().position(|word| word == command).unwrap_or(0);
    line.splice(at..at, more);
    match Cli::try_parse_from(&line) {
        Ok(cli) => Ok((cli, Some(config))),
        Err(error) => Err(NoLine::Config(config.blamed(command, &error))),
    }
}

/// The error, with the option that was meant where a testee is named without it.
fn with_option_of_testee(mut error: clap::Error, line: &[OsString]) -> clap::Error {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return error };
    let program = Cli::command();
    let command = line.iter().skip(1).find_map(|word| program.find_subcommand(word));
    let takes_testees = command.is_some_and(|command| command.get_arguments().any(|known| known.get_id() == "testee"));
    if error.kind() == ErrorKind::UnknownArgument && takes_testees && !word.starts_with('-') {
        let tip = format!("a testee is named by an option: --testee {}", quoted(&plain(word)));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// An error of the core, with the file it is about.
fn of_file(file: &str, error: &Error) -> Stop {
    Stop::usage(format!("{}: {error}", plain(file)))
}

/// The same, with the line that it is about. `first` is the number of the first line of the text.
fn in_text(file: &str, error: &Error, text: Option<&[u8]>, first: usize) -> Stop {
    let mut stop = of_file(file, error);
    let (Some(text), Some(message)) = (text, &mut stop.message) else { return stop };
    if let Some(place) = error.position() {
        // Places count in what was read: bytes that are not UTF-8 were U+FFFD.
        let text = String::from_utf8_lossy(text);
        add(message, &Snippet::new(&text, place.offset..place.offset + 1, first + place.line - 1, snippet::columns()));
    }
    if let Err(mut found) = utf8::text(text) {
        found.line += first - 1;
        message.push('\n');
        message.push_str(&found.to_string());
        add(message, &Snippet::of_bytes(text, &found, snippet::columns()));
    } else if utf8::is_wide(text) {
        message.push('\n');
        message.push_str(utf8::WIDE);
    }
    stop
}

/// The text of a file that has to be one. Why it is none tells the place, and the line where that may be shown.
fn text_of<'b>(name: &str, bytes: &'b [u8], shown: bool) -> Result<&'b str, Stop> {
    utf8::text(bytes).map_err(|found| {
        let mut message = format!("{}: {found}", plain(name));
        if shown {
            add(&mut message, &Snippet::of_bytes(bytes, &found, snippet::columns()));
        }
        Stop::usage(message)
    })
}

/// Adds a line of a file below a message.
fn add(message: &mut String, snippet: &Snippet) {
    message.push('\n');
    message.push_str(written(|out| snippet.write(out, "")).trim_end());
}

/// What is written, as a text.
fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    // Memory takes all that is written to it.
    let _ = write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// A longer line is broken where no terminal says how wide it is, which tears examples apart.
    #[test]
    fn no_line_below_the_options_is_wider_than_a_help_text() {
        fn all(command: &clap::Command) {
            let behind = command.get_after_long_help().or(command.get_after_help());
            for line in behind.map(ToString::to_string).unwrap_or_default().lines() {
                assert!(line.chars().count() <= 100, "{}: {line}", command.get_name());
            }
            command.get_subcommands().for_each(all);
        }
        all(&Cli::command());
    }
}
