//! Session files whose lines are at fault: what stands in them is read all the same, said, and mended where that can be.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A folder with one session in it.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("s.jsonl"), text).expect("a session");
    folder
}

fn run(folder: &Path, args: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wirecanon"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env("COLUMNS", "100").env_remove("CLICOLOR_FORCE");
    let output = command.output().expect("the program");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// What `check` says of the lines: faults and notes, as `rule line column pointer`.
fn said_of(text: &str) -> (Option<i32>, Vec<String>) {
    let folder = folder(text);
    let said = run(folder.path(), &["check", "--format", "json", "s.jsonl"]);
    let told: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}{}", said.out, said.err));
    let lists = [&told["violations"], &told["notes"]];
    let one = |one: &Value| {
        let [rule, pointer] = ["rule", "pointer"].map(|key| one[key].as_str().unwrap_or_default().to_owned());
        format!("{rule} {} {} {pointer}", one["line"], one["column"]).trim_end().to_owned()
    };
    (said.code, lists.into_iter().filter_map(Value::as_array).flatten().map(one).collect())
}

/// All words that go to the model, in order, for OpenAI.
fn spoken(text: &str) -> Vec<String> {
    let folder = folder(text);
    let said = run(folder.path(), &["fix", "--for", "history", "--to", "openai.chat", "s.jsonl"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let sent: Value = serde_json::from_str(&said.out).expect("JSON");
    let words = |message: &Value| match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => message["tool_calls"][0]["id"].as_str().unwrap_or_default().to_owned(),
    };
    sent["messages"].as_array().expect("a list").iter().map(words).collect()
}

/// The file as it is mended in its place; a second time it stays.
fn mended(text: &str) -> String {
    let folder = folder(text);
    let path = folder.path().join("s.jsonl");
    let said = run(folder.path(), &["fix", "--in-place", "s.jsonl"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    let new = fs::read_to_string(&path).expect("a session");
    let again = run(folder.path(), &["fix", "--in-place", "--no-backup", "s.jsonl"]);
    assert_eq!(again.code, Some(0), "{}", again.out);
    assert_eq!(fs::read_to_string(&path).expect("a session"), new, "once more changes it again");
    new
}

fn claude(role: &str, id: &str, parent: &str, content: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    let head = if role == "assistant" { format!("\"id\":\"m{id}\",\"type\":\"message\",") } else { String::new() };
    format!(
        "{{\"type\":\"{role}\",\"uuid\":\"{id}\",\"parentUuid\":{parent},\"sessionId\":\"s\",\"isSidechain\":false, \"message\":{{{head}\"role\":\"{role}\",\"content\":{content}}}}}"
    )
}

fn text(words: &str) -> String {
    format!("[{{\"type\":\"text\", \"text\":\"{words}\"}}]")
}

/// A task, a call, its result, an answer, and a question behind them.
fn claude_lines() -> Vec<String> {
    vec![
        claude("user", "u1", "", "\"task\""),
        claude("assistant", "a1", "u1", r#"[{"type":"tool_use","id":"t1","name":"B","input":{}}]"#),
        claude("user", "u2", "a1", r#"[{"type":"tool_result","tool_use_id":"t1","content":"R"}]"#),
        claude("assistant", "a2", "u2", &text("done")),
        claude("user", "u3", "a2", "\"later\""),
        claude("assistant", "a3", "u3", &text("L")),
    ]
}

const ALL: [&str; 6] = ["task", "t1", "R", "done", "later", "L"];

fn file(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

fn openclaw(kind: &str, id: &str, parent: &str, rest: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!("{{\"type\":\"{kind}\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"t\",{rest}}}")
}

fn openclaw_message(id: &str, parent: &str, role: &str, words: &str) -> String {
    let more = if role == "assistant" {
        ",\"api\":\"anthropic-messages\",\"provider\":\"anthropic\",\"model\":\"c\",\"stopReason\":\"stop\""
    } else {
        ""
    };
    let message = format!("\"message\":{{\"role\":\"{role}\",\"content\":{}{more},\"timestamp\":1}}", text(words));
    openclaw("message", id, parent, &message)
}

const HEADER: &str = r#"{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}"#;

#[test]
fn a_way_that_breaks_goes_on_with_the_line_in_front() {
    let whole = file(&claude_lines());
    assert_eq!((spoken(&whole), said_of(&whole)), (ALL.map(str::to_owned).to_vec(), (Some(0), vec![])));
    let broken = whole.replace("\"parentUuid\":\"a2\"", "\"parentUuid\":\"gone\"");
    assert_eq!(spoken(&broken), ALL);
    assert_eq!(said_of(&broken), (Some(1), vec!["session-parent-missing 5 41 /parentUuid".to_owned()]));
    assert_eq!(mended(&broken), whole, "the name of the line in front, and nothing else");
    let other = file(&[
        HEADER.to_owned(),
        openclaw_message("a", "", "user", "one"),
        openclaw_message("b", "a", "assistant", "two"),
        openclaw_message("c", "b", "user", "three"),
    ]);
    let broken = other.replace("\"parentId\":\"b\"", "\"parentId\":\"gone\"");
    assert_eq!(spoken(&broken), ["one", "two", "three"]);
    assert_eq!(said_of(&broken).1, ["session-parent-missing 4 39 /parentId"]);
    assert_eq!(mended(&broken), other);
}

#[test]
fn a_way_that_breaks_is_not_led_through_another_agent_nor_over_a_summary() {
    let mut lines = claude_lines();
    let aside = claude("assistant", "x1", "", &text("ASIDE")).replace("\"isSidechain\":false", "\"isSidechain\":true");
    lines.insert(4, aside);
    let broken = file(&lines).replace("\"parentUuid\":\"a2\"", "\"parentUuid\":\"gone\"");
    assert_eq!(spoken(&broken), ALL);
    assert_eq!(mended(&broken), file(&lines));
    // What a summary names was compacted: it stands for that.
    let mut lines = claude_lines();
    lines[4] =
        lines[4].replace("\"a2\"", "\"gone\"").replace("\"isSidechain\"", "\"isCompactSummary\":true,\"isSidechain\"");
    let (code, said) = said_of(&file(&lines));
    assert_eq!((code, said), (Some(0), vec!["session-messages-beside 1 1".to_owned()]));
    assert_eq!(spoken(&file(&lines)), ["later", "L"]);
    // In front of the first line there is nothing to go on with.
    let lines: Vec<String> = claude_lines().into_iter().skip(3).collect();
    assert_eq!(said_of(&file(&lines)), (Some(0), vec![]));
    assert_eq!(mended(&file(&lines)), file(&lines));
}

#[test]
fn lines_in_a_circle_end() {
    let lines = [
        claude("user", "u1", "a2", "\"one\""),
        claude("assistant", "a1", "gone", &text("two")),
        claude("user", "u2", "a1", "\"three\""),
        claude("assistant", "a2", "u2", &text("four")),
    ];
    // The only line in front of the break leads back to it.
    assert_eq!(spoken(&file(&lines)), ["two", "three", "four"].map(str::to_owned).to_vec());
    assert_eq!(mended(&file(&lines)), file(&lines));
}

#[test]
fn records_on_one_line_are_read_and_put_on_lines_of_their_own() {
    let lines = claude_lines();
    let whole = file(&lines);
    for (at, line) in lines.iter().enumerate().take(5) {
        let glued = whole.replacen(&format!("{line}\n"), line, 1);
        assert_eq!(spoken(&glued), ALL, "{at}");
        let column = line.chars().count() + 1;
        assert_eq!(said_of(&glued), (Some(1), vec![format!("session-lines-glued {} {column}", at + 1)]));
        assert_eq!(mended(&glued), whole);
        let carriage = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(mended(&carriage(&glued)), carriage(&whole));
    }
    let all = lines.concat();
    assert_eq!(spoken(&all), ALL);
    assert_eq!(mended(&all), whole.trim_end());
    // A fault of the messages is mended along with it.
    let both = whole.replace("\"content\":\"R\"", "\"content\":null").replacen("}}\n", "}}", 2);
    let new = mended(&both);
    assert!(new.contains("(no output)"), "{new}");
    assert_eq!(said_of(&new), (Some(0), vec![]));
}

#[test]
fn what_cannot_be_read_is_a_fault_and_stays_byte_for_byte() {
    let lines = claude_lines();
    for stub in [
        "{\"type\":\"pr-link\",\"sessionId\":\"s\",\"prNu",
        "\0\0\0\0",
        "{\"type\":\"user\",\"message\":{\"content\":\"日本",
    ] {
        // On a line of its own it is passed over, and the way leads on.
        let mut own = lines.clone();
        own.insert(3, stub.to_owned());
        assert_eq!(spoken(&file(&own)), ALL, "{stub:?}");
        assert_eq!(said_of(&file(&own)), (Some(1), vec!["session-line-broken 4 1".to_owned()]));
        assert_eq!(mended(&file(&own)), file(&own));
        // In front of a record, that is read.
        let mut front = lines.clone();
        front[3].insert_str(0, stub);
        assert_eq!(spoken(&file(&front)), ALL, "{stub:?}");
        let column = stub.chars().count() + 1;
        let faults = vec!["session-line-broken 4 1".to_owned(), format!("session-lines-glued 4 {column}")];
        assert_eq!(said_of(&file(&front)), (Some(1), faults));
        assert_eq!(mended(&file(&front)), file(&own));
        // In place of a record: the next one names it, and goes on with what is in front.
        let mut instead = lines.clone();
        stub.clone_into(&mut instead[3]);
        assert_eq!(spoken(&file(&instead)), ["task", "t1", "R", "later", "L"]);
        assert_eq!(said_of(&file(&instead)).1, ["session-line-broken 4 1", "session-parent-missing 5 41 /parentUuid"]);
        assert_eq!(mended(&file(&instead)), file(&instead).replace("\"parentUuid\":\"a2\"", "\"parentUuid\":\"u2\""));
    }
}

#[test]
fn a_report_says_what_is_wrong_with_lines() {
    let whole = file(&claude_lines());
    let broken = whole.replace("\"parentUuid\":\"a2\"", "\"parentUuid\":\"gone\"");
    let folder = folder(&broken);
    let said = run(folder.path(), &["fix", "--to", "anthropic", "--report", "r.json", "--exit-code", "s.jsonl"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("1 fault of its lines") && said.err.contains("line 5  /parentUuid"), "{}", said.err);
    let report: Value =
        serde_json::from_slice(&fs::read(folder.path().join("r.json")).expect("a report")).expect("JSON");
    assert_eq!((&report["lines"][0]["line"], &report["lines"][0]["fault"]), (&5.into(), &true.into()), "{report}");
    assert!(report["repairs"].is_array(), "{report}");
    let said = run(folder.path(), &["check", "--redact", "s.jsonl"]);
    assert!(
        said.out.contains("session-parent-missing  line 5  /parentUuid") && !said.out.contains("gone"),
        "{}",
        said.out
    );
    let said = run(folder.path(), &["fix", "--in-place", "--report", "m.jsonl", "s.jsonl"]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    let line: Value =
        serde_json::from_slice(&fs::read(folder.path().join("m.jsonl")).expect("a report")).expect("JSON");
    assert_eq!((&line["outcome"], &line["lines"][0]["rule"]), (&"mended".into(), &"session-parent-missing".into()));
    let allowed = run(folder.path(), &["check", "--allow", "session-parent", "s.jsonl"]);
    assert!(allowed.err.contains("session-parent-missing"), "{}", allowed.err);
    let told = run(folder.path(), &["explain", "session-parent-missing"]);
    assert!(told.out.contains("anthropics/claude-code#58554"), "{}", told.out);
}

#[test]
fn a_line_that_stands_again_is_passed_over() {
    let lines = claude_lines();
    let forked: Vec<String> =
        lines.iter().map(|line| line.replacen('{', "{\"forkedFrom\":{\"sessionId\":\"p\"},", 1)).collect();
    let twice = [&forked[..], &lines[..]].concat();
    let in_turn: Vec<String> = lines.iter().flat_map(|line| [line.clone(), line.clone()]).collect();
    for text in [file(&twice), file(&in_turn)] {
        assert_eq!(spoken(&text), ALL);
        let (code, said) = said_of(&text);
        assert_eq!((code, said.len()), (Some(0), 1), "{said:?}");
        assert!(said[0].starts_with("session-line-twice "), "{said:?}");
        assert_eq!(mended(&text), text, "it is no fault");
        // Mended, no copy takes the place of what was mended.
        let new = mended(&text.replace("\"content\":\"R\"", "\"content\":null"));
        assert_eq!(spoken(&new), ["task", "t1", "(no output)", "done", "later", "L"]);
        assert!(!new.contains("\"content\":null"), "{new}");
        assert_eq!(new.lines().count(), 11);
    }
    // Where they say something else, the last counts, as the program has it.
    let mut other = lines.clone();
    other.push(claude("assistant", "a3", "u3", &text("M")));
    assert_eq!(spoken(&file(&other)), ["task", "t1", "R", "done", "later", "M"]);
    assert_eq!(mended(&file(&other)), file(&other));
}

#[test]
fn an_error_of_the_program_is_not_sent_and_stays() {
    let mut lines = claude_lines();
    let error = claude("assistant", "e1", "a2", &text("API Error: 400 {..}"))
        .replacen('{', "{\"isApiErrorMessage\":true,", 1)
        .replace("\"type\":\"message\"", "\"type\":\"message\",\"model\":\"<synthetic>\"");
    lines[4] = lines[4].replace("\"a2\"", "\"e1\"");
    lines.insert(4, error);
    assert_eq!(spoken(&file(&lines)), ALL);
    assert_eq!(said_of(&file(&lines)), (Some(0), vec!["session-api-error 5 1".to_owned()]));
    assert_eq!(mended(&file(&lines)), file(&lines));
    let last: Vec<String> = lines.into_iter().take(5).collect();
    assert_eq!(spoken(&file(&last)), ["task", "t1", "R", "done"]);
    // What another marks as no error is an answer.
    let kept = file(&last).replace("\"isApiErrorMessage\":true", "\"isApiErrorMessage\":false");
    assert!(spoken(&kept).concat().contains("API Error"));
}

#[test]
fn what_openclaw_says_for_itself_is_spoken_as_it_speaks_it() {
    let lines = [
        HEADER.to_owned(),
        openclaw_message("a", "", "user", "one"),
        openclaw("custom_message", "b", "a", "\"customType\":\"ext\",\"content\":\"CUSTOM \\u00e9\",\"display\":true"),
        openclaw_message("c", "b", "assistant", "two"),
        openclaw("branch_summary", "d", "c", "\"fromId\":\"c\",\"summary\":\"BRANCH \\/\""),
        openclaw("custom", "e", "d", "\"customType\":\"state\",\"data\":{}"),
        openclaw_message("f", "e", "user", "three"),
    ];
    let branch = "The following is a summary of a branch that this conversation came back from:\n\n<summary>\nBRANCH /</summary>";
    assert_eq!(spoken(&file(&lines)), ["one", "CUSTOM é", "two", branch, "three"]);
    assert_eq!(said_of(&file(&lines)), (Some(0), vec![]));
    assert_eq!(mended(&file(&lines)), file(&lines));
    // Half a character in the words is mended in the words.
    let half = file(&lines).replace("\\u00e9", "\\ud800").replace("BRANCH \\/", "B \\ud83d");
    let new = mended(&half);
    assert_eq!(new, half.replace("\\ud800", "\\ufffd").replace("\\ud83d", "\\ufffd"), "{new}");
}

#[test]
fn what_openclaw_compacted_is_not_sent_and_its_summary_is() {
    let summary = "The conversation history before this point was compacted into the following summary:\n\n<summary>\nSUM\n</summary>";
    let compaction = |kept: &str| {
        openclaw(
            "compaction",
            "x",
            "d",
            &format!("\"summary\":\"SUM\",\"firstKeptEntryId\":\"{kept}\",\"tokensBefore\":9"),
        )
    };
    let lines = |compaction: String| {
        file(&[
            HEADER.to_owned(),
            openclaw_message("a", "", "user", "one"),
            openclaw_message("b", "a", "assistant", "two"),
            openclaw_message("c", "b", "user", "three"),
            openclaw_message("d", "c", "assistant", "four"),
            compaction,
            openclaw_message("e", "x", "user", "five"),
        ])
    };
    let text = lines(compaction("c"));
    assert_eq!(spoken(&text), [summary, "three", "four", "five"]);
    assert_eq!(said_of(&text), (Some(0), vec!["session-compacted 2 1".to_owned()]));
    assert_eq!(mended(&text), text);
    // The first version names what it kept by its number in the file.
    for (number, kept) in
        [(3, &[summary, "three", "four", "five"][..]), (4, &[summary, "four", "five"]), (9, &[summary, "five"])]
    {
        let text = text.replace("\"firstKeptEntryId\":\"c\"", &format!("\"firstKeptEntryIndex\":{number}"));
        assert_eq!(spoken(&text), kept, "{number}");
    }
    // What it kept is mended where it stands.
    let faulty = text.replace("\"text\":\"four\"}", "\"text\":\"four\", \"signature\":7}");
    assert_eq!(spoken(&mended(&faulty)), [summary, "three", "four", "five"]);
    // Cut off in front of it, or nothing kept: the summary is all that there is.
    assert_eq!(spoken(&lines(compaction("x"))), [summary, "five"]);
    let cut = file(&[
        HEADER.to_owned(),
        compaction("e").replace("\"d\"", "null"),
        openclaw_message("e", "x", "user", "five"),
    ]);
    assert_eq!(spoken(&cut), [summary, "five"]);
    assert_eq!(said_of(&cut), (Some(0), vec![]));
    let tail =
        "\"tokensBefore\":9,\"retainedTail\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"kept\"}]}]";
    let own = lines(compaction("c").replace("\"tokensBefore\":9", tail));
    assert_eq!(spoken(&own), [summary, "kept", "five"]);
    assert_eq!(mended(&own), own);
}

fn codex(kind: &str, payload: &str) -> String {
    format!("{{\"timestamp\":\"t\",\"type\":\"{kind}\",\"payload\":{payload}}}")
}

fn codex_item(role: &str, words: &str) -> String {
    let kind = if role == "user" { "input_text" } else { "output_text" };
    codex("response_item", &message(role, kind, words))
}

fn message(role: &str, kind: &str, words: &str) -> String {
    format!("{{\"type\":\"message\",\"role\":\"{role}\",\"content\":[{{\"type\":\"{kind}\",\"text\":\"{words}\"}}]}}")
}

#[test]
fn what_was_taken_back_in_codex_is_not_sent() {
    let back = |turns: usize| codex("event_msg", &format!("{{\"type\":\"thread_rolled_back\",\"num_turns\":{turns}}}"));
    let started = codex("event_msg", "{\"type\":\"task_started\",\"turn_id\":\"2\"}");
    let lines = |turns| {
        vec![
            codex("session_meta", "{\"id\":\"x\",\"cwd\":\"/\"}"),
            codex_item("user", "<environment_context>E"),
            codex_item("user", "one"),
            codex_item("assistant", "A1"),
            started.clone(),
            codex_item("user", "dead"),
            codex_item("user", "<turn_aborted>"),
            codex_item("assistant", "DEAD"),
            back(turns),
            codex_item("user", "two"),
            codex_item("assistant", "A2"),
        ]
    };
    let text = file(&lines(1));
    assert_eq!(spoken(&text), ["<environment_context>E", "one", "A1", "two", "A2"]);
    assert_eq!(said_of(&text), (Some(0), vec!["session-rolled-back 6 1".to_owned()]));
    assert_eq!(mended(&text), text);
    for all in [2, 9] {
        assert_eq!(spoken(&file(&lines(all))), ["<environment_context>E", "two", "A2"]);
    }
    // What was compacted within the turn comes back with it.
    let replaced = codex(
        "compacted",
        &format!("{{\"message\":\"\",\"replacement_history\":[{}]}}", message("user", "input_text", "SUMMARY")),
    );
    for at in [5, 7] {
        let mut lines = lines(1);
        lines.insert(at, replaced.clone());
        assert_eq!(spoken(&file(&lines)), ["<environment_context>E", "one", "A1", "two", "A2"], "{at}");
        lines.remove(9);
        assert_eq!(spoken(&file(&lines))[0], "SUMMARY", "{at}");
    }
}

#[test]
fn a_history_that_replaces_another_in_codex_is_sent_and_mended_where_it_stands() {
    let task = message("user", "input_text", "TASK");
    let lines = |items: &[&str]| {
        file(&[
            codex("session_meta", "{\"id\":\"x\",\"cwd\":\"/\"}"),
            codex_item("user", "old"),
            codex_item("assistant", "OLD"),
            codex("compacted", &format!("{{\"message\":\"\",\"replacement_history\":[{}]}}", items.join(", "))),
            codex_item("user", "two"),
            codex_item("assistant", "A2"),
        ])
    };
    let seal = "{\"type\":\"compaction\",\"encrypted_content\":\"SEAL\"}";
    let text = lines(&[&task, seal]);
    assert_eq!(spoken(&text)[0], "TASK");
    let at_home = folder(&text);
    let said = run(at_home.path(), &["fix", "--for", "history", "--to", "openai-codex", "s.jsonl"]);
    assert!(said.out.contains("\"SEAL\"") && !said.out.contains("OLD"), "{}{}", said.out, said.err);
    assert_eq!(said_of(&text), (Some(0), vec!["session-compacted 2 1".to_owned()]));
    assert_eq!(mended(&text), text);
    // Items are taken out of the list, and put into it.
    let orphan = "{\"type\":\"function_call_output\",\"call_id\":\"c9\",\"output\":\"O\"}";
    let call = "{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"f\",\"arguments\":\"{}\"}";
    for items in [[orphan, &task, seal], [&task, orphan, seal], [&task, seal, orphan]] {
        assert_eq!(mended(&lines(&items)), text);
    }
    let new = mended(&lines(&[&task, orphan, orphan, call]));
    assert!(new.contains("{\"type\":\"function_call_output\",\"call_id\":\"c1\""), "{new}");
    assert_eq!(said_of(&new).0, Some(0));
    assert_eq!(mended(&lines(&[orphan])), lines(&[]));
    // Without a list nothing is replaced.
    assert_eq!(spoken(&text.replace("\"replacement_history\"", "\"other\"")), ["old", "OLD", "two", "A2"]);
}

/// A call whose id is changed is the same call: all that stands around it on its line stays, whatever its id becomes.
#[test]
fn a_line_whose_call_gets_another_id_keeps_what_stands_around_it() {
    let openclaw = r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-02-01T10:00:00Z","cwd":"/w"}
{"type":"message","id":"a1","parentId":null,"timestamp":"2026-02-01T10:00:01Z","message":{"role":"user","content":"go"}}
{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-02-01T10:00:02Z","durationMs":812,"message":{"role":"assistant","content":[{"type":"toolCall","id":"","name":"read","arguments":{}}]}}
{"type":"message","id":"a3","parentId":"a2","timestamp":"2026-02-01T10:00:03Z","durationMs":44,"message":{"role":"toolResult","toolCallId":"","toolName":"read","content":[{"type":"text","text":"x"}],"isError":false}}
{"type":"label","id":"l1","parentId":"a3","timestamp":"2026-02-01T10:00:04Z","targetId":"a2","label":"checkpoint"}
"#;
    let codex = r#"{"timestamp":"2026-02-01T10:00:00.000Z","type":"session_meta","payload":{"id":"x","timestamp":"t","cwd":"/","originator":"codex_cli_rs","cli_version":"1"}}
{"timestamp":"2026-02-01T10:00:07.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]},"more":7}
{"timestamp":"2026-02-01T10:00:08.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":""},"more":8}
{"timestamp":"2026-02-01T10:00:09.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"","output":"one"},"more":9}
"#;
    let claude = |calls: &str, result: &str| {
        let line = |parent: &str, kind: &str, content: &str, own: &str, more: &str| {
            let around = r#""isSidechain":false,"sessionId":"s","cwd":"/w","version":"2.0.14","timestamp":"2026-02-01T10:00:00.000Z""#;
            format!(
                "{{\"parentUuid\":{parent},{around},\"type\":\"{kind}\",\"message\":{{\"role\":\"{kind}\",\"content\":{content}}},\"uuid\":\"{own}\"{more}}}\n"
            )
        };
        let mut text = line("null", "user", "\"hi\"", "u0", "");
        let ids: Vec<&str> = calls.split(' ').collect();
        for (at, id) in ids.iter().enumerate() {
            let call =
                format!("[{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"Read\",\"input\":{{\"n\":{at}}}}}]");
            text += &line(&format!("\"u{at}\""), "assistant", &call, &format!("u{}", at + 1), "");
        }
        let answer = format!("[{{\"type\":\"tool_result\",\"tool_use_id\":\"{result}\",\"content\":\"x\"}}]");
        text + &line(&format!("\"u{}\"", ids.len()), "user", &answer, "r", ",\"toolUseResult\":{\"file\":\"x\"}")
    };
    for text in [
        openclaw.to_owned(),
        codex.to_owned(),
        claude(".", ".").replace("\".\"", "\"\""),
        claude("t t", "t"),
        claude("t t t", "t"),
    ] {
        let folder = folder(&text);
        let path = folder.path().join("s.jsonl");
        let output = Command::new(env!("CARGO_BIN_EXE_wirecanon")).args(["fix", "--in-place"]).arg(&path).output();
        let output = output.expect("the program");
        assert_eq!(output.status.code(), Some(0), "{}{text}", String::from_utf8_lossy(&output.stdout));
        let mended = fs::read_to_string(&path).expect("a session");
        assert_ne!(mended, text);
        let around = |text: &str| -> Vec<Value> {
            let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            for line in lines.iter_mut().filter_map(Value::as_object_mut) {
                line.remove("message");
                line.remove("payload");
            }
            lines
        };
        let kept = around(&mended);
        for line in around(&text) {
            assert!(kept.contains(&line), "{line} is gone from\n{mended}");
        }
    }
}
