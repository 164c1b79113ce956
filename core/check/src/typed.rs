//! Members that may be left out, and that are of one type where they stand: what a server, or the model of a program,
//! refuses the whole text for. What other files of the judge look at is not here.

use crate::judge::{Judge, blank};
use crate::shape::only;
use wirecanon_json::Value;
use wirecanon_model::target::charset;
use wirecanon_model::{Dialect, rule};

/// Judges one message.
pub(super) fn judge(judge: &mut Judge<'_>, message: Value<'_>, dialect: Dialect) {
    if !message.is_object() {
        return;
    }
    match dialect {
        Dialect::Canonical => each(message, "content", |block| canonical(judge, block)),
        Dialect::OpenClaw => each(message, "content", |block| openclaw(judge, block)),
        Dialect::OpenAiResponses => item(judge, message),
        Dialect::OpenAiChat => chat(judge, message),
        Dialect::AnthropicMessages => each(message, "content", |block| {
            anthropic(judge, block);
            if said(block, "tool_result") {
                each(block, "content", |inner| anthropic(judge, inner));
            }
        }),
        Dialect::GeminiContents => each(message, "parts", |part| gemini(judge, part)),
        Dialect::MistralChat => mistral(judge, message),
        Dialect::LangChain => langchain(judge, message),
        Dialect::AiSdkModel => each(message, "content", |part| model_part(judge, part)),
        Dialect::AiSdkUi => each(message, "parts", |part| interface_part(judge, part)),
        Dialect::OllamaChat => ollama(judge, message),
        Dialect::LosslessClaw => rows(judge, message),
        Dialect::OpenViking if message.get("parts").is_some_and(|parts| !parts.is_null()) => {
            member(judge, message, "content", Value::is_string);
        }
        Dialect::McpToolResult => {
            member(judge, message, "_meta", Value::is_object);
            if let Some(meta) = message.get("_meta").filter(|_| judge.target.protocol.result_type) {
                member(judge, meta, "io.modelcontextprotocol/serverInfo", program);
            }
            each(message, "content", |block| protocol_block(judge, block));
        }
        Dialect::McpPrompt => each(message, "content", |block| protocol_block(judge, block)),
        Dialect::McpSampling => {
            if judge.target.protocol.lists {
                member(judge, message, "_meta", Value::is_object);
            }
            each(message, "content", |block| {
                protocol_block(judge, block);
                each(block, "content", |inner| protocol_block(judge, inner));
            });
        }
        _ => {}
    }
}

/// The objects of the list under `key`, or the one that stands there.
fn each<'a>(holder: Value<'a>, key: &str, mut look: impl FnMut(Value<'a>)) {
    let Some(held) = holder.get(key) else { return };
    let alone = Some(held).filter(|held| held.is_object());
    alone.into_iter().chain(held.items()).filter(|item| item.is_object()).for_each(&mut look);
}

/// Judges a member, if it stands there.
fn member<'a>(judge: &mut Judge<'_>, holder: Value<'a>, key: &str, fits: impl Fn(Value<'a>) -> bool) {
    // Servers read `null` as absent, but for an id.
    let reads_null = matches!(
        judge.target.dialect,
        Dialect::OpenAiChat | Dialect::OpenAiResponses | Dialect::MistralChat | Dialect::CohereV2 | Dialect::OllamaChat
    ) && key != "id";
    if let Some(value) = holder.get(key).filter(|value| !(fits(*value) || reads_null && value.is_null())) {
        let short = Some(value.raw()).filter(|raw| value.is_string() && raw.len() <= 40);
        let what = short.unwrap_or(value.kind().name());
        judge.say(&rule::MEMBER_OF_WRONG_TYPE, value, format!("`{key}` cannot be {what}"));
    }
}

/// How closely OpenAI looks at a picture. Source: `ResponseInputImage.detail` of `openai-python`.
const DETAILS: [&str; 4] = ["low", "high", "auto", "original"];

fn one_of(value: Value<'_>, known: &[&str]) -> bool {
    known.iter().any(|known| value.is_str(known))
}

