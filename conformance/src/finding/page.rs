//! The page of all findings, as Markdown, and one entry of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use wirecanon_core::rule::{self, Rule};

use super::entry::rule_of;
use super::hold::Outcome;
use super::neat::neat;
use super::{Also, By, Finding, Pin};
use crate::adapter::Adapter;
use crate::report::markdown::text;
use crate::testee::{Answer, shorten};
use crate::verdict::Verdict;

/// Citations of a rule that are shown.
const CITED: usize = 3;

/// Places of one rule that are shown.
const PLACES: usize = 3;

/// What stands above the tables.
const INTRO: &str = "\
# What published packages do wrong

Each entry is one defect of one published package at one version: a small message, what the package made of it, the rule that this
breaks or what is gone, who meets it, where it is in the published code, and what the documentation says. The page is written by
the command that reproduces it, and it is written only if everything on it is so:

```sh
wirecanon testee add NAME        # installs the package at the version of the page
wirecanon findings NAME/FINDING  # asks it, and judges what it answers
wirecanon findings               # all findings of all packages that are installed
```

- A package is judged in the dialects and for the servers that it claims (`wirecanon list testees --format json`), at the version that its
  adapter pins, by the request that it would send. The adapter calls the package's own functions and mends nothing.
- *Found by* says how it came about: a case of the corpus that the judge refused, a message of `wirecanon fuzz` that nobody wrote, or a
  look at an answer that the judge takes. The last kind shows exactly what stands in the output and what was said.
- *Allowed by the letter* marks what the package's documentation or types announce. It is listed because users meet it all the same.
- The verdicts: *unsafe*, the server would refuse the request; *safe*, it would take it, and something was lost; *refused*, a typed error and
  no request; *crashed*, an exception; *faithful*, the judge sees nothing wrong, and `differs` says what is.
- Long texts and pictures are shortened here; the command asks the whole message.
";

