//! `wirecanon fix`: the mended transcript on stdout, what was changed on stderr.

use std::borrow::Cow;
use std::iter;
use std::path::PathBuf;
use std::sync::mpsc;

use wirecanon_cases::parallel::in_order::in_order;
use wirecanon_core::json::Limits;
use wirecanon_core::{Fixed, From, Mode, Options, Report, fix, fix_in_pieces};
use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::flaws::{self, Told, Whole};
use wirecanon_report::redact::Redactor;
use wirecanon_report::{fixed, outfile::OutFile};
use wirecanon_session::Found;
use wirecanon_session::inplace::is_same_file;

use super::input::{Input, Lines};
use super::listener;
use super::made::Made;
use super::mend::{self, Manner};
use super::target::Choice;
use super::{For, in_text, of_file, revision, text_of};

#[derive(Debug, clap::Args)]
#[command(after_long_help = include_str!("help/fix.txt").trim_ascii_end())]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Args {
    /// The transcript: JSON or JSON Lines; `-` is stdin; with `--in-place` any number of files and folders
    #[arg(default_value = "-", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Mend each file where it is, with a backup beside it (`NAME.bak`)
    #[arg(long, short, help_heading = "In place")]
    in_place: bool,
    /// Show what would change, and write nothing
    #[arg(long, requires = "in_place", help_heading = "In place")]
    dry_run: bool,
    /// Keep no backup
    #[arg(long, requires = "in_place", help_heading = "In place")]
    no_backup: bool,
    /// Dialect of the input; `auto` finds it, `mcp.prompt@auto` is any revision of it
    #[arg(long, value_name = "DIALECT", default_value = "auto")]
    from: String,
    /// Dialect or target to write; left out, the dialect that was read
    #[arg(long, value_name = "TARGET")]
    to: Option<String>,
    /// What the result is for [default: request; history for a session in place]
    #[arg(long = "for", value_enum)]
    purpose: Option<For>,
    /// Write the result to this file, which is there whole or not at all; `-` is stdout
    #[arg(long, short, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Write every change to this file, as JSON; in place one object a file, each on a line of its own
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Tell the changes without what the messages say: texts become tokens of their length, on stderr and in the report
    #[arg(long)]
    redact: bool,
    /// Repair an input of the target's own dialect for warnings alone, too
    #[arg(long)]
    strict: bool,
    /// Exit with 1 when anything was mended
    #[arg(long)]
    exit_code: bool,
    /// The call that a lone tool result answers
    #[arg(long, value_name = "ID")]
    call_id: Option<String>,
    /// A loss to allow that is refused otherwise; may be given again
    #[arg(long, value_enum, value_name = "LOSS")]
    allow: Vec<Loss>,
    /// Deepest nesting that is read
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_depth)]
    max_depth: usize,
    /// What the lines of the input are; left out, found from the first of them
    #[arg(long, value_enum)]
    lines: Option<Lines>,
    #[command(flatten)]
    choice: Choice,
}

/// A loss that is refused unless it is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Loss {
    /// Tool definitions that the target cannot express are left out
    LostTools,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let from = source(&args.from)?;
    let target = args.choice.target(args.to.as_deref(), "--to")?;
    let options = Options {
        from,
        to: target.as_deref(),
        mode: args.purpose.map_or(Mode::Request, For::mode),
        limits: Limits { max_depth: args.max_depth },
        call_id: args.call_id.clone(),
        strict: args.strict,
        lose_tools: args.allow.contains(&Loss::LostTools),
    };
    if args.in_place {
        let manner = Manner {
            options,
            mode: args.purpose.map(For::mode),
            lines: args.lines,
            report: args.report.as_deref(),
            dry_run: args.dry_run,
            backup: !args.no_backup,
            redact: args.redact,
            exit_code: args.exit_code,
        };
        return mend::run(&args.paths, &manner);
    }
    let [path] = &args.paths[..] else { return Err(mend::not_one(&args.paths)) };
    let mut input = Input::open(path)?;
    if let Some(report) = args.report.as_deref().filter(|report| is_same_file(report, path)) {
        return Err(Stop::usage(format!("{}: this is the input; name another file for the report", report.display())));
    }
    let mut work = Work {
        made: Made::create(args.output.as_deref(), path, args.report.as_deref())?,
        report: args.report.as_deref().map(OutFile::create).transpose()?,
        options: &options,
        redact: args.redact,
    };
    let lines = match args.lines {
        Some(lines) => lines,
        None => input.lines()?,
    };
    let repaired = match lines {
        _ if args.lines.is_none() && input.is_session()? => work.session(input)?,
        Lines::Json | Lines::Messages => work.whole(input)?,
        Lines::Sessions => work.sessions(input)?,
    };
    unless_gone(work.made.finish())?;
    if let Some(report) = work.report {
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

/// Where the result and the report of it go, and how they are made.
struct Work<'a> {
    options: &'a Options<'a>,
    made: Made,
    report: Option<OutFile>,
    redact: bool,
}

