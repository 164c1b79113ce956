//! Comparison of reasoning: what an answer keeps must be reasoning of the same turns, in order, each with its own signature.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::{Dialect, Target};

use super::Comparison;
use super::flat::{Flat, Thought};
use super::quoted;
use crate::equivalence::Equivalence;
use crate::observation::{Attribute, Item, Observation};
use crate::reason::Reason;

/// The text and the signature of reasoning.
struct Statement<'f, 'o, 'a> {
    thought: &'f Thought<'o, 'a>,
    /// The text without white space
    text: String,
    seal: Option<Cow<'f, str>>,
}

impl<'f, 'o, 'a> Statement<'f, 'o, 'a> {
    /// Returns `None` for reasoning that says nothing and is not signed.
    fn new(thought: &'f Thought<'o, 'a>) -> Option<Self> {
        let text: String = thought.reasoning.text.split_whitespace().collect();
        let seal = thought.reasoning.signature.as_deref().and_then(sealed);
        (!text.is_empty() || seal.is_some()).then_some(Self { thought, text, seal })
    }
}

/// The signature in a text: programs keep the whole item that was signed.
fn sealed(signature: &str) -> Option<Cow<'_, str>> {
    const KEYS: [&str; 3] = ["encrypted_content", "data", "signature"];
    if signature.trim().is_empty() {
        return None;
    }
    if !signature.starts_with('{') {
        return Some(Cow::Borrowed(signature));
    }
    let json = Json::parse(signature, &Limits::default()).ok()?;
    let inner = KEYS.iter().find_map(|key| json.root().get(key).and_then(Value::as_str));
    inner.map(|inner| Cow::Owned(inner.into_owned()))
}

