//! Laws that say how two answers belong together, where nobody has to know either of them. Each stands beside planted
//! mutants that it catches.
//!
//! The laws of the program as a whole (batches, the order of cases) stand in `conformance/tests/it/metamorphic.rs`.

mod respell;

use arbitrary::Unstructured;
use proptest::prelude::*;
use wirecanon_core::json::{Json, Limits, Value};
use wirecanon_core::normalizer::{Normalizer, Outcome, Reference, Request};
use wirecanon_core::{Dialect, From, Mode, Target, text};
use wirecanon_generate::strategy;
use wirecanon_generate::{self as generate, Generated, noise};

use crate::properties::config;
use respell::{normal, respelled};

/// How often JSON inside strings is opened.
const LAYERS: usize = 3;

type Law = fn(&dyn Normalizer, &Generated, u64) -> Result<(), String>;

fn asked(normalizer: &dyn Normalizer, made: &Generated, input: &[u8], to: &Target) -> Outcome {
    let from = From::Dialect(Dialect::by_name(made.dialect.name()).expect("every dialect that is generated is known"));
    let call_id = made.dialect.is_fragment().then_some("call_1");
    normalizer.convert(&Request { input, from, to, mode: Mode::History, call_id })
}

fn document(text: &[u8]) -> Result<Json<'_>, String> {
    let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
    Json::parse(text, &Limits::default()).map_err(|error| error.to_string())
}

/// Key order, white space and the form of escapes change nothing in the canonical transcript.
fn spelling_is_nothing(normalizer: &dyn Normalizer, made: &Generated, seed: u64) -> Result<(), String> {
    let Some(other) = respelled(&made.bytes, seed) else { return Ok(()) };
    let canonical = Target::of_dialect(Dialect::Canonical);
    let said = [&made.bytes, &other].map(|input| asked(normalizer, made, input, canonical));
    let shown = || format!("{}\nrespelled: {}", made.dialect.name(), String::from_utf8_lossy(&other));
    match said {
        [Outcome::Output { bytes: one, report: a }, Outcome::Output { bytes: two, report: b }] => {
            let [one, two] = [document(&one)?, document(&two)?].map(|json| normal(json.root(), LAYERS));
            if one != two {
                return Err(format!("two transcripts\n{one}\n{two}\nof {}", shown()));
            }
            let rules = |report: &Option<Box<wirecanon_core::Report>>| {
                let mut rules: Vec<_> =
                    report.iter().flat_map(|report| report.repairs.iter().map(|repair| repair.rule)).collect();
                rules.sort_unstable();
                rules
            };
            let (a, b) = (rules(&a), rules(&b));
            if a == b { Ok(()) } else { Err(format!("two reports\n{a:?}\n{b:?}\nof {}", shown())) }
        }
        [Outcome::Refused { code: one, .. }, Outcome::Refused { code: two, .. }] if one == two => Ok(()),
        [one, two] => Err(format!("{one:?}\n{two:?}\nof {}", shown())),
    }
}

/// A valid transcript comes back in its own dialect as it is, however it is spelled.
fn own_spelling_stays(normalizer: &dyn Normalizer, made: &Generated, seed: u64) -> Result<(), String> {
    let Some(other) = respelled(&made.bytes, seed).filter(|_| made.valid) else { return Ok(()) };
    let own = Dialect::by_name(made.dialect.name()).expect("every dialect that is generated is known");
    match asked(normalizer, made, &other, Target::of_dialect(own)) {
        Outcome::Output { bytes, .. } if bytes == other => Ok(()),
        Outcome::Output { bytes, .. } => {
            Err(format!("{}\nbecame {}", String::from_utf8_lossy(&other), String::from_utf8_lossy(&bytes)))
        }
        refused => Err(format!("{refused:?}: {}", String::from_utf8_lossy(&other))),
    }
}

/// Every text of the canonical transcript stands in the input, as a whole and in one piece, or is one that is documented.
fn nothing_is_made_up(normalizer: &dyn Normalizer, made: &Generated, _: u64) -> Result<(), String> {
    let canonical = Target::of_dialect(Dialect::Canonical);
    let Outcome::Output { bytes, .. } = asked(normalizer, made, &made.bytes, canonical) else { return Ok(()) };
    let source = String::from_utf8_lossy(&made.bytes).into_owned();
    let source = source.trim_start_matches('\u{feff}');
    let Ok(input) = Json::parse(source, &Limits::default()) else { return Ok(()) };
    let (mut strings, mut values) = (Vec::new(), Vec::new());
    held(input.root(), LAYERS, &mut strings, &mut values);
    let output = document(&bytes)?;
    let texts = (0..u32::try_from(output.len()).unwrap_or(u32::MAX))
        .map(|index| output.value(index))
        .filter_map(|block| block.get("text").or_else(|| block.get("thinking")).and_then(Value::as_str));
    for said in texts {
        let known = |part: &str| is_documented(part) || strings.iter().any(|string| string.contains(part));
        let as_value =
            || Json::parse(&said, &Limits::default()).is_ok_and(|json| values.contains(&normal(json.root(), LAYERS)));
        // Parts that the input holds apart may stand on lines of one text.
        if !known(&said) && !as_value() && !said.split('\n').all(|line| known(line.trim())) {
            return Err(format!("{said:?} stands nowhere in {} {source}", made.dialect.name()));
        }
    }
    Ok(())
}

