//! Work that mostly waits, done side by side.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many at once: they sleep, so more than there are cores, and few enough that none starves.
const AT_ONCE: usize = 4;

/// Gives each item to `work`. What `work` panics with ends the test.
pub(crate) fn side_by_side<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(items.len()) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}
