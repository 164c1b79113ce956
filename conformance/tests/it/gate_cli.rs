//! The gate: what blocks, what is stale, and what `--bless` makes of a file.
//!
//! Golden transcripts stand in `tests/golden`; `BLESS=1 cargo test -p wirecanon --test it gate_cli::` writes them anew.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::golden::golden;
use crate::support::narrow::testee;
use crate::support::running::{Said, run_in};

/// What is expected of the run of `fixtures/base.ndjson`, with words of a person.
const EXPECTED: &str = r#"# What sample gets wrong. Ask Ann.
testee = "sample"
judge = 2
judged = 5 # of the suite

# The parser never looks at the second answer.
[[expect]]
case = "call-answered-twice"
verdict = "rejected" # as in 1.1
because = ["duplicate-tool-result at /messages/3"]
link = "https://example.org/issues/7"
first_seen = 2026-05-01

# ---- crashes ----

# Only with one call.
[[expect]]
case = "call-without-answer"
to = ["groq", "openai"]
verdict = "crashed"
because = ["KeyError: 'tool_call_id' at #"]

[[expect]]
case = "image-*"
covers = 1
verdict = "lossy"
because = ["lost"]
expires = 2027-01-31
"#;

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
fn what_is_known_to_fail_opens_the_gate() {
    let folder = folder(EXPECTED);
    let said = gate(folder.path(), "base.ndjson", &[]);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{}", said.out);
    assert!(said.out.contains("5 cases judged, 5 results as asked, 6 known to fail"), "{}", said.out);
    let said = gate(folder.path(), "base.ndjson", &["--bless"]);
    assert!(said.code == 0 && said.out.contains("nothing to change"), "{}", said.out);
    assert_eq!(file(folder.path()), EXPECTED);
}

