//! Reading one block of content, in whichever spelling it stands.
//!
//! Histories mix dialects: an MCP block in an agent's history, an Anthropic image in OpenAI's content. So every reader
//! knows every spelling, and each says which of them are its own; another one is read all the same, and reported.

use std::borrow::Cow;

use crate::dialects::Described as _;
use crate::dialects::anthropic_messages::{item as anthropic_item, read as anthropic_messages};
use crate::dialects::canonical::read;
use crate::dialects::mcp_tool_result::block as mcp_block;
use crate::media;
use crate::read::bytes::{base64_of, tell_form};
use crate::read::call::read_call;
use crate::read::fields::{CALL_TYPES, MIME_TYPES, RESULT_TYPES, scan};
use crate::read::reader::{Reader, kept};
use crate::read::result::one_for_list;
use crate::read::{file_block, thinking};
use wirecanon_json::{Value, Words};
use wirecanon_model::transcript::{self, Block, BlockKind, Link, Media, Message, Opaque, Role};
use wirecanon_model::{Dialect, rule, text};

/// What an item of a content list turned out to be.
pub(crate) enum Item<'a> {
    Block(Block<'a>),
    /// A tool result that stands as a block
    Result(Message<'a>),
    Nothing,
}

/// Reads one item of a content list of a message of this role.
pub(crate) fn read_item<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Item<'a> {
    if let Some(own) = (cx.dialect.spec().item)(cx, item, role) {
        return own;
    }
    if !item.is_object() {
        return not_an_object(cx, item, role);
    }
    let kind = match item.get("type").filter(|kind| !kind.is_null()) {
        Some(kind) => kind.as_str().unwrap_or_default(),
        None => Cow::Borrowed(named(item).unwrap_or_else(|| shown(item))),
    };
    if CALL_TYPES.contains(&&*kind) && !is_mcp_call(&kind, item) && !holds_its_output(item) {
        return call_in(cx, item, role);
    }
    if RESULT_TYPES.contains(&&*kind) {
        return Item::Result(crate::read::result::read_result_block(cx, item));
    }
    let block = match &*kind {
        "text" | "input_text" | "output_text" => text(cx, item, &kind),
        "refusal" => refusal(cx, item, role),
        "image" => image(cx, item, role),
        "image_url" | "input_image" => image_by_url(cx, item, role),
        "thinking" | "reasoning" | "redacted_thinking" => thinking::read(cx, item, &kind, role),
        "resource_link" | "resource" | "audio" => mcp_block::read(cx, item, &kind, role),
        "link" if item.get("url").is_some_and(Value::is_string) => link(cx, item, role),
        "file" | "document" | "input_audio" | "input_file" | "media" | "image-data" | "file-data" | "binary" => {
            file_block::read(cx, item, &kind, role)
        }
        "opaque" if cx.dialect == Dialect::Canonical => opaque(cx, item, role),
        _ => unknown(cx, item, role),
    };
    Item::Block(block)
}

/// The type that a block shows which names none: words alone, as Bedrock and Gemini spell them, or the address of a picture.
pub(crate) fn shown(item: Value<'_>) -> &'static str {
    if item.get("image_url").is_some_and(|image| image.is_string() || image.is_object()) {
        return "image_url";
    }
    let said = |key: Value<'_>, kind: Value<'_>| names_type(key) && kind.is_str("text");
    let alone = item.members().all(|(key, value)| key.is_str("text") || key.is_str("type") || said(key, value));
    if alone && item.get("text").is_some_and(Value::is_string) { "text" } else { "" }
}

/// How frameworks call the type of a block: Microsoft.Extensions.AI, `LlamaIndex`, and Semantic Kernel.
const TYPE_NAMES: [&str; 3] = ["$type", "block_type", "content_type"];

fn names_type(key: Value<'_>) -> bool {
    TYPE_NAMES.iter().any(|name| key.is_str(name))
}

/// Removes the members that name the type of a block which has no `type`: the block is written with one.
pub(crate) fn leave_out_type_names<'a>(item: Value<'a>, others: &mut Vec<(Value<'a>, Value<'a>)>) {
    if item.get("type").is_none_or(Value::is_null) {
        others.retain(|(key, _)| !names_type(*key));
    }
}

