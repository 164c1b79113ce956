//! Lines of session files that agents left broken, copied or taken back: what was said is read as the agent itself would send it,
//! what is amiss is said with its line, and all else keeps its bytes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(folder: &Path, args: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirecanon"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    let output = command.output().expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// A session, what of it goes to a model, and what is said of its lines.
struct Case<'t> {
    file: String,
    texts: &'t [&'t str],
    note: &'t str,
    /// The file once it is mended; nothing where it has no fault
    mended: Option<String>,
}

impl Case<'_> {
    fn holds(&self) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("session.jsonl");
        fs::write(&path, &self.file).expect("a session");
        let sent = run(folder.path(), &["fix", "--to", "openai", "session.jsonl"]);
        assert_eq!(sent.code, Some(0), "{}", sent.err);
        assert!(sent.err.contains(self.note), "{}", sent.err);
        let sent: Value = serde_json::from_str(&sent.out).expect("a transcript");
        let texts: Vec<&str> =
            sent["messages"].as_array().expect("messages").iter().filter_map(|m| m["content"].as_str()).collect();
        assert_eq!(texts, self.texts, "{}", self.file);

        let checked = run(folder.path(), &["check", "session.jsonl"]);
        assert_eq!(checked.code, Some(i32::from(self.mended.is_some())), "{}{}", checked.out, checked.err);
        assert!(checked.err.contains(self.note), "{}", checked.err);
        let mended = run(folder.path(), &["fix", "--in-place", "session.jsonl"]);
        assert_eq!(mended.code, Some(0), "{}", mended.err);
        let after = fs::read_to_string(&path).expect("a session");
        assert_eq!(&after, self.mended.as_ref().unwrap_or(&self.file));
        // Once is enough.
        assert_eq!(run(folder.path(), &["check", "session.jsonl"]).code, Some(0));
        assert_eq!(run(folder.path(), &["fix", "--in-place", "session.jsonl"]).code, Some(0));
        assert_eq!(fs::read_to_string(&path).expect("a session"), after);
    }
}

fn claude(uuid: &str, parent: Option<&str>, role: &str, text: &str) -> String {
    let message = json!({"role": role, "content": text});
    json!({"type": role, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "isSidechain": false, "message": message})
        .to_string()
}

fn openclaw(id: &str, parent: Option<&str>, mut entry: Value) -> String {
    entry["id"] = json!(id);
    entry["parentId"] = json!(parent);
    entry.to_string()
}

fn message(role: &str, text: &str) -> Value {
    json!({"type": "message", "message": {"role": role, "content": [{"type": "text", "text": text}]}})
}

fn codex(role: &str, text: &str) -> String {
    let kind = if role == "user" { "input_text" } else { "output_text" };
    let item = json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
    json!({"timestamp": "t", "type": "response_item", "payload": item}).to_string()
}

