//! What the Anthropic API refuses of a block: members that it does not know, in the block, in its source and in the texts
//! that it holds; a cache marker that is none; a type that its source cannot have.

use crate::dialects::anthropic_messages::chunks as anthropic_chunks;
use crate::dialects::anthropic_messages::chunks::Change;
use crate::dialects::anthropic_messages::read::refuse_unknown;
use crate::read::block;
use crate::read::fields::{self, scan};
use crate::read::reader::Reader;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::target::charset;
use wirecanon_model::transcript::{self, Block, BlockKind, Message, Opaque, Role};

/// All members of a block that canonical content does not hold apart; `None` for kinds that go back as they came.
fn members_of(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "text" => &["type", "text", "cache_control", "citations"],
        "image" => &["type", "source", "cache_control", "transformations"],
        "document" => &["type", "source", "title", "context", "citations", "cache_control"],
        "search_result" => &["type", "source", "title", "content", "citations", "cache_control"],
        "container_upload" => &["type", "file_id", "cache_control"],
        "tool_reference" => &["type", "tool_name", "cache_control"],
        "browser_state" => &["type", "tabs", "state_changes", "cache_control"],
        _ => return None,
    })
}

/// All members of a source.
fn members_of_source(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "base64" | "text" => &["type", "media_type", "data"],
        "url" => &["type", "url"],
        "file" => &["type", "file_id"],
        "content" => &["type", "content"],
        _ => return None,
    })
}

fn kind_of(value: Value<'_>) -> std::borrow::Cow<'_, str> {
    value.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Whether a value is a cache marker: "Input tag found using 'type' does not match any of the expected tags: 'ephemeral'".
pub(crate) fn is_marker(marker: Value<'_>) -> bool {
    marker.is_null()
        || marker.get("type").is_some_and(|kind| kind.is_str("ephemeral"))
            && marker.get("ttl").is_none_or(|ttl| ttl.is_str("5m") || ttl.is_str("1h"))
            && marker.members().all(|(key, _)| key.is_str("type") || key.is_str("ttl"))
}

/// Whether options are set: "a message with neither content nor `output_config` fields is rejected".
pub(crate) fn is_options(options: Value<'_>) -> bool {
    options.get("effort").is_some_and(Value::is_string)
}

/// Whether a message sets options alone, in place of saying something.
pub(crate) fn sets_options(message: &Message<'_>) -> bool {
    let silent = |block: &Block<'_>| block.is_blank();
    if message.role != Role::System || !message.blocks.iter().all(silent) {
        return false;
    }
    message.native_field(Dialect::AnthropicMessages.name(), "output_config").is_some_and(|text| {
        Json::parse(text, &Limits { max_depth: usize::MAX }).is_ok_and(|json| is_options(json.root()))
    })
}

/// Whether a reference to a tool names one: "String should match pattern '^[a-zA-Z0-9_-]{1,256}$'".
pub(crate) fn is_tool_reference(item: Value<'_>) -> bool {
    let is_name = |name: &str| (1..=256).contains(&name.len()) && charset(Some("_-"), name);
    item.get("tool_name").and_then(Value::as_str).is_some_and(|name| is_name(&name))
}

/// Whether it is the state of a browser: its tabs, and what changed in them.
pub(crate) fn is_browser_state(item: Value<'_>) -> bool {
    const WORDS: [&str; 3] = ["tab_id", "title", "url"];
    const CHANGES: [&str; 4] = ["tab_opened", "download_started", "download_completed", "download_failed"];
    let is_word = |value: Value<'_>| value.as_str().is_some_and(|text| text.chars().count() <= 4096);
    let is_member = |(key, value): (Value<'_>, Value<'_>)| {
        WORDS.iter().any(|word| key.is_str(word)) || key.is_str("active") && value.as_bool().is_some()
    };
    let is_tab =
        |tab: Value<'_>| WORDS.iter().all(|word| tab.get(word).is_some_and(is_word)) && tab.members().all(is_member);
    let is_change = |change: Value<'_>| CHANGES.contains(&&*kind_of(change));
    let is_list = |list: Value<'_>, most: usize, is: &dyn Fn(Value<'_>) -> bool| {
        list.is_array() && list.items().count() <= most && list.items().all(is)
    };
    let says = |changes: Value<'_>| changes.items().next().is_some() && is_list(changes, 200, &is_change);
    item.get("tabs").is_some_and(|tabs| is_list(tabs, 100, &is_tab))
        && item.get("state_changes").is_none_or(|changes| changes.is_null() || says(changes))
}

/// Whether a search result has what the server needs.
pub(crate) fn is_search_result(item: Value<'_>) -> bool {
    let text = |item: Value<'_>| kind_of(item) == "text" && block::filled(item.get("text"));
    ["source", "title"].iter().all(|key| item.get(key).is_some_and(Value::is_string))
        && item.get("content").is_some_and(|list| list.is_array() && list.items().all(text))
}

/// Reports what the server refuses in a source that is read to canonical content.
pub(crate) fn source<'a>(cx: &mut Reader<'a, '_>, source: Value<'a>, kind: &str, about: u32) {
    let Some(known) = members_of_source(kind) else { return };
    let aliases = fields::MIME_TYPES;
    // What says the type under another name is written anew under the API's; a null there says nothing.
    let is_type = |key: Value<'a>, value: Value<'a>| {
        aliases.iter().any(|alias| key.is_str(alias)) && (!value.is_null() || key.is_str("media_type"))
    };
    let mut others: Vec<_> = source.members().filter(|(key, value)| !is_type(*key, *value)).collect();
    refuse_unknown(cx, source, &mut others, Some(about), |key| known.contains(&key));
}

