//! Spoilers: right answers that were changed on purpose are noticed by the judge, and changes that keep the meaning are not.
//!
//! `ci/spoilers.sh` prints the tables of changes by wire.

mod canonical;
mod conversations;
mod harmless;
mod parts;
mod wire;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use serde_json::value::RawValue;
use wirecanon::case::Case;
use wirecanon::corpus;
use wirecanon::frame::{Frame, framed};
use wirecanon::judge::{Demands, judge_as};
use wirecanon::run::targets_of;
use wirecanon::testee::Answer;
use wirecanon_core::{Dialect, From, Mode, Options, Target, fix};

use crate::spoilers::parts::Wire;

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Of the canonical document
    Canonical,
    /// Of the answer on the wire
    Wire,
    /// Of the answer on the wire, and of the same meaning
    Harmless,
}

/// A kind, the name of a change, and the name of a target.
type Key = (Kind, &'static str, String);

/// The answers that a change changed, those of them that the judge did not accept, and some that it judged wrongly.
#[derive(Clone, Debug, Default)]
struct Count {
    changed: usize,
    noticed: usize,
    examples: Vec<String>,
}

type Counts = BTreeMap<Key, Count>;

/// The sums of a change: its answers and those not accepted, its wires, and the wires with few answers.
type Sum<'c> = ([usize; 2], usize, Vec<&'c str>);

fn written(document: &str, target: &Target) -> Option<Vec<u8>> {
    let from = From::Dialect(Dialect::Canonical);
    let options = Options { from, to: Some(target), mode: Mode::Request, ..Options::default() };
    Some(fix(document.as_bytes(), &options).ok()?.output.into_owned())
}

fn is_accepted(case: &Case, target: &Target, bytes: Vec<u8>) -> bool {
    let demands = Demands { tools: true, ..Demands::default() };
    judge_as(case, target, &Answer::Output { bytes, exact: true, report: None }, demands).ok
}

/// A number that depends on the words alone.
fn seed(words: [&str; 3]) -> usize {
    let bytes = words.iter().flat_map(|word| word.bytes());
    let sum = bytes.fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (sum ^ sum >> 15) as usize
}

fn count(cases: &[Case]) -> Counts {
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(Counts::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let own = of_case(case);
                    let mut all = counts.lock().expect("no thread has panicked");
                    for (key, count) in own {
                        let sum = all.entry(key).or_default();
                        sum.changed += count.changed;
                        sum.noticed += count.noticed;
                        sum.examples.extend(count.examples);
                        sum.examples.truncate(4);
                    }
                }
            });
        }
    });
    counts.into_inner().expect("no thread has panicked")
}

fn of_case(case: &Case) -> Counts {
    let mut counts = Counts::new();
    let Some(canonical) = case.expect.canonical.as_deref().map(RawValue::get) else { return counts };
    let Ok(document) = serde_json::from_str::<Value>(canonical) else { return counts };
    let spoiled: Vec<(&str, String)> = canonical::SPOILERS
        .iter()
        .filter_map(|(name, spoil)| {
            let mut spoiled = document.clone();
            spoil(&mut spoiled);
            (spoiled != document).then(|| (*name, spoiled.to_string()))
        })
        .collect();
    for target in targets_of(case) {
        let Some(right) = written(canonical, target) else { continue };
        let Ok(root) = serde_json::from_slice::<Value>(&right) else { continue };
        let mut add = |kind: Kind, name: &'static str, before: &str, after: String| {
            let accepted = is_accepted(case, target, after.clone().into_bytes());
            let count = counts.entry((kind, name, target.name.clone())).or_default();
            count.changed += 1;
            count.noticed += usize::from(!accepted);
            if accepted != (kind == Kind::Harmless) {
                count.examples.push(format!("{}\n  before {before}\n  after  {after}", case.id));
            }
        };
        if is_accepted(case, target, right.clone()) {
            let before = String::from_utf8_lossy(&right);
            for (name, document) in &spoiled {
                // A protocol without tools has no definitions.
                if *name == "tools-dropped" && !target.content.tools {
                    continue;
                }
                let Some(after) = written(document, target) else { continue };
                if serde_json::from_slice::<Value>(&after).is_ok_and(|after| after != root) {
                    add(Kind::Canonical, name, &before, String::from_utf8_lossy(&after).into_owned());
                }
            }
        }
        // The keys are in another order, and numbers may have another spelling.
        let before = root.to_string();
        if !is_accepted(case, target, before.clone().into_bytes()) {
            continue;
        }
        for (kind, changes) in [(Kind::Wire, wire::SPOILERS), (Kind::Harmless, harmless::CHANGES)] {
            for (name, change) in changes {
                let mut wire = Wire::new(root.clone(), target, seed([&case.id, name, &target.name]));
                wire.has_labels = canonical.contains("[wirecanon: media of tool result ");
                if change(&mut wire).is_none() {
                    continue;
                }
                let after = wire.text();
                if after != before && (kind == Kind::Harmless || wire.root != root) {
                    add(kind, name, &before, after);
                }
            }
        }
    }
    counts
}

