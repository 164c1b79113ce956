//! One answer in, one verdict out.
//!
//! The judge asks [`check()`](fn@wirecanon_core::check), which shares nothing with the canonicalizer, whether the target would take the
//! answer; the case, what must come out; and [`crate::loss`], what is gone. Only the reference is asked for the exact outcome
//! on every wire, for its report, and to be the identity the second time.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use wirecanon_core::json::{Json, Limits, doubled, parse_lines};
use wirecanon_core::observe::{Grade, Reason};
use wirecanon_core::{CheckOptions, Dialect, Options, Report, Stage, Target, check_json, fix, media, rule};

use crate::answer::{Answer, Carried, Hello};
use crate::case::{Case, ExpectedRepair, UNREPRESENTABLE_INPUT};
use crate::compare::{self, Difference};
use crate::loss;
use crate::meaning::{self, Conversations, Precision};
use crate::verdict::{Domain, Verdict};

/// The version of the judge. Verdicts of two versions are not compared.
pub const VERSION: u64 = 2;

/// The version of a judge that does not say it: the first one, which compared no meaning.
pub fn first_version() -> u64 {
    1
}

/// A rule of the target that an answer breaks.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// Rule id
    pub rule: String,
    /// JSON Pointer into the answer
    pub pointer: String,
    /// In words
    pub message: String,
}

/// What is said about one answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// The verdict
    pub verdict: Verdict,
    /// Whose fault it is
    pub domain: Domain,
    /// Whether that is what was asked for
    pub ok: bool,
    /// Rules of the target that the answer breaks
    pub violations: Vec<Broken>,
    /// Ways in which the answer tells a model something else than the case expects
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<meaning::Reason>,
    /// Equivalences and acceptable outcomes that the answer needs: ids of parts 10 and 11 of SPEC.md
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_by: Vec<Cow<'static, str>>,
    /// Texts and media of `must_keep` that the answer does not have, where the case has no expected conversation
    pub lost: Vec<String>,
    /// Where the answer first differs from the expected outcome
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// What else is wrong, in words; a result with any is never ok
    pub failures: Vec<String>,
}

impl Judgement {
    fn plain(verdict: Verdict, domain: Domain) -> Self {
        Self {
            verdict,
            domain,
            ok: false,
            violations: Vec::new(),
            reasons: Vec::new(),
            allowed_by: Vec::new(),
            lost: Vec::new(),
            difference: None,
            failures: Vec::new(),
        }
    }

    fn failed(verdict: Verdict, domain: Domain, why: impl Into<String>) -> Self {
        Self { failures: vec![why.into()], ..Self::plain(verdict, domain) }
    }
}

/// Demands on the answers of one testee beyond the rules of the target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demands<'t> {
    /// The exact outcome, the report, and the same output a second time: what only the reference promises
    pub strict: bool,
    /// The definitions of tools, also where the answer has none at all
    pub tools: bool,
    /// Constant texts that the testee adds by itself, which do not count
    pub adds: &'t [String],
}

impl<'t> Demands<'t> {
    /// The demands on a testee that says this of itself. `strict` demands what only the reference promises.
    pub fn of(hello: &'t Hello, strict: bool) -> Self {
        Self { strict, tools: strict || hello.carries.contains(&Carried::Tools), adds: &hello.adds }
    }
}

/// Judges the answer to one case for one target. `strict` demands what only the reference promises.
pub fn judge(case: &Case, target: &Target, answer: &Answer, strict: bool) -> Judgement {
    judge_as(case, target, answer, Demands { strict, tools: strict, adds: &[] })
}

/// Judges an answer as [`judge`] does, with the demands on its testee.
pub fn judge_as(case: &Case, target: &Target, answer: &Answer, demands: Demands<'_>) -> Judgement {
    judge_with(case, target, answer, demands, None)
}

