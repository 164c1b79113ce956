//! Items that only one provider can replay: labelled elsewhere, and left out at home without their partner.

use std::collections::{HashMap, HashSet};

use crate::adapt::callers::code_of;
use crate::adapt::system;
use crate::adapt::{keep_blocks, leave_out_alone};
use crate::dialects::Described as _;
use crate::dialects::ai_sdk_ui::read::is_never_sent as ai_sdk_never_sends;
use crate::dialects::anthropic_messages::read::is_server_result;
use crate::print::{Writer, left_out};
use crate::read::item_words::{ItemWords, of_item};
use wirecanon_json::{Json, Limits, Value, spliced};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Container, Message, Role, Transcript};
use wirecanon_model::{Dialect, Mode, rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect == Dialect::Canonical {
        return;
    }
    let last_turn = transcript.messages.iter().rposition(|message| message.role == Role::User).unwrap_or_default();
    for (at, message) in transcript.messages.iter_mut().enumerate() {
        if !message.blocks.iter().any(|block| matches!(block.kind, BlockKind::Opaque(_))) {
            continue;
        }
        keep_blocks(message, |block| !is_never_sent(block, writer));
        let (role, alone) = (message.role, message.blocks.len() == 1);
        let (mut left_out, mut silent) = (None, HashSet::new());
        for (place, block) in message.blocks.iter_mut().enumerate() {
            let said = label(block, role, alone, writer);
            if said == Said::Item {
                continue;
            }
            message.dirty = true;
            left_out.get_or_insert(place);
            if said == Said::Label {
                silent.insert(block.id);
            }
        }
        if let Some(place) = left_out.filter(|_| at >= last_turn && writer.target.reasoning.signed) {
            leave_out_thinking_behind(message, place, writer);
        }
        // A line that says that an item was left out keeps a turn from being empty. Models repeat such lines.
        let is_silent = |block: &Block<'_>| silent.contains(&block.id);
        if message.blocks.iter().any(|block| !is_silent(block) && !matches!(block.kind, BlockKind::Thinking(_))) {
            message.blocks.retain(|block| !is_silent(block));
        }
    }
    spell_ids(transcript, writer);
    partners(transcript, writer);
    transcript.messages.retain(|message| !message.blocks.is_empty());
}

/// Leaves out reasoning of the open turn that follows an item which was left out, if other reasoning precedes the item. Claude
/// error: "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified" (can1357/oh-my-pi#8561).
fn leave_out_thinking_behind(message: &mut Message<'_>, place: usize, writer: &mut Writer<'_, '_>) {
    let is_thinking = |block: &Block<'_>| matches!(block.kind, BlockKind::Thinking(_));
    if !message.blocks[..place].iter().any(is_thinking) {
        return;
    }
    let behind = message.blocks.split_off(place);
    for block in behind {
        if is_thinking(&block) {
            let words = "reasoning was left out: an item between it and the reasoning before it is not sent";
            writer.entry(&rule::THINKING_LEFT_OUT, Severity::Loss, block.source, None, words);
        } else {
            message.blocks.push(block);
        }
    }
}

/// Whether no model is told of an item, so that it is none of what is said elsewhere; says that it was left out.
fn is_never_sent(block: &Block<'_>, writer: &mut Writer<'_, '_>) -> bool {
    let BlockKind::Opaque(opaque) = &block.kind else { return false };
    if let Some(kind) = about_tools(&opaque.dialect, &opaque.value, writer) {
        let what = format!("a `{kind}` item of {} was left out", opaque.dialect);
        writer.entry(&rule::OPAQUE_ITEM_LEFT_OUT, Severity::Loss, block.source, None, what);
        return true;
    }
    let of_sdk = [Dialect::AiSdkUi, Dialect::AiSdkModel].into_iter().find(|dialect| opaque.dialect == dialect.name());
    if of_sdk.is_none_or(|dialect| dialect == writer.target.dialect) {
        return false;
    }
    let Ok(json) = Json::parse(&opaque.value, &Limits::default()) else { return false };
    let kind = kind_of(json.root());
    if !ai_sdk_never_sends(&kind) {
        return false;
    }
    if let Some(source) = block.source {
        let what = format!("a `{kind}` part is for the application, and no model is told of it; left out");
        left_out::note(writer, &rule::NATIVE_FIELD_LEFT_OUT, source, None, what);
    }
    true
}

/// Items of the Responses API that find, define or list tools. A line of text in their place would be speech of the user or of
/// the model (CommandCodeAI/command-code#893).
const ABOUT_TOOLS: &[&str] = &["tool_search_call", "tool_search_output", "additional_tools", "mcp_list_tools"];

