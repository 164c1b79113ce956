//! UI messages of the Vercel AI SDK. A tool part is a call and, once it has one, its result; steps are divided by `step-start`.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

use crate::ai_sdk::{SIGNATURES, denial, file, instructions, signature_of, whole_result};
use crate::ai_sdk_v4 as v4;
use crate::builder::Builder;
use crate::document::Document;
use crate::observation::{Arguments, Attribute, Content, Item, MediaKind, Reasoning, Speaker, ToolResult};
use crate::tools;
use crate::unreadable::{Read, Unreadable};
use crate::wire::{
    ASSISTANT, SYSTEM, USER, array, boolean, field, first, kind, label, raw, required, required_object, speaker,
    string, unknown_block,
};

const DIALECT: Dialect = Dialect::AiSdkUi;

pub(crate) fn observe<'a>(builder: &mut Builder<'a>, root: Value<'a>) -> Read<()> {
    builder.calls_have_states();
    let document = Document::of_roles(root, None)?;
    if let Some(body) = document.body {
        instructions(builder, body)?;
        tools::flat(builder, body)?;
    }
    for message in document.messages {
        let speaker = speaker(message, &[SYSTEM, USER, ASSISTANT])?;
        let mut step = Step::default();
        // Version 4 kept a text, calls and files beside the parts, or without parts.
        let is_assistant = speaker == Speaker::Assistant;
        let calls = if is_assistant { v4::calls_beside(message)? } else { Vec::new() };
        let text = match field(message, "parts") {
            None => Some(required(message, "content").map_err(|_| Unreadable::new(message, "`parts` is missing"))?),
            Some(_) => None,
        };
        for part in array(message, "parts")? {
            if part.get("type").is_some_and(|kind| kind.is_str("step-start")) {
                std::mem::take(&mut step).end(builder, speaker, message);
            } else {
                step.part(part, speaker)?;
            }
        }
        for call in calls {
            step.invocation(call, call)?;
        }
        if let Some(text) = text {
            // The text follows the results of calls.
            if !step.results.is_empty() {
                std::mem::take(&mut step).end(builder, speaker, message);
            }
            step.said.push(Item::text(text, field(message, "content").unwrap_or(message)));
        }
        if speaker == Speaker::User {
            step.said.extend(v4::attachments(message)?);
        }
        step.end(builder, speaker, message);
    }
    Ok(())
}

pub(crate) fn items(value: Value<'_>, speaker: Speaker) -> Read<Vec<Item<'_>>> {
    if speaker == Speaker::Tool {
        return Ok(vec![crate::mcp::block(value)?]);
    }
    let mut step = Step::default();
    step.part(value, speaker)?;
    let results = step.results.into_iter().map(|(_, result, place)| Item::result(result, place));
    Ok(step.said.into_iter().chain(results).collect())
}

/// The parts between two marks of a step: what the model says and calls, and the results of these calls.
#[derive(Default)]
struct Step<'a> {
    said: Vec<Item<'a>>,
    calls: usize,
    results: Vec<(usize, ToolResult<'a>, Value<'a>)>,
}

impl<'a> Step<'a> {
    fn end(self, builder: &mut Builder<'a>, speaker: Speaker, message: Value<'a>) {
        if self.said.is_empty() {
            return;
        }
        let first = builder.next_call();
        builder.turn(speaker, message, self.said);
        for (call, mut result, place) in self.results {
            result.call = Some(first + call);
            builder.result(result, place);
        }
    }

