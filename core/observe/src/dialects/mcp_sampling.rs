//! The parameters of a `CreateMessageRequest` of the Model Context Protocol, or its result.

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::document::Document;
use crate::mcp;
use crate::observation::{Arguments, Item, Speaker, ToolResult};
use crate::settings::{CAMEL_CASE, tool_choice};
use crate::tools;
use crate::unreadable::Read;
use crate::wire::{
    ASSISTANT, USER, array, boolean, field, kind, list_of, object, required, required_field, speaker, text_of,
    unknown_block,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let document = Document::of_roles(mcp::carried(root, &["params", "result"]), None)?;
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
        let speaker = speaker(message, &[USER, ASSISTANT])?;
        let blocks = list_of(required_field(message, "content")?).map(|block| self::block(block, speaker));
        builder.message(speaker, message, blocks.collect::<Read<_>>()?);
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
            let result = ToolResult::new(Some(required(block, "toolUseId")?), items);
            let is_error = Some(boolean(block, "isError")?.unwrap_or(false));
            Ok(Item::result(ToolResult { is_error, structured, ..result }, block))
        }
        ("tool_use" | "tool_result", _) => unknown_block(block, &kind, &format!("a {} message", speaker.name())),
        _ => mcp::block(block),
    }
}
