//! The matrix in README.md is of the adapters that stand here, at the versions that they pin; and its script says what is missing.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use wirecanon::adapter;
use wirecanon_core::rule::Class;

const README: &str = include_str!("../../README.md");

/// The cells of each line of the matrix, without the line under the head.
fn matrix() -> Vec<Vec<&'static str>> {
    let body = README.split("<!-- matrix: begin -->").nth(1).expect("a beginning");
    let body = body.split("<!-- matrix: end -->").next().expect("an end");
    let lines = body.lines().filter(|line| line.starts_with("| "));
    lines.map(|line| line.trim_matches(['|', ' ']).split(" | ").collect()).collect()
}

#[test]
fn the_matrix_is_of_the_adapters_and_the_versions_that_they_pin() {
    let mut pinned = BTreeMap::from([("reference".to_owned(), None)]);
    for adapter in adapter::all().expect("the adapters are whole") {
        let version = adapter.package.first().map(|package| package.version.clone());
        for name in adapter.variant.iter().map(|variant| &variant.name).chain([&adapter.name]) {
            pinned.insert(name.clone(), version.clone());
        }
    }
    let rows = matrix();
    for row in rows.iter().skip(1) {
        let version = pinned.remove(row[0]).unwrap_or_else(|| panic!("the README has `{}`, or has it twice", row[0]));
        if let Some(version) = version {
            assert_eq!(row[1], version, "{}: make the matrix again: ci/matrix.sh --add --write", row[0]);
        }
    }
    // Whom the script was told to leave out, it names.
    let left_out = README.lines().find_map(|line| line.strip_prefix("Not run: ")).unwrap_or("").trim_end_matches('.');
    pinned.retain(|name, _| !left_out.split(", ").any(|one| one == name));
    assert!(pinned.is_empty(), "not in the README: {:?}; ci/matrix.sh --add --write", pinned.keys());
}

#[test]
fn the_matrix_has_every_class_and_the_worst_stand_first() {
    let rows = matrix();
    let (head, rows) = rows.split_first().expect("a head");
    assert_eq!(head[..4], ["testee", "version", "cases", "all"]);
    let mut classes = head[4..].to_vec();
    classes.sort_unstable();
    let mut slugs: Vec<_> = Class::ALL.iter().map(|class| class.slug()).collect();
    slugs.sort_unstable();
    assert_eq!(classes, slugs);
    let percent = |cell: &str| cell.parse::<u8>().unwrap_or_else(|_| panic!("`{cell}` is no share"));
    let shares: Vec<u8> = rows.iter().map(|row| percent(row[3])).collect();
    assert!(shares.is_sorted() && shares.last() == Some(&100), "{shares:?}");
    for row in rows {
        assert_eq!(row.len(), head.len(), "{row:?}");
        assert!(row[4..].iter().all(|cell| *cell == "–" || percent(cell) <= 100), "{row:?}");
    }
}

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
    let log = include_str!("fixtures/head.ndjson");
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
