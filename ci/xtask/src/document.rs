//! A generated file of the repository: written, or compared with the one that exists.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use wirecanon::report::outfile::OutFile;

/// What stops a task, for people.
pub(crate) type Error = Box<dyn std::error::Error + Send + Sync>;

/// A file and the text that it must have.
pub(crate) struct Document {
    /// Path of the file
    pub(crate) path: PathBuf,
    /// Text of the file
    pub(crate) text: String,
}

impl Document {
    /// Returns the document at this path below the repository.
    pub(crate) fn new(path: impl AsRef<Path>, text: String) -> Self {
        Self { path: root().join(path), text }
    }

    /// Returns an existing page with another table between its marks `<!-- NAME: begin -->` and `<!-- NAME: end -->`.
    ///
    /// # Errors
    ///
    /// The page cannot be read, or has no such marks.
    pub(crate) fn with_table(page: impl AsRef<Path>, name: &str, table: &str) -> Result<Self, Error> {
        let path = root().join(page);
        let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->\n"));
        let old = read(&path)?;
        let parts = old.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
        let (before, after) = parts
            .ok_or_else(|| format!("{} has no place between {} and {}", path.display(), begin.trim(), end.trim()))?;
        let text = format!("{before}{begin}\n{}\n\n{end}{after}", table.trim_matches('\n'));
        Ok(Self { path, text })
    }

    /// Writes the file, whole or not at all; returns true if it differs from the old one.
    pub(crate) fn write(&self) -> Result<bool, Error> {
        if fs::read_to_string(&self.path).is_ok_and(|old| old == self.text) {
            return Ok(false);
        }
        OutFile::put_in_folder(&self.path, self.text.as_bytes()).map_err(|stop| stop.message.unwrap_or_default())?;
        Ok(true)
    }

    /// Returns the first line in which the file differs from its text, or nothing if it is current.
    pub(crate) fn difference(&self) -> Option<String> {
        let old = fs::read_to_string(&self.path).unwrap_or_default();
        if old == self.text {
            return None;
        }
        let line = old.lines().zip(self.text.lines()).take_while(|(old, new)| old == new).count() + 1;
        Some(format!("{}:{line} is out of date", self.path.display()))
    }
}

/// Returns the files of these folders that none of the documents is.
pub(crate) fn strays(folders: &[&str], documents: &[Document]) -> Result<Vec<PathBuf>, Error> {
    let mut strays = Vec::new();
    for folder in folders {
        let folder = root().join(folder);
        for entry in fs::read_dir(&folder).map_err(|error| at(&folder, &error))? {
            let path = entry.map_err(|error| at(&folder, &error))?.path();
            if documents.iter().all(|document| document.path != path) {
                strays.push(path);
            }
        }
    }
    Ok(strays)
}

/// Reads a text file; an error names it.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| at(path, &error))
}

fn at(path: &Path, error: &io::Error) -> Error {
    format!("{}: {error}", path.display()).into()
}

/// Returns the repository, from wherever the task is started.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_replaces_the_one_between_its_marks() {
        let folder = std::env::temp_dir().join(format!("wirecanon-xtask-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let page = folder.join("page.md");
        fs::write(&page, "a\n<!-- x: begin -->\n\nold\n\n<!-- x: end -->\nb\n").expect("a page");
        let document = Document::with_table(&page, "x", "new\n").expect("a place");
        assert!(document.difference().is_some_and(|difference| difference.ends_with("page.md:4 is out of date")));
        assert!(document.write().expect("a folder that can be written") && !document.write().expect("the same"));
        assert_eq!(read(&page).expect("a page"), "a\n<!-- x: begin -->\n\nnew\n\n<!-- x: end -->\nb\n");
        assert_eq!(document.difference(), None);
        let other = Document::with_table(&page, "y", "new").map(|_| ()).expect_err("no place");
        assert!(other.to_string().contains("no place between <!-- y: begin -->"), "{other}");
        fs::remove_dir_all(folder).expect("a folder");
    }
}
