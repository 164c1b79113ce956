//! `contents` of the Google Gemini API, in both spellings of protobuf JSON.

use std::borrow::Cow;
use std::collections::BTreeSet;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::document::{Document, first_of};
use crate::listed::listed;
use crate::observation::{
    Arguments, Attribute, Content, Item, Media, MediaKind, ResponseFormat, Speaker, Tool, ToolChoice, ToolResult,
};
use crate::settings::{CAMEL_CASE, named};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{field, first, list_of, must_be_object, required, string, text_of, two_members, unknown_role};

const DIALECT: Dialect = Dialect::GeminiContents;

/// The members of which a part has one, in both spellings.
const HELD: [(&str, &str); 10] = [
    ("text", "text"),
    ("inlineData", "inline_data"),
    ("fileData", "file_data"),
    ("functionCall", "function_call"),
    ("functionResponse", "function_response"),
    ("executableCode", "executable_code"),
    ("codeExecutionResult", "code_execution_result"),
    ("toolCall", "tool_call"),
    ("toolResponse", "tool_response"),
    ("audioTranscription", "audio_transcription"),
];

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    let response = first_of(root, "candidates").and_then(|candidate| field(candidate, "content"));
    let document = Document::or_response(root, "contents", |value| value.get("parts").is_some(), response)?;
    if let Some(body) = document.body {
        if let Some(system) = either(body, "systemInstruction", "system_instruction") {
            builder.turn(Speaker::System, system, instructions(system)?);
        }
        if let Some(alone) = field(body, "tools").filter(|tools| !tools.is_array()) {
            definitions(builder, alone)?;
        } else {
            for tool in builder.definitions(body, "tools")? {
                definitions(builder, tool)?;
            }
        }
        settings(builder, body);
        builder.context(body, &["cachedContent", "cached_content"]);
    }
    for content in document.messages {
        must_be_object(content, "a content")?;
        let speaker = match string(content, "role")?.as_deref() {
            None | Some("user" | "function" | "") => Speaker::User,
            Some("model") => Speaker::Assistant,
            Some(role) => return unknown_role(content, role),
        };
        if field(content, "parts").is_none() && response.is_none() {
            return Err(Unreadable::new(content, "`parts` is missing"));
        }
        let mut items = parts(content, speaker)?;
        if let Some(last) = items.last_mut().filter(|_| response.is_some()) {
            let sources = first_of(root, "candidates").and_then(|candidate| {
                either(candidate, "groundingMetadata", "grounding_metadata").map(|value| Cow::Borrowed(value.raw()))
            });
            last.attributes.extend(sources.map(|raw| (Attribute::Citations, raw)));
        }
        builder.message(speaker, content, items);
    }
    builder.ids_are_optional();
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    // A signature alone belongs to what it stands beside.
    if HELD.iter().all(|(camel, snake)| either(value, camel, snake).is_none()) {
        return Err(Unreadable::new(value, "the part holds nothing that the API knows"));
    }
    Ok(part(value, speaker)?.into_iter().collect())
}

/// Returns a field in either spelling.
fn either<'a>(object: Value<'a>, camel: &str, snake: &str) -> Option<Value<'a>> {
    field(object, camel).or_else(|| field(object, snake))
}

/// One of another type counts as absent.
fn string_of<'a>(object: Value<'a>, camel: &str, snake: &str) -> Option<Cow<'a, str>> {
    either(object, camel, snake).and_then(Value::as_str)
}

fn settings<'a>(builder: &mut Builder<'a>, body: Value<'a>) {
    let choice = either(body, "toolConfig", "tool_config")
        .and_then(|config| either(config, "functionCallingConfig", "function_calling_config"));
    builder.tool_choice(choice, |choice| {
        let names = either(choice, "allowedFunctionNames", "allowed_function_names");
        let names: Vec<_> = names.into_iter().flat_map(Value::items).filter_map(Value::as_str).collect();
        match field(choice, "mode").and_then(Value::as_str).map(|mode| mode.to_ascii_lowercase()).as_deref() {
            None | Some("auto" | "mode_unspecified") => ToolChoice::Auto,
            Some("none") => ToolChoice::None,
            Some("any") => named(&names),
            Some(_) => ToolChoice::Other,
        }
    });
    let Some(config) = either(body, "generationConfig", "generation_config") else { return };
    let schema = ["responseSchema", "response_schema", "responseJsonSchema", "response_json_schema"];
    let schema = first(config, &schema);
    let media_type = either(config, "responseMimeType", "response_mime_type");
    builder.response_format(schema.or(media_type), |format| match format.as_str().as_deref() {
        None => ResponseFormat::Schema(format),
        Some("text/plain") => ResponseFormat::Text,
        Some("application/json") => ResponseFormat::Json,
        Some(_) => ResponseFormat::Other,
    });
    builder.generation(config, CAMEL_CASE);
    builder.reasoning_settings(config, &["thinkingConfig", "thinking_config"]);
}

