//! What a dialect says for itself: dropped, changed or invented, it is seen in an answer of the same dialect.

use serde_json::Value;
use wirecanon_observe::Reason;

use crate::support::comparing::compared;

/// A change of a document, at a JSON Pointer.
#[derive(Clone, Copy)]
enum Edit {
    Drop,
    Set(&'static str),
}
use Edit::{Drop, Set};

fn edited(document: &str, pointer: &str, edit: Edit) -> String {
    let mut value: Value = serde_json::from_str(document).expect("JSON");
    let (holder, key) = pointer.rsplit_once('/').expect("a pointer");
    let holder = value.pointer_mut(holder).unwrap_or_else(|| panic!("{pointer} is missing"));
    let new = match edit {
        Drop => None,
        Set(text) => Some(serde_json::from_str::<Value>(text).expect("JSON")),
    };
    match (holder, new) {
        (Value::Object(object), Some(new)) => drop(object.insert(key.to_owned(), new)),
        (Value::Object(object), None) => drop(object.remove(key).unwrap_or_else(|| panic!("{pointer} is missing"))),
        (Value::Array(array), new) => {
            let at: usize = key.parse().expect("a number");
            match new {
                Some(new) if at < array.len() => array[at] = new,
                Some(new) => array.push(new),
                None => drop(array.remove(at)),
            }
        }
        _ => panic!("{pointer} is in no object and no array"),
    }
    value.to_string()
}

/// A document, and its edits with the reason of each; no reason where the model is told the same.
struct Case {
    dialect: &'static str,
    document: &'static str,
    edits: &'static [(&'static str, Edit, Option<Reason>)],
}

const MISSING: Option<Reason> = Some(Reason::AttributeMissing);
const CHANGED: Option<Reason> = Some(Reason::AttributeChanged);
const ITEM: Option<Reason> = Some(Reason::ProviderItemMissing);
const RESULT: Option<Reason> = Some(Reason::ResultChanged);
const TOOL: Option<Reason> = Some(Reason::ToolChanged);
const INVENTED: Option<Reason> = Some(Reason::TextInvented);

fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for Case { dialect, document, edits } in cases {
        let same = compared((dialect, document), (dialect, document));
        if !same.differences.is_empty() {
            wrong.push(format!("{dialect}, itself: {:?}", same.differences));
        }
        for (pointer, edit, reason) in *edits {
            let answer = edited(document, pointer, *edit);
            let found = compared((dialect, document), (dialect, &answer)).differences;
            let is_right = match reason {
                Some(reason) => found.iter().any(|difference| difference.reason == *reason),
                None => found.is_empty(),
            };
            if !is_right {
                let name = reason.map_or("nothing", Reason::id);
                wrong.push(format!("{dialect} {pointer}: expected {name}, got {found:?}\n  {answer}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn items_of_the_provider_in_results() {
    check(&[
        Case {
            dialect: "anthropic.messages",
            document: r#"{"tools":[{"name":"read","input_schema":{"type":"object"}}],"messages":[{"role":"assistant","content":[
                {"type":"tool_use","id":"a","name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[
                {"type":"text","text":"see"},{"type":"search_result","source":"https://s","title":"t","content":[{"type":"text","text":"found"}]},
                {"type":"tool_reference","tool_name":"read"}]}]}]}"#,
            edits: &[
                ("/messages/1/content/0/content/1", Drop, RESULT),
                ("/messages/1/content/0/content/1/title", Set(r#""u""#), RESULT),
                ("/messages/1/content/0/content/1", Set(r#"{"type":"text","text":"t https://s found"}"#), RESULT),
                ("/messages/1/content/0/content/2", Drop, RESULT),
                ("/messages/1/content/0/content/2/tool_name", Set(r#""write""#), RESULT),
                ("/messages/1/content/0/content/3", Set(r#"{"type":"tool_reference","tool_name":"read"}"#), RESULT),
                ("/messages/1/content/0/content/1/cache_control", Set("null"), None),
            ],
        },
        Case {
            dialect: "bedrock.converse",
            document: r#"[{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"read","input":{}}}]},{"role":"user","content":[
                {"toolResult":{"toolUseId":"a","content":[{"searchResult":{"source":"https://s","title":"t","content":[{"text":"found"}]}},{"text":"see"}]}}]}]"#,
            edits: &[
                ("/1/content/0/toolResult/content/0", Drop, RESULT),
                ("/1/content/0/toolResult/content/0/searchResult/source", Set(r#""https://u""#), RESULT),
            ],
        },
        Case {
            dialect: "ai-sdk.model",
            document: r#"[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"read","input":{}}]},{"role":"tool","content":[
                {"type":"tool-result","toolCallId":"a","toolName":"read","output":{"type":"content","value":[{"type":"text","text":"see"},
                {"type":"custom","providerOptions":{"openai":{"x":1}}}]}}]}]"#,
            edits: &[
                ("/1/content/0/output/value/1", Drop, RESULT),
                ("/1/content/0/output/value/1/providerOptions/openai/x", Set("2"), RESULT),
            ],
        },
        Case {
            dialect: "langchain",
            document: r#"[{"type":"ai","data":{"content":"","tool_calls":[{"id":"a","name":"read","args":{}}]}},{"type":"tool","data":{"tool_call_id":"a",
                "content":[{"type":"text","text":"see"},{"type":"search_result","source":"s"}]}}]"#,
            edits: &[("/1/data/content/1", Drop, RESULT), ("/1/data/content/1/source", Set(r#""u""#), RESULT)],
        },
        Case {
            dialect: "canonical",
            document: r#"{"messages":[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"read","arguments":"{}"}]},
                {"role":"toolResult","toolCallId":"a","content":[{"type":"text","text":"{\"type\":\"tool_reference\",\"tool_name\":\"zz\"}",
                "native":{"anthropic.messages":{"type":"tool_reference","tool_name":"zz"}}},{"type":"text","text":"see"}]}]}"#,
            edits: &[
                ("/messages/1/content/0", Drop, RESULT),
                ("/messages/1/content/0/native/anthropic.messages/tool_name", Set(r#""yy""#), RESULT),
            ],
        },
    ]);
}

#[test]
fn context_of_the_request() {
    check(&[
        Case {
            dialect: "openai.responses",
            document: r#"{"previous_response_id":"resp_1","prompt":{"id":"p","variables":{"a":"b"}},"input":[{"role":"user","content":"hi"},
                {"type":"function_call_output","call_id":"c1","output":"stored"}]}"#,
            edits: &[
                ("/previous_response_id", Drop, ITEM),
                ("/previous_response_id", Set("null"), ITEM),
                ("/previous_response_id", Set(r#""""#), ITEM),
                ("/previous_response_id", Set(r#""resp_2""#), ITEM),
                ("/prompt/variables/a", Set(r#""c""#), ITEM),
                ("/prompt", Drop, ITEM),
                ("/conversation", Set(r#""conv_1""#), INVENTED),
                ("/conversation", Set("null"), None),
                ("/input/1", Drop, ITEM),
                ("/input/1/output", Set(r#""other""#), ITEM),
                ("/input/1/call_id", Set(r#""c2""#), Some(Reason::ReferenceDangling)),
            ],
        },
        Case {
            dialect: "gemini.contents",
            document: r#"{"cachedContent":"cachedContents/1","contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#,
            edits: &[("/cachedContent", Drop, ITEM), ("/cachedContent", Set(r#""cachedContents/2""#), ITEM)],
        },
        Case {
            dialect: "cohere.v2",
            document: r#"{"documents":[{"id":"d","data":{"text":"t"}}],"messages":[{"role":"user","content":"hi"}]}"#,
            edits: &[
                ("/documents", Drop, ITEM),
                ("/documents", Set("[]"), ITEM),
                ("/documents/0/data/text", Set(r#""u""#), ITEM),
            ],
        },
        Case {
            dialect: "anthropic.messages",
            document: r#"{"container":{"id":"c","skills":[{"type":"anthropic","skill_id":"pdf"}]},"mcp_servers":[{"type":"url","url":"https://m","name":"m"}],
                "messages":[{"role":"user","content":"hi"}]}"#,
            edits: &[
                ("/container", Drop, ITEM),
                ("/container/skills/0/skill_id", Set(r#""xlsx""#), ITEM),
                ("/mcp_servers", Drop, ITEM),
                ("/mcp_servers/0/url", Set(r#""https://n""#), ITEM),
            ],
        },
        Case {
            dialect: "bedrock.converse",
            document: r#"{"promptVariables":{"a":{"text":"b"}},"messages":[{"role":"user","content":[{"text":"hi"}]}]}"#,
            edits: &[("/promptVariables", Drop, ITEM), ("/promptVariables/a/text", Set(r#""c""#), ITEM)],
        },
        Case {
            dialect: "mcp.sampling",
            document: r#"{"includeContext":"thisServer","maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}"#,
            edits: &[("/includeContext", Drop, ITEM), ("/includeContext", Set(r#""allServers""#), ITEM)],
        },
    ]);
    let stored = r#"{"previous_response_id":"resp_1","input":[{"role":"user","content":"hi"}]}"#;
    let chat =
        compared(("openai.responses", stored), ("openai.chat", r#"{"messages":[{"role":"user","content":"hi"}]}"#));
    assert!(chat.differences.is_empty(), "another dialect does not have it: {:?}", chat.differences);
}

#[test]
fn documents_media_and_files() {
    const TEXT_MISSING: Option<Reason> = Some(Reason::TextMissing);
    const TEXT_CHANGED: Option<Reason> = Some(Reason::TextChanged);
    check(&[
        Case {
            dialect: "anthropic.messages",
            document: r#"[{"role":"user","content":[{"type":"document","title":"T","context":"C","citations":{"enabled":true},"source":{"type":"text","media_type":"text/plain","data":"d"}},
                {"type":"document","source":{"type":"text","media_type":"text/plain","data":"e"}},{"type":"image","source":{"type":"url","url":"https://a.com/Cat.png?x=1"}}]},
                {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",
                "content":[{"type":"document","title":"T","context":"C","source":{"type":"text","media_type":"text/plain","data":"r"}}]}]}]"#,
            edits: &[
                ("/0/content/0/title", Drop, TEXT_MISSING),
                ("/0/content/0/title", Set(r#""U""#), TEXT_CHANGED),
                ("/0/content/1/title", Set(r#""U""#), INVENTED),
                ("/0/content/1/title", Set("null"), None),
                ("/0/content/0/context", Drop, TEXT_MISSING),
                ("/0/content/0/context", Set(r#""D""#), TEXT_CHANGED),
                ("/0/content/1/context", Set(r#""D""#), INVENTED),
                ("/2/content/0/content/0/title", Drop, TEXT_MISSING),
                ("/2/content/0/content/0/context", Set(r#""D""#), TEXT_CHANGED),
                ("/0/content/0/citations", Drop, MISSING),
                ("/0/content/1/citations", Set(r#"{"enabled":false}"#), None),
                ("/0/content/2/source/url", Set(r#""https://a.com/cat.png?x=1""#), Some(Reason::MediaReplaced)),
                ("/0/content/2/source/url", Set(r#""https://a.com/Cat.png?x=2""#), Some(Reason::MediaReplaced)),
                ("/0/content/2/source/url", Set(r#""https://a.com/Cat.png""#), Some(Reason::MediaReplaced)),
                ("/0/content/2/source/url", Set(r#""HTTPS://A.com/Cat.png?x=1""#), None),
            ],
        },
        Case {
            dialect: "bedrock.converse",
            document: r#"[{"role":"user","content":[{"text":"look"},{"document":{"format":"txt","name":"first","context":"C","source":{"text":"d"}}},
                {"document":{"format":"txt","name":"second","source":{"text":"e"}}}]}]"#,
            edits: &[
                ("/0/content/1/document/context", Drop, TEXT_MISSING),
                ("/0/content/1/document/context", Set(r#""D""#), TEXT_CHANGED),
                ("/0/content/2/document/context", Set(r#""D""#), INVENTED),
                ("/0/content/1/document/name", Set(r#""third""#), CHANGED),
            ],
        },
        Case {
            dialect: "openai.chat",
            document: r#"[{"role":"user","content":[{"type":"text","text":"look"},{"type":"file","file":{"filename":"a.pdf","file_id":"f1"}},
                {"type":"image_url","image_url":{"url":"https://a.com/a.png","detail":"low"}},{"type":"image_url","image_url":{"url":"https://a.com/b.png","detail":"auto"}}]}]"#,
            edits: &[
                ("/0/content/1/file/filename", Drop, MISSING),
                ("/0/content/1/file/filename", Set(r#""b.pdf""#), CHANGED),
                ("/0/content/2/image_url/detail", Drop, MISSING),
                ("/0/content/2/image_url/detail", Set(r#""high""#), CHANGED),
                ("/0/content/3/image_url/detail", Drop, None),
                ("/0/content/3/image_url/detail", Set(r#""high""#), CHANGED),
            ],
        },
        Case {
            dialect: "gemini.contents",
            document: r#"[{"role":"user","parts":[{"fileData":{"fileUri":"https://a.com/v.mp4","mimeType":"video/mp4"},"videoMetadata":{"startOffset":"1s"}},
                {"fileData":{"fileUri":"https://a.com/i.png","mimeType":"image/png"},"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}}]}]"#,
            edits: &[
                ("/0/parts/0/videoMetadata", Drop, MISSING),
                ("/0/parts/0/videoMetadata/startOffset", Set(r#""2s""#), CHANGED),
                ("/0/parts/1/videoMetadata", Set(r#"{"fps":1}"#), CHANGED),
                ("/0/parts/1/mediaResolution", Drop, MISSING),
                ("/0/parts/1/mediaResolution/level", Set(r#""MEDIA_RESOLUTION_HIGH""#), CHANGED),
                ("/0/parts/0/fileData/mimeType", Set(r#""image/png""#), CHANGED),
            ],
        },
    ]);
}

#[test]
fn definitions_are_equal_value_by_value() {
    check(&[
        Case {
            dialect: "openai.chat",
            document: r#"{"messages":[{"role":"user","content":"hi"}],"web_search_options":{"search_context_size":"low"},
                "functions":[{"name":"old","description":"O","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}],
                "tools":[{"type":"function","function":{"name":"read","description":"R","strict":true,
                "parameters":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}}},
                {"type":"custom","custom":{"name":"patch","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"d"}}}},
                {"type":"custom","custom":{"name":"free"}}]}"#,
            edits: &[
                ("/functions", Drop, Some(Reason::ToolMissing)),
                ("/functions/0/parameters/properties/a/type", Set(r#""number""#), TOOL),
                ("/functions/1", Set(r#"{"name":"new"}"#), Some(Reason::ToolInvented)),
                ("/web_search_options", Drop, Some(Reason::ToolMissing)),
                ("/web_search_options/search_context_size", Set(r#""high""#), TOOL),
                ("/tools/0/function/strict", Drop, TOOL),
                ("/tools/0/function/strict", Set("false"), TOOL),
                ("/tools/0/function/parameters/additionalProperties", Set("true"), TOOL),
                ("/tools/0/function/parameters/additionalProperties", Drop, TOOL),
                ("/tools/0/function/parameters/title", Set(r#""T""#), TOOL),
                ("/tools/0/function/parameters/properties/a/nullable", Set("true"), TOOL),
                ("/tools/0/function/parameters/properties/a/type", Set(r#"["string","null"]"#), TOOL),
                ("/tools/1/custom/format/grammar/definition", Set(r#""e""#), TOOL),
                ("/tools/1/custom/format", Drop, TOOL),
                (
                    "/tools/1",
                    Set(
                        r#"{"type":"function","function":{"name":"patch","parameters":{"type":"object","properties":{"input":{"type":"string"}}}}}"#,
                    ),
                    TOOL,
                ),
                (
                    "/tools/2",
                    Set(
                        r#"{"type":"function","function":{"name":"free","parameters":{"type":"object","properties":{"input":{"type":"string"}}}}}"#,
                    ),
                    None,
                ),
                (
                    "/tools/2",
                    Set(
                        r#"{"type":"function","function":{"name":"free","parameters":{"type":"object","properties":{"input":{"type":"number"}}}}}"#,
                    ),
                    TOOL,
                ),
                (
                    "/tools/2",
                    Set(r#"{"type":"function","function":{"name":"free","parameters":{"type":"object"}}}"#),
                    TOOL,
                ),
                ("/tools/0", Set(r#"{"type":"custom","custom":{"name":"read","description":"R"}}"#), TOOL),
                ("/tools/0/function/extra", Set("null"), None),
            ],
        },
        Case {
            dialect: "openai.responses",
            document: r#"{"input":[{"role":"user","content":"hi"}],"tools":[{"type":"mcp","server_label":"m","server_url":"https://m","allowed_tools":["x"]},
                {"type":"web_search","filters":{"allowed_domains":["a"]}},{"type":"namespace","name":"ns","description":"D","tools":[
                {"type":"function","name":"in","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}]},
                {"type":"custom","name":"patch","format":{"type":"grammar","syntax":"lark","definition":"d"}}]}"#,
            edits: &[
                ("/tools/0", Drop, Some(Reason::ToolMissing)),
                ("/tools/0/server_url", Set(r#""https://n""#), TOOL),
                ("/tools/0/allowed_tools", Drop, TOOL),
                ("/tools/1/filters/allowed_domains/0", Set(r#""b""#), TOOL),
                ("/tools/1/type", Set(r#""web_search_preview""#), Some(Reason::ToolRenamed)),
                ("/tools/2/description", Set(r#""E""#), TOOL),
                ("/tools/2/tools/0/parameters/properties/a/type", Set(r#""number""#), TOOL),
                ("/tools/3/format/definition", Set(r#""e""#), TOOL),
                ("/tools/4", Set(r#"{"type":"file_search","vector_store_ids":["v"]}"#), Some(Reason::ToolInvented)),
            ],
        },
        Case {
            dialect: "anthropic.messages",
            document: r#"{"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"read","input_schema":{"type":"object","properties":{"a":{"type":"string"}}},
                "input_examples":[{"a":"x"}],"cache_control":{"type":"ephemeral"}},{"type":"web_search_20250305","name":"web_search","max_uses":3}]}"#,
            edits: &[
                ("/tools/0/input_examples", Drop, TOOL),
                ("/tools/0/input_examples/0/a", Set(r#""y""#), TOOL),
                ("/tools/0/strict", Set("true"), TOOL),
                ("/tools/0/cache_control", Drop, MISSING),
                ("/tools/1/max_uses", Set("4"), TOOL),
                ("/tools/1/type", Set(r#""web_search_20260209""#), TOOL),
            ],
        },
        Case {
            dialect: "bedrock.converse",
            document: r#"{"messages":[{"role":"user","content":[{"text":"hi"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"read","strict":true,
                "inputSchema":{"json":{"type":"object","properties":{"a":{"type":"string"}}}}}},{"systemTool":{"name":"nova_grounding"}}]}}"#,
            edits: &[
                ("/toolConfig/tools/0/toolSpec/strict", Drop, TOOL),
                ("/toolConfig/tools/0/toolSpec/inputSchema/json/title", Set(r#""T""#), TOOL),
                ("/toolConfig/tools/1", Drop, Some(Reason::ToolMissing)),
            ],
        },
        Case {
            dialect: "gemini.contents",
            document: r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"read","behavior":"BLOCKING",
                "parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING","maxItems":"3","default":"x"}}}}]},{"googleSearch":{"timeRangeFilter":{"startTime":"1"}}}]}"#,
            edits: &[
                ("/tools/0/functionDeclarations/0/behavior", Set(r#""NON_BLOCKING""#), TOOL),
                ("/tools/0/functionDeclarations/0/parameters/properties/a/type", Set(r#""string""#), None),
                ("/tools/0/functionDeclarations/0/parameters/properties/a/maxItems", Set("3"), None),
                ("/tools/0/functionDeclarations/0/parameters/properties/a/maxItems", Drop, TOOL),
                ("/tools/0/functionDeclarations/0/parameters/properties/a/default", Set(r#""y""#), TOOL),
                ("/tools/0/functionDeclarations/0/parameters/properties/a/nullable", Set("true"), TOOL),
                ("/tools/1/googleSearch/timeRangeFilter/startTime", Set(r#""2""#), TOOL),
            ],
        },
        Case {
            dialect: "mcp.sampling",
            document: r#"{"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"tools":[{"name":"read","title":"T",
                "inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}"#,
            edits: &[
                ("/tools/0/title", Set(r#""U""#), TOOL),
                ("/tools/0/annotations/readOnlyHint", Set("false"), TOOL),
            ],
        },
    ]);
    let detail = |edit: (&str, Edit)| {
        let chat = r#"{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}]}"#;
        let answer = edited(chat, edit.0, edit.1);
        compared(("openai.chat", chat), ("openai.chat", &answer)).differences[0].detail.clone()
    };
    assert_eq!(
        detail(("/tools/0/function/parameters/properties/a/type", Set(r#""number""#))),
        r#"tool `read`, `/function/parameters/properties/a/type`: expected `"string"`, got `"number"`"#
    );
    assert_eq!(
        detail(("/tools/0/function/parameters/required", Set(r#"["a"]"#))),
        r#"tool `read`, `/function/parameters/required`: `["a"]` is not expected"#
    );
}

#[test]
fn called_tools_are_defined_only_where_the_target_demands_it() {
    let turns = r#""messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"one"}]"#;
    let chat = format!("{{{turns}}}");
    let defined = format!(
        r#"{{{turns},"tools":[{{"type":"function","function":{{"name":"read","parameters":{{"type":"object"}}}}}}]}}"#
    );
    let found = compared(("openai.chat", &chat), ("openai.chat", &defined)).differences;
    assert_eq!(found.iter().map(|difference| difference.reason).collect::<Vec<_>>(), [Reason::ToolInvented]);
    let bedrock = |schema: &str| {
        format!(
            r#"{{"toolConfig":{{"tools":[{{"toolSpec":{{"name":"read","inputSchema":{{"json":{schema}}}}}}}]}},"messages":[{{"role":"user","content":[{{"text":"go"}}]}},
            {{"role":"assistant","content":[{{"toolUse":{{"toolUseId":"a","name":"read","input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"a","content":[{{"text":"one"}}]}}}}]}}]}}"#
        )
    };
    let any = compared(("openai.chat", &chat), ("bedrock", &bedrock(r#"{"type":"object"}"#)));
    assert!(any.differences.is_empty(), "{:?}", any.differences);
    let some = bedrock(r#"{"type":"object","properties":{"b":{"type":"string"}}}"#);
    let some = compared(("openai.chat", &chat), ("bedrock", &some));
    assert_eq!(some.differences.first().map(|difference| difference.reason), Some(Reason::ToolInvented));
}

#[test]
fn schemas_are_spelled_for_another_dialect() {
    let chat = |schema: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"hi"}}],"tools":[{{"type":"function","function":{{"name":"read","parameters":{schema}}}}}]}}"#
        )
    };
    let gemini = |schema: &str| {
        format!(
            r#"{{"contents":[{{"role":"user","parts":[{{"text":"hi"}}]}}],"tools":[{{"functionDeclarations":[{{"name":"read","parameters":{schema}}}]}}]}}"#
        )
    };
    let anthropic = |schema: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"hi"}}],"tools":[{{"name":"read","input_schema":{schema}}}]}}"#
        )
    };
    let given = r##"{"$schema":"x","title":"Args","type":"object","$defs":{"Point":{"type":"object","properties":{"x":{"type":"integer","default":0}}}},
        "properties":{"at":{"$ref":"#/$defs/Point"},"name":{"anyOf":[{"type":"string"},{"type":"null"}],"description":"d"},"kind":{"const":"a","type":"string"},
        "list":{"type":"array","items":{"type":"string"},"maxItems":3}},"required":["at","list"],"additionalProperties":false}"##;
    let spelled = r#"{"type":"OBJECT","properties":{"at":{"type":"OBJECT","properties":{"x":{"type":"INTEGER"}}},"name":{"type":"STRING","nullable":true,"description":"d"},
        "kind":{"type":"STRING","enum":["a"]},"list":{"type":"ARRAY","items":{"type":"STRING"}}},"required":["list","at"]}"#;
    let same = compared(("openai.chat", &chat(given)), ("gemini.contents", &gemini(spelled)));
    assert!(same.differences.is_empty(), "{:?}", same.differences);
    for (pointer, edit) in [
        ("/properties/at/properties/x/type", Set(r#""STRING""#)),
        ("/properties/at/properties/x", Drop),
        ("/properties/name/nullable", Drop),
        ("/properties/name/description", Set(r#""e""#)),
        ("/properties/kind/enum", Set(r#"["b"]"#)),
        ("/properties/kind/enum", Drop),
        ("/properties/list/items/type", Set(r#""NUMBER""#)),
        ("/properties/list/nullable", Set("true")),
        ("/properties/list/maxItems", Set("4")),
        ("/properties/list/title", Set(r#""T""#)),
        ("/properties/more", Set(r#"{"type":"STRING"}"#)),
        ("/required", Set(r#"["at"]"#)),
    ] {
        let found =
            compared(("openai.chat", &chat(given)), ("gemini.contents", &gemini(&edited(spelled, pointer, edit))));
        let reasons: Vec<_> = found.differences.iter().map(|difference| difference.reason).collect();
        assert_eq!(reasons, [Reason::ToolChanged], "{pointer}: {:?}", found.differences);
    }
    // Other dialects have JSON Schema: constraints stay.
    let plain = r#"{"type":"object","properties":{"a":{"type":"string","maxLength":3}},"additionalProperties":false}"#;
    for (pointer, edit, is_same) in [
        ("/additionalProperties", Drop, true),
        ("/additionalProperties", Set("true"), false),
        ("/properties/a/maxLength", Drop, false),
        ("/title", Set(r#""T""#), false),
        ("/$schema", Set(r#""x""#), true),
    ] {
        let found =
            compared(("openai.chat", &chat(plain)), ("anthropic.messages", &anthropic(&edited(plain, pointer, edit))));
        assert_eq!(found.differences.is_empty(), is_same, "{pointer}: {:?}", found.differences);
    }
    // A schema of other properties is a constraint; that there are none, or any, is not.
    let map = r#"{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"number"}}}}"#;
    for (pointer, edit, is_same) in [
        ("/title", Set(r#""T""#), false),
        ("/properties/m/additionalProperties", Drop, false),
        ("/properties/m/additionalProperties", Set("false"), false),
        ("/properties/m/additionalProperties/type", Set(r#""string""#), false),
    ] {
        let found =
            compared(("openai.chat", &chat(map)), ("anthropic.messages", &anthropic(&edited(map, pointer, edit))));
        assert_eq!(found.differences.is_empty(), is_same, "{pointer}: {:?}", found.differences);
    }
    // References may go in circles.
    let circle = r##"{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"}},"$defs":{"Node":{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"}}}}}"##;
    let renamed = circle.replace("$defs", "definitions");
    let same = compared(("openai.chat", &chat(circle)), ("anthropic.messages", &anthropic(&renamed)));
    assert!(same.differences.is_empty(), "{:?}", same.differences);
}

#[test]
fn schemas_of_many_references_are_compared_to_an_end() {
    let definitions = |name: &str, count: usize| {
        let properties: Vec<_> = (0..count).map(|at| format!(r##""p{at}":{{"$ref":"#/$defs/{name}{at}"}}"##)).collect();
        let properties = properties.join(",");
        let all: Vec<_> =
            (0..count).map(|at| format!(r#""{name}{at}":{{"type":"object","properties":{{{properties}}}}}"#)).collect();
        format!(r#"{{"type":"object","properties":{{{properties}}},"$defs":{{{}}}}}"#, all.join(","))
    };
    let chat = |schema: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"hi"}}],"tools":[{{"type":"function","function":{{"name":"read","parameters":{schema}}}}}]}}"#
        )
    };
    let anthropic = |schema: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"hi"}}],"tools":[{{"name":"read","input_schema":{schema}}}]}}"#
        )
    };
    for count in [20, 300] {
        let (expected, answer) = (definitions("A", count), definitions("B", count));
        let comparison = compared(("openai.chat", &chat(&expected)), ("anthropic.messages", &anthropic(&answer)));
        assert!(comparison.differences.len() <= 1, "{:?}", comparison.differences);
    }
}

#[test]
fn settings_are_compared_by_value() {
    const SCHEMA: &str = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    check(&[
        Case {
            dialect: "openai.chat",
            document: r#"{"messages":[{"role":"user","name":"ann","content":"hi"}],"tool_choice":"required","parallel_tool_calls":false,"reasoning_effort":"low",
                "response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}"#,
            edits: &[
                ("/tool_choice", Drop, MISSING),
                ("/tool_choice", Set(r#""none""#), CHANGED),
                ("/tool_choice", Set(r#""auto""#), CHANGED),
                ("/tool_choice", Set(r#"{"type":"function","function":{"name":"read"}}"#), CHANGED),
                ("/parallel_tool_calls", Drop, MISSING),
                ("/parallel_tool_calls", Set("true"), CHANGED),
                ("/reasoning_effort", Set(r#""high""#), CHANGED),
                ("/response_format", Drop, MISSING),
                ("/response_format", Set(r#"{"type":"json_object"}"#), CHANGED),
                ("/response_format/json_schema/schema/type", Set(r#""array""#), CHANGED),
                ("/messages/0/name", Set(r#""bob""#), CHANGED),
                ("/messages/0/name", Drop, MISSING),
            ],
        },
        Case {
            dialect: "openai.chat",
            document: r#"{"messages":[{"role":"user","content":"hi"}]}"#,
            edits: &[
                ("/tool_choice", Set(r#""auto""#), None),
                ("/tool_choice", Set("null"), None),
                ("/tool_choice", Set(r#""none""#), CHANGED),
                ("/tool_choice", Set(r#"{"type":"function","function":{"name":"read"}}"#), CHANGED),
                ("/parallel_tool_calls", Set("true"), None),
                ("/parallel_tool_calls", Set("false"), CHANGED),
                ("/response_format", Set(r#"{"type":"text"}"#), None),
                ("/response_format", Set(r#"{"type":"json_object"}"#), CHANGED),
            ],
        },
        Case {
            dialect: "anthropic.messages",
            document: r#"{"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}}],"messages":[{"role":"user","content":"hi"}],
                "tool_choice":{"type":"any","disable_parallel_tool_use":true},"thinking":{"type":"enabled","budget_tokens":1024},"output_config":{"effort":"low"}}"#,
            edits: &[
                ("/tool_choice/type", Set(r#""none""#), CHANGED),
                ("/tool_choice/disable_parallel_tool_use", Set("false"), CHANGED),
                ("/thinking", Set(r#"{"type":"disabled"}"#), CHANGED),
                ("/output_config/effort", Set(r#""high""#), CHANGED),
                ("/system/0/cache_control/ttl", Drop, CHANGED),
                ("/system/0/cache_control", Drop, MISSING),
            ],
        },
        Case {
            dialect: "openai.responses",
            document: r#"{"input":[{"type":"message","role":"assistant","status":"incomplete","content":[{"type":"output_text","text":"hi"}]}],
                "tool_choice":{"type":"function","name":"read"},"reasoning":{"effort":"low"},"text":{"format":{"type":"json_object"}}}"#,
            edits: &[
                ("/tool_choice/name", Set(r#""write""#), CHANGED),
                ("/tool_choice", Drop, MISSING),
                ("/reasoning/effort", Set(r#""high""#), CHANGED),
                ("/text/format/type", Set(r#""text""#), CHANGED),
                ("/input/0/status", Set(r#""completed""#), CHANGED),
            ],
        },
        Case {
            dialect: "gemini.contents",
            document: r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["read"]}},
                "generationConfig":{"responseMimeType":"application/json","thinkingConfig":{"thinkingBudget":1}}}"#,
            edits: &[
                ("/toolConfig/functionCallingConfig/mode", Set(r#""NONE""#), CHANGED),
                ("/toolConfig/functionCallingConfig/allowedFunctionNames/0", Set(r#""write""#), CHANGED),
                ("/toolConfig", Drop, MISSING),
                ("/generationConfig/responseMimeType", Drop, MISSING),
                ("/generationConfig/thinkingConfig/thinkingBudget", Set("2"), CHANGED),
            ],
        },
        Case {
            dialect: "bedrock.converse",
            document: r#"{"messages":[{"role":"user","content":[{"text":"hi"}]}],"toolConfig":{"tools":[],"toolChoice":{"tool":{"name":"read"}}},
                "additionalModelRequestFields":{"thinking":{"budget_tokens":1}}}"#,
            edits: &[
                ("/toolConfig/toolChoice", Set(r#"{"any":{}}"#), CHANGED),
                ("/toolConfig/toolChoice", Drop, MISSING),
                ("/additionalModelRequestFields", Drop, MISSING),
            ],
        },
        Case {
            dialect: "mistral.chat",
            document: r#"{"messages":[{"role":"user","content":"hi"}],"tool_choice":"any"}"#,
            edits: &[("/tool_choice", Set(r#""required""#), None), ("/tool_choice", Set(r#""none""#), CHANGED)],
        },
        Case {
            dialect: "cohere.v2",
            document: r#"{"messages":[{"role":"user","content":"hi"}],"tool_choice":"REQUIRED","response_format":{"type":"json_object"}}"#,
            edits: &[("/tool_choice", Set(r#""NONE""#), CHANGED), ("/response_format", Drop, MISSING)],
        },
        Case {
            dialect: "ollama.chat",
            document: r#"{"messages":[{"role":"user","content":"hi"}],"format":"json","think":true}"#,
            edits: &[("/format", Drop, MISSING), ("/format", Set(SCHEMA), CHANGED), ("/think", Set("false"), CHANGED)],
        },
    ]);
    // Between dialects that both have them.
    for (choice, other, reason) in [
        (r#""required""#, r#"{"type":"any"}"#, None),
        (r#""required""#, r#"{"type":"none"}"#, CHANGED),
        (r#""none""#, r#"{"type":"none"}"#, None),
        (r#""none""#, "null", MISSING),
        (r#"{"type":"function","function":{"name":"read"}}"#, r#"{"type":"tool","name":"read"}"#, None),
        (r#"{"type":"function","function":{"name":"read"}}"#, r#"{"type":"tool","name":"write"}"#, CHANGED),
        ("null", r#"{"type":"none"}"#, CHANGED),
    ] {
        let chat = format!(r#"{{"messages":[{{"role":"user","content":"hi"}}],"tool_choice":{choice}}}"#);
        let answer = format!(r#"{{"messages":[{{"role":"user","content":"hi"}}],"tool_choice":{other}}}"#);
        let comparison = compared(("openai.chat", &chat), ("anthropic.messages", &answer));
        let found = comparison.differences.first().map(|difference| difference.reason);
        assert_eq!(found, reason, "{choice} {other}");
        assert!(comparison.is_same(), "settings do not make an answer another one");
    }
}

#[test]
fn sources_of_texts() {
    check(&[
        Case {
            dialect: "anthropic.messages",
            document: r#"[{"role":"assistant","content":[{"type":"text","text":"t","citations":[{"type":"char_location","cited_text":"c"}]},{"type":"text","text":"u"}]}]"#,
            edits: &[
                ("/0/content/0/citations", Drop, MISSING),
                ("/0/content/0/citations/0/cited_text", Set(r#""d""#), CHANGED),
                ("/0/content/1/citations", Set("[]"), None),
            ],
        },
        Case {
            dialect: "openai.responses",
            document: r#"[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"t","annotations":[{"type":"url_citation","url":"u"}]}]}]"#,
            edits: &[
                ("/0/content/0/annotations", Drop, MISSING),
                ("/0/content/0/annotations", Set("[]"), CHANGED),
                ("/0/content/0/annotations/0/url", Set(r#""v""#), CHANGED),
            ],
        },
        Case {
            dialect: "gemini.contents",
            document: r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"t"}]},"groundingMetadata":{"webSearchQueries":["q"]}}]}"#,
            edits: &[
                ("/candidates/0/groundingMetadata", Drop, MISSING),
                ("/candidates/0/groundingMetadata/webSearchQueries/0", Set(r#""r""#), CHANGED),
            ],
        },
        Case {
            dialect: "cohere.v2",
            document: r#"[{"role":"assistant","content":[{"type":"text","text":"t"}],"citations":[{"start":0,"end":1,"text":"t"}]}]"#,
            edits: &[("/0/citations", Drop, MISSING), ("/0/citations/0/end", Set("2"), CHANGED)],
        },
        Case {
            dialect: "openai.chat",
            document: r#"[{"role":"assistant","content":"t","annotations":[{"type":"url_citation","url_citation":{"url":"u"}}]}]"#,
            edits: &[("/0/annotations", Drop, MISSING), ("/0/annotations/0/url_citation/url", Set(r#""v""#), CHANGED)],
        },
    ]);
    let cited = r#"[{"role":"assistant","content":[{"type":"text","text":"t","citations":[{"type":"char_location","cited_text":"c"}]}]}]"#;
    let chat = compared(("anthropic.messages", cited), ("openai.chat", r#"[{"role":"assistant","content":"t"}]"#));
    assert!(chat.differences.is_empty(), "another dialect does not have it: {:?}", chat.differences);
}

#[test]
fn structured_content_and_resources() {
    check(&[
        Case {
            dialect: "mcp.tool-result",
            document: r#"{"content":[{"type":"text","text":"42 degrees"}],"structuredContent":{"temp":42}}"#,
            edits: &[
                ("/structuredContent/temp", Set("43"), RESULT),
                ("/structuredContent", Drop, RESULT),
                ("/content/0", Drop, RESULT),
                ("/content/0/text", Set(r#""43 degrees""#), RESULT),
                ("/content/0/text", Set(r#""{\"temp\":42}""#), RESULT),
            ],
        },
        Case {
            dialect: "mcp.tool-result",
            document: r#"{"content":[],"structuredContent":[]}"#,
            edits: &[("/structuredContent", Drop, RESULT), ("/structuredContent", Set("[1]"), RESULT)],
        },
        Case {
            dialect: "mcp.tool-result",
            document: r#"{"content":[{"type":"text","text":"{\"temp\":42}"}]}"#,
            edits: &[
                ("/structuredContent", Set(r#"{"temp":42}"#), None),
                ("/structuredContent", Set(r#"{"temp":43}"#), RESULT),
            ],
        },
        Case {
            dialect: "mcp.tool-result",
            document: r#"{"content":[{"type":"resource_link","uri":"file:///a.txt","name":"a","title":"T","description":"D","mimeType":"text/plain"},
                {"type":"resource","resource":{"uri":"file:///b.png","blob":"$PNG","mimeType":"image/png"}},{"type":"resource","resource":{"uri":"file:///c.txt","text":"words"}}]}"#,
            edits: &[
                ("/content/0/name", Set(r#""b""#), RESULT),
                ("/content/0/title", Drop, RESULT),
                ("/content/0/description", Set(r#""E""#), RESULT),
                ("/content/0/mimeType", Set(r#""text/html""#), RESULT),
                ("/content/0", Set(r#"{"type":"text","text":"T file:///a.txt"}"#), RESULT),
                ("/content/1/resource/uri", Set(r#""file:///d.png""#), RESULT),
                ("/content/2", Set(r#"{"type":"text","text":"words"}"#), RESULT),
                ("/content/2/resource/text", Set(r#""other""#), RESULT),
            ],
        },
        Case {
            dialect: "mcp.sampling",
            document: r#"{"maxTokens":9,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[
                {"type":"tool_result","toolUseId":"a","content":[{"type":"text","text":"42 degrees"},{"type":"resource_link","uri":"file:///a.txt","name":"a"}],"structuredContent":{"temp":42}}]}]}"#,
            edits: &[
                ("/messages/1/content/0/structuredContent/temp", Set("43"), RESULT),
                ("/messages/1/content/0/structuredContent", Drop, RESULT),
                ("/messages/1/content/0/content/0", Drop, RESULT),
                ("/messages/1/content/0/content/1/name", Set(r#""b""#), RESULT),
            ],
        },
        Case {
            dialect: "mcp.prompt",
            document: r#"{"messages":[{"role":"user","content":{"type":"resource_link","uri":"file:///a.txt","name":"a","description":"D"}}]}"#,
            edits: &[
                ("/messages/0/content/description", Set(r#""E""#), Some(Reason::TextMissing)),
                ("/messages/0/content", Set(r#"{"type":"text","text":"a file:///a.txt"}"#), Some(Reason::TextMissing)),
            ],
        },
    ]);
    let link = r#"{"content":[{"type":"resource_link","uri":"file:///a.txt","name":"a"}]}"#;
    let text = r#"{"content":[{"type":"text","text":"a file:///a.txt"}]}"#;
    let older = compared(("mcp.tool-result", link), ("mcp.tool-result@2025-03-26", text));
    assert!(older.differences.is_empty(), "the revision has no links: {:?}", older.differences);
    // An empty resource before a link says nothing.
    let silent = r#"{"content":[{"type":"resource","resource":{"uri":"file:///b.txt","text":""}},{"type":"resource_link","uri":"file:///a.txt","name":"a"}]}"#;
    let blocks = r#"{"role":"toolResult","content":[{"type":"text","text":"[a] file:///a.txt","native":{"mcp.tool-result":{"type":"resource_link","uri":"file:///a.txt","name":"a"}}}]}"#;
    let canonical = compared(("mcp.tool-result", silent), ("canonical", blocks));
    assert!(canonical.differences.is_empty(), "{:?}", canonical.differences);
    let loud = silent.replace(r#""text":"""#, r#""text":"b""#);
    assert!(!compared(("mcp.tool-result", &loud), ("canonical", blocks)).differences.is_empty());
    // The next text begins with a word that the title holds, too.
    let link = r#"{"content":[{"type":"resource_link","uri":"file:///a.txt","name":"a","title":"read the\r\n file"},{"type":"text","text":"the"}]}"#;
    let text = |words: &str| {
        format!(r#"{{"content":[{{"type":"text","text":"{words} file:///a.txt"}},{{"type":"text","text":"the"}}]}}"#)
    };
    for (words, is_same) in [(r"[read the\r\n file]", true), (r"[read the\r\n file] not", false)] {
        let older = compared(("mcp.tool-result", link), ("mcp.tool-result@2025-03-26", &text(words)));
        assert_eq!(older.differences.is_empty(), is_same, "{words}: {:?}", older.differences);
    }
}

#[test]
fn items_of_the_provider_stay_in_their_turn_and_keep_their_references() {
    const SEARCH: &str =
        r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"x"}}"#;
    let message = |role: &str, text: &str| {
        let kind = if role == "user" { "input_text" } else { "output_text" };
        format!(r#"{{"type":"message","role":"{role}","content":[{{"type":"{kind}","text":"{text}"}}]}}"#)
    };
    let turns =
        [message("user", "one"), message("assistant", "two"), message("user", "three"), message("assistant", "four")];
    let with_search_at = |at: usize| {
        let mut items = turns.to_vec();
        items.insert(at, SEARCH.to_owned());
        format!("[{}]", items.join(","))
    };
    // Before and behind the text of the first turn of the assistant; before and behind the text of the second one.
    let places = [with_search_at(1), with_search_at(2), with_search_at(3), with_search_at(4)];
    for (from, expected) in places.iter().enumerate() {
        for (to, answer) in places.iter().enumerate() {
            let comparison = compared(("openai.responses", expected), ("openai.responses", answer));
            assert_eq!(comparison.is_same(), from / 2 == to / 2, "{from} {to}: {:?}", comparison.differences);
        }
    }
    // In other turns, items of the provider stay where they are.
    let upload = r#"{"type":"container_upload","file_id":"f"}"#;
    let text = r#"{"type":"text","text":"t"}"#;
    let first = format!(r#"[{{"role":"user","content":[{upload},{text}]}}]"#);
    let last = format!(r#"[{{"role":"user","content":[{text},{upload}]}}]"#);
    for (expected, answer) in [(&first, &last), (&last, &first)] {
        assert!(!compared(("anthropic.messages", expected), ("anthropic.messages", answer)).is_same());
    }
    check(&[
        Case {
            dialect: "anthropic.messages",
            document: r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}},
                {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"t","url":"https://u","encrypted_content":"e"}]},{"type":"text","text":"so"}]}]"#,
            edits: &[
                ("/1/content/0/id", Set(r#""srvtoolu_2""#), Some(Reason::ReferenceDangling)),
                ("/1/content/1/tool_use_id", Set(r#""srvtoolu_2""#), Some(Reason::ReferenceDangling)),
                ("/1/content/1", Drop, ITEM),
                ("/1/content/1/content/0/url", Set(r#""https://v""#), ITEM),
            ],
        },
        Case {
            dialect: "openai.responses",
            document: r#"[{"role":"user","content":"go"},{"type":"apply_patch_call","call_id":"p1","status":"completed","operation":{"type":"delete_file","path":"a"}},
                {"type":"apply_patch_call_output","call_id":"p1","status":"failed","output":"no"},{"type":"item_reference","id":"msg_1"}]"#,
            edits: &[
                ("/2/status", Set(r#""completed""#), ITEM),
                ("/2/call_id", Set(r#""p2""#), Some(Reason::ReferenceDangling)),
                ("/3/id", Set(r#""msg_2""#), ITEM),
            ],
        },
        Case {
            dialect: "openai.chat",
            document: r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"audio":{"id":"audio_1"}}]"#,
            edits: &[("/1/audio/id", Set(r#""audio_2""#), ITEM), ("/1/audio", Set("null"), ITEM)],
        },
        Case {
            dialect: "bedrock.converse",
            document: r#"{"system":[{"guardContent":{"text":{"text":"g"}}}],"messages":[{"role":"user","content":[{"text":"hi"}]}]}"#,
            edits: &[
                ("/system/0", Drop, ITEM),
                ("/system/1", Set(r#"{"guardContent":{"text":{"text":"h"}}}"#), INVENTED),
            ],
        },
    ]);
}

#[test]
fn texts_with_sources_are_said() {
    check(&[Case {
        dialect: "bedrock.converse",
        document: r#"[{"role":"assistant","content":[{"text":"The report says "},
            {"citationsContent":{"content":[{"text":"sales grew not"}],"citations":[{"title":"t"}]}},{"text":" by 3%."}]}]"#,
        edits: &[
            ("/0/content/1", Drop, Some(Reason::TextMissing)),
            ("/0/content/1/citationsContent/content/0/text", Set(r#""sales grew""#), Some(Reason::TextChanged)),
            ("/0/content/1/citationsContent/citations", Drop, MISSING),
            ("/0/content/1/citationsContent/citations/0/title", Set(r#""u""#), CHANGED),
            ("/0/content/1/citationsContent/citations", Set("[]"), CHANGED),
            ("/0/content/3", Set(r#"{"citationsContent":{"content":[],"citations":[{"title":"t"}]}}"#), INVENTED),
        ],
    }]);
}

#[test]
fn instructions_beside_messages_of_the_ai_sdk() {
    for (dialect, messages) in [
        ("ai-sdk.model", r#"[{"role":"user","content":"Hi"}]"#),
        ("ai-sdk.ui", r#"[{"id":"m","role":"user","parts":[{"type":"text","text":"Hi"}]}]"#),
    ] {
        let of = |system: &str| format!(r#"{{{system}"messages":{messages}}}"#);
        let none = of("");
        let text = of(r#""system":"Never delete.","#);
        let others = [
            of(r#""instructions":"Never delete.","#),
            of(r#""system":{"role":"system","content":"Never delete."},"#),
            of(r#""instructions":[{"role":"system","content":"Never"},{"role":"system","content":"delete."}],"#),
        ];
        let reasons = |expected: &str, answer: &str| -> Vec<Reason> {
            let differences = compared((dialect, expected), (dialect, answer)).differences;
            differences.into_iter().map(|difference| difference.reason).collect()
        };
        for other in others {
            assert_eq!(reasons(&text, &other), [], "{other}");
        }
        for nothing in [r#""system":null,"#, r#""system":"","#, r#""instructions":[],"#] {
            assert_eq!(reasons(&none, &of(nothing)), [], "{nothing}");
        }
        assert_eq!(reasons(&text, &none), [Reason::TextMissing]);
        assert_eq!(reasons(&none, &text), [Reason::TextInvented]);
        assert_eq!(reasons(&text, &of(r#""system":"Always delete.","#)), [Reason::TextChanged]);
    }
}

#[test]
fn images_that_the_model_made() {
    check(&[Case {
        dialect: "openai.chat",
        document: r#"[{"role":"assistant","content":"Here.","images":[{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}}]}]"#,
        edits: &[
            ("/0/images", Drop, ITEM),
            ("/0/images/0/image_url/url", Set(r#""data:image/png;base64,AAAA""#), ITEM),
            ("/0/content", Set(r#""Here!""#), Some(Reason::TextChanged)),
        ],
    }]);
}

#[test]
fn settings_of_the_answer_in_all_dialects() {
    let of = |dialect: &str, settings: &str| match dialect {
        "openai.responses" => format!(r#"{{{settings},"input":[{{"role":"user","content":"Hi"}}]}}"#),
        "gemini.contents" => {
            format!(r#"{{"generationConfig":{{{settings}}},"contents":[{{"role":"user","parts":[{{"text":"Hi"}}]}}]}}"#)
        }
        "bedrock.converse" => {
            format!(
                r#"{{"inferenceConfig":{{{settings}}},"messages":[{{"role":"user","content":[{{"text":"Hi"}}]}}]}}"#
            )
        }
        "ollama.chat" => format!(r#"{{"options":{{{settings}}},"messages":[{{"role":"user","content":"Hi"}}]}}"#),
        "mcp.sampling" => {
            format!(r#"{{{settings},"messages":[{{"role":"user","content":{{"type":"text","text":"Hi"}}}}]}}"#)
        }
        _ => format!(r#"{{{settings},"messages":[{{"role":"user","content":"Hi"}}]}}"#),
    };
    // The settings of each dialect, and one that has other values.
    let requests = [
        ("anthropic.messages", r#""max_tokens":9,"temperature":0.5,"stop_sequences":["x"]"#),
        ("openai.chat", r#""max_tokens":9,"temperature":0.5,"stop":"x""#),
        ("gemini.contents", r#""maxOutputTokens":9,"temperature":0.5,"stopSequences":["x"]"#),
        ("bedrock.converse", r#""maxTokens":9,"temperature":0.50,"stopSequences":["x"]"#),
        ("mistral.chat", r#""max_tokens":9,"temperature":0.5,"stop":["x"]"#),
        ("cohere.v2", r#""max_tokens":9,"temperature":0.5,"stop_sequences":["x"]"#),
        ("ollama.chat", r#""num_predict":9,"temperature":0.5,"stop":["x"]"#),
        ("ai-sdk.model", r#""maxOutputTokens":9,"temperature":0.5,"stopSequences":["x"]"#),
        ("mcp.sampling", r#""maxTokens":9,"temperature":0.5,"stopSequences":["x"]"#),
    ];
    for (from, settings) in requests {
        let expected = of(from, settings);
        for (to, others) in requests {
            let same = compared((from, &expected), (to, &of(to, others)));
            assert!(same.differences.is_empty(), "{from} {to}: {:?}", same.differences);
            for others in [others.replace("0.5", "0.7"), others.replace(":9", ":8"), others.replace(r#""x""#, r#""y""#)]
            {
                let answer = of(to, &others);
                let other = compared((from, &expected), (to, &answer));
                let reasons: Vec<_> = other.differences.iter().map(|difference| difference.reason).collect();
                assert_eq!(reasons, [Reason::AttributeChanged], "{from} {to}: {answer}");
                assert!(other.is_same(), "a setting does not make two conversations differ");
            }
        }
    }
    let plain = r#"{"messages":[{"role":"user","content":"Hi"}]}"#;
    let reasons = |from: (&str, &str), to: (&str, &str)| -> Vec<Reason> {
        compared(from, to).differences.into_iter().map(|difference| difference.reason).collect()
    };
    let limited = of("anthropic.messages", r#""max_tokens":9"#);
    assert_eq!(reasons(("openai.chat", plain), ("anthropic.messages", &limited)), [], "servers demand a limit");
    assert_eq!(reasons(("anthropic.messages", plain), ("anthropic.messages", &limited)), [Reason::AttributeChanged]);
    assert_eq!(reasons(("anthropic.messages", &limited), ("openai.chat", plain)), [Reason::AttributeMissing]);
    let seeded = of("openai.chat", r#""seed":1,"top_p":null,"stop":[]"#);
    assert_eq!(reasons(("openai.chat", &seeded), ("anthropic.messages", plain)), [], "it has no seed");
    assert_eq!(reasons(("openai.chat", &seeded), ("openai.chat", plain)), [Reason::AttributeMissing]);
}
