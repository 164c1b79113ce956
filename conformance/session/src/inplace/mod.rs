//! Replacing a file that a program may be writing to at this moment: nothing is lost, and nothing is ever half there.
//!
//! A file is read under an advisory lock. The new one is written beside it, flushed to the disk and moved into its place; before
//! that the old one gets a second name, the backup, so that at every moment one of both is whole. Whoever still has the old
//! file open writes to the backup. All of it takes place in one open directory, so that nobody can lead it elsewhere by a link.

mod attributes;
mod busy;
mod directory;
pub mod walk;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use directory::{Directory, Kind};

/// How the name of a file begins that is not whole yet.
pub const TEMPORARY: &str = ".wirecanon-";

/// Backups of one file that are kept.
const MOST: usize = 1000;

/// Why a file was left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Another program is at work on it
    Busy(String),
    /// It could not be read or written
    Io(String),
}

impl Refused {
    /// Why, in words.
    pub fn words(&self) -> &str {
        match self {
            Self::Busy(words) | Self::Io(words) => words,
        }
    }
}

/// A file that was read, and is locked until it is replaced or let go.
pub struct Held {
    /// Its directory
    directory: Directory,
    /// Its name there
    name: OsString,
    /// Keeps the lock
    file: File,
    about: Metadata,
    bytes: Vec<u8>,
    /// What they were, once they are forgotten
    digest: Option<[u8; 32]>,
    length: u64,
}

impl Held {
    /// Reads a file that the user named, and locks it. If the name is a symbolic link, the file behind it is meant.
    ///
    /// # Errors
    ///
    /// It cannot be read, another program holds it, or it changes while it is read.
    pub fn open(path: &Path) -> Result<Self, Refused> {
        Self::open_in(Directory::of_named(path))
    }

    /// Reads a file that was found below the directory `root`, and locks it. No symbolic link below `root` is followed.
    ///
    /// # Errors
    ///
    /// It cannot be read, another program holds it, or it changes while it is read.
    pub fn open_found(root: &Path, path: &Path) -> Result<Self, Refused> {
        Self::open_in(Directory::of_found(root, path))
    }

    fn open_in(place: io::Result<(Directory, OsString)>) -> Result<Self, Refused> {
        let cannot = |error: io::Error| Refused::Io(format!("cannot be read: {error}"));
        let (directory, name) = place.map_err(cannot)?;
        let kind = directory.kind(&name).map_err(cannot)?;
        if kind != Kind::File {
            return Err(Refused::Io(kind.describe().to_owned()));
        }
        let mut file = directory.open_file(&name).map_err(cannot)?;
        let about = file.metadata().map_err(cannot)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Refused::Busy("another program has locked it".to_owned()));
            }
            // Not every file system has locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if let Some(why) = busy::lock_file(&directory, &name) {
            return Err(Refused::Busy(why));
        }
        let mut bytes = Vec::new();
        bytes.reserve_exact(usize::try_from(about.len()).unwrap_or(0).saturating_add(1));
        file.read_to_end(&mut bytes).map_err(cannot)?;
        let length = bytes.len() as u64;
        let held = Self { directory, name, file, about, bytes, digest: None, length };
        held.is_unchanged()?;
        Ok(held)
    }

    /// What it says.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Lets go of what it says, which weighs as much as the file, and remembers its digest.
    pub fn forget(&mut self) {
        self.digest.get_or_insert_with(|| Sha256::digest(&self.bytes).into());
        self.bytes = Vec::new();
    }

    /// Replaces the file by this text. Owner, group, permissions and extended attributes stay what they are.
    ///
    /// # Errors
    ///
    /// Something failed, the owner cannot be kept, or somebody else was at work. The file is then what it was.
    pub fn replace(self, text: &[u8], backup: bool) -> Result<Replaced, Refused> {
        self.replace_by(&|out| out.write_all(text), backup)
    }

    fn replace_by(self, write: &dyn Fn(&mut dyn Write) -> io::Result<()>, backup: bool) -> Result<Replaced, Refused> {
        if links(&self.about) > 1 {
            let words =
                "it has a second name (a hard link), which would keep the old text; name one and unlink the other";
            return Err(Refused::Io(words.to_owned()));
        }
        let cannot = |doing: &str, error: &io::Error| Refused::Io(format!("{doing}: {error}; the file is as it was"));
        let mut new = self.directory.temporary().map_err(|error| cannot("no file can be written beside it", &error))?;
        write(&mut new.file)
            .and_then(|()| new.file.flush())
            .map_err(|error| cannot("the new text cannot be written", &error))?;
        let lost = attributes::copy(&self.file, &self.about, &new.file)
            .map_err(|error| cannot("its owner or permissions cannot be kept", &error))?;
        new.file.sync_all().map_err(|error| cannot("the new text cannot be written", &error))?;
        if let Some(why) = busy::lock_file(&self.directory, &self.name).or_else(|| busy::writer(&self.about)) {
            return Err(Refused::Busy(why));
        }
        self.is_unchanged()?;
        self.says_the_same()?;
        let kept = if backup { Some(second_name(&self.directory, &self.name, &self.file)) } else { None };
        let kept = kept.transpose().map_err(|error| cannot("no backup can be made", &error))?;
        if let Err(error) = new.replace(&self.name) {
            if let Some(kept) = &kept {
                // It is only a second name of the file that stays.
                let _ = self.directory.remove(kept);
            }
            return Err(cannot("it cannot be replaced", &error));
        }
        // The new name is there; that it outlives a power cut too is as well as can be had.
        let _ = self.directory.sync();
        let backup = self.keep_late(kept)?.map(|name| self.directory.path_of(&name));
        Ok(Replaced { backup, lost })
    }

    /// What a program wrote to the old file between the last look at it and the move stands in the backup: that is said, and
    /// made sure of where no backup was wanted.
    fn keep_late(&self, kept: Option<OsString>) -> Result<Option<OsString>, Refused> {
        let same = |now: &Metadata| now.len() == self.length && now.modified().ok() == self.about.modified().ok();
        if self.file.metadata().is_ok_and(|now| same(&now)) {
            return Ok(kept);
        }
        let kept = match kept {
            Some(kept) => Ok(kept),
            None => free_name(&self.name, |other| copied(&self.directory, &self.file, other)),
        };
        let kept = kept.map_err(|error| {
            Refused::Io(format!("a program wrote to it while it was replaced, and that cannot be kept: {error}"))
        })?;
        let kept = kept.to_string_lossy();
        let words =
            format!("a program wrote to it while it was replaced; the old file, with what was written, is {kept}");
        Err(Refused::Busy(words))
    }

    /// Whether the name still means the file that was read, as long and as old as it was.
    fn is_unchanged(&self) -> Result<(), Refused> {
        let now = self.directory.open_file(&self.name).and_then(|file| file.metadata());
        if now.is_ok_and(|now| is_same_state(&now, &self.about, self.length)) {
            return Ok(());
        }
        Err(Refused::Busy("it changed while it was read: a program is writing to it".to_owned()))
    }

    /// Whether it says what it said: clocks of file systems are too coarse to tell.
    fn says_the_same(&self) -> Result<(), Refused> {
        use io::{BufReader, Seek};
        let cannot = |error: io::Error| Refused::Io(format!("cannot be read again: {error}"));
        let mut file = &self.file;
        file.rewind().map_err(cannot)?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let (mut at, mut digest) = (0, self.digest.map(|_| Sha256::new()));
        loop {
            let chunk = io::BufRead::fill_buf(&mut reader).map_err(cannot)?;
            if chunk.is_empty() {
                break;
            }
            if let Some(digest) = &mut digest {
                digest.update(chunk);
            } else if self.bytes.get(at..at + chunk.len()) != Some(chunk) {
                return Err(Refused::Busy("it changed while it was mended: a program is writing to it".to_owned()));
            }
            let length = chunk.len();
            at += length;
            io::BufRead::consume(&mut reader, length);
        }
        if digest.is_some_and(|digest| self.digest != Some(digest.finalize().into())) {
            return Err(Refused::Busy("it changed while it was mended: a program is writing to it".to_owned()));
        }
        if at as u64 == self.length {
            return Ok(());
        }
        Err(Refused::Busy("it was cut short while it was mended: a program is writing to it".to_owned()))
    }
}

