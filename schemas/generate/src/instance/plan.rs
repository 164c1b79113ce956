//! What a schema is compiled to.

use super::flavor::{Flavor, Medium};
use super::number::Range;
use super::pattern::Walk;

/// No instance is that shallow: the node has none.
pub(super) const NEVER: u32 = u32::MAX;

/// One value, or a choice between some.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Levels of its smallest instance
    pub(super) depth: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// This JSON text
    Fixed(Box<str>),
    /// One of these nodes, the shallowest first
    OneOf(Vec<u32>),
    Number(Numbers),
    Text(Box<Text>),
    Array(Box<Array>),
    Object(Box<Object>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numbers {
    pub(super) range: Range,
    /// But none of these
    pub(super) not: Vec<f64>,
    /// Whole ones as well
    pub(super) whole: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub(super) flavor: Flavor,
    /// Characters
    pub(super) least: usize,
    pub(super) most: Option<usize>,
    /// Not every string will do: one of these, as JSON, …
    pub(super) pool: Vec<Box<str>>,
    /// … or one of these
    pub(super) walk: Option<Walk>,
    /// Patterns, or strings that it may not be, say so: nothing else will do
    pub(super) bound: bool,
}

impl Text {
    /// Whether every string of a fitting length will do.
    pub(super) fn is_free(&self) -> bool {
        self.pool.is_empty() && self.walk.is_none()
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Array {
    /// The items at the front
    pub(super) prefix: Vec<u32>,
    /// Items that must stand somewhere behind them, and how many of each
    pub(super) must: Vec<(u32, usize)>,
    /// All others
    pub(super) rest: Option<u32>,
    pub(super) least: usize,
    pub(super) most: Option<usize>,
    pub(super) unique: bool,
    /// Where they must differ: the fewest that there may be, for when those drawn are too few
    pub(super) distinct: Option<Box<str>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Object {
    /// The required ones first
    pub(super) fields: Vec<Field>,
    pub(super) required: usize,
    /// How many there are before those that no schema speaks of by name
    pub(super) named: usize,
    pub(super) least: usize,
    pub(super) most: Option<usize>,
    pub(super) pair: Option<Pair>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// As JSON, with the colon
    pub(super) key: Box<str>,
    pub(super) node: u32,
    /// No schema speaks of it by name
    pub(super) extra: bool,
}

/// Two fields that speak of the same bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pair {
    pub(super) data: usize,
    pub(super) mime: usize,
    pub(super) media: Vec<&'static Medium>,
    /// Any base64 will do, not only that of the media
    pub(super) free: bool,
}
