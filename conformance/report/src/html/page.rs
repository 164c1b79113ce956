//! What is on the page before any script runs, and the policy that holds it.

use std::collections::BTreeMap;
use std::io;

use askama::Template;
use sha2::{Digest, Sha256};
use wirecanon_judge::exit::Exit;
use wirecanon_judge::plain::shorten;
use wirecanon_judge::verdict::Verdict;
use wirecanon_runner::change::{Bucket, Change};
use wirecanon_runner::log::Log;
use wirecanon_runner::run::TesteeRun;

use super::data::{Data, bucket_tone, tone};
use super::docs::visible;
use super::shared;
use crate::gate_json::kebab;
use crate::markdown::by_case;
use crate::sarif::percent_encoded;
use crate::{Since, Told};

/// What all pages have, and what this one has.
const STYLE: [&str; 2] = [shared::STYLE, include_str!("../../assets/report/report.css")];

/// In the order in which they run.
const SCRIPTS: [&str; 7] = [
    shared::MAKE,
    shared::THEME,
    shared::CODE,
    include_str!("../../assets/report/data.js"),
    include_str!("../../assets/report/list.js"),
    include_str!("../../assets/report/case.js"),
    include_str!("../../assets/report/main.js"),
];

#[derive(Template)]
#[template(path = "report/page.html")]
pub(super) struct Page {
    policy: String,
    version: String,
    heading: String,
    statement: String,
    warnings: Vec<String>,
    trend: Option<Trend>,
    testees: Vec<Column>,
    matrix: Vec<Line>,
    about: Vec<(&'static str, String)>,
    verdicts: Vec<(&'static str, &'static str, &'static str)>,
    css: [&'static str; 2],
    data: String,
    scripts: [&'static str; 7],
    home: Option<(&'static str, &'static str)>,
}

/// What changed since an earlier run.
struct Trend {
    base: String,
    buckets: Vec<Count>,
    quiet: bool,
    compared: usize,
}

struct Count {
    key: String,
    name: &'static str,
    tone: &'static str,
    results: usize,
}

struct Column {
    name: String,
    version: String,
    href: String,
}

struct Line {
    title: String,
    href: String,
    total: bool,
    cells: Vec<Cell>,
}

/// Cases of one class, by one testee.
struct Cell {
    judged: usize,
    failing: usize,
    share: usize,
    tone: &'static str,
    words: &'static str,
    href: String,
    label: String,
}

impl Page {
    pub(super) fn new(
        told: &Told<'_>,
        data: &Data<'_>,
        home: Option<(&'static str, &'static str)>,
    ) -> io::Result<Self> {
        let log = told.log;
        Ok(Self {
            policy: policy(),
            version: visible(&log.start.version),
            heading: heading(log),
            statement: statement(log),
            warnings: warnings(log),
            trend: told.since.as_ref().map(trend),
            testees: log.runs.iter().map(column).collect(),
            matrix: matrix(log),
            about: about(told),
            verdicts: Verdict::ALL.iter().map(|verdict| (verdict.name(), tone(*verdict), verdict.meaning())).collect(),
            css: STYLE,
            data: block(data)?,
            scripts: SCRIPTS,
            home,
        })
    }
}

/// Only this style and these scripts, nothing from anywhere, and no text that becomes markup.
pub(super) fn policy() -> String {
    let digest = |text: &str| format!("'sha256-{}'", base64_simd::STANDARD.encode_to_string(Sha256::digest(text)));
    let scripts: Vec<_> = SCRIPTS.iter().map(|script| digest(script)).collect();
    format!(
        "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        digest(&STYLE.concat()),
        scripts.join(" ")
    )
}

/// JSON that can stand in a script element: nothing in it ends the element, and no script mistakes a line end.
fn block(data: &Data<'_>) -> io::Result<String> {
    Ok(escaped(&serde_json::to_string(data)?))
}

fn escaped(json: &str) -> String {
    ['<', '>', '&', '\u{2028}', '\u{2029}']
        .into_iter()
        .fold(json.to_owned(), |json, c| json.replace(c, &format!("\\u{:04x}", u32::from(c))))
}

/// A fragment that asks for this.
fn href(wanted: &[(&str, &str)]) -> String {
    let parts: Vec<_> =
        wanted.iter().map(|(name, value)| format!("{name}={}", percent_encoded(value, "-_."))).collect();
    format!("#{}", parts.join("&"))
}

fn heading(log: &Log) -> String {
    let names: Vec<_> = log.runs.iter().map(|run| shorten(&visible(run.name()), 60)).collect();
    match names.as_slice() {
        [] => "No testee".to_owned(),
        [one] => one.clone(),
        [most @ .., last] if most.len() < 3 => format!("{} and {last}", most.join(", ")),
        names => format!("{} testees", names.len()),
    }
}

/// Cases that a testee was judged on, by the worst that came of them.
fn outcomes(run: &TesteeRun) -> (usize, BTreeMap<Option<Verdict>, usize>) {
    let mut outcomes = BTreeMap::new();
    let mut judged = 0;
    for (_, results) in by_case(run.results.iter()) {
        if results.iter().all(|result| result.judgement.verdict == Verdict::Unsupported) {
            continue;
        }
        judged += 1;
        let failing = results.iter().filter(|result| !result.judgement.ok);
        *outcomes.entry(failing.map(|result| result.judgement.verdict).max()).or_insert(0) += 1;
    }
    (judged, outcomes)
}

fn statement(log: &Log) -> String {
    if let [run] = &log.runs[..] {
        let (judged, outcomes) = outcomes(run);
        let good = outcomes.get(&None).copied().unwrap_or(0);
        if run.hello.is_err() {
            return "It was not run.".to_owned();
        }
        if good == judged {
            return format!("All {judged} cases that it was judged on came out as asked.");
        }
        let count = |verdicts: &[Verdict]| -> usize {
            verdicts.iter().filter_map(|verdict| outcomes.get(&Some(*verdict))).sum()
        };
        let refused = count(&[Verdict::Rejected]);
        let lost = count(&[Verdict::Lossy]);
        let declined = count(&[Verdict::Refused]);
        let broken = count(&[Verdict::Crashed, Verdict::Hung, Verdict::Garbage]);
        let altered = count(&[Verdict::Altered]);
        let other = judged - good - refused - altered - lost - declined - broken;
        let parts: Vec<String> = [
            (refused, "an API would refuse the answer"),
            (altered, "the model is told something else"),
            (lost, "something was lost on the way"),
            (declined, "it declined what it should have done"),
            (broken, "no usable answer came"),
            (other, "the answer is not the one that is asked for"),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("in {count} {words}"))
        .collect();
        let parts = match parts.as_slice() {
            [most @ .., last] if !most.is_empty() => format!("{}, and {last}", most.join(", ")),
            parts => parts.concat(),
        };
        return format!("Of {judged} cases, {good} came out as asked; {parts}.");
    }
    let mut rates: Vec<(usize, usize, &str)> = log
        .runs
        .iter()
        .map(|run| (outcomes(run), run.name()))
        .filter(|((judged, _), _)| *judged > 0)
        .map(|((judged, outcomes), name)| (outcomes.get(&None).copied().unwrap_or(0), judged, name))
        .collect();
    rates.sort_by_key(|(good, judged, _)| std::cmp::Reverse(good * 100_000 / judged));
    let told = |(good, judged, name): &(usize, usize, &str), did: &str| {
        format!("{} did {did}, with {good} of {judged} cases as asked", visible(name))
    };
    match (rates.first(), rates.last()) {
        (Some(best), Some(worst)) if best.0 * worst.1 != worst.0 * best.1 => {
            format!("{}; {}.", told(best, "best"), told(worst, "worst"))
        }
        _ => format!("{} cases.", log.cases.len()),
    }
}

fn warnings(log: &Log) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(void) = &log.start.void {
        warnings.push(format!("Nothing of this run counts: {}", visible(void)));
    }
    if !log.complete {
        warnings.push("The run was cut short: what is missing was not asked.".to_owned());
    }
    if let Some(why) = log.why_partial() {
        warnings.push(format!("Only a part of the corpus was run: {why}."));
    }
    for run in &log.runs {
        let name = visible(run.name());
        match (&run.hello, run.exit()) {
            (Err(error), _) => warnings.push(format!("{name} was not run: {}", visible(&shorten(&error.message, 400)))),
            (Ok(_), Exit::TooLittle) => {
                warnings.push(format!(
                    "{name} was judged on {} cases, and {} are needed.",
                    run.judged,
                    run.minimum.max(1)
                ));
            }
            (Ok(_), Exit::Incomplete) => warnings.push(format!("{name}: not every result is its own fault.")),
            _ => {}
        }
    }
    warnings
}

fn trend(since: &Since<'_>) -> Trend {
    let Since { name, log: base, comparison } = since;
    let buckets: Vec<Count> = Bucket::ALL
        .iter()
        .map(|bucket| {
            let changes = comparison.changes.iter().filter(|change| change.bucket == *bucket);
            let count = changes.map(Change::results).sum();
            Count { key: kebab(bucket.name()), name: bucket.name(), tone: bucket_tone(*bucket), results: count }
        })
        .filter(|count| count.results > 0)
        .collect();
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let versions: Vec<_> = base
        .runs
        .iter()
        .filter_map(|run| Some(format!("{} {}", run.name(), run.hello.as_ref().ok()?.version.as_deref()?)))
        .collect();
    let versions = if versions.is_empty() { String::new() } else { format!(" ({})", visible(&versions.join(", "))) };
    Trend {
        base: format!("{}{versions}", visible(file)),
        quiet: buckets.is_empty(),
        buckets,
        compared: comparison.compared,
    }
}

fn column(run: &TesteeRun) -> Column {
    let version = run.hello.as_ref().ok().and_then(|hello| hello.version.as_deref()).unwrap_or_default();
    Column {
        name: visible(&shorten(run.name(), 60)),
        version: visible(&shorten(version, 30)),
        href: href(&[("testee", run.name())]),
    }
}

fn matrix(log: &Log) -> Vec<Line> {
    let classes = log.classes();
    // Failing and judged, by class and testee; the class without a name is all of them.
    let mut counts: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, run) in log.runs.iter().enumerate() {
        for (case, results) in by_case(run.results.iter()) {
            if results.iter().all(|result| result.judgement.verdict == Verdict::Unsupported) {
                continue;
            }
            let fails = results.iter().any(|result| !result.judgement.ok);
            for class in [classes.get(case).copied().unwrap_or_default(), ""] {
                let row = counts.entry(class).or_insert_with(|| vec![(0, 0); log.runs.len()]);
                row[at].0 += usize::from(fails);
                row[at].1 += 1;
            }
        }
    }
    let mut rows: Vec<(&str, Vec<(usize, usize)>)> = counts.into_iter().collect();
    rows.sort_by_key(|(class, cells)| {
        (!class.is_empty(), std::cmp::Reverse(cells.iter().map(|(failing, _)| *failing).sum::<usize>()), *class)
    });
    let line = |(class, cells): (&str, Vec<(usize, usize)>)| {
        let total = class.is_empty();
        let title = if total { "All classes" } else { class };
        let cells = cells.into_iter().zip(&log.runs).map(|((failing, judged), run)| {
            let mut wanted = vec![("testee", run.name())];
            if !total {
                wanted.push(("class", class));
            }
            if failing == 0 {
                wanted.push(("show", "all"));
            }
            let name = visible(run.name());
            Cell {
                judged,
                failing,
                share: (failing * 100).checked_div(judged).unwrap_or(0),
                tone: if judged == 0 {
                    ""
                } else if failing == 0 {
                    "good"
                } else {
                    "bad"
                },
                words: if run.hello.is_ok() { "not claimed" } else { "not run" },
                href: href(&wanted),
                label: if failing == 0 {
                    format!("{title}, {name}: all {judged} right")
                } else {
                    format!("{title}, {name}: {failing} of {judged} cases fail")
                },
            }
        });
        Line { title: title.to_owned(), href: href(&[("class", class)]), total, cells: cells.collect() }
    };
    rows.into_iter().map(line).collect()
}

fn about(told: &Told<'_>) -> Vec<(&'static str, String)> {
    let log = told.log;
    let start = &log.start;
    let results: usize = log.runs.iter().map(|run| run.results.len()).sum();
    let mut about = vec![
        ("Cases", format!("{}, {results} results", log.cases.len())),
        ("Suite", start.suite.clone().unwrap_or_else(|| "none: every case counts".to_owned())),
        ("Corpus", start.corpus.clone()),
        ("wirecanon", visible(&start.version)),
        (
            "Order",
            if start.seed == 0 { "that of the corpus".to_owned() } else { format!("shuffled by {}", start.seed) },
        ),
    ];
    for run in &log.runs {
        let hello = run.hello.as_ref().ok();
        let language =
            hello.and_then(|hello| hello.language.clone()).map_or(String::new(), |language| format!(", {language}"));
        about.push((
            "Testee",
            format!("{}{} – {}", visible(run.name()), visible(&language), visible(&shorten(&run.argument, 400))),
        ));
    }
    if told.redact {
        about.push(("Redacted", "every text of a message is a token of its length".to_owned()));
    }
    about
}

#[cfg(test)]
mod tests {
    use super::{escaped, href, policy};

    #[test]
    fn no_text_ends_the_block_of_data() {
        let json = serde_json::to_string("</script><!--<script>&\u{2028}\u{2029}").unwrap();
        let said = escaped(&json);
        assert!(!said.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{said}");
        assert_eq!(serde_json::from_str::<String>(&said).unwrap(), "</script><!--<script>&\u{2028}\u{2029}");
    }

    #[test]
    fn fragments_and_policy_hold() {
        assert_eq!(href(&[("testee", "a b&c=\"ö"), ("show", "all")]), "#testee=a%20b%26c%3D%22%C3%B6&show=all");
        let policy = policy();
        assert!(policy.starts_with("default-src 'none'; ") && policy.matches("'sha256-").count() == 8, "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
    }
}
