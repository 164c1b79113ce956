//! Outcomes that are acceptable where an input breaks a rule, beside the outcome of the case.
//!
//! The table is part 11 of SPEC.md; a test compares the two.

use std::collections::HashMap;
use std::sync::LazyLock;

use wirecanon_core::rule::{self, Rule};

use crate::case::Case;

macro_rules! outcomes {
    ($($(#[$doc:meta])+ $variant:ident = $id:literal, $statement:literal;)+) => {
        /// An acceptable outcome of a broken place.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Outcome {
            $($(#[$doc])+ $variant,)+
        }

        impl Outcome {
            /// All outcomes.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$variant),+];

            /// Returns the name in SPEC.md and in reports.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)+ }
            }

            /// Finds an outcome by its name.
            pub fn by_id(id: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|outcome| outcome.id() == id)
            }

            /// Returns the statement in SPEC.md.
            pub fn statement(self) -> &'static str {
                match self { $(Self::$variant => $statement,)+ }
            }
        }
    };
}

outcomes! {
    /// The call is left out
    CallLeftOut = "call-left-out",
        "A call without a real result is left out, with its stand-in, and with its turn where nothing else is in it.";
    /// The call and its result are left out
    PairLeftOut = "pair-left-out", "The call is left out together with its result.";
    /// The call stays
    CallKept = "call-kept",
        "The call stays, with arguments made of its own text, and with no result, its own result, or one that says that there is none.";
    /// The call has any name
    AnyName = "any-name", "The call and its result have any name, the same for both.";
    /// The result is another one of the given results
    OtherResult = "other-result", "The result of the call is any of the given results, or several of them joined.";
    /// The content is a marked text
    MarkedText = "marked-text", "The content is a text of the user or the assistant with a mark in front that says what it is.";
    /// The content is a text
    Text = "text", "The content is any text made of the strings of the JSON there.";
    /// The medium is left out
    MediaLeftOut = "media-left-out", "The medium is left out, or any note that names its kind is in its place.";
    /// The medium stays
    MediaKept = "media-kept", "The medium stays, where the target has a place for it.";
    /// The turn is left out
    TurnLeftOut = "turn-left-out", "The whole turn is left out, with its calls and their results.";
    /// The reasoning is left out
    ReasoningLeftOut = "reasoning-left-out", "Reasoning under an id that the server did not give is left out.";
    /// The turns are joined
    TurnsJoined = "turns-joined", "Calls of turns that follow each other are in one turn, before all their results.";
    /// Characters are replaced
    Replaced = "replaced", "What cannot be encoded is U+FFFD or `?`, or is removed.";
    /// Any of the values counts
    AnyValue = "any-value", "Any of the values that contradict each other counts.";
    /// The arguments are their text
    RawArguments = "raw-arguments", "The arguments are an object with their whole text under one key, whatever its name.";
    /// The flag is either
    AnyFlag = "any-flag", "The result is a failure or a success.";
}

/// The acceptable outcomes of one rule.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The rule that the input breaks; its sources are the sources of the row
    pub rule: &'static Rule,
    /// The outcomes beside that of the case; empty where there is no other
    pub outcomes: &'static [Outcome],
}

macro_rules! table {
    ($($rule:ident: [$($outcome:ident),*];)+) => {
        /// The rows, by the ids of the rules.
        pub const TABLE: [Row; [$(stringify!($rule)),+].len()] =
            [$(Row { rule: &rule::$rule, outcomes: &[$(Outcome::$outcome),*] }),+];
    };
}

