//! The adapter answers line by line, as wirecanon asks.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{json, Value};

#[test]
fn the_adapter_answers_line_by_line() {
    // A text with all that breaks adapters: a quote, a line end, U+2028, and a character beyond 16 bits.
    let words = "He said \"yes\".\nThen\u{2028}he left \u{1f600}";
    let history = json!({"messages": [{"role": "user", "content": words}]});
    let asked = [
        json!({"wirecanon": 1, "op": "hello"}),
        json!({"id": 1, "op": "convert", "from": "openai.chat", "to": "openai.chat", "for": "request",
            "input_text": history.to_string()}),
        json!({"op": "bye"}),
    ];
    let mut adapter = Command::new(env!("CARGO_BIN_EXE_testee"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the adapter");
    let mut stdin = adapter.stdin.take().expect("a pipe");
    for line in &asked {
        writeln!(stdin, "{line}").expect("a line");
    }
    let output = adapter.wait_with_output().expect("an end");
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&answers[0]["wirecanon"], &answers[1]["id"]), (&json!(1), &json!(1)));
    let sent: Value = serde_json::from_str(answers[1]["output_text"].as_str().expect("a text")).expect("JSON");
    assert_eq!(sent["messages"][0]["content"], words);
}
