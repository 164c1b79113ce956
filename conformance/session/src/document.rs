//! The document that the messages of a file make, and which of its stretches are copies of which of the file.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use wirecanon_core::json::{Json, Limits, Value, resolve};
use wirecanon_core::{CheckOptions, Mode, Target, check};

use super::{Copy, Kind, Part};

/// The rule about members that the API does not know.
const UNKNOWN: &str = "unknown-field";

/// What is kept or changed as one: a message or an item, or a block where a line holds blocks.
pub(super) struct Atom {
    /// The number of its part
    pub(super) part: usize,
    /// Where it stands in the file
    pub(super) span: Range<usize>,
    /// What of it the document leaves out, since the program that wrote it does not send it either
    pub(super) cuts: Vec<Range<usize>>,
    /// The members that were left out of it, as they stand
    pub(super) held: Vec<Range<usize>>,
    /// Whether something was left out further inside
    pub(super) held_inside: bool,
}

impl Atom {
    /// Its text in the document: what stands in the file, if nothing is left out, with what its program says around it.
    pub(super) fn shown<'a>(&self, text: &'a str, part: &Part) -> Cow<'a, str> {
        if self.cuts.is_empty() && part.frame.is_none() {
            return Cow::Borrowed(&text[self.span.clone()]);
        }
        let (open, close) = part.frame.as_ref().map_or(("", ""), |(open, close)| (open, close));
        let mut out = open.to_owned();
        kept(&self.span, &self.cuts, |range| out.push_str(&text[range]));
        out.push_str(close);
        Cow::Owned(out)
    }
}

/// The stretches of a span that are not cut out. Cuts come in order, and may overlap.
fn kept(span: &Range<usize>, cuts: &[Range<usize>], mut take: impl FnMut(Range<usize>)) {
    let mut at = span.start;
    for cut in cuts {
        if cut.start > at {
            take(at..cut.start);
        }
        at = at.max(cut.end);
    }
    if at < span.end {
        take(at..span.end);
    }
}

/// The atoms of the parts, with nothing left out.
pub(super) fn atoms(parts: &[Part]) -> Vec<Atom> {
    let atom = |part: usize, span: &Range<usize>| Atom {
        part,
        span: span.clone(),
        cuts: Vec::new(),
        held: Vec::new(),
        held_inside: false,
    };
    let of = |(number, part): (usize, &Part)| match &part.blocks {
        Some(blocks) => blocks.iter().map(|block| atom(number, block)).collect::<Vec<_>>(),
        None => vec![atom(number, &part.value)],
    };
    parts.iter().enumerate().flat_map(of).collect()
}

/// Writes the document.
pub(super) fn build(kind: &Kind, text: &str, parts: &[Part], atoms: &[Atom]) -> (String, Vec<Copy>) {
    // Room for all of it at once: a document of gigabytes that outgrows its room takes the double.
    let framed = |part: &Part| part.frame.as_ref().map_or(0, |(open, close)| open.len() + close.len());
    let around = |part: &Part| 32 + part.role.as_ref().map_or(0, String::len) + framed(part);
    let of_atoms: usize = atoms.iter().map(|atom| atom.span.len() + 1).sum();
    let mut out = String::with_capacity(of_atoms + parts.iter().map(around).sum::<usize>() + 32);
    let mut copies = Vec::with_capacity(atoms.len());
    out.push_str("{\"");
    out.push_str(kind.list);
    out.push_str("\":[");
    let mut atoms = atoms.iter().peekable();
    for (number, part) in parts.iter().enumerate() {
        let blocks = part.blocks.is_some();
        if !part.joins {
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            if let Some(role) = &part.role {
                out.push_str("{\"role\":");
                out.push_str(&wirecanon_core::json::quote(role));
                out.push_str(if blocks { ",\"content\":[" } else { ",\"content\":" });
            }
        }
        let mut first = !part.joins || out.ends_with('[');
        while let Some(atom) = atoms.next_if(|atom| atom.part == number) {
            if blocks && !first {
                out.push(',');
            }
            first = false;
            let (open, close) = part.frame.as_ref().map_or(("", ""), |(open, close)| (open, close));
            out.push_str(open);
            kept(&atom.span, &atom.cuts, |range| {
                copies.push(Copy { at: out.len(), from: range.start, length: range.len() });
                out.push_str(&text[range]);
            });
            out.push_str(close);
        }
        if part.role.is_some() && !parts.get(number + 1).is_some_and(|next| next.joins) {
            out.push_str(if blocks { "]}" } else { "}" });
        }
    }
    out.push_str("\n]}\n");
    (out, copies)
}

