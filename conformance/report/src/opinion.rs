//! What the schema of a dialect says of a text: a second opinion beside the rules of `wirecanon_core::check`.
//!
//! The schemas are written from what the providers publish, not from the rules, and know one message at a time.

use std::collections::HashSet;
use std::fmt;

use serde_json::{Map, Number, Value};
use wirecanon_core::json::{self, Json, Kind, Limits};
use wirecanon_core::{Dialect, Error};
use wirecanon_schemas::catalogue::{self, Schema};
use wirecanon_schemas::validate::{Mismatch, Unusable, Validator};

use crate::redact::words::{objects, properties};

/// Members of a document that can hold its messages, the dialect's own first.
fn lists(dialect: Dialect) -> [&'static str; 3] {
    match dialect {
        Dialect::GeminiContents => ["contents", "messages", "input"],
        Dialect::OpenAiResponses => ["input", "messages", "contents"],
        _ => ["messages", "input", "contents"],
    }
}

/// Nesting that the schemas get to see. None of them describes half as much; what stands deeper is a tool's own, and
/// objects and lists there count as empty ones.
const DEPTH: usize = 64;

/// Why there is no second opinion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoOpinion {
    /// No schema describes the messages of the dialect, or of this revision of it
    Missing(Dialect, Option<String>),
    /// The schema that does cannot be used
    Unusable(Unusable),
}

impl fmt::Display for NoOpinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dialect, revision) = match self {
            Self::Unusable(error) => return error.fmt(f),
            Self::Missing(dialect, revision) => (dialect, revision),
        };
        write!(f, "no schema describes the dialect `{}`", dialect.name())?;
        if let Some(revision) = revision {
            write!(f, " in its revision `{revision}`")?;
        }
        let mut known: Vec<_> = catalogue::ALL.iter().filter_map(|schema| schema.dialect).collect();
        known.sort_unstable();
        known.dedup();
        write!(f, "; there are schemas of: {}", known.join(", "))
    }
}

impl std::error::Error for NoOpinion {}

/// What one schema says of one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opinion {
    /// The schema
    pub schema: &'static str,
    /// Every place where a message is not what it says
    pub mismatches: Vec<Mismatch>,
}

/// The schemas of one dialect, ready for many texts.
#[derive(Debug)]
pub struct SecondOpinion {
    dialect: Dialect,
    /// The newest revision first
    schemas: Vec<Compiled>,
    /// Names of members that say nothing when they are null
    unset: HashSet<String>,
}

#[derive(Debug)]
struct Compiled {
    id: &'static str,
    /// One message
    message: Validator,
    /// A whole document
    whole: Validator,
}

impl Compiled {
    fn new(schema: &Schema) -> Result<Self, Unusable> {
        let (message, whole) = (Validator::of_message(schema.id)?, Validator::new(schema.id)?);
        Ok(Self { id: schema.id, message, whole })
    }
}

/// What of a text is judged.
enum Judged {
    /// Each message of a list, with its place
    List(Vec<(String, Value)>),
    /// One value alone, with its place
    Alone(String, Value),
}

impl SecondOpinion {
    /// The schemas of `dialect`; of this revision alone, where one is named.
    ///
    /// # Errors
    ///
    /// There are none, or one does not compile.
    pub fn new(dialect: Dialect, revision: Option<&str>) -> Result<Self, NoOpinion> {
        let wanted = |schema: &&Schema| revision.is_none() || schema.revision == revision;
        let schemas: Result<Vec<_>, _> =
            catalogue::of_dialect(dialect.name()).filter(wanted).map(Compiled::new).collect();
        let mut schemas = schemas.map_err(NoOpinion::Unusable)?;
        schemas.reverse();
        if schemas.is_empty() {
            return Err(NoOpinion::Missing(dialect, revision.map(str::to_owned)));
        }
        let mut unset = HashSet::new();
        // In the JSON of protocol buffers a null is a field that was not set; a name that there is none of is refused all the same.
        if dialect == Dialect::GeminiContents {
            let texts =
                catalogue::of_dialect(dialect.name()).filter_map(|schema| serde_json::from_str(schema.text).ok());
            texts.for_each(|schema: Value| unset.extend(objects(&schema).into_iter().flat_map(properties)));
        }
        Ok(Self { dialect, schemas, unset })
    }

