//! Which dialect a text is in, and what says so.

use super::Dialect;
use crate::json::{Json, Value};

/// What speaks for a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The dialect
    pub dialect: Dialect,
    /// How much speaks for it; only the order of two numbers means anything
    pub weight: usize,
    /// The strongest sign, in words
    pub sign: &'static str,
}

/// One sign: what it speaks for, how strongly, and whether a message shows it.
struct Sign {
    dialects: &'static [Dialect],
    weight: usize,
    words: &'static str,
    shows: fn(Value<'_>) -> bool,
}

use Dialect::{AnthropicMessages, Canonical, McpToolResult, OpenAiChat, OpenClaw};

/// Signs of a message. Roles and fields of a message weigh more than the spelling of a block, which histories mix.
const SIGNS: &[Sign] = &[
    Sign {
        dialects: &[OpenClaw, Canonical],
        weight: 8,
        words: "a message of role `toolResult`",
        shows: |m| role(m, "toolResult"),
    },
    Sign {
        dialects: &[OpenAiChat],
        weight: 8,
        words: "a message of role `tool`",
        shows: |m| role(m, "tool") || role(m, "function"),
    },
    Sign {
        dialects: &[OpenAiChat],
        weight: 8,
        words: "`tool_calls` beside the content",
        shows: |m| m.get("tool_calls").is_some() || m.get("function_call").is_some(),
    },
    Sign {
        dialects: &[OpenAiChat],
        weight: 4,
        words: "a message of role `developer`",
        shows: |m| role(m, "developer"),
    },
    Sign {
        dialects: &[OpenAiChat],
        weight: 3,
        words: "`tool_call_id` on a message",
        shows: |m| m.get("tool_call_id").is_some(),
    },
    Sign {
        dialects: &[OpenAiChat],
        weight: 3,
        words: "an `image_url` part",
        shows: |m| block(m, |b| is(b, "image_url") || is(b, "input_audio") || is(b, "refusal")),
    },
    Sign {
        dialects: &[AnthropicMessages],
        weight: 7,
        words: "a `tool_result` block in a user message",
        shows: |m| role(m, "user") && block(m, |b| is(b, "tool_result")),
    },
    Sign {
        dialects: &[AnthropicMessages],
        weight: 4,
        words: "a `tool_use` block",
        shows: |m| block(m, |b| is(b, "tool_use") || is(b, "server_tool_use")),
    },
    Sign {
        dialects: &[AnthropicMessages],
        weight: 3,
        words: "an image with a `source`",
        shows: |m| block(m, |b| (is(b, "image") || is(b, "document")) && b.get("source").is_some()),
    },
    Sign {
        dialects: &[AnthropicMessages],
        weight: 2,
        words: "`stop_reason` or `cache_control`",
        shows: |m| m.get("stop_reason").is_some() || block(m, |b| b.get("cache_control").is_some()),
    },
    Sign {
        dialects: &[AnthropicMessages],
        weight: 2,
        words: "redacted thinking",
        shows: |m| block(m, |b| is(b, "redacted_thinking")),
    },
    Sign {
        dialects: &[OpenClaw, Canonical],
        weight: 4,
        words: "a `toolCall` block",
        shows: |m| block(m, |b| is(b, "toolCall")),
    },
    Sign {
        dialects: &[OpenClaw, Canonical],
        weight: 2,
        words: "an image with flat fields",
        shows: |m| block(m, |b| is(b, "image") && b.get("data").is_some()),
    },
    Sign {
        dialects: &[OpenClaw, Canonical],
        weight: 2,
        words: "`stopReason` on a message",
        shows: |m| m.get("stopReason").is_some(),
    },
    Sign {
        dialects: &[OpenClaw],
        weight: 3,
        words: "a `toolCall` with an object for arguments",
        shows: |m| {
            block(m, |b| {
                is(b, "toolCall") && ["arguments", "input"].iter().any(|key| b.get(key).is_some_and(Value::is_object))
            })
        },
    },
    Sign {
        dialects: &[OpenClaw],
        weight: 2,
        words: "a timestamp, or the provider's bookkeeping, on a message",
        shows: |m| {
            ["timestamp", "api", "provider", "details", "usage"].iter().any(|key| m.get(key).is_some())
                && m.get("role").is_some_and(|r| r.is_str("user") || r.is_str("assistant") || r.is_str("toolResult"))
                && m.get("id").is_none()
        },
    },
    Sign {
        dialects: &[OpenClaw],
        weight: 2,
        words: "a camel-case signature",
        shows: |m| {
            block(m, |b| {
                b.get("thinkingSignature").is_some()
                    || b.get("thoughtSignature").is_some()
                    || b.get("textSignature").is_some()
            })
        },
    },
    Sign {
        dialects: &[Canonical],
        weight: 3,
        words: "a `toolCall` with a string for arguments",
        shows: |m| block(m, |b| is(b, "toolCall") && b.get("arguments").is_some_and(Value::is_string)),
    },
    Sign {
        dialects: &[Canonical],
        weight: 3,
        words: "a field that only the canonical dialect has",
        shows: |m| {
            m.get("native").is_some()
                || m.get("synthetic").is_some()
                || block(m, |b| {
                    b.get("native").is_some()
                        || is(b, "opaque")
                        || (is(b, "link") && b.get("url").is_some())
                        || (is(b, "file") && b.get("data").is_some())
                })
        },
    },
];

fn role(message: Value<'_>, name: &str) -> bool {
    message.get("role").is_some_and(|role| role.is_str(name))
}

fn is(block: Value<'_>, kind: &str) -> bool {
    block.get("type").is_some_and(|found| found.is_str(kind))
}

fn block(message: Value<'_>, shows: fn(Value<'_>) -> bool) -> bool {
    message.get("content").is_some_and(|content| content.items().take(LOOK_AT).any(shows))
}

