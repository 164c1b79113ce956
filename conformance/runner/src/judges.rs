//! Answers are judged on all processors while the testee makes the next ones.

use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};

/// Answers that are handed over at once, where they come one on the other: to wake a thread takes as long as to judge some.
const TOGETHER: usize = 16;

/// So many times as many may wait for each thread: a testee that is faster waits for the judges.
const AHEAD: usize = 4;

/// How many judges there are: one for each processor.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Threads that make judgements `J` of answers `A`, each with a number of its own.
pub(crate) struct Judges<A, J> {
    /// Answers that are not handed over yet
    some: Vec<(usize, A)>,
    answers: SyncSender<Vec<(usize, A)>>,
    judgements: Receiver<Vec<(usize, J)>>,
}

impl<A: Send, J: Send> Judges<A, J> {
    /// So many as [`threads`] says, until the scope ends.
    pub(crate) fn call<'s, 'e>(scope: &'s Scope<'s, 'e>, judge: impl Fn(usize, A) -> J + Clone + Send + 's) -> Self
    where
        A: 's,
        J: 's,
    {
        let threads = threads();
        let (answers, waiting) = mpsc::sync_channel::<Vec<(usize, A)>>(AHEAD * threads);
        let (tell, judgements) = mpsc::channel();
        // Only judges hold it: where all of them have panicked, nobody waits for one to take an answer.
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let (waiting, tell, judge) = (Arc::clone(&waiting), tell.clone(), judge.clone());
            scope.spawn(move || {
                // Judged without the lock, so whoever panics leaves it whole.
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok(some) = next() {
                    let judged = some.into_iter().map(|(number, answer)| (number, judge(number, answer)));
                    if tell.send(judged.collect()).is_err() {
                        return;
                    }
                }
            });
        }
        Self { some: Vec::new(), answers, judgements }
    }

    /// Takes an answer. It is handed over at once, with those that were not, where it was waited for, else when there are some;
    /// this waits until there is room for them.
    pub(crate) fn take(&mut self, number: usize, answer: A, was_awaited: bool) {
        self.some.push((number, answer));
        if was_awaited || self.some.len() == TOGETHER {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        // It fails where all judges have panicked, which the scope passes on.
        let _ = self.answers.send(std::mem::take(&mut self.some));
    }

    /// The judgements that are there.
    pub(crate) fn so_far(&self) -> impl Iterator<Item = (usize, J)> {
        self.judgements.try_iter().flatten()
    }

    /// All others, as no more answers come.
    pub(crate) fn finish(mut self) -> impl Iterator<Item = (usize, J)> {
        self.hand_over();
        drop(self.answers);
        self.judgements.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_is_judged_once() {
        let mut judged = thread::scope(|scope| {
            let mut judges = Judges::call(scope, |number, answer: usize| number * answer);
            let mut judged = Vec::new();
            for number in 0..1000 {
                judges.take(number, 3, number % 100 == 7);
                judged.extend(judges.so_far());
            }
            judged.extend(judges.finish());
            judged
        });
        judged.sort_unstable();
        assert_eq!(judged, (0..1000).map(|number| (number, 3 * number)).collect::<Vec<_>>());
    }

    /// One that was waited for is judged while the next one is made.
    #[test]
    fn a_slow_answer_is_judged_at_once() {
        thread::scope(|scope| {
            let mut judges = Judges::call(scope, |number, ()| number);
            judges.take(7, (), true);
            let judged = std::iter::repeat_with(|| judges.so_far().next()).find_map(|judged| judged);
            assert_eq!(judged, Some((7, 7)));
        });
    }

    /// However many answers are still to come.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        thread::scope(|scope| {
            let mut judges = Judges::call(scope, |number, ()| assert!(number < 9));
            (0..10_000).for_each(|number| judges.take(number, (), false));
        });
    }
}
