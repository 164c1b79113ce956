//! `wirecanon case`, and runs of a corpus or a suite of one's own, as a user sees them.

use std::path::Path;
use std::{env, fs};

use crate::support::running::run_in;

/// A folder with a corpus of two true cases.
fn corpus() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for case in ["tool-call-id/responses-call-id-of-sixty-five.json", "tool-call-id/ids-longer-than-forty.json"] {
        let to = folder.path().join("corpus").join(case);
        fs::create_dir_all(to.parent().expect("a class")).expect("a folder");
        fs::copy(root.join(case), to).expect("a case");
    }
    folder
}

#[test]
fn findings_and_suites_keep_their_schema() {
    let folder = corpus();
    let at = folder.path();
    let wrong = |schema: &str, text: &str| {
        let value = serde_json::from_str(text).expect("JSON");
        wirecanon_schemas::validate::validate(schema, &value).expect("a schema")
    };
    assert_eq!(run_in(at, &["case", "freeze", "2026.1"]).code, 0);
    let suite = fs::read_to_string(at.join("suites/2026.1.json")).expect("a suite");
    assert_eq!(wrong("wirecanon/suite", &suite), []);
    let path = at.join("corpus/tool-call-id/responses-call-id-of-sixty-five.json");
    let text = fs::read_to_string(&path).expect("a case");
    fs::write(&path, text.replacen("\"length\": 60", "\"lenght\": 60", 1)).expect("a case");
    let said = run_in(at, &["case", "lint", "--format", "json"]);
    assert_eq!(said.code, 1, "{}", said.err);
    assert_eq!(wrong("wirecanon/lint", &said.out), []);
}

/// The suites of the program, against a corpus that is not theirs, and against their own.
#[test]
fn a_suite_runs_what_was_frozen_or_nothing() {
    let folder = corpus();
    let at = folder.path();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let said = run_in(here, &["list", "suites", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    for suite in list.as_array().expect("a list") {
        let name = suite["id"].as_str().expect("a name");
        let said = run_in(at, &["test", "--suite", name, "--corpus", "corpus", "--case", "*"]);
        if suite["draft"] == true {
            assert_eq!(said.code, 0, "{}", said.err);
            assert!(said.err.contains("is a draft") && said.err.contains("vanished"), "{}", said.err);
        } else {
            assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
            assert!(said.err.contains("is not that of the suite") && said.err.contains("vanished"), "{}", said.err);
        }
        let said = run_in(here, &["test", "--suite", name, "--case", "tool-call-id/*", "--format", "json"]);
        assert_eq!(said.code, 0, "{}", said.err);
    }
}

#[test]
fn the_schema_of_a_case_goes_by_its_short_name() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let short = run_in(here, &["schema", "case"]);
    assert_eq!((short.code, short.out), (0, run_in(here, &["schema", "wirecanon/case"]).out));
    for what in ["suites", "tags", "lints"] {
        let said = run_in(here, &["list", what, "--format", "json"]);
        let value = serde_json::from_str(&said.out).expect("JSON");
        let wrong = wirecanon_schemas::validate::validate("wirecanon/list", &value).expect("a schema");
        assert!(wrong.is_empty(), "{what}: {wrong:?}");
    }
}

#[test]
fn a_case_is_made_of_what_a_session_file_holds() {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sessions");
    for (file, dialect) in [
        ("openclaw.jsonl", "openclaw"),
        ("claude-code-torn.jsonl", "anthropic.messages"),
        ("langsmith.json", "langchain"),
    ] {
        let path = sessions.join(file).display().to_string();
        for redact in [&[][..], &["--redact"]] {
            let said = run_in(&sessions, &[&["case", "new", &path], redact].concat());
            assert_eq!(said.code, 0, "{}", said.err);
            assert!(said.err.contains("transcript") && said.err.contains("taken"), "{}", said.err);
            assert!(said.out.contains(&format!("\"from\": \"{dialect}\"")), "{file}: {}", said.out);
            assert!(!said.out.contains("parentUuid") && !said.out.contains("unknown-role"), "{file}: {}", said.out);
        }
    }
    let path = sessions.join("openclaw.jsonl").display().to_string();
    let said = run_in(&sessions, &["case", "shrink", &path]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(!said.out.contains("parentId"), "{}", said.out);
}
