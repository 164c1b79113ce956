//! rig-core: the request bodies of its providers for a list of OpenAI chat messages, built as rig's own messages.

#[path = "../wirecanon_chat.rs"]
mod wirecanon_chat;
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
use wirecanon_chat::{data_url, list_of, other_member, shown};
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
    let list = list.as_array().map_or(std::slice::from_ref(list), Vec::as_slice);
    // A result may come before its call, and rig's results have the name of their tool.
    let calls = list.iter().filter_map(|message| message["tool_calls"].as_array()).flatten();
    let all: Vec<(String, ToolName)> = calls.filter_map(|call| named(call).ok()).collect();
    for message in list {
        if let Some(other) = other_member(message, &[]) {
            return Err(unknown(&other));
        }
        match message["role"].as_str() {
            Some("system" | "developer") => messages.push(Message::system(words(&message["content"])?)),
            Some("user") => messages.push(Message::User { content: parts(&message["content"])? }),
            Some("assistant") => messages.push(assistant(message, &mut names)?),
            Some("tool") => {
                let result = result(message, &names, &all)?;
                match messages.last_mut() {
                    Some(Message::User { content }) if matches!(content.last(), Some(UserContent::ToolResult(_))) => {
                        content.push(UserContent::ToolResult(result));
                    }
                    _ => messages.push(Message::tool_results(vec![result])),
                }
            }
            role => return Err(("unrepresentable-input", format!("rig has no message of role {role:?}"))),
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
    let said = words(&message["content"])?;
    let mut content = Vec::new();
    if let Some(reasoning) = message["reasoning_content"].as_str().filter(|text| !text.is_empty()) {
        content.push(AssistantContent::reasoning(reasoning));
    }
    if !said.is_empty() {
        content.push(AssistantContent::text(said));
    }
    match &message["refusal"] {
        Value::Null => {}
        // As rig's own reader of OpenAI's answers does it.
        refusal => content.push(AssistantContent::text(refusal.as_str().ok_or_else(|| unknown(refusal))?)),
    }
    for call in list_of(message, "tool_calls").map_err(unknown)? {
        let (id, name) = named(call)?;
        let function = ToolFunction::new(name.clone(), call["function"]["arguments"].clone());
        content.push(AssistantContent::ToolCall(ToolCall::from_wire(&id, function)));
        names.push((id, name));
    }
    if content.is_empty() {
        content.push(AssistantContent::text(""));
    }
    Ok(Message::Assistant(AssistantMessage::new(content)))
}

/// The id and the name of a call.
fn named(call: &Value) -> Result<(String, ToolName), Misfit> {
    let id = call["id"].as_str().unwrap_or_default();
    let name = ToolName::try_from(call["function"]["name"].as_str().unwrap_or_default());
    Ok((id.to_owned(), name.map_err(|error| ("unrepresentable-input", error.to_string()))?))
}

fn result(message: &Value, names: &[(String, ToolName)], all: &[(String, ToolName)]) -> Result<ToolResult, Misfit> {
    let id = message["tool_call_id"].as_str().unwrap_or_default();
    if id.is_empty() {
        let why = "rig gives a call without an id one of its own, which no result can know";
        return Err(("unrepresentable-input", why.to_owned()));
    }
    let name = names.iter().rev().chain(all).find(|(call, _)| call == id).map(|(_, name)| name.clone());
    let why = "rig's results have the name of their tool, and no call has this id";
    let name = name.ok_or(("unrepresentable-input", why.to_owned()))?;
    let content = parts(&message["content"])?.into_iter().map(|content| match content {
        UserContent::Text(text) => Ok(ToolResultContent::Text(text)),
        UserContent::Image(image) => Ok(ToolResultContent::Image(image)),
        _ => Err(("unrepresentable-input", "rig's results hold texts and pictures".to_owned())),
    });
    Ok(ToolResult { call: CallId::from_wire(id), name, content: content.collect::<Result<_, _>>()?, is_error: false })
}

/// Texts alone, one to a line.
fn words(content: &Value) -> Result<String, Misfit> {
    let text = |part: UserContent| match part {
        UserContent::Text(text) => Ok(text.text),
        _ => Err(unknown(content)),
    };
    Ok(parts(content)?.into_iter().map(text).collect::<Result<Vec<_>, _>>()?.join("\n"))
}

fn parts(content: &Value) -> Result<Vec<UserContent>, Misfit> {
    match content {
        Value::Null => Ok(vec![UserContent::text("")]),
        Value::String(text) => Ok(vec![UserContent::text(text)]),
        Value::Array(list) => list.iter().map(part).collect(),
        _ => Err(unknown(content)),
    }
}

/// The refusal of content that the adapter does not know.
fn unknown(content: &Value) -> Misfit {
    ("unrepresentable-input", format!("this adapter makes no rig content of {}", shown(content)))
}

fn part(part: &Value) -> Result<UserContent, Misfit> {
    if let Some(text) = part["text"].as_str().or_else(|| part["refusal"].as_str()) {
        return Ok(UserContent::text(text));
    }
    if let Some(url) = part["image_url"]["url"].as_str() {
        return Ok(match data_url(url) {
            Some((kind, data)) => UserContent::image_base64(data, ImageMediaType::from_mime_type(&kind), None),
            None => UserContent::image_url(url, None, None),
        });
    }
    if let Some((kind, data)) = part["file"]["file_data"].as_str().and_then(data_url) {
        return Ok(UserContent::document_base64(data, DocumentMediaType::from_mime_type(&kind)));
    }
    Err(unknown(part))
}
