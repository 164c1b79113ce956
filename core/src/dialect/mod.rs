//! The dialects: how each system spells a transcript.

use serde::{Deserialize, Serialize};

/// A spelling of transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Dialect {
    /// This project's own, see SPEC.md part 2
    #[serde(rename = "canonical")]
    Canonical,
    /// Agent messages of the OpenClaw and pi-ai lineage
    #[serde(rename = "openclaw")]
    OpenClaw,
    /// `messages` of the Anthropic Messages API
    #[serde(rename = "anthropic.messages")]
    AnthropicMessages,
    /// `messages` of the OpenAI Chat Completions API
    #[serde(rename = "openai.chat")]
    OpenAiChat,
    /// A `CallToolResult` of the Model Context Protocol
    #[serde(rename = "mcp.tool-result")]
    McpToolResult,
}

impl Dialect {
    /// Every dialect, in the order in which `auto` prefers them where a text reads the same in several.
    pub const ALL: [Self; 5] =
        [Self::Canonical, Self::OpenClaw, Self::AnthropicMessages, Self::OpenAiChat, Self::McpToolResult];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Canonical => "canonical",
            Self::OpenClaw => "openclaw",
            Self::AnthropicMessages => "anthropic.messages",
            Self::OpenAiChat => "openai.chat",
            Self::McpToolResult => "mcp.tool-result",
        }
    }

    /// The dialect with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}