/// Judges an answer as [`judge_as`] does. Conversations of the same case are read once for all answers.
pub fn judge_with(
    case: &Case,
    target: &Target,
    answer: &Answer,
    demands: Demands<'_>,
    conversations: Option<&Conversations<'_, '_>>,
) -> Judgement {
    match answer {
        Answer::Output { bytes, exact, report } => {
            judge_output(case, target, (bytes, *exact), report.as_deref(), demands, conversations)
        }
        Answer::Refused { code, message } => {
            let allowed = case.may_refuse(target);
            if allowed == Some(code.as_str()) {
                return Judgement { ok: true, ..Judgement::plain(Verdict::Refused, Domain::Testee) };
            }
            if code == UNREPRESENTABLE_INPUT && !case.facts().is_valid {
                return Judgement {
                    ok: true,
                    ..Judgement::failed(Verdict::Unsupported, Domain::Adapter, message.clone())
                };
            }
            let asked = allowed.map_or("no refusal".to_owned(), |code| format!("`{code}`"));
            Judgement::failed(
                Verdict::Refused,
                Domain::Testee,
                format!("refused with `{code}`, where the case allows {asked}: {message}"),
            )
        }
        Answer::Crashed(why) => Judgement::failed(Verdict::Crashed, Domain::Testee, why),
        Answer::Hung(why) => Judgement::failed(Verdict::Hung, Domain::Testee, why),
        Answer::Garbage(why) => Judgement::failed(Verdict::Garbage, Domain::Adapter, why),
        Answer::Unsupported(why) => {
            Judgement { ok: true, ..Judgement::failed(Verdict::Unsupported, Domain::Adapter, why) }
        }
        Answer::Environment(why) => Judgement::failed(Verdict::Crashed, Domain::Environment, why),
    }
}

fn judge_output(
    case: &Case,
    target: &Target,
    (bytes, exact): (&[u8], bool),
    report: Option<&Report>,
    demands: Demands<'_>,
    conversations: Option<&Conversations<'_, '_>>,
) -> Judgement {
    let strict = demands.strict;
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Judgement::failed(Verdict::Garbage, Domain::Testee, "the output is not UTF-8");
    };
    let limits = Limits::default();
    // A byte order mark in front is not JSON.
    let json = match Json::parse(text, &limits) {
        Ok(json) => json,
        Err(error) => match parse_lines(text, &limits).ok().filter(|lines| lines.root().items().nth(1).is_some()) {
            Some(lines) => lines,
            None => {
                return Judgement::failed(Verdict::Garbage, Domain::Testee, format!("the output is not JSON: {error}"));
            }
        },
    };
    let mut said = Judgement::plain(Verdict::Faithful, Domain::Testee);
    let options = CheckOptions { fragment: case.is_fragment(), ..CheckOptions::new(target).as_request() };
    // The rules for which the server rejects the answer; of the others it only warns.
    let mut rejecting: Vec<String> = Vec::new();
    match check_json(&json, &options) {
        Ok(checked) => {
            rejecting.extend(checked.errors().map(|violation| violation.rule.to_owned()));
            said.violations.extend(checked.violations.into_iter().map(|violation| Broken {
                rule: violation.rule.to_owned(),
                pointer: violation.pointer,
                message: violation.message,
            }));
        }
        Err(error) => {
            rejecting.push("no-transcript".to_owned());
            said.violations.push(Broken {
                rule: "no-transcript".to_owned(),
                pointer: error.pointer().unwrap_or_default().to_owned(),
                message: error.to_string(),
            });
        }
    }
    // Whether a server asks for reasoning is decided when a request is sent. A program that was given none has dropped none.
    let asks = |broken: &Broken| broken.rule == rule::REASONING_MISSING.id;
    if !strict && said.violations.iter().any(asks) && !case.facts().has_reasoning {
        said.violations.retain(|broken| !asks(broken));
    }
    let identity = case.is_identity() && target.name == case.from.name();
    let expected = if identity { std::str::from_utf8(&case.input).ok() } else { case.expected_output(target) };
    let mut equal = false;
    if let Some(expected) = expected {
        // What only one dialect knows is compared where the case says what it must be.
        let apart = (target.dialect == Dialect::Canonical && !expected.contains("\"native\"")).then_some("native");
        match differs(expected, &json, apart) {
            // Half a surrogate pair reads as U+FFFD, and a key that stands twice as its last value: neither is the same.
            Ok(None) => equal = !reads_otherwise(&json) || reads_otherwise_text(expected),
            Ok(Some(difference)) => said.difference = Some(difference),
            Err(why) => return Judgement::failed(Verdict::Garbage, Domain::Corpus, why),
        }
    }
    let meaning = if equal {
        None
    } else {
        let precision = Precision { numbers: exact || strict, tools: demands.tools, adds: demands.adds };
        let expected = conversations.and_then(|conversations| conversations.expected(target));
        meaning::compare_answer(case, target, &json, precision, expected)
    };
    let is_compared = equal || meaning.is_some();
    if let Some(meaning) = meaning {
        said.reasons = meaning.reasons;
        said.allowed_by = meaning.used.into_iter().map(Cow::Borrowed).collect();
    }
    if strict || !is_compared {
        said.lost.extend(lost(case, target, text, strict || exact));
        // A dialect that gets its own blocks back needs no words for them.
        let words = strict && target.dialect != case.from;
        if words && let Some(canonical) = case.expected_output(Target::of_dialect(Dialect::Canonical)) {
            said.lost.extend(missing(case, target, text, &loss::texts_of(canonical), true));
            said.lost.sort();
            said.lost.dedup();
        }
    }
    if equal && !said.lost.is_empty() {
        // The case itself asks for something that its own outcome does not hold.
        said.domain = Domain::Corpus;
        said.failures.push("the expected outcome of the case does not hold what the case says must survive".to_owned());
    }
    let is_altered = |reason: &meaning::Reason| {
        reason.grade() == Some(Grade::Altered) && !is_unrepaired(case, target, reason, &said.violations)
    };
    said.verdict = if said.reasons.iter().any(is_altered) {
        Verdict::Altered
    } else if !said.violations.is_empty() {
        if equal {
            said.domain = Domain::Corpus;
            said.failures.push("the expected outcome of the case breaks rules of its target".to_owned());
        }
        if said.violations.iter().any(|broken| rejecting.contains(&broken.rule)) {
            Verdict::Rejected
        } else {
            Verdict::Lossy
        }
    } else if identity && exact && bytes == case.input {
        Verdict::Identical
    } else if equal && !(identity && exact) {
        Verdict::Exact
    } else if said.lost.is_empty() && said.reasons.is_empty() {
        Verdict::Faithful
    } else {
        Verdict::Lossy
    };
    if strict {
        strictly(case, target, bytes, report, &mut said);
    }
    said.ok = said.failures.is_empty()
        && said.lost.is_empty()
        && match said.verdict {
            Verdict::Identical | Verdict::Exact => true,
            // The reference alone is held to the expected document.
            Verdict::Faithful => !strict || expected.is_none(),
            _ => false,
        };
    said
}

