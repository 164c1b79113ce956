//! Observations: conversations as the model is told them, whatever dialect they are written in.

use std::borrow::Cow;

use wirecanon_json::Value;
use wirecanon_model::Dialect;

/// Declares a kind of things, each with the name that reports print.
macro_rules! named {
    ($(#[$meta:meta])+ $kind:ident { $($(#[$doc:meta])+ $variant:ident = $name:literal,)+ }) => {
        $(#[$meta])+
        pub enum $kind {
            $($(#[$doc])+ $variant,)+
        }

        impl $kind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the name, as reports print it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }
    };
}

/// The conversation that a document tells a model.
///
/// ```
/// use wirecanon_json::{Json, Limits};
/// use wirecanon_model::Dialect;
/// use wirecanon_observe::{Content, Speaker, observe};
///
/// let json = Json::parse(r#"[{"role":"user","content":"hi"}]"#, &Limits::default())?;
/// let observation = observe(&json, Dialect::OpenAiChat)?;
/// assert_eq!(observation.turns[0].speaker, Speaker::User);
/// assert!(matches!(&observation.turns[0].items[0].content, Content::Text(text) if text == "hi"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Observation<'a> {
    /// The dialect of the document
    pub dialect: Dialect,
    /// System text in front of the conversation, wherever the dialect keeps it
    pub instructions: Vec<Item<'a>>,
    /// The conversation, in order
    pub turns: Vec<Turn<'a>>,
    /// The tools that the document defines
    pub tools: Vec<Tool<'a>>,
    /// What the request adds to the conversation beside its messages: state that the server holds, documents, other servers
    pub context: Vec<Item<'a>>,
    /// Settings of the request that the model is not told
    pub settings: Vec<Setting<'a>>,
    /// The document is one tool result, without the conversation around it
    pub is_lone_result: bool,
    /// The outermost value of the document
    pub root: Value<'a>,
}

impl<'a> Observation<'a> {
    /// Returns the items of all turns.
    pub(crate) fn items(&self) -> impl Iterator<Item = &Item<'a>> {
        self.turns.iter().flat_map(|turn| &turn.items)
    }
}

named! {
    /// The speaker of a turn.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    Speaker {
        /// Instructions
        System = "system",
        /// The user
        User = "user",
        /// The model
        Assistant = "assistant",
        /// The tools: their results
        Tool = "tool",
    }
}

/// Consecutive items of one speaker, as one message of the document has them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Turn<'a> {
    /// The speaker
    pub speaker: Speaker,
    /// The items, in order
    pub items: Vec<Item<'a>>,
    /// The message
    pub place: Value<'a>,
}

/// One thing that a turn says.
#[derive(Debug)]
#[non_exhaustive]
pub struct Item<'a> {
    /// The content
    pub content: Content<'a>,
    /// The value of the document that the item was read from
    pub place: Value<'a>,
    /// Settings of the item that the model is not told
    pub attributes: Vec<(Attribute, Cow<'a, str>)>,
}

