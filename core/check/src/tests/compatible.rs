//! The servers that speak `openai.chat` with limits of their own.

use super::{broken, judge, options, valid};
use crate::CheckOptions;
use wirecanon_model::Mode;

/// A turn with a call `a`, and its result.
const CALL: &str = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
const RESULT: &str = r#"{"role":"tool","tool_call_id":"a","content":"r"}"#;
const SERVERS: &[&str] = &["xai", "deepseek", "groq", "cerebras", "vllm", "openrouter", "kimi", "ollama-openai"];

fn pair(from: &str, to: &str) -> String {
    format!("[{CALL},{RESULT}]").replace(from, to)
}

#[test]
fn what_all_take() {
    for server in SERVERS {
        valid(
            server,
            &[r#"[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":"t"}]"#],
        );
        let custom = pair(
            r#""type":"function","function":{"name":"f","arguments":"{}"}"#,
            r#""type":"custom","custom":{"name":"f","input":""}"#,
        );
        let thinks = if matches!(*server, "deepseek" | "kimi") {
            r#""content":"","reasoning_content":"""#
        } else {
            r#""content":"""#
        };
        let custom = custom.replace(r#""content":null"#, thinks);
        let alias = ("tool-call-alias", "/0/tool_calls/0");
        let closed = [alias, ("unknown-field", "/0/tool_calls/0/custom")];
        broken(server, &[(&custom, if *server == "groq" { &closed } else { &closed[..1] })]);
    }
}

#[test]
fn content() {
    let of_grok_2 = |messages: &str| format!(r#"{{"model":"grok-2-1212","messages":{messages}}}"#);
    broken("xai", &[(&of_grok_2(&pair("", "")), &[("content-missing", "/messages/0/content")])]);
    broken("xai", &[(&of_grok_2(&pair("\"content\":null,", "")), &[("content-missing", "/messages/0")])]);
    valid("xai", &[&pair("", ""), &pair("\"content\":null,", "")]);
    valid("xai", &[&pair("null", "\"\"")]);
    let list = pair("\"r\"", r#"[{"type":"text","text":"r"}]"#);
    broken("groq", &[(&list, &[("content-not-a-string", "/1/content")])]);
    valid("ollama-openai", &[&list]);
    valid("vllm", &[&list]);
    let picture =
        r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}}]}]"#;
    broken("deepseek", &[(picture, &[("image-type-not-accepted", "/0/content/0")])]);
    valid("groq", &[picture]);
}

