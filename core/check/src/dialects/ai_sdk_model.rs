//! Model messages of the Vercel AI SDK: `ModelMessage` of versions 6 and 7. Source: npm:ai@6.0.326 `modelMessageSchema`,
//! npm:ai@7.0.173, and the SDK's own error `AI_MessageConversionError` for calls without results.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::dialects::Check;
use crate::input::Messages;
use crate::judge::{Judge, blank, filled};
use crate::media::{self, Look};
use crate::pairing::{Answer, Asks, Pairing};
use crate::shape;
use crate::turns::Turns;
use crate::typed::of_providers;
use crate::{arguments, call};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::target::Scope;

const ROLES: &[&str] = &["system", "user", "assistant", "tool"];

pub(super) static CHECK: Check = Check::Messages(judge);

fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    instructions(judge, messages);
    let mut turns = Turns::asking(Asks { unique: Scope::Turn, ordered: false, named: true });
    let mut calls = Calls { waiting: waiting(messages), of_program: HashSet::new() };
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        options(judge, message);
        turns.begin(judge, message, &role);
        match &*role {
            "assistant" => {
                for part in parts(judge, message) {
                    let Some(kind) = shape::kind(judge, part) else { continue };
                    options(judge, part);
                    assistant(judge, &mut turns.pairing, part, &kind, &mut calls);
                }
            }
            "tool" => tool(judge, &mut turns.pairing, message),
            "user" => {
                for part in parts(judge, message) {
                    let Some(kind) = shape::kind(judge, part) else { continue };
                    options(judge, part);
                    user(judge, part, &kind);
                }
            }
            _ => system_text(judge, message),
        }
    }
    turns.finish(judge, messages);
}

/// Instructions beside the list: a text, a message of the system, or a list of them; `instructions` counts where `system` stands,
/// too. Source: npm:ai@7.0.173 `standardizePrompt`.
pub(crate) fn instructions(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let beside = |key: &str| messages.beside(key).filter(|value| !value.is_null());
    let Some(system) = beside("instructions").or_else(|| beside("system")) else { return };
    if !(system.is_string() || system.is_object() || system.is_array()) {
        shape::instructions_of_wrong_type(judge, system);
        return;
    }
    for message in system.is_object().then_some(system).into_iter().chain(system.items()) {
        if shape::role(judge, message, &["system"]).is_some() {
            options(judge, message);
            system_text(judge, message);
        }
    }
}

/// The content of a message of the system: a string.
fn system_text(judge: &mut Judge<'_>, message: Value<'_>) {
    match message.get("content") {
        Some(content) if content.is_string() => {}
        Some(content) if !content.is_null() => {
            let words = format!("instructions are {}, not a string", content.kind().name());
            judge.say(&rule::CONTENT_NOT_A_LIST, content, words);
        }
        content => judge.say(&rule::CONTENT_MISSING, content.unwrap_or(message), "there is no content"),
    }
}

/// Calls that are not paired as all others are.
struct Calls<'a> {
    /// They wait for an approval
    waiting: HashSet<String>,
    /// The program runs their tools, so their results are messages of the tools
    of_program: HashSet<Cow<'a, str>>,
}

/// Calls that wait for the user's approval: the SDK runs them once they have it.
fn waiting(messages: &Messages<'_>) -> HashSet<String> {
    let mut asked = HashSet::new();
    let mut answered = Vec::new();
    for part in messages.iter().filter_map(|message| message.get("content")).flat_map(Value::items) {
        let id = part.get("toolCallId").and_then(Value::as_str).map(Cow::into_owned);
        match &*part.get("type").and_then(Value::as_str).unwrap_or_default() {
            "tool-approval-request" => asked.extend(id),
            "tool-result" => answered.extend(id),
            _ => {}
        }
    }
    for id in answered {
        asked.remove(&id);
    }
    asked
}

/// The parts of content that is a string or a list.
fn parts<'a>(judge: &mut Judge<'_>, message: Value<'a>) -> impl Iterator<Item = Value<'a>> + use<'a> {
    shape::blocks(judge, message, true).into_iter().flat_map(Value::items)
}

