//! The judge: whether a text keeps every rule of a target. It shares nothing with reading, repairing or writing.
//!
//! Each dialect has a file that walks its own shapes and names what is wrong; what several dialects ask of a call, a
//! picture or a pairing stands once (`pairing`, `media`, `arguments`, `call`). The judge decides base64, picture
//! headers and pairing by code of its own, so that a mistake of the canonicalizer cannot hide itself.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod arguments;
mod cache;
mod call;
mod definitions;
mod dialects;
mod input;
mod judge;
mod media;
mod options;
mod pairing;
mod request;
mod shape;
mod size;
mod turns;
mod typed;

#[cfg(test)]
mod tests;

use std::ops::Range;

use dialects::{Check, check_of};
use input::{Decoded, Messages};
use judge::Judge;
use serde::Serialize;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::target::{Level, Target};
use wirecanon_model::{Dialect, Error, ErrorKind, Mode, rule};

/// How [`check`] works.
///
/// ```
/// use wirecanon_core::json::Limits;
/// use wirecanon_core::{CheckOptions, Dialect, check};
///
/// let late = br#"[{"role":"tool","tool_call_id":"c1","content":"a cat"}]"#;
/// let options = CheckOptions::new(Dialect::OpenAiChat).within(Limits { max_depth: 64 });
/// assert_eq!(check(late, &options)?.violations[0].rule, "orphan-tool-result");
/// assert!(check(late, &options.as_fragment())?.violations.is_empty());
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CheckOptions<'t> {
    /// Whose rules hold
    pub target: &'t Target,
    /// `History` (the default of the command line) leaves the transcript's last open calls and last turn alone
    pub mode: Mode,
    /// A lone fragment: pairing is left out
    pub fragment: bool,
    /// What the input may ask of the machine
    pub limits: Limits,
}

/// A broken rule.
///
/// ```
/// use wirecanon_core::{CheckOptions, Dialect, check};
///
/// let request = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"c1","content":"late"}]"#;
/// let violation = check(request, &CheckOptions::new(Dialect::OpenAiChat))?.violations.remove(0);
/// assert_eq!((violation.rule, violation.pointer.as_str()), ("orphan-tool-result", "/1"));
/// println!("{}: {}", violation.pointer, violation.message);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// Id of the rule
    pub rule: &'static str,
    /// `error`: the server refuses it; `warning`: it accepts it, and a client or model is misled
    pub severity: Level,
    /// JSON Pointer of the value at fault
    pub pointer: String,
    /// The bytes of the value at fault, in the text after a byte order mark, with U+FFFD for invalid UTF-8
    #[serde(skip)]
    pub span: Range<usize>,
    /// What is wrong, in words
    pub message: String,
}

/// What [`check`] found.
///
/// ```
/// use wirecanon_core::{CheckOptions, Dialect, check};
///
/// let checked = check(br#"[{"role":"user","content":"hi"}]"#, &CheckOptions::new(Dialect::OpenAiChat))?;
/// assert_eq!(checked.dialect, Dialect::OpenAiChat);
/// assert!(checked.violations.is_empty());
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The dialect whose rules were applied
    pub dialect: Dialect,
    /// In the order of the text
    pub violations: Vec<Violation>,
    /// Profiles of the target that the model or the settings of the request selected
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<String>,
}

impl Checked {
    /// Returns the violations for which the server refuses the document.
    ///
    /// ```
    /// use wirecanon_core::{CheckOptions, Target, check};
    ///
    /// let renamed = br#"[{"role":"user","parts":[{"text":"look"}]},
    ///     {"role":"model","parts":[{"functionCall":{"name":"look","args":{}}}]},
    ///     {"role":"user","parts":[{"functionResponse":{"name":"see","response":{}}}]}]"#;
    /// let checked = check(renamed, &CheckOptions::new(Target::by_name("gemini")?).as_request())?;
    /// assert!(!checked.violations.is_empty() && checked.errors().count() == 0);
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn errors(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(|violation| violation.severity == Level::Error)
    }
}

/// Judges `input` by the rules of a target.
///
/// The input is `{"messages": […]}` with any other members, a bare list of messages, one message, or JSON Lines with a
/// message a line, whose pointers count lines as the items of a list; for `mcp.tool-result` it is one result. Of a provider's
/// response the turn that it holds is judged. A byte order mark and invalid UTF-8 are violations, and the text is then judged
/// with U+FFFD in place of what is not UTF-8.
///
/// Linear in the input, without recursion.
///
/// # Errors
///
/// The bytes are not JSON, ask for more than the limits, or hold no message list (for `mcp.tool-result`, no result).
///
/// ```
/// use wirecanon_core::{CheckOptions, Target, check};
///
/// let request = br#"{"messages":[{"role":"user","content":"hi"}],"max_tokens":9}"#;
/// let checked = check(request, &CheckOptions::new(Target::by_name("anthropic")?).as_request())?;
/// assert!(checked.violations.is_empty());
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
pub fn check(input: &[u8], options: &CheckOptions<'_>) -> Result<Checked, Error> {
    check_and(input, options, |_, checked| checked)
}

