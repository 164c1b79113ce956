//! Items that only one provider knows.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};
use wirecanon_json::{Json, Kind, Limits, Value};
use wirecanon_model::{Dialect, Target};

use super::flat::Flat;
use super::lists;
use super::value::{is_equal, is_equal_text, json_length};
use super::words::{About, Mark, Names, closers, is_neutral, is_note, words, words_of_key};
use crate::observation::{Content, Item, Media, Observation, Provider, Source};

lists! {
    /// Fields of an item that a server sets, or that say nothing to the model
    FREE = "id call_id tool_use_id toolCallId toolUseId status cache_control index partial_json caller created_by \
        phase";
}

/// Returns whether two items of one dialect are the same, ids apart.
pub(super) fn is_same(a: &Provider<'_>, b: &Provider<'_>) -> bool {
    if a.is_of(Dialect::LosslessClaw) && (is_original(a.value, b.value) || is_original(b.value, a.value)) {
        return true;
    }
    if a.kind != b.kind || a.dialect != b.dialect {
        return false;
    }
    if !a.value.is_object() || !b.value.is_object() {
        return is_equal(a.value, b.value);
    }
    // An item that is no more than a reference is known by its id.
    if matches!(&*a.kind, "audio" | "item_reference")
        && a.value.get("id").and_then(Value::as_str) != b.value.get("id").and_then(Value::as_str)
    {
        return false;
    }
    // A status may say that a tool failed.
    if failures(a) != failures(b) {
        return false;
    }
    if a.kind == "image_generation_call" {
        // Servers answer with fields that they do not accept.
        let image = |provider: &Provider<'_>| provider.value.get("result").map(|result| result.raw().to_owned());
        return image(a) == image(b);
    }
    let members = |value| {
        let mut members: Vec<(Cow<'_, str>, Value<'_>)> = Value::members(value)
            .map(|(key, value)| (key.as_str().unwrap_or_default(), value))
            .filter(|(key, value)| !FREE.has(key) && !value.is_null())
            .collect();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        members
    };
    let (left, right) = (members(a.value), members(b.value));
    left.len() == right.len() && left.iter().zip(&right).all(|(a, b)| a.0 == b.0 && is_equal(a.1, b.1))
}

/// The error flags of the results that an item holds.
fn failures(provider: &Provider<'_>) -> Vec<bool> {
    provider.readable.iter().filter_map(Item::as_result).map(|result| result.is_error == Some(true)).collect()
}

/// Returns whether the server holds calls of a conversation that the request does not.
pub(super) fn holds_calls(observation: &Observation<'_>) -> bool {
    observation.context.iter().any(|item| {
        matches!(&item.content, Content::Provider(known) if matches!(&*known.kind, "previous_response_id" | "conversation"))
    })
}

/// Returns whether the metadata of a part hold a block.
fn is_original(part: Value<'_>, block: Value<'_>) -> bool {
    with_original(part, |original| is_equal(original, block)) == Some(true)
}

/// Looks at the block that the metadata of a part of lossless-claw hold.
fn with_original<T>(part: Value<'_>, look: impl FnOnce(Value<'_>) -> T) -> Option<T> {
    let text = part.get("metadata")?.as_str()?;
    let metadata = Json::parse(&text, &Limits::default()).ok()?;
    metadata.root().get("raw").map(look)
}

lists! {
    /// Calls whose results are items of their own
    CALLS_WITH_RESULTS = "server_tool_use mcp_tool_use toolUse toolCall computer_call local_shell_call shell_call \
        apply_patch_call tool_search_call";
}

/// Returns whether a server of the dialect itself may refuse an item: a half of a pair, a result without content, a reference where
/// nothing is stored, or a field that this server does not know.
pub(super) fn may_be_refused(
    provider: &Provider<'_>,
    flat: &Flat<'_, '_>,
    target: &Target,
    has_stored_calls: bool,
) -> bool {
    let holds_content = |item: &Item<'_>| match &item.content {
        Content::Text(text) => !text.trim().is_empty(),
        Content::Media(media) => {
            !matches!(&media.source, Source::Url(text) | Source::Base64(text) if text.trim().is_empty())
        }
        _ => true,
    };
    let is_result = |id: &str| flat.provided.get(id).is_some_and(|given| given.result.items.iter().any(holds_content));
    let is_broken = |item: &Item<'_>| match &item.content {
        Content::Call(call) => CALLS_WITH_RESULTS.has(&provider.kind) && !call.id.as_deref().is_some_and(is_result),
        Content::Result(result) => match result.id.as_deref() {
            Some(id) => !has_stored_calls && !flat.called.contains(id) || !is_result(id),
            None => true,
        },
        _ => false,
    };
    let is_unknown = matches!(&*provider.kind, "audio" | "images")
        && target.fields.get("assistant").is_some_and(|known| !known.iter().any(|field| *field == provider.kind));
    // No server knows a type without a name.
    let is_unknown = is_unknown || provider.kind.trim().is_empty();
    is_unknown
        || provider.readable.iter().any(is_broken)
        || provider.is_of(Dialect::OpenAiResponses) && !target.content.stored_items && provider.readable.is_empty()
}

