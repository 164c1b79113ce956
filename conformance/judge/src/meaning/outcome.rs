//! Outcomes that are acceptable where an input breaks a rule, beside the outcome of the case.
//!
//! The table is part 11 of SPEC.md; a test compares the two.

use std::collections::HashMap;
use std::sync::LazyLock;

use wirecanon_core::rule::{self, Rule};

use crate::case::Case;

crate::named! {
    /// An acceptable outcome of a broken place.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Outcome(id, statement) {
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
}

impl Outcome {
    /// Finds an outcome by its name in SPEC.md and in reports.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.id() == id)
    }
}

/// The acceptable outcomes of one rule.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The rule that the input breaks; its sources are the sources of the row
    pub rule: &'static Rule,
    /// The outcomes beside that of the case; empty where there is no other
    pub outcomes: &'static [Outcome],
}

/// The rows, by the ids of the rules.
pub static TABLE: LazyLock<Vec<Row>> =
    LazyLock::new(|| rule::all().map(|rule| Row { rule, outcomes: outcomes_of(rule.id) }).collect());

macro_rules! table {
    ($($rule:ident: [$($outcome:ident),*];)+) => {
        /// The rules where more than the outcome of the case is acceptable.
        const OTHERS: &[Row] = &[$(Row { rule: &rule::$rule, outcomes: &[$(Outcome::$outcome),*] }),+];
    };
}

table! {
    ALIAS_CONFLICT: [AnyValue];
    AMBIGUOUS_TOOL_RESULT: [MarkedText, CallLeftOut];
    AUDIO_IN_TOOL_RESULT: [MediaKept, MediaLeftOut];
    BLOCK_IN_WRONG_ROLE: [Text, CallLeftOut, MediaLeftOut];
    DUPLICATE_KEY: [AnyValue];
    DUPLICATE_TOOL_CALL_ID: [OtherResult, CallLeftOut];
    DUPLICATE_TOOL_RESULT: [OtherResult, MarkedText];
    ERROR_FLAG_NOT_A_BOOLEAN: [AnyFlag];
    FAILED_TURN_TOOL_CALL: [TurnLeftOut, CallLeftOut, CallKept];
    FILE_DATA_NOT_BASE64: [MediaLeftOut];
    FILE_NOT_A_PDF: [MediaLeftOut];
    FILE_WITHOUT_DATA: [MediaLeftOut];
    IMAGE_DATA_NOT_BASE64: [MediaLeftOut];
    IMAGE_NOT_AN_IMAGE: [MediaLeftOut, MediaKept];
    IMAGE_WITHOUT_DATA: [MediaLeftOut];
    INVALID_UTF_8: [Replaced];
    ITEM_ID_MALFORMED: [ReasoningLeftOut];
    LONE_SURROGATE: [Replaced];
    MEDIA_WITHOUT_ADDRESS: [MediaLeftOut];
    MESSAGE_NOT_AN_OBJECT: [Text];
    NUL_CHARACTER: [Replaced];
    ORPHAN_TOOL_RESULT: [MarkedText];
    PARALLEL_RESULTS_OUT_OF_ORDER: [TurnsJoined];
    RESOURCE_IN_TOOL_RESULT: [Text, MediaKept, MediaLeftOut];
    RESOURCE_LINK_IN_TOOL_RESULT: [Text];
    RESOURCE_WITHOUT_ADDRESS: [Text];
    RESOURCE_WITHOUT_CONTENT: [Text];
    TEXT_NOT_A_STRING: [Text];
    TOOL_CALL_ARGUMENTS_INVALID: [RawArguments];
    TOOL_CALL_ARGUMENTS_ODD_TEXT: [AnyValue, Replaced];
    TOOL_CALL_WITHOUT_ID: [CallLeftOut, PairLeftOut, CallKept];
    TOOL_CALL_WITHOUT_NAME: [AnyName, PairLeftOut, CallKept];
    TOOL_CALL_WITHOUT_RESULT: [CallLeftOut];
    TOOL_PART_WITHOUT_STATE: [CallLeftOut];
    TOOL_RESULT_BEFORE_CALL: [TurnsJoined];
    TOOL_RESULT_DISPLACED: [TurnsJoined];
    TOOL_RESULT_WITHOUT_ID: [MarkedText, CallLeftOut];
    TOOL_STATUS_UNKNOWN: [AnyFlag];
    UNFINISHED_TOOL_CALL: [CallKept, CallLeftOut];
    UNKNOWN_BLOCK: [Text];
    UNKNOWN_ROLE: [Text];
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
        LazyLock::new(|| OTHERS.iter().map(|row| (row.rule.id, row.outcomes)).collect());
    BY_ID.get(rule).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_rule_has_one_row() {
        let others: BTreeSet<&str> = OTHERS.iter().map(|row| row.rule.id).collect();
        assert_eq!(others.len(), OTHERS.len(), "a rule has two rows");
        assert!(OTHERS.iter().all(|row| !row.outcomes.is_empty()));
    }

    #[test]
    fn each_outcome_is_used() {
        let used: BTreeSet<Outcome> = TABLE.iter().flat_map(|row| row.outcomes).copied().collect();
        assert_eq!(used.len(), Outcome::ALL.len());
    }
}
