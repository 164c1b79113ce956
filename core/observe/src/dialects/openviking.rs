//! Messages of typed parts, as OpenViking stores them: a tool part is a call and, once it is done, its result.

use std::borrow::Cow;

use wirecanon_json::Value;

use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{Arguments, Content, Item, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    ASSISTANT, USER, array, field, kind, label, object, required, speaker, string, text_of, unknown_block,
};

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    builder.calls_have_states();
    let document = Document::of_roles(root, None)?;
    if let Some(body) = document.body {
        tools::flat(builder, body)?;
    }
    for message in document.messages {
        let speaker = speaker(message, &[USER, ASSISTANT])?;
        if field(message, "parts").is_none() {
            // The older form.
            let content = field(message, "content").ok_or_else(|| Unreadable::new(message, "`parts` is missing"))?;
            builder.turn(speaker, message, vec![Item::text(text_of(content, "content")?, content)]);
            continue;
        }
        parts(builder, message, speaker)?;
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    let (item, _) = part(value, speaker)?;
    Ok(vec![item])
}

/// A message of the user may hold the calls that answered it: they are the assistant's.
fn parts<'a>(builder: &mut Builder<'a>, message: Value<'a>, speaker: Speaker) -> Read<()> {
    let mut turn = Vec::new();
    let mut results = Vec::new();
    let mut speaker = speaker;
    for value in array(message, "parts")? {
        let (item, result) = part(value, speaker)?;
        if matches!(item.content, Content::Call(_)) && speaker == Speaker::User {
            if !turn.is_empty() {
                builder.turn(speaker, message, std::mem::take(&mut turn));
            }
            speaker = Speaker::Assistant;
        }
        if let Some(mut result) = result {
            let calls = turn.iter().filter(|item: &&Item<'a>| matches!(item.content, Content::Call(_))).count();
            result.call = Some(builder.next_call() + calls);
            results.push((result, value));
        }
        turn.push(item);
    }
    builder.turn(speaker, message, turn);
    for (result, place) in results {
        builder.result(result, place);
    }
    Ok(())
}

fn part(part: Value<'_>, speaker: Speaker) -> Read<(Item<'_>, Option<ToolResult<'_>>)> {
    let kind = kind(part)?;
    Ok(match &*kind {
        "text" => (Item::text(required(part, "text")?, part), None),
        "context" => {
            let text = label(part, "abstract").filter(|text| !text.trim().is_empty()).or(label(part, "uri"));
            let text = text.ok_or_else(|| Unreadable::new(part, "a context must have `abstract` or `uri`"))?;
            (Item::text(text, part), None)
        }
        "tool" => {
            let id = Some(required(part, "tool_id")?);
            let arguments = object(part, "tool_input")?.map_or(Arguments::Missing, Arguments::Value);
            let call = Item::call(id.clone(), required(part, "tool_name")?, arguments, part);
            let status = string(part, "tool_status")?;
            let is_error = match status.as_deref() {
                None | Some("pending" | "running") => return Ok((call, None)),
                Some("completed") => false,
                Some("error") => true,
                Some(status) => return Err(Unreadable::new(part, format!("unknown status `{status}`"))),
            };
            let mut items: Vec<_> =
                string(part, "tool_output")?.map(|text| Item::text(text, part)).into_iter().collect();
            // A long output is stored, and the model is told where.
            if let Some(stored) = string(part, "tool_output_ref")?.filter(|stored| !stored.is_empty()) {
                let length = field(part, "tool_output_original_chars")
                    .map(|length| format!(" original_chars={}", length.raw()))
                    .unwrap_or_default();
                items.push(Item::text(Cow::Owned(format!("[tool-result-ref] {stored}{length}")), part));
            }
            (call, Some(ToolResult::new(id, items).failed(Some(is_error))))
        }
        _ => return unknown_block(part, &kind, &format!("a {} message", speaker.name())),
    })
}