/// Writes the whole page. The outcomes stand in the order of their files.
pub fn page(outcomes: &[Outcome<'_>], adapters: &[Adapter]) -> String {
    let mut out = INTRO.to_owned();
    let findings: Vec<&Finding> = outcomes.iter().map(|outcome| outcome.finding).collect();
    overview(&mut out, &findings, adapters);
    classes(&mut out, &findings);
    for adapter in adapters {
        let of: Vec<_> = outcomes.iter().filter(|outcome| outcome.finding.adapter() == adapter.name).collect();
        if of.is_empty() {
            continue;
        }
        head(&mut out, adapter);
        for outcome in of {
            let _ = write!(out, "\n<a id=\"{}\"></a>\n\n", anchor(&outcome.finding.name));
            out.push_str(&entry(outcome, adapter, false));
        }
    }
    rules(&mut out, &findings);
    out
}

/// Packages, and how many findings each way of looking gave.
fn overview(out: &mut String, findings: &[&Finding], adapters: &[Adapter]) {
    out.push_str("\n## Packages\n\n| package | version | testee | findings | corpus | fuzzing | output | classes |\n");
    out.push_str("|---|---|---|--:|--:|--:|--:|---|\n");
    let mut sums = [0; 4];
    let mut rows = 0;
    for adapter in adapters {
        for package in &adapter.package {
            let of: Vec<_> = findings
                .iter()
                .filter(|finding| finding.adapter() == adapter.name && finding.package == package.name)
                .collect();
            if of.is_empty() {
                continue;
            }
            rows += 1;
            let count = |by| of.iter().filter(|finding| finding.by == by).count();
            let counts = [of.len(), count(By::Corpus), count(By::Fuzz), count(By::Protocol)];
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
            let classes: BTreeSet<&str> = of.iter().map(|finding| finding.class.as_str()).collect();
            let _ = writeln!(
                out,
                "| {} | {} | [{}](#{}) | {} | {} |",
                package.name,
                package.version,
                adapter.name,
                anchor(&adapter.name),
                counts.map(|count| count.to_string()).join(" | "),
                classes.into_iter().collect::<Vec<_>>().join(", "),
            );
        }
    }
    let _ = writeln!(out, "| **{rows} packages** | | | {} | |", sums.map(|sum| format!("**{sum}**")).join(" | "));
    let allowed = findings.iter().filter(|finding| finding.allowed).count();
    let _ = writeln!(
        out,
        "\nThe corpus found {}, black-box fuzzing {} that no case had shown, and a look at outputs that the judge takes {}. {allowed} of them are \
         allowed by the letter of the documentation.",
        sums[1], sums[2], sums[3]
    );
}

fn classes(out: &mut String, findings: &[&Finding]) {
    let mut classes: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for finding in findings {
        let row = classes.entry(&finding.class).or_default();
        row.0 += 1;
        row.1.insert(finding.package.as_str());
    }
    out.push_str("\n| class of fault | findings | packages |\n|---|--:|---|\n");
    for (class, (count, packages)) in classes {
        let _ = writeln!(out, "| {class} | {count} | {} |", packages.into_iter().collect::<Vec<_>>().join(", "));
    }
}

/// Every rule that a finding goes against, once.
fn rules(out: &mut String, findings: &[&Finding]) {
    let mut rules = BTreeMap::new();
    for rule in findings.iter().flat_map(|finding| &finding.because).filter_map(rule_of) {
        rules.insert(rule.id, rule);
    }
    out.push_str("\n## Rules\n\n`wirecanon explain RULE` prints each with a broken and a mended example.\n\n");
    for (id, rule) in rules {
        let _ = writeln!(out, "- <a id=\"rule-{id}\"></a>{}", cited(rule));
    }
}

/// A rule with what it stands on.
fn cited(rule: &Rule) -> String {
    let cited: Vec<_> = rule.citations().take(CITED).map(linked).collect();
    let errors: Vec<_> = rule.errors().take(1).map(|error| format!("“{}”", text(error))).collect();
    let errors = if errors.is_empty() { String::new() } else { format!("; a server says: {}", errors.join(", ")) };
    format!("`{}`: {} ({}{errors})", rule.id, rule.statement, cited.join(", "))
}

fn head(out: &mut String, adapter: &Adapter) {
    let packages: Vec<_> =
        adapter.package.iter().map(|package| format!("{} {}", package.name, package.version)).collect();
    let _ = write!(out, "\n## {}\n\n{}\n\n", adapter.name, adapter.title);
    let _ = writeln!(out, "- Under test: {}; {}", packages.join(", "), adapter.url);
    let at = adapter.says_at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
    let _ = writeln!(out, "- What its documentation promises, in our words: {}{at}", adapter.says);
    let _ = writeln!(out, "- Install it: `wirecanon testee add {}`", adapter.name);
}

/// One finding, as its entry on the page; `alone`, with its rules, which the page has in a list of their own.
pub fn entry(outcome: &Outcome<'_>, adapter: &Adapter, alone: bool) -> String {
    let finding = outcome.finding;
    let version = adapter.package.iter().find(|package| package.name == finding.package);
    let version = version.map_or("", |package| package.version.as_str());
    let probe = &finding.probe;
    let mut out = format!("### {}\n\n", finding.title);
    let _ = writeln!(
        out,
        "`{}` · {} {version} · {} → {}{} · {}\n",
        finding.name,
        finding.package,
        probe.case.from.name(),
        probe.target.dialect.name(),
        if probe.target.is_dialect() { String::new() } else { format!(", for `{}`", probe.target.name) },
        finding.class
    );
    out.push_str(&said(outcome, alone));
    let mut rules = BTreeSet::new();
    for rule in finding.because.iter().filter_map(rule_of).filter(|rule| alone && rules.insert(rule.id)) {
        let _ = writeln!(out, "- **Rule** {}", cited(rule));
    }
    if !finding.source.is_empty() {
        let cited: Vec<_> = finding.source.iter().map(|source| linked(source)).collect();
        let _ = writeln!(out, "- **Sources**: {}", cited.join(", "));
    }
    let _ = writeln!(out, "- **Who suffers**: {}", finding.suffers);
    let _ = writeln!(out, "- **Code**: {}", finding.code);
    let letter = if finding.allowed { " *Allowed by the letter.*" } else { "" };
    let _ = writeln!(out, "- **Documentation**: {}{letter}", finding.documented);
    let found = match (finding.by, finding.found.as_str()) {
        (By::Protocol, "") => By::Protocol.says().to_owned(),
        (by, found) => format!("{}, `{found}`", by.says()),
    };
    let _ = writeln!(out, "- **Found by**: {found}");
    if !finding.also.is_empty() {
        let also: Vec<_> = finding.also.iter().map(|also| elsewhere(finding, also)).collect();
        let _ = writeln!(out, "- **Also**: {}", also.join("; "));
    }
    let _ = writeln!(out, "- **See it**: `wirecanon findings {}`", finding.name);
    let input = String::from_utf8_lossy(&probe.case.input);
    fenced(&mut out, "In", &neat(&input));
    match outcome.said.as_ref().map(|(answer, _)| *answer) {
        Some(Answer::Output { bytes, .. }) => {
            fenced(&mut out, "Out", &neat(&String::from_utf8_lossy(bytes)));
        }
        Some(Answer::Refused { code, message }) => {
            fenced(&mut out, "Out", &format!("refused with {code}: {}", shorten(message, 500)));
        }
        Some(Answer::Crashed(why) | Answer::Hung(why) | Answer::Garbage(why) | Answer::Unsupported(why)) => {
            fenced(&mut out, "Out", &shorten(why, 500));
        }
        Some(Answer::Environment(_)) | None => {}
    }
    out
}

/// The verdict, and what it stands on.
fn said(outcome: &Outcome<'_>, alone: bool) -> String {
    let finding = outcome.finding;
    let Some((_, said)) = &outcome.said else { return "- **Verdict**: not asked\n".to_owned() };
    let mut out = format!("- **Verdict**: {}\n", said.verdict.name());
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for broken in &said.violations {
        let pinned = finding.because.iter().any(|pin| match pin {
            Pin::Rule(rule, place) => {
                *rule == broken.rule && place.as_ref().is_none_or(|place| *place == broken.pointer)
            }
            _ => false,
        });
        let left = left.entry(&broken.rule).or_insert(PLACES);
        if pinned && *left > 0 {
            *left -= 1;
            let place = if broken.pointer.is_empty() { "the whole" } else { &broken.pointer };
            let rule = if alone || rule::by_id(&broken.rule).is_none() {
                format!("`{}`", broken.rule)
            } else {
                format!("[`{0}`](#rule-{0})", broken.rule)
            };
            let _ = writeln!(out, "  - {rule} at `{place}`: {}", text(&broken.message));
        }
    }
    if finding.because.iter().any(|pin| matches!(pin, Pin::Lost(_))) {
        for lost in said.lost.iter().take(PLACES) {
            let _ = writeln!(out, "  - gone: “{}”", text(&shorten(lost, 100)));
        }
    }
    if said.verdict == Verdict::Safe {
        for altered in said.failures.iter().take(PLACES) {
            let _ = writeln!(out, "  - {}", text(&shorten(altered, 200)));
        }
    }
    if finding.because.iter().any(|pin| matches!(pin, Pin::Differs(_)))
        && let Some(difference) = &said.difference
    {
        let (is, must) = (shorten(&difference.actual, 160), shorten(&difference.expected, 160));
        let _ = writeln!(out, "  - at `{}` stands `{is}`, and must stand `{must}`", difference.pointer);
    }
    for differs in &finding.differs {
        let value = |value: &Option<String>| {
            value.as_ref().map_or_else(|| "nothing".to_owned(), |value| format!("`{}`", shorten(value, 160)))
        };
        let place = if differs.at.is_empty() { "the whole" } else { &differs.at };
        let _ = writeln!(
            out,
            "  - at `{place}` stands {}, and must stand {}: {}",
            value(&differs.stands),
            value(&differs.must),
            differs.why
        );
    }
    for gone in &outcome.gone {
        let _ = writeln!(out, "- **No longer so**: {}", text(gone));
    }
    out
}

/// Another message, target or testee, as far as it is another.
fn elsewhere(finding: &Finding, also: &Also) -> String {
    let mut words = Vec::new();
    let (probe, first) = (&also.probe, &finding.probe);
    if probe.testee != first.testee {
        words.push(format!("testee `{}`", probe.testee));
    }
    if probe.of != first.of {
        words.push(format!("`{}`", probe.of));
    }
    if probe.case.from != first.case.from {
        words.push(format!("from {}", probe.case.from.name()));
    }
    if probe.target.name != first.target.name {
        words.push(format!("to `{}`", probe.target.name));
    }
    words.join(", ")
}

/// A report as a link; anything else as it is.
fn linked(source: &str) -> String {
    let report = source.split_once('#').filter(|(repository, number)| {
        repository.split('/').count() == 2
            && !repository.contains(' ')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    match report {
        Some((repository, number)) => format!("[{source}](https://github.com/{repository}/issues/{number})"),
        None => text(source),
    }
}

fn fenced(out: &mut String, title: &str, body: &str) {
    let runs = body.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(runs + 1));
    let _ = write!(out, "\n{title}:\n\n{fence}json\n{body}\n{fence}\n");
}

fn anchor(name: &str) -> String {
    name.replace('/', "-")
}
