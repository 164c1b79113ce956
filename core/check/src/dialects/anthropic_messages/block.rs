//! The content blocks of the Anthropic Messages API, and which message takes which.

use std::borrow::Cow;

use crate::judge::{Judge, blank, filled};
use crate::media::{self, Look};
use crate::shape::{self, only};
use crate::{arguments, call, size};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::target::charset;

/// Where a block stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    System,
    User,
    Assistant,
    /// In the content of a tool result
    Result {
        /// The result says that the tool failed
        error: bool,
    },
    /// In the content of a document
    Document,
    /// In the content of a search result
    Search,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Result { .. } => "tool_result",
            Self::Document => "document",
            Self::Search => "search_result",
        }
    }
}

/// Judges one block, and what stands in it; ids are the caller's.
pub(crate) fn judge(judge: &mut Judge<'_>, block: Value<'_>, kind: &str, place: Place) {
    if kind == "input_json_delta" && place == Place::Assistant {
        judge.say(&rule::STREAMING_MARKER, block, "a piece of arguments is left from streaming");
        return;
    }
    if !may_stand(kind, place) {
        if known(kind) {
            shape::misplaced(judge, block, kind, place.name());
        } else {
            shape::unknown(judge, block, kind);
        }
        return;
    }
    marker(judge, block);
    if place == (Place::Result { error: true }) && kind != "text" && !judge.target.media.in_error_results {
        judge.say(&rule::ERROR_RESULT_WITH_MEDIA, block, "an error result holds text alone");
    }
    match kind {
        "text" => {
            only(judge, block, &["type", "text", "cache_control", "citations"]);
            shape::text_block(judge, block);
        }
        "image" => {
            only(judge, block, &["type", "source", "cache_control", "transformations"]);
            if matches!(place, Place::Result { .. }) && !judge.target.media.in_results {
                judge.say(&rule::MEDIA_IN_TOOL_RESULT, block, "the target takes no pictures in results");
            }
            if place != Place::Document {
                judge.medium(block, false);
            }
            image(judge, block, place);
        }
        "document" => {
            only(judge, block, &["type", "source", "title", "context", "citations", "cache_control"]);
            judge.medium(block, true);
            document(judge, block, place);
        }
        "thinking" => {
            only(judge, block, &["type", "thinking", "signature"]);
            shape::text(judge, block, "thinking");
            signature(judge, block, "signature");
        }
        "redacted_thinking" => {
            only(judge, block, &["type", "data"]);
            signature(judge, block, "data");
        }
        "tool_use" => {
            only(judge, block, &["type", "id", "name", "input", "caller", "toolset_name", "cache_control"]);
            call::call_name(judge, block, "name", true);
            arguments::object(judge, block, "input");
        }
        "server_tool_use" | "mcp_tool_use" => {
            // A server of MCP names its tools as it likes.
            if kind == "mcp_tool_use" {
                call::any_name(judge, block, "name", false);
            } else {
                call::call_name(judge, block, "name", false);
            }
            arguments::object(judge, block, "input");
        }
        "tool_result" => result(judge, block),
        "search_result" => search_result(judge, block),
        "web_search_tool_result" => web_search_result(judge, block),
        "mcp_tool_result" => {
            if let Some(item) = block.get("content").and_then(beside_texts) {
                judge.say(&rule::UNKNOWN_BLOCK, item, "the result of a server of MCP is a string or a list of texts");
            }
        }
        "container_upload" => {
            only(judge, block, &["type", "file_id", "cache_control"]);
            if filled(block, "file_id").is_none() {
                judge.say(&rule::UNKNOWN_BLOCK, block, "an upload names no file");
            }
        }
        "compaction" => {
            let is_summary = |content: Value<'_>| content.is_null() || content.is_string() && !content.is_str("");
            if !block.get("content").is_some_and(is_summary) {
                judge.say(&rule::UNKNOWN_BLOCK, block, "a compaction holds neither a summary nor null");
            }
        }
        "tool_reference" => {
            only(judge, block, &["type", "tool_name", "cache_control"]);
            if !filled(block, "tool_name").is_some_and(|name| name.len() <= 256 && charset(Some("_-"), &name)) {
                judge.say(&rule::UNKNOWN_BLOCK, block, "a reference to a tool names none");
            }
        }
        "browser_state" => {
            only(judge, block, &["type", "tabs", "state_changes", "cache_control"]);
            if !is_browser(block) {
                judge.say(&rule::UNKNOWN_BLOCK, block, "this is no state of a browser");
            }
        }
        _ => {}
    }
    if is_server_result(kind) || kind == "server_tool_use" || kind.starts_with("mcp_") {
        for mark in block.members().filter(|(key, _)| key.is_str("index") || key.is_str("partial_json")) {
            judge.say(&rule::UNKNOWN_FIELD, mark.1, "the API refuses what is left of a stream");
        }
    }
}

