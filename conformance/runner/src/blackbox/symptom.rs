//! What is wrong with an answer, without what differs from input to input; and what is new about one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use wirecanon_core::json::{Json, Kind, Limits, Value, resolve};
use wirecanon_core::{Dialect, Target};
use wirecanon_judge::case::Case;
use wirecanon_judge::judge::Judgement;
use wirecanon_judge::loss;
use wirecanon_judge::verdict::Verdict;

use crate::dice::digest;
use crate::testee::Answer;

/// Values of an output that are looked at for its shape.
const MOST_VALUES: u32 = 4000;

/// Keys deeper than this are no part of a shape.
const DEPTH: usize = 9;

/// Keys whose value says what sort of thing an object is.
const SORTS: [&str; 3] = ["role", "type", "state"];

/// Keys under which stand the words of a program or a tool, whose keys are anybody's.
const INNER: [&str; 10] =
    ["arguments", "args", "input", "json", "metadata", "_meta", "parameters", "response", "structuredContent", "data"];

/// One cause of findings: two answers with the same symptom are one finding.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Symptom {
    /// Dialect of the input
    pub from: String,
    /// Dialect of the output
    pub to: String,
    /// The verdict
    pub verdict: String,
    /// The rule that is broken, or what happened
    pub rule: String,
    /// Where or how: a place without numbers, a message without what was quoted
    pub shape: String,
}

/// Everything that is wrong with an answer; empty if it is as it must be.
pub(super) fn symptoms(case: &Case, target: &Target, judged: &Judgement) -> BTreeSet<Symptom> {
    let mut all = BTreeSet::new();
    if judged.ok {
        return all;
    }
    let mut put = |rule: &str, shape: String| {
        all.insert(Symptom {
            from: case.from.name().to_owned(),
            to: target.dialect.name().to_owned(),
            verdict: judged.verdict.name().to_owned(),
            rule: rule.to_owned(),
            shape,
        });
    };
    for violation in &judged.violations {
        put(&violation.rule, place(below_the_list(&violation.pointer, target.dialect)));
    }
    if !judged.lost.is_empty() {
        let text = String::from_utf8_lossy(&case.input);
        let json = Json::parse(text.trim_start_matches('\u{feff}'), &Limits::default()).ok();
        for lost in &judged.lost {
            let rule = if loss::is_media(lost) { "media-lost" } else { "text-lost" };
            put(rule, json.as_ref().map_or_else(String::new, |json| home(json, lost, case.from)));
        }
    }
    for reason in &judged.reasons {
        let shape = reason.answer.as_deref().map(|pointer| place(below_the_list(pointer, target.dialect)));
        put(&reason.kind, shape.unwrap_or_default());
    }
    if judged.violations.is_empty() && judged.lost.is_empty() && judged.reasons.is_empty() {
        let rule = match judged.verdict {
            Verdict::Faithful | Verdict::Lossy | Verdict::Exact => "outcome-differs",
            other => other.name(),
        };
        let shape = match &judged.difference {
            Some(difference) => place(below_the_list(&difference.pointer, target.dialect)),
            None => judged.failures.first().map(|message| wording(message)).unwrap_or_default(),
        };
        put(rule, shape);
    }
    all
}

/// A pointer below the list of messages, which may stand alone or in an object.
fn below_the_list(pointer: &str, dialect: Dialect) -> &str {
    let mut rests = dialect.list_keys().iter().filter_map(|key| pointer.strip_prefix('/')?.strip_prefix(key));
    rests.find(|rest| rest.starts_with('/')).unwrap_or(pointer)
}

/// A pointer without numbers and without keys that are anybody's.
pub(super) fn place(pointer: &str) -> String {
    let mut out = String::new();
    let mut inner = false;
    for part in pointer.split('/').skip(1) {
        out.push('/');
        let plain = part.len() <= 24 && part.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'));
        if inner {
            out.push('…');
            break;
        }
        out.push_str(if plain { part } else { "*" });
        inner = INNER.contains(&part);
    }
    out
}

/// Where a word stands in an input, with what says what sort of thing that is.
fn home(json: &Json<'_>, word: &str, from: Dialect) -> String {
    let holds = |value: &Value<'_>| {
        value.kind() == Kind::String && value.as_str().is_some_and(|text| text.contains(word))
            || value.kind() == Kind::Number && value.raw() == word
    };
    let Some(pointer) = (0..json.len() as u32).map(|index| json.value(index)).find(holds).map(Value::pointer) else {
        return String::new();
    };
    let mut sorts = Vec::new();
    let ends = pointer.match_indices('/').map(|(at, _)| at).chain([pointer.len()]);
    for end in ends {
        let Some(value) = resolve(json.root(), &pointer[..end]).filter(|value| value.is_object()) else { continue };
        for key in SORTS {
            if let Some(sort) = value.get(key).and_then(Value::as_str).filter(|sort| is_word(sort)) {
                sorts.push(sort.into_owned());
            }
        }
    }
    sorts.push(place(below_the_list(&pointer, from)));
    sorts.join(" ")
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.len() <= 24 && text.bytes().all(|byte| byte.is_ascii_alphabetic() || b"_-".contains(&byte))
}

