//! Messages written by hand, good and bad, each with the reason, against the schema of their dialect; and what every schema
//! of messages must have.
#![cfg(feature = "validate")]

use serde_json::Value;
use wirecanon_schemas::catalogue::{self, Schema};
use wirecanon_schemas::validate::Validator;

/// Dialect, and its messages.
const TABLES: [(&str, &str); 8] = [
    ("anthropic.messages", include_str!("../messages/anthropic.messages.json")),
    ("openai.chat", include_str!("../messages/openai.chat.json")),
    ("openai.responses", include_str!("../messages/openai.responses.json")),
    ("gemini.contents", include_str!("../messages/gemini.contents.json")),
    ("bedrock.converse", include_str!("../messages/bedrock.converse.json")),
    ("mistral.chat", include_str!("../messages/mistral.chat.json")),
    ("cohere.v2", include_str!("../messages/cohere.v2.json")),
    ("ollama.chat", include_str!("../messages/ollama.chat.json")),
];

fn schema_of(dialect: &str) -> (&'static Schema, Value) {
    let schema = catalogue::of_dialect(dialect).next().expect(dialect);
    (schema, serde_json::from_str(schema.text).expect(schema.id))
}

fn rows<'t>(table: &'t Value, key: &str) -> &'t [Value] {
    let rows = table[key].as_array().expect(key);
    assert!(rows.len() >= 12, "{key}: {} messages", rows.len());
    rows
}

#[test]
fn good_messages_are_taken_and_bad_ones_are_placed() {
    let mut wrong = Vec::new();
    for (dialect, table) in TABLES {
        let table: Value = serde_json::from_str(table).expect(dialect);
        let (schema, _) = schema_of(dialect);
        assert_eq!(table["schema"], schema.id, "{dialect}");
        let one = Validator::of_message(schema.id).expect("a schema");
        let whole = Validator::new(schema.id).expect("a schema");
        let list = match dialect {
            "openai.responses" => "input",
            "gemini.contents" => "contents",
            _ => "messages",
        };
        for row in rows(&table, "good") {
            for found in one.mismatches(&row["message"]) {
                wrong.push(format!("{dialect} refuses {}: {found}", row["why"]));
            }
            for found in whole.mismatches(&serde_json::json!({list: [row["message"]]})) {
                wrong.push(format!("{dialect} refuses the document of {}: {found}", row["why"]));
            }
        }
        for row in rows(&table, "bad") {
            let found = one.mismatches(&row["message"]);
            if !found.iter().any(|found| row["at"] == *found.pointer) {
                wrong.push(format!("{dialect}: {} is not found at {}, but: {found:?}", row["why"], row["at"]));
            }
            let place = format!("/{list}/0{}", row["at"].as_str().expect("a pointer"));
            let found = whole.mismatches(&serde_json::json!({list: [row["message"]]}));
            assert!(found.iter().any(|found| found.pointer == place), "{dialect}: {found:?}");
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_is_no_message_is_said_once() {
    for (dialect, _) in TABLES {
        let one = Validator::of_message(schema_of(dialect).0.id).expect("a schema");
        for value in [Value::Null, 7.into(), "hi".into(), serde_json::json!([])] {
            let found = one.mismatches(&value);
            assert!(found.len() == 1 && found[0].pointer.is_empty(), "{dialect}: {value}: {found:?}");
        }
    }
}

/// Every schema within a schema, with its JSON Pointer.
fn subschemas(root: &Value) -> Vec<(String, &Value)> {
    let mut open = vec![(String::new(), root)];
    let mut all = Vec::new();
    while let Some((place, schema)) = open.pop() {
        all.push((place.clone(), schema));
        let Some(members) = schema.as_object() else { continue };
        for (key, value) in members {
            let place = format!("{place}/{key}");
            match (key.as_str(), value) {
                ("properties" | "$defs" | "patternProperties" | "dependentSchemas", Value::Object(named)) => {
                    open.extend(named.iter().map(|(name, value)| (format!("{place}/{name}"), value)));
                }
                ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(list)) => {
                    open.extend(list.iter().enumerate().map(|(at, value)| (format!("{place}/{at}"), value)));
                }
                (
                    "items"
                    | "contains"
                    | "not"
                    | "if"
                    | "then"
                    | "else"
                    | "additionalProperties"
                    | "unevaluatedProperties"
                    | "propertyNames",
                    value,
                ) => open.push((place, value)),
                _ => {}
            }
        }
    }
    all
}

fn text<'s>(schema: &'s Value, key: &str) -> &'s str {
    schema[key].as_str().unwrap_or_default()
}

#[test]
fn every_definition_says_what_it_is_and_where_it_comes_from() {
    let mut wrong = Vec::new();
    for (dialect, _) in TABLES {
        let (schema, json) = schema_of(dialect);
        let definitions = json["$defs"].as_object().expect("definitions");
        assert!(definitions.contains_key("message"), "{}", schema.id);
        let named = definitions.iter().map(|(name, definition)| (name.as_str(), definition));
        for (name, definition) in named.chain([("the root", &json)]) {
            for key in ["title", "description", "$comment"] {
                if text(definition, key).is_empty() {
                    wrong.push(format!("{}: {name} has no {key}", schema.id));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_object_is_closed_or_says_why_it_is_open() {
    /// What a comment says of an object that other members may stand in.
    const REASONS: [&str; 3] = ["Open", "Free: ", "decides which other fields may stand"];
    let mut wrong = Vec::new();
    for (dialect, _) in TABLES {
        let (schema, json) = schema_of(dialect);
        for (place, part) in subschemas(&json) {
            let types = &part["type"];
            let is_object = types == "object" || types.as_array().is_some_and(|list| list.contains(&"object".into()));
            // A condition tells things apart and asks for nothing.
            if !is_object || part.get("$ref").is_some() || place.ends_with("/if") {
                continue;
            }
            let rest = part.get("additionalProperties").or_else(|| part.get("unevaluatedProperties"));
            let closed = rest == Some(&Value::Bool(false));
            let comment = rest.map_or_else(|| text(part, "$comment"), |rest| text(rest, "$comment"));
            let decided = part["then"]["$ref"].is_string() || REASONS.iter().any(|reason| comment.contains(reason));
            if !closed && !decided {
                wrong.push(format!("{}: {place}", schema.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_definition_is_in_use() {
    for (dialect, _) in TABLES {
        let (schema, json) = schema_of(dialect);
        for name in json["$defs"].as_object().expect("definitions").keys() {
            assert!(schema.text.contains(&format!("\"#/$defs/{name}\"")), "{}: nothing refers to {name}", schema.id);
        }
    }
}
