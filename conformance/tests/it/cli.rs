//! The command line as a user sees it: texts, exit codes, and nothing half written.
//!
//! Golden transcripts stand in `tests/golden`; `BLESS=1 cargo test -p wirecanon --test it cli::` writes them anew.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use crate::support::golden::golden;

const VALID: &str = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#;
const BROKEN: &str = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function","function":{"name":"look","arguments":{"n":9007199254740993}}}]},{"role":"tool","tool_call_id":"call_a","content":"seen"}]}"#;

fn wirecanon(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirecanon"));
    command.args(args).env_remove("RUST_BACKTRACE").env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
    command
}

struct Said {
    code: i32,
    out: String,
    err: String,
}

fn said(output: &Output) -> Said {
    Said {
        code: output.status.code().expect("an exit code, not a signal"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn run(args: &[&str]) -> Said {
    said(&wirecanon(args).stdin(Stdio::null()).output().expect("the program"))
}

fn feed(args: &[&str], input: &[u8]) -> Said {
    let mut child = wirecanon(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The program may stop reading early.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("an end");
    writer.join().expect("the writer ends");
    said(&output)
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("a file");
    path.display().to_string()
}

/// One line, no stack trace, nothing on stdout; below it at most the line of the file with its place marked.
fn assert_refused(said: &Said, code: i32, words: &[&str]) {
    assert_eq!(said.code, code, "{}", said.err);
    assert_eq!(said.out, "");
    assert!(said.err.starts_with("error: "), "{}", said.err);
    let shown = |line: &&str| line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').starts_with('|');
    let (shown, said_of_it): (Vec<&str>, Vec<&str>) = said.err.lines().partition(shown);
    assert_eq!((said_of_it.len(), matches!(shown.len(), 0 | 2)), (1, true), "{}", said.err);
    for word in words {
        assert!(said.err.contains(word), "`{word}` is not in: {}", said.err);
    }
}

#[test]
fn help_texts() {
    for command in [
        "",
        "test",
        "gate",
        "compare",
        "report",
        "merge",
        "check",
        "fix",
        "gen",
        "diff",
        "explain",
        "list",
        "schema",
        "serve",
        "testee",
        "testee serve",
        "testee doctor",
        "testee add",
        "testee new",
    ] {
        let mut args: Vec<&str> = command.split_whitespace().collect();
        args.push("--help");
        let said = run(&args);
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        if command != "testee" {
            assert!(said.out.contains("Examples:"), "{command}: {}", said.out);
        }
        golden(
            &format!("help-{}.txt", if command.is_empty() { "main".to_owned() } else { command.replace(' ', "-") }),
            &said.out,
        );
    }
}

#[test]
fn wrong_usage_is_2() {
    for args in [
        &["frobnicate"][..],
        &["fix", "--form", "auto"],
        &["check"],
        &["list", "everything"],
        &["test", "--timeout", "0"],
        &["test", "--jobs", "0"],
    ] {
        let said = run(args);
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        assert_eq!(said.out, "");
    }
    assert_refused(&run(&["test", "--testee", "sh 'x"]), 2, &["does not close"]);
    assert_refused(&run(&["test", "--testee", "filter:a:b:cat"]), 2, &["no dialect is called `a`"]);
}

#[test]
fn unknown_names_are_2_and_say_what_there_is() {
    assert_refused(&feed(&["fix", "--to", "antropic"], VALID.as_bytes()), 2, &["`antropic`", "anthropic"]);
    assert_refused(&feed(&["fix", "--from", "openai"], VALID.as_bytes()), 2, &["`openai`", "openai.chat"]);
    assert_refused(&feed(&["check", "--target", "x", "-"], VALID.as_bytes()), 2, &["`x`", "openai.chat"]);
    assert_refused(
        &feed(&["fix", "--to", "openai", "--set", "prefil=refuse"], b"[]"),
        2,
        &["`prefil`", "prefill=accept|refuse"],
    );
    assert_refused(&feed(&["fix", "--set", "prefill=refuse"], b"[]"), 2, &["--to"]);
    assert_refused(&run(&["explain", "orphan-tool-resutl"]), 2, &["did you mean"]);
}

#[test]
fn a_target_of_ones_own_is_read_from_a_file() {
    const OWN: &str = "name = \"mine\"\ndialect = \"openai.chat\"\ntitle = \"Mine\"\nsources = [\"me\"]\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "mine.toml", format!("{OWN}[content]\nblank_text = false\n").as_bytes());
    let blank = br#"{"messages":[{"role":"user","content":" "}]}"#;
    let said = feed(&["fix", "--target-file", &path], blank);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(said.out, r#"{"messages":[{"role":"user","content":"[wirecanon: empty message]"}]}"#);
    let said = feed(&["check", "--target", "mine", "--target-file", &path, "-"], blank);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("mine") && said.out.contains("blank-text"), "{}", said.out);
    let said = feed(&["fix", "--to", "openai", "--target-file", &path], blank);
    assert_eq!(said.out.as_bytes(), blank);
    let broken = file(folder.path(), "broken.toml", format!("{OWN}[content]\nblank_txt = false\n").as_bytes());
    for command in [&["fix", "--target-file"][..], &["check", "-", "--target-file"]] {
        let args: Vec<&str> = command.iter().copied().chain([broken.as_str()]).collect();
        assert_refused(
            &feed(&args, blank),
            2,
            &["broken.toml", "line 6", "`blank_txt`", "`blank_text`", "correct its spelling"],
        );
    }
    assert_refused(&feed(&["fix", "--target-file", "no-such.toml"], blank), 2, &["no-such.toml"]);
}

#[test]
fn a_switch_is_set_by_its_name() {
    let input = br#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"","tool_calls":[{"id":"abcdefghi","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"abcdefghi","name":"ls","content":"a"},{"role":"user","content":"stop"}]}"#;
    let with = |set: &[&str]| {
        let mut args = vec!["fix", "--from", "mistral.chat", "--to", "mistral"];
        for set in set {
            args.extend(["--set", set]);
        }
        feed(&args, input)
    };
    assert!(with(&["user-after-tool=refuse"]).out.contains("the user speaks next"));
    assert_eq!(with(&[]).out.as_bytes(), input);
    assert_refused(&with(&["user-after-tool=maybe"]), 2, &["`maybe`", "accept|refuse"]);
    let said = feed(&["check", "--target", "mistral", "-"], input);
    assert_eq!(said.code, 0, "{}", said.out);
    let said = feed(&["check", "--target", "mistral", "--model", "open-mistral-7b", "-"], input);
    assert!(
        said.out.contains("mistral (strict-order, no-reasoning)") && said.out.contains("user-after-tool-result"),
        "{}",
        said.out
    );
    let said = feed(&["check", "--target", "mistral", "--set", "user-after-tool=refuse", "-"], input);
    assert!(said.out.contains("user-after-tool-result"), "{}", said.out);
}

#[test]
fn bad_inputs_are_2_with_one_clear_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let missing = at.join("missing.json").display().to_string();
    for command in ["fix", "check"] {
        let with = |path: &str| match command {
            "fix" => run(&["fix", "--to", "anthropic", path]),
            _ => run(&["check", "--target", "anthropic", path]),
        };
        assert_refused(&with(&missing), 2, &["missing.json", "no such file"]);
        assert_refused(&with(&file(at, "empty.json", b"")), 2, &["empty.json", "empty"]);
        assert_refused(&with(&file(at, "blank.jsonl", b"\n\n \n")), 2, &["blank.jsonl", "empty"]);
        assert_refused(&with(&file(at, "text.txt", b"Dear Sir,\n")), 2, &["text.txt", "line 1, column 1"]);
        assert_refused(&with(&file(at, "cut.json", &VALID.as_bytes()[..40])), 2, &["cut.json", "ends"]);
        assert_refused(&with(&file(at, "number.json", b"17")), 2, &["number.json"]);
        assert_refused(&with(&file(at, "deep.json", &vec![b'['; 100_000])), 2, &["deep.json", "--max-depth"]);
    }
    let folder = tempfile::tempdir().expect("a folder").keep().display().to_string();
    assert_refused(&run(&["fix", "--to", "anthropic", &folder]), 2, &["directory"]);
    // A folder of sessions is judged; one without any is too little.
    assert_eq!(run(&["check", "--target", "anthropic", &folder]).code, 4);
    fs::remove_dir(folder).expect("an empty folder");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_told_apart() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "locked.json", VALID.as_bytes());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("a locked file");
    if fs::read(&path).is_ok() {
        eprintln!("NOT RUN: this user may read every file");
    } else {
        assert_refused(&run(&["fix", &path]), 2, &["locked.json", "may not be read"]);
    }
    // A file that opens and does not read is the machine's fault.
    if Path::new("/proc/self/mem").exists() {
        assert_refused(&run(&["fix", "/proc/self/mem"]), 5, &["/proc/self/mem", "cannot be read"]);
    }
}

#[test]
fn invalid_utf_8_is_mended_and_said() {
    let said = feed(&["fix", "--from", "canonical"], &VALID.replace("hi", "h\u{0}").replace('\0', "").into_bytes());
    assert_eq!(said.code, 0, "{}", said.err);
    let mut bytes = VALID.as_bytes().to_vec();
    let at = VALID.find("hi").expect("it is there");
    bytes[at] = 0xff;
    let said = feed(&["fix", "--from", "canonical"], &bytes);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(said.out, VALID.replace("hi", "\u{fffd}i"));
    assert!(said.err.contains("1 change"), "{}", said.err);
}

#[test]
fn a_broken_request_is_mended_reported_and_then_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json").display().to_string();
    let args = ["fix", "--from", "openai.chat", "--to", "anthropic", "--report", &report];
    let fixed = feed(&args, BROKEN.as_bytes());
    assert_eq!(fixed.code, 0, "{}", fixed.err);
    assert!(fixed.out.contains("9007199254740993"), "{}", fixed.out);
    golden("fix-report.txt", &fixed.err);
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&report).expect("a report")).expect("JSON");
    assert_eq!((&report["from"], &report["to"]), (&"openai.chat".into(), &"anthropic".into()));
    assert_eq!(report["changed"], true);
    assert!(report["repairs"].as_array().is_some_and(|list| !list.is_empty()), "{report}");
    for field in ["rule", "class", "stage", "severity", "in", "out", "lost", "original", "message"] {
        assert!(report["repairs"][0].get(field).is_some(), "{field}: {report}");
    }
    let with_code = feed(&["fix", "--from", "openai.chat", "--to", "anthropic", "--exit-code"], BROKEN.as_bytes());
    assert_eq!((with_code.code, with_code.out == fixed.out), (1, true));
    let checked = feed(&["check", "--target", "anthropic", "--for", "request", "-"], fixed.out.as_bytes());
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    let again = feed(&["fix", "--to", "anthropic", "--exit-code"], fixed.out.as_bytes());
    assert_eq!((again.code, again.out), (0, fixed.out));
    let leftovers: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(leftovers.len(), 1, "{leftovers:?}");
}