    /// Judges every message of `bytes`: a document with a list of messages, a list, one message, or a message a line.
    /// Where several revisions are asked, the one that the text fits best answers, and among equals the newest.
    ///
    /// Invalid UTF-8 and halves of surrogate pairs are judged as U+FFFD, and of a key that stands twice the last value;
    /// the rules name those.
    ///
    /// # Errors
    ///
    /// The bytes are not JSON, or ask for more than the limits.
    pub fn judge(&self, bytes: &[u8], limits: Limits) -> Result<Opinion, Error> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let json = match Json::parse(text, &limits) {
            Err(error) if error.kind() == json::ErrorKind::NotJson => {
                json::parse_lines(text, &limits).map_err(|_| error)
            }
            whole => whole,
        }?;
        let judged = self.judged(json.root());
        let opinions = self.schemas.iter().map(|schema| Opinion { schema: schema.id, mismatches: judged.by(schema) });
        // The first of equals is the newest, and there is one at least.
        Ok(opinions.min_by_key(|opinion| opinion.mismatches.len()).unwrap_or_default())
    }

    fn judged(&self, root: json::Value<'_>) -> Judged {
        let listed = |list: json::Value<'_>, place: &str| {
            let messages = list.items().enumerate();
            Judged::List(messages.map(|(at, message)| (format!("{place}/{at}"), self.copy(message, DEPTH))).collect())
        };
        if self.dialect.is_fragment() {
            let result = root.get("result").filter(|result| result.is_object() && root.get("jsonrpc").is_some());
            let place = if result.is_some() { "/result" } else { "" };
            let result = result.unwrap_or(root);
            // Drafts before the first revision had `toolResult` instead of content; no revision describes it.
            if self.dialect == Dialect::McpToolResult
                && result.get("toolResult").is_some()
                && result.get("content").is_none()
            {
                return Judged::List(Vec::new());
            }
            return Judged::Alone(place.to_owned(), self.copy(result, DEPTH));
        }
        if root.is_array() {
            return listed(root, "");
        }
        // A prompt is the result of a JSON-RPC message, a sampling request its parameters.
        let mut envelopes = ["result", "params"].into_iter().filter(|_| root.get("jsonrpc").is_some());
        if let Some((key, list)) = envelopes.find_map(|key| Some((key, root.get(key)?.get("messages")?))) {
            return listed(list, &format!("/{key}/messages"));
        }
        let mut lists = lists(self.dialect).into_iter().filter_map(|key| Some((key, root.get(key)?)));
        // A custom call of the Responses API has an `input` too, which is text.
        match lists.find(|(_, list)| list.is_array()) {
            Some((key, list)) => listed(list, &format!("/{key}")),
            None if root.get("type").is_none() && root.get("input").is_some_and(json::Value::is_string) => {
                Judged::List(Vec::new())
            }
            None => Judged::Alone(String::new(), self.copy(root, DEPTH)),
        }
    }

    /// The value, as far down as `depth` levels.
    fn copy(&self, value: json::Value<'_>, depth: usize) -> Value {
        match value.kind() {
            Kind::Null => Value::Null,
            Kind::Bool => Value::Bool(value.as_bool() == Some(true)),
            Kind::String => Value::String(value.as_str().unwrap_or_default().into_owned()),
            // Beyond the doubles, any number that is one will do.
            Kind::Number => serde_json::from_str(value.raw()).unwrap_or_else(|_| Value::Number(Number::from(u64::MAX))),
            Kind::Array if depth == 0 => Value::Array(Vec::new()),
            Kind::Object if depth == 0 => Value::Object(Map::new()),
            Kind::Array => value.items().map(|item| self.copy(item, depth - 1)).collect(),
            Kind::Object => {
                let named = |(key, value): (json::Value<'_>, json::Value<'_>)| {
                    (key.as_str().unwrap_or_default().into_owned(), self.copy(value, depth - 1))
                };
                let is_unset = |(key, value): &(json::Value<'_>, json::Value<'_>)| {
                    value.is_null() && key.as_str().is_some_and(|key| self.unset.contains(&*key))
                };
                Value::Object(value.members().filter(|member| !is_unset(member)).map(named).collect())
            }
        }
    }
}

impl Judged {
    fn by(&self, schema: &Compiled) -> Vec<Mismatch> {
        match self {
            Self::List(messages) => {
                messages.iter().flat_map(|(place, message)| placed(place, schema.message.mismatches(message))).collect()
            }
            // A value alone is a message, or a document of its own, as a canonical fragment is.
            Self::Alone(place, value) => {
                let found = schema.message.mismatches(value);
                let fits = found.is_empty() || schema.whole.mismatches(value).is_empty();
                if fits { Vec::new() } else { placed(place, found) }
            }
        }
    }
}

