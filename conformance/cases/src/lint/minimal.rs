//! Minimal cases: whatever can go without taking a repair with it should not be there.
//!
//! A message or a block is taken out and the reference asked again, for every target of the case. If it reports the same rules
//! for all of them as before, nothing of the fault depends on what was taken out. A valid transcript is no subject of this:
//! identity cases are large on purpose.

use wirecanon_core::json::{Json, Limits, Value, resolve};
use wirecanon_core::{Dialect, Options, Target, fix};
use wirecanon_judge::case::{Case, Form};

use super::{Entry, Found};
use crate::conversion::targets_of;

/// Messages and blocks that a case may have and still be looked at: what is larger is so on purpose.
const MOST: usize = 60;

pub(super) fn find(entry: &Entry<'_>, case: &Case, found: &mut Found<'_>) {
    if case.is_identity() || case.whole.is_some() || case.retired.is_some() {
        return;
    }
    let Ok(text) = std::str::from_utf8(&case.input) else { return };
    let places = deletions(text);
    if places.len() > MOST {
        return;
    }
    let targets: Vec<&Target> = targets_of(case).collect();
    let before: Vec<Fired> = targets.iter().map(|target| Fired::of(text, case.from, target)).collect();
    if before.iter().all(Fired::is_nothing) {
        return;
    }
    for place in &places {
        let Some(less) = without(text, place) else { continue };
        let same = targets.iter().zip(&before).all(|(target, before)| Fired::of(&less, case.from, target) == *before);
        if same {
            let pointer =
                if case.form == Form::Json { format!("/input{place}") } else { format!("/{}", case.input_key()) };
            let message = format!("without {place} of the input the same repairs fire for every target");
            let cure = "take it away, or say under `whole` why it must stay";
            found.under(entry, &pointer, message, cure);
        }
    }
}

/// What a conversion reports: rules with how often, or why it was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fired {
    /// Rules, sorted
    Rules(Vec<String>),
    /// Code of the refusal
    Refused(&'static str),
}

impl Fired {
    /// What the reference reports of a text.
    pub fn of(text: &str, from: Dialect, target: &Target) -> Self {
        match fix(text.as_bytes(), &Options::new().from(from).to(target)) {
            Ok(fixed) => {
                let mut rules: Vec<_> = fixed.report.repairs.iter().map(|repair| repair.rule.to_owned()).collect();
                rules.sort();
                Self::Rules(rules)
            }
            Err(error) => Self::Refused(error.kind().refusal_code()),
        }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Self::Rules(rules) if rules.is_empty())
    }
}

/// Keys under which stand the words of a program or a tool, and no blocks.
const INNER: [&str; 14] = [
    "arguments",
    "args",
    "argumentsJson",
    "input_schema",
    "inputSchema",
    "json",
    "metadata",
    "_meta",
    "parameters",
    "response",
    "schema",
    "structuredContent",
    "toolConfig",
    "tools",
];

/// JSON Pointers of all messages and blocks of an input, in their order. What stands alone in its list is none of them: a
/// message without anything in it is no smaller message, but another fault.
pub fn deletions(text: &str) -> Vec<String> {
    let Ok(json) = Json::parse(text, &Limits::default()) else { return Vec::new() };
    let mut places = Vec::new();
    let mut todo = vec![(json.root(), 0)];
    while let Some((value, depth)) = todo.pop() {
        if value.is_array() {
            let several = value.items().nth(1).is_some();
            for item in value.items() {
                if several {
                    places.push((item.span().start, item.pointer()));
                }
                if item.is_object() {
                    todo.push((item, depth + 1));
                }
            }
        } else {
            // The list of messages may be called as the arguments of a call are.
            let inner = |key: &str| INNER.contains(&key) || key == "input" && depth > 0;
            let lists = value.members().filter(|(key, _)| key.as_str().is_some_and(|key| !inner(&key)));
            todo.extend(
                lists.map(|(_, member)| (member, depth)).filter(|(member, _)| member.is_array() || member.is_object()),
            );
        }
    }
    places.sort();
    places.into_iter().map(|(_, pointer)| pointer).collect()
}

/// A text without one item of a list.
pub fn without(text: &str, place: &str) -> Option<String> {
    let json = Json::parse(text, &Limits::default()).ok()?;
    let item = resolve(json.root(), place)?;
    let (list, at) = place.rsplit_once('/')?;
    let list = resolve(json.root(), list).filter(|list| list.is_array())?;
    let at: usize = at.parse().ok()?;
    let items: Vec<Value<'_>> = list.items().collect();
    // With the comma in front of it, or the one behind the first.
    let (start, end) = match (at, items.get(at + 1)) {
        (0, Some(next)) => (item.span().start, next.span().start),
        (0, None) => (item.span().start, item.span().end),
        _ => (items.get(at - 1)?.span().end, item.span().end),
    };
    Some(format!("{}{}", &text[..start], &text[end..]))
}

/// A text cut down until no message and no block can go without changing what `same` looks at.
pub fn shrink(text: &str, same: &dyn Fn(&str) -> bool) -> String {
    let mut text = text.to_owned();
    loop {
        let smaller =
            deletions(&text).iter().rev().filter_map(|place| without(&text, place)).find(|smaller| same(smaller));
        match smaller {
            Some(smaller) => text = smaller,
            None => return text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_blocks_can_go_and_the_words_of_tools_cannot() {
        let text = r#"{"messages":[{"content":[{"type":"text"}, {"input":[{"a":1},{}]}]} , {"content":{"parts":[{"x":1}]}}],"tools":[{},{}]}"#;
        assert_eq!(deletions(text), ["/messages/0", "/messages/0/content/0", "/messages/0/content/1", "/messages/1"]);
        assert_eq!(deletions(r#"{"input":[{"type":"message"},"a"]}"#), ["/input/0", "/input/1"]);
        assert_eq!(without("[{ },{}, 3]", "/0").unwrap(), "[{}, 3]");
        assert_eq!(without("[{},{} , 3]", "/1").unwrap(), "[{} , 3]");
        assert_eq!(without("[ {} ]", "/0").unwrap(), "[  ]");
        assert_eq!(without("[{}]", "/1"), None);
    }

    #[test]
    fn a_text_shrinks_to_what_matters() {
        let text = r#"{"messages":[{"a":1},{"content":[{"b":1},{"keep":1},{"c":1}]},{"d":1}]}"#;
        assert_eq!(shrink(text, &|text| text.contains("keep")), r#"{"messages":[{"content":[{"keep":1}]}]}"#);
    }
}
