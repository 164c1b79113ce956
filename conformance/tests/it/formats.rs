//! What programs read: SARIF, annotations, JSON with places; and what is left of a session once it is redacted.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::narrow::testee;
use crate::support::page::{blocks, console};
use crate::support::program::have;
use crate::support::running::run_in;
use crate::support::small::use_small_corpus;

const SARIF: &str = include_str!("../fixtures/sarif-2.1.0.json");

/// A request with three broken rules, on lines of its own.
const BROKEN: &str = r#"{"messages": [
  {"role": "user", "content": "look up Bob Miller"},
  {"role": "assistant", "content": null, "tool_calls": [
    {"id": "call_1", "type": "function", "function": {"name": "look_up", "arguments": "{\"who\": \"Bob Miller\"}"}}]},
  {"role": "tool", "tool_call_id": "call_9", "content": "Bob Miller lives at 7 Elm Street"},
  {"role": "user", "content": "thanks"}
]}
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a b.json"), BROKEN).expect("a file");
    folder
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn assert_sarif(document: &Value) {
    // As it is published one pattern of it is no regular expression: a bracket too many.
    let schema = parsed(&SARIF.replace("{2}]?$\"", "{2}$\""));
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let wrong: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(!validator.is_valid(&serde_json::json!({"version": "2.1.0", "runs": [{}]})), "the schema takes anything");
    // A result names a rule that the tool tells of.
    for run in document["runs"].as_array().expect("runs") {
        for result in run["results"].as_array().expect("results") {
            let at = usize::try_from(result["ruleIndex"].as_u64().expect("a place")).expect("small");
            assert_eq!(run["tool"]["driver"]["rules"][at]["id"], result["ruleId"]);
        }
    }
}