#[test]
fn check_finds_and_says_where() {
    let said = feed(&["check", "--target", "openai.chat", "-"], BROKEN.as_bytes());
    assert_eq!(said.code, 1, "{}", said.err);
    golden("check.txt", &said.out);
    let json = feed(&["check", "--target", "openai.chat", "--format", "json", "-"], BROKEN.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["dialect"], "openai.chat");
    assert_eq!(json["violations"][0]["pointer"], "/messages/1/tool_calls/0/function/arguments");
}

#[test]
fn a_report_that_cannot_be_written_fails_before_the_work() {
    let said = feed(&["fix", "--report", "/no/such/folder/report.json"], BROKEN.as_bytes());
    assert_refused(&said, 2, &["/no/such/folder/report.json", "cannot be written"]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.json").display().to_string();
    let said = feed(&["fix", "--report", &path], b"{");
    assert_eq!(said.code, 2);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "half a report is left");
}

#[test]
fn sessions_are_mended_line_by_line() {
    let input = format!("{VALID}\r\n\n{}\n{VALID}", VALID.replace("hi", "ho"));
    let said = feed(&["fix"], input.as_bytes());
    assert_eq!((said.code, said.out.as_str()), (0, input.as_str()), "{}", said.err);
    assert_eq!(said.err.matches("session on line").count(), 3, "{}", said.err);
    let cut = format!("{VALID}\n{VALID}\n{{\"messages\":[");
    let said = feed(&["fix"], cut.as_bytes());
    assert_eq!((said.code, said.out), (2, format!("{VALID}\n{VALID}\n")));
    assert!(
        said.err.lines().any(|line| line.starts_with("error: stdin: session on line 3"))
            && said.err.contains("\n3 | {\"messages\":["),
        "{}",
        said.err
    );
}

