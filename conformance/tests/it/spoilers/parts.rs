//! The parts of an answer on the wire, found by the keys of the dialects: texts, calls, results, images, tool definitions.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use wirecanon_core::Target;

/// The author of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaker {
    System,
    User,
    Assistant,
}

/// A text of a conversation outside results.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// Pointer to the string
    pub(crate) at: String,
    /// Pointer to the part of the content, or to the message where its content is a string
    pub(crate) part: String,
    pub(crate) speaker: Speaker,
    /// Index of the message; `None` for instructions beside the list
    pub(crate) message: Option<usize>,
}

/// A tool call. All fields but the last are pointers.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) part: String,
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) message: usize,
}

/// A tool result.
#[derive(Clone, Debug)]
pub(crate) struct ToolResult {
    pub(crate) part: String,
    pub(crate) id: Option<String>,
    /// Pointer to all that the tool returned
    pub(crate) body: Option<String>,
    /// Pointers to the strings of the body
    pub(crate) texts: Vec<String>,
    pub(crate) message: usize,
}

/// An image by its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) part: String,
    /// Pointer to the base64 text, or to the data URL
    pub(crate) data: String,
    pub(crate) message: usize,
    /// Index of the result that holds it
    pub(crate) result: Option<usize>,
}

/// Reasoning of the assistant.
#[derive(Clone, Debug)]
pub(crate) struct Reasoning {
    pub(crate) part: String,
    pub(crate) text: Option<String>,
    pub(crate) signature: Option<String>,
}

/// A tool definition.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) part: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) schema: String,
}

/// All parts of an answer, in document order.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) texts: Vec<Text>,
    pub(crate) calls: Vec<Call>,
    pub(crate) results: Vec<ToolResult>,
    pub(crate) images: Vec<Image>,
    pub(crate) reasoning: Vec<Reasoning>,
    pub(crate) definitions: Vec<Definition>,
}

/// The layout of a JSON text.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the layout")]
pub(crate) struct Style {
    pub(crate) has_reversed_keys: bool,
    pub(crate) is_pretty: bool,
    /// Every character outside ASCII is an escape.
    pub(crate) is_ascii: bool,
    pub(crate) has_escaped_slashes: bool,
    pub(crate) has_newline_at_end: bool,
}

/// An answer on the wire of one target.
#[derive(Clone)]
pub(crate) struct Wire {
    pub(crate) root: Value,
    pub(crate) target: &'static Target,
    /// Number that chooses one of several places
    pub(crate) seed: usize,
    pub(crate) style: Style,
    /// Labels of media are words of the conversation itself.
    pub(crate) has_labels: bool,
}

/// The place where a part is looked for.
#[derive(Clone, Copy)]
struct Context {
    speaker: Speaker,
    message: Option<usize>,
    result: Option<usize>,
}

fn string<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// The pointer to the first of these keys that the value has.
fn key(at: &str, value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find(|key| value.get(**key).is_some()).map(|key| format!("{at}/{key}"))
}

impl Wire {
    pub(crate) fn new(root: Value, target: &'static Target, seed: usize) -> Self {
        Self { root, target, seed, style: Style::default(), has_labels: false }
    }

