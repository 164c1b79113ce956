//! Texts that people read, held as files in `tests/golden`.

use std::path::PathBuf;
use std::{env, fs};

/// Holds a text against its file; with `BLESS=1` writes the file anew.
pub(crate) fn golden(name: &str, actual: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if env::var_os("BLESS").is_some() {
        fs::write(&path, actual).expect("a golden file");
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(expected, actual, "{name} differs; BLESS=1 writes it anew");
}
