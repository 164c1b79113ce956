//! The messages of a sampling request of the Model Context Protocol.
//!
//! Sources: MCP schema 2026-07-28, `SamplingMessage`; MCP 2025-11-25, sampling: tool use and result balance.

use crate::dialects::{Check, mcp_tool_result as mcp};
use crate::input::Messages;
use crate::judge::Judge;
use crate::media::{self, Look};
use crate::pairing::{Asks, Pairing};
use crate::shape;
use crate::turns::Turns;
use crate::{arguments, call};
use wirecanon_json::Value;
use wirecanon_model::rule;
use wirecanon_model::target::Scope;

const ROLES: &[&str] = &["user", "assistant"];

pub(super) static CHECK: Check = Check::Messages(judge);

fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let mut turns = Turns::asking(Asks { unique: Scope::Turn, ordered: false, named: false });
    if let Some(system) = messages.beside("systemPrompt").filter(|system| !system.is_null() && !system.is_string()) {
        judge.say(&rule::TEXT_NOT_A_STRING, system, format!("`systemPrompt` is {}", system.kind().name()));
    }
    // Results of the turn so far: the message behind a turn holds them all.
    let mut answered = false;
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        let assistant = &*role == "assistant";
        turns.order.message(judge, message, assistant);
        if assistant {
            turns.pairing.turn(false);
            answered = false;
        }
        let Some(content) = shape::content(judge, message, |content| content.is_array() || content.is_object()) else {
            turns.pairing.other();
            continue;
        };
        if content.is_array() && !judge.target.protocol.lists {
            judge.say(&rule::PROMPT_CONTENT_NOT_ONE_BLOCK, content, "in this revision content is one block");
        }
        let (mut results, mut others) = (0, 0);
        for block in blocks(content) {
            let Some(kind) = shape::kind(judge, block) else { continue };
            match (&*kind, assistant) {
                ("tool_result", false) if judge.target.content.tools => {
                    results += 1;
                    result(judge, &mut turns, block);
                }
                (kind, _) => {
                    others += 1;
                    said(judge, &mut turns.pairing, block, kind, assistant);
                }
            }
        }
        if results > 0 && answered && judge.pairing {
            judge.say(&rule::SPLIT_TOOL_RESULTS, content, "another message holds results of the turn");
        }
        answered |= results > 0;
        if results > 0 && others > 0 {
            let words = "tool results stand beside other content";
            judge.say(&rule::TOOL_RESULT_BESIDE_OTHER_CONTENT, content, words);
        }
    }
    turns.finish(judge, messages);
}

/// One block, or those of a list.
fn blocks(content: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    Some(content).filter(|content| content.is_object()).into_iter().chain(content.items())
}

fn said<'a>(judge: &mut Judge<'_>, pairing: &mut Pairing<'a>, block: Value<'a>, kind: &str, assistant: bool) {
    if !assistant {
        pairing.other();
    }
    match kind {
        "text" => shape::text_block(judge, block),
        "image" => media::image(judge, block, block.get("data"), block.get("mimeType"), Look::Bytes),
        "audio" if judge.target.protocol.audio => {
            media::file_data(judge, block, "data");
            // The schema takes any type; what a client does with it is its own.
            media::said_type(judge, block, "mimeType");
        }
        "tool_use" if assistant && judge.target.content.tools => {
            arguments::object(judge, block, "input");
            let name = call::call_name(judge, block, "name", false);
            if let Some(id) = call::call_id(judge, block, "id") {
                pairing.call(judge, block, id, name);
            }
        }
        "tool_use" | "tool_result" => {
            shape::misplaced(judge, block, kind, if assistant { "assistant" } else { "user" });
        }
        "resource" | "resource_link" => {
            shape::misplaced(judge, block, kind, "a sampling message");
        }
        _ => shape::unknown(judge, block, kind),
    }
}

fn result<'a>(judge: &mut Judge<'_>, turns: &mut Turns<'a>, block: Value<'a>) {
    turns.result(judge, block, "toolUseId");
    shape::error_flag(judge, block, "isError", false);
    mcp::structured(judge, block);
    if let Some(list) = shape::blocks(judge, block, false) {
        mcp::blocks(judge, list);
    }
}
