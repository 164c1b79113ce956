//! Names: where a case lies, that its id is its own, and that what it names exists.

use std::collections::BTreeMap;

use wirecanon_core::json::pointer_step;
use wirecanon_core::{Target, rule};
use wirecanon_judge::case::{Case, TAGS};
use wirecanon_judge::meaning::outcome::Outcome;

use super::places::expected_repairs;
use super::{Entry, Found};
use crate::near::near;

/// The file is called as the case, and its folder as the class.
pub(super) fn place(entry: &Entry<'_>, found: &mut Found<'_>) {
    let root = entry.json.root();
    let text = |key: &str| root.get(key).and_then(wirecanon_core::json::Value::as_str);
    let parts: Vec<&str> = entry.file.split('/').collect();
    let [folder, file] = parts[..] else {
        let cure = "a case lies at `<class>/<id>.json`, no deeper and no higher";
        return found.under(entry, "", "this is no place for a case", cure);
    };
    let Some(stem) = file.strip_suffix(".json") else {
        return found.under(entry, "", "the file does not end in .json", "rename it, or take it away");
    };
    if let Some(id) = text("id").filter(|id| id != stem) {
        found.under(
            entry,
            "/id",
            format!("the id `{id}` differs from the file's name"),
            format!("rename the file to {id}.json"),
        );
    }
    if let Some(class) = text("class").filter(|class| class != folder) {
        found.under(
            entry,
            "/class",
            format!("the class `{class}` differs from the folder"),
            format!("move the file to {class}/"),
        );
    }
}

/// Ids are unique over all classes.
pub(super) fn twice(entries: &[Entry<'_>], found: &mut Found<'_>) {
    let mut first = BTreeMap::new();
    for entry in entries {
        let Some(id) = entry.json.root().get("id").and_then(wirecanon_core::json::Value::as_str) else { continue };
        if let Some(other) = first.get(&id) {
            found.under(entry, "/id", format!("{other} has this id too"), "give one of them another id, and its file");
        } else {
            first.insert(id, entry.file);
        }
    }
    for entry in entries {
        let by = entry.case.and_then(|case| case.retired.as_ref()).and_then(|retired| retired.by.as_deref());
        if let Some(by) = by.filter(|by| !first.contains_key(*by)) {
            let cure = "name the case that stands for it now, or take `by` away";
            found.under(entry, "/retired/by", format!("no case is called `{by}`"), cure);
        }
    }
}

/// Targets, rules and tags.
pub(super) fn known(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    for name in case.expect.targets.keys() {
        if Target::by_name(name).is_err() {
            let names = Target::all().iter().map(|target| target.name.as_str());
            let pointer = format!("/expect/targets/{}", pointer_step(name));
            found.under(entry, &pointer, format!("no target is called `{name}`"), cure(name, names, "targets"));
        }
    }
    for (name, list) in &case.expect.check {
        let pointer = format!("/expect/check/{}", pointer_step(name));
        match Target::by_name(name) {
            Err(_) => {
                let names = Target::all().iter().map(|target| target.name.as_str());
                found.under(entry, &pointer, format!("no target is called `{name}`"), cure(name, names, "targets"));
            }
            Ok(target) if target.dialect != case.from => {
                let words = format!("`check` judges the input, and `{name}` does not speak {}", case.from.name());
                found.under(entry, &pointer, words, "name a target of the dialect of `from`");
            }
            Ok(_) => {}
        }
        for (at, _) in list.iter().enumerate().filter(|(_, violation)| violation.input.is_none()) {
            let words = "what the judge says of the input has a place";
            found.under(entry, &format!("{pointer}/{at}/in"), words, "give a JSON Pointer, empty for the whole input");
        }
    }
    for (pointer, repair) in expected_repairs(case) {
        if rule::by_id(&repair.rule).is_none() {
            let words = format!("no rule is called `{}`", repair.rule);
            found.under(
                entry,
                &format!("{pointer}/rule"),
                words,
                cure(&repair.rule, rule::all().map(|rule| rule.id), "rules"),
            );
        }
    }
    for (at, id) in case.expect.outcomes.iter().flatten().enumerate() {
        if Outcome::by_id(id).is_none() {
            let words = format!("no acceptable outcome is called `{id}`");
            let ids = Outcome::ALL.into_iter().map(Outcome::id);
            let cure = nearest(id, ids).unwrap_or_else(|| "part 11 of SPEC.md lists them".to_owned());
            found.under(entry, &format!("/expect/outcomes/{at}"), words, cure);
        }
    }
    for (at, tag) in case.tags.iter().enumerate() {
        if !TAGS.iter().any(|(known, _)| known == tag) {
            let words = format!("no tag is called `{tag}`");
            found.under(entry, &format!("/tags/{at}"), words, cure(tag, TAGS.iter().map(|(known, _)| *known), "tags"));
        }
    }
}

fn cure<'w>(name: &str, known: impl Iterator<Item = &'w str>, list: &str) -> String {
    nearest(name, known).unwrap_or_else(|| format!("`wirecanon list {list}` has them all"))
}

/// Proposes the known names that are near to a name.
fn nearest<'w>(name: &str, known: impl Iterator<Item = &'w str>) -> Option<String> {
    let near = near(name, known);
    (!near.is_empty()).then(|| format!("write `{}`", near.join("` or `")))
}