fn definitions<'a>(builder: &mut Builder<'a>, tool: Value<'a>) -> Read<()> {
    must_be_object(tool, "a tool")?;
    for (key, value) in tool.members() {
        let key = key.as_str().unwrap_or_default();
        if value.is_null() {
            continue;
        }
        if key != "functionDeclarations" && key != "function_declarations" {
            builder.tool(tools::of_provider(key, value));
            continue;
        }
        for function in list_of(value) {
            must_be_object(function, "a function declaration")?;
            let schema = field(function, "parameters")
                .or_else(|| either(function, "parametersJsonSchema", "parameters_json_schema"));
            builder.tool(Tool { schema, ..tools::described(function, function, &[])? });
        }
    }
    Ok(())
}

/// Reads instructions: a content, or what the SDK makes a content of: a text, a part, or a list of texts and parts.
fn instructions(system: Value<'_>) -> Read<Vec<Item<'_>>> {
    if system.is_string() {
        return Ok(vec![Item::text(text_of(system, "systemInstruction")?, system)]);
    }
    if system.is_array() {
        let mut items = Vec::new();
        for item in system.items() {
            if !item.is_string() && !HELD.iter().any(|(camel, snake)| either(item, camel, snake).is_some()) {
                return Err(Unreadable::new(item, "an item of the instructions must be a text or a part"));
            }
            items.extend(instructions(item)?);
        }
        return Ok(items);
    }
    must_be_object(system, "`systemInstruction`")?;
    if HELD.iter().any(|(camel, snake)| either(system, camel, snake).is_some()) {
        if field(system, "parts").is_some() {
            return Err(Unreadable::new(system, "the instructions are a part and a content"));
        }
        return Ok(part(system, Speaker::System)?.into_iter().collect());
    }
    if field(system, "parts").is_none() && system.members().any(|(key, _)| !key.is_str("parts") && !key.is_str("role"))
    {
        return Err(Unreadable::new(system, "the instructions have no `parts`"));
    }
    parts(system, Speaker::System)
}

fn parts(content: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    let mut items = Vec::new();
    for part in field(content, "parts").into_iter().flat_map(list_of) {
        items.extend(self::part(part, speaker)?);
    }
    Ok(items)
}

/// Returns the member that a part holds. The words of a recording may be beside it.
fn held(part: Value<'_>) -> Read<Option<(&'static str, Value<'_>)>> {
    let mut held: Option<(&'static str, Value<'_>)> = None;
    for (camel, snake) in HELD {
        if let (Some(first), Some(second)) = (field(part, camel), field(part, snake).filter(|_| camel != snake))
            && first.raw() != second.raw()
        {
            return Err(two_members(part, camel, snake));
        }
        let Some(value) = either(part, camel, snake) else { continue };
        match held {
            None => held = Some((camel, value)),
            Some(_) if camel == "audioTranscription" => {}
            Some((first, _)) => return Err(two_members(part, first, camel)),
        }
    }
    Ok(held)
}

fn part(part: Value<'_>, speaker: Speaker) -> Read<Option<Item<'_>>> {
    must_be_object(part, "a part")?;
    let held = held(part)?;
    let signature = string_of(part, "thoughtSignature", "thought_signature");
    let is_thought = field(part, "thought").and_then(Value::as_bool).unwrap_or(false);
    let Some((kind, value)) = held else {
        // A part may hold a signature alone.
        if signature.is_some() || field(part, "thought").is_some() {
            return Ok(Some(Item::redacted(signature, part)));
        }
        return Err(Unreadable::new(part, "the part holds nothing that the API knows"));
    };
    if kind != "text" && !value.is_object() {
        return Err(Unreadable::new(value, format!("`{kind}` must be an object, got {}", value.kind().name())));
    }
    let item = match kind {
        "text" if is_thought && speaker == Speaker::Assistant => {
            return Ok(Some(Item::reasoning(text_of(value, "text")?, signature, part)));
        }
        "text" => Item::text(text_of(value, "text")?, part),
        "inlineData" => inline(part, value)?,
        "fileData" => file(part, value)?,
        "functionCall" if speaker == Speaker::Assistant => {
            let arguments = field(value, "args").map_or(Arguments::Missing, Arguments::Value);
            let id = string(value, "id")?.filter(|id| !id.is_empty());
            Item::call(id, required(value, "name")?, arguments, part)
        }
        "functionResponse" if speaker == Speaker::User => Item::result(response(value)?, part),
        "functionCall" | "functionResponse" => {
            return Err(Unreadable::new(part, format!("`{kind}` in a content of role {}", speaker.name())));
        }
        "executableCode" => provider(part, kind, texts(value, &["code"])),
        "codeExecutionResult" => provider(part, kind, texts(value, &["output"])),
        "audioTranscription" => provider(part, kind, texts(value, &["text"])),
        _ => provider(part, kind, Vec::new()),
    };
    let text_of = |camel, snake| either(part, camel, snake).map(|value| Cow::Borrowed(value.raw()));
    let item = item.with(Attribute::VideoMetadata, text_of("videoMetadata", "video_metadata"));
    let item = item.with(Attribute::Resolution, text_of("mediaResolution", "media_resolution"));
    Ok(Some(item.with(Attribute::Signature, signature)))
}

fn provider<'a>(part: Value<'a>, kind: &'static str, readable: Vec<Item<'a>>) -> Item<'a> {
    Item::provider(DIALECT, Cow::Borrowed(kind), part, readable)
}

