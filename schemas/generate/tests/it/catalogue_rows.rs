//! Every schema of messages: self-contained, described, and cited; and the generator keeps to it.

use arbitrary::Unstructured;
use serde_json::{Value, json};
use wirecanon_generate::{self as generate, Dialect, Form, Revision};
use wirecanon_schemas::catalogue::{self, Schema};
use wirecanon_schemas::validate::Validator;

fn of_messages() -> impl Iterator<Item = (&'static Schema, Value)> {
    let dialects = catalogue::ALL.iter().filter(|schema| schema.dialect.is_some());
    dialects.map(|schema| (schema, serde_json::from_str(schema.text).unwrap()))
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

#[test]
fn a_schema_and_its_definitions_are_described_and_cited() {
    let mut seen = 0;
    for (schema, json) in of_messages() {
        let definitions = json["$defs"].as_object().unwrap();
        assert!(definitions.contains_key("message"), "{} defines no message", schema.id);
        for (name, definition) in definitions.iter().map(|(name, value)| (name.as_str(), value)).chain([("", &json)]) {
            for key in ["title", "description"] {
                assert!(is_text(&definition[key]), "{}: `{name}` has no {key}", schema.id);
            }
            assert!(is_text(&definition["$comment"]), "{}: `{name}` cites nothing", schema.id);
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen} definitions");
}

#[test]
fn a_schema_refers_to_itself_alone_and_uses_all_that_it_defines() {
    for (schema, json) in of_messages() {
        let mut names = json["$defs"].as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();
        for piece in schema.text.split("\"$ref\": \"").skip(1) {
            let target = piece.split('"').next().unwrap();
            let name =
                target.strip_prefix("#/$defs/").unwrap_or_else(|| panic!("{}: {target} leads elsewhere", schema.id));
            assert!(json["$defs"][name].is_object(), "{}: {target} leads nowhere", schema.id);
            names.retain(|left| *left != name);
        }
        // Nothing refers to the answer of a sampling request.
        names.retain(|name| *name != "result");
        assert!(names.is_empty(), "{} defines {names:?} for nothing", schema.id);
    }
}

#[test]
fn revisions_stand_from_old_to_new() {
    for dialect in ["mcp.tool-result", "mcp.prompt", "mcp.sampling"] {
        let revisions: Vec<_> = catalogue::of_dialect(dialect).map(|schema| schema.revision.unwrap()).collect();
        assert_eq!(revisions, ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);
    }
    assert_eq!(catalogue::of_dialect("openclaw").count(), 1);
    assert_eq!(catalogue::of_dialect("nothing").count(), 0);
}

#[test]
fn what_the_generator_calls_valid_is_valid() {
    for dialect in Dialect::ALL {
        let schemas: Vec<_> = catalogue::of_dialect(dialect.name()).collect();
        assert!(!schemas.is_empty(), "{} has no schema", dialect.name());
        for schema in schemas {
            let revision = schema.revision.map(|name| Revision::by_name(name).expect(name));
            assert_eq!(revision.is_some(), dialect.has_revisions(), "{}", schema.id);
            valid_by(schema.id, Form { dialect, revision });
        }
    }
}

/// Whether a schema takes what is made of a form.
fn valid_by(id: &str, form: Form) {
    let schema: Value = serde_json::from_str(catalogue::by_id(id).unwrap().text).unwrap();
    let list = schema["required"][0].as_str().unwrap_or("messages");
    let validator = Validator::new(id).unwrap();
    let mut judged = 0;
    for seed in 0..400_u32 {
        let bytes: Vec<u8> = (0..seed).flat_map(|n| (n ^ seed).wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let made = generate::valid(&mut Unstructured::new(&bytes), form);
        assert_eq!(made.revision, form.revision);
        // Text with half of a surrogate pair is none to this reader.
        let Ok(value) = serde_json::from_slice::<Value>(&made.bytes) else { continue };
        judged += 1;
        // A bare list is a container of its own.
        let value = if value.is_array() { json!({ list: value }) } else { value };
        let found = validator.mismatches(&value);
        assert!(found.is_empty(), "{id}, seed {seed}: {found:?}\n{value}");
    }
    assert!(judged > 200, "{judged} of {id}");
}
