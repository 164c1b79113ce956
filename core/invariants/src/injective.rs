//! P10: injective ids and names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::{Case, Verdict, judge_turns};
use crate::normalizer::Normalizer;
use crate::view::Turn;
use wirecanon_model::target::Scope;

/// Two calls never share an id in the target's scope, nor two tools a name; what the target takes keeps its spelling.
pub(super) fn injective(normalizer: &dyn Normalizer, case: &Case<'_>) -> Verdict {
    judge_turns("P10", normalizer, case, |turns| shared(case, turns))
}

fn shared(case: &Case<'_>, turns: &[Turn<'_>]) -> Option<String> {
    let mut ids: BTreeSet<&str> = BTreeSet::new();
    let mut names: BTreeMap<&str, Cow<'_, str>> = BTreeMap::new();
    let mut owners: BTreeMap<Cow<'_, str>, &str> = BTreeMap::new();
    for turn in turns {
        if case.to.ids.unique == Scope::Turn {
            ids.clear();
        }
        for call in &turn.calls {
            // An empty id is none, where none is needed.
            if let Some(id) = call.id.as_deref().filter(|id| !id.is_empty())
                && !ids.insert(id)
            {
                return Some(format!("two calls share the id {id}"));
            }
            let Some(known) = case.known.call_of(call) else { continue };
            let (id, name) = (call.id.as_deref().unwrap_or_default(), call.name.clone());
            // An id of two turns is one too many where the target wants it once in a transcript.
            let shared = || case.known.calls.iter().filter(|other| other.id == known.id).count() > 1;
            // The other call may have lost what it is known by.
            let taken =
                || turns.iter().flat_map(|turn| &turn.calls).any(|other| other.id.as_deref() == Some(&known.id));
            if !id.is_empty() && case.to.ids.accepts(&known.id) && id != known.id && !shared() && !taken() {
                return Some(format!("the id {} is one that the target takes, and became {id}", known.id));
            }
            if case.to.names.accepts(&known.name) && name != known.name.as_str() {
                return Some(format!("the name {} is one that the target takes, and became {name}", known.name));
            }
            if let Some(before) = names.insert(&known.name, name.clone())
                && before != name
            {
                return Some(format!("the tool {} is called {before} here and {name} there", known.name));
            }
            if let Some(before) = owners.insert(name.clone(), &known.name)
                && before != known.name
            {
                return Some(format!("the tools {before} and {} are both called {name}", known.name));
            }
        }
    }
    None
}
