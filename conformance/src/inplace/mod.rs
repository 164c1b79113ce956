//! Replacing a file that a program may be writing to at this moment: nothing is lost, and nothing is ever half there.
//!
//! A file is read under an advisory lock. The new one is written beside it, flushed to the disk and moved into its place; before
//! that the old one gets a second name, the backup, so that at every moment one of both is whole. Whoever still has the old
//! file open writes to the backup.

mod busy;
pub mod walk;

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::report::outfile::TEMPORARY;

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
    path: PathBuf,
    /// Keeps the lock
    file: File,
    about: Metadata,
    bytes: Vec<u8>,
    /// What they were, once they are forgotten
    digest: Option<[u8; 32]>,
    length: u64,
}

impl Held {
    /// Reads a file, and locks it.
    ///
    /// # Errors
    ///
    /// It cannot be read, another program holds it, or it changes while it is read.
    pub fn open(path: &Path) -> Result<Self, Refused> {
        let cannot = |error: io::Error| Refused::Io(format!("cannot be read: {error}"));
        // Behind a link that was named stands the file that is meant.
        let path = path.canonicalize().map_err(cannot)?;
        // Before it is opened: a pipe would wait for somebody who writes.
        if !fs::metadata(&path).map_err(cannot)?.is_file() {
            return Err(Refused::Io("this is no regular file".to_owned()));
        }
        let mut file = File::open(&path).map_err(cannot)?;
        let about = file.metadata().map_err(cannot)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Refused::Busy("another program has locked it".to_owned()));
            }
            // Not every file system has locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if let Some(why) = busy::lock_file(&path) {
            return Err(Refused::Busy(why));
        }
        let mut bytes = Vec::new();
        bytes.reserve_exact(usize::try_from(about.len()).unwrap_or(0).saturating_add(1));
        file.read_to_end(&mut bytes).map_err(cannot)?;
        let length = bytes.len() as u64;
        let held = Self { path, file, about, bytes, digest: None, length };
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

    /// Puts this text in its place. Gives the name of the backup, if one was wanted.
    ///
    /// # Errors
    ///
    /// Something failed, or somebody else was at work. The file is then what it was.
    pub fn replace(self, text: &[u8], backup: bool) -> Result<Option<PathBuf>, Refused> {
        self.replace_by(&|out| out.write_all(text), backup)
    }

    fn replace_by(
        self,
        write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
        backup: bool,
    ) -> Result<Option<PathBuf>, Refused> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if links(&self.about) > 1 {
            let words =
                "it has a second name (a hard link), which would keep the old text; name one and unlink the other";
            return Err(Refused::Io(words.to_owned()));
        }
        let cannot = |doing: &str, error: &io::Error| Refused::Io(format!("{doing}: {error}; the file is as it was"));
        let mut new = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .tempfile_in(folder)
            .map_err(|error| cannot("no file can be written beside it", &error))?;
        write(&mut new)
            .and_then(|()| new.flush())
            .and_then(|()| owned_as(new.as_file(), &self.about))
            .and_then(|()| new.as_file().sync_all())
            .map_err(|error| cannot("the new text cannot be written", &error))?;
        if let Some(why) = busy::lock_file(&self.path).or_else(|| busy::writer(&self.about)) {
            return Err(Refused::Busy(why));
        }
        self.is_unchanged()?;
        self.says_the_same()?;
        let kept = if backup { Some(second_name(&self.path, folder)) } else { None };
        let kept = kept.transpose().map_err(|error| cannot("no backup can be made", &error))?;
        if let Err(error) = new.persist(&self.path) {
            if let Some(kept) = &kept {
                // It is only a second name of the file that stays.
                let _ = fs::remove_file(kept);
            }
            return Err(cannot("it cannot be replaced", &error.error));
        }
        // The new name is there; that it outlives a power cut too is as well as can be had.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        self.keep_late(kept, folder)
    }

    /// What a program wrote to the old file between the last look at it and the move stands in the backup: that is said, and
    /// made sure of where no backup was wanted.
    fn keep_late(&self, kept: Option<PathBuf>, folder: &Path) -> Result<Option<PathBuf>, Refused> {
        let same = |now: &Metadata| now.len() == self.length && now.modified().ok() == self.about.modified().ok();
        if self.file.metadata().is_ok_and(|now| same(&now)) {
            return Ok(kept);
        }
        let kept = match kept {
            Some(kept) => Ok(kept),
            None => free_name(&self.path, |other| copied(&self.file, other, folder)),
        };
        let kept = kept.map_err(|error| {
            Refused::Io(format!("a program wrote to it while it was replaced, and that cannot be kept: {error}"))
        })?;
        let kept = kept.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let words =
            format!("a program wrote to it while it was replaced; the old file, with what was written, is {kept}");
        Err(Refused::Busy(words))
    }

    /// Whether the name still means the file that was read, as long and as old as it was.
    fn is_unchanged(&self) -> Result<(), Refused> {
        if is_as_it_was(&self.path, &self.about, self.length) {
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

/// Whether a name still means the file that was opened, which was read to this length, and the file is as old as it was.
pub fn is_as_it_was(path: &Path, opened: &Metadata, read: u64) -> bool {
    fs::metadata(path).is_ok_and(|now| {
        [now.len(), opened.len()] == [read; 2]
            && now.modified().ok() == opened.modified().ok()
            && identity(&now) == identity(opened)
    })
}

/// Gives the file of this name a second one.
fn second_name(path: &Path, folder: &Path) -> io::Result<PathBuf> {
    free_name(path, |other| match fs::hard_link(path, other) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // A file system without second names.
            copied(&File::open(path)?, other, folder)
        }
        done => done,
    })
}

/// Makes a file called `NAME.bak`, or `NAME.bak.2` and so on where that is taken.
fn free_name(path: &Path, make: impl Fn(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default();
    for number in 1..=MOST {
        let mut other = name.to_owned();
        other.push(".bak");
        if number > 1 {
            other.push(format!(".{number}"));
        }
        let other = path.with_file_name(other);
        match make(&other) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done.map(|()| other),
        }
    }
    Err(io::Error::other(format!("there are {MOST} backups already")))
}

/// Copies an open file, from its beginning, to a name that is free.
fn copied(mut from: &File, other: &Path, folder: &Path) -> io::Result<()> {
    let mut copy = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder)?;
    io::Seek::rewind(&mut from)?;
    io::copy(&mut from, &mut copy)?;
    owned_as(copy.as_file(), &from.metadata()?)?;
    copy.as_file().sync_all()?;
    copy.persist_noclobber(other).map(drop).map_err(|error| error.error)
}

/// Gives a new file the rights and, where that is allowed, the owner of another.
fn owned_as(file: &File, about: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (about.uid(), about.gid()) {
            // Whoever may write here need not be allowed to give files away; then the group alone, or neither.
            let _ =
                fchown(file, Some(about.uid()), Some(about.gid())).or_else(|_| fchown(file, None, Some(about.gid())));
        }
    }
    file.set_permissions(about.permissions())
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
