//! Whether a JSON value is what a schema of the [catalogue] describes.

use std::fmt;

use serde_json::{Value, json};

use crate::catalogue::{self, Schema};

/// One place where a value is not what its schema says.
///
/// ```
/// use wirecanon_schemas::validate::validate;
///
/// let found = validate("openai/chat", &serde_json::json!({"messages": "look"}))?;
/// assert_eq!(found[0].to_string(), "/messages: value is not of type \"array\"");
/// # Ok::<(), wirecanon_schemas::validate::Unusable>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// JSON Pointer into the value
    pub pointer: String,
    /// What is wrong, in words; the value itself is left out, since it may be long or private
    pub message: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", if self.pointer.is_empty() { "the whole document" } else { &self.pointer }, self.message)
    }
}

/// Why a schema cannot be used.
///
/// ```
/// use wirecanon_schemas::validate::{Unusable, Validator};
///
/// let error = Validator::new("openai.chat").unwrap_err();
/// assert_eq!(error, Unusable::Unknown("openai.chat".into()));
/// assert!(error.to_string().contains("openai/chat"), "it lists those that there are");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// No schema of the catalogue has this id
    #[error("no schema is called `{0}`; there are: {ids}", ids = ids())]
    Unknown(String),
    /// This is built without the feature `validate`
    #[error("this program is built without JSON Schemas (the feature `validate`)")]
    NotBuilt,
    /// The schema with this id is no JSON, or does not compile
    #[error("the schema `{id}` does not compile: {why}; mend schemas/{id}.json and build again")]
    Defective {
        /// Its id
        id: String,
        /// What is wrong with it
        why: String,
    },
}

/// Returns the ids of all schemas, for an error.
fn ids() -> String {
    catalogue::ALL.iter().map(|schema| schema.id).collect::<Vec<_>>().join(", ")
}

/// A schema, ready for many values.
///
/// ```
/// use wirecanon_schemas::validate::Validator;
///
/// let mistral = Validator::new("mistral/chat")?;
/// let is_valid = |role| mistral.mismatches(&serde_json::json!({"messages": [{"role": role, "content": "hi"}]})).is_empty();
/// assert!(is_valid("user") && !is_valid("robot"));
/// # Ok::<(), wirecanon_schemas::validate::Unusable>(())
/// ```
#[derive(Debug)]
pub struct Validator(Compiled);

#[cfg(feature = "validate")]
type Compiled = jsonschema::Validator;

/// No validator can be made.
#[cfg(not(feature = "validate"))]
type Compiled = std::convert::Infallible;

impl Validator {
    /// The schema with this id, compiled.
    ///
    /// ```
    /// use wirecanon_schemas::validate::Validator;
    ///
    /// assert!(Validator::new("anthropic/messages").is_ok());
    /// assert!(Validator::new("anthropic/message").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// No schema has this id, or it does not compile, which a test excludes; or this is built without the feature `validate`.
    pub fn new(id: &str) -> Result<Self, Unusable> {
        Self::compiled(id, &parsed(id)?)
    }

    /// What one message is by the schema with this id, compiled: its `$defs/message`. A schema without one describes
    /// documents that are one message, and judges them whole.
    ///
    /// ```
    /// use wirecanon_schemas::validate::Validator;
    ///
    /// let message = serde_json::json!({"role": "user", "content": "look"});
    /// assert!(Validator::of_message("openai/chat")?.mismatches(&message).is_empty());
    /// # Ok::<(), wirecanon_schemas::validate::Unusable>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn of_message(id: &str) -> Result<Self, Unusable> {
        let whole = parsed(id)?;
        if whole.pointer("/$defs/message").is_none() {
            return Self::compiled(id, &whole);
        }
        // The schema stands inside with its own `$id`, so that `#` in it still means itself.
        let name = whole["$id"].as_str().unwrap_or_default();
        let json =
            json!({"$schema": whole["$schema"], "$ref": format!("{name}#/$defs/message"), "$defs": {"whole": whole}});
        Self::compiled(id, &json)
    }

    #[cfg(not(feature = "validate"))]
    fn compiled(_: &str, _: &Value) -> Result<Self, Unusable> {
        Err(Unusable::NotBuilt)
    }

    #[cfg(feature = "validate")]
    fn compiled(id: &str, json: &Value) -> Result<Self, Unusable> {
        jsonschema::validator_for(json).map(Self).map_err(|error| defective(id, &error))
    }

    /// Every place where `value` is not what the schema says; none if it is valid.
    ///
    /// ```
    /// use wirecanon_schemas::validate::Validator;
    ///
    /// let message = serde_json::json!({"role": "tool", "content": "a cat"});
    /// let found = Validator::of_message("openai/chat")?.mismatches(&message);
    /// assert!(found[0].to_string().contains("tool_call_id"), "{found:?}");
    /// # Ok::<(), wirecanon_schemas::validate::Unusable>(())
    /// ```
    #[cfg_attr(not(feature = "validate"), expect(unused_variables, reason = "no validator can be made"))]
    pub fn mismatches(&self, value: &Value) -> Vec<Mismatch> {
        #[cfg(not(feature = "validate"))]
        match self.0 {}
        #[cfg(feature = "validate")]
        self.0
            .iter_errors(value)
            .map(|error| Mismatch { pointer: error.instance_path().to_string(), message: error.masked().to_string() })
            .collect()
    }
}

