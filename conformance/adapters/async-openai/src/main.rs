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
    let document: Value = match serde_json::from_str(text) {
        Ok(document) => document,
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
    Answer::of(serde_json::from_value::<T>(list).and_then(serde_json::to_value).map(|list| {
        body.insert(key.to_owned(), list);
        body
    }))
}
