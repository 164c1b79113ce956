//! Puts what was mended back into the file: a list of edits, so that all else keeps its bytes.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::ops::Range;

use sha2::{Digest, Sha256};
use wirecanon_core::json::{Json, Limits, Value, quote};

use super::attribute::{Seen, attribute};
use super::document::Atom;
use super::{Added, Ledger, Neighbour, of_lines};

/// Why what was mended has no place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwoven(String);

impl fmt::Display for Unwoven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn no(why: impl Into<String>) -> Unwoven {
    Unwoven(why.into())
}

/// A stretch of the file, and what stands there afterwards. Those that begin at one place come in the order of their making.
type Edit = (Range<usize>, String);

/// Atoms of the output that go to one line.
struct Run {
    /// The part that they were of; nothing for an added line
    part: Option<usize>,
    role: Option<String>,
    in_list: bool,
    /// Each as text, and the atom that it was
    atoms: Vec<(String, Option<usize>)>,
}

/// Weaves a mended document in, and reads the result back: what comes out must be that document.
pub(super) fn weave(
    ledger: &Ledger<'_>,
    output: &str,
    ids: &[(&str, &str)],
    limits: Limits,
) -> Result<String, Unwoven> {
    let runs = runs(ledger, output, ids, limits)?;
    let edits = edits(ledger, &runs)?;
    let text = applied(ledger.text, edits);
    let again = of_lines(&text, &limits).ok().flatten();
    let again = again.and_then(|found| found.transcripts.into_iter().next());
    let said = |document: &str| atoms_of(ledger, document, limits);
    // Neighbouring messages of one role are one turn, however many lines or messages it stands on.
    let is_it = again.is_some_and(|again| match (said(&again.document), said(output)) {
        (Ok(left), Ok(right)) => {
            let equal = |((_, left), (_, right)): (&(usize, Seen), &(usize, Seen))| left.says_the_same(right, limits);
            left.len() == right.len() && left.iter().zip(&right).all(equal)
        }
        _ => false,
    });
    if is_it { Ok(text) } else { Err(no("what was mended has no place on the lines of this file")) }
}

/// The atoms of a document, each with the number of its message.
fn atoms_of(ledger: &Ledger<'_>, document: &str, limits: Limits) -> Result<Vec<(usize, Seen)>, Unwoven> {
    let json = Json::parse(document, &limits).map_err(|error| no(error.to_string()))?;
    let built = ledger.parts.iter().any(|part| part.role.is_some());
    let list = json.root().get(ledger.kind.list).ok_or_else(|| no("the result is no list of messages"))?;
    let mut atoms = Vec::new();
    for (turn, message) in list.items().enumerate() {
        let mut add = |value: Value<'_>, role: Option<String>, in_list| {
            atoms.push((turn, Seen { role, raw: value.raw().to_owned(), in_list }));
        };
        if !built {
            add(message, None, false);
            continue;
        }
        let known = message.members().all(|(key, _)| key.is_str("role") || key.is_str("content"));
        let content = message.get("content").filter(|_| known);
        let content = content.ok_or_else(|| no("a message needs more than its lines hold"))?;
        let role = message.get("role").and_then(Value::as_str).map(std::borrow::Cow::into_owned);
        if content.is_array() {
            content.items().for_each(|block| add(block, role.clone(), true));
        } else {
            add(content, role, false);
        }
    }
    Ok(atoms)
}

