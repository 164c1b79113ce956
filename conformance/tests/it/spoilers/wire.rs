//! Changes of an answer on the wire that change its meaning.

#![expect(clippy::unnecessary_wraps, reason = "the changes of a text share one type")]

use serde_json::{Map, Value, json};

use crate::spoilers::parts::{
    Call, Definition, Parts, Speaker, Text, ToolResult, Wire, members, values, with_words, words,
};

/// A change of an answer; `None` where the answer has nothing that it changes.
pub(crate) type Spoil = fn(&mut Wire) -> Option<()>;

const OTHER_IMAGE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR42mPgOiEHRwzEcQCFAw8BOY5lbwAAAABJRU5ErkJggg==";

// Texts

/// Changes the words of one of the strings at these places.
fn change_one(wire: &mut Wire, places: impl Iterator<Item = String>, change: fn(&str) -> Option<String>) -> Option<()> {
    let changed = places.filter_map(|at| Some((with_words(wire.str(&at), change)?, at)));
    let (changed, at) = wire.pick(changed.collect())?;
    wire.set_text(&at, &changed)
}

fn change_text(wire: &mut Wire, speakers: &[Speaker], change: fn(&str) -> Option<String>) -> Option<()> {
    let texts = wire.parts().texts.into_iter().filter(|text| speakers.contains(&text.speaker));
    change_one(wire, texts.map(|text| text.at), change)
}

fn change_speech(wire: &mut Wire, change: fn(&str) -> Option<String>) -> Option<()> {
    change_text(wire, &[Speaker::User, Speaker::Assistant], change)
}

fn change_result(wire: &mut Wire, change: fn(&str) -> Option<String>) -> Option<()> {
    let texts = wire.parts().results.into_iter().flat_map(|result| result.texts);
    change_one(wire, texts, change)
}

fn letter_changed(text: &str) -> Option<String> {
    let places: Vec<_> = text.char_indices().filter(|(_, letter)| letter.is_ascii_alphabetic()).collect();
    let (at, letter) = *places.get(places.len() / 2)?;
    let other = if letter.eq_ignore_ascii_case(&'z') { 'a' } else { char::from(letter as u8 + 1) };
    Some(format!("{}{other}{}", &text[..at], &text[at + 1..]))
}

fn word_dropped(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let middle = words.len() / 2;
    let is_word = words.len() > 2 && words[middle].chars().any(char::is_alphanumeric);
    is_word.then(|| [&words[..middle], &words[middle + 1..]].concat().join(" "))
}

fn truncated(text: &str) -> Option<String> {
    let letters: Vec<char> = text.chars().collect();
    let kept: String = letters[..letters.len() / 2].iter().collect();
    (letters.len() > 3 && !kept.trim().is_empty()).then_some(kept)
}

fn last_word_dropped(text: &str) -> Option<String> {
    let (kept, last) = text.trim_end().rsplit_once(' ')?;
    (last.chars().any(char::is_alphanumeric) && !kept.trim().is_empty()).then(|| kept.to_owned())
}

fn digit_changed(text: &str) -> Option<String> {
    let at = text.rfind(|letter: char| letter.is_ascii_digit())?;
    let other = char::from(b'0' + (text.as_bytes()[at] - b'0' + 1) % 10);
    Some(format!("{}{other}{}", &text[..at], &text[at + 1..]))
}

fn case_changed(text: &str) -> Option<String> {
    let upper = text.to_uppercase();
    Some(if upper == text { text.to_lowercase() } else { upper })
}

