//! From bytes to the messages that are judged.

use std::borrow::Cow;

use crate::dialects::langchain;
use wirecanon_json::{Json, Limits, Value, parse_lines, position};
use wirecanon_model::{Error, ErrorKind};

/// The input as text, and what was odd about its bytes.
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) byte_order_mark: bool,
    pub(super) invalid_utf_8: bool,
}

impl<'a> Decoded<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let rest = bytes.strip_prefix(b"\xEF\xBB\xBF");
        let bytes = rest.unwrap_or(bytes);
        let text = simdutf8::basic::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
        // A lossy copy is made exactly when something was not UTF-8.
        let invalid_utf_8 = matches!(text, Cow::Owned(_));
        Self { text, byte_order_mark: rest.is_some(), invalid_utf_8 }
    }
}

/// Reads JSON Lines, one message a line.
///
/// # Errors
///
/// The lines are not each one JSON value: `whole`, the error of the text as one value, or, when the first line is a value,
/// the error of the first line that is none. A line that holds a whole transcript is no message.
pub(super) fn read_lines(text: &str, limits: Limits, whole: Error) -> Result<Json<'_>, Error> {
    if whole.kind() != ErrorKind::NotJson || lines(text).nth(1).is_none() {
        return Err(whole);
    }
    let Ok(json) = parse_lines(text, &limits) else { return Err(first_bad_line(text, limits, whole)) };
    if json.root().items().next().is_some_and(|first| first.get("messages").is_some_and(Value::is_array)) {
        return Err(Error::new(ErrorKind::NotATranscript, "each line holds a transcript of its own")
            .with_hint("check the lines one by one"));
    }
    Ok(json)
}

/// The lines that hold something, each with its offset.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split('\n').filter_map(move |line| {
        let start = at;
        at += line.len() + 1;
        let trimmed = line.trim_matches([' ', '\t', '\r']);
        let indent = line.len() - line.trim_start_matches([' ', '\t', '\r']).len();
        (!trimmed.is_empty()).then_some((start + indent, trimmed))
    })
}

/// The error that helps most: that of the first line that is no JSON, unless that is the very first.
fn first_bad_line(text: &str, limits: Limits, whole: Error) -> Error {
    for (number, (start, line)) in lines(text).enumerate() {
        if let Err(error) = Json::parse(line, &limits).map_err(Error::from) {
            if number == 0 {
                return whole;
            }
            let inside = error.position().map_or(0, |place| place.offset);
            return Error::new(error.kind(), format!("JSON Lines: {}", error.message()))
                .at(position(text, start + inside));
        }
    }
    whole
}

/// Where the messages stand.
pub(super) struct Messages<'a> {
    /// The document around the list, where it is an object
    pub(super) document: Option<Value<'a>>,
    /// The list, the one message, or the string that stands for a list: what a violation about the whole transcript points at
    pub(super) place: Value<'a>,
    is_list: bool,
}

impl<'a> Messages<'a> {
    /// A list, in an object or alone.
    pub(super) fn list(root: Value<'a>, list: Value<'a>) -> Self {
        Self { document: Some(root).filter(|root| root.is_object()), place: list, is_list: true }
    }

    /// One message.
    pub(super) fn alone(message: Value<'a>) -> Self {
        Self { document: None, place: message, is_list: false }
    }

