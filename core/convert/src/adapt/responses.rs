//! What the Responses API asks of its items: reasoning stands in front of what followed it, ids are the server's own and
//! stand once, and an output is of its call's kind.

use std::collections::{HashMap, HashSet};

use crate::adapt::{keep_blocks, leave_out_alone};
use crate::dialects::openai_responses::read::{ITEM_FIELDS, KIND, SHELL_CALL, goes_on, id_is_whole, is_clients};
use crate::dialects::openai_responses::write::{content_of, custom_input, is_shell, native, opaque_kind};
use crate::print::Writer;
use wirecanon_json::{Json, Limits, Value};
use wirecanon_model::report::Severity;
use wirecanon_model::rule::{self, Rule};
use wirecanon_model::transcript::{self, Block, BlockKind, Container, Role, Thinking, Transcript};
use wirecanon_model::{Dialect, Mode};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::OpenAiResponses {
        return;
    }
    let (gone, misnamed) = unusable(transcript, writer);
    let gone = without_follower(transcript, writer, gone);
    leave_out(transcript, &gone, &misnamed, writer);
    ids(transcript, writer);
    if !writer.target.reasoning.content {
        contents(transcript, writer);
    }
    kinds(transcript, writer);
    partners(transcript, writer);
    transcript.messages.retain(|message| !message.blocks.is_empty());
}

const NOT_ITS_ID: &str = "the server did not give this id to an item of this type; left out";

/// Why a block goes.
type Gone = HashMap<u32, (&'static Rule, &'static str)>;

fn name() -> &'static str {
    Dialect::OpenAiResponses.name()
}

/// A string that only this dialect knows; `Err` when something else stands there.
fn text(fields: Option<&transcript::Native<'_>>, key: &str) -> Result<Option<String>, ()> {
    match native(fields, key) {
        None | Some("null") => Ok(None),
        Some(value) => {
            let json = Json::parse(value, &Limits::default()).map_err(|_| ())?;
            json.root().as_str().map(|text| Some(text.into_owned())).ok_or(())
        }
    }
}

/// Whether a reasoning block was an item of this dialect.
fn is_item(block: &Block<'_>) -> bool {
    native(block.native.as_deref(), "type") == Some("\"reasoning\"")
}