/// The type that such a name says, of a call, a result, words or reasoning.
pub(crate) fn named(item: Value<'_>) -> Option<&'static str> {
    let said = TYPE_NAMES.iter().find_map(|name| item.get(name).filter(|value| value.is_string()))?;
    let known = CALL_TYPES.iter().chain(RESULT_TYPES).chain(&["text", "reasoning", "thinking"]);
    known.copied().find(|kind| said.is_str(kind))
}

/// `tool_use` and `mcp_tool_use` are different things; only the former is a call of ours.
fn is_mcp_call(kind: &str, item: Value<'_>) -> bool {
    kind == "tool_use" && item.get("server_name").is_some()
}

/// A call and what it gave in one object, as some chat programs store it: taken for a call, it would lose both.
fn holds_its_output(item: Value<'_>) -> bool {
    item.get("tool_call").is_some_and(Value::is_object)
}

fn call_in<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Item<'a> {
    if role == Role::Assistant {
        return Item::Block(read_call(cx, item));
    }
    Item::Block(call_in_wrong_role(cx, item))
}

/// A call that nobody but the assistant makes, as text.
pub(crate) fn call_in_wrong_role<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>) -> Block<'a> {
    cx.as_json(item, &rule::BLOCK_IN_WRONG_ROLE, "a tool call outside the assistant's turn was kept as text")
}

fn not_an_object<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Item<'a> {
    if item.is_null() && role != Role::ToolResult {
        cx.mend(&rule::UNKNOWN_BLOCK, item, None, "a null in place of a block was left out");
        return Item::Nothing;
    }
    let text = match item.as_str() {
        Some(text) if role != Role::ToolResult => text,
        _ => Cow::Borrowed(item.raw()),
    };
    let what = format!("{} in place of a block was kept as text", item.kind().name());
    let block = cx.as_text(text, item, &rule::UNKNOWN_BLOCK, what);
    Item::Block(block)
}

/// A provider's block that canonical content does not have, which its own dialect gets back.
pub(crate) fn project<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, text: impl Into<Words<'a>>) -> Block<'a> {
    let mut block = cx.stand_in(text, item);
    block.native = cx.native_whole(item);
    cx.duplicate(scan(item, []).duplicate, item, block.id);
    if cx.dialect == Dialect::AnthropicMessages {
        anthropic_item::refuse(cx, item, &mut block);
    }
    block
}

fn text<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str) -> Block<'a> {
    let mut scan = scan(item, [("type", &[]), ("text", &[])]);
    let words = scan.fields[1].value;
    leave_out_type_names(item, &mut scan.others);
    if let Some(text) = words.and_then(|words| of_an_assistant(cx, words, item)) {
        return text;
    }
    let Some(text) = words.and_then(Value::words) else {
        return cx.as_json(item, &rule::TEXT_NOT_A_STRING, "a text block without a string was kept as its JSON text");
    };
    let block = cx.block_with(BlockKind::Text(text), item, &scan);
    if !item.get("type").is_some_and(|kind| kind.is_str("text")) {
        let words = match kind {
            "text" => Cow::Borrowed("a block without a type was read as text"),
            kind => Cow::Owned(["a `", kind, "` block was read as text"].concat()),
        };
        cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, block.id, words);
    }
    block
}

/// Text as `OpenAI`'s Assistants store it: words under `value`, beside notes of what they cite.
fn of_an_assistant<'a>(cx: &mut Reader<'a, '_>, words: Value<'a>, item: Value<'a>) -> Option<Block<'a>> {
    let text = words.get("value")?.words()?;
    let notes = words.get("annotations").filter(|notes| notes.is_array() && words.members().count() == 2)?;
    let block = cx.block(BlockKind::Text(text), item);
    let rule = &rule::FOREIGN_BLOCK_SHAPE;
    if notes.items().next().is_some() {
        cx.lose(rule, words, block.id, "the words under `value` became the text; the notes were left out");
    } else {
        cx.mend(rule, words, block.id, "the words under `value` became the text");
    }
    Some(block)
}

/// A projection whose own dialect gets one member back under another key and value.
pub(crate) fn project_with<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    text: impl Into<Words<'a>>,
    old: &str,
    (key, value): (&'static str, String),
) -> Block<'a> {
    let mut block = project(cx, item, text);
    let name = cx.dialect.name();
    let mut native = transcript::Native::default();
    for (member, text) in block.native.take().into_iter().flat_map(|native| native.of(name).to_vec()) {
        if member != old {
            native.add(name, member, text);
        }
    }
    native.add(name, key, value);
    block.native = Some(Box::new(native));
    block
}

