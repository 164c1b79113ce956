use super::*;
use std::io::ErrorKind;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_replaced_file_keeps_its_rights_and_its_old_text() {
    let folder = folder();
    let path = folder.path().join("a.jsonl");
    for (number, backup) in ["a.jsonl.bak", "a.jsonl.bak.2", "a.jsonl.bak.3"].iter().enumerate() {
        fs::write(&path, format!("old {number}")).expect("a file");
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o640)).expect("rights");
        let kept = Held::open(&path).expect("it opens").replace(b"new", true).expect("it is replaced");
        assert_eq!(kept.backup.as_deref().and_then(Path::file_name).and_then(|name| name.to_str()), Some(*backup));
        assert_eq!(fs::read_to_string(folder.path().join(backup)).expect("a backup"), format!("old {number}"));
        assert_eq!(fs::read_to_string(&path).expect("the file"), "new");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).expect("the file").permissions().mode() & 0o7777, 0o640);
        }
    }
    assert_eq!(names(folder.path()).len(), 4);
    Held::open(&path).expect("it opens").replace(b"newer", false).expect("it is replaced");
    assert_eq!(names(folder.path()).len(), 4, "no backup was wanted");
}

#[test]
fn a_file_that_was_forgotten_is_replaced_if_it_is_the_same() {
    let folder = folder();
    let path = folder.path().join("a.json");
    fs::write(&path, "old").expect("a file");
    let mut held = Held::open(&path).expect("it opens");
    held.forget();
    assert!(held.bytes().is_empty());
    held.replace(b"new", true).expect("it is replaced");
    assert_eq!(fs::read_to_string(&path).expect("the file"), "new");
    assert_eq!(fs::read_to_string(folder.path().join("a.json.bak")).expect("a backup"), "old");
}

#[test]
fn a_full_disk_leaves_all_as_it_was() {
    let folder = folder();
    let path = folder.path().join("a.json");
    fs::write(&path, "old").expect("a file");
    let full = |out: &mut dyn Write| {
        out.write_all(b"half of the")?;
        Err(io::Error::from(ErrorKind::StorageFull))
    };
    let refused = Held::open(&path).expect("it opens").replace_by(&full, true).expect_err("the disk is full");
    assert!(matches!(&refused, Refused::Io(words) if words.contains("the file is as it was")), "{refused:?}");
    assert_eq!(fs::read_to_string(&path).expect("the file"), "old");
    assert_eq!(names(folder.path()), ["a.json"], "nothing is left behind");
}

#[test]
fn a_file_that_somebody_writes_to_is_left_alone() {
    let folder = folder();
    let path = folder.path().join("a.json");
    // The same length, and as far as the clock of the file system tells the same time.
    let laters = [("new", false), ("old and more", false), (" more", true), ("o", false)];
    for ((later, append), forgets) in laters.into_iter().flat_map(|later| [(later, false), (later, true)]) {
        fs::write(&path, "old").expect("a file");
        let mut held = Held::open(&path).expect("it opens");
        if forgets {
            held.forget();
        }
        let before = fs::metadata(&path).and_then(|about| about.modified()).expect("a time");
        let write = |out: &mut dyn Write| {
            let mut file = fs::OpenOptions::new().write(true).append(append).truncate(!append).open(&path)?;
            file.write_all(later.as_bytes())?;
            file.set_modified(before)?;
            out.write_all(b"mended")
        };
        let refused = held.replace_by(&write, true).expect_err("it changed");
        assert!(matches!(&refused, Refused::Busy(words) if words.contains("writing to it")), "{refused:?}");
        assert_ne!(fs::read_to_string(&path).expect("the file"), "mended");
        assert_eq!(names(folder.path()), ["a.json"]);
    }
}

#[test]
fn what_is_written_at_the_last_moment_is_kept_and_said() {
    for backup in [true, false] {
        let folder = folder();
        let path = folder.path().join("a.jsonl");
        fs::write(&path, "old\n").expect("a file");
        let held = Held::open(&path).expect("it opens");
        // The last look was taken, and then a program comes before the move.
        let kept = backup.then(|| second_name(&held.directory, &held.name, &held.file).expect("a backup"));
        let mut late = fs::OpenOptions::new().append(true).open(&path).expect("the file");
        late.write_all(b"late\n").expect("a line");
        fs::write(folder.path().join("new"), "mended\n").expect("a file");
        fs::rename(folder.path().join("new"), &path).expect("a move");
        let refused = held.keep_late(kept).expect_err("it was written to");
        assert!(matches!(&refused, Refused::Busy(words) if words.ends_with("is a.jsonl.bak")), "{refused:?}");
        assert_eq!(fs::read_to_string(folder.path().join("a.jsonl.bak")).expect("a backup"), "old\nlate\n");
        assert_eq!(fs::read_to_string(&path).expect("the file"), "mended\n");
        assert_eq!(names(folder.path()), ["a.jsonl", "a.jsonl.bak"]);
    }
}

#[test]
fn another_file_of_that_name_is_left_alone() {
    let folder = folder();
    let path = folder.path().join("a.json");
    fs::write(&path, "old").expect("a file");
    let held = Held::open(&path).expect("it opens");
    fs::write(folder.path().join("b"), "old").expect("a file");
    fs::rename(folder.path().join("b"), &path).expect("a move");
    assert!(matches!(held.replace(b"new", true), Err(Refused::Busy(_))));
    assert_eq!(fs::read_to_string(&path).expect("the file"), "old");
}

