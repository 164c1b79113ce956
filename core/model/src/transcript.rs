//! The canonical transcript: what every dialect is read into and written from.
//!
//! The types also hold what is broken (a call without arguments, an image without data), because the passes of
//! `crate::repair` must see a fault to mend it. After repair the shape of the canonical dialect holds: see SPEC.md, part 2.
//!
//! Every part keeps the index of the value it was read from. A part that nothing changed is `clean`, and a writer to the
//! dialect it came from copies its bytes.

mod block;
mod build;
mod native;

use std::borrow::Cow;

pub use block::{Arguments, Block, BlockKind, File, Link, Media, Opaque, Thinking, ToolCall};
pub use build::Blocks;
pub use native::Native;

use crate::dialect::Dialect;
use crate::text;

/// A conversation, or a fragment of one, borrowed from the text that it was read from.
///
/// ```
/// use wirecanon_core::{Block, Dialect, Options, Transcript};
/// use wirecanon_core::WriteTranscript as _;
///
/// let mut history = Transcript::new()
///     .system("Be brief.")
///     .user([Block::text("What is this?"), Block::image("iVBORw0KGgo=", "image/png")])
///     .assistant(Block::tool_call("c1", "look", r#"{"at":"a.png"}"#))
///     .tool_result("c1", "a cat")
///     .assistant(Block::tool_call("c2", "name", "{}"))
///     .tool_error("c2", "it has none")
///     .assistant("A cat.");
/// assert_eq!(history.messages.len(), 7);
/// let fixed = history.write(&Options::new().to(Dialect::AnthropicMessages))?;
/// assert!(fixed.report.repairs.is_empty());
///
/// // For a call that nothing answers there is a stand-in, under numbers of this transcript.
/// let stand_in = history.stand_in(Some("c3".into()), None);
/// assert!(stand_in.result.is_some_and(|head| head.is_error && head.synthetic));
/// assert!(history.mint() > stand_in.id);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Transcript<'a> {
    /// In order
    pub messages: Vec<Message<'a>>,
    /// The dialect it was read from
    pub dialect: Dialect,
    /// A lone tool result, without a call around it: exempt from pairing
    pub fragment: bool,
    /// Tool definitions of a whole request body
    pub tools: Vec<Tool<'a>>,
    /// Where the messages stood in the source
    pub container: Container,
    /// What changes in the document beside its messages, when it is written back to its own dialect
    pub edits: Vec<Edit>,
    /// How many messages in front came from a field beside the list of messages
    pub top_system: usize,
    /// True if something in that field was left out, so that the field must be rewritten
    pub system_changed: bool,
    /// The next unused number for a message or block that did not come from the source
    pub next_id: u32,
}

/// Text that takes the place of a part of the document beside its messages.
///
/// ```
/// use wirecanon_core::transcript::Edit;
///
/// let edit = Edit { at: 1..1, text: r#""stream":false,"#.into() };
/// let mut body = r#"{"messages":[]}"#.to_owned();
/// body.replace_range(edit.at, &edit.text);
/// assert_eq!(body, r#"{"stream":false,"messages":[]}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The part of the source's text; empty where something is put in
    pub at: std::ops::Range<usize>,
    /// JSON text
    pub text: String,
}

impl<'a> Transcript<'a> {
    /// A new number for a message or block that did not come from the source.
    ///
    /// ```
    /// use wirecanon_core::transcript::{Message, Role};
    /// use wirecanon_core::{Block, Transcript};
    ///
    /// let mut history = Transcript::new().user("look");
    /// let message = Message::new(history.mint(), Role::Assistant, vec![Block::text("A cat.")]);
    /// assert!(history.messages.iter().all(|other| other.id != message.id));
    /// ```
    pub fn mint(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// The error result of a call that nothing answers. It is not put into the transcript.
    ///
    /// ```
    /// use wirecanon_core::{Block, Transcript, text};
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let mut history = Transcript::new().user("look").assistant(Block::tool_call("c1", "look", "{}")).user("well?");
    /// let stand_in = history.stand_in(Some("c1".into()), Some("look".into()));
    /// assert!(stand_in.blocks[0].as_text().is_some_and(|words| words == text::NO_RESULT));
    /// history.messages.insert(2, stand_in);
    /// assert!(history.to_canonical()?.contains(r#""synthetic":true"#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn stand_in(&mut self, call_id: Option<Cow<'a, str>>, tool_name: Option<Cow<'a, str>>) -> Message<'a> {
        let block = Block::new(self.mint(), BlockKind::Text(text::NO_RESULT.into()));
        let mut message = Message::new(self.mint(), Role::ToolResult, vec![block]);
        message.result = Some(Box::new(ResultHead { call_id, tool_name, is_error: true, synthetic: true }));
        message
    }
}

