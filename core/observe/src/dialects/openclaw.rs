//! Agent messages of the OpenClaw and pi-ai lineage.

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use super::canonical;
use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{Arguments, Attribute, Content, Item, Media, MediaKind, Reasoning, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::Read;
use crate::wire::{
    ASSISTANT, SYSTEM, USER, array, boolean, field, kind, object, required, speaker, string, text_of, unknown_block,
};

/// Roles of the applications: their messages reach the model as text of the user.
const OWN_ROLES: [&str; 4] = ["custom", "compactionSummary", "bashExecution", "branchSummary"];

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = Document::of_roles(root, None)?;
    if let Some(body) = document.body {
        tools::flat(builder, body)?;
    }
    for message in document.messages {
        if let Some(own) = own_message(message)? {
            builder.turn(Speaker::User, message, vec![own]);
            continue;
        }
        let speaker = speaker(message, &[SYSTEM, USER, ASSISTANT, ("toolResult", Speaker::Tool)])?;
        let items = content(message, speaker)?;
        if speaker == Speaker::Tool {
            let result = ToolResult { is_synthetic: is_synthetic(message), ..canonical::result(message, items)? };
            builder.result(result, message);
        } else {
            canonical::turn(builder, speaker, message, items);
        }
    }
    Ok(())
}

/// Returns whether a result says that these programs wrote it in place of one that never came.
fn is_synthetic(message: Value<'_>) -> bool {
    let marked = field(message, "details").and_then(|details| field(details, "openclawSyntheticMissingToolResult"));
    marked.and_then(Value::as_bool) == Some(true)
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![match own_message(value)? {
        Some(own) => own,
        None => block(value, speaker)?,
    }])
}

/// Reads a message of an application.
fn own_message(message: Value<'_>) -> Read<Option<Item<'_>>> {
    let Some(role) = string(message, "role")?.filter(|role| OWN_ROLES.contains(&&**role)) else { return Ok(None) };
    let mut readable = Vec::new();
    for key in ["command", "output", "summary", "content"] {
        match field(message, key) {
            Some(text) if text.is_string() => readable.push(Item::text(text_of(text, key)?, text)),
            Some(list) if list.is_array() => {
                for block in list.items() {
                    readable.push(self::block(block, Speaker::User)?);
                }
            }
            _ => {}
        }
    }
    Ok(Some(Item::provider(Dialect::OpenClaw, role, message, readable)))
}

fn content(message: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    match field(message, "content") {
        Some(text) if text.is_string() && matches!(speaker, Speaker::User | Speaker::System) => {
            Ok(vec![Item::text(text_of(text, "content")?, text)])
        }
        _ => array(message, "content")?.map(|block| self::block(block, speaker)).collect(),
    }
}

fn block(block: Value<'_>, speaker: Speaker) -> Read<Item<'_>> {
    let kind = kind(block)?;
    Ok(match (&*kind, speaker) {
        ("text", _) => Item::text(required(block, "text")?, block),
        ("image", Speaker::User | Speaker::Tool) => {
            Item::media(Media::base64(MediaKind::Image, required(block, "data")?, string(block, "mimeType")?), block)
        }
        ("thinking", Speaker::Assistant) => {
            let is_redacted = boolean(block, "redacted")?.unwrap_or(false);
            let signature = string(block, "thinkingSignature")?.or(string(block, "signature")?);
            let text = string(block, "thinking")?.unwrap_or_default();
            Item::new(Content::Reasoning(Reasoning { text, signature, is_redacted }), block)
        }
        ("toolCall", Speaker::Assistant) => {
            let arguments = object(block, "arguments")?.map_or(Arguments::Missing, Arguments::Value);
            Item::call(Some(required(block, "id")?), required(block, "name")?, arguments, block)
                .with(Attribute::Signature, string(block, "thoughtSignature")?)
        }
        _ => return unknown_block(block, &kind, &format!("a {} message", speaker.name())),
    })
}
