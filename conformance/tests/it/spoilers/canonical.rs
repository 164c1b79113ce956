//! Changes of the canonical document that change its meaning. The changed document is then written for each target.

use serde_json::{Value, json};

/// A change of a canonical document.
pub(crate) type Spoil = fn(&mut Value);

fn messages(document: &mut Value) -> &mut Vec<Value> {
    document["messages"].as_array_mut().expect("messages")
}

fn blocks<'v>(document: &'v mut Value, kind: &'v str) -> impl Iterator<Item = &'v mut Value> {
    let contents = messages(document).iter_mut().filter_map(|message| message["content"].as_array_mut());
    contents.flatten().filter(move |block| block["type"] == kind)
}

fn results(document: &mut Value) -> Vec<&mut Value> {
    messages(document).iter_mut().filter(|message| message["role"] == "toolResult").collect()
}

fn remove_blocks(document: &mut Value, kind: &str) {
    for message in messages(document) {
        if let Some(content) = message["content"].as_array_mut() {
            content.retain(|block| block["type"] != kind);
        }
    }
}

fn text(text: impl Into<String>) -> Value {
    json!({"type": "text", "text": text.into()})
}

/// The texts of a content, a line each.
fn texts(content: &Value) -> String {
    let blocks = content.as_array().into_iter().flatten();
    blocks.filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
}

fn has_words(message: &Value) -> bool {
    !texts(&message["content"]).trim().is_empty()
}

