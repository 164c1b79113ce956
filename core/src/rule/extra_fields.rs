//! Rules of the class `extra-fields`.

use super::{Class, Rule};

/// The target refuses fields that it does not know.
pub static UNKNOWN_FIELD: Rule = Rule {
    id: "unknown-field",
    class: Class::ExtraFields,
    statement: "The target refuses fields that it does not know.",
    sources: &["openclaw/openclaw#97994"],
    holds: &[],
    example: None,
};

/// A field that only one dialect knows is left out for the others.
pub static NATIVE_FIELD_LEFT_OUT: Rule = Rule {
    id: "native-field-left-out",
    class: Class::ExtraFields,
    statement: "A field that only one dialect knows is left out for the others.",
    sources: &["openclaw/openclaw#97994"],
    holds: &[],
    example: None,
};

/// An item that only one provider can replay stands as one labelled line elsewhere.
pub static OPAQUE_ITEM_LEFT_OUT: Rule = Rule {
    id: "opaque-item-left-out",
    class: Class::ExtraFields,
    statement: "An item that only one provider can replay stands as one labelled line elsewhere.",
    sources: &["openclaw/openclaw#90093"],
    holds: &[],
    example: None,
};

pub(super) static EXTRA_FIELDS_RULES: &[&Rule] = &[&UNKNOWN_FIELD, &NATIVE_FIELD_LEFT_OUT, &OPAQUE_ITEM_LEFT_OUT];
