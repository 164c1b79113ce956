//! `openclaw`: agent messages of that lineage, pi-ai's too.
//!
//! Shapes as `@mariozechner/pi-ai` declares them; what a rebuilt transcript cannot know (usage, provider, time) is not
//! asked for. Fields that these programs add for themselves are theirs.

use crate::arguments;
use crate::dialects::{Check, canonical};
use crate::input::Messages;
use crate::judge::Judge;
use crate::media::{self, Look};
use crate::pairing::Asks;
use crate::shape;
use crate::turns::Turns;
use wirecanon_json::Value;
use wirecanon_model::rule;

const ROLES: &[&str] =
    &["system", "user", "assistant", "toolResult", "custom", "compactionSummary", "bashExecution", "branchSummary"];

pub(super) static CHECK: Check = Check::Messages(judge);

/// Judges the agent messages of a session.
fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    let fragment = messages.is_lone_result();
    // Both pi-ai and OpenClaw carry parallel results in any order to their providers.
    let mut turns = Turns::asking(Asks { unique: judge.target.ids.unique, ordered: false, named: true });
    for message in messages.iter() {
        let Some(role) = turns.role(judge, message, ROLES) else { continue };
        if role != "assistant" {
            turns.begin(judge, message, &role);
        }
        match &*role {
            "assistant" => {
                turns.order.message(judge, message, true);
                canonical::turn(judge, &mut turns.pairing, message, arguments::object);
                // Applications add reasons of their own, but a reason is a word.
                if let Some(stop) = message.get("stopReason").filter(|stop| !stop.is_string() && !stop.is_null()) {
                    let words = format!("the reason to stop is {}", stop.kind().name());
                    judge.say(&rule::UNKNOWN_STOP_REASON, stop, words);
                }
                if let Some(list) = shape::blocks(judge, message, false) {
                    filled(judge, list);
                    blocks(judge, list, "assistant");
                }
            }
            "toolResult" => {
                canonical::answer(judge, &mut turns.pairing, message, fragment);
                if let Some(list) = shape::blocks(judge, message, false) {
                    blocks(judge, list, "toolResult");
                }
            }
            "user" => {
                if let Some(list) = shape::blocks(judge, message, true) {
                    filled(judge, list);
                    blocks(judge, list, "user");
                }
            }
            "system" => {
                if let Some(list) = shape::blocks(judge, message, true) {
                    blocks(judge, list, "system");
                }
            }
            // An application's own message: its content is its own, and it reaches the model as user text.
            _ => {}
        }
    }
    turns.finish(judge, messages);
}

fn filled(judge: &mut Judge<'_>, list: Value<'_>) {
    if list.items().next().is_none() {
        judge.say(&rule::EMPTY_MESSAGE, list, "the message is empty");
    }
}

fn blocks(judge: &mut Judge<'_>, list: Value<'_>, role: &str) {
    for block in list.items() {
        let Some(kind) = shape::kind(judge, block) else { continue };
        match (&*kind, role) {
            ("text", _) => shape::text_block(judge, block),
            ("image", "user" | "toolResult") => {
                media::image(judge, block, block.get("data"), block.get("mimeType"), Look::Bytes);
            }
            ("thinking", "assistant") => {
                shape::text(judge, block, "thinking");
                shape::alias(judge, block, "thinkingSignature", &["signature"], "OpenClaw");
            }
            ("toolCall", "assistant") => {}
            ("image" | "thinking" | "toolCall", _) => shape::misplaced(judge, block, &kind, role),
            ("resource_link", "toolResult") => {
                judge.say(&rule::RESOURCE_LINK_IN_TOOL_RESULT, block, "a link to a resource stands in a tool result");
            }
            ("resource", "toolResult") => {
                judge.say(&rule::RESOURCE_IN_TOOL_RESULT, block, "a resource stands in a tool result");
            }
            ("audio", "toolResult") => {
                judge.say(&rule::AUDIO_IN_TOOL_RESULT, block, "a recording stands in a tool result");
            }
            _ => shape::unknown(judge, block, &kind),
        }
    }
}
