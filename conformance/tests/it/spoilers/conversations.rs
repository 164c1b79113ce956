//! Conversations that have what few cases of the corpus have: numbers past 2^53, nested arguments, several images, rich schemas,
//! code, reasoning, instructions in the middle, and two turns of the user in a row.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use wirecanon::case::{Case, Form};
use wirecanon::frame::{Frame, bare};
use wirecanon_core::Dialect;

const IMAGES: [&str; 3] = [
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAEklEQVR42mNgYPgPRAwwBggAABvgA/1rKq8mAAAAAElFTkSuQmCC",
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAADCAYAAABWKLW/AAAAEUlEQVR42mNk+M/wn4EIwAgABQ8B/bXh+N8AAAAASUVORK5CYII=",
];

const CITIES: [&str; 7] = ["Bremen", "Oslo", "Lisbon", "Zürich", "Turin", "Kraków", "Ghent"];

fn text(text: impl Into<String>) -> Value {
    json!({"type": "text", "text": text.into()})
}

fn image(nth: usize) -> Value {
    json!({"type": "image", "data": IMAGES[nth % 3], "mimeType": "image/png"})
}

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    json!({"type": "toolCall", "id": id, "name": name, "arguments": arguments.to_string()})
}

fn result(id: &str, name: &str, is_error: bool, content: &[Value]) -> Value {
    json!({"role": "toolResult", "toolCallId": id, "toolName": name, "content": content, "isError": is_error})
}

fn tools() -> Value {
    json!([
        {"name": "read_file", "description": "Reads a file from the line on", "parameters": {"type": "object",
            "properties": {
                "path": {"type": "string", "description": "Path below the workspace"},
                "start_line": {"type": "integer", "minimum": 0, "description": "First line"},
                "encoding": {"type": "string", "enum": ["utf-8", "latin-1"]},
                "tags": {"type": "array", "items": {"type": "string"}},
                "range": {"type": "object", "properties": {"from": {"type": "number"}, "to": {"type": "number"}}, "required": ["from"]}},
            "required": ["path", "start_line"], "additionalProperties": false}},
        {"name": "find_files", "description": "Finds files by a pattern", "parameters": {"type": "object",
            "properties": {"pattern": {"type": "string"}, "max_count": {"type": "integer"}, "is_deep": {"type": "boolean"}},
            "required": ["pattern"]}},
        {"name": "delete_file", "description": "Deletes a file for ever", "parameters": {"type": "object",
            "properties": {"path": {"type": "string"}, "force": {"type": "boolean"}}, "required": ["path", "force"]}},
    ])
}

/// One conversation; the number chooses words, numbers, and the dialect that its reasoning is from.
fn conversation(nth: usize) -> Value {
    let city = CITIES[nth % CITIES.len()];
    let id = |at: usize| format!("call{nth:02}x{at:02}");
    let read = json!({"path": format!("docs/{city}/plan-{nth}.md"), "start_line": nth + 3, "encoding": null, "follow": true,
        "tags": ["b", "a", "c"], "range": {"from": 1.5, "to": {"line": 9 + nth}}, "account": 9_007_199_254_740_993_u64 + 2 * nth as u64,
        "note": format!("line one\n  line two of {city} \\d+ é "), "count": "42", "only": ["x"], "limits": [], "suffix": ""});
    let find = json!({"pattern": format!("*<{city}>&.rs"), "max_count": 20 + nth, "is_deep": false,
        "filter": {"owner": "ann", "age": {"max": 30}}, "offset": 0, "after": null});
    let again = json!({"path": format!("docs/{city}/other.md"), "start_line": nth + 4, "encoding": "utf-8"});
    let code = format!(
        "def total(rows):\n    # {city} < 3 & \"more\"\n    for row in rows:\n        yield row[{nth}]\n\nprint(total)"
    );
    let mut turn = vec![
        text(format!("I read the plan of {city}, and look for {} files.", nth + 2)),
        call(&id(1), "read_file", &read),
        call(&id(2), "find_files", &find),
        call(&id(3), "read_file", &again),
    ];
    let mut answer = vec![text(format!("I cannot delete the plan of {city}, because file {nth} is locked."))];
    let origin = ["anthropic.messages", "ollama.chat", "openai.chat"][nth % 3];
    if nth.is_multiple_of(2) {
        let thinking = |text: &str, signature: &str| {
            let mut block = json!({"type": "thinking", "thinking": text, "origin": origin});
            if origin == "anthropic.messages" {
                block["signature"] = json!(signature);
            }
            block
        };
        turn.insert(0, thinking("The plan comes first, then the files.", "c2lnbmF0dXJlIG9uZQ=="));
        answer.insert(0, thinking("The file is locked, so I must refuse.", "c2lnbmF0dXJlIHR3bw=="));
    }
    let mut messages = vec![
        json!({"role": "system", "content": [text(format!("You help team {nth} of {city}. Never delete a file."))]}),
        json!({"role": "user", "content": [
            text(format!("Please read the plan of {city} & tell me if 3 < {}. It is \"urgent\":\n- first\n- second", nth + 4)),
            image(nth), text("And compare it with this one."), image(nth + 1)]}),
        json!({"role": "assistant", "content": turn}),
        result(&id(1), "read_file", false, &[text(code)]),
        result(
            &id(2),
            "find_files",
            false,
            &[
                text(format!("{} files found for {city}", nth + 10)),
                text(format!("{{\"size\":{nth},\"name\":\"a.rs\"}}")),
                image(nth + 2),
            ],
        ),
        result(&id(3), "read_file", true, &[text(format!("error 13: {city}/other.md is locked"))]),
    ];
    if nth.is_multiple_of(3) {
        messages.push(json!({"role": "assistant", "content": answer}));
        messages.push(
            json!({"role": "user", "content": [text(format!("Then show me number {}. Größe 12 € 😀", nth + 5))]}),
        );
        messages.push(json!({"role": "user", "content": [text("And be quick about it.")]}));
    } else {
        messages.push(
            json!({"role": "user", "content": [text(format!("Stop after {} files, please. Größe 12 €", nth + 5))]}),
        );
        messages.push(json!({"role": "assistant", "content": answer}));
        messages.push(json!({"role": "user", "content": [text(format!("Then look at {city} once more."))]}));
    }
    let delete = json!({"path": format!("tmp/{city}.log"), "force": true});
    messages.push(json!({"role": "assistant", "content": [call(&id(4), "delete_file", &delete)]}));
    messages.push(result(&id(4), "delete_file", false, &[text(format!("deleted tmp/{city}.log, {nth} bytes"))]));
    messages.push(json!({"role": "assistant", "content": [text(format!("The log of {city} is gone."))]}));
    messages.push(json!({"role": "user", "content": [text("Thanks. What is next?")]}));
    json!({"messages": messages, "tools": tools()})
}

/// Conversations as cases.
pub(crate) fn cases(count: usize) -> Vec<Case> {
    let case = |nth: usize| {
        let mut case = bare(Frame::ALL[0], Dialect::Canonical)?;
        let text = conversation(nth).to_string();
        case.id = format!("conversation-{nth}");
        case.input = text.clone().into_bytes();
        case.form = Form::Text;
        case.expect.canonical = RawValue::from_string(text).ok();
        Some(case)
    };
    (0..count).filter_map(case).collect()
}
