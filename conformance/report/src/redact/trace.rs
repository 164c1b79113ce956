//! Where what stood in a text stands in its redacted form.

use std::ops::Range;

/// What was changed in a text, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// A stretch of the text, and what stands for it
    changes: Vec<(Range<usize>, Range<usize>)>,
}

impl Trace {
    /// Of a text that was changed as a whole.
    pub(super) fn whole(from: usize, to: usize) -> Self {
        Self { changes: vec![(0..from, 0..to)] }
    }

    pub(super) fn add(&mut self, from: Range<usize>, to: Range<usize>) {
        self.changes.push((from, to));
    }

    /// Adds what was changed in a text that begins at these places.
    pub(super) fn append(&mut self, inner: Self, from: usize, to: usize) {
        let moved = |span: Range<usize>, by: usize| span.start + by..span.end + by;
        self.changes.extend(inner.changes.into_iter().map(|(old, new)| (moved(old, from), moved(new, to))));
    }

    /// Where a place of the text is; one within something that was changed is where that begins.
    pub fn place(&self, at: usize) -> usize {
        let before = self.changes.partition_point(|(from, _)| from.start < at);
        match before.checked_sub(1).map(|last| &self.changes[last]) {
            None => at,
            Some((from, to)) if at < from.end => to.start,
            Some((from, to)) => to.end + at - from.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::redact::Redactor;

    #[test]
    fn a_place_is_found_again() {
        let text = "{\"text\":\"ööö\",\"role\":\"user\"}\n{\"cut\": \"ö\n[\"é\",7]\n";
        let (said, trace) = Redactor::default().lines(text);
        for kept in ["\"text\"", "\"role\"", "\"user\"", "7]"] {
            let (at, then) = (text.find(kept).unwrap(), said.find(kept).unwrap());
            assert_eq!((trace.place(at), trace.place(at + kept.len())), (then, then + kept.len()), "{kept}: {said}");
        }
        let (at, then) = (text.find("\"ööö\"").unwrap(), said.find("\"aaa\"").unwrap());
        assert_eq!([0, 3, 8].map(|more| trace.place(at + more)), [then, then, then + 5], "{said}");
        assert_eq!(trace.place(text.len()), said.len());
    }

    #[test]
    fn a_text_that_is_no_json_is_one_change() {
        let (said, trace) = Redactor::default().traced("nö {".as_bytes());
        assert_eq!((said.len(), trace.place(0), trace.place(3), trace.place(5)), (4, 0, 0, 4));
    }
}
