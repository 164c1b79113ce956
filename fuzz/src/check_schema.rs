//! The judge beside the JSON Schemas.
//!
//! Both say whether a document is what a dialect's messages are, and neither knows of the other: the schemas are written from
//! what the providers publish, the judge from SPEC.md. A schema sees one message and its form. So beyond the boundary that
//! stands here, what the schema refuses the judge refuses, and a fault of form that the judge names the schema sees.

use std::sync::OnceLock;

use arbitrary::Unstructured;
use wirecanon::opinion::{Opinion, SecondOpinion};
use wirecanon_core::json::{Json, Limits, resolve};
use wirecanon_core::{CheckOptions, Checked, Error, Mode, Target, check};
use wirecanon_schemas::catalogue;
use wirecanon_schemas::generate::instance::Plan;
use wirecanon_schemas::generate;

use crate::change::{Picks, change};

/// Longer inputs make documents that teach nothing new.
const LONGEST: usize = 4096;

/// A judge to hold against the schemas.
type Check = fn(&[u8], &CheckOptions<'_>) -> Result<Checked, Error>;

/// A target whose messages a schema describes.
struct Described {
    target: &'static Target,
    plan: Plan,
    opinion: SecondOpinion,
}

/// Makes a document (JSON as it is; else one of the generator, or of a schema), changes it, and asks both.
///
/// # Panics
///
/// When they differ beyond the boundary.
pub fn run(data: &[u8]) {
    if let Err(finding) = judge(data, check) {
        panic!("{finding}");
    }
}

fn judge(data: &[u8], check: Check) -> Result<(), String> {
    if data.len() > LONGEST {
        return Ok(());
    }
    if data.trim_ascii_start().starts_with(b"{") {
        return described().iter().try_for_each(|described| compare(described, data, check));
    }
    let u = &mut Unstructured::new(data);
    let described = u.choose(described()).unwrap_or(&described()[0]);
    compare(described, document(u, described).as_bytes(), check)
}

/// A document of a dialect, with up to three changes.
fn document(u: &mut Unstructured<'_>, described: &Described) -> String {
    let shape: u8 = u.arbitrary().unwrap_or(0);
    let picks = &mut Picks::new(u.arbitrary().unwrap_or(0));
    let made = generate::Dialect::by_name(described.target.dialect.name()).filter(|_| shape.is_multiple_of(2));
    let mut text = match made {
        Some(dialect) => String::from_utf8_lossy(&generate::valid(u, dialect).bytes).into_owned(),
        None => described.plan.instance(u),
    };
    for _ in 0..shape / 2 % 4 {
        text = change(&text, &mut |limit| picks.below(limit)).unwrap_or(text);
    }
    text
}

/// What both say of a document.
struct Said {
    rules: Vec<(String, String)>,
    places: Vec<(String, String)>,
}

fn asked(described: &Described, text: &[u8], check: Check) -> Option<Said> {
    let limits = Limits::default();
    let target = described.target;
    let fragment = target.dialect.is_fragment();
    let checked = check(text, &CheckOptions { target, mode: Mode::History, fragment, limits }).ok()?;
    let Opinion { mismatches, .. } = described.opinion.judge(text, limits).ok()?;
    Some(Said {
        rules: checked.violations.into_iter().map(|found| (found.rule.to_owned(), found.pointer)).collect(),
        places: mismatches.into_iter().map(|found| (found.pointer, found.message)).collect(),
    })
}

fn compare(described: &Described, text: &[u8], check: Check) -> Result<(), String> {
    let Some(said) = asked(described, text, check) else { return Ok(()) };
    let shown = String::from_utf8_lossy(text);
    let target = &described.target.name;
    if said.rules.is_empty() {
        return match said.places.first() {
            None => Ok(()),
            Some(found) => Err(format!("{target}: the schema alone refuses {found:?}\n  {shown}")),
        };
    }
    if said.places.is_empty()
        && let Some(found) = said.rules.first()
    {
        return Err(format!("{target}: the judge alone refuses {found:?}\n  {shown}"));
    }
    Ok(())
}

fn described() -> &'static [Described] {
    static ALL: OnceLock<Vec<Described>> = OnceLock::new();
    ALL.get_or_init(|| {
        let of = |target: &'static Target| {
            let revision = target.name.split_once('@').map(|(_, revision)| revision);
            let plain = target.is_dialect() || revision.is_some();
            let schema = catalogue::of_dialect(target.dialect.name())
                .filter(|schema| revision.is_none() || schema.revision == revision)
                .last()
                .filter(|_| plain)?;
            let plan = Plan::compile(schema.text).unwrap_or_else(|error| panic!("{}: {error}", schema.id));
            let opinion = SecondOpinion::new(target.dialect, revision).unwrap_or_else(|error| panic!("{error}"));
            Some(Described { target, plan, opinion })
        };
        Target::all().iter().filter_map(of).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survey() {
        use std::collections::BTreeMap;
        let mut alone: BTreeMap<(String, String, String), (usize, String)> = BTreeMap::new();
        let mut both = 0;
        let mut neither = 0;
        for round in 0..4_000 {
            let bytes = generate::noise(round, 100 + round as usize % 300);
            let u = &mut Unstructured::new(&bytes);
            let described = u.choose(described()).unwrap();
            let text = document(u, described);
            let Some(said) = asked(described, text.as_bytes(), check) else { continue };
            let dialect = described.target.dialect.name().to_owned();
            match (said.rules.is_empty(), said.places.is_empty()) {
                (true, true) => neither += 1,
                (false, false) => both += 1,
                (true, false) => {
                    let (place, message) = &said.places[0];
                    let key = place.rsplit('/').find(|part| part.parse::<u32>().is_err()).unwrap_or("").to_owned();
                    let message = message.chars().take(60).collect::<String>();
                    let entry = alone.entry((dialect, "schema".to_owned(), format!("{key}: {message}"))).or_default();
                    entry.0 += 1;
                    if entry.1.is_empty() || entry.1.len() > text.len() { entry.1 = text }
                }
                (false, true) => {
                    let entry = alone.entry((dialect, "judge".to_owned(), said.rules[0].0.clone())).or_default();
                    entry.0 += 1;
                    if entry.1.is_empty() || entry.1.len() > text.len() { entry.1 = format!("{} {text}", said.rules[0].1) }
                }
            }
        }
        eprintln!("both {both} neither {neither}");
        for ((dialect, who, what), (count, text)) in alone {
            eprintln!("{who} {dialect} {count} {what} :: {}", text.chars().take(260).collect::<String>());
        }
        let _ = (resolve as fn(_, &str) -> _, Json::parse as fn(_, &Limits) -> _);
    }
}
