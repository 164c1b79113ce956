//! The schemas, by name.

/// One JSON Schema (2020-12) of this crate.
///
/// ```
/// use wirecanon_schemas::catalogue::by_id;
///
/// let schema = by_id("mcp/2025-06-18/prompt").ok_or("no such schema")?;
/// assert_eq!((schema.dialect, schema.revision), (Some("mcp.prompt"), Some("2025-06-18")));
/// assert!(schema.text.starts_with('{'));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// What `wirecanon schema NAME` calls it
    pub id: &'static str,
    /// What it describes, in words
    pub title: &'static str,
    /// The dialect whose messages it describes; none for the formats of this project
    pub dialect: Option<&'static str>,
    /// The revision of that dialect, where it has several
    pub revision: Option<&'static str>,
    /// Its JSON text
    pub text: &'static str,
}

/// Every schema, in the order of the documentation.
///
/// ```
/// use wirecanon_schemas::catalogue::ALL;
///
/// let own: Vec<_> = ALL.iter().filter(|schema| schema.dialect.is_none()).map(|schema| schema.id).collect();
/// assert!(own.contains(&"wirecanon/report") && own.iter().all(|id| id.starts_with("wirecanon/")));
/// ```
pub const ALL: &[Schema] = &[
    Schema {
        id: "wirecanon/case",
        title: "A case of the corpus",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/case.json"),
    },
    Schema {
        id: "wirecanon/suite",
        title: "A frozen suite of cases",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/suite.json"),
    },
    Schema {
        id: "wirecanon/fuzz",
        title: "What `fuzz --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/fuzz.json"),
    },
    Schema {
        id: "wirecanon/lint",
        title: "What `case lint --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/lint.json"),
    },
    Schema {
        id: "wirecanon/report",
        title: "What `fix --report` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/report.json"),
    },
    Schema {
        id: "wirecanon/mended",
        title: "A line of what `fix --in-place --report` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/mended.json"),
    },
    Schema {
        id: "wirecanon/check",
        title: "What `check --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/check.json"),
    },
    Schema {
        id: "wirecanon/test",
        title: "What `test --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/test.json"),
    },
    Schema {
        id: "wirecanon/gate",
        title: "What `gate --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/gate.json"),
    },
    Schema {
        id: "wirecanon/compare",
        title: "What `compare --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/compare.json"),
    },
    Schema {
        id: "wirecanon/diff",
        title: "What `diff --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/diff.json"),
    },
    Schema {
        id: "wirecanon/log",
        title: "A line of the event log that `test --log` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/log.json"),
    },
    Schema {
        id: "wirecanon/list",
        title: "What `list --format json` writes",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/list.json"),
    },
    Schema {
        id: "wirecanon/generated",
        title: "A generated transcript and its outcome",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/generated.json"),
    },
    Schema {
        id: "wirecanon/corpus",
        title: "The manifest of the corpus as a package",
        dialect: None,
        revision: None,
        text: include_str!("../wirecanon/corpus.json"),
    },
    // The canonical transcript, frameworks, and MCP with its revisions, the oldest first
    Schema {
        id: "canonical/transcript",
        title: "Canonical transcript",
        dialect: Some("canonical"),
        revision: None,
        text: include_str!("../canonical/transcript.json"),
    },
    Schema {
        id: "openclaw/messages",
        title: "OpenClaw agent messages",
        dialect: Some("openclaw"),
        revision: None,
        text: include_str!("../openclaw/messages.json"),
    },
    Schema {
        id: "langchain/messages",
        title: "LangChain messages",
        dialect: Some("langchain"),
        revision: None,
        text: include_str!("../langchain/messages.json"),
    },
    Schema {
        id: "ai-sdk/model",
        title: "AI SDK model messages",
        dialect: Some("ai-sdk.model"),
        revision: None,
        text: include_str!("../ai-sdk/model.json"),
    },
    Schema {
        id: "ai-sdk/ui",
        title: "AI SDK UI messages",
        dialect: Some("ai-sdk.ui"),
        revision: None,
        text: include_str!("../ai-sdk/ui.json"),
    },
    Schema {
        id: "openviking/parts",
        title: "OpenViking messages",
        dialect: Some("openviking"),
        revision: None,
        text: include_str!("../openviking/parts.json"),
    },
    Schema {
        id: "lossless-claw/parts",
        title: "lossless-claw parts",
        dialect: Some("lossless-claw"),
        revision: None,
        text: include_str!("../lossless-claw/parts.json"),
    },
    Schema {
        id: "mcp/2024-11-05/tool-result",
        title: "MCP tool result, 2024-11-05",
        dialect: Some("mcp.tool-result"),
        revision: Some("2024-11-05"),
        text: include_str!("../mcp/2024-11-05/tool-result.json"),
    },
    Schema {
        id: "mcp/2024-11-05/prompt",
        title: "MCP prompt, 2024-11-05",
        dialect: Some("mcp.prompt"),
        revision: Some("2024-11-05"),
        text: include_str!("../mcp/2024-11-05/prompt.json"),
    },
    Schema {
        id: "mcp/2024-11-05/sampling",
        title: "MCP sampling request, 2024-11-05",
        dialect: Some("mcp.sampling"),
        revision: Some("2024-11-05"),
        text: include_str!("../mcp/2024-11-05/sampling.json"),
    },
    Schema {
        id: "mcp/2025-03-26/tool-result",
        title: "MCP tool result, 2025-03-26",
        dialect: Some("mcp.tool-result"),
        revision: Some("2025-03-26"),
        text: include_str!("../mcp/2025-03-26/tool-result.json"),
    },
    Schema {
        id: "mcp/2025-03-26/prompt",
        title: "MCP prompt, 2025-03-26",
        dialect: Some("mcp.prompt"),
        revision: Some("2025-03-26"),
        text: include_str!("../mcp/2025-03-26/prompt.json"),
    },
    Schema {
        id: "mcp/2025-03-26/sampling",
        title: "MCP sampling request, 2025-03-26",
        dialect: Some("mcp.sampling"),
        revision: Some("2025-03-26"),
        text: include_str!("../mcp/2025-03-26/sampling.json"),
    },
    Schema {
        id: "mcp/2025-06-18/tool-result",
        title: "MCP tool result, 2025-06-18",
        dialect: Some("mcp.tool-result"),
        revision: Some("2025-06-18"),
        text: include_str!("../mcp/2025-06-18/tool-result.json"),
    },
    Schema {
        id: "mcp/2025-06-18/prompt",
        title: "MCP prompt, 2025-06-18",
        dialect: Some("mcp.prompt"),
        revision: Some("2025-06-18"),
        text: include_str!("../mcp/2025-06-18/prompt.json"),
    },
    Schema {
        id: "mcp/2025-06-18/sampling",
        title: "MCP sampling request, 2025-06-18",
        dialect: Some("mcp.sampling"),
        revision: Some("2025-06-18"),
        text: include_str!("../mcp/2025-06-18/sampling.json"),
    },
    Schema {
        id: "mcp/2025-11-25/tool-result",
        title: "MCP tool result, 2025-11-25",
        dialect: Some("mcp.tool-result"),
        revision: Some("2025-11-25"),
        text: include_str!("../mcp/2025-11-25/tool-result.json"),
    },
    Schema {
        id: "mcp/2025-11-25/prompt",
        title: "MCP prompt, 2025-11-25",
        dialect: Some("mcp.prompt"),
        revision: Some("2025-11-25"),
        text: include_str!("../mcp/2025-11-25/prompt.json"),
    },
    Schema {
        id: "mcp/2025-11-25/sampling",
        title: "MCP sampling request, 2025-11-25",
        dialect: Some("mcp.sampling"),
        revision: Some("2025-11-25"),
        text: include_str!("../mcp/2025-11-25/sampling.json"),
    },
    Schema {
        id: "mcp/2026-07-28/tool-result",
        title: "MCP tool result, 2026-07-28",
        dialect: Some("mcp.tool-result"),
        revision: Some("2026-07-28"),
        text: include_str!("../mcp/2026-07-28/tool-result.json"),
    },
    Schema {
        id: "mcp/2026-07-28/prompt",
        title: "MCP prompt, 2026-07-28",
        dialect: Some("mcp.prompt"),
        revision: Some("2026-07-28"),
        text: include_str!("../mcp/2026-07-28/prompt.json"),
    },
    Schema {
        id: "mcp/2026-07-28/sampling",
        title: "MCP sampling request, 2026-07-28",
        dialect: Some("mcp.sampling"),
        revision: Some("2026-07-28"),
        text: include_str!("../mcp/2026-07-28/sampling.json"),
    },
    // Model providers
    Schema {
        id: "anthropic/messages",
        title: "Messages of the Anthropic Messages API",
        dialect: Some("anthropic.messages"),
        revision: None,
        text: include_str!("../anthropic/messages.json"),
    },
    Schema {
        id: "openai/chat",
        title: "Messages of the OpenAI Chat Completions API",
        dialect: Some("openai.chat"),
        revision: None,
        text: include_str!("../openai/chat.json"),
    },
    Schema {
        id: "openai/responses",
        title: "Input items of the OpenAI Responses API",
        dialect: Some("openai.responses"),
        revision: None,
        text: include_str!("../openai/responses.json"),
    },
    Schema {
        id: "gemini/contents",
        title: "Contents of the Gemini API",
        dialect: Some("gemini.contents"),
        revision: None,
        text: include_str!("../gemini/contents.json"),
    },
    Schema {
        id: "bedrock/converse",
        title: "Messages of the Amazon Bedrock Converse API",
        dialect: Some("bedrock.converse"),
        revision: None,
        text: include_str!("../bedrock/converse.json"),
    },
    Schema {
        id: "mistral/chat",
        title: "Messages of the Mistral chat API",
        dialect: Some("mistral.chat"),
        revision: None,
        text: include_str!("../mistral/chat.json"),
    },
    Schema {
        id: "cohere/v2",
        title: "Messages of the Cohere chat API, version 2",
        dialect: Some("cohere.v2"),
        revision: None,
        text: include_str!("../cohere/v2.json"),
    },
    Schema {
        id: "ollama/chat",
        title: "Messages of the native Ollama chat API",
        dialect: Some("ollama.chat"),
        revision: None,
        text: include_str!("../ollama/chat.json"),
    },
];

/// The schema with this id.
///
/// ```
/// use wirecanon_schemas::catalogue::by_id;
///
/// assert_eq!(by_id("mistral/chat").map(|schema| schema.title), Some("Messages of the Mistral chat API"));
/// assert_eq!(by_id("mistral.chat"), None, "a dialect has schemas, see `of_dialect`");
/// ```
pub fn by_id(id: &str) -> Option<&'static Schema> {
    ALL.iter().find(|schema| schema.id == id)
}

/// The schemas of a dialect, the oldest revision first; the last one is what is meant where none is named.
///
/// ```
/// use wirecanon_schemas::catalogue::of_dialect;
///
/// let revisions: Vec<_> = of_dialect("mcp.tool-result").filter_map(|schema| schema.revision).collect();
/// assert_eq!((revisions[0], revisions.len()), ("2024-11-05", 5));
/// assert_eq!(of_dialect("mistral.chat").map(|schema| schema.id).collect::<Vec<_>>(), ["mistral/chat"]);
/// ```
pub fn of_dialect(dialect: &str) -> impl Iterator<Item = &'static Schema> {
    ALL.iter().filter(move |schema| schema.dialect == Some(dialect))
}
