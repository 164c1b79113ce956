//! The corpus proves what SPEC.md decides: every rule, decision and text has a case or a stated reason, and every step of the
//! reference has a case that fails without it.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use wirecanon::case::Case;
use wirecanon::corpus;
use wirecanon::coverage::{self, Decisions, Kind, Row};
use wirecanon::judge::judge;
use wirecanon::run::targets_of;
use wirecanon::testee::Answer;
use wirecanon_core::step::{self, Step};
use wirecanon_core::{Error, Fixed, From, Mode, Options, Target, fix, rule};

const SPEC: &str = include_str!("../../../SPEC.md");

fn cases() -> Vec<Case> {
    corpus::load().expect("a well-formed corpus")
}

fn options<'t>(case: &Case, target: &'t Target) -> Options<'t> {
    Options { from: From::Dialect(case.from), to: Some(target), mode: Mode::Request, ..Options::default() }
}

#[test]
fn every_rule_decision_and_text_has_a_case_or_a_reason() {
    let cases = cases();
    let rows = coverage::of(&cases, &coverage::decisions(&cases).expect("the list of decisions"));
    let bare: Vec<String> =
        rows.iter().filter(|row| row.is_bare()).map(|row| format!("{:?} {}", row.kind, row.id)).collect();
    assert!(bare.is_empty(), "{} without a case or a reason:\n{}", bare.len(), bare.join("\n"));
    // A reason for what has cases after all is stale.
    let stale: Vec<&str> =
        rows.iter().filter(|row| row.reason.is_some() && !row.cases.is_empty()).map(|row| row.id.as_str()).collect();
    assert!(stale.is_empty(), "these have cases now, so they need no reason: {stale:?}");
    let of = |kind: Kind| rows.iter().filter(|row| row.kind == kind).collect::<Vec<&Row>>();
    assert_eq!(of(Kind::Rule).len(), rule::all().count());
    assert!(of(Kind::Class).iter().all(|row| row.sources.as_ref().is_some_and(|sources| sources.len() >= 5)));
}

/// The numbered decisions of SPEC.md, each with the rules that it names.
fn decisions_of_spec() -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let rules = |text: &str| -> Vec<String> {
        let mut rules = Vec::new();
        for word in text.split('`').skip(1).step_by(2).filter(|word| rule::by_id(word).is_some()) {
            if !rules.contains(&word.to_owned()) {
                rules.push(word.to_owned());
            }
        }
        rules
    };
    let is_number = |label: &str| {
        label.starts_with(['P', 'C', 'S', 'R', 'W', 'O', 'J'])
            && label.len() > 1
            && (label[1..].bytes().all(|byte| byte.is_ascii_digit()) || &label[1..] == "xx")
    };
    let mut lines = SPEC.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some((label, rest)) = line.strip_prefix("| ").and_then(|line| line.split_once(" | ")) {
            if is_number(label) {
                // The last column of rows of part 5 names equivalences.
                let behind = usize::from(label.starts_with('W'));
                let last = rest.trim_end_matches(" |").rsplit(" | ").nth(behind).unwrap_or_default();
                let named = if label.starts_with('P') { Vec::new() } else { rules(last) };
                found.push((label.to_owned(), named));
            }
        } else if let Some((label, rest)) = line.split_once(". ").filter(|(label, _)| is_number(label)) {
            let mut text = rest.to_owned();
            while let Some(more) = lines.next_if(|line| !line.is_empty()) {
                text.push(' ');
                text.push_str(more);
            }
            found.push((label.to_owned(), if label.starts_with('W') { rules(&text) } else { Vec::new() }));
        }
    }
    found
}

#[test]
fn the_list_of_decisions_is_that_of_spec() {
    let cases = cases();
    let Decisions { decision, text, .. } = coverage::decisions(&cases).expect("the list of decisions");
    let listed: BTreeMap<&str, &Vec<String>> = decision.iter().map(|own| (own.id.as_str(), &own.rules)).collect();
    let spec = decisions_of_spec();
    assert!(spec.len() > 130, "{} decisions", spec.len());
    for (id, rules) in &spec {
        let words = format!("[[decision]]\nid = \"{id}\"\nsays = \"…\"\nrules = {rules:?}\n");
        let own = listed.get(id.as_str()).unwrap_or_else(|| panic!("decisions.toml lacks:\n{words}"));
        assert_eq!(*own, rules, "SPEC.md names other rules for {id}; decisions.toml should have:\n{words}");
    }
    let order: Vec<&str> = decision.iter().map(|own| own.id.as_str()).collect();
    assert_eq!(
        order,
        spec.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(),
        "decisions.toml has the order of SPEC.md"
    );
    let part = &SPEC[SPEC.find("\n## 6 ").expect("part 6")..SPEC.find("\n## 7 ").expect("part 7")];
    let shown: Vec<&str> = part.split('`').skip(1).step_by(2).collect();
    for text in &text {
        assert!(shown.contains(&text.text.as_str()), "part 6 of SPEC.md does not have `{}`", text.text);
    }
    let first_cells = part.lines().filter_map(|line| line.strip_prefix("| `").or_else(|| line.strip_prefix("- `")));
    for cell in first_cells.filter(|cell| cell.starts_with(['[', '(']) || cell.starts_with("{\"")) {
        let wanted = cell.split('`').next().unwrap_or_default();
        assert!(text.iter().any(|text| text.text == wanted), "decisions.toml lacks:\n[[text]]\ntext = {wanted:?}\n");
    }
}

