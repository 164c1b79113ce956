//! The dialects: how each system spells a transcript.
//!
//! A dialect is one row of the table below and one file of the same name in each room: here it says what it is and how it
//! is read (`spec::Spec`), in `crate::write` how it is rendered, in [`crate::check`](mod@crate::check) how it is judged, in
//! [`crate::invariant`] what of it the promises look at.

mod ai_sdk_attachment;
mod ai_sdk_chunk;
mod ai_sdk_invocation;
mod ai_sdk_media;
mod ai_sdk_model;
mod ai_sdk_output;
mod ai_sdk_reasoning;
mod ai_sdk_ui;
mod anthropic_chunks;
mod anthropic_item;
mod anthropic_messages;
mod bare;
mod bedrock_converse;
mod block;
mod body_signs;
mod bytes;
mod call;
mod canonical;
mod carried_document;
mod cohere_v2;
mod common_chat;
mod container;
pub(crate) mod definitions;
mod detect;
mod fields;
mod file_block;
mod file_bytes;
mod gemini_contents;
mod item_calls;
mod item_words;
mod kept_elsewhere;
mod langchain;
mod langchain_block;
mod langchain_calls;
mod langchain_kwargs;
mod lineage;
mod lone_surrogates;
mod lossless_claw;
mod mcp_block;
mod mcp_content;
mod mcp_prompt;
mod mcp_sampling;
mod mcp_tool_result;
mod mistral_chat;
mod ollama_chat;
mod openai_chat;
pub(crate) mod openai_responses;
mod openclaw;
mod openviking;
mod pieces;
mod reader;
mod result;
mod role;
mod signer;
mod spec;
mod thinking;
mod thought_signature;
mod typed;
mod unsupported;
mod way;

pub(crate) use ai_sdk_attachment::KEY as AI_SDK_ATTACHMENTS;
pub(crate) use ai_sdk_invocation::{KEY as AI_SDK_INVOCATIONS, of_message as ai_sdk_invocations};
pub(crate) use ai_sdk_model::{MESSAGE_FIELD as AI_SDK_MESSAGE_FIELD, is_approval, options_are_sound};
pub(crate) use ai_sdk_output::{blocks_of_mcp, says_all, structured_content};
pub(crate) use ai_sdk_reasoning::{is_the_seal, signed_for};
pub(crate) use ai_sdk_ui::{STEP as AI_SDK_STEP, is_never_sent as ai_sdk_never_sends, metadata_is_sound};
pub(crate) use anthropic_item::{is_marker as is_anthropic_marker, sets_options as sets_anthropic_options};
pub(crate) use anthropic_messages::{
    is_server_result, keeps as anthropic_keeps, keeps_in_message as anthropic_keeps_in_message,
};
pub(crate) use bedrock_converse::{bedrock_keeps, format_of as bedrock_format_of};
pub(crate) use call::is_marker;
pub(crate) use carried_document::{Carried, carried_document, text_of_file};
pub(crate) use cohere_v2::{CITATIONS as COHERE_CITATIONS, PLAN as COHERE_PLAN, cohere_document};
pub use container::{Layout, is_response, layout};
pub use detect::{Evidence, detect};
pub(crate) use detect::{contradicts, is_chat, is_spelled_as_chat};
pub(crate) use fields::{
    ARGUMENTS, CALL_IDS, CALL_NAMES, ERROR_FLAGS, MARKERS, MIME_TYPES, RESULT_IDS, RESULT_NAMES, STOP_REASONS,
};
pub(crate) use file_bytes::with_readable_files;
pub(crate) use gemini_contents::BESIDE as GEMINI_BESIDE;
pub(crate) use item_calls::{
    Answer as AnswerOfItem, Call as CallOfItem, Said as SaidByItem, Told as ToldByItem, told as told_by_item,
};
pub(crate) use item_words::{ItemWords, of_item};
pub(crate) use langchain::{
    Form as LangChainForm, INVALID as LANGCHAIN_INVALID, class_of as langchain_class, shape as langchain_shape,
    status_of as langchain_status, type_of as langchain_type,
};
pub(crate) use langchain_calls::twin as langchain_twin;
pub(crate) use langchain_kwargs::without_calls as langchain_without_calls;
pub(crate) use mcp_tool_result::is_said;
pub(crate) use openai_chat::{LEGACY as OPENAI_LEGACY, REASONING};
pub(crate) use openviking::ALIASES as OPENVIKING_ALIASES;
use reader::Reader;
pub(crate) use result::OTHER_CONTENTS;
pub(crate) use role::shows_a_role;
pub(crate) use signer::{KEPT as KEPT_SIGNATURE, is_unsigned, names_of_openclaw, put_together};
use spec::Spec;
pub(crate) use spec::{SystemField, ToolForm};
pub(crate) use thought_signature::{
    DETAILS as REASONING_DETAILS, is_detail as is_reasoning_detail, is_told as thought_signature_is_told,
};
pub(crate) use typed::without_wrong_types;
pub use unsupported::unsupported;

