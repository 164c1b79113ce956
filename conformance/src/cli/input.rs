//! Reading what the user named: a file or stdin, whole or line by line, each byte once.

use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use wirecanon_core::json::Limits;
use wirecanon_core::stream;
use wirecanon_judge::exit::Stop;
use wirecanon_session::inplace::{self, is_as_it_was};
use wirecanon_session::lines::LOOKED_AT;
use wirecanon_session::shows;

use super::listener;
pub(super) use wirecanon_session::lines::Lines;

/// An opened input.
pub(super) struct Input {
    /// For messages
    pub(super) name: String,
    /// What was looked at, as far as it is not read
    start: Cursor<Vec<u8>>,
    rest: BufReader<Box<dyn Read + Send>>,
    size: usize,
    /// Of a file with a size: where it is, and how it stood when it was opened
    opened: Option<(PathBuf, Metadata)>,
    /// Bytes that were read
    read: u64,
}

impl Input {
    /// Opens a file, or stdin for `-`.
    pub(super) fn open(path: impl AsRef<Path>) -> Result<Self, Stop> {
        let path = path.as_ref();
        if path.as_os_str() == "-" {
            let reader: Box<dyn Read + Send> = Box::new(io::stdin());
            return Ok(Self::of("stdin".to_owned(), reader, 0, None));
        }
        Self::opened(path, File::open(path))
    }

    /// Opens a file that was found below the directory `root`. No symbolic link below `root` is followed.
    pub(super) fn open_found(root: &Path, path: &Path) -> Result<Self, Stop> {
        Self::opened(path, inplace::open_found(root, path))
    }

    fn opened(path: &Path, file: io::Result<File>) -> Result<Self, Stop> {
        let name = path.display().to_string();
        let cannot = |error: &io::Error| match error.kind() {
            io::ErrorKind::NotFound => Stop::usage(format!("{name}: there is no such file")),
            io::ErrorKind::PermissionDenied => Stop::incomplete(format!("{name}: this file may not be read by you")),
            io::ErrorKind::IsADirectory => directory(&name),
            _ => Stop::incomplete(format!("{name}: cannot be read: {error}")),
        };
        let file = file.map_err(|error| cannot(&error))?;
        let about = file.metadata().map_err(|error| cannot(&error))?;
        if about.is_dir() {
            return Err(directory(&name));
        }
        let size = usize::try_from(about.len()).unwrap_or(0);
        let reader: Box<dyn Read + Send> = Box::new(file);
        let opened = (about.is_file() && size > 0).then(|| (path.to_owned(), about));
        Ok(Self::of(name, reader, size, opened))
    }

    fn of(name: String, reader: Box<dyn Read + Send>, size: usize, opened: Option<(PathBuf, Metadata)>) -> Self {
        Self {
            name,
            start: Cursor::default(),
            rest: BufReader::with_capacity(LOOKED_AT, reader),
            size,
            opened,
            read: 0,
        }
    }

    /// The beginning, by which it is told what this is. A pipe gives it in parts, and what it is does not depend on their size.
    fn start(&mut self) -> Result<&[u8], Stop> {
        let start = self.start.get_mut();
        let missing = LOOKED_AT.saturating_sub(start.len());
        if let Err(error) = Read::take(&mut self.rest, missing as u64).read_to_end(start) {
            return Err(unreadable(&self.name, &error));
        }
        Ok(start)
    }

    fn reader(&mut self) -> Chain<&mut Cursor<Vec<u8>>, &mut BufReader<Box<dyn Read + Send>>> {
        Read::chain(&mut self.start, &mut self.rest)
    }

    /// What its lines are, from the first of them.
    pub(super) fn lines(&mut self) -> Result<Lines, Stop> {
        Ok(Lines::of(self.start()?))
    }

    /// Whether it is the session file of a program that is known.
    pub(super) fn is_session(&mut self) -> Result<bool, Stop> {
        Ok(shows(self.start()?))
    }

    /// All its bytes.
    pub(super) fn whole(mut self) -> Result<Vec<u8>, Stop> {
        let mut bytes = Vec::new();
        // One more than the size, so that reading to the end never makes the buffer grow to the double.
        bytes.reserve_exact(self.size.saturating_add(1));
        self.reader().read_to_end(&mut bytes).map_err(|error| unreadable(&self.name, &error))?;
        self.read = bytes.len() as u64;
        self.end();
        Ok(bytes)
    }

    /// Says of a file that was read to its end if it is another one by now: then so is what it says.
    fn end(&mut self) {
        if self.opened.take().is_some_and(|(path, about)| !is_as_it_was(&path, &about, self.read)) {
            let name = &self.name;
            // Where stderr is gone too, nobody can be told.
            let _ = writeln!(
                listener::stderr(),
                "{name}: it changed while it was read: a program is writing to it, and this is of what was read"
            );
        }
    }

    /// All its bytes; of a stream of events, the message that they make, after a word about it.
    pub(super) fn text(self, limits: Limits) -> Result<Vec<u8>, Stop> {
        let name = self.name.clone();
        let bytes = self.whole()?;
        if !stream::is_stream(&bytes) {
            return Ok(bytes);
        }
        let made = stream::message(&bytes, &limits).map_err(|error| Stop::usage(format!("{name}: {error}")))?;
        let end = if made.ended { "" } else { "; it broke off" };
        let dialect = made.dialect.name();
        writeln!(
            listener::stderr(),
            "{name}: a stream of {} events, read as the message of {dialect} that they make{end}",
            made.events
        )?;
        Ok(made.document.into_bytes())
    }

    /// The name of a file, or of stdin for `-`, and all its bytes.
    pub(super) fn read(path: impl AsRef<Path>) -> Result<(String, Vec<u8>), Stop> {
        let input = Self::open(path)?;
        Ok((input.name.clone(), input.whole()?))
    }

    /// The next line with its newline, into `line`; `false` at the end.
    pub(super) fn next_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Stop> {
        line.clear();
        let length = self.reader().read_until(b'\n', line).map_err(|error| unreadable(&self.name, &error))?;
        self.read += length as u64;
        if length == 0 {
            self.end();
        }
        Ok(length > 0)
    }
}

fn directory(path: &str) -> Stop {
    Stop::usage(format!("{path}: this is a directory; name the files in it"))
}

fn unreadable(name: &str, error: &io::Error) -> Stop {
    if error.kind() == io::ErrorKind::IsADirectory {
        return directory(name);
    }
    Stop::incomplete(format!("{name}: cannot be read: {error}"))
}
