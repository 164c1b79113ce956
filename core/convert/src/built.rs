//! A transcript that a program holds: its canonical text, which the judge has to agree to, and the way through from there.

use crate::pipeline::{Fixed, From, Options, fix};
use crate::print;
use wirecanon_check::{CheckOptions, check};
use wirecanon_json::{Json, Limits};
use wirecanon_model::transcript::{Arguments, BlockKind, Native, Transcript};
use wirecanon_model::{Dialect, Error, ErrorKind};

/// Writing a transcript that a program built.
///
/// ```
/// use wirecanon_core::{Transcript, WriteTranscript as _};
///
/// assert!(Transcript::new().user("hi").to_canonical()?.contains(r#""role":"user""#));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
pub trait WriteTranscript {
    /// Its canonical text, if it is canonical: what is built by mistake is said, and not mended. Open calls of the last turn may
    /// stay open. Linear in the transcript.
    ///
    /// Of a transcript that was read, the arguments of calls are as the source has them, and nobody has proved them yet: that
    /// is said too, and [`Block::tool_call`](wirecanon_model::Block::tool_call) puts others in their place.
    ///
    /// ```
    /// use wirecanon_core::{Block, Transcript, WriteTranscript as _};
    ///
    /// let call = Block::tool_call("c1", "look", r#"{"at":1.0}"#);
    /// let history = Transcript::new().user("look").assistant(call);
    /// assert!(history.to_canonical()?.contains(r#""arguments":"{\"at\":1.0}""#));
    ///
    /// let error = history.tool_result("c2", "a cat").to_canonical().unwrap_err();
    /// assert_eq!(error.pointer(), Some("/messages/2"));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// It breaks a rule of the canonical form: the first place where, and the rule.
    fn to_canonical(&self) -> Result<String, Error>;

    /// Writes it for a target, as [`fix`] writes its canonical text: `from` of the options says nothing here, and what was
    /// adapted to the target is in the report.
    ///
    /// ```
    /// use wirecanon_core::{Block, Dialect, Options, Transcript, WriteTranscript as _};
    ///
    /// let history = Transcript::new()
    ///     .user("look")
    ///     .assistant([Block::text("I do."), Block::tool_call("c1", "look", "{}")])
    ///     .tool_result("c1", "a cat")
    ///     .assistant("It is a cat.");
    /// let body = history.write(&Options::new().to(Dialect::OpenAiChat))?;
    /// assert!(body.report.repairs.is_empty());
    /// assert!(String::from_utf8_lossy(&body.output).contains(r#""tool_call_id":"c1""#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`WriteTranscript::to_canonical`], or the target cannot be given such a transcript at all.
    fn write(&self, options: &Options<'_>) -> Result<Fixed<'static>, Error>;
}

impl WriteTranscript for Transcript<'_> {
    fn to_canonical(&self) -> Result<String, Error> {
        prove_texts(self)?;
        let text = print::as_canonical(self)?;
        let options = CheckOptions { fragment: self.fragment, ..CheckOptions::new(Dialect::Canonical) };
        match check(text.as_bytes(), &options)?.violations.into_iter().next() {
            None => Ok(text),
            Some(violation) => Err(Error::new(ErrorKind::NotCanonical, violation.message)
                .with_pointer(violation.pointer)
                .with_hint(format!("the rule is `{}`", violation.rule))),
        }
    }

    fn write(&self, options: &Options<'_>) -> Result<Fixed<'static>, Error> {
        let text = self.to_canonical()?;
        let options = Options { from: From::Dialect(Dialect::Canonical), ..options.clone() };
        Ok(fix(text.as_bytes(), &options)?.into_owned())
    }
}

/// Checks that everything that is copied into the output is JSON, and that no arguments are left to repair: the writer would
/// replace them with an empty object.
fn prove_texts(transcript: &Transcript<'_>) -> Result<(), Error> {
    let wrong = |what: &str| Error::new(ErrorKind::NotCanonical, what.to_owned());
    let prove = |text: &str, what: &str| match Json::parse(text, &Limits::default()) {
        Ok(_) => Ok(()),
        Err(error) => Err(wrong(&format!("{what} is no JSON: {error}"))),
    };
    let prove_native = |native: Option<&Native<'_>>| {
        let mut fields = native.into_iter().flat_map(|native| &native.dialects).flat_map(|(_, fields)| fields);
        fields.try_for_each(|(_, value)| prove(value, "a field that one dialect knows"))
    };
    for tool in &transcript.tools {
        tool.parameters.as_deref().map_or(Ok(()), |text| prove(text, "the schema of a tool"))?;
    }
    for (at, message) in transcript.messages.iter().enumerate() {
        let place = |index: usize| move |error: Error| error.with_pointer(format!("/messages/{at}/content/{index}"));
        prove_native(message.native.as_deref())?;
        for (index, block) in message.blocks.iter().enumerate() {
            prove_native(block.native.as_deref()).map_err(place(index))?;
            let proved = match &block.kind {
                BlockKind::Opaque(opaque) => prove(&opaque.value, "an item of one dialect"),
                BlockKind::ToolCall(call) if !matches!(call.arguments, Arguments::Json(_)) => {
                    Err(wrong("a call has no arguments that were proved to be an object"))
                }
                _ => Ok(()),
            };
            proved.map_err(place(index))?;
        }
    }
    Ok(())
}
