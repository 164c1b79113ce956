//! The gate: what blocks, what is stale, and what `--bless` makes of a file.
//!
//! Golden transcripts stand in `tests/golden`; `BLESS=1 cargo test -p wirecanon --test it gate_cli::` writes them anew.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::golden::golden;
use crate::support::narrow::testee;
use crate::support::running::{Said, run_in};
use crate::support::small::use_small_corpus;

/// What is expected of the run of `fixtures/base.ndjson`, with words of a person.
const EXPECTED: &str = include_str!("../fixtures/expectations/sample.toml");

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A folder with both logs and a file of expectations.
fn folder(expected: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["base.ndjson", "head.ndjson"] {
        fs::copy(fixture(name), folder.path().join(name)).expect("a log");
    }
    fs::create_dir(folder.path().join("expectations")).expect("a folder");
    fs::write(folder.path().join("expectations/sample.toml"), expected).expect("a file");
    folder
}

fn gate(folder: &Path, log: &str, more: &[&str]) -> Said {
    run_in(folder, &[&["gate", "--from-log", log, "--today", "2026-11-22"], more].concat())
}

fn file(folder: &Path) -> String {
    fs::read_to_string(folder.join("expectations/sample.toml")).expect("a file")
}

#[test]
fn a_program_is_told_the_same() {
    let folder = folder(EXPECTED);
    let said = gate(folder.path(), "head.ndjson", &["--format", "json"]);
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    golden("gate-head.json", &said.out);
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/gate", &json), Ok(vec![]));
    assert_eq!((&json["wirecanon"], &json["exit"]), (&1.into(), &1.into()));
    let kinds = |list: &str| -> Vec<String> {
        let list = json["testees"][0][list].as_array().expect("a list");
        list.iter().map(|one| one["kind"].as_str().expect("a kind").to_owned()).collect()
    };
    for kind in ["newly-failing", "another-reason", "flaky"] {
        assert!(kinds("regressions").iter().any(|one| one == kind), "{kind}: {}", said.out);
    }
    assert!(kinds("stale").iter().any(|one| one == "better-than-expected"), "{}", said.out);
    // A blessing is no line between.
    let said = gate(folder.path(), "head.ndjson", &["--format", "json", "--bless"]);
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(
        (said.code, &json["exit"], &json["testees"][0]["blessed"]),
        (0, &0.into(), &true.into()),
        "{}",
        said.out
    );
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/gate", &json), Ok(vec![]));
}

/// Each way in which an entry is stale or fails, what is said of it, and that a blessing mends it.
#[test]
fn every_entry_must_be_as_true_as_it_says() {
    let twice = EXPECTED.split("# The parser").nth(1).and_then(|rest| rest.split("# ----").next()).expect("an entry");
    let twice = format!("\n#{twice}");
    let dead = "\n[[expect]]\ncase = \"no-such-case\"\nverdict = \"rejected\"\nbecause = [\"a\"]\n";
    let plain = "\n[[expect]]\ncase = \"plain-words-valid\"\nverdict = \"rejected\"\nbecause = [\"a\"]\n";
    let wide =
        "\n[[expect]]\ncase = \"call-*\"\ncovers = 1\nverdict = \"rejected\"\nbecause = [\"duplicate-tool-result\"]\n";
    let nothing = "\n[[expect]]\ncase = \"plain-*\"\ncovers = 1\nverdict = \"rejected\"\nbecause = [\"a\"]\n";
    let append = |more: &str| format!("{EXPECTED}{more}");
    let change = |from: &str, to: &str| {
        assert!(EXPECTED.contains(from), "{from}");
        EXPECTED.replacen(from, to, 1)
    };
    for (text, code, words) in [
        (append(&twice), 6, "duplicate: call-answered-twice (expectations/sample.toml:31): the entry on line 7"),
        (append(dead), 6, "dead: no-such-case (expectations/sample.toml:30): there is no such case"),
        (
            append(
                &dead
                    .replace("no-such-case", "image-data-with-whitespace")
                    .replace("verdict", "to = [\"anthropic\"]\nverdict"),
            ),
            6,
            "dead: image-data-with-whitespace",
        ),
        (append(wide), 6, "shadowed: call-* (expectations/sample.toml:30)"),
        (append(nothing), 6, "better than expected: plain-* (expectations/sample.toml:30)"),
        (
            append(plain),
            6,
            "better than expected: plain-words-valid (expectations/sample.toml:30): `rejected` is expected, and it is `exact`",
        ),
        (
            change("2027-01-31", "2026-11-21"),
            6,
            "expired: image-* (expectations/sample.toml:23): it was to be mended until 2026-11-21",
        ),
        (change("covers = 1", "covers = 2"), 6, "better than expected: image-*"),
        (change("\"crashed\"", "\"hung\""), 6, "`hung` is expected, and it is `crashed`"),
        (change("\"groq\", \"openai\"", "\"groq\", \"openai\", \"xai\""), 6, "was not judged on it for xai"),
        (change("\"groq\", \"openai\"", "\"groq\""), 1, "newly failing: openai.chat → openai: crashed"),
        (change("\"crashed\"", "\"rejected\""), 1, "worse than expected: openai.chat → openai, groq: crashed"),
        (change("KeyError", "TypeError"), 1, "another reason: openai.chat → openai, groq: crashed"),
        (change("at /messages/3", "at /messages/2"), 1, "another reason"),
        (change("verdict = \"rejected\"", "versions = \">=2\"\nverdict = \"rejected\""), 1, "newly failing"),
        (change("verdict = \"rejected\"", "versions = \">=1, <2\"\nverdict = \"rejected\""), 0, "the gate is open"),
        (change("judged = 5", "judged = 6"), 4, "asks for 6: does it claim less than before?"),
        (change("judged = 5", "judged = 4"), 0, "the gate is open"),
    ] {
        let folder = folder(&text);
        let said = gate(folder.path(), "base.ndjson", &[]);
        assert_eq!(said.code, code, "{words}: {}{}", said.out, said.err);
        assert!(said.out.contains(words), "{words}: {}", said.out);
        if code == 0 {
            continue;
        }
        if code != 4 {
            assert!(said.out.contains("wirecanon gate --from-log base.ndjson --bless"), "no command: {}", said.out);
        }
        let said = gate(folder.path(), "base.ndjson", &["--bless", "--expires", "2027-06-30"]);
        assert_eq!(said.code, 0, "{words}: {}{}\n{}", said.out, said.err, file(folder.path()));
    }
}

