//! Hostile documents: nothing panics, what cannot be read is an error with its place, and nothing takes more than linear time.

use crate::support::documents::DOCUMENTS;
use serde_json::{Value, json};
use wirecanon_json::{Json, Limits, resolve};
use wirecanon_model::{Dialect, Target};
use wirecanon_observe::{Reason, compare, observe, observe_for};

/// All places of a document.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                pointers(value, &format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (number, value) in items.iter().enumerate() {
                pointers(value, &format!("{at}/{number}"), found);
            }
        }
        _ => {}
    }
}

/// The document with each of its values replaced by each of these, left out, and given twice.
fn mutated(text: &str) -> Vec<Value> {
    let original: Value = serde_json::from_str(text).expect("JSON");
    let others = [
        json!(null),
        json!(true),
        json!(-1.5e300),
        json!(""),
        json!(" "),
        json!("ü[wirecanon: x]{\""),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"type": "text"}),
        json!({"role": "tool"}),
    ];
    let mut places = Vec::new();
    pointers(&original, "", &mut places);
    let mut found = Vec::new();
    for place in places {
        for other in &others {
            let mut document = original.clone();
            *document.pointer_mut(&place).expect("a place") = other.clone();
            found.push(document);
        }
        let Some((holder, key)) = place.rsplit_once('/') else { continue };
        let [mut without, mut twice] = [original.clone(), original.clone()];
        match (without.pointer_mut(holder), twice.pointer_mut(holder)) {
            (Some(Value::Object(members)), _) => {
                members.remove(key);
            }
            (Some(Value::Array(items)), Some(Value::Array(more))) => {
                let at: usize = key.parse().expect("a number");
                items.remove(at);
                more.insert(at, more[at].clone());
            }
            _ => {}
        }
        found.extend([without, twice]);
    }
    found
}

#[test]
fn no_changed_document_panics_and_each_is_equal_to_itself() {
    let limits = Limits::default();
    let (mut read, mut refused) = (0, 0);
    for (dialect, text) in DOCUMENTS {
        let original = Json::parse(text, &limits).expect("JSON");
        for document in mutated(text) {
            let text = document.to_string();
            let json = Json::parse(&text, &limits).expect("JSON");
            let changed = match observe(&json, dialect) {
                Ok(changed) => changed,
                Err(error) => {
                    let (pointer, name) = (error.pointer(), dialect.name());
                    assert!(resolve(json.root(), pointer).is_some(), "{name}: {pointer} is no place of {text}");
                    assert!(!error.message().is_empty(), "{name}: {text}");
                    refused += 1;
                    continue;
                }
            };
            read += 1;
            for target in [dialect, Dialect::OpenAiChat, Dialect::McpPrompt].map(Target::of_dialect) {
                let itself = compare(&changed, &changed, target);
                if target.dialect == dialect {
                    assert!(itself.is_same(), "{}: {:?}\n{text}", dialect.name(), itself.differences);
                }
                let original = observe_for(&original, dialect, target.dialect).expect("a document that is read");
                compare(&original, &changed, target);
                compare(&changed, &original, target);
            }
        }
    }
    assert!(read > 2900 && refused > 2000, "{read} were read, and {refused} were not");
}

#[test]
fn documents_of_other_dialects_do_not_panic() {
    for (from, text) in DOCUMENTS {
        for dialect in Dialect::ALL {
            let json = Json::parse(text, &Limits::default()).expect("JSON");
            if let (Ok(left), Ok(right)) = (observe(&json, from), observe(&json, dialect)) {
                compare(&left, &right, Target::of_dialect(dialect));
            }
        }
    }
}

/// A text of many messages.
fn messages(count: usize, content: impl Fn(usize) -> String) -> String {
    let roles = ["user", "assistant"];
    let messages: Vec<_> =
        (0..count).map(|at| json!({"role": roles[at % 2], "content": content(at)}).to_string()).collect();
    format!("[{}]", messages.join(","))
}

#[test]
fn long_conversations_are_compared_to_an_end() {
    const MANY: usize = 100_000;
    let target = Target::of_dialect(Dialect::OpenAiChat);
    let calls = |name: &str, result: &dyn Fn(usize) -> usize| {
        let call =
            |at| json!({"id": format!("c{at}"), "type": "function", "function": {"name": name, "arguments": "{}"}});
        let calls = json!({"role": "assistant", "tool_calls": (0..MANY).map(call).collect::<Vec<_>>()});
        let results = (0..MANY).map(|at| {
            json!({"role": "tool", "tool_call_id": format!("c{at}"), "content": format!("r{}", result(at))}).to_string()
        });
        format!("[{}]", std::iter::once(calls.to_string()).chain(results).collect::<Vec<_>>().join(","))
    };
    let numbered = messages(MANY, |at| format!("text {at}"));
    let documents = [
        (&numbered, messages(MANY, |at| format!("text {at}")), None),
        (&numbered, messages(MANY, |at| format!("other {at}")), Some(Reason::TextChanged)),
        (&numbered, messages(MANY - 2, |at| format!("text {}", at + 2)), Some(Reason::TextMissing)),
        (&numbered, messages(1, |_| numbered.clone()), Some(Reason::TextInvented)),
        (&messages(MANY, |_| "x".to_owned()), messages(MANY, |_| "y".to_owned()), Some(Reason::TextChanged)),
        (&calls("f", &|at| at), calls("f", &|at| at), None),
        (&calls("f", &|at| at), calls("f", &|at| MANY - at), Some(Reason::ResultMisattributed)),
        (&calls("f", &|at| at), calls("g", &|at| at), Some(Reason::CallRenamed)),
    ];
    for (expected, answer, reason) in documents {
        let [left, right] = [expected, &answer].map(|text| Json::parse(text, &Limits::default()).expect("JSON"));
        let [left, right] = [&left, &right].map(|json| observe(json, Dialect::OpenAiChat).expect("a conversation"));
        let comparison = compare(&left, &right, target);
        match reason {
            None => assert!(comparison.is_same(), "{:?}", comparison.differences.first()),
            Some(reason) => {
                let found = comparison.differences.iter().any(|difference| difference.reason == reason);
                assert!(found, "{}: {:?}", reason.id(), comparison.differences.first());
            }
        }
    }
}
