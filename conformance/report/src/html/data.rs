//! What the page holds: rows of testee and case, each with its results in groups that came out alike.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use wirecanon_cases::citation::address;
use wirecanon_cases::reported::happened;
use wirecanon_core::{Dialect, Options, Target, fix, rule};
use wirecanon_judge::case::Case;
use wirecanon_judge::case::digest::digest;
use wirecanon_judge::meaning;
use wirecanon_judge::reason;
use wirecanon_judge::verdict::{Domain, Verdict};
use wirecanon_runner::change::{Bucket, Change};
use wirecanon_runner::log::CaseLine;
use wirecanon_runner::run::{RunResult, TesteeRun};
use wirecanon_runner::shown::Shown;
use wirecanon_runner::testee::quoted;

use super::conversations;
use super::docs::{Doc, Docs, Pin};
use crate::Told;
use crate::gate_json::kebab;

/// Differences in meaning that are shown of one answer.
const MOST_REASONS: usize = 8;

#[derive(Serialize)]
pub(super) struct Data<'l> {
    targets: Vec<&'l str>,
    dialects: Vec<&'static str>,
    verdicts: BTreeMap<&'static str, About>,
    classes: Vec<&'l str>,
    rules: BTreeMap<&'l str, &'static str>,
    buckets: Vec<(String, &'static str, &'static str)>,
    beside: BTreeMap<&'static str, (&'static str, &'static str)>,
    testees: Vec<Testee>,
    cases: Vec<CaseData>,
    pub(super) rows: Vec<Row<'l>>,
    docs: Vec<Doc>,
}

#[derive(Serialize)]
pub(super) struct About {
    pub(super) tone: &'static str,
    pub(super) meaning: &'static str,
}

#[derive(Serialize)]
struct Testee {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    quoted: String,
}

#[derive(Serialize)]
struct CaseData {
    id: String,
    class: usize,
    title: String,
    /// Citation, where it can be read, and what happened there
    sources: Vec<(String, Option<String>, Option<&'static str>)>,
    notes: Vec<String>,
    scored: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<usize>,
}

/// What one testee made of one case.
#[derive(Serialize)]
pub(super) struct Row<'l> {
    case: usize,
    testee: usize,
    groups: Vec<Group<'l>>,
    #[serde(skip)]
    order: Order,
}

/// New before old, worse before better, much before little.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    passes: bool,
    old: bool,
    better: std::cmp::Reverse<Verdict>,
    fewer: std::cmp::Reverse<usize>,
    case: usize,
    testee: usize,
}

/// Results of one case that came out alike.
#[derive(Default, Serialize)]
pub(super) struct Group<'l> {
    from: usize,
    to: Vec<usize>,
    verdict: &'static str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bucket: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broken: Vec<(String, String, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lost: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flaky: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<&'static str>,
    /// The text of the answer, beside what was expected or alone
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<usize>,
    /// For which target it is shown
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<usize>,
    /// What stands beside it
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<&'static str>,
    /// What the answers needed to pass: ids of equivalences and acceptable outcomes
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    allowed_by: BTreeSet<&'l str>,
    /// What was asked, where that is not the input of the file
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<usize>,
    /// The expected conversation beside the one that the answer tells, where they differ
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conversations: Vec<conversations::Line>,
}

/// How good a verdict is, as a colour; the page says it in words too.
pub(super) fn tone(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Identical | Verdict::Exact | Verdict::Faithful => "good",
        Verdict::Lossy | Verdict::Refused => "odd",
        Verdict::Unsupported => "",
        _ => "bad",
    }
}

pub(super) fn bucket_tone(bucket: Bucket) -> &'static str {
    match bucket {
        Bucket::NewlyFailing => "bad",
        Bucket::ChangedFailure | Bucket::VanishedCase => "odd",
        Bucket::NewlyPassing => "good",
        Bucket::NewCase => "",
    }
}

type Way<'l> = (&'l str, &'l str, Dialect, &'l str);

/// What is known while the page is made.
struct Making<'l> {
    docs: Docs,
    /// The cases of the corpus that are those of the run
    known: HashMap<&'l str, &'l Case>,
    targets: Names<'l>,
    rules: BTreeMap<&'l str, &'static str>,
    changed: HashMap<Way<'l>, &'l Change<'l>>,
}

/// Names by the order in which they were met.
#[derive(Default)]
struct Names<'l> {
    names: Vec<&'l str>,
    places: HashMap<&'l str, usize>,
}

