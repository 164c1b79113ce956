//! A `GetPromptResult` of the Model Context Protocol, alone or in its JSON-RPC response.

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::document::Document;
use crate::mcp;
use crate::observation::{Item, Speaker};
use crate::tools;
use crate::unreadable::Read;
use crate::wire::{ASSISTANT, USER, required_field, speaker};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = Document::of_roles(mcp::carried(root, &["result"]), None)?;
    if let Some(body) = document.body {
        tools::flat(builder, body)?;
    }
    for message in document.messages {
        let speaker = speaker(message, &[USER, ASSISTANT])?;
        builder.turn(speaker, message, vec![mcp::block(required_field(message, "content")?)?]);
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, _: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![mcp::block(value)?])
}