/// In base64 the API takes PDF alone; says so of a document of another type, which is written anew.
pub(crate) fn type_of_document<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, block: &mut Block<'a>) {
    let BlockKind::File(file) = &block.kind else { return };
    if file.mime_type == "application/pdf" {
        return;
    }
    block.dirty = true;
    if file.mime_type == "text/plain" {
        let what = "in base64 the server takes PDF alone; the document is given as text";
        cx.mend(&rule::FILE_NOT_ACCEPTED, item, block.id, what);
    }
}

/// Takes out of a block that goes back as it came what the server refuses, and reports it.
pub(crate) fn refuse<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, block: &mut Block<'a>) {
    let mut found = Found::default();
    let members = match members_of(&kind_of(item)) {
        Some(known) => of_block(item, known, true, &mut found),
        None if matches!(block.kind, BlockKind::Opaque(_)) => without_marks(item, &mut found),
        None => return,
    };
    if found.refused.is_empty() && !found.retyped && found.changes.is_empty() {
        return;
    }
    for change in found.changes {
        if change.lost {
            cx.lose(change.rule, item, block.id, change.what);
        } else {
            cx.mend(change.rule, item, block.id, change.what);
        }
    }
    cx.lose_refused(item, block.id, &found.refused);
    if found.retyped {
        let what = "a document that is given as text is `text/plain`";
        cx.mend(&rule::FILE_NOT_ACCEPTED, item, block.id, what);
    }
    if let BlockKind::Opaque(opaque) = &mut block.kind {
        opaque.value = joined(&members).into();
        return;
    }
    let mut native = transcript::Native::default();
    native.add_all(cx.dialect.name(), members.into_iter().map(|(key, value)| (key.into(), value.into())));
    block.native = Some(Box::new(native));
}

/// Whether the server may have a tool of this name: "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'".
pub(crate) fn is_name_of_server_tool(name: &str) -> bool {
    (1..=128).contains(&name.len()) && charset(Some("_-"), name)
}

