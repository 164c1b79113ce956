//! What is known of mutants from earlier runs, and which survivors are explained.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use wildmatch::WildMatchPattern;

/// What earlier runs found, which holds as long as the file that was changed is the same.
pub struct Known {
    file: PathBuf,
    /// The name that git gives to the sources of core
    pub core: String,
    /// The name that git gives to what a file holds
    blobs: HashMap<String, String>,
    outcomes: HashMap<String, String>,
}

impl Known {
    /// Reads what is known; `again` forgets what survived.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or git not be asked.
    pub fn read(file: &Path, repository: &Path, again: bool) -> io::Result<Self> {
        let git = |arguments: &[&str]| -> io::Result<String> {
            let said = Command::new("git").args(arguments).current_dir(repository).output()?;
            Ok(String::from_utf8_lossy(&said.stdout).into_owned())
        };
        let core = git(&["rev-parse", "HEAD:core"])?.trim().to_owned();
        let blobs: HashMap<String, String> = git(&["ls-tree", "-r", "--full-tree", "HEAD", "core"])?
            .lines()
            .filter_map(|line| line.split_once('\t').map(|(blob, file)| (file.to_owned(), blob.to_owned())))
            .filter_map(|(file, blob)| blob.split(' ').nth(2).map(|blob| (file, blob.to_owned())))
            .collect();
        let mut lines = if file.exists() { fs::read_to_string(file)? } else { String::new() };
        if again {
            lines = lines.split_inclusive('\n').filter(|line| !line.starts_with("missed\t")).collect();
            fs::write(file, &lines)?;
        }
        let mut outcomes = HashMap::new();
        for line in lines.lines() {
            let mut parts = line.splitn(3, '\t');
            let (Some(outcome), Some(blob), Some(key)) = (parts.next(), parts.next(), parts.next()) else { continue };
            if key.split_once(": ").and_then(|(file, _)| blobs.get(file)).is_some_and(|own| own == blob) {
                outcomes.insert(key.to_owned(), outcome.to_owned());
            }
        }
        Ok(Self { file: file.to_owned(), core, blobs, outcomes })
    }

    /// What became of a mutant, if it was tried.
    pub fn outcome(&self, key: &str) -> Option<&str> {
        self.outcomes.get(key).map(String::as_str)
    }

    /// Keeps what became of a mutant of this file.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn keep(&mut self, outcome: &str, file: &str, key: &str) -> io::Result<()> {
        let blob = self.blobs.get(file).map_or("", String::as_str);
        let mut kept = OpenOptions::new().create(true).append(true).open(&self.file)?;
        writeln!(kept, "{outcome}\t{blob}\t{key}")?;
        self.outcomes.insert(key.to_owned(), outcome.to_owned());
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Survivor {
    mutant: String,
    reason: String,
}

impl Survivor {
    /// Returns whether this is the entry of a mutant. Only `*` is special: names have `?`.
    fn matches(&self, key: &str) -> bool {
        WildMatchPattern::<'*', '\0'>::new(&self.mutant).matches(key)
    }
}

/// Survivors that are right, and why.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survivors {
    #[serde(default)]
    survivor: Vec<Survivor>,
}

impl Survivors {
    /// Why this mutant may survive. A name in the file may hold `*`; a reason is a sentence.
    pub fn reason(&self, key: &str) -> Option<&str> {
        let found = self.survivor.iter().find(|survivor| survivor.matches(key) && survivor.reason.len() >= 20);
        found.map(|survivor| survivor.reason.as_str())
    }
}
