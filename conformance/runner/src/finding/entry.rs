//! Reading the files of findings, and holding each entry against the adapters, the corpus and the rules.

use std::collections::BTreeSet;

use wirecanon_cases::carry;
use wirecanon_cases::citation::is_report;
use wirecanon_cases::lint::is_citation;
use wirecanon_cases::near;
use wirecanon_core::json::{Json, Limits, quote};
use wirecanon_core::{Dialect, Target, rule};
use wirecanon_judge::case::{self, Case};
use wirecanon_judge::utf8;
use wirecanon_judge::verdict::Verdict;

use super::wire::{self, Entry};
use super::{Also, By, Differs, Finding, Pin, Probe};
use crate::adapter::{self, Adapter};
use wirecanon_judge::problem::Problem;

/// Verdicts that nothing is wrong with by themselves.
const GOOD: [Verdict; 3] = [Verdict::Identical, Verdict::Exact, Verdict::Faithful];

/// Reads these files, `<adapter>.toml` each; others are left alone. The findings stand in the order of the files.
///
/// # Errors
///
/// All that is wrong with them.
pub fn load(files: &[(&str, &[u8])], corpus: &[Case]) -> Result<Vec<Finding>, Vec<Problem>> {
    let (mut findings, mut faults) = (Vec::new(), Vec::new());
    for (file, text) in files.iter().filter(|(file, _)| file.rsplit_once('.').is_some_and(|(_, kind)| kind == "toml")) {
        match of_file(file, text, corpus, &mut faults) {
            Ok(list) => findings.extend(list),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(findings) } else { Err(faults) }
}

fn of_file(file: &str, text: &[u8], corpus: &[Case], faults: &mut Vec<Problem>) -> Result<Vec<Finding>, Problem> {
    let fault = |line: usize, message: String| Problem::of_line(file, line, message);
    let name = file.trim_end_matches(".toml");
    let adapter = match adapter::by_name(name) {
        Ok(Some(adapter)) if adapter.name == name => adapter,
        Ok(_) => return Err(fault(0, format!("no adapter is called `{name}`; see `wirecanon list testees`"))),
        Err(error) => return Err(fault(0, error.to_string())),
    };
    let text = utf8::text(text).map_err(|found| fault(found.line, found.to_string()))?;
    let line_of = |at: usize| 1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    let wire: wire::File = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| line_of(span.start));
        fault(line, error.message().replace('\n', "; "))
    })?;
    let mut ids = BTreeSet::new();
    let mut findings = Vec::new();
    for entry in wire.finding {
        let line = line_of(entry.span().start);
        let entry = entry.into_inner();
        let id = entry.id.clone();
        let twice = (!ids.insert(id.clone())).then(|| "this id stands twice".to_owned());
        match twice.map_or_else(|| Reader { adapter: &adapter, corpus }.read(file, line, entry), Err) {
            Ok(finding) => findings.push(finding),
            Err(why) => faults.push(fault(line, format!("{id}: {why}"))),
        }
    }
    Ok(findings)
}

struct Reader<'r> {
    adapter: &'r Adapter,
    corpus: &'r [Case],
}

