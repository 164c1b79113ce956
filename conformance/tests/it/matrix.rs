//! The script that makes the matrix of testees names what is missing.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the script with logs that are there already, and no adapter installed.
fn script(logs: &Path, args: &[&str]) -> Output {
    Command::new(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ci/matrix.sh"))
        .args(args)
        .env("WIRECANON", env!("CARGO_BIN_EXE_wirecanon"))
        .env("WIRECANON_TESTEES", logs.join("none"))
        .env("MATRIX_LOGS", logs)
        .output()
        .expect("a shell")
}

#[test]
fn the_script_says_what_is_missing_and_writes_nothing_then() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path();
    let log = include_str!("../fixtures/head.ndjson");
    for name in ["agno", "strands"] {
        let log = log.replace("./sample.sh", name).replace("\"sample\"", &format!("\"{name}\""));
        fs::write(logs.join(format!("{name}.ndjson")), log).expect("a file");
    }
    let whole = script(logs, &["--again", "agno", "strands"]);
    let out = String::from_utf8_lossy(&whole.stdout);
    assert_eq!(whole.status.code(), Some(0), "{}", String::from_utf8_lossy(&whole.stderr));
    assert!(out.contains("| agno | 1.3.0 | 6 |") && out.contains("| strands | 1.3.0 | 6 |"), "{out}");

    let without = script(logs, &["--again", "agno", "litellm"]);
    let said = String::from_utf8_lossy(&without.stderr);
    assert_eq!(without.status.code(), Some(3), "{said}");
    assert!(said.contains("wirecanon testee add litellm") && said.contains("not run: litellm"), "{said}");
    assert!(String::from_utf8_lossy(&without.stdout).contains("| agno |"), "what was run is shown");

    let left_out = script(logs, &["--again", "--without", "litellm", "agno", "litellm"]);
    assert_eq!(left_out.status.code(), Some(0), "{}", String::from_utf8_lossy(&left_out.stderr));
    assert!(String::from_utf8_lossy(&left_out.stdout).ends_with("\nNot run: litellm.\n"));

    assert_eq!(script(logs, &["--write", "agno"]).status.code(), Some(2));
    assert_eq!(script(logs, &["--nonsense"]).status.code(), Some(2));
}