    /// The name of the dialect.
    pub(crate) fn dialect(&self) -> &'static str {
        self.target.dialect.name()
    }

    pub(crate) fn is_one_of(&self, dialects: &[&str]) -> bool {
        dialects.contains(&self.dialect())
    }

    /// The answer as a JSON text.
    pub(crate) fn text(&self) -> String {
        let mut text = self.style.written(&self.root);
        if self.style.has_newline_at_end {
            text.push('\n');
        }
        text
    }

    /// Chooses one of several places.
    pub(crate) fn pick<T>(&self, mut items: Vec<T>) -> Option<T> {
        if items.is_empty() { None } else { Some(items.swap_remove(self.seed % items.len())) }
    }

    pub(crate) fn get(&self, at: &str) -> &Value {
        self.root.pointer(at).unwrap_or(&Value::Null)
    }

    pub(crate) fn str(&self, at: &str) -> &str {
        self.get(at).as_str().unwrap_or_default()
    }

    pub(crate) fn get_mut(&mut self, at: &str) -> Option<&mut Value> {
        self.root.pointer_mut(at)
    }

    /// Sets a value that exists, or a key of an object that exists.
    pub(crate) fn set(&mut self, at: &str, value: impl Into<Value>) -> Option<()> {
        let (parent, last) = at.rsplit_once('/')?;
        match self.root.pointer_mut(parent)? {
            Value::Object(members) => drop(members.insert(last.to_owned(), value.into())),
            Value::Array(items) => *items.get_mut(last.parse::<usize>().ok()?)? = value.into(),
            _ => return None,
        }
        Some(())
    }

    /// Sets a text. lossless-claw repeats the texts of a message beside its parts.
    pub(crate) fn set_text(&mut self, at: &str, text: &str) -> Option<()> {
        let old = self.str(at).to_owned();
        if let (Some((message, _)), "lossless-claw") = (at.split_once("/parts/"), self.dialect()) {
            let content = format!("{message}/content");
            let joined = self.str(&content).replace(&old, text);
            self.set(&content, joined)?;
        }
        self.set(at, text)
    }

    pub(crate) fn swap(&mut self, one: &str, other: &str) -> Option<()> {
        let (first, second) = (self.root.pointer(one)?.clone(), self.root.pointer(other)?.clone());
        if first == second {
            return None;
        }
        self.set(one, second)?;
        self.set(other, first)
    }

    /// Inserts an item behind another one of the same array.
    pub(crate) fn insert_after(&mut self, at: &str, value: Value) -> Option<()> {
        let (parent, last) = at.rsplit_once('/')?;
        let at = last.parse::<usize>().ok()?;
        self.root.pointer_mut(parent)?.as_array_mut()?.insert(at + 1, value);
        Some(())
    }

    /// Removes an item of an array, or a field of an object, and what is empty then.
    pub(crate) fn remove(&mut self, at: &str) -> Option<()> {
        let (parent, last) = at.rsplit_once('/')?;
        let is_empty = match self.root.pointer_mut(parent)? {
            Value::Object(members) => {
                members.remove(last)?;
                false
            }
            Value::Array(items) => {
                items.remove(last.parse::<usize>().ok().filter(|at| *at < items.len())?);
                items.is_empty()
            }
            _ => return None,
        };
        let (message, field) = parent.rsplit_once('/')?;
        let owner = message.strip_suffix("/data").unwrap_or(message);
        if !is_empty || owner.rsplit_once('/').is_none_or(|(list, _)| list != self.list()) {
            return Some(());
        }
        match field {
            "content" if self.get(message).get("tool_calls").is_some() => self.set(parent, Value::Null),
            "tool_calls" => {
                self.remove(parent)?;
                let is_silent = match self.get(message).get("content") {
                    None | Some(Value::Null) => true,
                    Some(Value::String(text)) => text.trim().is_empty(),
                    Some(content) => content.as_array().is_some_and(Vec::is_empty),
                };
                if is_silent { self.remove(owner) } else { Some(()) }
            }
            "content" | "parts" => self.remove(owner),
            _ => Some(()),
        }
    }

    /// Pointer to the list of messages.
    pub(crate) fn list(&self) -> String {
        if self.root.is_array() {
            return String::new();
        }
        let key = self.target.dialect.list_keys().iter().find(|key| self.root.get(**key).is_some());
        key.map_or(String::new(), |key| format!("/{key}"))
    }

    pub(crate) fn message(&self, at: usize) -> String {
        format!("{}/{at}", self.list())
    }

    pub(crate) fn messages(&mut self) -> Option<&mut Vec<Value>> {
        let list = self.list();
        self.root.pointer_mut(&list)?.as_array_mut()
    }

    pub(crate) fn len(&self) -> usize {
        self.get(&self.list()).as_array().map_or(0, Vec::len)
    }

    /// The author of a message; `None` for calls and results that are messages or items of their own.
    pub(crate) fn speaker(&self, at: usize) -> Option<Speaker> {
        let message = self.get(&self.message(at));
        match string(message, "role").or_else(|| string(message, "type"))? {
            "user" | "human" => Some(Speaker::User),
            "assistant" | "model" | "ai" => Some(Speaker::Assistant),
            "system" | "developer" => Some(Speaker::System),
            _ => None,
        }
    }

    /// A message of the user or the assistant.
    pub(crate) fn said(&self, speaker: Speaker, text: &str) -> Value {
        let is_user = speaker == Speaker::User;
        let role = if is_user { "user" } else { "assistant" };
        match self.dialect() {
            "gemini.contents" => json!({"role": if is_user { "user" } else { "model" }, "parts": [{"text": text}]}),
            "bedrock.converse" => json!({"role": role, "content": [{"text": text}]}),
            "langchain" => json!({"type": if is_user { "human" } else { "ai" }, "data": {"content": text}}),
            "openai.responses" => json!({"type": "message", "role": role, "content": text}),
            "ai-sdk.ui" => json!({"id": "added-message", "role": role, "parts": [{"type": "text", "text": text}]}),
            "openviking" => json!({"role": role, "parts": [{"type": "text", "text": text}]}),
            "mcp.prompt" | "mcp.sampling" => json!({"role": role, "content": {"type": "text", "text": text}}),
            "lossless-claw" => json!({"role": role, "content": text, "parts": [{"part_type": "text", "ordinal": 0,
                "text_content": text, "metadata": json!({"originalRole": role, "rawType": "text"}).to_string()}]}),
            "canonical" | "openclaw" | "anthropic.messages" => {
                json!({"role": role, "content": [{"type": "text", "text": text}]})
            }
            _ => json!({"role": role, "content": text}),
        }
    }

    /// The arguments of a call as a value.
    pub(crate) fn arguments(&self, call: &Call) -> Option<Value> {
        let arguments = match self.get(&call.arguments) {
            Value::String(text) => serde_json::from_str(text).ok()?,
            other => other.clone(),
        };
        arguments.is_object().then_some(arguments)
    }

    pub(crate) fn set_arguments(&mut self, call: &Call, arguments: Value) -> Option<()> {
        let arguments = if self.get(&call.arguments).is_string() { json!(arguments.to_string()) } else { arguments };
        self.set(&call.arguments, arguments)
    }

    /// Each call with its result.
    pub(crate) fn pairs(&self, parts: &Parts) -> Vec<(Call, ToolResult)> {
        let mut open: Vec<&ToolResult> = parts.results.iter().collect();
        let mut pairs = Vec::new();
        for call in &parts.calls {
            let id = call.id.as_ref().map(|id| self.get(id));
            let found = open.iter().position(|result| match (&id, &result.id) {
                (Some(id), Some(own)) => self.get(own) == *id,
                _ => {
                    string(self.get(&result.part), "name")
                        .or_else(|| self.get(&format!("{}/functionResponse/name", result.part)).as_str())
                        == self.get(&call.name).as_str()
                }
            });
            if let Some(at) = found {
                pairs.push((call.clone(), open.remove(at).clone()));
            }
        }
        pairs
    }

    /// Changes the id of a result.
    pub(crate) fn set_result_id(&mut self, result: &ToolResult, id: &str) -> Option<()> {
        let old = self.str(result.id.as_ref()?).to_owned();
        if self.dialect() != "lossless-claw" {
            return self.set(result.id.as_ref()?, id);
        }
        for part in self.get_mut(&result.part)?.get_mut("parts")?.as_array_mut()? {
            part["tool_call_id"] = json!(id);
            let metadata = string(part, "metadata")?.replace(&old, id);
            part["metadata"] = json!(metadata);
        }
        Some(())
    }

    pub(crate) fn parts(&self) -> Parts {
        let mut parts = Parts::default();
        for key in ["system", "systemInstruction", "systemPrompt", "instructions"] {
            if let Some(value) = self.root.get(key) {
                let context = Context { speaker: Speaker::System, message: None, result: None };
                content(&mut parts, &format!("/{key}"), &format!("/{key}"), value, context);
            }
        }
        let list = self.list();
        for (at, message) in self.get(&list).as_array().into_iter().flatten().enumerate() {
            self.visit(&mut parts, &format!("{list}/{at}"), message, at);
        }
        // A protocol without tools has no definitions: what stands there tells a model nothing.
        if self.target.content.tools {
            definitions(&mut parts, &self.root);
        }
        parts
    }

    fn visit(&self, parts: &mut Parts, at: &str, message: &Value, index: usize) {
        let (inner_at, inner) = match message.get("data") {
            Some(data) if data.is_object() && self.dialect() == "langchain" => (format!("{at}/data"), data),
            _ => (at.to_owned(), message),
        };
        let speaker = self.speaker(index);
        let mut context = Context { speaker: speaker.unwrap_or(Speaker::User), message: Some(index), result: None };
        let Some(role) = string(message, "role").or_else(|| string(message, "type")) else {
            return content(parts, at, at, message, context);
        };
        let is_result = matches!(role, "tool" | "toolResult") && self.dialect() != "ai-sdk.model";
        if is_result {
            let is_stored = self.dialect() == "lossless-claw";
            let id = if is_stored { Some(format!("{at}/parts/0/tool_call_id")) } else { None };
            context.result = Some(parts.results.len());
            parts.results.push(ToolResult {
                part: at.to_owned(),
                id: id.or_else(|| key(&inner_at, inner, &["tool_call_id", "toolCallId"])),
                body: if is_stored { None } else { key(&inner_at, inner, &["content"]) },
                texts: Vec::new(),
                message: index,
            });
        } else if speaker.is_none() && role != "tool" {
            return part(parts, at, message, context);
        }
        for name in ["reasoning_content", "reasoning", "thinking"] {
            if string(inner, name).is_some_and(|text| !text.is_empty()) {
                let at = format!("{inner_at}/{name}");
                parts.reasoning.push(Reasoning { part: at.clone(), text: Some(at), signature: None });
            }
        }
        let body = if self.dialect() == "lossless-claw" { "parts" } else { "content" };
        for name in [body, "parts"].iter().take(if body == "parts" { 1 } else { 2 }) {
            if let Some(value) = inner.get(name) {
                content(parts, at, &format!("{inner_at}/{name}"), value, context);
            }
        }
        for (nth, image) in inner.get("images").and_then(Value::as_array).into_iter().flatten().enumerate() {
            if image.is_string() {
                let at = format!("{inner_at}/images/{nth}");
                parts.images.push(Image { part: at.clone(), data: at, message: index, result: context.result });
            }
        }
        for (nth, call) in inner.get("tool_calls").and_then(Value::as_array).into_iter().flatten().enumerate() {
            let at = format!("{inner_at}/tool_calls/{nth}");
            let id = key(&at, call, &["id"]);
            let function = if call.get("function").is_some() { format!("{at}/function") } else { at.clone() };
            let arguments = if call.get("args").is_some() { "args" } else { "arguments" };
            if call.get("function").unwrap_or(call).get(arguments).is_some() {
                parts.calls.push(Call {
                    part: at,
                    id,
                    name: format!("{function}/name"),
                    arguments: format!("{function}/{arguments}"),
                    message: index,
                });
            }
        }
    }
}

