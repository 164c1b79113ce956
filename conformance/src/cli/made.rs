//! Where what was made goes: to stdout, or into a file that is there whole or not at all.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

use wirecanon_judge::exit::Stop;
use wirecanon_report::outfile::OutFile;
use wirecanon_session::inplace::is_same_file;

/// The place of the result.
pub(super) enum Made {
    Stdout(BufWriter<Stdout>),
    File(OutFile),
}

impl Made {
    /// Opens the place: stdout where no file was named, or `-`. A file that is read or written already is refused.
    pub(super) fn create(path: Option<&Path>, input: &Path, report: Option<&Path>) -> Result<Self, Stop> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Stdout(BufWriter::new(io::stdout())));
        };
        let name = path.display();
        if input != Path::new("-") && is_same_file(path, input) {
            return Err(Stop::usage(format!(
                "{name}: this is the input; `--in-place` mends a file where it is, with a backup beside it"
            )));
        }
        if report.is_some_and(|report| report == path || is_same_file(path, report)) {
            return Err(Stop::usage(format!("{name}: the result and the report cannot be the same file")));
        }
        OutFile::create(path).map(Self::File)
    }

    /// Writes a part.
    pub(super) fn write(&mut self, part: &[u8]) -> Result<(), Stop> {
        match self {
            Self::Stdout(out) => Ok(out.write_all(part)?),
            Self::File(file) => file.write(|out| out.write_all(part)),
        }
    }

    /// Writes all there is, for whoever reads along.
    pub(super) fn put<'p>(&mut self, mut parts: impl Iterator<Item = &'p [u8]>) -> Result<(), Stop> {
        parts.try_for_each(|part| self.write(part))?;
        self.flush()
    }

    /// Gives what was written to whoever reads stdout; a file stays unseen until it is whole.
    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        match self {
            Self::Stdout(out) => Ok(out.flush()?),
            Self::File(_) => Ok(()),
        }
    }

    /// Puts a file in its place.
    pub(super) fn finish(self) -> Result<(), Stop> {
        match self {
            Self::Stdout(mut out) => Ok(out.flush()?),
            Self::File(file) => file.finish(),
        }
    }
}