/// Every string of a document, those of documents inside strings too; and every list and object in its normal form.
fn held(root: Value<'_>, layers: usize, strings: &mut Vec<String>, values: &mut Vec<String>) {
    let json = root.json();
    for value in (0..u32::try_from(json.len()).unwrap_or(u32::MAX)).map(|index| json.value(index)) {
        let Some(string) = value.as_str() else {
            values.push(normal(value, LAYERS));
            continue;
        };
        if let Ok(inner) = Json::parse(&string, &Limits::default())
            && layers > 0
        {
            held(inner.root(), layers - 1, strings, values);
        }
        strings.push(string.into_owned());
    }
}

/// Whether this project writes it: SPEC.md, part 6.
fn is_documented(said: &str) -> bool {
    let open = ["[wirecanon: ", "[resource", "[audio", "[image", "[tool-result-ref]"];
    said == text::NO_OUTPUT || open.iter().any(|open| said.starts_with(open)) || is_link(said)
}

/// A link as text: its name in brackets, then where it leads.
fn is_link(said: &str) -> bool {
    said.starts_with('[')
        && said.split_once("] ").is_some_and(|(_, target)| target.contains(':') && !target.contains(' '))
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn the_spelling_of_a_valid_transcript_changes_nothing(made in strategy::valid(), seed: u64) {
        prop_assert_eq!(spelling_is_nothing(&Reference, &made, seed), Ok(()));
        prop_assert_eq!(own_spelling_stays(&Reference, &made, seed), Ok(()));
    }

    #[test]
    fn the_spelling_of_a_broken_transcript_changes_nothing(made in strategy::broken(), seed: u64) {
        prop_assert_eq!(spelling_is_nothing(&Reference, &made, seed), Ok(()));
    }

    #[test]
    fn no_text_is_made_up(made in prop_oneof![strategy::valid(), strategy::broken()]) {
        prop_assert_eq!(nothing_is_made_up(&Reference, &made, 0), Ok(()));
    }
}

/// A normalizer that looks at the text before the reference does, or changes what it wrote.
struct Mutant(fn(&Request<'_>) -> Outcome);

impl Normalizer for Mutant {
    fn name(&self) -> &'static str {
        "mutant"
    }

    fn convert(&self, request: &Request<'_>) -> Outcome {
        self.0(request)
    }
}

fn assert_caught(law: Law, mutant: fn(&Request<'_>) -> Outcome) {
    let caught = (0..200).any(|seed| {
        let made = generate::valid(&mut Unstructured::new(&noise(seed, 300)), generate::Dialect::OpenAiChat);
        law(&Reference, &made, seed) == Ok(()) && law(&Mutant(mutant), &made, seed).is_err()
    });
    assert!(caught, "the law holds for the mutant");
}

fn of_text(request: &Request<'_>, change: impl FnOnce(String) -> String) -> Outcome {
    let input = change(String::from_utf8_lossy(request.input).into_owned());
    Reference.convert(&Request { input: input.as_bytes(), ..*request })
}

fn of_output(request: &Request<'_>, change: impl FnOnce(String) -> String) -> Outcome {
    match Reference.convert(request) {
        Outcome::Output { bytes, report } => {
            Outcome::Output { bytes: change(String::from_utf8_lossy(&bytes).into_owned()).into_bytes(), report }
        }
        other => other,
    }
}

#[test]
fn one_that_wants_the_role_first_is_caught() {
    assert_caught(spelling_is_nothing, |request| of_text(request, |text| text.replace(",\"role\"", ",\"rolle\"")));
}

#[test]
fn one_that_does_not_know_escapes_is_caught() {
    assert_caught(spelling_is_nothing, |request| of_text(request, |text| text.replace("\\u", "u")));
}

#[test]
fn one_that_takes_white_space_for_text_is_caught() {
    assert_caught(spelling_is_nothing, |request| of_text(request, |text| text.replace(":\t\"", ":\"\\t")));
}

#[test]
fn one_that_reports_what_is_only_spelled_otherwise_is_caught() {
    assert_caught(spelling_is_nothing, |request| match Reference.convert(request) {
        Outcome::Output { bytes, report } if request.input.windows(2).any(|pair| pair == b"\\u") => {
            let broken =
                Reference.convert(&Request { input: br#"[{"role":"user","content":[{"type":"text"}]}]"#, ..*request });
            let Outcome::Output { report: other, .. } = broken else { return Outcome::Output { bytes, report } };
            Outcome::Output { bytes, report: other }
        }
        other => other,
    });
}

#[test]
fn one_that_prints_anew_is_caught() {
    assert_caught(own_spelling_stays, |request| {
        of_output(request, |text| text.split_whitespace().collect::<Vec<_>>().join(" "))
    });
}

#[test]
fn one_that_adds_a_word_is_caught() {
    assert_caught(nothing_is_made_up, |request| {
        of_output(request, |text| text.replace("\"text\":\"", "\"text\":\"The "))
    });
}

#[test]
fn one_that_lays_two_texts_together_is_caught() {
    assert_caught(nothing_is_made_up, |request| {
        of_output(request, |text| text.replace("\"},{\"type\":\"text\",\"text\":\"", " "))
    });
}