/// Returns whether a difference is a fault of the input that the answer still has: the target rejects it, and no model is told anything.
fn is_unrepaired(case: &Case, target: &Target, reason: &meaning::Reason, violations: &[Broken]) -> bool {
    if violations.is_empty() {
        return false;
    }
    if reason.kind == Reason::AnswerUnreadable.id() {
        return true;
    }
    let Some(place) = &reason.answer else { return false };
    let is_inside = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let at_place = |broken: &&Broken| {
        !broken.pointer.is_empty() && (is_inside(&broken.pointer, place) || is_inside(place, &broken.pointer))
    };
    violations.iter().filter(at_place).any(|broken| meaning::is_broken(case, target, &broken.rule))
}

/// Returns the texts and media of `must_keep` that an answer does not have. `is_exact` demands every digit of numbers.
pub fn lost(case: &Case, target: &Target, output: &str, is_exact: bool) -> Vec<String> {
    missing(case, target, output, &case.expect.must_keep, is_exact)
}

fn missing(case: &Case, target: &Target, output: &str, wanted: &[String], is_exact: bool) -> Vec<String> {
    let mut lost: Vec<String> = loss::lost(output, wanted).into_iter().map(str::to_owned).collect();
    // Media that the target does not accept are a text that says so.
    lost.retain(|lost| !is_refused_media(lost, target) && !is_refused_pdf(lost, target, &case.input, output));
    if !is_exact {
        lost.retain(|lost| !loss::is_rounded(lost, &case.input, output));
    }
    lost
}

/// Whether half a surrogate pair or a key that does not count stands in a text, which other parsers read in another way.
fn reads_otherwise(json: &Json<'_>) -> bool {
    json.has_lone_surrogates() || !doubled(json, |_, _| false).is_empty()
}

fn reads_otherwise_text(text: &str) -> bool {
    meaning::parse(text).is_some_and(|json| reads_otherwise(&json))
}

/// Whether this is the data of a picture that the target takes nowhere, or of a file where it takes no media at all.
fn is_refused_media(lost: &str, target: &Target) -> bool {
    match media::sniff_base64(lost) {
        Some(kind) => !target.media.takes_picture(kind),
        None => loss::is_media(lost) && !(target.media.in_user || target.media.in_results),
    }
}

/// Whether this is the data of a PDF, which the target takes nowhere, and a text that the input does not have speaks of it.
fn is_refused_pdf(lost: &str, target: &Target, input: &[u8], output: &str) -> bool {
    if !media::is_pdf(lost) || target.media.takes_file("application/pdf") {
        return false;
    }
    let input = String::from_utf8_lossy(input);
    let Ok(json) = Json::parse(output, &Limits::default()) else { return false };
    let words = ["pdf", "file", "document", "attachment"];
    let speaks = |text: &str| words.iter().any(|word| text.to_lowercase().contains(word)) && !input.contains(text);
    (0..json.len() as u32).filter_map(|index| json.value(index).as_str()).any(|text| speaks(&text))
}

