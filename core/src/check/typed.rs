//! Members that may be left out, and that are of one type where they stand: what a server, or the model of a program,
//! refuses the whole text for. What other files of the judge look at is not here.

use super::judge::Judge;
use crate::dialect::Dialect;
use crate::json::Value;
use crate::rule;

/// Judges one message.
pub(super) fn judge(judge: &mut Judge<'_>, message: Value<'_>, dialect: Dialect) {
    if !message.is_object() {
        return;
    }
    match dialect {
        Dialect::Canonical => each(message, "content", |block| canonical(judge, block)),
        Dialect::OpenClaw => each(message, "content", |block| openclaw(judge, block)),
        Dialect::MistralChat => each(message, "tool_calls", |call| member(judge, call, "index", whole)),
        Dialect::OllamaChat => ollama(judge, message),
        Dialect::LosslessClaw => rows(judge, message),
        Dialect::McpToolResult => {
            member(judge, message, "_meta", Value::is_object);
            each(message, "content", |block| protocol_block(judge, block));
        }
        Dialect::McpPrompt => each(message, "content", |block| protocol_block(judge, block)),
        Dialect::McpSampling => {
            if judge.target.protocol.lists {
                member(judge, message, "_meta", Value::is_object);
            }
            each(message, "content", |block| {
                protocol_block(judge, block);
                each(block, "content", |inner| protocol_block(judge, inner));
            });
        }
        _ => {}
    }
}

/// The objects of the list under `key`, or the one that stands there.
fn each<'a>(holder: Value<'a>, key: &str, mut look: impl FnMut(Value<'a>)) {
    let Some(held) = holder.get(key) else { return };
    let alone = Some(held).filter(|held| held.is_object());
    alone.into_iter().chain(held.items()).filter(|item| item.is_object()).for_each(&mut look);
}

/// Judges a member, if it stands there.
fn member<'a>(judge: &mut Judge<'_>, holder: Value<'a>, key: &str, fits: impl Fn(Value<'a>) -> bool) {
    if let Some(value) = holder.get(key).filter(|value| !fits(*value)) {
        judge.say(&rule::MEMBER_OF_WRONG_TYPE, value, format!("`{key}` cannot be this {}", value.kind().name()));
    }
}

fn text_or_null(value: Value<'_>) -> bool {
    value.is_string() || value.is_null()
}

fn whole(value: Value<'_>) -> bool {
    value.as_f64().is_some_and(|number| number.trunc().total_cmp(&number).is_eq())
}

fn said(block: Value<'_>, kind: &str) -> bool {
    block.get("type").is_some_and(|said| said.is_str(kind))
}

fn canonical(judge: &mut Judge<'_>, block: Value<'_>) {
    if said(block, "thinking") {
        member(judge, block, "signature", Value::is_string);
        member(judge, block, "redacted", |value| value.as_bool().is_some());
        member(judge, block, "origin", Value::is_string);
    } else if said(block, "file") {
        member(judge, block, "name", Value::is_string);
    }
}

/// Signatures are opened as strings on their way to a provider.
fn openclaw(judge: &mut Judge<'_>, block: Value<'_>) {
    for (kind, key) in [("text", "textSignature"), ("thinking", "thinkingSignature"), ("toolCall", "thoughtSignature")]
    {
        if said(block, kind) {
            member(judge, block, key, text_or_null);
        }
    }
}

/// Go reads null as left out, and nothing of another type.
fn ollama(judge: &mut Judge<'_>, message: Value<'_>) {
    member(judge, message, "tool_call_id", text_or_null);
    member(judge, message, "tool_name", text_or_null);
    each(message, "tool_calls", |call| {
        member(judge, call, "id", text_or_null);
        if let Some(function) = call.get("function") {
            member(judge, function, "index", |value| value.is_null() || whole(value));
        }
    });
}

/// Columns of text, and the content beside them.
fn rows(judge: &mut Judge<'_>, message: Value<'_>) {
    if message.get("parts").is_some_and(|parts| parts.items().next().is_some()) {
        member(judge, message, "content", Value::is_string);
    }
    each(message, "parts", |row| {
        for key in ["text_content", "textContent", "tool_name", "toolName", "tool_call_id", "toolCallId"] {
            member(judge, row, key, text_or_null);
        }
    });
}

/// A block of content of the Model Context Protocol.
fn protocol_block(judge: &mut Judge<'_>, block: Value<'_>) {
    let protocol = &judge.target.protocol;
    let (newer, icons) = (protocol.resource_links, protocol.lists);
    member(judge, block, "annotations", Value::is_object);
    if let Some(annotations) = block.get("annotations") {
        member(judge, annotations, "audience", audience);
        member(judge, annotations, "priority", |value| value.as_f64().is_some_and(|part| (0.0..=1.0).contains(&part)));
        if newer {
            member(judge, annotations, "lastModified", Value::is_string);
        }
    }
    if newer {
        member(judge, block, "_meta", Value::is_object);
        if let Some(resource) = block.get("resource") {
            member(judge, resource, "_meta", Value::is_object);
        }
    }
    if said(block, "resource_link") {
        if newer {
            member(judge, block, "size", whole);
        }
        if icons {
            member(judge, block, "icons", pictures);
        }
    }
}

fn audience(value: Value<'_>) -> bool {
    value.is_array() && value.items().all(|role| role.is_str("user") || role.is_str("assistant"))
}

fn pictures(value: Value<'_>) -> bool {
    let one = |icon: Value<'_>| {
        let mut members = icon.members();
        icon.get("src").is_some_and(Value::is_string)
            && members.all(|(key, value)| {
                if key.is_str("sizes") {
                    value.is_array() && value.items().all(Value::is_string)
                } else if key.is_str("theme") {
                    value.is_str("light") || value.is_str("dark")
                } else {
                    !key.is_str("mimeType") || value.is_string()
                }
            })
    };
    value.is_array() && value.items().all(one)
}
