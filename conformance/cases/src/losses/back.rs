//! Two transcripts side by side: what of the one is in the other.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::probe::Look;

/// Whether `back` says what `first` says, as far as the feature asks.
pub(super) fn same(first: &Value, back: &Value, look: Look) -> bool {
    if look == Look::Tools {
        return first["tools"] == back["tools"];
    }
    let mut known = BTreeSet::new();
    keys(first, &mut known);
    if look != Look::Native {
        known.remove("native");
    }
    normal(first, &known, look) == normal(back, &known, look)
}

/// Whether every string of `first`, and every error, is somewhere in `back`, whatever the shape around it.
pub(super) fn all_there(first: &Value, back: &Value, look: Look) -> bool {
    let errors = |document: &Value| messages(document).iter().filter(|message| message["isError"] == true).count();
    let there = strings(back, Look::Native);
    let said: Vec<&str> = strings(first, look).into_iter().filter(|text| !text.is_empty()).collect();
    let found = said.iter().all(|text| there.iter().any(|other| other.contains(text)));
    !said.is_empty() && found && errors(first) <= errors(back)
}

/// Strings that say something, apart from white space around them.
fn strings(document: &Value, look: Look) -> Vec<&str> {
    let (mut found, mut open) = (Vec::new(), vec![document]);
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => found.push(text.trim()),
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                let told = |key: &str| look == Look::Native || !matches!(key, "type" | "role" | "native");
                open.extend(members.iter().filter(|(key, _)| told(key)).map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}

/// How often each kind of block that is no text stands in a transcript; a result counts as one.
pub(super) fn kinds(document: &Value) -> BTreeMap<String, usize> {
    let mut count = BTreeMap::new();
    for message in messages(document) {
        let blocks = message["content"].as_array().into_iter().flatten().filter_map(|block| block["type"].as_str());
        let result = (message["role"] == "toolResult").then_some("toolResult");
        for kind in blocks.filter(|kind| *kind != "text").chain(result) {
            *count.entry(kind.to_owned()).or_insert(0) += 1;
        }
    }
    count
}

/// Texts, reasoning, bytes and addresses that must stand in every output that says nothing of a loss.
pub(super) fn words(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for block in messages(document).iter().filter_map(|message| message["content"].as_array()).flatten() {
        for text in ["text", "thinking", "data", "url"].into_iter().filter_map(|key| block[key].as_str()) {
            let text = text.trim();
            if !text.is_empty() && !text.contains("[wirecanon:") {
                found.push(text.to_owned());
            }
        }
    }
    found
}

fn messages(document: &Value) -> &[Value] {
    match document["messages"].as_array() {
        Some(list) => list,
        None => std::slice::from_ref(document),
    }
}

fn keys(value: &Value, known: &mut BTreeSet<String>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                known.extend(members.keys().cloned());
                open.extend(members.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
}

/// Messages with the known keys alone, and with ids by the order in which they come.
fn normal(document: &Value, known: &BTreeSet<String>, look: Look) -> Vec<Value> {
    let mut list = messages(document).to_vec();
    let mut ids: Vec<String> = Vec::new();
    for message in &mut list {
        prune(message, known);
        if let Some(blocks) = message.get_mut("content").and_then(Value::as_array_mut) {
            for block in blocks {
                prune(block, known);
                if block["type"] == "toolCall" && look != Look::Ids {
                    numbered(&mut block["id"], &mut ids);
                }
            }
        }
        if message["toolCallId"].is_string() && look != Look::Ids {
            numbered(&mut message["toolCallId"], &mut ids);
        }
    }
    list
}

fn prune(value: &mut Value, known: &BTreeSet<String>) {
    if let Some(members) = value.as_object_mut() {
        members.retain(|key, _| known.contains(key));
    }
}

fn numbered(id: &mut Value, ids: &mut Vec<String>) {
    let Some(text) = id.as_str() else { return };
    let at = ids.iter().position(|known| known == text).unwrap_or_else(|| {
        ids.push(text.to_owned());
        ids.len() - 1
    });
    *id = Value::from(at);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_count_only_where_they_are_asked_for() {
        let document = |id: &str| {
            json!({"messages":[
                {"role":"assistant","content":[{"type":"toolCall","id":id,"name":"read","arguments":"{}"}]},
                {"role":"toolResult","toolCallId":id,"content":[]}]})
        };
        assert!(same(&document("a"), &document("b"), Look::Messages));
        assert!(!same(&document("a"), &document("b"), Look::Ids));
        let mut odd = document("a");
        odd["messages"][1]["toolCallId"] = json!("b");
        assert!(!same(&document("a"), &odd, Look::Messages));
    }

    #[test]
    fn what_the_first_never_says_does_not_count() {
        let plain = json!({"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]});
        let more = json!({"messages":[{"role":"user","content":[{"type":"text","text":"hi","native":{"x":{}}}]}]});
        assert!(same(&plain, &more, Look::Messages));
        assert!(!same(&more, &plain, Look::Native));
        assert!(same(&more, &plain, Look::Messages));
        let other = json!({"messages":[{"role":"user","content":[{"type":"text","text":"ho"}]}]});
        assert!(!same(&plain, &other, Look::Messages));
    }

    #[test]
    fn another_shape_still_holds_all() {
        let two = json!({"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two "}]});
        let one = json!({"role":"user","content":[{"type":"text","text":"one\ntwo"}]});
        assert!(all_there(&two, &one, Look::Messages));
        assert!(!all_there(&one, &two, Look::Messages));
        let blank = json!({"role":"user","content":[{"type":"text","text":" "}]});
        assert!(!all_there(&blank, &one, Look::Messages));
        let mut error = one.clone();
        error["isError"] = json!(true);
        assert!(!all_there(&error, &one, Look::Messages));
    }

    #[test]
    fn blocks_and_words_are_counted() {
        let document =
            json!({"role":"toolResult","content":[{"type":"text","text":" "},{"type":"image","data":"AA=="}]});
        assert_eq!(kinds(&document), [("image".to_owned(), 1), ("toolResult".to_owned(), 1)].into());
        assert_eq!(words(&document), ["AA=="]);
    }
}
