//! The corpus is fit to be run and to be read, and its suites are what they were.

use wirecanon::lint::{self, Depth};
use wirecanon::suite;
use wirecanon::{corpus, folder};

fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// All lints: schema, names, contradictions with the rules, citations, layout, minimal, no two alike.
#[test]
fn the_linter_finds_nothing() {
    let files = folder::read(&root()).expect("the corpus");
    assert!(files.len() >= 558, "{} cases", files.len());
    let texts: Vec<(&str, &[u8])> = files.iter().map(|file| (file.name.as_str(), file.bytes.as_slice())).collect();
    let findings = lint::lint(&texts, Depth::Whole);
    let words: Vec<_> = findings.iter().map(|finding| format!("{} [{}]", finding.problem, finding.lint)).collect();
    assert!(words.is_empty(), "{} findings:\n{}", words.len(), words.join("\n"));
}

#[test]
fn the_embedded_corpus_is_that_of_the_folder() {
    let embedded = corpus::load().expect("a well-formed corpus");
    let files = folder::read(&root()).expect("the corpus");
    let texts: Vec<(&str, &[u8])> = files.iter().map(|file| (file.name.as_str(), file.bytes.as_slice())).collect();
    let read = corpus::load_from(&texts).expect("a well-formed corpus");
    let inputs =
        |cases: Vec<wirecanon::case::Case>| cases.into_iter().map(|case| (case.id, case.input)).collect::<Vec<_>>();
    assert_eq!(inputs(embedded), inputs(read));
}

/// A case of a frozen suite never changes what it asks for, and never goes. A draft may fall behind the corpus.
#[test]
fn frozen_suites_are_whole() {
    let cases = corpus::load().expect("a well-formed corpus");
    let suites = suite::all().expect("well-formed suites");
    assert!(!suites.is_empty(), "there is no suite");
    for suite in suites {
        assert!(!suite.cases.is_empty(), "{} is empty", suite.suite);
        let drift = suite.drift(&cases);
        if !suite.draft {
            assert!(
                drift.is_whole(),
                "suite {}: {}; add another case, or retire this one",
                suite.suite,
                drift.in_words()
            );
        }
        let text = suite.to_text().expect("JSON");
        let value = serde_json::from_str(&text).expect("JSON");
        let wrong = wirecanon_schemas::validate::validate("wirecanon/suite", &value).expect("a schema");
        assert!(wrong.is_empty(), "{}: {wrong:?}", suite.suite);
    }
}
