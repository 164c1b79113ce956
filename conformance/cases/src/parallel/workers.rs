//! Items are worked on while this thread waits for the next ones.

use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;

/// Items that are handed over at once, where they come one on the other: to wake a thread takes as long as to work on some.
const TOGETHER: usize = 16;

/// So many times as many may wait for each thread: what is faster waits for the workers.
const AHEAD: usize = 4;

/// Threads that make results `R` of items `T`, each with a number of its own.
#[derive(Debug)]
pub struct Workers<T, R> {
    /// Items that are not handed over yet
    some: Vec<(usize, T)>,
    items: SyncSender<Vec<(usize, T)>>,
    results: Receiver<Vec<(usize, R)>>,
}

impl<T: Send, R: Send> Workers<T, R> {
    /// Starts this many threads, which end with the scope.
    pub fn start<'s, 'e>(
        scope: &'s Scope<'s, 'e>,
        threads: usize,
        work: impl Fn(usize, T) -> R + Clone + Send + 's,
    ) -> Self
    where
        T: 's,
        R: 's,
    {
        let (items, waiting) = mpsc::sync_channel::<Vec<(usize, T)>>(AHEAD * threads);
        let (tell, results) = mpsc::channel();
        // Only workers hold it: where all of them have panicked, nobody waits for one to take an item.
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let (waiting, tell, work) = (Arc::clone(&waiting), tell.clone(), work.clone());
            scope.spawn(move || {
                // Worked on without the lock, so whoever panics leaves it whole.
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok(some) = next() {
                    let made = some.into_iter().map(|(number, item)| (number, work(number, item)));
                    if tell.send(made.collect()).is_err() {
                        return;
                    }
                }
            });
        }
        Self { some: Vec::new(), items, results }
    }

    /// Takes an item. It is handed over at once, with those that were not, where it was waited for, else when there are some;
    /// this waits until there is room for them.
    pub fn take(&mut self, number: usize, item: T, was_awaited: bool) {
        self.some.push((number, item));
        if was_awaited || self.some.len() == TOGETHER {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        // It fails where all workers have panicked, which the scope passes on.
        let _ = self.items.send(std::mem::take(&mut self.some));
    }

    /// Returns the results that are there.
    pub fn so_far(&self) -> impl Iterator<Item = (usize, R)> {
        self.results.try_iter().flatten()
    }

    /// Returns all others, as no more items come.
    pub fn finish(mut self) -> impl Iterator<Item = (usize, R)> {
        self.hand_over();
        drop(self.items);
        self.results.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::parallel::threads;

    #[test]
    fn each_item_is_worked_on_once() {
        let mut made = thread::scope(|scope| {
            let mut workers = Workers::start(scope, threads(), |number, item: usize| number * item);
            let mut made = Vec::new();
            for number in 0..1000 {
                workers.take(number, 3, number % 100 == 7);
                made.extend(workers.so_far());
            }
            made.extend(workers.finish());
            made
        });
        made.sort_unstable();
        assert_eq!(made, (0..1000).map(|number| (number, 3 * number)).collect::<Vec<_>>());
    }

    /// One that was waited for is worked on while the next one is made.
    #[test]
    fn a_slow_item_is_worked_on_at_once() {
        thread::scope(|scope| {
            let mut workers = Workers::start(scope, threads(), |number, ()| number);
            workers.take(7, (), true);
            let made = std::iter::repeat_with(|| workers.so_far().next()).find_map(|made| made);
            assert_eq!(made, Some((7, 7)));
        });
    }

    /// However many items are still to come.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        thread::scope(|scope| {
            let mut workers = Workers::start(scope, threads(), |number, ()| assert!(number < 9));
            (0..10_000).for_each(|number| workers.take(number, (), false));
        });
    }
}
