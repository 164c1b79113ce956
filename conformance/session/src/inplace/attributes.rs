//! Owner, permissions and extended attributes of a file that takes the place of another.

use std::fs::{File, Metadata};
use std::io;

/// Extended attributes that give access to a file. They are kept, or the file is not replaced.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
const ACCESS: &[&[u8]] = &[b"system.posix_acl_access", b"system.nfs4_acl", b"system.richacl"];

/// Extended attributes that the kernel makes of the content of a file.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
const OF_CONTENT: &[&[u8]] = &[b"security.ima", b"security.evm"];

/// Gives a new file the owner, the group, the access control list, the permissions and the other extended attributes of the old
/// one. Returns a message for each extended attribute that was lost.
///
/// # Errors
///
/// The owner, the group, the access control list or the permissions cannot be kept.
pub(super) fn copy(old: &File, about: &Metadata, new: &File) -> io::Result<Vec<String>> {
    // In this order: no step gives anybody access whom the old file gave none.
    copy_owner(about, new)?;
    let lost = copy_extended(old, new)?;
    new.set_permissions(about.permissions())?;
    Ok(lost)
}

#[cfg(unix)]
fn copy_owner(about: &Metadata, new: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let own = new.metadata()?;
    if (own.uid(), own.gid()) == (about.uid(), about.gid()) {
        return Ok(());
    }
    // A group of this user may be given where an owner may not.
    let owner = (own.uid() != about.uid()).then_some(about.uid());
    fchown(new, owner, Some(about.gid())).map_err(|error| {
        let (uid, gid) = (about.uid(), about.gid());
        io::Error::new(
            error.kind(),
            format!(
                "the new file would belong to user {} and group {}, not to user {uid} and group {gid} ({error}); run this as \
                 user {uid}, or write the result with `-o FILE`",
                own.uid(),
                own.gid()
            ),
        )
    })
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other systems have owners")]
fn copy_owner(_: &Metadata, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn copy_extended(old: &File, new: &File) -> io::Result<Vec<String>> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr};
    let mut lost = Vec::new();
    let names = match names(old) {
        Ok(names) => names,
        // A file system without extended attributes.
        Err(rustix::io::Errno::NOTSUP) => return Ok(lost),
        Err(error) => {
            lost.push(format!("the extended attributes could not be read, and are not kept: {error}"));
            Vec::new()
        }
    };
    let inherited = self::names(new).unwrap_or_default();
    for name in inherited.iter().filter(|name| ACCESS.contains(&name.as_slice()) && !names.contains(name)) {
        // The folder gives new files a list that this file has not.
        fremovexattr(new, name.as_slice()).map_err(|error| cannot_keep(name, error))?;
    }
    for name in names.iter().filter(|name| !OF_CONTENT.contains(&name.as_slice())) {
        let kept = value(old, name).and_then(|old| {
            if value(new, name).is_ok_and(|new| new == old) {
                return Ok(());
            }
            fsetxattr(new, name.as_slice(), &old, XattrFlags::empty())
        });
        match kept {
            Ok(()) => {}
            Err(error) if ACCESS.contains(&name.as_slice()) => return Err(cannot_keep(name, error)),
            Err(error) => lost.push(format!(
                "the extended attribute `{}` could not be kept: {error}",
                String::from_utf8_lossy(name).escape_debug()
            )),
        }
    }
    Ok(lost)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn cannot_keep(name: &[u8], error: rustix::io::Errno) -> io::Error {
    let error = io::Error::from(error);
    let name = String::from_utf8_lossy(name);
    io::Error::new(
        error.kind(),
        format!("its access control list ({name}) cannot be kept: {error}; write the result with `-o FILE`"),
    )
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
#[expect(clippy::unnecessary_wraps, reason = "the other systems have extended attributes")]
fn copy_extended(_: &File, _: &File) -> io::Result<Vec<String>> {
    Ok(Vec::new())
}

/// Returns the names of the extended attributes of a file.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn names(file: &File) -> rustix::io::Result<Vec<Vec<u8>>> {
    let list = sized(|buffer| rustix::fs::flistxattr(file, buffer))?;
    Ok(list.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
}

/// Returns the value of an extended attribute.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn value(file: &File, name: &[u8]) -> rustix::io::Result<Vec<u8>> {
    sized(|buffer| rustix::fs::fgetxattr(file, name, buffer))
}

/// Calls a function with a buffer that is large enough. Linux has no value and no list of names above 64 KiB.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn sized(read: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match read(&mut buffer) {
            Err(rustix::io::Errno::RANGE) if buffer.len() < 16 << 20 => {
                let double = buffer.len() * 2;
                buffer.resize(double, 0);
            }
            Ok(length) => {
                buffer.truncate(length);
                return Ok(buffer);
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    #[test]
    fn an_extended_attribute_that_is_lost_is_named() {
        use std::fs::{self, File};
        use std::os::unix::fs::OpenOptionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        fs::write(&old, "old").and_then(|()| fs::write(&new, "new")).expect("files");
        let old = File::open(old).expect("a file");
        if let Err(error) = rustix::fs::fsetxattr(&old, "user.note", b"kept", rustix::fs::XattrFlags::empty()) {
            eprintln!("NOT RUN: no extended attributes here: {error}");
            return;
        }
        // This handle takes no extended attributes.
        let path = i32::try_from(rustix::fs::OFlags::PATH.bits()).expect("a flag");
        let new = fs::OpenOptions::new().read(true).custom_flags(path).open(new).expect("a file");
        let lost = super::copy_extended(&old, &new).expect("a warning, and no error");
        assert!(matches!(&lost[..], [one] if one.contains("`user.note` could not be kept: ")), "{lost:?}");
    }
}
