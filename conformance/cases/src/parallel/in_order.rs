//! Work on items as they come, on all processors, with what comes out in the order of the items and few of them held at once.

use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::{each_in_order, threads};

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
    let (give, jobs) = mpsc::sync_channel(0);
    thread::spawn(move || items.into_iter().try_for_each(|item| give.send(item)));
    let is_over = AtomicBool::new(false);
    let over = &is_over;
    let come = iter::from_fn(move || {
        while !over.load(Ordering::Relaxed) {
            match jobs.recv_timeout(PATIENCE) {
                Err(RecvTimeoutError::Timeout) => {}
                job => return job.ok(),
            }
        }
        None
    });
    each_in_order(come, threads(), work, |made| {
        let more = done(made);
        is_over.store(!matches!(more, Ok(true)), Ordering::Relaxed);
        more
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::parallel::AHEAD;

    /// However long each takes.
    #[test]
    fn what_comes_out_is_in_order_and_few_are_ahead() {
        static TAKEN: AtomicUsize = AtomicUsize::new(0);
        let items = (0..500_usize).inspect(|_| {
            TAKEN.fetch_add(1, Ordering::Relaxed);
        });
        let mut next = 0;
        let threads = threads();
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
        let first = iter::once(1).chain(iter::from_fn(move || items.recv().ok()));
        assert_eq!(in_order(first, |item| item, |_| Err::<bool, _>("enough")), Err("enough"));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let _ = in_order(0..9, |item: usize| assert_ne!(item, 3), |()| Ok::<_, ()>(true));
    }
}