fn lines(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

const HEADER: &str = r#"{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}"#;

#[test]
fn what_names_no_line_follows_the_one_above() {
    let four = |parent| {
        lines(&[
            claude("u1", None, "user", "one"),
            claude("a1", Some("u1"), "assistant", "two"),
            claude("u2", Some(parent), "user", "three"),
            claude("a2", Some("u2"), "assistant", "four"),
        ])
    };
    let texts = &["one", "two", "three", "four"];
    Case { file: four("nowhere"), texts, note: "line 3: the entry before it", mended: Some(four("a1")) }.holds();

    let three = |parent| {
        let entry = |id, parent, role, text| openclaw(id, parent, message(role, text));
        lines(&[
            HEADER.to_owned(),
            entry("a", None, "user", "one"),
            entry("b", Some(parent), "assistant", "two"),
            entry("c", Some("b"), "user", "three"),
        ])
    };
    let texts = &["one", "two", "three"];
    Case { file: three("gone"), texts, note: "line 3: the entry before it", mended: Some(three("a")) }.holds();
}

#[test]
fn another_agent_is_not_the_line_above() {
    let mut aside: Value = serde_json::from_str(&claude("x1", None, "user", "aside")).expect("a line");
    aside["isSidechain"] = json!(true);
    let of = |parent| {
        lines(&[
            claude("u1", None, "user", "one"),
            claude("a1", Some("u1"), "assistant", "two"),
            aside.to_string(),
            claude("u2", Some(parent), "user", "three"),
        ])
    };
    Case { file: of("nowhere"), texts: &["one", "two", "three"], note: "line 4: the entry", mended: Some(of("a1")) }
        .holds();
}

#[test]
fn records_on_one_line_are_each_read() {
    let all = [
        claude("u1", None, "user", "one {\"a\":1} \"}"),
        claude("a1", Some("u1"), "assistant", "two"),
        claude("u2", Some("a1"), "user", "three"),
    ];
    let texts = &["one {\"a\":1} \"}", "two", "three"];
    let [one, two, three] = &all;
    let file = format!("{one}{two}\r\n{three}\n");
    let mended = format!("{one}\n{two}\r\n{three}\n");
    Case { file, texts, note: "line 1: more than one record", mended: Some(mended) }.holds();
    // What was begun stays, and so do holes in the file.
    for stub in [r#"{"type":"pr-link","sessionId":"s","prNu"#, "\0\0\0\0", r#"{"type":"user","message":{"role":"us"#] {
        let file = format!("{one}\n{stub}{two}\n{three}\n");
        let mended = format!("{one}\n{stub}\n{two}\n{three}\n");
        Case { file, texts, note: "line 2: no JSON, or not all of it", mended: Some(mended) }.holds();
    }
}

#[test]
fn a_part_of_a_record_that_was_cut_off_is_no_record() {
    let last = codex("assistant", "two");
    // Its payload is whole, and the record is not.
    let file = lines(&[codex("user", "one"), last[..last.len() - 1].to_owned()]);
    Case { file, texts: &["one"], note: "line 2: no JSON, or not all of it", mended: None }.holds();
}

#[test]
fn a_line_that_stands_twice_is_said_once() {
    let copy = |line: &str| line.replace("\"sessionId\"", "\"forkedFrom\":\"s\",\"sessionId\"");
    let (one, two) = (claude("u1", None, "user", "one"), claude("a1", Some("u1"), "assistant", "two"));
    let three = claude("u2", Some("a1"), "user", "three");
    for file in [
        lines(&[one.clone(), copy(&one), two.clone(), copy(&two), three.clone(), three.clone()]),
        lines(&[one.clone(), two.clone(), copy(&one), copy(&two), three.clone()]),
    ] {
        let note =
            if file.contains(&format!("{three}\n{three}")) { "lines 2, 4, 6: it stands" } else { "lines 3, 4: it" };
        Case { file, texts: &["one", "two", "three"], note, mended: None }.holds();
    }
}

#[test]
fn an_error_of_the_api_is_no_turn() {
    let mut error: Value =
        serde_json::from_str(&claude("a1", Some("u1"), "assistant", "API Error: 400")).expect("a line");
    error["isApiErrorMessage"] = json!(true);
    let file = lines(&[
        claude("u1", None, "user", "one"),
        error.to_string(),
        claude("u2", Some("a1"), "user", "again"),
        claude("a2", Some("u2"), "assistant", "ok"),
    ]);
    Case { file, texts: &["one", "again", "ok"], note: "line 2: an error of the API", mended: None }.holds();
}

#[test]
fn a_summary_stands_for_what_was_compacted() {
    let entry = |id, parent, role, text| openclaw(id, Some(parent), message(role, text));
    let kept = |first: &str| {
        lines(&[
            HEADER.to_owned(),
            openclaw("a", None, message("user", "old")),
            entry("b", "a", "assistant", "older"),
            entry("c", "b", "user", "kept"),
            openclaw("d", Some("c"), json!({"type": "compaction", "summary": "SUM", "firstKeptEntryId": first})),
            entry("e", "d", "assistant", "new"),
        ])
    };
    let note = "line 5: a summary stands for what was said before";
    Case { file: kept("c"), texts: &["SUM", "kept", "new"], note, mended: None }.holds();
    // Where nothing was kept, or it is not there any more.
    Case { file: kept("gone"), texts: &["SUM", "new"], note, mended: None }.holds();
}

#[test]
fn what_the_program_says_itself_goes_to_the_model() {
    let entry = |id, parent, entry| openclaw(id, Some(parent), entry);
    let file = lines(&[
        HEADER.to_owned(),
        openclaw("a", None, message("user", "one")),
        entry("b", "a", json!({"type": "custom_message", "customType": "x", "content": "CUSTOM", "display": true})),
        entry("c", "b", json!({"type": "branch_summary", "fromId": "a", "summary": "BRANCH"})),
        entry("d", "c", json!({"type": "model_change", "provider": "p", "modelId": "m"})),
        entry("e", "d", message("assistant", "two")),
    ]);
    Case { file, texts: &["one", "CUSTOM", "BRANCH", "two"], note: "", mended: None }.holds();
}

#[test]
fn codex_tells_the_history_that_replaced_another() {
    let user = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "the task"}]});
    let file = lines(&[
        r#"{"timestamp":"t","type":"session_meta","payload":{"id":"s"}}"#.to_owned(),
        codex("user", "old"),
        codex("assistant", "older"),
        json!({"timestamp": "t", "type": "compacted", "payload": {"message": "", "replacement_history": [user]}})
            .to_string(),
        codex("assistant", "new"),
    ]);
    let note = "line 4: the history that replaced";
    Case { file, texts: &["the task", "new"], note, mended: None }.holds();
}

#[test]
fn codex_does_not_tell_turns_that_were_taken_back() {
    let back = |turns: u32| {
        json!({"timestamp": "t", "type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": turns}})
            .to_string()
    };
    let file = |turns| {
        lines(&[
            codex("user", "<environment_context>here</environment_context>"),
            codex("user", "one"),
            codex("assistant", "two"),
            codex("user", "dead"),
            codex("assistant", "deader"),
            back(turns),
            codex("user", "three"),
        ])
    };
    let context = "<environment_context>here</environment_context>";
    let note = "line 6: takes back";
    Case { file: file(1), texts: &[context, "one", "two", "three"], note, mended: None }.holds();
    Case { file: file(9), texts: &[context, "three"], note, mended: None }.holds();
    Case { file: file(0), texts: &[context, "one", "two", "dead", "deader", "three"], note: "", mended: None }.holds();
}
