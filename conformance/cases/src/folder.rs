//! A corpus in a folder: `<class>/<id>.json`, and nothing else that looks like a case.

use std::path::{Path, PathBuf};
use std::{fs, io};

use wirecanon_judge::exit::{Exit, Stop};

/// A file of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseFile {
    /// `<class>/<id>.json`, or what stands in its place
    pub name: String,
    /// Where it is, as the user would name it
    pub path: PathBuf,
    /// Its bytes
    pub bytes: Vec<u8>,
}

/// Where the corpus lies in a checkout, from its root and from `conformance`.
const USUAL: [&str; 2] = ["conformance/corpus", "corpus"];

/// The folder of the corpus that is worked on: the given one, or the one of this checkout.
///
/// # Errors
///
/// There is none.
pub fn of_checkout(given: Option<&Path>) -> Result<PathBuf, Stop> {
    if let Some(given) = given {
        return if given.is_dir() {
            Ok(given.to_owned())
        } else {
            Err(Stop::usage(format!("{}: there is no such folder", given.display())))
        };
    }
    USUAL.iter().map(PathBuf::from).find(|path| path.is_dir()).ok_or_else(|| {
        Stop::usage(format!("there is no corpus here ({}); name its folder with --corpus", USUAL.join(" or ")))
    })
}

/// Every file of a corpus that is or looks like a case, sorted by name. What is no case is for the linter to say, so nothing
/// is skipped: a file with another ending in the folder of a class, or deeper in it, is given too.
///
/// # Errors
///
/// A folder or a file cannot be read.
pub fn read(root: &Path) -> Result<Vec<CaseFile>, Stop> {
    let mut files = Vec::new();
    for entry in entries(root)? {
        if entry.is_dir() {
            let mut todo = vec![entry];
            while let Some(folder) = todo.pop() {
                for path in entries(&folder)? {
                    if path.is_dir() { todo.push(path) } else { files.push(one(root, path)?) }
                }
            }
        } else if entry.extension().is_some_and(|ending| ending == "json") {
            files.push(one(root, entry)?);
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

fn one(root: &Path, path: PathBuf) -> Result<CaseFile, Stop> {
    // A pipe would be waited for, and a device may never end.
    if !fs::metadata(&path).map_err(|error| cannot(&path, &error))?.is_file() {
        return Err(Stop::usage(format!("{}: it is no file, so it can be no case", path.display())));
    }
    let bytes = fs::read(&path).map_err(|error| cannot(&path, &error))?;
    let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
    Ok(CaseFile { name, path, bytes })
}

/// What a folder holds but hidden files, in order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let list = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut paths: Vec<_> = list
        .map_err(|error| cannot(folder, &error))?
        .into_iter()
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    Ok(paths)
}

fn cannot(path: &Path, error: &io::Error) -> Stop {
    let exit = if error.kind() == io::ErrorKind::NotFound { Exit::Usage } else { Exit::Incomplete };
    Stop::new(exit, format!("{}: cannot be read: {error}", path.display()))
}
