//! Files of other users, and files that are none: what the command line starts, reads and replaces.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wirecanon::adapter::{self, Installation, Step};

/// Longest time of a run. Each takes less than a second on its own.
const LONGEST: Duration = Duration::from_secs(30);

const BROKEN: &str = r#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;

/// A user that is neither root nor the one that runs the tests.
const OTHER: u32 = 54321;

fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_wirecanon"))
}

/// Runs the program in a folder, and fails if it does not end.
fn run_by(mut command: Command, folder: &Path, args: &[&str]) -> (i32, String, String) {
    command
        .args(args)
        .current_dir(folder)
        .env_remove("WIRECANON_TESTEES")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = loop {
        match command.spawn() {
            // A process that another test starts may still hold a copy of the program open for writing.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && start.elapsed() < LONGEST => {
                std::thread::sleep(Duration::from_millis(20));
            }
            child => break child.expect("the program"),
        }
    };
    let status = loop {
        if let Some(status) = child.try_wait().expect("a state") {
            break status;
        }
        if start.elapsed() > LONGEST {
            child.kill().and_then(|()| child.wait()).expect("its end");
            panic!("{args:?} did not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
    child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("text");
    (status.code().unwrap_or(-1), out, err)
}

fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    run_by(program(), folder, args)
}

fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        eprintln!("NOT RUN: only root can give files away");
    }
    root
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("permissions");
}

#[test]
fn a_lock_that_is_no_small_file_is_refused_at_once() {
    let folder = temporary();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("x.json"), BROKEN).expect("a file");
    let refused = |why: &str| {
        let (code, out, err) = run(folder.path(), &["fix", "--in-place", "x.json"]);
        assert_eq!(code, 5, "{out}{err}");
        assert!(out.contains(&format!("its lock file x.json.lock {why}")), "{out}");
        assert!(out.contains("if no program is at work on x.json, remove x.json.lock"), "{out}");
        assert_eq!(fs::read_to_string(at("x.json")).expect("the file"), BROKEN);
        fs::remove_file(at("x.json.lock")).expect("the lock");
    };
    for target in ["/dev/zero", "nowhere", "x.json"] {
        symlink(target, at("x.json.lock")).expect("a link");
        refused("is a symbolic link");
    }
    File::create(at("x.json.lock")).and_then(|file| file.set_len(3 << 30)).expect("a sparse file");
    refused("is larger than 64 KiB");
    if Command::new("mkfifo").arg(at("x.json.lock")).status().is_ok_and(|status| status.success()) {
        refused("is not a regular file");
    } else {
        eprintln!("NOT RUN: mkfifo is missing");
    }
}

/// An installation that writes a file when it is started.
fn plant(folder: &Path) -> PathBuf {
    let adapter = adapter::by_name("litellm").expect("manifests").expect("an adapter");
    let installation = Installation::new(adapter, &folder.join(".wirecanon/testees")).expect("a path");
    installation.install(&[Step::Write(Vec::new())], |_| ()).expect("an installation");
    let python = installation.folder().join("venv/bin/python");
    fs::create_dir_all(python.parent().expect("a folder")).expect("a folder");
    fs::write(&python, format!("#!/bin/sh\necho started >{}\n", folder.join("STARTED").display())).expect("a script");
    set_mode(&python, 0o755);
    installation.folder().to_owned()
}

/// Whether `test` starts the installation of the folder, and what it says if not.
fn starts(folder: &Path, args: &[&str]) -> (bool, String) {
    let args = [args, &["test", "--testee", "litellm", "--startup-timeout", "5"]].concat();
    let (code, _, err) = run(folder, &args);
    let started = folder.join("STARTED").exists();
    if started {
        fs::remove_file(folder.join("STARTED")).expect("the file");
    } else {
        assert_eq!(code, 2, "{err}");
    }
    (started, err)
}

