//! Being asked to end: Ctrl-C, or the signal that ends a program.
//!
//! Once a program listens to a signal, the signal does nothing else for the rest of its life. So one thread listens from the first
//! time on that anybody wants to know, and what it heard stays heard: no testee that starts later misses it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use tokio::sync::watch;

use super::process::runtime;

/// Whether the end was asked for.
static HEARD: OnceLock<watch::Sender<bool>> = OnceLock::new();

fn heard() -> &'static watch::Sender<bool> {
    HEARD.get_or_init(|| {
        // Without this thread the end comes as a shock: the signals do what they do by themselves.
        let _ = thread::Builder::new().name("signals".to_owned()).spawn(|| {
            if let Ok(runtime) = runtime() {
                runtime.block_on(listen());
            }
        });
        watch::channel(false).0
    })
}

/// Tells of each signal; never ends. Without signals there is nothing to wait for.
async fn listen() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut interrupt), Ok(mut terminate)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        {
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {},
                    _ = terminate.recv() => {},
                }
                heard().send_replace(true);
            }
        }
    }
    #[cfg(not(unix))]
    while tokio::signal::ctrl_c().await.is_ok() {
        heard().send_replace(true);
    }
    std::future::pending::<()>().await;
}

/// Waits until somebody asks for the end, or has asked.
pub(super) async fn asked() {
    let mut heard = heard().subscribe();
    if heard.wait_for(|heard| *heard).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A flag that is set when somebody asks for the end, also while no testee is waited for.
pub fn stop_on_signal() -> Arc<AtomicBool> {
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