/// Members beyond the known ones; in the canonical dialect a `native` member is taken apart.
pub(crate) fn native_members<'a>(
    cx: &mut Reader<'a, '_>,
    about: u32,
    item: Value<'a>,
    others: &[(Value<'a>, Value<'a>)],
) -> Option<Box<transcript::Native<'a>>> {
    if others.is_empty() {
        return None;
    }
    match cx.dialect {
        Dialect::Canonical => read::read_native(cx, about, item, others),
        Dialect::AnthropicMessages => {
            let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
            let mut others = others.to_vec();
            if anthropic_messages::refuse_unknown(cx, item, &mut others, None, |key| {
                anthropic_messages::keeps(&kind, key)
            }) {
                cx.mark(about);
            }
            cx.native(&others)
        }
        _ => cx.native(others),
    }
}

fn refusal<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    match item.get("refusal").and_then(Value::as_str) {
        Some(text) if cx.dialect == Dialect::OpenAiChat && role == Role::Assistant => project(cx, item, text),
        _ => unknown(cx, item, role),
    }
}

fn image<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    if let Some(source) = item.get("source").filter(|source| source.is_object()) {
        return image_by_source(cx, item, source, role);
    }
    let scan = scan(item, [("type", &[]), ("data", &["base64", "image", "source"]), ("mimeType", MIME_TYPES)]);
    let [_, data, mime] = scan.fields;
    let media = Media { data: data.value.and_then(base64_of), mime_type: mime.value.and_then(Value::as_str) };
    // Some systems put the address of an image where its bytes belong, or either under one name.
    let address = match &media.data {
        None => {
            let by_url = item.get("image_url").map(|by| by.get("url").unwrap_or(by));
            data.value.and_then(|holder| holder.get("url")).or(item.get("url")).or(by_url).and_then(Value::as_str)
        }
        Some(either) => {
            Some(either.clone()).filter(|either| matches!(data.key, "image" | "source") && is_fetched(either))
        }
    };
    if let Some(url) = address {
        return by_address(cx, item, url, media.mime_type, role, false);
    }
    let mut block = cx.block(BlockKind::Image(Box::new(media)), item);
    tell_form(cx, &block, data.value, item);
    block.native = native_members(cx, block.id, item, &scan.others);
    let own = cx.dialect.spec().flat_images;
    if own {
        cx.duplicate(scan.duplicate, item, block.id);
        cx.aliases([(&data, "data"), (&mime, "mimeType")], item, block.id);
    } else {
        foreign(cx, &block, item, "an image with flat fields");
    }
    wrong_role(cx, block, item, role)
}

pub(crate) fn foreign<'a>(cx: &mut Reader<'a, '_>, block: &Block<'a>, item: Value<'a>, what: &str) {
    cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, block.id, format!("{what} was read in another dialect's spelling"));
}

/// An image that stands where the canonical transcript has none keeps its place as text.
pub(crate) fn wrong_role<'a>(cx: &mut Reader<'a, '_>, mut block: Block<'a>, item: Value<'a>, role: Role) -> Block<'a> {
    if !matches!(role, Role::Assistant | Role::System) {
        return block;
    }
    let BlockKind::Image(media) = &block.kind else { return block };
    let text = text::image_left_out("not in this role", media.mime_type.as_deref());
    block.kind = BlockKind::Text(text.into());
    block.native = None;
    let what = format!("an image in a message of role {} was left out", role.name());
    cx.lose(&rule::BLOCK_IN_WRONG_ROLE, item, block.id, what);
    block
}

