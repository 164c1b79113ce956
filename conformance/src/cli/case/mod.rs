//! `wirecanon case`: for those who write cases.

mod freeze;
mod lint;
mod new;
mod show;
mod shrink;
mod taken;

use clap::Subcommand;
use wirecanon_judge::exit::{Exit, Stop};

pub(super) use lint::write as write_findings;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a case of a message, with what the reference says filled in for review
    New(new::Args),
    /// Say what makes cases unfit, where, and what to do about it
    Lint(lint::Args),
    /// Show a case as the judge sees it, and the answer of a testee
    Show(show::Args),
    /// Cut a message down to what a repair needs
    Shrink(shrink::Args),
    /// Freeze the cases of now as a suite
    Freeze(freeze::Args),
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    match &args.command {
        Command::New(args) => new::run(args),
        Command::Lint(args) => lint::run(args),
        Command::Show(args) => show::run(args),
        Command::Shrink(args) => shrink::run(args),
        Command::Freeze(args) => freeze::run(args),
    }
}
