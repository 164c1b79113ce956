//! What only OpenAI has of calls and roles, for servers that speak its dialect otherwise: calls of custom tools, which take
//! free text, the older `function_call` with its role `function`, and the role `developer`.

use crate::dialects::openai_chat::read::LEGACY as OPENAI_LEGACY;
use crate::print::Writer;
use wirecanon_model::transcript::{BlockKind, Message, Role, Transcript};
use wirecanon_model::{Dialect, rule};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect == Dialect::OpenAiChat && !writer.same {
        older_field(transcript);
    }
    let (custom, developer) = (writer.target.content.custom_calls, writer.target.order.developer);
    let older = writer.target.content.older_calls;
    if writer.target.dialect != Dialect::OpenAiChat || (custom && developer && older) {
        return;
    }
    let dialect = Dialect::OpenAiChat.name();
    for message in &mut transcript.messages {
        if !developer
            && message.role == Role::System
            && message.native.as_mut().is_some_and(|native| native.remove(dialect, "role"))
        {
            let what = "the target has no role `developer`; the message became one of `system`";
            writer.adapt(&rule::ROLE_ALIAS, message, what);
        }
        if !older
            && message.role == Role::ToolResult
            && message.native.as_mut().is_some_and(|native| native.remove(dialect, "role"))
        {
            let what = "the target has no role `function`; the result became one of `tool`";
            writer.adapt(&rule::ROLE_ALIAS, message, what);
        }
        for block in &mut message.blocks {
            if !older && block.native.as_mut().is_some_and(|native| native.remove(dialect, OPENAI_LEGACY)) {
                let what = "the target knows no `function_call`; the call became one of `tool_calls`";
                writer.adapt(&rule::TOOL_CALL_ALIAS, block, what);
            }
            if custom || !matches!(block.kind, BlockKind::ToolCall(_)) {
                continue;
            }
            if block.native.as_mut().is_some_and(|native| native.remove(dialect, "type")) {
                block.projected = false;
                let what = "the target calls functions only; the free text became the argument `input` of one";
                writer.adapt(&rule::TOOL_CALL_ALIAS, block, what);
            }
        }
    }
}

/// OpenAI's older field for a call goes with results of role `function`: a call and its result come back in it together, or
/// neither does.
fn older_field(transcript: &mut Transcript<'_>) {
    let dialect = Dialect::OpenAiChat.name();
    let is_older = |message: &Message<'_>| message.native_field(dialect, "role").is_some();
    let mut from = 0;
    while from < transcript.messages.len() {
        let behind = &transcript.messages[from + 1..];
        let results = behind.iter().take_while(|next| next.role == Role::ToolResult).count();
        let (turn, rest) = transcript.messages[from..].split_at_mut(1);
        let (turn, results) = (&mut turn[0], &mut rest[..results]);
        let marked = turn.blocks.iter().filter(|block| block.native_field(dialect, OPENAI_LEGACY).is_some()).count();
        let fits = marked == 1 && turn.calls().count() == 1 && results.iter().all(is_older);
        if !fits {
            for block in turn.blocks.iter_mut().filter_map(|block| block.native.as_mut()) {
                block.remove(dialect, OPENAI_LEGACY);
            }
            for result in results.iter_mut().filter_map(|result| result.native.as_mut()) {
                result.remove(dialect, "role");
            }
        }
        from += 1 + results.len();
    }
}
