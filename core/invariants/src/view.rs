//! What an output says, as the observer of its dialect reads it.

use std::borrow::Cow;

use wirecanon_json::{Json, Limits, Value, parse_lines};
use wirecanon_model::{Dialect, Error};
use wirecanon_observe::{Arguments, Content, Item, Media, Source, Unreadable, observe_as_written};

/// A document: one JSON value, or one a line.
pub(super) fn document(text: &str) -> Result<Json<'_>, Error> {
    let limits = Limits::default();
    Ok(Json::parse(text, &limits).or_else(|error| parse_lines(text, &limits).map_err(|_| error))?)
}

/// One message, or the part of it that one speaker says.
#[derive(Debug, Default)]
pub(super) struct Turn<'a> {
    /// What is said, reasoning too
    pub(super) texts: Vec<Cow<'a, str>>,
    pub(super) calls: Vec<Call<'a>>,
    pub(super) results: Vec<ToolResult<'a>>,
    /// Pictures, recordings and files, those in results too, each with its block
    pub(super) media: Vec<(Media<'a>, Value<'a>)>,
}

#[derive(Debug)]
pub(super) struct Call<'a> {
    /// The whole block
    pub(super) value: Value<'a>,
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) name: Cow<'a, str>,
    pub(super) arguments: Arguments<'a>,
}

impl Call<'_> {
    /// The JSON text of the arguments.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.arguments {
            Arguments::Value(value) => Some(value.raw()),
            Arguments::Text(text) | Arguments::Input(text) => Some(text),
            Arguments::Missing => None,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct ToolResult<'a> {
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) texts: Vec<Cow<'a, str>>,
    pub(super) is_error: Option<bool>,
}

/// The turns of a document in this dialect.
pub(super) fn turns<'a>(json: &'a Json<'a>, dialect: Dialect) -> Result<Vec<Turn<'a>>, Unreadable> {
    let turns = observe_as_written(json, dialect)?.turns.into_iter().map(|read| {
        let mut turn = Turn::default();
        read.items.into_iter().for_each(|item| turn.add(item, None));
        turn
    });
    Ok(turns.collect())
}

impl<'a> Turn<'a> {
    /// Adds an item; its words to `result` where it is a result's.
    fn add(&mut self, item: Item<'a>, mut result: Option<&mut ToolResult<'a>>) {
        let text = match item.content {
            Content::Text(text) => text,
            Content::Data(value) => Cow::Borrowed(value.raw()),
            Content::Reasoning(reasoning) => reasoning.text,
            Content::Media(media) => return self.media.push((media, item.place)),
            Content::Call(call) => {
                let (id, name) = (call.id, call.name);
                return self.calls.push(Call { value: item.place, id, name, arguments: call.arguments });
            }
            Content::Result(read) => {
                let mut inner = ToolResult { id: read.id, texts: Vec::new(), is_error: read.is_error };
                read.items.into_iter().for_each(|item| self.add(item, Some(&mut inner)));
                return self.results.push(inner);
            }
            // What a provider ran is no call of ours, but what its item says is said.
            Content::Provider(provider) => {
                let texts = provider.readable.into_iter().filter(|item| item.as_text().is_some());
                return texts.for_each(|text| self.add(text, result.as_deref_mut()));
            }
            _ => return,
        };
        result.map_or(&mut self.texts, |result| &mut result.texts).push(text);
    }
}

/// The base64 of a medium; for Gemini in the spelling of the others.
pub(super) fn base64_of(media: &Media<'_>, dialect: Dialect) -> Option<String> {
    let Source::Base64(data) = &media.source else { return None };
    Some(if dialect == Dialect::GeminiContents { standard(data) } else { data.to_string() })
}

/// Base64 in the standard alphabet, padded: protobuf JSON takes either alphabet, padded or not.
pub(super) fn standard(data: &str) -> String {
    let mut standard = data.replace('-', "+").replace('_', "/");
    if !standard.contains('=') {
        standard.extend(std::iter::repeat_n('=', (4 - standard.len() % 4) % 4));
    }
    standard
}

/// Whether this is base64 of at least one byte: standard alphabet, padded.
pub(super) fn decodes(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    !body.is_empty()
        && text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/')
}
