//! Changes of an answer on the wire that keep its meaning, as the documentation of the wire has it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::spoilers::parts::{Call, Parts, Speaker, Style, Text, Wire, members, words};

/// A change of an answer; `None` where the answer has nothing that it changes.
pub(crate) type Change = fn(&mut Wire) -> Option<()>;

/// The wires that speak like Chat Completions and document a content of the user as a string and as a list.
const CHAT: &[&str] = &["openai.chat", "mistral.chat", "cohere.v2", "ai-sdk.model", "langchain"];

/// The keys that hold the id of a call.
const ID_KEYS: &[&str] = &["id", "call_id", "tool_call_id", "tool_use_id", "toolUseId", "toolCallId", "tool_id"];

/// Visits each object of a value, the outer one first.
fn each_object(value: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values_mut().for_each(|value| each_object(value, visit));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| each_object(value, visit)),
        _ => {}
    }
}

/// Changes the text of the arguments of all calls, where the wire has a text.
fn restyle_arguments(wire: &mut Wire, style: Style) -> Option<()> {
    for call in wire.parts().calls {
        if let (true, Some(arguments)) = (wire.get(&call.arguments).is_string(), wire.arguments(&call)) {
            wire.set(&call.arguments, style.written(&arguments))?;
        }
    }
    Some(())
}

/// Gives each id another one, everywhere.
fn ids_renamed(wire: &mut Wire) -> Option<()> {
    // The ids in such labels are words of the input.
    (!wire.has_labels).then_some(())?;
    let Parts { calls, results, .. } = wire.parts();
    let ids =
        calls.iter().filter_map(|call| call.id.as_ref()).chain(results.iter().filter_map(|result| result.id.as_ref()));
    let mut names = BTreeMap::new();
    for at in ids {
        let id = wire.str(at).to_owned();
        if id.len() < 6 {
            return None;
        }
        let next = names.len();
        names.entry(id).or_insert_with(|| format!("other{next:04}"));
    }
    (!names.is_empty()).then_some(())?;
    each_object(&mut wire.root, &mut |object| {
        for (key, value) in object {
            let Some(text) = value.as_str() else { continue };
            if ID_KEYS.contains(&key.as_str()) {
                if let Some(name) = names.get(text) {
                    *value = json!(name);
                }
            } else if key == "metadata" || text.contains("[wirecanon: ") {
                let renamed = names.iter().fold(text.to_owned(), |text, (id, name)| text.replace(id, name));
                *value = json!(renamed);
            }
        }
    });
    Some(())
}

/// A text part of this wire.
fn text_part(wire: &Wire, speaker: Speaker, text: &str) -> Value {
    match wire.dialect() {
        "openai.responses" if speaker == Speaker::Assistant => {
            json!({"type": "output_text", "text": text, "annotations": []})
        }
        "openai.responses" => json!({"type": "input_text", "text": text}),
        "gemini.contents" | "bedrock.converse" => json!({"text": text}),
        _ => json!({"type": "text", "text": text}),
    }
}

/// Returns whether the documentation of the wire has a list of parts for the content of a speaker.
fn takes_list(wire: &Wire, speaker: Speaker) -> bool {
    match wire.dialect() {
        "openai.chat" => speaker == Speaker::User || matches!(wire.target.name.as_str(), "openai" | "openai.chat"),
        "ai-sdk.model" => speaker != Speaker::System,
        "anthropic.messages" | "openai.responses" | "mistral.chat" | "langchain" | "cohere.v2" => true,
        _ => false,
    }
}

/// The texts of a speaker that are a whole content.
fn whole_texts(wire: &Wire, speaker: Speaker) -> Vec<Text> {
    let is_whole =
        |text: &Text| text.speaker == speaker && (text.at.ends_with("/content") || text.at.matches('/').count() == 1);
    wire.parts().texts.into_iter().filter(is_whole).collect()
}

