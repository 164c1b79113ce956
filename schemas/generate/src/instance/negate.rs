//! What the keywords of a schema ask of a value, and what it takes to fail them.

use std::rc::Rc;

use serde_json::Value;

use super::compile::Compiler;
use super::document::Sid;
use super::error::{Error, Fault};
use super::facts::{Demand, Item, Types};
use super::number::Multiple;

/// Keywords that say nothing of whether a value is an instance.
const SILENT: &str = "$schema $id $comment $anchor $defs $vocabulary definitions title description default examples example \
     deprecated readOnly writeOnly contentMediaType contentSchema format contentEncoding then else minContains \
     maxContains unevaluatedProperties unevaluatedItems";

/// Keywords that speak of members.
pub(super) const OF_OBJECTS: [&str; 5] =
    ["properties", "patternProperties", "additionalProperties", "propertyNames", "unevaluatedProperties"];

/// Keywords that speak of items.
pub(super) const OF_ARRAYS: [&str; 4] = ["prefixItems", "items", "additionalItems", "unevaluatedItems"];

/// More characters, items or members than this are not asked of an instance.
const MOST: usize = 50_000;
/// More values than this are not kept away from.
const MOST_NOT: usize = 1000;

type Way<'a> = Vec<Demand<'a>>;

impl<'a> Compiler<'a> {
    /// What a value must be to be an instance of `sid`, apart from what [`OF_OBJECTS`] and [`OF_ARRAYS`] say.
    pub(super) fn demands(&mut self, sid: Sid) -> Result<Rc<[Demand<'a>]>, Error> {
        if let Some(known) = self.demands.get(&sid) {
            return Ok(Rc::clone(known));
        }
        self.document.check_straight(sid)?;
        let mut out = Vec::new();
        if self.document.is_false(sid) {
            out.push(Demand::Types(Types::NONE));
        } else if let Some(keywords) = self.document.keywords(sid) {
            let alone = self.document.draft7() && keywords.contains_key("$ref");
            for keyword in keywords.keys().filter(|keyword| !alone || *keyword == "$ref") {
                self.demand(sid, keyword, &mut out)?;
            }
        }
        let out: Rc<[_]> = out.into();
        self.demands.insert(sid, Rc::clone(&out));
        Ok(out)
    }

