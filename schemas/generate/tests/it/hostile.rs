//! Schemas made to take forever: each is planned, or refused by keyword and place, and soon.

use std::fmt::Write;
use std::time::{Duration, Instant};

use arbitrary::Unstructured;
use serde_json::{Value, json};
use wirecanon_generate::instance::{Error, Plan};
use wirecanon_generate::noise;

/// Far more than any of them takes on a machine that is not busy.
const PATIENCE: Duration = Duration::from_mins(4);
/// No instance of so few bytes is longer.
const LONGEST: usize = 4_000_000;

fn compile(schema: &str) -> Result<Plan, Error> {
    let start = Instant::now();
    let plan = Plan::compile(schema);
    assert!(start.elapsed() < PATIENCE, "compiled for {:?}", start.elapsed());
    plan
}

/// Planned: what it makes is valid, and soon made.
fn taken(schema: &Value) {
    let plan = compile(&schema.to_string()).unwrap();
    let validator = jsonschema::validator_for(schema).unwrap();
    let start = Instant::now();
    for seed in 0..40 {
        let text = plan.instance(&mut Unstructured::new(&noise(seed, 10 * seed as usize)));
        assert!(text.len() < LONGEST, "{} characters", text.len());
        assert!(validator.is_valid(&serde_json::from_str(&text).unwrap()), "{text}");
    }
    assert!(start.elapsed() < PATIENCE, "made for {:?}", start.elapsed());
}

fn refused(schema: &str, pointer: &str, keyword: &str, words: &str) {
    let error = compile(schema).unwrap_err();
    assert_eq!((&error.pointer[..], &error.keyword[..]), (pointer, keyword), "{error}");
    assert!(error.to_string().contains(words), "{error}");
}

/// `count` definitions, each made of its own name and that of the next one; the last takes null.
fn chain(count: usize, link: impl Fn(&str) -> Value) -> String {
    let mut out = String::from(r##"{"$ref":"#/$defs/d0","$defs":{"##);
    for number in 0..count {
        write!(out, r#""d{number}":{},"#, link(&format!("#/$defs/d{}", number + 1))).unwrap();
    }
    write!(out, r#""d{count}":{{"type":"null"}}}}}}"#).unwrap();
    out
}

#[test]
fn nesting_of_10000_levels_is_refused() {
    for (open, close) in [("{\"allOf\":[", "]}"), ("{\"items\":", "}"), ("{\"not\":", "}"), ("[", "]")] {
        let schema = open.repeat(10_000) + "{}" + &close.repeat(10_000);
        refused(&schema, "", "", "nested deeper than 127 levels");
    }
    refused(&chain(10_000, |next| json!({"$ref": next})), "/$defs/d200", "", "nested deeper than 200 levels");
    let member = |next: &str| json!({"type": "object", "required": ["x"], "properties": {"x": {"$ref": next}}});
    refused(&chain(5000, member), "", "", "deeper than 200 levels");
    // Where nothing must go down so far, nothing does.
    let member = |next: &str| json!({"type": "object", "properties": {"x": {"$ref": next}}});
    taken(&serde_json::from_str(&chain(2000, member)).unwrap());
}

#[test]
fn instances_that_grow_by_two_a_level_are_refused() {
    let twice = |next: &str| {
        let of = json!({"$ref": next});
        json!({"type": "object", "required": ["l", "r"], "properties": {"l": of.clone(), "r": of}})
    };
    refused(&chain(64, twice), "/$defs/d50/properties/l", "required", "larger than 100000 characters");
    taken(&serde_json::from_str(&chain(9, twice)).unwrap());
    let either = |next: &str| json!({"anyOf": [{"$ref": next}, {"$ref": next}]});
    taken(&serde_json::from_str(&chain(64, either)).unwrap());
}

#[test]
fn products_of_64_choices_are_planned_or_refused() {
    let pairs = |count: usize| -> Vec<Value> {
        (0..count)
            .map(|n| json!({"anyOf": [{"required": [format!("a{n}")]}, {"required": [format!("b{n}")]}]}))
            .collect()
    };
    taken(&json!({"type": "object", "allOf": pairs(64)}));
    let sixty_four: Vec<Value> = (0..64)
        .map(|n| {
            let name = format!("p{n}");
            let ways: Vec<_> =
                (0..64).map(|m| json!({"properties": {&name: {"const": m}}, "required": [name]})).collect();
            json!({"oneOf": ways})
        })
        .collect();
    refused(&json!({"type": "object", "allOf": sixty_four}).to_string(), "", "allOf", "more to sort out");
    // Every sign of three of twenty switches: nothing satisfies all.
    let clause = |first: usize, signs: usize| {
        let way = |place: usize, step: usize| {
            let name = format!("v{}", (first * step + place * 5) % 20);
            json!({"properties": {&name: {"const": signs >> place & 1 == 1}}, "required": [name]})
        };
        json!({"anyOf": [way(0, 1), way(1, 7), way(2, 11)]})
    };
    let all: Vec<_> = (0..20).flat_map(|first| (0..8).map(move |signs| clause(first, signs))).collect();
    refused(&json!({"type": "object", "allOf": all}).to_string(), "", "allOf", "contradict");
}

#[test]
fn long_lists_are_planned_or_refused() {
    let words: Vec<_> = (0..100_000).map(|n| format!("v{n}")).collect();
    taken(&json!({"enum": words}));
    taken(&json!({"enum": words, "pattern": "7$"}));
    refused(&json!({"type": "string", "not": {"enum": words}}).to_string(), "/not", "enum", "must fail");
    taken(&json!({"type": "string", "not": {"enum": words[..500]}}));
    taken(&json!({"type": "integer", "minimum": 0, "not": {"enum": (0..1000).collect::<Vec<_>>()}}));
    refused(&json!({"type": "object", "required": words}).to_string(), "", "required", "larger than 100000");
    let items: Vec<_> = (0..40_000).map(|n| json!({"const": n})).collect();
    taken(&json!({"type": "array", "prefixItems": items, "minItems": 10_000}));
    let members: serde_json::Map<_, _> = words.iter().map(|word| (word.clone(), json!({"type": "null"}))).collect();
    refused(&json!({"properties": members}).to_string(), "", "", "more than 100000 alternatives");
    let ifs: Vec<_> = (0..300)
        .map(|n| json!({"if": {"properties": {"t": {"const": n}}}, "then": {"required": [format!("x{n}")]}}))
        .collect();
    let many = json!({"required": ["t"], "type": "object", "allOf": ifs});
    refused(&many.to_string(), "", "allOf", "more to sort out");
}

#[test]
fn unions_of_ordinary_size_are_taken() {
    let way =
        |n: usize| json!({"type": "object", "properties": {"type": {"const": format!("t{n}")}}, "required": ["type"]});
    for union in ["oneOf", "anyOf"] {
        taken(&json!({union: (0..80).map(way).collect::<Vec<_>>()}));
    }
    let condition = |n: usize| {
        json!({"if": {"properties": {"type": {"const": format!("t{n}")}}, "required": ["type"]},
               "then": {"required": [format!("x{n}")]}})
    };
    let names: Vec<_> = (0..40).map(|n| format!("t{n}")).collect();
    taken(&json!({"type": "object", "required": ["type"], "properties": {"type": {"enum": names}},
                  "allOf": (0..40).map(condition).collect::<Vec<_>>()}));
}
