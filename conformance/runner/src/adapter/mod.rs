//! Adapters: glue around published packages, embedded in the program. See `docs/testees.md`.
//!
//! An adapter is a folder with a `testee.toml`, the glue, and the lock of its packages; a folder without one holds what all
//! adapters of a language share.

mod install;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

pub use install::{InstallError, Installation, Step};

/// The file that makes a folder an adapter.
const MANIFEST: &str = "testee.toml";

/// Where adapters are installed, if the variable [`FOLDER_VARIABLE`] does not say otherwise.
pub const FOLDER: &str = ".wirecanon/testees";

/// The variable that names another folder to install adapters in.
pub const FOLDER_VARIABLE: &str = "WIRECANON_TESTEES";

/// What `testee.toml` says of an adapter.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    /// Its name, which is that of its folder
    pub name: String,
    /// What is tested, in one sentence
    pub title: String,
    /// The language it is written in
    pub language: Language,
    /// The lowest version of that language's program
    pub requires: String,
    /// Where the package comes from
    pub url: String,
    /// What its documentation promises
    pub says: String,
    /// Where it says so
    pub says_at: Option<String>,
    /// The layers of the package that it does not go through
    pub skips: Option<String>,
    /// Its documentation promises to repair broken histories
    #[serde(default)]
    pub repairs: bool,
    /// The words of its command; see [`Installation::launch`]
    pub command: Vec<String>,
    /// Seconds that it may take until it answers `hello`
    pub startup_seconds: Option<u64>,
    /// What is under test
    pub package: Vec<Package>,
    /// What it converts
    pub conversion: Vec<Conversion>,
    /// The same packages in another mode
    #[serde(default)]
    pub variant: Vec<Variant>,
}

wirecanon_judge::named! {
    /// A language that adapters are written in.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Language(name) {
        /// With a virtual environment and pip
        Python = "python";
        /// With npm
        Node = "node";
        /// With cargo
        Rust = "rust";
    }
}

/// A package at the version of the lock.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its name in its registry
    pub name: String,
    /// Its exact version
    pub version: String,
}

/// One pair of dialects.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversion {
    /// The dialect that it reads
    pub from: String,
    /// The dialect that it writes
    pub to: String,
    /// The only servers that it is claimed for
    pub targets: Option<Vec<String>>,
    /// The package's own functions that do it
    pub through: String,
}

/// The same installation under another name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name, which begins with the adapter's
    pub name: String,
    /// What is other
    pub title: String,
    /// The documentation promises to repair broken histories in this mode
    #[serde(default)]
    pub repairs: bool,
    /// Variables that make it so
    pub env: BTreeMap<String, String>,
}

/// Returns whether the documentation of the package of one of these adapters promises to repair broken histories; `None` for a testee that
/// is no adapter.
pub fn promises_repairs(adapters: &[Adapter], testee: &str) -> Option<bool> {
    let adapter = adapters.iter().find(|adapter| adapter.is_called(testee))?;
    Some(adapter.variant(testee).map_or(adapter.repairs, |variant| variant.repairs))
}

/// What is wrong with an embedded `testee.toml`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ManifestError {
    /// The file, and what is wrong
    pub message: String,
}

impl Adapter {
    /// Returns whether this is the name of the adapter or of one of its variants.
    fn is_called(&self, name: &str) -> bool {
        self.name == name || self.variant(name).is_some()
    }

    /// The title and the variables of a name: the adapter's own, or that of a variant.
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        self.variant.iter().find(|variant| variant.name == name)
    }

    /// Its files, with those that all adapters of its language share, by the names that they get when it is installed.
    pub fn files(&self) -> BTreeMap<&'static str, &'static [u8]> {
        let below = |folder: &str| {
            let folder = format!("{folder}/");
            wirecanon_adapters::FILES
                .iter()
                .filter_map(move |(path, text)| Some((path.strip_prefix(folder.as_str())?, *text)))
        };
        below(self.language.name()).chain(below(&self.name)).collect()
    }

    fn parse(path: &str, text: &[u8]) -> Result<Self, ManifestError> {
        let wrong = |message: &str| ManifestError { message: format!("{path}: {message}") };
        let text = std::str::from_utf8(text).map_err(|error| wrong(&error.to_string()))?;
        let adapter: Self = toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end()))?;
        if path != format!("{}/{MANIFEST}", adapter.name) {
            return Err(wrong("`name` is not that of its folder"));
        }
        if adapter.command.is_empty() || adapter.package.is_empty() || adapter.conversion.is_empty() {
            return Err(wrong("`command`, `package` and `conversion` must not be empty"));
        }
        match adapter.variant.iter().find(|variant| !variant.name.starts_with(&format!("{}-", adapter.name))) {
            Some(variant) => Err(wrong(&format!("the variant `{}` does not begin with the name", variant.name))),
            None => Ok(adapter),
        }
    }
}

