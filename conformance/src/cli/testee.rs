//! `wirecanon testee`: the reference on stdio, and what is wrong with an adapter.

use std::io;
use std::time::Duration;

use super::doctor;
use crate::exit::{Exit, Stop};
use crate::serve;

const SERVE_EXAMPLES: &str = "\
Examples:
  wirecanon testee serve                                   then type lines of the protocol
  wirecanon test --testee 'wirecanon testee serve'         the reference, as a process

The protocol is one JSON object a line: hello, convert, bye. See docs/testees.md.";

const DOCTOR_EXAMPLES: &str = "\
Examples:
  wirecanon testee doctor 'python3 adapter.py'";

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
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
        /// The command of a process that speaks the line protocol
        command: String,
        /// Seconds that one answer may take
        #[arg(long, value_name = "SECONDS", default_value_t = 3.0, value_parser = super::duration::seconds)]
        timeout: f64,
    },
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    match &args.command {
        Command::Serve { echo } => {
            let (input, output) = (io::stdin(), io::stdout().lock());
            if *echo {
                serve::echo(input, output)?
            } else {
                serve::serve(input, output)?
            }
            Ok(Exit::Holds)
        }
        Command::Doctor { command, timeout } => doctor::run(command, Duration::from_secs_f64(*timeout)),
    }
}
