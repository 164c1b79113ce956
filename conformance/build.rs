//! Lists every case of the corpus for `src/corpus.rs`, every frozen suite for `src/suite.rs`, every file of the adapters for
//! `src/adapter/`, of the findings for `src/finding/`, and of the kit for `src/kit.rs`, which embed them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let corpus = root.join("corpus");
    println!("cargo::rerun-if-changed={}", corpus.display());
    let mut cases = Vec::new();
    for class in entries(&corpus).into_iter().filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", class.display());
        cases.extend(jsons(&class).map(|case| (format!("{}/{}", file_name(&class), file_name(&case)), case)));
    }
    write("corpus.rs", &cases);
    let suites = root.join("suites");
    println!("cargo::rerun-if-changed={}", suites.display());
    write("suites.rs", &jsons(&suites).map(|suite| (file_name(&suite), suite)).collect::<Vec<_>>());
    write("adapters.rs", &below(&root.join("adapters")));
    write("findings.rs", &below(&root.join("findings")));
    write("kit.rs", &below(&root.join("kit")));
}

/// Every file below a folder, by its path from there. What installers and interpreters leave behind is no part of it.
fn below(root: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let mut open = vec![(String::new(), root.to_owned())];
    while let Some((name, path)) = open.pop() {
        let last = file_name(&path);
        if last.starts_with('.') || ["node_modules", "target", "venv", "__pycache__"].contains(&last.as_str()) {
            continue;
        }
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            let inside = entries(&path).into_iter();
            open.extend(inside.map(|path| (format!("{name}/{}", file_name(&path)), path)));
        } else if path.is_file() {
            files.push((name.trim_start_matches('/').to_owned(), path));
        }
    }
    files.sort();
    files
}

fn write(name: &str, files: &[(String, PathBuf)]) {
    let mut list = String::from("&[\n");
    for (name, path) in files {
        let path = path.display().to_string();
        writeln!(list, "    ({name:?}, include_bytes!({path:?})),").expect("a string takes text");
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join(name);
    fs::write(out, list).expect("the build folder takes files");
}

fn jsons(folder: &Path) -> impl Iterator<Item = PathBuf> {
    entries(folder).into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "json"))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(list) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = list.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    paths
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
