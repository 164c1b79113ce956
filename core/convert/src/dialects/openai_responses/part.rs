//! Reading the parts of a message, and of an output that is a list.

use std::borrow::Cow;

use crate::media::{is_canonical, is_data_url, split_data_url, type_of_bare_base64};
use crate::read::block::{filled, project, project_with, tell_bare_base64, wrong_role};
use crate::read::fields::scan;
use crate::read::file_block::{is_no_pdf, no_pdf, unreadable_file};
use crate::read::reader::{Reader, kept};
use wirecanon_json::Value;
use wirecanon_model::transcript::{Block, BlockKind, File, Link, Media, Role};
use wirecanon_model::{rule, text};

/// Whether parts of this type can be ones that canonical content only carries.
pub(crate) fn stays(kind: &str, role: Role) -> bool {
    matches!(role, Role::User | Role::ToolResult) && matches!(kind, "input_image" | "input_file")
}

/// Whether such a part has what the server needs, and canonical content cannot hold it.
pub(crate) fn whole(kind: &str, part: Value<'_>) -> bool {
    let absent = |key: &str| part.get(key).is_none_or(Value::is_null);
    match kind {
        "input_image" => absent("image_url") && filled(part.get("file_id")),
        "input_file" => match part.get("file_data").filter(|data| !data.is_null()) {
            None => filled(part.get("file_id")) || filled(part.get("file_url")) && bare_file(part).is_none(),
            Some(data) => data.as_str().is_some_and(|data| !is_data_url(&data) && is_canonical(&data)),
        },
        _ => false,
    }
}

/// The type of a text in a message of this role. The server says of another: "Supported values are: `output_text` and
/// `refusal`."
pub(crate) fn text_type(role: Role) -> &'static str {
    if role == Role::Assistant { "output_text" } else { "input_text" }
}

/// Reads a part that this dialect spells itself; `None` for any other.
pub(crate) fn read_part<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Option<Block<'a>> {
    let kind = item.get("type").and_then(Value::as_str)?;
    match &*kind {
        "text" | "input_text" | "output_text" => text(cx, item, &kind, role),
        "refusal" if role == Role::Assistant => {
            let words = item.get("refusal").and_then(Value::as_str)?;
            Some(project(cx, item, words))
        }
        "input_image" => Some(image(cx, item, role)),
        "input_file" => Some(file(cx, item, role)),
        _ => None,
    }
}

fn text<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, kind: &str, role: Role) -> Option<Block<'a>> {
    let scan = scan(item, [("type", &[]), ("text", &[])]);
    let words = scan.fields[1].value.and_then(Value::as_str)?;
    let mut block = cx.block(BlockKind::Text(words.into()), item);
    cx.duplicate(scan.duplicate, item, block.id);
    let own = text_type(role);
    if kind == own {
        block.native = cx.native(&scan.others);
        return Some(block);
    }
    block.dirty = true;
    if kind == "text" {
        cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, block.id, format!("a `text` part is `{own}` here"));
    } else {
        let what = format!("a `{kind}` part cannot stand here; it became `{own}`");
        cx.mend(&rule::BLOCK_IN_WRONG_ROLE, item, block.id, what);
    }
    Some(block)
}

fn image<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    let scan = scan(item, [("type", &[]), ("image_url", &["url", "image"]), ("detail", &[])]);
    let [_, holder, detail] = scan.fields;
    if stays("input_image", role) && whole("input_image", item) {
        return carried(cx, item, role);
    }
    let url = holder.value.and_then(|holder| holder.as_str().or_else(|| holder.get("url").and_then(Value::as_str)));
    let url = url.unwrap_or_default();
    let nested = holder.value.is_some_and(Value::is_object);
    let bare = type_of_bare_base64(&url);
    let on_the_web = !url.trim().is_empty() && !is_data_url(&url) && bare.is_none();
    let kind = if let Some(mime_type) = bare {
        BlockKind::Image(Box::new(Media { data: Some(url), mime_type: Some(mime_type.into()) }))
    } else if on_the_web && role == Role::User {
        BlockKind::Link(Box::new(Link { url, mime_type: None }))
    } else if on_the_web {
        if role == Role::ToolResult && !nested && holder.key == "image_url" && is_web(&url) {
            return project(cx, item, url);
        }
        let what = "an image by its address was kept as its address in text";
        return cx.as_text(url, item, &rule::MEDIA_BY_ADDRESS, what);
    } else {
        BlockKind::Image(Box::new(picture(&url)))
    };
    let mut block = cx.block(kind, item);
    cx.duplicate(scan.duplicate, item, block.id);
    cx.alias(&holder, "image_url", item, block.id);
    block.native = cx.native(&scan.others);
    if let Some(detail) = detail.value {
        block.native.get_or_insert_default().add(cx.dialect.name(), "detail", kept(detail));
    }
    if bare.is_some() {
        tell_bare_base64(cx, &block, item);
    }
    if nested {
        let what = "`image_url` is an object; the address in it was taken";
        cx.mend(&rule::FOREIGN_BLOCK_SHAPE, item, block.id, what);
    } else if is_data_url(&holder.value.and_then(Value::as_str).unwrap_or_default())
        && !holder.value.and_then(Value::as_str).is_some_and(|url| url.starts_with("data:"))
    {
        let what = "the scheme of the data URL was spelled in small letters";
        cx.mend(&rule::IMAGE_DATA_URL_PREFIX, item, block.id, what);
    }
    wrong_role(cx, block, item, role)
}

