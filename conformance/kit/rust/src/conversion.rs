//! The one function to fill in.

use crate::wirecanon_testee::Answer;

/// What your crate would send if its history were this text.
///
/// `text` is the exact JSON text in the dialect that `main.rs` says is read: for openai.chat `{"messages": [...]}`, a list of
/// messages, or one message alone. The answer is the JSON text in the dialect that `main.rs` says is written, or a refusal. A
/// panic is a crash of this case alone.
pub fn convert(text: &str) -> Answer {
    // Here goes your crate, with its own types and its own functions, up to what it would send:
    //
    //     let history: my_crate::History = match serde_json::from_str(text) {
    //         Ok(history) => history,
    //         Err(error) => return Answer::Refused("other", error.to_string()),
    //     };
    //     Answer::of(my_crate::build_request(&history))
    //
    // The code of a refusal is one of invalid-arguments, unsupported-content, unpaired, limit, other. Mend nothing here: what
    // your crate makes of a broken history is what is judged.
    Answer::Output(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn calls_keep_their_results() {
        // In the dialect that is read.
        let history = r#"{"messages":[
            {"role":"user","content":"Look."},
            {"role":"assistant","content":null,"tool_calls":[
                {"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"c1","content":"found"}]}"#;
        let Answer::Output(sent) = convert(history) else {
            panic!("no output")
        };
        let sent: Value = serde_json::from_str(&sent).expect("JSON");
        let messages = sent["messages"].as_array().expect("a list");
        let calls = messages.iter().filter_map(|message| message["tool_calls"].as_array()).flatten();
        let calls: Vec<&Value> = calls.map(|call| &call["id"]).collect();
        let results = messages.iter().filter(|message| message["role"] == "tool");
        let results: Vec<&Value> = results.map(|message| &message["tool_call_id"]).collect();
        assert_eq!(calls, results);
        assert_eq!(calls.len(), 1);
    }
}
