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

/// A schema in the file of its id: its id, its title, and the dialect and the revision that it describes.
macro_rules! schema {
    ($id:literal, $title:literal) => {
        schema!($id, $title, None, None)
    };
    ($id:literal, $title:literal, $dialect:literal) => {
        schema!($id, $title, Some($dialect), None)
    };
    ($id:literal, $title:literal, $dialect:literal, $revision:literal) => {
        schema!($id, $title, Some($dialect), Some($revision))
    };
    ($id:literal, $title:literal, $dialect:expr, $revision:expr) => {
        Schema {
            id: $id,
            title: $title,
            dialect: $dialect,
            revision: $revision,
            text: include_str!(concat!("../", $id, ".json")),
        }
    };
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
    schema!("wirecanon/case", "A case of the corpus"),
    schema!("wirecanon/suite", "A frozen suite of cases"),
    schema!("wirecanon/fuzz", "What `fuzz --format json` writes"),
    schema!("wirecanon/lint", "What `case lint --format json` writes"),
    schema!("wirecanon/report", "What `fix --report` writes"),
    schema!("wirecanon/mended", "A line of what `fix --in-place --report` writes"),
    schema!("wirecanon/check", "What `check --format json` writes"),
    schema!("wirecanon/test", "What `test --format json` writes"),
    schema!("wirecanon/gate", "What `gate --format json` writes"),
    schema!("wirecanon/compare", "What `compare --format json` writes"),
    schema!("wirecanon/diff", "What `diff --format json` writes"),
    schema!("wirecanon/log", "A line of the event log that `test --log` writes"),
    schema!("wirecanon/list", "What `list --format json` writes"),
    schema!("wirecanon/generated", "A generated transcript and its outcome"),
    schema!("wirecanon/corpus", "The manifest of the corpus as a package"),
    schema!("canonical/transcript", "Canonical transcript", "canonical"),
    schema!("openclaw/messages", "OpenClaw agent messages", "openclaw"),
    schema!("langchain/messages", "LangChain messages", "langchain"),
    schema!("ai-sdk/model", "AI SDK model messages", "ai-sdk.model"),
    schema!("ai-sdk/ui", "AI SDK UI messages", "ai-sdk.ui"),
    schema!("openviking/parts", "OpenViking messages", "openviking"),
    schema!("lossless-claw/parts", "lossless-claw parts", "lossless-claw"),
    schema!("mcp/2024-11-05/tool-result", "MCP tool result, 2024-11-05", "mcp.tool-result", "2024-11-05"),
    schema!("mcp/2024-11-05/prompt", "MCP prompt, 2024-11-05", "mcp.prompt", "2024-11-05"),
    schema!("mcp/2024-11-05/sampling", "MCP sampling request, 2024-11-05", "mcp.sampling", "2024-11-05"),
    schema!("mcp/2025-03-26/tool-result", "MCP tool result, 2025-03-26", "mcp.tool-result", "2025-03-26"),
    schema!("mcp/2025-03-26/prompt", "MCP prompt, 2025-03-26", "mcp.prompt", "2025-03-26"),
    schema!("mcp/2025-03-26/sampling", "MCP sampling request, 2025-03-26", "mcp.sampling", "2025-03-26"),
    schema!("mcp/2025-06-18/tool-result", "MCP tool result, 2025-06-18", "mcp.tool-result", "2025-06-18"),
    schema!("mcp/2025-06-18/prompt", "MCP prompt, 2025-06-18", "mcp.prompt", "2025-06-18"),
    schema!("mcp/2025-06-18/sampling", "MCP sampling request, 2025-06-18", "mcp.sampling", "2025-06-18"),
    schema!("mcp/2025-11-25/tool-result", "MCP tool result, 2025-11-25", "mcp.tool-result", "2025-11-25"),
    schema!("mcp/2025-11-25/prompt", "MCP prompt, 2025-11-25", "mcp.prompt", "2025-11-25"),
    schema!("mcp/2025-11-25/sampling", "MCP sampling request, 2025-11-25", "mcp.sampling", "2025-11-25"),
    schema!("mcp/2026-07-28/tool-result", "MCP tool result, 2026-07-28", "mcp.tool-result", "2026-07-28"),
    schema!("mcp/2026-07-28/prompt", "MCP prompt, 2026-07-28", "mcp.prompt", "2026-07-28"),
    schema!("mcp/2026-07-28/sampling", "MCP sampling request, 2026-07-28", "mcp.sampling", "2026-07-28"),
    schema!("anthropic/messages", "Messages of the Anthropic Messages API", "anthropic.messages"),
    schema!("openai/chat", "Messages of the OpenAI Chat Completions API", "openai.chat"),
    schema!("openai/responses", "Input items of the OpenAI Responses API", "openai.responses"),
    schema!("gemini/contents", "Contents of the Gemini API", "gemini.contents"),
    schema!("bedrock/converse", "Messages of the Amazon Bedrock Converse API", "bedrock.converse"),
    schema!("mistral/chat", "Messages of the Mistral chat API", "mistral.chat"),
    schema!("cohere/v2", "Messages of the Cohere chat API, version 2", "cohere.v2"),
    schema!("ollama/chat", "Messages of the native Ollama chat API", "ollama.chat"),
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
