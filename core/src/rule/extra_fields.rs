//! Rules of the class `extra-fields`.

use super::{Class, Rule};

/// A message or block has no field that the target does not know and refuses.
pub static UNKNOWN_FIELD: Rule = Rule {
    id: "unknown-field",
    class: Class::ExtraFields,
    statement: "A message or block has no field that the target does not know and refuses.",
    sources: &[
        "langchain-ai/langchain-mcp-adapters#397",
        "langchain-ai/langchain-google#1474",
        "anthropics/anthropic-sdk-typescript#862",
        "Anthropic error: Extra inputs are not permitted",
    ],
    holds: &["anthropic.messages", "anthropic"],
    example: None,
};

/// A field that only one dialect knows is left out for the others.
pub static NATIVE_FIELD_LEFT_OUT: Rule = Rule {
    id: "native-field-left-out",
    class: Class::ExtraFields,
    statement: "A field that only one dialect knows is left out for the others.",
    sources: &["NousResearch/hermes-agent#34716", "BerriAI/litellm#24031", "openclaw/openclaw#97994"],
    holds: &[],
    example: None,
};

/// An item that only one provider can replay stands as one labelled line elsewhere.
pub static OPAQUE_ITEM_LEFT_OUT: Rule = Rule {
    id: "opaque-item-left-out",
    class: Class::ExtraFields,
    statement: "An item that only one provider can replay stands as one labelled line elsewhere.",
    sources: &["openclaw/openclaw#90093", "zai-org/feedback#682"],
    holds: &[],
    example: None,
};

/// At most four blocks of a request carry a cache marker.
pub static CACHE_MARKER_MISPLACED: Rule = Rule {
    id: "cache-marker-misplaced",
    class: Class::ExtraFields,
    statement: "At most four blocks of a request carry a cache marker.",
    sources: &[
        "caozhiyuan/copilot-api#145",
        "anthropics/claude-code#59626",
        "Anthropic error: A maximum of 4 blocks with cache_control may be provided",
    ],
    holds: &["anthropic.messages", "anthropic"],
    example: None,
};

/// Provider-only fields are an object for each dialect, and an opaque item has its dialect and its value.
pub static NATIVE_MALFORMED: Rule = Rule {
    id: "native-malformed",
    class: Class::ExtraFields,
    statement: "Provider-only fields are an object for each dialect, and an opaque item has its dialect and its value.",
    sources: &["langchain-ai/langchain-mcp-adapters#397", "withceleste/celeste-python#298", "SPEC.md part 2"],
    holds: &["canonical"],
    example: None,
};

pub(super) static EXTRA_FIELDS_RULES: &[&Rule] =
    &[&UNKNOWN_FIELD, &NATIVE_FIELD_LEFT_OUT, &OPAQUE_ITEM_LEFT_OUT, &CACHE_MARKER_MISPLACED, &NATIVE_MALFORMED];
