//! Reports of a run, read by programs of others: `tap-parser` of node-tap, and `junit2json`.
//!
//! They read the goldens, which the tests of the command line hold to what is written. SARIF is held to its schema in `formats.rs`.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::program::{have, is_required};

#[test]
fn reports_are_read_by_programs_of_others() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let tools = tests.join("../../target/browser");
    if !have("node", "node") {
        return;
    }
    if !tools.join("node_modules/tap-parser").is_dir() {
        assert!(!is_required("chromium"), "run ci/browser-tools.sh: target/browser has no tap-parser");
        eprintln!("NOT RUN: ci/browser-tools.sh was not run");
        return;
    }
    let output = Command::new("node")
        .arg(tests.join("consumers/reports.mjs"))
        .arg(tests.join("golden"))
        .env("WIRECANON_BROWSER", &tools)
        .output()
        .expect("node");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let tap = &read["tap"];
    assert_eq!(tap["wrong"], json!([]), "lines that are no TAP");
    assert_eq!((&tap["count"], &tap["todo"], &tap["bailout"]), (&json!(7), &json!(1), &json!(false)), "{tap}");
    let told = json!({"ok": false, "name": "sample: call-answered-twice", "todo": null,
        "diag": {"verdict": "rejected", "to": "groq", "because": ["duplicate-tool-result at /messages/3"]}});
    assert_eq!(tap["tests"][2], told);
    let junit = &read["junit"];
    let suite = &junit["testsuite"][0];
    let cases = suite["testcase"].as_array().expect("tests");
    let with = |what: &str| cases.iter().filter(|case| case.get(what).is_some()).count();
    assert_eq!((json!(cases.len()), json!(with("failure"))), (junit["tests"].clone(), junit["failures"].clone()));
    assert_eq!((&junit["errors"], json!(with("skipped"))), (&json!(0), junit["skipped"].clone()));
    assert_eq!(cases[1]["classname"], "wirecanon.pairing");
    assert!(cases[1]["failure"][0]["inner"].as_str().is_some_and(|words| words.lines().count() == 3), "{suite}");
}
