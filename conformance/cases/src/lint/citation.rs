//! Citations: each in a form from which its source can be found.

use wirecanon_judge::case::Case;

use super::{Entry, Found};
use crate::citation::{is_report, is_repository};

/// A form of citation.
pub struct Form {
    /// As the docs show it
    pub shape: &'static str,
    /// One that is well formed
    pub example: &'static str,
    is: fn(&str) -> bool,
}

/// Every form, in the order of the documentation.
pub const FORMS: [Form; 7] = [
    Form { shape: "owner/repo#n", example: "openclaw/openclaw#110518", is: is_report },
    Form {
        shape: "owner/repo version or path, and what",
        example: "openai/openai-openapi 2.3.0, CreateResponse.input",
        is: in_repository,
    },
    Form {
        shape: "npm:name@version, pypi:name@version or crates:name@version, and what",
        example: "npm:ai@6.0.326 modelMessageSchema",
        is: package,
    },
    Form { shape: "MCP revision, what", example: "MCP 2025-11-25, ToolUseContent.input", is: mcp },
    Form { shape: "RFC n section n, or sections n and n", example: "RFC 8259 section 8.1", is: rfc },
    Form {
        shape: "vendor error: its words, or vendor error code: its words",
        example: "Bedrock error: The text field in the ContentBlock object at messages.1.content.0 is blank.",
        is: error,
    },
    Form {
        shape: "document, section, or a reference as a whole",
        example: "Gemini API reference, FunctionResponse.response",
        is: section,
    },
];

pub(super) fn find(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    for (at, source) in case.source.iter().enumerate() {
        if !is_citation(source) {
            let forms: Vec<_> = FORMS.iter().map(|form| form.shape).collect();
            let message = format!("`{source}` is no citation");
            found.under(entry, &format!("/source/{at}"), message, format!("the forms are: {}", forms.join("; ")));
        }
    }
}

/// Whether a citation has one of the forms.
pub fn is_citation(source: &str) -> bool {
    source == source.trim()
        && !source.contains("TODO")
        && !source.contains("  ")
        && !source.contains(char::is_control)
        && FORMS.iter().any(|form| (form.is)(source))
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0')
}

/// Some words: not only marks.
fn words(text: &str) -> bool {
    text.trim() == text && text.chars().filter(|c| c.is_alphanumeric()).count() >= 2
}

fn in_repository(source: &str) -> bool {
    let Some((repo, rest)) = source.split_once(' ') else { return false };
    let place = rest.split([',', ':']).next().unwrap_or_default();
    let version = place.starts_with(|first: char| first.is_ascii_digit()) && place.contains('.');
    let path = place.contains('/') && place.contains('.');
    is_repository(repo) && !place.contains(' ') && (version || path)
}

fn package(source: &str) -> bool {
    let Some((registry, rest)) = source.split_once(':') else { return false };
    let (package, what) = rest.split_once([' ', ',', ':']).unwrap_or((rest, ""));
    let Some((name, version)) = package.rsplit_once('@') else { return false };
    matches!(registry, "npm" | "pypi" | "crates")
        && !name.is_empty()
        && version.starts_with(|first: char| first.is_ascii_digit())
        && words(what.trim_start_matches([',', ':']).trim())
}

fn date(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([4, 2, 2]) && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

fn mcp(source: &str) -> bool {
    let Some((revisions, what)) = source.strip_prefix("MCP ").and_then(|rest| rest.split_once(", ")) else {
        return false;
    };
    revisions.split(" to ").all(date) && words(what)
}

fn rfc(source: &str) -> bool {
    let Some((number, rest)) = source.strip_prefix("RFC ").and_then(|rest| rest.split_once(' ')) else { return false };
    let Some((word, sections)) = rest.split_once(' ') else { return false };
    digits(number.trim_end_matches(','))
        && matches!(word, "section" | "sections")
        && sections.split(" and ").all(|section| section.split('.').all(digits))
}

fn error(source: &str) -> bool {
    let Some((vendor, rest)) = source.split_once(" error") else { return false };
    let Some((code, text)) = rest.split_once(": ") else { return false };
    words(vendor) && vendor.split(' ').count() <= 4 && !code.contains("  ") && words(text)
}

/// A document has a name of its own: it starts with a letter, and no citation of another kind is meant. A reference may be
/// meant as a whole, by a long session that keeps to all of it.
fn section(source: &str) -> bool {
    if ["reference", "documentation"].iter().any(|end| source.ends_with(&format!(" {end}"))) {
        return source.starts_with(char::is_alphabetic);
    }
    let Some((document, what)) = source.split_once(", ").or_else(|| source.split_once(": ")) else { return false };
    let other = ["MCP", "RFC", "npm:", "pypi:", "crates:", "http:", "https:"];
    document.starts_with(char::is_alphabetic)
        && (document.contains(' ') || document == "SPEC.md")
        && !source.contains(" error: ")
        && !document.contains('#')
        && !is_repository(document.split(' ').next().unwrap_or_default())
        && !other.iter().any(|other| document.starts_with(other))
        && words(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_its_example() {
        for form in &FORMS {
            assert!((form.is)(form.example), "{}", form.example);
            let of: Vec<_> = FORMS.iter().filter(|other| (other.is)(form.example)).collect();
            assert_eq!(of.len(), 1, "{}", form.example);
        }
    }

    #[test]
    fn what_cannot_be_found_is_no_citation() {
        for source in [
            "",
            "TODO",
            "#12",
            "openclaw#12",
            "openclaw/openclaw #12",
            "openclaw/openclaw#",
            "openclaw/openclaw#12a",
            "openclaw/openclaw#012",
            "https://github.com/openclaw/openclaw/issues/12",
            "see the docs",
            "npm:ai",
            "npm:ai@latest schema",
            "npm:ai@6.0.0",
            "MCP, CallToolResult",
            "MCP 2025-6-18, CallToolResult",
            "RFC 8259",
            "Bedrock error: ",
            "error: no",
            "Extra inputs are not permitted",
            "Gemini API",
            " Gemini API reference, Part",
            "Gemini API reference,  Part",
        ] {
            assert!(!is_citation(source), "{source}");
        }
    }
}
