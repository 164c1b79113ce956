//! Generates the statics of the rule catalogue (`src/rule.rs`) from the files in `rules`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

#[path = "build/rules.rs"]
mod rules;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=targets");
    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn generate() -> Result<(), String> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("CARGO_MANIFEST_DIR is not set")?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?).join("rules.rs");
    let statics = rules::generate(&toml_files(&root.join("rules"))?, &toml_files(&root.join("targets"))?)?;
    fs::write(&out, statics).map_err(|error| format!("cannot write {}: {error}", out.display()))
}

/// Reads the TOML files of a folder. Returns their stems and texts, sorted by stem.
fn toml_files(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let failed = |path: &Path, error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, error))? {
        let path = entry.map_err(|error| failed(folder, error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(stem) = name.strip_suffix(".toml") {
            let text = fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
            // Git may check files out with CRLF; examples have LF everywhere.
            files.push((stem.to_owned(), text.replace("\r\n", "\n")));
        }
    }
    files.sort();
    Ok(files)
}
