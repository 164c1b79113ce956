//! Ways in which other runners were seen to say that all is well where nothing was: none of them is green here.
//!
//! `client --command true` of the MCP conformance suite passed 0 of 0; the protobuf runner passed a testee that skipped
//! everything; a pattern of toml-test that matched nothing passed, and `/bin/false` its whole invalid half; and a testee that
//! ended early, or said nothing of itself, was taken for one that had nothing to say.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::support::narrow::testee;
use crate::support::running::{Said, run_in};
use crate::support::small::use_small_corpus;

const HELLO: &str = r#"{"wirecanon":1,"name":"fake","conversions":[{"from":"mistral.chat","to":"mistral.chat"}]}"#;

/// Every command that can be green, on a testee.
fn every_door(folder: &Path, argument: &str) -> [(&'static str, Said); 3] {
    let times = ["--testee", argument, "--timeout", "1", "--startup-timeout", "3"];
    let test = |more: &[&str]| run_in(folder, &[&["test"], &times[..], more].concat());
    [
        ("test", test(&["--log", "log"])),
        ("gate", run_in(folder, &[&["gate"], &times[..]].concat())),
        ("shard", test(&["--shard", "1/2"])),
    ]
}

fn script(folder: &Path, text: &str) -> String {
    use_small_corpus(folder);
    fs::write(folder.join("fake.sh"), text).expect("a script");
    "sh fake.sh".to_owned()
}

fn assert_never_green(text: &str, code: i32, words: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let argument = script(folder.path(), text);
    for (door, said) in every_door(folder.path(), &argument) {
        assert_eq!(said.code, code, "{door}: {text}: {}{}", said.out, said.err);
        assert!(said.out.contains(words), "{door}: {text}: {}{}", said.out, said.err);
        assert!(!said.out.contains("holds:") && !said.out.contains("gate is open"), "{door}: {}", said.out);
    }
    // Nor is what is made from its log.
    let report = run_in(folder.path(), &["report", "log"]);
    assert_eq!(report.code, code, "{text}: {}{}", report.out, report.err);
    let gate = run_in(folder.path(), &["gate", "--from-log", "log"]);
    assert_eq!(gate.code, code, "{text}: {}{}", gate.out, gate.err);
    let compared = run_in(folder.path(), &["compare", "log", "log"]);
    assert!(compared.code >= 3 || code == 1, "{text}: {}{}", compared.out, compared.err);
}

/// The doors open for one that is right: what follows is not closed to all.
#[test]
fn one_that_is_right_is_green() {
    let folder = tempfile::tempdir().expect("a folder");
    use_small_corpus(folder.path());
    let argument = testee(folder.path(), "narrow", "cat");
    run_in(folder.path(), &["gate", "--bless", "--testee", &argument]);
    for (door, said) in every_door(folder.path(), &argument) {
        let right = if door == "gate" { "the gate is open" } else { "narrow" };
        assert!(said.out.contains(right), "{door}: {}{}", said.out, said.err);
        assert!(door != "gate" || said.code == 0, "{door}: {}{}", said.out, said.err);
    }
}

#[test]
fn a_program_that_does_nothing_is_not_run() {
    assert_never_green("exit 0", 3, "ended before it answered hello");
    assert_never_green("exec false", 3, "ended before it answered hello");
}

#[test]
fn one_that_does_not_name_itself_is_not_run() {
    let nameless = HELLO.replace("\"name\":\"fake\",", "");
    assert_never_green(&format!("read -r line; echo '{nameless}'; cat >/dev/null"), 3, "name");
    let empty = HELLO.replace("\"fake\"", "\"\"");
    assert_never_green(&format!("read -r line; echo '{empty}'; cat >/dev/null"), 3, "name");
}

#[test]
fn one_that_says_nothing_is_not_run() {
    assert_never_green("sleep 30", 3, "no answer to hello");
    assert_never_green("cat", 3, "not run");
}

#[test]
fn one_that_claims_nothing_was_judged_too_little() {
    let nothing = HELLO.replace(r#"{"from":"mistral.chat","to":"mistral.chat"}"#, "");
    let text = format!("read -r line; echo '{nothing}'; cat >/dev/null");
    let folder = tempfile::tempdir().expect("a folder");
    let argument = script(folder.path(), &text);
    for (door, said) in every_door(folder.path(), &argument) {
        assert!(matches!(said.code, 3 | 4), "{door}: {}{}", said.out, said.err);
    }
}

/// It answers that it skips each, which the protobuf runner took for a pass.
#[test]
fn one_that_skips_everything_fails() {
    let text = format!(
        "read -r line; echo '{HELLO}'\nwhile read -r line; do id=${{line#*:}}; id=${{id%%,*}}\n\
         echo \"{{\\\"id\\\":$id,\\\"skipped\\\":\\\"no\\\"}}\"; done"
    );
    assert_never_green(&text, 1, "garbage");
}

#[test]
fn one_that_ends_early_fails() {
    assert_never_green(&format!("read -r line; echo '{HELLO}'; exit 0"), 1, "crashed");
}

#[test]
fn one_that_refuses_everything_fails() {
    let text = format!(
        "read -r line; echo '{HELLO}'\nwhile read -r line; do id=${{line#*:}}; id=${{id%%,*}}\n\
         echo \"{{\\\"id\\\":$id,\\\"refused\\\":{{\\\"code\\\":\\\"other\\\",\\\"message\\\":\\\"no\\\"}}}}\"; done"
    );
    assert_never_green(&text, 1, "refused with `other`");
}

#[test]
fn a_filter_that_matches_nothing_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = run_in(folder.path(), &["test", "--case", "nope/*", "--log", "log"]);
    assert!(said.code == 4 && said.err.contains("no case matches"), "{}", said.err);
    assert!(!folder.path().join("log").exists(), "a log of nothing");
}

#[test]
fn a_gate_takes_no_filter_and_no_filtered_log() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(run_in(folder.path(), &["gate", "--case", "pairing/*"]).code, 2);
    let said = run_in(folder.path(), &["test", "--case", "openai-call-*", "--log", "log"]);
    assert!(said.code == 0 && said.out.contains("partial: a filter was at work"), "{}{}", said.out, said.err);
    let said = run_in(folder.path(), &["gate", "--from-log", "log"]);
    assert!(said.code == 4 && said.err.contains("filtered"), "{}", said.err);
}

#[test]
fn an_empty_corpus_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("corpus")).expect("a folder");
    let said = run_in(folder.path(), &["test", "--corpus", "corpus"]);
    assert_eq!(said.code, 4, "{}{}", said.out, said.err);
}