/// What the messages stood in. A writer to the same dialect writes them back into it.
///
/// ```
/// use wirecanon_core::Dialect;
/// use wirecanon_core::dialect::layout;
/// use wirecanon_core::json::{Json, Limits};
/// use wirecanon_core::transcript::Container;
///
/// let json = Json::parse(r#"{"messages":[{"role":"user","content":"hi"}]}"#, &Limits::default())?;
/// let container = layout(&json, Dialect::OpenAiChat)?.container;
/// assert_eq!(container, Container::Object { object: 0, key: "messages" });
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Container {
    /// An object with the list under this key (`messages`, `input`, `contents`)
    Object {
        /// Index of the object
        object: u32,
        /// The key
        key: &'static str,
    },
    /// The list itself
    List {
        /// Index of the list
        list: u32,
    },
    /// One message, or one result, alone
    Single {
        /// Index of it
        object: u32,
    },
    /// A provider's response, read as one turn
    Response,
    /// JSON Lines with one message a line
    Lines,
    /// Nothing: the transcript was built, not read
    #[default]
    Built,
}

/// Who speaks.
///
/// ```
/// use wirecanon_core::transcript::Role;
///
/// assert_eq!(Role::ToolResult.name(), "toolResult");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Instructions
    System,
    /// The user
    User,
    /// The model
    Assistant,
    /// One tool's answer to one call
    ToolResult,
}

impl Role {
    /// The canonical spelling.
    ///
    /// ```
    /// use wirecanon_core::transcript::Role;
    ///
    /// assert_eq!([Role::User, Role::ToolResult].map(Role::name), ["user", "toolResult"]);
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::ToolResult => "toolResult",
        }
    }
}

/// Why a turn ended.
///
/// ```
/// use wirecanon_core::Transcript;
/// use wirecanon_core::transcript::StopReason;
/// use wirecanon_core::WriteTranscript as _;
///
/// let mut history = Transcript::new().user("hi").assistant("hel");
/// history.messages[1].stop_reason = StopReason::from_name("aborted");
/// assert!(history.messages[1].stop_reason.is_some_and(StopReason::failed));
/// assert!(history.to_canonical()?.contains(StopReason::Aborted.name()));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The model was done
    Stop,
    /// The token limit
    Length,
    /// The model wants its tools run
    ToolUse,
    /// The provider failed
    Error,
    /// The user or the program broke it off
    Aborted,
}

impl StopReason {
    /// The canonical spelling.
    ///
    /// ```
    /// use wirecanon_core::transcript::StopReason;
    ///
    /// assert_eq!([StopReason::Stop, StopReason::ToolUse].map(StopReason::name), ["stop", "toolUse"]);
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolUse => "toolUse",
            Self::Error => "error",
            Self::Aborted => "aborted",
        }
    }

    /// Reads the canonical spelling.
    ///
    /// ```
    /// use wirecanon_core::transcript::StopReason;
    ///
    /// assert_eq!(StopReason::from_name("length"), Some(StopReason::Length));
    /// assert_eq!(StopReason::from_name("max_tokens"), None, "one dialect calls it so");
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Stop, Self::Length, Self::ToolUse, Self::Error, Self::Aborted]
            .into_iter()
            .find(|stop| stop.name() == name)
    }

    /// Whether the turn broke off before it was whole.
    ///
    /// ```
    /// use wirecanon_core::transcript::StopReason;
    ///
    /// assert!(StopReason::Aborted.failed() && !StopReason::Length.failed());
    /// ```
    pub fn failed(self) -> bool {
        matches!(self, Self::Error | Self::Aborted)
    }
}

/// One message of one role.
///
/// Small on purpose: a transcript of a million short messages must stay under ten times its text.
///
/// ```
/// use wirecanon_core::transcript::{Message, Role, StopReason};
/// use wirecanon_core::{Block, Transcript};
/// use wirecanon_core::WriteTranscript as _;
///
/// let mut turn = Message::new(1, Role::Assistant, vec![Block::tool_call("c1", "look", "{}")]);
/// assert_eq!(turn.calls().count(), 1);
/// turn.stop_reason = Some(StopReason::Error);
/// assert!(turn.failed());
///
/// let mut history = Transcript::new().user("look");
/// history.messages.push(Message::new(history.next_id + 1, Role::Assistant, vec![Block::text("I do.")]));
/// assert!(history.to_canonical().is_ok());
/// ```
#[derive(Debug)]
pub struct Message<'a> {
    /// A number that survives reordering
    pub id: u32,
    /// Who speaks
    pub role: Role,
    /// What is said, in order
    pub blocks: Vec<Block<'a>>,
    /// Why an assistant turn ended
    pub stop_reason: Option<StopReason>,
    /// What a tool result answers; `None` on every other role
    pub result: Option<Box<ResultHead<'a>>>,
    /// Fields that only one dialect knows
    pub native: Option<Box<Native<'a>>>,
    /// Where it came from
    pub origin: Option<Origin>,
    /// Index of the value that says it: the wire message, or a block of one
    pub source: Option<u32>,
    /// Something differs from the source: its bytes must be written anew
    pub dirty: bool,
}

