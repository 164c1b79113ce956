//! `wirecanon gen`: the same bytes for the same seed, outcomes that are right, and errors that say where.

use std::fs;
use std::path::Path;
use std::process::Command;

use arbitrary::Unstructured;
use serde_json::Value;
use wirecanon_core::{Dialect, From, Mode, Options, Target, fix};
use wirecanon_generate as generate;
use wirecanon_generate::defect;

use crate::support::running::run_in;

fn run(args: &[&str]) -> (i32, String, String) {
    run_in(Path::new("."), args).parts()
}

fn made(args: &[&str]) -> String {
    let (code, out, err) = run(&[&["gen"], args].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    out
}

/// One line on stderr that has all these words, and nothing on stdout.
fn assert_refused(args: &[&str], words: &[&str]) {
    let (code, out, err) = run(&[&["gen"], args].concat());
    assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{args:?}: {err}");
    for word in words {
        assert!(err.contains(word), "`{word}` is not in: {err}");
    }
}

#[test]
fn every_dialect_is_made_and_holds_by_its_own_judge() {
    for dialect in generate::Dialect::ALL {
        let lines = made(&["--dialect", dialect.name(), "-n", "20"]);
        assert_eq!(lines.lines().count(), 20);
        let target = Target::by_name(dialect.name()).expect("every dialect is a target");
        for line in lines.lines() {
            let options = Options {
                from: From::Dialect(target.dialect),
                to: Some(target),
                mode: Mode::History,
                ..Options::default()
            };
            let fixed = fix(line.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(fixed.output, line.as_bytes(), "{}", dialect.name());
        }
    }
}

#[test]
fn a_revision_is_made_by_its_name() {
    for revision in generate::Revision::ALL {
        let name = format!("mcp.tool-result@{}", revision.name());
        let lines = made(&["--dialect", &name, "-n", "30", "--with-outcome"]);
        let schema = format!("mcp/{}/tool-result", revision.name());
        let schema = wirecanon_schemas::validate::Validator::new(&schema).expect("a schema");
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(line["from"], name.as_str());
            let input: Value = serde_json::from_str(line["input_text"].as_str().expect("text")).expect("JSON");
            assert_eq!(schema.mismatches(&input), [], "{input}");
        }
    }
    assert_refused(&["--dialect", "mcp.tool-result@2025-06-19"], &["no revision `2025-06-19`", "2025-06-18"]);
    assert_refused(&["--dialect", "openai.chat@2025-06-18"], &["has no revisions"]);
}

#[test]
fn files_hold_what_lines_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("made");
    let out = place.display().to_string();
    let common = ["--dialect", "openclaw", "-n", "11", "--seed", "3"];
    assert_eq!(made(&[&common[..], &["--format", "dir", "--out", &out]].concat()), "");
    let mut names: Vec<_> =
        fs::read_dir(&place).expect("it is there").map(|entry| entry.expect("a file").path()).collect();
    names.sort();
    assert_eq!(names.len(), 11);
    assert!(names[0].ends_with("00.json") && names[10].ends_with("10.json"), "{names:?}");
    let lines = made(&common);
    let mut broken_lines = 0;
    for (name, line) in names.iter().zip(lines.lines()) {
        let text = fs::read_to_string(name).expect("text");
        broken_lines += usize::from(text.trim().contains('\n'));
        let [one, two] = [&text[..], line].map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
        assert_eq!(one, two);
    }
    assert!(broken_lines > 0, "no document had lines");
    // What is there stays.
    assert_refused(&[&common[..], &["--format", "dir", "--out", &out]].concat(), &["made", "not empty"]);
    let named = folder.path().join("lines.jsonl").display().to_string();
    assert_eq!(made(&[&common[..], &["--out", &named]].concat()), "");
    assert_eq!(fs::read_to_string(&named).expect("text"), lines);
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// Takes out what only one dialect can read again, and who signed.
fn without_what_one_dialect_knows(value: &mut Value) {
    if let Some(members) = value.as_object_mut() {
        members.retain(|key, _| key != "native" && key != "origin");
        members.values_mut().for_each(without_what_one_dialect_knows);
    }
    value.as_array_mut().into_iter().flatten().for_each(without_what_one_dialect_knows);
}

/// What `--with-outcome` says is so, by the reference.
fn assert_true(line: &Value, input: &[u8]) -> &'static str {
    let from =
        line["from"].as_str().and_then(|name| name.split('@').next()).and_then(Dialect::by_name).expect("a dialect");
    let canonical = Target::of_dialect(Dialect::Canonical);
    let options = Options { from: From::Dialect(from), to: Some(canonical), mode: Mode::Request, ..Options::default() };
    match fix(input, &options) {
        Err(_) => {
            assert!(line["may_refuse"] == true || line["effect"] == "refuse", "refused: {line}");
            "refused"
        }
        Ok(fixed) => {
            assert_ne!(line["effect"], "refuse", "{line}");
            let entries = fixed.report.repairs.iter().chain(&fixed.report.notes);
            let reported: Vec<&str> = entries.map(|entry| entry.rule).collect();
            for rule in line["rules"].as_array().expect("rules") {
                assert!(reported.contains(&rule.as_str().expect("a rule")), "{rule} is not among {reported:?}: {line}");
            }
            let Some(expected) = line.get("canonical") else { return "property" };
            let mut found: Value = serde_json::from_slice(&fixed.output).expect("JSON");
            if from != Dialect::Canonical {
                without_what_one_dialect_knows(&mut found);
            }
            assert_eq!(found, *expected, "{line}");
            "exact"
        }
    }
}

