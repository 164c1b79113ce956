//! `wirecanon testee new`, and the page of each language: what they show is what the program does. Blocks of `console` are tried
//! as those of the README are; their second word is the program that they need.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::page::{Block, blocks, console};
use crate::support::program::have;

fn wirecanon(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(words)
        .current_dir(folder)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

/// Tries every block of the page of a language, which needs this program.
fn page_is_true(text: &str, program: &str, requirement: &str) {
    let blocks = blocks(text);
    assert!(blocks.len() >= 2, "the page shows too little");
    for block in &blocks {
        assert_eq!(block.info[..2], ["console", if program == "python3" { "python" } else { program }]);
    }
    if !have(program, requirement) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for block in &blocks {
        console(block, folder.path());
    }
}

#[test]
fn the_page_on_python_is_true() {
    page_is_true(include_str!("../../../docs/testees/python.md"), "python3", "python");
}

#[test]
fn the_page_on_typescript_is_true() {
    page_is_true(include_str!("../../../docs/testees/typescript.md"), "node", "node");
}

#[test]
fn the_page_on_rust_is_true() {
    page_is_true(include_str!("../../../docs/testees/rust.md"), "cargo", "cargo");
}

#[test]
fn the_page_on_go_is_true() {
    page_is_true(include_str!("../../../docs/testees/go.md"), "go", "go");
}

#[test]
fn nothing_is_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let (code, out, err) = wirecanon(folder, &["testee", "new", "--language", "go"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("wirecanon test --testee my-testee/testee"), "{out}");
    fs::write(folder.join("my-testee/conversion.go"), "mine").expect("a file");
    for place in ["my-testee", "my-testee/", "."] {
        let (code, out, err) = wirecanon(folder, &["testee", "new", "--language", "python", place]);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains("nothing is overwritten: name a new folder"), "{err}");
    }
    assert_eq!(fs::read_to_string(folder.join("my-testee/conversion.go")).expect("a file"), "mine");
    assert!(!folder.join("my-testee/adapter.py").exists());
}

#[test]
fn a_folder_with_odd_letters_is_quoted() {
    if !have("python3", "python") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (code, out, err) = wirecanon(folder.path(), &["testee", "new", "--language", "python", "in/my ünit's"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("written: my--nit-s"), "{out}");
    let next: Vec<&str> = out.lines().filter(|line| line.starts_with("  wirecanon ")).collect();
    assert_eq!(next.len(), 2, "{out}");
    let shown = format!("$ {}\n…\nnothing is wrong with how it speaks the protocol\n", next[0].trim());
    console(&Block { info: vec!["console"], body: &shown }, folder.path());
    let left: Vec<_> = fs::read_dir(folder.path().join("in")).expect("a folder").flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_language_that_is_none_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, _, err) = wirecanon(folder.path(), &["testee", "new", "--language", "cobol"]);
    assert_eq!(code, 2);
    assert!(err.contains("[possible values: python, typescript, rust, go]"), "{err}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