/// Whether a reasoning block could go to this dialect at all; what cannot is the matter of the limit for reasoning.
fn is_ours(block: &Block<'_>, thinking: &Thinking<'_>, same: bool) -> bool {
    same || thinking
        .origin
        .as_deref()
        .is_some_and(|origin| origin.strip_prefix(name()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        && (is_item(block) || thinking.signature.is_some())
}

/// Reasoning that its server cannot know again, and reasoning that it knows by its seal alone: its id is of another server.
fn unusable(transcript: &Transcript<'_>, writer: &Writer<'_, '_>) -> (Gone, HashSet<u32>) {
    let limits = &writer.target.reasoning;
    let (mut gone, mut misnamed) = (Gone::new(), HashSet::new());
    let mut seen = HashSet::new();
    for block in transcript.messages.iter().flat_map(|message| &message.blocks) {
        let BlockKind::Thinking(thinking) = &block.kind else { continue };
        let id = text(block.native.as_deref(), "id");
        let sealed = thinking.signature.is_some();
        let why: (&'static Rule, &'static str) = if !is_ours(block, thinking, writer.same) {
            if thinking.origin.as_deref() != Some(name()) {
                continue;
            }
            (&rule::THINKING_LEFT_OUT, "reasoning that its server does not know was left out")
        } else if !limits.accepted || (writer.same && !is_item(block)) {
            (&rule::THINKING_LEFT_OUT, "reasoning of another provider was left out")
        } else if limits.signed && !sealed {
            (&rule::THINKING_WITHOUT_SIGNATURE, "reasoning that the server does not store goes only with its seal")
        } else {
            match id {
                Ok(None) if sealed => continue,
                Ok(Some(id)) if id_is_whole(&id, "rs") => {
                    if seen.insert(id) {
                        continue;
                    }
                    (&rule::DUPLICATE_ITEM_ID, "a reasoning item stood there before; this one was left out")
                }
                _ if sealed => {
                    misnamed.insert(block.id);
                    continue;
                }
                _ => (&rule::ITEM_ID_MALFORMED, "reasoning with neither an id of the server's nor a seal was left out"),
            }
        };
        gone.insert(block.id, why);
    }
    (gone, misnamed)
}

/// Reasoning that nothing of the model follows.
fn without_follower(transcript: &Transcript<'_>, writer: &Writer<'_, '_>, mut gone: Gone) -> Gone {
    // What is only stored may go on.
    let mut follower = writer.mode == Mode::History;
    for message in transcript.messages.iter().rev() {
        if message.role != Role::Assistant {
            follower = false;
            continue;
        }
        for block in message.blocks.iter().rev() {
            match &block.kind {
                BlockKind::Thinking(thinking) => {
                    if !follower && is_ours(block, thinking, writer.same) {
                        let why = "reasoning without the item that followed it was left out";
                        gone.entry(block.id).or_insert((&rule::PROVIDER_ITEM_WITHOUT_PARTNER, why));
                    }
                }
                _ => follower = !is_clients_item(block),
            }
        }
    }
    gone
}

fn is_clients_item(block: &Block<'_>) -> bool {
    let BlockKind::Opaque(opaque) = &block.kind else { return false };
    opaque.dialect == name() && opaque_kind(&opaque.value).is_some_and(|kind| is_clients(&kind))
}

/// Takes the reasoning out, or its id alone, and from what followed it the id, by which the server would ask for it.
fn leave_out<'a>(transcript: &mut Transcript<'a>, gone: &Gone, misnamed: &HashSet<u32>, writer: &mut Writer<'a, '_>) {
    if gone.is_empty() && misnamed.is_empty() {
        return;
    }
    let mut asked_for = false;
    for message in &mut transcript.messages {
        if message.role != Role::Assistant {
            asked_for = false;
            continue;
        }
        keep_blocks(message, |block| {
            if let Some((rule, words)) = gone.get(&block.id) {
                writer.entry(rule, Severity::Loss, block.source, None, *words);
                asked_for = true;
                return false;
            }
            if misnamed.contains(&block.id) {
                block.native.as_mut().map(|native| native.remove(name(), "id"));
                asked_for = true;
                writer.adapt(&rule::ITEM_ID_MALFORMED, block, NOT_ITS_ID);
                return true;
            }
            match &block.kind {
                BlockKind::Thinking(thinking) => asked_for &= !is_ours(block, thinking, writer.same),
                BlockKind::Opaque(_) => asked_for &= !is_clients_item(block),
                _ if asked_for => take_id(block, writer),
                _ => {}
            }
            true
        });
    }
}

fn take_id<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) {
    let key = id_key(block);
    if block.native.as_mut().is_some_and(|native| native.remove(name(), key)) {
        let words = "the item's reasoning is gone, or its id; without its own id the server does not ask for it";
        writer.adapt(&rule::ITEM_WITHOUT_REASONING, block, words);
    }
}

/// Under which key a block carries the id of its item.
fn id_key(block: &Block<'_>) -> &'static str {
    if matches!(block.kind, BlockKind::ToolCall(_)) { "id" } else { ITEM_FIELDS[0].1 }
}

/// Ids of items: in the form of their type, and none twice.
fn ids<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let mut seen = HashSet::new();
    for message in &mut transcript.messages {
        let prefix = if message.role == Role::ToolResult { "" } else { "msg" };
        if let Some((rule, words)) = fault(text(message.native.as_deref(), "id"), prefix, &mut seen) {
            message.native.as_mut().map(|native| native.remove(name(), "id"));
            writer.adapt(rule, message, words);
        }
        let mut dirty = false;
        message.blocks.retain_mut(|block| {
            let keep = block_id(block, &mut seen, writer);
            dirty |= block.dirty || !keep;
            keep
        });
        message.dirty |= dirty;
    }
}

