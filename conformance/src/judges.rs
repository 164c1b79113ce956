//! Answers are judged on all processors while the testee makes the next ones.

use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};

/// Answers for each thread that may wait to be judged: a testee that is faster waits for the judges.
const AHEAD: usize = 16;

/// Threads that make judgements `J` of answers `A`, each with a number of its own.
pub(crate) struct Judges<A, J> {
    answers: SyncSender<(usize, A)>,
    judgements: Receiver<(usize, J)>,
}

impl<A: Send, J: Send> Judges<A, J> {
    /// One for each processor, until the scope ends.
    pub(crate) fn call<'s, 'e>(scope: &'s Scope<'s, 'e>, judge: impl Fn(usize, A) -> J + Clone + Send + 's) -> Self
    where
        A: 's,
        J: 's,
    {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let (answers, waiting) = mpsc::sync_channel(AHEAD * threads);
        let (tell, judgements) = mpsc::channel();
        // Only judges hold it: where all of them have panicked, nobody waits for one to take an answer.
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let (waiting, tell, judge) = (Arc::clone(&waiting), tell.clone(), judge.clone());
            scope.spawn(move || {
                // Judged without the lock, so whoever panics leaves it whole.
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((number, answer)) = next() {
                    if tell.send((number, judge(number, answer))).is_err() {
                        return;
                    }
                }
            });
        }
        Self { answers, judgements }
    }

    /// Hands over an answer, once there is room for it.
    pub(crate) fn take(&self, number: usize, answer: A) {
        // It fails where all judges have panicked, which the scope passes on.
        let _ = self.answers.send((number, answer));
    }

    /// The judgements that are there.
    pub(crate) fn so_far(&self) -> impl Iterator<Item = (usize, J)> {
        self.judgements.try_iter()
    }

    /// All others, as no more answers come.
    pub(crate) fn finish(self) -> impl Iterator<Item = (usize, J)> {
        drop(self.answers);
        self.judgements.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_answer_is_judged_once() {
        let mut judged = thread::scope(|scope| {
            let judges = Judges::call(scope, |number, answer: usize| number * answer);
            let mut judged = Vec::new();
            for number in 0..1000 {
                judges.take(number, 3);
                judged.extend(judges.so_far());
            }
            judged.extend(judges.finish());
            judged
        });
        judged.sort_unstable();
        assert_eq!(judged, (0..1000).map(|number| (number, 3 * number)).collect::<Vec<_>>());
    }

    /// However many answers are still to come.
    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        thread::scope(|scope| {
            let judges = Judges::call(scope, |number, ()| assert!(number < 9));
            (0..10_000).for_each(|number| judges.take(number, ()));
        });
    }
}
