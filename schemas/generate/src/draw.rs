//! Decisions from raw bytes.

use arbitrary::Unstructured;

/// Draws that cannot fail: when the bytes run out, every one is the first and smallest.
pub(crate) struct Draw<'u, 'b> {
    u: &'u mut Unstructured<'b>,
}

impl<'u, 'b> Draw<'u, 'b> {
    pub(crate) fn new(u: &'u mut Unstructured<'b>) -> Self {
        Self { u }
    }

    /// The same bytes, for as long as they are lent.
    pub(crate) fn reborrow(&mut self) -> Draw<'_, 'b> {
        Draw { u: self.u }
    }

    /// From 0 to `max`.
    pub(crate) fn up_to(&mut self, max: usize) -> usize {
        match max {
            0 => 0,
            // What `int_in_range` does for one byte, which is nearly always, in a tenth of the time.
            1..=255 => self.u.bytes(1).map_or(0, |byte| usize::from(byte[0]) % (max + 1)),
            _ => self.u.int_in_range(0..=max).unwrap_or(0),
        }
    }

    /// True `n` times `of` many; false when the bytes have run out.
    pub(crate) fn chance(&mut self, n: usize, of: usize) -> bool {
        self.up_to(of - 1) >= of - n
    }

    /// One of these; the first when the bytes have run out.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.up_to(from.len() - 1)]
    }

    /// One of these, if there is one.
    pub(crate) fn one<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| self.pick(from))
    }

    /// Eight bytes as a number.
    pub(crate) fn number(&mut self) -> u64 {
        self.u.arbitrary().unwrap_or(0)
    }

    /// Whether there are bytes left to decide with.
    pub(crate) fn any_left(&self) -> bool {
        !self.u.is_empty()
    }
}
