//! An input cut down over the protocol: messages, blocks, fields and words go as long as the testee shows the same symptom.
//!
//! What is left must be no other fault than what was there before: nothing new may be wrong with it in its own dialect, and the
//! reference must still do right by it. So a finding never rests on what cutting broke.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::value::RawValue;
use wirecanon_cases::conversion;
use wirecanon_cases::lint::{deletions, without};
use wirecanon_core::json::{Json, Kind, Limits, Value, quote, resolve};
use wirecanon_core::{Dialect, Stage, Target};
use wirecanon_judge::judge::Judgement;
use wirecanon_judge::loss;
use wirecanon_judge::plain::shorten;

use super::known::Made;
use super::progress::Small;
use super::round::Input;
use super::symptom::{Symptom, symptoms};
use crate::testee::{Answer, NOT_TRIED, Reference, Request, Testee};

/// Requests that are asked at once.
const AT_ONCE: usize = 8;

/// Bytes of an output that are kept to be shown.
const SHOWN: usize = 4000;

/// Places that may share an id and go together.
const MOST_SHARING: usize = 6;

/// Strings that say what sort of thing something is stay as they are.
const SORTS: [&str; 4] = ["role", "type", "state", "mimeType"];

/// Cuts one input down; none if the testee does not show the symptom any more, or nothing can be asked.
pub(super) fn shrink(
    testee: &mut dyn Testee,
    symptom: &Symptom,
    input: Input,
    run: u64,
    requests: usize,
    stop: &AtomicBool,
) -> Option<Small> {
    let target = input.recipe.target;
    let mut work = Work {
        testee,
        symptom,
        target,
        own: Own::of(&input.made, target),
        best: input.made,
        left: requests.max(1),
        said: String::new(),
        output: None,
        stop,
    };
    let whole = work.best.clone();
    if !work.try_all(vec![whole]) {
        return None;
    }
    let doubtful = !work.own.right;
    if !doubtful && std::str::from_utf8(&work.best.case.input).is_ok() {
        while work.pass() {}
    }
    let case = &work.best.case;
    Some(Small {
        run,
        input: base64_simd::STANDARD.encode_to_string(&case.input),
        must_keep: case.expect.must_keep.clone(),
        to: target.name.clone(),
        said: work.said,
        output: work.output.map(|bytes| base64_simd::STANDARD.encode_to_string(bytes)),
        may_refuse: work.best.may_refuse,
        doubtful,
        requests: requests.max(1) - work.left,
    })
}

/// What is wrong with an input by itself, and what the reference reports.
struct Own {
    violations: BTreeSet<&'static str>,
    repairs: BTreeSet<&'static str>,
    /// The reference does right by it
    right: bool,
}

impl Own {
    fn of(made: &Made, target: &Target) -> Self {
        let case = &made.case;
        // The reference writes nothing but canonical content of a lone tool result.
        let canonical = Target::of_dialect(Dialect::Canonical);
        let target = if conversion::exists(case.from, target) { target } else { canonical };
        let answer = Reference::answer(&Request::of(case, target));
        let violations = match case.violations(Target::of_dialect(case.from)) {
            Some(violations) => violations.into_iter().map(|violation| violation.rule).collect(),
            None => BTreeSet::from(["no-transcript"]),
        };
        let repairs = match &answer {
            Answer::Output { report: Some(report), .. } => {
                let entries = report.repairs.iter().filter(|entry| entry.stage != Stage::Write);
                entries.map(|entry| entry.rule).collect()
            }
            _ => BTreeSet::from(["refused"]),
        };
        Self { violations, repairs, right: made.judged(target, &answer).ok }
    }
}

struct Work<'w> {
    testee: &'w mut dyn Testee,
    symptom: &'w Symptom,
    target: &'static Target,
    own: Own,
    best: Made,
    left: usize,
    said: String,
    output: Option<Vec<u8>>,
    stop: &'w AtomicBool,
}