/// Returns whether an item, or the result that it holds, has a medium.
pub(super) fn has_media(provider: &Provider<'_>, media: &Media<'_>) -> bool {
    let is_media = |item: &Item<'_>| matches!(&item.content, Content::Media(other) if media.is_same(other));
    provider.readable.iter().any(|item| match &item.content {
        Content::Result(result) => result.items.iter().any(is_media),
        _ => is_media(item),
    })
}

/// The strings of an item that its text may be made of, each as a whole and at most once.
pub(super) struct Strings {
    /// The words of its type, of its keys and ids
    names: Names,
    /// All other strings and numbers, in order
    all: Vec<Known>,
    /// The numbers of the strings that have a word, by their first word
    by_first_word: HashMap<String, Vec<usize>>,
    /// The objects and arrays in the item
    json: Vec<Container>,
}

/// A string of an item.
struct Known {
    text: String,
    /// The first byte in the document; in JSON text, that of the string which holds it
    at: usize,
    role: Role,
}

/// An object or array in an item, or in JSON text in it.
struct Container {
    raw: String,
    /// The number of fields and of items
    size: (usize, usize),
    /// The bytes in the document
    span: Range<usize>,
}

/// What a string is for a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// What the item says
    Content,
    /// A title: what an item without content says
    Label,
    /// The name of a tool
    Name,
    /// An address, a number, encrypted data
    Other,
}

/// The strings of an item that its text has had so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    strings: HashSet<usize>,
    /// The last string that is content
    last: Option<usize>,
    /// A title or JSON was said
    has_label: bool,
}

impl Said {
    /// Returns whether a string was said.
    pub(super) fn has_any(&self) -> bool {
        self.last.is_some() || self.has_label
    }
}

lists! {
    /// Keys of content, also where it is a single word
    CONTENT_KEYS = "arguments code command content data input logs output queries query result stderr stdout text";
    /// Keys of names, types and ids
    NAMES = "language type kind name id status role toolName tool_name mimeType mime_type media_type server_label";
    /// Keys of titles, and of what is said of a source
    LABEL_KEYS = "context description filename page_age source title url uri";
}

/// Longer words under keys of content are data.
const MAX_WORD: usize = 64;

/// The most objects and arrays of an item that are compared with JSON in a text.
const MAX_JSON: usize = 64;

/// Longer objects and arrays within an item are not compared with JSON in a text.
const MAX_JSON_BYTES: usize = 1 << 16;

/// The number of strings with one first word, and of JSON texts, that are tried.
const TRIES: usize = 32;

impl Strings {
    /// Reads the strings of an item that one provider knows.
    pub(super) fn new(provider: &Provider<'_>) -> Self {
        let original = provider.is_of(Dialect::LosslessClaw).then(|| Self::of_original(provider.value)).flatten();
        let mut strings = original.unwrap_or_else(|| Self::of_value(provider.value));
        strings.names.add(&provider.dialect);
        for kind in [&*provider.kind, &words_of_key(&provider.kind)] {
            strings.names.add(kind);
            strings.names.add_whole(kind);
        }
        if failures(provider).contains(&true) {
            strings.names.add("error failed failure");
        }
        strings
    }

    /// Reads the strings of the block that the metadata of a row hold: the columns beside it are about the row.
    fn of_original(row: Value<'_>) -> Option<Self> {
        let mut strings = with_original(row, |original| original.is_object().then(|| Self::of_value(original)))??;
        for (key, column) in row.members() {
            strings.names.add(&key.as_str().unwrap_or_default());
            if let Some(column) = column.as_str().filter(|_| !key.is_str("metadata")) {
                strings.names.add(&column);
            }
        }
        Some(strings)
    }

    /// Reads the strings, numbers and keys of a value.
    pub(super) fn of_value(value: Value<'_>) -> Self {
        let mut strings =
            Self { names: Names::default(), all: Vec::new(), by_first_word: HashMap::new(), json: Vec::new() };
        strings.add_all(value, None, &mut HashSet::new());
        strings
    }

