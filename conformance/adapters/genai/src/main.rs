//! genai: the request bodies of its providers for a list of OpenAI chat messages, built as genai's own.
//!
//! genai has no hook for a request, so each one goes to a server on 127.0.0.1 that keeps it and answers 400.

#[path = "../wirecanon_chat.rs"]
mod wirecanon_chat;
#[path = "../wirecanon_testee.rs"]
mod wirecanon_testee;

use genai::chat::{Binary, ChatMessage, ChatRequest, ContentPart, MessageContent, Tool, ToolCall, ToolResponse};
use genai::resolver::{AuthData, Endpoint, Error, ServiceTargetResolver};
use genai::{Client, ServiceTarget};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use wirecanon_chat::{data_url, list_of, other_member, shown};
use wirecanon_testee::{Answer, Testee};

/// What genai's types have no place for, by the code of the refusal.
type Misfit = (&'static str, String);

fn main() {
    let mut testee = Testee::new("genai", "0.7.2");
    let mut claim = |to, targets, model: &'static str, keys: &'static [&'static str]| {
        testee.converts("openai.chat", to, targets, move |text| sent(text, model, keys));
    };
    claim("anthropic.messages", &["anthropic"], "anthropic::claude-sonnet-4-5", &["system", "messages"]);
    claim("openai.chat", &["openai"], "openai::gpt-4.1", &["messages"]);
    claim("openai.responses", &["openai-responses"], "openai_resp::gpt-5.1", &["instructions", "input"]);
    claim("gemini.contents", &["gemini"], "gemini::gemini-2.5-flash", &["systemInstruction", "contents"]);
    claim("ollama.chat", &["ollama"], "ollama::llama3.2-vision", &["messages"]);
    testee.run();
}

fn sent(text: &str, model: &str, keys: &[&str]) -> Answer {
    let request = match requested(text) {
        Ok(request) => request,
        Err((code, why)) => return Answer::Refused(code, why),
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Answer::Failed(error.to_string()),
    };
    match runtime.block_on(kept(model, request)) {
        Ok(mut body) => {
            let members = keys.iter().filter_map(|key| Some((*key, body.get_mut(*key)?.take())));
            Answer::Output(json!(members.collect::<std::collections::BTreeMap<_, _>>()).to_string())
        }
        Err(why) => Answer::Failed(why),
    }
}

/// The body of the request, or what genai said before it sent one.
async fn kept(model: &str, request: ChatRequest) -> Result<Value, String> {
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let resolver =
        ServiceTargetResolver::from_resolver_fn(move |target: ServiceTarget| -> Result<ServiceTarget, Error> {
            let endpoint = Endpoint::from_owned(format!("http://{address}/v1/"));
            Ok(ServiceTarget { endpoint, auth: AuthData::from_single("k"), ..target })
        });
    let client = Client::builder().with_service_target_resolver(resolver).build().map_err(|error| error.to_string())?;
    let server = async {
        let (stream, _) = listener.accept().await?;
        answer(stream).await
    };
    tokio::select! {
        body = server => serde_json::from_slice(&body.map_err(|error| error.to_string())?).map_err(|error| error.to_string()),
        said = client.exec_chat(model, request, None) => Err(said.map_or_else(|error| error.to_string(), |_| "no request".to_owned())),
    }
}

async fn answer(mut stream: TcpStream) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let (head, length) = loop {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(bytes);
        }
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
        break (end + 4, length.unwrap_or(0_usize));
    };
    while bytes.len() < head + length && stream.read_buf(&mut bytes).await? > 0 {}
    stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}").await?;
    Ok(bytes.split_off(head))
}