/// Every adapter, by name.
///
/// # Errors
///
/// A manifest is not as it must be.
pub fn all() -> Result<Vec<Adapter>, ManifestError> {
    let manifest = |path: &str| path.matches('/').count() == 1 && path.ends_with(MANIFEST);
    wirecanon_adapters::FILES
        .iter()
        .filter(|(path, _)| manifest(path))
        .map(|(path, text)| Adapter::parse(path, text))
        .collect()
}

/// The adapter of this name, or of which this is the name of a variant.
///
/// # Errors
///
/// As [`all`].
pub fn by_name(name: &str) -> Result<Option<Adapter>, ManifestError> {
    Ok(all()?.into_iter().find(|adapter| adapter.is_called(name)))
}

/// An embedded file, by its path below the folder of adapters.
pub fn file(path: &str) -> Option<&'static [u8]> {
    wirecanon_adapters::FILES.iter().find(|(other, _)| *other == path).map(|(_, text)| *text)
}

/// The folder that adapters are installed in.
pub fn folder() -> PathBuf {
    named_folder().unwrap_or_else(|| Path::new(FOLDER).to_owned())
}

/// Whether the user named the folder that adapters are installed in.
pub fn is_folder_named() -> bool {
    named_folder().is_some()
}

fn named_folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_core::{Dialect, Target};

    #[test]
    fn every_adapter_is_whole() {
        let adapters = all().unwrap();
        assert!(!adapters.is_empty());
        let mut names = std::collections::BTreeSet::new();
        for adapter in &adapters {
            let name = &adapter.name;
            let variants = adapter.variant.iter().map(|variant| &variant.name);
            assert!(std::iter::once(name).chain(variants).all(|name| names.insert(name.clone())), "{name} twice");
            for conversion in &adapter.conversion {
                assert!(Dialect::by_name(&conversion.from).is_some(), "{name}: {}", conversion.from);
                let to = Dialect::by_name(&conversion.to);
                assert!(to.is_some(), "{name}: {}", conversion.to);
                for target in conversion.targets.iter().flatten() {
                    assert_eq!(Target::by_name(target).ok().map(|target| target.dialect), to, "{name}: {target}");
                }
            }
            assert!(adapter.title.ends_with('.') && adapter.says.ends_with('.'), "{name}");
            let files = adapter.files();
            let lock = match adapter.language {
                Language::Python => "requirements.txt",
                Language::Node => "package-lock.json",
                Language::Rust => "Cargo.lock",
            };
            let lock = files.get(lock).unwrap_or_else(|| panic!("{name} has no {lock}"));
            let lock = std::str::from_utf8(lock).unwrap();
            for package in &adapter.package {
                assert!(lock.contains(&package.version) && lock.contains(&package.name), "{name}: {}", package.name);
            }
        }
    }

    #[test]
    fn a_manifest_that_is_wrong_is_named() {
        let (path, text) = wirecanon_adapters::FILES.iter().find(|(path, _)| *path == "litellm/testee.toml").unwrap();
        let text = std::str::from_utf8(text).unwrap();
        assert!(Adapter::parse(path, text.as_bytes()).is_ok());
        let fault = |path: &str, text: String| Adapter::parse(path, text.as_bytes()).unwrap_err().message;
        assert!(fault("other/testee.toml", text.to_owned()).contains("its folder"));
        assert!(fault(path, text.replacen("language = \"python\"", "language = \"perl\"", 1)).contains("perl"));
        assert!(fault(path, format!("colour = 1\n{text}")).contains("colour"));
        assert!(fault(path, text.replacen("name = \"litellm-", "name = \"lite-", 1)).contains("lite-"));
    }

    #[test]
    fn variants_are_found_by_their_names() {
        let adapter = by_name("litellm-modify-params").unwrap().unwrap();
        assert_eq!(adapter.name, "litellm");
        assert!(adapter.variant("litellm-modify-params").is_some() && adapter.variant("litellm").is_none());
        assert_eq!(by_name("python").unwrap(), None);
    }
}
