//! The corpus as a package that a program in any language can read: plain JSON files, their schemas, and a checksum of all.
//!
//! `docs/corpus-package.md` says what is in it.

mod archive;
mod case_file;
mod folder;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use serde_json::json;
use wirecanon_cases::{not_expressible, reported, suite};
use wirecanon_core::{Target, rule};
use wirecanon_judge::case::Case;
use wirecanon_judge::case::digest::sha256;
use wirecanon_judge::exit::Stop;
use wirecanon_schemas::catalogue;

/// What the package is called.
pub const NAME: &str = "wirecanon-corpus";

/// The version of the layout of packages.
pub const LAYOUT: u32 = 1;

const README: &str = include_str!("README.md");

/// The list of files and their checksums, in the form that `sha256sum -c` reads.
const SUMS: &str = "SHA256SUMS";

/// All files of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Path below the package's folder and bytes, sorted by path
    pub files: Vec<(String, Vec<u8>)>,
    /// The checksum of all: that of `SHA256SUMS`
    pub sha256: String,
}

#[derive(Serialize)]
struct Manifest<'m> {
    wirecanon: u32,
    name: &'m str,
    version: &'m str,
    cases: usize,
    sources: usize,
    classes: BTreeMap<&'m str, usize>,
    dialects: BTreeMap<&'m str, usize>,
    tags: BTreeMap<&'m str, usize>,
    files: Vec<Listed<'m>>,
    sha256: &'m str,
}

#[derive(Serialize)]
struct Listed<'m> {
    path: &'m str,
    bytes: usize,
    sha256: String,
}

/// The package of these cases. The same cases make the same bytes, everywhere.
///
/// # Errors
///
/// The list of what no case can express contradicts the cases.
pub fn package(cases: &[Case]) -> Result<Package, String> {
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for case in cases {
        files.insert(format!("cases/{}/{}.json", case.class, case.id), case_file::render(case)?);
    }
    for (path, id) in [("schema/case.json", "wirecanon/case"), ("schema/manifest.json", "wirecanon/corpus")] {
        let schema = catalogue::by_id(id).ok_or_else(|| format!("no schema is called {id}"))?;
        files.insert(path.to_owned(), schema.text.as_bytes().to_vec());
    }
    let reports = not_expressible::load(cases).map_err(|error| error.to_string())?;
    files.insert("not-expressible.json".to_owned(), pretty(&reports)?);
    files.insert("reported.json".to_owned(), pretty(&reported::load()?)?);
    files.insert("rules.json".to_owned(), pretty(&rules())?);
    files.insert("targets.json".to_owned(), pretty(&targets())?);
    for suite in suite::all()? {
        files.insert(format!("suites/{}.json", suite.suite), pretty(&suite)?);
    }
    let readme = README.replace("{version}", env!("CARGO_PKG_VERSION")).replace("{cases}", &cases.len().to_string());
    files.insert("README.md".to_owned(), readme.into_bytes());
    let mut sums = String::new();
    for (path, bytes) in &files {
        // Writing to a string cannot fail.
        let _ = writeln!(sums, "{}  {path}", sha256(bytes));
    }
    let total = sha256(sums.as_bytes());
    let manifest = manifest(cases, &files, &total)?;
    files.insert(SUMS.to_owned(), sums.into_bytes());
    files.insert("manifest.json".to_owned(), manifest);
    Ok(Package { files: files.into_iter().collect(), sha256: total })
}

