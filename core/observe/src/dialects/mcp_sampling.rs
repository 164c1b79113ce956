//! The parameters of a `CreateMessageRequest` of the Model Context Protocol, or its result.

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::document::{Document, has_role};
use crate::mcp;
use crate::observation::{Arguments, Content, Item, Speaker, ToolResult};
use crate::settings::{CAMEL_CASE, tool_choice};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    array, boolean, field, kind, must_be_object, object, required, text_of, unknown_block, unknown_role,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let inner = field(root, "params").or_else(|| field(root, "result"));
    let root = match inner {
        Some(inner) if root.get("jsonrpc").is_some() && inner.is_object() => inner,
        _ => root,
    };
    let document = Document::find(root, "messages", has_role)?;
    if let Some(body) = document.body {
        if let Some(prompt) = field(body, "systemPrompt") {
            builder.turn(Speaker::System, prompt, vec![Item::text(text_of(prompt, "systemPrompt")?, prompt)]);
        }
        tools::flat(builder, body)?;
        builder.tool_choice(field(body, "toolChoice"), tool_choice);
        builder.generation(body, CAMEL_CASE);
        if field(body, "includeContext").is_some_and(|context| !context.is_str("none")) {
            builder.context(body, &["includeContext"]);
        }
    }
    for message in document.messages {
        must_be_object(message, "a message")?;
        let speaker = match &*required(message, "role")? {
            "user" => Speaker::User,
            "assistant" => Speaker::Assistant,
            role => return unknown_role(message, role),
        };
        let content = field(message, "content").ok_or_else(|| Unreadable::new(message, "`content` is missing"))?;
        let alone = (!content.is_array()).then_some(content);
        let mut turn = Vec::new();
        for block in alone.into_iter().chain(content.items()) {
            let item = self::block(block, speaker)?;
            if matches!(item.content, Content::Result(_)) {
                if !turn.is_empty() {
                    builder.turn(speaker, message, std::mem::take(&mut turn));
                }
                builder.result_item(item, message);
            } else {
                turn.push(item);
            }
        }
        if !turn.is_empty() {
            builder.turn(speaker, message, turn);
        }
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![if speaker == Speaker::Tool { mcp::block(value)? } else { block(value, speaker)? }])
}

fn block(block: Value<'_>, speaker: Speaker) -> Read<Item<'_>> {
    let kind = kind(block)?;
    match (&*kind, speaker) {
        ("tool_use", Speaker::Assistant) => {
            let arguments = object(block, "input")?.map_or(Arguments::Missing, Arguments::Value);
            Ok(Item::call(Some(required(block, "id")?), required(block, "name")?, arguments, block))
        }
        ("tool_result", Speaker::User) => {
            let items = array(block, "content")?.map(mcp::block).collect::<Read<Vec<_>>>()?;
            let structured = mcp::structured(block, &items);
            let mut result = ToolResult::new(Some(required(block, "toolUseId")?), items);
            result.is_error = Some(boolean(block, "isError")?.unwrap_or(false));
            result.structured = structured;
            Ok(Item::new(Content::Result(result), block))
        }
        ("tool_use" | "tool_result", _) => unknown_block(block, &kind, &format!("a {} message", speaker.name())),
        _ => mcp::block(block),
    }
}
