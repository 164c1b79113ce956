//! From a schema to its plan.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use serde_json::Value;

use super::document::{Document, Sid};
use super::error::{Error, Fault};
use super::facts::{Demand, Facts, Item, Types, Vid};
use super::flavor::Flavor;
use super::measure::{self, DEEPEST};
use super::number::Range;
use super::object;
use super::pattern::Automata;
use super::plan::{Array, Kind, NEVER, Node, Numbers};
use super::solve::{ENOUGH, MOST_WORK, OVERWORKED, set};
use super::write;
use super::{Plan, blame, distinct};

/// More nodes than this are refused.
const MOST_NODES: usize = 100_000;

/// Of a text longer than this it is not searched which keyword contradicts the others.
const MOST_BLAMED: usize = 100_000;

/// What compiling knows.
pub(super) struct Compiler<'a> {
    pub(super) document: Document<'a>,
    pub(super) automata: Automata,
    /// Values that members and items must be equal to
    pub(super) values: Vec<&'a Value>,
    pub(super) demands: HashMap<Sid, Rc<[Demand<'a>]>>,
    pub(super) denials: HashMap<Sid, Rc<[Vec<Demand<'a>>]>>,
    /// The first keyword of which no failure can be planned, where its schema must fail
    pub(super) left_out: Option<Error>,
    /// Such keywords fail for any value: what nothing satisfies even so, nothing satisfies
    pub(super) lenient: bool,
    pub(super) possible: HashMap<Box<[Item]>, bool>,
    pub(super) looking: usize,
    pub(super) depth: usize,
    /// Steps taken, and how many may be
    pub(super) work: usize,
    pub(super) most_work: usize,
    numbers: HashMap<(Box<[Item]>, Flavor), u32>,
    queue: VecDeque<(u32, Box<[Item]>, Flavor)>,
    nodes: Vec<Node>,
}

pub(super) fn compile(schema: &str) -> Result<Plan, Error> {
    let root: Value = serde_json::from_str(schema).map_err(|error| {
        let why = error.to_string();
        let deep = Fault::TooLarge("nested deeper than 127 levels; name inner schemas in `$defs`");
        Error::at_root(if why.starts_with("recursion limit") { deep } else { Fault::NotASchema(why) })
    })?;
    plan(&root, MOST_WORK).map_err(|error| match error.fault {
        Fault::Unsatisfiable if schema.len() <= MOST_BLAMED => blame::unsatisfiable(&root),
        _ => error,
    })
}

/// The plan of a schema, in at most so many steps.
pub(super) fn plan(root: &Value, most_work: usize) -> Result<Plan, Error> {
    plan_by(root, most_work, false)
}

fn plan_by(root: &Value, most_work: usize, lenient: bool) -> Result<Plan, Error> {
    let schema = root;
    let mut compiler = Compiler {
        document: Document::new(root),
        automata: Automata::default(),
        values: Vec::new(),
        demands: HashMap::new(),
        denials: HashMap::new(),
        left_out: None,
        lenient,
        possible: HashMap::new(),
        looking: 0,
        depth: 0,
        work: 0,
        most_work,
        numbers: HashMap::new(),
        queue: VecDeque::new(),
        nodes: Vec::new(),
    };
    let first = compiler.document.root()?;
    let root = compiler.node(vec![Item::Holds(first)], Flavor::Text);
    while let Some((number, items, flavor)) = compiler.queue.pop_front() {
        let ways = compiler.alternatives(&items, flavor).map_err(|error| match error.fault {
            // It was found far inside; what was too much stands here.
            OVERWORKED => compiler.overworked(&items),
            _ => error,
        })?;
        let ways = ways.into_iter().map(|kind| compiler.push(kind)).collect();
        compiler.nodes[number as usize].kind = Kind::OneOf(ways);
        if compiler.nodes.len() > MOST_NODES {
            return Err(compiler.at(&items, Fault::TooLarge("more than 100000 alternatives in all")));
        }
    }
    let measured = measure::measure(&mut compiler.nodes);
    let depth = compiler.nodes[root as usize].depth;
    if let (true, Some((number, keyword))) = (depth == NEVER, measured.large) {
        return Err(compiler.too_large(number, keyword));
    }
    if depth == NEVER && !measured.deep {
        // What was left out may be the only way.
        if let Some(unsupported) = compiler.left_out.filter(|_| !lenient)
            && !plan_by(schema, most_work, true).is_err_and(|error| error.fault == Fault::Unsatisfiable)
        {
            return Err(unsupported);
        }
        return Err(Error::at_root(Fault::Unsatisfiable));
    }
    if depth > DEEPEST {
        return Err(Error::at_root(Fault::TooLarge("the smallest instance is deeper than 200 levels")));
    }
    let mut plan = Plan { nodes: compiler.nodes, root, depth };
    loop {
        object::pairs(&mut plan.nodes);
        let outcome = distinct::fill(&mut plan);
        if outcome == distinct::Outcome::All {
            return Ok(plan);
        }
        for node in &mut plan.nodes {
            node.depth = NEVER;
        }
        measure::measure(&mut plan.nodes);
        plan.depth = plan.nodes[root as usize].depth;
        if outcome == distinct::Outcome::NotAll || plan.depth > DEEPEST {
            let fault = Fault::Unsupported("so many items that differ from one another could not be found");
            return Err(Error::new("", "uniqueItems", fault));
        }
    }
}

impl<'a> Compiler<'a> {
    /// The node of all values that are all of `items`.
    pub(super) fn node(&mut self, items: Vec<Item>, flavor: Flavor) -> u32 {
        let items = set(items);
        let key = (items, flavor);
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let number = self.push(Kind::OneOf(Vec::new()));
        self.queue.push_back((number, key.0.clone(), flavor));
        self.numbers.insert(key, number);
        number
    }

    fn push(&mut self, kind: Kind) -> u32 {
        self.nodes.push(Node { kind, depth: NEVER });
        (self.nodes.len() - 1) as u32
    }

    /// An error for a choice whose smallest instance is larger than the bound.
    fn too_large(&self, number: u32, keyword: &str) -> Error {
        let known = self.numbers.iter().find(|(_, known)| **known == number);
        let fault = Fault::TooLarge("its smallest instance is larger than 100000 characters");
        let mut error = self.at(known.map_or(&[][..], |((items, _), _)| items), fault);
        keyword.clone_into(&mut error.keyword);
        error
    }

    fn alternatives(&mut self, items: &[Item], flavor: Flavor) -> Result<Vec<Kind>, Error> {
        let mut out = Vec::new();
        for facts in self.solve(items)? {
            if let Some(among) = facts.among.clone() {
                // Of very many some will do, from all over.
                let step = among.len().div_ceil(ENOUGH).max(1);
                let known = out.len();
                for value in (0..step).flat_map(|first| among.iter().skip(first).step_by(step)) {
                    if out.len() - known >= ENOUGH {
                        break;
                    }
                    out.extend(self.constant(items, &facts, value)?);
                }
                continue;
            }
            let not = |value: &Value| facts.not.contains(&value);
            for value in [Value::Null, Value::Bool(false), Value::Bool(true)] {
                if facts.types.has(Types::of(&value)) && !not(&value) {
                    out.push(Kind::Fixed(value.to_string().into()));
                }
            }
            out.extend(Self::numbers(&facts));
            if facts.types.has(Types::STRING) {
                out.extend(self.text(items, &facts, flavor)?);
            }
            if facts.types.has(Types::ARRAY) {
                out.extend(self.array(items, &facts)?);
            }
            if facts.types.has(Types::OBJECT) {
                let facts = self.unlike(items, facts)?;
                out.extend(self.object(&facts)?);
            }
        }
        Ok(out)
    }

    /// One value that the schema spells out, where the rest of the schema lets it stand.
    fn constant(&mut self, items: &[Item], facts: &Facts<'a>, value: &'a Value) -> Result<Option<Kind>, Error> {
        let mut is = |value: &'a Value| {
            self.values.push(value);
            Item::Is(Vid((self.values.len() - 1) as u32))
        };
        match value {
            Value::String(text) => {
                for (pattern, holds) in &facts.patterns {
                    if self.automata.matches(pattern, text) != Ok(*holds) {
                        return Ok(None);
                    }
                }
            }
            Value::Object(members) if !facts.objects.is_empty() || !facts.member.is_empty() => {
                let mut exact = facts.clone();
                exact.among = None;
                exact.required = members.keys().map(String::as_str).collect();
                exact.members = (members.len(), Some(members.len()));
                for (name, value) in members {
                    exact.member.entry(name).or_default().push(is(value));
                }
                return self.object(&exact);
            }
            Value::Array(list)
                if !(facts.arrays.is_empty()
                    && facts.every.is_empty()
                    && facts.at.is_empty()
                    && facts.contains.is_empty()) =>
            {
                if !facts.contains.is_empty() {
                    let fault = Fault::Unsupported("`contains` beside a list that is spelled out is not taken");
                    return Err(self.at(items, fault));
                }
                let list: Vec<_> = list.iter().map(is).collect();
                let mut prefix = Vec::new();
                for (index, equal) in list.iter().enumerate() {
                    let Some(mut items) = self.item(facts, Some(index))? else { return Ok(None) };
                    items.push(*equal);
                    prefix.push(self.node(items, Flavor::Text));
                }
                let (least, most) = (prefix.len(), Some(prefix.len()));
                return Ok(Some(Kind::Array(Box::new(Array { prefix, least, most, ..Array::default() }))));
            }
            _ => {}
        }
        Ok(Some(Kind::Fixed(value.to_string().into())))
    }

    /// The numbers of one alternative.
    fn numbers(facts: &Facts<'a>) -> Vec<Kind> {
        let mut out = Vec::new();
        let not: Vec<f64> = facts.not.iter().filter_map(|value| value.as_f64()).collect();
        let ranges = [
            facts.types.has(Types::INTEGER).then(|| Range::whole(&facts.bounds, facts.multiple)).flatten(),
            facts.types.has(Types::FRACTION).then(|| Range::decimal(&facts.bounds, facts.multiple)).flatten(),
        ];
        for range in ranges.into_iter().flatten() {
            let numbers = Numbers { range, not: not.clone(), whole: facts.types.has(Types::INTEGER) };
            if write::number(&numbers, &mut super::super::Draw::new(&mut arbitrary::Unstructured::new(&[]))).is_some() {
                out.push(Kind::Number(numbers));
            }
        }
        out
    }

    fn array(&mut self, items: &[Item], facts: &Facts<'a>) -> Result<Option<Kind>, Error> {
        let (mut least, mut most) = facts.count;
        for length in facts.not.iter().filter_map(|value| value.as_array()).map(Vec::len) {
            if length == 0 && most == Some(0) {
                return Ok(None);
            }
            if length == least && most != Some(least) {
                least += 1;
            } else if length >= least {
                let fault =
                    Fault::Unsupported("a list that must not equal another one is taken only for the empty list");
                return Err(self.at(items, fault));
            }
        }
        // What at most some items may be, all others must not be.
        let mut others = facts.clone();
        others.contains.clear();
        for (item, _, most) in &facts.contains {
            if let (Item::Holds(sid), Some(_)) = (item, most) {
                others.every.push(Item::Fails(*sid));
            }
        }
        let mut prefix = Vec::new();
        for index in 0..self.prefix(facts)? {
            let Some(items) = self.item(&others, Some(index))? else {
                // Nothing may stand here, so the list ends in front of it.
                most = Some(most.map_or(index, |most| most.min(index)));
                break;
            };
            prefix.push(self.node(items, Flavor::Text));
        }
        let mut must = Vec::new();
        for (number, (item, times, _)) in facts.contains.iter().enumerate().filter(|(_, (_, times, _))| *times > 0) {
            let mut these = facts.clone();
            for (other, (item, _, most)) in facts.contains.iter().enumerate() {
                if let (Item::Holds(sid), Some(_), true) = (item, most, other != number) {
                    these.every.push(Item::Fails(*sid));
                }
            }
            let Some(mut items) = self.item(&these, None)? else { return Ok(None) };
            items.push(*item);
            must.push((self.node(items, Flavor::Text), *times));
        }
        let rest = self.item(&others, None)?;
        let rest = rest.map(|items| self.node(items, Flavor::Text));
        let needed = prefix.len() + must.iter().map(|(_, times)| times).sum::<usize>();
        if !must.is_empty() {
            least = least.max(needed);
        }
        if most.is_some_and(|most| least > most) {
            return Ok(None);
        }
        let unique = facts.unique;
        Ok(Some(Kind::Array(Box::new(Array { prefix, must, rest, least, most, unique, distinct: None }))))
    }

    /// Makes an object differ from those that it must not equal.
    fn unlike(&self, items: &[Item], mut facts: Facts<'a>) -> Result<Facts<'a>, Error> {
        for other in facts.not.iter().filter_map(|value| value.as_object()) {
            let length = other.len();
            let (least, most) = facts.members;
            if least > length
                || most.is_some_and(|most| most < length)
                || facts.required.iter().any(|name| !other.contains_key(*name))
            {
                continue;
            }
            if length > facts.required.len().max(least) || most == Some(length) {
                let fault = Fault::Unsupported(
                    "an object that must not equal another one is taken only where it can be larger",
                );
                return Err(self.at(items, fault));
            }
            facts.members.0 = length + 1;
        }
        Ok(facts)
    }
}
