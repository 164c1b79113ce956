//! The page for sessions, and what stands in it before a script runs: what there is to choose from.

use std::collections::BTreeMap;

use askama::Template;
use wirecanon_core::{Dialect, Target};

use super::Site;
use super::answer::Answer;

/// A session that shows what the page is for.
const SAMPLE: &str = include_str!("../assets/local/sample.json");

#[derive(Template)]
#[template(path = "local/mend.html")]
struct Mend {
    at: &'static str,
    limit: usize,
    dialects: Vec<&'static str>,
    targets: Vec<(&'static str, Vec<&'static str>)>,
    sample: String,
}

/// The page for sessions.
pub(super) fn mend(site: &Site) -> Answer {
    let mut of: BTreeMap<&str, Vec<&'static str>> = BTreeMap::new();
    for target in Target::all().iter().filter(|target| !target.is_dialect()) {
        of.entry(target.dialect.name()).or_default().push(&target.name);
    }
    let dialects: Vec<&'static str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    let targets = dialects.iter().map(|name| (*name, of.remove(name).unwrap_or_default())).collect();
    Answer::page(200, &Mend { at: "mend", limit: site.limit, dialects, targets, sample: SAMPLE.trim_end().to_owned() })
}

/// A line of a text on a page that no script makes.
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) left_out: bool,
    pub(super) marked: bool,
    pub(super) pins: Vec<(String, String)>,
}

/// The lines of a text, with what is said at them.
pub(super) fn lines(doc: super::beside::Doc) -> Vec<Shown> {
    let mut marks = doc.marks.into_iter().peekable();
    doc.text
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let mut pins = Vec::new();
            while let Some((_, words, rule)) = marks.next_if(|(place, ..)| *place <= at) {
                pins.push((rule, words));
            }
            let text = line.get(1..).unwrap_or_default().to_owned();
            Shown { text, left_out: line.starts_with('~'), marked: !pins.is_empty(), pins }
        })
        .collect()
}
