//! Comparison of JSON Schemas, value by value or as another dialect spells them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};
use wirecanon_json::{Kind, Value, resolve};
use wirecanon_model::Dialect;

use super::lists;
use super::value::is_equal;
use crate::wire::only_member;

lists! {
    /// Keys that a dialect may leave out: the server refuses them, or knows nothing of them
    LEFT_OUT = "$schema $id $comment title strict propertyOrdering examples deprecated";
    /// Keys that Gemini's form of a schema may leave out: it lacks them, or lacked them once
    LEFT_OUT_BY_GEMINI = "additionalProperties default example format pattern minLength maxLength minItems maxItems \
        uniqueItems minProperties maxProperties minimum maximum exclusiveMinimum exclusiveMaximum multipleOf \
        patternProperties propertyNames unevaluatedProperties dependentRequired contentEncoding contentMediaType \
        readOnly writeOnly not";
    /// Keys whose value is a schema, or a list of schemas
    SCHEMAS = "items prefixItems additionalProperties contains not if then else anyOf oneOf allOf propertyNames";
    /// Keys whose value is a count
    COUNTS = "minItems maxItems minLength maxLength minProperties maxProperties";
}

/// The most schemas that are merged into one: references, and alternatives beside `null`.
const MAX_LAYERS: usize = 32;

/// The most references of one schema that are followed.
const MAX_REFERENCES: usize = 1024;

/// The first place where two values differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mismatch<'e, 'a> {
    /// The expected value; `None` where the answer has one more
    pub(super) expected: Option<Value<'e>>,
    /// The value of the answer; `None` where it is missing
    pub(super) answer: Option<Value<'a>>,
}

impl<'e, 'a> Mismatch<'e, 'a> {
    pub(super) fn of(expected: Option<Value<'e>>, answer: Option<Value<'a>>) -> Self {
        Self { expected, answer }
    }
}

/// Finds the first place where two values differ, value by value.
pub(super) fn exact_mismatch<'e, 'a>(expected: Value<'e>, answer: Value<'a>) -> Option<Mismatch<'e, 'a>> {
    let mut open = vec![(expected, answer)];
    while let Some((a, b)) = open.pop() {
        match (a.kind(), b.kind()) {
            (Kind::Object, Kind::Object) => {
                let (left, right) = (members(a), members(b));
                for (key, a) in &left {
                    match right.get(key) {
                        Some(b) => open.push((*a, *b)),
                        None => return Some(Mismatch::of(Some(*a), None)),
                    }
                }
                if let Some((_, b)) = right.iter().find(|(key, _)| !left.contains_key(*key)) {
                    return Some(Mismatch::of(None, Some(*b)));
                }
            }
            (Kind::Array, Kind::Array) => {
                let (mut left, mut right) = (a.items(), b.items());
                loop {
                    match (left.next(), right.next()) {
                        (Some(a), Some(b)) => open.push((a, b)),
                        (None, None) => break,
                        (a, b) => return Some(Mismatch::of(a, b)),
                    }
                }
            }
            _ if is_equal(a, b) => {}
            _ => return Some(Mismatch::of(Some(a), Some(b))),
        }
    }
    None
}

/// The fields of an object by their keys; of equal keys the last one counts.
pub(super) fn members(object: Value<'_>) -> BTreeMap<Cow<'_, str>, Value<'_>> {
    object.members().filter_map(|(key, value)| Some((key.as_str()?, value))).collect()
}

/// Finds the first place where a schema does not say what is expected, as the dialect of the answer spells it.
pub(super) fn schema_mismatch<'e, 'a>(
    (expected, from): (Value<'e>, Dialect),
    (answer, to): (Value<'a>, Dialect),
) -> Option<Mismatch<'e, 'a>> {
    let is_own = from == to;
    if is_own && is_equal(expected, answer) {
        return None;
    }
    let mut walk = Walk {
        expected: Source::new(expected),
        answer: Source::new(answer),
        is_own,
        has_gemini: from == Dialect::GeminiContents || to == Dialect::GeminiContents,
        to_gemini: to == Dialect::GeminiContents,
        open: vec![(expected, answer)],
        seen: HashSet::new(),
        budget: 1024 + expected.raw().len() + answer.raw().len(),
    };
    while let Some((a, b)) = walk.open.pop() {
        if let Err(mismatch) = walk.pair(a, b) {
            return Some(mismatch);
        }
    }
    None
}

/// A schema whose references are followed.
struct Source<'v> {
    root: Value<'v>,
    targets: HashMap<Cow<'v, str>, Option<Value<'v>>>,
}

/// One schema, with what it refers to, and without the spelling of `null`.
#[derive(Default)]
struct Node<'v> {
    members: BTreeMap<Cow<'v, str>, Value<'v>>,
    /// The types, in small letters and in order
    types: Vec<String>,
    is_nullable: bool,
    /// The values that are allowed, if they are listed
    values: Option<Vec<Value<'v>>>,
}

impl<'v> Source<'v> {
    fn new(root: Value<'v>) -> Self {
        Self { root, targets: HashMap::new() }
    }

