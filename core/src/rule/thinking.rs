//! Rules of the class `thinking-reasoning`.

use super::{Class, Rule};

/// Reasoning of one provider is not sent to another.
pub static THINKING_LEFT_OUT: Rule = Rule {
    id: "thinking-left-out",
    class: Class::Thinking,
    statement: "Reasoning of one provider is not sent to another.",
    sources: &["openclaw/openclaw#101836"],
    holds: &[],
    example: None,
};

/// The target takes reasoning only with its signature.
pub static THINKING_WITHOUT_SIGNATURE: Rule = Rule {
    id: "thinking-without-signature",
    class: Class::Thinking,
    statement: "The target takes reasoning only with its signature.",
    sources: &["openclaw/openclaw#84430"],
    holds: &[],
    example: None,
};

/// A provider's own item stands with its partner.
pub static PROVIDER_ITEM_WITHOUT_PARTNER: Rule = Rule {
    id: "provider-item-without-partner",
    class: Class::Thinking,
    statement: "A provider's own item stands with its partner.",
    sources: &["openclaw/openclaw#18428"],
    holds: &[],
    example: None,
};

pub(super) static THINKING_RULES: &[&Rule] =
    &[&THINKING_LEFT_OUT, &THINKING_WITHOUT_SIGNATURE, &PROVIDER_ITEM_WITHOUT_PARTNER];