/// The atoms of the output, line by line.
fn runs(ledger: &Ledger<'_>, output: &str, ids: &[(&str, &str)], limits: Limits) -> Result<Vec<Run>, Unwoven> {
    let (turns, after): (Vec<usize>, Vec<Seen>) = atoms_of(ledger, output, limits)?.into_iter().unzip();
    let before: Vec<Seen> = ledger
        .atoms
        .iter()
        .map(|atom| {
            let part = &ledger.parts[atom.part];
            Seen { role: part.role.clone(), raw: atom.shown(ledger.text), in_list: part.blocks.is_some() }
        })
        .collect();
    let was = attribute(&before, &after, ids, limits);
    let mut runs: Vec<Run> = Vec::new();
    let mut last_turn = None;
    for ((seen, was), turn) in after.into_iter().zip(was).zip(turns) {
        let part = was.map(|was| ledger.atoms[was].part);
        let goes_on = last_turn == Some(turn)
            && runs.last().is_some_and(|run| run.part == part && run.in_list && seen.in_list && run.role == seen.role);
        last_turn = Some(turn);
        match runs.last_mut().filter(|_| goes_on) {
            Some(run) => run.atoms.push((seen.raw, was)),
            None => runs.push(Run { part, role: seen.role, in_list: seen.in_list, atoms: vec![(seen.raw, was)] }),
        }
    }
    let mut once = HashSet::new();
    if runs.iter().filter_map(|run| run.part).any(|part| !once.insert(part)) {
        return Err(no("the blocks of one line would come to stand apart"));
    }
    Ok(runs)
}

