//! Instances made from schemas: those of the catalogue, schemas made from bytes, and schemas that are bytes.

use std::sync::OnceLock;

use arbitrary::Unstructured;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use wirecanon_generate::instance::{Error, Fault, Plan};
use wirecanon_generate::noise;
use wirecanon_schemas::catalogue;

use crate::FuzzTarget;
use crate::replay::Document;

/// Instances of one schema.
const INSTANCES: u64 = 3;

/// Schemas inside one another.
const DEPTH: usize = 3;

/// A compiler of schemas and a maker of instances to judge.
struct Maker {
    compile: fn(&str) -> Result<Plan, Error>,
    instance: fn(&Plan, &mut Unstructured<'_>) -> String,
}

const OWN: Maker = Maker { compile: Plan::compile, instance: Plan::instance };

/// Makes instances of a schema (JSON as it is; else one of the catalogue, or one that the bytes make).
///
/// Fails when an instance is not valid by the judgement of `jsonschema`, or a schema that has an instance is called unsatisfiable.
pub const TARGET: FuzzTarget =
    FuzzTarget { longest: 4096, judge: |data| judge(data, &OWN), document: |_| Document::Nothing };

fn judge(data: &[u8], maker: &Maker) -> Result<(), String> {
    if data.trim_ascii_start().starts_with(b"{") {
        return std::str::from_utf8(data).map_or(Ok(()), |text| of_schema(text, None, maker));
    }
    let u = &mut Unstructured::new(data);
    if u.ratio(1, 8).unwrap_or(false) {
        let (plan, validator) = u.choose(of_catalogue()).unwrap_or(&of_catalogue()[0]);
        return valid(&(maker.instance)(plan, u), validator);
    }
    let mut root = Map::new();
    if let Value::Object(members) = schema(u, DEPTH) {
        root.extend(members);
    }
    let inner = schema(u, 1);
    root.insert("$defs".to_owned(), json!({"a": inner}));
    of_schema(&Value::Object(root).to_string(), Some(u), maker)
}

fn of_schema(text: &str, u: Option<&mut Unstructured<'_>>, maker: &Maker) -> Result<(), String> {
    let plan = (maker.compile)(text);
    // A schema that the other one does not take is not judged; what is called one here must be one there.
    let Ok(document) = serde_json::from_str::<Value>(text) else { return Ok(()) };
    let Ok(validator) = jsonschema::validator_for(&document) else { return Ok(()) };
    let with_schema = |why: String| format!("{why}\n  schema: {text}");
    match plan {
        Ok(plan) => {
            let mut given = u.map(|u| (maker.instance)(&plan, u)).into_iter().collect::<Vec<_>>();
            given.extend((0..INSTANCES).map(|seed| {
                (maker.instance)(&plan, &mut Unstructured::new(&noise(seed, 40 * usize::try_from(seed).unwrap_or(0))))
            }));
            given.iter().try_for_each(|instance| valid(instance, &validator)).map_err(with_schema)
        }
        Err(error) if error.to_string().is_empty() => Err(with_schema("a refusal without words".to_owned())),
        // How some keywords fail is not planned, and then other ways may be found to contradict one another.
        Err(error) if error.fault == Fault::Unsatisfiable && !may_deny(text) => {
            match samples().iter().find(|value| validator.is_valid(value)) {
                None => Ok(()),
                Some(value) => Err(with_schema(format!("{error}, and {value} is one"))),
            }
        }
        Err(_) => Ok(()),
    }
}

/// Whether a schema may ask that another one fails.
fn may_deny(text: &str) -> bool {
    ["\"not\"", "\"if\"", "\"oneOf\"", "\"maxContains\""].iter().any(|keyword| text.contains(keyword))
}

fn valid(instance: &str, validator: &Validator) -> Result<(), String> {
    let value: Value = serde_json::from_str(instance).map_err(|error| format!("{error}: {instance}"))?;
    match validator.validate(&value) {
        Ok(()) => Ok(()),
        Err(error) => Err(format!("at {}: {error}\n  instance: {instance}", error.instance_path())),
    }
}

fn samples() -> &'static [Value] {
    static ALL: OnceLock<Vec<Value>> = OnceLock::new();
    ALL.get_or_init(|| {
        let texts = r#"[null, true, false, 0, 1, -1, 2, 6, 12, 0.5, 1.5, "", "a", "ab", "aaa", "b", "a-1", [], [0], ["a"], [0, 1], [1, 2, 3],
            ["a", "b"], [null], [[]], {}, {"a": 1}, {"a": "a"}, {"b": true}, {"a": 1, "b": "a"}, {"a": {}, "b": [], "c": null}, {"x_a": 1}]"#;
        serde_json::from_str(texts).unwrap_or_default()
    })
}

