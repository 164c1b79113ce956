//! `wirecanon case`, and runs of a corpus or a suite of one's own, as a user sees them.
//!
//! Golden texts stand in `tests/golden`; `BLESS=1 cargo test -p wirecanon --test it case_cli::` writes them anew.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::support::golden::golden;

const MESSAGE: &str = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"look","arguments":{"n":9007199254740993}}}]},{"role":"tool","tool_call_id":"call_a","content":"seen"}]}"#;

struct Said {
    code: i32,
    out: String,
    err: String,
}

/// Runs the program in a folder, so that what it says holds no path of this machine.
fn run_in(folder: &Path, args: &[&str], input: &str) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(args)
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .env_remove("CLICOLOR_FORCE")
        .env("COLUMNS", "100")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may not read it at all.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("an end");
    Said {
        code: output.status.code().expect("an exit code, not a signal"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A folder with a corpus of two true cases.
fn corpus() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for case in ["tool-call-id/responses-call-id-of-sixty-five.json", "tool-call-id/ids-longer-than-forty.json"] {
        let to = folder.path().join("corpus").join(case);
        fs::create_dir_all(to.parent().expect("a class")).expect("a folder");
        fs::copy(root.join(case), to).expect("a case");
    }
    folder
}

fn change(folder: &Path, case: &str, from: &str, to: &str) {
    let path = folder.join("corpus").join(case);
    let text = fs::read_to_string(&path).expect("a case");
    assert!(text.contains(from), "{from} is not there");
    fs::write(path, text.replacen(from, to, 1)).expect("a case");
}

#[test]
fn help_texts() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for command in ["case", "case new", "case lint", "case shrink", "case freeze"] {
        let mut args: Vec<&str> = command.split(' ').collect();
        args.push("--help");
        let said = run_in(here, &args, "");
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        assert!(command == "case" || said.out.contains("Examples:"), "{command}: {}", said.out);
        golden(&format!("help-{}.txt", command.replace(' ', "-")), &said.out);
    }
}

#[test]
fn what_a_fuzzer_found_becomes_a_case_that_is_cut_down() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let long =
        MESSAGE.replacen("[{", r#"[{"role":"user","content":"before"},{"role":"assistant","content":"yes"},{"#, 1);
    fs::write(at.join("crash-1"), &long).expect("a file");
    let said = run_in(at, &["case", "new", "--from", "openai.chat", "--from-crash", "crash-1"], "");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.starts_with("no principle is broken any more; cut down from "), "{}", said.err);
    assert!(
        said.err.contains("openai.chat") && said.err.contains("still to do: review, title, source"),
        "{}",
        said.err
    );
    assert!(said.out.contains("\"review\"") && !said.out.contains("before"), "{}", said.out);
    assert!(said.out.contains("9007199254740993"), "{}", said.out);
    fs::create_dir(at.join("json")).expect("a folder");
    fs::write(at.join("json/crash-2"), [7, 0, 255, 3]).expect("a file");
    let said = run_in(at, &["case", "new", "--from-crash", "json/crash-2"], "");
    assert_eq!((said.code, said.out.as_str(), said.err.lines().count()), (2, "", 1), "{}", said.err);
    assert!(
        said.err.contains("json/crash-2: this is no transcript") && said.err.contains("--bin json --"),
        "{}",
        said.err
    );
    let said = run_in(at, &["case", "new", "--from-crash", "crash-1", "crash-2"], "");
    assert_eq!(said.code, 2, "{}", said.err);
}