/// At most 100 tabs, and 1 to 200 changes: Anthropic Messages API reference, `browser_state`.
fn is_browser(block: Value<'_>) -> bool {
    let word = |value: Value<'_>| value.as_str().is_some_and(|text| text.chars().count() <= 4096);
    let tab = |tab: Value<'_>| {
        ["tab_id", "title", "url"].iter().all(|key| tab.get(key).is_some_and(word))
            && tab.members().all(|(key, value)| {
                ["tab_id", "title", "url"].iter().any(|known| key.is_str(known))
                    || key.is_str("active") && value.as_bool().is_some()
            })
    };
    let kinds = ["tab_opened", "download_started", "download_completed", "download_failed"];
    let change =
        |change: Value<'_>| change.get("type").is_some_and(|kind| kinds.iter().any(|known| kind.is_str(known)));
    block.get("tabs").is_some_and(|tabs| tabs.is_array() && tabs.items().count() <= 100 && tabs.items().all(tab))
        && block.get("state_changes").filter(|changes| !changes.is_null()).is_none_or(|changes| {
            changes.is_array() && (1..=200).contains(&changes.items().count()) && changes.items().all(change)
        })
}

/// What a search on the web found is sealed: "`encrypted_content`: Field required".
fn web_search_result(judge: &mut Judge<'_>, block: Value<'_>) {
    let Some(list) = block.get("content").filter(|content| content.is_array()) else {
        if block.get("content").is_none_or(|content| !content.is_object()) {
            judge.say(&rule::UNKNOWN_BLOCK, block, "the result of a search holds neither results nor an error");
        }
        return;
    };
    if let Some(open) = list.items().find(|found| filled(*found, "encrypted_content").is_none()) {
        judge.say(&rule::UNKNOWN_BLOCK, open, "what a search found lacks its `encrypted_content`");
    }
}

/// What stands where a string or a list of texts must: `BetaRequestMCPToolResultBlockParam` of the package `anthropic`.
fn beside_texts(content: Value<'_>) -> Option<Value<'_>> {
    let is_text = |item: Value<'_>| {
        item.get("text").is_some_and(Value::is_string) && item.get("type").is_some_and(|kind| kind.is_str("text"))
    };
    match content {
        _ if content.is_null() || content.is_string() => None,
        _ if content.is_array() => content.items().find(|item| !is_text(*item)),
        _ => Some(content),
    }
}

/// A cache marker, where one stands: `{"type": "ephemeral"}`, and how long it holds.
pub(super) fn marker(judge: &mut Judge<'_>, block: Value<'_>) {
    let Some(marker) = block.get("cache_control").filter(|marker| !marker.is_null()) else { return };
    judge.keys(marker);
    let whole = marker.is_object()
        && marker.get("type").is_some_and(|kind| kind.is_str("ephemeral"))
        && marker.get("ttl").is_none_or(|ttl| ttl.is_str("5m") || ttl.is_str("1h"));
    if whole {
        only(judge, marker, &["type", "ttl"]);
    } else {
        judge.say(&rule::UNKNOWN_FIELD, marker, "this is no cache marker that the API knows");
    }
}

/// A passage that the model may cite: where it is from, and its texts.
fn search_result(judge: &mut Judge<'_>, block: Value<'_>) {
    only(judge, block, &["type", "source", "title", "content", "citations", "cache_control"]);
    let named = ["source", "title"].iter().all(|key| block.get(key).is_some_and(Value::is_string));
    let texts = |list: Value<'_>| {
        list.is_array() && list.items().all(|item| item.get("type").is_some_and(|kind| kind.is_str("text")))
    };
    if !named || !block.get("content").is_some_and(texts) {
        let what = "a search result has a source, a title and a list of texts";
        judge.say(&rule::FOREIGN_BLOCK_SHAPE, block, what);
        return;
    }
    for item in block.get("content").into_iter().flat_map(Value::items) {
        self::judge(judge, item, "text", Place::Search);
    }
}

