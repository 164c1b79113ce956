//! Sessions of agents as the agents write them: `check` finds no fault in them, and `fix` leaves every byte.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

struct Output {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirecanon"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env("COLUMNS", "100").env_remove("CLICOLOR_FORCE");
    let output = command.output().expect("the program");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Output { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn folder(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), text).expect("a file");
    folder
}

/// One line of a session of Claude Code.
struct Record<'a> {
    kind: &'a str,
    uuid: &'a str,
    parent: &'a str,
    /// The id of the answer, of an assistant's line
    answer: &'a str,
    content: &'a str,
    /// Further members of the line
    more: &'a str,
}

impl Record<'_> {
    fn line(&self) -> String {
        let Self { kind, uuid, parent, answer, content, more } = self;
        let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
        let head = if answer.is_empty() {
            String::new()
        } else {
            format!(r#""model":"claude-opus-4-8","id":"{answer}","type":"message","#)
        };
        let tail = if answer.is_empty() { "" } else { r#","stop_reason":null,"usage":{"input_tokens":3}"# };
        let sidechain = if more.contains("isSidechain") { "" } else { r#""isSidechain":false,"# };
        format!(
            r#"{{"parentUuid":{parent},{sidechain}"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.9",{more}"type":"{kind}","message":{{{head}"role":"{kind}","content":{content}{tail}}},"uuid":"{uuid}","timestamp":"2026-11-01T00:00:00.000Z"}}"#
        )
    }
}

fn user(uuid: &str, parent: &str, content: &str) -> String {
    Record { kind: "user", uuid, parent, answer: "", content, more: "" }.line()
}

fn assistant(uuid: &str, parent: &str, answer: &str, content: &str) -> String {
    Record { kind: "assistant", uuid, parent, answer, content, more: "" }.line()
}

/// A line of either kind with further members.
fn with(line: &str, more: &str) -> String {
    let line = if more.contains("isSidechain") { line.replace(r#""isSidechain":false,"#, "") } else { line.to_owned() };
    line.replacen(r#""version":"#, &format!("{more},\"version\":"), 1)
}

fn text(words: &str) -> String {
    format!(r#"[{{"type":"text","text":{}}}]"#, Value::from(words))
}

fn call(id: &str) -> String {
    format!(r#"[{{"type":"tool_use","id":"{id}","name":"Read","input":{{"file_path":"/{id}"}}}}]"#)
}

fn result(id: &str) -> String {
    format!(r#"[{{"tool_use_id":"{id}","type":"tool_result","content":"of {id}"}}]"#)
}

const THINKING: &str = r#"[{"type":"thinking","thinking":"hm","signature":"c2lnc2ln"}]"#;

const SNAPSHOT: &str = r#"{"type":"file-history-snapshot","messageId":"u1","snapshot":{},"isSnapshotUpdate":false}"#;

fn attachment(uuid: &str, parent: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"parentUuid":{parent},"isSidechain":false,"attachment":{{"type":"todo_reminder","content":[]}},"type":"attachment","uuid":"{uuid}","sessionId":"s"}}"#
    )
}

/// Twelve sessions, each with its name.
fn sessions() -> Vec<(&'static str, Vec<String>)> {
    let go = || user("u1", "", "\"go\"");
    vec![
        (
            "results between the lines of one answer",
            vec![
                go(),
                assistant("a1", "u1", "m1", THINKING),
                assistant("a2", "a1", "m1", &call("t1")),
                user("r1", "a2", &result("t1")),
                assistant("a3", "r1", "m1", &call("t2")),
                user("r2", "a3", &result("t2")),
                assistant("a4", "r2", "m2", &text("done")),
            ],
        ),
        (
            "several results between, and a text at the end of the answer",
            vec![
                go(),
                assistant("a1", "u1", "m1", &call("t1")),
                assistant("a2", "a1", "m1", &call("t2")),
                user("r1", "a1", &result("t1")),
                user("r2", "a2", &result("t2")),
                assistant("a3", "a2", "m1", &call("t3")),
                user("r3", "a3", &result("t3")),
                assistant("a4", "r3", "m2", &text("done")),
            ],
        ),
        (
            "white space of the model beside its calls",
            vec![
                go(),
                assistant("a1", "u1", "m1", &text("\n\n")),
                assistant("a2", "a1", "m1", THINKING),
                assistant("a3", "a2", "m1", &call("t1")),
                user("r1", "a3", &result("t1")),
                assistant("a4", "r1", "m2", &text("done")),
            ],
        ),
        (
            "white space and words on one line",
            vec![
                go(),
                assistant(
                    "a1",
                    "u1",
                    "m1",
                    r#"[{"type":"text","text":"\n\n"},{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"Read","input":{}}]"#,
                ),
                user("r1", "a1", &result("t1")),
                assistant("a2", "r1", "m2", &text("done")),
            ],
        ),
        (
            "parallel calls that fork the chain",
            vec![
                go(),
                assistant("a1", "u1", "m1", &call("t1")),
                assistant("a2", "a1", "m1", &call("t2")),
                assistant("a3", "a2", "m1", &call("t3")),
                user("r1", "a1", &result("t1")),
                user("r2", "a2", &result("t2")),
                user("r3", "a3", &result("t3")),
                assistant("a4", "r3", "m2", &text("done")),
            ],
        ),
        (
            "a subagent beside the conversation",
            vec![
                go(),
                assistant("a1", "u1", "m1", &call("t1")),
                with(&user("x1", "", "\"look around\""), r#""isSidechain":true,"agentId":"g""#),
                with(&assistant("x2", "x1", "m9", &call("t9")), r#""isSidechain":true,"agentId":"g""#),
                with(&user("x3", "x2", &result("t9")), r#""isSidechain":true,"agentId":"g""#),
                user("r1", "a1", &result("t1")),
                assistant("a2", "r1", "m2", &text("done")),
            ],
        ),
        (
            "the file of a subagent",
            vec![
                with(&user("x1", "", "\"look around\""), r#""isSidechain":true,"agentId":"g""#),
                with(&assistant("x2", "x1", "m9", &call("t9")), r#""isSidechain":true,"agentId":"g""#),
                with(&user("x3", "x2", &result("t9")), r#""isSidechain":true,"agentId":"g""#),
                with(&assistant("x4", "x3", "m10", &text("seen")), r#""isSidechain":true,"agentId":"g""#),
            ],
        ),
        (
            "a session that was resumed, with lines of another one in front",
            vec![
                go().replace("\"sessionId\":\"s\"", "\"sessionId\":\"before\""),
                assistant("a1", "u1", "m1", &call("t1")).replace("\"sessionId\":\"s\"", "\"sessionId\":\"before\""),
                user("r1", "a1", &result("t1")),
                assistant("a2", "r1", "m2", &text("done")),
                r#"{"type":"summary","summary":"Looked","leafUuid":"a2"}"#.to_owned(),
                user("u2", "a2", "\"and now?\""),
                assistant("a3", "u2", "m3", &text("more")),
            ],
        ),
        (
            "a summary behind a boundary",
            vec![
                go(),
                assistant("a1", "u1", "m1", &text("long")),
                r#"{"parentUuid":null,"logicalParentUuid":"a1","isSidechain":false,"sessionId":"s","type":"system","subtype":"compact_boundary","content":"Conversation compacted","uuid":"b1","compactMetadata":{"trigger":"auto"}}"#
                    .to_owned(),
                with(&user("u2", "b1", "\"This session is being continued.\""), r#""isCompactSummary":true"#),
                assistant("a2", "u2", "m2", &call("t2")),
                user("r2", "a2", &result("t2")),
                assistant("a3", "r2", "m3", &text("done")),
            ],
        ),
        (
            "attachments, snapshots and progress between the messages",
            vec![
                SNAPSHOT.to_owned(),
                go(),
                attachment("h1", "u1"),
                assistant("a1", "h1", "m1", &call("t1")),
                r#"{"parentUuid":"a1","isSidechain":false,"sessionId":"s","type":"progress","data":{"type":"hook_progress"},"uuid":"p1"}"#
                    .to_owned(),
                user("r1", "p1", &result("t1")),
                attachment("h2", "r1"),
                assistant("a2", "h2", "m2", &text("done")),
                r#"{"type":"system","subtype":"turn_duration","parentUuid":"a2","uuid":"d1","isSidechain":false,"sessionId":"s"}"#
                    .to_owned(),
            ],
        ),
        (
            "an error of the program in place of an answer, and another try",
            vec![
                go(),
                with(
                    &assistant("e1", "u1", "m0", &text("API Error: 529 overloaded")).replace("claude-opus-4-8", "<synthetic>"),
                    r#""isApiErrorMessage":true"#,
                ),
                user("u2", "e1", "\"again\""),
                assistant("a1", "u2", "m1", &text("done")),
            ],
        ),
        (
            "a turn that is not complete yet",
            vec![
                go(),
                assistant("a1", "u1", "m1", &text("\n\n")),
                assistant("a2", "a1", "m1", &call("t1")),
                user("r1", "a2", &result("t1")),
                assistant("a3", "r1", "m1", &call("t2")),
            ],
        ),
    ]
}

#[test]
fn sessions_of_claude_code_stay_as_they_are() {
    let all = sessions();
    assert_eq!(all.len(), 12);
    for (name, lines) in all {
        for end in ["\n", ""] {
            let file = lines.join("\n") + end;
            let folder = folder("s.jsonl", &file);
            let checked = run(folder.path(), &["check", "s.jsonl"]);
            assert_eq!(checked.code, Some(0), "{name}: {}{}", checked.out, checked.err);
            let fixed = run(folder.path(), &["fix", "--in-place", "s.jsonl"]);
            assert_eq!(fixed.code, Some(0), "{name}: {}{}", fixed.out, fixed.err);
            assert!(fixed.out.contains("1 clean"), "{name}: {}", fixed.out);
            assert_eq!(fs::read_to_string(folder.path().join("s.jsonl")).expect("a file"), file, "{name}");
            assert!(!folder.path().join("s.jsonl.bak").exists(), "{name}");
            let written = run(folder.path(), &["fix", "--for", "history", "s.jsonl"]);
            assert_eq!(written.out, file, "{name}: {}", written.err);
        }
    }
}

/// The messages that a session is for a target.
fn sent(lines: &[String], target: &str) -> Value {
    let folder = folder("s.jsonl", &(lines.join("\n") + "\n"));
    let fixed = run(folder.path(), &["fix", "--for", "history", "--to", target, "s.jsonl"]);
    assert_eq!(fixed.code, Some(0), "{}", fixed.err);
    serde_json::from_str(&fixed.out).expect("JSON")
}

#[test]
fn an_answer_is_sent_before_the_results_of_its_calls() {
    let (_, lines) = sessions().swap_remove(0);
    let sent = sent(&lines, "openai.chat");
    let messages = sent["messages"].as_array().expect("a list");
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap_or_default()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "tool", "assistant"]);
    let calls: Vec<_> = messages[1]["tool_calls"].as_array().into_iter().flatten().map(|call| &call["id"]).collect();
    assert_eq!(calls, ["t1", "t2"]);
    // Another answer stays behind the results.
    let lines: Vec<_> = lines.iter().map(|line| line.replace("\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t2\"", "\"id\":\"m7\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t2\"")).collect();
    let sent = self::sent(&lines, "openai.chat");
    assert_eq!(sent["messages"].as_array().map(Vec::len), Some(6));
}

#[test]
fn a_fault_in_such_a_session_is_repaired_in_its_place() {
    let (_, mut lines) = sessions().swap_remove(2);
    // The result is gone.
    lines.remove(4);
    lines[4] = lines[4].replace("\"parentUuid\":\"r1\"", "\"parentUuid\":\"a3\"");
    lines.push(user("u2", "a4", "\"and?\""));
    let file = lines.join("\n") + "\n";
    let folder = folder("s.jsonl", &file);
    assert_eq!(run(folder.path(), &["check", "s.jsonl"]).code, Some(1));
    let fixed = run(folder.path(), &["fix", "--in-place", "s.jsonl"]);
    assert_eq!(fixed.code, Some(0), "{}{}", fixed.out, fixed.err);
    let new = fs::read_to_string(folder.path().join("s.jsonl")).expect("a file");
    assert!(new.contains("no result was recorded") && new.contains(r#"{"type":"text","text":"\n\n"}"#), "{new}");
    assert_eq!(new.lines().count(), lines.len() + 1);
    assert_eq!(run(folder.path(), &["check", "s.jsonl"]).code, Some(0));
}

#[test]
fn white_space_alone_and_white_space_of_the_user_are_faults() {
    let alone = [user("u1", "", "\"go\""), assistant("a1", "u1", "m1", &text("\n\n")), user("u2", "a1", "\"so?\"")];
    let of_user = [user("u1", "", r#"[{"type":"text","text":"\n\n"},{"type":"text","text":"go"}]"#)];
    let empty = [
        user("u1", "", "\"go\""),
        assistant("a1", "u1", "m1", r#"[{"type":"text","text":""},{"type":"text","text":"hi"}]"#),
    ];
    for lines in [&alone[..], &of_user, &empty] {
        let folder = folder("s.jsonl", &(lines.join("\n") + "\n"));
        let checked = run(folder.path(), &["check", "s.jsonl"]);
        assert_eq!(checked.code, Some(1), "{}{}", checked.out, checked.err);
    }
}

fn pi(id: &str, parent: &str, message: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"t","message":{message}}}"#)
}

fn pi_turn(reason: &str, content: &str) -> String {
    format!(
        r#"{{"role":"assistant","content":{content},"api":"anthropic-messages","provider":"anthropic","model":"c","stopReason":"{reason}","timestamp":1}}"#
    )
}

#[test]
fn turns_that_pi_skips_are_no_fault() {
    const HEADER: &str = r#"{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}"#;
    const CALL: &str = r#"[{"type":"text","text":""},{"type":"toolCall","id":"c1","name":"f","arguments":{}}]"#;
    let go = r#"{"role":"user","content":[{"type":"text","text":"go"}],"timestamp":1}"#;
    let again = r#"{"role":"user","content":[{"type":"text","text":"again"}],"timestamp":1}"#;
    for (reason, content) in [("aborted", CALL), ("error", "[]"), ("error", CALL)] {
        let lines = [
            HEADER.to_owned(),
            pi("a", "", go),
            pi("b", "a", &pi_turn(reason, content)),
            pi("c", "b", again),
            pi("d", "c", &pi_turn("stop", r#"[{"type":"text","text":"done"}]"#)),
        ];
        let file = lines.join("\n") + "\n";
        let folder = folder("s.jsonl", &file);
        let checked = run(folder.path(), &["check", "--format", "json", "s.jsonl"]);
        assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
        let told: Value = serde_json::from_str(&checked.out).expect("JSON");
        assert_eq!(told["notes"][0]["rule"], "session-turn-skipped", "{told}");
        let fixed = run(folder.path(), &["fix", "--in-place", "s.jsonl"]);
        assert_eq!(fixed.code, Some(0), "{}{}", fixed.out, fixed.err);
        assert_eq!(fs::read_to_string(folder.path().join("s.jsonl")).expect("a file"), file);
    }
    // One whose call has a result is sent in part: the result would be without its call.
    let answered = [
        HEADER.to_owned(),
        pi("a", "", go),
        pi("b", "a", &pi_turn("aborted", CALL)),
        pi(
            "r",
            "b",
            r#"{"role":"toolResult","toolCallId":"c1","toolName":"f","content":[{"type":"text","text":"r"}],"isError":false,"timestamp":1}"#,
        ),
        pi("c", "r", again),
    ];
    let sent = sent(&answered, "openai.chat");
    assert!(sent.to_string().contains("\"c1\""), "{sent}");
    // A turn that ended as usual is judged.
    let usual = [HEADER.to_owned(), pi("a", "", go), pi("b", "a", &pi_turn("toolUse", CALL)), pi("c", "b", again)];
    let folder = folder("s.jsonl", &(usual.join("\n") + "\n"));
    assert_eq!(run(folder.path(), &["check", "s.jsonl"]).code, Some(1));
}

#[test]
fn sessions_that_are_not_supported_are_named() {
    for (name, file, words) in [
        (
            "gemini.json",
            r#"{"sessionId":"s","projectHash":"p","startTime":"t","messages":[{"id":"1","timestamp":"t","type":"user","content":"hi"},{"id":"2","timestamp":"t","type":"gemini","content":"yo","thoughts":[]}]}"#,
            "a session of Gemini CLI",
        ),
        (
            "gemini.jsonl",
            "{\"sessionId\":\"s\",\"projectHash\":\"p\",\"startTime\":\"t\"}\n{\"id\":\"1\",\"type\":\"user\",\"content\":\"hi\"}\n",
            "a session of Gemini CLI",
        ),
        (
            "adk.json",
            r#"{"id":"s","appName":"a","userId":"u","state":{},"events":[{"author":"user","invocationId":"e","content":{"role":"user","parts":[{"text":"hi"}]}}]}"#,
            "Agent Development Kit",
        ),
        ("claude.jsonl", &attachment("h1", ""), "a Claude Code session without a message"),
    ] {
        for end in ["", "\n"] {
            let folder = folder(name, &format!("{file}{end}"));
            for command in ["check", "fix"] {
                let output = run(folder.path(), &[command, name]);
                assert_eq!(output.code, Some(2), "{command} {name}: {}{}", output.out, output.err);
                assert!(output.err.contains(words), "{command} {name}: {}", output.err);
                assert_eq!(output.out, "");
            }
            let output = run(folder.path(), &["fix", "--in-place", name]);
            assert_eq!(output.code, Some(2), "{name}: {}{}", output.out, output.err);
            assert_eq!(fs::read_to_string(folder.path().join(name)).expect("a file"), format!("{file}{end}"));
        }
    }
}

#[test]
fn events_of_providers_without_the_framing_of_a_stream_are_read() {
    let anthropic = [
        r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"claude-haiku-4-5","stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let chat = [
        r#"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"hel"},"finish_reason":null}]}"#,
        r#"{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}"#,
    ];
    let responses = [
        r#"{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","output":[]}}"#,
        r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","status":"in_progress","content":[]}}"#,
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"hello","annotations":[]}]}}"#,
        r#"{"type":"response.completed","response":{"id":"resp_1","object":"response","status":"completed","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"hello","annotations":[]}]}]}}"#,
    ];
    let gemini = [
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"hel"}]},"index":0}]}"#,
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"lo"}]},"finishReason":"STOP","index":0}]}"#,
    ];
    for (dialect, events) in [
        ("anthropic.messages", &anthropic[..]),
        ("openai.chat", &chat),
        ("openai.responses", &responses),
        ("gemini.contents", &gemini),
    ] {
        let folder = folder("log.jsonl", &(events.join("\n") + "\n"));
        let fixed = run(folder.path(), &["fix", "--for", "history", "--to", "canonical", "log.jsonl"]);
        assert_eq!(fixed.code, Some(0), "{dialect}: {}", fixed.err);
        assert!(fixed.out.contains("hello"), "{dialect}: {}", fixed.out);
        let checked = run(folder.path(), &["check", "--format", "json", "log.jsonl"]);
        assert_eq!(checked.code, Some(0), "{dialect}: {}{}", checked.out, checked.err);
        assert!(checked.out.contains(&format!("\"dialect\":\"{dialect}\"")), "{dialect}: {}", checked.out);
    }
    // Whole responses, one a line, are no stream.
    let whole =
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"hello"}]},"finishReason":"STOP","index":0}]}"#;
    let folder = folder("log.jsonl", &format!("{whole}\n{whole}\n"));
    let checked = run(folder.path(), &["check", "--format", "json", "log.jsonl"]);
    assert_eq!(checked.out.lines().count(), 2, "{}{}", checked.out, checked.err);
}