#[test]
fn a_case_is_made_of_a_message_and_refused_until_it_is_reviewed() {
    let folder = corpus();
    let at = folder.path();
    let said = run_in(at, &["case", "new", "--to", "anthropic"], MESSAGE);
    assert_eq!(said.code, 0, "{}", said.err);
    golden("case-new.json", &said.out);
    golden("case-new.txt", &said.err);
    let args = ["case", "new", "--into", "corpus", "--id", "arguments-an-object-here", "--class", "tool-args"];
    let more =
        ["--source", "openclaw/openclaw#1", "--title", "Arguments become text.", "--tag", "poisoned-history", "-"];
    let args: Vec<&str> = args.into_iter().chain(more).collect();
    let said = run_in(at, &args, MESSAGE);
    assert_eq!((said.code, said.out.as_str()), (0, ""), "{}", said.err);
    assert!(said.err.contains("corpus/tool-args/arguments-an-object-here.json: written"), "{}", said.err);
    let made: Vec<_> = fs::read_dir(at.join("corpus/tool-args")).expect("a class").collect();
    assert_eq!(made.len(), 1, "{made:?}");
    // Never over another case.
    let again = run_in(at, &args, MESSAGE);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("exists already"), "{}", again.err);
    // Nobody has reviewed it: neither the linter nor a run takes it.
    let said = run_in(at, &["case", "lint", "corpus/tool-args"], "");
    assert_eq!(said.code, 1, "{}", said.err);
    golden("case-lint-review.txt", &said.out);
    let said = run_in(at, &["test", "--corpus", "corpus"], "");
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
    assert!(said.err.contains("nobody has reviewed this case") && said.err.contains("nothing was run"), "{}", said.err);
    // Then both do.
    let path = at.join("corpus/tool-args/arguments-an-object-here.json");
    let text = fs::read_to_string(&path).expect("a case");
    let start = text.find(",\n  \"review\"").expect("a mark");
    fs::write(&path, format!("{}\n}}\n", &text[..start])).expect("a case");
    let said = run_in(at, &["case", "lint", "corpus/tool-args"], "");
    assert_eq!((said.code, said.out.as_str()), (0, "1 case: no findings\n"), "{}", said.err);
    let said = run_in(at, &["test", "--corpus", "corpus"], "");
    assert_eq!(said.code, 4, "three cases are below the minimum: {}{}", said.out, said.err);
    let said = run_in(at, &["test", "--corpus", "corpus", "--case", "arguments-*"], "");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
}

#[test]
fn what_cannot_be_made_a_case_is_2() {
    let folder = corpus();
    let at = folder.path();
    for (args, input, words) in [
        (&["case", "new"][..], "Dear Sir,", "stdin: "),
        (&["case", "new", "missing.json"], "", "no such file"),
        (&["case", "new", "--from", "openai"], MESSAGE, "openai.chat"),
        (&["case", "new", "--to", "antropic"], MESSAGE, "anthropic"),
        (&["case", "new", "--class", "paring"], MESSAGE, "did you mean `pairing`"),
        (&["case", "new", "--id", "No Id"], MESSAGE, "small letters"),
        (&["case", "new", "--into", "nowhere"], MESSAGE, "no such folder"),
        (&["case", "shrink", "--rule", "orphan-tool-resutl"], MESSAGE, "orphan-tool-result"),
        (&["case", "shrink", "--rule", "orphan-tool-result"], MESSAGE, "does not fire"),
        (&["case", "lint", "--corpus", "nowhere"], "", "no such folder"),
        (&["case", "lint", "corpus/nothing.json"], "", "no case of corpus"),
        (&["case", "freeze", "first"], "", "year and number"),
        (&["test", "--corpus", "nowhere"], "", "no such folder"),
        (&["test", "--suite", "1999.1"], "", "no suite is called `1999.1`"),
    ] {
        let said = run_in(at, args, input);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}: {}", said.err);
        assert!(said.err.starts_with("error: ") && said.err.contains(words), "{args:?}: {}", said.err);
    }
    let nothing = tempfile::tempdir().expect("a folder");
    let said = run_in(nothing.path(), &["case", "lint"], "");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("name its folder with --corpus"), "{}", said.err);
    let here = nothing.path().display().to_string();
    assert_eq!(run_in(at, &["case", "lint", "--corpus", &here], "").code, 4);
}

