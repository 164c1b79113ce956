//! How the bytes of a value become fewer and smaller.

use std::sync::Arc;

use arbitrary::Unstructured;
use proptest::strategy::ValueTree;

use super::{Document, Drawn, Make};

/// Up to this size a span is looked for at every byte; larger ones at every quarter of their size.
const FINE: usize = 16;

/// A value that a test may have failed on, and what to try next in its place.
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
    /// With zeros in place of a span
    Zero,
    /// With half of one byte
    Halve,
    /// With one byte less by one
    Lower,
}

/// A kind, the size of the span, and where it ends: from the back to the front, because what is drawn last depends on nobody.
#[derive(Clone, Copy, Debug)]
struct Step {
    kind: Kind,
    size: usize,
    end: usize,
}

impl Step {
    /// The first of all steps for so many bytes.
    fn first(length: usize) -> Self {
        Self { kind: Kind::Cut, size: length, end: length }
    }

    /// The step after this one.
    fn after(self, length: usize) -> Option<Self> {
        let stride = if self.size <= FINE { 1 } else { self.size / 4 };
        if self.end > self.size {
            return Some(Self { end: (self.end - stride).max(self.size), ..self });
        }
        let kind = match (self.kind, self.size) {
            (Kind::Cut | Kind::Zero, 2..) => return Some(Self { size: self.size / 2, end: length, ..self }),
            (Kind::Cut, _) => return Some(Self { kind: Kind::Zero, size: length, end: length }),
            (Kind::Zero, _) => Kind::Halve,
            (Kind::Halve, _) => Kind::Lower,
            (Kind::Lower, _) => return None,
        };
        Some(Self { kind, size: 1, end: length })
    }

    /// The bytes after this step; none where it changes nothing.
    fn apply(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let start = self.end.checked_sub(self.size).filter(|_| self.end <= bytes.len() && self.size > 0)?;
        let mut out = bytes.to_vec();
        let span = &mut out[start..self.end];
        match self.kind {
            Kind::Cut => drop(out.drain(start..self.end)),
            Kind::Zero if span.iter().any(|byte| *byte != 0) => span.fill(0),
            Kind::Halve if span[0] > 1 => span[0] /= 2,
            Kind::Lower if span[0] > 0 => span[0] -= 1,
            _ => return None,
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
                Some(found) if found.made.text().len() <= self.best.made.text().len() => {
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
