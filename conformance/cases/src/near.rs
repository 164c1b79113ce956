//! Known words that are near to a misspelt one.

/// Up to three known words, the nearest first.
pub fn near<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    let mut found: Vec<(usize, &str)> = known
        .filter_map(|other| {
            let steps = strsim::levenshtein(word, other);
            (steps <= 2 + word.len() / 6 || other.contains(word) && word.len() > 3).then_some((steps, other))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().take(3).map(|(_, word)| word).collect()
}

/// Asks for the words that are near, if any are.
pub fn hint<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<String> {
    asked(&near(word, known))
}

/// Says that no `what` has this name, and which names were meant, or where they are told.
pub fn unknown<'w>(what: &str, name: &str, known: impl Iterator<Item = &'w str>, cure: &str) -> String {
    let cure = hint(name, known).unwrap_or_else(|| cure.to_owned());
    format!("no {what} is called `{name}`; {cure}")
}

/// Asks for these words, if there are any.
pub fn asked(words: &[&str]) -> Option<String> {
    (!words.is_empty()).then(|| format!("did you mean `{}`?", words.join("` or `")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found() {
        let known = ["orphan-tool-result", "duplicate-tool-result", "image-without-data"];
        assert_eq!(near("orphan-tool-resutl", known.into_iter()), ["orphan-tool-result"]);
        assert_eq!(near("zzz", known.into_iter()), [] as [&str; 0]);
        assert_eq!(near("", ["abc", "ab"].into_iter()), ["ab"]);
        assert_eq!(hint("zzz", known.into_iter()), None);
        assert_eq!(hint("encodin", ["encoding"].into_iter()).as_deref(), Some("did you mean `encoding`?"));
    }
}
