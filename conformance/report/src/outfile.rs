//! A file that is there whole or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use wirecanon_judge::exit::Stop;
use wirecanon_runner::interrupt::Unfinished;

pub use wirecanon_session::inplace::TEMPORARY;

/// A file that is written beside its place and moved there when it is whole. It is made before the work starts, so that a
/// wrong path fails early.
#[derive(Debug)]
pub struct OutFile {
    path: PathBuf,
    out: Out,
}

#[derive(Debug)]
enum Out {
    Beside(BufWriter<NamedTempFile>, Unfinished),
    /// A pipe, a terminal, `/dev/null`: nothing that could be replaced
    Direct(BufWriter<std::fs::File>),
}

impl OutFile {
    /// Opens the file beside `path`.
    ///
    /// # Errors
    ///
    /// No file can be made there.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, Stop> {
        let path = path.into();
        let cannot = |error: io::Error| Stop::unmade(&path, &error);
        if path == Path::new("-") {
            return Err(Stop::usage(
                "`-` is stdout for `--output` alone, which has it; name a file, `./-` if that is meant",
            ));
        }
        if path.is_dir() {
            return Err(Stop::usage(format!("{}: this is a directory; name a file", path.display())));
        }
        let special = path.metadata().is_ok_and(|about| !about.is_file());
        let out = if special {
            Out::Direct(BufWriter::new(std::fs::OpenOptions::new().write(true).open(&path).map_err(cannot)?))
        } else {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let mut builder = tempfile::Builder::new();
            builder.prefix(TEMPORARY);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                builder.permissions(std::fs::Permissions::from_mode(0o666));
            }
            let file = builder.tempfile_in(folder).map_err(cannot)?;
            let unfinished = Unfinished::new(file.path(), &path);
            Out::Beside(BufWriter::new(file), unfinished)
        };
        Ok(Self { path, out })
    }

    /// Writes a whole file.
    ///
    /// # Errors
    ///
    /// As [`OutFile::create`] and [`OutFile::write`].
    pub fn put(path: impl Into<PathBuf>, text: &[u8]) -> Result<(), Stop> {
        let mut file = Self::create(path)?;
        file.write(|out| out.write_all(text))?;
        file.finish()
    }

    /// Writes a whole file, and makes the folder that it lies in.
    ///
    /// # Errors
    ///
    /// As [`OutFile::put`].
    pub fn put_in_folder(path: &Path, text: &[u8]) -> Result<(), Stop> {
        let folder = path.parent().unwrap_or(path);
        std::fs::create_dir_all(folder).map_err(|error| Stop::unmade(folder, &error))?;
        Self::put(path, text)
    }

    /// Writes a part.
    ///
    /// # Errors
    ///
    /// The disk is full, or gone.
    pub fn write(&mut self, part: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Stop> {
        let done = match &mut self.out {
            Out::Beside(out, _) => part(out),
            Out::Direct(out) => part(out),
        };
        done.map_err(|error| failed(&self.path, &error))
    }

    /// Puts the whole file in its place.
    ///
    /// # Errors
    ///
    /// As [`OutFile::write`].
    pub fn finish(self) -> Result<(), Stop> {
        match self.out {
            Out::Direct(mut out) => out.flush().map_err(|error| failed(&self.path, &error)),
            Out::Beside(out, unfinished) => {
                let file = out.into_inner().map_err(|error| failed(&self.path, error.error()))?;
                // Before it takes the place of the one that was there: some disks say only now that they are full, and after a power
                // cut the new name must not stand for a file without its text.
                file.as_file().sync_all().map_err(|error| failed(&self.path, &error))?;
                let done = file.persist(&self.path).map(drop).map_err(|error| failed(&self.path, &error.error));
                drop(unfinished);
                done
            }
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> Stop {
    Stop::incomplete(format!("{}: cannot be written: {error}", path.display()))
}
