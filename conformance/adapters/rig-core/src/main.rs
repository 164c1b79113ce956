//! rig-core: the request bodies of its providers for a list of OpenAI chat messages, built as rig's own messages.

#[path = "../wirecanon_testee.rs"]
mod wirecanon_testee;

use rig_core::completion::message::{
    AssistantContent, ToolFunction, ToolName, ToolResult, ToolResultContent, UserContent,
};
use rig_core::completion::message::{
    AssistantMessage, CallId, DocumentMediaType, ImageMediaType, Message, MimeType, ToolCall,
};
use rig_core::completion::{CompletionRequest, ToolDefinition};
use rig_core::providers::anthropic::AnthropicConfig;
use rig_core::providers::gemini::GeminiConfig;
use rig_core::providers::openai::OpenAIConfig;
use rig_core::test_utils::RecordingHttpClient;
use serde_json::{Value, json};
use wirecanon_testee::{Answer, Testee};

fn main() {
    let mut testee = Testee::new("rig-core", "0.44.0");
    testee.converts("openai.chat", "anthropic.messages", &["anthropic"], |text| {
        sent(text, &["system", "messages"], async |http, request| {
            AnthropicConfig::new("k").connect(http).completion("claude-sonnet-4-5").call(request).await.map(drop)
        })
    });
    testee.converts("openai.chat", "openai.chat", &["openai"], |text| {
        sent(text, &["messages"], async |http, request| {
            OpenAIConfig::new("k").connect(http).chat("gpt-4.1").call(request).await.map(drop)
        })
    });
    testee.converts("openai.chat", "openai.responses", &["openai-responses"], |text| {
        sent(text, &["instructions", "input"], async |http, request| {
            OpenAIConfig::new("k").connect(http).responses("gpt-5.1").call(request).await.map(drop)
        })
    });
    testee.converts("openai.chat", "gemini.contents", &["gemini"], |text| {
        sent(text, &["systemInstruction", "contents"], async |http, request| {
            GeminiConfig::new("k").connect(http).completion("gemini-2.5-flash").call(request).await.map(drop)
        })
    });
    testee.run();
}