fn strings_as_lists(wire: &mut Wire, speaker: Speaker) -> Option<()> {
    takes_list(wire, speaker).then_some(())?;
    for text in whole_texts(wire, speaker) {
        let own = wire.str(&text.at).to_owned();
        if own.trim().is_empty() || text.at == "/instructions" || text.at == "/systemPrompt" {
            continue;
        }
        let part = text_part(wire, speaker, &own);
        wire.set(&text.at, json!([part]))?;
    }
    Some(())
}

/// Writes lists of one text as that text, where the wire has both.
fn lists_as_strings(wire: &mut Wire, speaker: Speaker) -> Option<()> {
    wire.is_one_of(&[
        "openai.chat",
        "anthropic.messages",
        "openai.responses",
        "mistral.chat",
        "langchain",
        "cohere.v2",
    ])
    .then_some(())?;
    for text in wire.parts().texts.into_iter().filter(|text| text.speaker == speaker && text.message.is_some()) {
        let Some(list) = text.at.strip_suffix("/0/text") else { continue };
        let is_plain = wire.get(&text.part).as_object().is_some_and(|part| part.len() == 2);
        if is_plain && list.ends_with("/content") && wire.get(list).as_array().is_some_and(|items| items.len() == 1) {
            let own = wire.get(&text.at).clone();
            wire.set(list, own)?;
        }
    }
    Some(())
}

fn result_strings_as_lists(wire: &mut Wire) -> Option<()> {
    let is_documented = match wire.dialect() {
        "openai.chat" => matches!(wire.target.name.as_str(), "openai" | "openai.chat"),
        "anthropic.messages" | "openai.responses" | "mistral.chat" | "cohere.v2" | "langchain" => true,
        _ => false,
    };
    is_documented.then_some(())?;
    for result in wire.parts().results {
        let at = result.body?;
        let own = wire.str(&at).to_owned();
        if wire.get(&at).is_string() && !own.trim().is_empty() {
            let part = text_part(wire, Speaker::User, &own);
            wire.set(&at, json!([part]))?;
        }
    }
    Some(())
}

fn result_lists_as_strings(wire: &mut Wire) -> Option<()> {
    wire.is_one_of(&[
        "openai.chat",
        "anthropic.messages",
        "openai.responses",
        "mistral.chat",
        "cohere.v2",
        "langchain",
    ])
    .then_some(())?;
    for result in wire.parts().results {
        let at = result.body?;
        let Some([part]) = wire.get(&at).as_array().map(Vec::as_slice) else { continue };
        if let Some(text) =
            part.get("text").filter(|text| text.is_string() && part.as_object().is_some_and(|part| part.len() == 2))
        {
            let text = text.clone();
            wire.set(&at, text)?;
        }
    }
    Some(())
}

/// Splits a text of the user behind a space: the words put end to end are the same.
fn user_text_split(wire: &mut Wire) -> Option<()> {
    let texts = wire.parts().texts.into_iter().filter(|text| text.speaker == Speaker::User && text.message.is_some());
    let splits = texts.filter_map(|text| {
        let own = wire.str(&text.at);
        words(own).filter(|(label, _, rest)| label.is_empty() && rest.is_empty())?;
        let at = own.find(' ').filter(|at| *at > 0)? + 1;
        let (first, second) = own.split_at(at);
        (!second.trim().is_empty() && !first.trim().is_empty())
            .then(|| (text.clone(), first.to_owned(), second.to_owned()))
    });
    let (text, first, second) = wire.pick(splits.collect())?;
    let parts = [first, second].map(|own| text_part(wire, Speaker::User, &own));
    if text.at.ends_with("/content") {
        (takes_list(wire, Speaker::User)).then_some(())?;
        return wire.set(&text.at, json!(parts));
    }
    let lists =
        ["anthropic.messages", "gemini.contents", "bedrock.converse", "ai-sdk.ui", "openai.responses", "mcp.sampling"];
    (wire.is_one_of(&lists) || wire.is_one_of(CHAT)).then_some(())?;
    wire.get(&text.part).as_object().filter(|part| part.len() <= 2)?;
    wire.get(text.part.rsplit_once('/')?.0).as_array()?;
    let [first, second] = parts;
    wire.set(&text.part, first)?;
    wire.insert_after(&text.part, second)
}

