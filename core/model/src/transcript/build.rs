//! Building a transcript: a chain of what was said, and the blocks in it.

use std::borrow::Cow;

use super::{
    Arguments, Block, BlockKind, Container, File, Link, Media, Message, ResultHead, Role, Thinking, Tool, ToolCall,
    Transcript,
};
use crate::dialect::Dialect;

/// What one message says: a text, a block, or several blocks.
///
/// ```
/// use wirecanon_core::Block;
/// use wirecanon_core::transcript::Blocks;
///
/// let [one, other]: [Blocks<'_>; 2] = ["look".into(), Block::text("look").into()];
/// assert_eq!(one.0[0].as_text(), other.0[0].as_text());
/// let both: Blocks<'_> = vec![Block::text("look"), Block::link("https://example.org/a.png")].into();
/// assert_eq!(both.0.len(), 2);
/// ```
#[derive(Debug)]
pub struct Blocks<'a>(pub Vec<Block<'a>>);

impl<'a> From<&'a str> for Blocks<'a> {
    fn from(words: &'a str) -> Self {
        Block::text(words).into()
    }
}

impl From<String> for Blocks<'_> {
    fn from(words: String) -> Self {
        Block::text(words).into()
    }
}

impl<'a> From<Block<'a>> for Blocks<'a> {
    fn from(block: Block<'a>) -> Self {
        Self(vec![block])
    }
}

impl<'a> From<Vec<Block<'a>>> for Blocks<'a> {
    fn from(blocks: Vec<Block<'a>>) -> Self {
        Self(blocks)
    }
}

impl<'a, const N: usize> From<[Block<'a>; N]> for Blocks<'a> {
    fn from(blocks: [Block<'a>; N]) -> Self {
        Self(blocks.into())
    }
}

impl Default for Transcript<'_> {
    fn default() -> Self {
        Self::new()
    }
}

/// Nothing is proved while a transcript is built; `to_canonical` and `write` of `wirecanon-core` do that, and say
/// what is wrong where something is.
impl<'a> Transcript<'a> {
    /// A transcript in which nothing was said yet.
    ///
    /// ```
    /// use wirecanon_core::Transcript;
    ///
    /// let history = Transcript::new();
    /// assert!(history.messages.is_empty() && history.tools.is_empty());
    /// ```
    pub fn new() -> Self {
        Self {
            messages: Vec::new(),
            dialect: Dialect::Canonical,
            fragment: false,
            tools: Vec::new(),
            container: Container::Built,
            edits: Vec::new(),
            top_system: 0,
            system_changed: false,
            next_id: 0,
        }
    }

    /// Then come these instructions.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Options, Transcript};
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let history = Transcript::new().system("Be brief.").user("hi");
    /// let body = history.write(&Options::new().to(Dialect::AnthropicMessages))?;
    /// assert!(String::from_utf8_lossy(&body.output).contains(r#""system":"Be brief.""#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn system(self, words: impl Into<Cow<'a, str>>) -> Self {
        self.then(Role::System, Block::text(words), None)
    }

    /// Then the user says this.
    ///
    /// ```
    /// use wirecanon_core::{Block, Transcript};
    ///
    /// let shown = [Block::text("What is this?"), Block::image("iVBORw0KGgo=", "image/png")];
    /// let history = Transcript::new().user("hi").user(shown);
    /// assert_eq!(history.messages[1].blocks.len(), 2);
    /// ```
    #[must_use]
    pub fn user(self, says: impl Into<Blocks<'a>>) -> Self {
        self.then(Role::User, says, None)
    }

    /// Then the model says this, and calls these tools.
    ///
    /// ```
    /// use wirecanon_core::transcript::Role;
    /// use wirecanon_core::{Block, Transcript};
    ///
    /// let history = Transcript::new().user("look").assistant([Block::text("I do."), Block::tool_call("c1", "look", "{}")]);
    /// assert_eq!(history.messages[1].role, Role::Assistant);
    /// assert_eq!(history.messages[1].calls().count(), 1);
    /// ```
    #[must_use]
    pub fn assistant(self, says: impl Into<Blocks<'a>>) -> Self {
        self.then(Role::Assistant, says, None)
    }

    /// Then a tool answers this call of the turn before. Results stand in the order of their calls.
    ///
    /// ```
    /// use wirecanon_core::{Block, Transcript};
    ///
    /// let call = Block::tool_call("c1", "look", "{}");
    /// let history = Transcript::new().user("look").assistant(call).tool_result("c1", "a cat");
    /// let name = history.messages[2].result.as_ref().and_then(|head| head.tool_name.as_deref());
    /// assert_eq!(name, Some("look"), "known by the call");
    /// ```
    #[must_use]
    pub fn tool_result(self, call_id: impl Into<Cow<'a, str>>, says: impl Into<Blocks<'a>>) -> Self {
        self.result(call_id.into(), says.into(), false)
    }

    /// Then a tool answers this call, and says that it failed.
    ///
    /// ```
    /// use wirecanon_core::{Block, Transcript};
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let call = Block::tool_call("c1", "look", r#"{"at":"b.png"}"#);
    /// let history = Transcript::new().user("look").assistant(call).tool_error("c1", "no such file");
    /// assert!(history.to_canonical()?.contains(r#""isError":true"#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn tool_error(self, call_id: impl Into<Cow<'a, str>>, says: impl Into<Blocks<'a>>) -> Self {
        self.result(call_id.into(), says.into(), true)
    }

    /// The model may call this tool. The parameters are the JSON Schema of its arguments, as JSON text; targets whose requests
    /// must define the tools that they call are given them.
    ///
    /// ```
    /// use wirecanon_core::{Dialect, Options, Transcript};
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let history = Transcript::new().user("hi").tool("look", "Looks at a file", r#"{"type":"object"}"#);
    /// let body = history.write(&Options::new().to(Dialect::AnthropicMessages))?;
    /// assert!(String::from_utf8_lossy(&body.output).contains(r#""input_schema":{"type":"object"}"#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    #[must_use]
    pub fn tool(
        mut self,
        name: impl Into<Cow<'a, str>>,
        description: impl Into<Cow<'a, str>>,
        parameters: impl Into<Cow<'a, str>>,
    ) -> Self {
        self.tools.push(Tool {
            name: name.into(),
            description: Some(description.into()),
            parameters: Some(parameters.into()),
            source: 0,
            renamed: false,
            foreign: false,
        });
        self
    }

    fn result(self, call_id: Cow<'a, str>, says: Blocks<'a>, is_error: bool) -> Self {
        // Results follow the turn that called.
        let turn = self.messages.iter().rev().find(|message| message.role != Role::ToolResult);
        let call = turn.and_then(|turn| turn.calls().find(|call| call.id.as_ref() == Some(&call_id)));
        let tool_name = call.and_then(|call| call.name.clone());
        let head = ResultHead { call_id: Some(call_id), tool_name, is_error, synthetic: false };
        self.then(Role::ToolResult, says, Some(Box::new(head)))
    }

    fn then(mut self, role: Role, says: impl Into<Blocks<'a>>, result: Option<Box<ResultHead<'a>>>) -> Self {
        let Blocks(mut blocks) = says.into();
        for block in &mut blocks {
            block.id = self.mint();
        }
        let message = Message { result, ..Message::new(self.mint(), role, blocks) };
        self.messages.push(message);
        self
    }
}

