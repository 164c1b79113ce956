//! The testee in the docs works.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::support::program::have;
use crate::support::small::use_small_corpus;

#[test]
fn the_python_testee_of_the_docs_is_judged() {
    if !have("python3", "python") {
        return;
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/testees.md");
    let docs = fs::read_to_string(docs).expect("the docs");
    let code = docs.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a Python block");
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("pass_through.py");
    fs::write(&script, code).expect("a script");
    use_small_corpus(folder.path());
    let output = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(["test", "--format", "json", "--testee"])
        .arg(format!("python3 '{}'", script.display()))
        .current_dir(folder.path())
        .output()
        .expect("the runner");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    let testee = &report["testees"][0];
    assert_eq!(testee["name"], "pass-through");
    assert_eq!(testee["remarks"], serde_json::json!([]));
    let verdicts = &testee["verdicts"];
    let count = |verdict: &str| verdicts[verdict].as_u64().unwrap_or(0);
    // Valid history passes through a program that does nothing; broken history does not become valid by it.
    assert!(count("exact") + count("faithful") > 0, "{verdicts}");
    assert!(count("rejected") > 0, "{verdicts}");
    assert!(count("unsupported") > 0, "{verdicts}");
    assert_eq!(count("hung") + count("crashed") + count("garbage"), 0, "{verdicts}");
    assert_eq!(output.status.code(), Some(1));
    let results = report["results"].as_array().expect("results");
    let broken = results.iter().find(|result| result["verdict"] == "rejected").expect("one");
    assert!(broken["violations"][0]["rule"].is_string(), "{broken}");
    assert!(broken["case"].is_string() && broken["from"] == "openai.chat" && broken["lost"].is_array(), "{broken}");
}

#[test]
fn every_dependency_has_its_note() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest: toml::Table =
        fs::read_to_string(root.join("Cargo.toml")).expect("the manifest").parse().expect("TOML");
    let page = fs::read_to_string(root.join("docs/dependencies.md")).expect("the page");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let mut noted: Vec<&str> =
        rows.flat_map(|names| names.split("`, `")).map(|name| name.trim_end_matches('`')).collect();
    noted.sort_unstable();
    let mut named: Vec<String> =
        manifest["workspace"]["dependencies"].as_table().expect("a table").keys().cloned().collect();
    for member in manifest["workspace"]["members"].as_array().expect("members").iter().filter_map(toml::Value::as_str) {
        let member: toml::Table =
            fs::read_to_string(root.join(member).join("Cargo.toml")).expect("a manifest").parse().expect("TOML");
        let tables = ["dependencies", "dev-dependencies", "build-dependencies"];
        let tables = tables.iter().filter_map(|table| member.get(*table)?.as_table());
        named.extend(tables.flat_map(toml::Table::keys).cloned());
    }
    named.retain(|name| !name.starts_with("wirecanon"));
    named.sort_unstable();
    named.dedup();
    assert_eq!(noted, named);
}
