//! Every equivalence, on both sides: what is the same by it, and what comes close and is not.

use std::collections::BTreeSet;

use wirecanon_observe::{Equivalence, Reason};

use crate::support::comparing::compared;

/// One equivalence: a conversation, an answer that is the same by it, and one that is not, with its reason.
struct Pair {
    equivalence: Equivalence,
    expected: (&'static str, &'static str),
    same: (&'static str, &'static str),
    other: (&'static str, &'static str),
    reason: Reason,
}

const PAIRS: &[Pair] = &[
    Pair {
        equivalence: Equivalence::Ids,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},
            {"role":"tool","tool_call_id":"a","content":"one"},{"role":"tool","tool_call_id":"b","content":"two"}]"#,
        ),
        same: (
            "openai.chat",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[
            {"id":"y","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"x","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},
            {"role":"tool","tool_call_id":"y","content":"one"},{"role":"tool","tool_call_id":"x","content":"two"}]"#,
        ),
        other: (
            "openai.chat",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[
            {"id":"y","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"x","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},
            {"role":"tool","tool_call_id":"x","content":"one"},{"role":"tool","tool_call_id":"y","content":"two"}]"#,
        ),
        reason: Reason::ResultMisattributed,
    },
    Pair {
        equivalence: Equivalence::Names,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"my.tool","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"one"}]"#,
        ),
        same: (
            "openai",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"my_tool","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"one"}]"#,
        ),
        other: (
            "openai.chat",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"my_tool","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"one"}]"#,
        ),
        reason: Reason::CallRenamed,
    },
    Pair {
        equivalence: Equivalence::Numbers,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1.0,\"y\":9007199254740993}"}}]},{"role":"tool","tool_call_id":"a","content":"one"}]"#,
        ),
        same: (
            "anthropic.messages",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"x":1,"y":9007199254740993}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]}]"#,
        ),
        other: (
            "anthropic.messages",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"x":1,"y":9007199254740992}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]}]"#,
        ),
        reason: Reason::NumberRounded,
    },
    Pair {
        equivalence: Equivalence::JsonLayout,
        expected: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1,\"y\":\"A\"}"}}]},{"role":"tool","tool_call_id":"a","content":"one"}]"#,
        ),
        same: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"f","arguments":"{ \"y\" : \"\\u0041\", \"x\":1 }"}}]},{"role":"tool","tool_call_id":"a","content":"one"}]"#,
        ),
        other: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool","tool_call_id":"a","content":"one"}]"#,
        ),
        reason: Reason::ArgumentsChanged,
    },
    Pair {
        equivalence: Equivalence::Turns,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":"one"},{"role":"user","content":"two"},{"role":"assistant","content":"three"}]"#,
        ),
        same: (
            "anthropic.messages",
            r#"[{"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]},{"role":"assistant","content":"three"}]"#,
        ),
        other: (
            "anthropic.messages",
            r#"[{"role":"user","content":"two"},{"role":"assistant","content":"three"},{"role":"user","content":"one"}]"#,
        ),
        reason: Reason::TextMoved,
    },
    Pair {
        equivalence: Equivalence::Texts,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":[{"type":"text","text":"one\r\nline"},{"type":"text","text":"two"}]}]"#,
        ),
        same: ("openai.chat", r#"[{"role":"user","content":" one\nline\n\ntwo "}]"#),
        other: ("openai.chat", r#"[{"role":"user","content":"one line\n\ntwo"}]"#),
        reason: Reason::TextChanged,
    },
    Pair {
        equivalence: Equivalence::EmptyText,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":"one"},{"role":"assistant","content":""},{"role":"user","content":"two"}]"#,
        ),
        same: ("openai.chat", r#"[{"role":"user","content":"one"},{"role":"user","content":"two"}]"#),
        other: (
            "openai.chat",
            r#"[{"role":"user","content":"one"},{"role":"assistant","content":"I wait."},{"role":"user","content":"two"}]"#,
        ),
        reason: Reason::TextInvented,
    },
    Pair {
        equivalence: Equivalence::TextsAndCalls,
        expected: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"text","text":"I look."}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]}]"#,
        ),
        same: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"a","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]}]"#,
        ),
        other: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]},{"role":"assistant","content":"I look."}]"#,
        ),
        reason: Reason::TextMoved,
    },
    Pair {
        equivalence: Equivalence::ResultOrder,
        expected: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[
            {"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},
            {"role":"tool","tool_call_id":"a","content":"one"},{"role":"tool","tool_call_id":"b","content":"two"},{"role":"user","content":"so?"}]"#,
        ),
        same: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{"x":1}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"two"}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},{"type":"text","text":"so?"}]}]"#,
        ),
        other: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{"x":1}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"two"}]},
            {"role":"user","content":[{"type":"text","text":"so?"},{"type":"tool_result","tool_use_id":"a","content":"one"}]}]"#,
        ),
        reason: Reason::ResultMoved,
    },
    Pair {
        equivalence: Equivalence::EmptyResult,
        expected: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":""}]"#,
        ),
        same: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"(no output)"}]}]"#,
        ),
        other: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"42"}]}]"#,
        ),
        reason: Reason::ResultChanged,
    },
    Pair {
        equivalence: Equivalence::Instructions,
        expected: (
            "openai.chat",
            r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hi"}]}"#,
        ),
        same: ("anthropic.messages", r#"{"system":"Be brief.","messages":[{"role":"user","content":"hi"}]}"#),
        other: (
            "anthropic.messages",
            r#"{"messages":[{"role":"user","content":"Be brief."},{"role":"user","content":"hi"}]}"#,
        ),
        reason: Reason::InstructionsDemoted,
    },
    Pair {
        equivalence: Equivalence::MarkedInstructions,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"},{"role":"system","content":"Now be brief."},{"role":"user","content":"so?"}]"#,
        ),
        same: (
            "anthropic",
            r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"},{"role":"user","content":"[system instructions] Now be brief.\n\nso?"}]"#,
        ),
        other: (
            "anthropic",
            r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"},{"role":"user","content":"Now be brief.\n\nso?"}]"#,
        ),
        reason: Reason::InstructionsDemoted,
    },
    Pair {
        equivalence: Equivalence::ResultJson,
        expected: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"{\"rows\": [1, 2]}"}]"#,
        ),
        same: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"{\"rows\":[1,2]}"}]"#,
        ),
        other: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"{\"rows\":[2,1]}"}]"#,
        ),
        reason: Reason::ResultChanged,
    },
    Pair {
        equivalence: Equivalence::ResultMedia,
        expected: (
            "anthropic.messages",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"shot","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"here"},
            {"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"}}]}]},{"role":"assistant","content":"A cat."}]"#,
        ),
        same: (
            "openai",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"shot","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"call_1","content":"here\n[image attached below]"},
            {"role":"user","content":[{"type":"text","text":"Image of tool call call_1:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}}]},
            {"role":"assistant","content":"A cat."}]"#,
        ),
        other: (
            "openai",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"shot","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"call_1","content":"here\n[image: a dog]"},
            {"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}}]},
            {"role":"assistant","content":"A cat."}]"#,
        ),
        reason: Reason::ResultChanged,
    },
    Pair {
        equivalence: Equivalence::Bytes,
        expected: (
            "anthropic.messages",
            r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"$PNG"}}]}]"#,
        ),
        same: (
            "openai.chat",
            r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/x-png;base64,$PNG"}}]}]"#,
        ),
        other: (
            "openai.chat",
            r#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]"#,
        ),
        reason: Reason::MediaReplaced,
    },
    Pair {
        equivalence: Equivalence::MediaNote,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,$PNG"}}]}]"#,
        ),
        same: (
            "deepseek",
            r#"[{"role":"user","content":[{"type":"text","text":"look"},{"type":"text","text":"(image/png omitted)"}]}]"#,
        ),
        other: (
            "deepseek",
            r#"[{"role":"user","content":[{"type":"text","text":"look"},{"type":"text","text":"(a picture of a cat)"}]}]"#,
        ),
        reason: Reason::MediaMissing,
    },
    Pair {
        equivalence: Equivalence::DocumentText,
        expected: (
            "anthropic.messages",
            r#"[{"role":"user","content":[{"type":"document","title":"notes","source":{"type":"text","media_type":"text/plain","data":"buy milk"}},{"type":"text","text":"so?"}]}]"#,
        ),
        same: ("openai.chat", r#"[{"role":"user","content":"[document: notes] buy milk\n\nso?"}]"#),
        other: ("openai.chat", r#"[{"role":"user","content":"[document: notes] buy bread\n\nso?"}]"#),
        reason: Reason::MediaMissing,
    },
    Pair {
        equivalence: Equivalence::Address,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}]"#,
        ),
        same: (
            "kimi",
            r#"[{"role":"user","content":[{"type":"text","text":"look"},{"type":"text","text":"image: https://example.com/a.png"}]}]"#,
        ),
        other: (
            "kimi",
            r#"[{"role":"user","content":[{"type":"text","text":"look"},{"type":"text","text":"image: https://example.com/b.png"}]}]"#,
        ),
        reason: Reason::MediaMissing,
    },
    Pair {
        equivalence: Equivalence::ErrorText,
        expected: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"no such table"}]}]"#,
        ),
        same: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"Error executing tool: no such table"}]"#,
        ),
        other: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"no such table"}]}]"#,
        ),
        reason: Reason::ErrorFlagLost,
    },
    Pair {
        equivalence: Equivalence::Resource,
        expected: (
            "mcp.tool-result",
            r#"{"content":[{"type":"resource_link","uri":"file:///chart.csv","name":"chart","title":"The chart"}]}"#,
        ),
        same: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"The chart: file:///chart.csv"}]"#,
        ),
        other: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"The chart"}]"#,
        ),
        reason: Reason::ResultChanged,
    },
    Pair {
        equivalence: Equivalence::StructuredContent,
        expected: (
            "mcp.tool-result",
            r#"{"content":[{"type":"text","text":"two rows"}],"structuredContent":{"rows":2}}"#,
        ),
        same: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"two rows"},{"type":"text","text":"{\"rows\": 2}"}]}]"#,
        ),
        other: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"a","content":"two rows"}]"#,
        ),
        reason: Reason::ResultChanged,
    },
    Pair {
        equivalence: Equivalence::Reasoning,
        expected: (
            "anthropic.messages",
            r#"[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"4"}]}]"#,
        ),
        same: ("openai.chat", r#"[{"role":"user","content":"q"},{"role":"assistant","content":"4"}]"#),
        other: (
            "openai.chat",
            r#"[{"role":"user","content":"q"},{"role":"assistant","content":"<think>hm</think>4"}]"#,
        ),
        reason: Reason::ReasoningAsText,
    },
    Pair {
        equivalence: Equivalence::ProviderItem,
        expected: (
            "anthropic.messages",
            r#"[{"role":"user","content":[{"type":"container_upload","file_id":"file_1"},{"type":"text","text":"so?"}]}]"#,
        ),
        same: ("openai.chat", r#"[{"role":"user","content":"so?"}]"#),
        other: ("openai.chat", r#"[{"role":"user","content":"Here is my secret file.\n\nso?"}]"#),
        reason: Reason::TextInvented,
    },
    Pair {
        equivalence: Equivalence::Filler,
        expected: ("openai.chat", r#"[{"role":"assistant","content":"Welcome."},{"role":"user","content":"hi"}]"#),
        same: (
            "anthropic",
            r#"[{"role":"user","content":"(conversation continues)"},{"role":"assistant","content":"Welcome."},{"role":"user","content":"hi"}]"#,
        ),
        other: (
            "anthropic",
            r#"[{"role":"user","content":"Yes, delete it."},{"role":"assistant","content":"Welcome."},{"role":"user","content":"hi"}]"#,
        ),
        reason: Reason::TextInvented,
    },
    Pair {
        equivalence: Equivalence::ToolsAsText,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read","arguments":"{\"x\":1}"}}]},
            {"role":"tool","tool_call_id":"a","content":"one"},{"role":"user","content":"so?"}]"#,
        ),
        same: (
            "mcp.prompt",
            r#"{"messages":[{"role":"user","content":{"type":"text","text":"go"}},{"role":"assistant","content":{"type":"text","text":"[tool call a (read)] {\"x\":1}"}},
            {"role":"user","content":{"type":"text","text":"[tool result a] one"}},{"role":"user","content":{"type":"text","text":"so?"}}]}"#,
        ),
        other: (
            "mcp.prompt",
            r#"{"messages":[{"role":"user","content":{"type":"text","text":"go"}},{"role":"assistant","content":{"type":"text","text":"[tool call a (read)] {}"}},
            {"role":"user","content":{"type":"text","text":"[tool result a] one"}},{"role":"user","content":{"type":"text","text":"so?"}}]}"#,
        ),
        reason: Reason::CallMissing,
    },
    Pair {
        equivalence: Equivalence::CustomTool,
        expected: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"custom","custom":{"name":"sh","input":"ls -l"}}]},{"role":"tool","tool_call_id":"a","content":"one"}]"#,
        ),
        same: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"sh","input":{"input":"ls -l"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]}]"#,
        ),
        other: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"sh","input":{"input":"ls"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]}]"#,
        ),
        reason: Reason::ArgumentsChanged,
    },
    Pair {
        equivalence: Equivalence::StandIn,
        expected: (
            "canonical",
            r#"{"messages":[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":"{}"}]},
            {"role":"toolResult","toolCallId":"a","toolName":"f","isError":true,"synthetic":true,"content":[{"type":"text","text":"[wirecanon: no result was recorded for this tool call]"}]}]}"#,
        ),
        same: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"Tool execution was interrupted"}]}]"#,
        ),
        other: (
            "anthropic.messages",
            r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"OK, deleted."}]}]"#,
        ),
        reason: Reason::ResultChanged,
    },
    Pair {
        equivalence: Equivalence::Definitions,
        expected: (
            "openai.chat",
            r#"{"messages":[{"role":"user","content":"go"}],"tools":[{"type":"function","function":{"name":"f","description":"Does it","parameters":{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}}}]}"#,
        ),
        same: (
            "anthropic.messages",
            r#"{"messages":[{"role":"user","content":"go"}],"tools":[{"name":"f","description":"Does it","input_schema":{"properties":{"x":{"type":"string"}},"type":"object"}}]}"#,
        ),
        other: (
            "anthropic.messages",
            r#"{"messages":[{"role":"user","content":"go"}],"tools":[{"name":"f","description":"Does it","input_schema":{"properties":{"y":{"type":"string"}},"type":"object"}}]}"#,
        ),
        reason: Reason::ToolChanged,
    },
    Pair {
        equivalence: Equivalence::Characters,
        expected: ("openai.chat", r#"[{"role":"user","content":"a\u0000b"}]"#),
        same: ("openai.chat", r#"[{"role":"user","content":"a\ufffdb"}]"#),
        other: ("openai.chat", r#"[{"role":"user","content":"axb"}]"#),
        reason: Reason::TextChanged,
    },
    Pair {
        equivalence: Equivalence::FileNames,
        expected: (
            "openai.chat",
            r#"[{"role":"user","content":[{"type":"file","file":{"filename":"my report.pdf","file_data":"data:application/pdf;base64,JVBERi0xLjQK"}}]}]"#,
        ),
        same: (
            "anthropic.messages",
            r#"[{"role":"user","content":[{"type":"document","title":"report","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQK"}}]}]"#,
        ),
        other: (
            "anthropic.messages",
            r#"[{"role":"user","content":[{"type":"document","title":"my report.pdf","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjUK"}}]}]"#,
        ),
        reason: Reason::MediaReplaced,
    },
    Pair {
        equivalence: Equivalence::Settings,
        expected: ("openai.chat", r#"[{"role":"user","name":"ann","content":"hi"}]"#),
        same: ("anthropic.messages", r#"[{"role":"user","content":"hi"}]"#),
        other: ("openai.chat", r#"[{"role":"user","content":"hi"}]"#),
        reason: Reason::AttributeMissing,
    },
    Pair {
        equivalence: Equivalence::RawArguments,
        expected: (
            "langchain",
            r#"[{"type":"ai","data":{"content":"","invalid_tool_calls":[{"id":"a","name":"f","args":"{\"x\":","type":"invalid_tool_call"}]}},{"type":"tool","data":{"content":"no","tool_call_id":"a"}}]"#,
        ),
        same: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"raw\":\"{\\\"x\\\":\"}"}}]},{"role":"tool","tool_call_id":"a","content":"no"}]"#,
        ),
        other: (
            "openai.chat",
            r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"no"}]"#,
        ),
        reason: Reason::ArgumentsUnparsable,
    },
];

#[test]
fn every_equivalence_has_two_sides() {
    // Texts that a program adds have a test of their own: they depend on more than two documents.
    let others = [Equivalence::AddedText];
    let covered: BTreeSet<_> = PAIRS.iter().map(|pair| pair.equivalence).chain(others).collect();
    let missing: Vec<_> =
        Equivalence::ALL.iter().filter(|row| !covered.contains(&row.equivalence)).map(|row| row.id).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let mut wrong = Vec::new();
    for pair in PAIRS {
        let id = pair.equivalence.id();
        let same = compared(pair.expected, pair.same);
        if !same.differences.is_empty() {
            wrong.push(format!("{id}, the same: {:?}", same.differences));
        }
        let other = compared(pair.expected, pair.other);
        if !same.equivalences.contains(&pair.equivalence) {
            wrong.push(format!("{id}, the same by others: {:?}", same.equivalences));
        }
        if other.differences.iter().all(|difference| difference.reason != pair.reason) {
            wrong.push(format!("{id}, another: {:?}", other.differences));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
