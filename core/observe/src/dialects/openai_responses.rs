//! `input` items of the OpenAI Responses API.

use std::borrow::Cow;

use hashbrown::HashSet;
use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::builder::Builder;
use crate::compare::lists;
use crate::document::Document;
use crate::observation::{Arguments, Attribute, Content, Item, Media, MediaKind, Speaker, Tool, ToolResult};
use crate::settings::{CAMEL_CASE, response_format, tool_choice};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    ASSISTANT, SYSTEM, USER, array, field, foreign_error_flag, kind, label, must_be_object, object, raw, required,
    required_field, speaker, string, text_of, text_or_blocks, unknown_block,
};

const DIALECT: Dialect = Dialect::OpenAiResponses;

lists! {
    /// Items that the model or the server puts out
    SERVER = "file_search_call web_search_call computer_call code_interpreter_call image_generation_call \
        local_shell_call shell_call apply_patch_call tool_search_call mcp_list_tools mcp_approval_request mcp_call \
        program compaction compaction_summary item_reference";
    /// Items that the client gives
    CLIENT = "computer_call_output local_shell_call_output shell_call_output apply_patch_call_output \
        tool_search_output program_output mcp_approval_response compaction_trigger additional_tools \
        configuration_update";
}

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    if root.is_string() {
        builder.turn(Speaker::User, root, vec![Item::text(text_of(root, "input")?, root)]);
        return Ok(());
    }
    let is_item = |value: Value<'_>| value.get("type").is_some() || value.get("role").is_some();
    let document = match field(root, "input") {
        // The input of a custom call is a string, too.
        Some(input) if input.is_string() && root.get("type").is_none() => {
            body(builder, root)?;
            builder.turn(Speaker::User, root, vec![Item::text(text_of(input, "input")?, input)]);
            return Ok(());
        }
        None if field(root, "output").is_some_and(Value::is_array) && field(root, "type").is_none() => {
            Document { messages: array(root, "output")?.collect(), body: None }
        }
        _ => Document::find(root, "input", is_item)?,
    };
    if let Some(root) = document.body {
        body(builder, root)?;
    }
    let answered = answered(&document.messages);
    if document.body.is_some_and(goes_on) || document.messages.iter().any(may_be_a_call) {
        builder.keep_orphans();
    }
    for item in document.messages {
        self::item(builder, item, &answered)?;
    }
    Ok(())
}

/// Returns whether a request goes on with a conversation that the server stores, calls among them.
fn goes_on(body: Value<'_>) -> bool {
    ["previous_response_id", "conversation"].into_iter().any(|key| field(body, key).is_some())
}

/// Returns whether an item may be a call without being read as one: what a reference stands for, or a call of the shell.
fn may_be_a_call(item: &Value<'_>) -> bool {
    match field(*item, "type") {
        Some(kind) => kind.as_str().is_some_and(|kind| SERVER.has(&kind) || CLIENT.has(&kind)),
        None => field(*item, "role").is_none(),
    }
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    must_be_object(value, "an item")?;
    let kind = string(value, "type")?.unwrap_or_default();
    Ok(vec![match &*kind {
        "input_text" | "output_text" | "refusal" | "input_image" | "input_file" => {
            let role = match speaker {
                Speaker::Assistant => "assistant",
                Speaker::Tool => "output",
                Speaker::System => "system",
                Speaker::User => "user",
            };
            part(value, role)?
        }
        "reasoning" => reasoning(value)?,
        "function_call" | "custom_tool_call" => call(value, &kind)?,
        "function_call_output" | "custom_tool_call_output" => {
            provider(value, &kind, vec![Item::result(output(value)?, value)])
        }
        "" if field(value, "id").is_some() => provider(value, "item_reference", Vec::new()),
        kind if SERVER.has(kind) || CLIENT.has(kind) => server_item(value, kind)?,
        kind => return unknown_block(value, kind, "`input`"),
    }])
}

