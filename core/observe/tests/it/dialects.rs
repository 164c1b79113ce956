//! What each observer reads in a document with most of what its dialect can say.

use crate::support::documents::DOCUMENTS;
use wirecanon_json::{Json, Limits};
use wirecanon_model::Dialect;
use wirecanon_observe::observe;

/// The lines of each document, in the order of [`Dialect::ALL`].
const LINES: [&[&str]; Dialect::ALL.len()] = [
    // canonical
    &[
        "/tools/0 define read: Reads a file",
        "/messages/0/content/0 system Be brief.",
        "/messages/1/content/0 user look",
        "/messages/1/content/1 user [image/png, 3 bytes]",
        "/messages/1/content/2 user [image https://example.com/a.png]",
        "/messages/1/content/3 user [application/pdf a.pdf, 3 bytes]",
        "/messages/2/content/0 assistant thinks: hm",
        "/messages/2/content/1 assistant I look.",
        r#"/messages/2/content/2 assistant calls read {"path":"a.txt"}"#,
        r#"/messages/2/content/3/value assistant [container_upload {"type":"container_upload","file_id":"f1"}]"#,
        "/messages/3 tool read failed: no such file",
        "/messages/4/content/0 assistant (empty)",
    ],
    // openclaw
    &[
        "/messages/0/content user look",
        r#"/messages/1 user [compactionSummary {"role":"compactionSummary","summary":"We had greeted."}]"#,
        "/messages/2/content/0 assistant thinks: hm",
        "/messages/2/content/1 assistant I look.",
        r#"/messages/2/content/2 assistant calls read {"path":"a.txt"}"#,
        "/messages/3 tool read: alpha [image/png, 3 bytes]",
    ],
    // anthropic.messages
    &[
        "/tools/0 define read: Reads a file",
        "/tools/1 define web_search:",
        "/system/0 system Be brief.",
        "/messages/0/content/0 user look",
        "/messages/0/content/1 user [image/png, 3 bytes]",
        "/messages/0/content/2 user [text/plain a.txt] words",
        "/messages/1/content/0 assistant thinks: hm",
        "/messages/1/content/1 assistant I look.",
        r#"/messages/1/content/2 assistant calls read {"path":"a.txt"}"#,
        r#"/messages/1/content/3 assistant [server_tool_use {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}]"#,
        "/messages/2/content/0 tool read failed: no such file [image https://example.com/a.png]",
        "/messages/2/content/1 user well",
    ],
    // openai.chat
    &[
        "/tools/0 define read: Reads a file",
        "/messages/0/content system Be brief.",
        "/messages/1/content/0 user look",
        "/messages/1/content/1 user [image/png, 3 bytes]",
        "/messages/1/content/2 user [audio/wav, 3 bytes]",
        "/messages/1/content/3 user [document file f1]",
        "/messages/2/content assistant I look.",
        r#"/messages/2/tool_calls/0 assistant calls read {"path":"a.txt"}"#,
        "/messages/2/tool_calls/1 assistant calls patch *** Begin",
        "/messages/3 tool read: alpha",
        "/messages/4 tool patch: done",
    ],
    // openai.responses
    &[
        "/tools/0 define read: Reads a file",
        "/instructions system Be brief.",
        "/input/0/content/0 user look",
        "/input/0/content/1 user [image https://example.com/a.png]",
        "/input/0/content/2 user [application/pdf a.pdf, 3 bytes]",
        "/input/1 assistant thinks: hm",
        r#"/input/2 assistant calls read {"path":"a.txt"}"#,
        "/input/3 tool read: alpha",
        r#"/input/4 assistant [web_search_call {"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"x"}}]"#,
        "/input/5/content/0 assistant It says alpha.",
    ],
    // gemini.contents
    &[
        "/tools/0/functionDeclarations/0 define read: Reads a file",
        "/systemInstruction/parts/0 system Be brief.",
        "/contents/0/parts/0 user look",
        "/contents/0/parts/1 user [image/png, 3 bytes]",
        "/contents/0/parts/2 user [application/pdf https://example.com/a.pdf]",
        "/contents/1/parts/0 assistant thinks: hm",
        "/contents/1/parts/1 assistant I look.",
        r#"/contents/1/parts/2 assistant calls read {"path":"a.txt"}"#,
        r#"/contents/1/parts/3 assistant [executableCode {"executableCode":{"language":"PYTHON","code":"print(1)"}}]"#,
        "/contents/2/parts/0 tool read failed: no such file",
    ],
    // bedrock.converse
    &[
        "/toolConfig/tools/0 define read: Reads a file",
        "/system/0 system Be brief.",
        "/messages/0/content/0 user look",
        "/messages/0/content/1 user [image/png, 3 bytes]",
        "/messages/0/content/2 user [application/pdf a, 3 bytes]",
        "/messages/1/content/0 assistant thinks: hm",
        "/messages/1/content/1 assistant I look.",
        r#"/messages/1/content/2 assistant calls read {"path":"a.txt"}"#,
        r#"/messages/2/content/0 tool read failed: no such file {"code":2}"#,
    ],
    // mistral.chat
    &[
        "/messages/0/content system Be brief.",
        "/messages/1/content/0 user look",
        "/messages/1/content/1 user [image https://example.com/a.png]",
        "/messages/2/content/0 assistant thinks: hm",
        "/messages/2/content/1 assistant I look.",
        r#"/messages/2/tool_calls/0 assistant calls read {"path":"a.txt"}"#,
        "/messages/3 tool read: alpha",
    ],
    // cohere.v2
    &[
        "/messages/0/content system Be brief.",
        "/messages/1/content/0 user look",
        "/messages/1/content/1 user [image https://example.com/a.png]",
        "/messages/2/tool_plan assistant I look.",
        r#"/messages/2/tool_calls/0 assistant calls read {"path":"a.txt"}"#,
        "/messages/3 tool read: alpha",
    ],
    // ollama.chat
    &[
        "/messages/0/content system Be brief.",
        "/messages/1/content user look",
        "/messages/1/images/0 user [image, 3 bytes]",
        "/messages/2/thinking assistant thinks: hm",
        "/messages/2/content assistant I look.",
        r#"/messages/2/tool_calls/0 assistant calls read {"path":"a.txt"}"#,
        "/messages/3 tool read: alpha",
    ],
    // langchain
    &[
        "/0/data/content system Be brief.",
        "/1/data/content/0 user look",
        "/1/data/content/1 user [image https://example.com/a.png]",
        "/2/data/content/0 assistant thinks: hm",
        "/2/data/content/1 assistant I look.",
        r#"/2/data/tool_calls/0 assistant calls read {"path":"a.txt"}"#,
        r#"/2/data/invalid_tool_calls/0 assistant calls read {"path":"#,
        "/3 tool read failed: no such file",
    ],
    // ai-sdk.model
    &[
        "/0/content system Be brief.",
        "/1/content/0 user look",
        "/1/content/1 user [image https://example.com/a.png]",
        "/1/content/2 user [application/pdf, 3 bytes]",
        "/2/content/0 assistant thinks: hm",
        "/2/content/1 assistant I look.",
        r#"/2/content/2 assistant calls read {"path":"a.txt"}"#,
        "/3/content/0 tool read failed: no such file",
    ],
    // ai-sdk.ui
    &[
        "/0/parts/0 user look",
        "/0/parts/1 user [image/png, 3 bytes]",
        "/1/parts/1 assistant thinks: hm",
        "/1/parts/2 assistant I look.",
        r#"/1/parts/3 assistant calls read {"path":"a.txt"}"#,
        "/1/parts/4 assistant calls list {}",
        "/1/parts/3 tool read: alpha",
        "/1/parts/4 tool list failed: no such folder",
    ],
    // openviking
    &[
        "/0/parts/0 user look",
        "/0/parts/1 user about a",
        "/1/parts/0 assistant I look.",
        r#"/1/parts/1 assistant calls read {"path":"a.txt"}"#,
        "/1/parts/1 tool read failed: no such file",
    ],
    // lossless-claw
    &[
        "/0/content user look",
        "/1/parts/1 assistant thinks: hm",
        "/1/parts/0 assistant I look.",
        r#"/1/parts/2 assistant calls read {"path":"a.txt"}"#,
        "/2 tool read: alpha",
    ],
    // mcp.tool-result
    &[
        " tool (no tool call) failed: alpha [image/png, 3 bytes] [audio/wav, 3 bytes] [resource file:///a.txt] [resource file:///b.txt] words",
    ],
    // mcp.prompt
    &["/messages/0/content user look", "/messages/1/content assistant [image/png, 3 bytes]"],
    // mcp.sampling
    &[
        "/tools/0 define read: Reads a file",
        "/systemPrompt system Be brief.",
        "/messages/0/content user look",
        "/messages/1/content/0 assistant I look.",
        r#"/messages/1/content/1 assistant calls read {"path":"a.txt"}"#,
        "/messages/2/content/0 tool read: alpha",
    ],
];

#[test]
fn every_observer_reads_all_that_its_dialect_says() {
    for (at, ((dialect, text), expected)) in DOCUMENTS.into_iter().zip(LINES).enumerate() {
        assert_eq!(dialect, Dialect::ALL[at], "the documents are in order");
        let json = Json::parse(text, &Limits::default()).expect("JSON");
        let observation = observe(&json, dialect).unwrap_or_else(|error| panic!("{}: {error}", dialect.name()));
        let line =
            |line: &wirecanon_observe::Line<'_>| format!("{} {} {}", line.place.pointer(), line.speaker, line.text);
        let lines: Vec<_> = observation.lines().iter().map(line).collect();
        assert_eq!(lines, expected, "{}", dialect.name());
    }
}