/// Visits the content of a message, of a result or of instructions.
fn content(parts: &mut Parts, owner: &str, at: &str, value: &Value, context: Context) {
    match value {
        Value::String(_) => text(parts, owner, at.to_owned(), context),
        Value::Array(items) => {
            for (nth, item) in items.iter().enumerate() {
                let at = format!("{at}/{nth}");
                if item.is_string() {
                    text(parts, &at, at.clone(), context);
                } else {
                    part(parts, &at, item, context);
                }
            }
        }
        Value::Object(members) => match members.get("parts") {
            Some(inner) => content(parts, at, &format!("{at}/parts"), inner, context),
            None => part(parts, at, value, context),
        },
        _ => {}
    }
}

fn text(parts: &mut Parts, part: &str, at: String, context: Context) {
    match context.result {
        Some(result) => parts.results[result].texts.push(at),
        None => {
            let Context { speaker, message, .. } = context;
            parts.texts.push(Text { at, part: part.to_owned(), speaker, message });
        }
    }
}

/// Visits one part of a content.
fn part(parts: &mut Parts, at: &str, value: &Value, context: Context) {
    let message = context.message.unwrap_or_default();
    let kind = string(value, "type").or_else(|| string(value, "part_type")).unwrap_or_default();
    let below = |name: &str| format!("{at}/{name}");
    let call = |parts: &mut Parts, id: Option<String>, name: &str, arguments: &str| {
        if value.pointer(&format!("/{arguments}")).is_some() {
            let (name, arguments) = (below(name), below(arguments));
            parts.calls.push(Call { part: at.to_owned(), id, name, arguments, message });
        }
    };
    let result = |parts: &mut Parts, id: Option<String>, body: &str| {
        let index = parts.results.len();
        let body_at = below(body);
        let part = at.to_owned();
        parts.results.push(ToolResult { part, id, body: Some(body_at.clone()), texts: Vec::new(), message });
        if let Some(value) = value.pointer(&format!("/{body}")) {
            content(parts, &body_at, &body_at, value, Context { result: Some(index), ..context });
        }
        index
    };
    let image = |parts: &mut Parts, data: &str| {
        let text = value.pointer(&format!("/{data}")).and_then(Value::as_str).unwrap_or_default();
        if !text.is_empty() && !text.starts_with("http") {
            parts.images.push(Image { part: at.to_owned(), data: below(data), message, result: context.result });
        }
    };
    match kind {
        "text" | "input_text" | "output_text" if value.get("text").is_some_and(Value::is_string) => {
            text(parts, at, below("text"), context);
        }
        "text" if value.get("text_content").is_some() => text(parts, at, below("text_content"), context),
        "toolCall" => call(parts, key(at, value, &["id"]), "name", "arguments"),
        "tool_use" => call(parts, key(at, value, &["id"]), "name", "input"),
        "tool-call" => call(parts, key(at, value, &["toolCallId"]), "toolName", "input"),
        "function_call" => call(parts, key(at, value, &["call_id"]), "name", "arguments"),
        "tool" if value.get("part_type").is_some() => {
            call(parts, key(at, value, &["tool_call_id"]), "tool_name", "tool_input");
        }
        "tool" => {
            call(parts, key(at, value, &["tool_id"]), "tool_name", "tool_input");
            if value.get("tool_output").is_some() {
                result(parts, key(at, value, &["tool_id"]), "tool_output");
            }
        }
        "tool_result" => drop(result(parts, key(at, value, &["tool_use_id", "toolUseId"]), "content")),
        "function_call_output" => drop(result(parts, key(at, value, &["call_id"]), "output")),
        "tool-result" => {
            let index = result(parts, key(at, value, &["toolCallId"]), "output");
            if let Some(value) = value.pointer("/output/value") {
                let at = format!("{at}/output/value");
                content(parts, &at, &at, value, Context { result: Some(index), ..context });
            }
        }
        "thinking" | "reasoning" => {
            let text = key(at, value, &["thinking", "text", "reasoning", "text_content"]);
            let signature =
                ["signature", "encrypted_content", "extras/signature", "providerOptions/anthropic/signature"];
            let signature = signature.iter().find(|key| value.pointer(&format!("/{key}")).is_some());
            let summary = value.pointer("/summary/0/text").map(|_| below("summary/0/text"));
            let (part, signature) = (at.to_owned(), signature.map(|key| below(key)));
            parts.reasoning.push(Reasoning { part, text: text.or(summary), signature });
        }
        "image_url" if value.pointer("/image_url/url").is_some() => image(parts, "image_url/url"),
        "image_url" | "input_image" => image(parts, "image_url"),
        "image" => {
            for data in ["data", "source/data", "base64", "image"] {
                image(parts, data);
            }
        }
        "image-data" => image(parts, "data"),
        "file" if string(value, "mediaType").is_some_and(|kind| kind.starts_with("image/")) => {
            image(parts, if value.get("url").is_some() { "url" } else { "data" });
        }
        _ if kind.starts_with("tool-") && value.get("toolCallId").is_some() => {
            let id = key(at, value, &["toolCallId"]);
            call(parts, id.clone(), "type", "input");
            match string(value, "state") {
                Some("output-error") => drop(result(parts, id, "errorText")),
                Some("output-available") => {
                    let index = result(parts, id, "output");
                    if let Some(value) = value.pointer("/output/content") {
                        let at = format!("{at}/output/content");
                        content(parts, &at, &at, value, Context { result: Some(index), ..context });
                    }
                }
                _ => {}
            }
        }
        "" => {
            if value.get("text").is_some_and(Value::is_string) && value.get("thought") != Some(&json!(true)) {
                text(parts, at, below("text"), context);
            }
            if value.get("functionCall").is_some() {
                let id = value.pointer("/functionCall/id").map(|_| below("functionCall/id"));
                call(parts, id, "functionCall/name", "functionCall/args");
            }
            if value.get("toolUse").is_some() {
                call(parts, Some(below("toolUse/toolUseId")), "toolUse/name", "toolUse/input");
            }
            if value.get("toolResult").is_some() {
                result(parts, Some(below("toolResult/toolUseId")), "toolResult/content");
            }
            if let Some(response) = value.get("functionResponse") {
                let index = result(
                    parts,
                    response.get("id").map(|_| below("functionResponse/id")),
                    "functionResponse/response",
                );
                let context = Context { result: Some(index), ..context };
                for name in ["response/output", "response/error", "parts"] {
                    if let Some(value) = response.pointer(&format!("/{name}")) {
                        let at = format!("{at}/functionResponse/{name}");
                        content(parts, &at, &at, value, context);
                    }
                }
            }
            if value.pointer("/reasoningContent/reasoningText/text").is_some() {
                let text = below("reasoningContent/reasoningText/text");
                let signature = value.pointer("/reasoningContent/reasoningText/signature");
                let signature = signature.map(|_| below("reasoningContent/reasoningText/signature"));
                parts.reasoning.push(Reasoning { part: at.to_owned(), text: Some(text), signature });
            }
            image(parts, "image/source/bytes");
            if value
                .pointer("/inlineData/mimeType")
                .and_then(Value::as_str)
                .is_some_and(|kind| kind.starts_with("image/"))
            {
                image(parts, "inlineData/data");
            }
        }
        _ => {}
    }
}

