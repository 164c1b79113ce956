//! A `CallToolResult` of the Model Context Protocol, alone or in its JSON-RPC response.

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::mcp;
use crate::observation::{Content, Item, Speaker, ToolResult};
use crate::unreadable::{Read, Unreadable};
use crate::wire::{array, boolean, field, must_be_object};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    must_be_object(root, "a tool result")?;
    let result = mcp::carried(root, &["result"]);
    builder.lone_result();
    let observed = self::result(result)?;
    builder.result(observed, result);
    Ok(())
}

pub(crate) fn items(value: Value<'_>, _: Speaker) -> Read<Vec<Item<'_>>> {
    Ok(vec![mcp::block(value)?])
}

/// Reads a tool result.
pub(crate) fn result(result: Value<'_>) -> Read<ToolResult<'_>> {
    const MEMBERS: [&str; 5] = ["content", "toolResult", "structuredContent", "isError", "resultType"];
    if MEMBERS.iter().all(|key| result.get(key).is_none()) {
        return Err(Unreadable::new(result, "a tool result must have `content`"));
    }
    let mut items = array(result, "content")?.map(mcp::block).collect::<Read<Vec<_>>>()?;
    // The revision before 2024-11-05 had `toolResult` instead.
    if let Some(value) = field(result, "toolResult").filter(|_| field(result, "content").is_none()) {
        items.push(Item::new(Content::Data(value), value));
    }
    let structured = mcp::structured(result, &items);
    let is_error = Some(boolean(result, "isError")?.unwrap_or(false));
    Ok(ToolResult { is_error, structured, ..ToolResult::new(None, items) })
}