/// A call of a server's tool with white space around its name, or whose arguments are no object, but say one: a text of it,
/// nothing, or the empty list that PHP makes of it (laravel/ai#389).
pub(crate) fn server_call<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Option<Block<'a>> {
    let kind = kind_of(item);
    let name = item.get("name").and_then(Value::as_str).filter(|name| !name.trim().is_empty())?;
    let is_spaced = match &*kind {
        "server_tool_use" if !is_name_of_server_tool(name.trim()) => return None,
        "server_tool_use" => name.trim().len() != name.len(),
        "mcp_tool_use" => false,
        _ => return None,
    };
    let object = object_of(item.get("input"));
    if object.is_none() && !(is_spaced && item.get("input").is_some_and(Value::is_object)) {
        return None;
    }
    let spaced = || {
        let what = "white space around the name of the server's tool was removed";
        ("name", wirecanon_json::quote(name.trim()), &rule::TOOL_NAME_WHITE_SPACE, what)
    };
    let object = object.map(|(input, rule, what)| ("input", input, rule, what));
    Some(rewritten(cx, item, is_spaced.then(spaced).into_iter().chain(object)))
}

/// A compaction without a summary, as the server has one that failed; `None` for any other.
pub(crate) fn compaction<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Option<Block<'a>> {
    if item.get("content").is_some_and(|content| !content.is_str("")) {
        return None;
    }
    let what = "a compaction has no summary; its content is null, as where it failed";
    Some(rewritten(cx, item, [("content", "null".to_owned(), &rule::UNKNOWN_BLOCK, what)]))
}

/// An item with other members in place of its own: of each the key, the JSON, and the rule and the words of the report.
fn rewritten<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    others: impl IntoIterator<Item = (&'static str, String, &'static Rule, &'static str)>,
) -> Block<'a> {
    let mut found = Found::default();
    let mut members = without_marks(item, &mut found);
    let mut changes = Vec::new();
    for (key, json, rule, what) in others {
        members.retain(|(own, _)| own != key);
        members.push((key.to_owned(), json));
        changes.push((rule, what));
    }
    let opaque = Opaque { dialect: cx.dialect.name().into(), value: joined(&members).into() };
    let mut block = cx.block(BlockKind::Opaque(Box::new(opaque)), item);
    block.dirty = true;
    for (rule, what) in changes {
        cx.mend(rule, item, block.id, what);
    }
    cx.lose_refused(item, block.id, &found.refused);
    block
}

/// The object that these arguments say, if they are none.
fn object_of(input: Option<Value<'_>>) -> Option<(String, &'static Rule, &'static str)> {
    const NOTHING: &str = "the call of the server's tool has no arguments; it was given none: `{}`";
    const ENCODED: &str = "the arguments of the server's tool are no object; the object that they say was taken";
    let nothing = || Some(("{}".to_owned(), &rule::TOOL_CALL_ARGUMENTS_MISSING, NOTHING));
    let Some(input) = input.filter(|input| !input.is_null()) else { return nothing() };
    if input.is_array() && input.items().next().is_none() {
        return Some(("{}".to_owned(), &rule::TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT, ENCODED));
    }
    // One layer of text beyond the one that JSON itself has, and one more.
    let mut text = input.as_str()?.into_owned();
    for _ in 0..3 {
        if text.trim().is_empty() {
            return nothing();
        }
        let json = Json::parse(&text, &Limits::default()).ok()?;
        if json.root().is_object() {
            let text = json.root().raw().to_owned();
            return Some((text, &rule::TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT, ENCODED));
        }
        let inner = json.root().as_str()?.into_owned();
        drop(json);
        text = inner;
    }
    None
}

/// What stood in a block that does not stay.
#[derive(Default)]
struct Found {
    refused: Vec<String>,
    /// The type of a plain text was another
    retyped: bool,
    /// What a document held that it cannot hold
    changes: Vec<Change>,
}

type Members = Vec<(String, String)>;

fn joined(members: &Members) -> String {
    let members: Vec<_> =
        members.iter().map(|(key, value)| format!("{}:{value}", wirecanon_json::quote(key))).collect();
    format!("{{{}}}", members.join(","))
}

/// Members that a stream of this API has beside those of a block, and programs keep with it (langchain-ai/langchain#37584).
const STREAMED: &[&str] = &["index", "partial_json"];

