//! The pages of rules are made from the catalogue.
//!
//! `BLESS=1 cargo test -p wirecanon --test it rules_page::` writes them anew.

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

use wirecanon::{corpus, rulebook, session};
use wirecanon_core::rule;

#[test]
fn the_pages_hold_what_the_catalogue_says() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let pages = rulebook::pages(&corpus::load().expect("the corpus"));
    let named: BTreeSet<String> = pages.iter().map(|(path, _)| path.clone()).collect();
    for (path, text) in &pages {
        if env::var_os("BLESS").is_some() {
            fs::create_dir_all(docs.join(path).parent().expect("a folder")).expect("a folder");
            fs::write(docs.join(path), text).expect("a file");
        }
        let written = fs::read_to_string(docs.join(path)).unwrap_or_default();
        let differs = written.lines().zip(text.lines()).position(|(written, now)| written != now);
        assert!(&written == text, "docs/{path} differs in line {differs:?}; BLESS=1 writes it anew");
    }
    for entry in fs::read_dir(docs.join("rules")).expect("the pages") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        assert!(named.contains(&format!("rules/{name}")), "docs/rules/{name} is of no class");
    }
}

#[test]
fn every_rule_has_its_place() {
    let pages = rulebook::pages(&corpus::load().expect("the corpus"));
    for rule in rule::all() {
        let heading = format!("\n## {}\n\n{}\n", rule.id, rule.statement);
        assert_eq!(pages.iter().filter(|(_, text)| text.contains(&heading)).count(), 1, "{}", rule.id);
        let row = format!("(rules/{}.md#{})", rule.class.slug(), rule.id);
        assert!(pages[0].1.contains(&row), "{} is not in the index", rule.id);
    }
    for rule in session::RULES {
        let heading = format!("\n## {}\n\n{}\n", rule.id, rule.statement);
        assert_eq!(pages.iter().filter(|(_, text)| text.contains(&heading)).count(), 1, "{}", rule.id);
        assert!(pages[0].1.contains(&format!("(rules/session.md#{})", rule.id)), "{} is not in the index", rule.id);
    }
}