#[test]
fn a_locked_file_is_left_alone() {
    let folder = folder();
    let path = folder.path().join("a.json");
    fs::write(&path, "old").expect("a file");
    let held = Held::open(&path).expect("it opens");
    let refused = Held::open(&path).err().expect("it is locked");
    assert_eq!(refused.words(), "another program has locked it");
    drop(held);
    assert!(Held::open(&path).is_ok());
}

#[cfg(unix)]
#[test]
fn the_lock_file_of_a_living_process_counts() {
    let folder = folder();
    let (path, lock) = (folder.path().join("a.jsonl"), folder.path().join("a.jsonl.lock"));
    fs::write(&path, "old").expect("a file");
    let words = || Held::open(&path).err().map(|refused| refused.words().to_owned());
    fs::write(&lock, format!("{{\"pid\":{},\"createdAt\":\"2026-01-01\"}}", std::process::id())).expect("a lock");
    assert!(words().is_some_and(|words| words.contains("is at work on it")), "{:?}", words());
    // No process has this number: it is past the greatest that Linux gives.
    fs::write(&lock, "{\"pid\":2000000000}").expect("a lock");
    assert_eq!(words(), None);
    fs::write(&lock, "").expect("a lock");
    assert!(words().is_some_and(|words| words.contains("remove that")));
    fs::remove_file(&lock).and_then(|()| fs::create_dir(&lock)).expect("a folder");
    assert!(words().is_some_and(|words| words.contains("remove that")));
}

#[cfg(unix)]
#[test]
fn a_second_name_is_not_torn_off() {
    let folder = folder();
    let path = folder.path().join("a.json");
    fs::write(&path, "old").and_then(|()| fs::hard_link(&path, folder.path().join("b"))).expect("a file");
    let refused = Held::open(&path).expect("it opens").replace(b"new", true).expect_err("it has two names");
    assert!(refused.words().contains("a second name"));
    assert_eq!(fs::read_to_string(&path).expect("the file"), "old");
}

#[cfg(target_os = "linux")]
#[test]
fn who_has_it_open_for_writing_is_named() {
    let folder = folder();
    let path = folder.path().join("a.json");
    fs::write(&path, "old").expect("a file");
    let file = fs::OpenOptions::new().append(true).open(&path).expect("the file");
    let mut other = std::process::Command::new("sleep").arg("30").stdout(file).spawn().expect("a process");
    let refused = Held::open(&path).expect("it opens").replace(b"new", true);
    let (done, _) = (other.kill(), other.wait());
    done.expect("its end");
    let refused = refused.expect_err("it is open");
    assert!(refused.words().contains("(sleep) has it open for writing"), "{refused:?}");
    assert_eq!(fs::read_to_string(&path).expect("the file"), "old");
}

#[test]
fn what_is_no_file_is_no_session() {
    let folder = folder();
    assert!(matches!(Held::open(folder.path()), Err(Refused::Io(_))));
    assert!(matches!(Held::open(&folder.path().join("none")), Err(Refused::Io(_))));
}

/// A program that can write to the folder puts a link in the place of what the walk found.
#[cfg(unix)]
#[test]
fn a_link_that_appears_after_the_walk_is_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = folder();
    fs::write(outside.path().join("a.json"), "secret").expect("a file");
    let folder = folder();
    fs::create_dir(folder.path().join("deep")).expect("a folder");
    let path = folder.path().join("deep/a.json");
    let files = |root: &Path| {
        fs::write(&path, "old").expect("a file");
        let walked = walk::walk(&[root.to_owned()]).expect("files");
        walked.files.into_iter().map(|file| (file.root.expect("it was found"), file.path)).collect::<Vec<_>>()
    };
    let [(root, found)] = &files(folder.path())[..] else { panic!("one file") };
    fs::remove_file(&path).and_then(|()| symlink(outside.path().join("a.json"), &path)).expect("a link");
    let refused = Held::open_found(root, found).err().expect("it is a link");
    assert_eq!(refused.words(), "a symbolic link is not followed");
    assert!(open_found(root, found).is_err());
    assert!(Held::open(found).is_ok(), "a link that is named is followed");
    fs::remove_file(&path).and_then(|()| fs::remove_dir(folder.path().join("deep"))).expect("an empty folder");
    symlink(outside.path(), folder.path().join("deep")).expect("a link");
    let refused = Held::open_found(root, found).err().expect("its folder is a link");
    assert!(refused.words().contains("a symbolic link is not followed"), "{refused:?}");
    // A folder that is named may be a link.
    let linked = folder.path().join("deep");
    let [(root, found)] = &files(&linked)[..] else { panic!("one file") };
    assert!(Held::open_found(root, found).is_ok());
    // The folder that was opened stays the one that is written to.
    fs::remove_file(&linked).and_then(|()| fs::create_dir(&linked)).expect("a folder");
    let [(root, found)] = &files(folder.path())[..] else { panic!("one file") };
    let held = Held::open_found(root, found).expect("it opens");
    fs::rename(&linked, folder.path().join("moved")).expect("a move");
    fs::write(outside.path().join("a.json"), "old").expect("a file");
    symlink(outside.path(), &linked).expect("a link");
    held.replace(b"new", true).expect("it is replaced");
    assert_eq!(names(outside.path()), ["a.json"]);
    assert_eq!(fs::read_to_string(outside.path().join("a.json")).expect("a file"), "old");
    assert_eq!(names(&folder.path().join("moved")), ["a.json", "a.json.bak"]);
    assert_eq!(fs::read_to_string(folder.path().join("moved/a.json")).expect("a file"), "new");
}
