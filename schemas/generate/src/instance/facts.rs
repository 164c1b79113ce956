//! What is known of a value: the sum of all keywords that hold for it, apart from the choices still open.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value;

use super::document::Sid;
use super::number::{Bounds, Multiple};

/// Something that a value must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Item {
    /// An instance of this schema
    Holds(Sid),
    /// No instance of this schema
    Fails(Sid),
    /// Equal to this value
    Is(Vid),
}

/// A value that stands in a schema, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Vid(pub(super) u32);

/// A set of JSON types; whole and other numbers apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    pub(super) const FRACTION: Self = Self(8);
    pub(super) const NUMBER: Self = Self(12);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            // `1.0` is whole as well.
            Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => Self::INTEGER,
            Value::Number(_) => Self::FRACTION,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// The schemas with `unevaluated…` keywords around a schema, the innermost first, as a linked list.
pub(super) type Scope = Option<Rc<Within>>;

#[derive(Debug)]
pub(super) struct Within {
    pub(super) schema: Sid,
    pub(super) outer: Scope,
}

/// Whether `schema` stands around.
pub(super) fn stands_in(scope: &Scope, schema: Sid) -> bool {
    let mut at = scope;
    while let Some(within) = at {
        if within.schema == schema {
            return true;
        }
        at = &within.outer;
    }
    false
}

/// One thing that a keyword asks for, or that its failing asks for.
#[derive(Clone, Debug)]
pub(super) enum Demand<'a> {
    Item(Item),
    /// One of these, each a list of demands
    Any(Rc<[Vec<Demand<'a>>]>),
    Types(Types),
    Among(&'a [Value]),
    Not(&'a Value),
    AtLeast(f64, bool),
    AtMost(f64, bool),
    MultipleOf(Multiple),
    Length(usize, Option<usize>),
    Pattern(&'a str, bool),
    Format(&'a str),
    Base64,
    Count(usize, Option<usize>),
    Unique,
    Every(Item),
    /// If there are so many items, this one must be so
    At(usize, Item),
    Contains(Item, usize, Option<usize>),
    Members(usize, Option<usize>),
    Require(&'a str),
    Absent(&'a str),
    /// If this member stands there, it must be so
    Member(&'a str, Item),
}

/// A choice that is still open.
#[derive(Clone, Debug)]
pub(super) struct Open<'a> {
    pub(super) ways: Rc<[Vec<Demand<'a>>]>,
    pub(super) scope: Scope,
}

/// All that is known of one value.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts<'a> {
    pub(super) types: Types,
    pub(super) among: Option<Vec<&'a Value>>,
    pub(super) not: Vec<&'a Value>,
    pub(super) bounds: Bounds,
    pub(super) multiple: Option<Multiple>,
    pub(super) length: (usize, Option<usize>),
    pub(super) patterns: Vec<(&'a str, bool)>,
    pub(super) formats: Vec<&'a str>,
    pub(super) base64: bool,
    pub(super) count: (usize, Option<usize>),
    pub(super) unique: bool,
    pub(super) every: Vec<Item>,
    pub(super) at: Vec<(usize, Item)>,
    pub(super) contains: Vec<(Item, usize, Option<usize>)>,
    pub(super) members: (usize, Option<usize>),
    pub(super) required: BTreeSet<&'a str>,
    pub(super) absent: BTreeSet<&'a str>,
    pub(super) member: BTreeMap<&'a str, Vec<Item>>,
    /// Schemas that speak of members and items, with what stands around them
    pub(super) objects: Vec<(Sid, Scope)>,
    pub(super) arrays: Vec<(Sid, Scope)>,
    pub(super) open: Vec<Open<'a>>,
    pub(super) seen: BTreeSet<Item>,
}

impl<'a> Facts<'a> {
    /// Only these values are left.
    pub(super) fn restrict(&mut self, values: impl Iterator<Item = &'a Value> + Clone) {
        match &mut self.among {
            None => self.among = Some(values.collect()),
            Some(among) => among.retain(|value| values.clone().any(|other| same(value, other))),
        }
    }

    /// Takes away the types and values that contradict what is known. False when nothing is left.
    ///
    /// Members and items are looked into elsewhere.
    pub(super) fn settle(&mut self) -> bool {
        if self.bounds.is_empty() {
            self.types = self.types.without(Types::NUMBER);
        }
        if is_empty(self.length) {
            self.types = self.types.without(Types::STRING);
        }
        let asked: usize = self.contains.iter().map(|(_, least, _)| *least).max().unwrap_or(0);
        if is_empty(self.count)
            || self.count.1.is_some_and(|most| asked > most)
            || self.contains.iter().any(|(_, least, most)| is_empty((*least, *most)))
        {
            self.types = self.types.without(Types::ARRAY);
        }
        if is_empty(self.members)
            || self.members.1.is_some_and(|most| self.required.len() > most)
            || self.required.iter().any(|name| self.absent.contains(name))
        {
            self.types = self.types.without(Types::OBJECT);
        }
        if let Some(mut among) = self.among.take() {
            among.retain(|value| self.admits(value));
            self.types = among.iter().fold(Types::NONE, |types, value| types.or(Types::of(value)));
            self.among = Some(among);
        }
        self.types != Types::NONE
    }

    /// Whether `value` is possible, as far as it can be seen without looking at members, items and patterns.
    fn admits(&self, value: &Value) -> bool {
        if !self.types.has(Types::of(value)) || self.not.iter().any(|other| same(value, other)) {
            return false;
        }
        match value {
            Value::Number(number) => {
                number.as_f64().is_some_and(|number| self.bounds.admits(number))
                    && self.multiple.is_none_or(|multiple| multiple.divides(number))
            }
            Value::String(text) => within(text.chars().count(), self.length),
            Value::Array(items) => within(items.len(), self.count),
            Value::Object(members) => {
                within(members.len(), self.members)
                    && self.required.iter().all(|name| members.contains_key(*name))
                    && !self.absent.iter().any(|name| members.contains_key(*name))
            }
            Value::Null | Value::Bool(_) => true,
        }
    }
}

fn is_empty((least, most): (usize, Option<usize>)) -> bool {
    most.is_some_and(|most| least > most)
}

fn within(number: usize, (least, most): (usize, Option<usize>)) -> bool {
    number >= least && most.is_none_or(|most| number <= most)
}

/// The tighter of two ranges.
pub(super) fn tighten(range: &mut (usize, Option<usize>), least: usize, most: Option<usize>) {
    range.0 = range.0.max(least);
    range.1 = match (range.1, most) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
}

/// Equal as JSON Schema has it: `1` and `1.0` are, whatever the order of members.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}
