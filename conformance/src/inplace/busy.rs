//! Whether a program is at work on a file: its lock file, and who has it open for writing.

use std::fs::{self, Metadata};
use std::path::Path;

use serde_json::Value;

/// Why a lock file beside the file says that somebody is at work. OpenClaw writes `SESSION.jsonl.lock` with its process in it
/// (openclaw/openclaw `src/agents/session-write-lock.ts`); proper-lockfile, which many programs on Node use, makes a folder of
/// that name.
pub(super) fn lock_file(path: &Path) -> Option<String> {
    let mut name = path.file_name()?.to_owned();
    name.push(".lock");
    let lock = path.with_file_name(&name);
    fs::symlink_metadata(&lock).ok()?;
    let holder = fs::read(&lock).ok().and_then(|text| serde_json::from_slice::<Value>(&text).ok());
    let holder = holder.and_then(|holder| i32::try_from(holder.get("pid")?.as_i64()?).ok());
    let name = name.to_string_lossy();
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
fn writes(process: &Path, number: &std::ffi::OsStr) -> bool {
    let about = fs::read_to_string(process.join("fdinfo").join(number)).unwrap_or_default();
    let flags = about.lines().find_map(|line| line.strip_prefix("flags:")).map(str::trim);
    flags.and_then(|flags| u32::from_str_radix(flags, 8).ok()).is_none_or(|flags| flags & 3 != 0)
}