#[test]
fn without_a_file_all_must_hold() {
    let folder = folder(EXPECTED);
    fs::remove_dir_all(folder.path().join("expectations")).expect("a folder less");
    let said = gate(folder.path(), "base.ndjson", &[]);
    assert!(said.code == 1 && said.out.contains("3 regressions"), "{}", said.out);
    let said = gate(folder.path(), "base.ndjson", &["--expectations", "mine.toml"]);
    assert!(said.code == 2 && said.err.contains("mine.toml"), "{}", said.err);
    let said = gate(folder.path(), "base.ndjson", &["--bless"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    golden("gate-first-bless.toml", &file(folder.path()));
    assert_eq!(gate(folder.path(), "base.ndjson", &[]).code, 0);
}

#[test]
fn what_got_worse_is_told_with_what_to_do() {
    let folder = folder(EXPECTED);
    let said = gate(folder.path(), "head.ndjson", &[]);
    assert_eq!((said.code, said.err.as_str()), (1, ""), "{}", said.out);
    golden("gate-head.txt", &said.out);
    for words in ["newly failing", "another reason", "flaky", "better than expected", "unscored", "--bless", "see it:"]
    {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
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

#[test]
fn a_blessing_changes_what_it_must_and_keeps_comments() {
    let folder = folder(EXPECTED);
    let said = gate(folder.path(), "head.ndjson", &["--bless", "--expires", "2027-06-30"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    golden("gate-bless.toml", &file(folder.path()));
    for words in
        ["# What sample gets wrong. Ask Ann.", "# of the suite", "# as in 1.1", "# ---- crashes ----", "issues/7"]
    {
        assert!(file(folder.path()).contains(words), "{words} is gone: {}", file(folder.path()));
    }
    let blessed = file(folder.path());
    assert_eq!(gate(folder.path(), "head.ndjson", &[]).code, 0);
    assert!(gate(folder.path(), "head.ndjson", &["--bless"]).out.contains("nothing to change"));
    assert_eq!(file(folder.path()), blessed);
    let left: Vec<_> = fs::read_dir(folder.path().join("expectations")).expect("a folder").collect();
    assert_eq!(left.len(), 1, "{left:?}");
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

/// Expectations of the first judge are read, and rewritten where that is said.
#[test]
fn expectations_of_the_first_judge_are_rewritten_on_request() {
    let old =
        EXPECTED.replace("judge = 2\n", "").replace("\"rejected\"", "\"unsafe\"").replace("\"lossy\"", "\"safe\"");
    let folder = folder(&old);
    let said = gate(folder.path(), "base.ndjson", &[]);
    assert!(
        said.code == 0 && said.out.contains("`gate --bless --from-judge 1` rewrites it"),
        "{}{}",
        said.out,
        said.err
    );
    let said = gate(folder.path(), "base.ndjson", &["--bless"]);
    assert!(said.code == 2 && said.err.contains("--bless --from-judge 1 rewrites it"), "{}", said.err);
    let said = gate(folder.path(), "base.ndjson", &["--bless", "--from-judge", "1"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(file(folder.path()).contains("judge = 2"), "{}", file(folder.path()));
    // A log of an older judge does not tell whether the file is right.
    let log = fs::read_to_string(folder.path().join("base.ndjson")).expect("a log");
    fs::write(folder.path().join("base.ndjson"), log.replacen("\"judge\":2,", "", 1)).expect("a log");
    let said = gate(folder.path(), "base.ndjson", &[]);
    assert!(said.code == 2 && said.err.contains("run the testee again"), "{}", said.err);
}

/// A day that is over is for a person to move.
#[test]
fn a_blessing_without_a_day_leaves_what_is_expired() {
    let folder = folder(&EXPECTED.replace("2027-01-31", "2026-11-21"));
    assert_eq!(gate(folder.path(), "base.ndjson", &["--bless"]).code, 6);
    assert_eq!(gate(folder.path(), "base.ndjson", &["--expires", "2027-06-30"]).code, 2);
    assert_eq!(gate(folder.path(), "base.ndjson", &["--bless", "--expires", "2027-06-30"]).code, 0);
    assert_eq!(file(folder.path()), EXPECTED.replace("2027-01-31", "2027-06-30"));
}

#[test]
fn a_pattern_covers_no_more_cases_than_it_says() {
    let wide =
        "[[expect]]\ncase = \"call-*\"\ncovers = 1\nverdict = \"crashed\"\nbecause = [\"KeyError: 'tool_call_id'\"]\n";
    let folder =
        folder(&EXPECTED.replace("[[expect]]\ncase = \"image-*\"\ncovers = 1", "[[expect]]\ncase = \"*\"\ncovers = 0"));
    let said = gate(folder.path(), "base.ndjson", &[]);
    assert!(said.code == 1 && said.out.contains("`*` may cover 0, and 1 fail as it says"), "{}", said.out);
    assert_eq!(gate(folder.path(), "base.ndjson", &["--bless"]).code, 0);
    assert!(file(folder.path()).contains("covers = 1"), "{}", file(folder.path()));
    // What is about one case comes before a pattern, wherever it stands.
    let both = EXPECTED.replacen("# The parser", &format!("{wide}\n# The parser"), 1);
    fs::write(folder.path().join("expectations/sample.toml"), both).expect("a file");
    let said = gate(folder.path(), "base.ndjson", &[]);
    assert!(said.code == 6 && said.out.contains("shadowed: call-*"), "{}", said.out);
}

#[test]
fn a_file_that_is_wrong_is_2_with_its_line() {
    let folder = folder(&EXPECTED.replacen("verdict", "verdit", 1));
    let said = gate(folder.path(), "base.ndjson", &[]);
    assert_eq!((said.code, said.err.lines().count()), (2, 1), "{}", said.err);
    assert!(said.err.contains("expectations/sample.toml: line 9: unknown field `verdit`"), "{}", said.err);
    let text = file(folder.path());
    assert_eq!(gate(folder.path(), "base.ndjson", &["--bless"]).code, 2);
    assert_eq!(file(folder.path()), text);
}

#[test]
fn a_planted_regression_closes_the_gate_and_says_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
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

/// Two names that are written as one file.
#[test]
fn what_is_expected_of_one_testee_is_not_of_another() {
    let folder = folder(&EXPECTED.replace("testee = \"sample\"", "testee = \"Sample\""));
    let said = gate(folder.path(), "head.ndjson", &[]);
    assert_eq!(said.code, 2, "{}", said.out);
    assert!(said.err.contains("what is expected of `Sample`, not of `sample`"), "{}", said.err);
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