fn white_space_behind(wire: &mut Wire, places: Vec<String>) -> Option<()> {
    let own = places.into_iter().filter(|at| !wire.str(at).trim().is_empty() && !wire.str(at).contains("[wirecanon: "));
    let at = wire.pick(own.collect())?;
    let text = format!("{}\n", wire.str(&at));
    wire.set_text(&at, &text)
}

/// Exchanges two neighbouring results of one batch, where ids tell them apart.
fn results_reordered(wire: &mut Wire) -> Option<()> {
    let is_free = [
        "anthropic.messages",
        "openai.chat",
        "openai.responses",
        "bedrock.converse",
        "langchain",
        "cohere.v2",
        "mistral.chat",
        "ai-sdk.model",
        "mcp.sampling",
        "gemini.contents",
    ];
    wire.is_one_of(&is_free).then_some(())?;
    let results = wire.parts().results;
    let pairs = results.windows(2).filter(|pair| {
        let place = |at: usize| {
            pair[at].part.rsplit_once('/').and_then(|(list, nth)| Some((list.to_owned(), nth.parse::<usize>().ok()?)))
        };
        let (Some((first, nth)), Some((second, next))) = (place(0), place(1)) else { return false };
        let id = |at: usize| pair[at].id.as_ref().map(|id| wire.str(id));
        first == second && nth + 1 == next && id(0).is_some() && id(1).is_some() && id(0) != id(1)
    });
    let (one, other) = wire.pick(pairs.map(|pair| (pair[0].part.clone(), pair[1].part.clone())).collect())?;
    wire.swap(&one, &other)
}

/// The content of a message, as a list.
fn content_list(wire: &Wire, at: usize) -> Option<(String, Vec<Value>)> {
    let message = wire.message(at);
    let key = ["content", "parts", "data/content"]
        .iter()
        .find(|key| wire.root.pointer(&format!("{message}/{key}")).is_some())?;
    let at = format!("{message}/{key}");
    let list = match wire.get(&at) {
        Value::String(text) => vec![text_part(wire, Speaker::User, text)],
        Value::Array(items) => items.clone(),
        _ => return None,
    };
    Some((at, list))
}

/// Returns whether a message is the user's and holds neither results nor labels.
fn is_users_own(wire: &Wire, parts: &Parts, at: usize) -> bool {
    let has_result = parts.results.iter().any(|result| result.message == at);
    let is_labelled = |text: &&Text| text.message == Some(at) && wire.str(&text.at).contains("[wirecanon: ");
    wire.speaker(at) == Some(Speaker::User) && !has_result && !parts.texts.iter().any(|text| is_labelled(&text))
}

const SEPARATE_TURNS: &[&str] =
    &["anthropic.messages", "openai.responses", "gemini.contents", "ai-sdk.model", "langchain"];

fn has_separate_turns(wire: &Wire) -> bool {
    wire.is_one_of(SEPARATE_TURNS) || matches!(wire.target.name.as_str(), "openai" | "openai.chat")
}

fn user_messages_joined(wire: &mut Wire) -> Option<()> {
    has_separate_turns(wire).then_some(())?;
    let parts = wire.parts();
    let is_pair = |at: &usize| is_users_own(wire, &parts, *at) && is_users_own(wire, &parts, at + 1);
    let at = wire.pick((0..wire.len().saturating_sub(1)).filter(is_pair).collect())?;
    let (place, mut list) = content_list(wire, at)?;
    list.extend(content_list(wire, at + 1)?.1);
    wire.set(&place, json!(list))?;
    wire.remove(&wire.message(at + 1))
}

fn user_message_split(wire: &mut Wire) -> Option<()> {
    has_separate_turns(wire).then_some(())?;
    let parts = wire.parts();
    let is_long =
        |at: &usize| is_users_own(wire, &parts, *at) && content_list(wire, *at).is_some_and(|(_, list)| list.len() > 1);
    let at = wire.pick((0..wire.len()).filter(is_long).collect())?;
    let (place, mut list) = content_list(wire, at)?;
    let rest = list.split_off(1);
    let mut second = wire.get(&wire.message(at)).clone();
    *second.pointer_mut(place.strip_prefix(&wire.message(at))?)? = json!(rest);
    wire.set(&place, json!(list))?;
    wire.insert_after(&wire.message(at), second)
}

