//! The names of the dialects, and the macro from which every table of dialects is made.

use serde::{Deserialize, Serialize};

/// Expands a macro with the list of all dialects.
///
/// The macro receives one row for each dialect, in the order of [`Dialect::ALL`]: its documentation, its variant, its name,
/// and the stem of the modules that belong to it. A crate that keeps something for every dialect makes a table from these
/// rows, so that a new dialect does not compile until the crate has an entry for it.
///
/// ```
/// use wirecanon_model::Dialect;
///
/// macro_rules! stems {
///     ($($(#[$doc:meta])+ $variant:ident = $name:literal, $stem:ident;)+) => { [$(stringify!($stem)),+] };
/// }
/// let stems: [&str; Dialect::COUNT] = wirecanon_model::for_each_dialect!(stems);
/// assert_eq!(stems[Dialect::OpenAiChat as usize], "openai_chat");
/// ```
#[macro_export]
macro_rules! for_each_dialect {
    ($callback:ident) => {
        $callback! {
            /// This project's own, see SPEC.md part 2
            Canonical = "canonical", canonical;
            /// Agent messages of the OpenClaw and pi-ai lineage
            OpenClaw = "openclaw", openclaw;
            /// `messages` of the Anthropic Messages API
            AnthropicMessages = "anthropic.messages", anthropic_messages;
            /// `messages` of the OpenAI Chat Completions API
            OpenAiChat = "openai.chat", openai_chat;
            /// `input` items of the OpenAI Responses API
            OpenAiResponses = "openai.responses", openai_responses;
            /// `contents` of the Google Gemini API
            GeminiContents = "gemini.contents", gemini_contents;
            /// `messages` of the AWS Bedrock Converse API, in its JSON form
            BedrockConverse = "bedrock.converse", bedrock_converse;
            /// `messages` of the Mistral chat API
            MistralChat = "mistral.chat", mistral_chat;
            /// `messages` of the Cohere v2 chat API
            CohereV2 = "cohere.v2", cohere_v2;
            /// `messages` of Ollama's own chat API
            OllamaChat = "ollama.chat", ollama_chat;
            /// Serialized messages of LangChain
            LangChain = "langchain", langchain;
            /// Model messages of the Vercel AI SDK
            AiSdkModel = "ai-sdk.model", ai_sdk_model;
            /// UI messages of the Vercel AI SDK
            AiSdkUi = "ai-sdk.ui", ai_sdk_ui;
            /// Messages of typed parts, as OpenViking stores them
            OpenViking = "openviking", openviking;
            /// Stored messages and parts of lossless-claw
            LosslessClaw = "lossless-claw", lossless_claw;
            /// A `CallToolResult` of the Model Context Protocol
            McpToolResult = "mcp.tool-result", mcp_tool_result;
            /// A `GetPromptResult` of the Model Context Protocol
            McpPrompt = "mcp.prompt", mcp_prompt;
            /// The parameters of a `CreateMessageRequest` of the Model Context Protocol
            McpSampling = "mcp.sampling", mcp_sampling;
        }
    };
}

