//! The dialects: how each system spells a transcript.
//!
//! A dialect is one file that reads its messages, one in [`crate::write`] that renders them, and one row of the table
//! [`Dialect::reader`].

mod anthropic_messages;
mod block;
mod call;
mod canonical;
mod container;
mod detect;
mod fields;
mod lineage;
mod mcp_block;
mod mcp_tool_result;
mod openai_chat;
mod reader;
mod result;

use serde::{Deserialize, Serialize};

pub(crate) use anthropic_messages::{keeps as anthropic_keeps, keeps_in_message as anthropic_keeps_in_message};
pub use container::{Layout, layout};
pub use detect::{Evidence, detect};
pub(crate) use fields::{
    ARGUMENTS, CALL_IDS, CALL_NAMES, ERROR_FLAGS, MARKERS, MIME_TYPES, RESULT_IDS, RESULT_NAMES, STOP_REASONS,
};
pub(crate) use openai_chat::LEGACY as OPENAI_LEGACY;
use reader::Reader;

use crate::error::Error;
use crate::json::{Json, Value};
use crate::report::Report;
use crate::transcript::{Role, Transcript};

/// A spelling of transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Dialect {
    /// This project's own, see SPEC.md part 2
    #[serde(rename = "canonical")]
    Canonical,
    /// Agent messages of the OpenClaw and pi-ai lineage
    #[serde(rename = "openclaw")]
    OpenClaw,
    /// `messages` of the Anthropic Messages API
    #[serde(rename = "anthropic.messages")]
    AnthropicMessages,
    /// `messages` of the OpenAI Chat Completions API
    #[serde(rename = "openai.chat")]
    OpenAiChat,
    /// A `CallToolResult` of the Model Context Protocol
    #[serde(rename = "mcp.tool-result")]
    McpToolResult,
}

impl Dialect {
    /// Every dialect, in the order in which `auto` prefers them where a text reads the same in several.
    pub const ALL: [Self; 5] =
        [Self::Canonical, Self::OpenClaw, Self::AnthropicMessages, Self::OpenAiChat, Self::McpToolResult];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Canonical => "canonical",
            Self::OpenClaw => "openclaw",
            Self::AnthropicMessages => "anthropic.messages",
            Self::OpenAiChat => "openai.chat",
            Self::McpToolResult => "mcp.tool-result",
        }
    }

    /// The dialect with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// Whether a result of this dialect is a transcript of its own, without the call that it answers.
    pub fn is_fragment(self) -> bool {
        self == Self::McpToolResult
    }

    /// Whether a call's arguments are a string of JSON text in this dialect; elsewhere they are an object.
    pub fn arguments_are_text(self) -> bool {
        matches!(self, Self::Canonical | Self::OpenAiChat)
    }

    /// Whether a result of this dialect says the name of its tool.
    pub fn results_are_named(self) -> bool {
        matches!(self, Self::Canonical | Self::OpenClaw)
    }

    /// Whether this dialect has such an item of its own, which canonical content only carries, in a message of this role.
    pub(crate) fn can_replay(self, item: Value<'_>, role: Role) -> bool {
        block::can_replay(self, item, role)
    }

    /// Reads one wire message into `cx`.
    fn reader(self) -> ReadMessage {
        match self {
            Self::Canonical | Self::OpenClaw => lineage::read_message,
            Self::AnthropicMessages => anthropic_messages::read_message,
            Self::OpenAiChat => openai_chat::read_message,
            Self::McpToolResult => mcp_tool_result::read_message,
        }
    }
}

/// Reads one wire message.
type ReadMessage = for<'a, 'b, 'r> fn(&'b mut Reader<'a, 'r>, Value<'a>);

/// Reads a text as a transcript of this dialect. What was read as something else is in the report; nothing is mended yet
/// that takes more than one message to see. Linear in the text.
///
/// # Errors
///
/// The text holds no transcript of the dialect.
pub fn read<'a>(json: &'a Json<'a>, dialect: Dialect, report: &mut Report) -> Result<Transcript<'a>, Error> {
    let layout = layout(json, dialect)?;
    let mut cx = Reader::new(json, dialect, report);
    cx.messages.reserve_exact(layout.messages.clone().count());
    if let Some(system) = layout.system {
        container::read_system(&mut cx, system);
    }
    let top_system = cx.messages.len();
    let read_message = dialect.reader();
    for wire in layout.messages.clone() {
        read_message(&mut cx, wire);
    }
    container::report_lone_surrogates(&mut cx);
    let fragment = dialect.is_fragment() || layout.is_fragment;
    let next_id = cx.last_id();
    let messages = std::mem::take(&mut cx.messages);
    let tools = container::read_tools(&mut cx, layout.tools);
    Ok(Transcript { messages, dialect, fragment, tools, container: layout.container, top_system, next_id })
}