#[test]
fn messages_are_one_session() {
    let input = "{\"role\":\"user\",\"content\":\"hi\"}\n{\"role\":\"assistant\",\"content\":\"ho\"}\n";
    let said = feed(&["fix", "--from", "openai.chat"], input.as_bytes());
    assert_eq!((said.code, said.out.as_str()), (0, input), "{}", said.err);
    let said = feed(&["fix", "--from", "openai.chat", "--to", "canonical"], input.as_bytes());
    assert!(said.out.starts_with("{\"messages\":["), "{}", said.out);
}

#[test]
fn lists_have_ids_and_rules_are_explained() {
    for what in ["rules", "cases", "dialects", "targets", "conversions", "testees", "verdicts", "schemas"] {
        let said = run(&["list", what, "--format", "json"]);
        assert_eq!(said.code, 0);
        let list: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        let list = list.as_array().expect("an array");
        assert!(!list.is_empty() && list.iter().all(|item| item["id"].is_string()), "{what}");
        assert_eq!(run(&["list", what]).code, 0);
    }
    for rule in wirecanon_core::rule::all() {
        let said = run(&["explain", rule.id]);
        assert_eq!(said.code, 0);
        assert!(said.out.contains(rule.statement) && said.out.contains(rule.class.slug()), "{}", said.out);
    }
}

