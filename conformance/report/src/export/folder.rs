//! A package as a folder: written beside its place, and moved there when it is whole.

use std::path::Path;
use std::{fs, io};

use wirecanon_judge::exit::Stop;

use super::{NAME, Package};

pub(super) fn write(package: &Package, path: &Path) -> Result<(), Stop> {
    let there = occupied(path)?;
    let shown = path.display();
    let cannot = |error: io::Error| Stop::incomplete(format!("{shown}: cannot be written: {error}"));
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Whatever happens, this goes, with all that is still in it.
    let beside = tempfile::Builder::new().prefix(".wirecanon-").tempdir_in(parent).map_err(cannot)?;
    let new = beside.path().join("new");
    fs::create_dir(&new).map_err(cannot)?;
    for (name, bytes) in &package.files {
        let file = new.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(cannot)?;
        }
        fs::write(file, bytes).map_err(cannot)?;
    }
    let old = beside.path().join("old");
    if there {
        fs::rename(path, &old).map_err(cannot)?;
    }
    fs::rename(&new, path).map_err(|error| {
        if there {
            // What stood there goes back; if even that fails, the first error tells more.
            let _ = fs::rename(&old, path);
        }
        cannot(error)
    })
}

/// Whether something stands there that a package may take the place of: an empty folder, or an earlier package.
fn occupied(path: &Path) -> Result<bool, Stop> {
    let shown = path.display();
    let Ok(about) = fs::symlink_metadata(path) else { return Ok(false) };
    if !about.is_dir() {
        return Err(Stop::usage(format!("{shown}: this is no folder; name one, or a file that ends in `.tar.gz`")));
    }
    let mut entries = fs::read_dir(path).map_err(|error| Stop::usage(format!("{shown}: {error}")))?;
    if entries.next().is_none() || is_package(path) {
        return Ok(true);
    }
    Err(Stop::usage(format!("{shown}: this folder is not empty, and no earlier export; name another")))
}

fn is_package(path: &Path) -> bool {
    let Ok(text) = fs::read(path.join("manifest.json")) else { return false };
    let manifest: Result<serde_json::Value, _> = serde_json::from_slice(&text);
    manifest.is_ok_and(|manifest| manifest["name"] == NAME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wirecanon_judge::exit::Exit;

    fn small(word: &str) -> Package {
        let files = vec![
            ("a/b.json".to_owned(), word.as_bytes().to_vec()),
            ("manifest.json".to_owned(), format!("{{\"name\":\"{NAME}\"}}").into_bytes()),
        ];
        Package { files, sha256: String::new() }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_is_written_whole_and_may_take_the_place_of_an_earlier_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("corpus");
        write(&small("one"), &path).expect("a new folder");
        assert_eq!(fs::read(path.join("a/b.json")).expect("the file"), b"one");
        fs::write(path.join("stale.json"), "{}").expect("a file");
        write(&small("two"), &path).expect("an earlier export");
        assert_eq!(fs::read(path.join("a/b.json")).expect("the file"), b"two");
        assert_eq!(names(&path), ["a", "manifest.json"]);
        assert_eq!(names(folder.path()), ["corpus"]);
        let empty = folder.path().join("empty");
        fs::create_dir(&empty).expect("a folder");
        write(&small("three"), &empty).expect("an empty folder");
    }

    #[test]
    fn what_is_no_export_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("thesis.txt"), "years of work").expect("a file");
        let stop = write(&small("one"), folder.path()).expect_err("not empty");
        assert_eq!(stop.exit, Exit::Usage);
        assert!(stop.message.is_some_and(|message| message.contains("not empty")));
        let file = folder.path().join("thesis.txt");
        assert_eq!(write(&small("one"), &file).expect_err("a file").exit, Exit::Usage);
        assert_eq!(write(&small("one"), &folder.path().join("no/such/place")).expect_err("no").exit, Exit::Incomplete);
        assert_eq!(names(folder.path()), ["thesis.txt"]);
    }
}