/// Kinds that stand in user and assistant messages alike, or in a place that this judge does not narrow.
const FREE: &[&str] = &[
    "text",
    "image",
    "document",
    "search_result",
    "container_upload",
    "compaction",
    "fallback",
    "tool_addition",
    "tool_removal",
];

fn may_stand(kind: &str, place: Place) -> bool {
    match place {
        Place::System => matches!(kind, "text" | "tool_addition" | "tool_removal"),
        Place::User => kind == "tool_result" || FREE.contains(&kind),
        Place::Assistant => {
            FREE.contains(&kind)
                || matches!(kind, "thinking" | "redacted_thinking" | "tool_use" | "server_tool_use")
                || is_server_result(kind)
                || matches!(kind, "mcp_tool_use" | "mcp_tool_result")
        }
        Place::Result { .. } => {
            matches!(kind, "text" | "image" | "search_result" | "document" | "tool_reference" | "browser_state")
        }
        Place::Document => matches!(kind, "text" | "image"),
        Place::Search => kind == "text",
    }
}

/// Whether the API has such a kind at all.
fn known(kind: &str) -> bool {
    may_stand(kind, Place::Assistant) || may_stand(kind, Place::User) || may_stand(kind, Place::Result { error: false })
}

/// The result of a tool that the server ran.
pub(crate) fn is_server_result(kind: &str) -> bool {
    kind.ends_with("_tool_result") && kind.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// The id of a server tool's call or result: `srvtoolu_`, then letters, digits and `_`.
pub(crate) fn server_id<'a>(
    judge: &mut Judge<'_>,
    block: Value<'a>,
    key: &str,
    kind: &str,
) -> Option<(Value<'a>, Cow<'a, str>)> {
    if kind.starts_with("mcp_") {
        return if key == "id" { call::call_id(judge, block, key) } else { call::result_id(judge, block, key) };
    }
    let value = block.get(key);
    let Some((value, id)) = value.and_then(|value| Some((value, value.as_str().filter(|id| !blank(id))?))) else {
        let rule = if key == "id" { &rule::TOOL_CALL_WITHOUT_ID } else { &rule::TOOL_RESULT_WITHOUT_ID };
        judge.say(rule, value.unwrap_or(block), "the server tool's item has no id");
        return None;
    };
    let rest = id.strip_prefix("srvtoolu_");
    if rest.is_none_or(|rest| rest.is_empty() || !charset(Some("_"), rest)) {
        let words = "the id of a server tool is `srvtoolu_` and letters or digits";
        judge.say(&rule::TOOL_CALL_ID_CHARACTERS, value, words);
    }
    Some((value, id))
}

fn signature(judge: &mut Judge<'_>, block: Value<'_>, key: &str) {
    let value = block.get(key);
    if judge.target.reasoning.signed && value.and_then(Value::as_str).is_none_or(|text| blank(&text)) {
        judge.say(&rule::THINKING_WITHOUT_SIGNATURE, value.unwrap_or(block), format!("the reasoning has no `{key}`"));
    }
}

fn result(judge: &mut Judge<'_>, block: Value<'_>) {
    only(judge, block, &["type", "tool_use_id", "content", "is_error", "toolset_name", "cache_control"]);
    shape::error_flag(judge, block, "is_error", false);
    let error = block.get("is_error").and_then(Value::as_bool) == Some(true);
    // Content may be left out, but not be null.
    if block.get("content").is_none() {
        return;
    }
    for item in shape::blocks(judge, block, true).into_iter().flat_map(Value::items) {
        if let Some(kind) = shape::kind(judge, item) {
            self::judge(judge, item, &kind, Place::Result { error });
        }
    }
}