#[test]
fn findings_have_a_place_and_a_cure_and_stop_a_run() {
    let folder = corpus();
    let at = folder.path();
    let case = "tool-call-id/responses-call-id-of-sixty-five.json";
    let said = run_in(at, &["case", "lint"], "");
    assert_eq!((said.code, said.out.as_str()), (0, "2 cases: no findings\n"), "{}", said.err);
    change(at, case, "\"length\": 60", "\"lenght\": 60");
    change(at, "tool-call-id/ids-longer-than-forty.json", "\"0.1.0\"", "\"9.0.0\"");
    let said = run_in(at, &["case", "lint"], "");
    assert_eq!(said.code, 1, "{}", said.err);
    golden("case-lint.txt", &said.out);
    let json = run_in(at, &["case", "lint", "--format", "json"], "");
    assert_eq!(json.code, 1);
    let value = serde_json::from_str(&json.out).expect("JSON");
    let wrong = wirecanon_schemas::validate::validate("wirecanon/lint", &value).expect("a schema");
    assert!(wrong.is_empty(), "{wrong:?}");
    let said = run_in(at, &["test", "--corpus", "corpus"], "");
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
    golden("test-unfit-corpus.txt", &said.err);
    assert_eq!(run_in(at, &["case", "freeze", "2026.1"], "").code, 2);
    assert!(!at.join("suites").exists(), "an unfit corpus is frozen");
}

#[test]
fn what_is_only_untidy_is_set_in_order() {
    let folder = corpus();
    let at = folder.path();
    let case = "tool-call-id/responses-call-id-of-sixty-five.json";
    let path = at.join("corpus").join(case);
    let neat = fs::read_to_string(&path).expect("a case");
    change(at, case, "  \"class\": \"tool-call-id\",\n", "");
    change(at, case, "\"from\":", "\"class\": \"tool-call-id\",\n\n\"from\":");
    assert_eq!(run_in(at, &["case", "lint"], "").code, 1);
    // An untidy corpus is fit to be run.
    assert_eq!(run_in(at, &["test", "--corpus", "corpus", "--case", "*"], "").code, 0);
    let said = run_in(at, &["case", "lint", "--fix"], "");
    assert_eq!((said.code, said.out.as_str()), (0, "1 file written anew\n2 cases: no findings\n"), "{}", said.err);
    assert_eq!(fs::read_to_string(&path).expect("a case"), neat);
}

#[test]
fn a_message_shrinks_to_its_fault() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let long = MESSAGE.replace(
        r#""content":"seen"}"#,
        r#""content":"seen"},{"role":"user","content":"more"},{"role":"assistant","content":"yes"}"#,
    );
    let said = run_in(here, &["case", "shrink", "--rule", "tool-call-arguments-not-a-string"], &long);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(
        !said.out.contains("more") && !said.out.contains("seen") && said.out.contains("9007199254740993"),
        "{}",
        said.out
    );
    let said = run_in(here, &["case", "shrink", "--to", "bedrock"], MESSAGE);
    assert_eq!((said.code, said.out.trim_end()), (0, MESSAGE), "all of it matters: {}", said.err);
}

#[test]
fn a_suite_is_frozen_once_and_a_draft_again() {
    let folder = corpus();
    let at = folder.path();
    let path = at.join("suites/2026.1.json");
    let said = run_in(at, &["case", "freeze", "2026.1", "--draft"], "");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.starts_with("draft of suite 2026.1, 2 cases"), "{}", said.out);
    let first = fs::read_to_string(&path).expect("a suite");
    change(at, "tool-call-id/ids-longer-than-forty.json", "\"may_refuse\": false", "\"may_refuse\": \"limit\"");
    let said = run_in(at, &["case", "freeze", "2026.1"], "");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("1 changed, 0 vanished, 0 new"), "{}", said.out);
    let second = fs::read_to_string(&path).expect("a suite");
    assert_ne!(first, second);
    let said = run_in(at, &["case", "freeze", "2026.1"], "");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("is frozen"), "{}", said.err);
    assert_eq!(fs::read_to_string(&path).expect("a suite"), second);
    let value = serde_json::from_str(&second).expect("JSON");
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/suite", &value), Ok(vec![]));
}

/// The suites of the program, against a corpus that is not theirs, and against their own.
#[test]
fn a_suite_runs_what_was_frozen_or_nothing() {
    let folder = corpus();
    let at = folder.path();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let said = run_in(here, &["list", "suites", "--format", "json"], "");
    let list: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    for suite in list.as_array().expect("a list") {
        let name = suite["id"].as_str().expect("a name");
        let said = run_in(at, &["test", "--suite", name, "--corpus", "corpus", "--case", "*"], "");
        if suite["draft"] == true {
            assert_eq!(said.code, 0, "{}", said.err);
            assert!(said.err.contains("is a draft") && said.err.contains("vanished"), "{}", said.err);
        } else {
            assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
            assert!(said.err.contains("is not that of the suite") && said.err.contains("vanished"), "{}", said.err);
        }
        let said = run_in(here, &["test", "--suite", name, "--case", "tool-call-id/*", "--format", "json"], "");
        assert_eq!(said.code, 0, "{}", said.err);
    }
}

