//! Being asked to end: Ctrl-C, the signal that ends a program, or the end of its terminal.
//!
//! Once a program listens to a signal, the signal does nothing else for the rest of its life. So one thread listens from the first
//! time on that anybody wants to know, and what it heard stays heard: no testee that starts later misses it. Where nobody is at work who
//! ends by himself, that thread removes the files that are not whole, says so, and ends the program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use wirecanon_judge::exit::Exit;

/// Whether the end was asked for.
static HEARD: OnceLock<watch::Sender<bool>> = OnceLock::new();

/// Whether somebody at work ends by himself when he hears it.
static AWAITED: AtomicBool = AtomicBool::new(false);

/// Files that are not whole, and what they are to be called.
static UNFINISHED: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());

fn heard() -> &'static watch::Sender<bool> {
    HEARD.get_or_init(|| {
        let (ready, listening) = mpsc::channel();
        // Without this thread the end comes as a shock: the signals do what they do by themselves.
        let thread = thread::Builder::new().name("signals".to_owned()).spawn(|| {
            if let Ok(runtime) = runtime() {
                runtime.block_on(listen(ready));
            }
        });
        if thread.is_ok() {
            // An error says that it will never listen.
            let _ = listening.recv();
        }
        watch::channel(false).0
    })
}

/// A single-threaded event loop: what waits here keeps one thread busy at most.
pub(crate) fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Tells of each signal; never ends. Without signals there is nothing to wait for.
async fn listen(ready: mpsc::Sender<()>) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        // A file that may not grow further is an error of the write, as a full disk is, and no end without a word.
        let _too_large = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
        let mut hangup = if outlives_its_terminal() { None } else { signal(SignalKind::hangup()).ok() };
        if let (Ok(mut interrupt), Ok(mut terminate)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        {
            drop(ready);
            loop {
                let hung_up = async {
                    match &mut hangup {
                        Some(hangup) => hangup.recv().await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    _ = interrupt.recv() => {},
                    _ = terminate.recv() => {},
                    _ = hung_up => {},
                }
                tell();
            }
        }
    }
    #[cfg(not(unix))]
    {
        drop(ready);
        while tokio::signal::ctrl_c().await.is_ok() {
            tell();
        }
    }
    std::future::pending::<()>().await;
}

/// Whether it was started to go on when its terminal ends, as `nohup` does: whoever listens to that signal would end with it. Where the
/// system does not say, nobody listens.
#[cfg(unix)]
fn outlives_its_terminal() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_none_or(|signals| signals & 1 == 1)
}

fn tell() {
    heard().send_replace(true);
    if !AWAITED.load(Ordering::Relaxed) {
        end();
    }
}

/// Ends the program, without files that are not whole.
#[expect(clippy::exit, reason = "the thread that works does not listen")]
fn end() -> ! {
    let files = std::mem::take(&mut *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner));
    for (file, meant) in files {
        // One that is gone was finished just now.
        if std::fs::remove_file(file).is_ok() {
            // Nobody is left to tell when stderr is closed.
            let _ = writeln!(std::io::stderr(), "interrupted: {} was not written", meant.display());
        }
    }
    std::process::exit(Exit::Incomplete as i32)
}

/// A file that is not whole, as long as this is held: it goes when the program is asked to end.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// `file` will be called `meant` when it is whole.
    pub fn new(file: &Path, meant: &Path) -> Self {
        let mut all = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        all.push((file.to_owned(), meant.to_owned()));
        drop(all);
        heard();
        Self(file.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|(file, _)| *file != self.0);
    }
}

/// Waits until somebody asks for the end, or has asked.
pub async fn asked() {
    AWAITED.store(true, Ordering::Relaxed);
    let mut heard = heard().subscribe();
    if heard.wait_for(|heard| *heard).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A flag that is set when somebody asks for the end, also while no testee is waited for.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    AWAITED.store(true, Ordering::Relaxed);
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    // Without this thread the end comes as a shock, which costs no more than a round.
    let _ = thread::Builder::new().name("stop".to_owned()).spawn(move || {
        if let Ok(runtime) = runtime() {
            runtime.block_on(asked());
            set.store(true, Ordering::Relaxed);
        }
    });
    stop
}
