//! Items of one API alone that are calls of a tool and what it answered: tools of an MCP server that Anthropic or `OpenAI` asked,
//! and the shell, the patches and the screen that a client runs for `OpenAI`. To any other model they are calls like others.

use std::borrow::Cow;

use crate::media;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Dialect;

/// What an item tells of a tool.
pub(crate) enum Told {
    /// That it was called
    Call(Call),
    /// What it answered
    Answer(Answer),
    /// Both in one
    Both(Call, Answer),
    /// That an answer may name a call by another id: the id of the call, and the other
    Alias(String, String),
}

/// A call of a tool.
pub(crate) struct Call {
    /// The ids by which its answer may name it, the one that it keeps first
    pub(crate) ids: Vec<String>,
    pub(crate) name: String,
    /// JSON text of an object
    pub(crate) arguments: String,
}

/// What a tool answered.
pub(crate) struct Answer {
    pub(crate) ids: Vec<String>,
    pub(crate) said: Said,
    pub(crate) is_error: bool,
}

pub(crate) enum Said {
    Texts(Vec<String>),
    /// A picture: its base64, and what its bytes are
    Picture(String, String),
}

/// What an item of this dialect tells of a tool, if it is such a one. Linear in its text.
pub(crate) fn told(dialect: &str, item: Value<'_>) -> Option<Told> {
    let kind = item.get("type")?.as_str()?;
    if dialect == Dialect::AnthropicMessages.name() {
        return anthropic(&kind, item);
    }
    if dialect == Dialect::OpenAiResponses.name() {
        return responses(&kind, item);
    }
    if dialect == Dialect::AiSdkModel.name() {
        return ai_sdk_model(&kind, item);
    }
    if dialect == Dialect::AiSdkUi.name() { ai_sdk_ui(&kind, item) } else { None }
}

/// What the user did not allow was answered all the same: by what they said (vercel/ai#17618, cloudflare/agents#955).
fn denied(approval: Value<'_>, ids: Vec<String>) -> Option<Answer> {
    approval.get("approved").and_then(Value::as_bool).filter(|approved| !approved)?;
    let reason = text(approval, "reason").unwrap_or_else(|| "output-denied".to_owned());
    Some(Answer { ids, said: Said::Texts(vec![reason]), is_error: true })
}

fn ai_sdk_model(kind: &str, item: Value<'_>) -> Option<Told> {
    match kind {
        // One that the provider ran has its result in its own words.
        "tool-call" if item.get("providerExecuted").and_then(Value::as_bool) != Some(true) => Some(Told::Call(Call {
            ids: ids(item, &["toolCallId"])?,
            name: text(item, "toolName")?,
            arguments: object(item.get("input")?)?,
        })),
        "tool-approval-request" => Some(Told::Alias(text(item, "toolCallId")?, text(item, "approvalId")?)),
        "tool-approval-response" => Some(Told::Answer(denied(item, ids(item, &["approvalId"])?)?)),
        _ => None,
    }
}

fn ai_sdk_ui(kind: &str, item: Value<'_>) -> Option<Told> {
    let name = if kind == "dynamic-tool" { text(item, "toolName")? } else { kind.strip_prefix("tool-")?.to_owned() };
    let ids = ids(item, &["toolCallId"])?;
    let answer = denied(item.get("approval")?, ids.clone())?;
    Some(Told::Both(Call { ids, name, arguments: object(item.get("input")?)? }, answer))
}

fn anthropic(kind: &str, item: Value<'_>) -> Option<Told> {
    match kind {
        "mcp_tool_use" => Some(Told::Call(Call {
            ids: ids(item, &["id"])?,
            name: text(item, "name")?,
            arguments: object(item.get("input")?)?,
        })),
        "mcp_tool_result" => {
            let content = item.get("content")?;
            let said = match content.as_str() {
                Some(words) => vec![words.into_owned()],
                None if content.is_array() => content.items().map(words).collect(),
                None => return None,
            };
            let is_error = item.get("is_error").and_then(Value::as_bool) == Some(true);
            Some(Told::Answer(Answer { ids: ids(item, &["tool_use_id"])?, said: Said::Texts(said), is_error }))
        }
        _ => None,
    }
}