fn definitions(parts: &mut Parts, root: &Value) {
    for list in ["/tools", "/toolConfig/tools"] {
        for (nth, tool) in root.pointer(list).and_then(Value::as_array).into_iter().flatten().enumerate() {
            let at = format!("{list}/{nth}");
            let mut add = |part: String, inner: String, schema: &str| {
                let (name, description) = (format!("{inner}/name"), format!("{inner}/description"));
                let schema = format!("{inner}/{schema}");
                if root.pointer(&name).is_some() && root.pointer(&schema).is_some() {
                    parts.definitions.push(Definition { part, name, description, schema });
                }
            };
            let schema_of = |value: &Value| {
                let keys = ["parameters", "parametersJsonSchema", "input_schema", "inputSchema"];
                keys.into_iter().find(|key| value.get(*key).is_some()).unwrap_or("parameters")
            };
            if let Some(function) = tool.get("function") {
                add(at.clone(), format!("{at}/function"), schema_of(function));
            } else if tool.get("toolSpec").is_some() {
                add(at.clone(), format!("{at}/toolSpec"), "inputSchema/json");
            } else if let Some(declarations) = tool.get("functionDeclarations").and_then(Value::as_array) {
                for (nth, declaration) in declarations.iter().enumerate() {
                    let at = format!("{at}/functionDeclarations/{nth}");
                    add(at.clone(), at, schema_of(declaration));
                }
            } else {
                add(at.clone(), at.clone(), schema_of(tool));
            }
        }
    }
}