    /// Adds all strings of a value; `within` is the string that holds it as JSON text, `contents` is the content so far.
    fn add_all(&mut self, value: Value<'_>, within: Option<&Range<usize>>, contents: &mut HashSet<String>) {
        let mut open = vec![(Cow::Borrowed(""), value)];
        while let Some((key, value)) = open.pop() {
            let span = within.cloned().unwrap_or_else(|| value.span());
            if value.is_object() || value.is_array() {
                let is_short = self.json.is_empty() || value.raw().len() <= MAX_JSON_BYTES;
                if is_short && self.json.len() < MAX_JSON {
                    self.json.push(Container { raw: value.raw().to_owned(), size: size(value), span });
                }
                for (key, _) in value.members() {
                    let key = key.as_str().unwrap_or_default();
                    self.names.add(&key);
                    self.names.add(&words_of_key(&key));
                }
                let from = open.len();
                open.extend(effective_members(value));
                open.extend(value.items().map(|item| (key.clone(), item)));
                open[from..].reverse();
            } else if let Some(text) = value.as_str() {
                if is_name_key(&key) && !text.contains(char::is_whitespace) {
                    self.names.add(&text);
                    // What opens or closes something in a name is no part of the note around it.
                    if text.contains(['[', ']', '(', ')', '{', '}', '<', '"', '`']) {
                        self.add(text.trim(), span.start, Role::Name);
                    }
                } else if within.is_none()
                    && text.trim_start().starts_with(['{', '['])
                    && let Ok(json) = Json::parse(&text, &Limits::default())
                {
                    self.add_all(json.root(), Some(&span), contents);
                } else {
                    let role = role(&key, &text, contents);
                    self.add(text.trim(), span.start, role);
                }
            } else if value.kind() == Kind::Number {
                self.add(value.raw(), span.start, Role::Other);
            }
        }
    }

    fn add(&mut self, text: &str, at: usize, role: Role) {
        let Some(start) = text.find(char::is_alphanumeric) else { return };
        self.by_first_word.entry(word_at(text, start).to_owned()).or_default().push(self.all.len());
        self.all.push(Known { text: text.to_owned(), at, role });
    }

    /// Reads the longest beginning of a text that is made of strings of the item which were not said before, content in order, with
    /// marks and labels between them. Returns its length, 0 where there is none.
    pub(super) fn read(&self, text: &str, about: About, said: &mut Said) -> usize {
        let (mut end, mut at, mut tries) = (0, 0, TRIES);
        let mut marks = String::new();
        while let Some(found) = text[at..].find(|c: char| c.is_alphanumeric() || matches!(c, '{' | '[')) {
            let start = at + found;
            let is_json = text[start..].starts_with(['{', '[']) && tries > 0;
            tries -= usize::from(is_json);
            let next = match is_json {
                true if self.is_gap(&text[end..start], false) => self.json_at(text, start, said),
                true => None,
                false => self
                    .string_at(text, end, start, said)
                    .filter(|(from, _, number)| {
                        let known = &self.all[*number];
                        // A name or an address needs no mark before it.
                        let is_set_apart = match known.role {
                            Role::Content | Role::Label => true,
                            Role::Name => false,
                            Role::Other => known.text.contains(char::is_whitespace),
                        };
                        self.is_gap(&text[end..*from], is_set_apart)
                    })
                    .map(|(from, to, number)| {
                        self.say(number, said);
                        (from, to)
                    }),
            };
            if let Some((from, to)) = next {
                marks.push_str(&text[end..from]);
                (end, at) = (to, to);
                continue;
            }
            let word = word_at(text, start);
            let is_label = is_list_number(text, start, word);
            if !word.is_empty()
                && !is_label
                && !words(word).all(|word| is_neutral(&word, about) || self.names.has(&word))
            {
                break;
            }
            at = start + word.len().max(1);
        }
        if end == 0 {
            return 0;
        }
        let mark = Mark { closers: closers(&marks), text: marks };
        let Some(closing) = mark.closing(&text[end..]) else { return 0 };
        end += closing;
        let rest = &text[end..];
        // What ends a sentence, or a note that ends the text.
        let behind = rest.find(|c: char| c.is_alphanumeric() || c.is_whitespace()).unwrap_or(rest.len());
        // A text on a further line is no part of the note.
        let is_one_line = !rest.trim().contains('\n');
        if !rest.contains(char::is_alphanumeric)
            || is_one_line && is_note(rest, about, &self.names) && !self.names.denies(rest)
        {
            text.len()
        } else if rest[..behind].contains(['[', '(', '<', '{', '"', '\'', '`']) {
            end
        } else {
            end + behind
        }
    }

    fn say(&self, number: usize, said: &mut Said) {
        said.strings.insert(number);
        match self.all[number].role {
            Role::Content => said.last = said.last.max(Some(number)),
            Role::Label => said.has_label = true,
            Role::Name | Role::Other => {}
        }
    }