/// Judges a document that is parsed already, as [`check()`](fn@check) does.
///
/// # Errors
///
/// The document holds no message list (for `mcp.tool-result`, no result).
///
/// ```
/// use wirecanon_core::json::{Json, Limits};
/// use wirecanon_core::{CheckOptions, Target, check_json};
///
/// let json = Json::parse(r#"{"messages":[{"role":"user","content":""}],"max_tokens":9}"#, &Limits::default())?;
/// let checked = check_json(&json, &CheckOptions::new(Target::by_name("anthropic")?).as_request())?;
/// assert_eq!(checked.violations[0].rule, "empty-message");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_json(json: &Json<'_>, options: &CheckOptions<'_>) -> Result<Checked, Error> {
    let decoded = Decoded { text: json.text().into(), byte_order_mark: false, invalid_utf_8: false };
    judge(json, &decoded, options)
}

/// Checks `input`, and passes the document and the outcome to `look`, which may replace it.
///
/// # Errors
///
/// The bytes are not JSON or exceed the limits, or the error of `look`.
#[doc(hidden)]
pub fn check_and(
    input: &[u8],
    options: &CheckOptions<'_>,
    look: impl FnOnce(&Json<'_>, Result<Checked, Error>) -> Result<Checked, Error>,
) -> Result<Checked, Error> {
    let decoded = Decoded::new(input);
    let json = parse(&decoded, options)?;
    look(&json, judge(&json, &decoded, options))
}

fn parse<'d>(decoded: &'d Decoded<'_>, options: &CheckOptions<'_>) -> Result<Json<'d>, Error> {
    match Json::parse(&decoded.text, &options.limits).map_err(Error::from) {
        Err(error) if options.target.dialect != Dialect::McpToolResult => {
            input::read_lines(&decoded.text, options.limits, error)
        }
        parsed => parsed,
    }
}

/// What holds the messages: for a protocol of JSON-RPC, what the message carries.
fn body(root: Value<'_>, dialect: Dialect) -> Value<'_> {
    let carried = match dialect {
        Dialect::McpPrompt | Dialect::McpToolResult => root.get("result"),
        Dialect::McpSampling => root.get("params").or_else(|| root.get("result")),
        _ => None,
    };
    carried.filter(|_| root.get("jsonrpc").is_some()).unwrap_or(root)
}

/// The turn that a provider's response holds.
fn answer(root: Value<'_>, dialect: Dialect) -> Option<Messages<'_>> {
    let first = |key| root.get(key)?.items().next();
    let message = match dialect {
        Dialect::OpenAiResponses => {
            let list = root.get("output").filter(|output| output.is_array())?;
            return Some(Messages::list(list, list));
        }
        Dialect::OpenAiChat | Dialect::MistralChat => first("choices")?.get("message"),
        Dialect::GeminiContents => first("candidates")?.get("content"),
        Dialect::BedrockConverse => root.get("output")?.get("message"),
        Dialect::CohereV2 => root.get("finish_reason").and_then(|_| root.get("message")),
        Dialect::OllamaChat => root.get("done").and_then(|_| root.get("message")),
        _ => None,
    };
    message.map(Messages::alone)
}

fn judge(json: &Json<'_>, decoded: &Decoded<'_>, options: &CheckOptions<'_>) -> Result<Checked, Error> {
    let dialect = options.target.dialect;
    let (target, profiles) = options.target.for_request(Some(body(json.root(), dialect)))?;
    let mut judge = Judge::new(&target, options);
    if decoded.byte_order_mark {
        judge.say(&rule::BYTE_ORDER_MARK, json.root(), "a byte order mark stands in front of the JSON text");
    }
    if decoded.invalid_utf_8 {
        judge.say(&rule::INVALID_UTF_8, json.root(), "some bytes are not UTF-8");
    }
    judge.strings(json);
    judge.definitions(json);
    let root = body(json.root(), dialect);
    match check_of(dialect) {
        Check::Document(check) => {
            check(&mut judge, root)?;
            typed::judge(&mut judge, root, dialect);
        }
        Check::Messages(check) => {
            if root.is_array() && root.index() != json.root().index() {
                let error =
                    Error::new(ErrorKind::NotATranscript, "what a JSON-RPC message carries is an object, not a list");
                return Err(error.with_pointer(root.pointer()));
            }
            let messages =
                Messages::find(root, dialect.list_keys()).or_else(|none| answer(root, dialect).ok_or(none))?;
            judge.pairing &= !messages.is_lone_result();
            // Where a key stands twice, parsers disagree about which value counts.
            if let Some(document) = messages.document {
                judge.keys(document);
            }
            messages.iter().for_each(|message| typed::judge(&mut judge, message, dialect));
            check(&mut judge, &messages);
            definitions::judge(&mut judge, root, dialect);
        }
    }
    Ok(Checked { dialect, violations: judge.finish(json), profiles })
}
