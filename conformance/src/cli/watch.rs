//! `--watch`: the same again whenever a file changes, until Ctrl-C.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use wirecanon_judge::exit::{Exit, Stop};
use wirecanon_report::human::{BAD, FAINT};
use wirecanon_runner::interrupt;

use notify::{EventKind, RecursiveMode, Watcher};

use super::listener;

/// So long nothing must happen before it runs again: programs write a file in several steps.
const QUIET: Duration = Duration::from_millis(150);

/// So often it is looked whether the end was asked for.
const STEP: Duration = Duration::from_millis(100);

/// Runs, and runs again on each change of these files and of what is in these folders. Gives what the last run gave.
pub(super) fn watch(paths: &[PathBuf], mut run: impl FnMut() -> Result<Exit, Stop>) -> Result<Exit, Stop> {
    let stop = interrupt::stop_on_signal();
    let (send, changes) = mpsc::channel();
    let cannot = |error: notify::Error| Stop::incomplete(format!("files cannot be watched: {error}"));
    let meant: Vec<PathBuf> = paths.iter().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).collect();
    let wanted = meant.clone();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        // What this program reads is no change.
        let counts = !matches!(event.kind, EventKind::Access(_));
        if counts && event.paths.iter().any(|path| wanted.iter().any(|wanted| path.starts_with(wanted))) {
            // Nobody listens any more when the end has come.
            let _ = send.send(());
        }
    })
    .map_err(cannot)?;
    for (place, mode) in places(&meant) {
        watcher.watch(&place, mode).map_err(cannot)?;
    }
    loop {
        if std::io::stdout().is_terminal() {
            let mut out = anstream::stdout();
            write!(out, "\u{1b}[2J\u{1b}[H")?;
            out.flush()?;
        }
        let exit = match run() {
            Ok(exit) => exit,
            Err(stop) => {
                let Some(message) = stop.message else { return Ok(stop.exit) };
                writeln!(listener::stderr(), "{BAD}error{BAD:#}: {message}")?;
                stop.exit
            }
        };
        writeln!(listener::stderr(), "{FAINT}runs again on a change; Ctrl-C ends{FAINT:#}")?;
        if listener::is_gone() || !changed(&changes, || stop.load(Ordering::Relaxed)) {
            return Ok(exit);
        }
    }
}

/// What is given to the watcher: a folder with all in it; for a file its folder, since many programs replace a file to change it.
fn places(paths: &[PathBuf]) -> BTreeMap<PathBuf, RecursiveMode> {
    let place = |path: &PathBuf| {
        if path.is_dir() {
            (path.clone(), RecursiveMode::Recursive)
        } else {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            (folder.to_owned(), RecursiveMode::NonRecursive)
        }
    };
    paths.iter().map(place).collect()
}

/// Waits for a change, and until it is quiet again; `false` when the end was asked for.
fn changed(changes: &Receiver<()>, ended: impl Fn() -> bool) -> bool {
    loop {
        if ended() {
            return false;
        }
        match changes.recv_timeout(STEP) {
            Ok(()) => break,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
    while changes.recv_timeout(QUIET).is_ok() {}
    !ended()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_changes_at_once_are_one() {
        let (send, changes) = mpsc::channel();
        for _ in 0..5 {
            send.send(()).expect("somebody listens");
        }
        assert!(changed(&changes, || false));
        assert!(changes.try_recv().is_err(), "all of them were taken");
        assert!(!changed(&changes, || true));
        drop(send);
        assert!(!changed(&changes, || false));
    }
}
