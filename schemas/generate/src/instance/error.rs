//! What a schema can be refused for.

use std::fmt;

/// A schema of which no instances can be made, and why.
///
/// ```
/// use wirecanon_generate::instance::Plan;
///
/// let error = Plan::compile(r#"{"properties": {"at": {"type": "str"}}}"#).unwrap_err();
/// assert_eq!((error.pointer.as_str(), error.keyword.as_str()), ("/properties/at", "type"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// JSON Pointer into the schema; empty for the whole
    pub pointer: String,
    /// The keyword that is the cause; empty where it is no single one
    pub keyword: String,
    /// What is wrong with it
    pub fault: Fault,
}

/// What is wrong with a schema.
///
/// ```
/// use wirecanon_generate::instance::{Fault, Plan};
///
/// let fault = |schema| Plan::compile(schema).map_err(|error| error.fault).err();
/// assert_eq!(fault(r##"{"$ref": "#/$defs/id"}"##), Some(Fault::Dangling("#/$defs/id".into())));
/// assert_eq!(fault(r#"{"type": "integer", "minimum": 2, "maximum": 1}"#), Some(Fault::Unsatisfiable));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It is not JSON, or neither an object nor a boolean
    NotASchema(String),
    /// The keyword is known, and not taken
    Unsupported(&'static str),
    /// The keyword has a value that it cannot have
    Malformed(&'static str),
    /// A `$ref` that points to nothing in this document
    Dangling(String),
    /// A way from a schema back to itself that passes no member and no item: whether it holds asks whether it holds
    Circle,
    /// A `pattern` that is not taken, or too large
    Pattern(String),
    /// Nothing is an instance of it
    Unsatisfiable,
    /// It leaves more alternatives, is deeper or asks for more than the bound
    TooLarge(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the root" } else { &self.pointer };
        if self.keyword.is_empty() {
            write!(f, "schema, at {place}: ")?;
        } else {
            write!(f, "schema, `{}` at {place}: ", self.keyword)?;
        }
        match &self.fault {
            Fault::NotASchema(why) => write!(f, "not a JSON Schema: {why}"),
            Fault::Unsupported(what) => write!(f, "{what}"),
            Fault::Malformed(what) => write!(f, "must be {what}"),
            Fault::Dangling(to) => {
                write!(f, "`{to}` points to nothing in this document; put what it means under `$defs`")
            }
            Fault::Circle => {
                write!(f, "leads back to this schema before any member or item, so nothing says what it is")
            }
            Fault::Pattern(why) => write!(f, "this pattern is not taken: {why}"),
            Fault::Unsatisfiable => write!(f, "nothing is an instance of it: its keywords contradict one another"),
            Fault::TooLarge(what) => {
                write!(f, "{what}")
            }
        }
    }
}

impl std::error::Error for Error {}
