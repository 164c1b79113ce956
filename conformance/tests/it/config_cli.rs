//! `wirecanon.toml` and `--watch`, as a user meets them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

const OPEN_CALL: &str = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"look","input":{}}]},{"role":"user","content":"and?"}]}"#;
const VALID: &str = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#;

fn wirecanon(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirecanon"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env("COLUMNS", "100").env_remove("CLICOLOR_FORCE");
    command
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = wirecanon(folder, args).output().expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_nearest_file_counts_and_the_command_line_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let deep = folder.path().join("a/b");
    fs::create_dir_all(&deep).expect("a folder");
    fs::write(deep.join("x.json"), OPEN_CALL).expect("a file");
    let (code, out, _) = run(&deep, &["check", "x.json"]);
    assert_eq!(
        (code, out.starts_with("x.json: anthropic.messages, for request: 1 broken rule")),
        (Some(1), true),
        "{out}"
    );
    let file = folder.path().join("wirecanon.toml");
    fs::write(&file, "[check]\ntarget = \"anthropic\"\nallow = [\"tool-call-without-result\"]\n").expect("a file");
    let (code, out, _) = run(&deep, &["check", "x.json"]);
    assert_eq!((code, out.as_str()), (Some(0), "x.json: anthropic, for request: holds, 1 allowed\n"));
    let (code, out, _) = run(&deep, &["check", "--allow", "orphan-tool-result", "--target", "bedrock", "x.json"]);
    assert_eq!((code, out.starts_with("x.json: bedrock, for request: ")), (Some(1), true), "{out}");
    let (_, out, _) = run(&deep, &["--no-config", "check", "x.json"]);
    assert!(out.starts_with("x.json: anthropic.messages, for request: "), "{out}");
    fs::write(deep.join("other.toml"), "[check]\nmax = 1\n").expect("a file");
    let (code, out, _) = run(&deep, &["check", "--config", "other.toml", "x.json"]);
    assert_eq!(
        (code, out.starts_with("x.json: anthropic.messages, for request: 1 broken rule")),
        (Some(0), true),
        "{out}"
    );
    let (code, out, _) = run(&deep, &["config"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("wirecanon.toml\ncheck.target = \"anthropic\"  # line 2\n"), "{out}");
    assert!(out.contains("check.allow = [\"tool-call-without-result\"]  # line 3\n"), "{out}");
}

#[test]
fn a_wrong_file_is_said_and_stops_only_who_reads_it() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("x.json"), VALID).expect("a file");
    let refused = |text: &str, args: &[&str], words: &[&str]| {
        fs::write(folder.path().join("wirecanon.toml"), text).expect("a file");
        let (code, out, err) = run(folder.path(), args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{text}: {err}");
        assert!(err.starts_with("error: ") && err.lines().count() == 1, "{err}");
        assert!(words.iter().all(|word| err.contains(word)), "{text}: {err}");
    };
    let check = &["check", "x.json"][..];
    refused(
        "[check]\nalow = []\n",
        check,
        &["wirecanon.toml: line 2, column 1: unknown key `alow`; did you mean `allow`?"],
    );
    refused("[check]\nfor = \"now\"\n", check, &["wirecanon.toml: line 2, column 7: ", "not `now`"]);
    let unknown = "no dialect or target is called `opnai`";
    refused("[check]\ntarget = \"opnai\"\n", check, &["wirecanon.toml: line 2, column 10: ", unknown]);
    refused("[check]\ntarget = \"opnai\"\n", &["config"], &[unknown]);
    refused(
        "[targets.a]\nbase = \"opnai\"\n[check]\ntarget = \"a\"\n",
        check,
        &["no dialect or target is called `opnai`"],
    );
    refused("[targets.a]\nfile = \"no.toml\"\n[check]\ntarget = \"a\"\n", check, &["no.toml: cannot be read"]);
    refused("", &["check", "--config", "none.toml", "x.json"], &["none.toml: cannot be read"]);
    fs::write(folder.path().join("wirecanon.toml"), "[").expect("a file");
    assert_eq!(run(folder.path(), &["check", "--no-config", "x.json"]).0, Some(0));
    assert_eq!(run(folder.path(), &["list", "dialects"]).0, Some(0));
    assert_eq!(run(folder.path(), &["--help"]).0, Some(0));
}

#[test]
fn names_of_targets_and_testees_are_known() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(
        folder.path().join("x.json"),
        r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#,
    )
    .expect("a file");
    let program = env!("CARGO_BIN_EXE_wirecanon");
    let text = format!(
        "[targets.strict]\nbase = \"anthropic\"\nset = [\"prefill=refuse\"]\n[testees]\nmine = \"'{program}' testee serve\"\n\
         [test]\ntestees = [\"mine\"]\n[check]\nfor = \"request\"\n"
    );
    fs::write(folder.path().join("wirecanon.toml"), text).expect("a file");
    assert_eq!(run(folder.path(), &["check", "--target", "anthropic", "x.json"]).0, Some(0));
    let (code, out, err) = run(folder.path(), &["check", "--target", "strict", "x.json"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(out.contains("trailing-assistant"), "{out}");
    let (code, out, err) = run(folder.path(), &["test", "--case", "orphan*", "--log", "run.ndjson"]);
    assert_eq!(code, Some(0), "{out}{err}");
    let log = fs::read_to_string(folder.path().join("run.ndjson")).expect("a log");
    assert!(log.lines().next().is_some_and(|line| line.contains("\"testees\":[\"mine\"]")), "{log}");
}

#[cfg(unix)]
#[test]
fn a_watched_file_is_judged_again_until_the_end_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.json");
    fs::write(&path, OPEN_CALL).expect("a file");
    let mut child = wirecanon(folder.path(), &["check", "--watch", "x.json"])
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

#[test]
fn what_cannot_be_watched_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    for (args, words) in [
        (&["check", "--watch", "-"][..], "stdin is read once"),
        (&["test", "--watch"], "names a file that could change"),
    ] {
        let (code, out, err) = run(folder.path(), args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains(words), "{err}");
    }
}