/// Leaves out what the API would refuse and its program therefore does not send: it is no fault of a file that it holds more.
/// True if there was any.
pub(super) fn hold_back(
    kind: &Kind,
    document: &str,
    parts: &[Part],
    text: &str,
    atoms: &mut [Atom],
    limits: Limits,
) -> bool {
    let target = Target::of_dialect(kind.dialect);
    let options = CheckOptions { target, mode: Mode::History, fragment: false, limits };
    let Ok(checked) = check(document.as_bytes(), &options) else { return false };
    // The members of each atom: its number, and the way to each inside it.
    let mut wanted: HashMap<usize, Vec<String>> = HashMap::new();
    let places = places(parts, atoms);
    for violation in checked.violations.iter().filter(|violation| violation.rule == UNKNOWN) {
        let mut steps = violation.pointer.split('/').skip(2);
        let Some(turn) = steps.next().and_then(|step| step.parse::<usize>().ok()) else { continue };
        let rest = violation.pointer.splitn(4, '/').nth(3).unwrap_or_default();
        // Around what has a frame nothing stands that could be left out.
        let Some(first) = places.get(turn).filter(|first| parts[atoms[**first].part].frame.is_none()) else { continue };
        let blocks = parts[atoms[*first].part].blocks.is_some();
        let (atom, way) = if blocks {
            let Some(rest) = rest.strip_prefix("content/") else { continue };
            let (block, way) = rest.split_once('/').unwrap_or((rest, ""));
            let Ok(block) = block.parse::<usize>() else { continue };
            (first + block, way)
        } else if parts[atoms[*first].part].role.is_some() {
            continue;
        } else {
            (*first, rest)
        };
        if atom < atoms.len() && !way.is_empty() {
            wanted.entry(atom).or_default().push(format!("/{way}"));
        }
    }
    let mut any = false;
    for (number, atom) in atoms.iter_mut().enumerate() {
        if let Some(ways) = wanted.get(&number) {
            any |= cut(atom, text, ways, limits);
        }
    }
    any
}

/// The first atom of each turn.
fn places(parts: &[Part], atoms: &[Atom]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut at = 0;
    for (number, part) in parts.iter().enumerate() {
        if !part.joins {
            places.push(at);
        }
        at += atoms[at..].iter().take_while(|atom| atom.part == number).count();
    }
    places
}

fn cut(atom: &mut Atom, text: &str, ways: &[String], limits: Limits) -> bool {
    let Ok(json) = Json::parse(&text[atom.span.clone()], &limits) else { return false };
    let gone: Vec<u32> = ways.iter().filter_map(|way| Some(resolve(json.root(), way)?.index())).collect();
    let mut holders: Vec<Value<'_>> = ways
        .iter()
        .filter_map(|way| resolve(json.root(), way.rsplit_once('/')?.0).filter(|holder| holder.is_object()))
        .collect();
    holders.sort_by_key(|holder| holder.index());
    holders.dedup_by_key(|holder| holder.index());
    let start = atom.span.start;
    for holder in holders {
        let members: Vec<_> = holder.members().collect();
        let mut last_kept = None;
        for (at, (key, value)) in members.iter().enumerate() {
            if !gone.contains(&value.index()) {
                last_kept = Some(value.span().end);
                continue;
            }
            let range = match (members.get(at + 1), last_kept) {
                (Some((next, _)), _) => key.span().start..next.span().start,
                (None, Some(kept)) => kept..value.span().end,
                (None, None) => members[0].0.span().start..value.span().end,
            };
            atom.cuts.push(range.start + start..range.end + start);
            if holder.index() == 0 {
                atom.held.push(key.span().start + start..value.span().end + start);
            } else {
                atom.held_inside = true;
            }
        }
    }
    atom.cuts.sort_by_key(|cut| (cut.start, cut.end));
    !atom.cuts.is_empty()
}
