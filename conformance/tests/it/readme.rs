//! What README.md shows is what the program does.
//!
//! The first word of a fenced block's info string says what the block is, the others how it is tried:
//!
//! - `json NAME` is a file. If an earlier command has written it, it must hold exactly this; else it is written.
//! - `console` holds commands behind `$ `, each followed by exactly what it prints (stdout, then stderr), and is run in a folder
//!   with the files so far. A line `…` stands for any lines, or none; `…` at the end of a line for the rest of it.
//!   `exit=N` is the exit code of the last command (0 if left out; all others end with 0). `python` needs python3 and the testee
//!   of docs/testees.md.
//! - `rust` is `examples/mend.rs`.
//! - `sh` holds the two commands of the set-up, which `.ci/run` runs too, in its own way.

#![cfg(unix)]

use std::fs;

use crate::support::page::{blocks, console, shows};
use crate::support::program::have;

mod mend {
    include!("../../examples/mend.rs");

    pub(super) fn run() -> Result<(), Error> {
        main()
    }
}

const README: &str = include_str!("../../../README.md");
const TESTEES: &str = include_str!("../../../docs/testees.md");
const FUZZING: &str = include_str!("../../../docs/fuzzing-a-testee.md");

#[test]
fn every_block_of_the_readme_is_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let testee = blocks(TESTEES).into_iter().find(|block| block.info == ["python"]).expect("a testee");
    fs::write(folder.join("pass_through.py"), testee.body).expect("a script");
    let mut tried = 0;
    for block in blocks(README) {
        match block.info.as_slice() {
            ["json", name] => {
                let file = folder.join(name);
                match fs::read_to_string(&file) {
                    Ok(written) => assert_eq!(written.trim_end(), block.body.trim_end(), "{name}"),
                    Err(_) => fs::write(&file, block.body).expect("a file"),
                }
            }
            ["console", "python", ..] if !have("python3", "python") => {}
            ["console", ..] => console(&block, folder),
            ["rust"] => assert_eq!(block.body, include_str!("../../examples/mend.rs")),
            ["sh"] => {
                let first = "cargo run -p wirecanon --no-default-features --features program -- test";
                assert_eq!(block.body, format!("{first}\ncargo test --workspace\n"));
                let script = include_str!("../../../.ci/run");
                // The gate judges the corpus with the program that its tests have built.
                for command in ["cargo test --workspace", "/debug/wirecanon\" test"] {
                    assert!(script.contains(command), ".ci/run does not run `{command}`");
                }
            }
            other => panic!("a block of the unknown kind {other:?}"),
        }
        tried += 1;
    }
    assert!(tried >= 8, "only {tried} blocks were found");
}

#[test]
fn every_block_of_the_page_on_fuzzing_is_true() {
    if !have("python3", "python") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let testee = blocks(TESTEES).into_iter().find(|block| block.info == ["python"]).expect("a testee");
    fs::write(folder.path().join("pass_through.py"), testee.body).expect("a script");
    let blocks = blocks(FUZZING);
    assert!(blocks.len() >= 3 && blocks.iter().all(|block| block.info[0] == "console"));
    for block in &blocks {
        console(block, folder.path());
    }
}

#[test]
fn the_library_example_runs() {
    mend::run().expect("a mended session");
}

#[test]
fn an_ellipsis_stands_for_lines_or_the_rest_of_one() {
    assert!(shows(&["a", "…", "d"], &["a", "b", "c", "d"]));
    assert!(shows(&["…", "a…"], &["abc"]));
    assert!(!shows(&["a", "…"], &["b"]));
    assert!(!shows(&["a"], &["a", "b"]));
}

#[test]
fn its_numbers_are_true() {
    let (dialects, targets) = (wirecanon_core::Dialect::ALL.len(), wirecanon_core::Target::all().len());
    assert!(README.contains(&format!("{dialects} dialects and {targets} targets")), "{dialects}, {targets}");
    let said = README.split_once("more than ").and_then(|(_, rest)| rest.split_once(" cases"));
    let said: usize = said.and_then(|(number, _)| number.parse().ok()).expect("a number of cases");
    let cases = wirecanon::corpus::load().expect("the corpus").len();
    assert!(said < cases && cases <= said + 100, "{cases} cases");
}
