//! The kit for a testee of one's own: a folder that runs as it is, with one function to fill in. See `docs/testees.md`.
//!
//! The files stand in `conformance/kit/<language>` and are embedded in the program; the line protocol beside them is that of the
//! adapters, where these have the language.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use wirecanon_runner::adapter;

/// Path below the folder of the kit, and text.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/kit.rs"));

/// What a testee is called in the files. Each of them runs and is tested as it stands.
const PLACEHOLDER: &str = "my-testee";

/// The folder that is written if none is named.
pub const FOLDER: &str = PLACEHOLDER;

wirecanon_judge::named! {
    /// A language that the kit has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
    pub enum Language(name) {
        /// Python 3.9 or later, its standard library alone
        Python = "python";
        /// Node 20 or later, without npm; types are checked by TypeScript
        #[value(name = "typescript", alias = "javascript")]
        TypeScript = "typescript";
        /// A crate beside yours, with `serde_json`
        Rust = "rust";
        /// Go 1.19 or later, its standard library alone
        Go = "go";
    }
}

impl Language {
    /// The file of the function that is to be filled in.
    pub fn conversion(self) -> &'static str {
        match self {
            Self::Python => "conversion.py",
            Self::TypeScript => "conversion.mjs",
            Self::Rust => "src/conversion.rs",
            Self::Go => "conversion.go",
        }
    }

    /// The file that says what is converted.
    pub fn adapter(self) -> &'static str {
        match self {
            Self::Python => "adapter.py",
            Self::TypeScript => "adapter.mjs",
            Self::Rust => "src/main.rs",
            Self::Go => "main.go",
        }
    }

    /// The file of its test, and the command in the folder that runs it.
    pub fn test(self) -> (&'static str, &'static str) {
        match self {
            Self::Python => ("test_conversion.py", "python3 -m unittest"),
            Self::TypeScript => ("conversion.test.mjs", "node --test"),
            Self::Rust => ("tests/protocol.rs", "cargo test"),
            Self::Go => ("conversion_test.go", "go test"),
        }
    }

    /// The folder and the file of the line protocol that all adapters of the language share, and where it goes.
    fn shared(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Python => Some(("python/wirecanon_testee.py", "wirecanon_testee.py")),
            Self::TypeScript => Some(("node/wirecanon-testee.mjs", "wirecanon-testee.mjs")),
            Self::Rust => Some(("rust/wirecanon_testee.rs", "src/wirecanon_testee.rs")),
            Self::Go => None,
        }
    }

    /// The words that build the testee in a folder, if it must be built, and those that start it.
    pub fn commands(self, folder: &str) -> (Option<String>, String) {
        match self {
            Self::Python => (None, format!("python3 {folder}/adapter.py")),
            Self::TypeScript => (None, format!("node {folder}/adapter.mjs")),
            Self::Rust => (
                Some(format!(
                    "cargo build --quiet --release --manifest-path {folder}/Cargo.toml --target-dir {folder}/target"
                )),
                format!("{folder}/target/release/testee"),
            ),
            Self::Go => (Some(format!("(cd {folder} && go build -o testee)")), format!("{folder}/testee")),
        }
    }
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum KitError {
    /// Something of this name is there
    #[error("{}: is there already, and nothing is overwritten: name a new folder", .0.display())]
    Exists(PathBuf),
    /// The folder could not be written
    #[error("{}: cannot be written: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
}

/// The files of a testee of this name, by their paths in its folder.
pub fn files(language: Language, name: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = format!("{}/", language.name());
    let mut files = BTreeMap::new();
    for (path, text) in FILES {
        let Some(path) = path.strip_prefix(folder.as_str()) else { continue };
        files.insert(placed(path).to_owned(), named(text, name));
    }
    if let Some((shared, path)) = language.shared()
        && let Some(text) = adapter::file(shared)
    {
        files.insert(path.to_owned(), text.to_vec());
    }
    files
}

/// Where a file goes whose name here would be taken for this repository's own: cargo leaves a folder with a manifest of its own out of
/// the package that it stands in.
fn placed(path: &str) -> &str {
    match path {
        "gitignore" => ".gitignore",
        "manifest.toml" => "Cargo.toml",
        other => other,
    }
}

