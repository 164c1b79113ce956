//! Strings: what may stand in them, planned.

use serde_json::Value;

use super::super::Draw;
use super::compile::Compiler;
use super::error::{Error, Fault};
use super::facts::{Facts, Item, Types};
use super::flavor::{Flavor, of_format};
use super::pattern::Walk;
use super::plan::{Kind, Text};
use super::write::quoted;

/// More strings that may not be than this are kept away from by looking at strings, not by planning.
const MOST_LITERAL: usize = 32;
/// Strings that are looked at then.
const EXAMPLES: usize = 200;

impl<'a> Compiler<'a> {
    /// The strings of one alternative; none where there are none.
    pub(super) fn text(&mut self, items: &[Item], facts: &Facts<'a>, flavor: Flavor) -> Result<Option<Kind>, Error> {
        let flavor = if facts.base64 || facts.formats.contains(&"byte") { Flavor::Base64 } else { flavor };
        let not: Vec<&str> = facts.not.iter().filter_map(|value| value.as_str()).collect();
        let (least, most) = facts.length;
        let formats: Vec<_> = facts.formats.iter().flat_map(|format| of_format(format)).copied().collect();
        let bound = !facts.patterns.is_empty() || !not.is_empty();
        let mut text = Text { flavor, least, most, pool: Vec::new(), walk: None, bound };
        if !bound && formats.is_empty() && flavor != Flavor::Base64 {
            return Ok(Some(Kind::Text(Box::new(text))));
        }
        let mut choose = if formats.is_empty() { flavor.examples() } else { formats.clone() };
        if formats.is_empty() && bound {
            choose.extend(Flavor::Id.examples());
        }
        for example in choose {
            let length = example.chars().count();
            let mut fits = length >= least && most.is_none_or(|most| length <= most) && !not.contains(&example);
            for (pattern, holds) in &facts.patterns {
                fits = fits && self.automata.matches(pattern, example).is_ok_and(|matches| matches == *holds);
            }
            if fits {
                text.pool.push(quoted(example));
            }
        }
        // What a format or an encoding says is a note: it gives way to what binds.
        if !formats.is_empty() && !text.pool.is_empty() {
            // A member called `data` that holds an address takes no picture.
            text.bound |= !facts.formats.contains(&"byte");
            return Ok(Some(Kind::Text(Box::new(text))));
        }
        if !bound {
            return Ok(Some(Kind::Text(Box::new(text))));
        }
        if not.len() > MOST_LITERAL {
            let walk = self.walk(items, &facts.patterns, facts.length)?;
            let mut seed = 0;
            for _ in 0..EXAMPLES {
                let drawn = walk.as_ref().map(|walk| walk.example(&mut seed));
                text.pool.extend(drawn.filter(|drawn| !not.contains(&&drawn[..])).map(|drawn| quoted(&drawn)));
            }
            if text.pool.is_empty() {
                let fault = Fault::Unsupported("no string could be found that is none of so many");
                let mut error = self.at(items, fault);
                "enum".clone_into(&mut error.keyword);
                return Err(error);
            }
            return Ok(Some(Kind::Text(Box::new(text))));
        }
        let literal: Vec<String> = not.iter().map(|text| format!("^{}$", regex_syntax::escape(text))).collect();
        let mut patterns = facts.patterns.clone();
        patterns.extend(literal.iter().filter(|text| text.is_ascii()).map(|text| (&text[..], false)));
        text.walk = self.walk(items, &patterns, facts.length)?;
        Ok((text.walk.is_some() || !text.pool.is_empty()).then(|| Kind::Text(Box::new(text))))
    }

    fn walk(
        &mut self,
        items: &[Item],
        patterns: &[(&str, bool)],
        length: (usize, Option<usize>),
    ) -> Result<Option<Walk>, Error> {
        Walk::new(&mut self.automata, patterns, length).map_err(|why| {
            let mut error = self.at(items, Fault::Pattern(why));
            "pattern".clone_into(&mut error.keyword);
            error
        })
    }

    /// Some strings that are all of `items`.
    pub(super) fn some_texts(&mut self, items: &[Item], most: usize) -> Result<Vec<String>, Error> {
        let mut out: Vec<String> = Vec::new();
        for facts in self.solve_as(items, Types::STRING)? {
            if let Some(among) = &facts.among {
                out.extend(among.iter().filter_map(|value| value.as_str()).map(str::to_owned));
            } else if let Some(Kind::Text(text)) = self.text(items, &facts, Flavor::Word)? {
                for round in 0..most as u64 {
                    let noise: Vec<u8> = (0..8).flat_map(|at| noise(round * 8 + at).to_le_bytes()).collect();
                    let mut json = String::new();
                    super::write::text(&text, &mut Draw::new(&mut arbitrary::Unstructured::new(&noise)), &mut json);
                    if let Ok(Value::String(text)) = serde_json::from_str(&json) {
                        out.push(text);
                    }
                }
            }
        }
        out.sort();
        out.dedup();
        out.truncate(most);
        Ok(out)
    }
}

/// Numbers that look drawn, the same on every machine (`SplitMix64`).
pub(super) fn noise(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