    fn part(&mut self, part: Value<'a>, speaker: Speaker) -> Read<()> {
        let kind = kind(part)?;
        let is_assistant = speaker == Speaker::Assistant;
        let item = match &*kind {
            "text" => Item::text(required(part, "text")?, part),
            "reasoning" if is_assistant && field(part, "text").is_none() && v4::is_reasoning(part) => {
                self.said.extend(v4::reasoning(part)?);
                return Ok(());
            }
            "tool-invocation" if is_assistant && field(part, "toolInvocation").is_some() => {
                return self.invocation(required_object(part, "toolInvocation")?, part);
            }
            "reasoning" if is_assistant => {
                let metadata = field(part, "providerMetadata");
                let redacted = metadata.and_then(|metadata| signature_of(metadata, &["redactedData"]));
                let signature = metadata.and_then(|metadata| signature_of(metadata, &SIGNATURES));
                let is_redacted = redacted.is_some();
                let reasoning =
                    Reasoning { text: required(part, "text")?, signature: redacted.or(signature), is_redacted };
                Item::new(Content::Reasoning(reasoning), part)
            }
            "file" | "reasoning-file" if speaker != Speaker::System => {
                let media_type = string(part, "mediaType")?.or(string(part, "mimeType")?);
                let url = first(part, &["url", "data"]).ok_or_else(|| Unreadable::new(part, "`url` is missing"))?;
                let kind = MediaKind::of_declared(media_type.as_deref());
                Item::media(file(url, kind, media_type)?.named(label(part, "filename")), part)
            }
            "source" | "source-url" | "source-document" | "custom" => provider(part, kind, Vec::new()),
            _ if kind.starts_with("data-") => provider(part, kind, Vec::new()),
            _ if is_assistant && (kind == "dynamic-tool" || kind.starts_with("tool-")) => {
                return self.tool(part, kind);
            }
            _ => return unknown_block(part, &kind, &format!("a {} message", speaker.name())),
        };
        self.said.push(item.with(Attribute::ProviderOptions, raw(part, "providerMetadata")));
        Ok(())
    }

    /// Reads a call of version 4, which has its result in it once there is one.
    fn invocation(&mut self, invocation: Value<'a>, place: Value<'a>) -> Read<()> {
        let id = Some(required(invocation, "toolCallId")?);
        let arguments = field(invocation, "args").map_or(Arguments::Missing, Arguments::Value);
        let call = Item::call(id.clone(), required(invocation, "toolName")?, arguments, place);
        match &*required(invocation, "state")? {
            // Not whole yet: it is not sent.
            "partial-call" => return Ok(()),
            "call" => {}
            "result" => {
                let result = ToolResult { id, ..given(field(invocation, "result")) };
                self.results.push((self.calls, result, place));
            }
            state => return Err(Unreadable::new(invocation, format!("unknown state `{state}`"))),
        }
        self.calls += 1;
        self.said.push(call);
        Ok(())
    }

    fn tool(&mut self, part: Value<'a>, kind: Cow<'a, str>) -> Read<()> {
        let name = match kind.strip_prefix("tool-").filter(|_| kind != "dynamic-tool") {
            Some(name) => Cow::Owned(name.to_owned()),
            None => required(part, "toolName")?,
        };
        let id = Some(required(part, "toolCallId")?);
        let arguments = field(part, "input").or(field(part, "rawInput")).map_or(Arguments::Missing, Arguments::Value);
        let call = Item::call(id.clone(), name, arguments, part);
        let state = required(part, "state")?;
        let result = match &*state {
            // Not whole yet: it is not sent.
            "input-streaming" => return Ok(()),
            "input-available" => None,
            "approval-requested" | "approval-responded" => {
                self.said.push(provider(part, kind, vec![call]));
                return Ok(());
            }
            "output-available" => Some(given(field(part, "output"))),
            "output-error" => Some(failure(Item::text(required(part, "errorText")?, part))),
            "output-denied" => {
                let approval = required_object(part, "approval")?;
                Some(failure(denial(string(approval, "reason")?, approval, DIALECT)))
            }
            state => return Err(Unreadable::new(part, format!("unknown state `{state}`"))),
        };
        let result = result.map(|result| ToolResult { id, ..result });
        if boolean(part, "providerExecuted")?.unwrap_or(false) {
            let result = result.map(|result| Item::result(result, part));
            self.said.push(provider(part, kind, std::iter::once(call).chain(result).collect()));
            return Ok(());
        }
        if let Some(result) = result {
            self.results.push((self.calls, result, part));
        }
        self.calls += 1;
        self.said.push(call);
        Ok(())
    }
}

/// The result of an output; an empty one where there is none.
fn given(output: Option<Value<'_>>) -> ToolResult<'_> {
    let result = output.map_or_else(|| ToolResult::new(None, Vec::new()), whole_result);
    let is_error = result.is_error == Some(true);
    result.failed(Some(is_error))
}

fn failure(item: Item<'_>) -> ToolResult<'_> {
    ToolResult::new(None, vec![item]).failed(Some(true))
}

fn provider<'a>(part: Value<'a>, kind: Cow<'a, str>, readable: Vec<Item<'a>>) -> Item<'a> {
    Item::provider(DIALECT, kind, part, readable)
}
