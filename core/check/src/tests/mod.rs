//! Tables of valid documents, which must give no violation, and of broken ones, which must give exactly these.

mod ai_sdk;
mod anthropic;
mod bedrock;
mod cache;
mod canonical;
mod catalogue;
mod cohere;
mod compatible;
mod frameworks;
mod gemini;
mod input;
mod langchain;
mod mcp;
mod mcp_messages;
mod mistral;
mod ollama;
mod openai_chat;
mod openai_responses;
mod openclaw;
mod pdf;
mod profiles;
mod scale;
mod total;
mod typed;

use super::{CheckOptions, check};
use wirecanon_json::Limits;
use wirecanon_model::target::Target;
use wirecanon_model::{Mode, rule};

/// A picture of eight bytes: the signature of a PNG.
const PNG: &str = "iVBORw0KGgo=";
/// The first bytes of a JPEG.
const JPEG: &str = "/9j/4AAQSkZJRgABAQ==";

/// The options for a target of the library.
fn options(target: &str, mode: Mode) -> CheckOptions<'static> {
    let target = Target::by_name(target).expect("a target of the library");
    CheckOptions { target, mode, fragment: false, limits: Limits::default() }
}

/// Rule and pointer of each violation, in order.
fn judge(input: &[u8], options: &CheckOptions<'_>) -> Vec<(String, String)> {
    let checked = check(input, options).expect("can be judged");
    checked.violations.into_iter().map(|found| (found.rule.to_owned(), found.pointer)).collect()
}

/// `$PNG` and `$JPEG` stand for pictures.
fn filled(text: &str) -> String {
    text.replace("$PNG", PNG).replace("$JPEG", JPEG)
}

/// Judges each document when it is to be sent; none may have a violation.
fn valid(target: &str, documents: &[&str]) {
    for document in documents {
        let found = judge(filled(document).as_bytes(), &options(target, Mode::Request));
        assert!(found.is_empty(), "{target} {document}\n{found:?}");
    }
}

/// Judges each document when it is to be sent; it must have exactly these violations.
fn broken(target: &str, documents: &[(&str, &[(&str, &str)])]) {
    for (document, expected) in documents {
        let found = judge(filled(document).as_bytes(), &options(target, Mode::Request));
        let found: Vec<_> = found.iter().map(|(rule, pointer)| (rule.as_str(), pointer.as_str())).collect();
        assert_eq!(found, *expected, "{target} {document}");
        for (id, _) in found {
            assert!(holds(id, target), "the catalogue does not say that {id} holds for {target}");
        }
    }
}

/// Whether the catalogue says that a rule holds for a target, or for the dialect that it speaks.
fn holds(id: &str, target: &str) -> bool {
    let Some(rule) = rule::by_id(id) else { return false };
    let dialect = Target::by_name(target).map_or("", |target| target.dialect.name());
    rule.holds.is_empty() || rule.holds.iter().any(|name| *name == target || *name == dialect)
}

/// Judges each document as history; none may have a violation, and each must have one when it is sent.
fn open_ended(target: &str, documents: &[&str]) {
    for document in documents {
        let found = judge(filled(document).as_bytes(), &options(target, Mode::History));
        assert!(found.is_empty(), "{target} {document}\n{found:?}");
        let sent = judge(filled(document).as_bytes(), &options(target, Mode::Request));
        assert!(!sent.is_empty(), "{target} {document}");
    }
}
