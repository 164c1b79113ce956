//! Model messages of the Vercel AI SDK.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::ai_sdk::{file, output, signature_of};
use crate::builder::Builder;
use crate::document::{Document, has_role};
use crate::observation::{Arguments, Content, Item, MediaKind, Reasoning, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    array, boolean, field, first, kind, must_be_object, required, string, text_of, unknown_block, unknown_role,
};

const DIALECT: Dialect = Dialect::AiSdkModel;

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = Document::find(root, "messages", has_role)?;
    if let Some(body) = document.body {
        tools::flat(builder, body)?;
    }
    let approvals = approvals(&document.messages);
    for message in document.messages {
        must_be_object(message, "a message")?;
        let speaker = match &*required(message, "role")? {
            "system" => Speaker::System,
            "user" => Speaker::User,
            "assistant" => Speaker::Assistant,
            "tool" => Speaker::Tool,
            role => return unknown_role(message, role),
        };
        let items = match field(message, "content") {
            None => return Err(Unreadable::new(message, "`content` is missing")),
            Some(text) if text.is_string() => vec![Item::text(text_of(text, "content")?, text)],
            Some(_) => array(message, "content")?.map(|part| self::part(part, speaker)).collect::<Read<_>>()?,
        };
        if speaker != Speaker::Tool {
            let items = items.into_iter().map(|item| if_waiting(item, &approvals)).collect();
            builder.turn(speaker, message, items);
            continue;
        }
        for item in items {
            if matches!(item.content, Content::Result(_)) {
                builder.result_item(item, message);
                continue;
            }
            // A denial is the result of the call.
            let approval = item.place.get("approvalId").and_then(Value::as_str);
            match approval.and_then(|approval| approvals.denied.get(&approval)) {
                Some(call) => builder.result(denial(item.place, call.clone())?, item.place),
                None => builder.turn(Speaker::User, message, vec![item]),
            }
        }
    }
    Ok(())
}

/// The calls that ask for the approval of the user.
struct Approvals<'a> {
    /// The ids of calls without an answer yet: they have no result
    waiting: HashSet<Cow<'a, str>>,
    /// The ids of calls that were denied, by the ids of the requests
    denied: HashMap<Cow<'a, str>, Cow<'a, str>>,
}

fn approvals<'a>(messages: &[Value<'a>]) -> Approvals<'a> {
    let mut denied = HashMap::new();
    let mut asked = HashMap::new();
    let mut answered = Vec::new();
    for part in messages.iter().filter_map(|message| message.get("content")).flat_map(Value::items) {
        let Some(kind) = part.get("type") else { continue };
        let id = |key: &str| part.get(key).and_then(Value::as_str);
        if kind.is_str("tool-approval-request") {
            if let (Some(approval), Some(call)) = (id("approvalId"), id("toolCallId")) {
                asked.insert(approval, call);
            }
        } else if kind.is_str("tool-result") {
            answered.extend(id("toolCallId"));
        } else if kind.is_str("tool-approval-response") && part.get("approved").and_then(Value::as_bool) == Some(false) {
            denied.extend(id("approvalId").and_then(|approval| asked.remove(&approval).map(|call| (approval, call))));
        }
    }
    let mut waiting: HashSet<_> = asked.into_values().collect();
    for id in answered {
        waiting.remove(&id);
        denied.retain(|_, call| *call != id);
    }
    Approvals { waiting, denied }
}

/// The result of a call that the user has denied.
fn denial<'a>(part: Value<'a>, call: Cow<'a, str>) -> Read<ToolResult<'a>> {
    let reason = string(part, "reason")?.unwrap_or(Cow::Borrowed("output-denied"));
    let mut result = ToolResult::new(Some(call), vec![Item::text(reason, part)]);
    result.is_error = Some(true);
    Ok(result)
}

