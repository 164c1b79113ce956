//! Valid instances of any JSON Schema, from raw bytes.
//!
//! A schema is compiled once. Compiling resolves every choice that the schema leaves (`anyOf`, `oneOf`, `if`, `not`, absent
//! members) into alternatives that cannot contradict themselves, so generating only walks a plan and writes text: nothing
//! is tried and thrown away, and every instance is valid by construction. The same bytes give the same instance on every
//! machine, fewer bytes give a smaller one, and no bytes give one of the smallest, so a fuzzer that cuts its input and
//! proptest that shrinks a list of bytes both shrink instances.
//!
//! Taken are 2020-12 and draft-07: `$ref` (also in circles), `$defs`, `definitions`, `$anchor`, `type`, `const`, `enum`,
//! `allOf`, `anyOf`, `oneOf`, `not`, `if`/`then`/`else`, every keyword of objects, arrays, strings and numbers,
//! `unevaluatedProperties`, `unevaluatedItems`, `format` and `contentEncoding`. What is not taken is an [`Error`] that names
//! keyword and place, never an invalid instance.
//!
//! ```
//! use arbitrary::Unstructured;
//! use wirecanon_generate::instance::Plan;
//!
//! let plan = Plan::compile(r#"{"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 7}}}"#)?;
//! assert_eq!(plan.instance(&mut Unstructured::new(&[])), r#"{"n":7}"#);
//! # Ok::<(), wirecanon_generate::instance::Error>(())
//! ```

mod blame;
mod children;
mod compile;
mod distinct;
mod document;
mod error;
mod facts;
mod flavor;
mod measure;
mod negate;
mod number;
mod object;
mod pattern;
mod plan;
mod solve;
mod string;
mod write;

use arbitrary::Unstructured;

pub use error::{Error, Fault};
use plan::Node;

/// A compiled schema.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirecanon_generate::instance::Plan;
///
/// let plan = Plan::compile(r#"{"enum": ["user", "assistant"]}"#)?;
/// let made: Vec<_> = [[0], [1]].iter().map(|bytes| plan.instance(&mut Unstructured::new(bytes))).collect();
/// assert_eq!(made, [r#""user""#, r#""assistant""#]);
/// # Ok::<(), wirecanon_generate::instance::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    nodes: Vec<Node>,
    root: u32,
    /// How deep the smallest instance is
    depth: u32,
}

impl Plan {
    /// Compiles the JSON text of a schema.
    ///
    /// Costs time and memory in proportion to the schema and to the alternatives that it leaves open; both are bounded.
    ///
    /// ```
    /// use wirecanon_generate::instance::Plan;
    ///
    /// assert!(Plan::compile(r#"{"type": "object", "required": ["path"]}"#).is_ok());
    /// let error = Plan::compile(r#"{"type": "object", "required": "path"}"#).unwrap_err();
    /// assert_eq!(error.keyword, "required");
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is no schema, uses what is not taken, points nowhere, or cannot be satisfied.
    pub fn compile(schema: &str) -> Result<Self, Error> {
        compile::compile(schema)
    }

    /// The JSON text of one instance.
    ///
    /// Linear in what it writes. The depth of an instance is bounded, its size by the bytes that `u` has left.
    ///
    /// ```
    /// use arbitrary::Unstructured;
    /// use wirecanon_generate::instance::Plan;
    ///
    /// let plan = Plan::compile(r#"{"required": ["path"], "properties": {"path": {"type": "string", "minLength": 1}}}"#)?;
    /// let arguments = plan.instance(&mut Unstructured::new(b"any bytes at all"));
    /// assert!(serde_json::from_str::<serde_json::Value>(&arguments).is_ok());
    /// # Ok::<(), wirecanon_generate::instance::Error>(())
    /// ```
    pub fn instance(&self, u: &mut Unstructured<'_>) -> String {
        let mut out = String::new();
        self.write(u, &mut out);
        out
    }

    /// Appends the JSON text of one instance to `out`.
    ///
    /// ```
    /// use arbitrary::Unstructured;
    /// use wirecanon_generate::instance::Plan;
    ///
    /// let mut call = r#"{"name":"look","arguments":"#.to_owned();
    /// Plan::compile(r#"{"const": {"at": "a.png"}}"#)?.write(&mut Unstructured::new(&[]), &mut call);
    /// assert_eq!(call + "}", r#"{"name":"look","arguments":{"at":"a.png"}}"#);
    /// # Ok::<(), wirecanon_generate::instance::Error>(())
    /// ```
    pub fn write(&self, u: &mut Unstructured<'_>, out: &mut String) {
        write::instance(self, u, out);
    }
}
