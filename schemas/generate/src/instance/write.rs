//! From bytes to an instance.

use arbitrary::Unstructured;
use serde_json::Value;

use super::super::Draw;
use super::Plan;
use super::facts::same;
use super::flavor::own;
use super::plan::{Array, Kind, Numbers, Object, Text};

/// Levels that an instance may have; more only where its schema asks for more.
const LEVELS: u32 = 12;

pub(super) fn instance(plan: &Plan, u: &mut Unstructured<'_>, out: &mut String) {
    let mut writer = Writer { plan, draw: Draw::new(u), picked: Vec::new(), unknown: false };
    writer.node(plan.root, plan.depth.max(LEVELS), out);
}

struct Writer<'p, 'u, 'b> {
    plan: &'p Plan,
    draw: Draw<'u, 'b>,
    /// The fields chosen for the objects that are being written, as a stack
    picked: Vec<u32>,
    /// A list of items that differ was asked for, and none is known
    unknown: bool,
}

impl Writer<'_, '_, '_> {
    /// Writes an instance of a node, at most `levels` deep; its smallest one is no deeper. The recursion is bounded by that.
    fn node(&mut self, number: u32, levels: u32, out: &mut String) {
        let nodes = &self.plan.nodes;
        match &nodes[number as usize].kind {
            Kind::Fixed(text) => out.push_str(text),
            Kind::OneOf(ways) => {
                let fit = ways.partition_point(|way| nodes[*way as usize].depth <= levels);
                let way = ways[self.draw.up_to(fit.saturating_sub(1))];
                self.node(way, levels, out);
            }
            Kind::Number(numbers) => {
                let factor = self::number(numbers, &mut self.draw).unwrap_or_default();
                numbers.range.write(factor, out);
            }
            Kind::Text(plan) => text(plan, &mut self.draw, out),
            Kind::Array(plan) => self.array(plan, levels - 1, out),
            Kind::Object(plan) => self.object(plan, levels - 1, out),
        }
    }

    fn array(&mut self, plan: &Array, levels: u32, out: &mut String) {
        let fits = |node: u32| self.plan.nodes[node as usize].depth <= levels;
        // How many there can be at most: up to the first that cannot be, or would be too deep.
        let must: usize = plan.must.iter().map(|(_, times)| times).sum();
        let front = plan.prefix.iter().take_while(|item| fits(**item)).count();
        let room = match plan.rest {
            Some(rest) if front == plan.prefix.len() && fits(rest) => usize::MAX,
            _ => front + must,
        };
        let more = match self.draw.up_to(15) {
            15 => self.draw.up_to(20),
            few => few % 4,
        };
        let usual = if plan.least == 0 && plan.must.is_empty() { front.min(more) } else { 0 };
        let length =
            plan.least.saturating_add(more).max(usual).min(room).min(plan.most.unwrap_or(usize::MAX)).max(plan.least);
        let start = out.len();
        out.push('[');
        let mut texts: Vec<Value> = Vec::new();
        // Items in front that each have a place of their own: what follows must not move up into it.
        let placed = plan.prefix.len() + plan.must.iter().map(|(_, times)| times).sum::<usize>();
        let mut must = plan.must.iter().flat_map(|(node, times)| core::iter::repeat_n(*node, *times));
        for index in 0..length {
            let node = plan.prefix.get(index).copied().or_else(|| must.next()).or(plan.rest);
            let Some(node) = node else { break };
            let before = out.len();
            if out.len() > start + 1 {
                out.push(',');
            }
            let item = out.len();
            self.node(node, levels, out);
            if plan.unique && !is_new(&out[item..], &mut texts) {
                out.truncate(before);
                if index < placed {
                    break;
                }
            }
        }
        if plan.unique && texts.len() < if plan.must.is_empty() { plan.least } else { plan.least.max(placed) } {
            out.truncate(start);
            match &plan.distinct {
                Some(distinct) => out.push_str(distinct),
                None => self.unknown = true,
            }
            return;
        }
        out.push(']');
    }

    fn object(&mut self, plan: &Object, levels: u32, out: &mut String) {
        let base = self.picked.len();
        let most = plan.most.unwrap_or(plan.fields.len());
        self.picked.extend(0..plan.required as u32);
        for index in plan.required..plan.named {
            if self.draw.chance(1, 3) {
                self.pick(plan, index, levels, base + most);
            }
        }
        if let others @ 1.. = plan.fields.len() - plan.named {
            // A member that nobody speaks of is rare, but where there are no others.
            let count = match self.draw.up_to(15) {
                _ if plan.named == 0 => [0, 1, 2, 3, others][self.draw.up_to(4)],
                12.. => 1,
                _ => 0,
            };
            let first = if count > 0 { self.draw.up_to(others - 1) } else { 0 };
            for other in first..first + count.min(others) {
                self.pick(plan, plan.named + other % others, levels, base + most);
            }
        }
        if self.picked.len() - base < plan.least {
            self.fill(plan, levels, base);
        }
        let pair = plan.pair.as_ref().map(|pair| (pair, pair.media[self.draw.up_to(pair.media.len() - 1)]));
        if self.draw.chance(1, 8) {
            self.picked[base..].reverse();
        }
        out.push('{');
        for at in base..self.picked.len() {
            let index = self.picked[at] as usize;
            if at > base {
                out.push(',');
            }
            out.push_str(&plan.fields[index].key);
            match pair {
                Some((pair, (mime, data))) if index == pair.data => {
                    // Mostly the same bytes again, as in a session; now and then bytes that no other instance has.
                    let own = if pair.free && self.draw.chance(1, 4) { own(mime, self.draw.number()) } else { None };
                    quote(own.as_deref().unwrap_or(data), out);
                }
                Some((pair, (mime, _))) if index == pair.mime => quote(mime, out),
                _ => self.node(plan.fields[index].node, levels, out),
            }
        }
        out.push('}');
        self.picked.truncate(base);
    }

    /// Adds a field, if its smallest value is not too deep and there are not as many as there may be.
    fn pick(&mut self, plan: &Object, index: usize, levels: u32, most: usize) {
        if self.plan.nodes[plan.fields[index].node as usize].depth <= levels && self.picked.len() < most {
            self.picked.push(index as u32);
        }
    }

    /// Adds fields until there are enough, the shallow ones first.
    fn fill(&mut self, plan: &Object, levels: u32, base: usize) {
        let mut left: Vec<u32> = (plan.required as u32..plan.fields.len() as u32).collect();
        left.retain(|index| !self.picked[base..].contains(index));
        let depth = |index: &u32| self.plan.nodes[plan.fields[*index as usize].node as usize].depth;
        left.retain(|index| depth(index) <= levels);
        left.sort_by_key(depth);
        let missing = plan.least - (self.picked.len() - base);
        self.picked.extend(left.into_iter().take(missing));
    }
}