impl<'l> Names<'l> {
    fn at(&mut self, name: &'l str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

/// Makes the data of the page.
pub(super) fn build<'l>(told: &'l Told<'l>) -> Data<'l> {
    let log = told.log;
    let changes = || told.since.iter().flat_map(|since| &since.comparison.changes);
    let corpus: HashMap<&str, &Case> = told.corpus.iter().map(|case| (case.id.as_str(), case)).collect();
    let mut lines: Vec<&CaseLine> = log.cases.iter().collect();
    if let Some(since) = &told.since {
        let there: BTreeSet<&str> = log.cases.iter().map(|case| case.id.as_str()).collect();
        lines.extend(since.log.cases.iter().filter(|case| !there.contains(case.id.as_str())));
    }
    let known = lines.iter().filter_map(|line| {
        let case = corpus.get(line.id.as_str())?;
        (digest(case) == line.digest).then_some((line.id.as_str(), *case))
    });
    let mut making = Making {
        docs: Docs::new(told.redact),
        known: known.collect(),
        targets: Names::default(),
        rules: BTreeMap::new(),
        changed: HashMap::new(),
    };
    for change in changes() {
        for result in if change.after.is_empty() { &change.before } else { &change.after } {
            making.changed.insert((change.testee, &result.case, result.from, &result.to), change);
        }
    }
    let mut classes = Names::default();
    for class in lines.iter().map(|case| case.class.as_str()).collect::<BTreeSet<_>>() {
        classes.at(class);
    }
    let cases: Vec<CaseData> = lines.iter().map(|line| making.case(line, &mut classes)).collect();
    let places: HashMap<&str, usize> = lines.iter().enumerate().map(|(at, case)| (case.id.as_str(), at)).collect();
    let mut rows = Vec::new();
    for (testee, run) in log.runs.iter().enumerate() {
        let mut of_case: BTreeMap<usize, Vec<&RunResult>> = BTreeMap::new();
        for result in &run.results {
            if let Some(at) = places.get(result.case.as_str()) {
                of_case.entry(*at).or_default().push(result);
            }
        }
        for change in changes() {
            if change.bucket == Bucket::VanishedCase && change.testee == run.name() {
                for result in &change.before {
                    let Some(at) = places.get(result.case.as_str()) else { continue };
                    // What is not claimed any more was told as unsupported.
                    let list = of_case.entry(*at).or_default();
                    list.retain(|other| (other.from, &other.to) != (result.from, &result.to));
                    list.push(result);
                }
            }
        }
        for (case, results) in of_case {
            rows.extend(making.row(run, (case, testee), &results));
        }
    }
    rows.sort_by(|one, other| one.order.cmp(&other.order));
    Data {
        targets: making.targets.names,
        dialects: Dialect::ALL.iter().map(|dialect| dialect.name()).collect(),
        verdicts: log
            .verdicts()
            .into_keys()
            .map(|verdict| (verdict.name(), About { tone: tone(verdict), meaning: verdict.meaning() }))
            .collect(),
        classes: classes.names,
        rules: making.rules,
        buckets: match &told.since {
            Some(_) => {
                Bucket::ALL.iter().map(|bucket| (kebab(bucket.name()), bucket.name(), bucket_tone(*bucket))).collect()
            }
            None => Vec::new(),
        },
        beside: BTreeMap::from([
            ("asked", ("what the case asks for", "")),
            ("same", ("the same bytes", "This input is valid, so it must come back as it is.")),
            (
                "example",
                (
                    "an answer that is right",
                    "It is that of the reference. Another one is right too if it breaks no rule and loses nothing.",
                ),
            ),
        ]),
        testees: log.runs.iter().map(testee).collect(),
        cases,
        rows,
        docs: making.docs.all,
    }
}

fn testee(run: &TesteeRun) -> Testee {
    Testee {
        name: run.name().to_owned(),
        version: run.hello.as_ref().ok().and_then(|hello| hello.version.clone()),
        quoted: quoted(&run.argument),
    }
}

/// Whose fault it is, if not the testee's.
fn fault(domain: Domain) -> Option<&'static str> {
    match domain {
        Domain::Testee => None,
        Domain::Adapter => Some("the program in front of it broke the protocol."),
        Domain::Corpus => Some("the case contradicts itself."),
        Domain::Harness => Some("the runner failed."),
        Domain::Environment => Some("the machine failed."),
    }
}

fn place_of(dialect: Dialect) -> usize {
    Dialect::ALL.iter().position(|other| *other == dialect).unwrap_or(0)
}

impl<'l> Making<'l> {
    fn case(&mut self, line: &'l CaseLine, classes: &mut Names<'l>) -> CaseData {
        let mut data = CaseData {
            id: line.id.clone(),
            class: classes.at(&line.class),
            title: line.title.clone(),
            sources: Vec::new(),
            notes: Vec::new(),
            scored: line.scored,
            from: None,
            input: None,
        };
        let Some(case) = self.known.get(line.id.as_str()).copied() else {
            let words = "This program has no case that is like the one that was run, so its input and its reports are not \
                         shown. `wirecanon report --corpus` takes the corpus of the run.";
            data.notes.push(words.to_owned());
            return data;
        };
        data.sources = case.source.iter().map(|source| (source.clone(), address(source), happened(source))).collect();
        data.notes.extend(
            case.deviates.iter().map(|why| format!("What is asked for here is not what the report asked for: {why}")),
        );
        data.notes
            .extend(case.retired.iter().map(|retired| format!("Retired in {}: {}", retired.version, retired.reason)));
        data.from = Some(place_of(case.from));
        let mut pins = Vec::new();
        for repair in case.expect.repairs.iter().flatten() {
            let (Some(pointer), Some(rule)) = (&repair.input, rule::by_id(&repair.rule)) else { continue };
            pins.push(Pin { pointer, rule: rule.id, words: rule.statement.to_owned() });
        }
        data.input = Some(self.docs.one(&Shown::Whole(case.input.clone()), &pins));
        data
    }

