//! Who may have written a file that can start programs: this user or root alone, as git's `safe.directory` has it.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// Opens a file without waiting, whatever it is.
///
/// # Errors
///
/// Those of opening it.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NONBLOCK.bits();
        options.custom_flags(flags.cast_signed());
    }
    options.open(path)
}

/// Checks the owner and the permissions of a file or folder, and the owner of the symbolic link that leads to it. A missing file
/// passes.
///
/// # Errors
///
/// Another user owns it, or every user may write to it. The message names the path, its owner or mode, and the reader.
pub fn check(path: &Path) -> Result<(), String> {
    check_entry(path)?;
    check_read(path, fs::metadata(path))
}

/// Like [`check`], but checks nothing behind a symbolic link: this user made the link.
///
/// # Errors
///
/// See [`check`].
pub fn check_entry(path: &Path) -> Result<(), String> {
    check_read(path, fs::symlink_metadata(path))
}

fn check_read(path: &Path, about: io::Result<Metadata>) -> Result<(), String> {
    match about {
        Ok(about) => check_metadata(path, &about),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("{}: cannot be read: {error}", path.display())),
    }
}

/// Checks the owner and the permissions in the metadata of a file.
///
/// # Errors
///
/// See [`check`].
#[cfg(unix)]
pub fn check_metadata(path: &Path, about: &Metadata) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    const STICKY: u32 = 0o1000;
    const OTHERS_WRITE: u32 = 0o002;
    let (owner, own, mode) = (about.uid(), rustix::process::geteuid().as_raw(), about.mode() & 0o7777);
    // Root may write to every file, and to this program.
    if owner != own && owner != 0 {
        return Err(format!("{} belongs to user {owner}, and you are user {own}", path.display()));
    }
    // What another user puts into a sticky folder stays his own, and cannot replace what is there.
    let is_open = mode & OTHERS_WRITE != 0 && !(about.is_dir() && mode & STICKY != 0);
    if is_open && !about.is_symlink() {
        return Err(format!("every user may write to {} (mode {mode:04o})", path.display()));
    }
    Ok(())
}

/// Passes: other systems tell owners in other ways.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other systems have owners")]
pub fn check_metadata(_: &Path, _: &Metadata) -> Result<(), String> {
    Ok(())
}
