//! What a message says, block by block.

use std::borrow::Cow;

use super::Native;
use crate::json::Words;

/// One block of content.
///
/// ```
/// use wirecanon_core::Block;
/// use wirecanon_core::transcript::{BlockKind, Opaque};
///
/// let said = [
///     Block::text("look"),
///     Block::image("iVBORw0KGgo=", "image/png"),
///     Block::link("https://example.org/a.png"),
///     Block::file("JVBERi0xLjc=", "application/pdf"),
///     Block::thinking("It may be a cat."),
///     Block::tool_call("c1", "look", r#"{"at":"a.png"}"#),
/// ];
/// assert_eq!(said[0].as_text().as_deref(), Some("look"));
/// assert!(said[0].is_text() && !said[0].is_blank() && said[0].words().is_some_and(|words| words == "look"));
///
/// let item = Opaque { dialect: "openai.responses".into(), value: r#"{"type":"item_reference","id":"i1"}"#.into() };
/// let block = Block::new(1, BlockKind::Opaque(Box::new(item)));
/// assert!(!block.is_text() && block.dirty);
/// ```
#[derive(Debug)]
pub struct Block<'a> {
    /// A number that survives reordering
    pub id: u32,
    /// What it is
    pub kind: BlockKind<'a>,
    /// Index of the value it was read from
    pub source: Option<u32>,
    /// Fields, or the whole block, as only one dialect knows them
    pub native: Option<Box<Native<'a>>>,
    /// Something differs from the source: its bytes must be written anew
    pub dirty: bool,
    /// The source is a valid block of its own dialect that this stands in for (a `resource_link` read as text): its own
    /// dialect writes the source again
    pub projected: bool,
}

impl<'a> Block<'a> {
    /// A block that did not come from the source.
    ///
    /// ```
    /// use wirecanon_core::Block;
    /// use wirecanon_core::transcript::{BlockKind, Link};
    ///
    /// let link = Link { url: "https://example.org/a.png".into(), mime_type: Some("image/png".into()) };
    /// let block = Block::new(7, BlockKind::Link(Box::new(link)));
    /// assert!(block.id == 7 && block.dirty && block.source.is_none());
    /// ```
    pub fn new(id: u32, kind: BlockKind<'a>) -> Self {
        Self { id, kind, source: None, native: None, dirty: true, projected: false }
    }

    /// Its words, if it is text. Whoever only compares them or carries them along asks for [`Block::words`].
    ///
    /// ```
    /// use wirecanon_core::Block;
    ///
    /// assert_eq!(Block::text("a cat").as_text().as_deref(), Some("a cat"));
    /// assert_eq!(Block::thinking("It may be a cat.").as_text(), None);
    /// ```
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        self.words().map(Words::get)
    }

    /// Its words in the spelling that they have, if it is text.
    ///
    /// ```
    /// use wirecanon_core::Block;
    ///
    /// assert!(Block::text("a cat").words().is_some_and(|words| words == "a cat"));
    /// assert!(Block::image("iVBORw0KGgo=", "image/png").words().is_none());
    /// ```
    pub fn words(&self) -> Option<&Words<'a>> {
        match &self.kind {
            BlockKind::Text(words) => Some(words),
            _ => None,
        }
    }

    /// Whether it is text.
    ///
    /// ```
    /// use wirecanon_core::Block;
    ///
    /// assert!(Block::text("a cat").is_text() && !Block::tool_call("c1", "look", "{}").is_text());
    /// ```
    pub fn is_text(&self) -> bool {
        matches!(self.kind, BlockKind::Text(_))
    }

    /// The fields that only this dialect knows.
    #[doc(hidden)]
    pub fn native_of(&self, dialect: &str) -> &[(Cow<'a, str>, Cow<'a, str>)] {
        self.native.as_deref().map_or(&[], |native| native.of(dialect))
    }

    /// The JSON text of a field that only this dialect knows.
    #[doc(hidden)]
    pub fn native_field(&self, dialect: &str, key: &str) -> Option<&str> {
        self.native.as_deref()?.get(dialect, key)
    }

    /// Whether it is text without a word.
    ///
    /// ```
    /// use wirecanon_core::Block;
    ///
    /// assert!(Block::text(" \n").is_blank() && !Block::text("a cat").is_blank());
    /// assert!(!Block::image("iVBORw0KGgo=", "image/png").is_blank(), "it is no text");
    /// ```
    pub fn is_blank(&self) -> bool {
        self.words().is_some_and(Words::is_blank)
    }
}