#[test]
fn a_known_outcome_is_what_the_reference_does() {
    let schema = wirecanon_schemas::validate::Validator::new("wirecanon/generated").expect("a schema");
    let mut seen = std::collections::BTreeMap::<_, usize>::new();
    for dialect in generate::Dialect::ALL {
        for broken in [&["--defect", "any"][..], &[]] {
            let lines = made(&[&["--dialect", dialect.name(), "--with-outcome", "-n", "60"], broken].concat());
            for line in lines.lines() {
                let line: Value = serde_json::from_str(line).expect("JSON");
                assert_eq!(schema.mismatches(&line), [], "{line}");
                assert_eq!(line["defects"].as_array().map(Vec::is_empty), Some(broken.is_empty()));
                let base64 = |text: &str| base64_simd::STANDARD.decode_to_vec(text).expect("base64");
                let text = line["input_text"].as_str().map(|text| text.as_bytes().to_vec());
                let input = text.or_else(|| line["input_base64"].as_str().map(base64)).expect("an input");
                *seen.entry(assert_true(&line, &input)).or_default() += 1;
            }
        }
    }
    assert!(seen.get("property").is_some_and(|count| *count > 50), "{seen:?}");
}

#[test]
fn an_outcome_beside_a_file_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("made");
    let out = place.display().to_string();
    made(&["--dialect", "canonical", "--defect", "any", "--with-outcome", "-n", "3", "--format", "dir", "--out", &out]);
    for number in 0..3 {
        let text = fs::read(place.join(format!("{number}.outcome.json"))).expect("an outcome");
        let outcome: Value = serde_json::from_slice(&text).expect("JSON");
        assert_eq!((&outcome["number"], &outcome["file"]), (&number.into(), &format!("{number}.json").into()));
        assert_true(&outcome, &fs::read(place.join(format!("{number}.json"))).expect("an input"));
    }
}

#[test]
fn every_defect_that_is_listed_can_be_asked_for() {
    let (code, out, _) = run(&["list", "defects", "--format", "json"]);
    assert_eq!(code, 0);
    let listed: Value = serde_json::from_str(&out).expect("JSON");
    let wrong = wirecanon_schemas::validate::validate("wirecanon/list", &listed).expect("a schema");
    assert!(wrong.is_empty(), "{wrong:?}");
    let listed = listed.as_array().expect("a list");
    assert_eq!(listed.len(), defect::all().len());
    for row in listed {
        let id = row["id"].as_str().expect("an id");
        let dialects = row["dialects"].as_array().expect("dialects");
        let dialects: Vec<_> = dialects.iter().filter_map(|name| generate::Dialect::by_name(name.as_str()?)).collect();
        let one = defect::by_id(id).expect("it is listed");
        for dialect in &dialects {
            let breaks = |attempt| {
                let bytes = generate::stream(1, 0, attempt, 1000);
                generate::broken_by(&mut Unstructured::new(&bytes), *dialect, &[one]).is_some()
            };
            assert!((0..2000).any(breaks), "{id} breaks nothing in {}", dialect.name());
        }
        let dialect = dialects.first().unwrap_or_else(|| panic!("{id} breaks no dialect")).name();
        let line = made(&["--dialect", dialect, "--defect", id, "--with-outcome"]);
        let line: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line["defects"], serde_json::json!([id]), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn whoever_has_read_enough_ends_it() {
    let program = env!("CARGO_BIN_EXE_wirecanon");
    let command = format!("('{program}' gen --dialect canonical -n 100000000; echo $? >&2) | head -n 2");
    let output = Command::new("sh").args(["-c", &command]).output().expect("a shell");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "0\n");
}
