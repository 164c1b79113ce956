//! Puts what was mended back into the file: a list of edits, so that all else keeps its bytes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use wirecanon_core::json::{Json, Limits, Value, on_one_line, quote, resolve};
use wirecanon_judge::case::digest::sha256;

use super::attribute::{Seen, attribute};
use super::document::Atom;
use super::line::Named;
use super::{Added, Home, Kind, Ledger, Neighbour, Part, Spell, of_lines};

/// Why what was mended has no place in the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unwoven(String);

fn no(why: impl Into<String>) -> Unwoven {
    Unwoven(why.into())
}

/// A stretch of the file, and what stands there afterwards. Those that begin at one place come in the order of their making.
type Edit = (Range<usize>, String);

/// Atoms of the output that go to one line.
struct Run<'o> {
    /// The part that they were of; nothing for an added line
    part: Option<usize>,
    role: Option<String>,
    in_list: bool,
    /// Each as text, and the atom that it was
    atoms: Vec<(Cow<'o, str>, Option<usize>)>,
}

/// Weaves a mended document in.
pub(super) fn weave(
    ledger: &Ledger<'_>,
    output: &str,
    ids: &[(&str, &str)],
    limits: Limits,
) -> Result<String, Unwoven> {
    if ledger.lines.iter().any(|line| line.glued) {
        let text = apart(ledger);
        let again = of_lines(&text, &limits).map_err(|error| no(error.to_string()))?;
        let again = again.and_then(|found| found.transcripts.into_iter().next());
        return match again.map(|again| again.home) {
            Some(Home::Lines(again)) if !again.lines.iter().any(|line| line.glued) => {
                weave(&again, output, ids, limits)
            }
            _ => Err(no("what stands on one line of this file cannot be put on lines of its own")),
        };
    }
    // Of a large file what is no longer needed weighs: the edits are all that stays of this.
    let edits = {
        let wanted = Json::parse(output, &limits).map_err(|error| no(error.to_string()))?;
        let runs = runs(ledger, &wanted, ids, limits)?;
        edits(ledger, &runs)?
    };
    Ok(applied(ledger.text, edits))
}

/// The file with each record on a line of its own.
fn apart(ledger: &Ledger<'_>) -> String {
    let mut edits: Vec<Edit> = Vec::new();
    for line in ledger.lines.iter().filter(|line| line.glued) {
        let row = ledger.lines[line.number..].iter().take_while(|other| other.row == line.row);
        let end = row.last().map_or("", |last| &ledger.text[last.span.end..last.next]);
        let newline = if end.starts_with('\r') { "\r\n" } else { "\n" };
        edits.push((line.span.start..line.span.start, newline.to_owned()));
    }
    applied(ledger.text, edits)
}

/// Reads back what was woven: it must be the mended document.
pub(super) fn proven(kind: &Kind, text: String, output: &str, limits: Limits) -> Result<String, Unwoven> {
    let again = of_lines(&text, &limits).ok().flatten();
    // As above: only the document stays.
    let again = again.and_then(|found| found.transcripts.into_iter().next()).map(|again| again.document);
    // Neighbouring messages of one role are one turn, however many lines or messages it stands on.
    let is_it = again.is_some_and(|again| {
        if again == output {
            return true;
        }
        let (Ok(again), Ok(wanted)) = (Json::parse(&again, &limits), Json::parse(output, &limits)) else {
            return false;
        };
        match (atoms_of(kind, &again), atoms_of(kind, &wanted)) {
            (Ok(left), Ok(right)) => {
                let equal = |((_, left), (_, right)): ((usize, Seen<'_>), (usize, Seen<'_>))| {
                    spelled(kind, left, limits).says_the_same(&spelled(kind, right, limits), limits)
                };
                left.len() == right.len() && left.into_iter().zip(right).all(equal)
            }
            _ => false,
        }
    });
    if is_it { Ok(text) } else { Err(no("what was mended has no place on the lines of this file")) }
}