#[test]
fn a_retired_case_is_not_run() {
    let folder = corpus();
    let at = folder.path();
    let retired = ",\n  \"retired\": {\n    \"in\": \"0.1.0\",\n    \"reason\": \"It was wrong.\"\n  }\n}\n";
    change(at, "tool-call-id/ids-longer-than-forty.json", "\n}\n", retired);
    let said = run_in(at, &["case", "lint"], "");
    assert_eq!(said.code, 0, "{}", said.out);
    let said = run_in(at, &["test", "--corpus", "corpus", "--case", "*", "--format", "json"], "");
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(json["summary"]["cases"], 1);
    let said = run_in(at, &["test", "--corpus", "corpus", "--case", "ids-longer-than-forty"], "");
    assert_eq!(said.code, 4, "{}", said.err);
    let said = run_in(at, &["test", "--suite", "2026.1", "--corpus", "corpus", "--case", "*"], "");
    assert!(said.err.contains("ids-longer-than-forty: retired in 0.1.0: It was wrong."), "{}", said.err);
}

#[test]
fn the_schema_of_a_case_goes_by_its_short_name() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let short = run_in(here, &["schema", "case"], "");
    assert_eq!((short.code, short.out), (0, run_in(here, &["schema", "wirecanon/case"], "").out));
    for what in ["suites", "tags", "lints"] {
        let said = run_in(here, &["list", what, "--format", "json"], "");
        let value = serde_json::from_str(&said.out).expect("JSON");
        let wrong = wirecanon_schemas::validate::validate("wirecanon/list", &value).expect("a schema");
        assert!(wrong.is_empty(), "{what}: {wrong:?}");
    }
}

#[test]
fn a_case_is_made_of_what_a_session_file_holds() {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sessions");
    for (file, dialect) in [
        ("openclaw.jsonl", "openclaw"),
        ("claude-code-torn.jsonl", "anthropic.messages"),
        ("langsmith.json", "langchain"),
    ] {
        let path = sessions.join(file).display().to_string();
        for redact in [&[][..], &["--redact"]] {
            let said = run_in(&sessions, &[&["case", "new", &path], redact].concat(), "");
            assert_eq!(said.code, 0, "{}", said.err);
            assert!(said.err.contains("transcript") && said.err.contains("taken"), "{}", said.err);
            assert!(said.out.contains(&format!("\"from\": \"{dialect}\"")), "{file}: {}", said.out);
            assert!(!said.out.contains("parentUuid") && !said.out.contains("unknown-role"), "{file}: {}", said.out);
        }
    }
    let path = sessions.join("openclaw.jsonl").display().to_string();
    let said = run_in(&sessions, &["case", "shrink", &path], "");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(!said.out.contains("parentId"), "{}", said.out);
}

#[test]
fn a_case_is_shown_with_an_answer_and_its_differences() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = run_in(folder.path(), &["case", "show", "call-without-result", "--to", "anthropic"], "");
    assert_eq!(said.code, 0, "{}", said.err);
    for words in [
        "rules that the input breaks",
        "tool-call-without-result at /messages/1/content/1",
        "acceptable too: ",
        "expected conversation, from the canonical outcome",
        "assistant  calls read {}",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    let echo = "filter:openai.chat:openai.chat:cat";
    let said = run_in(folder.path(), &["case", "show", "call-without-result", "--to", "openai", "--testee", echo], "");
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.out.contains("failed: rejected"), "{}", said.out);
    let said =
        run_in(folder.path(), &["case", "show", "call-without-result", "--testee", "reference", "--to", "openai"], "");
    assert!(said.code == 0 && said.out.contains("passed: "), "{}{}", said.out, said.err);
    let said = run_in(folder.path(), &["case", "show", "call-without-resutl"], "");
    assert!(said.code == 2 && said.err.contains("did you mean `call-without-result`"), "{}", said.err);
}
