//! `wirecanon completions` and `wirecanon man`: what a shell and a reader of manuals get.

use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory;
use clap::builder::PossibleValue;
use clap_complete::Shell;
use clap_mangen::Man;
use wirecanon_cases::near::unknown;
use wirecanon_core::rule::{self, Class};
use wirecanon_core::{Dialect, Target};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_runner::adapter;
use wirecanon_schemas::catalogue;

use super::Cli;
use super::listener;
use super::report::put;

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/completions.txt").trim_ascii_end())]
pub(super) struct CompletionsArgs {
    /// For which shell
    shell: Shell,
}

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/man.txt").trim_ascii_end())]
pub(super) struct ManArgs {
    /// Of which command; left out, of all of it
    command: Vec<String>,
    /// Write a page for each command into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    into: Option<PathBuf>,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<Exit, Stop> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut naming(Cli::command()), "wirecanon", &mut text);
    put(None, &text)?;
    Ok(Exit::Holds)
}

/// The command with the names that its arguments know. Shells alone are told them: the parser says more of a wrong name, and takes a
/// name of `wirecanon.toml` too.
fn naming(command: clap::Command) -> clap::Command {
    command
        .mut_args(|arg| match arg.get_value_names().and_then(|names| known(names.first()?)) {
            Some(names) => arg.value_parser(names),
            None => arg,
        })
        .mut_subcommands(naming)
}

/// What an argument may be whose value has this name in the help; nothing where that is no name of a list.
fn known(value: &str) -> Option<Vec<PossibleValue>> {
    let named = |name: &'static str, help: &'static str| PossibleValue::new(name).help(help);
    let names = match value {
        "TARGET" => Target::all().iter().map(|target| named(&target.name, &target.title)).collect(),
        "DIALECT" => {
            let dialects = Dialect::ALL.map(|dialect| PossibleValue::new(dialect.name()));
            std::iter::once(named("auto", "The dialect that is found")).chain(dialects).collect()
        }
        "RULE" => rule::all().map(|rule| named(rule.id, rule.statement)).collect(),
        "CLASS" => Class::ALL.map(|class| PossibleValue::new(class.slug())).into(),
        "SCHEMA" => catalogue::ALL.iter().map(|schema| named(schema.id, schema.title)).collect(),
        "ADAPTER" => adapter::all().ok()?.into_iter().map(|adapter| PossibleValue::new(adapter.name)).collect(),
        _ => return None,
    };
    Some(names)
}

pub(super) fn man(args: &ManArgs) -> Result<Exit, Stop> {
    let mut command = Cli::command();
    command.build();
    if let Some(folder) = &args.into {
        std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| Stop::unmade(folder, &error))?;
        writeln!(listener::stderr(), "{}: written", folder.display())?;
        return Ok(Exit::Holds);
    }
    let mut page = &command;
    for name in &args.command {
        page = page.find_subcommand(name).ok_or_else(|| {
            let names: Vec<&str> = page.get_subcommands().map(clap::Command::get_name).collect();
            Stop::usage(unknown("command", name, names.into_iter(), "see `wirecanon --help`"))
        })?;
    }
    let mut text = Vec::new();
    Man::new(page.clone()).render(&mut text)?;
    put(None, &text)?;
    Ok(Exit::Holds)
}