fn image_by_source<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, source: Value<'a>, role: Role) -> Block<'a> {
    let kind = source.get("type").and_then(Value::as_str).unwrap_or_default();
    let own = cx.dialect == Dialect::AnthropicMessages;
    let by_url = kind == "url" || kind.is_empty() && source.get("data").is_none();
    // AG-UI has either under `value`.
    let url = source.get("url").or_else(|| source.get("value").filter(|_| kind == "url"));
    if let Some(url) = url.and_then(Value::as_str).filter(|_| by_url) {
        return by_address(cx, item, url, None, role, own && kind == "url");
    }
    if kind == "file" && own {
        return unknown(cx, item, role);
    }
    let outer = scan(item, [("type", &[]), ("source", &[])]);
    let inner = scan(source, [("type", &[]), ("data", &["value"]), ("media_type", MIME_TYPES)]);
    let [_, data, mime] = inner.fields;
    let media = Media { data: data.value.and_then(base64_of), mime_type: mime.value.and_then(Value::as_str) };
    let mut block = cx.block(BlockKind::Image(Box::new(media)), item);
    tell_form(cx, &block, data.value, item);
    block.native = native_members(cx, block.id, item, &outer.others);
    if own {
        cx.duplicate(outer.duplicate.or(inner.duplicate), item, block.id);
        cx.alias(&mime, "media_type", item, block.id);
        anthropic_item::source(cx, source, "base64", block.id);
        if kind != "base64" {
            foreign(cx, &block, item, "an image whose source is not marked as base64");
        }
    } else {
        foreign(cx, &block, item, "an image with a `source`");
    }
    wrong_role(cx, block, item, role)
}

pub(crate) fn image_by_url<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    let outer = scan(item, [("type", &[]), ("image_url", &["url", "image"])]);
    let holder = outer.fields[1].value;
    let url = holder.and_then(|holder| holder.as_str().or_else(|| holder.get("url").and_then(Value::as_str)));
    let in_own_shape = match cx.dialect {
        Dialect::OpenAiChat => role == Role::User && holder.is_some_and(Value::is_object),
        Dialect::MistralChat => {
            role == Role::User || (role == Role::ToolResult && url.as_deref().is_some_and(is_fetched))
        }
        Dialect::LangChain => true,
        _ => false,
    };
    let under_its_name = item.get("image_url").is_some_and(|holder| !holder.is_null());
    let own = in_own_shape && under_its_name && item.get("type").is_some_and(|kind| kind.is_str("image_url"));
    let Some(url) = url else {
        let mut block = cx.block(BlockKind::Image(Box::new(Media { data: None, mime_type: None })), item);
        block.dirty = true;
        return wrong_role(cx, block, item, role);
    };
    if !media::is_data_url(&url) {
        return by_address(cx, item, url, None, role, own);
    }
    let mut media = in_data_url(&url, None);
    // Not base64: left to the media pass, which cannot mend it.
    if media::split_data_url(&url).1.is_none() {
        media.data = Some(url.clone());
    }
    let mut block = cx.block(BlockKind::Image(Box::new(media)), item);
    let mut others = outer.others;
    let inner = holder.filter(|holder| holder.is_object()).and_then(|holder| holder.get("detail"));
    if !own {
        let stays = |cx: &mut Reader<'a, '_>, value| match inner {
            Some(_) => {
                let what = "a second `detail` beside the address contradicts the one with it and was left out";
                cx.lose(&rule::ALIAS_CONFLICT, value, block.id, what);
                false
            }
            None => is_detail(cx, value, block.id),
        };
        others.retain(|(key, value)| !key.is_str("detail") || stays(cx, *value));
    }
    block.native = native_members(cx, block.id, item, &others);
    if let Some(detail) = inner
        && (own || cx.dialect == Dialect::OpenAiChat || cx.dialect == Dialect::MistralChat)
    {
        let native = block.native.get_or_insert_default();
        native.add(cx.dialect.name(), "detail", kept(detail));
    }
    if !own {
        if cx.dialect == Dialect::OpenAiChat && role == Role::ToolResult {
            let what = "an image in a tool result was read as one of the user's: this dialect has images nowhere else";
            cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, block.id, what);
        } else {
            foreign(cx, &block, item, "an image with an `image_url`");
        }
    } else if !url.starts_with("data:") {
        let what = "the scheme of the data URL was spelled in small letters";
        cx.mend(&rule::IMAGE_DATA_URL_PREFIX, item, block.id, what);
    }
    wrong_role(cx, block, item, role)
}

/// Whether it says how closely a picture is looked at; a server refuses all else where that is said.
fn is_detail<'a>(cx: &mut Reader<'a, '_>, value: Value<'a>, about: u32) -> bool {
    let more = cx.dialect != Dialect::MistralChat;
    let known = ["low", "high", "auto"].iter().any(|known| value.is_str(known)) || more && value.is_str("original");
    if !known {
        cx.lose(&rule::MEMBER_OF_WRONG_TYPE, value, about, "`detail` of a picture is none; left out");
    }
    known
}

