//! The conversation that is expected and the one that a model is told, beside each other.

use serde::Serialize;
use similar::{Algorithm, capture_diff_slices};

/// Equal lines that are shown before and behind each difference.
const CONTEXT: usize = 2;

/// The most lines of one answer.
const MOST_LINES: usize = 60;

/// One line of both conversations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    /// The line of the expected conversation; empty where only the other has one
    expected: String,
    /// The line of the conversation that the answer tells
    told: String,
    /// The number of equal lines that are left out before it
    #[serde(skip_serializing_if = "is_zero")]
    before: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Lays two conversations beside each other, with the lines around each difference. `shown` makes a line fit to be shown.
pub(super) fn beside(expected: &[String], told: &[String], mut shown: impl FnMut(&str) -> String) -> Vec<Line> {
    let mut pairs: Vec<(Option<&String>, Option<&String>)> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, expected, told) {
        let (before, after) = (&expected[op.old_range()], &told[op.new_range()]);
        let length = before.len().max(after.len());
        pairs.extend((0..length).map(|at| (before.get(at), after.get(at))));
    }
    let differs: Vec<usize> = (0..pairs.len()).filter(|at| pairs[*at].0 != pairs[*at].1).collect();
    let is_near = |at: usize| {
        let next = differs.partition_point(|other| *other + CONTEXT < at);
        differs.get(next).is_some_and(|other| *other <= at + CONTEXT)
    };
    let mut lines = Vec::new();
    let mut before = 0;
    for (at, (left, right)) in pairs.iter().enumerate() {
        if lines.len() == MOST_LINES {
            break;
        }
        if !is_near(at) {
            before += 1;
            continue;
        }
        let mut text = |line: Option<&String>| line.map(|line| shown(line)).unwrap_or_default();
        lines.push(Line { expected: text(*left), told: text(*right), before: std::mem::take(&mut before) });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lines_far_from_a_difference_are_left_out() {
        let lines = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let laid = beside(&lines("a b c d e f g"), &lines("a b c d E f g h"), str::to_uppercase);
        let found: Vec<_> = laid.iter().map(|line| (&*line.expected, &*line.told, line.before)).collect();
        assert_eq!(
            found,
            [("C", "C", 2), ("D", "D", 0), ("E", "E", 0), ("F", "F", 0), ("G", "G", 0), ("", "H", 0)],
            "the difference of `e` and `E` is seen before the lines are made fit"
        );
        assert_eq!(beside(&lines("a b"), &lines("a b"), str::to_owned), []);
    }
}