/// Sealed reasoning that the server stored goes by its id only in front of an item that has an id, too. Runs when every
/// item that this dialect does not have is text, which has no id.
pub(crate) fn followers<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.target.dialect != Dialect::OpenAiResponses {
        return;
    }
    let Container::Object { object, .. } = transcript.container else { return };
    let is_stateless = writer.json.value(object).get("store").and_then(Value::as_bool) == Some(false);
    if !writer.target.reasoning.followed_by_id || writer.same && is_stateless {
        return;
    }
    let mut nameless = HashSet::new();
    let mut waiting = Vec::new();
    for message in &transcript.messages {
        if message.role != Role::Assistant {
            waiting.clear();
            continue;
        }
        for block in &message.blocks {
            match &block.kind {
                BlockKind::Thinking(thinking) => {
                    let has_id = matches!(text(block.native.as_deref(), "id"), Ok(Some(_)));
                    waiting.extend((has_id && thinking.signature.is_some()).then_some(block.id));
                }
                kind => {
                    let has = |fields, key| matches!(text(fields, key), Ok(Some(_)));
                    let has_id = matches!(kind, BlockKind::Opaque(_))
                        || is_shell(block)
                        || has(block.native.as_deref(), id_key(block))
                        || has(message.native.as_deref(), "id");
                    nameless.extend(waiting.drain(..).filter(|_| !has_id));
                }
            }
        }
    }
    let blocks = transcript.messages.iter_mut().flat_map(|message| &mut message.blocks);
    for block in blocks.filter(|block| nameless.contains(&block.id)) {
        block.native.as_mut().map(|native| native.remove(name(), "id"));
        let what = "the `id` of stored reasoning was left out: the item that follows it has none";
        writer.adapt(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, block, what);
    }
}

fn block_id<'a>(block: &mut Block<'a>, seen: &mut HashSet<String>, writer: &mut Writer<'a, '_>) -> bool {
    let prefix = match &block.kind {
        BlockKind::Thinking(_) => {
            if let Ok(Some(id)) = text(block.native.as_deref(), "id") {
                seen.insert(id);
            }
            return true;
        }
        BlockKind::Opaque(opaque) => {
            if opaque.dialect != name() || is_clients_item(block) {
                return true;
            }
            let Some(id) = opaque_text(&opaque.value, "id") else { return true };
            if seen.insert(id) {
                return true;
            }
            let words = "an item of this id stood there before; this one was left out";
            writer.entry(&rule::DUPLICATE_ITEM_ID, Severity::Loss, block.source, None, words);
            return false;
        }
        BlockKind::ToolCall(_) if custom_input(block).is_some() => "ctc",
        BlockKind::ToolCall(_) if is_shell(block) => "",
        BlockKind::ToolCall(_) => "fc",
        _ => "msg",
    };
    let key = id_key(block);
    let id = text(block.native.as_deref(), key);
    if is_shell(block) && !matches!(&id, Ok(Some(id)) if seen.contains(id)) {
        // How the server spells these is not known.
        seen.extend(id.into_iter().flatten());
        return true;
    }
    let Some((rule, words)) = fault(id, prefix, seen) else { return true };
    block.native.as_mut().map(|native| native.remove(name(), key));
    writer.adapt(rule, block, words);
    true
}

fn fault(
    id: Result<Option<String>, ()>,
    prefix: &str,
    seen: &mut HashSet<String>,
) -> Option<(&'static Rule, &'static str)> {
    match id {
        Ok(None) => None,
        Ok(Some(id)) if id_is_whole(&id, prefix) => {
            let words = "an item of this id stood there before; this one goes without";
            (!seen.insert(id)).then_some((&rule::DUPLICATE_ITEM_ID, words))
        }
        _ => Some((&rule::ITEM_ID_MALFORMED, NOT_ITS_ID)),
    }
}

fn opaque_text(value: &str, key: &str) -> Option<String> {
    let json = Json::parse(value, &Limits { max_depth: usize::MAX }).ok()?;
    json.root().get(key).and_then(Value::as_str).map(std::borrow::Cow::into_owned)
}

/// Reasoning whose own words the server refuses: they go into the summary.
fn contents<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        if !matches!(block.kind, BlockKind::Thinking(_)) || content_of(block).is_empty() {
            continue;
        }
        let words = "the server takes no content of reasoning; its words went into the summary";
        writer.adapt(&rule::REASONING_WITH_CONTENT, block, words);
    }
}