/// A message without what it quotes, without numbers, and not too long.
pub(super) fn wording(message: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for c in message.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => continue,
            None if matches!(c, '"' | '`') || c == '\'' && !out.ends_with(char::is_alphanumeric) => {
                quote = Some(c);
                out.push('…');
            }
            None if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            None if c.is_whitespace() || c.is_control() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            None => out.push(c),
        }
        if out.len() > 160 {
            break;
        }
    }
    out.trim().to_owned()
}

/// What there is to be new about an answer: its verdict, its symptoms, the defects that led there, the shape of what came out.
pub(super) fn features(
    from: Dialect,
    target: &Target,
    faults: &[&'static str],
    answer: &Answer,
    judged: &Judgement,
    symptoms: &BTreeSet<Symptom>,
) -> Vec<u64> {
    let (from, to, verdict) = (from.name(), target.dialect.name(), judged.verdict.name());
    let mut all = vec![digest(["verdict", from, &target.name, verdict])];
    all.extend(faults.iter().map(|fault| digest(["defect", fault, from, to, verdict])));
    all.extend(symptoms.iter().map(|one| digest(["symptom", from, to, &one.verdict, &one.rule, &one.shape])));
    match answer {
        Answer::Output { bytes, .. } => shape(to, &String::from_utf8_lossy(bytes), &mut all),
        Answer::Refused { code, message } => all.push(digest(["refused", from, to, code, &wording(message)])),
        Answer::Crashed(message) | Answer::Garbage(message) => {
            all.push(digest([verdict, from, to, &wording(message)]));
        }
        Answer::Hung(_) | Answer::Unsupported(_) | Answer::Environment(_) => {}
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Every place of an output with the kind of value there, the sorts of objects, and how many there are, roughly.
fn shape(to: &str, text: &str, all: &mut Vec<u64>) {
    let Ok(json) = Json::parse(text, &Limits::default()) else { return };
    let mut todo = vec![(json.root(), digest(["shape", to]), 0)];
    let mut left = MOST_VALUES;
    while let Some((value, path, depth)) = todo.pop() {
        left -= 1;
        if left == 0 || depth > DEPTH {
            return;
        }
        let kind = match value.kind() {
            Kind::Null => "null",
            Kind::Bool => "bool",
            Kind::Number => "number",
            Kind::String => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        };
        let path_text = path.to_string();
        all.push(digest([path_text.as_str(), kind]));
        if value.is_array() {
            let items: Vec<_> = value.items().collect();
            // 0, 1, 2, 4, 8, …: more of the same is news only when it is much more.
            let size = (items.len() + 1).next_power_of_two().trailing_zeros().to_string();
            all.push(digest([path_text.as_str(), "items", &size]));
            let below = digest([path_text.as_str(), "*"]);
            todo.extend(items.into_iter().map(|item| (item, below, depth + 1)));
        } else if value.is_object() {
            let mut sort = String::new();
            for key in SORTS {
                if let Some(word) = value.get(key).and_then(Value::as_str).filter(|word| is_word(word)) {
                    sort.push_str(&word);
                    sort.push(' ');
                }
            }
            let own = digest([path_text.as_str(), &sort]).to_string();
            for (key, member) in value.members() {
                let key = key.as_str().unwrap_or(Cow::Borrowed(""));
                let below = digest([own.as_str(), &key]);
                if INNER.contains(&key.as_ref()) {
                    all.push(digest([below.to_string().as_str(), "inner"]));
                } else if is_word(&key) {
                    todo.push((member, below, depth + 1));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_input_to_input_is_left_out() {
        assert_eq!(place("/messages/12/content/0/text"), "/messages/*/content/*/text");
        assert_eq!(
            place("/messages/1/tool_calls/0/function/arguments/x7/y"),
            "/messages/*/tool_calls/*/function/arguments/…"
        );
        assert_eq!(place(""), "");
        assert_eq!(below_the_list("/messages/1/content", Dialect::OpenAiChat), "/1/content");
        assert_eq!(below_the_list("/system/1", Dialect::AnthropicMessages), "/system/1");
        assert_eq!(wording("KeyError: 'call_a7'\n  at line 12"), "KeyError: … at line #");
        assert_eq!(wording("it's \"a\" `b` 1.5"), "it's … … #.#");
    }

    #[test]
    fn a_word_is_known_by_the_company_it_keeps() {
        let json = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"one lost two"}]}]}"#;
        let json = Json::parse(json, &Limits::default()).unwrap();
        assert_eq!(home(&json, "lost", Dialect::OpenAiChat), "user text /*/content/*/text");
        assert_eq!(home(&json, "nowhere", Dialect::OpenAiChat), "");
    }

    #[test]
    fn the_same_shape_is_not_new_and_another_is() {
        let of = |text: &str| {
            let mut all = Vec::new();
            shape("x", text, &mut all);
            all.into_iter().collect::<BTreeSet<_>>()
        };
        let first = of(r#"{"messages":[{"role":"user","content":"a"}]}"#);
        assert_eq!(of(r#"{"messages":[{"role":"user","content":"b"}]}"#), first);
        assert!(!of(r#"{"messages":[{"role":"tool","content":"b"}]}"#).is_subset(&first));
        assert!(!of(r#"{"messages":[{"role":"user","content":null}]}"#).is_subset(&first));
        let inner = r#"{"messages":[{"role":"user","content":"b","input":{"NAME":1}}]}"#;
        assert_eq!(of(&inner.replace("NAME", "a")), of(&inner.replace("NAME", "b")));
    }
}