/// Reads an image block whose address is base64 alone, without the data URL that would make it an address.
fn bytes_as_address<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    data: Cow<'a, str>,
    mime_type: &'static str,
    role: Role,
) -> Block<'a> {
    let media = Media { data: Some(data), mime_type: Some(Cow::Borrowed(mime_type)) };
    let mut block = cx.block(BlockKind::Image(Box::new(media)), item);
    let detail = item.get("image_url").and_then(|holder| holder.get("detail"));
    let detail = detail.filter(|_| matches!(cx.dialect, Dialect::OpenAiChat | Dialect::MistralChat));
    block.native = native_members(cx, block.id, item, &beside_the_image(item));
    if let Some(detail) = detail {
        block.native.get_or_insert_default().add(cx.dialect.name(), "detail", kept(detail));
    }
    tell_bare_base64(cx, &block, item);
    wrong_role(cx, block, item, role)
}

/// The members of an image block beside those that hold its bytes, address and type.
fn beside_the_image(item: Value<'_>) -> Vec<(Value<'_>, Value<'_>)> {
    let names = ["type", "source", "image_url", "url", "image", "data", "base64"];
    let is_read = |key: Value<'_>| names.iter().chain(MIME_TYPES).any(|name| key.is_str(name));
    scan(item, []).others.into_iter().filter(|(key, _)| !is_read(*key)).collect()
}

/// Reports that the bytes of a block stood where an address belongs.
pub(crate) fn tell_bare_base64<'a>(cx: &mut Reader<'a, '_>, block: &Block<'a>, item: Value<'a>) {
    let what = "base64 stood where an address belongs; it was read as the bytes";
    cx.mend(&rule::MEDIA_WITHOUT_ADDRESS, item, block.id, what);
}

/// Whether a server can fetch this, or need not.
fn is_fetched(url: &str) -> bool {
    media::is_data_url(url) || url.starts_with("https://") || url.starts_with("http://")
}

/// The picture in a data URL, of the type that the URL declares, else of this one. It is copied only out of an URL that is a
/// copy itself.
pub(crate) fn in_data_url<'a>(url: &Cow<'a, str>, mime_type: Option<Cow<'a, str>>) -> Media<'a> {
    let (mime, data) = match url {
        Cow::Borrowed(url) => {
            let (mime, data) = media::split_data_url(url);
            (mime.map(Cow::Borrowed), Cow::Borrowed(data.unwrap_or_default()))
        }
        Cow::Owned(url) => {
            let (mime, data) = media::split_data_url(url);
            (mime.map(|mime| Cow::Owned(mime.to_owned())), Cow::Owned(data.unwrap_or_default().to_owned()))
        }
    };
    Media { mime_type: mime.or(mime_type), data: Some(data) }
}

/// An image by its address: a link in a user message, text elsewhere.
fn by_address<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    url: Cow<'a, str>,
    mime_type: Option<Cow<'a, str>>,
    role: Role,
    own: bool,
) -> Block<'a> {
    if url.trim().is_empty() {
        // No address at all: an image without data, in whatever message it stands.
        let mut block = cx.block(BlockKind::Image(Box::new(Media { data: None, mime_type })), item);
        block.native = cx.native(&beside_the_image(item));
        block.dirty = true;
        return block;
    }
    if let Some(mime_type) = media::type_of_bare_base64(&url) {
        return bytes_as_address(cx, item, url, mime_type, role);
    }
    if media::is_data_url(&url) {
        let block = cx.block(BlockKind::Image(Box::new(in_data_url(&url, mime_type))), item);
        foreign(cx, &block, item, "an image by a data URL");
        return wrong_role(cx, block, item, role);
    }
    if role != Role::User {
        if own {
            return project(cx, item, url);
        }
        let what = "an image by its address was kept as its address in text";
        return cx.as_text(url, item, &rule::MEDIA_BY_ADDRESS, what);
    }
    let mut block = cx.block(BlockKind::Link(Box::new(Link { url, mime_type })), item);
    if own {
        let whole = item.members().filter(|(key, _)| !key.is_str("type")).collect::<Vec<_>>();
        let extra: Vec<_> =
            whole.into_iter().filter(|(key, _)| !key.is_str("image_url") && !key.is_str("source")).collect();
        block.native = native_members(cx, block.id, item, &extra);
        if let Some(source) = item.get("source").filter(|_| cx.dialect == Dialect::AnthropicMessages) {
            anthropic_item::source(cx, source, "url", block.id);
        }
    } else {
        foreign(cx, &block, item, "an image by its address");
    }
    block
}

