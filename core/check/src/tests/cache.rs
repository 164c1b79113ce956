//! Cache marks: their number, their order, and what they may stand behind.

use super::{broken, valid};

fn text(ttl: &str) -> String {
    format!(r#"{{"type":"text","text":"t","cache_control":{{"type":"ephemeral"{ttl}}}}}"#)
}

const HOUR: &str = r#","ttl":"1h""#;
const SHORT: &str = r#","ttl":"5m""#;

#[test]
fn none_of_an_hour_stands_behind_one_of_five_minutes() {
    let (hour, short, plain) = (text(HOUR), text(SHORT), text(""));
    valid(
        "anthropic",
        &[&format!(r#"{{"system":[{hour}],"messages":[{{"role":"user","content":[{hour},{short},{plain}]}}]}}"#)],
    );
    broken(
        "anthropic",
        &[
            (
                &format!(r#"{{"system":[{plain}],"messages":[{{"role":"user","content":[{short},{hour}]}}]}}"#),
                &[("cache-marker-misplaced", "/messages/0/content/1/cache_control")],
            ),
            (
                &format!(
                    r#"{{"messages":[{{"role":"user","content":[{hour}]}}],"tools":[{{"name":"f","input_schema":{{"type":"object"}},"cache_control":{{"type":"ephemeral"}}}}]}}"#
                ),
                &[("cache-marker-misplaced", "/messages/0/content/0/cache_control")],
            ),
        ],
    );
    // A mark on a tool is one, whoever runs the tool.
    let tool = |mark: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"go"}}],"tools":[{{"type":"web_search_20250305","name":"web_search","cache_control":{mark}}}]}}"#
        )
    };
    valid("anthropic", &[&tool(r#"{"type":"ephemeral","ttl":"1h"}"#), &tool("null")]);
    broken(
        "anthropic",
        &[
            (&tool("true"), &[("unknown-field", "/tools/0/cache_control")]),
            (&tool(r#"{"type":"ephemeral","scope":"global"}"#), &[("unknown-field", "/tools/0/cache_control/scope")]),
        ],
    );
    // Where a mark within a result stands in this order is not known.
    let call = r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
    let within = format!(
        r#"[{{"role":"user","content":"go"}},{call},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":[{short}]}},{hour}]}}]"#
    );
    valid("anthropic", &[&within]);
    let marks = [plain.as_str(); 3].join(",");
    broken(
        "anthropic",
        &[(
            &within.replace(&format!("{},{hour}", "]}"), &format!("{},{marks},{plain}", "]}")),
            &[("cache-marker-misplaced", "/2/content/4/cache_control")],
        )],
    );
}

#[test]
fn marks_of_bedrock() {
    let hour = r#"{"cachePoint":{"type":"default","ttl":"1h"}}"#;
    let mark = r#"{"cachePoint":{"type":"default"}}"#;
    let said = |content: &str| {
        format!(
            r#"{{"system":[{{"text":"s"}},{mark}],"messages":[{{"role":"user","content":[{{"text":"t"}},{content}]}}]}}"#
        )
    };
    valid("bedrock.converse", &[&said(&[mark; 3].join(","))]);
    broken(
        "bedrock.converse",
        &[
            (&said(hour), &[("cache-marker-misplaced", "/messages/0/content/1/cachePoint")]),
            (&said(&[mark; 4].join(",")), &[("cache-marker-misplaced", "/messages/0/content/4/cachePoint")]),
        ],
    );
    let behind = |format: &str| {
        said(&format!(r#"{{"document":{{"format":"{format}","name":"a","source":{{"bytes":"JVBERi0="}}}}}},{mark}"#))
    };
    valid("bedrock-claude", &[&behind("pdf")]);
    valid("bedrock", &[&behind("md")]);
    broken("bedrock-claude", &[(&behind("md"), &[("cache-marker-misplaced", "/messages/0/content/2")])]);
}
