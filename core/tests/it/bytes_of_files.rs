//! Files whose base64 says which bytes they are, though not as their server reads it: the bytes stay, wherever they stand.

use crate::told::{PICTURE, broken, fixed};
use wirecanon_core::{Dialect, From, Options, Target, fix};

const PDF: &str = "JVBERi0xLjQKYQ==";

/// The same bytes, in lines, without padding, and as a data URL.
const SPELLINGS: [&str; 3] = [r"JVBERi0xL\njQKYQ==", "JVBERi0xLjQKYQ", "data:application/pdf;base64,JVBERi0xLjQKYQ=="];

/// Where each dialect keeps the bytes of a file, in a result and in the user's words; `@` stands for them.
const PLACES: [(&str, &str); 13] = [
    (
        "anthropic.messages",
        r#"{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"@"}},{"type":"text","text":"go"}]}]}"#,
    ),
    (
        "anthropic.messages",
        r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"@"}}]}]}]}"#,
    ),
    (
        "bedrock.converse",
        r#"{"messages":[{"role":"user","content":[{"text":"go"},{"document":{"format":"pdf","name":"a","source":{"bytes":"@"}}}]}]}"#,
    ),
    (
        "bedrock.converse",
        r#"{"messages":[{"role":"user","content":[{"text":"go"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"read","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"document":{"format":"pdf","name":"a","source":{"bytes":"@"}}}]}}]}]}"#,
    ),
    (
        "canonical",
        r#"{"messages":[{"role":"user","content":[{"type":"file","data":"@","mimeType":"application/pdf"},{"type":"text","text":"go"}]}]}"#,
    ),
    (
        "langchain",
        r#"{"messages":[{"type":"human","content":[{"type":"text","text":"go"},{"type":"file","base64":"@","mime_type":"application/pdf"}]}]}"#,
    ),
    (
        "langchain",
        r#"{"messages":[{"type":"human","content":"go"},{"type":"ai","content":"","tool_calls":[{"id":"a","name":"read","args":{},"type":"tool_call"}]},{"type":"tool","tool_call_id":"a","content":[{"type":"file","source_type":"base64","mime_type":"application/pdf","data":"@"}]}]}"#,
    ),
    (
        "ai-sdk.model",
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"read","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"read","output":{"type":"content","value":[{"type":"file-data","data":"@","mediaType":"application/pdf"}]}}]}]}"#,
    ),
    (
        "mcp.tool-result",
        r#"{"content":[{"type":"resource","resource":{"uri":"file:///a.pdf","mimeType":"application/pdf","blob":"@"}}]}"#,
    ),
    ("mcp.tool-result", r#"{"content":[{"type":"audio","data":"@","mimeType":"audio/wav"}]}"#),
    (
        "gemini.contents",
        r#"{"contents":[{"role":"user","parts":[{"text":"go"},{"inlineData":{"mimeType":"application/pdf","data":"@"}}]}]}"#,
    ),
    (
        "gemini.contents",
        r#"{"contents":[{"role":"user","parts":[{"text":"go"},{"inline_data":{"mime_type":"application/pdf","data":"@"}}]}]}"#,
    ),
    (
        "openai.chat",
        r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"},{"type":"input_audio","input_audio":{"format":"wav","data":"@"}}]}]}"#,
    ),
];

#[test]
fn bytes_that_can_be_read_are_spelled_as_their_server_reads_them() {
    for (dialect, text) in PLACES {
        let whole = text.replace('@', PDF);
        assert_eq!(fixed(dialect, dialect, &whole), (whole.clone(), vec![]), "{dialect}");
        for spelling in SPELLINGS {
            let odd = text.replace('@', spelling);
            if dialect == "gemini.contents" && spelling == SPELLINGS[1] {
                // Protobuf reads base64 without padding.
                assert_eq!(fixed(dialect, dialect, &odd), (odd.clone(), vec![]));
                continue;
            }
            assert_eq!(broken(dialect, &odd), ["file-data-not-base64"], "{odd}");
            assert_eq!(fixed(dialect, dialect, &odd), (whole.clone(), vec!["file-data-not-base64"]), "{odd}");
        }
    }
}