    /// Returns the schema that a reference within the document names.
    fn target(&mut self, reference: Value<'v>) -> Option<Value<'v>> {
        let reference = reference.as_str()?;
        if let Some(known) = self.targets.get(&reference) {
            return *known;
        }
        if self.targets.len() >= MAX_REFERENCES {
            return None;
        }
        let found = reference.strip_prefix('#').and_then(|pointer| resolve(self.root, pointer));
        let found = found.filter(|found| found.is_object());
        self.targets.insert(reference, found);
        found
    }

    /// Returns the schema that a schema of nothing but a reference stands for.
    fn followed(&mut self, mut schema: Value<'v>) -> Value<'v> {
        for _ in 0..MAX_LAYERS {
            let reference = only_member(schema).filter(|(key, _)| key.is_str("$ref"));
            let Some(target) = reference.and_then(|(_, reference)| self.target(reference)) else { break };
            schema = target;
        }
        schema
    }

    fn node(&mut self, schema: Value<'v>) -> Node<'v> {
        let mut node = Node { members: members(schema), ..Node::default() };
        for _ in 0..MAX_LAYERS {
            let Some(next) = self.next_layer(&mut node) else { break };
            for (key, value) in members(next) {
                node.members.entry(key).or_insert(value);
            }
        }
        for key in ["$defs", "definitions"] {
            node.members.remove(key);
        }
        if let Some(kind) = node.members.remove("type") {
            let alone = kind.is_string().then_some(kind);
            let types = alone.into_iter().chain(kind.items()).filter_map(Value::as_str);
            node.types = types.map(|kind| kind.to_ascii_lowercase()).collect();
            node.types.sort_unstable();
            node.is_nullable |= node.types.len() > 1 && node.types.iter().any(|kind| kind == "null");
            if node.is_nullable {
                node.types.retain(|kind| kind != "null");
            }
        }
        if let Some(flag) = node.members.remove("nullable") {
            node.is_nullable |= flag.as_bool() == Some(true);
        }
        let values = match (node.members.remove("enum"), node.members.remove("const")) {
            (Some(list), _) => Some(list.items().collect::<Vec<_>>()),
            (None, value) => value.map(|value| vec![value]),
        };
        node.values =
            values.map(|values| values.into_iter().filter(|value| !(node.is_nullable && value.is_null())).collect());
        node
    }

    /// Takes a reference, or the one alternative beside `null`, out of a schema, and returns it.
    fn next_layer(&mut self, node: &mut Node<'v>) -> Option<Value<'v>> {
        if let Some(target) = node.members.get("$ref").copied().and_then(|reference| self.target(reference)) {
            node.members.remove("$ref");
            return Some(target);
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            let Some(list) = node.members.get(key).copied().filter(|list| list.is_array()) else { continue };
            let mut alternatives = list.items().filter(|schema| !is_null(*schema));
            let (first, second) = (alternatives.next(), alternatives.next());
            node.is_nullable |= key != "allOf" && list.items().any(is_null);
            if let (Some(first), None) = (first, second)
                && first.is_object()
            {
                node.members.remove(key);
                return Some(first);
            }
        }
        None
    }
}

/// Returns whether a schema allows `null` alone.
fn is_null(schema: Value<'_>) -> bool {
    schema.get("type").and_then(Value::as_str).is_some_and(|kind| kind.eq_ignore_ascii_case("null"))
}

struct Walk<'e, 'a> {
    expected: Source<'e>,
    answer: Source<'a>,
    is_own: bool,
    has_gemini: bool,
    to_gemini: bool,
    open: Vec<(Value<'e>, Value<'a>)>,
    /// The pairs that were compared: references may go in circles
    seen: HashSet<(u32, u32)>,
    /// The number of fields that may still be compared
    budget: usize,
}

type Compared<'e, 'a> = Result<(), Mismatch<'e, 'a>>;

impl<'e, 'a> Walk<'e, 'a> {
    fn pair(&mut self, a: Value<'e>, b: Value<'a>) -> Compared<'e, 'a> {
        let (a, b) = (self.expected.followed(a), self.answer.followed(b));
        let both = Mismatch::of(Some(a), Some(b));
        if !a.is_object() || !b.is_object() {
            return if is_equal(a, b) { Ok(()) } else { Err(both) };
        }
        if !self.seen.insert((a.index(), b.index())) {
            return Ok(());
        }
        let (left, right) = (self.expected.node(a), self.answer.node(b));
        self.budget = self.budget.checked_sub(1 + left.members.len() + right.members.len()).ok_or(both)?;
        if left.types != right.types && !is_implied(&left, &right) && !is_implied(&right, &left) {
            return Err(Mismatch::of(a.get("type").or(Some(a)), b.get("type").or(Some(b))));
        }
        let is_listed = |values: &[Value<'a>], value: Value<'e>| values.iter().any(|other| is_equal(value, *other));
        match (&left.values, &right.values) {
            (None, None) => {}
            (Some(expected), Some(answer))
                if expected.len() == answer.len()
                    && (expected.iter().zip(answer).all(|(value, other)| is_equal(*value, *other))
                        || expected.len() <= MAX_REFERENCES
                            && expected.iter().all(|value| is_listed(answer, *value))) => {}
            _ => return Err(Mismatch::of(a.get("enum").or(Some(a)), b.get("enum").or(Some(b)))),
        }
        if left.is_nullable != right.is_nullable {
            return Err(both);
        }
        let name = |key: &str| if self.has_gemini && key == "oneOf" { "anyOf".to_owned() } else { key.to_owned() };
        let left: BTreeMap<String, Value<'e>> = left.members.iter().map(|(key, value)| (name(key), *value)).collect();
        let right: BTreeMap<String, Value<'a>> = right.members.iter().map(|(key, value)| (name(key), *value)).collect();
        for (key, a) in &left {
            match right.get(key) {
                Some(b) => self.field(key, *a, *b)?,
                None if self.may_be_left_out(key, *a) => {}
                None => return Err(Mismatch::of(Some(*a), None)),
            }
        }
        let added = right.iter().find(|(key, b)| !left.contains_key(*key) && !self.may_be_added(key, **b));
        added.map_or(Ok(()), |(_, b)| Err(Mismatch::of(None, Some(*b))))
    }

    fn field(&mut self, key: &str, a: Value<'e>, b: Value<'a>) -> Compared<'e, 'a> {
        let both = Err(Mismatch::of(Some(a), Some(b)));
        match key {
            "properties" | "patternProperties" if a.is_object() && b.is_object() => {
                let (left, right) = (members(a), members(b));
                self.budget = match self.budget.checked_sub(left.len() + right.len()) {
                    Some(budget) => budget,
                    None => return both,
                };
                for (key, a) in &left {
                    let Some(b) = right.get(key) else { return Err(Mismatch::of(Some(*a), None)) };
                    self.open.push((*a, *b));
                }
                let added = right.iter().find(|(key, _)| !left.contains_key(*key));
                added.map_or(Ok(()), |(_, b)| Err(Mismatch::of(None, Some(*b))))
            }
            "required" if a.is_array() && b.is_array() => {
                let names = |list: Value<'_>| -> HashSet<String> {
                    list.items().filter_map(|name| Some(name.as_str()?.into_owned())).collect()
                };
                if names(a) == names(b) { Ok(()) } else { both }
            }
            "description" | "title" if a.is_string() && b.is_string() => {
                let text = |value: Value<'_>| value.as_str().map(|text| text.trim().to_owned());
                if text(a) == text(b) { Ok(()) } else { both }
            }
            _ if SCHEMAS.has(key) && a.is_array() && b.is_array() => {
                let (mut left, mut right) = (a.items(), b.items());
                let is_alternative = key == "anyOf" || key == "oneOf";
                loop {
                    let a = left.find(|schema| !is_alternative || !is_null(*schema));
                    let b = right.find(|schema| !is_alternative || !is_null(*schema));
                    match (a, b) {
                        (Some(a), Some(b)) => self.open.push((a, b)),
                        (None, None) => return Ok(()),
                        (a, b) => return Err(Mismatch::of(a, b)),
                    }
                }
            }
            _ if SCHEMAS.has(key) => {
                self.open.push((a, b));
                Ok(())
            }
            // Counts are strings in protobuf JSON.
            _ if COUNTS.has(key) && a.as_str().as_deref() == Some(b.raw()) => Ok(()),
            _ if COUNTS.has(key) && b.as_str().as_deref() == Some(a.raw()) => Ok(()),
            _ if is_equal(a, b) => Ok(()),
            _ => both,
        }
    }

    fn may_be_left_out(&self, key: &str, value: Value<'_>) -> bool {
        says_nothing(key, value)
            || !self.is_own
                && (LEFT_OUT.has(key)
                    // Only a schema says something of the other properties that are allowed.
                    || key == "additionalProperties" && value.as_bool().is_some()
                    || self.to_gemini && LEFT_OUT_BY_GEMINI.has(key))
    }

    fn may_be_added(&self, key: &str, value: Value<'_>) -> bool {
        says_nothing(key, value)
            || !self.is_own
                && (matches!(key, "$schema" | "strict" | "propertyOrdering")
                    || key == "additionalProperties" && value.as_bool() == Some(false))
    }
}

/// Returns whether a schema without a type has the type that the other one says: by its properties, items or values.
fn is_implied(without: &Node<'_>, other: &Node<'_>) -> bool {
    let [kind] = &other.types[..] else { return false };
    without.types.is_empty()
        && match &**kind {
            "object" => without.members.contains_key("properties"),
            "array" => without.members.contains_key("items"),
            "string" => without.values.as_ref().is_some_and(|values| values.iter().all(|value| value.is_string())),
            _ => false,
        }
}

/// Returns whether a field is what its absence says, too.
fn says_nothing(key: &str, value: Value<'_>) -> bool {
    value.is_null()
        || value.is_object() && value.members().next().is_none()
        || value.is_array() && value.items().next().is_none()
        || value.is_string() && key == "description" && value.as_str().is_some_and(|text| text.trim().is_empty())
        || key == "additionalProperties" && value.as_bool() == Some(true)
}
