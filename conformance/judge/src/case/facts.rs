//! What is known of the input of a case, once it was needed. [`crate::meaning`] finds it out.

use std::sync::OnceLock;

/// Facts on the input of a case.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The dialect of the input accepts it
    pub is_valid: bool,
    /// The input has reasoning of a model
    pub has_reasoning: bool,
    /// The input has a number, and not in a string, that a double does not hold
    pub has_long_numbers: bool,
    /// The rules that the input breaks, each with its JSON Pointer
    pub broken: Vec<(String, Option<String>)>,
}

/// The facts of a case once they were needed. A copy of a case computes its own, since it may become another case.
#[derive(Debug, Default)]
pub struct Known(OnceLock<Facts>);

impl Known {
    pub(crate) fn get_or_init(&self, facts: impl FnOnce() -> Facts) -> &Facts {
        self.0.get_or_init(facts)
    }
}

impl Clone for Known {
    fn clone(&self) -> Self {
        Self::default()
    }
}