fn link<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    if cx.dialect != Dialect::Canonical {
        return unknown(cx, item, role);
    }
    let scan = scan(item, [("type", &[]), ("url", &[]), ("mimeType", MIME_TYPES)]);
    let url = scan.fields[1].value.and_then(Value::as_str).unwrap_or_default();
    let mime_type = scan.fields[2].value.and_then(Value::as_str);
    let holds_bytes = media::is_data_url(&url) || media::type_of_bare_base64(&url).is_some();
    if role != Role::User || url.trim().is_empty() || holds_bytes {
        return by_address(cx, item, url, mime_type, role, false);
    }
    cx.block_with(BlockKind::Link(Box::new(Link { url, mime_type })), item, &scan)
}

fn opaque<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    if matches!(role, Role::System | Role::ToolResult) {
        let what = "an opaque block in a message of such a role was kept as its JSON text";
        return cx.as_json(item, &rule::BLOCK_IN_WRONG_ROLE, what);
    }
    let dialect = item.get("dialect").and_then(Value::as_str);
    let (Some(dialect), Some(value)) = (dialect.filter(|name| !name.trim().is_empty()), item.get("value")) else {
        return cx.as_json(item, &rule::UNKNOWN_BLOCK, "an opaque block without dialect or value was kept as text");
    };
    let scan = scan(item, [("type", &[]), ("dialect", &[]), ("value", &[])]);
    cx.block_with(BlockKind::Opaque(Box::new(Opaque { dialect, value: Cow::Borrowed(value.raw()) })), item, &scan)
}

/// Reads an item of another dialect's, and says so of a block of which nothing else was said; `what` it is.
pub(crate) fn read_foreign_item<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    role: Role,
    what: impl FnOnce() -> String,
) -> Item<'a> {
    let marks = cx.marks();
    let read = read_item(cx, item, role);
    if let Item::Block(block) = &read
        && !block.dirty
        && !cx.is_marked(block.id, marks)
    {
        foreign(cx, block, item, &what());
    }
    read
}

/// Whether a field holds a text that is not blank.
pub(crate) fn filled(value: Option<Value<'_>>) -> bool {
    value.and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty())
}

/// The items of a list, or the one that stands in its place, which is reported.
pub(crate) fn one_or_all<'a>(
    cx: &mut Reader<'a, '_>,
    list: Value<'a>,
    about: u32,
) -> impl Iterator<Item = Value<'a>> + use<'a> {
    let alone = list.is_object().then_some(list);
    if alone.is_some() {
        one_for_list(cx, list, about);
    }
    alone.into_iter().chain(list.items())
}

/// Types of blocks that hold a file, in any dialect.
const FILES: &[&str] = &["document", "document_url", "file", "image", "input_audio", "input_file", "reasoning-file"];

/// A block of a kind that this reader does not know. A provider's dialect may replay it as it is; in a result, and in the
/// dialects whose content is closed, it stands as its JSON text.
pub(crate) fn unknown<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    let spec = cx.dialect.spec();
    let has = (spec.has_item)(&(spec.kind)(item), role);
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default().into_owned();
    if has && !(spec.is_whole)(&kind, item) {
        if kind == "search_result" {
            let what = "a search result that is not a source, a title and texts was kept as its JSON text";
            return cx.as_json(item, &rule::FOREIGN_BLOCK_SHAPE, what);
        }
        if FILES.contains(&&*kind) {
            return file_block::unreadable_file(cx, item);
        }
        let what = format!("a `{kind}` block without what its type must have was kept as its JSON text");
        return cx.as_json(item, &rule::UNKNOWN_BLOCK, what);
    }
    if has && role == Role::ToolResult {
        return project(cx, item, Cow::Borrowed(item.raw()));
    }
    if has {
        let mut block = cx.opaque(item);
        if cx.dialect == Dialect::AnthropicMessages {
            anthropic_item::refuse(cx, item, &mut block);
        }
        return block;
    }
    let what = if kind.is_empty() {
        "a block without a type".to_owned()
    } else {
        format!("a block of the unknown type `{kind}`")
    };
    cx.as_json(item, &rule::UNKNOWN_BLOCK, format!("{what} was kept as its JSON text"))
}