impl Work<'_> {
    /// Tries every way to make it smaller once; whether one of them did.
    fn pass(&mut self) -> bool {
        let mut smaller = false;
        for ways in [dense, halves, items, pairs, members, ids, strings] {
            // From the end: what stands there depends on what stands before it.
            let mut at = usize::MAX;
            loop {
                let text = String::from_utf8_lossy(&self.best.case.input).into_owned();
                let Ok(json) = Json::parse(&text, &Limits::default()) else { return smaller };
                let mut texts = ways(&json, &self.best.case.expect.must_keep);
                texts.truncate(at);
                if texts.is_empty() || self.left == 0 || self.stop.load(Ordering::Relaxed) {
                    break;
                }
                // As many as are asked at once, and sound.
                let mut some = Vec::new();
                while let Some(less) = texts.pop() {
                    at = texts.len();
                    some.extend(self.sound(less));
                    if some.len() == AT_ONCE.min(self.left) {
                        break;
                    }
                }
                if !some.is_empty() && self.try_all(some) {
                    smaller = true;
                }
            }
        }
        smaller
    }

    /// A smaller input, if it is one that proves something.
    fn sound(&self, less: String) -> Option<Made> {
        if less.len() >= self.best.case.input.len() {
            return None;
        }
        let mut made = self.best.clone();
        let gone: BTreeSet<String> =
            loss::lost(&less, &made.case.expect.must_keep).into_iter().map(str::to_owned).collect();
        made.case.expect.must_keep.retain(|word| !gone.contains(word));
        made.case.input = less.into_bytes();
        made.case.expect.canonical = None;
        if self.target.dialect == Dialect::Canonical
            && let Answer::Output { bytes, .. } = Reference::answer(&Request::of(&made.case, self.target))
        {
            made.case.expect.canonical =
                String::from_utf8(bytes).ok().and_then(|text| RawValue::from_string(text).ok());
        }
        let own = Own::of(&made, self.target);
        let nothing_new = own.violations.is_subset(&self.own.violations) && own.repairs.is_subset(&self.own.repairs);
        (own.right && nothing_new).then_some(made)
    }

    /// Asks all of them at once, and takes the first that shows the symptom; whether there was one.
    fn try_all(&mut self, mut some: Vec<Made>) -> bool {
        let mut answers: Vec<Option<Answer>> = vec![None; some.len()];
        let requests: Vec<Request<'_>> = some.iter().map(|made| Request::of(&made.case, self.target)).collect();
        self.left = self.left.saturating_sub(requests.len());
        self.testee.convert(&requests, &mut |index, answer| answers[index] = Some(answer));
        let found = answers.iter().enumerate().find_map(|(at, answer)| {
            let answer = answer.as_ref()?;
            if matches!(answer, Answer::Environment(_))
                || matches!(answer, Answer::Crashed(why) if why.starts_with(NOT_TRIED))
            {
                return None;
            }
            let judged = some[at].judged(self.target, answer);
            symptoms(&some[at].case, self.target, &judged).contains(self.symptom).then(|| (at, judged, answer.clone()))
        });
        let Some((at, judged, answer)) = found else { return false };
        self.best = some.swap_remove(at);
        self.said = words(self.symptom, &judged);
        self.output = match answer {
            Answer::Output { mut bytes, .. } => {
                bytes.truncate(SHOWN);
                Some(bytes)
            }
            _ => None,
        };
        true
    }
}

/// What the judge said of this symptom.
fn words(symptom: &Symptom, judged: &Judgement) -> String {
    if let Some(broken) = judged.violations.iter().find(|broken| broken.rule == symptom.rule) {
        return format!("{} (at {})", broken.message, broken.pointer);
    }
    if symptom.rule.ends_with("-lost") {
        let lost: Vec<_> = judged.lost.iter().map(|lost| format!("`{}`", shorten(lost, 60))).collect();
        return format!("not in the output: {}", lost.join(", "));
    }
    if let Some(reason) = judged.reasons.iter().find(|reason| reason.kind == symptom.rule) {
        return shorten(&reason.to_string(), 300);
    }
    match (&judged.difference, judged.failures.first()) {
        (_, Some(failure)) => failure.clone(),
        (Some(difference), None) => format!(
            "at {} stands {} where {} must stand",
            difference.pointer,
            shorten(&difference.actual, 200),
            shorten(&difference.expected, 200)
        ),
        (None, None) => judged.verdict.meaning().to_owned(),
    }
}

/// Without white space between its parts.
fn dense(json: &Json<'_>, _: &[String]) -> Vec<String> {
    let text = json.text();
    let mut out = String::with_capacity(text.len());
    let mut strings: Vec<_> = Vec::new();
    for index in 0..json.len() as u32 {
        let value = json.value(index);
        strings.extend(value.members().map(|(key, _)| key.span()));
        strings.extend((value.kind() == Kind::String).then(|| value.span()));
    }
    strings.sort_by_key(|span| span.start);
    let mut at = 0;
    for span in strings.into_iter().filter(|span| span.end <= text.len()) {
        if span.start < at {
            continue;
        }
        out.extend(text[at..span.start].split_ascii_whitespace());
        out.push_str(&text[span.start..span.end]);
        at = span.end;
    }
    out.extend(text[at..].split_ascii_whitespace());
    vec![out]
}