pub use wirecanon_model::Dialect;

use crate::Error;
use crate::json::{Json, Value};
use crate::report::Report;
use crate::rule;
use crate::step::Steps;
use crate::text;
use crate::transcript::{Block, BlockKind, Container, Message, Role, Transcript};

macro_rules! specs {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal, $stem:ident;)+) => {
        /// The description of each dialect.
        static SPECS: [&Spec; Dialect::COUNT] = [$(&$stem::SPEC),+];
    };
}

wirecanon_model::for_each_dialect!(specs);

/// What the canonicalizer knows of a dialect beside its name.
pub(crate) trait Described {
    /// Returns the description of the dialect.
    fn spec(self) -> &'static Spec;
    /// Whether this dialect has such an item of its own, which canonical content only carries, in a message of this role.
    fn can_replay(self, item: Value<'_>, role: Role) -> bool;
}

impl Described for Dialect {
    fn spec(self) -> &'static Spec {
        SPECS[self as usize]
    }

    fn can_replay(self, item: Value<'_>, role: Role) -> bool {
        let spec = self.spec();
        let kind = (spec.kind)(item);
        (spec.is_own_message)(item) || ((spec.has_item)(&kind, role) && (spec.is_whole)(&kind, item))
    }
}

/// Reads a text as a transcript of this dialect. What was read as something else is in the report; nothing is mended yet
/// that takes more than one message to see. Linear in the text.
///
/// # Errors
///
/// The text holds no transcript of the dialect.
///
/// ```
/// use wirecanon_core::dialect::read;
/// use wirecanon_core::json::{Json, Limits};
/// use wirecanon_core::transcript::Role;
/// use wirecanon_core::{Dialect, Report};
///
/// let json = Json::parse(r#"[{"role":"user","content":"hi"}]"#, &Limits::default())?;
/// let transcript = read(&json, Dialect::OpenAiChat, &mut Report::default())?;
/// assert_eq!(transcript.messages[0].role, Role::User);
/// assert_eq!(transcript.messages[0].blocks[0].as_text().as_deref(), Some("hi"));
/// # Ok::<(), wirecanon_core::Error>(())
/// ```
pub fn read<'a>(json: &'a Json<'a>, dialect: Dialect, report: &mut Report<'static>) -> Result<Transcript<'a>, Error> {
    let read = read_by(json, dialect, Steps::All, report);
    report.quote_copied(json.text());
    read
}

/// What all readers do that can be left out, beside what a dialect does once all its messages are read.
pub(crate) const STEPS: &[&str] = &["instructions", "lone-surrogates", "tools"];

