//! The rules that the judge names: cited, true of targets that exist, and each broken in some table.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use wirecanon_model::rule;
use wirecanon_model::target::{Replay, SystemPlace, Target};

/// Every source file of the judge.
fn sources() -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a source file");
                found.push((path, text));
            }
        }
    }
    found
}

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

#[test]
fn a_rule_holds_for_every_target_with_its_limit() {
    type Limit = fn(&Target) -> bool;
    let limits: &[(&str, Limit)] = &[
        ("tool-name-length", |target| target.names.max_length.is_some()),
        ("tool-name-characters", |target| target.names.also.is_some()),
        ("tool-call-id-length", |target| target.ids.max_length.is_some() || target.ids.length.is_some()),
        ("tool-call-id-characters", |target| target.ids.also.is_some()),
        ("tool-call-id-refused", |target| target.ids.refused),
        ("blank-text", |target| !target.content.blank_text),
        ("content-not-a-string", |target| {
            let content = &target.content;
            !(content.result_parts && content.system_parts && content.assistant_parts)
        }),
        ("error-flag-as-text", |target| !target.content.error_flag),
        ("tools-not-accepted", |target| !target.content.tools),
        ("tools-not-defined", |target| target.content.definitions),
        ("media-in-tool-result", |target| !target.media.in_results),
        ("error-result-with-media", |target| target.media.in_results && !target.media.in_error_results),
        ("image-type-not-accepted", |target| !target.media.image_types.is_empty() || !target.media.in_user),
        ("image-too-large", |target| target.media.max_base64.is_some() || target.media.max_side.is_some()),
        ("leading-assistant", |target| target.order.opens_with_user),
        ("no-messages", |target| target.order.needs_message),
        ("trailing-white-space", |target| !target.order.trailing_white_space),
        ("user-after-tool-result", |target| !target.order.user_after_tool),
        ("words-behind-tool-call", |target| !target.order.words_behind_calls),
        ("roles-do-not-alternate", |target| target.order.alternates),
        ("misplaced-system", |target| target.order.system != SystemPlace::Anywhere),
        ("trailing-thinking", |target| !target.reasoning.trailing),
        ("item-not-stored", |target| !target.content.stored_items),
        ("thinking-without-signature", |target| target.reasoning.signed),
        ("thought-signature-missing", |target| target.reasoning.signed_calls),
        ("reasoning-missing", |target| target.reasoning.replay != Replay::Optional),
        ("unknown-field", |target| !target.fields.is_empty()),
    ];
    for (id, limited) in limits {
        let in_a_position = |target: &Target| variants(target).iter().any(limited);
        assert!(Target::all().iter().any(in_a_position), "{id}: no target has the limit");
        let limited: Vec<_> = Target::all().iter().filter(|target| limited(target)).collect();
        for target in limited {
            assert!(super::holds(id, &target.name), "{id} does not say that it holds for {}", target.name);
        }
    }
}

/// Returns a target with each of its switches in each position.
fn variants(target: &Target) -> Vec<Target> {
    let switches = target.all_switches();
    let positions = switches.iter().flat_map(|switch| switch.values.iter().map(|value| (&switch.name, &value.name)));
    positions.filter_map(|(name, value)| target.with(name, value).ok()).chain([target.clone()]).collect()
}
