//! The targets that the library has, and how they are found: by name, or as what a dialect is by itself.

use std::sync::OnceLock;

use super::Target;
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind};

/// The files of the library, in the order of `wirecanon list targets`.
const FILES: &[(&str, &str)] = &[
    ("canonical", include_str!("../../targets/canonical.toml")),
    ("openclaw", include_str!("../../targets/openclaw.toml")),
    ("anthropic.messages", include_str!("../../targets/anthropic.messages.toml")),
    ("openai.chat", include_str!("../../targets/openai.chat.toml")),
    ("openai.responses", include_str!("../../targets/openai.responses.toml")),
    ("gemini.contents", include_str!("../../targets/gemini.contents.toml")),
    ("bedrock.converse", include_str!("../../targets/bedrock.converse.toml")),
    ("mistral.chat", include_str!("../../targets/mistral.chat.toml")),
    ("cohere.v2", include_str!("../../targets/cohere.v2.toml")),
    ("ollama.chat", include_str!("../../targets/ollama.chat.toml")),
    ("langchain", include_str!("../../targets/langchain.toml")),
    ("ai-sdk.model", include_str!("../../targets/ai-sdk.model.toml")),
    ("ai-sdk.ui", include_str!("../../targets/ai-sdk.ui.toml")),
    ("openviking", include_str!("../../targets/openviking.toml")),
    ("lossless-claw", include_str!("../../targets/lossless-claw.toml")),
    ("mcp.tool-result", include_str!("../../targets/mcp.tool-result.toml")),
    ("mcp.prompt", include_str!("../../targets/mcp.prompt.toml")),
    ("mcp.sampling", include_str!("../../targets/mcp.sampling.toml")),
    ("anthropic", include_str!("../../targets/anthropic.toml")),
    ("openai", include_str!("../../targets/openai.toml")),
    ("mcp.tool-result@2024-11-05", include_str!("../../targets/mcp.tool-result@2024-11-05.toml")),
    ("mcp.tool-result@2025-03-26", include_str!("../../targets/mcp.tool-result@2025-03-26.toml")),
    ("mcp.tool-result@2025-06-18", include_str!("../../targets/mcp.tool-result@2025-06-18.toml")),
    ("mcp.tool-result@2025-11-25", include_str!("../../targets/mcp.tool-result@2025-11-25.toml")),
    ("mcp.tool-result@2026-07-28", include_str!("../../targets/mcp.tool-result@2026-07-28.toml")),
    ("mcp.prompt@2024-11-05", include_str!("../../targets/mcp.prompt@2024-11-05.toml")),
    ("mcp.prompt@2025-03-26", include_str!("../../targets/mcp.prompt@2025-03-26.toml")),
    ("mcp.prompt@2025-06-18", include_str!("../../targets/mcp.prompt@2025-06-18.toml")),
    ("mcp.prompt@2025-11-25", include_str!("../../targets/mcp.prompt@2025-11-25.toml")),
    ("mcp.prompt@2026-07-28", include_str!("../../targets/mcp.prompt@2026-07-28.toml")),
    ("mcp.sampling@2024-11-05", include_str!("../../targets/mcp.sampling@2024-11-05.toml")),
    ("mcp.sampling@2025-03-26", include_str!("../../targets/mcp.sampling@2025-03-26.toml")),
    ("mcp.sampling@2025-06-18", include_str!("../../targets/mcp.sampling@2025-06-18.toml")),
    ("mcp.sampling@2025-11-25", include_str!("../../targets/mcp.sampling@2025-11-25.toml")),
    ("mcp.sampling@2026-07-28", include_str!("../../targets/mcp.sampling@2026-07-28.toml")),
    ("mistral", include_str!("../../targets/mistral.toml")),
    ("ollama", include_str!("../../targets/ollama.toml")),
    ("ollama-cloud", include_str!("../../targets/ollama-cloud.toml")),
    ("gemini-openai", include_str!("../../targets/gemini-openai.toml")),
    ("ollama-openai", include_str!("../../targets/ollama-openai.toml")),
    ("xai", include_str!("../../targets/xai.toml")),
    ("deepseek", include_str!("../../targets/deepseek.toml")),
    ("groq", include_str!("../../targets/groq.toml")),
    ("cerebras", include_str!("../../targets/cerebras.toml")),
    ("vllm", include_str!("../../targets/vllm.toml")),
    ("openrouter", include_str!("../../targets/openrouter.toml")),
    ("kimi", include_str!("../../targets/kimi.toml")),
    ("openai-responses", include_str!("../../targets/openai-responses.toml")),
    ("openai-codex", include_str!("../../targets/openai-codex.toml")),
    ("gemini", include_str!("../../targets/gemini.toml")),
    ("gemini-3", include_str!("../../targets/gemini-3.toml")),
    ("gemini-3.6", include_str!("../../targets/gemini-3.6.toml")),
    ("vertex", include_str!("../../targets/vertex.toml")),
    ("bedrock", include_str!("../../targets/bedrock.toml")),
    ("bedrock-claude", include_str!("../../targets/bedrock-claude.toml")),
    ("cohere", include_str!("../../targets/cohere.toml")),
];

impl Target {
    /// Every target of the library.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Target};
    ///
    /// let servers: Vec<_> = Target::all().iter().filter(|target| target.dialect == Dialect::MistralChat).collect();
    /// assert_eq!(servers.iter().map(|target| target.name.as_str()).collect::<Vec<_>>(), ["mistral.chat", "mistral"]);
    /// ```
    ///
    /// # Panics
    ///
    /// When a file of the library is not a target; a test reads them all.
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Target>> = OnceLock::new();
        ALL.get_or_init(|| {
            FILES
                .iter()
                .map(|(name, text)| {
                    super::file::read(text).unwrap_or_else(|error| panic!("targets/{name}.toml: {error}"))
                })
                .collect()
        })
    }

    /// The target of the library with this name.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Target};
    ///
    /// assert_eq!(Target::by_name("mistral")?.dialect, Dialect::MistralChat);
    /// let error = Target::by_name("mistrel").unwrap_err();
    /// assert!(error.to_string().contains("there are: canonical, "));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No target has this name; the error lists them.
    pub fn by_name(name: &str) -> Result<&'static Self, Error> {
        Self::all().iter().find(|target| target.name == name).ok_or_else(|| {
            let names: Vec<_> = Self::all().iter().map(|target| target.name.as_str()).collect();
            Error::new(ErrorKind::UnknownName, format!("no dialect or target is called `{name}`"))
                .with_hint(format!("there are: {}", names.join(", ")))
        })
    }

    /// The target that a dialect is by itself.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Target};
    ///
    /// let plain = Target::of_dialect(Dialect::MistralChat);
    /// assert_eq!((plain.name.as_str(), plain.ids.max_length), ("mistral.chat", None));
    /// assert_eq!(Target::by_name("mistral")?.ids.length, Some(9), "the limits of one server");
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn of_dialect(dialect: Dialect) -> &'static Self {
        Self::all().iter().find(|target| target.name == dialect.name()).unwrap_or(&Self::all()[0])
    }
}

/// A dialect by itself, without the limits of one server.
impl From<Dialect> for &Target {
    fn from(dialect: Dialect) -> Self {
        Target::of_dialect(dialect)
    }
}
