//! Comparison of reasoning: what an answer keeps must be reasoning of the same turns, in order, each with its own signature.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::Target;

use super::Comparison;
use super::flat::{Flat, Thought};
use super::quoted;
use crate::equivalence::Equivalence;
use crate::observation::Observation;
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

/// Compares the reasoning of two conversations; `steps` are the turns of the answer, by the expected turns of the assistant.
pub(super) fn compare(
    expected: (&Observation<'_>, &Flat<'_, '_>),
    answer: (&Observation<'_>, &Flat<'_, '_>),
    target: &Target,
    steps: &HashMap<usize, usize>,
    comparison: &mut Comparison,
) {
    let (thoughts, given) = (&expected.1.thoughts, &answer.1.thoughts);
    let statements: Vec<_> = thoughts.iter().filter_map(Statement::new).collect();
    // The signature of a call or of a text may be an item of its own.
    let carried: HashSet<_> = expected.1.signatures.iter().filter_map(|signature| sealed(signature)).collect();
    let sealed: HashSet<_> =
        statements.iter().filter(|said| said.text.is_empty()).map(|said| said.seal.clone()).collect();
    let mut rest = statements.iter();
    let mut kept = 0;
    for said in given.iter().filter_map(Statement::new) {
        if comparison.has_ended_early {
            return;
        }
        let is_bare = said.text.is_empty();
        if is_bare && !sealed.contains(&said.seal) && said.seal.as_ref().is_some_and(|seal| carried.contains(seal)) {
            continue;
        }
        let mut joined = String::new();
        let mut ahead = rest.clone();
        let found = ahead.find(|want| {
            if said.text.is_empty() {
                return want.text.is_empty() && want.seal == said.seal;
            }
            let continues = !joined.is_empty() && said.text.starts_with(&joined);
            joined = if continues { std::mem::take(&mut joined) + &want.text } else { want.text.clone() };
            joined == said.text
        });
        let place = Some(said.thought.item.place);
        let Some(want) = found else {
            if !(is_bare && said.seal.as_ref().is_some_and(|seal| carried.contains(seal))) {
                let detail = format!("reasoning {} is not expected here", quoted(&said.thought.reasoning.text));
                comparison.add(Reason::ReasoningChanged, None, place, detail);
            }
            continue;
        };
        rest = ahead;
        kept += 1;
        let wanted_place = Some(want.thought.item.place);
        if said.seal.is_some() && said.seal != want.seal {
            let detail = "the signature is not that of this reasoning";
            comparison.add(Reason::ReasoningChanged, wanted_place, place, detail);
        }
        if steps.get(&want.thought.step).is_some_and(|step| *step != said.thought.step)
            && !expected.1.may_be_split(want.thought.step, answer.0.dialect)
        {
            let detail = "the reasoning is in another turn";
            comparison.add(Reason::ReasoningChanged, wanted_place, place, detail);
        }
    }
    if kept == statements.len() {
        return;
    }
    comparison.uses(Equivalence::Reasoning);
    // What ends a turn, or is not signed where it must be, no server takes.
    let may_stay =
        |want: &&Statement<'_, '_, '_>| want.thought.is_followed && (!target.reasoning.signed || want.seal.is_some());
    if kept == 0
        && expected.0.dialect == answer.0.dialect
        && target.reasoning.accepted
        && let Some(want) = statements.iter().find(may_stay)
    {
        let place = Some(want.thought.item.place);
        comparison.add(Reason::ReasoningDropped, place, None, "the reasoning is left out");
    }
}
