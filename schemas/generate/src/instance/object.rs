//! Objects: which members may stand in them, planned.

use std::collections::BTreeSet;

use super::compile::Compiler;
use super::error::{Error, Fault};
use super::facts::{Facts, Item};
use super::flavor::{Flavor, MEDIA};
use super::plan::{Field, Kind, Node, Object, Pair};
use super::write::quoted;

/// Names for members that no schema speaks of.
const NAMES: [&str; 8] = ["x", "path", "note", "limit", "tags", "caf\u{e9}", "a b", "type"];

impl<'a> Compiler<'a> {
    /// The objects of one alternative; none where a required member cannot be.
    pub(super) fn object(&mut self, facts: &Facts<'a>) -> Result<Option<Kind>, Error> {
        let mut names: Vec<&'a str> = facts.required.iter().copied().collect();
        let mut examples: BTreeSet<String> = BTreeSet::new();
        let mut patterns = Vec::new();
        for (sid, _) in &facts.objects {
            names.extend(self.document.names(*sid, "properties")?);
            for pattern in self.document.names(*sid, "patternProperties")? {
                self.automata
                    .compile(pattern)
                    .map_err(|why| self.document.error(*sid, "patternProperties", Fault::Pattern(why)))?;
                patterns.push((pattern, true));
            }
            if let Some(names) = self.document.under(*sid, "propertyNames")? {
                examples.extend(self.some_texts(&[Item::Holds(names)], 4 + facts.members.0)?);
            }
        }
        names.extend(facts.member.keys());
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(*name));

        let (mut fields, mut others) = (Vec::new(), Vec::new());
        for name in names {
            let required = facts.required.contains(name);
            match self.field(facts, name, false)? {
                Some(field) if required => fields.push(field),
                Some(field) => others.push(field),
                None if required => return Ok(None),
                None => {}
            }
        }
        let required = fields.len();
        fields.append(&mut others);
        let named = fields.len();

        for pattern in patterns {
            let walk = super::pattern::Walk::new(&mut self.automata, &[pattern], (0, None)).ok().flatten();
            if let Some(walk) = walk {
                let mut seed = 0;
                examples.extend((0..4 + facts.members.0).map(|_| walk.example(&mut seed)));
            }
        }
        examples.extend(NAMES.iter().map(|name| (*name).to_owned()));
        examples.extend((0..facts.members.0).map(|number| format!("k{number}")));
        for name in examples.iter().filter(|name| !seen.contains(&name[..])) {
            fields.extend(self.field(facts, name, true)?);
        }
        if fields.len() < facts.members.0 {
            return Ok(None);
        }
        let (least, most) = facts.members;
        Ok(Some(Kind::Object(Box::new(Object { fields, required, named, least, most, pair: None }))))
    }

    fn field(&mut self, facts: &Facts<'a>, name: &str, extra: bool) -> Result<Option<Field>, Error> {
        let Some(items) = self.member(facts, name)? else { return Ok(None) };
        if !self.seems_possible(&super::solve::set(items.clone()))? {
            return Ok(None);
        }
        let key = format!("{}:", quoted(name)).into();
        Ok(Some(Field { key, node: self.node(items, Flavor::of(Some(name))), extra }))
    }
}

/// Finds in each object the fields that speak of the same bytes, and how many it has that a schema names.
pub(super) fn pairs(nodes: &mut [Node]) {
    for number in 0..nodes.len() {
        let Kind::Object(object) = &nodes[number].kind else { continue };
        let pair = pair(object, nodes);
        let Kind::Object(object) = &mut nodes[number].kind else { continue };
        object.pair = pair;
        object.named = object.fields.iter().filter(|field| !field.extra).count();
    }
}

/// Finds the two fields of an object that speak of the same bytes, and the media that both take.
fn pair(object: &Object, nodes: &[Node]) -> Option<Pair> {
    let find = |flavor: Flavor| {
        object.fields.iter().position(|field| {
            let name = serde_json::from_str::<String>(field.key.trim_end_matches(':')).unwrap_or_default();
            !field.extra && Flavor::of(Some(&name)) == flavor
        })
    };
    let (data, mime) = (find(Flavor::Base64)?, find(Flavor::Mime)?);
    let kinds: Vec<&str> = object.fields.iter().filter_map(|field| fixed(nodes, field.node)).collect();
    let class = |class: &str| kinds.iter().any(|kind| kind.contains(class));
    let media = MEDIA.iter().filter(|(kind, bytes)| {
        (!class("image") || kind.starts_with("image/"))
            && (!class("audio") || kind.starts_with("audio/"))
            && takes(nodes, object.fields[data].node, bytes)
            && takes(nodes, object.fields[mime].node, kind)
    });
    let media: Vec<_> = media.collect();
    (!media.is_empty()).then(|| Pair { data, mime, media, free: is_any_base64(nodes, object.fields[data].node) })
}

fn fixed(nodes: &[Node], node: u32) -> Option<&str> {
    match &nodes[node as usize].kind {
        Kind::Fixed(text) => Some(text),
        Kind::OneOf(ways) if ways.len() == 1 => fixed(nodes, ways[0]),
        _ => None,
    }
}

/// Whether every base64 is among the strings of a node.
fn is_any_base64(nodes: &[Node], node: u32) -> bool {
    match &nodes[node as usize].kind {
        Kind::OneOf(ways) => ways.iter().any(|way| *way != node && is_any_base64(nodes, *way)),
        Kind::Text(text) => text.flavor == Flavor::Base64 && !text.bound && text.least == 0 && text.most.is_none(),
        _ => false,
    }
}

/// Whether a string is among those of a node.
fn takes(nodes: &[Node], node: u32, text: &str) -> bool {
    match &nodes[node as usize].kind {
        Kind::Fixed(json) => json.trim_matches('"') == text,
        Kind::OneOf(ways) => ways.iter().any(|way| *way != node && takes(nodes, *way, text)),
        Kind::Text(plan) => {
            let length = text.chars().count();
            let fits = length >= plan.least && plan.most.is_none_or(|most| length <= most);
            let pooled = || plan.pool.iter().any(|json| json.trim_matches('"') == text);
            fits && (plan.is_free() || pooled() || plan.flavor == Flavor::Base64 && !plan.bound)
        }
        Kind::Number(_) | Kind::Array(_) | Kind::Object(_) => false,
    }
}
