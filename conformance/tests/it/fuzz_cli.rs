//! `wirecanon fuzz`, `replay` and `testee doctor` as a user sees them: texts, exit codes, files, and what a stop costs.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use wirecanon_schemas::validate::validate;

use crate::support::running;
use crate::support::side_by_side::side_by_side;

/// A testee of few words: passes OpenAI messages on as they are, but fails at one word.
const PASS: &str = r#"read -r line
echo '{"wirecanon":1,"name":"pass-through","version":"1.0","conversions":[{"from":"openai.chat","to":"openai.chat"}]}'
while read -r line; do
case "$line" in *'"bye"'*) exit 0;; esac
id=${line#*:}; id=${id%%,*}; input=${line#*'"input":'}; input=${input%?}
case "$input" in *naïve*) printf '%s\n' "{\"id\":$id,\"failed\":\"UnicodeError: at line 12\"}"; continue;; esac
printf '%s\n' "{\"id\":$id,\"output\":$input}"
done
"#;

fn run_in(folder: &Path, args: &[&str]) -> (i32, String, String) {
    running::run_in(folder, args).parts()
}

/// A folder with the testee.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("pass.sh"), PASS).expect("a script");
    folder
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for class in fs::read_dir(folder).expect("a folder").flatten() {
        for file in fs::read_dir(class.path()).expect("a class").flatten() {
            let name = format!("{}/{}", class.file_name().display(), file.file_name().display());
            all.insert(name, fs::read(file.path()).expect("a file"));
        }
    }
    all
}

