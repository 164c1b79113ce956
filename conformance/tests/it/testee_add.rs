//! `wirecanon testee add`: what it says, what it writes, and what it does not.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Stands for Python: makes an environment whose interpreter is itself, "installs", and is a testee for any script.
const PYTHON: &str = r#"#!/bin/sh
case "$1" in
--version) echo 'Python 3.12.1'; exit 0;;
-m) case "$2" in
    venv) mkdir -p venv/bin && cp "$0" venv/bin/python; exit;;
    pip) [ -f requirements.txt ] && [ -z "$NO_REGISTRY" ]; exit;;
    esac;;
esac
read -r line
echo '{"wirecanon":1,"name":"'"$WIRECANON_TESTEE"'","version":"9","conversions":[{"from":"openai.chat","to":"openai.chat"}]}'
while read -r line; do
case "$line" in *bye*) exit 0;; esac
id=${line#*:}; id=${id%%,*}
echo '{"id":'"$id"',"failed":"'"$WIRECANON_LITELLM_MODIFY_PARAMS"'"}'
done
"#;

fn wirecanon(folder: &Path, words: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(words)
        .current_dir(folder)
        .env_remove("WIRECANON_TESTEES")
        .env("PYTHON", folder.join("python"))
        .envs(variables.iter().copied())
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let python = folder.path().join("python");
    fs::write(&python, PYTHON).expect("a script");
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).expect("a program");
    folder
}

#[test]
fn a_testee_is_installed_once_and_found_by_its_name() {
    let folder = folder();
    let folder = folder.path();
    let (code, _, err) = wirecanon(folder, &["test", "--testee", "litellm"], &[]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("`litellm` is not installed: run `wirecanon testee add litellm`"), "{err}");
    let (code, _, err) = wirecanon(folder, &["test", "litellm"], &[]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("tip: a testee is named by an option: --testee litellm\n"), "{err}");

    let (code, out, err) = wirecanon(folder, &["testee", "add", "litellm", "--dry-run"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("1. write adapter.py") && out.contains("nothing was done"), "{out}");
    assert!(!folder.join(".wirecanon").exists());

    let (code, out, err) = wirecanon(folder, &["testee", "add", "litellm-modify-params", "litellm"], &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(out.matches("installed: it calls itself litellm 9").count(), 1, "{out}");
    assert!(out.find("-m pip install").is_some_and(|said| said < out.find("installed:").unwrap_or(0)), "{out}");
    let written: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(written.len(), 2, "{written:?}");
    assert_eq!(fs::read_to_string(folder.join(".wirecanon/testees/.gitignore")).expect("a file"), "*\n");

    let (code, out, _) = wirecanon(folder, &["testee", "add", "litellm"], &[("PYTHON", "/no/such/python")]);
    assert_eq!(code, 0);
    assert!(out.contains("is installed already"), "{out}");

    let words = ["test", "--case", "openai-parallel-calls-valid", "--testee", "litellm-modify-params"];
    let (code, out, err) = wirecanon(folder, &words, &[]);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("litellm-modify-params") && out.contains("crashed"), "{out}");
    let (_, list, _) = wirecanon(folder, &["list", "testees", "--format", "json"], &[]);
    let list: serde_json::Value = serde_json::from_str(&list).expect("JSON");
    let state = |id: &str| list.as_array().and_then(|list| list.iter().find(|item| item["id"] == id)).cloned();
    assert_eq!(state("litellm").expect("a testee")["installed"], true);
    assert_eq!(state("langchain").expect("a testee")["installed"], false);
}

#[test]
fn what_stands_in_the_way_is_named() {
    let folder = folder();
    let folder = folder.path();
    let (code, _, err) = wirecanon(folder, &["testee", "add", "lite"], &[]);
    assert_eq!((code, err.contains("did you mean `litellm`?")), (2, true), "{err}");

    for program in ["/no/such/python", "/bin/false"] {
        let (code, _, err) = wirecanon(folder, &["testee", "add", "litellm"], &[("PYTHON", program)]);
        assert_eq!(code, 5, "{err}");
        assert!(err.contains("needs python 3.11 or newer: none was found"), "{err}");
    }
    fs::write(folder.join("old"), "#!/bin/sh\necho Python 3.9.2\n").expect("a script");
    fs::set_permissions(folder.join("old"), fs::Permissions::from_mode(0o755)).expect("a program");
    let old = folder.join("old").display().to_string();
    let (code, _, err) = wirecanon(folder, &["testee", "add", "litellm"], &[("PYTHON", &old)]);
    assert!(code == 5 && err.contains("is 3.9.2"), "{err}");

    let (code, _, err) = wirecanon(folder, &["testee", "add", "litellm"], &[("NO_REGISTRY", "1")]);
    assert_eq!(code, 5, "{err}");
    assert!(err.contains("pip install") && err.contains("must be reachable"), "{err}");
    let (code, _, err) = wirecanon(folder, &["test", "--testee", "litellm"], &[]);
    assert!(code == 2 && err.contains("is not installed"), "{err}");
    let (code, out, err) = wirecanon(folder, &["testee", "add", "litellm"], &[]);
    assert!(code == 0 && out.contains("installed: it calls itself"), "{out}{err}");
}
