//! How the bytes of a value become fewer and smaller.

use std::sync::Arc;

use arbitrary::Unstructured;
use proptest::strategy::ValueTree;

use super::{Document, Drawn, Make};

/// Up to this size a span is looked for at every byte; larger ones at every quarter of their size.
const FINE: usize = 16;

/// A value that a test may have failed on, and what to try next in its place.
///
/// ```
/// use proptest::strategy::{Strategy, ValueTree};
/// use proptest::test_runner::TestRunner;
/// use wirecanon_generate::strategy;
///
/// let mut tree = strategy::valid().new_tree(&mut TestRunner::deterministic())?;
/// let drawn = tree.current();
/// while tree.simplify() {}
/// assert!(tree.current().bytes.len() <= drawn.bytes.len());
/// # Ok::<(), proptest::test_runner::Reason>(())
/// ```
pub struct Tree<T> {
    make: Arc<Make<T>>,
    /// The smallest one that is known to fail; at first the one that was drawn
    best: Drawn<T>,
    /// What is being tried
    tried: Option<Drawn<T>>,
    next: Step,
    /// Whether anything got smaller since the steps began
    progress: bool,
}

/// One way to make bytes simpler. The order of the kinds is that in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Without a span
    Cut,
    /// With a byte less by one, and without a span behind it: a count, and one of what it counts
    Uncount,
    /// With zeros in place of a span
    Zero,
    /// With a smaller byte
    Lower,
}

/// Spans that one of what is counted may be.
const COUNTED: [usize; 8] = [1, 2, 3, 4, 6, 8, 12, 16];

/// More bytes than this are not looked at for counts: the steps are as many as its square.
const MOST_COUNTED: usize = 160;

/// A kind, the size of the span, and where it ends, or the one byte: from the back to the front, because what is drawn last
/// depends on nobody.
#[derive(Clone, Copy, Debug)]
struct Step {
    kind: Kind,
    size: usize,
    end: usize,
    /// Which smaller byte; or how far behind the count
    part: usize,
}

impl Step {
    /// The first of all steps for so many bytes.
    fn first(length: usize) -> Self {
        Self { kind: Kind::Cut, size: length, end: length, part: 0 }
    }

    /// The first step of those that keep the number of bytes.
    fn zeros(length: usize) -> Self {
        Self { kind: Kind::Zero, ..Self::first(length) }
    }

    /// The step after this one.
    fn after(self, length: usize) -> Option<Self> {
        match self.kind {
            Kind::Cut | Kind::Zero if self.end > self.size => {
                let stride = if self.size <= FINE { 1 } else { self.size / 4 };
                Some(Self { end: (self.end - stride).max(self.size), ..self })
            }
            Kind::Cut | Kind::Zero if self.size > 1 => Some(Self { size: self.size / 2, end: length, ..self }),
            Kind::Cut if length > MOST_COUNTED => Some(Self::zeros(length)),
            Kind::Cut => Some(Self { kind: Kind::Uncount, size: COUNTED[0], end: length, part: 0 }),
            Kind::Zero => Some(Self { kind: Kind::Lower, size: 1, end: length, part: 0 }),
            Kind::Lower if self.part < 9 => Some(Self { part: self.part + 1, ..self }),
            Kind::Lower if self.end > 1 => Some(Self { end: self.end - 1, part: 0, ..self }),
            Kind::Lower => None,
            Kind::Uncount if self.end + self.part + self.size < length => Some(Self { part: self.part + 1, ..self }),
            Kind::Uncount if self.end > 1 => Some(Self { end: self.end - 1, part: 0, ..self }),
            Kind::Uncount => match COUNTED.into_iter().find(|size| *size > self.size) {
                Some(size) => Some(Self { size, end: length, part: 0, ..self }),
                None => Some(Self::zeros(length)),
            },
        }
    }

    /// The bytes after this step; none where it changes nothing.
    fn apply(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let start = self.end.checked_sub(self.size.max(1)).filter(|_| self.end <= bytes.len());
        let mut out = bytes.to_vec();
        match self.kind {
            Kind::Cut => drop(out.drain(start?..self.end)),
            Kind::Zero => {
                let span = &mut out[start?..self.end];
                if span.iter().all(|byte| *byte == 0) {
                    return None;
                }
                span.fill(0);
            }
            Kind::Lower => {
                let byte = out.get_mut(self.end.checked_sub(1)?)?;
                let lower = match self.part {
                    0 => *byte / 2,
                    1 => byte.saturating_sub(1),
                    bit => *byte & !(1 << (bit - 2)),
                };
                if lower == *byte {
                    return None;
                }
                *byte = lower;
            }
            Kind::Uncount => {
                let count = out.get_mut(self.end.checked_sub(1)?).filter(|count| **count > 0)?;
                *count -= 1;
                let start = self.end + self.part;
                if start + self.size > bytes.len() {
                    return None;
                }
                drop(out.drain(start..start + self.size));
            }
        }
        Some(out)
    }
}

impl<T: Document> Tree<T> {
    pub(super) fn new(make: Arc<Make<T>>, bytes: Vec<u8>) -> Self {
        let next = Step::first(bytes.len());
        let best = draw(&*make, bytes);
        Self { make, best, tried: None, next, progress: false }
    }

    /// Finds the next value to try. Each that is taken has fewer bytes or, with as many, smaller ones, so this ends.
    fn search(&mut self) -> bool {
        loop {
            let found = self.next.apply(&self.best.from).map(|bytes| draw(&*self.make, bytes));
            match found {
                Some(found) if found.made == self.best.made => {
                    self.take(found);
                    continue;
                }
                Some(found) if self.is_worth_a_question(&found) => {
                    self.tried = Some(found);
                    return true;
                }
                _ => {}
            }
            if !self.advance() {
                return false;
            }
        }
    }

    /// No longer than the best one; shorter where many steps would lead to one as long.
    fn is_worth_a_question(&self, found: &Drawn<T>) -> bool {
        let (found, best) = (found.made.text().len(), self.best.made.text().len());
        let many = self.next.kind == Kind::Uncount || self.next.kind == Kind::Lower && self.next.part == 1;
        found < best || found == best && !many
    }

    fn take(&mut self, smaller: Drawn<T>) {
        self.best = smaller;
        self.progress = true;
        if self.next.kind == Kind::Cut {
            // What stands behind has been tried.
            self.next.end = self.next.end.saturating_sub(self.next.size);
        }
    }

    fn advance(&mut self) -> bool {
        let length = self.best.from.len();
        match self.next.after(length) {
            Some(next) => self.next = next,
            None if self.progress => {
                self.next = Step::first(length);
                self.progress = false;
            }
            None => return false,
        }
        true
    }
}

fn draw<T>(make: &Make<T>, from: Vec<u8>) -> Drawn<T> {
    let made = make(&mut Unstructured::new(&from));
    Drawn { made, from }
}

impl<T: Document> ValueTree for Tree<T> {
    type Value = Drawn<T>;

    fn current(&self) -> Drawn<T> {
        self.tried.as_ref().unwrap_or(&self.best).clone()
    }

    /// What was tried fails too: from here on.
    fn simplify(&mut self) -> bool {
        if let Some(tried) = self.tried.take() {
            self.take(tried);
        }
        self.search()
    }

    /// What was tried holds: something else.
    fn complicate(&mut self) -> bool {
        self.tried.take().is_some() && self.advance() && self.search()
    }
}
