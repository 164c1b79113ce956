//! Whole results of the Model Context Protocol in a response of Gemini, as Google's own SDK puts them there (googleapis/js-genai,
//! `McpCallableTool`; google/adk-python#2096): at home they stay as they came, elsewhere they are their blocks.

use crate::dialects::ai_sdk_model::output::{blocks_of_mcp, structured_content};
use crate::dialects::mcp_tool_result::read::is_said;
use crate::media::{self, Unusable};
use crate::print::Writer;
use wirecanon_json::{Json, Limits, Value, mend_surrogates};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Media, Transcript};
use wirecanon_model::{Dialect, rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let home = Dialect::GeminiContents;
    if writer.same || transcript.dialect != home {
        return;
    }
    let mut next_id = transcript.next_id;
    for message in transcript.messages.iter_mut().filter(|message| message.result.is_some()) {
        let Some(first) = message.blocks.first().filter(|block| block.is_text()) else { continue };
        let Some(raw) = first.native_field(home.name(), "response").map(str::to_owned) else { continue };
        let Ok(json) = Json::parse(&raw, &Limits { max_depth: usize::MAX }) else { continue };
        let Some((result, list)) = whole(json.root()) else { continue };
        let source = first.source;
        let mut blocks: Vec<Block<'a>> = Vec::new();
        for item in list.items() {
            next_id += 1;
            let block = Block::new(next_id, block(item, source, writer));
            blocks.push(Block { source, ..block });
        }
        let structured = structured_content(result);
        let words = || blocks.iter().filter_map(Block::as_text);
        if let Some(structured) = structured.filter(|structured| !words().any(|words| is_said(&words, *structured))) {
            next_id += 1;
            let said = mend_surrogates(structured.raw()).into_owned();
            let block = Block { source, ..Block::new(next_id, BlockKind::Text(said.into())) };
            let what = "the structured content stands in no text block; its JSON text was added";
            writer.entry(&rule::STRUCTURED_CONTENT_NOT_IN_TEXT, Severity::Note, source, Some(block.id), what);
            blocks.push(block);
        }
        if let Some(head) = &mut message.result {
            head.is_error |= result.get("isError").and_then(Value::as_bool) == Some(true);
        }
        message.blocks.splice(..1, blocks);
        message.dirty = true;
    }
    transcript.next_id = next_id;
}

/// The result that a response is, or holds as what came out, and its blocks.
fn whole(response: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    let mut members = response.members();
    let alone = match (members.next(), members.next()) {
        (Some((key, value)), None) if ["output", "result", "error"].iter().any(|known| key.is_str(known)) => value,
        _ => response,
    };
    Some((alone, blocks_of_mcp(alone)?))
}

/// A text, a picture by its bytes, or the JSON text of anything else.
fn block<'a>(item: Value<'_>, source: Option<u32>, writer: &mut Writer<'a, '_>) -> BlockKind<'a> {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    let is = |kind: &str| item.get("type").is_some_and(|known| known.is_str(kind));
    if let Some(words) = text("text").filter(|_| is("text")) {
        return BlockKind::Text(words.into_owned().into());
    }
    let Some(data) = text("data").filter(|_| is("image")) else {
        return BlockKind::Text(mend_surrogates(item.raw()).into_owned().into());
    };
    let declared = text("mimeType");
    match media::mend(&data) {
        Ok(mended) => BlockKind::Image(Box::new(Media {
            data: Some(mended.data.into_owned().into()),
            mime_type: Some(mended.mime_type.into_owned().into()),
        })),
        Err(why) => {
            let severity = if matches!(why, Unusable::NoData) { Severity::Mend } else { Severity::Loss };
            let what = "a picture of the result that cannot be mended became a text that says so";
            writer.entry(why.rule(), severity, source, None, what);
            BlockKind::Text(text::image_left_out(why.reason(), declared.as_deref()).into())
        }
    }
}