/// Servers fetch from the web alone.
pub(crate) fn is_web(url: &str) -> bool {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")) && !rest.is_empty()
}

/// Whether a part that a canonical transcript carried is one that can stand in a message of this role, or in an output.
pub(crate) fn is_own(part: Value<'_>, role: Role) -> bool {
    let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
    match (&*kind, role) {
        ("refusal", Role::Assistant) => part.get("refusal").is_some_and(Value::is_string),
        ("input_image", Role::ToolResult) => {
            whole(&kind, part) || part.get("image_url").and_then(Value::as_str).is_some_and(|url| is_web(&url))
        }
        ("input_file", Role::ToolResult) => {
            whole(&kind, part)
                || inline(part.get("file_data"))
                    .is_some_and(|(mime, data)| is_canonical(&data) && !is_no_pdf(&mime, &data))
        }
        _ => false,
    }
}

/// The picture in a data URL; what is no base64 is left to the pass for media, which cannot mend it.
fn picture<'a>(url: &str) -> Media<'a> {
    if url.trim().is_empty() {
        return Media { data: None, mime_type: None };
    }
    let (mime, data) = split_data_url(url);
    Media {
        mime_type: mime.map(|mime| Cow::Owned(mime.to_owned())),
        data: Some(Cow::Owned(data.unwrap_or(url).to_owned())),
    }
}

fn file<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    if !stays("input_file", role) {
        let what = "a file in a message of such a role was kept as its JSON text";
        return cx.as_json(item, &rule::BLOCK_IN_WRONG_ROLE, what);
    }
    if whole("input_file", item) {
        let held = item.get("file_data").and_then(Value::as_str).filter(|_| role == Role::ToolResult);
        return match held.filter(|data| !data.is_empty()) {
            Some(data) => stand_in(cx, item, split_data_url(&data).0.unwrap_or("application/octet-stream")),
            None => carried(cx, item, role),
        };
    }
    if let Some((mime_type, data)) = bare_file(item).filter(|_| item.get("file_data").is_none_or(Value::is_null)) {
        return by_bare_address(cx, item, role, mime_type, data);
    }
    // What is no output is written anew, so there another spelling will do.
    let names: &[&str] = if role == Role::ToolResult { &[] } else { &["file"] };
    let scan = scan(item, [("type", &[]), ("file_data", names), ("filename", &[])]);
    let Some((mime_type, data)) = inline(scan.fields[1].value) else { return unreadable_file(cx, item) };
    if role == Role::ToolResult {
        // Canonical results hold no files. One that its own server would refuse is said to be left out.
        if is_canonical(&data) && is_no_pdf(&mime_type, &data) {
            let name = item.get("filename").and_then(Value::as_str);
            return no_pdf(cx, item, text::file_left_out(name.as_deref(), &mime_type));
        }
        return if is_canonical(&data) { stand_in(cx, item, &mime_type) } else { unreadable_file(cx, item) };
    }
    let name = scan.fields[2].value.and_then(Value::as_str);
    let file = File { data: data.into(), mime_type: mime_type.into(), name };
    let block = cx.block_with(BlockKind::File(Box::new(file)), item, &scan);
    cx.alias(&scan.fields[1], "file_data", item, block.id);
    block
}

/// The type and the bytes of a file whose address is base64 alone.
fn bare_file(part: Value<'_>) -> Option<(&'static str, Cow<'_, str>)> {
    let url = part.get("file_url")?.as_str()?;
    Some((type_of_bare_base64(&url)?, url))
}

/// Reads a file whose address is base64 alone.
fn by_bare_address<'a>(
    cx: &mut Reader<'a, '_>,
    item: Value<'a>,
    role: Role,
    mime_type: &'static str,
    data: Cow<'a, str>,
) -> Block<'a> {
    let scan = scan(item, [("type", &[]), ("file_url", &[]), ("filename", &[])]);
    let name = scan.fields[2].value.and_then(Value::as_str);
    let block = if mime_type != "application/pdf" {
        cx.block(BlockKind::Image(Box::new(Media { data: Some(data), mime_type: Some(mime_type.into()) })), item)
    } else if role == Role::ToolResult {
        let url = wirecanon_json::quote(&format!("data:{mime_type};base64,{data}"));
        let words = text::file_left_out(name.as_deref(), mime_type);
        project_with(cx, item, words, "file_url", ("file_data", url))
    } else {
        let file = File { data, mime_type: mime_type.into(), name };
        let mut block = cx.block(BlockKind::File(Box::new(file)), item);
        block.native = cx.native(&scan.others);
        block
    };
    tell_bare_base64(cx, &block, item);
    block
}

/// A file in an output, of which other dialects get words: its base64 would be read as words.
fn stand_in<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, mime_type: &str) -> Block<'a> {
    let name = item.get("filename").and_then(Value::as_str);
    project(cx, item, text::file_left_out(name.as_deref(), mime_type))
}

/// Type and base64 of a data URL that holds something.
fn inline(data: Option<Value<'_>>) -> Option<(String, String)> {
    let url = data?.as_str()?;
    let (mime, data) = split_data_url(&url);
    Some((mime?.to_owned(), data.filter(|data| !data.is_empty())?.to_owned()))
}

/// A part that canonical content cannot hold: opaque in a message, its JSON text in an output.
fn carried<'a>(cx: &mut Reader<'a, '_>, item: Value<'a>, role: Role) -> Block<'a> {
    if role == Role::ToolResult {
        return project(cx, item, Cow::Borrowed(item.raw()));
    }
    cx.opaque_once(item)
}