impl Style {
    /// A JSON text in this layout.
    pub(crate) fn written(self, value: &Value) -> String {
        let mut text = String::new();
        self.write(value, 0, &mut text);
        text
    }

    fn write(self, value: &Value, depth: usize, out: &mut String) {
        let line = |depth: usize, out: &mut String| {
            if self.is_pretty {
                out.push('\n');
                out.push_str(&"\t".repeat(depth));
            }
        };
        match value {
            Value::String(text) => self.write_string(text, out),
            Value::Array(items) => {
                out.push('[');
                for (nth, item) in items.iter().enumerate() {
                    out.push_str(if nth == 0 { "" } else { "," });
                    line(depth + 1, out);
                    self.write(item, depth + 1, out);
                }
                line(depth, out);
                out.push(']');
            }
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                if self.has_reversed_keys {
                    members.reverse();
                }
                out.push('{');
                for (nth, (key, item)) in members.into_iter().enumerate() {
                    out.push_str(if nth == 0 { "" } else { "," });
                    line(depth + 1, out);
                    self.write_string(key, out);
                    out.push_str(if self.is_pretty { " : " } else { ":" });
                    self.write(item, depth + 1, out);
                }
                line(depth, out);
                out.push('}');
            }
            other => out.push_str(&other.to_string()),
        }
    }

    fn write_string(self, text: &str, out: &mut String) {
        let quoted = Value::String(text.to_owned()).to_string();
        for letter in quoted.chars() {
            if self.is_ascii && !letter.is_ascii() {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            } else if self.has_escaped_slashes && letter == '/' {
                out.push_str("\\/");
            } else {
                out.push(letter);
            }
        }
    }
}

