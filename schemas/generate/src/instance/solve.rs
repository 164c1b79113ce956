//! From a set of schemas to the alternatives that satisfy all of them at once.
//!
//! Choices are made one after the other, the one with the fewest ways that are still possible first; a choice with one way
//! is none. So a union whose members are told apart by a `const` costs as many alternatives as it has members.

use std::collections::HashSet;
use std::rc::Rc;

use super::compile::Compiler;
use super::error::{Error, Fault};
use super::facts::{Demand, Facts, Item, Open, Scope, Types, Within, tighten};
use super::negate::{OF_ARRAYS, OF_OBJECTS};

/// More alternatives of one value than this teach nothing: the rest is passed over once some were found.
pub(super) const ENOUGH: usize = 256;
/// Contradictory choices that are tried for one value before giving up.
const PATIENCE: usize = 20_000;
/// Steps that compiling may take: some seconds of a small machine.
pub(super) const MOST_WORK: usize = 4_000_000;
/// What is said when there were more.
pub(super) const OVERWORKED: Fault =
    Fault::TooLarge("more to sort out than is taken: too many alternatives, one inside or beside the other");
/// Keywords that leave a choice, the likeliest to be too much first.
const CHOICES: [&str; 9] =
    ["oneOf", "anyOf", "if", "not", "dependentSchemas", "dependentRequired", "enum", "allOf", "$ref"];
/// How deep members of members are looked into for contradictions.
const INSIGHT: usize = 6;

