//! Words that mutations write: other dialects' spellings, and values at the edges of what servers take.

/// Keys that mean the same in one dialect or another.
pub(crate) const ALIASES: &[&[&str]] = &[
    &["tool_use_id", "toolUseId", "tool_call_id", "toolCallId", "call_id", "callId", "id"],
    &["mimeType", "media_type", "mime_type", "mediaType", "format"],
    &["input", "arguments", "args", "parameters"],
    &["isError", "is_error", "error", "status"],
    &["text", "content", "parts", "value", "output", "thinking", "reasoning"],
    &["data", "base64", "bytes", "blob", "url", "uri", "image"],
    &["name", "toolName", "tool_name", "title"],
    &["tool_calls", "toolCalls", "function_call", "calls"],
    &["type", "kind", "Type"],
    &["role", "author", "type"],
    &["image_url", "imageUrl", "source", "inlineData", "inline_data"],
    &["signature", "thinkingSignature", "thoughtSignature", "thought_signature"],
    &["functionCall", "function_call", "toolUse"],
    &["functionResponse", "function_response", "toolResult"],
    &["structuredContent", "structured_content"],
    &["reasoningContent", "reasoning_content"],
];

/// Members that a message does not have, or not in every dialect.
pub(crate) const EXTRA: &[(&str, &str)] = &[
    ("unexpected", "1"),
    ("native", "{}"),
    ("id", "\"msg_1\""),
    ("name", "\"someone\""),
    ("status", "\"completed\""),
    ("index", "0"),
    ("partialJson", "\"{\""),
    ("timestamp", "1700000000000"),
    ("cache_control", "{\"type\":\"ephemeral\"}"),
    ("reasoning_content", "\"because\""),
    ("annotations", "{\"priority\":2}"),
    ("annotations", "[]"),
    ("_meta", "{}"),
    ("_meta", "null"),
    ("structuredContent", "[1]"),
    ("resultType", "\"complete\""),
    ("refusal", "\"no\""),
    ("tool_calls", "[]"),
    ("prefix", "true"),
];

/// Names of roles, kinds of blocks, types and states, in all dialects; `|` stands between them.
pub(crate) const ENUMS: &[(&str, &str)] = &[
    ("role", "user|assistant|system|developer|tool|function|toolResult|model|human|User|"),
    (
        "type",
        "text|image|audio|tool_use|tool_result|toolCall|function|custom|thinking|document|resource|resource_link|\
         image_url|input_text|output_text|file|base64|url|reasoning|tool-call|tool-result|ephemeral|nothing|Text|",
    ),
    ("media_type", "image/png|image/jpeg|image/jpg|image/svg+xml|application/pdf|text/plain|png|image/*|"),
    ("mimeType", "image/png|image/svg+xml|application/pdf|audio/wav|png|"),
    ("mediaType", "image/png|image/svg+xml|application/pdf|png|"),
    ("format", "png|jpeg|jpg|wav|mp3|ogg|pdf|image/png|"),
    ("detail", "auto|low|high|original|medium|"),
    ("status", "completed|in_progress|success|error|failed|"),
    ("stopReason", "stop|toolUse|end_turn|error|aborted|done|"),
    ("state", "input-available|output-available|output-error|done|"),
    ("ttl", "5m|1h|2h"),
];

/// Keys whose value is the id of a call.
pub(crate) const ID_KEYS: &[&str] =
    &["id", "tool_use_id", "toolUseId", "tool_call_id", "toolCallId", "call_id", "callId"];