/// The source of a picture or document, and its type; `rule` is broken without one.
fn source<'a>(judge: &mut Judge<'_>, block: Value<'a>, rule: &'static rule::Rule) -> Option<(Value<'a>, Cow<'a, str>)> {
    let source = block.get("source");
    let Some(source) = source.filter(|source| source.is_object()) else {
        judge.say(rule, source.unwrap_or(block), "there is no source");
        return None;
    };
    judge.keys(source);
    let kind = source.get("type").and_then(Value::as_str);
    let Some(kind) = kind else {
        judge.say(rule, source, "the source has no type");
        return None;
    };
    let known: &[&str] = match &*kind {
        "base64" | "text" => &["type", "media_type", "data"],
        "url" => &["type", "url"],
        "file" => &["type", "file_id"],
        "content" => &["type", "content"],
        _ => return Some((source, kind)),
    };
    only(judge, source, known);
    Some((source, kind))
}

fn image(judge: &mut Judge<'_>, block: Value<'_>, place: Place) {
    let Some((source, kind)) = source(judge, block, &rule::IMAGE_WITHOUT_DATA) else { return };
    match &*kind {
        "base64" => {
            media::image(judge, source, source.get("data"), source.get("media_type"), Look::Bytes);
            if let Some(data) = source.get("data").filter(|_| place != Place::Document) {
                size::judge(judge, data, &data.as_str().unwrap_or_default());
            }
        }
        _ => by_reference(judge, source, &kind, false),
    }
}

/// A picture or document by its address, or by the id of a file that was uploaded.
fn by_reference(judge: &mut Judge<'_>, source: Value<'_>, kind: &str, is_document: bool) {
    match kind {
        "url" => {
            if source.get("url").is_some_and(|url| media::bare_base64(judge, url)) {
                return;
            }
            media::address(judge, source, "url");
            let address = source.get("url").and_then(Value::as_str).unwrap_or_default();
            if let Some(other) = media::type_by_ending(&address).filter(|_| is_document && !judge.target.is_dialect()) {
                let what = format!("a document by its address is a PDF; this one ends as `{other}`");
                judge.say(&rule::FILE_NOT_ACCEPTED, source, what);
            }
            if !judge.target.media.links {
                judge.say(&rule::MEDIA_BY_ADDRESS, source, "the target fetches nothing");
            }
        }
        "file" => media::address(judge, source, "file_id"),
        _ => judge.say(&rule::FOREIGN_BLOCK_SHAPE, source, format!("no such source: `{kind}`")),
    }
}

/// Each kind of source takes one type alone.
fn document_type(judge: &mut Judge<'_>, source: Value<'_>, taken: &str) {
    match source.get("media_type").filter(|kind| kind.as_str().is_some_and(|kind| kind != taken && !blank(&kind))) {
        Some(kind) => judge.say(&rule::FILE_NOT_ACCEPTED, kind, format!("a source of this kind is `{taken}` alone")),
        None => media::file_type(judge, source, "media_type"),
    }
}

fn document(judge: &mut Judge<'_>, block: Value<'_>, place: Place) {
    let title = block.get("title").and_then(|title| Some((title, title.as_str()?)));
    let most = judge.target.media.max_title.unwrap_or(usize::MAX);
    if let Some((title, _)) = title.filter(|(_, words)| place != Place::Assistant && words.chars().count() > most) {
        judge.say(&rule::FILE_NAME_CHARACTERS, title, format!("the title is longer than {most} characters"));
    }
    let Some((source, kind)) = source(judge, block, &rule::FILE_WITHOUT_DATA) else { return };
    match &*kind {
        "base64" => {
            media::file_data(judge, source, "data");
            if matches!(place, Place::User | Place::Result { .. }) {
                media::pdf_of(judge, source, "data", "media_type");
            }
            document_type(judge, source, "application/pdf");
        }
        "text" => {
            if filled(source, "data").is_none() {
                judge.say(&rule::FILE_WITHOUT_DATA, source.get("data").unwrap_or(source), "the document has no text");
            }
            document_type(judge, source, "text/plain");
        }
        "content" => {
            // One level: a document holds text and pictures, not documents.
            for item in shape::blocks(judge, source, true).into_iter().flat_map(Value::items) {
                if let Some(kind) = shape::kind(judge, item) {
                    self::judge(judge, item, &kind, Place::Document);
                }
            }
        }
        _ => by_reference(judge, source, &kind, true),
    }
}
