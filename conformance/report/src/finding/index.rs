//! All pages of findings: one for each adapter, and an index of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::adapter::Adapter;
use wirecanon_runner::finding::Finding;
use wirecanon_runner::finding::hold::Outcome;

use super::page::{PASSED_ON, link, of_adapter, what_happens};

/// What stands above the tables.
const INTRO: &str = "\
# Behaviour of published packages

Each entry is about one package at one version: a small message, what the package made of it, the rule that this breaks or what is
gone, where it is in the published code, and what the documentation says. There are two lists. *Defects* are wrong answers to valid
input, and broken promises of repair. *Inputs passed on* break a rule already; the package sends them on as they are or fails, and has
promised nothing else. The pages are written by the command that reproduces them, and only if everything on them is so:

```sh
wirecanon testee add NAME        # installs the package at the version of the page
wirecanon findings NAME/FINDING  # asks it, and judges what it answers
wirecanon findings               # all findings of all packages that are installed
```

- A package is judged in the dialects and for the servers that it claims (`wirecanon list testees --format json`), at the version that its
  adapter pins, by the request that it would send. The adapter calls the package's own functions and mends nothing; each entry names them.
- No request was sent to a provider. Where an entry says that a server rejects a request, it rests on the documentation and the errors
  that are cited with the rule.
- *Allowed by the letter* marks what the package's documentation or types announce. It is listed because users meet it all the same.
- Long texts and pictures are shortened here; the command asks the whole message.

If you maintain one of these packages and an entry is wrong, unfair or out of date, open an issue here that names the entry. An entry
that is shown to be wrong is removed. If it was reported or fixed, its status says so. Your own words are added to the entry on request.
";

/// The lists of all findings: title, what it is about, and what belongs to it.
type List = (&'static str, &'static str, fn(&Finding) -> bool);

const LISTS: [List; 3] = [
    (
        "Defects that no server reports",
        "The server accepts the request. Its meaning is changed, information is lost, or it is not what the documentation demands.\n",
        |finding| !finding.is_passed_on() && !ends_turn(finding),
    ),
    (
        "Defects that end a turn",
        "The server rejects the request, or the package fails before it sends one.\n",
        |finding| !finding.is_passed_on() && ends_turn(finding),
    ),
    ("Inputs passed on", PASSED_ON, Finding::is_passed_on),
];

/// Returns whether a user notices at once.
fn ends_turn(finding: &Finding) -> bool {
    use Verdict::{Altered, Exact, Faithful, Identical, Lossy};
    !matches!(finding.effect(), Identical | Exact | Faithful | Lossy | Altered)
}

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
    for (title, about, is_in) in LISTS {
        let of: Vec<_> = findings.iter().filter(|finding| is_in(finding)).collect();
        if of.is_empty() {
            continue;
        }
        let _ = write!(out, "\n## {title}: {}\n\n{about}\n", of.len());
        out.push_str("| package | finding | class | what happens |\n|---|---|---|---|\n");
        for finding in of {
            let link = link(finding, &page_of(stem, finding.adapter()));
            let _ = writeln!(out, "| {} | {link} | {} | {} |", finding.package, finding.class, what_happens(finding));
        }
    }
    pages.insert(index, out);
    pages
}

fn page_of(stem: &str, adapter: &str) -> String {
    format!("{stem}/{adapter}.md")
}

/// Packages, and how many findings each list has of them.
fn packages(out: &mut String, findings: &[&Finding], adapters: &[Adapter], stem: &str) {
    out.push_str("\n## Packages\n\n| package | version | defects | of them silent | passed on | page |\n");
    out.push_str("|---|---|--:|--:|--:|---|\n");
    let mut sums = [0; 3];
    let mut rows = 0;
    for adapter in adapters {
        for package in &adapter.package {
            let is_its = |finding: &&&Finding| finding.adapter() == adapter.name && finding.package == package.name;
            let of: Vec<_> = findings.iter().filter(is_its).collect();
            if of.is_empty() {
                continue;
            }
            rows += 1;
            let [silent, loud, passed_on] =
                LISTS.map(|(_, _, is_in)| of.iter().filter(|finding| is_in(finding)).count());
            let counts = [silent + loud, silent, passed_on];
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
            let [defects, silent, passed_on] = counts;
            let _ = writeln!(
                out,
                "| {} | {} | {defects} | {silent} | {passed_on} | [{}]({}) |",
                package.name,
                package.version,
                adapter.name,
                page_of(stem, &adapter.name),
            );
        }
    }
    let [defects, silent, passed_on] = sums;
    let _ = writeln!(out, "| **{rows} packages** | | **{defects}** | **{silent}** | **{passed_on}** | |");
    let allowed = findings.iter().filter(|finding| finding.allowed).count();
    let _ = writeln!(
        out,
        "\nSilent are those that no server reports. {allowed} of all entries are allowed by the letter of the documentation."
    );
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
