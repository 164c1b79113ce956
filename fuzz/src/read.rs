//! Any bytes, in every dialect's reader, and as a stream of events.

use wirecanon_core::invariant::Case;
use wirecanon_core::json::{self, Json, Limits, Value, doubled, parse_lines, resolve};
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::report::{Entry, Report, Stage};
use wirecanon_core::{Dialect, From, Mode, Target, rule, stream};

use crate::FuzzTarget;
use crate::replay::Document;

/// Reads `data` in every dialect, and writes what was read.
///
/// Fails when a refusal says nothing, or a report names a rule or a place that does not exist.
pub const TARGET: FuzzTarget =
    FuzzTarget { longest: 16 * 1024, judge: |data| judge(data, &Reference), document: |_| Document::Itself };

fn judge(data: &[u8], normalizer: &dyn Normalizer) -> Result<(), String> {
    if stream::is_stream(data) {
        streamed(data, normalizer)?;
    }
    for dialect in Dialect::ALL {
        for to in [Target::of_dialect(Dialect::Canonical), Target::of_dialect(dialect)] {
            let call_id = dialect.is_fragment().then_some(Case::CALL_ID);
            let request = Request { input: data, from: From::Dialect(dialect), to, mode: Mode::History, call_id };
            told(&request, &normalizer.convert(&request)).map_err(|why| format!("{why}\n  {request}"))?;
        }
    }
    Ok(())
}

/// Whether what a stream makes is JSON that the reader of its dialect takes as it takes any other.
fn streamed(data: &[u8], normalizer: &dyn Normalizer) -> Result<(), String> {
    let Ok(made) = stream::message(data, &Limits::default()) else { return Ok(()) };
    // The wrapping may take it past a limit.
    if let Err(error) = Json::parse(&made.document, &Limits::default())
        && matches!(error.kind(), json::ErrorKind::NotJson | json::ErrorKind::Truncated | json::ErrorKind::Empty)
    {
        return Err(format!("a stream made what is no JSON: {error}\n  {}", made.document));
    }
    let input = made.document.as_bytes();
    let to = Target::of_dialect(Dialect::Canonical);
    let request = Request { input, from: From::Dialect(made.dialect), to, mode: Mode::History, call_id: None };
    told(&request, &normalizer.convert(&request)).map_err(|why| format!("{why}\n  {request}"))
}

/// Whether an outcome says what it must.
fn told(request: &Request<'_>, outcome: &Outcome) -> Result<(), String> {
    match outcome {
        Outcome::Failed(why) => Err(format!("it failed: {why}")),
        Outcome::Refused { code, message } => {
            let known = wirecanon::case::REFUSAL_CODES.contains(&code.as_str()) && !message.is_empty();
            if known { Ok(()) } else { Err(format!("a refusal that says nothing: {code:?}, {message:?}")) }
        }
        Outcome::Output { report: None, .. } => Ok(()),
        Outcome::Output { bytes, report: Some(report) } => placed(request.input, bytes, report),
    }
}

/// Whether every place of a report is one.
fn placed(input: &[u8], output: &[u8], report: &Report) -> Result<(), String> {
    let (read, written) = (text(input), text(output));
    let (Some(input), Some(output)) = (parsed(&read), parsed(&written)) else {
        return Err("something was written that is not JSON, or for what is not JSON".to_owned());
    };
    let lines = parse_lines(&written, &Limits::default()).ok();
    // What stood there is a part of the text after the second of equal keys was taken out.
    // So it is after a member of the wrong type, or one that the dialect does not have, was taken off, and after a file was
    // spelled anew.
    let before_reading = |entry: &Entry| {
        let rules = [
            &rule::MEMBER_OF_WRONG_TYPE,
            &rule::UNKNOWN_FIELD,
            &rule::FILE_DATA_NOT_BASE64,
            &rule::FILE_NOT_ACCEPTED,
            &rule::IMAGE_DATA_URL_PREFIX,
            &rule::IMAGE_BASE64_NOT_CANONICAL,
        ];
        entry.stage == Stage::Read && rules.iter().any(|rule| entry.rule == rule.id)
    };
    let changed = report.repairs.iter().any(before_reading);
    let exact = !changed && doubled(&input, |_, _| false).is_empty();
    for entry in report.repairs.iter().chain(&report.notes) {
        let wrong = |what: &str| Err(format!("{what}: {entry:?}"));
        if rule::by_id(entry.rule).is_none() {
            return wrong("a rule that the catalogue does not have");
        }
        if let Some(place) = entry.input.as_deref() {
            match resolve(input.root(), place) {
                // No pointer names the first of two equal keys.
                None if exact => return wrong("a place that the input does not have"),
                Some(value) if exact && !holds(value, entry) => return wrong("what did not stand at this place"),
                Some(_) | None => {}
            }
        }
        let missing = |json: &Json<'_>, place: &str| resolve(json.root(), place).is_none();
        // One line alone is one value, and a list of one line.
        let gone = |place: &str| missing(&output, place) && lines.as_ref().is_none_or(|lines| missing(lines, place));
        if entry.output.as_deref().is_some_and(gone) {
            return wrong("a place that the output does not have");
        }
    }
    Ok(())
}

fn holds(value: Value<'_>, entry: &Entry) -> bool {
    entry.original.as_deref().is_none_or(|original| value.raw().contains(original))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)).into_owned()
}

/// One value, or one a line.
fn parsed(text: &str) -> Option<Json<'_>> {
    let limits = Limits::default();
    Json::parse(text, &limits).or_else(|_| parse_lines(text, &limits)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::planted::{Change, Mutant};

    #[test]
    fn smoke() {
        crate::tests::smoke::each_document(200, |data| TARGET.run(data));
    }

    fn with_entries(outcome: Outcome, change: fn(&mut Entry)) -> Outcome {
        let Outcome::Output { bytes, report: Some(mut report) } = outcome else { return outcome };
        report.repairs.iter_mut().for_each(change);
        Outcome::Output { bytes, report: Some(report) }
    }

    /// Each says one thing wrongly that the reference says rightly.
    #[test]
    fn a_reader_that_misplaces_is_caught() {
        let broken = br#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","input":"{}"}]},{"role":"tool"}]"#;
        judge(broken, &Reference).unwrap();
        let mutants: [(&str, Change); 5] = [
            ("the input does not have", |_, said| with_entries(said, |entry| entry.input = Some("/9".into()))),
            ("the output does not have", |_, said| with_entries(said, |entry| entry.output = Some("/x/y".into()))),
            ("did not stand", |_, said| {
                with_entries(said, |entry| entry.input = entry.input.as_ref().map(|_| "/0/role".into()))
            }),
            ("the catalogue does not have", |_, said| with_entries(said, |entry| entry.rule = "no-such-rule")),
            ("says nothing", |_, _| Outcome::Refused { code: "oops".to_owned(), message: "it is odd".to_owned() }),
        ];
        for (words, change) in mutants {
            let said = judge(broken, &Mutant(change)).unwrap_err();
            assert!(said.contains(words), "{words}: {said}");
        }
    }
}