/// Messages, and blocks of one, that are looked at. A transcript that shows its dialect only later than this is odd
/// enough to be named by hand.
const LOOK_AT: usize = 4096;

/// What speaks for each dialect, strongest first; empty when the text holds no messages of any.
pub fn detect(json: &Json<'_>) -> Vec<Evidence> {
    let root = json.root();
    if looks_like_a_tool_result(root) {
        return vec![Evidence { dialect: McpToolResult, weight: 1, sign: "a result without a role" }];
    }
    let Ok(layout) = super::layout(json, Canonical) else { return Vec::new() };
    let mut weights = [0; 4];
    let mut signs = ["nothing that only one dialect has"; 4];
    let all = [Canonical, OpenClaw, AnthropicMessages, OpenAiChat];
    for sign in SIGNS {
        if !layout.messages.clone().take(LOOK_AT).any(|message| message.is_object() && (sign.shows)(message)) {
            continue;
        }
        for (at, dialect) in all.iter().enumerate() {
            if sign.dialects.contains(dialect) {
                if weights[at] == 0 {
                    signs[at] = sign.words;
                }
                weights[at] += sign.weight;
            }
        }
    }
    if root.get("system").is_some() {
        weights[2] += 2;
    }
    let mut found: Vec<_> = all
        .iter()
        .enumerate()
        .map(|(at, dialect)| Evidence { dialect: *dialect, weight: weights[at], sign: signs[at] })
        .collect();
    // A stable sort keeps the order of the table among equals.
    found.sort_by_key(|evidence| std::cmp::Reverse(evidence.weight));
    found
}

fn looks_like_a_tool_result(root: Value<'_>) -> bool {
    let result = root.get("result").filter(|_| root.get("jsonrpc").is_some()).unwrap_or(root);
    result.is_object()
        && result.get("role").is_none()
        && result.get("messages").is_none()
        && result.get("choices").is_none()
        && ["content", "structuredContent", "isError", "toolResult"].iter().any(|key| result.get(key).is_some())
}
