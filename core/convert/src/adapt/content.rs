//! Blank text, where the target refuses it.

use crate::dialects::anthropic_messages::item::sets_options as sets_anthropic_options;
use crate::print::{Writer, left_out};
use wirecanon_json::{Value, Words};
use wirecanon_model::report::Severity;
use wirecanon_model::transcript::{Block, BlockKind, Role, Transcript};
use wirecanon_model::{Dialect, rule, text};

pub(crate) fn run<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    if !writer.same {
        blank_in_results(transcript, writer);
    }
    if !writer.target.content.nul {
        replace_nul(transcript, writer);
    }
    if [Role::ToolResult, Role::System, Role::Assistant].iter().any(|role| !writer.target.content.takes_parts(*role)) {
        one_string(transcript, writer);
    }
    let takes_blank = writer.target.content.blank_results || writer.target.dialect != Dialect::BedrockConverse;
    let takes = [writer.target.content.empty_results, takes_blank];
    if takes.contains(&false) {
        empty_results(transcript, takes, writer);
    }
    if !writer.target.content.calls_alone {
        beside_calls(transcript, writer);
    }
    if !writer.target.content.silent {
        silent_turns(transcript, writer);
    }
    if writer.target.content.blank_text && writer.target.content.silent {
        return;
    }
    let white_space = writer.target.content.blank_text;
    let blank =
        |block: &Block<'_>| if white_space { block.words().is_some_and(Words::is_empty) } else { block.is_blank() };
    for message in &mut transcript.messages {
        if !message.blocks.iter().all(blank) || !matches!(message.role, Role::User | Role::System) {
            continue;
        }
        if writer.target.dialect == Dialect::AnthropicMessages && sets_anthropic_options(message) {
            continue;
        }

        if message.role == Role::System {
            let rule = if white_space { &rule::EMPTY_MESSAGE } else { &rule::BLANK_TEXT };
            writer.entry(rule, Severity::Mend, message.source, None, "instructions without a word were left out");
            message.blocks.clear();
            continue;
        }
        let what = "the target refuses a message without a word; a text says that it is empty";
        writer.adapt(&rule::EMPTY_MESSAGE, message, what);
        message.blocks.truncate(1);
        if let Some(block) = message.blocks.first_mut() {
            block.kind = BlockKind::Text(text::EMPTY_MESSAGE.into());
            block.dirty = true;
        }
    }
    transcript.messages.retain(|message| message.role != Role::System || !message.blocks.is_empty());
}

/// Results that hold nothing, or a blank text, in a form that their dialect has and the target refuses.
fn empty_results(transcript: &mut Transcript<'_>, [takes_empty, takes_blank]: [bool; 2], writer: &mut Writer<'_, '_>) {
    for message in transcript.messages.iter_mut().filter(|message| message.result.is_some()) {
        let [block] = message.blocks.as_mut_slice() else { continue };
        let is_taken = if block.source.is_none() { takes_empty } else { takes_blank };
        let says_nothing = matches!(&block.kind, BlockKind::Text(words) if words.get() == text::NO_OUTPUT);
        if is_taken || !(writer.same && block.projected && says_nothing) {
            continue;
        }
        block.projected = false;
        block.dirty = true;
        let what = format!("the target refuses a result that holds nothing; `{}` says so", text::NO_OUTPUT);
        writer.adapt(&rule::EMPTY_TOOL_RESULT, message, what);
    }
}

/// Turns of the model that say nothing and call nothing, if they reason: the target refuses them.
fn silent_turns(transcript: &mut Transcript<'_>, writer: &mut Writer<'_, '_>) {
    transcript.messages.retain(|message| {
        let says_nothing = |block: &Block<'_>| match &block.kind {
            BlockKind::Text(words) => words.is_empty(),
            BlockKind::Thinking(_) => true,
            _ => false,
        };
        let silent = message.role == Role::Assistant && message.blocks.iter().all(says_nothing);
        if silent {
            let reasons = message.blocks.iter().any(|block| matches!(block.kind, BlockKind::Thinking(_)));
            let (severity, what) = if reasons {
                (
                    Severity::Loss,
                    "the target refuses a turn that says nothing and calls nothing; left out with its reasoning",
                )
            } else {
                (Severity::Adapt, "the target refuses a turn that says nothing; left out")
            };
            writer.entry(&rule::EMPTY_MESSAGE, severity, message.source, None, what);
        }
        !silent
    });
}

