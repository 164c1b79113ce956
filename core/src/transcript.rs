//! The canonical transcript: what every dialect is read into and written from.
//!
//! The types also hold what is broken (a call without arguments, an image without data), because the passes of
//! [`crate::repair`] must see a fault to mend it. After repair the shape of the canonical dialect holds: see SPEC.md, part 2.
//!
//! Every part keeps the index of the value it was read from. A part that nothing changed is `clean`, and a writer to the
//! dialect it came from copies its bytes.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::dialect::Dialect;
use crate::text;

/// A conversation, or a fragment of one, borrowed from the text that it was read from.
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
    /// The next unused number for a message or block that did not come from the source
    pub next_id: u32,
    /// Messages, by their numbers and in order, of which only an outline was read, as nothing is wrong with them
    pub(crate) outlines: Vec<u32>,
    /// The ids of calls that were not read
    pub(crate) ids_of_runs: Vec<&'a str>,
}

/// Text that takes the place of a part of the document beside its messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The part of the source's text; empty where something is put in
    pub at: std::ops::Range<usize>,
    /// JSON text
    pub text: String,
}

impl<'a> Transcript<'a> {
    /// A new number for a message or block that did not come from the source.
    pub fn mint(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    /// Whether the messages of which only an outline was read are where they were and as they were.
    pub(crate) fn outlines_are_untouched(&self) -> bool {
        let mut outlines = self.outlines.iter().peekable();
        for message in &self.messages {
            if outlines.next_if(|id| **id == message.id).is_some() && message.dirty {
                return false;
            }
        }
        outlines.next().is_none()
    }

    /// The error result of a call that nothing answers. It is not put into the transcript.
    pub fn stand_in(&mut self, call_id: Option<Cow<'a, str>>, tool_name: Option<Cow<'a, str>>) -> Message<'a> {
        let block = Block::new(self.mint(), BlockKind::Text(Cow::Borrowed(text::NO_RESULT)));
        let mut message = Message::new(self.mint(), Role::ToolResult, vec![block]);
        message.result = Some(Box::new(ResultHead { call_id, tool_name, is_error: true, synthetic: true }));
        message
    }
}

/// What the messages stood in. A writer to the same dialect writes them back into it.
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
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Stop, Self::Length, Self::ToolUse, Self::Error, Self::Aborted]
            .into_iter()
            .find(|stop| stop.name() == name)
    }

    /// Whether the turn broke off before it was whole.
    pub fn failed(self) -> bool {
        matches!(self, Self::Error | Self::Aborted)
    }
}

/// One message of one role.
///
/// Small on purpose: a transcript of a million short messages must stay under ten times its text.
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

    /// The tool calls in it, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall<'a>> {
        self.blocks.iter().filter_map(|block| match &block.kind {
            BlockKind::ToolCall(call) => Some(&**call),
            _ => None,
        })
    }

    /// Whether the turn broke off before it was whole.
    pub fn failed(&self) -> bool {
        self.stop_reason.is_some_and(StopReason::failed)
    }
}

/// What a tool result says about itself beside its content.
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

/// One block of content.
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
    pub fn new(id: u32, kind: BlockKind<'a>) -> Self {
        Self { id, kind, source: None, native: None, dirty: true, projected: false }
    }

    /// Its text, if it is text.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            BlockKind::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The kinds of block. All but text are boxed so that text, by far the commonest, stays small.
#[derive(Debug)]
pub enum BlockKind<'a> {
    /// Words
    Text(Cow<'a, str>),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media<'a> {
    /// Base64; `None` when the source has none, or something that is no string
    pub data: Option<Cow<'a, str>>,
    /// What the source says it is
    pub mime_type: Option<Cow<'a, str>>,
}

/// The model's reasoning.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    /// The address
    pub url: Cow<'a, str>,
    /// What it is said to be
    pub mime_type: Option<Cow<'a, str>>,
}

/// A document, a recording or a film.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque<'a> {
    /// The dialect that may replay it
    pub dialect: Cow<'a, str>,
    /// Its exact JSON text
    pub value: Cow<'a, str>,
}

/// Keys and exact JSON texts.
pub type Fields<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// Fields that only certain dialects know: dialect name, then key and exact JSON text of each field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Native<'a> {
    /// In the order of the source
    pub dialects: Vec<(Cow<'a, str>, Fields<'a>)>,
}

impl<'a> Native<'a> {
    /// The fields of one dialect.
    pub fn of(&self, dialect: &str) -> &[(Cow<'a, str>, Cow<'a, str>)] {
        self.dialects.iter().find(|(name, _)| name == dialect).map_or(&[], |(_, fields)| fields)
    }

    /// One field of one dialect.
    pub fn get_mut(&mut self, dialect: &str, key: &str) -> Option<&mut Cow<'a, str>> {
        let (_, fields) = self.dialects.iter_mut().find(|(name, _)| name == dialect)?;
        fields.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Takes one field of one dialect out; true if it was there.
    pub fn remove(&mut self, dialect: &str, key: &str) -> bool {
        let Some((_, fields)) = self.dialects.iter_mut().find(|(name, _)| name == dialect) else { return false };
        let before = fields.len();
        fields.retain(|(name, _)| name != key);
        fields.len() != before
    }

    /// Adds a field of one dialect; the first value of a key stays.
    pub fn add(
        &mut self,
        dialect: impl Into<Cow<'a, str>>,
        key: impl Into<Cow<'a, str>>,
        value: impl Into<Cow<'a, str>>,
    ) {
        self.add_all(dialect, std::iter::once((key.into(), value.into())));
    }

    /// Adds fields of one dialect; the first value of a key stays. Linear in the fields that are there and those that come.
    pub fn add_all(
        &mut self,
        dialect: impl Into<Cow<'a, str>>,
        members: impl IntoIterator<Item = (Cow<'a, str>, Cow<'a, str>)>,
    ) {
        // More than this are looked up, fewer are compared with each other.
        const FEW: usize = 16;
        let mut members = members.into_iter().peekable();
        if members.peek().is_none() {
            return;
        }
        let dialect = dialect.into();
        let fields = match self.dialects.iter().position(|(name, _)| *name == dialect) {
            Some(found) => &mut self.dialects[found].1,
            None => {
                self.dialects.push((dialect, Vec::new()));
                let last = self.dialects.len() - 1;
                &mut self.dialects[last].1
            }
        };
        for (key, value) in members.by_ref().take(FEW) {
            if fields.iter().all(|(name, _)| *name != key) {
                fields.push((key, value));
            }
        }
        if members.peek().is_some() {
            let mut known: HashSet<Cow<'a, str>> = fields.iter().map(|(name, _)| name.clone()).collect();
            fields.extend(members.filter(|(key, _)| known.insert(key.clone())));
        }
    }
}

/// A tool that a request body offers to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool<'a> {
    /// Its name
    pub name: Cow<'a, str>,
    /// What it does
    pub description: Option<Cow<'a, str>>,
    /// Exact JSON text of the schema of its arguments
    pub parameters: Option<&'a str>,
    /// Index of the value it was read from
    pub source: u32,
    /// The target wants it under another name than the source has
    pub renamed: bool,
}