/// A file that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The path of the backup, if one was wanted
    pub backup: Option<PathBuf>,
    /// A message for each extended attribute that the new file has not
    pub lost: Vec<String>,
}

/// Opens a file that was found below the directory `root`, for reading. No symbolic link below `root` is followed.
///
/// # Errors
///
/// It is no regular file any more, or it cannot be opened.
pub fn open_found(root: &Path, path: &Path) -> io::Result<File> {
    let (directory, name) = Directory::of_found(root, path)?;
    directory.open_file(&name)
}

/// Whether a name still means the file that was opened, which was read to this length, and the file is as old as it was.
pub fn is_as_it_was(path: &Path, opened: &Metadata, read: u64) -> bool {
    fs::metadata(path).is_ok_and(|now| is_same_state(&now, opened, read))
}

fn is_same_state(now: &Metadata, opened: &Metadata, read: u64) -> bool {
    [now.len(), opened.len()] == [read; 2]
        && now.modified().ok() == opened.modified().ok()
        && identity(now) == identity(opened)
}

/// Gives the file of this name, which is open, a second name.
fn second_name(directory: &Directory, name: &OsStr, file: &File) -> io::Result<OsString> {
    free_name(name, |other| match directory.link(name, other) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // A file system without second names.
            copied(directory, file, other)
        }
        done => done,
    })
}

/// Makes a file called `NAME.bak`, or `NAME.bak.2` and so on where that is taken.
fn free_name(name: &OsStr, make: impl Fn(&OsStr) -> io::Result<()>) -> io::Result<OsString> {
    for number in 1..=MOST {
        let mut other = name.to_owned();
        other.push(".bak");
        if number > 1 {
            other.push(format!(".{number}"));
        }
        match make(&other) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done.map(|()| other),
        }
    }
    Err(io::Error::other(format!("there are {MOST} backups already")))
}

/// Copies an open file, from its beginning, to a name that is free.
fn copied(directory: &Directory, mut from: &File, other: &OsStr) -> io::Result<()> {
    let mut copy = directory.create(other)?;
    let done = io::Seek::rewind(&mut from)
        .and_then(|()| io::copy(&mut from, &mut copy))
        .and_then(|_| attributes::copy(from, &from.metadata()?, &copy))
        .and_then(|_| copy.sync_all());
    if done.is_err() {
        // Half a backup is none.
        let _ = directory.remove(other);
    }
    done
}

/// Whether two names mean one file, by whatever way. What is not there is no file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let (Ok(here), Ok(there)) = (fs::metadata(one), fs::metadata(other)) else { return false };
    let is_one = one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other));
    // A file may have several names where it has a number.
    is_one || (cfg!(unix) && here.is_file() && identity(&here) == identity(&there))
}

#[cfg(unix)]
fn identity(about: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (about.dev(), about.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) {}

#[cfg(unix)]
fn links(about: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(about)
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}

#[cfg(test)]
mod tests;