/// The body that a provider sends; its transport keeps the request and answers with nothing.
fn sent<E: std::fmt::Display>(
    text: &str,
    keys: &[&str],
    call: impl AsyncFnOnce(RecordingHttpClient, CompletionRequest) -> Result<(), E>,
) -> Answer {
    let request = match requested(text) {
        Ok(request) => request,
        Err((code, why)) => return Answer::Refused(code, why),
    };
    let http = RecordingHttpClient::new("{}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let said = runtime.map(|runtime| runtime.block_on(call(http.clone(), request)));
    let Some(kept) = http.requests().into_iter().next() else {
        return match said {
            Ok(Err(error)) => Answer::Refused("other", error.to_string()),
            _ => Answer::Failed("rig sent no request, and said nothing".to_owned()),
        };
    };
    match serde_json::from_slice::<Value>(&kept.body) {
        Ok(mut body) => {
            let members = keys.iter().filter_map(|key| Some((*key, body.get_mut(*key)?.take())));
            Answer::Output(json!(members.collect::<std::collections::BTreeMap<_, _>>()).to_string())
        }
        Err(error) => Answer::Failed(error.to_string()),
    }
}

/// What rig's types have no place for, by the code of the refusal.
type Misfit = (&'static str, String);

/// The messages as rig's types have them.
fn requested(text: &str) -> Result<CompletionRequest, Misfit> {
    let document: Value = serde_json::from_str(text).map_err(|error| ("other", error.to_string()))?;
    let list = document.get("messages").unwrap_or(&document);
    let mut messages: Vec<Message> = Vec::new();
    let mut names: Vec<(String, ToolName)> = Vec::new();
    let alone = std::slice::from_ref(list);
    for message in list.as_array().map_or(alone, Vec::as_slice) {
        match message["role"].as_str() {
            Some("system" | "developer") => messages.push(Message::system(words(&message["content"]))),
            Some("user") => messages.push(Message::User { content: parts(&message["content"])? }),
            Some("assistant") => messages.push(assistant(message, &mut names)?),
            Some("tool") => {
                let result = result(message, &names)?;
                match messages.last_mut() {
                    Some(Message::User { content }) if matches!(content.last(), Some(UserContent::ToolResult(_))) => {
                        content.push(UserContent::ToolResult(result));
                    }
                    _ => messages.push(Message::tool_results(vec![result])),
                }
            }
            role => return Err(("other", format!("rig has no message of role {role:?}"))),
        }
    }
    let prompt = messages.pop().ok_or(("other", "rig's requests have a message at least".to_owned()))?;
    let mut request = CompletionRequest::new(prompt).messages(messages);
    names.sort_by(|left, right| left.1.cmp(&right.1));
    names.dedup_by(|left, right| left.1 == right.1);
    // Without the tools, rig writes a history of calls as words.
    request.tools = names
        .into_iter()
        .map(|(_, name)| ToolDefinition::new(name, "", json!({"type": "object", "properties": {}})))
        .collect();
    Ok(request)
}

fn assistant(message: &Value, names: &mut Vec<(String, ToolName)>) -> Result<Message, Misfit> {
    let said = words(&message["content"]);
    let mut content = Vec::new();
    if !said.is_empty() {
        content.push(AssistantContent::text(said));
    }
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let id = call["id"].as_str().unwrap_or_default();
        let name = ToolName::try_from(call["function"]["name"].as_str().unwrap_or_default())
            .map_err(|error| ("unrepresentable-input", error.to_string()))?;
        let function = ToolFunction::parse(name.clone(), call["function"]["arguments"].as_str().unwrap_or_default());
        names.push((id.to_owned(), name));
        content.push(AssistantContent::ToolCall(ToolCall::from_wire(id, function)));
    }
    Ok(Message::Assistant(AssistantMessage::new(content)))
}

fn result(message: &Value, names: &[(String, ToolName)]) -> Result<ToolResult, Misfit> {
    let id = message["tool_call_id"].as_str().unwrap_or_default();
    if id.is_empty() {
        return Err(("unpaired", "rig gives a call without an id one of its own, which no result can know".to_owned()));
    }
    let name = names.iter().rev().find(|(call, _)| call == id).map(|(_, name)| name.clone());
    let name = name
        .ok_or_else(|| ("unpaired", "rig's results have the name of their tool, and no call has this id".to_owned()))?;
    let content = parts(&message["content"])?.into_iter().map(|content| match content {
        UserContent::Text(text) => Ok(ToolResultContent::Text(text)),
        UserContent::Image(image) => Ok(ToolResultContent::Image(image)),
        _ => Err(("unrepresentable-input", "rig's results hold texts and pictures".to_owned())),
    });
    Ok(ToolResult { call: CallId::from_wire(id), name, content: content.collect::<Result<_, _>>()?, is_error: false })
}

fn words(content: &Value) -> String {
    let texts = |list: &Vec<Value>| list.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n");
    content.as_str().map_or_else(|| content.as_array().map_or_else(String::new, texts), str::to_owned)
}

fn parts(content: &Value) -> Result<Vec<UserContent>, Misfit> {
    let Some(list) = content.as_array() else { return Ok(vec![UserContent::text(words(content))]) };
    list.iter().map(part).collect()
}

fn part(part: &Value) -> Result<UserContent, Misfit> {
    if let Some(text) = part["text"].as_str() {
        return Ok(UserContent::text(text));
    }
    if let Some(url) = part["image_url"]["url"].as_str() {
        return Ok(match encoded(url) {
            Some((kind, data)) => UserContent::image_base64(data, ImageMediaType::from_mime_type(kind), None),
            None => UserContent::image_url(url, None, None),
        });
    }
    if let Some((kind, data)) = part["file"]["file_data"].as_str().and_then(encoded) {
        return Ok(UserContent::document_base64(data, DocumentMediaType::from_mime_type(kind)));
    }
    Err(("unrepresentable-input", format!("this adapter makes no rig content of {}", part["type"])))
}

fn encoded(url: &str) -> Option<(&str, &str)> {
    url.strip_prefix("data:")?.split_once(";base64,")
}