#[test]
fn a_testee_that_does_not_start_is_3() {
    let said = run(&["test", "--testee", "/no/such/program --flag"]);
    assert_eq!(said.code, 3, "{}{}", said.out, said.err);
    assert!(said.out.contains("not run") && said.out.contains("/no/such/program"), "{}", said.out);
    let json = run(&["test", "--format", "json", "--testee", "/no/such/program"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert!(json["testees"][0]["error"].as_str().is_some_and(|error| error.contains("/no/such/program")));
}

#[test]
fn a_filter_that_matches_nothing_is_4_and_one_that_does_is_partial() {
    assert_refused(&run(&["test", "--case", "no-such-*"]), 4, &["no-such-*", "list cases"]);
    let said = run(&["test", "--case", "pairing/*", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(json["summary"]["partial"], true);
    assert!(json["summary"]["cases"].as_u64().is_some_and(|cases| cases > 0));
}

#[test]
fn the_reference_holds() {
    let said = run(&["test"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(said.out.contains("holds: reference"), "{}", said.out);
    assert!(!said.out.contains("void"), "{}", said.out);
    assert!(!said.out.contains('\u{1b}'), "colours into a pipe");
}

#[test]
fn the_reference_as_a_process_says_the_same() {
    let command = format!("'{}' testee serve", env!("CARGO_BIN_EXE_wirecanon"));
    let said = run(&["test", "--format", "json", "--testee", "reference", "--testee", &command]);
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let verdicts = |at: usize| json["testees"][at]["verdicts"].clone();
    assert_eq!(verdicts(0), verdicts(1));
}

#[test]
fn the_doctor_says_what_is_wrong() {
    let own = format!("'{}' testee serve", env!("CARGO_BIN_EXE_wirecanon"));
    let said = run(&["testee", "doctor", &own]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(said.out.contains("starts: reference"), "{}", said.out);
    let said = run(&["testee", "doctor", "/no/such/program"]);
    assert_refused(&said, 3, &["/no/such/program"]);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let big = format!(
        "{{\"messages\":[{}]}}",
        vec![r#"{"role":"user","content":[{"type":"text","text":"hi"}]}"#; 20_000].join(",")
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "big.json", big.as_bytes());
    for args in [&["fix", &path][..], &["list", "cases"], &["test", "--format", "json"]] {
        let mut child = wirecanon(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("error"), "{args:?}");
    }
}

#[test]
fn a_closed_pipe_hides_no_finding() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| file(folder.path(), name, BROKEN.as_bytes());
    let (a, b) = (at("a.json"), at("b.json"));
    for (args, code) in [
        (&["check", "--target", "openai.chat", &a, &b][..], 1),
        (&["check", "--target", "openai.chat", "--format", "json", &a], 1),
        (&["check", "--target", "openai.chat", &a, "/no/such/file"], 2),
        (&["fix", "--from", "openai.chat", "--exit-code", &a], 1),
        (&["fix", "--from", "openai.chat", "--exit-code", "--in-place", &a, &b], 1),
        (&["test", "--testee", "filter:openai.chat:openai.chat:cat", "--case", "pairing/orphan*"], 1),
    ] {
        for both in [false, true] {
            let restored = (at("a.json"), at("b.json"));
            let mut child = wirecanon(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program");
            drop(child.stdout.take());
            if both {
                drop(child.stderr.take());
            }
            let output = child.wait_with_output().expect("an end");
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{args:?} {both}: {err}");
            if args.contains(&"--in-place") {
                let whole = |path: &str| fs::read_to_string(path).expect("the file");
                assert_ne!([whole(&restored.0), whole(&restored.1)], [BROKEN; 2], "all of them are mended");
            }
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_5() {
    for args in [&["--help"][..], &["--version"], &["check", "--help"], &["list", "rules"]] {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device of Linux");
        let said = said(&wirecanon(args).stdout(full).output().expect("it starts"));
        assert_refused(&said, 5, &["cannot write the output"]);
    }
}

#[test]
fn what_is_written_for_programs_keeps_its_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = folder.path().join("report.json").display().to_string();
    assert_eq!(feed(&["fix", "--to", "anthropic", "--report", &report], BROKEN.as_bytes()).code, 0);
    let report = fs::read_to_string(&report).expect("a report");
    let check = feed(&["check", "--target", "openai.chat", "--format", "json", "-"], BROKEN.as_bytes()).out;
    let test = run(&["test", "--case", "pairing/*", "--format", "json"]).out;
    for (schema, text) in [("wirecanon/report", report), ("wirecanon/check", check), ("wirecanon/test", test)] {
        let value = serde_json::from_str(&text).expect("JSON");
        let wrong = wirecanon_schemas::validate::validate(schema, &value).expect("a schema");
        assert!(wrong.is_empty(), "{schema}: {wrong:?}");
    }
}

#[test]
fn check_finds_the_dialect_that_fits_best() {
    for (text, dialect) in [
        (VALID.to_owned(), "canonical"),
        (VALID.replace("[{\"type\":\"text\",\"text\":\"hi\"}]", "\"hi\""), "anthropic.messages"),
        (r#"{"model":"gpt-5","messages":[{"role":"user","content":"hi"}]}"#.to_owned(), "openai.chat"),
        (BROKEN.to_owned(), "openai.chat"),
        (r#"{"content":[{"type":"text","text":"hi"}]}"#.to_owned(), "mcp.tool-result"),
    ] {
        let said = feed(&["check", "--format", "json", "-"], text.as_bytes());
        let json: serde_json::Value = serde_json::from_str(&said.out).unwrap_or_default();
        assert_eq!(json["dialect"], dialect, "{text}: {}{}", said.out, said.err);
    }
}

#[test]
fn lists_keep_their_schema() {
    for what in [
        "rules",
        "cases",
        "coverage",
        "not-expressible",
        "dialects",
        "targets",
        "conversions",
        "losses",
        "testees",
        "verdicts",
        "defects",
        "schemas",
    ] {
        let said = run(&["list", what, "--format", "json"]);
        let value: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        let wrong = wirecanon_schemas::validate::validate("wirecanon/list", &value).expect("a schema");
        assert!(wrong.is_empty(), "{what}: {wrong:?}");
        let items = value.as_array().expect("a list");
        // A rule may go by the name of its class.
        let ids: std::collections::BTreeSet<_> =
            items.iter().map(|item| (item["id"].as_str(), item["kind"].as_str())).collect();
        assert!(!items.is_empty() && ids.len() == items.len(), "{what}: an id stands twice");
    }
}

#[test]
fn every_rule_is_listed_and_explained() {
    let rules: serde_json::Value =
        serde_json::from_str(&run(&["list", "rules", "--format", "json"]).out).expect("JSON");
    for rule in rules.as_array().expect("a list") {
        let id = rule["id"].as_str().expect("an id");
        for key in ["citations", "dialects"] {
            assert!(rule[key].as_array().is_some_and(|list| !list.is_empty()), "{id}: no {key}");
        }
        let said = run(&["explain", id]);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{id}");
        for words in ["title", "class"].map(|key| rule[key].as_str().unwrap_or_default()) {
            assert!(!words.is_empty() && said.out.contains(words), "{id}: {words} is missing in {}", said.out);
        }
        for source in ["citations", "errors"].into_iter().flat_map(|key| rule[key].as_array().into_iter().flatten()) {
            let source = source.as_str().expect("a text");
            assert!(said.out.contains(source), "{id}: {source} is missing in {}", said.out);
        }
        let example = said.out.contains("broken, ") && said.out.contains("mended, for ");
        assert_ne!(example, said.out.contains("no example: "), "{id}: {}", said.out);
    }
}

#[test]
fn a_document_on_one_line_is_explained_message_by_message() {
    golden("explain.txt", &run(&["explain", "error-result-with-media"]).out);
}

#[test]
fn losses_are_listed_for_one_way() {
    let said = run(&["list", "losses", "--from", "anthropic.messages", "--to", "openai", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    let id = "image-in-result/anthropic.messages/openai";
    let found = list.as_array().expect("a list").iter().find(|item| item["id"] == id).expect(id);
    assert_eq!(found["outcome"], "adapted");
    assert_eq!(found["rules"], serde_json::json!(["media-in-tool-result"]));
    assert_refused(&run(&["list", "losses", "--from", "mcp.tool-result", "--to", "openai"]), 2, &["no conversion"]);
    assert_refused(&run(&["list", "rules", "--to", "openai"]), 2, &["list losses"]);
    assert_refused(&run(&["list", "losses", "--to", "antropic"]), 2, &["`antropic`"]);
}

#[test]
fn the_oldest_revision_that_is_kept_is_found() {
    let audio = r#"{"type":"audio","data":"UklGRiQAAABXQVZFZm10IA==","mimeType":"audio/wav"}"#;
    let link = r#"{"type":"resource_link","uri":"file:///a.txt","name":"a"}"#;
    let text = r#"{"type":"text","text":"hi"}"#;
    for (block, revision) in [(text, "2024-11-05"), (audio, "2025-03-26"), (link, "2025-06-18")] {
        let result = format!(r#"{{"content":[{block}]}}"#);
        let prompt = format!(r#"{{"messages":[{{"role":"user","content":{block}}}]}}"#);
        for (dialect, input) in [("mcp.tool-result", &result), ("mcp.prompt", &prompt)] {
            let said = feed(&["check", "--to", &format!("{dialect}@auto"), "-"], input.as_bytes());
            assert_eq!(said.code, 0, "{}", said.out);
            let words =
                format!("stdin: {dialect}@{revision} (the oldest revision that it keeps), for request: holds\n");
            assert_eq!(said.out, words, "{input}");
        }
    }
    let broken = r#"{"content":[{"type":"nothing"}]}"#.as_bytes();
    let said = feed(&["check", "--target", "mcp.tool-result@auto", "--format", "json", "-"], broken);
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!((said.code, json["target"].as_str()), (1, Some("mcp.tool-result@2026-07-28")));
    let said = feed(&["fix", "--from", "mcp.tool-result@auto", "-"], br#"{"content":[]}"#);
    assert_eq!(said.code, 0, "{}", said.err);
    let dates = &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "auto"][..];
    for args in [["check", "--target"], ["fix", "--from"], ["fix", "--to"]] {
        assert_refused(&feed(&[args[0], args[1], "mcp.prompt@2020-01-01", "-"], b"{}"), 2, dates);
        assert_refused(&feed(&[args[0], args[1], "openai.chat@auto", "-"], b"{}"), 2, &["has no revisions"]);
    }
    assert_refused(&feed(&["fix", "--to", "mcp.prompt@auto", "-"], b"{}"), 2, &["mcp.prompt@2025-06-18"]);
}

#[test]
fn the_runs_of_every_case_are_those_that_test_makes() {
    let listed: serde_json::Value =
        serde_json::from_str(&run(&["list", "cases", "--expand", "--format", "json"]).out).expect("JSON");
    let wrong = wirecanon_schemas::validate::validate("wirecanon/list", &listed).expect("a schema");
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut listed_runs = Vec::new();
    let mut carried = 0;
    for case in listed.as_array().expect("a list") {
        let runs = case["expanded"].as_array().expect("runs");
        assert_eq!(case["runs"], runs.len());
        listed_runs
            .extend(runs.iter().map(|run| (case["id"].to_string(), run["from"].to_string(), run["to"].to_string())));
        carried += case["carried"].as_array().expect("dialects").len();
    }
    let said: serde_json::Value = serde_json::from_str(&run(&["test", "--format", "json"]).out).expect("JSON");
    assert_eq!(said["summary"]["runs"], listed_runs.len());
    let mut made: Vec<_> = said["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| (result["case"].to_string(), result["from"].to_string(), result["to"].to_string()))
        .collect();
    made.sort();
    listed_runs.sort();
    assert!(made == listed_runs, "the runs that are listed are not those that are made");
    assert!(carried > listed.as_array().map_or(0, Vec::len), "{carried}");
    let words = run(&["list", "cases", "--expand"]).out;
    assert!(words.ends_with("more where a testee does not read their dialect\n"), "{words}");
    assert!(words.contains(&format!("cases make {} runs", made.len())), "{words}");
}

#[test]
fn what_the_corpus_proves_is_shown() {
    let words = run(&["list", "coverage"]).out;
    for heading in ["Rules", "Classes", "Decisions", "Texts"] {
        assert!(words.lines().any(|line| line == heading), "{heading}: {words}");
    }
    assert!(words.ends_with(" texts; 0 without a case or a reason\n"), "{words}");
    let rows: serde_json::Value =
        serde_json::from_str(&run(&["list", "coverage", "--format", "json"]).out).expect("JSON");
    let row =
        |id: &str| rows.as_array().and_then(|rows| rows.iter().find(|row| row["id"] == id)).expect("a row").clone();
    let orphan = row("orphan-tool-result");
    assert!(orphan["cases"].as_array().is_some_and(|cases| cases.contains(&"orphan-result-first".into())), "{orphan}");
    assert_eq!((orphan["kind"].as_str(), row("R14")["kind"].as_str()), (Some("rule"), Some("decision")));
    assert_refused(&run(&["list", "rules", "--expand"]), 2, &["list cases"]);
    assert_refused(&run(&["list", "coverage", "--export", "x"]), 2, &["list cases"]);
}
