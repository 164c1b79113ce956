//! What docs/gate.md shows is what the program, the script and the action do.
//!
//! Blocks of `console` are tried as those of the README are; `toml` is a file of expectations; `yaml` is the job that a project
//! adds.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use wirecanon::expectation::Expectations;

use crate::support::narrow::testee;
use crate::support::page::{blocks, console, shows};
use crate::support::program::have;
use crate::support::running::run_in;
use crate::support::small::use_small_corpus;

const PAGE: &str = include_str!("../../../docs/gate.md");
const TESTEES: &str = include_str!("../../../docs/testees.md");
const ACTION: &str = include_str!("../../../ci/action/action.yml");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder with the testee of the docs and the scripts.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let own = blocks(TESTEES).into_iter().find(|block| block.info == ["python"]).expect("a testee");
    fs::write(folder.path().join("pass_through.py"), own.body).expect("a script");
    std::os::unix::fs::symlink(root().join("ci"), folder.path().join("ci")).expect("a link");
    folder
}

#[test]
fn every_block_of_the_page_is_true() {
    let folder = folder();
    let mut tried = 0;
    for block in blocks(PAGE) {
        match block.info.as_slice() {
            ["console", "python", ..] if !have("python3", "python") => {}
            ["console", ..] => console(&block, folder.path()),
            ["toml"] => assert_eq!(Expectations::parse(block.body).expect("expectations").entries.len(), 2),
            ["yaml"] => {
                assert!(block.body.lines().count() <= 10, "more than ten lines");
                assert!(block.body.contains("uses: wirecanon/wirecanon/ci/action@"), "{}", block.body);
            }
            other => panic!("a block of the unknown kind {other:?}"),
        }
        tried += 1;
    }
    assert!(tried >= 6, "only {tried} blocks were found");
    assert!(!shows(&["a"], &["b"]));
}

/// Runs the script as a job of GitHub would.
fn script(folder: &Path, args: &[&str], more: &[(&str, &str)]) -> Output {
    let mut command = Command::new(root().join("ci/gate.sh"));
    command.args(args).current_dir(folder).env("WIRECANON", env!("CARGO_BIN_EXE_wirecanon"));
    command.env_remove("GITHUB_ACTIONS").env_remove("TESTEES");
    command.envs(more.iter().copied()).output().expect("the script")
}

#[test]
fn the_script_gates_reports_and_compares() {
    let folder = folder();
    let at = folder.path();
    use_small_corpus(at);
    let argument = testee(at, "narrow", "cat");
    let blessed = run_in(at, &["gate", "--bless", "--log", "base.ndjson", "--testee", &argument]);
    assert_eq!(blessed.code, 0, "{}{}", blessed.out, blessed.err);
    let files = [("GITHUB_ACTIONS", "true"), ("GITHUB_OUTPUT", "output"), ("GITHUB_STEP_SUMMARY", "summary")];
    let lines = format!("\n  \n{argument}\n");
    let said = script(at, &["--base", "base.ndjson"], &[&files[..], &[("TESTEES", lines.as_str())]].concat());
    assert_eq!(said.status.code(), Some(0), "{}", String::from_utf8_lossy(&said.stderr));
    let read = |name: &str| fs::read_to_string(at.join(name)).expect(name);
    assert_eq!(read("output"), "exit-code=0\nlog=wirecanon-out/run.ndjson\n");
    assert_eq!(read("summary"), read("wirecanon-out/summary.md"));
    assert!(read("wirecanon-out/junit.xml").starts_with("<?xml"));
    // Without a file of its own the regression would be known: what the comparison finds blocks too.
    testee(at, "narrow", "sed -u 's/\"tool_call_id\"/\"toolCallId\"/'");
    assert_eq!(script(at, &[&argument], &files).status.code(), Some(1));
    assert!(read("output").ends_with("exit-code=1\nlog=wirecanon-out/run.ndjson\n"));
    fs::create_dir(at.join("other")).expect("a folder");
    run_in(at, &["gate", "--bless", "--expectations", "other", "--testee", &argument]);
    assert_eq!(script(at, &["--expectations", "other", &argument], &[]).status.code(), Some(0));
    let base = ["--expectations", "other", "--base", "base.ndjson", argument.as_str()];
    assert_eq!(script(at, &base, &[]).status.code(), Some(1));
    // Nothing to run, and a program that is not there, are no green.
    assert_eq!(script(at, &[], &[("TESTEES", " \n")]).status.code(), Some(2));
    assert_eq!(script(at, &["--bogus"], &[]).status.code(), Some(2));
    assert_ne!(script(at, &[&argument], &[("WIRECANON", "/no/such/program")]).status.code(), Some(0));
    assert!(!at.join("wirecanon-out/run.ndjson").exists(), "the log of an earlier run is left");
}

/// What the action takes, it hands on; and no expression stands in a script.
#[test]
fn the_action_hands_its_inputs_to_the_script() {
    let (head, steps) = ACTION.split_once("runs:").expect("steps");
    let inputs = head.split_once("outputs:").expect("outputs").0;
    for line in inputs.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")) {
        let name = line.trim().trim_end_matches(':');
        assert!(steps.contains(&format!("${{{{ inputs.{name} ")), "the input {name} is not handed on");
    }
    for script in steps.split("run: |").skip(1) {
        let script = script.split("\n    - ").next().unwrap_or_default();
        assert!(!script.contains("${{"), "an expression stands in a script: {script}");
    }
    assert!(steps.contains("/../gate.sh") && root().join("ci/gate.sh").exists());
}
