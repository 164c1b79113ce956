//! Being asked to end: Ctrl-C, or the signal that ends a program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::process::runtime;

/// Waits until somebody asks for the end. Without signals there is nothing to wait for.
pub(super) async fn asked() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut interrupt), Ok(mut terminate)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        {
            tokio::select! {
                _ = interrupt.recv() => return,
                _ = terminate.recv() => return,
            }
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_ok() {
        return;
    }
    std::future::pending::<()>().await;
}

/// A flag that is set when somebody asks for the end, also while no testee is waited for.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    // Without this thread the end comes as a shock, which costs no more than a round.
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Ok(runtime) = runtime() {
            runtime.block_on(asked());
            set.store(true, Ordering::Relaxed);
        }
    });
    stop
}