/// The words of a text without the labels of wirecanon: the label before them, the words, and the labels behind them. `None` for a
/// text that stands in for something, of which other words may stand in its place.
pub(crate) fn words(text: &str) -> Option<(&str, &str, &str)> {
    let start = if text.starts_with("[wirecanon: ") { text.find("] ").map(|at| at + 2)? } else { 0 };
    let rest = &text[start..];
    let end = if rest.starts_with("[wirecanon: ") { 0 } else { rest.find("\n[wirecanon: ").unwrap_or(rest.len()) };
    let words = &rest[..end];
    let is_label = words.starts_with('[') && words.ends_with(']') && words.contains('/') && words.len() < 40;
    let is_filler = words == "(no output)" || is_label;
    // The JSON text of an item that only its own dialect can replay: no form of it is demanded elsewhere.
    let is_projection = words.starts_with("{\"type\":");
    (!words.trim().is_empty() && !is_filler && !is_projection).then_some((&text[..start], words, &rest[end..]))
}

/// A text with other words, between the same labels.
pub(crate) fn with_words(text: &str, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (label, own, rest) = words(text)?;
    let changed = change(own)?;
    (changed.trim() != own.trim()).then(|| format!("{label}{changed}{rest}"))
}

/// Pointers to all values below an object or array, in document order.
pub(crate) fn values(value: &Value) -> Vec<String> {
    fn walk(at: &str, value: &Value, all: &mut Vec<String>) {
        let mut visit = |name: &str, value: &Value| {
            let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
            all.push(at.clone());
            walk(&at, value, all);
        };
        match value {
            Value::Object(members) => members.iter().for_each(|(name, value)| visit(name, value)),
            Value::Array(items) => items.iter().enumerate().for_each(|(nth, value)| visit(&nth.to_string(), value)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    walk("", value, &mut all);
    all
}

/// The fields of an object.
pub(crate) fn members(value: &mut Value) -> Option<&mut Map<String, Value>> {
    value.as_object_mut()
}