    /// The longest string that begins with the word at a place.
    fn string_at(&self, text: &str, from: usize, word: usize, said: &Said) -> Option<(usize, usize, usize)> {
        let numbers = self.by_first_word.get(word_at(text, word))?;
        let is_open = |number: &usize| {
            !said.strings.contains(number)
                && (self.all[*number].role != Role::Content || said.last.is_none_or(|last| *number > last))
        };
        let found = numbers.iter().copied().filter(is_open).take(TRIES).filter_map(|number| {
            let known = &*self.all[number].text;
            let start = word.checked_sub(known.find(char::is_alphanumeric)?).filter(|start| *start >= from)?;
            let rest = text.get(start..)?.strip_prefix(known)?;
            let is_apart = !(known.ends_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric));
            is_apart.then_some((start, start + known.len(), number))
        });
        found.max_by_key(|(_, end, number)| (*end, std::cmp::Reverse(*number)))
    }

    /// The JSON of the item, or of a part of it, at a place. All strings in it are said.
    fn json_at(&self, text: &str, start: usize, said: &mut Said) -> Option<(usize, usize)> {
        let end = start + json_length(&text[start..]);
        let json = Json::parse(&text[start..end], &Limits::default()).ok()?;
        let size = size(json.root());
        let is_same =
            |container: &&Container| container.size == size && is_equal_text(&container.raw, &text[start..end]);
        let span = &self.json.iter().find(is_same)?.span;
        let first = self.all.partition_point(|known| known.at < span.start);
        let held = self.all[first..].iter().take_while(|known| known.at < span.end).count();
        (first..first + held).for_each(|number| self.say(number, said));
        said.has_label = true;
        Some((start, end))
    }

    /// Returns whether neutral words before a string are none, or a mark or a label.
    fn is_gap(&self, gap: &str, is_set_apart: bool) -> bool {
        let is_apart = !is_set_apart || !gap.trim_end_matches([' ', '\t']).ends_with(char::is_alphanumeric);
        !has_word(gap) || is_apart && !self.names.denies(gap)
    }

    /// Returns whether all content of the item was said, or its titles where it has no content.
    pub(super) fn are_said(&self, said: &Said) -> bool {
        let mut contents = self.all.iter().enumerate().filter(|(_, known)| known.role == Role::Content).peekable();
        let has_content = contents.peek().is_some();
        contents.all(|(number, _)| said.strings.contains(&number)) && (has_content || said.has_label)
    }

    /// Returns whether a text names the item and says nothing else: in brackets, or with its type.
    pub(super) fn is_named_by(&self, text: &str, about: About) -> bool {
        let is_bracketed = text.trim_start().starts_with(['[', '<', '(']) && closers(text).is_empty();
        is_note(text, about, &self.names) && has_word(text) && (is_bracketed || self.names.has_whole(text))
    }

    /// Returns whether a text says nothing but what the item says.
    pub(super) fn make(&self, text: &str, about: About) -> bool {
        let text = text.trim();
        is_note(text, about, &self.names) || self.read(text, about, &mut Said::default()) == text.len()
    }
}

/// Returns the members of an object in order, of equal keys the last.
fn effective_members(object: Value<'_>) -> impl Iterator<Item = (Cow<'_, str>, Value<'_>)> {
    let members: Vec<_> = object.members().map(|(key, value)| (key.as_str().unwrap_or_default(), value)).collect();
    let mut keys = HashSet::new();
    let mut effective: Vec<_> = members.into_iter().rev().filter(|(key, _)| keys.insert(key.clone())).collect();
    effective.reverse();
    effective.into_iter()
}

/// The number of fields and of items of a value.
fn size(value: Value<'_>) -> (usize, usize) {
    (value.members().count(), value.items().count())
}

/// What a string under a key is for a reader. What an item says twice need be said once.
fn role(key: &str, text: &str, contents: &mut HashSet<String>) -> Role {
    if is_name_key(key) {
        return Role::Name;
    }
    let is_prose = text.trim().contains(char::is_whitespace);
    if LABEL_KEYS.has(key) {
        let is_label = is_prose || matches!(key, "title" | "description");
        return if is_label { Role::Label } else { Role::Other };
    }
    let is_content = is_prose || CONTENT_KEYS.has(key) && text.len() <= MAX_WORD;
    if is_content && contents.insert(text.trim().to_owned()) { Role::Content } else { Role::Other }
}

/// Returns whether strings under a key are names, types or ids.
fn is_name_key(key: &str) -> bool {
    NAMES.has(key) || key.ends_with("_id") || key.ends_with("Id")
}

/// The word of a text at a place; empty where there is none.
fn word_at(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())]
}

/// Returns whether a word is a number before an item of a list: "1." and "[1]".
fn is_list_number(text: &str, start: usize, word: &str) -> bool {
    let before = text[..start].trim_end_matches([' ', '\t']).chars().next_back();
    let behind = text[start + word.len()..].chars().next();
    word.len() <= 3
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && (before.is_none_or(|before| before == '\n') && matches!(behind, Some('.' | ')' | ':'))
            || before == Some('[') && behind == Some(']'))
}

fn has_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}
