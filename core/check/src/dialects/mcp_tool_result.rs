//! A `CallToolResult` of the Model Context Protocol, in any revision from 2024-11-05 to 2026-07-28.
//!
//! No revision closes its shapes, so members that are not known are always legal.

use crate::dialects::Check;
use crate::judge::{Judge, filled};
use crate::media::{self, Look};
use crate::shape;
use wirecanon_json::Value;
use wirecanon_model::target::Structured;
use wirecanon_model::{Error, ErrorKind, rule};

/// A document with none of these is no tool result.
const MEMBERS: &[&str] = &["content", "toolResult", "structuredContent", "isError", "resultType"];

pub(super) static CHECK: Check = Check::Document(judge);

/// Judges one tool result.
///
/// # Errors
///
/// The document is no object, or has no member of a tool result.
fn judge(judge: &mut Judge<'_>, result: Value<'_>) -> Result<(), Error> {
    if !result.is_object() || MEMBERS.iter().all(|key| result.get(key).is_none()) {
        return Err(Error::new(ErrorKind::NotATranscript, "this is no tool result")
            .with_hint("give the object with `content`, as `tools/call` returns it"));
    }
    judge.keys(result);
    shape::error_flag(judge, result, "isError", false);
    shape::alias(judge, result, "isError", &["is_error"], "a client");
    shape::alias(judge, result, "structuredContent", &["structured_content"], "a client");
    if let Some(kind) = result.get("resultType").filter(|kind| kind.is_str("input_required")) {
        judge.say(&rule::RESULT_ASKS_FOR_INPUT, kind, "the tool asks for input, and has not answered yet");
        return Ok(());
    }
    // The revision before 2024-11-05 had `toolResult` instead.
    if result.get("toolResult").is_some() && result.get("content").is_none() {
        return Ok(());
    }
    structured(judge, result);
    if judge.target.protocol.result_type && !result.get("resultType").is_some_and(Value::is_string) {
        judge.say(&rule::RESULT_TYPE_MISSING, result, "the result does not say its type");
    }
    let Some(list) = shape::blocks(judge, result, false) else { return Ok(()) };
    blocks(judge, list);
    Ok(())
}

/// Structured content is an object, in the revisions that say so.
pub(crate) fn structured(judge: &mut Judge<'_>, result: Value<'_>) {
    let object = judge.target.protocol.structured == Structured::Object;
    if let Some(value) = result.get("structuredContent").filter(|value| object && !value.is_object()) {
        let words = format!("`structuredContent` is {}", value.kind().name());
        judge.say(&rule::STRUCTURED_CONTENT_NOT_AN_OBJECT, value, words);
    }
}

/// The blocks of a list.
pub(crate) fn blocks(judge: &mut Judge<'_>, list: Value<'_>) {
    for item in list.items() {
        if let Some(kind) = shape::kind(judge, item) {
            block(judge, item, &kind);
        }
    }
}

/// A block of content.
pub(crate) fn block(judge: &mut Judge<'_>, block: Value<'_>, kind: &str) {
    match kind {
        "text" => shape::text_block(judge, block),
        "image" => media::image(judge, block, block.get("data"), block.get("mimeType"), Look::Bytes),
        "audio" if judge.target.protocol.audio => {
            media::file_data(judge, block, "data");
            // The schema takes any type; what a client does with it is its own.
            media::said_type(judge, block, "mimeType");
        }
        "resource_link" if judge.target.protocol.resource_links => {
            address(judge, block);
            if block.get("name").is_none_or(|name| !name.is_string()) {
                judge.say(&rule::RESOURCE_WITHOUT_ADDRESS, block, "the link has no name");
            }
            for key in ["title", "description", "mimeType"] {
                optional_string(judge, block, key);
            }
        }
        "resource" => resource(judge, block),
        _ => shape::unknown(judge, block, kind),
    }
}

/// A member that may be left out, and is a string where it stands.
fn optional_string(judge: &mut Judge<'_>, holder: Value<'_>, key: &str) {
    if let Some(value) = holder.get(key).filter(|value| !value.is_string()) {
        judge.say(&rule::TEXT_NOT_A_STRING, value, format!("`{key}` is {}", value.kind().name()));
    }
}

fn address(judge: &mut Judge<'_>, holder: Value<'_>) {
    if filled(holder, "uri").is_none() {
        judge.say(&rule::RESOURCE_WITHOUT_ADDRESS, holder.get("uri").unwrap_or(holder), "the resource has no address");
    }
}

fn resource(judge: &mut Judge<'_>, block: Value<'_>) {
    let Some(resource) = block.get("resource").filter(|resource| resource.is_object()) else {
        let words = "the block holds no resource";
        judge.say(&rule::RESOURCE_WITHOUT_CONTENT, block.get("resource").unwrap_or(block), words);
        return;
    };
    judge.keys(resource);
    address(judge, resource);
    optional_string(judge, resource, "mimeType");
    // Either is enough, whatever else stands there: the protocol has one type for each, open to more members.
    let (text, blob) = (resource.get("text"), resource.get("blob"));
    match (text.filter(|text| text.is_string()), blob.filter(|blob| blob.is_string())) {
        (Some(_), _) => {}
        (None, Some(blob)) if blob.is_str("") => {}
        (None, Some(_)) => media::file_data(judge, resource, "blob"),
        (None, None) => {
            let place = text.or(blob).unwrap_or(resource);
            judge.say(&rule::RESOURCE_WITHOUT_CONTENT, place, "the resource holds neither text nor a blob");
        }
    }
}