/// What was found in a value that stands at this place.
fn placed(place: &str, found: Vec<Mismatch>) -> Vec<Mismatch> {
    let at = |Mismatch { pointer, message }| Mismatch { pointer: format!("{place}{pointer}"), message };
    found.into_iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointers(dialect: Dialect, text: &str) -> Vec<String> {
        let opinion = SecondOpinion::new(dialect, None).unwrap().judge(text.as_bytes(), Limits::default()).unwrap();
        opinion.mismatches.into_iter().map(|found| found.pointer).collect()
    }

    #[test]
    fn a_null_of_protocol_buffers_is_a_field_that_is_not_set() {
        let contents = |part: &str| format!(r#"{{"contents":[{{"role":"user","parts":[{part}]}}]}}"#);
        let set = contents(r#"{"text":"a","functionResponse":null,"videoMetadata":null}"#);
        assert!(pointers(Dialect::GeminiContents, &set).is_empty());
        assert!(!pointers(Dialect::GeminiContents, &contents(r#"{"text":null}"#)).is_empty());
        assert!(!pointers(Dialect::GeminiContents, &contents(r#"{"text":"a","_meta":null}"#)).is_empty());
        assert!(!pointers(Dialect::OpenAiChat, r#"[{"role":"user","content":null}]"#).is_empty());
    }

    #[test]
    fn messages_are_found_wherever_they_stand() {
        let bad = r#"{"role":"user","content":7}"#;
        let good = r#"{"role":"user","content":"hi"}"#;
        let chat = |text: &str| pointers(Dialect::OpenAiChat, text);
        assert_eq!(chat(&format!("{{\"messages\":[{good},{bad}]}}")), ["/messages/1/content"]);
        assert_eq!(chat(&format!("[{good},{bad}]")), ["/1/content"]);
        assert_eq!(chat(bad), ["/content"]);
        assert_eq!(chat(&format!("{good}\n\n{bad}\n")), ["/1/content"]);
        assert_eq!(chat(&format!("\u{feff}{bad}")), ["/content"]);
        assert_eq!(chat("[7]"), ["/0"]);
        assert_eq!(chat(r#"{"messages":[]}"#), [] as [&str; 0]);
        let prompt = |key: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"{key}":{{"messages":[{bad}],"maxTokens":9}}}}"#);
            let mut places = pointers(if key == "result" { Dialect::McpPrompt } else { Dialect::McpSampling }, &text);
            places.dedup();
            places
        };
        assert_eq!(prompt("result"), ["/result/messages/0/content"]);
        assert_eq!(prompt("params"), ["/params/messages/0/content"]);
        let result = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":7}]}}"#;
        assert!(pointers(Dialect::McpToolResult, result).iter().all(|place| place.starts_with("/result/content/0")));
        assert!(!pointers(Dialect::McpToolResult, result).is_empty());
        let draft = r#"{"toolResult":{"content":[]}}"#;
        assert_eq!(pointers(Dialect::McpToolResult, draft), [] as [&str; 0]);
        let both = r#"{"toolResult":7,"content":[{"type":"text","text":7}]}"#;
        assert!(!pointers(Dialect::McpToolResult, both).is_empty());
    }

    #[test]
    fn what_no_schema_can_read_is_judged_as_far_as_it_goes() {
        let call = |input: &str| {
            format!(r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"n","input":{input}}}]}}"#)
        };
        let deep = format!("{}1{}", "{\"a\":[".repeat(5_000), "]}".repeat(5_000));
        assert_eq!(pointers(Dialect::AnthropicMessages, &call(&deep)), [] as [&str; 0]);
        assert_eq!(pointers(Dialect::AnthropicMessages, &call(r#"{"n":1e999}"#)), [] as [&str; 0]);
        assert_eq!(pointers(Dialect::AnthropicMessages, &call("[]")), ["/content/0/input"]);
        let half = r#"{"role":"user","content":"\ud800"}"#;
        assert_eq!(pointers(Dialect::AnthropicMessages, half), [] as [&str; 0]);
    }

    #[test]
    fn a_revision_that_nothing_describes_is_named() {
        let error = SecondOpinion::new(Dialect::OpenAiChat, Some("1999")).unwrap_err().to_string();
        assert!(error.contains("`openai.chat` in its revision `1999`") && error.contains("gemini.contents"), "{error}");
    }
}
