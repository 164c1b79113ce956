//! The page of one package's findings, as Markdown, and one entry of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use wirecanon_cases::citation::{address, is_report};
use wirecanon_core::rule::{self, Rule};
use wirecanon_judge::plain::shorten;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::adapter::Adapter;
use wirecanon_runner::finding::hold::Outcome;
use wirecanon_runner::finding::rule_of;
use wirecanon_runner::finding::{Also, By, Finding, Pin};
use wirecanon_runner::testee::Answer;

use super::neat::neat;
use crate::markdown::text;

/// Citations of a rule that are shown.
const CITED: usize = 3;

/// Places of one rule that are shown.
const PLACES: usize = 3;

/// What the page of this adapter begins with.
pub fn heading(adapter: &str) -> String {
    format!("# Behaviour of {adapter}")
}

/// Writes the page of one adapter: what is under test, what was found in two lists, and the rules that are broken.
pub(super) fn of_adapter(adapter: &Adapter, outcomes: &[&Outcome<'_>], index: &str) -> String {
    let versions = match &adapter.package[..] {
        [package] => format!("{} {}", package.name, package.version),
        packages => format!("{} packages", packages.len()),
    };
    let mut out = format!("{}: {versions}\n\n[All packages]({index})\n\n", heading(&adapter.name));
    head(&mut out, adapter);
    let (passed_on, defects): (Vec<&Outcome<'_>>, Vec<_>) =
        outcomes.iter().copied().partition(|outcome| outcome.finding.is_passed_on());
    list(&mut out, "Defects", "", &defects);
    list(&mut out, "Inputs passed on", PASSED_ON, &passed_on);
    out.push_str("\n## Entries\n");
    for outcome in defects.into_iter().chain(passed_on) {
        let _ = write!(out, "\n<a id=\"{}\"></a>\n\n", outcome.finding.id());
        out.push_str(&entry(outcome, adapter, false));
    }
    rules(&mut out, outcomes);
    out
}

/// What the list of inputs that are passed on is about.
pub(super) const PASSED_ON: &str = "\
These inputs break a rule of their own dialect or the package's types. The package sends them on as they are or fails, and its
documentation promises no repair. They are not defects and do not count as such.
";

fn list(out: &mut String, title: &str, about: &str, outcomes: &[&Outcome<'_>]) {
    let Some(first) = outcomes.first() else { return };
    let _ = write!(out, "\n## {title}: {}\n\n", outcomes.len());
    if !about.is_empty() {
        let _ = writeln!(out, "{about}");
    }
    let several = outcomes.iter().any(|outcome| outcome.finding.package != first.finding.package);
    out.push_str(if several {
        "| finding | package | what happens |\n|---|---|---|\n"
    } else {
        "| finding | what happens |\n|---|---|\n"
    });
    for Outcome { finding, .. } in outcomes {
        let package = if several { format!(" {} |", finding.package) } else { String::new() };
        let _ = writeln!(out, "| {} |{package} {} |", link(finding, ""), what_happens(finding));
    }
}

/// What happens, in words that need no page of this project.
pub(super) fn what_happens(finding: &Finding) -> &'static str {
    match finding.effect() {
        Verdict::Identical | Verdict::Exact | Verdict::Faithful => "a value changed",
        Verdict::Refused => "typed error",
        Verdict::Unsupported => "not supported",
        Verdict::Lossy if is_of_rules(finding) => "against the documentation; may be accepted",
        Verdict::Lossy => "information lost",
        Verdict::Rejected if error_of_server(finding).is_some() => "a kind of request that the server rejects",
        Verdict::Rejected => "against the documentation of the server",
        Verdict::Altered => "meaning changed",
        Verdict::Crashed => "exception",
        Verdict::Hung => "no answer",
        Verdict::Garbage => "request is not JSON",
    }
}

/// A finding's title, as a link to its entry on this page.
pub(super) fn link(finding: &Finding, page: &str) -> String {
    let title = finding.title.replace('|', "\\|").replace('[', "\\[").replace(']', "\\]");
    format!("[{title}]({page}#{})", finding.id())
}

/// Every rule that a finding goes against, once.
fn rules(out: &mut String, outcomes: &[&Outcome<'_>]) {
    let mut rules = BTreeMap::new();
    for rule in outcomes.iter().flat_map(|outcome| &outcome.finding.because).filter_map(rule_of) {
        rules.insert(rule.id, rule);
    }
    if rules.is_empty() {
        return;
    }
    out.push_str("\n## Rules\n\n`wirecanon explain RULE` prints each with a broken and a mended example.\n\n");
    for (id, rule) in rules {
        let _ = writeln!(out, "- <a id=\"rule-{id}\"></a>{}", cited(rule));
    }
}

/// Returns whether broken rules are all that a finding is about.
fn is_of_rules(finding: &Finding) -> bool {
    !finding.because.is_empty() && finding.because.iter().all(|pin| matches!(pin, Pin::Rule(..)))
}

/// An error of the very server that a finding is about, as a rule cites it: `Anthropic error: …`.
fn error_of_server(finding: &Finding) -> Option<&'static str> {
    let title = &finding.probe.target.title;
    let is_of = |server: &str| server.split(' ').all(|word| title.contains(word));
    let is_own = |error: &&str| error.split_once(" error").is_some_and(|(server, _)| is_of(server));
    let rules = finding.because.iter().filter_map(rule_of).filter(|rule| finding.is_rejected_for(rule.id));
    rules.flat_map(Rule::errors).find(is_own)
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
    let _ = write!(out, "{}\n\n", adapter.title);
    let _ = writeln!(out, "- Under test: {}; {}", packages.join(", "), adapter.url);
    let at = adapter.says_at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
    let _ = writeln!(out, "- What its documentation promises, in our words: {}{at}", adapter.says);
    if let Some(skips) = &adapter.skips {
        let _ = writeln!(out, "- Not part of the test: {skips}");
    }
    let _ = writeln!(out, "- Install it: `wirecanon testee add {}`", adapter.name);
}

/// One finding, as its entry on the page; `alone`, with its rules, which the page has in a list of their own.
pub fn entry(outcome: &Outcome<'_>, adapter: &Adapter, alone: bool) -> String {
    let finding = outcome.finding;
    let version = adapter.package.iter().find(|package| package.name == finding.package);
    let version = version.map_or("", |package| package.version.as_str());
    let probe = &finding.probe;
    let level = if alone { "##" } else { "###" };
    let mut out = format!("{level} {}\n\n", finding.title);
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
    match finding.effect() {
        Verdict::Rejected => {
            let refused = |error| format!("; other requests of this kind were refused, as “{}”", text(error));
            let known = error_of_server(finding).map_or(String::new(), refused);
            let _ = writeln!(out, "- **Server**: not tried{known}");
        }
        Verdict::Lossy if is_of_rules(finding) => {
            out.push_str("- **Server**: not tried; whether it accepts the request may depend on the model\n");
        }
        _ => {}
    }
    if let Some(models) = &finding.models {
        let _ = writeln!(out, "- **Models**: {models}; others take such a request");
    }
    sources(&mut out, finding, adapter);
    let conversion = adapter
        .conversion
        .iter()
        .find(|conversion| conversion.from == probe.case.from.name() && conversion.to == probe.target.dialect.name());
    if let Some(conversion) = conversion {
        let _ = writeln!(out, "- **Entry point**: `{}`", conversion.through);
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
    let _ = writeln!(out, "- **Status**: {}", status(finding));
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

/// Returns whether the finding was reported to the project, and the version that fixed it.
fn status(finding: &Finding) -> String {
    let reports: Vec<_> = finding.reported.iter().map(|report| linked(report)).collect();
    let reported = if reports.is_empty() {
        "not reported by wirecanon".to_owned()
    } else {
        format!("reported as {}", reports.join(", "))
    };
    match &finding.fixed {
        Some(version) => format!("{reported}, fixed in {version}"),
        None => reported,
    }
}

/// Writes the sources in three lists: reports of the project itself, reports of other projects, and specifications.
fn sources(out: &mut String, finding: &Finding, adapter: &Adapter) {
    let own = adapter.url.trim_start_matches("https://github.com/").split('/').next().unwrap_or_default();
    let is_own = |report: &str| report.split('/').next().is_some_and(|owner| owner.eq_ignore_ascii_case(own));
    let (reports, others): (Vec<&String>, Vec<&String>) = finding.source.iter().partition(|source| is_report(source));
    let (own, elsewhere): (Vec<&String>, Vec<&String>) = reports.into_iter().partition(|source| is_own(source));
    for (title, list) in
        [("Reports of this project", own), ("The same fault in other projects", elsewhere), ("Specification", others)]
    {
        if !list.is_empty() {
            let cited: Vec<_> = list.into_iter().map(|source| linked(source)).collect();
            let _ = writeln!(out, "- **{title}**: {}", cited.join(", "));
        }
    }
}

/// The verdict, and what it stands on.
fn said(outcome: &Outcome<'_>, alone: bool) -> String {
    let finding = outcome.finding;
    let Some((_, said)) = &outcome.said else { return "- **What happens**: not asked\n".to_owned() };
    let mut out = format!("- **What happens**: {} (verdict `{}`)\n", what_happens(finding), said.verdict.name());
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
    if finding.because.iter().any(|pin| matches!(pin, Pin::Means(..))) {
        for reason in said.reasons.iter().take(PLACES) {
            let _ = writeln!(out, "  - {}", text(&shorten(&reason.to_string(), 200)));
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
    match address(source).filter(|_| is_report(source)) {
        Some(address) => format!("[{source}]({address})"),
        None => text(source),
    }
}

fn fenced(out: &mut String, title: &str, body: &str) {
    let runs = body.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(runs + 1));
    let _ = write!(out, "\n{title}:\n\n{fence}json\n{body}\n{fence}\n");
}