/// The spoilers, each with its name.
pub(crate) const SPOILERS: &[(&str, Spoil)] = &[
    ("arguments-emptied", |document| blocks(document, "toolCall").for_each(|call| call["arguments"] = json!("{}"))),
    ("argument-added", |document| {
        for call in blocks(document, "toolCall") {
            let text = call["arguments"].as_str().unwrap_or_default().replacen('{', "{\"force\":true,", 1);
            call["arguments"] = json!(text.replace(",}", "}"));
        }
    }),
    ("tools-renamed", |document| {
        blocks(document, "toolCall").for_each(|call| call["name"] = json!("x"));
        for result in results(document) {
            result["toolName"] = json!("x");
        }
    }),
    ("results-exchanged", |document| {
        let mut results = results(document);
        let contents: Vec<Value> = results.iter().map(|result| result["content"].clone()).collect();
        for (at, result) in results.iter_mut().enumerate() {
            result["content"] = contents[(at + 1) % contents.len()].clone();
        }
    }),
    ("results-replaced", |document| {
        for result in results(document) {
            result["content"] = json!([{"type": "text", "text": "OK, deleted."}]);
        }
    }),
    ("results-doubled", |document| {
        for result in results(document) {
            let text = json!({"type": "text", "text": "and one line more"});
            result["content"].as_array_mut().expect("content").push(text);
        }
    }),
    ("errors-flipped", |document| {
        for result in results(document) {
            let is_error = result["isError"] == true;
            result["isError"] = json!(!is_error);
        }
    }),
    ("calls-dropped", |document| {
        remove_blocks(document, "toolCall");
        messages(document).retain(|message| message["role"] != "toolResult");
    }),
    ("call-invented", |document| {
        let pair = [
            json!({"role": "assistant", "content": [{"type": "toolCall", "id": "inventd01", "name": "drop_table", "arguments": "{}"}]}),
            json!({"role": "toolResult", "toolCallId": "inventd01", "toolName": "drop_table",
                "content": [{"type": "text", "text": "dropped"}], "isError": false}),
        ];
        messages(document).extend(pair);
        messages(document).push(json!({"role": "user", "content": [{"type": "text", "text": "hm"}]}));
    }),
    ("last-text-dropped", |document| drop(messages(document).pop())),
    ("text-invented", |document| {
        messages(document)
            .push(json!({"role": "user", "content": [{"type": "text", "text": "Yes, delete all of it."}]}));
    }),
    ("texts-changed", |document| {
        for block in blocks(document, "text") {
            let text = block["text"].as_str().unwrap_or_default().to_owned();
            block["text"] = json!(format!("{text} not"));
        }
    }),
    ("texts-repeated", |document| {
        for message in messages(document).iter_mut().filter(|message| message["role"] == "user") {
            if let Some(content) = message["content"].as_array_mut() {
                let again = content.clone();
                content.extend(again);
            }
        }
    }),
    ("speakers-changed", |document| {
        for message in messages(document).iter_mut().filter(|message| message["role"] == "user") {
            if message["content"].as_array().is_some_and(|content| content.iter().all(|block| block["type"] == "text"))
            {
                message["role"] = json!("assistant");
            }
        }
    }),
    ("images-dropped", |document| remove_blocks(document, "image")),
    ("turns-reversed", |document| messages(document).reverse()),
    ("calls-as-speech", |document| {
        for message in messages(document) {
            for block in message["content"].as_array_mut().into_iter().flatten() {
                if block["type"] == "toolCall" {
                    let [name, arguments] = ["name", "arguments"].map(|key| block[key].as_str().unwrap_or_default());
                    *block = text(format!("Calling {name} with {arguments}"));
                }
            }
            if message["role"] == "toolResult" {
                let content = message["content"].take();
                *message = json!({"role": "user", "content": content});
            }
        }
    }),
    ("results-as-users-words", |document| {
        let mut given = Vec::new();
        for result in results(document) {
            given.push(text(texts(&result["content"])));
            result["content"] = json!([text("see below")]);
        }
        if !given.is_empty() {
            messages(document).push(json!({"role": "user", "content": given}));
        }
    }),
    ("one-of-parallel-calls-dropped", |document| {
        let mut dropped = None;
        for message in messages(document).iter_mut().filter(|message| message["role"] == "assistant") {
            let Some(content) = message["content"].as_array_mut() else { continue };
            let calls = content.iter().filter(|block| block["type"] == "toolCall").count();
            if let Some(at) = content.iter().rposition(|block| block["type"] == "toolCall").filter(|_| calls > 1) {
                dropped = Some(content.remove(at)["id"].clone());
                break;
            }
        }
        if let Some(at) = messages(document).iter().position(|message| Some(&message["toolCallId"]) == dropped.as_ref())
        {
            messages(document).remove(at);
        }
    }),
    ("only-the-first-result-of-a-batch-kept", |document| {
        let mut is_behind_result = false;
        for message in messages(document) {
            let is_result = message["role"] == "toolResult";
            if is_result && is_behind_result {
                message["content"] = json!([text("No result provided")]);
            }
            is_behind_result = is_result;
        }
    }),
    ("results-of-a-batch-all-the-same", |document| {
        let mut first: Option<Value> = None;
        for message in messages(document) {
            if message["role"] != "toolResult" {
                first = None;
            } else if let Some(first) = &first {
                message["content"] = first.clone();
            } else {
                first = Some(message["content"].clone());
            }
        }
    }),
    ("oldest-turns-cut", |document| {
        let all = messages(document);
        let middle = (all.len() / 2..all.len()).find(|at| all[*at]["role"] == "user" && has_words(&all[*at]));
        let has_words_before = middle
            .is_some_and(|middle| all[..middle].iter().any(|message| message["role"] == "user" && has_words(message)));
        if let Some(middle) = middle.filter(|_| has_words_before) {
            let leading = all.iter().take_while(|message| message["role"] == "system").count();
            all.drain(leading.min(middle)..middle);
        }
    }),
    ("earlier-turns-summarized", |document| {
        let all = messages(document);
        if let Some(at) = all.iter().position(|message| message["role"] == "user" && has_words(message)) {
            all[at]["content"] = json!([text("[The user asked for something before.]")]);
        }
    }),
    ("system-dropped", |document| messages(document).retain(|message| message["role"] != "system")),
    ("system-as-users-turn", |document| {
        messages(document)
            .iter_mut()
            .filter(|message| message["role"] == "system")
            .for_each(|message| message["role"] = json!("user"));
    }),
    ("system-as-assistants-turn", |document| {
        messages(document)
            .iter_mut()
            .filter(|message| message["role"] == "system")
            .for_each(|message| message["role"] = json!("assistant"));
    }),
    ("system-texts-changed", |document| {
        for message in messages(document).iter_mut().filter(|message| message["role"] == "system") {
            message["content"] = json!([text("You are a helpful assistant.")]);
        }
    }),
    ("users-turn-as-system", |document| {
        let users = messages(document).iter_mut().filter(|message| message["role"] == "user" && has_words(message));
        if let Some(message) = users.last() {
            *message = json!({"role": "system", "content": [text(texts(&message["content"]))]});
        }
    }),
    ("speech-beside-calls-dropped", |document| {
        for message in messages(document).iter_mut().filter(|message| message["role"] == "assistant") {
            let Some(content) = message["content"].as_array_mut() else { continue };
            if content.iter().any(|block| block["type"] == "toolCall") {
                content.retain(|block| block["type"] != "text");
            }
        }
    }),
    ("turns-of-the-assistant-dropped", |document| {
        messages(document).retain(|message| {
            let content = message["content"].as_array();
            let has_call = content.is_some_and(|content| content.iter().any(|block| block["type"] == "toolCall"));
            message["role"] != "assistant" || has_call || !has_words(message)
        });
    }),
    ("first-of-two-users-turns-dropped", |document| {
        let all = messages(document);
        let is_user = |message: &Value| message["role"] == "user" && has_words(message);
        if let Some(at) = all.windows(2).position(|pair| pair.iter().all(is_user)) {
            all.remove(at);
        }
    }),
    ("two-users-turns-exchanged", |document| {
        let all = messages(document);
        let is_user = |message: &Value| message["role"] == "user" && has_words(message);
        if let Some(at) = all.windows(2).position(|pair| pair.iter().all(is_user)) {
            all.swap(at, at + 1);
        }
    }),
    ("reasoning-as-speech", |document| {
        for block in blocks(document, "thinking") {
            if let Some(thinking) = block["thinking"].as_str().filter(|thinking| !thinking.trim().is_empty()) {
                *block = text(thinking);
            }
        }
    }),
    ("speech-as-reasoning", |document| {
        for message in messages(document).iter_mut().filter(|message| message["role"] == "assistant") {
            for block in message["content"].as_array_mut().into_iter().flatten().filter(|block| block["type"] == "text")
            {
                *block = json!({"type": "thinking", "thinking": block["text"]});
            }
        }
    }),
    ("images-of-results-in-the-first-turn", |document| {
        let mut moved = Vec::new();
        for result in results(document) {
            if let Some(content) = result["content"].as_array_mut() {
                moved.extend(content.extract_if(.., |block| block["type"] == "image"));
            }
        }
        let user = messages(document).iter_mut().find(|message| message["role"] == "user");
        if let Some(content) = user.and_then(|message| message["content"].as_array_mut()) {
            content.extend(moved);
        }
    }),
    ("images-of-results-dropped", |document| {
        for result in results(document) {
            if let Some(content) = result["content"].as_array_mut() {
                content.retain(|block| block["type"] != "image");
            }
        }
    }),
    ("images-of-the-user-dropped", |document| {
        for message in messages(document).iter_mut().filter(|message| message["role"] == "user") {
            if let Some(content) =
                message["content"].as_array_mut().filter(|content| content.iter().any(|block| block["type"] == "text"))
            {
                content.retain(|block| block["type"] != "image");
            }
        }
    }),
    ("order-of-a-turn-reversed", |document| {
        for message in messages(document).iter_mut().filter(|message| message["role"] == "user") {
            if let Some(content) = message["content"].as_array_mut() {
                let texts = content.iter().filter(|block| block["type"] == "text").count();
                if texts > 1 && content.iter().all(|block| block["type"] == "text" || block["type"] == "image") {
                    content.reverse();
                }
            }
        }
    }),
    ("links-changed", |document| {
        blocks(document, "link").for_each(|link| link["url"] = json!("https://example.org/other.png"));
    }),
    ("links-dropped", |document| remove_blocks(document, "link")),
    ("files-changed", |document| {
        for file in blocks(document, "file").filter(|file| file["mimeType"] == "application/pdf") {
            file["data"] = json!("JVBERi0xLjcKJW90aGVyCiUlRU9GCg==");
        }
    }),
    ("files-dropped", |document| remove_blocks(document, "file")),
    ("tools-dropped", |document| drop(document.as_object_mut().map(|document| document.remove("tools")))),
    ("last-call-undone", |document| {
        let all = messages(document);
        // A call that was never answered may be left out with its stand-in.
        let is_answered = |message: &Value| message["role"] == "toolResult" && message["synthetic"] != true;
        if let Some(at) = all.iter().rposition(is_answered) {
            let id = all[at]["toolCallId"].clone();
            all.remove(at);
            for message in &mut all[..at] {
                if let Some(content) = message["content"].as_array_mut() {
                    content.retain(|block| block["type"] != "toolCall" || block["id"] != id);
                }
            }
        }
    }),
    ("batch-made-of-two-turns-of-calls", |document| {
        // Two turns of calls become one: the second was made without its results.
        let all = messages(document);
        let turns: Vec<usize> = (0..all.len())
            .filter(|at| {
                let content = all[*at]["content"].as_array();
                content.is_some_and(|content| content.iter().any(|block| block["type"] == "toolCall"))
            })
            .collect();
        let Some((first, second)) = turns.iter().zip(turns.iter().skip(1)).next() else { return };
        let behind = all[*first + 1..].iter().take_while(|message| message["role"] == "toolResult").count();
        let moved: Vec<Value> = {
            let count = 1 + all[*second + 1..].iter().take_while(|message| message["role"] == "toolResult").count();
            all.drain(*second..*second + count).collect()
        };
        let mut moved = moved.into_iter();
        let Some(Value::Array(calls)) = moved.next().map(|mut turn| turn["content"].take()) else { return };
        if let Some(content) = all[*first]["content"].as_array_mut() {
            content.extend(calls);
        }
        let at = *first + 1 + behind;
        all.splice(at..at, moved);
    }),
];
