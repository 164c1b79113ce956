//! The probes: one small transcript for each thing that a transcript can say.

use wirecanon_core::Dialect;

use super::own;

/// One thing that a transcript can say.
#[derive(Debug, PartialEq, Eq)]
pub struct Feature {
    /// Kebab-case
    pub id: &'static str,
    /// What it is, in words
    pub title: &'static str,
    /// The transcript that says it
    shape: Shape,
    /// What of the transcript is compared
    pub(super) look: Look,
}

#[derive(Debug, PartialEq, Eq)]
enum Shape {
    /// Blocks of a user message
    User(&'static str),
    /// Blocks of an assistant's turn
    Assistant(&'static str),
    /// Blocks of a result, and whether it is an error
    Result(&'static str, bool),
    /// Id and name of a call that is answered
    Call(&'static str, &'static str),
    /// All messages
    Messages(&'static str),
    /// A whole request body of `openai.chat`
    OpenAi(&'static str),
    /// An opaque item of the dialect itself, as the corpus has one
    OwnItem,
    /// Fields of the dialect itself, as the corpus has them
    OwnFields,
}

/// What is compared on the way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Messages, with ids by order and without fields of one dialect alone
    Messages,
    /// The same, with the ids themselves
    Ids,
    /// The same, with fields of one dialect alone
    Native,
    /// The definitions of tools alone
    Tools,
}

/// A feature's transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Probe {
    /// Its dialect
    pub(super) dialect: Dialect,
    /// Its text
    pub(super) text: String,
}

const fn feature(id: &'static str, title: &'static str, shape: Shape) -> Feature {
    Feature { id, title, shape, look: Look::Messages }
}

const fn looking(id: &'static str, title: &'static str, shape: Shape, look: Look) -> Feature {
    Feature { id, title, shape, look }
}

/// Ids are such that every known target takes them, but in the probes that are about ids.
const GO: &str = r#"{"role":"user","content":[{"type":"text","text":"go"}]}"#;

/// Every feature, in the order of the table.
pub const FEATURES: &[Feature] = &[
    feature("user-text", "text of the user", Shape::User(r#"{"type":"text","text":"What is in a.txt?"}"#)),
    feature("unicode", "text beyond ASCII", Shape::User(r#"{"type":"text","text":"Grüße, 世界 🦀 e\u0301"}"#)),
    feature("blank-text", "a message of white space alone", Shape::User(r#"{"type":"text","text":" \n"}"#)),
    feature(
        "two-texts",
        "two blocks of text in one message",
        Shape::User(r#"{"type":"text","text":"one"},{"type":"text","text":"two"}"#),
    ),
    feature(
        "user-image",
        "an image by its bytes",
        Shape::User(r#"{"type":"text","text":"see"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}"#),
    ),
    feature(
        "user-image-by-address",
        "an image by its address",
        Shape::User(r#"{"type":"text","text":"see"},{"type":"link","url":"https://example.com/cat.png"}"#),
    ),
    feature(
        "user-pdf",
        "a PDF file",
        Shape::User(
            r#"{"type":"text","text":"read"},{"type":"file","data":"JVBERi0xLjQKJSVFT0YK","mimeType":"application/pdf","name":"a.pdf"}"#,
        ),
    ),
    feature(
        "user-audio",
        "a recording",
        Shape::User(
            r#"{"type":"text","text":"hear"},{"type":"file","data":"UklGRiQAAABXQVZFZm10IA==","mimeType":"audio/wav"}"#,
        ),
    ),
    feature(
        "system-in-front",
        "system text in front",
        Shape::Messages(
            r#"{"role":"system","content":[{"type":"text","text":"Be brief."}]},{"role":"user","content":[{"type":"text","text":"go"}]}"#,
        ),
    ),
    feature(
        "system-in-the-midst",
        "system text in mid-conversation",
        Shape::Messages(
            r#"{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"text","text":"Gone."}]},{"role":"system","content":[{"type":"text","text":"Be brief."}]},{"role":"user","content":[{"type":"text","text":"and now?"}]}"#,
        ),
    ),
    feature("assistant-text", "text of the model", Shape::Assistant(r#"{"type":"text","text":"It is a list."}"#)),
    feature("tool-call", "a call and its result", Shape::Call("callAbc01", "read")),
    feature(
        "call-without-words",
        "a call without a word beside it",
        Shape::Messages(
            r#"{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"toolCall","id":"callAbc01","name":"read","arguments":"{}"}]},{"role":"toolResult","toolCallId":"callAbc01","toolName":"read","content":[{"type":"text","text":"done"}],"isError":false}"#,
        ),
    ),
    looking("call-id", "the id of a call", Shape::Call("call_1", "read"), Look::Ids),
    looking(
        "call-id-with-odd-characters",
        "an id that holds a bar, dots and a colon",
        Shape::Call("call.1|fc:2", "read"),
        Look::Ids,
    ),
    looking(
        "call-id-too-long",
        "an id of 80 characters",
        Shape::Call("call_0123456789012345678901234567890123456789012345678901234567890123456789012345", "read"),
        Look::Ids,
    ),
    feature("tool-name-with-dots", "a tool's name that holds dots", Shape::Call("callAbc01", "files.v1.read")),
    feature(
        "tool-name-too-long",
        "a tool's name of 140 characters",
        Shape::Call(
            "callAbc01",
            "read_0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789abcde",
        ),
    ),
    feature(
        "exact-arguments",
        "numbers past 2^53 and the order of keys in arguments",
        Shape::Messages(
            r#"{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"toolCall","id":"callAbc01","name":"add","arguments":"{\"z\":9007199254740993,\"a\":1.0}"}]},{"role":"toolResult","toolCallId":"callAbc01","toolName":"add","content":[{"type":"text","text":"done"}],"isError":false}"#,
        ),
    ),
    feature(
        "parallel-calls",
        "two calls in one turn, of one tool",
        Shape::Messages(
            r#"{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"text","text":"Both."},{"type":"toolCall","id":"callAbc01","name":"read","arguments":"{\"path\":\"a\"}"},{"type":"toolCall","id":"callAbc02","name":"read","arguments":"{\"path\":\"b\"}"}]},{"role":"toolResult","toolCallId":"callAbc01","toolName":"read","content":[{"type":"text","text":"first"}],"isError":false},{"role":"toolResult","toolCallId":"callAbc02","toolName":"read","content":[{"type":"text","text":"second"}],"isError":false}"#,
        ),
    ),
    feature(
        "arguments-no-json",
        "a call whose arguments are no JSON",
        Shape::Messages(
            r#"{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"toolCall","id":"callAbc01","name":"read","arguments":"{\"path\":"}]},{"role":"toolResult","toolCallId":"callAbc01","toolName":"read","content":[{"type":"text","text":"no path"}],"isError":true}"#,
        ),
    ),
    feature("result-text", "a result of text", Shape::Result(r#"{"type":"text","text":"hello"}"#, false)),
    feature(
        "image-in-result",
        "a result with an image",
        Shape::Result(
            r#"{"type":"text","text":"shot"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}"#,
            false,
        ),
    ),
    feature("error-result", "a result that is an error", Shape::Result(r#"{"type":"text","text":"no file"}"#, true)),
    feature(
        "image-in-error-result",
        "an error with an image",
        Shape::Result(
            r#"{"type":"text","text":"no window"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}"#,
            true,
        ),
    ),
    feature("empty-result", "a result without content", Shape::Result("", false)),
    looking(
        "resource-link-in-result",
        "a result with a link to a resource of MCP",
        Shape::Result(
            r#"{"type":"text","text":"[a] file:///a.txt","native":{"mcp.tool-result":{"type":"resource_link","uri":"file:///a.txt","name":"a"}}}"#,
            false,
        ),
        Look::Native,
    ),
    feature(
        "structured-result",
        "structured content of MCP, as text in the result",
        Shape::Result(r#"{"type":"text","text":"1 file"},{"type":"text","text":"{\"files\":[\"a.txt\"]}"}"#, false),
    ),
    feature(
        "thinking-own",
        "reasoning that the dialect itself signed",
        Shape::Assistant(
            r#"{"type":"thinking","thinking":"Look first.","signature":"c2lnbmF0dXJl","origin":"$OWN"},{"type":"text","text":"Seen."}"#,
        ),
    ),
    feature(
        "thinking-foreign",
        "reasoning that another dialect signed",
        Shape::Assistant(
            r#"{"type":"thinking","thinking":"Look first.","signature":"c2lnbmF0dXJl","origin":"$OTHER"},{"type":"text","text":"Seen."}"#,
        ),
    ),
    feature(
        "thinking-unsigned",
        "reasoning without a signature",
        Shape::Assistant(r#"{"type":"thinking","thinking":"Look first."},{"type":"text","text":"Seen."}"#),
    ),
    feature(
        "thinking-redacted",
        "sealed reasoning of the dialect itself",
        Shape::Assistant(
            r#"{"type":"thinking","thinking":"","signature":"c2VhbGVk","redacted":true,"origin":"$OWN"},{"type":"text","text":"Seen."}"#,
        ),
    ),
    feature("item-own", "an item that only the dialect itself has", Shape::OwnItem),
    feature(
        "item-foreign",
        "an item that only another dialect has",
        Shape::Assistant(r#"{"type":"opaque","dialect":"$OTHER","value":$ITEM},{"type":"text","text":"Seen."}"#),
    ),
    looking("fields-own", "fields that only the dialect itself has", Shape::OwnFields, Look::Native),
    looking(
        "fields-foreign",
        "fields that only another dialect has",
        Shape::User(r#"{"type":"text","text":"go","native":{"$OTHER":{"x_mark":"kept"}}}"#),
        Look::Native,
    ),
    feature(
        "stop-reason",
        "why a turn ended",
        Shape::Messages(
            r#"{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"text","text":"And so"}],"stopReason":"length"},{"role":"user","content":[{"type":"text","text":"on"}]}"#,
        ),
    ),
    feature(
        "failed-turn",
        "a turn that broke off before its call was run",
        Shape::Messages(
            r#"{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"text","text":"I shall"},{"type":"toolCall","id":"callAbc01","name":"read","arguments":"{}"}],"stopReason":"error"},{"role":"user","content":[{"type":"text","text":"again"}]}"#,
        ),
    ),
    looking(
        "tool-definitions",
        "the tools of a request body",
        Shape::OpenAi(
            r#"{"messages":[{"role":"user","content":"go"}],"tools":[{"type":"function","function":{"name":"read","description":"Reads a file","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}}]}"#,
        ),
        Look::Tools,
    ),
];

impl Feature {
    /// Its transcript, with what is `own` to this dialect; `None` if the dialect has nothing of the sort. A dialect of lone
    /// results is given the result alone.
    pub(super) fn probe(&self, own: Dialect, fragment: bool) -> Option<Probe> {
        let canonical = |messages: &str| {
            let text = filled(&format!(r#"{{"messages":[{messages}]}}"#), own);
            Some(Probe { dialect: Dialect::Canonical, text })
        };
        match self.shape {
            Shape::User(blocks) => canonical(&format!(r#"{{"role":"user","content":[{blocks}]}}"#)),
            Shape::Assistant(blocks) => canonical(&format!(r#"{GO},{{"role":"assistant","content":[{blocks}]}}"#)),
            Shape::Messages(messages) => canonical(messages),
            Shape::Result(blocks, is_error) if fragment => {
                let text = format!(r#"{{"role":"toolResult","content":[{blocks}],"isError":{is_error}}}"#);
                Some(Probe { dialect: Dialect::Canonical, text })
            }
            Shape::Result(blocks, is_error) => canonical(&answered("callAbc01", "read", blocks, is_error)),
            Shape::Call(id, name) => canonical(&answered(id, name, r#"{"type":"text","text":"hello"}"#, false)),
            Shape::OpenAi(text) => Some(Probe { dialect: Dialect::OpenAiChat, text: text.to_owned() }),
            Shape::OwnItem => canonical(own::item(own)?),
            Shape::OwnFields => canonical(own::fields(own)?),
        }
    }
}

/// A template with the names of the dialect itself and of another one.
fn filled(text: &str, own: Dialect) -> String {
    let (other, item) = match own {
        Dialect::AnthropicMessages => {
            (Dialect::GeminiContents, r#"{"executableCode":{"language":"PYTHON","code":"print(1)"}}"#)
        }
        _ => (
            Dialect::AnthropicMessages,
            r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"cats"}}"#,
        ),
    };
    text.replace("$OWN", own.name()).replace("$OTHER", other.name()).replace("$ITEM", item)
}

fn answered(id: &str, name: &str, blocks: &str, is_error: bool) -> String {
    let call = format!(r#"{{"type":"toolCall","id":"{id}","name":"{name}","arguments":"{{\"path\":\"a.txt\"}}"}}"#);
    let words = r#"{"type":"text","text":"Let me look."},"#;
    let turn = format!(r#"{{"role":"assistant","content":[{words}{call}]}}"#);
    format!(
        r#"{GO},{turn},{{"role":"toolResult","toolCallId":"{id}","toolName":"{name}","content":[{blocks}],"isError":{is_error}}}"#
    )
}
