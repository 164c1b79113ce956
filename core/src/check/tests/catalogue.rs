//! The rules that the judge names: cited, true of targets that exist, and each broken in some table.

use std::collections::BTreeSet;

use super::source::sources;
use crate::rule;
use crate::target::Target;

/// `owner/repo#123`
fn report(source: &str) -> bool {
    let Some((place, number)) = source.split_once('#') else { return false };
    let named = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    place.split_once('/').is_some_and(|(owner, repo)| named(owner) && named(repo))
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[test]
fn every_rule_is_cited() {
    for rule in rule::all() {
        assert!(rule.sources.iter().any(|source| report(source)), "{}: no public report", rule.id);
        let once: BTreeSet<_> = rule.sources.iter().collect();
        assert_eq!(once.len(), rule.sources.len(), "{}: a source stands twice", rule.id);
        for source in rule.sources.iter().filter(|source| source.contains('#')) {
            assert!(report(source), "{}: `{source}` is not owner/repo#number", rule.id);
        }
    }
}

#[test]
fn ids_say_one_thing_each() {
    let mut ids = BTreeSet::new();
    for rule in rule::all() {
        assert!(ids.insert(rule.id), "{} stands twice", rule.id);
        assert!(rule.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", rule.id);
        assert!(rule.statement.ends_with('.') && rule.statement.len() > 10, "{}", rule.id);
        assert_eq!(rule::by_id(rule.id), Some(rule));
    }
}

#[test]
fn rules_hold_for_targets_that_exist() {
    for rule in rule::all() {
        for name in rule.holds {
            assert!(Target::by_name(name).is_ok(), "{}: no target `{name}`", rule.id);
        }
    }
}

#[test]
fn every_rule_that_the_judge_names_is_broken_in_a_table() {
    let mut tables = String::new();
    let mut named = BTreeSet::new();
    for (path, text) in sources() {
        if path.components().any(|part| part.as_os_str() == "tests") {
            if !path.ends_with("catalogue.rs") {
                tables.push_str(&text);
            }
            continue;
        }
        for (at, _) in text.match_indices("rule::") {
            let name = text[at + 6..].chars().take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == '_');
            let id = name.collect::<String>().to_ascii_lowercase().replace('_', "-");
            if id.len() > 1 {
                named.insert(id);
            }
        }
    }
    assert!(named.len() > 50, "the sources of the judge were not found: {named:?}");
    for id in named {
        assert!(rule::by_id(&id).is_some(), "{id} is not in the catalogue");
        assert!(tables.contains(&format!("\"{id}\"")), "{id} is in no table");
    }
}