/// Ids that one server or another refuses.
pub(crate) const IDS: &[&str] = &[
    "",
    " ",
    " call_1 ",
    "call 1",
    "call_1|fc_1",
    "call.1:x",
    "größe",
    "null",
    "abcDEF123",
    "srvtoolu_01",
    "a",
    "call\u{0}1",
    "call_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "call_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Keys whose value is the name of a tool.
pub(crate) const NAME_KEYS: &[&str] = &["name", "toolName", "tool_name"];

/// Names that one server or another refuses.
pub(crate) const NAMES: &[&str] = &[
    "",
    " ",
    "read file",
    "fs.read",
    "größe",
    "mcp__server__tool",
    "1st",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Keys whose value is base64 or an address.
pub(crate) const DATA_KEYS: &[&str] =
    &["data", "blob", "bytes", "url", "uri", "image_url", "image", "base64", "file_data"];

/// Data and addresses that one server or another refuses.
pub(crate) const DATA: &[&str] = &[
    "",
    "@@@",
    "not base64",
    "iVBORw0KGgo",
    "iVBORw0KGgo=",
    "iVBORw0K\nGgo=",
    "R0lGODlhAQABAAAAACw=",
    "_9j_4AAQSkZJRg==",
    "/9j/4AAQSkZJRg==",
    "data:image/png;base64,iVBORw0KGgo=",
    "data:image/png;base64,",
    "data:image/png,iVBORw0KGgo=",
    "http://example.com/a.png",
    "https://example.com/a b.png",
    "file:///a.txt",
    "no address",
    "[image data removed]",
];

/// Keys below which any JSON is legal, so that few mutations are worth making there.
pub(crate) const FREE: &[&str] =
    &["input", "arguments", "args", "details", "native", "usage", "structuredContent", "_meta", "metadata", "response"];

/// Blocks, calls and items of all dialects.
pub(crate) const BLOCKS: &[&str] = &[
    r#"{"type":"text","text":"hello"}"#,
    r#"{"type":"text","text":""}"#,
    r#"{"type":"text"}"#,
    r#"{"type":"text","text":null}"#,
    r#"{"text":"hello"}"#,
    r#""hello""#,
    r"null",
    r"{}",
    r#"{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}"#,
    r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}"#,
    r#"{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}"#,
    r#"{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}"#,
    r#"{"type":"image_url","image_url":"https://example.com/a.png"}"#,
    r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo=","detail":"low"}}"#,
    r#"{"type":"input_text","text":"hello"}"#,
    r#"{"type":"output_text","text":"hello","annotations":[]}"#,
    r#"{"type":"input_image","image_url":"https://example.com/a.png","detail":"auto"}"#,
    r#"{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}"#,
    r#"{"type":"file","file":{"file_data":"JVBERi0=","filename":"a.pdf"}}"#,
    r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}"#,
    r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"hello"},"title":"a"}"#,
    r#"{"type":"refusal","refusal":"no"}"#,
    r#"{"type":"thinking","thinking":"hm","signature":"c2ln"}"#,
    r#"{"type":"thinking","thinking":"hm"}"#,
    r#"{"type":"redacted_thinking","data":"c2ln"}"#,
    r#"{"type":"reasoning","reasoning":"hm"}"#,
    r#"{"type":"tool_use","id":"call_1","name":"look","input":{}}"#,
    r#"{"type":"toolCall","id":"call_1","name":"look","arguments":{}}"#,
    r#"{"type":"toolCall","id":"call_1","name":"look","arguments":"{}"}"#,
    r#"{"type":"tool-call","toolCallId":"call_1","toolName":"look","input":{}}"#,
    r#"{"id":"call_1","type":"function","function":{"name":"look","arguments":"{}"}}"#,
    r#"{"id":"call_1","type":"function","function":{"name":"look","arguments":{}}}"#,
    r#"{"id":"call_1","type":"custom","custom":{"name":"look","input":"x"}}"#,
    r#"{"type":"tool_result","tool_use_id":"call_1","content":"done"}"#,
    r#"{"type":"tool_result","tool_use_id":"call_1"}"#,
    r#"{"type":"tool_result","toolUseId":"call_1","content":[{"type":"text","text":"done"}]}"#,
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}"#,
    r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}"#,
    r#"{"type":"container_upload","file_id":"file_1"}"#,
    r#"{"type":"search_result","source":"a","title":"b","content":[{"type":"text","text":"c"}]}"#,
    r#"{"type":"resource","resource":{"uri":"file:///a","text":"hello"}}"#,
    r#"{"type":"resource","resource":{"uri":"file:///a","blob":"aGVsbG8="}}"#,
    r#"{"type":"resource_link","uri":"file:///a","name":"a"}"#,
    r#"{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}"#,
    r#"{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}"#,
    r#"{"functionCall":{"name":"look","args":{}}}"#,
    r#"{"functionResponse":{"name":"look","response":{"output":"done"}}}"#,
    r#"{"toolUse":{"toolUseId":"call_1","name":"look","input":{}}}"#,
    r#"{"toolResult":{"toolUseId":"call_1","content":[{"text":"done"}]}}"#,
    r#"{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}}"#,
    r#"{"text":"a","image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}}"#,
    r#"{"function":{"name":"look","arguments":{}}}"#,
    r#"{"name":"look","args":{},"id":"call_1","type":"tool_call"}"#,
    r#"{"type":"document","document":{"data":{"a":1}}}"#,
    r#"{"type":"function_call","call_id":"call_1","name":"look","arguments":"{}"}"#,
    r#"{"type":"function_call_output","call_id":"call_1","output":"done"}"#,
];
