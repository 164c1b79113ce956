//! A conversation as lines of text, one for each item, as people read a conversation.

use std::borrow::Cow;
use std::fmt;

use wirecanon_json::Value;

use crate::observation::{Arguments, Call, Content, Item, Media, Observation, Source, Speaker, ToolResult};

/// One item of a conversation, described in one line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Line<'a> {
    /// The speaker: `system`, `user`, `assistant`, `tool`, or `define` for the definition of a tool
    pub speaker: &'static str,
    /// The content, in one line
    pub text: String,
    /// The value of the document that the item was read from
    pub place: Value<'a>,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<9}  {}", self.speaker, self.text)
    }
}

/// The most characters of a line.
const MAX_CHARS: usize = 160;

impl<'a> Observation<'a> {
    /// Returns the conversation as lines of text, one for each item.
    ///
    /// ```
    /// use wirecanon_json::{Json, Limits};
    /// use wirecanon_model::Dialect;
    /// use wirecanon_observe::observe;
    ///
    /// let text = r#"[{"role":"assistant","content":null,"tool_calls":[
    ///     {"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a.txt\"}"}}]},
    ///     {"role":"tool","tool_call_id":"c1","content":"alpha"}]"#;
    /// let json = Json::parse(text, &Limits::default())?;
    /// let lines: Vec<_> = observe(&json, Dialect::OpenAiChat)?.lines().iter().map(ToString::to_string).collect();
    /// assert_eq!(lines, [r#"assistant  calls read {"path":"a.txt"}"#, "tool       read: alpha"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lines(&self) -> Vec<Line<'a>> {
        let mut names: Vec<Cow<'_, str>> = Vec::new();
        let mut lines = Vec::new();
        for tool in &self.tools {
            let description = tool.description.as_deref().unwrap_or_default();
            lines.push(line("define", &format!("{}: {description}", tool.name), tool.place));
        }
        let instructions = self.instructions.iter().map(|item| (Speaker::System, item));
        let turns = self.turns.iter().flat_map(|turn| turn.items.iter().map(|item| (turn.speaker, item)));
        for (speaker, item) in instructions.chain(turns) {
            if let Content::Call(call) = &item.content {
                names.push(Cow::Borrowed(&call.name));
            }
            let speaker = if matches!(item.content, Content::Result(_)) { Speaker::Tool } else { speaker };
            lines.push(line(speaker.name(), &text_of(item, &names), item.place));
        }
        lines
    }
}

fn line<'a>(speaker: &'static str, text: &str, place: Value<'a>) -> Line<'a> {
    let mut short = String::new();
    for (count, word) in text.split_whitespace().enumerate() {
        if count > 0 {
            short.push(' ');
        }
        short.push_str(word);
        if short.chars().count() > MAX_CHARS {
            short = short.chars().take(MAX_CHARS).chain(std::iter::once('…')).collect();
            break;
        }
    }
    Line { speaker, text: short, place }
}

fn text_of(item: &Item<'_>, names: &[Cow<'_, str>]) -> String {
    match &item.content {
        Content::Text(text) if text.trim().is_empty() => "(empty)".to_owned(),
        Content::Text(text) => text.to_string(),
        Content::Data(value) => value.raw().to_owned(),
        Content::Media(media) => media_text(media),
        Content::Resource(resource) => match &resource.text {
            Some(text) => format!("[resource {}] {text}", resource.uri.as_deref().unwrap_or_default()),
            None => format!("[resource {}]", resource.uri.as_deref().unwrap_or_default()),
        },
        Content::Call(call) => call_text(call),
        Content::Result(result) => result_text(result, names),
        Content::Reasoning(reasoning) if reasoning.is_redacted => "thinks (encrypted)".to_owned(),
        Content::Reasoning(reasoning) => format!("thinks: {}", reasoning.text),
        Content::Provider(provider) => format!("[{} {}]", provider.kind, provider.value.raw()),
    }
}

fn call_text(call: &Call<'_>) -> String {
    let arguments = match &call.arguments {
        Arguments::Value(value) => Cow::Borrowed(value.raw()),
        Arguments::Text(text) | Arguments::Input(text) => Cow::Borrowed(&**text),
        Arguments::Missing => Cow::Borrowed("(no arguments)"),
    };
    format!("calls {} {arguments}", call.name)
}

fn result_text(result: &ToolResult<'_>, names: &[Cow<'_, str>]) -> String {
    let name = result.call.and_then(|call| names.get(call)).or(result.name.as_ref());
    let name = name.map_or("(no tool call)", |name| &**name);
    let mark = if result.is_error == Some(true) { " failed" } else { "" };
    let items: Vec<_> = result.items.iter().map(|item| text_of(item, &[])).collect();
    let text = if items.is_empty() { "(empty)".to_owned() } else { items.join(" ") };
    format!("{name}{mark}: {text}")
}

fn media_text(media: &Media<'_>) -> String {
    let name = media.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    let kind = media.media_type.as_deref().unwrap_or(media.kind.name());
    match &media.source {
        Source::Base64(data) => format!("[{kind}{name}, {} bytes]", data.len() / 4 * 3),
        Source::Bytes(bytes) => format!("[{kind}{name}, {} bytes]", bytes.len()),
        Source::Text(text) => format!("[{kind}{name}] {text}"),
        Source::Url(url) => format!("[{kind}{name} {url}]"),
        Source::File(id) => format!("[{kind}{name} file {id}]"),
        Source::Items(items) => {
            let texts: Vec<_> = items.iter().map(|item| text_of(item, &[])).collect();
            format!("[{kind}{name}] {}", texts.join(" "))
        }
    }
}
