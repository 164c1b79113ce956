//! Model messages of the Vercel AI SDK.

use std::borrow::Cow;

use hashbrown::HashSet;
use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::ai_sdk::{SIGNATURES, file, instructions, output, signature_of};
use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{Arguments, Attribute, Content, Item, MediaKind, Provider, Reasoning, Speaker};
use crate::tools;
use crate::unreadable::Read;
use crate::wire::{
    ASSISTANT, SYSTEM, TOOL, USER, boolean, field, first, first_string, is_on, kind, label, raw, required,
    required_field, speaker, string, text_or_blocks, unknown_block,
};

const DIALECT: Dialect = Dialect::AiSdkModel;

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = Document::of_roles(root, None)?;
    if let Some(body) = document.body {
        instructions(builder, body)?;
        tools::flat(builder, body)?;
    }
    for message in document.messages {
        let speaker = speaker(message, &[SYSTEM, USER, ASSISTANT, TOOL])?;
        required_field(message, "content")?;
        let mut items = text_or_blocks(message, "content", |part| self::part(part, speaker))?.unwrap_or_default();
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
    let calls: HashSet<_> = items.iter().filter_map(|item| item.as_call()?.id.as_deref().map(str::to_owned)).collect();
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
            let data = required_field(part, "image")?;
            Item::media(file(data, MediaKind::Image, media_type(part)?)?, part)
        }
        ("file", Speaker::User | Speaker::Assistant) | ("reasoning-file", Speaker::Assistant) => {
            let media_type = media_type(part)?;
            let kind = MediaKind::of_declared(media_type.as_deref());
            let file = file(required_field(part, "data")?, kind, media_type)?;
            Item::media(file.named(label(part, "filename")), part)
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
            let mut result = output(part)?.named(string(part, "toolName")?);
            result.id = Some(required(part, "toolCallId")?);
            // Version 4 had a flag beside the result.
            if field(part, "isError").is_some_and(is_on) {
                result.is_error = Some(true);
            }
            let item = Item::result(result, part);
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
    first_string(part, &["mediaType", "mimeType"])
}

fn provider<'a>(part: Value<'a>, kind: &str, readable: Vec<Item<'a>>) -> Item<'a> {
    Item::provider(DIALECT, Cow::Owned(kind.to_owned()), part, readable)
}
