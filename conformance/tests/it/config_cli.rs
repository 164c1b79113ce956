//! `wirecanon.toml` and `--watch`, as a user meets them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::support::running::program_in;

const OPEN_CALL: &str = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"look","input":{}}]},{"role":"user","content":"and?"}]}"#;
const VALID: &str = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#;

#[cfg(unix)]
#[test]
fn a_watched_file_is_judged_again_until_the_end_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.json");
    fs::write(&path, OPEN_CALL).expect("a file");
    let mut child = program_in(folder.path(), &["check", "--watch", "x.json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let err = BufReader::new(child.stderr.take().expect("a pipe"));
    let out = BufReader::new(child.stdout.take().expect("a pipe"));
    let (mut out, mut err) = (out.lines().map_while(Result::ok), err.lines().map_while(Result::ok));
    assert!(out.next().is_some_and(|line| line.ends_with("1 broken rule")));
    assert_eq!(err.next().as_deref(), Some("runs again on a change; Ctrl-C ends"));
    // Beside it nothing is watched; put in its place it is.
    fs::write(folder.path().join("other.json"), "x").expect("a file");
    fs::write(folder.path().join("new"), VALID)
        .and_then(|()| fs::rename(folder.path().join("new"), &path))
        .expect("a file");
    let line = out.find(|line| line.starts_with("x.json: ")).expect("a line");
    assert_eq!(line, "x.json: canonical, for request: holds");
    assert_eq!(err.next().as_deref(), Some("runs again on a change; Ctrl-C ends"));
    fs::write(&path, "{").expect("a file");
    assert!(err.next().is_some_and(|line| line.starts_with("error: x.json: ")), "an error does not end it");
    let ends = err.find(|line| line.starts_with("runs again"));
    assert!(ends.is_some());
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    assert_eq!(child.wait().expect("an end").code(), Some(2), "what the last run gave");
}
