//! `wirecanon testee add`: the adapters of published packages.

use std::io::Write;
use std::time::Instant;

use wirecanon_cases::near;
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::human::{BOLD, FAINT, GOOD};
use wirecanon_runner::adapter::{self, Adapter, Installation};
use wirecanon_runner::testee::{Budget, ProcessTestee, Testee, check_found};

use super::super::listener;

pub(super) fn add(names: &[String], dry_run: bool) -> Result<Exit, Stop> {
    let mut adapters: Vec<Adapter> = Vec::new();
    for name in names {
        let adapter = find(name)?;
        // A name and its variants are one installation.
        if !adapters.contains(&adapter) {
            adapters.push(adapter);
        }
    }
    for adapter in adapters {
        one(adapter, dry_run)?;
    }
    Ok(Exit::Holds)
}

fn find(name: &str) -> Result<Adapter, Stop> {
    let broken = |error: adapter::ManifestError| Stop::new(Exit::Incomplete, error.to_string());
    if let Some(adapter) = adapter::by_name(name).map_err(broken)? {
        return Ok(adapter);
    }
    let all = adapter::all().map_err(broken)?;
    let names: Vec<&str> = all.iter().map(|adapter| adapter.name.as_str()).collect();
    let hint = near::hint(name, names.iter().copied());
    let hint = hint.unwrap_or_else(|| format!("there are: {}", names.join(", ")));
    Err(Stop::usage(format!("no adapter is called `{name}`; {hint}")))
}

fn one(adapter: Adapter, dry_run: bool) -> Result<(), Stop> {
    let incomplete = |error: adapter::InstallError| Stop::new(Exit::Incomplete, error.to_string());
    let mut out = listener::stdout();
    let name = adapter.name.clone();
    let title = adapter.title.clone();
    let packages: Vec<_> =
        adapter.package.iter().map(|package| format!("{} {}", package.name, package.version)).collect();
    let installation = Installation::new(adapter, &adapter::folder()).map_err(incomplete)?;
    check_found(&installation).map_err(Stop::usage)?;
    let place = installation.folder().display();
    writeln!(out, "{BOLD}{name}{BOLD:#}: {title}\n  {} in {place}", packages.join(", "))?;
    if installation.is_done() {
        writeln!(out, "  {GOOD}is installed{GOOD:#} already: `wirecanon test --testee {name}`")?;
        return Ok(());
    }
    let steps = installation.steps().map_err(incomplete)?;
    for (at, step) in steps.iter().enumerate() {
        writeln!(out, "  {}. {step}", at + 1)?;
    }
    writeln!(out, "  {}. start it, and ask what it is", steps.len() + 1)?;
    if dry_run {
        writeln!(out, "  {FAINT}nothing was done{FAINT:#}")?;
        return Ok(());
    }
    out.flush()?;
    let mut at = 0;
    let told = |_: &_| {
        at += 1;
        // Nobody is left to tell when this fails.
        let _ = writeln!(listener::stderr(), "{FAINT}{name}: step {at}{FAINT:#}");
    };
    installation.install(&steps, told).map_err(incomplete)?;
    let started = Instant::now();
    let mut testee = ProcessTestee::launched(installation.launch(&name), Budget::default());
    let hello = testee.hello().map_err(|error| Stop::new(Exit::Testee, error.message))?;
    let version = hello.version.as_deref().unwrap_or("without a version");
    let took = started.elapsed().as_secs_f64();
    writeln!(out, "  {GOOD}installed{GOOD:#}: it calls itself {} {version}, after {took:.1} s", hello.name)?;
    writeln!(out, "  wirecanon test --testee {name}")?;
    Ok(())
}