fn html_escaped(text: &str) -> Option<String> {
    Some(text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;"))
}

/// UTF-8 that was read as Latin-1.
fn mojibake(text: &str) -> Option<String> {
    Some(text.bytes().map(char::from).collect())
}

fn question_marks(text: &str) -> Option<String> {
    Some(text.chars().map(|letter| if letter.is_ascii() { letter } else { '?' }).collect())
}

fn non_ascii_dropped(text: &str) -> Option<String> {
    Some(text.chars().filter(char::is_ascii).collect())
}

fn lines_joined(text: &str) -> Option<String> {
    Some(text.trim().lines().collect::<Vec<_>>().join(""))
}

fn line_dropped(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.trim().lines().collect();
    let middle = lines.len() / 2;
    let has_words = lines.len() > 1 && lines[middle].chars().any(char::is_alphanumeric);
    has_words.then(|| [&lines[..middle], &lines[middle + 1..]].concat().join("\n"))
}

fn lines_reversed(text: &str) -> Option<String> {
    Some(text.trim().lines().rev().collect::<Vec<_>>().join("\n"))
}

fn indentation_dropped(text: &str) -> Option<String> {
    Some(text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n"))
}

fn newlines_escaped(text: &str) -> Option<String> {
    Some(text.trim().replace('\n', "\\n"))
}

/// A JSON text of a text that has escapes.
fn encoded(text: &str) -> Option<String> {
    let quoted = json!(text).to_string();
    quoted.contains('\\').then_some(quoted)
}

fn stringified_blocks(text: &str) -> Option<String> {
    Some(json!([{"type": "text", "text": text}]).to_string())
}

fn negated(text: &str) -> Option<String> {
    let (first, rest) = text.split_once(' ')?;
    Some(format!("{first} not {rest}"))
}

/// The texts of a speaker that have words and are the whole content of their message, or a part of it.
fn texts_of(wire: &Wire, speaker: Speaker) -> Vec<Text> {
    let has_words = |text: &Text| {
        let text = wire.str(&text.at);
        words(text).is_some_and(|(label, _, rest)| label.is_empty() && rest.is_empty())
    };
    wire.parts().texts.into_iter().filter(|text| text.speaker == speaker && has_words(text)).collect()
}

fn swap_texts(wire: &mut Wire, one: &Text, other: &Text) -> Option<()> {
    let (first, second) = (wire.str(&one.at).to_owned(), wire.str(&other.at).to_owned());
    if first.trim() == second.trim() {
        return None;
    }
    wire.set_text(&one.at, &second)?;
    wire.set_text(&other.at, &first)
}

/// Two neighbours in a list, of which the first one is chosen by the seed.
fn neighbours<T: Clone>(wire: &Wire, items: &[T]) -> Option<(T, T)> {
    wire.pick(items.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect())
}

/// Moves a text to the end of another one.
fn move_text(wire: &mut Wire, from: &Text, to: &Text) -> Option<()> {
    let together = format!("{}\n\n{}", wire.str(&to.at), wire.str(&from.at));
    wire.set_text(&to.at, &together)?;
    wire.remove(&from.part)
}

/// Indices of the messages that hold nothing but words of their speaker.
fn plain_messages(wire: &Wire) -> Vec<usize> {
    let parts = wire.parts();
    let has_words = |text: &Text| words(wire.str(&text.at)).is_some_and(|(label, ..)| label.is_empty());
    let is_plain = |at: &usize| {
        let texts: Vec<_> = parts.texts.iter().filter(|text| text.message == Some(*at)).collect();
        let has_other = parts.calls.iter().any(|call| call.message == *at)
            || parts.results.iter().any(|result| result.message == *at)
            || parts.images.iter().any(|image| image.message == *at);
        !texts.is_empty() && !has_other && texts.iter().all(|text| has_words(text) && text.speaker != Speaker::System)
    };
    (0..wire.len()).filter(is_plain).collect()
}

fn message_text(wire: &Wire, at: usize) -> String {
    let parts = wire.parts();
    let texts = parts.texts.iter().filter(|text| text.message == Some(at));
    texts.map(|text| wire.str(&text.at)).collect::<Vec<_>>().join("\n")
}

/// The system texts, beside the list or in it. Where a wire has no place for them, they are labelled words of the user.
fn system_texts(wire: &Wire) -> Vec<Text> {
    let is_labelled = |text: &Text| wire.str(&text.at).starts_with("[wirecanon: system message] ");
    wire.parts().texts.into_iter().filter(|text| text.speaker == Speaker::System || is_labelled(text)).collect()
}

/// Removes a system text with the field that holds it.
fn change_system(wire: &mut Wire, change: fn(&str) -> Option<String>) -> Option<()> {
    change_one(wire, system_texts(wire).into_iter().map(|text| text.at), change)
}

fn remove_system(wire: &mut Wire, text: &Text) -> Option<()> {
    if text.message.is_some() || text.part.matches('/').count() == 1 {
        return wire.remove(&text.part);
    }
    let (list, _) = text.part.rsplit_once('/')?;
    if wire.get(list).as_array()?.len() > 1 {
        return wire.remove(&text.part);
    }
    let field = text.part.split('/').nth(1)?.to_owned();
    members(&mut wire.root)?.remove(&field).map(drop)
}

fn role_changed(wire: &mut Wire, from: Speaker) -> Option<()> {
    let plain = plain_messages(wire).into_iter().filter(|at| wire.speaker(*at) == Some(from));
    let at = wire.pick(plain.collect())?;
    let to = if from == Speaker::User { Speaker::Assistant } else { Speaker::User };
    let text = message_text(wire, at);
    let message = wire.said(to, &text);
    wire.set(&wire.message(at), message)
}

// Calls

/// Changes one of the values in the arguments of one call.
fn change_argument(wire: &mut Wire, change: fn(&Value) -> Option<Value>) -> Option<()> {
    let mut changes = Vec::new();
    for call in wire.parts().calls {
        let Some(arguments) = wire.arguments(&call) else { continue };
        for at in values(&arguments) {
            let value = arguments.pointer(&at)?;
            if let Some(changed) = change(value).filter(|changed| changed != value) {
                let mut all = arguments.clone();
                *all.pointer_mut(&at)? = changed;
                changes.push((call.clone(), all));
            }
        }
    }
    let (call, arguments) = wire.pick(changes)?;
    wire.set_arguments(&call, arguments)
}

/// Changes the arguments of one call as a whole.
fn change_arguments(wire: &mut Wire, change: fn(&mut Map<String, Value>) -> Option<()>) -> Option<()> {
    let mut changes = Vec::new();
    for call in wire.parts().calls {
        let Some(arguments) = wire.arguments(&call) else { continue };
        let mut changed = arguments.clone();
        if change(members(&mut changed)?).is_some() && changed != arguments {
            changes.push((call, changed));
        }
    }
    let (call, arguments) = wire.pick(changes)?;
    wire.set_arguments(&call, arguments)
}

fn change_argument_text(wire: &mut Wire, change: fn(&str) -> Option<String>) -> Option<()> {
    let mut changes = Vec::new();
    for call in wire.parts().calls {
        let Some(arguments) = wire.arguments(&call) else { continue };
        for at in values(&arguments) {
            let Some(text) = arguments.pointer(&at)?.as_str() else { continue };
            if let Some(changed) = change(text).filter(|changed| changed != text) {
                let mut all = arguments.clone();
                *all.pointer_mut(&at)? = json!(changed);
                changes.push((call.clone(), all));
            }
        }
    }
    let (call, arguments) = wire.pick(changes)?;
    wire.set_arguments(&call, arguments)
}

/// Drops a value somewhere below the top level of the arguments.
fn nested_key_dropped(wire: &mut Wire) -> Option<()> {
    change_arguments(wire, |arguments| {
        let nested = arguments.values_mut().filter_map(Value::as_object_mut).find(|nested| !nested.is_empty())?;
        let key = nested.keys().next()?.clone();
        nested.remove(&key).map(drop)
    })
}

/// Returns whether two values differ; `0` and `-0.0` do not.
fn is_other_value(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => (one - other).abs() > 0.0,
        _ => one != other,
    }
}

fn swap_values(arguments: &mut Map<String, Value>) -> Option<()> {
    let keys: Vec<String> = arguments.keys().cloned().collect();
    let (one, other) = keys
        .iter()
        .zip(keys.iter().skip(1))
        .find(|(one, other)| is_other_value(&arguments[*one], &arguments[*other]))?;
    let first = arguments[one].clone();
    let second = std::mem::replace(&mut arguments[other], first);
    arguments[one] = second;
    Some(())
}

/// Two calls of one message, or of neighbouring items.
fn two_calls(wire: &Wire, parts: &Parts, differ: impl Fn(&Call) -> Value) -> Option<(Call, Call)> {
    let is_near = |pair: &&[Call]| pair[1].message - pair[0].message < 2 && differ(&pair[0]) != differ(&pair[1]);
    wire.pick(parts.calls.windows(2).filter(is_near).map(|pair| (pair[0].clone(), pair[1].clone())).collect())
}

fn remove_all(wire: &mut Wire, mut places: Vec<String>) -> Option<()> {
    let key = |at: &String| -> Vec<(usize, String)> {
        at.split('/').map(|name| (name.parse().unwrap_or_default(), name.to_owned())).collect()
    };
    places.sort_by_key(key);
    places.dedup();
    for at in places.iter().rev() {
        wire.remove(at)?;
    }
    Some(())
}

fn call_name(wire: &Wire, call: &Call) -> String {
    let name = wire.str(&call.name);
    name.strip_prefix("tool-").filter(|_| call.name.ends_with("/type")).unwrap_or(name).to_owned()
}

fn set_call_name(wire: &mut Wire, call: &Call, name: &str) -> Option<()> {
    let name = if call.name.ends_with("/type") { format!("tool-{name}") } else { name.to_owned() };
    wire.set(&call.name, name)
}

/// Sets the name in the result of a call, where the result has one.
fn set_result_name(wire: &mut Wire, result: &ToolResult, name: &str) {
    for key in ["name", "toolName", "tool_name", "data/name", "functionResponse/name"] {
        let at = format!("{}/{key}", result.part);
        if wire.get(&at).is_string() {
            wire.set(&at, name);
        }
    }
}

fn rename_call(wire: &mut Wire, rename: fn(&str) -> String) -> Option<()> {
    let parts = wire.parts();
    let (call, result) = wire.pick(wire.pairs(&parts))?;
    let name = rename(&call_name(wire, &call));
    set_call_name(wire, &call, &name)?;
    set_result_name(wire, &result, &name);
    Some(())
}

/// The calls that have a result of their tool. A call that was never answered may be left out with its stand-in.
fn answered_pairs(wire: &Wire) -> Vec<(Call, ToolResult)> {
    let parts = wire.parts();
    let is_answered = |(_, result): &(Call, ToolResult)| {
        !wire.get(&result.part).to_string().contains("[wirecanon: no result was recorded")
    };
    wire.pairs(&parts).into_iter().filter(is_answered).collect()
}

fn call_repeated(wire: &mut Wire) -> Option<()> {
    let parts = wire.parts();
    let (call, result) = wire.pick(wire.pairs(&parts))?;
    let mut copies = Vec::new();
    for (part, id) in [(&result.part, &result.id), (&call.part, &call.id)] {
        let mut copy = wire.get(part).clone();
        if let Some(id) = id {
            let id = id.strip_prefix(part.as_str())?;
            *copy.pointer_mut(id)? = json!("again0001");
        }
        if wire.dialect() == "lossless-claw" {
            let text = copy.to_string().replace(wire.str(result.id.as_ref()?), "again0001");
            copy = serde_json::from_str(&text).ok()?;
        }
        copies.push((part.clone(), copy));
        if call.part == result.part {
            break;
        }
    }
    for (part, copy) in copies {
        wire.insert_after(&part, copy)?;
    }
    Some(())
}

// Results

fn change_body(wire: &mut Wire, change: impl Fn(&Wire, &ToolResult) -> Option<Value>) -> Option<()> {
    let results = wire.parts().results;
    let changed = results.into_iter().filter_map(|result| Some((result.body.clone()?, change(wire, &result)?)));
    let (at, value) = wire.pick(changed.filter(|(at, value)| wire.get(at) != value).collect())?;
    wire.set(&at, value)
}

/// A body of one text in the shape of another body.
fn body_of(wire: &Wire, result: &ToolResult, text: &str) -> Option<Value> {
    let body = wire.get(result.body.as_ref()?);
    Some(match wire.dialect() {
        "gemini.contents" => json!({"output": text}),
        "bedrock.converse" => json!([{"text": text}]),
        "ai-sdk.model" => json!({"type": "text", "value": text}),
        "openai.responses" if body.is_array() => json!([{"type": "input_text", "text": text}]),
        "ai-sdk.ui" => json!(text),
        _ if body.is_array() => json!([{"type": "text", "text": text}]),
        _ => json!(text),
    })
}

/// The words of a result that are its own.
fn result_words(wire: &Wire, result: &ToolResult) -> String {
    result.texts.iter().filter_map(|at| words(wire.str(at))).map(|(_, own, _)| own).collect::<Vec<_>>().join("\n")
}

fn two_results(wire: &Wire, differ: impl Fn(&ToolResult) -> Value) -> Option<(ToolResult, ToolResult)> {
    let results = wire.parts().results;
    let is_near = |pair: &&[ToolResult]| pair[1].message - pair[0].message < 2 && differ(&pair[0]) != differ(&pair[1]);
    wire.pick(results.windows(2).filter(is_near).map(|pair| (pair[0].clone(), pair[1].clone())).collect())
}

fn swap_results(wire: &mut Wire) -> Option<()> {
    let differ =
        |result: &ToolResult| json!(result.body.as_ref().map(|body| (result_words(wire, result), wire.get(body))));
    let (one, other) = two_results(wire, differ)?;
    if wire.dialect() == "ai-sdk.ui" {
        let (first, second) = (result_words(wire, &one), result_words(wire, &other));
        wire.set(one.body.as_ref()?, second)?;
        return wire.set(other.body.as_ref()?, first);
    }
    wire.swap(one.body.as_ref()?, other.body.as_ref()?)
}

fn swap_result_ids(wire: &mut Wire) -> Option<()> {
    let differ = |result: &ToolResult| json!(result_words(wire, result));
    let (one, other) = two_results(wire, differ)?;
    if wire.is_one_of(&["ai-sdk.ui", "openviking"]) {
        return None;
    }
    let (first, second) = (wire.str(one.id.as_ref()?).to_owned(), wire.str(other.id.as_ref()?).to_owned());
    wire.set_result_id(&one, &second)?;
    wire.set_result_id(&other, &first)
}

/// Marks a result as failed or as successful, in the way of the wire; `None` where it is so already.
fn set_error(wire: &mut Wire, result: &ToolResult, is_error: bool) -> Option<()> {
    let part = &result.part;
    match wire.dialect() {
        "canonical" | "openclaw" | "mcp.sampling" => flag(wire, &format!("{part}/isError"), is_error),
        "anthropic.messages" => flag(wire, &format!("{part}/is_error"), is_error),
        "bedrock.converse" => word(wire, &format!("{part}/toolResult/status"), is_error, ["success", "error"]),
        "langchain" => word(wire, &format!("{part}/data/status"), is_error, ["success", "error"]),
        "openviking" => word(wire, &format!("{part}/tool_status"), is_error, ["completed", "error"]),
        "gemini.contents" => {
            let response = members(wire.get_mut(result.body.as_ref()?)?)?;
            let [from, to] = if is_error { ["output", "error"] } else { ["error", "output"] };
            let value = response.remove(from)?;
            response.insert(to.to_owned(), value);
            Some(())
        }
        "ai-sdk.model" => {
            let at = format!("{part}/output/type");
            let to = match (wire.str(&at), is_error) {
                ("text", true) => "error-text",
                ("json", true) => "error-json",
                ("error-text", false) => "text",
                ("error-json", false) => "json",
                _ => return None,
            };
            wire.set(&at, to)
        }
        "ai-sdk.ui" => {
            let part = members(wire.get_mut(part)?)?;
            let [from, to] = if is_error { ["output", "errorText"] } else { ["errorText", "output"] };
            let value = part.remove(from).filter(Value::is_string)?;
            part.insert(to.to_owned(), value);
            let state = if is_error { "output-error" } else { "output-available" };
            part.insert("state".to_owned(), json!(state));
            Some(())
        }
        "lossless-claw" => {
            let [from, to] = [!is_error, is_error].map(|is_error| format!("\"isError\":{is_error}"));
            let mut is_changed = false;
            for part in wire.get_mut(part)?.get_mut("parts")?.as_array_mut()? {
                let metadata = part["metadata"].as_str()?.to_owned();
                is_changed |= metadata.contains(&from);
                part["metadata"] = json!(metadata.replace(&from, &to));
            }
            is_changed.then_some(())
        }
        _ => {
            let at = result.texts.first()?.clone();
            let text = wire.str(&at).to_owned();
            let label = "[wirecanon: tool error] ";
            match (text.strip_prefix(label), is_error) {
                (Some(rest), false) => wire.set(&at, rest),
                (None, true) if words(&text).is_some() => wire.set(&at, format!("{label}{text}")),
                _ => None,
            }
        }
    }
}

fn flag(wire: &mut Wire, at: &str, is_set: bool) -> Option<()> {
    if (wire.get(at) == &json!(true)) == is_set { None } else { wire.set(at, is_set) }
}

fn word(wire: &mut Wire, at: &str, is_error: bool, [success, error]: [&str; 2]) -> Option<()> {
    let word = if is_error { error } else { success };
    if (wire.str(at) == error) == is_error { None } else { wire.set(at, word) }
}

fn change_error(wire: &mut Wire, is_error: bool) -> Option<()> {
    let results = wire.parts().results;
    let start = wire.seed;
    (0..results.len()).find_map(|nth| set_error(wire, &results[(start + nth) % results.len()], is_error))
}

// Images

fn image_bytes(text: &str) -> (&str, &str) {
    match text.find("base64,") {
        Some(at) if text.starts_with("data:") => text.split_at(at + 7),
        _ => ("", text),
    }
}

fn change_image(wire: &mut Wire, change: fn(&str) -> Option<String>) -> Option<()> {
    let images = wire.parts().images;
    let changed = images.into_iter().filter_map(|image| {
        let (head, bytes) = image_bytes(wire.str(&image.data));
        let changed = change(bytes).filter(|changed| changed != bytes)?;
        Some((format!("{head}{changed}"), image.data))
    });
    let (changed, at) = wire.pick(changed.collect())?;
    wire.set(&at, changed)
}

/// A text part in the place of a part of content.
fn text_part(wire: &Wire, text: &str, speaker: Speaker) -> Value {
    match wire.dialect() {
        "gemini.contents" | "bedrock.converse" => json!({"text": text}),
        "openai.responses" if speaker == Speaker::Assistant => json!({"type": "output_text", "text": text}),
        "openai.responses" => json!({"type": "input_text", "text": text}),
        _ => json!({"type": "text", "text": text}),
    }
}

fn image_as_text(wire: &mut Wire) -> Option<()> {
    let images = wire.parts().images;
    let in_content =
        |at: &str| at.contains("/content/") || (at.contains("/parts/") && !at.contains("functionResponse"));
    let image = wire.pick(images.into_iter().filter(|image| in_content(&image.part)).collect())?;
    let part = text_part(wire, "[image: a cat]", Speaker::User);
    wire.set(&image.part, part)
}

fn image_moved(wire: &mut Wire) -> Option<()> {
    let parts = wire.parts();
    let has_list = |text: &&Text| {
        text.part != text.at && text.part.rsplit_once('/').is_some_and(|(list, _)| wire.get(list).is_array())
    };
    let target = parts.texts.iter().rfind(|text| text.speaker == Speaker::User && text.message.is_some())?;
    // Two messages of the user in a row are one turn on some wires.
    let is_elsewhere =
        |image: &&crate::spoilers::parts::Image| Some(image.message + 1) < target.message && image.part != image.data;
    let image = wire.pick(parts.images.iter().filter(is_elsewhere).cloned().collect())?;
    // An image of a result has another shape in some dialects.
    if image.result.is_some() && wire.is_one_of(&["ai-sdk.model", "ai-sdk.ui", "openai.responses"]) {
        return None;
    }
    let value = wire.get(&image.part).clone();
    if has_list(&target) && target.part.rsplit_once('/')?.0 != wire.list() {
        wire.insert_after(&target.part, value)?;
    } else {
        let text = json!({"type": if wire.dialect() == "openai.responses" { "input_text" } else { "text" }, "text": wire.get(&target.at)});
        wire.set(&target.at, json!([text, value]))?;
    }
    wire.remove(&image.part)
}

// Tool definitions

fn change_definition(wire: &mut Wire, change: impl Fn(&mut Wire, &Definition) -> Option<()>) -> Option<()> {
    let definitions = wire.parts().definitions;
    let count = definitions.len();
    let before = wire.root.clone();
    (0..count).find_map(|nth| {
        let definition = &definitions[(wire.seed + nth) % count];
        change(wire, definition).filter(|()| wire.root != before)
    })
}

fn change_schema(wire: &mut Wire, change: fn(&mut Value) -> Option<()>) -> Option<()> {
    change_definition(wire, |wire, definition| change(wire.get_mut(&definition.schema)?))
}

/// Changes one of the properties of a schema, at any depth.
fn change_property(wire: &mut Wire, change: fn(&mut Map<String, Value>) -> Option<()>) -> Option<()> {
    change_definition(wire, |wire, definition| {
        let schema = wire.get(&definition.schema).clone();
        let is_property = |at: &&String| at.rsplit('/').nth(1) == Some("properties");
        let at = values(&schema).iter().filter(is_property).find_map(|at| {
            let mut property = schema.pointer(at)?.clone();
            change(members(&mut property)?)?;
            Some((format!("{}{at}", definition.schema), property))
        });
        let (at, property) = at?;
        wire.set(&at, property)
    })
}

/// The spoilers, each with its name.
pub(crate) const SPOILERS: &[(&str, Spoil)] = &[
    // Arguments
    ("argument-dropped", |wire| {
        change_arguments(wire, |arguments| {
            let key = arguments.keys().next_back()?.clone();
            arguments.remove(&key).map(drop)
        })
    }),
    ("argument-default-added", |wire| {
        change_arguments(wire, |arguments| {
            (!arguments.contains_key("limit")).then(|| drop(arguments.insert("limit".to_owned(), json!(10))))
        })
    }),
    ("argument-number-off-by-one", |wire| {
        change_argument(wire, |value| value.as_i64()?.checked_add(1).map(|number| json!(number)))
    }),
    ("argument-number-rounded", |wire| {
        change_argument(wire, |value| {
            let number = value.as_i64().filter(|number| number.unsigned_abs() > 1 << 53)?;
            #[expect(clippy::cast_precision_loss, reason = "the spoiler is the loss")]
            let rounded = number as f64 as i64;
            Some(json!(rounded))
        })
    }),
    ("argument-number-negated", |wire| {
        change_argument(wire, |value| value.as_i64().filter(|number| *number != 0).map(|number| json!(-number)))
    }),
    ("argument-fraction-cut", |wire| {
        change_argument(wire, |value| {
            let number =
                value.as_f64().filter(|number| value.is_f64() && number.fract() != 0.0 && number.abs() < 1e15)?;
            Some(json!(number.trunc() as i64))
        })
    }),
    ("argument-number-as-string", |wire| {
        change_argument(wire, |value| value.is_number().then(|| json!(value.to_string())))
    }),
    ("argument-string-as-number", |wire| {
        change_argument(wire, |value| value.as_str()?.parse::<u32>().ok().map(|number| json!(number)))
    }),
    ("argument-boolean-flipped", |wire| change_argument(wire, |value| Some(json!(!value.as_bool()?)))),
    ("argument-boolean-as-string", |wire| change_argument(wire, |value| Some(json!(value.as_bool()?.to_string())))),
    ("argument-null-as-empty-string", |wire| change_argument(wire, |value| value.is_null().then(|| json!("")))),
    ("argument-null-as-string", |wire| change_argument(wire, |value| value.is_null().then(|| json!("null")))),
    ("argument-null-dropped", |wire| {
        change_arguments(wire, |arguments| {
            let key = arguments.iter().find(|(_, value)| value.is_null())?.0.clone();
            arguments.remove(&key).map(drop)
        })
    }),
    ("argument-empty-list-dropped", |wire| {
        change_arguments(wire, |arguments| {
            let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
            let key = arguments.iter().find(|(_, value)| is_empty(value))?.0.clone();
            arguments.remove(&key).map(drop)
        })
    }),
    ("argument-false-dropped", |wire| {
        change_arguments(wire, |arguments| {
            let key = arguments.iter().find(|(_, value)| **value == json!(false) || **value == json!(0))?.0.clone();
            arguments.remove(&key).map(drop)
        })
    }),
    ("argument-empty-string-as-null", |wire| {
        change_argument(wire, |value| (value == &json!("")).then_some(Value::Null))
    }),
    ("argument-list-reversed", |wire| {
        change_argument(wire, |value| Some(value.as_array()?.iter().rev().cloned().collect()))
    }),
    ("argument-list-item-dropped", |wire| {
        change_argument(wire, |value| value.as_array()?.split_last().map(|(_, rest)| json!(rest)))
    }),
    ("argument-list-unwrapped", |wire| {
        change_argument(wire, |value| value.as_array().filter(|items| items.len() == 1).map(|items| items[0].clone()))
    }),
    ("argument-wrapped-in-list", |wire| change_argument(wire, |value| value.is_string().then(|| json!([value])))),
    ("argument-list-as-object", |wire| {
        change_argument(wire, |value| {
            let items = value.as_array().filter(|items| !items.is_empty())?;
            Some(
                items
                    .iter()
                    .enumerate()
                    .map(|(nth, item)| (nth.to_string(), item.clone()))
                    .collect::<Map<_, _>>()
                    .into(),
            )
        })
    }),
    ("argument-object-as-string", |wire| {
        change_argument(wire, |value| (value.is_object() || value.is_array()).then(|| json!(value.to_string())))
    }),
    ("argument-nested-key-dropped", nested_key_dropped),
    ("argument-nesting-flattened", |wire| {
        change_arguments(wire, |arguments| {
            let is_nested = |value: &Value| value.as_object().is_some_and(|nested| !nested.is_empty());
            let key = arguments.iter().find(|(_, value)| is_nested(value))?.0.clone();
            let Value::Object(nested) = arguments.remove(&key)? else { return None };
            arguments.extend(nested);
            Some(())
        })
    }),
    ("argument-key-in-camel-case", |wire| {
        change_arguments(wire, |arguments| {
            // `INVALID_JSON` is the mark of arguments that could not be read.
            let is_snake = |key: &&String| key.trim_matches('_').contains('_') && *key != "INVALID_JSON";
            let key = arguments.keys().find(is_snake)?.clone();
            let (first, rest) = key.split_once('_')?;
            let value = arguments.remove(&key)?;
            let (initial, rest) = rest.split_at_checked(1)?;
            arguments.insert(format!("{first}{}{rest}", initial.to_uppercase()), value);
            Some(())
        })
    }),
    ("argument-key-letter-changed", |wire| {
        change_arguments(wire, |arguments| {
            let key = arguments.keys().next()?.clone();
            let value = arguments.remove(&key)?;
            arguments.insert(letter_changed(&key)?, value);
            Some(())
        })
    }),
    ("argument-values-exchanged", |wire| change_arguments(wire, swap_values)),
    ("argument-case-changed", |wire| change_argument_text(wire, case_changed)),
    ("argument-letter-changed", |wire| change_argument_text(wire, letter_changed)),
    ("argument-truncated", |wire| change_argument_text(wire, truncated)),
    ("argument-emptied", |wire| change_argument_text(wire, |text| (!text.is_empty()).then(String::new))),
    ("argument-trimmed", |wire| change_argument_text(wire, |text| Some(text.trim().to_owned()))),
    ("argument-lines-joined", |wire| {
        change_argument_text(wire, |text| text.contains('\n').then(|| text.replace('\n', " ")))
    }),
    ("argument-newlines-escaped", |wire| change_argument_text(wire, |text| Some(text.replace('\n', "\\n")))),
    ("argument-backslashes-dropped", |wire| change_argument_text(wire, |text| Some(text.replace('\\', "")))),
    ("argument-html-escaped", |wire| change_argument_text(wire, html_escaped)),
    ("argument-mojibake", |wire| change_argument_text(wire, mojibake)),
    ("argument-question-marks", |wire| change_argument_text(wire, question_marks)),
    ("arguments-encoded-twice", |wire| {
        let calls = wire.parts().calls;
        let has_text = |call: &Call| wire.get(&call.arguments).is_string() && wire.arguments(call).is_some();
        let call = wire.pick(calls.into_iter().filter(has_text).collect())?;
        let text = wire.get(&call.arguments).to_string();
        wire.set(&call.arguments, text)
    }),
    ("arguments-as-text-in-object", |wire| {
        change_arguments(wire, |arguments| {
            let text = json!(arguments).to_string();
            arguments.clear();
            arguments.insert("arguments".to_owned(), json!(text));
            Some(())
        })
    }),
    ("arguments-wrapped", |wire| {
        change_arguments(wire, |arguments| {
            let inner = std::mem::take(arguments);
            arguments.insert("input".to_owned(), inner.into());
            Some(())
        })
    }),
    ("arguments-cut-off", |wire| {
        let calls = wire.parts().calls;
        let has_text = |call: &Call| wire.str(&call.arguments).len() > 4;
        let call = wire.pick(calls.into_iter().filter(has_text).collect())?;
        let text = wire.str(&call.arguments).to_owned();
        let kept: String = text.chars().take(text.chars().count() / 2).collect();
        wire.set(&call.arguments, kept)
    }),
    ("call-arguments-exchanged", |wire| {
        let parts = wire.parts();
        let (one, other) = two_calls(wire, &parts, |call| json!(wire.arguments(call)))?;
        wire.swap(&one.arguments, &other.arguments)
    }),
    ("call-arguments-merged", |wire| {
        let parts = wire.parts();
        let (one, other) = two_calls(wire, &parts, |call| json!(wire.arguments(call)))?;
        let mut merged = wire.arguments(&one)?;
        let Value::Object(further) = wire.arguments(&other)? else { return None };
        members(&mut merged)?.extend(further);
        (Some(&merged) != wire.arguments(&one).as_ref()).then_some(())?;
        wire.set_arguments(&one, merged)
    }),
    ("call-arguments-of-its-neighbour", |wire| {
        let parts = wire.parts();
        let (one, other) = two_calls(wire, &parts, |call| json!(wire.arguments(call)))?;
        let arguments = wire.get(&one.arguments).clone();
        wire.set(&other.arguments, arguments)
    }),
    // Calls
    ("call-names-exchanged", |wire| {
        let parts = wire.parts();
        let (one, other) = two_calls(wire, &parts, |call| json!(call_name(wire, call)))?;
        wire.swap(&one.name, &other.name)
    }),
    ("call-name-prefixed", |wire| rename_call(wire, |name| format!("functions_{name}"))),
    ("call-name-case-changed", |wire| {
        rename_call(wire, |name| {
            let upper = name.to_uppercase();
            if upper == name { name.to_lowercase() } else { upper }
        })
    }),
    ("call-dropped-with-its-result", |wire| {
        let (call, result) = wire.pick(answered_pairs(wire))?;
        remove_all(wire, vec![call.part, result.part])
    }),
    ("call-repeated-with-its-result", call_repeated),
    ("calls-with-their-results-exchanged-between-turns", |wire| {
        let parts = wire.parts();
        let pairs = wire.pairs(&parts);
        let ((first, first_result), (last, last_result)) = (pairs.first()?.clone(), pairs.last()?.clone());
        (first.message + 1 < last.message && first.part != first_result.part).then_some(())?;
        let same = |wire: &Wire| {
            wire.arguments(&first) == wire.arguments(&last) && call_name(wire, &first) == call_name(wire, &last)
        };
        (!same(wire)).then_some(())?;
        wire.swap(&first.part, &last.part)?;
        wire.swap(&first_result.part, &last_result.part)
    }),
    ("call-announced-as-speech", |wire| {
        let parts = wire.parts();
        let call = wire.pick(parts.calls)?;
        let text = format!("I call {} with {}.", call_name(wire, &call), json!(wire.arguments(&call)?));
        let texts = parts.texts.into_iter().filter(|text| text.speaker == Speaker::Assistant);
        let target = wire.pick(texts.filter(|text| words(wire.str(&text.at)).is_some()).collect())?;
        let together = format!("{}\n{text}", wire.str(&target.at));
        wire.set_text(&target.at, &together)
    }),
    // Results
    ("result-bodies-exchanged", swap_results),
    ("result-ids-exchanged", swap_result_ids),
    ("result-id-unknown", |wire| {
        let results = wire.parts().results;
        let result = wire.pick(results.into_iter().filter(|result| result.id.is_some()).collect())?;
        (!wire.is_one_of(&["ai-sdk.ui", "openviking"])).then_some(())?;
        wire.set_result_id(&result, "nobody001")
    }),
    ("result-repeated-for-its-neighbour", |wire| {
        let (one, other) = two_results(wire, |result| json!(result_words(wire, result)))?;
        let body = body_of(wire, &other, &result_words(wire, &one))?;
        wire.set(other.body.as_ref()?, body)
    }),
    ("results-merged-in-the-first", |wire| {
        let (one, other) = two_results(wire, |result| json!(result_words(wire, result)))?;
        let together = format!("{}\n{}", result_words(wire, &one), result_words(wire, &other));
        let (first, second) = (body_of(wire, &one, &together)?, body_of(wire, &other, "see the first result")?);
        wire.set(one.body.as_ref()?, first)?;
        wire.set(other.body.as_ref()?, second)
    }),
    ("result-letter-changed", |wire| change_result(wire, letter_changed)),
    ("result-word-dropped", |wire| change_result(wire, word_dropped)),
    ("result-last-word-dropped", |wire| change_result(wire, last_word_dropped)),
    ("result-digit-changed", |wire| change_result(wire, digit_changed)),
    ("result-truncated", |wire| change_result(wire, truncated)),
    ("result-case-changed", |wire| change_result(wire, case_changed)),
    ("result-negated", |wire| change_result(wire, negated)),
    ("result-lines-joined", |wire| change_result(wire, lines_joined)),
    ("result-line-dropped", |wire| change_result(wire, line_dropped)),
    ("result-lines-reversed", |wire| change_result(wire, lines_reversed)),
    ("result-indentation-dropped", |wire| change_result(wire, indentation_dropped)),
    ("result-newlines-escaped", |wire| change_result(wire, newlines_escaped)),
    ("result-html-escaped", |wire| change_result(wire, html_escaped)),
    ("result-mojibake", |wire| change_result(wire, mojibake)),
    ("result-non-ascii-dropped", |wire| change_result(wire, non_ascii_dropped)),
    ("result-encoded-twice", |wire| change_result(wire, encoded)),
    ("result-blocks-as-text", |wire| change_result(wire, stringified_blocks)),
    ("result-as-object-object", |wire| change_result(wire, |_| Some("[object Object]".to_owned()))),
    ("result-repeated-in-itself", |wire| change_result(wire, |text| Some(format!("{text}\n{text}")))),
    ("result-replaced-by-success", |wire| change_result(wire, |_| Some("Success".to_owned()))),
    ("result-replaced-by-nothing", |wire| change_result(wire, |_| Some("(no output)".to_owned()))),
    ("result-replaced-by-a-stand-in", |wire| change_result(wire, |_| Some("No result provided".to_owned()))),
    ("result-shortened-with-ellipsis", |wire| {
        change_result(wire, |text| truncated(text).map(|kept| format!("{kept}...")))
    }),
    ("result-emptied", |wire| {
        change_body(wire, |wire, result| (!result_words(wire, result).is_empty()).then(|| body_of(wire, result, ""))?)
    }),
    ("result-texts-reversed", |wire| {
        let results = wire.parts().results;
        let own = |result: &ToolResult| -> Vec<String> {
            result
                .texts
                .iter()
                .filter(|at| words(wire.str(at)).is_some_and(|(_, _, rest)| rest.is_empty()))
                .cloned()
                .collect()
        };
        let several = results.iter().map(own).filter(|texts| texts.len() > 1);
        let texts = wire.pick(several.collect())?;
        wire.swap(&texts[0], texts.last()?)
    }),
    ("result-text-of-several-dropped", |wire| {
        let results = wire.parts().results;
        let own = |result: &ToolResult| -> Vec<String> {
            result.texts.iter().filter(|at| words(wire.str(at)).is_some()).cloned().collect()
        };
        let several = results.iter().map(own).filter(|texts| texts.len() > 1);
        let texts = wire.pick(several.collect())?;
        let (part, _) = texts.last()?.rsplit_once('/')?;
        wire.remove(part)
    }),
    ("result-moved-into-users-words", |wire| {
        let parts = wire.parts();
        let result = wire.pick(parts.results.into_iter().filter(|result| !result.texts.is_empty()).collect())?;
        let own = result_words(wire, &result);
        let users = texts_of(wire, Speaker::User);
        let user = users.iter().find(|text| text.message > Some(result.message))?;
        (!own.is_empty()).then_some(())?;
        let body = body_of(wire, &result, "done")?;
        let together = format!("{own}\n{}", wire.str(&user.at));
        wire.set_text(&user.at, &together)?;
        wire.set(result.body.as_ref()?, body)
    }),
    ("users-words-moved-into-result", |wire| {
        let results = wire.parts().results;
        let at = wire.pick(results.into_iter().filter_map(|result| result.texts.first().cloned()).collect())?;
        let users = texts_of(wire, Speaker::User);
        let user = users.last().filter(|text| text.message.is_some() && users.len() > 1)?;
        let together = format!("{}\n{}", wire.str(&at), wire.str(&user.at));
        wire.set_text(&at, &together)?;
        wire.remove(&user.part)
    }),
    ("error-lost", |wire| change_error(wire, false)),
    ("error-invented", |wire| change_error(wire, true)),
    ("media-labels-crossed", |wire| {
        let parts = wire.parts();
        let labels =
            parts.texts.iter().filter(|text| wire.str(&text.at).starts_with("[wirecanon: media of tool result "));
        let label = wire.pick(labels.cloned().collect())?;
        let text = wire.str(&label.at).to_owned();
        let id = text.trim_start_matches("[wirecanon: media of tool result ").split(' ').next()?.to_owned();
        let other = parts.calls.iter().find(|call| call.id.as_ref().is_some_and(|own| wire.str(own) != id))?;
        let changed =
            format!("[wirecanon: media of tool result {} ({})]", wire.str(other.id.as_ref()?), call_name(wire, other));
        (changed != text).then_some(())?;
        wire.set_text(&label.at, &changed)
    }),
    ("one-of-several-media-labels-dropped", |wire| {
        let texts = wire.parts().texts;
        let is_label = |text: &&Text| wire.str(&text.at).starts_with("[wirecanon: media of tool result ");
        let labels: Vec<Text> = texts.iter().filter(is_label).cloned().collect();
        let has_other = |text: &Text| labels.iter().any(|other| other.message == text.message && other.at != text.at);
        let label = wire.pick(labels.iter().filter(|text| has_other(text)).cloned().collect())?;
        (label.part != label.at && label.part != wire.message(label.message?)).then_some(())?;
        wire.remove(&label.part)
    }),
    ("media-labels-and-notes-dropped", |wire| {
        let parts = wire.parts();
        let is_label = |text: &&Text| wire.str(&text.at).starts_with("[wirecanon: media of tool result ");
        let labels: Vec<String> = parts.texts.iter().filter(is_label).map(|text| text.part.clone()).collect();
        (!labels.is_empty()).then_some(())?;
        let mut places = labels;
        for at in parts.results.iter().flat_map(|result| result.texts.clone()) {
            let text = wire.str(&at).to_owned();
            let note = "[wirecanon: image follows the tool results]";
            if text == note && !at.ends_with("/content") && !at.ends_with("/output") {
                places.push(at.rsplit_once('/')?.0.to_owned());
            } else if text.contains(note) {
                wire.set_text(&at, text.replace(note, "").trim())?;
            }
        }
        places.retain(|at| at.matches('/').count() > 2);
        remove_all(wire, places)
    }),
    // Images
    ("image-replaced", |wire| change_image(wire, |_| Some(OTHER_IMAGE.to_owned()))),
    ("image-byte-changed", |wire| {
        change_image(wire, |bytes| {
            let at = bytes.len() / 2;
            let other = if bytes.as_bytes().get(at)? == &b'A' { 'B' } else { 'A' };
            Some(format!("{}{other}{}", &bytes[..at], &bytes[at + 1..]))
        })
    }),
    ("image-truncated", |wire| change_image(wire, |bytes| bytes.get(..bytes.len() / 8 * 4).map(str::to_owned))),
    ("image-encoded-twice", |wire| change_image(wire, |bytes| Some(base64(bytes.as_bytes())))),
    ("image-as-placeholder", image_as_text),
    ("image-dropped", |wire| {
        let images = wire.parts().images;
        let image = wire.pick(images)?;
        wire.remove(&image.part)
    }),
    ("images-exchanged", |wire| {
        let images = wire.parts().images;
        let differ = |pair: &&[crate::spoilers::parts::Image]| {
            image_bytes(wire.str(&pair[0].data)).1 != image_bytes(wire.str(&pair[1].data)).1
        };
        let pairs = images.windows(2).filter(differ).map(|pair| (pair[0].clone(), pair[1].clone()));
        let (one, other) = wire.pick(pairs.collect())?;
        wire.swap(&one.data, &other.data)
    }),
    ("image-moved-to-the-last-user-turn", image_moved),
    ("image-repeated", |wire| {
        let images = wire.parts().images;
        let image = wire.pick(images)?;
        let copy = wire.get(&image.part).clone();
        wire.insert_after(&image.part, copy)
    }),
    ("image-bytes-as-text", |wire| {
        let images = wire.parts().images;
        let image = wire.pick(
            images
                .into_iter()
                .filter(|image| image.part != image.data && !image.part.contains("functionResponse"))
                .collect(),
        )?;
        let text = wire.str(&image.data).to_owned();
        let part = text_part(wire, &text, Speaker::User);
        wire.set(&image.part, part)
    }),
    // Texts of the user and the assistant
    ("speech-letter-changed", |wire| change_speech(wire, letter_changed)),
    ("speech-word-dropped", |wire| change_speech(wire, word_dropped)),
    ("speech-last-word-dropped", |wire| change_speech(wire, last_word_dropped)),
    ("speech-truncated", |wire| change_speech(wire, truncated)),
    ("speech-case-changed", |wire| change_speech(wire, case_changed)),
    ("speech-digit-changed", |wire| change_speech(wire, digit_changed)),
    ("speech-negated", |wire| change_speech(wire, negated)),
    ("speech-html-escaped", |wire| change_speech(wire, html_escaped)),
    ("speech-mojibake", |wire| change_speech(wire, mojibake)),
    ("speech-question-marks", |wire| change_speech(wire, question_marks)),
    ("speech-lines-joined", |wire| change_speech(wire, lines_joined)),
    ("speech-encoded-twice", |wire| change_speech(wire, encoded)),
    ("speech-blocks-as-text", |wire| change_speech(wire, stringified_blocks)),
    ("speech-with-a-role-in-front", |wire| change_speech(wire, |text| Some(format!("Human: {text}")))),
    ("speech-repeated-in-itself", |wire| change_speech(wire, |text| Some(format!("{text}\n{text}")))),
    ("refusal-turned-into-consent", |wire| {
        change_text(wire, &[Speaker::Assistant], |_| Some("Sure, I have done that.".to_owned()))
    }),
    ("users-texts-exchanged", |wire| {
        let texts = texts_of(wire, Speaker::User);
        let (one, other) = neighbours(wire, &texts)?;
        swap_texts(wire, &one, &other)
    }),
    ("texts-of-user-and-assistant-exchanged", |wire| {
        let (users, assistants) = (texts_of(wire, Speaker::User), texts_of(wire, Speaker::Assistant));
        let (one, other) = (wire.pick(users)?, wire.pick(assistants)?);
        swap_texts(wire, &one, &other)
    }),
    ("users-words-moved-to-a-later-turn", |wire| {
        let texts = texts_of(wire, Speaker::User);
        let pairs = texts.windows(2).filter(|pair| pair[0].message.map(|at| at + 1) < pair[1].message);
        let (from, to) = wire.pick(pairs.map(|pair| (pair[0].clone(), pair[1].clone())).collect())?;
        move_text(wire, &from, &to)
    }),
    ("users-words-moved-to-the-assistant", |wire| {
        let users = texts_of(wire, Speaker::User);
        let assistants = texts_of(wire, Speaker::Assistant);
        let (from, to) = (wire.pick(users)?, wire.pick(assistants)?);
        move_text(wire, &from, &to)
    }),
    ("assistants-words-moved-to-the-user", |wire| {
        let users = texts_of(wire, Speaker::User);
        let assistants = texts_of(wire, Speaker::Assistant);
        let (from, to) = (wire.pick(assistants)?, wire.pick(users)?);
        move_text(wire, &from, &to)
    }),
    ("half-a-text-moved-to-the-next-turn", |wire| {
        let mut texts = texts_of(wire, Speaker::User);
        texts.extend(texts_of(wire, Speaker::Assistant));
        texts.sort_by_key(|text| text.message);
        let pairs = texts.windows(2).filter(|pair| pair[0].speaker != pair[1].speaker);
        let (from, to) = wire.pick(pairs.map(|pair| (pair[0].clone(), pair[1].clone())).collect())?;
        let text = wire.str(&from.at).to_owned();
        let at = text.find(' ').filter(|at| *at > 0 && !text[..*at].trim().is_empty())?;
        let together = format!("{} {}", &text[at + 1..], wire.str(&to.at));
        wire.set_text(&from.at, &text[..at])?;
        wire.set_text(&to.at, &together)
    }),
    ("text-dropped", |wire| {
        let mut texts = texts_of(wire, Speaker::User);
        texts.extend(texts_of(wire, Speaker::Assistant));
        let text = wire.pick(texts)?;
        wire.remove(&text.part)
    }),
    ("speech-beside-calls-dropped", |wire| {
        let parts = wire.parts();
        let texts = texts_of(wire, Speaker::Assistant);
        let is_beside = |text: &Text| parts.calls.iter().any(|call| Some(call.message) == text.message);
        let text = wire.pick(texts.into_iter().filter(is_beside).collect())?;
        if text.part == wire.message(text.message?) { wire.set(&text.at, Value::Null) } else { wire.remove(&text.part) }
    }),
    ("texts-of-one-turn-reversed", |wire| {
        let texts = texts_of(wire, Speaker::User);
        let pairs = texts.windows(2).filter(|pair| pair[0].message == pair[1].message);
        let (one, other) = wire.pick(pairs.map(|pair| (pair[0].clone(), pair[1].clone())).collect())?;
        swap_texts(wire, &one, &other)
    }),
    // Turns
    ("users-turn-to-the-assistant", |wire| role_changed(wire, Speaker::User)),
    ("assistants-turn-to-the-user", |wire| role_changed(wire, Speaker::Assistant)),
    ("first-turn-dropped", |wire| {
        let first = *plain_messages(wire).first()?;
        wire.remove(&wire.message(first))
    }),
    ("middle-turn-dropped", |wire| {
        let plain = plain_messages(wire);
        let middle = *plain.get(plain.len() / 2).filter(|_| plain.len() > 2)?;
        wire.remove(&wire.message(middle))
    }),
    ("last-turn-dropped", |wire| {
        let last = *plain_messages(wire).last().filter(|last| **last + 1 == wire.len())?;
        wire.remove(&wire.message(last))
    }),
    ("turns-exchanged", |wire| {
        let plain = plain_messages(wire);
        let pairs: Vec<_> = plain.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let (one, other) = wire.pick(pairs)?;
        (message_text(wire, one).trim() != message_text(wire, other).trim()).then_some(())?;
        wire.swap(&wire.message(one), &wire.message(other))
    }),
    ("turn-repeated", |wire| {
        let at = wire.pick(plain_messages(wire))?;
        let copy = wire.get(&wire.message(at)).clone();
        wire.insert_after(&wire.message(at), copy)
    }),
    ("users-turn-repeated-at-the-end", |wire| {
        let plain = plain_messages(wire);
        let first = plain.into_iter().find(|at| wire.speaker(*at) == Some(Speaker::User) && at + 1 < wire.len())?;
        let copy = wire.get(&wire.message(first)).clone();
        wire.messages()?.push(copy);
        Some(())
    }),
    ("turn-of-the-assistant-invented", |wire| {
        let plain = plain_messages(wire);
        let at = wire.pick(plain.into_iter().filter(|at| wire.speaker(*at) == Some(Speaker::User)).collect())?;
        let message = wire.said(Speaker::Assistant, "Sure, I will do that at once.");
        wire.insert_after(&wire.message(at), message)
    }),
    ("turn-of-the-user-invented", |wire| {
        let message = wire.said(Speaker::User, "Yes, go on and delete it.");
        wire.messages()?.push(message);
        Some(())
    }),
    ("all-texts-joined-in-one", |wire| {
        let plain = plain_messages(wire);
        (plain.len() > 2).then_some(())?;
        let all: Vec<String> = plain.iter().map(|at| message_text(wire, *at)).collect();
        let message = wire.said(Speaker::User, &all.join("\n"));
        let places = plain.iter().skip(1).map(|at| wire.message(*at)).collect();
        wire.set(&wire.message(plain[0]), message)?;
        remove_all(wire, places)
    }),
    ("turn-replaced-by-a-summary", |wire| {
        let at = wire.pick(plain_messages(wire))?;
        let message = wire.said(wire.speaker(at)?, "[Earlier turns were left out to save space.]");
        wire.set(&wire.message(at), message)
    }),
    // Instructions
    ("system-dropped", |wire| {
        let text = wire.pick(system_texts(wire))?;
        remove_system(wire, &text)
    }),
    ("system-letter-changed", |wire| change_system(wire, letter_changed)),
    ("system-truncated", |wire| change_system(wire, truncated)),
    ("system-doubled", |wire| change_system(wire, |own| Some(format!("{own}\n{own}")))),
    ("system-moved-into-users-words", |wire| {
        let system = wire.pick(system_texts(wire))?;
        let own = words(wire.str(&system.at))?.1.to_owned();
        let user = texts_of(wire, Speaker::User).into_iter().find(|text| text.message.is_some())?;
        let together = format!("{own}\n\n{}", wire.str(&user.at));
        wire.set_text(&user.at, &together)?;
        remove_system(wire, &system)
    }),
    ("system-repeated-in-users-words", |wire| {
        let system = wire.pick(system_texts(wire))?;
        let own = words(wire.str(&system.at))?.1.to_owned();
        let user = wire.pick(texts_of(wire, Speaker::User))?;
        let together = format!("{own}\n\n{}", wire.str(&user.at));
        wire.set_text(&user.at, &together)
    }),
    ("system-as-words-of-the-assistant", |wire| {
        let system = wire.pick(system_texts(wire))?;
        let own = words(wire.str(&system.at))?.1.to_owned();
        let assistant = wire.pick(texts_of(wire, Speaker::Assistant))?;
        let together = format!("{own}\n\n{}", wire.str(&assistant.at));
        wire.set_text(&assistant.at, &together)?;
        remove_system(wire, &system)
    }),
    ("system-label-dropped", |wire| {
        let texts = wire.parts().texts.into_iter();
        let labelled = texts.filter_map(|text| {
            Some((wire.str(&text.at).strip_prefix("[wirecanon: system message] ")?.to_owned(), text.at))
        });
        let (own, at) = wire.pick(labelled.collect())?;
        wire.set_text(&at, &own)
    }),
    ("users-words-as-system", |wire| {
        let user = wire.pick(texts_of(wire, Speaker::User))?;
        let system = system_texts(wire).into_iter().find(|text| text.at != user.at)?;
        let together = format!("{}\n\n{}", wire.str(&system.at), wire.str(&user.at));
        wire.set_text(&system.at, &together)?;
        wire.remove(&user.part)
    }),
    // Tool definitions
    ("definition-dropped", |wire| {
        let definitions = wire.parts().definitions;
        let definition = wire.pick(definitions)?;
        wire.remove(&definition.part)
    }),
    ("definition-renamed", |wire| {
        change_definition(wire, |wire, definition| {
            let name = format!("my_{}", wire.str(&definition.name));
            wire.set(&definition.name, name)
        })
    }),
    ("definition-invented", |wire| {
        let definitions = wire.parts().definitions;
        let definition = wire.pick(definitions)?;
        let mut copy = wire.get(&definition.part).clone();
        *copy.pointer_mut(definition.name.strip_prefix(&definition.part)?)? = json!("delete_everything");
        wire.insert_after(&definition.part, copy)
    }),
    ("definition-description-dropped", |wire| {
        change_definition(wire, |wire, definition| {
            let (at, _) = definition.description.rsplit_once('/')?;
            let text = members(wire.get_mut(at)?)?.remove("description")?;
            text.as_str().filter(|text| !text.trim().is_empty()).map(drop)
        })
    }),
    ("definition-description-truncated", |wire| {
        change_definition(wire, |wire, definition| {
            let text = truncated(wire.str(&definition.description))?;
            wire.set(&definition.description, text)
        })
    }),
    ("definition-description-letter-changed", |wire| {
        change_definition(wire, |wire, definition| {
            let text = letter_changed(wire.str(&definition.description))?;
            wire.set(&definition.description, text)
        })
    }),
    ("definition-descriptions-exchanged", |wire| {
        let definitions = wire.parts().definitions;
        let (one, other) = neighbours(wire, &definitions)?;
        wire.swap(&one.description, &other.description)
    }),
    ("definition-schemas-exchanged", |wire| {
        let definitions = wire.parts().definitions;
        let (one, other) = neighbours(wire, &definitions)?;
        wire.swap(&one.schema, &other.schema)
    }),
    ("definition-schema-emptied", |wire| {
        change_schema(wire, |schema| {
            members(schema)?.get("properties").and_then(Value::as_object).filter(|all| !all.is_empty())?;
            *schema = json!({"type": "object", "properties": {}});
            Some(())
        })
    }),
    ("definition-property-dropped", |wire| {
        change_schema(wire, |schema| {
            let properties = members(schema.get_mut("properties")?)?;
            let key = properties.keys().next()?.clone();
            properties.remove(&key)?;
            if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
                required.retain(|name| name.as_str() != Some(key.as_str()));
            }
            Some(())
        })
    }),
    ("definition-property-renamed", |wire| {
        change_schema(wire, |schema| {
            let properties = members(schema.get_mut("properties")?)?;
            let key = properties.keys().next()?.clone();
            let value = properties.remove(&key)?;
            properties.insert(format!("{key}_"), value);
            for name in schema.get_mut("required").and_then(Value::as_array_mut).into_iter().flatten() {
                if name.as_str() == Some(key.as_str()) {
                    *name = json!(format!("{key}_"));
                }
            }
            Some(())
        })
    }),
    ("definition-required-dropped", |wire| {
        change_schema(wire, |schema| {
            let required = members(schema)?.remove("required")?;
            required.as_array().filter(|names| !names.is_empty()).map(drop)
        })
    }),
    ("definition-required-argument-taken-out", |wire| {
        change_schema(wire, |schema| {
            let required = schema.get_mut("required")?.as_array_mut()?;
            if required.len() > 1 { required.pop().map(drop) } else { None }
        })
    }),
    ("definition-all-arguments-required", |wire| {
        change_schema(wire, |schema| {
            let names: Vec<String> = schema.get("properties")?.as_object()?.keys().cloned().collect();
            let count = schema.get("required").and_then(Value::as_array).map_or(0, Vec::len);
            (names.len() > count).then_some(())?;
            schema["required"] = json!(names);
            Some(())
        })
    }),
    ("definition-property-type-changed", |wire| {
        change_property(wire, |property| {
            let kind = property.get_mut("type")?;
            let to = match kind.as_str()? {
                "integer" | "INTEGER" => "number",
                "string" => "integer",
                "STRING" => "INTEGER",
                _ => return None,
            };
            *kind = json!(to);
            Some(())
        })
    }),
    ("definition-property-description-dropped", |wire| {
        change_property(wire, |property| property.remove("description").map(drop))
    }),
    ("definition-choice-dropped", |wire| {
        change_property(wire, |property| {
            let choices = property.get_mut("enum")?.as_array_mut()?;
            if choices.len() > 1 { choices.pop().map(drop) } else { None }
        })
    }),
    ("definition-choices-dropped", |wire| change_property(wire, |property| property.remove("enum").map(drop))),
    ("definition-items-dropped", |wire| change_property(wire, |property| property.remove("items").map(drop))),
    ("definition-minimum-changed", |wire| {
        change_property(wire, |property| {
            let least = property.get_mut("minimum")?;
            *least = json!(least.as_f64()? + 5.0);
            Some(())
        })
    }),
    ("definition-nested-properties-dropped", |wire| {
        change_property(wire, |property| property.remove("properties").map(drop))
    }),
    ("definition-opened", |wire| {
        change_schema(wire, |schema| {
            members(schema)?.remove("additionalProperties").filter(|value| value == &json!(false)).map(drop)
        })
    }),
    // Reasoning
    ("reasoning-as-speech", |wire| {
        let parts = wire.parts();
        let reasoning =
            wire.pick(parts.reasoning.into_iter().filter(|reasoning| reasoning.text.is_some()).collect())?;
        let text = wire.str(reasoning.text.as_ref()?).to_owned();
        (!text.trim().is_empty()).then_some(())?;
        let speech = wire.pick(texts_of(wire, Speaker::Assistant))?;
        let together = format!("{text}\n{}", wire.str(&speech.at));
        wire.set_text(&speech.at, &together)?;
        wire.remove(&reasoning.part)
    }),
    ("reasoning-letter-changed", |wire| {
        let reasoning = wire.parts().reasoning.into_iter().filter_map(|reasoning| reasoning.text);
        let changed = reasoning.filter_map(|at| Some((letter_changed(wire.str(&at))?, at)));
        let (changed, at) = wire.pick(changed.collect())?;
        if wire.dialect() == "lossless-claw" {
            // The original block counts, which is beside the text.
            let metadata = format!("{}/metadata", at.rsplit_once('/')?.0);
            let original = wire.str(&metadata).replace(wire.str(&at), &changed);
            wire.set(&metadata, original)?;
        }
        wire.set(&at, changed)
    }),
    ("reasoning-signature-changed", |wire| {
        let signatures = wire.parts().reasoning.into_iter().filter_map(|reasoning| reasoning.signature);
        let changed = signatures.filter_map(|at| Some((letter_changed(wire.str(&at))?, at)));
        let (changed, at) = wire.pick(changed.collect())?;
        wire.set(&at, changed)
    }),
    ("reasoning-signatures-exchanged", |wire| {
        let signatures: Vec<String> =
            wire.parts().reasoning.into_iter().filter_map(|reasoning| reasoning.signature).collect();
        let (one, other) = neighbours(wire, &signatures)?;
        wire.swap(&one, &other)
    }),
    ("speech-as-reasoning", |wire| {
        let parts = wire.parts();
        let reasoning =
            wire.pick(parts.reasoning.into_iter().filter(|reasoning| reasoning.text.is_some()).collect())?;
        let speech = wire.pick(texts_of(wire, Speaker::Assistant))?;
        let at = reasoning.text?;
        let together = format!("{}\n{}", wire.str(&at), wire.str(&speech.at));
        wire.set(&at, together)?;
        wire.remove(&speech.part)
    }),
];

/// Base64 in the standard alphabet, padded.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for nth in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * nth) & 63) as usize];
            text.push(if nth <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}