/// A custom call is answered by a custom output, any other by a function's.
fn kinds<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let mut custom: HashMap<String, bool> = HashMap::new();
    for message in &mut transcript.messages {
        for block in &message.blocks {
            if let BlockKind::ToolCall(call) = &block.kind
                && let Some(id) = call.id.as_deref()
            {
                custom.insert(id.to_owned(), custom_input(block).is_some());
            }
        }
        let Some(head) = &message.result else { continue };
        let Some(wanted) = head.call_id.as_deref().and_then(|id| custom.get(id)).copied() else { continue };
        if native(message.native.as_deref(), KIND).is_some() == wanted {
            continue;
        }
        if wanted {
            let native = message.native.get_or_insert_default();
            native.add(name(), KIND, "\"custom_tool_call_output\"");
            // A function's output may have an id that is null.
            if native.get(name(), "id") == Some("null") {
                native.remove(name(), "id");
            }
        } else if let Some(native) = &mut message.native {
            native.remove(name(), KIND);
        }
        message.dirty = true;
        if writer.same && message.source.is_some() {
            let (source, about) = (message.source, Some(message.id));
            let words = "the output was of another kind than its call";
            writer.entry(&rule::TOOL_RESULT_OF_ANOTHER_KIND, Severity::Mend, source, about, words);
        }
    }
}

const SHELL_OUTPUT: &str = "local_shell_call_output";

/// Outputs of the server's tools that the client runs, and the calls that they answer.
const PAIRS: &[(&str, &str)] = &[
    ("computer_call_output", "computer_call"),
    ("shell_call_output", "shell_call"),
    ("apply_patch_call_output", "apply_patch_call"),
    (SHELL_OUTPUT, SHELL_CALL),
    ("tool_search_output", "tool_search_call"),
];

/// A search for tools that the server runs itself answers itself (openai/codex#31053).
fn is_servers(kind: &str, id: &str, value: &str) -> bool {
    kind.starts_with("tool_search")
        && (id.trim().is_empty() || opaque_text(value, "execution").is_some_and(|who| who == "server"))
}

/// Such an output without its call goes, and such a call without its output, with something behind it, is words: "No tool
/// output found for computer call …" (Azure-Samples/computer-use#22). Unless the server may have the other half.
fn partners<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if writer.same && goes_on(writer.json.root()) {
        return;
    }
    let mut calls: HashMap<(String, String), u32> = HashMap::new();
    let (mut alone, mut open) = (HashSet::new(), HashSet::new());
    let last = transcript.messages.iter().rposition(|message| message.role != Role::Assistant).unwrap_or(0);
    let blocks = transcript.messages.iter().enumerate();
    for (at, block) in blocks.flat_map(|(at, message)| message.blocks.iter().map(move |block| (at, block))) {
        let BlockKind::Opaque(opaque) = &block.kind else { continue };
        if opaque.dialect != name() {
            continue;
        }
        // A reference may go without its type.
        let kind = opaque_kind(&opaque.value).unwrap_or_else(|| "item_reference".to_owned());
        if kind == "item_reference" && opaque_text(&opaque.value, "id").is_some_and(|id| !id.trim().is_empty()) {
            return;
        }
        let id = opaque_text(&opaque.value, "call_id").unwrap_or_default();
        if is_servers(&kind, &id, &opaque.value) {
            continue;
        }
        // An output of the shell has its call's id as its own.
        let own = opaque_text(&opaque.value, "id").filter(|_| kind == SHELL_CALL || kind == SHELL_OUTPUT);
        // A blank id joins nothing.
        let mut ids = std::iter::once(id).chain(own).filter(|id| !id.trim().is_empty());
        if let Some((_, call)) = PAIRS.iter().find(|(output, _)| *output == kind) {
            match ids.find_map(|id| calls.get(&((*call).to_owned(), id))) {
                Some(call) => drop(open.remove(call)),
                None => drop(alone.insert(block.id)),
            }
            continue;
        }
        if at < last && PAIRS.iter().any(|(_, call)| *call == kind) {
            open.insert(block.id);
        }
        calls.extend(ids.map(|id| ((kind.clone(), id), block.id)));
    }
    if alone.is_empty() && open.is_empty() {
        return;
    }
    for message in &mut transcript.messages {
        leave_out_alone(message, &alone, "an output of the server's tool without its call was left out", writer);
        for block in message.blocks.iter_mut().filter(|block| open.contains(&block.id)) {
            as_words(block, writer);
        }
    }
}

/// An item that only the server can replay, as the words of its JSON text.
fn as_words<'a>(block: &mut Block<'a>, writer: &mut Writer<'a, '_>) {
    let BlockKind::Opaque(opaque) = &mut block.kind else { return };
    block.kind = BlockKind::Text(std::mem::take(&mut opaque.value).into());
    let words = "a call of the server's tool without its output was kept as its JSON text";
    writer.change(&rule::PROVIDER_ITEM_WITHOUT_PARTNER, Severity::Mend, block, words);
}
