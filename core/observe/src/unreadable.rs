//! Documents that an observer cannot read.

use std::fmt;

use wirecanon_json::Value;

/// A document that the observer of its dialect cannot read: an unknown block, a wrong type, a missing field.
///
/// ```
/// use wirecanon_json::{Json, Limits};
/// use wirecanon_model::Dialect;
/// use wirecanon_observe::observe;
///
/// let json = Json::parse(r#"[{"role":"user","content":7}]"#, &Limits::default())?;
/// let unreadable = observe(&json, Dialect::OpenAiChat).unwrap_err();
/// assert_eq!(unreadable.pointer(), "/0/content");
/// # Ok::<(), wirecanon_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pointer: String,
    message: String,
}

impl Unreadable {
    /// Creates an error at a value of the document.
    #[cold]
    pub(crate) fn new(at: Value<'_>, message: impl Into<String>) -> Self {
        Self { pointer: at.pointer(), message: message.into() }
    }

    /// Returns the JSON Pointer of the value that cannot be read.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns the reason.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the whole document" } else { &self.pointer };
        write!(f, "{} (at {place})", self.message)
    }
}

impl std::error::Error for Unreadable {}

/// The result of reading a value.
pub(crate) type Read<T> = Result<T, Unreadable>;
