//! Which item of one list is which of another.

use wirecanon_core::json::{Kind, Value};
use wirecanon_judge::compare::difference_but;

/// Pairs that are weighed at most; longer lists are laid beside each other by their places.
const MOST: usize = 40_000;

/// Every item of both lists, each beside the one that it is, or alone.
pub(super) fn align(
    lefts: &[Value<'_>],
    rights: &[Value<'_>],
    apart: Option<&str>,
) -> Vec<(Option<usize>, Option<usize>)> {
    let same = |left: usize, right: usize| {
        lefts[left].raw() == rights[right].raw() || difference_but(lefts[left], rights[right], apart).is_none()
    };
    let (mut begin, mut lend, mut rend) = (0, lefts.len(), rights.len());
    while begin < lend.min(rend) && same(begin, begin) {
        begin += 1;
    }
    while lend > begin && rend > begin && same(lend - 1, rend - 1) {
        (lend, rend) = (lend - 1, rend - 1);
    }
    let mut pairs: Vec<_> = (0..begin).map(|at| (Some(at), Some(at))).collect();
    let (height, width) = (lend - begin, rend - begin);
    if height * width > MOST {
        let there = |at: usize, end: usize| (at < end).then_some(at);
        pairs.extend((begin..lend.max(rend)).map(|at| (there(at, lend), there(at, rend))));
    } else {
        pairs.extend(weighed(begin, lend, rend, |left, right| {
            if same(left, right) { 4 } else { likeness(lefts[left], rights[right]) }
        }));
    }
    pairs.extend((lend..lefts.len()).zip(rend..).map(|(left, right)| (Some(left), Some(right))));
    pairs
}

/// How much two items that differ are alike; 0 is not at all.
fn likeness(left: Value<'_>, right: Value<'_>) -> u32 {
    if left.kind() != right.kind() {
        return 0;
    }
    if left.kind() != Kind::Object {
        return 1;
    }
    let alike = |key: &str| match (left.get(key), right.get(key)) {
        (Some(one), Some(other)) => one.as_str() == other.as_str(),
        (None, None) => true,
        _ => false,
    };
    if alike("role") && alike("type") { 2 } else { 0 }
}

/// The pairs of greatest weight in all, in order.
fn weighed(
    begin: usize,
    lend: usize,
    rend: usize,
    weight: impl Fn(usize, usize) -> u32,
) -> Vec<(Option<usize>, Option<usize>)> {
    let (height, width) = (lend - begin, rend - begin);
    // best[l][r]: the greatest weight of what is left from there.
    let mut weights = vec![0; height * width];
    let mut best = vec![0u32; (height + 1) * (width + 1)];
    let at = |left: usize, right: usize| left * (width + 1) + right;
    for left in (0..height).rev() {
        for right in (0..width).rev() {
            let own = weight(begin + left, begin + right);
            weights[left * width + right] = own;
            let paired = if own == 0 { 0 } else { own + best[at(left + 1, right + 1)] };
            best[at(left, right)] = paired.max(best[at(left + 1, right)]).max(best[at(left, right + 1)]);
        }
    }
    let (mut left, mut right, mut pairs) = (0, 0, Vec::new());
    while left < height || right < width {
        let own = if left < height && right < width { weights[left * width + right] } else { 0 };
        if own > 0 && best[at(left, right)] == own + best[at(left + 1, right + 1)] {
            pairs.push((Some(begin + left), Some(begin + right)));
            (left, right) = (left + 1, right + 1);
        } else if left < height && (right == width || best[at(left, right)] == best[at(left + 1, right)]) {
            pairs.push((Some(begin + left), None));
            left += 1;
        } else {
            pairs.push((None, Some(begin + right)));
            right += 1;
        }
    }
    pairs
}
