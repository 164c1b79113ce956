//! The dialects that the generator writes: one row each, and one file in `spell`.

use super::spell::{self, Speller};

/// A new dialect is one row here, and one file of `spell` with its `SPELLER`.
macro_rules! dialects {
    ($($(#[$doc:meta])* $variant:ident $name:literal $file:ident;)+) => {
        /// A spelling that the generator writes.
        ///
        /// ```
        /// use wirecanon_generate::Dialect;
        ///
        /// let dialect = Dialect::by_name("mistral.chat").ok_or("no such dialect")?;
        /// assert_eq!((dialect, dialect.vendor()), (Dialect::MistralChat, Some("mistral")));
        /// # Ok::<(), &str>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Dialect {
            $($(#[$doc])* $variant,)+
        }

        impl Dialect {
            /// Every dialect.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Its name on the command line.
            ///
            /// ```
            /// use wirecanon_generate::Dialect;
            ///
            /// assert_eq!(Dialect::AnthropicMessages.name(), "anthropic.messages");
            /// ```
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What it carries, and how it is written.
            pub(crate) fn speller(self) -> &'static Speller {
                match self {
                    $(Self::$variant => &spell::$file::SPELLER,)+
                }
            }
        }
    };
}

dialects! {
    /// wirecanon's own
    Canonical "canonical" canonical;
    /// Agent messages of the OpenClaw and pi-ai lineage
    OpenClaw "openclaw" openclaw;
    /// Anthropic Messages
    AnthropicMessages "anthropic.messages" anthropic;
    /// OpenAI Chat Completions
    OpenAiChat "openai.chat" openai_chat;
    /// OpenAI Responses
    OpenAiResponses "openai.responses" openai_responses;
    /// Gemini contents
    GeminiContents "gemini.contents" gemini;
    /// AWS Bedrock Converse
    BedrockConverse "bedrock.converse" bedrock;
    /// Mistral chat
    MistralChat "mistral.chat" mistral;
    /// Cohere v2 chat
    CohereV2 "cohere.v2" cohere;
    /// Ollama's own chat
    OllamaChat "ollama.chat" ollama;
    /// Serialized messages of LangChain
    LangChain "langchain" langchain;
    /// Model messages of the Vercel AI SDK
    AiSdkModel "ai-sdk.model" ai_sdk_model;
    /// UI messages of the Vercel AI SDK
    AiSdkUi "ai-sdk.ui" ai_sdk_ui;
    /// Messages of typed parts, as OpenViking stores them
    OpenViking "openviking" openviking;
    /// Stored messages of lossless-claw
    LosslessClaw "lossless-claw" lossless_claw;
    /// A lone tool result of the Model Context Protocol
    McpToolResult "mcp.tool-result" mcp_tool_result;
    /// A prompt of the Model Context Protocol
    McpPrompt "mcp.prompt" mcp_prompt;
    /// The parameters of a sampling request of the Model Context Protocol
    McpSampling "mcp.sampling" mcp_sampling;
}

impl Dialect {
    /// The dialect with this name.
    ///
    /// ```
    /// use wirecanon_generate::Dialect;
    ///
    /// assert_eq!(Dialect::by_name("openai.chat"), Some(Dialect::OpenAiChat));
    /// assert_eq!(Dialect::by_name("mcp.prompt@2025-06-18"), None, "that is a form of one, see `Form::by_name`");
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// It writes lone tool results, no conversations.
    ///
    /// ```
    /// use wirecanon_generate::Dialect;
    ///
    /// assert!(Dialect::McpToolResult.is_fragment() && !Dialect::McpPrompt.is_fragment());
    /// ```
    pub fn is_fragment(self) -> bool {
        self.speller().carries.fragment
    }

    /// It has a form in each [`Revision`](super::Revision).
    ///
    /// ```
    /// use wirecanon_generate::Dialect;
    ///
    /// assert!(Dialect::McpPrompt.has_revisions() && !Dialect::MistralChat.has_revisions());
    /// ```
    pub fn has_revisions(self) -> bool {
        self.speller().revisions
    }

    /// A result is a message or a block of its own. Elsewhere it is a part of its call, and cannot stand in the wrong place.
    ///
    /// ```
    /// use wirecanon_generate::Dialect;
    ///
    /// assert!(Dialect::OpenAiChat.has_results_apart(), "a message of role `tool`");
    /// assert!(!Dialect::AiSdkUi.has_results_apart(), "the `output` of the part that calls");
    /// ```
    pub fn has_results_apart(self) -> bool {
        self.speller().carries.results_apart
    }

    /// The server whose limits a transcript keeps that is [`strict`](super::Generated::strict), by its target's name.
    ///
    /// ```
    /// use wirecanon_generate::Dialect;
    ///
    /// assert_eq!(Dialect::OpenAiResponses.vendor(), Some("openai-responses"));
    /// assert_eq!(Dialect::Canonical.vendor(), None);
    /// ```
    pub fn vendor(self) -> Option<&'static str> {
        self.speller().vendor
    }
}