/// Fields of providers: an object of objects.
fn options(judge: &mut Judge<'_>, holder: Value<'_>) {
    let Some(options) = holder.get("providerOptions") else { return };
    judge.keys(options);
    if !of_providers(options) {
        judge.say(&rule::NATIVE_MALFORMED, options, "`providerOptions` holds an object of fields for each provider");
    }
}

fn user(judge: &mut Judge<'_>, part: Value<'_>, kind: &str) {
    match kind {
        "text" => shape::text_block(judge, part),
        "image" => bytes(judge, part, "image", true),
        "file" => {
            bytes(judge, part, "data", false);
            pdf(judge, part);
        }
        "tool-call" | "tool-result" | "reasoning" => shape::misplaced(judge, part, kind, "user"),
        _ => shape::unknown(judge, part, kind),
    }
}

fn assistant<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, part: Value<'a>, kind: &str, calls: &mut Calls<'a>) {
    match kind {
        "text" => shape::text_block(judge, part),
        "reasoning" => {
            shape::text(judge, part, "text");
        }
        "file" | "reasoning-file" => bytes(judge, part, "data", false),
        "custom" => {}
        "tool-call" => {
            let hosted = part.get("providerExecuted").and_then(Value::as_bool) == Some(true);
            if !hosted {
                arguments::object(judge, part, "input");
            }
            let name = call::call_name(judge, part, "toolName", false);
            let Some(id) = call::call_id(judge, part, "toolCallId") else { return };
            if hosted {
                calls.of_program.remove(&id.1);
            } else {
                calls.of_program.insert(id.1.clone());
            }
            if !hosted && !calls.waiting.contains(&*id.1) {
                pairing.call(judge, part, id, name);
            }
        }
        "tool-result" => {
            let id = call::result_id(judge, part, "toolCallId");
            if id.is_some_and(|(_, id)| calls.of_program.contains(&id)) {
                shape::misplaced(judge, part, kind, "assistant");
            }
            if !part.get("toolName").is_some_and(Value::is_string) {
                judge.say(&rule::TOOL_RESULT_NAME_MISSING, part, "the result of the provider's tool does not name it");
            }
            output(judge, part);
        }
        "tool-approval-request" => {
            for key in ["approvalId", "toolCallId"] {
                if filled(part, key).is_none() {
                    judge.say(&rule::NATIVE_MALFORMED, part, format!("the request has no `{key}`"));
                }
            }
        }
        "image" => shape::misplaced(judge, part, kind, "assistant"),
        _ => shape::unknown(judge, part, kind),
    }
}

fn tool<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, message: Value<'a>) {
    let Some(list) = shape::blocks(judge, message, false) else { return };
    if list.items().next().is_none() {
        judge.say(&rule::EMPTY_MESSAGE, list, "a message of results holds none");
    }
    for part in list.items() {
        let Some(kind) = shape::kind(judge, part) else { continue };
        options(judge, part);
        match &*kind {
            "tool-result" => {
                call::result_name(judge, part, "toolName", false);
                if let Some((_, id)) = call::result_id(judge, part, "toolCallId") {
                    pairing.result(judge, Answer { place: part, id, name: part.get("toolName") });
                }
                output(judge, part);
            }
            "tool-approval-response" => {
                if filled(part, "approvalId").is_none() || part.get("approved").and_then(Value::as_bool).is_none() {
                    judge.say(&rule::NATIVE_MALFORMED, part, "the answer needs `approvalId` and `approved`");
                }
            }
            "text" | "image" | "file" | "tool-call" => shape::misplaced(judge, part, &kind, "tool"),
            _ => shape::unknown(judge, part, &kind),
        }
    }
}