fn body<'a>(builder: &mut Builder<'a>, body: Value<'a>) -> Read<()> {
    if let Some(instructions) = field(body, "instructions") {
        if instructions.is_array() {
            for item in instructions.items() {
                if item.get("role").is_some() || item.get("type").is_some() {
                    self::item(builder, item, &HashSet::new())?;
                } else {
                    // No item: what stands there is read as words.
                    let words = item.as_str().unwrap_or(Cow::Borrowed(item.raw()));
                    builder.turn(Speaker::System, item, vec![Item::text(words, item)]);
                }
            }
        } else {
            let text = Item::text(text_of(instructions, "instructions")?, instructions);
            builder.turn(Speaker::System, instructions, vec![text]);
        }
    }
    for tool in builder.definitions(body, "tools")? {
        definition(builder, tool, None)?;
    }
    builder.tool_choice(field(body, "tool_choice"), tool_choice);
    builder.parallel_calls(field(body, "parallel_tool_calls"), true);
    // Settings of another type say nothing of the conversation.
    let format = field(body, "text").and_then(|text| field(text, "format"));
    builder.response_format(format, |format| response_format(format, &[]));
    builder.generation(body, CAMEL_CASE);
    builder.reasoning_settings(body, &["reasoning"]);
    builder.context(body, &["previous_response_id", "conversation", "prompt", "context_management"]);
    Ok(())
}

/// Reads a tool that a search for tools found.
pub(crate) fn found_tool<'a>(builder: &mut Builder<'a>, tool: Value<'a>) -> Read<()> {
    definition(builder, tool, None)
}

fn definition<'a>(builder: &mut Builder<'a>, tool: Value<'a>, space: Option<&str>) -> Read<()> {
    must_be_object(tool, "a tool")?;
    let kind = string(tool, "type")?;
    if kind.as_deref() == Some("namespace") && space.is_none() {
        let name = required(tool, "name")?;
        for inner in array(tool, "tools")? {
            definition(builder, inner, Some(&name))?;
        }
        builder.tool(Tool { name, ..tools::of_provider("namespace", tool) });
        return Ok(());
    }
    let is_own = kind.as_deref().is_some_and(|kind| kind != "function" && kind != "custom");
    // The client runs this search as it runs a function.
    let is_clients = kind.as_deref() == Some("tool_search")
        && field(tool, "execution").is_some_and(|execution| execution.is_str("client"))
        && field(tool, "parameters").is_some_and(Value::is_object);
    let name = match (&kind, is_own) {
        (Some(kind), true) => string(tool, "name")?.or(string(tool, "server_label")?).unwrap_or_else(|| kind.clone()),
        _ => required(tool, "name")?,
    };
    let name = builder.name_in_space(space, name);
    builder.tool(Tool {
        name,
        description: string(tool, "description")?,
        schema: object(tool, "parameters")?,
        is_custom: kind.as_deref() == Some("custom"),
        provider_type: kind.filter(|_| is_own && !is_clients),
        fields: tool,
        place: tool,
    });
    Ok(())
}

/// The ids of calls that the client has answered as it answers those of functions.
fn answered<'a>(items: &[Value<'a>]) -> HashSet<Cow<'a, str>> {
    let is_output = |item: &&Value<'a>| item.get("type").is_some_and(|kind| kind.is_str("function_call_output"));
    items.iter().filter(is_output).filter_map(|item| item.get("call_id")?.as_str()).collect()
}

