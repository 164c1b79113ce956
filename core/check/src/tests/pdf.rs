//! What says that it is a PDF.

use super::{broken, valid};

/// `<html>` and no more.
const NONE: &str = "PGh0bWw+";

#[test]
fn a_pdf_has_its_header() {
    for (target, document, pointer) in [
        (
            "canonical",
            r#"{"messages":[{"role":"user","content":[{"type":"file","data":"@","mimeType":"application/pdf"}]}]}"#,
            "/messages/0/content/0/data",
        ),
        (
            "anthropic.messages",
            r#"[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"@"}}]}]"#,
            "/0/content/0/source/data",
        ),
        (
            "openai.chat",
            r#"[{"role":"user","content":[{"type":"file","file":{"file_data":"data:application/pdf;base64,@"}}]}]"#,
            "/0/content/0/file/file_data",
        ),
        (
            "openai.responses",
            r#"[{"role":"user","content":[{"type":"input_file","file_data":"data:application/pdf;base64,@"}]}]"#,
            "/0/content/0/file_data",
        ),
        (
            "gemini.contents",
            r#"[{"role":"user","parts":[{"inlineData":{"mimeType":"application/pdf","data":"@"}}]}]"#,
            "/0/parts/0/inlineData/data",
        ),
        (
            "bedrock.converse",
            r#"[{"role":"user","content":[{"text":"t"},{"document":{"format":"pdf","name":"a","source":{"bytes":"@"}}}]}]"#,
            "/0/content/1/document/source/bytes",
        ),
        (
            "mistral.chat",
            r#"[{"role":"user","content":[{"type":"document_url","document_url":"data:application/pdf;base64,@"}]}]"#,
            "/0/content/0/document_url",
        ),
        (
            "langchain",
            r#"[{"type":"human","data":{"content":[{"type":"file","base64":"@","mime_type":"application/pdf"}]}}]"#,
            "/0/data/content/0/base64",
        ),
        (
            "ai-sdk.model",
            r#"[{"role":"user","content":[{"type":"file","data":"data:application/pdf;base64,@","mediaType":"application/pdf"}]}]"#,
            "/0/content/0/data",
        ),
        (
            "ai-sdk.ui",
            r#"[{"id":"u","role":"user","parts":[{"type":"file","mediaType":"application/pdf","url":"data:application/pdf;base64,@"}]}]"#,
            "/0/parts/0/url",
        ),
    ] {
        valid(target, &[&document.replace('@', "JVBERi0="), &document.replace('@', "CgolUERGLTE=")]);
        broken(target, &[(&document.replace('@', NONE), &[("file-not-a-pdf", pointer)])]);
    }
}

#[test]
fn its_header_stands_near_its_start() {
    let document = |before: usize| {
        // Three bytes a group: `before` groups of zeros, then `%PDF-1`.
        let data = "AAAA".repeat(before) + "JVBERi0x";
        format!(
            r#"[{{"role":"user","content":[{{"type":"document","source":{{"type":"base64","media_type":"application/pdf","data":"{data}"}}}}]}}]"#
        )
    };
    valid("anthropic", &[&document(339)]);
    broken("anthropic", &[(&document(340), &[("file-not-a-pdf", "/0/content/0/source/data")])]);
}
