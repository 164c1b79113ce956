//! Work on all processors: the one place where threads are started for it.
//!
//! | what is worked on | by |
//! |---|---|
//! | a list | [`each_in_order`], [`map`] |
//! | items that this thread is given one by one, in any order | [`Workers`] |
//! | items that are waited for, in their order | [`in_order()`](in_order::in_order) |

pub mod in_order;
mod workers;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

pub use workers::Workers;

/// Results that wait for `done` at most, for each thread.
const AHEAD: usize = 16;

/// Returns the number of processors.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Gives `done` what `work` makes of each item of a list, in its order, on this many threads at most.
///
/// # Errors
///
/// The first of `done`, after which no further item is begun.
///
/// # Panics
///
/// When `work` does.
pub fn each_in_order<T: Sync, R: Send, E>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        // Workers that are faster than `done` wait for it.
        let (send, receive) = mpsc::sync_channel(AHEAD * threads);
        for _ in 0..threads.min(items.len()) {
            let (send, next, work) = (send.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    if send.send((index, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let (mut waiting, mut at) = (BTreeMap::new(), 0);
        for (index, made) in receive {
            waiting.insert(index, made);
            while let Some(made) = waiting.remove(&at) {
                at += 1;
                done(made)?;
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
    let Ok(()) = each_in_order(items, threads(), work, |made| {
        all.push(made);
        Ok::<_, Infallible>(())
    });
    all
}

#[cfg(test)]
mod tests {
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
        let ended = each_in_order(&items, 2, work, |item| if item == 7 { Err("seven") } else { Ok(()) });
        assert_eq!(ended, Err("seven"));
        assert!(begun.load(Ordering::Relaxed) < items.len());
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        map(&[1, 2, 3], |item| assert_ne!(*item, 2));
    }
}