fn named(value: Value<'_>) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

fn named_or_null(value: Value<'_>) -> bool {
    value.is_null() || named(value)
}

fn text_or_null(value: Value<'_>) -> bool {
    value.is_string() || value.is_null()
}

/// Whether it is a whole number, however it is written.
pub(super) fn whole(value: Value<'_>) -> bool {
    value.as_f64().is_some_and(|number| number.trunc().total_cmp(&number).is_eq())
}

fn said(block: Value<'_>, kind: &str) -> bool {
    block.get("type").is_some_and(|said| said.is_str(kind))
}

fn anthropic(judge: &mut Judge<'_>, block: Value<'_>) {
    let toolset = |value: Value<'_>| {
        let fits = |name: &str| (1..=64).contains(&name.len()) && charset(Some("_-"), name);
        value.is_null() || value.as_str().is_some_and(|name| fits(&name))
    };
    if said(block, "document") {
        member(judge, block, "title", named_or_null);
        member(judge, block, "context", named_or_null);
        member(judge, block, "citations", |value| value.is_null() || value.is_object());
    } else if said(block, "image") {
        member(judge, block, "transformations", |value| {
            let known = |(key, how): (Value<'_>, Value<'_>)| {
                key.is_str("oversized_image") && one_of(how, &["downsize", "error"])
            };
            value.is_null() || value.is_object() && value.members().all(known)
        });
    } else if said(block, "tool_use") {
        member(judge, block, "toolset_name", toolset);
        member(judge, block, "caller", by_program);
    } else if said(block, "tool_result") {
        member(judge, block, "toolset_name", toolset);
    }
}