/// Adds fields with their defaults to each message that is chosen, where they are absent.
fn add_to_messages(wire: &mut Wire, is_chosen: fn(&Value) -> bool, fields: &Value) -> Option<()> {
    for message in wire.messages()?.iter_mut().filter(|message| is_chosen(message)) {
        let message = message.as_object_mut()?;
        for (key, value) in fields.as_object()? {
            message.entry(key).or_insert_with(|| value.clone());
        }
    }
    Some(())
}

fn is_role(message: &Value, role: &str) -> bool {
    message["role"] == role
}

fn is_target(wire: &Wire, names: &[&str]) -> Option<()> {
    names.contains(&wire.target.name.as_str()).then_some(())
}

fn content_of_calls(wire: &mut Wire, change: fn(&mut Map<String, Value>)) -> Option<()> {
    is_target(wire, &["openai", "openai.chat"])?;
    for message in wire.messages()? {
        let has_calls =
            message.get("tool_calls").is_some_and(|calls| calls.as_array().is_some_and(|calls| !calls.is_empty()));
        if has_calls && message.get("content").is_none_or(Value::is_null) {
            change(message.as_object_mut()?);
        }
    }
    Some(())
}

/// The names of Gemini's fields in the other spelling of protobuf JSON.
fn snake_case(value: &mut Value) {
    const FIELDS: &[(&str, &str)] = &[
        ("inlineData", "inline_data"),
        ("functionCall", "function_call"),
        ("functionResponse", "function_response"),
        ("fileData", "file_data"),
        ("mimeType", "mime_type"),
        ("displayName", "display_name"),
        ("fileUri", "file_uri"),
        ("thoughtSignature", "thought_signature"),
    ];
    match value {
        Value::Array(items) => items.iter_mut().for_each(snake_case),
        Value::Object(object) => {
            for (camel, snake) in FIELDS {
                if let Some(value) = object.remove(*camel) {
                    object.insert((*snake).to_owned(), value);
                }
            }
            for (key, value) in object {
                if key != "args" && key != "response" {
                    snake_case(value);
                }
            }
        }
        _ => {}
    }
}

fn add_flag(wire: &mut Wire, key: &str, value: &str) -> Option<()> {
    for result in wire.parts().results {
        let at = format!("{}/{key}", result.part);
        if wire.root.pointer(&at).is_none() {
            let value: Value = serde_json::from_str(value).ok()?;
            wire.set(&at, value)?;
        }
    }
    Some(())
}

fn list_of_definitions(wire: &mut Wire) -> Option<&mut Vec<Value>> {
    let lists = ["/toolConfig/tools", "/tools/0/functionDeclarations", "/tools"];
    let at = lists.into_iter().find(|at| wire.root.pointer(at).is_some())?;
    wire.get_mut(at)?.as_array_mut()
}

fn each_definition(wire: &mut Wire, change: fn(&mut Map<String, Value>)) -> Option<()> {
    list_of_definitions(wire)?.iter_mut().filter_map(Value::as_object_mut).for_each(change);
    Some(())
}

