//! Rules of the class `error-flag`.

use super::{Class, Rule};

/// The error flag is true or false.
pub static ERROR_FLAG_NOT_A_BOOLEAN: Rule = Rule {
    id: "error-flag-not-a-boolean",
    class: Class::ErrorFlag,
    statement: "The error flag is true or false.",
    sources: &["openclaw/openclaw#6667"],
    holds: &[],
    example: None,
};

/// A target without an error flag is told of the error in the text.
pub static ERROR_FLAG_AS_TEXT: Rule = Rule {
    id: "error-flag-as-text",
    class: Class::ErrorFlag,
    statement: "A target without an error flag is told of the error in the text.",
    sources: &["earendil-works/pi#707"],
    holds: &[],
    example: None,
};

/// The target takes an error result of text alone.
pub static ERROR_RESULT_WITH_MEDIA: Rule = Rule {
    id: "error-result-with-media",
    class: Class::ErrorFlag,
    statement: "The target takes an error result of text alone.",
    sources: &["anthropics/claude-code#12009"],
    holds: &[],
    example: None,
};

pub(super) static ERROR_FLAG_RULES: &[&Rule] =
    &[&ERROR_FLAG_NOT_A_BOOLEAN, &ERROR_FLAG_AS_TEXT, &ERROR_RESULT_WITH_MEDIA];
