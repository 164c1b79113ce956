//! The judge stands alone: what it imports, and that its rules are in the catalogue.

use std::fs;
use std::path::{Path, PathBuf};

/// Every source file of the judge.
pub(super) fn sources() -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a source file");
                found.push((path, text));
            }
        }
    }
    found
}

/// What stands after `crate::` in a line, as far as names go.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let after = line.split("crate::").skip(1);
    after.flat_map(|path| match path.strip_prefix('{').and_then(|paths| paths.split_once('}')) {
        Some((paths, _)) => paths.split(',').map(str::trim).collect(),
        None => vec![path],
    })
}

/// Whether the judge may use this path of the crate.
fn allowed(path: &str) -> bool {
    const WHOLE: &[&str] = &["check", "json", "rule", "target", "Error", "ErrorKind"];
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let first = name(path);
    let rest = &path[first.len()..];
    match &*first {
        "dialect" => rest.strip_prefix("::").is_some_and(|rest| name(rest) == "Dialect"),
        "convert" => rest.strip_prefix("::").is_some_and(|rest| name(rest) == "Mode"),
        first => WHOLE.contains(&first),
    }
}

#[test]
fn the_judge_imports_nothing_that_it_judges() {
    let mut seen = 0;
    for (path, text) in sources() {
        if path.ends_with("tests/source.rs") {
            continue;
        }
        for line in text.lines() {
            for import in paths(line) {
                seen += 1;
                assert!(allowed(import), "{}: `crate::{import}`", path.display());
            }
            // The same rooms by another door.
            let outside = if path.ends_with("check/mod.rs") { "super::" } else { "super::super::" };
            assert!(!line.contains(outside), "{}: {line}", path.display());
        }
    }
    assert!(seen > 20, "the sources of the judge were not found: {seen} imports");
}

#[test]
fn a_forbidden_import_is_seen() {
    for bad in [
        "dialect::read",
        "dialect::{Dialect, read}",
        "repair",
        "write",
        "media",
        "convert::fix",
        "transcript",
        "write}",
    ] {
        assert!(!allowed(bad), "{bad}");
    }
    for good in ["json::Value", "dialect::Dialect;", "convert::Mode", "rule::{self, Rule}", "Error;"] {
        assert!(allowed(good), "{good}");
    }
}

#[test]
fn no_file_of_the_judge_is_long() {
    for (path, text) in sources() {
        assert!(text.lines().count() <= 600, "{}", path.display());
    }
}