/// With one id shorter each, everywhere that it stands.
fn ids(json: &Json<'_>, must_keep: &[String]) -> Vec<String> {
    let text = json.text();
    let mut spans: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for value in values(json) {
        if let Some(string) = value.as_str().filter(|string| string.len() > 2) {
            spans.entry(string.into_owned()).or_default().push((value.span().start, value.span().end));
        }
    }
    let short = ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().find(|short| !spans.contains_key(*short));
    let Some(short) = short.filter(|short| !text.contains(&quote(short))) else { return Vec::new() };
    let several = spans.iter().filter(|(string, places)| places.len() > 1 && !must_keep.contains(string));
    several
        .map(|(_, places)| {
            let mut less = text.to_owned();
            for (start, end) in places.iter().rev() {
                less.replace_range(*start..*end, &quote(short));
            }
            less
        })
        .collect()
}

/// The strings that are values, without those that say what sort of thing something is.
fn values<'j>(json: &'j Json<'_>) -> Vec<Value<'j>> {
    let strings = (0..json.len() as u32).map(|index| json.value(index)).filter(|value| value.kind() == Kind::String);
    strings
        .filter(|value| {
            let pointer = value.pointer();
            // Keys are strings of the table too, and no values.
            resolve(json.root(), &pointer).is_some_and(|found| found.span() == value.span())
                && !SORTS.iter().any(|sort| pointer.ends_with(&format!("/{sort}")))
        })
        .collect()
}

/// Each list of several items without half of them, a quarter, an eighth.
fn halves(json: &Json<'_>, _: &[String]) -> Vec<String> {
    let text = json.text();
    let lists = (0..json.len() as u32).map(|index| json.value(index)).filter(|value| value.is_array());
    let longest = lists.max_by_key(|list| list.items().count());
    let Some(list) = longest else { return Vec::new() };
    let spans: Vec<_> = list.items().map(|item| (item.span().start, item.span().end)).collect();
    let mut out = Vec::new();
    for parts in [8, 4, 2] {
        let size = spans.len().div_ceil(parts);
        if size < 2 || size >= spans.len() {
            continue;
        }
        let mut from = 0;
        while from < spans.len() {
            let to = (from + size).min(spans.len());
            out.push(cut(text, &spans, from, to));
            from = to;
        }
    }
    out
}

/// Without one message or block each.
fn items(json: &Json<'_>, _: &[String]) -> Vec<String> {
    deletions(json.text()).iter().filter_map(|place| without(json.text(), place)).collect()
}

/// Without what shares one id or name each: a call goes with its result.
fn pairs(json: &Json<'_>, _: &[String]) -> Vec<String> {
    let text = json.text();
    let mut shared: BTreeMap<String, Vec<Value<'_>>> = BTreeMap::new();
    for value in values(json) {
        if let Some(string) = value.as_str() {
            shared.entry(string.into_owned()).or_default().push(value);
        }
    }
    let several = shared.into_values().filter(|places| (2..=MOST_SHARING).contains(&places.len()));
    let without_all = |places: Vec<Value<'_>>| {
        let items: Vec<Value<'_>> = places.iter().filter_map(|value| item_around(json, &value.pointer())).collect();
        let mut spans: Vec<_> = items.iter().map(|item| (item.span().start, item.pointer())).collect();
        spans.sort();
        spans.dedup();
        // From the end, so that places in front stay where they are; what stood in something that is gone is gone too.
        let mut less = text.to_owned();
        for (_, place) in spans.iter().rev() {
            if !spans.iter().any(|(_, around)| place.starts_with(&format!("{around}/"))) {
                less = without(&less, place)?;
            }
        }
        Some(less)
    };
    several.filter_map(without_all).collect()
}

/// The innermost item around a place of a list with more than one.
fn item_around<'j>(json: &'j Json<'_>, pointer: &str) -> Option<Value<'j>> {
    let mut place = pointer;
    loop {
        let (list, at) = place.rsplit_once('/')?;
        let several = resolve(json.root(), list).is_some_and(|list| list.is_array() && list.items().nth(1).is_some());
        if several && at.bytes().all(|byte| byte.is_ascii_digit()) {
            return resolve(json.root(), place);
        }
        place = list;
    }
}

