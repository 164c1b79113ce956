//! Spoilers: right answers that were changed on purpose are noticed by the judge.
//!
//! `ci/spoilers.sh` prints the table of spoilers by wire.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use wirecanon::case::Case;
use wirecanon::corpus;
use wirecanon::frame::{Frame, framed};
use wirecanon::judge::{Demands, judge_as};
use wirecanon::run::targets_of;
use wirecanon::testee::Answer;
use wirecanon_core::{Dialect, From, Mode, Options, Target, fix};

/// A change of a canonical document.
type Spoil = fn(&mut Value);

fn messages(document: &mut Value) -> &mut Vec<Value> {
    document["messages"].as_array_mut().expect("messages")
}

fn blocks<'v>(document: &'v mut Value, kind: &'v str) -> impl Iterator<Item = &'v mut Value> {
    let contents = messages(document).iter_mut().filter_map(|message| message["content"].as_array_mut());
    contents.flatten().filter(move |block| block["type"] == kind)
}

fn results(document: &mut Value) -> Vec<&mut Value> {
    messages(document).iter_mut().filter(|message| message["role"] == "toolResult").collect()
}

fn remove_blocks(document: &mut Value, kind: &str) {
    for message in messages(document) {
        if let Some(content) = message["content"].as_array_mut() {
            content.retain(|block| block["type"] != kind);
        }
    }
}

const SPOILERS: &[(&str, Spoil)] = &[
    ("arguments-emptied", |document| blocks(document, "toolCall").for_each(|call| call["arguments"] = json!("{}"))),
    ("argument-added", |document| {
        for call in blocks(document, "toolCall") {
            let text = call["arguments"].as_str().unwrap_or_default().replacen('{', "{\"force\":true,", 1);
            call["arguments"] = json!(text.replace(",}", "}"));
        }
    }),
    ("tools-renamed", |document| {
        blocks(document, "toolCall").for_each(|call| call["name"] = json!("x"));
        for result in results(document) {
            result["toolName"] = json!("x");
        }
    }),
    ("results-exchanged", |document| {
        let mut results = results(document);
        let contents: Vec<Value> = results.iter().map(|result| result["content"].clone()).collect();
        for (at, result) in results.iter_mut().enumerate() {
            result["content"] = contents[(at + 1) % contents.len()].clone();
        }
    }),
    ("results-replaced", |document| {
        for result in results(document) {
            result["content"] = json!([{"type": "text", "text": "OK, deleted."}]);
        }
    }),
    ("results-doubled", |document| {
        for result in results(document) {
            let text = json!({"type": "text", "text": "and one line more"});
            result["content"].as_array_mut().expect("content").push(text);
        }
    }),
    ("errors-flipped", |document| {
        for result in results(document) {
            let is_error = result["isError"] == true;
            result["isError"] = json!(!is_error);
        }
    }),
    ("calls-dropped", |document| {
        remove_blocks(document, "toolCall");
        messages(document).retain(|message| message["role"] != "toolResult");
    }),
    ("call-invented", |document| {
        let pair = [
            json!({"role": "assistant", "content": [{"type": "toolCall", "id": "inventd01", "name": "drop_table", "arguments": "{}"}]}),
            json!({"role": "toolResult", "toolCallId": "inventd01", "toolName": "drop_table",
                "content": [{"type": "text", "text": "dropped"}], "isError": false}),
        ];
        messages(document).extend(pair);
        messages(document).push(json!({"role": "user", "content": [{"type": "text", "text": "hm"}]}));
    }),
    ("last-text-dropped", |document| drop(messages(document).pop())),
    ("text-invented", |document| {
        messages(document)
            .push(json!({"role": "user", "content": [{"type": "text", "text": "Yes, delete all of it."}]}));
    }),
    ("texts-changed", |document| {
        for block in blocks(document, "text") {
            let text = block["text"].as_str().unwrap_or_default().to_owned();
            block["text"] = json!(format!("{text} not"));
        }
    }),
    ("texts-repeated", |document| {
        for message in messages(document).iter_mut().filter(|message| message["role"] == "user") {
            if let Some(content) = message["content"].as_array_mut() {
                let again = content.clone();
                content.extend(again);
            }
        }
    }),
    ("speakers-changed", |document| {
        for message in messages(document).iter_mut().filter(|message| message["role"] == "user") {
            if message["content"].as_array().is_some_and(|content| content.iter().all(|block| block["type"] == "text"))
            {
                message["role"] = json!("assistant");
            }
        }
    }),
    ("images-dropped", |document| remove_blocks(document, "image")),
    ("turns-reversed", |document| messages(document).reverse()),
];

