//! ARCHITECTURE.md lists the crates and their dependencies as cargo knows them, and each depends on crates above it alone.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const PAGE: &str = include_str!("../../../ARCHITECTURE.md");

/// Returns the rows of the list: the folder of a crate, and the names of the crates that it depends on.
fn listed() -> Vec<(String, Vec<String>)> {
    let list = PAGE.split("<!-- crates: begin -->").nth(1).and_then(|rest| rest.split("<!-- crates: end -->").next());
    let lines = list
        .expect("a list of crates")
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("```"));
    let row = |line: &str| {
        let (folder, names) = line.split_once(' ').unwrap_or((line, ""));
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(package).collect();
        (folder.to_owned(), names)
    };
    lines.map(row).collect()
}

/// Returns the name of a package that the list shortens.
fn package(short: &str) -> String {
    if short == "wirecanon" { short.to_owned() } else { format!("wirecanon-{short}") }
}

/// Returns the packages of the workspace by folder: the name of each, and the packages of the workspace that it depends on outside tests.
fn packages() -> BTreeMap<String, (String, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace");
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(&root)
        .output()
        .expect("cargo starts");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let metadata: Value = serde_json::from_slice(&cargo.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let is_member = |name: &str| packages.iter().any(|package| package["name"] == name);
    let entry = |package: &Value| {
        let folder = Path::new(package["manifest_path"].as_str()?).parent()?.strip_prefix(&root).ok()?;
        let used = package["dependencies"].as_array()?.iter().filter(|used| used["kind"] != "dev");
        let mut used: Vec<_> = used.filter_map(|used| used["name"].as_str()).filter(|name| is_member(name)).collect();
        used.sort_unstable();
        used.dedup();
        let used = used.into_iter().map(str::to_owned).collect();
        Some((folder.display().to_string(), (package["name"].as_str()?.to_owned(), used)))
    };
    packages.iter().map(|package| entry(package).expect("a package of the workspace")).collect()
}

#[test]
fn the_list_of_crates_is_that_of_cargo() {
    let (listed, packages) = (listed(), packages());
    let folders: Vec<_> = listed.iter().map(|(folder, _)| folder).collect();
    let missing: Vec<_> = packages.keys().filter(|folder| !folders.contains(folder)).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md does not list {missing:?}");
    for (folder, names) in &listed {
        let (_, used) = packages.get(folder).unwrap_or_else(|| panic!("there is no crate in {folder}"));
        let mut names = names.clone();
        names.sort_unstable();
        assert_eq!(&names, used, "dependencies of {folder}");
    }
}

#[test]
fn each_crate_depends_on_crates_above_it_alone() {
    let packages = packages();
    let mut above: Vec<String> = Vec::new();
    for (folder, used) in listed() {
        for name in &used {
            assert!(above.contains(name), "{folder} depends on {name}, which is not listed above it");
        }
        above.push(packages[&folder].0.clone());
    }
    assert!(above.len() > 20, "{above:?}");
}

#[test]
fn the_check_and_the_observers_share_nothing_with_what_they_judge() {
    for folder in ["core/check", "core/observe"] {
        assert_eq!(packages()[folder].1, ["wirecanon-json", "wirecanon-model"], "{folder}");
    }
}