/// The schema with this id, as JSON.
fn parsed(id: &str) -> Result<Value, Unusable> {
    let schema = catalogue::by_id(id).ok_or_else(|| Unusable::Unknown(id.to_owned()))?;
    serde_json::from_str(schema.text).map_err(|error| defective(id, &error))
}

fn defective(id: &str, why: &dyn fmt::Display) -> Unusable {
    Unusable::Defective { id: id.to_owned(), why: why.to_string() }
}

/// Every place where `value` is not what the schema with this id says. Compiles the schema; use [`Validator`] for many.
///
/// # Errors
///
/// As [`Validator::new`].
///
/// ```
/// use wirecanon_schemas::validate::validate;
///
/// let result = serde_json::json!({"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]});
/// assert!(validate("mcp/2025-03-26/tool-result", &result)?.is_empty());
/// assert!(!validate("mcp/2024-11-05/tool-result", &result)?.is_empty(), "it had no recordings");
/// # Ok::<(), wirecanon_schemas::validate::Unusable>(())
/// ```
pub fn validate(id: &str, value: &Value) -> Result<Vec<Mismatch>, Unusable> {
    Ok(Validator::new(id)?.mismatches(value))
}

/// The oldest schema of a dialect that `value` keeps; none if it keeps none of them.
///
/// For a dialect without revisions it is that one schema. `value` is a whole document.
///
/// ```
/// use wirecanon_schemas::validate::oldest_revision_that_validates;
///
/// let result = serde_json::json!({"content": [{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]});
/// let oldest = oldest_revision_that_validates("mcp.tool-result", &result);
/// assert_eq!(oldest.and_then(|schema| schema.revision), Some("2025-03-26"));
/// ```
pub fn oldest_revision_that_validates(dialect: &str, value: &Value) -> Option<&'static Schema> {
    catalogue::of_dialect(dialect)
        .find(|schema| Validator::new(schema.id).is_ok_and(|validator| validator.mismatches(value).is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_a_schema_and_says_its_own_name() {
        for schema in catalogue::ALL {
            let json: Value = serde_json::from_str(schema.text).unwrap();
            assert!(jsonschema::draft202012::meta::is_valid(&json), "{} is no 2020-12 schema", schema.id);
            assert_eq!(json["$schema"], "https://json-schema.org/draft/2020-12/schema", "{}", schema.id);
            let id = json["$id"].as_str().unwrap();
            assert!(id.ends_with(&format!("/{}.json", schema.id)), "{id}");
            Validator::new(schema.id).unwrap();
        }
    }

    #[test]
    fn an_unknown_schema_is_named_with_those_that_exist() {
        let error = Validator::new("wirecanon/nothing").unwrap_err();
        assert!(error.to_string().contains("wirecanon/case"), "{error}");
    }

    #[test]
    fn a_schema_that_does_not_compile_is_named_with_what_to_do() {
        let broken = serde_json::json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": 7});
        let error = Validator::compiled("a/b", &broken).unwrap_err().to_string();
        assert!(error.contains("`a/b` does not compile") && error.contains("schemas/a/b.json"), "{error}");
    }

    #[test]
    fn a_check_result_is_accepted_and_a_broken_one_is_placed() {
        let good = serde_json::json!({"dialect": "canonical", "violations": [
            {"rule": "image-without-data", "severity": "error", "pointer": "/messages/0", "message": "no data"}]});
        assert_eq!(validate("wirecanon/check", &good), Ok(vec![]));
        let bad = serde_json::json!({"dialect": "canonical", "violations": [{"rule": 7}]});
        let found = validate("wirecanon/check", &bad).unwrap();
        assert!(found.iter().any(|mismatch| mismatch.pointer == "/violations/0/rule"), "{found:?}");
    }

    #[test]
    fn a_case_needs_exactly_one_input() {
        let mut case = serde_json::json!({
            "id": "a-b", "title": "T.", "class": "pairing", "source": ["o/r#1"], "from": "canonical",
            "input": {"messages": []},
            "expect": {"canonical": {"messages": []}, "repairs": [], "must_keep": [], "may_refuse": false, "targets": {}},
            "tags": [], "since": "0.1.0"});
        assert_eq!(validate("wirecanon/case", &case), Ok(vec![]));
        case["input_text"] = "{}".into();
        assert_ne!(validate("wirecanon/case", &case), Ok(vec![]));
        case.as_object_mut().unwrap().remove("input_text");
        case.as_object_mut().unwrap().remove("input");
        assert_ne!(validate("wirecanon/case", &case), Ok(vec![]));
    }
}
