//! Options, said one after the other.

use crate::pipeline::{From as Source, Options};
use wirecanon_json::Limits;
use wirecanon_model::target::Target;
use wirecanon_model::{Dialect, Mode};

impl From<Dialect> for Source {
    fn from(dialect: Dialect) -> Self {
        Self::Dialect(dialect)
    }
}

impl<'t> Options<'t> {
    /// The dialect is found and stays what it is; the result is to be sent now.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Options, fix};
    ///
    /// let history = br#"[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"text","text":"hello"}]}]"#;
    /// let options = Options::new().from(Dialect::AnthropicMessages).to(Dialect::OpenAiChat);
    /// let fixed = fix(history, &options)?;
    /// assert_eq!(fixed.report.to, "openai.chat");
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// In this dialect the input is.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Options, fix};
    ///
    /// let history = br#"[{"role":"user","content":"hi"}]"#;
    /// let fixed = fix(history, &Options::new().from(Dialect::MistralChat))?;
    /// assert_eq!(fixed.report.from, "mistral.chat");
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn from(self, from: impl Into<Source>) -> Self {
        Self { from: from.into(), ..self }
    }

    /// For this target it is written: one of [`Target::by_name`], one of [`Target::from_toml`], or a dialect.
    ///
    /// ```
    /// use wirecanon_core::{Options, Target};
    ///
    /// let options = Options::new().to(Target::by_name("anthropic")?);
    /// assert_eq!(options.to.map(|target| target.name.as_str()), Some("anthropic"));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn to(self, to: impl Into<&'t Target>) -> Self {
        Self { to: Some(to.into()), ..self }
    }

    /// The result is to be stored: open calls of the last turn stay open.
    ///
    /// ```
    /// use wirecanon_core::{Mode, Options};
    ///
    /// assert_eq!(Options::new().as_history().mode, Mode::History);
    /// ```
    #[must_use]
    pub fn as_history(self) -> Self {
        Self { mode: Mode::History, ..self }
    }

    /// Repairs an input of the target's own dialect for warnings alone, too.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Options, Target, fix};
    ///
    /// let renamed = br#"{"contents":[{"role":"user","parts":[{"text":"look"}]},
    ///     {"role":"model","parts":[{"functionCall":{"name":"look","args":{}}}]},
    ///     {"role":"user","parts":[{"functionResponse":{"name":"see","response":{}}}]}]}"#;
    /// let options = Options::new().from(Dialect::GeminiContents).to(Target::by_name("gemini")?);
    /// assert!(!fix(renamed, &options)?.report.changed);
    /// assert!(fix(renamed, &options.strict())?.report.changed);
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn strict(self) -> Self {
        Self { strict: true, ..self }
    }

    /// What the input may ask of the machine.
    ///
    /// ```
    /// use wirecanon_core::json::Limits;
    /// use wirecanon_core::{Dialect, ErrorKind, Options, fix};
    ///
    /// let deep = br#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#;
    /// let options = Options::new().from(Dialect::OpenAiChat).within(Limits { max_depth: 3 });
    /// assert_eq!(fix(deep, &options).unwrap_err().kind(), ErrorKind::TooDeep);
    /// ```
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The call that a lone tool result answers.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Options, fix};
    ///
    /// let options = Options::new().from(Dialect::McpToolResult).to(Dialect::OpenAiChat).answering("call_7");
    /// let fixed = fix(br#"{"content":[{"type":"text","text":"seen"}]}"#, &options)?;
    /// assert!(String::from_utf8_lossy(&fixed.output).contains("call_7"));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn answering(self, call_id: impl Into<String>) -> Self {
        Self { call_id: Some(call_id.into()), ..self }
    }
}