fn of_catalogue() -> &'static [(Plan, Validator)] {
    static ALL: OnceLock<Vec<(Plan, Validator)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let compiled = |schema: &catalogue::Schema| {
            let plan = Plan::compile(schema.text).unwrap_or_else(|error| panic!("{}: {error}", schema.id));
            let document = serde_json::from_str(schema.text).unwrap_or_default();
            (plan, jsonschema::validator_for(&document).unwrap_or_else(|error| panic!("{}: {error}", schema.id)))
        };
        catalogue::ALL.iter().map(compiled).collect()
    })
}

const NAMES: [&str; 4] = ["a", "b", "c", "x_a"];
const PATTERNS: [&str; 8] = ["^a", "b$", "^[a-z]{2,4}$", "a|b", "^x_", "[^a]", "^(?:ab)*$", "\\d"];
const FORMATS: [&str; 5] = ["uri", "date-time", "uuid", "date", "email"];

/// A small schema.
fn schema(u: &mut Unstructured<'_>, depth: usize) -> Value {
    let mut out = Map::new();
    let rounds = 1 + pick(u, 2);
    for _ in 0..rounds {
        keywords(u, depth, &mut out);
    }
    Value::Object(out)
}

fn pick(u: &mut Unstructured<'_>, limit: usize) -> usize {
    u.choose_index(limit).unwrap_or(0)
}

fn constant(u: &mut Unstructured<'_>) -> Value {
    samples()[pick(u, samples().len())].clone()
}

