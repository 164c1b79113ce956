//! A case that contradicts itself: an outcome that its own target would refuse, that has lost what must survive, or an
//! identity whose input is not valid.

use wirecanon_core::Target;
use wirecanon_core::json::{pointer_step, resolve};
use wirecanon_judge::answer::Answer;
use wirecanon_judge::case::Case;
use wirecanon_judge::judge::{judge, lost};
use wirecanon_judge::meaning;
use wirecanon_judge::meaning::outcome::Outcome;

use super::{Entry, Found};

pub(super) fn find(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    // What proved wrong is kept as it was.
    if case.retired.is_some() {
        return;
    }
    let own = Target::of_dialect(case.from);
    for (at, id) in case.expect.outcomes.iter().flatten().enumerate() {
        if Outcome::by_id(id).is_some_and(|outcome| !meaning::is_acceptable(case, outcome)) {
            let message = format!("no rule that the input breaks has the acceptable outcome `{id}`");
            found.under(entry, &format!("/expect/outcomes/{at}"), message, "take it away");
        }
    }
    for target in Target::all() {
        let identity = case.is_identity() && target.name == own.name;
        let (bytes, pointer) = match (identity, case.expected_output(target)) {
            (true, _) => (case.input.as_slice(), format!("/{}", case.input_key())),
            (false, Some(output)) => (output.as_bytes(), place_of(entry, target)),
            (false, None) => continue,
        };
        let said = judge(case, target, &Answer::Output { bytes: bytes.to_vec(), exact: true, report: None }, false);
        let lost = std::str::from_utf8(bytes).map(|text| lost(case, target, text, true)).unwrap_or_default();
        if said.ok && lost.is_empty() {
            continue;
        }
        let name = &target.name;
        for broken in &said.violations {
            let cure = if identity {
                "mend the input, or take away the tag `identity`".to_owned()
            } else {
                format!("`wirecanon explain {}` says what holds; SPEC.md decides what comes out", broken.rule)
            };
            let message = format!("`{}` is broken for {name}: {}", broken.rule, broken.message);
            found.under(entry, &format!("{pointer}{}", broken.pointer), message, cure);
        }
        for lost in &lost {
            let message =
                format!("`{}` must survive and does not for {name}", wirecanon_judge::plain::shorten(lost, 60));
            found.under(entry, &pointer, message, "keep it in the outcome, or take it out of `must_keep`");
        }
        if said.violations.is_empty() && lost.is_empty() {
            let message = format!("for {name} this is judged `{}`: {}", said.verdict.name(), said.failures.join("; "));
            found.under(entry, &pointer, message, "SPEC.md decides what comes out");
        }
    }
}

fn place_of(entry: &Entry<'_>, target: &Target) -> String {
    let own = format!("/expect/targets/{}/output", pointer_step(&target.name));
    if resolve(entry.json.root(), &own).is_some() { own } else { "/expect/canonical".to_owned() }
}