    /// # Errors
    ///
    /// The document is no list, has no list under `messages`, and is no message.
    pub(super) fn find(root: Value<'a>, keys: &'static [&'static str]) -> Result<Self, Error> {
        if root.is_array() {
            return Ok(Self::list(root, root));
        }
        let found = keys.iter().find_map(|key| Some((*key, root.get(key)?)));
        match found {
            Some((_, list)) if list.is_array() => Ok(Self::list(root, list)),
            // A custom call of OpenAI Responses has an `input` of its own; else one string stands for a whole input.
            Some(("input", _)) if root.get("type").is_some() => Ok(Self::alone(root)),
            Some(("input", words)) if words.is_string() => {
                Ok(Self { document: Some(root), place: words, is_list: false })
            }
            Some((key, _)) => {
                Err(Error::new(ErrorKind::NotATranscript, format!("`{key}` is not a list"))
                    .with_pointer(format!("/{key}")))
            }
            None if root.is_object() && ["role", "type", "parts", "lc"].iter().any(|key| root.get(key).is_some()) => {
                Ok(Self::alone(root))
            }
            None => {
                let key = keys.first().unwrap_or(&"messages");
                Err(Error::new(ErrorKind::NotATranscript, "there is no list of messages").with_hint(format!(
                    "give `{{\"{key}\": […]}}`, a list of messages, one message, or a message a line"
                )))
            }
        }
    }

    /// In order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Value<'a>> + Clone + use<'a> {
        let alone = (!self.is_list).then_some(self.place);
        let list = self.is_list.then(|| self.place.items());
        alone.into_iter().chain(list.into_iter().flatten())
    }

    /// The message that is the whole document.
    pub(super) fn single(&self) -> Option<Value<'a>> {
        (!self.is_list && self.document.is_none()).then_some(self.place)
    }

    /// Whether one string stands for the list.
    pub(super) fn is_words(&self) -> bool {
        !self.is_list && self.place.is_string()
    }

    /// Whether the whole document is one tool result: a fragment, which nothing around it can pair.
    pub(super) fn is_lone_result(&self) -> bool {
        let is_one = |message: Value<'a>| is_result(message) || holds_its_media(message);
        if self.is_list { is_result_with_media(self.place) } else { self.single().is_some_and(is_one) }
    }

    /// A member of the document beside the list.
    pub(super) fn beside(&self, key: &str) -> Option<Value<'a>> {
        self.document?.get(key)
    }
}

/// Whether a message is one tool result.
fn is_result(message: Value<'_>) -> bool {
    if langchain::is_result(message) {
        return true;
    }
    let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
    // The protocol of MCP has one block in place of the list, too.
    let content = message.get("content");
    let one = content.filter(|content| content.is_object());
    let mut blocks = one.into_iter().chain(content.into_iter().flat_map(Value::items));
    let kind = message.get("type").and_then(Value::as_str).unwrap_or_default();
    let (first, more) = (blocks.next(), blocks.next().is_some());
    let answers = |block: Value<'_>| block.get("type").is_some_and(|kind| kind.is_str("tool-result"));
    // Two results in one message are a conversation of which the calls are missing.
    (matches!(&*role, "toolResult" | "tool") && !(more && content.is_some_and(|content| content.items().any(answers))))
        || matches!(&*kind, "function_call_output" | "custom_tool_call_output")
        || (role == "user"
            && !more
            && first.is_some_and(|block| {
                block.get("type").map_or(block.get("toolResult").is_some(), |kind| kind.is_str("tool_result"))
            }))
}

/// What this project writes in front of the pictures of a result, where the target takes none in results, and between the
/// two, where the assistant must speak there.
const MEDIA: &str = "[wirecanon: media of tool result ";
const BETWEEN: &str = "[wirecanon: the user speaks next]";

/// Whether a list is one tool result and its pictures, which follow it.
fn is_result_with_media(list: Value<'_>) -> bool {
    let mut items = list.items();
    let (first, second, third, more) = (items.next(), items.next(), items.next(), items.next());
    if let (Some(only), None) = (first, second) {
        return holds_its_media(only);
    }
    let (Some(first), Some(second), None) = (first, second, more) else { return false };
    let is_answer = |part: Value<'_>| part.get("functionResponse").or_else(|| part.get("function_response")).is_some();
    let mut parts = first.get("parts").into_iter().flat_map(Value::items);
    let is_result = is_result(first) || (parts.next().is_some_and(is_answer) && parts.next().is_none());
    is_result
        && match third {
            None => shows_media(second),
            Some(third) => words(second).is_some_and(|words| words == BETWEEN) && shows_media(third),
        }
}