/// What only the reference promises: its report says what the case expects, an identity reports nothing, and a second run
/// changes nothing.
fn strictly(case: &Case, target: &Target, bytes: &[u8], report: Option<&Report>, said: &mut Judgement) {
    let identity = case.is_identity() && target.name == case.from.name();
    if identity && bytes != case.input {
        said.failures.push("a valid transcript did not come back as the same bytes".to_owned());
    }
    if let Some(report) = report {
        if identity && !report.repairs.is_empty() {
            said.failures.push(format!("a valid transcript was repaired: {}", names(&reported(report, false))));
        }
        if let Some((expected, before_writing)) = case.expected_repairs(target) {
            let mut expected = expected.to_vec();
            expected.sort();
            let actual = reported(report, before_writing);
            if expected != actual {
                said.failures.push(format!(
                    "the report differs: missing {}, not expected {}",
                    names(&minus(&expected, &actual)),
                    names(&minus(&actual, &expected))
                ));
            }
        }
    }
    if let Some(expected) = case.expect.check.get(&target.name) {
        judges_input(case, target, expected, said);
    }
    match fix(bytes, &Options::new().from(target.dialect).to(target)) {
        Ok(again) => {
            if again.output.as_ref() != bytes {
                let place = std::str::from_utf8(&again.output)
                    .ok()
                    .and_then(meaning::parse)
                    .zip(std::str::from_utf8(bytes).ok())
                    .and_then(|(again, first)| differs(first, &again, None).ok().flatten());
                let place =
                    place.map_or_else(|| "in its white space".to_owned(), |place| format!("at {}", place.pointer));
                said.failures.push(format!("a second run changes its output {place}"));
            }
            if !again.report.repairs.is_empty() {
                said.failures.push(format!("a second run still repairs: {}", names(&reported(&again.report, false))));
            }
        }
        Err(error) => said.failures.push(format!("a second run refuses its output: {error}")),
    }
}

/// Whether the judge itself says of the input what the case asks of it.
fn judges_input(case: &Case, target: &Target, expected: &[ExpectedRepair], said: &mut Judgement) {
    let violations = case.violations(target).unwrap_or_default();
    let mut expected = expected.to_vec();
    expected.sort();
    let mut actual: Vec<_> = violations
        .into_iter()
        .map(|violation| ExpectedRepair { rule: violation.rule.to_owned(), input: Some(violation.pointer) })
        .collect();
    actual.sort();
    if expected != actual {
        said.domain = Domain::Harness;
        said.failures.push(format!(
            "the judge says otherwise of the input: missing {}, not expected {}",
            names(&minus(&expected, &actual)),
            names(&minus(&actual, &expected))
        ));
    }
}

/// Returns the repairs of a report, sorted; `before_writing` leaves out those of writing for a target.
pub fn reported(report: &Report, before_writing: bool) -> Vec<ExpectedRepair> {
    let mut list: Vec<_> = report
        .repairs
        .iter()
        .filter(|entry| !before_writing || entry.stage != Stage::Write)
        .map(|entry| ExpectedRepair { rule: entry.rule.to_owned(), input: entry.input.as_deref().map(str::to_owned) })
        .collect();
    list.sort();
    list
}

/// `left` without `right`, both sorted, as multisets.
fn minus(left: &[ExpectedRepair], right: &[ExpectedRepair]) -> Vec<ExpectedRepair> {
    let mut right = right.to_vec();
    let mut out = Vec::new();
    for repair in left {
        match right.iter().position(|other| other == repair) {
            Some(at) => {
                right.remove(at);
            }
            None => out.push(repair.clone()),
        }
    }
    out
}

fn names(repairs: &[ExpectedRepair]) -> String {
    if repairs.is_empty() {
        return "nothing".to_owned();
    }
    let names: Vec<_> = repairs
        .iter()
        .map(|repair| format!("{} at {}", repair.rule, repair.input.as_deref().unwrap_or("no place")))
        .collect();
    names.join(", ")
}

/// The first difference between an expected text and an answer. JSON Lines are compared as the list of their lines.
fn differs(expected: &str, actual: &Json<'_>, apart: Option<&str>) -> Result<Option<Difference>, String> {
    let limits = Limits::default();
    let expected = Json::parse(expected, &limits)
        .or_else(|error| parse_lines(expected, &limits).map_err(|_| error))
        .map_err(|error| format!("the expected outcome is not JSON: {error}"))?;
    Ok(compare::difference_but(expected.root(), actual.root(), apart))
}
