//! Formats of conversations that are known and not read: they are named, so that nothing is judged as another format.

use wirecanon_json::{Json, Value, position};
use wirecanon_model::{Error, ErrorKind};

/// A format that is recognized and not read.
struct Format {
    /// The format, as its documentation calls it
    name: &'static str,
    /// How to get messages that are supported
    advice: &'static str,
    shows: fn(&Sample<'_>) -> bool,
}

impl Format {
    const fn new(name: &'static str, advice: &'static str, shows: fn(&Sample<'_>) -> bool) -> Self {
        Self { name, advice, shows }
    }
}

/// The parts of a document that show its format.
struct Sample<'a> {
    root: Value<'a>,
    /// The messages, events or records: items of the document's list, lines, or the document itself
    items: Vec<Value<'a>>,
}

/// Items that are looked at.
const MOST_ITEMS: usize = 256;

/// Keys of lists that may hold the items.
const LISTS: [&str; 9] =
    ["messages", "events", "input", "contents", "history", "steps", "chat_messages", "all_messages", "data"];

impl<'a> Sample<'a> {
    fn of(json: &'a Json<'a>) -> Self {
        let root = json.root();
        let list = if root.is_array() || json.is_lines() {
            Some(root)
        } else {
            LISTS.iter().find_map(|key| root.get(key)).filter(|list| list.is_array())
        };
        let items = match list {
            Some(list) => list.items().take(MOST_ITEMS).filter(|item| item.is_object()).collect(),
            None => vec![root],
        };
        Self { root, items }
    }