impl Reader<'_> {
    fn read(&self, file: &str, line: usize, entry: Entry) -> Result<Finding, String> {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if entry.id.is_empty() || !entry.id.chars().all(kebab) {
            return Err("an id has lower-case letters, digits and `-`".to_owned());
        }
        let texts = [
            ("title", &entry.title),
            ("code", &entry.code),
            ("documented", &entry.documented),
            ("suffers", &entry.suffers),
        ];
        if let Some((key, _)) = texts.iter().find(|(_, text)| text.trim().len() < 3) {
            return Err(format!("`{key}` is empty: say it in words, if only `not mentioned`"));
        }
        let name = format!("{}/{}", self.adapter.name, entry.id);
        let testee = entry.testee.clone().unwrap_or_else(|| self.adapter.name.clone());
        if testee != self.adapter.name && self.adapter.variant(&testee).is_none() {
            return Err(format!("`{testee}` is neither the adapter of this file nor a variant of it"));
        }
        let package = match &entry.package {
            None => self.adapter.package.first().map(|package| package.name.clone()).unwrap_or_default(),
            Some(name) if self.adapter.package.iter().any(|package| package.name == *name) => name.clone(),
            Some(name) => return Err(format!("`{name}` is no package of testee.toml")),
        };
        let found = found(&entry)?;
        let verdict = verdict(&entry.verdict)?;
        // What a testee says of itself is in words of its own.
        let is_of_judge = [Verdict::Lossy, Verdict::Rejected, Verdict::Altered].contains(&verdict);
        let free = !GOOD.contains(&verdict) && !is_of_judge;
        let because = pins(&entry.because, free)?;
        let also_free = !GOOD.contains(&verdict) && verdict != Verdict::Rejected;
        let differs = entry.differs.iter().map(difference).collect::<Result<Vec<_>, _>>()?;
        match (entry.by, because.is_empty(), differs.is_empty()) {
            (By::Corpus | By::Fuzz, true, _) => {
                return Err("`because` is empty: what the judge does not see is by = \"protocol\"".to_owned());
            }
            (_, true, true) => return Err("neither `because` nor `differs` says what is wrong".to_owned()),
            _ => {}
        }
        if differs.is_empty()
            && GOOD.contains(&verdict)
            && !because.iter().all(|pin| matches!(pin, Pin::Differs(_) | Pin::Lost(_)))
        {
            return Err(format!("`{}` is nothing wrong; `differs` says what is", verdict.name()));
        }
        let class = self.class(&entry, &because)?;
        let source = sources_of(&entry, &because)?;
        let target = target(&entry.to)?;
        let own = match &entry.input {
            Some(input) => Some(own_case(&entry, &name, &class, &source, input)?),
            None if entry.keep.is_empty() => None,
            None => return Err("`keep` is for an `input` of its own; a case says itself what must survive".to_owned()),
        };
        let from = entry.from.as_deref().map(dialect).transpose()?;
        let (of, case) = match (own, &entry.case) {
            (Some(own), _) => (name.clone(), own),
            (None, Some(id)) => (id.clone(), self.case(id, from.or_else(|| self.reads(id, target)))?),
            (None, None) => return Err("it has neither a `case` nor an `input`".to_owned()),
        };
        let probe = Probe { testee, of, case, target };
        self.claims(&probe)?;
        let mut also = Vec::new();
        if let (Some(_), Some(id)) = (&entry.input, &entry.case) {
            let probe = Probe { of: id.clone(), case: self.case(id, Some(probe.case.from))?, ..probe.clone() };
            also.push(Also { probe, because: because.iter().map(Pin::anywhere).collect(), differs: false });
        }
        for more in &entry.also {
            also.push(self.also(more, &probe, &because, &differs, also_free).map_err(|why| format!("`also`: {why}"))?);
        }
        if entry.passed_on == Some(true) && probe.case.facts().is_valid {
            return Err(
                "`passed_on` is for an input that breaks a rule of its dialect; this one breaks none".to_owned()
            );
        }
        if let Some(report) = entry.reported.iter().find(|report| !is_report(report)) {
            return Err(format!("`reported`: `{report}` is no report, as in `owner/repository#12`"));
        }
        Ok(Finding {
            name,
            file: file.to_owned(),
            line,
            title: entry.title,
            class,
            package,
            by: entry.by,
            found,
            probe,
            verdict,
            because,
            differs,
            source,
            code: entry.code,
            documented: entry.documented,
            allowed: entry.allowed,
            passed_on: entry.passed_on,
            models: entry.models,
            reported: entry.reported,
            fixed: entry.fixed,
            suffers: entry.suffers,
            also,
        })
    }

    /// The dialect that a case must be said in for this adapter, where that is not its own.
    fn reads(&self, id: &str, target: &Target) -> Option<Dialect> {
        let case = self.corpus.iter().find(|case| case.id == id)?;
        let ways = self.adapter.conversion.iter().filter(|conversion| conversion.to == target.dialect.name());
        let reads: Vec<_> = ways.filter_map(|conversion| Dialect::by_name(&conversion.from)).collect();
        if reads.contains(&case.from) {
            return None;
        }
        reads.into_iter().find(|dialect| carry::into_dialect(case, *dialect).is_some())
    }

    /// The case of this id, in the dialect that is asked for.
    fn case(&self, id: &str, from: Option<Dialect>) -> Result<Case, String> {
        let Some(case) = self.corpus.iter().find(|case| case.id == id) else {
            let ids = self.corpus.iter().map(|case| case.id.as_str());
            let hint = near::hint(id, ids).unwrap_or_else(|| "see `wirecanon list cases`".to_owned());
            return Err(format!("no case is called `{id}`; {hint}"));
        };
        if case.retired.is_some() {
            return Err(format!("the case `{id}` is retired"));
        }
        match from {
            Some(from) if from != case.from => carry::into_dialect(case, from).ok_or_else(|| {
                format!("the case `{id}` is {} and cannot be said in {}", case.from.name(), from.name())
            }),
            _ => Ok(case.clone()),
        }
    }

    fn also(
        &self,
        more: &wire::Also,
        first: &Probe,
        because: &[Pin],
        differs: &[Differs],
        free: bool,
    ) -> Result<Also, String> {
        let from = more.from.as_deref().map(dialect).transpose()?;
        let (of, case) = match &more.case {
            Some(id) => (id.clone(), self.case(id, from.or(Some(first.case.from)))?),
            None if from.is_some_and(|from| from != first.case.from) => {
                (first.of.clone(), carried(&first.case, from.unwrap_or(first.case.from))?)
            }
            None => (first.of.clone(), first.case.clone()),
        };
        let testee = more.testee.clone().unwrap_or_else(|| first.testee.clone());
        let probe = Probe { testee, of, case, target: more.to.as_deref().map_or(Ok(first.target), target)? };
        self.claims(&probe)?;
        let same = probe.of == first.of && probe.target.dialect == first.target.dialect;
        if !more.because.is_empty() {
            return Ok(Also { probe, because: pins(&more.because, free)?, differs: same && because.is_empty() });
        }
        if because.is_empty() && (!same || differs.is_empty()) {
            return Err("what only `differs` shows is shown by the same message in the same dialect alone".to_owned());
        }
        Ok(Also { probe, because: because.iter().map(Pin::anywhere).collect(), differs: same && because.is_empty() })
    }

    /// Whether its `testee.toml` claims what is asked.
    fn claims(&self, probe: &Probe) -> Result<(), String> {
        let other;
        let own = probe.testee == self.adapter.name || self.adapter.variant(&probe.testee).is_some();
        let adapter = if own {
            self.adapter
        } else {
            let found = adapter::by_name(&probe.testee).map_err(|error| error.to_string())?;
            other = found.ok_or_else(|| format!("no adapter is called `{}`", probe.testee))?;
            &other
        };
        let (from, to) = (probe.case.from.name(), probe.target.dialect.name());
        let claimed = adapter.conversion.iter().any(|conversion| {
            conversion.from == from
                && conversion.to == to
                && (probe.target.is_dialect()
                    || conversion.targets.as_ref().is_none_or(|targets| targets.contains(&probe.target.name)))
        });
        if claimed {
            return Ok(());
        }
        Err(format!(
            "{} does not claim {from} to {}: judge only what a package claims",
            probe.testee, probe.target.name
        ))
    }

    fn class(&self, entry: &Entry, because: &[Pin]) -> Result<String, String> {
        let slugs = || rule::Class::ALL.into_iter().map(rule::Class::slug);
        if let Some(class) = &entry.class {
            return if slugs().any(|slug| slug == class) {
                Ok(class.clone())
            } else {
                let hint = near::hint(class, slugs()).unwrap_or_else(|| slugs().collect::<Vec<_>>().join(", "));
                Err(format!("no class is called `{class}`; {hint}"))
            };
        }
        if let Some(rule) = because.iter().find_map(rule_of) {
            return Ok(rule.class.slug().to_owned());
        }
        match &entry.case {
            Some(id) => Ok(self.case(id, None)?.class),
            None => Err("`class` is missing: neither a rule nor a case says it".to_owned()),
        }
    }
}