fn texts<'a>(value: Value<'a>, keys: &[&str]) -> Vec<Item<'a>> {
    keys.iter().filter_map(|key| field(value, key)).filter_map(|text| Some(Item::text(text.as_str()?, text))).collect()
}

fn inline<'a>(part: Value<'a>, value: Value<'a>) -> Read<Item<'a>> {
    let media_type = string_of(value, "mimeType", "mime_type");
    let kind = media_type.as_deref().filter(|kind| !kind.is_empty()).map_or(MediaKind::Image, MediaKind::of_type);
    let media = Media::base64(kind, required(value, "data")?, media_type);
    Ok(Item::media(media.named(string_of(value, "displayName", "display_name")), part))
}

fn file<'a>(part: Value<'a>, value: Value<'a>) -> Read<Item<'a>> {
    let media_type = string_of(value, "mimeType", "mime_type");
    let kind = MediaKind::of_declared(media_type.as_deref());
    let uri = string_of(value, "fileUri", "file_uri").ok_or_else(|| Unreadable::new(value, "`fileUri` is missing"))?;
    let media = Media::url(kind, uri).with_type(media_type);
    Ok(Item::media(media.named(string_of(value, "displayName", "display_name")), part))
}

/// Members of a response that wrap what the tool gave.
const WRAPPERS: [&str; 4] = ["output", "result", "content", "error"];

/// Returns whether an error is more than an empty text, zero or false.
fn says_something(value: Value<'_>) -> bool {
    !matches!(value.raw(), "null" | "false" | "0" | "\"\"")
}

/// The result of a tool: the API documents `output` for what it gave, `error` for why it failed; else all of the response.
fn response(value: Value<'_>) -> Read<ToolResult<'_>> {
    let response = field(value, "response");
    let mut items = Vec::new();
    let mut is_error = None;
    if let Some(response) = response {
        must_be_object(response, "`response`")?;
        let keys: BTreeSet<_> = response.members().filter_map(|(key, _)| key.as_str()).collect();
        let alone = WRAPPERS.iter().find(|known| keys.len() == 1 && keys.contains(**known));
        let wrapped = alone.and_then(|key| Some((*key, response.get(key)?)));
        // An error of nothing is no failure.
        match wrapped.filter(|(key, inner)| *key != "error" || says_something(*inner)) {
            _ if keys.is_empty() => {}
            Some((key, inner)) => {
                is_error = if key == "error" { Some(true) } else { (key == "output").then_some(false) };
                items.extend(items_of_value(inner));
            }
            None => {
                is_error = field(response, "error").is_some_and(says_something).then_some(true);
                // The blocks of a tool result of the Model Context Protocol.
                let blocks = field(response, "content").filter(|list| list.is_array()).map(items_of_value);
                match blocks {
                    Some(blocks) if says_failure(response) || field(response, "structuredContent").is_some() => {
                        is_error =
                            is_error.or(field(response, "isError").and_then(Value::as_bool).filter(|flag| *flag));
                        items.extend(blocks);
                    }
                    _ => items.push(Item::new(Content::Data(response), response)),
                }
            }
        }
    }
    for part in field(value, "parts").into_iter().flat_map(list_of) {
        items.extend(self::part(part, Speaker::Tool)?);
    }
    let result = ToolResult::new(string(value, "id")?.filter(|id| !id.is_empty()), items);
    let result = result.named(string(value, "name")?).failed(is_error);
    Ok(ToolResult { whole: response, listed: response.and_then(listed), ..result })
}

/// Whether a value says, as a result of the Model Context Protocol does, that a tool failed or did not.
fn says_failure(value: Value<'_>) -> bool {
    field(value, "isError").is_some_and(|flag| flag.as_bool().is_some())
}

/// A value as text, as MCP blocks, or as the value that it is.
fn items_of_value(value: Value<'_>) -> Vec<Item<'_>> {
    // A list of blocks, or a whole result of the Model Context Protocol.
    let of_result = field(value, "content").filter(|_| says_failure(value));
    of_result.and_then(blocks).or_else(|| blocks(value)).unwrap_or_else(|| vec![Item::of_value(value)])
}

/// The blocks of a list of the Model Context Protocol. What is no block in such a list is a value.
fn blocks(list: Value<'_>) -> Option<Vec<Item<'_>>> {
    let blocks: Vec<_> = list.items().map(|item| (item, crate::mcp::block(item))).collect();
    let is_list = blocks.iter().any(|(_, block)| block.is_ok());
    let items = blocks.into_iter().map(|(item, block)| block.unwrap_or_else(|_| Item::new(Content::Data(item), item)));
    is_list.then(|| items.collect())
}
