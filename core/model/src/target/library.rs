//! The targets that the library has, and how they are found: by name, or as what a dialect is by itself.

use std::sync::OnceLock;

use super::Target;
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind};

/// The file of a target: its name, and its text.
macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../../targets/", $name, ".toml")))
    };
}

macro_rules! of_dialects {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal, $stem:ident;)+) => {
        /// The files of the dialects, each without the limits of one server.
        const OF_DIALECTS: [(&str, &str); Dialect::COUNT] = [$(file!($name)),+];
    };
}

crate::for_each_dialect!(of_dialects);

/// The files of servers and revisions, in the order of `wirecanon list targets`.
const OF_SERVERS: &[(&str, &str)] = &[
    file!("anthropic"),
    file!("openai"),
    file!("mcp.tool-result@2024-11-05"),
    file!("mcp.tool-result@2025-03-26"),
    file!("mcp.tool-result@2025-06-18"),
    file!("mcp.tool-result@2025-11-25"),
    file!("mcp.tool-result@2026-07-28"),
    file!("mcp.prompt@2024-11-05"),
    file!("mcp.prompt@2025-03-26"),
    file!("mcp.prompt@2025-06-18"),
    file!("mcp.prompt@2025-11-25"),
    file!("mcp.prompt@2026-07-28"),
    file!("mcp.sampling@2024-11-05"),
    file!("mcp.sampling@2025-03-26"),
    file!("mcp.sampling@2025-06-18"),
    file!("mcp.sampling@2025-11-25"),
    file!("mcp.sampling@2026-07-28"),
    file!("mistral"),
    file!("ollama"),
    file!("ollama-cloud"),
    file!("gemini-openai"),
    file!("ollama-openai"),
    file!("xai"),
    file!("deepseek"),
    file!("groq"),
    file!("cerebras"),
    file!("vllm"),
    file!("openrouter"),
    file!("kimi"),
    file!("openai-responses"),
    file!("openai-codex"),
    file!("gemini"),
    file!("gemini-3"),
    file!("gemini-3.6"),
    file!("vertex"),
    file!("bedrock"),
    file!("bedrock-claude"),
    file!("cohere"),
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
            OF_DIALECTS
                .iter()
                .chain(OF_SERVERS)
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
        &Self::all()[dialect as usize]
    }
}

/// A dialect by itself, without the limits of one server.
impl From<Dialect> for &Target {
    fn from(dialect: Dialect) -> Self {
        Target::of_dialect(dialect)
    }
}