#[test]
fn what_is_found_is_written_replayed_and_the_same_again() {
    let folder = folder();
    let at = folder.path();
    let testee = ["--testee", "sh pass.sh", "--to", "openai.chat"];
    let ask = |out: &str, more: &[&str]| {
        let args = [&["fuzz", "--runs", "300", "--shrink", "60", "--out", out], &testee[..], more].concat();
        run_in(at, &args)
    };
    let (code, out, err) = ask("found", &[]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    for words in ["causes in", "pass-through, 300 runs, seed 1", "UnicodeError: at line #", "runs a second", "p99"] {
        assert!(out.contains(words), "`{words}` is not in: {out}");
    }
    let first = files(&at.join("found"));
    assert!(first.len() > 5, "{first:?}");
    // The command that is printed shows it again, with the same exit code.
    let replay = out.lines().find_map(|line| line.trim().strip_prefix("replay  wirecanon ")).expect("a command");
    let shell = format!("{} {replay}", env!("CARGO_BIN_EXE_wirecanon"));
    let again = Command::new("sh").args(["-c", &shell]).current_dir(at).output().expect("a shell");
    let said = String::from_utf8_lossy(&again.stdout).into_owned();
    assert_eq!(again.status.code(), Some(1), "{shell}: {said}");
    // And the reference holds where the testee does not.
    let (code, said, _) = run_in(at, &["replay", "found", "--to", "openai.chat"]);
    assert_eq!(code, 0, "{said}");
    // As JSON, and as the schema has it; the files are the same.
    let (code, json, _) = ask("again", &["--format", "json"]);
    assert_eq!(code, 1);
    assert_eq!(files(&at.join("again")), first);
    let value: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["findings"].as_array().map_or(0, Vec::len), first.len());
    let wrong = validate("wirecanon/fuzz", &value).expect("a schema");
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_killed_run_goes_on_and_ends_as_one_that_was_not() {
    let folder = folder();
    let at = folder.path();
    let args = |state: &'static str, out: &'static str| {
        let testee = "sh pass.sh";
        [
            "fuzz",
            "--testee",
            testee,
            "--to",
            "openai.chat",
            "--runs",
            "700",
            "--shrink",
            "20",
            "--state",
            state,
            "--out",
            out,
        ]
    };
    let (code, _, err) = run_in(at, &args("whole", "found-whole"));
    assert_eq!((code, err.as_str()), (1, ""));
    let mut interrupted = 0;
    for signal in ["KILL", "INT", "TERM", "KILL"] {
        let mut child = running::program_in(at, &args("cut", "found-cut"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program");
        let state = at.join("cut/fuzz.json");
        let before = fs::read(&state).ok();
        let end = Instant::now() + Duration::from_secs(20);
        // As soon as there is something new to go on with.
        while fs::read(&state).ok() == before && Instant::now() < end && matches!(child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().expect("kill");
        match child.wait().expect("an end").code() {
            // A signal that ends it at once, or one that it heeds.
            None => interrupted += 1,
            Some(5) if signal != "KILL" => interrupted += 1,
            other => assert_eq!(other, Some(1), "{signal}"),
        }
    }
    assert!(interrupted > 0, "it was never stopped");
    // As if it had been killed while it wrote.
    fs::write(at.join("cut/.wirecanon-half"), "{").expect("a file");
    let (code, out, err) = run_in(at, &args("cut", "found-cut"));
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert_eq!(files(&at.join("found-cut")), files(&at.join("found-whole")));
    assert_eq!(
        fs::read(at.join("cut/fuzz.json")).expect("a state"),
        fs::read(at.join("whole/fuzz.json")).expect("a state")
    );
    // Nothing half written stays.
    let left: Vec<_> =
        fs::read_dir(at.join("cut")).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["fuzz.json"]);
    // What is no stored run, or that of another command, is said.
    let (code, _, err) = run_in(at, &["fuzz", "--testee", "sh pass.sh", "--seed", "9", "--state", "cut"]);
    assert!(code == 2 && err.contains("a run with the seed 1, and this one has 9"), "{err}");
    fs::write(at.join("cut/fuzz.json"), "{").expect("a file");
    let (code, _, err) = run_in(at, &args("cut", "found-cut"));
    assert!(code == 2 && err.contains("no stored run"), "{err}");
}

#[test]
fn nothing_is_found_in_the_reference_as_a_process() {
    let testee = format!("'{}' testee serve", env!("CARGO_BIN_EXE_wirecanon"));
    let (code, out, err) = run_in(Path::new("."), &["fuzz", "--runs", "500", "--seed", "5", "--testee", &testee]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("nothing found: reference, 500 runs, seed 5\n"), "{out}");
}

/// What the doctor says of a script.
fn doctor(script: &str) -> (i32, String) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.sh"), script).expect("a script");
    let (code, out, err) =
        run_in(folder.path(), &["testee", "doctor", "--timeout", "0.5", "--startup-timeout", "0.5", "sh a.sh"]);
    (code, out + &err)
}

#[test]
fn the_doctor_names_what_is_wrong() {
    let (code, out) = doctor(PASS);
    assert_eq!(code, 0, "{out}");
    for words in
        ["starts: pass-through 1.0, after", "a second; from one answer to the next", "(p99)", "nothing is wrong"]
    {
        assert!(out.contains(words), "`{words}` is not in: {out}");
    }
    let hello = PASS.lines().nth(1).expect("hello");
    let answer = "printf '%s\\n' \"{\\\"id\\\":$id,\\\"output\\\":$input}\"";
    let with = |from: &str, to: &str| {
        assert!(PASS.contains(from), "{from}");
        PASS.replacen(from, to, 1)
    };
    let sick = [
        // Answers stay in a buffer until the end.
        (format!("{{ {PASS} }} | {{ all=$(cat); printf '%s\\n' \"$all\"; }}"), 3, "does not flush: "),
        (
            format!(
                "{hello}\nread -r line\n{{ {} }} | {{ all=$(cat); printf '%s\\n' \"$all\"; }}",
                PASS.lines().skip(2).collect::<Vec<_>>().join("\n")
            ),
            3,
            "does not flush: ",
        ),
        ("sleep 60".to_owned(), 3, "never reads: "),
        (format!("{hello}\nsleep 60"), 3, "never reads: after `hello`"),
        ("cat >/dev/null".to_owned(), 3, "says nothing: "),
        (with(answer, "continue"), 3, "hangs: it reads a request"),
        (
            "exit 4".to_owned(),
            3,
            "does not start: the testee `sh a.sh` does not start: it ended before it answered hello: exit status: 4",
        ),
        (with(answer, &format!("{answer}; {answer}")), 3, "answers twice: "),
        (with(answer, &format!("{answer}; echo '{{\"id\":999999,\"output\":1}}'")), 3, "answers nobody: "),
        (with(answer, &answer.replace("$id", "\\\"$id\\\"")), 3, "mistakes the id: "),
        (with("read -r line\n", "echo 'Welcome!'\nread -r line\n"), 0, "prints beside: "),
        (with(answer, &format!("{answer}; exit 0")), 3, "ends early: "),
        (with("exit 0", ":"), 0, "ignores bye: "),
        (format!("{PASS}\nsleep 60").replace("exit 0", "break"), 3, "does not end: "),
        (with("exit 0", "exit 6"), 0, "ends badly: after `bye` it ended: exit status: 6"),
        (with("read -r line\n", "sleep 2.1\nread -r line\n"), 3, "starts slowly"),
    ];
    side_by_side(&sick, |(script, code, words)| {
        let (said, out) = doctor(script);
        assert!(said == *code && out.contains(words), "exit code {said}, without `{words}`: {out}\n{script}");
    });
    let (code, out, err) = run_in(Path::new("."), &["testee", "doctor", "no-such-program"]);
    assert!(code == 3 && err.contains("does not start: ") && err.contains("No such file"), "{out}{err}");
}

#[test]
fn the_pipe_is_measured() {
    let (code, out, err) = run_in(Path::new("."), &["bench", "pipe", "--time", "0.4", "--format", "json"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&out).expect("JSON");
    for key in ["pipe", "pipe_at_8", "reference", "direct", "runner", "share", "share_of_pipe_at_8"] {
        assert!(value[key].as_f64().is_some_and(|speed| speed > 0.0), "{key}: {out}");
    }
}
