//! What others call their things is shown, and nothing obeys it: no terminal, and no log of GitHub Actions.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a terminal would obey, and a line that GitHub Actions would.
const HOSTILE: &str = "k\n::error::x\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}y";

/// What is said in a folder, in colours.
fn said(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirecanon"));
    command
        .args(args)
        .current_dir(folder)
        .env("CLICOLOR_FORCE", "1")
        .env("GITHUB_ACTIONS", "true")
        .stdin(Stdio::null());
    let output = command.output().expect("the program");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text")).concat()
}

fn is_not_obeyed(said: &str) {
    let mut rest = said;
    while let Some((_, behind)) = rest.split_once('\u{1b}') {
        let style =
            behind.strip_prefix('[').map(|style| style.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'));
        assert!(style.is_some_and(|end| end.starts_with('m')), "something else than a colour: {said:?}");
        rest = behind;
    }
    assert!(said.lines().all(|line| !line.starts_with("::error::x")), "a command: {said:?}");
    let obeyed = |c: char| wirecanon::plain::is_obeyed(c) && !matches!(c, '\n' | '\u{1b}');
    assert!(!said.contains(obeyed), "{said:?}");
}

#[test]
fn words_of_others_are_obeyed_by_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let message = serde_json::json!({"role": "user", "content": 7, HOSTILE: 1});
    let file = format!("{}.json", HOSTILE.replace('/', ""));
    fs::write(path.join(&file), serde_json::json!({"messages": [message]}).to_string()).expect("a file");
    for args in [&["check", "--target", "anthropic", &file][..], &["check", "."], &["fix", "--to", "anthropic", &file]]
    {
        let said = said(path, args);
        assert!(said.contains("owned"), "it is shown: {said:?}");
        is_not_obeyed(&said);
    }
    // `patch` reads a difference, which is whole where no person reads it: all but that.
    let dry = said(path, &["fix", "--in-place", "--dry-run", "."]);
    let is_changed = |line: &&str| ["-", "+"].iter().any(|sign| line.contains(&format!("m{sign}{{\"messages\"")));
    is_not_obeyed(&dry.lines().filter(|line| !is_changed(line)).collect::<Vec<_>>().join("\n"));
    fs::write(path.join(&file), "{\"messages\": nothing}").expect("a file");
    let told = said(path, &["check", &file]);
    assert!(told.contains("error") && told.contains("owned"), "{told:?}");
    is_not_obeyed(&told);
}

#[test]
fn a_testee_is_called_what_can_be_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let hello = serde_json::json!({"wirecanon": 1, "name": HOSTILE, "version": HOSTILE, "language": "sh",
        "conversions": [{"from": "mcp.tool-result", "to": "mcp.tool-result"}], "accepts": ["json"]});
    let script =
        format!("read line\nprintf '%s\\n' '{hello}'\nread line\nprintf '\\033]0;owned\\007\\n' >&2\nexit 3\n");
    fs::write(folder.path().join("testee.sh"), script).expect("a script");
    let log = ["--log", "log.jsonl"];
    for args in [
        &["testee", "doctor", "sh testee.sh"][..],
        &[&["test", "--testee", "sh testee.sh", "--case", "mcp-block-unrepresentable/*"][..], &log].concat(),
    ] {
        let said = said(folder.path(), args);
        assert!(said.contains("owned"), "{said:?}");
        is_not_obeyed(&said);
    }
    for form in ["human", "markdown", "tap", "github"] {
        let said = said(folder.path(), &["report", "log.jsonl", "--to", form]);
        assert!(said.contains("owned"), "{said:?}");
        is_not_obeyed(&said);
    }
    // A log that says so itself is none of ours.
    let text = fs::read_to_string(folder.path().join("log.jsonl")).expect("a log");
    fs::write(folder.path().join("log.jsonl"), text.replace("k ::error::x", "k\\n::error::x")).expect("a log");
    let said = said(folder.path(), &["report", "log.jsonl", "--to", "markdown"]);
    assert!(said.contains("with a character that is never shown"), "{said:?}");
    is_not_obeyed(&said);
}

/// A log, a file of configuration and one of expectations come from others, as a transcript does.
#[test]
fn files_of_others_are_obeyed_by_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let log = include_str!("../fixtures/head.ndjson");
    let hostile = serde_json::to_string(HOSTILE).expect("JSON").trim_matches('"').to_owned();
    for (from, to) in [
        ("\"class\":\"pairing\"", "\"class\":\"<img src=x onerror=1>\"".to_owned()),
        ("\"class\":\"pairing\"", format!("\"class\":\"{hostile}\"")),
        ("\"to\":\"groq\"", format!("\"to\":\"{hostile}\"")),
        ("\"rule\":\"tool-call-without-result\"", format!("\"rule\":\"{hostile}\"")),
        ("\"suite\":\"2026.1\"", format!("\"suite\":\"{hostile}\"")),
    ] {
        assert!(log.contains(from), "{from}");
        fs::write(path.join("log.ndjson"), log.replace(from, &to)).expect("a log");
        for form in ["human", "markdown", "matrix", "junit"] {
            let said = said(path, &["report", "log.ndjson", "--to", form]);
            assert!(said.contains("which is no name") && !said.contains("<img src=x onerror=1>\n"), "{form}: {said:?}");
            is_not_obeyed(&said);
        }
    }
    fs::write(path.join("log.ndjson"), log).expect("a log");
    fs::write(path.join("config.toml"), format!("\"{hostile}\" = 1\n")).expect("a file");
    let said_of_config = said(path, &["--config", "config.toml", "config"]);
    assert!(said_of_config.contains("owned"), "{said_of_config:?}");
    is_not_obeyed(&said_of_config);
    let entry = format!("[[expect]]\ncase = \"{hostile}\"\nverdict = \"unsafe\"\nbecause = [\"{hostile}\"]\n");
    fs::write(path.join("e.toml"), entry).expect("a file");
    let said_of_gate = said(path, &["gate", "--from-log", "log.ndjson", "--expectations", "e.toml"]);
    assert!(said_of_gate.contains("owned"), "{said_of_gate:?}");
    is_not_obeyed(&said_of_gate);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_no_case() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("pipes/pairing")).expect("a folder");
    let made = Command::new("mkfifo").arg(folder.path().join("pipes/pairing/a.json")).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    fs::create_dir_all(folder.path().join("devices/pairing")).expect("a folder");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("devices/pairing/a.json")).expect("a link");
    for corpus in ["pipes", "devices"] {
        let said = said(folder.path(), &["test", "--corpus", corpus]);
        assert!(said.contains("it is no file, so it can be no case"), "{said:?}");
    }
}