/// `{"type":"direct"}`, or a version of code execution and the call that it ran in.
fn by_program(caller: Value<'_>) -> bool {
    let version = |kind: &str| {
        let date = kind.strip_prefix("code_execution_");
        kind == "direct" || date.is_some_and(|date| date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let server = |id: &str| id.strip_prefix("srvtoolu_").is_some_and(|id| !id.is_empty() && charset(Some("_"), id));
    caller.get("type").and_then(Value::as_str).is_some_and(|kind| version(&kind))
        && caller.members().all(|(key, value)| {
            key.is_str("type") || key.is_str("tool_id") && value.as_str().is_some_and(|id| server(&id))
        })
}

fn canonical(judge: &mut Judge<'_>, block: Value<'_>) {
    if said(block, "thinking") {
        member(judge, block, "signature", Value::is_string);
        member(judge, block, "redacted", |value| value.as_bool().is_some());
        member(judge, block, "origin", Value::is_string);
    } else if said(block, "file") {
        member(judge, block, "name", Value::is_string);
    }
}

/// Signatures are opened as strings on their way to a provider, and a namespace is sent as it stands.
fn openclaw(judge: &mut Judge<'_>, block: Value<'_>) {
    for (kind, key) in [("text", "textSignature"), ("thinking", "thinkingSignature"), ("toolCall", "thoughtSignature")]
    {
        if said(block, kind) {
            member(judge, block, key, text_or_null);
        }
    }
    if said(block, "thinking") {
        member(judge, block, "redacted", |value| value.as_bool().is_some());
    }
    if said(block, "toolCall") {
        member(judge, block, "namespace", Value::is_string);
    }
}

/// Items of the Responses API: null stands for what is left out in some members alone.
fn item(judge: &mut Judge<'_>, item: Value<'_>) {
    let status = |value: Value<'_>| one_of(value, &["in_progress", "completed", "incomplete"]);
    let of_a_caller = |(key, value): (Value<'_>, Value<'_>)| {
        key.is_str("type") && one_of(value, &["direct", "program"]) || key.is_str("caller_id") && named(value)
    };
    let caller = |value: Value<'_>| value.is_null() || value.get("type").is_some() && value.members().all(of_a_caller);
    let objects = |value: Value<'_>| value.is_array() && value.items().all(Value::is_object);
    let kind = item.get("type").and_then(Value::as_str);
    let kind = kind.as_deref().unwrap_or("message");
    let is_call = matches!(kind, "function_call" | "custom_tool_call");
    // Some members of the output of a function may be null.
    let is_free = kind == "function_call_output";
    match kind {
        "message" if item.get("role").is_some() => {
            member(judge, item, "phase", |value| value.is_null() || one_of(value, &["commentary", "final_answer"]));
        }
        "function_call" | "custom_tool_call" => {
            member(judge, item, "namespace", named);
            member(judge, item, "async", |value| value.as_bool().is_some());
        }
        "function_call_output" => member(judge, item, "namespace", text_or_null),
        "custom_tool_call_output" => {}
        "reasoning" => {
            for (list, text) in [("summary", "summary_text"), ("content", "reasoning_text")] {
                each(item, list, |part| {
                    if said(part, text) {
                        only(judge, part, &["type", "text"]);
                    }
                });
            }
        }
        _ => return,
    }
    member(judge, item, "id", |value| is_free || !value.is_null());
    member(judge, item, "status", |value| is_free && value.is_null() || status(value));
    if is_call || kind.ends_with("_output") {
        member(judge, item, "caller", caller);
    }
    for list in ["content", "output"] {
        each(item, list, |part| {
            if said(part, "output_text") {
                member(judge, part, "annotations", objects);
                member(judge, part, "logprobs", objects);
            } else if said(part, "input_image") {
                member(judge, part, "detail", |value| value.is_null() || one_of(value, &DETAILS));
                sources(judge, part, &["file_id", "image_url"]);
            } else if said(part, "input_file") {
                member(judge, part, "detail", |value| one_of(value, &["auto", "low", "high"]));
                member(judge, part, "filename", text_or_null);
                sources(judge, part, &["file_id", "file_url", "file_data"]);
            }
        });
    }
}

/// Judges the members that may say where a medium is. One that is nowhere is judged as a medium without data.
fn sources(judge: &mut Judge<'_>, part: Value<'_>, keys: &[&str]) {
    let says = |value: Value<'_>| value.as_str().is_some_and(|text| !blank(&text));
    if keys.iter().any(|key| part.get(key).is_some_and(says)) {
        for key in keys {
            // An object as an address is another dialect's spelling.
            let fits = |value: Value<'_>| value.is_null() || says(value) || value.is_object() && *key == "image_url";
            member(judge, part, key, fits);
        }
    }
}

fn chat(judge: &mut Judge<'_>, message: Value<'_>) {
    if !message.get("role").is_some_and(|role| one_of(role, &["tool", "function"])) {
        member(judge, message, "name", named);
    }
    member(judge, message, "audio", |value| value.is_null() || value.get("id").is_some_and(named));
    member(judge, message, "reasoning_details", |value| value.is_null() || value.is_array());
    each(message, "tool_calls", |call| {
        member(judge, call, "index", |value| value.is_null() || whole(value));
        member(judge, call, "extra_content", signed);
    });
    each(message, "content", |part| {
        if let Some(holder) = part.get("image_url").filter(|_| said(part, "image_url")) {
            member(judge, holder, "detail", |value| one_of(value, &DETAILS));
        }
        if let Some(holder) = part.get("file").filter(|_| said(part, "file")) {
            member(judge, holder, "filename", Value::is_string);
            member(judge, holder, "file_id", named);
            member(judge, holder, "file_data", |value| !value.is_null());
        }
    });
}

/// "Corrupted thought signature": one that is there is no empty text, nor anything else.
fn signed(extra: Value<'_>) -> bool {
    let holders = [Some(extra), extra.get("google")];
    let mut signatures = holders.into_iter().flatten().filter_map(|holder| holder.get("thought_signature"));
    signatures.all(|signature| signature.as_str().is_some_and(|text| !text.trim().is_empty()))
}

/// What is null is left out, as in all JSON of protocol buffers.
fn gemini(judge: &mut Judge<'_>, part: Value<'_>) {
    let flag = |value: Value<'_>| value.is_null() || value.as_bool().is_some();
    for (key, call) in
        [("functionCall", true), ("function_call", true), ("functionResponse", false), ("function_response", false)]
    {
        let Some(held) = part.get(key) else { continue };
        member(judge, held, "willContinue", flag);
        member(judge, held, "will_continue", flag);
        if call {
            let pieces = |value: Value<'_>| value.is_null() || value.is_array() && value.items().all(Value::is_object);
            member(judge, held, "partialArgs", pieces);
            member(judge, held, "partial_args", pieces);
        } else {
            let when = ["SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT"];
            member(judge, held, "scheduling", |value| value.is_null() || one_of(value, &when));
        }
    }
    for key in ["functionResponse", "function_response"] {
        let parts = part.get(key).and_then(|response| response.get("parts")).filter(|parts| !parts.is_null());
        if let Some(parts) = parts.filter(|parts| !parts.is_array()) {
            judge.say(&rule::CONTENT_NOT_A_LIST, parts, format!("`parts` is {}", parts.kind().name()));
        }
        // What holds no medium at all is no part of a response, and judged as such.
        let media = ["inlineData", "inline_data", "fileData", "file_data"];
        for part in parts.into_iter().flat_map(Value::items) {
            if media.iter().any(|name| part.get(name).is_some_and(Value::is_object)) {
                for name in media {
                    member(judge, part, name, |held| held.is_null() || held.is_object());
                }
            }
        }
    }
    for holder in ["fileData", "file_data"] {
        let Some(file) = part.get(holder) else { continue };
        for key in ["displayName", "display_name", "mimeType", "mime_type"] {
            member(judge, file, key, text_or_null);
        }
    }
}

fn mistral(judge: &mut Judge<'_>, message: Value<'_>) {
    member(judge, message, "prefix", |value| value.as_bool().is_some());
    each(message, "tool_calls", |call| member(judge, call, "index", whole));
    each(message, "content", |chunk| {
        if said(chunk, "thinking") {
            member(judge, chunk, "signature", text_or_null);
            member(judge, chunk, "closed", |value| value.as_bool().is_some());
            each(chunk, "thinking", |text| {
                if said(text, "text") {
                    only(judge, text, &["type", "text"]);
                }
            });
        }
        if said(chunk, "document_url") {
            member(judge, chunk, "document_name", text_or_null);
        }
        if let Some(holder) = chunk.get("image_url") {
            only(judge, holder, &["url", "detail"]);
            member(judge, holder, "detail", |value| value.is_null() || one_of(value, &["low", "auto", "high"]));
        }
    });
}

/// The fields of a class, in the message itself or in what holds them.
/// Standard blocks of LangChain that hold a medium.
const MEDIA: [&str; 5] = ["image", "audio", "video", "file", "text-plain"];

fn langchain(judge: &mut Judge<'_>, message: Value<'_>) {
    let bare = Some(message).filter(|message| !said(*message, "constructor"));
    for holder in [bare, message.get("data"), message.get("kwargs")].into_iter().flatten() {
        member(judge, holder, "additional_kwargs", Value::is_object);
        member(judge, holder, "response_metadata", Value::is_object);
        member(judge, holder, "id", |value| text_or_null(value) || value.as_f64().is_some());
        member(judge, holder, "name", text_or_null);
        member(judge, holder, "usage_metadata", |value| value.is_null() || value.is_object());
        each(holder, "content", |block| {
            let is_media = block.get("type").is_some_and(|kind| one_of(kind, &MEDIA));
            if is_media && block.get("base64").is_some_and(Value::is_string) {
                member(judge, block, "url", Value::is_string);
                member(judge, block, "file_id", Value::is_string);
            }
        });
    }
}

/// Fields of providers: an object of objects.
pub(super) fn of_providers(value: Value<'_>) -> bool {
    value.is_object() && value.members().all(|(_, fields)| fields.is_object())
}

fn model_part(judge: &mut Judge<'_>, part: Value<'_>) {
    if said(part, "file") {
        member(judge, part, "filename", Value::is_string);
    } else if said(part, "tool-approval-response") {
        member(judge, part, "reason", Value::is_string);
    } else if said(part, "tool-approval-request") {
        member(judge, part, "signature", Value::is_string);
    } else if said(part, "tool-call") {
        member(judge, part, "providerExecuted", |value| value.as_bool().is_some());
    }
    let Some(output) = part.get("output") else { return };
    if said(output, "execution-denied") {
        member(judge, output, "reason", Value::is_string);
    }
    member(judge, output, "providerOptions", of_providers);
    if said(output, "content") {
        each(output, "value", |item| {
            member(judge, item, "providerOptions", of_providers);
            if said(item, "media") || said(item, "file-data") {
                member(judge, item, "filename", Value::is_string);
            } else if said(item, "file-url") || said(item, "image-url") {
                member(judge, item, "mediaType", Value::is_string);
            }
        });
    }
}

/// A part of a message of the interface, as `uiMessagesSchema` has it.
fn interface_part(judge: &mut Judge<'_>, part: Value<'_>) {
    let flag = |value: Value<'_>| value.as_bool().is_some();
    let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
    match &*kind {
        "text" => member(judge, part, "state", |state| one_of(state, &["streaming", "done"])),
        "reasoning" => {
            member(judge, part, "state", |state| one_of(state, &["streaming", "done"]));
            member(judge, part, "id", Value::is_string);
        }
        "source-url" => member(judge, part, "title", Value::is_string),
        "source-document" | "file" => member(judge, part, "filename", Value::is_string),
        kind if kind.starts_with("data-") => member(judge, part, "id", Value::is_string),
        kind if kind == "dynamic-tool" || kind.starts_with("tool-") => {
            member(judge, part, "toolMetadata", Value::is_object);
            member(judge, part, "providerExecuted", flag);
            if part.get("state").is_some_and(|state| state.is_str("output-available")) {
                member(judge, part, "preliminary", flag);
            }
            if kind == "dynamic-tool" {
                member(judge, part, "dynamic", |value| value.as_bool() == Some(false));
            }
        }
        _ => {}
    }
}

/// Go reads null as left out, and nothing of another type.
fn ollama(judge: &mut Judge<'_>, message: Value<'_>) {
    member(judge, message, "tool_call_id", text_or_null);
    member(judge, message, "tool_name", text_or_null);
    each(message, "tool_calls", |call| {
        member(judge, call, "id", text_or_null);
        if let Some(function) = call.get("function") {
            member(judge, function, "index", |value| value.is_null() || whole(value));
        }
    });
}

/// Columns of text, and the content beside them.
fn rows(judge: &mut Judge<'_>, message: Value<'_>) {
    if message.get("parts").is_some_and(|parts| parts.items().next().is_some()) {
        member(judge, message, "content", Value::is_string);
    }
    each(message, "parts", |row| {
        for key in ["text_content", "textContent", "tool_name", "toolName", "tool_call_id", "toolCallId"] {
            member(judge, row, key, text_or_null);
        }
        // A column that stands under both of its names is read under that of the table.
        for (column, other) in [("tool_input", "toolInput"), ("tool_output", "toolOutput")] {
            if row.get(column).is_some_and(|value| !value.is_null()) {
                member(judge, row, other, text_or_null);
            }
        }
    });
}

/// A block of content of the Model Context Protocol.
fn protocol_block(judge: &mut Judge<'_>, block: Value<'_>) {
    let protocol = &judge.target.protocol;
    let (newer, icons) = (protocol.resource_links, protocol.lists);
    member(judge, block, "annotations", Value::is_object);
    if let Some(annotations) = block.get("annotations") {
        member(judge, annotations, "audience", audience);
        member(judge, annotations, "priority", |value| value.as_f64().is_some_and(|part| (0.0..=1.0).contains(&part)));
        if newer {
            member(judge, annotations, "lastModified", Value::is_string);
        }
    }
    if newer {
        member(judge, block, "_meta", Value::is_object);
        if let Some(resource) = block.get("resource") {
            member(judge, resource, "_meta", Value::is_object);
        }
    }
    if said(block, "resource_link") {
        if newer {
            member(judge, block, "size", whole);
        }
        if icons {
            member(judge, block, "icons", pictures);
        }
    }
}

fn audience(value: Value<'_>) -> bool {
    value.is_array() && value.items().all(|role| role.is_str("user") || role.is_str("assistant"))
}

fn pictures(value: Value<'_>) -> bool {
    let one = |icon: Value<'_>| {
        let mut members = icon.members();
        icon.get("src").is_some_and(Value::is_string)
            && members.all(|(key, value)| {
                if key.is_str("sizes") {
                    value.is_array() && value.items().all(Value::is_string)
                } else if key.is_str("theme") {
                    value.is_str("light") || value.is_str("dark")
                } else {
                    !key.is_str("mimeType") || value.is_string()
                }
            })
    };
    value.is_array() && value.items().all(one)
}

/// What a server says that it is.
fn program(value: Value<'_>) -> bool {
    let mut members = value.members();
    value.get("name").is_some()
        && value.get("version").is_some()
        && members.all(|(key, value)| {
            if key.is_str("icons") {
                return pictures(value);
            }
            let text = ["name", "version", "title", "description", "websiteUrl"].iter().any(|name| key.is_str(name));
            !text || value.is_string()
        })
}
