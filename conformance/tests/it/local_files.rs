//! The local page with files of programs: sessions of agents, what stands around a transcript, and streams of providers. What it says of
//! them is what the command line says.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::local::Server;
use crate::support::running::run_in;

const STREAM: &str = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"c\"}}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"look\",\"input\":{}}}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"place\\\": \\\"Hidden Val\"}}\n\n";

fn sessions() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sessions");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

fn in_units(text: &str, range: &Value) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let [begin, end] = [0, 1].map(|side| usize::try_from(range[side].as_u64().expect("a place")).expect("small"));
    String::from_utf16(&units[begin..end]).expect("whole characters")
}

/// What `check` tells of each text, as the page does.
fn as_page(command: &str, file: &Value) -> Vec<Value> {
    let lines = command.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines
        .map(|mut line| {
            let members = line.as_object_mut().expect("an object");
            assert_eq!(members.remove("file").as_ref(), Some(file));
            line
        })
        .collect()
}

fn as_command(texts: &Value) -> Vec<Value> {
    let mut texts = texts.as_array().expect("texts").clone();
    for text in &mut texts {
        let members = text.as_object_mut().expect("an object");
        members.remove("number");
        if let Some(line) = members.remove("session") {
            members.insert("line".to_owned(), line);
        }
        for list in ["violations", "notes"].into_iter().filter(|list| members.contains_key(*list)).collect::<Vec<_>>() {
            for one in members[list].as_array_mut().expect("a list") {
                one.as_object_mut().expect("an object").remove("range");
            }
        }
    }
    texts
}

#[test]
fn a_file_of_a_program_is_read_as_the_command_line_reads_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let (mut mended, mut woven, mut alone) = (0, 0, 0);
    for path in sessions() {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let bytes = fs::read(&path).expect("a file");
        fs::write(folder.path().join(&name), &bytes).expect("a copy");
        let command = run_in(folder.path(), &["check", "--format", "json", &name]);
        let said = server.post("/api/check", &bytes);
        if command.code == 2 {
            assert_eq!(said.status, 422, "{name}: {}", said.text());
            assert_eq!(server.post("/api/fix", &bytes).status, 422, "{name}");
            continue;
        }
        assert_eq!(said.status, 200, "{name}: {}", said.text());
        assert_eq!(as_command(&said.json()["texts"]), as_page(&command.out, &json!(name)), "{name}");
        // The whole file, as it is mended in its place.
        let told = server.post("/api/fix?for=history", &bytes);
        let place = format!("place-{name}");
        fs::write(folder.path().join(&place), &bytes).expect("a copy");
        let command = run_in(folder.path(), &["fix", "--in-place", "--no-backup", &place]);
        if command.code == 2 {
            assert_eq!(told.status, 422, "{name}: {}", told.text());
            continue;
        }
        assert_eq!((command.code, told.status), (0, 200), "{name}: {} {}", command.err, told.text());
        let file = fs::read_to_string(folder.path().join(&place)).expect("a file");
        assert_eq!(told.json()["output"].as_str(), Some(file.as_str()), "{name}");
        let alike = server.post("/api/fix?for=history&as=bytes", &bytes);
        assert_eq!(alike.text(), file, "{name}");
        assert_eq!(alike.header("content-type"), Some("application/octet-stream"));
        mended += 1;
        woven += usize::from(file.as_bytes() != bytes && told.json()["texts"][0]["inside"].is_string());
        // The messages alone, where another target is asked for.
        let command = run_in(folder.path(), &["fix", "--to", "openai", &name]);
        let told = server.post("/api/fix?to=openai&as=bytes", &bytes);
        assert_eq!(command.code == 0, told.status == 200, "{name}: {} {}", command.err, told.text());
        if command.code == 0 {
            assert_eq!(told.text(), command.out, "{name}");
            alone += 1;
        }
    }
    assert!(mended > 10 && woven > 3 && alone > 6, "{mended}, {woven}, {alone}");
}

#[test]
fn places_are_those_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sessions/claude-code-orphan.jsonl");
    let text = fs::read_to_string(path).expect("a file");
    let line = text.lines().position(|line| line.contains("toolu_X")).expect("the orphan") + 1;
    let torn = format!("{text}{{\"type\":\"user\",\"mess");
    for (query, source) in [("", &torn), ("redact=1&", &torn)] {
        let told = server.post(&format!("/api/check?{query}"), source.as_bytes()).json();
        assert_eq!(told["lines"], "session");
        assert_eq!(told["torn"], json!([source.lines().count()]));
        assert_eq!(told["texts"][0]["inside"], "a Claude Code session");
        let violations = told["texts"][0]["violations"].as_array().expect("a list");
        let orphan = violations.iter().find(|one| one["rule"] == "orphan-tool-result").expect("one");
        assert_eq!(orphan["line"], line, "{orphan}");
        let told = server.post(&format!("/api/fix?{query}"), source.as_bytes()).json();
        let shown = told["source"].as_str().unwrap_or(source);
        let there = in_units(shown, &orphan["range"]);
        assert!(there.starts_with("{\"tool_use_id\":\"") && there.ends_with("true}"), "{there}");
        assert_eq!(query.is_empty(), shown.contains("toolu_X"));
        let output = told["output"].as_str().expect("a text");
        let report = &told["texts"][0]["report"]["repairs"];
        let at = report.as_array().expect("a list").iter().position(|one| one["out"].is_string()).expect("a repair");
        let place = &told["texts"][0]["places"]["repairs"][at]["out"];
        let there = in_units(output, &place["range"]);
        assert!(serde_json::from_str::<Value>(&there).is_ok(), "{there}");
        assert!(told["texts"][0]["diff"]["text"].is_string(), "{told}");
    }
}

#[test]
fn a_stream_is_read_to_its_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    assert!(server.get("/").text().contains("the stream of a provider"), "the page says nothing of streams");
    fs::write(folder.path().join("answer.sse"), STREAM).expect("a file");
    let command = run_in(folder.path(), &["fix", "answer.sse"]);
    assert_eq!(command.code, 0, "{}", command.err);
    let told = server.post("/api/fix", STREAM.as_bytes()).json();
    assert_eq!(told["output"].as_str(), Some(command.out.as_str()), "{told}");
    assert_eq!(told["stream"], json!({"dialect": "anthropic.messages", "events": 3, "ended": false}));
    // Places are in the message, which is shown in place of the stream.
    let source = told["source"].as_str().expect("the message").to_owned();
    let checked = server.post("/api/check", STREAM.as_bytes()).json();
    let command = run_in(folder.path(), &["check", "--format", "json", "answer.sse"]);
    assert_eq!(as_command(&checked["texts"]), as_page(&command.out, &json!("answer.sse")));
    let broken = &checked["texts"][0]["violations"][0];
    assert!(in_units(&source, &broken["range"]).contains("Hidden Val"), "{broken}");
    let found = server.post("/api/detect", STREAM.as_bytes()).json();
    assert_eq!((&found["texts"][0]["taken"], &found["stream"]["events"]), (&json!("anthropic.messages"), &json!(3)));
    for path in ["/api/check?redact=1", "/api/fix?redact=1", "/api/fix?redact=1&as=bytes"] {
        let said = server.post(path, STREAM.as_bytes()).text();
        assert!(!said.contains("Hidden") && !said.contains("Val"), "{path}: {said}");
    }
    let said = server.post("/api/fix", b"data: {\"choices\": nope}\n\n");
    assert_eq!((said.status, &said.json()["error"]["line"]), (422, &json!(1)), "{}", said.text());
}