    /// The row of a case that was judged; what a testee does not claim says nothing of it.
    fn row(
        &mut self,
        run: &'l TesteeRun,
        (case, testee): (usize, usize),
        results: &[&'l RunResult],
    ) -> Option<Row<'l>> {
        let mut groups: Vec<(Vec<&'l RunResult>, Group<'l>)> = Vec::new();
        let (mut failing, mut new, mut worst) = (0, false, Verdict::Identical);
        for result in results {
            if result.judgement.verdict == Verdict::Unsupported {
                continue;
            }
            let change =
                self.changed.get(&(run.name(), result.case.as_str(), result.from, result.to.as_str())).copied();
            if !result.judgement.ok {
                failing += 1;
                worst = worst.max(result.judgement.verdict);
            }
            new |= change.is_some_and(|change| matches!(change.bucket, Bucket::NewlyFailing | Bucket::ChangedFailure));
            let alike = |other: &RunResult| {
                other.from == result.from
                    && other.judgement.ok == result.judgement.ok
                    && other.judgement.verdict == result.judgement.verdict
                    && other.flaky == result.flaky
                    && other.answer == result.answer
                    && reason::of(&other.judgement) == reason::of(&result.judgement)
            };
            let bucket = change.map(|change| kebab(change.bucket.name()));
            match groups.iter_mut().find(|(list, group)| group.bucket == bucket && alike(list[0])) {
                Some((list, _)) => list.push(result),
                None => groups.push((vec![result], self.group(result, change))),
            }
        }
        if groups.is_empty() {
            return None;
        }
        let mut groups: Vec<_> = groups.into_iter().map(|(list, group)| self.shown(&list, group)).collect();
        groups.sort_by_key(|(verdict, group)| {
            (group.ok, std::cmp::Reverse(*verdict), std::cmp::Reverse(group.to.len()), group.from)
        });
        let order = Order {
            passes: failing == 0,
            old: !new,
            better: std::cmp::Reverse(worst),
            fewer: std::cmp::Reverse(failing),
            case,
            testee,
        };
        Some(Row { case, testee, groups: groups.into_iter().map(|(_, group)| group).collect(), order })
    }

    fn group(&mut self, result: &'l RunResult, change: Option<&Change<'_>>) -> Group<'l> {
        let judgement = &result.judgement;
        let was = change.and_then(|change| {
            let vanished = change.after.is_empty();
            let before = change.before.first()?;
            let because = if self.docs.is_redacted() { Vec::new() } else { reason::of(&before.judgement) };
            let colon = if because.is_empty() { "" } else { ": " };
            let verdict = before.judgement.verdict.name();
            let gone = if vanished { "; it was not judged in this one" } else { "" };
            Some(format!("{verdict}{colon}{}{gone}", because.join("; ")))
        });
        Group {
            from: place_of(result.from),
            verdict: judgement.verdict.name(),
            ok: judgement.ok,
            bucket: change.map(|change| kebab(change.bucket.name())),
            flaky: result.flaky.iter().map(|verdict| verdict.name()).collect(),
            was,
            domain: fault(judgement.domain).filter(|_| !judgement.ok),
            ..Group::default()
        }
    }