/// The atoms of a document, each with the number of its message.
fn atoms_of<'j>(kind: &Kind, json: &'j Json<'_>) -> Result<Vec<(usize, Seen<'j>)>, Unwoven> {
    let list = json.root().get(kind.list).ok_or_else(|| no("the result is no list of messages"))?;
    let mut atoms = Vec::new();
    for (turn, message) in list.items().enumerate() {
        let mut add = |value: Value<'j>, role: Option<String>, in_list| {
            atoms.push((turn, Seen { role, raw: on_one_line(value.raw()), in_list }));
        };
        if !kind.built {
            add(message, None, false);
            continue;
        }
        let known = message.members().all(|(key, _)| key.is_str("role") || key.is_str("content"));
        let content = message.get("content").filter(|_| known);
        let content = content.ok_or_else(|| no("a message needs more than its lines hold"))?;
        let role = message.get("role").and_then(Value::as_str).map(Cow::into_owned);
        if content.is_array() {
            content.items().for_each(|block| add(block, role.clone(), true));
        } else {
            add(content, role, false);
        }
    }
    Ok(atoms)
}

/// An atom as its program spells it.
fn spelled<'t>(kind: &Kind, seen: Seen<'t>, limits: Limits) -> Seen<'t> {
    let spell = |spell: Spell| spell(Json::parse(&seen.raw, &limits).ok()?.root());
    match kind.spell.and_then(spell) {
        Some(raw) => Seen { raw: Cow::Owned(raw), ..seen },
        None => seen,
    }
}