/// The changes, each with its name.
pub(crate) const CHANGES: &[(&str, Change)] = &[
    // JSON
    ("keys-reversed", |wire| {
        wire.style.has_reversed_keys = true;
        Some(())
    }),
    ("layout-of-many-lines", |wire| {
        wire.style.is_pretty = true;
        Some(())
    }),
    ("characters-escaped", |wire| {
        wire.style.is_ascii = true;
        Some(())
    }),
    ("slashes-escaped", |wire| {
        wire.style.has_escaped_slashes = true;
        Some(())
    }),
    ("newline-at-the-end", |wire| {
        wire.style.has_newline_at_end = true;
        Some(())
    }),
    // Calls and results
    ("ids-renamed", ids_renamed),
    ("arguments-of-many-lines", |wire| restyle_arguments(wire, Style { is_pretty: true, ..Style::default() })),
    ("argument-keys-reversed", |wire| restyle_arguments(wire, Style { has_reversed_keys: true, ..Style::default() })),
    ("argument-characters-escaped", |wire| restyle_arguments(wire, Style { is_ascii: true, ..Style::default() })),
    ("argument-slashes-escaped", |wire| {
        restyle_arguments(wire, Style { has_escaped_slashes: true, ..Style::default() })
    }),
    ("white-space-around-arguments", |wire| {
        for call in wire.parts().calls {
            if wire.get(&call.arguments).is_string() && wire.arguments(&call).is_some() {
                let text = format!(" {}\n", wire.str(&call.arguments));
                wire.set(&call.arguments, text)?;
            }
        }
        Some(())
    }),
    ("results-of-a-batch-reordered", results_reordered),
    ("results-as-lists-of-one-text", result_strings_as_lists),
    ("results-of-one-text-as-strings", result_lists_as_strings),
    ("white-space-behind-a-result", |wire| {
        let places = wire.parts().results.into_iter().flat_map(|result| result.texts).collect();
        white_space_behind(wire, places)
    }),
    ("success-said", |wire| match wire.dialect() {
        "anthropic.messages" => add_flag(wire, "is_error", "false"),
        "mcp.sampling" => add_flag(wire, "isError", "false"),
        "bedrock.converse" => add_flag(wire, "toolResult/status", "\"success\""),
        "langchain" => add_flag(wire, "data/status", "\"success\""),
        _ => None,
    }),
    ("success-not-said", |wire| {
        let success = match wire.dialect() {
            "anthropic.messages" => json!({"is_error": false}),
            "mcp.sampling" => json!({"isError": false}),
            "bedrock.converse" | "langchain" => json!({"status": "success"}),
            _ => return None,
        };
        let (key, value) = success.as_object()?.iter().next()?;
        for result in wire.parts().results {
            let inner = ["toolResult", "data"].iter().map(|inner| format!("{}/{inner}", result.part));
            let at = inner.into_iter().find(|at| wire.root.pointer(at).is_some()).unwrap_or(result.part);
            let result = members(wire.get_mut(&at)?)?;
            if result.get(key) == Some(value) {
                result.remove(key);
            }
        }
        Some(())
    }),
    ("content-beside-calls-left-out", |wire| content_of_calls(wire, |message| drop(message.remove("content")))),
    ("content-beside-calls-null", |wire| {
        content_of_calls(wire, |message| drop(message.insert("content".to_owned(), Value::Null)))
    }),
    ("content-beside-calls-empty", |wire| {
        content_of_calls(wire, |message| drop(message.insert("content".to_owned(), json!(""))))
    }),
    ("calls-marked-as-completed", |wire| {
        is_target(wire, &["openai.responses", "openai-responses", "openai-codex"])?;
        add_to_messages(
            wire,
            |item| matches!(item["type"].as_str(), Some("function_call" | "function_call_output")),
            &json!({"status": "completed"}),
        )
    }),
    ("text-output-as-list-of-one-text", |wire| {
        wire.is_one_of(&["ai-sdk.model"]).then_some(())?;
        for result in wire.parts().results {
            let at = format!("{}/output", result.part);
            if wire.get(&format!("{at}/type")) == "text" {
                let text = wire.get(&format!("{at}/value")).clone();
                wire.set(&at, json!({"type": "content", "value": [{"type": "text", "text": text}]}))?;
            }
        }
        Some(())
    }),
    // Texts and turns
    ("users-strings-as-lists", |wire| strings_as_lists(wire, Speaker::User)),
    ("assistants-strings-as-lists", |wire| strings_as_lists(wire, Speaker::Assistant)),
    ("system-strings-as-lists", |wire| strings_as_lists(wire, Speaker::System)),
    ("users-lists-of-one-text-as-strings", |wire| lists_as_strings(wire, Speaker::User)),
    ("assistants-lists-of-one-text-as-strings", |wire| lists_as_strings(wire, Speaker::Assistant)),
    ("one-part-as-list", |wire| {
        is_target(wire, &["mcp.sampling", "mcp.sampling@2025-11-25", "mcp.sampling@2026-07-28"])?;
        for message in wire.messages()? {
            if message["content"].is_object() {
                message["content"] = json!([message["content"]]);
            }
        }
        Some(())
    }),
    ("users-text-split-in-two-parts", user_text_split),
    ("white-space-behind-users-text", |wire| {
        let texts = wire.parts().texts.into_iter().filter(|text| text.speaker == Speaker::User);
        let places = texts.map(|text| text.at).collect();
        white_space_behind(wire, places)
    }),
    ("two-users-messages-joined", user_messages_joined),
    ("users-message-split-in-two", user_message_split),
    ("instructions-beside-the-list", |wire| {
        wire.is_one_of(&["openai.responses"]).then_some(())?;
        wire.root.get("instructions").is_none().then_some(())?;
        (wire.speaker(0) == Some(Speaker::System) && wire.speaker(1) != Some(Speaker::System)).then_some(())?;
        let text = wire.get(&format!("{}/content", wire.message(0))).as_str()?.to_owned();
        wire.remove(&wire.message(0))?;
        wire.set("/instructions", text)
    }),
    ("system-as-developer", |wire| {
        is_target(wire, &["openai", "openai.chat", "openai-responses", "openai.responses", "openai-codex"])?;
        for message in wire.messages()?.iter_mut().filter(|message| is_role(message, "system")) {
            message["role"] = json!("developer");
        }
        Some(())
    }),
    // Fields with their defaults, and other spellings of the same
    ("null-fields-of-the-assistant", |wire| {
        is_target(wire, &["openai", "openai.chat"])?;
        let fields = json!({"refusal": null, "audio": null, "function_call": null});
        add_to_messages(wire, |message| is_role(message, "assistant"), &fields)
    }),
    ("empty-fields-of-langchain", |wire| {
        wire.is_one_of(&["langchain"]).then_some(())?;
        let fields = json!({"additional_kwargs": {}, "response_metadata": {}, "id": null, "name": null});
        for message in wire.messages()? {
            let is_tool = message["type"] == "tool";
            let Some(data) = message.get_mut("data").and_then(Value::as_object_mut) else { continue };
            for (key, value) in fields.as_object()? {
                if !(is_tool && key == "name") {
                    data.entry(key).or_insert_with(|| value.clone());
                }
            }
        }
        Some(())
    }),
    ("message-ids-changed", |wire| {
        wire.is_one_of(&["ai-sdk.ui"]).then_some(())?;
        for (nth, message) in wire.messages()?.iter_mut().enumerate() {
            message["id"] = json!(format!("message-{nth}"));
        }
        Some(())
    }),
    ("text-parts-marked-as-done", |wire| {
        wire.is_one_of(&["ai-sdk.ui"]).then_some(())?;
        for message in wire.messages()?.iter_mut().filter(|message| is_role(message, "assistant")) {
            for part in message["parts"].as_array_mut()?.iter_mut().filter(|part| part["type"] == "text") {
                part["state"] = json!("done");
            }
        }
        Some(())
    }),
    ("type-of-messages-left-out", |wire| {
        is_target(wire, &["openai.responses", "openai-responses", "openai-codex"])?;
        for item in wire.messages()?.iter_mut().filter(|item| item["type"] == "message") {
            if item["content"].is_string() {
                members(item)?.remove("type");
            }
        }
        Some(())
    }),
    ("image-detail-said", |wire| {
        is_target(wire, &["openai", "openai.chat"])?;
        for image in wire.parts().images {
            if image.data.ends_with("image_url/url") {
                wire.set(&format!("{}/image_url/detail", image.part), "auto")?;
            }
        }
        Some(())
    }),
    ("image-detail-not-said", |wire| {
        wire.is_one_of(&["openai.responses"]).then_some(())?;
        each_object(&mut wire.root, &mut |object| {
            if object.get("type") == Some(&json!("input_image")) && object.get("detail") == Some(&json!("auto")) {
                object.remove("detail");
            }
        });
        Some(())
    }),
    ("image-as-string", |wire| {
        wire.is_one_of(&["mistral.chat"]).then_some(())?;
        for image in wire.parts().images {
            let url = wire.get(&image.data).clone();
            if image.data.ends_with("image_url/url") {
                wire.set(&format!("{}/image_url", image.part), url)?;
            }
        }
        Some(())
    }),
    ("image-as-data-url", |wire| {
        wire.is_one_of(&["ai-sdk.model"]).then_some(())?;
        for image in wire.parts().images {
            if wire.get(&format!("{}/type", image.part)) == "image" {
                let kind = wire.str(&format!("{}/mediaType", image.part)).to_owned();
                let url = format!("data:{kind};base64,{}", wire.str(&image.data));
                (!kind.is_empty()).then_some(())?;
                wire.set(&image.data, url)?;
            }
        }
        Some(())
    }),
    ("image-as-file", |wire| {
        wire.is_one_of(&["ai-sdk.model"]).then_some(())?;
        for image in wire.parts().images {
            let kind = wire.get(&format!("{}/mediaType", image.part)).clone();
            if wire.get(&format!("{}/type", image.part)) == "image" && kind.is_string() {
                let data = wire.get(&image.data).clone();
                wire.set(&image.part, json!({"type": "file", "data": data, "mediaType": kind}))?;
            }
        }
        Some(())
    }),
    ("image-in-the-form-of-chat-completions", |wire| {
        wire.is_one_of(&["langchain"]).then_some(())?;
        for image in wire.parts().images {
            let kind = wire.str(&format!("{}/mime_type", image.part)).to_owned();
            if image.data.ends_with("base64") && !kind.is_empty() {
                let url = format!("data:{kind};base64,{}", wire.str(&image.data));
                wire.set(&image.part, json!({"type": "image_url", "image_url": {"url": url}}))?;
            }
        }
        Some(())
    }),
    ("image-in-the-form-of-version-zero", |wire| {
        wire.is_one_of(&["langchain"]).then_some(())?;
        for image in wire.parts().images {
            let kind = wire.get(&format!("{}/mime_type", image.part)).clone();
            if image.data.ends_with("base64") && kind.is_string() {
                let data = wire.get(&image.data).clone();
                let part = json!({"type": "image", "source_type": "base64", "data": data, "mime_type": kind});
                wire.set(&image.part, part)?;
            }
        }
        Some(())
    }),
    ("base-sixty-four-for-urls", |wire| {
        wire.is_one_of(&["gemini.contents"]).then_some(())?;
        for image in wire.parts().images {
            let data = wire.str(&image.data).replace('+', "-").replace('/', "_");
            wire.set(&image.data, data)?;
        }
        Some(())
    }),
    ("fields-in-snake-case", |wire| {
        wire.is_one_of(&["gemini.contents"]).then_some(())?;
        wire.messages()?.iter_mut().for_each(snake_case);
        let root = members(&mut wire.root)?;
        if let Some(system) = root.remove("systemInstruction") {
            root.insert("system_instruction".to_owned(), system);
        }
        for tool in root.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(declarations) = members(tool).and_then(|tool| tool.remove("functionDeclarations")) {
                tool["function_declarations"] = declarations;
            }
        }
        Some(())
    }),
    ("users-role-left-out", |wire| {
        is_target(wire, &["gemini", "gemini-3", "gemini-3.6"])?;
        for content in wire.messages()?.iter_mut().filter(|content| is_role(content, "user")) {
            members(content)?.remove("role");
        }
        Some(())
    }),
    ("role-of-instructions-said", |wire| {
        wire.is_one_of(&["gemini.contents"]).then_some(())?;
        members(wire.get_mut("/systemInstruction")?)?.insert("role".to_owned(), json!("user"));
        Some(())
    }),
    ("cache-mark", |wire| {
        is_target(wire, &["anthropic", "anthropic.messages"])?;
        (wire.root.to_string().matches("cache_control").count() < 4).then_some(())?;
        let last = list_of_definitions(wire)?.last_mut()?;
        members(last)?.insert("cache_control".to_owned(), json!({"type": "ephemeral"}));
        Some(())
    }),
    // The request
    ("definitions-reversed", |wire| {
        list_of_definitions(wire)?.reverse();
        Some(())
    }),
    ("required-arguments-reversed", |wire| {
        for definition in wire.parts().definitions {
            let required = wire.get_mut(&definition.schema).and_then(|schema| schema.get_mut("required"));
            if let Some(required) = required.and_then(Value::as_array_mut) {
                required.reverse();
            }
        }
        Some(())
    }),
    ("definitions-not-strict", |wire| {
        is_target(wire, &["openai", "openai.chat"])?;
        each_definition(wire, |tool| {
            if let Some(function) = tool.get_mut("function").and_then(Value::as_object_mut) {
                function.entry("strict").or_insert(json!(false));
            }
        })
    }),
    ("definitions-marked-as-custom", |wire| {
        is_target(wire, &["anthropic", "anthropic.messages"])?;
        each_definition(wire, |tool| {
            if tool.contains_key("input_schema") {
                tool.entry("type").or_insert(json!("custom"));
            }
        })
    }),
    ("definitions-in-two-lists", |wire| {
        wire.is_one_of(&["gemini.contents"]).then_some(())?;
        let declarations = wire.get_mut("/tools/0/functionDeclarations")?.as_array_mut()?;
        (declarations.len() > 1).then_some(())?;
        let rest = declarations.split_off(1);
        wire.insert_after("/tools/0", json!({"functionDeclarations": rest}))
    }),
    ("choice-of-tools-said", |wire| {
        list_of_definitions(wire)?;
        let (key, choice) = match wire.target.name.as_str() {
            "openai" | "openai.chat" | "mistral" | "openai-responses" | "openai.responses" => {
                ("/tool_choice", json!("auto"))
            }
            "anthropic" | "anthropic.messages" => ("/tool_choice", json!({"type": "auto"})),
            "bedrock" | "bedrock.converse" => ("/toolConfig/toolChoice", json!({"auto": {}})),
            "gemini" | "gemini-3" | "gemini.contents" => {
                ("/toolConfig", json!({"functionCallingConfig": {"mode": "AUTO"}}))
            }
            _ => return None,
        };
        wire.root.pointer(key).is_none().then_some(())?;
        wire.set(key, choice)
    }),
    ("temperature-said", |wire| {
        let (key, value) = match wire.dialect() {
            "openai.chat" | "mistral.chat" | "cohere.v2" | "anthropic.messages" | "openai.responses" => {
                ("/temperature", json!(1))
            }
            "gemini.contents" => ("/generationConfig", json!({"temperature": 1})),
            "bedrock.converse" => ("/inferenceConfig", json!({"temperature": 1})),
            "ollama.chat" => ("/options", json!({"temperature": 1})),
            _ => return None,
        };
        (wire.root.is_object() && wire.root.pointer(key).is_none()).then_some(())?;
        wire.set(key, value)
    }),
    ("assistants-text-split-in-two-parts", |wire| {
        // The text beside calls of Anthropic in two blocks: the words put end to end are the same.
        wire.is_one_of(&["anthropic.messages"]).then_some(())?;
        let parts = wire.parts();
        let is_beside = |text: &Text| parts.calls.iter().any(|call: &Call| Some(call.message) == text.message);
        let texts = parts
            .texts
            .iter()
            .filter(|text| text.speaker == Speaker::Assistant && is_beside(text) && text.part != text.at);
        let splits = texts.filter_map(|text| {
            let own = wire.str(&text.at);
            let (first, second) = own.split_at(own.trim_start().find(' ')? + 1);
            (!first.trim().is_empty() && !second.trim().is_empty())
                .then(|| (text.part.clone(), first.to_owned(), second.to_owned()))
        });
        let (at, first, second) = wire.pick(splits.collect())?;
        wire.set(&at, json!({"type": "text", "text": first}))?;
        wire.insert_after(&at, json!({"type": "text", "text": second}))
    }),
];
