//! The corpus does not contradict itself: what a case expects is what the judge takes.

use wirecanon::testee::Answer;
use wirecanon::{corpus, judge};
use wirecanon_core::Target;

fn output(text: &[u8]) -> Answer {
    Answer::Output { bytes: text.to_vec(), exact: true, report: None }
}

#[test]
fn every_expected_outcome_keeps_the_rules_of_its_target() {
    let cases = corpus::load().expect("a well-formed corpus");
    assert!(cases.len() >= 60, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        for target in Target::all() {
            let Some(expected) = case.expected_output(target) else { continue };
            if case.is_identity() && target.name == case.from.name() {
                continue;
            }
            let said = judge::judge(case, target, &output(expected.as_bytes()), false);
            if !said.ok {
                wrong.push(format!("{} for {}: {said:#?}", case.id, target.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_identity_case_is_valid_in_its_own_dialect() {
    let cases = corpus::load().expect("a well-formed corpus");
    let mut wrong = Vec::new();
    for case in cases.iter().filter(|case| case.is_identity()) {
        let said = judge::judge(case, Target::of_dialect(case.from), &output(&case.input), false);
        if !said.ok {
            wrong.push(format!("{}: {said:#?}", case.id));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The schema says what the loader checks, in words that other languages can read: both must take every case.
#[test]
fn every_case_file_keeps_its_schema() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for class in
        std::fs::read_dir(corpus).expect("the corpus").filter_map(Result::ok).filter(|entry| entry.path().is_dir())
    {
        for file in std::fs::read_dir(class.path()).expect("a class").filter_map(Result::ok) {
            let text = std::fs::read_to_string(file.path()).expect("a case");
            let value = serde_json::from_str(&text).expect("JSON");
            let found = wirecanon_schemas::validate::validate("wirecanon/case", &value).expect("a schema");
            if !found.is_empty() {
                wrong.push(format!("{}: {found:?}", file.path().display()));
            }
            seen += 1;
        }
    }
    assert!(seen >= 60, "{seen} cases");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
