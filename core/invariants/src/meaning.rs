//! M1: the model is told the same.

use std::borrow::Cow;

use super::{Case, REFUSED, Verdict, convert, held_unless, view, violated};
use crate::normalizer::Normalizer;
use wirecanon_check::{CheckOptions, Checked, check};
use wirecanon_convert::read::detect;
use wirecanon_convert::{From, detect_dialect};
use wirecanon_json::Limits;
use wirecanon_model::target::Target;
use wirecanon_model::{Dialect, rule};
use wirecanon_observe::{CompareOptions, Observation, Tool, compare_with, observe_for, provider_tools};

/// M1a: where nothing is wrong with the input in its own dialect, the output tells a model what the input tells it.
pub(super) fn of_valid(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    let text = text_of(case.input);
    let Some(dialect) = dialect_of(case, &text) else {
        return Verdict::NotApplicable("the dialect of the input is not certain");
    };
    if !is_valid(case, dialect) {
        return Verdict::NotApplicable("the input breaks a rule of its dialect");
    }
    if has_ids_of_another_server(case, dialect) {
        return Verdict::NotApplicable("the target knows no items of another server");
    }
    tells(normalizer, case, "M1a", &text, dialect)
}

/// Returns whether the input has items whose ids the target, which speaks the same dialect, did not give.
fn has_ids_of_another_server(case: &Case<'_>, dialect: Dialect) -> bool {
    let options = CheckOptions { target: case.to, mode: case.mode, fragment: case.fragment, limits: Limits::default() };
    let is_foreign = |checked: Checked| checked.violations.iter().any(|found| found.rule == rule::ITEM_ID_MALFORMED.id);
    case.to.dialect == dialect && check(case.input, &options).is_ok_and(is_foreign)
}

fn is_valid(case: &Case<'_>, dialect: Dialect) -> bool {
    let options = CheckOptions {
        target: Target::of_dialect(dialect),
        mode: case.mode,
        fragment: case.fragment,
        limits: Limits::default(),
    };
    check(case.input, &options).is_ok_and(|checked| checked.violations.is_empty())
}

/// M1b: where something is wrong with the input, the output tells a model what the known outcome tells it.
pub(super) fn of_known(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    match &case.known.canonical {
        // Such a note stands for media that the input holds, and other dialects have places for them.
        Some(canonical) if ["\"[audio ", "\"[resource "].iter().any(|note| canonical.contains(note)) => {
            Verdict::NotApplicable("the known outcome has notes in place of media")
        }
        // So does a note for bytes that are no picture: the protocol, and canonical content of it, keep them as a resource.
        Some(canonical)
            if (case.to.dialect == Dialect::Canonical || case.to.dialect.is_mcp())
                && canonical.contains("left out: not a picture") =>
        {
            Verdict::NotApplicable("the known outcome has a note in place of bytes")
        }
        // The input itself says more than its canonical form: tools that a provider runs have none.
        Some(_) if dialect_of(case, &text_of(case.input)).is_some_and(|dialect| is_valid(case, dialect)) => {
            Verdict::NotApplicable("nothing is wrong with the input")
        }
        Some(canonical) => tells(normalizer, case, "M1b", canonical, Dialect::Canonical),
        None => Verdict::NotApplicable("the outcome is not known"),
    }
}

fn tells(normalizer: &dyn Normalizer, case: &Case<'_>, id: &'static str, expected: &str, dialect: Dialect) -> Verdict {
    let request = case.request();
    let Some(written) = convert(normalizer, &request) else { return REFUSED };
    let broken = |words: String| violated(id, &request, Some(&written.bytes), words);
    let expected = match view::document(expected) {
        Ok(json) => json,
        Err(error) => return broken(format!("the expected conversation is not JSON: {error}")),
    };
    let expected = match observe_for(&expected, dialect, case.to.dialect) {
        Ok(observation) => observation,
        Err(error) if error.pointer().starts_with("/tool") => {
            return Verdict::NotApplicable("the definitions of tools are not in the form of the dialect");
        }
        Err(error) => return broken(format!("the expected conversation cannot be observed: {error}")),
    };
    // A known outcome names no tool that the provider of the input runs.
    let text = text_of(case.input);
    let is_home =
        dialect == Dialect::Canonical && case.to.dialect != dialect && dialect_of(case, &text) == Some(case.to.dialect);
    let input = is_home.then(|| view::document(&text)).and_then(Result::ok);
    let tools = input.as_ref().map(|input| provider_tools(input, case.to.dialect)).unwrap_or_default();
    let difference = difference(&expected, &tools, &text_of(&written.bytes), case.to);
    held_unless(difference, id, &request, Some(&written.bytes))
}

/// Returns the first differences between what is expected, with the tools of the provider, and an output for a target; `None` if a model is
/// told the same.
fn difference(expected: &Observation<'_>, tools: &[Tool<'_>], output: &str, target: &Target) -> Option<String> {
    let output = match view::document(output) {
        Ok(json) => json,
        Err(error) => return Some(format!("the output is not JSON: {error}")),
    };
    let answer = match observe_for(&output, target.dialect, expected.dialect) {
        Ok(observation) => observation,
        Err(error) => return Some(format!("answer-unreadable: {error}")),
    };
    let target = match target.for_request(Some(output.root())) {
        Ok((target, _)) => target,
        Err(error) => return Some(format!("the target has an invalid profile: {error}")),
    };
    let mut options = CompareOptions::new(&target);
    options.provider_tools = tools;
    let comparison = compare_with(expected, &answer, options);
    if comparison.is_same() {
        return None;
    }
    let differences: Vec<_> = comparison.differences.iter().take(3).map(ToString::to_string).collect();
    Some(differences.join("; "))
}

fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
}

fn dialect_of(case: &Case<'_>, text: &str) -> Option<Dialect> {
    match case.from {
        From::Dialect(dialect) => Some(dialect),
        From::Auto => match &detect(&view::document(text).ok()?)[..] {
            [] => None,
            [first, second, ..] if first.weight == second.weight => None,
            _ => detect_dialect(text.as_bytes(), Some(case.to), Limits::default()).ok().map(|found| found.dialect),
        },
    }
}
