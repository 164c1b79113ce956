//! A stream of events as a user has it: a log of `curl`, or of a proxy.

use std::fs;
use std::process::{Command, Output};

const CUT: &str = concat!(
    "event: message_start\n",
    "data: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\",\"content\":[]}}\n\n",
    "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"look\",\"input\":{}}}\n\n",
    "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"path\\\": \\\"/et\"}}\n\n",
);

fn run(words: &[&str], input: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("answer.sse");
    fs::write(&path, input).expect("a file");
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_wirecanon"))
        .args(words)
        .arg("answer.sse")
        .current_dir(folder.path())
        .env_remove("CLICOLOR_FORCE")
        .output()
        .expect("the program");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

#[test]
fn lines_of_ollama_are_one_answer_and_no_sessions() {
    let lines = concat!(
        "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"Hel\"},\"done\":false}\n",
        "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"lo\"},\"done\":false}\n",
        "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}\n",
    );
    for words in [&["check"][..], &["fix", "--to", "openai"]] {
        let (code, out, err) = run(words, lines);
        assert_eq!(code, 0, "{out}{err}");
        assert!(err.contains("a stream of 3 events, read as the message of ollama.chat"), "{err}");
        assert!(words[0] == "check" || out.contains("\"Hello\"") && out.trim().lines().count() == 1, "{out}");
    }
}

#[test]
fn a_stream_that_broke_off_is_mended_as_its_message() {
    let (code, out, err) = run(&["fix", "--to", "openai"], CUT);
    assert_eq!(code, 0, "{err}");
    assert!(
        err.contains("a stream of 3 events, read as the message of anthropic.messages that they make; it broke off"),
        "{err}"
    );
    assert!(err.contains("arguments"), "{err}");
    assert!(out.contains("\"look\"") && out.contains("/et"), "{out}");
}

#[test]
fn a_stream_is_judged_as_its_message() {
    let (code, out, _) = run(&["check", "--target", "anthropic"], CUT);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("/content/0/input"), "{out}");
}

#[test]
fn a_stream_of_nobody_is_refused_with_its_place() {
    let (code, _, err) = run(&["fix", "--to", "openai"], "data: {\"choices\":[]}\n\ndata: {\"cho\n\n");
    assert_eq!(code, 2);
    assert!(err.contains("answer.sse: line 3, column 1: the data of an event is no JSON"), "{err}");
    let (code, _, err) = run(&["check", "--target", "openai"], "data: {\"hello\":1}\n\n");
    assert_eq!(code, 2);
    assert!(err.contains("no event of the stream is one of a provider that is known"), "{err}");
}
