//! What an output says, read as each dialect defines it and by nobody's reader.
//!
//! Lenient where it must be (a broken output is looked at too), literal everywhere else: no aliases, no mending.

mod ai_sdk;
mod bedrock;
mod gemini;
mod langchain;
mod lossless_claw;
mod mcp;
mod openai_responses;
mod openviking;

use std::borrow::Cow;

use wirecanon_json::{Json, Limits, Value, parse_lines};
use wirecanon_model::{Dialect, Error};

/// A document: one JSON value, or one a line.
pub(super) fn document(text: &str) -> Result<Json<'_>, Error> {
    let limits = Limits::default();
    Ok(Json::parse(text, &limits).or_else(|error| parse_lines(text, &limits).map_err(|_| error))?)
}

/// One message, or the part of it that one speaker says.
#[derive(Debug, Default)]
pub(super) struct Turn<'a> {
    /// What is said, reasoning too
    pub(super) texts: Vec<Cow<'a, str>>,
    pub(super) calls: Vec<Call<'a>>,
    pub(super) results: Vec<ToolResult<'a>>,
    /// Pictures, recordings and files, those in results too
    pub(super) media: Vec<Media<'a>>,
}

#[derive(Debug)]
pub(super) struct Call<'a> {
    /// The whole block
    pub(super) value: Value<'a>,
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) name: Option<Cow<'a, str>>,
    /// A string of JSON text, or the object itself, as the dialect has it
    pub(super) arguments: Option<Value<'a>>,
}

impl<'a> Call<'a> {
    /// The JSON text of the arguments.
    pub(super) fn text(&self) -> Option<Cow<'a, str>> {
        let value = self.arguments?;
        let text = value.as_str().unwrap_or(Cow::Borrowed(value.raw()));
        let in_metadata = self.value.get("metadata").is_some_and(|metadata| metadata.index() == value.index());
        if in_metadata { lossless_claw::given(&text).map(Cow::Owned) } else { Some(text) }
    }
}

#[derive(Debug, Default)]
pub(super) struct ToolResult<'a> {
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) texts: Vec<Cow<'a, str>>,
    pub(super) is_error: Option<bool>,
}

#[derive(Debug)]
pub(super) struct Media<'a> {
    /// The whole block
    pub(super) value: Value<'a>,
    pub(super) content: Content<'a>,
}

/// What a picture, recording or file is made of.
#[derive(Debug)]
pub(super) enum Content<'a> {
    /// Base64 text
    Data(Cow<'a, str>),
    /// An address
    Address,
    /// Nothing that could be either
    Nothing,
}

/// The turns of a document in this dialect.
pub(super) fn turns(root: Value<'_>, dialect: Dialect) -> Vec<Turn<'_>> {
    match dialect {
        Dialect::McpToolResult => vec![result_alone(root)],
        Dialect::McpPrompt | Dialect::McpSampling => mcp::turns(root),
        Dialect::AiSdkModel => ai_sdk::model(root),
        Dialect::AiSdkUi => ai_sdk::ui(root),
        Dialect::OpenAiResponses => openai_responses::turns(root),
        Dialect::GeminiContents => gemini::turns(root),
        Dialect::BedrockConverse => bedrock::turns(root),
        _ => messages(root, dialect),
    }
}

/// The turns of a list of messages with a role.
fn messages(root: Value<'_>, dialect: Dialect) -> Vec<Turn<'_>> {
    let mut turns = Vec::new();
    // Elsewhere a member of this name is nothing that the dialect knows.
    if let Some(system) = root.get("system").filter(|_| dialect == Dialect::AnthropicMessages) {
        let mut turn = Turn::default();
        blocks(system, dialect, &mut turn, None);
        turns.push(turn);
    }
    let list = root.get("messages").unwrap_or(root);
    if let Some(turn_of) = framework(dialect) {
        if list.is_array() {
            turns.extend(list.items().map(turn_of));
        } else {
            turns.push(turn_of(list));
        }
        return turns;
    }
    if list.is_array() {
        turns.extend(list.items().map(|message| turn(message, dialect)));
    } else {
        turns.push(turn(list, dialect));
    }
    turns
}

/// How a message of a framework's own storage is looked at.
fn framework(dialect: Dialect) -> Option<for<'a> fn(Value<'a>) -> Turn<'a>> {
    match dialect {
        Dialect::LangChain => Some(langchain::turn),
        Dialect::LosslessClaw => Some(lossless_claw::turn),
        Dialect::OpenViking => Some(openviking::turn),
        _ => None,
    }
}

