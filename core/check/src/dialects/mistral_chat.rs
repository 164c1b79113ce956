//! `mistral.chat`: the messages of Mistral's chat API.

use crate::dialects::openai_chat::part as openai_part;
use crate::dialects::{Check, openai_chat as chat};
use crate::input::Messages;
use crate::judge::{Judge, blank, filled};
use crate::pairing::Pairing;
use crate::shape;
use crate::turns::Turns;
use crate::typed::whole;
use crate::{arguments, call, media};
use wirecanon_json::Value;
use wirecanon_model::rule;

const ROLES: &[&str] = &["system", "user", "assistant", "tool"];

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the messages of a chat request.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut turns = Turns::new(judge);
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        shape::fields(judge, message, &role);
        chat::calls_of_assistant(judge, message, &role);
        turns.begin(judge, message, &role);
        if role == "assistant" {
            assistant(judge, &mut turns.pairing, message);
            continue;
        }
        if role == "tool" {
            call::result_name(judge, message, "name", true);
            match message.get("tool_call_id").filter(|id| id.is_str("null")) {
                Some(none) => judge.say(&rule::TOOL_RESULT_WITHOUT_ID, none, "`null` in words is no id"),
                None => turns.result(judge, message, "tool_call_id"),
            }
        }
        content(judge, message, &role);
    }
    turns.finish(judge, messages);
}

/// Content of any role but the assistant's: a string or a list of chunks, or null where no instructions stand.
fn content(judge: &mut Judge<'_>, message: Value<'_>, role: &str) {
    if role != "system" && message.get("content").is_some_and(Value::is_null) {
        return;
    }
    if let Some(list) = shape::plain(judge, message) {
        shape::pieces(judge, list, role, chunk);
    }
}

/// The id of what is referred to: a number, or a string.
fn is_reference(id: Value<'_>) -> bool {
    id.is_string() || whole(id)
}

fn chunk(judge: &mut Judge<'_>, chunk: Value<'_>, kind: &str, role: &str) {
    let attached = matches!(role, "user" | "tool");
    if role == "tool" && kind != "text" && !judge.target.media.in_results {
        judge.say(&rule::MEDIA_IN_TOOL_RESULT, chunk, "the target takes text alone in a result");
    }
    match kind {
        "text" => shape::text_block(judge, chunk),
        "thinking" if role == "assistant" => thinking(judge, chunk),
        "reference" if role != "system" => match chunk.get("reference_ids") {
            Some(ids) if ids.is_array() && ids.items().all(is_reference) => {}
            ids => judge.say(&rule::UNKNOWN_BLOCK, ids.unwrap_or(chunk), "a reference without its ids"),
        },
        "image_url" if attached => image(judge, chunk),
        "document_url" if attached => document(judge, chunk),
        "input_audio" if attached => audio(judge, chunk),
        "file" if attached => {
            if filled(chunk, "file_id").is_none() {
                judge.say(&rule::FILE_WITHOUT_DATA, chunk, "the file has no id");
            }
        }
        "thinking" | "reference" | "image_url" | "document_url" | "input_audio" | "file" => {
            shape::misplaced(judge, chunk, kind, role);
        }
        _ => shape::unknown(judge, chunk, kind),
    }
}

/// Reasoning is a list of texts and references.
fn thinking(judge: &mut Judge<'_>, chunk: Value<'_>) {
    match chunk.get("thinking") {
        Some(list) if list.is_array() => {
            for piece in list.items() {
                let kind = piece.get("type").and_then(Value::as_str).unwrap_or_default();
                match &*kind {
                    "text" => shape::text_block(judge, piece),
                    "reference" => {}
                    _ => judge.say(&rule::FOREIGN_BLOCK_SHAPE, piece, "reasoning holds texts and references"),
                }
            }
        }
        Some(words) if words.is_string() => {
            judge.say(&rule::FOREIGN_BLOCK_SHAPE, words, "the reasoning is a string, not a list of texts");
        }
        words => judge.say(&rule::TEXT_NOT_A_STRING, words.unwrap_or(chunk), "the reasoning has no words"),
    }
}

