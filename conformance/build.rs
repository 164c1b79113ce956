//! Lists every case of the corpus for `src/corpus.rs`, which embeds them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("corpus");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = String::from("&[\n");
    for class in entries(&root).into_iter().filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", class.display());
        for case in entries(&class).into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "json")) {
            let name = format!("{}/{}", file_name(&class), file_name(&case));
            let path = case.display().to_string();
            writeln!(list, "    ({name:?}, include_bytes!({path:?})),").expect("a string takes text");
        }
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("corpus.rs");
    fs::write(out, list).expect("the build folder takes files");
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
