//! What can stop a conversion, and where.

use std::fmt;

use wirecanon_json::Position;

/// Why nothing was emitted.
///
/// ```
/// use wirecanon_core::{ErrorKind, Options, fix};
///
/// let error = fix(b"  ", &Options::new()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Empty);
/// assert_eq!(error.kind().refusal_code(), "other");
/// assert_eq!(ErrorKind::TooDeep.refusal_code(), "limit");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No bytes, or white space only
    Empty,
    /// The bytes are not JSON
    NotJson,
    /// The JSON ends too early
    Truncated,
    /// Nested deeper than the limit
    TooDeep,
    /// Larger than this program can index
    TooLarge,
    /// JSON, but no transcript of the dialect that was asked for
    NotATranscript,
    /// No dialect fits, or several fit and read to different transcripts
    Undetected,
    /// No dialect or target has this name
    UnknownName,
    /// These two dialects cannot be converted into each other
    UnsupportedConversion,
    /// A lone tool result needs the id of its call in a provider's dialect
    NeedsCallId,
    /// A target file is not a target
    BadTarget,
    /// A transcript that a program built breaks a rule of the canonical form
    NotCanonical,
}

impl ErrorKind {
    /// The refusal code of the testee protocol that this kind maps to.
    ///
    /// ```
    /// use wirecanon_core::ErrorKind;
    ///
    /// assert_eq!(ErrorKind::TooDeep.refusal_code(), "limit");
    /// assert_eq!(ErrorKind::NeedsCallId.refusal_code(), "unpaired");
    /// ```
    pub fn refusal_code(self) -> &'static str {
        match self {
            Self::TooDeep | Self::TooLarge => "limit",
            Self::UnsupportedConversion => "unsupported-content",
            Self::NeedsCallId => "unpaired",
            _ => "other",
        }
    }
}

/// Why nothing was emitted, where, and what to do about it.
///
/// Boxed, because a `Result` with it inside is returned from every step and errors are rare.
///
/// ```
/// use wirecanon_core::{Error, ErrorKind, Position};
///
/// let error = Error::new(ErrorKind::NotATranscript, "there are no messages")
///     .at(Position { offset: 9, line: 2, column: 1 })
///     .with_pointer("/messages")
///     .with_hint("give a list");
/// assert_eq!(error.to_string(), "line 2, column 1: there are no messages (at /messages); give a list");
/// assert_eq!(error.kind(), ErrorKind::NotATranscript);
/// assert_eq!((error.message(), error.pointer(), error.hint()), ("there are no messages", Some("/messages"), Some("give a list")));
/// assert_eq!(error.position().map(|place| place.line), Some(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    pointer: Option<String>,
    position: Option<Position>,
    hint: Option<String>,
}

impl Error {
    /// An error without a place. The message is a sentence without its full stop.
    ///
    /// ```
    /// use wirecanon_core::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::Empty, "there is no text");
    /// assert_eq!((error.to_string().as_str(), error.pointer()), ("there is no text", None));
    /// ```
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), pointer: None, position: None, hint: None }))
    }

    /// Adds the place in the text.
    ///
    /// ```
    /// use wirecanon_core::{Error, ErrorKind, Position};
    ///
    /// let error = Error::new(ErrorKind::NotJson, "a comma is missing").at(Position { offset: 7, line: 1, column: 8 });
    /// assert_eq!(error.to_string(), "line 1, column 8: a comma is missing");
    /// ```
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.0.position = Some(position);
        self
    }

    /// Adds the JSON Pointer of the value at fault.
    ///
    /// ```
    /// use wirecanon_core::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::NotCanonical, "an id is missing").with_pointer("/messages/2");
    /// assert_eq!(error.to_string(), "an id is missing (at /messages/2)");
    /// ```
    #[must_use]
    pub fn with_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.0.pointer = Some(pointer.into());
        self
    }

    /// Adds what the user can do.
    ///
    /// ```
    /// use wirecanon_core::{Error, ErrorKind};
    ///
    /// let error = Error::new(ErrorKind::UnknownName, "no target is called `mistrel`").with_hint("did you mean `mistral`?");
    /// assert_eq!(error.to_string(), "no target is called `mistrel`; did you mean `mistral`?");
    /// ```
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// What went wrong, as a class.
    ///
    /// ```
    /// use wirecanon_core::{ErrorKind, Options, fix};
    ///
    /// assert_eq!(fix(b"[{", &Options::new()).unwrap_err().kind(), ErrorKind::Truncated);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What went wrong, in words.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let error = Target::by_name("mistrel").unwrap_err();
    /// assert_eq!(error.message(), "no dialect or target is called `mistrel`", "without the hint");
    /// ```
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The value at fault, as a JSON Pointer, where one is known.
    ///
    /// ```
    /// use wirecanon_core::Transcript;
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let error = Transcript::new().user("look").tool_result("c1", "a cat").to_canonical().unwrap_err();
    /// assert_eq!(error.pointer(), Some("/messages/1"));
    /// ```
    pub fn pointer(&self) -> Option<&str> {
        self.0.pointer.as_deref()
    }

    /// The place in the text, where one is known.
    ///
    /// ```
    /// use wirecanon_core::{Options, fix};
    ///
    /// let place = fix(b"[\n  {]", &Options::new()).unwrap_err().position();
    /// assert_eq!(place.map(|place| (place.line, place.column)), Some((2, 4)));
    /// ```
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// What to do, where something can be done.
    ///
    /// ```
    /// use wirecanon_core::Target;
    ///
    /// let error = Target::by_name("mistrel").unwrap_err();
    /// assert!(error.hint().is_some_and(|hint| hint.contains("mistral")), "it lists all targets");
    /// ```
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.0.position {
            write!(f, "line {}, column {}: ", position.line, position.column)?;
        }
        f.write_str(&self.0.message)?;
        if let Some(pointer) = &self.0.pointer {
            write!(f, " (at {})", if pointer.is_empty() { "the whole document" } else { pointer })?;
        }
        if let Some(hint) = &self.0.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<wirecanon_json::Error> for Error {
    fn from(error: wirecanon_json::Error) -> Self {
        let kind = match error.kind() {
            wirecanon_json::ErrorKind::Empty => ErrorKind::Empty,
            wirecanon_json::ErrorKind::Truncated => ErrorKind::Truncated,
            wirecanon_json::ErrorKind::TooDeep => ErrorKind::TooDeep,
            wirecanon_json::ErrorKind::TooLarge => ErrorKind::TooLarge,
            _ => ErrorKind::NotJson,
        };
        let (position, hint) = (error.position(), error.hint());
        let mut error = Self::new(kind, error.message());
        error.0.position = position;
        error.0.hint = hint.map(str::to_owned);
        error
    }
}