/// An instance of one node, at most `levels` deep; none where it holds a list of items that differ of which none is known yet.
pub(super) fn part(plan: &Plan, node: u32, levels: u32, u: &mut Unstructured<'_>) -> Option<String> {
    let mut out = String::new();
    let mut writer = Writer { plan, draw: Draw::new(u), picked: Vec::new(), unknown: false };
    writer.node(node, levels, &mut out);
    (!writer.unknown).then_some(out)
}

/// Whether the JSON text `item` equals none of `known`; if so it is one of them now.
pub(super) fn is_new(item: &str, known: &mut Vec<Value>) -> bool {
    let Ok(value) = serde_json::from_str(item) else { return false };
    let new = !known.iter().any(|other| same(other, &value));
    if new {
        known.push(value);
    }
    new
}

/// The factor of a number; none where all are excluded.
pub(super) fn number(plan: &Numbers, draw: &mut Draw<'_, '_>) -> Option<i64> {
    let first = plan.range.draw(draw);
    let is_excluded = |factor: i64| {
        !plan.not.is_empty() && plan.range.text(factor).parse::<f64>().is_ok_and(|value| plan.not.contains(&value))
    };
    let fits = |factor: &i64| (plan.whole || !plan.range.is_whole(*factor)) && !is_excluded(*factor);
    // A step of a decimal is whole at most every second time, or always.
    let tries = 2 * plan.not.len() + 2;
    plan.range.from(first).take(tries).find(fits)
}

/// A string, as JSON.
pub(super) fn text(plan: &Text, draw: &mut Draw<'_, '_>, out: &mut String) {
    let pooled = !plan.pool.is_empty() && (plan.walk.is_none() || draw.up_to(3) < 3);
    if pooled {
        out.push_str(&plan.pool[draw.up_to(plan.pool.len() - 1)]);
        return;
    }
    if let Some(walk) = &plan.walk {
        quote(&walk.draw(|below| draw.up_to(below - 1)), out);
        return;
    }
    out.push('"');
    let start = out.len();
    plan.flavor.draw(draw, out);
    if plan.most.is_some() || plan.least > 0 {
        let drawn = &out[start..];
        let length = drawn.chars().count();
        if length < plan.least {
            out.extend(core::iter::repeat_n('x', plan.least - length));
        } else if let Some((end, _)) = plan.most.and_then(|most| drawn.char_indices().nth(most)) {
            out.truncate(start + end);
        }
    }
    if is_plain(&out[start..]) {
        out.push('"');
    } else {
        let drawn = out.split_off(start);
        out.pop();
        quote(&drawn, out);
    }
}

/// Whether a string stands in JSON as it is.
fn is_plain(text: &str) -> bool {
    let bad = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    // Blocks without a way out of their middle, which the compiler turns into wide instructions.
    !text.as_bytes().chunks(32).any(|block| block.iter().fold(false, |any, byte| any | bad(byte)))
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> Box<str> {
    let mut out = String::new();
    quote(text, &mut out);
    out.into()
}

/// Appends `text` as a JSON string.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
    if is_plain(text) {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[done..at]);
        done = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            _ => {
                out.push_str("\\u00");
                out.extend([byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0')));
            }
        }
    }
    out.push_str(&text[done..]);
    out.push('"');
}