fn keywords(u: &mut Unstructured<'_>, depth: usize, out: &mut Map<String, Value>) {
    let mut set = |key: &str, value: Value| {
        out.insert(key.to_owned(), value);
    };
    let low = pick(u, 4);
    let high = low + pick(u, 4);
    // Those with schemas inside them stand behind the others.
    match pick(u, if depth > 0 { 22 } else { 11 }) {
        0 => set("type", json!(["null", "boolean", "integer", "number", "string", "array", "object"][pick(u, 7)])),
        1 => set(
            "type",
            json!([["integer", "string"], ["array", "null"], ["object", "array"], ["number", "string"]][pick(u, 4)]),
        ),
        2 => set("const", constant(u)),
        3 => {
            let values: Vec<_> = (0..=pick(u, 3)).map(|_| constant(u)).collect();
            set("enum", Value::Array(values));
        }
        4 => {
            set("minLength", json!(low));
            set("maxLength", json!(high));
        }
        5 => set("pattern", json!(PATTERNS[pick(u, PATTERNS.len())])),
        6 => set("format", json!(FORMATS[pick(u, FORMATS.len())])),
        7 => {
            set(["minimum", "exclusiveMinimum"][pick(u, 2)], json!(low));
            set(["maximum", "exclusiveMaximum"][pick(u, 2)], json!(high));
        }
        8 => set("multipleOf", [json!(1), json!(3), json!(0.5), json!(4)][pick(u, 4)].clone()),
        9 => {
            set("minItems", json!(low.min(2)));
            set("maxItems", json!(high));
            set("uniqueItems", json!(pick(u, 2) == 1));
        }
        10 => {
            set("required", json!([NAMES[pick(u, NAMES.len())]]));
            set("maxProperties", json!(high.max(1)));
        }
        11 => set("items", schema(u, depth - 1)),
        12 => set("prefixItems", json!([schema(u, depth - 1), schema(u, depth - 1)])),
        13 => {
            set("contains", schema(u, depth - 1));
            set("minContains", json!(low.min(2)));
        }
        14 => {
            let members = (0..=pick(u, 3)).map(|_| (NAMES[pick(u, NAMES.len())].to_owned(), schema(u, depth - 1)));
            set("properties", Value::Object(members.collect()));
        }
        15 => {
            let other = if pick(u, 2) == 0 { json!(false) } else { schema(u, depth - 1) };
            set(["additionalProperties", "unevaluatedProperties"][pick(u, 2)], other);
        }
        16 => set("patternProperties", json!({PATTERNS[pick(u, 5)]: schema(u, depth - 1)})),
        17 => set(["anyOf", "oneOf", "allOf"][pick(u, 3)], json!([schema(u, depth - 1), schema(u, depth - 1)])),
        18 => set("not", schema(u, depth - 1)),
        19 => {
            set("if", schema(u, depth - 1));
            set(["then", "else"][pick(u, 2)], schema(u, depth - 1));
        }
        20 => set("propertyNames", schema(u, depth - 1)),
        _ => set("$ref", json!(["#/$defs/a", "#"][pick(u, 2)])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::smoke;

    #[test]
    fn smoke() {
        smoke::each_noise(1200, 200, |data| TARGET.run(data));
        TARGET.run(br#"{"type": 7}"#);
        TARGET.run(br##"{"$ref": "#"}"##);
        TARGET.run(br#"{"pattern": "(a+)+$", "type": "string", "minLength": 20}"#);
    }

    #[test]
    fn schemas_of_bytes_are_of_every_kind() {
        let mut taken = 0;
        let mut keys = std::collections::BTreeSet::new();
        for seed in 0..2000 {
            let made = schema(&mut Unstructured::new(&noise(seed, 120)), DEPTH);
            keys.extend(made.as_object().unwrap().keys().cloned());
            taken += usize::from(Plan::compile(&made.to_string()).is_ok());
        }
        assert!(keys.len() >= 30 && (500..2000).contains(&taken), "{taken} taken, {keys:?}");
    }

    fn forgets_bounds(text: &str) -> Result<Plan, Error> {
        Plan::compile(&text.replace("maximum", "title-maximum"))
    }

    fn gives_up(text: &str) -> Result<Plan, Error> {
        let refused = |_| Error { pointer: String::new(), keyword: "type".to_owned(), fault: Fault::Unsatisfiable };
        Plan::compile(text).and_then(|plan| if text.contains("\"type\"") { Err(refused(plan)) } else { Ok(plan) })
    }

    fn cuts(plan: &Plan, u: &mut Unstructured<'_>) -> String {
        let text = plan.instance(u);
        text.strip_suffix("\"").map(|cut| format!("{cut}x\"")).unwrap_or(text)
    }

    #[test]
    fn a_maker_of_wrong_instances_is_caught() {
        let makers = [
            ("at ", Maker { compile: forgets_bounds, ..OWN }),
            ("unsatisfiable", Maker { compile: gives_up, ..OWN }),
            ("at ", Maker { instance: cuts, ..OWN }),
        ];
        for (number, (words, maker)) in makers.into_iter().enumerate() {
            let words = if words == "unsatisfiable" { "is one" } else { words };
            let caught = (0..3000).any(|seed| judge(&noise(seed, 150), &maker).is_err_and(|said| said.contains(words)));
            assert!(caught, "maker {number}");
        }
    }
}
