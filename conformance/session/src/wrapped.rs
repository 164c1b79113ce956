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
    ("values", STATE),
    ("requests", "a batch of requests"),
    ("runs", RUN),
];

/// Members that say where a request went.
const ADDRESSES: &[&str] = &["url", "path", "endpoint"];

/// How the path of an address ends, and what is spoken there. What other servers than OpenAI's take at `chat/completions` is told by
/// the text, as everywhere.
const ENDPOINTS: &[(&str, Dialect)] = &[
    ("/v1/messages", Dialect::AnthropicMessages),
    ("/v1/chat/completions", Dialect::OpenAiChat),
    ("/v1/responses", Dialect::OpenAiResponses),
    (":generateContent", Dialect::GeminiContents),
    (":streamGenerateContent", Dialect::GeminiContents),
    ("/converse", Dialect::BedrockConverse),
    ("/converse-stream", Dialect::BedrockConverse),
    ("/v2/chat", Dialect::CohereV2),
    ("/api/chat", Dialect::OllamaChat),
];

/// The one server that speaks OpenAI's dialect by its full address; a batch names the path alone.
const OPENAI: &str = "https://api.openai.com/";

const DUMP: &str = "a request dump";
const RUN: &str = "a LangSmith run";
const STATE: &str = "a LangGraph state";

/// Where a transcript stands, and its dialect where that is known.
pub(super) type Place = (Range<usize>, Option<Dialect>);

/// Objects and lists that may stand around a transcript.
const DEEPEST: usize = 3;

/// Whether a title of [`inside`] is of something that a program keeps, not of something that it sent.
pub(super) fn is_stored(title: &str) -> bool {
    title == STATE
}

/// What this is with its article, and where its transcripts stand; nothing where it is itself one, or holds none.
pub(super) fn inside(root: Value<'_>) -> (Option<&'static str>, Vec<Place>) {
    let has_list = ["messages", "contents"].iter().any(|key| root.get(key).is_some_and(Value::is_array));
    if has_list || is_transcript(root) || is_spoken(root) || root.items().any(is_spoken) {
        return (None, Vec::new());
    }
    let (mut title, mut found) = (None, Vec::new());
    look(
        root,
        DEEPEST,
        &mut |value, name, dialect| {
            title = title.or(Some(name));
            found.push((value.span(), dialect));
        },
        ("a list of requests", None),
    );
    if found.is_empty() { (None, found) } else { (title, found) }
}

/// What is done with a transcript that was found: its title and its dialect, if an address says it.
type Tell<'t, 'a> = &'t mut dyn FnMut(Value<'a>, &'static str, Option<Dialect>);

/// Tells of each transcript below a value that is no message. Recursion ends at [`DEEPEST`].
fn look<'a>(value: Value<'a>, depth: usize, tell: Tell<'_, 'a>, (name, spoken): (&'static str, Option<Dialect>)) {
    if depth == 0 || is_spoken(value) {
        return;
    }
    if value.is_array() {
        for item in value.items().filter(|item| item.is_object()) {
            if is_transcript(item) {
                tell(item, name, spoken);
            } else {
                look(item, depth - 1, tell, (name, spoken));
            }
        }
        return;
    }
    let spoken = spoken_at(value).or(spoken);
    for (key, name) in HOLDERS {
        let Some(held) = value.get(key) else { continue };
        // A chat model of LangChain is given a list of lists.
        let lists = held.get("messages").filter(|list| list.is_array()).into_iter().flat_map(Value::items);
        let lists: Vec<_> = lists.take_while(|list| list.is_array() && list.items().all(Value::is_object)).collect();
        if is_transcript(held) {
            tell(held, name, spoken);
        } else if lists.is_empty() {
            look(held, depth - 1, tell, (name, spoken));
        } else {
            lists.into_iter().filter(|list| list.items().any(is_message)).for_each(|list| tell(list, name, spoken));
        }
    }
}

/// What is spoken at the address that an object says its request went to. A batch of Anthropic has none, and calls its bodies `params`.
fn spoken_at(request: Value<'_>) -> Option<Dialect> {
    if request.get("custom_id").is_some() && request.get("params").is_some_and(Value::is_object) {
        return Some(Dialect::AnthropicMessages);
    }
    let address = ADDRESSES.iter().find_map(|key| request.get(key)?.as_str())?;
    let path = address.split(['?', '#']).next()?;
    let (_, dialect) = ENDPOINTS.iter().find(|(end, _)| path.ends_with(end))?;
    let is_sure = *dialect != Dialect::OpenAiChat || path.starts_with('/') || path.starts_with(OPENAI);
    is_sure.then_some(*dialect)
}

/// Whether this is a request body or the like: an object with a list of messages.
pub(super) fn is_transcript(value: Value<'_>) -> bool {
    let lists = ["messages", "input", "contents"].into_iter().filter_map(|key| value.get(key));
    lists.into_iter().any(|list| list.items().any(|item| is_message(item) || is_reference(item)))
}

/// Returns whether a value is a reference to an item that OpenAI stored: it may leave out its type.
fn is_reference(value: Value<'_>) -> bool {
    value.get("id").is_some_and(Value::is_string) && value.members().count() == 1
}

/// Returns whether a value is a message, an item of a conversation or a tool result. Nothing inside one is another document, whatever
/// its members are called.
fn is_spoken(value: Value<'_>) -> bool {
    ["role", "content", "parts", "call_id"].iter().any(|key| value.get(key).is_some())
}

/// Whether something says who speaks, or what this is.
pub(super) fn is_message(value: Value<'_>) -> bool {
    ["role", "type", "parts", "lc"].iter().any(|key| value.get(key).is_some())
}