fn framed_cases(step: usize) -> Vec<Case> {
    let cases = corpus::load().expect("the corpus");
    let cases = cases.iter().filter(|case| case.retired.is_none());
    cases.step_by(step).filter(|case| !case.from.is_fragment()).filter_map(|case| framed(case, Frame::ALL[0])).collect()
}

/// Framed cases of the corpus, and conversations of this test.
fn sample(step: usize, conversations: usize) -> Vec<Case> {
    let mut cases = conversations::cases(conversations);
    cases.extend(framed_cases(step));
    cases
}

fn sum<'c>(counts: impl Iterator<Item = &'c Count>) -> [usize; 2] {
    counts.fold([0, 0], |sum, count| [sum[0] + count.changed, sum[1] + count.noticed])
}

#[test]
fn spoiled_answers_are_noticed_and_harmless_changes_are_not() {
    let counts = count(&sample(100, 1));
    let of = |is_harmless: bool| counts.iter().filter(move |((kind, ..), _)| (*kind == Kind::Harmless) == is_harmless);
    let [changed, noticed] = sum(of(false).map(|(_, count)| count));
    let [harmless, flagged] = sum(of(true).map(|(_, count)| count));
    assert!(changed > 5000, "{changed} spoiled answers");
    assert!(harmless > 1000, "{harmless} harmless changes");
    let names: Vec<_> =
        of(true).filter(|(_, count)| count.noticed > 0).map(|((_, name, wire), _)| (name, wire)).collect();
    let is_noticed = noticed * 100 >= changed * 99;
    assert!(
        is_noticed && flagged == 0,
        "{noticed} of {changed} spoiled answers are noticed, {flagged} of {harmless} harmless changes are flagged: {names:?}"
    );
}

#[test]
fn names_are_distinct_and_there_are_enough_changes() {
    let wire: Vec<&str> = wire::SPOILERS.iter().map(|(name, _)| *name).collect();
    let harmless: Vec<&str> = harmless::CHANGES.iter().map(|(name, _)| *name).collect();
    let canonical: Vec<&str> = canonical::SPOILERS.iter().map(|(name, _)| *name).collect();
    assert!(wire.len() + canonical.len() >= 80 && harmless.len() >= 25);
    for mut names in [wire, harmless, canonical] {
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')));
    }
}

/// Prints one line for each change and wire with answers that are judged wrongly, then the sums by change, then the wires by change
/// that have fewer than fifty answers. With `SPOILERS_EXAMPLES` set it prints answers for each line of the first table.
#[test]
#[ignore = "ci/spoilers.sh prints the tables"]
fn table() {
    let counts = count(&sample(12, 60));
    for (title, is_harmless) in [("spoiler", false), ("harmless change", true)] {
        let verb = if is_harmless { "flagged" } else { "noticed" };
        let own = || counts.iter().filter(|((kind, ..), _)| (*kind == Kind::Harmless) == is_harmless);
        println!("\n| {title} | of | wire | answers | {verb} |\n|---|---|---|---|---|");
        for ((kind, name, wire), Count { changed, noticed, examples }) in own() {
            if *noticed == if is_harmless { 0 } else { *changed } {
                continue;
            }
            println!("| {name} | {kind:?} | {wire} | {changed} | {} % |", percent(*noticed, *changed));
            for example in examples.iter().filter(|_| std::env::var_os("SPOILERS_EXAMPLES").is_some()) {
                println!("> {name} {wire} {example}");
            }
        }
        println!("\n| {title} | of | answers | {verb} | wires | wires with fewer than 50 |\n|---|---|---|---|---|---|");
        let mut sums: BTreeMap<(Kind, &str), Sum> = BTreeMap::new();
        for ((kind, name, wire), count) in own() {
            let (sum, wires, few) = sums.entry((*kind, name)).or_default();
            *sum = [sum[0] + count.changed, sum[1] + count.noticed];
            *wires += 1;
            if count.changed < 50 {
                few.push(wire);
            }
        }
        for ((kind, name), ([changed, noticed], wires, few)) in &sums {
            println!(
                "| {name} | {kind:?} | {changed} | {} % | {wires} | {} |",
                percent(*noticed, *changed),
                few.join(" ")
            );
        }
        let [changed, noticed] = sum(own().map(|(_, count)| count));
        println!("| all {} | | {changed} | {} % | | |", sums.len(), percent(noticed, changed));
    }
}

/// A share in percent with one digit behind the point, rounded down for what is noticed.
fn percent(part: usize, whole: usize) -> String {
    let tenths = 1000 * part / whole.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}
