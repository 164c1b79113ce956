//! Gemini's steps: a turn of calls stands right behind the user or behind results, and one content holds all results of a
//! turn. So turns of the model that follow each other become one where calls are in them, and results that came in
//! several contents are put into one. The latter holds for the sampling messages of MCP and for Anthropic, too.

use crate::print::Writer;
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Message, Role, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    match writer.target.dialect {
        Dialect::GeminiContents => model_turns(transcript, writer),
        // "`tool_use` ids were found without `tool_result` blocks immediately after": calls are paired before turns are joined
        // (pydantic/pydantic-ai#653, MoonshotAI/kosong#45).
        Dialect::McpSampling | Dialect::AnthropicMessages => {}
        _ => return,
    }
    results(transcript, writer);
}

/// "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
fn model_turns<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let calls_behind_model = |pair: &[Message<'_>]| {
        pair.iter().all(|message| message.role == Role::Assistant) && pair[1].calls().next().is_some()
    };
    if !transcript.messages.windows(2).any(calls_behind_model) {
        return;
    }
    let messages = std::mem::take(&mut transcript.messages);
    let mut run: Vec<Message<'a>> = Vec::new();
    for message in messages {
        if message.role == Role::Assistant {
            run.push(message);
            continue;
        }
        close(&mut transcript.messages, &mut run, writer);
        transcript.messages.push(message);
    }
    close(&mut transcript.messages, &mut run, writer);
}

/// Ends a run of the model's turns: up to the last that calls, they become one.
fn close<'a>(placed: &mut Vec<Message<'a>>, run: &mut Vec<Message<'a>>, writer: &mut Writer<'a, '_>) {
    let until = run.iter().rposition(|message| message.calls().next().is_some()).unwrap_or_default();
    let mut run = run.drain(..);
    let Some(mut first) = run.next() else { return };
    for more in run.by_ref().take(until) {
        let what = "a turn of calls stands behind the user or behind results; the model's turns became one";
        writer.entry(&rule::SPLIT_MODEL_TURN, Severity::Adapt, more.source, Some(first.id), what);
        first.blocks.extend(more.blocks);
        first.dirty = true;
    }
    placed.push(first);
    placed.extend(run);
}

/// "Please ensure that the number of function response parts is equal to the number of function call parts of the function
/// call turn."
fn results<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !writer.same {
        return;
    }
    let mut at = 0;
    while at < transcript.messages.len() {
        if transcript.messages[at].role != Role::ToolResult {
            at += 1;
            continue;
        }
        let end = transcript.messages[at..]
            .iter()
            .position(|message| message.role != Role::ToolResult)
            .map_or(transcript.messages.len(), |behind| at + behind);
        let batch = &mut transcript.messages[at..end];
        let wire = |message: &Message<'_>| message.origin.map(|origin| origin.value);
        let first = wire(&batch[0]);
        if batch.iter().any(|message| wire(message) != first) {
            let origins: Vec<_> = batch.iter().filter_map(wire).collect();
            let split = origins.windows(2).any(|pair| pair[0] != pair[1]);
            let about = batch.iter().find(|message| message.origin.is_some() && wire(message) != first);
            if let Some(message) = about.filter(|_| split) {
                let (source, id) = (message.source, Some(message.id));
                let what = "the results of one turn of calls were put into one message";
                writer.entry(&rule::SPLIT_TOOL_RESULTS, Severity::Adapt, source, id, what);
            }
            for message in batch {
                message.dirty = true;
            }
        }
        at = end;
    }
}
