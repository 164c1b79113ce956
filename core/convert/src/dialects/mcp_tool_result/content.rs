//! Content of messages of the Model Context Protocol: one block, or a list of them.

use std::borrow::Cow;

use crate::dialects::mcp_tool_result::block::words_of_audio;
use crate::dialects::openclaw::lineage::{Split, moved_out, read_content, read_foreign};
use crate::media;
use crate::read::block::{Item, project, read_item};
use crate::read::fields::scan;
use crate::read::file_block;
use crate::read::reader::{Reader, write_anew};
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, File, Message, Role};
use wirecanon_model::{Dialect, rule, text};

/// Whether the content of a message is one block.
pub(crate) fn one_block(message: Value<'_>) -> bool {
    message.get("content").is_some_and(|content| content.is_object() && content.get("type").is_some())
}

/// A message in a role that the protocol does not have: read as the agent lineage's, and written anew.
pub(crate) fn foreign<'a>(cx: &mut Reader<'a, '_>, wire: Value<'a>) {
    read_foreign(cx, wire, &rule::ROLE_ALIAS, "a message in another dialect's role was read as what it is");
}

/// Reads content into `message`; results that stand as blocks become messages of their own, in their place.
pub(crate) fn read_blocks<'a>(
    cx: &mut Reader<'a, '_>,
    message: Message<'a>,
    content: Option<Value<'a>>,
    wire: Value<'a>,
) -> Vec<Message<'a>> {
    let Some(content) = content.filter(|content| content.is_array() || content.is_object()) else {
        if let Some(text) = content.filter(|content| content.is_string()) {
            let what = "a string in place of a block became one text block";
            cx.mend(&rule::CONTENT_NOT_A_LIST, text, message.id, what);
        }
        return read_content(cx, message, content, wire);
    };
    let role = message.role;
    let items: Vec<_> = if content.is_array() { content.items().collect() } else { vec![content] };
    let mut split = Split::new(message);
    for item in items {
        let read = own_block(cx, item, role).map_or_else(|| read_item(cx, item, role), Item::Block);
        if let (Item::Result(result), true) = (&read, role != Role::User) {
            moved_out(cx, item, result.id);
        }
        split.add(cx, read, item, false);
    }
    let mut parts = split.end();
    let is_result = |part: &Message<'_>| part.role == Role::ToolResult;
    if role == Role::User && parts.iter().any(is_result) && !parts.iter().all(is_result) {
        let what = "tool results beside other content were given a message of their own";
        cx.mend(&rule::TOOL_RESULT_BESIDE_OTHER_CONTENT, content, parts.first().map(|part| part.id), what);
        write_anew(&mut parts);
    }
    parts
}

/// A block that this protocol has in a message of this role, and that canonical content has elsewhere or otherwise.
fn own_block<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Option<Block<'a>> {
    let kind = item.get("type").and_then(Value::as_str)?;
    let text = |key: &str| item.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    match (&*kind, role) {
        ("image", Role::Assistant) => {
            let (data, mime) = (text("data")?, text("mimeType")?);
            media::is_canonical(&data).then_some(())?;
            let words = text::image_left_out("not in this role", Some(&mime));
            Some(project(cx, item, Cow::Owned(words)))
        }
        ("audio", Role::User) => {
            let (data, mime_type) = (text("data")?, text("mimeType")?);
            media::is_canonical(&data).then_some(())?;
            let scan = scan(item, [("type", &[]), ("data", &[]), ("mimeType", &[])]);
            Some(cx.block_with(BlockKind::File(Box::new(File { data, mime_type, name: None })), item, &scan))
        }
        ("audio", Role::Assistant) => {
            let (data, mime) = (text("data")?, text("mimeType")?);
            media::is_canonical(&data).then_some(())?;
            Some(project(cx, item, Cow::Owned(words_of_audio(&mime))))
        }
        ("resource", Role::User) if cx.dialect == Dialect::McpPrompt => {
            let resource = item.get("resource")?;
            let blob = resource.get("blob").and_then(Value::as_str)?;
            let mime_type = resource.get("mimeType").and_then(Value::as_str).filter(|mime| !mime.trim().is_empty())?;
            let name = resource.get("uri").and_then(Value::as_str).filter(|uri| !uri.is_empty())?;
            let is_file = media::is_canonical(&blob) && media::mend(&blob).is_err();
            // What is no PDF, though it says so, is a file for this protocol alone.
            if !is_file || file_block::is_no_pdf(&mime_type, &blob) || blob.is_empty() || resource.get("text").is_some()
            {
                return None;
            }
            let mut block = project(cx, item, Cow::Borrowed(""));
            block.kind = BlockKind::File(Box::new(File { data: blob, mime_type, name: Some(name) }));
            Some(block)
        }
        _ => None,
    }
}