fn responses(kind: &str, item: Value<'_>) -> Option<Told> {
    if kind == "mcp_call" {
        return mcp_call(item);
    }
    let ids = ids(item, &["call_id", "id"])?;
    let call = |name: &str, arguments: Value<'_>| {
        Some(Told::Call(Call { ids: ids.clone(), name: name.to_owned(), arguments: object(arguments)? }))
    };
    let answer = |said, is_error| Some(Told::Answer(Answer { ids: ids.clone(), said, is_error }));
    let output = item.get("output").filter(|output| !output.is_null());
    match kind {
        "shell_call" => call("shell", item.get("action")?),
        "local_shell_call" => call("local_shell", item.get("action")?),
        "apply_patch_call" => call("apply_patch", item.get("operation")?),
        "computer_call" => match item.get("action").filter(|action| action.is_object()) {
            Some(action) => call("computer", action),
            None => {
                let arguments = format!("{{\"actions\":{}}}", item.get("actions")?.raw());
                Some(Told::Call(Call { ids: ids.clone(), name: "computer".to_owned(), arguments }))
            }
        },
        "tool_search_call" if is_clients_search(item) => {
            let arguments = item.get("arguments")?;
            let arguments = match arguments.as_str() {
                Some(text) => {
                    let json = Json::parse(&text, &Limits::default()).ok()?;
                    object(json.root())?
                }
                None => object(arguments)?,
            };
            Some(Told::Call(Call { ids: ids.clone(), name: "tool_search".to_owned(), arguments }))
        }
        "tool_search_output" if is_clients_search(item) => answer(Said::Texts(vec![plain(item.get("tools")?)]), false),
        "shell_call_output" | "local_shell_call_output" => answer(Said::Texts(vec![plain(output?)]), false),
        "apply_patch_call_output" => {
            let failed = item.get("status").is_some_and(|status| status.is_str("failed"));
            answer(Said::Texts(vec![plain(output.or_else(|| item.get("status"))?)]), failed)
        }
        "computer_call_output" => answer(screenshot(output?), false),
        _ => None,
    }
}

/// Returns whether the client ran a search for tools: the server answers its own searches, which have no id.
fn is_clients_search(item: Value<'_>) -> bool {
    text(item, "call_id").is_some() && !item.get("execution").is_some_and(|execution| execution.is_str("server"))
}

/// A call that `OpenAI` made of an MCP server's tool holds what came of it.
fn mcp_call(item: Value<'_>) -> Option<Told> {
    let ids = ids(item, &["id"])?;
    let failed = item.get("error").filter(|error| !error.is_null());
    let said = failed.or_else(|| item.get("output").filter(|output| !output.is_null()))?;
    let arguments = item.get("arguments")?.as_str()?;
    let json = Json::parse(&arguments, &Limits::default()).ok()?;
    let call = Call { ids: ids.clone(), name: text(item, "name")?, arguments: object(json.root())? };
    Some(Told::Both(call, Answer { ids, said: Said::Texts(vec![plain(said)]), is_error: failed.is_some() }))
}

fn screenshot(output: Value<'_>) -> Said {
    let url = output.get("image_url").and_then(Value::as_str).unwrap_or_default();
    let data = media::split_data_url(&url).1.filter(|_| media::is_data_url(&url));
    match data.map(media::mend) {
        Some(Ok(picture)) => Said::Picture(picture.data.into_owned(), picture.mime_type.into_owned()),
        _ if !url.is_empty() && data.is_none() => Said::Texts(vec![url.into_owned()]),
        _ => Said::Texts(vec![plain(output)]),
    }
}

/// The words of a block, or its JSON text.
fn words(block: Value<'_>) -> String {
    let text = block.get("text").filter(|_| block.get("type").is_some_and(|kind| kind.is_str("text")));
    text.and_then(Value::as_str).map_or_else(|| plain(block), Cow::into_owned)
}

/// A string, or the JSON text of anything else.
fn plain(value: Value<'_>) -> String {
    value.as_str().unwrap_or_else(|| wirecanon_json::mend_surrogates(value.raw())).into_owned()
}

fn ids(item: Value<'_>, keys: &[&str]) -> Option<Vec<String>> {
    let found: Vec<_> = keys.iter().filter_map(|key| text(item, key)).collect();
    (!found.is_empty()).then_some(found)
}

fn text(item: Value<'_>, key: &str) -> Option<String> {
    item.get(key)?.as_str().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The exact text of an object.
fn object(value: Value<'_>) -> Option<String> {
    value.is_object().then(|| value.raw().to_owned())
}
