//! Documents that hold a transcript somewhere inside: dumps of requests, batches, runs of `LangSmith`, states of `LangGraph`.

use std::ops::Range;

use wirecanon_core::Dialect;
use wirecanon_core::json::Value;

/// Keys under which a request body, or something that holds one, stands.
const HOLDERS: &[(&str, &str)] = &[
    ("body", DUMP),
    ("request", DUMP),
    ("request_body", DUMP),
    ("json_data", DUMP),
    ("kwargs", DUMP),
    ("params", DUMP),
    ("inputs", RUN),
    ("outputs", RUN),
    ("values", "a LangGraph state"),
    ("requests", "a batch of requests"),
    ("runs", RUN),
];

const DUMP: &str = "a request dump";
const RUN: &str = "a LangSmith run";

/// Where a transcript stands, and its dialect where that is known.
pub(super) type Place = (Range<usize>, Option<Dialect>);

/// Objects and lists that may stand around a transcript.
const DEEPEST: usize = 3;

/// What this is with its article, and where its transcripts stand; nothing where it is itself one, or holds none.
pub(super) fn inside(root: Value<'_>) -> (Option<&'static str>, Vec<Place>) {
    if is_transcript(root) {
        return (None, Vec::new());
    }
    let (mut title, mut found) = (None, Vec::new());
    look(
        root,
        DEEPEST,
        &mut |value, name| {
            title = title.or(Some(name));
            found.push((value.span(), None));
        },
        "a list of requests",
    );
    if found.is_empty() { (None, found) } else { (title, found) }
}

/// Tells of each transcript below a value. Recursion ends at [`DEEPEST`].
fn look<'a>(value: Value<'a>, depth: usize, tell: &mut dyn FnMut(Value<'a>, &'static str), name: &'static str) {
    if depth == 0 {
        return;
    }
    if value.is_array() {
        return value
            .items()
            .filter(|item| item.is_object())
            .for_each(|item| if is_transcript(item) { tell(item, name) } else { look(item, depth - 1, tell, name) });
    }
    for (key, name) in HOLDERS {
        let Some(held) = value.get(key) else { continue };
        // A chat model of LangChain is given a list of lists.
        let lists = held.get("messages").filter(|list| list.is_array()).into_iter().flat_map(Value::items);
        let lists: Vec<_> = lists.take_while(|list| list.is_array() && list.items().all(Value::is_object)).collect();
        if is_transcript(held) {
            tell(held, name);
        } else if lists.is_empty() {
            look(held, depth - 1, tell, name);
        } else {
            lists.into_iter().filter(|list| list.items().any(is_message)).for_each(|list| tell(list, name));
        }
    }
}

/// Whether this is a request body or the like: an object with a list of messages.
pub(super) fn is_transcript(value: Value<'_>) -> bool {
    let lists = ["messages", "input", "contents"].into_iter().filter_map(|key| value.get(key));
    lists.into_iter().any(|list| list.items().any(is_message))
}

/// Whether something says who speaks, or what this is.
pub(super) fn is_message(value: Value<'_>) -> bool {
    ["role", "type", "parts", "lc"].iter().any(|key| value.get(key).is_some())
}
