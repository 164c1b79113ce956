//! Errors of the parser and their positions in the text.

use std::fmt;

/// A position in a text. Line and column count from 1, the column in characters; the offset counts bytes from 0.
///
/// ```
/// use wirecanon_json::{Json, Limits};
///
/// let error = Json::parse("[\n  {]", &Limits::default()).unwrap_err();
/// let position = error.position().ok_or("no position")?;
/// assert_eq!((position.line, position.column, position.offset), (2, 4, 5));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Byte offset
    pub offset: usize,
    /// Line
    pub line: usize,
    /// Column
    pub column: usize,
}

/// Categories of parse errors.
///
/// ```
/// use wirecanon_json::{ErrorKind, Json, Limits};
///
/// assert_eq!(Json::parse("[1", &Limits::default()).unwrap_err().kind(), ErrorKind::Truncated);
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
    /// Nested deeper than [`Limits::max_depth`](crate::Limits::max_depth)
    TooDeep,
    /// Longer than 4 GiB
    TooLarge,
}

/// An error of the parser.
///
/// Boxed, because every parse step returns a `Result` with it and errors are rare.
///
/// ```
/// use wirecanon_json::{ErrorKind, Json, Limits};
///
/// let error = Json::parse("  ", &Limits::default()).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Empty);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    position: Option<Position>,
    hint: Option<&'static str>,
}

impl Error {
    /// Creates an error without a position. The message is a sentence without its full stop.
    #[cold]
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), position: None, hint: None }))
    }

    #[must_use]
    pub(crate) fn at(mut self, position: Position) -> Self {
        self.0.position = Some(position);
        self
    }

    #[must_use]
    pub(crate) fn with_hint(mut self, hint: &'static str) -> Self {
        self.0.hint = Some(hint);
        self
    }

    /// Returns the category of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the message without position and hint.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the position of the first byte that cannot be parsed; `None` for an empty or too long text.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns the suggested cure, if there is one.
    pub fn hint(&self) -> Option<&'static str> {
        self.0.hint
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column, .. }) = self.0.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.0.message)?;
        match self.0.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