/// The messages as genai's types have them.
fn requested(text: &str) -> Result<ChatRequest, Misfit> {
    let document: Value = serde_json::from_str(text).map_err(|error| unreadable("other", &error))?;
    let list = document.get("messages").unwrap_or(&document);
    let alone = std::slice::from_ref(list);
    let mut messages = Vec::new();
    let mut names: Vec<(String, String)> = Vec::new();
    for message in list.as_array().map_or(alone, Vec::as_slice) {
        if let Some(other) = other_member(message, &["reasoning_details"]) {
            return Err(unknown(&other));
        }
        match message["role"].as_str() {
            Some("system" | "developer") => messages.push(ChatMessage::system(parts(&message["content"])?)),
            Some("user") => messages.push(ChatMessage::user(parts(&message["content"])?)),
            Some("assistant") => {
                let mut content = parts(&message["content"])?;
                content.extend_front(
                    list_of(message, "reasoning_details")
                        .map_err(unknown)?
                        .iter()
                        .map(|item| ContentPart::from_custom(item.clone(), None)),
                );
                match &message["refusal"] {
                    Value::Null => {}
                    refusal => content.push(ContentPart::from_text(refusal.as_str().ok_or_else(|| unknown(refusal))?)),
                }
                for call in list_of(message, "tool_calls").map_err(unknown)? {
                    let call = called(call)?;
                    names.push((call.call_id.clone(), call.fn_name.clone()));
                    content.push(ContentPart::ToolCall(call));
                }
                let reasoning = message["reasoning_content"].as_str().map(str::to_owned);
                messages.push(ChatMessage::assistant(content).with_reasoning_content(reasoning));
            }
            Some("tool") => {
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                let said = words(&message["content"])
                    .ok_or(("unrepresentable-input", "genai's tool responses are one string".to_owned()))?;
                let response = ToolResponse::new(id, said);
                let name = names.iter().rev().find(|(call, _)| call == id).map(|(_, name)| name);
                let response = name.map_or(response.clone(), |name| response.with_fn_name(name));
                // One message for each result, as in genai's example of tools.
                messages.push(ChatMessage::from(response));
            }
            role => return Err(("unrepresentable-input", format!("genai has no message of role {role:?}"))),
        }
    }
    names.sort_by(|left, right| left.1.cmp(&right.1));
    names.dedup_by(|left, right| left.1 == right.1);
    let schema = json!({"type": "object", "properties": {}});
    let tools: Vec<Tool> = names.into_iter().map(|(_, name)| Tool::new(name).with_schema(schema.clone())).collect();
    let request = ChatRequest::new(messages);
    Ok(if tools.is_empty() { request } else { request.with_tools(tools) })
}

/// The refusal of a JSON text. A valid text that a `serde_json::Value` cannot hold has a code of its own.
fn unreadable(code: &'static str, error: &serde_json::Error) -> Misfit {
    let why = error.to_string();
    let valid = why.contains("number out of range") || why.contains("hex escape");
    (if valid { "unrepresentable-input" } else { code }, why)
}

/// The refusal of content that the adapter does not know.
fn unknown(content: &Value) -> Misfit {
    ("unrepresentable-input", format!("this adapter makes no genai content of {}", shown(content)))
}

fn called(call: &Value) -> Result<ToolCall, Misfit> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if call["function"].is_null() {
        return Err(("unrepresentable-input", "genai's calls are calls of functions".to_owned()));
    }
    // As genai's own reader of OpenAI's answers does it.
    let fn_arguments = match &call["function"]["arguments"] {
        Value::Object(arguments) => Value::Object(arguments.clone()),
        Value::String(text) => serde_json::from_str(text).map_err(|error| unreadable("invalid-arguments", &error))?,
        _ => return Err(("invalid-arguments", "tool call arguments is not an object".to_owned())),
    };
    Ok(ToolCall {
        call_id: text(&call["id"]),
        fn_name: text(&call["function"]["name"]),
        fn_arguments,
        thought_signatures: None,
    })
}

/// Texts alone, as the one string that genai's tool responses are.
fn words(content: &Value) -> Option<String> {
    let parts = parts(content).ok()?;
    parts.is_text_only().then(|| parts.texts().join("\n"))
}

fn parts(content: &Value) -> Result<MessageContent, Misfit> {
    if let Some(text) = content.as_str() {
        // genai's own reader makes no part of an empty text beside calls.
        return Ok(if text.is_empty() { MessageContent::default() } else { MessageContent::from_text(text) });
    }
    let list = match content {
        Value::Null => &[][..],
        Value::Array(list) => list,
        Value::Object(_) => std::slice::from_ref(content),
        _ => return Err(unknown(content)),
    };
    Ok(MessageContent::from_parts(list.iter().map(part).collect::<Result<Vec<_>, _>>()?))
}

fn part(part: &Value) -> Result<ContentPart, Misfit> {
    if let Some(text) = part["text"].as_str().or_else(|| part["refusal"].as_str()) {
        return Ok(ContentPart::from_text(text));
    }
    let binary = match (part["image_url"]["url"].as_str(), part["file"]["file_data"].as_str()) {
        // genai wants a kind with an address, which OpenAI's parts have not.
        (Some(url), _) => Some(data_url(url).map_or_else(
            || Binary::from_url("image/png", url, None),
            |(kind, data)| Binary::from_base64(kind, data.to_owned(), None),
        )),
        (None, Some(file)) => data_url(file).map(|(kind, data)| {
            Binary::from_base64(kind, data.to_owned(), part["file"]["filename"].as_str().map(str::to_owned))
        }),
        (None, None) => None,
    };
    binary.map(ContentPart::Binary).ok_or_else(|| unknown(part))
}