/// Each says whether anything was mended.
impl Work<'_> {
    /// Reads, mends and writes one text.
    fn whole(&mut self, input: Input) -> Result<bool, Stop> {
        let name = input.name.clone();
        let bytes = input.text(self.options.limits)?;
        let inside =
            std::str::from_utf8(&bytes).ok().map(|text| wirecanon_session::of_value(text, &self.options.limits));
        if let Some(found) = inside.filter(|found| found.title.is_some()) {
            return self.woven(&name, &bytes, &found);
        }
        let shown = (!self.redact).then_some(&bytes[..]);
        let fixed = fix_in_pieces(&bytes, self.options).map_err(|error| in_text(&name, &error, shown, 1))?;
        self.tell(&name, fixed.report, fixed.output.iter(), &[])
    }

    /// Reads a session out of its file, mends it, and writes the whole file again; for another dialect the messages alone.
    fn session(&mut self, input: Input) -> Result<bool, Stop> {
        let name = input.name.clone();
        let bytes = input.whole()?;
        let text = text_of(&name, &bytes, !self.redact)?;
        let found =
            wirecanon_session::read(text, None, &self.options.limits).map_err(|error| of_file(&name, &error))?;
        self.woven(&name, &bytes, &found)
    }

    /// Mends what is inside a file, and tells of it.
    fn woven(&mut self, name: &str, bytes: &[u8], found: &Found<'_>) -> Result<bool, Stop> {
        let (output, said) = inside(name, bytes, found, self.options)?;
        let lines = flaws::told(&found.flaws, &String::from_utf8_lossy(bytes), self.redact);
        self.tell(name, said, iter::once(&*output), &lines)
    }

    /// Writes the report, then the result, then what was changed.
    fn tell<'p>(
        &mut self,
        name: &str,
        mut said: Report<'_>,
        output: impl Iterator<Item = &'p [u8]>,
        lines: &[Told],
    ) -> Result<bool, Stop> {
        let redact = self.redact;
        if let Some(file) = &mut self.report {
            file.write(|out| {
                if redact {
                    let mut said = Redactor::default().report(&said)?;
                    if !lines.is_empty() {
                        said["lines"] = serde_json::to_value(lines)?;
                    }
                    serde_json::to_writer_pretty(&mut *out, &said)?;
                } else {
                    serde_json::to_writer_pretty(&mut *out, &Whole { report: &said, lines })?;
                }
                out.write_all(b"\n")
            })?;
        }
        if redact {
            Redactor::default().changes(&mut said);
        }
        let written = self.made.put(output);
        fixed::write(&mut listener::stderr(), name, self.options.mode, &said, lines)?;
        unless_gone(written)?;
        Ok(!said.repairs.is_empty() || flaws::faults(lines) > 0)
    }

    /// Reads, mends and writes line by line; several are mended at once.
    fn sessions(&mut self, mut input: Input) -> Result<bool, Stop> {
        let Self { options, made, report, redact } = self;
        let mut redactor = Redactor::default();
        let (mut lines, mut repaired, mut first) = (0usize, false, true);
        if let Some(file) = report {
            file.write(|out| out.write_all(b"{\"sessions\":["))?;
        }
        let input_name = input.name.clone();
        let mut number = 0;
        // The memory of lines that were written goes to those that are read: fresh memory takes longer than to mend a line.
        let (give_back, spare) = mpsc::channel::<Vec<u8>>();
        let read = iter::from_fn(move || {
            let mut bytes = spare.try_recv().unwrap_or_default();
            number += 1;
            match input.next_line(&mut bytes) {
                Ok(true) => Some(Ok(Line { number, bytes })),
                Ok(false) => None,
                Err(stop) => Some(Err(stop)),
            }
        });
        let mend = |line: Result<Line, Stop>| line.and_then(|line| line.mended(&input_name, options, !*redact));
        let mode = options.mode;
        let ended = in_order(read, mend, |mended| {
            let Mended { line, text, said } = mended?;
            lines = line.number;
            let written = made.write(text.as_deref().unwrap_or(line.body())).and_then(|()| made.write(line.end()));
            // Where all lines are read, nobody wants it.
            let _ = give_back.send(line.bytes);
            let Some(mut said) = said else { return written.map(|()| true) };
            let read_on = unless_gone(written)?;
            if let Some(file) = report {
                file.write(|out| {
                    out.write_all(if first { b"\n" } else { b",\n" })?;
                    write!(out, "{{\"line\":{lines},\"report\":")?;
                    if *redact {
                        serde_json::to_writer(&mut *out, &redactor.report(&said)?)?;
                    } else {
                        serde_json::to_writer(&mut *out, &said)?;
                    }
                    out.write_all(b"}")
                })?;
            }
            if *redact {
                redactor.changes(&mut said);
            }
            first = false;
            repaired |= !said.repairs.is_empty();
            fixed::write(&mut listener::stderr(), &name_of(&input_name, lines), mode, &said, &[])?;
            // Of what comes then there may be no end.
            Ok(read_on || report.is_some())
        });
        // What is whole is given out even where a later line is not.
        unless_gone(made.flush())?;
        ended?;
        if let Some(file) = report {
            file.write(|out| out.write_all(b"\n]}\n"))?;
        }
        if lines == 0 {
            return Err(Stop::usage(format!("{input_name}: there is nothing here: the input is empty")));
        }
        Ok(repaired)
    }
}

