//! A `GetPromptResult` of the Model Context Protocol, alone or in its JSON-RPC response.

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::document::{Document, has_role};
use crate::mcp;
use crate::observation::{Item, Speaker};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{field, must_be_object, required, unknown_role};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let root = match field(root, "result") {
        Some(inner) if root.get("jsonrpc").is_some() && inner.is_object() => inner,
        _ => root,
    };
    let document = Document::find(root, "messages", has_role)?;
    if let Some(body) = document.body {
        tools::flat(builder, body)?;
    }
    for message in document.messages {
        must_be_object(message, "a message")?;
        let speaker = match &*required(message, "role")? {
            "user" => Speaker::User,
            "assistant" => Speaker::Assistant,
            role => return unknown_role(message, role),
        };
        let content = field(message, "content").ok_or_else(|| Unreadable::new(message, "`content` is missing"))?;
        builder.turn(speaker, message, vec![mcp::block(content)?]);
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, _: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![mcp::block(value)?])
}
