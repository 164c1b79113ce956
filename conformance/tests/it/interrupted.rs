//! A program that is asked to end, or whose files may not grow, leaves no half file behind and says what it did not write.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const ENDLESS: [&str; 8] = ["gen", "--dialect", "openai.chat", "-n", "100000000", "--out", "made.jsonl", "--seed=1"];

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirecanon"));
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn nothing_is_left(folder: &Path, output: &Output, says: &str) {
    let names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.is_empty(), "{names:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(says), "{said}");
    assert_eq!(output.status.code(), Some(5), "{said}");
}

#[test]
fn ctrl_c_takes_the_file_away_that_is_not_whole() {
    let folder = tempfile::tempdir().unwrap();
    let child = program(folder.path()).args(ENDLESS).spawn().unwrap();
    let begun = Instant::now();
    while std::fs::read_dir(folder.path()).unwrap().next().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it never began");
        std::thread::sleep(Duration::from_millis(10));
    }
    // The file is there a moment before the program listens.
    std::thread::sleep(Duration::from_millis(300));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    nothing_is_left(folder.path(), &child.wait_with_output().unwrap(), "interrupted: made.jsonl was not written");
}

#[test]
fn a_file_that_may_not_grow_is_an_error_and_no_sudden_end() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!("ulimit -f 100; exec \"$0\" {}", ENDLESS.join(" "));
    let output = Command::new("sh")
        .args(["-c", &line, env!("CARGO_BIN_EXE_wirecanon")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    nothing_is_left(folder.path(), &output, "made.jsonl: cannot be written: File too large");
}

#[test]
fn ctrl_c_in_a_run_is_said_and_its_report_is_whole() {
    stopped_by("-INT");
}

/// Its terminal was closed. Who runs the tests so that they outlive theirs has told the program so too.
#[cfg(target_os = "linux")]
#[test]
fn the_end_of_its_terminal_in_a_run_is_said_and_nothing_is_left() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default().trim().to_owned();
    if u64::from_str_radix(&ignored, 16).is_ok_and(|signals| signals & 1 == 0) {
        stopped_by("-HUP");
    }
}

fn stopped_by(signal: &str) {
    let folder = tempfile::tempdir().unwrap();
    // It says that it is there, and never answers.
    let hello = r#"{"wirecanon":1,"name":"slow","conversions":[{"from":"openai.chat","to":"openai.chat"}]}"#;
    let script = format!("read x; echo '{hello}'; touch begun; sleep 60");
    std::fs::write(folder.path().join("slow.sh"), script).unwrap();
    let args = ["test", "--testee", "sh slow.sh", "--case", "orphan*", "--format", "html", "-o", "run.html"];
    let child = program(folder.path()).args(args).spawn().unwrap();
    let begun = Instant::now();
    while !folder.path().join("begun").exists() {
        assert!(begun.elapsed() < Duration::from_secs(30), "it never began");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(5) && said.contains("the run was cut short"), "{said}");
    let page = std::fs::read_to_string(folder.path().join("run.html")).unwrap();
    assert!(page.trim_end().ends_with("</html>"), "half a page");
}
