//! Model messages of the Vercel AI SDK.

use std::borrow::Cow;

use hashbrown::HashSet;
use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::ai_sdk::{SIGNATURES, file, instructions, output, signature_of};
use crate::builder::Builder;
use crate::document::{Document, has_role};
use crate::observation::{Arguments, Attribute, Content, Item, MediaKind, Provider, Reasoning, Speaker};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    array, boolean, field, first, is_on, kind, label, must_be_object, raw, required, string, text_of, unknown_block,
    unknown_role,
};

const DIALECT: Dialect = Dialect::AiSdkModel;

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = Document::find(root, "messages", has_role)?;
    if let Some(body) = document.body {
        instructions(builder, body)?;
        tools::flat(builder, body)?;
    }
    for message in document.messages {
        must_be_object(message, "a message")?;
        let speaker = match &*required(message, "role")? {
            "system" => Speaker::System,
            "user" => Speaker::User,
            "assistant" => Speaker::Assistant,
            "tool" => Speaker::Tool,
            role => return unknown_role(message, role),
        };
        let mut items = match field(message, "content") {
            None => return Err(Unreadable::new(message, "`content` is missing")),
            Some(text) if text.is_string() => vec![Item::text(text_of(text, "content")?, text)],
            Some(_) => array(message, "content")?.map(|part| self::part(part, speaker)).collect::<Read<_>>()?,
        };
        if speaker != Speaker::Tool {
            results_of_the_client(&mut items);
            builder.turn(speaker, message, items);
            continue;
        }
        for item in items {
            if matches!(item.content, Content::Result(_)) {
                builder.result_item(item, message);
            } else {
                builder.turn(Speaker::User, message, vec![item]);
            }
        }
    }
    Ok(())
}

/// Makes results of those in a message of the assistant whose calls the client ran, and not a provider.
fn results_of_the_client(items: &mut [Item<'_>]) {
    let calls: HashSet<_> = items
        .iter()
        .filter_map(|item| match &item.content {
            Content::Call(call) => call.id.as_deref().map(str::to_owned),
            _ => None,
        })
        .collect();
    for item in items {
        if let Content::Provider(Provider { readable, .. }) = &mut item.content
            && let [Item { content: Content::Result(result), .. }] = &readable[..]
            && result.id.as_deref().is_some_and(|id| calls.contains(id))
        {
            item.content = readable.remove(0).content;
        }
    }
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    if speaker == Speaker::Tool {
        return Ok(vec![crate::ai_sdk::content(value)?]);
    }
    // Answers to requests for approval stand in messages of tools, which are turns of the user elsewhere.
    let kind = kind(value)?;
    let speaker = if kind == "tool-approval-response" { Speaker::Tool } else { speaker };
    Ok(vec![part(value, speaker)?])
}

fn part(part: Value<'_>, speaker: Speaker) -> Read<Item<'_>> {
    let kind = kind(part)?;
    let item = match (&*kind, speaker) {
        ("text", _) => Item::text(required(part, "text")?, part),
        ("image", Speaker::User) => {
            let data = field(part, "image").ok_or_else(|| Unreadable::new(part, "`image` is missing"))?;
            Item::media(file(data, MediaKind::Image, media_type(part)?)?, part)
        }
        ("file", Speaker::User | Speaker::Assistant) | ("reasoning-file", Speaker::Assistant) => {
            let media_type = media_type(part)?;
            let data = field(part, "data").ok_or_else(|| Unreadable::new(part, "`data` is missing"))?;
            let kind = media_type.as_deref().map_or(MediaKind::Document, MediaKind::of_type);
            Item::media(file(data, kind, media_type)?.named(label(part, "filename")), part)
        }
        ("reasoning", Speaker::Assistant) => {
            let options = field(part, "providerOptions");
            let redacted = options.and_then(|options| signature_of(options, &["redactedData"]));
            let signature =
                string(part, "signature")?.or(options.and_then(|options| signature_of(options, &SIGNATURES)));
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
            // Version 4 had a flag beside the result.
            if field(part, "isError").is_some_and(is_on) {
                result.is_error = Some(true);
            }
            let item = Item::new(Content::Result(result), part);
            if speaker == Speaker::Assistant { provider(part, &kind, vec![item]) } else { item }
        }
        ("tool-approval-request", Speaker::Assistant) | ("tool-approval-response", Speaker::Tool) => {
            let reason = string(part, "reason")?.map(|text| Item::text(text, part));
            provider(part, &kind, reason.into_iter().collect())
        }
        ("custom", Speaker::Assistant) => provider(part, &kind, Vec::new()),
        _ => return unknown_block(part, &kind, &format!("a {} message", speaker.name())),
    };
    Ok(item.with(Attribute::ProviderOptions, raw(part, "providerOptions")))
}

fn media_type(part: Value<'_>) -> Read<Option<Cow<'_, str>>> {
    match first(part, &["mediaType", "mimeType"]) {
        Some(value) => text_of(value, "mediaType").map(Some),
        None => Ok(None),
    }
}

fn provider<'a>(part: Value<'a>, kind: &str, readable: Vec<Item<'a>>) -> Item<'a> {
    Item::provider(DIALECT, Cow::Owned(kind.to_owned()), part, readable)
}