/// The atoms of the output, line by line.
fn runs<'j>(
    ledger: &Ledger<'_>,
    output: &'j Json<'_>,
    ids: &[(&str, &str)],
    limits: Limits,
) -> Result<Vec<Run<'j>>, Unwoven> {
    let (turns, after): (Vec<usize>, Vec<Seen<'j>>) = atoms_of(ledger.kind, output)?.into_iter().unzip();
    let before: Vec<Seen<'_>> = ledger
        .atoms
        .iter()
        .map(|atom| {
            let part = &ledger.parts[atom.part];
            Seen { role: part.role.clone(), raw: atom.shown(ledger.text, part), in_list: part.blocks.is_some() }
        })
        .collect();
    // What stands in the file as it is keeps its spelling.
    let kept: HashSet<&str> = before.iter().map(|seen| &*seen.raw).collect();
    let after: Vec<Seen<'j>> = after
        .into_iter()
        .map(|seen| if kept.contains(&*seen.raw) { seen } else { spelled(ledger.kind, seen, limits) })
        .collect();
    let was = attribute(&before, &after, ids, limits);
    let mut runs: Vec<Run<'j>> = Vec::new();
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
fn in_order(runs: &[Run<'_>]) -> HashSet<usize> {
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
    /// The lines below each name, and some that were once
    below: HashMap<String, Vec<usize>>,
}

impl<'l, 'a> Tree<'l, 'a> {
    fn of(ledger: &'l Ledger<'a>) -> Self {
        let parents: Vec<Option<String>> = ledger.named.iter().map(|line| line.parent.clone()).collect();
        let mut below: HashMap<String, Vec<usize>> = HashMap::new();
        for (line, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                below.entry(parent.clone()).or_default().push(line);
            }
        }
        Self { ledger, parents, below }
    }

    /// Hangs a line below a name, or below nothing.
    fn hang(&mut self, line: usize, parent: Option<String>) {
        if let Some(parent) = &parent {
            self.below.entry(parent.clone()).or_default().push(line);
        }
        self.parents[line] = parent;
    }

    /// Hangs what is below a name elsewhere: all of it, or what is of the conversation.
    fn turn(&mut self, name: &str, to: Option<&str>, all: bool) {
        let lines = self.below.remove(name).unwrap_or_default();
        let below: Vec<usize> = lines.into_iter().filter(|line| self.parents[*line].as_deref() == Some(name)).collect();
        for line in below {
            let to = if all || self.ledger.path[line] { to } else { Some(name) };
            self.hang(line, to.map(str::to_owned));
        }
    }

    /// Takes a line out from between those above and below it; those beside the conversation stay with it if it only moves.
    fn without(&mut self, line: usize, moves: bool) {
        let (Some(name), above) = (self.ledger.named[line].id.clone(), self.parents[line].clone()) else { return };
        self.turn(&name, above.as_deref(), !moves);
    }

    /// Puts a line between another and those of the conversation below that.
    fn between(&mut self, above: &str, name: &str) {
        self.turn(above, Some(name), false);
    }
}

fn edits(ledger: &Ledger<'_>, runs: &[Run<'_>]) -> Result<Vec<Edit>, Unwoven> {
    let links = &ledger.kind.links;
    let lines = &ledger.lines;
    let name = |line: usize| ledger.named[line].id.clone();
    let mut tree = Tree::of(ledger);
    let taken: HashSet<&str> = ledger.named.iter().filter_map(|line| line.id.as_deref()).collect();
    let mut edits: Vec<Edit> = Vec::new();
    let stay = in_order(runs);
    let used: HashSet<usize> = runs.iter().filter_map(|run| run.part).collect();
    let moved: HashSet<usize> =
        runs.iter().enumerate().filter(|(at, _)| !stay.contains(at)).filter_map(|(_, run)| run.part).collect();
    let gone: HashSet<usize> = (0..ledger.parts.len()).filter(|part| !used.contains(part)).collect();
    let mut instead: HashMap<String, Option<String>> = HashMap::new();
    for (part, Part { line, list, .. }) in ledger.parts.iter().enumerate() {
        let line = *line;
        if list.is_some() {
            if moved.contains(&part) {
                return Err(no("a message would have to leave the list that it stands in"));
            }
            continue;
        }
        if gone.contains(&part) {
            if let Some(name) = name(line) {
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
    without_items(ledger, &gone, &mut edits);
    // Lines that are added or moved: where they go, what they were, and what they say.
    let mut inserted: Vec<(usize, Option<usize>, String)> = Vec::new();
    let (mut anchor, mut above): (Option<usize>, Option<String>) = (None, None);
    let mut changed: HashSet<usize> = gone.iter().chain(&moved).map(|part| ledger.parts[*part].line).collect();
    // The end of the item that comes before, where that stands in a list.
    let mut item: Option<usize> = None;
    for (at, run) in runs.iter().enumerate() {
        if let Some(part) = run.part.filter(|_| stay.contains(&at)) {
            let line = ledger.parts[part].line;
            let within = within(ledger, part, run)?;
            if !within.is_empty() {
                changed.insert(line);
            }
            edits.extend(within);
            (anchor, above) = (Some(line), name(line));
            item = ledger.parts[part].list.map(|_| ledger.parts[part].value.end);
            continue;
        }
        if let Some(end) = item {
            if run.part.is_some() {
                return Err(no("a line would have to come into a list"));
            }
            edits.push((end..end, format!(",{}", said(run, |raw, _| Ok(Cow::Borrowed(raw)))?)));
            continue;
        }
        let Some(anchor) = anchor else { return Err(no("a message would have to come before the first line")) };
        if let Some(part) = run.part {
            let line = ledger.parts[part].line;
            if let (Some(above), Some(name)) = (&above, name(line)) {
                tree.between(above, &name);
                tree.hang(line, Some(above.clone()));
                inserted.push((anchor, Some(line), moved_line(ledger, part, run, above)?));
            } else {
                inserted.push((anchor, Some(line), moved_line(ledger, part, run, "")?));
            }
            above = name(line).or(above);
            continue;
        }
        let text = said(run, |raw, _| Ok(Cow::Borrowed(raw)))?;
        let seed = format!("{}\n{}\n{text}", above.as_deref().unwrap_or_default(), inserted.len());
        let digest = sha256(seed.as_bytes());
        let added = Added { text: &text, role: run.role.as_deref(), digest: &digest };
        let line = lines[anchor]
            .read()
            .and_then(|json| (ledger.kind.envelope)(&Neighbour { root: json.root(), id: above.as_deref() }, &added));
        let line = line.ok_or_else(|| no("a turn would have to be added that only the agent can write"))?;
        let name = Json::parse(&line, &Limits::default())
            .ok()
            .and_then(|json| json.root().get(links.id)?.as_str().map(Cow::into_owned));
        if let (Some(above), Some(name)) = (&above, &name) {
            if taken.contains(name.as_str()) {
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
        let above = &ledger.text[..at];
        // As the line above ends, or the one above that where the last has no end.
        let newline =
            if above.rsplit_once('\n').is_some_and(|(above, _)| above.ends_with('\r')) { "\r\n" } else { "\n" };
        edits.push((
            at..at,
            if above.ends_with('\n') { format!("{text}{newline}") } else { format!("{newline}{text}") },
        ));
    }
    // What says again what a line said that is mended would take its place.
    let again = |(at, line): (usize, &Named)| {
        Some(at).filter(|at| line.twin.is_some_and(|twin| twin < *at && changed.contains(&twin)))
    };
    let again: HashSet<usize> = ledger.named.iter().enumerate().filter_map(again).collect();
    edits.extend(again.iter().map(|line| (lines[*line].span.start..lines[*line].next, String::new())));
    let away = gone.iter().chain(&moved).filter(|part| ledger.parts[**part].list.is_none());
    let away: HashSet<usize> = away.map(|part| ledger.parts[*part].line).chain(again).collect();
    relink(ledger, &tree, &instead, &away, &mut edits);
    Ok(edits)
}

/// Takes items that are gone out of the lists that they stand in.
fn without_items(ledger: &Ledger<'_>, gone: &HashSet<usize>, edits: &mut Vec<Edit>) {
    let mut of_lists: BTreeMap<(usize, &str), HashSet<usize>> = BTreeMap::new();
    for part in gone.iter().map(|part| &ledger.parts[*part]) {
        if let Some(list) = part.list {
            of_lists.entry((part.line, list)).or_default().insert(part.value.start);
        }
    }
    for ((line, list), gone) in of_lists {
        let line = &ledger.lines[line];
        let json = line.read();
        let Some(list) = json.as_ref().and_then(|json| resolve(json.root(), list)) else { continue };
        let items: Vec<Range<usize>> = list.items().map(|item| line.place(item)).collect();
        let mut last: Option<usize> = None;
        for (at, item) in items.iter().enumerate() {
            if !gone.contains(&item.start) {
                last = Some(item.end);
                continue;
            }
            let span = match (last, items.get(at + 1)) {
                (Some(last), _) => last..item.end,
                (None, Some(next)) => item.start..next.start,
                (None, None) => item.clone(),
            };
            edits.push((span, String::new()));
        }
    }
}

/// Edits of the lines that stay where they are and name another line than before.
fn relink(
    ledger: &Ledger<'_>,
    tree: &Tree<'_, '_>,
    instead: &HashMap<String, Option<String>>,
    away: &HashSet<usize>,
    edits: &mut Vec<Edit>,
) {
    let links = &ledger.kind.links;
    for line in ledger.lines.iter().filter(|line| !away.contains(&line.number)) {
        let json = line.read();
        let Some(root) = json.as_ref().map(Json::root) else { continue };
        if let Some(parent) = root.get(links.parent)
            && parent.as_str().map(Cow::into_owned) != tree.parents[line.number]
        {
            let new = tree.parents[line.number].as_deref().map_or("null".to_owned(), quote);
            edits.push((line.place(parent), new));
        }
        for other in links.others.iter().filter_map(|key| root.get(key)) {
            // What named a line that is gone names the one above it.
            let mut name = other.as_str().map(Cow::into_owned);
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
fn atom_text<'t>(ledger: &Ledger<'t>, raw: &'t str, was: usize) -> Result<Cow<'t, str>, Unwoven> {
    let atom: &Atom = &ledger.atoms[was];
    let part = &ledger.parts[atom.part];
    if raw == atom.shown(ledger.text, part) {
        return Ok(Cow::Borrowed(&ledger.text[atom.span.clone()]));
    }
    if let Some((open, close)) = &part.frame {
        let inside = raw.strip_prefix(&**open).and_then(|raw| raw.strip_suffix(&**close));
        return inside.map(Cow::Borrowed).ok_or_else(|| no("what the program says around a summary would change"));
    }
    if atom.held_inside {
        return Err(no("a block holds members that only its agent knows, and would lose them"));
    }
    let mut out = Cow::Borrowed(raw);
    for held in &atom.held {
        let Some(body) = out.strip_suffix('}') else { return Err(no("a message would lose its own members")) };
        let comma = if body.trim_end().ends_with('{') { "" } else { "," };
        out = Cow::Owned(format!("{body}{comma}{}}}", &ledger.text[held.clone()]));
    }
    Ok(out)
}

/// The value that a run makes: one atom, or a list of blocks.
fn said<'t>(
    run: &'t Run<'_>,
    text: impl Fn(&'t str, usize) -> Result<Cow<'t, str>, Unwoven>,
) -> Result<String, Unwoven> {
    let mut texts = Vec::new();
    for (raw, was) in &run.atoms {
        texts.push(was.map_or(Ok(Cow::Borrowed(&**raw)), |was| text(raw, was))?);
    }
    Ok(if run.in_list { format!("[{}]", texts.join(",")) } else { texts.concat() })
}

/// What changes within a line that stays.
fn within(ledger: &Ledger<'_>, number: usize, run: &Run<'_>) -> Result<Vec<Edit>, Unwoven> {
    let part = &ledger.parts[number];
    let from = ledger.atoms.partition_point(|atom| atom.part < number);
    let own = from..ledger.atoms.partition_point(|atom| atom.part <= number);
    let was: Vec<Option<usize>> = run.atoms.iter().map(|(_, was)| *was).collect();
    let stays = run.in_list == part.blocks.is_some() && was.iter().copied().eq(own.map(Some));
    if !stays {
        return Ok(vec![(part.value.clone(), said(run, |raw, was| atom_text(ledger, raw, was))?)]);
    }
    let mut edits = Vec::new();
    for (raw, was) in &run.atoms {
        let Some(was) = *was else { continue };
        let span = ledger.atoms[was].span.clone();
        let text = atom_text(ledger, raw, was)?;
        if text != ledger.text[span.clone()] {
            edits.push((span, text.into_owned()));
        }
    }
    Ok(edits)
}

/// The text of a line that goes elsewhere, below another line.
fn moved_line(ledger: &Ledger<'_>, part: usize, run: &Run<'_>, above: &str) -> Result<String, Unwoven> {
    let line = &ledger.lines[ledger.parts[part].line];
    let start = line.span.start;
    let mut edits = within(ledger, part, run)?;
    let json = line.read();
    let parent = json.as_ref().and_then(|json| json.root().get(ledger.kind.links.parent));
    if let Some(parent) = parent.filter(|_| !above.is_empty()) {
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
    // Not less than it takes: a text of gigabytes that outgrows its room takes the double.
    let more: usize = edits.iter().map(|(_, new)| new.len()).sum();
    let mut out = String::with_capacity(text.len() + more);
    let mut at = 0;
    for (span, new) in edits {
        out.push_str(&text[at.min(span.start)..span.start]);
        out.push_str(&new);
        at = at.max(span.end);
    }
    out.push_str(&text[at.min(text.len())..]);
    out
}