fn named(text: &[u8], name: &str) -> Vec<u8> {
    std::str::from_utf8(text).map_or_else(|_| text.to_vec(), |text| text.replace(PLACEHOLDER, name).into_bytes())
}

/// What a testee in this folder is called: the folder's own name, in letters that every language takes.
pub fn name_of(folder: &Path) -> String {
    let last = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let kept: String =
        last.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' || c == '_' { c } else { '-' }).collect();
    let kept = kept.trim_matches(['-', '.']);
    if kept.is_empty() { PLACEHOLDER.to_owned() } else { kept.to_owned() }
}

/// Writes a testee into a new folder: beside it, and renamed when it is whole. Returns its name.
///
/// # Errors
///
/// Something of that name is there, or the disk does not take it.
pub fn write(language: Language, folder: &Path) -> Result<String, KitError> {
    let fault = |error: io::Error| KitError::Io(folder.to_owned(), error);
    let path = std::path::absolute(folder).map_err(fault)?;
    if fs::symlink_metadata(&path).is_ok() {
        return Err(KitError::Exists(folder.to_owned()));
    }
    let name = name_of(&path);
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(fault)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(wirecanon_report::outfile::TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    let beside = builder.tempdir_in(parent).map_err(fault)?;
    for (file, text) in files(language, &name) {
        let file = beside.path().join(file);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(fault)?;
        }
        fs::write(file, text).map_err(fault)?;
    }
    fs::rename(beside.path(), &path).map_err(|error| match fs::symlink_metadata(&path) {
        Ok(_) => KitError::Exists(folder.to_owned()),
        Err(_) => KitError::Io(folder.to_owned(), error),
    })?;
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_is_whole() {
        for language in Language::ALL {
            let name = language.name();
            let files = files(language, "other");
            for file in [language.conversion(), language.adapter(), language.test().0] {
                let text = files.get(file).unwrap_or_else(|| panic!("{name} has no {file}"));
                assert!(!text.is_empty(), "{name}: {file}");
            }
            let text = |path: &str| String::from_utf8(files[path].clone()).expect("text");
            assert!(text(language.adapter()).contains("\"other\""), "{name} does not say its name");
            let conversion = text(language.conversion());
            assert!(conversion.contains("Here goes your"), "{name} does not say what to fill in");
            assert!(files.keys().any(|path| path.contains("testee.")), "{name} has no protocol: {:?}", files.keys());
            let bytes: Vec<u8> = files.values().flatten().copied().collect();
            assert!(!String::from_utf8_lossy(&bytes).contains(PLACEHOLDER), "{name}");
        }
        let rust = files(Language::Rust, "x");
        assert!(rust.contains_key(".gitignore") && rust.contains_key("Cargo.toml"), "{:?}", rust.keys());
    }

    #[test]
    fn a_name_has_only_plain_letters() {
        assert_eq!(name_of(Path::new("/a/My Testee\"\\")), "my-testee");
        assert_eq!(name_of(Path::new("x/litellm_1.2")), "litellm_1.2");
        assert_eq!(name_of(Path::new("/")), PLACEHOLDER);
        assert_eq!(name_of(Path::new("x/…")), PLACEHOLDER);
    }

    #[test]
    fn nothing_is_overwritten_and_nothing_left_beside() {
        let below = tempfile::tempdir().expect("a folder");
        let folder = below.path().join("deep/mine");
        assert_eq!(write(Language::Go, &folder).expect("a testee"), "mine");
        let before = fs::read(folder.join("main.go")).expect("a file");
        let error = write(Language::Python, &folder).expect_err("it is there").to_string();
        assert!(error.contains("is there already"), "{error}");
        assert_eq!(fs::read(folder.join("main.go")).expect("a file"), before);
        assert!(!folder.join("adapter.py").exists());
        let left: Vec<_> = fs::read_dir(below.path().join("deep")).expect("a folder").flatten().collect();
        assert_eq!(left.len(), 1, "{left:?}");
        // A file in the way of the folder's parent.
        assert!(matches!(write(Language::Go, &folder.join("main.go/x")), Err(KitError::Io(..))));
    }
}
