//! All pages of findings: one for each adapter, and an index of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::hold::Outcome;
use super::page::{link, of_adapter};
use super::{By, Finding};
use crate::adapter::Adapter;
use crate::verdict::Verdict;

/// What stands above the tables.
const INTRO: &str = "\
# What published packages do wrong

Each entry is one defect of one published package at one version: a small message, what the package made of it, the rule that this
breaks or what is gone, who meets it, where it is in the published code, and what the documentation says. The pages are written by
the command that reproduces them, and only if everything on them is so:

```sh
wirecanon testee add NAME        # installs the package at the version of the page
wirecanon findings NAME/FINDING  # asks it, and judges what it answers
wirecanon findings               # all findings of all packages that are installed
```

- A package is judged in the dialects and for the servers that it claims (`wirecanon list testees --format json`), at the version that its
  adapter pins, by the request that it would send. The adapter calls the package's own functions and mends nothing.
- *Allowed by the letter* marks what the package's documentation or types announce. It is listed because users meet it all the same.
- The verdicts: *rejected*, the server rejects the request; *altered*, the model is told something else; *lossy*, it is told less; *refused*, a typed
  error and no request; *crashed*, an exception; *garbage*, an answer that is no JSON; *faithful*, the judge sees nothing wrong, and the entry says
  what is.
- Long texts and pictures are shortened here; the command asks the whole message.
";

/// The ways of looking, each with what it gave.
const WAYS: [(By, &str, &str); 3] = [
    (By::Corpus, "Found by the corpus", "Cases of the corpus whose answer the judge refuses."),
    (By::Fuzz, "Found by fuzzing", "Messages of `wirecanon fuzz` that nobody wrote, and no case had shown."),
    (
        By::Protocol,
        "Found by looking",
        "Small messages that were tried by hand, and answers that the judge takes though they are not what was said.",
    ),
];

/// All pages: the path of each below the folder of the index, and its text. `stem` is the index's name without its ending, and the
/// name of the folder of the others. The outcomes stand in the order of their files.
pub fn pages(outcomes: &[Outcome<'_>], adapters: &[Adapter], stem: &str) -> BTreeMap<String, String> {
    let index = format!("{stem}.md");
    let mut pages = BTreeMap::new();
    for adapter in adapters {
        let of: Vec<_> = outcomes.iter().filter(|outcome| outcome.finding.adapter() == adapter.name).collect();
        if !of.is_empty() {
            pages.insert(page_of(stem, &adapter.name), of_adapter(adapter, &of, &format!("../{index}")));
        }
    }
    let findings: Vec<&Finding> = outcomes.iter().map(|outcome| outcome.finding).collect();
    let mut out = INTRO.to_owned();
    packages(&mut out, &findings, adapters, stem);
    classes(&mut out, &findings, stem);
    for (by, title, says) in WAYS {
        let of: Vec<_> = findings.iter().filter(|finding| finding.by == by).collect();
        if of.is_empty() {
            continue;
        }
        let _ = write!(out, "\n## {title}: {}\n\n{says}\n\n", of.len());
        out.push_str("| package | finding | class | verdict |\n|---|---|---|---|\n");
        for finding in of {
            let link = link(finding, &page_of(stem, finding.adapter()));
            let _ = writeln!(out, "| {} | {link} | {} | {} |", finding.package, finding.class, finding.verdict.name());
        }
    }
    pages.insert(index, out);
    pages
}

fn page_of(stem: &str, adapter: &str) -> String {
    format!("{stem}/{adapter}.md")
}

/// Packages, how many findings each way of looking gave, and the worst that is said of an answer.
fn packages(out: &mut String, findings: &[&Finding], adapters: &[Adapter], stem: &str) {
    out.push_str("\n## Packages\n\n| package | version | findings | worst | corpus | fuzzing | looking | page |\n");
    out.push_str("|---|---|--:|---|--:|--:|--:|---|\n");
    let mut sums = [0; 4];
    let mut rows = 0;
    for adapter in adapters {
        for package in &adapter.package {
            let is_its = |finding: &&&Finding| finding.adapter() == adapter.name && finding.package == package.name;
            let of: Vec<_> = findings.iter().filter(is_its).collect();
            let Some(worst) = of.iter().map(|finding| finding.verdict).max() else { continue };
            rows += 1;
            let count = |by| of.iter().filter(|finding| finding.by == by).count();
            let counts = [of.len(), count(By::Corpus), count(By::Fuzz), count(By::Protocol)];
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
            let [all, corpus, fuzz, looking] = counts;
            let _ = writeln!(
                out,
                "| {} | {} | {all} | {} | {corpus} | {fuzz} | {looking} | [{}]({}) |",
                package.name,
                package.version,
                said(worst, &of),
                adapter.name,
                page_of(stem, &adapter.name),
            );
        }
    }
    let [all, corpus, fuzz, looking] = sums;
    let _ = writeln!(out, "| **{rows} packages** | | **{all}** | | **{corpus}** | **{fuzz}** | **{looking}** | |");
    let allowed = findings.iter().filter(|finding| finding.allowed).count();
    let _ = writeln!(out, "\n{allowed} of them are allowed by the letter of the documentation.");
}

/// The worst verdict, and how often it is said.
fn said(worst: Verdict, of: &[&&Finding]) -> String {
    format!("{} ({})", worst.name(), of.iter().filter(|finding| finding.verdict == worst).count())
}

fn classes(out: &mut String, findings: &[&Finding], stem: &str) {
    let mut classes: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for finding in findings {
        let row = classes.entry(&finding.class).or_default();
        row.0 += 1;
        row.1.insert(finding.adapter());
    }
    out.push_str("\n| class of fault | findings | pages |\n|---|--:|---|\n");
    for (class, (count, adapters)) in classes {
        let pages: Vec<_> = adapters.into_iter().map(|name| format!("[{name}]({})", page_of(stem, name))).collect();
        let _ = writeln!(out, "| {class} | {count} | {} |", pages.join(", "));
    }
}