    /// Puts into a group what is shown of its results.
    fn shown(&mut self, results: &[&'l RunResult], mut group: Group<'l>) -> (Verdict, Group<'l>) {
        group.to = results.iter().map(|result| self.targets.at(&result.to)).collect();
        group.allowed_by = results.iter().flat_map(|result| &result.judgement.allowed_by).map(|id| &**id).collect();
        let first = results[0];
        let judgement = &first.judgement;
        if judgement.ok {
            return (judgement.verdict, group);
        }
        for broken in &judgement.violations {
            let rule = rule::by_id(&broken.rule).map(|rule| rule.statement);
            if let Some(statement) = rule {
                self.rules.insert(&broken.rule, statement);
            }
            let words = self.docs.message(&broken.message, rule);
            group.broken.push((broken.rule.clone(), self.docs.pointer(&broken.pointer), words));
        }
        group.lost = judgement.lost.iter().map(|lost| self.docs.word(lost)).collect();
        let differences = judgement.reasons.iter().take(MOST_REASONS).map(ToString::to_string);
        let failures: Vec<String> = differences.chain(judgement.failures.iter().cloned()).collect();
        group.failures = failures.iter().map(|failure| self.docs.message(failure, None)).collect();
        group.reasons = match (group.broken.first(), group.lost.first(), group.failures.first()) {
            (Some((rule, pointer, _)), _, _) => {
                vec![format!("{rule} at {}", if pointer.is_empty() { "the whole" } else { pointer })]
            }
            (None, Some(lost), _) => vec![format!("lost {lost}")],
            (None, None, Some(failure)) => vec![failure.clone()],
            (None, None, None) => {
                let at = judgement.difference.as_ref().map(|difference| self.docs.pointer(&difference.pointer));
                at.map(|at| format!("differs at {}", if at.is_empty() { "the whole" } else { &at }))
                    .into_iter()
                    .collect()
            }
        };
        group.input = first.carried.as_ref().map(|carried| self.docs.one(carried, &[]));
        // Of several targets the one whose outcome the case pins says most.
        let pinned = results.iter().find(|result| self.pinned(result).is_some());
        let result = *pinned.unwrap_or(&first);
        if let Some(answer) = &result.answer {
            group.of = Some(self.targets.at(&result.to));
            let expected = self.pinned(result).or_else(|| self.example(result));
            group.conversations = self.conversations(result, answer, expected.as_ref().map(|(text, _)| &**text));
            let pins: Vec<Pin<'_>> = result
                .judgement
                .violations
                .iter()
                .map(|broken| Pin {
                    pointer: &broken.pointer,
                    rule: &broken.rule,
                    words: self.docs.message(&broken.message, rule::by_id(&broken.rule).map(|rule| rule.statement)),
                })
                .collect();
            group.doc = expected.and_then(|(text, beside)| {
                let apart = (result.to == Dialect::Canonical.name()
                    && !text.windows(8).any(|part| part == b"\"native\""))
                .then_some("native");
                let doc = self.docs.beside(&text, answer, apart, &pins)?;
                group.beside = Some(beside);
                Some(doc)
            });
            if group.doc.is_none() {
                group.doc = Some(self.docs.one(answer, &pins));
            }
        }
        (judgement.verdict, group)
    }

    /// What the answer tells a model, beside what it should tell; nothing where that is the same, or cannot be read.
    fn conversations(&mut self, result: &RunResult, answer: &Shown, right: Option<&[u8]>) -> Vec<conversations::Line> {
        let (Shown::Whole(answer), false) = (answer, result.judgement.reasons.is_empty()) else { return Vec::new() };
        let expected = || {
            let case = *self.known.get(result.case.as_str())?;
            let target = Target::by_name(&result.to).ok()?;
            let expected = match result.carried {
                None => meaning::expected(case, target)?,
                // What the case expects is not what was asked for: the right answer tells it.
                Some(_) => meaning::observed(std::str::from_utf8(right?).ok()?, target)?,
            };
            Some((expected, meaning::observed(&String::from_utf8_lossy(answer), target)?))
        };
        let Some((expected, told)) = expected() else { return Vec::new() };
        conversations::beside(&expected.lines, &told.lines, |line| self.docs.word(line))
    }

    /// What the case says must come out for this target.
    fn pinned(&self, result: &RunResult) -> Option<(Vec<u8>, &'static str)> {
        let case = *self.known.get(result.case.as_str())?;
        let target = Target::by_name(&result.to).ok()?;
        let carried = result.carried.is_some();
        if !carried && case.is_identity() && target.name == case.from.name() {
            return Some((case.input.clone(), "same"));
        }
        // A case that was carried keeps only what it says of canonical content, and that has no frame.
        let is_same = !carried || target.dialect == Dialect::Canonical && !result.framed;
        let own = is_same.then(|| case.expected_output(target));
        Some((own.flatten()?.as_bytes().to_vec(), "asked"))
    }

    /// What the reference makes of it: one of the answers that would be right.
    fn example(&self, result: &RunResult) -> Option<(Vec<u8>, &'static str)> {
        let case = *self.known.get(result.case.as_str())?;
        let target = Target::by_name(&result.to).ok()?;
        let input = match result.carried.as_deref() {
            Some(Shown::Whole(carried)) => carried,
            Some(Shown::Cut { .. }) => return None,
            None => &case.input,
        };
        let fixed = fix(input, &Options::new().from(result.from).to(target)).ok()?;
        Some((fixed.output.into_owned(), "example"))
    }
}