impl<'a> Compiler<'a> {
    /// The alternatives of a value that must be all of `items`. Empty when they contradict one another.
    pub(super) fn solve(&mut self, items: &[Item]) -> Result<Vec<Facts<'a>>, Error> {
        self.solve_as(items, Types::ALL)
    }

    /// The alternatives that are of these types. A name is a string: what else its schema says, of members for instance,
    /// may lead back to where the name stands.
    pub(super) fn solve_as(&mut self, items: &[Item], types: Types) -> Result<Vec<Facts<'a>>, Error> {
        let mut done = Vec::new();
        let mut open = Vec::new();
        if let Some(facts) = self.start(items, types)? {
            open.push(facts);
        }
        let mut steps = 0;
        'next: while let Some(mut facts) = open.pop() {
            steps += 1;
            if done.len() >= ENOUGH {
                break;
            }
            if steps > PATIENCE {
                let fault = Fault::TooLarge("more alternatives that contradict one another than are gone through");
                return if done.is_empty() { Err(self.at(items, fault)) } else { Ok(done) };
            }
            loop {
                let mut best: Option<(usize, Vec<Facts<'a>>)> = None;
                for index in 0..facts.open.len() {
                    let ways = self.ways(&facts, index)?;
                    if ways.is_empty() {
                        continue 'next;
                    }
                    if best.as_ref().is_none_or(|(_, known)| ways.len() < known.len()) {
                        let only = ways.len() == 1;
                        best = Some((index, ways));
                        if only {
                            break;
                        }
                    }
                }
                match best {
                    None => {
                        done.push(facts);
                        break;
                    }
                    Some((_, mut ways)) if ways.len() == 1 => facts = ways.remove(0),
                    Some((_, ways)) => {
                        open.extend(ways.into_iter().rev());
                        break;
                    }
                }
            }
        }
        Ok(done)
    }

    /// What is known before any choice; none when that is a contradiction already.
    fn start(&mut self, items: &[Item], types: Types) -> Result<Option<Facts<'a>>, Error> {
        let mut facts = Facts { types, ..Facts::default() };
        for item in items {
            self.add(&mut facts, &Demand::Item(*item), &None)?;
        }
        Ok(self.possible(&mut facts)?.then_some(facts))
    }

    /// What becomes of `facts` by each way of one choice that leads on.
    fn ways(&mut self, facts: &Facts<'a>, index: usize) -> Result<Vec<Facts<'a>>, Error> {
        let Open { ways, scope } = &facts.open[index];
        let mut out = Vec::new();
        for way in ways.iter() {
            self.work(facts, 1 + facts.seen.len() + facts.open.len() + facts.member.len() + facts.not.len())?;
            let mut next = facts.clone();
            next.open.remove(index);
            for demand in way {
                self.add(&mut next, demand, scope)?;
            }
            if self.possible(&mut next)? {
                out.push(next);
            }
        }
        Ok(out)
    }

    /// Whether a value that is all of `items` seems possible: no choice is looked into.
    pub(super) fn seems_possible(&mut self, items: &[Item]) -> Result<bool, Error> {
        if items.is_empty() {
            return Ok(true);
        }
        if let Some(known) = self.possible.get(items) {
            return Ok(*known);
        }
        // Circles of members are looked into once.
        if self.looking >= INSIGHT {
            return Ok(true);
        }
        self.looking += 1;
        let possible = self.start(items, Types::ALL)?.is_some();
        self.looking -= 1;
        if self.looking == 0 || !possible {
            self.possible.insert(items.into(), possible);
        }
        Ok(possible)
    }

    /// Counts steps; an error when there were too many.
    fn work(&mut self, facts: &Facts<'a>, steps: usize) -> Result<(), Error> {
        self.work += steps;
        if self.work <= self.most_work {
            return Ok(());
        }
        Err(self.overworked(&facts.seen.iter().copied().collect::<Vec<_>>()))
    }

    /// An error at the schema of a set that leaves a choice.
    pub(super) fn overworked(&self, items: &[Item]) -> Error {
        let speaks = |item: &Item| {
            let (Item::Holds(sid) | Item::Fails(sid)) = item else { return None };
            let keyword = CHOICES.into_iter().find(|keyword| self.document.get(*sid, keyword).is_some())?;
            Some(self.document.error(*sid, keyword, OVERWORKED))
        };
        items.iter().find_map(speaks).unwrap_or_else(|| self.at(items, OVERWORKED))
    }

    fn possible(&mut self, facts: &mut Facts<'a>) -> Result<bool, Error> {
        if !facts.settle() {
            return Ok(false);
        }
        if facts.types.has(Types::OBJECT) && facts.among.is_none() {
            let required: Vec<_> = facts.required.iter().copied().collect();
            for name in required {
                let possible = match self.member(facts, name)? {
                    Some(items) => self.seems_possible(&items)?,
                    None => false,
                };
                if !possible {
                    facts.types = facts.types.without(Types::OBJECT);
                    return Ok(facts.settle());
                }
            }
        }
        Ok(true)
    }

    /// Adds a demand, and what follows from it.
    fn add(&mut self, facts: &mut Facts<'a>, demand: &Demand<'a>, scope: &Scope) -> Result<(), Error> {
        match demand {
            Demand::Item(item) => return self.add_item(facts, *item, scope),
            Demand::Any(ways) => facts.open.push(Open { ways: Rc::clone(ways), scope: scope.clone() }),
            Demand::Types(types) => facts.types = facts.types.and(*types),
            Demand::Among(values) => {
                self.work(
                    facts,
                    facts.among.as_ref().map_or(values.len() / 16, |among| among.len() * values.len() / 16),
                )?;
                facts.restrict(values.iter());
            }
            Demand::Not(value) => facts.not.push(value),
            Demand::AtLeast(value, exclusive) => facts.bounds.at_least(*value, *exclusive),
            Demand::AtMost(value, exclusive) => facts.bounds.at_most(*value, *exclusive),
            Demand::MultipleOf(multiple) => {
                let both = facts.multiple.map_or(Some(*multiple), |known| known.both(*multiple));
                let fault = Fault::Unsupported("these multiples have no common one that is small enough");
                facts.multiple = Some(both.ok_or_else(|| Error::new("", "multipleOf", fault))?);
            }
            Demand::Length(least, most) => tighten(&mut facts.length, *least, *most),
            Demand::Pattern(pattern, holds) => {
                if !facts.patterns.contains(&(pattern, *holds)) {
                    facts.patterns.push((pattern, *holds));
                }
            }
            Demand::Format(format) => facts.formats.push(format),
            Demand::Base64 => facts.base64 = true,
            Demand::Count(least, most) => tighten(&mut facts.count, *least, *most),
            Demand::Unique => facts.unique = true,
            Demand::Every(item) => facts.every.push(*item),
            Demand::At(index, item) => facts.at.push((*index, *item)),
            Demand::Contains(item, least, most) => facts.contains.push((*item, *least, *most)),
            Demand::Members(least, most) => tighten(&mut facts.members, *least, *most),
            Demand::Require(name) => drop(facts.required.insert(name)),
            Demand::Absent(name) => drop(facts.absent.insert(name)),
            Demand::Member(name, item) => facts.member.entry(name).or_default().push(*item),
        }
        Ok(())
    }

    fn add_item(&mut self, facts: &mut Facts<'a>, item: Item, scope: &Scope) -> Result<(), Error> {
        self.work(facts, 1)?;
        // What is said twice says no more, but for what stands around it.
        let known = !facts.seen.insert(item);
        let sid = match item {
            Item::Is(value) => {
                facts.restrict(core::iter::once(self.values[value.0 as usize]));
                return Ok(());
            }
            Item::Fails(sid) => {
                if !known {
                    let ways = self.denials(sid)?;
                    match &ways[..] {
                        [] => facts.types = Types::NONE,
                        [way] => way.iter().try_for_each(|demand| self.add(facts, demand, &None))?,
                        _ => facts.open.push(Open { ways, scope: None }),
                    }
                }
                return Ok(());
            }
            Item::Holds(sid) => sid,
        };
        if known && (scope.is_none() || facts.objects.iter().chain(&facts.arrays).any(|(other, _)| *other == sid)) {
            return Ok(());
        }
        let speaks = |keywords: &[&str]| keywords.iter().any(|keyword| self.document.get(sid, keyword).is_some());
        let alone = self.document.draft7() && self.document.get(sid, "$ref").is_some();
        let mut scope = scope.clone();
        if !alone {
            if speaks(&["unevaluatedProperties", "unevaluatedItems"]) {
                scope = Some(Rc::new(Within { schema: sid, outer: scope }));
            }
            if speaks(&OF_OBJECTS) {
                facts.objects.push((sid, scope.clone()));
            }
            if speaks(&OF_ARRAYS) {
                facts.arrays.push((sid, scope.clone()));
            }
        }
        if self.depth > 200 {
            return Err(self.document.error(sid, "", Fault::TooLarge("schemas nested deeper than 200 levels")));
        }
        self.depth += 1;
        for demand in self.demands(sid)?.iter() {
            self.add(facts, demand, &scope)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// An error at the first schema of a set.
    pub(super) fn at(&self, items: &[Item], fault: Fault) -> Error {
        let sid = items.iter().find_map(|item| match item {
            Item::Holds(sid) | Item::Fails(sid) => Some(*sid),
            Item::Is(_) => None,
        });
        Error::new(sid.map_or("", |sid| self.document.pointer(sid)), "", fault)
    }
}

/// A set of items in one order, each once.
pub(super) fn set(mut items: Vec<Item>) -> Box<[Item]> {
    let mut seen = HashSet::new();
    items.retain(|item| seen.insert(*item));
    items.sort_unstable();
    items.into()
}