/// All of an item that only this API has, but for what is left of its streaming.
fn without_marks(item: Value<'_>, found: &mut Found) -> Members {
    let mut members = Members::new();
    for (key, value) in scan(item, []).others {
        let name = key.as_str().unwrap_or_default();
        if STREAMED.contains(&&*name) {
            found.refused.push(format!("`{name}`"));
        } else {
            members.push((name.into_owned(), value.raw().to_owned()));
        }
    }
    members
}

/// Whether what a search on the web found can be sent back: "`encrypted_content`: Field required" (code-yeongyu/senpi#208).
pub(crate) fn is_web_search_result(item: Value<'_>) -> bool {
    let sealed = |found: Value<'_>| block::filled(found.get("encrypted_content"));
    item.get("content").is_some_and(|content| content.is_object() || content.is_array() && content.items().all(sealed))
}

/// `outer`: not itself in a document, which holds no documents.
fn of_block(block: Value<'_>, known: &[&str], outer: bool, found: &mut Found) -> Members {
    let mut members = Members::new();
    for (key, value) in scan(block, []).others {
        let name = key.as_str().unwrap_or_default();
        if !known.contains(&&*name) || (name == "cache_control" && !is_marker(value)) {
            found.refused.push(format!("`{name}`"));
            continue;
        }
        let text = match &*name {
            "source" if value.is_object() => joined(&of_source(value, outer, found)),
            "content" => texts(value, found),
            _ => value.raw().to_owned(),
        };
        members.push((name.into_owned(), text));
    }
    members
}

fn of_source(source: Value<'_>, outer: bool, found: &mut Found) -> Members {
    let kind = kind_of(source);
    let mut members = Members::new();
    for (key, value) in scan(source, []).others {
        let name = key.as_str().unwrap_or_default();
        if members_of_source(&kind).is_some_and(|known| !known.contains(&&*name)) {
            found.refused.push(format!("`{name}`"));
            continue;
        }
        let holds = name == "content" && outer && (value.is_array() || value.is_object());
        let text = if holds { chunks(value, found) } else { value.raw().to_owned() };
        members.push((name.into_owned(), text));
    }
    if kind == "text" && !source.get("media_type").is_some_and(|kind| kind.is_str("text/plain")) {
        found.retyped = true;
        members.retain(|(key, _)| key != "media_type");
        members.push(("media_type".to_owned(), "\"text/plain\"".to_owned()));
    }
    members
}

/// The texts of a search result.
fn texts(list: Value<'_>, found: &mut Found) -> String {
    if !list.is_array() {
        return list.raw().to_owned();
    }
    let items: Vec<_> = list.items().map(|item| inner(item, found)).collect();
    format!("[{}]", items.join(","))
}

/// The texts and pictures of a document.
fn chunks(list: Value<'_>, found: &mut Found) -> String {
    let alone = list.is_object().then_some(list);
    if alone.is_some() {
        let what = "one block in place of the list of a document was put into a list".into();
        found.changes.push(Change { rule: &rule::CONTENT_NOT_A_LIST, lost: false, what });
    }
    let mut items = Vec::new();
    for item in alone.into_iter().chain(list.items()) {
        match anthropic_chunks::mend(item) {
            None => items.push(inner(item, found)),
            Some(mended) => {
                items.extend(mended.text);
                found.changes.push(mended.change);
            }
        }
    }
    format!("[{}]", items.join(","))
}

/// A block within another, without what the server refuses of it.
fn inner(item: Value<'_>, found: &mut Found) -> String {
    match members_of(&kind_of(item)) {
        Some(known) => joined(&of_block(item, known, false, found)),
        None => item.raw().to_owned(),
    }
}

/// A picture within a document whose source is written anew.
pub(crate) fn picture_with(item: Value<'_>, source: &str) -> String {
    let mut members = Members::new();
    for (key, value) in scan(item, []).others {
        let name = key.as_str().unwrap_or_default();
        if members_of("image").is_some_and(|known| known.contains(&&*name))
            && (name != "cache_control" || is_marker(value))
        {
            let text = if name == "source" { source } else { value.raw() };
            members.push((name.into_owned(), text.to_owned()));
        }
    }
    joined(&members)
}
