//! What is wrong with an input that a fuzzer found, and the smallest transcript that still has it.

use std::panic;

use wirecanon_core::invariant::{self, Case, Known, Verdict};
use wirecanon_core::json::Limits;
use wirecanon_core::normalizer::{Normalizer, Reference};
use wirecanon_core::{Dialect, From, Mode, Target, detect_dialect};

use crate::conversion;
use crate::lint::{Fired, shrink};

/// A conversion that breaks a principle of SPEC.md.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Id of the invariant
    pub invariant: &'static str,
    /// Dialect that the input is read as
    pub from: From,
    /// What was asked for
    pub to: &'static Target,
    /// For what
    pub mode: Mode,
    /// What is wrong, in words
    pub message: String,
}

/// The first conversion that breaks an invariant which asks for nothing but the bytes: from `auto` and every dialect, or
/// from the one that is given, to every target.
pub fn find(normalizer: &dyn Normalizer, bytes: &[u8], from: Option<Dialect>) -> Option<Finding> {
    let all = || [From::Auto].into_iter().chain(Dialect::ALL.map(From::Dialect)).collect();
    let froms: Vec<From> = from.map_or_else(all, |from| vec![From::Dialect(from)]);
    // What panics is told in the finding; the default hook would tell of every conversion that does.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let found = froms.into_iter().find_map(|from| {
        let dialect = match from {
            From::Dialect(dialect) => dialect,
            From::Auto => detected(bytes)?,
        };
        let targets = Target::all().iter().filter(|to| conversion::exists(dialect, to));
        let conversions = targets.flat_map(|to| [(to, Mode::Request), (to, Mode::History)]);
        conversions.into_iter().find_map(|(to, mode)| broken(normalizer, bytes, from, to, mode))
    });
    panic::set_hook(hook);
    found
}

/// The dialect that is found where none is given.
pub fn detected(bytes: &[u8]) -> Option<Dialect> {
    detect_dialect(bytes, None, Limits::default()).ok().map(|detected| detected.dialect)
}

fn broken(normalizer: &dyn Normalizer, bytes: &[u8], from: From, to: &'static Target, mode: Mode) -> Option<Finding> {
    let known = Known { may_refuse: true, ..Known::default() };
    let case = Case { mode, ..Case::bare(bytes, from, to, &known) };
    invariant::check_all(normalizer, &case).into_iter().find_map(|(invariant, verdict)| match verdict {
        Verdict::Violated(violation) => {
            Some(Finding { invariant: invariant.id, from, to, mode, message: violation.message })
        }
        Verdict::Held | Verdict::NotApplicable(_) => None,
    })
}

/// The input without all messages and blocks that can go while the same conversion breaks the same invariant.
pub fn smallest(normalizer: &dyn Normalizer, text: &str, finding: &Finding) -> String {
    let Finding { invariant, from, to, mode, .. } = finding;
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let small = shrink(text, &|less| {
        broken(normalizer, less.as_bytes(), *from, to, *mode).is_some_and(|found| found.invariant == *invariant)
    });
    panic::set_hook(hook);
    small
}

/// Where nothing is wrong any more: the input without all that can go while the same repairs fire.
pub fn smallest_with_its_repairs(text: &str, from: Dialect) -> String {
    let canonical = Target::of_dialect(Dialect::Canonical);
    match Fired::of(text, from, canonical) {
        Fired::Rules(rules) if rules.is_empty() => text.to_owned(),
        before => shrink(text, &|less| Fired::of(less, from, canonical) == before),
    }
}

/// What the reference breaks.
pub fn of_reference(bytes: &[u8], from: Option<Dialect>) -> Option<Finding> {
    find(&Reference, bytes, from)
}

#[cfg(test)]
mod tests {
    use wirecanon_core::normalizer::{Outcome, Request};

    use super::*;

    /// Panics on a word, and loses the type of each text on the way to Anthropic.
    struct Wrong;

    impl Normalizer for Wrong {
        fn name(&self) -> &'static str {
            "wrong"
        }

        fn convert(&self, request: &Request<'_>) -> Outcome {
            let text = String::from_utf8_lossy(request.input);
            assert!(!(text.contains("boom") && request.to.name == "gemini"), "out of luck");
            match Reference.convert(request) {
                Outcome::Output { bytes, report } if request.to.name == "anthropic" && text.contains("fall") => {
                    let text = String::from_utf8_lossy(&bytes).replace("\"role\":\"user\"", "\"role\":\"human\"");
                    Outcome::Output { bytes: text.into_bytes(), report }
                }
                other => other,
            }
        }
    }

    fn talk(words: &[&str]) -> String {
        let messages: Vec<_> =
            words.iter().map(|word| serde_json::json!({"role": "user", "content": word}).to_string()).collect();
        format!(r#"{{"messages":[{}]}}"#, messages.join(","))
    }

    #[test]
    fn what_is_broken_is_found_and_cut_down_to_it() {
        let text = talk(&["one", "two boom", "three", "four"]);
        let finding = find(&Wrong, text.as_bytes(), Some(Dialect::OpenAiChat)).expect("it panics");
        assert_eq!((finding.invariant, finding.to.name.as_str()), ("P7", "gemini"));
        assert!(finding.message.contains("out of luck"), "{}", finding.message);
        assert_eq!(smallest(&Wrong, &text, &finding), talk(&["two boom"]));
        let text = talk(&["one", "two", "fall"]);
        let finding = find(&Wrong, text.as_bytes(), None).expect("a role that is none");
        assert_eq!((finding.invariant, finding.to.name.as_str()), ("P1", "anthropic"));
        assert_eq!(smallest(&Wrong, &text, &finding), talk(&["fall"]));
        assert_eq!(of_reference(text.as_bytes(), Some(Dialect::OpenAiChat)), None);
    }

    #[test]
    fn what_is_mended_keeps_its_repairs() {
        let text = r#"{"messages":[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"x","content":"b"},{"role":"user","content":"c"}]}"#;
        let small = smallest_with_its_repairs(text, Dialect::OpenAiChat);
        assert_eq!(small, r#"{"messages":[{"role":"tool","tool_call_id":"x","content":"b"}]}"#);
        let valid = talk(&["a", "b"]);
        assert_eq!(smallest_with_its_repairs(&valid, Dialect::OpenAiChat), valid);
    }
}