/// The wire message that a message was read from. One wire message may hold several (Anthropic puts tool results and
/// user text into one), in order, as `part` 0 to `parts - 1`.
///
/// ```
/// use wirecanon_core::dialect::read;
/// use wirecanon_core::json::{Json, Limits};
/// use wirecanon_core::{Dialect, Report};
///
/// let text = r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"a cat"},{"type":"text","text":"so?"}]}]"#;
/// let json = Json::parse(text, &Limits::default())?;
/// let transcript = read(&json, Dialect::AnthropicMessages, &mut Report::default())?;
/// let origins: Vec<_> = transcript.messages.iter().filter_map(|message| message.origin).collect();
/// assert_eq!(origins.iter().map(|origin| (origin.part, origin.parts)).collect::<Vec<_>>(), [(0, 2), (1, 2)]);
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Index of the wire message's value
    pub value: u32,
    /// Which part of it this is
    pub part: u32,
    /// How many parts it was read into
    pub parts: u32,
    /// How many values that follow each other it was read from: one, except where a dialect spreads a turn over several
    /// items (OpenAI Responses)
    pub values: u32,
}

impl<'a> Message<'a> {
    /// A message that did not come from the source.
    ///
    /// ```
    /// use wirecanon_core::transcript::{Message, Role};
    /// use wirecanon_core::{Block, Transcript};
    ///
    /// let mut history = Transcript::new().user("look");
    /// let turn = Message::new(history.mint(), Role::Assistant, vec![Block::text("A cat.")]);
    /// assert!(turn.dirty && turn.source.is_none(), "no source has its bytes");
    /// history.messages.push(turn);
    /// ```
    pub fn new(id: u32, role: Role, blocks: Vec<Block<'a>>) -> Self {
        Self {
            id,
            role,
            blocks,
            stop_reason: None,
            result: None,
            native: None,
            origin: None,
            source: None,
            dirty: true,
        }
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

    /// The tool calls in it, in order.
    ///
    /// ```
    /// use wirecanon_core::{Block, Transcript};
    ///
    /// let said = [Block::text("I look."), Block::tool_call("c1", "look", "{}"), Block::tool_call("c2", "read", "{}")];
    /// let history = Transcript::new().user("look").assistant(said);
    /// let names: Vec<_> = history.messages[1].calls().filter_map(|call| call.name.as_deref()).collect();
    /// assert_eq!(names, ["look", "read"]);
    /// ```
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall<'a>> {
        self.blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::ToolCall(call) => Some(&**call),
            _ => None,
        })
    }

    /// Whether the turn broke off before it was whole.
    ///
    /// ```
    /// use wirecanon_core::Transcript;
    /// use wirecanon_core::transcript::StopReason;
    ///
    /// let mut history = Transcript::new().user("look").assistant("It is a c");
    /// assert!(!history.messages[1].failed(), "nothing says why it ended");
    /// history.messages[1].stop_reason = Some(StopReason::Error);
    /// assert!(history.messages[1].failed());
    /// ```
    pub fn failed(&self) -> bool {
        self.stop_reason.is_some_and(StopReason::failed)
    }
}

/// What a tool result says about itself beside its content.
///
/// ```
/// use wirecanon_core::{Block, Transcript};
///
/// let call = Block::tool_call("c1", "look", "{}");
/// let history = Transcript::new().user("look").assistant(call).tool_result("c1", "a cat");
/// let head = history.messages[2].result.as_deref().unwrap();
/// assert_eq!((head.call_id.as_deref(), head.tool_name.as_deref()), (Some("c1"), Some("look")));
/// assert!(!head.is_error && !head.synthetic);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultHead<'a> {
    /// The call that it answers, trimmed; `None` when the source has none
    pub call_id: Option<Cow<'a, str>>,
    /// The tool that answered
    pub tool_name: Option<Cow<'a, str>>,
    /// Whether the tool failed
    pub is_error: bool,
    /// Written by a program in place of a result that never came
    pub synthetic: bool,
}

/// Keys and exact JSON texts.
///
/// ```
/// use wirecanon_core::transcript::Fields;
///
/// let fields: Fields<'_> = vec![("cache_control".into(), r#"{"type":"ephemeral"}"#.into())];
/// assert_eq!(fields[0].0, "cache_control");
/// ```
pub type Fields<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// A tool that a request body offers to the model.
///
/// ```
/// use wirecanon_core::Transcript;
///
/// let history = Transcript::new().user("hi").tool("look", "Looks at a file", r#"{"type":"object"}"#);
/// assert_eq!(history.tools[0].name, "look");
/// assert_eq!(history.tools[0].parameters.as_deref(), Some(r#"{"type":"object"}"#));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool<'a> {
    /// Its name
    pub name: Cow<'a, str>,
    /// What it does
    pub description: Option<Cow<'a, str>>,
    /// Exact JSON text of the schema of its arguments
    pub parameters: Option<Cow<'a, str>>,
    /// Index of the value it was read from, if it was
    pub source: u32,
    /// The target wants it under another name than the source has
    pub renamed: bool,
    /// The source spells the definition as another dialect does
    pub foreign: bool,
}