fn item<'a>(builder: &mut Builder<'a>, item: Value<'a>, answered: &HashSet<Cow<'a, str>>) -> Read<()> {
    must_be_object(item, "an item")?;
    let kind = string(item, "type")?;
    match kind.as_deref() {
        Some("function_call_output" | "custom_tool_call_output") => {
            builder.result(output(item)?.failed(foreign_error_flag(item)), item);
        }
        Some("function_call" | "custom_tool_call" | "reasoning") => {
            let mut items = items(item, Speaker::Assistant)?;
            for read in &mut items {
                if let Content::Call(call) = &mut read.content {
                    let space = string(item, "namespace")?;
                    let space = space.as_deref().map(str::trim).filter(|space| !space.is_empty());
                    call.name = builder.name_in_space(space, call.name.clone());
                }
            }
            builder.turn(Speaker::Assistant, item, items);
        }
        Some(kind) if SERVER.has(kind) => {
            let mut server = server_item(item, kind)?;
            // The client ran a call of its own shell.
            let is_answered = field(item, "call_id").and_then(Value::as_str).is_some_and(|id| answered.contains(&id));
            if let Content::Provider(provider) = &mut server.content
                && is_answered
                && provider.readable.len() == 1
            {
                server.content = provider.readable.remove(0).content;
            }
            builder.turn(Speaker::Assistant, item, vec![server]);
        }
        Some("additional_tools") => {
            for tool in builder.definitions(item, "tools")? {
                definition(builder, tool, None)?;
            }
        }
        Some(kind) if CLIENT.has(kind) => builder.turn(Speaker::User, item, vec![server_item(item, kind)?]),
        None if field(item, "role").is_none() && field(item, "id").is_some() => {
            builder.turn(Speaker::Assistant, item, vec![provider(item, "item_reference", Vec::new())]);
        }
        None | Some("message") => message(builder, item)?,
        Some(kind) => return unknown_block(item, kind, "`input`"),
    }
    Ok(())
}

fn output(item: Value<'_>) -> Read<ToolResult<'_>> {
    required_field(item, "output")?;
    let items = text_or_blocks(item, "output", |part| self::part(part, "output"))?;
    Ok(ToolResult::new(Some(required(item, "call_id")?), items.unwrap_or_default()))
}

fn message<'a>(builder: &mut Builder<'a>, item: Value<'a>) -> Read<()> {
    let speaker = speaker(item, &[USER, ASSISTANT, SYSTEM, ("developer", Speaker::System)])?;
    let role = required(item, "role")?;
    required_field(item, "content")?;
    let mut items = text_or_blocks(item, "content", |part| self::part(part, &role))?.unwrap_or_default();
    let status = string(item, "status")?;
    for item in &mut items {
        if role == "developer" {
            item.attributes.push((Attribute::Developer, Cow::Borrowed("true")));
        }
        item.attributes.extend(status.clone().map(|status| (Attribute::Status, status)));
    }
    builder.turn(speaker, item, items);
    Ok(())
}

fn part<'a>(part: Value<'a>, role: &str) -> Read<Item<'a>> {
    let kind = kind(part)?;
    let is_assistant = role == "assistant";
    let takes_media = matches!(role, "user" | "output");
    Ok(match &*kind {
        "output_text" if is_assistant => {
            Item::text(required(part, "text")?, part).with(Attribute::Citations, raw(part, "annotations"))
        }
        "refusal" if is_assistant => Item::text(required(part, "refusal")?, part),
        // Some servers take it for what the assistant items, too.
        "input_text" => Item::text(required(part, "text")?, part),
        "input_image" if takes_media => {
            let media = match (string(part, "image_url")?, string(part, "file_id")?) {
                (Some(url), _) => Media::url(MediaKind::Image, url),
                (None, Some(id)) => Media::file(MediaKind::Image, id),
                (None, None) => return Err(Unreadable::new(part, "the image has neither `image_url` nor `file_id`")),
            };
            Item::media(media, part).with(Attribute::Detail, string(part, "detail")?)
        }
        "input_file" if takes_media => file(part)?,
        _ => return unknown_block(part, &kind, &format!("{role} content")),
    })
}

fn file(part: Value<'_>) -> Read<Item<'_>> {
    let media = match (string(part, "file_data")?, string(part, "file_url")?, string(part, "file_id")?) {
        (Some(data), ..) => Media::url_or_base64(MediaKind::Document, data, None),
        (None, Some(url), _) => Media::url(MediaKind::Document, url),
        (None, None, Some(id)) => Media::file(MediaKind::Document, id),
        (None, None, None) => return Err(Unreadable::new(part, "the file has neither data, nor address, nor id")),
    };
    Ok(Item::media(media.named(label(part, "filename")), part))
}

fn reasoning(item: Value<'_>) -> Read<Item<'_>> {
    let mut text = String::new();
    for key in ["summary", "content"] {
        for part in array(item, key)? {
            must_be_object(part, "a part of reasoning")?;
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&required(part, "text")?);
        }
    }
    Ok(Item::reasoning(Cow::Owned(text), string(item, "encrypted_content")?, item))
}

fn call<'a>(item: Value<'a>, kind: &str) -> Read<Item<'a>> {
    let id = Some(required(item, "call_id")?);
    let name = required(item, "name")?;
    let arguments = if kind == "custom_tool_call" {
        Arguments::Input(required(item, "input")?)
    } else {
        string(item, "arguments")?.map_or(Arguments::Missing, Arguments::Text)
    };
    Ok(Item::call(id, name, arguments, item).with(Attribute::Status, string(item, "status")?))
}