/// A call that waits for approval is an item of the AI SDK alone.
fn if_waiting<'a>(item: Item<'a>, approvals: &Approvals<'a>) -> Item<'a> {
    match &item.content {
        Content::Call(call) if call.id.as_ref().is_some_and(|id| approvals.waiting.contains(id)) => {
            let place = item.place;
            provider(place, "tool-call", vec![item])
        }
        _ => item,
    }
}

pub(crate) fn items<'a>(value: Value<'a>, speaker: Speaker) -> Read<Vec<Item<'a>>> {
    if speaker == Speaker::Tool {
        return Ok(vec![crate::ai_sdk::content(value)?]);
    }
    // Answers to requests for approval stand in messages of tools, which are turns of the user elsewhere.
    let kind = kind(value)?;
    let speaker = if kind == "tool-approval-response" { Speaker::Tool } else { speaker };
    Ok(vec![part(value, speaker)?])
}

fn part<'a>(part: Value<'a>, speaker: Speaker) -> Read<Item<'a>> {
    let kind = kind(part)?;
    Ok(match (&*kind, speaker) {
        ("text", _) => Item::text(required(part, "text")?, part),
        ("image", Speaker::User) => {
            let data = field(part, "image").ok_or_else(|| Unreadable::new(part, "`image` is missing"))?;
            Item::media(file(data, MediaKind::Image, media_type(part)?)?, part)
        }
        ("file", Speaker::User | Speaker::Assistant) | ("reasoning-file", Speaker::Assistant) => {
            let media_type = media_type(part)?;
            let data = field(part, "data").ok_or_else(|| Unreadable::new(part, "`data` is missing"))?;
            let kind = media_type.as_deref().map_or(MediaKind::Document, MediaKind::of_type);
            Item::media(file(data, kind, media_type)?.named(string(part, "filename")?), part)
        }
        ("reasoning", Speaker::Assistant) => {
            let options = field(part, "providerOptions");
            let redacted = options.and_then(|options| signature_of(options, &["redactedData"]));
            let signature = string(part, "signature")?
                .or(options.and_then(|options| signature_of(options, &["signature"])));
            let is_redacted = redacted.is_some();
            let text = required(part, "text")?;
            Item::new(Content::Reasoning(Reasoning { text, signature: redacted.or(signature), is_redacted }), part)
        }
        ("redacted-reasoning", Speaker::Assistant) => Item::redacted(Some(required(part, "data")?), part),
        ("tool-call", Speaker::Assistant) => {
            let arguments = first(part, &["input", "args"]).map_or(Arguments::Missing, Arguments::Value);
            let call = Item::call(Some(required(part, "toolCallId")?), required(part, "toolName")?, arguments, part);
            if boolean(part, "providerExecuted")?.unwrap_or(false) { provider(part, &kind, vec![call]) } else { call }
        }
        ("tool-result", Speaker::Assistant | Speaker::Tool) => {
            let mut result = output(part)?;
            result.id = Some(required(part, "toolCallId")?);
            result.name = string(part, "toolName")?;
            let item = Item::new(Content::Result(result), part);
            if speaker == Speaker::Assistant { provider(part, &kind, vec![item]) } else { item }
        }
        ("tool-approval-request", Speaker::Assistant) | ("tool-approval-response", Speaker::Tool) => {
            let reason = string(part, "reason")?.map(|text| Item::text(text, part));
            provider(part, &kind, reason.into_iter().collect())
        }
        ("custom", Speaker::Assistant) => provider(part, &kind, Vec::new()),
        _ => return unknown_block(part, &kind, &format!("a {} message", speaker.name())),
    })
}

fn media_type<'a>(part: Value<'a>) -> Read<Option<Cow<'a, str>>> {
    match first(part, &["mediaType", "mimeType"]) {
        Some(value) => text_of(value, "mediaType").map(Some),
        None => Ok(None),
    }
}

fn provider<'a>(part: Value<'a>, kind: &str, readable: Vec<Item<'a>>) -> Item<'a> {
    Item::provider(DIALECT, Cow::Owned(kind.to_owned()), part, readable)
}
