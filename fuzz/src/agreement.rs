//! Whether `check` and `fix` agree, over bodies that nobody wrote: whole requests of the corpus, changed at random places, and
//! transcripts of the generator.
//!
//! The law: what `check` accepts for a target, `fix` to that target returns byte for byte; what `fix` writes, `check` accepts;
//! and what `fix` changes in a body of the target's own dialect, it reports.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use wirecanon_core::json::{Json, Limits};
use wirecanon_core::{CheckOptions, Checked, Dialect, Fixed, From, Mode, Options, Target, check, dialect, fix};
use wirecanon_generate::{self as generate, noise};

use crate::change::{Picks, change};

/// What judges a document. A planted one passes something over.
pub type Check<'c> = &'c (dyn Fn(&[u8], &CheckOptions<'_>) -> Option<Checked> + Sync);

/// What repairs a document. A planted one leaves something as it is.
pub type Fix<'f> = &'f (dyn Fn(&[u8], &Options<'_>) -> Option<(Vec<u8>, Vec<&'static str>)> + Sync);

/// The `check` of the library.
pub fn own_check(input: &[u8], options: &CheckOptions<'_>) -> Option<Checked> {
    check(input, options).ok()
}

/// The `fix` of the library: the output, and the rules of its repairs.
pub fn own_fix(input: &[u8], options: &Options<'_>) -> Option<(Vec<u8>, Vec<&'static str>)> {
    let Fixed { output, report } = fix(input, options).ok()?;
    let rules = report.repairs.iter().map(|repair| repair.rule).collect();
    Some((output.into_owned(), rules))
}

/// A document, and the dialect that it is in.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its text
    pub text: String,
    /// Its dialect
    pub from: Dialect,
}

/// Makes bodies from the inputs of a corpus.
pub struct Source {
    requests: Vec<Body>,
}

impl Source {
    /// The inputs of the corpus that is built in. A list of messages becomes a whole request, with the name of a model and a
    /// definition of each tool that it calls.
    ///
    /// # Panics
    ///
    /// When the corpus cannot be read.
    pub fn of_corpus() -> Self {
        let cases = wirecanon::corpus::load().expect("the corpus is readable");
        let requests = cases.into_iter().filter(|case| !case.from.is_fragment()).filter_map(|case| {
            let text = String::from_utf8(case.input).ok()?;
            Some(Body { text: request(&text, case.from).unwrap_or(text), from: case.from })
        });
        Self { requests: requests.collect() }
    }

    /// The body of a number: the same on every machine. Every second one is a changed request, the others are generated.
    pub fn body(&self, number: u64) -> Body {
        let picks = &mut Picks::new(number);
        if number.is_multiple_of(2) {
            let mut body = self.requests[picks.below(self.requests.len())].clone();
            for _ in 0..=picks.below(3) {
                body.text = change(&body.text, &mut |limit| picks.below(limit)).unwrap_or(body.text);
            }
            return body;
        }
        let dialects: Vec<_> = generate::Dialect::ALL
            .into_iter()
            .filter_map(|dialect| Some((dialect, Dialect::by_name(dialect.name())?)))
            .filter(|(_, dialect)| !dialect.is_fragment())
            .collect();
        let (dialect, from) = dialects[picks.below(dialects.len())];
        let bytes = noise(number, 60 + picks.below(600));
        let made = generate::broken(&mut Unstructured::new(&bytes), dialect);
        Body { text: String::from_utf8_lossy(&made.bytes).into_owned(), from }
    }
}

/// A request body around a list of messages of Chat Completions.
fn request(text: &str, from: Dialect) -> Option<String> {
    let is_chat = matches!(from, Dialect::OpenAiChat | Dialect::MistralChat | Dialect::AnthropicMessages);
    if !is_chat || !text.starts_with('[') {
        return None;
    }
    let schema = r#"{"type":"object","properties":{}}"#;
    let tools: Vec<_> = ["read", "write", "f"]
        .iter()
        .map(|name| match from {
            Dialect::AnthropicMessages => format!(r#"{{"name":"{name}","input_schema":{schema}}}"#),
            _ => format!(r#"{{"type":"function","function":{{"name":"{name}","parameters":{schema}}}}}"#),
        })
        .collect();
    Some(format!(r#"{{"model":"m-1","max_tokens":100,"tools":[{}],"messages":{text}}}"#, tools.join(",")))
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// How often `check` found a rule broken for a target
    pub reached: BTreeMap<(&'static str, String), u64>,
    /// Disagreements: the words, and how often
    pub disagreements: Vec<String>,
}

impl Found {
    /// Adds what another part of a run found.
    pub fn add(&mut self, other: Self) {
        for (pair, count) in other.reached {
            *self.reached.entry(pair).or_default() += count;
        }
        self.disagreements.extend(other.disagreements);
    }
}

/// Judges one body for one target of its own dialect and for one of any dialect.
pub fn judge(source: &Source, number: u64, (check, fix): (Check<'_>, Fix<'_>), found: &mut Found) {
    let body = source.body(number);
    let picks = &mut Picks::new(number ^ 0x5eed);
    let mode = if picks.below(4) == 0 { Mode::History } else { Mode::Request };
    let own: Vec<_> = Target::all().iter().filter(|target| target.dialect == body.from).collect();
    let home = own[picks.below(own.len())];
    let any = &Target::all()[picks.below(Target::all().len())];
    for to in [home, any] {
        if let Err(why) = agrees(&body, to, mode, (check, fix), found) {
            let (from, to, mode) = (body.from.name(), &to.name, mode.name());
            found.disagreements.push(format!("body {number}: {from} to {to} for {mode}: {why}\n  {}", body.text));
        }
    }
}

fn agrees(
    body: &Body,
    to: &Target,
    mode: Mode,
    (check, fix): (Check<'_>, Fix<'_>),
    found: &mut Found,
) -> Result<(), String> {
    let input = body.text.as_bytes();
    let asked = |fragment| CheckOptions { target: to, mode, fragment, limits: Limits::default() };
    let options = Options { from: From::Dialect(body.from), to: Some(to), mode, ..Options::default() };
    let Some((output, rules)) = fix(input, &options) else { return Ok(()) };
    // The turn of a response becomes a history, and nothing of it is repaired.
    if to.dialect == body.from
        && !is_response(body)
        && let Some(checked) = check(input, &asked(false))
    {
        for violation in &checked.violations {
            *found.reached.entry((violation.rule, to.name.clone())).or_default() += 1;
        }
        if checked.errors().next().is_none() && output != input {
            return Err(format!("`check` accepts it, and `fix` changes it\n  {}", String::from_utf8_lossy(&output)));
        }
        if rules.is_empty() && output != input {
            return Err(format!("`fix` changes it, and reports nothing\n  {}", String::from_utf8_lossy(&output)));
        }
    }
    check(&output, &asked(false)).map_or(Ok(()), |checked| accepted(&checked, &output))
}

fn is_response(body: &Body) -> bool {
    Json::parse(&body.text, &Limits::default()).is_ok_and(|json| dialect::is_response(&json, body.from))
}

/// Returns an error that names the first rule which an output breaks.
pub(crate) fn accepted(checked: &Checked, output: &[u8]) -> Result<(), String> {
    let Some(broken) = checked.errors().next() else { return Ok(()) };
    let (rule, pointer, message) = (broken.rule, &broken.pointer, &broken.message);
    Err(format!("what was written breaks {rule} at {pointer}: {message}\n  {}", String::from_utf8_lossy(output)))
}

/// Rules whose disagreement is planted, to see that a run finds it.
pub const PLANTED: [&str; 10] = [
    "orphan-tool-result",
    "tool-call-without-result",
    "duplicate-tool-call-id",
    "tool-call-without-name",
    "blank-text",
    "unknown-block",
    "image-without-data",
    "unknown-role",
    "content-missing",
    "unknown-field",
];

/// The number of the first body of so many on which a planted disagreement shows, and no other: `check` that passes a rule over
/// (`fix` false), or `fix` that leaves what breaks the rule (`fix` true).
pub fn first_planted(source: &Source, rule: &str, is_of_fix: bool, bodies: u64) -> Option<u64> {
    let blind = |input: &[u8], options: &CheckOptions<'_>| {
        let mut checked = own_check(input, options)?;
        checked.violations.retain(|violation| violation.rule != rule);
        Some(checked)
    };
    let idle = |input: &[u8], options: &Options<'_>| {
        let (output, rules) = own_fix(input, options)?;
        Some(if rules.contains(&rule) { (input.to_vec(), rules) } else { (output, rules) })
    };
    let disagree = |number: u64, pair: (Check<'_>, Fix<'_>)| {
        let mut found = Found::default();
        judge(source, number, pair, &mut found);
        !found.disagreements.is_empty()
    };
    (0..bodies).find(|number| {
        let planted: (Check<'_>, Fix<'_>) = if is_of_fix { (&own_check, &idle) } else { (&blind, &own_fix) };
        disagree(*number, planted) && !disagree(*number, (&own_check, &own_fix))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_and_fix_agree() {
        let source = Source::of_corpus();
        let mut found = Found::default();
        for number in 0..3000 {
            judge(&source, number, (&own_check, &own_fix), &mut found);
        }
        assert!(found.disagreements.is_empty(), "{}", found.disagreements.join("\n"));
        assert!(found.reached.len() > 150, "{} pairs of a rule and a target", found.reached.len());
    }

    #[test]
    fn planted_disagreements_are_found() {
        assert!(PLANTED.iter().all(|id| wirecanon_core::rule::by_id(id).is_some()), "each is a rule");
        let source = Source::of_corpus();
        for rule in ["orphan-tool-result", "blank-text"] {
            for is_of_fix in [false, true] {
                assert!(first_planted(&source, rule, is_of_fix, 3000).is_some(), "{rule} {is_of_fix}");
            }
        }
    }
}