#[test]
fn a_planted_regression_closes_the_gate_and_says_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    use_small_corpus(at);
    let argument = testee(at, "narrow", "cat");
    let gate = |more: &[&str]| run_in(at, &[&["gate", "--testee", argument.as_str()], more].concat());
    let said = gate(&["--bless", "--log", "base"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let blessed = fs::read_to_string(at.join("expectations/narrow.toml")).expect("a file");
    assert_eq!(gate(&[]).code, 0);
    assert_eq!(gate(&["--shard", "1/2"]).code, 0);
    // The same program, with a field misspelt.
    testee(at, "narrow", "sed -u 's/\"tool_call_id\"/\"toolCallId\"/'");
    let said = gate(&["--log", "head"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let line = |start: &str| said.out.lines().find(|line| line.trim_start().starts_with(start)).map(str::to_owned);
    let newly = line("newly failing:").expect("what is wrong");
    assert!(newly.contains("mistral.chat → mistral.chat, mistral: rejected"), "{newly}");
    assert!(said.out.contains(" at /messages/") && said.out.contains("if it is to stay so: "), "{}", said.out);
    // The commands that it names show the fault and the rule.
    let see = line("see it:").expect("a command");
    let case = see.rsplit_once("--case ").expect("a case").1;
    let seen = run_in(at, &["test", "--testee", &argument, "--case", case]);
    assert!(seen.code == 1 && seen.out.contains(case), "{}{}", seen.out, seen.err);
    let rule = line("the rule:").expect("a command");
    assert_eq!(run_in(at, &["explain", rule.rsplit_once(' ').expect("a rule").1]).code, 0);
    let compared = run_in(at, &["compare", "base", "head"]);
    assert!(compared.code == 1 && compared.out.contains("newly failing ("), "{}", compared.out);
    assert_eq!(run_in(at, &["compare", "head", "base"]).code, 0);
    // Nothing was written but by --bless, and once it is mended the gate is open.
    assert_eq!(fs::read_to_string(at.join("expectations/narrow.toml")).expect("a file"), blessed);
    assert_eq!(gate(&["--bless"]).code, 0);
    testee(at, "narrow", "cat");
    assert_eq!(gate(&[]).code, 6);
    assert_eq!(gate(&["--bless"]).code, 0);
    assert_eq!(fs::read_to_string(at.join("expectations/narrow.toml")).expect("a file"), blessed);
}

#[test]
fn what_comes_out_otherwise_when_asked_again_is_flaky() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    use_small_corpus(at);
    // Wrong in its first process, right in each later one.
    let once = "if mkdir seen 2>/dev/null; then sed -u 's/\"tool_call_id\"/\"toolCallId\"/'; else cat; fi";
    let argument = testee(at, "narrow", once);
    let test = |more: &[&str]| {
        let _ = fs::remove_dir(at.join("seen"));
        run_in(at, &[&["test", "--testee", argument.as_str(), "--case", "pairing/*"], more].concat())
    };
    let said = test(&[]);
    assert!(said.code == 1 && said.out.contains(" flaky: narrow"), "{}{}", said.out, said.err);
    assert!(said.out.contains("flaky: asked again, it was "), "{}", said.out);
    let said = test(&["--rerun", "0"]);
    assert!(said.code == 1 && !said.out.contains("flaky"), "{}{}", said.out, said.err);
    // One that is always wrong is not flaky.
    testee(at, "narrow", "sed -u 's/\"tool_call_id\"/\"toolCallId\"/'");
    let said = test(&["--rerun", "3"]);
    assert!(said.code == 1 && !said.out.contains("flaky"), "{}{}", said.out, said.err);
}

#[test]
fn many_testees_run_side_by_side_and_keep_their_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let slow = testee(at, "slow", "(sleep 2; cat)");
    let quick = testee(at, "quick", "sed -u 's/\"tool_call_id\"/\"toolCallId\"/'");
    let args = ["--testee", &slow, "--testee", "/no/such/program", "--testee", &quick, "--testee", &quick];
    let test = |more: &[&str]| run_in(at, &[&["test", "--case", "call-*"], &args[..], more].concat());
    let said = test(&["--format", "json", "--log", "log"]);
    assert_eq!(said.code, 3, "{}", said.err);
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/test", &json), Ok(vec![]));
    let names: Vec<_> = json["testees"].as_array().expect("testees").iter().map(|testee| &testee["name"]).collect();
    assert_eq!(names, ["slow", "/no/such/program", "quick", "quick (2)"]);
    let measured = |at: usize, key: &str| json["testees"][at]["measured"][key].as_f64().unwrap_or(-1.0);
    for testee in [0, 2, 3] {
        assert!(measured(testee, "answers_per_second") > 0.0, "{json}");
        assert!(measured(testee, "p50_us") <= measured(testee, "p99_us"), "{json}");
        let parts = measured(testee, "testee_seconds") + measured(testee, "harness_seconds");
        assert!((parts - measured(testee, "seconds")).abs() < 0.01, "{json}");
    }
    assert!(measured(0, "testee_seconds") > 1.0 && measured(2, "testee_seconds") < measured(0, "testee_seconds"));
    let log = fs::read_to_string(at.join("log")).expect("a log");
    test(&["--log", "again"]);
    assert!(fs::read_to_string(at.join("again")).expect("a log") == log, "the order of testees is left to chance");
    assert!(!log.contains("seconds"), "a log tells the time");
}

/// A run that named no suite is held to the newest, like a gate that runs the cases itself: what came after it closes nothing.
#[test]
fn a_log_without_a_suite_is_held_to_the_newest() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let argument = testee(at, "narrow", "sed -u 's/\"tool_call_id\"/\"toolCallId\"/'");
    let run = ["test", "--rerun", "0", "--testee", argument.as_str(), "--log", "log"];
    assert_eq!(run_in(at, &run).code, 1);
    let blessed = run_in(at, &["gate", "--rerun", "0", "--testee", argument.as_str(), "--bless"]);
    assert_eq!(blessed.code, 0, "{}{}", blessed.out, blessed.err);
    let suite = wirecanon::suite::newest().expect("suites").expect("a suite");
    let held = gate(at, "log", &[]);
    assert_eq!((held.code, held.err.as_str()), (0, ""), "{}", held.out);
    assert!(held.out.contains(&format!("suite {}", suite.suite)), "{}", held.out);
    let named = gate(at, "log", &["--suite", &suite.suite]);
    assert_eq!(named.out, held.out);
    // A case of the suite that is not what it was.
    let text = fs::read_to_string(at.join("log")).expect("a log");
    let digest =
        suite.cases.values().find(|digest| text.contains(digest.as_str())).expect("a case of the suite was run");
    fs::write(at.join("log"), text.replace(digest, &"0".repeat(digest.len()))).expect("a log");
    let said = gate(at, "log", &[]);
    assert!(said.code == 2 && said.err.contains("is not that of the suite"), "{}{}", said.out, said.err);
}
