//! The command line as a user sees it: texts, exit codes, and nothing half written.
//!
//! Pages below `cli` hold commands with their output; `BLESS=1 cargo test -p wirecanon --test it cli::pages::` rewrites them.

#[cfg(unix)]
mod pages;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use wirecanon::case::Case;
use wirecanon::run::targets_of;
use wirecanon_core::Target;

use crate::support::running::{Said, feed_in, program_in, run_in, said};
use crate::support::small::use_small_corpus;

const VALID: &str = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#;
const BROKEN: &str = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"look","arguments":{"n":9007199254740993}}}]},{"role":"tool","tool_call_id":"call_a","content":"seen"}]}"#;

fn wirecanon(args: &[&str]) -> Command {
    program_in(Path::new("."), args)
}

fn run(args: &[&str]) -> Said {
    run_in(Path::new("."), args)
}

fn feed(args: &[&str], input: &[u8]) -> Said {
    feed_in(Path::new("."), args, input)
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a file");
    path.display().to_string()
}

/// One line, no stack trace, nothing on stdout; below it at most the line of the file with its place marked.
fn assert_refused(said: &Said, code: i32, words: &[&str]) {
    assert_eq!(said.code, code, "{}", said.err);
    assert_eq!(said.out, "");
    assert!(said.err.starts_with("error: "), "{}", said.err);
    let shown = |line: &&str| line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').starts_with('|');
    let (shown, said_of_it): (Vec<&str>, Vec<&str>) = said.err.lines().partition(shown);
    assert_eq!((said_of_it.len(), matches!(shown.len(), 0 | 2)), (1, true), "{}", said.err);
    for word in words {
        assert!(said.err.contains(word), "`{word}` is not in: {}", said.err);
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_told_apart() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "locked.json", VALID.as_bytes());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("a locked file");
    if fs::read(&path).is_ok() {
        eprintln!("NOT RUN: this user may read every file");
    } else {
        assert_refused(&run(&["fix", &path]), 2, &["locked.json", "may not be read"]);
    }
    // A file that opens and does not read is the machine's fault.
    if Path::new("/proc/self/mem").exists() {
        assert_refused(&run(&["fix", "/proc/self/mem"]), 5, &["/proc/self/mem", "cannot be read"]);
    }
}

#[test]
fn lists_have_ids_and_rules_are_explained() {
    for what in ["rules", "cases", "dialects", "targets", "conversions", "testees", "verdicts", "schemas"] {
        let said = run(&["list", what, "--format", "json"]);
        assert_eq!(said.code, 0);
        let list: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        let list = list.as_array().expect("an array");
        assert!(!list.is_empty() && list.iter().all(|item| item["id"].is_string()), "{what}");
        assert_eq!(run(&["list", what]).code, 0);
    }
    for rule in wirecanon_core::rule::all() {
        let said = run(&["explain", rule.id]);
        assert_eq!(said.code, 0);
        assert!(said.out.contains(rule.statement) && said.out.contains(rule.class.slug()), "{}", said.out);
    }
}