table! {
    ALIAS_CONFLICT: [AnyValue];
    AMBIGUOUS_TOOL_RESULT: [MarkedText, CallLeftOut];
    AUDIO_IN_TOOL_RESULT: [MediaKept, MediaLeftOut];
    BLANK_TEXT: [];
    BLOCK_IN_WRONG_ROLE: [Text, CallLeftOut, MediaLeftOut];
    BYTE_ORDER_MARK: [];
    CACHE_MARKER_MISPLACED: [];
    CALL_BEFORE_SERVER_RESULT: [];
    CONTENT_MISSING: [];
    CONTENT_NOT_A_LIST: [];
    CONTENT_NOT_A_STRING: [];
    DIALECT_DETECTED: [];
    DUPLICATE_FILE_NAME: [];
    DUPLICATE_ITEM_ID: [];
    DUPLICATE_KEY: [AnyValue];
    DUPLICATE_TOOL_CALL_ID: [OtherResult, CallLeftOut];
    DUPLICATE_TOOL_NAME: [];
    DUPLICATE_TOOL_RESULT: [OtherResult, MarkedText];
    EMPTY_MESSAGE: [];
    EMPTY_TOOL_CALLS: [];
    EMPTY_TOOL_RESULT: [];
    ERROR_FLAG_AS_TEXT: [];
    ERROR_FLAG_NOT_A_BOOLEAN: [AnyFlag];
    ERROR_RESULT_WITH_MEDIA: [];
    FAILED_TURN_TOOL_CALL: [TurnLeftOut, CallLeftOut, CallKept];
    FIELD_ALIAS: [];
    FILE_DATA_NOT_BASE64: [MediaLeftOut];
    FILE_NAME_CHARACTERS: [];
    FILE_NAME_MISSING: [];
    FILE_NOT_ACCEPTED: [];
    FILE_NOT_A_PDF: [MediaLeftOut];
    FILE_TYPE_MISSING: [];
    FILE_WITHOUT_DATA: [MediaLeftOut];
    FILE_WITHOUT_WORDS: [];
    FOREIGN_BLOCK_SHAPE: [];
    IMAGE_BASE64_NOT_CANONICAL: [];
    IMAGE_DATA_NOT_BASE64: [MediaLeftOut];
    IMAGE_DATA_URL_PREFIX: [];
    IMAGE_NOT_AN_IMAGE: [MediaLeftOut, MediaKept];
    IMAGE_TOO_LARGE: [];
    IMAGE_TYPE_MISMATCH: [];
    IMAGE_TYPE_MISSING: [];
    IMAGE_TYPE_NOT_ACCEPTED: [];
    IMAGE_WITHOUT_DATA: [MediaLeftOut];
    INVALID_UTF_8: [Replaced];
    ITEM_ID_MALFORMED: [ReasoningLeftOut];
    ITEM_NOT_STORED: [];
    ITEM_WITHOUT_REASONING: [];
    LEADING_ASSISTANT: [];
    LONE_SURROGATE: [Replaced];
    MEDIA_BY_ADDRESS: [];
    MEDIA_IN_TOOL_RESULT: [];
    MEDIA_WITHOUT_ADDRESS: [MediaLeftOut];
    MEMBER_OF_WRONG_TYPE: [];
    MESSAGE_NOT_AN_OBJECT: [Text];
    MESSAGE_WITHOUT_ID: [];
    MISPLACED_PREFIX: [];
    MISPLACED_SYSTEM: [];
    NATIVE_FIELD_LEFT_OUT: [];
    NATIVE_MALFORMED: [];
    NO_MESSAGES: [];
    NUL_CHARACTER: [Replaced];
    OPAQUE_ITEM_LEFT_OUT: [];
    ORPHAN_TOOL_RESULT: [MarkedText];
    PARALLEL_RESULTS_OUT_OF_ORDER: [TurnsJoined];
    PART_DATA_NOT_ONE: [];
    PROMPT_CONTENT_NOT_ONE_BLOCK: [];
    PROVIDER_ITEM_WITHOUT_PARTNER: [];
    REASONING_MISSING: [];
    REASONING_WITHOUT_SUMMARY: [];
    REASONING_WITH_CONTENT: [];
    RESOURCE_IN_TOOL_RESULT: [Text, MediaKept, MediaLeftOut];
    RESOURCE_LINK_IN_TOOL_RESULT: [Text];
    RESOURCE_WITHOUT_ADDRESS: [Text];
    RESOURCE_WITHOUT_CONTENT: [Text];
    RESPONSE_NOT_AN_OBJECT: [];
    RESULT_ASKS_FOR_INPUT: [];
    RESULT_JSON_NOT_AN_OBJECT: [];
    RESULT_TYPE_MISSING: [];
    ROLES_DO_NOT_ALTERNATE: [];
    ROLE_ALIAS: [];
    SPLIT_MODEL_TURN: [];
    SPLIT_TOOL_RESULTS: [];
    STOP_REASON_WITHOUT_CALL: [];
    STORED_RESULT_AS_CALL: [];
    STREAMING_MARKER: [];
    STRUCTURED_CONTENT_NOT_AN_OBJECT: [];
    STRUCTURED_CONTENT_NOT_IN_TEXT: [];
    TEXT_NOT_A_STRING: [Text];
    THINKING_ALONE: [];
    THINKING_LEFT_OUT: [];
    THINKING_WITHOUT_SIGNATURE: [];
    THOUGHT_SIGNATURE_MALFORMED: [];
    THOUGHT_SIGNATURE_MISSING: [];
    TOOLS_NOT_ACCEPTED: [];
    TOOLS_NOT_DEFINED: [];
    TOOL_CALL_ALIAS: [];
    TOOL_CALL_ARGUMENTS_ENCODED_TWICE: [];
    TOOL_CALL_ARGUMENTS_INVALID: [RawArguments];
    TOOL_CALL_ARGUMENTS_MISSING: [];
    TOOL_CALL_ARGUMENTS_NOT_AN_OBJECT: [];
    TOOL_CALL_ARGUMENTS_NOT_A_STRING: [];
    TOOL_CALL_ARGUMENTS_ODD_TEXT: [AnyValue, Replaced];
    TOOL_CALL_ID_CHARACTERS: [];
    TOOL_CALL_ID_LENGTH: [];
    TOOL_CALL_ID_REFUSED: [];
    TOOL_CALL_ID_WHITE_SPACE: [];
    TOOL_CALL_WITHOUT_ID: [CallLeftOut, PairLeftOut, CallKept];
    TOOL_CALL_WITHOUT_NAME: [AnyName, PairLeftOut, CallKept];
    TOOL_CALL_WITHOUT_RESULT: [CallLeftOut];
    TOOL_DEFINITION_MALFORMED: [];
    TOOL_NAME_CHARACTERS: [];
    TOOL_NAME_LENGTH: [];
    TOOL_NAME_WHITE_SPACE: [];
    TOOL_PART_WITHOUT_STATE: [CallLeftOut];
    TOOL_REFERENCE_UNKNOWN: [];
    TOOL_RESULT_BEFORE_CALL: [TurnsJoined];
    TOOL_RESULT_BESIDE_OTHER_CONTENT: [];
    TOOL_RESULT_DISPLACED: [TurnsJoined];
    TOOL_RESULT_NAME_MISMATCH: [];
    TOOL_RESULT_NAME_MISSING: [];
    TOOL_RESULT_OF_ANOTHER_KIND: [];
    TOOL_RESULT_WITHOUT_ID: [MarkedText, CallLeftOut];
    TOOL_STATUS_UNKNOWN: [AnyFlag];
    TOO_MANY_MEDIA: [];
    TRAILING_ASSISTANT: [];
    TRAILING_THINKING: [];
    TRAILING_WHITE_SPACE: [];
    TURN_WITHOUT_THINKING: [];
    UNFINISHED_TOOL_CALL: [CallKept, CallLeftOut];
    UNKNOWN_BLOCK: [Text];
    UNKNOWN_FIELD: [];
    UNKNOWN_ROLE: [Text];
    UNKNOWN_STOP_REASON: [];
    USER_AFTER_TOOL_RESULT: [];
    WORDS_BEHIND_TOOL_CALL: [];
    WORDS_BESIDE_CALLS: [];
}