fn manifest(cases: &[Case], files: &BTreeMap<String, Vec<u8>>, total: &str) -> Result<Vec<u8>, String> {
    let counted = |words: &mut dyn Iterator<Item = &'static str>| {
        words.fold(BTreeMap::new(), |mut counts, word| {
            *counts.entry(word).or_insert(0) += 1;
            counts
        })
    };
    let mut classes = BTreeMap::new();
    let mut tags = BTreeMap::new();
    for case in cases {
        *classes.entry(case.class.as_str()).or_insert(0) += 1;
        for tag in &case.tags {
            *tags.entry(tag.as_str()).or_insert(0) += 1;
        }
    }
    pretty(&Manifest {
        wirecanon: LAYOUT,
        name: NAME,
        version: env!("CARGO_PKG_VERSION"),
        cases: cases.len(),
        sources: cases.iter().flat_map(|case| &case.source).collect::<BTreeSet<_>>().len(),
        classes,
        dialects: counted(&mut cases.iter().map(|case| case.from.name())),
        tags,
        files: files.iter().map(|(path, bytes)| Listed { path, bytes: bytes.len(), sha256: sha256(bytes) }).collect(),
        sha256: total,
    })
}

fn rules() -> Vec<serde_json::Value> {
    rule::all()
        .map(|rule| {
            json!({"id": rule.id, "title": rule.statement, "class": rule.class.slug(),
                "citations": rule.citations().collect::<Vec<_>>(), "errors": rule.errors().collect::<Vec<_>>(),
                "holds": rule.holds})
        })
        .collect()
}

fn targets() -> Vec<serde_json::Value> {
    Target::all()
        .iter()
        .map(|target| {
            json!({"id": target.name, "title": target.title, "dialect": target.dialect.name(), "sources": target.sources})
        })
        .collect()
}

fn pretty(value: &impl Serialize) -> Result<Vec<u8>, String> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| error.to_string())?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a package: as one archive if the name ends in `.tar.gz`, else into a folder.
///
/// # Errors
///
/// Something else stands there, or the disk does not take it. Then nothing has changed.
pub fn write(package: &Package, path: &Path) -> Result<(), Stop> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name.ends_with(".tar.gz") { archive::write(package, path) } else { folder::write(package, path) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_cases::corpus;
    use wirecanon_judge::case;

    fn cases() -> Vec<Case> {
        corpus::load().expect("the corpus")
    }

    #[test]
    fn every_case_reads_back_as_itself() {
        let cases = cases();
        let package = package(&cases).expect("a package");
        let mut read = 0;
        for (path, bytes) in package.files.iter().filter(|(path, _)| path.starts_with("cases/")) {
            let again = case::parse(path.trim_start_matches("cases/"), bytes).expect(path);
            let case = cases.iter().find(|case| case.id == again.id).expect("the case");
            assert_eq!((&again.input, again.from, &again.source), (&case.input, case.from, &case.source), "{path}");
            assert_eq!(
                (&again.tags, &again.deviates, &again.since),
                (&case.tags, &case.deviates, &case.since),
                "{path}"
            );
            assert_eq!(format!("{:?}", again.expect), format!("{:?}", case.expect), "{path}");
            let value: serde_json::Value = serde_json::from_slice(bytes).expect("JSON");
            let found = wirecanon_schemas::validate::validate("wirecanon/case", &value).expect("the schema");
            assert!(found.is_empty(), "{path}: {found:?}");
            read += 1;
        }
        assert_eq!(read, cases.len());
    }

    #[test]
    fn the_manifest_keeps_its_schema_and_the_sums_are_those_of_the_files() {
        let package = package(&cases()).expect("a package");
        let file = |wanted: &str| &package.files.iter().find(|(path, _)| path == wanted).expect(wanted).1;
        let manifest: serde_json::Value = serde_json::from_slice(file("manifest.json")).expect("JSON");
        let found = wirecanon_schemas::validate::validate("wirecanon/corpus", &manifest).expect("the schema");
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(manifest["sha256"], package.sha256);
        assert_eq!(sha256(file(SUMS)), package.sha256);
        let listed = manifest["files"].as_array().expect("a list");
        assert_eq!(listed.len() + 2, package.files.len());
        for entry in listed {
            assert_eq!(entry["sha256"], sha256(file(entry["path"].as_str().expect("a path"))));
        }
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