#[test]
fn no_config_starts_nothing_that_was_found() {
    let folder = temporary();
    plant(folder.path());
    let (started, err) = starts(folder.path(), &["--no-config"]);
    assert!(!started, "{err}");
    assert!(err.contains("`--no-config` starts nothing from .wirecanon/testees"), "{err}");
    assert!(err.contains("WIRECANON_TESTEES"), "{err}");
    for args in [["--no-config", "testee", "doctor", "litellm"], ["--no-config", "testee", "add", "litellm"]] {
        let (code, out, err) = run(folder.path(), &args);
        assert!(code != 0 && !folder.path().join("STARTED").exists(), "{out}{err}");
        assert!(format!("{out}{err}").contains("starts nothing from"), "{out}{err}");
    }
    assert!(starts(folder.path(), &[]).0, "without --no-config it is a testee");
    // Whoever names the folder trusts it.
    let mut named = Command::new("env");
    named.arg("WIRECANON_TESTEES=.wirecanon/testees").arg(env!("CARGO_BIN_EXE_wirecanon"));
    run_by(named, folder.path(), &["--no-config", "test", "--testee", "litellm", "--startup-timeout", "5"]);
    assert!(folder.path().join("STARTED").exists());
}

#[test]
fn an_installation_that_others_may_have_written_is_not_started() {
    let folder = temporary();
    let place = plant(folder.path());
    for name in ["", "adapter.py", ".installed", "venv/bin", "venv/bin/python", "..", "../.."] {
        let path = place.join(name).canonicalize().expect("a path");
        let mode = fs::metadata(&path).expect("a file").mode() & 0o7777;
        set_mode(&path, mode | 0o002);
        let (started, err) = starts(folder.path(), &[]);
        assert!(!started, "{name}: {err}");
        assert!(err.contains(&format!("every user may write to {} (mode 0", path.display())), "{name}: {err}");
        assert!(err.contains("chmod o-w"), "{err}");
        let (code, _, err) = run(folder.path(), &["testee", "add", "litellm"]);
        assert!(code == 2 && err.contains("every user may write to"), "{err}");
        set_mode(&path, mode);
        if rustix::process::geteuid().is_root() {
            chown(&path, Some(OTHER), None).expect("root may");
            let (started, err) = starts(folder.path(), &[]);
            assert!(!started, "{name}: {err}");
            assert!(err.contains(&format!("{} belongs to user {OTHER}, and you are user 0", path.display())), "{err}");
            chown(&path, Some(0), None).expect("root may");
        }
    }
    assert!(starts(folder.path(), &[]).0);
    is_root();
}

