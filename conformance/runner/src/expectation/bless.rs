//! A file of expectations brought up to date: only what must change does, and comments stay where they are.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value, value};
use wirecanon_judge::judge;
use wirecanon_judge::reason;

use super::date::Date;
use super::hold::{Broken, Held, Staleness, by_case, distinct, is_pinned};
use super::{Entry, Expectations, Expected};
use crate::run::{RunResult, TesteeRun};

/// What stands above a new file.
const HEADING: &str = "\
# What is known to fail, each result pinned to its reason. All else must hold: `wirecanon gate`.
# `wirecanon gate --bless` brings this file up to date; it keeps comments, links and days.

";

/// What a file must be brought up to date with.
#[derive(Clone, Copy, Debug)]
pub struct Blessing<'b> {
    /// The day that new entries were first seen on
    pub today: Date,
    /// The last day of new entries, and of those that are expired
    pub expires: Option<Date>,
    /// What the results were held against
    pub expectations: &'b Expectations,
    /// What came of it
    pub held: &'b Held<'b>,
    /// The results
    pub run: &'b TesteeRun,
}

/// What must become of an entry.
enum Fate {
    Stays,
    Goes,
    /// It is about these targets now, and pinned to what this result says
    Changes(Option<Vec<String>>, Option<Pin>),
    Covers(usize),
}

/// What an entry is pinned to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pin {
    verdict: Expected,
    because: Vec<String>,
}

impl Pin {
    fn of(result: &RunResult) -> Self {
        let verdict =
            if result.flaky.is_empty() { Expected::Always(result.judgement.verdict) } else { Expected::Flaky };
        Self { verdict, because: reason::of(&result.judgement) }
    }
}

/// The new text of a file.
///
/// # Errors
///
/// The text is not of the form that is written: in words.
pub fn bless(text: &str, blessing: &Blessing<'_>) -> Result<String, String> {
    let new = text.trim().is_empty();
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    if new {
        document.insert("testee", value(blessing.run.name()));
        document.decor_mut().set_prefix(HEADING);
    }
    if blessing.expectations.judge != judge::VERSION || !document.contains_key("judge") {
        set(document.as_table_mut(), "judge", value(i64::try_from(judge::VERSION).unwrap_or(i64::MAX)));
    }
    if blessing.expectations.judged != Some(blessing.held.judged) {
        set(document.as_table_mut(), "judged", value(i64::try_from(blessing.held.judged).unwrap_or(i64::MAX)));
    }
    let mut old: Vec<Table> = match document.remove("expect") {
        None => Vec::new(),
        Some(Item::ArrayOfTables(tables)) => tables.into_iter().collect(),
        Some(_) => return Err("`expect` must be written as [[expect]] tables to be blessed".to_owned()),
    };
    let entries = &blessing.expectations.entries;
    if old.len() != entries.len() {
        return Err("the entries cannot be told apart".to_owned());
    }
    let mut open: Vec<&RunResult> = Vec::new();
    let mut kept: Vec<(usize, Table)> = Vec::new();
    let mut orphaned = String::new();
    for (at, mut table) in old.drain(..).enumerate() {
        let fate = fate(at, &entries[at], blessing, &mut open);
        if !orphaned.is_empty() && !matches!(fate, Fate::Goes) {
            let prefix = prefix(&table);
            table.decor_mut().set_prefix(format!("{}{prefix}", std::mem::take(&mut orphaned)));
        }
        match fate {
            Fate::Goes => {
                orphaned.push_str(section_above(&prefix(&table)));
                continue;
            }
            Fate::Stays => {}
            Fate::Covers(count) => set(&mut table, "covers", value(i64::try_from(count).unwrap_or(i64::MAX))),
            Fate::Changes(to, pin) => {
                if let Some(to) = to {
                    set(&mut table, "to", list(&to));
                }
                if let Some(pin) = pin {
                    set(&mut table, "verdict", value(pin.verdict.name()));
                    set(&mut table, "because", list(&pin.because));
                }
            }
        }
        if let Some(expires) = blessing.expires
            && blessing.held.stale.iter().any(|stale| stale.entry == at && stale.kind == Staleness::Expired)
        {
            set(&mut table, "expires", date(expires));
        }
        kept.push((at, table));
    }
    let fails = |broken: &&Broken<'_>| broken.entry.is_none();
    open.extend(blessing.held.regressions.iter().filter(fails).flat_map(|broken| &broken.results).copied());
    let mut tables: Vec<(String, Table)> =
        kept.into_iter().map(|(at, table)| (entries[at].case.clone(), table)).collect();
    for (case, table) in added(&open, blessing) {
        let place = tables.iter().rposition(|(other, _)| *other <= case).map_or(0, |place| place + 1);
        tables.insert(place, (case, table));
    }
    let mut array = ArrayOfTables::new();
    for (_, table) in tables {
        array.push(table);
    }
    if !array.is_empty() {
        document.insert("expect", Item::ArrayOfTables(array));
    }
    if !orphaned.trim().is_empty() {
        let trailing = format!("{orphaned}{}", document.trailing().as_str().unwrap_or_default());
        document.set_trailing(trailing);
    }
    Ok(document.to_string())
}