    fn any(&self, shows: impl Fn(Value<'a>) -> bool) -> bool {
        self.items.iter().any(|item| shows(*item))
    }

    fn all(&self, shows: impl Fn(Value<'a>) -> bool) -> bool {
        !self.items.is_empty() && self.items.iter().all(|item| shows(*item))
    }

    /// Returns true if a part of an item's list under this key shows something.
    fn any_part(&self, list: &str, shows: impl Fn(Value<'a>) -> bool) -> bool {
        self.any(|item| item.get(list).is_some_and(|parts| parts.items().take(MOST_ITEMS).any(&shows)))
    }
}

fn has(value: Value<'_>, key: &str) -> bool {
    value.get(key).is_some_and(|value| !value.is_null())
}

fn is(value: Value<'_>, key: &str, text: &str) -> bool {
    value.get(key).is_some_and(|value| value.is_str(text))
}

fn is_any(value: Value<'_>, key: &str, texts: &[&str]) -> bool {
    texts.iter().any(|text| is(value, key, text))
}

const AS_REQUESTS: &str = "record the requests that it sends to its provider, and give those";

/// Formats that are known. Sources: their published documentation and source code.
static FORMATS: &[Format] = &[
    Format::new(
        "AG-UI",
        "rename `toolCalls` to `tool_calls` and `toolCallId` to `tool_call_id`, which makes it openai.chat, \
                 or read it with --from openai.chat",
        |sample| {
            let calls = |call: Value<'_>| call.get("function").is_some_and(Value::is_object);
            let answers = |item: Value<'_>| {
                is(item, "role", "tool") && has(item, "toolCallId") && !item.get("content").is_some_and(Value::is_array)
            };
            let chat = |item: Value<'_>| has(item, "tool_calls") || has(item, "tool_call_id");
            let events = [
                "RUN_STARTED",
                "RUN_FINISHED",
                "TEXT_MESSAGE_START",
                "TEXT_MESSAGE_CONTENT",
                "TEXT_MESSAGE_CHUNK",
                "TOOL_CALL_START",
                "TOOL_CALL_CHUNK",
                "MESSAGES_SNAPSHOT",
                "STATE_SNAPSHOT",
            ];
            let event = |item: Value<'_>| is_any(item, "type", &events);
            (sample.any_part("toolCalls", calls) || sample.any(answers)) && !sample.any(chat)
                || sample.any(event)
                || event(sample.root)
                || has(sample.root, "threadId") && has(sample.root, "runId") && has(sample.root, "messages")
        },
    ),
    Format::new("LlamaIndex chat messages", AS_REQUESTS, |sample| {
        sample.any_part("blocks", |block| has(block, "block_type"))
    }),
    Format::new("Microsoft.Extensions.AI chat messages", AS_REQUESTS, |sample| {
        sample.any_part("contents", |content| has(content, "$type"))
            || sample.any_part("Contents", |content| has(content, "$type"))
    }),
    Format::new("a Semantic Kernel chat history", AS_REQUESTS, |sample| {
        sample.any_part("Items", |item| has(item, "$type")) || sample.any_part("items", |item| has(item, "$type"))
    }),
    Format::new("messages of Crush", AS_REQUESTS, |sample| {
        let part = |part: Value<'_>| has(part, "type") && part.get("data").is_some_and(Value::is_object);
        sample.any_part("parts", part) && !sample.any_part("parts", |part| has(part, "kind"))
    }),
    Format::new("OpenTelemetry GenAI messages", AS_REQUESTS, |sample| {
        let part = |part: Value<'_>| {
            is_any(part, "type", &["tool_call_response", "tool_call"]) && !has(part, "part_type")
                || is_any(part, "type", &["text", "reasoning"]) && has(part, "content") && !has(part, "text")
        };
        let keys = [
            "gen_ai.input.messages",
            "gen_ai.output.messages",
            "gen_ai.system_instructions",
            "resourceSpans",
            "resource_spans",
            "resourceLogs",
            "resource_logs",
        ];
        sample.any(|item| has(item, "role")) && sample.any_part("parts", part)
            || keys.iter().any(|key| has(sample.root, key))
    }),
    Format::new("A2A messages", AS_REQUESTS, |sample| {
        let part = |part: Value<'_>| is_any(part, "kind", &["text", "file", "data"]);
        let method = ["message/send", "message/stream", "SendMessage", "SendStreamingMessage"];
        let kinds = ["task", "message", "status-update", "artifact-update"];
        let answer = |value: Value<'_>| {
            is_any(value, "kind", &kinds) && (has(value, "messageId") || has(value, "contextId"))
                || has(value, "contextId") && has(value, "status")
        };
        let answers = ["result", "task", "message", "statusUpdate"].into_iter().filter_map(|key| sample.root.get(key));
        let inner =
            answers.clone().chain(answers.filter_map(|value| value.get("task").or_else(|| value.get("message"))));
        sample.any_part("parts", part)
            || inner.into_iter().any(answer)
            || sample.any(|item| is_any(item, "role", &["ROLE_USER", "ROLE_AGENT"]) && has(item, "parts"))
            || sample.any(|item| is_any(item, "method", &method) && has(item, "jsonrpc"))
            || answer(sample.root)
    }),
    Format::new("the Agent Client Protocol", "give the session file of the agent instead", |sample| {
        let method = ["session/prompt", "session/update", "session/new", "session/load"];
        sample.any(|item| has(item, "jsonrpc") && is_any(item, "method", &method) || has(item, "sessionUpdate"))
    }),
    Format::new("the Agent Communication Protocol", AS_REQUESTS, |sample| {
        sample.any_part("parts", |part| has(part, "content_type") && !has(part, "type"))
    }),
    Format::new(
        "events of Google's Agent Development Kit",
        "take the `content` of each event into a list `contents`, which makes it gemini.contents",
        |sample| {
            let event = |item: Value<'_>| {
                let content = item.get("content");
                let is_content = content.is_none_or(|content| content.is_null() || content.is_object());
                let invoked = has(item, "invocationId") || has(item, "invocation_id");
                let author = item.get("author").is_some_and(Value::is_string);
                author && is_content && (invoked || has(item, "actions"))
            };
            sample.any(event)
                || has(sample.root, "events")
                    && (has(sample.root, "appName") || has(sample.root, "app_name"))
                    && (has(sample.root, "userId") || has(sample.root, "user_id"))
        },
    ),
    Format::new("a history of pydantic-ai", AS_REQUESTS, |sample| {
        sample.any(|item| is_any(item, "kind", &["request", "response"]) && has(item, "parts"))
            || sample.any_part("parts", |part| has(part, "part_kind"))
    }),
    Format::new("the Interactions API of Gemini", "send it as gemini.contents or openai.responses instead", |sample| {
        let steps = ["user_input", "model_output", "function_result", "thought"];
        let step = |item: Value<'_>| is_any(item, "type", &steps) && !has(item, "role");
        let asks = has(sample.root, "input") && !has(sample.root, "messages");
        let settings = ["agent", "generation_config", "agent_config", "system_instruction", "response_modalities"];
        is(sample.root, "object", "interaction")
            || asks
                && (settings.iter().any(|key| has(sample.root, key)) || sample.any(|item| is(item, "role", "model")))
            || has(sample.root, "previous_interaction_id")
            || sample.any(step)
            || sample.any_part("content", |part| is_any(part, "type", &["function_result", "thought"]))
            || sample.root.get("outputs").is_some_and(|list| list.items().any(step))
    }),
    Format::new(
        "a session of Gemini CLI",
        "save the conversation with `/chat save` in Gemini CLI: that file is gemini.contents",
        |sample| {
            let head = |value: Value<'_>| has(value, "sessionId") && has(value, "projectHash");
            head(sample.root)
                || sample.items.first().is_some_and(|first| head(*first))
                || sample.any(|item| is(item, "type", "gemini") && (has(item, "content") || has(item, "thoughts")))
        },
    ),
    Format::new("a trajectory in ATIF", AS_REQUESTS, |sample| {
        let version = sample.root.get("schema_version").and_then(Value::as_str);
        version.is_some_and(|version| version.starts_with("ATIF"))
            || has(sample.root, "steps") && sample.all(|step| has(step, "step_id") && has(step, "source"))
    }),
    Format::new(
        "ShareGPT conversations",
        "rewrite each `from` and `value` as `role` and `content`, which makes it openai.chat",
        |sample| {
            let turn = |turn: Value<'_>| {
                turn.get("from").is_some_and(Value::is_string) && has(turn, "value") && !has(turn, "role")
            };
            ["conversations", "conversation"].iter().any(|key| sample.any_part(key, turn)) || sample.all(turn)
        },
    ),
    Format::new("an export of ChatGPT", "no request can be made of it: it lacks what the tools were given", |sample| {
        let export = |value: Value<'_>| {
            value.get("mapping").is_some_and(Value::is_object) && (has(value, "current_node") || has(value, "title"))
        };
        export(sample.root) || sample.any(export)
    }),
    Format::new(
        "an export of Claude.ai",
        "no request can be made of it: it lacks what the tools were given",
        |sample| {
            let said = |item: Value<'_>| is_any(item, "sender", &["human", "assistant"]) && has(item, "text");
            sample.any(said) || sample.any(|item| item.get("chat_messages").is_some_and(Value::is_array))
        },
    ),
    Format::new("a session of Goose", AS_REQUESTS, |sample| {
        sample.any_part("content", |part| is_any(part, "type", &["toolRequest", "toolResponse"]))
    }),
    Format::new("a session of opencode", AS_REQUESTS, |sample| {
        let part = |part: Value<'_>| has(part, "messageID") && has(part, "sessionID");
        sample.any_part("parts", part)
            || sample.any(|item| part(item) || has(item, "sessionID") && has(item, "role") && has(item, "time"))
            || sample.any(|item| item.get("info").is_some_and(|info| has(info, "sessionID")) && has(item, "parts"))
    }),
    Format::new("messages of AutoGen", AS_REQUESTS, |sample| {
        let kinds = ["TextMessage", "ToolCallRequestEvent", "ToolCallExecutionEvent", "ToolCallSummaryMessage"];
        sample.any(|item| is_any(item, "type", &kinds) && has(item, "source"))
    }),
    Format::new("messages of Spring AI", AS_REQUESTS, |sample| {
        let kinds = ["USER", "ASSISTANT", "SYSTEM", "TOOL"];
        sample.any(|item| is_any(item, "messageType", &kinds) && !has(item, "role"))
    }),
    Format::new("messages of LangChain4j", AS_REQUESTS, |sample| {
        let kinds = ["USER", "AI", "SYSTEM", "TOOL_EXECUTION_RESULT"];
        sample.any(|item| is_any(item, "type", &kinds) && !has(item, "role"))
    }),
    Format::new("messages of Letta", AS_REQUESTS, |sample| {
        let kinds = [
            "system_message",
            "user_message",
            "assistant_message",
            "reasoning_message",
            "tool_call_message",
            "tool_return_message",
        ];
        sample.any(|item| is_any(item, "message_type", &kinds))
    }),
    Format::new("chat messages of Haystack", AS_REQUESTS, |sample| {
        let part = |part: Value<'_>| has(part, "tool_call_result") || has(part, "tool_call");
        sample.any(|item| has(item, "_role") && has(item, "_content"))
            || sample.any(|item| has(item, "meta")) && sample.any_part("content", part)
    }),
    Format::new(
        "the chat API of Cohere in version 1",
        "send it as cohere.v2: `chat_history` and `message` become `messages`",
        |sample| {
            sample.root.get("chat_history").is_some_and(Value::is_array) && has(sample.root, "message")
                || sample
                    .all(|item| is_any(item, "role", &["USER", "CHATBOT", "SYSTEM", "TOOL"]) && has(item, "message"))
        },
    ),
    Format::new(
        "instructions and outputs for the training of models (Alpaca)",
        "no request can be made of it: give the conversations as messages with a `role`",
        |sample| sample.all(|item| has(item, "instruction") && has(item, "output") && !has(item, "role")),
    ),
    Format::new("messages of OpenAI's Assistants API", AS_REQUESTS, |sample| {
        sample.any(|item| is(item, "object", "thread.message")) || is(sample.root, "object", "thread")
    }),
    Format::new("events of OpenHands", AS_REQUESTS, |sample| {
        sample
            .any(|item| has(item, "source") && (has(item, "action") || has(item, "observation")) && !has(item, "role"))
    }),
    Format::new("messages of smolagents", AS_REQUESTS, |sample| {
        sample.any(|item| is_any(item, "role", &["tool-call", "tool-response"]))
    }),
    Format::new("messages of Rig", AS_REQUESTS, |sample| {
        let call = |part: Value<'_>| part.get("function").is_some_and(|function| has(function, "arguments"));
        sample.any_part("content", |part| is(part, "type", "toolresult"))
            || sample.any_part("content", |part| call(part) && has(part, "id") && !has(part, "type"))
    }),
    Format::new("messages that Mastra stores", AS_REQUESTS, |sample| {
        sample.any(|item| item.get("content").is_some_and(|content| has(content, "format") && has(content, "parts")))
    }),
    Format::new("a thread of Amp", AS_REQUESTS, |sample| {
        sample.any_part("content", |part| is(part, "type", "tool_result") && has(part, "run"))
    }),
    Format::new("a thread of Zed", AS_REQUESTS, |sample| {
        sample.all(|item| {
            item.get("User").or_else(|| item.get("Agent")).is_some_and(|turn| has(turn, "content"))
                || !has(item, "role") && has(item, "segments")
        })
    }),
    Format::new("a conversation of LibreChat", AS_REQUESTS, |sample| {
        sample.any(|item| has(item, "isCreatedByUser") && has(item, "messageId"))
    }),
    Format::new(
        "the messages that Cline or Roo Code shows",
        "give the file `api_conversation_history.json` beside it, which is anthropic.messages",
        |sample| sample.any(|item| has(item, "ts") && is_any(item, "type", &["say", "ask"])),
    ),
    Format::new("a session of Continue", AS_REQUESTS, |sample| {
        sample.any(|item| has(item, "contextItems") && has(item, "message"))
    }),
    Format::new("an export of Open WebUI", AS_REQUESTS, |sample| {
        let export = |value: Value<'_>| {
            value.get("chat").and_then(|chat| chat.get("history")).is_some_and(|history| has(history, "messages"))
        };
        export(sample.root) || sample.any(export)
    }),
    Format::new(
        "events of OpenAI's Realtime API",
        "give the items of the conversation as openai.responses",
        |sample| {
            let kinds = ["conversation.item.create", "conversation.item.created", "conversation.item.added"];
            sample.any(|item| is_any(item, "type", &kinds) && has(item, "item"))
        },
    ),
];

/// Returns the error that names the format of a document, if it is one that is known and not supported.
///
/// ```
/// use wirecanon_core::ErrorKind;
/// use wirecanon_core::dialect::unsupported;
/// use wirecanon_core::json::{Json, Limits};
///
/// let text = r#"[{"kind":"request","parts":[{"part_kind":"user-prompt","content":"hi"}]}]"#;
/// let error = unsupported(&Json::parse(text, &Limits::default())?).expect("a history of pydantic-ai");
/// assert_eq!(error.kind(), ErrorKind::Undetected);
/// assert!(error.message().contains("pydantic-ai"));
/// # Ok::<(), wirecanon_core::json::Error>(())
/// ```
pub fn unsupported(json: &Json<'_>) -> Option<Error> {
    let root = json.root();
    if !root.is_object() && !root.is_array() {
        return None;
    }
    let sample = Sample::of(json);
    let format = FORMATS.iter().find(|format| (format.shows)(&sample))?;
    let message = format!("this is {}, a format that is not supported", format.name);
    let place = position(json.text(), root.span().start);
    Some(Error::new(ErrorKind::Undetected, message).at(place).with_hint(format.advice))
}