/// The content of an item.
#[derive(Debug)]
#[non_exhaustive]
pub enum Content<'a> {
    /// Text
    Text(Cow<'a, str>),
    /// A JSON value in a tool result
    Data(Value<'a>),
    /// An image, a recording, a video or a document
    Media(Media<'a>),
    /// A resource of the Model Context Protocol, or a link to one
    Resource(Resource<'a>),
    /// A tool call
    Call(Call<'a>),
    /// A tool result
    Result(ToolResult<'a>),
    /// Reasoning of the model
    Reasoning(Reasoning<'a>),
    /// An item that only one provider or program knows
    Provider(Provider<'a>),
}

named! {
    /// The kinds of media.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    MediaKind {
        /// An image
        Image = "image",
        /// A recording
        Audio = "audio",
        /// A video
        Video = "video",
        /// A document
        Document = "document",
    }
}

impl MediaKind {
    /// Returns the kind that a declared media type says; without one, it is a document.
    pub(crate) fn of_declared(media_type: Option<&str>) -> Self {
        media_type.map_or(Self::Document, Self::of_type)
    }

    /// Returns the kind that a media type says.
    pub fn of_type(media_type: &str) -> Self {
        match media_type.split('/').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
            "image" => Self::Image,
            "audio" => Self::Audio,
            "video" => Self::Video,
            _ => Self::Document,
        }
    }
}

/// An image, a recording, a video or a document.
#[derive(Debug)]
#[non_exhaustive]
pub struct Media<'a> {
    /// The kind that the block says, or that the bytes have in a block of another kind
    pub kind: MediaKind,
    /// The bytes, or where they are
    pub source: Source<'a>,
    /// The media type that the block says
    pub media_type: Option<Cow<'a, str>>,
    /// The name of the file
    pub name: Option<Cow<'a, str>>,
}

/// The bytes of a medium, or where they are.
#[derive(Debug)]
pub enum Source<'a> {
    /// Base64, in any alphabet, padded or not
    Base64(Cow<'a, str>),
    /// The text of a document
    Text(Cow<'a, str>),
    /// Bytes
    Bytes(Vec<u8>),
    /// An address
    Url(Cow<'a, str>),
    /// The id of a file that was uploaded to a provider
    File(Cow<'a, str>),
    /// A document of text and images
    Items(Vec<Item<'a>>),
}

/// A resource of the Model Context Protocol, or a link to one.
#[derive(Debug)]
#[non_exhaustive]
pub struct Resource<'a> {
    /// The block
    pub value: Value<'a>,
    /// The address
    pub uri: Option<Cow<'a, str>>,
    /// The text that the resource holds
    pub text: Option<Cow<'a, str>>,
    /// The bytes that the resource holds
    pub media: Option<Media<'a>>,
}

/// A tool call.
#[derive(Debug)]
#[non_exhaustive]
pub struct Call<'a> {
    /// The number of the call in the document, from 0
    pub number: usize,
    /// The id
    pub id: Option<Cow<'a, str>>,
    /// The name of the tool
    pub name: Cow<'a, str>,
    /// The arguments
    pub arguments: Arguments<'a>,
}

/// The arguments of a tool call.
#[derive(Debug)]
pub enum Arguments<'a> {
    /// A JSON value
    Value(Value<'a>),
    /// JSON text
    Text(Cow<'a, str>),
    /// Free text: the input of a custom tool
    Input(Cow<'a, str>),
    /// None
    Missing,
}

/// A tool result.
#[derive(Debug)]
#[non_exhaustive]
pub struct ToolResult<'a> {
    /// The number of the call that it answers
    pub call: Option<usize>,
    /// The id of the call, as the result says it
    pub id: Option<Cow<'a, str>>,
    /// The name of the tool, as the result says it
    pub name: Option<Cow<'a, str>>,
    /// The tool failed; `None` where the result says neither
    pub is_error: Option<bool>,
    /// The result stands in for one that never came
    pub is_synthetic: bool,
    /// The content
    pub items: Vec<Item<'a>>,
    /// The content as one JSON value, where `items` are what the dialect wraps in it
    pub whole: Option<Value<'a>>,
    /// What stands in `whole`, as single texts and values, where it wraps a text or a list
    pub listed: Option<Vec<Item<'a>>>,
    /// The structured content beside `items`
    pub structured: Option<Value<'a>>,
}

/// Reasoning of the model.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reasoning<'a> {
    /// The text; empty where all of it is encrypted
    pub text: Cow<'a, str>,
    /// The signature, or the encrypted reasoning
    pub signature: Option<Cow<'a, str>>,
    /// The reasoning is encrypted
    pub is_redacted: bool,
}

/// An item that only one provider or program knows: a call that a server ran, a citation, a summary.
#[derive(Debug)]
#[non_exhaustive]
pub struct Provider<'a> {
    /// The name of the dialect that knows the item, as the item gives it: a transcript may name one that is not known here
    pub dialect: Cow<'a, str>,
    /// The type of the item in its dialect
    pub kind: Cow<'a, str>,
    /// The item
    pub value: Value<'a>,
    /// The content of the item, for dialects that do not have it: text, media, a call, a result. Empty where nothing of it can be read
    pub readable: Vec<Item<'a>>,
}

impl Provider<'_> {
    /// Returns whether `dialect` is the one that knows the item.
    pub(crate) fn is_of(&self, dialect: Dialect) -> bool {
        self.dialect == dialect.name()
    }
}

/// The definition of a tool.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tool<'a> {
    /// The name
    pub name: Cow<'a, str>,
    /// The description
    pub description: Option<Cow<'a, str>>,
    /// The schema of the arguments
    pub schema: Option<Value<'a>>,
    /// The type of a tool that the provider runs or knows by its type; `None` for a function of the client
    pub provider_type: Option<Cow<'a, str>>,
    /// The tool takes free text instead of arguments
    pub is_custom: bool,
    /// The object with the fields of the definition
    pub fields: Value<'a>,
    /// The definition
    pub place: Value<'a>,
}

named! {
    /// Settings of an item that the model is not told.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    Attribute {
        /// The name of the participant who speaks
        SpeakerName = "speaker name",
        /// The role `developer`
        Developer = "developer role",
        /// A cache mark
        CacheMark = "cache mark",
        /// The detail in which an image is looked at
        Detail = "image detail",
        /// The title of a document
        Title = "document title",
        /// The context of a document
        Context = "document context",
        /// The status of an item
        Status = "item status",
        /// The signature of a text or a call
        Signature = "signature",
        /// The sources of a text
        Citations = "citations",
        /// The part of a video that is looked at
        VideoMetadata = "video metadata",
        /// The resolution in which a medium is looked at
        Resolution = "media resolution",
        /// Fields that only some provider knows
        ProviderOptions = "options of providers",
    }
}

/// A setting of the request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Setting<'a> {
    /// The kind
    pub kind: SettingKind,
    /// The value
    pub value: Value<'a>,
    /// The value in the words of all dialects
    pub content: SettingContent<'a>,
}

/// The value of a setting in the words of all dialects.
#[derive(Debug)]
#[non_exhaustive]
pub enum SettingContent<'a> {
    /// Which tools the model may or must call
    ToolChoice(ToolChoice<'a>),
    /// The format of the answer
    ResponseFormat(ResponseFormat<'a>),
    /// On or off
    Flag(bool),
    /// A number or texts, which mean the same in all dialects that have the setting
    Value,
    /// A value that only one dialect has
    Other,
}

/// The tools that the model may or must call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolChoice<'a> {
    /// Any tool or none, as without the setting
    Auto,
    /// No tool
    None,
    /// Any tool, but one at least
    Any,
    /// One tool
    Tool(Cow<'a, str>),
    /// A choice that only one dialect has
    Other,
}

/// The format of the answer.
#[derive(Clone, Copy, Debug)]
pub enum ResponseFormat<'a> {
    /// Text, as without the setting
    Text,
    /// A JSON object
    Json,
    /// JSON of a schema
    Schema(Value<'a>),
    /// A format that only one dialect has
    Other,
}

named! {
    /// The settings of a request.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    SettingKind {
        /// Which tools the model may or must call
        ToolChoice = "tool choice",
        /// The model may call several tools at once
        ParallelCalls = "parallel calls",
        /// The format of the answer
        ResponseFormat = "response format",
        /// How much the model reasons
        Reasoning = "reasoning",
        /// The most tokens of the answer
        MaxTokens = "token limit",
        /// The temperature
        Temperature = "temperature",
        /// The share of the likeliest tokens that are drawn from
        TopP = "top-p",
        /// The number of the likeliest tokens that are drawn from
        TopK = "top-k",
        /// Texts at which the answer ends
        Stop = "stop texts",
        /// The seed
        Seed = "seed",
        /// The penalty on tokens by how often they occurred
        FrequencyPenalty = "frequency penalty",
        /// The penalty on tokens that occurred
        PresencePenalty = "presence penalty",
    }
}
