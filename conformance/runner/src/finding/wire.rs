//! A file of findings as it is written: every key, and no other.

use serde::Deserialize;
use toml::Spanned;

use super::By;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) finding: Vec<Spanned<Entry>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// Kebab-case; says what is wrong
    pub(super) id: String,
    /// One sentence
    pub(super) title: String,
    /// A variant, where it is not the adapter itself
    pub(super) testee: Option<String>,
    /// Which of the adapter's packages; the first, if left out
    pub(super) package: Option<String>,
    pub(super) by: By,
    /// The case that found it
    pub(super) case: Option<String>,
    /// The command that found it
    pub(super) fuzz: Option<String>,
    /// A message of its own, as JSON
    pub(super) input: Option<String>,
    /// What must survive of it
    #[serde(default)]
    pub(super) keep: Vec<String>,
    /// Dialect of the message; that of the case, if left out
    pub(super) from: Option<String>,
    /// Target, or dialect by itself
    pub(super) to: String,
    pub(super) verdict: String,
    #[serde(default)]
    pub(super) because: Vec<String>,
    #[serde(default)]
    pub(super) differs: Vec<Differs>,
    /// Slug; that of the rule or the case, if left out
    pub(super) class: Option<String>,
    #[serde(default)]
    pub(super) source: Vec<String>,
    pub(super) code: String,
    pub(super) documented: String,
    #[serde(default)]
    pub(super) allowed: bool,
    /// The input is at fault already, and nobody promises to repair it; `false` where that was looked at and is not so
    pub(super) passed_on: Option<bool>,
    /// The models of which servers refused such requests, where others take them
    pub(super) models: Option<String>,
    /// Reports of this to the project
    #[serde(default)]
    pub(super) reported: Vec<String>,
    /// The version that does it no more
    pub(super) fixed: Option<String>,
    pub(super) suffers: String,
    #[serde(default)]
    pub(super) also: Vec<Also>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Differs {
    pub(super) at: String,
    pub(super) stands: Option<String>,
    pub(super) must: Option<String>,
    pub(super) why: String,
}

/// What is left out is as in the entry.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Also {
    pub(super) testee: Option<String>,
    pub(super) case: Option<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    /// The rules of the entry at any place, if left out
    #[serde(default)]
    pub(super) because: Vec<String>,
}