/// Whether a message is one tool result and, behind it in the same message, its pictures.
fn holds_its_media(message: Value<'_>) -> bool {
    let is_answer = |part: Value<'_>| {
        part.get("type").is_some_and(|kind| kind.is_str("tool_result"))
            || ["toolResult", "functionResponse", "function_response"].iter().any(|key| part.get(key).is_some())
    };
    let content = message.get("content").or_else(|| message.get("parts"));
    let mut parts = content.into_iter().flat_map(Value::items);
    message.get("role").is_none_or(|role| role.is_str("user"))
        && parts.next().is_some_and(is_answer)
        && !parts.clone().any(is_answer)
        && are_media(parts)
}

/// Returns whether a message holds media of results behind their labels, and nothing else.
fn shows_media(message: Value<'_>) -> bool {
    let content = content(message);
    let Some(text) = content.and_then(Value::as_str) else {
        return are_media(content.into_iter().flat_map(Value::items));
    };
    // Ollama has images beside the one text.
    let beside = message.get("images").into_iter().flat_map(Value::items).map(|_| Piece::Medium);
    is_labelled(pieces(&text).chain(beside))
}

/// Returns whether parts begin with the label of a medium, and are labels and media alone.
fn are_media<'a>(parts: impl Iterator<Item = Value<'a>>) -> bool {
    let text = |part: Value<'a>| part.get("text").and_then(Value::as_str);
    is_labelled(parts.flat_map(|part| match text(part) {
        Some(text) => pieces(&text).collect(),
        None if is_medium(part) => vec![Piece::Medium],
        None => vec![Piece::Words],
    }))
}

/// Returns whether a part is an image or a file that every dialect can say: not one that only its provider keeps.
fn is_medium(part: Value<'_>) -> bool {
    const TYPES: &[&str] = &[
        "image",
        "image_url",
        "link",
        "media",
        "input_image",
        "file",
        "input_file",
        "document",
        "document_url",
        "input_audio",
        "audio",
        "video",
        "video_url",
    ];
    const KEYS: [&str; 7] = ["image", "document", "audio", "video", "inlineData", "inline_data", "fileData"];
    match part.get("type").and_then(Value::as_str) {
        Some(kind) => TYPES.contains(&&*kind),
        None => KEYS.iter().any(|key| part.get(key).is_some()),
    }
}

/// What a line of a text is, or a part that is no text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// The label of a result's media
    Label,
    /// A medium, or a note that one was left out
    Medium,
    Words,
}

/// The lines of a text: a target that takes one text a message has labels and notes on lines of it.
fn pieces(text: &str) -> impl Iterator<Item = Piece> {
    const NOTES: [&str; 2] = ["[wirecanon: image left out: ", "[wirecanon: file left out: "];
    text.lines().map(|line| match line.ends_with(']') {
        true if line.starts_with(MEDIA) => Piece::Label,
        true if NOTES.iter().any(|start| line.starts_with(start)) => Piece::Medium,
        _ => Piece::Words,
    })
}

/// Returns whether a label is first, media are among the others, and there are no other words.
fn is_labelled(mut pieces: impl Iterator<Item = Piece>) -> bool {
    let mut has_medium = false;
    pieces.next() == Some(Piece::Label)
        && pieces.all(|piece| {
            has_medium |= piece == Piece::Medium;
            piece != Piece::Words
        })
        && has_medium
}

/// The first words of a message.
fn words(message: Value<'_>) -> Option<Cow<'_, str>> {
    let content = content(message)?;
    content.as_str().or_else(|| content.items().next()?.get("text")?.as_str())
}

/// The content of a message, which LangChain keeps below `data`.
fn content(message: Value<'_>) -> Option<Value<'_>> {
    let holder = message.get("data").filter(|data| data.is_object()).unwrap_or(message);
    holder.get("content").or_else(|| holder.get("parts"))
}