fn image(judge: &mut Judge<'_>, chunk: Value<'_>) {
    match chunk.get("image_url") {
        Some(url) if url.is_string() => openai_part::picture(judge, url, url),
        Some(holder) if holder.is_object() => {
            judge.keys(holder);
            openai_part::picture(judge, holder.get("url").unwrap_or(holder), holder);
        }
        url => judge.say(&rule::IMAGE_WITHOUT_DATA, url.unwrap_or(chunk), "the picture has neither data nor address"),
    }
}

fn document(judge: &mut Judge<'_>, chunk: Value<'_>) {
    let Some((url, text)) = chunk.get("document_url").and_then(|url| Some((url, url.as_str()?))) else {
        judge.say(&rule::FILE_WITHOUT_DATA, chunk, "the document has no address");
        return;
    };
    if media::is_data_url(&text) {
        openai_part::file_url(judge, url, &text);
    } else if blank(&text) {
        judge.say(&rule::FILE_WITHOUT_DATA, url, "the document has no address");
    }
}

/// Base64, with or without a data URL around it, or an address.
fn audio(judge: &mut Judge<'_>, chunk: Value<'_>) {
    match chunk.get("input_audio") {
        Some(data) if data.as_str().is_some_and(|text| media::is_data_url(&text)) => {
            let text = data.as_str().unwrap_or_default();
            openai_part::file_url(judge, data, &text);
        }
        Some(data) if data.as_str().is_some_and(|text| !blank(&text)) => {}
        Some(data) if data.is_object() => {
            judge.keys(data);
            if filled(data, "data").is_none() {
                judge.say(&rule::FILE_WITHOUT_DATA, data, "the audio has no data");
            }
        }
        data => judge.say(&rule::FILE_WITHOUT_DATA, data.unwrap_or(chunk), "the recording has no data"),
    }
}

fn assistant<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, message: Value<'a>) {
    let calls = message.get("tool_calls").filter(|calls| !calls.is_null());
    match message.get("content").filter(|content| !content.is_null()) {
        // "Assistant message must have either content or tool_calls, but not none."
        Some(content) if content.as_str().is_some_and(|text| blank(&text) && calls.is_none()) => {
            judge.say(&rule::EMPTY_MESSAGE, content, "the turn has neither content nor calls");
        }
        // `[]` beside calls is no content.
        Some(content) if calls.is_some() && content.is_array() && content.items().next().is_none() => {}
        Some(content) => {
            if let Some(list) = shape::said(judge, content) {
                shape::pieces(judge, list, "assistant", chunk);
            }
        }
        None if calls.is_none() => judge.say(&rule::EMPTY_MESSAGE, message, "the turn has neither content nor calls"),
        None => {}
    }
    chat::reasoning_refused(judge, message, "thinking");
    let says = message.get("content").filter(|content| match content.as_str() {
        Some(text) => !text.is_empty(),
        None => content.items().next().is_some(),
    });
    let called = calls.is_some_and(|calls| calls.items().next().is_some());
    if let Some(content) = says.filter(|_| called && !judge.target.content.words_beside_calls) {
        judge.say(&rule::WORDS_BESIDE_CALLS, content, "the turn has both content and calls");
    }
    for item in chat::calls(judge, message) {
        shape::fields(judge, item, "call");
        match item.get("id").filter(|id| id.is_str("null")) {
            Some(none) => judge.say(&rule::TOOL_CALL_WITHOUT_ID, none, "`null` in words is no id"),
            None => {
                if let Some(id) = call::call_id(judge, item, "id") {
                    pairing.call(judge, item, id, None);
                }
            }
        }
        if let Some(kind) = item.get("type").filter(|kind| !kind.is_str("function")) {
            judge.say(&rule::UNKNOWN_BLOCK, kind, "no such type of call");
        }
        let Some(function) = chat::called(judge, item, "function") else { continue };
        shape::fields(judge, function, "call-function");
        call::call_name(judge, function, "name", false);
        // A string of JSON text or the object itself.
        if function.get("arguments").is_none_or(|given| !given.is_object()) {
            arguments::string(judge, function, "arguments");
        }
    }
}