impl<'a> Block<'a> {
    /// Words.
    ///
    /// ```
    /// use wirecanon_core::Block;
    ///
    /// assert!(Block::text("a cat").is_text());
    /// ```
    pub fn text(words: impl Into<Cow<'a, str>>) -> Self {
        Self::new(0, BlockKind::Text(words.into().into()))
    }

    /// A picture: its base64, and the media type that its bytes say.
    ///
    /// ```
    /// use wirecanon_core::{Block, Transcript};
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let history = Transcript::new().user(Block::image("iVBORw0KGgo=", "image/png"));
    /// assert!(history.to_canonical()?.contains(r#"{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}"#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn image(data: impl Into<Cow<'a, str>>, mime_type: impl Into<Cow<'a, str>>) -> Self {
        let media = Media { data: Some(data.into()), mime_type: Some(mime_type.into()) };
        Self::new(0, BlockKind::Image(Box::new(media)))
    }

    /// A picture by its address, in what the user says.
    ///
    /// ```
    /// use wirecanon_core::{Block, Dialect, Options, Transcript};
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let history = Transcript::new().user(Block::link("https://example.org/a.png"));
    /// let body = history.write(&Options::new().to(Dialect::OpenAiChat))?;
    /// assert!(String::from_utf8_lossy(&body.output).contains(r#""image_url":{"url":"https://example.org/a.png"}"#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn link(url: impl Into<Cow<'a, str>>) -> Self {
        Self::new(0, BlockKind::Link(Box::new(Link { url: url.into(), mime_type: None })))
    }

    /// A document or recording, in what the user says: its base64, and its media type.
    ///
    /// ```
    /// use wirecanon_core::{Block, Dialect, Options, Transcript};
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let history = Transcript::new().user(Block::file("JVBERi0xLjc=", "application/pdf"));
    /// let body = history.write(&Options::new().to(Dialect::AnthropicMessages))?;
    /// assert!(String::from_utf8_lossy(&body.output).contains(r#""type":"document""#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn file(data: impl Into<Cow<'a, str>>, mime_type: impl Into<Cow<'a, str>>) -> Self {
        let file = File { data: data.into(), mime_type: mime_type.into(), name: None };
        Self::new(0, BlockKind::File(Box::new(file)))
    }

    /// The model's reasoning, without a provider's seal.
    ///
    /// ```
    /// use wirecanon_core::{Block, Transcript};
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let history = Transcript::new().user("look").assistant([Block::thinking("It may be a cat."), Block::text("A cat.")]);
    /// assert!(history.to_canonical()?.contains(r#"{"type":"thinking","thinking":"It may be a cat."}"#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn thinking(words: impl Into<Cow<'a, str>>) -> Self {
        let thinking = Thinking { text: words.into(), signature: None, redacted: false, origin: None };
        Self::new(0, BlockKind::Thinking(Box::new(thinking)))
    }

    /// A call of a tool. The arguments are the JSON text of an object, which keeps its digits and the order of its keys.
    ///
    /// ```
    /// use wirecanon_core::{Block, Dialect, Options, Transcript};
    /// use wirecanon_core::WriteTranscript as _;
    ///
    /// let call = Block::tool_call("c1", "look", r#"{"zoom":1.0,"at":"a.png"}"#);
    /// let history = Transcript::new().user("look").assistant(call).tool_result("c1", "a cat");
    /// let body = history.write(&Options::new().to(Dialect::AnthropicMessages))?;
    /// assert!(String::from_utf8_lossy(&body.output).contains(r#""input":{"zoom":1.0,"at":"a.png"}"#));
    /// # Ok::<(), wirecanon_core::Error>(())
    /// ```
    pub fn tool_call(
        id: impl Into<Cow<'a, str>>,
        name: impl Into<Cow<'a, str>>,
        arguments: impl Into<Cow<'a, str>>,
    ) -> Self {
        let call = ToolCall {
            id: Some(id.into()),
            name: Some(name.into()),
            arguments: Arguments::Json(arguments.into()),
            unfinished: false,
        };
        Self::new(0, BlockKind::ToolCall(Box::new(call)))
    }
}
