//! `wirecanon testee new`: a testee of one's own, ready to be filled in.

use std::io::Write;
use std::path::Path;

use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::human::{BOLD, FAINT, GOOD};

use super::super::listener;

use crate::kit::{self, KitError, Language};

pub(super) fn new(language: Language, folder: &Path) -> Result<Exit, Stop> {
    let name = kit::write(language, folder).map_err(|error| match error {
        KitError::Exists(_) => Stop::usage(error.to_string()),
        KitError::Io(..) => Stop::new(Exit::Incomplete, error.to_string()),
    })?;
    let shown = folder.display().to_string();
    let shown = shown.trim_end_matches('/');
    let (build, start) = language.commands(&wirecanon_runner::testee::quoted(shown));
    let (test, run) = language.test();
    let mut out = listener::stdout();
    writeln!(out, "{GOOD}written{GOOD:#}: {BOLD}{name}{BOLD:#}, a testee in {shown}")?;
    let rows = [
        (language.conversion(), "the function to fill in: what your program would send"),
        (language.adapter(), "which dialects it reads and writes"),
        (test, &*format!("its test: `{run}` in its folder")),
    ];
    let wide = rows.iter().map(|(file, _)| file.len()).max().unwrap_or(0);
    for (file, what) in rows {
        writeln!(out, "  {file:wide$}  {FAINT}{what}{FAINT:#}")?;
    }
    let build = build.map_or(String::new(), |build| format!("{build} && "));
    let word = wirecanon_runner::testee::quoted(&start);
    writeln!(out, "It runs as it is, and gives every history back as it came. Next:")?;
    writeln!(out, "  {build}wirecanon testee doctor {word}")?;
    writeln!(out, "  wirecanon test --testee {word}")?;
    out.flush()?;
    Ok(Exit::Holds)
}