#[test]
fn files_of_openai_are_base64_alone_or_a_data_url() {
    let chat = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"},{"type":"file","file":{"filename":"a.pdf","file_data":"@"}}]}]}"#;
    let user = r#"{"input":[{"role":"user","content":[{"type":"input_text","text":"go"},{"type":"input_file","filename":"a.pdf","file_data":"@"}]}]}"#;
    let result = r#"{"input":[{"role":"user","content":"go"},{"type":"function_call","call_id":"a","name":"read","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":[{"type":"input_file","filename":"a.pdf","file_data":"@"}]}]}"#;
    for (dialect, text) in [("openai.chat", chat), ("openai.responses", user), ("openai.responses", result)] {
        for (spelling, mended) in [
            (PDF, PDF),
            (SPELLINGS[0], PDF),
            (SPELLINGS[1], PDF),
            (SPELLINGS[2], SPELLINGS[2]),
            ("data:application/pdf;base64,JVBERi0xLjQKYQ", SPELLINGS[2]),
        ] {
            let rules = if spelling == mended { vec![] } else { vec!["file-data-not-base64"] };
            let (text, mended) = (text.replace('@', spelling), text.replace('@', mended));
            assert_eq!(fixed(dialect, dialect, &text), (mended, rules), "{text}");
        }
    }
    // Of a PDF the bytes say what it is; of what is none, only its own server may know.
    let (text, rules) = fixed("openai.chat", "anthropic.messages", &chat.replace('@', PDF));
    assert!(text.contains(r#""media_type":"application/pdf","data":"JVBERi0xLjQKYQ==""#), "{text}");
    assert_eq!(rules, Vec::<&str>::new());
    let (text, rules) = fixed("openai.chat", "anthropic.messages", &chat.replace('@', "AAAA"));
    assert!(text.contains("[wirecanon: openai.chat item file left out]"), "{text}");
    assert_eq!(rules, ["opaque-item-left-out"]);
}

#[test]
fn a_picture_that_the_model_made_is_kept_in_the_spelling_of_its_server() {
    let gemini = r#"{"contents":[{"role":"user","parts":[{"text":"draw"}]},{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"@"}}]},{"role":"user","parts":[{"text":"thanks"}]}]}"#;
    let sampling = r#"{"messages":[{"role":"user","content":{"type":"text","text":"draw"}},{"role":"assistant","content":{"type":"image","mimeType":"image/png","data":"@"}}],"maxTokens":10}"#;
    for (dialect, text) in [("gemini.contents", gemini), ("mcp.sampling", sampling)] {
        let whole = text.replace('@', PICTURE);
        for (spelling, rule) in [
            (format!("data:image/png;base64,{PICTURE}"), "image-data-url-prefix"),
            (PICTURE.replacen("AAAA", r"AAAA\n", 1), "image-base64-not-canonical"),
        ] {
            let odd = text.replace('@', &spelling);
            assert_eq!(fixed(dialect, dialect, &odd), (whole.clone(), vec![rule]), "{odd}");
        }
    }
}

#[test]
fn a_file_in_the_spelling_of_another_dialect_may_be_spelled_oddly_too() {
    let request =
        |file: &str| format!(r#"{{"messages":[{{"role":"user","content":[{{"type":"text","text":"go"}},{file}]}}]}}"#);
    for spelling in SPELLINGS {
        for (dialect, file) in [
            (
                "openai.chat",
                r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"@"}}"#,
            ),
            ("openai.chat", r#"{"type":"file","data":"@","mediaType":"application/pdf"}"#),
            ("anthropic.messages", r#"{"type":"file","data":"@","mediaType":"application/pdf"}"#),
        ] {
            let (text, rules) = fixed(dialect, "anthropic.messages", &request(&file.replace('@', spelling)));
            assert!(text.contains(&format!(r#""media_type":"application/pdf","data":"{PDF}""#)), "{text}");
            assert!(rules.contains(&"foreign-block-shape"), "{rules:?}");
        }
    }
}

#[test]
fn the_type_of_a_file_is_compared_without_capitals_and_parameters() {
    let chat = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"},{"type":"file","file":{"filename":"a.pdf","file_data":"data:@;base64,JVBERi0xLjQKYQ=="}}]}]}"#;
    let anthropic = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"go"},{"type":"document","source":{"type":"base64","media_type":"@","data":"JVBERi0xLjQKYQ=="}}]}]}"#;
    let result = r#"{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"document","source":{"type":"base64","media_type":"@","data":"JVBERi0xLjQKYQ=="}}]}]}]}"#;
    let gemini = r#"{"contents":[{"role":"user","parts":[{"text":"go"},{"inlineData":{"mimeType":"@","data":"JVBERi0xLjQKYQ=="}}]}]}"#;
    let whole = r#""media_type":"application/pdf","data":"JVBERi0xLjQKYQ==""#;
    for said in ["Application/PDF", "application/pdf; charset=binary", " application/pdf"] {
        for text in [anthropic, result] {
            let (text, rules) = fixed("anthropic.messages", "anthropic", &text.replace('@', said));
            assert_eq!(rules, ["file-not-accepted"], "{text}");
            assert!(text.contains(whole), "{text}");
        }
        for (dialect, text) in [("openai.chat", chat), ("gemini.contents", gemini)] {
            let (text, _) = fixed(dialect, "anthropic", &text.replace('@', said));
            assert!(text.contains(whole), "{text}");
        }
    }
    let resource = r#"{"content":[{"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"Text/Plain; charset=utf-8","blob":"d29yZHM="}}]}"#;
    let options = Options {
        from: From::Dialect(Dialect::McpToolResult),
        to: Some(Target::by_name("anthropic").unwrap()),
        call_id: Some("call_1".to_owned()),
        ..Options::default()
    };
    let written = String::from_utf8(fix(resource.as_bytes(), &options).unwrap().output.to_vec()).unwrap();
    assert!(written.contains(r#"{"type":"text","text":"words"}"#), "{written}");
}