/// What must become of an entry; results that it is about no more go to `open`.
fn fate<'r>(at: usize, entry: &Entry, blessing: &Blessing<'r>, open: &mut Vec<&'r RunResult>) -> Fate {
    let held = blessing.held;
    if !held.active[at] {
        return Fate::Stays;
    }
    let is = |kind| held.stale.iter().any(|stale| stale.entry == at && stale.kind == kind);
    let claims = &held.claims[at];
    if claims.is_empty() {
        let gone = [Staleness::Dead, Staleness::Duplicate, Staleness::Shadowed, Staleness::Better].into_iter().any(is);
        return if gone { Fate::Goes } else { Fate::Stays };
    }
    if let Some(covers) = entry.covers {
        let count = claims.iter().map(|result| result.case.as_str()).collect::<BTreeSet<_>>().len();
        return if count == covers { Fate::Stays } else { Fate::Covers(count) };
    }
    if entry.verdict == Expected::Flaky && claims.iter().all(|result| result.judgement.ok || is_pinned(entry, result)) {
        return Fate::Stays;
    }
    let mut groups: BTreeMap<Pin, Vec<&RunResult>> = BTreeMap::new();
    for result in claims.iter().filter(|result| !result.judgement.ok) {
        groups.entry(Pin::of(result)).or_default().push(result);
    }
    let own = groups.iter().find(|(_, results)| is_pinned(entry, results[0])).map(|(pin, _)| pin.clone());
    let most = || groups.iter().rev().max_by_key(|(_, results)| results.len()).map(|(pin, _)| pin.clone());
    let Some(pin) = own.clone().or_else(most) else { return Fate::Goes };
    let mine: Vec<&RunResult> = groups
        .iter()
        .filter(|(other, results)| **other == pin || own.is_some() && is_pinned(entry, results[0]))
        .flat_map(|(_, results)| results.iter().copied())
        .collect();
    open.extend(
        claims.iter().filter(|result| !result.judgement.ok && !mine.iter().any(|mine| std::ptr::eq(*mine, **result))),
    );
    let now: Vec<String> = in_order(&mine);
    let to = match &entry.to {
        None if mine.len() == claims.len() => None,
        None => Some(now),
        Some(to) => {
            // In the order that they stand in.
            let left: Vec<String> = to.iter().filter(|to| now.contains(to)).cloned().collect();
            (left != *to).then_some(left)
        }
    };
    let pin = own.is_none().then_some(pin);
    if to.is_none() && pin.is_none() { Fate::Stays } else { Fate::Changes(to, pin) }
}

/// Entries for results that none is about, by case.
fn added(open: &[&RunResult], blessing: &Blessing<'_>) -> Vec<(String, Table)> {
    let mut groups: BTreeMap<(String, &'static str, Pin), Vec<&RunResult>> = BTreeMap::new();
    for result in open.iter().filter(|result| result.scored) {
        groups.entry((result.case.clone(), result.from.name(), Pin::of(result))).or_default().push(result);
    }
    let cases = by_case(blessing.run);
    let mut out = Vec::new();
    for ((case, from, pin), results) in groups {
        let of_case = || cases.get(case.as_str()).into_iter().flatten();
        let mut table = Table::new();
        table.decor_mut().set_prefix("\n");
        table.insert("case", value(case.as_str()));
        if of_case().any(|result| result.from.name() != from) {
            table.insert("from", value(from));
        }
        if of_case().filter(|result| result.from.name() == from).count() != results.len() {
            table.insert("to", list(&in_order(&results)));
        }
        table.insert("verdict", value(pin.verdict.name()));
        table.insert("because", list(&pin.because));
        table.insert("first_seen", date(blessing.today));
        if let Some(expires) = blessing.expires {
            table.insert("expires", date(expires));
        }
        out.push((case, table));
    }
    out
}

/// Targets of results, in their order, each once.
fn in_order(results: &[&RunResult]) -> Vec<String> {
    distinct(results.iter().map(|result| result.to.as_str())).into_iter().map(str::to_owned).collect()
}

/// Changes a value and leaves what stands around it.
fn set(table: &mut Table, key: &str, new: Item) {
    let Item::Value(mut new) = new else { return };
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        _ => {
            table.insert(key, Item::Value(new));
        }
    }
}

fn list(texts: &[String]) -> Item {
    Item::Value(Value::Array(texts.iter().map(String::as_str).collect::<Array>()))
}

fn date(day: Date) -> Item {
    // A day is always one of TOML.
    day.to_string().parse::<toml_edit::Datetime>().map_or_else(|_| value(day.to_string()), value)
}

fn prefix(table: &Table) -> String {
    table.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default().to_owned()
}

/// The comments above an entry that an empty line parts from it: they are not about it alone.
fn section_above(prefix: &str) -> &str {
    match prefix.rfind("\n\n") {
        Some(end) if prefix[..end].contains('#') => &prefix[..=end],
        _ => "",
    }
}