#[test]
fn findings_in_files_have_places_in_every_form() {
    let folder = folder();
    let check = |more: &[&str]| {
        run_in(folder.path(), &[&["check", "--target", "openai", "--for", "request", "a b.json"], more].concat())
    };
    let json = check(&["--format", "json"]);
    let value = parsed(&json.out);
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/check", &value), Ok(vec![]));
    let found: Vec<(&str, u64, u64)> = value["violations"]
        .as_array()
        .expect("violations")
        .iter()
        .map(|found| {
            (
                found["rule"].as_str().expect("a rule"),
                found["line"].as_u64().unwrap(),
                found["column"].as_u64().unwrap(),
            )
        })
        .collect();
    assert!(
        found.contains(&("tool-call-without-result", 4, 5)) && found.contains(&("orphan-tool-result", 5, 3)),
        "{found:?}"
    );

    let sarif = check(&["--format", "sarif"]);
    assert_eq!((sarif.code, sarif.err.as_str()), (1, ""));
    let document = parsed(&sarif.out);
    assert_sarif(&document);
    let results = document["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), found.len());
    let location = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a%20b.json");
    assert_eq!(location["region"]["startLine"], found[0].1);

    let github = check(&["--format", "github"]);
    assert_eq!(github.out.lines().count(), found.len());
    assert!(github.out.contains("::error file=a b.json,line=5,col=3,title=orphan-tool-result::"), "{}", github.out);

    let lines = format!("{0}\n{0}\n", BROKEN.replace('\n', ""));
    fs::write(folder.path().join("lines"), lines).expect("a file");
    let said = run_in(folder.path(), &["check", "--target", "openai", "--format", "sarif", "lines"]);
    let results = parsed(&said.out)["runs"][0]["results"].clone();
    let on: Vec<u64> = results
        .as_array()
        .expect("results")
        .iter()
        .map(|result| result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().expect("a line"))
        .collect();
    assert!(on.contains(&1) && on.contains(&2), "{on:?}");
}

#[test]
fn a_run_is_told_as_sarif() {
    let folder = tempfile::tempdir().expect("a folder");
    let argument = testee(folder.path(), "narrow", "sed -u 's/\"tool_call_id\"/\"toolCallId\"/'");
    let said =
        run_in(folder.path(), &["test", "--testee", &argument, "--case", "call-*", "--format", "sarif", "-o", "found"]);
    assert_eq!((said.code, said.out.as_str()), (1, ""), "{}", said.err);
    assert_sarif(&parsed(&fs::read_to_string(folder.path().join("found")).expect("a file")));
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let said = run_in(&fixtures, &["report", "head.ndjson", "--to", "sarif"]);
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    let document = parsed(&said.out);
    assert_sarif(&document);
    let results = document["runs"][0]["results"].as_array().expect("results");
    assert!(results.len() > 2);
    for result in results {
        assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"], "CORPUS");
    }
    let prints: std::collections::BTreeSet<_> =
        results.iter().map(|result| result["partialFingerprints"].to_string()).collect();
    assert_eq!(prints.len(), results.len(), "two findings have one fingerprint");
}

#[test]
fn what_is_allowed_fails_nothing() {
    let folder = folder();
    let check = |more: &[&str]| {
        run_in(folder.path(), &[&["check", "--target", "openai", "--for", "request", "a b.json"], more].concat())
    };
    let found = parsed(&check(&["--format", "json"]).out)["violations"].as_array().expect("a list").len();
    assert!(found >= 2);
    assert_eq!(check(&["--max", &found.to_string()]).code, 0);
    assert_eq!(check(&["--max", &(found - 1).to_string()]).code, 1);
    let rules: Vec<String> = parsed(&check(&["--format", "json"]).out)["violations"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|found| found["rule"].as_str().expect("a rule").to_owned())
        .collect();
    let allow: Vec<&str> = rules.iter().flat_map(|rule| ["--allow", rule.as_str()]).collect();
    let said = check(&allow);
    assert_eq!(said.code, 0, "{}", said.out);
    assert!(said.out.contains(&format!("holds, {found} allowed")), "{}", said.out);
    let value = parsed(&check(&[&allow[..], &["--format", "json"]].concat()).out);
    assert_eq!(value["allowed"].as_array().map(Vec::len), Some(found));
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/check", &value), Ok(vec![]));
    let said = check(&["--allow", "orphan-tool-resutl"]);
    assert!(said.code == 2 && said.err.contains("did you mean `orphan-tool-result`?"), "{}", said.err);
}

#[test]
fn nothing_that_was_said_is_in_what_is_redacted() {
    let folder = folder();
    let at = folder.path();
    let private = |text: &str| ["Bob", "Miller", "Elm", "call_9", "thanks"].iter().any(|word| text.contains(word));
    for form in ["human", "json", "github", "sarif"] {
        let said = run_in(at, &["check", "--target", "openai", "--format", form, "--redact", "a b.json"]);
        assert_eq!(said.code, 1, "{}", said.err);
        assert!(said.out.contains("orphan-tool-result") && !private(&said.out), "{form}: {}", said.out);
    }
    let plain = run_in(at, &["fix", "--to", "anthropic", "--report", "plain", "a b.json"]);
    let said = run_in(at, &["fix", "--to", "anthropic", "--redact", "--report", "report", "a b.json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(plain.out, said.out, "the transcript itself is not redacted");
    let [before, report] = ["plain", "report"].map(|name| fs::read_to_string(at.join(name)).expect("a report"));
    assert!(private(&before) && !private(&report), "{report}");
    assert!(!private(&said.err), "{}", said.err);
    let value = parsed(&report);
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/report", &value), Ok(vec![]));
    assert_eq!(value["repairs"].as_array().map(Vec::len), parsed(&before)["repairs"].as_array().map(Vec::len));
    let case = run_in(at, &["case", "new", "--from", "openai.chat", "--redact", "a b.json"]);
    assert_eq!(case.code, 0, "{}", case.err);
    assert!(!private(&case.out) && case.out.contains("orphan-tool-result"), "{}", case.out);
}

#[test]
fn shells_and_readers_of_manuals_get_theirs() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    for (shell, sign) in
        [("bash", "complete -F _wirecanon"), ("zsh", "#compdef wirecanon"), ("fish", "complete -c wirecanon")]
    {
        let said = run_in(at, &["completions", shell]);
        assert!(said.code == 0 && said.out.contains(sign) && said.out.contains("redact"), "{shell}");
        // Names of a list: a target, a dialect, a rule, a class.
        for name in ["mistral", "gemini.contents", "orphan-tool-result", "tool-args"] {
            assert!(said.out.contains(name), "{shell} does not know {name}");
        }
        // A schema and an adapter have no option before them; for fish only values of options are made.
        for name in ["anthropic/messages", "pydantic-ai"] {
            assert!(said.out.contains(name) || shell == "fish", "{shell} does not know {name}");
        }
    }
    let said = run_in(at, &["man"]);
    assert!(said.code == 0 && said.out.contains(".TH wirecanon 1"), "{}", said.out);
    let said = run_in(at, &["man", "testee", "add"]);
    assert!(said.code == 0 && said.out.contains("testee") && said.out.contains("add"), "{}", said.out);
    assert_eq!(run_in(at, &["man", "--into", "pages"]).code, 0);
    let pages = fs::read_dir(at.join("pages")).expect("a folder").count();
    assert!(pages > 20, "{pages} pages");
    let said = run_in(at, &["man", "tset"]);
    assert!(said.code == 2 && said.err.contains("did you mean `test`?"), "{}", said.err);
}

#[test]
fn reports_have_schemas_by_their_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["test", "log", "check", "fix", "fuzz"] {
        let said = run_in(folder.path(), &["schema", &format!("report/{name}")]);
        assert_eq!(said.code, 0, "{}", said.err);
        assert!(parsed(&said.out)["$id"].as_str().is_some_and(|id| id.contains("/schemas/wirecanon/")), "{name}");
    }
}

#[test]
fn every_block_of_the_page_is_true() {
    const PAGE: &str = include_str!("../../../docs/reports.md");
    const TESTEES: &str = include_str!("../../../docs/testees.md");
    let folder = tempfile::tempdir().expect("a folder");
    let own = blocks(TESTEES).into_iter().find(|block| block.info == ["python"]).expect("a testee");
    fs::write(folder.path().join("pass_through.py"), own.body).expect("a script");
    use_small_corpus(folder.path());
    let request = "{\"messages\": [\n  {\"role\": \"user\", \"content\": \"go\"},\n            {\"role\": \"tool\", \"tool_call_id\": \"a\", \"content\": \"r\"}\n]}\n";
    fs::write(folder.path().join("request.json"), request).expect("a file");
    let mut tried = 0;
    for block in blocks(PAGE) {
        match block.info.as_slice() {
            ["console", "python", ..] if !have("python3", "python") => {}
            ["console", ..] => console(&block, folder.path()),
            other => panic!("a block of the unknown kind {other:?}"),
        }
        tried += 1;
    }
    assert!(tried >= 5, "only {tried} blocks were found");
}