/// The answers that a spoiler changed, and those of them that were noticed.
type Counts = BTreeMap<(&'static str, String), [usize; 2]>;

fn written(document: &str, target: &Target) -> Option<Vec<u8>> {
    let from = From::Dialect(Dialect::Canonical);
    let options = Options { from, to: Some(target), mode: Mode::Request, ..Options::default() };
    Some(fix(document.as_bytes(), &options).ok()?.output.into_owned())
}

fn count(cases: &[Case]) -> Counts {
    let (next, counts) = (AtomicUsize::new(0), Mutex::new(Counts::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let own = of_case(case);
                    let mut all = counts.lock().expect("no thread has panicked");
                    for (key, [changed, noticed]) in own {
                        let counts = all.entry(key).or_default();
                        *counts = [counts[0] + changed, counts[1] + noticed];
                    }
                }
            });
        }
    });
    counts.into_inner().expect("no thread has panicked")
}

fn of_case(case: &Case) -> Counts {
    let mut counts = Counts::new();
    let Some(canonical) = case.expect.canonical.as_deref() else { return counts };
    let Ok(right) = serde_json::from_str::<Value>(canonical.get()) else { return counts };
    let demands = Demands { strict: false, tools: true };
    for (name, spoil) in SPOILERS {
        let mut spoiled = right.clone();
        spoil(&mut spoiled);
        for target in targets_of(case) {
            let (Some(before), Some(after)) = (written(canonical.get(), target), written(&spoiled.to_string(), target))
            else {
                continue;
            };
            let value = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
            if value(&before) == value(&after) {
                continue;
            }
            let answer = |bytes| Answer::Output { bytes, exact: true, report: None };
            if !judge_as(case, target, &answer(before), demands).ok {
                continue;
            }
            let judgement = judge_as(case, target, &answer(after), demands);
            let counts = counts.entry((name, target.name.clone())).or_default();
            counts[0] += 1;
            counts[1] += usize::from(!judgement.ok);
        }
    }
    counts
}

fn framed_cases(step: usize) -> Vec<Case> {
    let cases = corpus::load().expect("the corpus");
    let cases = cases.iter().filter(|case| case.retired.is_none());
    cases.step_by(step).filter_map(|case| framed(case, Frame::ALL[0])).collect()
}

#[test]
fn spoiled_answers_are_noticed() {
    let counts = count(&framed_cases(40));
    let [changed, noticed] = counts.values().fold([0, 0], |sum, own| [sum[0] + own[0], sum[1] + own[1]]);
    assert!(changed > 2000, "{changed} spoiled answers");
    assert!(noticed * 1000 >= changed * 995, "{noticed} of {changed} spoiled answers are noticed");
}

/// Prints one line for each spoiler and wire that has answers which are not noticed, and the sums.
#[test]
#[ignore = "ci/spoilers.sh prints the table"]
fn table() {
    let counts = count(&framed_cases(6));
    let mut sums: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    println!("| spoiler | wire | answers | noticed |\n|---|---|---|---|");
    for ((spoiler, wire), [changed, noticed]) in &counts {
        let sum = sums.entry(spoiler).or_default();
        *sum = [sum[0] + changed, sum[1] + noticed];
        if noticed < changed {
            println!("| {spoiler} | {wire} | {changed} | {} % |", percent(*noticed, *changed));
        }
    }
    println!("\n| spoiler | answers | noticed |\n|---|---|---|");
    for (spoiler, [changed, noticed]) in &sums {
        println!("| {spoiler} | {changed} | {} % |", percent(*noticed, *changed));
    }
    let [changed, noticed] = sums.values().fold([0, 0], |sum, own| [sum[0] + own[0], sum[1] + own[1]]);
    println!("| all | {changed} | {} % |", percent(noticed, changed));
}

/// A share in percent with one digit behind the point, rounded down.
fn percent(part: usize, whole: usize) -> String {
    let tenths = 1000 * part / whole.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}