#[test]
fn the_reference_as_a_process_says_the_same() {
    let command = format!("'{}' testee serve", env!("CARGO_BIN_EXE_wirecanon"));
    let folder = tempfile::tempdir().expect("a folder");
    use_small_corpus(folder.path());
    let said = run_in(folder.path(), &["test", "--format", "json", "--testee", "reference", "--testee", &command]);
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let verdicts = |at: usize| json["testees"][at]["verdicts"].clone();
    assert_eq!(verdicts(0), verdicts(1));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let big = format!(
        "{{\"messages\":[{}]}}",
        vec![r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#; 20_000].join(",")
    );
    let folder = tempfile::tempdir().expect("a folder");
    use_small_corpus(folder.path());
    let path = file(folder.path(), "big.json", big.as_bytes());
    for args in [&["fix", &path][..], &["list", "cases"], &["test", "--format", "json"]] {
        let mut child =
            program_in(folder.path(), args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("error"), "{args:?}");
    }
}

#[test]
fn a_closed_pipe_hides_no_finding() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| file(folder.path(), name, BROKEN.as_bytes());
    let (a, b) = (at("a.json"), at("b.json"));
    for (args, code) in [
        (&["check", "--target", "openai.chat", &a, &b][..], 1),
        (&["check", "--target", "openai.chat", "--format", "json", &a], 1),
        (&["check", "--target", "openai.chat", &a, "/no/such/file"], 2),
        (&["fix", "--from", "openai.chat", "--exit-code", &a], 1),
        (&["fix", "--from", "openai.chat", "--exit-code", "--in-place", &a, &b], 1),
        (&["test", "--testee", "filter:openai.chat:openai.chat:cat", "--case", "pairing/orphan*"], 1),
    ] {
        for both in [false, true] {
            let restored = (at("a.json"), at("b.json"));
            let mut child = wirecanon(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
            drop(child.stdout.take());
            if both {
                drop(child.stderr.take());
            }
            let output = child.wait_with_output().expect("an end");
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{args:?} {both}: {err}");
            if args.contains(&"--in-place") {
                let whole = |path: &str| fs::read_to_string(path).expect("the file");
                assert_ne!([whole(&restored.0), whole(&restored.1)], [BROKEN; 2], "all of them are mended");
            }
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_5() {
    for args in [&["--help"][..], &["--version"], &["check", "--help"], &["list", "rules"]] {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device of Linux");
        let said = said(&wirecanon(args).stdout(full).output().expect("it starts"));
        assert_refused(&said, 5, &["cannot write the output"]);
    }
}

#[test]
fn what_is_written_for_programs_keeps_its_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json").display().to_string();
    assert_eq!(feed(&["fix", "--to", "anthropic", "--report", &report], BROKEN.as_bytes()).code, 0);
    let report = fs::read_to_string(&report).expect("a report");
    let check = feed(&["check", "--target", "openai.chat", "--format", "json", "-"], BROKEN.as_bytes()).out;
    let test = run(&["test", "--case", "pairing/*", "--format", "json"]).out;
    for (schema, text) in [("wirecanon/report", report), ("wirecanon/check", check), ("wirecanon/test", test)] {
        let value = serde_json::from_str(&text).expect("JSON");
        let wrong = wirecanon_schemas::validate::validate(schema, &value).expect("a schema");
        assert!(wrong.is_empty(), "{schema}: {wrong:?}");
    }
}

#[test]
fn lists_keep_their_schema() {
    for what in [
        "rules",
        "cases",
        "coverage",
        "not-expressible",
        "dialects",
        "targets",
        "conversions",
        "losses",
        "testees",
        "verdicts",
        "defects",
        "schemas",
    ] {
        let said = run(&["list", what, "--format", "json"]);
        let value: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        let wrong = wirecanon_schemas::validate::validate("wirecanon/list", &value).expect("a schema");
        assert!(wrong.is_empty(), "{what}: {wrong:?}");
        let items = value.as_array().expect("a list");
        // A rule may go by the name of its class.
        let ids: std::collections::BTreeSet<_> =
            items.iter().map(|item| (item["id"].as_str(), item["kind"].as_str())).collect();
        assert!(!items.is_empty() && ids.len() == items.len(), "{what}: an id stands twice");
    }
}

#[test]
fn every_rule_is_listed_and_explained() {
    let rules: serde_json::Value =
        serde_json::from_str(&run(&["list", "rules", "--format", "json"]).out).expect("JSON");
    for rule in rules.as_array().expect("a list") {
        let id = rule["id"].as_str().expect("an id");
        for key in ["citations", "dialects"] {
            assert!(rule[key].as_array().is_some_and(|list| !list.is_empty()), "{id}: no {key}");
        }
        let said = run(&["explain", id]);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{id}");
        for words in ["title", "class"].map(|key| rule[key].as_str().unwrap_or_default()) {
            assert!(!words.is_empty() && said.out.contains(words), "{id}: {words} is missing in {}", said.out);
        }
        for source in ["citations", "errors"].into_iter().flat_map(|key| rule[key].as_array().into_iter().flatten()) {
            let source = source.as_str().expect("a text");
            assert!(said.out.contains(source), "{id}: {source} is missing in {}", said.out);
        }
        let example = said.out.contains("broken, ") && said.out.contains("mended, for ");
        assert_ne!(example, said.out.contains("no example: "), "{id}: {}", said.out);
    }
}

#[test]
fn a_run_of_the_reference_is_logged_and_reported_without_colours() {
    let folder = tempfile::tempdir().expect("a folder");
    let test = run_in(folder.path(), &["test", "--case", "pairing/*", "--format", "json", "--log", "log"]);
    assert_eq!(test.code, 0, "{}{}", test.out, test.err);
    let result: serde_json::Value = serde_json::from_str(&test.out).expect("JSON");
    let field = |result: &serde_json::Value, key| result[key].as_str().expect("a name").to_owned();
    let results = result["results"].as_array().expect("results");
    let mut judged: Vec<_> =
        results.iter().map(|result| ["case", "from", "to"].map(|key| field(result, key))).collect();
    let cases = wirecanon::corpus::load().expect("the corpus");
    let cases = cases.iter().filter(|case| case.class == "pairing" && case.retired.is_none());
    let run = |case: &Case, target: &Target| [case.id.clone(), case.from.name().to_owned(), target.name.clone()];
    let mut planned: Vec<_> = cases.flat_map(|case| targets_of(case).map(move |target| run(case, target))).collect();
    judged.sort();
    planned.sort();
    assert_eq!(result["summary"]["runs"], planned.len());
    assert!(judged == planned, "a case was not run for each of its targets, once");
    let report = run_in(folder.path(), &["report", "log"]);
    assert!(report.code == 0 && report.out.contains("holds: reference"), "{}{}", report.out, report.err);
    assert!(!report.out.contains("void") && !report.out.contains('\u{1b}'), "colours into a pipe: {}", report.out);
}

#[test]
fn cases_are_listed_with_their_runs() {
    let cases = wirecanon::corpus::load().expect("the corpus");
    let listed: serde_json::Value =
        serde_json::from_str(&run(&["list", "cases", "--expand", "--format", "json"]).out).expect("JSON");
    let wrong = wirecanon_schemas::validate::validate("wirecanon/list", &listed).expect("a schema");
    assert!(wrong.is_empty(), "{wrong:?}");
    let (mut all, mut carried) = (0, 0);
    let listed = listed.as_array().expect("a list");
    assert_eq!(listed.len(), cases.len());
    for (case, own) in listed.iter().zip(&cases) {
        let runs = case["expanded"].as_array().expect("runs");
        assert_eq!(case["runs"], runs.len());
        assert_eq!(case["id"], own.id);
        let targets: Vec<_> = targets_of(own).filter(|_| own.retired.is_none()).map(|target| &*target.name).collect();
        let listed_targets: Vec<_> = runs.iter().filter_map(|run| run["to"].as_str()).collect();
        assert_eq!(listed_targets, targets, "{}", own.id);
        all += runs.len();
        carried += case["carried"].as_array().expect("dialects").len();
    }
    assert!(carried > listed.len(), "{carried}");
    let words = run(&["list", "cases", "--expand"]).out;
    assert!(words.ends_with("more where a testee does not read their dialect\n"), "{words}");
    assert!(words.contains(&format!("cases make {all} runs")), "{words}");
}

#[test]
fn what_the_corpus_proves_is_shown() {
    let words = run(&["list", "coverage"]).out;
    for heading in ["Rules", "Classes", "Decisions", "Texts"] {
        assert!(words.lines().any(|line| line == heading), "{heading}: {words}");
    }
    assert!(words.ends_with(" texts; 0 without a case or a reason\n"), "{words}");
    let rows: serde_json::Value =
        serde_json::from_str(&run(&["list", "coverage", "--format", "json"]).out).expect("JSON");
    let row =
        |id: &str| rows.as_array().and_then(|rows| rows.iter().find(|row| row["id"] == id)).expect("a row").clone();
    let orphan = row("orphan-tool-result");
    assert!(orphan["cases"].as_array().is_some_and(|cases| cases.contains(&"orphan-result-first".into())), "{orphan}");
    assert_eq!((orphan["kind"].as_str(), row("R14")["kind"].as_str()), (Some("rule"), Some("decision")));
    assert_refused(&run(&["list", "rules", "--expand"]), 2, &["list cases"]);
    assert_refused(&run(&["list", "coverage", "--export", "x"]), 2, &["list cases"]);
}
