//! Field by field: what may be left out, and that no field takes a value of another type.
#![cfg(feature = "validate")]

mod agents;
mod ai_sdk;
mod langchain;
mod mcp;
mod stored;

use serde_json::{Value, json};
use wirecanon_schemas::validate::{Mismatch, Validator};

/// One object somewhere in a document, with every field that the schema names.
struct Object {
    /// The document around it, with null in its place
    around: Value,
    /// JSON Pointer to that place
    place: &'static str,
    full: Value,
    /// Fields that must be there
    required: &'static str,
    /// Fields that take any JSON
    open: &'static str,
}

fn object(around: Value, place: &'static str, full: Value, required: &'static str, open: &'static str) -> Object {
    Object { around, place, full, required, open }
}

fn names(words: &str, name: &str) -> bool {
    words.split_whitespace().any(|word| word == name)
}

/// A value of another type, which no field of the type of `value` takes.
fn other_type(value: &Value) -> Value {
    if value.is_string() { json!(false) } else { json!("another type") }
}

fn judge(id: &str, objects: &[Object]) {
    let validator = Validator::new(id).unwrap();
    for Object { around, place, full, required, open } in objects {
        let fault = |object: &Value| -> Vec<Mismatch> {
            let mut document = around.clone();
            *document.pointer_mut(place).unwrap() = object.clone();
            validator.mismatches(&document)
        };
        assert_eq!(fault(full), vec![], "{id}: {full}");
        for (name, value) in full.as_object().unwrap() {
            let mut object = full.clone();
            object.as_object_mut().unwrap().remove(name);
            let found = fault(&object);
            assert_eq!(!found.is_empty(), names(required, name), "{id} at {place} without `{name}`: {found:?}");
            object[name] = other_type(value);
            let found = fault(&object);
            let at = format!("{place}/{name}");
            assert_eq!(
                found.iter().any(|mismatch| mismatch.pointer == at),
                !names(open, name),
                "{id}: {at} is {}: {found:?}",
                object[name]
            );
            // Null is a value, and no way to leave a field out.
            if value.is_string() && !names(open, name) {
                object[name] = json!({});
                assert!(!fault(&object).is_empty(), "{id}: {at} is an object");
            }
        }
    }
}

fn in_message(role: &str) -> Value {
    json!({"messages": [{"role": role, "content": [null]}]})
}

const BLOCK: &str = "/messages/0/content/0";