/// Reads a text as [`read`] does, by these steps.
pub(crate) fn read_by<'a>(
    json: &'a Json<'a>,
    dialect: Dialect,
    steps: Steps,
    report: &mut Report<'static>,
) -> Result<Transcript<'a>, Error> {
    let layout = layout(json, dialect)?;
    let mut cx = Reader::new(json, dialect, report);
    cx.messages.reserve_exact(layout.messages.clone().count());
    let spec = dialect.spec();
    if let Some(system) = layout.system.filter(|_| steps.read("instructions")) {
        (spec.read_system)(&mut cx, system);
    }
    let top_system = cx.messages.len();
    let mut wires = layout.messages.clone();
    while let Some(wire) = wires.next() {
        cx.behind = wires.clone();
        (spec.read)(&mut cx, wire);
    }
    if let Some(finish) = spec.finish.filter(|_| steps.read(dialect.name())) {
        finish(&mut cx);
    }
    if steps.read("lone-surrogates") {
        lone_surrogates::report(&mut cx);
    }
    let (next_id, system_changed) = (cx.last_id(), cx.system_changed);
    let messages = std::mem::take(&mut cx.messages);
    if is_of_no_known_form(&messages[top_system..], cx.report) {
        let words = format!("none of its messages has a form that is known in {}", dialect.name());
        return Err(container::not_a_transcript(json.root(), &words));
    }
    let mut results = messages.iter().filter(|message| message.result.is_some());
    let lone = layout.is_fragment && results.next().is_some() && results.next().is_none();
    let fragment = dialect.is_fragment() || lone || is_lone_result_with_media(&messages);
    let body = match layout.container {
        Container::Object { object, .. } if steps.read("tools") => Some(json.value(object)),
        _ => None,
    };
    let tools = definitions::read(&mut cx, layout.tools.filter(|_| steps.read("tools")), body);
    Ok(Transcript {
        messages,
        dialect,
        fragment,
        tools,
        container: layout.container,
        edits: Vec::new(),
        top_system,
        system_changed,
        next_id,
    })
}

/// Whether nothing could be read of a text: no message has a role, or none has content and something else of it is lost.
fn is_of_no_known_form(messages: &[Message<'_>], report: &Report) -> bool {
    let lost = |rule: &rule::Rule| report.losses().any(|entry| entry.rule == rule.id);
    if messages.is_empty() {
        return lost(&rule::UNKNOWN_ROLE);
    }
    let silent = |message: &Message<'_>| message.blocks.is_empty() && message.result.is_none();
    let missing = || report.repairs.iter().filter(|entry| entry.rule == rule::CONTENT_MISSING.id).count();
    messages.iter().all(silent) && missing() >= messages.len() && lost(&rule::UNKNOWN_FIELD)
}

/// Returns whether a message of the user holds media of results, which follow the results because their target takes none in
/// them, and nothing else.
fn is_media_of_results(message: &Message<'_>) -> bool {
    let first = message.blocks.first().and_then(Block::as_text);
    let mut has_medium = false;
    message.role == Role::User
        && first.is_some_and(|words| words.lines().next().is_some_and(text::is_media_label))
        && message.blocks.iter().all(|block| match &block.kind {
            // A target that takes one text a message has labels and notes on lines of it.
            BlockKind::Text(words) => words.get().lines().all(|line| {
                let is_note = text::is_left_out(line) && line.ends_with(']');
                has_medium |= is_note;
                is_note || text::is_media_label(line)
            }),
            // An item that only its provider knows becomes a note elsewhere, which is no medium.
            BlockKind::ToolCall(_) | BlockKind::Thinking(_) | BlockKind::Opaque(_) => false,
            BlockKind::Image(_) | BlockKind::Link(_) | BlockKind::File(_) => {
                has_medium = true;
                true
            }
        })
        && has_medium
}

/// Whether all there is is one result whose pictures follow it, because its target takes none in results.
fn is_lone_result_with_media(messages: &[Message<'_>]) -> bool {
    let (Some(Role::ToolResult), [_, between @ .., media]) = (messages.first().map(|first| first.role), messages)
    else {
        return false;
    };
    let is_bridge = |message: &Message<'_>| {
        message.role == Role::Assistant
            && message.blocks.first().and_then(Block::as_text).is_some_and(|words| &*words == text::BETWEEN)
    };
    between.len() < 2 && between.iter().all(is_bridge) && is_media_of_results(media)
}
