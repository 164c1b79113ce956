//! Streams of a provider's events, read to the message that they make.
//!
//! A log of a streamed answer holds no message: it holds server-sent events (WHATWG HTML, section 9.2), or lines of JSON, as Ollama
//! sends them (ollama/ollama docs/api.md, chat) and SDKs log the events of others, each with a piece. [`message`] puts
//! the pieces together as the providers' own SDKs do, into the response that the same request would have got without
//! streaming. Nothing is mended on the way: arguments that broke off stay broken off, for [`crate::pipeline::fix`] to say so.

pub(crate) mod object;

use crate::dialects::{anthropic_messages, cohere_v2, gemini_contents, ollama_chat, openai_chat, openai_responses};
use wirecanon_json::{Json, Limits, Value, position};
use wirecanon_model::{Dialect, Error, ErrorKind};

/// What a stream made.
///
/// ```
/// use wirecanon_core::json::Limits;
/// use wirecanon_core::{Dialect, stream};
///
/// let log = b"data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"hel\"}}]}\n\n";
/// let streamed = stream::message(log, &Limits::default())?;
/// assert_eq!((streamed.dialect, streamed.events), (Dialect::OpenAiChat, 1));
/// assert!(!streamed.ended, "it broke off");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streamed {
    /// Dialect of the response
    pub dialect: Dialect,
    /// The response, as JSON
    pub document: String,
    /// Events with data that were read
    pub events: usize,
    /// Whether the stream came to its end
    pub ended: bool,
}

/// Puts together what the events of one provider bring.
pub(crate) trait Assembly {
    /// Takes one event.
    fn take(&mut self, event: Value<'_>);
    /// Whether the last event came.
    fn ended(&self) -> bool;
    /// The response so far.
    fn document(&self) -> String;
}

/// A provider's events: how they are known, and what takes them.
struct Provider {
    dialect: Dialect,
    knows: fn(Value<'_>) -> bool,
    assembly: fn() -> Box<dyn Assembly>,
}

/// In the order in which they are asked.
const PROVIDERS: [Provider; 6] = [
    Provider {
        dialect: Dialect::AnthropicMessages,
        knows: |event| is_typed(event, |kind| kind == "message_start" || kind.starts_with("content_block_")),
        assembly: || Box::<anthropic_messages::stream::Message>::default(),
    },
    Provider {
        dialect: Dialect::OpenAiResponses,
        knows: |event| is_typed(event, |kind| kind.starts_with("response.")),
        assembly: || Box::<openai_responses::stream::Response>::default(),
    },
    Provider {
        dialect: Dialect::CohereV2,
        knows: |event| is_typed(event, |kind| kind == "message-start" || kind.starts_with("content-")),
        assembly: || Box::<cohere_v2::stream::Message>::default(),
    },
    Provider {
        dialect: Dialect::OpenAiChat,
        knows: |event| event.get("choices").is_some_and(Value::is_array),
        assembly: || Box::<openai_chat::stream::Completion>::default(),
    },
    Provider {
        dialect: Dialect::GeminiContents,
        knows: |event| event.get("candidates").is_some_and(Value::is_array),
        assembly: || Box::<gemini_contents::stream::Response>::default(),
    },
    Provider {
        dialect: Dialect::OllamaChat,
        knows: ollama_chat::stream::is_line,
        assembly: || Box::<ollama_chat::stream::Response>::default(),
    },
];

fn is_typed(event: Value<'_>, is: impl Fn(&str) -> bool) -> bool {
    event.get("type").and_then(Value::as_str).is_some_and(|kind| is(&kind))
}

/// Whether a text is a stream: its first line is a field of an event, or a comment, as no JSON begins; or it is an event by itself,
/// as Ollama sends them and logs keep those of other providers.
///
/// ```
/// use wirecanon_core::stream::is_stream;
///
/// assert!(is_stream(b"event: message_start\ndata: {}\n\n"));
/// assert!(is_stream(b"{\"message\":{\"role\":\"assistant\",\"content\":\"hel\"},\"done\":false}\n"));
/// assert!(!is_stream(b"{\"data\": 1}"));
/// ```
pub fn is_stream(bytes: &[u8]) -> bool {
    let bytes = without_mark(bytes);
    [&b"event:"[..], b"data:", b"id:", b"retry:", b":"].iter().any(|field| bytes.starts_with(field))
        || begins_with_a_piece(bytes)
}

/// A text from its first line on: a byte order mark and white space may stand in front.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start()
}

/// Most bytes of a line that is looked at to tell whether it is a piece of an answer: a piece is short, and a transcript may be one line.
const LONGEST_PIECE: usize = 1 << 16;

/// Returns true for a line that holds a whole event of a provider, as a log without the `data:` of server-sent events has it. What
/// could be a whole response says that there is more to come.
fn is_event(event: Value<'_>) -> bool {
    const KINDS: [&str; 3] = ["message_start", "message-start", "response.created"];
    let first = |key: &str| event.get(key).and_then(|list| list.items().next());
    let has = |value: Value<'_>, key: &str| value.get(key).is_some_and(|value| !value.is_null());
    is_typed(event, |kind| KINDS.contains(&kind))
        || first("choices").is_some_and(|choice| choice.get("delta").is_some_and(Value::is_object))
        || event.get("object").is_some_and(|object| object.is_str("chat.completion.chunk"))
        || first("candidates").is_some_and(|candidate| !has(candidate, "finishReason") && has(candidate, "content"))
        || ollama_chat::stream::is_line(event) && event.get("done").and_then(Value::as_bool) == Some(false)
}

/// Returns true if the first line is an event of a provider, with more to come.
fn begins_with_a_piece(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(LONGEST_PIECE)];
    let Some(end) = head.iter().position(|byte| *byte == b'\n').filter(|_| head.starts_with(b"{")) else {
        return false;
    };
    let Ok(line) = std::str::from_utf8(&head[..end]) else { return false };
    Json::parse(line, &Limits::default()).is_ok_and(|json| is_event(json.root()))
}

