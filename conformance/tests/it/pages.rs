//! Pages of the documentation: their links lead somewhere, and what the first one shows is what the program does.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::support::page::{blocks, console, shows};
use crate::support::program::have;

const README: &str = include_str!("../../../README.md");
const START: &str = include_str!("../../../docs/start.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the root")
}

/// Every page, by its path.
fn pages() -> BTreeMap<PathBuf, String> {
    let root = root();
    let mut folders =
        vec![root.join("docs"), root.join("ci"), root.join("conformance/corpus"), root.join("conformance/findings")];
    let mut files: Vec<PathBuf> =
        fs::read_dir(&root).expect("files").map(|entry| entry.expect("an entry").path()).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("text"))).collect()
}

/// The text without its fenced blocks and its code, where brackets are no links.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut fence = "";
    for line in text.lines() {
        let run = &line[..line.len() - line.trim_start_matches('`').len()];
        if fence.is_empty() && run.len() >= 3 {
            fence = run;
        } else if !fence.is_empty() {
            if run.len() >= fence.len() {
                fence = "";
            }
        } else {
            let mut in_code = false;
            out.extend(line.chars().filter(|c| {
                in_code ^= *c == '`';
                !in_code
            }));
            out.push('\n');
        }
    }
    out
}

/// The anchors of a page, as GitHub and mdBook make them of its headings, and those that it sets itself.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let headings = text.lines().filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#')
    });
    let slug = |heading: &str| {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>()
    };
    let own = text.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    headings.map(slug).chain(own).collect()
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let (mut tried, mut anchored) = (0, 0);
    for (page, text) in &pages {
        for link in prose(text).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if path.is_empty() { page.clone() } else { page.parent().expect("a folder").join(path) };
            let file = file.canonicalize();
            let file = file.unwrap_or_else(|_| panic!("{} links to {link}, which is not there", page.display()));
            tried += 1;
            if let Some(text) = pages.get(&file).filter(|_| !anchor.is_empty()) {
                assert!(
                    anchors(text).contains(anchor),
                    "{} links to {link}, which has no such heading",
                    page.display()
                );
                anchored += 1;
            }
        }
    }
    assert!(tried > 100 && anchored > 20, "only {tried} links, {anchored} of them with an anchor");
}

#[test]
fn every_page_is_reached_from_the_readme() {
    let pages = pages();
    let mut reached = BTreeSet::from([root().join("README.md")]);
    let mut open: Vec<PathBuf> = reached.iter().cloned().collect();
    while let Some(page) = open.pop() {
        for link in prose(&pages[&page]).split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let file = page.parent().expect("a folder").join(link);
            if let Some(file) = file.canonicalize().ok().filter(|file| pages.contains_key(file))
                && reached.insert(file.clone())
            {
                open.push(file);
            }
        }
    }
    for page in pages.keys() {
        assert!(reached.contains(page), "no page leads to {}", page.display());
    }
}

#[test]
fn every_block_of_the_first_page_is_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = blocks(README).into_iter().find(|block| block.info == ["json", "session.json"]).expect("a session");
    fs::write(folder.path().join("session.json"), session.body).expect("a file");
    let mut tried = 0;
    for block in blocks(START) {
        match block.info.as_slice() {
            ["console", "python", ..] if !have("python3", "python") => {}
            ["console", ..] => console(&block, folder.path()),
            other => panic!("a block of the unknown kind {other:?}"),
        }
        tried += 1;
    }
    assert!(tried >= 3, "only {tried} blocks were found");
    assert!(!shows(&["a"], &["b"]));
}
