//! Work on items as they come, on all processors, with what comes out in the order of the items and few of them held at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Items for each processor that are read, worked on, or wait for those before them.
const AHEAD: usize = 4;

/// How long a worker may stay after nobody wants more, where no item comes that would tell it.
const PATIENCE: Duration = Duration::from_millis(20);

/// Gives `done` what `work` makes of each item, in their order, until it says that it wants no more (`Ok(false)`) or fails.
///
/// Items are taken by a thread of its own, which is left behind where it waits for one that nobody wants.
///
/// # Errors
///
/// Those of `done`.
///
/// # Panics
///
/// When `work` does.
///
/// ```
/// use wirecanon_cases::parallel::in_order::in_order;
///
/// let mut squares = Vec::new();
/// in_order(1..=1000, |number: u64| number * number, |square| {
///     squares.push(square);
///     Ok::<_, ()>(square < 100)
/// })?;
/// assert_eq!(squares, [1, 4, 9, 16, 25, 36, 49, 64, 81, 100]);
/// # Ok::<(), ()>(())
/// ```
pub fn in_order<T: Send + 'static, R: Send + 'static, E>(
    items: impl Iterator<Item = T> + Send + 'static,
    work: impl Fn(T) -> R + Sync,
    mut done: impl FnMut(R) -> Result<bool, E>,
) -> Result<(), E> {
    let threads = super::threads();
    let (give, jobs) = mpsc::channel::<(T, SyncSender<R>)>();
    let (line_up, places) = mpsc::sync_channel::<Receiver<R>>(AHEAD * threads);
    thread::spawn(move || {
        for item in items {
            let (answer, place) = mpsc::sync_channel(1);
            // It waits where too many are ahead, and ends where nobody wants more.
            if line_up.send(place).is_err() || give.send((item, answer)).is_err() {
                return;
            }
        }
    });
    let (jobs, is_over) = (Mutex::new(jobs), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    // A worker that panics does so without the lock.
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PATIENCE);
                    match job {
                        // Whoever asked may have gone.
                        Ok((item, answer)) => drop(answer.send(work(item))),
                        Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => return,
                    }
                }
            });
        }
        // Where a worker panicked, its place stays empty; the scope passes the panic on.
        let all = places.into_iter().map_while(|place| place.recv().ok()).try_for_each(|made| match done(made) {
            Ok(true) => Ok(()),
            Ok(false) => Err(None),
            Err(error) => Err(Some(error)),
        });
        is_over.store(true, Ordering::Relaxed);
        match all {
            Err(Some(error)) => Err(error),
            Ok(()) | Err(None) => Ok(()),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// However long each takes.
    #[test]
    fn what_comes_out_is_in_order_and_few_are_ahead() {
        static TAKEN: AtomicUsize = AtomicUsize::new(0);
        let items = (0..500_usize).inspect(|_| {
            TAKEN.fetch_add(1, Ordering::Relaxed);
        });
        let mut next = 0;
        let threads = crate::parallel::threads();
        let work = |item: usize| {
            thread::sleep(Duration::from_micros((item as u64 * 7919) % 300));
            item
        };
        let all = in_order(items, work, |item| {
            assert_eq!(item, next);
            next += 1;
            assert!(TAKEN.load(Ordering::Relaxed) <= item + AHEAD * threads + 3);
            Ok::<_, ()>(true)
        });
        assert_eq!((all, next), (Ok(()), 500));
    }

    #[test]
    fn an_error_ends_the_work_where_items_have_no_end() {
        let mut seen = 0;
        let ended = in_order(
            0..,
            |item: usize| item,
            |item| {
                seen += 1;
                if item == 7 { Err("seven") } else { Ok(true) }
            },
        );
        assert_eq!((ended, seen), (Err("seven"), 8));
        // Nor where the next item never comes.
        let (_sender, items) = mpsc::channel::<usize>();
        let first = std::iter::once(1).chain(std::iter::from_fn(move || items.recv().ok()));
        assert_eq!(in_order(first, |item| item, |_| Err::<bool, _>("enough")), Err("enough"));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let _ = in_order(0..9, |item: usize| assert_ne!(item, 3), |()| Ok::<_, ()>(true));
    }
}