/// The rule that a pin is about.
pub fn rule_of(pin: &Pin) -> Option<&'static rule::Rule> {
    match pin {
        Pin::Rule(id, _) => rule::by_id(id),
        _ => None,
    }
}

fn carried(case: &Case, to: Dialect) -> Result<Case, String> {
    carry::into_dialect(case, to).ok_or_else(|| format!("the message cannot be said in {}", to.name()))
}

/// What found it, in the words of the page.
fn found(entry: &Entry) -> Result<String, String> {
    match (entry.by, &entry.case, &entry.fuzz, &entry.input) {
        (By::Corpus, Some(case), None, _) => Ok(case.clone()),
        (By::Corpus, ..) => Err("by = \"corpus\" asks for the `case`, and for no `fuzz`".to_owned()),
        (By::Fuzz, None, Some(command), Some(_)) if command.starts_with("wirecanon fuzz ") => Ok(command.clone()),
        (By::Fuzz, ..) => {
            Err("by = \"fuzz\" asks for the command as `fuzz` and the small message as `input`".to_owned())
        }
        (By::Protocol, case, None, _) => Ok(case.clone().unwrap_or_default()),
        (By::Protocol, ..) => Err("`fuzz` is for by = \"fuzz\"".to_owned()),
    }
}

fn verdict(name: &str) -> Result<Verdict, String> {
    Verdict::by_name(name)
        .filter(|verdict| *verdict != Verdict::Unsupported)
        .ok_or_else(|| format!("`{name}` is no verdict that a finding can have"))
}