/// Returns the type of an item that is one of [`ABOUT_TOOLS`] and that the target does not have.
fn about_tools(dialect: &str, value: &str, writer: &Writer<'_, '_>) -> Option<&'static str> {
    let responses = Dialect::OpenAiResponses;
    if dialect != responses.name() || writer.target.dialect == responses {
        return None;
    }
    if !ABOUT_TOOLS.iter().any(|kind| value.contains(kind)) {
        return None;
    }
    let json = Json::parse(value, &Limits::default()).ok()?;
    let kind = json.root().get("type")?;
    ABOUT_TOOLS.iter().copied().find(|known| kind.is_str(known))
}

/// What stands for an item in the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// The item itself
    Item,
    /// Its words, or a note in place of a medium
    Words,
    /// A line that says that it was left out
    Label,
}

/// An item of another dialect becomes its words, or one line that says that it was left out.
fn label<'a>(block: &mut Block<'a>, role: Role, alone: bool, writer: &mut Writer<'a, '_>) -> Said {
    let BlockKind::Opaque(opaque) = &block.kind else { return Said::Item };
    let target = writer.target.dialect;
    // What was read in the target's own dialect was judged then; what a canonical transcript carries is judged here.
    let own = opaque.dialect == target.name();
    // An application's own message stands for itself, so no other block stands beside it.
    let has_place = target != Dialect::OpenClaw || (alone && role == Role::User);
    if own
        && has_place
        && (writer.same
            || Json::parse(&opaque.value, &Limits::default()).is_ok_and(|json| target.can_replay(json.root(), role)))
    {
        return Said::Item;
    }
    leave_out(block, writer)
}

/// Kinds of items that are pictures, recordings and files: what refers to one would refer to nothing without a note.
const MEDIA: &[&str] = &[
    "image",
    "image_url",
    "input_image",
    "audio",
    "input_audio",
    "video",
    "document",
    "document_url",
    "file",
    "input_file",
    "media",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
];

/// The same, of an item whose message has just got another role.
pub(crate) fn label_for<'a>(block: &mut Block<'a>, role: Role, writer: &mut Writer<'a, '_>) {
    let BlockKind::Opaque(opaque) = &block.kind else { return };
    let target = writer.target.dialect;
    if !Json::parse(&opaque.value, &Limits::default()).is_ok_and(|json| target.can_replay(json.root(), role)) {
        leave_out(block, writer);
    }
}

/// Puts text in the place of an item.
fn leave_out<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) -> Said {
    let BlockKind::Opaque(opaque) = &block.kind else { return Said::Item };
    let json = Json::parse(&opaque.value, &Limits::default()).ok();
    let kind = json.as_ref().map(|json| kind_of(json.root())).unwrap_or_default();
    let said = json.as_ref().and_then(|json| of_item(&kind, json.root()));
    let stands_for_it = if said.is_some() || MEDIA.contains(&&*kind) { Said::Words } else { Said::Label };
    let name = &opaque.dialect;
    let (rule, severity, words, what) = match said {
        Some(ItemWords::Address(url)) => {
            let what = format!("a `{kind}` item of {name} was kept as its address in text");
            (&rule::MEDIA_BY_ADDRESS, Severity::Adapt, url, what)
        }
        Some(ItemWords::Text(words, true)) => {
            let what = format!("a `{kind}` item of {name} was kept as its words");
            (&rule::OPAQUE_ITEM_LEFT_OUT, Severity::Adapt, words, what)
        }
        Some(ItemWords::Text(words, false)) => {
            let what = format!("a `{kind}` item of {name} was kept as its words, without what is no text in it");
            (&rule::OPAQUE_ITEM_LEFT_OUT, Severity::Loss, words, what)
        }
        None => {
            let what = format!("a `{kind}` item of {name} was left out");
            (&rule::OPAQUE_ITEM_LEFT_OUT, Severity::Loss, text::opaque_left_out(name, &kind), what)
        }
    };
    writer.replace(rule, severity, block, BlockKind::Text(words.into()), what);
    stands_for_it
}

/// Gives the ids of a provider's own calls and results the names that its server reads.
fn spell_ids(transcript: &mut Transcript<'_>, writer: &mut Writer<'_, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        let BlockKind::Opaque(opaque) = &mut block.kind else { continue };
        let Some((spelled, key)) = with_its_own_id(&opaque.value) else { continue };
        opaque.value = spelled.into();
        let words = format!("the id of an item of the provider stands under another name; it is `{key}`");
        writer.change(&rule::FIELD_ALIAS, Severity::Mend, block, words);
    }
}

