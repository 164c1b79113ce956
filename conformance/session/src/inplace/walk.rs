//! The files that are meant by what the user named: each file, and in a folder all that may be a session.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;
use wirecanon_judge::exit::Stop;
use wirecanon_judge::plain;

use crate::inplace::TEMPORARY;

/// Endings of names that a session may have.
const ENDINGS: &[&str] = &["json", "jsonl", "ndjson"];

/// Folders in which nobody keeps sessions.
const PASSED: &[&str] = &[".git", "node_modules"];

/// A file to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Where it is
    pub path: PathBuf,
    /// The folder that the user named, if the file was found in it: then the file may be something else
    pub root: Option<PathBuf>,
}

impl Named {
    /// Whether it was found in a folder.
    pub fn is_found(&self) -> bool {
        self.root.is_some()
    }
}

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// The files, in order
    pub files: Vec<Named>,
    /// What was passed over, and why
    pub skipped: Vec<(PathBuf, String)>,
    /// Files of folders whose names say that they are no JSON
    pub others: usize,
    /// Whether a folder could not be read, so that nobody knows what is in it
    pub incomplete: bool,
}

impl Walked {
    /// Whether anything but files was named.
    pub fn is_of_folders(&self) -> bool {
        self.others > 0 || !self.skipped.is_empty() || self.files.iter().any(Named::is_found)
    }
}

/// The files that these names mean. Links inside folders are not followed.
///
/// # Errors
///
/// A name means nothing.
pub fn walk(paths: &[PathBuf]) -> Result<Walked, Stop> {
    let mut walked = Walked::default();
    for path in paths {
        if path == Path::new("-") || !path.is_dir() {
            walked.files.push(Named { path: path.clone(), root: None });
            continue;
        }
        let passed = |name: &std::ffi::OsStr| PASSED.iter().any(|other| name == *other);
        let entries = WalkDir::new(path)
            .follow_links(false)
            .sort_by_file_name()
            .into_iter()
            .filter_entry(|entry| entry.depth() == 0 || !entry.file_type().is_dir() || !passed(entry.file_name()));
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let place = error.path().unwrap_or(path).to_owned();
                    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    walked.skipped.push((place, format!("cannot be read: {why}")));
                    walked.incomplete = true;
                    continue;
                }
            };
            let kind = entry.file_type();
            if kind.is_dir() {
                continue;
            }
            let ending = entry.path().extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            let ours = entry.file_name().to_string_lossy().starts_with(TEMPORARY);
            if ours || !ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)) {
                walked.others += 1;
            } else if kind.is_symlink() {
                walked.skipped.push((entry.into_path(), "a symbolic link is not followed".to_owned()));
            } else if kind.is_file() {
                walked.files.push(Named { path: entry.into_path(), root: Some(path.clone()) });
            } else {
                walked.skipped.push((entry.into_path(), "this is no regular file".to_owned()));
            }
        }
    }
    Ok(walked)
}

/// How many files have other endings, in words.
pub fn other_files(count: usize) -> String {
    format!("{} not called .json, .jsonl or .ndjson passed over", plain::count(count, "file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_give_what_may_be_a_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["b.jsonl", "a.JSON", "note.txt", "deep/c.ndjson", ".git/x.json", ".hidden/d.json", "a.json.bak"] {
            fs::create_dir_all(at(name).parent().expect("a folder")).expect("a folder");
            fs::write(at(name), "{}").expect("a file");
        }
        let skipped = usize::from(cfg!(unix));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("b.jsonl"), at("link.json")).expect("a link");
            std::os::unix::fs::symlink(folder.path(), at("deep/round")).expect("a link");
        }
        let walked = walk(&[folder.path().to_owned(), at("note.txt")]).expect("files");
        let names: Vec<_> = walked.files.iter().map(|file| (file.path.clone(), file.is_found())).collect();
        let found = |name: &str| (at(name), true);
        let wanted = [
            found(".hidden/d.json"),
            found("a.JSON"),
            found("b.jsonl"),
            found("deep/c.ndjson"),
            (at("note.txt"), false),
        ];
        assert_eq!(names, wanted);
        assert_eq!(walked.skipped.len(), skipped);
        assert_eq!(walked.others, 2 + skipped, "the note, the backup, and the link to a folder");
    }
}
