//! A document of each dialect with most of what the dialect can say.

use wirecanon_model::Dialect;

/// The documents, in the order of [`Dialect::ALL`].
pub(crate) const DOCUMENTS: [(Dialect, &str); Dialect::ALL.len()] = [
    (
        Dialect::Canonical,
        r#"{"messages":[
        {"role":"system","content":[{"type":"text","text":"Be brief."}]},
        {"role":"user","content":[{"type":"text","text":"look"},{"type":"image","data":"AAAA","mimeType":"image/png"},
            {"type":"link","url":"https://example.com/a.png"},{"type":"file","data":"JVBE","mimeType":"application/pdf","name":"a.pdf"}]},
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"I look."},
            {"type":"toolCall","id":"c1","name":"read","arguments":"{\"path\":\"a.txt\"}"},
            {"type":"opaque","dialect":"anthropic.messages","value":{"type":"container_upload","file_id":"f1"}}]},
        {"role":"toolResult","toolCallId":"c1","toolName":"read","isError":true,"content":[{"type":"text","text":"no such file"}]},
        {"role":"assistant","content":[{"type":"text","text":""}]}],
        "tools":[{"name":"read","description":"Reads a file","parameters":{"type":"object"}}]}"#,
    ),
    (
        Dialect::OpenClaw,
        r#"{"messages":[
        {"role":"user","content":"look"},
        {"role":"compactionSummary","summary":"We had greeted."},
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I look."},
            {"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.txt"}}]},
        {"role":"toolResult","toolCallId":"c1","toolName":"read","isError":false,"content":[{"type":"text","text":"alpha"},
            {"type":"image","data":"AAAA","mimeType":"image/png"}]},
        {"role":"assistant","stopReason":"error","content":[{"type":"toolCall","id":"c2","name":"read","arguments":{}}]}]}"#,
    ),
    (
        Dialect::AnthropicMessages,
        r#"{"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":[
        {"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},
            {"type":"document","source":{"type":"text","media_type":"text/plain","data":"words"},"title":"a.txt"}]},
        {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"I look."},
            {"type":"tool_use","id":"c1","name":"read","input":{"path":"a.txt"}},
            {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"text","text":"no such file"},
            {"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]},{"type":"text","text":"well"}]}],
        "tools":[{"name":"read","description":"Reads a file","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search"}]}"#,
    ),
    (
        Dialect::OpenAiChat,
        r#"{"messages":[
        {"role":"developer","content":"Be brief."},
        {"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},
            {"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},{"type":"file","file":{"file_id":"f1"}}]},
        {"role":"assistant","content":"I look.","refusal":null,"tool_calls":[
            {"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}},
            {"id":"c2","type":"custom","custom":{"name":"patch","input":"*** Begin"}}]},
        {"role":"tool","tool_call_id":"c1","content":"alpha"},{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"done"}]}],
        "tools":[{"type":"function","function":{"name":"read","description":"Reads a file","parameters":{"type":"object"}}}]}"#,
    ),
    (
        Dialect::OpenAiResponses,
        r#"{"instructions":"Be brief.","input":[
        {"role":"user","content":[{"type":"input_text","text":"look"},{"type":"input_image","image_url":"https://example.com/a.png"},
            {"type":"input_file","file_data":"data:application/pdf;base64,JVBE","filename":"a.pdf"}]},
        {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"gAAA"},
        {"type":"function_call","call_id":"c1","name":"read","arguments":"{\"path\":\"a.txt\"}"},
        {"type":"function_call_output","call_id":"c1","output":"alpha"},
        {"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"x"}},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"It says alpha."}]}],
        "tools":[{"type":"function","name":"read","description":"Reads a file","parameters":{"type":"object"}}]}"#,
    ),
    (
        Dialect::GeminiContents,
        r#"{"systemInstruction":{"parts":[{"text":"Be brief."}]},"contents":[
        {"role":"user","parts":[{"text":"look"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"fileData":{"fileUri":"https://example.com/a.pdf","mimeType":"application/pdf"}}]},
        {"role":"model","parts":[{"text":"hm","thought":true},{"text":"I look."},{"functionCall":{"name":"read","args":{"path":"a.txt"}},"thoughtSignature":"s"},
            {"executableCode":{"language":"PYTHON","code":"print(1)"}}]},
        {"role":"user","parts":[{"functionResponse":{"name":"read","response":{"error":"no such file"}}}]}],
        "tools":[{"functionDeclarations":[{"name":"read","description":"Reads a file","parameters":{"type":"OBJECT"}}]}]}"#,
    ),
    (
        Dialect::BedrockConverse,
        r#"{"system":[{"text":"Be brief."}],"messages":[
        {"role":"user","content":[{"text":"look"},{"image":{"format":"png","source":{"bytes":"AAAA"}}},
            {"document":{"format":"pdf","name":"a","source":{"bytes":"JVBE"}}},{"cachePoint":{"type":"default"}}]},
        {"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}},{"text":"I look."},
            {"toolUse":{"toolUseId":"c1","name":"read","input":{"path":"a.txt"}}}]},
        {"role":"user","content":[{"toolResult":{"toolUseId":"c1","status":"error","content":[{"text":"no such file"},{"json":{"code":2}}]}}]}],
        "toolConfig":{"tools":[{"toolSpec":{"name":"read","description":"Reads a file","inputSchema":{"json":{"type":"object"}}}}]}}"#,
    ),
    (
        Dialect::MistralChat,
        r#"{"messages":[
        {"role":"system","content":"Be brief."},
        {"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":"https://example.com/a.png"}]},
        {"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"I look."}],
            "tool_calls":[{"id":"c12345678","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
        {"role":"tool","tool_call_id":"c12345678","name":"read","content":"alpha"}]}"#,
    ),
    (
        Dialect::CohereV2,
        r#"{"messages":[
        {"role":"system","content":"Be brief."},
        {"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]},
        {"role":"assistant","tool_plan":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
        {"role":"tool","tool_call_id":"c1","content":[{"type":"document","document":{"data":"alpha"}}]}]}"#,
    ),
    (
        Dialect::OllamaChat,
        r#"{"messages":[
        {"role":"system","content":"Be brief."},
        {"role":"user","content":"look","images":["AAAA"]},
        {"role":"assistant","thinking":"hm","content":"I look.","tool_calls":[{"function":{"name":"read","arguments":{"path":"a.txt"}}}]},
        {"role":"tool","tool_name":"read","content":"alpha"}]}"#,
    ),
    (
        Dialect::LangChain,
        r#"[
        {"type":"system","data":{"content":"Be brief."}},
        {"type":"human","data":{"content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}},
        {"type":"ai","data":{"content":[{"type":"reasoning","reasoning":"hm"},{"type":"text","text":"I look."}],"tool_calls":[{"id":"c1","name":"read","args":{"path":"a.txt"}}],
            "invalid_tool_calls":[{"id":"c2","name":"read","args":"{\"path\":"}]}},
        {"type":"tool","data":{"content":"no such file","tool_call_id":"c1","status":"error"}}]"#,
    ),
    (
        Dialect::AiSdkModel,
        r#"[
        {"role":"system","content":"Be brief."},
        {"role":"user","content":[{"type":"text","text":"look"},{"type":"image","image":"https://example.com/a.png"},{"type":"file","data":"JVBE","mediaType":"application/pdf"}]},
        {"role":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"I look."},{"type":"tool-call","toolCallId":"c1","toolName":"read","input":{"path":"a.txt"}}]},
        {"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"read","output":{"type":"error-text","value":"no such file"}}]}]"#,
    ),
    (
        Dialect::AiSdkUi,
        r#"[
        {"id":"1","role":"user","parts":[{"type":"text","text":"look"},{"type":"file","mediaType":"image/png","url":"data:image/png;base64,AAAA"}]},
        {"id":"2","role":"assistant","parts":[{"type":"step-start"},{"type":"reasoning","text":"hm"},{"type":"text","text":"I look."},
            {"type":"tool-read","toolCallId":"c1","state":"output-available","input":{"path":"a.txt"},"output":"alpha"},
            {"type":"dynamic-tool","toolName":"list","toolCallId":"c2","state":"output-error","input":{},"errorText":"no such folder"}]}]"#,
    ),
    (
        Dialect::OpenViking,
        r#"[
        {"role":"user","parts":[{"type":"text","text":"look"},{"type":"context","uri":"viking://a","abstract":"about a"}]},
        {"role":"assistant","parts":[{"type":"text","text":"I look."},{"type":"tool","tool_id":"c1","tool_name":"read","tool_input":{"path":"a.txt"},"tool_output":"no such file","tool_status":"error"}]}]"#,
    ),
    (
        Dialect::LosslessClaw,
        r#"[
        {"role":"user","content":"look","parts":[]},
        {"role":"assistant","content":"I look.","parts":[{"part_type":"text","ordinal":1,"text_content":"I look."},
            {"part_type":"reasoning","ordinal":0,"text_content":"hm"},
            {"part_type":"tool","ordinal":2,"tool_call_id":"c1","tool_name":"read","tool_input":"{\"path\":\"a.txt\"}","metadata":"{\"rawType\":\"toolCall\"}"}]},
        {"role":"tool","content":"alpha","parts":[{"part_type":"tool","ordinal":0,"tool_call_id":"c1","tool_name":"read","tool_output":"alpha","metadata":"{\"originalRole\":\"toolResult\"}"}]}]"#,
    ),
    (
        Dialect::McpToolResult,
        r#"{"content":[{"type":"text","text":"alpha"},{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"audio","data":"AAAA","mimeType":"audio/wav"},
        {"type":"resource_link","uri":"file:///a.txt","name":"a.txt"},{"type":"resource","resource":{"uri":"file:///b.txt","text":"words"}}],
        "structuredContent":{"lines":1},"isError":true}"#,
    ),
    (
        Dialect::McpPrompt,
        r#"{"messages":[{"role":"user","content":{"type":"text","text":"look"}},{"role":"assistant","content":{"type":"image","data":"AAAA","mimeType":"image/png"}}]}"#,
    ),
    (
        Dialect::McpSampling,
        r#"{"systemPrompt":"Be brief.","maxTokens":10,"messages":[{"role":"user","content":{"type":"text","text":"look"}},
        {"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"c1","name":"read","input":{"path":"a.txt"}}]},
        {"role":"user","content":[{"type":"tool_result","toolUseId":"c1","content":[{"type":"text","text":"alpha"}]}]}],
        "tools":[{"name":"read","description":"Reads a file","inputSchema":{"type":"object"}}]}"#,
    ),
];
