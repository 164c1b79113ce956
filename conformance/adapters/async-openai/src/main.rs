//! async-openai: requests to Chat Completions and Responses through its types.

#[path = "../wirecanon_testee.rs"]
mod wirecanon_testee;

use async_openai::types::chat::ChatCompletionRequestMessage;
use async_openai::types::responses::InputParam;
use serde_json::{Map, Value, json};
use wirecanon_testee::{Answer, Testee};

fn main() {
    let mut testee = Testee::new("async-openai", "0.43.0");
    testee.converts("openai.chat", "openai.chat", &["openai"], |text| {
        typed::<Vec<ChatCompletionRequestMessage>>(text, "messages")
    });
    testee.converts("openai.responses", "openai.responses", &["openai-responses"], |text| {
        typed::<InputParam>(text, "input")
    });
    testee.run();
}

// What else stands in the body stays as it is: the types are asked for the conversation.
fn typed<T: serde::Serialize + serde::de::DeserializeOwned>(text: &str, key: &str) -> Answer {
    // A stored session has one message a line.
    let values = serde_json::Deserializer::from_str(text).into_iter();
    let document = match values.collect::<Result<Vec<Value>, _>>() {
        Ok(values) if values.is_empty() => return Answer::Refused("other", "the input has no JSON value".to_owned()),
        Ok(mut values) if values.len() == 1 => values.remove(0),
        Ok(values) => Value::Array(values),
        Err(error) => return Answer::Refused("other", error.to_string()),
    };
    let (mut body, list) = match document {
        Value::Object(mut members) if members.contains_key(key) => {
            let list = members[key].take();
            (members, list)
        }
        Value::Array(list) => (Map::new(), Value::Array(list)),
        one => (Map::new(), json!([one])),
    };
    match serde_json::from_value::<T>(list) {
        Ok(list) => Answer::of(serde_json::to_value(list).map(|list| {
            body.insert(key.to_owned(), list);
            body
        })),
        Err(error) => Answer::Refused("unrepresentable-input", error.to_string()),
    }
}
