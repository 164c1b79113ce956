//! Known words that are near to a misspelt one.

/// Up to three known words, the nearest first.
pub(crate) fn near<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    let mut found: Vec<(usize, &str)> = known
        .filter_map(|other| {
            let steps = distance(word, other);
            (steps <= 2 + word.len() / 6 || other.contains(word) && word.len() > 3).then_some((steps, other))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().take(3).map(|(_, word)| word).collect()
}

/// Single-character edits between two words.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, c) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, d) in other.iter().enumerate() {
            let cost = if c == *d { diagonal } else { diagonal + 1 };
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found() {
        let known = ["orphan-tool-result", "duplicate-tool-result", "image-without-data"];
        assert_eq!(near("orphan-tool-resutl", known.into_iter()), ["orphan-tool-result"]);
        assert_eq!(near("zzz", known.into_iter()), [] as [&str; 0]);
        assert_eq!(distance("abc", "abd"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
