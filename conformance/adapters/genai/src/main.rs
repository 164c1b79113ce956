//! genai: the request bodies of its providers for a list of OpenAI chat messages, built as genai's own.
//!
//! genai has no hook for a request, so each one goes to a server on 127.0.0.1 that keeps it and answers 400.

#[path = "../wirecanon_testee.rs"]
mod wirecanon_testee;

use genai::chat::{Binary, ChatMessage, ChatRequest, ContentPart, MessageContent, Tool, ToolCall, ToolResponse};
use genai::resolver::{AuthData, Endpoint, Error, ServiceTargetResolver};
use genai::{Client, ServiceTarget};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
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
    let document: Value = serde_json::from_str(text).map_err(|error| ("other", error.to_string()))?;
    let list = document.get("messages").unwrap_or(&document);
    let alone = std::slice::from_ref(list);
    let mut messages = Vec::new();
    let mut names: Vec<(String, String)> = Vec::new();
    for message in list.as_array().map_or(alone, Vec::as_slice) {
        match message["role"].as_str() {
            Some("system" | "developer") => messages.push(ChatMessage::system(parts(&message["content"])?)),
            Some("user") => messages.push(ChatMessage::user(parts(&message["content"])?)),
            Some("assistant") => {
                let mut content = parts(&message["content"])?;
                for call in message["tool_calls"].as_array().into_iter().flatten() {
                    let call = called(call)?;
                    names.push((call.call_id.clone(), call.fn_name.clone()));
                    content.push(ContentPart::ToolCall(call));
                }
                messages.push(ChatMessage::assistant(content));
            }
            Some("tool") => {
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                let said = words(&message["content"])
                    .ok_or(("unrepresentable-input", "genai's tool responses are one string".to_owned()))?;
                let response = ToolResponse::new(id, said);
                let name = names.iter().rev().find(|(call, _)| call == id).map(|(_, name)| name);
                let response = name.map_or(response.clone(), |name| response.with_fn_name(name));
                messages.push(ChatMessage::from(response));
            }
            role => return Err(("other", format!("genai has no message of role {role:?}"))),
        }
    }
    names.sort_by(|left, right| left.1.cmp(&right.1));
    names.dedup_by(|left, right| left.1 == right.1);
    let schema = json!({"type": "object", "properties": {}});
    let tools: Vec<Tool> = names.into_iter().map(|(_, name)| Tool::new(name).with_schema(schema.clone())).collect();
    let request = ChatRequest::new(messages);
    Ok(if tools.is_empty() { request } else { request.with_tools(tools) })
}

fn called(call: &Value) -> Result<ToolCall, Misfit> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if call["function"].is_null() {
        return Err(("unrepresentable-input", "genai's calls are calls of functions".to_owned()));
    }
    // As genai's own reader of OpenAI's answers does it.
    let arguments = serde_json::from_str(call["function"]["arguments"].as_str().unwrap_or_default());
    let fn_arguments = arguments.map_err(|error| ("invalid-arguments", error.to_string()))?;
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
    let list = content.as_array().map_or(&[][..], Vec::as_slice);
    Ok(MessageContent::from_parts(list.iter().map(part).collect::<Result<Vec<_>, _>>()?))
}

fn part(part: &Value) -> Result<ContentPart, Misfit> {
    if let Some(text) = part["text"].as_str() {
        return Ok(ContentPart::from_text(text));
    }
    let encoded = |url: &str| {
        let (kind, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
        Some((kind.to_owned(), data.to_owned()))
    };
    let binary = match (part["image_url"]["url"].as_str(), part["file"]["file_data"].as_str()) {
        // genai wants a kind with an address, which OpenAI's parts have not.
        (Some(url), _) => Some(encoded(url).map_or_else(
            || Binary::from_url("image/png", url, None),
            |(kind, data)| Binary::from_base64(kind, data, None),
        )),
        (None, Some(file)) => encoded(file)
            .map(|(kind, data)| Binary::from_base64(kind, data, part["file"]["filename"].as_str().map(str::to_owned))),
        (None, None) => None,
    };
    let misfit = || ("unrepresentable-input", format!("this adapter makes no genai content of {}", part["type"]));
    binary.map(ContentPart::Binary).ok_or_else(misfit)
}
