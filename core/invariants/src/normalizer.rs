//! What is judged: anything that turns a transcript of one dialect into one of another.

use std::fmt;

use wirecanon_convert::{Fixed, From, Mode, Options, fix};
use wirecanon_model::report::Report;
use wirecanon_model::target::Target;

/// One conversion that is asked for.
///
/// ```
/// use wirecanon_core::normalizer::Request;
/// use wirecanon_core::{From, Mode, Target};
///
/// let to = Target::by_name("openai")?;
/// let request = Request { input: b"[]", from: From::Auto, to, mode: Mode::Request, call_id: None };
/// assert_eq!(request.to_string(), "printf %s '[]' | wirecanon fix --from auto --to openai --for request -");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The transcript
    pub input: &'r [u8],
    /// Its dialect
    pub from: From,
    /// What to write
    pub to: &'r Target,
    /// What the output is for
    pub mode: Mode,
    /// The call that a lone tool result answers
    pub call_id: Option<&'r str>,
}

/// What came of a request.
///
/// ```
/// use wirecanon_core::normalizer::Outcome;
///
/// let outcome = Outcome::Output { bytes: b"[]".to_vec(), report: None };
/// match outcome {
///     Outcome::Output { bytes, .. } => println!("{}", String::from_utf8_lossy(&bytes)),
///     Outcome::Refused { code, message } => println!("{code}: {message}"),
///     Outcome::Failed(message) => println!("it broke: {message}"),
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A transcript
    Output {
        /// Its bytes
        bytes: Vec<u8>,
        /// What was changed, from a normalizer that says so
        report: Option<Box<Report<'static>>>,
    },
    /// Nothing, for a stated reason
    Refused {
        /// `invalid-arguments`, `unsupported-content`, `unpaired`, `limit` or `other`
        code: String,
        /// In words
        message: String,
    },
    /// Nothing, by accident: an exception, a crash
    Failed(String),
}

/// Something that converts transcripts: the reference, a testee's process, a planted mutant.
///
/// ```
/// use wirecanon_core::invariant::{Case, Known, Verdict, by_id};
/// use wirecanon_core::normalizer::{Normalizer, Outcome, Request};
/// use wirecanon_core::{Dialect, From, Target};
///
/// /// Passes everything through.
/// struct Nothing;
///
/// impl Normalizer for Nothing {
///     fn name(&self) -> &str {
///         "nothing"
///     }
///
///     fn convert(&self, request: &Request<'_>) -> Outcome {
///         Outcome::Output { bytes: request.input.to_vec(), report: None }
///     }
/// }
///
/// let known = Known::default();
/// let broken = br#"[{"role":"user","content":"hi"},{"role":"tool","tool_call_id":"x","content":"late"}]"#;
/// let from = From::Dialect(Dialect::OpenAiChat);
/// let case = Case::bare(broken, from, Target::of_dialect(Dialect::OpenAiChat), &known);
/// let never_poison = by_id("P1").ok_or("no such invariant")?;
/// assert!(matches!((never_poison.check)(&Nothing, &case), Verdict::Violated(_)));
/// # Ok::<(), &str>(())
/// ```
pub trait Normalizer {
    /// Its name in messages.
    ///
    /// ```
    /// use wirecanon_core::normalizer::{Normalizer, Reference};
    ///
    /// let judged: &dyn Normalizer = &Reference;
    /// assert_eq!(judged.name(), "wirecanon");
    /// ```
    fn name(&self) -> &str;

    /// Answers one request.
    ///
    /// ```
    /// use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
    /// use wirecanon_core::{Dialect, From, Mode, Target};
    ///
    /// let (from, to) = (From::Dialect(Dialect::McpToolResult), Target::by_name("mistral")?);
    /// let input = br#"{"content":[{"type":"text","text":"a cat"}]}"#;
    /// let outcome = Reference.convert(&Request { input, from, to, mode: Mode::Request, call_id: None });
    /// assert!(matches!(outcome, Outcome::Refused { code, .. } if code == "unpaired"), "nobody said which call it answers");
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    fn convert(&self, request: &Request<'_>) -> Outcome;

    /// Returns true for a conversion that it says it does; [`check_all`](crate::check_all) asks it for no other one.
    /// All of them, unless it says otherwise.
    ///
    /// ```
    /// use wirecanon_core::normalizer::{Normalizer, Reference};
    /// use wirecanon_core::{Dialect, From, Target};
    ///
    /// assert!(Reference.claims(From::Dialect(Dialect::McpToolResult), Target::of_dialect(Dialect::OpenAiChat)));
    /// ```
    fn claims(&self, _from: From, _to: &Target) -> bool {
        true
    }
}

/// The canonicalizer of this crate.
///
/// ```
/// use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
/// use wirecanon_core::{Dialect, From, Mode, Target};
///
/// let to = Target::of_dialect(Dialect::OpenAiChat);
/// let input = br#"[{"role":"user","content":"hi"}]"#;
/// let outcome = Reference.convert(&Request { input, from: From::Auto, to, mode: Mode::Request, call_id: None });
/// assert!(matches!(outcome, Outcome::Output { bytes, .. } if bytes == input));
/// assert_eq!(Reference.name(), "wirecanon");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Normalizer for Reference {
    fn name(&self) -> &'static str {
        "wirecanon"
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        let options = Options {
            from: request.from,
            to: Some(request.to),
            mode: request.mode,
            call_id: request.call_id.map(str::to_owned),
            strict: true,
            ..Options::default()
        };
        match fix(request.input, &options) {
            Ok(Fixed { output, report }) => {
                Outcome::Output { bytes: output.into_owned(), report: Some(Box::new(report.into_owned())) }
            }
            Err(error) => Outcome::Refused { code: error.kind().refusal_code().to_owned(), message: error.to_string() },
        }
    }
}

impl fmt::Display for Request<'_> {
    /// A command that asks for the same conversion, to be pasted into a shell.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = match self.from {
            From::Auto => "auto",
            From::Dialect(dialect) => dialect.name(),
        };
        let mode = self.mode.name();
        let call = self.call_id.map(|id| format!(" --call-id {id}")).unwrap_or_default();
        let command = format!("wirecanon fix --from {from} --to {} --for {mode}{call} -", self.to.name);
        match std::str::from_utf8(self.input) {
            Ok(text) if !text.contains('\0') => {
                write!(f, "printf %s '{}' | {command}", text.replace('\'', r"'\''"))
            }
            _ => write!(f, "base64 -d <<< {} | {command}", base64_simd::STANDARD.encode_to_string(self.input)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_prints_as_a_command() {
        let to = Target::by_name("openai").unwrap();
        let request = Request { input: b"{\"a\":\"it's\"}", from: From::Auto, to, mode: Mode::History, call_id: None };
        assert_eq!(
            request.to_string(),
            r#"printf %s '{"a":"it'\''s"}' | wirecanon fix --from auto --to openai --for history -"#
        );
        let odd = Request { input: b"\xff", call_id: Some("c"), ..request };
        assert_eq!(
            odd.to_string(),
            "base64 -d <<< /w== | wirecanon fix --from auto --to openai --for history --call-id c -"
        );
    }
}