/// The runs that stay in order among themselves: as many as can.
fn in_order(runs: &[Run]) -> HashSet<usize> {
    // For each length the run that ends the row of that length with the smallest part.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: HashMap<usize, usize> = HashMap::new();
    for (at, part) in runs.iter().enumerate().filter_map(|(at, run)| Some((at, run.part?))) {
        let length = ends.partition_point(|end| runs[*end].part < Some(part));
        if let Some(shorter) = length.checked_sub(1) {
            before.insert(at, ends[shorter]);
        }
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut row = HashSet::new();
    let mut at = ends.last().copied();
    while let Some(run) = at {
        row.insert(run);
        at = before.get(&run).copied();
    }
    row
}

/// Who stands above each line, as it changes.
struct Tree<'l, 'a> {
    ledger: &'l Ledger<'a>,
    parents: Vec<Option<String>>,
    names: Vec<Option<String>>,
}

impl Tree<'_, '_> {
    /// Takes a line out from between those above and below it; those beside the conversation stay with it if it only moves.
    fn without(&mut self, line: usize, moves: bool) {
        let (Some(name), above) = (self.names[line].clone(), self.parents[line].clone()) else { return };
        for other in 0..self.parents.len() {
            if self.parents[other].as_deref() == Some(&*name) && (!moves || self.ledger.path[other]) {
                self.parents[other].clone_from(&above);
            }
        }
    }

    /// Puts a line between another and those of the conversation below that.
    fn between(&mut self, above: &str, name: &str) {
        for other in 0..self.parents.len() {
            if self.ledger.path[other] && self.parents[other].as_deref() == Some(above) {
                self.parents[other] = Some(name.to_owned());
            }
        }
    }
}

fn edits(ledger: &Ledger<'_>, runs: &[Run]) -> Result<Vec<Edit>, Unwoven> {
    let links = &ledger.kind.links;
    let lines = &ledger.lines;
    let mut tree = Tree {
        ledger,
        parents: lines.iter().map(|line| line.string(links.parent)).collect(),
        names: lines.iter().map(|line| line.string(links.id)).collect(),
    };
    let mut edits: Vec<Edit> = Vec::new();
    let stay = in_order(runs);
    let used: HashSet<usize> = runs.iter().filter_map(|run| run.part).collect();
    let moved: HashSet<usize> =
        runs.iter().enumerate().filter(|(at, _)| !stay.contains(at)).filter_map(|(_, run)| run.part).collect();
    let gone: HashSet<usize> = (0..ledger.parts.len()).filter(|part| !used.contains(part)).collect();
    let mut instead: HashMap<String, Option<String>> = HashMap::new();
    for part in 0..ledger.parts.len() {
        let line = ledger.parts[part].line;
        if gone.contains(&part) {
            if let Some(name) = tree.names[line].clone() {
                instead.insert(name, tree.parents[line].clone());
            }
            tree.without(line, false);
        } else if moved.contains(&part) {
            tree.without(line, true);
        }
        if gone.contains(&part) || moved.contains(&part) {
            edits.push((lines[line].span.start..lines[line].next, String::new()));
        }
    }
    // Lines that are added or moved: where they go, what they were, and what they say.
    let mut inserted: Vec<(usize, Option<usize>, String)> = Vec::new();
    let (mut anchor, mut above): (Option<usize>, Option<String>) = (None, None);
    for (at, run) in runs.iter().enumerate() {
        if let Some(part) = run.part.filter(|_| stay.contains(&at)) {
            let line = ledger.parts[part].line;
            edits.extend(within(ledger, part, run)?);
            (anchor, above) = (Some(line), tree.names[line].clone());
            continue;
        }
        let Some(anchor) = anchor else { return Err(no("a message would have to come before the first line")) };
        if let Some(part) = run.part {
            let line = ledger.parts[part].line;
            if let (Some(above), Some(name)) = (&above, tree.names[line].clone()) {
                tree.between(above, &name);
                tree.parents[line] = Some(above.clone());
                inserted.push((anchor, Some(line), moved_line(ledger, part, run, above)?));
            } else {
                inserted.push((anchor, Some(line), moved_line(ledger, part, run, "")?));
            }
            above = tree.names[line].clone().or(above);
            continue;
        }
        let text = said(run, |_| None)?;
        let seed = format!("{}\n{}\n{text}", above.as_deref().unwrap_or_default(), inserted.len());
        let digest: String = Sha256::digest(seed).iter().fold(String::new(), |mut out, byte| {
            // A string takes all that is written to it.
            let _ = write!(out, "{byte:02x}");
            out
        });
        let neighbour = Neighbour { line: &lines[anchor], id: above.as_deref() };
        let added = Added { text: &text, role: run.role.as_deref(), digest: &digest };
        let line = (ledger.kind.envelope)(&neighbour, &added);
        let line = line.ok_or_else(|| no("a turn would have to be added that only the agent can write"))?;
        let name = Json::parse(&line, &Limits::default())
            .ok()
            .and_then(|json| json.root().get(links.id)?.as_str().map(std::borrow::Cow::into_owned));
        if let (Some(above), Some(name)) = (&above, &name) {
            if tree.names.iter().flatten().any(|other| other == name) {
                return Err(no("a name for a new line is taken"));
            }
            tree.between(above, name);
        }
        // The next new line hangs below this one; lines of the file below it were turned to it just now.
        above = name.or(above);
        inserted.push((anchor, None, line));
    }
    for (anchor, _, text) in &inserted {
        let at = lines[*anchor].next;
        let ends = ledger.text[..at].ends_with('\n');
        edits.push((at..at, if ends { format!("{text}\n") } else { format!("\n{text}") }));
    }
    relink(ledger, &tree, &instead, &gone, &moved, &mut edits);
    Ok(edits)
}

/// Edits of the lines that stay where they are and name another line than before.
fn relink(
    ledger: &Ledger<'_>,
    tree: &Tree<'_, '_>,
    instead: &HashMap<String, Option<String>>,
    gone: &HashSet<usize>,
    moved: &HashSet<usize>,
    edits: &mut Vec<Edit>,
) {
    let links = &ledger.kind.links;
    let away: HashSet<usize> = gone.iter().chain(moved).map(|part| ledger.parts[*part].line).collect();
    for line in ledger.lines.iter().filter(|line| !away.contains(&line.number)) {
        let Some(root) = line.root() else { continue };
        if let Some(parent) = root.get(links.parent)
            && parent.as_str().map(std::borrow::Cow::into_owned) != tree.parents[line.number]
        {
            let new = tree.parents[line.number].as_deref().map_or("null".to_owned(), quote);
            edits.push((line.place(parent), new));
        }
        for other in links.others.iter().filter_map(|key| root.get(key)) {
            // What named a line that is gone names the one above it.
            let mut name = other.as_str().map(std::borrow::Cow::into_owned);
            let mut changed = false;
            while let Some(above) = name.as_ref().and_then(|name| instead.get(name)) {
                name.clone_from(above);
                changed = true;
            }
            if changed {
                edits.push((line.place(other), name.as_deref().map_or("null".to_owned(), quote)));
            }
        }
    }
}

/// The text of an atom that was this one: its own bytes if nothing changed, else with the members that were left out.
fn atom_text(ledger: &Ledger<'_>, raw: &str, was: usize) -> Result<String, Unwoven> {
    let atom: &Atom = &ledger.atoms[was];
    if raw == atom.shown(ledger.text) {
        return Ok(ledger.text[atom.span.clone()].to_owned());
    }
    if atom.held_inside {
        return Err(no("a block holds members that only its agent knows, and would lose them"));
    }
    let mut out = raw.to_owned();
    for held in &atom.held {
        let Some(body) = out.strip_suffix('}') else { return Err(no("a message would lose its own members")) };
        let comma = if body.trim_end().ends_with('{') { "" } else { "," };
        out = format!("{body}{comma}{}}}", &ledger.text[held.clone()]);
    }
    Ok(out)
}

/// The value that a run makes: one atom, or a list of blocks.
fn said(run: &Run, text: impl Fn(usize) -> Option<Result<String, Unwoven>>) -> Result<String, Unwoven> {
    let mut texts = Vec::new();
    for (raw, was) in &run.atoms {
        texts.push(was.and_then(&text).unwrap_or_else(|| Ok(raw.clone()))?);
    }
    Ok(if run.in_list { format!("[{}]", texts.join(",")) } else { texts.concat() })
}

/// What changes within a line that stays.
fn within(ledger: &Ledger<'_>, number: usize, run: &Run) -> Result<Vec<Edit>, Unwoven> {
    let part = &ledger.parts[number];
    let from = ledger.atoms.partition_point(|atom| atom.part < number);
    let own = from..ledger.atoms.partition_point(|atom| atom.part <= number);
    let was: Vec<Option<usize>> = run.atoms.iter().map(|(_, was)| *was).collect();
    let stays = run.in_list == part.blocks.is_some() && was.iter().copied().eq(own.map(Some));
    if !stays {
        let text = |was: usize| {
            let raw = run.atoms.iter().find(|(_, other)| *other == Some(was)).map(|(raw, _)| raw)?;
            Some(atom_text(ledger, raw, was))
        };
        return Ok(vec![(part.value.clone(), said(run, text)?)]);
    }
    let mut edits = Vec::new();
    for (raw, was) in &run.atoms {
        let Some(was) = *was else { continue };
        let span = ledger.atoms[was].span.clone();
        let text = atom_text(ledger, raw, was)?;
        if text != ledger.text[span.clone()] {
            edits.push((span, text));
        }
    }
    Ok(edits)
}

/// The text of a line that goes elsewhere, below another line.
fn moved_line(ledger: &Ledger<'_>, part: usize, run: &Run, above: &str) -> Result<String, Unwoven> {
    let line = &ledger.lines[ledger.parts[part].line];
    let start = line.span.start;
    let mut edits = within(ledger, part, run)?;
    if let Some(parent) = line.root().and_then(|root| root.get(ledger.kind.links.parent)).filter(|_| !above.is_empty())
    {
        edits.push((line.place(parent), quote(above)));
    }
    for (span, _) in &mut edits {
        *span = span.start - start..span.end - start;
    }
    Ok(applied(line.text(), edits))
}

/// The text with every edit made.
fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    // Stable, so that lines that are added at one place keep their order. An insertion comes before what is cut at its place.
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (span, new) in edits {
        out.push_str(&text[at.min(span.start)..span.start]);
        out.push_str(&new);
        at = at.max(span.end);
    }
    out.push_str(&text[at.min(text.len())..]);
    out
}