#[test]
fn reasoning() {
    let missing = pair("", "");
    broken("deepseek", &[(&missing, &[("reasoning-missing", "/0")])]);
    broken("kimi", &[(&missing, &[("reasoning-missing", "/0")])]);
    let null = pair("\"content\":null", "\"content\":null,\"reasoning_content\":null");
    broken("deepseek", &[(&null, &[("reasoning-missing", "/0/reasoning_content")])]);
    let there = pair("\"content\":null", "\"content\":null,\"reasoning_content\":\"\"");
    valid("deepseek", &[&there]);
    // DeepSeek wants it on every later turn, Kimi on those that call.
    let later = format!("{},{}]", &there[..there.len() - 1], r#"{"role":"assistant","content":"t"}"#);
    broken("deepseek", &[(&later, &[("reasoning-missing", "/2")])]);
    valid("kimi", &[&later]);
    broken("groq", &[(&there, &[("unknown-field", "/0/reasoning_content")])]);
    broken("cerebras", &[(&there, &[("unknown-field", "/0/reasoning_content")])]);
    valid("cerebras", &[&there.replace("reasoning_content", "reasoning")]);
}

#[test]
fn roles_and_fields() {
    let developer = r#"[{"role":"developer","content":"s"},{"role":"user","content":"u"}]"#;
    broken("deepseek", &[(developer, &[("role-alias", "/0/role")])]);
    valid("groq", &[developer]);
    let late = r#"[{"role":"user","content":"u"},{"role":"system","content":"s"},{"role":"user","content":"u"}]"#;
    broken("vllm", &[(late, &[("misplaced-system", "/1")])]);
    valid("openrouter", &[late]);
    broken("groq", &[(r#"[{"role":"user","content":"u","weird":1}]"#, &[("unknown-field", "/0/weird")])]);
    valid("kimi", &[r#"[{"role":"user","content":"u","weird":1}]"#]);
}

#[test]
fn older_calls_and_refusals() {
    let older = r#"[{"role":"assistant","content":null,"reasoning_content":"","function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"r"}]"#;
    broken("deepseek", &[(older, &[("tool-call-alias", "/0/function_call"), ("role-alias", "/1/role")])]);
    valid("xai", &[&older.replace("null", "\"\"")]);
    let refusal = r#"[{"role":"user","content":"u"},{"role":"assistant","content":null,"refusal":"No."}]"#;
    broken("deepseek", &[(refusal, &[("empty-message", "/1/content")])]);
    valid("deepseek", &[&refusal.replace("null", "\"No.\"")]);
    valid("openrouter", &[refusal]);
}

#[test]
fn messages_without_a_character() {
    let said = |role: &str, words: &str| {
        format!(r#"[{{"role":"{role}","content":"{words}"}},{{"role":"user","content":"u"}}]"#)
    };
    for role in ["user", "system", "assistant"] {
        broken("kimi", &[(&said(role, ""), &[("empty-message", "/0/content")])]);
        valid("kimi", &[&said(role, " ")]);
        valid("xai", &[&said(role, "")]);
    }
    let thinks = said("assistant", "").replace("\"content\":\"\"", "\"content\":\"\",\"reasoning_content\":\"hm\"");
    broken("kimi", &[(&thinks, &[("empty-message", "/0/content")])]);
    broken("kimi", &[(&said("developer", "d"), &[("role-alias", "/0/role")])]);
    valid("kimi", &[&pair("\"content\":null", "\"content\":\"\",\"reasoning_content\":\"\"")]);
}

#[test]
fn turns_of_a_chat_template() {
    let alternate = |messages: &str| {
        let strict = options("vllm", Mode::Request).target.with("roles", "alternate").expect("a switch");
        judge(messages.as_bytes(), &CheckOptions { target: &strict, ..options("vllm", Mode::Request) })
    };
    let user = r#"{"role":"user","content":"u"}"#;
    let model = r#"{"role":"assistant","content":"t"}"#;
    assert_eq!(alternate(&format!("[{user},{CALL},{RESULT},{CALL},{RESULT},{model},{user}]")), []);
    let twice = ("roles-do-not-alternate".to_owned(), "/1".to_owned());
    assert_eq!(alternate(&format!("[{user},{user},{model}]")), [twice]);
    let around = ("roles-do-not-alternate".to_owned(), "/4".to_owned());
    assert_eq!(alternate(&format!("[{user},{model},{CALL},{RESULT},{model}]")), [around]);
}

#[test]
fn tools_of_one_name() {
    let request = |first: &str, second: &str| {
        format!(
            r#"{{"model":"m","max_tokens":1,"tools":[{first},{second}],"messages":[{{"role":"user","content":"t"}}]}}"#
        )
    };
    let again = [("duplicate-tool-name", "/tools/1")];
    let function = r#"{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}"#;
    let tool = r#"{"name":"f","input_schema":{"type":"object"}}"#;
    broken("deepseek", &[(&request(function, function), &again)]);
    let search = r#"{"type":"web_search_20250305","name":"f"}"#;
    broken("anthropic", &[(&request(tool, tool), &again), (&request(search, tool), &again)]);
    for target in ["openai", "kimi", "xai"] {
        valid(target, &[&request(function, function)]);
    }
    valid("anthropic.messages", &[&request(tool, tool)]);
    valid("anthropic", &[&request(tool, &tool.replace("\"f\"", "\"g\""))]);
}

#[test]
fn tools_that_are_none() {
    let chat = |tool: &str| {
        format!(r#"{{"model":"m","max_tokens":1,"messages":[{{"role":"user","content":"t"}}],"tools":[{tool}]}}"#)
    };
    let gemini =
        |tool: &str| format!(r#"{{"contents":[{{"role":"user","parts":[{{"text":"t"}}]}}],"tools":[{tool}]}}"#);
    let none = [("tool-definition-malformed", "/tools/0")];
    for tool in
        ["null", "5", "{}", r#"{"nonsense":1}"#, r#"{"type":"function"}"#, r#"{"type":"function","function":{}}"#]
    {
        for target in ["openai", "anthropic", "mistral", "ollama", "cohere"] {
            broken(target, &[(&chat(tool), &none)]);
        }
        broken("gemini", &[(&gemini(tool), &none)]);
    }
    valid("openai", &[&chat(r#"{"type":"web_search"}"#)]);
    valid("anthropic", &[&chat(r#"{"type":"web_search_20250305","name":"web_search"}"#)]);
    valid("gemini", &[&gemini(r#"{"googleSearch":{}}"#), &gemini(r#"{"toolOfTomorrow":{}}"#)]);
}