#[test]
fn a_configuration_that_others_may_have_written_is_not_used() {
    let folder = temporary();
    let deep = folder.path().join("a/b");
    fs::create_dir_all(&deep).expect("folders");
    let above = folder.path().join("a");
    let file = above.join("wirecanon.toml");
    fs::write(&file, "[testees]\nmine = \"sh -c 'echo started >STARTED'\"\n[test]\ntestees = [\"mine\"]\n")
        .expect("a file");
    let test = |args: &[&str]| {
        let args = [args, &["test", "--case", "orphan*", "--startup-timeout", "5"]].concat();
        let (code, _, err) = run(&deep, &args);
        (code, fs::remove_file(deep.join("STARTED")).is_ok(), err)
    };
    let refused = |words: &str| {
        let (code, started, err) = test(&[]);
        assert_eq!((code, started), (2, false), "{err}");
        assert!(err.contains(words) && err.lines().count() == 1, "{err}");
        assert!(err.contains("--config ") && err.contains("--no-config"), "{err}");
        assert!(err.contains(&*file.to_string_lossy()), "{err}");
        assert!(test(&["--config", "../wirecanon.toml"]).1, "a file that is named is trusted");
        assert!(!test(&["--no-config"]).1);
        for args in [&["config"][..], &["check", "x.json"], &["fix", "--in-place", "x.json"]] {
            let (code, out, err) = run(&deep, args);
            assert!(code == 2 && err.contains(words), "{args:?}: {out}{err}");
        }
    };
    assert!(test(&[]).1, "one's own is used");
    set_mode(&file, 0o664);
    assert!(test(&[]).1, "a group may be trusted");
    set_mode(&file, 0o666);
    refused("every user may write to ");
    set_mode(&file, 0o644);
    set_mode(&above, 0o777);
    refused("every user may write to ");
    set_mode(&above, 0o755);
    if is_root() {
        chown(&file, Some(OTHER), None).expect("root may");
        refused(&format!("belongs to user {OTHER}, and you are user 0"));
        chown(&file, Some(0), None).and_then(|()| chown(&above, Some(OTHER), None)).expect("root may");
        refused(&format!("belongs to user {OTHER}, and you are user 0"));
        chown(&above, Some(0), None).expect("root may");
        // The link of somebody else decides which file is used.
        fs::rename(&file, deep.join("other.toml")).and_then(|()| symlink("b/other.toml", &file)).expect("a link");
        assert!(test(&[]).1);
        std::os::unix::fs::lchown(&file, Some(OTHER), None).expect("root may");
        refused(&format!("belongs to user {OTHER}, and you are user 0"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_mended_file_keeps_its_extended_attributes() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    // Version 2; owner rw, user 54321 r, group nothing, mask r, others nothing.
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, u32::MAX), (2, 4, OTHER), (4, 0, u32::MAX), (16, 4, u32::MAX), (32, 0, u32::MAX)];
    let mut list = 2u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        list.extend(tag.to_le_bytes().iter().chain(&permissions.to_le_bytes()).chain(&id.to_le_bytes()));
    }
    for (name, value) in [("user.note", b"kept".as_slice()), ("system.posix_acl_access", &list)] {
        for backup in [true, false] {
            let folder = temporary();
            let path = folder.path().join("x.json");
            fs::write(&path, BROKEN).expect("a file");
            set_mode(&path, 0o640);
            if let Err(error) = setxattr(&path, name, value, XattrFlags::empty()) {
                eprintln!("NOT RUN: {name} cannot be set here: {error}");
                continue;
            }
            let mode = fs::metadata(&path).expect("a file").mode();
            let args = ["fix", "--in-place", "x.json", "--no-backup"];
            let (code, out, err) = run(folder.path(), &args[..args.len() - usize::from(backup)]);
            assert_eq!((code, err.as_str()), (0, ""), "{out}");
            assert_ne!(fs::read_to_string(&path).expect("a file"), BROKEN);
            let mut kept = vec![0; 1000];
            let length = getxattr(&path, name, &mut kept[..]).expect("it is kept");
            assert_eq!(&kept[..length], value, "{name}");
            assert_eq!(fs::metadata(&path).expect("a file").mode(), mode);
        }
    }
}

#[test]
fn a_file_keeps_its_owner_or_is_left_alone() {
    if !is_root() {
        return;
    }
    let folder = temporary();
    let path = folder.path().join("x.json");
    fs::write(&path, BROKEN).expect("a file");
    // Another user may run the program, and write to the folder.
    let own = folder.path().join("program");
    fs::copy(env!("CARGO_BIN_EXE_wirecanon"), &own).expect("a copy");
    set_mode(&own, 0o755);
    set_mode(folder.path(), 0o777);
    set_mode(&path, 0o644);
    let args = ["--no-config", "fix", "--in-place", "--no-backup", "x.json"];
    for (owner, group) in [(0, 0), (OTHER + 1, OTHER), (OTHER, 0)] {
        chown(&path, Some(owner), Some(group)).expect("root may");
        let mut command = Command::new(&own);
        command.uid(OTHER).gid(OTHER);
        let (code, out, err) = run_by(command, folder.path(), &args);
        assert_eq!(code, 5, "{out}{err}");
        let words = format!(
            "the new file would belong to user {OTHER} and group {OTHER}, not to user {owner} and group {group}"
        );
        assert!(out.contains(&words) && out.contains(&format!("run this as user {owner}")), "{out}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), BROKEN);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing is left behind");
    }
    // Root keeps both.
    chown(&path, Some(OTHER), Some(OTHER + 1)).expect("root may");
    let (code, out, err) = run(folder.path(), &args);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let about = fs::metadata(&path).expect("a file");
    assert_eq!((about.uid(), about.gid()), (OTHER, OTHER + 1));
}
