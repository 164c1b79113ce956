//! A directory that is held open: a name in it cannot lead elsewhere, whatever happens to its path meanwhile.

use std::ffi::{OsStr, OsString};
#[cfg(not(unix))]
use std::fs;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Component, Path, PathBuf};

#[cfg(unix)]
use rustix::fd::OwnedFd;
#[cfg(unix)]
use rustix::fs::{self as at, AtFlags, FileType, Mode, OFlags};

use crate::inplace::TEMPORARY;

/// Attempts to find a free name for a temporary file.
const TRIES: usize = 100;

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

impl Kind {
    /// Describes an entry that is not a regular file.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::File => "this is a regular file",
            Self::Directory => "this is a directory, and no regular file",
            Self::Link => "a symbolic link is not followed",
            Self::Other => "this is no regular file",
        }
    }
}

/// An open directory. No method follows a symbolic link below it.
#[derive(Debug)]
pub(super) struct Directory {
    /// Its path when it was opened, for messages
    path: PathBuf,
    #[cfg(unix)]
    handle: OwnedFd,
}

#[cfg(target_os = "linux")]
const SEARCH: OFlags = OFlags::PATH;
#[cfg(all(unix, not(target_os = "linux")))]
const SEARCH: OFlags = OFlags::RDONLY;

#[cfg(unix)]
impl Directory {
    /// Opens a directory. Symbolic links in its path are followed.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let handle = at::open(path, SEARCH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self { path: path.to_owned(), handle })
    }

    /// Opens a directory in this one.
    fn child(&self, name: &OsStr) -> io::Result<Self> {
        if self.kind(name)? == Kind::Link {
            return Err(io::Error::other(Kind::Link.describe()));
        }
        let flags = SEARCH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = at::openat(&self.handle, name, flags, Mode::empty())?;
        Ok(Self { path: self.path.join(name), handle })
    }

    /// Returns the kind of an entry.
    pub(super) fn kind(&self, name: &OsStr) -> io::Result<Kind> {
        let about = at::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(match FileType::from_raw_mode(about.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Directory,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        })
    }

    fn open_entry(&self, name: &OsStr) -> io::Result<File> {
        // A pipe that takes the place of the file must not make this wait.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(at::openat(&self.handle, name, flags, Mode::empty())?.into())
    }

    /// Creates a file that only this user may read and write. Fails if the name exists.
    pub(super) fn create(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(at::openat(&self.handle, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    /// Adds a second name for a file. Fails if the name exists.
    pub(super) fn link(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
        Ok(at::linkat(&self.handle, name, &self.handle, other, AtFlags::empty())?)
    }

    /// Renames a file, and replaces the one of the new name.
    pub(super) fn rename(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
        Ok(at::renameat(&self.handle, name, &self.handle, other)?)
    }

    /// Removes a file.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(at::unlinkat(&self.handle, name, AtFlags::empty())?)
    }

    /// Flushes its entries to the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(at::fsync(at::openat(&self.handle, ".", flags, Mode::empty())?)?)
    }
}

#[cfg(not(unix))]
impl Directory {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if !fs::metadata(path)?.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(Self { path: path.to_owned() })
    }

    fn child(&self, name: &OsStr) -> io::Result<Self> {
        if self.kind(name)? == Kind::Link {
            return Err(io::Error::other(Kind::Link.describe()));
        }
        Self::open(&self.path.join(name))
    }

    pub(super) fn kind(&self, name: &OsStr) -> io::Result<Kind> {
        let kind = fs::symlink_metadata(self.path.join(name))?.file_type();
        Ok(match kind {
            _ if kind.is_file() => Kind::File,
            _ if kind.is_dir() => Kind::Directory,
            _ if kind.is_symlink() => Kind::Link,
            _ => Kind::Other,
        })
    }

    fn open_entry(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.path.join(name))
    }

    pub(super) fn create(&self, name: &OsStr) -> io::Result<File> {
        File::options().read(true).write(true).create_new(true).open(self.path.join(name))
    }

    pub(super) fn link(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
        fs::hard_link(self.path.join(name), self.path.join(other))
    }

    pub(super) fn rename(&self, name: &OsStr, other: &OsStr) -> io::Result<()> {
        fs::rename(self.path.join(name), self.path.join(other))
    }

    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }
}

impl Directory {
    /// Opens the directory of a file that the user named, and returns the name of the file in it. Symbolic links are followed:
    /// the file behind them is meant.
    pub(super) fn of_named(path: &Path) -> io::Result<(Self, OsString)> {
        let path = path.canonicalize()?;
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::Error::other(Kind::Directory.describe()));
        };
        Ok((Self::open(folder)?, name.to_owned()))
    }

    /// Opens the directory of a file that was found below `root`, and returns the name of the file in it. No symbolic link
    /// below `root` is followed.
    pub(super) fn of_found(root: &Path, path: &Path) -> io::Result<(Self, OsString)> {
        let below = path.strip_prefix(root).map_err(io::Error::other)?;
        let name = below.file_name().ok_or_else(|| io::Error::other(Kind::Directory.describe()))?;
        let mut directory = Self::open(root)?;
        // In messages the path is absolute, as that of a named file is.
        directory.path = root.canonicalize()?;
        for part in below.parent().into_iter().flat_map(Path::components) {
            let Component::Normal(part) = part else { return Err(io::Error::from(io::ErrorKind::InvalidInput)) };
            directory = directory.child(part)?;
        }
        Ok((directory, name.to_owned()))
    }

    /// Returns the path of an entry, for messages.
    pub(super) fn path_of(&self, name: &OsStr) -> PathBuf {
        self.path.join(name)
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    ///
    /// It is a symbolic link, a pipe, a device or a directory, or it cannot be opened.
    pub(super) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let kind = self.kind(name)?;
        if kind != Kind::File {
            return Err(io::Error::other(kind.describe()));
        }
        let file = self.open_entry(name)?;
        // Another one may have taken its place since.
        if !file.metadata()?.is_file() {
            return Err(io::Error::other(Kind::Other.describe()));
        }
        Ok(file)
    }

    /// Creates a temporary file.
    pub(super) fn temporary(&self) -> io::Result<Temporary<'_>> {
        for _ in 0..TRIES {
            let name = OsString::from(format!("{TEMPORARY}{:016x}", RandomState::new().hash_one(TEMPORARY)));
            match self.create(&name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                file => return Ok(Temporary { directory: self, name, file: file?, moved: false }),
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }
}

/// A temporary file, which is removed unless it is moved to its place.
#[derive(Debug)]
pub(super) struct Temporary<'d> {
    directory: &'d Directory,
    name: OsString,
    pub(super) file: File,
    moved: bool,
}

impl Temporary<'_> {
    /// Moves it to its place, and replaces the file there.
    pub(super) fn replace(mut self, name: &OsStr) -> io::Result<()> {
        self.directory.rename(&self.name, name)?;
        self.moved = true;
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.moved {
            // It is empty or half written, and nothing else can be done about it.
            let _ = self.directory.remove(&self.name);
        }
    }
}