/// Compares the reasoning of two conversations; `steps` are the first and the last turn of the answer, by the expected turns.
pub(super) fn compare(
    expected: (&Observation<'_>, &Flat<'_, '_>),
    answer: (&Observation<'_>, &Flat<'_, '_>),
    target: &Target,
    steps: &BTreeMap<usize, (usize, usize)>,
    comparison: &mut Comparison,
) {
    let (thoughts, given) = (&expected.1.thoughts, &answer.1.thoughts);
    let is_own = expected.0.dialect == answer.0.dialect;
    // These have reasoning as text alone.
    let has_signatures = !matches!(answer.0.dialect, Dialect::OpenAiChat | Dialect::OllamaChat | Dialect::CohereV2);
    let statements: Vec<_> = thoughts.iter().filter_map(Statement::new).collect();
    // The signature of a call or of a text may be an item of its own.
    let carried: HashSet<_> = expected.1.signatures.iter().filter_map(|signature| sealed(signature)).collect();
    let mut bare: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, want) in statements.iter().enumerate().filter(|(_, want)| want.text.is_empty()) {
        bare.entry(want.seal.clone()).or_default().push(at);
    }
    let mut is_kept = vec![false; statements.len()];
    let mut next = 0;
    for said in given.iter().filter_map(Statement::new) {
        if comparison.has_ended_early {
            return;
        }
        let is_carried = said.text.is_empty() && said.seal.as_ref().is_some_and(|seal| carried.contains(seal));
        if is_carried && !bare.contains_key(&said.seal) {
            continue;
        }
        let place = Some(said.thought.item.place);
        let found = if said.text.is_empty() {
            let places = bare.get(&said.seal).map_or(&[][..], Vec::as_slice);
            places.get(places.partition_point(|at| *at < next)).map(|at| *at..at + 1)
        } else {
            find(&statements, next, &said.text)
        };
        let Some(found) = found else {
            if !is_carried {
                let detail = format!("reasoning {} is not expected here", quoted(&said.thought.reasoning.text));
                comparison.add(Reason::ReasoningChanged, None, place, detail);
            }
            continue;
        };
        next = found.end;
        let want = &statements[found.end - 1];
        let (mut is_elsewhere, mut has_other_seal) = (false, false);
        for at in found {
            if said.text.is_empty() || !statements[at].text.is_empty() {
                is_kept[at] = true;
                has_other_seal |= statements[at].seal.is_some() && statements[at].seal != said.seal;
                is_elsewhere |= !is_turn(steps, statements[at].thought.step, said.thought.step);
            }
        }
        let wanted_place = Some(want.thought.item.place);
        if said.seal.is_some() && (has_other_seal || said.seal != want.seal) {
            let detail = "the signature is not that of this reasoning";
            comparison.add(Reason::ReasoningChanged, wanted_place, place, detail);
        } else if has_other_seal && has_signatures && is_own && target.reasoning.accepted {
            comparison.add(Reason::ReasoningDropped, wanted_place, place, "the signature of the reasoning is left out");
        }
        if is_elsewhere {
            let detail = "the reasoning is in another turn";
            comparison.add(Reason::ReasoningChanged, wanted_place, place, detail);
        }
    }
    if is_kept.iter().all(|is_kept| *is_kept) {
        return;
    }
    comparison.uses(Equivalence::Reasoning);
    let reasoning = &target.reasoning;
    // OpenAI's Chat Completions API has no reasoning; servers that speak its dialect name the member.
    let is_read = answer.0.dialect != Dialect::OpenAiChat || reasoning.field.is_some() || reasoning.details;
    if !is_own || !reasoning.accepted || !is_read {
        return;
    }
    for (want, _) in statements.iter().zip(&is_kept).filter(|(want, is_kept)| !**is_kept && may_stay(want, target)) {
        let place = Some(want.thought.item.place);
        comparison.add(Reason::ReasoningDropped, place, None, "the reasoning is left out");
    }
}

/// Returns whether a turn of the answer is the expected one, or between the turns around it where nothing else of it was found.
fn is_turn(steps: &BTreeMap<usize, (usize, usize)>, expected: usize, answer: usize) -> bool {
    match steps.get(&expected) {
        Some((first, last)) => (*first..=*last).contains(&answer),
        None => {
            let before = steps.range(..expected).next_back().map(|(_, (_, last))| *last);
            let behind = steps.range(expected..).next().map(|(_, (first, _))| *first);
            before.is_none_or(|before| before <= answer) && behind.is_none_or(|behind| answer <= behind)
        }
    }
}

/// Finds a text of reasoning: one statement, or several that follow each other, as one.
fn find(statements: &[Statement<'_, '_, '_>], from: usize, text: &str) -> Option<Range<usize>> {
    let (mut start, mut rest) = (from, text);
    for (at, want) in statements.iter().enumerate().skip(from).filter(|(_, want)| !want.text.is_empty()) {
        if let Some(after) = rest.strip_prefix(&*want.text) {
            rest = after;
        } else if let Some(after) = text.strip_prefix(&*want.text) {
            (start, rest) = (at, after);
        } else {
            (start, rest) = (at + 1, text);
        }
        if rest.is_empty() {
            return Some(start..at + 1);
        }
    }
    None
}

/// Returns whether a target accepts reasoning: it does not end a turn, and is signed where it must be.
fn may_stay(want: &Statement<'_, '_, '_>, target: &Target) -> bool {
    want.thought.is_followed && (!target.reasoning.signed || want.seal.is_some())
}

/// Compares the signatures of two texts or calls of one dialect. A signature that says that it is to be skipped is none.
pub(super) fn signatures(want: &Item<'_>, unit: &Item<'_>, comparison: &mut Comparison) {
    const SKIPPED: [&str; 2] = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];
    let signature = |item: &Item<'_>| {
        let found = item.attributes.iter().find(|(attribute, _)| *attribute == Attribute::Signature);
        found.map(|(_, value)| value.to_string()).filter(|value| !SKIPPED.contains(&&**value))
    };
    if let Some(given) = signature(unit)
        && signature(want).is_none_or(|wanted| wanted != given)
    {
        let detail = "the signature is not that of this item";
        comparison.add(Reason::ReasoningChanged, Some(want.place), Some(unit.place), detail);
    }
}
