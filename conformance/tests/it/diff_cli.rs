//! The JSON of `wirecanon diff`.

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

#[test]
fn it_keeps_its_schema_and_has_the_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.json", HISTORY);
    for (request, code) in [(REQUEST.to_owned(), 0), (REQUEST.replace("\"alpha\"", "\"beta\""), 1)] {
        write(folder.path(), "b.json", &request);
        let said = run_in(folder.path(), &["diff", "--format", "json", "a.json", "b.json", "--to", "anthropic"]);
        let document: Value = serde_json::from_str(&said.out).expect("JSON");
        assert_eq!(wirecanon_schemas::validate::validate("wirecanon/diff", &document), Ok(vec![]), "{}", said.out);
        assert_eq!((said.code, &document["exit"]), (code, &code.into()));
    }
}
