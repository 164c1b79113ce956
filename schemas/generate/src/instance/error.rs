//! What a schema can be refused for.

/// A schema of which no instances can be made, and why.
///
/// ```
/// use wirecanon_generate::instance::Plan;
///
/// let error = Plan::compile(r#"{"properties": {"at": {"type": "str"}}}"#).unwrap_err();
/// assert_eq!((error.pointer.as_str(), error.keyword.as_str()), ("/properties/at", "type"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("schema, {}: {fault}", self.place())]
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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It is not JSON, or neither an object nor a boolean
    #[error("not a JSON Schema: {0}")]
    NotASchema(String),
    /// The keyword is known, and not taken
    #[error("{0}")]
    Unsupported(&'static str),
    /// The keyword has a value that it cannot have
    #[error("must be {0}")]
    Malformed(&'static str),
    /// A `$ref` that points to nothing in this document
    #[error("`{0}` points to nothing in this document; put what it means under `$defs`")]
    Dangling(String),
    /// A way from a schema back to itself that passes no member and no item: whether it holds asks whether it holds
    #[error("leads back to this schema before any member or item, so nothing says what it is")]
    Circle,
    /// A `pattern` that is not taken, or too large
    #[error("this pattern is not taken: {0}")]
    Pattern(String),
    /// Nothing is an instance of it
    #[error("nothing is an instance of it: its keywords contradict one another")]
    Unsatisfiable,
    /// It leaves more alternatives, is deeper or asks for more than the bound
    #[error("{0}")]
    TooLarge(&'static str),
}

impl Error {
    pub(super) fn new(pointer: &str, keyword: &str, fault: Fault) -> Self {
        Self { pointer: pointer.to_owned(), keyword: keyword.to_owned(), fault }
    }

    /// An error of no single place.
    pub(super) fn at_root(fault: Fault) -> Self {
        Self::new("", "", fault)
    }

    fn place(&self) -> String {
        let place = if self.pointer.is_empty() { "the root" } else { &self.pointer };
        if self.keyword.is_empty() { format!("at {place}") } else { format!("`{}` at {place}", self.keyword) }
    }
}
