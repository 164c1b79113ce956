//! Work on all processors: the one place where threads are started for it.
//!
//! | what is worked on | by |
//! |---|---|
//! | a list, or what an iterator gives at once | [`each_in_order`], [`map`] |
//! | items that this thread is given one by one, in any order | [`Workers`] |
//! | items that may never come, in their order | [`in_order()`](in_order::in_order) |

pub mod in_order;
mod workers;

use std::convert::Infallible;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Mutex, PoisonError};
use std::thread;

pub use workers::Workers;

/// Items for each thread that are worked on, or wait for those before them.
const AHEAD: usize = 8;

/// Returns the number of processors.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Gives `done` what `work` makes of each item, in their order, on this many threads, until it says that it wants no more (`Ok(false)`)
/// or fails. The items are taken by the threads, one by one.
///
/// # Errors
///
/// The first of `done`, after which no further item is begun.
///
/// # Panics
///
/// When `work` does.
pub fn each_in_order<T: Send, R: Send, E>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
    mut done: impl FnMut(R) -> Result<bool, E>,
) -> Result<(), E> {
    let (line_up, places) = mpsc::sync_channel::<Receiver<R>>(AHEAD * threads);
    let source = Mutex::new(Some((items, line_up)));
    let next = || {
        // A worker that panics does so without the lock.
        let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
        let (items, line_up) = source.as_mut()?;
        let (answer, place) = mpsc::sync_channel(1);
        // It waits where too many are ahead, and ends where nobody wants more.
        let item = items.next().filter(|_| line_up.send(place).is_ok());
        if item.is_none() {
            *source = None;
        }
        Some((item?, answer))
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((item, answer)) = next() {
                    // Whoever asked may have gone.
                    drop(answer.send(work(item)));
                }
            });
        }
        // Where a worker panicked, its place stays empty; the scope passes the panic on.
        for made in places.into_iter().map_while(|place| place.recv().ok()) {
            if !done(made)? {
                break;
            }
        }
        Ok(())
    })
}

/// Returns what `work` makes of each item of a list, in its order.
///
/// # Panics
///
/// When `work` does.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut all = Vec::with_capacity(items.len());
    let Ok(()) = each_in_order(items.iter(), threads(), work, |made| {
        all.push(made);
        Ok::<_, Infallible>(true)
    });
    all
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_list_comes_out_in_its_order() {
        let items: Vec<u64> = (0..1000).collect();
        let slow = |item: &u64| {
            thread::sleep(std::time::Duration::from_micros((item * 7919) % 50));
            item * 2
        };
        assert_eq!(map(&items, slow), (0..1000).map(|item| item * 2).collect::<Vec<_>>());
        assert!(map(&[], |item: &u64| *item).is_empty());
    }

    #[test]
    fn an_error_ends_the_work() {
        let begun = AtomicUsize::new(0);
        let items: Vec<usize> = (0..100_000).collect();
        let work = |item: &usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            *item
        };
        let ended = each_in_order(items.iter(), 2, work, |item| if item == 7 { Err("seven") } else { Ok(true) });
        assert_eq!(ended, Err("seven"));
        assert!(begun.load(Ordering::Relaxed) < items.len());
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        map(&[1, 2, 3], |item| assert_ne!(*item, 2));
    }
}
