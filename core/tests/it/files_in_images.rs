//! Files inside blocks for images or audio: the same bytes become the same in every kind of block.

use crate::told::{PICTURE, broken};
use wirecanon_core::{Dialect, From, Options, Target, check, fix};

const PDF: &str = "JVBERi0xLjQKMSAwIG9iajw8Pj5lbmRvYmoKdHJhaWxlcjw8Pj4KJSVFT0YK";
/// CSV that contains the number 8086, in base64.
const CSV: &str = "cG9ydCxuYW1lCjgwODYsbGFrZQo=";
const ZIP: &str = "UEsDBAoAAAA=";

const REVISIONS: [&str; 4] =
    ["mcp.tool-result", "mcp.tool-result@2025-03-26", "mcp.tool-result@2025-11-25", "mcp.tool-result@2026-07-28"];

fn result(kind: &str, mime: &str, data: &str) -> String {
    format!(
        r#"{{"content":[{{"type":"{kind}","mimeType":"{mime}","data":"{data}"}}],"isError":false,"resultType":"complete"}}"#
    )
}

/// Returns the output for a lone result and the entries of the report that are losses.
fn fixed(from: &str, to: &str, input: &str) -> (String, Vec<&'static str>) {
    let options = Options {
        from: From::Dialect(Dialect::by_name(from).unwrap()),
        to: Some(Target::by_name(to).unwrap()),
        call_id: Some("call_1".to_owned()),
        ..Options::default()
    };
    let fixed = fix(input.as_bytes(), &options).unwrap();
    let lost = fixed.report.repairs.iter().filter(|entry| entry.lost).map(|entry| entry.rule).collect();
    (String::from_utf8(fixed.output.to_vec()).unwrap(), lost)
}

#[test]
fn a_file_in_an_image_block_is_a_resource_at_home() {
    for target in REVISIONS {
        for (mime, data, written) in [
            ("application/pdf", PDF, "application/pdf"),
            ("image/png", PDF, "application/pdf"),
            ("text/csv", CSV, "text/csv"),
            ("image/png", CSV, "image/png"),
            ("application/zip", ZIP, "application/zip"),
        ] {
            let input = result("image", mime, data);
            assert_eq!(broken(target, &input), ["image-not-an-image"], "{target}: {input}");
            let (text, lost) = fixed("mcp.tool-result", target, &input);
            assert!(text.contains(r#""type":"resource""#), "{target}: {text}");
            assert!(text.contains(&format!(r#""mimeType":"{written}","blob":"{data}""#)), "{target}: {text}");
            assert_eq!((broken(target, &text), lost), (vec![], vec![]), "{target}: {text}");
            assert_eq!(fixed("mcp.tool-result", target, &text).0, text);
            let canonical = fixed("mcp.tool-result", "canonical", &input).0;
            assert!(canonical.contains(data), "{canonical}");
        }
        let mismatch = result("image", "image/jpeg", PICTURE);
        assert_eq!(broken(target, &mismatch), ["image-type-mismatch"], "{target}");
        for accepted in [result("image", "image/png", PICTURE), result("audio", "text/csv", CSV)] {
            if target == "mcp.tool-result@2025-03-26" || !broken(target, &accepted).is_empty() {
                continue;
            }
            assert_eq!(fixed("mcp.tool-result", target, &accepted), (accepted, vec![]));
        }
    }
}

#[test]
fn a_pdf_in_any_block_of_a_result_is_a_document() {
    for (kind, mime) in
        [("image", "application/pdf"), ("image", "image/png"), ("audio", "application/pdf"), ("audio", "audio/wav")]
    {
        for target in ["anthropic", "openai", "gemini-3", "bedrock-claude", "openai-responses", "mistral"] {
            let (text, lost) = fixed("mcp.tool-result", target, &result(kind, mime, PDF));
            assert!(text.contains(PDF) && lost.is_empty(), "{kind} {mime} {target}: {lost:?} {text}");
        }
        let (text, lost) = fixed("mcp.tool-result", "groq", &result(kind, mime, PDF));
        assert!(!text.contains(PDF) && !lost.is_empty(), "{kind} {mime}: {lost:?} {text}");
    }
}

#[test]
fn text_in_any_block_of_a_result_is_text() {
    for kind in ["image", "audio"] {
        for target in ["anthropic", "openai", "gemini-3", "bedrock-claude", "groq", "cohere", "ollama", "openclaw"] {
            let (text, lost) = fixed("mcp.tool-result", target, &result(kind, "text/csv", CSV));
            assert!(text.contains("8086,lake") && lost.is_empty(), "{kind} {target}: {lost:?} {text}");
        }
    }
}

/// Returns a conversation of Anthropic with an image block in a result.
fn of_anthropic(mime: &str, data: &str, error: bool) -> String {
    format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"c1","name":"f","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","is_error":{error},"content":[{{"type":"image","source":{{"type":"base64","media_type":"{mime}","data":"{data}"}}}}]}}]}}]}}"#
    )
}

#[test]
fn an_image_block_of_another_dialect_is_read_alike() {
    let pdf = of_anthropic("application/pdf", PDF, false);
    for target in ["anthropic", "openai", "gemini-3", "bedrock-claude", "openai-responses", "canonical"] {
        let (text, lost) = fixed("anthropic.messages", target, &pdf);
        assert!(text.contains(PDF) && lost.is_empty(), "{target}: {lost:?} {text}");
    }
    for target in ["groq", "cohere", "ollama", "openclaw"] {
        let (text, lost) = fixed("anthropic.messages", target, &pdf);
        assert!(!text.contains(PDF) && !lost.is_empty(), "{target}: {text}");
        let (text, lost) = fixed("anthropic.messages", target, &of_anthropic("text/csv", CSV, false));
        assert!(text.contains("8086,lake") && lost.is_empty(), "{target}: {lost:?} {text}");
    }
    let (text, _) = fixed("anthropic.messages", "anthropic", &of_anthropic("application/pdf", PDF, true));
    assert!(text.contains(PDF), "{text}");
}

#[test]
fn an_image_block_of_the_user_is_a_file() {
    for (mime, data) in [("application/pdf", PDF), ("text/csv", CSV)] {
        let input = format!(
            r#"{{"messages":[{{"role":"user","content":{{"type":"image","mimeType":"{mime}","data":"{data}"}}}}]}}"#
        );
        for from in ["mcp.prompt", "mcp.sampling"] {
            let target = Target::by_name(from).unwrap();
            let options = wirecanon_core::CheckOptions::new(target);
            assert_eq!(check(input.as_bytes(), &options).unwrap().violations[0].rule, "image-not-an-image");
            for target in ["anthropic", "openai", "gemini", "bedrock-claude"] {
                let (text, lost) = fixed(from, target, &input);
                assert_eq!(crate::told::fixed(from, target, &input).0, text);
                assert!(text.contains(data) || text.contains("8086,lake"), "{from} {target}: {text}");
                assert!(lost.is_empty(), "{from} {target}: {lost:?}");
            }
        }
    }
}