fn result_alone(root: Value<'_>) -> Turn<'_> {
    let mut turn = Turn::default();
    let mut result = ToolResult { is_error: root.get("isError").and_then(Value::as_bool), ..ToolResult::default() };
    if let Some(content) = root.get("content") {
        blocks(content, Dialect::McpToolResult, &mut turn, Some(&mut result));
    }
    turn.results.push(result);
    turn
}

fn turn(message: Value<'_>, dialect: Dialect) -> Turn<'_> {
    let mut turn = Turn::default();
    let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
    let id_key = match (dialect, &*role) {
        (Dialect::Canonical | Dialect::OpenClaw, "toolResult") => Some("toolCallId"),
        (Dialect::OpenAiChat | Dialect::MistralChat | Dialect::OllamaChat | Dialect::CohereV2, "tool") => {
            Some("tool_call_id")
        }
        _ => None,
    };
    let content = message.get("content");
    if let Some(key) = id_key {
        let mut result = ToolResult {
            id: message.get(key).and_then(Value::as_str),
            texts: Vec::new(),
            is_error: message.get("isError").and_then(Value::as_bool),
        };
        if let Some(content) = content {
            blocks(content, dialect, &mut turn, Some(&mut result));
        }
        turn.results.push(result);
    } else if let Some(content) = content {
        blocks(content, dialect, &mut turn, None);
    }
    if dialect == Dialect::OllamaChat {
        turn.texts.extend(message.get("thinking").and_then(Value::as_str));
        let images = message.get("images").into_iter().flat_map(Value::items);
        turn.media.extend(
            images.map(|value| Media { value, content: value.as_str().map_or(Content::Nothing, Content::Data) }),
        );
    }
    if dialect == Dialect::CohereV2 {
        turn.texts.extend(message.get("tool_plan").and_then(Value::as_str));
    }
    if matches!(dialect, Dialect::OpenAiChat | Dialect::MistralChat | Dialect::OllamaChat | Dialect::CohereV2)
        && let Some(calls) = message.get("tool_calls")
    {
        turn.calls.extend(calls.items().map(|value| {
            let custom = value.get("type").is_some_and(|kind| kind.is_str("custom"));
            let (body, arguments) = if custom { ("custom", "input") } else { ("function", "arguments") };
            let body = value.get(body);
            Call {
                value,
                id: value.get("id").and_then(Value::as_str),
                name: body.and_then(|body| body.get("name")).and_then(Value::as_str),
                arguments: body.and_then(|body| body.get(arguments)),
            }
        }));
    }
    turn
}

/// Reads content into a turn; its words into `result` where it is a result's.
fn blocks<'a>(content: Value<'a>, dialect: Dialect, turn: &mut Turn<'a>, mut result: Option<&mut ToolResult<'a>>) {
    if let Some(text) = content.as_str() {
        result.map_or(&mut turn.texts, |result| &mut result.texts).push(text);
        return;
    }
    for block in content.items() {
        let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
        let call = |id: &str, arguments: &str| Call {
            value: block,
            id: block.get(id).and_then(Value::as_str),
            name: block.get("name").and_then(Value::as_str),
            arguments: block.get(arguments),
        };
        match (dialect, &*kind) {
            (Dialect::MistralChat, "thinking") => {
                let words = block.get("thinking").into_iter().flat_map(Value::items);
                turn.texts.extend(words.filter_map(|piece| piece.get("text").and_then(Value::as_str)));
            }
            (Dialect::MistralChat, "image_url") => {
                let url =
                    block.get("image_url").and_then(|image| image.as_str().or_else(|| image.get("url")?.as_str()));
                turn.media.push(Media { value: block, content: url.map_or(Content::Nothing, |url| address(&url)) });
            }
            (Dialect::MistralChat, "document_url") => {
                let url = block.get("document_url").and_then(Value::as_str);
                turn.media.push(Media { value: block, content: url.map_or(Content::Nothing, |url| address(&url)) });
            }
            // Base64 or an address: which of them, only the server knows.
            (Dialect::MistralChat, "input_audio" | "file") => {}
            (_, "text" | "refusal" | "thinking") => {
                if let Some(text) = block.get(&kind).and_then(Value::as_str) {
                    result.as_deref_mut().map_or(&mut turn.texts, |result| &mut result.texts).push(text);
                }
            }
            (Dialect::AnthropicMessages, "image" | "document") => {
                let source = block.get("source");
                turn.media.push(Media { value: block, content: anthropic_source(source) });
            }
            (Dialect::OpenAiChat | Dialect::CohereV2, "image_url") => {
                let url = block.get("image_url").and_then(|image| image.get("url")).and_then(Value::as_str);
                turn.media.push(Media { value: block, content: url.map_or(Content::Nothing, |url| address(&url)) });
            }
            (Dialect::CohereV2, "document") => {
                let data = block.get("document").and_then(|document| document.get("data"));
                if let (Some(data), Some(result)) = (data, result.as_deref_mut()) {
                    result.texts.push(Cow::Borrowed(data.raw()));
                    result.texts.extend(data.members().filter_map(|(_, value)| value.as_str()));
                }
            }
            (Dialect::OpenAiChat, "input_audio") => {
                turn.media.push(Media { value: block, content: data(block.get("input_audio"), "data") });
            }
            (_, "image" | "audio" | "file") if dialect != Dialect::OpenAiChat => {
                turn.media.push(Media { value: block, content: data(Some(block), "data") });
            }
            (Dialect::Canonical | Dialect::OpenClaw, "toolCall") => turn.calls.push(call("id", "arguments")),
            (Dialect::AnthropicMessages, "tool_use") => turn.calls.push(call("id", "input")),
            // A result holds no result: `result` is `None` at the level where one may stand, so this goes one deep.
            (Dialect::AnthropicMessages, "tool_result") if result.is_none() => {
                let mut inner = ToolResult {
                    id: block.get("tool_use_id").and_then(Value::as_str),
                    texts: Vec::new(),
                    is_error: Some(block.get("is_error").and_then(Value::as_bool).unwrap_or(false)),
                };
                if let Some(content) = block.get("content") {
                    blocks(content, dialect, turn, Some(&mut inner));
                }
                turn.results.push(inner);
            }
            _ => {}
        }
    }
}

fn data<'a>(holder: Option<Value<'a>>, key: &str) -> Content<'a> {
    holder.and_then(|holder| holder.get(key)).and_then(Value::as_str).map_or(Content::Nothing, Content::Data)
}

fn anthropic_source(source: Option<Value<'_>>) -> Content<'_> {
    let kind = source.and_then(|source| source.get("type")).and_then(Value::as_str).unwrap_or_default();
    match &*kind {
        "base64" => data(source, "data"),
        "url" | "file" | "text" | "content" => Content::Address,
        _ => Content::Nothing,
    }
}

fn address<'a>(url: &str) -> Content<'a> {
    match url.strip_prefix("data:") {
        None if url.is_empty() => Content::Nothing,
        None => Content::Address,
        Some(rest) => match rest.split_once(";base64,") {
            Some((_, data)) => Content::Data(Cow::Owned(data.to_owned())),
            None => Content::Nothing,
        },
    }
}
