//! Embeds the files of a folder in the crate whose build script calls [`files`].
//!
//! A folder of data is a package of its own, because `cargo package` packs only what is below a manifest.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Folders that installers and interpreters leave behind.
const LEFT_BEHIND: [&str; 4] = ["node_modules", "target", "venv", "__pycache__"];

/// Writes the list `name` for `include!`: the path of each file below a folder of the package, and its bytes, sorted by path. Hidden files,
/// and what installers and interpreters leave behind, are not embedded, nor is what `is_embedded` refuses.
///
/// # Errors
///
/// The list cannot be written, or this is no build script.
pub fn files(folder: &str, name: &str, is_embedded: impl Fn(&Path) -> bool) -> io::Result<()> {
    let root = variable("CARGO_MANIFEST_DIR")?.join(folder);
    let mut list = String::from("&[\n");
    for (name, path) in below(&root).into_iter().filter(|(name, _)| is_embedded(Path::new(name))) {
        // Writing to a string cannot fail.
        let _ = writeln!(list, "    ({name:?}, include_bytes!({:?})),", path.display().to_string());
    }
    list.push(']');
    fs::write(variable("OUT_DIR")?.join(name), list)
}

fn variable(name: &str) -> io::Result<PathBuf> {
    env::var_os(name).map(PathBuf::from).ok_or_else(|| io::Error::other(format!("cargo has not set {name}")))
}

fn below(root: &Path) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    let mut open = vec![(String::new(), root.to_owned())];
    while let Some((name, path)) = open.pop() {
        let last = file_name(&path);
        if last.starts_with('.') || LEFT_BEHIND.contains(&last.as_str()) {
            continue;
        }
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            open.extend(entries(&path).into_iter().map(|path| (format!("{name}/{}", file_name(&path)), path)));
        } else if path.is_file() {
            files.push((name.trim_start_matches('/').to_owned(), path));
        }
    }
    files.sort();
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(list) = fs::read_dir(folder) else { return Vec::new() };
    list.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