/// The kinds of block. All but text are boxed so that text, by far the commonest, stays small.
///
/// ```
/// use wirecanon_core::Block;
/// use wirecanon_core::transcript::BlockKind;
///
/// let said = match Block::tool_call("c1", "look", "{}").kind {
///     BlockKind::Text(words) => words.into_owned(),
///     BlockKind::ToolCall(call) => format!("calls {}", call.name.unwrap_or_default()),
///     _ => "something else".to_owned(),
/// };
/// assert_eq!(said, "calls look");
/// ```
#[derive(Debug)]
pub enum BlockKind<'a> {
    /// Words
    Text(Words<'a>),
    /// A picture by its bytes
    Image(Box<Media<'a>>),
    /// The model's reasoning
    Thinking(Box<Thinking<'a>>),
    /// A call of a tool
    ToolCall(Box<ToolCall<'a>>),
    /// A picture by its address, in a user message
    Link(Box<Link<'a>>),
    /// A document, a recording or a film by its bytes, in a user message
    File(Box<File<'a>>),
    /// A provider's own item that only its own dialect may replay
    Opaque(Box<Opaque<'a>>),
}

/// A picture.
///
/// ```
/// use wirecanon_core::transcript::{BlockKind, Media};
/// use wirecanon_core::{Block, Transcript};
/// use wirecanon_core::WriteTranscript as _;
///
/// let nothing = Media { data: None, mime_type: Some("image/png".into()) };
/// let block = Block::new(0, BlockKind::Image(Box::new(nothing)));
/// assert!(Transcript::new().user(block).to_canonical().is_err(), "no picture is without data");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media<'a> {
    /// Base64; `None` when the source has none, or something that is no string
    pub data: Option<Cow<'a, str>>,
    /// What the source says it is
    pub mime_type: Option<Cow<'a, str>>,
}

/// The model's reasoning.
///
/// ```
/// use wirecanon_core::Block;
/// use wirecanon_core::transcript::{BlockKind, Thinking};
///
/// let sealed = Thinking {
///     text: "It may be a cat.".into(),
///     signature: Some("EqQBCg==".into()),
///     redacted: false,
///     origin: Some("anthropic.messages".into()),
/// };
/// let block = Block::new(0, BlockKind::Thinking(Box::new(sealed)));
/// assert!(!block.is_text(), "reasoning is not what the model says");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinking<'a> {
    /// The words; empty when the provider hides them
    pub text: Cow<'a, str>,
    /// The provider's seal, opaque and byte-exact; never blank
    pub signature: Option<Cow<'a, str>>,
    /// The words are sealed inside the signature
    pub redacted: bool,
    /// The dialect and model that signed it
    pub origin: Option<Cow<'a, str>>,
}

/// A call of a tool.
///
/// ```
/// use wirecanon_core::Block;
/// use wirecanon_core::transcript::{Arguments, BlockKind, ToolCall};
///
/// let BlockKind::ToolCall(call) = Block::tool_call("c1", "look", "{}").kind else { unreachable!() };
/// let same = ToolCall {
///     id: Some("c1".into()),
///     name: Some("look".into()),
///     arguments: Arguments::Json("{}".into()),
///     unfinished: false,
/// };
/// assert_eq!(*call, same);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall<'a> {
    /// Trimmed; `None` when the source has none that can be used
    pub id: Option<Cow<'a, str>>,
    /// Trimmed; `None` when the source has none that can be used
    pub name: Option<Cow<'a, str>>,
    /// As the source has them
    pub arguments: Arguments<'a>,
    /// The source says that the call was cut off while it streamed
    pub unfinished: bool,
}

/// What a call is given. Only [`Arguments::Json`] is left after repair.
///
/// ```
/// use wirecanon_core::dialect::read;
/// use wirecanon_core::json::{Json, Limits};
/// use wirecanon_core::transcript::Arguments;
/// use wirecanon_core::{Dialect, Report};
///
/// let text = r#"[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"look"}}]}]"#;
/// let json = Json::parse(text, &Limits::default())?;
/// let transcript = read(&json, Dialect::OpenAiChat, &mut Report::default())?;
/// let arguments: Vec<_> = transcript.messages[0].calls().map(|call| &call.arguments).collect();
/// assert_eq!(arguments, [&Arguments::Missing]);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments<'a> {
    /// The source has none, or `null`
    Missing,
    /// Exact JSON text of one object, as proved by the reader or a pass
    Json(Cow<'a, str>),
    /// A string whose inside has yet to be judged
    Encoded(Cow<'a, str>),
    /// The JSON text of something that is neither a string nor an object
    Other(&'a str),
}

/// A picture by its address.
///
/// ```
/// use wirecanon_core::transcript::{BlockKind, Link};
/// use wirecanon_core::{Block, Transcript};
/// use wirecanon_core::WriteTranscript as _;
///
/// let link = Link { url: "https://example.org/a".into(), mime_type: Some("image/png".into()) };
/// let block = Block::new(0, BlockKind::Link(Box::new(link)));
/// assert!(Transcript::new().user(block).to_canonical()?.contains(r#""mimeType":"image/png""#));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    /// The address
    pub url: Cow<'a, str>,
    /// What it is said to be
    pub mime_type: Option<Cow<'a, str>>,
}

/// A document, a recording or a film.
///
/// ```
/// use wirecanon_core::transcript::{BlockKind, File};
/// use wirecanon_core::{Block, Transcript};
/// use wirecanon_core::WriteTranscript as _;
///
/// let file = File { data: "JVBERi0xLjc=".into(), mime_type: "application/pdf".into(), name: Some("a.pdf".into()) };
/// let block = Block::new(0, BlockKind::File(Box::new(file)));
/// assert!(Transcript::new().user(block).to_canonical()?.contains(r#""name":"a.pdf""#));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File<'a> {
    /// Base64
    pub data: Cow<'a, str>,
    /// What it is
    pub mime_type: Cow<'a, str>,
    /// Its file name
    pub name: Option<Cow<'a, str>>,
}

/// A provider's own item.
///
/// ```
/// use wirecanon_core::transcript::{BlockKind, Opaque};
/// use wirecanon_core::{Block, Dialect, Options, Transcript};
/// use wirecanon_core::WriteTranscript as _;
///
/// let item = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA"}"#;
/// let opaque = Opaque { dialect: "openai.responses".into(), value: item.into() };
/// let block = Block::new(0, BlockKind::Opaque(Box::new(opaque)));
/// let history = Transcript::new().user("hi").assistant([block, Block::text("hello")]);
/// assert!(history.to_canonical()?.contains("rs_1"));
/// let fixed = history.write(&Options::new().to(Dialect::AnthropicMessages))?;
/// assert!(!String::from_utf8_lossy(&fixed.output).contains("rs_1"), "no other dialect may replay it");
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque<'a> {
    /// The dialect that may replay it
    pub dialect: Cow<'a, str>,
    /// Its exact JSON text
    pub value: Cow<'a, str>,
}