/// Without one member of an object each.
fn members(json: &Json<'_>, _: &[String]) -> Vec<String> {
    let text = json.text();
    let mut out = Vec::new();
    for object in (0..json.len() as u32).map(|index| json.value(index)).filter(|value| value.is_object()) {
        let spans: Vec<_> = object.members().map(|(key, value)| (key.span().start, value.span().end)).collect();
        out.extend((0..spans.len()).map(|at| cut(text, &spans, at, at + 1)));
    }
    out
}

/// With one string shorter each: one letter, or the word of it that must survive, or the first half.
fn strings(json: &Json<'_>, must_keep: &[String]) -> Vec<String> {
    let text = json.text();
    let mut out = Vec::new();
    let mut put = |value: Value<'_>, new: &str| {
        let span = value.span();
        out.push(format!("{}{}{}", &text[..span.start], quote(new), &text[span.end..]));
    };
    for value in values(json) {
        let Some(string) = value.as_str().filter(|string| string.chars().nth(1).is_some()) else { continue };
        let half = string.chars().count() / 2;
        put(value, &string.chars().take(half).collect::<String>());
        if let Some(word) = must_keep.iter().find(|word| string.len() > word.len() && string.contains(word.as_str())) {
            put(value, word);
        }
        put(value, "a");
        if string.trim_start().starts_with('{') {
            put(value, "{}");
        }
    }
    out
}

/// A text without the parts `from..to` of a list of parts, and without their commas.
fn cut(text: &str, spans: &[(usize, usize)], from: usize, to: usize) -> String {
    let (start, end) = match (from, spans.get(to)) {
        (0, Some(next)) => (spans[0].0, next.0),
        (0, None) => (spans[0].0, spans[spans.len() - 1].1),
        _ => (spans[from - 1].1, spans[to - 1].1),
    };
    format!("{}{}", &text[..start], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    type Way = fn(&Json<'_>, &[String]) -> Vec<String>;

    fn parsed(text: &str) -> Json<'_> {
        Json::parse(text, &Limits::default()).expect("JSON")
    }

    #[test]
    fn what_is_cut_is_json_again() {
        let text =
            r#"{"messages":[ {"role":"user","content":"one two"} , {"a":1},{"b":[1,2,3,4]}, {"c":"{\"x\":1}"}]}"#;
        let json = parsed(text);
        let keep = ["two".to_owned()];
        for (ways, least) in [(halves as Way, 2), (items, 4), (members, 5), (strings, 6)] {
            let all = ways(&json, &keep);
            assert!(all.len() >= least, "{all:?}");
            for less in all {
                assert!(serde_json::from_str::<serde_json::Value>(&less).is_ok(), "{less}");
                assert_ne!(less, text);
            }
        }
        assert!(strings(&json, &keep).iter().any(|less| less.contains(r#""content":"two""#)));
        assert!(strings(&json, &keep).iter().all(|less| less.contains(r#""role":"user""#)));
        assert_eq!(members(&parsed(r#"{ "a" : 1 }"#), &[]), ["{  }"]);
        assert_eq!(dense(&parsed(" { \"a b\" : [ 1 , \" c \" ,null ] }\n"), &[]), [r#"{"a b":[1," c ",null]}"#]);
        let pair = r#"[{"id":"call_1","role":"call_1"},{"id":"call_1"},"b"]"#;
        assert_eq!(ids(&parsed(pair), &[]), [r#"[{"id":"a","role":"call_1"},{"id":"a"},"b"]"#]);
        assert!(ids(&parsed(pair), &["call_1".to_owned()]).is_empty());
        let talk =
            r#"{"m":[{"calls":[{"id":"a"},{"id":"b"}]},{"of":"a"},{"of":"b"},{"calls":[{"id":"c"}]},{"of":"c"}]}"#;
        assert_eq!(
            pairs(&parsed(talk), &[]),
            [
                r#"{"m":[{"calls":[{"id":"b"}]},{"of":"b"},{"calls":[{"id":"c"}]},{"of":"c"}]}"#,
                r#"{"m":[{"calls":[{"id":"a"}]},{"of":"a"},{"calls":[{"id":"c"}]},{"of":"c"}]}"#,
                r#"{"m":[{"calls":[{"id":"a"},{"id":"b"}]},{"of":"a"},{"of":"b"}]}"#,
            ]
        );
    }
}