/// A line of an input, with its end.
struct Line {
    number: usize,
    bytes: Vec<u8>,
}

/// A line that was mended.
struct Mended {
    line: Line,
    /// Its new text; `None` where it stays as it is
    text: Option<Vec<u8>>,
    /// What was changed; `None` for a blank line
    said: Option<Report<'static>>,
}

impl Line {
    fn body(&self) -> &[u8] {
        self.bytes.trim_ascii_end()
    }

    fn end(&self) -> &[u8] {
        &self.bytes[self.body().len()..]
    }

    fn mended(self, input: &str, options: &Options<'_>, is_shown: bool) -> Result<Mended, Stop> {
        let body = self.body();
        if body.is_empty() {
            return Ok(Mended { line: self, text: None, said: None });
        }
        let name = name_of(input, self.number);
        let found = std::str::from_utf8(body).ok().map(|text| wirecanon_session::of_value(text, &options.limits));
        let (output, said) = match found.filter(|found| found.title.is_some()) {
            Some(found) => inside(&name, body, &found, options)?,
            None => fix(body, options)
                .map(|Fixed { output, report }| (output, report.into_owned()))
                .map_err(|error| in_text(&name, &error, is_shown.then_some(body), self.number))?,
        };
        let text = match output {
            Cow::Borrowed(_) => None,
            Cow::Owned(mut text) => {
                text.truncate(text.trim_ascii_end().len());
                Some(text)
            }
        };
        Ok(Mended { line: self, text, said: Some(said) })
    }
}

/// What a line is called.
fn name_of(input: &str, number: usize) -> String {
    format!("{input}: session on line {number}")
}

/// Whether somebody reads the result on. Whoever closed the pipe has seen enough of it.
fn unless_gone(written: Result<(), Stop>) -> Result<bool, Stop> {
    match written {
        Ok(()) => Ok(true),
        Err(stop) if stop.message.is_none() => Ok(false),
        Err(stop) => Err(stop),
    }
}

/// Mends what is inside a file or a line of one: all of it again, or the messages alone where they are of another dialect then.
fn inside<'b>(
    name: &str,
    bytes: &'b [u8],
    found: &Found<'_>,
    options: &Options<'_>,
) -> Result<(Cow<'b, [u8]>, Report<'static>), Stop> {
    let [transcript] = &found.transcripts[..] else {
        let count = found.transcripts.len();
        return Err(Stop::usage(format!("{name}: there are {count} transcripts in it; `--in-place` mends them all")));
    };
    let mut options = options.clone();
    if let Some(dialect) = transcript.dialect {
        options.from = From::Dialect(dialect);
    }
    let fixed = fix(transcript.document.as_bytes(), &options).map_err(|error| of_file(name, &error))?;
    let (output, said) = (fixed.output, fixed.report.into_owned());
    let output = if said.from != said.to {
        output.into_owned()
    } else if *output == *transcript.document.as_bytes() && transcript.is_straight() {
        return Ok((Cow::Borrowed(bytes), said));
    } else {
        let text = String::from_utf8_lossy(bytes);
        let ids: Vec<(&str, &str)> = said.ids.iter().map(|id| (&*id.from, &*id.to)).collect();
        let woven = transcript.woven(&text, &String::from_utf8_lossy(&output), &ids, options.limits);
        woven.map_err(|why| Stop::usage(format!("{name}: {why}; `--to {}` writes the messages alone", said.to)))?.into()
    };
    Ok((Cow::Owned(output), said))
}