/// Reads a stream to the response that it makes. Linear in the text.
///
/// # Errors
///
/// The text is not UTF-8, the data of an event that ended is no JSON, or no event is one of a provider that is known.
///
/// ```
/// use wirecanon_core::json::Limits;
/// use wirecanon_core::{Dialect, Options, fix, stream};
///
/// let log = b"data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"hel\"}}]}\n\n\
///     data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
/// let streamed = stream::message(log, &Limits::default())?;
/// let fixed = fix(streamed.document.as_bytes(), &Options::new().from(streamed.dialect).to(Dialect::Canonical))?;
/// assert!(String::from_utf8_lossy(&fixed.output).contains("hello"));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
pub fn message(bytes: &[u8], limits: &Limits) -> Result<Streamed, Error> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        Error::new(ErrorKind::NotJson, "the stream is not UTF-8").at(position(&before, before.len()))
    })?;
    let mut assembly: Option<(Dialect, Box<dyn Assembly>)> = None;
    let (mut events, mut done) = (0, false);
    let by_line = begins_with_a_piece(without_mark(bytes));
    let events_of: Box<dyn Iterator<Item = (usize, String)>> =
        if by_line { Box::new(lines(text)) } else { Box::new(data(text)) };
    let mut all = events_of.peekable();
    while let Some((offset, data)) = all.next() {
        if data.trim() == "[DONE]" {
            done = true;
            continue;
        }
        let json = match Json::parse(&data, limits).map_err(Error::from) {
            Ok(json) => json,
            // What came before is read.
            Err(error) if assembly.is_some() && all.peek().is_none() && breaks_off(text, &error, by_line) => break,
            Err(error) => {
                let (what, hint) = if by_line {
                    ("a line of the stream", "each line of such a stream is whole JSON")
                } else {
                    ("the data of an event", "a line of data is whole JSON, or `[DONE]`")
                };
                return Err(Error::new(error.kind(), format!("{what} is no JSON: {}", error.message()))
                    .at(position(text, offset))
                    .with_hint(hint));
            }
        };
        let event = json.root();
        events += 1;
        if assembly.is_none() {
            let provider = PROVIDERS.iter().find(|provider| (provider.knows)(event));
            assembly = provider.map(|provider| (provider.dialect, (provider.assembly)()));
        }
        if let Some((_, assembly)) = &mut assembly {
            assembly.take(event);
        }
    }
    let Some((dialect, assembly)) = assembly else {
        return Err(Error::new(ErrorKind::Undetected, "no event of the stream is one of a provider that is known")
            .with_hint(
                "known are those of Anthropic, OpenAI (both APIs and what speaks like them), Gemini, Cohere and Ollama",
            ));
    };
    Ok(Streamed { dialect, document: assembly.document(), events, ended: done || assembly.ended() })
}

/// Whether the last event, whose data is no JSON, did not end: the connection was gone in the midst of it.
fn breaks_off(text: &str, error: &Error, by_line: bool) -> bool {
    let ends: &[&str] = if by_line { &["\n"] } else { &["\n\n", "\r\r", "\n\r\n"] };
    matches!(error.kind(), ErrorKind::NotJson | ErrorKind::Truncated) && !ends.iter().any(|end| text.ends_with(end))
}

/// Each line that says something, with the place where it begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let begin = at;
        at += line.len();
        let said = line.trim_start_matches('\u{feff}').trim();
        (!said.is_empty()).then(|| (begin, said.to_owned()))
    })
}

/// The data of each event that has any, with the place where it begins. Its lines are joined as the specification says.
fn data(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    std::iter::from_fn(move || {
        let mut found: Option<(usize, String)> = None;
        while !rest.is_empty() {
            let begin = text.len() - rest.len();
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let line = &rest[..end];
            let eol = if rest[end..].starts_with("\r\n") { 2 } else { usize::from(end < rest.len()) };
            rest = &rest[end + eol..];
            if line.is_empty() {
                if found.is_some() {
                    break;
                }
                continue;
            }
            let Some(value) = line.strip_prefix("data:") else { continue };
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut found {
                Some((_, data)) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => found = Some((begin, value.to_owned())),
            }
        }
        found
    })
}

#[cfg(test)]
mod tests;
