//! Where what is made goes: lines, or files of a folder.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use wirecanon_core::json::{Json, Limits};
use wirecanon_judge::exit::Stop;
use wirecanon_report::outfile::OutFile;

use super::outcome;
use super::source::Made;
use super::{Args, Form};

pub(super) struct Sink {
    out: Out,
    with_outcome: bool,
}

enum Out {
    Stdout(BufWriter<io::StdoutLock<'static>>),
    File(OutFile),
    Folder(Folder),
}

/// A folder that is written beside its place and moved there when it is whole.
struct Folder {
    place: PathBuf,
    beside: TempDir,
    /// Digits of the name of a file
    width: usize,
}

impl Sink {
    pub(super) fn open(args: &Args) -> Result<Self, Stop> {
        let out = match (args.format, &args.out) {
            (Form::Jsonl, None) => Out::Stdout(BufWriter::with_capacity(1 << 16, io::stdout().lock())),
            (Form::Jsonl, Some(path)) => Out::File(OutFile::create(path)?),
            (Form::Dir, Some(path)) => {
                let last = args.skip.saturating_add(args.count).saturating_sub(1);
                Out::Folder(Folder::open(path, last.to_string().len())?)
            }
            (Form::Dir, None) => return Err(Stop::usage("`--format dir` needs a folder: give `--out`")),
        };
        Ok(Self { out, with_outcome: args.with_outcome })
    }

    pub(super) fn put(&mut self, index: u64, made: &Made) -> Result<(), Stop> {
        let text = || match made {
            Made::Transcript(made) if self.with_outcome => outcome::with_input(index, made).map(String::into_bytes),
            _ => on_one_line(index, made.bytes()),
        };
        match &mut self.out {
            Out::Stdout(out) => Ok(line(out, &text()?)?),
            Out::File(file) => {
                let text = text()?;
                file.write(|out| line(out, &text))
            }
            Out::Folder(folder) => {
                let name = format!("{index:0width$}", width = folder.width);
                let file = format!("{name}.json");
                folder.put(&file, made.bytes())?;
                if let (Made::Transcript(made), true) = (made, self.with_outcome) {
                    let outcome = outcome::of_file(index, made, &file)? + "\n";
                    folder.put(&format!("{name}.outcome.json"), outcome.as_bytes())?;
                }
                Ok(())
            }
        }
    }

    pub(super) fn finish(self) -> Result<(), Stop> {
        match self.out {
            Out::Stdout(mut out) => Ok(out.flush()?),
            Out::File(file) => file.finish(),
            Out::Folder(folder) => folder.finish(),
        }
    }
}

fn line(out: &mut (impl Write + ?Sized), text: &[u8]) -> io::Result<()> {
    out.write_all(text)?;
    out.write_all(b"\n")
}

/// A document without its line breaks. In JSON they mean nothing.
fn on_one_line(index: u64, bytes: &[u8]) -> Result<Vec<u8>, Stop> {
    let text = bytes.trim_ascii();
    let breaks = |byte: &u8| matches!(byte, b'\n' | b'\r');
    if !text.iter().any(breaks) {
        return Ok(text.to_vec());
    }
    let is_json = std::str::from_utf8(text).is_ok_and(|text| Json::parse(text, &Limits::default()).is_ok());
    if !is_json {
        return Err(Stop::usage(format!(
            "number {index} is broken so that it cannot stand on one line: give `--with-outcome`, or `--format dir`"
        )));
    }
    // The white space that sets a line in goes with its break.
    let lines = text.split(breaks).map(<[u8]>::trim_ascii_start);
    Ok(lines.collect::<Vec<_>>().concat())
}

impl Folder {
    fn open(path: &Path, width: usize) -> Result<Self, Stop> {
        let shown = path.display();
        if path.exists() {
            let mut entries = fs::read_dir(path).map_err(|error| Stop::usage(format!("{shown}: {error}")))?;
            if entries.next().is_some() {
                return Err(Stop::usage(format!("{shown}: this folder is not empty; name another")));
            }
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let beside = tempfile::Builder::new()
            .prefix(".wirecanon-")
            .tempdir_in(parent)
            .map_err(|error| Stop::unmade(path, &error))?;
        let folder = Self { place: path.to_owned(), beside, width };
        fs::create_dir(folder.whole()).map_err(|error| folder.cannot(&error))?;
        Ok(folder)
    }

    fn whole(&self) -> PathBuf {
        self.beside.path().join("new")
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Stop> {
        fs::write(self.whole().join(name), bytes).map_err(|error| self.cannot(&error))
    }

    fn finish(self) -> Result<(), Stop> {
        if self.place.exists() {
            // An empty one, which stands in the way on some systems.
            fs::remove_dir(&self.place).map_err(|error| self.cannot(&error))?;
        }
        fs::rename(self.whole(), &self.place).map_err(|error| self.cannot(&error))
    }

    fn cannot(&self, error: &io::Error) -> Stop {
        Stop::incomplete(format!("{}: cannot be written: {error}", self.place.display()))
    }
}
