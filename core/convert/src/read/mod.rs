//! Reading: detection of the dialect, containers of messages, and what the readers of all dialects share.
//!
//! What is of one dialect alone is in `crate::dialects`.

pub(crate) mod bare;
pub(crate) mod block;
pub(crate) mod body_signs;
pub(crate) mod bytes;
pub(crate) mod call;
pub(crate) mod carried_document;
pub(crate) mod container;
pub(crate) mod definitions;
pub(crate) mod detect;
pub(crate) mod fields;
pub(crate) mod file_block;
pub(crate) mod file_bytes;
pub(crate) mod item_calls;
pub(crate) mod item_words;
pub(crate) mod kept_elsewhere;
pub(crate) mod lone_surrogates;
pub(crate) mod pieces;
pub(crate) mod reader;
pub(crate) mod result;
pub(crate) mod role;
pub(crate) mod signer;
pub(crate) mod spec;
pub(crate) mod thinking;
pub(crate) mod thought_signature;
pub(crate) mod typed;
pub(crate) mod unsupported;
pub(crate) mod way;

use crate::dialects::Described as _;
pub use crate::read::container::{Layout, is_response, layout};
pub use crate::read::detect::{Evidence, detect};
use crate::read::reader::Reader;
pub use crate::read::unsupported::unsupported;

pub use wirecanon_model::Dialect;

use crate::step::Steps;
use wirecanon_json::Json;
use wirecanon_model::Error;
use wirecanon_model::report::Report;
use wirecanon_model::rule;
use wirecanon_model::text;
use wirecanon_model::transcript::{Block, BlockKind, Container, Message, Role, Transcript};

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
        let before = cx.messages.len();
        (spec.read)(&mut cx, wire);
        cx.mark_changed_from(before);
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
