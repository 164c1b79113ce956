//! Builder methods of the options.

use crate::CheckOptions;
use wirecanon_json::Limits;
use wirecanon_model::Mode;
use wirecanon_model::target::Target;

impl<'t> CheckOptions<'t> {
    /// By the rules of this target, as a history: open calls of the last turn may stay open.
    ///
    /// ```
    /// use wirecanon_core::{CheckOptions, Dialect, check};
    ///
    /// let request = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
    /// let checked = check(request, &CheckOptions::new(Dialect::OpenAiChat))?;
    /// assert_eq!(checked.violations[0].rule, "orphan-tool-result");
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn new(target: impl Into<&'t Target>) -> Self {
        Self { target: target.into(), mode: Mode::History, fragment: false, limits: Limits::default() }
    }

    /// It is to be sent now: every call is answered, and the last turn is one that a model can go on from.
    ///
    /// ```
    /// use wirecanon_core::{CheckOptions, Dialect, check};
    ///
    /// let open = br#"[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":
    ///     [{"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}]}]"#;
    /// let options = CheckOptions::new(Dialect::OpenAiChat);
    /// assert!(check(open, &options)?.violations.is_empty());
    /// assert!(!check(open, &options.as_request())?.violations.is_empty());
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn as_request(self) -> Self {
        Self { mode: Mode::Request, ..self }
    }

    /// It is a lone fragment: pairing is left out.
    ///
    /// ```
    /// use wirecanon_core::{CheckOptions, Dialect, check};
    ///
    /// let result = br#"[{"role":"tool","tool_call_id":"c1","content":"a cat"}]"#;
    /// let options = CheckOptions::new(Dialect::OpenAiChat);
    /// assert_eq!(check(result, &options)?.violations[0].rule, "orphan-tool-result");
    /// assert!(check(result, &options.as_fragment())?.violations.is_empty());
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn as_fragment(self) -> Self {
        Self { fragment: true, ..self }
    }

    /// What the input may ask of the machine.
    ///
    /// ```
    /// use wirecanon_core::json::Limits;
    /// use wirecanon_core::{CheckOptions, Dialect, ErrorKind, check};
    ///
    /// let deep = br#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#;
    /// let options = CheckOptions::new(Dialect::OpenAiChat).within(Limits { max_depth: 3 });
    /// assert_eq!(check(deep, &options).unwrap_err().kind(), ErrorKind::TooDeep);
    /// ```
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}
