//! `wirecanon completions` and `wirecanon man`: what a shell and a reader of manuals get.

use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use super::Cli;
use super::listener;
use super::report::put;
use crate::exit::{Exit, Stop};
use crate::near::hint;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  wirecanon completions bash > ~/.local/share/bash-completion/completions/wirecanon
  wirecanon completions zsh > ~/.zfunc/_wirecanon
  wirecanon completions fish > ~/.config/fish/completions/wirecanon.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  wirecanon man | man -l -                        read it
  wirecanon man testee add | man -l -             that of one command
  wirecanon man --into ~/.local/share/man/man1    one file for each command";

#[derive(Debug, clap::Args)]
#[command(after_long_help = COMPLETIONS_EXAMPLES)]
pub(super) struct CompletionsArgs {
    /// For which shell
    shell: Shell,
}

#[derive(Debug, clap::Args)]
#[command(after_long_help = MAN_EXAMPLES)]
pub(super) struct ManArgs {
    /// Of which command; left out, of all of it
    command: Vec<String>,
    /// Write a page for each command into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    into: Option<PathBuf>,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<Exit, Stop> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wirecanon", &mut text);
    put(None, &text)?;
    Ok(Exit::Holds)
}

pub(super) fn man(args: &ManArgs) -> Result<Exit, Stop> {
    let mut command = Cli::command();
    command.build();
    if let Some(folder) = &args.into {
        std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| Stop::usage(format!("{}: the pages cannot be written: {error}", folder.display())))?;
        writeln!(listener::stderr(), "{}: written", folder.display())?;
        return Ok(Exit::Holds);
    }
    let mut page = &command;
    for name in &args.command {
        page = page.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = page.get_subcommands().map(clap::Command::get_name).collect();
            let hint = hint(name, names.iter().copied()).unwrap_or_else(|| "see `wirecanon --help`".to_owned());
            Stop::usage(format!("no command is called `{name}`; {hint}"))
        })?;
    }
    let mut text = Vec::new();
    Man::new(page.clone()).render(&mut text)?;
    put(None, &text)?;
    Ok(Exit::Holds)
}
