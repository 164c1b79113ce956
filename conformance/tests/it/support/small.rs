//! A small corpus, for tests of what the program does with a run: the whole one takes seconds for each.

use std::fs;
use std::path::{Path, PathBuf};

/// Copies a part of the corpus into `corpus` in this folder, and writes a `wirecanon.toml` there that names it.
pub(crate) fn use_small_corpus(folder: &Path) {
    let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (class, start) in [("tool-name", ""), ("pairing", "openai-"), ("pairing", "mistral-")] {
        let into = folder.join("corpus").join(class);
        fs::create_dir_all(&into).expect("a folder");
        for entry in fs::read_dir(from.join(class)).expect("a class") {
            let entry = entry.expect("a case");
            if entry.file_name().to_string_lossy().starts_with(start) {
                fs::copy(entry.path(), into.join(entry.file_name())).expect("a case");
            }
        }
    }
    fs::write(folder.join("wirecanon.toml"), "[test]\ncorpus = \"corpus\"\n\n[gate]\ncorpus = \"corpus\"\n")
        .expect("a file");
}
