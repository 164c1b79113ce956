//! What the members and items of a value must be.

use serde_json::Value;

use super::compile::Compiler;
use super::document::Sid;
use super::error::{Error, Fault};
use super::facts::{Facts, Item, Scope, Types, stands_in};

impl<'a> Compiler<'a> {
    /// What the member `name` must be; none where it may not stand.
    pub(super) fn member(&mut self, facts: &Facts<'a>, name: &str) -> Result<Option<Vec<Item>>, Error> {
        if facts.absent.contains(name) {
            return Ok(None);
        }
        let mut items = facts.member.get(name).cloned().unwrap_or_default();
        let mut evaluated = Vec::new();
        for (sid, scope) in &facts.objects {
            let mut known = false;
            if let Some(schema) = self.document.named(*sid, "properties", name)? {
                items.push(Item::Holds(schema));
                known = true;
            }
            for pattern in self.document.names(*sid, "patternProperties")? {
                if self.matches(*sid, "patternProperties", pattern, name)? {
                    items.extend(self.document.named(*sid, "patternProperties", pattern)?.map(Item::Holds));
                    known = true;
                }
            }
            if !known && let Some(schema) = self.document.under(*sid, "additionalProperties")? {
                items.push(Item::Holds(schema));
                known = true;
            }
            if let Some(names) = self.document.under(*sid, "propertyNames")?
                && !self.admits(names, name)?
            {
                return Ok(None);
            }
            if known {
                evaluated.push((*sid, scope));
            }
        }
        self.with_unevaluated(items, &facts.objects, "unevaluatedProperties", &evaluated)
    }

    /// What the item at `index` must be, or with none every item beyond all prefixes; none where there may be none.
    pub(super) fn item(&mut self, facts: &Facts<'a>, index: Option<usize>) -> Result<Option<Vec<Item>>, Error> {
        let mut items = facts.every.clone();
        items.extend(facts.at.iter().filter(|(at, _)| Some(*at) == index).map(|(_, item)| *item));
        let mut evaluated = Vec::new();
        for (sid, scope) in &facts.arrays {
            let (prefix, rest) = self.item_keywords(*sid);
            let own = match index {
                Some(index) => self.document.nth(*sid, prefix, index)?,
                None => None,
            };
            let schema = if own.is_some() { own } else { self.document.under(*sid, rest)? };
            if let Some(schema) = schema {
                items.push(Item::Holds(schema));
                evaluated.push((*sid, scope));
            }
        }
        self.with_unevaluated(items, &facts.arrays, "unevaluatedItems", &evaluated)
    }

    /// Adds what holds for members or items that no schema has spoken of; none where one of all may not be.
    fn with_unevaluated(
        &mut self,
        mut items: Vec<Item>,
        around: &[(Sid, Scope)],
        keyword: &str,
        evaluated: &[(Sid, &Scope)],
    ) -> Result<Option<Vec<Item>>, Error> {
        // What an inner schema has spoken of, by this keyword too, is nothing new to those around it; they come first.
        let mut evaluated = evaluated.to_vec();
        for (sid, scope) in around.iter().rev() {
            if let Some(schema) = self.document.under(*sid, keyword)?
                && !is_evaluated(&evaluated, *sid)
            {
                items.push(Item::Holds(schema));
                evaluated.push((*sid, scope));
            }
        }
        Ok(if items.iter().any(|item| self.is_never(*item)) { None } else { Some(items) })
    }

    /// How many items at the front have schemas of their own.
    pub(super) fn prefix(&mut self, facts: &Facts<'a>) -> Result<usize, Error> {
        let mut longest = facts.at.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
        for (sid, _) in &facts.arrays {
            let (prefix, _) = self.item_keywords(*sid);
            longest = longest.max(self.document.length(*sid, prefix)?);
        }
        Ok(longest)
    }

    /// The keywords for the items at the front and for all others.
    fn item_keywords(&self, sid: Sid) -> (&'static str, &'static str) {
        match self.document.get(sid, "items") {
            Some(Value::Array(_)) => ("items", "additionalItems"),
            _ => ("prefixItems", "items"),
        }
    }

    /// Whether `text` is an instance of `sid`.
    fn admits(&mut self, sid: Sid, text: &str) -> Result<bool, Error> {
        for facts in self.solve_as(&[Item::Holds(sid)], Types::STRING)? {
            let among = facts.among.as_ref().is_none_or(|among| among.iter().any(|value| *value == text));
            let length = text.chars().count();
            let (least, most) = facts.length;
            let mut fits = among && length >= least && most.is_none_or(|most| length <= most);
            for (pattern, holds) in &facts.patterns {
                fits = fits && self.matches(sid, "pattern", pattern, text)? == *holds;
            }
            if fits && !facts.not.iter().any(|value| *value == text) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn matches(&mut self, sid: Sid, keyword: &str, pattern: &str, text: &str) -> Result<bool, Error> {
        self.automata.matches(pattern, text).map_err(|why| self.document.error(sid, keyword, Fault::Pattern(why)))
    }

    fn is_never(&self, item: Item) -> bool {
        matches!(item, Item::Holds(sid) if self.document.is_false(sid))
    }
}

/// Whether a schema in `sid`, or `sid` itself, has spoken.
fn is_evaluated(evaluated: &[(Sid, &Scope)], sid: Sid) -> bool {
    evaluated.iter().any(|(other, scope)| *other == sid || stands_in(scope, sid))
}