/// The text of a provider's own call or result whose id stands under the name that the other one has for it, with its own name; and
/// that name.
fn with_its_own_id(value: &str) -> Option<(String, &'static str)> {
    let json = Json::parse(value, &Limits::default()).ok()?;
    let item = json.root();
    let is_call = is_server_call(&kind_of(item))?;
    let (own, other) = if is_call { ("id", "tool_use_id") } else { ("tool_use_id", "id") };
    let (key, _) =
        item.members().find(|(key, id)| key.is_str(other) && id.as_str().is_some_and(|id| !id.is_empty()))?;
    item.get(own).is_none().then(|| (spliced(value, vec![(key.span(), format!("\"{own}\""))]), own))
}

/// A provider's own calls and results go in pairs within a turn ("must have a corresponding `server_tool_use` block before
/// it"). Results of the client's tools are part of it (vercel/ai#11262, anthropics/anthropic-sdk-python#1801): what the user
/// says ends a turn, and only the last one, which the provider paused, may end in an open call.
fn partners(transcript: &mut Transcript<'_>, writer: &mut Writer<'_, '_>) {
    if writer.target.dialect != Dialect::AnthropicMessages {
        return;
    }
    let mut open: HashMap<String, Vec<u32>> = HashMap::new();
    let mut alone = HashSet::new();
    let in_front = system::count_in_front(transcript, writer);
    for (at, message) in transcript.messages.iter().enumerate() {
        if message.role == Role::User || system::becomes_user(&transcript.messages, at, in_front, writer) {
            alone.extend(open.drain().flat_map(|(_, calls)| calls));
        }
        for (block, is_call, id) in message.blocks.iter().filter_map(half_of_a_pair) {
            if id.trim().is_empty() {
                alone.insert(block);
            } else if is_call {
                open.entry(id).or_default().push(block);
            } else if open.get_mut(&id).and_then(Vec::pop).is_none() {
                alone.insert(block);
            }
        }
    }
    if lacks_container(transcript, writer) {
        let blocks = transcript.messages.iter().flat_map(|message| &message.blocks);
        let waiting: HashSet<_> = blocks.filter_map(code_of).collect();
        alone.extend(open.into_iter().filter(|(id, _)| waiting.contains(id)).flat_map(|(_, calls)| calls));
    }
    if alone.is_empty() {
        return;
    }
    for message in &mut transcript.messages {
        let what = "an item of the provider without its partner in the same turn was left out";
        leave_out_alone(message, &alone, what, writer);
    }
}

/// Returns whether this is a whole request that names no container, so that the server cannot go on with code that waits for a call.
fn lacks_container(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> bool {
    let Container::Object { object, .. } = transcript.container else { return false };
    let body = writer.json.value(object);
    let is_request = writer.same
        && writer.mode == Mode::Request
        && ["model", "max_tokens"].iter().any(|key| body.get(key).is_some());
    is_request && body.get("container").is_none_or(Value::is_null)
}

/// Whether a block is a provider's own call (true) or result (false), and the id that joins the two.
pub(crate) fn half_of_a_pair(block: &Block<'_>) -> Option<(u32, bool, String)> {
    let BlockKind::Opaque(opaque) = &block.kind else { return None };
    let json = Json::parse(&opaque.value, &Limits::default()).ok()?;
    let is_call = is_server_call(&kind_of(json.root()))?;
    let key = if is_call { "id" } else { "tool_use_id" };
    Some((block.id, is_call, text_of(json.root(), key)))
}

/// Whether an item of this kind is a provider's own call (true) or result (false), if it is either.
fn is_server_call(kind: &str) -> Option<bool> {
    let is_call = matches!(kind, "server_tool_use" | "mcp_tool_use");
    (is_call || is_server_result(kind)).then_some(is_call)
}

fn kind_of(item: Value<'_>) -> String {
    // A part or a block without either is named by what it holds.
    let named = || {
        let held = item.members().find(|(_, value)| value.is_object()).or_else(|| item.members().next());
        held.and_then(|(key, _)| key.as_str()).unwrap_or_default().into_owned()
    };
    ["type", "role"].into_iter().map(|key| text_of(item, key)).find(|kind| !kind.is_empty()).unwrap_or_else(named)
}

fn text_of(item: Value<'_>, key: &str) -> String {
    item.get(key).and_then(Value::as_str).unwrap_or_default().into_owned()
}
