//! `wirecanon fix`: the mended transcript on stdout, what was changed on stderr.

use std::io::{self, Write};

use wirecanon_core::json::Limits;
use wirecanon_core::{Fixed, From, Options, fix};

use super::input::{Input, Lines};
use super::target::Choice;
use super::{For, of_file, revision};
use crate::exit::{Exit, Stop};
use crate::redact::Redactor;
use crate::report::{fixed, outfile::OutFile};

const EXAMPLES: &str = "\
Examples:
  wirecanon fix --to anthropic session.jsonl > sendable.jsonl
  wirecanon fix --from openai.chat --to canonical --report changes.json request.json
  cat session.jsonl | wirecanon fix --for history > mended.jsonl
  wirecanon fix --to openai --call-id call_7 mcp-result.json
  wirecanon fix --to mistral --set user-after-tool=accept request.json
  wirecanon fix --target-file my-server.toml request.json

The result goes to stdout and what was changed to stderr. Nothing is written when the input is no
transcript. JSON Lines of sessions (a transcript a line) are read and written line by line: an error
in one ends the work after the whole lines before it.

Exit codes: 0 a result was written · 1 something was mended, with --exit-code · 2 the input is no
transcript, or cannot be written for this target · 5 reading or writing failed";

#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The transcript: JSON or JSON Lines; `-` is stdin
    #[arg(default_value = "-")]
    file: String,
    /// Dialect of the input; `auto` finds it, `mcp.prompt@auto` is any revision of it
    #[arg(long, value_name = "DIALECT", default_value = "auto")]
    from: String,
    /// Dialect or target to write; left out, the dialect that was read
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,
    /// What the result is for
    #[arg(long = "for", value_enum, default_value = "request")]
    purpose: For,
    /// Write every change to this file, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<String>,
    /// Tell the changes without what the messages say: texts become tokens of their length, on stderr and in the report
    #[arg(long)]
    redact: bool,
    /// Exit with 1 when anything was mended
    #[arg(long)]
    exit_code: bool,
    /// The call that a lone tool result answers
    #[arg(long, value_name = "ID")]
    call_id: Option<String>,
    /// Deepest nesting that is read
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_depth)]
    max_depth: usize,
    /// What the lines of the input are; left out, found from the first of them
    #[arg(long, value_enum)]
    lines: Option<Lines>,
    #[command(flatten)]
    choice: Choice,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let from = source(&args.from)?;
    let target = args.choice.target(args.to.as_deref(), "--to")?;
    let options = Options {
        from,
        to: target.as_deref(),
        mode: args.purpose.mode(),
        limits: Limits { max_depth: args.max_depth },
        call_id: args.call_id.clone(),
    };
    let mut report = args.report.as_deref().map(OutFile::create).transpose()?;
    let mut input = Input::open(&args.file)?;
    let lines = match args.lines {
        Some(lines) => lines,
        None => input.lines()?,
    };
    let repaired = match lines {
        Lines::Json | Lines::Messages => whole(input, &options, report.as_mut(), args.redact)?,
        Lines::Sessions => sessions(input, &options, report.as_mut(), args.redact)?,
    };
    if let Some(report) = report {
        report.finish()?;
    }
    Ok(if args.exit_code && repaired { Exit::Findings } else { Exit::Holds })
}

fn source(name: &str) -> Result<From, Stop> {
    if name == "auto" {
        return Ok(From::Auto);
    }
    revision::to_read(name).map(From::Dialect)
}

/// Reads, mends and writes one text. Returns whether anything was mended.
fn whole(input: Input, options: &Options<'_>, report: Option<&mut OutFile>, redact: bool) -> Result<bool, Stop> {
    let name = input.name.clone();
    let bytes = input.whole()?;
    let Fixed { output, report: mut said } = fix(&bytes, options).map_err(|error| of_file(&name, &error))?;
    if let Some(file) = report {
        file.write(|out| {
            if redact {
                serde_json::to_writer_pretty(&mut *out, &Redactor::default().report(&said)?)?;
            } else {
                serde_json::to_writer_pretty(&mut *out, &said)?;
            }
            out.write_all(b"\n")
        })?;
    }
    if redact {
        Redactor::default().changes(&mut said);
    }
    let written = write_out(&output);
    fixed::write(&mut anstream::stderr(), &name, &said)?;
    written?;
    Ok(!said.repairs.is_empty())
}

/// Reads, mends and writes line by line.
fn sessions(
    mut input: Input,
    options: &Options<'_>,
    mut report: Option<&mut OutFile>,
    redact: bool,
) -> Result<bool, Stop> {
    let mut redactor = Redactor::default();
    let mut line = Vec::new();
    let (mut number, mut repaired, mut first) = (0usize, false, true);
    let mut out = io::BufWriter::new(io::stdout().lock());
    if let Some(file) = &mut report {
        file.write(|out| out.write_all(b"{\"sessions\":["))?;
    }
    while input.next_line(&mut line)? {
        number += 1;
        let body = line.trim_ascii_end();
        if body.is_empty() {
            out.write_all(&line)?;
            continue;
        }
        let name = format!("{}: session on line {number}", input.name);
        let Fixed { output, report: mut said } = match fix(body, options) {
            Ok(fixed) => fixed,
            Err(error) => {
                out.flush()?;
                return Err(of_file(&name, &error));
            }
        };
        out.write_all(output.trim_ascii_end())?;
        out.write_all(&line[body.len()..])?;
        if let Some(file) = &mut report {
            file.write(|out| {
                out.write_all(if first { b"\n" } else { b",\n" })?;
                write!(out, "{{\"line\":{number},\"report\":")?;
                if redact {
                    serde_json::to_writer(&mut *out, &redactor.report(&said)?)?;
                } else {
                    serde_json::to_writer(&mut *out, &said)?;
                }
                out.write_all(b"}")
            })?;
        }
        if redact {
            redactor.changes(&mut said);
        }
        first = false;
        repaired |= !said.repairs.is_empty();
        fixed::write(&mut anstream::stderr(), &name, &said)?;
    }
    out.flush()?;
    if let Some(file) = &mut report {
        file.write(|out| out.write_all(b"\n]}\n"))?;
    }
    if number == 0 {
        return Err(Stop::usage(format!("{}: there is nothing here: the input is empty", input.name)));
    }
    Ok(repaired)
}

fn write_out(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}
