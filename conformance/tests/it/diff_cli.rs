//! `wirecanon diff`: what it prints, its JSON, and its exit codes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::running::run_in;

const HISTORY: &str = r#"[{"role":"user","content":"look"},
    {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
    {"role":"tool","tool_call_id":"c1","content":"alpha"}]"#;
const REQUEST: &str = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"look"}]},
    {"role":"assistant","content":[{"type":"tool_use","id":"t9","name":"read","input":{"path":"a.txt"}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"t9","content":"alpha"}]}]}"#;

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("a file");
}

fn json(folder: &Path, args: &[&str]) -> (i32, Value) {
    let said = run_in(folder, &[&["diff", "--format", "json"], args].concat());
    let document: Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(wirecanon_schemas::validate::validate("wirecanon/diff", &document), Ok(vec![]), "{}", said.out);
    assert_eq!(document["exit"], said.code);
    (said.code, document)
}

#[test]
fn the_same_conversation_in_two_dialects() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.json", HISTORY);
    write(folder.path(), "b.json", REQUEST);
    let said = run_in(folder.path(), &["diff", "a.json", "b.json"]);
    let expected = "a.json (openai.chat) and b.json (anthropic.messages): the same conversation\n";
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, expected, ""));
    let (code, document) = json(folder.path(), &["a.json", "b.json", "--to", "anthropic"]);
    assert_eq!((code, &document["same"]), (0, &Value::Bool(true)));
    assert_eq!(document["answer"]["target"], "anthropic");
    let used = document["equivalences"].as_array().expect("a list");
    assert!(used.iter().any(|id| id == "ids"), "{used:?}");
}

#[test]
fn each_difference_has_its_place_in_both() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.json", HISTORY);
    write(folder.path(), "b.json", &REQUEST.replace("\"alpha\"", "\"beta\"").replace("look", "see"));
    let (code, document) = json(folder.path(), &["a.json", "b.json", "--from", "openai.chat", "--to", "anthropic"]);
    assert_eq!((code, &document["same"]), (1, &Value::Bool(false)));
    let places: Vec<_> = document["differences"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|difference| [&difference["reason"], &difference["expected"], &difference["answer"]].map(Value::as_str))
        .collect();
    assert_eq!(
        places,
        [
            [Some("text-changed"), Some("/0/content"), Some("/messages/0/content/0")],
            [Some("result-changed"), Some("/2"), Some("/messages/2/content/0")],
        ]
    );
    let said = run_in(folder.path(), &["diff", "a.json", "b.json", "--max", "1"]);
    assert_eq!(said.code, 1);
    assert!(said.out.contains("expected \"look\", got \"see\"") && said.out.ends_with("1 more; --max shows them\n"));
}

#[test]
fn what_cannot_be_read_is_said_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.json", HISTORY);
    for (text, words) in [
        (
            r#"[{"role":"user","content":7}]"#,
            "cannot be read as openai.chat: `content` must be an array, got a number (at /0/content)",
        ),
        (r#"[{"role":"user""#, "b.json: "),
        ("", "b.json: "),
    ] {
        write(folder.path(), "b.json", text);
        let said = run_in(folder.path(), &["diff", "a.json", "b.json", "--to", "openai.chat"]);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{text}");
        assert!(said.err.contains(words), "{}", said.err);
    }
    write(folder.path(), "b.json", r#"[{"role":"user","content":7}]"#);
    let said = run_in(folder.path(), &["diff", "a.json", "b.json", "--to", "openai.chat"]);
    let cure = "repair it with `wirecanon fix --from openai.chat --to openai.chat b.json`\n";
    assert!(said.err.ends_with(cure), "{}", said.err);
    let said = run_in(folder.path(), &["diff", "b.json", "a.json"]);
    assert!(said.err.ends_with(" b.json`, or name another dialect with `--from`\n"), "{}", said.err);
    let said = run_in(folder.path(), &["diff", "a.json", "none.json"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("none.json"), "{}", said.err);
}
