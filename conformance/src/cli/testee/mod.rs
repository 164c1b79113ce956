//! `wirecanon testee`: adapters of published packages, the reference on stdio, and what is wrong with an adapter.

mod add;
mod new;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_runner::serve;
use wirecanon_runner::testee::Budget;

use super::doctor;
use crate::kit::{self, Language};

const NEW_EXAMPLES: &str = include_str!("../help/testee-new.txt").trim_ascii_end();

const SERVE_EXAMPLES: &str = include_str!("../help/testee-serve.txt").trim_ascii_end();

const DOCTOR_EXAMPLES: &str = include_str!("../help/testee-doctor.txt").trim_ascii_end();

const ADD_EXAMPLES: &str = include_str!("../help/testee-add.txt").trim_ascii_end();

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Write a testee of your own: an adapter that runs, a test, and one function to fill in
    #[command(after_long_help = NEW_EXAMPLES)]
    New {
        /// What it is written in
        #[arg(long, value_name = "LANGUAGE")]
        language: Language,
        /// A folder that is not there yet
        #[arg(value_name = "DIR", default_value = kit::FOLDER)]
        folder: PathBuf,
    },
    /// Install the adapter of a published package, at the versions of its lock
    #[command(after_long_help = ADD_EXAMPLES)]
    Add {
        /// Which; see `wirecanon list testees`
        #[arg(required = true, value_name = "ADAPTER")]
        name: Vec<String>,
        /// Only say what would be done
        #[arg(long)]
        dry_run: bool,
    },
    /// Answer the line protocol on stdin and stdout with the reference
    #[command(after_long_help = SERVE_EXAMPLES)]
    Serve {
        /// Give each input back as it is, to see how fast a pipe is
        #[arg(long)]
        echo: bool,
    },
    /// Say in words what is wrong with an adapter, and how fast it is
    #[command(after_long_help = DOCTOR_EXAMPLES)]
    Doctor {
        /// The name of an installed adapter, or the command of a process that speaks the line protocol
        command: String,
        /// Seconds that one answer may take
        #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = super::duration::seconds)]
        timeout: Duration,
        /// Seconds that it may take until it says what it is; left out, what an installed adapter says of itself, or 60
        #[arg(long, value_name = "SECONDS", value_parser = super::duration::seconds)]
        startup_timeout: Option<Duration>,
    },
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    match &args.command {
        Command::Serve { echo } => {
            let (input, output) = (io::stdin(), io::stdout().lock());
            if *echo {
                serve::echo(input, output)?;
            } else {
                serve::serve(input, output)?;
            }
            Ok(Exit::Holds)
        }
        Command::New { language, folder } => new::new(*language, folder),
        Command::Add { name, dry_run } => add::add(name, *dry_run),
        Command::Doctor { command, timeout, startup_timeout } => {
            let (timeout, startup) = (*timeout, *startup_timeout);
            doctor::run(command, Budget { timeout, startup, lasts: true, ..Budget::default() })
        }
    }
}