impl Case {
    /// Returns whether the case accepts an outcome that a broken rule allows.
    pub(crate) fn accepts(&self, outcome: Outcome) -> bool {
        self.expect.outcomes.as_ref().is_none_or(|accepted| accepted.iter().any(|id| id == outcome.id()))
    }
}

/// Returns the outcomes that are acceptable where this rule is broken.
pub fn outcomes_of(rule: &str) -> &'static [Outcome] {
    static BY_ID: LazyLock<HashMap<&'static str, &'static [Outcome]>> =
        LazyLock::new(|| TABLE.iter().map(|row| (row.rule.id, row.outcomes)).collect());
    BY_ID.get(rule).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_rule_has_one_row() {
        let rows: Vec<&str> = TABLE.iter().map(|row| row.rule.id).collect();
        let all: BTreeSet<&str> = rule::all().map(|rule| rule.id).collect();
        assert_eq!(rows.iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(rows.len(), all.len(), "a rule has two rows");
        for row in TABLE {
            assert_eq!(outcomes_of(row.rule.id), row.outcomes, "{}", row.rule.id);
        }
    }

    #[test]
    fn each_outcome_is_used() {
        let used: BTreeSet<Outcome> = TABLE.iter().flat_map(|row| row.outcomes).copied().collect();
        assert_eq!(used.len(), Outcome::ALL.len());
    }
}
