//! Whether a program is at work on a file: its lock file, and who has it open for writing.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{self, Read};

use serde_json::Value;

use super::directory::{Directory, Kind};

/// Most bytes of a lock file that are read. Those of OpenClaw have about a hundred.
const MAX_LOCK_BYTES: u64 = 64 << 10;

/// Returns why the file is in use, or may be, according to the lock file beside it. OpenClaw writes `SESSION.jsonl.lock` with the
/// id of its process (openclaw/openclaw `src/agents/session-write-lock.ts`); proper-lockfile, which many programs on Node use,
/// makes a directory of that name. Nothing else is opened.
pub(super) fn lock_file(directory: &Directory, file: &OsStr) -> Option<String> {
    let mut lock = file.to_owned();
    lock.push(".lock");
    let name = lock.to_string_lossy();
    let unreadable = |why: &str| {
        let file = file.to_string_lossy();
        Some(format!("its lock file {name} {why}; if no program is at work on {file}, remove {name}"))
    };
    match directory.kind(&lock) {
        Ok(Kind::File) => {}
        Ok(Kind::Directory) => {
            return Some(format!("{name} says that a program is at work on it; if none is, remove that"));
        }
        Ok(Kind::Link) => return unreadable("is a symbolic link, which is not followed"),
        Ok(Kind::Other) => return unreadable("is not a regular file, and is not read"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => return unreadable(&format!("cannot be read ({error})")),
    }
    let mut text = Vec::new();
    let read = directory.open_file(&lock).and_then(|file| file.take(MAX_LOCK_BYTES + 1).read_to_end(&mut text));
    match read {
        // It was removed meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => return unreadable(&format!("cannot be read ({error})")),
        Ok(length) if length as u64 > MAX_LOCK_BYTES => {
            return unreadable(&format!("is larger than {} KiB, and is not read", MAX_LOCK_BYTES >> 10));
        }
        Ok(_) => {}
    }
    let holder = serde_json::from_slice::<Value>(&text).ok();
    let holder = holder.and_then(|holder| i32::try_from(holder.get("pid")?.as_i64()?).ok());
    match holder {
        Some(process) if is_gone(process) => None,
        Some(process) => Some(format!("process {process} is at work on it, as {name} says")),
        None => Some(format!("{name} says that a program is at work on it; if none is, remove that")),
    }
}

/// Whether there is no such process here any more.
fn is_gone(process: i32) -> bool {
    #[cfg(unix)]
    {
        let process = rustix::process::Pid::from_raw(process);
        process.is_none_or(|process| rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH))
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        false
    }
}

/// Who has the file open for writing, as far as this system tells and this user may know.
pub(super) fn writer(about: &Metadata) -> Option<String> {
    #[cfg(target_os = "linux")]
    {
        use std::fs;
        use std::os::unix::fs::MetadataExt;
        let own = std::process::id().to_string();
        for process in fs::read_dir("/proc").ok()?.flatten() {
            let name = process.file_name();
            let Some(id) = name.to_str().filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()) && *id != own) else {
                continue;
            };
            let Ok(open) = fs::read_dir(process.path().join("fd")) else { continue };
            for file in open.flatten() {
                let Ok(other) = fs::metadata(file.path()) else { continue };
                if (other.dev(), other.ino()) == (about.dev(), about.ino())
                    && writes(&process.path(), &file.file_name())
                {
                    let name = fs::read_to_string(process.path().join("comm")).unwrap_or_default();
                    return Some(format!("process {id} ({}) has it open for writing", name.trim()));
                }
            }
        }
    }
    let _ = about;
    None
}

/// Whether a process has this number open for writing. What cannot be known counts as yes.
#[cfg(target_os = "linux")]
fn writes(process: &std::path::Path, number: &OsStr) -> bool {
    let about = std::fs::read_to_string(process.join("fdinfo").join(number)).unwrap_or_default();
    let flags = about.lines().find_map(|line| line.strip_prefix("flags:")).map(str::trim);
    flags.and_then(|flags| u32::from_str_radix(flags, 8).ok()).is_none_or(|flags| flags & 3 != 0)
}
