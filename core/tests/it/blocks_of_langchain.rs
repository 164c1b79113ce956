//! Standard content blocks of LangChain in the spellings of Python and JavaScript.

use crate::told::{PICTURE, broken, fixed};

const PDF: &str = "JVBERi0xLjQKMSAwIG9iajw8Pj5lbmRvYmoKdHJhaWxlcjw8Pj4KJSVFT0YK";
/// The text "The gate code is 9041." in base64.
const TEXT: &str = "VGhlIGdhdGUgY29kZSBpcyA5MDQxLg==";

fn of_user(block: &str) -> String {
    format!(r#"[{{"type":"human","data":{{"content":[{block}]}}}}]"#)
}

fn of_tool(block: &str) -> String {
    format!(
        r#"[{{"type":"human","data":{{"content":"go"}}}},{{"type":"ai","data":{{"content":"","tool_calls":[{{"id":"c","name":"f","args":{{}},"type":"tool_call"}}]}}}},{{"type":"tool","data":{{"content":[{block}],"tool_call_id":"c"}}}}]"#
    )
}

#[test]
fn blocks_of_both_languages_are_read_alike() {
    for key in ["mime_type", "mimeType"] {
        for bytes in ["base64", "data"] {
            for (kind, mime, data) in [
                ("file", "application/pdf", PDF),
                ("file", "text/csv", TEXT),
                ("text-plain", "text/plain", TEXT),
                ("audio", "audio/wav", "UklGRiQAAABXQVZF"),
                ("video", "video/mp4", "AAAAHGZ0eXBtcDQy"),
            ] {
                let block = format!(r#"{{"type":"{kind}","{key}":"{mime}","{bytes}":"{data}"}}"#);
                for request in [of_user(&block), of_tool(&block)] {
                    assert_eq!(broken("langchain", &request), [""; 0], "{request}");
                    assert_eq!(fixed("langchain", "langchain", &request), (request.clone(), vec![]));
                }
                let (text, _) = fixed("langchain", "gemini", &of_user(&block));
                assert!(text.contains(data) && text.contains(mime), "{text}");
                let canonical = fixed("langchain", "canonical", &of_user(&block)).0;
                let (text, _) = fixed("canonical", "langchain", &canonical);
                assert!(text.contains(data) && text.contains(mime), "{text}");
            }
            for kind in ["file", "text-plain"] {
                let block = format!(r#"{{"type":"{kind}","{key}":"text/plain","{bytes}":"{TEXT}"}}"#);
                for target in ["anthropic", "openai", "groq", "cohere", "mistral", "ollama"] {
                    for request in [of_user(&block), of_tool(&block)] {
                        let (text, _) = fixed("langchain", target, &request);
                        assert!(text.contains("The gate code is 9041."), "{target}: {text}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_block_by_address_or_id_stays_at_home() {
    for kind in ["file", "video", "audio", "text-plain", "image"] {
        for field in [r#""url":"https://lake.test/a""#, r#""fileId":"file-1""#, r#""file_id":"file-1""#] {
            let block = format!(r#"{{"type":"{kind}","mimeType":"a/b",{field}}}"#);
            assert_eq!(broken("langchain", &of_user(&block)), [""; 0], "{block}");
            assert_eq!(fixed("langchain", "langchain", &of_user(&block)), (of_user(&block), vec![]));
            if field.contains("https") {
                let (text, _) = fixed("langchain", "groq", &of_user(&block));
                assert!(text.contains("https://lake.test/a"), "{block}: {text}");
            }
        }
    }
}

#[test]
fn a_block_without_content_is_broken() {
    for field in [r#""data":null"#, r#""data":"""#, r#""base64":"""#, r#""fileId":"""#] {
        for kind in ["file", "video", "text-plain"] {
            let request = of_user(&format!(r#"{{"type":"{kind}","mimeType":"text/plain",{field}}}"#));
            assert!(!broken("langchain", &request).is_empty(), "{request}");
            fixed("langchain", "langchain", &request);
        }
    }
    let image = of_user(&format!(r#"{{"type":"file","mimeType":"image/png","data":"{PICTURE}"}}"#));
    assert!(fixed("langchain", "anthropic", &image).0.contains(PICTURE));
}

fn signed(provider: &str, extras: &str) -> String {
    format!(
        r#"[{{"type":"human","data":{{"content":"go"}}}},{{"type":"ai","data":{{"content":[{{"type":"text","text":"Searching."{extras}}},{{"type":"tool_call","id":"c","name":"f","args":{{}}{extras}}}],"tool_calls":[{{"id":"c","name":"f","args":{{}},"type":"tool_call"}}]{provider}}}}},{{"type":"tool","data":{{"content":"on time","tool_call_id":"c"}}}}]"#
    )
}

#[test]
fn signatures_of_google_stand_on_their_parts() {
    let extras = r#","extras":{"signature":"c2lnLTE="}"#;
    let google = r#","response_metadata":{"model_provider":"google_genai"}"#;
    for provider in ["", google] {
        let (text, rules) = fixed("langchain", "gemini-3", &signed(provider, extras));
        assert!(text.contains(r#"{"text":"Searching.","thoughtSignature":"c2lnLTE="}"#), "{text}");
        assert!(text.contains(r#""args":{}},"thoughtSignature":"c2lnLTE="}"#), "{text}");
        assert!(!rules.contains(&"thought-signature-missing"), "{rules:?}");
        let (text, _) = fixed("langchain", "anthropic", &signed(provider, extras));
        assert!(!text.contains("c2lnLTE="), "{text}");
    }
    // Only a signature of Google's is written for Gemini.
    let openai = r#","response_metadata":{"model_provider":"openai"}"#;
    for (provider, extras) in [
        (openai, extras),
        (google, ""),
        (google, r#","extras":{}"#),
        (google, r#","extras":null"#),
        (google, r#","extras":{"signature":null}"#),
        (google, r#","extras":{"signature":""}"#),
        (google, r#","extras":{"signature":"?"}"#),
    ] {
        let (text, rules) = fixed("langchain", "gemini-3", &signed(provider, extras));
        assert!(text.contains(r#"{"text":"Searching."}"#), "{text}");
        assert!(text.contains("skip_thought_signature_validator"), "{text}");
        assert!(rules.contains(&"thought-signature-missing"), "{rules:?}");
    }
}