    fn demand(&mut self, sid: Sid, keyword: &'a str, out: &mut Way<'a>) -> Result<(), Error> {
        let Some(value) = self.document.get(sid, keyword) else { return Ok(()) };
        match keyword {
            "$ref" => out.extend(self.document.target(sid)?.map(|to| Demand::Item(Item::Holds(to)))),
            "type" => out.push(Demand::Types(self.types(sid, value)?)),
            "const" => out.push(Demand::Among(core::slice::from_ref(value))),
            "enum" => out.push(Demand::Among(self.list(sid, keyword, value)?)),
            "allOf" => out.extend(self.all(sid, keyword, Item::Holds)?),
            "anyOf" => {
                let ways = self.document.each(sid, keyword)?.unwrap_or_default();
                out.push(any(ways.into_iter().map(|way| vec![Demand::Item(Item::Holds(way))])));
            }
            "oneOf" => {
                let ways = self.document.each(sid, keyword)?.unwrap_or_default();
                out.push(any(ways.iter().map(|one| {
                    let hold = |way: &Sid| Demand::Item(if way == one { Item::Holds(*way) } else { Item::Fails(*way) });
                    ways.iter().map(hold).collect()
                })));
            }
            "not" => out.extend(self.document.under(sid, keyword)?.map(|not| Demand::Item(Item::Fails(not)))),
            "if" => {
                let Some(condition) = self.document.under(sid, keyword)? else { return Ok(()) };
                let (then, other) = (self.document.under(sid, "then")?, self.document.under(sid, "else")?);
                let way = |first, second: Option<Sid>| {
                    [Some(first), second.map(Item::Holds)].into_iter().flatten().map(Demand::Item).collect()
                };
                out.push(any([way(Item::Holds(condition), then), way(Item::Fails(condition), other)].into_iter()));
            }
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                let bound = self.bound(sid, keyword, value)?;
                out.push(match keyword {
                    "minimum" => Demand::AtLeast(bound, false),
                    "maximum" => Demand::AtMost(bound, false),
                    "exclusiveMinimum" => Demand::AtLeast(bound, true),
                    _ => Demand::AtMost(bound, true),
                });
            }
            "multipleOf" => {
                let Value::Number(number) = value else {
                    return Err(self.document.malformed(sid, keyword, "a number above 0"));
                };
                let fault = Fault::Unsupported("only numbers above 0 with up to nine decimal places are taken");
                let multiple = Multiple::new(number).ok_or_else(|| self.document.error(sid, keyword, fault))?;
                out.push(Demand::MultipleOf(multiple));
            }
            "minLength" => out.push(Demand::Length(self.least(sid, keyword)?, None)),
            "maxLength" => out.push(Demand::Length(0, Some(self.count(sid, keyword)?))),
            "minItems" => out.push(Demand::Count(self.least(sid, keyword)?, None)),
            "maxItems" => out.push(Demand::Count(0, Some(self.count(sid, keyword)?))),
            "minProperties" => out.push(Demand::Members(self.least(sid, keyword)?, None)),
            "maxProperties" => out.push(Demand::Members(0, Some(self.count(sid, keyword)?))),
            "pattern" => out.push(Demand::Pattern(self.pattern(sid, value)?, true)),
            "format" => out.extend(value.as_str().map(Demand::Format)),
            "contentEncoding" if value == "base64" => out.push(Demand::Base64),
            "uniqueItems" => match value {
                Value::Bool(true) => out.push(Demand::Unique),
                Value::Bool(false) => {}
                _ => return Err(self.document.malformed(sid, keyword, "true or false")),
            },
            "contains" => {
                let Some(item) = self.document.under(sid, keyword)? else { return Ok(()) };
                let least =
                    if self.document.get(sid, "minContains").is_some() { self.least(sid, "minContains")? } else { 1 };
                out.push(Demand::Contains(Item::Holds(item), least, self.document.count(sid, "maxContains")?));
            }
            "required" => {
                out.extend(self.document.strings(sid, keyword)?.into_iter().map(Demand::Require));
            }
            "dependentRequired" => {
                for name in self.document.names(sid, keyword)? {
                    self.depends(sid, keyword, name, out)?;
                }
            }
            "dependentSchemas" | "dependencies" => {
                for name in self.document.names(sid, keyword)? {
                    if self.document.get(sid, keyword).and_then(|map| map.get(name)).is_some_and(Value::is_array) {
                        self.depends(sid, keyword, name, out)?;
                    } else if let Some(schema) = self.document.named(sid, keyword, name)? {
                        let there = vec![Demand::Require(name), Demand::Item(Item::Holds(schema))];
                        out.push(any([there, vec![Demand::Absent(name)]].into_iter()));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// `name` is not there, or all that it asks for is.
    fn depends(&self, sid: Sid, keyword: &str, name: &'a str, out: &mut Way<'a>) -> Result<(), Error> {
        let list = self.document.get(sid, keyword).and_then(|map| map.get(name)).and_then(Value::as_array);
        let names = list.and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        let Some(names) = names else {
            return Err(self.document.malformed(sid, keyword, "an object of lists of names"));
        };
        let there = [name].into_iter().chain(names).map(Demand::Require).collect();
        out.push(any([there, vec![Demand::Absent(name)]].into_iter()));
        Ok(())
    }

    /// The ways in which a value can fail to be an instance of `sid`.
    ///
    /// A keyword of which no failure can be planned is left out: the other ways are as good.
    pub(super) fn denials(&mut self, sid: Sid) -> Result<Rc<[Way<'a>]>, Error> {
        if let Some(known) = self.denials.get(&sid) {
            return Ok(Rc::clone(known));
        }
        self.document.check_straight(sid)?;
        let mut ways = Vec::new();
        let mut unknown = None;
        if self.document.is_false(sid) {
            ways.push(Vec::new());
        } else if let Some(keywords) = self.document.keywords(sid) {
            let alone = self.document.draft7() && keywords.contains_key("$ref");
            for keyword in keywords.keys().filter(|keyword| !alone || *keyword == "$ref") {
                if !SILENT.split(' ').any(|silent| silent == keyword) && !self.deny(sid, keyword, &mut ways)? {
                    unknown = unknown.or(Some(keyword));
                }
            }
        }
        if let Some(keyword) = unknown {
            let fault = Fault::Unsupported("this keyword is not taken where its schema must fail");
            let error = self.document.error(sid, keyword, fault);
            match (self.lenient, ways.is_empty()) {
                (true, _) => ways.push(Vec::new()),
                (false, true) => return Err(error),
                (false, false) => {
                    self.left_out.get_or_insert(error);
                }
            }
        }
        let ways: Rc<[_]> = ways.into();
        self.denials.insert(sid, Rc::clone(&ways));
        Ok(ways)
    }

    /// Adds the ways to fail one keyword. False where none can be planned, though there may be some.
    fn deny(&mut self, sid: Sid, keyword: &'a str, ways: &mut Vec<Way<'a>>) -> Result<bool, Error> {
        let Some(value) = self.document.get(sid, keyword) else { return Ok(true) };
        let holds = |item| Demand::Item(Item::Holds(item));
        let fails = |item| Demand::Item(Item::Fails(item));
        match keyword {
            "$ref" => ways.extend(self.document.target(sid)?.map(|to| vec![fails(to)])),
            "type" => ways.push(vec![Demand::Types(Types::ALL.without(self.types(sid, value)?))]),
            "const" => ways.push(vec![Demand::Not(value)]),
            "enum" => {
                let values = self.list(sid, keyword, value)?;
                if values.len() > MOST_NOT {
                    return Ok(false);
                }
                ways.push(values.iter().map(Demand::Not).collect());
            }
            "allOf" => ways.extend(self.document.each(sid, keyword)?.into_iter().flatten().map(|way| vec![fails(way)])),
            "anyOf" => ways.push(self.all(sid, keyword, Item::Fails)?.collect()),
            "oneOf" => {
                let of = self.document.each(sid, keyword)?.unwrap_or_default();
                ways.push(of.iter().copied().map(fails).collect());
                let pairs =
                    of.iter().enumerate().flat_map(|(at, one)| of[at + 1..].iter().map(move |two| (*one, *two)));
                ways.extend(pairs.map(|(one, two)| vec![holds(one), holds(two)]));
            }
            "not" => ways.extend(self.document.under(sid, keyword)?.map(|not| vec![holds(not)])),
            "if" => {
                let Some(condition) = self.document.under(sid, keyword)? else { return Ok(true) };
                ways.extend(self.document.under(sid, "then")?.map(|then| vec![holds(condition), fails(then)]));
                ways.extend(self.document.under(sid, "else")?.map(|other| vec![fails(condition), fails(other)]));
            }
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                let bound = self.bound(sid, keyword, value)?;
                let beyond = match keyword {
                    "minimum" => Demand::AtMost(bound, true),
                    "maximum" => Demand::AtLeast(bound, true),
                    "exclusiveMinimum" => Demand::AtMost(bound, false),
                    _ => Demand::AtLeast(bound, false),
                };
                ways.push(vec![Demand::Types(Types::NUMBER), beyond]);
            }
            "minLength" | "minItems" | "minProperties" => {
                if let Some(most) = self.count(sid, keyword)?.checked_sub(1) {
                    ways.push(of_size(keyword, 0, Some(most)));
                }
            }
            "maxLength" | "maxItems" | "maxProperties" => {
                let least = self.count(sid, keyword)?.saturating_add(1);
                if least > MOST {
                    return Ok(false);
                }
                ways.push(of_size(keyword, least, None));
            }
            "pattern" => {
                ways.push(vec![Demand::Types(Types::STRING), Demand::Pattern(self.pattern(sid, value)?, false)]);
            }
            "required" => {
                let names = self.document.strings(sid, keyword)?;
                ways.extend(names.into_iter().map(|name| vec![Demand::Types(Types::OBJECT), Demand::Absent(name)]));
            }
            "properties" => {
                for name in self.document.names(sid, keyword)? {
                    if let Some(schema) = self.document.named(sid, keyword, name)? {
                        let member = Demand::Member(name, Item::Fails(schema));
                        ways.push(vec![Demand::Types(Types::OBJECT), Demand::Require(name), member]);
                    }
                }
            }
            "items" if value.is_object() || value.is_boolean() => {
                // With a prefix the first items are not meant.
                if self.document.get(sid, "prefixItems").is_some() {
                    return Ok(false);
                }
                let item = self.document.under(sid, keyword)?.map(Item::Fails);
                ways.extend(item.map(|item| vec![Demand::Types(Types::ARRAY), Demand::Contains(item, 1, None)]));
            }
            "prefixItems" | "items" => {
                for (index, schema) in self.document.each(sid, keyword)?.into_iter().flatten().enumerate() {
                    let there = [Demand::Types(Types::ARRAY), Demand::Count(index + 1, None)];
                    ways.push(there.into_iter().chain([Demand::At(index, Item::Fails(schema))]).collect());
                }
            }
            "contains" => {
                if self.document.get(sid, "minContains").is_some() || self.document.get(sid, "maxContains").is_some() {
                    return Ok(false);
                }
                let item = self.document.under(sid, keyword)?.map(Item::Fails);
                ways.extend(item.map(|item| vec![Demand::Types(Types::ARRAY), Demand::Every(item)]));
            }
            "multipleOf"
            | "uniqueItems"
            | "dependentRequired"
            | "dependentSchemas"
            | "dependencies"
            | "propertyNames"
            | "patternProperties"
            | "additionalProperties"
            | "additionalItems" => {
                return Ok(false);
            }
            // What no draft knows says nothing, and cannot fail.
            _ => {}
        }
        Ok(true)
    }

    fn all(
        &mut self,
        sid: Sid,
        keyword: &str,
        item: fn(Sid) -> Item,
    ) -> Result<impl Iterator<Item = Demand<'a>> + use<'a>, Error> {
        let all = self.document.each(sid, keyword)?.unwrap_or_default();
        Ok(all.into_iter().map(move |each| Demand::Item(item(each))))
    }

    fn types(&self, sid: Sid, value: &Value) -> Result<Types, Error> {
        let named = |value: &Value| value.as_str().and_then(Types::named);
        let types = match value {
            Value::Array(names) => {
                names.iter().map(named).try_fold(Types::NONE, |types, named| named.map(|named| types.or(named)))
            }
            name => named(name),
        };
        types.ok_or_else(|| self.document.malformed(sid, "type", "one of the seven type names, or a list of them"))
    }

    fn list(&self, sid: Sid, keyword: &str, value: &'a Value) -> Result<&'a [Value], Error> {
        value.as_array().map(Vec::as_slice).ok_or_else(|| self.document.malformed(sid, keyword, "a list of values"))
    }

    fn count(&self, sid: Sid, keyword: &str) -> Result<usize, Error> {
        Ok(self.document.count(sid, keyword)?.unwrap_or_default())
    }

    /// A count that an instance must reach.
    fn least(&self, sid: Sid, keyword: &str) -> Result<usize, Error> {
        let least = self.count(sid, keyword)?;
        if least > MOST {
            let fault = Fault::TooLarge("asks for more than 50000, which no instance here has");
            return Err(self.document.error(sid, keyword, fault));
        }
        Ok(least)
    }

    fn bound(&self, sid: Sid, keyword: &str, value: &Value) -> Result<f64, Error> {
        let Value::Number(number) = value else { return Err(self.document.malformed(sid, keyword, "a number")) };
        number.as_f64().filter(|bound| bound.abs() <= 9_007_199_254_740_992.0).ok_or_else(|| {
            let fault = Fault::Unsupported("bounds beyond 2^53 are not taken");
            self.document.error(sid, keyword, fault)
        })
    }

    fn pattern(&mut self, sid: Sid, value: &'a Value) -> Result<&'a str, Error> {
        let Some(pattern) = value.as_str() else { return Err(self.document.malformed(sid, "pattern", "a string")) };
        self.automata.compile(pattern).map_err(|why| self.document.error(sid, "pattern", Fault::Pattern(why)))?;
        Ok(pattern)
    }
}

fn any<'a>(ways: impl Iterator<Item = Way<'a>>) -> Demand<'a> {
    Demand::Any(ways.collect())
}

/// A value of the type that a keyword of sizes speaks of, and of this size.
fn of_size<'a>(keyword: &str, least: usize, most: Option<usize>) -> Way<'a> {
    match &keyword[3..] {
        "Length" => vec![Demand::Types(Types::STRING), Demand::Length(least, most)],
        "Items" => vec![Demand::Types(Types::ARRAY), Demand::Count(least, most)],
        _ => vec![Demand::Types(Types::OBJECT), Demand::Members(least, most)],
    }
}
