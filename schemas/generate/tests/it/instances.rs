//! Instances made from schemas are valid, by the judgement of the `jsonschema` crate.

use arbitrary::Unstructured;
use serde_json::Value;
use wirecanon_generate::instance::Plan;
use wirecanon_generate::noise;
use wirecanon_schemas::catalogue;

/// Makes `rounds` instances and judges each; returns how many differ from one another.
fn judge(name: &str, schema: &str, rounds: u64) -> usize {
    let plan = Plan::compile(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
    let document: Value = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::validator_for(&document).unwrap();
    let mut known = std::collections::HashSet::new();
    for round in 0..rounds {
        let bytes = noise(round, usize::try_from(round).unwrap() % 200 * 4);
        let text = plan.instance(&mut Unstructured::new(&bytes));
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
        if let Err(error) = validator.validate(&value) {
            panic!("{name}, round {round}, at {}: {error}\n{text}", error.instance_path());
        }
        known.insert(text);
    }
    known.len()
}

#[test]
fn every_schema_of_the_catalogue_makes_valid_instances() {
    let rounds = std::env::var("WIRECANON_INSTANCES").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    for schema in catalogue::ALL {
        let different = judge(schema.id, schema.text, rounds);
        println!("{}: {different} of {rounds} differ", schema.id);
        assert!(different as u64 > rounds / 2, "{}: only {different} of {rounds} differ", schema.id);
    }
}

/// Schemas of keywords that the catalogue does not use, or not together.
#[test]
fn every_keyword_makes_valid_instances() {
    let table: Value = serde_json::from_str(include_str!("../instances/keywords.json")).unwrap();
    for (name, schema) in table.as_object().unwrap() {
        judge(name, &schema.to_string(), 1500);
    }
}

/// What is refused, by which keyword at which place, and in which words.
#[test]
fn what_cannot_be_planned_is_named() {
    let table: Value = serde_json::from_str(include_str!("../instances/refused.json")).unwrap();
    for (name, row) in table.as_object().unwrap() {
        let schema = row["schema"].as_str().map_or_else(|| row["schema"].to_string(), str::to_owned);
        let error = Plan::compile(&schema).err().unwrap_or_else(|| panic!("{name}: taken"));
        assert_eq!(error.pointer, row["pointer"].as_str().unwrap(), "{name}: {error}");
        assert_eq!(error.keyword, row["keyword"].as_str().unwrap(), "{name}: {error}");
        assert!(error.to_string().contains(row["words"].as_str().unwrap()), "{name}: {error}");
    }
}

#[test]
fn no_bytes_make_the_smallest_instance() {
    let plan = |schema: &str| Plan::compile(schema).unwrap().instance(&mut Unstructured::new(&[]));
    assert_eq!(plan("true"), "null");
    assert_eq!(plan(r##"{"type": "array", "items": {"$ref": "#"}}"##), "[]");
    assert_eq!(plan(r#"{"type": "array", "items": {"type": "integer", "minimum": 3}, "minItems": 2}"#), "[3,3]");
    assert_eq!(
        plan(r#"{"required": ["b", "a"], "properties": {"a": {"const": 1}, "b": {"enum": ["x"]}}, "type": "object"}"#),
        r#"{"a":1,"b":"x"}"#
    );
}

#[test]
fn fewer_bytes_make_smaller_instances() {
    let schema = catalogue::ALL.iter().find(|schema| schema.id == "canonical/transcript").unwrap();
    let plan = Plan::compile(schema.text).unwrap();
    let length = |bytes| plan.instance(&mut Unstructured::new(&noise(7, bytes))).len();
    let sizes: Vec<_> =
        [0, 100, 2000, 20_000].map(|bytes| (0..20).map(|more| length(bytes + more)).sum::<usize>()).into();
    assert!(sizes.is_sorted(), "{sizes:?}");
}