/// A blank text beside the other blocks of a result, which its own dialect had there, says nothing anywhere else.
fn blank_in_results<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for message in transcript.messages.iter_mut().filter(|message| message.result.is_some()) {
        let blank = message.blocks.iter().filter(|block| block.is_blank()).count();
        if blank == 0 || blank == message.blocks.len() {
            continue;
        }
        message.dirty = true;
        for block in message.blocks.extract_if(.., |block| block.is_blank()) {
            let what = "a blank text beside other blocks was left out";
            writer.entry(&rule::BLANK_TEXT, Severity::Adapt, block.source, Some(message.id), what);
        }
    }
}

/// A NUL that the target refuses becomes U+FFFD.
fn replace_nul<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for block in transcript.messages.iter_mut().flat_map(|message| &mut message.blocks) {
        let BlockKind::Text(words) = &mut block.kind else { continue };
        if !words.has_nul() {
            continue;
        }
        *words = words.get().replace('\0', "\u{FFFD}").into();
        writer.adapt(&rule::NUL_CHARACTER, block, "the target refuses NUL; it became U+FFFD");
    }
}

/// Whether a text carries the block of another dialect that it stands for.
fn is_whole(block: &Block<'_>) -> bool {
    let natives = block.native.iter().flat_map(|native| &native.dialects);
    natives.flat_map(|(_, fields)| fields).any(|(key, _)| key == "type")
}

/// The words of a message, as one string where its role has no list of parts.
fn one_string<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    let (content, same) = (&writer.target.content, writer.same);
    for message in transcript.messages.iter_mut().filter(|message| !content.takes_parts(message.role)) {
        let list = writer.own(message.source).and_then(|own| own.get("content")).filter(|content| content.is_array());
        let texts: Vec<_> = message.blocks.iter().filter_map(Block::as_text).collect();
        let dialect = writer.target.dialect.name();
        // Text that has fields of its own, or stood in a list under another name, is written as a part.
        let is_part = |block: &Block<'_>| {
            block.is_text()
                && (writer.own(block.source).is_some_and(Value::is_object) || !block.native_of(dialect).is_empty())
        };
        if texts.len() < 2 && list.is_none() && !message.blocks.iter().any(is_part) {
            continue;
        }
        let whole = texts.join("\n");
        let Some(first) = message.blocks.iter().position(Block::is_text) else { continue };
        // What they stood for is not known any more once they are one.
        for block in message.blocks.iter().filter(|block| !same && block.projected && is_whole(block)) {
            left_out::projection(writer, block, message.role);
        }
        for block in message.blocks.iter().filter(|block| block.is_text() && !is_whole(block)) {
            let names: Vec<_> = block.native_of(dialect).iter().map(|(key, _)| format!("`{key}`")).collect();
            if !names.is_empty() {
                let what = format!("one string has no place for {}; left out", names.join(", "));
                writer.entry(&rule::UNKNOWN_FIELD, Severity::Loss, block.source, Some(block.id), what);
            }
        }
        let mut at = 0;
        message.blocks.retain(|block| {
            at += 1;
            at - 1 == first || !block.is_text()
        });
        let block = &mut message.blocks[first];
        *block = Block::new(block.id, BlockKind::Text(whole.into()));
        message.dirty = true;
        if let Some(list) = list {
            let what = "the target takes one string; the words of the list became one";
            writer.entry(&rule::CONTENT_NOT_A_STRING, Severity::Adapt, Some(list.index()), Some(message.id), what);
        }
    }
}

/// Content beside calls, if only an empty string ("Each message must have at least one content element").
fn beside_calls<'a>(transcript: &mut Transcript<'a>, writer: &mut Writer<'a, '_>) {
    for at in 0..transcript.messages.len() {
        let message = &transcript.messages[at];
        let speaks = message.blocks.iter().any(|block| block.is_text() && !(writer.same && block.projected));
        if message.role != Role::Assistant || speaks || message.calls().next().is_none() {
            continue;
        }
        let (source, about, clean) = (message.source, Some(message.id), !message.dirty);
        let had = writer.own(source).and_then(|own| own.get("content")).is_some_and(Value::is_string);
        if had && clean {
            continue;
        }
        let block = Block::new(transcript.mint(), BlockKind::Text("".into()));
        let message = &mut transcript.messages[at];
        message.blocks.insert(0, block);
        message.dirty = true;
        if !had {
            let what = "the target wants content beside the calls; an empty string was put there";
            writer.entry(&rule::CONTENT_MISSING, Severity::Adapt, source, about, what);
        }
    }
}