fn provider<'a>(item: Value<'a>, kind: &str, readable: Vec<Item<'a>>) -> Item<'a> {
    let kind = Cow::Owned(kind.to_owned());
    Item::provider(DIALECT, kind, item, readable)
}

/// An item of the server's own tools: a call, or what came of it.
fn server_item<'a>(item: Value<'a>, kind: &str) -> Read<Item<'a>> {
    let id = string(item, "call_id")?.or(string(item, "id")?);
    let readable = match kind {
        "shell_call" => call_of(item, "shell", field(item, "action"), id),
        "local_shell_call" => call_of(item, "local_shell", field(item, "action"), id),
        "apply_patch_call" => call_of(item, "apply_patch", field(item, "operation"), id),
        "computer_call" => call_of(item, "computer", field(item, "action").or(Some(item)), id),
        "tool_search_call" if is_clients_search(item) => {
            let arguments = field(item, "arguments").map_or(Arguments::Missing, |arguments| match arguments.as_str() {
                Some(text) => Arguments::Text(text),
                None => Arguments::Value(arguments),
            });
            vec![Item::call(id, Cow::Borrowed("tool_search"), arguments, item)]
        }
        "tool_search_output" if is_clients_search(item) => {
            let items = field(item, "tools").map(Item::of_value).into_iter().collect();
            vec![Item::result(ToolResult::new(id, items), item)]
        }
        "code_interpreter_call" => call_of(item, "code_interpreter", Some(item), id),
        "web_search_call" => call_of(item, "web_search", field(item, "action"), id),
        "mcp_call" => {
            let mut readable = Vec::new();
            let arguments = string(item, "arguments")?.map_or(Arguments::Missing, Arguments::Text);
            readable.push(Item::call(id.clone(), required(item, "name")?, arguments, item));
            let failed = field(item, "error");
            if let Some(items) = failed.or(field(item, "output")) {
                let result = ToolResult::new(id, vec![Item::of_value(items)]);
                readable.push(Item::result(result.failed(Some(failed.is_some())), item));
            }
            readable
        }
        "shell_call_output" | "local_shell_call_output" | "apply_patch_call_output" => {
            let items = field(item, "output").or(field(item, "status")).map(Item::of_value).into_iter().collect();
            let failed = field(item, "status").map(|status| status.is_str("failed")).filter(|failed| *failed);
            vec![Item::result(ToolResult::new(id, items).failed(failed), item)]
        }
        "computer_call_output" => {
            let output = field(item, "output");
            let url = output.and_then(|output| field(output, "image_url"));
            let items = match url.and_then(|url| Some((url, url.as_str()?))) {
                Some((place, url)) => vec![Item::media(Media::url(MediaKind::Image, url), place)],
                None => output.map(Item::of_value).into_iter().collect(),
            };
            vec![Item::result(ToolResult::new(id, items), item)]
        }
        _ => Vec::new(),
    };
    Ok(provider(item, kind, readable))
}

/// Returns whether the client ran a search for tools.
fn is_clients_search(item: Value<'_>) -> bool {
    let is_server = field(item, "execution").is_some_and(|execution| execution.is_str("server"));
    !is_server && field(item, "call_id").and_then(Value::as_str).is_some_and(|id| !id.trim().is_empty())
}

fn call_of<'a>(
    item: Value<'a>,
    name: &'static str,
    arguments: Option<Value<'a>>,
    id: Option<Cow<'a, str>>,
) -> Vec<Item<'a>> {
    let arguments = arguments.map_or(Arguments::Missing, Arguments::Value);
    vec![Item::call(id, Cow::Borrowed(name), arguments, item)]
}
