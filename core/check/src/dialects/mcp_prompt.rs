//! A prompt of the Model Context Protocol: each message holds exactly one block. Source: MCP schema, `PromptMessage`.

use crate::dialects::{Check, mcp_tool_result as mcp};
use crate::input::Messages;
use crate::judge::Judge;
use crate::shape::{self, Order};
use wirecanon_json::Value;
use wirecanon_model::rule;

const ROLES: &[&str] = &["user", "assistant"];

pub(super) static CHECK: Check = Check::Messages(judge);

fn judge(judge: &mut Judge<'_>, messages: &Messages<'_>) {
    if let Some(prompt) = messages.document.filter(|_| judge.target.protocol.result_type)
        && !prompt.get("resultType").is_some_and(Value::is_string)
    {
        judge.say(&rule::RESULT_TYPE_MISSING, prompt, "the prompt does not say its type");
    }
    let mut order = Order::default();
    for message in messages.iter() {
        let Some(role) = shape::role(judge, message, ROLES) else { continue };
        order.message(judge, message, &*role == "assistant");
        let content = shape::content(judge, message, |content| content.is_object() || content.is_array());
        if let Some(content) = content.filter(|content| content.is_array()) {
            judge.say(&rule::PROMPT_CONTENT_NOT_ONE_BLOCK, content, "a list stands in place of one block");
        } else if let Some(content) = content
            && let Some(kind) = shape::kind(judge, content)
        {
            mcp::block(judge, content, &kind);
        }
    }
    order.finish(judge, messages.place, false);
}
