//! The corpus: every case, embedded in the program.

use std::collections::BTreeSet;

use wildmatch::WildMatch;

use wirecanon_judge::case::{self, Case};
use wirecanon_judge::problem::Problem;

/// Fewest cases that a run without a filter must have judged for a testee. A testee that reads only one of the dialects meets a
/// fraction of the corpus, so this is far below the size of the corpus and far above an accident.
pub const MINIMUM_JUDGED: usize = 5;

/// Reads the embedded corpus, sorted by path.
///
/// # Errors
///
/// A file is no case, or two cases have the same id.
pub fn load() -> Result<Vec<Case>, Problem> {
    load_from(wirecanon_corpus::CASES)
}

/// Reads these files as a corpus.
///
/// # Errors
///
/// As [`load`].
pub fn load_from(files: &[(&str, &[u8])]) -> Result<Vec<Case>, Problem> {
    let mut seen = BTreeSet::new();
    let mut cases = Vec::with_capacity(files.len());
    for (file, text) in files {
        let case = case::parse(file, text)?;
        if !seen.insert(case.id.clone()) {
            let message = format!("the id `{}` stands twice in the corpus", case.id);
            let problem = Problem::of_file(*file, message, "give one of them another");
            return Err(Problem { pointer: "/id".to_owned(), ..problem });
        }
        cases.push(case);
    }
    Ok(cases)
}

/// Returns whether `text` matches `pattern`, in which `*` stands for any text and `?` for one character. A pattern without either
/// matches every text that contains it.
pub fn matches(pattern: &str, text: &str) -> bool {
    if pattern.contains(['*', '?']) { WildMatch::new(pattern).matches(text) } else { text.contains(pattern) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_corpus_is_well_formed() {
        if let Err(error) = load() {
            panic!("{error}");
        }
    }

    #[test]
    fn an_id_stands_once() {
        let text: &[u8] = br#"{"id":"a","title":"t","class":"pairing","source":["s"],"from":"canonical","input":{},
            "expect":{"canonical":{}},"since":"0.1.0"}"#;
        let error = load_from(&[("a.json", text), ("pairing/a.json", text)]).unwrap_err();
        assert!(error.message.contains("twice"), "{error}");
    }

    #[test]
    fn patterns_match() {
        assert!(matches("orphan", "an-orphan-result"));
        assert!(matches("an-*-result", "an-orphan-result"));
        assert!(matches("*", ""));
        assert!(matches("*result", "an-orphan-result"));
        assert!(!matches("orphan*", "an-orphan-result"));
        assert!(!matches("a?", "a"));
        assert!(matches("a*b*c", "aXbYbZc"));
    }
}