fn pins(because: &[String], free: bool) -> Result<Vec<Pin>, String> {
    because.iter().map(|text| Pin::parse(text, free)).collect()
}

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::by_name(name).ok_or_else(|| format!("no dialect is called `{name}`"))
}

fn target(name: &str) -> Result<&'static Target, String> {
    Target::by_name(name).map_err(|error| error.to_string())
}

fn difference(wire: &wire::Differs) -> Result<Differs, String> {
    let at = wire.at.clone();
    if !at.is_empty() && !at.starts_with('/') {
        return Err(format!("`{at}` is no JSON Pointer"));
    }
    for text in [&wire.stands, &wire.must].into_iter().flatten() {
        Json::parse(text, &Limits::default()).map_err(|error| format!("`{text}` at {at} is not JSON: {error}"))?;
    }
    if wire.stands == wire.must {
        return Err(format!("what stands at {at} is what must stand there"));
    }
    Ok(Differs { at, stands: wire.stands.clone(), must: wire.must.clone(), why: wire.why.clone() })
}

/// The entry's own sources. Those of its case are about the case, which may have been made for another fault.
fn sources_of(entry: &Entry, because: &[Pin]) -> Result<Vec<String>, String> {
    if let Some(source) = entry.source.iter().find(|source| !is_citation(source)) {
        return Err(format!("`{source}` is no citation: docs/cases.md has the forms"));
    }
    if entry.source.is_empty() && entry.case.is_none() && !because.iter().any(|pin| rule_of(pin).is_some()) {
        return Err("nothing is cited: give a `source`".to_owned());
    }
    Ok(entry.source.clone())
}

/// A message of the entry's own, as a case that nothing else is known of.
fn own_case(entry: &Entry, name: &str, class: &str, source: &[String], input: &str) -> Result<Case, String> {
    let from = entry.from.as_deref().ok_or("`from` is missing: an own `input` needs it")?;
    let list = |texts: &[String]| texts.iter().map(|text| quote(text)).collect::<Vec<_>>().join(",");
    let text = format!(
        r#"{{"id":{},"title":{},"class":{},"source":[{}],"from":{},"input":{input},"expect":{{"must_keep":[{}]}},"since":"0"}}"#,
        quote(&entry.id),
        quote(&entry.title),
        quote(class),
        list(source),
        quote(from),
        list(&entry.keep),
    );
    case::parse(name, text.as_bytes()).map_err(|error| format!("`input`: {}", error.message))
}