macro_rules! define {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal, $stem:ident;)+) => {
        /// A spelling of transcripts.
        ///
        /// ```
        /// use wirecanon_core::Dialect;
        ///
        /// let dialect = Dialect::by_name("openai.chat").ok_or("no such dialect")?;
        /// assert_eq!(dialect, Dialect::OpenAiChat);
        /// assert_eq!(dialect.name(), "openai.chat");
        /// assert_eq!(dialect.list_keys(), ["messages"]);
        /// assert!(dialect.arguments_are_text() && !Dialect::AnthropicMessages.arguments_are_text());
        /// assert!(Dialect::GeminiContents.results_are_named());
        /// let alone: Vec<_> = Dialect::ALL.into_iter().filter(|dialect| dialect.is_fragment()).collect();
        /// assert_eq!(alone, [Dialect::McpToolResult]);
        /// # Ok::<(), &str>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
        pub enum Dialect {
            $($(#[$doc])+ #[serde(rename = $name)] $variant,)+
        }

        impl Dialect {
            /// Every dialect, in the order in which `auto` prefers them where a text reads the same in several.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),+];

            /// The number of dialects: the length of every table of them.
            pub const COUNT: usize = [$($name),+].len();

            /// Its name on the command line and in reports.
            ///
            /// ```
            /// use wirecanon_core::Dialect;
            ///
            /// assert_eq!(Dialect::AnthropicMessages.name(), "anthropic.messages");
            /// assert!(Dialect::ALL.into_iter().all(|dialect| Dialect::by_name(dialect.name()) == Some(dialect)));
            /// ```
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

        }
    };
}

for_each_dialect!(define);

impl Dialect {
    /// The dialect with this name. A revision of the Model Context Protocol may follow an `@` (`mcp.prompt@2025-06-18`):
    /// all of them are read alike.
    ///
    /// ```
    /// use wirecanon_core::Dialect;
    ///
    /// assert_eq!(Dialect::by_name("openai.chat"), Some(Dialect::OpenAiChat));
    /// assert_eq!(Dialect::by_name("mcp.prompt@2025-06-18"), Some(Dialect::McpPrompt));
    /// assert_eq!(Dialect::by_name("mistral"), None, "a target: `mistral.chat` with the limits of one server");
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        let (plain, revision) = name.split_once('@').map_or((name, None), |(name, revision)| (name, Some(revision)));
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.name() == plain)
            .filter(|_| revision.is_none_or(|_| crate::Target::by_name(name).is_ok()))
    }

    /// Whether a result of this dialect is a transcript of its own, without the call that it answers.
    ///
    /// ```
    /// use wirecanon_core::Dialect;
    ///
    /// assert!(Dialect::McpToolResult.is_fragment());
    /// assert!(!Dialect::McpPrompt.is_fragment(), "it holds messages");
    /// ```
    pub fn is_fragment(self) -> bool {
        matches!(self, Self::McpToolResult)
    }

    /// Whether a provider's server decides what is valid in this dialect. The others are of programs and of MCP.
    ///
    /// ```
    /// use wirecanon_core::Dialect;
    ///
    /// assert!(Dialect::MistralChat.is_of_provider());
    /// assert!(!Dialect::LangChain.is_of_provider());
    /// ```
    pub fn is_of_provider(self) -> bool {
        matches!(
            self,
            Self::AnthropicMessages
                | Self::OpenAiChat
                | Self::OpenAiResponses
                | Self::GeminiContents
                | Self::BedrockConverse
                | Self::MistralChat
                | Self::CohereV2
                | Self::OllamaChat
        )
    }

    /// Returns whether this is a dialect of the Model Context Protocol: a tool result, a prompt or a sampling request.
    ///
    /// ```
    /// use wirecanon_core::Dialect;
    ///
    /// assert!(Dialect::McpPrompt.is_mcp());
    /// assert!(!Dialect::Canonical.is_mcp());
    /// ```
    pub fn is_mcp(self) -> bool {
        matches!(self, Self::McpToolResult | Self::McpPrompt | Self::McpSampling)
    }

    /// The keys under which a whole document of this dialect keeps its list of messages; the first one is written.
    ///
    /// ```
    /// use wirecanon_core::Dialect;
    ///
    /// assert_eq!(Dialect::AnthropicMessages.list_keys()[0], "messages");
    /// assert_eq!(Dialect::OpenAiResponses.list_keys()[0], "input");
    /// assert_eq!(Dialect::GeminiContents.list_keys()[0], "contents");
    /// ```
    pub fn list_keys(self) -> &'static [&'static str] {
        match self {
            Self::OpenAiResponses => &["input"],
            Self::GeminiContents => &["contents"],
            _ => &["messages"],
        }
    }

    /// Whether a call's arguments are a string of JSON text in this dialect; elsewhere they are an object.
    ///
    /// ```
    /// use wirecanon_core::Dialect;
    ///
    /// assert!(Dialect::OpenAiChat.arguments_are_text(), "{}", r#""arguments":"{\"at\":1}""#);
    /// assert!(!Dialect::AnthropicMessages.arguments_are_text(), "{}", r#""input":{"at":1}"#);
    /// ```
    pub fn arguments_are_text(self) -> bool {
        matches!(
            self,
            Self::Canonical
                | Self::OpenAiChat
                | Self::OpenAiResponses
                | Self::MistralChat
                | Self::CohereV2
                | Self::LosslessClaw
        )
    }

    /// Whether a result of this dialect says the name of its tool.
    ///
    /// ```
    /// use wirecanon_core::Dialect;
    ///
    /// assert!(Dialect::GeminiContents.results_are_named(), "the `name` of a `functionResponse`");
    /// assert!(!Dialect::AnthropicMessages.results_are_named(), "a `tool_use_id` alone");
    /// ```
    pub fn results_are_named(self) -> bool {
        matches!(self, Self::Canonical | Self::OpenClaw | Self::GeminiContents | Self::AiSdkModel | Self::AiSdkUi)
    }

    /// Returns true if tool calls and results may lack ids: a result then belongs to a call by its place.
    ///
    /// ```
    /// use wirecanon_core::Dialect;
    ///
    /// assert!(Dialect::GeminiContents.ids_may_lack() && !Dialect::OpenAiChat.ids_may_lack());
    /// ```
    pub fn ids_may_lack(self) -> bool {
        self == Self::GeminiContents
    }
}

/// The purpose of a transcript: to be sent, or to be stored.
///
/// ```
/// use wirecanon_core::{Dialect, Mode, Options, fix};
///
/// let open = br#"[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":
///     [{"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}]}]"#;
/// let options = Options { mode: Mode::History, ..Options::new().from(Dialect::OpenAiChat) };
/// assert!(fix(open, &options)?.report.repairs.is_empty(), "its tool may still answer");
/// let options = Options { mode: Mode::Request, ..options };
/// assert_eq!(fix(open, &options)?.report.repairs[0].rule, "tool-call-without-result");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// To be sent now: open calls are closed, opening and closing turns are as the target demands
    #[default]
    Request,
    /// To be stored: valid as a prefix; the last turn's open calls stay open
    History,
}

impl Mode {
    /// Returns its name: `request` or `history`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::History => "history",
        }
    }
}