/// What an attempt came to, as the runner sees it.
fn answer(attempt: impl FnOnce() -> Result<(Vec<u8>, wirecanon_core::Report<'static>), Error>) -> Answer {
    match catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(Ok((bytes, report))) => Answer::Output { bytes, exact: true, report: Some(Box::new(report)) },
        Ok(Err(error)) => Answer::Refused { code: error.kind().refusal_code().to_owned(), message: error.to_string() },
        Err(_) => Answer::Crashed("panicked".to_owned()),
    }
}

fn whole(fixed: Fixed<'_>) -> (Vec<u8>, wirecanon_core::Report<'static>) {
    (fixed.output.into_owned(), fixed.report.into_owned())
}

/// A case for one target, and what the whole reference makes of it: the bytes, and how many repairs it reports.
struct Whole<'c> {
    case: &'c Case,
    target: &'static Target,
    made: Option<(Vec<u8>, usize)>,
}

impl<'c> Whole<'c> {
    fn of(case: &'c Case) -> impl Iterator<Item = Self> {
        targets_of(case).map(move |target| {
            let fixed = fix(&case.input, &options(case, target)).map(whole);
            Self { case, target, made: fixed.ok().map(|(bytes, report)| (bytes, report.repairs.len())) }
        })
    }

    /// Whether the case fails when a step is left out. What is the same as with it needs no judge.
    fn fails_without(&self, step: Step) -> bool {
        let Self { case, target, made } = self;
        let said = answer(|| step::fix_without(&case.input, &options(case, target), step).map(whole));
        let same = match (&said, made) {
            (Answer::Output { bytes, report: Some(report), .. }, Some((made, repairs))) => {
                bytes == made && report.repairs.len() == *repairs
            }
            _ => false,
        };
        !same && !judge(case, target, &said, true).ok
    }
}

/// The cases that fail when a step is left out, up to `most`.
fn killed<'c>(cases: &[Vec<Whole<'c>>], step: Step, most: usize) -> Vec<&'c str> {
    let failing = cases.iter().filter_map(|runs| runs.iter().find(|run| run.fails_without(step)));
    failing.map(|run| run.case.id.as_str()).take(most).collect()
}

/// `WIRECANON_KILLS=all cargo test -p wirecanon --test it -- --nocapture coverage::every_step` lists all of them.
#[test]
fn every_step_has_a_case_that_fails_without_it() {
    let most = if std::env::var_os("WIRECANON_KILLS").is_some() { usize::MAX } else { 1 };
    let cases = cases();
    let cases: Vec<Vec<Whole<'_>>> = cases.iter().map(|case| Whole::of(case).collect()).collect();
    let steps = step::all();
    let next = AtomicUsize::new(0);
    let kills: Mutex<BTreeMap<usize, Vec<&str>>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((at, step)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    steps.get(at).map(|step| (at, *step))
                } {
                    let killed = killed(&cases, step, most);
                    kills.lock().expect("no panic while it is held").insert(at, killed);
                }
            });
        }
    });
    let kills = kills.into_inner().expect("no panic while it was held");
    assert_eq!(kills.len(), steps.len());
    let mut idle = Vec::new();
    for (at, killed) in &kills {
        let more = if killed.len() == most { " …" } else { "" };
        println!("{}: {}{more}", steps[*at], killed.join(" "));
        if killed.is_empty() {
            idle.push(steps[*at].to_string());
        }
    }
    assert!(idle.is_empty(), "no case fails without {}: add one, or take the step out", idle.join(", "));
}

/// Whether a case is about something that is mended.
fn is_about_a_repair(case: &Case) -> bool {
    let targets = case.expect.targets.values().filter_map(|target| target.repairs.as_ref());
    let mut repairs = case.expect.repairs.iter().chain(targets).flatten();
    // What only one dialect can replay has no other spelling, so even a program that mends nothing leaves it out.
    repairs.any(|repair| repair.rule != "opaque-item-left-out")
}

/// A case about a fault must tell a program that mends nothing from one that does.
#[test]
fn every_case_of_a_fault_fails_when_nothing_is_mended() {
    let cases = cases();
    let mut idle = Vec::new();
    let mut judged = 0;
    for case in cases.iter().filter(|case| is_about_a_repair(case)) {
        judged += 1;
        let echo = Answer::Output { bytes: case.input.clone(), exact: true, report: None };
        let fails = targets_of(case).any(|target| {
            let bare = answer(|| step::respell(&case.input, &options(case, target)).map(whole));
            let said = if target.dialect == case.from { &echo } else { &bare };
            !judge(case, target, said, true).ok
        });
        if !fails {
            idle.push(case.id.as_str());
        }
    }
    assert!(judged > 300, "{judged} cases");
    assert!(idle.is_empty(), "{} of {judged} cases do not notice when nothing is mended: {idle:#?}", idle.len());
}