fn output(judge: &mut Judge<'_>, part: Value<'_>) {
    let Some(output) = part.get("output").filter(|output| !output.is_null()) else {
        judge.say(&rule::EMPTY_TOOL_RESULT, part, "the result has no output");
        return;
    };
    let value = output.get("value");
    match &*output.get("type").and_then(Value::as_str).unwrap_or_default() {
        "text" | "error-text" => {
            if !value.is_some_and(Value::is_string) {
                judge.say(&rule::TEXT_NOT_A_STRING, value.unwrap_or(output), "the output's `value` is no string");
            }
        }
        "json" | "error-json" if value.is_some() => {}
        "execution-denied" => {}
        "content" => match value.filter(|value| value.is_array()) {
            Some(list) => list.items().for_each(|item| content(judge, item)),
            None => judge.say(&rule::CONTENT_NOT_A_LIST, value.unwrap_or(output), "the output's `value` is no list"),
        },
        _ => judge.say(&rule::FOREIGN_BLOCK_SHAPE, output, "this is no output of any kind"),
    }
}

fn content(judge: &mut Judge<'_>, item: Value<'_>) {
    let Some(kind) = shape::kind(judge, item) else { return };
    match &*kind {
        "text" => {
            shape::text(judge, item, "text");
        }
        "image-data" => media::image(judge, item, item.get("data"), item.get("mediaType"), Look::Spelling),
        "media" | "file-data" => {
            let picture = filled(item, "mediaType").is_some_and(|mime| mime.starts_with("image/"));
            if picture {
                media::image(judge, item, item.get("data"), item.get("mediaType"), Look::Spelling);
            } else {
                media::file_data(judge, item, "data");
                media::file_type(judge, item, "mediaType");
            }
        }
        "image-url" | "file-url" => media::address(judge, item, "url"),
        "file" => bytes(judge, item, "data", false),
        "file-id" | "image-file-id" | "file-reference" | "image-file-reference" | "custom" => {}
        _ => shape::unknown(judge, item, &kind),
    }
}

/// Bytes, an address, or a reference to a file of a provider.
fn bytes(judge: &mut Judge<'_>, part: Value<'_>, key: &str, picture: bool) {
    let kind = part.get("mediaType").and_then(Value::as_str);
    if !picture && kind.as_ref().is_none_or(|kind| blank(kind)) {
        let words = "the file does not say what kind it is";
        judge.say(&rule::FILE_TYPE_MISSING, part.get("mediaType").unwrap_or(part), words);
    }
    let Some(data) = part.get(key) else {
        let broken = if picture { &rule::IMAGE_WITHOUT_DATA } else { &rule::FILE_WITHOUT_DATA };
        judge.say(broken, part, format!("there is no `{key}`"));
        return;
    };
    let Some(text) = data.as_str() else {
        let tagged = data.get("type").and_then(Value::as_str).unwrap_or_default();
        if !matches!(&*tagged, "data" | "url" | "text" | "reference") {
            let broken = if picture { &rule::IMAGE_WITHOUT_DATA } else { &rule::FILE_WITHOUT_DATA };
            judge.say(broken, data, format!("`{key}` is {}", data.kind().name()));
        }
        return;
    };
    let is_picture = picture || kind.is_some_and(|kind| kind.starts_with("image/"));
    if media::is_data_url(&text) {
        if is_picture {
            media::data_url(judge, data, &text);
        } else if media::split_data_url(&text)
            .is_none_or(|(_, data)| data.is_empty() || !matches!(media::base64(data), media::Base64::Canonical(_)))
        {
            judge.say(&rule::FILE_DATA_NOT_BASE64, data, "the data URL holds no base64 in its standard spelling");
        }
    } else if address(&text) {
        // Fetched by the SDK or the provider.
    } else if is_picture {
        media::image(judge, part, Some(data), part.get("mediaType").or(Some(data)), Look::Spelling);
    } else {
        media::file_data(judge, part, key);
    }
}

/// A PDF, as base64 or as a data URL.
fn pdf(judge: &mut Judge<'_>, part: Value<'_>) {
    let text = |key: &str| part.get(key).and_then(|value| Some((value, value.as_str()?)));
    let (Some((place, data)), Some((_, kind))) = (text("data"), text("mediaType")) else { return };
    let inner = media::split_data_url(&data).filter(|_| media::is_data_url(&data));
    media::pdf(judge, place, &kind, inner.map_or(&*data, |(_, inner)| inner));
}

/// What the SDK takes for an address: whatever `new URL` parses.
fn address(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !blank(rest)
    })
}
