//! Fields: what a case has, and what it may not have yet.

use std::sync::OnceLock;

use wirecanon_judge::case::{self, Case};
use wirecanon_schemas::validate::Validator;

use super::{Entry, Found};

/// Said where the file is read; a file that comes so far is JSON.
pub(super) fn json(_: &Entry<'_>, _: &mut Found<'_>) {}

/// What the JSON Schema says, and what cannot be read although it keeps that.
pub(super) fn schema(entry: &Entry<'_>, found: &mut Found<'_>) {
    let before = found.findings.len();
    match case::shape::written_out(entry.json) {
        // The schema knows the fields of a shape too, but not in as good words.
        Err(problem) => found.push(entry, problem),
        Ok(_) => validate(entry, found),
    }
    if entry.case.is_none()
        && found.findings.len() == before
        && let Err(problem) = case::parse(entry.file, entry.json.text().as_bytes())
    {
        found.under(entry, &problem.pointer, problem.message, problem.cure);
    }
}

fn validate(entry: &Entry<'_>, found: &mut Found<'_>) {
    static SCHEMA: OnceLock<Option<Validator>> = OnceLock::new();
    let Some(validator) = SCHEMA.get_or_init(|| Validator::new("wirecanon/case").ok()) else { return };
    let cure = "`wirecanon schema case` has its fields";
    match serde_json::from_str(entry.json.text()) {
        Ok(value) => {
            for mismatch in validator.mismatches(&value) {
                let (message, cure) = in_words(entry, &mismatch.pointer, mismatch.message, cure);
                found.under(entry, &mismatch.pointer, message, cure);
            }
        }
        Err(error) => found.under(entry, "", error.to_string(), cure),
    }
}

/// The words of the validator, where they do not help.
fn in_words(entry: &Entry<'_>, pointer: &str, message: String, cure: &str) -> (String, String) {
    if message.contains("oneOf") && pointer.is_empty() {
        let forms = ["input", "input_text", "input_base64"];
        let count = forms.iter().filter(|form| entry.json.root().get(form).is_some()).count();
        let message = if count == 0 { "the case has no input" } else { "the case has more than one input" };
        return (message.to_owned(), format!("give one of `{}`", forms.join("`, `")));
    }
    let cure = match pointer.rsplit('/').next() {
        Some("class") => "the classes are the folders of the corpus".to_owned(),
        Some("may_refuse") => format!("give `false`, or one of `{}`", case::REFUSAL_CODES.join("`, `")),
        _ => cure.to_owned(),
    };
    (message, cure)
}

/// Versions: a case cannot come with one that is not out.
pub(super) fn version(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    let this = env!("CARGO_PKG_VERSION");
    let retired = case.retired.as_ref().map(|retired| ("/retired/in", retired.version.as_str()));
    for (pointer, version) in [("/since", case.since.as_str())].into_iter().chain(retired) {
        if parts(version) > parts(this) {
            let message = format!("version {version} is in the future: this is {this}");
            found.under(entry, pointer, message, format!("write \"{this}\""));
        }
    }
    if let Some(retired) = &case.retired
        && parts(&retired.version) < parts(&case.since)
    {
        found.under(entry, "/retired/in", "it was retired before it came", "give the version that retires it");
    }
}

fn parts(version: &str) -> Vec<u64> {
    version.split('.').filter_map(|part| part.parse().ok()).collect()
}

/// What `case new` fills in is a proposal.
pub(super) fn review(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    if case.review.is_some() {
        found.under(
            entry,
            "/review",
            "nobody has reviewed this case",
            "work the outcome out by hand from SPEC.md, correct what differs, then delete `review`",
        );
    }
}

/// A case that asks for nothing tests nothing.
pub(super) fn outcome(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    let expect = &case.expect;
    let pins = expect.canonical.is_some()
        || expect.may_refuse.code().is_some()
        || !expect.targets.is_empty()
        || !expect.check.is_empty();
    if !pins && !case.is_identity() {
        found.under(
            entry,
            "/expect",
            "the case expects no outcome",
            "give `canonical`, an entry in `targets` or `check`, a code in `may_refuse`, or the tag `identity`",
        );
    }
    if case.is_identity() && expect.repairs.as_ref().is_some_and(|repairs| !repairs.is_empty()) {
        found.under(
            entry,
            "/expect/repairs",
            "a valid input is repaired",
            "take away the tag `identity`, or the repairs: what only canonical content cannot say is no repair",
        );
    }
}
